"""Two classes of state, a method, inheritance, a field twice, decoration."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag


class More(State):
    extra: bool


class Mark(Record):
    on: bool
    on: bool

    def flip(self) -> None:
        self.on = not self.on


class Big(Mark):
    large: bool


@dataclass
class Small(Record):
    small: bool


class Empty(Enum):
    pass


class Free:
    x: bool


@procedure
async def main(g: Game) -> None:
    return
