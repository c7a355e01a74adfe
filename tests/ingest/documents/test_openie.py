"""OpenIE JSON as other programs and language models write it."""

import json
import time

import pytest

from lpmm_core.base.records import Extraction, Kind, Mention, Triple

# Like the sample that LPMM's documentation shows: trailing commas, wrong averages, triple ends that are no entities.
SAMPLE = """\
{
  "docs": [
    {
      "idx": "4f9ea5b0a4d0f8b2c1d3e5f7a9b0c2d4",
      "passage": "[芽衣]爱莉希雅送了一枚徽章给我，它是旧的徽章。\\n",
      "extracted_entities": ["爱莉希雅", "徽章", "芽衣", "它", "", "徽章", 3, NaN, ],
      "extracted_triples": [
        ["爱莉希雅", "送了", "徽章"],
        ["它", "是", "旧的徽章"],
        ["徽章", "是", "旧的徽章"],
        ["爱莉希雅", "送了"],
        ["爱莉希雅", " ", "徽章"],
        ["爱莉希雅", "送了", "徽章"],
        ["爱莉希雅", "送了", null],
        "爱莉希雅",
      ],
    },
  ],
  "avg_ent_chars": 1.0,
  "avg_ent_words": 1.0,
}
"""


def docs(*records: object) -> str:
    return json.dumps({"docs": records}, ensure_ascii=False)


def test_the_sample_with_trailing_commas_is_read(read):
    """LP-04."""
    document = read(SAMPLE, "sample-openie.json")
    assert document.media == "openie"
    (piece,) = document.pieces
    assert piece.text == "[芽衣]爱莉希雅送了一枚徽章给我，它是旧的徽章。\n", "the bytes that others hash are kept"
    assert piece.speaker == "芽衣"
    assert piece.extraction == Extraction(
        (
            Mention("爱莉希雅", Kind.THING, 4, 8),
            Mention("徽章", Kind.THING, 12, 14),
            Mention("芽衣", Kind.THING, 1, 3),
        ),
        (Triple("爱莉希雅", "送了", "徽章"), Triple("徽章", "是", "旧的徽章")),
    )


def test_what_is_dropped_is_counted_by_reason(read):
    """Pronouns at the ends of triples are dropped, ends that are no entities are mentioned."""
    assert set(read(SAMPLE, "sample-openie.json").notes) == {
        "entities dropped, pronoun: 1 (docs[0])",
        "entities dropped, blank: 1 (docs[0])",
        "entities dropped, repeated: 1 (docs[0])",
        "entities dropped, not text: 2 (docs[0])",
        "triples dropped, pronoun: 1 (docs[0])",
        "triples dropped, not three texts: 3 (docs[0])",
        "triples dropped, blank: 1 (docs[0])",
        "triples dropped, repeated: 1 (docs[0])",
        "triple ends that are not among the entities of their passage: 1 (docs[0])",
    }


@pytest.mark.parametrize("pronoun", ["你", "他", "她", "它", "我们", "你们", "他们", "她们", "它们"])
def test_pronouns_are_no_entities(read, pronoun):
    text = docs(
        {"passage": "一段。", "extracted_entities": [pronoun, "段"], "extracted_triples": [[pronoun, "是", "段"]]}
    )
    extraction = read(text, "a.json").pieces[0].extraction
    assert [mention.name for mention in extraction.mentions] == ["段"]
    assert extraction.triples == ()


def test_a_document_without_triples_is_kept(read):
    pieces = read(
        docs({"passage": "甲。", "extracted_entities": ["甲"]}, {"passage": "乙。", "extracted_triples": []}), "a.json"
    ).pieces
    assert [piece.extraction for piece in pieces] == [Extraction((Mention("甲", Kind.THING, 0, 1),)), Extraction()]


def test_a_document_nobody_has_read_is_read_here(read):
    assert read(docs({"passage": "甲。"}), "a.json").pieces[0].extraction is None


def test_bare_nan_is_no_list(read):
    (piece,) = read(
        '{"docs": [{"passage": "甲。", "extracted_entities": NaN, "extracted_triples": NaN}]}', "a.json"
    ).pieces
    assert piece.extraction is None


def test_repeated_passages_are_one_with_all_that_was_found(read):
    first = {"passage": "甲和乙。", "extracted_entities": ["甲"], "extracted_triples": [["甲", "和", "乙"]]}
    second = {
        "passage": "甲和乙。",
        "extracted_entities": ["乙", "甲"],
        "extracted_triples": [["甲", "和", "乙"], ["乙", "和", "甲"]],
    }
    document = read(docs(first, {"passage": "丙。"}, second, {"passage": "甲和乙。"}), "a.json")
    assert [piece.text for piece in document.pieces] == ["甲和乙。", "丙。"]
    extraction = document.pieces[0].extraction
    assert [mention.name for mention in extraction.mentions] == ["甲", "乙"]
    assert len(extraction.triples) == 2
    assert "repeated passages, joined with the first: 2 (docs[2], docs[3])" in document.notes


def test_records_without_passage_are_skipped_with_their_place(read):
    document = read(docs({"passage": "甲。"}, {"idx": "1"}, {"passage": " "}, {"passage": 3}, 5, None, []), "a.json")
    assert len(document.pieces) == 1
    assert document.notes == (
        "records skipped, no passage: 3 (docs[1], docs[2], docs[3])",
        "records skipped, not text: 3 (docs[4], docs[5], docs[6])",
    )


def test_title_and_text_of_hipporag_are_told_apart(read):
    record = {
        "title": "Demon Dice",
        "text": "A game.",
        "passage": "Demon Dice\nA game.",
        "extracted_entities": ["Demon Dice", "game"],
    }
    (piece,) = read(docs(record), "openie_results_ner_x.json").pieces
    assert (piece.title, piece.text) == ("Demon Dice", "A game.")
    assert piece.extraction.mentions == (Mention("Demon Dice", Kind.THING, 0, 0), Mention("game", Kind.THING, 2, 6))


def test_a_name_is_located_in_the_text(read):
    (piece,) = read(docs({"passage": "她叫爱莉希雅。", "extracted_entities": ["爱莉希雅"]}), "a.json").pieces
    (mention,) = piece.extraction.mentions
    assert piece.text[mention.start : mention.end] == mention.name


def test_one_damaged_record_costs_nothing_else(read):
    """The quotes inside the second passage were not escaped; a comma is missing in the fourth; the last breaks off."""
    text = """{"docs": [
{"idx": "1", "passage": "第一段。", "extracted_entities": ["一"], "extracted_triples": []},
{"idx": "2", "passage": "他说"你好"，走了。", "extracted_entities": ["二"], "extracted_triples": []},
{"idx": "3", "passage": "第三段。", "extracted_entities": ["三"], "extracted_triples": []},
{"idx": "4" "passage": "第四段。", "extracted_entities": ["四"], "extracted_triples": []},
{"idx": "5", "passage": "第五段被截"""
    document = read(text, "a.json")
    assert [piece.text for piece in document.pieces] == ["第一段。", '他说"你好"，走了。', "第三段。", "第四段。"]
    assert [piece.extraction.mentions[0].name for piece in document.pieces] == ["一", "二", "三", "四"]
    assert "damaged records that were repaired: 2 (line 3, line 5)" in document.notes
    assert "the file breaks off; the record it breaks off in was left out: 1 (line 6)" in document.notes


def test_a_nesting_bomb_in_one_record_costs_that_record(read):
    bomb = '{"idx": "1", "passage": "甲。", "extracted_triples": ' + "[" * 100_000 + "]" * 100_000 + "}"
    document = read('{"docs": [' + bomb + ',\n{"idx": "2", "passage": "乙。"}]}', "a.json")
    assert [piece.text for piece in document.pieces] == ["乙。"]
    assert "damaged records skipped: 1 (line 1)" in document.notes


def test_a_file_of_damage_is_refused_before_it_takes_the_day(refusal):
    error = refusal('{"docs": [' + '{"idx": 1 2},' * 200_000, "a.json")
    assert "damaged records" in error.message
    assert error.details["place"] == "line 1"


def test_a_file_that_breaks_off_in_its_only_record_is_refused(refusal):
    error = refusal('{"docs": [\n{"idx": "1", "passage": "第一段被截', "a.json")
    assert "breaks off" in error.message
    assert error.details["place"] == "line 2"


def test_keys_before_and_behind_the_documents_do_not_matter(read):
    text = '{"avg_ent_chars": NaN, "meta": {"docs": 1}, "docs": [{"passage": "甲。"}], "avg_ent_words": ,'
    assert [piece.text for piece in read(text, "a.json").pieces] == ["甲。"]


def test_a_bare_list_of_documents_is_read(read):
    assert (
        read('[{"passage": "甲。", "extracted_triples": [["甲", "是", "乙"]]}]', "a.json").pieces[0].extraction.triples
    )


def test_the_file_of_an_empty_memory_is_sound(read):
    document = read('{"docs": [], "avg_ent_chars": 0.0, "avg_ent_words": 0.0}', "a.json")
    assert (document.media, document.pieces) == ("openie", ())


@pytest.mark.parametrize("prefix", ["\ufeff", "\n\n  "])
def test_marks_and_blank_lines_in_front_do_not_matter(read, prefix):
    assert len(read(prefix + SAMPLE, "a.json").pieces) == 1


def test_nested_junk_is_counted_and_dropped(read):
    record = {
        "passage": "甲。",
        "extracted_entities": [["甲"], {"name": "甲"}, None, True],
        "extracted_triples": [[["甲"], "是", {}], {}],
    }
    extraction = read(docs(record), "a.json").pieces[0].extraction
    assert extraction == Extraction()


def test_control_characters_are_taken_out_of_names_and_text(read):
    record = {
        "passage": "甲\x00乙。",
        "extracted_entities": ["甲\x00乙"],
        "extracted_triples": [["甲\x07乙", "是\ud83d", "丙"]],
    }
    (piece,) = read(json.dumps({"docs": [record]}), "a.json").pieces
    assert piece.text == "甲乙。"
    assert piece.extraction.mentions == (Mention("甲乙", Kind.THING, 0, 2),)
    assert piece.extraction.triples == (Triple("甲乙", "是", "丙"),)


def test_thousands_of_names_in_a_long_passage_take_linear_time(read):
    record = {"passage": "ab" * 500_000, "extracted_entities": [f"aa{i}" for i in range(20_000)]}
    text = docs(record)
    started = time.process_time()
    assert len(read(text, "a.json").pieces[0].extraction.mentions) == 20_000
    assert time.process_time() - started < 3
