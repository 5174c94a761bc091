"""Assignment to locals and to places of the state; `match` over records, members of enumerations, and none, and whether it covers every value of its subject."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, both, either, unary
from ..ir.program import Container, Fields, Keyed, Leaf, Zones, size, unkeyed
from .code import as_load
from .doing import DoingLowering
from .source import Refused, meant
from .values import Meaning, Place, Val, Variable, said


class AssignLowering(DoingLowering):
    """Translates assignments and `match`."""

    def assign(self, s: ast.stmt, target: ast.expr, value: ast.expr, declared: t.Type | None) -> None:
        match target:
            case ast.Name(id=name):
                self.assign_local(s, name, value, declared)
            case ast.Attribute() | ast.Subscript():
                self.effect_allowed(s, "this", "状態への代入")
                m = self.meaning(target)
                node, everywhere = m.node if isinstance(m, Place) else None, False
                match node, value:
                    case Keyed(), ast.Call(func=ast.Name(id="each"), args=[same]):
                        node, value, everywhere = unkeyed(node), same, True
                v = self.done_or_value(value, node.type if isinstance(node, Leaf | Fields) else None, "result")
                if everywhere and not all(isinstance(part, ir.Const) for part in v.parts):
                    kept = self.declare_variable("each", v.type)
                    self.store_variable(kept, v, s)
                    v = kept
                self.assign_place(s, m, v, target, everywhere)
            case _:
                raise self.refuse(
                    target, "assign-where", "assign to a local or to a field of the state", "代入先は変数か状態の項目です")

    def assign_several(self, s: ast.stmt, targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> None:
        """`a, b = x, y`: all values are worked out before anything is assigned."""
        kept = [f"part {k} of line {s.lineno}" for k in range(len(values))]
        for name, v in zip(kept, values, strict=True):
            self.names.pop(name, None)
            self.assign_local(s, name, v, None)
        for target, name in zip(targets, kept, strict=True):
            self.assign(s, target, ast.copy_location(ast.Name(name, ast.Load()), s), None)

    def assign_local(self, s: ast.stmt, name: str, value: ast.expr, declared: t.Type | None) -> None:
        named = self.names.get(name)
        known = named if isinstance(named, Variable) else None
        self.demand(
            named is known and not self.is_constant(name),
            s,
            "assign-fixed",
            f"`{name}` is the name of something else already",
            f"`{name}` はすでに別のものの名前です",
            ("use another name", "別の名前にしてください"),
        )
        want = declared or (known.type if known is not None else None)
        v = self.done_or_value(value, want, name)
        if want is None and self.is_done(value):
            self.names[name] = v
            return
        if declared is not None and known is not None and declared != known.type:
            raise self.refuse(
                s, "two-types", f"`{name}` is {said(known.type)} already", f"`{name}` はすでに「{said(known.type, True)}」です",
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

    def assign_place(self, s: ast.stmt, m: Meaning, v: Val, target: ast.expr, everywhere: bool = False) -> None:
        """The place gets the value; `everywhere`: for each key that is not given."""
        match m:
            case Place(node=Keyed(key=key, of=inner)) if everywhere:
                rest, k = self.new_local("rest", t.SetType(key)), self.new_local("each", key)
                self.put(ir.Assign(rest, ir.Const((1 << size(key)) - 1), at=self.mark(s)))
                with self.for_members(rest, k, self.mark(s), key.lo):
                    self.assign_place(s, Place(inner, (*m.keys, (key, ir.Local(k))), m.name), v, target, True)
            case Place(node=Leaf(type=of)) | Val(type=of):
                self.store(s, m, self.coerce(v, of, target), target, "set")
            case Place(node=Fields(type=of, nodes=nodes)):
                v = self.coerce(v, of, target)
                for (f, n), (_, part, values) in zip(nodes, of.parts(v.parts), strict=True):
                    self.assign_place(s, Place(n, m.keys, f), Val(part, tuple(values)), target)
            case Place(node=Zones()):
                raise self.refuse(
                    target, "assign-zone", "cards are moved, zones are not assigned", "領域には代入できません",
                    ("write `put(card, zone)`", "`put(カード, 領域)` と書いてください"))
            case Place(node=Container()):
                raise self.refuse(
                    target, "assign-container", f"`{ast.unparse(target)}` is not assigned as a whole",
                    f"`{ast.unparse(target)}` には代入できません",
                    ("use add(…), remove(…), clear()", "add(…), remove(…), clear() を使ってください"))
            case Place(node=Keyed()):
                raise self.refuse(
                    target, "missing-key", f"`{ast.unparse(target)}` needs a key", f"`{ast.unparse(target)}` に添字が要ります",
                    (f"write `{ast.unparse(target)}[…] = …`, or `= each(…)`", f"`{ast.unparse(target)}[…] = …` か `= each(…)` と書いてください"))
            case _:
                raise self.assign_where(target)

    def change(self, s: ast.stmt, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        """`place += value`. What happens to places of the state is an increase (a union …), not a new value: inside
        `simultaneously` several of them add up."""
        if any(isinstance(n, ast.Await) for n in ast.walk(value)):
            raise self.refuse_await(
                value,
                ("write `n = await …` first", "先に `n = await …` と書いてください"),
            )
        if not isinstance(target, ast.Name):
            self.effect_allowed(s, "this", "状態への代入")
            m = self.meaning(target)
            match m, op:
                case (Place(node=Leaf(type=t.Int() as of)) | Val(type=t.Int() as of)), ast.Add() | ast.Sub():
                    v = self.number(value)
                    e = v.expr if isinstance(op, ast.Add) else unary("neg", v.expr, self.mark(value))
                    self.store(s, m, Val(of, (e,)), target, "add")
                    return
                case (Place(node=Leaf(type=t.SetType() as of)) | Val(type=t.SetType() as of)), ast.BitOr() | ast.Sub():
                    v = self.as_set(self.value(value, of if isinstance(value, ast.Set | ast.SetComp) else None), value)
                    self.store(
                        s, m, self.coerce(v, of, value), target, "union" if isinstance(op, ast.BitOr) else "without"
                    )
                    return
        read = ast.copy_location(ast.BinOp(as_load(target), op, value), s)
        self.assign(s, target, read, None)

    # ------------------------------------------------------------ match
    def match(self, s: ast.Match, subject: ast.expr, cases: Sequence[ast.match_case]) -> None:
        try:
            v = self.steady(self.done_or_value(subject, None, "subject"), subject, s)
        except Refused:
            for case in cases:
                self.broken |= {
                    n.name for n in ast.walk(case.pattern) if isinstance(n, ast.MatchAs | ast.MatchStar) and n.name
                }
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
                self.broken |= {
                    n.name
                    for n in ast.walk(case.pattern)
                    if isinstance(n, ast.MatchAs) and n.name is not None and not self.is_constant(n.name)
                }
                test, binds = TRUE, {}
                open_end = False
            if test == FALSE:  # it cannot come about in this scenario, and is checked all the same
                self.checked_block((), case.body)
                self.names = {**self.names, **outer}
                continue
            other = [] if test == TRUE else [self.put(ir.Branch(test, -1, at=self.mark(case.pattern)))]
            self.block(case.body)
            ends.append(self.put(ir.Jump(-1, at=self.mark(case.pattern))))
            self.land(*other)
            self.names = {k: x for k, x in self.names.items() if k in outer or k not in binds}
            self.names.update({k: outer[k] for k in binds if k in outer})
        left = missing([[c.pattern] for c in cases if c.guard is None], [v.type]) if open_end else None
        if left is not None:
            raise self.refuse(
                s, "match-not-exhaustive",
                f"no case covers {left[0]}" if left != ["_"] else "not every value is covered",
                f"{left[0]} の場合がありません" if left != ["_"] else "どの case にも当てはまらない値があります",
                ("add a case for it; `case _: pass` if nothing happens then",
                 "case を加えてください。何も起こらないなら `case _: pass` です"))
        self.land(*ends)

    def steady(self, v: Val, node: ast.AST, s: ast.Match) -> Val:
        """The value kept in locals, so that the cases look at it once, and at what it was."""
        changed = {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        moving = {x for name in changed if isinstance(y := self.names.get(name), Variable) for x in y.locals}
        if all(
            isinstance(p, ir.Const | ir.Answer) or (isinstance(p, ir.Local) and p.index not in moving) for p in v.parts
        ):
            return v
        x = self.declare_variable("subject", v.type)
        self.store_variable(x, v, node)
        return x

    def pattern(self, p: ast.pattern, v: Val) -> tuple[ir.Expr, dict[str, Meaning]]:
        """When the pattern fits the value, and what its names then stand for."""
        match p:
            case ast.MatchAs(pattern=None, name=None):
                return TRUE, {}
            case ast.MatchAs(pattern=None, name=str() as name):
                self.demand(
                    not self.is_constant(name), p, "capture-of-constant",
                    f"`case {name}` would fit everything, and call it `{name}`", f"`case {name}` はどんな値にも当てはまってしまいます",
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
                    self.demand(
                        not binds, q, "or-pattern", "alternatives of a pattern give no names", "| で並べた形に名前は付けられません")
                    tests.append(test)
                return either(tests, self.mark(p)), {}
            case ast.MatchClass(cls=ast.Name(id=name), patterns=positional, kwd_attrs=keys, kwd_patterns=named):
                return self.record_pattern(p, name, v, positional, dict(zip(keys, named, strict=True)))
            case _:
                raise self.refuse(
                    p, "unknown-pattern", "this pattern is outside the language", "この形の case は規則言語にありません",
                    ("use a record, a member of an enumeration, None or _", "Record・列挙の構成要素・None・_ を使ってください"))

    def record_pattern(
        self,
        p: ast.pattern,
        name: str,
        v: Val,
        positional: Sequence[ast.pattern],
        named: dict[str, ast.pattern],
    ) -> tuple[ir.Expr, dict[str, Meaning]]:
        match v.type:
            case t.UnionType():
                try:
                    tag, at, record = v.type.offset(name)
                except KeyError:
                    raise self.not_a_variant(p, name, v.type) from None
                tests: list[ir.Expr] = [binary("eq", v.parts[0], ir.Const(tag), self.mark(p))]
                parts = v.parts[at : at + record.width]
            case t.RecordType(name=own) if own == name:
                record, parts, tests = v.type, v.parts, []
            case _:
                raise self.not_a_variant(p, name, v.type)
        self.demand(
            len(positional) <= len(record.fields), p, "argument-extra", f"{name} has {len(record.fields)} field(s)",
            f"{name} の項目は {len(record.fields)} 個です")
        inner = [(record.fields[k][0], q) for k, q in enumerate(positional)] + list(named.items())
        binds: dict[str, Meaning] = {}
        for f, q in inner:
            try:
                off, of = record.offset(f)
            except KeyError:
                raise self.d.no_field(q, name, name, f, [n for n, _ in record.fields], self.at) from None
            test, more = self.pattern(q, Val(of, parts[off : off + of.width]))
            tests.append(test)
            binds.update(more)
        return both(tests, self.mark(p)), binds

    def not_a_variant(self, p: ast.pattern, name: str, of: t.Type) -> Refused:
        known = [v.name for v in self.d.variants(of)]
        return self.refuse(
            p, "not-a-variant", f"this is {said(of)}, never {name}", f"これは「{said(of, True)}」で、{name} にはなりません",
            meant(name, known, (f"it is {' or '.join(known)}", f"あるのは {'、'.join(known)} です") if known else None))


# ---------------------------------------------------------------- does a `match` cover every value of its subject?
Row = Sequence[ast.pattern]
ANYTHING = ast.MatchAs()


def missing(rows: Sequence[Row], types: Sequence[t.Type], budget: int = 20_000) -> list[str] | None:
    """An example of values (as text, one for each type) that no row covers; None if there is none."""
    if not types:
        return None if rows else []
    if budget <= 0:
        return None
    first, rest = types[0], types[1:]
    opened = [(p, row[1:]) for row in rows for p in alternatives(row[0])]
    constructors = constructors_of(first)
    if constructors is None:
        left = missing([r for p, r in opened if isinstance(p, ast.MatchAs)], rest, budget - 1)
        return None if left is None else ["_", *left]
    for name, inside in constructors:
        matching: list[Row] = []
        for p, r in opened:
            parts = taken_apart(p, name, inside)
            if parts is not None:
                matching.append([*parts, *r])
        left = missing(matching, [*(of for _, of in inside), *rest], budget // max(1, len(constructors)))
        if left is not None:
            n = len(inside)
            shown = f"{name}({', '.join(left[:n])})" if n or isinstance(first, t.RecordType | t.UnionType) else name
            return [shown, *left[n:]]
    return None


def alternatives(p: ast.pattern) -> list[ast.pattern]:
    """The pattern without `|` and `as`."""
    match p:
        case ast.MatchOr(patterns=patterns):
            return [q for x in patterns for q in alternatives(x)]
        case ast.MatchAs(pattern=ast.pattern() as q):
            return alternatives(q)
        case _:
            return [p]


def constructors_of(of: t.Type) -> list[tuple[str, tuple[tuple[str, t.Type], ...]]] | None:
    """The forms a value can have, each with its fields; None where they are too many to list."""
    match of:
        case t.Bool():
            return [("True", ()), ("False", ())]
        case t.PlayerType():
            return [("FIRST", ()), ("SECOND", ())]
        case t.EnumType(name=name, members=members):
            return [(f"{name}.{m}", ()) for m in members]
        case t.ReadingType(alternatives=names):
            return [(repr(n), ()) for n in names]
        case t.RecordType(name=name, fields=fields):
            return [(name, fields)]
        case t.UnionType(variants=variants):
            return [(v.name, v.fields) for v in variants]
        case t.Int() if of.hi - of.lo < 64:
            return [(str(n), ()) for n in range(of.lo, of.hi + 1)]
        case t.OptionType(inner=inner):
            some = constructors_of(inner)
            return None if some is None else [("None", ()), *some]
        case _:
            return None


def taken_apart(p: ast.pattern, name: str, fields: tuple[tuple[str, t.Type], ...]) -> Row | None:
    """What the pattern asks of the fields of this form; None if it does not fit the form."""
    match p:
        case ast.MatchAs(pattern=None):
            return [ANYTHING] * len(fields)
        case ast.MatchSingleton(value=value):
            return [] if str(value) == name else None
        case ast.MatchValue(value=value):
            return [] if ast.unparse(value) == name else None
        case ast.MatchClass(cls=ast.Name(id=cls), patterns=positional, kwd_attrs=keys, kwd_patterns=named) if (
            cls == name
        ):
            given = dict(zip([f for f, _ in fields], positional, strict=False)) | dict(zip(keys, named, strict=True))
            return [given.get(f, ANYTHING) for f, _ in fields]
        case _:
            return None

