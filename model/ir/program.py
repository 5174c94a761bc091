"""A compiled rule book for one scenario: where each field of the state lies in the flat vector (what positions are set and shown by), layout of
the state, functions, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Literal

from . import types as t
from .build import binary
from .nodes import NOWHERE, Const, Expr, Instr, Mark
from .types import NOTHING, CauseType, Type

SETTLE = "settle situations"
"""The procedure in which situations are carried out as long as one holds."""
DUE = "situation due"
"""The define that says whether one holds."""


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
        out = binary("add", binary("mul", out, Const(size(keys[k]))), binary("sub", indices[k], Const(keys[k].lo)))
    return out


def entries(info: ContainerInfo, slots: Sequence[int]) -> list[tuple[int, ...]]:
    """What a multiset holds, in its order."""
    return [tuple(slots[first + k] for first in info.columns) for k in range(slots[info.head])]


FunctionKind = Literal["define", "step", "procedure"]


@dataclass(frozen=True)
class Slot:
    """One scalar of the state. `group` is the container it belongs to ("waiting", "zone", …)."""

    name: str
    type: Type
    initial: int
    group: str = ""


@dataclass(frozen=True)
class ZoneInfo:
    """One zone: its field, whether it has an order, and the indices it has in the field (player, number)."""

    name: str
    field: str
    ordered: bool
    player: int | None
    number: int


@dataclass(frozen=True)
class Layout:
    """The flat vector: slots; where cards are (`location`, `rank`: one slot per card); zones; containers."""

    slots: tuple[Slot, ...]
    location: int
    rank: int
    card_count: int
    zones: tuple[ZoneInfo, ...]
    containers: Mapping[str, ContainerInfo]
    per_card: tuple[int, ...]
    """First slots of all blocks of `card_count` slots indexed by card, location and rank included."""
    given: Mapping[int, int] = field(default_factory=dict[int, int])
    """Zone → slot: while it is 1, a shuffle only clears it and leaves the order as the scenario gave it."""
    fields: Mapping[str, PlaceNode] = field(default_factory=dict[str, "PlaceNode"])
    """The fields of the state class."""

    @property
    def in_containers(self) -> frozenset[int]:
        """All slots of containers."""
        return frozenset(k for m in self.containers.values() for k in m.slots)

    @property
    def placing(self) -> frozenset[int]:
        """All slots that say where cards lie."""
        return frozenset(first + c for first in (self.location, self.rank) for c in range(self.card_count))

    @property
    def of_cards(self) -> frozenset[int]:
        """All slots that there are once for each card."""
        return frozenset(first + c for first in self.per_card for c in range(self.card_count))


@dataclass(frozen=True)
class LocalInfo:
    """A local of a function."""

    name: str
    type: Type


@dataclass(frozen=True)
class Handler:
    """Code from `first` up to `last` (exclusive) goes on at `target` when the signal is thrown."""

    first: int
    last: int
    signal: str
    target: int


@dataclass
class Function:
    """A define (pure), step (atomic) or procedure (has labels). The first `arity` locals are the parameters. What it consists of
    is shared by all functions that are the same, in whatever programs; whoever changes one gives it another tuple."""

    name: str
    kind: FunctionKind
    arity: int
    locals: Sequence[LocalInfo]
    code: Sequence[Instr]
    result: Type = NOTHING
    handlers: Sequence[Handler] = ()
    scope: int = 0
    at: Mark = NOWHERE

    def __post_init__(self) -> None:
        self.locals, self.code, self.handlers = tuple(self.locals), tuple(self.code), tuple(self.handlers)

    @property
    def rule(self) -> str:
        """The rule it is made of: one that is given rules, or belongs to the kernel, is made once for each use."""
        return self.name.partition("[")[0]


@dataclass
class VerdictInfo:
    """A verdict: the function, the question, its subject's and answer's types, its clauses (the one it cites most
    often first), and the functions it outranks."""

    function: str
    question: str
    answer: Type
    subject: Type
    clauses: tuple[str, ...]
    outranks: frozenset[str] = frozenset()


@dataclass
class NormInfo:
    """A norm: the function, its kind (`permits`, `forbids`, `requires`), the action it is about, its clauses (as a
    verdict's), and the kinds that its own outranks."""

    function: str
    kind: str
    act: str
    clauses: tuple[str, ...]
    outranks: frozenset[str] = frozenset()


@dataclass
class ContractInfo:
    """What an author states of a procedure: the define, its kind (`expects` of every call, `ensures` of every return, `decreases` of every round of a
    loop), and the procedure. The define takes nothing, or the parameters of the procedure and (`ensures`), last, its result."""

    function: str
    kind: str
    rule: str


@dataclass
class Program:
    """Everything a back end needs. `tables` are constant; `entry` is the procedure play begins with."""

    book: str
    layout: Layout
    functions: dict[str, Function]
    tables: list[tuple[int, ...]]
    entry: str
    cause: CauseType
    readings: Mapping[str, tuple[str, ...]]
    """Readings that are branched over: their alternatives, in the order of their codes."""
    reading_slots: Mapping[str, int]
    consulted: frozenset[str]
    """Every reading some reachable rule asks for."""
    invariants: tuple[str, ...] = ()
    verdicts: tuple[VerdictInfo, ...] = ()
    stack_depth: int = 24
    norms: tuple[NormInfo, ...] = ()
    contracts: tuple[ContractInfo, ...] = ()
    decreases: tuple[ContractInfo, ...] = ()
    """What is stated to go down in every round of the loops of a rule, in the order in which it is compared."""
    aside: Mapping[str, Function] = field(default_factory=dict[str, Function])
    """The defines of `decreases` and all that they call: play does not come to them, so they are none of its functions."""
    known_as: Mapping[str, str] = field(default_factory=dict[str, str])
    """Functions by the part that they have for those who play and examine the book: "master", "legal deck", "plays waiting"."""
    unread: Mapping[str, Mark] = field(default_factory=dict[str, Mark])
    """Time stamps and serial numbers that no rule reads: their writes were left out. Where the first of them stands."""
    made_of: str = field(default="", init=False, repr=False, compare=False)
    """A hash of everything it was compiled from; empty where that is not known, as for a program that was changed."""
