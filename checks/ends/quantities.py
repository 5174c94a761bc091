"""What of a state can go down: how many cards lie in a zone, how many entries wait, numbers, marks, sizes of sets; and what authors state."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ...model.ir import nodes as ir
from ...model.ir.flow import liveness
from ...model.ir.program import Function
from ...model.ir.types import Bool, Int, OptionType, SetType, Type
from ..smt import numbers as n
from ..smt import truths as t
from ..smt.numbers import Val
from ..smt.sorts import CARDS, CardsFold, CardsUnary, sort_of
from ..smt.states import Path, Sym
from .counting import ZONES, Counting


@dataclass(frozen=True)
class Quantity:
    """A number of a state. `kind` and `what`: for its name; it cannot go down for ever; `rises`: nor up; `limits`: the slots and locals that
    must not leave their range for either to be so."""

    kind: str
    what: tuple[int | str, ...]
    read: Callable[[Sym], Val]
    rises: bool = True
    limits: frozenset[int | str] = frozenset()


def quantities(m: Counting, fn: Function | None = None, pc: int = 0) -> Iterator[Quantity]:
    """What can go down in a program, and (`fn`) in the rule whose loop begins at a place."""
    layout = m.layout
    for z, x in enumerate(layout.zones):
        yield Quantity("zone", (z, x.name), lambda s, k=m.first_size + z: s.slots[k])
    for c in layout.containers.values():
        yield Quantity(
            "entries",
            (c.name,),
            lambda s, c=c: n.count(n.bits(s.slots[c.head])) if c.is_pool else s.slots[c.head],
            rises=False,
        )
    inside = layout.in_containers | layout.of_cards
    for k in range(m.first_size):
        if k not in inside:
            for kind, read, ranged in readings(m, layout.slots[k].type):
                yield Quantity(
                    kind, (k,), lambda s, k=k, read=read: read(s.slots[k]), limits=frozenset({k} if ranged else ())
                )
    if fn is not None:
        alive = liveness(fn)[pc]
        for x, v in enumerate(fn.locals):
            for kind, read, ranged in readings(m, v.type) if x in alive else ():
                if kind != "none":
                    yield Quantity(f"local {kind}", (x, v.name), lambda s, x=x, read=read: read(s.frames[0].locals[x]),
                                   limits=frozenset({v.name} if ranged else ()))


# ---------------------------------------------------------------- what is stated
def stated(m: Counting) -> Iterator[Quantity]:
    """What an author says goes down (`@decreases`), in the order in which it is compared. No number that it is made of may leave its range."""
    full = {c.head for c in m.layout.containers.values()}
    for c in m.program.decreases:
        define, read = m.program.functions[c.function], m.footprints.of_function(c.function)[0] - {ZONES}
        numbers = [
            k
            for k, slot in enumerate(m.layout.slots)
            if slot.group in read and (isinstance(slot.type, Int) or k in full)
        ]
        yield Quantity("stated", (c.function, define.code[0].at.line), partial(measured, m, define), limits=frozenset((
            *numbers, *(x.name for x in define.locals[:define.arity] if isinstance(x.type, Int)))))


def measured(m: Counting, define: Function, s: Sym) -> Val:
    """What a define gives of a state, or of it and the parameters of the rule that is outermost there."""
    args = s.frames[0].locals[:define.arity]
    match define.code:
        case (ir.Return(value=ir.Expr() as e),):  # in a state that is not there nothing can fail
            return total(
                m, e, Sym(s.slots, Path(None, False), memo=s.memo, shared=True), m.frame(define.name, args).locals
            )
        case _:
            return m.defined(s, define.name, args)[0]


def total(m: Counting, e: ir.Expr, s: Sym, f: list[Val]) -> Val:
    """The value of an expression. A sum over all cards is the mean, over the cards but the first that is taken, of what it is if all these are like one of
    them: so it is read as a sum over two cards, the first, and one for all others, whichever it is. If that rises for none, the sum does not
    rise; if the sum stays as it is, so does that for each. Such sums are added and multiplied by numbers, and no more is made of them."""
    match e:
        case ir.Within(a=a):
            return total(m, a, s, f)
        case ir.Binary(op="add" | "sub" as op, a=a, b=b):
            return (n.add if op == "add" else n.subtract)(total(m, a, s, f), total(m, b, s, f))
        case ir.Binary(op="mul", a=ir.Const(value=times), b=a) | ir.Binary(op="mul", a=a, b=ir.Const(value=times)):
            return n.multiply(times, total(m, a, s, f))
        case CardsUnary(op="size", a=a):
            first, other = m.members(m.value(a, s, f))[:2]
            return n.add(n.truth(first), n.multiply(m.count - 1, n.truth(other)))
        case ir.Fold(kind="sum", domain=domain):
            those, out = m.value(domain, s, f), 0
            over_cards = isinstance(e, CardsFold)
            for member, inside, times in (
                zip(m.cards, m.members(those)[:2], (1, m.count - 1), strict=True)
                if over_cards
                else ((k + e.offset, inside, 1) for k, inside in enumerate(n.bits(those)) if inside is not False)
            ):
                mine = [*f[:e.var], member, *f[e.var + 1:]]
                tested = t.both(inside, n.holds(m.value(e.test, s, mine)))
                out = n.add(
                    out,
                    n.multiply(
                        times, n.choose(tested, (m.value if over_cards else partial(total, m))(e.body, s, mine), 0)
                    ),
                )
            return out
        case _:
            return m.value(e, s, f)


# ---------------------------------------------------------------- values
def readings(m: Counting, of: Type) -> Iterator[tuple[str, Callable[[Val], Val], bool]]:
    """What can be read of a value of a type: which kind of number, how, and whether it can leave its range."""
    match of:
        case Bool():
            yield "mark", lambda v: v, False
        case Int():
            yield "number", lambda v: v, True
        case OptionType(none=none):
            yield "none", lambda v: n.truth(n.equal(v, none)), False
        case SetType():
            yield "set", (lambda v: m.size(v)) if sort_of(of) == CARDS else lambda v: n.count(n.bits(v)), False
        case _:
            pass
