"""Situations: what is looked at by itself. Each guard is a define of its own; a procedure settles what holds."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import TRUE, either
from .kinds import RuleDecl
from .scope import Scope
from .statements import RuleLowering
from .values import StateRef, Variable


@dataclass(frozen=True)
class SituationType(t.UnionType):
    """Which situation is carried out next, and of what: a record for each, with its parameters as fields."""


def situation_guard(scope: Scope, rule: RuleDecl, low: RuleLowering, body: list[ast.stmt]) -> list[ast.stmt]:
    """The `when(…)` of an async situation becomes a define of its own."""
    rest = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    first = rest[0] if rest else None
    if not (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Call)
        and isinstance(first.value.func, ast.Name)
        and first.value.func.id == "when"
        and len(first.value.args) == 1
    ):
        raise rule.reporter.refuse(
            rule.node,
            "situation-without-when",
            f"the situation `{rule.name}` does not say when it holds",
            f"`{rule.name}` に、成り立つ条件がありません",
            ("begin it with `when(condition)`", "最初に `when(条件)` と書いてください"),
        )
    guard = RuleLowering(scope, rule.reporter, f"when {rule.name}", "define", t.BOOL, rule.clauses)
    guard.clauses = rule.clauses.get(id(first), low.clauses)
    for p, of in rule.params:
        guard.names[p] = Variable(of, tuple(guard.new_local(p, s) for s in of.flat()))
    if rule.state is not None:
        guard.names[rule.state] = StateRef(rule.part)
    arity = len(guard.locals)
    guard.put(ir.Return(guard.test(first.value.args[0]), at=guard.mark(first)))
    guard.add(arity)
    return rest[1:]


def settling(scope: Scope, situations: list[RuleDecl]) -> None:
    """The procedure `settle situations`: as long as a situation holds, who orders them takes one, and it is carried out."""
    asking = [r for r in situations if r.is_async]
    if not asking:
        return
    deciders = {r.subject for r in asking}
    if len(deciders) > 1:
        other = next(r for r in asking if r.subject != asking[0].subject)
        other.reporter.refuse(
            other.node,
            "settled-by",
            "two situations can arise together: who orders them must be the same for all",
            "situation は同時に成り立つことがあるので、順番を決める人は全部で同じにします",
            ("write the same `@settled_by(…)` above each", "どれにも同じ `@settled_by(…)` を付けてください"),
        )
        return
    make_due(scope, asking)
    low = RuleLowering(scope, asking[0].reporter, "settle situations", "procedure", t.NOTHING)
    kind = SituationType(tuple(t.RecordType(r.name, tuple(r.params)) for r in asking))
    offers: list[ir.Offer] = []
    for k, r in enumerate(asking):
        binders = everyone(low, r)
        values: list[ir.Expr] = [ir.Const(k), *(ir.Const(t.blank(x)) for x in kind.flat()[1:])]
        _, first, _ = kind.offset(r.name)
        values[first : first + len(binders)] = [ir.Local(b.var) for b in binders]
        offers.append(
            ir.Offer(
                tuple(binders),
                ir.Call(f"when {r.name}", tuple(ir.Local(b.var) for b in binders)),
                tuple(values),
                at=low.mark(r.node),
            )
        )
    head = low.put(ir.Label())
    b = low.put(ir.Branch(ir.Call("situation due", ()), -1))
    chosen = [low.new_local("situation", x) for x in kind.flat()]
    marks = dict.fromkeys(clause for r in asking for clause in r.clauses.get(id(r.node), ()))
    owner: ir.Owner = ir.ByNobody(" ".join(marks))
    if asking[0].subject:
        if asking[0].subject not in scope.d.rules:
            return
        scope.need(asking[0].subject)
        owner = ir.ByPlayer(ir.Call(asking[0].subject, ()))
    low.put(ir.Choose(owner, tuple(offers), tuple(chosen), kind))
    for k, r in enumerate(asking):
        skip = low.put(ir.Branch(ir.Binary("eq", ir.Local(chosen[0]), ir.Const(k)), -1))
        _, first, _ = kind.offset(r.name)
        low.put(ir.Invoke(r.name, tuple(ir.Local(x) for x in chosen[first : first + len(r.params)])))
        low.put(ir.Jump(head))
        low.point(skip, low.here())
    low.put(ir.Jump(head))
    low.point(b, low.here())
    low.put(ir.Return())
    low.add(0)


def everyone(low: RuleLowering, r: RuleDecl) -> list[ir.Binder]:
    """Binders that go through everything a situation is looked at for."""
    return [ir.Binder(low.new_local(p, of), ir.Const(t.SetType(of).hi), of.lo) for p, of in r.params]


def make_due(scope: Scope, asking: list[RuleDecl]) -> None:
    """The define `due`: does some situation hold?"""
    low = RuleLowering(scope, asking[0].reporter, "situation due", "define", t.BOOL)
    parts: list[ir.Expr] = []
    for r in asking:
        binders = everyone(low, r)
        call = ir.Call(f"when {r.name}", tuple(ir.Local(b.var) for b in binders))
        parts.append(low.fold("any", binders, [TRUE] * len(binders), call, r.node))
    low.put(ir.Return(either(parts)))
    low.add(0)
