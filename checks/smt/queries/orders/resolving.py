"""One thing that waits is taken out and dealt with, in a state of which nothing is known: a *round* of what resolves it.

A round begins at the head of the loop that goes through what waits, and ends when that is come to again. Two things
wait then, the one that is taken and another; all else that they bring about waits behind them.
"""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from .....model.engine.state import LEFT_OPEN
from .....model.ir import nodes as ir
from .....model.ir.flow import call_graph, liveness, walk
from .....model.ir.program import ContainerInfo, Function, Program
from .....model.ir.types import AbilityType, CardType, ObjType, OptionType, RecordType, RefType, Role, Type
from ... import numbers as n
from ... import truths as t
from ...effects import Entry
from ...numbers import Beyond, Val
from ...states import Frame, Halt, Path, Sym
from ...symbolic import local_variables, wide_enough
from ...there import There
from ...transitions import Places, Question, Stacks
from ...truths import Truth
from ..stops import SETTLE

MOST_PASSES = 3
"""How often a round may come by one label; what comes by more often is left out."""
MOST_SECONDS = 5.0
"""How long a round may be followed, by the processor's clock (how busy the machine is makes no difference); one that takes longer is
not asked about."""
DECIDED = ("win", "draw")
"""Ends that are the same whatever clause they come from."""


MUCH_MEANWHILE = "処理の間に起こりうることが多すぎる", "too much can come up meanwhile"


class TooMany(Beyond):
    """A round that leads to too many places."""


class NotResolvedHere(Beyond):
    """In this world play never comes to where the two are taken: only cards that are not in it lead there."""


# ---------------------------------------------------------------- what resolves
@dataclass(frozen=True)
class Resolver:
    """Where one of several waiting things is taken: the multiset, the choice, and the loop that comes back to it."""

    multiset: str
    chooser: str
    pc: int
    loop: str
    head: int

    def choice(self, program: Program) -> ir.Choose:
        found = program.functions[self.chooser].code[self.pc]
        assert isinstance(found, ir.Choose)
        return found


def resolvers(program: Program) -> list[Resolver]:
    """All resolvers of a program whose waiting things are abilities (here, or told elsewhere), in the order of the book."""
    out: list[Resolver] = []
    callers = call_graph(program)
    for fn in program.functions.values():
        for pc, i in enumerate(fn.code):
            if isinstance(i, ir.Choose):
                for m in program.layout.containers.values():
                    if (
                        m.type == i.type
                        and not m.is_pool
                        and (has_ability(m.type) or is_told_elsewhere(program, m.type))
                        and looks_at(i, m)
                    ):
                        loops = loops_around(program, callers.predecessors, fn, pc)
                        out += (Resolver(m.name, fn.name, pc, loop, head) for loop, head in loops)
    return out


def place(r: Resolver) -> tuple[str, str, str]:
    """Where a resolver stands, in any world."""
    return r.chooser, r.loop, r.multiset


def resolver_at(program: Program, where: tuple[str, str, str]) -> Resolver:
    """The resolver of a program that stands there. Raises NotResolvedHere."""
    for r in resolvers(program):
        if place(r) == where:
            return r
    raise NotResolvedHere(
        "このカードだけでは、それらを処理する所に来ない",
        "with these cards alone play does not come to where they are resolved",
    )


def looks_at(i: ir.Choose, m: ContainerInfo) -> bool:
    """Is it the entries of this multiset that are chosen between?"""
    return any(isinstance(x, ir.Load) and x.base in m.columns for x in walk(i))


def loops_around(
    program: Program,
    callers: Callable[[str], Iterator[str]],
    fn: Function,
    pc: int,
    seen: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, int]]:
    """The innermost loops that come to a place, each once: function and head."""
    heads = [k for k, i in enumerate(fn.code[:pc]) if isinstance(i, ir.Label)]
    if heads:
        yield fn.name, heads[-1]
        return
    found: dict[tuple[str, int], None] = {}
    for name in callers(fn.name):
        caller = program.functions[name]
        for k, i in enumerate(caller.code):
            if isinstance(i, ir.Invoke) and i.function == fn.name and name not in seen:
                found |= dict.fromkeys(loops_around(program, callers, caller, k, seen | {fn.name}))
    yield from found


# ---------------------------------------------------------------- what waits
def columns_of(of: Type) -> Iterator[tuple[Type, int]]:
    """The fields of an entry and the first column of each."""
    at = 0
    for _, field_ in of.fields if isinstance(of, RecordType) else ():
        yield field_, at
        at += field_.width


def inner(of: Type) -> Type:
    return of.inner if isinstance(of, OptionType) else of


def has_ability(of: Type) -> bool:
    """Does an entry of this type say which ability it is?"""
    return any(isinstance(inner(f), AbilityType) for f, _ in columns_of(of))


def ability_column(of: Type) -> int:
    """Where it says so."""
    return next(at for f, at in columns_of(of) if isinstance(inner(f), AbilityType))


def is_told_elsewhere(program: Program, of: Type) -> bool:
    """Is it an entry of a pool that says so?"""
    pools = [
        program.layout.containers[f.pool].type
        for f, _ in columns_of(of)
        if isinstance(f, RefType) and f.pool in program.layout.containers
    ]
    return any(map(has_ability, pools))


def cards_of(of: Type, entry: Sequence[Val]) -> Iterator[tuple[Val, bool]]:
    """The cards that an entry is about (its cause aside), and whether it can be none."""
    for f, at in columns_of(of):
        if isinstance(inner(f), CardType | ObjType):
            yield entry[at], isinstance(f, OptionType)


# ---------------------------------------------------------------- a round
@dataclass
class Row:
    """A state at the head of the loop: slots, and the locals of the loop."""

    slots: list[Val]
    locals: list[Val]


@dataclass
class Round:
    """What taking one of two waiting things leads to. `start`: both can be taken; `back`: the head is come to again, in
    `row`, where the other comes first of what waits; `ends`: how play ends instead, each with its condition and who wins;
    `left`: the loop was left with the other still waiting, or that waits no more (`gone`); `bad`: left out."""

    start: Truth = False
    back: Truth = False
    row: Row = field(default_factory=lambda: Row([], []))
    ends: dict[tuple[str, str], tuple[Truth, Val]] = field(default_factory=dict[tuple[str, str], tuple[Truth, Val]])
    left: Truth = False
    gone: Truth = False
    bad: Truth = False
    cut: Truth = False
    """What is left out because it goes round too often."""
    choices: dict[str, tuple[Truth, ...]] = field(default_factory=dict[str, "tuple[Truth, ...]"])
    """What is decided meanwhile, by a name: that it is come to; with several options; that what is taken is none of
    them; that what is taken is the first one (the only one, if there are not several)."""
    options: dict[str, list[Val]] = field(default_factory=dict[str, list[Val]])
    """What is taken of several, by the same names."""
    asked: dict[str, Question] = field(default_factory=dict[str, Question])
    """Who decides it, and between what, by the same names."""
    before: Truth = False
    """Something is done at the head of the loop before anything is taken; `checked` is the state then."""
    checked: Row = field(default_factory=lambda: Row([], []))


class Resolving(There):
    """Runs rounds of one resolver. What waits is kept in the order in which it came, so that which is which is known."""

    def __init__(self, program: Program, resolver: Resolver, possible: Callable[[Truth], bool]) -> None:
        super().__init__(program)
        self.possible = possible
        self.resolver = resolver
        self.multiset = program.layout.containers[resolver.multiset]
        self.entering = False
        self.other: Sequence[Val] | None = None
        self.prefix = ""
        self.fresh = 0

    def instruction(
        self, i: ir.Instr, s: Sym, frame: Frame, option: Sequence[Val] | None, resumed: bool, ways: Stacks,
        arrivals: dict[Places, Sym],
    ) -> Sym | None:
        if isinstance(i, ir.Next):
            left, self.left = self.left, None  # rounds of a loop through a set are no labels here
            try:
                return super().instruction(i, s, frame, option, resumed, ways, arrivals)
            finally:
                self.left = left
        return super().instruction(i, s, frame, option, resumed, ways, arrivals)

    def come_to_choice(self, i: ir.Choose | ir.ChooseSome, s: Sym, arrivals: dict[Places, Sym]) -> Sequence[Val] | None:
        """What may be a choice is one here, even where only one option is left: so that it is known in both orders what
        was taken."""
        asked = self.question(s)
        assert asked is not None
        if s.dead:
            return None
        entered = self.entering and (s.frames[-1].fn.name, s.frames[-1].pc) == (self.resolver.chooser, self.resolver.pc)
        if asked.several is False and not entered:
            return super().come_to_choice(i, s, arrivals)
        self.fail(s, asked.none, "gap", " ".join(i.at.clauses))
        self.arrive(s, arrivals)
        return None

    def sort(self, s: Sym, m: ContainerInfo) -> None:
        if m is not self.multiset:
            super().sort(s, m)

    def _insert(self, s: Sym, m: ContainerInfo, values: Sequence[ir.Expr], v: Callable[[ir.Expr], Val]) -> None:
        if m is not self.multiset:
            super()._insert(s, m, values, v)
            return
        e = [self.fitting(s, c, v(x)) for c, x in zip(m.columns, values, strict=True)]

        def add(s: Sym) -> None:
            size, old = s.slots[m.head], self.entries(s, m)
            self.fail(s, n.equal(size, m.capacity), "bound", f"more than {m.capacity} in {m.name}", m.head)
            new = [self.pick_entry(m, n.equal(size, k), e, old[k]) for k in range(m.capacity)]
            self.fill(s, m, n.narrowed(n.add(size, 1), 0, m.capacity), new)
        self.write(s, add)

    # ------------------------------------------------------------ rounds
    def round(
        self,
        slots: Sequence[Val],
        locals_: Sequence[Val],
        entry: Sequence[Val],
        other: Sequence[Val] | None,
        prefix: str,
    ) -> Round:
        """Take `entry` while `other` waits too (or nothing else does); what is decided meanwhile are variables whose names begin with `prefix`.
        Raises Beyond."""
        self.halts, self.left, self.entering, self.prefix, self.fresh = [], [], True, prefix, 0
        self.other, out = other, Round()
        pending: dict[Places, Sym] = {}
        self.go_on(self.begun(slots, locals_, entry, other), (), pending)
        starts = self.play(pending, out)
        self.halts, self.left, self.entering = [], [], False
        for s in starts:
            asked = self.question(s)
            assert asked is not None
            s.path = s.path.plus(t.every(asked.offered(x) for x in self.those(entry, other)))
            if not s.dead:
                out.start = t.either(out.start, s.path.term)
                self.go_on(s, list(entry), pending)
        self.play(pending, out)
        for h in self.halts:
            add_end(out, h)
        out.left = t.some((out.gone, *(x.when for x in self.left)))
        self.left = None
        return out

    def begun(
        self, slots: Sequence[Val], locals_: Sequence[Val], entry: Sequence[Val], other: Sequence[Val] | None,
    ) -> Sym:
        """The state at the head of the loop, with what waits."""
        fn = self.program.functions[self.resolver.loop]
        s = Sym(list(slots), Path(None, True), [Frame(fn, self.resolver.head, list(locals_))])
        waits = self.those(entry, other)
        self.fill(s, self.multiset, len(waits), waits)
        return s

    def those(self, entry: Sequence[Val], other: Sequence[Val] | None) -> list[Entry]:
        """The two that wait, or the one."""
        return [list(x) for x in (entry, other) if x is not None]

    def still_waits(self, s: Sym) -> Truth:
        """Does the other of the two, if there are two, wait, as the first of what does? Objects that it is about may have gone."""
        m = self.multiset
        if self.other is None:
            return True
        same = (
            t.either(n.equal(s.slots[c], v), self.layout.slots[c].type.role is Role.OBJECT and n.equal(s.slots[c], -1))
            for c, v in zip(m.columns, self.other, strict=True)
        )
        return t.both(n.less(0, s.slots[m.head]), *same)

    def at_head(self, s: Sym) -> bool:
        return len(s.frames) == 1 and s.frames[0].pc == self.resolver.head

    def go_on(self, s: Sym, option: Sequence[Val], pending: dict[Places, Sym]) -> None:
        """Go on to the next labels."""
        for arrived in self.run(s, option, True):
            self.meet(arrived, pending)

    def play(self, pending: dict[Places, Sym], out: Round) -> list[Sym]:
        """Go on from label to label, the innermost first, until the head of the loop is come to again. Gives the states,
        while `entering`, in which one of those that wait is to be taken."""
        until = time.process_time() + MOST_SECONDS
        passes: dict[Places, int] = {}
        starts: list[Sym] = []
        while pending:
            places = max(pending, key=lambda p: (len(p), [-pc for _, pc in p]))
            s = pending.pop(places)
            if s.dead:
                continue
            if time.process_time() > until:
                raise TooMany(*MUCH_MEANWHILE)
            if self.entering and places[-1] == (self.resolver.chooser, self.resolver.pc):
                starts.append(s)
                continue
            if self.at_head(s):
                row, when = Row(s.share(), s.frames[0].locals), s.path.term
                if self.entering:
                    out.before, out.checked = when, row
                else:
                    there = self.still_waits(s)
                    out.back, out.row = t.both(when, there), row
                    out.gone = t.both(when, t.no(there))
                continue
            passes[places] = passes.get(places, 0) + 1
            if passes[places] > 1 and not self.possible(s.path.term):
                continue
            if passes[places] > MOST_PASSES or is_nested(places):
                out.bad = t.either(out.bad, s.path.term)
                out.cut = out.cut if is_nested(places) else t.either(out.cut, s.path.term)
                continue
            asked = self.question(s)
            option: Sequence[Val] = ()
            if asked is not None and not s.dead:
                option = self.decided(asked, s, out)
            if not s.dead:
                self.go_on(s, option, pending)
        return starts

    def decided(self, asked: Question, s: Sym, out: Round) -> list[Val]:
        """What is taken: any of several options, or the only one."""
        some, several, here = self.any_option(asked), asked.several, s.path.term
        wrong, first = t.both(several, t.no(asked.offered(some))), asked.first
        masks = [isinstance(v, n.Bits) for v in some]
        name = f"{self.prefix}{self.fresh}"
        out.choices[name] = here, t.both(here, several), t.both(here, wrong), t.every(map(n.equal, some, first))
        out.options[name], out.asked[name] = some, asked
        s.path = s.path.plus(t.no(wrong))
        return [n.choose(several, x, y, m) for x, y, m in zip(some, first, masks, strict=True)]

    def any_option(self, asked: Question) -> list[Val]:
        """Some option, whichever: one variable for it in both orders."""
        self.fresh += 1
        name = f"{self.prefix}choice{self.fresh}"
        if asked.is_subset:
            return [n.mask_variable(name, len(n.bits(asked.among)))]
        return [wide_enough(f"{name}.{k}", c) for k, c in enumerate(asked.columns)]


def is_nested(places: Places) -> bool:
    """Is a procedure under way within itself, or does something happen by itself while something else does? Looking for what
    is due is nothing by itself."""
    happening = sum(name == SETTLE for name, _ in places[:-1])
    return happening > 1 or max(Counter(name for name, _ in places if name != SETTLE).values(), default=0) > 1


def add_end(out: Round, h: Halt) -> None:
    """Play ended meanwhile."""
    if h.kind in LEFT_OPEN:
        out.bad = t.either(out.bad, h.when)
        return
    key = (h.kind, "" if h.kind in DECIDED else h.detail)
    when, who = out.ends.get(key, (False, h.who))
    out.ends[key] = t.either(when, h.when), n.choose(h.when, h.who, who)


def locals_of(program: Program, resolver: Resolver) -> list[Val]:
    """The locals of the loop at its head, of which nothing is known."""
    fn = program.functions[resolver.loop]
    live = liveness(fn)[resolver.head]
    return local_variables(resolver.loop, fn.locals, live)

