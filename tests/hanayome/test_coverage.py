"""Every clause of hanayome but one is modelled, a reading or without effect; and which marked places scenarios execute."""
from __future__ import annotations

from collections.abc import Callable

import pytest

from rulewright.checks.register.books import open_book
from rulewright.checks.register.status import Status, statuses

from ..covered import every_place_is_executed

KNOWLEDGE = ["4.1.5.1"]
"""Who knows in which order cards were laid: players are assumed to see everything."""

NOT_IN_PLAY = frozenset({"11.4.1", "11.4.2", "11.5.1", "4.4.1", "4.10.1"})
"""Duties and what is ordinary: asked of every position, not in play."""


def test_no_clause_but_one_about_knowledge_is_left_to_be_modelled() -> None:
    book = open_book("hanayome")
    every = statuses(book)
    assert len(every) == len(book.clauses.clauses) > 480
    assert [one.id for one in every if one.status is Status.NOT_MODELLED] == KNOWLEDGE
    assert [one.id for one in every if one.left_out] == [], "no rule says `not_modelled` of a part of a clause"


@pytest.mark.slow
def test_every_place_that_can_be_executed_is(frozen: Callable[[str, str], None]) -> None:
    assert every_place_is_executed("hanayome", frozen, never=NOT_IN_PLAY) > 250
