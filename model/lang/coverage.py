"""Does a `match` cover every value of its subject?"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..ir import types as t

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
        left = missing([r for p, r in opened if is_anything(p)], rest, budget - 1)
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


def is_anything(p: ast.pattern) -> bool:
    return isinstance(p, ast.MatchAs) and p.pattern is None


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


def example(cases: Sequence[ast.match_case], of: t.Type) -> str | None:
    """A value of the type that no case covers; None if all are covered."""
    found = missing([[c.pattern] for c in cases if c.guard is None], [of])
    return None if found is None else found[0]
