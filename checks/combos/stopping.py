"""Cards of a pool that let the other player stop a loop: each is put where that player could use it, in the very position, and the loop is judged again."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...model.engine.placement import zone_number
from ...model.lang.world import CardDef
from ...spec.text import Text
from ..explore.explorer import BoundAtStart, Exploration, Limits
from ..explore.loops import Regions
from ..explore.owned_graph import OwnedGraph, Scope
from ..explore.saturate import saturated
from ..native.engine import BeyondNative
from ..native.explorer import explore
from .carrying import DETOURS, Known, again
from .positions import Laid, LaidCard, Seat, Setup, kind_of

AROUND = 3_000
"""Positions that are looked at from a loop on, at most."""
FIELDS = 3
"""Zones of a player in which each card is tried, at most: where those of its kind lie most often."""


@dataclass(frozen=True)
class Stops:
    """What came of it: the cards, and where they were, with which the other player can stop a loop that the player cannot stop without them; how many
    were tried, of how many it is not known (too many positions), and how many were not tried. `judged`: could it be, without another card?"""

    cards: tuple[tuple[str, Text], ...] = ()
    tried: int = 0
    unknown: int = 0
    left: int = 0
    judged: bool = True


@dataclass(frozen=True)
class Held:
    """A loop that a player keeps going: the way to it, in a position, and the part of play that it lies in."""

    setup: Setup
    laid: Laid
    way: Sequence[Known]
    scope: Scope
    stop: Callable[[], bool]

    def looked_at(self, laid: Laid) -> Exploration | None:
        """All that can be chosen from the loop on in a position that is like that one; None where it is not come to."""
        positions = [self.setup.slots(laid)]
        table = replace(self.setup.table, positions=positions)
        subject = replace(self.setup.subject, positions=positions, starts=table.starts)
        way = again(subject, subject.starts[0].state, self.way, [DETOURS])
        if way is None or way[-1][0].end is not None:
            return None
        seen, limits = subject.seen_from([way[:-1]], [way[-1][0]], 0), Limits(states=AROUND, stop=self.stop)
        try:
            out = explore(self.setup.native, seen.engine, seen.starts, limits, threads=1)
            beyond = saturated(seen, out, limits)
        except (BoundAtStart, BeyondNative):
            return None
        return out if beyond is None or (beyond.out.cut and not out.cut) else beyond.out

    def kept_by(self, player: int, laid: Laid) -> bool | None:
        """Can this player keep that part of play going from there, or win, whatever the other does? None where it is not known."""
        out = self.looked_at(laid)
        if out is None:
            return None
        regions = Regions(with_loops(out.graph, [k for k in out.ends() if (end := out.states[k].end) is not None and (end.kind, end.who) == ("win", player)]))
        sure, perhaps = (bool(regions.of((player,), self.scope, hopeful)[0]) for hopeful in (False, True))
        return sure if sure == perhaps else None


def with_loops(graph: OwnedGraph, states: Sequence[int]) -> OwnedGraph:
    """The graph with an edge from each of these states to itself."""
    first, target, crossing, _ = graph.edges
    source = np.concatenate([np.repeat(np.arange(len(graph)), np.diff(first)), np.array(states, np.int64)])
    order = np.argsort(source, kind="stable")
    begins = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=len(graph)))])
    targets, crossings = np.concatenate([target, np.array(states, target.dtype)]), np.concatenate([crossing, np.zeros(len(states), crossing.dtype)])
    return OwnedGraph.from_arrays(graph.owner, begins, targets[order], crossings[order], [])


def places(setup: Setup, card: CardDef, player: int, laid: Laid) -> list[Seat]:
    """Where a card of a player could be used: a zone each of the fields in which those of its kind lie most often, on either side."""
    fields, decks = Counter[str](), {seat[0] for seat in setup.decks}
    for seat, n in setup.template.seats.get(kind_of(card), Counter[Seat]()).items():
        fields[seat[0]] += n if seat[0] not in decks else 0
    full = Counter((x.field, x.keys) for x in laid.cards)
    return [free[0] for f, n in fields.most_common(FIELDS) if n and (free := setup.free(f, player, full))]


def stopping(held: Held, cards: Sequence[CardDef], first: int) -> Stops:
    """Which of these cards stop it; in the world of `held` copies of them come one after the other, of player 0 and player 1, from number `first` on."""
    keeper = next((p for p in (0, 1) if held.kept_by(p, held.laid)), None)
    if keeper is None:
        return Stops(judged=False)
    begun, found, tried, unknown = replace(held, way=()), list[tuple[str, Text]](), 0, 0
    ways = (held, begun) if begun.kept_by(keeper, held.laid) else (held,)  # with some cards there it does not even begin
    for k, card in enumerate(cards):
        if held.stop():
            break
        said = list[bool | None]()
        for seat in places(held.setup, card, 1 - keeper, held.laid):
            laid = replace(held.laid, cards=(*held.laid.cards, LaidCard(first + 2 * k + 1 - keeper, *seat)))
            said.append(next((kept for one in ways if (kept := one.kept_by(keeper, laid)) is not None), None))
            if said[-1] is False:
                found.append((card.id, held.setup.table.describer.zone(zone_number(held.setup.table.program.layout, *seat))))
                break
        tried += 1
        unknown += False not in said and (not said or None in said)
    return Stops(tuple(found), tried, unknown, len(cards) - tried)
