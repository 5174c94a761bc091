"""5-2-1, 5-9, 5-10, 6-3 and 10-1: crystals, and moving them as far as that is possible."""
from ...lang import *
from .state import *


class Spot(Record):
    """One such place: whose, if both players have one, and on which card."""

    place: Place
    whose: Player = FIRST
    card: Option[Card] = None


class CrystalsMoved(Event):  #: 6-3
    """Crystals have gone to a zone, from another one or several at the same time. Of shared zones the player says nothing."""

    count: Annotated[int, Range(0, 36)]
    src: Set[Place]
    src_players: Set[Player]
    to: Place
    to_player: Player


# ---------------------------------------------------------------- the places, as texts name them
@define
def distance() -> Spot:
    """<間合>."""
    return Spot(Place.DISTANCE)


@define
def dust() -> Spot:
    """<ダスト>."""
    return Spot(Place.DUST)


@define
def life(p: Player) -> Spot:
    """<ライフ>."""
    return Spot(Place.LIFE, p)


@define
def aura(p: Player) -> Spot:
    """<オーラ>."""
    return Spot(Place.AURA, p)


@define
def flare(p: Player) -> Spot:
    """<フレア>."""
    return Spot(Place.FLARE, p)


@define
def on(g: Game, card: Card) -> Spot:
    """The crystals bound to a card."""
    return Spot(place_of(g, zone_of(card)), master(g, card), card)


# ---------------------------------------------------------------- 5-2-1  the current distance
@value
def distance_now(g: Game) -> int:
    """The current distance: the crystals in the zone, and what standing effects add; never below 0."""
    by = sum(
        Text(a).distance_by
        for c in CARDS
        for a in Printed(c).abilities
        if Text(a).distance_by != 0 and in_force(g, a, c) and condition(g, a, c, master(g, c))
    )
    return max(0, g.distance + by)  #: 5-2-1


# ---------------------------------------------------------------- 5-10, 6-3  moving crystals
@define
def crystals_at(g: Game, at: Spot) -> int:
    """How many crystals lie there."""
    match at.place:
        case Place.DISTANCE:
            return g.distance
        case Place.DUST:
            return g.dust
        case Place.LIFE:
            return g.life[at.whose]
        case Place.AURA:
            return g.aura[at.whose]
        case Place.FLARE:
            return g.flare[at.whose]
        case _:
            return 0 if at.card is None else g.card[at.card].crystals


@define
def room_at(g: Game, at: Spot) -> int:
    """How many more crystals may lie there."""
    match at.place:
        case Place.DISTANCE:
            return 10 - g.distance  #: 7-1-1
        case Place.AURA:
            return 5 - g.aura[at.whose]  #: 7-1-3-1
        case Place.NOWHERE:
            return 0  #: 7-1
        case _:
            return 36


@define
def movable(g: Game, count: int, src: Spot, to: Spot) -> int:
    """How many of so many crystals can really be moved."""
    return max(0, min(count, crystals_at(g, src), room_at(g, to)))  #: 5-10 #: 6-3


@step
def change_crystals(g: Game, at: Spot, by: int) -> None:
    """So many crystals come to lie there."""
    match at.place:
        case Place.DISTANCE:
            g.distance += by
        case Place.DUST:
            g.dust += by
        case Place.LIFE:
            g.life[at.whose] += by
        case Place.AURA:
            g.aura[at.whose] += by
        case Place.FLARE:
            g.flare[at.whose] += by
        case _:
            if at.card is not None:
                g.card[at.card].crystals += by


@step
def move_crystals(g: Game, count: int, src: Spot, to: Spot) -> None:
    """So many crystals go from one place to another, as far as there are any and there is room."""
    n = movable(g, count, src, to)
    if n > 0:  #: 6-3
        with simultaneously():
            change_crystals(g, src, -n)  #: 6-3
            change_crystals(g, to, n)  #: 6-3
        note_moved(g, n, src, to)


@step
def note_moved(g: Game, n: int, src: Spot, to: Spot) -> None:
    """Crystals that are in another zone have moved. A card in use they only pass: that counts when they go on from it."""
    if src.place == Place.IN_USE:
        go_on(g, n, src, to)
    elif to.place == Place.IN_USE and to.card is not None:
        g.underway.add(Underway(n, src.place, src.whose, to.card))  #: 6-3
    elif src.place != to.place or src.whose != to.whose:  #: 6-3
        emit(CrystalsMoved(n, {src.place}, {src.whose}, to.place, to.whose))


@step
def go_on(g: Game, n: int, src: Spot, to: Spot) -> None:
    """Crystals leave a card in use: they have moved from where they were before, unless they go back there. Where some stay, and not all
    came from one place, it is not built in which of them leave."""
    left = sum(w.count for w in g.underway if w.card == src.card) - n
    if to.place == Place.IN_USE or (left > 0 and sum(1 for w in g.underway if w.card == src.card) > 1):
        not_modelled("6-3")
    moved = min(n, sum(w.count for w in g.underway if has_moved(w, src, to)))
    if moved > 0:
        places = {w.src for w in g.underway if has_moved(w, src, to)}
        players = {
            w.whose for w in g.underway
            if has_moved(w, src, to) and w.src not in {Place.DISTANCE, Place.DUST, Place.OUTSIDE}
        }
        emit(CrystalsMoved(moved, places, players, to.place, to.whose))  #: 6-3
    with simultaneously():
        for w in g.underway:
            if w.card == src.card:
                g.underway.remove(w)
                if left > 0:
                    g.underway.add(Underway(left, w.src, w.whose, w.card))  #: 6-3


@define
def has_moved(w: Underway, src: Spot, to: Spot) -> bool:
    """Did these crystals lie on this card, and in another zone before?"""
    return w.card == src.card and (w.src != to.place or w.whose != to.whose)  #: 6-3


# ---------------------------------------------------------------- 10-1  arrow effects
@step
def arrow(g: Game, src: Spot, to: Spot, count: int) -> None:
    """From left to right."""
    move_crystals(g, count, src, to)  #: 10-1


@procedure
async def double_arrow(g: Game, p: Player, left: Spot, right: Spot, count: int) -> None:
    """The player whose effect it is chooses the direction."""
    to_the_right = await may(p)  #: 10-1
    if to_the_right:
        move_crystals(g, count, left, right)  #: 10-1
    else:
        move_crystals(g, count, right, left)  #: 10-1


# ---------------------------------------------------------------- 5-1-2, 5-1-4  concentration
@action
def gain_concentration(g: Game, p: Player, count: int) -> None:
    """More concentration, up to the limit; a cowed player stops being cowed instead."""
    if g.cowed[p]:
        g.cowed[p] = False  #: 5-1-4
    else:
        g.concentration[p] = min(2, g.concentration[p] + count)  #: 5-1-2 #: 5-10


@action
def lose_concentration(g: Game, p: Player, count: int) -> None:
    """Less concentration, down to none."""
    g.concentration[p] = max(0, g.concentration[p] - count)  #: 5-1-2 #: 5-10


@action
def cow(g: Game, p: Player) -> None:
    """The player is cowed."""
    g.cowed[p] = True  #: 5-1-4
