"""What is expected of every call of a procedure, and what it ensures; of unions and results, too."""
from rulewright.model.lang import *


class Game(State):
    heap: Bag
    row: Per[Player, Bag]
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)


class Lay(Record):
    card: Card


class Heal(Record):
    by: Annotated[int, Range(1, 3)]


Act = Lay | Heal


@procedure
async def play(g: Game, p: Player, act: Act) -> Option[Card]:
    match act:
        case Lay(card):
            put(card, g.row[p])
            again = await may(p)
            return card if again else None
        case Heal(by):
            g.life[p] += by
            return None


@expects(play)
def there_is_room(g: Game, p: Player, act: Act) -> bool:
    match act:
        case Lay(_):
            return len(g.row[p]) == 0
        case Heal(by):
            return g.life[p] + by <= 9


@ensures(play)
def it_lies_in_the_row(g: Game, p: Player, act: Act, result: Option[Card]) -> bool:
    return result is None or zone_of(result) == g.row[p]


@ensures(play)
def somebody_lives(g: Game) -> bool:
    return any(g.life[p] > 0 for p in PLAYERS)


@procedure
async def main(g: Game) -> None:
    act = await choose(FIRST, {Lay(c) for c in g.heap if not g.row[FIRST]} | {Heal(1)})
    c = await play(g, FIRST, act)
    if c is not None:
        put(c, g.heap)
