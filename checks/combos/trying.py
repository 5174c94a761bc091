"""Trying some cards together: compiled plays from positions made for them; and where one goes round by what their texts do, a world of their own,
in which as few of them as will do are looked at exactly."""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random

from ...model.lang.world import CardDef
from ..explore.loops import has_loop
from ..findings.record import Finding, FindingClass
from ..hunt.hunting import Hunt, Region, Sighting, Way, labels_of
from ..hunt.results import AROUND, Key
from ..native.playouts import Lot, Play, Player, Plays, Trail
from ..stored.replaying import Player as Replaying
from .carrying import lasso
from .positions import Fodder, Hints, Laid, Setup

POSITIONS, PLAYS = 24, 120
"""Positions that are made for some cards, and plays from them, in each template."""
MORE = 32
"""Times as many plays, of cards that went round once."""
SECONDS = 10.0
"""For the plays with some cards, at most."""
LONGEST = 150
"""Steps of a play, at most: one that is not over by then goes on and on."""
SEEN = 40
"""Steps of what goes round in which it is looked for what the texts of the cards do."""
ENOUGH = 3
"""Plays into loops of the cards from which the shortest is taken."""
AGAIN, LOOKS = 4, 3
"""Times that one kind of place is looked at; and in one world, in vain, what goes round by the texts of the same cards."""
ROUND = frozenset(("comes back", "goes on", "grows", "bound"))
ATTEMPTS = 3
"""Times that what went round is played anew, until it is shown."""
REGIONS = 2
"""Places that are looked at exactly, for some cards."""
@dataclass(frozen=True)
class Candidate:
    """Cards that may loop together, and cards that may begin it; where their texts would take each of them from (`hints`), and plain cards
    (`fodder`), and what numbers their costs lower (`paid`); `key`: of what they say."""

    cards: tuple[CardDef, ...]
    starters: tuple[CardDef, ...]
    hints: Hints
    fodder: Fodder
    paid: tuple[str, ...]
    key: str

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(c.id for c in self.cards)

    @property
    def all(self) -> tuple[CardDef, ...]:
        return self.cards + self.starters

    def apart_from(self, loops: Collection[frozenset[str]]) -> Candidate:
        """Without what may begin it, where that is of a loop of these: play would come to that one again and again."""
        begun = {c.id for c in self.all}
        known = frozenset[str]().union(*(loop for loop in loops if loop <= begun))
        return replace(self, starters=tuple(c for c in self.starters if c.id not in known))


class Trial(Hunt):
    """A hunt for loops by the texts of cards, in so many plays: `loops_of`, where each was first come to, by the cards whose texts are carried out;
    `unshown`: play went round by their texts, and no loop was there; `in_vain`: by which, how often. After `enough` plays into loops of `mine` no more are
    needed."""

    first_plays, share = 0, 0.0

    def __init__(
        self,
        setup: Setup,
        seed: int,
        laid: Sequence[Laid],
        mine: Collection[str],
        plays: int,
        enough: int,
        in_vain: Counter[frozenset[str]],
    ) -> None:
        self.positions, self.first = [*setup.subject.positions] * len(laid), [*setup.subject.starts] * len(laid)
        super().__init__(replace(setup.subject, positions=self.positions, starts=self.first), seed, native=setup.native)
        keys = {k: key for k, x in enumerate(laid) if (key := setup.key(x)) is not None}
        self.starts, self.together = [*keys], Plays(self.native, [*keys.values()])
        self.setup, self.laid, self.mine, self.plays, self.enough, self.in_vain = (
            setup,
            laid,
            {*mine},
            plays,
            enough,
            in_vain,
        )
        self.most = LONGEST
        self.loops_of: dict[frozenset[str], Region] = {}
        self.rounds, self.unshown = 0, False
        self.last: tuple[Player, Lot, Trail] | None = None

    def over(self) -> bool:
        return self.out.plays >= self.plays or self.rounds >= self.enough

    def player(self, start: int) -> Player:
        """Where cards lie at the start is worked out when something is remarkable there."""
        if start not in self.players:
            self.positions[start] = self.setup.slots(self.laid[start])
            self.first[start] = self.native.start(self.positions[start])
        return super().player(start)

    def go_through(self, until: float) -> None:
        """All plays, until a time (of `time.monotonic`); those that go round are followed."""
        while self.starts and not self.over() and time.monotonic() < until:
            many = min(PLAYS, self.plays - self.out.plays)
            lots = [(self.luck.randrange(len(self.starts)), self.lot(k), k % 2 == 1) for k in range(many)]
            counted = 0
            for k in self.together.going_round(lots, self.most):
                self.out.plays += k - counted
                counted = k + 1
                start = self.starts[lots[k][0]]
                self.follow(start, [], self.player(start), self.most, k, lots[k][1])
                if self.over():
                    break
            else:
                self.out.plays += len(lots) - counted

    def sighting(self, player: Player, lot: Lot, play: Play) -> Sighting | None:
        found = super().sighting(player, lot, play)
        return found if found is not None and found.key[0] in ROUND and self.out.sightings[found.key] < AGAIN else None

    def way(self, player: Player, lot: Lot, steps: int) -> Trail:
        """What was gone through last is not gone through again."""
        if self.last is None or self.last[:2] != (player, lot) or steps > len(self.last[2]):
            self.last = player, lot, super().way(player, lot, steps)
        return self.last[2][:steps]

    def alike(self, around: Trail) -> Key:
        """The labels alone: the cards whose texts are carried out tell rounds apart."""
        return (labels_of(around),)

    def saw(self, start: int, base: Way, player: Player, lot: Lot, sighting: Sighting) -> None:
        region = self.region(start, base, player, lot, sighting)
        acting = frozenset(self.acting(region.way[region.first:][-SEEN:]))
        self.out.sightings[sighting.key] += 1
        if not acting:
            return
        if acting not in self.loops_of and (self.in_vain[acting] >= LOOKS or not self.goes_round(region)):
            self.unshown = True
            self.in_vain[acting] += 1
            return
        self.rounds += acting <= self.mine
        if acting not in self.loops_of or region.first < self.loops_of[acting].first:
            self.loops_of[acting] = region

    def goes_round(self, region: Region) -> bool:
        """Does play come back there (but for what rises), or leave the range of a number?"""
        if region.rising:
            return True
        near = self.explored(region.seen(self.subject, False), AROUND)
        return near is not None and (len(near.bound_edges) > 0 or has_loop(near.graph))

    def acting(self, way: Way) -> set[str]:
        """The cards whose texts are carried out."""
        called = way.called if isinstance(way, Trail) else [self.native.calls(*step) for step in way]
        return {card for card, k in self.setup.texts if any(one[k] for one in called)}


def tried(
    setup: Setup,
    candidate: Candidate,
    seed: int,
    plays: int = PLAYS,
    enough: int = 1,
    in_vain: Counter[frozenset[str]] | None = None,
) -> Trial:
    """Plays with some cards, from positions made for them. `in_vain`: what was looked at in this world, and is counted there on."""
    luck = Random(f"{candidate.key} {seed}")
    laid = [
        setup.lay(candidate.cards, candidate.starters, k, luck, candidate.hints, candidate.fodder, candidate.paid)
        for k in range(POSITIONS)
    ]
    return played(
        setup, laid, luck.getrandbits(32), candidate.ids, plays, enough, Counter() if in_vain is None else in_vain
    )


def played(
    setup: Setup,
    laid: Sequence[Laid],
    seed: int,
    mine: Collection[str],
    plays: int,
    enough: int,
    in_vain: Counter[frozenset[str]],
) -> Trial:
    """Plays from positions in which cards lie so."""
    trial = Trial(setup, seed, laid, mine, plays, enough, in_vain)
    trial.go_through(time.monotonic() + SECONDS)
    return trial


def smallest(setup: Setup, candidate: Candidate, acting: frozenset[str], seed: int) -> Candidate | None:
    """As few of the cards as still go round: those that act first, then without one after the other, then of those that begin it. None where not even
    all do. What all go round in a few plays is not tried so often without some of them."""
    plays = MORE * PLAYS

    def goes(one: Candidate) -> frozenset[str] | None:
        nonlocal plays
        trial = tried(setup, one, seed, plays)
        found = min((s for s in trial.loops_of if s <= {*one.ids}), key=len, default=None)
        if found is not None:
            plays = min(plays, max(PLAYS, MORE * trial.out.plays))
        return found
    now = replace(candidate, cards=tuple(c for c in candidate.all if c in candidate.cards or c.id in acting),
                  starters=tuple(c for c in candidate.starters if c.id not in acting))
    if goes(now) is None:
        return None
    others = tuple(c for c in now.cards if c.id not in acting)
    fewer = replace(now, cards=tuple(c for c in now.cards if c.id in acting))
    begun = replace(fewer, starters=(*others, *now.starters))
    doing = all("text" in a.scripts for c in others for a in c.abilities)  # they may begin it; what lasts may be needed for more
    now = next((x for x in (fewer, *((begun,) if doing else ())) if others and goes(x) is not None), now)
    again = True
    while again and len(now.cards) > 1:
        again = False
        for k in range(len(now.cards)):
            less = replace(now, cards=now.cards[:k] + now.cards[k + 1:])
            if goes(less) is not None:
                now, again = less, True
                break
    if now.starters and goes(bare := replace(now, starters=())) is not None:
        return bare
    for one in now.starters if len(now.starters) > 1 else ():
        less = replace(now, starters=tuple(c for c in now.starters if c is not one))
        now = less if goes(less) is not None else now
    return now


def shown(setup: Setup, candidate: Candidate, seed: int) -> tuple[Trial, tuple[Finding, ...]] | None:
    """The loops of some cards, looked at exactly and replayed, in a world of nothing but what lies there: those in which a text of theirs is carried out."""
    mine = set(candidate.ids)
    for attempt in range(ATTEMPTS):
        first = tried(setup, candidate, seed + attempt, MORE * PLAYS, ENOUGH)
        starts = [r.start for acting, r in sorted(first.loops_of.items(), key=lambda x: x[1].first) if acting <= mine]
        for start in list(dict.fromkeys(starts))[:REGIONS]:
            own, laid = setup.alone(first.laid[start])
            trial = played(own, [laid], seed, mine, MORE * PLAYS, ENOUGH, Counter())
            for region in sorted((r for acting, r in trial.loops_of.items() if acting <= mine), key=lambda r: r.first)[
                :REGIONS
            ]:
                found = tuple(
                    f for f in trial.findings_in(region, True) if f.cls is FindingClass.LOOP and is_by(trial, f, mine)
                )
                if found:
                    return trial, found
    return None


def is_by(trial: Trial, finding: Finding, cards: set[str]) -> bool:
    """Does it happen as it is told, by the texts of these cards?"""
    if Replaying(trial.subject, finding, 0).replayed().differences:
        return False
    acting = trial.acting(lasso(trial.subject, finding)[1])
    return bool(acting) and acting <= cards
