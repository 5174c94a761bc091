"""Numbers that go down on every way round: found from ways round that do not let others go down (Cook, Podelski and Rybalchenko's
question, answered level by level as in Colón and Sipma, and Alias et al.).

One level is a quantity that rises on no way and falls on some (or falls on none and rises on some, up to a bound). What is left of the ways
are those on which it stays as it is; the next level is looked for among these. The loop ends if none is left that comes back to its head.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import networkx as nx
import z3

from ...spec.text import Text
from ..smt import numbers as n
from ..smt.numbers import Val
from ..smt.symbolic import evaluated
from ..smt.truths import Truth
from .asking import Asking
from .counting import Budget, TooMuch
from .quantities import Quantity
from .ways import Edge, Node, Ways

OUTSIDE = "outside "
"""How an end begins that tells of a value outside its range, wherever it was going."""

Level = tuple[int, int]
"""A quantity, by its number, and 1 if it goes down, -1 if up."""


RISES = Text(ja="一回りの中で増えうる", en="it may go up on a way round")
STAYS = Text(ja="減る回り方がない", en="it goes down on no way round")
LEAVES = Text(ja="範囲の外へ出うる数から成る", en="a number that it is made of may leave its range")
NOTHING = Text(ja="すべての回り方で減る数の組が見つからない", en="no numbers were found that go down on every way round")


@dataclass
class Doubt:
    """Why a quantity that is stated was not shown to go down; if z3 has values for a way on which it rises, the clauses and texts on that way."""

    quantity: Quantity
    why: Text
    clauses: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass
class Ranked:
    """What was found. `levels`: in the order in which they are compared."""

    levels: list[Level] = field(default_factory=list[Level])
    proved: bool = False
    why: Text | None = None
    model: z3.ModelRef | None = None
    broken: Edge | None = None
    """A way round on which nothing goes down, with values for it."""
    questions: int = 0
    doubts: list[Doubt] = field(default_factory=list[Doubt])


class Ranking:
    """The search for one head (or the rules of a group: all of `heads`). What is stated is looked at before all else, each as the level it is said to be."""

    def __init__(self, ways: Ways, heads: Sequence[Node], quantities: Sequence[Quantity], budget: Budget) -> None:
        self.ways, self.heads = ways, heads
        self.quantities = list(quantities)
        self.edges = ways.edges
        self.edges = self.round_edges(range(len(self.edges)))
        self.deltas: dict[tuple[int, int], Val] = {}
        self.extra: dict[Edge, list[Truth]] = {e: [] for e in self.edges}
        self.moving = [
            q for q in range(len(self.quantities)) if any(self.delta(k, q) != 0 for k in range(len(self.edges)))
        ]
        self.samples: list[dict[int, int]] = []
        """By how much everything changes on ways that there are."""
        self.asking = Asking(ways.counting.sides, budget)
        self.order = list(range(len(self.edges)))
        self.stated = [q for q, x in enumerate(self.quantities) if x.kind == "stated"]
        self.refused: set[Level] = {(q, sign) for q in self.stated for sign in (1, -1)}
        self.rising: set[Level] = set()
        """Of those that were tried for this level."""

    def round_edges(self, those: Sequence[int]) -> list[Edge]:
        """Of these ways, those on a round that comes back to a head."""
        graph: nx.MultiDiGraph = nx.MultiDiGraph()
        for k in those:
            graph.add_edge(self.edges[k].origin.number, self.edges[k].to.number)
        mine = {h.number for h in self.heads}
        inside = [c for c in nx.strongly_connected_components(graph) if c & mine]
        return [
            self.edges[k]
            for k in those
            if any(self.edges[k].origin.number in c and self.edges[k].to.number in c for c in inside)
        ]

    # ------------------------------------------------------------ ways
    def delta(self, k: int, q: int) -> Val:
        """By how much a quantity is more at the end of a way."""
        if (k, q) not in self.deltas:
            e, read = self.edges[k], self.quantities[q].read
            before, after = read(e.origin.state), read(e.state)
            self.deltas[k, q] = 0 if n.same(before, after) else n.subtract(after, before)
        return self.deltas[k, q]

    def ask(self, k: int, *conditions: Truth) -> z3.ModelRef | str | None:
        """Is there this way, with these conditions, and nothing that goes down on it so far, nor on the way to where it begins?"""
        e = self.edges[k]
        before = [x for above in e.origin.above() for x in self.extra.get(above, ())]
        return self.asking.ask([e.when, *self.extra[e], *before, *conditions], e.facts)

    def sample(self, k: int, model: z3.ModelRef) -> None:
        """Keep by how much everything changes on the way that a model goes."""
        self.samples.append({q: evaluated(model, self.delta(k, q)) for q in self.moving})

    # ------------------------------------------------------------ levels
    def search(self) -> Ranked:
        out = Ranked()
        try:
            while True:
                self.samples = [x for x in self.samples if all(not x[q] for q, _ in out.levels)]
                if not self.comes_back(out):
                    out.proved = True
                    break
                level = self.next_stated(out) or self.level()
                if level is None:
                    out.why = NOTHING
                    break
                out.levels.append(level)
                for k, e in enumerate(self.edges):
                    if self.delta(k, level[0]) != 0:
                        self.extra[e].append(n.equal(self.delta(k, level[0]), 0))
        except TooMuch as e:
            out.why = e.why
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

    def next_stated(self, out: Ranked) -> Level | None:
        """The next of what is stated that goes down; why not is noted of those before it."""
        while self.stated:
            q = self.stated.pop(0)
            doubt = Doubt(self.quantities[q], LEAVES)
            if not self.leaves(doubt.quantity.limits):
                if not self.rises(q, 1) and any(
                    self.ask(k, n.less(self.delta(k, q), 0)) is not None for k in range(len(self.edges))
                ):
                    return q, 1
                k = self.order[0]  # that on which it rises, if it does
                model = self.ask(k, n.less(0, self.delta(k, q)))
                doubt.why = STAYS if model is None else RISES
                if isinstance(model, z3.ModelRef):
                    doubt.clauses, doubt.texts = self.ways.carried_out(self.edges[k], model)
            out.doubts.append(doubt)
        return None

    def level(self) -> Level | None:
        """A quantity that rises (or, with -1, falls) on no way that is left, and does the other on some."""
        while (best := self.candidate()) is not None:
            if self.leaves(self.quantities[best[0]].limits):
                self.refused |= {best, (best[0], -best[1])}
            elif self.rises(*best):
                self.rising.add(best)
            else:
                self.rising.clear()
                self.refused |= {best, (best[0], -best[1])}
                return best
        return None

    def rises(self, q: int, sign: int) -> bool:
        """May the quantity rise on some way?"""
        for k in self.order:
            by = n.multiply(sign, self.delta(k, q))
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

    def leaves(self, limits: Collection[int | str]) -> bool:
        """Is there a way on which one of these numbers leaves its range (so that it may fall, or rise, only because play ends there)?"""
        return bool(limits) and any(
            self.asking.ask([h.when], len(self.ways.counting.sides)) is not None
            for h in self.ways.counting.halts if h.slot in limits or h.detail in limits or h.detail.startswith(OUTSIDE))

    def candidate(self) -> Level | None:
        """What rises in no sample, and falls in as many as can be."""
        found = [(sum(sign * x[q] < 0 for x in self.samples), (q, sign)) for q in self.moving for sign in (1, -1)
                 if (q, sign) not in self.refused | self.rising and (sign > 0 or self.quantities[q].rises)
                 and all(sign * x[q] <= 0 for x in self.samples)]
        fewer, best = max(found, key=lambda x: x[0], default=(0, None))
        return best if fewer else None
