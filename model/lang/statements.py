"""From the statements of a rule to the code of an IR function."""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ...spec.diagnostics import nearest
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, below, binary, both, either, negate, negated, single
from ..ir.places import Container, Fields, Keyed, Leaf, Zones, linear
from ..ir.program import ContainerInfo, Handler
from .coverage import example
from .expressions import ExpressionLowering, said
from .order import LoopOrder
from .source import Refused, Reporter
from .values import Entry, Meaning, OpenDecider, Place, Val, Variable

SILENCE = ("gap", "conflict", "not_modelled")
EFFECTS = ("put", "shuffle", "renew", "emit", "finish", "gap", "conflict", "not_modelled")
MOST_NUMBERS = 512
"""The greatest number that somebody may name."""
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


class RuleLowering(ExpressionLowering):
    """Translates one rule (or script). `kind` is define, step or procedure; `result` its type."""

    def __init__(
        self, compiler, at: Reporter, name: str, kind: str, result: t.Type,  # noqa: ANN001
        marks: Callable[[ast.AST], tuple[str, ...] | None],
    ) -> None:
        super().__init__(compiler, at, name, kind == "define")
        self.kind = kind
        self.result = result
        self.marks = marks
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

    # ------------------------------------------------------------ code
    def put(self, i: ir.Instr) -> int:
        self.code.append(i)
        return len(self.code) - 1

    def here(self) -> int:
        return len(self.code)

    def point(self, at: int, to: int) -> None:
        """Let the jump at `at` go to `to`."""
        i = self.code[at]
        match i:
            case ir.Branch():
                self.code[at] = replace(i, otherwise=to)
            case ir.Jump():
                self.code[at] = replace(i, target=to)
            case ir.Next():
                self.code[at] = replace(i, done=to)
            case _:
                raise AssertionError(i)

    def block(self, body: Sequence[ast.stmt]) -> None:
        behind = self.behind
        for k, s in enumerate(body):
            outer = self.clauses
            own = self.marks(s)
            if own:
                self.clauses = own
            self.behind = [*body[k + 1:], *behind]
            try:
                self.statement(s)
            except Refused:
                self.give_up(s)
            except RecursionError:
                self.refuse(s, "too-deep", "this is nested too deeply", "入れ子が深すぎます", ("split it", "分けてください"))
                self.give_up(s)
            self.clauses = outer
            self.look_whether_to_abandon(s)

    def give_up(self, s: ast.stmt) -> None:
        """A statement was refused: what it would have set is not reported as unknown."""
        self.failed = True
        for n in ast.walk(s):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id not in self.names:
                self.broken.add(n.id)

    def find_single_assignments(self, node: ast.AST) -> None:
        """See which locals are assigned in several places."""
        seen: set[str] = set()
        for n in ast.walk(node):
            if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name):
                self.many.add(n.target.id)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                (self.many if n.id in seen else seen).add(n.id)

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

    def effect_allowed(self, node: ast.AST, what: str, ja: str = "") -> None:
        if self.kind == "define":
            raise self.refuse(node, "define-changes-state", f"a define looks and changes nothing, and {what} changes the state",
                              f"@define は見るだけで、状態を変えられません（{ja or what}）",
                              ("make it a @step", "@step にしてください"))

    # ------------------------------------------------------------ statements by form
    def statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                if self.marks(s):  # a play that comes here cites the clause
                    self.put(ir.Jump(self.here() + 1, at=self.mark(s)))
            case ast.Expr(value=e):
                self.perform(e, None)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(values):
                self.assign_several(s, targets, values)
            case ast.Assign(targets=[target], value=value):
                self.assign(s, target, value, None)
            case ast.Assign():
                raise self.refuse(s, "several-targets", "assign to one place at a time", "代入は一つずつ書きます",
                                  ("write one line for each", "一行ずつに分けてください"))
            case ast.AnnAssign(target=target, annotation=note, value=value):
                if value is None:
                    raise self.refuse(s, "declared-only", "a local gets its value where it is declared", "変数は宣言と同時に値を入れます",
                                      (f"write `{ast.unparse(s)} = …`", f"`{ast.unparse(s)} = …` と書いてください"))
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
                    raise self.refuse(s, "no-loop", "there is no loop here", "ここは繰り返しの中ではありません",
                                      ("use `return` to leave the rule", "規則を終えるなら `return` です"))
                if self.in_batch and not self.loops[-1].in_batch:
                    raise self.refuse(s, "return-in-batch", "the writes of `simultaneously` happen at its end: leave the loop after it",
                                      "`simultaneously` の途中で繰り返しを抜けることはできません",
                                      ("put it after the block", "ブロックの後に書いてください"))
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
                raise self.refuse(s, "with-form", "one block at a time, without `as`", "with は一つずつ、`as` なしで書きます",
                                  ("nest them: one `with` inside the other", "入れ子にしてください"))
            case ast.Try():
                raise self.refuse(s, "try-form", "a try has `except` and nothing else", "try に書けるのは except だけです",
                                  ("to put something back on every exit, use `with restored(…):`",
                                   "必ず元に戻したいものは `with restored(…):` を使ってください"))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                raise self.refuse(s, "nested-rule", "rules are not nested", "規則の中に規則は書けません", ("put it beside this one", "外に並べて書いてください"))
            case ast.Assert():
                raise self.refuse(s, "assert", "there is no assert", "assert はありません", ("write an @invariant", "@invariant を書いてください"))
            case _:
                raise self.unknown_statement(s)

    def unknown_statement(self, s: ast.stmt) -> Refused:
        word = {"AsyncFor": "async for", "AsyncWith": "async with", "Delete": "del", "ClassDef": "class",
                "Import": "import", "ImportFrom": "import", "TryStar": "except*"}.get(type(s).__name__, type(s).__name__.lower())
        hints = {"del": ("cards are moved: `put(card, zone)`; options become `None`",
                         "カードは `put(カード, 領域)` で移し、Option は `None` にします"),
                 "class": ("put it beside the rules", "規則の外に書いてください"),
                 "import": ("put it at the top of the module", "モジュールの先頭に書いてください"),
                 "async for": ("write `for … in …` and await inside", "`for … in …` と書き、中で await してください")}
        return self.refuse(s, "unknown-statement", f"`{word}` is outside the rule language", f"`{word}` は規則言語にありません",
                           hints.get(word, ("what changes in play is a field of the state", "変わるものは状態の項目にしてください")))

    def branch(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        if isinstance(test, ast.Await):
            raise self.refuse(test, "await-inside", "`await` stands alone on the right-hand side", "`await` は右辺に単独で書きます",
                              (f"write `answer = {ast.unparse(test)}` first, then `if answer:`",
                               f"先に `answer = {ast.unparse(test)}`、次に `if answer:` と書いてください"))
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
            raise self.refuse(s, "while-in-step", f"a {self.kind} must come to an end by itself, so it has no `while`",
                              f"{self.kind} は必ず終わるものなので `while` は使えません",
                              ("use `for … in …`, or make it a @procedure", "`for … in …` を使うか、@procedure にしてください"))
        if orelse:
            raise self.refuse(orelse[0], "loop-else", "a loop has no else", "繰り返しに else はありません",
                              ("put it behind the loop", "繰り返しの後に書いてください"))
        if isinstance(test, ast.Await):
            raise self.refuse(test, "await-inside", "`await` stands alone on the right-hand side", "`await` は右辺に単独で書きます",
                              (f"write `while True:`, then `answer = {ast.unparse(test)}` and `if not answer: break`",
                               f"`while True:` の中で `answer = {ast.unparse(test)}`、`if not answer: break` と書いてください"))
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
        self, s: ast.stmt, target: ast.expr, over: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt],
    ) -> None:
        if orelse:
            raise self.refuse(orelse[0], "loop-else", "a loop has no else", "繰り返しに else はありません",
                              ("put it behind the loop", "繰り返しの後に書いてください"))
        if not isinstance(target, ast.Name):
            raise self.refuse(target, "loop-variable", "one plain name goes through the set", "変数は一つの名前にします",
                              ("write `for card in …`", "`for card in …` のように書いてください"))
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id in ("range", "sorted", "list", "enumerate"):
            if over.func.id == "range":
                raise self.refuse(over, "no-range-call", "`range(…)` is outside the language", "`range(…)` はありません",
                                  ("go through a named Range: `LANES = Range(1, 5)`, `for n in LANES`",
                                   "`LANES = Range(1, 5)` のような範囲に名前を付け、`for n in LANES` と書いてください"))
            raise self.refuse(over, "no-lists", "there are no lists, tuples or dictionaries",
                              "リスト・タプル・辞書はありません",
                              ("go through the set itself", "集合をそのまま `for … in …` で調べてください"))
        name = target.id
        try:
            m = self.meaning(over)
            v = None if isinstance(m, Place) and isinstance(m.node, Container) else self.as_set(self.load(m, over), over)
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
        self, s: ast.stmt, name: str, info: ContainerInfo, over: ast.expr, body: Sequence[ast.stmt],
    ) -> None:
        """Each entry of a multiset or pool, in canonical order; the body must not add to it or take from it."""
        text = ast.unparse(over)
        for n in (x for b in body for x in ast.walk(b)):
            if isinstance(n, ast.Await) or isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and (
                    n.func.attr in ("add", "remove", "clear", "free", "new") and ast.unparse(n.func.value) == text):
                self.failed = True
                self.refuse(n, "loop-over-entries", "entries shift when one is added or removed",
                            "要素は追加・削除で位置が変わるため、順に処理できません",
                            ("let somebody choose one at a time while there are any", "残っている間、一つずつ選ばせてください"))
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
        self, s: ast.stmt, name: str, of: t.SetType, mask: ir.Expr, var: int, meaning: Meaning | Variable,
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
        found = LoopOrder(self.d, self.quiet_meaning, name, body, self.behind, frozenset(self.names), self.kind == "define",
                          self.in_batch).reason()
        if found is None:
            return
        node, en, ja = found
        hint = (f"choose one at a time (`while len(rest) > 0: {name} = await choose(decider, rest)`), or write "
                "`with simultaneously():`",
                f"一つずつ選ばせる（`while len(rest) > 0: {name} = await choose(決める人, rest)`）か、"
                "`with simultaneously():` と書いてください")
        if self.kind == "define":
            hint = ("ask for something that does not depend on the order: any(…), all(…), the(…), max(…)",
                    "順番によらない書き方（any(…), all(…), the(…), max(…)）にしてください")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and "pile" in en:
            hint = ("let somebody choose the order one card at a time, or `shuffle` the pile right behind the loop",
                    "一枚ずつ順番を選ばせるか、繰り返しの直後に山を `shuffle` してください")
        self.failed = True
        self.refuse(node, "order-undecided",
                          f"the order in which these are gone through could matter ({en}), and nobody decides it",
                          f"処理する順番が結果に影響しうるのに、決める人がいません（{ja}）", hint)

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

    # ------------------------------------------------------------ leaving
    def undo(self, depth: int, node: ast.AST) -> None:
        """Put back what open `restored` blocks (from `depth` on) saved."""
        for saved in reversed(self.restores[depth:]):
            self.put_back(saved, node)

    def put_back(self, saved: list[tuple[Leaf, ir.Expr | None, int, int]], node: ast.AST) -> None:
        for leaf, index, count, local in saved:
            self.put(ir.Store(leaf.base, index, count, ir.Local(local), at=self.mark(node)))

    def give_back(self, s: ast.stmt, value: ast.expr | None) -> None:
        if self.in_batch:
            raise self.refuse(s, "return-in-batch", "the writes of `simultaneously` happen at its end: return after it",
                              "`simultaneously` の中では終われません", ("put the return after the block", "return はブロックの後に書いてください"))
        if value is None or (isinstance(value, ast.Constant) and value.value is None and not isinstance(self.result, t.OptionType)):
            if not isinstance(self.result, t.NothingType):
                raise self.refuse(s, "result-missing", f"`{self.name}` gives {said(self.result)}",
                                  f"`{self.name}` は「{said(self.result, True)}」を返します",
                                  ("write the value behind `return`", "`return` の後に値を書いてください"))
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
                if " " in self.name:
                    raise self.refuse(value, "result-unexpected", "what a card does gives no value", "カードの文は値を返しません",
                                      ("write `return` alone", "`return` だけを書いてください"))
                raise self.refuse(value, "result-unexpected", f"`{self.name}` gives nothing", f"`{self.name}` は値を返しません",
                                  ("write its type behind `->`", "`->` の後に型を書いてください"))
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
        name = exc.id if isinstance(exc, ast.Name) else exc.func.id if isinstance(exc, ast.Call) and isinstance(exc.func, ast.Name) else ""
        if name not in self.d.signals:
            raise self.refuse(s, "not-a-signal", "only a Signal is raised", "raise できるのは Signal だけです",
                              ("declare `class PhaseEnds(Signal)` and raise it", "`class PhaseEnds(Signal)` を定義して raise してください"))
        if self.in_batch:
            raise self.refuse(s, "return-in-batch", "the writes of `simultaneously` happen at its end: raise after it",
                              "`simultaneously` の途中で抜けることはできません", ("put the raise after the block", "raise はブロックの後に書いてください"))
        if self.kind != "procedure":
            raise self.refuse(s, "raise-in-step", f"a {self.kind} cannot be left by a signal", f"{self.kind} から Signal は投げられません",
                              ("raise it in the procedure that calls this", "呼び出す手順の側で raise してください"))
        self.put(ir.Throw(name, at=self.mark(s)))

    def attempt(self, s: ast.Try, body: Sequence[ast.stmt], handlers: Sequence[ast.ExceptHandler]) -> None:
        if self.kind != "procedure":
            raise self.refuse(s, "try-in-step", "signals pass through procedures only", "Signal を受けられるのは手順だけです")
        first = self.here()
        self.block(body)
        last = self.here()
        ends = [self.put(ir.Jump(-1, at=self.mark(s)))]
        for h in handlers:
            name = h.type.id if isinstance(h.type, ast.Name) else ""
            if name not in self.d.signals:
                raise self.refuse(h, "not-a-signal", "only a Signal is caught", "受けられるのは Signal だけです",
                                  ("write `except PhaseEnds:`", "`except PhaseEnds:` のように書いてください"))
            if h.name is not None:
                raise self.refuse(h, "except-as", "a signal carries nothing", "Signal は値を運びません",
                                  (f"write `except {name}:`", f"`except {name}:` と書いてください"))
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
                raise self.refuse(item, "abandon-form", "abandon_when takes a condition that is looked at again and again",
                                  "abandon_when には、繰り返し調べる条件を渡します",
                                  ("write `abandon_when(lambda: …)`", "`abandon_when(lambda: …)` と書いてください"))
            case ast.Call(func=ast.Name(id="restored"), args=places) if places:
                self.restore_block(s, places, body)
            case _:
                self.block(body)
                raise self.refuse(item, "unknown-block", "this block is outside the language", "この with は規則言語にありません",
                                  ("use simultaneously(), abandon_when(lambda: …) or restored(…)",
                                   "simultaneously(), abandon_when(lambda: …), restored(…) を使ってください"))

    def abandonable(self, s: ast.With, condition: ast.expr, body: Sequence[ast.stmt]) -> None:
        if self.in_batch:
            self.block(body)
            raise self.refuse(s, "abandon-in-batch", "nothing changes before the end of `simultaneously`, so there is nothing to look for",
                              "`simultaneously` の途中では何も変わらないので、調べる意味がありません",
                              ("put `abandon_when` around it", "`abandon_when` を外側に書いてください"))
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
            raise self.refuse(s, "nested-batch", "this is simultaneous already", "すでに simultaneously の中です",
                              ("drop the inner block", "内側のブロックを取ってください"))
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
                    hint = (f"name its fields one by one: `{ast.unparse(p)}.…`", f"`{ast.unparse(p)}.…` と項目を一つずつ書いてください")
                elif isinstance(m, Place) and isinstance(m.node, Keyed):
                    hint = (f"name one place: `{ast.unparse(p)}[…]`", f"`{ast.unparse(p)}[…]` と場所を一つ書いてください")
                self.refuse(p, "restore-what", "only a single value of the state is restored",
                            "元に戻せるのは状態の一つの値だけです", hint or (
                                "write a field of the state, like `g.turn`", "`g.turn` のような状態の項目を書いてください"))
                self.failed = True
                continue
            index = linear(m.node.keys, [e for _, e in m.keys]) if m.keys else None
            if index is not None and not isinstance(index, ir.Const):
                k = self.new_local("where", t.Int(*self.bounds(index)))
                self.put(ir.Assign(k, index, at=self.mark(p)))
                index = ir.Local(k)
            x = self.new_local("before", m.node.type)
            self.put(ir.Assign(x, self.load(m, p).expr, at=self.mark(p)))
            saved.append((m.node, index, count_of(m.node), x))
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

    # ------------------------------------------------------------ match
    def match(self, s: ast.Match, subject: ast.expr, cases: Sequence[ast.match_case]) -> None:
        try:
            if isinstance(subject, ast.Await) or self.is_step_call(subject):
                x = self.perform(subject, "subject")
                if x is None:
                    raise self.no_value(subject)
                v = self.of_variable(x)
            else:
                v = self.steady(self.value(subject), subject, s)
        except Refused:
            for case in cases:
                self.broken |= {n.name for n in ast.walk(case.pattern) if isinstance(n, ast.MatchAs | ast.MatchStar) and n.name}
                self.block(case.body)
            raise
        ends: list[int] = []
        open_end = True
        for case in cases:
            outer = dict(self.names)
            try:
                test, binds = self.pattern(case.pattern, v)
                self.names.update(binds)
                if case.guard is not None:
                    test = both([test, self.test(case.guard)])
            except Refused:
                self.failed = True
                self.broken |= {n.name for n in ast.walk(case.pattern) if isinstance(n, ast.MatchAs) and n.name is not None
                                and not self.is_constant(n.name)}
                test, binds = TRUE, {}
                open_end = False
            if test == FALSE:  # it cannot come about in this scenario, and is checked all the same
                self.checked_block((), case.body)
                self.names = {**self.names, **outer}
                continue
            b = None if test == TRUE else self.put(ir.Branch(test, -1, at=self.mark(case.pattern)))
            self.block(case.body)
            ends.append(self.put(ir.Jump(-1, at=self.mark(case.pattern))))
            if b is not None:
                self.point(b, self.here())
            self.names = {k: x for k, x in self.names.items() if k in outer or k not in binds}
            self.names.update({k: outer[k] for k in binds if k in outer})
        left = example(cases, v.type) if open_end else None
        if left is not None:
            raise self.refuse(s, "match-not-exhaustive", f"no case covers {left}" if left != "_" else "not every value is covered",
                              f"{left} の場合がありません" if left != "_" else "どの case にも当てはまらない値があります",
                              ("add a case for it; `case _: pass` if nothing happens then",
                               "case を加えてください。何も起こらないなら `case _: pass` です"))
        for k in ends:
            self.point(k, self.here())

    def steady(self, v: Val, node: ast.AST, s: ast.Match) -> Val:
        """The value kept in locals, so that the cases look at it once, and at what it was."""
        changed = {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        moving = {x for name in changed if isinstance(y := self.names.get(name), Variable) for x in y.locals}
        if all(isinstance(p, ir.Const) or (isinstance(p, ir.Local) and p.index not in moving) for p in v.parts):
            return v
        x = self.declare_variable("subject", v.type)
        self.store_variable(x, v, node)
        return self.of_variable(x)

    def pattern(self, p: ast.pattern, v: Val) -> tuple[ir.Expr, dict[str, Meaning | Variable]]:
        """When the pattern fits the value, and what its names then stand for."""
        match p:
            case ast.MatchAs(pattern=None, name=None):
                return TRUE, {}
            case ast.MatchAs(pattern=None, name=str() as name):
                if self.is_constant(name):
                    raise self.refuse(p, "capture-of-constant", f"`case {name}` would fit everything, and call it `{name}`",
                                      f"`case {name}` はどんな値にも当てはまってしまいます",
                                      (f"use `if … == {name}`", f"`if … == {name}` と書いてください"))
                return TRUE, {name: v}
            case ast.MatchAs(pattern=ast.pattern() as q, name=str() as name):
                test, binds = self.pattern(q, v)
                return test, {**binds, name: v}
            case ast.MatchSingleton(value=None):
                if not isinstance(v.type, t.OptionType):
                    raise self.refuse(p, "never-none", "this is never none", "これが「なし」になることはありません")
                return binary("eq", v.expr, ir.Const(v.type.none), self.mark(p)), {}
            case ast.MatchSingleton(value=bool() as b):
                if not isinstance(v.type, t.Bool):
                    raise self.wrong_type(p, t.BOOL, v.type)
                return binary("eq", v.expr, ir.Const(int(b)), self.mark(p)), {}
            case ast.MatchValue(value=ast.Constant(value=str() as alternative)):
                return self.alternative(p, v, alternative), {}
            case ast.MatchValue(value=value):
                w = self.value(value)
                of = self.join(v.type, w.type, p)
                v, w = self.coerce(v, of, p), self.coerce(w, of, p)
                return both([binary("eq", x, y, self.mark(p)) for x, y in zip(v.parts, w.parts, strict=True)]), {}
            case ast.MatchOr(patterns=patterns):
                tests: list[ir.Expr] = []
                for q in patterns:
                    test, binds = self.pattern(q, v)
                    if binds:
                        raise self.refuse(q, "or-pattern", "alternatives of a pattern give no names", "| で並べた形に名前は付けられません")
                    tests.append(test)
                return either(tests, self.mark(p)), {}
            case ast.MatchClass(cls=ast.Name(id=name), patterns=positional, kwd_attrs=keys, kwd_patterns=named):
                return self.record_pattern(p, name, v, positional, dict(zip(keys, named, strict=True)))
            case _:
                raise self.refuse(p, "unknown-pattern", "this pattern is outside the language", "この形の case は規則言語にありません",
                                  ("use a record, a member of an enumeration, None or _", "Record・列挙の構成要素・None・_ を使ってください"))

    def record_pattern(
        self, p: ast.pattern, name: str, v: Val, positional: Sequence[ast.pattern], named: dict[str, ast.pattern],
    ) -> tuple[ir.Expr, dict[str, Meaning | Variable]]:
        match v.type:
            case t.UnionType():
                try:
                    tag, at, record = v.type.offset(name)
                except KeyError:
                    raise self.not_a_variant(p, name, v.type) from None
                tests: list[ir.Expr] = [binary("eq", v.parts[0], ir.Const(tag), self.mark(p))]
                parts = v.parts[at:at + record.width]
            case t.RecordType(name=own) if own == name:
                record, parts, tests = v.type, v.parts, []
            case _:
                raise self.not_a_variant(p, name, v.type)
        if len(positional) > len(record.fields):
            raise self.refuse(p, "argument-extra", f"{name} has {len(record.fields)} field(s)", f"{name} の項目は {len(record.fields)} 個です")
        inner = [(record.fields[k][0], q) for k, q in enumerate(positional)] + list(named.items())
        binds: dict[str, Meaning | Variable] = {}
        for f, q in inner:
            try:
                off, of = record.offset(f)
            except KeyError:
                raise self.d.no_field(q, name, name, f, [n for n, _ in record.fields], self.at) from None
            test, more = self.pattern(q, Val(of, parts[off:off + of.width]))
            tests.append(test)
            binds.update(more)
        return both(tests, self.mark(p)), binds

    def not_a_variant(self, p: ast.pattern, name: str, of: t.Type) -> Refused:
        known = [v.name for v in self.d.variants(of)]
        near = nearest(name, known)
        hint = (f"did you mean `{near}`?", f"`{near}` ではありませんか") if near is not None else (
            (f"it is {' or '.join(known)}", f"あるのは {'、'.join(known)} です") if known else None)
        return self.refuse(p, "not-a-variant", f"this is {said(of)}, never {name}", f"これは「{said(of, True)}」で、{name} にはなりません", hint)

    # ------------------------------------------------------------ assignment
    def declare_variable(self, name: str, of: t.Type) -> Variable:
        return Variable(of, tuple(self.new_local(name, s) for s in of.flat()))

    def store_variable(self, x: Variable, v: Val, node: ast.AST) -> None:
        """Locals := value; parts that read the locals being set are read first."""
        targets = set(x.locals)
        if len(x.locals) > 1 and any(
                isinstance(n, ir.Local) and n.index in targets for p in v.parts for n in walk(p)):
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
                raise self.refuse(node, "untyped-none", "of what could this be none?", "何が「なし」なのか分かりません",
                                  ("write its type: `best: Option[Card] = None`", "型を書いてください: `best: Option[Card] = None`"))
            case t.EmptySetType():
                raise self.refuse(node, "untyped-set", "a set of what?", "何の集合か分かりません",
                                  ("write its type: `found: Set[Card] = set()`", "型を書いてください: `found: Set[Card] = set()`"))
            case _:
                return of

    def result_variable(self, name: str | None, of: t.Type) -> Variable:
        """A fresh variable for the result of something done; a number that is assigned elsewhere too has no range."""
        return self.declare_variable(name or "ignored", t.ANY_INT if isinstance(of, t.Int) and name in self.many else of)

    def assign(self, s: ast.stmt, target: ast.expr, value: ast.expr, declared: t.Type | None) -> None:
        match target:
            case ast.Name(id=name):
                self.assign_local(s, name, value, declared)
            case ast.Attribute() | ast.Subscript():
                self.effect_allowed(s, "this", "状態への代入")
                m = self.meaning(target)
                if isinstance(value, ast.Await) or self.is_step_call(value):
                    x = self.perform(value, "result")
                    if x is None:
                        raise self.no_value(value)
                    v = self.of_variable(x)
                else:
                    v = self.value(value, m.node.type if isinstance(m, Place) and isinstance(m.node, Leaf | Fields) else None)
                self.assign_place(s, m, v, target)
            case _:
                raise self.refuse(target, "assign-where", "assign to a local or to a field of the state", "代入先は変数か状態の項目です")

    def assign_several(self, s: ast.stmt, targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> None:
        """`a, b = x, y`: all values are worked out before anything is assigned."""
        kept: list[str] = []
        for k, v in enumerate(values):
            name = f"part {k} of line {s.lineno}"
            self.names.pop(name, None)
            self.assign_local(s, name, v, None)
            kept.append(name)
        for target, name in zip(targets, kept, strict=True):
            self.assign(s, target, ast.copy_location(ast.Name(name, ast.Load()), s), None)

    def is_constant(self, name: str) -> bool:
        """Does the name stand for something fixed, which a local must not hide?"""
        d = self.d
        return name in ("FIRST", "SECOND", "PLAYERS", "CARDS") or any(
            name in x for x in (d.constants, d.ranges, d.types, d.fields, d.aliases, d.rules))

    def no_value(self, node: ast.expr) -> Refused:
        call = node.value if isinstance(node, ast.Await) else node
        name = ast.unparse(call.func) if isinstance(call, ast.Call) else ast.unparse(call)
        return self.refuse(node, "no-value", f"`{name}` gives no value", f"`{name}` は値を返しません",
                           (f"write the type of its value behind `->` of `{name}`, or drop the assignment",
                            f"`{name}` の `->` の後に値の型を書くか、代入をやめてください"))

    def assign_local(self, s: ast.stmt, name: str, value: ast.expr, declared: t.Type | None) -> None:
        known = self.names.get(name)
        if known is not None and not isinstance(known, Variable):
            raise self.refuse(s, "assign-fixed", f"`{name}` cannot be assigned here", f"`{name}` には代入できません", ("use another name", "別の名前にしてください"))
        if self.is_constant(name):
            raise self.refuse(s, "assign-fixed", f"`{name}` is a constant", f"`{name}` は定数です", ("use another name", "別の名前にしてください"))
        want = declared or (known.type if known is not None else None)
        if isinstance(value, ast.Await) or self.is_step_call(value):
            x = self.perform(value, name)
            if x is None:
                raise self.no_value(value)
            v = self.of_variable(x)
            if want is None:
                self.names[name] = x
                return
        else:
            v = self.value(value, want)
        if declared is not None and known is not None and declared != known.type:
            raise self.refuse(s, "two-types", f"`{name}` is {said(known.type)} already", f"`{name}` はすでに「{said(known.type, True)}」です",
                              ("use another name", "別の名前にしてください"))
        if want is None:
            want = self.local_type(v.type, value)
            if isinstance(want, t.Int) and name in self.many:
                want = t.ANY_INT
        if known is None:
            known = self.declare_variable(name, want)
            self.names[name] = known
            self.broken.discard(name)
        assert isinstance(known, Variable)
        self.store_variable(known, self.coerce(v, known.type, value), s)

    def change(self, s: ast.stmt, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        """`place += value`. What happens to places of the state is an increase (a union …), not a new value: inside
        `simultaneously` several of them add up."""
        if any(isinstance(n, ast.Await) for n in ast.walk(value)):
            raise self.refuse(value, "await-inside", "`await` stands alone on the right-hand side", "`await` は右辺に単独で書きます",
                              ("write `n = await …` first", "先に `n = await …` と書いてください"))
        if not isinstance(target, ast.Name):
            self.effect_allowed(s, "this", "状態への代入")
            m = self.meaning(target)
            of = m.node.type if isinstance(m, Place) and isinstance(m.node, Leaf) else m.type if isinstance(m, Val) else None
            if isinstance(of, t.Int) and isinstance(op, ast.Add | ast.Sub):
                v = self.number(value)
                e = v.expr if isinstance(op, ast.Add) else negated(v.expr, self.mark(value))
                self.store(s, m, Val(of, (e,)), target, "add")
                return
            if isinstance(of, t.SetType) and isinstance(op, ast.BitOr | ast.Sub):
                v = self.as_set(self.value(value, of if isinstance(value, ast.Set | ast.SetComp) else None), value)
                self.store(s, m, self.coerce(v, of, value), target, "union" if isinstance(op, ast.BitOr) else "without")
                return
        read = ast.copy_location(ast.BinOp(as_load(target), op, value), s)
        self.assign(s, target, read, None)

    def assign_place(self, s: ast.stmt, m: Meaning, v: Val, target: ast.expr) -> None:
        match m:
            case Place(node=Leaf(type=of)) | Val(type=of) | Entry(type=of):
                self.store(s, m, self.coerce(v, of, target), target, "set")
            case Place(node=Fields(type=of, nodes=nodes)):
                v = self.coerce(v, of, target)
                at = 0
                for f, n in nodes:
                    width = dict(of.fields)[f].width
                    self.assign_place(s, Place(n, m.keys, f), Val(dict(of.fields)[f], v.parts[at:at + width]), target)
                    at += width
            case Place(node=Zones()):
                raise self.refuse(target, "assign-zone", "cards are moved, zones are not assigned", "領域には代入できません",
                                  ("write `put(card, zone)`", "`put(カード, 領域)` と書いてください"))
            case Place(node=Container()):
                raise self.refuse(target, "assign-container", f"`{ast.unparse(target)}` is not assigned as a whole",
                                  f"`{ast.unparse(target)}` には代入できません",
                                  ("use add(…), remove(…), clear()", "add(…), remove(…), clear() を使ってください"))
            case Place(node=Keyed()):
                raise self.refuse(target, "missing-key", f"`{ast.unparse(target)}` needs a key", f"`{ast.unparse(target)}` に添字が要ります",
                                  (f"write `{ast.unparse(target)}[…] = …`", f"`{ast.unparse(target)}[…] = …` と書いてください"))
            case _:
                raise self.assign_where(target)

    def assign_where(self, target: ast.expr) -> Refused:
        return self.refuse(target, "assign-where", "assign to a local or to a field of the state", "代入先は変数か状態の項目です",
                           ("a record in a local does not change: make a new one", "変数に入れた Record は書き換えられません。新しく作ってください"))

    def store(self, s: ast.stmt, m: Meaning, v: Val, target: ast.expr, op: ir.StoreOp) -> None:
        """Write the scalars of a leaf, or of an entry of a pool."""
        match m:
            case Place(node=Leaf() as leaf):
                index = linear(leaf.keys, [e for _, e in m.keys]) if m.keys else None
                self.put(ir.Store(leaf.base, index, count_of(leaf), v.expr, op, at=self.mark(s)))
            case Val(parts=parts) if parts and all(isinstance(p, ir.Load) and p.index is not None for p in parts):
                for p, x in zip(parts, v.parts, strict=True):
                    assert isinstance(p, ir.Load)
                    info = next((c for c in self.c.layout.containers.values() if p.base in c.columns), None)
                    if info is None:
                        raise self.assign_where(target)
                    if not info.is_pool:
                        raise self.entry_changed(target)
                    self.put(ir.Store(p.base, p.index, p.count, x, op, at=self.mark(s)))
            case Entry(container=name, index=index):
                info = self.c.layout.containers[name]
                if not info.is_pool:
                    raise self.entry_changed(target)
                for c, x in zip(info.columns, v.parts, strict=True):
                    self.put(ir.Store(c, index, info.capacity, x, op, at=self.mark(s)))
            case _:
                raise self.assign_where(target)

    def entry_changed(self, target: ast.expr) -> Refused:
        return self.refuse(target, "entry-changed", "an entry of a multiset is not changed", "Multiset の要素は書き換えません",
                           ("remove it and add the new one", "除いてから新しいものを加えてください"))

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

    def perform(self, e: ast.expr, result: str | None) -> Variable | None:
        """Carry out a call that stands alone; its result, if it has one and is wanted, as a fresh variable."""
        if isinstance(e, ast.Await):
            return self.awaited(e, e.value, result)
        if not isinstance(e, ast.Call):
            self.meaning(e)
            raise self.refuse(e, "no-effect", "this does nothing", "この式は何もしません", ("assign it, or drop it", "代入するか、取り除いてください"))
        match e.func:
            case ast.Name(id=name) if name in self.d.rules:
                decl = self.d.rules[name]
                if decl.ir_kind != "step":
                    if decl.ir_kind == "define":
                        raise self.refuse(e, "no-effect", f"`{name}` changes nothing, so calling it alone does nothing",
                                          f"`{name}` は何も変えないので、単独で呼んでも意味がありません", ("use its value", "値を使ってください"))
                    self.rule_call(e, name)
                self.effect_allowed(e, f"`{name}`")
                args = self.arguments(e, name)
                self.c.need(name)
                x = None if isinstance(decl.result, t.NothingType) else self.result_variable(result, decl.result)
                self.put(ir.Do(name, tuple(p for v in args for p in v.parts), None if x is None else x.locals[0], at=self.mark(e)))
                return x
            case ast.Name(id="judge"):
                return self.judge(e)
            case ast.Name(id=name) if name in EFFECTS:
                if name not in SILENCE:
                    self.effect_allowed(e, f"`{name}`")
                getattr(self, f"do_{name}")(e)
                return None
            case ast.Name(id=name) if name in AWAITED:
                raise self.not_here(e, name)
            case ast.Attribute(value=container, attr=verb):
                return self.container_call(e, container, verb, result)
            case ast.Name(id="when"):
                raise self.refuse(e, "when-place", "`when(…)` is the first statement of an async situation", "`when(…)` は async の situation の最初の文です",
                                  ("move it to the top of the situation", "situation の先頭に移してください"))
            case ast.Name(id="print"):
                raise self.refuse(e, "no-print", "rules show nothing", "規則は何も表示しません", ("look at a play with `rulewright replay`", "`rulewright replay` で見てください"))
            case _:
                self.meaning(e)
                raise self.refuse(e, "no-effect", "this does nothing", "この式は何もしません", ("assign it, or drop it", "代入するか、取り除いてください"))

    def container_call(self, e: ast.Call, container: ast.expr, verb: str, result: str | None) -> Variable | None:
        m = self.meaning(container)
        if not isinstance(m, Place) or not isinstance(m.node, Container):
            raise self.refuse(e, "cannot-call", f"`{ast.unparse(e.func)}` cannot be called", f"`{ast.unparse(e.func)}` は呼び出せません",
                              ("records and zones have no methods: use put(card, zone)", "領域や Record にメソッドはありません。put(カード, 領域) を使ってください"))
        info = m.node.info
        self.effect_allowed(e, f"`{ast.unparse(e.func)}`")
        if verb == "clear" and not info.is_pool:
            self.put(ir.Clear(info.name, at=self.mark(e)))
        elif verb in ("add", "remove") and not info.is_pool:
            (a,) = self.one(e)
            v = self.value(a, info.type)
            self.put((ir.Insert if verb == "add" else ir.Remove)(info.name, v.parts, at=self.mark(e)))
        elif verb == "new" and info.is_pool:
            (a,) = self.one(e)
            if self.in_batch:
                raise self.refuse(e, "new-in-batch", "inside `simultaneously` nothing happens yet, so there is no new entry to refer to",
                                  "`simultaneously` の途中ではまだ何も起こらないので、新しい要素を指せません",
                                  ("make it before the block", "ブロックの前に作ってください"))
            v = self.value(a, info.type)
            x = self.declare_variable(result or "ignored", t.RefType(f"Ref[{info.type}]", info.capacity, info.name))
            self.put(ir.New(info.name, v.parts, x.locals[0], at=self.mark(e)))
            return x
        elif verb == "free" and info.is_pool:
            (a,) = self.one(e)
            self.put(ir.Free(info.name, self.scalar(a, t.RefType(f"Ref[{info.type}]", info.capacity, info.name)), at=self.mark(e)))
        else:
            words = "new, free" if info.is_pool else "add, remove, clear"
            raise self.refuse(e, "no-such-verb", f"`{info.name}` has no `{verb}`", f"`{info.name}` に `{verb}` はありません",
                              (f"it has {words}", f"あるのは {words} です"))
        return None

    def do_put(self, e: ast.Call) -> None:
        top = True
        for k in e.keywords:
            if k.arg == "at" and isinstance(k.value, ast.Name) and k.value.id in ("TOP", "BOTTOM"):
                top = k.value.id == "TOP"
            else:
                raise self.put_form(e)
        if len(e.args) != 2:
            raise self.put_form(e)
        zone = self.meaning(e.args[1])
        if isinstance(zone, Place) and isinstance(zone.node, Zones) and not zone.node.ordered and not top:
            raise self.refuse(e, "no-order", f"`{ast.unparse(e.args[1])}` is a Bag: it has no bottom", f"`{ast.unparse(e.args[1])}` は Bag なので上下がありません",
                              ("make it a Pile", "Pile にしてください"))
        z = self.coerce(self.load(zone, e.args[1]), self.d.zone(), e.args[1]).expr
        self.put(ir.Put(self.scalar(e.args[0], self.d.card), z, top, at=self.mark(e)))

    def put_form(self, e: ast.Call) -> Refused:
        return self.refuse(e, "put-form", "`put` takes a card and a zone, and on a pile the end", "`put` にはカードと領域（山なら上か下か）を渡します",
                           ("write `put(card, zone)` or `put(card, pile, at=BOTTOM)`",
                            "`put(カード, 領域)` か `put(カード, 山, at=BOTTOM)` と書いてください"))

    def do_shuffle(self, e: ast.Call) -> None:
        (z,) = self.one(e)
        self.put(ir.Shuffle(self.pile(z), at=self.mark(e)))

    def do_renew(self, e: ast.Call) -> None:
        (c,) = self.one(e)
        self.put(ir.Renew(self.scalar(c, self.d.card), at=self.mark(e)))

    def do_emit(self, e: ast.Call) -> None:
        (a,) = self.one(e)
        v = self.value(a)
        if not isinstance(v.type, t.RecordType) or v.type.name not in self.d.events:
            raise self.refuse(a, "not-an-event", "only an Event is emitted", "emit できるのは Event だけです",
                              ("derive the class from Event", "クラスの基底を Event にしてください"))
        if self.c.scripts.listened(v.type.name):
            self.put(ir.Do(self.c.scripts.need_event(v.type.name, self.at, e), v.parts, event=True, at=self.mark(e)))

    def do_finish(self, e: ast.Call) -> None:
        if len(e.args) + len(e.keywords) != 1:
            raise self.refuse(e, "argument-count", "`finish` takes the winner, or None", "`finish` には勝者か None を渡します",
                              ("write `finish(winner)`, or `finish(None)` for a draw", "`finish(勝者)`、引き分けなら `finish(None)` と書いてください"))
        a = e.args[0] if e.args else e.keywords[0].value
        w = self.scalar(a, t.OptionType(self.d.player))
        self.put(ir.End("win", w, " ".join(self.clauses), at=self.mark(e)))

    def silent(self, e: ast.Call, kind: ir.EndKind) -> None:
        (a,) = self.one(e)
        if not (isinstance(a, ast.Constant) and isinstance(a.value, str)):
            raise self.refuse(e, "clause-text", "name the clause, as text", "条番号を文字列で書きます",
                              (f'write `{ast.unparse(e.func)}("9.4.3")`', f'`{ast.unparse(e.func)}("9.4.3")` のように書いてください'))
        self.c.check_clause(a.value, a, self.at)
        self.put(ir.End(kind, None, a.value, at=self.mark(e)))

    def do_gap(self, e: ast.Call) -> None:
        self.silent(e, "gap")

    def do_conflict(self, e: ast.Call) -> None:
        self.silent(e, "conflict")

    def do_not_modelled(self, e: ast.Call) -> None:
        self.silent(e, "not modelled")

    def judge(self, e: ast.Call) -> Variable:
        """All verdicts on a question; what none outranks counts; two different ones are a conflict."""
        if self.kind == "define":
            raise self.refuse(e, "judge-in-define", "`judge` can end play in a conflict, and a define changes nothing",
                              "`judge` は衝突で終わることがあるので、@define では使えません",
                              ("make it a @step, or call the verdict itself", "@step にするか、@verdict を直接呼んでください"))
        if len(e.args) != 4 or not (isinstance(e.args[0], ast.Constant) and isinstance(e.args[0].value, str)):
            raise self.refuse(e, "judge-form", "judge is told the question, the state, the subject and the type of the answer",
                              "judge には、問い・状態・対象・答えの型を渡します",
                              ('write `judge("question", g, subject, Type)`', '`judge("問い", g, 対象, 型)` と書いてください'))
        question = e.args[0].value
        verdicts = [r for r in self.d.rules.values() if r.kind == "verdict" and r.subject == question]
        if not verdicts:
            known = dict.fromkeys(r.subject for r in self.d.rules.values() if r.kind == "verdict")
            near = nearest(question, known)
            raise self.refuse(e.args[0], "no-verdicts", f"no verdict pronounces on “{question}”", f"「{question}」について述べる @verdict がありません",
                              (f'did you mean "{near}"?', f'"{near}" ではありませんか') if near is not None else
                              (f'write a `@verdict("{question}")`', f'`@verdict("{question}")` を書いてください'))
        of = self.d.type_of(e.args[3], self.at)
        answer = t.OptionType(of)
        subject = e.args[2]
        given: dict[str, Variable] = {}
        for v in verdicts:
            if len(v.params) != 1:
                raise self.refuse(e, "verdict-subject", f"the verdict `{v.name}` takes the state and one subject", f"@verdict `{v.name}` の引数は状態と対象一つです")
            arg = self.value(subject, v.params[0][1])
            self.c.need(v.name)
            x = self.declare_variable(v.name, answer)
            said = self.coerce(Val(v.result, (ir.Call(v.name, arg.parts, at=self.mark(e)),)), answer, e)
            self.put(ir.Assign(x.locals[0], said.expr, at=self.mark(e)))
            given[v.name] = x
        out = self.declare_variable("verdict", answer)
        self.put(ir.Assign(out.locals[0], ir.Const(answer.none), at=self.mark(e)))
        for name, x in given.items():
            counts = both([binary("ne", ir.Local(x.locals[0]), ir.Const(answer.none)), *(
                binary("eq", ir.Local(given[a].locals[0]), ir.Const(answer.none))
                for a, b in self.d.rankings if b == name and a in given)])
            b1 = self.put(ir.Branch(counts, -1, at=self.mark(e)))
            b2 = self.put(ir.Branch(both([binary("ne", ir.Local(out.locals[0]), ir.Const(answer.none)),
                                          binary("ne", ir.Local(out.locals[0]), ir.Local(x.locals[0]))]), -1, at=self.mark(e)))
            self.put(ir.End("conflict", None, f"verdict:{question}", at=self.mark(e)))
            self.point(b2, self.here())
            self.put(ir.Assign(out.locals[0], ir.Local(x.locals[0]), at=self.mark(e)))
            self.point(b1, self.here())
        return out

    # ------------------------------------------------------------ awaiting
    def awaited(self, node: ast.Await, call: ast.expr, result: str | None) -> Variable | None:
        if self.kind != "procedure":
            raise self.refuse(node, "await-in-step", f"a {self.kind} cannot be interrupted", f"{self.kind} の途中で割り込みは起こりません",
                              ("make it a @procedure (`async def`)", "@procedure（`async def`）にしてください"))
        if self.in_batch:
            raise self.refuse(node, "await-in-batch", "nobody can be asked while things happen at once",
                              "同時に行う処理の途中で選ばせることはできません", ("ask before the block", "ブロックの前に選ばせてください"))
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise self.refuse(node, "await-what", "only a choice or a procedure is awaited", "await できるのは選択か手順だけです",
                              ("drop the `await`", "`await` を取ってください"))
        name = call.func.id
        match name:
            case "choose" | "chance":
                return self.choose(call, name, result)
            case "choose_some":
                return self.choose_some(call, result)
            case "choose_number":
                return self.choose_number(call, result)
            case "may":
                (who,) = self.one(call)
                x = self.result_variable(result or "answer", t.BOOL)
                k = self.new_local("option", t.BOOL)
                offer = ir.Offer((ir.Binder(k, ir.Const(3)),), TRUE, (ir.Local(k),), at=self.mark(call))
                self.put(ir.Choose(self.decider(who), (offer,), x.locals, t.BOOL, at=self.mark(node)))
                return x
            case "run_text" | "run_cost":
                self.run_script(node, call, name)
                return None
            case _:
                pass
        if name not in self.d.rules:
            raise self.d.unknown(call.func, name, self.at)
        decl = self.d.rules[name]
        if decl.ir_kind != "procedure":
            raise self.refuse(node, "needless-await", f"`{name}` is a {decl.kind} and cannot be interrupted", f"`{name}` は {decl.kind} で、割り込みは起こりません",
                              ("drop the `await`", "`await` を取ってください"))
        args = self.arguments(call, name)
        self.c.need(name)
        if decl.result.width > 1:
            raise self.refuse(node, "record-result", f"the procedure `{name}` gives a record", f"手順 `{name}` は Record を返しています",
                              ("keep it in the state, or give one of its fields", "状態に置くか、項目一つを返してください"))
        x = None if isinstance(decl.result, t.NothingType) else self.result_variable(result, decl.result)
        self.put(ir.Invoke(name, tuple(p for v in args for p in v.parts), None if x is None else x.locals[0], at=self.mark(node)))
        return x

    def decider(self, node: ast.expr) -> ir.Owner:
        m = self.meaning(node)
        if isinstance(m, OpenDecider):
            return ir.ByNobody(m.clause, at=self.mark(node))
        return ir.ByPlayer(self.coerce(self.load(m, node), self.d.player, node).expr, at=self.mark(node))

    def choose(self, call: ast.Call, name: str, result: str | None) -> Variable:
        if call.keywords or len(call.args) != (1 if name == "chance" else 2):
            hint = ("write `await chance(options)`", "`await chance(選択肢)` と書いてください")
            if name == "choose":
                hint = ("write `await choose(who, options)`; if the rules do not say who: `OPEN(\"clause\")`",
                        "`await choose(決める人, 選択肢)` と書いてください。決める人が書かれていなければ `OPEN(\"条番号\")` です")
            raise self.refuse(call, "choose-form", "who decides, and between what?" if name == "choose" else "chance is between options",
                              "誰が、何の中から選びますか" if name == "choose" else "chance には選択肢だけを渡します", hint)
        owner = ir.ByChance(at=self.mark(call)) if name == "chance" else self.decider(call.args[0])
        among = call.args[-1]
        if isinstance(among, ast.SetComp | ast.GeneratorExp):
            m = self.comprehension(among, None, offered=True)
        else:
            m = self.meaning(among)
        offers = self.as_offers(m, among)
        if isinstance(offers.type, t.NothingType):
            raise self.refuse(call.args[-1], "no-options", "there is nothing to choose from", "選択肢がありません",
                              ('where the rules leave a player without any option, write gap("clause")',
                               '規則上選べるものがないなら gap("条番号") と書いてください'))
        x = self.result_variable(result or "choice", offers.type)
        fitted = tuple(replace(o, values=self.fit(Val(offers.type, o.values), call.args[-1]).parts) for o in offers.offers)
        self.put(ir.Choose(owner, fitted, x.locals, offers.type, at=self.mark(call)))
        return x

    def choose_some(self, call: ast.Call, result: str | None) -> Variable:
        by_name = {k.arg: k.value for k in call.keywords}
        args = list(call.args) + [by_name.pop(n) for n in ("at_least", "at_most")[max(0, len(call.args) - 2):] if n in by_name]
        if len(args) != 4 or by_name:
            raise self.refuse(call, "choose-form", "who decides, between what, and how many?", "誰が、何の中から、いくつ選びますか",
                              ("write `await choose_some(who, options, at_least=…, at_most=…)`",
                               "`await choose_some(決める人, 選択肢, at_least=…, at_most=…)` と書いてください"))
        v = self.as_set(self.value(args[1]), args[1])
        of = v.type if isinstance(v.type, t.SetType) else t.SetType(t.Int(0, 0))
        x = self.declare_variable(result or "chosen", of)
        self.put(ir.ChooseSome(self.decider(args[0]), v.expr, self.number(args[2]).expr, self.number(args[3]).expr,
                               x.locals[0], of, at=self.mark(call)))
        return x

    def choose_number(self, call: ast.Call, result: str | None) -> Variable:
        by_name = {k.arg: k.value for k in call.keywords}
        args = list(call.args) + [by_name.pop(n) for n in ("at_least", "at_most")[max(0, len(call.args) - 1):] if n in by_name]
        if len(args) != 3 or by_name:
            raise self.refuse(call, "choose-form", "who decides, from which number to which?", "誰が、いくつからいくつまでの数を選びますか",
                              ("write `await choose_number(who, at_least, at_most)`",
                               "`await choose_number(決める人, 下限, 上限)` と書いてください"))
        a, b = self.number(args[1]), self.number(args[2])
        assert isinstance(a.type, t.Int) and isinstance(b.type, t.Int)
        least, most = max(a.type.lo, -MOST_NUMBERS), min(b.type.hi, MOST_NUMBERS)
        if a.type == t.ANY_INT:
            least = max(least, min(0, most))
        lo, hi = (self.fit(Val(t.Int(least, max(least, most)), (v.expr,)), n).expr for v, n in ((a, args[1]), (b, args[2])))
        of = t.Int(least, max(least, most))
        x = self.result_variable(result or "number", of)
        k = self.new_local("option", of)
        width = binary("add", binary("sub", hi, lo), ir.Const(1))
        domain = binary("shift", below(width, self.mark(call)), binary("sub", lo, ir.Const(least)), self.mark(call))
        offer = ir.Offer((ir.Binder(k, domain, least),), TRUE, (ir.Local(k),), at=self.mark(call))
        self.put(ir.Choose(self.decider(args[0]), (offer,), x.locals, of, at=self.mark(call)))
        return x

    def run_script(self, node: ast.Await, call: ast.Call, name: str) -> None:
        from .values import StateRef
        args = [a for a in call.args if not isinstance(self.state_or_none(a), StateRef)]
        if len(args) != (4 if name == "run_text" else 3):
            raise self.refuse(node, "argument-count", f"`{name}` takes {4 if name == 'run_text' else 3} arguments besides the state",
                              f"`{name}` の引数は、状態のほかに {4 if name == 'run_text' else 3} 個です",
                              ("write `await run_text(g, ability, this, you, cause)` or `await run_cost(g, ability, this, you)`",
                               "`await run_text(g, ability, this, you, cause)` か `await run_cost(g, ability, this, you)` と書いてください"))
        a = self.scalar(args[0], self.d.ability)
        this = self.scalar(args[1], t.OptionType(t.ObjType("Obj", self.d.card.count)))
        you = self.scalar(args[2], self.d.player)
        cause = self.value(args[3], self.d.cause).parts if name == "run_text" else ()
        key = "text" if name == "run_text" else "cost"
        if self.c.scripts.having(key):
            self.put(ir.Invoke(self.c.scripts.need_switch(key), (a, this, you, *cause), at=self.mark(node)))


def as_load(target: ast.expr) -> ast.expr:
    """The target of `+=`, to be read."""
    out = ast.parse(ast.unparse(target), mode="eval").body
    for n in ast.walk(out):
        ast.copy_location(n, target)
    return out


def count_of(leaf: Leaf) -> int:
    n = 1
    for k in leaf.keys:
        n *= k.hi - k.lo + 1
    return n


def walk(e: ir.Node):  # noqa: ANN201
    from ..ir.flow import walk as all_nodes
    return all_nodes(e)


__all__ = ["RuleLowering", "single"]
