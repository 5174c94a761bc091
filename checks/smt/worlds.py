"""Worlds without a scenario: a book with so many of its cards, which may lie anywhere."""
from __future__ import annotations

import re
from ast import AsyncFunctionDef
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.engine.compiled import compile_book
from ...model.engine.describe import Describer
from ...model.engine.library import Book, load_book, shape_of
from ...model.engine.table import DEFAULT_ENTRY
from ...model.ir.program import Program
from ...model.lang.world import CardCopy, CardDef, World
from ...spec.groups import grouped
from .loosened import Loosened
from .sorts import marked
from .symbolic import Symbolic
from .there import There

PLAIN = 4
"""Cards that are there at least beside those that bring rules along."""
WORD = re.compile(r"\w+")
MOST_ENTRIES = 3
"""Entries of a multiset or pool, where nothing else is said."""


@dataclass(frozen=True)
class FreeWorld:
    """A book compiled for some cards, and what can be asked of it. `loose`: as if there could be more cards wherever cards are counted
    (`loosened.py`). In a world that is `partly` there, there are the cards that lie somewhere (`there.py`)."""

    book: Book
    world: World
    program: Program
    loose: bool = False

    @property
    def symbolic(self) -> Symbolic:
        program = marked(self.program) if self.loose or self.world.partly else self.program
        return Symbolic(program, Loosened(program) if self.loose else There(program) if self.world.partly else None)

    @property
    def describer(self) -> Describer:
        return Describer(self.program, self.world, self.book.vocabulary)


def free_world(
    book: str,
    cards: int | Sequence[tuple[str, int]],
    capacities: Mapping[str, int] | None = None,
    readings: Mapping[str, str] | None = None,
    branching: Iterable[str] = (),
    defined: Mapping[str, CardDef] | None = None,
    partly: bool = False,
) -> FreeWorld:
    """A book with so many cards, chosen so that they differ most; or with these (number and owner, 0 or 1; `defined`:
    cards that the book does not have). `capacities` of containers are 3 unless told. Readings are those given, or in
    `branching` open, or else the defaults. `partly`: not every card need be there. Raises BadInput."""
    b = load_book(book)
    known = {**b.cards, **(defined or {})}
    chosen = most_different(list(known.values()), cards) if isinstance(cards, int) else [
        CardCopy(known[card], owner) for card, owner in cards]
    sizes = dict.fromkeys(layout_names(b), MOST_ENTRIES)
    world = World(
        tuple(chosen), {**sizes, **(capacities or {})}, readings=dict(readings or {}), branching=frozenset(branching),
        partly=partly)
    return FreeWorld(b, world, compile_book(b.rulebook, world, DEFAULT_ENTRY))


def open_world(book: Book, cards: Sequence[tuple[str, int]], readings: Mapping[str, str]) -> FreeWorld:
    """The book with these cards, under these readings and any of the others."""
    open_ones = [name for name, r in book.readings.items() if isinstance(r.answers, tuple) and name not in readings]
    return free_world(book.name, cards, readings=readings, branching=open_ones, partly=True)


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
    scripts = {
        ("ability", "" if a.when is None else a.when.text.split()[0], s) for a in card.abilities for s in a.scripts
    }
    return {*words, *scripts}


def kind(card: CardDef) -> str:
    """What sort of card it is: the first thing that is said of it."""
    first = next(iter(card.attributes.values()), ())
    return " ".join(w.text for w in (first if isinstance(first, tuple) else (first,)))


def plainest(cards: Sequence[CardDef], count: int) -> list[tuple[str, int]]:
    """So many cards, the two players' alternately: of each kind in turn the one with the fewest abilities."""
    kinds = grouped((kind(c), c) for c in sorted(cards, key=lambda c: len(c.abilities)))
    rows = [of[k] for k in range(max(map(len, kinds.values()), default=0)) for of in kinds.values() if k < len(of)]
    chosen = [rows[k % len(rows)] for k in range((count + 1) // 2)] if rows else []
    return [(c.id, owner) for c in chosen for owner in (0, 1)][:count]


def worlds_of_all_cards(book: Book, first: Sequence[tuple[str, int]], count: int) -> Iterator[list[tuple[str, int]]]:
    """The cards of each world, so many in each at most: these first, then the others of the book."""
    yield [*first]
    there = {card for card, _ in first}
    left = [c for c in book.cards if c not in there]
    for k in range(0, len(left), count):
        yield [(c, j % 2) for j, c in enumerate(left[k:k + count])]


def bringing_the_rest(book: Book, program: Program, count: int) -> list[tuple[str, int]]:
    """Cards whose texts use procedures that no play of this program comes to, first those that use most of them; and the
    plainest cards beside them. None, if there are no such cards."""
    named = {x.name for source in book.rulebook.sources for x in source.tree.body if isinstance(x, AsyncFunctionDef)}
    left = named - {name.partition("[")[0] for name in program.functions}
    uses = {c.id: words_of_scripts(c) & left for c in book.cards.values()}
    chosen: list[str] = []
    while (
        len(chosen) < count - PLAIN
        and (best := max(uses, key=lambda c: len(uses[c] & left), default=None))
        and uses[best] & left
    ):
        chosen.append(best)
        left -= uses[best]
    if not chosen:
        return []
    return [*((c, k % 2) for k, c in enumerate(chosen)), *plainest(list(book.cards.values()), count - len(chosen))]


def words_of_scripts(card: CardDef) -> set[str]:
    """The words of a card's scripts, names of rules among them."""
    return {w for a in card.abilities for script in a.scripts.values() for w in WORD.findall(script.text)}
