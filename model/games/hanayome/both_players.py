"""1.3.4: what both players do at the same time."""
from ...lang import *
from .moving import *
from .specific_actions import *
from .state import *


@procedure
async def both_choose(g: Game, among: Set[Card]) -> Set[Card]:
    """Each player chooses one of the cards that are the player's own, the turn player first. Gives what was chosen."""
    mine = await choose_some(g.turn_player, own_among(g, g.turn_player, among), 1, 1)  #: 1.3.4
    yours = await choose_some(other(g.turn_player), own_among(g, other(g.turn_player), among), 1, 1)  #: 1.3.4
    return mine | yours


@define
def own_among(g: Game, p: Player, among: Set[Card]) -> Set[Card]:
    """The cards of which the player is master."""
    return {c for c in among if master(g, c) == p}  #: 3.1.2


@procedure
async def both_discard(g: Game, count: int) -> None:
    """Each player puts so many cards from the hand into the waiting room: both choose unseen, then all are put there."""
    mine = await choose_some(g.turn_player, g.hand[g.turn_player], count, count)  #: 1.3.4.2
    yours = await choose_some(other(g.turn_player), g.hand[other(g.turn_player)], count, count)  #: 1.3.4.2
    mine = await settle_replacements(g, mine, None, g.turn_player, g.turn_player)  #: 10.10.1
    yours = await settle_replacements(g, yours, None, other(g.turn_player), other(g.turn_player))  #: 10.10.1
    put_away(g, still_to_go(g, mine | yours))  #: 1.3.4.1 #: 1.3.4.2 #: 4.1.4


@procedure
async def both_draw(g: Game, count: int) -> None:
    """Each player draws so many cards; nothing is chosen, so the players draw at the same time."""
    for _ in up_to(count):  #: 5.6.2 #: 1.3.2.2.1
        mine = await drawn(g, g.turn_player)
        yours = await drawn(g, other(g.turn_player))
        both_take(g, as_set(mine) | as_set(yours))  #: 1.3.4.1


@step
def both_take(g: Game, cards: Set[Card]) -> None:
    """The players put these cards of their decks into their hands."""
    with simultaneously():
        for c in cards:
            transfer(g, c, g.hand[stands_in(g, c)])  #: 5.6.1
    tell(g, cards)


@procedure
async def both_draw_up_to(g: Game, count: int) -> None:
    """Each player draws up to so many cards; something is chosen, so the turn player comes first."""
    await draw_up_to(g, g.turn_player, count)  #: 1.3.4.1
    await draw_up_to(g, other(g.turn_player), count)  #: 1.3.4.1
