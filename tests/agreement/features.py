"""What random programs are made of, and how much of it was carried out.

The list of what there is to cover is read off the nodes themselves, so a new node or operator is missing until random
programs have it.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import get_args, get_type_hints

from rulewright.model.ir import nodes as ir
from rulewright.model.ir.flow import walk
from rulewright.model.ir.program import Program

BASES = (ir.Node, ir.Expr, ir.Instr)
GAPS = {"Answer": "in a program that is not linked yet: no back end meets it"}
"""Nodes and operators that random programs do not have, and why: whoever adds a node writes it or says here why not."""


def every_feature() -> frozenset[str]:
    """All nodes, with each of their operators; flags of nodes (`event`, `stop`, `tail`, `top`) as features of their own."""
    out = set[str]()
    for kind in vars(ir).values():
        if not (isinstance(kind, type) and issubclass(kind, ir.Node)) or kind in BASES:
            continue
        hints = get_type_hints(kind, vars(ir))
        operators = get_args(hints.get("op", hints.get("kind")))
        out |= {f"{kind.__name__} {op}" for op in operators} or {kind.__name__}
        out |= {f"{kind.__name__} {flag}" for flag, of in hints.items() if of is bool}
    return frozenset(out)


EVERY = every_feature()


def features(program: Program, executed: Iterable[ir.Mark]) -> Counter[str]:
    """Nodes and operators in instructions that were carried out, and how often each stands there."""
    out: Counter[str] = Counter()
    places = {(at.file, at.line) for at in executed if at.file}
    for f in program.functions.values():
        for i in f.code:
            if (i.at.file, i.at.line) in places:
                for n in walk(i):
                    out.update(names(n))
        for h in f.handlers:
            out[f"(handler of {h.signal})"] += 1
    return out


def names(n: ir.Node) -> Iterator[str]:
    """What a node is, with its operator and its flags."""
    op = getattr(n, "op", getattr(n, "kind", None))
    yield type(n).__name__ + ("" if op is None else f" {op}")
    for flag, value in vars(n).items():
        if value is True:
            yield f"{type(n).__name__} {flag}"


def table(count: Counter[str]) -> str:
    """The features and how often each was compared, in columns; what is missing, and why."""
    cells = [f"{name} {n}" for name, n in sorted(count.items())]
    lines = ["  ".join(f"{c:24}" for c in cells[k:k + 5]) for k in range(0, len(cells), 5)]
    lines += [f"not covered: {name}: {why}" for name, why in sorted(GAPS.items())]
    return "\n".join(lines)
