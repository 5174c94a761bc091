"""`match` over records, members of enumerations, and none."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, both, either
from .assigning import AssignLowering
from .coverage import example
from .source import Refused, meant
from .usage import said
from .values import Meaning, Val, Variable


class MatchLowering(AssignLowering):
    """Translates `match`."""

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
            b = None if test == TRUE else self.put(ir.Branch(test, -1, at=self.mark(case.pattern)))
            self.block(case.body)
            ends.append(self.put(ir.Jump(-1, at=self.mark(case.pattern))))
            if b is not None:
                self.point(b, self.here())
            self.names = {k: x for k, x in self.names.items() if k in outer or k not in binds}
            self.names.update({k: outer[k] for k in binds if k in outer})
        left = example(cases, v.type) if open_end else None
        if left is not None:
            raise self.refuse(
                s,
                "match-not-exhaustive",
                f"no case covers {left}" if left != "_" else "not every value is covered",
                f"{left} の場合がありません" if left != "_" else "どの case にも当てはまらない値があります",
                (
                    "add a case for it; `case _: pass` if nothing happens then",
                    "case を加えてください。何も起こらないなら `case _: pass` です",
                ),
            )
        for k in ends:
            self.point(k, self.here())

    def steady(self, v: Val, node: ast.AST, s: ast.Match) -> Val:
        """The value kept in locals, so that the cases look at it once, and at what it was."""
        changed = {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        moving = {x for name in changed if isinstance(y := self.names.get(name), Variable) for x in y.locals}
        if all(isinstance(p, ir.Const | ir.Answer) or (isinstance(p, ir.Local) and p.index not in moving) for p in v.parts):
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
                self.demand(
                    not self.is_constant(name),
                    p,
                    "capture-of-constant",
                    f"`case {name}` would fit everything, and call it `{name}`",
                    f"`case {name}` はどんな値にも当てはまってしまいます",
                    (f"use `if … == {name}`", f"`if … == {name}` と書いてください"),
                )
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
                        not binds,
                        q,
                        "or-pattern",
                        "alternatives of a pattern give no names",
                        "| で並べた形に名前は付けられません",
                    )
                    tests.append(test)
                return either(tests, self.mark(p)), {}
            case ast.MatchClass(cls=ast.Name(id=name), patterns=positional, kwd_attrs=keys, kwd_patterns=named):
                return self.record_pattern(p, name, v, positional, dict(zip(keys, named, strict=True)))
            case _:
                raise self.refuse(
                    p,
                    "unknown-pattern",
                    "this pattern is outside the language",
                    "この形の case は規則言語にありません",
                    (
                        "use a record, a member of an enumeration, None or _",
                        "Record・列挙の構成要素・None・_ を使ってください",
                    ),
                )

    def record_pattern(
        self,
        p: ast.pattern,
        name: str,
        v: Val,
        positional: Sequence[ast.pattern],
        named: dict[str, ast.pattern],
    ) -> tuple[ir.Expr, dict[str, Meaning | Variable]]:
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
        if len(positional) > len(record.fields):
            raise self.refuse(
                p,
                "argument-extra",
                f"{name} has {len(record.fields)} field(s)",
                f"{name} の項目は {len(record.fields)} 個です",
            )
        inner = [(record.fields[k][0], q) for k, q in enumerate(positional)] + list(named.items())
        binds: dict[str, Meaning | Variable] = {}
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
            p,
            "not-a-variant",
            f"this is {said(of)}, never {name}",
            f"これは「{said(of, True)}」で、{name} にはなりません",
            meant(name, known, (f"it is {' or '.join(known)}", f"あるのは {'、'.join(known)} です") if known else None),
        )
