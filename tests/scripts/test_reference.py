"""The reference is written from the program, and kept in step with it."""

import pytest

from scripts.reference import PAGES, REFERENCE


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_reference_says_what_the_program_says(name):
    assert (REFERENCE / name).read_text("utf-8") == PAGES[name](), "run `make docs`"
