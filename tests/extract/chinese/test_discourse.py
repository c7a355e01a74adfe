from __future__ import annotations

from tests.extract.reading import extract, stated


def test_speaker_marks_say_who_i_am_and_who_you_are():
    """LP-29."""
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
    """Pronoun ends are resolved or dropped."""
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


def test_what_is_bare_or_pointed_at_is_the_title_when_it_is_of_its_kind():
    found = stated("云溪师范学院创办于1952年。该校位于云溪市。学校前身是云溪女子学校。", title="云溪师范学院")
    assert ("云溪师范学院", "位于", "云溪市") in found
    assert ("云溪师范学院", "前身", "云溪女子学校") in found


def test_the_end_of_a_name_stands_for_the_name():
    assert ("林夏", "离开", "半山书院") in stated("林夏进了半山书院。十年后，林夏离开书院。")


def test_the_family_name_of_a_foreigner_is_he():
    assert ("保罗·夸里尼", "来到", "上海") in stated("保罗·夸里尼是画家。1920年，夸里尼来到上海。")


def test_a_noun_that_stands_alone_takes_the_topic_only_if_it_can_act():
    assert ("林夏", "任", "知县") in stated("林夏生于杭州，二十二名进士，任知县。")


def test_the_parents_of_qi_are_a_persons():
    assert not any("骨灰的父母" in obj for _, _, obj in stated("林夏病逝于上海。骨灰安放在其父母的墓旁。"))


def test_he_is_rather_somebody_with_a_name():
    assert ("刘志远", "工作于", "东方银行") in stated("启明公司任命刘志远为总裁，他曾在东方银行工作多年。")


def test_a_child_after_a_wife_is_the_husbands():
    found = stated("贺云山是画家。其妻陆素琴是雕塑家，长子贺小川为建筑师。")
    assert ("贺小川", "是…的长子", "贺云山") in found


def test_a_name_given_to_what_was_just_brought_up_is_its_name():
    found = stated("我养了一只橘猫，名字叫团子，它爱吃三文鱼。", speaker="小雨")
    assert ("橘猫", "名字叫", "团子") in found
    assert ("团子", "爱吃", "三文鱼") in found


def test_what_happened_before_something_is_a_clause_of_its_own():
    assert ("怀特", "登陆", "青石岛") in stated("1819年，在怀特登陆青石岛之前，岛上没有村庄。")


def test_advice_covers_every_verb_of_its_clause():
    assert stated("你可以尝试去郊外远足，享受户外活动。", speaker="医生", addressee="李雪") == set()
