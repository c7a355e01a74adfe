from __future__ import annotations

import random
from functools import cache

from lpmm_core.base.records import Kind, Lexicon, Reading
from lpmm_core.extract.chinese import ChineseReader

STORY = [
    "爱莉希雅住在往世乐土，凯文是逐火之蛾的首席融合战士。",
    "芽衣加入了逐火之蛾。往世乐土里有一座花园。",
    "逐火之蛾的成员都去过往世乐土。",
    "后来，逐火之蛾解散了，往世乐土也关闭了。",
]
PLAIN = [
    "他每天参加比赛，参加比赛让他很高兴。",
    "老师说参加比赛很重要，他又去参加比赛。",
    "参加比赛的人很多，大家都说比赛好看。",
]


@cache
def reader() -> ChineseReader:
    return ChineseReader()


def test_names_that_the_tagger_cuts_apart_are_found_with_their_kinds():
    assert reader().discover(STORY) == (("往世乐土", Kind.PLACE), ("逐火之蛾", Kind.ORGANISATION))


def test_the_order_of_the_passages_does_not_matter():
    shuffled = random.Random(3).sample(STORY, len(STORY))
    assert reader().discover(shuffled) == reader().discover(STORY)


def test_ordinary_phrases_are_no_terms():
    assert reader().discover(PLAIN) == ()


def test_speakers_and_titles_are_terms_without_statistics():
    """LP-29: speaker marks are names."""
    terms = dict(reader().discover(["[八重樱]你读过《海边书屋》吗？", "[绯玉丸]海边书屋里写了什么？"]))
    assert terms == {"八重樱": Kind.PERSON, "绯玉丸": Kind.PERSON, "海边书屋": Kind.WORK}


def test_a_term_of_the_lexicon_is_read_as_one_name():
    text = "凯文守着往世乐土的大门。"
    reading = Reading(text, lexicon=Lexicon((("往世乐土", Kind.PLACE),)))
    found = reader().read([(reading, [(0, len(text))])])[0]
    assert ("往世乐土", Kind.PLACE) in {(mention.name, mention.kind) for mention in found.mentions}


def test_hostile_documents_give_no_terms_and_no_error():
    assert reader().discover([]) == ()
    assert reader().discover(["", "\x00\x00", "😀" * 50, "哈" * 3000, "a" * 3000]) == ()
