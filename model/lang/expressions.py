"""From expressions of the rule language to IR expressions, with their types."""

from __future__ import annotations

import ast

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, both, either, negate, pick, unary
from ..ir.program import Container, Fields, Keyed, Zones
from ..ir.ranges import binary as bounds_of
from . import __all__ as VOCABULARY
from .signatures import in_place_of
from .source import Refused
from .values import USAGE, EventRef, Meaning, Offers, OpenDecider, Place, StateRef, Val
from .words import WordLowering

COMPARE: dict[type[ast.cmpop], ir.BinaryOp] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}

ARITHMETIC: dict[type[ast.operator], ir.BinaryOp] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "div",
    ast.Mod: "mod",
}

SETWISE: dict[type[ast.operator], ir.BinaryOp] = {
    ast.BitOr: "union",
    ast.BitAnd: "meet",
    ast.Sub: "without",
    ast.BitXor: "differ",
}


class ExpressionLowering(WordLowering):
    """Translates the expressions of one rule."""

    # ------------------------------------------------------------ expressions by form
    def meaning(self, node: ast.expr, expect: t.Type | None = None) -> Meaning:
        """What an expression stands for."""
        match node:
            case ast.Constant(value=bool() as b):
                return Val(t.BOOL, (TRUE if b else FALSE,))
            case ast.Constant(value=int() as n):
                self.demand(
                    n <= t.ANY_INT.hi, node, "number-too-large", f"numbers go from {-t.ANY_INT.hi} to {t.ANY_INT.hi}",
                    f"数は {-t.ANY_INT.hi} から {t.ANY_INT.hi} までです")
                return Val(t.Int(n, n), (ir.Const(n),))
            case ast.Constant(value=None):
                return Val(t.NOTHING, ())
            case ast.Constant(value=float()):
                raise self.refuse(
                    node, "no-fractions", "there are no fractions, only whole numbers", "小数はありません。整数だけです",
                    ("use // for division that rounds down", "切り捨ての割り算 // を使ってください"))
            case ast.Constant() | ast.JoinedStr():
                raise self.refuse(
                    node, "no-text", "text is not a value of the rules", "文字列は規則の値ではありません",
                    ("use a member of an enumeration", "列挙の構成要素を使ってください"))
            case ast.Name(id=name):
                return self.name_meaning(node, name)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript(value=of, slice=key):
                return self.subscript(node, of, key)
            case ast.BoolOp(op=op, values=values):
                parts = [self.test(v) for v in values]
                return Val(
                    t.BOOL,
                    (both(parts, self.mark(node)) if isinstance(op, ast.And) else either(parts, self.mark(node)),),
                )
            case ast.UnaryOp(op=ast.Not(), operand=a):
                return Val(t.BOOL, (negate(self.test(a), self.mark(node)),))
            case ast.UnaryOp(op=ast.USub(), operand=a):
                v = self.number(a)
                return Val(t.Int(-v.type.hi, -v.type.lo), (unary("neg", v.expr, self.mark(node)),))
            case ast.UnaryOp(operand=a):
                raise self.refuse(
                    node, "unknown-operator", f"`{ast.unparse(node)}`: this operator is outside the language",
                    f"`{ast.unparse(node)}`: この演算はありません",
                    (f"write `{ast.unparse(a)}`; to add it to what is there: `+= {ast.unparse(a)}`",
                     f"`{ast.unparse(a)}` と書いてください（今の値に足すなら `+= {ast.unparse(a)}`）") if isinstance(node.op, ast.UAdd)
                    else ("there are - and not", "あるのは - と not です"))
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
                return self.call(node)
            case ast.Await():
                raise self.refuse_await(
                    node,
                    (
                        f"write `answer = {ast.unparse(node)}` first, then use `answer`",
                        f"先に `answer = {ast.unparse(node)}` と書き、次に `answer` を使ってください",
                    ),
                )
            case ast.Lambda():
                raise self.refuse(
                    node, "lambda", "a lambda stands only in abandon_when(…)", "lambda は abandon_when(…) の中だけです",
                    ("make it a @define", "@define にしてください"))
            case ast.Yield() | ast.YieldFrom():
                raise self.refuse(
                    node, "yield", "there is no `yield`", "`yield` はありません",
                    ("`await choose(…)` where somebody decides", "誰かが決める所では `await choose(…)` と書いてください"))
            case (
                ast.ListComp() | ast.List() | ast.Dict() | ast.DictComp() | ast.Tuple() | ast.Slice() | (ast.Starred())
            ):
                raise self.refuse(
                    node, "no-lists", "there are no lists, tuples or dictionaries", "リスト・タプル・辞書はありません",
                    ("use a set {…}, a Record, or a field Per[…, …] of the state",
                     "集合 {…}、Record、状態の Per[…, …] を使ってください"))
            case ast.NamedExpr():
                raise self.refuse(
                    node, "walrus", "`:=` is outside the language", "`:=` は使えません",
                    ("assign on a line of its own", "別の行で代入してください"))
            case _:
                raise self.refuse(
                    node, "unknown-expression", f"{type(node).__name__} is outside the rule language",
                    f"{type(node).__name__} は規則言語にありません")

    def name_meaning(self, node: ast.expr, name: str) -> Meaning:
        if name in self.names:
            return self.names[name]
        if name in self.broken:
            raise Refused
        d = self.d
        match name:
            case "FIRST" | "SECOND":
                return Val(d.player, (ir.Const(int(name == "SECOND")),))
            case "PLAYERS":
                return Val(t.SetType(d.player), (ir.Const(3),))
            case "CARDS":
                nowhere = ir.ZoneCards(ir.Const(-1)) if self.scope.world.partly else FALSE
                return Val(t.SetType(d.card), (binary("without", ir.Const((1 << d.card.count) - 1), nowhere),))
            case "NO_CAUSE":
                return Val(d.cause, tuple(ir.Const(t.blank(s)) for s in d.cause.flat()))
        if name in d.constants:
            n = d.constant_int(*d.constants[name])
            return Val(t.Int(n, n), (ir.Const(n),))
        if name in d.ranges:
            r = d.ranges[name]
            return Val(t.SetType(r), (ir.Const((1 << (r.hi - r.lo + 1)) - 1),))
        if isinstance(of := d.types.get(name), t.EnumType):
            return Val(t.SetType(of), (ir.Const((1 << of.count) - 1),))
        if name in d.rules:
            name = in_place_of(node) or name
            raise self.refuse(
                node, "rule-as-value", f"the rule `{name}` is not a value", f"規則 `{name}` は値ではありません",
                (f"call it: `{name}(…)`", f"`{name}(…)` と呼び出してください"))
        if name in VOCABULARY:
            usage = USAGE.get(name)
            raise self.refuse(
                node, "word-as-value", f"`{name}` is not a value", f"`{name}` は値ではありません",
                None if usage is None else (f"write `{usage}`", f"`{usage}` と書いてください"))
        self.demand(
            name not in self.ended, node, "loop-is-over", f"`{name}` ends with its loop", f"`{name}` は繰り返しの中だけの名前です",
            ("keep what you need in a local", "必要な値は変数に入れておいてください"))
        raise self.d.unknown(node, name, self.at, self.names)

    def attribute(self, node: ast.Attribute) -> Meaning:
        match node.value:
            case ast.Name(id=enum) if isinstance(of := self.d.types.get(enum), t.EnumType) and enum not in self.names:
                members = of.of_book if node.attr in of.of_book else of.members
                if node.attr not in members:
                    raise self.d.no_member(node, of, node.attr, self.at)
                return Val(of, (ir.Const(members.index(node.attr)),))
            case ast.Call(func=ast.Name(id=cls), args=[subject], keywords=[]) if cls in self.d.definitions:
                return self.printed(node, cls, subject)
            case _:
                return self.field(self.meaning(node.value), node.attr, node)

    def field(self, m: Meaning, name: str, node: ast.AST) -> Meaning:
        """A field of the state, of a record, or of the event."""
        match m:
            case StateRef(part=part):
                known = [f.name for f in self.d.fields[part or self.d.state_class]]
                lies = self.scope.nodes.get(name)
                if name in known and lies is not None:
                    return Place(lies, (), name)
                if name in known:
                    raise Refused
                if lies is not None:
                    raise self.not_in_part(node, part, name)
            case Place(node=Fields() as record):
                inside = dict(record.nodes).get(name)
                if inside is not None:
                    return Place(inside, m.keys, name)
                known = [f for f, _ in record.nodes]
            case Val(type=t.RecordType() as of):
                known = [f for f, _ in of.fields]
                if name in known:
                    at, inner = of.offset(name)
                    return Val(inner, m.parts[at : at + inner.width])
            case EventRef(fields=fields, known=names):
                found = dict(fields)
                if name in found:
                    return found[name]
                if name in names:
                    raise Refused
                known = list(names or found)
            case _:
                raise self.no_fields(m, name, node)
        what = str(m.type) if isinstance(m, Val) else m.name if isinstance(m, Place) else ""
        both = {StateRef: ("the state", "状態"), EventRef: ("the event", "事象")}.get(type(m), (what, what))
        raise self.d.no_field(node, *both, name, known, self.at)

    def not_in_part(self, node: ast.AST, part: str, name: str) -> Refused:
        """A rule of a part of the state uses a field of another part."""
        has = next((p for p in self.d.parts if any(f.name == name for f in self.d.fields[p])), self.d.state_class)
        return self.refuse(
            node, "not-in-part", f"`{part}` has no field `{name}`: it stands in `{has}`",
            f"`{part}` に項目 `{name}` はありません（`{has}` の項目です）",
            (f"let the rule work on `{has}`, or pass what it needs", f"規則の状態を `{has}` にするか、必要な値を渡してください"))

    def printed(self, node: ast.Attribute, cls: str, subject: ast.expr) -> Val:
        """`Printed(card).power`."""
        fields = {f.name: f for f in self.d.fields[cls]}
        if node.attr not in fields:
            raise self.d.no_field(node, cls, cls, node.attr, list(fields), self.at)
        index = self.scalar(subject, self.d.ability if self.d.definitions[cls] else self.d.card)
        table, of, same = self.scope.facts.printed(cls, node.attr)
        if same is not None:
            return Val(of, (ir.Const(same),))
        return Val(of, (ir.Table(table, index, at=self.mark(node)),))

    def subscript(self, node: ast.Subscript, of: ast.expr, key: ast.expr) -> Meaning:
        m = self.meaning(of)
        keys = key.elts if isinstance(key, ast.Tuple) else [key]
        for k in keys:
            match m:
                case Place(node=Keyed(key=kt, of=inner)):
                    v = self.coerce(self.value(k), kt, k)
                    m = Place(inner, (*m.keys, (kt, self.fit(v, k).expr)), m.name)
                case Place(node=Container(info=info)) if info.is_pool:
                    m = self.entry(info, self.scalar(k, info.ref))
                case _:
                    hint = None
                    if isinstance(m, Place) and isinstance(m.node, Zones | Container):
                        hint = (
                            "its members have no numbers: let somebody choose one, or use last(…), first(…) on a Pile",
                            "中身に番号はありません。誰かに選ばせるか、Pile なら last(…), first(…) を使ってください",
                        )
                    raise self.refuse(
                        node, "not-indexable", f"`{ast.unparse(of)}` takes no key", f"`{ast.unparse(of)}` に添字は付けられません",
                        hint)
        return m

    def binary_operation(
        self,
        node: ast.BinOp,
        a: ast.expr,
        op: ast.operator,
        b: ast.expr,
        expect: t.Type | None,
    ) -> Meaning:
        x, y = self.meaning(a, expect), self.meaning(b, expect)
        if isinstance(x, Offers) or isinstance(y, Offers):
            self.demand(
                isinstance(op, ast.BitOr), node, "offers-operation", "sets of records can only be joined with `|`",
                "Record の集合は `|` で合わせるだけです")
            return self.join_offers(self.as_offers(x, a), self.as_offers(y, b), node)
        v, w = self.load(x, a), self.load(y, b)
        if isinstance(v.type, t.SetType | t.EmptySetType | t.ZoneType) or isinstance(
            w.type, t.SetType | t.EmptySetType | t.ZoneType
        ):
            self.demand(
                type(op) in SETWISE, node, "set-operation", "sets are combined with | & - ^", "集合の演算は | & - ^ です",
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
            raise self.refuse(
                node, "unknown-operator", f"`{ast.unparse(node)}`: this operator is outside the language",
                f"`{ast.unparse(node)}`: この演算はありません", hint)
        v, w = self.number(a), self.number(b)
        name = ARITHMETIC[type(op)]
        of = t.Int(*bounds_of(name, (v.type.lo, v.type.hi), (w.type.lo, w.type.hi)))
        return Val(of, (binary(name, v.expr, w.expr, self.mark(node)),))

    def comparison(self, node: ast.Compare, a: ast.expr, op: ast.cmpop, b: ast.expr) -> ir.Expr:
        if isinstance(op, ast.Is | ast.IsNot):
            if not (isinstance(b, ast.Constant) and b.value is None):
                raise self.refuse(
                    node, "is-not-none", "`is` is only for None", "`is` は None とだけ使います",
                    ("write `==`", "`==` と書いてください"))
            v = self.value(a)
            if isinstance(v.type, t.NothingType):
                return TRUE if isinstance(op, ast.Is) else FALSE
            if not isinstance(v.type, t.OptionType):
                raise self.refuse(
                    node, "never-none", "this is never none", "これが「なし」になることはありません", ("drop the test", "この条件は要りません"))
            return binary("eq" if isinstance(op, ast.Is) else "ne", v.expr, ir.Const(v.type.none), self.mark(node))
        if isinstance(op, ast.In | ast.NotIn):
            e = self.membership(node, a, b)
            return e if isinstance(op, ast.In) else negate(e, self.mark(node))
        if isinstance(a, ast.Constant) and isinstance(a.value, str):
            a, b = b, a
        if isinstance(b, ast.Constant) and isinstance(b.value, str):
            e = self.alternative(node, self.value(a), b.value)
            self.demand(
                type(op) in (ast.Eq, ast.NotEq),
                node, "text-comparison", "a reading is compared with == or !=", "解釈は == か != で比べます"
            )
            return e if isinstance(op, ast.Eq) else negate(e)
        v = self.value(a)
        w = self.value(b)
        if type(op) in (ast.Lt, ast.LtE, ast.Gt, ast.GtE):
            self.demand(
                not isinstance(v.type, t.SetType) or not isinstance(w.type, t.SetType), node, "set-order",
                "sets are not compared with < or >", "集合は < や > で比べません",
                ("write `all(x in b for x in a)`", "`all(x in b for x in a)` のように書いてください"))
            x, y = self.number(a).expr, self.number(b).expr
            return binary(COMPARE[type(op)], x, y, self.mark(node))
        if isinstance(v.type, t.SetType | t.ZoneType | t.EmptySetType) and type(w.type) is not type(v.type):
            v, w = self.as_set(v, a), self.as_set(w, b)
        if not (
            isinstance(v.type, t.Int) and isinstance(w.type, t.Int)
        ):  # numbers are compared whatever their ranges are
            of = self.join(v.type, w.type, node)
            v, w = self.coerce(v, of, a), self.coerce(w, of, b)
        same = both(
            [binary("eq", x, y, self.mark(node)) for x, y in zip(v.parts, w.parts, strict=True)], self.mark(node)
        )
        return same if isinstance(op, ast.Eq) else negate(same, self.mark(node))

    def conditional(self, node: ast.IfExp, test: ast.expr, a: ast.expr, b: ast.expr, expect: t.Type | None) -> Meaning:
        c = self.test(test)
        x, y = self.meaning(a, expect), self.meaning(b, expect)
        if isinstance(x, Offers) or isinstance(y, Offers):
            xs, ys = self.as_offers(x, a), self.as_offers(y, b)
            return self.join_offers(self.guard(xs, c), self.guard(ys, negate(c)), node)
        self.demand(
            not isinstance(x, OpenDecider) and not isinstance(y, OpenDecider), node, "open-in-condition",
            "here a decider is either named or OPEN, not both", "ここでは、決める人は名指すか OPEN かのどちらかです",
            ("give the answer a name first: `x = await …`", "先に答えに名前を付けてください: `x = await …`"))
        v, w = self.load(x, a), self.load(y, b)
        of = expect or self.join(v.type, w.type, node)
        v, w = self.coerce(v, of, a), self.coerce(w, of, b)
        return Val(of, tuple(pick(c, p, q, self.mark(node)) for p, q in zip(v.parts, w.parts, strict=True)))

