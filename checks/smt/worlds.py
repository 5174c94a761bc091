"""Worlds without a scenario: a book with so many of its cards, which may lie anywhere."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...model.engine.compiled import compile_book
from ...model.engine.describe import Describer
from ...model.engine.library import Book, load_book, shape_of
from ...model.engine.table import DEFAULT_ENTRY
from ...model.ir.program import Program
from ...model.lang.world import CardCopy, CardDef, World
from .loosened import LooseSymbolic
from .symbolic import Symbolic

MOST_ENTRIES = 3
"""Entries of a multiset or pool, where nothing else is said."""


@dataclass(frozen=True)
class FreeWorld:
    """A book compiled for some cards, and what can be asked of it. `loose`: as if there could be more cards wherever cards are counted
    (`loosened.py`)."""

    book: Book
    world: World
    program: Program
    loose: bool = False

    @property
    def symbolic(self) -> Symbolic:
        return LooseSymbolic(self.program) if self.loose else Symbolic(self.program)

    @property
    def describer(self) -> Describer:
        return Describer(self.program, self.world, self.book.vocabulary)


def free_world(
    book: str, cards: int | Sequence[tuple[str, int]], capacities: Mapping[str, int] | None = None,
    readings: Mapping[str, str] | None = None, branching: Iterable[str] = (), entry: str = DEFAULT_ENTRY,
    defined: Mapping[str, CardDef] | None = None, stack_depth: int = 24,
) -> FreeWorld:
    """A book with so many cards, chosen so that they differ most; or with these (number and owner, 0 or 1; `defined`:
    cards that the book does not have). `capacities` of containers are 3 unless told. Readings are those given, or in
    `branching` open, or else the defaults. Raises BadInput."""
    b = load_book(book)
    known = {**b.cards, **(defined or {})}
    chosen = most_different(list(known.values()), cards) if isinstance(cards, int) else [
        CardCopy(known[card], owner) for card, owner in cards]
    sizes = dict.fromkeys(layout_names(b), MOST_ENTRIES)
    world = World(
        tuple(chosen), {**sizes, **(capacities or {})}, readings=dict(readings or {}), branching=frozenset(branching),
        stack_depth=stack_depth)
    return FreeWorld(b, world, compile_book(b.rulebook, world, entry))


def layout_names(book: Book) -> list[str]:
    """The containers of the book."""
    return list(shape_of(book.name).containers)


def most_different(cards: Sequence[CardDef], count: int) -> list[CardCopy]:
    """So many cards: in turn the one that brings most that was not there yet, the two players' alternately."""
    seen: set[object] = set()
    left = list(cards)
    out: list[CardCopy] = []
    while len(out) < count and cards:
        if not left:
            left = list(cards)
            seen.clear()
        best = max(left, key=lambda c: len(facts(c) - seen))
        left.remove(best)
        seen |= facts(best)
        out += [CardCopy(best, 0), CardCopy(best, 1)]
    return out[:count]


def facts(card: CardDef) -> set[object]:
    """What there is to a card: each attribute's words, and each kind of ability."""
    words = {(k, w.text) for k, v in card.attributes.items() for w in (v if isinstance(v, tuple) else (v,))}
    scripts = {("ability", "" if a.when is None else a.when.text.split()[0], s) for a in card.abilities for s in a.scripts}
    return {*words, *scripts}
