"""Which marked places the shipped scenarios of a book execute.

Each scenario is checked as `rulewright check` does it, under each of its reading sets but with fewer positions, by an
engine that notes the marks of what it carries out: in procedures and steps, in questions to the position (`@define`), and
in the verdicts on endless loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...model.engine.extrapolation import Saturated, Unlimited
from ...model.engine.interpreter import Code, Interpreter, Traced
from ...model.engine.library import load_book
from ...model.engine.state import Arrival, Option, State
from ...model.engine.table import open_table
from ...model.engine.values import Effect, Locals, Slots, Value
from ...model.ir.nodes import Mark
from ...model.ir.program import Function
from ...spec.readers import read_scenario
from ..explore.explorer import Exploration
from ..explore.subject import Subject
from ..scenarios.checking import check_subject
from ..scenarios.subjects import limits_of, reading_sets, subject_of
from .books import Place

STATES = 1_000
"""Positions looked at in each run, unless told otherwise."""

Spot = tuple[str, int, str]
"""File, line and clause of an instruction."""


class _Noting(list[Traced]):
    """A trace that is not kept: only the marks are."""

    def __init__(self, seen: dict[int, Mark]) -> None:
        super().__init__()
        self.seen = seen

    def append(self, item: Traced) -> None:
        self.seen[id(item.at)] = item.at


class _NotedCode(Code):
    """A pure function whose instructions note their marks: nothing else traces them."""

    def __init__(self, number: int, fn: Function, engine: Interpreter, seen: dict[int, Mark]) -> None:
        super().__init__(number, fn, engine)
        self.seen = seen

    @cached_property
    def effects(self) -> list[Effect | None]:
        return [None if e is None else self.noted(e, i.at) for e, i in zip(super().effects, self.fn.code, strict=True)]

    @cached_property
    def results(self) -> dict[int, Value]:
        return {k: self.noted(value, self.fn.code[k].at) for k, value in super().results.items()}

    def noted(self, does: Callable[[Slots, Locals], int], at: Mark) -> Callable[[Slots, Locals], int]:
        """The same, noting the mark whenever it is done."""
        seen, number = self.seen, id(at)

        def noting(g: Slots, f: Locals) -> int:
            seen[number] = at
            return does(g, f)
        return noting


class _Recording(Interpreter):
    """A reference engine that notes the mark of every instruction it carries out."""

    seen: dict[int, Mark]
    noting: _Noting

    def begin(self, beside: _Recording | None) -> None:
        """Note marks, if so beside another."""
        self.seen = {} if beside is None else beside.seen
        self.noting = _Noting(self.seen)

    def code_of(self, number: int, fn: Function) -> Code:
        return _NotedCode(number, fn, self, self.seen) if fn.kind == "define" else super().code_of(number, fn)

    def start(self, slots: Sequence[int] | None = None, trace: list[Traced] | None = None) -> Arrival:  # pyright: ignore[reportIncompatibleMethodOverride]
        arrival = super().start(slots, self.noting if trace is None else trace)
        self._note(trace)
        return arrival

    def apply(
        self, state: State, option: Option | None, trace: list[Traced] | None = None,
        calls: list[tuple[str, tuple[int, ...]]] | None = None,
    ) -> Arrival:
        arrival = super().apply(state, option, self.noting if trace is None else trace, calls)
        self._note(trace)
        return arrival

    def _note(self, trace: Iterable[Traced] | None) -> None:
        for step in trace or ():
            self.seen[id(step.at)] = step.at


class Recorder(_Recording):
    """The reference engine, noting all marks."""

    def __init__(self, like: Interpreter) -> None:
        self.begin(None)
        super().__init__(like.program, like.policies, card_ids=like.card_ids)

    def also(self, subject: Subject, out: Exploration) -> None:
        """Note too what is asked of play beyond the ranges of counters."""
        if isinstance(subject.engine, Unlimited):
            subject.engine = _WithoutEnd(subject.engine, self)


class _WithoutEnd(_Recording, Unlimited):
    """The reference engine where some counters have no end, noting marks."""

    def __init__(self, like: Unlimited, beside: _Recording | None = None) -> None:
        self.begin(beside)
        super().__init__(like.program, like.policies, like.card_ids, frozenset(), like.program.stack_depth)


class _Saturated(_Recording, Saturated):
    """The reference engine where large counters are not told apart, noting marks."""

    def __init__(self, like: Saturated) -> None:
        self.begin(None)
        super().__init__(like.given, like.policies, like.card_ids, like.counters, like.program.stack_depth)


def recording(engine: Interpreter) -> Recorder | _WithoutEnd | _Saturated:
    """An engine that does the same and notes the marks of what it carries out."""
    match engine:
        case Saturated():
            return _Saturated(engine)
        case Unlimited():
            return _WithoutEnd(engine)
        case _:
            return Recorder(engine)


@dataclass
class Executed:
    """What some scenario executes, and what any of their programs has at all; which scenarios execute each clause; which
    runs were cut short."""

    runs: int = 0
    spots: set[Spot] = field(default_factory=set[Spot])
    compiled: set[Spot] = field(default_factory=set[Spot])
    scenarios: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    cut: list[str] = field(default_factory=list[str])

    def executes(self, place: Place, clause: str) -> bool:
        """Does some scenario execute the place?"""
        return self._among(self.spots, place, clause)

    def has_code(self, place: Place, clause: str) -> bool:
        """Is anything left of the place in the program of some scenario? Declarations, and what is decided before play
        begins, leave nothing to be executed."""
        return not place.declared and self._among(self.compiled, place, clause)

    @staticmethod
    def _among(spots: set[Spot], place: Place, clause: str) -> bool:
        files = (place.file, str(place.path))
        return any((f, line, clause) in spots for f in files for line in range(place.first, place.last + 1))


def run_scenarios(
    book: str, states: int = STATES, progress: Callable[[str, int, int], None] | None = None,
) -> Executed:
    """Check every shipped scenario of the book, and note what is executed. Raises BadInput."""
    out = Executed()
    paths = load_book(book).scenarios
    for number, path in enumerate(paths, 1):
        scenario = read_scenario(path)
        limits = limits_of(scenario, None, None, None)
        limits = replace(limits, states=min(limits.states or states, states))
        for readings in reading_sets(scenario, {}):
            table = open_table(scenario, readings)
            engine = table.engine = Recorder(table.engine)
            table.starts = [engine.start(p) for p in table.positions]  # a start that was kept executes nothing
            if progress is not None:
                progress(path.stem, number, len(paths))
            subject = subject_of(table, symmetry=True)
            result = check_subject(subject, limits, seen=engine.also)
            out.runs += 1
            marks = {m for m in engine.seen.values() if m.clauses}
            out.spots |= {(m.file, m.line, c) for m in marks for c in m.clauses}
            out.compiled |= {(i.at.file, i.at.line, c) for f in table.program.functions.values() for i in f.code
                             for c in i.at.clauses}
            for clause in {c for m in marks for c in m.clauses}:
                known = out.scenarios.setdefault(clause, [])
                if path.stem not in known:
                    known.append(path.stem)
            if not result.bounds.complete and path.stem not in out.cut:
                out.cut.append(path.stem)
    return out
