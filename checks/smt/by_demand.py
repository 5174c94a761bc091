"""A condition proved by the statements that it needs and no others: `modular.py` says what they are, `demand.py` how they are found.

Shown are only those that an answer rests on, so a proof with few of them is quick however many there could be.
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import z3

from ...model.ir.program import Program
from . import truths as t
from .contracts import Stretch
from .demand import PATIENT, Demand, Part, Statement
from .entries import spoken_of
from .facts import Fact
from .goals import Goal, Key
from .modular import QUICK, Kept, Modular
from .numbers import Beyond
from .segments import Begin
from .solving import SECONDS, query
from .solving import asked as in_bits
from .truths import Truth


@dataclass
class Looked:
    """A piece, what is known of it whatever is assumed, how each condition may be broken, and what may be assumed."""

    of: Stretch
    plain: list[Truth]
    broken: dict[str, Truth]
    assumed: dict[Statement, Truth] | None = None
    part: Part | None = None


class OnDemand(Modular):
    """Proves one condition with as few statements as it takes. `failing`: the pieces that fail without any, where that was asked before of the
    same program: what the others were shown from (references alone) every piece has been shown to bring about, too."""

    def __init__(
        self, program: Program, condition: str, owners: Sequence[int], first: Sequence[int], seconds: float = SECONDS,
        stop: Callable[[], bool] | None = None, failing: Sequence[Begin] | None = None, entries: bool = False, together: bool = False,
    ) -> None:
        super().__init__(
            program, condition, owners, first, seconds, stop, 1 + together, besides=spoken_of(program) if entries else (), closed=together)
        if self.part.besides or together:  # there are pieces that were not asked before
            failing = None
        self.failing_bare = failing
        self.patience = self.seconds if together else min(QUICK, self.seconds)
        self.candidates.in_cases, self.candidates.of_all = True, together
        self.pieces: dict[Begin, Looked] = {}
        self.demand = self.new_demand()

    def new_demand(self) -> Demand:
        return Demand(
            self.part_of, self.goals, self.stands_still, self.likely, self.apt, self.bold, self.drop, {}, self.patience, self.interrupted,
            self.lasting if self.part.besides else None)

    # ------------------------------------------------------------ pieces
    def interrupted(self, begin: Begin) -> None:
        """Raises Beyond where time is over."""
        self.out.where = begin
        if self.stop is not None and self.stop():
            raise Beyond("interrupted")

    def explore(self) -> None:
        """Make all the pieces that play may come to. Raises Beyond."""
        todo = deque([Begin(self.program.entry, 0, "call")])
        while todo:
            begin = todo.popleft()
            self.interrupted(begin)
            if begin in self.pieces:
                continue
            self.pieces[begin] = found = Looked(*self.looked_at(begin))
            todo += dict.fromkeys(self.next_ones(found.of))
        for begin in self.pieces:
            if begin.function in self.entered and begin.kind == "call" and begin.site < 0 and not self.at_first(begin):
                raise Beyond(f"{begin.function} is called again")

    def assuming(self, piece: Looked) -> dict[Statement, Truth]:
        """What may be assumed of a piece."""
        if piece.assumed is None:
            piece.assumed = self.by_statement(piece.of)
            piece.plain += self.sides()
        return piece.assumed

    def part_of(self, begin: Begin) -> Part:
        """The piece, as solvers are told of it."""
        piece = self.pieces[begin]
        if piece.part is None:
            assumed = self.assuming(piece)
            known, given = t.conjuncts(piece.plain), dict[Statement, z3.BoolRef]()
            for k, (what, holds) in enumerate(assumed.items()):
                if holds is not True:
                    literal = given[what] = z3.Bool(f"assumed {k}")
                    known += t.conjuncts([t.either(t.no(literal), holds)])
            piece.part = Part(known, given)
        return piece.part

    def goals(self, begin: Begin, only: set[Statement]) -> Iterator[Goal]:
        """What a piece has to show of these statements."""
        part, piece = self.part_of(begin), self.pieces[begin]
        goals = self.to_show(piece.of, only)
        sides = self.sides()
        piece.plain += sides
        part.known += t.conjuncts(sides)
        yield from goals

    def brings(self, of: Stretch) -> frozenset[Key]:
        """The places of the statements that a piece has to bring about."""
        name = of.begin.function
        called = [(c.function, 0, how) for c in of.calls for how in ("given", "in")]
        heads = [(f.fn.name, f.pc, how) for f in (s.frames[-1] for s in of.heads) for how in ("at", "since")]
        return frozenset([("", 0, "state"), (name, 0, "keeps"), (name, 0, "left"), *called, *heads])

    # ------------------------------------------------------------ statements
    def stands_still(self, what: Statement) -> bool:
        return what[1] in self.told(what[0])

    def likely(self, what: Statement) -> bool:
        return self.told(what[0])[what[1]].likely

    def apt(self, what: Statement) -> bool:
        return self.told(what[0])[what[1]].apt

    def lasting(self, what: Statement) -> bool:
        said = self.told(what[0])[what[1]]
        return isinstance(said, Fact) and said.lasting

    def bold(self, what: Statement) -> bool:
        return self.told(what[0])[what[1]].bold

    def drop(self, what: Statement) -> None:
        self.told(what[0]).pop(what[1], None)

    # ------------------------------------------------------------ asking
    def keeps_it(self, begin: Begin, name: str, core: frozenset[Statement] | None = None) -> bool:
        """Does a piece keep a condition, by what these statements say? (None: can it be seen at once without any?)"""
        piece = self.pieces[begin]
        holds = [x for what, x in self.assuming(piece).items() if what in core] if core else []
        question = query(f"{begin.function} at {begin.pc}: {name}", [*piece.plain, *holds, piece.broken[name]])
        reply = in_bits(z3.SimpleSolver(), question.conditions, self.seconds)
        if reply.verdict == "unknown" and core is not None:
            reply = in_bits(z3.SolverFor("QF_BV"), question.conditions, 2 * PATIENT * self.seconds)
        self.out.questions.append((question, reply))
        return reply.verdict == "unsat"

    def prove(self) -> Kept:
        """The proof, or what it fails on."""
        begun, out = time.process_time(), self.out
        try:
            if self.part.sums:
                raise Beyond("something is added up")
            while self.standing:
                failed = self.tried()
                out.failed |= failed
                if not failed or self.condition in failed:
                    break
                self.standing = [x for x in self.standing if x not in failed]  # what failed is not assumed for the others either
                self.again()
            out.proved = [] if self.condition in out.failed else list(self.standing)
            out.where = None
        except Beyond as e:
            out.reason = str(e)
        out.pieces, out.procedures = len(self.pieces), len({b.function for b in self.pieces})
        out.facts = len(self.demand.needed)
        out.seconds = time.process_time() - begun
        return out

    def again(self) -> None:
        super().again()
        self.pieces, self.demand = {}, self.new_demand()

    def tried(self) -> dict[str, list[Begin]]:
        """Show all conditions that stand, each assumed for the others; the pieces that may break one, if any. Raises Beyond."""
        failed: dict[str, list[Begin]] = {}
        self.explore()
        self.demand.brings = {begin: self.brings(x.of) for begin, x in self.pieces.items()}
        for begin, piece in self.pieces.items():
            self.interrupted(begin)
            for name in self.standing:
                bare = begin not in self.failing_bare if self.failing_bare is not None else (
                    piece.broken[name] is False or self.keeps_it(begin, name))
                if not bare:
                    self.demand.want(begin, Goal(None, name, piece.broken[name]))
        self.demand.settle()
        self.demand.complete()
        for begin, goals in self.demand.conditions.items():
            for name in goals:
                core = self.demand.shown[begin].get(name)
                if core is None or not self.keeps_it(begin, name, core):
                    failed.setdefault(name, []).append(begin)
        return failed
