"""What the rounds of a loop in a step can do, when they are for cards that are not followed.

What is written to the card that a round is for is of no interest then; everything else that a round may write is. It is
read off the code: slots, what is said of other cards, containers, objects that die, locals; and whether a round may leave the loop.
"""
from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace

from ...model.ir import nodes as ir
from ...model.ir.flow import assigned, closure, may_set, successors
from ...model.ir.program import Function, Program
from .numbers import Beyond

OWN = -1
ANY = -2
NOBODY = -3
"""Whose slots are written: those of the card of the round; of any card; of none, since a step was given none. Else the number of a parameter."""


@dataclass
class Touched:
    """What code may write. `blocks` and `dies`: whose."""

    slots: set[int] = field(default_factory=set[int])
    blocks: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    dies: set[int] = field(default_factory=set[int])
    bounds: set[int] = field(default_factory=set[int])
    """Slots that may leave their range."""
    inserts: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])
    """Multisets that entries are added to: by column, whose card stands there, if it is a card."""

    def add(self, other: Touched, who: dict[int, int]) -> None:
        """What a step touches that is given these."""
        self.slots |= other.slots
        self.bounds |= other.bounds
        self.blocks |= {(block, whose) for block, x in other.blocks if (whose := who.get(x, x)) != NOBODY}
        self.dies |= {whose for x in other.dies if (whose := who.get(x, x)) != NOBODY}
        self.inserts |= {(m, column, who.get(x, x)) for m, column, x in other.inserts}


@dataclass(frozen=True)
class Region:
    """The rounds of a loop. `locals`: those that a round sets; `happens`: it tells of events; `leaves`: it may leave the
    loop; `events`: what comes of its events alone."""

    slots: frozenset[int]
    any_card: frozenset[int]
    """Blocks that are written at other cards than that of the round."""
    renews: bool
    renews_any: bool
    bounds: frozenset[int]
    spares_cards: bool
    """Nothing that is said of any card is changed, so that it is the same whether the cards that are followed are among those
    that the loop goes through."""
    locals: frozenset[int] = frozenset()
    happens: bool = False
    leaves: bool = False
    events: Region | None = None
    blocks: frozenset[int] = frozenset()
    """Blocks that are written."""
    inserts: frozenset[tuple[str, int, int]] = frozenset()
    """Multisets that entries are added to: by column, whose card stands there, if it is a card."""

    def later(self) -> Region:
        """What comes of its events."""
        return self.events or replace(self, locals=frozenset())


def region_of(touched: Touched, entries: Container[str]) -> Region:
    """`entries`: multisets of whose entries something is said, so that it matters which card's round adds one."""
    spares_cards = not touched.blocks and not touched.dies and not any(m in entries for m, _, _ in touched.inserts)
    return Region(
        frozenset(touched.slots), frozenset(b for b, who in touched.blocks if who != OWN), bool(touched.dies),
        any(who != OWN for who in touched.dies), frozenset(touched.bounds), spares_cards,
        inserts=frozenset(touched.inserts), blocks=frozenset(b for b, _ in touched.blocks))


class Regions:
    """The loops of a program."""

    def __init__(self, program: Program, entries: Container[str] = ()) -> None:
        self.program, self.layout, self.entries = program, program.layout, entries
        self.count = program.layout.card_count
        self.known: dict[tuple[str, int], Region] = {}
        self.steps: dict[str, tuple[Touched, Touched]] = {}

    def of(self, name: str, pc: int) -> Region:
        """The rounds of the loop whose head is at a place."""
        if (name, pc) not in self.known:
            self.known[name, pc] = self._made(self.program.functions[name], pc)
        return self.known[name, pc]

    def _made(self, fn: Function, pc: int) -> Region:
        head = fn.code[pc]
        assert isinstance(head, ir.Next)
        ahead = reached(fn, pc + 1, pc)
        back = {p for p in ahead if pc in reached(fn, p, None)}
        own = {head.var: OWN} if not any(head.var in assigned(fn.code[p]) for p in back) else {}
        for p in sorted(back):
            i = fn.code[p]
            if isinstance(i, ir.Assign) and isinstance(i.value, ir.Local) and i.value.index in own and \
                    sum(i.local in assigned(x) for x in fn.code) == 1:
                own[i.local] = OWN
        touched, events = Touched(), Touched()
        for p in back:
            self._instruction(fn.code[p], own, touched, events)
        set_here = {x for p in back for x in may_set(fn.code[p])}
        happens = any(isinstance(fn.code[p], ir.Do) and self._tells(fn.code[p]) for p in back)
        leaves = any(
            to not in back and to != pc for p in back | {pc + 1} for to in (successors(fn.code[p], p) or (-1,))
        )
        return replace(
            region_of(touched, self.entries),
            locals=frozenset(set_here - {head.rest, head.var}),
            happens=happens,
            leaves=leaves,
            events=region_of(events, self.entries),
        )

    def _tells(self, i: ir.Instr) -> bool:
        """Does the call tell of events, itself or inside?"""
        if not isinstance(i, ir.Do):
            return False
        return i.event or any(self._tells(x) for x in self.program.functions[i.function].code)

    def step(self, name: str) -> tuple[Touched, Touched]:
        """What a step touches, and what comes of its events alone."""
        if name not in self.steps:
            fn = self.program.functions[name]
            changed = frozenset[int]().union(*(assigned(i) for i in fn.code))
            own = {k: k for k in range(fn.arity) if k not in changed}
            touched, events = Touched(), Touched()
            for i in fn.code:
                self._instruction(i, own, touched, events)
            self.steps[name] = touched, events
        return self.steps[name]

    def _instruction(self, i: ir.Instr, own: dict[int, int], touched: Touched, events: Touched) -> None:
        def who(e: ir.Expr | None) -> int:
            if isinstance(e, ir.Present):
                e = e.a
            return own.get(e.index, ANY) if isinstance(e, ir.Local) else ANY
        match i:
            case ir.Store(base=base, index=index, count=count):
                block = next((b for b in self.layout.per_card if b <= base < b + self.count), None)
                if block is None:
                    touched.slots.update(range(base, base + count))
                    if i.op == "add" or not isinstance(i.value, ir.Const):
                        touched.bounds.add(base)
                else:
                    touched.blocks.add((block, who(index) if index is not None and base == block else ANY))
            case ir.Put(card=card):
                touched.blocks.add((self.layout.location, who(card)))
            case ir.Shuffle():
                touched.slots.update(self.layout.given.values())
            case ir.Renew(card=card):
                touched.dies.add(who(card))
            case (
                ir.Insert(multiset=m) | ir.Remove(multiset=m) | ir.Clear(multiset=m) | ir.New(pool=m) | ir.Free(pool=m)
            ):
                touched.slots.update(self._slots(m))
                if isinstance(i, ir.Insert):
                    touched.inserts |= {(m, k, who(x)) for k, x in enumerate(i.values)}
                if isinstance(i, ir.Insert | ir.New):
                    touched.bounds.add(self.layout.containers[m].head)
            case ir.Consult(slot=slot):
                touched.slots.add(slot)
            case ir.Do(function=name, args=args, event=event):
                theirs = {k: NOBODY if isinstance(a, ir.Const) and a.value < 0 else who(a) for k, a in enumerate(args)}
                inside, told = self.step(name)
                touched.add(inside, theirs)
                events.add(inside if event else told, theirs)
            case ir.Invoke():
                raise Beyond(
                    "同時に起こることの中で手続きを呼ぶ、カードについての繰り返し",
                    "a loop over cards that calls a procedure while something happens simultaneously",
                )
            case _:
                pass

    def _slots(self, name: str) -> Iterator[int]:
        m = self.layout.containers[name]
        yield m.head
        for c in m.columns:
            yield from range(c, c + m.capacity)


def reached(fn: Function, begin: int, barrier: int | None) -> set[int]:
    """The places that control can come to from one, not beyond the barrier."""
    def before_it(places: Iterable[int]) -> list[int]:
        return [pc for pc in places if pc < len(fn.code) and pc != barrier]

    return closure(before_it([begin]), lambda pc: before_it(successors(fn.code[pc], pc)))
