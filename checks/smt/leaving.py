"""The numbers that a rule may take out of their ranges: what is asked about positions is asked within these."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...model.engine.extrapolation import is_counter
from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.program import Function, Program
from ...model.ir.ranges import Bounds, Ranges
from ...model.ir.types import ANY_INT, Int, Type
from ...spec.text import Text
from ..findings.record import Assumption, Given
from ..scenarios.checking import field_of

UNSTATED = Text(ja="範囲の書かれていない数", en="a number of no stated range")
Written = tuple[Type, Text, ir.Expr]
"""What takes a value: its type, what it is called, and the value."""


def ranges_taken_as_given(programs: Iterable[Program], called: Callable[[str], Text]) -> tuple[Assumption, ...]:
    """That the numbers lie in their ranges which rules may take out of them; those of one range together. Where these do, so does
    every other number: it is written nowhere, or with what fits (as far as no scenario widens a range, `Given.CAPS`)."""
    found: dict[Bounds, dict[Text, None]] = {}
    for program in programs:
        for fn in program.functions.values():
            for of, name in written_beyond(program, fn, called):
                found.setdefault((of.lo, of.hi), {})[UNSTATED if of == ANY_INT else name] = None
    return tuple(
        Assumption(Given.NUMBERS, (str(lo), str(hi)), tuple(names)) for (lo, hi), names in sorted(found.items())
    )


class Unheld(Ranges):
    """Bounds of what expressions give before it is held to a range."""

    def of(self, e: ir.Expr) -> Bounds:
        return self.of(e.a) if isinstance(e, ir.Within) else super().of(e)


def written_beyond(program: Program, fn: Function, called: Callable[[str], Text]) -> Iterator[tuple[Int, Text]]:
    """The numbers to which a function may give a value outside their ranges."""
    slots = program.layout.slots
    ranges = Unheld(
        lambda k: slots[k].type,
        lambda k: fn.locals[k].type,
        lambda name: program.functions[name].result,
        program.tables,
        program.layout.card_count,
    )
    for i in fn.code:
        values = list(written(program, fn, i, called))
        direct = {id(value) for _, _, value in values}
        for of, name, value in values:
            lo, hi = ranges.of(value)
            if isinstance(of, Int) and is_counter(of) and (lo < of.lo or hi > of.hi):
                yield of, name
        for e in walk(i):
            if isinstance(e, ir.Within) and id(e) not in direct and is_counter(of := Int(e.lo, e.hi)):
                yield of, in_rule(fn, called)


def written(program: Program, fn: Function, i: ir.Instr, called: Callable[[str], Text]) -> Iterator[Written]:
    """What an instruction gives values to."""
    layout = program.layout
    match i:
        case ir.Store(base=base, index=index, count=count, value=value, op=op):
            m = next((m for m in layout.containers.values() if base in m.slots), None)
            name = called(field_of(layout.slots[base].name) if m is None else m.name)
            yield (
                layout.slots[base].type,
                name,
                ir.Binary("add", ir.Load(base, index, count), value) if op == "add" else value,
            )
        case ir.Insert(multiset=name, values=values) | ir.New(pool=name, values=values):
            for c, v in zip(layout.containers[name].columns, values, strict=True):
                yield layout.slots[c].type, called(name), v
        case ir.Assign(local=k, value=value):
            yield fn.locals[k].type, named(fn, k, called), value
        case ir.Return(value=ir.Expr() as value):
            yield fn.result, in_rule(fn, called), value
        case _:
            pass
    for e in (i, *walk(i)):
        if isinstance(e, ir.Do | ir.Invoke | ir.Call):
            callee = program.functions[e.function]
            yield from ((callee.locals[k].type, named(callee, k, called), v) for k, v in enumerate(e.args))


def in_rule(fn: Function, called: Callable[[str], Text]) -> Text:
    """A number that a rule works out."""
    rule = called(fn.rule)
    return Text(ja=f"{rule.ja}で求める数", en=f"a number worked out in {rule.en}")


def named(fn: Function, local: int, called: Callable[[str], Text]) -> Text:
    """A local, and of which rule."""
    rule, name = called(fn.rule), fn.locals[local].name
    return Text(ja=f"{name}（{rule.ja}）", en=f"{name} ({rule.en})")
