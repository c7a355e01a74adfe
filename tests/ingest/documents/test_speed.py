"""Reading takes linear time: 5 MB of anything in under three seconds on two cores."""

import json
import time

import pytest

SENTENCE = "她走进院子，看见那棵老树还在，心里忽然安静下来。"
ENGLISH = "The old tree was still standing in the yard, and she felt calm. "
FIVE_MEGABYTES = 5_000_000


def repeated(unit: str) -> bytes:
    data = unit.encode()
    return data * (FIVE_MEGABYTES // len(data))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("paragraphs.txt", repeated(SENTENCE * 10 + "\n\n")),
        ("one-line.txt", repeated(SENTENCE)),
        ("lines.txt", repeated(SENTENCE * 4 + "\n")),
        ("english.txt", repeated(ENGLISH)),
        ("wrapped.txt", repeated("The old tree was still standing in the yard, and she felt calm and\n")),
        ("letters.txt", repeated("a")),
        ("marks.txt", repeated("。")),
        ("spaces.txt", b"a" + b" " * FIVE_MEGABYTES + b"b"),
        ("speech.txt", repeated("[芽衣]" + SENTENCE + "\n")),
        ("quotes.txt", repeated('"')),
        ("brackets.txt", repeated("[")),
        ("brackets.json", repeated("[")),
        ("strings.json", b'["' + repeated('\\"')),
        ("notes.md", repeated("# 标题\n\n" + SENTENCE * 20 + "\n\n")),
        ("gbk.txt", (SENTENCE * 10 + "\n\n").encode("gbk") * 9_000),
    ],
)
def test_five_megabytes_take_less_than_three_seconds(read, refusal, name, data):
    started = time.process_time()
    if name in {"brackets.json", "strings.json"}:
        refusal(data, name)
    else:
        assert read(data, name).pieces
    assert time.process_time() - started < 3


def test_a_large_openie_file_too(read):
    docs = [
        {
            "idx": str(i),
            "passage": f"第{i}段。{SENTENCE * 5}",
            "extracted_entities": ["老树", "院子"],
            "extracted_triples": [["老树", "在", "院子"]],
        }
        for i in range(12_000)
    ]
    data = json.dumps({"docs": docs}, ensure_ascii=False).encode()
    assert len(data) > FIVE_MEGABYTES
    started = time.process_time()
    assert len(read(data, "large.json").pieces) == 12_000
    assert time.process_time() - started < 3
