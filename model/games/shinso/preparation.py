"""ゲームの準備: decks, and what is done before the game begins."""
from ...lang import *
from .decks import *
from .declarations import *
from .endings import *
from .moving import *
from .state import *

LIFE_CARDS = Range(0, 10)


class Redraw(Record):  #: ゲームの準備.4
    """Shuffle the hand back and draw anew."""


class AddLifeCards(Record):  #: プレイング・デッキ第3段落
    """Add so many life cards to the draw pile."""

    count: Annotated[int, Range(0, 10)]


# ---------------------------------------------------------------- デッキ
@known_as("legal deck")
@define
def legal_deck(g: Game, p: Player) -> bool:
    """Thirty and ten cards, no shards, of a name four at most and two in the life deck; beside them a shard, by some readings several."""
    every = g.deck[p] | g.life_deck[p]
    return (
        len(g.deck[p]) == 30
        and len(g.life_deck[p]) == 10
        and len(g.shard_place[p]) > 0
        and (len(g.shard_place[p]) == 1 or reading("how-many-shards") != "one")
        and all(not is_shard(c) and copies(c, every) <= 4 for c in every)
        and all(copies(c, every - g.deck[p]) <= 2 for c in g.life_deck[p])
    )  #: デッキ第1段落, デッキ第2段落, デッキ第3段落, プレイング・デッキ第2段落, ライフ・デッキ第1段落, ライフ・デッキ第4段落


@define
def copies(card: Card, cards: Set[Card]) -> int:
    """How many of the cards have the card's name."""
    return len({c for c in cards if Printed(c).names == Printed(card).names})


# ---------------------------------------------------------------- ゲームの準備
@procedure
async def prepare(g: Game) -> None:
    """From the decks to the first turn. `FIRST` is whoever turns out to go first (ゲームの準備.6)."""
    if not all(legal_deck(g, p) for p in PLAYERS):
        not_modelled("ゲームの準備.1")
    g.begun = False
    for p in (FIRST, SECOND):
        await lay_out_life_cards(g, p)  #: ゲームの準備.2
    await prepare_further(g)


@procedure
async def prepare_further(g: Game) -> None:
    """From the moment at which rim cards and core cards lie there."""
    await life_cards_into_decks(g)  #: プレイング・デッキ第3段落
    for p in PLAYERS:
        shuffle(g.deck[p])  #: ゲームの準備.3
    for p in (FIRST, SECOND):
        await opening_hand(g, p)  #: ゲームの準備.4
    begin_game(g)


@procedure
async def lay_out_life_cards(g: Game, p: Player) -> None:
    """Four rim cards and the core card are laid out from the shuffled life deck."""
    shuffle(g.life_deck[p])  #: ゲームの準備.2
    await take(g, g.life_deck[p], 4, g.rim[p], go)  #: ゲームの準備.2
    await take(g, g.life_deck[p], 1, g.core[p], go)  #: ゲームの準備.2


# ---------------------------------------------------------------- プレイング・デッキ第3段落
@procedure
async def life_cards_into_decks(g: Game) -> None:
    """Both players may put life cards into the draw pile: nothing says in which order, or whether at the same time."""
    if reading("prepare-order") == "together":
        await some_life_cards(g, FIRST)  #: プレイング・デッキ第3段落
        await some_life_cards(g, SECOND)  #: プレイング・デッキ第3段落
        look_at_life_decks(g, PLAYERS)  #: ライフ・デッキ第3段落
    else:
        p = await choose(OPEN("プレイング・デッキ第3段落"), PLAYERS)
        await some_life_cards(g, p)  #: プレイング・デッキ第3段落
        look_at_life_decks(g, {p})  #: ライフ・デッキ第3段落
        await some_life_cards(g, other(p))  #: プレイング・デッキ第3段落
        look_at_life_decks(g, {other(p)})  #: ライフ・デッキ第3段落


@procedure
async def some_life_cards(g: Game, p: Player) -> None:
    """The player puts any number of life cards into the draw pile."""
    if reading("which-life-cards") == "chosen":
        moved = await choose_some(p, g.life_deck[p], 0, len(g.life_deck[p]))
        put_into_deck(g, moved, p)  #: プレイング・デッキ第3段落
        return
    act = await choose(p, {AddLifeCards(n) for n in LIFE_CARDS if n <= len(g.life_deck[p])})
    await take(g, g.life_deck[p], act.count, g.deck[p], go)  #: プレイング・デッキ第3段落


# ---------------------------------------------------------------- ゲームの準備.4 and after
@procedure
async def opening_hand(g: Game, p: Player) -> None:
    """Five cards are drawn; once they may be shuffled back and drawn anew."""
    await draw_cards(g, p, 5)  #: ゲームの準備.4
    act = await choose(p, {Pass()} | {Redraw() for c in g.hand[p]})
    match act:
        case Pass():
            return
        case Redraw():
            put_into_deck(g, g.hand[p], p)  #: ゲームの準備.4
            await draw_cards(g, p, 5)  #: ゲームの準備.4


@step
def begin_game(g: Game) -> None:
    """The game begins, with the first player's turn. The shards lie in their place, face up."""
    g.begun = True  #: ゲームの準備.7
    begin_turns(g, FIRST)  #: ゲームの準備.6 #: ターン数・1
    look_at_life_decks(g, set())  #: 勝利条件・2
