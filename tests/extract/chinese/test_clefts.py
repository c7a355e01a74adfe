"""是 … 的: what came about, and by whom."""

from __future__ import annotations

import pytest

from tests.extract.reading import stated


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("这座亭子是石匠郭守田造的。", ("郭守田", "造", "亭子")),
        ("东园的匾额是书法家沈墨言题写的。", ("沈墨言", "题写", "东园的匾额")),
        ("那口铜钟是他父亲出钱铸造的。", ("林夏的父亲", "铸造", "铜钟")),
        ("这枚印章是外祖父交给她的。", ("林夏的外祖父", "交给", "林夏")),
    ],
)
def test_who_made_something_is_who_stands_between_shi_and_de(text: str, wanted: tuple[str, str, str]):
    assert wanted in stated("林夏住在青石岛。" + text)


def test_without_a_doer_the_thing_itself_came_about():
    assert ("望江楼", "建成于", "1926年") in stated("望江楼是1926年建成的。")


def test_what_was_made_stays_the_topic():
    found = stated("观澜桥是郭守田设计的，全长三百米。")
    assert ("观澜桥", "全长", "三百米") in found


def test_the_one_who_only_lets_another_do_it_did_not_do_it():
    assert not any(subject == "周老师" and verb == "写" for subject, verb, _ in stated("这首诗是周老师让李雷写的。"))
