"""Loops: `while`, and `for` through a set, through entries, or in an order that is named."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, negate, pick
from ..ir.program import ContainerInfo
from .assigning import AssignLowering
from .code import Loop
from .order import LoopOrder
from .source import Refused
from .values import Meaning, StateRef, Val, container


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
        s: ast.stmt,
        target: ast.expr,
        over: ast.expr,
        body: Sequence[ast.stmt],
        orelse: Sequence[ast.stmt],
    ) -> None:
        self.refuse_else(orelse)
        if not isinstance(target, ast.Name):
            raise self.refuse(
                target, "loop-variable", "one plain name goes through the set", "変数は一つの名前にします",
                ("write `for card in …`", "`for card in …` のように書いてください"))
        if (
            isinstance(over, ast.Call)
            and isinstance(over.func, ast.Name)
            and over.func.id in ("range", "sorted", "list", "enumerate")
        ):
            self.demand(
                over.func.id != "range", over, "no-range-call", "`range(…)` is outside the language",
                "`range(…)` はありません",
                ("go through a named Range: `LANES = Range(1, 5)`, `for n in LANES`", "`LANES = Range(1, 5)` のような範囲に名前を付け、`for n in LANES` と書いてください"))
            raise self.refuse(
                over, "no-lists", "there are no lists, tuples or dictionaries", "リスト・タプル・辞書はありません",
                ("go through the set itself", "集合をそのまま `for … in …` で調べてください"))
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
            self.order_matters(name, body)
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
            (f"name the order: `for {name} in (g.turn_player, other(g.turn_player)):`, or `in (FIRST, SECOND):`", f"順番を書いてください: `for {name} in (g.turn_player, other(g.turn_player)):` か `in (FIRST, SECOND):`"))

    def go_through_entries(
        self,
        s: ast.stmt,
        name: str,
        info: ContainerInfo,
        over: ast.expr,
        body: Sequence[ast.stmt],
    ) -> None:
        """Each entry of a multiset or pool, in canonical order; the body must not add to it or take from it."""
        text = ast.unparse(over)
        for n in (x for b in body for x in ast.walk(b)):
            if (
                isinstance(n, ast.Call)
                and isinstance(n.func, ast.Attribute)
                and not self.in_batch
                and (n.func.attr in ("add", "remove", "clear") and ast.unparse(n.func.value) == text)
            ):
                self.failed = True
                self.refuse(
                    n, "loop-over-entries", "entries shift when one is added or removed",
                    "要素は追加・削除で位置が変わるため、順に処理できません",
                    ("let somebody choose one at a time while there are any", "残っている間、一つずつ選ばせてください"))
                break
        self.order_matters(name, body)
        var, meaning = self.one_of(info, name)
        self.each(s, name, t.SetType(t.Int(0, info.capacity - 1)), self.entries(info), var, meaning, body)

    def each(
        self,
        s: ast.stmt,
        name: str,
        of: t.SetType,
        mask: ir.Expr,
        var: int,
        meaning: Meaning,
        body: Sequence[ast.stmt],
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

    def order_matters(self, name: str, body: Sequence[ast.stmt]) -> None:
        """Refuse to go through cards in an order that nobody chose where the order can be seen."""
        found = LoopOrder(
            self.scope,
            self.rule_called,
            [x for x, m in self.names.items() if isinstance(m, StateRef)],
            name,
            body,
            self.behind,
            frozenset(self.names),
            self.kind == "define",
            self.in_batch,
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

