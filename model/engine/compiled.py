"""Programs that were compiled before: the last ones at hand, because a scenario is often opened several times in a row, with
equal cards as one and apart, say; all of them in the user's cache. A program never changes once it is compiled."""
from __future__ import annotations

import hashlib
from collections.abc import Hashable

from ...spec.kept import made
from ..ir.program import Layout, Program
from ..lang.compile import Rulebook, compile_book, layout_of
from ..lang.world import AbilityDef, CardDef, World

MOST = 6
last: dict[Hashable, tuple[Rulebook, Program]] = {}
"""What was compiled for what, the oldest first. The rule book is kept too, so that its `id` stays its own."""


def compiled(book: Rulebook, world: World, entry: str) -> Program:
    """The book compiled for a world. Raises BadInput."""
    key = (id(book), entry, what_of(world))
    _, program = known = last.pop(key, None) or (book, kept_or_compiled(book, world, entry))
    last[key] = known
    if len(last) > MOST:
        del last[next(iter(last))]
    return program


def kept_or_compiled(book: Rulebook, world: World, entry: str) -> Program:
    """From the cache, under the texts of the rules and all that `what_of` says; else compiled."""
    what = f"{texts_of(book)}\n{entry}\n{written(what_of(world))}"
    program = made("programs", what, lambda: compile_book(book, world, entry))
    program.made_of = hashlib.sha256(what.encode()).hexdigest()
    return program


def kept_layout(book: Rulebook) -> Layout:
    """The layout of the book's state without any card: which fields there are."""
    return made("layouts", texts_of(book), lambda: layout_of(book, World()))


hashes: dict[int, tuple[Rulebook, str]] = {}
"""The hash of each rule book."""


def texts_of(book: Rulebook) -> str:
    """A hash of the rules of a book as they are written, its readings and clauses."""
    known = hashes.get(id(book))
    if known is None:
        text = written((
            book.name, tuple((s.file, s.text, s.kernel) for s in book.sources), tuple(sorted(book.readings.items())), book.clauses))
        known = hashes[id(book)] = book, hashlib.sha256(text.encode()).hexdigest()
    return known[1]


def written(x: object) -> str:
    """A value as text, the same in every run: the members of sets in order."""
    match x:
        case frozenset():
            return f"{{{','.join(sorted(map(written, x)))}}}"
        case tuple():
            return f"({','.join(map(written, x))})"
        case _:
            return repr(x)


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
