"""The nodes of the rule IR: what each means, exactly. Behaviour lives elsewhere (interpreter, verifier).

Expressions are pure, evaluate to one integer, and may *fault* (the encoding used a value that was none) or
*exceed a bound* (an index outside its container); either ends the transition in that distinct outcome.
Instructions form the code of a function; a jump target is an index into that code.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeVar, dataclass_transform

from .types import Type

N = TypeVar("N")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(of: type[N]) -> type[N]:
    """A dataclass that nobody changes, as type checkers see to. (Compiling makes some hundred thousand nodes for a program, and one that is
    frozen in play, too, takes twice as long to make.)"""
    return dataclass(unsafe_hash=True)(of)


@node
class Mark:
    """Where a node comes from: file, line and column (1-based), and the clauses marked there (nearest enclosing)."""

    file: str
    line: int
    column: int
    clauses: tuple[str, ...] = ()


NOWHERE = Mark("", 0, 0)


@node
class Node:
    """Base of all nodes."""

    at: Mark = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- expressions
class Expr(Node):
    """Base of expressions."""


@node
class Const(Expr):
    """The integer `value`."""

    value: int


@node
class Answer(Expr):
    """The answer to a reading, between `lo` and `hi`, in a program that is not linked yet (`lang/linking.py`): no back end meets it."""

    reading: str
    lo: int
    hi: int


@node
class Local(Expr):
    """The function's local number `index`; 0 before its first assignment."""

    index: int


@node
class Load(Expr):
    """State slot `base + index`; `index` (0 if absent) outside 0..count-1 exceeds a bound."""

    base: int
    index: Expr | None = None
    count: int = 1


@node
class Table(Expr):
    """Entry `index` of a constant table; an index outside it faults."""

    table: int
    index: Expr


UnaryOp = Literal["not", "neg", "abs", "size", "lowest", "below", "only", "single"]


@node
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


@node
class Binary(Expr):
    """`a` is evaluated before `b`; but of `div` and `mod` first `b`, and whether it is 0: which fault comes first can be seen.
    Arithmetic (`div` and `mod` round down; by zero faults), comparison (0 or 1), `min`, `max`; on masks `union`,
    `meet`, `without` (a minus b), `differ` (symmetric difference), `member` (is bit a in mask b; false for a < 0),
    `shift` (mask a moved up by b bits, down if negative)."""

    op: BinaryOp
    a: Expr
    b: Expr


@node
class All(Expr):
    """1 if every part is not 0; parts after the first 0 are not evaluated. Empty: 1."""

    parts: tuple[Expr, ...]


@node
class Any(Expr):
    """1 if some part is not 0; parts after it are not evaluated. Empty: 0."""

    parts: tuple[Expr, ...]


@node
class If(Expr):
    """`a` where the test is not 0, else `b`; only that one is evaluated."""

    test: Expr
    a: Expr
    b: Expr


@node
class Present(Expr):
    """The value of `a`; equal to `none` it faults."""

    a: Expr
    none: int


@node
class Within(Expr):
    """The value of `a`; outside lo..hi it exceeds a bound."""

    a: Expr
    lo: int
    hi: int


FoldKind = Literal["any", "all", "sum", "min", "max", "set", "union"]


@node
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


@node
class Call(Expr):
    """The result of a pure function."""

    function: str
    args: tuple[Expr, ...]


@node
class ZoneCards(Expr):
    """The mask of the cards in zone number `zone`."""

    zone: Expr


@node
class PileTop(Expr):
    """The mask of the cards of highest rank in the zone: several if their order is unknown, empty if it is empty."""

    zone: Expr


@node
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


@node
class Assign(Instr):
    """Local := value. A value outside the local's domain exceeds a bound."""

    local: int
    value: Expr


StoreOp = Literal["set", "add", "union", "without"]


@node
class Store(Instr):
    """State slot `base + index` := value, or the slot's old value `op` the value. A result outside the slot's domain,
    or an index outside, exceeds a bound. In a batch, several stores to one slot with the same `op` other than `set`
    are all carried out; any other two that differ are a conflict."""

    base: int
    index: Expr | None
    count: int
    value: Expr
    op: StoreOp = "set"


@node
class Put(Instr):
    """The card leaves its zone (ranks above close up) and lies in `zone`: in a pile on top or at the bottom, with a
    rank of its own. Into the bag it already lies in: nothing."""

    card: Expr
    zone: Expr
    top: bool = True


@node
class Shuffle(Instr):
    """All cards of the zone share one rank; but where the scenario gives the order (`Layout.given`), the first
    shuffle leaves it."""

    zone: Expr


@node
class Renew(Instr):
    """Every scalar of role OBJECT that refers to the card, in state, frames and waiting events, becomes none."""

    card: Expr


@node
class Insert(Instr):
    """One more entry in the multiset, at its place in ascending order; a full multiset exceeds a bound, and so does a
    value outside its column's domain."""

    multiset: str
    values: tuple[Expr, ...]


@node
class Remove(Instr):
    """One entry equal to the values leaves the multiset; nothing if there is none."""

    multiset: str
    values: tuple[Expr, ...]


@node
class Clear(Instr):
    """The multiset becomes empty."""

    multiset: str


@node
class New(Instr):
    """The lowest free place of the pool takes the values; `local` := its number; a full pool exceeds a bound, and so
    does a value outside its column's domain. It happens at once, even in a batch."""

    pool: str
    values: tuple[Expr, ...]
    local: int


@node
class Free(Instr):
    """The place of the pool becomes free and blank. A place that is not in use faults."""

    pool: str
    place: Expr


@node
class Branch(Instr):
    """Go on if the test is not 0, else jump."""

    test: Expr
    otherwise: int


@node
class Jump(Instr):
    """Jump."""

    target: int


@node
class Next(Instr):
    """Take the least member out of the mask in local `rest`: local `var` := it + `offset`; jump if it is empty, and
    leave `var` alone."""

    rest: int
    var: int
    offset: int
    done: int


@node
class Label(Instr):
    """A transition ends here, and the next begins (the head of a loop in a procedure)."""


@node
class Binder(Node):
    """Local `var` ranges over the members of `domain`, plus `offset`."""

    var: int
    domain: Expr
    offset: int = 0


@node
class Offer(Node):
    """For all values of the binders (outermost first) for which the test holds: the option with these values."""

    binders: tuple[Binder, ...]
    test: Expr
    values: tuple[Expr, ...]


@node
class ByPlayer(Node):
    """The player with this number decides."""

    player: Expr


@node
class ByChance(Node):
    """Chance decides."""


@node
class ByNobody(Node):
    """The clause does not say who decides."""

    clause: str


Owner = ByPlayer | ByChance | ByNobody


@node
class Choose(Instr):
    """Somebody takes one of the distinct options of all offers; `locals` := its values. One option is taken without
    asking, none is a gap. `type` is what an option is (for showing it)."""

    owner: Owner
    offers: tuple[Offer, ...]
    locals: tuple[int, ...]
    type: Type


@node
class ChooseSome(Instr):
    """Somebody takes a subset of `among` of at least and at most so many members (both cut to what there is)."""

    owner: Owner
    among: Expr
    least: Expr
    most: Expr
    local: int
    type: Type


@node
class Consult(Instr):
    """If the reading's slot is still -1, which alternative holds is branched over, and kept."""

    reading: str
    slot: int


@node
class Do(Instr):
    """Run a step; `local` := its result. `event`: inside a batch it waits until the writes are done."""

    function: str
    args: tuple[Expr, ...]
    local: int | None = None
    event: bool = False


@node
class Invoke(Instr):
    """Call a procedure; `local` := its result. `stop`: a transition ends before the call (recursion). `tail`: the
    frame has nothing left to do and is replaced."""

    function: str
    args: tuple[Expr, ...]
    local: int | None = None
    stop: bool = False
    tail: bool = False


@node
class Return(Instr):
    """Leave the function with a value (0 if absent)."""

    value: Expr | None = None


@node
class Throw(Instr):
    """Unwind to the innermost handler for the signal (in the function, then in its callers at their calls); past the
    outermost frame it faults."""

    signal: str


@node
class BatchBegin(Instr):
    """From here to the matching end writes and events wait; reads see the state as it is now. A batch within a batch
    (in a step that is called from one) is part of the outer one."""


@node
class BatchEnd(Instr):
    """The waiting writes happen, in order; two values for one slot, or two zones for one card, are a conflict.
    Then the waiting events happen."""


EndKind = Literal["win", "draw", "gap", "conflict", "not modelled", "fault"]


@node
class End(Instr):
    """Play ends. `win` carries the winner; the others the clause in `detail`."""

    kind: EndKind
    winner: Expr | None = None
    detail: str = ""
