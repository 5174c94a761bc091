"""Numbers that go down on every way round: found from ways round that do not let others go down (Cook, Podelski and Rybalchenko's
question, answered level by level as in Colón and Sipma, and Alias et al.).

One level is a sum of quantities with small factors that rises on no way and falls on some. What is left of the ways are those
on which it stays as it is; the next level is looked for among these. The loop ends if none is left that comes back to its head.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import networkx as nx
import z3

from .asking import Asking, check
from .quantities import Quantity
from .states import Node
from .terms import Budget, Num, TooMuch, Truth, add, at_most, boolean, equal, every, less, some, subtract, times
from .ways import Edge, Ways

LEVELS = 12
SAMPLED = 400
"""Ways of which one is looked at, before sums are tried."""
TRIES = 80
"""Sums that are tried for one level."""
PIECES = 3
"""Quantities in one sum at most."""
FACTOR = 3

Delta = Mapping[int, int]


@dataclass(frozen=True)
class Level:
    """A sum that rises on no way that is left: factors of quantities, by their numbers."""

    factors: tuple[tuple[int, int], ...]


@dataclass
class Ranked:
    """What was found. `levels`: in the order in which they are compared; `left`: ways that are left, if it is no proof."""

    levels: list[Level] = field(default_factory=list[Level])
    proved: bool = False
    left: list[Edge] = field(default_factory=list[Edge])
    why: str = ""
    model: z3.ModelRef | None = None
    broken: Edge | None = None
    """A way round on which nothing goes down, with values for it."""
    questions: int = 0


@dataclass
class Sample:
    """By how much everything changes on a way that there is, and in each call on it that was not entered."""

    way: int
    by: dict[int, int]
    calls: list[dict[int, int]]

    def admits(self, factors: Sequence[tuple[int, int]]) -> bool:
        """Could there be this way, if the sum rose in no call?"""
        return all(sum(d.get(q, 0) * by for q, by in factors) <= 0 for d in self.calls)

    def own(self, q: int) -> int:
        """By how much a quantity changes outside of these calls."""
        return self.by[q] - sum(d.get(q, 0) for d in self.calls)


class Ranking:
    """The search for one head (or the rules of a group: all of `heads`)."""

    def __init__(self, ways: Ways, heads: Sequence[Node], quantities: Sequence[Quantity], budget: Budget) -> None:
        self.ways, self.heads = ways, heads
        self.quantities = list(quantities)
        graph: nx.MultiDiGraph = nx.MultiDiGraph()
        for k, e in enumerate(ways.edges):
            graph.add_edge(e.origin.number, e.to.number, key=k)
        mine = {h.number for h in heads}
        inside: set[int] = set()
        for c in nx.strongly_connected_components(graph):
            if c & mine and (len(c) > 1 or any(graph.has_edge(x, x) for x in c)):
                inside |= c
        bodies = {x.number for x in ways.bodies.values()}
        inside |= {x for b in bodies if b in graph for x in (b, *nx.descendants(graph, b))} if ways.calls else set()
        self.edges = [e for e in ways.edges if e.origin.number in inside and e.to.number in inside]
        self.deltas: dict[tuple[int, int], Num] = {}
        self.extra: dict[int, list[Truth]] = {k: [] for k in range(len(self.edges))}
        self.into: dict[int, list[int]] = {}
        for k, e in enumerate(self.edges):
            self.into.setdefault(e.to.number, []).append(k)
        self.moving = [q for q in range(len(self.quantities)) if any(not isinstance(self.delta(k, q), int) or self.delta(k, q) for k in range(len(self.edges)))]
        self.changes: dict[tuple[int, int], Num] = {}
        self.samples: list[Sample] = []
        self.asking = Asking(ways.new, budget)
        self.order = list(range(len(self.edges)))
        self.unbounded: set[tuple[int, int]] = set()

    # ------------------------------------------------------------ ways
    def delta(self, k: int, q: int) -> Num:
        """By how much a quantity is more at the end of a way."""
        if (k, q) not in self.deltas:
            e = self.edges[k]
            assert e.origin.state is not None
            read = self.quantities[q].read
            self.deltas[k, q] = subtract(read(e.state), read(e.origin.state))
        return self.deltas[k, q]

    def change(self, k: int, factors: Sequence[tuple[int, int]]) -> Num:
        out: Num = 0
        for q, by in factors:
            out = add(out, times(by, self.delta(k, q)))
        return out

    def in_call(self, c: int, q: int) -> Num:
        """By how much a quantity is more after a call that was not entered."""
        if (c, q) not in self.changes:
            read, called = self.quantities[q].read, self.ways.calls[c]
            self.changes[c, q] = subtract(read(called.after), read(called.before))
        return self.changes[c, q]

    def kept(self, k: int, factors: Sequence[tuple[int, int]]) -> Truth:
        """The sum rises in no call on a way that was not entered: what is shown of the ways through what is called, and so may be assumed."""
        out: list[Truth] = []
        for c in self.edges[k].calls:
            change: Num = 0
            for q, by in factors:
                change = add(change, times(by, self.in_call(c, q)))
            out.append(at_most(change, 0))
        return every(out)

    def holds(self, k: int) -> Truth:
        """Play goes this way, and nothing so far goes down on it, nor on the way to where it begins."""
        e = self.edges[k]
        return every((*e.path, *self.extra[k], self.alive(e.origin, frozenset())))

    def alive(self, at: Node, seen: frozenset[int]) -> Truth:
        """Play comes to the place in this round without anything going down before."""
        if at.kind in ("head", "rule") or at.number in seen:
            return True
        seen = seen | {at.number}
        before = [k for k in self.into.get(at.number, ()) if self.edges[k].origin.number < at.number]
        return some([every((*self.extra[k], *(self.edges[k].path if self.extra[k] else ()), self.alive(self.edges[k].origin, seen))) for k in before]) if any(
            self.extra[k] or self.edges[k].origin.kind not in ("head", "rule") for k in before) else True

    # ------------------------------------------------------------ asking
    def ask(self, k: int, *conditions: Truth) -> z3.ModelRef | str | None:
        """Is there this way, with these conditions?"""
        return self.asking.ask([self.holds(k), *conditions], self.edges[k].facts)

    def sample(self, k: int, model: z3.ModelRef) -> None:
        """Keep by how much everything changes on the way that a model goes."""
        calls = [{q: v for q in self.moving if (v := value(model, self.in_call(c, q)))} for c in self.edges[k].calls if z3.is_true(
            model.eval(boolean(every(self.ways.calls[c].path)), model_completion=True))]
        self.samples.append(Sample(k, {q: value(model, self.delta(k, q)) for q in self.moving}, [c for c in calls if c]))

    # ------------------------------------------------------------ levels
    def search(self) -> Ranked:
        out = Ranked()
        try:
            while True:
                self.samples = [x for x in self.samples if all(sum(x.by[q] * by for q, by in level.factors) == 0 for level in out.levels)]
                if not self.comes_back(out):
                    out.proved = True
                    break
                self.look()
                level = self.level(out.levels) if len(out.levels) < LEVELS else None
                if level is None:
                    out.why = "nothing goes down on every way"
                    break
                out.levels.append(level)
                for k in range(len(self.edges)):
                    by = self.change(k, level.factors)
                    if not isinstance(by, int) or by:
                        self.extra[k].append(equal(by, 0))
                    self.extra[k] += [x for x in (self.kept(k, level.factors), self.kept(k, [(q, -by) for q, by in level.factors])) if x is not True]
        except TooMuch as e:
            out.why = str(e)
        out.questions = self.asking.questions
        return out

    def comes_back(self, out: Ranked) -> bool:
        """Is there a way to a head on which nothing goes down?"""
        mine = {h.number for h in self.heads}
        out.left = []
        for k, e in enumerate(self.edges):
            if e.to.number in mine:
                model = self.ask(k)
                if model is None:
                    continue
                out.left.append(e)
                if isinstance(model, z3.ModelRef):
                    out.model, out.broken = model, e
                    self.sample(k, model)
        return bool(out.left)

    def look(self) -> None:
        """A sample of each way on which something may change."""
        there = {x.way for x in self.samples}
        for k in self.order[:SAMPLED]:
            if k not in there and any(not isinstance(self.delta(k, q), int) or self.delta(k, q) for q in self.moving):
                model = self.ask(k)
                if isinstance(model, z3.ModelRef):
                    self.sample(k, model)

    def level(self, before: Sequence[Level]) -> Level | None:
        """A sum that rises on no way that is left, and falls on some that comes back to a head."""
        refused = {tuple((q, sign * by) for q, by in x.factors) for x in before for sign in (1, -1)}
        for _ in range(TRIES):
            factors = self.candidate(refused)
            if factors is None:
                return None
            if self.rises(factors):
                refused.add(factors)
            elif self.leaves(factors):
                refused.add(factors)
                self.unbounded |= {(q, 1 if by > 0 else -1) for q, by in factors if self.quantities[q].limits}
            else:
                return Level(factors)
        return None

    def rises(self, factors: tuple[tuple[int, int], ...]) -> bool:
        """May the sum rise on some way?"""
        for k in self.order:
            by = self.change(k, factors)
            if isinstance(by, int) and by <= 0:
                continue
            model = self.ask(k, self.kept(k, factors), less(0, by))
            if model is not None:
                if isinstance(model, z3.ModelRef):
                    self.sample(k, model)
                self.order.remove(k)
                self.order.insert(0, k)
                return True
        return False

    def leaves(self, factors: tuple[tuple[int, int], ...]) -> bool:
        """Is there a way on which the sum falls only because a number leaves its range?"""
        limits = [x for q, _ in factors for x in self.quantities[q].limits]
        if not limits:
            return False
        for k in self.order:
            by, out = self.change(k, factors), some([self.edges[k].state.left.get(x, False) for x in limits])
            if out is not False and not (isinstance(by, int) and by >= 0) and self.ask(k, less(by, 0), out) is not None:
                return True
        return False

    def candidate(self, refused: set[tuple[tuple[int, int], ...]]) -> tuple[tuple[int, int], ...] | None:
        """Factors for which the sum rises in no sample, and falls in as many as can be: one quantity if one will do."""
        best: tuple[int, tuple[tuple[int, int], ...]] | None = None
        usable: list[tuple[int, int]] = []
        for q in self.moving:
            x = self.quantities[q]
            for sign in (1, -1):
                if (x.falls if sign > 0 else x.rises) and (q, sign) not in self.unbounded:
                    usable.append((q, sign))
        for q, sign in usable:
            rises = any(sign * x.by[q] > 0 and x.admits(((q, sign),)) for x in self.samples)
            fewer = sum(sign * x.own(q) < 0 for x in self.samples)
            if fewer and not rises and ((q, sign),) not in refused and (best is None or fewer > best[0]):
                best = fewer, ((q, sign),)
        if best is not None:
            return best[1]
        return self.several(usable, refused)

    def several(self, usable: list[tuple[int, int]], refused: set[tuple[tuple[int, int], ...]]) -> tuple[tuple[int, int], ...] | None:
        """Factors of several quantities."""
        solver = z3.Solver()
        of: dict[int, z3.ArithRef] = {}
        for q in sorted({q for q, _ in usable}):
            x = of[q] = z3.Int(f"factor{q}")
            solver.add(x <= (FACTOR if (q, 1) in usable else 0), x >= (-FACTOR if (q, -1) in usable else 0))
        if not of or not self.samples:
            return None
        def total(d: dict[int, int]) -> z3.ArithRef:
            return z3.Sum([by * of[q] for q, by in d.items() if q in of and by] or [z3.IntVal(0)])  # pyright: ignore[reportReturnType]
        solver.add(*[z3.Or(total(x.by) <= 0, *(total(d) > 0 for d in x.calls)) for x in self.samples])
        solver.add(z3.Or([total({q: x.own(q) for q in x.by}) < 0 for x in self.samples]))
        for r in refused:
            solver.add(z3.Not(z3.And([of[q] == by for q, by in r if q in of] + [x == 0 for q, x in of.items() if q not in dict(r)])))
        used = z3.Sum([z3.If(x != 0, 1, 0) for x in of.values()])
        for most in (2, PIECES, PIECES + 2):
            solver.push()
            solver.add(used <= most)  # pyright: ignore[reportOperatorIssue]
            if check(solver, self.asking.budget) == z3.sat:
                model = solver.model()
                solver.pop()
                return tuple((q, v) for q, x in of.items() if (v := value(model, x)))
            solver.pop()
        return None


def value(model: z3.ModelRef, n: Num) -> int:
    if isinstance(n, int):
        return n
    found = model.eval(n, model_completion=True)
    return found.as_long() if z3.is_int_value(found) else 0  # pyright: ignore[reportAttributeAccessIssue]


__all__ = ["Level", "Ranked", "Ranking", "at_most"]
