"""Procedures as terms: all ways from one label to the next, merged where they meet with the same frames.

The frames of a label (functions and places) are known, the values in slots and locals need not be. So a transition is
one term for each slot at each label that it may lead to; nothing is enumerated but labels.
"""
from __future__ import annotations

import heapq
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from math import comb

import networkx as nx

from ...model.engine.interpreter import MOST_OPTIONS
from ...model.engine.state import CHANCE, NOBODY, OPEN, READING
from ...model.ir import nodes as ir
from ...model.ir.flow import call_graph, live_across_calls, liveness
from ...model.ir.program import Function, Program
from ...model.ir.types import ReadingType, Type
from . import masks
from . import numbers as n
from . import truths as t
from .machine import Machine
from .numbers import Val
from .states import Frame, Halt, Sym
from .truths import Truth

Places = tuple[tuple[str, int], ...]
"""Function and place in its code of each frame, outermost first."""


CARDS_OWN = ("text ", "cost ")
"""What the names of procedures begin with that cards bring along: pieces end before them, so that each is run once."""


@dataclass
class Question:
    """What is decided at a label: by whom, and between what. `offers`: each option, if the condition holds; of a
    subset, what it is taken from and how many members it has at least and at most."""

    owner: Val
    type: Type | None
    offers: tuple[tuple[Truth, tuple[Val, ...]], ...] = ()
    among: Val = 0
    least: Val = 0
    most: Val = 0
    is_subset: bool = False
    clause: str = ""
    reading: str = ""

    def offered(self, option: Sequence[Val]) -> Truth:
        """Is this one of the options?"""
        if self.is_subset:
            (some,) = option
            size = n.count(n.bits(some))
            return t.both(
                n.equal(masks.without(some, self.among), 0), n.at_most(self.least, size), n.at_most(size, self.most)
            )
        return t.some(t.both(there, *map(n.equal, values, option)) for there, values in self.offers)

    @property
    def columns(self) -> list[tuple[Val, ...]]:
        """For each scalar of an option, what it is in each of them."""
        if not self.offers:
            return [()] * (0 if self.type is None else self.type.width)
        return list(zip(*(values for _, values in self.offers), strict=True))

    @property
    def none(self) -> Truth:
        """There is no option."""
        return False if self.is_subset else t.no(t.some(there for there, _ in self.offers))

    @property
    def first(self) -> tuple[Val, ...]:
        """The only option, where there is one only."""
        if self.is_subset:
            return (n.choose(n.equal(self.most, 0), 0, self.among, True),)
        if not self.offers:
            return ()
        tests = [there for there, _ in self.offers]
        return tuple(n.select(list(zip(tests, c, strict=True))[:-1], c[-1]) for c in self.columns)

    @property
    def several(self) -> Truth:
        """There is more than one option (equal ones are one)."""
        if self.is_subset:
            size = n.count(n.bits(self.among))
            one = t.both(n.equal(self.least, self.most), t.either(n.equal(self.most, 0), n.equal(self.most, size)))
            return t.no(one)
        first = self.first
        return t.some(t.both(there, t.no(t.every(map(n.equal, values, first)))) for there, values in self.offers)


@dataclass
class Left:
    """The outermost procedure is left, under a condition: with a result, or by a signal; and the slots then."""

    when: Truth
    slots: list[Val]
    result: Val
    signal: str = ""


class Transitions(Machine):
    """Runs procedures from one label to the next."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        order = nx.topological_sort(nx.condensation(call_graph(program)))
        members = nx.condensation(call_graph(program)).nodes(data="members")
        self.depth = {name: k for k, c in enumerate(order) for name in members[c]}
        self._live: dict[str, tuple[list[frozenset[int]], list[frozenset[int]]]] = {}
        self.left: list[Left] | None = None
        """In a piece of a procedure that anybody may have called: how it is left. Such a piece ends before each round
        of a loop, too. None where it is not about pieces."""
        self.keeps_parameters = False
        """At a label parameters have values even where nobody will read them."""
        self.fresh = 0
        self.looking = 0
        self.cuts = frozenset(name for name in program.functions if name.startswith(CARDS_OWN))

    # ------------------------------------------------------------ who decides what
    def question(self, s: Sym) -> Question | None:
        """What is decided where a state stands; None where nothing is (a loop's head, a call)."""
        frame = s.frames[-1]
        i = frame.fn.code[frame.pc]
        match i:
            case ir.Choose(owner=owner, offers=offers, type=of):
                who, clause = self._owner(owner, s, frame)
                found = tuple(x for o in offers for x in self._offered(o, s, frame.locals))
                return Question(who, of, found, clause=clause)
            case ir.ChooseSome(owner=owner, type=of):
                who, clause = self._owner(owner, s, frame)
                among, most, least = (self.value(e, s, frame.locals) for e in (i.among, i.most, i.least))
                size = n.count(n.bits(among))
                hi = n.greatest(0, n.least(most, size))
                lo = n.greatest(0, n.least(least, hi))
                self._few_enough(s, size, lo, hi)
                return Question(who, of, among=among, least=lo, most=hi, is_subset=True, clause=clause)
            case ir.Consult(reading=name):
                alternatives = self.program.readings[name]
                of = ReadingType(name, len(alternatives), alternatives)
                return Question(READING, of, tuple((True, (k,)) for k in range(len(alternatives))), reading=name)
            case _:
                return None

    def _owner(self, owner: ir.Owner, s: Sym, frame: Frame) -> tuple[Val, str]:
        match owner:
            case ir.ByPlayer(player=player):
                return self.value(player, s, frame.locals), ""
            case ir.ByChance():
                return CHANCE, ""
            case ir.ByNobody(clause=clause):
                return OPEN, clause
        return NOBODY, ""

    def _offered(self, o: ir.Offer, s: Sym, f: list[Val]) -> list[tuple[Truth, tuple[Val, ...]]]:
        """The options of one offer."""
        out: list[tuple[Truth, tuple[Val, ...]]] = []

        def spread(k: int, there: Truth) -> None:
            if k == len(o.binders):
                with self.under(there):
                    tested = n.holds(self.value(o.test, s, f))
                both = t.both(there, tested)
                if both is not False:
                    with self.under(both):
                        out.append((both, tuple(self.value(v, s, f) for v in o.values)))
                return
            b = o.binders[k]
            with self.under(there):
                members = n.bits(self.value(b.domain, s, f))
            before = f[b.var]
            for m, inside in enumerate(members):
                if inside is not False:
                    f[b.var] = m + b.offset
                    spread(k + 1, t.both(there, inside))
            f[b.var] = before
        spread(0, True)
        return out

    def any_offered(self, i: ir.Choose, s: Sym, f: list[Val]) -> tuple[tuple[Val, ...], Truth]:
        """An option of which is only known that it is one of those offered, and the condition that it is: the binders
        are values of which nothing else is known, instead of every value they may have."""
        ways: list[tuple[Truth, tuple[Val, ...]]] = []
        for o in i.offers:
            before = {b.var: f[b.var] for b in o.binders}
            there: list[Truth] = []
            with ExitStack() as conditions:
                for b in o.binders:
                    f[b.var], inside = self.bound(b, s, f)
                    there.append(inside)
                    conditions.enter_context(self.under(there[-1]))
                there.append(n.holds(self.value(o.test, s, f)))
                conditions.enter_context(self.under(there[-1]))
                values = tuple(self.value(v, s, f) for v in o.values)
            for x, v in before.items():
                f[x] = v
            if (here := t.every(there)) is not False:
                ways.append((here, values))
        if not ways:
            return (0,) * len(i.locals), False
        which = self.unknown(0, len(ways) - 1)
        tests = [n.equal(which, k) for k in range(len(ways))]
        option = tuple(
            n.select(list(zip(tests, column, strict=True))[:-1], column[-1])
            for column in zip(*(values for _, values in ways), strict=True))
        return option, t.some(t.both(test, here) for test, (here, _) in zip(tests, ways, strict=True))

    def bound(self, b: ir.Binder, s: Sym, f: list[Val]) -> tuple[Val, Truth]:
        """Any value that a binder may have, and the condition that it may."""
        members = self.value(b.domain, s, f)
        v = self.unknown(0, len(n.bits(members)) - 1)
        return n.add(v, b.offset), masks.member(v, members)

    def taken(self, i: ir.Choose | ir.ChooseSome, s: Sym, f: list[Val]) -> tuple[tuple[Val, ...], Truth] | None:
        """An option of which is only known that it is one, and the condition that it is; None where all are gone through."""
        return self.any_offered(i, s, f) if isinstance(i, ir.Choose) else None

    def unknown(self, lo: int, hi: int) -> Val:
        """A value of which nothing is known but its bounds."""
        self.fresh += 1
        return n.variable(f"any{self.fresh}", lo, max(lo, hi))

    def _few_enough(self, s: Sym, size: Val, lo: Val, hi: Val) -> None:
        """There are not more ways to choose than are enumerated."""
        cards = n.hi_of(size)
        if 1 << cards <= MOST_OPTIONS:
            return
        many: list[Truth] = []
        for total, least in product(range(n.lo_of(size), cards + 1), range(cards + 1)):
            ways = 0
            for most in range(least, total + 1):
                ways += comb(total, most)
                if ways > MOST_OPTIONS:
                    many.append(t.both(n.equal(size, total), n.equal(lo, least), n.at_most(most, hi)))
                    break
        self.fail(s, t.some(many), "bound", "options")

    def defined(self, s: Sym, name: str, args: list[Val]) -> tuple[Val, list[Halt]]:
        self.looking += 1
        try:
            return super().defined(s, name, args)
        finally:
            self.looking -= 1

    # ------------------------------------------------------------ one transition
    def run(self, s: Sym, option: Sequence[Val] | None, resumed: bool) -> list[Sym]:
        """All labels that can be come to; how play ends instead is among the `halts`. `option` is taken where the
        state stands at a choice."""
        ways = Stacks(self)
        arrivals: dict[Places, Sym] = {}
        ways.add(s)
        while (way := ways.next()) is not None:
            s = way
            while not s.dead:
                frame = s.frames[-1]
                fn, pc = frame.fn, frame.pc
                i = fn.code[pc]
                goes_on = self.instruction(i, s, frame, option, resumed, ways, arrivals)
                resumed = False
                if goes_on is None:
                    break
                s = goes_on
                if self.joined(s) and ways.waiting:
                    ways.add(s)
                    break
        return list(arrivals.values())

    def joined(self, s: Sym) -> bool:
        f = s.frames[-1]
        return f.pc in self.codes[f.fn.name].joins or f.pc == 0

    def instruction(
        self, i: ir.Instr, s: Sym, frame: Frame, option: Sequence[Val] | None, resumed: bool, ways: Stacks,
        arrivals: dict[Places, Sym],
    ) -> Sym | None:
        """Carry out an instruction: the state if it simply goes on; else its ways were added."""
        pc, f, code = frame.pc, frame.locals, self.codes[frame.fn.name]
        match i:
            case ir.Jump(target=to):
                go(frame, to, code.key(pc, to))
            case ir.Branch(test=test, otherwise=to):
                for goes, there in self.branched(s, n.holds(self.value(test, s, f)), pc + 1, to):
                    go(goes.frames[-1], there, code.key(pc, there))
                    ways.add(goes)
                return None
            case ir.Next() if self.left is not None and s.batch is None:
                if not resumed:
                    return self.arrive(s, arrivals)
                self.next_round(s, frame, i, ways)
                return None
            case ir.Next():
                for goes, there, key in self.next_member(s, frame, i, pc, code):
                    go(goes.frames[-1], there, key)
                    ways.add(goes)
                return None
            case ir.Label():
                if not resumed:
                    return self.arrive(s, arrivals)
                go(frame, pc + 1)
            case ir.Choose() | ir.ChooseSome():
                taken = self.come_to_choice(i, s, arrivals) if not resumed else option
                if taken is None:
                    return None
                targets = i.locals if isinstance(i, ir.Choose) else (i.local,)
                for x, v in zip(targets, taken, strict=True):
                    f[x] = v
                go(frame, pc + 1)
            case ir.Consult(slot=slot):
                unset = n.less(s.slots[slot], 0)
                if resumed:
                    assert option is not None
                    s.set(slot, n.choose(unset, option[0], s.slots[slot]))
                elif unset is not False:
                    if s.path.known(unset) is not False:
                        self.arrive(s.fork(unset), arrivals)
                    s.path = s.path.plus(t.no(unset))
                    if s.dead:
                        return None
                    s.set(slot, n.narrowed(s.slots[slot], 0, n.hi_of(s.slots[slot])))
                go(frame, pc + 1)
            case ir.Invoke():
                if not resumed and (i.stop or (self.left is not None and i.function in self.cuts)):
                    return self.arrive(s, arrivals)
                return self.invoke(i, s, frame)
            case ir.Return(value=v):
                return self.leave(s, 0 if v is None else self.value(v, s, f))
            case ir.Throw():
                return self.unwind(i, s)
            case _:
                s = self.effect(i, s, frame)
                if s.dead:
                    return None
                go(s.frames[-1], pc + 1)
        return s

    def come_to_choice(self, i: ir.Choose | ir.ChooseSome, s: Sym, arrivals: dict[Places, Sym]) -> Sequence[Val] | None:
        """A choice is come to: the only option there is; None where play cannot go on so."""
        q = self.question(s)
        assert q is not None
        if s.dead:
            return None
        self.fail(s, q.none, "gap", " ".join(i.at.clauses))
        several = q.several
        if several is not False:
            if s.path.known(several) is not False:
                self.arrive(s.fork(several), arrivals)
            s.path = s.path.plus(t.no(several))
        return None if s.dead else q.first

    def next_round(self, s: Sym, frame: Frame, i: ir.Next, ways: Stacks) -> None:
        """One round of a loop, whichever member it is for; or the way on, behind the loop."""
        there = self.is_any_left(i, frame.locals[i.rest])
        done = s.fork(t.no(there))
        go(done.frames[-1], i.done)
        ways.add(done)
        s.path = s.path.plus(there)
        if not s.dead:
            frame.locals[i.var], frame.locals[i.rest] = self.member_of_round(s, i, frame.locals[i.rest])
            go(frame, frame.pc + 1)
            ways.add(s)

    def is_any_left(self, i: ir.Next, rest: Val) -> Truth:
        """Is there a member left for a round?"""
        return t.no(n.equal(rest, 0))

    def member_of_round(self, s: Sym, i: ir.Next, rest: Val) -> tuple[Val, Val]:
        """The member that a round is for, and those that are left."""
        member = masks.lowest(rest)
        return n.add(member, i.offset), masks.without(rest, masks.single(member))

    def invoke(self, i: ir.Invoke, s: Sym, frame: Frame) -> Sym | None:
        callee = self.frame(i.function, [self.value(a, s, frame.locals) for a in i.args])
        if i.tail:
            s.frames.pop()
        elif len(s.frames) >= self.program.stack_depth:
            self.fail(s, True, "bound", "stack")
        s.frames.append(callee)
        return None if s.dead else s

    def leave(self, s: Sym, value: Val) -> Sym | None:
        """The topmost procedure gives its result to its caller."""
        if s.dead:
            return None
        if len(s.frames) == 1 and self.left is not None:
            self.left.append(Left(s.path.term, s.share(), value))
            return None
        s.frames.pop()
        if not s.frames:
            self.fail(s, True, "over")
            return None
        caller = s.frames[-1]
        call = caller.fn.code[caller.pc]
        assert isinstance(call, ir.Invoke)
        if call.local is not None:
            caller.locals[call.local] = value
        go(caller, caller.pc + 1)
        return s

    def unwind(self, i: ir.Throw, s: Sym) -> Sym | None:
        while s.frames:
            f = s.frames[-1]
            inside = [h for h in f.fn.handlers if h.first <= f.pc < h.last and h.signal == i.signal]
            if inside:
                h = min(inside, key=lambda h: h.last - h.first)
                go(f, h.target, self.codes[f.fn.name].key(f.pc, h.target))
                return s
            s.frames.pop()
        if self.left is not None:
            self.left.append(Left(s.path.term, s.share(), 0, i.signal))
            return None
        at = f" ({i.at.file}:{i.at.line})" if i.at.line else ""
        self.fail(s, True, "fault", f"nothing catches {i.signal}{at}")
        return None

    # ------------------------------------------------------------ labels
    def arrive(self, s: Sym, arrivals: dict[Places, Sym]) -> None:
        """A transition ends here. Locals that nobody will read hold nothing."""
        if s.dead:
            return
        for depth, f in enumerate(s.frames):
            at, during = self.live(f.fn)
            alive = (at if depth == len(s.frames) - 1 else during)[f.pc]
            fresh = self.codes[f.fn.name].fresh
            told = f.fn.arity if self.keeps_parameters else 0
            f.locals = [v if k in alive or k < told else fresh[k] for k, v in enumerate(f.locals)]
            f.key = 0
        self.meet(s, arrivals)

    def meet(self, s: Sym, there: dict[Places, Sym]) -> None:
        """A state comes to where its frames stand: merged with what has come there already."""
        places = tuple((f.fn.name, f.pc) for f in s.frames)
        other = there.get(places)
        there[places] = s if other is None else self.merger.merge(other, s)

    def live(self, fn: Function) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
        """The locals that may still be read, at each place and during each call."""
        if fn.name not in self._live:
            at = liveness(fn)
            self._live[fn.name] = at, live_across_calls(fn, at)
        return self._live[fn.name]


def go(frame: Frame, pc: int, key: float | None = None) -> None:
    frame.pc, frame.key = pc, pc if key is None else key


Shape = tuple[tuple[int, float, str, int], ...]


class Stacks:
    """The ways that are still to be followed, by frames; those that meet are merged. The innermost comes first."""

    def __init__(self, machine: Transitions) -> None:
        self.machine = machine
        self.at: dict[Shape, Sym] = {}
        self.order: list[Shape] = []

    @property
    def waiting(self) -> bool:
        return bool(self.at)

    def add(self, s: Sym) -> None:
        if s.dead:
            return
        shape = tuple((self.machine.depth[f.fn.name], f.key, f.fn.name, f.pc) for f in s.frames)
        other = self.at.get(shape)
        if other is None:
            heapq.heappush(self.order, shape)
        self.at[shape] = s if other is None else self.machine.merger.merge(other, s)

    def next(self) -> Sym | None:
        return self.at.pop(heapq.heappop(self.order)) if self.order else None
