"""What locals are known to be in a slice of a program: as in `facts.py`, and of zones, abilities and how many cards lie somewhere."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.program import Function, LocalInfo
from ...model.ir.types import AbilityType, OptionType, RefType, Role, SetType, Type, ZoneType
from . import numbers as n
from . import truths as t
from .card_sets import in_mask
from .cases import of_counted_zones
from .contracts import Contracts, Sliced
from .entries import of_entries
from .facts import Fact
from .many import Followed
from .numbers import Val
from .relations import at_most, fewer, fields
from .slices import Slice
from .truths import Truth


class Local(Followed):
    """What locals are, in a slice."""

    machine: Contracts

    def __init__(self, symbolic: Sliced, owners: Sequence[int]) -> None:
        super().__init__(symbolic, owners)
        self.machine = symbolic.contracts
        self.printed = printed_abilities(symbolic.part)
        self.in_cases = False
        """Are there statements about counted zones, case by case (`cases.py`)?"""
        self.of_all = False
        """Also that no card lies in any of them? Where each player has many such zones that is seldom so, and proofs take several times as long."""

    def of_result(self, name: str) -> list[Fact]:
        """Of objects, too: what is given is alive still when it is given. What a call gives in the end is known of that call."""
        fn = self.program.functions[name]
        if fn.result.role is Role.PLAIN and not isinstance(fn.result, RefType):
            return []
        pretended = replace(fn, locals=[*fn.locals[:fn.arity], LocalInfo("result", fn.result)])
        return list(self._of_local(pretended, fn.arity, frozenset(range(fn.arity))))

    def _fields(self) -> list[str]:
        return [name for name, _ in fields(self.machine)] if self.machine.part.locations else []

    def _of_the_rest(self) -> Iterator[Fact]:
        for most, zones in fewer(self.machine):
            yield Fact(f"at most {most} lie in {self.layout.zones[zones[0]].field}", lambda _, g, most=most, zones=zones: at_most(
                self.machine, g, most, zones), False)

    def _of_zones(self, fn: Function, alive: frozenset[int]) -> Iterator[Fact]:
        yield from super()._of_zones(fn, alive)
        if self.machine.part.locations and self.in_cases:
            yield from of_counted_zones(self.machine, fn, alive, frozenset(range(fn.arity)), self.of_all)

    def _of_local(self, fn: Function, k: int, alive: frozenset[int]) -> Iterator[Fact]:
        yield from super()._of_local(fn, k, alive)
        of = fn.locals[k].type
        if isinstance(of, ZoneType) and self.machine.part.locations:
            for name in self._fields():
                zones = self._zones(name)
                yield Fact(f"{k} is not of {name}", lambda f, _, zones=zones: t.no(t.some(n.equal(f[k], z) for z in zones)), True,
                           frozenset({k}))
        for j in sorted(alive):
            yield from self._of_those(k, of, j, fn.locals[j].type)
        inner = of.inner if isinstance(of, OptionType | SetType) else of
        if isinstance(inner, AbilityType) and self.printed is not None:
            for j in sorted(alive):
                if fn.locals[j].type.role in (Role.CARD, Role.OBJECT):
                    yield Fact(f"{k} is printed on {j}", lambda f, _, j=j: self._is_printed(f[k], isinstance(of, SetType), f[j]), True,
                               frozenset({j, k}))

    def _of_those(self, k: int, of: Type, j: int, several: Type) -> Iterator[Fact]:
        """What a local was picked from: it, or each of them, is one of a set that another local is."""
        if k == j or several.role is not Role.CARDS or of.role not in (Role.CARD, Role.OBJECT, Role.CARDS):
            return
        m, sets = self.machine, of.role is Role.CARDS
        yield Fact(f"{k} is one of {j}", lambda f, _: t.every(
            t.either(t.no(it), there)
            for it, there in zip(m.members(f[k])[:m.few] if sets else m.is_card(f[k]), m.members(f[j]), strict=False)),
            True, frozenset({j, k}))

    def of_entries(self) -> Iterator[Fact]:
        """What each entry is of the multisets that are kept besides."""
        m = self.machine

        def none_of(mask: int) -> Callable[[Val], Truth]:
            return lambda v: t.no(t.some(t.both(it, in_mask(c, mask)) for it, c in zip(m.is_card(v), m.cards, strict=True)))
        sorts = [(x.name, none_of(sum(1 << c for c in x.members))) for x in self.classes]
        for name in sorted(m.part.besides):
            yield from of_entries(
                self.layout.containers[name], name, None if self.printed is None else lambda v, card: self._is_printed(v, False, card), sorts)

    def _is_printed(self, v: Val, several: bool, card: Val) -> Truth:
        """If the card is one that is followed: is the ability (or each of them) on it?"""
        assert self.printed is not None
        those: dict[int, int] = {}
        for c, mask in enumerate(self.printed):
            those[mask] = those.get(mask, 0) | 1 << c
        it = t.some(self.machine.is_card(card))
        return t.either(t.no(it), t.every(
            t.either(t.no(in_mask(card, cards)), *([t.every(t.no(b) for k, b in enumerate(n.bits(v)) if not mask >> k & 1)] if several else [
                n.less(v, 0), in_mask(v, mask)]))
            for mask, cards in those.items()))


def printed_abilities(part: Slice) -> tuple[int, ...] | None:
    """The table of the abilities that are printed on each card: what rules go through, ability by ability."""
    for fn in part.whole.functions.values():
        for i in fn.code:
            for e in walk(i):
                if isinstance(e, ir.Fold) and isinstance(e.domain, ir.Table) and isinstance(fn.locals[e.var].type, AbilityType):
                    row = part.whole.tables[e.domain.table]
                    if len(row) == part.layout.card_count:
                        return tuple(row)
    return None
