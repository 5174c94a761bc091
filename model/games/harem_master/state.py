"""Chapter 2: what is printed on cards, where cards lie, and what a card is at the moment."""
from typing import Any

from ...kernel.turns import *
from ...lang import *

HAREM_TO_WIN = 5
SCAFFOLD_TO_WIN = 5
MOST_CHARACTERS = 6
HAND_LIMIT = 7


# ---------------------------------------------------------------- 202 to 214  what is printed
class Kind(Enum):  #: 214.1
    """The card type."""

    CHARACTER = 1  #: 214.2
    EVENT = 2  #: 214.3
    ITEM = 3  #: 214.4


class Sex(Enum):  #: 211.1
    """The sex of a character."""

    GIRL = 1  #: 211.1a
    MALE = 2  #: 211.1b


class Name(Symbols):
    """Card names."""


class Faction(Symbols):
    """Factions."""


class Printed(Definition):
    """What a card says."""

    kind: Kind  #: 205.1
    names: Set[Name]  #: 202.1
    cost: Annotated[int, Range(0, 9)] = 0  #: 203.1
    physical: Annotated[int, Range(-9, 20)] = 0  #: 207.1 #: 207.2
    mental: Annotated[int, Range(-9, 20)] = 0  #: 208.1 #: 208.2
    factions: Set[Faction]  #: 209.1
    random: Annotated[int, Range(0, 9)] = 0  #: 210.1
    sex: Option[Sex] = None  #: 211.1
    abilities: Set[Ability]  #: 206.1


class AbilityKind(Enum):  #: 401.8
    """What sort of text it is. `EVENT`: what an event card does."""

    ACTIVATED = 1  #: 402.1
    TRIGGERED = 2  #: 403.1
    EVENT = 3  #: 214.3


class Text(Definition):
    """What is said about an ability, beside its scripts: its icons, and when it can be used."""

    of: Any  # marks facts about abilities
    kind: AbilityKind
    price: Annotated[int, Range(0, 9)] = 0  #: 503
    acts: bool = False  #: 504
    opponents_turn: bool = False  #: 505
    in_response: bool = False  #: 214.3c #: 402.2a
    changes_fight: bool = False  #: 306.5h


# ---------------------------------------------------------------- 215  zones, and the state
class Change(Record):
    """What an effect adds to the values of a character."""

    physical: Annotated[int, Range(-20, 20)] = 0
    mental: Annotated[int, Range(-20, 20)] = 0


class OnCard(Record):
    """What play remembers of a card as long as it stays in its zone (215.10)."""

    acted: bool = False  #: 214.2c
    this_turn: Change = Change()
    this_fight: Change = Change()


class FightKind(Enum):
    """What a fight is about."""

    UNDECIDED = 1
    CASTLE = 2  #: 306.5g
    COMBAT = 3  #: 306.5e
    APPROACH = 4  #: 306.5f


class Fight(Record):
    """The fight under way. `loser`: once it is known."""

    kind: FightKind = FightKind.UNDECIDED
    attacker: Option[Obj] = None
    interceptor: Option[Obj] = None
    loser: Option[Obj] = None


class Use(Record):
    """An event or ability that has been used and not yet resolved."""

    by: Player
    card: Card
    countered: bool = False  #: 411.1b


class Waiting(Record):
    """A triggered ability whose condition has been met."""

    ability: Ability
    this: Option[Obj]
    master: Player
    cause: Cause


class Game(Turns):
    """A game. The field is shared; each player's characters lie in front of that player (215.6a)."""

    character_used: bool  #: 306.1a
    castle: Per[Player, Pile]  #: 215.2a #: 215.2b
    hand: Per[Player, Bag]  #: 215.3a
    stack: Per[Player, Pile]  #: 215.4a #: 215.4d
    discard: Per[Player, Bag]  #: 215.5a
    field: Per[Player, Bag]  #: 215.6a
    harem: Per[Player, Bag]  #: 215.7a
    scaffold: Per[Player, Bag]  #: 215.8a
    aside: Per[Player, Bag]  #: 215.9a
    card: Per[Card, OnCard]
    fight: Fight
    uses: Pool[Use]
    answered: Option[Ref[Use]]
    """What can be responded to now."""
    waiting: Multiset[Waiting]
    due: Multiset[Waiting]
    """Those of the triggered abilities that are being resolved before what has triggered since."""
    carried_over: Multiset[Waiting]  #: 308.1
    """Abilities of the end of a turn that are resolved at the end of the next one."""
    latecomers: Set[Card]  #: 308.1
    """While such abilities trigger too late: whose."""
    felled_by: Per[Player, Option[Player]]
    """Who took the last card of the player's castle."""
    score: Per[Player, Annotated[int, Range(0, 99)]]  #: 102.3
    score_as_in_103: Per[Player, Annotated[int, Range(0, 99)]]  #: 103.2


# ---------------------------------------------------------------- 211, 214  characters
@define
def is_girl(card: Card) -> bool:
    """Is it a girl?"""
    return Printed(card).sex == Sex.GIRL  #: 211.1a


@define
def girls(g: Game, p: Player) -> int:
    """How many girls the player controls."""
    return len({c for c in g.field[p] if is_girl(c)})


@known_as("master")
@define
def master(g: Game, card: Card) -> Player:
    """The controller of a character: whom it lies before; elsewhere its owner."""
    if card in g.field[other(owner(card))]:
        return other(owner(card))  #: 214.2d
    return owner(card)  #: 214.2d #: 402.3a


@define
def characters(g: Game) -> Set[Card]:
    """All characters in play."""
    return g.field[FIRST] | g.field[SECOND]


@define
def ready(g: Game, p: Player) -> Set[Card]:
    """The characters of the player that have not acted."""
    return {c for c in g.field[p] if not g.card[c].acted}  #: 214.2c


# ---------------------------------------------------------------- 306.5  fighters
@define
def is_gone(g: Game, fighter: Option[Obj], of: Player) -> bool:
    """Has the fighter left play, or come under the other's control?"""
    return fighter is None or fighter not in g.field[of]  #: 306.5


@define
def result_stands(g: Game) -> bool:
    """Is it known who has lost, and nothing can keep the loser from being taken?"""
    return g.fight.loser is not None and reading("leaves-after-result") == "loser-taken"


@define
def is_broken_off(g: Game) -> bool:
    """Does the fight end before its steps are done?"""
    if result_stands(g):
        return False  #: 306.5
    if is_gone(g, g.fight.attacker, g.turn_player):
        return True  #: 306.5
    intercepted = g.fight.kind == FightKind.COMBAT or g.fight.kind == FightKind.APPROACH
    return intercepted and is_gone(g, g.fight.interceptor, other(g.turn_player))  #: 306.5


# ---------------------------------------------------------------- 209  factions
@define
def shared(a: Card, b: Card) -> int:
    """How often a character counts for another, if it is ready."""
    both = len(Printed(a).factions & Printed(b).factions)
    return min(both, 1) if both < 2 or reading("faction-shared-twice") == "per-character" else both  #: 209.2


@value
def faction_bonus(g: Game, card: Card) -> int:
    """One for each other ready character of the same faction, whoever controls it."""
    return sum(shared(card, c) for c in characters(g) if c != card and not g.card[c].acted)  #: 209.2


@value
def physical(g: Game, card: Card) -> int:
    """The physical value of a character."""
    lasting = g.card[card].this_turn.physical + g.card[card].this_fight.physical
    return Printed(card).physical + faction_bonus(g, card) + lasting  #: 207.1


@value
def mental(g: Game, card: Card) -> int:
    """The mental value of a character."""
    lasting = g.card[card].this_turn.mental + g.card[card].this_fight.mental
    return Printed(card).mental + faction_bonus(g, card) + lasting  #: 208.1


# ---------------------------------------------------------------- what holds throughout
@invariant
def own_cards_only(g: Game) -> bool:
    """Castles, hands, stacks and discard piles hold their owners' cards."""
    return all(owner(c) == p for p in PLAYERS for c in g.castle[p] | g.hand[p] | g.stack[p] | g.discard[p])  #: 215.1b


@invariant
def six_characters_at_most(g: Game) -> bool:
    """Nobody controls more than six characters, and a seventh only until it is decided which of them go."""
    return all(len(g.field[p]) <= MOST_CHARACTERS + 1 for p in PLAYERS)  #: 214.2e


@invariant
def only_characters_in_play(g: Game) -> bool:
    """Only characters lie in the field (items are not modelled)."""
    return all(Printed(c).kind == Kind.CHARACTER for c in characters(g))
