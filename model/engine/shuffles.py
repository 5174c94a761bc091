"""Which piles are shuffled."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def piles_shuffled_in(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The piles that some rule of these modules shuffles, itself or by a rule it calls: what deck orders are about."""
    nodes = [n for tree in trees for n in ast.walk(tree)]
    rules = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    params = {r.name: [a.arg for a in r.args.args] for r in rules} | {"shuffle": ["pile"]}
    shuffles = {"shuffle": {"pile"}} | {r.name: set[str]() for r in rules}
    """Rule → its parameters that it shuffles."""

    def given(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
        """What is given to rules that shuffle it, somewhere among the nodes."""
        for n in nodes:
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in params:
                by_name = [*zip(params[n.func.id], n.args, strict=False), *((k.arg, k.value) for k in n.keywords)]
                yield from (x for p, x in by_name if p in shuffles[n.func.id])

    calls = {r.name: [n for n in ast.walk(r) if isinstance(n, ast.Call)] for r in rules}
    known = -1
    while known != (known := sum(map(len, shuffles.values()))):
        for r in rules:
            names = {x.id for x in given(calls[r.name]) if isinstance(x, ast.Name)}
            shuffles[r.name] |= names & {*params[r.name]}
    found = (x for pile in given(nodes) for x in ast.walk(pile))
    return frozenset(x.attr for x in found if isinstance(x, ast.Attribute))
