"""Where each field of the state lies in the flat vector, as a tree: what positions are set and shown by."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from . import types as t
from .build import binary
from .nodes import Const, Expr


@dataclass(frozen=True)
class Leaf:
    """A scalar for each combination of keys: slots `base` …; keys that are cards vary fastest."""

    base: int
    type: t.Type
    keys: tuple[t.Type, ...]

    @property
    def count(self) -> int:
        """How many places it has."""
        return prod(k.hi - k.lo + 1 for k in self.keys)


@dataclass(frozen=True)
class Fields:
    """A record: a node for each field."""

    type: t.RecordType
    nodes: tuple[tuple[str, PlaceNode], ...]
    keys: tuple[t.Type, ...]

    def field(self, name: str) -> PlaceNode | None:
        """The node of a field; None if there is no such field."""
        return dict(self.nodes).get(name)


@dataclass(frozen=True)
class Zones:
    """A zone for each combination of keys, numbered from `base`."""

    base: int
    keys: tuple[t.Type, ...]
    ordered: bool


@dataclass(frozen=True)
class ContainerInfo:
    """A multiset or pool: slot of its size (multiset) or of the mask of used places (pool), its columns (first slot
    of each scalar), and its capacity."""

    name: str
    head: int
    columns: tuple[int, ...]
    capacity: int
    type: t.Type
    is_pool: bool

    @property
    def ref(self) -> t.RefType:
        """What refers to an entry of a pool."""
        return t.RefType(f"Ref[{self.type}]", self.capacity, self.name)

    @property
    def slots(self) -> tuple[int, ...]:
        """All its slots."""
        return self.head, *(c + k for c in self.columns for k in range(self.capacity))


@dataclass(frozen=True)
class Container:
    """A multiset or pool."""

    info: ContainerInfo


@dataclass(frozen=True)
class Keyed:
    """`Per[K, V]`: needs one more key."""

    key: t.Type
    of: PlaceNode


PlaceNode = Leaf | Fields | Zones | Container | Keyed


def size(key: t.Type) -> int:
    """How many values a key type has."""
    return key.count if isinstance(key, t.Finite) else key.hi - key.lo + 1


def order_keys(keys: Sequence[t.Type]) -> list[int]:
    """Places of the keys, those that are cards last: per-card slots lie side by side."""
    return sorted(range(len(keys)), key=lambda k: keys[k].role is t.Role.CARD)


def unkeyed(node: PlaceNode) -> PlaceNode:
    """What lies behind all keys."""
    return unkeyed(node.of) if isinstance(node, Keyed) else node


def place_number(keys: Sequence[t.Type], at: Sequence[int]) -> int:
    """The number of the place that the keys select, each counted from its least value."""
    out = 0
    for k in order_keys(keys):
        out = out * size(keys[k]) + at[k]
    return out


def linear(keys: Sequence[t.Type], indices: Sequence[Expr]) -> Expr:
    """The number of the place that the indices select."""
    out: Expr = Const(0)
    for k in order_keys(keys):
        at = binary("sub", indices[k], Const(keys[k].lo)) if keys[k].lo else indices[k]
        out = binary("add", binary("mul", out, Const(size(keys[k]))), at) if out != Const(0) else at
    return out


def entries(info: ContainerInfo, slots: Sequence[int]) -> list[tuple[int, ...]]:
    """What a multiset holds, in its order."""
    return [tuple(slots[first + k] for first in info.columns) for k in range(slots[info.head])]
