"""From the statements of a rule to the code of an IR function."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from ..ir import nodes as ir
from .loops import LoopLowering
from .source import Refused

Asking = ast.Expr | ast.Assign | ast.AnnAssign | ast.Return


class RuleLowering(LoopLowering):
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
                self.demand(
                    self.loops,
                    s,
                    "no-loop",
                    "there is no loop here",
                    "ここは繰り返しの中ではありません",
                    ("use `return` to leave the rule", "規則を終えるなら `return` です"),
                )
                self.demand(
                    not self.in_batch or self.loops[-1].in_batch,
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
        try:
            condition = self.test_or_answer(test)
        except Refused:
            self.block(body)  # what is wrong inside is said too
            self.block(orelse)
            raise
        if isinstance(condition, ir.Const):
            self.checked_block(body if condition.value else orelse, orelse if condition.value else body)
            return
        b = self.put(ir.Branch(condition, -1, at=self.looked_at(test)))
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


def by_decider(s: ast.stmt, marked: tuple[str, ...] | None) -> ast.If | None:
    """A statement in which a decider is perhaps nobody, as a condition: `x = await choose(who or OPEN("9.4"), among)  #: 9.3` is
    `if who is None: x = await choose(OPEN("9.4"), among)  #: 9.4` and `else: x = await choose(who, among)  #: 9.3`."""
    if not isinstance(s, Asking):
        return None
    if not isinstance(s.value, ast.Await) or not isinstance(call := s.value.value, ast.Call):
        return None
    for arg in (*call.args, *(k.value for k in call.keywords)):
        match arg:
            case ast.BoolOp(op=ast.Or(), values=[who, nobody]) if is_open(nobody):
                test = ast.copy_location(ast.Compare(who, [ast.Is()], [ast.copy_location(ast.Constant(None), who)]), who)
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
