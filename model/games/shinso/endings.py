"""勝利条件: how the game is won and lost."""
from ...kernel.endings import *
from ...lang import *
from .policies import *


# ---------------------------------------------------------------- the life deck
@verdict("fate")
def opponent_ran_out(g: Game, p: Player) -> Option[Fate]:
    """The opponent's life deck has run out."""
    return Fate.WINS if other(p) in g.ran_out else None  #: 勝利条件・2


@verdict("fate")
def life_deck_ran_out(g: Game, p: Player) -> Option[Fate]:
    """The player's own life deck has run out."""
    return Fate.LOSES if p in g.ran_out else None  #: ライフ・デッキ第3段落


@step
def look_at_life_decks(g: Game, smaller: Set[Player]) -> None:
    """The life decks of these players have just become smaller: the game ends if one has run out (by one reading
    also if it did before)."""
    for p in PLAYERS:
        if life_cards_left(g, p) == 0 and counts_now(g) and (p in smaller or reading("life-deck-empty") == "while-empty"):
            g.ran_out |= {p}  #: 勝利条件・2 #: ライフ・デッキ第3段落
    if len(g.ran_out) == 2 and reading("both-run-out") == "draw":
        finish(None)
    if len(g.ran_out) == 2 and reading("both-run-out") == "turn-player-loses":
        finish(other(g.turn_player))  #: 効果処理の原則.2・1
    if g.ran_out:
        pronounce(g)


# ---------------------------------------------------------------- Soul Burning
@verdict("fate")
def opponent_burned_out(g: Game, p: Player) -> Option[Fate]:
    """The opponent has reached the second end phase counted from the turn of Soul Burning."""
    return Fate.WINS if g.burned[other(p)] and g.end_phases[other(p)] == 2 else None  #: 勝利条件・3


@verdict("fate")
def burned_out(g: Game, p: Player) -> Option[Fate]:
    """The player has reached the second own end phase after Soul Burning."""
    return Fate.LOSES if g.burned[p] and g.end_phases[p] == 2 else None  #: 【魂魄燃焼】第3段落


@step
def count_end_phase(g: Game) -> None:
    """The turn player reaches an end phase: the second one since Soul Burning loses."""
    me = g.turn_player
    if not g.burned[me] or (g.burned_this_turn == me and reading("burning-count") == "later-turns"):
        return
    g.end_phases[g.turn_player] += 1  #: 【魂魄燃焼】第3段落 #: 勝利条件・3
    if g.end_phases[g.turn_player] == 2:
        pronounce(g)


# ---------------------------------------------------------------- what is pronounced
@step
def pronounce(g: Game) -> None:
    """Winning and losing are put together."""
    mine = judge("fate", g, FIRST, Fate)
    yours = judge("fate", g, SECOND, Fate)
    end_by_fate(mine, yours)
