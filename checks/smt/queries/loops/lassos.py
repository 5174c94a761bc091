"""Lassos: a position and at most so many steps that lead back to it, found without exploring.

z3 finds one, the interpreter replays it and makes it smaller as long as it still closes. Two equal cards may have changed
places after a round: then it is gone round once more.
"""
from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import networkx as nx
import z3

from .....model.engine.interpreter import Interpreter
from .....model.engine.state import Option, State
from .....model.ir.flow import call_graph
from .....model.ir.types import OptionType, PlayerType, Role
from .....spec.text import Text
from ....explore.symmetry import Symmetry, interchangeable
from ... import numbers as n
from ... import truths as t
from ...numbers import Val
from ...solving import Query, of_solver, query
from ...states import Sym
from ...symbolic import SymbolicState, evaluated
from ...there import with_cards
from ...truths import Truth
from ..asking import Asker, plain_slots
from .rounds import Head, Passed, Return, Rounds, heads

LABELS = 7
"""Steps in a round at most."""
SMALLER = 4
"""How often at most all of a position is tried to be left out, one after the other."""


@dataclass
class Lasso:
    """A round that leads back to where it began: the states at its labels, and what was taken in each."""

    head: Head
    states: list[State]
    options: list[Option]
    round: int
    """After so many of them all is as before, but perhaps two equal cards have changed places."""
    after: State
    """The state when play is back at the head."""

    @property
    def begin(self) -> State:
        return self.states[0]

    @property
    def changes(self) -> bool:
        """Is something different meanwhile?"""
        return any(s.slots != self.begin.slots for s in self.states)


@dataclass
class LassoQuestion:
    """Is there a lasso from a head, in a world? Ready to be asked."""

    asker: Asker
    rounds: Rounds
    changing: bool
    """Something has to be different meanwhile; else nobody must have had a choice."""

    def closes(self, back: Return) -> Truth:
        """Play is back at the beginning, and it was no mere passing."""
        begin = self.rounds.begin
        same = [self.asker.symbolic.equal(back.state, x) for x in (begin, *mirrored(self.asker, begin))]
        idle = False if self.changing else n.equal(back.decisions, 0)
        return t.both(back.when, t.some(same), t.either(back.changed, idle))

    @property
    def conditions(self) -> list[Truth]:
        """What is asked."""
        return [*self.asker.assumed, *self.rounds.assumed, t.some(map(self.closes, self.rounds.returns))]

    def query(self, name: str) -> Query:
        return query(name, self.conditions)

    def closed(self, state: State, options: Sequence[Option]) -> Lasso | None:
        """The round in the interpreter, from the state back to it; None if it does not lead there."""
        engine, cards = Interpreter(with_cards(self.asker.program, state.slots)), self.asker.free.world.cards
        symmetry = Symmetry(self.asker.program, interchangeable(cards))
        way = played(engine, state, options)
        if way is None:
            return None
        done, mine = way, list(options)
        for c in symmetry.classes:
            if way[-1] != state and is_free(self.asker, c[0]):
                perm = swap(symmetry.identity, c[0], c[1])
                types = [point.type for s in way[:-1] if (point := engine.point(s)) is not None]
                again = [symmetry.permute_option(of, o, perm) for of, o in zip(types, options, strict=True)]
                if symmetry.permute(state, perm) == way[-1] and (back := played(engine, way[-1], again)) is not None:
                    done, mine = [*way, *back[1:]], [*options, *again]
        if done[-1] != state:
            return None
        lasso = Lasso(self.rounds.head, done[:-1], mine, len(options), done[-1])
        return lasso if lasso.changes or not self.changing else None

    def refined(self, state: State, options: Sequence[Option]) -> bool:
        """Can more be said of what is asked, since this was not meant?"""
        return False

    def confirmed(self, lasso: Lasso) -> Text | None:
        """Why it is not known whether the loop goes on for ever; None if it does, as when all is as before."""
        return None


def heads_to_ask(asker: Asker, texts: bool) -> list[Head]:
    """The heads of a world to ask about: where there are texts of cards, only those from which one is carried out."""
    calls = call_graph(asker.program)
    return [h for h in heads(asker.program) if not texts or any(map(is_text, nx.descendants(calls, h[0])))]


def is_text(function: str) -> bool:
    """Is it what a card says?"""
    return function.startswith(("text ", "cost "))


# ---------------------------------------------------------------- equal cards
def mirrored(asker: Asker, state: SymbolicState) -> list[SymbolicState]:
    """The state with two equal cards in each other's place, if there are any."""
    classes = Symmetry(asker.program, interchangeable(asker.free.world.cards)).classes
    return [exchanged(asker, state, c[0], c[1]) for c in classes if is_free(asker, c[0])]


def is_free(asker: Asker, card: int) -> bool:
    """Is anything about the card unknown?"""
    return not isinstance(asker.state.slots[asker.layout.location + card], int)


def exchanged(asker: Asker, state: SymbolicState, c: int, d: int) -> SymbolicState:
    """The state in which card `c` has the part that card `d` has here, and the reverse."""
    layout = asker.layout
    slots = list(state.slots)
    for block in layout.per_card:
        slots[block + c], slots[block + d] = slots[block + d], slots[block + c]
    slots = [named(s.type.role, v, c, d) for s, v in zip(layout.slots, slots, strict=True)]
    s = Sym(slots)
    for m in layout.containers.values():
        if not m.is_pool:
            asker.symbolic.machine.sort(s, m)
    frames = tuple(
        (number, pc, tuple(
            named(x.type.role, v, c, d) for x, v in zip(asker.symbolic.functions[number].locals, locals_, strict=True)))
        for number, pc, locals_ in state.frames)
    return SymbolicState(s.slots, frames)


def named(role: Role, v: Val, c: int, d: int) -> Val:
    """The value with the one card named for the other."""
    if role in (Role.CARD, Role.OBJECT):
        return n.select([(n.equal(v, c), d), (n.equal(v, d), c)], v)
    if role is Role.CARDS:
        members = list(n.bits(v, max(c, d) + 1))
        members[c], members[d] = members[d], members[c]
        return n.bits_of(members)
    return v


# ---------------------------------------------------------------- asking
NOT_BACK = Text(ja="参照エンジンではその局面に戻らない", en="the interpreter does not come back to the position")
TOO_MANY_PLACES = Text(ja="途中で通る所が多すぎる", en="too many different places meanwhile")


@dataclass
class LassoAnswer:
    """What came of a question: a lasso, or none, or why that is not known."""

    lasso: Lasso | None = None
    unknown: Text | None = None


def solved(question: LassoQuestion) -> LassoAnswer:
    """Ask z3; replay what it says, and make it smaller."""
    asker, r = question.asker, question.rounds
    todo = list(r.returns)
    while todo:
        back = todo[0]
        closes = question.closes(back)
        if closes is False:
            todo.pop(0)
            continue
        solver = z3.Then("simplify", "propagate-values", "solve-eqs", "bit-blast", "sat").solver()
        solver.set("timeout", max(1, int(asker.seconds * 1000)))
        solver.add(*t.conjuncts([*asker.assumed, *r.assumed, closes]))
        said = solver.check()
        if said == z3.unknown:
            return LassoAnswer(None, of_solver(solver.reason_unknown()))
        if said == z3.sat:
            model = solver.model()
            state = asker.symbolic.concrete(model, r.begin)
            options = [taken(passed, model) for passed in r.passed[:back.labels]]
            lasso = question.closed(state, options)
            if lasso is None and question.refined(state, options):
                continue
            if lasso is None:
                return LassoAnswer(None, NOT_BACK)
            lasso = smaller(question, lasso)
            why = question.confirmed(lasso)
            return LassoAnswer(None, why) if why else LassoAnswer(lasso)
        todo.pop(0)
    return LassoAnswer() if r.whole else LassoAnswer(None, TOO_MANY_PLACES)


def taken(passed: Sequence[Passed], model: z3.ModelRef) -> Option:
    """The option that a model takes after so many steps."""
    for p in passed:
        if evaluated(model, n.truth(p.when)):
            return tuple(evaluated(model, v) for v in p.option)
    return ()


def played(engine: Interpreter, state: State, options: Sequence[Option]) -> list[State] | None:
    """The states on the way, the last included; None if an option is not offered or play ends."""
    way = [state]
    for option in options:
        point = engine.point(way[-1])
        if point is None or option not in point.options:
            return None
        way.append(engine.apply(way[-1], option).state)
        if way[-1].end is not None:
            return None
    return way


def swap(identity: Sequence[int], c: int, d: int) -> tuple[int, ...]:
    return tuple(d if k == c else c if k == d else k for k in identity)


# ---------------------------------------------------------------- the smallest
def smaller(question: LassoQuestion, lasso: Lasso) -> Lasso:
    """The lasso without what it does not need: cards, entries, values that are not as at first."""
    asker = question.asker
    for _ in range(SMALLER):
        before = lasso.begin
        for change in (first_players(asker, before.slots), *changes(asker)):
            slots = tuple(change.get(k, v) for k, v in enumerate(lasso.begin.slots))
            tried = (
                None
                if slots == lasso.begin.slots
                else question.closed(lasso.begin._replace(slots=slots), lasso.options[: lasso.round])
            )
            if tried is not None and tried.changes >= lasso.changes and allowed(asker, tried.begin):
                lasso = tried
        if lasso.begin == before:
            break
    return lasso


def changes(asker: Asker) -> Iterator[dict[int, int]]:
    """What makes a position smaller: a card that is not there, a container with nothing in it, a value as at first."""
    layout = asker.layout
    initial = [s.initial for s in layout.slots]
    for c in reversed(range(layout.card_count)):
        yield {block + c: initial[block + c] for block in layout.per_card} | {layout.location + c: -1}
    yield from ({k: initial[k] for k in m.slots} for m in layout.containers.values())
    yield from ({k: initial[k]} for k in reversed(plain_slots(layout)))


def first_players(asker: Asker, slots: Sequence[int]) -> dict[int, int]:
    """The same with the first player's zones and entries in place of the other's."""
    layout = asker.layout
    same = {(z.field, z.number): k for k, z in enumerate(layout.zones) if z.player == 0}
    new: dict[int, int] = {}
    for c in (c for c in range(layout.card_count) if is_free(asker, c)):
        zone = layout.zones[slots[layout.location + c]]
        if slots[layout.location + c] >= 0 and zone.player == 1:
            new[layout.location + c] = same[zone.field, zone.number]
    for m in layout.containers.values():
        for k in (c + j for c in m.columns for j in range(m.capacity)):
            of = layout.slots[k].type
            if slots[k] == 1 and isinstance(of.inner if isinstance(of, OptionType) else of, PlayerType):
                new[k] = 0
    return new


def allowed(asker: Asker, state: State) -> bool:
    """Is it a position that can be asked about?"""
    with asker.given([n.equal(v, known) for v, known in zip(asker.state.slots, state.slots, strict=True)]):
        return asker.check(time.monotonic() + asker.seconds).model is not None
