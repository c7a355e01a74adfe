"""JSON that is told by its shape."""

import json

import pytest


def test_a_list_of_strings_is_a_list_of_passages(read):
    """LP-01: LPMM's import.json."""
    document = read('["第一段", " ", 3, "[芽衣]第二段", null]', "import.json")
    assert [(piece.text, piece.speaker) for piece in document.pieces] == [("第一段", None), ("[芽衣]第二段", "芽衣")]
    assert document.media == "json"
    assert document.notes == (
        "records skipped, blank: 1 (record 1)",
        "records skipped, not text: 2 (record 2, record 4)",
    )


def test_titled_texts_keep_their_titles(read):
    pieces = read('[{"title": "Demon Dice", "text": "A game."}, {"text": "No title."}]', "corpus.json").pieces
    assert [(piece.title, piece.text) for piece in pieces] == [("Demon Dice", "A game."), (None, "No title.")]


def test_sentences_under_a_title_are_one_passage(read):
    corpus = {"Demon Dice": ["A game.", " It has dice.", "Many."], "骰子": ["一种游戏。", "有骰子。"], "empty": []}
    document = read(json.dumps(corpus), "hotpot.json")
    assert [(piece.title, piece.text) for piece in document.pieces] == [
        ("Demon Dice", "A game. It has dice. Many."),
        ("骰子", "一种游戏。有骰子。"),
    ]
    assert document.notes == ("records skipped, not text: 1 ('empty')",)


def test_a_long_string_is_cut_like_any_long_text(texts):
    assert len(texts(json.dumps(["一句不长不短的话，说明一件事情。" * 100]), "import.json")) > 3


def test_content_goes_before_the_name(read):
    assert read('["第一段", "第二段"]', "list.txt").media == "json"
    assert read('{"docs": [{"passage": "一段", "extracted_triples": []}]}', "notes.txt").media == "openie"


@pytest.mark.parametrize(
    "text",
    [
        "[1] Smith, 2003\n[2] Jones",
        "[1, 2]",
        "{ 花括号 }",
        '["引号" 不是列表',
        '["一"] 然后是正文',
        '{"a": 1}',
        "[芽衣]你好",
        '{"a": [1',
    ],
)
def test_text_that_only_begins_like_json_is_text(read, text):
    document = read(text)
    assert document.media == "text"
    assert document.pieces[0].text == text


@pytest.mark.parametrize("text", ["你好", "<a/>", "123", '"text"'])
def test_a_json_name_without_json_is_an_error_with_its_line(refusal, text):
    error = refusal(text, "a.json")
    assert "is not JSON" in error.message
    assert error.details["place"] == "line 1"


@pytest.mark.parametrize("text", ['{"a": 1}', "[1, 2]", '{"question": "?", "answer": [1]}'])
def test_json_of_an_unknown_shape_is_an_error_that_names_the_known_ones(refusal, text):
    error = refusal(text, "a.json")
    assert "shape" in error.message
    assert '"docs"' in error.message


@pytest.mark.parametrize("text", ["[]", "{}"])
def test_an_empty_list_is_an_error(refusal, text):
    assert "empty" in refusal(text, "a.json").message


def test_half_written_json_gives_what_is_whole_and_says_where_it_breaks(read):
    document = read('["第一段",\n"第二段",\n"第三', "import.json")
    assert [piece.text for piece in document.pieces] == ["第一段", "第二段"]
    assert document.notes == ("the file breaks off; the record it breaks off in was left out: 1 (line 3)",)


@pytest.mark.parametrize("text", ['["第一段",\n', '["第一段"\n', '["第一段",\n"'])
def test_a_list_that_is_never_closed_says_so(read, text):
    assert read(text, "import.json").notes == (
        "the file breaks off; the record it breaks off in was left out: 1 (line 2)",
    )


def test_unescaped_quotes_are_read_when_their_line_tells_where_the_text_ends(read):
    document = read('[\n"第一段",\n"他说"你好"，走了。",\n"最后"一"段"\n]', "import.json")
    assert [piece.text for piece in document.pieces] == ["第一段", '他说"你好"，走了。', '最后"一"段']
    assert document.notes == ("damaged records that were repaired: 2 (line 3, line 4)",)


@pytest.mark.parametrize("text", ["['第一段', '第二段']", '```json\n["第一段", "第二段"]\n```'])
def test_a_small_file_in_another_dialect_is_repaired_with_a_note(read, text):
    document = read(text, "import.json")
    assert [piece.text for piece in document.pieces] == ["第一段", "第二段"]
    assert document.notes == ("the whole file was damaged JSON and was repaired",)


def test_nothing_is_invented_from_a_file_that_is_no_json(refusal):
    assert "damaged" in refusal("[这不是JSON", "a.json").message


def test_json_in_another_encoding_is_read(read):
    document = read('["爱莉希雅住在往世乐土，她是一个很好的人。"]'.encode("gbk"), "import.json")
    assert document.encoding == "gb18030"
    assert document.pieces[0].text == "爱莉希雅住在往世乐土，她是一个很好的人。"


def test_control_characters_and_half_pairs_do_not_reach_the_text(read):
    document = read(r'["一\u0000段\ud83d", "\ud83d\ude00"]', "import.json")
    assert [piece.text for piece in document.pieces] == ["一段", "\U0001f600"]
    assert "control characters taken out: 2 (record 0)" in document.notes


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '["' + "[" * 100_000])
def test_nesting_bombs_are_refused(refusal, text):
    assert refusal(text, "a.json").details["place"] == "line 1"


def test_numbers_of_any_length_do_no_harm(texts):
    assert texts('["一", %s, "二"]' % ("9" * 100_000), "a.json") == ["一", "二"]


def test_more_passages_than_allowed_are_refused(refusal, small):
    assert "more than 2 passages" in refusal('["一", "二", "三"]', "a.json", limits=small(passages=2)).message


def test_a_place_is_named_once(refusal):
    for content in ("[1,2", '[{"text": "a"', '{"a": nope}'):
        message = refusal(content, "a.json").message
        assert message.count("(line 1)") == 1, message
