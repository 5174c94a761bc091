"""The machine of `smt/representatives.py` with what goes down beside it: how many cards lie in each zone, and how many each set has.

One card is followed: the first that is taken on a way (by a choice, or by a loop over cards), whichever it is. Every way has such a card
or takes none, so to follow it leaves no way out. What is called is carried out where it is called, and every choice is anybody's.
Where something is stated of a loop (`quantities.stated`), another card is followed beside it, whichever of the others it is.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.footprints import TOUCH, Footprints
from ...model.ir.program import ContainerInfo, Function, Program, Slot
from ...model.ir.types import Bool, Int, Type
from ..smt import numbers as n
from ..smt import truths as t
from ..smt.numbers import Refused, Val
from ..smt.others import Region
from ..smt.representatives import Representatives
from ..smt.segments import signals
from ..smt.sorts import CARDS, CardBinder, CardsNext, sort_of
from ..smt.states import Frame, Sym
from ..smt.transitions import Places, Stacks, go
from ..smt.truths import Truth

STEP = 40_000
"""What an instruction costs, in units of z3: about as much of its time."""
UNROLLED = 4
"""Members of a known set up to which a loop over it is carried out round by round."""
ZONES, GIVEN = "zones", "given"
"""The groups of the slots that say where cards lie, and which piles lie as they were given."""


class TooMuch(Refused):
    """What cannot be followed, and why."""


@dataclass
class Budget:
    """How much work may still be done for a loop, in units of z3 (`rlimit`): the same on every machine, so that the same is found on all."""

    left: int

    def spend(self, work: int) -> None:
        """Raises TooMuch where there is no more."""
        self.left -= work
        if self.left < 0:
            raise TooMuch("決められた計算量の中で答えが出なかった", "no answer within the work set for one loop")


@dataclass
class Passed:
    """An instruction that was carried out, under a condition."""

    when: Truth
    mark: ir.Mark
    function: str


def with_sizes(program: Program) -> Program:
    """The program, with a slot more for each zone (how many cards lie in it), and one that says whether a card was taken."""
    layout = program.layout
    sizes = (Slot(f"cards in {z.name}", Int(0, layout.card_count), 0, ZONES) for z in layout.zones)
    return replace(program, layout=replace(layout, slots=(*layout.slots, *sizes, Slot("a card was taken", Bool(), 0))))


class Counting(Representatives):
    """Runs procedures of a program `with_sizes`. `closed`: procedures and steps that are not entered; `group`: those of them whose calls are noted."""

    def __init__(
        self, program: Program, budget: Budget, closed: Collection[str], group: Collection[str] = ()
    ) -> None:
        super().__init__(program, 2 if program.decreases else 1)
        self.sides += [*map(n.in_bounds, self.cards), *(t.no(n.equal(a, b)) for a, b in pairwise(self.cards))]
        self.budget, self.closed, self.group = budget, closed, group
        self.taken_slot = len(self.layout.slots) - 1
        self.first_size = self.taken_slot - len(self.layout.zones)
        self.footprints, self.signals = Footprints(program), signals(program)
        self.left, self.cuts, self.watch = [], frozenset(), self.passed
        self.done: list[Passed] = []
        self.calls: list[tuple[str, Sym]] = []
        self.first_binders: set[int] = set()
        self.region: frozenset[int] | None = None
        """Of the outermost procedure: places beyond which no way comes back."""

    def passed(self, s: Sym, fn: Function, i: ir.Instr) -> None:
        """Notes an instruction before it is carried out. Raises TooMuch."""
        self.budget.spend(STEP)
        if i.at.clauses and not self.looking:
            self.done.append(Passed(s.path.term, i.at, fn.name))

    # ------------------------------------------------------------ how many
    def variable(self, name: str, of: Type) -> Val:
        v = super().variable(name, of)
        if sort_of(of) != CARDS:
            return v
        *mine, _ = self.members(v)
        size = n.variable(f"{name} size", 0, self.count)
        self.sides += [n.in_bounds(size), n.at_most(n.count(mine), size)]
        return n.sized(n.bits_of((*mine, n.less(n.count(mine), size))), size)

    def known_set(self, mask: int) -> Val:
        return n.sized(super().known_set(mask), mask.bit_count())

    def size(self, mask: Val) -> Val:
        known = n.size_of(mask)
        return super().size(mask) if known is None else known

    def alone(self, card: Val) -> Val:
        return n.sized(super().alone(card), n.choose(n.less(card, 0), 0, 1))

    def of_two(self, op: str, a: Val, b: Val) -> Val:
        """Of a set with or without others, all of which are followed, it is known how many it has; of one that is a part, how many at most."""
        out, size = super().of_two(op, a, b), n.size_of(a)
        *mine, _ = self.members(a)
        *theirs, others = self.members(b)
        if op == "meet" or (op == "without" and others is not False):
            most = [x for x in (size, n.size_of(b) if op == "meet" else None) if x is not None]
            left = self.unknown(0, self.count) if most else None
            self.sides += [n.at_most(left, x) for x in most if left is not None]
            return n.sized(out, left)
        if op not in ("union", "without") or size is None or others is not False:
            return out
        if op == "union":
            return n.sized(out, n.add(size, n.count([t.both(q, t.no(p)) for p, q in zip(mine, theirs, strict=True)])))
        left = n.subtract(size, n.count([t.both(p, q) for p, q in zip(mine, theirs, strict=True)]))
        return n.sized(out, n.narrowed(left, 0, self.count))

    def cards_in(self, zone: Val, s: Sym) -> Val:
        here = self.followed_in(zone, s)
        size = n.pick(zone, s.slots[self.first_size:self.taken_slot])
        return n.sized(n.bits_of((*here, n.less(n.count(here), size))), size)

    def lay(self, s: Sym, card: Val, zone: Val, top: bool) -> None:
        old = self.said(s, self.layout.location, card)
        super().lay(s, card, zone, top)
        for z in range(len(self.layout.zones)):
            by = n.subtract(n.truth(n.equal(zone, z)), n.truth(n.equal(old, z)))
            if by != 0:
                slot = self.first_size + z
                size = n.add(s.slots[slot], by)
                s.path = s.path.plus(n.at_most(0, size))
                s.set(slot, n.narrowed(size, 0, self.count))

    def fitting_sizes(self, s: Sym) -> None:
        """No zone has fewer cards than those that are followed there."""
        for z in range(len(self.layout.zones)):
            s.path = s.path.plus(n.at_most(n.count(self.followed_in(z, s)), s.slots[self.first_size + z]))

    def followed_in(self, zone: Val, s: Sym) -> list[Truth]:
        """Whether each card that is followed lies in a zone."""
        return [n.equal(s.slots[self.layout.location + k], zone) for k in range(self.few)]

    # ------------------------------------------------------------ the card that is followed
    def drawn(self, s: Sym, those: Val) -> Val:
        was, self_ = n.holds(s.slots[self.taken_slot]), self.cards[0]
        s.set(self.taken_slot, 1)
        if was is False:
            s.path = s.path.plus(self.members(those)[0])
            return self_
        card = self.taken_out(those)
        s.path = s.path.plus(t.either(was, n.equal(card, self_)))
        return card

    def taken(self, i: ir.Choose | ir.ChooseSome, s: Sym, f: list[Val]) -> tuple[tuple[Val, ...], Truth] | None:
        if isinstance(i, ir.Choose):
            self.first_binders = {
                id(b)
                for o in i.offers
                for b in [next((b for b in o.binders if isinstance(b, CardBinder)), None)]
                if b is not None
            }
        out = super().taken(i, s, f)
        if isinstance(i, ir.Choose) and self.first_binders:
            s.set(self.taken_slot, 1)
        return out

    def bound(self, b: ir.Binder, s: Sym, f: list[Val]) -> tuple[Val, Truth]:
        was = n.holds(s.slots[self.taken_slot])
        if id(b) not in self.first_binders or was is True:
            return super().bound(b, s, f)
        if was is False:
            return self.cards[0], self.members(self.value(b.domain, s, f))[0]
        card, inside = super().bound(b, s, f)
        return card, t.both(inside, t.either(was, n.equal(card, self.cards[0])))

    # ------------------------------------------------------------ ways
    def instruction(
        self,
        i: ir.Instr,
        s: Sym,
        frame: Frame,
        option: object,
        resumed: bool,
        ways: Stacks,
        arrivals: dict[Places, Sym],
    ) -> Sym | None:
        if self.region is not None and len(s.frames) == 1 and frame.pc not in self.region:
            return None
        self.passed(s, frame.fn, i)
        match i:
            case ir.Next(rest=rest) if not resumed and not isinstance(i, CardsNext) and isinstance(
                    those := frame.locals[rest], int) and those.bit_count() <= UNROLLED:
                for goes, there, key in self.next_member(s, frame, i, frame.pc, self.codes[frame.fn.name]):
                    go(goes.frames[-1], there, key)
                    ways.add(goes)
                return None
            case ir.Invoke(function=name) if name in self.closed:
                return self.unentered(i, s, frame, ways)
            case ir.Invoke():
                return self.invoke(i, s, frame)
            case _:
                return super().instruction(i, s, frame, None, resumed, ways, arrivals)

    def come_to_choice(
        self, i: ir.Choose | ir.ChooseSome, s: Sym, arrivals: dict[Places, Sym]
    ) -> tuple[Val, ...] | None:
        """Any option."""
        taken = self.taken(i, s, s.frames[-1].locals)
        if taken is None:
            asked, some = self.question(s), (self.given(i.type),)
            taken = some, asked is None or asked.offered(some)
        option, offered = taken
        s.path = s.path.plus(offered)
        return None if s.dead else option

    def unentered(self, i: ir.Invoke, s: Sym, frame: Frame, ways: Stacks) -> Sym | None:
        """A call of which is known only what it may write, and which signals may come out of it."""
        if i.function in self.group:
            callee = s.fork()
            callee.frames = [self.frame(i.function, [self.value(a, s, frame.locals) for a in i.args])]
            self.calls.append((i.function, callee))
        self.forget(s, self.footprints.of_function(i.function)[1])
        signals = sorted(self.signals.get(i.function, ()))
        normally = self.perhaps() if signals else True  # ways that meet again must exclude each other
        for signal in signals:
            gone = s.fork(t.both(t.no(normally), self.perhaps()))
            if not gone.dead and (thrown := self.unwind(ir.Throw(signal, at=i.at), gone)) is not None:
                ways.add(thrown)
        s.path = s.path.plus(normally)
        return self.after_call(i, s, frame, self.given_by(i.function))

    def given_by(self, name: str) -> Val:
        """What a call may give."""
        result = self.program.functions[name].result
        return self.given(result) if result.width == 1 else 0

    def perform(self, s: Sym, name: str, args: list[Val]) -> tuple[Sym, Val]:
        """Of a step that is not entered it is known only what it may write; what waits for the end of a batch is looked at one by one."""
        if name not in self.closed or s.batch is not None:
            return super().perform(s, name, args)
        self.forget(s, self.footprints.of_function(name)[1])
        return s, self.given_by(name)

    def forget(self, s: Sym, groups: Collection[str]) -> None:
        """Nothing is known any more of what may have been written."""
        if not groups:
            return
        s.memo = {}
        for k in self.live_slots:
            slot = self.layout.slots[k]
            if slot.group in groups or (slot.group == GIVEN and ZONES in groups):
                s.set(k, self.given(slot.type))
        if ZONES in groups:
            self.fitting_sizes(s)
        for frame in s.frames:
            self.any_may_be_gone(frame)

    def written(self, code: Iterable[ir.Instr]) -> set[str]:
        """The groups of slots that code writes, calls included."""
        _, out, called = self.footprints.own(x for i in code for x in walk(i) if isinstance(x, TOUCH))
        return {*out, *(g for name in called for g in self.footprints.of_function(name)[1])}

    def rounds_of_others(self, s: Sym, f: Frame | None, region: Region, when: Truth) -> None:
        super().rounds_of_others(s, f, region, when)
        if self.layout.location in region.blocks:
            def happen(s: Sym) -> None:
                for k in range(self.first_size, self.taken_slot):
                    s.set(k, n.choose(when, self.given(self.layout.slots[k].type), s.slots[k]))
                self.fitting_sizes(s)
            self.write(s, happen)

    # ------------------------------------------------------------ entries
    def some_entries(self, s: Sym, m: ContainerInfo, size: Val) -> None:
        """How many there are is known, and not which."""
        s.set(m.head, size)
        for k in m.slots:
            if k != m.head:
                s.set(k, self.given(self.layout.slots[k].type))

    def fill(self, s: Sym, m: ContainerInfo, size: Val, entries: object) -> None:
        self.some_entries(s, m, size)

    def sort(self, s: Sym, m: ContainerInfo) -> None:
        if not m.is_pool and s.slots[m.head] != 0:
            self.some_entries(s, m, s.slots[m.head])

