"""Gaps that procedures come to while they are under way, asked of every piece of a procedure (`segments`): where the book
is said to be silent (`gap("clause")`), choices without an option, and the end of all rules while nobody has won.

What a procedure holds in its locals is not known, nor which entries can wait. So that a gap cannot come about is shown whatever is
held, but that it can is told only where the choice does not depend on either (but for players): of a card that is held nothing would be
known but that it is one. What the piece itself has worked out before the choice, from nothing else that is held, is known.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from ....model.ir import nodes as ir
from ....model.ir.flow import assigned, functions_used, liveness, predecessors, successors, used, walk
from ....model.ir.program import Function, Program
from ....model.ir.types import domain
from ....spec.text import Text
from ...findings.record import Unasked
from .. import numbers as n
from .. import truths as t
from ..callers import Callers
from ..numbers import Beyond
from ..segments import Begin, Segment, begins, happens_at_once, piece
from ..states import Sym
from ..there import with_cards
from ..transitions import CARDS_OWN
from ..truths import Truth
from .asking import Asker
from .position import Position
from .stops import SETTLE, Stop, Underway, is_simple, is_step


@dataclass(frozen=True)
class Silence:
    """A place where a rule may come to a gap, or to a conflict of its own (not of verdicts that rules by themselves ask). `doubt`: why a
    model would not say that it does (None if it would), with the locals that it depends on."""

    key: tuple[str, ...]
    function: str
    at: ir.Mark
    doubt: Unasked | None = None
    held: tuple[str, ...] = ()


def stops_under_way(
    asker: Asker, places: Sequence[Silence], wanted: Set[tuple[str, ...]], but: Set[str] = frozenset(),
) -> tuple[list[Stop], list[tuple[str, Text]], int]:
    """How pieces that do not begin in the rules of `but` come to those of these places whose keys are `wanted`; pieces that are
    refused, and how many were looked at."""
    symbolic, program = asker.symbolic, asker.program
    within = {name: functions_used(program, [name]) for name in program.functions}
    speaking = {x.function for x in places if x.key in wanted}
    contradicting = any(key[0] == "conflict" for key in wanted)
    callers = Callers(symbolic)
    stops: list[Stop] = []
    refused: dict[str, Text] = {}
    count = 0
    for begin in begins(program):
        fn = program.functions[begin.function]
        if is_step(fn) or asks(program, begin):
            continue  # what is asked for inside a step
        if (begin.function in but and not brings_in(fn, begin, but)) or not within[begin.function] & speaking:
            continue
        try:
            one = piece(symbolic, begin, callers)
        except Beyond as e:
            refused.setdefault(begin.function, e.why)
            continue
        count += 1
        there: list[Truth] | None = None
        for h in one.halts:
            key = (h.kind, h.detail)
            if key in wanted or (h.kind == "conflict" and contradicting):
                there = there or [*one.assumed, *whole(asker, one), *come_by(asker, one, begin)]
                when = t.every([h.when, *there])
                if when is not False:
                    stops.append(Stop(key, begin.function, (), when, underway=Underway(begin, one.state, one.option)))
    return stops, list(refused.items()), count


def come_by(asker: Asker, one: Segment, begin: Begin) -> Iterator[Truth]:
    """What has been asked right before play stands at a label and waits for somebody, with the answer by which it came there: as far as
    there is one way only on which nothing is done, and what was asked depends on nothing that is not held any more."""
    fn = asker.program.functions[begin.function]
    before, live, at = predecessors(fn), liveness(fn)[begin.pc], begin.pc
    while (
        begin.kind == "label" and at > 0 and len(came := before.get(at, ())) == 1
    ):  # to the first place, calls come, too
        i = fn.code[came[0]]
        if at not in successors(i, came[0]):
            return  # by a signal
        if isinstance(i, ir.Branch):
            if used(i) <= live:
                holds = n.holds(
                    asker.symbolic.machine.value(i.test, Sym(list(one.state.slots)), list(one.state.frames[0][2]))
                )
                yield holds if at == came[0] + 1 else t.no(holds)
        elif not isinstance(i, ir.Jump | ir.Label):
            return
        at = came[0]


def brings_in(fn: Function, begin: Begin, but: Set[str]) -> bool:
    """Does a piece of one of these rules begin with a text of a card that they had not?"""
    i = fn.code[begin.pc]
    return begin.kind == "cut" and isinstance(i, ir.Invoke) and i.function not in but


@dataclass
class Silences:
    """The places of a program at which play may stop. `told`: keys of which a model may say that play stops so, but where a piece comes to
    a place of that key that depends on more (`doubted`): what names them must not name that."""

    places: list[Silence]
    told: set[tuple[str, ...]]
    doubted: dict[Begin, set[tuple[str, ...]]]


def silences(program: Program) -> Silences:
    """Where play may come to a gap: where the book is said to be silent, and at choices that may have no option; and where it may be given
    two values at once, or come to clauses that contradict each other."""
    visible = functions_used(program, [program.entry])
    plain = functions_used(program, [program.entry], memory(program))
    said = [x for name in sorted(visible) for x in said_in(program.functions[name])]
    told = {x.key for x in said if x.doubt is None and x.function in plain}
    choices: dict[tuple[str, int], Silence] = {}
    doubted: dict[Begin, set[tuple[str, ...]]] = {}
    for begin in begins(program):
        known = Known(program, begin).at
        here = [((name, pc), x) for name in sorted(known.keys() & visible - {SETTLE})  # that is the book's no more than a loop: it takes one that holds
                for pc, x in choices_in(program, program.functions[name], known[name])]
        doubted[begin] = {x.key for _, x in here if x.doubt is not None}
        told |= {x.key for _, x in here if x.function in plain} - doubted[begin]
        for at, x in here:
            before = choices.setdefault(at, x)
            if x.doubt is not None:
                choices[at] = replace(x, held=tuple(sorted({*x.held, *before.held})))
    return Silences(sorted([*said, *choices.values()], key=lambda x: x.function), told, doubted)


def asks(program: Program, begin: Begin) -> bool:
    """Is a reading asked for there? Every one has been chosen, so no piece ends before it."""
    return isinstance(program.functions[begin.function].code[begin.pc], ir.Consult)


def said_in(fn: Function) -> Iterator[Silence]:
    """The places of one function at which the book is said to be silent, or may contradict itself."""
    for i in fn.code:
        if isinstance(i, ir.End) and i.kind in ("gap", "conflict"):
            yield Silence((i.kind, i.detail), fn.name, i.at, Unasked.TOLD if i.kind == "conflict" else None)
        elif isinstance(i, ir.BatchBegin):
            yield Silence(("conflict", " ".join(i.at.clauses)), fn.name, i.at, Unasked.TOLD)


def choices_in(program: Program, fn: Function, known: Mapping[int, Set[int]]) -> Iterator[tuple[int, Silence]]:
    """The choices of one function that may have no option, at the places that are come to, with these locals known."""
    for pc, locals_ in sorted(known.items()):
        i = fn.code[pc]
        if isinstance(i, ir.Choose) and not any(x.binders == () and x.test == ir.Const(1) for x in i.offers):
            bound = {b.var for x in i.offers for b in x.binders}
            held = locals_beside(i, locals_ | bound)
            waits = any(looks_at_entries(program, x) for x in i.offers)
            doubt = (
                Unasked.CHANCE if isinstance(i.owner, ir.ByChance) else
                Unasked.HELD if held else Unasked.WAITING if waits else None
            )
            names = tuple(fn.locals[k].name for k in sorted(held)) if doubt is Unasked.HELD else ()
            yield pc, Silence(("gap", " ".join(i.at.clauses)), fn.name, i.at, doubt, names)


def locals_beside(i: ir.Choose, locals_: Set[int]) -> set[int]:
    """The locals other than these that the options depend on."""
    inside = [e for x in i.offers for e in walk(x)]
    bound = {e.var for e in inside if isinstance(e, ir.Fold | ir.PileFind)}
    return {e.index for e in inside if isinstance(e, ir.Local)} - locals_ - bound


def looks_at_entries(program: Program, node: ir.Node) -> bool:
    """Does it depend on entries that wait?"""
    entries = {c for m in program.layout.containers.values() for c in m.columns}
    return any(isinstance(e, ir.Load) and e.base in entries for e in walk(node))


def depends_on(program: Program, node: ir.Node, locals_: Set[int]) -> bool:
    """Does it depend on no locals but these, nor on entries that wait?"""
    inside = walk(node)
    bound = {e.var for e in inside if isinstance(e, ir.Fold | ir.PileFind)}
    return not looks_at_entries(program, node) and not any(
        isinstance(e, ir.Local) and e.index not in locals_ | bound for e in inside
    )


class Known:
    """What is known at each place that a piece comes to, by functions (`at`): locals that depend on nothing that the piece begins with but
    players, members of loops through all values of a type, and the state. A choice with one option is gone through."""

    def __init__(self, program: Program, begin: Begin) -> None:
        self.program = program
        self.at: dict[str, dict[int, Set[int]]] = {}
        self.results: dict[str, bool] = {}
        """Of procedures that come back: is their result known?"""
        self.sites: dict[str, set[tuple[str, int]]] = {}
        self.todo: list[tuple[str, int]] = []
        self.come_to(begin.function, begin.pc, set())
        self.go_on(*self.todo.pop(), begins=begin.kind != "call")
        while self.todo:
            self.go_on(*self.todo.pop())

    def go_on(self, name: str, pc: int, begins: bool = False) -> None:
        """What is known behind an instruction; `begins`: it is there that the piece begins, so that it does not end there, and takes any option."""
        fn, known = self.program.functions[name], self.at[name][pc]
        i = fn.code[pc]
        after, there = known - assigned(i), successors(i, pc)
        match i:
            case ir.Next() | ir.Label() if not begins and pc not in happens_at_once(fn):
                return
            case ir.Assign(value=value) if depends_on(self.program, value, known):
                after |= {i.local}
            case ir.Choose() if not begins and all(
                depends_on(self.program, x, known | {b.var for b in x.binders}) for x in i.offers
            ):
                after |= assigned(i)
            case ir.Return(value=value):
                result = self.results.get(name, True) and (value is None or depends_on(self.program, value, known))
                if self.results.get(name) is not result:
                    self.results[name] = result
                    self.todo += self.sites.get(name, ())
            case ir.Invoke(function=callee):
                if (i.stop or callee.startswith(CARDS_OWN)) and not begins:
                    return
                self.sites.setdefault(callee, set()).add((name, pc))
                self.come_to(callee, 0, {k for k, a in enumerate(i.args) if depends_on(self.program, a, known)})
                if callee not in self.results:
                    there = ()  # unless by a signal
                elif self.results[callee]:
                    after |= assigned(i)
            case _:
                pass
        for to in there:
            self.come_to(name, to, after)
        for h in fn.handlers:
            if h.first <= pc < h.last:
                self.come_to(name, h.target, set())

    def come_to(self, name: str, pc: int, known: Set[int]) -> None:
        """Play comes to a place, and this is known: of what was known there, coming from elsewhere, what both know is left."""
        fn, at = self.program.functions[name], self.at.setdefault(name, {})
        now = (known | simple_locals(fn)) & at.get(pc, set(range(len(fn.locals))))
        if pc < len(fn.code) and at.get(pc) != now:
            at[pc] = now
            self.todo.append((name, pc))


def simple_locals(fn: Function) -> set[int]:
    """Locals whose every value can be: of players, and what goes through all values of a type."""
    out = {k for k, x in enumerate(fn.locals) if is_simple(x.type)}
    for i in fn.code:
        if isinstance(i, ir.Next):
            sets = [x.value for x in fn.code if isinstance(x, ir.Assign) and x.local == i.rest]
            if all(isinstance(x, ir.Const) and x.value == domain(fn.locals[i.rest].type)[1] for x in sets):
                out.add(i.var)
    return out


def memory(program: Program) -> list[str]:
    """Steps that are told nothing and done by steps only: what is worked out anew after each effect. Nobody comes to a
    position in which it is not up to date, so what they would make of one is not asked."""
    by_procedures = {
        i.function for f in program.functions.values() if not is_step(f) for i in f.code if isinstance(i, ir.Do)
    }
    by_steps = {i.function for f in program.functions.values() if is_step(f) for i in f.code if isinstance(i, ir.Do)}
    return [name for name, fn in program.functions.items() if not fn.arity and name in by_steps - by_procedures]


def whole(asker: Asker, one: Segment) -> Iterator[Truth]:
    """The piece begins in the state that is asked about, and its locals are within their domains and refer to cards that exist."""
    for mine, theirs in zip(one.state.slots, asker.state.slots, strict=True):
        if not n.same(mine, theirs):
            yield n.equal(mine, theirs)
    for number, _, locals_ in one.state.frames:
        for x, v in zip(asker.symbolic.functions[number].locals, locals_, strict=True):
            yield asker.refers(x.type, v)
            yield t.both(n.in_bounds(v), n.between(v, *domain(x.type)))


def position_under_way(asker: Asker, slots: list[int]) -> Position:
    """The position, in the world that was asked about, of which not all cards need be there."""
    free = asker.free
    program = with_cards(free.program, slots)
    readings = {name: program.readings[name][slots[slot]] for name, slot in program.reading_slots.items()}
    world = replace(free.world, readings={**free.world.readings, **readings})
    return Position(world, program, slots)
