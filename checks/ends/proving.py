"""Every loop and every group of rules that call each other in a book's largest game, and the parts of play they are in: what is
proved to end, and what keeps the rest from being so."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import networkx as nx

from ...model.ir import nodes as ir
from ...model.ir.flow import call_graph, reachable
from ...model.ir.program import Program
from ...spec.text import Text
from ..limits.ending import NO_TIME
from ..smt.numbers import Beyond
from .counting import Budget, TooMuch
from .quantities import Quantity, quantities, stated
from .ranking import Doubt, Ranking
from .ways import TEXTS, Ways, groups

WORK = 150_000_000
"""How much work one loop may take, in units of z3: some eight seconds of a processor of 2020."""
LITTLE = 10
"""Which part of it is for the look at which the rules that are called are not entered."""
STEP, PHASE = 1, 2


@dataclass(frozen=True)
class Place:
    """A loop (the head of a `while` in a rule), or (`loop` false) a group of rules that call each other."""

    rules: tuple[str, ...]
    pc: int
    clauses: tuple[str, ...]
    file: str
    line: int
    loop: bool = True


@dataclass
class Found:
    """What was found of a place. `levels`: what goes down (1) or up (-1), in the order in which it is compared;
    `clauses` and `texts`: on a way round on which nothing goes down, what is carried out; where that is not known, all texts that can be."""

    place: Place
    proved: bool = False
    levels: list[tuple[int, Quantity]] = field(default_factory=list["tuple[int, Quantity]"])
    why: Text | None = None
    clauses: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    shown: bool = False
    """There are values for a way round on which nothing goes down."""
    seconds: float = 0.0
    questions: int = 0
    doubts: list[Doubt] = field(default_factory=list[Doubt])


@dataclass
class Part:
    """A part of play: a procedure that is a phase or a step of the book's, and the loops that can be come to in it."""

    rule: str
    kind: Literal["step", "phase"]
    places: list[Place]
    clauses: tuple[str, ...]


def places(program: Program) -> list[Place]:
    """All loops that play can come to, and all groups of rules that call each other."""
    calls = call_graph(program)
    live = nx.descendants(calls, program.entry) | {program.entry}
    out: list[Place] = []
    for name in sorted(live):
        fn = program.functions[name]
        inside = reachable(fn.code, fn.handlers)
        for pc in sorted(k for k in inside if k < len(fn.code) and isinstance(fn.code[k], ir.Label)):
            out.append(
                Place((name,), pc, clauses_near(program, name, pc), fn.at.file, fn.code[pc].at.line or fn.at.line)
            )
    for c in groups(program):
        if c & live:
            group = tuple(sorted(c))
            first = program.functions[next((x for x in group if not x.startswith(TEXTS)), group[0])]
            out.append(
                Place(
                    group,
                    0,
                    tuple(
                        dict.fromkeys(
                            x for name in group if not name.startswith(TEXTS) for x in clauses_near(program, name, 0)
                        )
                    ),
                    first.at.file,
                    first.at.line,
                    False,
                )
            )
    return out


def clauses_near(program: Program, name: str, pc: int) -> tuple[str, ...]:
    """The clauses of a loop's head, or else all of the rule that it is in."""
    fn = program.functions[name]
    return fn.code[pc].at.clauses or tuple(dict.fromkeys(c for i in fn.code for c in i.at.clauses))


def parts(program: Program, found: Sequence[Place]) -> Iterator[Part]:
    """The phases and steps of play, each with the places in it."""
    calls = call_graph(program)
    live = nx.descendants(calls, program.entry) | {program.entry}
    for name in sorted(live, key=lambda x: (program.functions[x].at.file, program.functions[x].at.line, x)):
        fn = program.functions[name]
        if fn.scope in (STEP, PHASE):
            inside = nx.descendants(calls, name) | {name}
            yield Part(
                name,
                "phase" if fn.scope == PHASE else "step",
                [x for x in found if inside & set(x.rules)],
                clauses_near(program, name, 0),
            )


def proved_of(program: Program, place: Place, work: int = WORK) -> Found:
    """Does it end?"""
    begun, out = time.process_time(), Found(place)
    mine = tuple(c for c in program.decreases if place.loop and c.rule == program.functions[place.rules[0]].rule)
    said, plain = (
        replace(program, decreases=mine, functions={**program.aside, **program.functions}),
        replace(program, decreases=()),
    )
    looks = [(plain, False), (plain, True)]  # what goes down whatever the rules do that are called is found in little work
    for p, entered in [(said, True), *looks] if mine else looks:  # what is stated takes nothing from what is found without it
        try:
            once(p, place, Budget(work if entered else work // LITTLE), out, entered)
        except (TooMuch, Beyond) as e:
            out.why = e.why
        if out.proved:
            break
    out.seconds = time.process_time() - begun
    if not out.proved and not out.shown:
        calls = call_graph(program)
        inside = set(place.rules).union(*(nx.descendants(calls, x) for x in place.rules))
        out.texts = tuple(sorted(x for x in inside if x.startswith(TEXTS)))
    return out


def once(program: Program, place: Place, budget: Budget, out: Found, entered: bool) -> None:
    """Looks for what goes down, and notes what is found; with rules `entered` that are called, what keeps it from being so, too. Raises TooMuch or Beyond."""
    if place.loop:
        ways = Ways(program, budget, entered=entered)
        heads, found = (
            [ways.round_of(place.rules[0], place.pc)],
            quantities(ways.counting, ways.program.functions[place.rules[0]], place.pc),
        )
    else:
        ways = Ways(program, budget, place.rules, entered)
        heads, found = ways.calls_of(place.rules), quantities(ways.counting)
    ranking = Ranking(ways, heads, [*stated(ways.counting), *found], budget)
    ranked = ranking.search()
    if not (entered or ranked.proved):
        return
    out.proved, out.why, out.questions = ranked.proved, ranked.why, ranked.questions
    out.levels = [(sign, ranking.quantities[q]) for q, sign in ranked.levels]
    out.doubts += ranked.doubts
    if not out.proved and ranked.model is not None and ranked.broken is not None:
        out.clauses, out.texts = ways.carried_out(ranked.broken, ranked.model)
        out.shown = True


def prove(
    program: Program, stop: Callable[[], bool] | None = None, keep: Callable[[Sequence[Found]], None] | None = None,
) -> list[Found]:
    """What is found of every place."""
    out: list[Found] = []
    for place in places(program):
        if stop is not None and stop():
            out.append(Found(place, why=NO_TIME))
            continue
        out.append(proved_of(program, place))
        if keep is not None:
            keep(out)
    return out
