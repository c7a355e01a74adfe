from __future__ import annotations

from tests.extract.reading import extract, stated


def test_speaker_marks_say_who_i_am_and_who_you_are():
    """LP-29, C-35."""
    text = "[芽衣]我昨天见到了爱莉希雅，她送给我一枚徽章。\n[凯文]我不认识你的朋友。"
    assert stated(text) >= {
        ("芽衣", "见到", "爱莉希雅"),
        ("爱莉希雅", "送给", "芽衣"),
        ("爱莉希雅", "送", "徽章"),
        ("凯文", "not 认识", "芽衣的朋友"),
    }


def test_the_context_says_who_i_am_and_who_you_are():
    assert ("阿杰", "送给", "小美") in stated("我送给你一本书。", speaker="阿杰", addressee="小美")


def test_what_cannot_be_resolved_is_no_name():
    """C-25: pronoun ends are resolved or dropped."""
    for text in ("我喜欢他。", "这是那个。", "她送给我一枚徽章。", "它们属于我们。"):
        found = extract(text)
        ends = {end for t in found.triples for end in (t.subject, t.object)}
        assert not ends & {"我", "他", "她", "它们", "我们", "这", "那个"}, text


def test_a_pronoun_is_the_nearest_that_fits():
    assert ("林夏", "买", "花瓶") in stated("林夏去了北京。她买了一个花瓶。")
    assert ("团子", "吃", "三文鱼") in stated("小雨养了一只橘猫，名字叫团子，它每天吃三文鱼。")
    assert ("任正非", "担任…的首席执行官", "华为技术有限公司") in stated(
        "任正非创立了华为技术有限公司，目前担任该公司首席执行官。"
    )


def test_qi_and_bare_kin_belong_to_the_topic():
    assert ("爱因斯坦的母亲", "是", "钢琴家") in stated("爱因斯坦获得了诺贝尔物理学奖，其母亲是一位钢琴家。")
    assert ("达·芬奇的父亲", "是", "公证人") in stated("达·芬奇生于芬奇镇，父亲是一名公证人。")


def test_a_title_is_the_topic_of_sentences_without_a_subject():
    found = stated("马飚是广西人。1985年加入中国共产党。", title="马飚")
    assert ("马飚", "加入", "中国共产党") in found


def test_inside_a_quotation_i_is_who_speaks():
    assert ("萧峰", "找", "师父") in stated("“我要去少林寺找师父。”萧峰回答。")
    assert ("沈墨", "not 离开", "青石岛") in stated("沈墨说：“我绝不会离开青石岛。”")
    assert not any(subject == "沈墨" for subject, _, _ in stated("沈墨说：“阿离去了后山。”"))


def test_advice_is_no_fact_about_whom_it_is_given_to():
    assert stated("你可以练习瑜伽。", speaker="医生", addressee="李雪") == set()
    assert ("李雪", "练习", "瑜伽") in stated("你每天练习瑜伽。", speaker="医生", addressee="李雪")


def test_what_a_name_was_given_to_is_that_name():
    assert stated("我的上司叫周建平，他的老家在长沙。", speaker="小林") == {
        ("小林", "上司", "周建平"),
        ("周建平", "老家在", "长沙"),
    }
