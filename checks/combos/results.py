"""What a search for sets of cards that loop together comes to: of each candidate, of each try, and of all."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...spec.text import Text
from ..findings.record import Finding
from .candidates import Lacking, Set
from .carrying import Course, Known, Stops
from .positions import LaidCard
from .trying import Candidate

MANY = 3
"""Sets with one card that were found, from which on others with it are tried last."""
At = tuple[
    int, tuple[tuple[str, int], ...], tuple[tuple[LaidCard, ...], tuple[tuple[str, int], ...]], tuple[Known, ...]
]
"""Where a loop was found: which of the templates, the copies that lay there and whose they were, how (as in `Laid`); and what was chosen on the way to it."""


@dataclass(frozen=True)
class Combo:
    """Cards that loop together; cards that began it, which take no part in what repeats; the loops (none where the game ends by going on, and nothing
    loops but for that); what comes of carrying it on; and which cards stop it, if that was asked."""

    cards: tuple[str, ...]
    starters: tuple[str, ...]
    findings: tuple[Finding, ...]
    course: Course | None
    at: At
    stops: Stops | None = None


@dataclass
class Tried:
    """What came of one candidate; `suspected`: a play went round, and no loop was shown. Or `combos`: a loop that was shown, which is kept by itself."""

    plays: int = 0
    suspected: bool = False
    combos: tuple[Combo, ...] = ()


def shares(plays: int, many: int) -> list[int]:
    """Of the plays of a try, what counts for each of so many sets: together all of them; one at least, where there were any, since none means that
    they could not be played."""
    return [max(plays // many + (k < plays % many), min(plays, 1)) for k in range(many)]


@dataclass(frozen=True)
class Try:
    """What came of cards that were tried at once: those that might begin them, the candidates among them that need not be tried again, plays, the cards of each
    loop, and whether play went round otherwise."""

    cards: Set
    starters: Set
    sets: Sequence[Set]
    plays: int
    loops: Sequence[frozenset[str]]
    unshown: bool


@dataclass(frozen=True)
class Suspect:
    """Cards by whose texts play went round, in a try; and the candidates with them."""

    candidate: Candidate
    acting: frozenset[str]
    sets: Sequence[Set]


@dataclass
class Searched:
    """How far the search has come."""

    book: str
    pool: int
    sizes: tuple[int, ...]
    candidates: int = 0
    tried: int = 0
    kept: int = 0
    plays: int = 0
    skipped: int = 0
    unshown: int = 0
    unplayed: int = 0
    combos: list[Combo] = field(default_factory=list[Combo])
    left: int = 0
    cut: str = ""
    why_not: Text | None = None
    seconds: float = 0.0
    lacking: list[Lacking] | None = None
    """Sets that lack one card, if that was asked."""

    def covers(self, cards: Sequence[str]) -> bool:
        """Is a set known that loops without more than these?"""
        return any(set(c.cards) <= set(cards) for c in self.combos)

    def with_many(self) -> set[str]:
        """Cards that loop with so many others that sets with still others say little more."""
        return {card for card, many in Counter(x for c in self.combos for x in c.cards).items() if many >= MANY}

    def add(self, combos: Sequence[Combo]) -> None:
        """New ones, without those that others make needless."""
        for new in combos:
            if not self.covers(new.cards):
                self.combos = [*(c for c in self.combos if not set(new.cards) <= set(c.cards)), new]
