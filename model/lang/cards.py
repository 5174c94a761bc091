"""The scripts of cards, as functions."""

from __future__ import annotations

import ast
from contextlib import suppress

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, pick
from ..ir.program import Function, LocalInfo
from .abilities import ABOUT_A_CARD, question_result
from .marks import check_marks_of
from .rules import reaches_end
from .scope import Scope
from .source import Refused, attach_clauses
from .statements import RuleLowering
from .values import EventRef, StateRef, Variable
from .world import AbilityDef


def make_event(scope: Scope, event: str) -> None:
    """A step that hands each listening ability whose guard holds to the trigger policy."""
    d = scope.d
    of = d.record(event)
    policy = scope.policy
    assert policy is not None
    scope.need(policy.name)
    low = RuleLowering(scope, policy.reporter, f"emit {event}", "step", t.NOTHING)
    fields = tuple(Variable(ft, tuple(low.new_local(f, s) for s in ft.flat())) for f, ft in of.fields)
    arity = len(low.locals)
    for a in scope.abilities.listened(event):
        rest = low.new_local("rest", t.SetType(d.card))
        card = low.new_local("card", d.card)
        low.put(ir.Assign(rest, ir.Const(scope.abilities.holders(a))))
        head = low.put(ir.Next(rest, card, 0, -1))
        given = tuple(ir.Local(x) for v in fields for x in v.locals)
        holds = guard(scope, a, of, ir.Local(card), given) if "if" in a.scripts else TRUE
        b = low.put(ir.Branch(holds, head)) if holds != TRUE else None
        cause = scope.abilities.cause_of(a, {f: low.of_variable(v) for (f, _), v in zip(of.fields, fields, strict=True)})
        low.put(ir.Do(policy.name, (ir.Const(scope.abilities.number(a)), ir.Local(card), *cause)))
        low.put(ir.Jump(head))
        low.point(head, low.here())
        if b is not None:
            low.point(b, head)
    low.put(ir.Return())
    low.add(arity)


def guard(scope: Scope, a: AbilityDef, of: t.RecordType, card: ir.Expr, fields: tuple[ir.Expr, ...]) -> ir.Expr:
    """Call of the define made of an event ability's `if:`."""
    name = f"if {a.id}"
    d = scope.d
    try:
        low = RuleLowering(scope, scope.abilities.reporter(a, "if"), name, "define", t.BOOL)
    except Refused:
        return FALSE
    this = low.take("this", d.card)
    event = EventRef(tuple((f, low.take(f, ft)) for f, ft in of.fields))
    arity = len(low.locals)
    low.names = {"g": StateRef(), "this": this, "event": event}
    if (you := scope.master_of(this.expr)) is not None:
        low.names["you"] = you
    node = low.at.source.tree.body[0]
    assert isinstance(node, ast.Expr)
    try:
        e = low.test(node.value)
    except Refused:
        return FALSE
    if isinstance(e, ir.Const):
        return e
    low.put(ir.Return(e, at=low.mark(node)))
    low.add(arity)
    return ir.Call(name, (card, *fields))


def make_question(scope: Scope, which: str) -> None:
    """`condition`, `state_holds`, `payable`, …: one define that tells the abilities apart."""
    key = {"condition": "if", "state_holds": "while"}.get(which, which)
    d = scope.d
    result, answer = question_result(which)
    about = which in ABOUT_A_CARD
    args = tuple(ir.Local(k) for k in range(1, 3 + about))
    for a in reversed(scope.abilities.having(which)):
        name = f"{key} {a.id}"
        with suppress(Refused):
            low = RuleLowering(scope, scope.abilities.reporter(a, key), name, "define", result)
            low.names["g"] = StateRef()
            for taken, of in (("this", d.card), ("you", d.player), *([("card", d.card)] if about else [])):
                low.take(taken, of)
            node = low.at.source.tree.body[0]
            assert isinstance(node, ast.Expr)
            said = low.test(node.value) if result == t.BOOL else low.scalar(node.value, result)
            low.put(ir.Return(said, at=low.mark(node)))
            low.add(len(args))
            answer = pick(binary("eq", ir.Local(0), ir.Const(scope.abilities.number(a))), ir.Call(name, args), answer)
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
            make_text(scope, a, key, name, columns)
        if name not in scope.functions:
            continue
        code.append(ir.Branch(binary("eq", ir.Local(0), ir.Const(scope.abilities.number(a))), len(code) + 3))
        code.append(ir.Invoke(name, args))
        code.append(ir.Return())
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


def make_text(scope: Scope, a: AbilityDef, key: str, name: str, columns: tuple[t.Type, ...]) -> None:
    d = scope.d
    at = scope.abilities.reporter(a, key)
    body = at.source.tree.body
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
    clauses = attach_clauses(at.source, shell) if body else {}
    check_marks_of(scope, at.source)
    low = RuleLowering(scope, at, name, "procedure", t.NOTHING, clauses)
    obj = t.OptionType(d.card.as_object)
    low.names["g"] = StateRef()
    low.take("this", obj)
    low.take("you", d.player)
    cause = tuple(ir.Local(low.new_local("cause", s)) for s in columns)
    arity = len(low.locals)
    if key == "text" and a.when is not None:
        low.names["event"] = scope.abilities.event_in_text(a, cause)
    low.find_single_assignments(shell)
    low.block(body)
    if reaches_end(low):
        low.put(ir.Return())
    if not low.failed:
        low.add(arity)
