"""Programs that were compiled last: a scenario is often opened several times in a row, with equal cards as one and apart,
say. A program never changes once it is compiled."""
from __future__ import annotations

from collections.abc import Hashable

from ..ir.program import Program
from ..lang.compile import Rulebook, compile_book
from ..lang.world import AbilityDef, CardDef, World

MOST = 6
last: dict[Hashable, tuple[Rulebook, Program]] = {}
"""What was compiled for what, the oldest first. The rule book is kept too, so that its `id` stays its own."""


def compiled(book: Rulebook, world: World, entry: str) -> Program:
    """The book compiled for a world. Raises BadInput."""
    key = (id(book), entry, what_of(world))
    _, program = known = last.pop(key, None) or (book, compile_book(book, world, entry))
    last[key] = known
    if len(last) > MOST:
        del last[next(iter(last))]
    return program


def what_of(world: World) -> Hashable:
    """All that a program depends on, to be compared: the cards' texts with where they stand among it."""
    said = {id(d): what_of_card(d) for d in {id(c.definition): c.definition for c in world.cards}.values()}
    return (
        tuple((said[id(c.definition)], c.owner) for c in world.cards),
        *(tuple(sorted(x.items())) for x in (world.capacities, world.caps, world.readings)),
        world.given_piles, world.branching, world.stack_depth,
    )


def what_of_card(d: CardDef) -> Hashable:
    return d.id, d.name, d.at, tuple(sorted(d.attributes.items())), tuple(map(what_of_ability, d.abilities))


def what_of_ability(a: AbilityDef) -> Hashable:
    scripts = tuple((k, s.text, s.file, s.place(1, 1)) for k, s in sorted(a.scripts.items()))
    return a.id, a.at, tuple(sorted(a.facts.items())), a.when, scripts, a.name
