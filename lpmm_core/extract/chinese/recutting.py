"""A second look at the words of a passage: what is one name in one place is no two words in another.

LAC reads each sentence by itself and cuts a name that it does not know now so, now so (栾见微 | 于, 栾见 | 微生于). Three witnesses tell
where a name stands: another sentence of the passage that shows it whole, the title of the text, and the words that would be left over.
Only the sentences in which a name was cut are read again, with the name as a forced span.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.words import Segmenter, Span, Word

_KIND_OF_TAG = {"PER": Kind.PERSON, "LOC": Kind.PLACE, "ORG": Kind.ORGANISATION, "nw": Kind.WORK}
_BRACKETED = re.compile(r"\s*[（(][^（）()]*[）)]\s*$")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_NEVER_IN_TITLES = frozenset(("r", "u", "w", "m", "d", "p", "xc"))
_LONGEST_TITLE = 16
_DOTS = frozenset("·•‧")


def title_span(title: str | None, segmenter: Segmenter, vocabulary: Vocabulary) -> tuple[str, Kind] | None:
    """The title as a name and its kind; None when it is a common word or a phrase."""
    name = _BRACKETED.sub("", title or "").strip("《》 ")
    if not 2 <= len(name) <= _LONGEST_TITLE or not _HAN.search(name):
        return None
    words = segmenter.segment([name], [()], [0])[0]
    by_ending = vocabulary.names.kind_by_ending(name)
    if len(words) == 1:
        tag = words[0].tag
        return (name, by_ending or _KIND_OF_TAG.get(tag, Kind.THING)) if tag in (*_KIND_OF_TAG, "nz") else None
    if any(mark in name for mark in _DOTS):
        return name, Kind.PERSON
    if any(word.tag in _NEVER_IN_TITLES for word in words):
        return None
    if by_ending is not None:
        return name, by_ending
    if any(word.tag == "c" for word in words):
        return None
    return name, Kind.PERSON if vocabulary.nouns.is_person(name) else Kind.THING


class Recutter:
    """Finds the names that a passage cuts in some of its sentences."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._names = vocabulary.names

    def spans(
        self,
        texts: Sequence[str],
        words: Sequence[Sequence[Word]],
        forced: Sequence[Sequence[Span]],
        title: tuple[str, Kind] | None,
    ) -> dict[int, list[Span]]:
        """Return for each sentence that must be read again, by its number, all its forced spans."""
        names = dict(self._whole_names(words))
        if title is not None:
            names[title[0]] = title[1]
        again: dict[int, list[Span]] = {}
        for name, kind in sorted(names.items(), key=lambda pair: (-len(pair[0]), pair[0])):
            cut = [
                (number, place)
                for number, text in enumerate(texts)
                for place in _places(name, text)
                if self._is_cut(name, place, words[number])
            ]
            seen = sum(word.text == name for sentence in words for word in sentence)
            if seen < len(cut) and (title is None or name != title[0]):
                continue
            for number, place in cut:
                spans = again.setdefault(number, list(forced[number]))
                span = Span(place, place + len(name), kind)
                if all(span.end <= other.start or other.end <= span.start for other in spans):
                    spans.append(span)
        return {number: sorted(spans) for number, spans in again.items() if len(spans) > len(forced[number])}

    def _whole_names(self, words: Iterable[Sequence[Word]]) -> Iterator[tuple[str, Kind]]:
        seen = Counter(
            (word.text, word.tag) for sentence in words for word in sentence if word.tag in ("PER", "LOC", "ORG")
        )
        for (name, tag), times in seen.items():
            if tag == "PER" and not self._may_be_person(name, times):
                continue
            if len(name) > 2 or tag == "PER":
                yield name, _KIND_OF_TAG[tag]

    def _may_be_person(self, name: str, times: int) -> bool:
        if len(name) == 2:
            return times > 1 and name[0] in self._names.surnames
        led = name[0] in self._names.surnames or name[:2] in self._names.surnames
        return led or all(character in self._names.transliteration for character in name)

    def _is_cut(self, name: str, place: int, words: Sequence[Word]) -> bool:
        """Whether no word is the name and none holds it whole."""
        offset = words[0].start if words else 0
        start, end = offset + place, offset + place + len(name)
        for word in words:
            if word.start <= start and end <= word.end:
                return False
            if word.kind is not None and word.start < end and start < word.end:
                return False
        return True


def _places(name: str, text: str) -> Iterator[int]:
    place = text.find(name)
    while place >= 0:
        yield place
        place = text.find(name, place + len(name))
