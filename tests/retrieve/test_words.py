"""Numbers in the sentences of a result."""

from __future__ import annotations

import pytest

from lpmm_core.retrieve.words import number


@pytest.mark.parametrize(
    ("value", "written"), [(0.414, ".41"), (1.0, "1.00"), (2.5, "2.50"), (0.0, ".00"), (-0.05, "-.05"), (-0.001, ".00")]
)
def test_a_score_is_written_without_its_nought(value: float, written: str) -> None:
    assert number(value) == written
