"""Who can keep play going for ever: end components around a cycle, worked out by elimination.

For players K, a set of positions is a *K-end component* if it is strongly connected, has an edge, a position of a player in K has some edge
that stays inside, and every other has none that does not. M(K, c) is the largest that contains the cycle c. It is found by taking
away what cannot belong to it: what does not lie on a way from c to c, and what may be left against the will of K. All that is taken
away lies in no such component around c, and what is left is one (de Alfaro, *Formal Verification of Probabilistic Systems*, 1997).

The *keepers* of c are the sets K with M(K, c) smallest: no M(L, c) lies strictly inside, and no smaller L has the same one. Where
something is not known (BEYOND), M(K, c) lies between the one in which play ends there and the one in which it leads anywhere.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from ...model.engine.state import OPEN

BEYOND = -1
"""The target of an edge of which nothing is known."""
ANYWHERE = 5
"""A scope wider than any that an edge crosses."""
Players = frozenset[int]
T = TypeVar("T")


class Graph(NamedTuple):
    """Of each position who decides, and its edges: where each leads, and the widest scope that it crosses."""

    owner: Sequence[int]
    edges: Sequence[Sequence[tuple[int, int]]]


def component(graph: Graph, keepers: Players, cycle: Sequence[int], scope: int, hopeful: bool) -> frozenset[int] | None:
    """M(K, c) within a scope; None if there is none. `hopeful`: what is not known turns out as these players want it."""
    left = set(range(len(graph.owner)))
    while True:
        before = len(left)
        left = around(graph, left, cycle[0], scope, hopeful)
        left = {v for v in left if stays(graph, keepers, v, left, scope, hopeful)}
        if not left.issuperset(cycle):
            return None
        if len(left) == before:
            return frozenset(left)


def stays(graph: Graph, keepers: Players, v: int, left: set[int], scope: int, hopeful: bool) -> bool:
    """Can play stay in a set of positions for one step more, whatever players who are no keepers do?"""
    inside = [x < scope and (w in left or (hopeful and w == BEYOND)) for w, x in graph.edges[v]]
    chooses = graph.owner[v] in keepers or (hopeful and graph.owner[v] == OPEN)
    return any(inside) if chooses else bool(inside) and all(inside)


def around(graph: Graph, left: set[int], head: int, scope: int, hopeful: bool) -> set[int]:
    """The positions of a set on a way from the head to the head inside it; what is not known can lead to any of them."""
    ways: dict[int, list[int]] = {
        v: [w for w, x in graph.edges[v] if x < scope and (w in left or (hopeful and w == BEYOND))] for v in left
    }
    if any(BEYOND in targets for targets in ways.values()):
        ways[BEYOND] = list(left)
    back: dict[int, list[int]] = {v: [] for v in ways}
    for v, targets in ways.items():
        for w in targets:
            back[w].append(v)
    return (
        (closure([head], ways.__getitem__).keys() & closure([head], back.__getitem__).keys()) - {BEYOND}
        if head in left
        else set()
    )


def closure(first: Iterable[T], after: Callable[[T], Iterable[T]]) -> dict[T, int]:
    """What can be come to from the first ones, and in how many steps."""
    found = dict.fromkeys(first, 0)
    todo = [*found]
    for v in todo:
        for w in after(v):
            if w not in found:
                found[w] = found[v] + 1
                todo.append(w)
    return found


def safe(graph: Graph, keepers: Players, left: set[int]) -> set[int]:
    """The positions of a set from which these players can stay in it for ever, whatever the others and chance do."""
    sources: dict[int, list[int]] = {}
    for v in left:
        for w, _ in graph.edges[v]:
            sources.setdefault(w, []).append(v)
    left = set(left)
    todo = [v for v in left if not stays(graph, keepers, v, left, ANYWHERE, False)]
    while todo:
        v = todo.pop()
        if v in left:
            left.discard(v)
            todo += [u for u in sources.get(v, ()) if u in left and not stays(graph, keepers, u, left, ANYWHERE, False)]
    return left


def keepers_of(
    graph: Graph, players: Iterable[int], cycle: Sequence[int], scope: int
) -> tuple[set[Players], set[Players]]:
    """The sets of players that certainly are keepers of a cycle, and those that perhaps are."""
    everyone = sorted(players)
    sets = [frozenset(c) for size in range(len(everyone) + 1) for c in combinations(everyone, size)]
    least = {k: component(graph, k, cycle, scope, False) for k in sets}
    most = {k: component(graph, k, cycle, scope, True) for k in sets}

    def prevents(one: Players, other: Players) -> bool:
        """Does one set certainly make the other no keeper?"""
        if least[one] is None or one == other:
            return False
        return one < other or (most[one] or frozenset()) < (least[other] or frozenset())

    def spares(one: Players, other: Players) -> bool:
        """Does one set certainly not make the other none?"""
        if most[one] is None or one >= other:
            return True
        if one < other or least[one] is None:
            return False
        exact = least[one] == most[one] and least[other] == most[other]
        return (exact and least[one] == least[other]) or not (least[one] or frozenset()) <= (most[other] or frozenset())

    perhaps = {k for k in sets if most[k] is not None and not any(prevents(one, k) for one in sets)}
    return {k for k in perhaps if least[k] is not None and all(spares(one, k) for one in sets)}, perhaps
