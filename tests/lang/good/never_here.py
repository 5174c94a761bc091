"""What the cards here and the answers to readings rule out is left out: a fact that nothing printed has, a multiset to which nothing is added."""
from rulewright.model.lang import *


class Kind(Enum):
    LAMP = 1
    TRAP = 2


class Printed(Definition):
    kind: Kind


class Due(Record):
    card: Card


class Game(State):
    hand: Per[Player, Bag]
    due: Multiset[Due]
    used: Multiset[Due]
    points: Annotated[int, Range(0, 9)]


@step
def later(g: Game, c: Card) -> None:
    if reading("hand-limit") == "none":
        g.due.add(Due(c))  #: 1.1
    g.used.add(Due(c))  #: 1.1


@procedure
async def resolve(g: Game) -> None:
    """Here nothing is due, so nobody is asked and nothing calls itself."""
    if not g.due:
        return  #: 1.2
    while g.due:
        d = await choose(FIRST, g.due)
        g.due.remove(d)  #: 1.3
        await resolve(g)


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        if Printed(c).kind == Kind.TRAP:
            g.points += 1  #: 9.4.3
        if Printed(c).kind == Kind.LAMP:
            g.points += 2  #: 9.4.3
        later(g, c)
    await resolve(g)
    g.points += sum(1 for d in g.due if owner(d.card) == FIRST)
    for _ in g.due:
        g.points += 1
    g.due.clear()  #: 10.1.1
    if g.points > len(g.used):
        finish(FIRST)
