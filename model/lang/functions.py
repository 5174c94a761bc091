"""From rules, situations and the scripts of cards to functions; and whether control can come to the end of a rule, or of a block."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, either, negate, pick
from ..ir.flow import successors
from ..ir.program import DUE, SETTLE, Function, FunctionKind, LocalInfo
from .code import CodeLowering
from .facts import ABOUT_A_CARD, question_result
from .loops import breaks
from .scope import Scope, check_marks
from .signatures import RuleDecl
from .source import Refused, attach_clauses
from .statements import RuleLowering
from .values import EventRef, StateRef, Variable
from .world import AbilityDef


def translate(scope: Scope, name: str) -> None:
    """Make the IR function of a rule."""
    rule = scope.d.rules[name]
    low = RuleLowering(scope, rule.reporter, rule.name, rule.ir_kind, rule.result)
    low.marked = rule.clauses
    low.clauses = rule.inherited or rule.clauses.get(id(rule.node), ())
    arity = low.begin(rule)
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
            _, value = low.only_return(rule)
            low.expanding.append(rule.name)
            low.as_declared(rule, low.meaning(value), value)
        return
    low.many = low.at.source.set_in_several_places(rule.node)
    low.block(body)
    if falls_through(rule.node.body) and not isinstance(rule.result, t.NothingType):
        rule.reporter.refuse(
            rule.node, "path-without-result", f"`{rule.name}` can come to its end without a result",
            f"`{rule.name}` には、値を返さずに終わる場合があります",
            ('return something on every path, or write gap("clause") where the rules are silent',
             'どの場合も return するか、規則が沈黙する所に gap("条番号") と書いてください'))
        low.failed = True
    if reaches_end(low):
        at = low.mark(rule.node)
        low.put(ir.Return(at=at) if isinstance(rule.result, t.NothingType) else ir.End("gap", None, "", at=at))
    if not low.failed:
        low.add(arity, rule.scope, low.mark(rule.node))


def action_guard(rule: RuleDecl, low: RuleLowering) -> None:
    """An action that is forbidden is simply not done."""
    args = [v for p, _ in rule.params if isinstance(v := low.names[p], Variable)]
    no = low.prohibited(rule.base, args, rule.node)
    if no == FALSE:
        return
    rule.reporter.demand(
        not isinstance(rule.result, t.Finite), rule.result_note or rule.node, "result-of-forbidden",
        f"what does `{rule.name}` give where it is forbidden? There is no {rule.result} for that",
        f"`{rule.name}` が禁止されているとき、何を返しますか（{rule.result} では表せません）",
        (f"write `-> Option[{rule.result}]`", f"`-> Option[{rule.result}]` と書いてください"))
    given = None if isinstance(rule.result, t.NothingType) else ir.Const(t.blank(rule.result))
    with low.where(negate(negate(no)), low.mark(rule.node)):
        low.put(ir.Return(given, at=low.mark(rule.node)))


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
        case (
            ast.Return()
            | ast.Raise()
            | ast.Expr(value=ast.Call(func=ast.Name(id="gap" | "conflict" | "not_modelled" | "finish")))
        ):
            return False
        case ast.If(body=a, orelse=b):
            return not b or falls_through(a) or falls_through(b)
        case ast.While(test=ast.Constant(value=True)) as w:
            return any(breaks(w.body))
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


@dataclass(frozen=True)
class SituationType(t.UnionType):
    """Which situation is carried out next, and of what: a record for each, with its parameters as fields."""


def situation_guard(scope: Scope, rule: RuleDecl, low: RuleLowering, body: list[ast.stmt]) -> list[ast.stmt]:
    """The `when(…)` of an async situation becomes a define of its own."""
    match [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="when"), args=[condition])) as first, *rest]:
            pass
        case _:
            raise rule.reporter.refuse(
                rule.node, "situation-without-when", f"the situation `{rule.name}` does not say when it holds",
                f"`{rule.name}` に、成り立つ条件がありません", ("begin it with `when(condition)`", "最初に `when(条件)` と書いてください"))
    guard = RuleLowering(scope, rule.reporter, f"when {rule.name}", "define", t.BOOL)
    guard.marked = rule.clauses
    guard.clauses = rule.clauses.get(id(first), low.clauses)
    arity = guard.begin(rule)
    guard.put(ir.Return(guard.test(condition), at=guard.mark(first)))
    guard.add(arity)
    return rest


def settling(scope: Scope, situations: list[RuleDecl]) -> None:
    """The procedure `settle situations`: as long as a situation holds, who orders them takes one, and it is carried out."""
    asking = [r for r in situations if r.is_async]
    if not asking:
        return
    other = next((r for r in asking if r.subject != asking[0].subject), None)
    if other is not None:
        other.reporter.refuse(
            other.node, "settled-by", "two situations can arise together: who orders them must be the same for all",
            "situation は同時に成り立つことがあるので、順番を決める人は全部で同じにします",
            ("write the same `@settled_by(…)` above each", "どれにも同じ `@settled_by(…)` を付けてください"))
        return
    make_due(scope, asking)
    low = RuleLowering(scope, asking[0].reporter, SETTLE, "procedure", t.NOTHING)
    kind = SituationType(tuple(t.RecordType(r.name, tuple(r.params)) for r in asking))
    offers: list[ir.Offer] = []
    for k, r in enumerate(asking):
        low.clauses = clauses_of_situation(r)
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
    low.clauses = ()
    head = low.put(ir.Label())
    chosen = [low.new_local("situation", x) for x in kind.flat()]
    marks = dict.fromkeys(clause for r in asking for clause in clauses_of_situation(r))
    owner: ir.Owner = ir.ByNobody(" ".join(marks))
    if asking[0].subject:
        if asking[0].subject not in scope.d.rules:
            return
        scope.need(asking[0].subject)
        owner = ir.ByPlayer(ir.Call(asking[0].subject, ()))
    with low.where(ir.Call(DUE, ())):
        low.put(ir.Choose(owner, tuple(offers), tuple(chosen), kind))
        for k, r in enumerate(asking):
            _, first, _ = kind.offset(r.name)
            with low.where(ir.Binary("eq", ir.Local(chosen[0]), ir.Const(k))):
                low.put(ir.Invoke(r.name, tuple(ir.Local(x) for x in chosen[first : first + len(r.params)])))
                low.put(ir.Jump(head))
        low.put(ir.Jump(head))
    low.put(ir.Return())
    low.add(0)


def clauses_of_situation(r: RuleDecl) -> tuple[str, ...]:
    """The clauses marked at its head; else those of the first statement that has some."""
    return next((r.clauses[id(s)] for s in (r.node, *r.node.body) if id(s) in r.clauses), ())


def everyone(low: RuleLowering, r: RuleDecl) -> list[ir.Binder]:
    """Binders that go through everything a situation is looked at for."""
    return [ir.Binder(low.new_local(p, of), ir.Const(t.SetType(of).hi), of.lo) for p, of in r.params]


def make_due(scope: Scope, asking: list[RuleDecl]) -> None:
    """The define `due`: does some situation hold?"""
    low = RuleLowering(scope, asking[0].reporter, DUE, "define", t.BOOL)
    parts: list[ir.Expr] = []
    for r in asking:
        binders = everyone(low, r)
        call = ir.Call(f"when {r.name}", tuple(ir.Local(b.var) for b in binders))
        parts.append(low.fold("any", binders, [TRUE] * len(binders), call, r.node))
    low.put(ir.Return(either(parts)))
    low.add(0)


def make_event(scope: Scope, event: str) -> None:
    """A step that hands each listening ability whose guard holds to the trigger policy."""
    d = scope.d
    of = d.record(event)
    policy = scope.policy
    assert policy is not None
    scope.need(policy.name)
    low = RuleLowering(scope, policy.reporter, f"emit {event}", "step", t.NOTHING)
    fields = {f: low.declare_variable(f, ft) for f, ft in of.fields}
    arity = len(low.locals)
    for a in scope.abilities.listened(event):
        rest = low.new_local("rest", t.SetType(d.card))
        card = low.new_local("card", d.card)
        low.put(ir.Assign(rest, ir.Const(scope.abilities.holders(a))))
        given = tuple(p for v in fields.values() for p in v.parts)
        holds = guard(scope, a, of, ir.Local(card), given) if "if" in a.scripts else TRUE
        cause = scope.abilities.cause_of(a, fields)
        with low.for_members(rest, card) as head:
            if holds != TRUE:
                low.put(ir.Branch(holds, head))
            low.put(ir.Do(policy.name, (ir.Const(scope.abilities.number(a)), ir.Local(card), *cause)))
    low.put(ir.Return())
    low.add(arity)


def guard(scope: Scope, a: AbilityDef, of: t.RecordType, card: ir.Expr, fields: tuple[ir.Expr, ...]) -> ir.Expr:
    """Call of the define made of an event ability's `if:`."""
    with suppress(Refused):
        low = script(scope, a, "if", "define", t.BOOL)
        this = low.take("this", scope.d.card)
        low.names["event"] = EventRef(tuple((f, low.declare_variable(f, ft)) for f, ft in of.fields))
        arity = len(low.locals)
        if (you := scope.master_of(this.expr)) is not None:
            low.names["you"] = you
        node = condition_of(low)
        e = low.test(node.value)
        if isinstance(e, ir.Const):
            return e
        low.put(ir.Return(e, at=low.mark(node)))
        low.add(arity)
        return ir.Call(low.name, (card, *fields))
    return FALSE


def script(scope: Scope, a: AbilityDef, key: str, kind: FunctionKind, result: t.Type) -> RuleLowering:
    """What makes a function of a script of a card. Raises Refused if the script could not be read."""
    low = RuleLowering(scope, scope.abilities.reporter(a, key), f"{key} {a.id}", kind, result)
    low.names["g"] = StateRef()
    return low


def condition_of(low: RuleLowering) -> ast.Expr:
    """The expression that a script is."""
    node = low.at.source.tree.body[0]
    assert isinstance(node, ast.Expr)
    return node


def make_question(scope: Scope, which: str) -> None:
    """`condition`, `state_holds`, `payable`, …: one define that tells the abilities apart."""
    key = {"condition": "if", "state_holds": "while"}.get(which, which)
    d = scope.d
    result, answer = question_result(which)
    about = which in ABOUT_A_CARD
    args = tuple(ir.Local(k) for k in range(1, 3 + about))
    for a in reversed(scope.abilities.having(which)):
        with suppress(Refused):
            low = script(scope, a, key, "define", result)
            for taken, of in (("this", d.card), ("you", d.player), *([("card", d.card)] if about else [])):
                low.take(taken, of)
            node = condition_of(low)
            said = low.test(node.value) if result == t.BOOL else low.scalar(node.value, result)
            low.put(ir.Return(said, at=low.mark(node)))
            low.add(len(args))
            answer = pick(
                binary("eq", ir.Local(0), ir.Const(scope.abilities.number(a))), ir.Call(low.name, args), answer
            )
    scope.functions[which] = Function(
        which,
        "define",
        1 + len(args),
        [
            LocalInfo("ability", d.ability),
            LocalInfo("card", d.card),
            LocalInfo("you", d.player),
            *([LocalInfo("about", d.card)] if about else []),
        ],
        [ir.Return(answer)],
        result,
    )


def make_switch(scope: Scope, key: str) -> None:
    """`run text`, `run cost`: one procedure that goes on in the right script."""
    d = scope.d
    obj = t.OptionType(d.card.as_object)
    columns = d.cause.flat() if key == "text" else ()
    code: list[ir.Instr] = []
    args = tuple(ir.Local(k) for k in range(1, 3 + len(columns)))
    for a in scope.abilities.having(key):
        name = f"{key} {a.id}"
        with suppress(Refused):
            make_text(scope, a, key, columns)
        if name not in scope.functions:
            continue
        is_it = binary("eq", ir.Local(0), ir.Const(scope.abilities.number(a)))
        code += [ir.Branch(is_it, len(code) + 3), ir.Invoke(name, args), ir.Return()]
    code.append(ir.Return())
    scope.functions[f"run {key}"] = Function(
        f"run {key}",
        "procedure",
        3 + len(columns),
        [
            LocalInfo("ability", d.ability),
            LocalInfo("this", obj),
            LocalInfo("you", d.player),
            *(LocalInfo("cause", s) for s in columns),
        ],
        code,
    )


def make_text(scope: Scope, a: AbilityDef, key: str, columns: tuple[t.Type, ...]) -> None:
    low = script(scope, a, key, "procedure", t.NOTHING)
    source = low.at.source
    body = source.tree.body
    shell = ast.AsyncFunctionDef(
        "text",
        ast.arguments([], [], None, [], [], None, []),
        body,
        [],
        lineno=0,
        col_offset=0,
        end_lineno=10**6,
        end_col_offset=0,
    )
    if body:
        low.marked = attach_clauses(source, shell)
    check_marks(scope, source)
    low.take("this", t.OptionType(scope.d.card.as_object))
    low.take("you", scope.d.player)
    cause = tuple(ir.Local(low.new_local("cause", s)) for s in columns)
    arity = len(low.locals)
    if key == "text" and a.when is not None:
        low.names["event"] = scope.abilities.event_in_text(a, cause)
    low.many = source.set_in_several_places(shell)
    low.block(body)
    if reaches_end(low):
        low.put(ir.Return())
    if not low.failed:
        low.add(arity)
