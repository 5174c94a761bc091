"""Entries of a multiset stay in order whichever of them loses its object: equal situations are one state."""
from rulewright.model.lang import *


class Note(Record):
    about: Option[Obj]
    n: Annotated[int, Range(0, 3)] = 0


class Game(State):
    notes: Multiset[Note]


@procedure
async def main(g: Game) -> None:
    for c in CARDS:
        g.notes.add(Note(c, 2))
    old = await choose(FIRST, CARDS)
    renew(old)
    older = await choose(FIRST, {c for c in CARDS if any(w.about == c for w in g.notes)})
    renew(older)
