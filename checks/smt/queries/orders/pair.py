"""Two abilities that wait together, and what comes of asking whether it matters which comes first."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .....model.lang.world import CardDef
from .....spec.text import Text
from ....findings.record import Finding


@dataclass(frozen=True, eq=False)
class Kind:
    """An ability that can wait: where it is resolved (choice, loop, multiset), its card and its id."""

    where: tuple[str, str, str]
    card: CardDef
    ability: str

    @property
    def words(self) -> Text:
        name = next((a.name for a in self.card.abilities if a.id == self.ability and a.name is not None), None)
        card = self.card.name
        return Text(ja=f"「{card.ja}」", en=f"“{card.en}”") if name is None else Text(
            ja=f"「{card.ja}」の{name.ja}", en=f"{name.en} of “{card.en}”")


@dataclass(frozen=True)
class Pair:
    """Two abilities that are resolved at one place."""

    one: Kind
    other: Kind

    @property
    def name(self) -> str:
        return f"order {self.one.where[2]} {self.one.ability} {self.other.ability}"

    def in_words(self, called: Callable[[str], Text]) -> Text:
        """The two abilities, and what they wait as."""
        return Text(ja=f"{called(self.one.where[2]).ja}の {self.one.ability} と {self.other.ability}", en=self.name)


@dataclass
class PairAnswer:
    """What came of a pair: `said` is `disjoint` (their footprints are), `commute` (the same game follows in both orders), `reached` (the same can be
    reached in both; that the same ones can bring it about is not shown, and why), `differ`, `hint` (only in the order of an ordered zone),
    `apart` (the two never wait together) or `unknown` (and why)."""

    pair: Pair
    said: str
    why: Text | None = None
    finding: Finding | None = None
    looked_at: int = 0
    """Positions drawn by lot that showed no difference."""
    left_for_later: bool = False
    """z3 was not asked yet."""
    evidence: Mapping[str, str] = field(default_factory=dict[str, str])
    """The questions that it rests on (`PoolOrders.query`), and what z3 said of each. Nothing where it took several that teach each other."""


def both_said(one: Text | None, other: Text | None) -> Text | None:
    """Two reasons in a row."""
    return one or other if one is None or other is None else Text(ja=f"{one.ja}。{other.ja}", en=f"{one.en}; {other.en}")
