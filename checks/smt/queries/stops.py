"""The ways in which a rule can stop where the book contradicts itself or is silent.

Every rule that play comes to from outside is carried out in a state of which nothing is known, if it is told nothing
but players: of a card that it is told nothing would be known but that it is one.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from ....model.ir import nodes as ir
from ....model.ir.flow import functions_used
from ....model.ir.program import SETTLE, Function, Program, VerdictInfo
from ....model.ir.types import Bool, OptionType, PlayerType, SetType, Type, UnionType
from ....spec.text import Text
from ...explore.ended import JUDGED
from .. import numbers as n
from .. import truths as t
from ..expressions import total
from ..numbers import Beyond, Val
from ..segments import Begin
from ..states import Halt, Path, Sym
from ..symbolic import Symbolic, SymbolicState, local_variables
from ..truths import Truth

MUCH = 16
"""One more verdict counts for more than who they are about."""
MOST_SUBJECTS = 256
"""What a verdict can be asked about, one by one, at most."""


@dataclass(frozen=True)
class Underway:
    """Where a stop is in play: the piece that it is a stop of."""

    begin: Begin
    state: SymbolicState
    option: tuple[Val, ...]


@dataclass(frozen=True)
class Stop:
    """One way to stop. `key` is what tells findings apart: the kind, the place or question, and for verdicts which two
    of them disagree; `when` is the condition in the state `rule` is carried out in, with `args`; `late`: the verdicts had
    something to pronounce on before the rule began, so that play would have ended there."""

    key: tuple[str, ...]
    rule: str
    args: tuple[Val, ...]
    when: Truth
    late: Truth = False
    crowd: Val = 0
    """How much is pronounced on the question, and on whom: one for each verdict on the first player, more on the other."""
    underway: Underway | None = None
    """Where in a procedure, if one was under way."""


def stops_of(
    symbolic: Symbolic, state: SymbolicState, kinds: Sequence[str], but: Set[str] = frozenset(),
) -> tuple[list[Stop], list[tuple[str, Text]], int]:
    """The ways in which rules can stop as one of `kinds` (where one does the other: of the inner); rules that the
    translation does not take, each with the reason, and how many were looked at. Rules of `but` are not."""
    stops: list[Stop] = []
    refused: list[tuple[str, Text]] = []
    names = [name for name in roots(symbolic.program) if name not in but]
    for name in names:
        fn = symbolic.program.functions[name]
        args = tuple(local_variables(name, fn.locals[:fn.arity]))
        try:
            due = True if is_step(fn) else is_due(symbolic, state, name, args)
            for halt in carried_out(symbolic, state, fn, args):
                if halt.kind in kinds:
                    stops += stops_at(symbolic, state, fn, args, halt, due)
        except Beyond as e:
            refused.append((name, e.why))
    within = {name: functions_used(symbolic.program, [name]) for name in names}
    rules = {key: {s.rule for s in stops if s.key == key} for key in {s.key for s in stops}}
    direct = [s for s in stops if not within[s.rule] & rules[s.key] - {s.rule}]
    return direct, refused, len(names)


def roots(program: Program) -> list[str]:
    """The rules that are carried out from outside, in the order of the book: situations, and steps that procedures do
    and that are told nothing but players."""
    done_by: dict[str, set[bool]] = {}
    for fn in program.functions.values():
        for i in fn.code:
            if isinstance(i, ir.Do | ir.Invoke):
                done_by.setdefault(i.function, set()).add(is_step(fn))
    asking = situations(program)
    return [
        name for name, fn in program.functions.items()
        if all(is_simple(x.type) for x in fn.locals[:fn.arity])
        and (name in asking or (is_step(fn) and False in done_by.get(name, ())))]


ASKING = "[asking]"
"""Ends the name of a step that asks for a reading: it is carried out as if it were a procedure."""


def is_step(fn: Function) -> bool:
    """Is it one in the book?"""
    return fn.kind == "step" or fn.name.endswith(ASKING)


def situations(program: Program) -> list[str]:
    """The situations that are carried out as procedures, but those that never hold in this world: these are offered for nothing."""
    settle = program.functions.get(SETTLE)
    chosen = next((i for i in settle.code if isinstance(i, ir.Choose)), None) if settle is not None else None
    if chosen is None:
        return []
    assert isinstance(chosen.type, UnionType)
    never = ir.Const(0)
    there = [o.values[0] for o in chosen.offers if never not in (o.test, *(b.domain for b in o.binders))]
    return [chosen.type.variants[k.value].name for k in there if isinstance(k, ir.Const)]


def condition_of(program: Program, situation: str) -> str | None:
    """The define that says when it holds; none where it always does in this world."""
    name = f"when {situation}"
    return name if name in program.functions else None


def is_due(symbolic: Symbolic, state: SymbolicState, situation: str, args: Sequence[Val]) -> Truth:
    """Does the situation hold?"""
    name = condition_of(symbolic.program, situation)
    return True if name is None else symbolic.evaluate(name, state, args).holds


def each_situation(program: Program) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The situations, each with every argument that it can be told."""
    for name in situations(program):
        fn = program.functions[name]
        yield from ((name, args) for args in product(*(range(x.type.lo, x.type.hi + 1) for x in fn.locals[:fn.arity])))


def is_simple(of: Type) -> bool:
    """Is every value of the type something that the rule can be told?"""
    inner = of.inner if isinstance(of, SetType | OptionType) else of
    return isinstance(inner, PlayerType | Bool)


def carried_out(symbolic: Symbolic, state: SymbolicState, fn: Function, args: Sequence[Val]) -> list[Halt]:
    """How play can end when the rule is carried out in the state."""
    machine = symbolic.machine
    machine.halts = []
    if fn.kind == "procedure":
        machine.run(Sym(list(state.slots), Path(None, True), [machine.frame(fn.name, list(args))]), None, False)
    else:
        machine.perform(Sym(list(state.slots), Path(None, True)), fn.name, list(args))
    return machine.halts


def stops_at(
    symbolic: Symbolic, state: SymbolicState, fn: Function, args: tuple[Val, ...], halt: Halt, due: Truth,
) -> Iterator[Stop]:
    """The stops at one halt: for verdicts one for each two that disagree."""
    when = t.both(halt.when, due)
    if not halt.detail.startswith(JUDGED):
        if when is not False:
            yield Stop((halt.kind, halt.detail), fn.name, args, when)
        return
    then = SymbolicState(list(halt.slots))
    question = halt.detail.removeprefix(JUDGED)
    verdicts = [v for v in symbolic.program.verdicts if v.question == question]
    late = False
    if is_step(fn) and any(not n.same(x, y) for x, y in zip(state.slots, then.slots, strict=True)):
        late = t.some(pronounces(symbolic, state, v, x) for v in verdicts for x in subjects(v))
    said = [(pronounces(symbolic, then, v, x), k) for v in verdicts for k, x in enumerate(subjects(v))]
    crowd = total([n.choose(p, MUCH + x, 0) for p, x in said])
    for a, b in combinations(verdicts, 2):
        both = t.both(when, t.some(disagreement(symbolic, then, a, b, x) for x in subjects(a)))
        if both is not False:
            yield Stop((halt.kind, halt.detail, a.function, b.function), fn.name, args, both, late, crowd)


def subjects(v: VerdictInfo) -> list[tuple[int, ...]]:
    """What a verdict can be asked about. Raises Beyond where that is too much."""
    ranges = [range(x.lo, x.hi + 1) for x in v.subject.flat()]
    if prod(map(len, ranges)) > MOST_SUBJECTS:
        raise Beyond(
            f"{v.function} が問われうるものが{MOST_SUBJECTS}個を超える",
            f"{v.function} can be asked about more than {MOST_SUBJECTS} things",
        )
    return list(product(*ranges))


def pronounces(symbolic: Symbolic, state: SymbolicState, v: VerdictInfo, subject: Sequence[int]) -> Truth:
    """Does the verdict say something of the subject?"""
    assert isinstance(v.answer, OptionType)
    said = symbolic.evaluate(v.function, state, subject)
    return t.both(said.fine, t.no(n.equal(said.value, v.answer.none)))


def disagreement(
    symbolic: Symbolic, state: SymbolicState, a: VerdictInfo, b: VerdictInfo, subject: Sequence[int]
) -> Truth:
    """Do both pronounce on the subject, differently, and does neither outrank the other?"""
    if a.function in b.outranks or b.function in a.outranks:
        return False
    one, two = (symbolic.evaluate(v.function, state, subject) for v in (a, b))
    assert isinstance(a.answer, OptionType) and isinstance(b.answer, OptionType)
    return t.both(
        one.fine, two.fine, t.no(n.equal(one.value, a.answer.none)), t.no(n.equal(two.value, b.answer.none)),
        t.no(n.equal(one.value, two.value)))


# ---------------------------------------------------------------- endings that arise together
def endings_together(symbolic: Symbolic, state: SymbolicState) -> tuple[list[Stop], int]:
    """Two situations that hold together and end the game differently, where nobody is named who orders them."""
    program = symbolic.program
    settle = program.functions.get(SETTLE)
    if settle is None or not any(isinstance(i, ir.Choose) and isinstance(i.owner, ir.ByNobody) for i in settle.code):
        return [], 0
    ends: list[tuple[str, tuple[int, ...], Truth, Val]] = []
    for name, args in each_situation(program):
        due = is_due(symbolic, state, name, args)
        for halt in carried_out(symbolic, state, program.functions[name], args) if due is not False else ():
            if halt.kind in ("win", "draw"):
                ends.append((name, args, t.both(due, halt.when), halt.who if halt.kind == "win" else -1))
    stops: list[Stop] = []
    for (a, x, first, wins), (b, y, second, other) in combinations(ends, 2):
        if (a, x) != (b, y):
            when = t.both(first, second, t.no(n.equal(wins, other)))
            if when is not False:
                stops.append(Stop(("conflict", "endings", *sorted({a, b})), SETTLE, (), when))
    return stops, len(ends)
