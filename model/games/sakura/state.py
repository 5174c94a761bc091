"""Chapters 5-1 to 5-4, 6 and 7: what players have, what is printed on cards, and where cards and crystals lie."""
from typing import Any

from ...kernel.turns import *
from ...lang import *

Crystals = Annotated[int, Range(0, 36)]
Distance = Annotated[int, Range(-6, 16)]
DISTANCES = Range(-6, 16)
"""What ranges speak of. Modifiers may stretch a range beyond the distances that can occur."""
Damage = Annotated[int, Range(-20, 20)]
"""A damage before it has been corrected. What is printed as a dash is `None`."""


# ---------------------------------------------------------------- 6-2-1  what is printed
class Category(Enum):  #: 6-2-1-1
    """A normal card or a trump."""

    NORMAL = 1
    TRUMP = 2


class CardType(Enum):  #: 6-2-1-5
    """What sort of card it is; indefinite cards cannot be used."""

    ATTACK = 1
    ACTION = 2
    ENHANCEMENT = 3
    INDEFINITE = 4


class Subtype(Enum):  #: 6-2-1-6
    """What a card has besides its type."""

    REACTION = 1
    FULL_POWER = 2


class Keyword(Enum):
    """Effects with a name of their own."""

    UNAVOIDABLE = 1  #: 9-4.iii
    TERMINAL = 2  #: 9-2
    SURPASSING = 3  #: 10-21
    NO_REACTION = 4  #: 10-22
    NO_NORMAL_REACTION = 5  #: 10-22
    NOT_COUNTERED = 6  #: 10-23
    BOTH_DAMAGES = 7  #: 10-26


class Printed(Definition):
    """What a card says."""

    category: Category = Category.NORMAL  #: 6-2-1-1
    type: CardType  #: 6-2-1-5
    subtype: Option[Subtype] = None  #: 6-2-1-6
    range: Set[Distance]  #: 6-2-1-8
    to_aura: Option[Damage] = None  #: 6-2-1-9
    to_life: Option[Damage] = None  #: 6-2-1-10
    charge: Annotated[int, Range(0, 9)] = 0  #: 6-2-1-11
    price: Annotated[int, Range(0, 12)] = 0  #: 6-2-1-12
    usable_at: Set[Distance]  #: 10-37
    keywords: Set[Keyword]
    abilities: Set[Ability]  #: 6-2-1-7


class EffectKind(Enum):  #: 9-1-1
    """When an effect counts. `GIVEN`: what an effect of the card gives to an attack."""

    CONSTANT = 1  #: 9-1-1-2
    ON_USE = 2  #: 9-1-1-3
    AFTER_ATTACK = 3  #: 9-1-1-4
    ON_DEPLOY = 4  #: 9-1-1-5
    DEPLOYED = 5  #: 9-1-1-6
    ON_DISCARD = 6  #: 9-1-1-7
    USED = 7  #: 9-1-1-8
    GIVEN = 8  #: 10-3


class NumberClass(Enum):  #: 5-6
    """How a modifier changes a number, in the order in which they apply."""

    ASSIGN = 1  #: 5-6.i
    SWAP = 2  #: 5-6.ii
    MULTIPLY = 3  #: 5-6.iii
    DIVIDE_UP = 4  #: 5-6.iv
    DIVIDE_DOWN = 5  #: 5-6.iv
    ADD = 6  #: 5-6.v


class RangeClass(Enum):  #: 5-7
    """How a modifier changes a range, in the order in which they apply."""

    CHANGE = 1  #: 5-7.i
    SHIFT = 2  #: 5-7.ii
    ADD = 3  #: 5-7.iii
    REMOVE = 4  #: 5-7.iv
    EXTEND_NEAR = 5  #: 5-7.v
    EXTEND_FAR = 6  #: 5-7.v
    REDUCE_NEAR = 7  #: 5-7.vi
    REDUCE_FAR = 8  #: 5-7.vi


class Whose(Enum):
    """Which attacks a standing modifier is about."""

    YOURS = 1
    OPPONENTS = 2
    THIS_ATTACK = 3


class Grant(Enum):
    """What a standing effect makes impossible."""

    CANNOT_LOSE = 1  #: 4-2.1
    OPPONENT_CANNOT_WIN = 2  #: 4-2.1
    OPPONENT_CANNOT_ATTACK = 3  #: 9-4


class Text(Definition):
    """What is said about an effect, beside its scripts. One with `while:` waits for a state of affairs."""

    of: Any  # marks facts about abilities
    kind: EffectKind  #: 9-1-1
    grants: Option[Grant] = None
    whose: Whose = Whose.YOURS
    number: Option[NumberClass] = None  #: 5-6
    aura: Option[Annotated[int, Range(-9, 9)]] = None
    life: Option[Annotated[int, Range(-9, 9)]] = None
    reach: Option[RangeClass] = None  #: 5-7
    by: Annotated[int, Range(-9, 9)] = 0
    distances: Set[Distance]
    distance_by: Annotated[int, Range(-9, 9)] = 0  #: 5-2-1


# ---------------------------------------------------------------- 6-2-2, 6-4  states of cards; attacks
class Use(Enum):  #: 6-2-2-3
    """Where a trump is in its life."""

    UNUSED = 1
    IN_USE = 2
    USED = 3


class OnCard(Record):
    """What play remembers of a card."""

    crystals: Crystals  #: 6-3 #: 7-1-9
    ran_empty: bool  #: 5-5-2
    being_discarded: bool  #: 9-5
    noted: Set[Ability]  #: 5-5-4
    use: Use = Use.UNUSED  #: 6-2-2-3


class Attack(Record):  #: 6-4
    """An attack: not the card, but what its use makes."""

    by: Player  #: 7-1-15
    card: Card  #: 10-11
    of_card: bool  #: 6-4-1-1
    reacting: bool  #: 9-4.i
    range: Set[Distance]  #: 6-4-1-3
    to_aura: Option[Damage] = None  #: 6-4-1-4
    to_life: Option[Damage] = None  #: 6-4-1-5
    countered: bool = False  #: 9-4.ii
    damage_countered: bool = False  #: 9-4.iv
    effects_countered: bool = False  #: 9-4.vi


class Place(Enum):  #: 7-1
    """The zones where crystals can lie."""

    DISTANCE = 1  #: 7-1-1
    DUST = 2  #: 7-1-5
    LIFE = 3  #: 7-1-2
    AURA = 4  #: 7-1-3
    FLARE = 5  #: 7-1-4
    ENHANCEMENTS = 6  #: 7-1-9
    TRUMPS = 7  #: 7-1-11
    IN_USE = 8  #: 7-1-14
    OUTSIDE = 9  #: 7-1-16
    NOWHERE = 10
    """Where a card can have no crystals."""


class Underway(Record):  #: 6-3
    """Crystals on a card in use: when they go on from there, they count as moved from where they were before."""

    count: Crystals
    src: Place
    whose: Player
    card: Card


class Given(Record):  #: 10-3
    """A modifier that an effect has given to an attack."""

    to: Ref[Attack]
    modifier: Ability
    card: Card  #: 5-6.i


class Arisen(Record):  #: 9-1
    """An effect has arisen and is still to be resolved: a text, or (`None`) the discarding of an enhancement."""

    effect: Option[Ability]
    card: Card
    arose_for: Player
    cause: Cause
    held_under: Annotated[int, Range(0, 60)]
    """How many effects are being resolved for which it has to wait."""
    begun: bool = False  #: 6-2-1-7
    """Those of one class of its card, among them this one, are being resolved: it matters no more whether the card stays."""


class HadTurn(Record):  #: 8-1-2 #: 8-2-1 #: 8-2-3 #: 8-3-1
    """An effect of a moment of a phase that has arisen in it: by one reading it is told apart from what comes later."""

    effect: Ability
    card: Card


class Game(Turns):
    """The duel."""

    start_distance: Annotated[int, Range(0, 10)]  #: 8-1-1
    crystals: Crystals = 36  #: 4-1.1
    """How many crystals the duel is played with: it never changes."""
    distance: Annotated[int, Range(0, 10)]  #: 7-1-1
    dust: Crystals  #: 7-1-5
    life: Per[Player, Crystals]  #: 7-1-2
    aura: Per[Player, Annotated[int, Range(0, 5)]]  #: 7-1-3 #: 7-1-3-1
    flare: Per[Player, Crystals]  #: 7-1-4
    concentration: Per[Player, Annotated[int, Range(0, 2)]]  #: 5-1-2
    cowed: Per[Player, bool]  #: 5-1-4
    uses_no_more: Per[Player, bool]  #: 9-2
    ending: Annotated[int, Range(0, 2)]  #: 8-3
    """1: effects of the end phase are resolved, 2: what is left of it, 0: no end phase."""
    deck: Per[Player, Pile]  #: 7-1-6
    hand: Per[Player, Bag]  #: 7-1-10
    discards: Per[Player, Bag]  #: 7-1-7
    covered: Per[Player, Bag]  #: 7-1-8
    enhancements: Per[Player, Bag]  #: 7-1-9
    trumps: Per[Player, Bag]  #: 7-1-11
    in_use: Per[Player, Bag]  #: 7-1-14
    outside: Bag  #: 7-1-16
    card: Per[Card, OnCard]
    underway: Multiset[Underway]  #: 6-3
    attacks: Pool[Attack]  #: 7-1-15
    given: Multiset[Given]
    answered: Option[Ref[Attack]]  #: 9-4.i
    arisen: Multiset[Arisen]  #: 9-1
    had_turn: Multiset[HadTurn]  #: 8-1-2 #: 8-2-1 #: 8-2-3 #: 8-3-1


HAND_LIMIT = 2  #: 5-1-3
MASTER_DISTANCE = 2  #: 5-2-2


# ---------------------------------------------------------------- 5-1-1, 5-4, 10-12  whose what is
@define
def turn_player(g: Game) -> Player:
    """Who orders what arises at the same time."""
    return g.turn_player  #: 5-1-1 #: 5-5


@known_as("master")
@define
def master(g: Game, card: Card) -> Player:
    """The player whom the texts of the card mean by "you": whose zone it lies in."""
    here = zone_player(zone_of(card))
    return owner(card) if here is None else here  #: 10-12


@define
def may_revive(g: Game, you: Player) -> bool:
    """Is it an end phase of the player, and can the condition of a revival still come to be met?"""
    return g.turn_player == you and (g.ending == 1 or (g.ending == 2 and reading("revival-when") == "whole-phase"))  #: 10-7 #: 8-3-1


# ---------------------------------------------------------------- what is printed
@define
def is_trump(card: Card) -> bool:
    """Is it a trump?"""
    return Printed(card).category == Category.TRUMP  #: 6-2-1-1


@define
def is_unused_trump(g: Game, card: Card) -> bool:
    """Is it a trump that lies unused among its holder's trumps?"""
    return is_trump(card) and zone_of(card) in g.trumps and g.card[card].use == Use.UNUSED  #: 6-2-2-3


@define
def has_keyword(card: Card, keyword: Keyword) -> bool:
    """Does the card name this effect?"""
    return keyword in Printed(card).keywords


# ---------------------------------------------------------------- 9-1-1  where an effect counts
@define
def in_force(g: Game, effect: Ability, card: Card) -> bool:
    """Is it an effect that stands, and does it count where and as the card lies?"""
    match Text(effect).kind:
        case EffectKind.CONSTANT:
            return is_seen(g, card)  #: 9-1-1-2
        case EffectKind.DEPLOYED:
            return zone_of(card) in g.enhancements and not g.card[card].being_discarded  #: 9-1-1-6 #: 9-5
        case EffectKind.USED:
            return zone_of(card) in g.trumps and g.card[card].use == Use.USED  #: 9-1-1-8
        case _:
            return False


@define
def is_seen(g: Game, card: Card) -> bool:
    """Can some player see the face of the card, and may its effects count there?"""
    return zone_of(card) not in g.deck and zone_of(card) != g.outside  #: 9-1-1-2 #: 7-1-16


@define
def has(g: Game, p: Player, grant: Grant) -> bool:
    """Does a standing effect of the player's cards make this so?"""
    return any(
        Text(a).grants == grant and master(g, c) == p and in_force(g, a, c) and condition(g, a, c, p)
        for c in CARDS
        for a in Printed(c).abilities
    )


# ---------------------------------------------------------------- 7-1  where crystals can be with cards
@define
def place_of(g: Game, here: Zone) -> Place:
    """Where crystals are that lie in the zone with their card."""
    if here in g.enhancements:
        return Place.ENHANCEMENTS  #: 7-1-9
    if here in g.trumps:
        return Place.TRUMPS  #: 7-1-11
    if here in g.in_use:
        return Place.IN_USE  #: 7-1-14
    return Place.OUTSIDE if here == g.outside else Place.NOWHERE  #: 7-1-16


# ---------------------------------------------------------------- what holds throughout
@invariant
def crystals_are_conserved(g: Game) -> bool:
    """Every crystal is in some zone."""
    on_cards = sum(g.card[c].crystals for c in CARDS)
    owned = sum(g.life[p] + g.aura[p] + g.flare[p] for p in PLAYERS)
    return g.distance + g.dust + owned + on_cards == g.crystals  #: 6-3


@invariant
def crystals_lie_on_cards_in_play(g: Game) -> bool:
    """Only enhancements, trumps, cards in use and cards outside the game carry crystals."""
    return all(g.card[c].crystals == 0 or place_of(g, zone_of(c)) != Place.NOWHERE for c in CARDS)  #: 7-1-9 #: 7-1-11 #: 7-1-14 #: 7-1-16


@invariant
def only_trumps_lie_among_the_trumps(g: Game) -> bool:
    """No normal card is among the trumps."""
    return all(zone_of(c) not in g.trumps or is_trump(c) for c in CARDS)  #: 7-1-11
