"""Where compiled code leaves what it has gathered of cards that are bound to each other, and where their order is put."""

from __future__ import annotations

from dataclasses import dataclass

CARDS, MEMBERS, CLASSES, TIES, TIE_ROOM, PART_ROOM = range(6)
"""Words of the head: how many cards there are, how many may change places, classes of them, ties; room for ties, parts."""
HEAD = 8
SYMBOL = "rulewright_order"


@dataclass(frozen=True)
class Workspace:
    """Where things lie in the block, in words. `colour`: the place of the cell of each card. `first`: of each tie its
    first part, and one more."""

    cards: int
    members: int
    classes: int
    ties: int
    parts: int

    @property
    def member(self) -> int:
        return HEAD

    @property
    def bound(self) -> int:
        return self.member + self.members

    @property
    def colour(self) -> int:
        return self.bound + self.classes + 1

    @property
    def order(self) -> int:
        return self.colour + self.cards

    @property
    def label(self) -> int:
        return self.order + self.members

    @property
    def first(self) -> int:
        return self.label + self.ties

    @property
    def card(self) -> int:
        return self.first + self.ties + 1

    @property
    def part(self) -> int:
        return self.card + self.parts

    @property
    def words(self) -> int:
        return self.part + self.parts
