"""What is told of orders, and of choices that nobody owns, place by place, beside what is true of the place.

What follows each option up to the resolver's return is gone through state by state. Of every set of its results it is worked out how surely
each player, and both together, can bring it about; choices of nobody's fall once to their side and once to the other.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

from rulewright.checks.explore import order_findings as told_by
from rulewright.checks.explore.forcing import Compared, Witness
from rulewright.checks.findings.record import Finding, Stake
from rulewright.model.engine.state import CHANCE, OPEN, State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Layout

from .judge import BEYOND, COALITIONS, Graph, World, brought_to, chances, keeps_going

FOREVER = -2
"""The result of those who never come to another."""
MOST_RESULTS = 7
"""With more results not every set of them is worked out."""
Span = tuple[Fraction, Fraction]


@dataclass
class Told:
    """An order that is told of: the finding, what came of comparing games where results are the same, and what is said of chances."""

    finding: Finding
    said: Compared | None
    witness: tuple[Witness, dict[Hashable, State | None]] | None = None


@contextmanager
def noted() -> Iterator[list[Told]]:
    """All orders that are told of while this is under way, before those that are told alike are taken together."""
    out, spoken = list[Told](), list[tuple[Witness, dict[Hashable, State | None]]]()
    finding, outcomes = told_by.order_finding, told_by.forced_outcomes

    def order_finding(*given: object) -> Finding:
        spoken.clear()
        f = finding(*given)  # type: ignore[arg-type]
        said = given[4] if len(given) > 4 else None
        assert said is None or isinstance(said, Compared)
        out.append(Told(f, said, spoken[0] if spoken else None))
        return f

    def forced_outcomes(*given: object) -> object:
        witness, state_of = given[4], given[5]
        assert isinstance(witness, Witness)
        spoken.append((witness, {x: state_of(x) for x in witness.results}))  # type: ignore[operator]
        return outcomes(*given)  # type: ignore[arg-type]
    told_by.order_finding, told_by.forced_outcomes = order_finding, forced_outcomes  # type: ignore[assignment]
    try:
        yield out
    finally:
        told_by.order_finding, told_by.forced_outcomes = finding, outcomes


class Follows:
    """What follows the options of a place, until play has ended or has returned from the innermost loop that is under way. `ends_alone`: of play that
    has ended only how it has counts."""

    def __init__(self, world: World, k: int, ends_alone: bool = False) -> None:
        self.graph = world.graph
        first = dict[Hashable, int]()
        stands = [k if e is None or not ends_alone or e.kind == "over" else first.setdefault(e, k) for k, e in enumerate(world.graph.end)]

        def ways(x: int) -> list[int]:
            return [to if to == BEYOND else stands[to] for to, _ in world.graph.edges[x]]
        self.options = ways(k)
        frames, code = world.states[k].frames, [f.code for f in world.engine.program.functions.values()]
        until = next((d for d in range(len(frames) - 1, -1, -1) if any(isinstance(i, ir.Label) for i in code[frames[d][0]][:frames[d][1] + 1])), len(frames) - 1)
        self.inner, self.left, self.known = dict[int, list[int]](), set[int](), True
        todo = list(self.options)
        while todo:
            x = todo.pop()
            if x == BEYOND:
                self.known = False
            elif x not in self.inner and x not in self.left:
                if world.graph.end[x] is not None or len(world.states[x].frames) <= until:
                    self.left.add(x)
                else:
                    self.inner[x] = ways(x)
                    todo += self.inner[x]
        self.owners = {world.graph.owner[x] for x, ways in self.inner.items() if len(ways) > 1}

    def results(self, option: int) -> frozenset[int]:
        """What can come of it: states, and that it goes on for ever."""
        seen, todo = set[int](), [option]
        while todo:
            if (x := todo.pop()) not in seen:
                seen.add(x)
                todo += self.inner.get(x, [])
        live = seen & self.inner.keys()
        while gone := {x for x in live if live.isdisjoint(self.inner[x])}:
            live -= gone
        return frozenset((seen & self.left) | ({FOREVER} if live else set()))

    @property
    def differ(self) -> bool:
        """Are the results of one option others than those of another?"""
        return len({self.results(x) for x in self.options}) > 1

    @property
    def exact(self) -> bool:
        """Can chances be worked out: is there no luck within what goes round?"""
        return self.known and not (CHANCE in self.owners and any(FOREVER in self.results(x) for x in self.options))

    def spans(self, friends: Collection[int], wanted: Collection[int]) -> list[Span]:
        """For each option how surely the friends bring about one of the results that are wanted: at least, and at most."""
        worth = [self.worth({*friends, *helping}, wanted) for helping in ((), (OPEN,))]
        return [(worth[0][x], worth[1][x]) for x in self.options]

    def worth(self, friends: Collection[int], wanted: Collection[int]) -> Mapping[int, Fraction]:
        """The same of each state, with all choices of nobody's on one side."""
        value = {x: Fraction(x in wanted) for x in self.left} | dict.fromkeys(self.inner, Fraction(FOREVER in wanted))
        changed = True
        while changed:
            changed = False
            for x, ways in self.inner.items():
                each = [value[to] for to in ways]
                owner, weights = self.graph.owner[x], self.graph.weights[x]
                if owner == CHANCE:
                    new = sum((w * v for w, v in zip(weights, each, strict=True)), Fraction(0)) / sum(weights)
                else:
                    new = (max if owner in friends else min)(each)
                changed, value[x] = changed or new != value[x], new
        return value

    @property
    def parted(self) -> bool | None:
        """Can somebody bring something about more surely in one order than in another, whoever has the choices of nobody's? None: not worked out."""
        all_results = sorted(frozenset().union(*map(self.results, self.options)))
        if not self.exact or len(all_results) > MOST_RESULTS:
            return None
        return any(apart(self.spans(c, some)) for n in range(1, len(all_results)) for some in combinations(all_results, n) for c in COALITIONS)

    @property
    def shapes(self) -> set[Hashable] | None:
        """What is decided, by whom, leading where, for each option: the same where it is the same game. None where something goes round."""
        if not self.known or any(FOREVER in self.results(x) for x in self.options):
            return None

        @cache
        def shape(x: int) -> Hashable:
            """A result; or who decides, and between what (of luck: with what chances)."""
            if x in self.left:
                return x
            owner = self.graph.owner[x]
            weights = self.graph.weights[x] if owner == CHANCE else (1,) * len(self.inner[x])
            parts = dict[Hashable, Fraction]()
            for to, w in zip(self.inner[x], weights, strict=True):
                then = shape(to)
                joined = owner >= 0 or owner == CHANCE
                for part, p in then[1] if joined and isinstance(then, tuple) and then[0] == owner else [(then, Fraction(1))]:
                    parts[part] = parts.get(part, Fraction(0)) + Fraction(w, sum(weights)) * p
            if len(parts) == 1:
                return next(iter(parts))
            return owner, frozenset((part, p if owner == CHANCE else Fraction(1)) for part, p in parts.items())
        return {shape(x) for x in self.options}


def apart(spans: Sequence[Span]) -> bool:
    """Is it surely more in one than in another?"""
    return max(low for low, _ in spans) > min(high for _, high in spans)


def ends_ahead(graph: Graph, start: int) -> frozenset[tuple[str, int]]:
    """The ways to end that can be come to."""
    seen, todo, out = set[int](), [start], set[tuple[str, int]]()
    while todo:
        x = todo.pop()
        if x in seen or x == BEYOND:
            continue
        seen.add(x)
        if (end := graph.end[x]) is not None:
            out.add((end.kind, end.who))
        todo += [to for to, _ in graph.edges[x]]
    return frozenset(out)


class Ends:
    """Does it depend on which way is taken who wins, or whether anybody does? `graph`: the world at all heights."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        kinds = sorted({(e.kind, e.who) for e in graph.end if e is not None})
        some = [set(x) for n in range(1, len(kinds) + 1) for x in combinations(kinds, n)] if len(kinds) < MOST_RESULTS else [{x} for x in kinds]
        self.won = [all(kind == "win" for kind, _ in x) for x in some for _ in COALITIONS]
        won = [{k for k, e in enumerate(graph.end) if e is not None and (e.kind, e.who) in x} for x in some]
        self.surely = [brought_to(graph, {*c}, w) for w in won for c in COALITIONS]
        """The states from which somebody brings it about whatever nobody's choices and luck do."""
        self.at_most = [brought_to(graph, {*c, OPEN, CHANCE}, w) for w in won for c in COALITIONS]
        self.going = [(keeps_going(graph, {*c}), keeps_going(graph, {*c, OPEN, CHANCE})) for c in COALITIONS]

        self.likely = chances(graph)

    def decides(self, ways: Sequence[int]) -> bool:
        """Does it matter for what somebody can bring about, on whichever side nobody's choices and luck are?"""
        sets = [*self.surely, *self.at_most, *(x for both in self.going for x in both)]
        return len({ends_ahead(self.graph, x) for x in ways}) > 1 or any(len({x in s for x in ways}) > 1 for s in sets) or any(
            len({p[x] for x in ways}) > 1 for p in self.likely)

    def depends(self, ways: Sequence[int]) -> bool:
        """Surely: others can be come to, or somebody brings about that play is won so, which with another way he does not, even if all choices of
        nobody's were his."""
        return len({ends_ahead(self.graph, x) for x in ways}) > 1 or any(
            any(x in low for x in ways) and not all(x in high for x in ways) for low, high, won in zip(self.surely, self.at_most, self.won, strict=True) if won)


RESULTS, FORCED, COURSE = "leads to other results", "lets players bring about other things", "changes the course only"


def kind_of(f: Finding) -> str:
    """What a finding says of an order."""
    if f.title.en.startswith("only the course"):
        return COURSE
    return FORCED if "who can bring them about depends" in f.summary.en else RESULTS


class Orders:
    """What is told of the orders of a world beside what is true. `graph`: the world at all heights, `of`: its state for each state."""

    def __init__(self, world: World, told: Sequence[Told], way_of: Callable[[Finding], list[State] | None], graph: Graph | None, of: Sequence[int],
                 layout: Layout, symmetric: bool) -> None:
        self.world, self.told, self.way_of, self.of, self.layout, self.symmetric = world, told, way_of, of, layout, symmetric
        self.ends = Ends(graph) if graph is not None else None
        self.waiting = [c for c in world.engine.program.layout.containers.values() if not c.is_pool and c.columns]
        self.follows = cache(lambda k: Follows(world, k))
        self.there = set[str]()

    def group(self, k: int) -> Hashable:
        """What a place shares with those that are told as one: where it is chosen, and what sorts of things wait (the first field of each)."""
        s = self.world.states[k]
        return s.frames[-1][:2], tuple(
            s.slots[w.head] if self.symmetric else tuple(sorted(s.slots[w.columns[0] + n] for n in range(s.slots[w.head]))) for w in self.waiting)

    def told_falsely(self) -> Iterator[tuple[str, str]]:
        """What is told of single places and not so."""
        for t in self.told:
            way, kind = self.way_of(t.finding), kind_of(t.finding)
            if way is None:
                yield "a play that cannot be played", t.finding.title.en
            elif (k := self.world.number.get(way[-1])) is not None and self.follows(k).known:
                self.there.add(f"compared: an order told that {kind}")
                yield from ((what, f"{t.finding.title.en}: {why}") for what, why in self.said_of(t, self.follows(k), kind))
                yield from ((what, t.finding.title.en) for what in self.stakes(t.finding, [to for to, _ in self.world.graph.edges[k]]))

    def said_of(self, t: Told, f: Follows, kind: str) -> Iterator[tuple[str, str]]:
        if f.differ != (kind == RESULTS):
            yield "order told to matter", f"the results are {'not ' * (not f.differ)}others"
        elif kind == FORCED:
            if f.parted is False:
                yield "order told to matter", "everybody can bring about the same"
            if t.witness is not None and f.exact:
                self.there.add("compared: what players are told to bring about")
                yield from (("what players can bring about in an order", said) for said in self.chances(t, f))
        elif kind == COURSE and t.said is not None:
            if t.said.exhaustive and f.parted:
                yield "order told to change the course only", "somebody can bring about something else"
            if not t.said.loops and f.shapes is not None and len(f.shapes) == 1:
                yield "order told to matter", "it is the same game"

    def chances(self, t: Told, f: Follows) -> Iterator[str]:
        """Chances that are told, and not so: results are found again by what is in them."""
        assert t.witness is not None
        witness, states = t.witness
        number, here = dict[Hashable, int](), {look(self.world.engine.program.layout, self.world.states[k]): k for k in f.left}
        for x, s in states.items():
            found = FOREVER if s is None else here.get(look(self.layout, s))
            if found is None:
                return
            number[x] = found
        true = f.spans(witness.who, {number[x] for x in witness.what})
        for (low, high), (least, most) in zip(true, witness.chances, strict=True):
            if low < least or most < high:
                yield f"{sorted(witness.who)}: {least}–{most}, truly {low}–{high}"

    def stakes(self, f: Finding, ways: Sequence[int]) -> Iterator[str]:
        """Is it told as deciding who wins where it does, and only there?"""
        if self.ends is None or BEYOND in ways:
            return
        to = [self.of[x] for x in ways]
        self.there.add(f"compared: {f.cls.value} told to decide who wins: {f.stake is Stake.WINNER}")
        if f.stake is Stake.WINNER and not self.ends.decides(to):
            yield f"{f.cls.value} told to decide who wins"
        if f.stake is not Stake.WINNER and self.ends.depends(to):
            yield f"{f.cls.value} not told to decide who wins"

    def untold(self, places: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Where nothing was left out: places of which, with their group, nothing is told, or less than is true."""
        told = dict[Hashable, set[str]]()
        for t in self.told:
            way = self.way_of(t.finding)
            if way is not None and (k := self.world.number.get(way[-1])) is not None:
                told.setdefault(self.group(k), set()).add(kind_of(t.finding))
        for k in places:
            f, said, slots = self.follows(k), told.get(self.group(k), set[str]()), self.world.states[k].slots
            self.there.add(f"compared: an order of which {'something' if said else 'nothing'} is told")
            to = [self.of[x] for x in f.options if x != BEYOND]
            if not said and self.ends is not None and len(to) == len(f.options) and self.ends.decides(to):
                yield "order told to be the same", f"other ends can be brought about: {slots}"
            elif f.known and not self.symmetric and f.differ and RESULTS not in said:
                yield "order told to be the same", f"results differ: {slots}"
            elif f.known and not self.symmetric and not said & {RESULTS, FORCED} and f.parted:
                yield "order told to be the same", f"players can bring about other things: {slots}"


def look(layout: Layout, s: State) -> Hashable:
    """A state, whatever room its containers have."""
    plain = tuple(v for k, v in enumerate(s.slots) if k not in layout.in_containers)
    held = [[tuple(s.slots[c + n] for c in w.columns) for n in range(s.slots[w.head])] if not w.is_pool else
            [tuple(s.slots[c + n] for c in w.columns) if s.slots[w.head] >> n & 1 else () for n in range(w.capacity)]
            for w in layout.containers.values() if s.slots]
    return s.end, s.frames, plain, tuple(tuple(sorted(x)) for x in held)


__all__ = ["Orders", "Told", "noted"]
