"""Values of the rule language as IR scalars: types that fit, types that are made to fit, ranges."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from functools import cached_property

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, binary, pick
from ..ir.program import Container, Fields, Keyed, Leaf, Zones, linear
from ..ir.ranges import Ranges
from .scope import Scope
from .source import Refused, Reporter, meant
from .values import EventRef, Meaning, Offers, OpenDecider, Place, StateRef, Val, Variable, container, said


class ConversionLowering(ABC):
    """Turns what an expression stands for into values of the types that are wanted. `names` maps names to what they stand
    for."""

    def __init__(self, scope: Scope, at: Reporter, name: str) -> None:
        self.scope = scope
        self.d = scope.d
        self.at = at
        self.name = name
        self.names: dict[str, Meaning] = {}
        self.broken: set[str] = set()
        """Locals whose statement was refused: not reported again."""
        self.ended: set[str] = set()
        """Variables of loops and comprehensions that are over."""
        self.locals: list[tuple[str, t.Type]] = []
        self.clauses: tuple[str, ...] = ()
        self.expanding: list[str] = []

    @abstractmethod
    def meaning(self, node: ast.expr, expect: t.Type | None = None) -> Meaning:
        """What an expression stands for."""

    # ------------------------------------------------------------ small helpers
    def mark(self, node: ast.AST) -> ir.Mark:
        return self.at.mark(node, self.clauses)

    def new_local(self, name: str, of: t.Type) -> int:
        self.locals.append((name, of))
        return len(self.locals) - 1

    def declare_variable(self, name: str, of: t.Type) -> Variable:
        return Variable(of, tuple(ir.Local(self.new_local(name, s)) for s in of.flat()))

    def take(self, name: str, of: t.Type) -> Val:
        """A parameter that is not assigned: its name stands for it from now on."""
        v = self.names[name] = Val(of, self.declare_variable(name, of).parts)
        return v

    def refuse(self, node: ast.AST, code: str, en: str, ja: str, hint: tuple[str, str] | None = None) -> Refused:
        return self.at.refuse(node, code, en, ja, hint)

    def demand(
        self, holds: object, node: ast.AST, code: str, en: str, ja: str, hint: tuple[str, str] | None = None
    ) -> None:
        self.at.demand(holds, node, code, en, ja, hint)

    def refuse_await(self, node: ast.AST, hint: tuple[str, str]) -> Refused:
        """An `await` stands inside something; `hint` (en, ja) says what to write there."""
        return self.refuse(
            node, "await-inside", "`await` stands alone on the right-hand side", "`await` は右辺に単独で書きます", hint)

    @cached_property
    def ranges(self) -> Ranges:
        """Between which bounds expressions lie, whatever the state."""
        return Ranges(
            lambda k: self.scope.layout.slots[k].type,
            lambda k: self.locals[k][1],
            self.scope.result_of,
            self.scope.tables,
            self.d.card.count,
        )

    def fit(self, v: Val, node: ast.AST) -> Val:
        """The value, each scalar held to its domain: one outside exceeds a bound."""
        parts: list[ir.Expr] = []
        for e, of in zip(v.parts, v.type.flat(), strict=True):
            lo, hi = t.domain(of)
            least, most = self.ranges.of(e)
            parts.append(e if lo <= least and most <= hi else ir.Within(e, lo, hi, at=self.mark(node)))
        return Val(v.type, tuple(parts))

    # ------------------------------------------------------------ entry points
    def value(self, node: ast.expr, expect: t.Type | None = None) -> Val:
        """The expression as a value; coerced to `expect` where given."""
        v = self.load(self.meaning(node, expect), node)
        return v if expect is None else self.coerce(v, expect, node)

    def scalar(self, node: ast.expr, expect: t.Type) -> ir.Expr:
        """The expression as one scalar of the expected type."""
        return self.value(node, expect).expr

    def test(self, node: ast.expr) -> ir.Expr:
        """The expression as a condition: of a set, a zone, a multiset or a pool, whether there is anything in it."""
        m = self.meaning(node)
        if (info := container(m)) is not None:
            head = ir.Load(info.head, at=self.mark(node))
            return self.some(head, node) if info.is_pool else binary("ne", head, FALSE, self.mark(node))
        return self.truth(self.load(m, node), node)

    def some(self, mask: ir.Expr, node: ast.expr) -> ir.Expr:
        """Has the set a member?"""
        if isinstance(mask, ir.Const):
            return binary("ne", mask, FALSE)
        return binary("gt", ir.Unary("size", mask, at=self.mark(node)), FALSE, self.mark(node))

    def truth(self, v: Val, node: ast.expr) -> ir.Expr:
        """The value as a condition."""
        match v.type:
            case t.Bool():
                return v.expr
            case t.OptionType():
                raise self.refuse(
                    node, "truth-of-option", "a condition must be true or false, and this may be none",
                    "条件は真偽でなければなりません（これは「なし」かもしれない値です）",
                    (f"write `{ast.unparse(node)} is not None`", f"`{ast.unparse(node)} is not None` と書いてください"))
            case t.SetType() | t.ZoneType() | t.EmptySetType():
                return self.some(self.as_set(v, node).expr, node)
            case t.Int():
                hint = (f"write `{ast.unparse(node)} > 0`", f"`{ast.unparse(node)} > 0` のように書いてください")
            case _:
                hint = ("compare it with something", "何かと比べてください")
        raise self.refuse(
            node, "not-a-condition", f"a condition must be true or false, and this is {said(v.type)}",
            f"条件は真偽でなければなりません（これは「{said(v.type, True)}」です）", hint)

    def load(self, m: Meaning, node: ast.AST) -> Val:
        """The value a meaning has."""
        match m:
            case Val():
                return m
            case Place(node=Leaf(base=base, type=of, keys=keys) as leaf):
                if not m.keys:
                    return Val(of, (ir.Load(base, at=self.mark(node)),))
                return Val(of, (ir.Load(base, linear(keys, [e for _, e in m.keys]), leaf.count, at=self.mark(node)),))
            case Place(node=Fields(type=of, nodes=nodes)):
                return Val(of, tuple(p for f, n in nodes for p in self.load(Place(n, m.keys, f), node).parts))
            case Place(node=Zones(base=base, keys=keys)):
                return Val(self.d.zone(), (binary("add", linear(keys, [e for _, e in m.keys]), ir.Const(base)),))
            case Place(node=Container(info=info)):
                raise self.refuse(
                    node, "container-as-value", f"`{info.name}` is not a value", f"`{info.name}` は値ではありません",
                    ("go through its entries, add or remove one", "要素を列挙するか、加える・除くかしてください"))
            case Place(node=Keyed()):
                raise self.refuse(
                    node, "missing-key", f"`{ast.unparse(node)}` needs a key", f"`{ast.unparse(node)}` に添字が要ります",
                    ("write `[…]` behind it", "後ろに `[…]` を書いてください"))
            case Offers():
                raise self.refuse(
                    node, "set-of-records", "a set of records can only be offered to somebody",
                    "Record の集合は、選択肢としてだけ使えます", ("give it to `choose`", "`choose` に渡してください"))
            case OpenDecider():
                raise self.refuse(
                    node, "open-as-value", "OPEN(…) is only a decider", "OPEN(…) は決める人としてだけ使えます",
                    ('write it where the choice is: `await choose(OPEN("9.4.3"), options)`',
                     '選ぶ所に `await choose(OPEN("9.4.3"), 選択肢)` と書いてください'))
            case StateRef():
                raise self.refuse(
                    node, "state-as-value", "the state is not a value", "状態そのものは値ではありません",
                    (f"name a field: `{ast.unparse(node)}.…`", f"項目を書いてください: `{ast.unparse(node)}.…`"))
            case EventRef(known=known):
                raise self.refuse(
                    node, "event-as-value", "the event is not a value", "event そのものは値ではありません",
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
                    raise self.refuse(
                        node, "out-of-range", f"{what} is outside {to}", f"{what} は範囲 {to} の外です",
                        ("widen the range, or use another number", "範囲を広げるか、別の数にしてください"))
                return Val(to, v.parts)
            case t.NothingType(), t.OptionType(none=none):
                return Val(to, (ir.Const(none),))
            case t.OptionType(inner=x), t.OptionType(inner=y) if self.fits(x, y):
                if t.same_members(x, y) or (a.none == to.none and x.hi <= y.hi):
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
            case ((t.RecordType() | t.UnionType()), t.UnionType(variants=several)) if all(
                x in several for x in self.d.variants(a)
            ):
                return Val(to, self.as_variant(v, to))
            case t.CardType() | t.ObjType(), t.CardType() | t.ObjType():
                return Val(to, v.parts)
        raise self.wrong_type(node, a, to)

    def as_variant(self, v: Val, to: t.UnionType) -> tuple[ir.Expr, ...]:
        """A record, or one of several, as one of more."""
        own = self.d.variants(v.type)
        at, tag = (1, v.parts[0]) if isinstance(v.type, t.UnionType) else (0, FALSE)
        out: list[ir.Expr] = [ir.Const(t.blank(x)) for x in to.flat()]
        out[0] = ir.Const(to.offset(own[-1].name)[0])
        for k, x in reversed(list(enumerate(own[:-1]))):
            out[0] = pick(binary("eq", tag, ir.Const(k)), ir.Const(to.offset(x.name)[0]), out[0])
        for x in own:
            _, there, _ = to.offset(x.name)
            out[there : there + x.width] = v.parts[at : at + x.width]
            at += x.width
        return tuple(out)

    def wrong_type(self, node: ast.AST, a: t.Type, to: t.Type) -> Refused:
        """Report a value of the wrong type; say what to write where that is clear."""
        hint = None
        text = ast.unparse(node) if isinstance(node, ast.expr) else ""
        match a, to:
            case t.SetType() | t.EmptySetType() | t.ZoneType(), t.Int():
                hint = (f"write `len({text})`", f"`len({text})` と書いてください")
            case t.SetType(inner=inner), _ if inner == to:
                hint = (
                    f"let somebody choose one, or write `the({text})` where there is only one",
                    f"誰かに一つ選ばせるか、一つしかないなら `the({text})` と書いてください",
                )
            case _, t.SetType(inner=inner) if inner == a:
                hint = (f"write `{{{text}}}`", f"`{{{text}}}` と書いてください")
            case t.CardType() | t.ObjType(), t.PlayerType():
                hint = (
                    f"write `owner({text})` if its owner is meant",
                    f"持ち主のことなら `owner({text})` と書いてください",
                )
            case t.ZoneType(), t.PlayerType():
                hint = (
                    f"write `zone_player({text})` if the zone's player is meant",
                    f"領域のプレイヤーなら `zone_player({text})` です",
                )
            case t.CardType() | t.ObjType(), t.ZoneType():
                hint = (
                    f"write `zone_of({text})` if the zone it lies in is meant",
                    f"カードがある領域なら `zone_of({text})` です",
                )
            case t.NothingType(), _:
                hint = ("make it an Option[…] if there may be none", "無いことがあるなら Option[…] にしてください")
            case t.Int(), t.Bool():
                hint = (f"write `{text} > 0`, for instance", f"`{text} > 0` のように書いてください")
        return self.refuse(
            node, "wrong-type", f"{said(to)} is needed here, and this is {said(a)}",
            f"ここには「{said(to, True)}」が要りますが、これは「{said(a, True)}」です", hint)

    def moved_set(self, e: ir.Expr, x: t.Type, y: t.Type, node: ast.AST) -> ir.Expr:
        """A set over x as a set over y; a member that y does not have exceeds a bound."""
        if t.same_members(x, y):
            return e
        shift = x.lo - y.lo
        moved = binary("shift", e, ir.Const(shift)) if shift else e
        if y.lo <= x.lo and x.hi <= y.hi:
            return moved
        inside = sum(1 << k - x.lo for k in range(max(x.lo, y.lo), min(x.hi, y.hi) + 1))
        outside = ((1 << x.hi - x.lo + 1) - 1) & ~inside
        least, most = self.ranges.of(e)
        if least >= 0 and not most & outside and most.bit_length() <= inside.bit_length() and not shift:
            return moved
        stray = binary("meet", e, ir.Const(outside))
        if stray == FALSE:
            return moved
        return ir.Within(
            pick(binary("eq", stray, FALSE), moved, ir.Const(-1)), 0, (1 << y.hi - y.lo + 1) - 1, at=self.mark(node)
        )

    def fits(self, a: t.Type, b: t.Type) -> bool:
        """Can a scalar of type a stand where one of type b is wanted, unchanged?"""
        return t.same_members(a, b) or (isinstance(a, t.Int) and isinstance(b, t.Int))

    def join(self, a: t.Type, b: t.Type, node: ast.AST) -> t.Type:
        """A type both fit into."""
        if a == b:
            return a
        match a, b:
            case t.Int(), t.Int():
                return t.Int(min(a.lo, b.lo), max(a.hi, b.hi))
            case (t.NothingType(), of) | (of, t.NothingType()):
                return of if isinstance(of, t.OptionType) else t.OptionType(of)
            case (t.OptionType(), _) | (_, t.OptionType()):
                return t.OptionType(self.join(t.some(a), t.some(b), node))
            case t.CardType() | t.ObjType(), t.CardType() | t.ObjType():
                return self.d.card
            case (t.EmptySetType(), t.SetType() as of) | (t.SetType() as of, t.EmptySetType()):
                return of
            case t.SetType(inner=x), t.SetType(inner=y):
                return t.SetType(self.join(x, y, node))
            case (t.ZoneType(), t.SetType(inner=t.CardType()) | t.EmptySetType()) | (
                t.SetType(inner=t.CardType()) | t.EmptySetType(), t.ZoneType()
            ):
                return t.SetType(self.d.card)
            case ((t.RecordType() | t.UnionType()), (t.RecordType() | t.UnionType())):
                return self.d.union_type([*self.d.variants(a), *self.d.variants(b)])
            case _:
                raise self.refuse(
                    node, "types-differ", f"these do not fit together: {said(a)} and {said(b)}",
                    f"型が合いません（「{said(a, True)}」と「{said(b, True)}」）")

    def no_fields(self, m: Meaning, name: str, node: ast.AST) -> Refused:
        """Report that something is asked for a field and has none."""
        text = ast.unparse(node.value) if isinstance(node, ast.Attribute) else "…"
        match m:
            case Val(type=of) | Offers(type=of) if isinstance(t.some(of), t.CardType | t.ObjType):
                by = next((c for c, ability in self.d.definitions.items() if not ability), "Printed")
                hint = (
                    f"what is printed is `{by}({text}).{name}`; what changes in play is a field `Per[Card, …]` of the state",
                    f"印刷された情報は `{by}({text}).{name}`、変わる情報は状態の `Per[Card, …]` です",
                )
            case Val(type=t.UnionType()) | Offers(type=t.UnionType()):
                hint = ("tell the records apart with `match … : case …`", "`match … : case …` で Record を見分けてください")
            case Place(node=Keyed()):
                hint = (f"write `{text}[…].{name}`", f"`{text}[…].{name}` と書いてください")
            case _:
                hint = None
        what, ja = (said(m.type), said(m.type, True)) if isinstance(m, Val | Offers) else (f"`{text}`", f"`{text}`")
        return self.refuse(node, "no-fields", f"{what} has no fields", f"{ja} に項目はありません", hint)

    def number(self, node: ast.expr) -> Val:
        v = self.value(node)
        of = t.some(v.type)
        if not isinstance(of, t.Int):
            raise self.refuse(
                node, "not-a-number", f"a number is needed here, and this is {said(v.type)}",
                f"ここには数が要りますが、これは「{said(v.type, True)}」です",
                (f"write `len({ast.unparse(node)})`",
                 f"`len({ast.unparse(node)})` と書いてください") if isinstance(v.type, t.SetType | t.ZoneType) else None)
        return self.coerce(v, of, node)

    def as_set(self, v: Val, node: ast.AST) -> Val:
        match v.type:
            case t.SetType() | t.EmptySetType():
                return v
            case t.ZoneType():
                return self.coerce(v, t.SetType(self.d.card), node)
            case t.Int():
                hint = (
                    "write `up_to(…)` for so many times, or go through a named range: `LANES = Range(1, 5)`, `for n in LANES`",
                    "その回数だけなら `up_to(…)` と書くか、範囲に名前を付けてください: `LANES = Range(1, 5)`, `for n in LANES`",
                )
            case _:
                hint = ("write `{…}` around it", "`{…}` で囲んでください")
        raise self.refuse(
            node, "not-a-set", f"a set is needed here, and this is {said(v.type)}",
            f"ここには集合が要りますが、これは「{said(v.type, True)}」です", hint)

    def alternative(self, node: ast.AST, v: Val, alternative: str) -> ir.Expr:
        """Is the reading's answer this alternative?"""
        if not isinstance(v.type, t.ReadingType):
            raise self.refuse(
                node, "text-comparison", "only a reading is compared with text", "文字列と比べられるのは解釈（reading）だけです",
                ("use a member of an enumeration", "列挙の構成要素を使ってください"))
        if alternative not in v.type.alternatives:
            raise self.refuse(
                node,
                "no-such-alternative",
                f"the reading `{v.type.name}` has no alternative `{alternative}`",
                f"解釈 `{v.type.name}` に選択肢 `{alternative}` はありません",
                meant(
                    alternative,
                    v.type.alternatives,
                    ("known: " + ", ".join(v.type.alternatives), "あるのは: " + ", ".join(v.type.alternatives)),
                ),
            )
        return binary("eq", v.expr, ir.Const(v.type.alternatives.index(alternative)), self.mark(node))
