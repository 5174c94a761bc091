"""Where a state speaks of cards: which slots and locals hold a card, a set of cards, or a number of a card's own."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...model.ir.flow import live_across_calls, liveness
from ...model.ir.program import ContainerInfo, Function, Program
from ...model.ir.types import Role

CARD = (Role.CARD, Role.OBJECT)


class Locals:
    """Of each function, by its number: where in its frame cards are, and sets of cards."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self.functions = functions
        self.known: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def __getitem__(self, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found = self.known.get(number)
        if found is None:
            role = [x.type.role for x in self.functions[number].locals]
            found = self.known[number] = (
                tuple(k + 2 for k, r in enumerate(role) if r in CARD),
                tuple(k + 2 for k, r in enumerate(role) if r is Role.CARDS),
            )
        return found


class CardPlaces:
    """The slots and locals of a program, sorted by what they say of cards. `kept` are the locals that hold a place
    among the slots of cards, with the slot they count from."""

    def __init__(self, program: Program, kept: Mapping[tuple[str, int], int]) -> None:
        layout = program.layout
        n = layout.card_count
        of_type = {id(s.type): s.type.role for s in layout.slots}
        self.roles = [of_type[id(s.type)] for s in layout.slots]
        roles = self.roles
        self.blocks = layout.per_card
        self.plain_blocks = [b for b in layout.per_card if roles[b] is Role.PLAIN]
        self.card_blocks = [b for b in layout.per_card if roles[b] in CARD]
        self.set_blocks = [b for b in layout.per_card if roles[b] is Role.CARDS]
        self.card_at = {b + c: (b, c) for b in layout.per_card for c in range(n)}
        """Of each slot that is a card's own: the block, and the card."""
        self.multisets: list[ContainerInfo] = [
            m
            for m in layout.containers.values()
            if not m.is_pool and any(roles[c] is not Role.PLAIN for c in m.columns)
        ]
        within = {c + k for m in layout.containers.values() if not m.is_pool
                  for c in m.columns for k in range(m.capacity)}
        single = [k for k in range(len(roles)) if k not in within and k not in self.card_at]
        self.cards = [k for k in single if roles[k] in CARD]
        self.sets = [k for k in single if roles[k] is Role.CARDS]
        self.locals = Locals(list(program.functions.values()))
        self.kept: dict[int, list[tuple[frozenset[int], frozenset[int]]]] = {}
        """Of each place in the code of a function: locals that keep a place there, at a label and across a call."""
        self.base: dict[tuple[int, int], int] = {}
        """Of such a local: the slot it counts from."""
        keeping = {name for name, _ in kept}
        for number, fn in enumerate(program.functions.values()):
            if fn.name in keeping:
                mine = {x: base for (name, x), base in kept.items() if name == fn.name}
                live = liveness(fn)
                self.kept[number] = [(a & mine.keys(), b & mine.keys())
                                     for a, b in zip(live, live_across_calls(fn, live), strict=True)]
                self.base.update({(number, x): base for x, base in mine.items()})

    def kept_places(self, frame: tuple[int, ...], top: bool) -> Iterator[tuple[int, int]]:
        """Locals that keep a place among slots of cards: where in the frame, and the slot they count from."""
        if frame[0] in self.kept:
            for x in sorted(self.kept[frame[0]][frame[1]][0 if top else 1]):
                yield x + 2, self.base[frame[0], x]

    @property
    def binds(self) -> bool:
        """Can anything name two cards at once?"""
        return bool(self.card_blocks or self.set_blocks) or any(
            self.roles[c] is Role.CARDS or sum(self.roles[x] in CARD for x in m.columns) > 1
            for m in self.multisets for c in m.columns)
