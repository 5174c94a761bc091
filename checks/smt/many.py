"""Invariants by induction for the decks of a real game, whatever their size: a few cards are followed, whichever they are.

As in `induction.py`, each piece of play has to keep what is to be proved; but the machine that runs it follows a few
cards (`representatives.py`), and an invariant is broken if it is by them (`universal.py`). What is said of locals is said
of the cards that are followed, too, unless it is about what is printed. A proof holds for the game as it is: with
all its cards. What it fails on is no state: much of it is not known.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import z3

from ...model.ir import nodes as ir
from ...model.ir.flow import assigned, walk
from ...model.ir.program import Function, Program
from ...model.ir.types import PlayerType, Role, ZoneType, domain
from . import numbers as n
from . import truths as t
from .card_sets import in_mask, of_card
from .facts import Candidates, Class, Fact
from .goals import Key
from .induction import Asked, Induction, Prover
from .invariants import kept_by_itself, of_pool, of_references
from .numbers import Val
from .representatives import FewOfMany
from .segments import Begin, Piece
from .solving import SECONDS
from .sorts import CardsConst
from .symbolic import SymbolicState
from .truths import Truth
from .universal import Broken, adds_up, needed, uses

MOST = 3
"""Cards that are followed at most."""


class Followed(Candidates):
    """What locals are, of the cards that are followed."""

    def __init__(self, symbolic: FewOfMany, owners: Sequence[int]) -> None:
        self.machine = symbolic.machine
        super().__init__(symbolic.program, owners, self.machine.few)
        self.of_player = [sum(1 << c for c, who in enumerate(owners) if who == p) for p in (0, 1)]

    def _classes(self) -> Iterator[Class]:
        """By owner and by what invariants ask of what is printed."""
        asked = [e for name in self.program.invariants for fn in uses(self.program, name) for i in fn.code for e in walk(i)]
        rows = {self.program.tables[e.table] for e in asked if isinstance(e, ir.Table)}
        masks = {e.value for e in asked if isinstance(e, CardsConst)} | {
            e.b.value for e in asked if isinstance(e, ir.Binary) and e.op == "member" and isinstance(e.b, ir.Const)}
        numbers = {e.b.value for e in asked if isinstance(e, ir.Binary) and e.op in ("eq", "ne") and isinstance(e.b, ir.Const)}
        groups: dict[tuple[int, tuple[bool, ...]], set[int]] = {}
        for c, who in enumerate(self.owners):
            printed = (*(row[c] == v for row in sorted(rows) if len(row) == len(self.owners) for v in sorted(numbers)),
                       *(bool(m >> c & 1) for m in sorted(masks)))
            groups.setdefault((who, printed), set()).add(c)
        for k, ((who, _), members) in enumerate(sorted(groups.items())):
            yield Class(f"those of {who} of sort {k}", frozenset(members))

    def _of_cards(
        self, fn: Function, k: int, alive: frozenset[int], those: Callable[[Val], list[Truth]],
    ) -> Iterator[Fact]:
        m, of_set = self.machine, fn.locals[k].type.role is Role.CARDS

        def none_in(mask: int, v: Val) -> Truth:
            """Is none of the cards that are followed both it, or one of them, and in the known set?"""
            return t.no(t.some(t.both(b, in_mask(c, mask)) for c, b in zip(m.cards, each(v), strict=False)))

        def each(v: Val) -> list[Truth]:
            """Whether each of the cards that are followed is it, or one of them."""
            return list(m.members(v)[:m.few]) if of_set else m.is_card(v)
        for x in self.classes:
            mask = sum(1 << c for c in x.members)
            yield Fact(f"{k} is none of {x.name}", lambda f, _, mask=mask: none_in(mask, f[k]), True, frozenset({k}))
        for j in sorted(alive):
            of = fn.locals[j].type
            if isinstance(of, PlayerType):
                yield Fact(f"{k} belongs to {j}", lambda f, _, j=j: t.every(
                    t.either(t.no(n.equal(f[j], p)), none_in(self.of_player[1 - p], f[k])) for p in (0, 1)), True, frozenset({j, k}))
                for name in self._fields():
                    yield Fact(f"{k} is not in {name} of another than {j}", lambda f, g, j=j, name=name: self._outside(
                        each(f[k]), g, [(z, t.no(n.equal(f[j], self.layout.zones[z].player or 0)))
                                        for z in self._zones(name) if self.layout.zones[z].player is not None]), False,
                        frozenset({j, k}))
            elif isinstance(of, ZoneType):
                yield Fact(f"{k} belongs where {j} is", lambda f, _, j=j: t.every(
                    t.either(t.no(n.equal(f[j], z)), none_in(self.of_player[1 - info.player], f[k]))
                    for z, info in enumerate(self.layout.zones) if info.player in (0, 1)), True, frozenset({j, k}))
                yield Fact(f"{k} lies in {j}", lambda f, g, j=j: t.every(
                    t.either(t.no(b), n.equal(g[self.layout.location + c], f[j])) for c, b in enumerate(each(f[k]))), False,
                    frozenset({j, k}))
        for name in self._fields():
            yield Fact(f"{k} is not in {name}", lambda f, g, name=name: self._outside(
                each(f[k]), g, [(z, True) for z in self._zones(name)]), False, frozenset({k}))

    def _of_the_rest(self) -> Iterator[Fact]:
        for c in self.layout.containers.values():
            yield Fact(f"nothing is in {c.name}", lambda _, g, c=c: n.equal(g[c.head], 0), False)
        for first in self.layout.per_card:
            if first not in (self.layout.location, self.layout.rank) and not self.machine.is_cards[first]:
                row = [s.initial for s in self.layout.slots[first:first + self.layout.card_count]]
                name = self.layout.slots[first].name
                yield Fact(f"{name} and the like are as at first", lambda _, g, first=first, row=row: t.every(
                    n.equal(g[first + k], of_card(c, row)) for k, c in enumerate(self.machine.cards)), False)

    def _empty(self, g: Sequence[Val], zones: Sequence[tuple[int, Truth]]) -> Truth:
        return self._outside([True] * self.machine.few, g, zones)


class Many(Prover):
    """Proves what a few cards of many can break. `refused`: the invariants that this is not true of: whether
    they add up over all cards, and how many cards break them."""

    symbolic: FewOfMany

    def __init__(
        self, program: Program, owners: Sequence[int], seconds: float = SECONDS, first: Sequence[int] | None = None,
        stop: Callable[[], bool] | None = None, note: Callable[[int, int], None] | None = None,
    ) -> None:
        plain = FewOfMany(program, 1).program
        self.refused: dict[str, tuple[bool, int]] = {}
        few = 1
        for name in plain.invariants:
            many, over_all = needed(plain, name), adds_up(plain, name)
            if over_all or many > MOST:
                self.refused[name] = over_all, many
            else:
                few = max(few, many)
        symbolic = FewOfMany(program, few)
        self.few = few
        self.conditions = Broken(symbolic)
        self.answers: dict[tuple[str, int], tuple[Sequence[Val], Truth]] = {}
        self.failures: list[tuple[str, Begin]] = []
        super().__init__(symbolic, owners, seconds, first, None, stop, note)
        self.invariants = [x for x in self.invariants if x not in self.refused]
        self.gives_up = True
        self.asked_of = list(self.invariants)
        self.established: list[str] = []
        self.level = 0
        self.unset: dict[str, frozenset[int]] = {}

    def prove(self, overflows: bool = True) -> Induction:
        """The proof: first with what a procedure holds is known only as far as it lasts, which is quick; where that does
        not do, with all that is known of it."""
        for self.level in (0, 1):
            out = self.proved_so_far()
            if len(out.proved) == len(self.asked_of) or self.stopped() or out.unknown_pieces:
                break
            if self.level == 0:
                self.again()
        return self.finished(overflows)

    @property
    def conserved(self) -> bool:
        """Does every card stay in some zone?"""
        return not self.out.unknown_pieces and all(f"card {k} lies somewhere" in self.kept for k in range(self.few))

    def again(self) -> None:
        """Forget what was asked, but not what was proved."""
        self.established = list(self.invariants)
        self.invariants = list(self.asked_of)
        self.kept = {h for h, _ in self.references(self.symbolic.fresh_state().slots)}
        self.facts, self.asked, self.anywhere, self.failures, self.out = {}, {}, None, [], Induction()

    def told(self, key: Key) -> dict[str, Fact]:
        """What is said of parameters that stay as they were given, and lasts, is the same at each place: it is kept once."""
        if key not in self.facts:
            name, pc, how = key
            if how == "given":
                found = self.candidates.of(name, 0, True)
            elif how == "left":
                found = self.candidates.of_result(name)
            else:
                found = self.candidates.of(name, pc, how == "waits")
            stays = self.stays(name)
            self.facts[key] = {
                x.text: x for x in found
                if (self.level or x.lasting or x.text.endswith("is in use"))
                and (how == "left" or (x.lasting and x.about <= stays) == (how == "given"))}
        return self.facts[key]

    def facts_at(self, key: Key) -> Iterator[tuple[Key, str, Fact]]:
        yield from super().facts_at((key[0], 0, "given"))
        yield from super().facts_at(key)

    def stays(self, name: str) -> frozenset[int]:
        """The parameters that a procedure never sets. (An object may die meanwhile, but nothing is said of none.)"""
        if name not in self.unset:
            fn = self.program.functions[name]
            changed = frozenset[int]().union(*(assigned(i) for i in fn.code), *(
                (i.rest, i.var) for i in fn.code if isinstance(i, ir.Next)))
            self.unset[name] = frozenset(range(fn.arity)) - changed
        return self.unset[name]

    def broken(self, begin: Begin, asked: Asked) -> Iterator[str]:
        outer = self.invariants
        self.invariants = [x for x in outer if x not in self.established]
        try:
            yield from list(super().broken(begin, asked))
        finally:
            self.invariants = outer

    def candidates_of(self, owners: Sequence[int]) -> Candidates:
        return Followed(self.symbolic, owners)

    def holds(self, name: str, slots: Sequence[Val]) -> Truth:
        known = self.answers.get((name, id(slots)))
        if known is None:
            known = self.answers[name, id(slots)] = slots, t.no(self.conditions.by_these(name, list(slots)))
        return known[1]

    def contained(self, state: SymbolicState) -> list[Truth]:
        m = self.symbolic.machine
        out: list[Truth] = []
        for k in m.live_slots:
            of = self.layout.slots[k].type
            if m.blocks.get(k) == self.layout.rank or m.is_cards[k]:
                continue
            least = 0 if m.blocks.get(k) == self.layout.location else domain(of)[0]
            out.append(t.both(n.in_bounds(state.slots[k]), n.between(state.slots[k], least, domain(of)[1])))
        for c in self.layout.containers.values():
            out += [h.condition for h in kept_by_itself(self.layout, state.slots, c)]
        return [x for x in out if x is not True]

    def references(self, slots: Sequence[Val]) -> list[tuple[str, Truth]]:
        m = self.symbolic.machine
        pools = [h for c in self.layout.containers.values() if c.is_pool for h in of_pool(self.layout, slots, c)]
        live = set(m.live_slots)
        found = [h for h in (*pools, *of_references(self.layout, slots, live)) if h.condition is not True]
        somewhere = [
            (f"card {k} lies somewhere", n.at_most(0, slots[self.layout.location + k])) for k in range(m.few)]
        return [*((h.what, h.condition) for h in found), *(x for x in somewhere if x[1] is not True)]

    def sides(self) -> list[Truth]:
        m = self.symbolic.machine
        found, m.sides = m.sides, []
        return [*m.about_cards, *found]

    def solver(self) -> z3.Solver:
        return z3.SimpleSolver()

    def failed(self, one: Piece, name: str, model: z3.ModelRef) -> None:
        self.failures.append((name, one.begin))
