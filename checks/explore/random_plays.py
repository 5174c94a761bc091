"""Do random plays of a book's scenarios break what must always hold?

Every choice is drawn by lot, by the interpreter; the invariants are looked at in every position in which play stands. What is
found so really happens: the play is told. That nothing is found says little, so it says how much was played.

Half of the plays go on from a position in which a zone held more cards than ever, or a number was larger or smaller: what is rare
is come to step by step (splitting; Kahn and Harris, "Estimation of particle transmission by random sampling", 1951).
"""
from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import cycle

from ...model.engine.state import End, Option, Point, State
from ...model.ir import nodes as ir
from ...model.ir.program import Layout
from ...model.ir.types import Int
from ..findings.record import Bounds, Certainty, Finding, FindingClass, Play
from .other_findings import (
    WIDE,
    clauses_of,
    is_capped,
    with_last_clauses,
    words_of_broken,
    words_of_left,
    words_of_untold,
)
from .subject import Subject

SLICE = 0.15
"""How long one scenario is played at a time, in seconds of the processor; then it is another one's turn."""
SHORTER = 4.0
"""How long a shorter play to the same is looked for."""
AFTER = 8.0
"""How long is played on when something was found, for what else there is."""
MOST_STEPS = 2_000
IN_A_ROW = 10
"""Turns of a game as long as its records rise."""
PATIENCE = 40
"""Plays that go on from a record before it is forgotten, so that another way there may be tried."""
Way = list[tuple[State, Option]]


@dataclass(frozen=True)
class Broken:
    """An invariant does not hold at the end of a play (or, `said`, it cannot be told whether it does). `slot`: instead, a number
    of the state leaves its range. `start`: number of the position play begins in."""

    subject: Subject
    what: str
    start: int
    way: Way
    last: State
    said: int | End = 0
    slot: int = -1


@dataclass
class Played:
    """What was played, and what was found: of each invariant and number the shortest play."""

    scenarios: int = 0
    plays: int = 0
    states: int = 0
    seconds: float = 0.0
    found: dict[str, Broken] = field(default_factory=dict[str, Broken])


class Liking:
    """What is liked in one play: every kind of choice is given a weight by lot, so that some plays hardly ever attack, or always pass. So
    plays come to more than if everything were always as likely."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self.of: dict[tuple[int, ...], float] = {}

    def weights(self, state: State, at: Point) -> list[float]:
        """The weight of each option: by the place, and by what is chosen first."""
        function, pc = state.frames[-1][:2]
        return [w * self.of.setdefault((function, pc, *o[:1]), 10.0 ** self.luck.uniform(-2.0, 2.0))
                for o, w in zip(at.options, at.weights, strict=True)]


@dataclass
class Record:
    """A position that play came to, the play to it, and how many have gone on from it."""

    value: int
    start: int
    way: Way
    state: State
    tries: int = 0


class Records:
    """Of each zone the position in which it held most cards so far, and of each number of the state that has a range those in which it was
    largest and smallest."""

    def __init__(self, layout: Layout) -> None:
        self.cards = slice(layout.location, layout.location + layout.card_count)
        inside = layout.in_containers | layout.of_cards
        self.numbers = [k for k, s in enumerate(layout.slots) if k not in inside and isinstance(s.type, Int)
                        and 1 < s.type.hi - s.type.lo < WIDE]
        self.best: dict[tuple[str, int], Record] = {}
        self.raised = 0

    def values(self, state: State) -> Iterator[tuple[tuple[str, int], int]]:
        for zone, count in Counter(state.slots[self.cards]).items():
            yield ("zone", zone), count
        for k in self.numbers:
            yield ("largest", k), state.slots[k]
            yield ("smallest", k), -state.slots[k]

    def look_at(self, start: int, way: Callable[[], Way], state: State) -> None:
        """`way`: how it was come to."""
        for key, value in self.values(state):
            known = self.best.get(key)
            if known is None or value > known.value:
                self.raised += known is not None
                self.best.pop(key, None)  # the latest is the last
                self.best[key] = Record(value, start, way(), state)

    def drawn(self, luck: random.Random) -> Record | None:
        """One of them, by lot, rather one that was raised lately; what nothing came of is forgotten."""
        if not self.best:
            return None
        keys = list(self.best)
        key = keys[max(luck.randrange(len(keys)), luck.randrange(len(keys)))]
        record = self.best[key]
        record.tries += 1
        if record.tries == PATIENCE:
            del self.best[key]
        return record


class Playing:
    """Plays of one scenario, one after the other; the lots are drawn from a seed of its own."""

    def __init__(self, subject: Subject, out: Played) -> None:
        self.subject, self.out = subject, out
        self.luck = random.Random(subject.scenario)
        self.places = [fn.code for fn in subject.program.functions.values()]
        self.starts = [k for k, a in enumerate(subject.starts) if a.state.end is None]
        self.records = Records(subject.program.layout)

    @property
    def is_a_game(self) -> bool:
        """Does it begin with the preparation?"""
        return self.subject.certainty is Certainty.FROM_SETUP

    def go_on(self, seconds: float, most_steps: int = MOST_STEPS, only: str | None = None) -> None:
        """Play for so long. `only`: look for this alone."""
        until = time.process_time() + seconds
        while self.starts and time.process_time() < until:
            found = self.play(until, most_steps, only)
            self.out.plays += 1
            if found is not None:
                known = self.out.found.get(found.what)
                if known is None or len(found.way) < len(known.way):
                    self.out.found[found.what] = found
                    most_steps = min(most_steps, len(found.way) - 1) if only else most_steps
            if most_steps < 1:
                return

    def play(self, until: float, most_steps: int, only: str | None) -> Broken | None:
        """One play, to its end or to what is broken first."""
        engine = self.subject.engine
        asked = self.asked(only)
        start, state, way = self.beginning(most_steps)
        liking = Liking(self.luck) if self.luck.random() < 0.5 else None
        while True:
            self.out.states += 1
            if self.settled(state):
                self.records.look_at(start, way.copy, state)
                for name in asked:
                    said = engine.evaluate(name, state)
                    if said != 1:
                        return Broken(self.subject, name, start, way, state, said)
            at = engine.point(state)
            if at is None or len(way) == most_steps or time.process_time() > until:
                break
            weights = at.weights if liking is None or len(at.options) < 2 else liking.weights(state, at)
            option = self.luck.choices(at.options, weights)[0]
            way.append((state, option))
            state = engine.apply(state, option).state
        what = self.left_its_range(state.end, only)
        return (
            Broken(self.subject, what, start, way, state, state.end, state.end.slot)
            if what and state.end is not None
            else None
        )

    def asked(self, only: str | None) -> list[str]:
        """The invariants that are looked at."""
        return [x for x in self.subject.program.invariants if only in (None, x) and (only or x not in self.out.found)]

    def beginning(self, most_steps: int) -> tuple[int, State, Way]:
        """Where a play begins: at a start, or at a record and with the play to it."""
        record = self.records.drawn(self.luck) if self.luck.random() < 0.5 else None
        if record is not None and len(record.way) < most_steps:
            return record.start, record.state, list(record.way)
        start = self.luck.choice(self.starts)
        return start, self.subject.starts[start].state, []

    def left_its_range(self, end: End | None, only: str | None) -> str:
        """The number that left its range, if play ended so and that counts: only in a real game. A position set up by hand may begin at any
        bound, and go round for ever there."""
        if (
            end is None
            or end.kind != "bound"
            or end.slot < 0
            or not self.is_a_game
            or not is_capped(self.subject.program.layout, end.slot)
        ):
            return ""
        what = self.subject.program.layout.slots[end.slot].group
        return what if only in (None, what) else ""

    def settled(self, state: State) -> bool:
        """Are conditions looked at here? Not behind an end, nor where a reading is chosen, which may be in the middle of
        what nothing can interrupt."""
        if state.end is not None or not state.frames:
            return False
        top = state.frames[-1]
        return not isinstance(self.places[top[0]][top[1]], ir.Consult)


def tried(
    subjects: Iterable[Subject], seconds: float, stop: Callable[[], bool] | None = None,
    playing: Callable[[Subject, Played], Playing] = Playing,
) -> Played:
    """Play all of these in turns, for so many seconds of the processor altogether; games from the preparation half of the time. `playing`: how."""
    out, begun, latest = Played(), time.process_time(), float("inf")
    waiting, running = iter(subjects), list[Playing]()

    def late() -> bool:
        now = time.process_time()
        return now - begun > seconds or now - latest > AFTER or (stop is not None and stop())

    def all_in_turn() -> Iterator[Playing]:
        for subject in waiting:
            running.append(playing(subject, out))
            out.scenarios += 1
            yield running[-1]
        games = [x for x in running if x.is_a_game] or running
        while running:
            yield from (x for pair in zip(running, cycle(games), strict=False) for x in pair)
    for trial in all_in_turn():
        if late():
            break
        known = set(out.found)
        for _ in range(IN_A_ROW):
            raised = trial.records.raised
            trial.go_on(SLICE)
            if trial.records.raised == raised or not trial.is_a_game or late():
                break
        for what in out.found.keys() - known:
            trial.go_on(SHORTER, len(out.found[what].way) - 1, what)
            latest = time.process_time()
    out.seconds = time.process_time() - begun
    return out


def finding_of(found: Broken, bounds: Bounds) -> Finding:
    """What a play came to, with the play. It cites the clauses that the invariant carries; of a number that leaves its range,
    those of the last step are worth reading."""
    subject = found.subject
    name = subject.program.layout.slots[found.slot].group if found.slot >= 0 else found.what
    steps, _ = subject.tell_all(found.way, opening=found.start)
    clauses: tuple[str, ...] = ()
    left = None
    if found.slot >= 0 and isinstance(found.said, End):
        left = words_of_left(subject, found.said)
        cls, title, summary = FindingClass.INVARIANT, left.title, left.summary
    else:
        clauses = clauses_of(subject, name)
        if isinstance(found.said, End):
            cls, (title, summary) = FindingClass.DEFECT, words_of_untold(subject, name, found.said)
        else:
            cls, (title, summary) = FindingClass.INVARIANT, words_of_broken(subject, name)
    told = subject.finding(cls, title, summary, clauses, Play(tuple(steps)), bounds, found.start)
    moment = subject.describer.position(found.last, brief=True)
    if left is not None:
        told = replace(told, title=left.shown, question=left.question)
    return with_last_clauses(replace(told, moment=moment))
