"""What must not be cut apart, found before the tagger runs.

Titles in 《》, short names in quotation marks, terms of the lexicon, and stretches of Latin letters are one word each. Where two would
overlap the first of that order wins, then the longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lpmm_core.base.records import Kind, Lexicon, Mention
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.words import Span

TITLE = re.compile(r"《([^《》\n]{1,40})》|〈([^〈〉\n]{1,40})〉")
QUOTED = re.compile(
    r"“([^“”\n]{2,14})”|「([^「」\n]{2,14})」|『([^『』\n]{2,14})』|\"([^\"\n]{2,14})\"|‘([^‘’\n]{2,14})’"
)
_LATIN = re.compile(
    r"(?<![0-9.A-Za-zÀ-ɏ])[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9'&+#.\-]*(?:[ ·][A-Za-zÀ-ɏ0-9][A-Za-zÀ-ɏ0-9'&+#.\-]*){0,5}"
)
_QUOTED_PART = re.compile(
    r"[”」』\"’](?:号|级|计划|行动|项目|工程|系列|活动|战略|奖|杯|节|大赛|运动|政策|品牌|事件|小组|论坛)"
)
_PUNCTUATION = re.compile(r"[，。！？；：、…—,.!?;:\s]")
_SENTENCE_END = frozenset("吗呢吧啊呀了哦嘛啦哇哈")
_SPEECH_BEFORE = re.compile(r"(?:[：:，]|说|道|问|喊|答|叫|句|声)$")
_PERSONAL = frozenset("我你他她它您咱")


@dataclass(frozen=True, slots=True)
class TermFinder:
    """Finds the terms of a lexicon, the longest that starts at a place first."""

    pattern: re.Pattern[str] | None
    kinds: dict[str, Kind]

    @classmethod
    def of(cls, terms: Iterable[tuple[str, Kind]]) -> TermFinder:
        """Make a finder of `terms`; where one is given twice the later kind wins."""
        kinds = {term: kind for term, kind in terms if len(term) > 1}
        longest_first = sorted(kinds, key=lambda term: (-len(term), term))
        pattern = re.compile("|".join(map(re.escape, longest_first))) if kinds else None
        return cls(pattern, kinds)

    def find(self, text: str) -> Iterator[Span]:
        """Yield the terms in `text`, none overlapping."""
        if self.pattern is not None:
            for match in self.pattern.finditer(text):
                yield Span(match.start(), match.end(), self.kinds[match[0]])


def lexicon_terms(lexicon: Lexicon, vocabulary: Vocabulary) -> TermFinder:
    """The document's terms together with the curated ones; the document's kind wins."""
    return TermFinder.of([*vocabulary.terms, *lexicon.terms])


def forced_spans(
    text: str, terms: TermFinder, vocabulary: Vocabulary, known: Sequence[Mention], offset: int
) -> list[Span]:
    """Return the stretches of a sentence that are one word each, in order; `known` holds what patterns found in the passage."""
    taken = bytearray(len(text))
    spans: list[Span] = []

    def keep(span: Span) -> None:
        if span.start < span.end and not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            spans.append(span)

    for match in TITLE.finditer(text):
        keep(Span(*match.span(match.lastindex or 0), Kind.WORK))
    for mention in known:
        start, end = mention.start - offset, mention.end - offset
        if start >= 0 and end <= len(text):
            keep(Span(start, end, mention.kind))
    for span in terms.find(text):
        keep(span)
    for match in QUOTED.finditer(text):
        if _is_quoted_name(text, match, vocabulary):
            start, end = match.span(match.lastindex or 0)
            if more := _QUOTED_PART.match(text, end):  # “悟空”号
                start, end = match.start(), more.end()
            keep(Span(start, end, vocabulary.names.kind_by_ending(text[start:end]) or Kind.THING))
    for match in _LATIN.finditer(text):
        keep(Span(match.start(), match.start() + len(match[0].rstrip("'.-")), Kind.THING))
    return sorted(spans)


def _is_quoted_name(text: str, match: re.Match[str], vocabulary: Vocabulary) -> bool:
    inner = match[match.lastindex or 0]
    if _PUNCTUATION.search(inner) or inner[-1] in _SENTENCE_END or not _PERSONAL.isdisjoint(inner):
        return False
    return not _SPEECH_BEFORE.search(text[: match.start()])
