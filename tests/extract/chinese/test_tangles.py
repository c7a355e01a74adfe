"""What the rules did not understand they do not state."""

from __future__ import annotations

import pytest

from tests.extract.reading import extract, stated


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("里面全是孩子。", ("林夏", "是", "孩子")),
        ("中间夹着一封信。", ("林夏", "夹", "信")),
        ("得到郑校长批准。", ("林夏", "得到", "郑校长")),
        ("停止出版旧杂志。", ("林夏", "出版", "旧杂志")),
        ("还请我去当证婚人。", ("林夏", "当", "证婚人")),
        ("听说有很多人去了青岛。", ("林夏", "有", "很多人")),
    ],
)
def test_a_clause_that_is_not_about_the_topic_says_nothing_of_it(text: str, never: tuple[str, str, str]):
    assert never not in stated("林夏是画家。她推开了门，" + text)


def test_a_clause_with_a_left_over_of_states_nothing():
    assert stated("该指南讨论在云南使用或曾经使用的语言。") == set()


def test_a_common_noun_far_from_its_verb_is_no_subject():
    assert ("灯笼", "离开", "青石岛") not in stated("林夏点亮了灯笼，灯笼晃了晃，离开青石岛。")


def test_a_person_does_what_only_persons_do():
    """A wrong subject leads the search astray: the prize does not marry."""
    found = stated("陆远征获得了金鹿奖。奖金十分丰厚，随后向宋晴求婚。")
    assert not any(subject in ("奖金", "金鹿奖") for subject, verb, _ in found if "求婚" in verb)


def test_a_single_character_is_not_what_something_is():
    assert not any(obj == "路" for _, _, obj in stated("赵虎、钱豹为一路，孙熊为一路。"))


def test_advice_without_a_subject_is_no_report_of_the_speaker():
    assert stated("带好雨伞，注意安全。", speaker="医生", addressee="李雪") == set()
    assert ("李雪", "去", "图书馆") in stated("昨天去了图书馆。", speaker="李雪")


def test_an_adverbial_noun_is_no_name():
    assert "人工" not in {m.name for m in extract("牡蒿生于草地，目前由人工引种栽培。").mentions}


def test_a_thing_under_a_title_does_not_act_in_a_sentence_without_a_subject():
    text = "青背穿山兽吃白蚁。考虑迁移路线。1953年，发现新洞穴。"
    assert not any(verb in ("考虑", "发现") for _, verb, _ in stated(text, title="青背穿山兽"))


def test_the_second_verb_of_a_thing_is_not_its_own():
    assert not any("瀑布" in obj for _, _, obj in stated("湖面高于海面三米形成瀑布。"))


def test_somebody_without_a_name_is_brought_up_by_his_number():
    found = stated("南山医院是一所公立医院。去年六月，一名男病友，被护士发现。", title="南山医院")
    assert ("护士", "发现", "南山医院") not in found
