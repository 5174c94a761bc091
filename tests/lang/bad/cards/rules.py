"""Rules for the cards beside it: cards move, triggers wait, one after another is played."""
from typing import Any

from rulewright.model.lang import *


class Kind(Enum):
    HERO = 1
    SPELL = 2


class Printed(Definition):
    """What a card says."""

    kind: Kind
    power: Annotated[int, Range(0, 9)] = 0
    colours: Set[Kind]
    abilities: Set[Ability]


class Text(Definition):
    """What is said of an ability."""

    of: Any
    speed: Annotated[int, Range(1, 3)] = 1


class Moved(Event):
    """A card has been put somewhere."""

    card: Option[Obj]
    to: Zone
    others: Set[Card] = set()


class Waiting(Record):
    """An ability that has triggered."""

    ability: Ability
    this: Option[Obj]
    cause: Cause


class Game(State):
    turn: Player
    hand: Per[Player, Bag]
    trash: Bag
    waiting: Multiset[Waiting]


@known_as("master")
@define
def master(card: Card) -> Player:
    return owner(card)


@step
def move(g: Game, card: Card, to: Zone) -> None:
    put(card, to)
    emit(Moved(card, to))


@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    g.waiting.add(Waiting(ability, card, cause))


@procedure
async def main(g: Game) -> None:
    card = await choose(g.turn, g.hand[g.turn])
    if all(payable(g, a, card, g.turn) for a in Printed(card).abilities):
        move(g, card, g.trash)
    while len(g.waiting) > 0:
        w = await choose(g.turn, {w for w in g.waiting})
        g.waiting.remove(w)
        await run_text(g, w.ability, w.this, g.turn, w.cause)
