"""Which list an item belongs to, where nothing but the numbers says so: in `1. a. i. 1. ii.` without indentation.

An item goes on with a list that is open, or begins one below the last item. Of all readings of a run of items the one with
the fewest numbers out of order is taken; where another explains an item nearly as well, that item is in doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

Key = tuple[str, str]
"""A style, and the marks around the number."""
WIDTH = 12
"""Readings that are followed at a time."""
NEAR = 1.0
"""A reading that costs only so much more is as good."""
_SAME = 4.5
"""A list right below an item of its own style."""
_BEGINS, _AGAIN, _SKIPS, _FAR, _REPEATED, _BACK, _LATE, _IGNORED = 1.0, 2.0, 2.0, 4.0, 3.0, 4.0, 5.0, 2.0


@dataclass(frozen=True)
class Mark:
    """What the beginning of a line may be: a key and its number, one or two readings of it. An `optional` one may also be no
    item at all."""

    readings: tuple[tuple[Key, int], ...]
    optional: bool = False


@dataclass(frozen=True)
class Place:
    """Where an item stands: in which series, below which item, read as which key (none: no item), and whether that is in doubt."""

    series: int
    parent: int | None
    key: Key | None
    unsure: bool = False


@dataclass(frozen=True)
class _Level:
    key: Key
    value: int
    series: int
    item: int


@dataclass(eq=False)
class _Reading:
    cost: float
    levels: tuple[_Level, ...]
    before: _Reading | None
    place: tuple[int | None, int | None, int, Key | None]
    """The item before it in its series, the item above, the series, the key."""


def places(marks: Sequence[Mark]) -> list[Place]:
    """The place of every item of a run."""
    readings = [_Reading(0.0, (), None, (None, None, -1, None))]
    doubted: set[int] = set()
    for index, mark in enumerate(marks):
        best: dict[tuple[tuple[Key, int], ...], _Reading] = {}
        for reading in sorted((new for old in readings for new in _steps(old, index, mark)), key=lambda one: one.cost):
            state = tuple((level.key, level.value) for level in reading.levels)
            first = best.setdefault(state, reading)
            if first is not reading and reading.cost <= first.cost + NEAR:
                doubted |= _differing(first, reading, index)
        readings = list(best.values())[:WIDTH]
    for reading in readings[1:]:
        if reading.cost <= readings[0].cost + NEAR:
            doubted |= _differing(readings[0], reading, len(marks) - 1)
    found: list[Place] = []
    at: _Reading | None = readings[0]
    for index in range(len(marks) - 1, -1, -1):
        assert at is not None
        _, parent, series, key = at.place
        found.append(Place(series, parent, key, index in doubted))
        at = at.before
    return found[::-1]


def _differing(one: _Reading, other: _Reading, index: int) -> set[int]:
    """The items that two readings put behind different ones."""
    found: set[int] = set()
    left: _Reading | None = one
    right: _Reading | None = other
    while left is not None and right is not None and left is not right:
        if left.place[0] != right.place[0] or left.place[3] != right.place[3]:
            found.add(index)
        left, right, index = left.before, right.before, index - 1
    return found


def _steps(old: _Reading, index: int, mark: Mark) -> list[_Reading]:
    found: list[_Reading] = []
    levels = old.levels
    for key, value in mark.readings:
        for depth, level in enumerate(levels):
            if level.key != key:
                continue
            above = levels[depth - 1].item if depth else None
            kept = levels[:depth]
            found.append(
                _Reading(
                    old.cost + _gap(value - level.value),
                    (*kept, _Level(key, value, level.series, index)),
                    old,
                    (level.item, above, level.series, key),
                )
            )
            if value == 1 != level.value:
                found.append(_Reading(old.cost + _AGAIN, (*kept, _Level(key, 1, index, index)), old, (None, above, index, key)))
        if not levels or levels[-1].key != key:
            used = sum(level.key == key for level in levels)
            cost = (_BEGINS if value <= 1 else _LATE) + used / 2
            above = levels[-1].item if levels else None
            found.append(_Reading(old.cost + cost, (*levels, _Level(key, value, index, index)), old, (None, above, index, key)))
        elif value == 1:
            above = levels[-1].item
            found.append(_Reading(old.cost + _SAME, (*levels, _Level(key, 1, index, index)), old, (None, above, index, key)))
    if mark.optional:
        found.append(_Reading(old.cost + _IGNORED, levels, old, (None, None, -1, None)))
    return found


def _gap(step: int) -> float:
    if step == 1:
        return 0.0
    if step == 0:
        return _REPEATED
    return _BACK if step < 0 else _SKIPS if step <= 4 else _FAR


_LOWER = re.compile(r"(?P<open>\()?(?P<n>[a-z])(?P<close>[.)])(?=[ \t])")


def small_letter(body: str) -> tuple[Key, int] | None:
    """`a. …`, `(a) …`"""
    match = _LOWER.match(body)
    return (("letter", f"{match['open'] or ''}a{match['close']}"), ord(match["n"]) - 96) if match else None
