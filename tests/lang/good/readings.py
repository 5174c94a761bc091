"""What a rule book leaves open."""
from rulewright.model.lang import *


class Game(State):
    n: Annotated[int, Range(0, 9)]
    hand: Annotated[int, Range(0, 9)] = 9


@define
def limit(g: Game) -> int:
    if reading("hand-limit") == "seven":
        return 7
    return 8 if reading("hand-limit") in {"eight"} else 9


@step
def discard(g: Game) -> None:
    g.hand = min(g.hand, limit(g))


@procedure
async def main(g: Game) -> None:
    g.n = reading_number("first-draw")
    asked = await may(FIRST)
    if asked:
        discard(g)
        match reading("hand-limit"):
            case "seven":
                g.n += 1
            case "eight" | "none":
                g.n += 2
    if asked and reading("hand-limit") != "none":
        g.n += 3
