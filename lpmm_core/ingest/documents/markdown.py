"""Markdown: headings become titles, blocks become passages, marks disappear.

markdown-it-py finds the blocks and we write their text: a paragraph, a list with its nested items, a table row by row, a code block as it
is. How headings become titles is told in `headings`. Of a link its words are kept, HTML is text, front matter is left out and noted.

Parsing the marks inside a paragraph is quadratic in hostile input, so each inline text is bounded and the time limit is watched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from lpmm_core.base.records import Piece
from lpmm_core.ingest.documents.headings import Block, under_headings
from lpmm_core.ingest.documents.tally import Tally
from lpmm_core.ingest.documents.upload import Upload

_LONGEST_INLINE = 20_000
_DEEPEST = 100
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_FRONT_MATTER = re.compile(
    r"\A(?:---[ \t]*\n(?:(?!---|\.\.\.)[^\n]*\n)*?(?:---|\.\.\.)|\+\+\+[ \t]*\n(?:(?!\+\+\+)[^\n]*\n)*?\+\+\+)[ \t]*(?:\n|\Z)"
)
_YAML_LINE = re.compile(r"\s*(?:#|-\s|[\w\"'][^:]{0,60}:(?:\s|\Z)|\Z)|[ \t]+\S")

FRONT_MATTER = "lines of front matter, not read"


def read_markdown(upload: Upload, text: str, tally: Tally) -> Iterator[Piece]:
    """Yield the passages of `text`, which is cleaned and has newlines as line ends.

    Raises:
        UnreadableFile: it takes too long to read.
    """
    body = _without_front_matter(text, tally)
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST}).enable("table").disable("inline")
    environment: dict[str, object] = {}
    tokens = parser.parse(body, environment)
    writer = _Writer(upload, parser, environment, body.split("\n"))
    yield from under_headings(Block(writer.write(block), _level(block)) for block in _blocks(tokens))


def _level(block: Sequence[Token]) -> int | None:
    return int(block[0].tag.removeprefix("h")) if block[0].type == "heading_open" else None


def _without_front_matter(text: str, tally: Tally) -> str:
    match = _FRONT_MATTER.match(text)
    if match is None:
        return text
    lines = match.group().rstrip().split("\n")
    # Text between two thematic breaks looks the same from afar.
    if lines[0].startswith("---") and not all(_YAML_LINE.match(line) for line in lines[1:-1]):
        return text
    tally.add(FRONT_MATTER, count=len(lines))
    return text[match.end() :]


def _blocks(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the tokens of each outermost block."""
    start = 0
    depth = 0
    for i, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            yield tokens[start : i + 1]
            start = i + 1


class _Writer:
    """Writes the text of blocks."""

    def __init__(
        self, upload: Upload, parser: MarkdownIt, environment: dict[str, object], source: Sequence[str]
    ) -> None:
        self._upload = upload
        self._parser = parser
        self._environment = environment
        self._source = source

    def write(self, block: Sequence[Token]) -> str:
        """Return the text of one block, a line for each of its lines, list items and table rows."""
        self._upload.check_time()
        if block[0].type == "table_open":
            return "\n".join(self._row(token.map[0]) for token in block if token.type == "tr_open" and token.map)
        lines: list[str] = []
        counters: list[int | None] = []
        marker = ""
        for token in block:
            kind = token.type
            if kind in {"bullet_list_open", "ordered_list_open"}:
                counters.append(int(token.attrGet("start") or 1) if kind.startswith("ordered") else None)
            elif kind in {"bullet_list_close", "ordered_list_close"}:
                counters.pop()
            elif kind == "list_item_open":
                marker = _marker(counters)
            elif kind in {"inline", "fence", "code_block"}:
                text = self._inline(token.content) if kind == "inline" else token.content.rstrip("\n")
                lines += _indented(text, marker, len(counters))
                marker = ""
        return "\n".join(lines)

    def _row(self, line: int) -> str:
        """Write one table row from its source: the parser drops cells beyond those of the header."""
        cells = _CELL_BORDER.split(self._source[line].strip().removeprefix("|").removesuffix("|"))
        return " | ".join(self._inline(cell.strip().replace("\\|", "|")) for cell in cells)

    def _inline(self, source: str) -> str:
        if len(source) > _LONGEST_INLINE:
            return source
        self._upload.check_time()
        children: list[Token] = []
        self._parser.inline.parse(source, self._parser, self._environment, children)
        return "".join(_words(children))


def _marker(counters: list[int | None]) -> str:
    number = counters[-1]
    if number is None:
        return "- "
    counters[-1] = number + 1
    return f"{number}. "


def _indented(text: str, marker: str, depth: int) -> list[str]:
    """Put the item's marker before the first line, and each line under the list it belongs to."""
    if not depth:
        return text.split("\n")
    indent = "  " * (depth - 1)
    first, *others = text.split("\n")
    return [indent + (marker or "  ") + first, *(f"{indent}  {line}" for line in others)]


def _words(children: Sequence[Token]) -> Iterator[str]:
    for child in children:
        if child.type in {"softbreak", "hardbreak"}:
            yield "\n"
        elif child.type == "image":
            yield "".join(_words(child.children or ()))
        elif child.content:
            yield child.content
