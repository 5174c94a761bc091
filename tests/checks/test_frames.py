"""Calls within calls do not ask the system for memory again and again."""
from __future__ import annotations

import resource
from collections.abc import Callable

from rulewright.checks.limits.frames import with_room_for_frames

CALLS = 500
DEEP = 250
"""Frames of such functions fill several of the pieces in which CPython keeps frames."""


def at_depth(depth: int, do: Callable[[], None]) -> None:
    if depth:
        return at_depth(depth - 1, do)
    do()


def calls() -> None:
    for _ in range(CALLS):
        at_depth(2, lambda: None)


def pages_asked_for() -> int:
    """By the loop at the depth at which it asks for most."""
    most = 0
    for depth in range(DEEP):
        before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
        at_depth(depth, calls)
        most = max(most, resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before)
    return most


def test_a_loop_that_calls_at_any_depth_asks_for_no_memory_at_each_call() -> None:
    assert with_room_for_frames(pages_asked_for)() < CALLS / 2


def test_the_function_is_the_same_but_for_its_room() -> None:
    @with_room_for_frames
    def halved(number: int, by: int = 2) -> float:
        """Of a number."""
        return number / by

    assert halved(6) == 3
    assert halved(6, by=3) == 2
    assert (halved.__name__, halved.__doc__) == ("halved", "Of a number.")
