"""What was worked out of a function and is asked for again: of the same code in the program of another scenario, say."""
from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from .nodes import Instr
from .program import Function, Handler, LocalInfo

T = TypeVar("T")
MOST = 20_000
"""So many are remembered at most."""


class Remembered(Generic[T]):
    """One thing about each function, under the very instructions, locals and handlers that it consists of: nodes never change.
    They are remembered too, so that none of them is taken for one that came later."""

    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], tuple[tuple[list[Instr], list[LocalInfo], list[Handler]], T]] = {}

    def of(self, fn: Function, work_out: Callable[[], T]) -> T:
        key = (fn.kind, fn.arity, len(fn.code), *map(id, fn.code), len(fn.locals), *map(id, fn.locals), *map(id, fn.handlers))
        known = self.known.get(key)
        if known is None:
            if len(self.known) >= MOST:
                self.known.clear()
            known = self.known[key] = (list(fn.code), list(fn.locals), list(fn.handlers)), work_out()
        return known[1]
