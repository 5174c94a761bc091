"""What an expression of the rule language stands for while it is translated."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import types as t
from ..ir.nodes import Expr, Offer
from .layout import PlaceNode


@dataclass(frozen=True)
class Val:
    """A value: its type, and one IR expression for each scalar it flattens to."""

    type: t.Type
    parts: tuple[Expr, ...]

    @property
    def expr(self) -> Expr:
        """The one scalar."""
        assert len(self.parts) == 1, self
        return self.parts[0]


@dataclass(frozen=True)
class Place:
    """A place in the state: where it stands in the layout, and the keys that select it so far."""

    node: PlaceNode
    keys: tuple[tuple[t.Type, Expr], ...]
    name: str


@dataclass(frozen=True)
class Offers:
    """A set of records (or of anything, as a comprehension): what `choose` is given."""

    type: t.Type
    offers: tuple[Offer, ...]


@dataclass(frozen=True)
class StateRef:
    """The state; `part` is what a rule sees of it, all if empty."""

    part: str = ""


@dataclass(frozen=True)
class OpenDecider:
    """`OPEN("clause")`."""

    clause: str


@dataclass(frozen=True)
class EventRef:
    """`event` in a script: its fields; `known` lists those that the event has."""

    fields: tuple[tuple[str, Val], ...]
    known: tuple[str, ...] = ()


Meaning = Val | Place | Offers | StateRef | OpenDecider | EventRef
"""What a name or expression can stand for."""


@dataclass
class Variable:
    """A local of the rule: its type and its IR locals."""

    type: t.Type
    locals: tuple[int, ...]
