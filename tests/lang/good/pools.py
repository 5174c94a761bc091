"""Records that are referred to."""
from rulewright.model.lang import *


class Attack(Record):
    by: Option[Card]
    power: Annotated[int, Range(0, 9)]
    blocked: bool = False


class Game(State):
    attacks: Pool[Attack]
    chain: Option[Ref[Attack]]
    total: Annotated[int, Range(0, 30)]


@step
def strike(g: Game, power: Annotated[int, Range(0, 9)]) -> Ref[Attack]:
    a = g.attacks.new(Attack(None, power))
    return a


@step
def resolve(g: Game, a: Ref[Attack]) -> None:
    if not g.attacks[a].blocked:
        g.total += g.attacks[a].power
    g.attacks.free(a)


@procedure
async def main(g: Game) -> None:
    a = strike(g, 3)
    b = strike(g, 4)
    g.attacks[a].power += 2
    g.attacks[b].blocked = True
    g.chain = a
    resolve(g, a)
    c = strike(g, 1)
    g.attacks[c] = Attack(None, 7)
    if g.chain == c:
        g.total += len(g.attacks)
    open_attacks = {x for x in g.attacks if not g.attacks[x].blocked}
    which = await choose(FIRST, open_attacks)
    resolve(g, which)
    for x in g.attacks:
        g.total += g.attacks[x].power
    g.attacks.free(a)
