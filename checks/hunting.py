"""Hunting in games too large to look at as a whole.

Compiled plays, drawn by lot, go from the preparation to the end: hundreds of thousands of choices a second. Where one is remarkable (a position
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
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count

from ..model.engine.state import Arrival, State
from ..spec.text import Text
from .checking import check_explored
from .explore.explorer import BoundAtStart, Limits
from .explore.loop_findings import NotReal
from .explore.subject import Subject
from .findings.record import Bounds, CheckResult, Examined, Finding
from .native.engine import Native
from .native.explorer import explore
from .native.playouts import BeyondNative, Lot, Play, Player, Way

MOST_STEPS = 20_000
"""Steps of a play, at most."""
LONG = 4
"""A play so many times as long as the longest of the first ones goes on and on."""
FIRST_PLAYS = 100
AROUND, AROUND_TOLD = 3_000, 15_000
"""Positions looked at around a remarkable place, at most; and where what was found there is told."""
LEADING, TAIL = 4, 40
"""How many positions before an end are looked from; and before a range was left, or where a play was left that goes on and on."""
WIDEST = 200
"""Positions of one repetition that are looked from, at most."""
TIMES = 3
"""How often one kind of remarkable place is looked at before it has to come twice as often again."""
FOLLOWED = 32, 8
"""Plays in which a position came back, all of which are followed to where it did; then every so many."""
SHARE = 0.25
"""Of the time, how much is spent on looking around where nothing was remarkable."""
SHORTER = 0.3
"""Of the plays, how many look for a shorter way to what was found."""
PLAYED = 0.8
"""Of the time, how much is spent before what was found is told."""
REMARKABLE = frozenset({"conflict", "gap", "defect", "bound", "fault"})
Key = tuple[object, ...]


@dataclass(frozen=True)
class Sighting:
    """What is remarkable in a play. `key`: the same of what is the same kind of thing. It is looked from the positions after `first` to `last` steps."""

    key: Key
    first: int
    last: int


@dataclass(frozen=True)
class Region:
    """Positions of one play from which all choices are looked at. `way`: the play to the last of them, of which the first is after `first` steps."""

    start: int
    way: Way
    first: int

    def seen(self, subject: Subject, whole: bool, most: int | None = None) -> Subject:
        """The subject, looked at from there (from the first `most`). `whole`: with the play to there in front."""
        there = range(self.first, len(self.way))[:most]
        ways = [self.way[:k] if whole else [] for k in there]
        return subject.seen_from(ways, [self.way[k][0] for k in there], self.start)


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
    positions: int = 0
    transitions: int = 0
    ends: Counter[str] = field(default_factory=Counter[str])
    sightings: Counter[Key] = field(default_factory=Counter[Key])
    found: dict[str, Trophy] = field(default_factory=dict[str, Trophy])
    untold: int = 0
    unjudged: int = 0


class Hunt:
    """Plays of one subject, and looks around where they are remarkable."""

    def __init__(self, subject: Subject, seed: int = 0, stop: Callable[[], bool] | None = None) -> None:
        self.subject, self.seed, self.stop = subject, seed, stop or (lambda: False)
        self.native = Native(subject.program, subject.engine.policies, card_ids=subject.engine.card_ids, symmetry=subject.symmetry)
        self.luck = random.Random(f"hunt{seed}")
        self.starts = [k for k, start in enumerate(subject.starts) if start.state.end is None]
        self.out = Hunted()
        self.players = {k: Player(self.native, subject.starts[k]) for k in self.starts}
        self.most = MOST_STEPS
        self.spent = 0.0
        self.places: set[Key] = set()

    # ------------------------------------------------------------ the course of it
    def go_on(self, until: float, told: Callable[[Hunted], None] | None = None) -> Hunted:
        """Hunt until a time (of `time.monotonic`)."""
        begun = latest = time.monotonic()
        for number in count() if self.starts else ():
            now = time.monotonic()
            if now > until or self.stop():
                break
            if told is not None and now - latest > 0.25:
                told(self.out)
                latest = now
            shorten = self.out.found and self.luck.random() < SHORTER
            trophy = self.luck.choice(list(self.out.found.values())) if shorten else None
            if trophy is not None and trophy.region.first:
                base = trophy.region.way[:self.luck.randrange(trophy.region.first) + 1]
                self.one(trophy.region.start, base, trophy.steps - len(base), number, begun)
            else:
                self.one(self.luck.choice(self.starts), [], self.most, number, begun)
        return self.out

    def one(self, start: int, base: Way, most: int, number: int, begun: float) -> None:
        """One play that goes on from another, and what is remarkable in it."""
        if most < 1:
            return
        player = self.players[start]
        if base:
            first = self.after(base)
            if first.end is not None:
                return
            player = Player(self.native, Arrival(first, 0))
        lot = Lot(self.luck.getrandbits(63), self.luck.getrandbits(64) if number % 4 else 0)
        try:
            play = player.play(lot.seed, most, lot.liking, hashed=number % 2 == 1)
        except BeyondNative:
            return
        self.note(play, len(base))
        sighting = self.sighting(player, lot, play)
        if sighting is not None:
            self.saw(start, base, player, lot, sighting)
        elif play.steps and number > FIRST_PLAYS and self.spent < SHARE * (time.monotonic() - begun):
            at, now = self.luck.randrange(play.steps), time.monotonic()
            self.look(self.region(start, base, player, lot, Sighting(("by lot",), at, at)), ("by lot",))
            self.spent += time.monotonic() - now

    def note(self, play: Play, before: int) -> None:
        out = self.out
        out.plays += 1
        out.decisions += play.decisions
        out.steps += play.steps
        out.came_back += play.came_back > 0
        if not before and play.end is not None:
            out.ends[play.end.kind] += 1
        out.longest = max(out.longest, before + play.steps)
        if out.plays == FIRST_PLAYS:
            self.most = min(MOST_STEPS, LONG * out.longest)

    def after(self, base: Way) -> State:
        """Where a play leads."""
        state, option = base[-1]
        return self.native.apply(state, option).state

    # ------------------------------------------------------------ what is remarkable
    def sighting(self, player: Player, lot: Lot, play: Play) -> Sighting | None:
        """What is remarkable in a play, if anything is."""
        end = play.end
        if end is not None and end.kind in REMARKABLE:
            leading = TAIL if end.kind == "bound" else LEADING
            return Sighting((end.kind, end.detail.split(" = ")[0], end.slot), max(0, play.steps - leading), play.steps - 1)
        if self.out.plays < FIRST_PLAYS and play.ended != "loop":  # it is not known yet what a long play is
            return None
        first, each = FOLLOWED
        follow = play.came_back and (self.out.came_back <= first or self.out.came_back % each == 0)
        if play.ended == "loop" or follow or (play.ended == "steps" and play.steps == self.most):
            way, last = player.way(lot, play.came_back or play.steps)
            seen: dict[State, int] = {}
            for k, state in enumerate((*(state for state, _ in way), last)):
                if (before := seen.setdefault(state, k)) < k:
                    places = frozenset(s.frames[-1][:2] for s, _ in way[before:k] if s.frames)
                    return Sighting(("comes back", places), before, min(k - 1, before + WIDEST))
            if play.ended == "steps" and not play.came_back:
                tail = max(0, len(way) - TAIL)
                return Sighting(("goes on", frozenset(s.frames[-1][:2] for s, _ in way[tail:] if s.frames)), tail, len(way) - 1)
        return None

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
        way, _ = player.way(lot, sighting.last + 1)
        return Region(start, [*base, *way], len(base) + min(sighting.first, len(way) - 1))

    # ------------------------------------------------------------ looking around
    def look(self, region: Region, key: Key) -> None:
        """All that can be chosen there, and what is found in it; but for loops in places where one was found."""
        self.out.looked += 1
        places: set[Key] = set()

        def told(states: Iterable[State]) -> bool:
            where: Key = tuple(sorted({s.frames[-1][:2] for s in states if s.frames}))
            places.add(where)
            return where in self.places
        for finding in self.findings_in(region, told=told):
            if finding.id not in self.out.found:
                self.out.found[finding.id] = Trophy(finding, region.first, [region], key)
        self.places |= places

    def findings_in(
        self, region: Region, whole: bool = False, most: int = AROUND, starts: int | None = None,
        told: Callable[[Iterable[State]], bool] = lambda states: False,
    ) -> tuple[Finding, ...]:
        """What is found in a region, looked at from the first so many of its positions; `whole`: by plays from the beginning."""
        seen = region.seen(self.subject, whole, starts)
        try:
            out = explore(self.native, seen.engine, seen.starts, Limits(states=most, stop=self.stop), threads=1)
        except (BoundAtStart, BeyondNative):
            return ()
        self.out.positions += len(out.states)
        self.out.transitions += out.transitions
        try:
            return check_explored(seen, Limits(states=most, stop=self.stop), out, told=told).findings
        except NotReal:
            self.out.unjudged += 1
            return ()

    def told(self) -> list[Finding]:
        """All findings, the nearest first, with their plays from the beginning: looked at farther, so that it is known who can stop what."""
        left = sorted(self.out.found.values(), key=lambda t: t.steps)
        out: dict[Key, Finding] = {}
        while left and not self.stop():
            trophy = left[0]
            for region, starts in ((r, starts) for r in trophy.regions[:-3:-1] for starts in (1, None)):
                # From where play comes into a loop, its beginning is the same however it was found.
                found = self.findings_in(region, True, AROUND_TOLD, starts)
                for finding in found:
                    out.setdefault((*kind_of(finding), finding.keepers, finding.stopper), finding)
                if kind_of(trophy.finding) in map(kind_of, found):
                    break
            known = {key[:2] for key in out}
            left = [t for t in left[1:] if kind_of(t.finding) not in known]
        self.out.untold = len(left)
        return list(out.values())


def kind_of(finding: Finding) -> Key:
    """What a finding is, wherever a loop begins and whoever can stop it."""
    return finding.cls, frozenset(finding.clauses)


def hunted(
    subject: Subject, seconds: float, seed: int = 0, stop: Callable[[], bool] | None = None, told: Callable[[Text], None] | None = None,
) -> CheckResult:
    """Hunt for so many seconds, and report what was found, with what was played. Raises Unsupported."""
    begun = time.monotonic()
    hunt = Hunt(subject, seed, stop)
    out = hunt.go_on(begun + PLAYED * seconds, None if told is None else lambda now: told(so_far(now)))
    findings = hunt.told()
    bounds = Bounds(False, out.positions, out.transitions, out.longest, (said_of(out, seed),), assumptions=subject.given)
    return CheckResult(
        subject.book, subject.scenario, subject.title, dict(subject.readings), bounds, tuple(replace(f, bounds=bounds) for f in findings), examined(out),
        dict(sorted(out.ends.items())), subject.symmetry is not None, policies=subject.policies, seconds=time.monotonic() - begun)


def so_far(out: Hunted) -> Text:
    """How far it has come."""
    return Text(ja=f"対戦 {out.plays:,} 回（選択 {out.decisions:,} 回）、調べた箇所 {out.looked:,}、見つかったもの {len(out.found)}",
                en=f"{out.plays:,} games ({out.decisions:,} choices), {out.looked:,} places looked at, {len(out.found)} found")


def said_of(out: Hunted, seed: int) -> Text:
    """How far was looked."""
    if not out.plays:
        return Text(ja="一度も対戦を進められなかったので、何も調べていません", en="no game could be played, so nothing was looked at")
    unjudged = Text(ja=f"。{out.unjudged} か所は判定できませんでした", en=f"; {out.unjudged} places could not be judged") if out.unjudged else Text.same("")
    more = Text(ja=f"。ほかに {out.untold} 件見つけましたが、手順を示す時間がありませんでした",
                en=f"; {out.untold} more were found, but there was no time to tell their plays") if out.untold else Text.same("")
    return Text(
        ja=f"対戦を {out.plays:,} 回くじで進め（選択 {out.decisions:,} 回、種 {seed}）、{out.looked:,} か所では、そこから続く局面を {AROUND:,} までたどりました。ほかの局面は見ていません{more.ja}{unjudged.ja}",
        en=f"{out.plays:,} games were played by lot ({out.decisions:,} choices, seed {seed}); from {out.looked:,} places on, up to {AROUND:,} positions each were"
           f" looked at; nothing is said of other positions{more.en}{unjudged.en}")


def examined(out: Hunted) -> tuple[Examined, ...]:
    """How often there was a chance to find something."""
    return (
        Examined(Text(ja="くじで進めた対戦", en="games played by lot"), out.plays, "plays"),
        Examined(Text(ja="そのうち目を引いたもの（局面が戻る、終わらない、範囲を出る、条文が定めない）",
                      en="of these, remarkable ones (a position comes back, no end, a range is left, the rules do not say)"), sum(out.sightings.values()), ""),
        Examined(Text(ja="そこから続く局面を調べた箇所", en="places from which on was looked"), out.looked, ""),
    )


__all__ = ["Hunt", "Hunted", "hunted"]
