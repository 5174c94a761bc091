"""The rules of a book as their text has them: statements, the clauses marked at each, what calls what, what writes."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ...model.ir.flow import closure
from ...model.lang.source import Source, attach_clauses
from .places import Rule

CHOICES = frozenset({"choose", "choose_some", "choose_number", "may"})
"""Words that ask somebody; the first argument says whom."""
EFFECTS = frozenset({"put", "emit", "shuffle", "renew", "finish", "run_text", "run_cost"})
"""Words that do something."""
SILENT = frozenset({"gap", "conflict", "not_modelled", "when"})
DEEP = 3
"""Calls that are followed to see what clauses something is done for."""


class Written:
    """All rules of a book by name."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.rules: dict[str, tuple[Source, Rule]] = {}
        for source in sources:
            for rule in source.tree.body:
                if isinstance(rule, Rule):
                    self.rules[rule.name] = source, rule
        self.listed = {"PLAYERS": ["FIRST", "SECOND"]}
        """What a name lists, in the order in which rules go through it: the players, the members of an `Enum`."""
        for node in (node for source in sources for node in source.tree.body):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Enum" for base in node.bases):
                members = (s.targets[0] for s in node.body if isinstance(s, ast.Assign))
                self.listed[node.name] = [f"{node.name}.{x.id}" for x in members if isinstance(x, ast.Name)]
        self.below: dict[tuple[str, int], frozenset[str]] = {}
        self.over: dict[tuple[str, int], frozenset[str]] = {}
        self.callers: dict[str, set[str]] = {}
        for name, (_, rule) in self.rules.items():
            for called in {n.id for n in ast.walk(rule) if isinstance(n, ast.Name)} & self.rules.keys() - {name}:
                self.callers.setdefault(called, set()).add(name)

    @cached_property
    def own(self) -> list[tuple[Source, Rule]]:
        """The rules of the book's own modules, but for those that only say where a scenario may begin: no rule calls them, and they ask nobody."""
        return [
            (s, r)
            for s, r in self.rules.values()
            if not s.kernel and (not is_entry(r) or r.name in self.callers or CHOICES & {*names_called(r)})
        ]

    def kind(self, name: str) -> str:
        """`step`, `procedure`, `define` … of a rule."""
        if name not in self.rules:
            return ""
        for d in self.rules[name][1].decorator_list:
            word = ast.unparse(d.func if isinstance(d, ast.Call) else d)
            if word in (
                "step",
                "procedure",
                "define",
                "value",
                "action",
                "situation",
                "verdict",
                "invariant",
                "trigger_policy",
                "permits",
                "forbids",
                "requires",
            ):
                return word
        return ""

    def does(self, name: str) -> bool:
        """Does calling it change something?"""
        return name in EFFECTS or self.kind(name) in ("step", "procedure", "action")

    def asks_before(self, name: str) -> bool:
        """Is somebody asked in the rule, or in what comes to it?"""
        above = closure([name], lambda at: self.callers.get(at, ()))
        return any(n in CHOICES for at in above for n in names_called(self.rules[at][1]))

    def asks_below(self, node: ast.AST) -> bool:
        """Is somebody asked in what a node calls?"""
        below = closure(names_called(node), lambda at: names_called(self.rules[at][1]) if at in self.rules else ())
        return any(n in CHOICES for n in below)

    def clauses_above(self, name: str, deep: int = DEEP) -> frozenset[str]:
        """The clauses that a rule without any mark of its own is carried out for: those marked where it is called."""
        if deep == 0 or name not in self.rules:
            return frozenset()
        known = self.over.get((name, deep))
        if known is None:
            self.over[name, deep] = frozenset()
            found: set[str] = set()
            for caller in self.callers.get(name, ()):
                source, rule = self.rules[caller]
                page = Page(self, source, rule)
                there = {c for n in ast.walk(rule) if isinstance(n, ast.Name) and n.id == name for c in page.nearest(n)}
                found |= there or (set() if page.marks else self.clauses_above(caller, deep - 1))
            known = self.over[name, deep] = frozenset(found)
        return known

    def clauses_below(self, name: str, deep: int = DEEP) -> frozenset[str]:
        """The clauses that are marked in a rule and in what it calls."""
        if name not in self.rules or deep == 0:
            return frozenset()
        known = self.below.get((name, deep))
        if known is None:
            self.below[name, deep] = frozenset()  # a rule that calls itself adds nothing
            source, rule = self.rules[name]
            marks = attach_clauses(source, rule)
            known = frozenset(c for some in marks.values() for c in some)
            if not known:
                known = frozenset(c for called in names_called(rule) for c in self.clauses_below(called, deep - 1))
            self.below[name, deep] = known
        return known


class Page:
    """A rule of the book: its statements, each with what stands around it."""

    def __init__(self, written: Written, source: Source, rule: Rule) -> None:
        self.written, self.source, self.rule = written, source, rule
        self.marks: Mapping[int, tuple[str, ...]] = attach_clauses(source, rule)
        self.lines = source.text.splitlines()

    @cached_property
    def above(self) -> dict[int, ast.AST]:
        """What each node is directly part of."""
        return {id(child): node for node in ast.walk(self.rule) for child in ast.iter_child_nodes(node)}

    @cached_property
    def parameters(self) -> frozenset[str]:
        return frozenset(a.arg for a in (*self.rule.args.args, *self.rule.args.kwonlyargs))

    @property
    def is_async(self) -> bool:
        return isinstance(self.rule, ast.AsyncFunctionDef)

    def blocks(self) -> Iterator[Sequence[ast.stmt]]:
        """All blocks of statements."""
        for node in ast.walk(self.rule):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    yield without_docstring(block) if node is self.rule else block

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node is in."""
        at = node
        while not isinstance(at, ast.stmt):
            at = self.above[id(at)]
        return at

    def own_clauses(self, s: ast.stmt) -> tuple[str, ...]:
        """The clauses marked at a statement or within it; else those of the rules that it calls."""
        marked = dict.fromkeys(c for node in ast.walk(s) for c in self.marks.get(id(node), ()))
        if not marked:
            marked = dict.fromkeys(c for name in names_called(s) for c in sorted(self.written.clauses_below(name)))
        return tuple(marked)

    def clauses_at(self, node: ast.AST) -> tuple[str, ...]:
        """The clauses marked at what a node is in, nearest first: at its statement, at the branches around it, at the rule."""
        found: dict[str, None] = {}
        at: ast.AST | None = node
        while at is not None:
            found.update(dict.fromkeys(self.marks.get(id(at), ())))
            at = self.above.get(id(at))
        return tuple(found) or self.for_whom

    def nearest(self, node: ast.AST) -> tuple[str, ...]:
        """The clauses of the innermost of these that has a mark."""
        at: ast.AST | None = node
        while at is not None:
            if marks := self.marks.get(id(at)):
                return marks
            at = self.above.get(id(at))
        return self.for_whom

    @cached_property
    def for_whom(self) -> tuple[str, ...]:
        """Of a rule without any mark: the clauses that it is carried out for."""
        return () if self.marks else tuple(sorted(self.written.clauses_above(self.rule.name)))

    def text(self, node: ast.AST) -> str:
        return ast.get_source_segment(self.source.text, node) or ""

    def asks_reading(self, *nodes: ast.AST) -> bool:
        """Is a reading asked for in one of these, or in a condition around it?"""
        for node in nodes:
            if any(n in ("reading", "reading_number") for n in names_called(node)):
                return True
            at: ast.AST | None = self.above.get(id(node))
            while at is not None:
                test = getattr(at, "test", None) or getattr(at, "subject", None)
                if test is not None and any(n in ("reading", "reading_number") for n in names_called(test)):
                    return True
                at = self.above.get(id(at))
        return False

    def effect(self, s: ast.stmt) -> bool:
        """Does the statement change something, or ask somebody?"""
        for node in ast.walk(s):
            match node:
                case (
                    ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
                    | ast.AugAssign(target=ast.Attribute() | ast.Subscript())
                ):
                    return True
                case ast.Call(func=ast.Name(id=name)) if self.written.does(name) or name in CHOICES:
                    return True
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr="add" | "remove" | "clear" | "free"))):
                    return True
                case _:
                    pass
        return False


def is_entry(rule: Rule) -> bool:
    """Can a scenario begin with it?"""
    return any(isinstance(d, ast.Call) and ast.unparse(d.func) == "entry" for d in rule.decorator_list)


def without_docstring(block: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    first = block[0]
    return block[1:] if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else block


def names_called(node: ast.AST) -> list[str]:
    """The names of what is called in a node."""
    return [n.func.id for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]


def names_read(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def names_set(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def leaves(node: ast.AST) -> bool:
    """Does it leave the block?"""
    return any(isinstance(n, ast.Return | ast.Raise | ast.Break | ast.Continue) for n in ast.walk(node))


def awaits(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Await) for n in ast.walk(node))
