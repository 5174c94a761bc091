"""Values that may be none."""
from rulewright.model.lang import *


class Game(State):
    chosen: Option[Card]
    wish: Option[Annotated[int, Range(3, 5)]]
    who: Option[Player] = None
    hand: Per[Player, Bag]
    trash: Bag


@define
def only_card(g: Game, p: Player) -> Option[Card]:
    return the(g.hand[p])


@define
def lowest(g: Game) -> int:
    return 0 if g.wish is None else g.wish


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand[owner(c)])
    g.chosen = only_card(g, FIRST)
    best: Option[Card] = None
    if g.chosen is not None and owner(g.chosen) == FIRST:
        best = g.chosen
    match g.wish:
        case None:
            g.wish = 4
        case n:
            g.wish = n
    if lowest(g) == g.wish and g.who is None and best is not None:
        put(best, g.trash)
    g.who = None if g.chosen is None or g.chosen in g.trash else owner(g.chosen)
    use(g, g.who)


@step
def use(g: Game, p: Option[Player]) -> None:
    """The play ends in a fault if there is no player."""
    finish(other(p))  # pyright: ignore[reportArgumentType]
