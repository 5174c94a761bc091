"""A compiled rule book for one scenario: layout of the state, functions, tables."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .nodes import NOWHERE, Instr, Mark
from .places import ContainerInfo, PlaceNode
from .types import NOTHING, CauseType, Type

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
