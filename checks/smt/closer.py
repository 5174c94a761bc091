"""One card more: what a piece is about may be followed, too, where following the cards that break a condition is too little.

`lay(card, zone_of(on))` breaks a cap for two cards in a place, but what is known of `on` says something only if `on` is followed. So
a piece that fails is asked again with one card more, and this is the one that a parameter or the result of a call is, if it is a card: play that breaks the
condition gives these a value, and any card may be followed. (What is picked within a step is not taken: it may stand for cards that are not followed.)
"""
from __future__ import annotations

from collections.abc import Iterator

from ...model.ir.program import Program
from ...model.ir.types import Role
from . import numbers as n
from . import truths as t
from .contracts import Stretch
from .numbers import Val
from .representatives import Representatives
from .truths import Truth

FAILING = 12
"""Pieces that fail at most, for one card more to be followed."""
ONE = (Role.CARD, Role.OBJECT)


def about(program: Program, of: Stretch) -> Iterator[Val]:
    """The cards that a piece is about: those it begins with, and those that calls give it."""
    found = [v for x, v in zip(program.functions[of.begin.function].locals, of.state.frames[0][2], strict=True) if x.type.role in ONE]
    found += [c.result for c in of.calls if program.functions[c.function].result.role in ONE]
    yield from (v for v in found if not isinstance(v, int))


def is_followed(m: Representatives, v: Val) -> Truth:
    """Is the value a card that is followed, if it is a card at all?"""
    return t.some((t.no(n.between(v, 0, m.count - 1)), *m.is_card(v)))
