"""From the statements of a rule to the code of an IR function; blocks that do something at their end, and what has to be put back on leaving them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import negate
from ..ir.program import Fields, Handler, Keyed, Leaf, linear, size
from .code import Abandon
from .loops import LoopLowering
from .source import Refused
from .values import Meaning, Place, Val, said

Asking = ast.Expr | ast.Assign | ast.AnnAssign | ast.Return


class RuleLowering(LoopLowering):
    """Translates the statements of one rule (or script)."""

    def block(self, body: Sequence[ast.stmt]) -> None:
        behind = self.behind
        for k, s in enumerate(body):
            outer = self.clauses
            self.clauses = self.marks(s) or outer
            self.behind = [*body[k + 1 :], *behind]
            try:
                self.statement(s)
            except Refused:
                self.give_up(s)
            except RecursionError:
                self.refuse(
                    s, "too-deep", "this is nested too deeply", "入れ子が深すぎます", ("split it", "分けてください"))
                self.give_up(s)
            self.clauses = outer
            self.look_whether_to_abandon(s)

    def give_up(self, s: ast.stmt) -> None:
        """A statement was refused: what it would have set is not reported as unknown."""
        self.failed = True
        self.broken.update(
            n.id for n in ast.walk(s)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id not in self.names)

    # ------------------------------------------------------------ statements by form
    def statement(self, s: ast.stmt) -> None:
        apart = by_decider(s, self.marks(s))
        if apart is not None:
            self.clauses = ()  # to look whether somebody is named is nobody's clause
            self.branch(apart.test, apart.body, apart.orelse)
            return
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
                    s, "several-targets", "assign to one place at a time", "代入は一つずつ書きます",
                    ("write one line for each", "一行ずつに分けてください"))
            case ast.AnnAssign(target=target, annotation=note, value=value):
                if value is None:
                    raise self.refuse(
                        s, "declared-only", "a local gets its value where it is declared", "変数は宣言と同時に値を入れます",
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
                self.demand(
                    self.loops, s, "no-loop", "there is no loop here", "ここは繰り返しの中ではありません",
                    ("use `return` to leave the rule", "規則を終えるなら `return` です"))
                self.demand(
                    not self.in_batch or self.loops[-1].in_batch, s, "return-in-batch",
                    "the writes of `simultaneously` happen at its end: leave the loop after it",
                    "`simultaneously` の途中で繰り返しを抜けることはできません", ("put it after the block", "ブロックの後に書いてください"))
                self.undo(self.loops[-1].depth, s)
                if isinstance(s, ast.Continue):
                    self.put(ir.Jump(self.loops[-1].head, at=self.mark(s)))
                else:
                    self.loops[-1].exits.append(self.put(ir.Jump(-1, at=self.mark(s))))
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
                    s, "with-form", "one block at a time, without `as`", "with は一つずつ、`as` なしで書きます",
                    ("nest them: one `with` inside the other", "入れ子にしてください"))
            case ast.Try():
                raise self.refuse(
                    s, "try-form", "a try has `except` and nothing else", "try に書けるのは except だけです",
                    ("to put something back on every exit, use `with restored(…):`",
                     "必ず元に戻したいものは `with restored(…):` を使ってください"))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                raise self.refuse(
                    s, "nested-rule", "rules are not nested", "規則の中に規則は書けません",
                    ("put it beside this one", "外に並べて書いてください"))
            case ast.Assert():
                raise self.refuse(
                    s, "assert", "there is no assert", "assert はありません",
                    ("write an @invariant", "@invariant を書いてください"))
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
            s, "unknown-statement", f"`{word}` is outside the rule language", f"`{word}` は規則言語にありません",
            hints.get(word, ("what changes in play is a field of the state", "変わるものは状態の項目にしてください")))

    def branch(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        try:
            condition = self.test_or_answer(test)
        except Refused:
            self.block(body)  # what is wrong inside is said too
            self.block(orelse)
            raise
        if isinstance(condition, ir.Const):
            self.checked_block(body if condition.value else orelse, orelse if condition.value else body)
            return
        end = self.put(ir.Branch(condition, -1, at=self.looked_at(test)))
        self.block(body)
        if orelse:
            past = self.put(ir.Jump(-1, at=self.mark(test)))
            self.land(end)
            self.block(orelse)
            end = past
        self.land(end)

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
            with self.where(condition, self.mark(s)):
                self.undo(a.depth, s)
                a.exits.append(self.put(ir.Jump(-1, at=self.mark(s))))

    # ------------------------------------------------------------ leaving
    def undo(self, depth: int, node: ast.AST) -> None:
        """Put back what open `restored` blocks (from `depth` on) saved."""
        for saved in reversed(self.restores[depth:]):
            self.put_back(saved, node)

    def put_back(self, saved: list[tuple[Leaf, ir.Expr | None, int]], node: ast.AST) -> None:
        for leaf, index, local in saved:
            self.put(ir.Store(leaf.base, index, leaf.count, ir.Local(local), at=self.mark(node)))

    def give_back(self, s: ast.stmt, value: ast.expr | None) -> None:
        self.demand(
            not self.in_batch, s, "return-in-batch", "the writes of `simultaneously` happen at its end: return after it",
            "`simultaneously` の中では終われません",
            ("put the return after the block", "return はブロックの後に書いてください"))
        nothing = isinstance(self.result, t.NothingType)
        v = Val(t.NOTHING, ())
        if value is None or (
            isinstance(value, ast.Constant) and value.value is None and not isinstance(self.result, t.OptionType)
        ):
            self.demand(
                nothing, s, "result-missing", f"`{self.name}` gives {said(self.result)}",
                f"`{self.name}` は「{said(self.result, True)}」を返します",
                ("write the value behind `return`", "`return` の後に値を書いてください"))
        elif self.is_done(value):
            v = self.perform(value, "result") or v
        else:
            v = self.value(value, None if nothing else self.result)
        if nothing or value is None:
            self.demand(
                not v.parts or " " not in self.name, value or s, "result-unexpected", "what a card does gives no value",
                "カードの文は値を返しません", ("write `return` alone", "`return` だけを書いてください"))
            self.demand(
                not v.parts, value or s, "result-unexpected", f"`{self.name}` gives nothing", f"`{self.name}` は値を返しません",
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
        name = (
            exc.id
            if isinstance(exc, ast.Name)
            else exc.func.id
            if isinstance(exc, ast.Call) and isinstance(exc.func, ast.Name)
            else ""
        )
        self.demand(
            self.d.bases.get(name) == "Signal", s, "not-a-signal", "only a Signal is raised", "raise できるのは Signal だけです",
            ("declare `class PhaseEnds(Signal)` and raise it", "`class PhaseEnds(Signal)` を定義して raise してください"))
        self.demand(
            not self.in_batch, s, "return-in-batch", "the writes of `simultaneously` happen at its end: raise after it",
            "`simultaneously` の途中で抜けることはできません",
            ("put the raise after the block", "raise はブロックの後に書いてください"))
        self.demand(
            self.kind == "procedure", s, "raise-in-step", f"a {self.kind} cannot be left by a signal",
            f"{self.kind} から Signal は投げられません",
            ("raise it in the procedure that calls this", "呼び出す手順の側で raise してください"))
        self.put(ir.Throw(name, at=self.mark(s)))

    def attempt(self, s: ast.Try, body: Sequence[ast.stmt], handlers: Sequence[ast.ExceptHandler]) -> None:
        self.demand(
            self.kind == "procedure", s, "try-in-step", "signals pass through procedures only",
            "Signal を受けられるのは手順だけです")
        first = self.here()
        self.block(body)
        last = self.here()
        ends = [self.put(ir.Jump(-1, at=self.mark(s)))]
        for h in handlers:
            name = h.type.id if isinstance(h.type, ast.Name) else ""
            self.demand(
                self.d.bases.get(name) == "Signal", h, "not-a-signal", "only a Signal is caught", "受けられるのは Signal だけです",
                ("write `except PhaseEnds:`", "`except PhaseEnds:` のように書いてください"))
            self.demand(
                h.name is None, h, "except-as", "a signal carries nothing", "Signal は値を運びません",
                (f"write `except {name}:`", f"`except {name}:` と書いてください"))
            self.handlers.append(Handler(first, last, name, self.here()))
            self.block(h.body)
            ends.append(self.put(ir.Jump(-1, at=self.mark(h))))
        self.land(*ends)

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
                    item, "abandon-form", "abandon_when takes a condition that is looked at again and again",
                    "abandon_when には、繰り返し調べる条件を渡します",
                    ("write `abandon_when(lambda: …)`", "`abandon_when(lambda: …)` と書いてください"))
            case ast.Call(func=ast.Name(id="restored"), args=places) if places:
                self.restore_block(s, places, body)
            case _:
                self.block(body)
                raise self.refuse(
                    item, "unknown-block", "this block is outside the language", "この with は規則言語にありません",
                    ("use simultaneously(), abandon_when(lambda: …) or restored(…)",
                     "simultaneously(), abandon_when(lambda: …), restored(…) を使ってください"))

    def abandonable(self, s: ast.With, condition: ast.expr, body: Sequence[ast.stmt]) -> None:
        if self.in_batch:
            self.block(body)
            raise self.refuse(
                s, "abandon-in-batch",
                "nothing changes before the end of `simultaneously`, so there is nothing to look for",
                "`simultaneously` の途中では何も変わらないので、調べる意味がありません",
                ("put `abandon_when` around it", "`abandon_when` を外側に書いてください"))
        try:
            self.test(condition)
        except Refused:
            self.failed = True
        self.abandons.append(Abandon(condition, len(self.restores)))
        self.block(body)
        self.land(*self.abandons.pop().exits)

    def batch(self, s: ast.With, body: Sequence[ast.stmt]) -> None:
        self.effect_allowed(s, "`simultaneously`")
        if self.in_batch:
            self.block(body)
            raise self.refuse(
                s, "nested-batch", "this is simultaneous already", "すでに simultaneously の中です",
                ("drop the inner block", "内側のブロックを取ってください"))
        self.put(ir.BatchBegin(at=self.mark(s)))
        self.in_batch = True
        self.block(body)
        self.in_batch = False
        self.put(ir.BatchEnd(at=self.mark(s)))

    def restore_block(self, s: ast.With, places: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        self.effect_allowed(s, "`restored`")
        saved: list[tuple[Leaf, ir.Expr | None, int]] = []
        for p in places:
            try:
                found = list(self.single(self.meaning(p), p))
            except Refused:
                self.failed = True
                continue
            for leaf, m in found:
                index = linear(leaf.keys, [e for _, e in m.keys]) if m.keys else None
                if index is not None and not isinstance(index, ir.Const):
                    k = self.new_local("where", t.Int(*self.ranges.of(index)))
                    self.put(ir.Assign(k, index, at=self.mark(p)))
                    index = ir.Local(k)
                x = self.new_local("before", leaf.type)
                self.put(ir.Assign(x, self.load(m, p).expr, at=self.mark(p)))
                saved.append((leaf, index, x))
        self.restores.append(saved)
        first = self.here()
        self.block(body)
        last = self.here()
        self.restores.pop()
        self.put_back(saved, s)
        if self.kind != "procedure" or not any(isinstance(n, ast.Await | ast.Raise) for b in body for n in ast.walk(b)):
            return
        over = self.put(ir.Jump(-1, at=self.mark(s)))
        for signal in self.d.derived("Signal"):
            self.handlers.append(Handler(first, last, signal, self.here()))
            self.put_back(saved, s)
            self.put(ir.Throw(signal, at=self.mark(s)))
        self.land(over)

    def single(self, m: Meaning, p: ast.expr) -> Iterator[tuple[Leaf, Place]]:
        """The single values of a place of the state that are put back. Those of all cards would tell cards apart that are equal."""
        match m:
            case Place(node=Leaf() as leaf):
                yield leaf, m
            case Place(node=Fields(nodes=nodes)):
                for f, n in nodes:
                    yield from self.single(Place(n, m.keys, f), p)
            case Place(node=Keyed(key=key, of=inner)) if key.role is t.Role.PLAIN:
                for k in range(key.lo, key.lo + size(key)):
                    yield from self.single(Place(inner, (*m.keys, (key, ir.Const(k))), m.name), p)
            case _:
                raise self.refuse(
                    p, "restore-what", "only values of the state are restored, and not those of all cards at once",
                    "元に戻せるのは状態の値だけで、すべてのカードの値を一度に戻すことはできません",
                    ("write a field of the state, like `g.turn`, or name one card: `g.tired[…]`",
                     "`g.turn` のような状態の項目か、`g.tired[…]` のようにカードを一枚書いてください"))


def by_decider(s: ast.stmt, marked: tuple[str, ...] | None) -> ast.If | None:
    """A statement in which a decider is perhaps nobody, as a condition: `x = await choose(who or OPEN("9.4"), among)  #: 9.3` is
    `if who is None: x = await choose(OPEN("9.4"), among)  #: 9.4` and `else: x = await choose(who, among)  #: 9.3`."""
    if (
        not isinstance(s, Asking)
        or not isinstance(s.value, ast.Await)
        or not isinstance(call := s.value.value, ast.Call)
    ):
        return None
    for arg in (*call.args, *(k.value for k in call.keywords)):
        match arg:
            case ast.BoolOp(op=ast.Or(), values=[who, nobody]) if is_open(nobody):
                test = ast.copy_location(
                    ast.Compare(who, [ast.Is()], [ast.copy_location(ast.Constant(None), who)]), who
                )
                return ast.copy_location(ast.If(test, [given(s, arg, nobody, marked)], [given(s, arg, who, marked)]), s)
            case ast.IfExp(test=test, body=one, orelse=other) if is_open(one) or is_open(other):
                return ast.copy_location(ast.If(test, [given(s, arg, one, marked)], [given(s, arg, other, marked)]), s)
    return None


def is_open(node: ast.expr) -> bool:
    """Is it a decider whom the rules do not name, perhaps under a further condition?"""
    match node:
        case ast.Call(func=ast.Name(id="OPEN")):
            return True
        case ast.IfExp(body=one, orelse=other):
            return is_open(one) or is_open(other)
        case ast.BoolOp(op=ast.Or(), values=[_, nobody]):
            return is_open(nobody)
        case _:
            return False


def given(s: Asking, arg: ast.expr, instead: ast.expr, marked: tuple[str, ...] | None) -> ast.stmt:
    """The statement with something else given to the rule that it awaits; if it is marked, nobody's choice cites its own clause."""
    assert isinstance(s.value, ast.Await) and isinstance(s.value.value, ast.Call)
    call = s.value.value
    args = [instead if a is arg else a for a in call.args]
    keywords = [ast.copy_location(ast.keyword(k.arg, instead), k) if k.value is arg else k for k in call.keywords]
    out = copy.copy(s)
    out.value = ast.copy_location(ast.Await(ast.copy_location(ast.Call(call.func, args, keywords), call)), s.value)
    match instead:
        case ast.Call(func=ast.Name(id="OPEN"), args=[ast.Constant(value=str(clause))]) if marked:
            out.cited = (clause,)  # pyright: ignore
        case _:
            out.cited = marked  # pyright: ignore
    return out
