"""The terms of one document: names that come again and again and that the tagger cuts apart or cuts now so, now so.

A name nobody heard before is cut into pieces that make no sense (往 | 世乐土), but a document repeats it. A string of Chinese characters
is a candidate when it recurs, when its halves hardly occur without each other (cohesion) and when what stands on its two sides varies
(branching). LAC then reads a few sentences that hold it: a candidate that it cuts along its borders into something no phrase would be, or
sometimes takes as one name, becomes a term. Ordinary phrases (a verb with its object, a word with a particle) stay out, since a wrong
long term hurts more than a missing one. Titles in 《》 and marks of speakers need no statistics.

Everything is counted over the whole document, so the order of its passages does not matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lpmm_core.base.names import why_not_a_name
from lpmm_core.base.records import Kind
from lpmm_core.extract.chinese.lists import Vocabulary
from lpmm_core.extract.chinese.spans import QUOTED, TITLE
from lpmm_core.extract.chinese.words import Segmenter, Word
from lpmm_core.extract.sentences import split_turns

LONGEST = 8
_LEAST = 3
_MOST_CANDIDATES = 400
_CONTEXTS = 5
_WINDOW = 24
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]{2,}")
_FUNCTION = frozenset(
    "的了着是在有和与就也都不没很这那我你他她它们个吗呢吧啊么把被给让从到对向而但或及并则若因所以其已曾将还又再最更太会能可要想说道问呀哦嘛得地过等于为由该每各某此何谁什怎您咱一二两三四五六七八九十几多少上下里中内外前后时年月日号"
)
_INNER = _FUNCTION - frozenset("上下中外前后一二三四五六七八九十会可能得地为为多少时日月年有以等内")
_PIECES = frozenset(("n", "nz", "nw", "PER", "LOC", "ORG", "vn", "a", "an", "s"))
_NAMED = {"PER": Kind.PERSON, "LOC": Kind.PLACE, "ORG": Kind.ORGANISATION, "nw": Kind.WORK}
_PLACE_BEFORE = re.compile(r"(?:住在|位于|来自|前往|去过?|来到|到达?|抵达|离开|回到?|进入|在|于|往|前去)$")
_PERSON_AFTER = re.compile(
    r"^(?:说|道|问|笑|答|想|看着?|走|哭|喊|叹|点头|摇头|转身|先生|女士|小姐|老师|的脸|的手|的眼|的声音)"
)
_GROUP_BEFORE = re.compile(r"(?:加入|成立|创立|创办|隶属于?|效力于|任职于|组建)了?$")
_GROUP_AFTER = re.compile(r"^(?:的?成员|的?总部|旗下|公司|集团|的?首领|组织)")


@dataclass(frozen=True, slots=True)
class _Cut:
    """How LAC reads a candidate in one sentence: the words that make it up, none when a border falls inside a word."""

    words: tuple[Word, ...]
    before: Word | None


class TermReader:
    """Finds the terms of one document."""

    def __init__(self, vocabulary: Vocabulary, segmenter: Segmenter) -> None:
        self._vocabulary = vocabulary
        self._segmenter = segmenter
        self._curated = {term for term, _ in vocabulary.terms}

    def discover(self, texts: Sequence[str]) -> tuple[tuple[str, Kind], ...]:
        """Return the terms with their kinds, sorted."""
        text = "\n".join(sorted(texts))
        terms = self._marked(text)
        candidates = [c for c in _candidates(text) if c not in terms and c not in self._curated]
        for candidate, cuts in zip(candidates, self._cuts(text, candidates), strict=True):
            kind = self._judge(candidate, cuts, text)
            if kind is not None:
                terms[candidate] = kind
        return tuple(sorted((term, kind) for term, kind in terms.items() if why_not_a_name(term) is None))

    # --- marked names -----------------------------------------------------------------------------------------------------------

    def _marked(self, text: str) -> dict[str, Kind]:
        """Speakers, titles that also stand without 《》, and names that are quoted more than once."""
        terms: dict[str, Kind] = {}
        quoted = Counter(match[match.lastindex or 0] for match in QUOTED.finditer(text))
        for name, times in quoted.items():
            if times > 1 and 2 <= len(name) <= 10 and _HAN_RUN.fullmatch(name) and not _INNER & set(name):
                terms[name] = self._vocabulary.names.kind_by_ending(name) or self._kind_around(name, text) or Kind.THING
        for match in TITLE.finditer(text):
            name = match[match.lastindex or 0]
            if len(name) > 2 and _HAN_RUN.fullmatch(name) and text.count(name) > text.count(f"《{name}》"):
                terms[name] = Kind.WORK
        for turn in split_turns(text):
            if turn.speaker and len(turn.speaker) > 1 and _HAN_RUN.fullmatch(turn.speaker):
                terms[turn.speaker] = Kind.PERSON
        return terms

    # --- LAC's opinion --------------------------------------------------------------------------------------------------------

    def _cuts(self, text: str, candidates: Sequence[str]) -> list[list[_Cut]]:
        """How LAC cuts each candidate in its first few places."""
        windows: list[str] = []
        places: list[list[tuple[int, int]]] = []
        for candidate in candidates:
            own: list[tuple[int, int]] = []
            start = text.find(candidate)
            while start >= 0 and len(own) < _CONTEXTS:
                first = max(start - _WINDOW, text.rfind("\n", 0, start) + 1)
                line_end = text.find("\n", start)
                last = min(start + len(candidate) + _WINDOW, line_end if line_end >= 0 else len(text))
                own.append((len(windows), start - first))
                windows.append(text[first:last])
                start = text.find(candidate, start + len(candidate))
            places.append(own)
        words = self._segmenter.segment(windows, [()] * len(windows), [0] * len(windows))
        return [
            [_cut(words[window], start, start + len(candidate)) for window, start in own]
            for candidate, own in zip(candidates, places, strict=True)
        ]

    def _judge(self, candidate: str, cuts: Sequence[_Cut], text: str) -> Kind | None:
        """The kind of a term, or None when the candidate is none."""
        aligned = [cut for cut in cuts if cut.words]
        if len(aligned) * 5 < len(cuts) * 3:
            return None
        whole = Counter(cut.words[0].tag for cut in aligned if len(cut.words) == 1)
        apart = [cut for cut in aligned if len(cut.words) > 1]
        names = sum(whole[tag] for tag in _NAMED)
        if sum(whole.values()) * 2 >= len(aligned):
            uncertain = apart or len(whole) > 1
            if not uncertain or names * 5 < sum(whole.values()) * 3:
                return None
            return self._kind(candidate, max(sorted(_NAMED), key=lambda tag: whole[tag]), text)
        led = any(cut.before is not None and cut.before.tag in ("v", "p", "u") for cut in apart)
        if sum(self._is_no_phrase(cut.words, led=led) for cut in apart) * 5 < len(apart) * 4:
            return None
        return self._kind(candidate, apart[0].words[-1].tag, text)

    def _is_no_phrase(self, words: Sequence[Word], *, led: bool) -> bool:
        """Whether a reader would not say these words one after the other, or they are one compound.

        `led` says that somewhere a verb or a preposition stands before them, where no other preposition can follow.
        """
        first, last = words[0], words[-1]
        if last.tag not in _PIECES or any(word.tag in ("r", "m", "q", "c", "w", "xc", "TIME") for word in words):
            return False
        if any(word.tag in ("d", "f", "p", "u") and word.text != "之" for word in words[1:]):
            return False
        if all(word.tag in _PIECES for word in words):
            return not (first.tag == "a" and len(words) == 2 and last.tag == "n" and len(first.text) > 1)
        if first.tag in ("d", "f"):
            return False
        rare = any(word.tag in ("nz", "PER") for word in words[1:])
        if first.tag == "p":
            return len(first.text) == 1 and (rare or (led and any(word.tag == "LOC" for word in words[1:])))
        if all(len(word.text) == 1 for word in words):
            return len(words) > 2
        if first.tag == "v" and len(first.text) == 1:
            if first.text in self._vocabulary.verbs.single:
                return len(words) == 2 and last.tag == "nz" and len(last.text) > 2
            return True
        # 约化 | 群, 开发 | 商: a verb with a one-character noun behind it
        return first.tag == "v" and len(words) == 2 and len(last.text) == 1 and last.tag in ("n", "nz")

    # --- kinds ------------------------------------------------------------------------------------------------------------------

    def _kind(self, candidate: str, tag: str, text: str) -> Kind:
        by_ending = self._vocabulary.names.kind_by_ending(candidate)
        if by_ending is not None:
            return by_ending
        around = self._kind_around(candidate, text)
        if around is not None:
            return around
        if tag in _NAMED:
            return _NAMED[tag]
        if len(candidate) > 2 and all(character in self._vocabulary.names.transliteration for character in candidate):
            return Kind.PERSON
        return Kind.PERSON if self._vocabulary.nouns.is_person(candidate) else Kind.THING

    def _kind_around(self, name: str, text: str) -> Kind | None:
        """What the words beside a name say it is, when enough of them do."""
        votes: Counter[Kind] = Counter()
        times = 0
        start = text.find(name)
        while start >= 0 and times < 200:
            times += 1
            end = start + len(name)
            before, after = text[max(0, start - 4) : start], text[end : end + 4]
            votes[Kind.PLACE] += bool(_PLACE_BEFORE.search(before))
            votes[Kind.PERSON] += bool(_PERSON_AFTER.match(after))
            votes[Kind.ORGANISATION] += bool(_GROUP_BEFORE.search(before)) or bool(_GROUP_AFTER.match(after))
            start = text.find(name, end)
        kind = max(sorted(votes), key=lambda kind: votes[kind])
        return kind if votes[kind] * 4 >= times and votes[kind] > 0 and sum(votes.values()) < votes[kind] * 2 else None


def _cut(words: Sequence[Word], start: int, end: int) -> _Cut:
    inside = tuple(word for word in words if word.start < end and word.end > start)
    fits = bool(inside) and inside[0].start == start and inside[-1].end == end
    return _Cut(inside if fits else (), next((word for word in words if word.end == start), None))


def _candidates(text: str) -> list[str]:
    """Recurrent strings that hold together and have free borders, the weightiest first."""
    runs = _HAN_RUN.findall(text)
    counts = _recurrent(runs)
    sides = _sides(text, [c for c, n in counts.items() if len(c) > 1 and n >= _LEAST and _may_be_name(c)])
    kept = [c for c in sides if min(sides[c]) > 1 and _coheres(c, counts)]
    names = set(kept)
    covered = {
        inner
        for c in kept
        for length in range(2, len(c))
        for at in range(len(c) - length + 1)
        if (inner := c[at : at + length]) in names and counts[c] * 5 >= counts[inner] * 4
    }
    left = [c for c in kept if c not in covered]
    left.sort(key=lambda c: (-counts[c] * len(c), c))
    return left[:_MOST_CANDIDATES]


def _recurrent(runs: Sequence[str]) -> Counter[str]:
    """How often each string of up to LONGEST characters occurs; longer ones only where their two ends recur."""
    counts: Counter[str] = Counter(character for run in runs for character in run)
    longer = Counter(run[i : i + 2] for run in runs for i in range(len(run) - 1))
    length = 2
    while longer and length <= LONGEST:
        recurrent = {c: n for c, n in longer.items() if n >= _LEAST}
        counts.update(recurrent)
        length += 1
        longer = Counter(
            run[i : i + length]
            for run in runs
            for i in range(len(run) - length + 1)
            if run[i : i + length - 1] in recurrent and run[i + 1 : i + length] in recurrent
        )
    return counts


def _may_be_name(candidate: str) -> bool:
    return candidate[0] not in _FUNCTION and candidate[-1] not in _FUNCTION and _INNER.isdisjoint(candidate)


def _sides(text: str, candidates: Sequence[str]) -> dict[str, tuple[int, int]]:
    """How many different characters stand left and right of each candidate; a mark or a line's end counts each time."""
    wanted = set(candidates)
    lengths = sorted({len(c) for c in candidates})
    left: dict[str, set[str | int]] = {c: set() for c in candidates}
    right: dict[str, set[str | int]] = {c: set() for c in candidates}
    for match in _HAN_RUN.finditer(text):
        run, base = match[0], match.start()
        for length in lengths:
            for i in range(len(run) - length + 1):
                piece = run[i : i + length]
                if piece in wanted:
                    left[piece].add(run[i - 1] if i else base + i)
                    right[piece].add(run[i + length] if i + length < len(run) else base + i)
    return {c: (len(left[c]), len(right[c])) for c in candidates}


def _coheres(candidate: str, counts: Counter[str]) -> bool:
    """Whether the halves of every cut hardly occur apart."""
    times = counts[candidate]
    for cut in range(1, len(candidate)):
        head, tail = times / counts[candidate[:cut]], times / counts[candidate[cut:]]
        if len(candidate) == 2:
            if max(head, tail) < 0.8:
                return False
        elif cut == 1:
            if tail < 0.5:
                return False
        elif cut == len(candidate) - 1:
            if head < 0.5:
                return False
        elif max(head, tail) < 0.6 or min(head, tail) < 0.25:
            return False
    return True
