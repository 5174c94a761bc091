"""Cards that listen to events, pay costs and do what they say."""
from typing import Any

from rulewright.model.lang import *


class Printed(Definition):
    """What a card says."""

    power: Annotated[int, Range(0, 9)] = 0
    abilities: Set[Ability]


class Says(Definition):
    """What is said of an ability."""

    of: Any
    slow: bool = False


class Moved(Event):
    """A card came to lie elsewhere."""

    card: Option[Obj]
    src: Zone
    to: Zone


class Waiting(Record):
    ability: Ability
    this: Option[Obj]
    cause: Cause


class Game(State):
    turn: Player
    hand: Per[Player, Bag]
    field: Per[Player, Bag]
    trash: Bag
    waiting: Multiset[Waiting]
    mana: Annotated[int, Range(0, 3)] = 1
    told: Annotated[int, Range(0, 9)]


@known_as("master")
@define
def master(card: Card) -> Player:
    return owner(card)


@action
def move(g: Game, card: Card, to: Zone) -> None:
    src = zone_of(card)
    put(card, to)
    renew(card)
    emit(Moved(card, src, to))


@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    g.waiting.add(Waiting(ability, card, cause))


@define
def ready(g: Game, p: Player) -> Set[Ability]:
    return {a for c in g.field[p] for a in Printed(c).abilities
            if not Says(a).slow and condition(g, a, c, p) and payable(g, a, c, p) and state_holds(g, a, c, p)}


@procedure
async def play_waiting(g: Game) -> None:
    while len(g.waiting) > 0:
        w = await choose(g.turn, {w for w in g.waiting})
        g.waiting.remove(w)
        await run_text(g, w.ability, w.this, g.turn, w.cause)


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand[owner(c)])
    card = await choose(g.turn, g.hand[g.turn])
    move(g, card, g.field[g.turn])
    await play_waiting(g)
    if len(ready(g, g.turn)) > 0:
        a = await choose(g.turn, ready(g, g.turn))
        await run_cost(g, a, card, g.turn)
        await run_text(g, a, card, g.turn, NO_CAUSE)
    await play_waiting(g)
