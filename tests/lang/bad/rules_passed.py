"""Rules passed that are missing, called, unknown, values, of another sort; patterns misused."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.asking import *


class Game(Turns, Answers):
    hand: Per[Player, Bag]


@procedure
async def act(g: Game, p: Player) -> bool:
    yes = await may(p)
    return yes


@procedure
async def act_silently(g: Game, p: Player) -> None:
    await may(p)


@procedure
async def act_on(g: Game, c: Card) -> bool:
    return True


@procedure
async def act_alone(p: Player) -> bool:
    return True


@define
def cards(g: Game, p: Player) -> Set[Card]:
    return {c for c in g.hand[p]}


@step
def pass_for(g: Game, p: Player) -> None:
    pass_turn(g)


@procedure
async def again(g: Game, first: Player, offer: Procedure[[Player], bool]) -> None:
    offer(g, first)
    kept = offer
    await offer(g, first, FIRST)
    await alternate(g, first, offer)


@procedure
async def changed(g: Game, first: Player, offer: Procedure[[Player], bool]) -> None:
    offer = act
    await offer(g, first)


@procedure
async def odd(g: Game, a: Procedure, b: Step[Card], c: Define[[Hand], bool]) -> None:
    return


@action
def done(g: Game, p: Player, by: Step[[Player], None]) -> None:
    by(g, p)


@define
def nobody_asks(g: Game, p: Player, about: Define[[Player], bool]) -> bool:
    return about(g, p)


@procedure
async def main(g: Game) -> None:
    await alternate(g, FIRST)
    await alternate(g, FIRST, offer=act(g, FIRST))
    await alternate(g, FIRST, offer=acts)
    await alternate(g, FIRST, offer=g.turn_player)
    await alternate(g, FIRST, offer=lambda g, p: False)
    await alternate(g, FIRST, offer=act_silently)
    await alternate(g, FIRST, offer=act_on)
    await alternate(g, FIRST, offer=act_alone)
    await alternate(g, FIRST, offer=cards)
    await alternate(g, FIRST, offer=again)
    await alternate(g, FIRST, act, True)
    await alternate(g, first=act, offer=FIRST)
    await one_by_one(g, cards, OPEN("3.9.9"), pass_for)
    await one_by_one(g, cards, by=open, handle=pass_for)
    await again(g, FIRST, offer=act)
    x = alternate
    await alternate(
        g,
        FIRST,  #: 9.4.3
        act,
    )
    await ask_about(g, FIRST, act)
    await ask_about(g, 3, act)
    await ask_about(g, ask=act)
    if are_same(FIRST, 2):
        return
