"""Which expressions are cards, and which sets of cards: marked in the code, so that a machine that tells only a few
cards apart need not guess what a number is.

Only what is used as a set of cards is marked; a card stays its number. What can be one and is not recognised (a bare
number whose use does not tell) stays a number, and a set operation on it is refused by whoever meets it.
"""
from __future__ import annotations

from dataclasses import fields, replace
from typing import cast

from ...model.ir import nodes as ir
from ...model.ir.program import Function, Program
from ...model.ir.types import Role, SetType, Type


@ir.node
class CardsConst(ir.Const):
    """A known set of cards."""


@ir.node
class CardsTable(ir.Table):
    """A set of cards out of a table."""


@ir.node
class CardLoad(ir.Load):
    """What is said of a card."""


@ir.node
class CardsUnary(ir.Unary):
    """About a set of cards; `single`: the set of one card."""


@ir.node
class CardsBinary(ir.Binary):
    """Of two sets of cards, or (`member`) a card and a set."""


@ir.node
class CardsFold(ir.Fold):
    """Goes through cards. `gives_cards`: what it makes is a set of cards."""

    gives_cards: bool = False


@ir.node
class CardsGathered(ir.Fold):
    """Goes through something else and makes a set of cards (`set`)."""


@ir.node
class CardStore(ir.Store):
    """Writes what is said of a card."""


@ir.node
class CardsNext(ir.Next):
    """The next card of a set."""


@ir.node
class CardBinder(ir.Binder):
    """Ranges over cards."""


@ir.node
class SomeCards(ir.ChooseSome):
    """A subset of cards is taken."""


CARDS, CARD, PLAIN = "cards", "card", ""
SETS = ("union", "meet", "without", "differ")


def marked(program: Program) -> Program:
    """The program with its cards marked."""
    marker = Marker(program)
    return replace(program, functions={name: marker.function(fn) for name, fn in program.functions.items()})


def sort_of(of: Type) -> str:
    """What a scalar of the type is."""
    if of.role is Role.CARDS and isinstance(of, SetType):
        return CARDS
    return CARD if of.role in (Role.CARD, Role.OBJECT) else PLAIN


class Marker:
    """Marks the code of a program."""

    def __init__(self, program: Program) -> None:
        self.program, self.layout = program, program.layout
        self.count = program.layout.card_count

    def block(self, slot: int) -> int | None:
        """The first slot of the block of cards that the slot is in."""
        return next((b for b in self.layout.per_card if b <= slot < b + self.count), None)

    def function(self, fn: Function) -> Function:
        return replace(fn, code=[self.instruction(i, fn) for i in fn.code])

    # ------------------------------------------------------------ sorts
    def sort(self, e: ir.Expr, fn: Function) -> str:
        match e:
            case ir.Local(index=x):
                return sort_of(fn.locals[x].type)
            case ir.Load(base=base):
                return sort_of(self.layout.slots[base].type)
            case ir.ZoneCards() | ir.PileTop():
                return CARDS
            case ir.PileFind():
                return CARD
            case ir.Unary(op="lowest" | "only", a=a):
                return CARD if self.sort(a, fn) == CARDS else PLAIN
            case ir.Unary(op="single", a=a):
                return CARDS if self.sort(a, fn) == CARD else PLAIN
            case ir.Binary(op=op, a=a, b=b) if op in SETS:
                return CARDS if CARDS in (self.sort(a, fn), self.sort(b, fn)) else PLAIN
            case ir.If(a=a, b=b):
                return self.sort(a, fn) or self.sort(b, fn)
            case ir.Present(a=a) | ir.Within(a=a):
                return self.sort(a, fn)
            case ir.Fold(kind="set", body=body):
                return CARDS if self.sort(body, fn) == CARD else PLAIN
            case ir.Fold(kind="union" | "min" | "max", body=body):
                return self.sort(body, fn)
            case ir.Call(function=name):
                return sort_of(self.program.functions[name].result)
            case _:
                return PLAIN

    def is_card(self, fn: Function, var: int) -> bool:
        return sort_of(fn.locals[var].type) == CARD

    # ------------------------------------------------------------ marking
    def expr(self, e: ir.Expr, fn: Function, wanted: bool = False) -> ir.Expr:
        """The expression, marked. `wanted`: it is used as a set of cards."""
        def go(x: ir.Expr, wanted: bool = False) -> ir.Expr:
            return self.expr(x, fn, wanted)
        match e:
            case ir.Const(value=v):
                return CardsConst(v, at=e.at) if wanted else e
            case ir.Table(table=number, index=index):
                return (CardsTable if wanted else ir.Table)(number, go(index), at=e.at)
            case ir.Load(base=base, index=index, count=count):
                index = None if index is None else go(index)
                return (ir.Load if self.block(base) is None else CardLoad)(base, index, count, at=e.at)
            case ir.Unary(op="size" | "lowest" | "only" as op, a=a) if self.sort(a, fn) == CARDS:
                return CardsUnary(op, go(a, True), at=e.at)
            case ir.Unary(op="single" | "below" as op, a=a) if wanted or (op == "single" and self.sort(a, fn) == CARD):
                return CardsUnary(op, go(a), at=e.at)
            case ir.Binary(op="member", a=a, b=b) if self.sort(b, fn) == CARDS:
                return CardsBinary("member", go(a), go(b, True), at=e.at)
            case ir.Binary(op=op, a=a, b=b) if op in (*SETS, "eq", "ne") and (
                    (wanted and op in SETS) or CARDS in (self.sort(a, fn), self.sort(b, fn))):
                return CardsBinary(op, go(a, True), go(b, True), at=e.at)
            case ir.Binary(op="shift", a=a, b=b) if wanted:
                return CardsBinary("shift", go(a, True), go(b), at=e.at)
            case ir.If(test=test, a=a, b=b):
                sets = wanted or CARDS in (self.sort(a, fn), self.sort(b, fn))
                return ir.If(go(test), go(a, sets), go(b, sets), at=e.at)
            case ir.Present(a=a, none=none):
                return ir.Present(go(a, wanted), none, at=e.at)
            case ir.Within(a=a, lo=lo, hi=hi):
                return ir.Within(go(a, wanted), lo, hi, at=e.at)
            case ir.Fold():
                over = self.is_card(fn, e.var)
                gathers = e.kind == "set" and self.sort(e.body, fn) == CARD
                united = e.kind == "union" and (wanted or self.sort(e.body, fn) == CARDS)
                parts = (e.kind, e.var, go(e.domain, over), go(e.test), go(e.body, united), e.offset,
                         None if e.default is None else go(e.default, wanted))
                if over:
                    return CardsFold(*parts, gives_cards=gathers, at=e.at)
                return (CardsGathered if gathers else ir.Fold)(*parts, at=e.at)
            case ir.Call(function=name, args=args):
                return ir.Call(name, self.arguments(name, args, fn), at=e.at)
            case (
                ir.Local()
                | ir.PileTop()
                | ir.ZoneCards()
                | ir.PileFind()
                | ir.All()
                | ir.Any()
                | ir.Unary()
                | ir.Binary()
            ):
                return cast(ir.Expr, self.inside(e, fn))
            case _:
                raise AssertionError(e)

    def arguments(self, name: str, args: tuple[ir.Expr, ...], fn: Function) -> tuple[ir.Expr, ...]:
        params = self.program.functions[name].locals
        return tuple(self.expr(a, fn, sort_of(x.type) == CARDS) for a, x in zip(args, params, strict=False))

    def inside(self, node: ir.Node, fn: Function) -> ir.Node:
        """The node with what is in it marked, none of which is used as a set of cards by it."""
        changed: dict[str, object] = {}
        for x in fields(node):
            v = getattr(node, x.name)
            if isinstance(v, ir.Expr):
                changed[x.name] = self.expr(v, fn)
            elif isinstance(v, ir.Node):
                changed[x.name] = self.inside(v, fn)
            elif isinstance(v, tuple) and any(isinstance(p, ir.Node) for p in v):  # pyright: ignore[reportUnknownVariableType]
                changed[x.name] = tuple(
                    self.expr(p, fn) if isinstance(p, ir.Expr) else self.inside(p, fn)
                    for p in cast("tuple[ir.Node, ...]", v)
                )
        return replace(node, **changed) if changed else node  # pyright: ignore[reportArgumentType]

    def instruction(self, i: ir.Instr, fn: Function) -> ir.Instr:
        def go(e: ir.Expr, of: Type | None = None) -> ir.Expr:
            return self.expr(e, fn, of is not None and sort_of(of) == CARDS)

        def row(values: tuple[ir.Expr, ...], name: str) -> tuple[ir.Expr, ...]:
            slots = [self.layout.slots[c] for c in self.layout.containers[name].columns]
            return tuple(go(v, s.type) for v, s in zip(values, slots, strict=True))
        match i:
            case ir.Assign(local=x, value=e):
                return ir.Assign(x, go(e, fn.locals[x].type), at=i.at)
            case ir.Store(base=base, index=index, count=count, value=e, op=op):
                made = ir.Store if self.block(base) is None else CardStore
                return made(
                    base, None if index is None else go(index), count, go(e, self.layout.slots[base].type), op, at=i.at
                )
            case ir.Insert(multiset=m, values=values):
                return ir.Insert(m, row(values, m), at=i.at)
            case ir.Remove(multiset=m, values=values):
                return ir.Remove(m, row(values, m), at=i.at)
            case ir.New(pool=p, values=values, local=x):
                return ir.New(p, row(values, p), x, at=i.at)
            case ir.Do(function=name, args=args):
                return replace(i, args=self.arguments(name, args, fn))
            case ir.Invoke(function=name, args=args):
                return replace(i, args=self.arguments(name, args, fn))
            case ir.Return(value=e) if e is not None:
                return ir.Return(go(e, fn.result), at=i.at)
            case ir.Next() if self.is_card(fn, i.var):
                return CardsNext(i.rest, i.var, i.offset, i.done, at=i.at)
            case ir.Choose(offers=offers):
                return replace(i, owner=cast(ir.Owner, self.inside(i.owner, fn)), offers=tuple(
                    self.offer(o, [fn.locals[x].type for x in i.locals], fn) for o in offers))
            case ir.ChooseSome() if sort_of(fn.locals[i.local].type) == CARDS:
                return SomeCards(
                    cast(ir.Owner, self.inside(i.owner, fn)),
                    self.expr(i.among, fn, True),
                    go(i.least),
                    go(i.most),
                    i.local,
                    i.type,
                    at=i.at,
                )
            case _:
                return cast(ir.Instr, self.inside(i, fn))

    def offer(self, o: ir.Offer, types: list[Type], fn: Function) -> ir.Offer:
        binders = tuple(
            (CardBinder if (card := self.is_card(fn, b.var)) else ir.Binder)(
                b.var, self.expr(b.domain, fn, card), b.offset, at=b.at)
            for b in o.binders)
        values = tuple(self.expr(v, fn, sort_of(of) == CARDS) for v, of in zip(o.values, types, strict=True))
        return ir.Offer(binders, self.expr(o.test, fn), values, at=o.at)
