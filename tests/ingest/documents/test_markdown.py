"""Markdown: headings are titles, blocks are passages, marks are gone."""

import time

import pytest

DOCUMENT = """\
---
title: 逐火英桀
tags: [a, b]
---

前言在标题之前。

# 爱莉希雅

她住在*往世乐土*，见[官网](https://example.org/a)和 <https://example.org>。
第二行，`代码`，![一枚徽章](badge.png)。

## 性格

- 开朗
  - 爱笑
- 活泼

3. 三
4. 四

> 引用第一句。
>
> 引用第二句。

| 名 | 值 |
|----|----|
| 徽章 | 旧 |
| a \\| b | c | 多余 |

```python
def hello():

    return 1
```

<b>粗</b> &amp; \\*星\\*

[芽衣]你好。

# 没有正文的一章
"""


@pytest.fixture
def pieces(read):
    return read(DOCUMENT, "英桀.md").pieces


def test_each_block_is_a_passage_under_its_nearest_heading(pieces):
    assert [(piece.title, piece.text) for piece in pieces] == [
        (None, "前言在标题之前。"),
        ("爱莉希雅", "她住在往世乐土，见官网和 https://example.org。\n第二行，代码，一枚徽章。"),
        ("性格", "- 开朗\n  - 爱笑\n- 活泼"),
        ("性格", "3. 三\n4. 四"),
        ("性格", "引用第一句。\n引用第二句。"),
        ("性格", "名 | 值\n徽章 | 旧\na | b | c | 多余"),
        ("性格", "def hello():\n\n    return 1"),
        ("性格", "<b>粗</b> & *星*"),
        ("性格", "[芽衣]你好。"),
        (None, "没有正文的一章"),
    ]


def test_a_speaker_is_read_off_here_too(pieces):
    """LP-29."""
    assert pieces[-2].speaker == "芽衣"


def test_front_matter_is_left_out_and_noted(read):
    document = read(DOCUMENT, "英桀.md")
    assert document.media == "markdown"
    assert "lines of front matter, not read: 4" in document.notes


def test_text_between_two_rules_is_no_front_matter(texts):
    assert texts("---\n\n正文在这里。\n\n---\n后文。", "a.md") == ["正文在这里。", "后文。"]


def test_a_heading_with_only_headings_under_it_stands_before_each_of_them_and_in_no_text(read):
    text = "# Lives\n## Ida Pellow\nShe was born in Kell.\n### Works\nTwo books.\n## Ambrose\nHe rowed.\n# Places\nThere are two."
    assert [(piece.title, piece.text) for piece in read(text, "a.md").pieces] == [
        ("Lives › Ida Pellow", "She was born in Kell."),
        ("Lives › Works", "Two books."),
        ("Lives › Ambrose", "He rowed."),
        ("Places", "There are two."),
    ]


def test_a_heading_with_nothing_under_it_is_a_passage_before_the_next_one(read):
    text = "# Lives\n## Ida\n### Youth\n## Ambrose\nHe rowed.\n# Places\n# Maps\nNone."
    assert [(piece.title, piece.text) for piece in read(text, "a.md").pieces] == [
        ("Lives", "Ida\nYouth"),
        ("Lives › Ambrose", "He rowed."),
        (None, "Places"),
        ("Maps", "None."),
    ]


def test_a_heading_without_text_of_its_own_is_not_lost(read):
    pieces = read("# 爱莉希雅\n## 性格\n开朗。", "a.md").pieces
    assert [(piece.title, piece.text) for piece in pieces] == [("爱莉希雅 › 性格", "开朗。")]
    pieces = read("# 一\n正文。\n## 二\n### 三\n", "a.md").pieces
    assert [(piece.title, piece.text) for piece in pieces] == [("一", "正文。"), (None, "二\n三")]


def test_markdown_marks_in_a_text_file_are_text(texts):
    assert texts("# 不是标题\n正文") == ["# 不是标题\n正文"]


def test_a_link_by_reference_keeps_its_words(texts):
    assert texts("见[官网][1]。\n\n[1]: https://example.org", "a.md") == ["见官网。"]


def test_a_long_list_is_cut_between_its_items(texts):
    passages = texts("\n".join(f"- 第{i}项，是一件需要记住的小事" for i in range(200)), "a.md")
    assert len(passages) > 3
    assert all(passage.startswith("- 第") for passage in passages)


def test_deep_nesting_loses_nothing(texts):
    assert "底" in texts("> " * 50 + "底", "a.md")[0]


def test_hostile_marks_end_in_text_or_in_time(read, refusal, small):
    started = time.process_time()
    assert read("[" * 200_000, "a.md").pieces
    assert time.process_time() - started < 3
    assert "seconds" in refusal("*a\n\n" * 5000, "a.md", limits=small(seconds=0)).message


def test_enormous_markdown_is_read_as_plain_text_with_a_note(read, small):
    document = read("# 标题\n\n正文" * 50, "a.md", limits=small(markdown_characters=100))
    assert document.pieces[0].text == "# 标题"
    assert any("read as plain text" in note for note in document.notes)
