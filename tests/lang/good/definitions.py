"""What is printed on cards, words that cards may use, and constants."""
from rulewright.model.lang import *


class Kind(Enum):
    HERO = 1
    SPELL = 2


class Name(Symbols):
    """Any words."""

    NOBODY = 1


class Printed(Definition):
    kind: Kind
    names: Set[Name]
    power: Annotated[int, Range(-9, 9)] = 3
    partner: Option[Name]
    heavy: bool = False


LIMIT = 5
MINUS = -2


class Game(State):
    hand: Bag
    n: Annotated[int, Range(-99, 99)] = MINUS


@define
def of_kind(k: Kind) -> Set[Card]:
    return {c for c in CARDS if Printed(c).kind == k}


@define
def friends(a: Card, b: Card) -> bool:
    return len(Printed(a).names & Printed(b).names) > 0 or Printed(a).partner in Printed(b).names


@procedure
async def main(g: Game) -> None:
    for c in of_kind(Kind.HERO):
        put(c, g.hand)
    g.n += sum(Printed(c).power for c in g.hand) + LIMIT
    g.n += len({a for a in CARDS for b in CARDS if a != b and friends(a, b)})
    if all(Name.NOBODY not in Printed(c).names for c in CARDS):
        g.n += 1 if any(Printed(c).heavy for c in CARDS) else 2
