"""A loop carried on in a larger world: the same choices, again and again, with more cards in the piles. Told is what really happens in the game as it is."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...model.engine.placement import zone_number
from ...model.engine.state import Option, State
from ...model.lang.world import CardCopy
from ...spec.text import Text
from ..explore.subject import Subject
from ..findings.record import Finding, Play
from ..hunt.hunting import Way
from ..stored.replaying import Player as Replaying
from .positions import Laid, LaidCard, Seat, Setup

STOCK = 12
"""Plain cards that are put below each pile in which some usually lie."""
ROUNDS = 60
"""Times that a round is gone, at most."""
DETOURS = 200
"""Steps that are taken besides the known choices, at most, to come from one of them to the next."""
Known = tuple[str, int, Option]
"""What was chosen: in which function, by whom, what."""


@dataclass(frozen=True)
class Course:
    """What came of it: so many whole rounds, with so many more cards in each pile. `emptied`: piles that had cards and have none; `end`: how the game
    ended (`clause`: the last one carried out); `lasts`: it could have been carried on further. `play`: to the loop, and once round."""

    rounds: int
    stock: int
    emptied: tuple[Text, ...]
    end: Text | None
    clause: str | None
    lasts: bool
    play: Play

    @property
    def ends(self) -> bool:
        """Is a pile emptied, or the game over?"""
        return bool(self.emptied) or self.end is not None


def known_of(subject: Subject, way: Way) -> list[Known]:
    """What is chosen in a play, as it can be found again in another world that begins with the same cards."""
    names, out = list(subject.program.functions), list[Known]()
    for state, option in way:
        at = subject.engine.point(state)
        assert at is not None
        out.append((names[state.frames[-1][0]], at.owner, option))
    return out


def lasso(subject: Subject, finding: Finding) -> tuple[Way, Way]:
    """The way to a loop, and the loop."""
    stored = Replaying(subject, finding, 0)
    way, head, _ = stored.along(subject.starts[0].state, finding.play.stem[0 if subject.opening(0) is None else 1:], 0)
    return way, stored.along(head, finding.play.cycle, 0)[0]


def again(subject: Subject, state: State, known: Sequence[Known], left: list[int], free: bool = False) -> Way | None:
    """A play that makes these choices one after the other, with the last position at its end; what else is asked meanwhile is answered so that it comes
    to the next one. The game may end before, if nobody chose otherwise (`free`). None where they cannot be made. `left`: how many steps besides may be tried."""
    names, engine, way = list(subject.program.functions), subject.engine, Way()
    for k, (name, owner, option) in enumerate(known):
        at = engine.point(state)
        if at is None:
            break
        if (names[state.frames[-1][0]], at.owner) == (name, owner) and option in at.options:
            way.append((state, option))
            state = engine.apply(state, option).state
            continue
        for other in at.options[:left[0]]:
            left[0] -= 1
            rest = again(subject, engine.apply(state, other).state, known[k:], left, free or (at.owner >= 0 and len(at.options) > 1))
            if rest is not None:
                return [*way, (state, other), *rest]
        return None
    return None if free and state.end is not None else [*way, (state, ())]


def carried(own: Setup, subject: Subject, laid: Laid, finding: Finding) -> Course | None:
    """A loop carried on in the game as it is, with more plain cards below the piles in which some usually lie. None where it is not come to."""
    stem, cycle = (known_of(subject, way) for way in lasso(subject, finding))
    stock = [(card, seat) for seat, card in own.decks.items() for _ in range(STOCK)]
    full, there = own.alone(laid, [CardCopy(card, own.template.owner(seat)) for card, seat in stock], eased=False)
    below = tuple(LaidCard(len(there.cards) + k, *seat) for k, (_, seat) in enumerate(stock))
    positions = [full.slots(replace(there, cards=below + there.cards))]
    table = replace(full.table, positions=positions)
    true = replace(full.subject, positions=positions, starts=table.starts)
    way = again(true, true.starts[0].state, stem, [DETOURS])
    if way is None or way[-1][0].end is not None:
        return None
    state, once, last, rounds = way[-1][0], Way(), Way(), 0
    first, emptied = held(full, state), dict[Seat, Text]()
    while rounds < ROUNDS and (taken := again(true, state, cycle, [DETOURS])) is not None:
        once, last, state = once or taken[:-1], taken[:-1], taken[-1][0]
        if state.end is not None:
            break
        rounds += 1
        emptied |= {seat: true.describer.zone(zone_number(true.program.layout, *seat)) for seat, many in held(full, state).items() if first[seat] and not many}
    if not last:
        return None
    over = state.end if state.end is not None and state.end.kind in ("win", "draw") else None
    before, turn = true.tell_all(way[:-1], opening=0)
    play = Play(tuple(before), tuple(true.tell_all(once, turn)[0]))
    clauses = true.tell(*last[-1])[0].clauses if over is not None else ()
    return Course(rounds, STOCK, tuple(emptied.values()), over and true.describer.ending(over), clauses[-1] if clauses else None, rounds == ROUNDS, play)


def held(setup: Setup, state: State) -> dict[Seat, int]:
    """How many cards each deck has."""
    layout = setup.table.program.layout
    where = Counter(state.slots[layout.location:layout.location + layout.card_count])
    return {seat: where[zone_number(layout, *seat)] for seat in setup.decks}
