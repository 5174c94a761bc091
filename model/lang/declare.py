"""From the modules of a book to its declarations: state, records, events, definitions, enumerations. Names of all modules form one namespace."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ...spec.diagnostics import Collector
from ..ir import types as t
from . import __all__ as VOCABULARY
from .declarations import Declarations, FieldDecl
from .heads import check_entries, check_rankings, check_roles, check_rules, declare_rule
from .signatures import MADE_FOR_USE, RULE_SORTS
from .source import Refused, Reporter, Source
from .world import SIDES, Word, World


# ---------------------------------------------------------------- reading the modules
def declare(
    sources: Sequence[Source],
    world: World,
    collector: Collector,
    prepare: Callable[[Declarations], None],
) -> Declarations:
    """Collect the declarations of all modules; everything wrong is reported. `prepare` is called once the types are
    known, before any rule is looked at."""
    d = Declarations(world, collector)
    functions, rankings = read_modules(d, sources)
    collect_symbols(d)
    prepare(d)
    for node, at in functions:
        try:
            rule = declare_rule(d, node, at)
            if rule.kind not in MADE_FOR_USE and rule.part and not d.has_part(rule.part):
                continue  # of the kernel, about something that this book's state does not have
            d.rules[node.name] = rule
        except Refused:
            continue
        except RecursionError:
            at.refuse(
                node, "too-deep", "this is nested too deeply", "入れ子が深すぎます", ("split it", "分けてください")
            )
    check_rules(d)
    check_roles(d)
    check_entries(d)
    check_rankings(d, rankings)
    return d


Functions = list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, Reporter]]
Rankings = list[tuple[str, str, ast.expr, Reporter]]


def read_modules(d: Declarations, sources: Sequence[Source]) -> tuple[Functions, Rankings]:
    """Declare what the modules say by their text alone. Gives the rules, of which nothing was looked at yet, and what outranks what."""
    bases = state_classes(sources)
    d.parts = {name: frozenset({name, "State"}) for name in bases}
    functions: Functions = []
    ranges: list[tuple[str, ast.expr, Reporter]] = []
    rankings: Rankings = []
    for source in sources:
        at = Reporter(source, d.collector)
        for node in source.tree.body:
            with suppress(Refused):
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
                        declare_class(d, node, at)
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
    join_parts(d, bases)
    for name, value, at in ranges:
        with suppress(Refused):
            d.ranges[name] = d.range_of(value, at)
    return functions, rankings


def stands_at_the_top(node: ast.stmt, at: Reporter) -> None:
    """Refuse what cannot stand at the top of a module, outside every rule."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for n in names:
                at.demand(
                    n.asname is None, node, "renamed-import", f"`{n.name}` has one name in all modules of a book",
                    f"`{n.name}` の名前は、一冊の全モジュールで一つです", ("drop the `as`", "`as` を取ってください"))
        case ast.Expr(value=ast.Constant()):
            pass
        case ast.Expr(value=ast.Call(func=ast.Name(id="outranks"))):
            raise at.refuse(
                node, "outranks-form", "outranks takes the names of two rules, as text", "outranks には規則の名前を二つ、文字列で渡します",
                ('write `outranks("stronger", "weaker")`', '`outranks("優先する方", "劣る方")` と書いてください'))
        case ast.AnnAssign(target=ast.Name(id=name)):
            raise at.refuse(
                node, "constant-with-type", "a constant has no type of its own", "定数に型は書きません",
                (f"write `{name} = …`", f"`{name} = …` と書いてください"))
        case _:
            raise at.refuse(
                node, "not-a-declaration", "only classes, constants and rules stand at the top of a module",
                "モジュールの一番外側に書けるのは、クラス・定数・規則だけです",
                ("move it into a rule (@define, @step, @procedure)", "規則（@define, @step, @procedure）の中へ移してください"))


def declare_name(d: Declarations, name: str, value: ast.expr, at: Reporter) -> None:
    match value:
        case ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub()):
            d.constants[name] = (value, at)
        case ast.Subscript() | ast.BinOp(op=ast.BitOr()) | ast.Name():
            d.aliases[name] = (value, at)
        case _:
            raise at.refuse(
                value, "not-a-constant", "only whole numbers, ranges and types can be named here",
                "ここで名前を付けられるのは、整数・範囲・型だけです", ("make it a @define", "@define にしてください"))


def once(d: Declarations, name: str, node: ast.AST, at: Reporter) -> None:
    if name in d.where:
        other = d.where[name][0].source.position(d.where[name][1])
        raise at.refuse(
            node, "declared-twice", f"`{name}` is declared twice (also at {other.file}:{other.line})",
            f"`{name}` が二度定義されています（{other.file}:{other.line} にも）",
            ("all modules of a book share one namespace: choose another name", "一冊の全モジュールで名前は一つです。別の名前にしてください"))
    at.demand(
        name not in VOCABULARY or name in RULE_SORTS, node, "vocabulary-name",
        f"`{name}` is a word of the rule language", f"`{name}` は規則言語の語です", ("choose another name", "別の名前にしてください"))
    d.where[name] = (at, node)


def declare_class(d: Declarations, node: ast.ClassDef, at: Reporter) -> None:
    once(d, node.name, node, at)
    base = node.bases[0].id if len(node.bases) == 1 and isinstance(node.bases[0], ast.Name) else ""
    if node.name in d.parts:
        base = "State"
    d.bases[node.name] = base
    if node.decorator_list or node.keywords:
        at.refuse(
            node, "class-decorated", "classes have no decorators and no options", "クラスにデコレータや引数は付けません",
            ("drop it", "取り除いてください"))
    match base:
        case "Enum" | "Symbols":
            declare_enum(d, node, at)
            return
        case "Signal":
            return
        case "State":
            check_bases(d, node, at)
        case "Record" | "Event" | "Inaction":
            pass
        case "Definition":
            d.definitions[node.name] = False
        case _:
            hint = (
                "derive it from State, Record, Inaction, Event, Definition, Enum, Symbols or Signal",
                "State, Record, Inaction, Event, Definition, Enum, Symbols, Signal のどれかを基底にしてください",
            )
            if base in d.fields:
                hint = (
                    "classes do not inherit from each other: repeat the fields, or keep a field of that type",
                    "クラスは継承できません。項目を書き並べるか、その型の項目を持たせてください",
                )
            raise at.refuse(
                node, "unknown-base", f"`{node.name}` has no base the language knows",
                f"`{node.name}` の基底クラスが規則言語のものではありません", hint)
    fields: list[FieldDecl] = []
    for s in node.body:
        match s:
            case ast.AnnAssign(target=ast.Name(id="of")) if base == "Definition":
                d.definitions[node.name] = True
            case ast.AnnAssign(target=ast.Name(id=name)) if any(f.name == name for f in fields):
                at.refuse(
                    s, "field-twice", f"the field `{name}` is declared twice", f"項目 `{name}` が二度定義されています",
                    ("choose another name", "別の名前にしてください"))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=note, value=default):
                fields.append(FieldDecl(name, note, default, at))
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Assign(targets=[ast.Name(id=name)]):
                at.refuse(
                    s, "field-without-type", f"the field `{name}` has no type", f"項目 `{name}` に型がありません",
                    (f"write `{name}: Annotated[int, Range(0, 9)] = …`", f"`{name}: 型 = 初期値` と書いてください"))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                at.refuse(
                    s, "method", "records have no methods", "Record にメソッドは書けません",
                    ("write a @define beside the class", "クラスの外に @define を書いてください"))
            case _:
                at.refuse(
                    s, "not-a-field", "only fields stand in this class", "このクラスには項目だけが書けます",
                    ("write `name: type`, or `name: type = default`", "`名前: 型` か `名前: 型 = 初期値` と書いてください"))
    d.fields[node.name] = fields


# ---------------------------------------------------------------- the state and its parts
def state_classes(sources: Sequence[Source]) -> dict[str, tuple[str, ...]]:
    """The classes of state and, for each, the classes it inherits from: `State` itself, or parts of the state."""
    bases: dict[str, tuple[str, ...]] = {}
    for source in sources:
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, tuple(b.id for b in node.bases if isinstance(b, ast.Name)))
    found: dict[str, tuple[str, ...]] = {}
    while True:
        new = {n: b for n, b in bases.items() if n not in found and any(x == "State" or x in found for x in b)}
        if not new:
            return found
        found |= new


def check_bases(d: Declarations, node: ast.ClassDef, at: Reporter) -> None:
    """Refuse a state that inherits from something else than parts of a state."""
    for b in node.bases:
        if not (isinstance(b, ast.Name) and (b.id == "State" or b.id in d.parts)):
            at.refuse(
                b, "state-base", f"`{node.name}` is a state, and `{ast.unparse(b)}` is no part of one",
                f"`{node.name}` は状態なのに、`{ast.unparse(b)}` は状態の部分ではありません",
                (f"derive `{ast.unparse(b)}` from State, or keep a field of that type",
                 f"`{ast.unparse(b)}` の基底を State にするか、その型の項目を持たせてください"))


def join_parts(d: Declarations, bases: Mapping[str, tuple[str, ...]]) -> None:
    """Which class is the whole state; each state class gets the fields of its parts, in order of its bases."""
    classes = [n for n in d.parts if n in d.fields]
    own = [n for n in classes if not d.where[n][0].source.kernel]
    inherited = {b for n in own for b in bases[n]}
    whole = sorted((n for n in own if n not in inherited), key=lambda n: -len(bases[n]))
    for n in whole[1:]:
        at, node = d.where[n]
        first, there = d.where[whole[0]]
        there = first.source.position(there)
        parts = ", ".join([*(b for b in bases[whole[0]] if b in d.parts), n])
        at.refuse(
            node, "second-state", f"the book already has a state, `{whole[0]}` ({there.file}:{there.line})",
            f"状態はすでに `{whole[0]}` があります（{there.file}:{there.line}）",
            (f"make it a part of `{whole[0]}`: `class {whole[0]}({parts})`; or put all fields into one class",
             f"`class {whole[0]}({parts})` のように部分とするか、項目を一つのクラスにまとめてください"))
    d.state_class = whole[0] if whole else ""
    d.parts["State"] = frozenset({"State"})
    d.fields["State"] = []
    written = {n: d.fields[n] for n in classes}
    told: set[int] = set()
    for n in classes:
        order = in_order(n, bases, written)
        d.parts[n] = frozenset({"State", *order})
        fields: dict[str, FieldDecl] = {}
        for f in (f for part in order for f in written[part]):
            before = fields.setdefault(f.name, f)
            if id(f) not in told and (before is not f or f.name in SIDES):
                told.add(id(f))
                refuse_field_of_two(before, f) if before is not f else refuse_field_of_a_side(f)
        d.fields[n] = list(fields.values())


def refuse_field_of_two(a: FieldDecl, b: FieldDecl) -> None:
    """Two parts of a state have a field of the same name."""
    first, second = (f.reporter.source.position(f.note) for f in (a, b))
    b.reporter.refuse(
        b.note, "field-of-two-parts",
        f"the field `{a.name}` is declared twice: {first.file}:{first.line} and {second.file}:{second.line}",
        f"項目 `{a.name}` が {first.file}:{first.line} と {second.file}:{second.line} の二か所で定義されています",
        ("the parts of a state share one namespace: choose another name", "状態の部分どうしで項目の名前は一つです。別の名前にしてください"))


def refuse_field_of_a_side(f: FieldDecl) -> None:
    """A field of the state that positions could not name, since the word is a player there."""
    ja, en = (("先攻のプレイヤー", "the first player"), ("後攻のプレイヤー", "the second player"))[SIDES[f.name]]
    f.reporter.refuse(
        f.note, "field-named-as-player",
        f"the name `{f.name}` is taken: in the position of a scenario it is {en}, and no field",
        f"`{f.name}` という名前は使えません。シナリオの position: では{ja}を指します", ("give the field another name", "項目を別の名前にしてください"))


def in_order(name: str, bases: Mapping[str, tuple[str, ...]], known: Mapping[str, object]) -> tuple[str, ...]:
    """The parts of a state class, each once, those it inherits from before itself."""
    out: list[str] = []

    def visit(n: str, above: tuple[str, ...]) -> None:
        if n in out or n in above or n not in known:
            return
        for b in bases[n]:
            visit(b, (*above, n))
        out.append(n)

    visit(name, ())
    return tuple(out)


def declare_enum(d: Declarations, node: ast.ClassDef, at: Reporter) -> None:
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
                    s, "not-a-member", "only members stand in an enumeration", "列挙には構成要素だけが書けます",
                    ("write `NAME = 1`", "`NAME = 1` のように書いてください"))
                continue
        for name in new:
            if name in members:
                at.refuse(
                    s, "member-twice", f"the member `{name}` is listed twice", f"構成要素 `{name}` が二度書かれています"
                )
            else:
                members.append(name)
    if not members and d.bases[node.name] != "Symbols":
        at.refuse(
            node, "empty-enum", f"the enumeration `{node.name}` has no members", f"列挙 `{node.name}` に構成要素がありません",
            ("write `NAME = 1` for each", "`NAME = 1` のように書き並べてください"))
    d.types[node.name] = t.EnumType(node.name, len(members), tuple(members), len(members))


def collect_symbols(d: Declarations) -> None:
    """Fill enumerations that take any words with the words the cards use; a listed member may be written small."""
    for cls, of_abilities in d.definitions.items():
        for f in d.fields[cls]:
            name = f.text.removeprefix("Set[").removeprefix("Option[").removesuffix("]")
            if d.bases.get(name) != "Symbols":
                continue
            known = d.types[name]
            assert isinstance(known, t.EnumType)
            words = list(known.members)
            for written in [a.facts.get(f.name) for a in d.world.abilities] if of_abilities else [
                    c.word(f.name, symbols=f.text.startswith("Set[")) for c in d.world.definitions]:
                for w in as_words(written):
                    listed = w.text.upper().replace("-", "_").replace(" ", "_") in known.members
                    if not listed and w.text not in words:
                        words.append(w.text)
            d.types[name] = t.EnumType(name, len(words), tuple(words), known.listed)


def as_words(v: Word | tuple[Word, ...] | None) -> tuple[Word, ...]:
    return () if v is None else v if isinstance(v, tuple) else (v,)
