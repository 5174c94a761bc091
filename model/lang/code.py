"""The code of a rule while it is written: instructions, jumps, locals, assignment."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.flow import redirected, walk
from ..ir.places import Leaf, linear
from ..ir.program import Function, FunctionKind, Handler, LocalInfo
from .expressions import ExpressionLowering
from .scope import Scope
from .source import Refused, Reporter
from .values import Meaning, Place, Val, Variable

NO_CLAUSES: Mapping[int, tuple[str, ...]] = {}

SILENCE = ("gap", "conflict", "not_modelled")

EFFECTS = ("put", "shuffle", "renew", "emit", "finish", "gap", "conflict", "not_modelled")

MOST_NUMBERS = 512

AWAITED = ("choose", "choose_some", "choose_number", "may", "chance", "run_text", "run_cost")


@dataclass
class Loop:
    """An enclosing loop: where `continue` goes, which jumps are still to be pointed at its end, how many
    restorations were open when it began, and whether it stands inside `simultaneously`."""

    head: int
    breaks: list[int] = field(default_factory=list[int])
    depth: int = 0
    in_batch: bool = False


@dataclass
class Abandon:
    """An enclosing `abandon_when`: its condition, the jumps to be pointed at its end, and how many restorations were
    open when it began."""

    condition: ast.expr
    exits: list[int] = field(default_factory=list[int])
    depth: int = 0


class CodeLowering(ExpressionLowering):
    """Translates one rule (or script). `kind` is define, step or procedure; `result` its type."""

    def __init__(
        self,
        scope: Scope,
        at: Reporter,
        name: str,
        kind: FunctionKind,
        result: t.Type,
        clauses: Mapping[int, tuple[str, ...]] = NO_CLAUSES,
    ) -> None:
        super().__init__(scope, at, name, kind == "define")
        self.kind: FunctionKind = kind
        self.result = result
        self.marked = clauses
        self.code: list[ir.Instr] = []
        self.handlers: list[Handler] = []
        self.loops: list[Loop] = []
        self.restores: list[list[tuple[Leaf, ir.Expr | None, int, int]]] = []
        self.abandons: list[Abandon] = []
        self.in_batch = False
        self.failed = False
        """Something was refused: the code is not complete."""
        self.many: set[str] = set()
        """Locals that are assigned in several places: their numbers are not held to the range of the first."""
        self.behind: Sequence[ast.stmt] = ()

    @abstractmethod
    def block(self, body: Sequence[ast.stmt]) -> None:
        """Translate statements one after the other."""

    @abstractmethod
    def checked_block(self, live: Sequence[ast.stmt], dead: Sequence[ast.stmt]) -> None:
        """Translate what is carried out; check what never is in this scenario."""

    def marks(self, node: ast.AST) -> tuple[str, ...] | None:
        """The clauses that are marked at a statement."""
        return getattr(node, "cited", None) or self.marked.get(id(node))

    # ------------------------------------------------------------ code
    def put(self, i: ir.Instr) -> int:
        self.code.append(i)
        return len(self.code) - 1

    def add(self, arity: int, scope: int = 0) -> None:
        """The function is complete."""
        self.scope.functions[self.name] = Function(
            self.name, self.kind, arity, [LocalInfo(n, of) for n, of in self.locals], self.code, self.result, self.handlers, scope)

    def here(self) -> int:
        return len(self.code)

    def point(self, at: int, to: int) -> None:
        """Let the jump at `at` go to `to`."""
        self.code[at] = redirected(self.code[at], lambda _: to)

    def effect_allowed(self, node: ast.AST, what: str, ja: str = "") -> None:
        if self.kind == "define":
            raise self.refuse(
                node,
                "define-changes-state",
                f"a define looks and changes nothing, and {what} changes the state",
                f"@define は見るだけで、状態を変えられません（{ja or what}）",
                ("make it a @step", "@step にしてください"),
            )

    # ------------------------------------------------------------ assignment
    def declare_variable(self, name: str, of: t.Type) -> Variable:
        return Variable(of, tuple(self.new_local(name, s) for s in of.flat()))

    def store_variable(self, x: Variable, v: Val, node: ast.AST) -> None:
        """Locals := value; parts that read the locals being set are read first."""
        targets = set(x.locals)
        if len(x.locals) > 1 and any(isinstance(n, ir.Local) and n.index in targets for p in v.parts for n in walk(p)):
            kept = [self.new_local("kept", s) for s in x.type.flat()]
            for k, p in zip(kept, v.parts, strict=True):
                self.put(ir.Assign(k, p, at=self.mark(node)))
            v = Val(v.type, tuple(ir.Local(k) for k in kept))
        for k, p in zip(x.locals, v.parts, strict=True):
            if p != ir.Local(k):
                self.put(ir.Assign(k, p, at=self.mark(node)))

    def local_type(self, of: t.Type, node: ast.AST) -> t.Type:
        """The type of a local that was given a value of type `of`."""
        match of:
            case t.Int():
                return t.ANY_INT if of.lo < t.ANY_INT.lo or of.hi > t.ANY_INT.hi else of
            case t.NothingType():
                raise self.refuse(
                    node,
                    "untyped-none",
                    "of what could this be none?",
                    "何が「なし」なのか分かりません",
                    ("write its type: `best: Option[Card] = None`", "型を書いてください: `best: Option[Card] = None`"),
                )
            case t.EmptySetType():
                raise self.refuse(
                    node,
                    "untyped-set",
                    "a set of what?",
                    "何の集合か分かりません",
                    ("write its type: `found: Set[Card] = set()`", "型を書いてください: `found: Set[Card] = set()`"),
                )
            case _:
                return of

    def result_variable(self, name: str | None, of: t.Type) -> Variable:
        """A fresh variable for the result of something done; a number that is assigned elsewhere too has no range."""
        return self.declare_variable(
            name or "ignored", t.ANY_INT if isinstance(of, t.Int) and name in self.many else of
        )

    def is_constant(self, name: str) -> bool:
        """Does the name stand for something fixed, which a local must not hide?"""
        d = self.d
        return name in ("FIRST", "SECOND", "PLAYERS", "CARDS") or any(
            name in x for x in (d.constants, d.ranges, d.types, d.fields, d.aliases, d.rules)
        )

    def no_value(self, node: ast.expr) -> Refused:
        call = node.value if isinstance(node, ast.Await) else node
        name = ast.unparse(call.func) if isinstance(call, ast.Call) else ast.unparse(call)
        return self.refuse(
            node,
            "no-value",
            f"`{name}` gives no value",
            f"`{name}` は値を返しません",
            (
                f"write the type of its value behind `->` of `{name}`, or drop the assignment",
                f"`{name}` の `->` の後に値の型を書くか、代入をやめてください",
            ),
        )

    def assign_where(self, target: ast.expr) -> Refused:
        return self.refuse(
            target,
            "assign-where",
            "assign to a local or to a field of the state",
            "代入先は変数か状態の項目です",
            (
                "a record in a local does not change: make a new one",
                "変数に入れた Record は書き換えられません。新しく作ってください",
            ),
        )

    def store(self, s: ast.stmt, m: Meaning, v: Val, target: ast.expr, op: ir.StoreOp) -> None:
        """Write the scalars of a leaf, or of an entry of a pool."""
        match m:
            case Place(node=Leaf() as leaf):
                index = linear(leaf.keys, [e for _, e in m.keys]) if m.keys else None
                self.put(ir.Store(leaf.base, index, leaf.count, v.expr, op, at=self.mark(s)))
            case Val(parts=parts) if parts and all(isinstance(p, ir.Load) and p.index is not None for p in parts):
                for p, x in zip(parts, v.parts, strict=True):
                    assert isinstance(p, ir.Load)
                    info = next((c for c in self.scope.layout.containers.values() if p.base in c.columns), None)
                    if info is None:
                        raise self.assign_where(target)
                    if not info.is_pool:
                        raise self.entry_changed(target)
                    self.put(ir.Store(p.base, p.index, p.count, x, op, at=self.mark(s)))
            case _:
                raise self.assign_where(target)

    def entry_changed(self, target: ast.expr) -> Refused:
        return self.refuse(
            target,
            "entry-changed",
            "an entry of a multiset is not changed",
            "Multiset の要素は書き換えません",
            ("remove it and add the new one", "除いてから新しいものを加えてください"),
        )

    # ------------------------------------------------------------ things done
    def is_step_call(self, node: ast.expr) -> bool:
        """A call that changes the state: a step, `judge`, or `g.pool.new(…)`."""
        match node:
            case ast.Call(func=ast.Name(id=name)):
                return name == "judge" or (name in self.d.rules and self.d.rules[name].ir_kind == "step")
            case ast.Call(func=ast.Attribute(attr="new")):
                return True
            case _:
                return False


def as_load(target: ast.expr) -> ast.expr:
    """The target of `+=`, to be read."""
    out = ast.parse(ast.unparse(target), mode="eval").body
    for n in ast.walk(out):
        ast.copy_location(n, target)
    return out
