"""All ways round a loop: from its head, through all that it calls, back to it.

What is called is carried out where it is called, choices are anybody's, and ways that meet are merged. Loops within are places of
their own (`Node`): nothing is known of what they write where a round of them begins. A call inside a recursive component is not
entered: afterwards nothing is known of what it may write.
"""
from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import z3

from ...model.ir import nodes as ir
from ...model.ir.flow import components, liveness, successors
from ...model.ir.program import Function, Program
from ...model.ir.types import Bool, Int, OptionType, Role, SetType, UnionType, domain
from .expressions import STEP, Expressions
from .footprint import Footprints, Written
from .states import Array, Entries, Node, Sym
from .terms import (
    Budget,
    Num,
    SetOf,
    TooMuch,
    Truth,
    Value,
    add,
    at_most,
    boolean,
    both,
    bounds,
    choose,
    either,
    equal,
    every,
    implies,
    less,
    no,
    num,
    set_of,
    subtract,
    term,
    truth,
)

UNROLLED = 4
"""Members of a set that is known up to which a loop over it is carried out round by round."""
ALIKE = 3
"""Results that are kept apart where a rule is left."""


@dataclass
class Edge:
    """A way from one place to another: under which conditions, and the state at its end."""

    origin: Node
    to: Node
    path: list[Truth]
    state: Sym
    facts: int
    """How many facts were known then."""
    calls: tuple[int, ...]
    """The calls on it that were not entered."""
    root: Node
    """The head, or the rule, from which it was come to."""
    number: int
    """How much had been carried out by then."""


@dataclass
class Called:
    """A call that was not entered: the states before and after it."""

    function: str
    before: Sym
    after: Sym
    path: list[Truth]


@dataclass
class Done:
    """Something was carried out on a way: what, under which conditions, since which place."""

    origin: Node
    path: list[Truth]
    mark: ir.Mark
    function: str
    kind: str
    root: Node
    number: int


@dataclass
class Exits:
    """How a part of code is left."""

    returns: list[tuple[Sym, Value]] = field(default_factory=list["tuple[Sym, Value]"])
    throws: list[tuple[str, Sym]] = field(default_factory=list["tuple[str, Sym]"])
    back: list[Sym] = field(default_factory=list[Sym])
    on: list[tuple[int, Sym]] = field(default_factory=list["tuple[int, Sym]"])


Key = tuple[int, tuple[tuple[int, int], ...]]


class Ways(Expressions):
    """The ways of one loop, or of one group of rules that call each other."""

    def __init__(self, program: Program, budget: Budget, deep: int = 0) -> None:
        super().__init__(program)
        self.budget, self.deep = budget, deep
        self.calls: list[Called] = []
        self.bodies: dict[str, Node] = {}
        self.footprints = Footprints(program)
        called = {f.name: tuple(dict.fromkeys(i.function for i in f.code if isinstance(i, ir.Invoke | ir.Do))) for f in program.functions.values()}
        self.component = components(called)
        size: dict[int, int] = {}
        for c in self.component.values():
            size[c] = size.get(c, 0) + 1
        self.recursive = {x for x, c in self.component.items() if size[c] > 1 or x in called[x]}
        self.stack: list[Function] = []
        self.edges: list[Edge] = []
        self.done: list[Done] = []
        self.nodes = 0
        self.recording = True
        self.puts: list[list[tuple[int | None, int | None]]] = []
        self.root = Node(0, "", 0, "")
        self.group: frozenset[str] = frozenset()
        self.live: dict[str, list[frozenset[int]]] = {}
        self.tags: dict[str, frozenset[int]] = {}

    # ------------------------------------------------------------ places
    def node(self, fn: Function, pc: int, kind: str) -> Node:
        self.nodes += 1
        return Node(self.nodes, fn.name, pc, kind)

    def edge(self, s: Sym, to: Node) -> None:
        if self.recording and not s.dead:
            self.edges.append(Edge(s.origin, to, list(s.path), s.fork(), len(self.new.facts), s.calls, self.root, len(self.done)))

    def begin(self, s: Sym, at: Node) -> None:
        """The state is at a place."""
        s.origin, s.left, s.calls = at, {}, ()
        at.state = s.fork()

    def met(self, a: Sym, b: Sym, fn: Function, pc: int) -> Sym:
        """Two ways that meet."""
        if a.dead:
            return b
        if b.dead:
            return a
        if a.origin is not b.origin:
            at = self.node(fn, pc, "join")
            self.edge(a, at)
            self.edge(b, at)
            a, b = replace(a, origin=at, left={}, calls=()), replace(b, origin=at, left={}, calls=())
            out = self.merged(a, b)
            self.begin(out, at)
            return out
        return self.merged(a, b)

    # ------------------------------------------------------------ the beginning
    def round_of(self, function: str, pc: int) -> Node:
        """All ways from the head of a loop back to it."""
        fn = self.program.functions[function]
        head = self.node(fn, pc, "head")
        s = self.fresh(head)
        s.frames = [self.any_locals(fn)]
        self.begin(s, head)
        self.stack, self.root = [fn], head
        region = loop_region(fn, pc)
        exits = self.run(fn, [(pc + 1, s)] if isinstance(fn.code[pc], ir.Label) else [(pc, s)], region, pc)
        for back in exits.back:
            self.edge(back, head)
        return head

    def calls_of(self, group: Iterable[str]) -> list[Node]:
        """All ways from where a rule of a group begins to where one of the group is called."""
        self.group = frozenset(group)
        self.bodies_of(self.group)
        return [self.bodies[x] for x in sorted(self.group)]

    def bodies_of(self, names: Iterable[str] = ()) -> None:
        """The ways through the rules with these names, and those whose calls were not entered."""
        for name in names:
            self.body(name)
        while left := [c.function for c in self.calls if not self.walked(c.function)]:
            self.body(left[0])

    def walked(self, name: str) -> bool:
        at = self.bodies.get(name)
        return at is not None and at.state is not None

    def beginning(self, name: str) -> Node:
        """Where a rule begins that is called again."""
        if name not in self.bodies:
            self.bodies[name] = self.node(self.program.functions[name], 0, "rule")
        return self.bodies[name]

    def body(self, name: str) -> None:
        if self.walked(name):
            return
        at, fn = self.beginning(name), self.program.functions[name]
        s = self.fresh(at)
        s.frames = [[*self.any_locals(fn)[:fn.arity], *(0 for _ in fn.locals[fn.arity:])]]
        self.begin(s, at)
        self.stack, self.root = [fn], at
        exits = self.run(fn, [(0, s)], None, None)
        over = self.node(fn, len(fn.code), "over")
        for t in [*(t for t, _ in exits.returns), *(t for _, t in exits.throws)]:
            self.edge(t, over)

    def any_locals(self, fn: Function) -> list[Value]:
        return [self.unknown(x.type, x.name) for x in fn.locals]

    # ------------------------------------------------------------ code
    def run(self, fn: Function, begin: Sequence[tuple[int, Sym]], region: frozenset[int] | None, head: int | None) -> Exits:
        """Carry code out, until it is left, or (of a loop) until its head or what is behind it is come to."""
        out = Exits()
        waiting: dict[Key, Sym] = {}
        order: list[Key] = []

        def put(pc: int, s: Sym) -> None:
            if s.dead:
                return
            if pc == head:
                out.back.append(s)
                return
            if region is not None and pc not in region:
                out.on.append((pc, s))
                return
            key = pc, self.told_apart(fn, pc, s)
            other = waiting.get(key)
            if other is None:
                heapq.heappush(order, key)
                waiting[key] = s
            else:
                waiting[key] = self.met(other, s, fn, pc)

        for pc, s in begin:
            put(pc, s)
        heads = loop_heads(fn)
        while order:
            key = heapq.heappop(order)
            s, pc = waiting.pop(key), key[0]
            self.budget.spend(STEP)
            if pc >= len(fn.code):
                out.returns.append((s, 0))
            elif pc in heads:
                inner = self.loop(fn, pc, s)
                out.returns += inner.returns
                out.throws += inner.throws
                for to, left in inner.on:
                    put(to, left)
            else:
                self.instruction(fn, pc, s, put, out)
        out.back = self.together(out.back, fn, head or 0)
        return out

    def together(self, states: list[Sym], fn: Function, pc: int) -> list[Sym]:
        """The states of each origin as one."""
        out: dict[int, Sym] = {}
        for s in states:
            other = out.get(s.origin.number)
            out[s.origin.number] = s if other is None else self.merged(other, s)
        return list(out.values())

    def told_apart(self, fn: Function, pc: int, s: Sym) -> tuple[tuple[int, int], ...]:
        """What is known of what was chosen, or came back from a call: ways are merged only where it is the same."""
        if fn.name not in self.live:
            self.live[fn.name] = liveness(fn)
            self.tags[fn.name] = frozenset(tagging(fn))
        f = s.frames[-1]
        alive = self.live[fn.name][pc] if pc < len(fn.code) else frozenset[int]()
        return tuple((x, int(v)) for x in sorted(alive & self.tags[fn.name]) if isinstance(v := f[x], int))

    def note(self, s: Sym, i: ir.Instr, kind: str = "") -> None:
        if self.recording and (i.at.clauses or kind):
            self.done.append(Done(s.origin, list(s.path), i.at, self.stack[-1].name, kind, self.root, len(self.done)))

    def instruction(self, fn: Function, pc: int, s: Sym, put: Callable[[int, Sym], None], out: Exits) -> None:
        i, f = fn.code[pc], s.frames[-1]
        match i:
            case ir.Jump(target=to):
                put(to, s)
            case ir.Branch(test=test, otherwise=to):
                when = truth(self.value(test, s, f))
                if isinstance(when, bool):
                    put(pc + 1 if when else to, s)
                    return
                self.note(s, i)
                other = s.fork(no(when))
                s.assume(when)
                put(pc + 1, s)
                put(to, other)
            case ir.Return(value=v):
                self.note(s, i)
                out.returns.append((s, 0 if v is None else self.of_type(v, fn.result, s, f)))
            case ir.Throw(signal=signal):
                self.note(s, i)
                self.thrown(fn, pc, signal, s, put, out)
            case ir.End():
                pass
            case ir.Choose():
                self.note(s, i)
                for one in self.offered(i, s):
                    put(pc + 1, one)
            case ir.ChooseSome():
                self.note(s, i)
                among = self.set(i.among, s, f)
                least = num(self.value(i.least, s, f))
                some = self.new.set("some", max(1, self.cards if i.type.role is Role.CARDS else 64), among)
                self.new.fact(implies(both(less(0, least), no(among.empty)), no(some.empty)))
                f[i.local] = some
                put(pc + 1, s)
            case ir.Do(function=name, args=args, local=x):
                given = tuple(self.given(name, args, s, f))
                if i.event and s.batch:
                    s.waiting = (*s.waiting, (name, given, True, False))
                    put(pc + 1, s)
                    return
                self.note(s, i)
                self.called(fn, pc, name, list(given), x, s, put, out)
            case ir.Invoke(function=name, args=args, local=x):
                self.note(s, i)
                self.called(fn, pc, name, self.given(name, args, s, f), x, s, put, out)
            case ir.BatchEnd() if s.batch == 1:
                s.batch, s.frozen = 0, None
                events, s.waiting = s.waiting, ()
                for one in self.happen(events, s, fn, pc):
                    put(pc + 1, one)
            case _:
                self.note(s, i)
                self.effect(i, s, f, fn)
                put(pc + 1, s)

    def called(
        self, fn: Function, pc: int, name: str, args: list[Value], x: int | None, s: Sym, put: Callable[[int, Sym], None], out: Exits,
    ) -> None:
        exits = self.rule(name, args, s)
        for t, result in exits.returns:
            if x is not None:
                t.frames[-1][x] = result
            put(pc + 1, t)
        for signal, t in exits.throws:
            self.thrown(fn, pc, signal, t, put, out)

    def thrown(self, fn: Function, pc: int, signal: str, s: Sym, put: Callable[[int, Sym], None], out: Exits) -> None:
        around = [h for h in fn.handlers if h.first <= pc < h.last and h.signal == signal]
        if around:
            put(min(around, key=lambda h: h.last - h.first).target, s)
        else:
            out.throws.append((signal, s))

    def rule(self, name: str, args: list[Value], s: Sym) -> Exits:
        """What a step or a procedure does: results that are known are kept apart."""
        fn = self.program.functions[name]
        if name not in self.recursive:
            return self.entered(fn, args, s)
        open_ = [f.name for f in self.stack]
        if name in open_ or sum(x in self.recursive for x in open_) >= self.deep:
            if name in self.group:
                self.edge(s, self.beginning(name))
            return self.unentered(fn, s)
        return self.entered(fn, args, s)

    def entered(self, fn: Function, args: list[Value], s: Sym) -> Exits:
        s.frames.append([*args, *(0 for _ in fn.locals[len(args):])])
        self.stack.append(fn)
        exits = self.run(fn, [(0, s)], None, None)
        self.stack.pop()
        groups: dict[object, tuple[Sym, Value]] = {}
        for t, result in exits.returns:
            t.frames.pop()
            key: object = int(result) if isinstance(result, int) and not isinstance(fn.result, SetType) else "unknown"
            if key not in groups and len(groups) >= ALIKE:
                key = next(iter(groups))
            if key in groups:
                other, theirs = groups[key]
                t.frames[-1].append(result)
                other.frames[-1].append(theirs)
                one = self.met(other, t, fn, len(fn.code))
                groups[key] = one, one.frames[-1].pop()
                for x in (other, t):
                    if x is not one and len(x.frames[-1]) > len(one.frames[-1]):
                        x.frames[-1].pop()
            else:
                groups[key] = t, result
        for _, t in exits.throws:
            t.frames.pop()
        return Exits(list(groups.values()), exits.throws)

    def unentered(self, fn: Function, s: Sym) -> Exits:
        """A call of which is known only what it may write."""
        written = self.footprints.of([ir.Invoke(fn.name, ())])
        if self.recording:
            self.done.append(Done(s.origin, list(s.path), fn.at, fn.name, "unentered", self.root, len(self.done)))
        before = s.fork()
        self.forget(s, written, None)
        if self.recording:
            s.calls = (*s.calls, len(self.calls))
            self.calls.append(Called(fn.name, before, s.fork(), list(s.path)))
        for group in self.puts:
            if written.zones:
                group.append((None, None))
        gone = [(signal, s.fork(self.new.truth(signal))) for signal in sorted(self.footprints.signals.get(fn.name, ()))]
        return Exits([(s, self.unknown(fn.result, fn.name) if fn.result.width == 1 else 0)], gone)

    # ------------------------------------------------------------ loops
    def loop(self, fn: Function, pc: int, s: Sym) -> Exits:
        """A loop that is come to on the way."""
        i, region = fn.code[pc], loop_region(fn, pc)
        if isinstance(i, ir.Next) and (k := known_members(s.frames[-1][i.rest])) is not None and k.bit_count() <= UNROLLED:
            return self.unrolled(fn, pc, i, k, s, region)
        code = [fn.code[k] for k in sorted(region)]
        written = self.footprints.of(code)
        assigned = {x for j in code for x in locals_set(j)}
        if written.renews:
            assigned |= {x for x, v in enumerate(fn.locals) if v.type.role is Role.OBJECT}
        to: list[tuple[int, int]] | None = None
        if written.zones:
            group: list[tuple[int | None, int | None]] = []
            self.puts.append(group)
            before, self.recording = self.recording, False
            try:
                self.round(fn, pc, i, s.fork(), self.node(fn, pc, "try"), written, assigned, None, region)
            finally:
                self.puts.pop()
                self.recording = before
            zones = len(self.layout.zones)
            to = merged_intervals([(0 if lo is None else lo, zones - 1 if hi is None else hi) for lo, hi in group])
        at = self.node(fn, pc, "loop")
        self.edge(s, at)
        exits = self.round(fn, pc, i, s, at, written, assigned, to, region)
        for back in exits.back:
            self.edge(back, at)
        for outer in self.puts:
            outer += to or []
        return exits

    def round(
        self, fn: Function, pc: int, i: ir.Instr, s: Sym, at: Node, written: Written, assigned: set[int], to: Sequence[tuple[int, int]] | None,
        region: frozenset[int],
    ) -> Exits:
        """Any round of a loop, and the way on behind it."""
        rest = s.frames[-1][i.rest] if isinstance(i, ir.Next) else None
        self.forget(s, written, to)
        f = s.frames[-1]
        for x in assigned:
            f[x] = self.unknown(fn.locals[x].type, fn.locals[x].name)
        if s.batch:
            called = self.footprints.called([fn.code[k] for k in region])
            own = {j.function for k in region for j in [fn.code[k]] if isinstance(j, ir.Do) and j.event}
            inside = own | {j.function for name in called for j in self.program.functions[name].code if isinstance(j, ir.Do) and j.event}
            s.waiting = (*s.waiting, *((name, (), True, True) for name in sorted(inside)))
        waits = s.waiting
        if isinstance(i, ir.Next):
            assert rest is not None
            whole = set_of(rest)
            left = self.new.set("left", max(1, self.cards, 64), whole)
            f[i.rest] = left
            self.begin(s, at)
            over = s.fork(left.empty)
            over.frames[-1][i.rest] = 0
            s.assume(no(left.empty))
            k = self.new.number("member", 0)
            self.new.fact(implies(no(left.empty), left.member(k)))
            s.frames[-1][i.rest] = SetOf(lambda t: both(left.member(t), no(equal(t, k))), self.new.truth("last"))
            s.frames[-1][i.var] = add(k, i.offset)
            exits = self.run(fn, [(pc + 1, s)], region, pc)
            exits.on.append((i.done, over))
        else:
            self.begin(s, at)
            exits = self.run(fn, [(pc + 1, s)], region, pc)
        for back in exits.back:
            back.waiting = waits
        return exits

    def unrolled(self, fn: Function, pc: int, i: ir.Next, members: int, s: Sym, region: frozenset[int]) -> Exits:
        out, here = Exits(), [s]
        while members:
            k, members = (members & -members).bit_length() - 1, members & members - 1
            after: list[Sym] = []
            for t in here:
                t.frames[-1][i.rest], t.frames[-1][i.var] = members, k + i.offset
                exits = self.run(fn, [(pc + 1, t)], region, pc)
                out.returns += exits.returns
                out.throws += exits.throws
                out.on += exits.on
                after += exits.back
            merged: Sym | None = None
            for t in after:
                merged = t if merged is None else self.met(merged, t, fn, pc)
            here = [] if merged is None else [merged]
        for t in here:
            t.frames[-1][i.rest] = 0
            out.on.append((i.done, t))
        return out

    def forget(self, s: Sym, w: Written, to: Sequence[tuple[int, int]] | None) -> None:
        """Nothing is known any more of what may have been written."""
        for k in w.slots:
            if k in s.slots:
                s.slots[k] = self.unknown(self.layout.slots[k].type, self.layout.slots[k].name)
        for b in w.blocks:
            self.forget_block(s, b)
        for name in sorted(w.entries):
            s.entries[name] = self.fresh_entries(self.layout.containers[name])
        if w.zones:
            s.location, s.sizes = self.fresh_locations(s.location, to), self.fresh_sizes()
        if w.renews:
            for fn, f in zip(self.stack, s.frames, strict=False):
                for x, of in enumerate(fn.locals):
                    if of.type.role is Role.OBJECT and not isinstance(f[x], SetOf):
                        f[x] = choose(self.new.truth("gone"), -1, f[x])
            for m in self.layout.containers.values():
                if not m.is_pool and m.name not in w.entries and any(self.layout.slots[c].type.role is Role.OBJECT for c in m.columns):
                    s.entries[m.name] = replace(s.entries[m.name], version=self.new.name(m.name), read=[])

    # ------------------------------------------------------------ events
    def happen(self, events: Sequence[tuple[str, tuple[Value, ...], Truth, bool]], s: Sym, fn: Function, pc: int) -> list[Sym]:
        """What waited for the end of what happens at once."""
        here = s
        for name, args, when, many in events:
            callee = self.program.functions[name]
            if many:
                written = self.footprints.of([ir.Do(name, ())])
                at = self.node(fn, pc, "events")
                self.edge(here, at)
                self.forget(here, written, None if written.zones else [])
                self.begin(here, at)
                one = here.fork()
                for t, _ in self.rule(name, [self.unknown(x.type, x.name) for x in callee.locals[:callee.arity]], one).returns:
                    self.edge(t, at)
                continue
            skipped = here.fork(no(when))
            here.assume(when)
            for t, _ in self.rule(name, list(args), here).returns:
                skipped = self.met(skipped, t, fn, pc)
            here = skipped
        return [here]

    # ------------------------------------------------------------ choices
    def offered(self, i: ir.Choose, s: Sym) -> list[Sym]:
        """Each kind of option that may be taken."""
        out: list[Sym] = []
        for o in i.offers:
            t = s.fork()
            f = t.frames[-1]
            for b in o.binders:
                over = self.set(b.domain, t, f)
                k = self.new.number("option", 0)
                f[b.var] = add(k, b.offset)
                t.assume(over.member(k))
            t.assume(truth(self.value(o.test, t, f)))
            values = [self.of_type(v, self.stack[-1].locals[x].type, t, f) for x, v in zip(i.locals, o.values, strict=True)]
            for x, v in zip(i.locals, values, strict=True):
                f[x] = v
            if not t.dead:
                out.append(t)
        return out

    # ------------------------------------------------------------ effects
    def effect(self, i: ir.Instr, s: Sym, f: list[Value], fn: Function) -> None:
        match i:
            case ir.Assign(local=x, value=v):
                f[x] = self.of_type(v, fn.locals[x].type, s, f)
                self.locals_left(s, fn, x, f[x])
            case ir.Store():
                self.store(i, s, f)
            case ir.Put(card=card, zone=zone):
                self.put(s, num(self.value(card, s, f)), num(self.value(zone, s, f)))
            case ir.Renew(card=card):
                self.renew(s, num(self.value(card, s, f)))
            case ir.Insert(multiset=name, values=values):
                self.insert(s, name, self.entry(name, values, s, f))
            case ir.Remove(multiset=name, values=values):
                self.remove(s, name, self.entry(name, values, s, f))
            case ir.Clear(multiset=name):
                m = self.layout.containers[name]
                fresh = self.fresh_entries(m)
                s.entries[name] = Entries(fresh.version, 0, z3.K(z3.IntSort(), z3.IntVal(0)))
            case ir.New(pool=name, values=values, local=x):
                self.make(s, name, self.entry(name, values, s, f), f, x)
            case ir.Free(pool=name):
                e = s.entries[name]
                s.assume(less(0, e.size))
                s.entries[name] = replace(e, size=subtract(e.size, 1))
                m = self.layout.containers[name]
                for k in (c + j for c in m.columns for j in range(m.capacity)):
                    s.slots[k] = self.unknown(self.layout.slots[k].type, name)
            case ir.BatchBegin():
                if not s.batch:
                    s.frozen = s.fork()
                s.batch += 1
            case ir.BatchEnd():
                s.batch -= 1
            case ir.Consult() | ir.Shuffle() | ir.Label():
                pass
            case _:
                raise TooMuch(f"{type(i).__name__} is not followed")

    def store(self, i: ir.Store, s: Sym, f: list[Value]) -> None:
        index: Num = 0 if i.index is None else num(self.value(i.index, s, f))
        given = self.of_type(i.value, self.layout.slots[i.base].type, s, f)
        block = self.block_of.get(i.base)
        of = self.layout.slots[i.base].type
        if block is not None:
            if isinstance(of, SetType):
                return
            card = add(index, i.base - block)
            old = self.select(s.blocks[block], card)
            new = num(given) if i.op == "set" else add(old, given) if i.op == "add" else self.new.number("said")
            self.said(s, block, card, old, new)
            return
        def joined(old: Value) -> Value:
            match i.op:
                case "set":
                    return given
                case "add":
                    return add(old, given)
                case "union":
                    return self.joined(set_of(old), set_of(given))
                case "without":
                    return self.cut("without", set_of(old), set_of(given))
        if isinstance(index, int):
            k = i.base + index
            if k in s.slots:
                self.set_slot(s, k, True, joined(s.slots[k]))
            return
        lo, hi = bounds(index)
        for j in range(max(0, lo or 0), min(i.count - 1, i.count - 1 if hi is None else hi) + 1):
            self.set_slot(s, i.base + j, equal(index, j), joined(s.slots[i.base + j]))

    def locals_left(self, s: Sym, fn: Function, x: int, v: Value) -> None:
        """A number of the rule whose loop it is may leave its range."""
        if len(s.frames) == 1 and not isinstance(v, SetOf) and isinstance(fn.locals[x].type, Int):
            lo, hi = domain(fn.locals[x].type)
            n = num(v)
            s.left[-1 - x] = either(s.left.get(-1 - x, False), no(both(at_most(lo, n), at_most(n, hi))))

    def set_slot(self, s: Sym, k: int, when: Truth, value: Value) -> None:
        of = self.layout.slots[k].type
        if not isinstance(value, SetOf) and not isinstance(of, SetType):
            lo, hi = domain(of)
            v = num(value)
            outside = no(both(at_most(lo, v), at_most(v, hi)))
            s.left[k] = either(s.left.get(k, False), both(when, outside))
            if isinstance(of, Bool):
                value = truth(value)
        s.slots[k] = choose(when, value, s.slots[k])

    def said(self, s: Sym, block: int, card: Num, old: Num, new: Num) -> None:
        """Something else is said of a card."""
        of = self.layout.slots[block].type
        lo, hi = domain(of)
        s.left[block] = either(s.left.get(block, False), no(both(at_most(lo, new), at_most(new, hi))))
        for x in self.counted.get(block, ()):
            if x is None:
                s.sums[block, x] = add(s.sums[block, x], subtract(new, old))
            else:
                by = subtract(num(choose(equal(new, x), 1, 0)), num(choose(equal(old, x), 1, 0)))
                s.sums[block, x] = add(s.sums[block, x], by)
                self.new.fact(implies(equal(old, x), True))
        s.blocks[block] = z3.Store(s.blocks[block], term(card), term(new))  # pyright: ignore[reportArgumentType]

    def put(self, s: Sym, card: Num, zone: Num) -> None:
        old = self.zone_of(s, card)
        before = self.select(s.sizes, old)
        lying = at_most(0, old)
        s.assume(implies(lying, less(0, before)))
        sizes: Array = z3.If(boolean(lying), z3.Store(s.sizes, term(old), term(subtract(before, 1))), s.sizes)  # pyright: ignore[reportAssignmentType]
        s.sizes = z3.Store(sizes, term(zone), term(add(self.select(sizes, zone), 1)))  # pyright: ignore[reportAttributeAccessIssue]
        s.location = z3.Store(s.location, term(card), term(zone))  # pyright: ignore[reportAttributeAccessIssue]
        for group in self.puts:
            group.append(bounds(zone))

    def renew(self, s: Sym, card: Num) -> None:
        """What referred to the card as an object refers to nothing."""
        for k, v in s.slots.items():
            if self.layout.slots[k].type.role is Role.OBJECT and not isinstance(v, SetOf):
                s.slots[k] = choose(equal(v, card), -1, v)
        for b in self.layout.per_card:
            if self.layout.slots[b].type.role is Role.OBJECT:
                old, none = s.blocks[b], s.sums.get((b, -1))
                s.blocks[b] = self.array(self.layout.slots[b].name, lambda k, v, old=old: equal(
                    v, num(choose(equal(self.select(old, k), card), -1, self.select(old, k)))))
                if none is not None:
                    more = self.new.number("none", 0, self.cards)
                    self.new.fact(at_most(none, more))
                    s.sums[b, -1] = more
        for fn, f in zip(self.stack, s.frames, strict=False):
            for x, of in enumerate(fn.locals):
                if of.type.role is Role.OBJECT and isinstance(of.type, OptionType) and not isinstance(f[x], SetOf):
                    f[x] = choose(equal(f[x], card), -1, f[x])
        for m in self.layout.containers.values():
            if not m.is_pool and any(self.layout.slots[c].type.role is Role.OBJECT for c in m.columns):
                s.entries[m.name] = replace(s.entries[m.name], version=self.new.name(m.name), read=[])

    # ------------------------------------------------------------ containers
    def entry(self, name: str, values: Sequence[ir.Expr], s: Sym, f: list[Value]) -> list[Value]:
        """The values of an entry."""
        columns = self.layout.containers[name].columns
        return [self.of_type(v, self.layout.slots[c].type, s, f) for c, v in zip(columns, values, strict=True)]

    def insert(self, s: Sym, name: str, values: list[Value]) -> None:
        m, e = self.layout.containers[name], s.entries[name]
        each = e.of_each
        if (n := self.ability(m)) is not None:
            which = num(values[n])
            each = z3.Store(each, term(which), term(add(self.select(each, which), 1)))
        s.entries[name] = Entries(self.new.name(name), add(e.size, 1), each)  # pyright: ignore[reportArgumentType]

    def remove(self, s: Sym, name: str, values: list[Value]) -> None:
        m, e = self.layout.containers[name], s.entries[name]
        there = self.there(s.frozen or s, m, values)
        each = e.of_each
        if (n := self.ability(m)) is not None:
            which = num(values[n])
            mine = self.select(each, which)
            self.new.fact(implies(there, less(0, mine)))
            each = z3.Store(each, term(which), term(subtract(mine, num(choose(there, 1, 0)))))
        s.entries[name] = Entries(self.new.name(name), subtract(e.size, num(choose(there, 1, 0))), each)  # pyright: ignore[reportArgumentType]

    def make(self, s: Sym, name: str, values: list[Value], f: list[Value], x: int) -> None:
        m, e = self.layout.containers[name], s.entries[name]
        s.entries[name] = replace(e, size=add(e.size, 1))
        k = self.new.number("place", 0, m.capacity - 1)
        f[x] = k
        for c, v in zip(m.columns, values, strict=True):
            for j in range(m.capacity):
                s.slots[c + j] = choose(equal(k, j), v, s.slots[c + j])


# ---------------------------------------------------------------- code
def known_members(v: Value) -> int | None:
    """All members of a set, where they are known."""
    return int(v) if isinstance(v, int) else v.known if isinstance(v, SetOf) else None


def loop_heads(fn: Function) -> frozenset[int]:
    """Where loops begin. Raises TooMuch for a loop that is none of the language's."""
    heads = {to for pc, i in enumerate(fn.code) for to in successors(i, pc) if to <= pc}
    for pc in heads:
        if not isinstance(fn.code[pc], ir.Label | ir.Next):
            raise TooMuch(f"a loop without a head in {fn.name}")
    return frozenset(heads | {pc for pc, i in enumerate(fn.code) if isinstance(i, ir.Next)})


def loop_region(fn: Function, head: int) -> frozenset[int]:
    """The places from which play comes back to the head, the head included."""
    before: dict[int, list[int]] = {}
    for pc, i in enumerate(fn.code):
        for to in successors(i, pc):
            before.setdefault(to, []).append(pc)
        for h in fn.handlers:
            if h.first <= pc < h.last:
                before.setdefault(h.target, []).append(pc)
    out, todo = {head}, [pc for pc in before.get(head, ()) if pc >= head]
    while todo:
        pc = todo.pop()
        if pc not in out:
            out.add(pc)
            todo += before.get(pc, ())
    return frozenset(out)


def locals_set(i: ir.Instr) -> set[int]:
    """Every local that an instruction may set."""
    match i:
        case ir.Next(rest=rest, var=var):
            return {rest, var}
        case ir.Choose(locals=xs):
            return set(xs)
        case ir.ChooseSome(local=x) | ir.Assign(local=x) | ir.New(local=x):
            return {x}
        case ir.Do(local=x) | ir.Invoke(local=x):
            return set() if x is None else {x}
        case _:
            return set()


def tagging(fn: Function) -> set[int]:
    """The locals that say which kind of option was taken, or whether something was done."""
    out = {x for x, v in enumerate(fn.locals) if isinstance(v.type, Bool)}
    for i in fn.code:
        if isinstance(i, ir.Choose) and isinstance(i.type, UnionType):
            out.add(i.locals[0])
    return out


def merged_intervals(found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for lo, hi in sorted(set(found)):
        if out and lo <= out[-1][1] + 1:
            out[-1] = out[-1][0], max(out[-1][1], hi)
        else:
            out.append((lo, hi))
    return out


__all__ = ["Array", "Done", "Edge", "Exits", "Int", "Ways", "equal", "every", "loop_heads", "loop_region", "truth"]
