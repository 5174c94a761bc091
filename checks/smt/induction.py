"""Does every piece of play keep the book's invariants, from every state that has them?

What is proved holds for every play in worlds of these cards and capacities, however deep effects nest (where `first`
tells how play begins: for every play that begins so). Proved together with the invariants, because they need it: that
references are to entries in use and free entries blank, and what the locals of procedures are (`facts`). What
containers keep by their own operations is assumed; the order of piles is not looked at. Each piece is asked for a way that goes
on: a proof that nothing can go on (because every way exceeds a bound) would say nothing, so those without one are named.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import z3

from ...model.ir.program import Layout
from ...model.ir.types import domain
from . import numbers as n
from . import truths as t
from .breaches import Breach, breach
from .callers import Callers
from .facts import Candidates, Fact
from .goals import Goal, Key, not_brought_about
from .invariants import RULES, of_containers, of_pool, of_references
from .numbers import Beyond, Val
from .segments import Begin, Piece, begins, piece
from .solving import FIRST, SECONDS, Query, Reply, ask, query
from .symbolic import Symbolic, SymbolicState
from .truths import Truth

QUICK = 4.0
"""How long a solver may think about facts: what is not answered by then is not used."""
MANY = 12
"""Cards beyond which another solver of z3's is quicker (102 cards: 0.4 s instead of more than 6 for the facts of a piece)."""


@dataclass
class Induction:
    """What was found of each invariant. `pieces`: how many were looked at; `overflows`: slots that some piece may take
    beyond their domain, and in which pieces; `stuck`: pieces without a way that goes on; `unknown`: what no answer was
    found to, with the reason."""

    pieces: int = 0
    proved: list[str] = field(default_factory=list[str])
    certain: list[str] = field(default_factory=list[str])
    """Those that no state of this world could break, whatever the rules: the world has no card for it, say."""
    breaches: list[Breach] = field(default_factory=list[Breach])
    overflows: dict[str, list[Begin]] = field(default_factory=dict[str, list[Begin]])
    stuck: list[Begin] = field(default_factory=list[Begin])
    unknown: list[tuple[Begin, str, str]] = field(default_factory=list[tuple[Begin, str, str]])
    unknown_pieces: int = 0
    """Pieces that could not be run, or were not: then nothing is proved."""
    facts: dict[Key, list[str]] = field(default_factory=dict[Key, list[str]])
    """What was proved of locals."""
    references: list[str] = field(default_factory=list[str])
    """What was not proved of references and entries, and is not used."""
    queries: list[tuple[Query, Reply]] = field(default_factory=list[tuple[Query, Reply]], repr=False)


@dataclass
class Asked:
    """A piece with its goals, and a solver that knows what it may assume (each fact under a literal)."""

    one: Piece
    solver: z3.Solver
    given: dict[tuple[Key | None, str], z3.BoolRef]
    """The literals under which something is assumed."""
    plain: list[Truth]
    """What is always assumed."""
    assumed: dict[tuple[Key | None, str], Truth]
    goals: list[Goal]


class Prover:
    """Proves the invariants of a program. `owners`: of each card; `first`: the slots play begins with, if it begins in
    one way; `known`: the facts to begin with (of a smaller world, say), by their text; those of other places are all;
    `note`: is told how many pieces were worked on, and how many are to come."""

    def __init__(
        self, symbolic: Symbolic, owners: Sequence[int], seconds: float = SECONDS, first: Sequence[int] | None = None,
        known: Mapping[Key, Sequence[str]] | None = None, stop: Callable[[], bool] | None = None,
        note: Callable[[int, int], None] | None = None,
    ) -> None:
        self.note = note or (lambda done, left: None)
        self.gives_up = False
        """One piece that cannot be run is enough to stop."""
        self.symbolic, self.layout, self.seconds = symbolic, symbolic.layout, seconds
        self.program = symbolic.program
        self.first, self.stop = first, stop
        self.known: Mapping[Key, Sequence[str]] = {} if known is None else known
        self.candidates = self.candidates_of(owners)
        self.callers = Callers(symbolic)
        self.facts: dict[Key, dict[str, Fact]] = {}
        self.invariants = list(self.program.invariants)
        self.kept = {h for h, _ in self.references(symbolic.fresh_state().slots)}
        self.sums = {name for name in self.invariants if self.candidates.adds_up(name)}
        """Invariants about sums, which bit vectors are slow with and facts have no use for."""
        self.out = Induction()
        self.asked: dict[Begin, Asked] = {}
        self.anywhere: tuple[list[Truth], dict[str, Truth]] | None = None
        """What is assumed of the state that every piece but the first begins in: its slots are the same variables."""

    # ------------------------------------------------------------ what is asked, and of what
    def candidates_of(self, owners: Sequence[int]) -> Candidates:
        return Candidates(self.program, owners)

    def holds(self, name: str, slots: Sequence[Val]) -> Truth:
        """Does the invariant hold in these slots?"""
        return self.symbolic.evaluate(name, SymbolicState(list(slots))).holds

    def contained(self, state: SymbolicState) -> list[Truth]:
        """What containers keep of a state."""
        return contained(self.layout, state)

    def references(self, slots: Sequence[Val]) -> list[tuple[str, Truth]]:
        """What rules have to keep of references and entries in these slots."""
        return references(self.layout, slots)

    def sides(self) -> list[Truth]:
        """What is known of values that were introduced since this was asked last."""
        return []

    # ------------------------------------------------------------ facts
    def told(self, key: Key) -> dict[str, Fact]:
        """The facts that stand at a place, so far."""
        if key not in self.facts:
            name, pc, how = key
            found = self.candidates.of_result(name) if how == "left" else self.candidates.of(name, pc, how == "waits")
            self.facts[key] = {f.text: f for f in found if key not in self.known or f.text in self.known[key]}
        return self.facts[key]

    def facts_at(self, key: Key) -> Iterator[tuple[Key, str, Fact]]:
        """The facts that stand at a place, and where they are kept."""
        yield from ((key, text, fact) for text, fact in self.told(key).items())

    def assumed(self, one: Piece) -> Iterator[tuple[Key, str, Truth]]:
        """The facts at the beginning of a piece."""
        begin = one.begin
        if begin.pc == 0 and begin.site < 0 and begin.kind == "call":
            return
        locals_, slots = list(one.state.frames[0][2]), one.state.slots
        waits = begin.kind == "call"
        key: Key = (begin.function, begin.site if waits else begin.pc, "waits" if waits else "at")
        for where, text, fact in self.facts_at(key):
            yield where, text, fact.holds(locals_, slots)
        if waits and not begin.caught:
            yield from self.of_result(begin, locals_, slots)

    def of_result(self, begin: Begin, locals_: list[Val], slots: Sequence[Val]) -> Iterator[tuple[Key, str, Truth]]:
        """What is known of the result of the call that has come back."""
        call = self.callers.call(begin.function, begin.site)
        if call.local is None:
            return
        key: Key = (call.function, 0, "left")
        given = self.callers.arguments(begin.function, call, locals_)
        for text, fact in self.told(key).items():
            if all(k in given or k == len(call.args) for k in fact.about):
                theirs = [given.get(k, 0) for k in range(len(call.args))]
                yield key, text, fact.holds([*theirs, locals_[call.local]], slots)

    def brought(self, one: Piece) -> Iterator[tuple[Key, str, Truth, Truth]]:
        """The facts that a piece has to bring about: when, and that they hold."""
        for arrival in one.arrivals:
            frames = arrival.state.frames
            for depth, (number, pc, locals_) in enumerate(frames):
                name = self.symbolic.functions[number].name
                key: Key = (name, pc, "at" if depth == len(frames) - 1 else "waits")
                for where, text, fact in self.facts_at(key):
                    yield where, text, arrival.when, fact.holds(locals_, arrival.state.slots)
        fn = self.program.functions[one.begin.function]
        stays = set(self.callers.kept(fn.name))
        mine = one.state.frames[0][2]
        for way in one.left:
            if way.signal:
                continue
            key = (fn.name, 0, "left")
            for text, fact in list(self.told(key).items()):
                params = fact.about - {fn.arity}
                holds = fact.holds([*mine[:fn.arity], way.result], way.slots) if params <= stays else False
                yield key, text, way.when, holds

    # ------------------------------------------------------------ asking
    def prepared(self, begin: Begin) -> Asked:
        """Run the piece, and tell a solver of it. Raises Beyond."""
        s = self.symbolic
        at_first = begin.pc == 0 and begin.site < 0 and begin.kind == "call" and self.first is not None
        s.machine.loose = True
        try:
            one = piece(s, begin, self.callers, dict(enumerate(self.first)) if at_first and self.first is not None else None)
        finally:
            s.machine.loose = False
        plain = [*one.assumed, *self.domains(one), *self.sides()]
        assumed: dict[tuple[Key | None, str], Truth] = {}
        if not at_first:
            if self.anywhere is None:
                known = {
                    **{name: self.holds(name, one.state.slots) for name in self.invariants},
                    **dict(self.references(one.state.slots))}
                self.anywhere = [*self.contained(one.state), *self.sides()], known
            plain += self.anywhere[0]
            assumed = {(None, what): holds for what, holds in self.anywhere[1].items()}
        for key, text, holds in self.assumed(one):
            assumed[key, text] = t.both(holds, assumed.get((key, text), True))
        ways: dict[tuple[Key | None, str], list[Truth]] = {}
        for key, text, when, holds in self.brought(one):
            ways.setdefault((key, text), []).append(t.both(when, t.no(holds)))
        for when, slots in ways_out(one):
            for what, holds in self.references(slots):
                ways.setdefault((None, what), []).append(t.both(when, t.no(holds)))
        goals = [Goal(key, text, broken) for (key, text), of in ways.items() if (broken := t.some(of)) is not False]
        plain += self.sides()
        solver = self.solver()
        solver.add(*t.conjuncts(plain))
        given: dict[tuple[Key | None, str], z3.BoolRef] = {}
        for k, ((key, text), holds) in enumerate(assumed.items()):
            if holds is not True:
                literal = given[key, text] = z3.Bool(f"assumed {k}")
                solver.add(z3.Or(z3.Not(literal), t.term(holds)))
        return Asked(one, solver, given, plain, assumed, goals)

    def solver(self) -> z3.Solver:
        """z3's plain core, which is quicker with few cards; with many the one that makes bits of everything first."""
        return z3.SolverFor("QF_FD") if self.layout.card_count > MANY else z3.SimpleSolver()

    def domains(self, one: Piece) -> Iterator[Truth]:
        """Every local is within its domain."""
        for number, _, locals_ in one.state.frames:
            for x, v in zip(self.symbolic.functions[number].locals, locals_, strict=True):
                yield t.both(n.in_bounds(v), n.between(v, *domain(x.type)))

    def stands(self, key: Key | None, text: str) -> bool:
        """Is it assumed still?"""
        if key is None:
            return text in self.invariants or text in self.kept
        return text in self.told(key)

    def drop(self, key: Key | None, text: str) -> None:
        if key is None:
            self.kept.discard(text)
        else:
            del self.told(key)[text]

    def failing(self, asked: Asked) -> list[Goal]:
        """The facts that the piece does not bring about; they are dropped."""
        goals = [g for g in asked.goals if self.stands(g.key, g.text)]
        literals = [b for (key, text), b in asked.given.items() if text not in self.sums and self.stands(key, text)]
        out = not_brought_about(asked.solver, goals, literals, min(QUICK, self.seconds), min(QUICK / 4, self.seconds))
        for g in out:
            self.drop(g.key, g.text)
        return out

    # ------------------------------------------------------------ the proof
    def settle(self) -> None:
        """Drop facts until every piece brings about what is left."""
        todo = deque(begins(self.program))
        waiting = set(todo)
        while todo:
            self.note(len(self.asked), len(todo))
            begin = todo.popleft()
            if self.stopped():
                self.out.unknown.append((begin, "", "interrupted"))
                self.out.unknown_pieces += 1
                self.invariants = []
                return
            waiting.discard(begin)
            if begin not in self.asked:
                try:
                    self.asked[begin] = self.prepared(begin)
                except Beyond as e:
                    self.out.unknown.append((begin, "", str(e)))
                    self.out.unknown_pieces += 1
                    self.invariants = []
                    if self.gives_up:
                        return
                    continue
            gone = {(g.key, g.text) for g in self.failing(self.asked[begin])}
            for other, asked in self.asked.items():
                if other not in waiting and gone & asked.given.keys():
                    waiting.add(other)
                    todo.append(other)

    def prove(self, overflows: bool = True) -> Induction:
        """The proof, or what it fails on."""
        self.proved_so_far()
        return self.finished(overflows)

    def proved_so_far(self) -> Induction:
        """What every piece keeps. An invariant that is not kept is not assumed of the others either."""
        while True:
            self.settle()
            try:
                failed = {name for begin, asked in self.asked.items() for name in self.broken(begin, asked)}
            except Beyond as e:
                failed = set(self.invariants)
                self.out.unknown.append((next(iter(self.asked)), "", str(e)))
                self.out.unknown_pieces += 1
            self.invariants = [x for x in self.invariants if x not in failed]
            if not failed or not self.invariants:
                break
        self.out.pieces = len(self.asked)
        self.out.proved = list(self.invariants)
        return self.found()

    def finished(self, overflows: bool) -> Induction:
        """The rest of what is told: what is not used, what may overflow, where nothing goes on."""
        self.symbolic.machine.until = None
        self.out.references = [h for h, _ in self.references(self.symbolic.fresh_state().slots) if h not in self.kept]
        for begin, asked in self.asked.items():
            if not self.stopped() and not (self.gives_up and self.out.unknown_pieces):
                self.looked_at(begin, asked, overflows)
        self.certainties()
        return self.out

    def stopped(self) -> bool:
        """Does the user want no more?"""
        return self.stop is not None and self.stop()

    def found(self) -> Induction:
        """What stands so far."""
        self.out.facts = {key: list(of) for key, of in self.facts.items()}
        return self.out

    def put(self, begin: Begin, what: str, asked: Asked, *conditions: Truth) -> Reply:
        holds = [*self.sides(), *(x for (key, text), x in asked.assumed.items() if self.stands(key, text))]
        question = query(f"{begin.function} at {begin.pc}: {what}", [*asked.plain, *holds, *conditions])
        reply = ask(question, self.seconds, FIRST / 8 if self.sums else FIRST, self.solver)
        self.out.queries.append((question, reply))
        if reply.verdict == "unknown":
            self.out.unknown.append((begin, what, reply.reason))
        return reply

    def broken(self, begin: Begin, asked: Asked) -> Iterator[str]:
        """The invariants that a piece does not keep (or of which that is not known)."""
        for name in self.invariants:
            if self.stopped():
                self.out.unknown.append((begin, name, "interrupted"))
                yield name
                continue
            before = asked.assumed.get((None, name), False)
            ways = t.some(
                t.both(when, t.no(after)) for when, slots in ways_out(asked.one)
                if not t.same(after := self.holds(name, slots), before))
            if ways is False:
                continue
            reply = self.put(begin, name, asked, ways)
            if reply.model is not None:
                self.failed(asked.one, name, reply.model)
            if reply.verdict != "unsat":
                yield name

    def failed(self, one: Piece, name: str, model: z3.ModelRef) -> None:
        """A piece does not keep an invariant in this state."""
        self.out.breaches.append(breach(self.symbolic, one, name, model))

    def looked_at(self, begin: Begin, asked: Asked, overflows: bool) -> None:
        """Can the piece go on at all, and which bounds may it exceed?"""
        if self.put(begin, "goes on", asked, asked.one.goes_on).verdict == "unsat" and \
                self.put(begin, "is there", asked).verdict == "sat":
            self.out.stuck.append(begin)
        for slot, ways in overflowing(self.symbolic, asked.one).items() if overflows else ():
            if self.put(begin, f"{slot} overflows", asked, t.some(ways)).verdict == "sat":
                self.out.overflows.setdefault(slot, []).append(begin)

    def certainties(self) -> None:
        """What no state of this world could break, whatever the rules."""
        anywhere = self.symbolic.fresh_state()
        there = self.contained(anywhere)
        for name in self.program.invariants:
            broken = t.no(self.holds(name, anywhere.slots))
            question = query(f"{name} can be broken", [*there, *self.sides(), broken])
            reply = ask(question, self.seconds)
            self.out.queries.append((question, reply))
            if reply.verdict == "unsat":
                self.out.certain.append(name)


def prove_invariants(
    symbolic: Symbolic, owners: Sequence[int], seconds: float = SECONDS, overflows: bool = True,
    first: Sequence[int] | None = None,
) -> Induction:
    """Ask every piece of the program."""
    return Prover(symbolic, owners, seconds, first).prove(overflows)


def contained(layout: Layout, state: SymbolicState) -> list[Truth]:
    """What containers keep by their own operations; but not the order of piles, which is not looked at."""
    return [
        h.condition for h in of_containers(layout, state.slots)
        if h.condition is not True and not h.what.startswith("there is no hole") and not h.what.endswith(RULES)]


def references(layout: Layout, slots: Sequence[Val]) -> list[tuple[str, Truth]]:
    """What rules have to keep of references and entries."""
    pools = [h for m in layout.containers.values() if m.is_pool for h in of_pool(layout, slots, m)]
    return [(h.what, h.condition) for h in (*pools, *of_references(layout, slots)) if h.condition is not True]


def ways_out(one: Piece) -> Iterator[tuple[Truth, Sequence[Val]]]:
    """The ways out of a piece: when, and the slots then."""
    yield from ((x.when, x.state.slots) for x in one.arrivals)
    yield from ((way.when, way.slots) for way in one.left)


def overflowing(symbolic: Symbolic, one: Piece) -> dict[str, list[Truth]]:
    """By slot group: when a bound is exceeded there."""
    out: dict[str, list[Truth]] = {}
    for h in one.halts:
        if h.kind == "bound":
            name = symbolic.layout.slots[h.slot].group if h.slot >= 0 else h.detail
            out.setdefault(name, []).append(h.when)
    return out
