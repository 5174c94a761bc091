"""A lasso as a finding: who can stop it, and what the book's own clauses say of it.

Play begins with the found position, at an entry of the book that leads to the loop, and is explored from there a little way:
that only says who can stop the loop, and tells it like every other loop. Where no entry leads there, play begins at the loop
itself.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import networkx as nx

from .....model.engine.interpreter import Interpreter
from .....model.engine.state import Arrival, State
from .....model.engine.table import DEFAULT_ENTRY
from .....model.ir import nodes as ir
from .....model.ir.flow import call_graph
from .....model.ir.program import Program
from .....model.lang.compile import compile_book
from .....model.lang.compile import entries_of as every_entry
from ....explore.explorer import BoundAtStart, Limits, explore
from ....explore.loop_findings import loop_findings
from ....explore.saturate import saturated
from ....explore.subject import Subject
from ....findings.record import Bounds, Finding, Origin, PlayStep
from ....findings.severity import graded
from ....scenarios.checking import bounds_of as explored_bounds
from ..asking import Asker
from ..position import Moved, Position, position_of
from ..telling import drawn, subject_of
from .lassos import Lasso
from .rounds import Head

STATES = 4_000
"""How many positions are looked at, from the one that was found, for who can stop the loop."""


@dataclass
class AtLoop(Subject):
    """Play that begins at a loop."""

    def begun(self, engine: Interpreter) -> list[Arrival]:
        return [engine.resumed(at.state) for at in self.starts]

    def opening(self, start: int = 0) -> PlayStep | None:
        return None


def findings_at(asker: Asker, lasso: Lasso, bounds: Bounds, growing: bool = False) -> list[Finding]:
    """The findings about a loop: itself, and what its clauses say differently. None where it is not met again from any
    entry. Raises Beyond."""
    position, moved = position_of(asker.free, lasso.begin)
    mine = [moved.slots(asker.program, position.program, s, set(moved.cards)) for s in lasso.states]
    for subject in (*from_entries(asker, position, lasso.head), at_loop(asker, position, moved, lasso)):
        found = met_again(subject, {tuple(slots) for slots in mine}, bounds, growing)
        if found:
            return [graded(replace(f, position=drawn(subject)), subject.origin) for f in found]
    return []


def met_again(subject: Subject, mine: set[tuple[int, ...]], bounds: Bounds, growing: bool) -> list[Finding]:
    """The loop through these positions, among those that are come to from the beginning of the subject."""
    limits = Limits(STATES)
    try:
        out = explore(subject.engine, subject.starts, limits, None)
    except BoundAtStart:
        return []
    looked = explored_bounds(out)
    notes = looked.notes if not out.complete and not growing else ()
    bounds = replace(bounds, notes=(*bounds.notes, *notes))
    if growing:
        beyond = saturated(subject, out, limits)
        found = [] if beyond is None else loop_findings(beyond.subject, beyond.out, bounds, further=beyond.further)
        return [f for f in found if f.growing]

    return loop_findings(
        subject, out, bounds, lambda _, out, states: not any(out.states[k].slots in mine for k in states)
    )


def from_entries(asker: Asker, position: Position, head: Head) -> Iterator[Subject]:
    """The position, played from each entry of the book that leads to the loop: first those in which it lies in a part of
    play that has a name, nearest first."""
    ways: list[tuple[bool, int, int, Program]] = []
    for number, name in enumerate(entries_of(asker)):
        program = compile_book(asker.free.book.rulebook, position.world, name)
        calls = call_graph(program)
        if head[0] in calls and nx.has_path(calls, program.entry, head[0]):
            way = nx.shortest_path(calls, program.entry, head[0])
            named = any(program.functions[f].scope for f in way)
            ways.append((not named, len(way), number, program))
    for _, _, _, program in sorted(ways, key=lambda w: w[:3]):
        if len(program.layout.slots) == len(position.slots):
            subject = subject_at(asker, replace(position, program=program))
            yield replace(subject, starts=[subject.engine.start(position.slots)])


def subject_at(asker: Asker, position: Position) -> Subject:
    """The position as a subject of checks; whether it takes cards that were made up for the purpose is said."""
    made_up = any(c.definition.abilities and c.definition.sample for c in position.world.cards)
    subject = subject_of(asker.free.book, position)
    return replace(subject, invented_cards=made_up, origin=Origin.INVENTED if made_up else Origin.CARDS)


def entries_of(asker: Asker) -> list[str]:
    """The entries of the book, without the preparation: that would put everything elsewhere."""
    return [e for e in every_entry(asker.free.book.rulebook, asker.free.world) if e != DEFAULT_ENTRY]


def at_loop(asker: Asker, position: Position, moved: Moved, lasso: Lasso) -> Subject:
    """The position, played from the loop itself, with nothing else under way."""
    old, new = asker.program.functions[lasso.head[0]], position.program.functions[lasso.head[0]]
    place = labels(new.code)[labels(old.code).index(lasso.head[1])]
    number = list(position.program.functions).index(new.name)
    values = [
        moved.value(x.type, y.type, v)
        for x, y, v in zip(old.locals, new.locals, lasso.begin.frames[0][2:], strict=True)
    ]
    subject = subject_at(asker, position)
    start = Arrival(State(tuple(position.slots), ((number, place, *values),)), 0)
    given = {name: getattr(subject, name) for name in Subject.__dataclass_fields__}
    return AtLoop(**{**given, "starts": [start]})


def labels(code: Sequence[ir.Instr]) -> list[int]:
    """The heads of loops in a procedure."""
    return [k for k, i in enumerate(code) if isinstance(i, ir.Label)]
