"""Values of any type: a rule is made for each type that it is given."""
from rulewright.model.lang import *
from rulewright.model.lang.kernel.asking import *


class Deal(Record):
    by: Player
    price: Annotated[int, Range(0, 3)]


class Game(Turns, Answers):
    deals: Pool[Deal]
    price: Annotated[int, Range(0, 9)] = 2


@procedure
async def ask_player(g: Game, p: Player) -> bool:
    yes = await may(p)
    return yes and are_same(p, g.turn_player)


@procedure
async def ask_deal(g: Game, deal: Ref[Deal]) -> bool:
    yes = await may(g.deals[deal].by)
    return yes and are_same(g.deals[deal].price, g.price)


@procedure
async def main(g: Game) -> None:
    await ask_about(g, g.turn_player, ask_player)  #: 1.1
    deal = g.deals.new(Deal(SECOND, 2))
    agreed = await ask_about(g, thing=deal, ask=ask_deal)  #: 1.2
    if agreed:
        await ask_about(g, deal, ask_deal)  #: 1.2
    g.deals.free(deal)
