"""Encodings: what a file says, what is guessed, what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core.base.errors import UnreadableFile
from lpmm_core.ingest.documents import read_document

CHINESE = "爱莉希雅住在往世乐土，她送给芽衣一枚徽章。那是很久以前的事了，大家都说她是一个温柔的人，也是最好的朋友。\n\n后来他们在一起生活。"
TRADITIONAL = "臺灣位於亞洲東部、太平洋西北側的島嶼，面積約三萬五千平方公里，人口密度居世界前列，語言以國語、臺語為主。"
JAPANESE = (
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗い所で泣いていた事だけは記憶している。"
)
KOREAN = "나는 고양이로소이다. 이름은 아직 없다. 어디서 태어났는지 도무지 짐작이 가지 않는다."
RUSSIAN = "Я кот. Имени у меня пока нет. Где родился, понятия не имею."
FRENCH = (
    "Je suis un chat. Je n'ai pas encore de nom. Où suis-je né ? Je n'en ai pas la moindre idée, tout était mouillé."
)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "gb18030", "gbk", "gb2312"]
)
def test_chinese_reads_the_same_in_every_encoding_it_is_saved_in(texts, encoding):
    assert texts(CHINESE.encode(encoding)) == CHINESE.split("\n\n")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (TRADITIONAL, "big5"),
        (TRADITIONAL, "gb18030"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "cp949"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (FRENCH, "cp1252"),
        ("It’s “fine”, at 20 °C", "cp1252"),
        ("café", "cp1252"),
    ],
)
def test_other_scripts_are_recognised(texts, text, encoding):
    assert texts(text.encode(encoding)) == [text]


def test_utf8_is_no_guess_and_leaves_no_note(read):
    assert read("\ufeff爱莉希雅").encoding == "utf-8"
    assert read("\ufeff爱莉希雅").notes == ()


def test_a_guess_is_shown(read):
    document = read(CHINESE.encode("gbk"))
    assert document.encoding == "gb18030"
    assert any("GB18030" in note and "guessed" in note for note in document.notes)


def test_the_owner_knows_better_than_the_guess(read):
    data = "привет, как дела".encode("koi8_r")
    assert read(data, encoding="koi8-r").pieces[0].text == "привет, как дела"
    assert read(data, encoding="koi8-r").encoding == "koi8-r"
    assert read("联通".encode("gbk"), encoding="gbk").pieces[0].text == "联通"


@pytest.mark.parametrize("encoding", ["rot13", "zlib", "hex", "nonsense", "idna", "unicode_escape", "a\0b"])
def test_what_is_no_encoding_of_files_is_refused_by_name(refusal, encoding):
    assert repr(encoding) in refusal("abc", encoding=encoding).message


def test_a_wrong_override_is_refused_with_the_place(refusal):
    error = refusal("abc\nd\u00e9".encode(), encoding="ascii")
    assert error.details["place"] == "line 2, byte 5"
    assert "0xc3" in error.message


def test_a_file_in_two_encodings_is_refused_with_both_lines(refusal):
    lines = [CHINESE.partition("\n")[0].encode(e) for e in ("utf-8", "utf-8", "gbk", "utf-8")]
    error = refusal(b"\n".join(lines))
    assert "line 1 is UTF-8, line 3 is not" in error.message
    assert error.details["place"].startswith("line 3, byte ")


def test_one_utf8_line_in_a_gbk_file_is_not_read_as_other_characters(refusal):
    lines = [CHINESE.partition("\n")[0].encode(e) for e in ("gbk", "gbk", "utf-8", "gbk")]
    assert "two encodings" in refusal(b"\n".join(lines)).message


def test_a_file_cut_inside_a_character_says_so(refusal):
    error = refusal(CHINESE.encode()[:-1])
    assert "breaks off in the middle of a character" in error.message
    assert error.details["place"].startswith("line 3")


def test_a_damaged_byte_is_named_by_its_place(refusal):
    data = CHINESE.encode("gbk")
    error = refusal(data[:20] + b"\xff" + data[20:])
    assert "GB18030" in error.message
    assert error.details["place"] == "line 1, byte 20"


def test_damaged_utf8_in_one_line_is_not_guessed_to_be_something_else(refusal):
    data = CHINESE.replace("\n", "").encode()
    assert "UTF-8 with a byte that does not belong" in refusal(data[:60] + data[61:]).message


@pytest.mark.parametrize("data", [b"ab\ncd\x00ef", b"\x00\x01\x02\x03", bytes(range(256))])
def test_zero_bytes_are_not_text(refusal, data):
    assert "zero byte" in refusal(data).message


def test_zero_bytes_have_a_place(refusal):
    assert refusal(b"ab\ncd\x00ef").details["place"] == "line 2, byte 5"


def test_a_utf16_file_cut_in_a_character_is_refused(refusal):
    assert "UTF-16" in refusal(CHINESE.encode("utf-16")[:-1]).message


def test_control_characters_are_taken_out_and_counted(read):
    document = read("第一\x07行，\x1b够长的一行。\n\n第二\ufeff段\x00".replace("\x00", ""))
    assert [piece.text for piece in document.pieces] == ["第一行，够长的一行。", "第二段"]
    assert "control characters taken out: 3" in document.notes


def test_mostly_control_characters_are_not_text(refusal):
    assert "control characters" in refusal(b"\x01\x02ab" * 100).message


def test_letters_lost_before_are_mentioned(read):
    assert any("already lost" in note for note in read("好的\ufffd\ufffd行").notes)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n", "\u2028", "\x85", "\x0b", "\x0c"])
def test_every_line_end_is_one_newline(texts, end):
    assert texts(f"甲{end}乙{end}{end}丙") == ["甲\n乙", "丙"]


def test_a_paragraph_separator_ends_a_paragraph(texts):
    assert texts("甲\u2029乙") == ["甲", "乙"]


# Sentences as people write them: common characters with Chinese punctuation.
COMMON = (
    "的一是不了在人有我他这中大来上个国说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然"
    "没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回"
)
sentences = st.lists(st.sampled_from(sorted(set(COMMON))), min_size=8, max_size=40, unique=True).map("".join)
chinese_texts = st.lists(st.tuples(sentences, st.sampled_from("。！？…")).map("".join), min_size=1, max_size=20).map(
    "\n\n".join
)


@settings(max_examples=60, deadline=None)
@given(chinese_texts, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "gb18030", "gbk"]))
def test_decoding_undoes_encoding(text, encoding):
    document = read_document(text.encode(encoding), "a.txt")
    assert "\n\n".join(piece.text for piece in document.pieces) == text


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused_with_a_sentence(data):
    try:
        document = read_document(data, "a.txt")
    except UnreadableFile as refused:
        error, document = refused, None
    if document is None:
        assert error.message.startswith("a.txt ")
    else:
        assert document.pieces
        assert (
            "\ufffd" not in "".join(piece.text for piece in document.pieces)
            or b"\xef\xbf\xbd" in data
            or document.encoding != "utf-8"
        )
