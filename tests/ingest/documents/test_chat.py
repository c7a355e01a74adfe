"""Conversations, a message a line."""

from datetime import UTC, datetime

import pytest

from lpmm_core.ingest.documents.chat import moment

LOG = """\
{"ts": "2024-05-01T10:00:00+08:00", "role": "user", "speaker": "小明", "text": "我搬家了", "session_id": "s1"}
{"ts": 1714530000, "role": "human", "text": "新家很大"}

{"ts": "2024-05-01T02:30:00Z", "role": "bot", "text": "恭喜！"}
"""


def test_messages_have_speaker_and_time(read):
    document = read(LOG, "chat.jsonl")
    assert document.media == "chat"
    assert [(piece.speaker, piece.said_at, piece.text) for piece in document.pieces] == [
        ("小明", datetime(2024, 5, 1, 2, 0, tzinfo=UTC), "我搬家了"),
        ("user", datetime(2024, 5, 1, 2, 20, tzinfo=UTC), "新家很大"),
        ("assistant", datetime(2024, 5, 1, 2, 30, tzinfo=UTC), "恭喜！"),
    ]
    assert document.notes == ()


def test_lines_are_told_from_json_whatever_the_name(read):
    assert read(LOG, "chat.json").media == "chat"
    assert read(LOG, "chat.txt").media == "chat"


def test_a_list_of_messages_is_a_conversation_too(read):
    document = read('[{"role": "user", "content": "你好"}, {"role": "assistant", "content": "嗨"}]', "chat.json")
    assert [(piece.speaker, piece.text) for piece in document.pieces] == [("user", "你好"), ("assistant", "嗨")]


def test_a_bad_line_costs_one_line_and_is_named(read):
    document = read(LOG + '{"role": "user", "text"\n{"role": "user", "text": ""}\n[1]\n', "chat.jsonl")
    assert len(document.pieces) == 3
    assert document.notes == (
        "damaged records skipped: 1 (line 5)",
        "messages skipped, no text: 1 (line 6)",
        "records skipped, not text: 1 (line 7)",
    )


def test_an_unreadable_time_stays_open_and_is_counted(read):
    document = read('{"ts": "昨天", "role": "user", "text": "好"}\n{"role": "user", "text": "是"}', "chat.jsonl")
    assert [piece.said_at for piece in document.pieces] == [None, None]
    assert document.notes == ("messages whose time could not be read: 1 (line 1)",)


def test_a_file_of_bad_lines_is_refused(refusal):
    assert "damaged" in refusal("你好\n再见\n", "chat.jsonl").message


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-01", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024/05/01 08:30", datetime(2024, 5, 1, 8, 30, tzinfo=UTC)),
        (1714530000.5, datetime(2024, 5, 1, 2, 20, 0, 500000, tzinfo=UTC)),
        ("1714530000", datetime(2024, 5, 1, 2, 20, tzinfo=UTC)),
        (1714530000000, datetime(2024, 5, 1, 2, 20, tzinfo=UTC)),
        (1e300, None),
        (float("nan"), None),
        (True, None),
        (7, None),
        ("2024", None),
        ([], None),
        ("", None),
    ],
)
def test_times_are_iso_text_or_seconds_or_thousandths(value, expected):
    assert moment(value) == expected
