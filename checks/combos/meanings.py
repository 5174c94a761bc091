"""What the texts of cards may do, read off their code: an abstract interpretation of the IR, in the world of a whole pool.

A value is what it may be (`abstract_values`): a number one of a few, a card one of a set and from one of some zones, a set of cards or numbers a part of one.
Tests that this does not decide go both ways, calls are followed with what is given to them, and what is noted on the way is what the
text may do: which cards it moves from where to where, which fields it writes, which abilities it may let wait (the guards of all abilities that
listen to an event are looked at with what the event is told). Nothing here is a claim: it only says which cards are worth trying together.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import or_

from ...model.ir import nodes as ir
from ...model.ir import types as t
from ...model.ir.flow import members, successors
from ...model.ir.program import SETTLE, Function, Program
from .abstract_values import (
    ANY,
    ARITHMETIC,
    BOTH,
    CARD,
    MOST_VALUES,
    NO,
    TESTS,
    YES,
    Done,
    Frame,
    May,
    Memory,
    Num,
    Value,
    Whereabouts,
    b_only,
    few,
    is_zone,
    one_alone,
    unary,
)
from .told_apart import ToldApart

MOST_STEPS = 2_000
"""Instructions of a function that are followed, at most."""
MOST_MEMBERS = 600
"""Cards of a set that a condition is asked about one by one."""
OTHERS = frozenset(("run text", "run cost", SETTLE))
"""What carries out other texts, and what looks after everything: that is no text's own doing."""


class Meanings:
    """Abstract interpretation of one program."""

    def __init__(self, program: Program, lying: Mapping[str, int] | None = None, surely: bool = False) -> None:
        """`lying`: for fields of zones, the cards that may lie there; elsewhere any may. `surely`: what is done to the cards of a set is noted of those alone
        that are in it, where that is known of any."""
        self.program = program
        self.surely = surely
        self.layout = program.layout
        self.cards = (1 << self.layout.card_count) - 1
        self.lying = [(lying or {}).get(z.field, self.cards) for z in self.layout.zones]
        self.zones = (1 << len(self.layout.zones)) - 1
        self.known: dict[object, tuple[Value, Done, Memory]] = {}
        self.under_way: set[object] = set()
        self.places = {b for b in self.layout.per_card if is_zone(self.layout.slots[b].type)} | {self.layout.location}
        self.told_apart = ToldApart(program)
        self.names = [s.name.partition("[")[0] for s in self.layout.slots]

    # ------------------------------------------------------------ functions
    def run(self, name: str, args: Sequence[Value], memory: Memory | None = None) -> tuple[Value, Done]:
        """What a function may give, and may do; `memory`: what was written before (of which it knows what is about the cards that it is given), and then
        also by it."""
        fn = self.program.functions[name]
        memory = {} if memory is None else memory
        if name in OTHERS:
            return self.unknown(fn.result), Done()
        given = tuple(self.fitting(v, x.type) for v, x in zip(args, fn.locals, strict=False))
        about = {v.mask for v in given if isinstance(v, May)}
        inside = {k: v for k, v in memory.items() if k[1] in about}
        key = name, given, frozenset(inside.items())
        if key not in self.known:
            anywhere = tuple(map(self.widest, given))
            if fn.kind == "define" and fn.result == t.BOOL and not inside and anywhere != given:
                said, done = self.run(name, anywhere)
                if said in (YES, NO):  # whichever cards it is asked of
                    return said, done
            if key in self.under_way:
                return self.unknown(fn.result), Done()
            self.under_way.add(key)
            self.known[key] = self.carried_out(fn, given, inside)
            self.under_way.discard(key)
        value, done, after = self.known[key]
        memory.update(after)
        return value, done

    def carried_out(
        self, fn: Function, given: tuple[Value, ...], memory: Memory, begin: int = 0
    ) -> tuple[Value, Done, Memory]:
        """What a function does with these locals, from there on (until it comes back there)."""
        done, result, after = Done(), list[Value](), list[Memory]()
        first: list[Value] = [*given, *(NO for _ in fn.locals[len(given):])]
        at: dict[int, tuple[list[Value], Memory]] = {begin: (first, dict(memory))}
        todo = [begin]
        for _ in range(MOST_STEPS):
            if not todo:
                break
            pc = todo.pop()
            if pc >= len(fn.code) or pc == begin - 1:
                continue
            env = Frame(fn, list(at[pc][0]), dict(at[pc][1]), done)
            targets = [*self.step(env, pc, result), *(h.target for h in fn.handlers if h.first <= pc < h.last)]
            if not targets:
                after.append(env.memory)
            for target in targets:
                if target not in at:
                    at[target] = list(env.locals), dict(env.memory)
                    todo.append(target)
                    continue
                there = at[target]
                joined = ([self.joined(a, b) for a, b in zip(there[0], env.locals, strict=True)],
                          self.common(there[1], env.memory))
                if joined != there:
                    at[target] = joined
                    todo.append(target)
        value = result[0] if result else self.unknown(fn.result)
        for v in result[1:]:
            value = self.joined(value, v)
        last = after[0] if after else memory
        for m in after[1:]:
            last = self.common(last, m)
        return value, done, last

    def common(self, a: Memory, b: Memory) -> Memory:
        """What was written on one of two ways or the other: what is written is what matters."""
        return a if a == b else {**a, **b, **{k: self.joined(a[k], b[k]) for k in a.keys() & b.keys()}}

    def step(self, env: Frame, pc: int, result: list[Value]) -> Sequence[int]:
        fn, done = env.fn, env.done
        i = fn.code[pc]

        def value(e: ir.Expr) -> Value:
            return self.value(e, env)

        def put(local: int, v: Value) -> None:
            env.locals[local] = self.fitting(v, fn.locals[local].type)
        match i:
            case ir.Assign(local=x, value=e):
                put(x, value(e))
            case ir.Branch(test=e, otherwise=other):
                said = value(e)
                return [pc + 1] if said == YES else [other] if said == NO else [pc + 1, other]
            case ir.Next(rest=rest, var=var, offset=offset, done=other):
                there = env.locals[rest]
                put(var,
                    self.element(there.likeliest if isinstance(there, May) and self.surely else there,
                                 fn.locals[var].type, offset))
                return [other] if there == NO or (isinstance(there, May) and not there.mask) else [pc + 1, other]
            case ir.Put(card=c, zone=z):
                card, zone = self.as_cards(value(c)), value(z)
                to = self.zones_in(zone)
                came = self.where(card, env)
                for z1 in members(to) if to != self.zones else [-1]:
                    done.moves.add((card.mask, came, z1))
                env.memory[self.layout.location, card.mask] = Num(frozenset(members(to))) if to != self.zones else ANY
            case ir.Store():
                self.store(i, env)
            case ir.Insert(multiset=m, values=values):
                done.writes.add(m)
                for e in values:
                    value(e)
            case ir.Choose(offers=offers, locals=into):
                gathered: list[list[Value]] = [[] for _ in into]
                for offer in offers:
                    inner = env.apart()
                    possible = True
                    for b in offer.binders:
                        domain = self.value(b.domain, inner)
                        inner.locals[b.var] = self.element(domain, fn.locals[b.var].type, b.offset)
                        possible = possible and domain != NO and not (isinstance(domain, May) and not domain.mask)
                    if possible and self.value(offer.test, inner) != NO:
                        if len(offer.binders) == 1:
                            b = offer.binders[0]
                            inner.locals[b.var] = self.filtered(inner.locals[b.var], offer.test, b.var, inner)
                        for k, e in enumerate(offer.values):
                            gathered[k].append(self.value(e, inner))
                for x, found in zip(into, gathered, strict=True):
                    out = found[0] if found else NO
                    for v in found[1:]:
                        out = self.joined(out, v)
                    put(x, out)
            case ir.ChooseSome(among=among, local=x):
                put(x, value(among))
            case ir.Do(function=f, args=args, local=x) | ir.Invoke(function=f, args=args, local=x):
                if fn.name.startswith("emit ") and args and isinstance(args[0], ir.Const):
                    done.lets.add(args[0].value)
                else:
                    v, inside = self.run(f, [value(a) for a in args], env.memory)
                    done.add(inside)
                    if x is not None:
                        put(x, v)
            case ir.New(pool=m, local=x, values=values):
                done.writes.add(m)
                for e in values:
                    value(e)
                put(x, ANY)
            case ir.Return(value=e):
                if e is not None:
                    result.append(value(e))
            case ir.Remove(multiset=m) | ir.Clear(multiset=m) | ir.Free(pool=m):
                done.writes.add(m)
            case _:
                pass
        return successors(i, pc)

    def store(self, i: ir.Store, env: Frame) -> None:
        """Note a write."""
        done = env.done
        names = self.fields_at(i.base, i.index, env, i.count)
        worth = i.op == "add" or i.base in self.places or isinstance(i.value, ir.Const | ir.Local)
        v = self.value(i.value, env) if worth else ANY  # what is worked out of everything there is says little
        done.writes |= names
        if i.base in self.places and i.index is not None:
            env.memory[i.base, self.as_cards(self.value(i.index, env)).mask] = v
        if i.op == "add" and isinstance(v, Num):
            if v.values is None or any(x > 0 for x in v.values):
                done.up |= names
            if v.values is None or any(x < 0 for x in v.values):
                done.down |= names
        elif i.op == "set" and isinstance(v, Num) and i.base not in self.places:
            whose = (self.as_cards(self.value(i.index, env)).mask
                     if i.base in self.layout.per_card and i.index is not None else -1)
            done.sets |= {(n, x, whose) for n in names for x in v.values or ()}

    def fields_at(self, base: int, index: ir.Expr | None, env: Frame, count: int) -> set[str]:
        """The fields that slots from `base` on may be: with a player where it is known."""
        name = self.layout.slots[base].group or self.names[base]
        where = self.value(index, env) if index is not None else NO
        if base in self.layout.per_card or count == self.layout.card_count:
            return {self.names[base]}
        if isinstance(where, Num) and where.values is not None and all(0 <= k < count for k in where.values):
            return {self.layout.slots[base + k].name for k in where.values}
        return {name if name not in ("", "zones") else self.names[base]}

    def taken(self, cards: int) -> Done:
        """What follows if one of some cards (a bit each) is taken where the rules offer it among other things, before they offer them again."""
        out = Done()
        for fn in self.program.functions.values():
            if fn.kind == "procedure" and not fn.name.startswith(("text ", "cost ")):
                for pc, i in enumerate(fn.code):
                    if isinstance(i, ir.Choose) and len(i.offers) > 1:
                        out.add(self.taken_at(fn, pc, i, cards))
        return out

    def taken_at(self, fn: Function, pc: int, choose: ir.Choose, cards: int) -> Done:
        """The same at one place."""
        out = Done()
        for offer in choose.offers:
            if not offer.binders or fn.locals[offer.binders[0].var].type.role not in CARD:
                continue
            env = Frame(fn, [self.unknown(x.type) for x in fn.locals], {}, Done())
            for b in offer.binders:
                env.locals[b.var] = self.element(self.value(b.domain, env), fn.locals[b.var].type, b.offset)
                if b is offer.binders[0]:
                    there = self.as_cards(env.locals[b.var])
                    env.locals[b.var] = May(there.mask & cards, there.zones)
            if self.as_cards(env.locals[offer.binders[0].var]).mask and self.value(offer.test, env) != NO:
                for x, e in zip(choose.locals, offer.values, strict=True):
                    env.locals[x] = self.fitting(self.value(e, env), fn.locals[x].type)
                out.add(self.carried_out(fn, tuple(env.locals), {}, pc + 1)[1])
        return out

    # ------------------------------------------------------------ values
    def value(self, e: ir.Expr, env: Frame) -> Value:
        done = env.done

        def go(x: ir.Expr) -> Value:
            return self.value(x, env)
        match e:
            case ir.Const(value=v):
                return Num(frozenset((v,)))
            case ir.Local(index=x):
                return env.locals[x]
            case ir.Load(base=base, index=index, count=count):
                return self.loaded(base, index, count, env)
            case ir.Table(table=number, index=index):
                where = go(index)
                table = self.program.tables[number]
                at = members(where.mask) if isinstance(where, May) else where.values
                return few({table[k] for k in at if 0 <= k < len(table)}) if at is not None else few(set(table))
            case ir.Unary(op=op, a=a):
                return unary(op, go(a))
            case ir.Binary(op=op, a=a, b=b):
                return self.binary(op, go(a), go(b))
            case ir.All(parts=parts):
                said = [go(p) for p in parts]
                return NO if NO in said else YES if all(s == YES for s in said) else BOTH
            case ir.Any(parts=parts):
                said = [go(p) for p in parts]
                return YES if YES in said else NO if all(s == NO for s in said) else BOTH
            case ir.If(test=test, a=a, b=b):
                said = go(test)
                return go(a) if said == YES else go(b) if said == NO else self.joined(go(a), go(b))
            case ir.Present(a=a) | ir.Within(a=a):
                return go(a)
            case ir.Fold():
                return self.fold(e, env)
            case ir.Call(function=f, args=args):
                v, inside = self.run(f, [go(a) for a in args], dict(env.memory))
                done.reads |= inside.reads
                return v
            case ir.ZoneCards(zone=z) | ir.PileTop(zone=z):
                zones = self.zones_in(there := go(z))
                done.reads |= {f"zone {k}" for k in members(zones)} if zones != self.zones else set()
                return replace(self.lying_in(zones), sure=one_alone(there.of) if isinstance(there, Whereabouts) else 0)
            case ir.PileFind(zone=z, var=var, test=test):
                there, inner = self.lying_in(self.zones_in(go(z))), env.apart()
                sure = reduce(or_, (v.sure for v in env.locals if isinstance(v, May)), 0) & there.mask
                return replace(
                    there,
                    sure=sum(
                        1 << k for k in members(sure) if self.tested(test, var, May(1 << k, there.zones), inner) == YES
                    ),
                ).likeliest
            case _:
                return ANY

    def loaded(self, base: int, index: ir.Expr | None, count: int, env: Frame) -> Value:
        of = self.layout.slots[base].type
        where = self.value(index, env) if index is not None else NO
        if base in self.places and isinstance(where, May):
            if base == self.layout.location:
                zones = self.where(where, env)
                return Num(frozenset(members(zones))) if zones != self.zones else Whereabouts(None, where.mask)
            return env.memory.get((base, where.mask), ANY)
        env.done.reads |= self.fields_at(base, index, env, count)
        if isinstance(of, t.SetType) and of.role is t.Role.PLAIN:  # what is added to what is printed: mostly nothing
            return Num(frozenset((self.layout.slots[base].initial,)))
        return self.unknown(of)

    def where(self, card: May, env: Frame) -> int:
        """The zones that a card may be in."""
        put = env.memory.get((self.layout.location, card.mask))
        return card.zones & self.zones if put is None else self.zones_in(put)

    def lying_in(self, zones: int) -> May:
        """The cards that may lie in some zones."""
        out = 0
        for z in members(zones):
            out |= self.lying[z]
        return May(out, zones)

    def binary(self, op: str, a: Value, b: Value) -> Value:
        if isinstance(a, Num) and isinstance(b, Num):
            worked = ARITHMETIC.get(op)
            if a.values is not None and b.values is not None and worked is not None:
                return few({int(worked(x, y)) for x, y in product(a.values, b.values)})
            return BOTH if op in TESTS else ANY
        match op:
            case "union":
                x, y = self.as_set(a), self.as_set(b)
                return May(x.mask | y.mask, x.zones | y.zones, x.sure | y.sure)
            case "differ":
                return self.joined(self.as_set(a), self.as_set(b))
            case "meet":
                x, y = self.as_set(a), self.as_set(b)
                return May(x.mask & y.mask, x.zones & y.zones, x.sure & y.sure)
            case "without":
                x, y = self.as_set(a), self.as_set(b)
                return May(x.mask & ~b_only(b), x.zones, x.sure & ~y.mask)
            case "eq" | "ne":
                x, y = self.as_cards(a), self.as_cards(b)
                apart = not x.mask & y.mask
                if isinstance(a, Num) or isinstance(b, Num):  # with none, or one that is written down
                    written = a if isinstance(a, Num) else b
                    if isinstance(written, Num) and (written.values is None or any(k < 0 for k in written.values)):
                        return BOTH
                return (NO if op == "eq" else YES) if apart else BOTH
            case "member":
                x, y = self.as_cards(a), self.as_set(b)
                if not x.mask & y.mask or not x.zones & y.zones & self.zones:
                    return NO
                there = isinstance(b, Num) and b.values is not None and all(not x.mask & ~m for m in b.values)
                return YES if there or not x.mask & ~y.sure else BOTH
            case _:
                return BOTH if op in TESTS else ANY

    def fold(self, e: ir.Fold, env: Frame) -> Value:
        domain = self.value(e.domain, env)
        inner = env.apart()
        inner.locals[e.var] = self.element(domain, env.fn.locals[e.var].type, e.offset)
        empty = domain == NO or (isinstance(domain, May) and not domain.mask)
        if not empty:
            inner.locals[e.var] = self.filtered(inner.locals[e.var], e.test, e.var, inner)
            there = inner.locals[e.var]
            empty = there == May(0, there.zones) if isinstance(there, May) else there.values == frozenset()
        body = NO if empty else self.value(e.body, inner)
        match e.kind:
            case "any" | "all":
                return (NO if e.kind == "any" else YES) if empty else BOTH
            case "set":
                there = inner.locals[e.var]
                kept = there.sure if isinstance(there, May) and e.body == ir.Local(e.var) else 0
                return May(0, 0) if empty else replace(self.as_set(unary("single", body)), sure=kept)
            case "union":
                return May(0, 0) if empty else body
            case _:
                return body if e.kind in ("min", "max") and isinstance(body, May) else ANY

    def filtered(self, v: Value, test: ir.Expr, var: int, env: Frame) -> Value:
        """Those for which a test may hold."""
        if test == ir.Const(1):
            return v
        inner = env.apart()

        def holds(one: Value) -> bool:
            return self.tested(test, var, one, inner) != NO
        if isinstance(v, May):
            if v.mask.bit_count() > MOST_MEMBERS:
                return v
            if not holds(v):
                return May(0, v.zones)
            there = sum(part for part in self.told_apart.alike(v.mask, test, self.sets_in(inner))
                        if holds(May(part & -part, v.zones)))
            return May(there, v.zones, v.sure & there)
        return v if v.values is None else Num(frozenset(k for k in v.values if holds(Num(frozenset((k,))))))

    def sets_in(self, env: Frame) -> set[int]:
        """The sets of cards that code may meet there."""
        there = [v for v in (*env.locals, *env.memory.values()) if isinstance(v, May)]
        return {*self.lying, *(k[1] for k in env.memory), *(v.mask for v in there), *(v.sure for v in there)} - {
            0, -1, self.cards
        }

    def tested(self, test: ir.Expr, var: int, one: Value, inner: Frame) -> Value:
        """Whether a test holds of one value of a local."""
        inner.locals[var] = one
        return self.value(test, inner)

    # ------------------------------------------------------------ forms
    def widest(self, v: Value) -> Value:
        """The same where it is not known which cards."""
        return May(self.cards) if isinstance(v, May) else v

    def unknown(self, of: t.Type) -> Value:
        if of.role is not t.Role.PLAIN:
            return May(self.cards)
        return few(set(range(of.lo, of.hi + 1))) if of.hi - of.lo < MOST_VALUES else ANY

    def element(self, domain: Value, of: t.Type, offset: int) -> Value:
        """One of a set."""
        if of.role in CARD:
            return self.as_set(domain)
        masks = [domain.mask] if isinstance(domain, May) else domain.values
        return few({k + offset for m in masks if m >= 0 for k in members(m)}) if masks is not None else ANY

    def fitting(self, v: Value, of: t.Type) -> Value:
        if of.role in CARD:
            return self.as_cards(v)
        if of.role is t.Role.CARDS:
            return self.as_set(v)
        return few(set(members(v.mask))) if isinstance(v, May) and not isinstance(of, t.SetType) else v

    def as_cards(self, v: Value) -> May:
        if isinstance(v, May):
            return v
        return May(self.cards if v.values is None else sum(1 << k for k in v.values if k >= 0))

    def as_set(self, v: Value) -> May:
        if isinstance(v, May):
            return v
        out = 0
        for m in v.values or ():
            out |= m if m >= 0 else self.cards
        return May(self.cards if v.values is None else out)

    def zones_in(self, v: Value) -> int:
        values = members(v.mask) if isinstance(v, May) else v.values
        return self.zones if values is None else sum(1 << k for k in values if 0 <= k < len(self.layout.zones))

    def joined(self, a: Value, b: Value) -> Value:
        if a == b:
            return a
        if isinstance(a, Num) and isinstance(b, Num):
            return ANY if a.values is None or b.values is None else few(a.values | b.values)
        if isinstance(a, Num) and a.values is not None and max(a.values, default=0) <= 0:  # none, or nothing yet
            return b
        if isinstance(b, Num) and b.values is not None and max(b.values, default=0) <= 0:
            return a
        x, y = self.as_set(a), self.as_set(b)
        return May(x.mask | y.mask, x.zones | y.zones, x.sure & y.sure)
