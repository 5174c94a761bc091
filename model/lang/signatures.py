"""Rules as they are declared: of which kinds there are, what a rule takes and what it gives."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..ir import types as t
from ..ir.program import FunctionKind
from .source import Reporter, first_line

KINDS = ("define", "value", "step", "action", "procedure", "situation", "trigger_policy", "verdict",
         "permits", "forbids", "requires", "invariant", "expects", "ensures", "decreases")
PURE = ("define", "value", "verdict", "permits", "forbids", "requires", "invariant", "expects", "ensures", "decreases")

SUBJECTS = {"verdict": '"question"', "permits": "action", "forbids": "action", "requires": "action",
            "expects": "procedure", "ensures": "procedure", "decreases": "procedure"}
SCOPES = {"STEP": 1, "PHASE": 2, "TURN": 3}
RULE_SORTS = ("Procedure", "Step", "Define", "T")
"""Words for rules that are passed: a book may have a `Step` of its own, which is never mistaken for `Step[[…], …]`."""
MADE_FOR_USE = ("define", "value", "step", "action", "procedure")
"""Kinds of rules that the kernel has for whoever calls them; the others hold in every book with what they work on."""


def in_place_of(node: ast.AST) -> str | None:
    """The parameter of a pattern in whose place this stands; None for what is written there."""
    return getattr(node, "in_place_of", None)


@dataclass(frozen=True)
class RuleSort:
    """What a rule must be that is passed to another: its kind, parameters (the state handle aside) and result, as
    written: `Procedure[[Player], bool]`. None stands for a type variable of the kernel: any type."""

    kind: FunctionKind
    params: tuple[t.Type | str, ...]
    result: t.Type | str
    gives_set: bool
    note: ast.expr

    def __str__(self) -> str:
        return ast.unparse(self.note)


@dataclass
class Parameters:
    """What a rule takes."""

    state: str | None = None
    """Name of the parameter that is the state; None for rules that do not look at it."""
    part: str = ""
    """The class of its state parameter: the whole state, or a part of it."""
    params: list[tuple[str, t.Type]] = field(default_factory=list[tuple[str, t.Type]])
    """Those that are values, the state aside, with their types."""
    passed: dict[str, RuleSort] = field(default_factory=dict[str, RuleSort])
    """Parameters that are rules. A rule with such is a pattern: it is made for the rules passed to it."""
    deciders: frozenset[str] = frozenset()
    """Parameters of type `Decider`: a player, or `OPEN("clause")`, known when the book is read."""
    piles: frozenset[str] = frozenset()
    """Parameters of type `Pile`: zones with an order."""
    any_type: frozenset[str] = frozenset()
    """Parameters of type `T`: values of whatever type is given."""
    order: tuple[str, ...] = ()
    """The names of all parameters but the state, in order."""


@dataclass(kw_only=True)
class RuleDecl(Parameters):
    """A rule as declared: its kind, parameters and result type."""

    name: str
    kind: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    reporter: Reporter
    result: t.Type
    result_note: ast.expr | None
    clauses: Mapping[int, tuple[str, ...]]
    scope: int = 0
    entry: str = ""
    subject: str = ""
    """The action a norm is about, or the question of a verdict."""

    gives_set: bool = False
    """The result is a set of records: options for somebody."""
    base: str = ""
    """What it is called in its module; `name` adds what it was made for: `alternate[offer_cards]`."""
    inherited: tuple[str, ...] = ()
    """The clauses of the statement that called it, where it has none of its own: in the kernel."""
    known_as: str = ""
    """The part that it has for those who play and examine the book."""

    @property
    def is_pattern(self) -> bool:
        """It is made for each use, and means nothing by itself."""
        return bool(self.passed or self.any_type)

    @property
    def of_kernel(self) -> bool:
        return self.reporter.source.kernel

    @property
    def head(self) -> range:
        """The lines of its decorators and of its `def`."""
        return range(first_line(self.node), self.node.body[0].lineno)

    @cached_property
    def for_caller(self) -> bool:
        """Is what it does done for the clauses of whoever calls it? All of the kernel, and what is marked `#: caller`."""
        return self.of_kernel or not self.reporter.source.for_callers.isdisjoint(self.head)

    @property
    def expanded(self) -> bool:
        """A define that gives records is put in place of each call."""
        return self.ir_kind == "define" and (
            isinstance(self.result, t.RecordType | t.UnionType | t.CauseType) or self.result.width != 1
        )

    @property
    def is_async(self) -> bool:
        return isinstance(self.node, ast.AsyncFunctionDef)

    @property
    def ir_kind(self) -> FunctionKind:
        """define, step or procedure."""
        return "define" if self.kind in PURE else "procedure" if self.is_async else "step"


def arguments(node: ast.Call, decl: RuleDecl) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of a rule, the state aside, and what a call gives for them."""
    yield from zip(decl.order, node.args[int(decl.state is not None) :], strict=False)
    yield from ((k.arg, k.value) for k in node.keywords if k.arg in decl.order)
