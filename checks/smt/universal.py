"""Invariants about every card, or every few: how they are broken, if they are, and how many cards that takes.

`all(... for c in CARDS)` is broken by one card, `len(zone) <= 1` by two, a card that lies on another one of a wrong sort by
these two. Of the cards that are followed nothing is known, so if the invariant can be broken, it can be by them.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model.ir import nodes as ir
from ...model.ir.flow import children, rewrite, walk
from ...model.ir.program import Function, Program
from ...model.ir.types import Role
from . import numbers as n
from . import truths as t
from .numbers import Val
from .representatives import FewOfMany, Representatives
from .sorts import CardsFold, CardsUnary
from .states import Sym
from .truths import Truth

AT_MOST = {"le": 0, "lt": -1}


def body_of(program: Program, name: str) -> ir.Expr | None:
    """What a define gives, as one expression, if it does no more than give names to parts of it and tell cases apart."""
    code = program.functions[name].code

    def at(pc: int, known: Mapping[int, ir.Expr]) -> ir.Expr | None:
        def said(e: ir.Expr) -> ir.Expr:
            return rewrite(e, lambda x: known.get(x.index, x) if isinstance(x, ir.Local) else x)
        match code[pc]:
            case ir.Return(value=ir.Expr() as value):
                return said(value)
            case ir.Assign(local=x, value=value):
                return at(pc + 1, {**known, x: said(value)})
            case ir.Jump(target=to) if to > pc:
                return at(to, known)
            case ir.Branch(test=test, otherwise=to) if to > pc:
                a, b = at(pc + 1, known), at(to, known)
                return None if a is None or b is None else ir.If(said(test), a, b)
            case ir.End():  # no case is left
                return ir.Const(0)
            case _:
                return None
    return at(0, {})


def cap(e: ir.Expr) -> tuple[ir.Expr, int] | None:
    """A set of cards, and how many it has at most, if the expression says that."""
    match e:
        case ir.Binary(op="le" | "lt" as op, a=CardsUnary(op="size", a=those), b=ir.Const(value=most)):
            return those, most + AT_MOST[op]
        case ir.Binary(op="ge" | "gt" as op, a=ir.Const(value=most), b=CardsUnary(op="size", a=those)):
            return those, most + AT_MOST["le" if op == "ge" else "lt"]
        case ir.Binary(op="eq", a=CardsUnary(op="size", a=those), b=ir.Const(value=0)):
            return those, 0
        case _:
            return None


def uses(program: Program, name: str) -> list[Function]:
    found, todo = {name: program.functions[name]}, [name]
    while todo:
        for i in found[todo.pop()].code:
            for e in walk(i):
                if isinstance(e, ir.Call) and e.function not in found:
                    found[e.function] = program.functions[e.function]
                    todo.append(e.function)
    return list(found.values())


def needed(program: Program, name: str) -> int:
    """How many cards break a condition, if it is broken: those that it is given, and others."""
    body, fn = body_of(program, name), program.functions[name]
    return 1 if body is None else max(1, len(given_cards(fn, body)) + _needed(program, body, fn))


def given_cards(fn: Function, body: ir.Expr) -> list[int]:
    """The cards that a define is given and looks at."""
    read = {x.index for x in walk(body) if isinstance(x, ir.Local)}
    return [k for k in range(fn.arity) if k in read and fn.locals[k].type.role in (Role.CARD, Role.OBJECT)]


def _needed(program: Program, e: ir.Expr, fn: Function) -> int:
    if (found := cap(e)) is not None:
        return found[1] + 1
    match e:
        case ir.All(parts=parts):
            return max((_needed(program, p, fn) for p in parts), default=0)
        case ir.Any(parts=parts):
            return sum(_needed(program, p, fn) for p in parts)
        case ir.If(a=a, b=b):
            return max(_needed(program, a, fn), _needed(program, b, fn))
        case ir.Fold(kind="all", body=body, default=None):
            return isinstance(e, CardsFold) + _needed(program, body, fn)
        case ir.Call(function=name) if (inner := body_of(program, name)) is not None:
            return _needed(program, inner, program.functions[name]) + sum(other_cards(program, a, fn) for a in e.args)
        case _:
            return other_cards(program, e, fn)


def other_cards(program: Program, e: ir.Expr, fn: Function) -> int:
    """How many cards an expression may come to from those that it is about (that which one lies on, say). What is inside
    another loop is not looked at: nothing is known of that anyway."""
    own = 0
    match e:
        case ir.Binary(op="eq" | "ne", a=ir.Load(index=index), b=ir.Const(value=-1)):  # whether there is one
            return 0 if index is None else other_cards(program, index, fn)
        case ir.Load(base=base):
            own = program.layout.slots[base].type.role in (Role.CARD, Role.OBJECT)
        case ir.Unary(op="lowest" | "only") | ir.PileFind():
            own = isinstance(e, CardsUnary | ir.PileFind)
        case ir.Fold():
            return 0
        case ir.Call(function=name):
            callee = program.functions[name]
            if any(isinstance(i, ir.Next) for i in callee.code):
                return 0
            own = sum(
                other_cards(program, x, callee) for i in callee.code for x in children(i) if isinstance(x, ir.Expr)
            )
        case _:
            pass
    return own + sum(other_cards(program, x, fn) for x in children(e) if isinstance(x, ir.Expr))


class Broken:
    """How invariants are broken by the cards that are followed."""

    def __init__(self, symbolic: FewOfMany) -> None:
        self.program, self.machine = symbolic.program, symbolic.machine

    def by_these(
        self, name: str, slots: list[Val], those: Sequence[int] | None = None, args: Sequence[Val] = ()
    ) -> Truth:
        """Is the condition broken in these slots (of what it is given), by some of the cards that are followed (or of `those`)?"""
        s = Sym(list(slots), shared=True)
        fn = self.program.functions[name]
        body = body_of(self.program, name)
        outer, self.machine.asked_of = self.machine.asked_of, those
        try:
            if body is None:
                return self._plainly(ir.Call(name, ()), s, [])
            followed = [t.either(n.less(args[k], 0), *self.machine.is_card(args[k])) for k in given_cards(fn, body)]
            return t.both(*followed, self._broken(body, s, [*args, *[0] * (len(fn.locals) - len(args))]))
        finally:
            self.machine.asked_of = outer

    def _broken(self, e: ir.Expr, s: Sym, f: list[Val]) -> Truth:
        m: Representatives = self.machine
        if (found := cap(e)) is not None and found[1] + 1 <= m.few:
            *mine, _ = m.members(m.value(found[0], s, f))
            return n.less(found[1], n.count([mine[k] for k in m.those_asked_of()]))
        match e:
            case ir.All(parts=parts):
                return t.some(self._broken(p, s, f) for p in parts)
            case ir.Any(parts=parts):
                return t.every(self._broken(p, s, f) for p in parts)
            case ir.If(test=test, a=a, b=b):
                there = n.holds(m.value(test, s, f))
                return t.choose(there, self._broken(a, s, f), self._broken(b, s, f))
            case ir.Fold(kind="all"):
                domain = m.value(e.domain, s, f)
                those = (
                    [(m.cards[k], m.members(domain)[k]) for k in m.those_asked_of()]
                    if isinstance(e, CardsFold)
                    else [(k + e.offset, inside) for k, inside in enumerate(n.bits(domain))]
                )
                ways: list[Truth] = []
                before = f[e.var]
                for v, inside in those:
                    if inside is False:
                        continue
                    f[e.var] = v
                    tested = n.holds(m.value(e.test, s, f))
                    if tested is not False:
                        ways.append(t.both(inside, tested, self._broken(e.body, s, f)))
                f[e.var] = before
                return t.some(ways)
            case ir.Call(function=name, args=args) if (inner := body_of(self.program, name)) is not None:
                locals_ = [0] * len(self.program.functions[name].locals)
                theirs: list[Val] = [*(m.value(a, s, f) for a in args), *locals_[len(args):]]
                return self._broken(inner, s, theirs)
            case _:
                return self._plainly(e, s, f)

    def _plainly(self, e: ir.Expr, s: Sym, f: list[Val]) -> Truth:
        """It does not hold, or cannot be told; and the cards that it comes to are followed."""
        m = self.machine
        outer = m.halts, m.conditions, m.seen
        m.halts, m.conditions, m.seen = [], [], []
        m.looking += 1
        try:
            holds = n.holds(m.value(e, Sym(s.slots, memo=s.memo, shared=True), f))
            return t.both(t.either(t.no(holds), *(h.when for h in m.halts)), *m.seen)
        finally:
            m.halts, m.conditions, m.seen = outer
            m.looking -= 1
