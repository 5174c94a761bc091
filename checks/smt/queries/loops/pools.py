"""Small worlds for questions about loops: a card with a text, and what it needs around it.

A book has far too many cards for one world, and two or three are enough for most loops. So each card with a text is asked
about in two worlds, with a copy of itself and with a card without a text; and once the cards without texts alone. Each player
has a card without a text in the deck, which lies there from the beginning (else play would end at once in most books), and
one more that lies in some pile of theirs, if the book has several.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .....model.engine.library import Book, load_book, shape_of
from .....model.ir.program import Layout
from .....model.ir.types import SetType
from .....model.lang.world import CardDef
from ... import numbers as n
from ...numbers import Val
from ...worlds import free_world, kind, layout_names
from ..asking import SECONDS, Asker

ENTRIES = 2
"""Entries of a multiset or pool: one that is being worked on, and one that it brings about."""


@dataclass(frozen=True)
class Pool:
    """Cards that may lie anywhere, or nowhere: the first player's, by their ids."""

    cards: tuple[str, ...]

    @property
    def name(self) -> str:
        return " and ".join(self.cards)

    @property
    def called(self) -> str:
        return self.name or "no card"


def pools(book: Book, cards: Sequence[str] | None = None) -> Iterator[Pool]:
    """The worlds to ask about: of all cards, or only of these with a text."""
    plain = [c for c in book.cards.values() if not c.abilities]
    if not cards:
        yield Pool(tuple(c.id for c in of_each_kind(plain)[:2]))
    for c in book.cards.values():
        if c.abilities and (cards is None or c.id in cards):
            yield Pool((c.id, c.id))
            yield from (Pool((c.id, other.id)) for other in [x for x in plain if kind(x) == kind(c)][:1])


def of_each_kind(cards: Sequence[CardDef]) -> list[CardDef]:
    """One card of each kind."""
    return list({kind(c): c for c in reversed(cards)}.values())[::-1]


def in_decks(book: Book) -> list[tuple[str, int]]:
    """What lies in its owner's deck in every world: a card without a text, and whose it is; none where there are no decks, or no such cards."""
    filler = next((c.id for c in book.cards.values() if not c.abilities), None)
    has_decks = all(deck_of(shape_of(book.name), player) is not None for player in (0, 1))
    return [(filler, owner) for owner in (0, 1)] if filler is not None and has_decks else []


def asker_of(book: str, pool: Pool, readings: Mapping[str, str], seconds: float = SECONDS) -> Asker:
    """Ready to ask about a world with these cards, under these readings (or else the defaults): about every position in which
    nothing but marks on abilities is on the cards, wherever they lie, and at most one thing waits."""
    b = load_book(book)
    cards = [*((c, 0) for c in pool.cards), *in_decks(b)]
    free = free_world(book, cards, dict.fromkeys(layout_names(b), ENTRIES), readings, partly=True)
    layout = free.program.layout
    known = fixed(layout, len(pool.cards), [owner for _, owner in cards])
    return Asker(free, seconds, {**as_at_first(layout), **known})


def as_at_first(layout: Layout) -> dict[int, Val]:
    """What is on cards (marks on their abilities aside), and all that waits but for one entry of the first multiset."""
    blocks = [
        b
        for b in layout.per_card
        if b not in (layout.location, layout.rank) and not isinstance(layout.slots[b].type, SetType)
    ]
    marks = [block + c for block in blocks for c in range(layout.card_count)]
    waiting = [m for m in layout.containers.values() if not m.is_pool]
    columns = [c + k for j, m in enumerate(waiting) for c in m.columns for k in range(min(j, 1) ^ 1, m.capacity)]
    places = [*marks, *columns, *(m.head for m in waiting[1:])]
    out: dict[int, Val] = {k: layout.slots[k].initial for k in places}
    for m in waiting[:1]:
        out[m.head] = n.variable("how many wait", 0, 1)
    return out


def fixed(layout: Layout, first: int, owners: Sequence[int]) -> dict[int, Val]:
    """What is known of the cards from number `first` on: they lie in their owner's deck, as at the beginning."""
    out: dict[int, Val] = {}
    for c in range(first, layout.card_count):
        out |= {block + c: layout.slots[block + c].initial for block in layout.per_card}
        deck = deck_of(layout, owners[c])
        assert deck is not None
        out[layout.location + c] = deck
        out[layout.rank + c] = sum(owners[d] == owners[c] for d in range(first, c))
    return out


def deck_of(layout: Layout, player: int) -> int | None:
    """The player's first pile, if there are such."""
    return next((z for z, i in enumerate(layout.zones) if i.ordered and i.player == player and not i.number), None)
