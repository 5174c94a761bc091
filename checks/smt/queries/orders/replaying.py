"""A position of z3 in which two abilities wait, carried out by the interpreter in a world that has only its cards."""
from __future__ import annotations

from collections.abc import Sequence

from .....model.engine.state import Option, State
from ....explore.subject import Subject
from ...symbolic import evaluated
from ...worlds import FreeWorld
from ..asking import Answered
from ..position import position_of
from ..telling import subject_of
from .resolving import Resolver, place, resolver_at
from .telling import Both, carried_out
from .terms import FIRST, SECOND, Pairs


def replayed(pairs: Pairs, found: Answered) -> tuple[Subject, Both]:
    """The position of a model, and both orders carried out in it. Raises Disagreement, TooMuch and Beyond."""
    assert found.model is not None
    model = found.model
    one, two = (tuple(evaluated(model, v) for v in pairs.entries[who]) for who in (FIRST, SECOND))
    slots = pairs.symbolic.concrete(model, pairs.state).slots
    return moved_to_few_cards(
        pairs.free, pairs.resolver, slots, (one, two), [evaluated(model, v) for v in pairs.locals]
    )


def moved_to_few_cards(
    free: FreeWorld, resolver: Resolver, slots: Sequence[int], two: tuple[Option, Option], locals_: Sequence[int],
) -> tuple[Subject, Both]:
    """The position in a world that has only its cards, and both orders carried out in it. Raises Disagreement, TooMuch and Beyond."""
    position, moved = position_of(free, State(tuple(slots), ()))
    name = resolver.multiset
    new = position.program.layout.containers[name]
    types = [
        [p.layout.slots[c].type for c in p.layout.containers[name].columns] for p in (free.program, position.program)
    ]
    entries = [tuple(moved.value(x, y, v) for x, y, v in zip(*types, entry, strict=True)) for entry in two]
    for k, entry in enumerate(sorted(entries)):
        for c, v in zip(new.columns, entry, strict=True):
            position.slots[c + k] = v
    loops = [p.functions[resolver.loop].locals for p in (free.program, position.program)]
    held = [moved.value(x.type, y.type, v) for x, y, v in zip(*loops, locals_, strict=True)]
    here = resolver_at(position.program, place(resolver))
    subject = subject_of(free.book, position)
    return subject, carried_out(subject, here, held, entries)
