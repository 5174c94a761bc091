"""Gaps that procedures come to while they are under way, asked of every piece of a procedure (`segments`): where the book
is said to be silent (`gap("clause")`), choices without an option, and the end of all rules while nobody has won.

What a procedure holds in its locals is not known, nor which entries can wait. So that a gap cannot come about is shown whatever is
held, but that it can is told only where the choice does not depend on either (but for players): of a card that is held nothing would be
known but that it is one. What the piece itself has worked out before the choice, from nothing else that is held, is known.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from ....model.engine.state import State
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
from ..segments import Begin, Segment, begins, piece
from ..sorts import marked
from ..states import Sym
from ..there import with_cards
from ..truths import Truth
from .asking import Asker
from .position import Position, position_of
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
        if is_step(fn) or isinstance(fn.code[begin.pc], ir.Consult):
            continue  # what is asked for inside a step: every reading has been chosen
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


def silences(program: Program) -> list[Silence]:
    """Where play may come to a gap: where the book is said to be silent, and at choices that may have no option; and where it may be given
    two values at once, or come to clauses that contradict each other."""
    known = Known(program)
    visible = sorted(functions_used(program, [program.entry]) - {SETTLE})  # that is the book's no more than a loop: it takes one of those that hold
    return [x for name in visible for x in places_in(program, program.functions[name], known)]


def places_in(program: Program, fn: Function, known: Known) -> Iterator[Silence]:
    """Such places of one function."""
    for pc, i in enumerate(fn.code):
        if isinstance(i, ir.End) and i.kind == "gap":
            yield Silence((i.kind, i.detail), fn.name, i.at)
        elif isinstance(i, ir.End) and i.kind == "conflict":
            yield Silence((i.kind, i.detail), fn.name, i.at, Unasked.TOLD)
        elif isinstance(i, ir.BatchBegin):
            yield Silence(("conflict", " ".join(i.at.clauses)), fn.name, i.at, Unasked.TOLD)
        elif isinstance(i, ir.Choose) and not any(x.binders == () and x.test == ir.Const(1) for x in i.offers):
            bound = {b.var for x in i.offers for b in x.binders}
            key, held = ("gap", " ".join(i.at.clauses)), locals_beside(i, known.at[fn.name][pc] | bound)
            if isinstance(i.owner, ir.ByChance):
                yield Silence(key, fn.name, i.at, Unasked.CHANCE)
            elif held:
                yield Silence(key, fn.name, i.at, Unasked.HELD, tuple(fn.locals[k].name for k in sorted(held)))
            else:
                waits = any(looks_at_entries(program, x) for x in i.offers)
                yield Silence(key, fn.name, i.at, Unasked.WAITING if waits else None)


def told_by_a_model(program: Program, places: Sequence[Silence]) -> set[tuple[str, ...]]:
    """The gaps of which a model says that they come about: what names them must not name a choice that depends on more."""
    visible = functions_used(program, [program.entry], memory(program))
    there = [x for x in places if x.function in visible]
    return {x.key for x in there} - {x.key for x in there if x.doubt is not None}


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
    """What procedures hold that depends on nothing that a piece begins with but players and the state: players, members of
    loops through all values of a type, and what was worked out since the piece began from nothing else, whichever way play
    came. A parameter is known if it is at every call."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.begins: dict[str, list[Begin]] = {}
        for b in begins(program):
            self.begins.setdefault(b.function, []).append(b)
        self.parameters = {
            name: set(range(fn.arity)) for name, fn in program.functions.items() if fn.kind == "procedure"
        }
        self.parameters[program.entry] = set()
        self.at: dict[str, list[set[int]]] = {}
        todo = list(self.parameters)
        while todo:
            name = todo.pop()
            self.at[name] = self.worked_out(program.functions[name])
            todo += (callee for callee in self.calls(name) if callee not in todo)

    def calls(self, name: str) -> Iterator[str]:
        """Note what a procedure gives to those that it calls; gives those of which less is known than before."""
        fn, anew = self.program.functions[name], self.anew(name)
        for pc, i in enumerate(fn.code):
            if isinstance(i, ir.Invoke):
                known = simple_locals(fn) if pc in anew else self.at[name][pc]
                here = {k for k, a in enumerate(i.args) if depends_on(self.program, a, known)}
                if not self.parameters[i.function] <= here:
                    self.parameters[i.function] &= here
                    yield i.function

    def anew(self, name: str) -> set[int]:
        """Where pieces begin, but behind calls; every reading has been chosen, so that none begins at one."""
        code = self.program.functions[name].code
        return {b.pc for b in self.begins.get(name, ()) if b.kind != "call" and not isinstance(code[b.pc], ir.Consult)}

    def worked_out(self, fn: Function) -> list[set[int]]:
        """The locals that are known at each place."""
        simple, anew = simple_locals(fn), self.anew(fn.name)
        first = {*(b.pc for b in self.begins.get(fn.name, ()) if b.kind == "call"), *(h.target for h in fn.handlers)}
        out = [simple if pc in first else set(range(len(fn.locals))) for pc in range(len(fn.code))]
        out[0] = simple | (set() if 0 in first else self.parameters.get(fn.name, set()))
        todo = list(range(len(fn.code)))
        while todo:
            pc = todo.pop(0)
            i, before = fn.code[pc], simple if pc in anew else out[pc]
            after = (before - assigned(i)) | simple
            if isinstance(i, ir.Assign) and depends_on(self.program, i.value, before):
                after |= {i.local}
            for to in successors(i, pc):
                if to < len(fn.code) and not out[to] <= after:
                    out[to] = out[to] & after
                    todo.append(to)
        return out


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


def position_under_way(asker: Asker, slots: list[int], within: str) -> Position:
    """The position, in the world that was asked about, of which not all cards need be there. Raises Beyond where what is carried out (`within`: in
    which procedure) has the number of the world's cards in it (`len(CARDS)`), which is another one with those that are there."""
    layout, free = asker.layout, asker.free
    there = sum(1 << c for c in range(layout.card_count) if slots[layout.location + c] >= 0)
    program = with_cards(free.program, there)
    known = marked(free.program).functions
    fewer = marked(position_of(free, State(tuple(slots), ()))[0].program).functions
    sizes = layout.card_count, there.bit_count()
    within_it = [x for x in functions_used(free.program, [within]) if x in fewer] if len({*sizes}) > 1 else []
    if any(pair == sizes for x in within_it for pair in zip(numbers_in(known[x]), numbers_in(fewer[x]), strict=False)):
        raise Beyond("カードの枚数から前もって求めた数による", "it rests on a number that was worked out from how many cards there are")
    readings = {name: program.readings[name][slots[slot]] for name, slot in program.reading_slots.items()}
    world = replace(free.world, readings={**free.world.readings, **readings})
    return Position(world, program, slots)


def numbers_in(fn: Function) -> list[int]:
    """The numbers in the code of a rule that are no sets of cards."""
    return [x.value for i in fn.code for x in walk(i) if type(x) is ir.Const]
