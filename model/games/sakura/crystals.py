"""5-2-1, 5-9, 5-10, 6-3 and 10-1: crystals, and moving them as far as that is possible."""
from ...lang import *
from .state import *


class Place(Enum):
    """Where crystals can lie."""

    DISTANCE = 1  #: 7-1-1
    DUST = 2  #: 7-1-5
    LIFE = 3  #: 7-1-2
    AURA = 4  #: 7-1-3
    FLARE = 5  #: 7-1-4
    CARD = 6  #: 7-1-9


class Spot(Record):
    """One such place: whose, if both players have one, and on which card."""

    place: Place
    whose: Player = FIRST
    card: Option[Card] = None


class CrystalsMoved(Event):  #: 6-3
    """Crystals have gone from one place to another. Of shared places the player says nothing."""

    count: Annotated[int, Range(0, 36)]
    src: Place
    src_player: Player
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
def on(card: Card) -> Spot:
    """The crystals bound to a card."""
    return Spot(Place.CARD, FIRST, card)


# ---------------------------------------------------------------- 5-2-1  the current distance
@value
def distance_now(g: Game) -> int:
    """The current distance: the crystals in the zone, and what standing effects add; never below 0."""
    return max(
        0,
        g.distance
        + sum(
            Text(a).distance_by
            for c in CARDS
            for a in Printed(c).abilities
            if Text(a).distance_by != 0 and in_force(g, a, c) and condition(g, a, c, master(g, c))
        ),
    )  #: 5-2-1


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
        case Place.CARD:
            return sum(g.card[c].crystals for c in CARDS if c == at.card)


@define
def room_at(g: Game, at: Spot) -> int:
    """How many more crystals may lie there."""
    match at.place:
        case Place.DISTANCE:
            return 10 - g.distance  #: 7-1-1
        case Place.AURA:
            return 5 - g.aura[at.whose]  #: 7-1-3-1
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
        case Place.CARD:
            if at.card is not None:
                g.card[at.card].crystals += by


@step
def move_crystals(g: Game, count: int, src: Spot, to: Spot) -> None:
    """So many crystals go from one place to another, as far as there are any and there is room."""
    n = movable(g, count, src, to)
    if n > 0 and (src.place != to.place or src.whose != to.whose or src.card != to.card):  #: 6-3
        with simultaneously():
            change_crystals(g, src, -n)  #: 6-3
            change_crystals(g, to, n)  #: 6-3
        emit(CrystalsMoved(n, src.place, src.whose, to.place, to.whose))


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
