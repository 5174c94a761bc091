"""Sets, comprehensions and what is offered to somebody."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import prod
from typing import Literal

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, both, either, pick, unary
from ..ir.program import ContainerInfo, Zones, size, unkeyed
from ..ir.ranges import binary as bounds_of
from .conversions import ConversionLowering
from .values import Meaning, Offers, Place, Val, container, said


class SetLowering(ConversionLowering):
    """Translates sets of scalars to masks and folds, and sets of records to offers."""

    def membership(self, node: ast.AST, a: ast.expr, b: ast.expr) -> ir.Expr:
        if (
            isinstance(b, ast.Set | ast.Tuple)
            and b.elts
            and all(isinstance(x, ast.Constant) and isinstance(x.value, str) for x in b.elts)
        ):
            v = self.value(a)
            return either([self.alternative(x, v, str(x.value)) for x in b.elts if isinstance(x, ast.Constant)])
        m = self.meaning(b)
        if isinstance(m, Place) and isinstance(zones := unkeyed(m.node), Zones):
            v = self.value(a)
            if isinstance(t.some(v.type), t.ZoneType):
                z = self.coerce(v, self.d.zone(), a).expr
                self.demand(
                    not m.keys, node, "zone-in-some", "ask whether a zone belongs to the whole field",
                    "領域が属するかどうかは、項目全体に対して尋ねます",
                    ("write `zone in g.field`, or compare with `==`", "`zone in g.項目` か `==` を使ってください"))
                mask = ((1 << prod(map(size, zones.keys))) - 1) << zones.base
                return binary("member", z, ir.Const(mask), self.mark(node))
        if (info := container(m)) is not None:
            v = self.value(a, info.type)
            k = self.new_local("entry", t.Int(0, info.capacity))
            same = both([binary("eq", c, x) for c, x in zip(self.entry(info, ir.Local(k)).parts, v.parts, strict=True)])
            return ir.Fold("any", k, self.entries(info), TRUE, same, at=self.mark(node))
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
        return both([there, binary("member", binary("sub", e, ir.Const(s.type.inner.lo)), s.expr, self.mark(node))])

    # ------------------------------------------------------------ sets and comprehensions
    def set_literal(self, node: ast.Set, elts: Sequence[ast.expr], expect: t.Type | None) -> Meaning:
        values = [self.value(e) for e in elts]
        if any(isinstance(v.type, t.RecordType | t.UnionType) for v in values):
            of = self.d.union_type([x for v in values for x in self.d.variants(v.type)])
            return Offers(
                of,
                tuple(
                    ir.Offer((), TRUE, self.coerce(v, of, e).parts, at=self.mark(e))
                    for v, e in zip(values, elts, strict=True)
                ),
            )
        of = values[0].type
        for v in values[1:]:
            of = self.join(of, v.type, node)
        of = self.member_type(of)
        self.demand(
            not isinstance(of, t.NothingType | t.ZoneType) and of.width == 1 and not isinstance(of, t.SetType), node,
            "set-of-that", f"there are no sets of {of}", f"{of} の集合はありません")
        if isinstance(of, t.Int):
            of = self.narrow_members(of, expect)
        out: ir.Expr = FALSE
        for v, e in zip(values, elts, strict=True):
            x = self.fit(self.coerce(v, of, e), e).expr
            out = binary("union", out, unary("single", binary("sub", x, ir.Const(of.lo))), self.mark(node))
        return Val(t.SetType(of), (out,))

    def member_type(self, of: t.Type) -> t.Type:
        """The type of what a value is in a set: never none, and no object, but the card."""
        return self.d.card if isinstance(t.some(of), t.ObjType) else t.some(of)

    def narrow_members(self, of: t.Int, expect: t.Type | None) -> t.Int:
        """The range of a set of numbers: that of the set wanted, else the numbers' own, else 0..255."""
        if isinstance(expect, t.SetType) and isinstance(expect.inner, t.Int):
            return expect.inner
        return of if of.hi - of.lo < 256 else t.Int(0, 255)

    def entries(self, info: ContainerInfo) -> ir.Expr:
        """The mask of the numbers of the entries of a multiset, or of the used places of a pool."""
        head = ir.Load(info.head)
        return head if info.is_pool else unary("below", head)

    def entry(self, info: ContainerInfo, index: ir.Expr) -> Val:
        """The entry of a multiset or pool with this number."""
        return Val(info.type, tuple(ir.Load(c, index, info.capacity) for c in info.columns))

    def one_of(self, info: ContainerInfo, name: str) -> tuple[int, Val]:
        """A local for the numbers of its entries, and what its name stands for: the entry, or of a pool a reference to it."""
        var = self.new_local(name, t.Int(0, info.capacity - 1))
        return var, Val(info.ref, (ir.Local(var),)) if info.is_pool else self.entry(info, ir.Local(var))

    @contextmanager
    def inner_names(self) -> Iterator[None]:
        """Names that are made within are over behind it."""
        old = dict(self.names)
        try:
            yield
        finally:
            self.ended |= self.names.keys() - old.keys()
            self.names = old

    @contextmanager
    def bound(self, gens: Sequence[ast.comprehension]) -> Iterator[tuple[list[ir.Binder], list[ir.Expr]]]:
        """Binders, each with its tests, of the `for … if …` parts; their variables are names within."""
        binders: list[ir.Binder] = []
        tests: list[ir.Expr] = []
        with self.inner_names():
            for gen in gens:
                if gen.is_async or not isinstance(gen.target, ast.Name):
                    raise self.refuse(
                        gen.target, "loop-variable", "one plain name goes through the set", "変数は一つの名前にします"
                    )
                binders.append(self.binder(gen.target, gen.target.id, gen.iter))
                tests.append(both([self.test(i) for i in gen.ifs]))
            yield binders, tests

    def binder(self, target: ast.expr, name: str, over: ast.expr) -> ir.Binder:
        """The variable of a `for` part becomes a name."""
        m = self.meaning(over)
        if (info := container(m)) is not None:
            var, self.names[name] = self.one_of(info, name)
            return ir.Binder(var, self.entries(info), at=self.mark(target))
        s = self.as_set(self.load(m, over), over)
        inner = s.type.inner if isinstance(s.type, t.SetType) else t.Int(0, 0)
        var = self.new_local(name, inner)
        self.names[name] = Val(inner, (ir.Local(var),))
        return ir.Binder(var, s.expr if s.parts else FALSE, inner.lo, at=self.mark(target))

    def comprehension(
        self,
        node: ast.SetComp | ast.GeneratorExp,
        expect: t.Type | None,
        offered: bool = False,
    ) -> Meaning:
        """`{elt for …}`: a set of scalars, or offers where the elements are records; always offers where it is given
        to somebody to choose from (for chance, each way to find an element counts)."""
        with self.bound(node.generators) as (binders, tests):
            v = self.value(node.elt)
            if isinstance(v.type, t.RecordType | t.UnionType | t.CauseType):
                return Offers(v.type, (self.offer(binders, tests, v, node),))
            v = self.coerce(v, t.some(v.type), node.elt)
            of = self.member_type(v.type)
            self.demand(
                v.type.width == 1 and not isinstance(of, t.SetType | t.EmptySetType | t.ZoneType),
                node, "set-of-that", f"there are no sets of {said(of)}", f"{said(of, True)} の集合はありません"
            )
            if offered:
                return Offers(of, (self.offer(binders, tests, Val(of, v.parts), node),))
            if isinstance(of, t.Int):
                of = self.narrow_members(of, expect)
            element = binary("sub", self.fit(Val(of, v.parts), node.elt).expr, ir.Const(of.lo))
            return Val(t.SetType(of), (self.fold("set", binders, tests, element, node),))

    def offer(self, binders: Sequence[ir.Binder], tests: Sequence[ir.Expr], v: Val, node: ast.AST) -> ir.Offer:
        """One offer; what an inner variable goes through is only looked at where the tests before it hold."""
        out: list[ir.Binder] = []
        before: list[ir.Expr] = []
        for b, test in zip(binders, tests, strict=True):
            out.append(replace(b, domain=pick(both(before), b.domain, FALSE)))
            before.append(test)
        return ir.Offer(tuple(out), both(before[-1:]), v.parts, at=self.mark(node))

    def fold(
        self,
        kind: ir.FoldKind,
        binders: Sequence[ir.Binder],
        tests: Sequence[ir.Expr],
        body: ir.Expr,
        node: ast.AST,
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
        if (
            isinstance(s.expr, ir.Fold)
            and s.expr.kind == "set"
            and s.expr.body == binary("sub", ir.Local(s.expr.var), ir.Const(s.type.inner.lo))
        ):
            f = s.expr
            return Offers(
                s.type.inner,
                (ir.Offer((ir.Binder(f.var, f.domain, f.offset),), f.test, (ir.Local(f.var),), at=self.mark(node)),),
            )
        var = self.new_local("option", s.type.inner)
        return Offers(
            s.type.inner,
            (ir.Offer((ir.Binder(var, s.expr, s.type.inner.lo),), TRUE, (ir.Local(var),), at=self.mark(node)),),
        )

    def join_offers(self, a: Offers, b: Offers, node: ast.AST) -> Offers:
        if not a.offers and isinstance(a.type, t.NothingType):
            return b
        if not b.offers and isinstance(b.type, t.NothingType):
            return a
        of = self.join(a.type, b.type, node)
        out = tuple(
            ir.Offer(o.binders, o.test, self.coerce(Val(x.type, o.values), of, node).parts, at=o.at)
            for x in (a, b)
            for o in x.offers
        )
        return Offers(of, out)

    def guard(self, a: Offers, test: ir.Expr) -> Offers:
        return Offers(
            a.type,
            tuple(ir.Offer(o.binders, both([test, o.test]), o.values, at=o.at) for o in a.offers if test != FALSE),
        )

    def gathered(self, node: ast.Call, kind: ir.FoldKind) -> ast.GeneratorExp | ast.SetComp:
        """What `kind` goes through."""
        g = node.args[0] if len(node.args) == 1 else None
        if not isinstance(g, ast.GeneratorExp | ast.SetComp):
            raise self.refuse(
                node, "gather-form", f"write it as `{kind}(… for x in …)`", f"`{kind}(… for x in …)` の形で書きます"
            )
        return g

    def quantified(self, node: ast.Call, kind: ir.FoldKind) -> Val:
        g = self.gathered(node, kind)
        with self.bound(g.generators) as (binders, tests):
            return Val(t.BOOL, (self.fold(kind, binders, tests, self.test(g.elt), node),))

    def extreme(self, node: ast.Call, op: Literal["min", "max"]) -> Val:
        default = next((k.value for k in node.keywords if k.arg == "default"), None)
        if len(node.args) >= 2:
            values = [self.number(a) for a in node.args]
            of = values[0].type
            out = values[0].expr
            for v in values[1:]:
                of = t.Int(*bounds_of(op, (of.lo, of.hi), (v.type.lo, v.type.hi)))
                out = binary(op, out, v.expr, self.mark(node))
            return Val(of, (out,))
        g = self.gathered(ast.copy_location(ast.Call(node.func, node.args, []), node), op)
        with self.bound(g.generators) as (binders, tests):
            body = self.number(g.elt).expr
        self.demand(
            len(binders) <= 1, node, "nested-extreme", f"`{op}` goes through one set", f"`{op}` は一つの集合にだけ使えます",
            (f"nest them: `{op}({op}(… for y in …) for x in …)`", "入れ子にして書いてください"))
        d = None if default is None else self.number(default).expr
        return Val(t.ANY_INT, (self.fold(op, binders, tests, body, node, d),))
