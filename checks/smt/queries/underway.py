"""Gaps that procedures come to while they are under way, asked of every piece of a procedure (`segments`): where the book
is said to be silent (`gap("clause")`), choices without an option, and the end of all rules while nobody has won.

What a procedure holds in its locals is not known, nor which entries can wait. So choices are asked about only where they do
not depend on either (but for players): of a card that is held nothing would be known but that it is one.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....model.ir import nodes as ir
from ....model.ir.flow import walk
from ....model.ir.program import Function, Program
from ....model.ir.types import domain
from .. import numbers as n
from .. import truths as t
from ..callers import Callers
from ..numbers import Beyond, Val
from ..segments import Begin, Piece, begins, piece
from ..symbolic import SymbolicState
from ..truths import Truth
from .asking import Asker
from .position import Position
from .stops import Refused, Stop, is_simple, is_step


@dataclass(frozen=True)
class Underway:
    """Where a stop is in play: the piece that it is a stop of."""

    begin: Begin
    state: SymbolicState
    option: tuple[Val, ...]


def gaps_under_way(asker: Asker, asked: set[tuple[str, ...]]) -> tuple[list[Stop], list[Refused], int]:
    """Gaps that no rule asked about by itself comes to (`asked`); pieces that are refused, and how many were looked at."""
    symbolic, program = asker.symbolic, asker.program
    silent = silences(program) - asked
    within = {name: reach(program, name) for name in program.functions}
    speaking = {name for name, fn in program.functions.items() if any(key in silent for key, _ in silent_places(program, fn))}
    callers = Callers(symbolic)
    stops: list[Stop] = []
    refused: dict[str, Refused] = {}
    count = 0
    for begin in begins(program):
        fn = program.functions[begin.function]
        if is_step(fn) or isinstance(fn.code[begin.pc], ir.Consult):
            continue  # what is asked for inside a step: every reading has been chosen
        if not within[begin.function] & speaking:
            continue
        try:
            one = piece(symbolic, begin, callers, loosely=True)
        except Beyond as e:
            refused.setdefault(begin.function, Refused(begin.function, str(e)))
            continue
        count += 1
        there: list[Truth] | None = None
        for h in one.halts:
            if (h.kind, h.detail) in silent:
                there = there or [*one.assumed, *whole(asker, one)]
                when = t.every([h.when, *there])
                if when is not False:
                    stops.append(Stop((h.kind, h.detail), begin.function, (), when,
                                      underway=Underway(begin, one.state, one.option)))
    return stops, list(refused.values()), count


def silences(program: Program) -> set[tuple[str, ...]]:
    """The gaps that are asked about: what names them must not name a choice that depends on more."""
    visible = reach(program, program.entry, memory(program))
    found = [place for name in visible for place in silent_places(program, program.functions[name])]
    return {key for key, plain in found if plain} - {key for key, plain in found if not plain}


def silent_places(program: Program, fn: Function) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The gaps that a function itself may come to: named ones, and choices that may have no option; and whether these
    depend on nothing that is held but players, nor on entries that wait, and are somebody's."""
    entries = {c for m in program.layout.containers.values() for c in m.columns}
    for i in fn.code:
        if isinstance(i, ir.End) and i.kind == "gap" and i.detail:
            yield (i.kind, i.detail), True
        elif isinstance(i, ir.Choose) and not any(x.binders == () and x.test == ir.Const(1) for x in i.offers):
            bound = {b.var for x in i.offers for b in x.binders}
            read = {e.index for x in i.offers for e in walk(x) if isinstance(e, ir.Local)} - bound
            waiting = any(isinstance(e, ir.Load) and e.base in entries for x in i.offers for e in walk(x))
            plain = not waiting and not isinstance(i.owner, ir.ByChance) and all(is_simple(fn.locals[k].type) for k in read)
            yield ("gap", " ".join(i.at.clauses)), plain


def memory(program: Program) -> list[str]:
    """Steps that are told nothing and done by steps only: what is worked out anew after each effect. Nobody comes to a
    position in which it is not up to date, so what they would make of one is not asked."""
    by_procedures = {i.function for f in program.functions.values() if not is_step(f) for i in f.code if isinstance(i, ir.Do)}
    by_steps = {i.function for f in program.functions.values() if is_step(f) for i in f.code if isinstance(i, ir.Do)}
    return [name for name, fn in program.functions.items() if not fn.arity and name in by_steps - by_procedures]


def reach(program: Program, name: str, but: Sequence[str] = ()) -> set[str]:
    """The rules that a rule may come to, itself included; `but` for these."""
    found, todo = {name}, [name]
    while todo:
        for i in program.functions[todo.pop()].code:
            if isinstance(i, ir.Do | ir.Invoke) and i.function not in found and i.function not in but:
                found.add(i.function)
                todo.append(i.function)
    return found


def whole(asker: Asker, one: Piece) -> Iterator[Truth]:
    """The piece begins in the state that is asked about, and its locals are within their domains and refer to cards that exist."""
    for mine, theirs in zip(one.state.slots, asker.state.slots, strict=True):
        if not n.same(mine, theirs):
            yield n.equal(mine, theirs)
    for number, _, locals_ in one.state.frames:
        for x, v in zip(asker.symbolic.functions[number].locals, locals_, strict=True):
            yield asker.refers(x.type, v)
            yield t.both(n.in_bounds(v), n.between(v, *domain(x.type)))


def position_under_way(asker: Asker, slots: list[int]) -> Position:
    """The position, in the world that was asked about."""
    program = asker.free.program
    readings = {name: program.readings[name][slots[slot]] for name, slot in program.reading_slots.items()}
    world = replace(asker.free.world, readings={**asker.free.world.readings, **readings})
    return Position(world, program, slots)
