"""Gaps, conflicts and norms that clash, of every position of a book, beside what is true: all positions are gone through, and play from each of them.

What is asked of z3 by the same functions as by the commands is told of any position; so whatever play comes to from some position a scenario may
give has to be told, or named as left open.
"""
from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod

from rulewright.checks.findings.record import CheckResult, FindingClass, Given
from rulewright.checks.smt.queries import conflicts_and_gaps, norms
from rulewright.checks.smt.worlds import MOST_ENTRIES
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import OPEN, State
from rulewright.model.ir.program import NormInfo, Program

from .books import Book, placed
from .compare import Untrue
from .questions import NAME, as_a_users
from .verdicts import Core, cores

POSITIONS, STATES = 1_500, 12_000
"""So many positions are gone through at most (by lot, if there are more), and so many states of play."""
FEW = 400
"""Positions with cards, in each game."""
MISSED = "a gap or conflict that play comes to is not told of every position"
CLASHES, NEVER = "norms that clash are not told", "norms told to clash never do"
CONTRADICTING = (MISSED, CLASHES, NEVER)
AGAINST = (("requires", "forbids"), ("permits", "forbids"))


def positions(book: Book, program: Program, luck: random.Random) -> Iterator[list[int]]:
    """The positions a scenario may give: all, or some by lot."""
    layout = program.layout
    free = [k for k in range(len(layout.slots)) if k not in layout.in_containers | layout.placing]
    ranges = [range(layout.slots[k].type.lo, layout.slots[k].type.hi + 1) for k in free]
    if layout.card_count or prod(map(len, ranges)) > POSITIONS:
        yield from (placed(book, program, luck) for _ in range(POSITIONS))
        return
    for values in product(*ranges):
        slots = book.slots(program)
        for k, v in zip(free, values, strict=True):
            slots[k] = v
        yield slots


def with_what_waits(program: Program, slots: Sequence[int], luck: random.Random) -> list[int]:
    """The position with something waiting: up to as many entries as are asked about, of any values."""
    out = list(slots)
    for m in program.layout.containers.values():
        if not m.is_pool:
            of = [program.layout.slots[c].type for c in m.columns]
            entries = sorted([luck.randint(x.lo, x.hi) for x in of] for _ in range(luck.randint(0, min(MOST_ENTRIES, m.capacity))))
            out[m.head] = len(entries)
            for k, entry in enumerate(entries):
                for c, v in zip(m.columns, entry, strict=True):
                    out[c + k] = v
    return out


def come_to(book: Book, luck: random.Random) -> tuple[Interpreter, dict[tuple[str, str, tuple[Core, ...]], int], int]:
    """How play stops at a gap or a conflict, from any position, and how often it was seen; how many situations end play together otherwise, nobody
    ordering them."""
    program = book.program(book.world(capacities=book.capacities, stack_depth=100))
    engine, seen, found, together = Interpreter(program), set[State](), dict[tuple[str, str, tuple[Core, ...]], int](), 0
    for slots in positions(book, program, luck):
        todo = [engine.start(slots).state, engine.start(with_what_waits(program, slots, luck)).state]
        while todo and len(seen) < STATES:
            s = todo.pop()
            if s in seen:
                continue
            seen.add(s)
            if s.end is not None:
                if s.end.kind in ("gap", "conflict"):
                    key = s.end.kind, s.end.detail, tuple(cores(engine, s))
                    found[key] = found.get(key, 0) + 1
                continue
            at = engine.point(s)
            assert at is not None
            after = [engine.apply(s, o).state for o in at.options]
            if at.owner == OPEN and len(after) > 1 and not [*program.functions.values()][s.frames[-1][0]].at.file:
                ends = {x.end[:2] for x in after if x.end is not None and x.end.kind in ("win", "draw")}
                together += len(ends) > 1
            todo += after
    return engine, found, together


def told_of_every_position(book: Book, luck: random.Random, seconds: float = 2.0) -> tuple[list[Untrue], dict[str, int]]:
    """What is told of every position of a book and not so; and how much is told."""
    with as_a_users(book):
        stops = conflicts_and_gaps.ask(NAME, seconds=seconds)
        pairs = norms.ask(NAME, seconds=seconds)
    engine, found, together = come_to(book, luck)
    false, counts = list[Untrue](), dict[str, int]()

    def count(what: str, n: int = 1) -> None:
        counts[what] = counts.get(what, 0) + n
    for (kind, detail, those), _ in found.items():
        cls = FindingClass.GAP if kind == "gap" else FindingClass.CONFLICT
        told = any(f.cls is cls and any(core <= {*f.clauses} for core in those) for f in stops.findings)
        how = "told" if told else "left open" if is_left(book, stops, detail, those) else "missed"
        count(f"true: a {kind}{' of verdicts' if detail.startswith('verdict:') else ''}, {how}")
        if how == "missed":
            false.append(Untrue(MISSED, f"{kind} {detail} {[sorted(x) for x in those]}{'' if stops.bounds.complete else ' (not all is told)'}"))
    if together:
        told = any("at the same time" in f.title.en for f in stops.findings)
        count(f"true: endings together, {'told' if told else 'left open' if not stops.bounds.complete else 'missed'}")
        if not told and stops.bounds.complete:
            false.append(Untrue(MISSED, "endings together"))
    for f in stops.findings:
        met = any(kind == f.cls.value and any(core <= {*f.clauses} for core in those) for kind, _, those in found) or (together > 0 and "at the same time" in f.title.en)
        count(f"told: a {f.cls.value}, {'met' if met else 'not met'} in play from its beginning")
    false += clashing(book, engine, pairs, luck, count)
    count("told: every gap and conflict", int(stops.bounds.complete))
    return false, counts


def is_left(book: Book, result: CheckResult, detail: str, those: Sequence[Collection[str]]) -> bool:
    """Is it named as left open: a place with these clauses, or that asks these verdicts, or a question without an answer?"""
    lines = [book.text.splitlines()[int(x.where.rpartition(":")[2]) - 1] for x in result.bounds.not_asked if x.where]
    if detail.startswith("verdict:") and any(f'judge("{detail.removeprefix("verdict:")}"' in x for x in lines):
        return True
    left = {c for x in result.bounds.not_asked for c in x.clauses}
    return any(left >= {*core} for core in those) or any(n.en.startswith("not decided") for n in result.bounds.notes)


def with_other_cards(book: Book, luck: random.Random) -> list[Book]:
    """The book in games with its cards, and with others of these cards."""
    return [book, *(replace(book, cards=tuple(luck.choices(book.cards, k=k))) for k in range(1, 5) if book.cards)]


def met(book: Book, engine: Interpreter, pairs: Sequence[tuple[NormInfo, NormInfo]], luck: random.Random) -> set[int]:
    """The pairs of norms of which both hold in some position."""
    out, program = set[int](), engine.program
    fn = program.functions[pairs[0][0].function]
    arguments = [*product(*(range(max(0, x.type.lo), x.type.hi + 1) for x in fn.locals[:fn.arity]))]
    for slots in islice(positions(book, program, luck), FEW if book.cards else None):
        state = State(tuple(with_what_waits(program, slots, luck)), ())
        if any(engine.evaluate(name, state) != 1 for name in program.invariants):
            continue
        for args in arguments:
            holds = {n.function for pair in pairs for n in pair if engine.evaluate(n.function, state, args) == 1}
            out |= {k for k, (a, b) in enumerate(pairs) if {a.function, b.function} <= holds}
    return out


def clashing(book: Book, engine: Interpreter, result: CheckResult, luck: random.Random, count: object) -> Iterator[Untrue]:
    """Norms that contradict each other in some position, and what is told of that."""
    assert callable(count)
    program = engine.program
    pairs = [(a, b) for x, y in AGAINST for a in program.norms for b in program.norms
             if (a.kind, b.kind) == (x, y) and a.act == b.act and a.kind not in b.outranks and b.kind not in a.outranks]
    if not pairs:
        return
    clash = {k for of in with_other_cards(book, luck) for k in met(of, Interpreter(of.program(of.world(capacities=of.capacities))), pairs, luck)}
    widened = met(book, Interpreter(book.program(book.world(caps=book.caps, capacities=book.capacities))), pairs, luck) - clash if book.caps else set[int]()
    told = [{*f.clauses} for f in result.findings]
    for k, (a, b) in enumerate(pairs):
        clauses = {c for n in (a, b) for c in n.clauses}
        count(f"true: norms {'clash' if k in clash else 'do not clash'}, {'told' if clauses in told else 'not told'}")
        if k in clash and clauses not in told and result.bounds.complete:
            yield Untrue(CLASHES, f"{a.function} {b.function}")
        if k in widened and clauses not in told:
            count("true: norms clash where a scenario widens a range")
            if result.bounds.complete and all(x.kind is not Given.CAPS for x in result.bounds.assumptions):
                yield Untrue(CLASHES, f"{a.function} {b.function}, with {dict(book.caps)}")
    if book.cards:
        return  # not all positions are gone through
    true = [{c for n in pairs[k] for c in n.clauses} for k in clash]
    yield from (Untrue(NEVER, " ".join(sorted(t))) for t in told if t not in true)
