"""Growing loops: a round that leaves everything as it was, but for counters that are larger.

That it can be repeated for ever is shown by induction, not by repeating it: with any larger values of these counters the same
options lead the same way, to the same position with still larger ones. So what a round leaves is all that the next one needs.
The ranges of counters and locals are the model's, not the rules': the proof is made with ranges of a million million.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from .....model.engine.interpreter import Interpreter
from .....model.engine.state import Option, State
from .....model.ir.program import Program
from .....model.ir.types import Int, Role, Type
from .....spec.text import Text
from ... import numbers as n
from ... import truths as t
from ...numbers import Val
from ...solving import Query, query
from ...solving import ask as ask_solver
from ...symbolic import Symbolic, SymbolicState
from ...there import There, with_cards
from ...truths import Truth
from ..asking import Asker, plain_slots
from .lassos import Lasso, LassoQuestion, played
from .rounds import Return

NOT_LARGER = Text(ja="もっと大きい値ではそうならないことがある", en="with a larger value it may be otherwise")
ENOUGH = 10 ** 12
"""Counters and locals go so far where it is proved that a round repeats for ever."""


@dataclass
class GrowingQuestion(LassoQuestion):
    """Is there a growing loop from a head, in a world? `still`: numbers that a second round left alone."""

    still: set[int] = field(default_factory=set[int])

    def closes(self, back: Return) -> Truth:
        """Play is back at the head, and all is as it was but for counters that are larger (or smaller, if they can be
        negative)."""
        begin, counters = self.rounds.begin, set(self.counters())
        same = t.every(
            n.equal(v, w)
            for k, (v, w) in enumerate(zip(back.state.slots, begin.slots, strict=True))
            if k not in counters
        )
        larger = t.every(n.at_most(begin.slots[k], back.state.slots[k]) for k in counters if not self.is_signed(k))
        moved = t.some(t.no(n.equal(begin.slots[k], back.state.slots[k])) for k in counters)
        frames = self.asker.symbolic.equal(SymbolicState([], back.state.frames), SymbolicState([], begin.frames))
        return t.both(back.when, same, larger, moved, frames)

    def counters(self) -> Iterator[int]:
        """The slots that hold a number."""
        layout = self.asker.layout
        return (k for k in plain_slots(layout) if is_counter(layout.slots[k].type) and k not in self.still)

    def is_signed(self, slot: int) -> bool:
        return self.asker.layout.slots[slot].type.lo < 0

    def closed(self, state: State, options: Sequence[Option]) -> Lasso | None:
        """The round in the interpreter, if all is as before but for counters that grow, and grow again if it is repeated."""
        engine = Interpreter(with_cards(self.asker.program, state.slots))
        way = played(engine, state, options)
        if way is None or way[-1].frames != state.frames:
            return None
        grown, known = difference(state, way[-1]), set(self.counters())
        if not grown or any(k not in known or (by < 0 and not self.is_signed(k)) for k, by in grown.items()):
            return None
        again = played(engine, way[-1], options)
        if again is not None and difference(way[-1], again[-1]).keys() != grown.keys():
            return None
        return Lasso(self.rounds.head, way[:-1], list(options), len(options), way[-1])

    def refined(self, state: State, options: Sequence[Option]) -> bool:
        """A number that a second round leaves alone was only set to something: it is not asked about any more."""
        engine = Interpreter(with_cards(self.asker.program, state.slots))
        way = played(engine, state, options)
        again = None if way is None else played(engine, way[-1], options)
        if way is None or again is None:
            return False
        left = difference(state, way[-1]).keys() - difference(way[-1], again[-1]).keys() - self.still
        self.still |= left
        return bool(left)

    def confirmed(self, lasso: Lasso) -> Text | None:
        """Why it is not known whether the loop repeats for ever; None where that is proved."""
        return repeats(self.asker, lasso)


def difference(a: State, b: State) -> dict[int, int]:
    """The slots that differ, and by how much."""
    return {k: w - v for k, (v, w) in enumerate(zip(a.slots, b.slots, strict=True)) if v != w}


def is_counter(of: Type) -> bool:
    return isinstance(of, Int) and of.role is Role.PLAIN and of.most > 1


# ---------------------------------------------------------------- induction
def repeats(asker: Asker, lasso: Lasso) -> Text | None:
    """Why the round may not repeat for ever; None if it does."""
    for asked in steps(asker, lasso):
        reply = ask_solver(asked, asker.seconds)
        if reply.verdict != "unsat":
            why = reply.reason or NOT_LARGER
            return Text(ja=f"{asked.name}: {why.ja}", en=f"{asked.name}: {why.en}")
    return None


def steps(asker: Asker, lasso: Lasso) -> Iterator[Query]:
    """What has to be without a model for the round to repeat for ever, with any values further on."""
    assert lasso.after is not None
    grown = difference(lasso.begin, lasso.after)
    program = widened(asker.program, frozenset(grown))
    symbolic = Symbolic(program, There(program))
    values: dict[int, Val] = {k: further(k, lasso.begin.slots[k], by) for k, by in grown.items()}
    range_ = [t.both(n.in_bounds(v), n.between(v, -ENOUGH // 2, ENOUGH // 2)) for v in values.values()]
    at = symbolic.state_of(lasso.begin)
    at = SymbolicState([values.get(k, v) for k, v in enumerate(at.slots)], at.frames)
    begin, reached = at, True
    for number, (option, after) in enumerate(zip(lasso.options, [*lasso.states[1:], lasso.after], strict=True)):
        asked = symbolic.question(at)
        if asked is not None:
            reached = t.both(reached, asked.offered(option))
        places = tuple((symbolic.functions[f[0]].name, f[1]) for f in after.frames)
        way = next((a for a in symbolic.step(at, option).arrivals if a.places == places), None)
        if way is None:
            reached = False
            break
        reached, at = t.both(reached, way.when), way.state
        yield query(f"step {number + 1} of the round is as before", [*range_, t.no(reached)])
    same = [t.no(n.equal(v, w)) for k, (v, w) in enumerate(zip(at.slots, begin.slots, strict=True)) if k not in grown]
    back = [n.less(v, n.add(begin.slots[k], 1)) if by > 0 else n.less(n.subtract(begin.slots[k], 1), v)
            for k, by in grown.items() for v in [at.slots[k]]]
    frames = symbolic.equal(SymbolicState([], at.frames), SymbolicState([], begin.frames))
    yield query(
        "after the round all is as before, or further on",
        [*range_, t.some([t.no(reached), *same, *back, t.no(frames)])],
    )


def further(slot: int, value: int, by: int) -> Val:
    """A value that has gone as far, or further."""
    return n.variable(f"grown {slot}", value, ENOUGH) if by > 0 else n.variable(f"grown {slot}", -ENOUGH, value)


def widened(program: Program, slots: frozenset[int]) -> Program:
    """The program with room for these counters, and for every number that is worked out of them."""
    layout = program.layout
    return replace(
        program,
        layout=replace(layout, slots=tuple(
            replace(s, type=wide(s.type)) if k in slots else s for k, s in enumerate(layout.slots))),
        functions={
            name: replace(fn, locals=[replace(x, type=wide(x.type)) if is_counter(x.type) else x for x in fn.locals])
            for name, fn in program.functions.items()})


def wide(of: Type) -> Type:
    assert isinstance(of, Int)
    return replace(of, most=ENOUGH, least=-ENOUGH if of.least < 0 else of.least)
