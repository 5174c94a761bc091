"""4.3: how lanes lie to each other, and which lanes a text means."""
from ...lang import *
from .state import *


# ---------------------------------------------------------------- 4.3.2  which lanes are meant
@define
def lanes_with_futaro(g: Game) -> Set[Lane]:
    """The lanes whose hero has Futaro in the person name."""
    return {n for n in LANES if any(is_futaro(g, h) for h in g.hero_lane[n])}  #: 4.3.2.3


@define
def lanes_without_futaro(g: Game) -> Set[Lane]:
    """The lanes with a hero lane in which no such card lies."""
    return {n for n in LANES if all(not is_futaro(g, h) for h in g.hero_lane[n])}  #: 4.3.2.3


@define
def is_futaro(g: Game, hero: Card) -> bool:
    """Has the card Futaro in its person name? Face down it shows none."""
    return Person.風太郎 in persons_of(g, hero) and (
        g.card[hero].face == Face.UP or reading("face-down-hero-name") == "still"
    )  #: 2.1.2.3 #: 4.2.4.2


@define
def vacant_lanes(g: Game) -> Set[Lane]:
    """The empty lanes: those in whose hero lane no card lies. (`empty_lanes` are those without a character.)"""
    return {n for n in LANES if not g.hero_lane[n]}  #: 4.3.2.4


@define
def empty_lanes(g: Game, p: Player) -> Set[Lane]:
    """The player's lanes without a character."""
    return {n for n in LANES if character_in(g, p, n) is None}  #: 8.2.1.1


@define
def lanes_of(g: Game, character: Card) -> Set[Card]:
    """The cards in the lane of a character, on both sides and in the middle."""
    n = zone_number(zone_of(character))
    return {c for c in CARDS if zone_number(zone_of(c)) == n}  #: 4.3.2.2


# ---------------------------------------------------------------- 4.3.3  in front
@define
def in_front(hero: Card, character: Card) -> bool:
    """Does the hero lie in front of the character's lane?"""
    return zone_number(zone_of(hero)) == zone_number(zone_of(character))  #: 4.3.3.1


@define
def diagonal(hero: Card, character: Card) -> bool:
    """Does the hero lie diagonally in front of the character's lane?"""
    return abs(zone_number(zone_of(hero)) - zone_number(zone_of(character))) == 1  #: 4.3.3.2


# ---------------------------------------------------------------- 4.3.4  right, left, centre
@define
def rightmost(p: Player) -> Lane:
    """The player's rightmost lane; the players sit opposite each other, so it is the other's leftmost."""
    if (p == FIRST) == (reading("lane-one-end") == "first-player-left"):
        return 5  #: 4.3.4 #: 4.4.3.1
    return 1  #: 4.3.4 #: 4.4.3.1


@define
def leftmost(p: Player) -> Lane:
    """The player's leftmost lane."""
    return rightmost(other(p))  #: 4.3.4
