"""Reading JSON one member at a time, so that one bad record costs one record.

Graphs that language models helped to write hold trailing commas, bare NaN, unescaped quotes, and files that break off. A parser that
takes the whole file or nothing would lose a night's extraction for one comma; one that repairs the whole file may invent. Here
the outer array or object is walked by hand and each member is parsed strictly; only a member that fails is looked at again: with its
trailing commas taken out, then by json-repair on a bounded stretch. What still cannot be read is skipped up to the next member,
and said with its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import json_repair

from lpmm_core.ingest.documents.tally import Tally
from lpmm_core.ingest.documents.upload import Upload

_SPACE = re.compile(r"[\s\ufeff]*")
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*(?:"|\Z)'
_STRING_OR_BRACKET = re.compile(_STRING + r"|[\[\]{}]", re.DOTALL)
_STRING_OR_EXTRA_COMMA = re.compile(f"({_STRING})" + r"|,(?=\s*+[\]}])", re.DOTALL)
_FIRST_KEY = re.compile(r'\{\s*+("(?:[^"\\\n]++|\\.){1,60}")\s*:')
_NEXT_TEXT = re.compile(r'"[^\S\n]*+,?[^\S\n]*+\n\s*+(?=")|"\s*+(?=\]\s*+\Z)')
_ESCAPED_OR_QUOTE = re.compile(r'(\\.)|"', re.DOTALL)
_VALUE_BEGINS = frozenset('{["-0123456789tfnNI')

_LONGEST_RECORD = 1_000_000
# json-repair takes the square of the length of hostile input; a record of a passage is far shorter than this.
LONGEST_REPAIR = 20_000

READ_AFTER_REPAIR = "damaged records that were repaired"
SKIPPED_AS_DAMAGED = "damaged records skipped"
BREAKS_OFF = "the file breaks off; the record it breaks off in was left out"
TEXT_BEHIND = "text behind the end of the JSON, not read"


@dataclass(frozen=True, slots=True)
class Member:
    """One member of the outer array or object; `key` is None in an array. `line` counts from 1, `index` from 0."""

    value: Any
    line: int
    index: int
    key: str | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    value: Any
    end: int
    repaired: bool = False


class JsonWalk:
    """Walks the outer array or object of one file, forwards and once.

    Args:
        upload: the file, whose limits hold.
        text: its text.
        tally: where skipped and repaired members are counted.
    """

    def __init__(self, upload: Upload, text: str, tally: Tally) -> None:
        self.text = text
        self.damaged = 0
        self.complete = False
        self._upload = upload
        self._tally = tally
        self._decoder = json.JSONDecoder(strict=False, parse_int=_bounded_int)
        self._repairs_left = upload.limits.repair_characters
        self._counted_to = 0
        self._line = 1

    def start(self) -> int:
        """Return where the JSON begins."""
        return self._skip_space(0)

    def array(self, start: int) -> Iterator[Member]:
        """Yield the members of the array that opens at `start`.

        Raises:
            UnreadableFile: too many of them are damaged.
        """
        position, index = self._skip_space(start + 1), 0
        while position < len(self.text):
            character = self.text[position]
            if character == "]":
                self._finish(position + 1)
                return
            if character == ",":
                position = self._skip_space(position + 1)
                continue
            line = self.line(position)
            found = self._value(position) if character in _VALUE_BEGINS else None
            if found is None:
                next_position = self._skip_damaged(position, line)
                if next_position is None:
                    return
                position = next_position
            else:
                self._count_repair(found, line)
                yield Member(found.value, line, index)
                position = self._skip_space(found.end)
            index += 1
        self._tally.add(BREAKS_OFF, f"line {self.line(len(self.text))}")

    def members(self, start: int, *, until: str) -> Iterator[Member]:
        """Yield the members of the object that opens at `start`.

        An array under the key `until` is not parsed: its member's value is the position where it opens, and the walk ends.

        Raises:
            UnreadableFile: a key or a value between them cannot be read.
        """
        position, index = self._skip_space(start + 1), 0
        while position < len(self.text):
            if self.text[position] == "}":
                self._finish(position + 1)
                return
            if self.text[position] == ",":
                position = self._skip_space(position + 1)
                continue
            line = self.line(position)
            key, position = self._key(position, line)
            if key == until and self.text[position : position + 1] == "[":
                yield Member(position, line, index, key)
                return
            found = self._value(position) if position < len(self.text) else None
            if found is None:
                raise self._upload.refuse("is not valid JSON: the value here cannot be read", place=f"line {line}")
            self._count_repair(found, line)
            yield Member(found.value, line, index, key)
            position, index = self._skip_space(found.end), index + 1
        self._tally.add(BREAKS_OFF, f"line {self.line(len(self.text))}")

    def line(self, position: int) -> int:
        """Return the line of `position`; cheap when positions are asked for in ascending order."""
        if position < self._counted_to:
            return self.text.count("\n", 0, position) + 1
        self._line += self.text.count("\n", self._counted_to, position)
        self._counted_to = position
        return self._line

    def _skip_space(self, position: int) -> int:
        match = _SPACE.match(self.text, position)
        return match.end() if match else position

    def _finish(self, end: int) -> None:
        self.complete = True
        behind = self._skip_space(end)
        if behind < len(self.text) and self.text[behind] not in ",}":
            self.complete = False
            self._tally.add(TEXT_BEHIND, f"line {self.line(behind)}")

    def _key(self, position: int, line: int) -> tuple[str, int]:
        try:
            key, end = self._decoder.raw_decode(self.text, position)
        except (ValueError, RecursionError):
            key, end = None, position
        end = self._skip_space(end)
        if not isinstance(key, str) or self.text[end : end + 1] != ":":
            raise self._upload.refuse(
                "is not valid JSON: a key in quotes and a colon belong here", place=f"line {line}"
            )
        return key, self._skip_space(end + 1)

    def _value(self, position: int) -> _Found | None:
        try:
            value, end = self._decoder.raw_decode(self.text, position)
        except (ValueError, RecursionError):
            return self._second_look(position)
        if isinstance(value, str) and not self._may_end_a_text(end):
            return self._second_look(position)
        return _Found(value, end)

    def _may_end_a_text(self, end: int) -> bool:
        """Whether the quote before `end` closes a text: an unescaped quote inside one is followed by more of it."""
        following = self._skip_space(end)
        return following == len(self.text) or self.text[following] in ',]}"{['

    def _second_look(self, position: int) -> _Found | None:
        """Read a member again that is not valid JSON; None when nothing helps."""
        self._upload.check_time()
        end = self._balanced_end(position)
        if end is not None:
            plain = _STRING_OR_EXTRA_COMMA.sub(lambda m: m.group(1) or "", self.text[position:end])
            try:
                return _Found(self._decoder.decode(plain), end)
            except (ValueError, RecursionError):
                pass
        self._count_damage(position)
        if self.text[position] == '"':
            return self._quoted(position)
        if self.text[position] != "{":
            return None
        stop = self._next_record(position) or end
        if stop is None:
            return None
        value = self._repair(self.text[position:stop])
        return _Found(value, stop, repaired=True) if value is not None else None

    def _quoted(self, position: int) -> _Found | None:
        """Read a text with unescaped quotes in it, up to the quote that ends its line."""
        match = _NEXT_TEXT.search(self.text, position + 1, position + _LONGEST_RECORD)
        if match is None:
            return None
        inside = _ESCAPED_OR_QUOTE.sub(lambda m: m.group(1) or r"\"", self.text[position + 1 : match.start()])
        try:
            return _Found(self._decoder.decode(f'"{inside}"'), match.end(), repaired=True)
        except ValueError:
            return None

    def _balanced_end(self, position: int) -> int | None:
        """Return the end of the array or object that opens at `position`, strings skipped; None when it never closes."""
        if self.text[position] not in "[{":
            return None
        depth = 0
        for match in _STRING_OR_BRACKET.finditer(self.text, position, position + _LONGEST_RECORD):
            token = match.group()
            if token in "[{":
                depth += 1
            elif token in "]}":
                depth -= 1
                if not depth:
                    return match.end()
        return None

    def _next_record(self, position: int) -> int | None:
        """Return the end of the damaged object at `position`: before the next object that begins with the same key."""
        key = _FIRST_KEY.match(self.text, position)
        if key is None:
            return None
        following = re.compile(r"\}\s*+,?\s*+(?=\{\s*+" + re.escape(key.group(1)) + r"\s*:)")
        match = following.search(self.text, key.end(), position + _LONGEST_RECORD)
        return match.start() + 1 if match else None

    def _repair(self, damaged: str) -> dict[str, Any] | None:
        if len(damaged) > min(LONGEST_REPAIR, self._repairs_left):
            return None
        self._repairs_left -= len(damaged)
        try:
            value = json_repair.loads(damaged, skip_json_loads=True)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) and value else None

    def _skip_damaged(self, position: int, line: int) -> int | None:
        """Return where the next member begins after a damaged one, or None when the rest of the file cannot be read."""
        if self.text[position] not in _VALUE_BEGINS:
            self._count_damage(position)
        end: int | None
        if self.text[position] == '"':
            match = _NEXT_TEXT.search(self.text, position + 1, position + _LONGEST_RECORD)
            end = match.end() if match else None
        else:
            end = self._next_record(position) or self._balanced_end(position)
        if end is None:
            self._tally.add(BREAKS_OFF, f"line {line}")
            return None
        self._tally.add(SKIPPED_AS_DAMAGED, f"line {line}")
        return self._skip_space(end)

    def _count_repair(self, found: _Found, line: int) -> None:
        if found.repaired:
            self._tally.add(READ_AFTER_REPAIR, f"line {line}")

    def _count_damage(self, position: int) -> None:
        self.damaged += 1
        if self.damaged > self._upload.limits.damaged_records:
            limit = self._upload.limits.damaged_records
            raise self._upload.refuse(
                f"has more than {limit:,} damaged records; save it again as valid JSON",
                place=f"line {self.line(position)}",
            )


def _bounded_int(digits: str) -> int | float:
    """Python refuses to read integers of thousands of digits; none of them means anything here."""
    return int(digits) if len(digits) < 40 else float("inf")
