"""Can control come to the end of a rule, or of a block?"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..ir.flow import successors
from .code import CodeLowering


def reaches_end(low: CodeLowering) -> bool:
    """Does anything lead behind the last instruction (code that nothing comes to included)?"""
    end = len(low.code)
    return (
        not end
        or any(end in successors(i, k) for k, i in enumerate(low.code))
        or any(h.target == end for h in low.handlers)
    )


def falls_through(body: Sequence[ast.stmt]) -> bool:
    """Can control come to the end of the block?"""
    if not body:
        return True
    match body[-1]:
        case ast.Return() | ast.Raise():
            return False
        case ast.Expr(value=ast.Call(func=ast.Name(id="gap" | "conflict" | "not_modelled" | "finish"))):
            return False
        case ast.If(body=a, orelse=b):
            return not b or falls_through(a) or falls_through(b)
        case ast.While(test=ast.Constant(value=True)) as w:
            return breaks_out(w.body)
        case ast.Match(cases=cases):
            return any(falls_through(c.body) for c in cases)
        case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Name(id="abandon_when")))]):
            return True
        case ast.With(body=a):
            return falls_through(a)
        case ast.Try(body=a, handlers=hs):
            return falls_through(a) or any(falls_through(h.body) for h in hs)
        case _:
            return True


def breaks_out(body: Sequence[ast.stmt]) -> bool:
    """Does some `break` in the body of a loop leave that loop?"""
    for s in body:
        match s:
            case ast.Break():
                return True
            case ast.For() | ast.While() | ast.FunctionDef() | ast.AsyncFunctionDef():
                pass
            case _:
                inner = [x for f in ("body", "orelse", "handlers", "cases") for x in getattr(s, f, [])]
                inner = [
                    y for x in inner for y in (x.body if isinstance(x, ast.ExceptHandler | ast.match_case) else [x])
                ]
                if breaks_out(inner):
                    return True
    return False
