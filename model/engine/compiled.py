"""Programs that were compiled before: in the user's cache, under all that they were made of. Of the last worlds also what was translated,
from which a program under other readings is made."""
from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ...spec.kept import made
from ..ir.program import Layout, Program
from ..lang.world import Rulebook, World, as_text

if TYPE_CHECKING:
    from ..lang.compile import Translated

M = TypeVar("M")
programs: dict[Hashable, Program] = {}
"""The last ones, the oldest first: a scenario is often opened several times in a row, with equal cards as one and apart, say. A program
never changes once it is compiled."""
translations: dict[Hashable, Translated] = {}


def lately(last: dict[Hashable, M], most: int, what: Hashable, make: Callable[[], M]) -> M:
    """What was made of this among the last `most`, or is made now."""
    last[what] = last.pop(what, None) or make()
    if len(last) > most:
        del last[next(iter(last))]
    return last[what]


def compiled(book: Rulebook, world: World, entry: str) -> Program:
    """The book compiled for a world. Raises BadInput."""
    what = made_of(book, world, entry)
    return lately(programs, 6, what, lambda: kept_or_compiled(book, world, entry, what))


def kept_or_compiled(book: Rulebook, world: World, entry: str, what: str) -> Program:
    """From the cache, under `what` it is made of; else compiled."""
    program = made("programs", what, lambda: compile_book(book, world, entry))
    if not isinstance(program, Program):  # its sum is right, so it was put there on purpose
        program = compile_book(book, world, entry)
    program.made_of = hashlib.sha256(what.encode()).hexdigest()
    return program


def compile_book(book: Rulebook, world: World, entry: str) -> Program:
    """Compiled anew, or linked from what was translated for this world just before. What does that is loaded only when it is needed."""
    from ..lang.compile import link, translate_book

    translation = lately(
        translations,
        2,
        made_of(book, replace(world, readings={}, branching=frozenset()), entry),
        lambda: translate_book(book, world, entry),
    )
    return link(translation, book, world)


def kept_layout(book: Rulebook) -> Layout:
    """The layout of the book's state without any card: which fields there are."""
    def work_out() -> Layout:
        from ..lang.compile import layout_of

        return layout_of(book, World())
    return made("layouts", book.digest, work_out)


def made_of(book: Rulebook, world: World, entry: str) -> str:
    """All that a program depends on: the texts of the rules and, with where they stand, of the cards."""
    cards = (f"{c.definition.digest} {c.owner}" for c in world.cards)
    rest = (
        *(tuple(sorted(x.items())) for x in (world.capacities, world.caps, world.readings)),
        world.given_piles, world.branching, world.stack_depth, world.partly)
    return "\n".join((book.digest, entry, *cards, as_text(rest)))
