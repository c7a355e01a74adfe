"""The command line: a thin skin over Memory. What can be done is decided there; here it is read from arguments and printed."""

from lpmm_core.cli import edits, records, spaces, text, upkeep, work
from lpmm_core.cli.group import main

__all__ = ["edits", "main", "records", "spaces", "text", "upkeep", "work"]
