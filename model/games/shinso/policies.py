"""What this book arranges in its own way: when things may be declared, who comes first, what is looked at when."""
from ...lang import *
from .state import *


# ---------------------------------------------------------------- "at any time"
class Moment(Enum):
    """Where play stops to ask who declares Life Conversion or Soul Burning, or uses a set power."""

    TURN_BEGAN = 1
    DRAWN = 2
    SHIFTED = 3
    PLAYING = 4
    BETWEEN_ATTACKS = 5
    AIMED = 6
    REGENERATED = 7
    TURN_ENDS = 8
    BETWEEN_DRAWS = 9
    RIM_DESTROYED = 10
    BATTLE = 11
    """An attack on kin or a shard has been declared; what else is declared in battle has an order of its own."""
    DECLARING = 12
    """A player's turn in that order has come."""


@define
def is_offered(m: Moment) -> bool:
    """Is "at any time" read so widely that it takes in this moment?"""
    match m:
        case Moment.PLAYING | Moment.BETWEEN_ATTACKS:
            return True  # the turn player chooses freely here anyway
        case Moment.BETWEEN_DRAWS | Moment.RIM_DESTROYED:
            return reading("any-time") == "within-steps"
        case _:
            return reading("any-time") != "between-actions"


@define
def is_free_choice(m: Moment) -> bool:
    """Does a player choose freely at this moment anyway?"""
    return m in {Moment.PLAYING, Moment.BETWEEN_ATTACKS, Moment.DECLARING}


@define
def asks_the_turn_player_first(g: Game) -> bool:
    """In battle the attacked side comes first; elsewhere nothing is said of two who want to declare at one moment."""
    return reading("declaration-order") == "turn-player-first"


# ---------------------------------------------------------------- who comes first
@define
def turn_player(g: Game) -> Player:
    """What the rules themselves do, they do to the turn player first, as with effects."""
    return g.turn_player  #: 効果処理の原則.2・1


# ---------------------------------------------------------------- what is looked at when
@define
def deck_is_due(g: Game, p: Player) -> bool:
    """Is the new draw pile to be made now? Once when the old one is gone, or (by one reading) as long as it is."""
    if g.deck[p] or not g.begun:
        return False
    match reading("rebuild-when"):
        case "at-zero":
            return not g.deck_dealt_with[p]  #: 山札が0枚になった場合
        case "while-zero":
            return len(g.exile[p]) > 0 or (pays_for_nothing() and len(g.life_deck[p]) > 0)  #: 山札が0枚になった場合
        case _:
            return False


@define
def pays_for_nothing() -> bool:
    """Is the life card lost even if there was nothing to make a draw pile of?"""
    return reading("rebuild-from-nothing") == "life-card-lost"  #: 山札が0枚になった場合


@define
def counts_now(g: Game) -> bool:
    """Does a life deck that runs out count already? Before the game begins there is no game to lose."""
    return g.begun or reading("life-deck-before-game") == "loses"  #: ライフ・デッキ第3段落


@define
def life_cards_left(g: Game, p: Player) -> int:
    """How many cards the life deck has; by one reading the core card is still its top card."""
    left = len(g.life_deck[p])
    if reading("core-card") == "part-of-life-deck":
        left += len(g.core[p])  #: ゲームの準備.2
    return left
