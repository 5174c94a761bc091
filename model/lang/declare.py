"""From the modules of a book to its declarations. Names of all modules form one namespace."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from contextlib import suppress

from ...spec.diagnostics import Collector, nearest
from ..ir import types as t
from . import __all__ as VOCABULARY
from .declarations import KINDS, PURE, SCOPES, SUBJECTS, Declarations, FieldDecl, RuleDecl
from .shapes import check_rankings, check_rules
from .source import Refused, Reporter, Source, attach_clauses
from .world import Word, World


# ---------------------------------------------------------------- reading the modules
def declare(
    sources: list[Source],
    world: World,
    collector: Collector,
    prepare: Callable[[Declarations], None],
) -> Declarations:
    """Collect the declarations of all modules; everything wrong is reported. `prepare` is called once the types are
    known, before any rule is looked at."""
    d = Declarations(world, collector)
    enums: list[tuple[ast.ClassDef, Reporter, bool]] = []
    functions: list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, Reporter]] = []
    ranges: list[tuple[str, ast.expr, Reporter]] = []
    rankings: list[tuple[str, str, ast.expr, Reporter]] = []
    for source in sources:
        at = Reporter(source, collector)
        for node in source.tree.body:
            try:
                match node:
                    case ast.Expr(
                        value=ast.Call(
                            func=ast.Name(id="outranks"),
                            args=[ast.Constant(value=str() as a), ast.Constant(value=str() as b)],
                            keywords=[],
                        ) as call
                    ):
                        rankings.append((a, b, call, at))
                    case ast.ClassDef():
                        declare_class(d, node, at, enums)
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="Range")) as value):
                        once(d, name, node, at)
                        ranges.append((name, value, at))
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        once(d, name, node, at)
                        declare_name(d, name, value, at)
                    case ast.FunctionDef() | ast.AsyncFunctionDef():
                        once(d, node.name, node, at)
                        functions.append((node, at))
                    case _:
                        stands_at_the_top(node, at)
            except Refused:
                continue
    for name, value, at in ranges:
        with suppress(Refused):
            d.ranges[name] = d.range_of(value, at)
    for node, at, is_symbols in enums:
        declare_enum(d, node, at, is_symbols)
    collect_symbols(d)
    prepare(d)
    for node, at in functions:
        try:
            d.rules[node.name] = declare_rule(d, node, at)
        except Refused:
            continue
        except RecursionError:
            at.refuse(
                node, "too-deep", "this is nested too deeply", "入れ子が深すぎます", ("split it", "分けてください")
            )
    check_rules(d)
    check_rankings(d, rankings)
    return d


def stands_at_the_top(node: ast.stmt, at: Reporter) -> None:
    """Refuse what cannot stand at the top of a module, outside every rule."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for n in names:
                if n.asname is not None:
                    raise at.refuse(
                        node,
                        "renamed-import",
                        f"`{n.name}` has one name in all modules of a book",
                        f"`{n.name}` の名前は、一冊の全モジュールで一つです",
                        ("drop the `as`", "`as` を取ってください"),
                    )
        case ast.Expr(value=ast.Constant()):
            pass
        case ast.Expr(value=ast.Call(func=ast.Name(id="outranks"))):
            raise at.refuse(
                node,
                "outranks-form",
                "outranks takes the names of two rules, as text",
                "outranks には規則の名前を二つ、文字列で渡します",
                ('write `outranks("stronger", "weaker")`', '`outranks("優先する方", "劣る方")` と書いてください'),
            )
        case ast.AnnAssign(target=ast.Name(id=name)):
            raise at.refuse(
                node,
                "constant-with-type",
                "a constant has no type of its own",
                "定数に型は書きません",
                (f"write `{name} = …`", f"`{name} = …` と書いてください"),
            )
        case _:
            raise at.refuse(
                node,
                "not-a-declaration",
                "only classes, constants and rules stand at the top of a module",
                "モジュールの一番外側に書けるのは、クラス・定数・規則だけです",
                (
                    "move it into a rule (@define, @step, @procedure)",
                    "規則（@define, @step, @procedure）の中へ移してください",
                ),
            )


def once(d: Declarations, name: str, node: ast.AST, at: Reporter) -> None:
    if name in d.where:
        other = d.where[name][0].source.position(d.where[name][1])
        raise at.refuse(
            node,
            "declared-twice",
            f"`{name}` is declared twice (also at {other.file}:{other.line})",
            f"`{name}` が二度定義されています（{other.file}:{other.line} にも）",
            (
                "all modules of a book share one namespace: choose another name",
                "一冊の全モジュールで名前は一つです。別の名前にしてください",
            ),
        )
    if name in VOCABULARY and not name.startswith("_"):
        raise at.refuse(
            node,
            "vocabulary-name",
            f"`{name}` is a word of the rule language",
            f"`{name}` は規則言語の語です",
            ("choose another name", "別の名前にしてください"),
        )
    d.where[name] = (at, node)


def declare_name(d: Declarations, name: str, value: ast.expr, at: Reporter) -> None:
    match value:
        case ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub()):
            d.constants[name] = (value, at)
        case ast.Subscript() | ast.BinOp(op=ast.BitOr()) | ast.Name():
            d.aliases[name] = (value, at)
        case _:
            raise at.refuse(
                value,
                "not-a-constant",
                "only whole numbers, ranges and types can be named here",
                "ここで名前を付けられるのは、整数・範囲・型だけです",
                ("make it a @define", "@define にしてください"),
            )


def declare_class(
    d: Declarations,
    node: ast.ClassDef,
    at: Reporter,
    enums: list[tuple[ast.ClassDef, Reporter, bool]],
) -> None:
    once(d, node.name, node, at)
    base = node.bases[0].id if len(node.bases) == 1 and isinstance(node.bases[0], ast.Name) else ""
    if node.decorator_list or node.keywords:
        at.refuse(
            node,
            "class-decorated",
            "classes have no decorators and no options",
            "クラスにデコレータや引数は付けません",
            ("drop it", "取り除いてください"),
        )
    match base:
        case "Enum" | "Symbols":
            enums.append((node, at, base == "Symbols"))
            return
        case "Signal":
            d.signals[node.name] = None
            return
        case "State" | "Record" | "Event" | "Definition":
            pass
        case _:
            hint = (
                "derive it from State, Record, Event, Definition, Enum, Symbols or Signal",
                "State, Record, Event, Definition, Enum, Symbols, Signal のどれかを基底にしてください",
            )
            if base in d.fields:
                hint = (
                    "classes do not inherit from each other: repeat the fields, or keep a field of that type",
                    "クラスは継承できません。項目を書き並べるか、その型の項目を持たせてください",
                )
            raise at.refuse(
                node,
                "unknown-base",
                f"`{node.name}` has no base the language knows",
                f"`{node.name}` の基底クラスが規則言語のものではありません",
                hint,
            )
    fields: list[FieldDecl] = []
    for s in node.body:
        match s:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=note, value=default):
                if base == "Definition" and name == "of":
                    d.definitions[node.name] = True
                    continue
                if any(f.name == name for f in fields):
                    at.refuse(
                        s,
                        "field-twice",
                        f"the field `{name}` is declared twice",
                        f"項目 `{name}` が二度定義されています",
                        ("choose another name", "別の名前にしてください"),
                    )
                    continue
                fields.append(FieldDecl(name, note, default, at))
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Assign(targets=[ast.Name(id=name)]):
                at.refuse(
                    s,
                    "field-without-type",
                    f"the field `{name}` has no type",
                    f"項目 `{name}` に型がありません",
                    (f"write `{name}: Annotated[int, Range(0, 9)] = …`", f"`{name}: 型 = 初期値` と書いてください"),
                )
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                at.refuse(
                    s,
                    "method",
                    "records have no methods",
                    "Record にメソッドは書けません",
                    ("write a @define beside the class", "クラスの外に @define を書いてください"),
                )
            case _:
                at.refuse(
                    s,
                    "not-a-field",
                    "only fields stand in this class",
                    "このクラスには項目だけが書けます",
                    (
                        "write `name: type`, or `name: type = default`",
                        "`名前: 型` か `名前: 型 = 初期値` と書いてください",
                    ),
                )
    match base:
        case "State":
            if d.state_class:
                first = d.where[d.state_class]
                there = first[0].source.position(first[1])
                raise at.refuse(
                    node,
                    "second-state",
                    f"the book already has a state, `{d.state_class}` ({there.file}:{there.line})",
                    f"状態はすでに `{d.state_class}` があります（{there.file}:{there.line}）",
                    ("put all fields into one class", "項目を一つのクラスにまとめてください"),
                )
            d.state_class = node.name
        case "Event":
            d.events.add(node.name)
        case "Definition":
            d.definitions.setdefault(node.name, False)
        case _:
            pass
    d.fields[node.name] = fields


def declare_enum(d: Declarations, node: ast.ClassDef, at: Reporter, is_symbols: bool) -> None:
    members: list[str] = []
    for s in node.body:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)]):
                new = [name]
            case ast.Assign(targets=[ast.Tuple(elts=elts)]) if all(isinstance(e, ast.Name) for e in elts):
                new = [e.id for e in elts if isinstance(e, ast.Name)]
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case _:
                at.refuse(
                    s,
                    "not-a-member",
                    "only members stand in an enumeration",
                    "列挙には構成要素だけが書けます",
                    ("write `NAME = 1`", "`NAME = 1` のように書いてください"),
                )
                continue
        for name in new:
            if name in members:
                at.refuse(
                    s, "member-twice", f"the member `{name}` is listed twice", f"構成要素 `{name}` が二度書かれています"
                )
            else:
                members.append(name)
    if not members and not is_symbols:
        at.refuse(
            node,
            "empty-enum",
            f"the enumeration `{node.name}` has no members",
            f"列挙 `{node.name}` に構成要素がありません",
            ("write `NAME = 1` for each", "`NAME = 1` のように書き並べてください"),
        )
    if is_symbols:
        d.symbols.add(node.name)
    d.types[node.name] = t.EnumType(node.name, len(members), tuple(members))


def collect_symbols(d: Declarations) -> None:
    """Fill enumerations that take any words with the words the cards use."""
    for cls, of_abilities in d.definitions.items():
        for f in d.fields[cls]:
            name = ast.unparse(f.note).removeprefix("Set[").removeprefix("Option[").removesuffix("]")
            if name not in d.symbols:
                continue
            known = d.types[name]
            assert isinstance(known, t.EnumType)
            words = list(known.members)
            for facts in facts_of(d, of_abilities):
                for w in as_words(facts.get(f.name)):
                    if w.text not in words:
                        words.append(w.text)
            d.types[name] = t.EnumType(name, len(words), tuple(words))


def facts_of(d: Declarations, of_abilities: bool) -> list[Mapping[str, Word | tuple[Word, ...]]]:
    """What is written about each ability, or each card definition."""
    if of_abilities:
        return [a.facts for a in d.world.abilities]
    return [c.attributes for c in d.world.definitions]


def as_words(v: Word | tuple[Word, ...] | None) -> tuple[Word, ...]:
    return () if v is None else v if isinstance(v, tuple) else (v,)


def declare_rule(d: Declarations, node: ast.FunctionDef | ast.AsyncFunctionDef, at: Reporter) -> RuleDecl:
    """The head of a rule: its kind, parameters and result."""
    kind, scope, entry, subject = "", 0, "", ""
    for deco in node.decorator_list:
        call = deco if isinstance(deco, ast.Call) else None
        name_node = call.func if call is not None else deco
        name = name_node.id if isinstance(name_node, ast.Name) else ""
        if name == "entry":
            if call is None or len(call.args) != 1 or not isinstance(call.args[0], ast.Constant):
                raise at.refuse(
                    deco,
                    "entry-form",
                    "an entry has a name, as text",
                    "entry には名前を文字列で書きます",
                    ('write `@entry("game")`', '`@entry("game")` のように書いてください'),
                )
            entry = str(call.args[0].value)
        elif name == "settled_by":
            if call is None or len(call.args) != 1 or not isinstance(call.args[0], ast.Name):
                raise at.refuse(
                    deco,
                    "settled-by",
                    "name the define that says who decides",
                    "決める人を返す @define の名前を書きます",
                    ("write `@settled_by(turn_player)`, say", "`@settled_by(turn_player)` のように書いてください"),
                )
            subject = call.args[0].id
        elif name in KINDS:
            if kind and kind != name:
                raise at.refuse(
                    deco,
                    "two-kinds",
                    f"a rule is of one kind: {kind} or {name}",
                    f"規則の種類は一つです（{kind} か {name}）",
                    ("split it into two rules", "二つの規則に分けてください"),
                )
            kind = name
            if call is not None:
                scope, subject = decorator_arguments(call, name, at)
            elif name in SUBJECTS:
                raise at.refuse(
                    deco,
                    "kind-without-subject",
                    f"`@{name}` of what?",
                    f"何についての `@{name}` か書かれていません",
                    (f"write `@{name}({SUBJECTS[name]})`", f"`@{name}({SUBJECTS[name]})` のように書いてください"),
                )
        else:
            near = nearest(name, [*KINDS, "entry", "settled_by"]) if name else None
            raise at.refuse(
                deco,
                "unknown-decorator",
                f"`@{ast.unparse(deco)}` is not a kind of rule",
                f"`@{ast.unparse(deco)}` という規則の種類はありません",
                ("use one of @" + ", @".join(KINDS), "使えるのは @" + ", @".join(KINDS) + " です")
                if near is None
                else (f"did you mean `@{near}`?", f"`@{near}` ではありませんか"),
            )
    kind = kind or ("procedure" if entry else "")
    if not kind:
        raise at.refuse(
            node,
            "no-kind",
            f"`{node.name}` does not say what kind of rule it is",
            f"`{node.name}` に規則の種類がありません",
            (
                "put @define, @step, @action or @procedure above it",
                "上に @define, @step, @action, @procedure のどれかを付けてください",
            ),
        )
    if entry and kind != "procedure":
        raise at.refuse(
            node,
            "entry-kind",
            f"play begins with a procedure, and `{node.name}` is a {kind}",
            f"始まりになれるのは手順だけです（`{node.name}` は {kind} です）",
            ("make it a @procedure (`async def`)", "@procedure（`async def`）にしてください"),
        )
    is_async = isinstance(node, ast.AsyncFunctionDef)
    if kind == "procedure" and not is_async:
        raise at.refuse(
            node,
            "procedure-not-async",
            f"the procedure `{node.name}` is not `async def`",
            f"手順 `{node.name}` が `async def` ではありません",
            (
                f"write `async def {node.name}`, or make it a @step if nothing can interrupt it",
                f"`async def {node.name}` と書くか、割り込めないなら @step にしてください",
            ),
        )
    if kind in (*PURE, "step", "trigger_policy") and is_async:
        raise at.refuse(
            node,
            "async-not-allowed",
            f"a {kind} cannot be interrupted, so it is not `async`",
            f"{kind} は中断されないので `async` にはできません",
            ("write `def`, or make it a @procedure", "`def` にするか、@procedure にしてください"),
        )
    state, params = parameters(d, node, at)
    result: t.Type = t.NOTHING
    gives_set = False
    if node.returns is not None:
        result, gives_set = lenient_result(d, node.returns, at)
    return RuleDecl(
        node.name,
        kind,
        node,
        at,
        params,
        state,
        result,
        node.returns,
        attach_clauses(at.source, node),
        scope,
        entry,
        subject,
        gives_set,
    )


def decorator_arguments(call: ast.Call, kind: str, at: Reporter) -> tuple[int, str]:
    """Scope and subject in `@procedure(scope=…)`, `@forbids(act)`, `@verdict("question")`."""
    match kind, call.args, call.keywords:
        case "procedure", [], [
            ast.keyword(arg="scope", value=ast.Attribute(value=ast.Name(id="Scope"), attr=name))
        ] if name in SCOPES:
            return SCOPES[name], ""
        case "procedure", _, _:
            raise at.refuse(
                call,
                "scope-form",
                "a procedure can say which part of play it is, and nothing else",
                "手順に書けるのは、ゲームのどの部分かだけです",
                (
                    "write `@procedure(scope=Scope.TURN)`; the scopes are TURN, PHASE and STEP",
                    "`@procedure(scope=Scope.TURN)` のように書いてください（TURN, PHASE, STEP）",
                ),
            )
        case "verdict", [ast.Constant(value=str() as question)], []:
            return 0, question
        case (("permits" | "forbids" | "requires"), [ast.Name(id=act)], []):
            return 0, act
        case _ if kind in SUBJECTS:
            raise at.refuse(
                call,
                "kind-without-subject",
                f"`@{kind}` of what?",
                f"何についての `@{kind}` か書かれていません",
                (f"write `@{kind}({SUBJECTS[kind]})`", f"`@{kind}({SUBJECTS[kind]})` のように書いてください"),
            )
        case _:
            raise at.refuse(
                call,
                "decorator-arguments",
                f"`@{kind}` takes nothing",
                f"`@{kind}` に引数はありません",
                (f"write `@{kind}`", f"`@{kind}` と書いてください"),
            )


def parameters(
    d: Declarations,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    at: Reporter,
) -> tuple[str | None, list[tuple[str, t.Type]]]:
    """Name of the state parameter, and the other parameters with their types."""
    a = node.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs:
        raise at.refuse(
            node,
            "parameter-form",
            "rules have plain parameters only",
            "規則の引数は普通の形だけです",
            ("name every parameter", "引数を一つずつ書いてください"),
        )
    if a.defaults:
        raise at.refuse(
            a.defaults[0],
            "parameter-default",
            "parameters have no defaults",
            "引数に既定値は書けません",
            ("give the argument wherever the rule is used", "使う所で毎回渡してください"),
        )
    state: str | None = None
    params: list[tuple[str, t.Type]] = []
    broken = False
    for k, p in enumerate(a.args):
        if p.annotation is None:
            want = f"{p.arg}: {d.state_class}" if k == 0 and p.arg in ("g", "game", "state") else f"{p.arg}: Player"
            broken = True
            at.refuse(
                p,
                "parameter-without-type",
                f"the parameter `{p.arg}` has no type",
                f"引数 `{p.arg}` に型がありません",
                (f"write `{want}`, for instance", f"`{want}` のように書いてください"),
            )
            continue
        if isinstance(p.annotation, ast.Name) and p.annotation.id == d.state_class and d.state_class:
            if k != 0:
                raise at.refuse(
                    p,
                    "state-first",
                    "the state is the first parameter",
                    "状態は最初の引数にします",
                    (
                        f"write `def {node.name}({p.arg}: {d.state_class}, …)`",
                        f"`def {node.name}({p.arg}: {d.state_class}, …)` と書いてください",
                    ),
                )
            state = p.arg
            continue
        try:
            of = d.type_of(p.annotation, at)
        except Refused:
            broken = True
            continue
        if isinstance(of, t.NothingType):
            raise d.no_type(p.annotation, at)
        if isinstance(of, t.ObjType):
            raise at.refuse(
                p.annotation,
                "obj-can-die",
                "an Obj can die: it is always optional",
                "Obj は失われることがあるので、必ず Option[Obj] と書きます",
                (
                    "write Option[Obj], or Card for the physical card",
                    "Option[Obj] と書いてください。物理的なカードなら Card です",
                ),
            )
        params.append((p.arg, of))
    if broken:
        raise Refused
    return state, params


def lenient_result(d: Declarations, note: ast.expr, at: Reporter) -> tuple[t.Type, bool]:
    """The result type, and whether it is a set of these records (it is expanded where it is used)."""
    match note:
        case ast.Subscript(value=ast.Name(id="Set" | "set"), slice=inner):
            of = d.type_of(inner, at)
            if isinstance(of, t.RecordType | t.UnionType):
                return of, True
            return d.set_of(of, note, at), False
        case ast.Name(id=name) if name in d.aliases and name not in d.following:
            d.following.append(name)
            try:
                return lenient_result(d, *d.aliases[name])
            finally:
                d.following.pop()
        case _:
            return d.type_of(note, at), False
