"""What was worked out of a function and is asked for again: of the same code in the program of another scenario, say."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from .nodes import Instr
from .program import Function, Handler, LocalInfo

T = TypeVar("T")
MOST = 50_000
"""So many are remembered at most."""
everything: list[Remembered[Any]] = []


def forget() -> None:
    """Forget all that was worked out."""
    for each in everything:
        each.known.clear()


class Remembered(Generic[T]):
    """One thing about each function, under the very tuples that it consists of, which never change; and under what else it depends
    on (`given`). The tuples are remembered too, so that none of them is taken for one that came later."""

    def __init__(self) -> None:
        self.known: dict[Hashable, tuple[tuple[Sequence[Instr], Sequence[LocalInfo], Sequence[Handler]], T]] = {}
        everything.append(self)

    def of(self, fn: Function, work_out: Callable[[], T], given: Hashable = None) -> T:
        key = fn.kind, fn.arity, id(fn.code), id(fn.locals), id(fn.handlers), given
        known = self.known.get(key)
        if known is None:
            if len(self.known) >= MOST:
                self.known.clear()
            assert isinstance(fn.code, tuple) and isinstance(fn.locals, tuple) and isinstance(fn.handlers, tuple)
            known = self.known[key] = (fn.code, fn.locals, fn.handlers), work_out()
        return known[1]
