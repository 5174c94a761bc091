"""Every clause of hanayome is modelled, a reading or without effect; and which marked places scenarios execute."""
from __future__ import annotations

from collections.abc import Callable

import pytest

from rulewright.checks.register.books import open_book
from rulewright.checks.register.status import Status, statuses

from ..covered import every_place_is_executed


def test_no_clause_is_left_to_be_modelled() -> None:
    book = open_book("hanayome")
    every = statuses(book)
    assert len(every) == len(book.clauses.clauses) > 480
    assert [one.id for one in every if one.status is Status.NOT_MODELLED] == []
    assert [one.id for one in every if one.left_out] == [], "no rule says `not_modelled` of a part of a clause"


@pytest.mark.slow
def test_every_place_that_can_be_executed_is(frozen: Callable[[str, str], None]) -> None:
    assert every_place_is_executed("hanayome", frozen) > 250
