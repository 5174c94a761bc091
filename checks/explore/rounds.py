"""Loops over cards, gone through the other way round as well: does their order show, though nobody decides it?

Where the text of a loop lets its order show, the front end refuses it (`model/lang/loops.py`). What it cannot see (steps that are called, what
happens at once between the rounds, cards that become other objects) is tried: of each loop, the first moves in which it goes through several
cards are made again with it turned round; all loops of a move together first, each alone where that leads elsewhere. Where the position is another one, play is followed from both for as long as it is not the
same; an order that shows on the way only is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

from ...model.engine.effects import Effects
from ...model.engine.interpreter import Interpreter, Traced
from ...model.engine.state import Arrival, Option, Point, State
from ...model.engine.values import Effect, Locals, Slots
from ...model.ir import nodes as ir
from ...model.ir.program import Function
from ...model.ir.types import Role
from ...model.lang.passes import loops_over_entries
from .symmetry import Symmetry

Loop = tuple[str, int]
"""A loop: its function, and the place of its head in it."""
MOVES = 4
"""Moves in which a loop is turned round."""
AMONG = 100
"""The moves among which these are: the first of a search, whatever engine makes it."""
PAIRS = 200
"""Pairs of positions that are looked at to see whether what follows is the same."""


class RoundsNoted(Effects):
    """Notes which loops go through several cards (or entries), and goes through some of them the other way round."""

    turned: Collection[Loop] = ()

    @cached_property
    def passed(self) -> set[Loop]:
        """The loops that went through several."""
        return set()

    def effect(self, fn: Function, i: ir.Instr, pc: int) -> Effect | None:
        made = super().effect(fn, i, pc)
        if not isinstance(i, ir.Next) or made is None:
            return made
        if fn.locals[i.rest].type.role is not Role.CARDS and pc not in self.over_entries(fn):
            return made
        here = fn.name, pc

        def step(g: Slots, f: Locals) -> int:
            left = f[i.rest]
            if left & (left - 1):
                if here in self.turned:
                    last = left.bit_length() - 1
                    f[i.rest] = left ^ 1 << last
                    f[i.var] = last + i.offset
                    return pc + 1
                self.passed.add(here)
            return made(g, f)
        return step

    def over_entries(self, fn: Function) -> set[int]:
        """The heads of its loops over the entries of a multiset; those of a pool have places, which are numbers only."""
        containers = self.layout.containers
        return {k for k, _, name in loops_over_entries(fn, self.program) if not containers[name].is_pool}


@dataclass(frozen=True)
class Shown:
    """A move (from `before`; or what comes before the first one, from the position of the number `start`) that leads elsewhere with a loop
    turned round: to what as the rules have it, and to what then."""

    loop: Loop
    start: int
    before: State | None
    option: Option
    after: State
    turned: State


class Rounds(Interpreter):
    """The reference engine, trying each loop the other way round while it plays."""

    def __init__(self, like: Interpreter, symmetry: Symmetry | None) -> None:
        super().__init__(like.program, like.policies, like.card_ids)
        self.symmetry = symmetry
        self.effects = self.loops = RoundsNoted(like.program, *self.served)
        self.tried: Counter[Loop] = Counter()
        self.shown: list[Shown] = []
        self.moves = 0

    def begin(self, positions: Sequence[Sequence[int]]) -> None:
        """Try what comes before the first choice; what was tried before is forgotten."""
        self.tried, self.shown, self.moves = Counter(), [], 0
        for k, slots in enumerate(positions):
            self.loops.passed.clear()
            self.try_loops(k, None, (), super().start(slots).state, partial(super().start, slots))

    def apply(
        self, state: State, option: Option | None, trace: list[Traced] | None = None,
        calls: list[tuple[str, tuple[int, ...]]] | None = None,
    ) -> Arrival:
        self.loops.passed.clear()
        arrival = super().apply(state, option, trace, calls)
        if option is not None and self.moves < AMONG:
            self.moves += 1
            self.try_loops(0, state, option, arrival.state, partial(super().apply, state, option))
        return arrival

    def go_on(self, states: Iterable[State]) -> None:
        """Make the first moves of a search, as far as it has not made them itself: in these states, in its order."""
        made = self.moves
        for state, option in islice(((s, o) for s in states for o in self.options(s)), AMONG):
            made -= 1
            if made < 0:
                self.apply(state, option)

    def try_loops(
        self, start: int, before: State | None, option: Option, after: State, again: Callable[[], Arrival],
    ) -> None:
        """What was just done led there: do it again with the loops turned round that it came by, and with each alone where that leads elsewhere."""
        loops = sorted(x for x in self.loops.passed if self.tried[x] < MOVES)
        self.tried.update(loops)
        if len(loops) > 1 and not self.differ(after, self.with_turned(loops, again)):
            return
        for loop in loops:
            turned = self.with_turned([loop], again)
            if self.differ(after, turned):
                self.shown.append(Shown(loop, start, before, option, after, turned))

    def with_turned(self, loops: Collection[Loop], do: Callable[[], Arrival]) -> State:
        """Where it leads with the loops turned round."""
        self.loops.turned = loops
        turned = do().state
        self.loops.turned = ()
        return turned

    def differ(self, one: State, other: State) -> bool:
        """Are they different positions? Beyond a bound nothing is known; the places of a pool are numbers only."""
        if one == other or any(x.end is not None and x.end.kind == "bound" for x in (one, other)):
            return False
        if any(one.slots[k] != other.slots[k] for k in self.pools):
            return False
        return self.symmetry is None or self.symmetry.canonical(one)[0] != self.symmetry.canonical(other)[0]

    @cached_property
    def pools(self) -> list[int]:
        """The slots of pools."""
        return [k for c in self.layout.containers.values() if c.is_pool for k in c.slots]

    def goes_on_otherwise(self, one: State, other: State) -> bool:
        """Is it shown that play can go on in another way from these positions: with other choices, or to another end?"""
        seen, pairs = {(one, other)}, [(one, other)]
        for here, there in pairs:
            at, beside = self.point(here), self.point(there)
            if at is None or beside is None:
                if at is not beside or here.end != there.end:
                    return True
                continue
            if choice(at) != choice(beside):
                return True
            for option in at.options:
                pair = super().apply(here, option).state, super().apply(there, option).state
                if pair not in seen and len(pairs) < PAIRS and self.differ(*pair):
                    seen.add(pair)
                    pairs.append(pair)
        return False


def choice(at: Point) -> tuple[int, dict[Option, int]]:
    """Who chooses, and between what."""
    return at.owner, dict(zip(at.options, at.weights, strict=True))
