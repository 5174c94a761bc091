"""Which marked places the shipped scenarios execute, clause by clause: what is executed no more is noticed here."""
from __future__ import annotations

from collections.abc import Callable

from ..covered import every_place_is_executed

PERMISSIONS = frozenset({"9-2"})
"""Norms that are asked of every position (`--only norms`), not in play."""


def test_every_place_that_can_be_executed_is(frozen: Callable[[str, str], None]) -> None:
    every_place_is_executed("sakura", frozen, states=2_000, never=PERMISSIONS)
