"""Could the order in which a loop goes through cards be seen afterwards? Then somebody has to decide it.

A rule of thumb on the text of the loop, on the safe side for what stands in the loop itself: asking somebody, leaving
the loop at the first card found, keeping the last one, laying cards onto a pile, and reading what the loop changes
all make the order matter. What called defines read is not looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..ir.program import Zones, unkeyed
from .kinds import RuleDecl, arguments
from .scope import Scope

COMMUTES = (ast.Add, ast.Sub, ast.BitOr, ast.BitAnd, ast.BitXor)
CHANGES = ("put", "shuffle", "renew", "emit", "finish")
Reason = tuple[ast.AST, str, str]
"""Where the order shows, and how (en, ja)."""


@dataclass
class LoopOrder:
    """One loop over cards (or entries): its variable, its body, the statements behind it, and the names that were
    known before it. `batch`: everything in it happens at once."""

    scope: Scope
    called: Callable[[ast.Call], tuple[ast.Call, RuleDecl] | None]
    """Which rule a call means."""
    states: Collection[str]
    """The names of the state."""
    variable: str
    body: Sequence[ast.stmt]
    behind: Sequence[ast.stmt]
    outer: frozenset[str]
    pure: bool
    batch: bool
    derived: set[str] = field(default_factory=set[str])

    def reason(self) -> Reason | None:
        """The first place where the order could show; None if there is none."""
        self.derived = {self.variable}
        nodes = [n for s in self.body for n in ast.walk(s)]
        for _ in range(2):
            for n in nodes:
                if (
                    isinstance(n, ast.Assign | ast.AnnAssign | ast.AugAssign)
                    and n.value is not None
                    and self.depends(n.value)
                ):
                    self.derived |= {x.id for x in targets(n) if isinstance(x, ast.Name)}
        effects = not self.pure and any(self.is_effect(n) for n in nodes)
        written = {f for n in nodes for f in self.shared_writes(n)} if not self.batch else set[str]()
        for n in nodes:
            found = self.seen(n, effects, written)
            if found is not None:
                return n, *found
        return None

    def seen(self, n: ast.AST, effects: bool, written: set[str]) -> tuple[str, str] | None:
        """Why the order shows at this node."""
        match n:
            case ast.Await():
                return "somebody is asked in between", "途中で誰かに選ばせるため"
            case ast.Return(value=value) if effects or (value is not None and self.depends(value)):
                return "the first one found counts", "最初に見つかったものだけが意味を持つため"
            case ast.Raise() if effects:
                return "it stops at the first one found", "最初に見つかった所で止まるため"
            case ast.Break() if effects and n in breaks(self.body):
                return "it stops at the first one found", "最初に見つかった所で止まるため"
            case ast.Assign() | ast.AnnAssign():
                return self.kept(n)
            case ast.Call(func=ast.Name(id="put"), args=[_, zone, *_]) if self.stays_in_order(zone):
                return "they come to lie on a pile", "順番のある山に置かれるため"
            case ast.Call(func=ast.Name(id="finish"), args=[who]) if self.depends(who):
                return "the first one found ends the game", "最初に見つかったものでゲームが終わるため"
            case ast.Call(func=ast.Name(id=name)) if self.piles_up(n, self.stays_in_order):
                return f"`{name}` lays them onto a pile", f"`{name}` で順番のある山に置かれるため"
            case ast.Attribute(attr=name, ctx=ast.Load()) if name in written and self.is_shared_read(n):
                return f"`{name}` is read, and changed on the way", f"途中で変わる `{name}` を読んでいるため"
            case _:
                return None

    # ------------------------------------------------------------ what depends on the loop's variable
    def depends(self, node: ast.AST) -> bool:
        return any(isinstance(x, ast.Name) and x.id in self.derived for x in ast.walk(node))

    def kept(self, n: ast.Assign | ast.AnnAssign) -> tuple[str, str] | None:
        """A value that differs from card to card, kept where the next card overwrites it."""
        if n.value is None or not self.depends(n.value):
            return None
        last = "the last one counts", "最後のものだけが残るため"
        for x in targets(n):
            if isinstance(x, ast.Name) and x.id in self.outer and not joins(x, n.value):
                return last
            if (
                isinstance(x, ast.Attribute | ast.Subscript)
                and not self.own(x)
                and not self.batch
                and not joins(x, n.value)
            ):
                return last
        return None

    def own(self, place: ast.expr) -> bool:
        """Is the place one that belongs to the loop's card alone (`g.card[c]…`)?"""
        return any(
            isinstance(x, ast.Subscript) and any(isinstance(k, ast.Name) and k.id == self.variable for k in keys(x))
            for x in ast.walk(place)
        )

    # ------------------------------------------------------------ what changes
    def is_effect(self, n: ast.AST) -> bool:
        match n:
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                return any(isinstance(x, ast.Attribute | ast.Subscript) for x in targets(n))
            case ast.Call(func=ast.Name(id=name)):
                return name in CHANGES or self.is_step(name)
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in ("add", "remove", "clear", "new", "free")
            case _:
                return False

    def is_step(self, name: str) -> bool:
        rules = self.scope.d.rules
        return name in rules and rules[name].ir_kind == "step"

    def shared_writes(self, n: ast.AST) -> Iterator[str]:
        """Fields that the statement changes for more than the loop's own card; `+=` is judged where it is read."""
        match n:
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                for x in targets(n):
                    if isinstance(x, ast.Attribute | ast.Subscript) and not self.own(x):
                        yield field_of(x)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="add" | "remove" | "clear")):
                yield name
            case ast.Call(func=ast.Name(id="put"), args=[_, zone, *_]):
                yield field_of(zone)
            case _:
                return

    def is_shared_read(self, n: ast.Attribute) -> bool:
        """Is the attribute read for its contents (not as the place of a write, nor as where a card goes)?"""
        for s in self.body:
            for x in ast.walk(s):
                match x:
                    case ast.Call(func=ast.Name(id="put"), args=[_, zone, *_]) if n in ast.walk(zone):
                        return False
                    case ast.Call(func=ast.Attribute(value=value)) if value is n:
                        return False
                    case ast.AugAssign(target=target) if n in ast.walk(target):
                        return False
                    case ast.Assign(targets=[target]) if n in ast.walk(target):
                        return False
                    case ast.Compare(left=ast.Call(func=ast.Name(id="zone_of")), comparators=[zone]) if n in ast.walk(
                        zone
                    ):
                        return False  # where a card lies does not depend on where others go
        return True

    # ------------------------------------------------------------ piles
    def is_pile(self, zone: ast.expr, states: Collection[str]) -> bool:
        """`g.deck[…]`, where `g` is one of the names of the state."""
        while isinstance(zone, ast.Subscript):
            zone = zone.value
        match zone:
            case ast.Attribute(value=ast.Name(id=name), attr=field):
                lies = self.scope.nodes.get(field)
                return name in states and lies is not None and isinstance(zones := unkeyed(lies), Zones) and zones.ordered
            case _:
                return False

    def stays_in_order(self, zone: ast.expr) -> bool:
        """Is it a pile which is not shuffled right behind the loop (or behind the block it ends), nor is every pile of its field?"""
        if not self.is_pile(zone, self.states):
            return False
        piles: list[ast.expr] = []
        for s in self.behind:
            found = list(self.shuffles(s))
            if not found:
                break
            piles += found
            if isinstance(s, ast.For):
                piles += found
        same = [x for x in piles if field_of(x) == field_of(zone)]
        return len(same) <= 1 and not any(ast.unparse(x) == ast.unparse(zone) for x in same)

    def shuffles(self, s: ast.stmt) -> Iterator[ast.expr]:
        """Piles that a statement shuffles: itself, for each player, or through a step."""
        match s:
            case ast.Expr(value=ast.Call(func=ast.Name(id="shuffle"), args=[pile])):
                yield pile
            case ast.For(body=[inner]):
                yield from self.shuffles(inner)
            case ast.Expr(value=ast.Call() as call) if (found := self.called(call)) is not None:
                for x in found[1].reporter.source.nodes(found[1].node):
                    if (
                        isinstance(x, ast.Call)
                        and isinstance(x.func, ast.Name)
                        and x.func.id == "shuffle"
                        and len(x.args) == 1
                    ):
                        yield from (x.args[0], x.args[0])  # its keys have other names there
            case _:
                return

    def piles_up(self, call: ast.Call, onto: Callable[[ast.expr], bool], above: tuple[str, ...] = ()) -> bool:
        """Does the rule (or one that it calls) put a card onto a pile that is named, or given here as a zone (`onto`)?"""
        found = self.called(call)
        if found is None or found[1].name in above or found[1].ir_kind != "step":
            return False
        call, rule = found
        zones = {p for p, a in arguments(call, rule) if onto(a)}

        def is_one(zone: ast.expr) -> bool:
            """In the rule: a pile that it was given, or one that it names."""
            return (isinstance(zone, ast.Name) and zone.id in zones) or self.is_pile(zone, (rule.state,) if rule.state else ())

        for x in rule.reporter.source.nodes(rule.node):
            match x:
                case ast.Call(func=ast.Name(id="put"), args=[_, zone, *_]) if is_one(zone):
                    return True
                case ast.Call() if self.piles_up(x, is_one, (*above, rule.name)):
                    return True
        return False

def breaks(body: Iterable[ast.AST]) -> Iterator[ast.Break]:
    """Each `break` that leaves the loop with this body."""
    for s in body:
        if isinstance(s, ast.Break):
            yield s
        elif not isinstance(s, ast.For | ast.While | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from breaks(ast.iter_child_nodes(s))


def field_of(place: ast.expr) -> str:
    """The name before the keys: `deck` in `g.deck[p]`."""
    while isinstance(place, ast.Subscript):
        place = place.value
    return place.attr if isinstance(place, ast.Attribute) else ""


def targets(n: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[ast.expr]:
    out = list(n.targets) if isinstance(n, ast.Assign) else [n.target]
    return [x for t in out for x in (t.elts if isinstance(t, ast.Tuple) else [t])]


def keys(x: ast.Subscript) -> list[ast.expr]:
    return x.slice.elts if isinstance(x.slice, ast.Tuple) else [x.slice]


def joins(target: ast.expr, value: ast.expr) -> bool:
    """`x = x + …`, `x = max(x, …)`: the order of joining does not show."""
    text = ast.unparse(target)
    match value:
        case ast.BinOp(left=a, op=op, right=b):
            return isinstance(op, COMMUTES) and (
                ast.unparse(a) == text or (not isinstance(op, ast.Sub) and ast.unparse(b) == text)
            )
        case ast.Call(func=ast.Name(id="min" | "max"), args=args):
            return any(ast.unparse(a) == text for a in args)
        case ast.BoolOp(values=values):
            return any(ast.unparse(a) == text for a in values)
        case _:
            return False
