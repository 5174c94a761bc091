"""How many cards lie in zones that arguments name, and what holds only where an argument is so and so.

`Summon(card, n)` is offered where placement slot `n` is empty; the procedure that is given the choice knows that where the choice is a
`Summon`. Which cases a procedure tells apart is read off its code.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.program import Function, Layout
from ...model.ir.types import Int, PlayerType, SetType, Type, domain
from . import numbers as n
from . import truths as t
from .contracts import Contracts
from .numbers import Val
from .statements import Fact
from .states import Sym
from .truths import Truth
from .universal import cap

MOST_CASES = 40
"""Cases of a procedure, above which none is told apart."""
MOST_ZONES = 64
"""Values that the index of a zone is tried with."""


@dataclass(frozen=True)
class Case:
    """A local is a number."""

    local: int
    value: int

    def holds(self, f: Sequence[Val]) -> Truth:
        return n.equal(f[self.local], self.value)


def cases(fn: Function, stays: frozenset[int]) -> list[Case]:
    """The cases of its arguments that a procedure tells apart. `stays`: those that stay as they were given."""
    found: dict[Case, None] = {}
    for i in fn.code:
        match i:
            case ir.Branch(test=ir.Binary(op="eq", a=ir.Local(index=x), b=ir.Const(value=v))) if x in stays:
                if not isinstance(fn.locals[x].type, PlayerType):
                    found[Case(x, v)] = None
            case _:
                pass
    return list(found) if len(found) <= MOST_CASES else []


def counted(m: Contracts) -> dict[str, int]:
    """Fields whose zones a condition counts the cards of, and one less than it allows."""
    out: dict[str, int] = {}
    for name in m.part.program.invariants:
        fn = m.part.program.functions[name]
        for e in (e for i in fn.code for e in walk(i)):
            if isinstance(e, ir.Expr) and (found := cap(e)) is not None and found[1] and (zone := counted_in(found[0])) is not None:
                for z in zones_of(m, zone, fn):
                    out[m.layout.zones[z].field] = found[1] - 1
    return out


def counted_in(those: ir.Expr) -> ir.Expr | None:
    """The zone whose cards are counted: all of them, or those of some kind."""
    match those:
        case ir.ZoneCards(zone=zone) | ir.Fold(kind="set", domain=ir.ZoneCards(zone=zone)):
            return zone
        case _:
            return None


def zones_of(m: Contracts, e: ir.Expr, fn: Function) -> set[int]:
    """The zones that an expression may be, by its locals."""
    used = sorted({x.index for x in walk(e) if isinstance(x, ir.Local)})
    rows = [range(domain(fn.locals[k].type)[0], domain(fn.locals[k].type)[1] + 1) for k in used]
    size = 1
    for row in rows:
        size *= len(row)
    if size > MOST_ZONES or any(isinstance(x, ir.Load | ir.Call) for x in walk(e)):
        return set()
    out: set[int] = set()
    for values in product(*rows):
        f: list[Val] = [0] * len(fn.locals)
        for k, v in zip(used, values, strict=True):
            f[k] = v
        z = m.value(e, Sym([0] * len(m.layout.slots)), f)
        if isinstance(z, int) and 0 <= z < len(m.layout.zones):
            out.add(z)
    return out


def names_number(of: Type, zones: Sequence[int], layout: Layout) -> bool:
    """Can a local of the type be the number of one of these zones (or several)?"""
    numbers, one = {layout.zones[z].number for z in zones}, of.inner if isinstance(of, SetType) else of
    return isinstance(one, Int) and len(numbers) > 1 and one.hi - one.lo <= len(numbers) and one.hi in numbers


def of_counted_zones(m: Contracts, fn: Function, alive: frozenset[int], stays: frozenset[int]) -> Iterator[Fact]:
    """That one card more may come to a zone that arguments name, or that it is empty."""
    layout = m.layout
    told: list[Case | None] = [None, *cases(fn, stays & alive)]
    for field, one_less in counted(m).items():
        zones = [z for z, x in enumerate(layout.zones) if x.field == field]
        players: list[int | None] = [k for k in sorted(alive) if is_players(fn.locals[k].type)]
        numbers: list[int | None] = [k for k in sorted(alive) if names_number(fn.locals[k].type, zones, layout)]
        for most, case, p, k in product(dict.fromkeys((one_less, 0)), told, [None, *players], [None, *numbers]):
            if p is None and (k is None or any(layout.zones[z].player is not None for z in zones)):
                continue

            def there(
                f: Sequence[Val], g: Sequence[Val], zones: Sequence[int] = zones, most: int = most, case: Case | None = case,
                p: int | None = p, k: int | None = k,
            ) -> Truth:
                parts: list[Truth] = []
                for z in zones:
                    player, number = layout.zones[z].player, layout.zones[z].number
                    named = t.both(True if p is None or player is None else is_named(f[p], fn.locals[p].type, player),
                                   True if k is None else is_named(f[k], fn.locals[k].type, number))
                    if named is not False:
                        here = [n.equal(g[layout.location + c], z) for c in range(m.few)]
                        parts.append(t.either(t.no(named), n.at_most(n.count(here), most)))
                whole = t.every(parts)
                return whole if case is None else t.either(t.no(case.holds(f)), whole)
            whose = "" if p is None else f" of {p}"
            which = "" if k is None else f" {k}"
            where = "" if case is None else f" where {case.local} is {case.value}"
            about = {x for x in (p, k, None if case is None else case.local) if x is not None}
            yield Fact(f"at most {most} lie in {field}{which}{whose}{where}", there, False, frozenset(about))


def is_players(of: Type) -> bool:
    """A player, or some of them?"""
    return isinstance(of.inner if isinstance(of, SetType) else of, PlayerType)


def is_named(v: Val, of: Type, index: int) -> Truth:
    """Is it the player or the number, or is this one of them?"""
    if not isinstance(of, SetType):
        return n.equal(v, index)
    return n.member(index - (of.inner.lo if isinstance(of.inner, Int) else 0), v)


__all__ = ["Case", "cases", "counted", "of_counted_zones", "zones_of"]
