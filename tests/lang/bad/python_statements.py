"""Nested functions, `global`, `del`, `assert`, `import`, `print`, `with open`."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


@step
def confuse(g: Game, p: Player) -> None:
    def inner() -> None:
        return

    global x
    del p
    assert p
    import random
    print(p)
    with open("file") as f:
        pass
    try:
        g.turn = p
    finally:
        g.turn = p
    with restored(g.turn), restored(g.life[p]):
        pass


@procedure
async def main(g: Game) -> None:
    return
