"""Room for the frames of Python's functions.

CPython keeps the frames of a thread in pieces of 16 KiB and gives a piece back as soon as nothing is in it: a loop whose calls come to lie
across an edge takes memory from the system and gives it back at each call, which makes the call some eighty times as long. Rules are compiled
and carried out by functions within functions, so some edge is always in such a place (a quarter of the time of checking a book). The frame of
a function that is larger than a piece gets a piece of its own size, and what it calls finds room there.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

VALUES = 1 << 16
"""For so many values a frame says it needs room: twice as much is taken, in addresses; memory only for what is used."""

P = ParamSpec("P")
R = TypeVar("R")


def with_room_for_frames(do: Callable[P, R]) -> Callable[P, R]:
    """The same function, all that it calls finding room in one piece."""
    def within(*args: P.args, **named: P.kwargs) -> R:
        return do(*args, **named)
    within.__code__ = within.__code__.replace(co_stacksize=VALUES)
    return wraps(do)(within)
