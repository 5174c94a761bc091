"""Programs that were compiled before: the last ones at hand, because a scenario is often opened several times in a row, with
equal cards as one and apart, say; all of them in the user's cache. A program never changes once it is compiled. Of the last worlds also what
was translated, from which a program under other readings is made."""
from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ...spec.kept import made
from ..ir.program import Layout, Program
from ..lang.book import Rulebook
from ..lang.world import AbilityDef, CardDef, World

if TYPE_CHECKING:
    from ..lang.compile import Translated

MOST_CARDS = 2_000
MOST = 6
M = TypeVar("M")
Last = dict[Hashable, tuple[Rulebook, M]]
"""What was made for what, the oldest first. The rule book is kept too, so that its `id` stays its own."""
programs: Last[Program] = {}
translations: Last[Translated] = {}


def lately(last: Last[M], most: int, book: Rulebook, world: World, entry: str, make: Callable[[], M]) -> M:
    """What was made for this among the last `most`, or is made now."""
    key = (id(book), entry, what_of(world))
    _, found = known = last.pop(key, None) or (book, make())
    last[key] = known
    if len(last) > most:
        del last[next(iter(last))]
    return found


def compiled(book: Rulebook, world: World, entry: str) -> Program:
    """The book compiled for a world. Raises BadInput."""
    return lately(programs, MOST, book, world, entry, lambda: kept_or_compiled(book, world, entry))


def compile_book(book: Rulebook, world: World, entry: str) -> Program:
    """Compiled anew, or linked from what was translated for this world just before. What does that is loaded only when it is needed."""
    from ..lang.compile import link, translate_book

    translation = lately(translations, 2, book, replace(world, readings={}), entry, lambda: translate_book(book, world, entry))
    return link(translation, book, world)


def kept_or_compiled(book: Rulebook, world: World, entry: str) -> Program:
    """From the cache, under the texts of the rules and all that `what_of` says; else compiled."""
    what = f"{texts_of(book)}\n{entry}\n{what_of_world(world)}"
    program = made("programs", what, lambda: compile_book(book, world, entry))
    if not isinstance(program, Program):  # its sum is right, so it was put there on purpose
        program = compile_book(book, world, entry)
    program.made_of = hashlib.sha256(what.encode()).hexdigest()
    return program


def kept_layout(book: Rulebook) -> Layout:
    """The layout of the book's state without any card: which fields there are."""
    def work_out() -> Layout:
        from ..lang.compile import layout_of

        return layout_of(book, World())
    return made("layouts", texts_of(book), work_out)


hashes: dict[int, tuple[Rulebook, str]] = {}
"""The hash of each rule book; it is kept too, so that its `id` stays its own."""


def texts_of(book: Rulebook) -> str:
    """A hash of the rules of a book as they are written, its readings and clauses."""
    known = hashes.get(id(book))
    if known is None:
        if len(hashes) > MOST:
            hashes.clear()
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
    return tuple((said[id(c.definition)], c.owner) for c in world.cards), what_else(world)


def what_else(world: World) -> Hashable:
    """What a program depends on besides the cards."""
    return (
        *(tuple(sorted(x.items())) for x in (world.capacities, world.caps, world.readings)),
        world.given_piles, world.branching, world.stack_depth,
    )


def what_of_world(world: World) -> str:
    """All that a program depends on, as text."""
    lines = [f"{hash_of_card(c.definition)} {c.owner}" for c in world.cards]
    return "\n".join((*lines, written(what_else(world))))


cards: dict[int, tuple[CardDef, str]] = {}
"""The hash of each card of a book that was asked for; the card is kept too, so that its `id` stays its own."""


def hash_of_card(d: CardDef) -> str:
    known = cards.get(id(d))
    if known is None:
        if len(cards) > MOST_CARDS:
            cards.clear()
        known = cards[id(d)] = d, hashlib.sha256(written(what_of_card(d)).encode()).hexdigest()
    return known[1]


def what_of_card(d: CardDef) -> Hashable:
    return d.id, d.name, d.at, tuple(sorted(d.attributes.items())), tuple(map(what_of_ability, d.abilities))


def what_of_ability(a: AbilityDef) -> Hashable:
    scripts = tuple((k, s.text, s.file, s.place(1, 1)) for k, s in sorted(a.scripts.items()))
    return a.id, a.at, tuple(sorted(a.facts.items())), a.when, scripts, a.name
