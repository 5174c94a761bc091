"""Which cards a program cannot tell apart, judged by its code alone."""
from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...model.ir import nodes as ir
from ...model.ir.flow import live_across_calls, liveness, walk
from ...model.ir.program import Function, Keyed, Program, Zones
from ...model.ir.types import Role, Type
from ...model.lang.passes import in_batches, loop_body, loops_over_entries
from ...model.lang.world import CardCopy
from ...spec.groups import grouped
from ...spec.kept import made
from ...spec.reading import plain_bytes

Key = tuple[str, int]
"""A local (function, number), the result of a function (function, -1), or a slot ("", number)."""


def interchangeable(cards: Sequence[CardCopy]) -> list[list[int]]:
    """The classes of cards with the same definition and owner that have at least two members."""
    groups = grouped(((c.definition.id, c.owner), k) for k, c in enumerate(cards))
    return [g for g in groups.values() if len(g) > 1]


@dataclass(frozen=True)
class Alike:
    """Which cards a program tells apart: those that its code names (`alone`), and those of which a table or a constant set
    says different things (`splits`). With `blind` no two cards can be said to be alike. `limits` says why. `places`: locals
    that hold a place among slots of cards, and the slot it counts from."""

    blind: bool
    alone: frozenset[int]
    splits: tuple[tuple[int, ...], ...]
    limits: tuple[str, ...]
    places: Mapping[Key, int]

    def narrow(self, classes: Sequence[Sequence[int]]) -> list[list[int]]:
        """The classes within which nothing is told apart."""
        out: list[list[int]] = []
        for cards in classes:
            groups = grouped(((c if c in self.alone else -1, *(x[c] for x in self.splits)), c) for c in sorted(cards))
            out += [g for g in groups.values() if len(g) > 1 and not self.blind]
        return out


def alike(program: Program) -> Alike:
    """Which cards the program tells apart; kept for programs that are known by what they were compiled from."""
    def look() -> tuple[Any, ...]:
        a = Audit(program)
        return a.blind, frozenset(a.alone), tuple(a.splits), tuple(a.limits), a.places
    return Alike(*(made("alike", f"{program.made_of}\n{own_hash()}", look) if program.made_of else look()))


@cache
def own_hash() -> str:
    """This module, which is not among what entries are kept for."""
    return hashlib.sha256(plain_bytes(Path(__file__))).hexdigest()


PASSING = ir.Call, ir.Do, ir.Invoke, ir.Fold, ir.Binder, ir.PileFind
"""What sets parameters and variables of its own."""
NAMING = ir.Load, ir.Store, ir.Binary, ir.Table, ir.Fold, ir.Binder, ir.Put, ir.Renew
"""What may name single cards or sets of cards."""
Target = tuple[str, str, int]
"""What is set, as the code of a function speaks of it: a local of its own or its result (-1), that of another function, a slot, a
column of a container."""


class Audit:
    """Which cards a program tells apart.

    Constant sets and tables split classes; a card that the code names by its number stays alone. If the
    number of a card is kept where nobody expects one, no classes are left; the places of fields that
    `restored` keeps are expected (`places`: the local, and the slot it counts from).
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.limits: list[str] = []
        self.blind = False
        self.alone: set[int] = set()
        self.splits: dict[tuple[int, ...], None] = {}
        self.places: dict[Key, int] = {}
        self.hidden: dict[Key, Role] = {}
        """What is declared as a plain number, and holds a card or a set of cards."""
        functions = list(program.functions.values())
        found: list[list[tuple[Role | str, int]]] = []
        before = -1
        while before != (before := len(self.hidden)):
            found = [self.listen(f) for f in functions]
        of_cards = program.layout.of_cards
        for f, said in zip(functions, found, strict=True):
            for what, value in said:
                if what != "slot" or value in of_cards:
                    self.name(f, what, value)
        self.check_state()
        hiding = {name for name, _ in self.hidden}
        for f in functions:
            if f.kind == "procedure" and f.name in hiding:
                self.check_frames(f)
            if f.kind == "procedure":
                self.check_loops(f)

    # ------------------------------------------------------------ what functions say
    def listen(self, f: Function) -> list[tuple[Role | str, int]]:
        """What a function names: a constant with the role that it has, a table, or a slot. Where it puts a card or a set of cards although
        that is declared as a plain number is known from now on."""
        names: list[tuple[Role | str, int]] = []
        inspected: list[ir.Node] = []
        for i in f.code:
            inside = walk(i)
            inspected += [n for n in inside if isinstance(n, NAMING)]
            for of, target, e in self.passed_on(f, i, [n for n in inside if isinstance(n, PASSING)]):
                declared = of.role
                if declared is not Role.PLAIN:
                    names += () if isinstance(e, Role) else constants(e, declared)
                    continue
                role = e if isinstance(e, Role) else self.role(f, e)
                if role is not Role.PLAIN:
                    self.hidden.setdefault(self.key_of(f, target), role)
        for n in inspected:
            names += self.inspect(f, n)
        return list(dict.fromkeys(names))

    def key_of(self, f: Function, target: Target) -> Key:
        match target:
            case "own", _, x:
                return f.name, x
            case "column", m, k:
                return "", self.program.layout.containers[m].columns[k]
            case _, name, x:
                return name, x

    def give_up(self, why: str) -> None:
        """No two cards can be said to be alike."""
        self.blind = True
        self.limits.append(why)

    def name(self, f: Function, what: Role | str, value: int) -> None:
        """The code names a card (which is like no other); a set of cards, or a table (whose members are not like others); a slot,
        which may be that of a card."""
        layout = self.program.layout
        n = layout.card_count
        if what == "table":
            self.splits[self.program.tables[value]] = None
        elif what is Role.CARDS:
            self.splits[tuple(value >> c & 1 for c in range(n))] = None
        else:
            named = (
                [value - x for x in layout.per_card if x <= value < x + n]
                if what == "slot"
                else [value]
                if 0 <= value < n
                else []
            )
            for c in named:
                if c not in self.alone:
                    self.alone.add(c)
                    self.limits.append(f"{f.name} names card {c}")

    # ------------------------------------------------------------ where numbers of cards go
    def role(self, f: Function, e: ir.Expr) -> Role:
        """Is the value a card, or a set of cards? Objects count as cards."""
        match e:
            case ir.Local(index=x):
                return self.known(f.locals[x].type, (f.name, x))
            case ir.Load(base=b):
                return self.known(self.program.layout.slots[b].type, ("", b))
            case ir.Call(function=g):
                return self.known(self.program.functions[g].result, (g, -1))
            case ir.ZoneCards() | ir.PileTop():
                return Role.CARDS
            case ir.PileFind():
                return Role.CARD
            case ir.Unary(op="single", a=a) | ir.Fold(kind="set", body=a):
                return Role.CARDS if self.role(f, a) is Role.CARD else Role.PLAIN
            case ir.Unary(op="only" | "lowest", a=a):
                return Role.CARD if self.role(f, a) is Role.CARDS else Role.PLAIN
            case ir.If(a=a, b=b) | ir.Binary(
                    op="add" | "sub" | "mul" | "union" | "meet" | "without" | "differ", a=a, b=b):
                r = self.role(f, a)
                return r if r is not Role.PLAIN else self.role(f, b)
            case ir.Present(a=a) | ir.Within(a=a) | ir.Fold(kind="union", body=a):
                return self.role(f, a)
            case _:
                return Role.PLAIN

    def known(self, of: Type, key: Key) -> Role:
        return Role.CARD if of.role is Role.OBJECT else self.hidden.get(key, of.role)

    def passed_on(
        self, f: Function, i: ir.Instr, inside: Sequence[ir.Node]
    ) -> Iterator[tuple[Type, Target, ir.Expr | Role]]:
        """What the instruction sets: its declared type, which it is, and the value (or no more than its
        role). `inside`: the nodes in it that set something."""
        layout, functions = self.program.layout, self.program.functions

        def local(x: int, e: ir.Expr | Role) -> tuple[Type, Target, ir.Expr | Role]:
            return f.locals[x].type, ("own", "", x), e

        for n in inside:
            match n:
                case ir.Call(function=g) | ir.Do(function=g) | ir.Invoke(function=g):
                    for x, a in enumerate(n.args):
                        yield functions[g].locals[x].type, ("other", g, x), a
                case ir.Fold(var=v, domain=d) | ir.Binder(var=v, domain=d):
                    yield local(v, Role.CARD if self.role(f, d) is Role.CARDS else Role.PLAIN)
                case ir.PileFind(var=v):
                    yield local(v, Role.CARD)
                case _:
                    pass
        match i:
            case ir.Do(function=g, local=int() as x) | ir.Invoke(function=g, local=int() as x):
                yield local(x, self.known(functions[g].result, (g, -1)))
            case ir.Assign(local=x, value=e) | ir.ChooseSome(local=x, among=e):
                yield local(x, e)
            case ir.Choose(locals=xs, offers=offers):
                for o in offers:
                    yield from (local(x, e) for x, e in zip(xs, o.values, strict=True))
            case ir.Next(rest=r, var=v):
                yield local(v, Role.CARD if self.role(f, ir.Local(r)) is Role.CARDS else Role.PLAIN)
            case ir.Return(value=ir.Expr() as e):
                yield f.result, ("own", "", -1), e
            case ir.Store(base=b, value=e):
                yield layout.slots[b].type, ("slot", "", b), e
            case ir.Insert(multiset=m, values=values) | ir.New(pool=m, values=values):
                for k, (c, e) in enumerate(zip(layout.containers[m].columns, values, strict=True)):
                    yield layout.slots[c].type, ("column", m, k), e
            case _:
                pass

    # ------------------------------------------------------------ what follows from it
    def inspect(self, f: Function, n: ir.Node) -> Iterator[tuple[Role | str, int]]:
        """Find the single cards and the sets of cards that a node speaks of."""
        match n:
            case ir.Load(base=b, index=k) | ir.Store(base=b, index=k) if k is None or isinstance(k, ir.Const):
                yield "slot", b if k is None else b + k.value
            case ir.Table(table=t, index=index) if self.role(f, index) is not Role.PLAIN:
                yield "table", t
            case ir.Binary(op="member", a=a, b=b) if self.role(f, a) is not Role.PLAIN:
                yield from constants(b, Role.CARDS)
            case ir.Binary(op="eq" | "ne" | "union" | "meet" | "without" | "differ", a=a, b=b):
                for one, other in ((a, b), (b, a)):
                    yield from constants(one, self.role(f, other))
            case ir.Fold(var=v, domain=d) | ir.Binder(var=v, domain=d):
                if f.locals[v].type.role is not Role.PLAIN:
                    yield from constants(d, Role.CARDS)
            case ir.Put(card=c) | ir.Renew(card=c):
                yield from constants(c, Role.CARD)
            case _:
                pass

    def check_state(self) -> None:
        """What is kept in the state."""
        layout = self.program.layout
        for name, node in layout.fields.items():
            while isinstance(node, Keyed):
                node = node.of
            if isinstance(node, Zones) and any(k.role is Role.CARD for k in node.keys):
                self.give_up(f"each card has its own zone {name}")
        for group in dict.fromkeys(layout.slots[x].group for name, x in self.hidden if not name):
            self.give_up(f"{group} keeps cards as plain numbers")

    def check_loops(self, f: Function) -> None:
        """What may happen between the rounds of a loop over cards: a situation sees which of them come first."""
        layout, waits = self.program.layout, in_batches(f)
        of_cards = {k for k, i in enumerate(f.code)
                    if isinstance(i, ir.Next) and f.locals[i.rest].type.role is Role.CARDS}
        of_cards |= {k for k, _, m in loops_over_entries(f, self.program)
                     if any(layout.slots[c].type.role is not Role.PLAIN for c in layout.containers[m].columns)}
        if any(isinstance(f.code[x], ir.Invoke) for k in of_cards - waits for x in loop_body(f, k)):
            self.give_up(f"{f.name}: something may happen by itself between the rounds of a loop over cards")

    def check_frames(self, f: Function) -> None:
        """What is kept in a frame."""
        live = liveness(f)
        across = live_across_calls(f, live)
        kept: set[int] = set()
        for k, i in enumerate(f.code):
            if isinstance(i, ir.Label | ir.Choose | ir.ChooseSome | ir.Consult | ir.Invoke):
                kept |= live[k]
            if isinstance(i, ir.Invoke):
                kept |= across[k]
        nodes = [n for i in f.code for n in walk(i)]
        for x in sorted(kept):
            if (f.name, x) in self.hidden:
                here = ir.Local(x)
                bases = [n.base for n in nodes if isinstance(n, ir.Store | ir.Load) and n.index == here]
                base = bases[0] if len(set(bases)) == 1 and len(bases) == nodes.count(here) else -1
                if base in self.program.layout.per_card and self.hidden[f.name, x] is Role.CARD:
                    self.places[f.name, x] = base
                else:
                    self.give_up(f"{f.name} keeps a card as the plain number `{f.locals[x].name}`")


def constants(e: ir.Expr, role: Role) -> Iterator[tuple[Role, int]]:
    """The constants that may be the value, unless the role is that of a plain number."""
    match e:
        case _ if role is Role.PLAIN:
            pass
        case ir.Const(value=v):
            yield role, v
        case ir.If(a=a, b=b):
            yield from constants(a, role)
            yield from constants(b, role)
        case ir.Present(a=a) | ir.Within(a=a):
            yield from constants(a, role)
        case _:
            pass
