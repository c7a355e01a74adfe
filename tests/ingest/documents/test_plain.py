"""Plain text: paragraphs as LPMM cuts them, and the texts that do not keep to its rule."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core.ingest.documents import read_document
from lpmm_core.ingest.documents.plain import paragraphs, read_plain
from lpmm_core.ingest.documents.split import LONGEST_PASSAGE, units

SENTENCE = "她走进院子，看见那棵老树还在，心里忽然安静下来。"
ENGLISH = "The old tree was still standing in the yard, and she felt calm. "


def test_escape_sequences_of_a_terminal_go_whole(read):
    document = read(
        "\x1b[31m陈默\x1b[0m住在\x1b[1;32m青石镇\x1b[K。\x1b]0;标题\x07\x1b]8;;http://a\x1b\\完".encode(), "a.log"
    )
    assert [piece.text for piece in document.pieces] == ["陈默住在青石镇。完"]
    assert "control characters taken out: 6" in document.notes


def test_what_takes_no_room_cuts_no_name_and_joiners_stay(texts):
    assert texts("陈\u200b默住在青\u2060石\ufeff镇。") == ["陈默住在青石镇。"]
    assert texts("می\u200cخواهم 👩\u200d🚀") == ["می\u200cخواهم 👩\u200d🚀"]


def test_blank_lines_part_paragraphs_and_runs_collapse(texts):
    """LP-01: the rule of LPMM's raw text."""
    assert texts("第一段\n还是第一段\n\n\n \t\n\u3000\n第二段\n") == ["第一段\n还是第一段", "第二段"]


def test_tiny_paragraphs_stay_passages_of_their_own(texts):
    assert texts("甲\n\n乙\n\n丙") == ["甲", "乙", "丙"]


def test_a_short_block_keeps_its_lines_together(texts):
    assert texts("第一行。\n第二行。\n第三行。") == ["第一行。\n第二行。\n第三行。"]


def test_paragraphs_a_line_without_blank_lines_become_passages(texts):
    long_line = SENTENCE * 6
    text = "\n".join([long_line] * 12)
    assert texts(text) == [long_line] * 12


def test_tiny_lines_are_grouped_with_their_neighbours(texts):
    dialogue = "\n".join(f"“第{i}句话，你说呢？”" for i in range(120))
    passages = texts(dialogue)
    assert "\n".join(passages) == dialogue
    assert all(100 < len(passage) < 400 for passage in passages[:-1])


def test_a_heading_line_goes_with_the_text_under_it(texts):
    text = "\n".join(["第一章　归来。", SENTENCE * 6] + [SENTENCE * 6] * 12)
    assert texts(text)[0] == f"第一章　归来。\n{SENTENCE * 6}"


def test_text_wrapped_at_a_width_is_cut_at_sentences_not_at_lines(texts):
    words = (ENGLISH * 100).split()
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > 76:
            lines.append(line.strip())
            line = ""
        line += word + " "
    passages = texts("\n".join([*lines, line.strip()]))
    assert len(passages) > 3
    assert all(passage.endswith(".") for passage in passages)
    assert all(100 <= len(passage.split()) <= 190 for passage in passages)


def test_one_enormous_chapter_is_cut_into_passages_of_a_usual_size(texts):
    passages = texts(SENTENCE * 400)
    assert "".join(passages) == SENTENCE * 400
    assert all(250 <= len(passage) <= 450 for passage in passages)
    assert all(passage.endswith("。") for passage in passages)


def test_a_paragraph_of_usual_length_is_not_cut(texts):
    assert len(texts(SENTENCE * 30)) == 1


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("[芽衣]今天也要加油。", "芽衣"),
        ("［爱莉希雅］嗨。", "爱莉希雅"),
        ("[Mei] hello", "Mei"),
        ("[2B]是的。", "2B"),
        ("[1] Smith, 2003", None),
        ("[12:30] 开会", None),
        ("[2023年5月] 搬家", None),
        ("[图1] 结构", None),
        ("[x] done", None),
        ("[INFO] started", None),
        ("[官网](https://example.org)", None),
        ("[ref]: https://example.org", None),
        ("[未完", None),
        ("文中的[芽衣]不算", None),
    ],
)
def test_a_mark_names_the_speaker_and_stays_in_the_text(read, line, speaker):
    """LP-29."""
    (piece,) = read(line).pieces
    assert (piece.text, piece.speaker) == (line, speaker)


def test_each_turn_of_a_log_is_a_passage_of_its_speaker(read):
    """LP-29: what one says is not put into another's mouth."""
    pieces = read("[芽衣]你好。\n我来了。\n[爱莉希雅]嗨！\n\n[芽衣]走吧。").pieces
    assert [(piece.speaker, piece.text) for piece in pieces] == [
        ("芽衣", "[芽衣]你好。\n我来了。"),
        ("爱莉希雅", "[爱莉希雅]嗨！"),
        ("芽衣", "[芽衣]走吧。"),
    ]


def test_every_part_of_a_long_speech_has_its_speaker(read):
    pieces = read("[芽衣]" + SENTENCE * 80).pieces
    assert len(pieces) > 3
    assert {piece.speaker for piece in pieces} == {"芽衣"}


def test_one_bracketed_word_inside_a_paragraph_does_not_cut_it(texts):
    assert texts("他写道：\n[注意] 小心台阶。\n然后走了。") == ["他写道：\n[注意] 小心台阶。\n然后走了。"]


def test_a_block_of_invisible_characters_is_no_passage(texts):
    assert texts("甲\n\n\u200b\u200b\n\n乙") == ["甲", "乙"]


anything = st.text(
    st.one_of(st.sampled_from('。！？.!?,， \n\n\n\t[]”"甲a'), st.characters(exclude_categories=["Cc", "Cs"])),
    max_size=300,
)
long_texts = st.tuples(anything, st.integers(1, 60)).map(lambda pair: pair[0] * pair[1])


def visible(text: str) -> str:
    return "".join(text.split())


@settings(max_examples=150, deadline=None)
@given(long_texts)
def test_no_visible_character_is_lost(text):
    shown = visible(text)
    kept = visible("".join(piece.text for piece in read_plain(text)))
    invisible = dict.fromkeys([*range(0x200B, 0x2010), *range(0x2060, 0x2065), 0xFEFF, 0xAD])
    assert kept.translate(invisible) == shown.translate(invisible)


@settings(max_examples=100, deadline=None)
@given(long_texts)
def test_splitting_again_changes_nothing(text):
    for piece in read_plain(text):
        assert units(piece.text) <= LONGEST_PASSAGE + 300
        assert [again.text for again in read_plain(piece.text)] == [piece.text]


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("[]甲乙丙。 \n"), max_size=200).filter(lambda text: "\n\n" not in text))
def test_the_paragraphs_of_a_block_are_the_block(block):
    assert "\n".join(paragraphs(block)) == block


def test_the_same_file_is_read_the_same_way_twice():
    data = (SENTENCE * 100 + "\n\n[芽衣]你好").encode()
    assert read_document(data, "a.txt") == read_document(data, "a.txt")
