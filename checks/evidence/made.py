"""The certificate of a run: what is claimed by each finding, and of all positions, with what shows it."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...model.engine.extrapolation import Unlimited
from ...model.engine.interpreter import Interpreter
from ...model.engine.state import OPEN, Option, State
from ..certify.checker import FORM
from ..certify.claims import grown, join_of, returned
from ..certify.positions import MOST
from ..certify.world import Refused, World
from ..explore.end_components import Arena, maximal_end_components
from ..explore.explorer import Limits
from ..explore.other_findings import words_of_broken, words_of_untold
from ..explore.outcomes import ordering_at
from ..explore.owned_graph import BOUND, OwnedGraph
from ..explore.parting import part
from ..explore.subject import Subject
from ..findings.record import Finding, FindingClass, WhoCanStop
from .plays import Played, plain_steps, played
from .table import Table, no_states

Claim = dict[str, Any]


def certificate(subject: Subject, table: dict[str, Any], claims: Sequence[Claim]) -> dict[str, Any]:
    """Claims about a subject, as plain data."""
    return {"form": FORM, "book": subject.book, "further": further_of(subject), "table": table, "claims": list(claims)}


def world_of(subject: Subject) -> World:
    """What the checker is given of a subject: a fresh interpreter of its program, and where play begins."""
    return World(
        Interpreter(subject.program, subject.engine.policies, card_ids=subject.engine.card_ids), subject.positions
    )


def further_of(subject: Subject) -> dict[str, Any] | None:
    """Which counters have no end in what was judged, from where on large values are one, and how deep the stack is; None where play was judged
    as it is within bounds."""
    if not isinstance(subject.engine, Unlimited):
        return None
    engine = subject.saturated
    counters = [
        [sorted((f if isinstance(f, str) else list(f) for f in c.fields), key=str), c.limit, c.period, c.sign, c.joined]
        for c in (engine.counters if engine is not None else ())
    ]
    return {"counters": counters, "depth": (engine or subject).program.stack_depth}


def claim_of(subject: Subject, table: Table, finding: Finding) -> Claim | None:
    """What shows a finding; None where there is nothing that would."""
    play = played(subject, finding.play)
    if play is None:
        return None
    if finding.play.cycle:
        made = loop(subject, table, finding, play)
    elif finding.cls is FindingClass.ORDER:
        made = order(subject, play)
    elif finding.cls is FindingClass.READINGS:
        made = None  # it takes two programs: `parting_claim`
    else:
        made = ending(subject, finding, play)
    return None if made is None else {**made, "about": finding.id}


def ending(subject: Subject, finding: Finding, play: Played) -> Claim | None:
    """A play to an end that no rule explains, to a condition that does not hold, or to a choice that nobody owns."""
    made: Claim = {
        "kind": "play",
        "start": play.start,
        "steps": plain_steps(play.stem),
        "end": None,
        "rule": None,
        "value": None,
        "clause": None,
        "options": None,
    }
    state = play.last
    if finding.cls in (FindingClass.GAP, FindingClass.CONFLICT, FindingClass.DEFECT) and state.end is not None:
        return {**made, "end": list(state.end[:3])}
    if finding.cls is FindingClass.OPEN:
        at = subject.engine.point(state)
        ways = (
            {}
            if at is None or at.owner != OPEN
            else {subject.engine.apply(state, o).state: o for o in reversed(at.options)}
        )
        return (
            {**made, "clause": finding.clauses[0], "options": [list(o) for o in [*ways.values()][:2]]}
            if len(ways) > 1
            else None
        )
    for name in subject.program.invariants:
        said = subject.engine.evaluate(name, state)
        told = (
            words_of_broken(subject, name)
            if said == 0
            else None
            if isinstance(said, int)
            else words_of_untold(subject, name, said)
        )
        if told is not None and told[0] == finding.title:
            return {**made, "rule": name, "value": said if isinstance(said, int) else list(said[:3])}
    return None


# ---------------------------------------------------------------- loops
def loop(subject: Subject, table: Table, finding: Finding, play: Played) -> Claim | None:
    """A lasso, how it grows, who keeps it going, and the positions that play does not leave while they do."""
    try:
        growth = grown(play.head, play.last) if play.last != play.head else None
    except Refused:
        return None
    scope = 1 + max(a.crossing for a in play.around)
    made: Claim = {
        "kind": "loop",
        "start": play.start,
        "stem": plain_steps(play.stem),
        "cycle": plain_steps(play.cycle),
        "growth": growth,
        "scope": scope,
        "keepers": None,
        "closed": [],
    }
    keepers, way = keepers_told(subject, finding, play.head), circuit(table, play)
    if (
        keepers is None
        or way is None
        or not (growth is None or steady(subject, play, growth, (len(way[0]) + 2 * len(way[1])) // len(play.cycle) + 1))
    ):
        return made
    sets = [closed_set(table, who, *way, scope) for who in keepers]
    if any(closed is None for closed in sets):
        return made
    return {
        **made,
        "keepers": keepers,
        "closed": [{"keepers": who, **closed} for who, closed in zip(keepers, sets, strict=True) if closed is not None],
    }


def steady(subject: Subject, play: Played, growth: list[Any], rounds: int) -> bool:
    """Do the numbers grow by the same in so many rounds? What doubles, say, goes on for ever too, but that is not what the checker goes by."""
    head = play.head
    for _ in range(rounds):
        after = head
        for _, option in play.cycle:
            after = subject.engine.apply(after, option).state
        try:
            if grown(head, after) != growth:
                return False
        except Refused:
            return False
        head = after
    return True


def keepers_told(subject: Subject, finding: Finding, head: State) -> list[list[int]] | None:
    """The sets of players of which a finding says that each alone keeps the loop going; None where it does not say."""
    match finding.keepers:
        case WhoCanStop.NOBODY:
            return [[]]
        case WhoCanStop.ONE:
            return [[p] for p in (0, 1) if subject.describer.player(p, head) == finding.stopper] or None
        case WhoCanStop.TOGETHER:
            return [[0], [1]]
        case WhoCanStop.EITHER:
            return [[0, 1]]
        case _:
            return None


Way = list[tuple[int, Option]]
"""States of an exploration, and what is taken in each."""


def circuit(table: Table, play: Played) -> tuple[Way, Way] | None:
    """The states of the exploration on the way from the end of the stem on, round after round, until one comes back: before that, and from
    it on. None where they are not known."""
    graph = table.out.graph
    k = table.number.get(table.starts[play.start])
    for _, option in play.stem:
        k = None if k is None else target_of(graph, k, option)
    seen, way = dict[int, int](), list[tuple[int, Option]]()
    while k not in seen:
        if k is not None:
            seen[k] = len(way)
        for _, option in play.cycle:
            if k is None:
                return None
            way.append((k, option))
            k = target_of(graph, k, option)
    return way[:seen[k]], way[seen[k]:]


def target_of(graph: OwnedGraph, k: int, option: Option) -> int | None:
    """Where an option leads; None where that is not known."""
    return next(
        (w for e in graph.out_edges(k) if graph.label[e] == option and (w := int(graph.target[e])) != BOUND), None
    )


def closed_set(table: Table, keepers: Sequence[int], before: Way, ring: Way, scope: int) -> dict[str, Any] | None:
    """The positions that play can come to from these on while the players stay in the largest end component around the ring, or bring play there,
    and how they do."""
    graph = table.out.graph
    distance, _ = graph.breadth_first()
    arena = Arena(graph, np.flatnonzero(distance >= 0).astype(np.int32), scope)
    label = maximal_end_components(arena, tuple(keepers), False, arena.everything()).label
    of = {int(k): int(x) for k, x in zip(arena.states, label, strict=True)}
    wanted = {of.get(k, -1) for k, _ in ring}
    if len(wanted) != 1 or wanted == {-1}:
        return None
    inside = {k for k, x in of.items() if x in wanted}
    wished = dict((*before, *ring))
    bringing = dict[int, Option]() if all(k in inside for k, _ in before) else attracting(graph, keepers, inside, scope)
    strategy: dict[int, Option] = {}
    todo = list(dict.fromkeys(k for k, _ in (*before, *ring)))
    seen = {*todo}
    for k in todo:
        if k not in inside and k not in bringing:
            return None
        edges = [(label_of(graph, e), int(graph.target[e]), int(graph.crossing[e])) for e in graph.out_edges(k)]
        if graph.owner[k] in keepers:
            staying = (
                [one for one in edges if one[2] < scope and one[1] in inside]
                if k in inside
                else [one for one in edges if one[0] == bringing[k]]
            )
            edges = [next((e for e in staying if e[0] == wished.get(k)), staying[0])]
            strategy[k] = edges[0][0]
        for _, w, _ in edges:
            if w not in seen:
                seen.add(w)
                todo.append(w)
    return {
        "states": sorted(table.place[k] for k in seen),
        "strategy": [[table.place[k], list(o)] for k, o in sorted(strategy.items())],
    }


def attracting(graph: OwnedGraph, keepers: Sequence[int], inside: set[int], scope: int) -> dict[int, Option]:
    """The states from which these players bring play to some, whatever the others and chance do, and what is taken last on the way there."""
    sources: dict[int, list[tuple[int, int]]] = {}
    left: dict[int, int] = {}
    for k in range(len(graph)):
        for e in graph.out_edges(k):
            left[k] = left.get(k, 0) + 1
            if graph.crossing[e] < scope:
                sources.setdefault(int(graph.target[e]), []).append((k, e))
    found, todo = dict[int, Option](), [*inside]
    for w in todo:
        for k, e in sources.get(w, ()):
            left[k] -= 1
            if k not in inside and k not in found and (graph.owner[k] in keepers or not left[k]):
                found[k] = label_of(graph, e)
                todo.append(k)
    return found


def label_of(graph: OwnedGraph, edge: int) -> Option:
    """The option of an edge."""
    return graph.label[edge]  # pyright: ignore[reportReturnType]


# ---------------------------------------------------------------- orders and readings
def order(subject: Subject, play: Played) -> Claim | None:
    """A result that one first step can lead to and another cannot."""
    world, state = world_of(subject), play.last
    at = subject.engine.point(state)
    if at is None or not state.frames or ordering_at(subject, state.frames[-1][0], state.frames[-1][1]) is None:
        return None
    depth = join_of(world, state)
    results = {o: results_after(subject, subject.engine.apply(state, o).state, depth) for o in at.options}
    for one, other, result in differing(subject, results):
        way = results[one][result]
        if way is not None and all(s.end is None or s.end.kind != "bound" for s in results[other]):
            return {
                "kind": "order",
                "start": play.start,
                "steps": plain_steps(play.stem),
                "by": at.owner,
                "first": list(one),
                "way": plain_steps(way),
                "other": list(other),
            }
    return None


def differing(subject: Subject, results: dict[Option, dict[State, Any]]) -> Iterator[tuple[Option, Option, State]]:
    """Results after one first step and not after another; equal cards in each other's places make no other result."""
    def look(state: State) -> State:
        return state if subject.symmetry is None else subject.symmetry.canonical(state)[0]
    looks = {o: {look(s) for s in found} for o, found in results.items()}
    for one, found in results.items():
        for other in results:
            yield from (
                (one, other, s)
                for s in found
                if look(s) not in looks[other] and (s.end is None or s.end.kind != "bound")
            )


def results_after(subject: Subject, first: State, depth: int) -> dict[State, tuple[tuple[int, Option], ...]]:
    """The states at the resolver's return, each with a way to it; nothing where there are too many."""
    ways: dict[State, tuple[tuple[int, Option], ...]] = {first: ()}
    todo, found = [first], dict[State, tuple[tuple[int, Option], ...]]()
    for state in todo:
        if returned(state, depth):
            found[state] = ways[state]
            continue
        at = subject.engine.point(state)
        assert at is not None
        for option in at.options:
            after = subject.engine.apply(state, option).state
            if after not in ways:
                ways[after] = (*ways[state], (at.owner, option))
                todo.append(after)
        if len(ways) > MOST:
            return {}
    return found


def parting_claim(a: Subject, b: Subject, limits: Limits, finding: Finding) -> Claim | None:
    """Where two readings part: the choices in each, and what differs."""
    found = part(a, b, limits)
    if found is None:
        return None
    s, t = a.starts[found.start].state, b.starts[found.start].state
    mine, theirs = list[tuple[int, Option]](), list[tuple[int, Option]]()
    for o in found.options:
        at, bt = a.engine.point(s), b.engine.point(t)
        assert at is not None and bt is not None
        other = (
            o
            if o in bt.options
            else {b.describer.option(bt, x).en: x for x in bt.options}[a.describer.option(at, o).en]
        )
        mine.append((at.owner, o))
        theirs.append((bt.owner, other))
        s, t = a.engine.apply(s, o).state, b.engine.apply(t, other).state
    at, bt = a.engine.point(s), b.engine.point(t)
    differs = (
        "end"
        if (s.end is None) != (t.end is None) or (s.end is not None and t.end is not None and s.end[:2] != t.end[:2])
        else "slots"
        if s.slots != t.slots
        else "owner"
        if at is not None and bt is not None and at.owner != bt.owner
        else "odds"
        if at is not None and bt is not None and at.options == bt.options
        else "options"
    )
    return {
        "kind": "parting",
        "about": finding.id,
        "start": found.start,
        "steps": plain_steps(mine),
        "theirs": plain_steps(theirs),
        "differs": differs,
    }


__all__ = ["certificate", "claim_of", "no_states", "parting_claim", "world_of"]
