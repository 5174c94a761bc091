"""What random programs are made of, and how much of it was carried out."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright.model.ir import nodes as ir
from rulewright.model.ir.flow import walk
from rulewright.model.ir.program import Program


def features(program: Program, executed: set[ir.Mark]) -> Counter[str]:
    """Nodes and operators in instructions that were carried out, and how often each stands there."""
    out: Counter[str] = Counter()
    places = {(at.file, at.line) for at in executed if at.file}
    for f in program.functions.values():
        for i in f.code:
            if (i.at.file, i.at.line) in places:
                for n in walk(i):
                    out.update(names(n))
        for h in f.handlers:
            out[f"Handler of {h.signal}"] += 1
    return out


def names(n: ir.Node) -> Iterator[str]:
    """What a node is, with its operator."""
    op = getattr(n, "op", getattr(n, "kind", None))
    yield type(n).__name__ + ("" if op is None else f" {op}")
    if isinstance(n, ir.Do) and n.event:
        yield "Do event"
    if isinstance(n, ir.Invoke):
        yield "Invoke" + (" stop" if n.stop else "") + (" tail" if n.tail else "")


UNARY = ("not", "neg", "abs", "size", "lowest", "below", "only", "single")
BINARY = ("add", "sub", "mul", "div", "mod", "eq", "ne", "lt", "le", "gt", "ge", "min", "max", "union", "meet",
          "without", "differ", "member", "shift")
EVERY = frozenset((
    "Const", "Local", "Load", "Table", "All", "Any", "If", "Present", "Within", "Call", "ZoneCards", "PileTop", "PileFind",
    *(f"Unary {op}" for op in UNARY), *(f"Binary {op}" for op in BINARY),
    *(f"Fold {kind}" for kind in ("any", "all", "sum", "min", "max", "set", "union")),
    "Assign", *(f"Store {op}" for op in ("set", "add", "union", "without")), "Put", "Shuffle", "Renew", "Insert", "Remove",
    "Clear", "New", "Free", "Branch", "Label", "Binder", "Offer", "ByPlayer", "ByChance", "ByNobody", "Choose", "ChooseSome",
    "Consult", "Do", "Do event", "Invoke", "Invoke stop", "Return", "Throw", "BatchBegin", "BatchEnd",
    *(f"End {kind}" for kind in ("win", "draw", "gap", "conflict", "not modelled")),
))
"""Everything that the language of the IR has and an instruction with a place of its own can show (`Next` and `Jump`
have none)."""


def table(count: Counter[str]) -> str:
    """The features and how often each was compared, in columns."""
    cells = [f"{name} {n}" for name, n in sorted(count.items())]
    return "\n".join("  ".join(f"{c:24}" for c in cells[k:k + 5]) for k in range(0, len(cells), 5))
