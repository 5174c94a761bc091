"""Rounds: from the head of a loop, label by label, back to it; of a position of which nothing is known.

A play that comes back to where it was has a procedure that stays open all the time and lies deepest of those that do.
It goes round a `while` of its own (calls nest, and what goes through a set ends). So every lasso is found from the head of a
`while`, with that one procedure open: it must not be left, and who called it does not matter.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import networkx as nx
import z3

from .....model.ir import nodes as ir
from .....model.ir.flow import call_graph, reachable
from .....model.ir.program import Program
from .....model.ir.types import SetType
from ... import numbers as n
from ... import truths as t
from ...callers import Callers
from ...numbers import Val
from ...symbolic import Symbolic, SymbolicState
from ...transitions import Places
from ...truths import Truth
from ..asking import Asker

MOMENT = 20_000
"""How much z3 may work (in its own units) on whether play can come to a label at all."""
MOST = 24
"""Labels that are followed at once."""
TURN = 3
"""The scope of a turn."""

Head = tuple[str, int]
"""A procedure, and the place of a `while` in it."""


def heads(program: Program) -> Iterator[Head]:
    """The heads of the loops that play can come to within a turn."""
    calls = call_graph(program)
    turns = {f.name for f in program.functions.values() if f.scope == TURN}
    below = {name: nx.descendants(calls, name) for name in program.functions}
    for name in sorted(below[program.entry] | {program.entry}, key=lambda name: (len(below[name]), name)):
        if below[name] & turns:
            continue
        fn = program.functions[name]
        inside = reachable(fn.code, fn.handlers)
        yield from ((name, pc) for pc in sorted(inside) if pc < len(fn.code) and isinstance(fn.code[pc], ir.Label))


@dataclass
class Passed:
    """A label on the way: the condition under which play comes to it, and the option taken there."""

    places: Places
    when: Truth
    option: tuple[Val, ...]


@dataclass
class Visit:
    """A label that play may have come to: the state, whether anything was different from the beginning meanwhile, and how
    often a player decided something."""

    when: Truth
    state: SymbolicState
    changed: Truth = False
    decisions: Val = 0


@dataclass
class Return(Visit):
    """Play is back at the head after so many labels."""

    labels: int = 0


@dataclass
class Rounds:
    """All rounds of at most some labels, from the head: `assumed` holds of the state at it."""

    head: Head
    begin: SymbolicState
    assumed: list[Truth]
    passed: list[list[Passed]] = field(default_factory=list[list[Passed]])
    returns: list[Return] = field(default_factory=list[Return])
    whole: bool = True
    """No label was left out because there were too many at once."""


def rounds(asker: Asker, head: Head, labels: int) -> Rounds:
    """The rounds of at most so many labels, and never more than `MOST` different ones at once. Raises Beyond."""
    symbolic = asker.symbolic
    state = at_head(asker, head)
    assumed = [*of_locals(asker, state), Callers(symbolic).admit(head[0], state.frames[0][2])]
    out = Rounds(head, state, assumed)
    visits: dict[Places, Visit] = {(head,): Visit(True, state)}
    with asker.given(assumed):
        for depth in range(labels):
            passed: list[Passed] = []
            after: dict[Places, Visit] = {}
            for places, at in visits.items():
                step = taken(symbolic, places, at, f"{depth}:{len(passed)}:")
                passed.append(step[0])
                for to, there in step[1]:
                    there.changed = t.either(at.changed, t.no(same_slots(there.state, state)))
                    old = after.get(to)
                    after[to] = there if old is None else joined(symbolic, old, there)
            out.passed.append(passed)
            visits = {to: there for to, there in after.items() if likely(asker, there.when)}
            if len(visits) > MOST:
                out.whole = False
                visits = dict(list(visits.items())[:MOST])
            back = visits.get((head,))
            if back is not None:
                out.returns.append(Return(back.when, back.state, back.changed, back.decisions, depth + 1))
            if not visits:
                break
    return out


def likely(asker: Asker, when: Truth) -> bool:
    """Can it be? Yes also where that is not known in a moment."""
    if isinstance(when, bool):
        return when
    asker.solver.set("rlimit", MOMENT)
    with asker.given([when]):
        said = asker.solver.check()
    asker.solver.set("rlimit", 0)
    return said != z3.unsat


def at_head(asker: Asker, head: Head) -> SymbolicState:
    """The state that is asked about, at the head, with nothing open but its procedure."""
    return SymbolicState(asker.state.slots, asker.symbolic.fresh_state(places=[head]).frames)


def of_locals(asker: Asker, state: SymbolicState) -> Iterator[Truth]:
    """What holds of the locals at a head: they are within their domains, and what they refer to exists."""
    for number, _, locals_ in state.frames:
        for x, v in zip(asker.symbolic.functions[number].locals, locals_, strict=True):
            if not isinstance(v, int):
                yield from (n.in_bounds(v), asker.refers(x.type, v))


def taken(symbolic: Symbolic, places: Places, at: Visit, prefix: str) -> tuple[Passed, list[tuple[Places, Visit]]]:
    """Any option is taken at a label."""
    asked = symbolic.question(at.state)
    option = symbolic.any_option(at.state, prefix)
    under, decisions = at.when, at.decisions
    if asked is not None:
        under = t.both(under, asked.offered(option))
        decisions = n.add(decisions, n.truth(n.at_most(0, asked.owner)))
    outcome = symbolic.step(at.state, option, under)
    on = [(a.places, Visit(a.when, a.state, False, decisions)) for a in outcome.arrivals]
    return Passed(places, at.when, option), on


def same_slots(a: SymbolicState, b: SymbolicState) -> Truth:
    """Is everything in the state the same (what is under way aside)?"""
    return t.every(map(n.equal, a.slots, b.slots))


def joined(symbolic: Symbolic, a: Visit, b: Visit) -> Visit:
    """Either of two ways to the same label, which exclude each other."""
    masks, test = symbolic.machine.is_mask, a.when
    slots = [
        x if x is y else n.choose(test, x, y, m) for x, y, m in zip(a.state.slots, b.state.slots, masks, strict=True)
    ]
    frames = tuple(
        (number, pc, tuple(
            x if x is y else n.choose(test, x, y, isinstance(of.type, SetType))
            for x, y, of in zip(mine, others, symbolic.functions[number].locals, strict=True)))
        for (number, pc, mine), (_, _, others) in zip(a.state.frames, b.state.frames, strict=True))
    return Visit(
        t.either(a.when, b.when), SymbolicState(slots, frames), t.choose(test, a.changed, b.changed),
        n.choose(test, a.decisions, b.decisions))
