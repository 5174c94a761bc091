"""From the statements of a rule to the code of an IR function."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE
from ..ir.places import Container
from ..ir.program import ContainerInfo
from .blocks import BlockLowering
from .code import Loop
from .order import LoopOrder
from .source import Refused
from .values import Entry, Meaning, Place, Val, Variable


class RuleLowering(BlockLowering):
    """Translates the statements of one rule (or script)."""

    def block(self, body: Sequence[ast.stmt]) -> None:
        behind = self.behind
        for k, s in enumerate(body):
            outer = self.clauses
            own = self.marks(s)
            if own:
                self.clauses = own
            self.behind = [*body[k + 1 :], *behind]
            try:
                self.statement(s)
            except Refused:
                self.give_up(s)
            except RecursionError:
                self.refuse(
                    s, "too-deep", "this is nested too deeply", "入れ子が深すぎます", ("split it", "分けてください")
                )
                self.give_up(s)
            self.clauses = outer
            self.look_whether_to_abandon(s)

    def give_up(self, s: ast.stmt) -> None:
        """A statement was refused: what it would have set is not reported as unknown."""
        self.failed = True
        for n in ast.walk(s):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id not in self.names:
                self.broken.add(n.id)

    # ------------------------------------------------------------ statements by form
    def statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                if self.marks(s):  # a play that comes here cites the clause
                    self.put(ir.Jump(self.here() + 1, at=self.mark(s)))
            case ast.Expr(value=e):
                self.perform(e, None)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(
                values
            ):
                self.assign_several(s, targets, values)
            case ast.Assign(targets=[target], value=value):
                self.assign(s, target, value, None)
            case ast.Assign():
                raise self.refuse(
                    s,
                    "several-targets",
                    "assign to one place at a time",
                    "代入は一つずつ書きます",
                    ("write one line for each", "一行ずつに分けてください"),
                )
            case ast.AnnAssign(target=target, annotation=note, value=value):
                if value is None:
                    raise self.refuse(
                        s,
                        "declared-only",
                        "a local gets its value where it is declared",
                        "変数は宣言と同時に値を入れます",
                        (f"write `{ast.unparse(s)} = …`", f"`{ast.unparse(s)} = …` と書いてください"),
                    )
                self.assign(s, target, value, self.d.type_of(note, self.at))
            case ast.AugAssign(target=target, op=op, value=value):
                self.change(s, target, op, value)
            case ast.If(test=test, body=body, orelse=orelse):
                self.branch(test, body, orelse)
            case ast.While(test=test, body=body, orelse=orelse):
                self.repeat(s, test, body, orelse)
            case ast.For(target=target, iter=over, body=body, orelse=orelse):
                self.go_through(s, target, over, body, orelse)
            case ast.Break() | ast.Continue():
                if not self.loops:
                    raise self.refuse(
                        s,
                        "no-loop",
                        "there is no loop here",
                        "ここは繰り返しの中ではありません",
                        ("use `return` to leave the rule", "規則を終えるなら `return` です"),
                    )
                if self.in_batch and not self.loops[-1].in_batch:
                    raise self.refuse(
                        s,
                        "return-in-batch",
                        "the writes of `simultaneously` happen at its end: leave the loop after it",
                        "`simultaneously` の途中で繰り返しを抜けることはできません",
                        ("put it after the block", "ブロックの後に書いてください"),
                    )
                self.undo(self.loops[-1].depth, s)
                if isinstance(s, ast.Continue):
                    self.put(ir.Jump(self.loops[-1].head, at=self.mark(s)))
                else:
                    self.loops[-1].breaks.append(self.put(ir.Jump(-1, at=self.mark(s))))
            case ast.Return(value=value):
                self.give_back(s, value)
            case ast.Match(subject=subject, cases=cases):
                self.match(s, subject, cases)
            case ast.Raise(exc=exc):
                self.throw(s, exc)
            case ast.Try(body=body, handlers=handlers, orelse=[], finalbody=[]):
                self.attempt(s, body, handlers)
            case ast.With(items=[ast.withitem(context_expr=item, optional_vars=None)], body=body):
                self.with_block(s, item, body)
            case ast.With():
                raise self.refuse(
                    s,
                    "with-form",
                    "one block at a time, without `as`",
                    "with は一つずつ、`as` なしで書きます",
                    ("nest them: one `with` inside the other", "入れ子にしてください"),
                )
            case ast.Try():
                raise self.refuse(
                    s,
                    "try-form",
                    "a try has `except` and nothing else",
                    "try に書けるのは except だけです",
                    (
                        "to put something back on every exit, use `with restored(…):`",
                        "必ず元に戻したいものは `with restored(…):` を使ってください",
                    ),
                )
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                raise self.refuse(
                    s,
                    "nested-rule",
                    "rules are not nested",
                    "規則の中に規則は書けません",
                    ("put it beside this one", "外に並べて書いてください"),
                )
            case ast.Assert():
                raise self.refuse(
                    s,
                    "assert",
                    "there is no assert",
                    "assert はありません",
                    ("write an @invariant", "@invariant を書いてください"),
                )
            case _:
                raise self.unknown_statement(s)

    def unknown_statement(self, s: ast.stmt) -> Refused:
        word = {
            "AsyncFor": "async for",
            "AsyncWith": "async with",
            "Delete": "del",
            "ClassDef": "class",
            "Import": "import",
            "ImportFrom": "import",
            "TryStar": "except*",
        }.get(type(s).__name__, type(s).__name__.lower())
        hints = {
            "del": (
                "cards are moved: `put(card, zone)`; options become `None`",
                "カードは `put(カード, 領域)` で移し、Option は `None` にします",
            ),
            "class": ("put it beside the rules", "規則の外に書いてください"),
            "import": ("put it at the top of the module", "モジュールの先頭に書いてください"),
            "async for": ("write `for … in …` and await inside", "`for … in …` と書き、中で await してください"),
        }
        return self.refuse(
            s,
            "unknown-statement",
            f"`{word}` is outside the rule language",
            f"`{word}` は規則言語にありません",
            hints.get(word, ("what changes in play is a field of the state", "変わるものは状態の項目にしてください")),
        )

    def branch(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        if isinstance(test, ast.Await):
            raise self.refuse(
                test,
                "await-inside",
                "`await` stands alone on the right-hand side",
                "`await` は右辺に単独で書きます",
                (
                    f"write `answer = {ast.unparse(test)}` first, then `if answer:`",
                    f"先に `answer = {ast.unparse(test)}`、次に `if answer:` と書いてください",
                ),
            )
        try:
            condition = self.test(test)
        except Refused:
            self.block(body)  # what is wrong inside is said too
            self.block(orelse)
            raise
        if isinstance(condition, ir.Const):
            self.checked_block(body if condition.value else orelse, orelse if condition.value else body)
            return
        b = self.put(ir.Branch(condition, -1, at=self.mark(test)))
        self.block(body)
        if orelse:
            j = self.put(ir.Jump(-1, at=self.mark(test)))
            self.point(b, self.here())
            self.block(orelse)
            self.point(j, self.here())
        else:
            self.point(b, self.here())

    def checked_block(self, live: Sequence[ast.stmt], dead: Sequence[ast.stmt]) -> None:
        """Translate both, keep the code of the live one: what is constant in this scenario is still checked."""
        code, handlers = list(self.code), list(self.handlers)
        breaks, exits = [list(x.breaks) for x in self.loops], [list(a.exits) for a in self.abandons]
        self.block(dead)
        self.code, self.handlers = code, handlers
        for loop, old in zip(self.loops, breaks, strict=True):
            loop.breaks = old
        for a, old in zip(self.abandons, exits, strict=True):
            a.exits = old
        self.block(live)

    def repeat(self, s: ast.stmt, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        if self.kind != "procedure":
            raise self.refuse(
                s,
                "while-in-step",
                f"a {self.kind} must come to an end by itself, so it has no `while`",
                f"{self.kind} は必ず終わるものなので `while` は使えません",
                ("use `for … in …`, or make it a @procedure", "`for … in …` を使うか、@procedure にしてください"),
            )
        if orelse:
            raise self.refuse(
                orelse[0],
                "loop-else",
                "a loop has no else",
                "繰り返しに else はありません",
                ("put it behind the loop", "繰り返しの後に書いてください"),
            )
        if isinstance(test, ast.Await):
            raise self.refuse(
                test,
                "await-inside",
                "`await` stands alone on the right-hand side",
                "`await` は右辺に単独で書きます",
                (
                    f"write `while True:`, then `answer = {ast.unparse(test)}` and `if not answer: break`",
                    f"`while True:` の中で `answer = {ast.unparse(test)}`、`if not answer: break` と書いてください",
                ),
            )
        head = self.put(ir.Label(at=self.mark(s)))
        try:
            condition = self.test(test)
        except Refused:
            self.failed = True
            condition = TRUE
        self.loops.append(Loop(head, depth=len(self.restores)))
        b = None if condition == TRUE else self.put(ir.Branch(condition, -1, at=self.mark(test)))
        self.behind = ()
        self.block(body)
        self.put(ir.Jump(head, at=self.mark(s)))
        loop = self.loops.pop()
        for k in (*loop.breaks, *(() if b is None else (b,))):
            self.point(k, self.here())

    def go_through(
        self,
        s: ast.stmt,
        target: ast.expr,
        over: ast.expr,
        body: Sequence[ast.stmt],
        orelse: Sequence[ast.stmt],
    ) -> None:
        if orelse:
            raise self.refuse(
                orelse[0],
                "loop-else",
                "a loop has no else",
                "繰り返しに else はありません",
                ("put it behind the loop", "繰り返しの後に書いてください"),
            )
        if not isinstance(target, ast.Name):
            raise self.refuse(
                target,
                "loop-variable",
                "one plain name goes through the set",
                "変数は一つの名前にします",
                ("write `for card in …`", "`for card in …` のように書いてください"),
            )
        if (
            isinstance(over, ast.Call)
            and isinstance(over.func, ast.Name)
            and over.func.id in ("range", "sorted", "list", "enumerate")
        ):
            if over.func.id == "range":
                raise self.refuse(
                    over,
                    "no-range-call",
                    "`range(…)` is outside the language",
                    "`range(…)` はありません",
                    (
                        "go through a named Range: `LANES = Range(1, 5)`, `for n in LANES`",
                        "`LANES = Range(1, 5)` のような範囲に名前を付け、`for n in LANES` と書いてください",
                    ),
                )
            raise self.refuse(
                over,
                "no-lists",
                "there are no lists, tuples or dictionaries",
                "リスト・タプル・辞書はありません",
                ("go through the set itself", "集合をそのまま `for … in …` で調べてください"),
            )
        name = target.id
        try:
            m = self.meaning(over)
            v = (
                None
                if isinstance(m, Place) and isinstance(m.node, Container)
                else self.as_set(self.load(m, over), over)
            )
        except Refused:
            if name not in self.names:
                self.broken.add(name)
            self.block(body)  # what is wrong inside is said too
            raise
        if v is None:
            assert isinstance(m, Place) and isinstance(m.node, Container)
            self.go_through_entries(s, name, m.node.info, over, body)
            return
        inner = v.type.inner if isinstance(v.type, t.SetType) else t.Int(0, 0)
        if inner.role is not t.Role.PLAIN:
            self.order_matters(name, body)
        of = v.type if isinstance(v.type, t.SetType) else t.SetType(inner)
        var = self.new_local(name, inner)
        self.each(s, name, of, v.expr if v.parts else FALSE, var, Variable(inner, (var,)), body)

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
                    n,
                    "loop-over-entries",
                    "entries shift when one is added or removed",
                    "要素は追加・削除で位置が変わるため、順に処理できません",
                    ("let somebody choose one at a time while there are any", "残っている間、一つずつ選ばせてください"),
                )
                break
        self.order_matters(name, body)
        number = t.Int(0, info.capacity - 1)
        var = self.new_local(name, number)
        if info.is_pool:
            ref = t.RefType(f"Ref[{info.type}]", info.capacity, info.name)
            meaning: Meaning | Variable = Val(ref, (ir.Local(var),))
        else:
            meaning = Entry(info.name, info.type, ir.Local(var))
        self.each(s, name, t.SetType(number), self.entries(info.name), var, meaning, body)

    def each(
        self,
        s: ast.stmt,
        name: str,
        of: t.SetType,
        mask: ir.Expr,
        var: int,
        meaning: Meaning | Variable,
        body: Sequence[ast.stmt],
    ) -> None:
        """The loop itself: the members of the mask, taken out one by one."""
        rest = self.new_local(f"rest of {name}", of)
        self.put(ir.Assign(rest, mask, at=self.mark(s)))
        head = self.put(ir.Next(rest, var, of.inner.lo, -1, at=self.mark(s)))
        old = self.names.get(name)
        self.names[name] = meaning
        self.loops.append(Loop(head, depth=len(self.restores), in_batch=self.in_batch))
        self.behind = ()
        self.block(body)
        self.put(ir.Jump(head, at=self.mark(s)))
        loop = self.loops.pop()
        self.point(head, self.here())
        for k in loop.breaks:
            self.point(k, self.here())
        if old is None:
            self.names.pop(name, None)
            self.ended.add(name)
        else:
            self.names[name] = old

    def order_matters(self, name: str, body: Sequence[ast.stmt]) -> None:
        """Refuse to go through cards in an order that nobody chose where the order can be seen."""
        found = LoopOrder(
            self.d,
            self.rule_called,
            self.quiet_meaning,
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
            node,
            "order-undecided",
            f"the order in which these are gone through could matter ({en}), and nobody decides it",
            f"処理する順番が結果に影響しうるのに、決める人がいません（{ja}）",
            hint,
        )

    def quiet_meaning(self, node: ast.expr) -> Meaning | None:
        """What an expression stands for, if it can be told without its loop variable; nothing is reported."""
        root = node
        while isinstance(root, ast.Subscript):
            root = root.value
        if isinstance(root, ast.Attribute) and isinstance(root.value, ast.Name):
            try:
                m = self.field(self.names[root.value.id], root.attr, root)  # pyright: ignore[reportArgumentType]
            except (Refused, KeyError):
                return None
            while isinstance(m, Place) and hasattr(m.node, "of"):
                m = Place(m.node.of, m.keys, m.name)  # pyright: ignore
            return m
        return None
