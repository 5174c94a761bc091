"""From expressions of the rule language to IR expressions, with their types."""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...spec.diagnostics import nearest
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, below, binary, both, either, negate, negated, pick, single
from ..ir.places import Container, Fields, Keyed, Leaf, Zones, linear
from ..ir.ranges import Ranges
from ..ir.ranges import binary as bounds_of
from . import __all__ as VOCABULARY
from .declare import FieldDecl, RuleDecl
from .source import Refused, Reporter
from .values import Entry, EventRef, Meaning, Offers, OpenDecider, Place, StateRef, Val, Variable

if TYPE_CHECKING:
    from .compile import Compiler

COMPARE: dict[type[ast.cmpop], ir.BinaryOp] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}
ARITHMETIC: dict[type[ast.operator], ir.BinaryOp] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "div", ast.Mod: "mod",
}
SETWISE: dict[type[ast.operator], ir.BinaryOp] = {
    ast.BitOr: "union", ast.BitAnd: "meet", ast.Sub: "without", ast.BitXor: "differ",
}
USAGE = {
    "other": "other(player)", "owner": "owner(card)", "zone_of": "zone_of(card)", "zone_player": "zone_player(zone)",
    "zone_number": "zone_number(zone)", "on_top": "on_top(pile)", "last": "last(c for c in pile if …)",
    "first": "first(c for c in pile if …)", "the": "the(set)", "put": "put(card, zone)", "shuffle": "shuffle(pile)",
    "renew": "renew(card)", "emit": "emit(Event(…))", "finish": "finish(winner)", "gap": 'gap("9.4.3")',
    "conflict": 'conflict("9.4.3")', "not_modelled": 'not_modelled("9.4.3")', "reading": 'reading("id") == "…"',
    "reading_number": 'reading_number("id")', "OPEN": 'OPEN("9.4.3")', "len": "len(set)", "abs": "abs(number)",
    "may": "await may(player)", "judge": 'judge("question", g, subject, Type)', "set": "set()",
    "condition": "condition(g, ability, card, you)", "state_holds": "state_holds(g, ability, card, you)",
    "payable": "payable(g, ability, card, you)",
}
"""How a word is used, for messages."""
PYTHON: dict[str, tuple[str, str] | None] = {
    "sorted": ("sets have no order: let somebody choose one at a time", "集合に順番はありません。一つずつ選ばせてください"),
    "list": ("sets have no order: let somebody choose one at a time", "集合に順番はありません。一つずつ選ばせてください"),
    "range": ("go through a named Range: `LANES = Range(1, 5)`, `for n in LANES`",
              "`LANES = Range(1, 5)` のような範囲に名前を付け、`for n in LANES` と書いてください"),
    "print": ("look at a play with `rulewright replay`", "`rulewright replay` で見てください"),
    "next": ("let somebody choose: `await choose(who, cards)`", "`await choose(決める人, カード)` で選ばせてください"),
    "random": ("write `await chance(options)`", "`await chance(選択肢)` と書いてください"),
    "isinstance": ("tell records apart with `match … : case …`", "`match … : case …` で Record を見分けてください"),
    "frozenset": ("write `{…}` or `set()`", "`{…}` か `set()` と書いてください"),
    **dict.fromkeys(("dict", "tuple", "enumerate", "zip", "map", "filter", "int", "bool", "str", "float", "round",
                     "input", "open", "iter", "reversed", "type", "getattr", "setattr", "hasattr", "super", "id",
                     "hash", "divmod", "pow", "eval", "exec", "callable", "vars")),
}
"""Functions of Python that are not part of the language, and what to write instead (en, ja)."""
Binding = tuple[list[ir.Binder], list[ir.Expr], dict[str, "Meaning | Variable"]]


class ExpressionLowering:
    """Translates the expressions of one rule. `names` maps names to what they stand for."""

    def __init__(self, compiler: Compiler, at: Reporter, name: str, pure: bool) -> None:
        self.c = compiler
        self.d = compiler.d
        self.at = at
        self.name = name
        self.pure = pure
        self.names: dict[str, Meaning | Variable] = {}
        self.broken: set[str] = set()
        """Locals whose statement was refused: not reported again."""
        self.ended: set[str] = set()
        """Variables of loops and comprehensions that are over."""
        self.locals: list[tuple[str, t.Type]] = []
        self.clauses: tuple[str, ...] = ()
        self.expanding: list[str] = []

    # ------------------------------------------------------------ small helpers
    def mark(self, node: ast.AST) -> ir.Mark:
        return self.at.mark(node, self.clauses)

    def new_local(self, name: str, of: t.Type) -> int:
        self.locals.append((name, of))
        return len(self.locals) - 1

    def refuse(self, node: ast.AST, code: str, en: str, ja: str, hint: tuple[str, str] | None = None) -> Refused:
        return self.at.refuse(node, code, en, ja, hint)

    def of_variable(self, v: Variable) -> Val:
        return Val(v.type, tuple(ir.Local(x) for x in v.locals))

    def bounds(self, e: ir.Expr) -> tuple[int, int]:
        """Between which bounds the expression lies, whatever the state."""
        slots = self.c.layout.slots
        return Ranges(lambda k: slots[k].type, lambda k: self.locals[k][1], self.c.result_of, self.c.tables,
                      self.d.card.count).of(e)

    def fit(self, v: Val, node: ast.AST) -> Val:
        """The value, each scalar held to its domain: one outside exceeds a bound."""
        parts: list[ir.Expr] = []
        for e, of in zip(v.parts, v.type.flat(), strict=True):
            lo, hi = t.domain(of)
            least, most = self.bounds(e)
            parts.append(e if lo <= least and most <= hi else ir.Within(e, lo, hi, at=self.mark(node)))
        return Val(v.type, tuple(parts))

    # ------------------------------------------------------------ entry points
    def value(self, node: ast.expr, expect: t.Type | None = None) -> Val:
        """The expression as a value; coerced to `expect` where given."""
        m = self.meaning(node, expect)
        v = self.load(m, node)
        return v if expect is None else self.coerce(v, expect, node)

    def scalar(self, node: ast.expr, expect: t.Type) -> ir.Expr:
        """The expression as one scalar of the expected type."""
        return self.value(node, expect).expr

    def test(self, node: ast.expr) -> ir.Expr:
        """The expression as a condition."""
        m = self.meaning(node)
        if isinstance(m, Place) and isinstance(m.node, Container):
            raise self.refuse(node, "truth-of-set", "a condition must be true or false, and this is a set",
                              "条件は真偽でなければなりません（これは集合です）",
                              (f"write `len({ast.unparse(node)}) > 0`", f"`len({ast.unparse(node)}) > 0` と書いてください"))
        v = self.load(m, node)
        if isinstance(v.type, t.Bool):
            return v.expr
        if isinstance(v.type, t.OptionType):
            raise self.refuse(node, "truth-of-option", "a condition must be true or false, and this may be none",
                              "条件は真偽でなければなりません（これは「なし」かもしれない値です）",
                              (f"write `{ast.unparse(node)} is not None`", f"`{ast.unparse(node)} is not None` と書いてください"))
        if isinstance(v.type, t.SetType | t.ZoneType | t.EmptySetType):
            raise self.refuse(node, "truth-of-set", "a condition must be true or false, and this is a set",
                              "条件は真偽でなければなりません（これは集合です）",
                              (f"write `len({ast.unparse(node)}) > 0`", f"`len({ast.unparse(node)}) > 0` と書いてください"))
        hint = ("compare it with something", "何かと比べてください")
        if isinstance(v.type, t.Int):
            hint = (f"write `{ast.unparse(node)} > 0`", f"`{ast.unparse(node)} > 0` のように書いてください")
        raise self.refuse(node, "not-a-condition", f"a condition must be true or false, and this is {said(v.type)}",
                          f"条件は真偽でなければなりません（これは「{said(v.type, True)}」です）", hint)

    def load(self, m: Meaning, node: ast.AST) -> Val:
        """The value a meaning has."""
        match m:
            case Val():
                return m
            case Place(node=Leaf(base=base, type=of, keys=keys)):
                if not m.keys:
                    return Val(of, (ir.Load(base, at=self.mark(node)),))
                n = 1
                for k in keys:
                    n *= k.hi - k.lo + 1
                return Val(of, (ir.Load(base, linear(keys, [e for _, e in m.keys]), n, at=self.mark(node)),))
            case Place(node=Fields(type=of, nodes=nodes)):
                return Val(of, tuple(p for f, n in nodes for p in self.load(Place(n, m.keys, f), node).parts))
            case Place(node=Zones(base=base, keys=keys)):
                zone = binary("add", linear(keys, [e for _, e in m.keys]), ir.Const(base)) if keys else ir.Const(base)
                return Val(self.d.zone(), (zone,))
            case Place(node=Container(info=info)):
                raise self.refuse(node, "container-as-value", f"`{info.name}` is not a value", f"`{info.name}` は値ではありません",
                                  ("go through its entries, add or remove one", "要素を列挙するか、加える・除くかしてください"))
            case Place(node=Keyed()):
                raise self.refuse(node, "missing-key", f"`{ast.unparse(node)}` needs a key", f"`{ast.unparse(node)}` に添字が要ります",
                                  ("write `[…]` behind it", "後ろに `[…]` を書いてください"))
            case Entry(container=name, type=of, index=index):
                info = self.c.layout.containers[name]
                return Val(of, tuple(ir.Load(c, index, info.capacity) for c in info.columns))
            case Offers():
                raise self.refuse(node, "set-of-records", "a set of records can only be offered to somebody",
                                  "Record の集合は、選択肢としてだけ使えます",
                                  ("give it to `choose`", "`choose` に渡してください"))
            case OpenDecider():
                raise self.refuse(node, "open-as-value", "OPEN(…) is only a decider", "OPEN(…) は決める人としてだけ使えます",
                                  ('write it where the choice is: `await choose(OPEN("9.4.3"), options)`',
                                   '選ぶ所に `await choose(OPEN("9.4.3"), 選択肢)` と書いてください'))
            case StateRef():
                raise self.refuse(node, "state-as-value", "the state is not a value", "状態そのものは値ではありません",
                                  (f"name a field: `{ast.unparse(node)}.…`", f"項目を書いてください: `{ast.unparse(node)}.…`"))
            case EventRef(known=known):
                raise self.refuse(node, "event-as-value", "the event is not a value", "event そのものは値ではありません",
                                  (f"name a field: {', '.join(f'event.{k}' for k in known)}",
                                   f"項目を書いてください: {'、'.join(f'event.{k}' for k in known)}"))
            case _:
                raise AssertionError(m)

    def coerce(self, v: Val, to: t.Type, node: ast.AST) -> Val:
        """The value as one of another type. Raises Refused where it is none."""
        a = v.type
        match a, to:
            case _ if a == to:
                return v
            case t.Int(), t.Int():
                if a.least > to.most or a.most < to.least:
                    what = str(a.least) if a.least == a.most else str(a)
                    raise self.refuse(node, "out-of-range", f"{what} is outside {to}", f"{what} は範囲 {to} の外です",
                                      ("widen the range, or use another number", "範囲を広げるか、別の数にしてください"))
                return Val(to, v.parts)
            case t.NothingType(), t.OptionType(none=none):
                return Val(to, (ir.Const(none),))
            case t.OptionType(inner=x), t.OptionType(inner=y) if self.fits(x, y):
                if a.none == to.none and x.hi <= y.hi:
                    return Val(to, v.parts)
                some = ir.Within(v.expr, y.lo, y.hi, at=self.mark(node)) if x.lo < y.lo or x.hi > y.hi else v.expr
                return Val(to, (pick(binary("eq", v.expr, ir.Const(a.none)), ir.Const(to.none), some),))
            case _, t.OptionType(inner=inner) if not isinstance(a, t.OptionType) and self.fits(a, inner):
                v = self.coerce(v, inner, node)
                return Val(to, self.fit(v, node).parts if isinstance(inner, t.Int) else v.parts)
            case t.OptionType(inner=inner), _ if self.fits(inner, to):
                return Val(to, (ir.Present(v.expr, a.none, at=self.mark(node)),))
            case t.ZoneType(), t.SetType(inner=t.CardType()):
                return Val(to, (ir.ZoneCards(v.expr, at=self.mark(node)),))
            case t.EmptySetType(), t.SetType():
                return Val(to, (FALSE,))
            case t.SetType(inner=x), t.SetType(inner=y) if self.fits(x, y):
                return Val(to, (self.moved_set(v.expr, x, y, node),))
            case t.RecordType(), t.UnionType():
                if a.name in (x.name for x in to.variants):
                    tag, at, _ = to.offset(a.name)
                    parts: list[ir.Expr] = [ir.Const(tag), *(ir.Const(t.blank(x)) for x in to.flat()[1:])]
                    parts[at:at + a.width] = v.parts
                    return Val(to, tuple(parts))
            case t.UnionType(), t.UnionType():
                if all(x in to.variants for x in a.variants):
                    tags = [to.offset(x.name) for x in a.variants]
                    tag = ir.Const(tags[-1][0])
                    for k in range(len(tags) - 2, -1, -1):
                        tag = pick(binary("eq", v.parts[0], ir.Const(k)), ir.Const(tags[k][0]), tag)
                    parts = [tag, *(ir.Const(t.blank(x)) for x in to.flat()[1:])]
                    at = 1
                    for x, (_, there, _r) in zip(a.variants, tags, strict=True):
                        parts[there:there + x.width] = v.parts[at:at + x.width]
                        at += x.width
                    return Val(to, tuple(parts))
            case t.CardType() | t.ObjType(), t.CardType() | t.ObjType():
                return Val(to, v.parts)
            case _:
                pass
        raise self.wrong_type(node, a, to)

    def wrong_type(self, node: ast.AST, a: t.Type, to: t.Type) -> Refused:
        """Report a value of the wrong type; say what to write where that is clear."""
        hint = None
        text = ast.unparse(node) if isinstance(node, ast.expr) else ""
        match a, to:
            case t.SetType() | t.EmptySetType() | t.ZoneType(), t.Int():
                hint = (f"write `len({text})`", f"`len({text})` と書いてください")
            case t.SetType(inner=inner), _ if inner == to:
                hint = (f"let somebody choose one, or write `the({text})` where there is only one",
                        f"誰かに一つ選ばせるか、一つしかないなら `the({text})` と書いてください")
            case _, t.SetType(inner=inner) if inner == a:
                hint = (f"write `{{{text}}}`", f"`{{{text}}}` と書いてください")
            case t.CardType() | t.ObjType(), t.PlayerType():
                hint = (f"write `owner({text})` if its owner is meant", f"持ち主のことなら `owner({text})` と書いてください")
            case t.ZoneType(), t.PlayerType():
                hint = (f"write `zone_player({text})` if the zone's player is meant", f"領域のプレイヤーなら `zone_player({text})` です")
            case t.CardType() | t.ObjType(), t.ZoneType():
                hint = (f"write `zone_of({text})` if the zone it lies in is meant", f"カードがある領域なら `zone_of({text})` です")
            case t.NothingType(), _:
                hint = ("make it an Option[…] if there may be none", "無いことがあるなら Option[…] にしてください")
            case t.Int(), t.Bool():
                hint = (f"write `{text} > 0`, for instance", f"`{text} > 0` のように書いてください")
            case _:
                pass
        return self.refuse(node, "wrong-type", f"{said(to)} is needed here, and this is {said(a)}",
                           f"ここには「{said(to, True)}」が要りますが、これは「{said(a, True)}」です", hint)

    def moved_set(self, e: ir.Expr, x: t.Type, y: t.Type, node: ast.AST) -> ir.Expr:
        """A set over x as a set over y; a member that y does not have exceeds a bound."""
        shift = x.lo - y.lo
        moved = binary("shift", e, ir.Const(shift)) if shift else e
        if y.lo <= x.lo and x.hi <= y.hi:
            return moved
        inside = sum(1 << k - x.lo for k in range(max(x.lo, y.lo), min(x.hi, y.hi) + 1))
        outside = ((1 << x.hi - x.lo + 1) - 1) & ~inside
        least, most = self.bounds(e)
        if least >= 0 and not most & outside and most.bit_length() <= inside.bit_length() and not shift:
            return moved
        stray = binary("meet", e, ir.Const(outside))
        if stray == FALSE:
            return moved
        return ir.Within(pick(binary("eq", stray, FALSE), moved, ir.Const(-1)), 0, (1 << y.hi - y.lo + 1) - 1,
                         at=self.mark(node))

    def fits(self, a: t.Type, b: t.Type) -> bool:
        """Can a scalar of type a stand where one of type b is wanted, unchanged?"""
        if a == b or (isinstance(a, t.Int) and isinstance(b, t.Int)):
            return True
        return isinstance(a, t.CardType | t.ObjType) and isinstance(b, t.CardType | t.ObjType)

    def join(self, a: t.Type, b: t.Type, node: ast.AST) -> t.Type:
        """A type both fit into."""
        if a == b:
            return a
        match a, b:
            case t.Int(), t.Int():
                return t.Int(min(a.lo, b.lo), max(a.hi, b.hi))
            case t.NothingType(), t.OptionType():
                return b
            case t.OptionType(), t.NothingType():
                return a
            case t.NothingType(), _:
                return t.OptionType(b)
            case _, t.NothingType():
                return t.OptionType(a)
            case t.OptionType(inner=x), t.OptionType(inner=y):
                return t.OptionType(self.join(x, y, node))
            case t.OptionType(inner=x), _:
                return t.OptionType(self.join(x, b, node))
            case _, t.OptionType(inner=y):
                return t.OptionType(self.join(a, y, node))
            case t.CardType() | t.ObjType(), t.CardType() | t.ObjType():
                return self.d.card
            case t.EmptySetType(), t.SetType():
                return b
            case t.SetType(), t.EmptySetType():
                return a
            case t.SetType(inner=x), t.SetType(inner=y):
                return t.SetType(self.join(x, y, node))
            case t.ZoneType(), (t.SetType(inner=t.CardType()) | t.EmptySetType()):
                return t.SetType(self.d.card)
            case (t.SetType(inner=t.CardType()) | t.EmptySetType()), t.ZoneType():
                return t.SetType(self.d.card)
            case (t.RecordType() | t.UnionType()), (t.RecordType() | t.UnionType()):
                return self.d.union_type([*self.d.variants(a), *self.d.variants(b)])
            case _:
                raise self.refuse(node, "types-differ", f"these do not fit together: {said(a)} and {said(b)}",
                                  f"型が合いません（「{said(a, True)}」と「{said(b, True)}」）")

    # ------------------------------------------------------------ expressions by form
    def meaning(self, node: ast.expr, expect: t.Type | None = None) -> Meaning:
        """What an expression stands for."""
        match node:
            case ast.Constant(value=bool() as b):
                return Val(t.BOOL, (TRUE if b else FALSE,))
            case ast.Constant(value=int() as n):
                if n > t.ANY_INT.hi:
                    raise self.refuse(node, "number-too-large", f"numbers go from {t.ANY_INT.lo} to {t.ANY_INT.hi}",
                                      f"数は {t.ANY_INT.lo} から {t.ANY_INT.hi} までです")
                return Val(t.Int(n, n), (ir.Const(n),))
            case ast.Constant(value=None):
                return Val(t.NOTHING, ())
            case ast.Constant(value=float()):
                raise self.refuse(node, "no-fractions", "there are no fractions, only whole numbers", "小数はありません。整数だけです",
                                  ("use // for division that rounds down", "切り捨ての割り算 // を使ってください"))
            case ast.Constant() | ast.JoinedStr():
                raise self.refuse(node, "no-text", "text is not a value of the rules", "文字列は規則の値ではありません",
                                  ("use a member of an enumeration", "列挙の構成要素を使ってください"))
            case ast.Name(id=name):
                return self.name_meaning(node, name)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript(value=of, slice=key):
                return self.subscript(node, of, key)
            case ast.BoolOp(op=op, values=values):
                parts = [self.test(v) for v in values]
                return Val(t.BOOL, (both(parts, self.mark(node)) if isinstance(op, ast.And) else either(parts, self.mark(node)),))
            case ast.UnaryOp(op=ast.Not(), operand=a):
                return Val(t.BOOL, (negate(self.test(a), self.mark(node)),))
            case ast.UnaryOp(op=ast.USub(), operand=a):
                v = self.number(a)
                return Val(t.Int(-v.type.hi, -v.type.lo), (negated(v.expr, self.mark(node)),))
            case ast.BinOp(left=a, op=op, right=b):
                return self.binary_operation(node, a, op, b, expect)
            case ast.Compare(left=left, ops=ops, comparators=rest):
                parts: list[ir.Expr] = []
                for op, right in zip(ops, rest, strict=True):
                    parts.append(self.comparison(node, left, op, right))
                    left = right
                return Val(t.BOOL, (both(parts, self.mark(node)),))
            case ast.IfExp(test=test, body=a, orelse=b):
                return self.conditional(node, test, a, b, expect)
            case ast.Set(elts=elts):
                return self.set_literal(node, elts, expect)
            case ast.SetComp() | ast.GeneratorExp():
                return self.comprehension(node, expect)
            case ast.Call():
                return self.call(node, expect)
            case ast.Await():
                raise self.refuse(node, "await-inside", "`await` stands alone on the right-hand side",
                                  "`await` は右辺に単独で書きます",
                                  (f"write `answer = {ast.unparse(node)}` first, then use `answer`",
                                   f"先に `answer = {ast.unparse(node)}` と書き、次に `answer` を使ってください"))
            case ast.Lambda():
                raise self.refuse(node, "lambda", "a lambda stands only in abandon_when(…)", "lambda は abandon_when(…) の中だけです",
                                  ("make it a @define", "@define にしてください"))
            case ast.Yield() | ast.YieldFrom():
                raise self.refuse(node, "yield", "there is no `yield`", "`yield` はありません",
                                  ("`await choose(…)` where somebody decides", "誰かが決める所では `await choose(…)` と書いてください"))
            case ast.ListComp() | ast.List() | ast.Dict() | ast.DictComp() | ast.Tuple() | ast.Slice() | (
                    ast.Starred()):
                raise self.refuse(node, "no-lists", "there are no lists, tuples or dictionaries",
                                  "リスト・タプル・辞書はありません",
                                  ("use a set {…}, a Record, or a field Per[…, …] of the state",
                                   "集合 {…}、Record、状態の Per[…, …] を使ってください"))
            case ast.NamedExpr():
                raise self.refuse(node, "walrus", "`:=` is outside the language", "`:=` は使えません",
                                  ("assign on a line of its own", "別の行で代入してください"))
            case _:
                raise self.refuse(node, "unknown-expression", f"{type(node).__name__} is outside the rule language",
                                  f"{type(node).__name__} は規則言語にありません")

    def name_meaning(self, node: ast.expr, name: str) -> Meaning:
        if name in self.names:
            m = self.names[name]
            return self.of_variable(m) if isinstance(m, Variable) else m
        if name in self.broken:
            raise Refused
        d = self.d
        match name:
            case "FIRST" | "SECOND":
                return Val(d.player, (ir.Const(int(name == "SECOND")),))
            case "PLAYERS":
                return Val(t.SetType(d.player), (ir.Const(3),))
            case "CARDS":
                return Val(t.SetType(d.card), (ir.Const((1 << d.card.count) - 1),))
            case "NO_CAUSE":
                return Val(d.cause, tuple(ir.Const(t.blank(s)) for s in d.cause.flat()))
            case _:
                pass
        if name in d.constants:
            n = d.constant_int(*d.constants[name])
            return Val(t.Int(n, n), (ir.Const(n),))
        if name in d.ranges:
            r = d.ranges[name]
            return Val(t.SetType(r), (ir.Const((1 << (r.hi - r.lo + 1)) - 1),))
        if isinstance(of := d.types.get(name), t.EnumType):
            return Val(t.SetType(of), (ir.Const((1 << of.count) - 1),))
        if name in d.rules:
            raise self.refuse(node, "rule-as-value", f"the rule `{name}` is not a value", f"規則 `{name}` は値ではありません",
                              (f"call it: `{name}(…)`", f"`{name}(…)` と呼び出してください"))
        if name in VOCABULARY:
            usage = USAGE.get(name)
            raise self.refuse(node, "word-as-value", f"`{name}` is not a value", f"`{name}` は値ではありません",
                              None if usage is None else (f"write `{usage}`", f"`{usage}` と書いてください"))
        if name in self.ended:
            raise self.refuse(node, "loop-is-over", f"`{name}` ends with its loop", f"`{name}` は繰り返しの中だけの名前です",
                              ("keep what you need in a local", "必要な値は変数に入れておいてください"))
        raise self.d.unknown(node, name, self.at, self.names)

    def attribute(self, node: ast.Attribute) -> Meaning:
        match node.value:
            case ast.Name(id=enum) if isinstance(of := self.d.types.get(enum), t.EnumType) and enum not in self.names:
                if node.attr not in of.members:
                    raise self.d.no_member(node, of, node.attr, self.at)
                return Val(of, (ir.Const(of.members.index(node.attr)),))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=cls), attr="of"), args=[subject]) if cls in self.d.definitions:
                return self.printed(node, cls, subject)
            case _:
                return self.field(self.meaning(node.value), node.attr, node)

    def field(self, m: Meaning, name: str, node: ast.AST) -> Meaning:
        """A field of the state, of a record, or of the event."""
        match m:
            case StateRef():
                if name in self.c.nodes:
                    return Place(self.c.nodes[name], (), name)
                known = [f.name for f in self.d.fields[self.d.state_class]]
                if name in known:
                    raise Refused
            case Place(node=Fields(nodes=nodes)):
                found = dict(nodes)
                if name in found:
                    return Place(found[name], m.keys, name)
                known = list(found)
            case Entry(container=c, type=t.RecordType() as of, index=index):
                known = [f for f, _ in of.fields]
                if name in known:
                    at, inner = of.offset(name)
                    info = self.c.layout.containers[c]
                    return Val(inner, tuple(ir.Load(x, index, info.capacity) for x in info.columns[at:at + inner.width]))
            case Val(type=t.RecordType() as of):
                known = [f for f, _ in of.fields]
                if name in known:
                    at, inner = of.offset(name)
                    return Val(inner, m.parts[at:at + inner.width])
            case EventRef(fields=fields, known=names):
                found = dict(fields)
                if name in found:
                    return found[name]
                if name in names:
                    raise Refused
                known = list(names or found)
            case _:
                raise self.no_fields(m, name, node)
        what = str(m.type) if isinstance(m, Val | Entry) else m.name if isinstance(m, Place) else ""
        both = {StateRef: ("the state", "状態"), EventRef: ("the event", "事象")}.get(type(m), (what, what))
        raise self.d.no_field(node, *both, name, known, self.at)

    def no_fields(self, m: Meaning, name: str, node: ast.AST) -> Refused:
        """Report that something is asked for a field and has none."""
        of = m.type if isinstance(m, Val | Offers) else None
        text = ast.unparse(node.value) if isinstance(node, ast.Attribute) else "…"
        hint = None
        if isinstance(of, t.CardType | t.ObjType) or isinstance(of, t.OptionType) and isinstance(of.inner, t.CardType | t.ObjType):
            by = next((c for c, ability in self.d.definitions.items() if not ability), "Printed")
            hint = (f"what is printed is `{by}.of({text}).{name}`; what changes in play is a field `Per[Card, …]` of the state",
                    f"印刷された情報は `{by}.of({text}).{name}`、変わる情報は状態の `Per[Card, …]` です")
        elif isinstance(of, t.UnionType):
            hint = ("tell the records apart with `match … : case …`", "`match … : case …` で Record を見分けてください")
        elif isinstance(m, Place) and isinstance(m.node, Keyed):
            hint = (f"write `{text}[…].{name}`", f"`{text}[…].{name}` と書いてください")
        what = said(of) if of is not None else f"`{text}`"
        ja = said(of, True) if of is not None else f"`{text}`"
        return self.refuse(node, "no-fields", f"{what} has no fields", f"{ja} に項目はありません", hint)

    def printed(self, node: ast.Attribute, cls: str, subject: ast.expr) -> Val:
        """`Printed.of(card).power`."""
        of_abilities = self.d.definitions[cls]
        fields = {f.name: f for f in self.d.fields[cls]}
        if node.attr not in fields:
            raise self.d.no_field(node, cls, cls, node.attr, list(fields), self.at)
        index = self.scalar(subject, self.d.ability if of_abilities else self.d.card)
        table, of = self.c.facts.table(cls, node.attr)
        values = set(self.c.tables[table])
        if len(values) == 1:
            return Val(of, (ir.Const(values.pop()),))
        return Val(of, (ir.Table(table, index, at=self.mark(node)),))

    def subscript(self, node: ast.Subscript, of: ast.expr, key: ast.expr) -> Meaning:
        m = self.meaning(of)
        keys = key.elts if isinstance(key, ast.Tuple) else [key]
        for k in keys:
            match m:
                case Place(node=Keyed(key=kt, of=inner)):
                    v = self.value(k)
                    e = self.coerce(v, kt, k).expr
                    m = Place(inner, (*m.keys, (kt, self.fit(Val(kt, (e,)), k).expr)), m.name)
                case Place(node=Container(info=info)) if info.is_pool:
                    m = Entry(info.name, info.type, self.scalar(k, t.RefType(f"Ref[{info.type}]", info.capacity, info.name)))
                case _:
                    hint = None
                    if isinstance(m, Place) and isinstance(m.node, Zones | Container):
                        hint = ("its members have no numbers: let somebody choose one, or use last(…), first(…) on a Pile",
                                "中身に番号はありません。誰かに選ばせるか、Pile なら last(…), first(…) を使ってください")
                    raise self.refuse(node, "not-indexable", f"`{ast.unparse(of)}` takes no key",
                                      f"`{ast.unparse(of)}` に添字は付けられません", hint)
        return m

    def number(self, node: ast.expr) -> Val:
        v = self.value(node)
        if isinstance(v.type, t.OptionType) and isinstance(v.type.inner, t.Int):
            v = self.coerce(v, v.type.inner, node)
        if not isinstance(v.type, t.Int):
            raise self.refuse(node, "not-a-number", f"a number is needed here, and this is {said(v.type)}",
                              f"ここには数が要りますが、これは「{said(v.type, True)}」です",
                              (f"write `len({ast.unparse(node)})`", f"`len({ast.unparse(node)})` と書いてください")
                              if isinstance(v.type, t.SetType | t.ZoneType) else None)
        return v

    def binary_operation(
        self, node: ast.BinOp, a: ast.expr, op: ast.operator, b: ast.expr, expect: t.Type | None,
    ) -> Meaning:
        x, y = self.meaning(a, expect), self.meaning(b, expect)
        if isinstance(x, Offers) or isinstance(y, Offers):
            if not isinstance(op, ast.BitOr):
                raise self.refuse(node, "offers-operation", "sets of records can only be joined with `|`",
                                  "Record の集合は `|` で合わせるだけです")
            return self.join_offers(self.as_offers(x, a), self.as_offers(y, b), node)
        v, w = self.load(x, a), self.load(y, b)
        if isinstance(v.type, t.SetType | t.EmptySetType | t.ZoneType) or isinstance(w.type, t.SetType | t.EmptySetType | t.ZoneType):
            if type(op) not in SETWISE:
                raise self.refuse(node, "set-operation", "sets are combined with | & - ^", "集合の演算は | & - ^ です",
                                  ("for how many, write `len(…)`", "数が要るなら `len(…)` と書いてください"))
            v, w = self.as_set(v, a), self.as_set(w, b)
            of = self.join(v.type, w.type, node)
            if isinstance(of, t.EmptySetType):
                return Val(of, (FALSE,))
            v, w = self.coerce(v, of, a), self.coerce(w, of, b)
            return Val(of, (binary(SETWISE[type(op)], v.expr, w.expr, self.mark(node)),))
        if type(op) not in ARITHMETIC:
            hint = ("there are + - * // %", "あるのは + - * // % です")
            if isinstance(op, ast.Div):
                hint = ("use // for division that rounds down", "切り捨ての割り算 // を使ってください")
            raise self.refuse(node, "unknown-operator", f"`{ast.unparse(node)}`: this operator is outside the language",
                              f"`{ast.unparse(node)}`: この演算はありません", hint)
        v, w = self.number(a), self.number(b)
        name = ARITHMETIC[type(op)]
        assert isinstance(v.type, t.Int) and isinstance(w.type, t.Int)
        return Val(interval(name, v.type, w.type), (binary(name, v.expr, w.expr, self.mark(node)),))

    def as_set(self, v: Val, node: ast.AST) -> Val:
        if isinstance(v.type, t.ZoneType):
            return self.coerce(v, t.SetType(self.d.card), node)
        if not isinstance(v.type, t.SetType | t.EmptySetType):
            hint = ("write `{…}` around it", "`{…}` で囲んでください")
            if isinstance(v.type, t.Int):
                hint = ("go through a range: `LANES = Range(1, 5)`, `for n in LANES`",
                        "範囲に名前を付けてください: `LANES = Range(1, 5)`, `for n in LANES`")
            raise self.refuse(node, "not-a-set", f"a set is needed here, and this is {said(v.type)}",
                              f"ここには集合が要りますが、これは「{said(v.type, True)}」です", hint)
        return v

    def comparison(self, node: ast.Compare, a: ast.expr, op: ast.cmpop, b: ast.expr) -> ir.Expr:
        if isinstance(op, ast.Is | ast.IsNot):
            if not (isinstance(b, ast.Constant) and b.value is None):
                raise self.refuse(node, "is-not-none", "`is` is only for None", "`is` は None とだけ使います", ("write `==`", "`==` と書いてください"))
            v = self.value(a)
            if isinstance(v.type, t.NothingType):
                return TRUE if isinstance(op, ast.Is) else FALSE
            if not isinstance(v.type, t.OptionType):
                raise self.refuse(node, "never-none", "this is never none", "これが「なし」になることはありません", ("drop the test", "この条件は要りません"))
            return binary("eq" if isinstance(op, ast.Is) else "ne", v.expr, ir.Const(v.type.none), self.mark(node))
        if isinstance(op, ast.In | ast.NotIn):
            e = self.membership(node, a, b)
            return e if isinstance(op, ast.In) else negate(e, self.mark(node))
        if isinstance(a, ast.Constant) and isinstance(a.value, str):
            a, b = b, a
        if isinstance(b, ast.Constant) and isinstance(b.value, str):
            return self.reading_is(node, a, op, b.value)
        v = self.value(a)
        w = self.value(b, None)
        if type(op) in (ast.Lt, ast.LtE, ast.Gt, ast.GtE):
            if isinstance(v.type, t.SetType) and isinstance(w.type, t.SetType):
                raise self.refuse(node, "set-order", "sets are not compared with < or >", "集合は < や > で比べません",
                                  ("write `all(x in b for x in a)`", "`all(x in b for x in a)` のように書いてください"))
            x, y = self.number(a).expr, self.number(b).expr
            return binary(COMPARE[type(op)], x, y, self.mark(node))
        if isinstance(v.type, t.SetType | t.ZoneType | t.EmptySetType) and type(w.type) is not type(v.type):
            v, w = self.as_set(v, a), self.as_set(w, b)
        of = self.join(v.type, w.type, node)
        v, w = self.coerce(v, of, a), self.coerce(w, of, b)
        same = both([binary("eq", x, y, self.mark(node)) for x, y in zip(v.parts, w.parts, strict=True)], self.mark(node))
        return same if isinstance(op, ast.Eq) else negate(same, self.mark(node))

    def reading_is(self, node: ast.AST, a: ast.expr, op: ast.cmpop, alternative: str) -> ir.Expr:
        if type(op) not in (ast.Eq, ast.NotEq):
            raise self.refuse(node, "text-comparison", "a reading is compared with == or !=", "解釈は == か != で比べます")
        e = self.alternative(node, self.value(a), alternative)
        return e if isinstance(op, ast.Eq) else negate(e)

    def alternative(self, node: ast.AST, v: Val, alternative: str) -> ir.Expr:
        """Is the reading's answer this alternative?"""
        if not isinstance(v.type, t.ReadingType):
            raise self.refuse(node, "text-comparison", "only a reading is compared with text", "文字列と比べられるのは解釈（reading）だけです",
                              ("use a member of an enumeration", "列挙の構成要素を使ってください"))
        if alternative not in v.type.alternatives:
            near = nearest(alternative, list(v.type.alternatives))
            raise self.refuse(node, "no-such-alternative", f"the reading `{v.type.name}` has no alternative `{alternative}`",
                              f"解釈 `{v.type.name}` に選択肢 `{alternative}` はありません",
                              (f"did you mean `{near}`?", f"`{near}` ではありませんか") if near else
                              ("known: " + ", ".join(v.type.alternatives), "あるのは: " + ", ".join(v.type.alternatives)))
        return binary("eq", v.expr, ir.Const(v.type.alternatives.index(alternative)), self.mark(node))

    def membership(self, node: ast.AST, a: ast.expr, b: ast.expr) -> ir.Expr:
        if isinstance(b, ast.Set | ast.Tuple) and b.elts and all(
                isinstance(x, ast.Constant) and isinstance(x.value, str) for x in b.elts):
            v = self.value(a)
            return either([self.alternative(x, v, str(x.value)) for x in b.elts if isinstance(x, ast.Constant)])
        m = self.meaning(b)
        if isinstance(m, Place) and isinstance(m.node, Keyed | Zones):
            inner, n = m.node, 1
            while isinstance(inner, Keyed):
                n *= inner.key.hi - inner.key.lo + 1
                inner = inner.of
            if isinstance(inner, Zones):
                v = self.value(a)
                if isinstance(v.type.inner if isinstance(v.type, t.OptionType) else v.type, t.ZoneType):
                    z = self.coerce(v, self.d.zone(), a).expr
                    if m.keys:
                        raise self.refuse(node, "zone-in-some", "ask whether a zone belongs to the whole field",
                                          "領域が属するかどうかは、項目全体に対して尋ねます",
                                          ("write `zone in g.field`, or compare with `==`", "`zone in g.項目` か `==` を使ってください"))
                    mask = ((1 << n) - 1) << inner.base
                    return binary("member", z, ir.Const(mask), self.mark(node))
        if isinstance(m, Place) and isinstance(m.node, Container):
            info = m.node.info
            v = self.value(a, info.type)
            k = self.new_local("entry", t.Int(0, info.capacity))
            same = both([binary("eq", ir.Load(c, ir.Local(k), info.capacity), x) for c, x in zip(info.columns, v.parts, strict=True)])
            return ir.Fold("any", k, self.entries(info.name), TRUE, same, at=self.mark(node))
        s = self.as_set(self.load(m, b), b)
        if isinstance(s.type, t.EmptySetType):
            return FALSE
        assert isinstance(s.type, t.SetType)
        v = self.value(a)
        there: ir.Expr = TRUE
        if isinstance(v.type, t.OptionType) and self.fits(v.type.inner, s.type.inner):
            e = v.expr
            if v.type.none >= s.type.inner.lo:  # else its code lies below the least bit: it is a member of no set
                there = binary("ne", v.expr, ir.Const(v.type.none))
        elif isinstance(v.type, t.Int) and isinstance(s.type.inner, t.Int):
            e = v.expr  # a number that the set cannot hold is not in it
        else:
            e = self.coerce(v, s.type.inner, a).expr
        if s.type.inner.lo:
            e = binary("sub", e, ir.Const(s.type.inner.lo))
        return both([there, binary("member", e, s.expr, self.mark(node))])

    def conditional(self, node: ast.IfExp, test: ast.expr, a: ast.expr, b: ast.expr, expect: t.Type | None) -> Meaning:
        c = self.test(test)
        x, y = self.meaning(a, expect), self.meaning(b, expect)
        if isinstance(x, Offers) or isinstance(y, Offers):
            xs, ys = self.as_offers(x, a), self.as_offers(y, b)
            return self.join_offers(self.guard(xs, c), self.guard(ys, negate(c)), node)
        if isinstance(x, OpenDecider) or isinstance(y, OpenDecider):
            raise self.refuse(node, "open-in-condition", "a decider is either named or OPEN, not both",
                              "決める人は、名指すか OPEN かのどちらかです", ("write two `choose`, one in each branch of an if",
                                                                             "if の両側に `choose` を一つずつ書いてください"))
        v, w = self.load(x, a), self.load(y, b)
        of = expect or self.join(v.type, w.type, node)
        v, w = self.coerce(v, of, a), self.coerce(w, of, b)
        return Val(of, tuple(pick(c, p, q, self.mark(node)) for p, q in zip(v.parts, w.parts, strict=True)))

    # ------------------------------------------------------------ sets and comprehensions
    def set_literal(self, node: ast.Set, elts: Sequence[ast.expr], expect: t.Type | None) -> Meaning:
        values = [self.value(e) for e in elts]
        if any(isinstance(v.type, t.RecordType | t.UnionType) for v in values):
            of = self.d.union_type([x for v in values for x in self.d.variants(v.type)])
            return Offers(of, tuple(ir.Offer((), TRUE, self.coerce(v, of, e).parts, at=self.mark(e))
                                    for v, e in zip(values, elts, strict=True)))
        of = values[0].type
        for v in values[1:]:
            of = self.join(of, v.type, node)
        if isinstance(of, t.OptionType):
            of = of.inner
        if isinstance(of, t.ObjType):
            of = self.d.card
        if isinstance(of, t.NothingType | t.ZoneType) or of.width != 1 or isinstance(of, t.SetType):
            raise self.refuse(node, "set-of-that", f"there are no sets of {of}", f"{of} の集合はありません")
        if isinstance(of, t.Int):
            of = self.narrow_members(of, expect)
        out: ir.Expr = FALSE
        for v, e in zip(values, elts, strict=True):
            x = self.fit(self.coerce(v, of, e), e).expr
            out = binary("union", out, single(binary("sub", x, ir.Const(of.lo)) if of.lo else x), self.mark(node))
        return Val(t.SetType(of), (out,))

    def narrow_members(self, of: t.Int, expect: t.Type | None) -> t.Int:
        """The range of a set of numbers: that of the set wanted, else the numbers' own, else 0..255."""
        if isinstance(expect, t.SetType) and isinstance(expect.inner, t.Int):
            return expect.inner
        return of if of.hi - of.lo < 256 else t.Int(0, 255)

    def entries(self, container: str) -> ir.Expr:
        """The mask of the numbers of the entries of a multiset, or of the used places of a pool."""
        info = self.c.layout.containers[container]
        head = ir.Load(info.head)
        return head if info.is_pool else below(head)

    def bind(self, gens: Sequence[ast.comprehension]) -> Binding:
        """Binders, each with its tests, of the `for … if …` parts; their variables become names. The old names are
        returned."""
        old = dict(self.names)
        binders: list[ir.Binder] = []
        tests: list[ir.Expr] = []
        try:
            for gen in gens:
                if gen.is_async or not isinstance(gen.target, ast.Name):
                    raise self.refuse(gen.target, "loop-variable", "one plain name goes through the set",
                                      "変数は一つの名前にします")
                binders.append(self.binder(gen.target, gen.target.id, gen.iter))
                tests.append(both([self.test(i) for i in gen.ifs]))
        except Refused:
            self.names = old
            raise
        return binders, tests, old

    def binder(self, target: ast.expr, name: str, over: ast.expr) -> ir.Binder:
        """The variable of a `for` part becomes a name."""
        m = self.meaning(over)
        if isinstance(m, Place) and isinstance(m.node, Container):
            info = m.node.info
            var = self.new_local(name, t.Int(0, info.capacity - 1))
            if info.is_pool:
                self.names[name] = Val(t.RefType(f"Ref[{info.type}]", info.capacity, info.name), (ir.Local(var),))
            else:
                self.names[name] = Entry(info.name, info.type, ir.Local(var))
            return ir.Binder(var, self.entries(info.name), at=self.mark(target))
        s = self.as_set(self.load(m, over), over)
        inner = s.type.inner if isinstance(s.type, t.SetType) else t.Int(0, 0)
        var = self.new_local(name, inner)
        self.names[name] = Val(inner, (ir.Local(var),))
        return ir.Binder(var, s.expr if s.parts else FALSE, inner.lo, at=self.mark(target))

    def comprehension(
        self, node: ast.SetComp | ast.GeneratorExp, expect: t.Type | None, offered: bool = False,
    ) -> Meaning:
        """`{elt for …}`: a set of scalars, or offers where the elements are records; always offers where it is given
        to somebody to choose from (for chance, each way to find an element counts)."""
        binders, tests, old = self.bind(node.generators)
        try:
            v = self.value(node.elt)
            if isinstance(v.type, t.RecordType | t.UnionType | t.CauseType):
                return Offers(v.type, (self.offer(binders, tests, v, node),))
            of = v.type
            if isinstance(of, t.OptionType):
                v = self.coerce(v, of.inner, node.elt)
                of = of.inner
            if isinstance(of, t.ObjType):
                of = self.d.card
            if v.type.width != 1 or isinstance(of, t.SetType | t.EmptySetType | t.ZoneType):
                raise self.refuse(node, "set-of-that", f"there are no sets of {said(of)}", f"{said(of, True)} の集合はありません")
            if offered:
                return Offers(of, (self.offer(binders, tests, Val(of, v.parts), node),))
            if isinstance(of, t.Int):
                of = self.narrow_members(of, expect)
            element = self.fit(Val(of, v.parts), node.elt).expr
            element = binary("sub", element, ir.Const(of.lo)) if of.lo else element
            return Val(t.SetType(of), (self.fold("set", binders, tests, element, node),))
        finally:
            self.ended |= self.names.keys() - old.keys()
            self.names = old

    def offer(self, binders: Sequence[ir.Binder], tests: Sequence[ir.Expr], v: Val, node: ast.AST) -> ir.Offer:
        """One offer; what an inner variable goes through is only looked at where the tests before it hold."""
        out: list[ir.Binder] = []
        before: list[ir.Expr] = []
        for b, test in zip(binders, tests, strict=True):
            out.append(replace(b, domain=pick(both(before), b.domain, FALSE)))
            before.append(test)
        return ir.Offer(tuple(out), both(before[-1:]), v.parts, at=self.mark(node))

    def fold(
        self, kind: ir.FoldKind, binders: Sequence[ir.Binder], tests: Sequence[ir.Expr], body: ir.Expr, node: ast.AST,
        default: ir.Expr | None = None,
    ) -> ir.Expr:
        """Nested folds over the binders, each with its tests."""
        for k, (b, test) in enumerate(reversed(list(zip(binders, tests, strict=True)))):
            outer: ir.FoldKind = "union" if k and kind == "set" else kind
            body = ir.Fold(outer, b.var, b.domain, test, body, b.offset, default, at=self.mark(node))
        return body

    def as_offers(self, m: Meaning, node: ast.expr) -> Offers:
        """Anything that can be offered: records, or the members of a set."""
        if isinstance(m, Offers):
            return m
        s = self.as_set(self.load(m, node), node)
        if isinstance(s.type, t.EmptySetType):
            return Offers(t.NOTHING, ())
        assert isinstance(s.type, t.SetType)
        if isinstance(s.expr, ir.Fold) and s.expr.kind == "set" and s.expr.body == self.plain_member(s.expr, s.type.inner):
            f = s.expr
            return Offers(s.type.inner, (ir.Offer((ir.Binder(f.var, f.domain, f.offset),), f.test, (ir.Local(f.var),), at=self.mark(node)),))
        var = self.new_local("option", s.type.inner)
        return Offers(s.type.inner, (ir.Offer((ir.Binder(var, s.expr, s.type.inner.lo),), TRUE, (ir.Local(var),), at=self.mark(node)),))

    def plain_member(self, f: ir.Fold, of: t.Type) -> ir.Expr:
        e: ir.Expr = ir.Local(f.var)
        return binary("sub", e, ir.Const(of.lo)) if of.lo else e

    def join_offers(self, a: Offers, b: Offers, node: ast.AST) -> Offers:
        if not a.offers and isinstance(a.type, t.NothingType):
            return b
        if not b.offers and isinstance(b.type, t.NothingType):
            return a
        of = self.join(a.type, b.type, node)
        out = tuple(
            ir.Offer(o.binders, o.test, self.coerce(Val(x.type, o.values), of, node).parts, at=o.at)
            for x in (a, b) for o in x.offers)
        return Offers(of, out)

    def guard(self, a: Offers, test: ir.Expr) -> Offers:
        return Offers(a.type, tuple(ir.Offer(o.binders, both([test, o.test]), o.values, at=o.at) for o in a.offers if test != FALSE))

    # ------------------------------------------------------------ calls
    def call(self, node: ast.Call, expect: t.Type | None) -> Meaning:
        match node.func:
            case ast.Name(id=name) if name in self.d.rules:
                return self.rule_call(node, name)
            case ast.Name(id=name) if name in self.d.fields and name != self.d.state_class:
                return self.construct(node, name)
            case ast.Name(id=name):
                word = getattr(self, f"word_{name}", None)
                if word is not None:
                    return word(node)
                if name in VOCABULARY:
                    raise self.not_here(node, name)
                if name in PYTHON:
                    raise self.refuse(node, "python-function", f"Python's `{name}` is not part of the rule language",
                                      f"Python の `{name}` は規則言語にありません",
                                      PYTHON[name] or ("make a @define that says it", "@define を作ってください"))
                if name in self.names or name in self.d.types:
                    raise self.refuse(node, "cannot-call", f"`{name}` cannot be called", f"`{name}` は呼び出せません",
                                      ("drop the brackets", "括弧を取ってください"))
                raise self.d.unknown(node.func, name, self.at, self.names)
            case ast.Attribute(value=ast.Name(id=cls), attr="of") if cls in self.d.definitions:
                raise self.refuse(node, "definition-as-value", "read one attribute of what is printed",
                                  "印刷された情報は、項目を一つずつ読みます",
                                  (f"write `{ast.unparse(node)}.name_of_attribute`", f"`{ast.unparse(node)}.項目` と書いてください"))
            case _:
                raise self.refuse(node, "cannot-call", f"`{ast.unparse(node.func)}` cannot be called here",
                                  f"`{ast.unparse(node.func)}` はここでは呼び出せません",
                                  ("there are no methods; effects stand on a line of their own",
                                   "メソッドはありません。動作は単独の行に書いてください"))

    def not_here(self, node: ast.AST, name: str) -> Refused:
        if name in ("choose", "choose_some", "choose_number", "may", "chance", "run_text", "run_cost"):
            return self.refuse(node, "forgotten-await", f"`{name}` interrupts play, so it is awaited",
                               f"`{name}` は割り込みが入る場所なので `await` が要ります",
                               (f"write `answer = await {name}(…)`", f"`answer = await {name}(…)` と書いてください"))
        usage = USAGE.get(name, f"{name}(…)")
        return self.refuse(node, "effect-in-expression", f"`{name}` does something, so it stands as a statement of its own",
                           f"`{name}` は動作なので、単独の文として書きます",
                           (f"write `{usage}` on a line of its own", f"`{usage}` を単独の行に書いてください"))

    def rule_call(self, node: ast.Call, name: str) -> Meaning:
        decl = self.d.rules[name]
        if decl.ir_kind == "procedure":
            raise self.refuse(node, "forgotten-await", f"`{name}` is a procedure: play can be interrupted in it",
                              f"`{name}` は手順です（割り込みが入りえます）",
                              (f"write `await {name}(…)` on a line of its own, or `x = await {name}(…)`",
                               f"`await {name}(…)` を単独の行に、または `x = await {name}(…)` と書いてください"))
        if decl.ir_kind == "step":
            raise self.refuse(node, "step-in-expression", f"`{name}` changes the state, so it stands on a line of its own",
                              f"`{name}` は状態を変えるので、単独の行に書きます",
                              (f"write `x = {name}(…)` first, then use `x`", f"先に `x = {name}(…)` と書き、次に `x` を使ってください"))
        args = self.arguments(node, name)
        if decl.expanded:
            return self.expand(node, name, args)
        self.c.need(name)
        return Val(decl.result, (ir.Call(name, tuple(p for v in args for p in v.parts), at=self.mark(node)),))

    def arguments(self, node: ast.Call, name: str) -> list[Val]:
        """The arguments of a rule, the state aside, coerced to its parameters."""
        decl = self.d.rules[name]
        given = list(node.args)
        if decl.state is not None:
            if not given or not isinstance(self.state_or_none(given[0]), StateRef):
                raise self.refuse(node, "state-missing", f"`{name}` looks at the state: pass it first",
                                  f"`{name}` は状態を見るので、最初の引数に渡します",
                                  (f"write `{name}(g, …)`", f"`{name}(g, …)` と書いてください"))
            given = given[1:]
        by_name = {k.arg: k.value for k in node.keywords}
        want = ", ".join([*(["g"] if decl.state is not None else []), *(p for p, _ in decl.params)])
        hint = (f"write `{name}({want})`", f"`{name}({want})` と書いてください")
        if decl.state is None and given and isinstance(self.state_or_none(given[0]), StateRef):
            raise self.refuse(node, "state-unwanted", f"`{name}` does not look at the state", f"`{name}` は状態を見ません", hint)
        out: list[Val] = []
        for k, (p, of) in enumerate(decl.params):
            if k < len(given):
                out.append(self.fit(self.value(given[k], of), given[k]))
            elif p in by_name:
                arg = by_name.pop(p)
                out.append(self.fit(self.value(arg, of), arg))
            else:
                raise self.refuse(node, "argument-missing", f"`{name}` also needs `{p}`: {said(of)}",
                                  f"`{name}` に引数 `{p}`（{said(of, True)}）が足りません", hint)
        if len(given) > len(decl.params) or by_name:
            raise self.refuse(node, "argument-extra", f"`{name}` takes {len(decl.params)} argument(s)",
                              f"`{name}` の引数は {len(decl.params)} 個です", hint)
        return out

    def state_or_none(self, node: ast.expr) -> Meaning | Variable | None:
        return self.names.get(node.id) if isinstance(node, ast.Name) else None

    def expand(self, node: ast.Call, name: str, args: list[Val]) -> Meaning:
        """Put the one returned expression of a define in place of the call (for records and sets of records)."""
        decl = self.d.rules[name]
        if name in self.expanding:
            chain = " → ".join([*self.expanding[self.expanding.index(name):], name])
            raise self.refuse(node, "recursion", f"`{name}` uses itself ({chain}), and might never come to an end",
                              f"`{name}` が自分自身を使っています（{chain}）。終わらないおそれがあります",
                              ("join sets with `|`, or go through one with `{… for … in …}`",
                               "集合は `|` で合わせるか、`{… for … in …}` で作ってください"))
        returned = self.only_return(decl)
        outer = self.names, self.at, self.clauses, self.broken
        self.expanding.append(name)
        try:
            self.names = {p: v for (p, _), v in zip(decl.params, args, strict=True)}
            self.broken = set()
            if decl.state is not None:
                self.names[decl.state] = StateRef()
            self.at = decl.reporter
            self.clauses = decl.clauses.get(id(returned), decl.clauses.get(id(decl.node), ()))
            assert isinstance(returned, ast.Return) and returned.value is not None
            return self.as_declared(decl, self.meaning(returned.value), returned.value)
        finally:
            self.names, self.at, self.clauses, self.broken = outer
            self.expanding.pop()

    def only_return(self, decl: RuleDecl) -> ast.Return:
        """The one `return` that is the body of a define that gives records."""
        body = [s for s in decl.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
            return body[0]
        raise decl.reporter.refuse(
            decl.node, "record-result", f"`{decl.name}` gives records, so its body is one `return`",
            f"`{decl.name}` は Record を返すので、本体は `return` 一つにします",
            ("use `{…} | {…}`, `… if … else …`, or split it into defines with one return each",
             "`{…} | {…}` や `… if … else …` を使うか、`return` 一つの @define に分けてください"))

    def as_declared(self, decl: RuleDecl, m: Meaning, node: ast.expr) -> Meaning:
        """What such a define gives, as its declared type."""
        if decl.gives_set:
            offers = self.as_offers(m, node)
            return Offers(decl.result, tuple(
                replace(o, values=self.coerce(Val(offers.type, o.values), decl.result, node).parts) for o in offers.offers))
        if isinstance(m, Offers):
            raise self.refuse(node, "record-result", f"`{decl.name}` gives one {decl.result}, and this is a set of them",
                              f"`{decl.name}` は {decl.result} を一つ返しますが、これは集合です",
                              (f"write `-> Set[{decl.result}]`", f"`-> Set[{decl.result}]` と書いてください"))
        return self.coerce(self.load(m, node), decl.result, node)

    def construct(self, node: ast.Call, name: str) -> Val:
        """`R(a, b=c)`."""
        of = self.d.record(name)
        fields = {f.name: f for f in self.d.fields[name]}
        if name in self.d.definitions:
            raise self.refuse(node, "definition-as-value", "what is printed on a card cannot be made",
                              "印刷された情報を作ることはできません", (f"write `{name}.of(card).…`", f"`{name}.of(カード).…` と書いてください"))
        by_name = {k.arg: k.value for k in node.keywords}
        parts: list[ir.Expr] = []
        if len(node.args) > len(fields):
            raise self.refuse(node, "argument-extra", f"{name} has {len(fields)} field(s)", f"{name} の項目は {len(fields)} 個です",
                              (f"write `{name}({', '.join(fields)})`", f"`{name}({', '.join(fields)})` と書いてください"))
        missing: tuple[int, str, t.Type] | None = None
        for k, (f, ft) in enumerate(of.fields):
            if k < len(node.args):
                parts += self.value(node.args[k], ft).parts
            elif f in by_name:
                parts += self.value(by_name.pop(f), ft).parts
            else:
                missing = (k, f, ft) if missing is None and fields[f].default is None else missing
                if missing is None:
                    parts += self.default(fields[f], ft)
        if by_name:
            raise self.d.no_field(node, name, name, next(iter(by_name)) or "**", list(fields), self.at)
        if missing is not None:
            _, f, ft = missing
            want = ", ".join(x.name for x in fields.values())
            raise self.refuse(node, "argument-missing", f"{name} also needs `{f}`: {said(ft)}",
                              f"{name} に `{f}`（{said(ft, True)}）が足りません",
                              (f"write `{name}({want})`, or give `{f}` a default in the class",
                               f"`{name}({want})` と書くか、クラスで `{f}` に既定値を付けてください"))
        return Val(of, tuple(parts))

    def default(self, f: FieldDecl, of: t.Type) -> tuple[ir.Expr, ...]:
        """The default of a field, as it is written in the class."""
        assert f.default is not None
        outer = self.at
        self.at = f.reporter
        try:
            return self.value(f.default, of).parts
        finally:
            self.at = outer

    # ------------------------------------------------------------ words
    def one(self, node: ast.Call, n: int = 1) -> list[ast.expr]:
        if len(node.args) != n or node.keywords:
            name = ast.unparse(node.func)
            usage = USAGE.get(name)
            raise self.refuse(node, "argument-count", f"`{name}` takes {n} argument(s)", f"`{name}` の引数は {n} 個です",
                              None if usage is None else (f"write `{usage}`", f"`{usage}` と書いてください"))
        return node.args

    def word_other(self, node: ast.Call) -> Val:
        (p,) = self.one(node)
        return Val(self.d.player, (binary("sub", ir.Const(1), self.scalar(p, self.d.player), self.mark(node)),))

    def word_owner(self, node: ast.Call) -> Val:
        (c,) = self.one(node)
        return Val(self.d.player, (ir.Table(self.c.facts.owners(), self.scalar(c, self.d.card), at=self.mark(node)),))

    def word_zone_of(self, node: ast.Call) -> Val:
        (c,) = self.one(node)
        layout = self.c.layout
        card = self.scalar(c, self.d.card)
        return Val(self.d.zone(), (ir.Load(layout.location, card, layout.card_count, at=self.mark(node)),))

    def word_zone_player(self, node: ast.Call) -> Val:
        (z,) = self.one(node)
        table = self.c.constant_table([-1 if x.player is None else x.player for x in self.c.layout.zones])
        return Val(t.OptionType(self.d.player), (ir.Table(table, self.scalar(z, self.d.zone()), at=self.mark(node)),))

    def word_zone_number(self, node: ast.Call) -> Val:
        (z,) = self.one(node)
        numbers = [x.number for x in self.c.layout.zones]
        table = self.c.constant_table(numbers)
        return Val(t.Int(0, max(numbers, default=0)), (ir.Table(table, self.scalar(z, self.d.zone()), at=self.mark(node)),))

    def word_on_top(self, node: ast.Call) -> Val:
        (z,) = self.one(node)
        return Val(t.SetType(self.d.card), (ir.PileTop(self.pile(z), at=self.mark(node)),))

    def pile(self, node: ast.expr) -> ir.Expr:
        m = self.meaning(node)
        if isinstance(m, Place) and isinstance(m.node, Zones) and not m.node.ordered:
            raise self.refuse(node, "no-order", f"`{ast.unparse(node)}` is a Bag: its cards have no order",
                              f"`{ast.unparse(node)}` は Bag なので順番がありません", ("make it a Pile", "Pile にしてください"))
        return self.coerce(self.load(m, node), self.d.zone(), node).expr

    def find(self, node: ast.Call, top: bool) -> Val:
        (g,) = self.one(node)
        if not isinstance(g, ast.GeneratorExp) or len(g.generators) != 1 or not isinstance(g.generators[0].target, ast.Name) or not (
                isinstance(g.elt, ast.Name) and g.elt.id == g.generators[0].target.id):
            raise self.refuse(node, "find-form", "write it as `last(c for c in pile if …)`", "`last(c for c in 山 if …)` の形で書きます")
        gen = g.generators[0]
        zone = self.pile(gen.iter)
        assert isinstance(gen.target, ast.Name)
        old = dict(self.names)
        var = self.new_local(gen.target.id, self.d.card)
        self.names[gen.target.id] = Val(self.d.card, (ir.Local(var),))
        try:
            test = both([self.test(i) for i in gen.ifs])
        finally:
            self.names = old
        return Val(t.OptionType(self.d.card), (ir.PileFind(zone, var, test, top, at=self.mark(node)),))

    def word_last(self, node: ast.Call) -> Val:
        return self.find(node, True)

    def word_first(self, node: ast.Call) -> Val:
        return self.find(node, False)

    def word_the(self, node: ast.Call) -> Val:
        (s,) = self.one(node)
        v = self.as_set(self.value(s), s)
        inner = v.type.inner if isinstance(v.type, t.SetType) else t.Int(0, 0)
        e: ir.Expr = ir.Unary("only", v.expr, at=self.mark(node))
        return Val(t.OptionType(inner), (binary("add", e, ir.Const(inner.lo)) if inner.lo else e,))

    def word_set(self, node: ast.Call) -> Val:
        if node.args:
            (s,) = self.one(node)
            return self.as_set(self.value(s), s)
        return Val(t.EMPTY_SET, (FALSE,))

    word_Set = word_set

    def word_len(self, node: ast.Call) -> Val:
        (s,) = self.one(node)
        m = self.meaning(s)
        if isinstance(m, Place) and isinstance(m.node, Container):
            info = m.node.info
            head = ir.Load(info.head)
            return Val(t.Int(0, info.capacity), (ir.Unary("size", head) if info.is_pool else head,))
        if isinstance(m, Offers):
            raise self.refuse(node, "set-of-records", "a set of records can only be offered to somebody",
                              "Record の集合は、選択肢としてだけ使えます", ("use any(… for …) or sum(1 for …)", "any(… for …) か sum(1 for …) を使ってください"))
        v = self.as_set(self.load(m, s), s)
        if isinstance(v.expr, ir.Const):
            return Val(t.Int(0, v.expr.value.bit_count()), (ir.Const(v.expr.value.bit_count()),))
        span = v.type.span if isinstance(v.type, t.SetType) else 0
        return Val(t.Int(0, span), (ir.Unary("size", v.expr, at=self.mark(node)),))

    def word_abs(self, node: ast.Call) -> Val:
        (a,) = self.one(node)
        v = self.number(a)
        return Val(t.Int(0, max(abs(v.type.lo), abs(v.type.hi))), (ir.Unary("abs", v.expr, at=self.mark(node)),))

    def gathered(self, node: ast.Call, kind: ir.FoldKind) -> tuple[list[ir.Binder], list[ir.Expr], ast.expr, Callable[[], None]]:
        g = node.args[0] if len(node.args) == 1 else None
        if not isinstance(g, ast.GeneratorExp | ast.SetComp):
            raise self.refuse(node, "gather-form", f"write it as `{kind}(… for x in …)`", f"`{kind}(… for x in …)` の形で書きます")
        binders, tests, old = self.bind(g.generators)

        def done() -> None:
            self.ended |= self.names.keys() - old.keys()
            self.names = old
        return binders, tests, g.elt, done

    def quantified(self, node: ast.Call, kind: ir.FoldKind) -> Val:
        binders, tests, elt, done = self.gathered(node, kind)
        try:
            body = self.test(elt)
        finally:
            done()
        return Val(t.BOOL, (self.fold(kind, binders, tests, body, node),))

    def word_any(self, node: ast.Call) -> Val:
        return self.quantified(node, "any")

    def word_all(self, node: ast.Call) -> Val:
        return self.quantified(node, "all")

    def word_sum(self, node: ast.Call) -> Val:
        binders, tests, elt, done = self.gathered(node, "sum")
        try:
            body = self.number(elt).expr
        finally:
            done()
        e = self.fold("sum", binders, tests, body, node)
        return Val(t.Int(*self.bounds(e)), (e,))

    def extreme(self, node: ast.Call, kind: ir.FoldKind, op: ir.BinaryOp) -> Val:
        default = next((k.value for k in node.keywords if k.arg == "default"), None)
        if len(node.args) >= 2:
            values = [self.number(a) for a in node.args]
            out = values[0].expr
            lo, hi = values[0].type.lo, values[0].type.hi
            for v in values[1:]:
                out = binary(op, out, v.expr, self.mark(node))
                lo, hi = (min(lo, v.type.lo), min(hi, v.type.hi)) if op == "min" else (max(lo, v.type.lo), max(hi, v.type.hi))
            return Val(t.Int(lo, hi), (out,))
        plain = ast.copy_location(ast.Call(node.func, node.args, []), node)
        binders, tests, elt, done = self.gathered(plain, kind)
        try:
            body = self.number(elt).expr
        finally:
            done()
        if len(binders) > 1:
            raise self.refuse(node, "nested-extreme", f"`{kind}` goes through one set", f"`{kind}` は一つの集合にだけ使えます",
                              (f"nest them: `{kind}({kind}(… for y in …) for x in …)`", "入れ子にして書いてください"))
        d = None if default is None else self.number(default).expr
        return Val(t.ANY_INT, (self.fold(kind, binders, tests, body, node, d),))

    def word_min(self, node: ast.Call) -> Val:
        return self.extreme(node, "min", "min")

    def word_max(self, node: ast.Call) -> Val:
        return self.extreme(node, "max", "max")

    def word_reading(self, node: ast.Call) -> Val:
        name = self.reading_name(node)
        of, e = self.c.reading(name, node, self.at)
        if isinstance(of, t.Int):
            raise self.refuse(node, "numeric-reading", f"the reading `{name}` is a number", f"解釈 `{name}` は数です",
                              (f'write reading_number("{name}")', f'reading_number("{name}") と書いてください'))
        return Val(of, (e,))

    def word_reading_number(self, node: ast.Call) -> Val:
        name = self.reading_name(node)
        of, e = self.c.reading(name, node, self.at)
        if not isinstance(of, t.Int):
            raise self.refuse(node, "not-numeric", f"the reading `{name}` is no number", f"解釈 `{name}` は数ではありません",
                              (f'write reading("{name}") == "…"', f'reading("{name}") == "…" と書いてください'))
        return Val(of, (e,))

    def reading_name(self, node: ast.Call) -> str:
        (a,) = self.one(node)
        if not (isinstance(a, ast.Constant) and isinstance(a.value, str)):
            raise self.refuse(node, "reading-name", "a reading is named by its id, as text", "解釈は id を文字列で書きます")
        return a.value

    def word_OPEN(self, node: ast.Call) -> OpenDecider:
        (a,) = self.one(node)
        if not (isinstance(a, ast.Constant) and isinstance(a.value, str)):
            raise self.refuse(node, "open-clause", "OPEN names the silent clause, as text", "OPEN には条番号を文字列で書きます",
                              ('write OPEN("9.4.3")', 'OPEN("9.4.3") のように書いてください'))
        self.c.check_clause(a.value, a, self.at)
        return OpenDecider(a.value)

    def ability_question(self, node: ast.Call, function: str) -> Val:
        args = [a for a in node.args if not isinstance(self.state_or_none(a), StateRef)]
        if len(args) != 3:
            raise self.refuse(node, "argument-count", f"write `{function}(g, ability, card, you)`", f"`{function}(g, ability, card, you)` と書きます")
        a = self.scalar(args[0], self.d.ability)
        c = self.scalar(args[1], self.d.card)
        y = self.scalar(args[2], self.d.player)
        if not self.c.scripts.having(function):
            return Val(t.BOOL, (FALSE if function == "state_holds" else TRUE,))
        self.c.scripts.need_question(function)
        return Val(t.BOOL, (ir.Call(function, (a, c, y), at=self.mark(node)),))

    def word_condition(self, node: ast.Call) -> Val:
        return self.ability_question(node, "condition")

    def word_state_holds(self, node: ast.Call) -> Val:
        return self.ability_question(node, "state_holds")

    def word_payable(self, node: ast.Call) -> Val:
        return self.ability_question(node, "payable")

    def norm_holds(self, node: ast.Call, kind: str) -> ir.Expr:
        act = node.args[0] if node.args else None
        if not isinstance(act, ast.Name) or act.id not in self.d.rules or self.d.rules[act.id].kind != "action":
            raise self.refuse(node, "norm-subject", "name the action first", "最初に @action の名前を書きます",
                              ("write `permitted(draw, g, player)`, say", "`permitted(draw, g, player)` のように書いてください"))
        return self.norms(kind, act.id, self.arguments(ast.copy_location(ast.Call(act, node.args[1:], node.keywords), node), act.id), node)

    def norms(self, kind: str, act: str, args: list[Val], node: ast.AST) -> ir.Expr:
        """Some norm of this kind about the action holds for the arguments."""
        out: list[ir.Expr] = []
        for r in self.d.rules.values():
            if r.kind == kind and r.subject == act:
                self.c.need(r.name)
                out.append(ir.Call(r.name, tuple(p for v in args for p in v.parts), at=self.mark(node)))
        return either(out, self.mark(node))

    def ranked(self, kind: str, node: ast.AST) -> None:
        if ("forbids", kind) not in self.d.rankings:
            raise self.refuse(node, "unranked-norms", f"nothing says whether a prohibition counts more than what is {kind[:-1]}ted or demanded",
                              "禁止と許可・義務のどちらが優先するか、定められていません",
                              (f'write outranks("forbids", "{kind}") at the top of a module, with its clause',
                               f'モジュールの一番外側に outranks("forbids", "{kind}") と条番号を書いてください'))

    def word_forbidden(self, node: ast.Call) -> Val:
        return Val(t.BOOL, (self.norm_holds(node, "forbids"),))

    def word_permitted(self, node: ast.Call) -> Val:
        may, no = self.norm_holds(node, "permits"), self.norm_holds(node, "forbids")
        if no != FALSE:
            self.ranked("permits", node)
        return Val(t.BOOL, (both([may, negate(no)]),))

    def word_required(self, node: ast.Call) -> Val:
        must, no = self.norm_holds(node, "requires"), self.norm_holds(node, "forbids")
        if no != FALSE:
            self.ranked("requires", node)
        return Val(t.BOOL, (both([must, negate(no)]),))


def interval(op: ir.BinaryOp, a: t.Int, b: t.Int) -> t.Int:
    """The range of a op b."""
    return t.Int(*bounds_of(op, (a.lo, a.hi), (b.lo, b.hi)))


def said(of: t.Type, ja: bool = False) -> str:
    """A type as it is called in a message."""
    match of:
        case t.Bool():
            return "真偽" if ja else "true or false"
        case t.Int():
            if ja:
                return "数" if of == t.ANY_INT else f"数 {of.lo}" if of.lo == of.hi else f"{of} の数"
            return "a number" if of == t.ANY_INT else f"the number {of.lo}" if of.lo == of.hi else f"a number in {of}"
        case t.NothingType():
            return "「なし」(None)" if ja else "nothing (None)"
        case t.EmptySetType():
            return "空集合" if ja else "the empty set"
        case t.SetType(inner=inner):
            return f"Set[{inner}]" if ja else f"a Set[{inner}]"
        case t.OptionType(inner=inner):
            return f"Option[{inner}]" if ja else f"an Option[{inner}]"
        case t.ReadingType(name=name):
            return f"解釈 {name}" if ja else f"the reading {name}"
        case _:
            article = "an" if str(of)[:1] in "AEIOUaeiou" else "a"
            return str(of) if ja else f"{article} {of}"
