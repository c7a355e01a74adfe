"""From bytes to text: UTF-8, then what a byte order mark says, then a guess that is shown and can be overridden.

Nothing is ever decoded with replacement characters. A text is read as a whole or it is refused with the place of the first byte that
does not fit, because a memory that silently lost letters cannot be trusted afterwards.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from lpmm_core.ingest.documents import guess
from lpmm_core.ingest.documents.upload import NoText, Upload

# UTF-32's little-endian mark begins with UTF-16's, so it is asked for first.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Codecs that interpret escapes, or need quadratic time: no file is written in them.
_NOT_FOR_FILES = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf-7"})
_CONTROL = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_CONTROLS = 0.05
_FEWEST_CONTROLS = 10


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file as its bytes say it, line ends and control characters included; a byte order mark is gone."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(upload: Upload, *, encoding: str | None = None) -> Decoded:
    """Return the text of a file.

    Args:
        upload: the file.
        encoding: what its owner says it is; otherwise it is found out.

    Raises:
        UnreadableFile: it is binary, in an encoding that cannot be recognised, or in two.
    """
    decoded = _as_told(upload, encoding) if encoding else _found_out(upload)
    _refuse_binary(upload, decoded.text)
    return decoded


def _as_told(upload: Upload, encoding: str) -> Decoded:
    try:
        name = codecs.lookup(encoding).name
        b"\n".decode(name)
    except UnicodeDecodeError:
        pass  # one byte is no whole character of it
    except (LookupError, ValueError):
        raise upload.refuse(f"cannot be read as {encoding!r}, which is no text encoding that Python knows") from None
    if name.replace("-", "_") in _NOT_FOR_FILES or name in _NOT_FOR_FILES:
        raise upload.refuse(f"cannot be read as {encoding!r}, which is not an encoding of files")
    return Decoded(_decode_whole(upload, name, f"is not {name}, as was said"), name)


def _found_out(upload: Upload) -> Decoded:
    data = upload.data
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = _decode_whole(
                upload, encoding, f"begins with the mark of {encoding.upper()} but does not keep to it"
            )
            return Decoded(
                text, encoding, () if encoding == "utf-8" else (f"read as {encoding.upper()}, by its byte order mark",)
            )
    if b"\x00" in data:
        return _without_mark(upload)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        return _guessed(upload, error)


def _without_mark(upload: Upload) -> Decoded:
    guessed = guess.guess_utf16(upload.data)
    if guessed is None:
        offset = upload.data.index(b"\x00")
        raise upload.refuse("is not text: it holds a zero byte", place=_place(upload.data, offset), error=NoText)
    return _as_guessed(guessed)


def _guessed(upload: Upload, error: UnicodeDecodeError) -> Decoded:
    data = upload.data
    place = _place(data, error.start)
    damaged = guess.is_damaged_utf8(data)
    if damaged and error.reason == "unexpected end of data":
        raise upload.refuse("breaks off in the middle of a character; save it again, or say its encoding", place=place)
    mixture = guess.find_mixture(data)
    if mixture is not None:
        raise upload.refuse(
            f"is in two encodings: line {mixture.utf8_line} is UTF-8, line {mixture.other_line} is not; save all of it in one",
            place=place,
        )
    if damaged:
        raise upload.refuse(
            "is UTF-8 with a byte that does not belong; save it again, or say its encoding", place=place
        )
    guessed = guess.guess_encoding(data)
    if guessed is None:
        bad = guess.first_undecodable(data, "gb18030")
        if bad and guess.opening_reads_as_chinese(data[:bad]):
            raise upload.refuse(
                "seems to be GB18030 with a byte that does not belong; save it again as UTF-8", place=_place(data, bad)
            )
        raise upload.refuse(
            "is neither UTF-8 nor in an encoding that can be recognised; say its encoding, or save it as UTF-8",
            place=place,
        )
    return _as_guessed(guessed)


def _as_guessed(guessed: guess.Guess) -> Decoded:
    note = f"encoding guessed: {guessed.encoding.upper()}; if the text looks wrong, say which it is"
    return Decoded(guessed.text, guessed.encoding, (note,))


def _decode_whole(upload: Upload, encoding: str, complaint: str) -> str:
    try:
        text = upload.data.decode(encoding)
    except UnicodeDecodeError as error:
        place = _place(upload.data, error.start, encoding)
        raise upload.refuse(
            f"{complaint}; the first byte that does not fit is 0x{upload.data[error.start]:02x}", place=place
        ) from None
    except UnicodeError:
        raise upload.refuse(complaint) from None
    return text.removeprefix("\ufeff")


def _place(data: bytes, offset: int, encoding: str = "ascii") -> str:
    """Name a byte by line and offset; in UTF-16 and UTF-32 a newline is several bytes."""
    newline = "\n".encode(encoding + "-le") if encoding in {"utf-16", "utf-32"} else b"\n"
    return f"line {data.count(newline, 0, offset) + 1}, byte {offset}"


def _refuse_binary(upload: Upload, text: str) -> None:
    """Refuse what decodes but was never meant to be read.

    Raises:
        UnreadableFile: it holds zero characters, or many control characters.
    """
    zero = text.find("\x00")
    if zero >= 0:
        raise upload.refuse(
            "is not text: it holds a zero character", place=f"line {text.count(chr(10), 0, zero) + 1}, character {zero}"
        )
    controls = _CONTROL.findall(text)
    if len(controls) > max(_FEWEST_CONTROLS, _MOST_CONTROLS * len(text)):
        first = _CONTROL.search(text)
        assert first is not None
        place = f"line {text.count(chr(10), 0, first.start()) + 1}"
        raise upload.refuse("is not text: too many of its characters are control characters", place=place)
