"""What is checked: one scenario under one set of readings, ready to run; and plays of it told step by step."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...model.engine.describe import Describer
from ...model.engine.interpreter import Interpreter
from ...model.engine.state import Arrival, Option, State
from ...model.ir.nodes import Mark
from ...model.ir.program import Program
from ...spec.text import Text
from ..findings.record import Certainty, PlayStep
from .symmetry import Symmetry


@dataclass
class Subject:
    """A scenario under one reading set.

    `positions` are the slots play begins with (several when the order of a deck is enumerated), `starts` the first
    labels reached from them.
    `consulted` are the readings that matter to it. `symmetry` is None where equal cards are kept apart.
    """

    book: str
    scenario: str
    title: Text
    program: Program
    engine: Interpreter
    describer: Describer
    positions: Sequence[Sequence[int]]
    starts: Sequence[Arrival]
    readings: Mapping[str, str]
    certainty: Certainty
    invented_cards: bool = False
    policies: tuple[Text, ...] = ()
    symmetry: Symmetry | None = None
    assumptions: tuple[Text, ...] = ()

    # ------------------------------------------------------------ telling a play
    def tell(self, state: State, option: Option) -> tuple[PlayStep, Arrival]:
        """One step of a play: what was chosen by whom, which clauses were carried out, what changed."""
        at = self.engine.point(state)
        assert at is not None
        marks: list[Mark] = []
        arrival = self.engine.apply(state, option, marks)
        d = self.describer
        decider = d.decider(at, state)
        step = PlayStep(
            at.options.index(option), decider, d.option(at, option) if decider is not None else None,
            tuple(d.option(at, o) for o in at.options if o != option) if decider is not None else (),
            tuple(dict.fromkeys(c for m in marks for c in m.clauses)), d.changes(state, arrival.state))
        return step, arrival

    def opening(self, start: int = 0) -> PlayStep | None:
        """What happens before the first label, if anything does."""
        marks: list[Mark] = []
        arrival = self.engine.start(self.positions[start], marks)
        clauses = tuple(dict.fromkeys(c for m in marks for c in m.clauses))
        changes = self.describer.changes(State(tuple(self.positions[start]), ()), arrival.state)
        return PlayStep(0, None, None, (), clauses, changes) if clauses or changes else None

    def players_of_waiting(self, state: State, option: Option) -> set[int]:
        """Who plays waiting abilities in the step: by the parameter `who` of a procedure `play_waiting`."""
        fn = self.program.functions.get("play_waiting")
        if fn is None:
            return set()
        names = [x.name for x in fn.locals[: fn.arity]]
        if "who" not in names:
            return set()
        called: list[tuple[str, tuple[int, ...]]] = []
        self.engine.apply(state, option, calls=called)
        return {args[names.index("who")] for name, args in called if name == "play_waiting"}

    # ------------------------------------------------------------ plays under symmetry
    def real_option(self, real: State, option: Option) -> Option:
        """The option of a real state that corresponds to an option of its representative."""
        if self.symmetry is None:
            return option
        at = self.engine.point(real)
        _, perm = self.symmetry.canonical(real)
        if at is None or at.type is None:
            return option
        inverse = [0] * len(perm)
        for a, b in enumerate(perm):
            inverse[b] = a
        return self.symmetry.permute_option(at.type, option, inverse)

    def follow(self, real: State, options: Sequence[Option]) -> list[tuple[State, Option]]:
        """The real play along options given for representatives: (state, option) for each step, then the last state
        with an empty option."""
        out: list[tuple[State, Option]] = []
        for o in options:
            mine = self.real_option(real, o)
            out.append((real, mine))
            real = self.engine.apply(real, mine).state
        out.append((real, ()))
        return out

    def unroll(self, stem: Sequence[Option], cycle: Sequence[Option], start: int = 0, rounds: int = 64) -> tuple[
            list[tuple[State, Option]], list[tuple[State, Option]]] | None:
        """A lasso of representatives as a lasso of real states: the cycle is gone round until the very same state
        comes back. None if it does not (a defect of the search)."""
        way = self.follow(self.starts[start].state, stem)
        head = way[-1][0]
        around: list[tuple[State, Option]] = []
        at = head
        for _ in range(rounds):
            part = self.follow(at, cycle)
            around += part[:-1]
            at = part[-1][0]
            if at == head:
                return way[:-1], around
        return None
