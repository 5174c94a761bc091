"""What was worked out of a function and is asked for again: of the same code in the program of another scenario, say."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from .nodes import Instr
from .program import Function, Handler, LocalInfo

T = TypeVar("T")
MOST = 50_000
"""So many functions are remembered at most."""


class Known:
    """What is known of a function, and the very tuples it consists of, which never change: as they are kept here, none of them is
    taken for one that came later. What hangs on its code alone is known of all that have the same, whatever the types of their locals:
    these are others where there are more cards."""

    __slots__ = "code", "handlers", "locals", "of_code", "worked_out"

    def __init__(self, fn: Function, of_code: dict[Hashable, Any]) -> None:
        assert isinstance(fn.code, tuple) and isinstance(fn.locals, tuple) and isinstance(fn.handlers, tuple)
        self.locals: Sequence[LocalInfo] = fn.locals
        self.code: Sequence[Instr] = fn.code
        self.handlers: Sequence[Handler] = fn.handlers
        self.of_code = of_code
        self.worked_out: dict[Hashable, Any] = {}


NOTHING: Any = object()
"""Stands for what was not worked out yet."""
functions: dict[tuple[str, int, int, int, int], Known] = {}
codes: dict[tuple[str, int, int, int, int], Known] = {}
"""The first function with this code, so many parameters and so many locals."""


def forget() -> None:
    """Forget all that was worked out, but of functions that somebody still holds."""
    functions.clear()
    codes.clear()


def known_of(fn: Function) -> Known:
    """What is known of all functions that consist of what this one consists of now; kept with the function too, as it is asked for
    again and again."""
    key = fn.kind, fn.arity, id(fn.code), id(fn.locals), id(fn.handlers)
    known = functions.get(key)
    if known is None:
        if len(functions) >= MOST:
            forget()
        code_key = fn.kind, fn.arity, id(fn.code), len(fn.locals), id(fn.handlers)
        same_code = codes.get(code_key)
        known = functions[key] = Known(fn, {} if same_code is None else same_code.of_code)
        codes.setdefault(code_key, known)
    fn.known = known
    return known


class Remembered(Generic[T]):
    """One thing about each function, and about what else it depends on (`given`). `of_types`: it may hang on the types of locals."""

    def __init__(self, of_types: bool = True) -> None:
        self.of_types = of_types

    def of(self, fn: Function, work_out: Callable[[], T], given: Hashable = None) -> T:
        known = fn.known
        if known is None or known.code is not fn.code or known.locals is not fn.locals or known.handlers is not fn.handlers:
            known = known_of(fn)
        worked_out = known.worked_out if self.of_types else known.of_code
        key = self if given is None else (self, given)
        found = worked_out.get(key, NOTHING)
        if found is NOTHING:
            found = worked_out[key] = work_out()
        return found
