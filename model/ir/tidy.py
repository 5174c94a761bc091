"""Smaller code that does the same: no dead instructions, no jumps to the next one, no handlers for what is never thrown.

A jump that carries a clause stays: a play that comes along it cites the clause.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from .flow import reachable, redirected
from .nodes import Branch, Const, Instr, Invoke, Jump, Throw
from .program import Function, Program


def tidy(program: Program) -> None:
    """Tidy every function."""
    escaping = escaping_signals(program.functions)
    for fn in program.functions.values():
        fn.handlers = tuple(
            h
            for h in fn.handlers
            if any(h.first <= k < h.last and h.signal in thrown(i, escaping) for k, i in leaving(fn))
        )
        in_short(fn)


def in_short(fn: Function) -> None:
    """Make the code of a function as short as can be."""
    while shorten(fn):
        pass


def leaving(fn: Function) -> Sequence[tuple[int, Throw | Invoke]]:
    """The instructions of a function that a signal may come from, and where they stand."""
    return tuple((k, i) for k, i in enumerate(fn.code) if isinstance(i, Throw | Invoke))


def thrown(i: Throw | Invoke, escaping: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Signals that the instruction may throw."""
    return frozenset((i.signal,)) if isinstance(i, Throw) else escaping.get(i.function, frozenset())


def escaping_signals(functions: Mapping[str, Function]) -> dict[str, frozenset[str]]:
    """For each function the signals that can leave it."""
    out: dict[str, frozenset[str]] = dict.fromkeys(functions, frozenset[str]())
    procedures = [fn for fn in functions.values() if leaving(fn)]
    changed = True
    while changed:
        changed = False
        for fn in procedures:
            new = frozenset(
                s for pc, i in leaving(fn) for s in thrown(i, out)
                if not any(h.signal == s and h.first <= pc < h.last for h in fn.handlers))
            changed |= new != out[fn.name]
            out[fn.name] = new
    return out


def shorten(fn: Function) -> bool:
    """One round; says whether anything changed."""
    code = [Jump(k + 1 if i.test.value else i.otherwise, at=i.at) if isinstance(i, Branch) and isinstance(i.test, Const)
            else redirected(i, lambda t: final(fn, t)) for k, i in enumerate(fn.code)]
    alive = reachable(code, fn.handlers)
    keep = {k for k, i in enumerate(code) if k in alive and not (
        isinstance(i, Jump) and not i.at.clauses and next_alive(alive, k + 1) == next_alive(alive, i.target))}
    if tuple(code) == fn.code and len(keep) == len(code):
        return False
    put_instead(fn, [[i] if k in keep else [] for k, i in enumerate(code)])
    return True


def put_instead(fn: Function, instead: Sequence[Sequence[Instr]]) -> None:
    """Put these instructions in place of each. A jump to one goes to what stands in its place; or behind it, where nothing does."""
    at = [0, *accumulate(map(len, instead))]
    fn.code = tuple(redirected(i, at.__getitem__) for some in instead for i in some)
    fn.handlers = tuple(
        replace(h, first=at[h.first], last=at[h.last], target=at[h.target])
        for h in fn.handlers if at[h.first] < at[h.last])


def final(fn: Function, target: int) -> int:
    """Where a jump to `target` ends up, past further jumps that carry no clause."""
    seen: set[int] = set()
    while target < len(fn.code) and target not in seen:
        seen.add(target)
        i = fn.code[target]
        if not isinstance(i, Jump) or i.at.clauses:
            break
        target = i.target
    return target


def next_alive(alive: set[int], k: int) -> int:
    """The first place from k on that control can come to."""
    return min((x for x in alive if x >= k), default=-1)
