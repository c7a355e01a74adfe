"""The tree of errors: each with a code for programs and a status for the web."""

from __future__ import annotations

import inspect
from http import HTTPStatus

import pytest

from lpmm_core.base import errors
from lpmm_core.base.errors import Conflict, LpmmError, ProviderError, UndoBlocked

CLASSES = [found for _, found in inspect.getmembers(errors, inspect.isclass) if issubclass(found, LpmmError)]


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [error.code for error in CLASSES]
    assert len(set(codes)) == len(codes) > 10


@pytest.mark.parametrize("error", CLASSES)
def test_every_error_has_a_failure_as_its_status(error: type[LpmmError]) -> None:
    assert HTTPStatus(error.status).value >= 400


def test_the_message_is_what_a_person_reads_and_the_details_are_for_programs() -> None:
    error = Conflict("it was changed meanwhile", now=3, expected=2)
    assert str(error) == error.message == "it was changed meanwhile"
    assert error.details == {"now": 3, "expected": 2}


def test_a_blocked_undo_is_a_conflict_and_a_conflict_is_a_refusal() -> None:
    with pytest.raises(Conflict):
        raise UndoBlocked("later edits stand in the way", blockers=[])
    assert issubclass(Conflict, LpmmError)


def test_a_provider_s_failure_says_whether_asking_again_may_help() -> None:
    assert ProviderError("no answer").retryable
    error = ProviderError("the key is wrong", retryable=False, provider="x")
    assert not error.retryable
    assert error.details == {"provider": "x"}
