"""Blocks that do something at their end: `with`, `try`; and what has to be put back on leaving them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import negate
from ..ir.program import Fields, Handler, Keyed, Leaf, linear
from .assigning import AssignLowering
from .code import Abandon
from .source import Refused
from .values import Place, Val, said


class BlockLowering(AssignLowering):
    """Translates `with`, `try`, `raise` and `return`."""

    def look_whether_to_abandon(self, s: ast.stmt) -> None:
        """After a statement: leave each enclosing `abandon_when` whose condition holds, restoring what is to be."""
        if self.in_batch or isinstance(s, ast.Return | ast.Raise | ast.Break | ast.Continue):
            return
        for a in self.abandons:
            try:
                condition = self.test(a.condition)
            except Refused:
                continue  # reported where the block begins
            if len(self.restores) == a.depth:
                a.exits.append(self.put(ir.Branch(negate(condition), -1, at=self.mark(s))))
                continue
            on = self.put(ir.Branch(condition, -1, at=self.mark(s)))
            self.undo(a.depth, s)
            a.exits.append(self.put(ir.Jump(-1, at=self.mark(s))))
            self.point(on, self.here())

    # ------------------------------------------------------------ leaving
    def undo(self, depth: int, node: ast.AST) -> None:
        """Put back what open `restored` blocks (from `depth` on) saved."""
        for saved in reversed(self.restores[depth:]):
            self.put_back(saved, node)

    def put_back(self, saved: list[tuple[Leaf, ir.Expr | None, int, int]], node: ast.AST) -> None:
        for leaf, index, count, local in saved:
            self.put(ir.Store(leaf.base, index, count, ir.Local(local), at=self.mark(node)))

    def give_back(self, s: ast.stmt, value: ast.expr | None) -> None:
        self.demand(
            not self.in_batch,
            s,
            "return-in-batch",
            "the writes of `simultaneously` happen at its end: return after it",
            "`simultaneously` の中では終われません",
            ("put the return after the block", "return はブロックの後に書いてください"),
        )
        if value is None or (
            isinstance(value, ast.Constant) and value.value is None and not isinstance(self.result, t.OptionType)
        ):
            if not isinstance(self.result, t.NothingType):
                raise self.refuse(
                    s,
                    "result-missing",
                    f"`{self.name}` gives {said(self.result)}",
                    f"`{self.name}` は「{said(self.result, True)}」を返します",
                    ("write the value behind `return`", "`return` の後に値を書いてください"),
                )
            self.undo(0, s)
            self.put(ir.Return(at=self.mark(s)))
            return
        if isinstance(value, ast.Await) or self.is_step_call(value):
            x = self.perform(value, "result")
            v = Val(t.NOTHING, ()) if x is None else self.of_variable(x)
        else:
            v = self.value(value, None if isinstance(self.result, t.NothingType) else self.result)
        if isinstance(self.result, t.NothingType):
            if v.parts:
                self.demand(
                    " " not in self.name,
                    value,
                    "result-unexpected",
                    "what a card does gives no value",
                    "カードの文は値を返しません",
                    ("write `return` alone", "`return` だけを書いてください"),
                )
                raise self.refuse(
                    value,
                    "result-unexpected",
                    f"`{self.name}` gives nothing",
                    f"`{self.name}` は値を返しません",
                    ("write its type behind `->`", "`->` の後に型を書いてください"),
                )
            self.undo(0, s)
            self.put(ir.Return(at=self.mark(s)))
            return
        v = self.fit(self.coerce(v, self.result, value), value)
        if self.restores:
            keep = self.new_local("result", v.type)
            self.put(ir.Assign(keep, v.expr, at=self.mark(s)))
            v = Val(v.type, (ir.Local(keep),))
            self.undo(0, s)
        self.put(ir.Return(v.expr, at=self.mark(s)))

    def throw(self, s: ast.stmt, exc: ast.expr | None) -> None:
        name = (
            exc.id
            if isinstance(exc, ast.Name)
            else exc.func.id
            if isinstance(exc, ast.Call) and isinstance(exc.func, ast.Name)
            else ""
        )
        self.demand(
            name in self.d.signals,
            s,
            "not-a-signal",
            "only a Signal is raised",
            "raise できるのは Signal だけです",
            (
                "declare `class PhaseEnds(Signal)` and raise it",
                "`class PhaseEnds(Signal)` を定義して raise してください",
            ),
        )
        self.demand(
            not self.in_batch,
            s,
            "return-in-batch",
            "the writes of `simultaneously` happen at its end: raise after it",
            "`simultaneously` の途中で抜けることはできません",
            ("put the raise after the block", "raise はブロックの後に書いてください"),
        )
        self.demand(
            self.kind == "procedure",
            s,
            "raise-in-step",
            f"a {self.kind} cannot be left by a signal",
            f"{self.kind} から Signal は投げられません",
            ("raise it in the procedure that calls this", "呼び出す手順の側で raise してください"),
        )
        self.put(ir.Throw(name, at=self.mark(s)))

    def attempt(self, s: ast.Try, body: Sequence[ast.stmt], handlers: Sequence[ast.ExceptHandler]) -> None:
        self.demand(
            self.kind == "procedure",
            s, "try-in-step", "signals pass through procedures only", "Signal を受けられるのは手順だけです"
        )
        first = self.here()
        self.block(body)
        last = self.here()
        ends = [self.put(ir.Jump(-1, at=self.mark(s)))]
        for h in handlers:
            name = h.type.id if isinstance(h.type, ast.Name) else ""
            self.demand(
                name in self.d.signals,
                h,
                "not-a-signal",
                "only a Signal is caught",
                "受けられるのは Signal だけです",
                ("write `except PhaseEnds:`", "`except PhaseEnds:` のように書いてください"),
            )
            self.demand(
                h.name is None,
                h,
                "except-as",
                "a signal carries nothing",
                "Signal は値を運びません",
                (f"write `except {name}:`", f"`except {name}:` と書いてください"),
            )
            self.handlers.append(Handler(first, last, name, self.here()))
            self.block(h.body)
            ends.append(self.put(ir.Jump(-1, at=self.mark(h))))
        for k in ends:
            self.point(k, self.here())

    # ------------------------------------------------------------ blocks
    def with_block(self, s: ast.With, item: ast.expr, body: Sequence[ast.stmt]) -> None:
        match item:
            case ast.Call(func=ast.Name(id="simultaneously"), args=[]):
                self.batch(s, body)
            case ast.Call(func=ast.Name(id="abandon_when"), args=[ast.Lambda(body=condition)]):
                self.abandonable(s, condition, body)
            case ast.Call(func=ast.Name(id="abandon_when")):
                self.block(body)
                raise self.refuse(
                    item,
                    "abandon-form",
                    "abandon_when takes a condition that is looked at again and again",
                    "abandon_when には、繰り返し調べる条件を渡します",
                    ("write `abandon_when(lambda: …)`", "`abandon_when(lambda: …)` と書いてください"),
                )
            case ast.Call(func=ast.Name(id="restored"), args=places) if places:
                self.restore_block(s, places, body)
            case _:
                self.block(body)
                raise self.refuse(
                    item,
                    "unknown-block",
                    "this block is outside the language",
                    "この with は規則言語にありません",
                    (
                        "use simultaneously(), abandon_when(lambda: …) or restored(…)",
                        "simultaneously(), abandon_when(lambda: …), restored(…) を使ってください",
                    ),
                )

    def abandonable(self, s: ast.With, condition: ast.expr, body: Sequence[ast.stmt]) -> None:
        if self.in_batch:
            self.block(body)
            raise self.refuse(
                s,
                "abandon-in-batch",
                "nothing changes before the end of `simultaneously`, so there is nothing to look for",
                "`simultaneously` の途中では何も変わらないので、調べる意味がありません",
                ("put `abandon_when` around it", "`abandon_when` を外側に書いてください"),
            )
        try:
            self.test(condition)
        except Refused:
            self.failed = True
        a = Abandon(condition, depth=len(self.restores))
        self.abandons.append(a)
        self.block(body)
        self.abandons.pop()
        for k in a.exits:
            self.point(k, self.here())

    def batch(self, s: ast.With, body: Sequence[ast.stmt]) -> None:
        self.effect_allowed(s, "`simultaneously`")
        if self.in_batch:
            self.block(body)
            raise self.refuse(
                s,
                "nested-batch",
                "this is simultaneous already",
                "すでに simultaneously の中です",
                ("drop the inner block", "内側のブロックを取ってください"),
            )
        self.put(ir.BatchBegin(at=self.mark(s)))
        self.in_batch = True
        self.block(body)
        self.in_batch = False
        self.put(ir.BatchEnd(at=self.mark(s)))

    def restore_block(self, s: ast.With, places: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        self.effect_allowed(s, "`restored`")
        saved: list[tuple[Leaf, ir.Expr | None, int, int]] = []
        for p in places:
            m = self.meaning(p)
            if not isinstance(m, Place) or not isinstance(m.node, Leaf):
                hint = None
                if isinstance(m, Place) and isinstance(m.node, Fields):
                    hint = (
                        f"name its fields one by one: `{ast.unparse(p)}.…`",
                        f"`{ast.unparse(p)}.…` と項目を一つずつ書いてください",
                    )
                elif isinstance(m, Place) and isinstance(m.node, Keyed):
                    hint = (
                        f"name one place: `{ast.unparse(p)}[…]`",
                        f"`{ast.unparse(p)}[…]` と場所を一つ書いてください",
                    )
                self.refuse(
                    p,
                    "restore-what",
                    "only a single value of the state is restored",
                    "元に戻せるのは状態の一つの値だけです",
                    hint
                    or ("write a field of the state, like `g.turn`", "`g.turn` のような状態の項目を書いてください"),
                )
                self.failed = True
                continue
            index = linear(m.node.keys, [e for _, e in m.keys]) if m.keys else None
            if index is not None and not isinstance(index, ir.Const):
                k = self.new_local("where", t.Int(*self.bounds(index)))
                self.put(ir.Assign(k, index, at=self.mark(p)))
                index = ir.Local(k)
            x = self.new_local("before", m.node.type)
            self.put(ir.Assign(x, self.load(m, p).expr, at=self.mark(p)))
            saved.append((m.node, index, m.node.count, x))
        self.restores.append(saved)
        first = self.here()
        self.block(body)
        last = self.here()
        self.restores.pop()
        self.put_back(saved, s)
        if self.kind != "procedure" or not any(isinstance(n, ast.Await | ast.Raise) for b in body for n in ast.walk(b)):
            return
        over = self.put(ir.Jump(-1, at=self.mark(s)))
        for signal in self.d.signals:
            self.handlers.append(Handler(first, last, signal, self.here()))
            self.put_back(saved, s)
            self.put(ir.Throw(signal, at=self.mark(s)))
        self.point(over, self.here())
