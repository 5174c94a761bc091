"""Which statements a proof needs: only these are shown, and what shows them, and so on (Houdini's way, led by unsat cores).

Every statement that stands may be assumed while it is asked what a piece needs; what the answer rests on (the solver's unsat core) has
to be shown by all the pieces that bring it about. One that some piece does not bring about, whatever else is assumed, is dropped, and
what rested on it is asked again. At the end all that anything rests on is shown, and rests on nothing but what is shown, too.
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import z3

from . import truths as t
from .segments import Begin
from .solving import limit
from .standing import Standing
from .statements import Fact, Goal, Key, Statement
from .truths import Truth

NOTHING, LASTING, APT, ALL = range(4)
"""What is assumed."""
PATIENT = 5
"""How many times as long a condition is asked about."""
AT_ONCE = 0.5
"""Seconds for z3's plain core."""
SMALLER = 2.0
"""Seconds for finding out what a proof can do without."""


@dataclass
class Part:
    """A piece as solvers are told of it: what is known of it, and what may be assumed, each under a literal."""

    known: list[z3.BoolRef]
    given: Mapping[Statement, z3.BoolRef]


def as_part(plain: Sequence[Truth], assumed: Mapping[Statement, Truth]) -> Part:
    """What is known, and each statement under a literal."""
    known, given = t.conjuncts(plain), dict[Statement, z3.BoolRef]()
    for k, (what, holds) in enumerate(assumed.items()):
        if holds is not True:
            literal = given[what] = z3.Bool(f"assumed {k}")
            known += t.conjuncts([t.either(t.no(literal), holds)])
    return Part(known, given)


class Pieces(Protocol):
    """The pieces of a program, and what is said of them. `lasting_first`: what does not depend on the state is tried before what is apt."""

    seconds: float
    lasting_first: bool
    standing: Standing
    brings: dict[Begin, frozenset[Key]]
    """The places of the statements that a piece has to bring about."""

    def part(self, begin: Begin) -> Part: ...

    def closer(self, begin: Begin, condition: str) -> Iterator[tuple[Part, Goal]]:
        """The same piece and condition, asked otherwise: if one of these ways shows it, it is shown."""
        ...

    def goals(self, begin: Begin, only: set[Statement]) -> Iterator[Goal]:
        """What a piece has to show of these statements."""
        ...

    def interrupted(self, begin: Begin) -> None:
        """Raises Beyond where time is over."""
        ...


@dataclass
class Demand:
    """The statements that are needed."""

    of: Pieces
    conditions: dict[Begin, dict[str, Goal]] = field(default_factory=dict[Begin, "dict[str, Goal]"])
    failed: list[tuple[str, Begin]] = field(default_factory=list[tuple[str, Begin]])
    dropped: dict[Statement, tuple[Begin, Goal]] = field(default_factory=dict[Statement, tuple[Begin, Goal]])
    """Statements that a piece does not bring about: which, and how it fails."""
    shown: dict[Begin, dict[Statement | str, frozenset[Statement]]] = field(
        default_factory=dict[Begin, "dict[Statement | str, frozenset[Statement]]"])
    """What each piece shows (a statement, or a condition by its name), and what that rests on."""
    needed: set[Statement] = field(default_factory=set[Statement])
    todo: deque[Begin] = field(default_factory=deque[Begin])
    sifted: set[tuple[Begin, Key]] = field(default_factory=set[tuple[Begin, Key]])
    core: list[str] = field(default_factory=list[str])
    """The literals that the last answer rests on."""

    def want(self, begin: Begin, condition: Goal) -> None:
        """A condition that a piece does not keep without any statement."""
        self.conditions.setdefault(begin, {})[condition.text] = condition
        self.again(begin)

    def need(self, those: Iterable[Statement]) -> None:
        """These statements have to be shown, by every piece that brings them about."""
        fresh = set(those) - self.needed
        self.needed |= fresh
        keys = {key for key, _ in fresh}
        for other, here in self.of.brings.items():
            if not keys.isdisjoint(here):
                self.again(other)

    def again(self, begin: Begin) -> None:
        if begin not in self.todo:
            self.todo.append(begin)

    def settle(self) -> None:
        """Ask until all that is needed is shown."""
        while self.todo:
            begin = self.todo.popleft()
            self.prepare(begin)
            if facts := list(self.left(begin)):
                self.ask(begin, facts)
            if not self.todo:  # what conditions rest on is settled
                self.todo.extend(x for x in self.conditions if list(self.open(x)))
                for x in list(self.todo):
                    self.prepare(x)
                    self.ask(x, list(self.open(x)))

    def prepare(self, begin: Begin) -> None:
        self.of.interrupted(begin)
        if not self.of.lasting_first:
            self.sift(begin)

    def open(self, begin: Begin) -> Iterator[Goal]:
        """The conditions that a piece has to keep still."""
        shown = self.shown.setdefault(begin, {})
        yield from (
            g
            for name, g in self.conditions.get(begin, {}).items()
            if name not in shown and (name, begin) not in self.failed
        )

    def stands(self, what: Statement) -> bool:
        return self.of.standing.statement(what) is not None

    def sift(self, begin: Begin) -> None:
        """Drop what is easily seen not to be brought about, of what may be assumed of a piece."""
        by_key: dict[Key, set[Statement]] = {}
        for x in self.of.part(begin).given:
            if x[0][2] != "state" and self.stands(x):
                by_key.setdefault(x[0], set()).add(x)
        for other, here in self.of.brings.items():
            keys = [k for k in by_key if k in here and (other, k) not in self.sifted]
            self.sifted.update((other, k) for k in keys)
            if keys:
                self.of.interrupted(other)
                part = self.of.part(other)
                left = [
                    g
                    for g in self.of.goals(other, set[Statement]().union(*(by_key[k] for k in keys)))
                    if g.broken is not False
                ]
                left = [g for g in left if g.key is not None and self.stands((g.key, g.text))]
                while left:
                    answer, wrong = self.check(
                        part, left, [b.decl().name() for x, b in part.given.items() if self.stands(x)], self.of.seconds
                    )
                    if answer != z3.sat:
                        break
                    for g in wrong:
                        self.fails(other, g)
                    left = [g for g in left if g not in wrong]

    def left(self, begin: Begin) -> Iterator[Goal]:
        """The statements that a piece has to bring about still."""
        shown = self.shown.setdefault(begin, {})
        wanted = {x for x in self.needed if x[0] in self.of.brings[begin] and x not in shown}
        for g in self.of.goals(begin, wanted):
            assert g.key is not None
            wanted.discard((g.key, g.text))
            if g.broken is not False:
                yield g
        shown.update((x, frozenset[Statement]()) for x in wanted)

    def assumed(self, part: Part, stage: int) -> dict[str, Statement]:
        """The literals of what is assumed of a piece."""
        def counts(x: Statement) -> bool:
            said = self.of.standing.statement(x)
            if said is None or stage == NOTHING:
                return False
            match stage:
                case _ if stage == LASTING:
                    return isinstance(said, Fact) and said.lasting
                case _ if stage == APT:
                    return isinstance(said, Fact) or said.apt
                case _:
                    return True
        return {b.decl().name(): x for x, b in part.given.items() if counts(x)}

    def ask(self, begin: Begin, goals: Sequence[Goal]) -> None:
        """Show these of a piece, or drop them: by themselves (or by what lasts), by what is apt, by all that stands."""
        part = self.of.part(begin)
        left = list(goals)
        for stage in (LASTING if self.of.lasting_first else NOTHING, APT, ALL):
            if left and stage == APT and self.of.lasting_first:
                self.sift(begin)
                left = [g for g in left if g.key is None or self.stands((g.key, g.text))]
            literals = self.assumed(part, stage)
            later: list[Goal] = []
            while left:
                answer, wrong = self.check(part, left, literals, self.of.seconds)
                if answer == z3.unsat:
                    self.rest_on(begin, left, self.smaller(part, left, literals))
                    break
                if answer == z3.unknown:
                    later += [g for g in left if not self.alone(begin, part, g, literals, stage)]
                    break
                later += wrong
                left = [g for g in left if g not in wrong]
            left = later
        for g in left:
            if g.key is not None or not any(
                self.alone(begin, closer, goal, self.assumed(closer, ALL), ALL)
                for closer, goal in self.of.closer(begin, g.text)
            ):
                self.fails(begin, g)

    def alone(self, begin: Begin, part: Part, g: Goal, literals: Mapping[str, Statement], stage: int) -> bool:
        """Is it shown by itself?"""
        answer, _ = self.check(
            part,
            [g],
            literals,
            self.of.seconds / 4 if g.key is not None or stage == NOTHING else PATIENT * self.of.seconds,
        )
        if answer == z3.unsat:
            self.rest_on(begin, [g], self.smaller(part, [g], literals))
        return answer == z3.unsat

    def check(
        self, part: Part, goals: Iterable[Goal], literals: Iterable[str], seconds: float,
    ) -> tuple[z3.CheckSatResult, list[Goal]]:
        """Can some of these fail? Those that do then."""
        goals = list(goals)
        answer, wrong = self.put(z3.SimpleSolver(), part, goals, literals, min(AT_ONCE, seconds))
        return (
            self.put(z3.SolverFor("QF_BV"), part, goals, literals, seconds) if answer == z3.unknown else (answer, wrong)
        )

    def put(
        self, solver: z3.Solver, part: Part, goals: Sequence[Goal], literals: Iterable[str], seconds: float,
    ) -> tuple[z3.CheckSatResult, list[Goal]]:
        """Ask a solver that knows nothing yet: one that was asked before was slower (a hundredfold, where it went wrong)."""
        limit(solver, seconds)
        solver.add(*part.known)
        solver.add(t.term(t.some(g.broken for g in goals)))
        answer = solver.check(*(z3.Bool(x) for x in literals))
        wrong: list[Goal] = []
        self.core = [str(x) for x in solver.unsat_core()] if answer == z3.unsat else []
        if answer == z3.sat:
            model = solver.model()
            wrong = [g for g in goals if z3.is_true(model.eval(t.term(g.broken), model_completion=True))]
            assert wrong
        return answer, wrong

    def smaller(self, part: Part, goals: Sequence[Goal], literals: Mapping[str, Statement]) -> frozenset[Statement]:
        """What the answer that was just given rests on, without what is easily done without."""
        core = self.core
        kinds: dict[tuple[str, ...], list[str]] = {}
        for x in core:
            key, text = literals[x]
            kinds.setdefault((key[2], *[w for w in text.split() if not w.isdigit()][:3]), []).append(x)
        patient = any(g.key is None for g in goals)
        for kind in sorted(kinds, key=lambda k: -len(kinds[k])):
            if len(kinds) > 1 and any(x in core for x in kinds[kind]):
                without = [y for y in core if y not in kinds[kind]]
                if self.check(part, goals, without, self.of.seconds / (2 if patient else 4))[0] == z3.unsat:
                    core = [y for y in without if y in self.core]
        until = time.process_time() + min(SMALLER, self.of.seconds)
        for x in list(core):
            if x in core and time.process_time() < until:
                without = [y for y in core if y != x]
                if self.check(part, goals, without, self.of.seconds / 8)[0] == z3.unsat:
                    core = [y for y in without if y in self.core]
        return frozenset(literals[x] for x in core)

    def rest_on(self, begin: Begin, goals: Iterable[Goal], core: frozenset[Statement]) -> None:
        """These are shown; what they rest on is needed."""
        for g in goals:
            self.shown[begin][g.text if g.key is None else (g.key, g.text)] = core
        self.need(core)

    def fails(self, begin: Begin, g: Goal) -> None:
        """The piece does not show it, whatever is assumed."""
        if g.key is None:
            self.failed.append((g.text, begin))
            return
        gone = g.key, g.text
        self.of.standing.drop(gone)
        self.dropped.setdefault(gone, (begin, g))
        self.needed.discard(gone)
        for other, shown in self.shown.items():
            for what in [x for x, core in shown.items() if gone in core]:
                del shown[what]
                self.again(other)
            shown.pop(gone, None)

    def complete(self) -> None:
        """Is all shown that anything rests on? (If not, that is a defect of ours.)"""
        for begin, here in self.of.brings.items():
            shown = self.shown.get(begin, {})
            goals = [g for g in self.of.goals(begin, {x for x in self.needed if x[0] in here}) if g.broken is not False]
            assert all(g.key is not None and (g.key, g.text) in shown for g in goals), (
                f"{begin} does not show all that is needed"
            )
            assert all(core <= self.needed for core in shown.values()), f"{begin} rests on more than is shown"
