"""What the claim rests on that nothing comes to a place: nothing, the stated ranges of numbers, or the worlds that were looked at.

A rule that looks at numbers only, not at cards, entries or words of cards, is carried out once more with numbers of any size, and without
any condition on the position; then in their stated ranges. Where both show nothing the claim is one about the worlds that were asked about.
Of these it is tried whether it rests on how many cards they have (`loosened.py`). And what a scenario of the book carries out is not dead,
whatever was shown: then the worlds are too small.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from random import Random

import z3

from .....model.engine.interpreter import Interpreter
from .....model.engine.library import Book
from .....model.engine.state import Arrival, State
from .....model.engine.table import open_table
from .....model.ir import nodes as ir
from .....model.ir.flow import reachable, walk
from .....model.ir.program import Function, Program
from .....model.ir.types import ANY_INT, Bool, EnumType, Int, OptionType, PlayerType, Type
from .....spec.readers import read_scenario
from .....spec.text import Text
from ....explore.explorer import BoundAtStart, Limits, explore
from ....explore.saturate import saturated
from ....findings.record import Assumption, Given
from ....register.executed import Recorder
from ....register.exercised import marks_carried_out
from ....scenarios.checking import field_of
from ....scenarios.subjects import subject_of
from ... import numbers as n
from ... import truths as t
from ...numbers import Beyond
from ...states import Path, Sym
from ...symbolic import Symbolic, SymbolicState, local_variables
from ...truths import Truth
from ..loops.growing import ENOUGH
from ..reaching import begins_with_setup
from .never import under_what_no_number_meets

POSITIONS = 200
"""Positions of a scenario at which it is looked at whether it carries a place out, the nearest ones; and:"""
PLAYS = 8
"""random plays of it (the same each time),"""
LONGEST = 400
"""of so many steps at most."""
RUNNING = 60.0
"""Seconds for all scenarios of a book."""
MOST_ARGUMENTS = 400
"""Arguments with which a verdict or a norm is asked in a position, at most."""
PLAIN = (ir.Const, ir.Local, ir.Load, ir.Unary, ir.Binary, ir.All, ir.Any, ir.If, ir.Within, ir.Present)
DOING = (ir.Branch, ir.Jump, ir.Assign, ir.Store, ir.Return, ir.End)
UNARY = ("not", "neg", "abs")
ON_SETS = ("union", "meet", "without", "differ", "member", "shift")


@dataclass(frozen=True)
class Place:
    """A marked statement, or that a verdict or norm says something (`says`): of which rule, where, and its clauses."""

    rule: str
    file: str
    line: int
    clauses: tuple[str, ...]
    says: bool = False

    @property
    def name(self) -> str:
        return f"dead: {self.rule} {' '.join(self.clauses)} ({self.file}:{self.line})"


def place_of(fn: Function, i: ir.Instr) -> Place:
    return Place(fn.rule, i.at.file, i.at.line, i.at.clauses)


# ---------------------------------------------------------------- what it rests on
WIDE: tuple[Assumption, ...] = (Assumption(Given.NUMBERS, (str(ANY_INT.lo), str(ANY_INT.hi))),)
"""It rests on how large a number of no stated range can be in the model."""


def basis(
    program: Program, place: Place, called: Callable[[str], Text], seconds: float
) -> tuple[Assumption, ...] | None:
    """What the claim rests on that nothing comes to the place, whatever the cards and the position: nothing, ranges of numbers (as few as
    will do), or how large numbers can be at all (`WIDE`); None where that cannot be shown."""
    found = [
        fn for fn in program.functions.values() if fn.rule == place.rule and (place.says or place in marked_in(fn))
    ]
    ranges = ranges_of(program, found)

    def holds(within: Collection[Number]) -> bool:
        return all(cannot_be(program, fn, place, within, seconds) for fn in found)
    if not found or not holds({*ranges, ALL}):
        return None
    if not holds(ranges):
        return WIDE
    needed = dict.fromkeys(ranges)
    for x in ranges:
        if holds(needed.keys() - {x}):
            needed.pop(x)
    return tuple(
        Assumption(Given.NUMBERS, (str(x.lo), str(x.hi)), (called(x.name) if x.rule is None else Text.same(x.name),))
        for x in needed
    )


def marked_in(fn: Function) -> set[Place]:
    """The marked places of a function."""
    return {
        place_of(fn, fn.code[k]) for k in reachable(fn.code, fn.handlers) if k < len(fn.code) and fn.code[k].at.clauses
    }


def cannot_be(program: Program, fn: Function, place: Place, within: Collection[Number], seconds: float) -> bool:
    """Is it shown that nothing comes there, with these numbers in their ranges and all others of any size?"""
    if not place.says:
        never = under_what_no_number_meets(program, fn, lambda of, base, k: number(program, of, base, k) in within)
        if all(pc in never for pc, i in enumerate(fn.code) if i.at.clauses and place_of(fn, i) == place):
            return True
    if not by_numbers_alone(program, fn):
        return False
    symbolic = Symbolic(with_room(program, fn, within))
    state = symbolic.fresh_state()
    args = local_variables(fn.name, symbolic.program.functions[fn.name].locals[:fn.arity])
    try:
        ways = (
            [says_something(symbolic, state, fn, args)]
            if place.says
            else ways_to(symbolic, state, fn, args).get(place, [])
        )
    except Beyond:
        return False
    solver = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.add(*t.conjuncts([*map(n.in_bounds, args), *map(n.in_bounds, state.slots), t.some(ways)]))
    return solver.check() == z3.unsat


def ways_to(symbolic: Symbolic, state: SymbolicState, fn: Function, args: Sequence[n.Val]) -> dict[Place, list[Truth]]:
    """How a define or a step comes to its marked places, from any position. Raises Beyond."""
    machine, out = symbolic.machine, dict[Place, list[Truth]]()

    def watch(s: Sym, inside: Function, i: ir.Instr) -> None:
        if inside.name == fn.name and i.at.clauses:
            out.setdefault(place_of(fn, i), []).append(s.path.term)
    machine.halts, machine.watch = [], watch
    try:
        machine.perform(Sym(list(state.slots), Path(None, True)), fn.name, list(args))
    finally:
        machine.watch = None
    return out


def says_something(symbolic: Symbolic, state: SymbolicState, fn: Function, args: Sequence[n.Val]) -> Truth:
    """Does a verdict or a norm say anything? Raises Beyond."""
    answer = symbolic.evaluate(fn.name, state, args)
    return t.both(answer.fine, t.no(n.equal(answer.value, none_of(fn))))


def none_of(fn: Function) -> int:
    """What a verdict or a norm gives where it says nothing."""
    return fn.result.none if isinstance(fn.result, OptionType) else 0


@dataclass(frozen=True)
class Number:
    """A number that rules look at, with its range: a field of the state, or what a rule is told."""

    name: str
    rule: str | None
    lo: int
    hi: int


ALL = Number("", None, ANY_INT.lo, ANY_INT.hi)
"""Stands for the numbers of which no range is stated."""


def number(program: Program, fn: Function, base: int | None, local: int | None) -> Number | None:
    """The number in a slot, or in a parameter of a rule; None where it is no number, or one that depends on the cards and the room of a
    world."""
    layout = program.layout
    if base is not None:
        own = base in layout.in_containers | layout.placing
        of, name, rule = layout.slots[base].type, field_of(layout.slots[base].name), None
    else:
        assert local is not None
        own, of, name, rule = local >= fn.arity, fn.locals[local].type, fn.locals[local].name, fn.rule
    if own or not isinstance(of, Int):
        return None
    return ALL if of == ANY_INT else Number(name, rule, of.lo, of.hi)


def ranges_of(program: Program, functions: Iterable[Function]) -> list[Number]:
    """The numbers of a stated range that rules look at, and the defines that they ask."""
    seen, todo, found = set[str](), [fn.name for fn in functions], dict[Number, None]()
    while todo:
        fn = program.functions[todo.pop()]
        if fn.name in seen:
            continue
        seen.add(fn.name)
        for e in (e for i in fn.code for e in walk(i)):
            match e:
                case ir.Call(function=inner):
                    todo.append(inner)
                case ir.Load(base=base) if (x := number(program, fn, base, None)) is not None:
                    found[x] = None
                case ir.Local(index=k) if (x := number(program, fn, None, k)) is not None:
                    found[x] = None
                case _:
                    pass
    return [x for x in found if x != ALL]


def by_numbers_alone(program: Program, fn: Function) -> bool:
    """Does a define or a step look at nothing that depends on the cards of a world, or on for how much that waits there is room? (A test
    that is known, or a set that is, may have been made so for these cards.)"""
    if fn.kind == "procedure" or not all(isinstance(i, DOING) for i in fn.code):
        return False
    for i in fn.code:
        for e in walk(i):
            match e:
                case ir.Branch(test=ir.Const()):
                    return False
                case ir.All(parts=parts) | ir.Any(parts=parts) if any(isinstance(p, ir.Const) for p in parts):
                    return False
                case ir.Unary(op=op) if op not in UNARY:
                    return False
                case ir.Binary(op=op) if op in ON_SETS:
                    return False
                case ir.Local(index=x) if not is_plain(fn.locals[x].type):
                    return False
                case ir.Load(base=base, count=count) if not all(
                    is_plain(program.layout.slots[base + k].type) for k in range(count)
                ):
                    return False
                case ir.Expr() if not isinstance(e, PLAIN):
                    return False
                case _:
                    pass
    return True


def is_plain(of: Type) -> bool:
    """Are its values the same whatever cards there are?"""
    inner = of.inner if isinstance(of, OptionType) else of
    return isinstance(inner, Int | Bool | PlayerType) or (
        isinstance(inner, EnumType) and inner.listed == len(inner.members)
    )


def with_room(program: Program, fn: Function, within: Collection[Number]) -> Program:
    """The program with room for numbers of any size, but for these."""
    layout = program.layout

    def roomy(of: Type, known: Number | None, least: int) -> Type:
        return of if not isinstance(of, Int) or known in within else Int(least, ENOUGH)
    own = layout.in_containers | {layout.rank + c for c in range(layout.card_count)}
    return replace(
        program,
        layout=replace(layout, slots=tuple(
            replace(s, type=roomy(s.type, number(program, fn, k, None), min(0, s.type.lo) if k in own else -ENOUGH))
            for k, s in enumerate(layout.slots))),
        functions={**program.functions, fn.name: replace(fn, locals=[
            replace(x, type=roomy(x.type, number(program, fn, None, k), -ENOUGH)) for k, x in enumerate(fn.locals)])})


# ---------------------------------------------------------------- what scenarios carry out
def carried_out_by(
    book: Book, places: Iterable[Place], readings: Mapping[str, str], stop: Callable[[], bool] | None = None,
) -> tuple[dict[Place, str], int]:
    """The places that plays of the book's scenarios come to, each with a scenario that does; and how many scenarios were looked at. Those that begin with
    the preparation come first."""
    left, found, count = set(places), dict[Place, str](), 0
    until = time.monotonic() + RUNNING
    for scenario in sorted(map(read_scenario, book.scenarios), key=lambda s: not begins_with_setup(s)):
        if not left or time.monotonic() > until or (stop is not None and stop()):
            break
        count += 1
        table = open_table(scenario, readings)
        engine = table.engine = Recorder(table.engine)
        table.starts = [engine.start(list(p)) for p in table.positions]
        subject = subject_of(table, True)
        limits = Limits(POSITIONS, scenario.bounds.depth, scenario.bounds.turns, until - time.monotonic(), stop=stop)
        states, further = list[State](), list[ir.Mark]()
        try:
            out = explore(engine, table.starts, limits, subject.symmetry)
            states += out.states
            if (beyond := saturated(subject, out, limits)) is not None:
                further = marks_carried_out(beyond.subject, beyond.out)
        except BoundAtStart:
            pass
        states += at_random(engine, table.starts, until)
        done = {(m.file, m.line, m.clauses) for m in (*engine.seen.values(), *further)}
        for place in list(left):
            if said_in(engine, place, states) if place.says else (place.file, place.line, place.clauses) in done:
                left.discard(place)
                found[place] = scenario.id.value
    return found, count


def at_random(engine: Interpreter, starts: Sequence[Arrival], until: float) -> Iterator[State]:
    """The positions of some plays in which every choice is drawn by lot."""
    luck = Random(0)
    for _ in range(PLAYS):
        state = luck.choice(starts).state
        for _ in range(LONGEST):
            at = engine.point(state)
            if at is None or time.monotonic() > until:
                break
            state = engine.apply(state, luck.choice(at.options)).state
            yield state


def said_in(engine: Recorder, place: Place, states: Sequence[State]) -> bool:
    """Does a verdict or norm say anything in one of these positions?"""
    for fn in [f for f in engine.program.functions.values() if f.rule == place.rule]:
        domains = [range(x.type.lo, x.type.hi + 1) for x in fn.locals[:fn.arity]]
        if prod(map(len, domains)) > MOST_ARGUMENTS:
            continue
        if any(
            said != none_of(fn)
            for s in states
            for args in product(*domains)
            if isinstance(said := engine.evaluate(fn.name, s, args), int)
        ):
            return True
    return False
