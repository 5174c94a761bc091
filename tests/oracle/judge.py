"""What is true of a world: judged slowly, by the reference interpreter with the caps lifted.

The graph is built up to a horizon: where a counter, the stack or a multiset grows past it, play is taken to go on (`BEYOND`).
A book compares counters only with numbers that stand in it and with each other, so far above the largest of these, C, nothing can
depend on how far: values from some T > C on are *folded* into one. That this is right is not believed but looked at: all states of
a class, between T and the horizon, must have the same options of the same owners, leading to the same classes (a bisimulation).
Where no fold passes, the world is judged by its concrete part only (`folded` is None), and by games up to the horizon.

Nothing here is taken from `checks`: loops and their keepers are written anew from what the documentation says they are.
"""
from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import networkx as nx

from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import CHANCE, NOBODY, OPEN, End, State
from rulewright.model.ir import types as t

BEYOND = -1
"""The target of a transition past the horizon."""
GAME = 4
COALITIONS: tuple[frozenset[int], ...] = (frozenset(), frozenset({0}), frozenset({1}), frozenset({0, 1}))


class TooLarge(Exception):
    """The world has more states than the judge takes."""


@dataclass
class Graph:
    """Who chooses in each state, where each option leads (target, widest scope crossed) and how much weight luck gives it, how play ended.
    State 0 is the first."""

    owner: list[int] = field(default_factory=list[int])
    weights: list[tuple[int, ...]] = field(default_factory=list["tuple[int, ...]"])
    edges: list[list[tuple[int, int]]] = field(default_factory=list["list[tuple[int, int]]"])
    end: list[End | None] = field(default_factory=list["End | None"])

    def __len__(self) -> int:
        return len(self.owner)

    def add(self, owner: int, end: End | None) -> int:
        self.owner.append(owner)
        self.weights.append(())
        self.edges.append([])
        self.end.append(end)
        return len(self.owner) - 1


Values = tuple[int, ...]
Look = tuple[Hashable, Values]
Fold = Callable[[Values], Values]


def clamped(*most: int) -> Fold:
    """Each value up to its own limit; the last limit is that of all further ones."""
    return lambda values: tuple(min(v, most[min(k, len(most) - 1)]) for k, v in enumerate(values))


def shifted(most: int, apart: int) -> Fold:
    """Values from `most` on go down together until the least of them is `most`; how far apart they are counts up to `apart`."""
    def fold(values: Values) -> Values:
        low = min((v for v in values if v >= most), default=most)
        return tuple(most + min(v - low, apart) if v >= most else v for v in values)
    return fold


class Looks:
    """A state as what can grow (numbers) and everything else: so many as the counters, the numbers in frames, how often each entry
    stands in a multiset. Of a deep stack the frames in the middle are left out."""

    def __init__(self, engine: Interpreter, counters: Collection[str], deepest: int) -> None:
        self.deepest = deepest
        layout = engine.program.layout
        self.multisets = [m for m in layout.containers.values() if not m.is_pool]
        inside = {k for m in self.multisets for k in m.slots}
        self.grow = [k for k, s in enumerate(layout.slots) if s.name.split("[")[0] in counters and k not in inside]
        self.rest = [k for k in range(len(layout.slots)) if k not in inside and k not in set(self.grow)]
        self.numbers = [frozenset(i for i, x in enumerate(fn.locals) if isinstance(x.type, t.Int)) for fn in engine.program.functions.values()]

    def of(self, state: State) -> Look:
        """The state apart from what grows, and what grows, in an order that only the former decides."""
        slots, values = state.slots, list[int]()
        skeleton: list[Hashable] = [tuple(slots[k] for k in self.rest)] if slots else [()]
        values += [slots[k] for k in self.grow] if slots else []
        for m in self.multisets if slots else ():
            entries = Counter(tuple(slots[c + k] for c in m.columns) for k in range(slots[m.head]))
            skeleton.append(tuple(sorted(entries)))
            values += [entries[e] for e in sorted(entries)]
        frames: Sequence[tuple[int, ...]] = state.frames
        if len(frames) > self.deepest:
            skeleton.append("deep")
            frames = (*frames[: self.deepest], *frames[-2:])
        for f in frames:
            numbers = self.numbers[f[0]]
            skeleton.append((*f[:2], *(None if k in numbers else v for k, v in enumerate(f[2:]))))
            values += [f[2 + k] for k in sorted(numbers)]
        skeleton.append(state.end)
        return tuple(skeleton), tuple(values)


@dataclass
class Folded:
    """The graph of classes, and which class each state belongs to."""

    graph: Graph
    of: list[int]


@dataclass
class World:
    """The true graph up to the horizon, its states, and how each looks; `folded`: the same for all heights."""

    engine: Interpreter
    graph: Graph
    states: list[State]
    number: dict[State, int]
    looks: list[Look]
    greatest: int
    counters: int
    folded: Folded | None = None

    @property
    def leaves(self) -> bool:
        """Does anything grow past the horizon?"""
        return any(to == BEYOND for out in self.graph.edges for to, _ in out)

    @property
    def above(self) -> int:
        """From here on, no number of the book can be met."""
        return self.greatest + 6

    def under(self, fold: Fold) -> Folded | None:
        """The world folded so, if that is a bisimulation."""
        classes = dict[Hashable, int]()
        of = [classes.setdefault((skeleton, fold(values)), len(classes)) for skeleton, values in self.looks]
        graph = quotient(self.graph, of, len(classes))
        return None if graph is None else Folded(graph, of)

    def coarser(self, caps: Sequence[int]) -> Iterator[Folded]:
        """Folded as low as these caps, and as low as can be: a loop may be seen as one of all heights from there on."""
        lowest = [self.above] * (self.counters + 1)
        for k in range(self.counters):
            while lowest[k] and self.under(clamped(*lowest[:k], lowest[k] - 1, *lowest[k + 1:])) is not None:
                lowest[k] -= 1
        for limits in ((*caps, self.above), lowest):
            if (folded := self.under(clamped(*limits))) is not None:
                yield folded


def horizon_of(greatest: int, counters: int) -> int:
    """How far the judge looks: well past twice the largest number of the book."""
    return 2 * greatest + 24 if counters > 1 else 3 * greatest + 24


def world(engine: Interpreter, slots: Sequence[int], counters: Collection[str], greatest: int, horizon: int, most: int) -> World:
    """Build and fold the graph. Raises TooLarge."""
    looks = Looks(engine, counters, greatest + 6)
    built = explored(engine, slots, looks, horizon, most, greatest)
    if not built.leaves:
        built.folded = Folded(built.graph, list(range(len(built.graph))))
    else:
        built.folded = built.under(clamped(built.above)) or built.under(shifted(built.above, greatest + 4))
    return built


def explored(engine: Interpreter, slots: Sequence[int], looks: Looks, horizon: int, most: int, greatest: int) -> World:
    """All states up to the horizon. Raises TooLarge."""
    out = World(engine, Graph(), [], {}, [], greatest, len(looks.grow))
    todo = deque[int]()

    def seen(state: State) -> int:
        if state.end is not None and state.end.kind == "bound":
            return BEYOND
        k = out.number.get(state)
        if k is None:
            look = looks.of(state)
            if max(look[1], default=0) > horizon or len(state.frames) > horizon:
                return BEYOND
            if len(out.states) >= most:
                raise TooLarge
            k = out.number[state] = out.graph.add(NOBODY, state.end)
            out.states.append(state)
            out.looks.append(look)
            todo.append(k)
        return k

    if seen(engine.start(slots).state) == BEYOND:
        raise TooLarge
    while todo:
        k = todo.popleft()
        at = engine.point(out.states[k])
        if at is None:
            continue
        out.graph.owner[k], out.graph.weights[k] = at.owner, at.weights
        for option in at.options:
            arrival = engine.apply(out.states[k], option)
            out.graph.edges[k].append((seen(arrival.state), arrival.crossing))
    return out


def quotient(graph: Graph, of: Sequence[int], count: int) -> Graph | None:
    """The graph of classes; None unless all states of a class whose successors are known do the same, and each class has one."""
    behaviour: list[tuple[int, End | None, tuple[int, ...], list[tuple[int, int]]] | None] = [None] * count
    for k, c in enumerate(of):
        if any(to == BEYOND for to, _ in graph.edges[k]):
            continue
        mine = graph.owner[k], graph.end[k], graph.weights[k], [(of[to], crossing) for to, crossing in graph.edges[k]]
        if behaviour[c] is None:
            behaviour[c] = mine
        elif behaviour[c] != mine:
            return None
    out = Graph()
    for b in behaviour:
        if b is None:
            return None
        c = out.add(b[0], b[1])
        out.weights[c], out.edges[c] = b[2:]
    return out


def alike(graph: Graph) -> list[int]:
    """Which states are the same but for which card is which, or what nobody looks at: they end in the same ways, ask the same, and their options lead to
    what is the same, by luck as probably (a bisimulation: the coarsest one, by refining)."""
    def leads(k: int) -> Iterator[tuple[int, int, Fraction]]:
        """Where a state leads, and how much of what luck brings that is."""
        shares = [Fraction(w, sum(graph.weights[k])) for w in graph.weights[k]] if graph.owner[k] == CHANCE else [Fraction(0)] * len(graph.edges[k])
        together = dict[tuple[int, int], Fraction]()
        for (to, crossing), share in zip(graph.edges[k], shares, strict=True):
            if not share:
                yield of[to] if to != BEYOND else BEYOND, crossing, share
            else:
                at = of[to] if to != BEYOND else BEYOND, crossing
                together[at] = together.get(at, Fraction(0)) + share
        yield from ((*at, share) for at, share in together.items())
    kinds = dict[Hashable, int]()
    of = [kinds.setdefault((graph.owner[k], graph.end[k]), len(kinds)) for k in range(len(graph))]
    while True:
        kinds = dict[Hashable, int]()
        finer = [kinds.setdefault((of[k], tuple(sorted(leads(k)))), len(kinds)) for k in range(len(graph))]
        if len(kinds) == len(set(of)):
            return finer
        of = finer


# ---------------------------------------------------------------- games
def brought_to(graph: Graph, friends: Collection[int], won: set[int], spoilt: Callable[[int, int], bool] = lambda to, crossing: False) -> set[int]:
    """The states from which the friends bring play into those that are won, or along an edge that is `spoilt`, whatever everybody else
    and chance do."""
    won = set(won)
    into: list[list[int]] = [[] for _ in range(len(graph))]
    left = [len(out) for out in graph.edges]
    todo = list(won)

    def arrived(k: int) -> None:
        left[k] -= 1
        if k not in won and (graph.owner[k] in friends or not left[k]):
            won.add(k)
            todo.append(k)
    for k, out in enumerate(graph.edges):
        for to, crossing in out:
            if spoilt(to, crossing):
                arrived(k)
            elif to != BEYOND:
                into[to].append(k)
    while todo:
        for k in into[todo.pop()]:
            arrived(k)
    return won


EVERYBODY = (NOBODY, CHANCE, OPEN, 0, 1)


def keeps_going(graph: Graph, friends: Collection[int], scope: int = GAME + 1) -> set[int]:
    """The states from which the friends keep play going for ever inside the scope, whatever everybody else and chance do: those from which
    the others do not bring it to an end. Past the horizon it goes on."""
    others = [who for who in EVERYBODY if who not in friends]
    ended = {k for k in range(len(graph)) if not graph.edges[k]}
    return {*range(len(graph))} - brought_to(graph, others, ended, lambda to, crossing: crossing >= scope)


def powers(graph: Graph) -> list[set[int]]:
    """Who can bring about what: for each way to end, or for none, and each player, with luck and open choices on either side, the
    states from which it is so. What differs in none of them is worth the same to both."""
    friends = [{p, *helping} for p in (0, 1) for helping in ((), (CHANCE,), (OPEN,), (CHANCE, OPEN))
               if all(h in graph.owner for h in helping)]
    out = [brought_to(graph, who, {k for k, e in enumerate(graph.end) if e == end}) for end in {e for e in graph.end if e is not None} for who in friends]
    return out + [keeps_going(graph, who) for who in friends]


CLOSE = 1e-6
"""Probabilities that differ by less are the same."""


def odds(graph: Graph, friends: Collection[int], won: set[int], rounds: int = 3_000) -> list[float]:
    """With what probability the friends bring play into states that are won, whatever everybody else does; luck goes by its weights."""
    value = [1.0 if k in won else 0.0 for k in range(len(graph))]
    for _ in range(rounds):
        change = 0.0
        for k, out in enumerate(graph.edges):
            if k in won or not out:
                continue
            ways = [value[to] if to != BEYOND else 0.0 for to, _ in out]
            if graph.owner[k] == CHANCE:
                new = sum(w * v for w, v in zip(graph.weights[k], ways, strict=True)) / sum(graph.weights[k])
            else:
                new = max(ways) if graph.owner[k] in friends else min(ways)
            change, value[k] = max(change, abs(new - value[k])), new
        if change < CLOSE / 1_000:
            break
    return value


def chances(graph: Graph) -> list[list[int]]:
    """With what probability each player brings about each end, in steps of what is told apart; nothing where there is no luck."""
    if CHANCE not in graph.owner:
        return []
    return [[round(v / CLOSE / 100) for v in odds(graph, {p}, {k for k, e in enumerate(graph.end) if e == end})]
            for end in {e for e in graph.end if e is not None} for p in (0, 1)]


# ---------------------------------------------------------------- loops
Edge = tuple[int, int]
"""State, and which of its options."""


@dataclass(frozen=True)
class Loop:
    """A loop: the narrowest scope that contains it, the smallest sets of players who can keep it going, its states."""

    scope: int
    keepers: frozenset[frozenset[int]]
    states: frozenset[int]


def end_components(graph: Graph, friends: Collection[int], scope: int) -> list[frozenset[int]]:
    """The largest sets of states, strongly connected inside the scope, that nobody but the friends can leave."""
    found: list[frozenset[int]] = []
    todo = [frozenset(k for k in range(len(graph)) if graph.edges[k])]
    while todo:
        part = todo.pop()
        inside = nx.DiGraph()
        inside.add_nodes_from(part)
        inside.add_edges_from((k, to) for k in part for to, crossing in graph.edges[k] if to in part and crossing < scope)
        for c in map(frozenset, nx.strongly_connected_components(inside)):
            def stays(k: int, c: frozenset[int] = c) -> bool:
                ways = [to in c and crossing < scope for to, crossing in graph.edges[k]]
                return any(ways) if graph.owner[k] in friends else all(ways)
            kept = frozenset(k for k in c if stays(k))
            if kept == c:
                found.append(c)
            elif kept:
                todo.append(kept)
    return found


class Components:
    """The end components of every set of players in one scope. `open_helps`: choices that nobody owns fall to whoever would go on."""

    def __init__(self, graph: Graph, scope: int, open_helps: bool) -> None:
        self.graph, self.scope = graph, scope
        self.of = {c: end_components(graph, {*c, OPEN} if open_helps else c, scope) for c in COALITIONS}

    def around(self, states: Collection[int]) -> dict[frozenset[int], frozenset[int]]:
        """For each set of players, the component that contains all of these states."""
        return {c: part for c, parts in self.of.items() for part in parts if part.issuperset(states)}

    def keepers(self, states: Collection[int]) -> frozenset[frozenset[int]]:
        """The smallest sets of players who keep going what runs through these states: nobody's component lies strictly inside theirs, and no
        smaller set has the same one."""
        around = self.around(states)
        return frozenset(c for c, part in around.items()
                         if not any(other < part or (d < c and other <= part) for d, other in around.items()))

    def inner(self, states: Collection[int]) -> list[Edge]:
        """The edges between these states inside the scope."""
        members = set(states)
        return [(k, n) for k in members for n, (to, crossing) in enumerate(self.graph.edges[k]) if to in members and crossing < self.scope]

    def connected(self, states: Iterable[int]) -> Iterator[frozenset[int]]:
        """The strongly connected parts with an edge."""
        members = set(states)
        inside = nx.DiGraph((k, self.graph.edges[k][n][0]) for k, n in self.inner(members))
        for c in nx.strongly_connected_components(inside):
            if len(c) > 1 or inside.has_edge(*(*c, *c)):
                yield frozenset(c)

    def loops(self) -> Iterator[Loop]:
        """Where components meet, down to the smallest: a loop is told if it has an edge that crosses what is inside the scope, and one that lies in
        no smaller such part."""
        todo = {part for parts in self.of.values() for part in parts}
        parts = set[frozenset[int]]()
        while todo:
            one = todo.pop()
            parts.add(one)
            for components in self.of.values():
                for c in components:
                    if c & one and not one <= c:
                        todo |= {x for x in self.connected(c & one) if x not in parts}
        for part in parts:
            smaller = [x for x in parts if x < part]
            edges = self.inner(part)
            new = [(k, n) for k, n in edges if not any(k in x and self.graph.edges[k][n][0] in x for x in smaller)]
            if new and any(self.graph.edges[k][n][1] == self.scope - 1 for k, n in edges):
                yield Loop(self.scope, self.keepers(part), part)


class Judged:
    """All loops of a graph, judged for and against those who would have choices that nobody owns."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        open_choices = any(graph.owner[k] == OPEN for k in range(len(graph)))
        self.ways = (False, True) if open_choices else (False,)
        crossed = {crossing for out in graph.edges for _, crossing in out}
        self.components = {(scope, way): Components(graph, scope, way) for scope in range(1, GAME + 1) if scope - 1 in crossed for way in self.ways}

    @property
    def loops(self) -> list[Loop]:
        """The loops that are there whoever has the open choices: told with the same keepers both ways."""
        first, *others = [{loop for (_, mine), c in self.components.items() if mine == way for loop in c.loops()} for way in self.ways]
        return [x for x in first if all(x in other for other in others)]

    def keepers(self, walk: Sequence[Edge]) -> frozenset[frozenset[int]] | None:
        """Who keeps a closed walk going; None where that hangs on open choices. The empty set: nobody certainly does."""
        scope = 1 + max(self.graph.edges[k][n][1] for k, n in walk)
        if scope > GAME:
            return frozenset()
        said = {self.components[scope, way].keepers({k for k, _ in walk}) for way in self.ways}
        return said.pop() if len(said) == 1 else None


def grows(graph: Graph, of: Sequence[int], loop: Loop) -> bool:
    """Is the loop of classes none in which the very same state comes back? Then something grows in it for ever."""
    inside = nx.DiGraph(
        (k, to) for k in range(len(graph)) if of[k] in loop.states
        for to, crossing in graph.edges[k] if to != BEYOND and of[to] in loop.states and crossing < loop.scope)
    return not any(
        {of[k] for k in c} >= loop.states and (len(c) > 1 or inside.has_edge(*(*c, *c))) for c in nx.strongly_connected_components(inside))


__all__ = ["BEYOND", "CHANCE", "OPEN", "Graph", "Judged", "Loop", "TooLarge", "World", "alike", "brought_to", "chances", "grows", "horizon_of", "keeps_going", "powers", "world"]
