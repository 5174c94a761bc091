"""The nodes of the rule IR: what each means, exactly. Behaviour lives elsewhere (interpreter, printer, verifier).

Expressions are pure, evaluate to one integer, and may *fault* (the encoding used a value that was none) or
*exceed a bound* (an index outside its container); either ends the transition in that distinct outcome.
Instructions form the code of a function; a jump target is an index into that code.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from .types import Type


@dataclass(frozen=True)
class Mark:
    """Where a node comes from: file, line and column (1-based), and the clauses marked there (nearest enclosing)."""

    file: str
    line: int
    column: int
    clauses: tuple[str, ...] = ()


NOWHERE = Mark("", 0, 0)


@dataclass(frozen=True, kw_only=True)
class Node:
    """Base of all nodes."""

    LEFT_OUT: ClassVar[str] = "inside"
    """What `flow` keeps with a node need not be written with it."""
    at: Mark = field(default=NOWHERE, compare=False, repr=False)


# ---------------------------------------------------------------- expressions
class Expr(Node):
    """Base of expressions."""


@dataclass(frozen=True)
class Const(Expr):
    """The integer `value`."""

    value: int


@dataclass(frozen=True)
class Local(Expr):
    """The function's local number `index`; 0 before its first assignment."""

    index: int


@dataclass(frozen=True)
class Load(Expr):
    """State slot `base + index`; `index` (0 if absent) outside 0..count-1 exceeds a bound."""

    base: int
    index: Expr | None = None
    count: int = 1


@dataclass(frozen=True)
class Table(Expr):
    """Entry `index` of a constant table; an index outside it faults."""

    table: int
    index: Expr


UnaryOp = Literal["not", "neg", "abs", "size", "lowest", "below", "only", "single"]


@dataclass(frozen=True)
class Unary(Expr):
    """`not` (0 → 1, else 0), `neg`, `abs`; on masks: `size` (members), `lowest` (least member; the empty set faults),
    `only` (the one member, else -1), `single` (1 << a: the set of one; a < 0 faults), `below` (the set 0..a-1, empty
    for a < 0)."""

    op: UnaryOp
    a: Expr


BinaryOp = Literal[
    "add", "sub", "mul", "div", "mod", "eq", "ne", "lt", "le", "gt", "ge", "min", "max",
    "union", "meet", "without", "differ", "member", "shift",
]


@dataclass(frozen=True)
class Binary(Expr):
    """Arithmetic (`div` and `mod` round down; by zero faults), comparison (0 or 1), `min`, `max`; on masks `union`,
    `meet`, `without` (a minus b), `differ` (symmetric difference), `member` (is bit a in mask b; false for a < 0),
    `shift` (mask a moved up by b bits, down if negative)."""

    op: BinaryOp
    a: Expr
    b: Expr


@dataclass(frozen=True)
class All(Expr):
    """1 if every part is not 0; parts after the first 0 are not evaluated. Empty: 1."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Any(Expr):
    """1 if some part is not 0; parts after it are not evaluated. Empty: 0."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class If(Expr):
    """`a` where the test is not 0, else `b`; only that one is evaluated."""

    test: Expr
    a: Expr
    b: Expr


@dataclass(frozen=True)
class Present(Expr):
    """The value of `a`; equal to `none` it faults."""

    a: Expr
    none: int


@dataclass(frozen=True)
class Within(Expr):
    """The value of `a`; outside lo..hi it exceeds a bound."""

    a: Expr
    lo: int
    hi: int


FoldKind = Literal["any", "all", "sum", "min", "max", "set", "union"]


@dataclass(frozen=True)
class Fold(Expr):
    """`body` gathered over the members i of the mask `domain`, in ascending order, with local `var` = i + `offset`,
    where `test` is not 0. `set`: the mask with bit `body`; `union`: union of masks. `min`/`max` of nothing is
    `default`, or faults if there is none."""

    kind: FoldKind
    var: int
    domain: Expr
    test: Expr
    body: Expr
    offset: int = 0
    default: Expr | None = None


@dataclass(frozen=True)
class Call(Expr):
    """The result of a pure function."""

    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class ZoneCards(Expr):
    """The mask of the cards in zone number `zone`."""

    zone: Expr


@dataclass(frozen=True)
class PileTop(Expr):
    """The mask of the cards of highest rank in the zone: several if their order is unknown, empty if it is empty."""

    zone: Expr


@dataclass(frozen=True)
class PileFind(Expr):
    """The card of highest (`top`) or lowest rank in the zone for which `test` holds with local `var` = the card;
    -1 if there is none. Two such cards of equal rank fault: their order is unknown."""

    zone: Expr
    var: int
    test: Expr
    top: bool


# ---------------------------------------------------------------- instructions
class Instr(Node):
    """Base of instructions."""


@dataclass(frozen=True)
class Assign(Instr):
    """Local := value. A value outside the local's domain exceeds a bound."""

    local: int
    value: Expr


StoreOp = Literal["set", "add", "union", "without"]


@dataclass(frozen=True)
class Store(Instr):
    """State slot `base + index` := value, or the slot's old value `op` the value. A result outside the slot's domain,
    or an index outside, exceeds a bound. In a batch, several stores to one slot with the same `op` other than `set`
    are all carried out; any other two that differ are a conflict."""

    base: int
    index: Expr | None
    count: int
    value: Expr
    op: StoreOp = "set"


@dataclass(frozen=True)
class Put(Instr):
    """The card leaves its zone (ranks above close up) and lies in `zone`: in a pile on top or at the bottom, with a
    rank of its own. Into the bag it already lies in: nothing."""

    card: Expr
    zone: Expr
    top: bool = True


@dataclass(frozen=True)
class Shuffle(Instr):
    """All cards of the zone share one rank; but where the scenario gives the order (`Layout.given`), the first
    shuffle leaves it."""

    zone: Expr


@dataclass(frozen=True)
class Renew(Instr):
    """Every scalar of role OBJECT that refers to the card, in state, frames and waiting events, becomes none."""

    card: Expr


@dataclass(frozen=True)
class Insert(Instr):
    """One more entry in the multiset, at its place in ascending order; a full multiset exceeds a bound, and so does a
    value outside its column's domain."""

    multiset: str
    values: tuple[Expr, ...]


@dataclass(frozen=True)
class Remove(Instr):
    """One entry equal to the values leaves the multiset; nothing if there is none."""

    multiset: str
    values: tuple[Expr, ...]


@dataclass(frozen=True)
class Clear(Instr):
    """The multiset becomes empty."""

    multiset: str


@dataclass(frozen=True)
class New(Instr):
    """The lowest free place of the pool takes the values; `local` := its number; a full pool exceeds a bound, and so
    does a value outside its column's domain. It happens at once, even in a batch."""

    pool: str
    values: tuple[Expr, ...]
    local: int


@dataclass(frozen=True)
class Free(Instr):
    """The place of the pool becomes free and blank. A place that is not in use faults."""

    pool: str
    place: Expr


@dataclass(frozen=True)
class Branch(Instr):
    """Go on if the test is not 0, else jump."""

    test: Expr
    otherwise: int


@dataclass(frozen=True)
class Jump(Instr):
    """Jump."""

    target: int


@dataclass(frozen=True)
class Next(Instr):
    """Take the least member out of the mask in local `rest`: local `var` := it + `offset`; jump if it is empty, and
    leave `var` alone."""

    rest: int
    var: int
    offset: int
    done: int


@dataclass(frozen=True)
class Label(Instr):
    """A transition ends here, and the next begins (the head of a loop in a procedure)."""


@dataclass(frozen=True)
class Binder(Node):
    """Local `var` ranges over the members of `domain`, plus `offset`."""

    var: int
    domain: Expr
    offset: int = 0


@dataclass(frozen=True)
class Offer(Node):
    """For all values of the binders (outermost first) for which the test holds: the option with these values."""

    binders: tuple[Binder, ...]
    test: Expr
    values: tuple[Expr, ...]


@dataclass(frozen=True)
class ByPlayer(Node):
    """The player with this number decides."""

    player: Expr


@dataclass(frozen=True)
class ByChance(Node):
    """Chance decides."""


@dataclass(frozen=True)
class ByNobody(Node):
    """The clause does not say who decides."""

    clause: str


Owner = ByPlayer | ByChance | ByNobody


@dataclass(frozen=True)
class Choose(Instr):
    """Somebody takes one of the distinct options of all offers; `locals` := its values. One option is taken without
    asking, none is a gap. `type` is what an option is (for showing it)."""

    owner: Owner
    offers: tuple[Offer, ...]
    locals: tuple[int, ...]
    type: Type


@dataclass(frozen=True)
class ChooseSome(Instr):
    """Somebody takes a subset of `among` of at least and at most so many members (both cut to what there is)."""

    owner: Owner
    among: Expr
    least: Expr
    most: Expr
    local: int
    type: Type


@dataclass(frozen=True)
class Consult(Instr):
    """If the reading's slot is still -1, which alternative holds is branched over, and kept."""

    reading: str
    slot: int


@dataclass(frozen=True)
class Do(Instr):
    """Run a step; `local` := its result. `event`: inside a batch it waits until the writes are done."""

    function: str
    args: tuple[Expr, ...]
    local: int | None = None
    event: bool = False


@dataclass(frozen=True)
class Invoke(Instr):
    """Call a procedure; `local` := its result. `stop`: a transition ends before the call (recursion). `tail`: the
    frame has nothing left to do and is replaced."""

    function: str
    args: tuple[Expr, ...]
    local: int | None = None
    stop: bool = False
    tail: bool = False


@dataclass(frozen=True)
class Return(Instr):
    """Leave the function with a value (0 if absent)."""

    value: Expr | None = None


@dataclass(frozen=True)
class Throw(Instr):
    """Unwind to the innermost handler for the signal (in the function, then in its callers at their calls); past the
    outermost frame it faults."""

    signal: str


@dataclass(frozen=True)
class BatchBegin(Instr):
    """From here to the matching end writes and events wait; reads see the state as it is now. A batch within a batch
    (in a step that is called from one) is part of the outer one."""


@dataclass(frozen=True)
class BatchEnd(Instr):
    """The waiting writes happen, in order; two values for one slot, or two zones for one card, are a conflict.
    Then the waiting events happen."""


EndKind = Literal["win", "draw", "gap", "conflict", "not modelled", "fault"]


@dataclass(frozen=True)
class End(Instr):
    """Play ends. `win` carries the winner; the others the clause in `detail`."""

    kind: EndKind
    winner: Expr | None = None
    detail: str = ""
