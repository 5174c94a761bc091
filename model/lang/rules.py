"""From a rule to a function; and whether control can come to the end of a rule, or of a block."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import suppress

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, negate
from ..ir.flow import successors
from .code import CodeLowering
from .kinds import RuleDecl
from .layout import blank_of
from .scope import Scope
from .situations import situation_guard
from .source import Refused
from .statements import RuleLowering
from .values import StateRef, Variable


def translate(scope: Scope, name: str) -> None:
    """Make the IR function of a rule."""
    rule = scope.d.rules[name]
    low = RuleLowering(scope, rule.reporter, rule.name, rule.ir_kind, rule.result, rule.clauses)
    low.clauses = rule.inherited or rule.clauses.get(id(rule.node), ())
    for p, of in rule.params:
        low.names[p] = Variable(of, tuple(low.new_local(p, s) for s in of.flat()))
    if rule.state is not None:
        low.names[rule.state] = StateRef(rule.part)
    arity = len(low.locals)
    body = list(rule.node.body)
    try:
        if rule.kind == "action":
            action_guard(rule, low)
        if rule.kind == "situation" and rule.is_async:
            body = situation_guard(scope, rule, low, body)
    except Refused:
        return
    if rule.expanded:
        with suppress(Refused):
            returned = low.only_return(rule)
            assert returned.value is not None
            low.expanding.append(rule.name)
            low.as_declared(rule, low.meaning(returned.value), returned.value)
        return
    low.find_single_assignments(rule.node)
    low.block(body)
    if falls_through(rule.node.body) and not isinstance(rule.result, t.NothingType):
        rule.reporter.refuse(
            rule.node,
            "path-without-result",
            f"`{rule.name}` can come to its end without a result",
            f"`{rule.name}` には、値を返さずに終わる場合があります",
            (
                'return something on every path, or write gap("clause") where the rules are silent',
                'どの場合も return するか、規則が沈黙する所に gap("条番号") と書いてください',
            ),
        )
        low.failed = True
    if reaches_end(low):
        at = low.mark(rule.node)
        low.put(ir.Return(at=at) if isinstance(rule.result, t.NothingType) else ir.End("gap", None, "", at=at))
    if not low.failed:
        low.add(arity, rule.scope)


def action_guard(rule: RuleDecl, low: RuleLowering) -> None:
    """An action that is forbidden is simply not done."""
    args = [low.of_variable(v) for p, _ in rule.params if isinstance(v := low.names[p], Variable)]
    no = low.prohibited(rule.base, args, rule.node)
    if no == FALSE:
        return
    if isinstance(rule.result, t.Finite):
        raise rule.reporter.refuse(
            rule.result_note or rule.node,
            "result-of-forbidden",
            f"what does `{rule.name}` give where it is forbidden? There is no {rule.result} for that",
            f"`{rule.name}` が禁止されているとき、何を返しますか（{rule.result} では表せません）",
            (f"write `-> Option[{rule.result}]`", f"`-> Option[{rule.result}]` と書いてください"),
        )
    b = low.put(ir.Branch(negate(negate(no)), -1, at=low.mark(rule.node)))
    if isinstance(rule.result, t.NothingType):
        low.put(ir.Return(at=low.mark(rule.node)))
    else:
        low.put(ir.Return(ir.Const(blank_of(rule.result)), at=low.mark(rule.node)))
    low.point(b, low.here())


def reaches_end(low: CodeLowering) -> bool:
    """Does anything lead behind the last instruction (code that nothing comes to included)?"""
    end = len(low.code)
    return (
        not end
        or any(end in successors(i, k) for k, i in enumerate(low.code))
        or any(h.target == end for h in low.handlers)
    )


def falls_through(body: Sequence[ast.stmt]) -> bool:
    """Can control come to the end of the block?"""
    if not body:
        return True
    match body[-1]:
        case ast.Return() | ast.Raise():
            return False
        case ast.Expr(value=ast.Call(func=ast.Name(id="gap" | "conflict" | "not_modelled" | "finish"))):
            return False
        case ast.If(body=a, orelse=b):
            return not b or falls_through(a) or falls_through(b)
        case ast.While(test=ast.Constant(value=True)) as w:
            return breaks_out(w.body)
        case ast.Match(cases=cases):
            return any(falls_through(c.body) for c in cases)
        case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Name(id="abandon_when")))]):
            return True
        case ast.With(body=a):
            return falls_through(a)
        case ast.Try(body=a, handlers=hs):
            return falls_through(a) or any(falls_through(h.body) for h in hs)
        case _:
            return True


def breaks_out(body: Sequence[ast.stmt]) -> bool:
    """Does some `break` in the body of a loop leave that loop?"""
    for s in body:
        match s:
            case ast.Break():
                return True
            case ast.For() | ast.While() | ast.FunctionDef() | ast.AsyncFunctionDef():
                pass
            case _:
                inner = [x for f in ("body", "orelse", "handlers", "cases") for x in getattr(s, f, [])]
                inner = [
                    y for x in inner for y in (x.body if isinstance(x, ast.ExceptHandler | ast.match_case) else [x])
                ]
                if breaks_out(inner):
                    return True
    return False
