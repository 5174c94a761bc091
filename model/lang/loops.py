"""Loops: `while`, and `for` through a set, through entries, or in an order that is named.

Could the order in which a loop goes through cards be seen afterwards? Then somebody has to decide it. `LoopOrder` is a rule of thumb on the
text of the loop: asking somebody, leaving the loop at the first card found, keeping the last one, laying cards onto a pile, and reading (also
by a define) what the loop changes for another card all make the order matter. What steps that are called read and change is not looked at
here, but tried in play (`checks/explore/rounds.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, negate, pick
from ..ir.program import ContainerInfo, Zones, unkeyed
from .assigning import AssignLowering
from .code import Loop
from .scope import Scope
from .signatures import RuleDecl, arguments
from .source import Refused
from .values import Meaning, StateRef, Val, container

COMMUTES = (ast.Add, ast.Sub, ast.BitOr, ast.BitAnd, ast.BitXor)
CHANGES = ("put", "shuffle", "renew", "emit", "finish")
Reason = tuple[ast.AST, str, str]
"""Where the order shows, and how (en, ja)."""


class LoopLowering(AssignLowering):
    """Translates loops."""

    def repeat(self, s: ast.stmt, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        self.demand(
            self.kind == "procedure", s, "while-in-step",
            f"a {self.kind} must come to an end by itself, so it has no `while`",
            f"{self.kind} は必ず終わるものなので `while` は使えません",
            ("use `for … in …`, or make it a @procedure", "`for … in …` を使うか、@procedure にしてください"))
        self.refuse_else(orelse)
        head = self.put(ir.Label(at=self.mark(s)))
        try:
            condition = self.test_or_answer(test)
        except Refused:
            self.failed = True
            condition = TRUE
        ends = [] if condition == TRUE else [self.put(ir.Branch(condition, -1, at=self.looked_at(test)))]
        self.go_round(s, Loop(head, ends, len(self.restores)), body)

    def go_round(self, s: ast.stmt, loop: Loop, body: Sequence[ast.stmt]) -> None:
        """The body of a loop, behind which it goes on at its head; and its end, where what leaves it goes on."""
        self.loops.append(loop)
        self.behind = ()
        self.block(body)
        self.put(ir.Jump(loop.head, at=self.mark(s)))
        self.loops.pop()
        self.land(*loop.exits)

    def looked_at(self, test: ast.expr) -> ir.Mark:
        """Where a test stands, and its clauses. To look at an answer is nobody's clause: what gave it cites it."""
        answer = test.operand if isinstance(test, ast.UnaryOp) else test
        return self.at.mark(test) if isinstance(answer, ast.Await) else self.mark(test)

    def test_or_answer(self, test: ast.expr) -> ir.Expr:
        """A condition, which may be what is awaited (`if await may(p):`), or that it is not so."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Await() as answer):
                return negate(self.test_or_answer(answer), self.mark(test))
            case ast.Await():
                return self.truth(self.done_or_value(test, None, "answer"), test)
            case _:
                return self.test(test)

    def refuse_else(self, orelse: Sequence[ast.stmt]) -> None:
        """A loop has no `else`."""
        if orelse:
            raise self.refuse(
                orelse[0], "loop-else", "a loop has no else", "繰り返しに else はありません",
                ("put it behind the loop", "繰り返しの後に書いてください"))

    def go_through(
        self,
        s: ast.stmt, target: ast.expr, over: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt],
    ) -> None:
        self.refuse_else(orelse)
        if not isinstance(target, ast.Name):
            raise self.refuse(
                target, "loop-variable", "one plain name goes through the set", "変数は一つの名前にします",
                ("write `for card in …`", "`for card in …` のように書いてください"))
        name = target.id
        if isinstance(over, ast.Tuple) and over.elts:
            self.go_in_order(s, name, over, body)
            return
        try:
            m = self.meaning(over)
            info = container(m)
            v = Val(t.NOTHING, ()) if info is not None else self.as_set(self.load(m, over), over)
        except Refused:
            if name not in self.names:
                self.broken.add(name)
            self.block(body)  # what is wrong inside is said too
            raise
        if info is not None:
            self.go_through_entries(s, name, info, over, body)
            return
        inner = v.type.inner if isinstance(v.type, t.SetType) else t.Int(0, 0)
        if inner.role is not t.Role.PLAIN:
            self.order_matters(name, over, body)
        elif isinstance(inner, t.PlayerType):
            self.players_are_asked(name, body)
        of = v.type if isinstance(v.type, t.SetType) else t.SetType(inner)
        var = self.declare_variable(name, inner)
        self.each(s, name, of, v.expr if v.parts else FALSE, var.locals[0], var, body)

    def go_in_order(self, s: ast.stmt, name: str, over: ast.Tuple, body: Sequence[ast.stmt]) -> None:
        """Values in the order in which they are written; all are looked up before the first."""
        values = [self.value(e) for e in over.elts]
        of = values[0].type
        for v, e in zip(values[1:], over.elts[1:], strict=True):
            of = self.join(of, v.type, e)
        self.demand(
            of.width == 1 and not isinstance(of, t.NothingType | t.EmptySetType | t.RecordType | t.UnionType), over,
            "order-of-what", "single values are gone through in the order in which they are written",
            "書いた順に処理できるのは、単独の値だけです",
            ("write `for p in (FIRST, SECOND):`, say", "`for p in (FIRST, SECOND):` のように書いてください"))
        parts = [self.coerce(v, of, e).expr for v, e in zip(values, over.elts, strict=True)]
        fixed = [p.value for p in parts if isinstance(p, ir.Const)]
        if len(fixed) == len(parts) and fixed == sorted({*fixed}) and fixed[0] >= 0 and fixed[-1] < 64 and not of.lo:
            var = self.declare_variable(name, of)  # ascending: they are members of a set
            mask = ir.Const(sum(1 << k for k in fixed))
            self.each(s, name, t.SetType(of), mask, var.locals[0], var, body)
            return
        kept: list[ir.Expr] = []
        for p in parts:
            if not isinstance(p, ir.Const):
                x = self.new_local(f"one {name}", of)
                self.put(ir.Assign(x, p, at=self.mark(s)))
                p = ir.Local(x)
            kept.append(p)
        number = t.Int(0, len(kept) - 1)
        k = self.new_local(f"number of {name}", number)
        chosen = kept[-1]
        for n, p in reversed(list(enumerate(kept[:-1]))):
            chosen = pick(binary("eq", ir.Local(k), ir.Const(n)), p, chosen)
        self.each(s, name, t.SetType(number), ir.Const((1 << len(kept)) - 1), k, Val(of, (chosen,)), body)

    def players_are_asked(self, name: str, body: Sequence[ast.stmt]) -> None:
        """Refuse to ask one player after the other where nobody says who comes first."""
        asked = next((n for b in body for n in ast.walk(b) if isinstance(n, ast.Await)), None)
        if asked is None or self.in_batch:
            return
        self.failed = True
        self.refuse(
            asked, "order-of-players",
            "play can be interrupted here, for one player after the other, and nobody says who comes first",
            "プレイヤーごとに割り込みが入りえますが、どちらが先か書かれていません",
            (f"name the order: `for {name} in (g.turn_player, other(g.turn_player)):`, or `in (FIRST, SECOND):`",
             f"順番を書いてください: `for {name} in (g.turn_player, other(g.turn_player)):` か `in (FIRST, SECOND):`"))

    def go_through_entries(
        self,
        s: ast.stmt, name: str, info: ContainerInfo, over: ast.expr, body: Sequence[ast.stmt],
    ) -> None:
        """Each entry of a multiset or pool, in canonical order; the body must not add to it or take from it."""
        shifting = next((
            n for b in body for n in ast.walk(b) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
            and n.func.attr in ("add", "remove", "clear") and ast.unparse(n.func.value) == ast.unparse(over)), None)
        if shifting is not None and not self.in_batch:
            self.failed = True
            self.refuse(
                shifting, "loop-over-entries", "entries shift when one is added or removed",
                "要素は追加・削除で位置が変わるため、順に処理できません",
                ("let somebody choose one at a time while there are any", "残っている間、一つずつ選ばせてください"))
        self.order_matters(name, over, body)
        var, meaning = self.one_of(info, name)
        self.each(s, name, t.SetType(t.Int(0, info.capacity - 1)), self.entries(info), var, meaning, body)

    def each(
        self,
        s: ast.stmt, name: str, of: t.SetType, mask: ir.Expr, var: int, meaning: Meaning, body: Sequence[ast.stmt],
    ) -> None:
        """The loop itself: the members of the mask, taken out one by one."""
        rest = self.new_local(f"rest of {name}", of)
        self.put(ir.Assign(rest, mask, at=self.mark(s)))
        head = self.put(ir.Next(rest, var, of.inner.lo, -1, at=self.mark(s)))
        old = self.names.get(name)
        self.names[name] = meaning
        self.go_round(s, Loop(head, [head], len(self.restores), self.in_batch), body)
        if old is None:
            self.names.pop(name, None)
            self.ended.add(name)
        else:
            self.names[name] = old

    def order_matters(self, name: str, over: ast.expr, body: Sequence[ast.stmt]) -> None:
        """Refuse to go through cards in an order that nobody chose where the order can be seen."""
        states = [x for x, m in self.names.items() if isinstance(m, StateRef)]
        found = LoopOrder(
            self.scope, self.rule_called, states, name, over, body, self.behind, frozenset(self.names),
            self.kind == "define", self.in_batch,
        ).reason()
        if found is None:
            return
        node, en, ja = found
        hint = (
            f"choose one at a time (`while len(rest) > 0: {name} = await choose(decider, rest)`), or write "
            "`with simultaneously():`",
            f"一つずつ選ばせる（`while len(rest) > 0: {name} = await choose(決める人, rest)`）か、"
            "`with simultaneously():` と書いてください",
        )
        if self.kind == "define":
            hint = (
                "ask for something that does not depend on the order: any(…), all(…), the(…), max(…)",
                "順番によらない書き方（any(…), all(…), the(…), max(…)）にしてください",
            )
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and "pile" in en:
            hint = (
                "let somebody choose the order one card at a time, or `shuffle` the pile right behind the loop",
                "一枚ずつ順番を選ばせるか、繰り返しの直後に山を `shuffle` してください",
            )
        self.failed = True
        self.refuse(
            node, "order-undecided",
            f"the order in which these are gone through could matter ({en}), and nobody decides it",
            f"処理する順番が結果に影響しうるのに、決める人がいません（{ja}）", hint)


# ---------------------------------------------------------------- does the order matter?
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
    over: ast.expr
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
        for n in nodes:
            found = self.seen(n, effects)
            if found is not None:
                return n, *found
        read = next(chain(self.counted(nodes), () if self.batch else self.read_and_changed(nodes)), None)
        return read and (
            read[0], f"`{read[1]}` is read, and changed on the way", f"途中で変わる `{read[1]}` を読んでいるため")

    def seen(self, n: ast.AST, effects: bool) -> tuple[str, str] | None:
        """Why the order shows at this node."""
        match n:
            case ast.Await():
                return "somebody is asked in between", "途中で誰かに選ばせるため"
            case ast.Return(value=value) if effects or (value is not None and self.depends(value)):
                return "the first one found counts", "最初に見つかったものだけが意味を持つため"
            case ast.Raise() | ast.Break() if effects and (isinstance(n, ast.Raise) or n in breaks(self.body)):
                return "it stops at the first one found", "最初に見つかった所で止まるため"
            case ast.Assign() | ast.AnnAssign():
                return self.kept(n)
            case ast.Call(func=ast.Name(id="put"), args=[_, zone, *_]) if self.stays_in_order(zone):
                return "they come to lie on a pile", "順番のある山に置かれるため"
            case ast.Call(func=ast.Name(id="finish"), args=[who]) if self.depends(who):
                return "the first one found ends the game", "最初に見つかったものでゲームが終わるため"
            case ast.Call(func=ast.Name(id=name)) if self.piles_up(n, self.stays_in_order):
                return f"`{name}` lays them onto a pile", f"`{name}` で順番のある山に置かれるため"
            case _:
                return None

    # ------------------------------------------------------------ what depends on the loop's variable
    def depends(self, node: ast.AST) -> bool:
        return any(isinstance(x, ast.Name) and x.id in self.derived for x in ast.walk(node))

    def kept(self, n: ast.Assign | ast.AnnAssign) -> tuple[str, str] | None:
        """A value that differs from card to card, kept where the next card overwrites it."""
        if n.value is None or not self.depends(n.value):
            return None
        for x in targets(n):
            overwritten = x.id in self.outer if isinstance(x, ast.Name) else not self.own(x) and not self.batch
            if overwritten and not joins(x, n.value):
                return "the last one counts", "最後のものだけが残るため"
        return None

    def own(self, place: ast.expr) -> bool:
        """Is the place one that belongs to the loop's card alone (`g.card[c]…`)?"""
        return any(
            isinstance(x, ast.Subscript) and any(isinstance(k, ast.Name) and k.id == self.variable for k in keys(x))
            for x in ast.walk(place)
        )

    # ------------------------------------------------------------ what changes
    def is_effect(self, n: ast.AST) -> bool:
        called = n.func.id if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) else ""
        return (any(isinstance(x, ast.Attribute | ast.Subscript) for x in changed_by(n)) or called in CHANGES
                or (called in self.scope.d.rules and self.scope.d.rules[called].ir_kind == "step"))

    def counted(self, nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
        """Names from before the loop that are changed in a round and looked at in another; of the least and the greatest that is no matter."""
        changed = [
            (x.id, n) for n in nodes if isinstance(n, ast.Assign | ast.AugAssign)
            for x in targets(n) if isinstance(x, ast.Name) and x.id in self.outer]
        joined = {id(x) for name, n in changed if joins(ast.Name(name), n.value) for x in ast.walk(n.value)}
        names = {name for name, n in changed if not isinstance(n.value, ast.Call) or id(n.value) not in joined}
        yield from (
            (n, n.id) for n in nodes
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in names and id(n) not in joined)

    def read_and_changed(self, nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
        """What the round of one card changes and that of another reads."""
        zones = {name for name, lies in self.scope.nodes.items() if isinstance(unkeyed(lies), Zones)}
        left = zones & {x.attr for x in ast.walk(self.over) if isinstance(x, ast.Attribute)} or zones
        own = of_the_card(nodes, {self.variable})
        changed = {
            (name, id(x) in own) for n in nodes for x in map(innermost, changed_by(n)) if isinstance(x, ast.Attribute)
            for name in ([x.attr] if x.attr else left)}
        if changed:
            yield from (
                (n, field) for n, field, own in self.read(nodes, {self.variable}, set())
                if (field, False) in changed or (not own and (field, True) in changed))

    def read(
        self, nodes: Sequence[ast.AST], cards: Set[str], seen: set[tuple[str, frozenset[str]]],
    ) -> Iterator[tuple[ast.AST, str, bool]]:
        """The fields that are read, and where: which, and whether of the loop's card alone (its names here are `cards`). What a define reads
        is read where it is called."""
        own = of_the_card(nodes, cards)
        elsewhere = {id(innermost(place)) for n in nodes for place in changed_by(n)} | {
            id(innermost(n.comparators[0])) for n in nodes  # where a card lies does not depend on where others go
            if isinstance(n, ast.Compare) and isinstance(n.left, ast.Call) and ast.unparse(n.left.func) == "zone_of"}
        for n in nodes:
            if isinstance(n, ast.Call) and (found := self.called(n)) and found[1].ir_kind == "define":
                rule = found[1]
                given = frozenset(p for p, a in arguments(*found) if is_one_of(cards, a))
                if (rule.name, given) not in seen:
                    seen.add((rule.name, given))
                    there = self.read(rule.reporter.source.nodes(rule.node), given, seen)
                    yield from ((n, *x[1:]) for x in there)
        yield from (
            (n, n.attr, id(n) in own) for n in nodes
            if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load) and id(n) not in elsewhere)

    # ------------------------------------------------------------ piles
    def is_pile(self, zone: ast.expr, states: Collection[str]) -> bool:
        """`g.deck[…]`, where `g` is one of the names of the state."""
        x = innermost(zone)
        return (isinstance(x, ast.Attribute) and isinstance(x.value, ast.Name) and x.value.id in states
                and x.attr in self.scope.nodes and isinstance(zones := unkeyed(self.scope.nodes[x.attr]), Zones)
                and zones.ordered)

    def stays_in_order(self, zone: ast.expr) -> bool:
        """Is it a pile which is not shuffled right behind the loop (or behind the block it ends), nor is every pile of its field?"""
        if not self.is_pile(zone, self.states):
            return False
        piles: list[ast.expr] = []
        for s in self.behind:
            found = list(self.shuffles(s))
            if not found:
                break
            piles += found * 2 if isinstance(s, ast.For) else found
        fields = [getattr(innermost(x), "attr", "") for x in (zone, *piles)]
        same = [x for x, name in zip(piles, fields[1:], strict=True) if name == fields[0]]
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

    def piles_up(self, call: ast.Call, onto: Callable[[ast.expr], bool], above: tuple[str, ...] = ()) -> bool:
        """Does the rule (or one that it calls) put a card onto a pile that is named, or given here as a zone (`onto`)?"""
        found = self.called(call)
        if found is None or found[1].name in above or found[1].ir_kind != "step":
            return False
        call, rule = found
        zones = {p for p, a in arguments(call, rule) if onto(a)}

        def is_one(zone: ast.expr) -> bool:
            """In the rule: a pile that it was given, or one that it names."""
            states = (rule.state,) if rule.state else ()
            return (isinstance(zone, ast.Name) and zone.id in zones) or self.is_pile(zone, states)

        for x in rule.reporter.source.nodes(rule.node):
            match x:
                case ast.Call(func=ast.Name(id="put"), args=[_, zone, *_]) if is_one(zone):
                    return True
                case ast.Call() if self.piles_up(x, is_one, (*above, rule.name)):
                    return True
        return False


def is_one_of(cards: Container[str], *those: ast.AST) -> bool:
    """Are they all names of the loop's card?"""
    return all(isinstance(x, ast.Name) and x.id in cards for x in those)


def of_the_card(nodes: Sequence[ast.AST], cards: Container[str]) -> set[int]:
    """The places (their ids) that are of the loop's card alone: `g.wick[c]`, `g.card[c].power`, `c in g.seen`, `g.seen |= {c}`, `g.seen.add(c)`."""
    own = {id(innermost(x)) for x in nodes if isinstance(x, ast.Subscript)
           if any(is_one_of(cards, key) for key in keys(x))}
    keyed = frozenset(own)
    for x in nodes:
        match x:
            case ast.Attribute(value=of) if id(innermost(of)) in keyed or is_one_of(cards, of):
                own.add(id(x))
            case ast.Compare(left=c, ops=[ast.In() | ast.NotIn(), *_], comparators=[of, *_]) if is_one_of(cards, c):
                own.add(id(innermost(of)))
            case ast.AugAssign(target=of, value=ast.Set(elts=those)) if is_one_of(cards, *those):
                own.add(id(innermost(of)))
            case ast.Call(func=ast.Attribute(value=of), args=[_, *_] as those) if is_one_of(cards, *those):
                own.add(id(of))
    return own


def breaks(body: Iterable[ast.AST]) -> Iterator[ast.Break]:
    """Each `break` that leaves the loop with this body."""
    for s in body:
        if isinstance(s, ast.Break):
            yield s
        elif not isinstance(s, ast.For | ast.While | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from breaks(ast.iter_child_nodes(s))


def changed_by(n: ast.AST) -> list[ast.expr]:
    """The places that are changed here; with no name: where a card lay."""
    match n:
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return targets(n)
        case ast.Call(func=ast.Attribute(value=x, attr="add" | "remove" | "clear" | "new" | "free")):
            return [x]
        case ast.Call(func=ast.Name(id="put"), args=[_, zone, *_]):
            return [zone, ast.Attribute(zone, "", ast.Store())]
        case _:
            return []


def innermost(place: ast.expr) -> ast.expr:
    """What stands before the keys: `g.deck` in `g.deck[p]`."""
    while isinstance(place, ast.Subscript):
        place = place.value
    return place


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
