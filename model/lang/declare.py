"""From the modules of a book to its declarations. Names of all modules form one namespace."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from ...spec.diagnostics import Collector
from .classes import collect_symbols, declare_class, declare_enum, join_parts, once, state_classes
from .declarations import Declarations
from .heads import declare_rule
from .kinds import MADE_FOR_USE, RuleDecl
from .shapes import check_rankings, check_rules
from .source import Refused, Reporter, Source
from .world import World


@dataclass
class Written:
    """What the modules of a book declare by their text alone, the same in every world."""

    d: Declarations
    functions: list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, Reporter]]
    rankings: list[tuple[str, str, ast.expr, Reporter]]

    def in_world(self, world: World) -> Declarations:
        """The declarations, to be completed for a world."""
        d = self.d
        return replace(
            d, world=world, types=dict(d.types), fields=dict(d.fields), rules={}, rankings=[], following=[])


@dataclass
class Head:
    """The head of a rule, as it was in worlds: by what the types were then that it names (their numbers)."""

    named: tuple[str, ...]
    known: dict[tuple[int, ...], RuleDecl] = field(default_factory=dict[tuple[int, ...], "RuleDecl"])


class Outline:
    """What does not change from world to world of the declarations of a book, kept while nothing is wrong with it. Whoever declares
    something with it reports to its collector."""

    def __init__(self) -> None:
        self.collector = Collector()
        self.written: Written | None = None
        self.heads: dict[str, Head] = {}
        self.numbers: dict[Hashable, int] = {}
        """Of types: equal ones have the same."""


# ---------------------------------------------------------------- reading the modules
def declare(
    sources: list[Source],
    world: World,
    collector: Collector,
    prepare: Callable[[Declarations], None],
    outline: Outline | None = None,
) -> Declarations:
    """Collect the declarations of all modules; everything wrong is reported. `prepare` is called once the types are
    known, before any rule is looked at. `outline`: what is known of these modules from other worlds."""
    written = outline.written if outline is not None else None
    if written is None:
        written = read_modules(sources, world, collector)
        if outline is not None and not collector.diagnostics:
            outline.written = written
    d = written.in_world(world)
    collect_symbols(d)
    prepare(d)
    heads = Heads(d, outline if outline is not None and not collector.diagnostics else Outline())
    for node, at in written.functions:
        try:
            rule = heads.of(node, at)
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
    check_rankings(d, written.rankings)
    return d


class Heads:
    """The heads of rules in one world: those that were declared for another are taken again where all types are the same that
    they name."""

    def __init__(self, d: Declarations, outline: Outline) -> None:
        self.d = d
        self.outline = outline
        self.numbers: dict[tuple[str, ...], tuple[int, ...]] = {}
        """Of the types that a head names."""

    def of(self, node: ast.FunctionDef | ast.AsyncFunctionDef, at: Reporter) -> RuleDecl:
        """The head of a rule. Raises Refused."""
        head = self.outline.heads.get(node.name)
        known = None if head is None else head.known.get(self.numbers_of(head.named))
        if known is not None:
            return known
        noted = self.d.noted = {}
        try:
            rule = declare_rule(self.d, node, at)
        finally:
            self.d.noted = None
        head = self.outline.heads.setdefault(node.name, Head(tuple(noted)))
        head.known[self.numbers_of(head.named)] = rule
        return rule

    def numbers_of(self, named: tuple[str, ...]) -> tuple[int, ...]:
        known = self.numbers.get(named)
        if known is None:
            numbers = self.outline.numbers
            known = self.numbers[named] = tuple(
                numbers.setdefault(of, len(numbers)) for of in map(self.d.type_called, named))
        return known


def read_modules(sources: list[Source], world: World, collector: Collector) -> Written:
    """What the modules declare by their text; heads of rules are not looked at yet."""
    d = Declarations(world, collector)
    bases = state_classes(sources)
    d.parts = {name: frozenset({name, "State"}) for name in bases}
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
    join_parts(d, bases)
    for name, value, at in ranges:
        with suppress(Refused):
            d.ranges[name] = d.range_of(value, at)
    for node, at, is_symbols in enums:
        declare_enum(d, node, at, is_symbols)
    return Written(d, functions, rankings)


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
