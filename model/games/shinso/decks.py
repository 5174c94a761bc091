"""プレイング・デッキ, ライフ・デッキ, 山札が0枚になった場合: drawing, and what happens when a deck runs out."""
from ...kernel.decks import *
from ...lang import *
from .endings import *
from .moving import *
from .policies import *
from .state import *


class Pass(Inaction):
    """Do nothing."""


# ---------------------------------------------------------------- drawing
@procedure
async def draw(g: Game, p: Player) -> None:
    """Draw a card."""
    if not g.deck[p] and reading("rebuild-when") == "on-draw":
        await rebuild(g, p)  #: 山札が0枚になった場合
    if not g.deck[p]:
        if reading("draw-from-nothing") == "undecided":
            gap("山札が0枚になった場合")
        return
    c = await chance(on_top(g.deck[p]))
    go(g, c, g.hand[p])  #: ドローフェイズ第1段落


@define
def phase_draws(g: Game, p: Player) -> int:
    """How many cards the player draws in a draw phase."""
    if (g.turn_number == 1 and p == g.turn_player) or shard_has_entered(g, p):
        return 1  #: ドローフェイズ第2段落
    return 2  #: ドローフェイズ第1段落


@procedure
async def draw_cards(g: Game, p: Player, count: int) -> None:
    """Draw so many cards, one after another."""
    for _ in up_to(count):
        await draw(g, p)  #: 【生命転化】.3


# ---------------------------------------------------------------- 山札が0枚になった場合
@situation
@settled_by(turn_player)
async def deck_runs_out(g: Game, p: Player) -> None:
    """The draw pile is gone: a new one is made of the exiled cards."""
    when(deck_is_due(g, p))
    await rebuild(g, p)  #: 山札が0枚になった場合


@procedure
async def rebuild(g: Game, p: Player) -> None:
    """The exiled cards become the new draw pile, at the price of a life card."""
    if g.exile[p]:
        make_deck(g, p)  #: 山札が0枚になった場合
    elif not pays_for_nothing():
        deck_stays_empty(g, p)
        return
    elif reading("rebuild-when") == "at-zero":
        deck_stays_empty(g, p)
    await exile_life_card(g, p)  #: 山札が0枚になった場合


@step
def make_deck(g: Game, p: Player) -> None:
    """All one's exiled cards are shuffled into a new draw pile."""
    shuffle_into(g, g.exile[p], g.deck[p], go)  #: 山札が0枚になった場合


@step
def deck_stays_empty(g: Game, p: Player) -> None:
    """There was nothing to make a draw pile of."""
    g.deck_dealt_with[p] = True


@step
def put_into_deck(g: Game, cards: Set[Card], p: Player) -> None:
    """The cards are shuffled into the draw pile."""
    shuffle_into(g, cards, g.deck[p], go)
    g.deck_dealt_with[p] = False


# ---------------------------------------------------------------- ライフ・デッキ
class AddRims(Record):
    """Add so many cards of the life deck to the rim cards."""

    count: Annotated[int, Range(1, 20)]


RimChoice = Pass | AddRims


@procedure
async def may_add_rims(g: Game, p: Player, most: int) -> None:
    """The player may add rim cards from the life deck."""
    act = await choose(p, {Pass()} | {AddRims(n) for n in up_to(min(most, len(g.life_deck[p])))})
    match act:
        case Pass():
            return
        case AddRims(count):
            await add_rims(g, p, count)


@procedure
async def exile_life_card(g: Game, p: Player) -> None:
    """The top card of the life deck is exiled."""
    await take(g, g.life_deck[p], 1, g.exile[p], leave_life_deck)  #: 山札が0枚になった場合


@procedure
async def add_rims(g: Game, p: Player, count: int) -> None:
    """So many cards of the life deck become rim cards: those on top, or by one reading those that the player chooses."""
    if count < len(g.life_deck[p]) and reading("added-rims-which") == "chosen":
        added = await choose_some(p, g.life_deck[p], count, count)
        for c in added:
            leave_life_deck(g, c, g.rim[p])  #: ライフ・デッキ第2段落
        return
    await take(g, g.life_deck[p], count, g.rim[p], leave_life_deck)  #: ライフ・デッキ第2段落


@step
def leave_life_deck(g: Game, card: Card, to: Zone) -> None:
    """A card leaves the life deck. Whose life deck is gone loses at that very moment, before anything else happens."""
    go(g, card, to)
    look_at_life_decks(g, {owner(card)})  #: 勝利条件・2
