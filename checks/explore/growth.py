"""Loops that never come back to the same state because something grows: a counter, or the stack of nested effects.

Where play left a bound of the model, the graph is completed as if what grows no longer mattered, and loops are
looked for in it. Every loop found so is then replayed: the round must return to the same state but for what grows,
at least `ROUNDS` times, with the bound raised where it stands in the way.

A completed graph is not the real one, so nothing is reported from it that did not replay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import End, Option, State
from ...model.ir import types as t
from ...spec.text import Text
from ..findings.identity import told_apart
from ..findings.record import Bounds, Finding
from .explorer import Exploration, Limits, explore
from .loop_findings import disagreements, finding_of, options_along
from .loops import Verdict, find_loops
from .owned_graph import BOUND, OwnedGraph
from .subject import Subject

ROUNDS = 8
"""How often a growing round is replayed before it is believed."""
MOST_FOLDED = 20_000
"""Calls that did not fit onto the stack for which a likely end is looked for; what lies behind more of them is not known."""
MOST_ALIKE = 500_000
"""States among which such an end is looked for, nearest to the beginning first."""
MOST_ROUNDS = 256
"""How often at most, where it must be replayed until something that it counts has left its range."""


@dataclass(frozen=True)
class Growth:
    """A round that returns to the same state except that `slots` are larger (by `step` each) or the stack is deeper
    (by `frames`)."""

    slots: tuple[int, ...]
    step: tuple[int, ...]
    frames: int

    def words(self, subject: Subject) -> Text:
        """What grows, in the book's words."""
        if self.frames:
            return Text(ja="効果の入れ子が深くなり続ける", en="effects nest ever deeper")
        fields = dict.fromkeys(field_of(subject, k) for k in self.slots)
        names = [subject.describer.words.of(f) for f in fields]
        return Text(
            ja="と".join(n.ja for n in names) + "が増え続ける",
            en=" and ".join(n.en for n in names) + (" keep growing" if len(names) > 1 else " keeps growing"),
        )


@dataclass
class Grown:
    """What was found behind the bounds: findings; whether growing loops explain all that was left; the slots that were let
    saturate; and what the loops look like apart from what grows (a loop of the plain graph that looks the same is one
    of them at a smaller value). `explained` are the slots that grow in some loop, `stack` says that the stack does."""

    findings: list[Finding]
    explains_all: bool
    slots: frozenset[int]
    looks: list[frozenset[State]]
    explained: frozenset[int] = frozenset()
    stack: bool = False

    def covers(self, states: Iterable[State]) -> bool:
        """Is the loop through these states one that was found to grow, seen at smaller values?"""
        mine = (apart(s, self.slots) for s in states) if self.looks else ()
        left = self.looks
        for state in mine:
            left = [look for look in left if state in look]
            if not left:
                break
        return bool(left)


def apart(state: State, slots: frozenset[int]) -> State:
    """The state with the slots blanked."""
    return state._replace(slots=tuple(0 if k in slots else v for k, v in enumerate(state.slots))) if slots else state


def growing_loops(
    subject: Subject, out: Exploration, limits: Limits, bounds: Bounds, again: Callable[[Subject], Exploration] | None = None,
) -> Grown:
    """Growing loops behind the bounds that were left. `again` explores a subject whose counters stay in their ranges."""
    grown = Grown([], False, frozenset(), [])
    if not len(out.bound_edges):
        return grown
    again = again or (lambda s: explore(s.engine, s.starts, limits, s.symmetry))
    findings: list[Finding] = []
    wide = out
    while more := all_like(subject, growable(subject, wide)) - grown.slots:
        grown.slots |= more
        engine = Interpreter(subject.program, subject.engine.policies, grown.slots, card_ids=subject.engine.card_ids)
        wide = again(replace(subject, engine=engine, starts=[engine.start(x) for x in subject.positions]))
    if grown.slots:
        findings += confirmed(subject, wide, wide.graph, bounds, grown)
    kinds = out.bound_edges.kinds()
    if any(name == "stack" for name, _ in kinds):
        findings += confirmed(subject, out, fold_stack(subject, out), bounds, grown)
    findings = told_apart(findings)
    grown.findings = [*findings, *disagreements(findings)]
    grown.explains_all = all(
        slot in grown.explained
        or (grown.stack and name == "stack")
        or all(grown.covers([out.states[out.bound_edges[k].source]]) for k in which)
        for (name, slot), which in kinds.items()
    )
    return grown


def growable(subject: Subject, out: Exploration) -> list[int]:
    """The counters in the state whose bounds were left."""
    layout = subject.program.layout
    left = {slot for _, slot in out.bound_edges.kinds() if slot >= 0}
    return [slot for slot in sorted(left) if layout.slots[slot].group not in layout.containers]


def field_of(subject: Subject, slot: int) -> str:
    """The field that a slot belongs to."""
    for m in subject.program.layout.containers.values():
        if any(c <= slot < c + m.capacity for c in m.columns):
            return m.name
    return subject.program.layout.slots[slot].name.split("[")[0].split(".")[-1]


def all_like(subject: Subject, slots: Iterable[int]) -> frozenset[int]:
    """The slots of the same field for the other cards and players too."""
    names = {subject.program.layout.slots[k].name.split("[")[0] for k in slots}
    return frozenset(k for k, s in enumerate(subject.program.layout.slots) if s.name.split("[")[0] in names)


def confirmed(
    subject: Subject,
    out: Exploration,
    graph: OwnedGraph,
    bounds: Bounds,
    grown: Grown,
) -> list[Finding]:
    """The loops of the completed graph that replay, as growing rounds or as plain ones; those that nobody can stop
    first, and none that is another one at a smaller value."""
    found: list[Finding] = []
    for loop in sorted(find_loops(graph), key=lambda x: list(Verdict).index(x.verdict)):
        if grown.covers(out.states[k] for k in loop.states):
            continue
        where = Exploration(out.states, graph, out.depth)
        stem, cycle = options_along(where, loop.stem), options_along(where, loop.cycle)
        start = 0
        if len(subject.starts) > 1 and stem:
            start, stem = stem[0][0], stem[1:]
        real = replayed(subject, start, stem, cycle)
        plain = subject.unroll(stem, cycle, start) if real is None else None
        for times in (2, 3, 4) if plain is None else ():
            real = real or replayed(subject, start, stem, [*cycle] * times)
        if real is not None:
            before, around, growth = real
            grown.explained |= all_like(subject, growth.slots)
            grown.stack = grown.stack or growth.frames > 0
            found.append(finding_of(subject, before, around, loop, bounds, start, growth.words(subject)))
        elif plain is not None:
            found.append(finding_of(subject, *first_time_round(subject, grown.slots, *plain), loop, bounds, start))
        else:
            continue
        if len(loop.states) <= MOST_ALIKE:  # else the same loop at smaller values is told as one of its own
            grown.looks.append(frozenset(apart(out.states[k], grown.slots) for k in loop.states))
    return found


def first_time_round(
    subject: Subject, slots: frozenset[int], before: Sequence[tuple[State, Option]], around: Sequence[tuple[State, Option]],
) -> tuple[Sequence[tuple[State, Option]], Sequence[tuple[State, Option]]]:
    """A round that comes back to the same state, begun at the first place on the way to it from which it does so: the slots that can
    grow besides may be smaller there. The first time it may still begin otherwise (what calls it is at another round of its own)."""
    looks = {standing(state, slots): k for k, (state, _) in reversed([*enumerate(around)])}
    for k, (begin, _) in enumerate(before):
        turn = looks.get(standing(begin, slots))
        if turn is None:
            continue
        options = [option for _, option in (*around[turn:], *around[:turn])]
        once = stepped(subject, begin, options)
        again = stepped(subject, once[1], options) if once is not None else None
        if once is not None and again is not None and again[1] == once[1]:
            return ((*before[:k], *once[0]), again[0]) if once[1] != begin else (before[:k], once[0])
    return before, around


def standing(state: State, slots: frozenset[int]) -> tuple[object, ...]:
    """Where play stands in the rules, and the state with the slots blanked."""
    return apart(state, slots).slots, tuple(frame[:2] for frame in state.frames)


def stepped(subject: Subject, state: State, options: Sequence[Option]) -> tuple[list[tuple[State, Option]], State] | None:
    """The steps of a play along these options, and where they lead; None where one is not offered."""
    steps: list[tuple[State, Option]] = []
    for option in options:
        at = subject.engine.point(state)
        if at is None or option not in at.options:
            return None
        steps.append((state, option))
        state = subject.engine.apply(state, option).state
    return steps, state


def replayed(
    subject: Subject,
    start: int,
    stem: Sequence[Option],
    cycle: Sequence[Option],
) -> tuple[list[tuple[State, Option]], list[tuple[State, Option]], Growth] | None:
    """Play the stem, then find the first place on it from which the round grows for `ROUNDS` rounds (or until the
    bound). None if there is none: the loop is not a growing one, or not one at all."""
    way = subject.follow(subject.starts[start].state, stem)
    for k in range(len(way)):
        state = way[k][0]
        for turn in range(len(cycle)):
            around = [*cycle[turn:], *cycle[:turn]]
            growth = grows(subject, state, around)
            if growth is not None:
                if not goes_on(subject, state, around, growth):
                    return None
                return list(way[:k]), subject.follow(state, around)[:-1], growth
    return None


def grows(subject: Subject, state: State, cycle: Sequence[Option]) -> Growth | None:
    """Does the round lead from the state to one that differs only by growth, again and again?"""
    first: Growth | None = None
    at = state
    for k in range(ROUNDS):
        after = try_round(subject.engine, at, cycle)
        if after is None or isinstance(after, End):
            return first if k >= 2 else None
        growth = difference(at, after)
        if growth is None or (first is not None and growth != first):
            return None
        first, at = growth, after
    return first


def goes_on(subject: Subject, state: State, cycle: Sequence[Option], growth: Growth) -> bool:
    """Does the round grow in the same way beyond the bound, if that is raised? (Another bound, met on the way, does not
    speak against it.)"""
    program, layout = subject.program, subject.program.layout
    slots, values, rounds, depth = list(layout.slots), list(state.slots), ROUNDS, program.stack_depth
    ranges = [slots[k].type for k in growth.slots]
    room = min(
        ((of.hi - values[k]) // x for k, x, of in zip(growth.slots, growth.step, ranges, strict=True)), default=0
    )
    for k, x, of in zip(growth.slots, growth.step, ranges, strict=True):
        if not isinstance(of, t.Int):
            return False
        values[k] += 0 if growth.frames else x * room
        slots[k] = replace(slots[k], type=t.Int(of.lo, of.hi + x * (room + 2 * ROUNDS)))
    if growth.frames:  # no state on a deeper stack is at hand: play all the way, past the ends of the ranges too
        rounds += max(depth // growth.frames, room)
        depth += growth.frames * (rounds + 1)
    if rounds > MOST_ROUNDS:
        return False
    raised = replace(program, layout=replace(layout, slots=tuple(slots)), stack_depth=depth)
    engine = Interpreter(raised, subject.engine.policies, card_ids=subject.engine.card_ids)
    at = state._replace(slots=tuple(values))
    for _ in range(rounds):
        after = try_round(engine, at, cycle)
        if isinstance(after, End):
            return after.kind == "bound"
        if after is None or difference(at, after) != growth:
            return False
        at = after
    return True


def try_round(engine: Interpreter, state: State, cycle: Sequence[Option]) -> State | End | None:
    """Where the options lead; None if one is not offered, the end if play ends or leaves a bound."""
    for o in cycle:
        at = engine.point(state)
        if at is None:
            return None
        if o not in at.options:
            if len(at.options) != 1:
                return None
            o = at.options[0]
        state = engine.apply(state, o).state
        if state.end is not None:
            return state.end
    return state


def difference(a: State, b: State) -> Growth | None:
    """How b is a after growing; None if they are equal or differ otherwise."""
    slots = tuple(k for k, (x, y) in enumerate(zip(a.slots, b.slots, strict=True)) if x != y)
    step = tuple(b.slots[k] - a.slots[k] for k in slots)
    if a.frames == b.frames:
        return Growth(slots, step, 0) if slots and all(x > 0 for x in step) else None
    deeper = len(b.frames) - len(a.frames)
    if deeper > 0 and all(x > 0 for x in step) and a.frames == b.frames[: len(a.frames) - 1] + b.frames[-1:]:
        return Growth(slots, step, deeper)
    return None


def fold_stack(subject: Subject, out: Exploration) -> OwnedGraph:
    """The graph in which a call that did not fit onto the stack leads where the same call led from a state with the
    same slots (or else, smaller ones) and the same top frame, but fewer frames below: the deepest such state that play
    can have nested on, so that the round is as short as it can be and fits onto the stack several times."""
    graph, states, edges = out.graph, out.states, out.graph.edges
    target = edges.target.copy()
    beyond = np.flatnonzero(target == BOUND).tolist()[:MOST_FOLDED]
    sources = [edges.source(e) for e in beyond]
    tops = {states[k].frames[-1] for k in sources if states[k].frames}
    by_top: dict[tuple[int, ...], list[int]] = {}
    code = out.surveyed(subject.engine).places.code
    alike = np.flatnonzero(np.isin(code, code[sources]) & (code >= 0)) if sources else np.zeros(0, np.int64)
    for k in alike[:MOST_ALIKE].tolist():
        if states[k].frames[-1] in tops:
            by_top.setdefault(states[k].frames[-1], []).append(k)
    for e, source in zip(beyond, sources, strict=True):
        s = states[source]
        below = [k for k in by_top.get(s.frames[-1] if s.frames else (), []) if len(states[k].frames) < len(s.frames)]
        like = [k for k in below if states[k].slots == s.slots] or [
            k for k in below if all(x <= y for x, y in zip(states[k].slots, s.slots, strict=True))
        ]
        if like:
            near = min(like, key=lambda k: (not beneath(states[k], s), -len(states[k].frames), k))
            to = [int(edges.target[x]) for x in graph.out_edges(near) if graph.label[x] == graph.label[e]]
            if to and to[0] >= 0:
                target[e] = to[0]
    return OwnedGraph.from_arrays(graph.owner, edges.first, target, edges.crossing, graph.label)


def beneath(low: State, high: State) -> bool:
    """Are the frames below the top one of the first the lowest of the second?"""
    n = len(low.frames) - 1
    return low.frames[:n] == high.frames[:n]
