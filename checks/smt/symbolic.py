"""A program whose states are not known: what can be asked of all of them at once."""
from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import z3

from ...model.engine.state import State
from ...model.ir.flow import live_across_calls, liveness
from ...model.ir.program import Function, LocalInfo, Program
from ...model.ir.types import SetType, Type, blank, domain
from . import numbers as n
from . import truths as t
from .invariants import Held, of_containers
from .numbers import Val
from .states import Frame, Halt, Path, Sym
from .transitions import Places, Question, Transitions
from .truths import Truth


@dataclass
class SymbolicState:
    """A state at a label: a value for each slot, and the frames (function number, place, locals)."""

    slots: list[Val]
    frames: tuple[tuple[int, int, tuple[Val, ...]], ...] = ()


@dataclass
class Answer:
    """The value of a define: `value` where `fine` holds; elsewhere play ends as one of `halts` says."""

    value: Val
    halts: list[Halt] = field(default_factory=list[Halt])

    @property
    def fine(self) -> Truth:
        return t.no(t.some(h.when for h in self.halts))

    @property
    def holds(self) -> Truth:
        """It can be told, and is not 0."""
        return t.both(self.fine, n.holds(self.value))


@dataclass
class Arrival:
    """A label that a transition may lead to, and the condition under which it does."""

    places: Places
    when: Truth
    state: SymbolicState


@dataclass
class Outcome:
    """Where a transition may lead: labels and ends. Exactly one of the conditions holds."""

    arrivals: list[Arrival]
    halts: list[Halt]


class Symbolic:
    """A program to be asked about in states that are not known. `machine`: what runs it, if it is a machine of a kind of its own."""

    def __init__(self, program: Program, machine: Transitions | None = None) -> None:
        self.program = program
        self.layout = program.layout
        self.functions: list[Function] = list(program.functions.values())
        self.numbers = {f.name: k for k, f in enumerate(self.functions)}
        self.machine = machine or Transitions(program)

    # ------------------------------------------------------------ states
    def variable(self, name: str, of: Type) -> Val:
        """A value of a type of which nothing is known."""
        return variable(name, of)

    def fresh_state(
        self, prefix: str = "", places: Sequence[tuple[str, int]] = (), known: Mapping[int, Val] | None = None,
        parameters: bool = False,
    ) -> SymbolicState:
        """A state of which nothing is known (tell the solver what `invariants` says of it). `places`: the function
        and the place in its code of each frame, outermost first; `known`: slots whose values are; `parameters`: they
        have values even where nobody will read them."""
        given = known or {}
        slots = [
            given[k] if k in given else self.variable(f"{prefix}{k}:{s.name}", s.type)
            for k, s in enumerate(self.layout.slots)]
        frames: list[tuple[int, int, tuple[Val, ...]]] = []
        for depth, (name, pc) in enumerate(places):
            fn = self.program.functions[name]
            live = liveness(fn)
            if depth < len(places) - 1:
                live = live_across_calls(fn, live)
            needed = live[pc] | frozenset(range(fn.arity if parameters else 0))
            frames.append(
                (
                    self.numbers[name],
                    pc,
                    tuple(local_variables(f"{prefix}frame{depth}", fn.locals, needed, self.variable)),
                )
            )
        return SymbolicState(slots, tuple(frames))

    def state_of(self, state: State) -> SymbolicState:
        """A state that is known."""
        return SymbolicState(list(state.slots), tuple((f[0], f[1], tuple(f[2:])) for f in state.frames))

    def equal(self, a: SymbolicState, b: SymbolicState | State) -> Truth:
        """Are they the same state?"""
        if isinstance(b, State):
            b = self.state_of(b)
        if [f[:2] for f in a.frames] != [f[:2] for f in b.frames]:
            return False
        mine = [*a.slots, *(x for f in a.frames for x in f[2])]
        others = [*b.slots, *(x for f in b.frames for x in f[2])]
        return t.every(map(n.equal, mine, others))

    def concrete(self, model: z3.ModelRef, state: SymbolicState) -> State:
        """The state of the engine that a model gives."""
        def of(v: Val) -> int:
            return evaluated(model, v)
        return State(
            tuple(map(of, state.slots)), tuple((number, pc, *map(of, locals_)) for number, pc, locals_ in state.frames))

    def invariants(self, state: SymbolicState, books: bool = True, nowhere: bool = False) -> list[Held]:
        """What holds of every state: what containers contribute, and the book's own `@invariant`s (`books`)."""
        out = list(of_containers(self.layout, state.slots, nowhere))
        if books:
            out += [Held(name, "", self.evaluate(name, state).holds) for name in self.program.invariants]
        out += [
            Held(
                f"{x.name} in {fn.name} is within its domain", "", t.both(n.in_bounds(v), n.between(v, *domain(x.type)))
            )
            for number, _, locals_ in state.frames
            for fn in (self.functions[number],)
            for x, v in zip(fn.locals, locals_, strict=True)
        ]
        return [h for h in out if h.condition is not True]

    # ------------------------------------------------------------ running
    def _begin(self, state: SymbolicState, under: Truth) -> Sym:
        frames = [Frame(self.functions[number], pc, list(locals_)) for number, pc, locals_ in state.frames]
        return Sym(list(state.slots), Path(None, True).plus(under), frames)

    def evaluate(self, define: str, state: SymbolicState, args: Sequence[Val] = ()) -> Answer:
        """The value of a define in a state."""
        value, halts = self.machine.defined(Sym(list(state.slots)), define, list(args))
        return Answer(value, halts)

    def question(self, state: SymbolicState) -> Question | None:
        """What is decided in a state at a label; None at the head of a loop or at a call."""
        self.machine.halts = []
        return self.machine.question(self._begin(state, True))

    def any_option(self, state: SymbolicState, prefix: str = "") -> tuple[Val, ...]:
        """An option of which nothing is known (tell the solver that it is `offered`)."""
        asked = self.question(state)
        if asked is None:
            return ()
        if asked.is_subset:
            return (n.mask_variable(f"{prefix}option", len(n.bits(asked.among))),)
        return tuple(wide_enough(f"{prefix}option{k}", c) for k, c in enumerate(asked.columns))

    def step(self, state: SymbolicState, option: Sequence[Val] = (), under: Truth = True) -> Outcome:
        """Where taking the option leads."""
        return self._outcome(self._begin(state, under), option, True)

    def go_on(self, state: SymbolicState) -> Outcome:
        """Where a state leads that stands between labels (a call has just come back)."""
        return self._outcome(self._begin(state, True), None, False)

    def _outcome(self, s: Sym, option: Sequence[Val] | None, resumed: bool) -> Outcome:
        self.machine.halts = []
        arrived = self.machine.run(s, option, resumed)
        return Outcome(
            [Arrival(tuple((f.fn.name, f.pc) for f in s.frames), s.path.term, self._state(s)) for s in arrived],
            self.machine.halts)

    def _state(self, s: Sym) -> SymbolicState:
        return SymbolicState(s.slots, tuple((self.numbers[f.fn.name], f.pc, tuple(f.locals)) for f in s.frames))


def variable(name: str, of: Type) -> Val:
    """A value of a type of which nothing is known."""
    lo, hi = domain(of)
    if isinstance(of, SetType):
        return n.mask_variable(name, of.span)
    if (lo, hi) == (0, 1):
        return n.mask_variable(name, 1)
    return n.variable(name, lo, hi)


def local_variables(
    prefix: str,
    locals_: Iterable[LocalInfo],
    live: Container[int] | None = None,
    of_type: Callable[[str, Type], Val] = variable,
) -> list[Val]:
    """For each local a value of which nothing is known (that it has before its first assignment, if it is not among those that are `live`).
    Each has a variable of its own: the parts of a record, and what is bound in two loops, can be locals of one name. `of_type`: makes one."""
    return [
        of_type(f"{prefix}:{k}:{x.name}", x.type) if live is None or k in live else blank(x.type)
        for k, x in enumerate(locals_)
    ]


def wide_enough(name: str, values: Sequence[Val]) -> Val:
    """A value that may be any of these, and of which nothing else is known."""
    if not values:
        return 0
    lo, hi = min(map(n.lo_of, values)), max(map(n.hi_of, values))
    if lo >= 0 and (hi <= 1 or any(isinstance(v, n.Bits) and len(v.bits) > 1 for v in values)):
        return n.mask_variable(name, hi.bit_length())
    return n.variable(name, lo, hi)


def evaluated(model: z3.ModelRef, v: Val) -> int:
    """The value that a model gives."""
    if isinstance(v, int):
        return v
    if isinstance(v, n.Num):
        found = model.eval(v.term, model_completion=True)
        assert isinstance(found, z3.BitVecNumRef)
        return found.as_signed_long()
    return sum(1 << k for k, b in enumerate(v.bits) if b is True or (
        not isinstance(b, bool) and z3.is_true(model.eval(b, model_completion=True))))
