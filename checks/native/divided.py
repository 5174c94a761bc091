"""One breadth-first search divided among several workers, with the states, transitions and depths of one.

Each worker has the states whose hash falls to it (a `Share`): table, keys, where each was first found from. All look at the
states of one depth, a *round*, before anybody goes on to the next. Within a round each in turn *expands* some of its own
and fills a buffer for each other worker (`routing`), then *takes in* what the others have for it. Which of several ways
leads to a state first depends on how many workers there are; nothing that is counted does.

A `Team` carries the calls to its shares: `InProcess` here, processes on several machines in `runs/actors.py`.

Between two exchanges all that is known lies in the arrays of the shares. So a checkpoint is taken there: each share appends to files
of its own and writes a manifest of this *generation* (`checkpoint`), and when all have, the manifest of the whole names it (`Kept`).
Until then each has the generation before as well, so that a search can be taken up wherever it was killed, and with the same counts.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from ...model.engine.state import Arrival, End
from ...spec.text import Text
from ..explore.explorer import Limits
from ..explore.other_findings import settled
from ..explore.subject import Subject
from ..limits.ending import memory_mib, reason
from . import routing
from .checkpoint import Checkpoint, Plan, damaged, not_written
from .engine import Native
from .layout import LEFT, NEED_SPACE, NEXT
from .looking import NativeSurvey
from .search import ALONE, BUDGET, Search

SENT = 1 << 18
"""Words of the buffer for one other worker."""
RECENT = 1 << 16
"""So many entries of the buffers are remembered, not to be sent again."""


class Report(NamedTuple):
    """How far a share is: the round, states of it not yet looked at, states of the next, states in all, transitions, those of
    them that left a bound, words sent, MiB of memory, seconds of the processor."""

    depth: int
    waiting: int
    next: int
    states: int
    transitions: int
    left: int
    sent: int
    memory_mib: float
    processor: float


class Met(NamedTuple):
    """States in which play has ended in one way: the first of them, its depth, and how many there are."""

    first: int
    depth: int
    states: int


class Found(NamedTuple):
    """A state of a share: its key, and the share and number it was first found from; a first state: itself."""

    key: list[int]
    share: int
    number: int


def first_states(native: Native, subject: Subject) -> list[Arrival]:
    """The first states, with equal cards in the order that stands for all."""
    return [s._replace(state=native.representative(s.state)) for s in subject.starts]


class Share:
    """The part of a search that is `me`, of so many."""

    def __init__(self, native: Native, subject: Subject, me: int, shares: int) -> None:
        self.native, self.subject, self.me = native, subject, me
        starts = first_states(native, subject)
        self.search = search = Search(native, Limits(None), graph=False)
        self.sent = np.zeros((shares, SENT), np.uint64)
        self.filled = np.zeros(shares, np.int64)
        self.recent = np.zeros(RECENT, np.int64)
        self.words_sent = 0
        self.identity = search.identity(starts)
        search.make_space(len(starts) + 2, (len(starts) + 2) * native.shape.most_words)
        for start in starts:
            if routing.owner_of(search.words_of(start), shares) == me:
                search.add(start)
        search.make_table()
        self.rounds = [0, search.count]
        """The first state of each depth, and of the next."""
        self.from_whom: list[tuple[int, int]] = [(0, me)]
        """From which state on they were first found by which share, until the next of these."""

    def turn(self) -> Report:
        """Begin the next round."""
        self.rounds.append(self.search.count)
        return self.report()

    def report(self) -> Report:
        run, last = self.search.run, self.rounds[-1]
        return Report(
            len(self.rounds) - 2,
            last - int(run[NEXT]),
            self.search.count - last,
            self.search.count,
            self.search.transitions,
            int(run[LEFT]),
            self.words_sent,
            memory_mib(),
            time.process_time(),
        )

    def found_by(self, share: int) -> None:
        """States that are new from now on are first found by this share."""
        if self.from_whom[-1][1] != share:
            if self.from_whom[-1][0] == self.search.count:
                self.from_whom.pop()
            self.from_whom.append((self.search.count, share))

    def expand(self) -> list[np.ndarray]:
        """Look at some states of this round: what is to be sent to each share. Raises BeyondNative."""
        search, native = self.search, self.native
        if self.sent.shape[1] < search.batch.records.size:  # what a batch has must find room
            self.sent = np.zeros((len(self.filled), 4 * search.batch.records.size), np.uint64)
        self.filled[:] = 0
        self.recent[:] = 0
        self.found_by(self.me)
        why = NEED_SPACE
        while why == NEED_SPACE:  # where there is no room for records, what is in the buffers goes first
            why = int(routing.expand_some(
                search.run, search.arrays(), search.batch, native.context, native.compiled.address["successors"],
                search.deciders[0], ALONE, self.rounds[-1], self.me, self.sent, self.filled, self.recent, BUDGET))
            search.provided(why)
        self.words_sent += int(self.filled.sum())
        return [self.sent[share, :n].copy() for share, n in enumerate(self.filled.tolist())]

    def take(self, buffers: Sequence[np.ndarray]) -> Report:
        """Take in what each share has for this one."""
        for share, entries in enumerate(buffers):
            begin = 0
            if entries.size:
                self.found_by(share)
            while begin < entries.size:
                begin = int(
                    routing.take_some(self.search.run, self.search.arrays(), self.search.batch, entries, begin, ALONE)
                )
                if begin < entries.size:
                    self.search.provided(NEED_SPACE)
        return self.report()

    # ------------------------------------------------------------ on disk
    def keep(self, folder: str, generation: int, sums: Sequence[str]) -> None:
        """Generations are kept there; go on from this one, if it is one and its manifest has the checksum given for this share.
        Raises BadInput."""
        plan = Plan(Path(folder), name=f"share-{self.me + 1}-of-{len(self.filled)}")
        self.kept = kept = Checkpoint(plan, self.identity, generation)
        if generation:
            facts = self.search.restore(kept)
            if kept.sum != sums[self.me]:
                raise damaged(
                    kept.manifest_of(generation),
                    "ほかの部分と同じ時点のものではありません",
                    "it is not of the same moment as the other parts",
                )
            self.rounds, self.from_whom, self.words_sent = (
                facts["rounds"],
                [(k, share) for k, share in facts["from whom"]],
                facts["words sent"],
            )
            self.search.make_table()

    def save(self, generation: int) -> tuple[str, str]:
        """Write the next generation; the last one stays. The manifest and its checksum. Raises OSError."""
        kept, (arrays, facts) = self.kept, self.search.saved()
        kept.folder.mkdir(parents=True, exist_ok=True)
        kept.generation = generation
        kept.write(arrays, {**facts, "rounds": self.rounds, "from whom": self.from_whom, "words sent": self.words_sent})
        kept.manifest_of(generation - 2).unlink(missing_ok=True)
        return str(kept.manifest_of(generation)), kept.sum

    # ------------------------------------------------------------ what was found, when nothing more is looked for
    @cached_property
    def survey(self) -> NativeSurvey:
        return NativeSurvey(self.search, self.subject.engine, False)

    def met(self, k: int, count: int) -> Met:
        return Met(k, bisect_right(self.rounds, k) - 1, count)

    def depths(self) -> list[int]:
        """States of each depth."""
        return [b - a for a, b in pairwise(self.rounds)] + [self.search.count - self.rounds[-1]]

    def ended(self) -> dict[End, Met]:
        """The ends of play, with how often each was met."""
        return {end: self.met(k, count) for end, k, count in self.survey.places.ended}

    @cached_property
    def settled(self) -> np.ndarray:
        """The states in which conditions are looked at."""
        return settled(self.subject.program, self.survey.places)

    def looked(self) -> int:
        return len(self.settled)

    def failing(self) -> dict[str, Met]:
        """The conditions that do not hold somewhere, or of which that cannot be told; how often is not counted."""
        return {
            name: self.met(k, 0) for k, name, _ in self.survey.failing(self.subject.program.invariants, self.settled)
        }

    def goes_on(self) -> bool:
        """Is there a state of this round in which play has not ended?"""
        return bool((self.survey.places.code[int(self.search.run[NEXT]):] >= 0).any())

    def found(self, k: int) -> Found:
        """A state, and where it was first found from."""
        key = self.search.key(k)
        if k < self.rounds[1]:
            return Found(key, self.me, k)
        share = self.from_whom[bisect_right(self.from_whom, k, key=lambda x: x[0]) - 1][1]
        return Found(key, share, int(self.search.array("parent")[k]))


# ---------------------------------------------------------------- all shares
T = TypeVar("T")


class Lost(Exception):
    """A worker does not answer any more."""


class Team(Protocol):
    """The shares of one search, wherever they are. Raises BeyondNative, or Lost."""

    def each(self, method: str, /, *given: Any) -> list[Any]:
        """What a method of every share gives."""
        ...

    def ask(self, share: int, method: str, /, *given: Any) -> Any:
        """What a method of one share gives."""
        ...

    def exchange(self) -> list[Report]:
        """All expand, then all take in."""
        ...


@dataclass
class InProcess:
    """All shares in this process, one after the other."""

    shares: Sequence[Share]

    def each(self, method: str, *given: Any) -> list[Any]:
        return [getattr(share, method)(*given) for share in self.shares]

    def ask(self, share: int, method: str, *given: Any) -> Any:
        return getattr(self.shares[share], method)(*given)

    def exchange(self) -> list[Report]:
        buffers = [share.expand() for share in self.shares]
        return [share.take([of[share.me] for of in buffers]) for share in self.shares]


@dataclass
class Outcome:
    """What a divided search found. `depths`: how many states there are of each depth. `cut` as of an `Exploration`. `ended` and
    `failing`: of each the share that has a shortest play to it, and what it says of that, with the count of all shares.
    `looked`: the states in which conditions were looked at."""

    states: int
    transitions: int
    left: int
    depths: list[int]
    ended: dict[End, tuple[int, Met]]
    failing: dict[str, tuple[int, Met]]
    looked: int
    cut: str
    seconds: float

    @property
    def complete(self) -> bool:
        """Was everything looked at, with no bound exceeded?"""
        return not self.cut and not self.left


class Explored(NamedTuple):
    """How far all shares are, after how many rounds and seconds, and what cut them off."""

    reports: list[Report]
    rounds: int
    seconds: float
    cut: str = ""

    @property
    def states(self) -> int:
        return sum(r.states for r in self.reports)

    @property
    def transitions(self) -> int:
        return sum(r.transitions for r in self.reports)


class Generation(NamedTuple):
    """What was kept at one moment: the checksums of the manifests of all shares, transitions and seconds by then. 0: nothing."""

    number: int = 0
    sums: Sequence[str] = ()
    transitions: int = 0
    seconds: float = 0.0


@dataclass
class Kept:
    """Where a divided search is kept; `tell` is told if it cannot be. `whole`: its manifest is that of `last`, the generation that counts."""

    whole: Checkpoint
    tell: Callable[[Text], None] = lambda said: None
    last: Generation = field(default_factory=Generation)

    def go_on(self, team: Team) -> float:
        """Have all shares go on from the generation that counts, if there is one; the seconds it took by then. Raises BadInput."""
        if self.whole.plan.exists:
            self.last = Generation(**self.whole.read(lambda name, size: np.zeros(size, np.uint8)))
        team.each("keep", str(self.whole.folder.absolute()), self.last.number, self.last.sums)
        return self.last.seconds

    def save(self, team: Team, now: Explored) -> None:
        """Write the next generation, if something has been looked at since the last."""
        if self.last.number and now.transitions == self.last.transitions:
            return
        begun = time.monotonic()
        try:
            saved: list[tuple[str, str]] = team.each("save", self.last.number + 1)
            for manifest, _ in saved:
                Path(manifest).stat()  # is the folder the same on all machines?
            fresh = Generation(self.last.number + 1, [checksum for _, checksum in saved], now.transitions, now.seconds)
            self.whole.write({}, fresh._asdict())
            self.last = fresh
        except OSError as error:
            self.tell(not_written(error))
        self.whole.last = time.monotonic()
        self.whole.took = self.whole.last - begun


def explored(
    team: Team, limits: Limits, progress: Callable[[Explored], None] = lambda now: None, kept: Kept | None = None
) -> Explored:
    """Explore to the end, or to a limit: on states and on time between two exchanges, on memory for each worker. `progress` is told
    after each exchange. `kept`: go on from what is there, and keep it now and then and at the end."""
    begun, cut = time.monotonic(), ""
    before = 0.0 if kept is None else kept.go_on(team)
    reports: list[Report] = team.each("report")

    def now() -> Explored:
        return Explored(reports, reports[0].depth, before + time.monotonic() - begun, cut)
    while any(r.waiting or r.next for r in reports):
        if not any(r.waiting for r in reports):
            reports = team.each("turn")
        if reports[0].depth == limits.depth:
            cut = "depth" if any(team.each("goes_on")) else ""
            break
        if cut := met(limits, reports, begun):
            break
        reports = team.exchange()
        progress(now())
        if kept is not None and kept.whole.due:
            kept.save(team, now())
    if kept is not None:
        kept.save(team, now())
    return now()


def search(
    team: Team,
    limits: Limits,
    several: bool,
    progress: Callable[[Explored], None] = lambda now: None,
    kept: Kept | None = None,
) -> Outcome:
    """Explore, and ask what was found. `several`: chance picks one of several first states; the state before that counts."""
    done = explored(team, limits, progress, kept)
    depths = np.sum(list(zip_longest(*team.each("depths"), fillvalue=0)), axis=1).tolist()
    return Outcome(
        sum(depths) + several,
        done.transitions,
        sum(r.left for r in done.reports),
        [depths[0] + several, *(n for n in depths[1:] if n)],
        nearest(team.each("ended")),
        nearest(team.each("failing")),
        sum(team.each("looked")),
        done.cut,
        done.seconds,
    )


def nearest(told: Sequence[dict[T, Met]]) -> dict[T, tuple[int, Met]]:
    """Of what each share tells, the share with the shortest play to it, and the count of all."""
    out: dict[T, tuple[int, Met]] = {}
    for share, found in enumerate(told):
        for what, here in found.items():
            who, there = out.get(what, (share, here._replace(states=0)))
            who, best = (share, here) if here.depth < there.depth else (who, there)
            out[what] = who, best._replace(states=here.states + there.states)
    return out


def met(limits: Limits, reports: Sequence[Report], begun: float) -> str:
    """Which limit is met, if one is."""
    if limits.states is not None and sum(r.states for r in reports) >= limits.states:
        return "states"
    if limits.stop is not None and limits.stop():
        return reason(limits.stop)
    if limits.seconds is not None and time.monotonic() - begun > limits.seconds:
        return "seconds"
    return "memory" if limits.memory_mib is not None and max(r.memory_mib for r in reports) > limits.memory_mib else ""


def way_to(team: Team, share: int, number: int) -> list[list[int]]:
    """The keys along a shortest way from a first state to this one."""
    way: list[list[int]] = []
    while True:
        at: Found = team.ask(share, "found", number)
        way.append(at.key)
        if (at.share, at.number) == (share, number):
            return way[::-1]
        share, number = at.share, at.number
