"""Chapter 1, sections 2 and 5: mental strength and the end of the game, fresh and tired, leaving play, drawing."""
from ...kernel.decks import *
from ...lang import *
from .abilities import *


# ---------------------------------------------------------------- 2  mental strength
@step
def damage(g: Game, p: Player, amount: int, by: Player) -> None:
    """The player loses mental strength, down to nothing. `by`: whose action it comes from."""
    if amount <= 0:
        return
    g.mental[p] -= min(amount, g.mental[p])  #: 第1章2
    if g.mental[p] == 0 and by == p and reading("zero-by-own-action") == "not-said":
        gap("第1章2")


@step
def damage_both(g: Game, mine: int, yours: int, by: Player) -> None:
    """Both players lose mental strength at the same time: `by`, whose action it is, and the other."""
    if mine >= g.mental[by] and yours >= g.mental[other(by)]:
        gap("第1章2")
    damage(g, by, mine, by)
    damage(g, other(by), yours, by)


@situation
async def somebody_is_broken(g: Game, p: Player) -> None:
    """The game is over when a player has no mental strength left."""
    when(g.mental[p] == 0)
    finish(other(p))  #: 第1章2


# ---------------------------------------------------------------- 5  fresh and tired
@action
def tire(g: Game, character: Card) -> None:
    """The character becomes tired; the tired cannot become so again."""
    g.card[character].tired = True  #: 第1章5「元気/疲労」


@action
def refresh(g: Game, character: Card) -> None:
    """The character becomes fresh."""
    g.card[character].tired = False  #: 第1章5「元気/疲労」


outranks("forbids", "requires")  #: 第11章3


@requires(refresh)
def becomes_fresh(g: Game, character: Card) -> bool:
    """Is it one of those that become fresh in a recovery phase, those of the acting side?"""
    return character in characters(g, g.turn_player)  #: 第3章2


@forbids(refresh)
def is_kept_tired(g: Game, character: Card) -> bool:
    """Does something say that the character cannot become fresh? Wording of impossibility prevails."""
    return any(
        Text(a).keeps_tired and has_ability(g, character, a)
        for c in attached(g, character) | {character}
        for a in Printed(c).abilities
    )  #: 第3章2 #: 第11章3


# ---------------------------------------------------------------- 5  leaving play
@step
def put_out_of_play(g: Game, card: Card) -> None:
    """The card is no longer what it was, and goes out of play."""
    whose = out_of_play_of(g, card)
    renew(card)
    g.card[card] = OnCard()
    put(card, g.out_of_play[whose])  #: 第1章4(5)


@define
def out_of_play_of(g: Game, card: Card) -> Player:
    """Whose place for used cards the card goes to: the book does not say."""
    whose = side(g, card)
    if whose is None or reading("out-of-play-whose") == "owner":
        return owner(card)
    return whose


@step
def leave(g: Game, character: Card) -> None:
    """A helper goes out of play, and all that lies on it."""
    if is_pl(g, character):
        gap("第1章5「退場」")
    for c in attached(g, character):
        put_out_of_play(g, c)  #: 第5章5.8
    put_out_of_play(g, character)  #: 第1章5「退場」


@step
def discard(g: Game, card: Card) -> None:
    """A card from hand goes out of play."""
    put_out_of_play(g, card)  #: 第1章4(5)


# ---------------------------------------------------------------- 4(2)  the deck
@procedure
async def draw(g: Game, p: Player, count: int) -> None:
    """So many cards from the deck go to hand. What if there are fewer, the book does not say."""
    if len(g.deck[p]) < count and reading("deck-runs-out") == "not-said":
        gap("第3章3")
    await take(g, g.deck[p], count, g.hand[p], lay)  #: 第2章2(4) #: 第3章3
