"""What of a program bears on one condition: the rest is cut away, and may do anything.

Slots that the condition does not read are not kept: what is read of them is `Unknown`, what is written to them is left out,
and so is what a rule does that writes nothing that is kept. Whatever play can do, the slice can do, with more besides; so what
a slice keeps, the rules keep.
"""
from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TypeVar, cast

from ...model.ir import nodes as ir
from ...model.ir.flow import closure, functions_used, may_set, reachable, rewrite, walk
from ...model.ir.program import Function, Program, Slot
from ...model.ir.types import ANY_INT, Bool, CardType, Int, OptionType, PlayerType, Role, SetType, Type
from ...spec.groups import grouped
from .sorts import CardBinder, CardLoad, CardsBinary, CardsConst, CardsFold, CardsNext, CardStore, CardsUnary
from .universal import uses

Part = TypeVar("Part", bound=ir.Node)
HEAVY = 150
"""Nodes of a define, all that it calls included, above which a number or truth that it gives is not worked out."""


@ir.node
class Unknown(ir.Expr):
    """A value of a type, of which nothing else is known; another one each time."""

    type: Type


@ir.node
class Passing(ir.Instr):
    """A call of a procedure that writes nothing that is kept. Play may stand in it; `local` becomes anything."""

    local: int | None
    type: Type


@dataclass(frozen=True)
class Sum:
    """A number for each card, added up over all cards: kept in a slot of its own beside the state."""

    block: int
    slot: int


def read_by(program: Program, code: Iterable[ir.Node]) -> set[int]:
    """The slots that nodes read."""
    layout, out = program.layout, set[int]()
    for i in code:
        for e in walk(i):
            match e:
                case ir.Load(base=base, count=count):
                    out.update(range(base, base + count))
                case ir.ZoneCards() | ir.PileTop() | ir.PileFind():
                    out.update(range(layout.location, layout.location + layout.card_count))
                case _:
                    pass
    return out


def whole(program: Program, slots: set[int]) -> frozenset[int]:
    """With each slot all of its row, block or container."""
    layout, out = program.layout, set(slots)
    for first in layout.per_card:
        block = range(first, first + layout.card_count)
        if out & set(block):
            out.update(block)
    for m in layout.containers.values():
        if not out.isdisjoint(m.slots):
            out.update(m.slots)
    for fn in program.functions.values():
        for i in fn.code:
            for e in walk(i):
                if isinstance(e, ir.Load | ir.Store) and e.count > 1 and not isinstance(e, CardLoad | CardStore) and \
                        out & set(range(e.base, e.base + e.count)):
                    out.update(range(e.base, e.base + e.count))
    return frozenset(out)


def substituted(e: Part, var: int, by: ir.Expr) -> Part:
    """The node with a local replaced."""
    return rewrite(e, lambda x: by if isinstance(x, ir.Local) and x.index == var else x)


class Slice:
    """A program (its cards marked) cut down to what bears on a condition, or on what is stated of a procedure (`@expects`, `@ensures`). `kept`: the
    slots that are kept; `sums`: blocks that it adds up over all cards; `blurred`: defines that give another answer each time. `conditions`: it,
    and (`together`) the others of the book that read nothing else; `contracts`: what is stated and reads nothing else; `besides`: multisets that it
    does not read and that are kept all the same, for what is said of their entries."""

    def __init__(self, program: Program, condition: str, together: bool = False, besides: Container[str] = ()) -> None:
        self.whole, self.layout = program, program.layout
        self.cards = SetType(CardType("Card", self.layout.card_count))
        self.everyone = (1 << self.layout.card_count) - 1
        self.sums: list[Sum] = []
        reads = uses(program, condition)
        slots = list(self.layout.slots)
        for fn in reads:
            for e in (e for i in fn.code for e in walk(i)):
                if (block := self.summed(e)) is not None and all(x.block != block for x in self.sums):
                    of = slots[block].type
                    self.sums.append(Sum(block, len(slots)))
                    slots.append(Slot(f"sum of {slots[block].name}", Int(
                        of.lo * self.layout.card_count, of.hi * self.layout.card_count), 0))
        self.kept = whole(program, read_by(program, (i for fn in reads for i in fn.code))) | {x.slot for x in self.sums}
        def told(name: str) -> bool:
            return all(read_by(program, fn.code) <= self.kept for fn in uses(program, name))
        self.stated = next((c for c in program.contracts if c.function == condition), None)
        self.conditions = [x for x in program.invariants if x == condition or (together and not self.sums and told(x))]
        self.asked = self.conditions if self.stated is None else [condition, *self.conditions]
        self.contracts = [c for c in program.contracts if told(c.function)]
        others = self.layout.in_containers | self.layout.of_cards
        players = {k for k, x in enumerate(self.layout.slots) if isinstance(x.type, PlayerType) and k not in others}
        self.kept |= players  # whose turn it is: most zones are somebody's
        self.besides = {
            name for name, m in self.layout.containers.items() if name in besides and m.head not in self.kept
        }
        self.kept |= {k for name in self.besides for k in self.layout.containers[name].slots}
        self.locations = self.layout.location in self.kept
        self.objects = self.locations or any(slots[k].type.role is Role.OBJECT for k in self.kept)
        self.containers = {name: m for name, m in self.layout.containers.items() if m.head in self.kept}
        self.writing = self._writing()
        self.blurred: set[str] = set()
        self.vague: set[str] = set()
        """Defines of which nothing is known."""
        self.used = functions_used(
            program, [program.entry, *program.invariants, *(c.function for c in program.contracts)]
        )
        functions = dict(program.functions)
        for name in sorted(
            self.used, key=lambda name: (len(functions_used(program, [name])), name)
        ):  # what is called comes first
            functions[name] = self.function(program.functions[name])
        self.program = replace(program, functions=functions, invariants=tuple(self.conditions), layout=replace(
            self.layout, slots=tuple(slots), containers=self.containers))

    def summed(self, e: ir.Node) -> int | None:
        """The block that an expression adds up over all cards."""
        if (
            isinstance(e, CardsFold)
            and e.kind == "sum"
            and isinstance(e.domain, ir.Const)
            and e.domain.value == self.everyone
            and isinstance(e.test, ir.Const)
            and e.test.value
            and isinstance(e.body, CardLoad)
            and isinstance(e.body.index, ir.Local)
            and e.body.index.index == e.var
        ):
            return e.body.base
        return None

    # ------------------------------------------------------------ what writes
    def writes(self, i: ir.Instr) -> bool:
        """Does the instruction itself write something that is kept?"""
        match i:
            case ir.Store(base=base):
                return base in self.kept
            case ir.Put():
                return self.locations
            case ir.Renew():
                return self.objects
            case (
                ir.Insert(multiset=m) | ir.Remove(multiset=m) | ir.Clear(multiset=m) | ir.New(pool=m) | ir.Free(pool=m)
            ):
                return m in self.containers
            case _:
                return False

    def _writing(self) -> set[str]:
        """The rules that write something that is kept, or call one that does."""
        out = {f.name for f in self.whole.functions.values() if any(map(self.writes, f.code))}
        if self.stated is not None:  # it is asked of, whatever it writes
            out.add(self.stated.rule)
        callers = grouped(
            (i.function, f.name) for f in self.whole.functions.values() for i in f.code
            if isinstance(i, ir.Do | ir.Invoke))
        return closure(out, lambda name: callers.get(name, ()))

    @cached_property
    def throwing(self) -> set[str]:
        """The procedures out of which a signal may come: raised there or coming out of what they call, and not caught."""
        functions = self.whole.functions
        out: dict[str, set[str]] = {name: set() for name in functions}
        todo = True
        while todo:
            todo = False
            for name, fn in functions.items():
                came = [{i.signal} if isinstance(i, ir.Throw) else out[i.function] if isinstance(i, ir.Do | ir.Invoke)
                        else set[str]() for i in fn.code]
                entered = [h for h in fn.handlers if any(h.signal in x for x in came[h.first:h.last])]
                for pc in reachable(fn.code, entered) - {len(fn.code)}:  # what passes a signal on is come to by the signal only
                    left = came[pc] - out[name] - {h.signal for h in fn.handlers if h.first <= pc < h.last}
                    out[name] |= left
                    todo |= bool(left)
        return {name for name, signals in out.items() if signals and functions[name].kind == "procedure"}

    @cached_property
    def telling(self) -> set[str]:
        """The procedures that give a card, or cards."""
        return {
            name
            for name, fn in self.whole.functions.items()
            if fn.kind == "procedure" and fn.result.role is not Role.PLAIN
        }

    def matters(self, name: str) -> bool:
        """Is anything asked of a call of this procedure?"""
        return name in self.writing or name in self.throwing or name in self.telling

    # ------------------------------------------------------------ code
    def function(self, fn: Function) -> Function:
        """What is left of a rule. Places in its code stay what they are."""
        code = [self.instruction(i, pc, fn) for pc, i in enumerate(self.alone(fn))]
        out = replace(fn, code=code)
        match code:
            case [ir.Return(value=Unknown())]:
                self.vague.add(fn.name)
            case _:
                pass
        if fn.kind == "define" and any(
            isinstance(e, Unknown) or (isinstance(e, ir.Call) and e.function in self.blurred)
            for i in code
            for e in walk(i)
        ):
            self.blurred.add(fn.name)
        return out

    def alone(self, fn: Function) -> list[ir.Instr]:
        """A loop over all cards that does something for one known card only is about this one."""
        code = list(fn.code)
        set_here = {x for i in code for x in may_set(i)}
        for pc, i in enumerate(code):
            if not isinstance(i, CardsNext) or not 0 < pc < len(code) - 1:
                continue
            before, test = code[pc - 1], code[pc + 1]
            if not (isinstance(before, ir.Assign) and before.local == i.rest and isinstance(before.value, ir.Const)
                    and before.value.value == self.everyone and isinstance(test, ir.Branch) and test.otherwise == pc):
                continue
            other = self.other_side(test.test, i.var)
            if not isinstance(other, ir.Local) or other.index in set_here:
                continue
            for k, j in enumerate(code):
                if isinstance(j, ir.Jump) and j.target == pc:
                    code[k] = replace(j, target=i.done)
                elif isinstance(j, ir.Next) and k != pc and j.done == pc:
                    code[k] = replace(j, done=i.done)
                elif isinstance(j, ir.Branch) and j.otherwise == pc:
                    code[k] = replace(j, otherwise=i.done)
            code[pc - 1] = ir.Branch(ir.Binary("le", ir.Const(0), other), i.done, at=i.at)
            code[pc] = ir.Assign(i.var, other, at=i.at)
            if sum(i.var in may_set(j) for j in code) == 1:
                code = [j if k == pc else substituted(j, i.var, other) for k, j in enumerate(code)]
        return code

    def other_side(self, e: ir.Expr, var: int) -> ir.Expr | None:
        """What the local has to be equal to."""
        match e:
            case ir.Binary(op="eq", a=ir.Local(index=x), b=b) if x == var:
                return b
            case ir.Binary(op="eq", a=a, b=ir.Local(index=x)) if x == var:
                return a
            case _:
                return None

    def instruction(self, i: ir.Instr, pc: int, fn: Function) -> ir.Instr:
        def go(e: ir.Expr) -> ir.Expr:
            return self.expr(e, fn)
        nothing = ir.Jump(pc + 1, at=i.at)
        match i:
            case ir.Store() | ir.Put() | ir.Renew() | ir.Insert() | ir.Remove() | ir.Clear() | ir.Free() if (
                not self.writes(i)
            ):
                return nothing
            case ir.New(local=x) if not self.writes(i):
                return ir.Assign(x, Unknown(fn.locals[x].type), at=i.at)
            case ir.Shuffle() | ir.Consult() if fn.kind != "procedure" or isinstance(i, ir.Shuffle):
                return nothing
            case ir.Do(function=name, local=x) | ir.Invoke(function=name, local=x) if name not in self.writing and not (
                    isinstance(i, ir.Invoke) and self.matters(name)):
                if isinstance(i, ir.Invoke) and i.tail:
                    return ir.Return(Unknown(self.whole.functions[name].result), at=i.at)
                if isinstance(i, ir.Invoke):
                    return Passing(x, self.whole.functions[name].result, at=i.at)
                return nothing if x is None else ir.Assign(x, Unknown(fn.locals[x].type), at=i.at)
            case ir.Choose(offers=offers):
                return replace(i, owner=ir.ByChance(), offers=tuple(replace(
                    o, binders=tuple(replace(b, domain=self.span(go(b.domain), b)) for b in o.binders), test=go(o.test),
                    values=tuple(map(go, o.values))) for o in offers))
            case ir.ChooseSome():
                return replace(i, owner=ir.ByChance(), among=go(i.among), least=go(i.least), most=go(i.most))
            case _:
                return cast(ir.Instr, self.inside(i, go))

    def span(self, e: ir.Expr, b: ir.Binder) -> ir.Expr:
        return Unknown(self.cards) if isinstance(e, Unknown) and isinstance(b, CardBinder) else e

    def inside(self, node: ir.Node, go: Callable[[ir.Expr], ir.Expr]) -> ir.Node:
        """The node with the expressions in it cut down."""
        def each(v: object) -> object:
            if isinstance(v, ir.Expr):
                return go(v)
            if isinstance(v, ir.Node):
                return self.inside(v, go)
            return tuple(each(x) for x in v) if isinstance(v, tuple) else v  # pyright: ignore[reportUnknownVariableType]

        return replace(node, **{x.name: each(getattr(node, x.name)) for x in fields(node)})

    # ------------------------------------------------------------ expressions
    def type_of(self, e: ir.Expr, fn: Function) -> Type:
        match e:
            case Unknown(type=of):
                return of
            case ir.Local(index=x):
                return fn.locals[x].type
            case ir.Load(base=base):
                return self.layout.slots[base].type
            case ir.Call(function=name):
                return self.whole.functions[name].result
            case ir.ZoneCards() | ir.PileTop() | CardsConst() | CardsUnary(op="single"):
                return self.cards
            case CardsUnary(op="lowest" | "only") | ir.PileFind():
                return OptionType(self.cards.inner)
            case ir.Binary(op="union" | "meet" | "without" | "differ", a=a):
                return self.cards if isinstance(e, CardsBinary) else self.type_of(a, fn)
            case ir.If(a=a) | ir.Present(a=a):
                return self.type_of(a, fn)
            case ir.Fold(kind="union", body=body):
                return self.type_of(body, fn)
            case ir.Const(value=v):
                return Int(min(0, v), max(0, v))
            case (
                ir.All()
                | ir.Any()
                | ir.Unary(op="not")
                | ir.Binary(op="eq" | "ne" | "lt" | "le" | "gt" | "ge" | "member")
            ):
                return Bool()
            case _:
                return ANY_INT

    def expr(self, e: ir.Expr, fn: Function) -> ir.Expr:
        def go(x: ir.Expr) -> ir.Expr:
            return self.expr(x, fn)
        if (block := self.summed(e)) is not None:
            found = next((x.slot for x in self.sums if x.block == block), None)
            return Unknown(ANY_INT) if found is None else ir.Load(found)
        match e:
            case ir.Const():
                return e
            case ir.Local(index=x):
                of = fn.locals[x].type
                if of.role is Role.OBJECT and not self.objects:  # it may have gone meanwhile
                    return ir.If(Unknown(Bool()), e, ir.Const(-1))
                return e
            case ir.Load(base=base):
                inner = None if e.index is None else go(e.index)
                if base not in self.kept:
                    return Unknown(self.layout.slots[base].type)
                return replace(e, index=inner)
            case ir.ZoneCards() | ir.PileTop() | ir.PileFind() if not self.locations:
                return Unknown(self.type_of(e, fn))
            case ir.Call(function=name, args=args):
                return (
                    replace(e, args=tuple(map(go, args)))
                    if self.worth(name)
                    else Unknown(self.whole.functions[name].result)
                )
            case ir.All(parts=parts) | ir.Any(parts=parts):
                found = [go(p) for p in parts]
                known = [p for p in found if not isinstance(p, Unknown)]
                if len(known) < len(found):
                    known.append(Unknown(Bool()))
                return known[0] if len(known) == 1 and isinstance(known[0], Unknown) else replace(e, parts=tuple(known))
            case ir.Fold(kind="sum", test=test, body=body, var=var) if isinstance(e, CardsFold) and \
                    isinstance(e.domain, ir.Const) and e.domain.value == self.everyone and \
                    isinstance(one := self.other_side(test, var), ir.Local):
                return go(ir.If(ir.Binary("le", ir.Const(0), one), substituted(body, var, one), ir.Const(0)))
            case ir.Fold():
                found = cast(ir.Fold, self.inside(e, go))
                vague = isinstance(found.body, Unknown) or isinstance(found.domain, Unknown)
                if vague and e.kind in ("any", "all"):
                    return Unknown(Bool())
                if vague and e.kind in ("sum", "min", "max"):
                    return Unknown(ANY_INT)
                if vague and isinstance(e, CardsFold) and e.kind == "set" and isinstance(found.domain, Unknown) and \
                        isinstance(found.test, Unknown):
                    return Unknown(self.cards)
                return found
            case ir.Binary(op="union" | "meet" | "without" | "differ" | "min" | "max"):
                found = cast(ir.Binary, self.inside(e, go))
                return (
                    Unknown(self.type_of(e, fn))
                    if isinstance(found.a, Unknown) and isinstance(found.b, Unknown)
                    else found
                )
            case ir.If():
                found = cast(ir.If, self.inside(e, go))
                return found.a if isinstance(found.a, Unknown) and isinstance(found.b, Unknown) else found
            case ir.Binary() | ir.Unary() | ir.Table():
                found = cast(ir.Expr, self.inside(e, go))
                parts = [getattr(found, x.name) for x in fields(found)]
                if not any(isinstance(p, Unknown) for p in parts):
                    return found
                return self.strict(e, fn)
            case _:
                return cast(ir.Expr, self.inside(e, go))

    def strict(self, e: ir.Expr, fn: Function) -> ir.Expr:
        """What an operation gives of something of which nothing is known."""
        match e:
            case ir.Table(table=number):
                row = self.whole.tables[number]
                masks = bool(row) and min(row) >= 0 and max(row) > 255
                return (
                    Unknown(self.cards)
                    if masks and max(row) <= self.everyone and type(e) is not ir.Table
                    else (
                        Unknown(SetType(Int(0, max(row).bit_length() - 1)))
                        if masks
                        else Unknown(Int(min(row, default=0), max(row, default=0)))
                    )
                )
            case CardsUnary(op="single"):
                return Unknown(self.cards)
            case ir.Unary(op="single" | "below"):
                return e if not isinstance(e.a, ir.Expr) else cast(ir.Expr, self.inside(e, lambda x: self.expr(x, fn)))
            case ir.Unary(op="size"):
                return Unknown(Int(0, self.layout.card_count))
            case _:
                return Unknown(self.type_of(e, fn))

    # ------------------------------------------------------------ defines
    def worth(self, name: str) -> bool:
        """Is what a define gives worked out?"""
        if name in self.wanted:
            return True
        if name in self.vague:
            return False
        if name not in self._worth:
            nodes = sum(len(walk(i)) for f in functions_used(self.whole, [name]) for i in self.whole.functions[f].code)
            about_cards = self.whole.functions[name].result.role is not Role.PLAIN
            self._worth[name] = nodes <= (4 * HEAVY if about_cards else HEAVY)
        return self._worth[name]

    @cached_property
    def _worth(self) -> dict[str, bool]:
        return {}

    @cached_property
    def wanted(self) -> set[str]:
        """What the conditions themselves ask, and what is stated."""
        return {
            fn.name for x in (*self.conditions, *(c.function for c in self.contracts)) for fn in uses(self.whole, x)
        }


def never_lost(program: Program, first: Sequence[int]) -> bool:
    """Does every card lie in some zone, always? It does at the beginning, and nothing says where a card lies but moving it, which
    takes a zone (the interpreter refuses to move a card to none)."""
    first_place, count = program.layout.location, program.layout.card_count
    places = range(first_place, first_place + count)
    return all(first[k] >= 0 for k in places) and not any(
        isinstance(i, ir.Store) and set(range(i.base, i.base + i.count)) & set(places)
        for fn in program.functions.values()
        for i in fn.code
    )
