"""A machine that tells a few cards of a game apart, whichever they are, and knows of all others only that they are there.

A statement about every card (or every two) of a deck is broken, if it is, by one card (or two): so it is enough to
follow these, if they may be any. The cards that are followed are numbers of which nothing is known; a card stays its
number, so what is printed on it is looked up among all that the game has. What is kept in the state for each card is kept
for those that are followed; of any other it is read as a value of which nothing is known, and what is written to it is
forgotten. A set of cards is held as one truth for each card that is followed, and one more: has it any other? So
everything that play can do, it can do here, with more besides, and nothing here depends on how many cards there are.

Values of which nothing is known are introduced together with what is known of them (`sides`), which can always be
satisfied: by what the value really is.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...model.ir import nodes as ir
from ...model.ir.program import Program
from ...model.ir.types import SetType, Type
from . import masks
from . import numbers as n
from . import truths as t
from .card_sets import CardSets, in_mask, of_card
from .expressions import decides, faulty, united
from .machine import Code
from .numbers import Beyond, Val
from .others import Region, Regions
from .sorts import (
    CardBinder,
    CardLoad,
    CardsBinary,
    CardsConst,
    CardsFold,
    CardsGathered,
    CardsNext,
    CardsTable,
    CardStore,
    CardsUnary,
    SomeCards,
    marked,
)
from .states import Frame, Happening, Sym
from .symbolic import Symbolic, SymbolicState
from .transitions import Places, go
from .truths import Truth

OTHERS = "others of "
"""What the name of an event begins with that stands for the rounds of a loop for cards that are not followed."""


class Representatives(CardSets):
    """Runs procedures while following `few` cards."""

    def __init__(self, program: Program, few: int) -> None:
        super().__init__(program, few)
        self.regions = Regions(program)
        self.others_of: dict[str, Region] = {}

    # ------------------------------------------------------------ expressions
    def value(self, e: ir.Expr, s: Sym, f: list[Val]) -> Val:
        match e:
            case CardsConst(value=v):
                return self.known_set(v)
            case CardsTable(table=number, index=index):
                row = self.program.tables[number]
                return n.pick(self.value(index, s, f), [self.known_set(v) for v in row], 0, True)
            case ir.Table(table=number, index=index):
                return self._looked_up(s, self.program.tables[number], self.value(index, s, f), e.at)
            case CardLoad(base=base, index=index, count=count):
                return self.said(s, self.blocks[base], self.which_card(base, index, count, s, f))
            case CardsUnary(op="size", a=a):
                return self.size(self.value(a, s, f))
            case CardsUnary(op="lowest", a=a):
                mask = self.value(a, s, f)
                self.fail(s, n.equal(mask, 0), "fault", faulty("a member of the empty set was asked for", e.at))
                return self.taken_out(mask)
            case CardsUnary(op="only", a=a):
                return self.only(self.value(a, s, f))
            case CardsUnary(op="single", a=a):
                card = self.value(a, s, f)
                self.fail(s, n.less(card, 0), "fault", faulty("a set was given a member that is none", e.at))
                return self.alone(card)
            case CardsUnary(op=op):
                raise Beyond(f"カードについての `{op}`", f"`{op}` of cards")
            case CardsBinary(op="member", a=a, b=b):
                return n.truth(self.is_member(self.value(a, s, f), self.value(b, s, f)))
            case CardsBinary(op=op, a=a, b=b):
                return self.of_two(op, self.value(a, s, f), self.value(b, s, f))
            case ir.Binary(op="member", a=a, b=ir.Const(value=mask)):
                return n.truth(in_mask(self.value(a, s, f), mask))
            case CardsFold():
                with self.looking_away():
                    return self._through_cards(e, s, f)
            case ir.Fold() if not isinstance(e, CardsGathered):
                with self.looking_away():
                    return super().value(e, s, f)
            case CardsGathered():
                with self.looking_away():
                    return self._gathered(e, s, f)
            case ir.ZoneCards(zone=zone):
                return self.cards_in(self.value(zone, s, f), s)
            case ir.PileTop(zone=zone):
                there = self.members(self.cards_in(self.value(zone, s, f), s))
                top = [b is not False and t.both(b, self.perhaps()) for b in there]
                self.sides.append(t.either(t.no(t.some(there)), t.some(top)))
                return n.bits_of(top)
            case ir.PileFind(zone=zone, var=var, test=test):
                with self.looking_away():
                    return self._found(s, f, self.value(zone, s, f), var, test)
            case _:
                return super().value(e, s, f)

    def which_card(self, base: int, index: ir.Expr | None, count: int, s: Sym, f: list[Val]) -> Val:
        """Of which card something is said in a place of a block."""
        block = self.blocks[base]
        card = n.add(base - block, 0 if index is None else self.value(index, s, f))
        if index is not None and (base != block or count != self.count):
            raise Beyond("カードごとの値の一部だけを指すもの", "a part of what is said of cards")
        self.fail(s, t.no(n.between(card, 0, self.count - 1)), "bound", f"no place in {self.layout.slots[base].group}")
        return card

    def _looked_up(self, s: Sym, row: Sequence[int], k: Val, at: ir.Mark) -> Val:
        self.fail(s, t.no(n.between(k, 0, len(row) - 1)), "fault", faulty("a card was asked for that is none", at))
        if isinstance(k, int) or not row:
            return row[min(max(k, 0), len(row) - 1)] if row and isinstance(k, int) else 0
        return self.kept(s, ("", "table", row, n.identity(k)), k, lambda: of_card(k, row))

    def said(self, s: Sym, block: int, card: Val) -> Val:
        """What is said of a card: of one that is not followed, anything; the same as long as nothing is written."""
        of = self.layout.slots[block].type
        self.come_to(card)
        it = self.is_card(card)
        if any(x is True for x in it):
            return s.slots[block + it.index(True)]
        other: Val = self.kept(s, ("", "said", block, n.identity(card)), card, lambda: self.given(of))
        return n.select(
            [(x, s.slots[block + k]) for k, x in enumerate(it)], other, isinstance(of, SetType))

    def _through_cards(self, e: ir.Fold, s: Sym, f: list[Val]) -> Val:
        *mine, other = self.members(self.value(e.domain, s, f))
        hit: Truth = False
        found: list[tuple[Truth, Val]] = []
        before = f[e.var]
        for card, inside in (*zip(self.cards, mine, strict=True), (None, other)):
            going = t.both(inside, t.no(hit)) if e.kind in ("any", "all") else inside
            if going is False:
                found.append((False, 0))
                continue
            f[e.var] = self.another() if card is None else card
            tested, x = self.of_member(e, s, f, going)
            if e.kind in ("any", "all"):
                hit = t.either(hit, t.both(inside, tested, decides(e, x)))
            found.append((t.both(inside, tested), x))
        f[e.var] = before
        *mine_found, (others, sample) = found
        match e.kind:
            case "any":
                return n.truth(hit)
            case "all":
                return n.truth(t.no(hit))
            case "sum":
                return self._sum(mine_found, others, sample)
            case "set":
                return self._made_of(e, mine_found, others, sample)
            case "union":
                some = (
                    n.bits_of([t.both(others, self.perhaps()) for _ in range(len(n.bits(sample)))])
                    if others is not False
                    else 0
                )
                return united([*mine_found, (others, some)])
            case "min" | "max":
                return self._extreme(e, s, f, [x for x in found if x[0] is not False])

    def _sum(self, found: Sequence[tuple[Truth, Val]], others: Truth, sample: Val) -> Val:
        """The sum over the cards that are followed, and over the others: as many of them as there may be."""
        so_far: Val = 0
        for inside, x in found:
            so_far = n.add(so_far, n.choose(inside, x, 0))
        if others is False:
            return so_far
        many = self.count - self.few
        lo, hi = n.lo_of(sample), n.hi_of(sample)
        some = self.unknown(min(lo, lo * many), max(hi, hi * many))
        return n.add(so_far, n.choose(others, some, 0))

    def _made_of(self, e: ir.Fold, found: Sequence[tuple[Truth, Val]], others: Truth, sample: Val) -> Val:
        """The set of what the cards give."""
        if isinstance(e.body, ir.Local) and e.body.index == e.var:
            return n.bits_of((*(inside for inside, _ in found), others))
        if isinstance(e, CardsFold) and e.gives_cards:
            rows = [(inside, self.members(self.alone(x))) for inside, x in found]
            return n.bits_of(
                [
                    t.either(
                        t.some(t.both(inside, row[k]) for inside, row in rows),
                        others is not False and t.both(others, self.perhaps()),
                    )
                    for k in range(self.few + 1)
                ]
            )
        size = masks.small(max((n.hi_of(x) for _, x in (*found, (others, sample))), default=-1)) + 1
        return n.bits_of(
            [
                t.either(
                    t.some(t.both(inside, n.equal(x, k)) for inside, x in found),
                    others is not False and t.both(others, self.perhaps()),
                )
                for k in range(size)
            ]
        )

    def _gathered(self, e: ir.Fold, s: Sym, f: list[Val]) -> Val:
        """A set of cards, made by going through something else."""
        out: list[Truth] = [False] * (self.few + 1)
        before = f[e.var]
        for i, inside in enumerate(n.bits(self.value(e.domain, s, f))):
            if inside is False:
                continue
            f[e.var] = i + e.offset
            with self.under(inside):
                there = t.both(inside, n.holds(self.value(e.test, s, f)))
                if there is False:
                    continue
                with self.under(there):
                    card = self.value(e.body, s, f)
            self.fail(s, t.both(there, n.less(card, 0)), "fault", faulty("a set was given a member that is none", e.at))
            out = [t.either(o, t.both(there, b)) for o, b in zip(out, self.members(self.alone(card)), strict=True)]
        f[e.var] = before
        return n.bits_of(out)

    def _found(self, s: Sym, f: list[Val], zone: Val, var: int, test: ir.Expr) -> Val:
        """A card of a zone that passes a test, or -1 if there is none."""
        *mine, other = self.members(self.cards_in(zone, s))
        v = self.unknown(-1, self.count - 1)
        before = f[var]
        it = self.is_card(v)
        there = t.some((*(t.both(x, b) for x, b in zip(it, mine, strict=True)), t.both(t.no(t.some(it)), other)))
        f[var] = v
        with self.under(t.both(n.at_most(0, v), there)):
            passes = n.holds(self.value(test, s, f))
        self.sides.append(t.either(n.less(v, 0), t.both(there, passes)))
        for card, inside in zip(self.cards, mine, strict=True):
            f[var] = card
            with self.under(inside):
                passes = n.holds(self.value(test, s, f))
            self.sides.append(t.either(n.at_most(0, v), t.no(t.both(inside, passes))))
        f[var] = before
        return v

    # ------------------------------------------------------------ effects
    def effect(self, i: ir.Instr, s: Sym, frame: Frame) -> Sym:
        if not isinstance(i, CardStore):
            return super().effect(i, s, frame)
        f, block = frame.locals, self.blocks[i.base]
        card = self.which_card(i.base, i.index, i.count, s, f)
        new = self.value(i.value, s, f)
        mine = [(here, block + k) for k, here in enumerate(self.is_card(card))]
        self.change(s, mine, n.add(block, card), i.op, new, i.at)
        return s

    def combined(self, op: ir.StoreOp, slot: int, old: Val, new: Val) -> Val:
        return self.of_two(op, old, new) if self.is_cards[slot] else super().combined(op, slot, old, new)

    def lay(self, s: Sym, card: Val, zone: Val, top: bool) -> None:
        first = self.layout.location
        s.memo = {}
        for k, here in enumerate(self.is_card(card)):
            s.set(first + k, n.choose(here, zone, s.slots[first + k]))

    def _shuffle(self, s: Sym, zone: Val) -> None:
        def mix(s: Sym) -> None:
            for z, slot in self.layout.given.items():
                s.set(slot, n.choose(n.equal(zone, z), 0, s.slots[slot]))
        self.write(s, mix)

    def _sweep(self, s: Sym, card: Val) -> None:
        s.memo = {}
        super()._sweep(s, card)

    # ------------------------------------------------------------ loops over cards
    def next_member(self, s: Sym, f: Frame, i: ir.Next, pc: int, code: Code) -> Iterator[tuple[Sym, int, float]]:
        """Rounds for cards that are not followed may come before each that is, and at the end: what they can do is done
        at once (`others.py`)."""
        if not isinstance(i, CardsNext):
            return super().next_member(s, f, i, pc, code)
        return self._rounds(s, f, i, pc, code)

    def call(self, s: Sym, name: str, args: list[Val]) -> Val:
        if self.seen is not None and any(isinstance(i, ir.Next) for i in self.program.functions[name].code):
            with self.looking_away():
                return super().call(s, name, args)
        return super().call(s, name, args)

    def _rounds(self, s: Sym, f: Frame, i: ir.Next, pc: int, code: Code) -> Iterator[tuple[Sym, int, float]]:
        *mine, other = self.members(f.locals[i.rest])
        region = self.regions.of(f.fn.name, pc)
        name = f"{OTHERS}{f.fn.name}@{pc}"
        self.others_of[name] = region
        if region.spares_cards and not region.leaves:
            there = t.some((*mine, other))
            if there is not False:
                self.rounds_of_others(s, f, region, there)
                if region.happens:
                    s.events.append(Happening(there, name, []))
            f.locals[i.rest] = 0
            if not s.dead:
                yield s, i.done, code.key(pc, i.done)
            return
        if other is not False:
            self.rounds_of_others(s, f, region, other)
            if region.happens:
                s.events.append(Happening(other, name, []))
            if region.leaves and not s.dead:
                leaves = t.both(other, self.perhaps())
                gone = s.fork(leaves)
                top = self.top(gone)
                top.locals[i.rest], top.locals[i.var] = 0, self.another()
                if not gone.dead:
                    yield gone, pc + 1, pc + 1
                s.path = s.path.plus(t.no(leaves))
        k = next((k for k, b in enumerate(mine) if b is not False), None)
        if k is None:
            if not s.dead:
                yield s, i.done, code.key(pc, i.done)
            return
        left = n.bits_of((*(False if j <= k else b for j, b in enumerate(mine)), other))
        yield from self.round_for(s, i, pc, code, mine[k], left, self.cards[k])

    def rounds_of_others(self, s: Sym, f: Frame | None, region: Region, when: Truth) -> None:
        """Whatever any number of rounds for other cards can do. `f`: the frame of the loop, if it is there still."""
        if f is not None:
            for k in region.locals:
                old = f.locals[k]
                f.locals[k] = n.choose(
                    when, self.given(f.fn.locals[k].type), old, isinstance(f.fn.locals[k].type, SetType)
                )

        def happen(s: Sym) -> None:
            s.memo = {}
            for slot in sorted(region.bounds):
                self.fail(s, t.both(when, self.perhaps()), "bound", self.layout.slots[slot].name, slot)
            if s.dead:
                return
            for slot in self.live_slots:
                block = self.blocks.get(slot)
                if slot in region.slots or block in region.any_card:
                    of = self.layout.slots[slot].type
                    s.set(slot, n.choose(when, self.given(of), s.slots[slot], isinstance(of, SetType)))
            if region.renews:
                self.others_die(s, when, region.renews_any)
        if region.slots or region.any_card or region.renews:
            self.write(s, happen)

    def any_may_be_gone(self, frame: Frame) -> None:
        """Each object that a frame refers to may be none any more."""
        for k in self.objects_of[frame.fn.name]:
            frame.locals[k] = n.choose(self.perhaps(), -1, frame.locals[k])

    def after_call(self, i: ir.Invoke, s: Sym, frame: Frame, result: Val) -> Sym | None:
        """Play goes on after a call that was not entered."""
        if i.tail:
            return self.leave(s, result)
        if i.local is not None:
            frame.locals[i.local] = result
        go(frame, frame.pc + 1)
        return s

    def others_die(self, s: Sym, when: Truth, any_card: bool) -> None:
        """References to objects that are not followed (or to any) may become none."""
        def gone(v: Val) -> Truth:
            mine = False if any_card else t.some(self.is_card(v))
            return t.both(when, t.no(mine), self.perhaps())
        self.let_go(s, gone)

    def perform(self, s: Sym, name: str, args: list[Val]) -> tuple[Sym, Val]:
        if name in self.others_of:
            self.rounds_of_others(s, None, self.others_of[name].later(), True)
            return s, 0
        return super().perform(s, name, args)

    # ------------------------------------------------------------ procedures
    def is_any_left(self, i: ir.Next, rest: Val) -> Truth:
        return t.some(self.members(rest)) if isinstance(i, CardsNext) else super().is_any_left(i, rest)

    def member_of_round(self, s: Sym, i: ir.Next, rest: Val) -> tuple[Val, Val]:
        if not isinstance(i, CardsNext):
            return super().member_of_round(s, i, rest)
        card = self.drawn(s, rest)
        return card, self.of_two("without", rest, self.alone(card))

    def drawn(self, s: Sym, those: Val) -> Val:
        """The card of a round: any one of those that are left."""
        return self.taken_out(those)

    def bound(self, b: ir.Binder, s: Sym, f: list[Val]) -> tuple[Val, Truth]:
        if not isinstance(b, CardBinder):
            return super().bound(b, s, f)
        those = self.value(b.domain, s, f)
        return self.taken_out(those), t.some(self.members(those))

    def taken(self, i: ir.Choose | ir.ChooseSome, s: Sym, f: list[Val]) -> tuple[tuple[Val, ...], Truth] | None:
        if not isinstance(i, SomeCards):
            return super().taken(i, s, f)
        among, least, most = (self.value(e, s, f) for e in (i.among, i.least, i.most))
        option = n.bits_of([b is not False and t.both(b, self.perhaps()) for b in self.members(among)])
        there, size = self.size(among), self.size(option)
        hi = n.greatest(0, n.least(most, there))
        return (option,), t.both(n.at_most(n.greatest(0, n.least(least, hi)), size), n.at_most(size, hi))

    def arrive(self, s: Sym, arrivals: dict[Places, Sym]) -> None:
        if s.batch is not None and not s.dead:
            raise Beyond("同時に起こることの途中で終わる区間", "a piece that ends inside what happens simultaneously")
        super().arrive(s, arrivals)


class FewOfMany(Symbolic):
    """A program of which a few cards are followed."""

    machine: Representatives

    def __init__(self, program: Program, few: int) -> None:
        whole = marked(program)
        super().__init__(whole, Representatives(whole, few))

    def variable(self, name: str, of: Type) -> Val:
        return self.machine.variable(name, of)

    def fresh_state(
        self, prefix: str = "", places: Sequence[tuple[str, int]] = (), known: Mapping[int, Val] | None = None,
        parameters: bool = False,
    ) -> SymbolicState:
        """A state of which nothing is known, or of which all slots are: what cards have of them is then looked up."""
        m = self.machine
        frames = super().fresh_state(prefix, places, dict.fromkeys(range(len(self.layout.slots)), 0), parameters).frames
        slots: list[Val] = [0] * len(self.layout.slots)
        for k in m.live_slots:
            block = m.blocks.get(k)
            slot = self.layout.slots[k]
            if block == self.layout.rank:
                continue
            if known is None:
                slots[k] = m.variable(f"{prefix}{k}:{slot.name}", slot.type)
            elif block is None:
                slots[k] = m.known_set(as_known(known[k])) if m.is_cards[k] else known[k]
            else:
                row = [as_known(known[block + c]) for c in range(m.count)]
                slots[k] = (
                    n.pick(m.cards[k - block], [m.known_set(v) for v in row], 0, True)
                    if m.is_cards[k]
                    else of_card(m.cards[k - block], row)
                )
        return SymbolicState(slots, frames)


def as_known(v: Val) -> int:
    assert isinstance(v, int)
    return v
