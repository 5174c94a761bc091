"""Entries gone through while a called step, a renewal or a freed place changes which there are."""
from rulewright.model.lang import *


class Game(State):
    turn: Player
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(5)
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    trash: Bag
    marks: Multiset[Mark]
    attacks: Pool[Attack]


class Mark(Record):
    on: Option[Obj]


class Attack(Record):
    power: Annotated[int, Range(0, 9)]


@step
def unmark(g: Game, card: Option[Obj]) -> None:
    g.marks.remove(Mark(card))


@step
def fade(g: Game) -> None:
    for m in g.marks:
        unmark(g, m.on)


@step
def move_all(g: Game) -> None:
    for m in g.marks:
        if m.on is not None:
            put(m.on, g.trash)
            renew(m.on)
    with simultaneously():
        for m in g.marks:
            g.marks.remove(m)


@step
def end_all(g: Game) -> None:
    for a in g.attacks:
        if g.attacks[a].power == 0:
            g.attacks.free(a)
    for a in g.attacks:
        end_weak(g)


@step
def end_weak(g: Game) -> None:
    for a in g.attacks:
        g.attacks.free(a)


@procedure
async def main(g: Game) -> None:
    return
