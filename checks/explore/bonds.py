"""Cards that are named together (a card on a card, an entry of two cards): in which order they come.

A *tie* names several cards, each with a part in it. The colour of a card is the place of its cell: how many cards come
before those that nothing tells from it. Colours are refined: a card is told from another by the ties it is in, and by
the colours of the other cards there. Then, of cards of one colour that are bound to others not alone in theirs, one is
taken out, and the colours are refined again. If what binds the cards has no ring in it, it does not matter which. Else
all are tried, if there are few enough (`TRIES`), and that is taken whose ties have the least sum; beyond that the
lowest number is taken out, and then states that differ by a permutation may keep different representatives.

What is compared are sums of 64-bit numbers made of what is said; should two such sums be equal by accident, equal states
keep different representatives too. That is all that can happen: whatever the order, it is one of the cards of a class.

`checks/native/bonds.py` is the same for compiled code, function by function.
"""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import factorial, prod

from ...spec.groups import grouped

MASK = (1 << 64) - 1
SEED, FACTOR = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
TRIES = 720
"""At most so many ways of ordering cards that colours do not tell apart are looked at."""

Tie = tuple[int, Sequence[tuple[int, int]]]
"""What it is, as a number; each card with its part, as a number."""


def mixed(h: int, v: int) -> int:
    """A number of 64 bits made of two."""
    h = ((h ^ (v & MASK)) * FACTOR) & MASK
    return h ^ (h >> 32)


class Bonds:
    """Orders cards that are in ties. `colour` has the place of the cell of each card that may change places."""

    def __init__(self, colour: Sequence[int], classes: Sequence[Sequence[int]], ties: Sequence[Tie]) -> None:
        self.start, self.classes, self.ties = list(colour), classes, ties
        self.tied = sorted({c for _, parts in ties for c, _ in parts})

    def order(self) -> list[int]:
        """Colours by which equal cards can be told apart."""
        colour = self.refine(self.start)
        cells = self.open_cells(colour)
        if cells and prod(factorial(len(x)) for x in cells) <= TRIES and self.has_ring(colour):
            return self.least(colour)[1]
        return self.first(colour)

    def first(self, colour: list[int]) -> list[int]:
        """Of cards that are not told apart, the lowest is taken out, until all are."""
        while cells := self.open_cells(colour):
            colour = self.take_out(colour, cells[0][0])
        return colour

    def least(self, colour: list[int]) -> tuple[int, list[int]]:
        """Of all orders, the one with the least sum. A card that comes to the same as one before it can take its place:
        it is not tried further."""
        cells = self.open_cells(colour)
        if not cells:
            return self.sum(colour), colour
        best: tuple[int, list[int]] | None = None
        sketches: set[int] = set()
        for c in cells[0]:
            after = self.take_out(colour, c)
            sketch = self.sum(self.first(after))
            if sketch not in sketches:
                sketches.add(sketch)
                found = self.least(after)
                if best is None or found[0] < best[0]:
                    best = found
        assert best is not None
        return best

    def take_out(self, colour: list[int], card: int) -> list[int]:
        """The card comes before the others of its colour."""
        k = colour[card]
        return self.refine([x + 1 if x == k and c != card else x for c, x in enumerate(colour)])

    # ------------------------------------------------------------ colours
    def shape(self, tie: Tie, colour: Sequence[int]) -> int:
        """A tie, with colours in the place of its cards."""
        label, parts = tie
        return mixed(SEED, label + sum(mixed(part, colour[c]) for c, part in parts))

    def sum(self, colour: Sequence[int]) -> int:
        """All ties so."""
        return sum(self.shape(t, colour) for t in self.ties) & MASK

    def refine(self, colour: list[int]) -> list[int]:
        """Tell cards apart by the ties they are in, until nothing new is told apart."""
        while True:
            seen = dict.fromkeys(self.tied, 0)
            for tie in self.ties:
                shape = self.shape(tie, colour)
                for c, part in tie[1]:
                    seen[c] = (seen[c] + mixed(part, shape)) & MASK
            finer = list(colour)
            for k, cell in self.cells(colour).items():
                order = sorted(seen.get(c, 0) for c in cell)
                for c in cell:
                    if c in seen:
                        finer[c] = k + bisect_left(order, seen[c])
            if finer == colour:
                return colour
            colour = finer

    def cells(self, colour: Sequence[int]) -> dict[int, list[int]]:
        """The cards of each colour, if there are several, by number."""
        out = grouped((colour[c], c) for cards in self.classes for c in cards)
        return {k: x for k, x in out.items() if len(x) > 1}

    def open_cells(self, colour: Sequence[int]) -> list[list[int]]:
        """Cells in which it may matter which card is which: they are bound to others that are not alone in their
        colour either."""
        cells = self.cells(colour)
        loose = {c for x in cells.values() for c in x}
        bound: set[int] = set()
        for _, parts in self.ties:
            here = [c for c, _ in parts if c in loose]
            if len(here) > 1:
                bound.update(here)
        return [cells[k] for k in sorted({colour[c] for c in bound})]

    def has_ring(self, colour: Sequence[int]) -> bool:
        """Is there a ring of cards and ties (cards that are alone in their colour aside, and equal ties being one)?
        Without one, all cards of a colour can take each other's place."""
        loose = {c for x in self.cells(colour).values() for c in x}
        root: dict[int, int] = {}

        def find(x: int) -> int:
            while root.setdefault(x, x) != x:
                x = root[x]
            return x

        for k, tie in enumerate(self.ties):
            if tie in self.ties[:k]:
                continue
            for c, _ in tie[1]:
                if c in loose:
                    a, b = find(-1 - k), find(c)
                    if a == b:
                        return True
                    root[a] = b
        return False
