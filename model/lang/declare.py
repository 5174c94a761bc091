"""From the modules of a book to its declarations. Names of all modules form one namespace."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress

from ...spec.diagnostics import Collector
from .classes import collect_symbols, declare_class, declare_enum, join_parts, once, state_classes
from .declarations import Declarations
from .heads import declare_rule
from .kinds import MADE_FOR_USE
from .roles import check_roles
from .shapes import check_rankings, check_rules
from .source import Refused, Reporter, Source
from .world import World


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
    check_rankings(d, rankings)
    return d


Functions = list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, Reporter]]
Rankings = list[tuple[str, str, ast.expr, Reporter]]


def read_modules(d: Declarations, sources: list[Source]) -> tuple[Functions, Rankings]:
    """Declare what the modules say by their text alone. Gives the rules, of which nothing was looked at yet, and what outranks what."""
    bases = state_classes(sources)
    d.parts = {name: frozenset({name, "State"}) for name in bases}
    enums: list[tuple[ast.ClassDef, Reporter, bool]] = []
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
    join_parts(d, bases)
    for name, value, at in ranges:
        with suppress(Refused):
            d.ranges[name] = d.range_of(value, at)
    for node, at, is_symbols in enums:
        declare_enum(d, node, at, is_symbols)
    return functions, rankings


def stands_at_the_top(node: ast.stmt, at: Reporter) -> None:
    """Refuse what cannot stand at the top of a module, outside every rule."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for n in names:
                at.demand(
                    n.asname is None,
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
