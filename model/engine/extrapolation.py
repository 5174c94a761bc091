"""Counters without an end, in finitely many states: from some value on, larger ones are not told apart.

What is kept of a counter is how far it lies above the next smaller one that it is compared with (or above 0), and of that distance no more
than a limit (and what is left over by a period, where rules divide). This is the extrapolation of timed automata by the largest constant
(Alur and Dill, A theory of timed automata, 1994; Behrmann, Bouyer, Larsen and Pelánek, 2006), for counters that only rise.

It is exact only if every rule behaves alike for all values that are not told apart. `Saturated.alike` shows that for one state: the reference
engine is run with numbers of which only the least value is known, so that whatever a comparison does not leave open is so for all of
them. Where that holds in every state that can be reached, being told apart by nothing is a bisimulation (Milner): the finite graph
has the same plays, choices and ends as the one with counters that never end.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import cast

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.program import Program, entries
from .affine import INFINITE, Affine, Apart, Divided, NoNumber, Undecided, affine
from .effects import Effects
from .interpreter import Interpreter, Traced
from .policies import Policies
from .state import Arrival, End, Option, State
from .values import Value

ENDLESS = t.Int(-INFINITE, INFINITE)
MOST_LEFT_OVER = 24
"""The longest period that is tried."""
FIRST_LIMIT = 2
"""So far above its first values a counter is exact to begin with. Thresholds of the rules raise it."""

Field = str | tuple[str, int]
"""A field of the state by its name, or a local: of which function, which one."""
Where = tuple[int, int]
"""A slot (-1, number), or a local: of which frame, which one, as a frame lists them."""


@dataclass(frozen=True)
class Counters:
    """Counters of which large values are not told apart: the fields; from which distance on (`limit`); except by what is left over by
    `period`; whether they rise (`sign` 1) or fall (-1); whether each is seen by itself or against the others (`joined`)."""

    fields: frozenset[Field]
    limit: int
    period: int = 1
    sign: int = 1
    joined: bool = False


class NotAlike(Exception):
    """Values that are not told apart are not alike: `because` of a comparison, say. `instead`: counters with which they may be."""

    def __init__(self, because: str, instead: Sequence[Counters] | None = None) -> None:
        self.because, self.instead = because, instead


class _Falls(Exception):
    """A number that is not told apart from larger ones does not stay so large; it hangs on these variables. `of`: what it became."""

    def __init__(self, variables: Iterable[int], of: Counters) -> None:
        self.variables, self.of = tuple(variables), of


def is_counter(of: t.Type) -> bool:
    """Is it a plain number that can rise?"""
    return isinstance(of, t.Int) and of.role is t.Role.PLAIN and of.most > 1


def field_of(program: Program, slot: int) -> str:
    """The field that a slot belongs to; of all cards, players and entries the same."""
    columns = ((m, k, first) for m in program.layout.containers.values() for k, first in enumerate(m.columns))
    found = next((f"{m.name}.{k}" for m, k, first in columns if first <= slot < first + m.capacity), None)
    return found or program.layout.slots[slot].name.split("[")[0]


def unlimited(program: Program, fields: frozenset[Field], stack_depth: int | None = None) -> Program:
    """The program with no end to these counters, nor to locals of which nobody stated one; if it is said, with a deeper stack."""
    return replace(
        program,
        stack_depth=stack_depth or program.stack_depth,
        layout=replace(
            program.layout,
            slots=tuple(
                replace(s, type=ENDLESS) if is_counter(s.type) and field_of(program, k) in fields else s
                for k, s in enumerate(program.layout.slots)
            ),
        ),
        functions={
            name: replace(
                fn,
                locals=[
                    replace(x, type=ENDLESS)
                    if x.type == t.ANY_INT or (is_counter(x.type) and (name, k) in fields)
                    else x
                    for k, x in enumerate(fn.locals)
                ],
            )
            for name, fn in program.functions.items()
        },
    )


class _NoEnd(Effects):
    """Instructions where numbers of which nobody stated a range have none. What is not known fits everywhere for now: `Saturated` looks
    where it came to lie."""

    def fitting(self, slot: int, n: int) -> int:
        return n if isinstance(n, Affine) and is_counter(self.layout.slots[slot].type) else super().fitting(slot, n)

    def _within(self, a: Value, lo: int, hi: int, at: ir.Mark) -> Value:
        return super()._within(a, -INFINITE if lo == t.ANY_INT.lo else lo, INFINITE if hi == t.ANY_INT.hi else hi, at)


class Unlimited(Interpreter):
    """The reference engine where some counters have no end."""

    def __init__(
        self,
        program: Program,
        policies: Policies,
        card_ids: Sequence[str],
        fields: frozenset[Field],
        stack_depth: int | None = None,
    ) -> None:
        super().__init__(unlimited(program, fields, stack_depth), policies, card_ids=card_ids)
        self.effects = _NoEnd(self.program, *self.served)


class Saturated(Unlimited):
    """The reference engine between states in which large counters are not told apart. `given`: the program as it was compiled."""

    def __init__(
        self,
        given: Program,
        policies: Policies,
        card_ids: Sequence[str],
        counters: Sequence[Counters],
        stack_depth: int | None = None,
    ) -> None:
        super().__init__(
            given, policies, card_ids, frozenset[Field]().union(*(c.fields for c in counters)), stack_depth
        )
        self.given, self.counters = given, tuple(counters)
        self._functions = list(given.functions.values())
        kind = {f: k for k, c in enumerate(self.counters) for f in c.fields}
        fields = {k: field_of(given, k) for k, of in enumerate(given.layout.slots) if is_counter(of.type)}
        self.slots = [[k for k, name in fields.items() if name in c.fields] for c in self.counters]
        self.locals: Mapping[int, list[tuple[int, int]]] = {
            number: [(kind[name, k], k) for k in range(len(fn.locals)) if (name, k) in kind]
            for number, (name, fn) in enumerate(given.functions.items())
        }
        self.sorted_anew = [
            m
            for m in given.layout.containers.values()
            if not m.is_pool and any(field_of(given, c) in kind for c in m.columns)
        ]

    # ------------------------------------------------------------ the finite graph
    def start(self, slots: Sequence[int] | None = None, trace: list[Traced] | None = None) -> Arrival:
        return self._arrived(super().start(slots, trace))

    def resumed(self, state: State) -> Arrival:
        return self._arrived(super().resumed(state))

    def apply(
        self, state: State, option: Option | None, trace: list[Traced] | None = None,
        calls: list[tuple[str, tuple[int, ...]]] | None = None,
    ) -> Arrival:
        return self._arrived(super().apply(state, option, trace, calls))

    def _arrived(self, arrival: Arrival) -> Arrival:
        return Arrival(self.representative(arrival.state), arrival.crossing)

    def representative(self, state: State) -> State:
        """The state that stands for all that are not told apart from this one. A counter that goes the other way beyond its range leaves
        a bound."""
        rows = rows_of(state)
        for c, (depth, k), v in self._spaced(state, reduced):
            cell = self.given.layout.slots[k] if depth < 0 else self._functions[rows[depth][0]].locals[k - 2]
            # 0 is what a local is before it is set
            if v < min(0, *(c.sign * x for x in t.domain(cell.type))) and state.end is None:
                end = End("bound", detail=f"{cell.name} = {c.sign * v}", slot=k if depth < 0 else -1)
                return State(state.slots, state.frames, end)
            rows[depth][k] = c.sign * v
        for m in self.sorted_anew:
            self.effects.fill(rows[-1], m, entries(m, rows[-1]))
        *frames, slots = map(tuple, rows)
        return State(slots, tuple(frames), state.end)

    def _groups(self, state: State) -> Iterable[tuple[Counters, list[Where]]]:
        """The counters of a state, those together that are seen against each other."""
        there: list[list[Where]] = [[(-1, k) for k in slots] for slots in self.slots]
        for depth, frame in enumerate(state.frames):
            for number, k in self.locals[frame[0]]:
                there[number].append((depth, k + 2))
        for c, cells in zip(self.counters, there, strict=True):
            yield from ((c, group) for group in ([cells] if c.joined else [[cell] for cell in cells]))

    def _spaced(self, state: State, gap_of: Callable[[Counters, int], int]) -> Iterator[tuple[Counters, Where, int]]:
        """The counters that are not 0, with what they come to if each is as far above the next smaller one, or 0, as `gap_of` makes
        of the distance that it has."""
        rows = *state.frames, state.slots
        for c, group in self._groups(state):
            values = [c.sign * rows[depth][k] for depth, k in group]
            if not any(isinstance(v, Affine) or v for v in values):
                continue
            below = beneath = 0
            for at in sorted(range(len(group)), key=values.__getitem__):
                new = beneath + gap_of(c, values[at] - below)
                yield c, group[at], new
                if values[at] > 0:
                    below, beneath = values[at], new

    # ------------------------------------------------------------ is it exact?
    def stands_for_more(self, state: State) -> bool:
        """Does the state stand for others, too?"""
        return state.end is None and bool(self._known(state)[1])

    def _known(self, state: State) -> tuple[State, list[Counters]]:
        """What is known of the states that a representative stands for; and of each variable, which counter it is of."""
        rows, owners = rows_of(state), list[Counters]()

        def known(c: Counters, gap: int) -> int:
            if gap < c.limit:
                return gap
            owners.append(c)
            return gap + affine(0, {len(owners) - 1: c.period})
        for c, (depth, k), v in self._spaced(state, known):
            rows[depth][k] = c.sign * v
        *frames, slots = map(tuple, rows)
        return State(slots, tuple(frames)), owners

    def alike(self, state: State) -> None:
        """Does play go on from all the states that this one stands for in the same way, to states that are not told apart, and does what must
        always hold come out alike? Raises NotAlike."""
        known, owners = self._known(state)
        if not owners or (state.end is not None and not self.program.invariants):
            return
        try:
            if state.end is None:
                self._goes_on_alike(state, known)
            if any(self.evaluate(name, known) != self.evaluate(name, state) for name in self.program.invariants):
                raise NoNumber
        except Undecided as e:
            c = owners[e.variable]
            raise NotAlike(
                "a larger value is told apart", self._instead({c}, limit=c.limit + c.period * e.least)
            ) from None
        except Divided as e:
            some = {owners[x] for x in e.variables}
            period = lcm(e.by, *(c.period for c in some))
            raise NotAlike(
                "what is left over is looked at",
                self._instead(some, period=period) if period <= MOST_LEFT_OVER else None,
            ) from None
        except (Apart, _Falls) as e:
            some = {owners[x] for x in e.variables} | ({e.of} if isinstance(e, _Falls) else set())
            why = (
                "it can become smaller again"
                if isinstance(e, _Falls)
                else "it is compared with another that rises, too"
            )
            raise NotAlike(
                why, None if all(c.joined for c in some) and len(some) == 1 else self._joined(some)
            ) from None
        except (NoNumber, TypeError):
            raise NotAlike("more is done with it than to count and to compare") from None

    def _goes_on_alike(self, state: State, known: State) -> None:
        asked, at = Interpreter.point(self, known), Interpreter.point(self, state)
        assert asked is not None and at is not None
        if (asked.owner, asked.options, asked.weights, asked.reading) != (at.owner, at.options, at.weights, at.reading):
            raise NoNumber
        for option in at.options:
            after = Interpreter.apply(self, known, option).state
            if after.end is not None and after.end.kind == "bound":
                continue
            if self.representative(self._in_counters(after)) != self.apply(state, option).state:
                raise NoNumber

    def _in_counters(self, state: State) -> State:
        """The state, where numbers that are not known lie in counters only. Raises NotAlike, with those that they should be in."""
        held = frozenset[Field]().union(*(c.fields for c in self.counters))
        cells = [
            (x, self.given.layout.slots[k].type, field_of(self.given, k))
            for k, x in enumerate(state.slots)
            if isinstance(x, Affine)
        ]
        for frame in state.frames:
            fn = self._functions[frame[0]]
            cells += [
                (x, fn.locals[k - 2].type, (fn.name, k - 2)) for k, x in enumerate(frame) if isinstance(x, Affine)
            ]
        for x, of, name in cast("list[tuple[Affine, t.Type, Field]]", cells):
            if name in held:
                continue
            if not is_counter(of):
                raise NoNumber
            more = Counters(
                frozenset({name}),
                max(c.limit for c in self.counters),
                sign=1 if all(n > 0 for n in x.terms.values()) else -1,
            )
            raise NotAlike("it is passed on", (*self.counters, more))
        return state

    def _instead(self, some: set[Counters], **changed: int) -> list[Counters]:
        return [replace(c, **changed) if c in some else c for c in self.counters]

    def _joined(self, some: set[Counters]) -> list[Counters] | None:
        if len({c.sign for c in some}) > 1:
            return None
        one = Counters(
            frozenset[Field]().union(*(c.fields for c in some)),
            max(c.limit for c in some),
            lcm(*(c.period for c in some)),
            next(iter(some)).sign,
            True,
        )
        return [*(c for c in self.counters if c not in some), one]


def rows_of(state: State) -> list[list[int]]:
    """The frames of a state and, as row -1, its slots."""
    return [*map(list, state.frames), list(state.slots)]


def reduced(c: Counters, gap: int | Affine) -> int:
    """A distance, up to the limit, and beyond it what is left over. Of one that is not known, if that comes out alike for all of them."""
    if isinstance(gap, int):
        return gap if gap < c.limit else c.limit + (gap - c.limit) % c.period
    if gap.base < c.limit or min(gap.terms.values()) < 0:
        raise _Falls(gap.terms, c)
    return c.limit + (gap - c.limit) % c.period
