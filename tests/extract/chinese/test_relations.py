"""One test a family of rules; the sentences are plain, the names invented or common knowledge."""

from __future__ import annotations

import pytest

from tests.extract.reading import extract, named, stated


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("林夏推开了门。", {("林夏", "推开", "门")}),
        ("那只白猫打翻了一个花瓶。", {("白猫", "打翻", "花瓶")}),
        ("客栈老板端来两碗牛肉面。", {("客栈老板", "端来", "牛肉面")}),
        ("李娜六岁开始练习网球。", {("李娜", "练习", "网球")}),
    ],
)
def test_a_verb_with_its_object_loses_aspect_and_keeps_complement(text: str, wanted: set[tuple[str, str, str]]):
    assert stated(text) == wanted


def test_a_subject_is_carried_over_commas_until_a_new_one_comes():
    assert stated("宋江杀了阎婆惜，离开了郓城县，晁盖收留了他。") >= {
        ("宋江", "杀", "阎婆惜"),
        ("宋江", "离开", "郓城县"),
        ("晁盖", "收留", "宋江"),
    }


def test_ba_puts_the_object_behind_the_verb_again():
    assert stated("老张把钥匙交给了赵刚。") == {("老张", "交", "钥匙"), ("老张", "交给", "赵刚")}


def test_bei_and_you_give_the_agent_his_verb_back():
    assert stated("蓝海公司被星河集团收购。") == {("星河集团", "收购", "蓝海公司")}
    assert ("李春", "设计", "赵州桥") in stated("赵州桥由李春设计。")
    assert ("赵州桥", "设计于", "李春") not in stated("赵州桥由李春设计。")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("张艺谋毕业于北京电影学院。", ("张艺谋", "毕业于", "北京电影学院")),
        ("我妹妹李雯在铁路局上班。", ("李雯", "上班于", "铁路局")),
        ("宋江与晁盖结为兄弟。", ("宋江", "与…结为兄弟", "晁盖")),
        ("王芳对海鲜过敏。", ("王芳", "对…过敏", "海鲜")),
        ("李娜嫁给了姜山。", ("李娜", "嫁给", "姜山")),
        ("王峰从网易辞职了。", ("王峰", "从…辞职", "网易")),
        ("大熊猫以竹子为食。", ("大熊猫", "以…为食", "竹子")),
        ("鲁迅1936年在上海病逝。", ("鲁迅", "病逝于", "上海")),
    ],
)
def test_a_preposition_joins_its_verb(text: str, wanted: tuple[str, str, str]):
    assert wanted in stated(text)


def test_a_place_and_a_date_belong_to_what_came_into_being():
    assert stated("2023年3月，马云在杭州创办了阿里巴巴集团。") == {
        ("马云", "创办", "阿里巴巴集团"),
        ("阿里巴巴集团", "创办于", "杭州"),
        ("阿里巴巴集团", "创办于", "2023年3月"),
    }


def test_a_role_in_something_and_an_attribute_of_something_tell_their_direction():
    """父亲 alone would say either."""
    assert stated("凯文是逐火之蛾的首席融合战士。") == {("凯文", "是…的首席融合战士", "逐火之蛾")}
    assert stated("阿根廷的首都是布宜诺斯艾利斯。") == {("阿根廷", "首都", "布宜诺斯艾利斯")}
    assert stated("鄱阳湖是中国最大的淡水湖。") == {("鄱阳湖", "是…的最大淡水湖", "中国")}


def test_offices_names_and_becoming():
    assert stated("蒂姆·库克担任苹果公司首席执行官。") == {("蒂姆·库克", "担任…的首席执行官", "苹果公司")}
    assert ("鲁迅", "原名", "周树人") in stated("鲁迅原名周树人。")
    assert ("杨利伟", "成为…的第一位航天员", "中国") in stated("杨利伟成为中国第一位航天员。")


def test_what_stands_before_a_name_is_said_of_it():
    assert stated("国务院总理李明远会见了设计师林夏。") == {
        ("李明远", "会见", "林夏"),
        ("李明远", "是…的总理", "国务院"),
        ("林夏", "是", "设计师"),
    }
    assert ("苏哲", "是…的哥哥", "苏婉") in stated("苏婉的哥哥苏哲开了一家药铺。")


def test_a_relative_clause_states_something_of_its_noun():
    assert ("马云", "创办", "阿里巴巴集团") in stated("马云创办的阿里巴巴集团发展很快。")
    assert ("李教授", "来自", "上海") in stated("他会见了来自上海的李教授。")
    assert ("刘慈欣", "创作", "三体") in stated("《三体》是刘慈欣创作的长篇小说。")


def test_coordination_distributes():
    assert stated("华为与比亚迪签署了合作协议。") >= {("华为", "签署", "合作协议")}
    assert stated("北欧理事会包括丹麦、芬兰和挪威。") == {
        ("北欧理事会", "包括", "丹麦"),
        ("北欧理事会", "包括", "芬兰"),
        ("北欧理事会", "包括", "挪威"),
    }


def test_negation_is_kept():
    assert stated("韩老三没有儿子。") == {("韩老三", "not 有", "儿子")}
    assert stated("加尔从不与村民来往。") == {("加尔", "not 与…来往", "村民")}
    assert stated("蝙蝠不是鸟类，而是哺乳动物。") == {("蝙蝠", "not 是", "鸟类"), ("蝙蝠", "是", "哺乳动物")}


def test_existence_has_its_place_as_subject():
    assert stated("花园里有一座喷泉。") == {("花园", "有", "喷泉")}


def test_numbers_are_objects_only_where_something_is_measured():
    assert ("长江", "全长", "六千三百公里") in stated("长江注入东海，全长六千三百公里。")
    assert stated("李雷买了三个。") == set()


def test_two_objects_of_giving_are_two_facts():
    assert stated("爱莉希雅送给芽衣一枚徽章。") == {("爱莉希雅", "送给", "芽衣"), ("爱莉希雅", "送", "徽章")}


def test_a_verb_behind_a_pivot_has_the_object_as_its_subject():
    assert stated("队长命令阿诚带着地图去找马帮的首领。") == {
        ("队长", "命令", "阿诚"),
        ("阿诚", "带", "地图"),
        ("阿诚", "去找", "马帮的首领"),
    }


def test_what_is_asked_or_supposed_is_not_stated():
    assert stated("林夏去过北京吗？") == set()
    assert stated("如果林夏离开北京，王芳会伤心。") <= {("王芳", "会伤心", "")}


def test_brackets_state_lives_and_other_names():
    assert stated("阿部重次（1598年－1651年）是日本江户时代的大名。") >= {
        ("阿部重次", "出生于", "1598年"),
        ("阿部重次", "逝世于", "1651年"),
    }


def test_vague_nouns_and_times_are_no_ends():
    assert stated("林夏遇到了一些问题。") == set()
    assert stated("昨天下起了大雨。") == set()


def test_kinds_come_from_the_tagger_the_endings_and_the_marks():
    found = named("苏婉在长安城读《石头记》，加入了青云社团，参加了北京电影节，爱上了一个少年。")
    assert found["苏婉"] == "person"
    assert found["长安城"] == "place"
    assert found["石头记"] == "work"
    assert found["北京电影节"] == "event"
    assert found["少年"] == "person"


def test_each_triple_points_to_its_sentence():
    """MT-21."""
    text = "林夏推开了门。她看见了一只白猫。"
    found = extract(text)
    assert {text[t.start : t.end] for t in found.triples if t.object == "白猫"} == {"她看见了一只白猫。"}
    assert all(text[m.start : m.end] == m.name for m in found.mentions)
    assert all(0 < t.confidence <= 1 for t in found.triples)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("观澜桥由乡绅柳承宗捐建。", {("柳承宗", "捐建", "观澜桥"), ("柳承宗", "是", "乡绅")}),
        ("听雨楼由英国人沃顿勋爵建造。", {("沃顿", "建造", "听雨楼"), ("沃顿", "是", "英国人")}),
        ("望海塔的第一任守塔人是鲁大川。", {("望海塔", "守塔人", "鲁大川")}),
        ("陈思源娶了郭守田的独生女郭小梅。", {("郭小梅", "是…的独生女", "郭守田"), ("陈思源", "娶", "郭小梅")}),
        ("启明公司任命刘志远为总裁。", {("刘志远", "被任命为", "总裁"), ("启明公司", "任命", "刘志远")}),
        ("现任市长郑国强出席了典礼。", {("郑国强", "是", "市长"), ("郑国强", "出席", "典礼")}),
        ("东海公司由沈远与陆明于1975年创立。", {("沈远", "创立", "东海公司"), ("陆明", "创立", "东海公司")}),
        ("林夏因发现新星获得金鹿奖。", {("林夏", "发现", "新星"), ("林夏", "获得", "金鹿奖")}),
        ("江南分院更名为南山女子学院。", {("江南分院", "更名为", "南山女子学院")}),
        ("沈远病逝于宽政8年。", {("沈远", "病逝于", "宽政8年")}),
        ("鲁大川住在石屋里，直到1903年去世。", {("鲁大川", "去世于", "1903年")}),
        ("李墨白任九江推官、西华知县。", {("李墨白", "任…的推官", "九江"), ("李墨白", "任…的知县", "西华")}),
        ("林夏养大了七个孩子。", {("林夏", "养大", "孩子")}),
        ("观澜桥建于明万历三年。", {("观澜桥", "建于", "明万历三年")}),
        ("沙河校区位于柳东开发新区。", {("沙河校区", "位于", "柳东开发新区")}),
        ("饭堂里挂着一块旧门板。", {("饭堂", "挂着", "旧门板")}),
        ("赵大本名赵安、赵二本名赵平。", {("赵大", "本名", "赵安"), ("赵二", "本名", "赵平")}),
        (
            "林夏配合郑国强和吴敏的禁烟运动。",
            {("林夏", "配合", "吴敏的禁烟运动"), ("林夏", "配合", "郑国强的禁烟运动")},
        ),
    ],
)
def test_what_joins_people_and_things(text: str, wanted: set[tuple[str, str, str]]):
    """MT-18: these are what a question over two facts asks for."""
    assert stated(text) >= wanted


def test_a_preposition_governs_the_noun_behind_its_modifier():
    found = stated("清水河从西边的云台山流下来，到江口港入海。")
    assert ("清水河", "从…流下来", "云台山") in found
    assert not any(subject == "云台山" for subject, _, _ in found)


def test_a_relative_clause_inside_a_phrase_keeps_its_verb():
    found = stated("周远在上海队挑战北京队的比赛中撞倒了杨智。")
    assert ("上海队", "挑战", "北京队") in found
    assert ("周远", "撞倒", "杨智") in found


def test_what_somebody_holds_is_not_held_by_his_hand():
    assert ("桑禾", "带", "徒弟") in stated("桑禾从学徒做到掌案，手底下带着六个徒弟。")


def test_a_name_before_a_counted_noun_has_it():
    assert ("林夏", "买下来", "枕石巷的油坊") in stated("林夏把枕石巷一间废弃的油坊买下来。")


def test_what_is_called_so_under_a_condition_is_of_that_kind():
    found = stated("侧边垂直于底面的柱体叫做直柱体。")
    assert ("直柱体", "是", "柱体") in found
    assert not any("叫做" in end for subject, _, obj in found for end in (subject, obj))


def test_a_life_in_the_manner_of_an_encyclopaedia():
    """A description without a verb is the topic's, in a sentence of its own as well."""
    found = stated("李墨白，字君实，号竹懒、痴居士，江南嘉兴人。晚明官员，书画家、鉴赏家。")
    assert found == {
        ("李墨白", "字", "君实"),
        ("李墨白", "号", "竹懒"),
        ("李墨白", "号", "痴居士"),
        ("李墨白", "是", "江南嘉兴人"),
        ("李墨白", "是", "官员"),
        ("李墨白", "是", "书画家"),
        ("李墨白", "是", "鉴赏家"),
    }
