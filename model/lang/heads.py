"""The heads of rules: kind, parameters, result; what each kind must look like, and what a rule must be for the part that it has for those who
play and examine the book."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ...spec.diagnostics import nearest
from ..ir import types as t
from ..ir.program import FunctionKind
from .declarations import Declarations
from .signatures import KINDS, PURE, SCOPES, SUBJECTS, Parameters, RuleDecl, RuleSort
from .source import Refused, Reporter, attach_clauses, meant
from .values import an


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
        (f"write `async def {node.name}`, or make it a @step if nothing can interrupt it",
         f"`async def {node.name}` と書くか、割り込めないなら @step にしてください"))
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
                ("write `@procedure(scope=Scope.TURN)`; the scopes are TURN, PHASE and STEP",
                 "`@procedure(scope=Scope.TURN)` のように書いてください（TURN, PHASE, STEP）"))
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
                ("use one of @" + ", @".join(KINDS), "使えるのは @" + ", @".join(KINDS) + " です")
                if near is None
                else (f"did you mean `@{near}`?", f"`@{near}` ではありませんか"))


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
            elif (
                isinstance(result, ast.Subscript)
                and is_variable(d, result.slice)
                and ast.unparse(result.value) == "Set"
            ):
                of, gives_set = ast.unparse(result.slice), True
            else:
                of, gives_set = lenient_result(d, result, at)
            taken = tuple(ast.unparse(p) if is_variable(d, p) else d.type_of(p, at) for p in params)
            return RuleSort(SORTS[kind], taken, of, gives_set, note)
        case _:
            raise at.refuse(
                note, "rule-sort-form", f"which parameters, and which result? {kind}[[…], …]",
                f"{kind} の引数と値の型が書かれていません",
                (f"write `{kind}[[Player], {'None' if kind == 'Step' else 'bool'}]`, say; the state goes without saying",
                 f"`{kind}[[Player], {'None' if kind == 'Step' else 'bool'}]` のように書いてください（状態は書きません）"))



def lenient_result(d: Declarations, note: ast.expr, at: Reporter) -> tuple[t.Type, bool]:
    """The result type, and whether it is a set of these records (it is expanded where it is used)."""
    match note:
        case ast.Subscript(value=ast.Name(id="Set" | "set"), slice=inner):
            of = d.type_of(inner, at)
            return (of, True) if isinstance(of, t.RecordType | t.UnionType) else (d.set_of(of, note, at), False)
        case ast.Name(id=name) if name in d.aliases and name not in d.following:
            with d.followed(name):
                return lenient_result(d, *d.aliases[name])
        case _:
            return d.type_of(note, at), False


# ---------------------------------------------------------------- what rules must look like, by kind
def check_rules(d: Declarations) -> None:
    """Report rules whose parameters or result do not fit their kind, and take them out."""
    for r in list(d.rules.values()):
        try:
            check_shape(d, r)
        except Refused:
            del d.rules[r.name]
    policies = [r for r in d.rules.values() if r.kind == "trigger_policy"]
    for r in policies[1:]:
        r.reporter.refuse(
            r.node, "second-policy", f"the book already has a trigger policy, `{policies[0].name}`",
            f"誘発したときの規則はすでに `{policies[0].name}` があります", ("join them", "一つにまとめてください"))


def check_shape(d: Declarations, r: RuleDecl) -> None:
    """Refuse a rule whose parameters or result do not fit its kind."""
    refuse, demand, node = r.reporter.refuse, r.reporter.demand, r.node
    note = r.result_note or node
    bundle = isinstance(r.result, t.RecordType | t.UnionType | t.CauseType)
    demand(
        r.kind not in ("define", "value", "verdict") or not isinstance(r.result, t.NothingType), node,
        "define-without-result", f"`{r.name}` is a {r.kind}, and gives nothing", f"`{r.name}` は {r.kind} なのに、値の型がありません",
        ("write the type of its value behind `->`, or make it a @step", "値の型を `->` の後に書くか、@step にしてください"))
    demand(
        not bundle or r.ir_kind == "define", note, "record-result",
        f"`{r.name}` gives a record, and only a define can do that",
        f"`{r.name}` は Record を返していますが、それができるのは @define だけです",
        ("keep it in the state, or give one of its fields", "状態に置くか、項目一つを返してください"))
    demand(
        not isinstance(r.result, t.ObjType), note, "obj-can-die", "an Obj can die: it is always optional",
        "Obj は失われることがあるので、必ず Option[Obj] と書きます", ("write Option[Obj]", "Option[Obj] と書いてください"))
    if r.subject and r.kind != "verdict" and r.subject not in d.where:
        raise d.unknown(node.decorator_list[0], r.subject, r.reporter)
    match r.kind:
        case "permits" | "forbids" | "requires":
            act = d.rules.get(r.subject)
            if act is not None and act.kind != "action":
                raise refuse(
                    node, "norm-subject", f"`{r.subject}` is a {act.kind}, not an action",
                    f"`{r.subject}` は {act.kind} で、@action ではありません",
                    (f"make `{r.subject}` an @action", f"`{r.subject}` を @action にしてください"))
            if act is not None and [x for _, x in r.params] != [x for _, x in act.params]:
                want = ", ".join(f"{n}: {x}" for n, x in act.params)
                raise refuse(
                    node, "norm-parameters", f"`{r.name}` must have the parameters of `{act.name}`",
                    f"`{r.name}` の引数は `{act.name}` と同じにします",
                    (f"write `def {r.name}(g, {want})`", f"`def {r.name}(g, {want})` と書いてください"))
            must_give_bool(r)
        case "expects" | "ensures" | "decreases":
            check_contract(d, r)
        case "invariant":
            must_give_bool(r)
            demand(
                not r.params, node, "invariant-parameters", "an invariant looks at the state, and takes nothing else",
                "invariant の引数は状態だけです", ("use `all(… for … in …)`", "`all(… for … in …)` を使ってください"))
        case "verdict":
            demand(
                len(r.params) <= 1, node, "verdict-form", f"the verdict `{r.name}` takes the state and one subject",
                f"@verdict `{r.name}` の引数は状態と対象一つです",
                ("write `def name(g: Game, subject: Card) -> Option[…]`",
                 "`def 名前(g: Game, 対象: Card) -> Option[…]` のように書いてください"))
        case "trigger_policy":
            kinds = [type(x) for _, x in r.params]
            demand(
                kinds == [t.AbilityType, t.CardType, t.CauseType] and isinstance(r.result, t.NothingType), node,
                "policy-form", "the trigger policy is told the ability, the card and the cause",
                "trigger_policy の引数は、能力・カード・cause です",
                (f"write `def {r.name}(g: {d.state_class}, ability: Ability, card: Card, cause: Cause) -> None`",
                 f"`def {r.name}(g: {d.state_class}, ability: Ability, card: Card, cause: Cause) -> None` と書いてください"))
        case "situation":
            demand(
                isinstance(r.result, t.NothingType), note, "situation-result", "nobody takes the result of a situation",
                "situation の値を受け取る所はありません", ("drop the type behind `->`", "`->` の後の型を取ってください"))
            demand(
                not r.params or r.is_async, node, "situation-parameters",
                "a situation that is no `async def` looks at the state alone", "`async` でない situation の引数は状態だけです",
                ("go through the cards inside it", "中でカードを順に調べてください"))
            for p, of in r.params:
                demand(
                    of.width == 1 and of.hi - of.lo < 1024 and not isinstance(of, t.SetType), node,
                    "situation-parameters", f"a situation cannot be looked at for every `{p}`: {of}",
                    f"situation をすべての `{p}`（{of}）について調べることはできません",
                    ("use Player, Card, an enumeration or a short range", "Player, Card, 列挙, 短い範囲を使ってください"))
            by = d.rules.get(r.subject)
            if by is not None and (by.ir_kind != "define" or by.params or not isinstance(by.result, t.PlayerType)):
                raise refuse(
                    node, "settled-by", f"`{r.subject}` is not a define that names the decider",
                    f"`{r.subject}` は決める人を返す @define ではありません",
                    (f"write `@define def {r.subject}(g: {d.state_class}) -> Player`",
                     f"`@define def {r.subject}(g: {d.state_class}) -> Player` としてください"))
        case "procedure" if r.entry and r.params:
            raise refuse(
                node, "entry-parameters", "play begins with nothing but the state", "始まりの手順の引数は状態だけです",
                ("read it from the state", "状態から読んでください"))


def check_contract(d: Declarations, r: RuleDecl) -> None:
    """Refuse what is stated of a rule that is no procedure (or in which nothing is repeated), or of other values than its own."""
    refuse, demand, of, loops = r.reporter.refuse, r.reporter.demand, d.rules.get(r.subject), r.kind == "decreases"
    demand(
        not loops or any(isinstance(n, ast.While) for n in ast.walk(d.where[r.subject][1])), r.node, "nothing-repeated",
        f"`{r.subject}` has no `while`: nothing goes round in it", f"`{r.subject}` には `while` がないので、一回りごとに減るものはありません",
        ("name the procedure in which the `while` stands", "`while` のある @procedure の名前を書いてください"))
    if of is not None and not loops and (of.ir_kind != "procedure" or of.is_pattern):
        what = "a rule made for each use" if of.is_pattern else f"a {of.kind}, not a procedure"
        raise refuse(
            r.node, "contract-subject",
            f"`{r.subject}` is {what}: a proof carries it out, and needs no statement about it",
            f"`{r.subject}` は割り込まれる手続き（@procedure）ではありません。証明はこれをそのまま実行するので、条件の宣言は要りません",
            ("state it of the procedure that calls it", "これを呼ぶ @procedure について書いてください"))
    if of is not None and r.params:
        own = (
            [*of.params, ("result", of.result)]
            if r.kind == "ensures" and not isinstance(of.result, t.NothingType)
            else list(of.params)
        )
        if r.params != own or of.is_pattern:
            forms = [f"`def {r.name}(g)`", *([] if of.is_pattern else [f"`def {r.name}(g, {', '.join(f'{n}: {x}' for n, x in own)})`"])]
            raise refuse(
                r.node, "contract-parameters",
                f"`{r.name}` takes the state alone" + ("" if of.is_pattern else f", or all that `{of.name}` is about"),
                f"`{r.name}` の引数は状態だけに" + ("します" if of.is_pattern else f"するか、`{of.name}` の引数（と結果）全部にします"),
                (f"write {' or '.join(forms)}", f"{' か '.join(forms)} と書いてください"))
    if not loops:
        must_give_bool(r)
    elif not isinstance(r.result, t.Int):
        raise refuse(
            r.result_note or r.node, "decreases-result", f"`{r.name}` goes down, so it gives a number",
            f"`{r.name}` は減っていくものなので、数を返します",
            ("write `-> int`, and count: `len(…)`, `sum(…)`", "`-> int` と書き、`len(…)` や `sum(…)` で数えてください"))


def must_give_bool(r: RuleDecl) -> None:
    r.reporter.demand(
        isinstance(r.result, t.Bool), r.result_note or r.node, "norm-result",
        f"`{r.name}` holds or does not hold: it gives a bool", f"`{r.name}` は成り立つか否かなので、真偽を返します",
        ("write `-> bool`", "`-> bool` と書いてください"))


def check_rankings(d: Declarations, rankings: list[tuple[str, str, ast.expr, Reporter]]) -> None:
    """`outranks` names two verdicts, or two kinds of norms; nothing outranks what outranks it."""
    norms = ("permits", "forbids", "requires")
    verdicts = [r.name for r in d.rules.values() if r.kind == "verdict"]
    for a, b, node, at in rankings:
        wrong = next(
            (x for x in (a, b) if x not in norms and x not in verdicts and (x in d.rules or x not in d.where)), None
        )
        if wrong is not None:
            at.refuse(
                node,
                "unknown-rank",
                f"there is no verdict `{wrong}`",
                f"`{wrong}` という @verdict はありません",
                meant(wrong, [*norms, *verdicts], (
                    'name two verdicts, or two kinds of norms: "forbids", "permits", "requires"',
                    '@verdict を二つ、または規範の種類を二つ（"forbids"、"permits"、"requires"）書いてください',
                )),
            )
        elif a == b or (b, a) in d.rankings:
            at.refuse(
                node, "rank-cycle", f"`{a}` and `{b}` would outrank each other", f"`{a}` と `{b}` が互いに優先しています",
                ("keep one of the two", "どちらか一方にしてください"))
        else:
            d.rankings.append((a, b))


def players(rule: RuleDecl) -> int:
    """How many parameters are players, and never nobody."""
    return sum(isinstance(of, t.PlayerType) for _, of in rule.params)


ROLES: dict[str, tuple[Callable[[RuleDecl], bool], str]] = {
    "master": (
        lambda r: (
            r.ir_kind == "define"
            and [type(of) for _, of in r.params] == [t.CardType]
            and isinstance(t.some(r.result), t.PlayerType)
        ),
        "@define def {}(g: {}, card: Card) -> Option[Player]",
    ),
    "legal deck": (
        lambda r: r.ir_kind == "define" and len(r.params) == players(r) == 1 and isinstance(r.result, t.Bool),
        "@define def {}(g: {}, p: Player) -> bool",
    ),
    "ordinary position": (
        lambda r: r.ir_kind == "define" and not r.params and isinstance(r.result, t.Bool),
        "@define def {}(g: {}) -> bool",
    ),
    "plays waiting": (
        lambda r: r.ir_kind == "procedure" and players(r) == 1,
        "@procedure async def {}(g: {}, who: Player) -> None",
    ),
}
"""Each with what its rule has to be, and how that is written."""


def role_named(call: ast.Call | None, deco: ast.expr, at: Reporter) -> str:
    """The part that `@known_as("…")` names."""
    match call:
        case ast.Call(args=[ast.Constant(value=str(role))], keywords=[]) if role in ROLES:
            return role
        case ast.Call(args=[ast.Constant(value=str(role))], keywords=[]):
            near = nearest(role, list(ROLES))
        case _:
            near = None
    roles = ", ".join(f'"{r}"' for r in ROLES)
    raise at.refuse(
        deco, "known-as", "that is no part that a rule can have", "規則にそのような役割はありません",
        (f'did you mean "{near}"?',
         f'"{near}" ではありませんか') if near else (f"name one of {roles}", f"{roles} のどれかを書いてください"))


def check_entries(d: Declarations) -> None:
    """Each name at which play can begin is that of one rule."""
    first: dict[str, RuleDecl] = {}
    for r in d.rules.values():
        other = first.setdefault(r.entry, r) if r.entry else r
        if other is not r:
            r.reporter.refuse(
                r.node, "entry-twice", f"play begins with `{other.name}` at \"{r.entry}\" already",
                f"\"{r.entry}\" の始まりは、すでに `{other.name}` です", ("give one of them another name", "どちらかに別の名前を付けてください"))


def check_roles(d: Declarations) -> None:
    """Each part is had by one rule at most, which is what it has to be."""
    first: dict[str, RuleDecl] = {}
    for r in d.rules.values():
        if not r.known_as:
            continue
        fits, form = ROLES[r.known_as]
        other = first.setdefault(r.known_as, r)
        if other is not r:
            r.reporter.refuse(
                r.node, "known-as-twice", f"`{other.name}` is known as \"{r.known_as}\" already",
                f"`{other.name}` がすでに \"{r.known_as}\" です", ("drop it at one of them", "どちらかから取り除いてください"))
        elif not fits(r):
            want = form.format(r.name, d.state_class)
            r.reporter.refuse(
                r.node, "known-as-shape", f"`{r.name}` is not what \"{r.known_as}\" has to be",
                f"`{r.name}` は \"{r.known_as}\" の形ではありません", (f"write `{want}`", f"`{want}` の形にしてください"))
