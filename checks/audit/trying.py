"""Does play differ if a rule is written otherwise? Shipped scenarios that come to the place are played both ways, side by side."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ...model.engine.library import Book, load_book
from ...model.engine.table import open_table
from ...model.lang.source import Source
from ...spec.diagnostics import BadInput
from ...spec.kept import made
from ...spec.readers import read_scenario
from ..explore.explorer import BoundAtStart, Limits, explore
from ..explore.parting import Differs, Parting, part, steps_to
from ..explore.subject import Subject
from ..register.executed import Recorder
from ..scenarios.subjects import limits_of, subject_of
from .places import gives_options, with_lines, with_module
from .record import Choice, Outcome, Shown, Stake, Tried

STATES = 1_000
"""Pairs of positions that are compared in a scenario."""
SCENARIOS = 4
"""Scenarios in which a place is tried: those with the fewest positions of those that come to it."""
STAKES = {
    Differs.END: Stake.END,
    Differs.DECIDER: Stake.OPTIONS,
    Differs.OPTIONS: Stake.OPTIONS,
    Differs.ODDS: Stake.OPTIONS,
    Differs.POSITION: Stake.POSITION,
}
OPEN = 40
"""Scenarios that are kept open."""
GIVE_UP = (AssertionError, RecursionError, KeyError, IndexError, ValueError)
"""What the tool stumbles over with rules that nobody would write."""


@dataclass(frozen=True)
class Visited:
    """The lines that a scenario executes under its own readings within so many positions, and how many it has; `printed`: all lines of
    which anything is left in its program."""

    scenario: str
    states: int
    lines: frozenset[tuple[str, int]]
    printed: frozenset[tuple[str, int]]


def visited(path: Path, rules: Book | None = None, states: int = STATES) -> Visited:
    """Play a scenario, by other rules if they are given, noting what is executed; what was noted before is not played again. Raises BadInput."""
    scenario = read_scenario(path)
    table, limits = open_table(scenario, {}, rules=rules), limits_of(scenario, None, None, None)
    within = Limits(min(limits.states or states, states), limits.depth, limits.turns)

    def play() -> tuple[int, tuple[tuple[str, int], ...]]:
        engine = table.engine = Recorder(table.engine)
        try:
            out = explore(
                engine, [engine.start(p) for p in table.positions], within, subject_of(table, symmetry=True).symmetry
            )
        except BoundAtStart:
            return 0, ()
        return len(out.states), tuple(sorted({(m.file, m.line) for m in engine.seen.values()}))

    what = f"{table.program.made_of}\n{sorted(table.scripts.items())}\n{table.positions}\n{within}"
    count, lines = made("visited", what, play) if rules is None else play()
    printed = {(i.at.file, i.at.line) for fn in table.program.functions.values() for i in fn.code}
    return Visited(path.stem, count, frozenset(lines), frozenset(printed))


@dataclass
class Trials:
    """Plays a book and the book written otherwise side by side. Scenarios are kept open, the last ones."""

    book: Book
    visits: Mapping[str, Visited]
    stop: Callable[[], bool] | None = None
    states: int = STATES
    scenarios: int = SCENARIOS
    opened: dict[str, Subject] = field(default_factory=dict[str, Subject])

    def subject(self, scenario: str, rules: Book | None = None) -> Subject:
        """A scenario under its own readings. Raises BadInput."""
        if rules is None and scenario in self.opened:
            return self.opened[scenario]
        path = next(p for p in self.book.scenarios if p.stem == scenario)
        own = None if self.book is load_book(self.book.name) else self.book
        subject = subject_of(open_table(read_scenario(path), {}, rules=rules or own), symmetry=False)
        if rules is None:
            if len(self.opened) > OPEN:
                self.opened.pop(next(iter(self.opened)))
            self.opened[scenario] = subject
        return subject

    def where(self, choice: Choice, source: Source) -> list[Visited]:
        """The scenarios that come to a place, those with the fewest positions first."""
        lines = {(choice.file, n) for n in range(choice.line, choice.last + 1)}
        lines |= {(choice.file, n) for e in choice.edits for n in range(e.first, e.last + 1)}
        rule = next(r for r in source.tree.body if getattr(r, "name", None) == choice.rule)
        found = [v for v in self.visits.values() if v.lines & lines]
        if not found:  # what its conditions are there was known before play, so that nothing is left of the place
            around = {(choice.file, n) for n in range(rule.lineno, (rule.end_lineno or rule.lineno) + 1)}
            found = [v for v in self.visits.values() if v.lines & around and not v.printed & lines]
        if not found and gives_options(source, rule):  # pyright: ignore[reportArgumentType]
            found = [v for v in self.visits.values() if any(f == choice.file for f, _ in v.lines)]
        return sorted(found, key=lambda v: v.states)

    def outcome(self, choice: Choice) -> Outcome:
        """What comes of a choice."""
        source = next(s for s in self.book.rulebook.sources if s.file == choice.file)
        there = self.where(choice, source)
        if not there:
            return Outcome(choice, Tried.NOT_REACHED)
        new: Source | None = source if choice.edits else None
        for edit in choice.edits:
            new = None if new is None else with_lines(new, edit.first, edit.last, edit.lines)
        if new is None:
            return Outcome(choice, Tried.REFUSED)
        other, compared, limited = with_module(self.book, source, new), 0, False
        for visit in there[: self.scenarios]:
            if self.stop is not None and self.stop():
                return Outcome(choice, Tried.CUT, None, compared)
            try:
                a, b = self.subject(visit.scenario), self.subject(visit.scenario, other)
                if [s.name for s in a.program.layout.slots] != [s.name for s in b.program.layout.slots]:
                    return Outcome(choice, Tried.REFUSED)
                cut, beyond = list[int](), list[bool]()
                found = None
                if (a.program.functions, a.program.tables) != (b.program.functions, b.program.tables):  # else what is printed here leaves nothing of the place
                    within = Limits(states=self.states, stop=self.stop)
                    found = part(a, b, within, cut.append, visibly=True, unfollowed=partial(beyond.append, True))
            except BadInput:
                return Outcome(choice, Tried.REFUSED)
            except GIVE_UP:
                continue
            if found is None and cut and self.stop is not None and self.stop():
                return Outcome(choice, Tried.CUT, None, compared, limited)
            compared += 1
            limited |= bool(beyond)
            if found is not None:
                return Outcome(choice, Tried.PARTED, shown(a, found), compared, limited)
        return Outcome(choice, Tried.ALIKE if compared else Tried.REFUSED, None, compared, limited)


def shown(a: Subject, found: Parting) -> Shown:
    """The play after which they differ, told as the rules are."""
    return Shown(a.scenario, steps_to(a, found), found.what, STAKES[found.kind], a.position_text(found.start))


def outcomes(trials: Trials, choices: Sequence[Choice], keep_so_far: Callable[[list[Outcome]], None]) -> list[Outcome]:
    """What comes of each."""
    out: list[Outcome] = []
    for c in choices:
        out.append(trials.outcome(c))
        keep_so_far(out)
    return out
