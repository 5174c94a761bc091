"""Sets that lack one card: chains of candidates of which the last gives the first nothing that it needs, and no card of the pool stands between them.

Read off what texts may do, as candidates are: nothing is played, and nothing is claimed. It is a hint for those who invent cards.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

from ...model.ir.flow import members
from .candidates import Graph, Set

MOST = 10
"""Sets that are told, at most."""
STEPS = 24
"""Cards that are followed from each, at most: those that it gives most."""
Label = tuple[str, str | int]
"""What a card gives or needs: `lets` an ability wait (its number), cards in a `zone` (its number), `counts` a number up, or `sets` what says of cards."""


@dataclass(frozen=True)
class Lacking:
    """Cards that each give the next one something. One more card would close the circle: it `needs` what the last of them gives, and `gives` the first of
    them what it needs."""

    cards: tuple[str, ...]
    needs: Label
    gives: Label


@dataclass
class Gaps:
    """The links that are missing in a graph of candidates."""

    graph: Graph

    @cached_property
    def given(self) -> list[set[Label]]:
        """What the texts of each card give."""
        return [{*(("lets", x) for d in g.both for x in d.lets), *(("zone", to) for d in g.both for _, _, to in d.moves if to >= 0),
                 *(("counts", name) for name in g.texts.up), *(("sets", name) for name, _, _ in g.texts.sets)} for g in self.graph.gists]

    @cached_property
    def needed(self) -> list[set[Label]]:
        """What each card needs, to be used again and again: what its costs take, and what lets its abilities wait."""
        every, out = (1 << len(self.graph.zones)) - 1, list[set[Label]]()
        for k, (card, g) in enumerate(zip(self.graph.cards, self.graph.gists, strict=True)):
            waits = {x for x, a in zip(self.graph.abilities_of[k], card.abilities, strict=True) if a.when is not None}
            taken = {z for _, came, _ in g.costs.moves if came != every for z in members(came)}
            out.append({*(("lets", x) for x in waits), *(("zone", z) for z in taken), *(("counts", name) for name in g.costs.down),
                        *(("sets", name) for name, _, whose in g.costs.sets if whose >> k & 1)})
        return out

    def gives(self, x: int, label: Label, k: int) -> bool:
        """Does card x give that to card k?"""
        if label[0] != "sets":
            return label in self.given[x]
        paid = {v for name, v, whose in self.graph.gists[k].costs.sets if name == label[1] and whose >> k & 1}
        return any(name == label[1] and whose >> k & 1 and {u} != paid for name, u, whose in self.graph.gists[x].texts.sets)

    @cached_property
    def links(self) -> list[dict[int, float]]:
        """For each card those that it gives something that they need, and how unlikely that is by chance, in bits."""
        n, out = len(self.graph.cards), [dict[int, float]() for _ in self.graph.cards]
        for label in {label for labels in self.needed for label in labels}:
            takers = [k for k, labels in enumerate(self.needed) if label in labels]
            pairs = [(x, k) for x, labels in enumerate(self.given) if label in labels for k in takers if x != k and self.gives(x, label, k)]
            for x, k in pairs:
                out[x][k] = max(out[x].get(k, 0.0), log2(n / len({x for x, _ in pairs})) + log2(n / len(takers)))
        return out

    def chains(self, size: int) -> Iterator[tuple[float, Set]]:
        """Chains of so many cards that hold no circle, and how unlikely the likeliest of their links is."""
        near = [dict(sorted(some.items(), key=lambda x: (-x[1], x[0]))[:STEPS]) for some in self.links]

        def go(path: Set, worth: float) -> Iterator[tuple[float, Set]]:
            if len(path) == size:
                yield worth, path
                return
            for y, bits in near[path[-1]].items():
                if y not in path and not any(x in self.links[y] for x in path):
                    yield from go((*path, y), min(worth, bits))
        for x in range(len(near)):
            yield from go((x,), float("inf"))

    def found(self, sizes: Sequence[int]) -> list[Lacking]:
        """The sets that lack one card, of these sizes with it: the least likely by chance first, one of those that lack the same, and none that holds another one."""
        n, takers = len(self.graph.cards), Counter(label for labels in self.needed for label in labels)
        ranked: list[tuple[float, Set, Label]] = []
        for worth, path in (chain for s in sizes if s > 2 for chain in self.chains(s - 1)):
            first, last = path[0], path[-1]
            between = [x for x in range(n) if x == last or x in self.links[last]]
            missing = [need for need in self.needed[first] if not any(self.gives(x, need, first) for x in between)]
            if missing and not any(first in self.links[x] for x in between):
                need = min(missing, key=lambda label: (takers[label], str(label)))
                ranked.append((min(worth, 2 * log2(n / takers[need])), path, need))
        out: list[Lacking] = []
        for _, path, need in sorted(ranked, key=lambda x: (-x[0], len(x[1]), x[1])):
            ids = tuple(self.graph.cards[k].id for k in path)
            if len(out) < MOST and not any({*one.cards} <= {*ids} or one.gives == need for one in out):
                rare = min(self.given[path[-1]], key=lambda label: (not takers[label], takers[label], str(label)))
                out.append(Lacking(ids, rare, need))
        return out
