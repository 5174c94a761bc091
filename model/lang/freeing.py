"""What becomes of references to an entry of a pool that is freed: an `Option[Ref]` in the state becomes none, as an
`Option[Obj]` does; an entry that cannot do without its reference is a mistake of the rules, and play ends there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import binary, both, either
from ..ir.places import Fields, Keyed, Leaf, PlaceNode
from ..ir.program import ContainerInfo
from .code import CodeLowering


def forgetting(low: CodeLowering, pool: ContainerInfo, node: ast.AST) -> str | None:
    """The step that is done before an entry of the pool is freed, written with `low`, which is fresh; None if nothing in the state
    can refer to it."""
    c = low.scope
    if low.name in c.functions:
        return low.name
    leaves = [leaf for field in c.nodes.values() for leaf in leaves_of(field) if refers(leaf.type, pool)]
    others = [x for x in c.layout.containers.values() if any(refers(of, pool) for of in x.type.flat())]
    if not leaves and not others:
        return None
    freed = ir.Local(low.new_local("freed", pool.ref))
    for x in others:
        keep_or_fault(low, x, pool, freed, node)
    for leaf in leaves:
        blank(low, leaf.base, leaf.count, leaf.type, freed, node)
    for x in others:
        for column, of in zip(x.columns, x.type.flat(), strict=True):
            if x.is_pool and refers(of, pool) and isinstance(of, t.OptionType):
                blank(low, column, x.capacity, of, freed, node)
    low.put(ir.Return(at=low.mark(node)))
    low.add(1)
    return low.name


def refers(of: t.Type, pool: ContainerInfo) -> bool:
    """Can a value of the type refer to an entry of the pool? A bare reference of the state always does, to something."""
    inner = of.inner if isinstance(of, t.OptionType) else of
    return isinstance(inner, t.RefType) and inner.pool == pool.name


def leaves_of(node: PlaceNode) -> Iterator[Leaf]:
    """The optional scalars of a field, its containers aside."""
    match node:
        case Leaf(type=t.OptionType()):
            yield node
        case Fields(nodes=nodes):
            for _, inner in nodes:
                yield from leaves_of(inner)
        case Keyed(of=inner):
            yield from leaves_of(inner)
        case _:
            return


def blank(low: CodeLowering, base: int, count: int, of: t.Type, freed: ir.Expr, node: ast.AST) -> None:
    """Every place of the row that refers to the entry becomes none."""
    assert isinstance(of, t.OptionType)
    at = low.mark(node)
    if count == 1:
        b = low.put(ir.Branch(binary("eq", ir.Load(base, at=at), freed), -1, at=at))
        low.put(ir.Store(base, None, 1, ir.Const(of.none), at=at))
        low.point(b, low.here())
        return
    number = t.Int(0, count - 1)
    rest, k = low.new_local("rest", t.SetType(number)), low.new_local("place", number)
    low.put(ir.Assign(rest, ir.Const((1 << count) - 1), at=at))
    head = low.put(ir.Next(rest, k, 0, -1, at=at))
    low.put(ir.Branch(binary("eq", ir.Load(base, ir.Local(k), count, at=at), freed), head, at=at))
    low.put(ir.Store(base, ir.Local(k), count, ir.Const(of.none), at=at))
    low.put(ir.Jump(head, at=at))
    low.point(head, low.here())


def keep_or_fault(low: CodeLowering, x: ContainerInfo, pool: ContainerInfo, freed: ir.Expr, node: ast.AST) -> None:
    """An entry in use whose reference cannot become none (or whose place would change with it) must not refer to it."""
    at = low.mark(node)
    tests: list[ir.Expr] = []
    for column, of in zip(x.columns, x.type.flat(), strict=True):
        if not refers(of, pool) or (x.is_pool and isinstance(of, t.OptionType)):
            continue
        k = low.new_local("entry", t.Int(0, x.capacity - 1))
        used = [binary("eq", ir.Load(column, ir.Local(k), x.capacity, at=at), freed)]
        if x.name == pool.name:
            used.append(binary("ne", ir.Local(k), freed))
        everyone = ir.Load(x.head, at=at) if x.is_pool else ir.Unary("below", ir.Load(x.head, at=at), at=at)
        tests.append(ir.Fold("any", k, everyone, ir.Const(1), both(used), at=at))
    if tests:
        b = low.put(ir.Branch(either(tests), -1, at=at))
        low.put(ir.End("fault", None, f"an entry of {pool.name} is freed while {x.name} refers to it", at=at))
        low.point(b, low.here())
