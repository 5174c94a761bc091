"""Rules that are given rules, and rules of the kernel: made for each use.

A rule is given to another by its name, and known when the book is read. So the rule that takes it is a pattern: it is
translated once for each combination of rules that it is given, with their names in place of its parameters. A rule of
the kernel is also made for each clause it is used for, which stands at the call.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ..ir import types as t
from . import __all__ as VOCABULARY
from .heads import no_such_part
from .kinds import RuleDecl, RuleSort, arguments
from .sets import SetLowering
from .source import Refused, attach_clauses
from .values import said

Given = Mapping[str, ast.expr]
"""What stands in place of parameters: the name of a rule, or `OPEN("clause")`."""
Cited = Mapping[str, tuple[str, ...]]
"""The clauses for which a rule that is passed is called: a mark on the line on which it is passed."""
Types = Mapping[str, t.Type]
"""The types of parameters that take values of any type."""
NO_TYPES: Types = {}


class PatternLowering(SetLowering):
    """Finds out which rule a call means."""

    marked: Mapping[int, tuple[str, ...]] = MappingProxyType({})
    """Clauses by what they are marked at (its `id`)."""

    def marks(self, node: ast.AST) -> tuple[str, ...] | None:
        """The clauses that are marked at a statement."""
        return getattr(node, "cited", None) or self.marked.get(id(node))

    def made(self, rule: RuleDecl, given: Given, clauses: tuple[str, ...], cited: Cited, types: Types = NO_TYPES) -> RuleDecl:
        """The rule with what it was given in place of its parameters; one that is for its caller does it for these clauses."""
        inherited = clauses if rule.for_caller else ()
        if not given and not inherited and not types:
            return rule
        new = made_for(rule, given, inherited, cited, types)
        return self.d.rules.setdefault(new.name, new)

    def use(self, node: ast.Call, name: str) -> tuple[ast.Call, RuleDecl]:
        """The rule that a call of the rule `name` means, and the call without the rules that it passes."""
        decl = self.d.rules[name]
        if decl.part and not self.d.has_part(decl.part):
            raise no_such_part(self.d, node, self.at, f"`{name}`", decl.part)
        self.clauses = getattr(node.func, "cited", ()) or self.clauses
        if not decl.is_pattern and not decl.deciders:
            return node, self.made(decl, {}, self.clauses, {})
        given = taken_out(node, decl)
        types = self.types_given(node, decl)
        bound: dict[str, t.Type] = {} if not types else {"T": next(iter(types.values()))}
        for p in decl.passed:
            if p not in given:
                raise self.rule_missing(node, decl, p)
            self.check_given(given[p], decl, p, bound)
        for p in decl.deciders & given.keys():
            self.meaning(given[p])  # its clause is checked where it is written
        cited = {p: self.marks(a) or getattr(a, "cited", ()) for p, a in given.items()}
        return without(node, given), self.made(decl, given, self.clauses, cited, types)

    def types_given(self, node: ast.Call, decl: RuleDecl) -> Types:
        """The types of what is given for parameters that take any, which is the same for all of them; a missing one is
        reported with the arguments."""
        out: dict[str, t.Type] = {}
        for p, arg in arguments(node, decl):
            if p not in decl.any_type:
                continue
            of = self.value(arg).type
            out[p] = t.ANY_INT if isinstance(of, t.Int) else of
            first, one = next(iter(out.items()))
            self.demand(
                out[p] == one, arg, "types-of-pattern",
                f"`{first}` and `{p}` of `{decl.base}` are of one type: {said(one)}",
                f"`{decl.base}` の `{first}` と `{p}` は同じ型（{said(one, True)}）にします",
                ("give values of one type", "同じ型の値を渡してください"))
        return out

    def rule_called(self, node: ast.Call) -> tuple[ast.Call, RuleDecl] | None:
        """The same for a call that somebody else checks, in a rule that may stand elsewhere: nothing is reported."""
        if not isinstance(node.func, ast.Name) or node.func.id not in self.d.rules:
            return None
        decl = self.d.rules[node.func.id]
        if not decl.is_pattern and not decl.deciders:
            return node, decl
        given = taken_out(node, decl)
        if not all(isinstance(x := given.get(p), ast.Name) and x.id in self.d.rules for p in decl.passed):
            return None
        return without(node, given), self.made(decl, given, (), {})

    def rule_missing(self, node: ast.AST, decl: RuleDecl, p: str) -> Refused:
        example = f"{decl.base}({', '.join([*(['g'] if decl.state else []), *decl.order])})"
        return self.refuse(
            node, "argument-missing", f"`{decl.base}` also needs the rule `{p}`: {decl.passed[p]}",
            f"`{decl.base}` に渡す規則 `{p}`（{decl.passed[p]}）が足りません", (f"write `{example}`", f"`{example}` と書いてください"))

    def check_given(self, arg: ast.expr, decl: RuleDecl, p: str, bound: dict[str, t.Type]) -> None:
        """Refuse what is passed as `p` if it is no rule of the sort asked for."""
        sort = decl.passed[p]
        if not isinstance(arg, ast.Name) or arg.id not in self.d.rules or arg.id in self.names:
            if isinstance(arg, ast.Name) and not any(arg.id in x for x in (self.names, self.d.where, VOCABULARY)):
                raise self.d.unknown(arg, arg.id, self.at, self.names)
            if isinstance(arg, ast.Name) and arg.id in self.d.where and self.d.what_is(arg.id) is None:
                raise Refused
            called = isinstance(arg, ast.Call) and isinstance(arg.func, ast.Name) and arg.func.id in self.d.rules
            name = arg.func.id if isinstance(arg, ast.Call) and isinstance(arg.func, ast.Name) else ""
            raise self.refuse(
                arg, "rule-expected", f"`{decl.base}` is given a rule as `{p}`: {sort}",
                f"`{decl.base}` の `{p}` には規則（{sort}）を渡します",
                (f"write its name, without calling it: `{p}={name}`", f"呼び出さずに名前を書いてください: `{p}={name}`") if called else (f"make it a rule of its own, and write its name: `{p}=…`", f"一つの規則にして、その名前を書いてください: `{p}=…`"))
        rule = self.d.rules[arg.id]
        if not fits(sort, rule, bound):
            want, ja = wanted(arg.id, sort, rule, bound, self.d.state_class)
            raise self.refuse(
                arg, "rule-of-another-sort", f"`{arg.id}` is no {sort}, which `{decl.base}` needs as `{p}`",
                f"`{arg.id}` は、`{decl.base}` の `{p}` に要る {sort} ではありません",
                (f"it should be `{want}`", f"`{want}` の形にしてください") if not ja else (want, ja))


def taken_out(node: ast.Call, decl: RuleDecl) -> dict[str, ast.expr]:
    """What a call gives for the parameters that are rules, and for deciders that nobody is."""
    out: dict[str, ast.expr] = {}
    for p, arg in arguments(node, decl):
        nobody = isinstance(arg, ast.Call) and isinstance(arg.func, ast.Name) and arg.func.id == "OPEN"
        if p in decl.passed or (p in decl.deciders and nobody):
            out[p] = arg
    return out


def without(node: ast.Call, given: Given) -> ast.Call:
    """The call without these arguments."""
    args = [a for a in node.args if not any(a is x for x in given.values())]
    return ast.copy_location(ast.Call(node.func, args, [k for k in node.keywords if k.arg not in given]), node)


def fits(sort: RuleSort, rule: RuleDecl, bound: dict[str, t.Type]) -> bool:
    """Is the rule of the sort? `bound`: what type variables stand for, so far."""
    if rule.ir_kind != sort.kind or rule.is_pattern or rule.state is None or len(rule.params) != len(sort.params):
        return False
    if not all(agree(want, of, bound) for want, (_, of) in zip(sort.params, rule.params, strict=True)):
        return False
    if not sort.gives_set:
        return not rule.gives_set and agree(sort.result, rule.result, bound)
    if isinstance(sort.result, str) and isinstance(rule.result, t.SetType):
        return agree(sort.result, rule.result.inner, bound)
    return rule.gives_set and agree(sort.result, rule.result, bound)


def agree(want: t.Type | str, of: t.Type, bound: dict[str, t.Type]) -> bool:
    """Is it the type that is asked for? Numbers agree whatever their ranges are: that is looked at in play."""
    if isinstance(want, str):
        want = bound.setdefault(want, of)
    return want == of or (isinstance(want, t.Int) and isinstance(of, t.Int))


def wanted(name: str, sort: RuleSort, rule: RuleDecl, bound: Mapping[str, t.Type], state: str) -> tuple[str, str]:
    """How the rule should be declared; or, with the Japanese, what to do instead."""
    if rule.is_pattern:
        return "pass a rule that needs no rules itself", "それ自身が規則を必要としない規則を渡してください"

    def shown(x: t.Type | str) -> str:
        x = bound.get(x, x) if isinstance(x, str) else x
        return "None" if isinstance(x, t.NothingType) else "int" if x == t.ANY_INT else str(x)

    names = [p for p, _ in rule.params] if len(rule.params) == len(sort.params) else []
    takes = [f"{names[k] if names else f'x{k + 1}'}: {shown(x)}" for k, x in enumerate(sort.params)]
    result = f"Set[{shown(sort.result)}]" if sort.gives_set else shown(sort.result)
    head = "async def" if sort.kind == "procedure" else "def"
    return f"@{sort.kind} {head} {name}({', '.join([f'g: {state}', *takes])}) -> {result}", ""


def made_for(decl: RuleDecl, given: Given, clauses: tuple[str, ...], cited: Cited, types: Types) -> RuleDecl:
    """The rule with these rules in place of its parameters, for these clauses and types."""
    shown = [*(" ".join((ast.unparse(a), *cited.get(p, ()))) for p, a in given.items()), *map(str, types.values())]
    name = f"{decl.base}[{', '.join([*shown, *([' '.join(clauses)] if clauses else [])])}]"
    params = [(p, types.get(p, of)) for p, of in decl.params if p not in given]
    if not given:
        return replace(decl, name=name, inherited=clauses, params=params, any_type=frozenset[str]())
    copies, key = decl.reporter.source.copies, (decl.node, name, tuple(given))
    node = copies.get(key)
    if node is None:
        node = copies[key] = PutInPlace(given, cited).visit(copy.deepcopy(decl.node))
    return replace(
        decl,
        name=name,
        node=node,
        params=params,
        clauses=attach_clauses(decl.reporter.source, node),
        passed={},
        any_type=frozenset(),
        deciders=frozenset(),
        order=tuple(p for p in decl.order if p not in given),
        inherited=clauses,
    )


class PutInPlace(ast.NodeTransformer):
    """Puts what is given in place of the names of parameters. Positions stay those of the pattern."""

    def __init__(self, given: Given, cited: Cited) -> None:
        self.given = given
        self.cited = cited

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.given:
            return node
        new = copy.deepcopy(self.given[node.id])
        for n in ast.walk(new):
            if "lineno" in n._attributes:
                ast.copy_location(n, node)
        new.in_place_of = node.id  # pyright: ignore[reportAttributeAccessIssue]
        new.cited = self.cited.get(node.id, ())  # pyright: ignore[reportAttributeAccessIssue]
        return new
