"""What may be known of the locals of a procedure: candidates, of which a proof shows those that it needs (Houdini's way; `demand.py`).

A condition on the state alone is often too weak for a proof: `put(card, g.hand[p])` keeps a hand its owner's only if `card` is. So simple
statements about parameters, results and heads of loops are tried: of the cards that are followed, unless they are about what is printed.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.program import ContainerInfo, Function, LocalInfo, Program
from ...model.ir.types import AbilityType, CardType, OptionType, PlayerType, RefType, Role, SetType, Type, ZoneType
from . import masks
from . import numbers as n
from . import truths as t
from .card_sets import in_mask
from .contracts import Sliced
from .counted_zones import fields, of_counted_zones
from .invariants import entry, is_in_use, types_of
from .numbers import Val
from .slices import Slice
from .sorts import CardsConst
from .statements import EachEntry, Fact
from .truths import Truth
from .universal import uses


class Candidates:
    """Makes the candidates for the frames of a slice. `owners`: of each card."""

    def __init__(self, symbolic: Sliced, owners: Sequence[int]) -> None:
        self.machine, self.program, self.layout = symbolic.contracts, symbolic.program, symbolic.program.layout
        self.owners = owners
        self.of_player = [sum(1 << c for c, who in enumerate(owners) if who == p) for p in (0, 1)]
        self.classes = self._classes()
        self.lies: dict[tuple[int, int], tuple[Sequence[Val], list[Truth]]] = {}
        self.printed = printed_abilities(symbolic.part)

    def _classes(self) -> dict[str, int]:
        """Cards that no condition tells apart by what is printed on them, by owner; each set with what it is called."""
        asked = [
            e for name in self.machine.part.asked for fn in uses(self.program, name) for i in fn.code for e in walk(i)
        ]
        rows = {self.program.tables[e.table] for e in asked if isinstance(e, ir.Table)}
        masks = {e.value for e in asked if isinstance(e, CardsConst)} | {
            e.b.value for e in asked if isinstance(e, ir.Binary) and e.op == "member" and isinstance(e.b, ir.Const)}
        numbers = {
            e.b.value for e in asked if isinstance(e, ir.Binary) and e.op in ("eq", "ne") and isinstance(e.b, ir.Const)
        }
        groups: dict[tuple[int, tuple[bool, ...]], int] = {}
        for c, who in enumerate(self.owners):
            printed = (*(row[c] == v for row in sorted(rows) if len(row) == len(self.owners) for v in sorted(numbers)),
                       *(bool(m >> c & 1) for m in sorted(masks)))
            groups[who, printed] = groups.get((who, printed), 0) | 1 << c
        return {f"those of {who} of sort {k}": members for k, ((who, _), members) in enumerate(sorted(groups.items()))}

    # ------------------------------------------------------------ of a frame
    def of(self, name: str, pc: int, waiting: bool) -> list[Fact]:
        """The candidates for a frame of the function at the place; those that last, if it waits for a call there."""
        fn = self.program.functions[name]
        alive = self.machine.live(fn)[waiting][pc] | frozenset(range(fn.arity))
        facts = [f for k in sorted(alive) for f in self._of_local(fn, k, alive)]
        if not waiting and self.machine.part.locations:
            facts += of_counted_zones(self.machine, fn, alive)
        return [f for f in facts if f.lasting or not waiting]

    def of_result(self, name: str) -> list[Fact]:
        """The candidates for what the function gives back: of its parameters and, last, the result. (An object is alive still when it is given.)"""
        fn = self.program.functions[name]
        if fn.result.role is Role.PLAIN and not isinstance(fn.result, RefType):
            return []
        pretended = replace(fn, locals=[*fn.locals[:fn.arity], LocalInfo("result", fn.result)])
        return list(self._of_local(pretended, fn.arity, frozenset(range(fn.arity))))

    def _of_local(self, fn: Function, k: int, alive: frozenset[int]) -> Iterator[Fact]:
        of = fn.locals[k].type
        inner = of.inner if isinstance(of, OptionType | SetType) else of
        if of.role in (Role.CARD, Role.OBJECT, Role.CARDS):
            yield from self._of_cards(fn, k, alive)
            if isinstance(of, CardType) and of.role is Role.CARD:
                yield Fact(f"{k} is a card", lambda f, _: n.at_most(0, f[k]), True, frozenset({k}))
        elif (
            isinstance(of, RefType | OptionType) and isinstance(inner, RefType) and inner.pool in self.layout.containers
        ):
            head, none = self.layout.containers[inner.pool].head, isinstance(of, OptionType)
            yield Fact(
                f"{k} is in use",
                lambda f, g: t.either(none and n.less(f[k], 0), masks.member(f[k], g[head])),
                False,
                frozenset({k}),
            )
        elif isinstance(of, ZoneType) and self.machine.part.locations:
            for name, zones in fields(self.machine):
                yield Fact(
                    f"{k} is not of {name}",
                    lambda f, _, zones=zones: t.no(t.some(n.equal(f[k], z) for z in zones)),
                    True,
                    frozenset({k}),
                )
        for j in sorted(alive):
            yield from self._of_those(k, of, j, fn.locals[j].type)
            if (
                isinstance(inner, AbilityType)
                and self.printed is not None
                and fn.locals[j].type.role in (Role.CARD, Role.OBJECT)
            ):
                yield Fact(
                    f"{k} is printed on {j}",
                    lambda f, _, j=j: self._is_printed(f[k], isinstance(of, SetType), f[j]),
                    True,
                    frozenset({j, k}),
                )

    def _of_cards(self, fn: Function, k: int, alive: frozenset[int]) -> Iterator[Fact]:
        """About a card, or each card of a set."""
        m, of_set = self.machine, fn.locals[k].type.role is Role.CARDS

        def each(v: Val) -> list[Truth]:
            """Whether each of the cards that are followed is it, or one of them."""
            return list(m.members(v)[:m.few]) if of_set else m.is_card(v)

        def none_in(mask: int, v: Val) -> Truth:
            """Is none of the cards that are followed both it, or one of them, and in the known set?"""
            return self.none_in(mask, each(v))
        for name, mask in self.classes.items():
            yield Fact(f"{k} is none of {name}", lambda f, _, mask=mask: none_in(mask, f[k]), True, frozenset({k}))
        placed = fields(m) if m.part.locations else []
        for name, zones in placed:
            yield Fact(
                f"{k} is not in {name}",
                lambda f, g, zones=zones: self._outside(each(f[k]), g, [(z, True) for z in zones]),
                False,
                frozenset({k}),
            )
        for j in sorted(alive):
            of, both = fn.locals[j].type, frozenset({j, k})
            if isinstance(of, PlayerType):
                yield Fact(f"{k} belongs to {j}", lambda f, _, j=j: t.every(
                    t.either(t.no(n.equal(f[j], p)), none_in(self.of_player[1 - p], f[k])) for p in (0, 1)), True, both)
                for name, zones in placed:
                    owned = [(z, p) for z in zones if (p := self.layout.zones[z].player) is not None]
                    yield Fact(
                        f"{k} is not in {name} of another than {j}",
                        lambda f, g, j=j, owned=owned: self._outside(
                            each(f[k]), g, [(z, t.no(n.equal(f[j], p))) for z, p in owned]
                        ),
                        False,
                        both,
                    )
            elif isinstance(of, ZoneType):
                yield Fact(f"{k} belongs where {j} is", lambda f, _, j=j: t.every(
                    t.either(t.no(n.equal(f[j], z)), none_in(self.of_player[1 - info.player], f[k]))
                    for z, info in enumerate(self.layout.zones) if info.player in (0, 1)), True, both)
                if placed:
                    yield Fact(
                        f"{k} lies in {j}",
                        lambda f, g, j=j: t.every(
                            t.either(t.no(b), n.equal(g[self.layout.location + c], f[j]))
                            for c, b in enumerate(each(f[k]))
                        ),
                        False,
                        both,
                    )

    def none_in(self, mask: int, those: Sequence[Truth]) -> Truth:
        """Is none of the cards that are followed both among those and in the known set?"""
        return t.no(t.some(t.both(it, in_mask(c, mask)) for it, c in zip(those, self.machine.cards, strict=True)))

    def _of_those(self, k: int, of: Type, j: int, several: Type) -> Iterator[Fact]:
        """What a local was picked from: it, or each of them, is one of a set that another local is."""
        if k == j or several.role is not Role.CARDS or of.role not in (Role.CARD, Role.OBJECT, Role.CARDS):
            return
        m, sets = self.machine, of.role is Role.CARDS
        yield Fact(f"{k} is one of {j}", lambda f, _: t.every(
            t.either(t.no(it), there)
            for it, there in zip(m.members(f[k])[:m.few] if sets else m.is_card(f[k]), m.members(f[j]), strict=False)),
            True, frozenset({j, k}))

    def _outside(self, those: Sequence[Truth], g: Sequence[Val], zones: Sequence[tuple[int, Truth]]) -> Truth:
        """None of these cards lies in one of these zones (that count)."""
        return t.no(t.some(
            t.both(counts, t.some(t.both(b, there) for b, there in zip(those, self._lying(g, z), strict=True)))
            for z, counts in zones if counts is not False))

    def _lying(self, g: Sequence[Val], zone: int) -> list[Truth]:
        """For each card that is followed, whether it lies in the zone."""
        known = self.lies.get((id(g), zone))
        if known is None:
            first = self.layout.location
            known = self.lies[id(g), zone] = g, [n.equal(v, zone) for v in g[first:first + self.machine.few]]
        return known[1]

    def _is_printed(self, v: Val, several: bool, card: Val) -> Truth:
        """If the card is one that is followed: is the ability (or each of them) on it?"""
        assert self.printed is not None
        those: dict[int, int] = {}
        for c, mask in enumerate(self.printed):
            those[mask] = those.get(mask, 0) | 1 << c
        it = t.some(self.machine.is_card(card))
        return t.either(
            t.no(it),
            t.every(
                t.either(
                    t.no(in_mask(card, cards)),
                    *(
                        [t.every(t.no(b) for k, b in enumerate(n.bits(v)) if not mask >> k & 1)]
                        if several
                        else [n.less(v, 0), in_mask(v, mask)]
                    ),
                )
                for mask, cards in those.items()
            ),
        )

    # ------------------------------------------------------------ of entries
    def of_entries(self) -> Iterator[EachEntry]:
        """What each entry is of the multisets that are kept besides: shown where one is added. What is in it was in it before, or was added."""
        m = self.machine

        def said(text: str, of: ContainerInfo, one: Callable[[Sequence[Val]], Truth]) -> EachEntry:
            def each(_: Sequence[Val], g: Sequence[Val]) -> Truth:
                return t.every(t.either(t.no(is_in_use(of, g, k)), one(entry(of, g, k))) for k in range(of.capacity))
            return EachEntry(text, each, True, multiset=of.name, of_one=one)
        for name in sorted(m.part.besides):
            of = self.layout.containers[name]
            abilities, cards = columns(of)
            for c in cards:
                if self.printed is not None:
                    for a in abilities:
                        yield said(f"column {a} of each entry of {name} is printed on column {c}", of,
                                   lambda v, a=a, c=c: self._is_printed(v[a], False, v[c]))
                for some, mask in self.classes.items():
                    yield said(f"column {c} of each entry of {name} is none of {some}", of,
                               lambda v, c=c, mask=mask: self.none_in(mask, m.is_card(v[c])))


def columns(m: ContainerInfo) -> tuple[list[int], list[int]]:
    """The columns of abilities and those of cards. (Of objects nothing is said: they may die while the entry stays.)"""
    inner = [of.inner if isinstance(of, OptionType) else of for of in types_of(m)]
    return ([k for k, of in enumerate(inner) if isinstance(of, AbilityType)],
            [k for k, of in enumerate(inner) if isinstance(of, CardType) and of.role is Role.CARD])


def spoken_of(program: Program) -> list[str]:
    """The multisets of whose entries something can be said."""
    return [name for name, m in program.layout.containers.items()
            if not m.is_pool and columns(m)[1] and not any(of.role is Role.OBJECT for of in types_of(m))]


def printed_abilities(part: Slice) -> tuple[int, ...] | None:
    """The table of the abilities that are printed on each card: what rules go through, ability by ability."""
    for fn in part.whole.functions.values():
        for i in fn.code:
            for e in walk(i):
                if (
                    isinstance(e, ir.Fold)
                    and isinstance(e.domain, ir.Table)
                    and isinstance(fn.locals[e.var].type, AbilityType)
                ):
                    row = part.whole.tables[e.domain.table]
                    if len(row) == part.layout.card_count:
                        return tuple(row)
    return None
