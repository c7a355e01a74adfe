"""JSON and JSON Lines: what stands in a file is told by its shape, record by record.

| shape | is |
|---|---|
| `["...", ...]` | LPMM's `import.json`: each string a passage |
| `[{"title": ..., "text": ...}, ...]` | HippoRAG's corpora |
| `{"<title>": ["sentence", ...], ...}` | HotpotQA's corpus |
| `{"docs": [{"passage": ..., ...}]}` | OpenIE, read by `openie` |
| `{"ts": ..., "role": ..., "text": ...}` | a message, read by `chat`; usually one a line |

Records of several kinds may stand in one file. What is none of them is skipped and counted with its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import json_repair

from lpmm_core.base.errors import UnreadableFile
from lpmm_core.base.records import Piece
from lpmm_core.ingest.documents.chat import is_message, message_pieces
from lpmm_core.ingest.documents.clean import clean
from lpmm_core.ingest.documents.json_walk import BREAKS_OFF, LONGEST_REPAIR, SKIPPED_AS_DAMAGED, JsonWalk, Member
from lpmm_core.ingest.documents.openie import REPEATED_PASSAGE, join_pieces, openie_piece
from lpmm_core.ingest.documents.passages import is_blank, passages
from lpmm_core.ingest.documents.tally import Tally
from lpmm_core.ingest.documents.upload import Content, Media, Upload

JSON_EXTENSIONS = frozenset({"json", "jsonl", "ndjson"})
_LINES_EXTENSIONS = frozenset({"jsonl", "ndjson"})
_BEGINS_LIKE_JSON = re.compile(r'\s*(?:\[\s*["{\]]|\{\s*["}])')
_IS_OPENIE = re.compile(r'\s*[\[{].{0,20000}?"(?:extracted_triples|extracted_entities)"\s*:', re.DOTALL)
_ASIAN = re.compile("[\u2e80-\u9fff\uff00-\uffef]")

_QUOTES_OF_A_TEXT = 2

NOT_TEXT = "records skipped, not text"
BLANK = "records skipped, blank"
_ACCEPTED = 'a list of texts, a list of {"title", "text"}, {"title": [sentences]}, OpenIE {"docs": [...]}, or messages one a line'


def read_json(upload: Upload, text: str) -> Content | None:
    """Return the passages of a JSON file, or None when it is no JSON of a known shape and its name does not say it is.

    Raises:
        UnreadableFile: it should be JSON and is not, or it is JSON that holds no text.
    """
    insists = upload.extension in JSON_EXTENSIONS or _IS_OPENIE.match(text) is not None
    if not insists and not _BEGINS_LIKE_JSON.match(text):
        return None
    records = _Records(upload, Tally())
    try:
        sound = _read(upload, text, records)
    except UnreadableFile:
        repaired = _repaired(upload, text) if insists else None
        if repaired is None and insists:
            raise
        return repaired
    if not insists and not (sound and (records.pieces or records.empty_openie)):
        return None
    if records.empty_openie:
        return Content(Media.OPENIE, (), ("an OpenIE file without documents",))
    if not records.pieces:
        repaired = None if sound else _repaired(upload, text)
        if repaired is None:
            raise _nothing(upload, records.tally)
        return repaired
    return Content(records.media, tuple(records.pieces), records.tally.notes())


def _read(upload: Upload, text: str, records: _Records) -> bool:
    """Take every record of the file; return whether it was JSON to its very end."""
    if _is_lines(upload, text):
        return records.take_lines(text)
    walk = JsonWalk(upload, text, records.tally)
    start = walk.start()
    opening = text[start : start + 1]
    if opening == "[":
        records.take_all(walk.array(start))
    elif opening == "{":
        _read_object(walk, start, records)
    else:
        raise upload.refuse(
            "is not JSON that can be read: it begins neither with [ nor with {", place=f"line {walk.line(start)}"
        )
    return walk.complete and not walk.damaged


def _read_object(walk: JsonWalk, start: int, records: _Records) -> None:
    members: dict[str, Any] = {}
    for member in walk.members(start, until="docs"):
        if member.key == "docs" and isinstance(member.value, int):
            records.take_docs(walk.array(member.value))
            return
        members[str(member.key)] = member.value
    if isinstance(members.get("passage"), str) or isinstance(members.get("text"), str) or is_message(members):
        records.take(members, "record 0")
    else:
        for title, sentences in members.items():
            records.take_titled(title, sentences)


def _repaired(upload: Upload, text: str) -> Content | None:
    """Read a small file of which nothing is JSON as json-repair would have it: in single quotes, say, or inside a code fence.

    One that breaks off is not read, since its last text would be taken for whole.
    """
    is_whole = text.rstrip().rstrip("`").rstrip().endswith(("]", "}"))
    if not is_whole or len(text) > LONGEST_REPAIR or text.count('"') + text.count("'") < _QUOTES_OF_A_TEXT:
        return None
    try:
        value = json_repair.loads(text)
    except (ValueError, RecursionError):
        return None
    documents = value.get("docs") if isinstance(value, dict) else None
    records = _Records(upload, Tally())
    if isinstance(documents, list):
        records.take_docs(Member(document, line=1, index=i) for i, document in enumerate(documents))
    elif isinstance(value, list):
        records.take_all(Member(item, line=1, index=i) for i, item in enumerate(value))
    elif isinstance(value, dict):
        records.take(value, "record 0")
    if not records.pieces:
        return None
    return Content(
        records.media,
        tuple(records.pieces),
        ("the whole file was damaged JSON and was repaired", *records.tally.notes()),
    )


def _is_lines(upload: Upload, text: str) -> bool:
    """Whether each line is a record: the name says so, or the first two lines are objects of their own."""
    if upload.extension in _LINES_EXTENSIONS:
        return True
    first, _, rest = text.lstrip().partition("\n")
    if not first.startswith("{") or not rest.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _nothing(upload: Upload, tally: Tally) -> UnreadableFile:
    reasons = "; ".join(tally.notes())
    if not reasons:
        return upload.refuse("holds no text: its list is empty")
    damage = tally.first_place(SKIPPED_AS_DAMAGED, BREAKS_OFF)
    if damage is not None:
        return upload.refuse(f"is damaged JSON, nothing in it could be read; {reasons}", place=damage)
    return upload.refuse(f"holds no text in a shape that is known ({_ACCEPTED}); {reasons}")


class _Records:
    """Takes the records of one file, in order."""

    def __init__(self, upload: Upload, tally: Tally) -> None:
        self.pieces: list[Piece] = []
        self.tally = tally
        self.media = Media.JSON
        self.empty_openie = False
        self._upload = upload
        self._seen: dict[tuple[str | None, str], int] = {}

    def take_all(self, members: Iterable[Member]) -> None:
        for member in members:
            self.take(member.value, f"record {member.index}")

    def take_docs(self, members: Iterable[Member]) -> None:
        """Take the documents of an OpenIE file; the export of an empty memory has none, and is sound."""
        self.media = Media.OPENIE
        for member in members:
            if isinstance(member.value, dict):
                self._take_openie(member.value, f"docs[{member.index}]")
            else:
                self.tally.add(NOT_TEXT, f"docs[{member.index}]")
        self.empty_openie = not self.pieces and not self.tally.notes()

    def take_lines(self, text: str) -> bool:
        """Take one record a line; return whether every line was JSON."""
        sound = True
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line, strict=False)
            except (ValueError, RecursionError):
                self.tally.add(SKIPPED_AS_DAMAGED, f"line {number}")
                sound = False
            else:
                self.take(record, f"line {number}")
        return sound

    def take(self, record: Any, place: str) -> None:
        """Take one record of any kind."""
        if isinstance(record, str):
            self._keep(self._passages(record, None, place))
        elif not isinstance(record, dict):
            self.tally.add(NOT_TEXT, place)
        elif isinstance(record.get("passage"), str) or "extracted_triples" in record:
            self.media = Media.OPENIE
            self._take_openie(record, place)
        elif is_message(record):
            self.media = Media.CHAT
            self._keep(message_pieces(record, place, self.tally))
        elif isinstance(record.get("text"), str):
            self._keep(self._passages(record["text"], record.get("title"), place))
        else:
            self.tally.add(NOT_TEXT, place)

    def take_titled(self, title: str, sentences: Any) -> None:
        """Take one article of a HotpotQA corpus."""
        if isinstance(sentences, list) and sentences and all(isinstance(sentence, str) for sentence in sentences):
            self._keep(self._passages(_joined(sentences), title, f"{title[:40]!r}"))
        else:
            self.tally.add(NOT_TEXT, f"{title[:40]!r}")

    def _take_openie(self, record: Mapping[str, Any], place: str) -> None:
        piece = openie_piece(record, place, self.tally)
        if piece is None:
            return
        earlier = self._seen.setdefault((piece.title, piece.text), len(self.pieces))
        if earlier < len(self.pieces):
            self.tally.add(REPEATED_PASSAGE, place)
            self.pieces[earlier] = join_pieces(self.pieces[earlier], piece)
        else:
            self._keep([piece])

    def _passages(self, text: str, title: Any, place: str) -> Iterator[Piece]:
        cleaned = clean(text)
        if is_blank(cleaned.text):
            self.tally.add(BLANK, place)
            return
        if cleaned.controls:
            self.tally.add("control characters taken out", place, count=cleaned.controls)
        heading = clean(title).text.strip() if isinstance(title, str) else ""
        yield from passages(cleaned.text, title=heading or None)

    def _keep(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            self.pieces.append(piece)
            self._upload.check_count(len(self.pieces))


def _joined(sentences: list[str]) -> str:
    """Join sentences as they stood in their article: with a space, unless one is there or the script has none."""
    parts: list[str] = []
    for sentence in sentences:
        if (
            parts
            and parts[-1]
            and sentence
            and not (parts[-1][-1].isspace() or sentence[0].isspace() or _ASIAN.match(parts[-1][-1]))
        ):
            parts.append(" ")
        parts.append(sentence)
    return "".join(parts)
