"""Batches: where one is open, which functions run inside one, which can renew a card."""

from __future__ import annotations

from collections.abc import Mapping

from ...model.ir import nodes as ir
from ...model.ir.flow import closure, successors, walk
from ...model.ir.program import Function
from ...spec.groups import grouped


def open_batches(fn: Function) -> list[bool]:
    """For each place in the code: is a batch of this function open there?"""
    inside: dict[int, bool] = {}
    todo = [(0, False)]
    while todo:
        k, is_open = todo.pop()
        if k in inside:
            continue
        inside[k] = is_open
        i = fn.code[k]
        is_open = isinstance(i, ir.BatchBegin) or (is_open and not isinstance(i, ir.BatchEnd))
        todo += [(to, is_open) for to in successors(i, k)]
        todo += [(h.target, False) for h in fn.handlers if h.first <= k < h.last]
    return [inside.get(k, False) for k in range(len(fn.code))]


def batch_contexts(functions: Mapping[str, Function]) -> tuple[dict[str, bool], dict[str, bool]]:
    """Which functions can be called with a batch open, and which without."""
    inside = dict.fromkeys(functions, False)
    outside = {n: f.kind == "procedure" for n, f in functions.items()}
    where = {n: open_batches(f) for n, f in functions.items()}
    changed = True
    while changed:
        changed = False
        for n, f in functions.items():
            for k, i in enumerate(f.code):
                if isinstance(i, ir.Do):
                    within = where[n][k] or inside[n]
                    without = (not where[n][k] and outside[n]) or i.event
                    for table, now in ((inside, within and not i.event), (outside, without)):
                        if now and not table[i.function]:
                            table[i.function] = changed = True
    return inside, outside


def renewing(functions: Mapping[str, Function]) -> set[str]:
    """The functions in whose course a card can become a new object."""
    inside = [(f.name, n) for f in functions.values() for i in f.code for n in walk(i)]
    callers = grouped((n.function, name) for name, n in inside if isinstance(n, ir.Do))
    return closure((name for name, n in inside if isinstance(n, ir.Renew)), lambda name: callers.get(name, ()))
