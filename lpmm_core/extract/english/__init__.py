"""The English half of local extraction: spaCy parses, and rules over dependencies read what is said."""

from lpmm_core.extract.english.reader import EnglishReader

__all__ = ["EnglishReader"]
