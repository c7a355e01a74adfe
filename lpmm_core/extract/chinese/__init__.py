"""The Chinese half of local extraction: LAC cuts and tags, and rules over clauses read what is said."""

from lpmm_core.extract.chinese.reader import ChineseReader

__all__ = ["ChineseReader"]
