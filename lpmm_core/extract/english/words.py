"""The word lists of the English half, read once from `data/en-*.txt`.

A list is `group: word word ...`, a group may stand on several lines, `#` opens a comment, an underscore is a space. Lists are data, so
that a reader of another kind of English adds words without touching a rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

_FILES = ("people", "nouns", "verbs", "small", "firstnames", "places")
_PERSONAL = ("ist", "ographer", "man", "woman", "smith", "wright", "keeper", "master", "mistress", "monger")
_IRREGULAR = {"men": "man", "women": "woman", "children": "child", "people": "person", "wives": "wife", "lives": "life"}


@dataclass(frozen=True, slots=True)
class Words:
    """Every list by file and group: `words["verbs", "say"]`. An unknown group is a KeyError."""

    groups: Mapping[tuple[str, str], frozenset[str]]

    def __getitem__(self, key: tuple[str, str]) -> frozenset[str]:
        return self.groups[key]

    def listed(self, word: str, file: str, *groups: str) -> bool:
        """Whether `word` stands in one of the groups."""
        return any(word in self.groups[file, group] for group in groups)

    def alike(self, noun: str) -> frozenset[str]:
        """`noun` and the nouns that mean the same thing: a "show" may be called a "series"."""
        kinds = (words for (file, group), words in self.groups.items() if file == "nouns" and group.startswith("same-"))
        return frozenset({noun}).union(*(words for words in kinds if noun in words))

    def is_person(self, noun: str) -> bool:
        """Whether a common noun is a person by its list or its ending ("geologist", "lighthouse-keeper")."""
        listed = self.listed(noun, "people", "kin", "role", "social", "human", "male", "female")
        return listed or (noun.endswith(_PERSONAL) and len(noun) > 6)


@cache
def english_words() -> Words:
    """The lists that come with the package."""
    folder = resources.files("lpmm_core.extract").joinpath("data")
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file in _FILES:
        for line in folder.joinpath(f"en-{file}.txt").read_text("utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                group, _, words = line.partition(":")
                groups[file, group.strip()].update(word.replace("_", " ") for word in words.split())
    return Words({key: frozenset(words) for key, words in groups.items()})


def singular(noun: str) -> str:
    """A noun without its plural ending, well enough to compare heads."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun == "series" or noun.endswith(("ss", "us", "is")) or len(noun) < 4:
        return noun
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("sses", "xes", "ches", "shes")):
        return noun[:-2]
    return noun.removesuffix("s")
