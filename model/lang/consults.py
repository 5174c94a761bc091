"""Readings that are branched over are chosen where they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir import nodes as ir
from ..ir.build import negate
from ..ir.flow import walk
from ..ir.program import Function, Program
from .passes import in_batches, insert


def insert_consults(program: Program) -> None:
    """Before an instruction of a procedure that may ask for a reading that is branched over, it is chosen."""
    slots = {s: r for r, s in program.reading_slots.items()}
    if not slots:
        return
    asks: dict[str, frozenset[int]] = {}

    def asked(name: str) -> frozenset[int]:
        """Reading slots that a define or step may load."""
        if name not in asks:
            asks[name] = frozenset()
            asks[name] = frozenset(s for i in program.functions[name].code for s in of_instr(i))
        return asks[name]

    def of_instr(i: ir.Node) -> list[int]:
        out: list[int] = []
        for n in walk(i):
            match n:
                case ir.Load(base=b) if b in slots:
                    out.append(b)
                case ir.Call(function=f) | ir.Do(function=f):
                    out += sorted(asked(f))
        return list(dict.fromkeys(out))

    open_up_steps(program, lambda name: bool(asked(name)))
    for fn in program.functions.values():
        if fn.kind != "procedure":
            continue
        split_tests(fn, lambda e: bool(of_instr(e)))
        before: dict[int, list[ir.Instr]] = {}
        begin: int | None = None
        for k, i in enumerate(fn.code):
            if isinstance(i, ir.BatchBegin):
                begin = k
            place = before.setdefault(k if begin is None else begin, [])
            new = [ir.Consult(slots[s], s, at=i.at) for s in of_instr(i)]
            place += [c for c in new if c not in place]
            if isinstance(i, ir.BatchEnd):
                begin = None
        insert(fn, {k: cs for k, cs in before.items() if cs}, {})


def open_up_steps(program: Program, asks: Callable[[str], bool]) -> None:
    """A step that may ask for a reading is carried out as if it were a procedure where a procedure calls it, so that the
    reading is chosen when it is asked for, and not if it is not. What happens at once, and events, stay as they are."""
    todo = [fn for fn in program.functions.values() if fn.kind == "procedure"]
    while todo:
        fn = todo.pop()
        waits, code = in_batches(fn), list(fn.code)
        for k, i in enumerate(fn.code):
            if not isinstance(i, ir.Do) or i.event or k in waits or not asks(i.function):
                continue
            name = f"{i.function}[asking]"
            if name not in program.functions:
                step = program.functions[i.function]
                new = replace(step, name=name, kind="procedure")
                program.functions[name] = new
                todo.append(new)
            code[k] = ir.Invoke(name, i.args, i.local, at=i.at)
        fn.code = tuple(code)


def split_tests(fn: Function, asks: Callable[[ir.Expr], bool]) -> None:
    """`a and b`, `a or b` become two tests where b asks for a reading, so that it is chosen only if b is looked at."""
    again = True
    while again:
        again = False
        before: dict[int, list[ir.Instr]] = {}
        code = list(fn.code)
        for k, i in enumerate(fn.code):
            match i:
                case ir.Branch(test=ir.All(parts=parts), otherwise=to) if any(map(asks, parts[1:])):
                    before[k] = [ir.Branch(p, to, at=i.at) for p in parts[:-1]]
                case ir.Branch(test=ir.Any(parts=parts)) if any(map(asks, parts[1:])):
                    before[k] = [ir.Branch(negate(p), k + 1, at=i.at) for p in parts[:-1]]
                case _:
                    continue
            code[k] = replace(i, test=parts[-1])
            again = True
        fn.code = tuple(code)
        insert(fn, before, {})
