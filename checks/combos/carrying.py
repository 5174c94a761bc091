"""A loop gone through again in other worlds that begin with the same cards: carried on with more cards in the decks, and with a card of the other player
beside it. Told is what really happens in the game as it is."""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...model.engine.placement import zone_number
from ...model.engine.state import Option, State
from ...model.lang.world import CardCopy, CardDef
from ...spec.text import Text
from ..explore.explorer import BoundAtStart, Limits
from ..explore.loops import Regions
from ..explore.owned_graph import FRONTIER, OwnedGraph, Scope
from ..explore.saturate import saturated
from ..explore.subject import Subject
from ..findings.record import Finding, Play
from ..native.engine import BeyondNative
from ..native.explorer import explore
from ..runs.worker import Desk
from ..scenarios.saved_plays import Way
from ..stored.replaying import Player as Replaying
from .positions import Laid, LaidCard, Seat, Setup

STOCK, ROUNDS, DETOURS = 12, 60, 200
"""Plain cards that are put below each deck; times that a round is gone, at most; steps that are tried besides the known choices, to come to the next one."""
AROUND, FIELDS, SECONDS = 15_000, 3, 60.0
"""Positions that are looked at from a loop on; zones in which a card is tried; and time for the cards tried against a loop, at most."""
Known = tuple[str, int, Option]
"""What was chosen: in which function, by whom, what."""


@dataclass(frozen=True)
class Course:
    """What comes of carrying a loop on: so many whole rounds; decks that had cards and have none at the end of one; how the game ended, by which clause (the last one
    carried out). `play`: from the `position` to the loop, and once round."""

    rounds: int
    emptied: tuple[Text, ...]
    end: Text | None
    clause: str | None
    play: Play
    position: Text


@dataclass(frozen=True)
class Stops:
    """Cards with which the other player can stop a loop that cannot be stopped without them, and in which zone each was. How many were tried, of how many
    of these it is not known (too many positions), and how many were not tried."""

    cards: Mapping[str, Text] = field(default_factory=dict[str, Text])
    tried: int = 0
    unknown: int = 0
    left: int = 0


def known_of(subject: Subject, way: Way) -> tuple[Known, ...]:
    """What is chosen in a play, as it can be found again in another world that begins with the same cards."""
    names = list(subject.program.functions)
    return tuple(
        (names[state.frames[-1][0]], at.owner, option)
        for state, option in way
        if (at := subject.engine.point(state)) is not None
    )


def lasso(subject: Subject, finding: Finding) -> tuple[Way, Way]:
    """The way to a loop, and the loop."""
    stored = Replaying(subject, finding, 0)
    way, head, _ = stored.along(subject.starts[0].state, finding.play.stem[0 if subject.opening(0) is None else 1:], 0)
    return way, stored.along(head, finding.play.cycle, 0)[0]


def begun(setup: Setup, laid: Laid) -> Subject:
    """What is checked, in a position."""
    table = replace(setup.table, positions=[setup.slots(laid)])
    return replace(setup.subject, positions=table.positions, starts=table.starts)


def again(subject: Subject, state: State, known: Sequence[Known], left: list[int], free: bool = False) -> Way | None:
    """A play that makes these choices one after the other, with the last position at its end; what else is asked meanwhile is answered so that it comes
    to the next one. The game may end before, if nobody chose otherwise (`free`). None where they cannot be made. `left`: how many steps besides may be tried."""
    names, engine, way = list(subject.program.functions), subject.engine, Way()
    for k, (name, owner, option) in enumerate(known):
        at = engine.point(state)
        if at is None:
            break
        if (names[state.frames[-1][0]], at.owner) != (name, owner) or option not in at.options:
            for other in at.options[:left[0]]:
                left[0] -= 1
                rest = again(
                    subject,
                    engine.apply(state, other).state,
                    known[k:],
                    left,
                    free or (at.owner >= 0 and len(at.options) > 1),
                )
                if rest is not None:
                    return [*way, (state, other), *rest]
            return None
        way.append((state, option))
        state = engine.apply(state, option).state
    return None if free and state.end is not None else [*way, (state, ())]


def carried(own: Setup, subject: Subject, laid: Laid, finding: Finding) -> Course | None:
    """A loop carried on in the game as it is, with more plain cards below each deck. None where it is not come to."""
    stem, cycle = (known_of(subject, way) for way in lasso(subject, finding))
    stock = [(card, seat) for seat, card in own.decks.items() for _ in range(STOCK)]
    full, there = own.alone(laid, [CardCopy(card, own.template.owner(seat)) for card, seat in stock], eased=False)
    true = begun(
        full,
        replace(
            there, cards=(*(LaidCard(len(there.cards) + k, *seat) for k, (_, seat) in enumerate(stock)), *there.cards)
        ),
    )
    way = again(true, true.starts[0].state, stem, [DETOURS]) or []
    once, last, rounds = Way(), Way(), 0
    states = [state for state, _ in way[-1:]]
    while (
        states
        and states[-1].end is None
        and rounds < ROUNDS
        and (taken := again(true, states[-1], cycle, [DETOURS])) is not None
    ):
        once, last = once or taken[:-1], taken[:-1]
        states.append(taken[-1][0])
        rounds += states[-1].end is None
    if not last:
        return None
    end = states[-1].end if states[-1].end is not None and states[-1].end.kind in ("win", "draw") else None
    clauses = true.tell(*last[-1])[0].clauses if end is not None else ()
    held = [
        Counter(x.slots[true.program.layout.location :][: true.program.layout.card_count])
        for x in (true.starts[0].state, *states)
        if x.end is None
    ]
    decks = [zone_number(true.program.layout, *seat) for seat in own.decks]
    emptied = tuple(true.describer.zone(z) for z in decks if held[0][z] and not all(now[z] for now in held))
    before, turn = true.tell_all(way[:-1], opening=0)
    play = Play(tuple(before), tuple(true.tell_all(once, turn)[0]))
    return Course(
        rounds,
        emptied,
        end and true.describer.ending(end),
        clauses[-1] if clauses else None,
        play,
        true.describer.position(State(tuple(true.positions[0]), ())),
    )


def stopping(
    setup: Setup, laid: Laid, known: Sequence[Known], scope: Scope, cards: Sequence[CardDef], more: int, desk: Desk
) -> Stops:
    """Which of these cards stop a loop that lies in such a part of play, and to which these choices lead; behind the cards that lie there, the world has
    a copy of each for either player, one card after the other. `more`: how many others will not be tried."""
    def kept(player: int, there: Laid, way: Sequence[Known]) -> bool | None:
        """Can the player keep that part of play going from there, or win, whatever the other does? None where it is not known."""
        subject = begun(setup, there)
        taken, limits = again(subject, subject.starts[0].state, way, [DETOURS]), Limits(states=AROUND, stop=desk.stop)
        if taken is None or taken[-1][0].end is not None:
            return None
        seen = subject.seen_from([taken[:-1]], [taken[-1][0]], 0)
        try:
            out = explore(setup.native, seen.engine, seen.starts, limits, threads=1)
            beyond = saturated(seen, out, limits)
        except (BoundAtStart, BeyondNative):
            return None
        out = out if beyond is None or (beyond.out.cut and not out.cut) else beyond.out
        owner = out.graph.owner.copy()
        owner[
            [k for k in out.ends() if (end := out.states[k].end) is not None and (end.kind, end.who) == ("win", player)]
        ] = FRONTIER  # as if it went on
        regions = Regions(OwnedGraph.from_arrays(owner, *out.graph.edges[:3], []))
        perhaps = bool(regions.of((player,), scope, True)[0])
        return None if perhaps and out.cut and not regions.of((player,), scope)[0] else perhaps

    keeper = next((p for p in (0, 1) if kept(p, laid, known)), None)
    if keeper is None:
        return Stops(left=len(cards) + more)
    ways = (known, ()) if kept(keeper, laid, ()) else (known,)  # with some cards there it does not even begin
    out, until = Stops(left=len(cards) + more), time.monotonic() + SECONDS
    for k, card in enumerate(cards):
        if desk.stop() or time.monotonic() > until:
            break
        said = list[bool | None]()
        for seat in places(setup, card, 1 - keeper, laid):
            there = replace(laid, cards=(*laid.cards, LaidCard(len(laid.cards) + 2 * k + 1 - keeper, *seat)))
            said.append(next((one for way in ways if (one := kept(keeper, there, way)) is not None), None))
            if said[-1] is False:
                out = replace(
                    out,
                    cards={
                        **out.cards,
                        card.id: setup.table.describer.zone(zone_number(setup.table.program.layout, *seat)),
                    },
                )
                break
        unsure = card.id not in out.cards and (not said or None in said)
        out = replace(out, tried=out.tried + 1, unknown=out.unknown + unsure, left=out.left - 1)
        desk.keep(out)
    return out


def places(setup: Setup, card: CardDef, player: int, laid: Laid) -> list[Seat]:
    """Where a card of a player could be used: a zone each of the fields in which those of its kind lie most often, on either side."""
    t, usual, full = setup.template, Counter[str](), Counter((x.field, x.keys) for x in laid.cards)
    for seat, n in t.seats.get(t.kind_of(card), Counter[Seat]()).items():
        usual[seat[0]] += n
    room = {
        (f, keys if f in t.shared else (player, *keys[1:])): many
        for (f, keys), many in t.room.items()
        if all(f != deck for deck, _ in setup.decks)
    }
    free = {f: seat for seat, many in reversed(room.items()) if full[seat] < many for f in seat[:1]}
    return [free[f] for f, _ in usual.most_common() if f in free][:FIELDS]
