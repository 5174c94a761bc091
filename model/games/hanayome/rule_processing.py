"""1.2 and chapter 11: winning and losing, and what the rules do by themselves in a check timing."""
from ...kernel.endings import *
from ...lang import *
from .keywords import *
from .moving import *
from .replacement import *
from .specific_actions import *
from .state import *


class WouldConcede(Event):  #: 10.10.1
    """A player would lose by conceding."""

    by: Player


# ---------------------------------------------------------------- 1.2, 11.2, 11.3  winning and losing
@define
def has_won(g: Game, p: Player) -> bool:
    """Has the player brides enough to win?"""
    if len(g.brides[p]) < 3:
        return False  #: 11.2.1
    if reading("bride-win-counts") == "cards":
        return True  #: 11.2.1
    return len({c for c in g.brides[p] if is_character(g, c)}) >= 3  #: 1.2.1.1


@define
def has_run_out(g: Game, p: Player) -> bool:
    """Is the player's main deck empty? By one reading an empty hero deck is as bad for whoever owns the one in use."""
    if not g.deck[p]:
        return True  #: 11.3.1
    return reading("deck-out-which-deck") == "hero-too" and p == FIRST and not g.hero_deck[FIRST]  #: 1.2.1.2


@verdict("fate")
def three_brides(g: Game, p: Player) -> Option[Fate]:
    """Three cards in the bride area win."""
    if not has_won(g, p) or (has_run_out(g, p) and reading("rule-processing-verdict") == "loss"):
        return None
    return Fate.WINS  #: 11.2.1


@verdict("fate")
def empty_deck(g: Game, p: Player) -> Option[Fate]:
    """An empty main deck loses."""
    if not has_run_out(g, p) or (has_won(g, p) and reading("rule-processing-verdict") == "win"):
        return None
    return Fate.LOSES  #: 11.3.1


@verdict("fate at once")
def three_brides_at_once(g: Game, p: Player) -> Option[Fate]:
    """Three brides win, read as winning at the moment of the third."""
    return Fate.WINS if has_won(g, p) and reading("bride-win-time") == "at-once" else None  #: 1.2.1.1


@verdict("fate at once")
def empty_deck_at_once(g: Game, p: Player) -> Option[Fate]:
    """An empty deck loses, read as losing at the moment when the last card leaves it."""
    return Fate.LOSES if has_run_out(g, p) and reading("deck-out-while-drawing") == "at-once" else None  #: 1.2.1.2


@step
def end_game(g: Game, mine: Option[Fate], yours: Option[Fate]) -> None:
    """The game ends if something was pronounced on the first player (`mine`) or on the second (`yours`)."""
    if mine is not None and mine == yours:
        finish(None)  #: 1.2.2
    if mine is not None and yours is not None and reading("draw-clause-mixed") == "any-mix":
        finish(None)  #: 1.2.2
    end_by_fate(mine, yours)  #: 1.2.1


@define
def decided_at_once(g: Game) -> bool:
    """Has somebody won or lost, by the readings for which that does not wait for a check timing?"""
    return (any(has_won(g, p) for p in PLAYERS) and reading("bride-win-time") == "at-once") or (
        any(has_run_out(g, p) for p in PLAYERS) and reading("deck-out-while-drawing") == "at-once"
    )  #: 1.2.1


@situation
async def won_or_lost(g: Game) -> None:
    """The game ends at the moment of a win or loss."""
    when(decided_at_once(g))
    mine = judge("fate at once", g, FIRST, Fate)
    yours = judge("fate at once", g, SECOND, Fate)
    end_game(g, mine, yours)  #: 1.2.1


# ---------------------------------------------------------------- 1.2.4  winning and losing by effects
@action
def win_game(g: Game, p: Player) -> None:
    """An effect makes the player win: at once, whatever is left of it."""
    finish(p)  #: 1.2.4 #: 1.2.1


@action
def lose_game(g: Game, losers: Set[Player]) -> None:
    """An effect makes these players lose: at once, whatever is left of it."""
    if len(losers) == 2:
        finish(None)  #: 1.2.2
    if FIRST in losers:
        finish(SECOND)  #: 1.2.4 #: 1.2.1
    if SECOND in losers:
        finish(FIRST)  #: 1.2.4 #: 1.2.1


# ---------------------------------------------------------------- 1.2.3  conceding
@procedure
async def concede(g: Game, p: Player) -> None:
    """The player loses at once. Cards have no influence on that, and yet, as worded, replacements may replace it."""
    if reading("concession-replaced") == "replaceable":
        emit(WouldConcede(p))
        if await replaced(g, p):  #: 1.2.3.1 #: 10.10.2.2
            return  #: 10.10.1.1
    lose_game(g, {p})  #: 1.2.3


# ---------------------------------------------------------------- 11.4  illegal episodes
@define
def is_illegal_episode(g: Game, card: Card) -> bool:
    """Does the episode lie in a lane without the character that it is linked with?"""
    host = g.card[card].set_on
    return zone_of(card) in g.lane and is_episode(g, card) and (
        host is None or zone_of(host) != zone_of(card) or not stands(g, host) or not fits(g, card, host)
    )  #: 11.4.1 #: 11.4.2 #: 12.8.3


# ---------------------------------------------------------------- 11.5  stray cards
@define
def is_stray(g: Game, card: Card) -> bool:
    """Does the card lie in a resolution zone? No card is being played or resolved in a check timing."""
    return zone_of(card) == g.lane_resolution or zone_of(card) == g.effect_resolution  #: 11.5.1


# ---------------------------------------------------------------- 11.1  all of it
@define
def to_put_away(g: Game) -> Set[Card]:
    """The cards that rule processing puts into waiting rooms."""
    return {c for c in CARDS if is_illegal_episode(g, c) or is_stray(g, c)}


@requires(move)
def must_be_put_away(g: Game, card: Card, to: Zone) -> bool:
    """Must rule processing put the card into its owner's waiting room?"""
    return card in to_put_away(g) and to == g.waiting_room[owner(card)]  #: 11.4.1 #: 11.4.2 #: 11.5.1


@define
def rule_processing_due(g: Game) -> bool:
    """Is there rule processing to do? It is asked in check timings only."""
    return any(has_won(g, p) or has_run_out(g, p) for p in PLAYERS) or len(to_put_away(g) - g.tried) > 0  #: 11.1.2


@procedure
async def process_rules(g: Game) -> None:
    """All rule processing that is due, at once: illegal and stray cards are put away, but for those to which something else
    happens. By one reading this is not tried again as long as the check timing lasts."""
    settle_fates(g)  #: 11.1.3
    due = to_put_away(g) - g.tried
    gone = await settle_replacements(g, due, None, None, OPEN("11.1.3"))
    if gone != due and reading("rule-processing-undone") == "once":
        g.tried |= due - gone  #: 10.5.3.1
    put_away(g, gone)  #: 11.4.1 #: 11.5.1 #: 11.1.3


@step
def settle_fates(g: Game) -> None:
    """Is somebody to win or to lose?"""
    if any(has_won(g, p) and has_run_out(g, p) for p in PLAYERS) and reading("rule-processing-verdict") == "draw":
        finish(None)  #: 1.2.1 #: 1.2.2
    mine = judge("fate", g, FIRST, Fate)
    yours = judge("fate", g, SECOND, Fate)
    end_game(g, mine, yours)  #: 11.1.3
