"""Questions to z3: is there such a state, and which is the smallest? An answer is never a bare yes or no."""
from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import z3

from ....model.ir.program import ContainerInfo, Layout
from ....model.ir.types import AbilityType, EnumType, Int, OptionType, Role, SetType, Type, UnionType
from ....model.lang.declare import as_words
from ....model.lang.world import World
from ....spec.text import Text
from ...findings.record import Assumption, Given
from .. import masks
from .. import numbers as n
from .. import truths as t
from ..expressions import total
from ..integers import NoIntegers
from ..invariants import Held, is_in_use
from ..leaving import ranges_taken_as_given
from ..numbers import Val
from ..solving import FIRST, Query, Reply, asked, check_within, collect, in_integers, of_solver
from ..symbolic import SymbolicState, evaluated
from ..truths import Truth
from ..worlds import FreeWorld
from .substituting import Substitution

SECONDS = 20.0
"""How long one question may take, unless told otherwise."""
SHARE = 0.4
"""Of what is left when bit vectors gave no answer at first, how much is for integers."""

TIMEOUT = Text(ja="時間切れ", en="timeout")
PLAIN_SHARE = 0.75
"""Of what is left then, how much is for the plainest states at most. Where there is none among them that is known soon."""


@dataclass(frozen=True)
class Answered:
    """What came of a question: a model (None where there is none), or why that is not known. `smallest`: no smaller
    model was left unlooked for."""

    model: z3.ModelRef | None
    unknown: Text | None = None
    smallest: bool = True
    plain: tuple[z3.BoolRef, ...] = ()
    """The question as it was asked of the plainest states, if only these were asked about (`in_plain_states`)."""


@dataclass
class Asker:
    """Asks about the states of a world that satisfy what holds of every state. A card may lie nowhere: then it does not
    exist, and nothing refers to it."""

    free: FreeWorld
    seconds: float = SECONDS
    known: Mapping[int, Val] = field(default_factory=dict[int, Val])
    """Slots of which more is known, beside the readings."""

    def __post_init__(self) -> None:
        self.symbolic = self.free.symbolic
        self.layout = self.symbolic.layout
        self.program = self.symbolic.program
        self.state = self.symbolic.fresh_state(known=self.known_slots())
        self.words, self.havers = words_of(self.free.world), havers_of(self.free.world)
        self.there = [n.at_most(0, self.state.slots[self.layout.location + c]) for c in range(self.layout.card_count)]
        self.solver = z3.Solver()
        self.solver.set("random_seed", 0)
        self.assumed: list[Truth] = [
            h.condition for h in self.symbolic.invariants(self.state, nowhere=True) if self.is_asked_of(h)
        ]
        self.assumed += (c for c in self.references(self.state) if c is not True)
        for c in self.assumed:
            self.solver.add(t.term(c))
        self.summing = False
        """This question is one for integers (sums over many places)."""
        self.plain: tuple[z3.BoolRef, ...] = ()
        """This question as it is asked of the plainest states, if only these are."""
        self.departed = self.departures()
        ordinary = self.program.known_as.get("ordinary position")
        self.odd: Val = n.truth(t.no(self.symbolic.evaluate(ordinary, self.state).holds)) if ordinary else 0
        self.sizes = self.measures(self.state)

    def known_slots(self) -> dict[int, Val]:
        """Slots of which something is known."""
        return {**self.known, **self.open_readings()}

    def is_asked_of(self, held: Held) -> bool:
        """Do the states that are asked about have to satisfy this?"""
        return True

    # ------------------------------------------------------------ readings
    def open_readings(self) -> dict[int, Val]:
        """Readings that are not given are any of their alternatives: each has been consulted."""
        return {
            slot: n.variable(f"reading {name}", 0, len(self.program.readings[name]) - 1)
            for name, slot in self.program.reading_slots.items()}

    def departures(self) -> Val:
        """How many readings are not the book's defaults."""
        book = self.free.book.readings
        return n.count([
            t.no(n.equal(self.state.slots[slot], self.program.readings[name].index(book[name].default.value)))
            for name, slot in self.program.reading_slots.items()])

    # ------------------------------------------------------------ what does not exist
    def references(self, state: SymbolicState) -> Iterator[Truth]:
        """What refers to a card refers to one that exists; a card that does not has nothing on it."""
        for s, v in zip(self.layout.slots, state.slots, strict=True):
            yield self.refers(s.type, v)
        for m in self.layout.containers.values():
            for k in range(m.capacity):
                for used, column, of in columns_in_use(m, state.slots, k):
                    yield t.either(t.no(used), self.brought_along(of, state.slots[column + k], first=0))
        for first in self.layout.per_card:
            if first == self.layout.location:
                continue
            for c, there in enumerate(self.there):
                yield t.either(there, n.equal(state.slots[first + c], self.layout.slots[first + c].initial))

    def refers(self, of: Type, v: Val) -> Truth:
        """Does a value refer only to cards that exist, and to what cards that exist bring along?"""
        if of.role is Role.CARDS:
            return t.every(t.either(t.no(b), self.there[c]) for c, b in enumerate(n.bits(v)) if c < len(self.there))
        if of.role in (Role.CARD, Role.OBJECT):
            return t.every(t.either(t.no(n.equal(v, c)), there) for c, there in enumerate(self.there))
        return self.brought_along(of, v, first=0 if isinstance(of, OptionType | SetType) else 1)

    def brought_along(self, of: Type, v: Val, first: int) -> Truth:
        """Where a value is a word or an ability (from number `first` on: 0 also stands in what is not in use), does a card
        that has it exist?"""
        inner = of.inner if isinstance(of, OptionType | SetType) else of
        bits = n.bits(v, of.span) if isinstance(of, SetType) else ()
        return t.every(
            t.either(t.no(bits[k] if bits else n.equal(v, k)), t.some(self.there[c] for c in cards))
            for k, cards in self.bringing(inner) if k >= first)

    def bringing(self, of: Type) -> list[tuple[int, list[int]]]:
        """The values of a type that only cards bring along (their words, their abilities), and the cards that do."""
        if isinstance(of, EnumType):
            return [(k, self.words.get(of.members[k], [])) for k in range(of.listed, len(of.members))]
        return list(enumerate(self.havers)) if isinstance(of, AbilityType) else []

    # ------------------------------------------------------------ what is taken as given
    def assumptions(self) -> Iterator[Assumption]:
        """What an answer about all these states rests on: it is about no others. A field that no rule writes may have any value, since
        a scenario may set it."""
        called, layout = self.free.book.vocabulary.of, self.layout
        yield Assumption(
            Given.CARDS,
            (str(layout.card_count),),
            tuple(dict.fromkeys(c.definition.name for c in self.free.world.cards)),
        )
        for most in dict.fromkeys(m.capacity for m in layout.containers.values()):
            names = tuple(called(m.name) for m in layout.containers.values() if m.capacity == most)
            yield Assumption(Given.ENTRIES, (str(most),), names)
        yield from ranges_taken_as_given([self.program], called)
        kept = (*plain_slots(layout), *(c for m in layout.containers.values() for c in m.columns))
        if any(isinstance(layout.slots[k].type, Int) for k in kept):
            yield Assumption(Given.CAPS)
        if self.program.invariants:
            yield Assumption(Given.CONDITIONS, (), tuple(called(name) for name in self.program.invariants))
        yield Assumption(Given.READINGS, ("any" if self.program.reading_slots else "default",))
        given = self.free.world.readings
        for name, r in self.free.book.readings.items():
            if name in self.program.consulted and not isinstance(r.answers, tuple) and name not in given:
                yield Assumption(Given.READINGS, (name, r.default.value), (r.question,))

    # ------------------------------------------------------------ how large a state is
    def measures(self, state: SymbolicState) -> list[Val]:
        """Cards; places that are not as at first; by how much."""
        others = sorted(set(range(len(state.slots))) - self.layout.placing - set(self.program.reading_slots.values()))
        changed = [t.no(n.equal(state.slots[k], self.layout.slots[k].initial)) for k in others]
        by = [self.distance(k, state.slots[k]) for k in others]
        return [n.count(self.there), n.count(changed), total(by)]

    def distance(self, slot: int, v: Val) -> Val:
        of, initial = self.layout.slots[slot].type, self.layout.slots[slot].initial
        if isinstance(of, SetType):
            return n.count(n.bits(masks.differ(v, initial)))
        if isinstance(of, Int) or (isinstance(of, OptionType) and isinstance(of.inner, Int)):
            return n.absolute(n.subtract(v, initial))
        return n.truth(t.no(n.equal(v, initial)))

    # ------------------------------------------------------------ asking
    @contextmanager
    def given(self, conditions: Sequence[Truth]) -> Iterator[None]:
        """Asked under these conditions."""
        whole = self.solver
        self.solver.push()
        self.summing, self.plain = False, ()
        try:
            for c in conditions:
                self.solver.add(t.term(c))
            yield
        finally:
            self.solver, self.plain = whole, ()
            self.solver.pop()

    def possible(self, *conditions: Truth) -> Answered:
        """Is there such a state?"""
        with self.given(conditions):
            answer = self.at_first(time.monotonic() + self.seconds)
            self.keep(answer)
        return answer

    def smallest(self, *conditions: Truth, before: Sequence[Val] = (), more: Sequence[Val] = ()) -> Answered:
        """The smallest such state: under the default readings, if there is one; one that the book calls ordinary, if there is one; the
        least of `before`; the fewest cards, then the fewest places that are not as at first, then the least values, `more` of them last."""
        until = time.monotonic() + self.seconds
        with self.given(conditions):
            best = self.at_first(until)
            self.keep(best)
            plain = best.plain
            if best.model is not None:
                for size in [self.departed, self.odd, *before, *self.sizes, *more]:
                    best = self.least(size, best, until)
                best = self.first_of_equals(best, until)
                best = replace(best, smallest=best.smallest and not plain, plain=plain)
        return best

    def briefly(self, condition: Truth, seconds: float) -> Answered:
        """Is there such a state? In bit vectors only: where the answer is wanted only if there is none."""
        with self.given([condition]):
            return self.in_bits(time.monotonic() + min(self.seconds, seconds))

    def keep(self, answer: Answered) -> None:
        """Where there is no such state: keep the question for its certificate, if one is wanted."""
        if answer.model is None and not answer.unknown:
            collect(Query("", tuple(self.told())))

    def least(self, size: Val, best: Answered, until: float) -> Answered:
        """The best answer with the least value of `size`, which it keeps from now on."""
        assert best.model is not None
        low, now = n.lo_of(size), evaluated(best.model, size)
        while low < now:
            middle = (low + now) // 2
            self.solver.push()
            self.solver.add(t.term(n.at_most(size, middle)))
            answer = self.check(until)
            self.solver.pop()
            if answer.unknown:
                best = Answered(best.model, smallest=False)
                break
            if answer.model is None:
                low = middle + 1
            else:
                best = Answered(answer.model, smallest=best.smallest)
                now = evaluated(answer.model, size)
        self.solver.add(t.term(n.at_most(size, now)))
        return best

    def first_of_equals(self, best: Answered, until: float) -> Answered:
        """Of equally small states the one that every run gives: what lies last is as at first (cards: do not exist) if it
        can be, and has its least value if not."""
        places = range(self.layout.location, self.layout.location + self.layout.card_count)
        for k in reversed(range(len(self.state.slots))):
            v, slot = self.state.slots[k], self.layout.slots[k]
            if isinstance(v, int):
                continue
            plain = t.term(n.equal(v, n.lo_of(v) if k in places else slot.initial))
            assert best.model is not None
            if not z3.is_true(best.model.eval(plain, model_completion=True)):
                self.solver.push()
                self.solver.add(plain)
                answer = self.check(until)
                self.solver.pop()
                if answer.unknown:
                    return Answered(best.model, smallest=False)
                if answer.model is None:
                    if not isinstance(slot.type, SetType):
                        best = self.least(v, best, until)
                    continue
                best = Answered(answer.model, smallest=best.smallest)
            self.solver.add(plain)
        return best

    def at_first(self, until: float) -> Answered:
        """Of all such states for a moment; where that gives no answer, of the plainest; then of all again."""
        answer = self.in_bits(min(until, time.monotonic() + FIRST))
        if not answer.unknown:
            return answer
        plain = self.in_plain_states(time.monotonic() + PLAIN_SHARE * (until - time.monotonic()))
        return self.check(until) if plain is None else plain

    def in_plain_states(self, until: float) -> Answered | None:
        """One in which every number is as at first. A question is much smaller where numbers are known (loops over times,
        sums), and a state found is one of all. That none is found among these says nothing of the others. What else
        this question asks is asked of these states."""
        others = self.layout.placing | {m.head for m in self.layout.containers.values()}
        numbers = [
            (v, slot.initial) for k, (v, slot) in enumerate(zip(self.state.slots, self.layout.slots, strict=True))
            if isinstance(slot.type, Int) and k not in others and not isinstance(v, int)]
        changed = Substitution(numbers)(self.told())
        whole, self.solver = self.solver, z3.SimpleSolver()
        self.solver.set("random_seed", 0)
        self.plain = (*map(simplified, changed), *(t.term(n.equal(v, at_first)) for v, at_first in numbers))
        self.solver.add(*self.plain)
        answer = self.in_bits(until)
        if answer.model is not None:
            return replace(answer, plain=self.plain)
        self.solver, self.plain = whole, ()
        return None

    def check(self, until: float) -> Answered:
        """In bit vectors for some time, then in integers, then in bit vectors again; once integers were needed, at once."""
        if self.plain:
            return self.in_bits(until)
        if not self.summing:
            answer = self.in_bits(min(until, time.monotonic() + FIRST))
            if not answer.unknown:
                return answer
        answer = self.in_integers(time.monotonic() + SHARE * (until - time.monotonic()))
        self.summing = not answer.unknown
        return self.in_bits(until) if answer.unknown else answer

    def told(self) -> list[z3.BoolRef]:
        """All that the solver was told."""
        told = self.solver.assertions()
        return [told[k] for k in range(len(told))]  # pyright: ignore[reportReturnType]

    def in_integers(self, until: float) -> Answered:
        left = until - time.monotonic()
        if left <= 0:
            return Answered(None, TIMEOUT)
        try:
            return answered(in_integers(Query("", tuple(self.told())), left, 0))
        except NoIntegers as e:
            return Answered(None, of_solver(str(e)))

    def in_bits(self, until: float) -> Answered:
        left = until - time.monotonic()
        if left <= 0:
            return Answered(None, TIMEOUT)
        found = check_within(self.solver, max(1, int(left * 1000)))
        if found == z3.sat:
            return Answered(self.solver.model())
        return Answered(None, None if found == z3.unsat else of_solver(self.solver.reason_unknown()))

    def in_bits_at_once(self, until: float) -> Answered:
        """Asked anew of a solver that turns everything into bits before it looks for a model. (One that is asked again after something
        was taken back does not do so.)"""
        left = until - time.monotonic()
        if left <= 0:
            return Answered(None, TIMEOUT)
        return answered(asked(z3.SolverFor("QF_BV"), self.told(), left))


def assumed_by(askers: Sequence[Asker]) -> tuple[Assumption, ...]:
    """What answers about the states of these worlds rest on; the cards of all of them together."""
    out: list[Assumption] = []
    for a in (a for asker in askers for a in asker.assumptions()):
        known = next((k for k, b in enumerate(out) if (a.kind, a.values) == (b.kind, b.values)), None)
        if known is None:
            out.append(a)
        else:
            out[known] = replace(out[known], what=tuple(dict.fromkeys((*out[known].what, *a.what))))
    return tuple(out)


def assumed_by_each(askers: Sequence[Asker]) -> Iterator[Assumption]:
    """The same where each world has other cards: how many at most, and how many worlds."""
    given = assumed_by(askers)
    names = tuple(dict.fromkeys(name for a in given if a.kind is Given.CARDS for name in a.what))
    yield Assumption(Given.CARDS, (str(max((a.layout.card_count for a in askers), default=0)), str(len(askers))), names)
    yield from (a for a in given if a.kind is not Given.CARDS)


def answered(reply: Reply) -> Answered:
    """What a solver said, as an answer."""
    return Answered(reply.model, reply.reason if reply.verdict == "unknown" else None)


def columns_in_use(m: ContainerInfo, slots: Sequence[Val], k: int) -> Iterator[tuple[Truth, int, Type]]:
    """When place `k` of a container is in use: which columns are, too, and what they hold."""
    used = is_in_use(m, slots, k)
    if not isinstance(m.type, UnionType):
        yield from ((used, column, of) for column, of in zip(m.columns, m.type.flat(), strict=False))
        return
    columns = iter(m.columns[1:])
    for tag, variant in enumerate(m.type.variants):
        is_it = t.both(used, n.equal(slots[m.columns[0] + k], tag))
        yield from ((is_it, next(columns), of) for of in variant.flat())


def words_of(world: World) -> dict[str, list[int]]:
    """The words that are on cards, and the numbers of the cards that have them."""
    found: dict[str, list[int]] = {}
    for c, copy in enumerate(world.cards):
        said = [*copy.definition.attributes.values(), *(v for a in copy.definition.abilities for v in a.facts.values())]
        for word in {w.text for v in said for w in as_words(v)}:
            found.setdefault(word, []).append(c)
    return found


def havers_of(world: World) -> list[list[int]]:
    """Of each ability the numbers of the cards that have it."""
    return [
        [c for c, copy in enumerate(world.cards) if copy.definition.id == d.id]
        for d in world.definitions for _ in d.abilities]


def plain_slots(layout: Layout) -> list[int]:
    """The slots that hold values of their own: not where cards lie, nor entries, nor readings."""
    taken = layout.in_containers | layout.placing | set(layout.given.values())
    return [k for k, s in enumerate(layout.slots) if k not in taken and s.group in layout.fields]


def simplified(term: z3.ExprRef) -> z3.BoolRef:
    found = z3.simplify(term)
    assert isinstance(found, z3.BoolRef)
    return found
