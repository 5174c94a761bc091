"""The heads of rules: kind, parameters, result."""

from __future__ import annotations

import ast
from typing import Any

from ...spec.diagnostics import nearest
from ..ir import types as t
from ..ir.program import FunctionKind
from .declarations import Declarations
from .kinds import KINDS, PURE, SCOPES, SUBJECTS, Parameters, RuleDecl, RuleSort
from .shapes import role_named
from .source import Refused, Reporter, attach_clauses


def declare_rule(d: Declarations, node: ast.FunctionDef | ast.AsyncFunctionDef, at: Reporter) -> RuleDecl:
    """The head of a rule: its kind, parameters and result."""
    said: dict[str, Any] = {}
    for deco in node.decorator_list:
        said |= decoration(deco, said.get("kind", ""), at)
    entry = said.get("entry", "")
    kind = said["kind"] = said.get("kind") or ("procedure" if entry else "")
    at.demand(
        kind, node, "no-kind", f"`{node.name}` does not say what kind of rule it is", f"`{node.name}` に規則の種類がありません",
        ("put @define, @step, @action or @procedure above it", "上に @define, @step, @action, @procedure のどれかを付けてください"))
    at.demand(
        not entry or kind == "procedure", node, "entry-kind",
        f"play begins with a procedure, and `{node.name}` is a {kind}", f"始まりになれるのは手順だけです（`{node.name}` は {kind} です）",
        ("make it a @procedure (`async def`)", "@procedure（`async def`）にしてください"))
    is_async = isinstance(node, ast.AsyncFunctionDef)
    at.demand(
        kind != "procedure" or is_async, node, "procedure-not-async", f"the procedure `{node.name}` is not `async def`",
        f"手順 `{node.name}` が `async def` ではありません",
        (f"write `async def {node.name}`, or make it a @step if nothing can interrupt it", f"`async def {node.name}` と書くか、割り込めないなら @step にしてください"))
    at.demand(
        kind not in (*PURE, "step", "trigger_policy") or not is_async, node, "async-not-allowed",
        f"a {kind} cannot be interrupted, so it is not `async`", f"{kind} は中断されないので `async` にはできません",
        ("write `def`, or make it a @procedure", "`def` にするか、@procedure にしてください"))
    taken = parameters(d, node, at)
    at.demand(
        kind in ("define", "value", "step", "procedure") or not (taken.passed or taken.deciders or taken.any_type),
        node, "rules-passed-to-that", f"{an(kind)} cannot be given rules, deciders or values of any type",
        f"{kind} に規則・Decider・任意の型の値を渡すことはできません",
        ("make it a @define, @step or @procedure", "@define, @step, @procedure のどれかにしてください"))
    for n in at.source.nodes(node) if taken.passed else ():
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in taken.passed:
            raise at.refuse(
                n, "rule-assigned", f"`{n.id}` is a rule that was passed, and stays it", f"`{n.id}` は渡された規則なので、代入できません",
                ("use another name", "別の名前にしてください"))
    result: t.Type = t.NOTHING
    gives_set = False
    if node.returns is not None:
        result, gives_set = lenient_result(d, node.returns, at)
    return RuleDecl(
        **vars(taken),
        **said,
        name=node.name,
        node=node,
        reporter=at,
        result=result,
        result_note=node.returns,
        clauses=attach_clauses(at.source, node),
        gives_set=gives_set,
        base=node.name,
    )


def an(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def decoration(deco: ast.expr, kind: str, at: Reporter) -> dict[str, Any]:
    """What a decorator says of a rule, as fields of its declaration: its kind, and what stands in the brackets behind it. `kind`: what was
    said before."""
    call = deco if isinstance(deco, ast.Call) else None
    of = deco.func if isinstance(deco, ast.Call) else deco
    name = of.id if isinstance(of, ast.Name) else ""
    at.demand(
        name not in KINDS or kind in ("", name), deco, "two-kinds", f"a rule is of one kind: {kind} or {name}",
        f"規則の種類は一つです（{kind} か {name}）", ("split it into two rules", "二つの規則に分けてください"))
    match name, call:
        case "entry", ast.Call(args=[ast.Constant(value=beginning)]):
            return {"entry": str(beginning)}
        case "entry", _:
            raise at.refuse(
                deco, "entry-form", "an entry has a name, as text", "entry には名前を文字列で書きます",
                ('write `@entry("game")`', '`@entry("game")` のように書いてください'))
        case "settled_by", ast.Call(args=[ast.Name(id=decider)]):
            return {"subject": decider}
        case "settled_by", _:
            raise at.refuse(
                deco, "settled-by", "name the define that says who decides", "決める人を返す @define の名前を書きます",
                ("write `@settled_by(turn_player)`, say", "`@settled_by(turn_player)` のように書いてください"))
        case "known_as", _:
            return {"known_as": role_named(call, deco, at)}
        case "procedure", ast.Call(
            args=[], keywords=[ast.keyword(arg="scope", value=ast.Attribute(value=ast.Name(id="Scope"), attr=part))]
        ) if part in SCOPES:
            return {"kind": name, "scope": SCOPES[part]}
        case "procedure", ast.Call():
            raise at.refuse(
                deco, "scope-form", "a procedure can say which part of play it is, and nothing else",
                "手順に書けるのは、ゲームのどの部分かだけです",
                ("write `@procedure(scope=Scope.TURN)`; the scopes are TURN, PHASE and STEP", "`@procedure(scope=Scope.TURN)` のように書いてください（TURN, PHASE, STEP）"))
        case "verdict", ast.Call(args=[ast.Constant(value=str() as question)], keywords=[]):
            return {"kind": name, "subject": question}
        case ("permits" | "forbids" | "requires" | "expects" | "ensures" | "decreases"), ast.Call(
            args=[ast.Name(id=rule)], keywords=[]
        ):
            return {"kind": name, "subject": rule}
        case _ if name in SUBJECTS:
            raise at.refuse(
                deco, "kind-without-subject", f"`@{name}` of what?", f"何についての `@{name}` か書かれていません",
                (f"write `@{name}({SUBJECTS[name]})`", f"`@{name}({SUBJECTS[name]})` のように書いてください"))
        case _ if name in KINDS:
            at.demand(
                call is None, deco, "decorator-arguments", f"`@{name}` takes nothing", f"`@{name}` に引数はありません",
                (f"write `@{name}`", f"`@{name}` と書いてください"))
            return {"kind": name}
        case _:
            near = nearest(name, [*KINDS, "entry", "settled_by", "known_as"]) if name else None
            raise at.refuse(
                deco, "unknown-decorator", f"`@{ast.unparse(deco)}` is not a kind of rule",
                f"`@{ast.unparse(deco)}` という規則の種類はありません",
                ("use one of @" + ", @".join(KINDS), "使えるのは @" + ", @".join(KINDS) + " です") if near is None else (f"did you mean `@{near}`?", f"`@{near}` ではありませんか"))


def parameters(
    d: Declarations,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    at: Reporter,
) -> Parameters:
    """The parameters of a rule."""
    a = node.args
    at.demand(
        not (a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs), node, "parameter-form",
        "rules have plain parameters only", "規則の引数は普通の形だけです", ("name every parameter", "引数を一つずつ書いてください"))
    if a.defaults:
        raise at.refuse(
            a.defaults[0], "parameter-default", "parameters have no defaults", "引数に既定値は書けません",
            ("give the argument wherever the rule is used", "使う所で毎回渡してください"))
    out = Parameters()
    broken = False
    for k, p in enumerate(a.args):
        try:
            take_parameter(d, node, k, p, at, out)
        except Refused:
            broken = True
    if broken:
        raise Refused
    return out


def take_parameter(
    d: Declarations, node: ast.FunctionDef | ast.AsyncFunctionDef, k: int, p: ast.arg, at: Reporter, out: Parameters,
) -> None:
    """Note one parameter, the k-th."""
    note = p.annotation
    if note is None:
        want = f"{p.arg}: {d.state_class}" if k == 0 and p.arg in ("g", "game", "state") else f"{p.arg}: Player"
        raise at.refuse(
            p, "parameter-without-type", f"the parameter `{p.arg}` has no type", f"引数 `{p.arg}` に型がありません",
            (f"write `{want}`, for instance", f"`{want}` のように書いてください"))
    name = note.id if isinstance(note, ast.Name) else ""
    if name in d.parts:
        at.demand(
            k == 0, p, "state-first", "the state is the first parameter", "状態は最初の引数にします",
            (f"write `def {node.name}({p.arg}: {name}, …)`", f"`def {node.name}({p.arg}: {name}, …)` と書いてください"))
        if not d.has_part(name) and not at.source.kernel:
            raise no_such_part(d, note, at, f"`{node.name}`", name)
        out.state, out.part = p.arg, name
        return
    out.order = (*out.order, p.arg)
    if (kind := sort_name(d, note)) is not None:
        out.passed[p.arg] = rule_sort(d, note, kind, at)
    elif is_variable(d, note):
        out.any_type |= {p.arg}
        out.params.append((p.arg, t.NOTHING))
    elif name == "Decider":
        out.deciders |= {p.arg}
        out.params.append((p.arg, d.player))
    else:
        of = d.type_of(note, at)
        if isinstance(of, t.NothingType):
            raise d.no_type(note, at)
        if name == "Pile":
            out.piles |= {p.arg}
        out.params.append((p.arg, t.OptionType(of) if isinstance(of, t.ObjType) else of))


def no_such_part(d: Declarations, node: ast.AST, at: Reporter, who: str, part: str) -> Refused:
    """Report a rule that works on a part which the book's state does not have."""
    whole = d.state_class or "Game"
    return at.refuse(
        node, "no-such-part", f"{who} works on `{part}`, which `{whole}` does not have",
        f"{who} は `{part}` を使いますが、`{whole}` にありません",
        (f"make it a part of the state: `class {whole}({part}, …)`", f"状態の部分にしてください: `class {whole}({part}, …)`"))


# ---------------------------------------------------------------- rules as parameters
SORTS: dict[str, FunctionKind] = {"Procedure": "procedure", "Step": "step", "Define": "define"}


def sort_name(d: Declarations, note: ast.expr) -> str | None:
    """`Procedure` in `Procedure[[Player], bool]`; None for what is no rule."""
    of = note.value if isinstance(note, ast.Subscript) else note
    if not isinstance(of, ast.Name) or of.id not in SORTS or (of is note and of.id in d.where):
        return None
    return of.id


def is_variable(d: Declarations, note: ast.expr) -> bool:
    return isinstance(note, ast.Name) and note.id == "T" and "T" not in d.where


def rule_sort(d: Declarations, note: ast.expr, kind: str, at: Reporter) -> RuleSort:
    """What `Procedure[[Player], bool]` asks of a rule."""
    match note:
        case ast.Subscript(slice=ast.Tuple(elts=[ast.List(elts=params), result])):
            if is_variable(d, result):
                of, gives_set = ast.unparse(result), False
            elif isinstance(result, ast.Subscript) and is_variable(d, result.slice) and ast.unparse(result.value) == "Set":
                of, gives_set = ast.unparse(result.slice), True
            else:
                of, gives_set = lenient_result(d, result, at)
            taken = tuple(ast.unparse(p) if is_variable(d, p) else d.type_of(p, at) for p in params)
            return RuleSort(SORTS[kind], taken, of, gives_set, note)
        case _:
            raise at.refuse(
                note, "rule-sort-form", f"which parameters, and which result? {kind}[[…], …]",
                f"{kind} の引数と値の型が書かれていません",
                (f"write `{kind}[[Player], {'None' if kind == 'Step' else 'bool'}]`, say; the state goes without saying", f"`{kind}[[Player], {'None' if kind == 'Step' else 'bool'}]` のように書いてください（状態は書きません）"))



def lenient_result(d: Declarations, note: ast.expr, at: Reporter) -> tuple[t.Type, bool]:
    """The result type, and whether it is a set of these records (it is expanded where it is used)."""
    match note:
        case ast.Subscript(value=ast.Name(id="Set" | "set"), slice=inner):
            of = d.type_of(inner, at)
            if isinstance(of, t.RecordType | t.UnionType):
                return of, True
            return d.set_of(of, note, at), False
        case ast.Name(id=name) if name in d.aliases and name not in d.following:
            with d.followed(name):
                return lenient_result(d, *d.aliases[name])
        case _:
            return d.type_of(note, at), False
