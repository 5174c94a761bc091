"""Hunting in games too large to look at as a whole.

Compiled plays, drawn by lot, go from the preparation to the end. Where one is remarkable (a position
came back, it goes on and on, a number left its range, the rules did not say what happens, or contradicted each other), the positions there are
looked at exactly, with all that everybody may choose from each, and judged as every other exploration is: what is told really happens, by a play
from the beginning. That nothing was found says only what was played.

In most plays some choices are liked more than others, by lots of their own (`native.playing`). Around positions where nothing was remarkable it is
looked, too, for what only exact search sees: orders that nobody decides, places that ask without a choice. Of each finding the shortest play
is kept, and plays that go on from a position of it look for a shorter one.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from operator import itemgetter

import numpy as np

from ...model.engine.extrapolation import FIRST_LIMIT, Counters, field_of, is_counter
from ...model.engine.state import Arrival, Option, State
from ...model.ir import types as t
from ...model.ir.program import Program
from ...spec.text import Text
from ..explore.arrays import Numbers
from ..explore.explorer import BoundAtStart, Exploration, Limits
from ..explore.loop_findings import Signature, Told, signature
from ..explore.subject import Subject
from ..explore.survey import PlainSurvey
from ..findings.claims import UNTOLD
from ..findings.cut_off import cuts_of
from ..findings.record import Bounds, CheckResult, Examined, Finding
from ..native.build import OPTIMISED
from ..native.engine import BeyondNative, Native
from ..native.explorer import explore
from ..native.playouts import Lot, Play, Player, Trail, Way
from ..scenarios.checking import check_explored
from .results import AROUND, DECISIONS, LOOKED, PLAYS, REMARKABLE_PLAYS, UNJUDGED, Key, each_once, kind_of, said_of

MOST_STEPS = 20_000
"""Steps of a play, at most."""
LONG = 4
"""A play so many times as long as the longest that has ended goes on and on."""
FIRST_PLAYS = 100
AROUND_TOLD = 15_000
"""Positions looked at around a remarkable place at most, where what was found there is told."""
FURTHER, FURTHER_TOLD = 300, 600
"""Positions looked at beyond the range of a number at most, which the reference engine does; and where what was found there is told."""
LATE, ROUNDS = 100, 20
"""Positions at the end of a play that goes on in which it is looked for a round that only counters tell apart, and how often it has to be possible again."""
LEADING, TAIL = 4, 40
"""How many positions before an end are looked from; and before a range was left, or where a play was left that goes on and on."""
WIDEST = 200
"""Positions of one repetition that are looked from, at most."""
SHORT = 8
"""Steps of a round at most of which it is asked by which clauses it goes round."""
TIMES = 3
"""How often one kind of remarkable place is looked at before it has to come twice as often again."""
FOLLOWED = 32, 8
"""Plays in which a position came back, all of which are followed to where it did; then every so many."""
CHOICES, BEYOND, AGAIN = 10, 100, 100
"""A position that is looked from takes about as long as so many choices in plays; one of where a range was left, which is gone through again with
counters that have no end, in the interpreter; and a step of a play that is gone through again, for its positions."""
STEPS = 10
"""So many steps of plays count as a choice at least."""
SHARE = 0.25
"""Of the work, how much is looking around where nothing was remarkable."""
SHORTER = 0.3
"""Of the plays, how many look for a shorter way to what was found."""
PLAYED = 0.8
"""Of the time, how much is spent before what was found is told."""
AT_ONCE, LONG_ENOUGH = 20.0, 20.0
"""Seconds that are played with code that was quickly optimised (where better code is not at hand); and how many have to be left to make better code, which plays
an eighth faster."""
REMARKABLE = frozenset({"conflict", "gap", "defect", "bound", "fault"})


@dataclass(frozen=True)
class Sighting:
    """What is remarkable in a play. `key`: the same of what is the same kind of thing. It is looked from the positions after `first` to `last` steps.
    `rising`: what is larger after them, if nothing else is other than before."""

    key: Key
    first: int
    last: int
    rising: tuple[Counters, ...] = ()


@dataclass(frozen=True)
class Region:
    """Positions of one play from which all choices are looked at. `way`: the play to the last of them, of which the first is after `first` steps.
    `rising`: as of the sighting."""

    start: int
    way: Way
    first: int
    rising: tuple[Counters, ...] = ()

    def seen(self, subject: Subject, whole: bool, most: int | None = None) -> Subject:
        """The subject, looked at from there (from the first `most`). `whole`: with the play to there in front."""
        there = range(self.first, len(self.way))[:most]
        ways = [self.way[:k] if whole else [] for k in there]
        return replace(subject.seen_from(ways, [self.way[k][0] for k in there], self.start), rising=self.rising)


@dataclass
class Trophy:
    """A finding, and where it was found: the region to which play is shortest is the last. `steps`: how many the play to there has. `key`: as what
    it came into view."""

    finding: Finding
    steps: int
    regions: list[Region]
    key: Key

    @property
    def region(self) -> Region:
        return self.regions[-1]


@dataclass
class Hunted:
    """What was done."""

    plays: int = 0
    decisions: int = 0
    steps: int = 0
    came_back: int = 0
    longest: int = 0
    looked: int = 0
    looked_by_lot: int = 0
    beyond: int = 0
    again: int = 0
    positions: int = 0
    transitions: int = 0
    ends: Counter[str] = field(default_factory=Counter[str])
    sightings: Counter[Key] = field(default_factory=Counter[Key])
    found: dict[str, Trophy] = field(default_factory=dict[str, Trophy])
    untold: int = 0
    unjudged: int = 0

    @property
    def work(self) -> int:
        """All that was done, in choices: the same whatever machine does it."""
        played = max(self.decisions, self.steps // STEPS, self.plays)  # where nobody chooses anything, too, it comes to an end
        return played + CHOICES * self.positions + BEYOND * self.beyond + AGAIN * self.again


class Hunt:
    """Plays of one subject, and looks around where they are remarkable. `part`: of several hunts with one seed, each has lots of its own."""

    first_plays, share = FIRST_PLAYS, SHARE

    def __init__(self, subject: Subject, seed: int = 0, stop: Callable[[], bool] | None = None, part: int = 0,
                 native: Native | None = None) -> None:
        self.subject, self.stop = replace(subject, compiled=self.apply), stop or (lambda: False)
        self.native = native or self.compiled(None)
        self.at_once = native is None
        self.luck = random.Random(f"hunt{seed}.{part}")
        self.starts = [k for k, start in enumerate(subject.starts) if start.state.end is None]
        self.out = Hunted()
        self.players = dict[int, Player]()
        self.most, self.longest, self.ending = MOST_STEPS, 0, Counter[bool]()
        self.loops: set[Signature] = set()

    def compiled(self, level: int | None) -> Native:
        """Code to play with (`level`: as of `native.build`)."""
        subject = self.subject
        return Native(subject.program, subject.engine.policies, card_ids=subject.engine.card_ids, level=level,
                      symmetry=subject.symmetry)

    def apply(self, state: State, option: Option) -> Arrival:
        """Where an option leads."""
        try:
            return self.native.apply(state, option)
        except BeyondNative:
            return self.subject.engine.apply(state, option)

    # ------------------------------------------------------------ the course of it
    def go_on(
        self, until: float | None, told: Callable[[Hunted], None] | None = None, work: int | None = None
    ) -> Hunted:
        """Hunt until a time (of `time.monotonic`), or until so much work is done."""
        latest = begun = time.monotonic()
        for number in count() if self.starts else ():
            now = time.monotonic()
            if (until is not None and now > until) or (work is not None and self.out.work >= work) or self.over():
                break
            if self.at_once and now - begun > AT_ONCE and (until is None or until - now > LONG_ENOUGH):
                self.at_once = False
                if self.native.compiled.level != OPTIMISED:
                    self.native = self.compiled(OPTIMISED)
                    self.players.clear()
            if told is not None and now - latest > 0.25:
                told(self.out)
                latest = now
            shorten = self.out.found and self.luck.random() < SHORTER
            trophy = self.luck.choice(list(self.out.found.values())) if shorten else None
            if trophy is not None and trophy.region.first:
                base = trophy.region.way[:self.luck.randrange(trophy.region.first) + 1]
                self.one(trophy.region.start, base, trophy.steps - len(base), number)
            else:
                self.one(self.luck.choice(self.starts), [], self.most, number)
        return self.out

    def over(self) -> bool:
        """Is nothing more to be played?"""
        return self.stop()

    def one(self, start: int, base: Way, most: int, number: int) -> None:
        """One play that goes on from another, and what is remarkable in it."""
        if most < 1:
            return
        player = self.player(start)
        if base:
            if (first := self.after(base)).end is not None:
                return
            player = Player(self.native, Arrival(first, 0))
        self.follow(start, base, player, most, number, self.lot(number))

    def lot(self, number: int) -> Lot:
        """What decides a play."""
        return Lot(self.luck.getrandbits(63), self.luck.getrandbits(64) if number % 4 else 0)

    def player(self, start: int) -> Player:
        """Plays from one of the first positions."""
        if start not in self.players:
            self.players[start] = Player(self.native, self.subject.starts[start])
        return self.players[start]

    def follow(self, start: int, base: Way, player: Player, most: int, number: int, lot: Lot) -> None:
        """A play, and what is remarkable in it."""
        try:
            play = player.play(lot.seed, most, lot.liking, hashed=number % 2 == 1)
            self.note(play, len(base))
            sighting = self.sighting(player, lot, play)
            if sighting is not None:
                self.saw(start, base, player, lot, sighting)
            elif (play.steps and number > self.first_plays
                  and CHOICES * self.out.looked_by_lot < self.share * self.out.work):
                at, before = self.luck.randrange(play.steps), self.out.positions
                self.look(self.region(start, base, player, lot, Sighting(("by lot",), at, at)), ("by lot",))
                self.out.looked_by_lot += self.out.positions - before
        except BeyondNative:  # a number that compiled code does not handle: the play is not followed
            return

    def note(self, play: Play, before: int) -> None:
        out = self.out
        out.plays += 1
        out.decisions += play.decisions
        out.steps += play.steps
        out.came_back += play.came_back > 0
        if not before and play.end is not None:
            out.ends[play.end.kind] += 1
        out.longest = max(out.longest, before + play.steps)
        if self.first_plays and not before:
            self.get_to_know(play)

    def get_to_know(self, play: Play) -> None:
        """How long plays go until they end, and so what a long one is: not known where most do not."""
        ended = play.end is not None and play.end.kind not in ("bound", "fault")
        self.ending[ended] += 1
        if ended:
            self.longest = max(self.longest, play.steps)
        self.most = min(MOST_STEPS, LONG * self.longest) if self.ending[True] >= self.ending[False] else MOST_STEPS

    def after(self, base: Way) -> State:
        """Where a play leads."""
        state, option = base[-1]
        return self.native.apply(state, option).state

    def way(self, player: Player, lot: Lot, steps: int) -> Trail:
        """A play again, with its positions."""
        way, _ = player.way(lot, steps)
        self.out.again += len(way)
        return way

    # ------------------------------------------------------------ what is remarkable
    def sighting(self, player: Player, lot: Lot, play: Play) -> Sighting | None:
        """What is remarkable in a play, if anything is."""
        end = play.end
        if end is not None and end.kind in REMARKABLE:
            first = max(0, play.steps - (TAIL if end.kind == "bound" else LEADING))
            return Sighting((end.kind, end.detail.split(" = ")[0], end.slot), first, play.steps - 1)
        if self.out.plays < self.first_plays and play.ended != "loop":  # it is not known yet what a long play is
            return None
        first, each = FOLLOWED
        follow = play.came_back and (self.out.came_back <= first or self.out.came_back % each == 0)
        if play.ended == "loop" or follow or (play.ended == "steps" and play.steps == self.most):
            way = self.way(player, lot, play.came_back or play.steps)
            seen: dict[tuple[int, ...], int] = {}
            for k, key in enumerate(way.keys):
                if (before := seen.setdefault(key, k)) < k:
                    return Sighting(("comes back", *self.alike(way[before:k])), before, min(k - 1, before + WIDEST))
            if play.ended == "steps" and not play.came_back:
                tail = max(0, len(way) - TAIL)
                return self.growing(player, way) or Sighting(("goes on", labels_of(way[tail:])), tail, len(way) - 1)
        return None

    def growing(self, player: Player, way: Trail) -> Sighting | None:
        """Where a play that goes on came back but for counters, and can go on so."""
        seen: dict[tuple[object, ...], int] = {}
        late = range(max(0, len(way) - LATE), len(way))
        for k in (k for k in late if way.labels[k] == way.labels[-1]):  # a round that goes on comes to the last label, too
            state, _ = way[k]
            before = seen.setdefault((state.frames, self.apart_from_counters(state.slots)), k)
            if before < k:
                rising = rising_between(self.subject.program, way[before][0], state)
                if not rising or not player.goes_on(state, way.options[before:k], ROUNDS):
                    return None
                return Sighting(("grows", labels_of(way[before:k]), frozenset(f for c in rising for f in c.fields)),
                                before, k - 1, rising)
        return None

    @cached_property
    def apart_from_counters(self) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
        """Of the slots of a state those that hold no counters."""
        return itemgetter(
            *(k for k, s in enumerate(self.subject.program.layout.slots) if not is_counter(s.type)), -1, -1
        )

    def alike(self, around: Trail) -> Key:
        """By what rounds are alike: the labels, the groups of slots that change, and of a short one its clauses (nothing may change in it but what it waits for)."""
        part = around[:WIDEST]
        changing = PlainSurvey(self.subject.engine, [state for state, _ in part]).changing(np.arange(len(part)))
        groups = frozenset(self.subject.program.layout.slots[x].group for x in changing)
        return labels_of(part), groups, self.subject.decisive_clauses(around) if len(around) <= SHORT else ()

    def saw(self, start: int, base: Way, player: Player, lot: Lot, sighting: Sighting) -> None:
        """Look there: the first times, then every time it has come twice as often. What was found there before may be told by this play, if it is shorter."""
        self.out.sightings[sighting.key] += 1
        many = self.out.sightings[sighting.key]
        steps = len(base) + sighting.first
        longer = [t for t in self.out.found.values() if t.key == sighting.key and steps < t.steps]
        worth = many <= TIMES or many & (many - 1) == 0
        if not worth and not longer:
            return
        region = self.region(start, base, player, lot, sighting)
        for trophy in longer:
            trophy.steps = steps
            trophy.regions.append(region)
        if worth:
            self.look(region, sighting.key)

    def region(self, start: int, base: Way, player: Player, lot: Lot, sighting: Sighting) -> Region:
        """Where that is."""
        way = self.way(player, lot, sighting.last + 1)
        return Region(
            start, [*base, *way] if base else way, len(base) + min(sighting.first, len(way) - 1), sighting.rising
        )

    # ------------------------------------------------------------ looking around
    def look(self, region: Region, key: Key) -> None:
        """All that can be chosen there, and what is found in it; but for loops whose like was found, where something new did not come into view."""
        self.out.looked += 1
        new = self.out.sightings[key] == 1
        loops: set[Signature] = set()

        def told(subject: Subject, out: Exploration, states: Numbers) -> bool:
            loops.add(loop := signature(subject, out, states))
            return not new and loop in self.loops
        for finding in self.findings_in(region, told=told):
            if finding.id not in self.out.found:
                self.out.found[finding.id] = Trophy(finding, region.first, [region], key)
        self.loops |= loops

    def findings_in(self, region: Region, whole: bool = False, most: int = AROUND, further: int = FURTHER,
                    starts: int | None = None, told: Told = lambda subject, out, states: False) -> tuple[Finding, ...]:
        """What is found in a region, looked at from the first so many of its positions; `whole`: by plays from the beginning."""
        seen = region.seen(self.subject, whole, starts)
        out = self.explored(seen, most)
        if out is None:
            return ()
        self.out.positions += len(out.states)
        self.out.transitions += out.transitions
        self.out.beyond += len(out.states) if len(out.bound_edges) or seen.rising else 0
        result = check_explored(seen, Limits(states=further, stop=self.stop), out, told=told)
        self.out.unjudged += "unshown" in cuts_of(result)
        return result.findings

    def explored(self, seen: Subject, most: int) -> Exploration | None:
        """So many positions of a region at most, if it can be looked at."""
        try:
            return explore(self.native, seen.engine, seen.starts, Limits(states=most, stop=self.stop), threads=1)
        except (BoundAtStart, BeyondNative):
            return None

    def told(
        self, keep: Callable[[Sequence[Finding]], None] = lambda so_far: None, hurried: bool = False
    ) -> list[Finding]:
        """All findings, the nearest first, with their plays from the beginning: looked at farther, so that it is known who can stop what. `keep` is told what
        there is so far, in case time is over before the next. `hurried`: each is told as far as it was looked at, before any is looked at farther."""
        self.out.untold = len(self.out.found)
        near, far = self.telling(AROUND, FURTHER, keep) if hurried else [], list[Finding]()

        def both(so_far: Sequence[Finding]) -> list[Finding]:
            return [*so_far, *(f for f in near if kind_of(f) not in map(kind_of, so_far))]
        if not self.stop():
            far = self.telling(AROUND_TOLD, FURTHER_TOLD, lambda so_far: keep(both(so_far)), told=bool(near))
        return each_once(both(far) if self.stop() else far or near)

    def telling(
        self, most: int, further: int, keep: Callable[[Sequence[Finding]], None], told: bool = False
    ) -> list[Finding]:
        """What is found where something was, with so many positions looked at. `told`: it was told before."""
        left = sorted(self.out.found.values(), key=lambda t: t.steps)
        out: list[Finding] = []
        looked: set[tuple[int, int | None]] = set()
        while left and not self.stop():
            self.out.untold = 0 if told else len(left)
            keep(out)
            trophy = left[0]
            for region, starts in ((r, starts) for r in trophy.regions[:-3:-1] for starts in (1, None)):
                if (id(region), starts) in looked:  # what is there has been told
                    continue
                looked.add((id(region), starts))
                # From where play comes into a loop, its beginning is the same however it was found.
                found = self.findings_in(region, True, most, further, starts)
                out += found
                if kind_of(trophy.finding) in map(kind_of, found):
                    break
            known = set(map(kind_of, out))
            left = [t for t in left[1:] if kind_of(t.finding) not in known]
        self.out.untold = 0 if told else len(left)
        return out


def make_ready(subject: Subject) -> None:
    """Compile what looking around needs, whatever the subject is, so that it is kept. Raises Unsupported."""
    native = Hunt(subject).native
    with suppress(BoundAtStart, BeyondNative):
        out = explore(native, subject.engine, subject.starts, Limits(states=AROUND), threads=1)
        check_explored(subject, Limits(states=AROUND), out)


def hunted(subject: Subject, seconds: float | None, seed: int = 0, stop: Callable[[], bool] | None = None,
           told: Callable[[Text], None] | None = None, work: int | None = None, part: int = 0,
           keep: Callable[[CheckResult], None] = lambda so_far: None) -> CheckResult:
    """Hunt for so many seconds, or until so much work is done, and report what was found, with what was played; `keep` is given what there is of that while
    it is worked out. Raises Unsupported."""
    begun = time.monotonic()
    hunt = Hunt(subject, seed, stop, part)
    until = None if seconds is None else begun + PLAYED * seconds

    def result(findings: Sequence[Finding]) -> CheckResult:
        out = hunt.out
        counts = examined(out)
        bounds = Bounds(
            False, out.positions, out.transitions, out.longest, (said_of(counts, seed),), assumptions=subject.given
        )
        return CheckResult(subject.book, subject.scenario, subject.title, dict(subject.readings), bounds,
                           tuple(replace(f, bounds=bounds) for f in findings), counts, dict(sorted(out.ends.items())),
                           subject.symmetry is not None, policies=subject.policies, seconds=time.monotonic() - begun)

    def on_the_way(now: Hunted) -> None:
        if told is not None:
            told(so_far(now))
        now.untold = len(now.found)
        keep(result(()))
    hunt.go_on(until, on_the_way, work)
    return result(hunt.told(lambda so_far: keep(result(so_far)), hurried=seconds is not None))


def rising_between(program: Program, before: State, after: State) -> tuple[Counters, ...]:
    """The counters in which a state differs from an earlier one. None where one of them cannot go on so for ever."""
    out: dict[str, Counters] = {}
    for k, (a, b) in enumerate(zip(before.slots, after.slots, strict=True)):
        if a != b:
            sign, name = 1 if b > a else -1, field_of(program, k)
            known = out.setdefault(name, Counters(frozenset({name}), 0, sign=sign))
            if sign != known.sign or (sign < 0 and t.domain(program.layout.slots[k].type)[0] >= 0):
                return ()
            out[name] = replace(known, limit=max(known.limit, sign * b + FIRST_LIMIT))
    return tuple(out.values())


def labels_of(way: Trail) -> frozenset[tuple[int, ...]]:
    """The labels that play comes to."""
    return frozenset(way.labels)


def so_far(out: Hunted) -> Text:
    """How far it has come."""
    return Text(ja=f"対戦 {out.plays:,} 回（選択 {out.decisions:,} 回）、調べた箇所 {out.looked:,}、見つかったもの {len(out.found)}",
                en=f"{out.plays:,} games ({out.decisions:,} choices), {out.looked:,} places looked at, {len(out.found)} found")


def examined(out: Hunted) -> tuple[Examined, ...]:
    """How often there was a chance to find something."""
    rows = [Examined(PLAYS, out.plays, "plays"), Examined(DECISIONS, out.decisions, ""),
            Examined(REMARKABLE_PLAYS, sum(out.sightings.values()), ""), Examined(LOOKED, out.looked, "")]
    return (*rows,
            *(Examined(what, many, "") for what, many in ((UNJUDGED, out.unjudged), (UNTOLD, out.untold)) if many))
