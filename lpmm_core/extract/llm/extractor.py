"""Extraction by a chat model: names first, then triples given the names (LP-02, LP-03).

Asking in two steps keeps the triples' ends to names that were found (HippoRAG's OpenIE, arXiv 2405.14831). A document may say anything,
also to the model, so its text stands between two lines with a random mark and is declared data; and what comes back is checked against
it: an end that is neither among the names nor in the text is no end, an offset is where the name stands. Answers are read tolerantly,
since models fence, think aloud, stop early and nest as they like; an answer without any JSON is asked for once more and then given up
with a ProviderError for that passage alone, whose local extraction stands.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.names import clean_name, name_key, why_not_a_name
from lpmm_core.base.records import Extraction, Kind, Lexicon, Mention, Reading, Triple
from lpmm_core.extract.llm.answers import ReadTriple, read_names, read_triples
from lpmm_core.extract.llm.prompts import Prompts, prompts_for
from lpmm_core.extract.merging import merge_mentions, merge_triples
from lpmm_core.extract.patterns import find_patterns
from lpmm_core.extract.sentences import language_of, split_sentences, split_turns
from lpmm_core.provider.chat import ChatModel

_NAME_TOKENS, _TRIPLE_TOKENS = 1024, 3072
_CONFIDENCE = 0.85
_MOST_OCCURRENCES = 20

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the reading at `index`: an extraction or an error, and the tokens it took."""

    index: int
    extraction: Extraction
    error: ProviderError | None
    prompt_tokens: int
    completion_tokens: int


class LLMExtractor:
    """Implements `base.records.Extractor` with a chat model.

    Args:
        chat: the model; how many requests it takes at once is its own affair.
        workers: passages that are asked about at the same time.
        mark: makes the random mark around a document's text.
    """

    def __init__(
        self, chat: ChatModel, *, workers: int = 8, mark: Callable[[], str] = lambda: secrets.token_hex(8)
    ) -> None:
        if workers < 1:
            raise ValueError(f"workers must be at least 1, got {workers}")
        self._chat = chat
        self._workers = workers
        self._mark = mark

    @property
    def name(self) -> str:
        """Model and version of the prompts, part of every cache key."""
        return f"llm/{self._chat.name}/1"

    def discover(self, texts: Sequence[str]) -> Lexicon:
        """Nothing: a model needs no lexicon."""
        return Lexicon()

    def extract(self, readings: Sequence[Reading]) -> list[Extraction]:
        """Read each passage; one extraction a reading, in order.

        Raises:
            ProviderError: the model failed on a passage; `extract_each` goes on with the others.
        """
        found: dict[int, Extraction] = {}
        for outcome in self.extract_each(readings):
            if outcome.error is not None:
                raise outcome.error
            found[outcome.index] = outcome.extraction
        return [found[index] for index in range(len(readings))]

    def extract_each(self, readings: Sequence[Reading]) -> Iterator[Outcome]:
        """Read each passage and hand each outcome on as it comes.

        A passage's failure is its own. Closing the iterator asks no further question.
        """
        with ThreadPoolExecutor(self._workers, thread_name_prefix="extract") as pool:
            waiting: set[Future[Outcome]] = set()
            left = iter(enumerate(readings))
            try:
                while True:
                    while len(waiting) < self._workers and (job := next(left, None)) is not None:
                        waiting.add(pool.submit(self._one, *job))
                    if not waiting:
                        return
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from sorted((future.result() for future in done), key=lambda outcome: outcome.index)
            finally:
                for future in waiting:
                    future.cancel()

    def _one(self, index: int, reading: Reading) -> Outcome:
        passage = _Passage(self._chat, reading, self._mark)
        try:
            return Outcome(index, passage.read(), None, passage.prompt_tokens, passage.completion_tokens)
        except ProviderError as error:
            return Outcome(index, Extraction(), error, passage.prompt_tokens, passage.completion_tokens)


class _Passage:
    """One passage being asked about; the tokens are what it has used so far."""

    def __init__(self, chat: ChatModel, reading: Reading, mark: Callable[[], str]) -> None:
        turns = split_turns(reading.text)
        self._chat = chat
        self._reading = reading
        self._text = reading.text
        self._spoken = [(turn.start, turn.end) for turn in turns]
        self._speakers = [s for s in dict.fromkeys([*(turn.speaker for turn in turns), reading.speaker]) if s]
        self._others = [other for other in (reading.addressee, reading.title) if other]
        self._prompts: Prompts = prompts_for(language_of(reading.text))
        self._mark = mark()
        while self._mark in reading.text:
            self._mark += secrets.token_hex(4)
        self.prompt_tokens = 0
        self.completion_tokens = 0

    def read(self) -> Extraction:
        if not any(c.isalnum() for c in self._text):
            return Extraction()
        names = self._ask(self._prompts.names, self._document(), _NAME_TOKENS, read_names)
        kinds = {name_key(n.name): n.kind for n in names if self._known(n.name)}
        listed = "\n".join(clean_name(n.name) for n in names if name_key(n.name) in kinds)
        question = f"{self._document()}\n\n{self._prompts.given_names}\n{self._fenced(listed)}"
        triples = self._ask(self._prompts.triples, question, _TRIPLE_TOKENS, read_triples)
        return Extraction(tuple(self._mentions(kinds)), tuple(merge_triples(self._triples(triples, kinds))))

    # --- asking -------------------------------------------------------------------------------------------------------------------

    def _document(self) -> str:
        about = []
        if self._reading.title:
            about.append(f"{self._prompts.title}: {self._reading.title}")
        if self._reading.speaker:
            about.append(f"{self._prompts.speaker}: {self._reading.speaker}")
        if self._reading.addressee:
            about.append(f"{self._prompts.addressee}: {self._reading.addressee}")
        return self._fenced("\n".join([*about, self._text]))

    def _fenced(self, text: str) -> str:
        return f"<{self._mark}>\n{text}\n</{self._mark}>"

    def _ask(self, system: str, user: str, limit: int, read: Callable[[str], list[Item] | None]) -> list[Item]:
        """Ask, and once more when the answer holds nothing readable."""
        system = system.replace("{mark}", self._mark)
        answer = self._complete(system, user, limit)
        items = read(answer)
        if items is None:
            again = f"{user}\n\n{self._prompts.unreadable}\n{self._fenced(answer[:2000])}"
            items = read(self._complete(system, again, limit))
        if items is None:
            raise ProviderError(f"{self._chat.name} answered twice without readable JSON")
        return items

    def _complete(self, system: str, user: str, limit: int) -> str:
        completion = self._chat.complete(system, user, max_tokens=limit)
        self.prompt_tokens += completion.prompt_tokens
        self.completion_tokens += completion.completion_tokens
        return completion.text

    # --- checking -----------------------------------------------------------------------------------------------------------------

    def _known(self, name: str) -> bool:
        """Whether a name stands in the text, or is the title, the speaker or the addressee."""
        key = name_key(name)
        if why_not_a_name(name) is not None:
            return False
        return any(key == name_key(other) for other in (*self._speakers, *self._others)) or bool(self._places(name, 1))

    def _places(self, name: str, most: int) -> list[tuple[int, int]]:
        """Where `name` stands in what is said, whole words only, whatever its case and white space."""
        words = r"\s+".join(re.escape(word) for word in clean_name(name).split())
        pattern = re.compile(rf"(?<![A-Za-z0-9]){words}(?![A-Za-z0-9])", re.IGNORECASE)
        found: list[tuple[int, int]] = []
        for start, end in self._spoken:
            for match in pattern.finditer(self._text, start, end):
                found.append(match.span())
                if len(found) == most:
                    return found
        return found

    def _mentions(self, kinds: dict[str, Kind]) -> list[Mention]:
        found = [
            Mention(self._text[start:end], kind, start, end, _CONFIDENCE)
            for name, kind in kinds.items()
            for start, end in self._places(name, _MOST_OCCURRENCES)
        ]
        starts = self._spoken[0][0]
        return merge_mentions((m for m in find_patterns(self._text) if m.start >= starts), found)

    def _triples(self, triples: list[ReadTriple], kinds: dict[str, Kind]) -> Iterator[Triple]:
        sentences = [(s.start, s.end) for start, end in self._spoken for s in split_sentences(self._text, start, end)]
        for triple in triples:
            ends = [clean_name(end) for end in (triple.subject, triple.object)]
            if all(name_key(end) in kinds or self._known(end) for end in ends):
                start, end = self._evidence(ends, sentences)
                yield Triple(ends[0], triple.predicate, ends[1], start, end, _CONFIDENCE, triple.negated)

    def _evidence(self, ends: Sequence[str], sentences: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """The first sentence that holds most of the ends; all that is said when none holds any."""
        places = [self._places(end, _MOST_OCCURRENCES) for end in ends]
        best, most = (self._spoken[0][0], self._spoken[-1][1]), 0
        for start, end in sentences:
            held = sum(any(start <= a and b <= end for a, b in where) for where in places)
            if held > most:
                best, most = (start, end), held
        return best
