"""Which statements a proof needs: only these are shown, and what shows them, and so on.

Every statement that stands may be assumed while it is asked what a piece needs; what the answer rests on (the solver tells) has
to be shown by all the pieces that bring it about. One that some piece does not bring about, whatever else is assumed, is dropped, and
what rested on it is asked again. At the end all that anything rests on is shown, and rests on nothing but what is shown, too.
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import z3

from . import truths as t
from .goals import Goal, Key, Statement
from .segments import Begin

NOTHING, LASTING, APT, LIKELY = range(4)
"""What is assumed."""
PATIENT = 5
"""How many times as long a condition is asked about."""
AT_ONCE = 0.5
"""Seconds for z3's plain core."""
SMALLER = 2.0
"""Seconds for finding out what a proof can do without."""


@dataclass
class Part:
    """A piece as it is asked about: what is known of it, and what may be assumed, each under a literal."""

    known: list[z3.BoolRef]
    given: Mapping[Statement, z3.BoolRef]


@dataclass
class Demand:
    """The statements that are needed. `part`: of a piece; `goals`: what a piece has to show of these statements; `stands`: is it one that may be
    assumed still; `likely`: may it well be true; `apt`: is it what
    shows most; `bold`: is it one to do without; `lasting`: does it not depend on the
    state (if told, what does not is tried before what is apt); `drop`: it may not any longer; `brings`: the places of the statements that a piece has to bring about."""

    part: Callable[[Begin], Part]
    goals: Callable[[Begin, set[Statement]], Iterator[Goal]]
    stands: Callable[[Statement], bool]
    likely: Callable[[Statement], bool]
    apt: Callable[[Statement], bool]
    bold: Callable[[Statement], bool]
    drop: Callable[[Statement], None]
    brings: Mapping[Begin, frozenset[Key]]
    seconds: float
    stop: Callable[[Begin], None]
    lasting: Callable[[Statement], bool] | None = None
    conditions: dict[Begin, dict[str, Goal]] = field(default_factory=dict[Begin, "dict[str, Goal]"])
    failed: list[tuple[str, Begin]] = field(default_factory=list[tuple[str, Begin]])
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

    def again(self, begin: Begin) -> None:
        if begin not in self.todo:
            self.todo.append(begin)

    def settle(self) -> None:
        """Ask until all that is needed is shown."""
        while self.todo:
            begin = self.todo.popleft()
            self.stop(begin)
            if self.lasting is None:
                self.sift(begin)
            if facts := list(self.left(begin)):
                self.ask(begin, facts)
            if not self.todo:  # what conditions rest on is settled
                self.todo.extend(x for x in self.conditions if list(self.open(x)))
                for x in list(self.todo):
                    self.stop(x)
                    if self.lasting is None:
                        self.sift(x)
                    self.ask(x, list(self.open(x)))

    def open(self, begin: Begin) -> Iterator[Goal]:
        """The conditions that a piece has to keep still."""
        shown = self.shown.setdefault(begin, {})
        yield from (g for name, g in self.conditions.get(begin, {}).items() if name not in shown and (name, begin) not in self.failed)

    def sift(self, begin: Begin) -> None:
        """Drop what is easily seen not to be brought about, of what may be assumed of a piece."""
        by_key: dict[Key, set[Statement]] = {}
        for x in self.part(begin).given:
            if x[0][2] != "state" and self.stands(x) and self.likely(x):
                by_key.setdefault(x[0], set()).add(x)
        for other, here in self.brings.items():
            keys = [k for k in by_key if k in here and (other, k) not in self.sifted]
            self.sifted.update((other, k) for k in keys)
            if keys:
                self.stop(other)
                part = self.part(other)
                left = [g for g in self.goals(other, set[Statement]().union(*(by_key[k] for k in keys))) if g.broken is not False]
                left = [g for g in left if g.key is not None and self.stands((g.key, g.text))]
                while left:
                    literals = [b.decl().name() for x, b in part.given.items() if self.stands(x) and self.likely(x)]
                    answer, wrong = self.check(part, left, literals, self.seconds)
                    if answer != z3.sat:
                        break
                    for g in wrong:
                        self.fails(other, g)
                    left = [g for g in left if g not in wrong]

    def left(self, begin: Begin) -> Iterator[Goal]:
        """The statements that a piece has to bring about still."""
        shown = self.shown.setdefault(begin, {})
        here = self.brings[begin]
        wanted = {x for x in self.needed if x[0] in here and x not in shown}
        for g in self.goals(begin, wanted):
            assert g.key is not None
            wanted.discard((g.key, g.text))
            if g.broken is not False:
                yield g
        shown.update((x, frozenset[Statement]()) for x in wanted)

    def ask(self, begin: Begin, goals: Sequence[Goal]) -> None:
        """Show these of a piece, or drop them: by themselves (or by what lasts), by what is apt, by what is likely."""
        part = self.part(begin)
        left = list(goals)
        for stage in (NOTHING if self.lasting is None else LASTING, APT, LIKELY):
            if left and stage == APT and self.lasting is not None:
                self.sift(begin)
                left = [g for g in left if g.key is None or self.stands((g.key, g.text))]
            literals = {b.decl().name(): x for x, b in part.given.items() if stage and self.stands(x) and self.likely(x) and (
                stage == LIKELY or (self.lasting(x) if stage == LASTING and self.lasting is not None else self.apt(x)))}
            later: list[Goal] = []
            while left:
                answer, wrong = self.check(part, left, literals, self.seconds)
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
            self.fails(begin, g)

    def alone(self, begin: Begin, part: Part, g: Goal, literals: Mapping[str, Statement], stage: int) -> bool:
        """Is it shown by itself?"""
        answer, _ = self.check(part, [g], literals, self.seconds / 4 if g.key is not None or stage == NOTHING else PATIENT * self.seconds)
        if answer == z3.unsat:
            self.rest_on(begin, [g], self.smaller(part, [g], literals))
        return answer == z3.unsat

    def check(
        self, part: Part, goals: Iterable[Goal], literals: Iterable[str], seconds: float,
    ) -> tuple[z3.CheckSatResult, list[Goal]]:
        """Can some of these fail? Those that do then."""
        goals = list(goals)
        answer, wrong = self.put(z3.SimpleSolver(), part, goals, literals, min(AT_ONCE, seconds))
        return self.put(z3.SolverFor("QF_BV"), part, goals, literals, seconds) if answer == z3.unknown else (answer, wrong)

    def put(
        self, solver: z3.Solver, part: Part, goals: Sequence[Goal], literals: Iterable[str], seconds: float,
    ) -> tuple[z3.CheckSatResult, list[Goal]]:
        """Ask a solver that knows nothing yet: one that was asked before was slower (a hundredfold, where it went wrong)."""
        solver.set("timeout", max(1, int(1000 * seconds)))
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
        for kind in sorted(kinds, key=lambda k: (-self.bold(literals[kinds[k][0]]), -len(kinds[k]))):
            if len(kinds) > 1 and any(x in core for x in kinds[kind]):
                without = [y for y in core if y not in kinds[kind]]
                if self.check(part, goals, without, self.seconds / (2 if patient else 4))[0] == z3.unsat:
                    core = [y for y in without if y in self.core]
        until = time.process_time() + min(SMALLER, self.seconds)
        for x in list(core):
            if x in core and time.process_time() < until:
                without = [y for y in core if y != x]
                if self.check(part, goals, without, self.seconds / 8)[0] == z3.unsat:
                    core = [y for y in without if y in self.core]
        return frozenset(literals[x] for x in core)

    def rest_on(self, begin: Begin, goals: Iterable[Goal], core: frozenset[Statement]) -> None:
        """These are shown; what they rest on is needed."""
        for g in goals:
            self.shown[begin][g.text if g.key is None else (g.key, g.text)] = core
        fresh = core - self.needed
        self.needed |= fresh
        keys = {key for key, _ in fresh}
        for other, here in self.brings.items():
            if here & keys:
                self.again(other)

    def fails(self, begin: Begin, g: Goal) -> None:
        """The piece does not show it, whatever is assumed."""
        if g.key is None:
            self.failed.append((g.text, begin))
            return
        gone = g.key, g.text
        self.drop(gone)
        self.needed.discard(gone)
        for other, shown in self.shown.items():
            for what in [x for x, core in shown.items() if gone in core]:
                del shown[what]
                self.again(other)
            shown.pop(gone, None)

    def complete(self) -> None:
        """Is all shown that anything rests on? (If not, that is a defect of ours.)"""
        for begin, here in self.brings.items():
            shown = self.shown.get(begin, {})
            goals = [g for g in self.goals(begin, {x for x in self.needed if x[0] in here}) if g.broken is not False]
            assert all(g.key is not None and (g.key, g.text) in shown for g in goals), f"{begin} does not show all that is needed"
            assert all(core <= self.needed for core in shown.values()), f"{begin} rests on more than is shown"
