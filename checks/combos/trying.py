"""Trying some cards together: compiled plays from positions made for them; and where one goes round by what their texts do, a world of their own,
in which as few of them as will do are looked at exactly."""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from ...model.engine.state import Arrival
from ...model.lang.world import CardDef
from ..explore.subject import Subject
from ..findings.record import Finding, FindingClass
from ..hunt.hunting import Hunt, Region, Sighting, Way, labels_of
from ..hunt.results import Key
from ..native.engine import BeyondNative
from ..native.playouts import Lot, Play, Player
from ..stored.replaying import Player as Replaying
from .carrying import lasso
from .positions import Fodder, Hints, Laid, Setup

POSITIONS, PLAYS = 12, 800
"""Positions that are made for some cards, and plays from them, in each template."""
MORE = 5
"""Times as many plays, of cards that went round once."""
SECONDS = 10.0
"""For the plays with some cards, at most."""
FIRST = 8
"""Plays that show how long one is, before the long ones are remarkable."""
LONGEST = 600
"""Steps of a play, at most."""
SEEN = 40
"""Steps of what goes round in which it is looked for what the texts of the cards do."""
ENOUGH = 3
"""Plays that went round by the texts of the cards, after which no more are needed."""
IDLE = 2
"""Times that one kind of place is looked at in which no text was carried out."""
ROUND = frozenset(("comes back", "goes on", "bound"))
AROUND = 3_000
"""Positions that are looked at around one where play went round."""
ATTEMPTS = 3
"""Times that what went round is played anew, until it is shown."""
REGIONS = 2
"""Places that are looked at exactly, for some cards."""
@dataclass(frozen=True)
class Candidate:
    """Cards that may loop together, and cards that may begin it; where their texts would take each of them from (`hints`), and plain cards
    (`fodder`), and what numbers their costs lower (`paid`); `key`: of what they say, and of how they are tried."""

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


class Trial(Hunt):
    """A hunt for what goes round by the texts of cards, in so many plays; nothing is looked at exactly meanwhile."""

    first_plays, share = FIRST, 0.0

    def __init__(self, subject: Subject, setup: Setup, seed: int, laid: Sequence[Laid]) -> None:
        super().__init__(subject, seed, native=setup.native)
        self.setup, self.laid = setup, laid
        self.most = LONGEST
        self.of_ability = {a.id: c.id for c in setup.cards for a in c.abilities}
        self.suspicions: dict[frozenset[str], Region] = {}
        self.idle: Counter[Key] = Counter()
        self.rounds = 0

    def sighting(self, player: Player, lot: Lot, play: Play) -> Sighting | None:
        found = super().sighting(player, lot, play)
        return found if found is not None and found.key[0] in ROUND and self.idle[found.key] < IDLE else None

    def alike(self, around: Way) -> Key:
        """The labels alone: the cards whose texts are carried out tell rounds apart."""
        return (labels_of(around),)

    def saw(self, start: int, base: Way, player: Player, lot: Lot, sighting: Sighting) -> None:
        region = self.region(start, base, player, lot, sighting)
        acting = frozenset(self.acting(region.way[region.first:][-SEEN:]))
        if not acting:
            self.idle[sighting.key] += 1
            return
        self.rounds += 1
        if acting not in self.suspicions or region.first < self.suspicions[acting].first:
            self.suspicions[acting] = region

    def acting(self, way: Way) -> set[str]:
        """The cards whose texts are carried out."""
        called: list[tuple[str, tuple[int, ...]]] = []
        for state, option in way:
            self.subject.engine.apply(state, option, calls=called)
        return {self.of_ability[a] for name, _ in called if name.startswith(("text ", "cost ")) and (a := name[5:]) in self.of_ability}


def tried(setup: Setup, candidate: Candidate, seed: int, plays: int = PLAYS) -> Trial:
    """Plays with some cards, from positions made for them."""
    luck = Random(f"{candidate.key} {seed}")
    return played(setup, [setup.lay(candidate.cards, candidate.starters, k, luck, candidate.hints, candidate.fodder, candidate.paid) for k in range(POSITIONS)], luck.getrandbits(32), plays)


def played(setup: Setup, laid: Sequence[Laid], seed: int, plays: int) -> Trial:
    """Plays from positions in which cards lie so."""
    positions = [setup.slots(x) for x in laid]
    trial = Trial(replace(setup.subject, positions=positions, starts=[started(setup, p) for p in positions]), setup, seed, laid)
    trial.stop = lambda: trial.out.plays >= plays or trial.rounds >= ENOUGH
    trial.go_on(time.monotonic() + SECONDS)
    trial.stop = lambda: False
    return trial


def started(setup: Setup, position: Sequence[int]) -> Arrival:
    try:
        return setup.native.start(position)
    except BeyondNative:
        return setup.table.engine.start(position)


def smallest(setup: Setup, candidate: Candidate, acting: frozenset[str], seed: int) -> Candidate | None:
    """As few of the cards as still go round: those that act first, then without one after the other. None where not even all do."""
    def goes(one: Candidate) -> frozenset[str] | None:
        suspected = [s for s in tried(setup, one, seed, MORE * PLAYS).suspicions if s <= {*one.ids}]
        return min(suspected, key=len) if suspected else None
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
    bare = replace(now, starters=())
    return bare if now.starters and goes(bare) is not None else now


def shown(setup: Setup, candidate: Candidate, seed: int) -> tuple[Trial, tuple[Finding, ...]] | None:
    """The loops of some cards, looked at exactly and replayed, in a world of nothing but what lies there: those in which a text of theirs is carried out."""
    mine = set(candidate.ids)
    for attempt in range(ATTEMPTS):
        first = tried(setup, candidate, seed + attempt, MORE * PLAYS)
        starts = [r.start for acting, r in sorted(first.suspicions.items(), key=lambda x: x[1].first) if acting <= mine]
        for start in list(dict.fromkeys(starts))[:REGIONS]:
            own, laid = setup.alone(first.laid[start])
            trial = played(own, [laid], seed, MORE * PLAYS)
            for region in sorted((r for acting, r in trial.suspicions.items() if acting <= mine), key=lambda r: r.first)[:REGIONS]:
                found = tuple(f for f in trial.findings_in(region, True, AROUND) if f.cls is FindingClass.LOOP and is_by(trial, f, mine))
                if found:
                    return trial, found
    return None


def is_by(trial: Trial, finding: Finding, cards: set[str]) -> bool:
    """Does it happen as it is told, by the texts of these cards?"""
    if Replaying(trial.subject, finding, 0).replayed().differences:
        return False
    acting = trial.acting(lasso(trial.subject, finding)[1])
    return bool(acting) and acting <= cards
