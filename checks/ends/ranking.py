"""Numbers that go down on every way round: found from ways round that do not let others go down (Cook, Podelski and Rybalchenko's
question, answered level by level as in Colón and Sipma, and Alias et al.).

One level is a sum of quantities with small factors that rises on no way and falls on some. What is left of the ways are those
on which it stays as it is; the next level is looked for among these. The loop ends if none is left that comes back to its head.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import networkx as nx
import z3

from ..smt import numbers as n
from ..smt.numbers import Val
from ..smt.symbolic import evaluated
from ..smt.truths import Truth
from .asking import Asking, check
from .counting import Budget, TooMuch
from .quantities import Quantity
from .ways import Edge, Node, Ways

LEVELS = 12
SAMPLED = 400
"""Ways of which one is looked at, before sums are tried."""
TRIES = 80
"""Sums that are tried for one level."""
PIECES = 3
"""Quantities in one sum at most."""
FACTOR = 3

Factors = tuple[tuple[int, int], ...]
"""A sum: quantities, by their numbers, each with a factor."""


@dataclass
class Ranked:
    """What was found. `levels`: sums that rise on no way that is left, in the order in which they are compared."""

    levels: list[Factors] = field(default_factory=list[Factors])
    proved: bool = False
    why: str = ""
    model: z3.ModelRef | None = None
    broken: Edge | None = None
    """A way round on which nothing goes down, with values for it."""
    questions: int = 0


@dataclass
class Sample:
    """By how much everything changes on a way that there is."""

    way: int
    by: dict[int, int]

    def change(self, factors: Factors) -> int:
        return sum(self.by[q] * by for q, by in factors)


class Ranking:
    """The search for one head (or the rules of a group: all of `heads`)."""

    def __init__(self, ways: Ways, heads: Sequence[Node], quantities: Sequence[Quantity], budget: Budget) -> None:
        self.ways, self.heads = ways, heads
        self.quantities = list(quantities)
        self.edges = ways.edges
        self.edges = self.round_edges(range(len(self.edges)))
        self.deltas: dict[tuple[int, int], Val] = {}
        self.extra: dict[Edge, list[Truth]] = {e: [] for e in self.edges}
        self.moving = [q for q in range(len(self.quantities)) if any(self.delta(k, q) != 0 for k in range(len(self.edges)))]
        self.samples: list[Sample] = []
        self.asking = Asking(ways.counting.sides, budget)
        self.order = list(range(len(self.edges)))
        self.unbounded: set[int] = set()

    def round_edges(self, those: Sequence[int]) -> list[Edge]:
        """Of these ways, those on a round that comes back to a head."""
        graph: nx.MultiDiGraph = nx.MultiDiGraph()
        for k in those:
            graph.add_edge(self.edges[k].origin.number, self.edges[k].to.number)
        mine = {h.number for h in self.heads}
        inside = [c for c in nx.strongly_connected_components(graph) if c & mine]
        return [self.edges[k] for k in those if any(self.edges[k].origin.number in c and self.edges[k].to.number in c for c in inside)]

    # ------------------------------------------------------------ ways
    def delta(self, k: int, q: int) -> Val:
        """By how much a quantity is more at the end of a way."""
        if (k, q) not in self.deltas:
            e, read = self.edges[k], self.quantities[q].read
            before, after = read(e.origin.state), read(e.state)
            self.deltas[k, q] = 0 if n.same(before, after) else n.subtract(after, before)
        return self.deltas[k, q]

    def change(self, k: int, factors: Factors) -> Val:
        out: Val = 0
        for q, by in factors:
            out = n.add(out, n.multiply(by, self.delta(k, q)))
        return out

    def ask(self, k: int, *conditions: Truth) -> z3.ModelRef | str | None:
        """Is there this way, with these conditions, and nothing that goes down on it so far, nor on the way to where it begins?"""
        e = self.edges[k]
        before = [x for above in e.origin.above() for x in self.extra.get(above, ())]
        return self.asking.ask([e.when, *self.extra[e], *before, *conditions], e.facts)

    def sample(self, k: int, model: z3.ModelRef) -> None:
        """Keep by how much everything changes on the way that a model goes."""
        self.samples.append(Sample(k, {q: evaluated(model, self.delta(k, q)) for q in self.moving}))

    # ------------------------------------------------------------ levels
    def search(self) -> Ranked:
        out = Ranked()
        try:
            while True:
                self.samples = [x for x in self.samples if all(x.change(level) == 0 for level in out.levels)]
                if not self.comes_back(out):
                    out.proved = True
                    break
                level = self.level(out.levels) if len(out.levels) < LEVELS else None
                if level is None:
                    out.why = "nothing goes down on every way"
                    break
                out.levels.append(level)
                for k, e in enumerate(self.edges):
                    if (by := self.change(k, level)) != 0:
                        self.extra[e].append(n.equal(by, 0))
        except TooMuch as e:
            out.why = str(e)
        out.questions = self.asking.questions
        return out

    def comes_back(self, out: Ranked) -> bool:
        """Is there a round that comes back to a head and on which nothing goes down? Looks at each way on the rounds that are left."""
        left: list[int] = []
        out.model = out.broken = None
        for k, e in enumerate(self.edges):
            model = self.ask(k)
            if model is not None:
                left.append(k)
            if isinstance(model, z3.ModelRef):
                self.sample(k, model)
                if e.to in self.heads:
                    out.model, out.broken = model, e
        return bool(self.round_edges(left))

    def level(self, before: Sequence[Factors]) -> Factors | None:
        """A sum that rises on no way that is left, and falls on some."""
        refused = {tuple((q, sign * by) for q, by in x) for x in before for sign in (1, -1)}
        for _ in range(TRIES):
            factors = self.candidate(refused)
            if factors is None:
                return None
            if beyond := {q for q, _ in factors if self.leaves(self.quantities[q].limit)}:
                self.unbounded |= beyond
            elif self.rises(factors):
                refused.add(factors)
            else:
                return factors
        return None

    def rises(self, factors: Factors) -> bool:
        """May the sum rise on some way?"""
        for k in self.order:
            by = self.change(k, factors)
            if isinstance(by, int) and by <= 0:
                continue
            model = self.ask(k, n.less(0, by))
            if model is not None:
                if isinstance(model, z3.ModelRef):
                    self.sample(k, model)
                self.order.remove(k)
                self.order.insert(0, k)
                return True
        return False

    def leaves(self, limit: int | str | None) -> bool:
        """Is there a way on which a number leaves its range (so that it may fall, or rise, only because play ends there)?"""
        return limit is not None and any(
            self.asking.ask([h.when], len(self.ways.counting.sides)) is not None
            for h in self.ways.counting.halts if limit == (h.slot if isinstance(limit, int) else h.detail))

    def candidate(self, refused: set[Factors]) -> Factors | None:
        """Factors for which the sum rises in no sample, and falls in as many as can be: one quantity if one will do."""
        usable = [(q, sign) for q in self.moving for sign in (1, -1) if q not in self.unbounded and (sign > 0 or self.quantities[q].rises)]
        found = [(sum(sign * x.by[q] < 0 for x in self.samples), ((q, sign),)) for q, sign in usable
                 if ((q, sign),) not in refused and all(sign * x.by[q] <= 0 for x in self.samples)]
        fewer, best = max(found, key=lambda x: x[0], default=(0, None))
        return best if fewer else self.several(usable, refused)

    def several(self, usable: Sequence[tuple[int, int]], refused: set[Factors]) -> Factors | None:
        """Factors of several quantities."""
        solver = z3.Solver()
        of: dict[int, z3.ArithRef] = {}
        for q in sorted({q for q, _ in usable}):
            x = of[q] = z3.Int(f"factor{q}")
            solver.add(x <= (FACTOR if (q, 1) in usable else 0), x >= (-FACTOR if (q, -1) in usable else 0))
        if not of or not self.samples:
            return None
        totals = [z3.Sum([by * of[q] for q, by in x.by.items() if q in of and by] or [z3.IntVal(0)]) for x in self.samples]
        solver.add(*(x <= 0 for x in totals), z3.Or([x < 0 for x in totals]))
        for r in refused:
            solver.add(z3.Not(z3.And([of[q] == by for q, by in r if q in of] + [x == 0 for q, x in of.items() if q not in dict(r)])))
        solver.add(z3.Sum([z3.If(x != 0, 1, 0) for x in of.values()]) <= PIECES)
        if check(solver, self.asking.budget) != z3.sat:
            return None
        model = solver.model()
        return tuple((q, by) for q, x in of.items() if (by := model.eval(x, model_completion=True).as_long()))
