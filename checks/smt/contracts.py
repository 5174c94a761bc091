"""Procedures one at a time: what a call does is what is known of every call of that procedure.

A piece of a procedure runs from its beginning, or from the head of a loop, to where it is left or to the next head. A call
on the way is not entered: the state is anything afterwards, and the call is told of (`Called`), so that whoever asks can say what
is known of it. A choice is taken on the way; that play stands there is told of (`Stand`), too.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ...model.ir import nodes as ir
from ...model.ir.types import Role
from . import numbers as n
from . import truths as t
from .invariants import types_of
from .machine import Code
from .numbers import Beyond, Val
from .others import OWN, Region, Regions
from .representatives import FewOfMany, Representatives
from .segments import Begin, signals
from .slices import Passing, Slice, Unknown
from .sorts import CardStore
from .states import Frame, Merger, Path, Sym, Write
from .symbolic import Symbolic, SymbolicState
from .transitions import Left, Places, Stacks, go
from .truths import Truth

DEEP = 10
"""How many calls are entered, one inside the other, before a condition holds for the first time."""


@dataclass
class Called:
    """A call: when it is made, and when it comes back (then the slots are `after`), with a result (`normally`) or by a signal."""

    function: str
    when: Truth
    args: list[Val]
    before: Sequence[Val]
    back: Truth
    after: Sequence[Val]
    result: Val
    normally: Truth


@dataclass
class Stand:
    """Play may stand here: when, and the slots then. `calls`: how many calls were noted before."""

    when: Truth
    slots: Sequence[Val]
    calls: int = 0


@dataclass
class Entered:
    """An entry is added to a multiset that is kept besides."""

    when: Truth
    multiset: str
    values: list[Val]


@dataclass
class Stretch:
    """A piece of one procedure. `entry`: the slots when it was called."""

    begin: Begin
    state: SymbolicState
    entry: Sequence[Val]
    heads: list[Sym] = field(default_factory=list[Sym])
    left: list[Left] = field(default_factory=list[Left])
    calls: list[Called] = field(default_factory=list[Called])
    stands: list[Stand] = field(default_factory=list[Stand])
    wanted: list[Truth] = field(default_factory=list[Truth])
    """What must never be: that a loop in a step does not keep what is said of it."""
    inside: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])
    """Calls that were entered, because the condition does not hold yet: caller, place, and who was called."""
    ends: list[Truth] = field(default_factory=list[Truth])
    """When play ends here, not at a bound."""
    added: list[Entered] = field(default_factory=list[Entered])
    changed: list[tuple[str, Stand]] = field(default_factory=list[tuple[str, Stand]])
    """Multisets kept besides that were written to, so that they hold anything: each of their entries is an old one or one of those added."""


class KeptMerger(Merger):
    """Looks only at slots that are kept."""

    def __init__(self, masks: Sequence[bool], kept: Sequence[int]) -> None:
        super().__init__(masks)
        self.kept = kept

    def rows(self, test: Truth, a: list[Val], b: list[Val]) -> list[Val]:
        out = a.copy()
        for k in self.kept:
            if a[k] is not b[k]:
                out[k] = n.choose(test, a[k], b[k], self.masks[k])
        return out


class Contracts(Representatives):
    """Runs a slice of a program, one procedure at a time."""

    def __init__(self, part: Slice, few: int) -> None:
        self.part = part
        super().__init__(part.program, few)
        self.regions = Regions(part.program, part.besides)
        self.keeps_parameters = True
        self.merger = KeptMerger(self.is_mask, self.live_slots)
        self.signals = signals(part.whole)
        self.sum_of = {x.block: x.slot for x in part.sums}
        self.now = Stretch(Begin("", 0, "call"), SymbolicState([]), [])
        self.not_yet: Callable[[Sequence[Val]], bool] | None = None
        """At the beginning of play: does the condition not hold yet? Then what is called is entered."""
        self.difference: Callable[[Sequence[Val]], Val] | None = None
        """What has to stay as it is, where numbers are added up over cards."""
        self.rounds: list[tuple[Sequence[Val], Sym]] = []
        """Rounds of loops in steps: the slots when one begins."""

    def is_live(self, slot: int) -> bool:
        return slot in self.part.kept and super().is_live(slot)

    # ------------------------------------------------------------ what is not known
    def value(self, e: ir.Expr, s: Sym, f: list[Val]) -> Val:
        return self.given(e.type) if isinstance(e, Unknown) else super().value(e, s, f)

    def call(self, s: Sym, name: str, args: list[Val]) -> Val:
        if name not in self.part.blurred:
            return super().call(s, name, args)
        value, halts = self.defined(s, name, args)
        for h in halts:
            self.fail(s, h.when, h.kind, h.detail, h.slot, h.who)
        return value

    # ------------------------------------------------------------ on the way
    def instruction(
        self, i: ir.Instr, s: Sym, frame: Frame, option: Sequence[Val] | None, resumed: bool, ways: Stacks,
        arrivals: dict[Places, Sym],
    ) -> Sym | None:
        match i:
            case ir.Consult() | Passing():
                self.stands_here(s)
                if isinstance(i, Passing) and i.local is not None:
                    frame.locals[i.local] = self.given(i.type)
                go(frame, frame.pc + 1)
                return s
            case ir.Choose() | ir.ChooseSome():
                self.stands_here(s)
                return super().instruction(i, s, frame, option, resumed, ways, arrivals)
            case ir.Invoke():
                return self.called(i, s, frame, ways)
            case _:
                return super().instruction(i, s, frame, option, resumed, ways, arrivals)

    def stands_here(self, s: Sym) -> None:
        """Play may stand here."""
        if s.batch is not None:
            raise Beyond("同時に起こることの中の選択", "a choice inside what happens simultaneously")
        if not s.dead:
            self.now.stands.append(Stand(s.path.term, s.share(), len(self.now.calls)))

    def come_to_choice(self, i: ir.Choose | ir.ChooseSome, s: Sym, arrivals: dict[Places, Sym]) -> Sequence[Val] | None:
        if (taken := self.taken(i, s, s.frames[-1].locals)) is None:
            assert isinstance(i, ir.ChooseSome)
            among = n.bits(self.value(i.among, s, s.frames[-1].locals))
            taken = (n.bits_of([b is not False and t.both(b, self.perhaps()) for b in among]),), True
        option, offered = taken
        s.path = s.path.plus(offered)
        return None if s.dead else option

    def called(self, i: ir.Invoke, s: Sym, frame: Frame, ways: Stacks) -> Sym | None:
        """A call: afterwards the state is anything."""
        if s.batch is not None:
            raise Beyond("同時に起こることの中の呼び出し", "a call inside what happens simultaneously")
        if self.not_yet is not None and self.not_yet(s.slots):
            self.now.inside.append((frame.fn.name, frame.pc, i.function))
            if len(s.frames) > DEEP or i.tail:
                raise Beyond("条件が初めから成り立たない", "the condition does not hold at the beginning")
            return self.invoke(i, s, frame)
        args = [self.value(a, s, frame.locals) for a in i.args]
        if s.dead:
            return None
        callee = self.part.whole.functions[i.function]
        given, when, before = self.frame(i.function, args).locals[:callee.arity], s.path.term, s.share()
        result = self.given(callee.result)
        if i.function in self.part.writing:
            s.slots, s.shared, s.memo = self.anything(), False, {}
            if self.part.objects:
                self.any_may_be_gone(frame)
        back = self.perhaps()
        s.path = s.path.plus(back)
        normally = self.perhaps() if self.signals[i.function] else True
        self.now.calls.append(Called(i.function, when, given, before, back, s.share(), result, normally))
        for signal in sorted(self.signals[i.function]):
            gone = s.fork(t.both(t.no(normally), self.perhaps()))
            if not gone.dead and (caught := self.unwind(ir.Throw(signal), gone)) is not None:
                ways.add(caught)
        s.path = s.path.plus(normally)
        return self.after_call(i, s, frame, result)

    def unwind(self, i: ir.Throw, s: Sym) -> Sym | None:
        if s.dead:
            return None
        return super().unwind(i, s)

    # ------------------------------------------------------------ loops in steps, where something is added up
    def _rounds(self, s: Sym, f: Frame, i: ir.Next, pc: int, code: Code) -> Iterator[tuple[Sym, int, float]]:
        """One round, for any card, has to keep the difference; then any number of rounds do."""
        region = self.regions.of(f.fn.name, pc)
        if self.difference is None or (region.spares_cards and not region.slots):
            yield from super()._rounds(s, f, i, pc, code)
            return
        mark = self.top(s).locals[i.rest]
        if isinstance(mark, int) and -len(self.rounds) <= mark < 0:
            self.came_round(s, *self.rounds[mark])
            return
        if region.happens or (region.leaves and s.batch is not None):
            raise Beyond(
                "同時に起こることの中で、足し上げながら抜けるか出来事を知らせる繰り返し",
                "a loop that adds something up, and leaves or tells of events while things happen simultaneously",
            )
        for k in region.locals:
            self.top(s).locals[k] = self.given(f.fn.locals[k].type)
        self.write(s, lambda s: self.any_rounds(s, region))
        done = s.fork()
        self.top(done).locals[i.rest] = 0
        if s.batch is not None:
            s.batch = s.batch[-1:]
        self.rounds.insert(0, (list(s.slots), s))
        top = self.top(s)
        top.locals[i.rest], top.locals[i.var] = -len(self.rounds), self.given(f.fn.locals[i.var].type)
        yield s, pc + 1, pc + 1
        if not done.dead:
            yield done, i.done, code.key(pc, i.done)

    def came_round(self, s: Sym, before: Sequence[Val], begun: Sym) -> None:
        """A round is over: did it keep the difference?"""
        assert self.difference is not None
        after = s
        if s.batch is not None:  # what waits, carried out in any state
            after, waits = s.fork(), s.batch[1:]
            after.batch = None
            after.slots, after.shared, after.memo = self.anything(), False, {}
            before = list(after.slots)
            for w in waits:
                after = self.guarded(after, w.when, lambda s, w=w: w.happen(s))
        if not after.dead:
            same = n.equal(self.difference(before), self.difference(after.slots))
            self.now.wanted.append(t.both(after.path.term, t.no(same)))

    def anything(self) -> list[Val]:
        """Slots of which nothing is known."""
        out: list[Val] = [0] * len(self.layout.slots)
        for k in self.live_slots:
            if self.blocks.get(k) != self.layout.rank:
                out[k] = self.given(self.layout.slots[k].type)
        return out

    def any_rounds(self, s: Sym, region: Region) -> None:
        """What any number of rounds may have done, all of which keep the difference."""
        assert self.difference is not None
        before = self.difference(s.slots)
        for k, v in enumerate(self.anything()):
            if k in region.slots or k in self.blocks or k in self.sum_of.values():
                s.set(k, v)
        s.memo = {}
        s.path = s.path.plus(n.equal(before, self.difference(s.slots)))

    # ------------------------------------------------------------ entries of multisets that are kept besides
    def anything_in(self, s: Sym, name: str) -> None:
        """The multiset holds anything: which entries is not followed, what is said of each is."""
        for k in self.layout.containers[name].slots:
            s.set(k, self.given(self.layout.slots[k].type))
        s.memo = {}
        self.told_anew(s, name)

    def told_anew(self, s: Sym, name: str) -> None:
        self.now.changed.append((name, Stand(s.path.term, list(s.slots))))

    def rounds_of_others(self, s: Sym, f: Frame | None, region: Region, when: Truth) -> None:
        """Entries that rounds for cards that are not followed add, each about the card of its round, are about no card that is followed."""
        super().rounds_of_others(s, f, region, when)
        for name in sorted(self.part.besides):
            m = self.layout.containers[name]
            cards = {k for k, of in enumerate(types_of(m)) if of.role is not Role.PLAIN}
            if m.head in region.slots and all(who == OWN for x, k, who in region.inserts if x == name and k in cards):
                self.write(s, lambda s, name=name: self.told_anew(s, name))

    # ------------------------------------------------------------ writes
    def fail(self, s: Sym, bad: Truth, kind: str, detail: str = "", slot: int = -1, who: Val = -1) -> None:
        if self.looking:
            super().fail(s, bad, kind, detail, slot, who)
            return
        if bad is False or s.dead:
            return
        here = t.every((*self.conditions, bad))
        if kind != "bound":
            self.now.ends.append(t.both(s.path.term, here))
        s.path = s.path.plus(t.no(here))

    def _clashes(self, s: Sym, waiting: Sequence[Write], at: ir.Mark) -> None:
        """A conflict ends play; that there is none is not needed."""

    def effect(self, i: ir.Instr, s: Sym, frame: Frame) -> Sym:
        if isinstance(i, ir.Insert | ir.Remove | ir.Clear) and i.multiset in self.part.besides:
            name = i.multiset
            values = [self.value(x, s, frame.locals) for x in i.values] if isinstance(i, ir.Insert) else None

            def change(s: Sym) -> None:
                if values is not None:
                    self.now.added.append(Entered(s.path.term, name, values))
                self.anything_in(s, name)
            self.write(s, change)
            return s
        if not isinstance(i, CardStore) or i.base not in self.sum_of:
            return super().effect(i, s, frame)
        block, total, f = i.base, self.sum_of[i.base], frame.locals
        card = 0 if i.index is None else self.value(i.index, s, f)
        new = self.value(i.value, s, f)

        def add_up(s: Sym) -> None:
            old = self.said(s, block, card)
            by = new if i.op == "add" else n.subtract(new, old)
            of = self.layout.slots[total].type
            value = n.add(s.slots[total], by)
            self.fail(s, t.no(n.between(value, of.lo, of.hi)), "bound", "", -1)
            s.set(total, n.narrowed(value, of.lo, of.hi))
        self.write(s, add_up)
        return super().effect(i, s, frame)


class Sliced(FewOfMany):
    """A slice of which a few cards are followed."""

    def __init__(self, part: Slice, few: int) -> None:
        self.part, self.contracts = part, Contracts(part, few)
        Symbolic.__init__(self, part.program, self.contracts)

    def stretch(
        self, begin: Begin, first: Sequence[int] | None = None, not_yet: Callable[[Sequence[Val]], bool] | None = None,
    ) -> Stretch:
        """Run a piece of a procedure, from any state; or from the slots play begins with (`not_yet`: does the condition not hold
        yet?). Raises Beyond."""
        m = self.contracts
        state = self.fresh_state(
            places=[(begin.function, begin.pc)],
            known=None if first is None else dict(enumerate(first)),
            parameters=True,
        )
        m.not_yet = None if first is None else not_yet
        entry = state.slots if begin.kind == "call" and begin.site < 0 else self.fresh_state(prefix="entry:").slots
        m.now, m.left, m.halts = Stretch(begin, state, entry), [], []
        try:
            s = Sym(
                list(state.slots),
                Path(None, True),
                [Frame(self.functions[k], pc, list(x)) for k, pc, x in state.frames],
            )
            m.now.heads = m.run(s, (), begin.kind in ("label", "round"))
            m.now.left = m.left
            return m.now
        finally:
            m.left = None
