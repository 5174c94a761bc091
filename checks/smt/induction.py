"""Does every piece of play keep the book's invariants, from every state that has them?

What is proved holds for every play in worlds of this many cards and these capacities, however deep effects nest, that
begins in a state with the invariants. What containers contribute is assumed: their own operations keep it, but that a
reference is to an entry in use depends on the rules too, and is not proved here. A proof that nothing can go on
(because every way exceeds a bound) would say nothing: so each piece is asked for a way that goes on, and those without
one are named.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...model.engine.interpreter import Frame as EngineFrame
from ...model.engine.interpreter import Interpreter
from ...model.engine.state import State
from . import truths as t
from .callers import Callers
from .numbers import Beyond
from .segments import Begin, Piece, begins, piece
from .solving import SECONDS, Query, Reply, ask, query
from .symbolic import Symbolic, SymbolicState, evaluated
from .truths import Truth


@dataclass(frozen=True)
class Breach:
    """A state with all invariants, and a piece of play after which one does not hold: what a proof by induction fails
    on. Locals and slots need not belong together as they do in play, so it may be that nobody comes there. `checked`:
    the interpreter, going on from it to the next label, finds the invariant broken there, too."""

    invariant: str
    begin: Begin
    state: State
    option: tuple[int, ...]
    after: tuple[int, ...]
    checked: bool


@dataclass
class Induction:
    """What was found of each invariant. `pieces`: how many were looked at; `overflows`: slots that some piece may take
    beyond their domain, and in which pieces; `stuck`: pieces without a way that goes on; `unknown`: what no answer was
    found to, with the reason."""

    pieces: int = 0
    proved: list[str] = field(default_factory=list[str])
    certain: list[str] = field(default_factory=list[str])
    """Those that no state of this world could break, whatever the rules: the world has no card for it, say."""
    breaches: list[Breach] = field(default_factory=list[Breach])
    overflows: dict[str, list[Begin]] = field(default_factory=dict[str, list[Begin]])
    stuck: list[Begin] = field(default_factory=list[Begin])
    unknown: list[tuple[Begin, str, str]] = field(default_factory=list[tuple[Begin, str, str]])
    queries: list[tuple[Query, Reply]] = field(default_factory=list[tuple[Query, Reply]], repr=False)


def prove_invariants(symbolic: Symbolic, seconds: float = SECONDS, overflows: bool = True) -> Induction:
    """Ask every piece of the program."""
    out = Induction()
    broken: set[str] = set()
    doubtful: set[str] = set()
    callers = Callers(symbolic)
    for begin in begins(symbolic.program):
        try:
            one = piece(symbolic, begin, callers)
        except Beyond as e:
            out.unknown.append((begin, "", str(e)))
            doubtful.update(symbolic.program.invariants)
            continue
        out.pieces += 1
        holds = [*(h.condition for h in symbolic.invariants(one.state)), *one.assumed]

        def put(what: str, *conditions: Truth, holds: list[Truth] = holds, begin: Begin = begin) -> Reply:
            asked = query(f"{begin.function} at {begin.pc}: {what}", [*holds, *conditions])
            reply = ask(asked, seconds)
            out.queries.append((asked, reply))
            if reply.verdict == "unknown":
                out.unknown.append((begin, what, reply.reason))
            return reply
        for name in symbolic.program.invariants:
            reply = put(name, t.some(broken_ways(symbolic, one, name)))
            if reply.verdict == "unknown":
                doubtful.add(name)
            if reply.model is not None:
                broken.add(name)
                out.breaches.append(breach(symbolic, one, name, reply))
        if put("goes on", one.goes_on).verdict == "unsat" and put("is there").verdict == "sat":
            out.stuck.append(begin)
        if overflows:
            for slot, ways in overflowing(symbolic, one).items():
                if put(f"{slot} overflows", t.some(ways)).verdict == "sat":
                    out.overflows.setdefault(slot, []).append(begin)
    anywhere = symbolic.fresh_state()
    contained = [h.condition for h in symbolic.invariants(anywhere, books=False)]
    for name in symbolic.program.invariants:
        asked = query(f"{name} can be broken", [*contained, t.no(symbolic.evaluate(name, anywhere).holds)])
        reply = ask(asked, seconds)
        out.queries.append((asked, reply))
        if reply.verdict == "unsat":
            out.certain.append(name)
    out.proved = [x for x in symbolic.program.invariants if x not in broken | doubtful]
    return out


def broken_ways(symbolic: Symbolic, one: Piece, invariant: str) -> Iterator[Truth]:
    """For each way out of a piece, that it is gone and the invariant does not hold then (or cannot be told)."""
    for when, slots in ((x.when, x.state.slots) for x in one.arrivals):
        yield t.both(when, t.no(symbolic.evaluate(invariant, SymbolicState(slots)).holds))
    for way in one.left:
        yield t.both(way.when, t.no(symbolic.evaluate(invariant, SymbolicState(way.slots)).holds))


def overflowing(symbolic: Symbolic, one: Piece) -> dict[str, list[Truth]]:
    """By slot group: when a bound is exceeded there."""
    out: dict[str, list[Truth]] = {}
    for h in one.halts:
        if h.kind == "bound":
            name = symbolic.layout.slots[h.slot].group if h.slot >= 0 else h.detail
            out.setdefault(name, []).append(h.when)
    return out


def breach(symbolic: Symbolic, one: Piece, invariant: str, reply: Reply) -> Breach:
    """The state that a model gives, and what the interpreter makes of it."""
    assert reply.model is not None
    state = symbolic.concrete(reply.model, one.state)
    option = tuple(evaluated(reply.model, v) for v in one.option)
    after = carried_out(Interpreter(symbolic.program), one.begin, state, option)
    engine = Interpreter(symbolic.program)
    return Breach(invariant, one.begin, state, option, after, engine.evaluate(invariant, State(after, ())) != 1)


def carried_out(engine: Interpreter, begin: Begin, state: State, option: tuple[int, ...]) -> tuple[int, ...]:
    """The slots at the next label, by the interpreter: play begins in the procedure, as if nobody had called it."""
    if begin.kind == "label":
        return engine.apply(state, option).state.slots
    frame = state.frames[0]
    engine.frames = [EngineFrame(engine.numbered[frame[0]], frame[1], list(frame[2:]))]
    return engine._run(list(state.slots), None, 0).state.slots  # pyright: ignore[reportPrivateUsage]
