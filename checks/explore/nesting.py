"""Calls that nest deeper than the stack: play goes on as it does from a state with the same slots and the same top frame.

What is done depends on the slots and the top frame only, until that frame returns (as in a pushdown system: Bouajjani, Esparza and Maler,
Reachability analysis of pushdown automata, 1997). So a call that did not fit leads where the same call led from such a state with fewer frames
below, as long as play does not return below that frame; what follows where it does is not known. Nothing in a program can ask how deep the
stack is, and its depth ends play only by being exceeded.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...model.engine.extrapolation import Field, field_of, is_counter
from ...model.engine.state import End, Option, State
from ...model.ir.program import Program
from ...model.ir.types import Role
from .explorer import BoundEdge, Exploration, Listed, name_of
from .owned_graph import BOUND, FRONTIER, OwnedGraph
from .subject import Subject

MOST_STATES = 60_000
"""States among which such places are looked for, and what stands for deeper ones, at most."""


@dataclass
class Anchored:
    """The calls that did not fit (state and option), each with the state from which it leads further: the one with the fewest frames.
    `rising`: the counters that are larger where there is none but for them."""

    at: dict[tuple[int, Option], int] = field(default_factory=dict[tuple[int, Option], int])
    rising: frozenset[Field] = frozenset()


def anchored(subject: Subject, out: Exploration) -> Anchored:
    """What stands for the states whose calls did not fit."""
    found = Anchored()
    calls = [b for b in out.bound_edges if name_of(b.end) == "stack" and out.states[b.source].frames]
    if not calls or len(out.states) > MOST_STATES:
        return found
    tops = {out.states[b.source].frames[-1][:2] for b in calls}
    exact: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    alike: dict[tuple[int, ...], list[int]] = {}
    for k, state in enumerate(out.states):
        if state.frames and state.end is None and state.frames[-1][:2] in tops:
            key = state.slots, state.frames[-1]
            if key not in exact or len(state.frames) < len(out.states[exact[key]].frames):
                exact[key] = k
            alike.setdefault(state.frames[-1][:2], []).append(k)
    for b in calls:
        state = out.states[b.source]
        there = exact[state.slots, state.frames[-1]]
        if len(out.states[there].frames) < len(state.frames) and successor(out, there, b.option) is not None:
            found.at[b.source, b.option] = there
        elif not found.rising:
            near = [k for k in alike[state.frames[-1][:2]] if len(out.states[k].frames) < len(state.frames)]
            ways = (rising(subject, out.states[k], state) for k in near)
            found.rising = next((way for way in ways if way), frozenset())
    return found


def rising(subject: Subject, low: State, high: State) -> frozenset[Field]:
    """The counters that are larger in a state; none if it differs otherwise, too."""
    program, out = subject.program, set[Field]()
    fn = list(program.functions.values())[low.frames[-1][0]]
    cells = [
        (x, y, program.layout.slots[k].type, field_of(program, k))
        for k, (x, y) in enumerate(zip(low.slots, high.slots, strict=True))
        if x != y
    ]
    for k, (x, y) in enumerate(zip(low.frames[-1], high.frames[-1], strict=True)):
        if x != y:
            cells.append((x, y, fn.locals[k - 2].type, (fn.name, k - 2)))  # pyright: ignore[reportArgumentType]
    for x, y, of, name in cells:
        if not is_counter(of) or y < x:
            return frozenset()
        out.add(name)
    return frozenset(out)


def successor(out: Exploration, k: int, option: Option) -> int | None:
    """Where an option leads, if that is known."""
    return next(
        (
            to
            for e in out.graph.out_edges(k)
            if out.graph.label[e] == option and (to := int(out.graph.target[e])) != BOUND
        ),
        None,
    )


def nested(subject: Subject, out: Exploration) -> Exploration:
    """The space with what stands for deeper calls: copies of states, in which a return below where they begin is not known."""
    anchors = anchored(subject, out).at
    if not anchors:
        return out
    return Nesting(subject.program, out, anchors).done()


def what_is_held(role: Role, value: int) -> int:
    """A value, as far as equal cards do not matter: how many cards, or whether there is one."""
    return value if role is Role.PLAIN else value.bit_count() if role is Role.CARDS else int(value >= 0)


class Nesting:
    """The space while copies are added. A copy is of a state, as it is reached above an anchor."""

    def __init__(self, program: Program, out: Exploration, anchors: dict[tuple[int, Option], int]) -> None:
        self.functions = list(program.functions.values())
        self.out, self.anchors = out, anchors
        self.copies: dict[tuple[int, int], int] = {}
        self.todo: list[tuple[int, int]] = []
        self.bounds = {(b.source, b.option): b for b in out.bound_edges}
        self.beyond = Listed()

    def done(self) -> Exploration:
        out, graph = self.out, OwnedGraph()
        for owner in out.graph.owner.tolist():
            k = graph.add_state()
            if owner != FRONTIER:
                graph.expand(k, owner)
        self.graph = graph
        for k in range(len(out.states)):
            self.edges_of(k, k, None)
        for anchor, k in self.todo:
            owner = int(out.graph.owner[k])
            if owner != FRONTIER:
                graph.expand(self.copies[anchor, k], owner)
                self.edges_of(self.copies[anchor, k], k, anchor)
        more = [k for _, k in self.todo]
        return replace(
            out,
            states=[*out.states, *(out.states[k] for k in more)],
            graph=graph,
            depth=[*out.depth, *(out.depth[k] for k in more)],
            turns=[*out.turns, *(out.turns[k] for k in more)],
            bound_edges=self.beyond,
            survey=None,
        )

    def edges_of(self, mine: int, k: int, anchor: int | None) -> None:
        """The edges of a state, or of its copy above an anchor."""
        out = self.out
        for e in out.graph.out_edges(k):
            to, label, crossing = int(out.graph.target[e]), out.graph.label[e], int(out.graph.crossing[e])
            option: Option = label  # pyright: ignore[reportAssignmentType]
            deeper = self.anchors.get((k, option)) if to == BOUND else None
            if deeper is not None:
                there = successor(out, deeper, option)
                assert there is not None
                to = self.copy(deeper, there)
            elif to == BOUND:
                self.beyond.append(replace(self.bounds[k, option], source=mine))
            elif anchor is not None:
                state = out.states[to]
                if state.end is None and self.below(state, anchor) != self.below(out.states[anchor], anchor):
                    self.beyond.append(
                        BoundEdge(mine, option, state._replace(end=End("bound", detail="stack")), crossing)
                    )
                    to = BOUND
                elif state.end is None:
                    to = self.copy(anchor, to)
            self.graph.add_edge(mine, to, label, crossing)

    def below(self, state: State, anchor: int) -> list[tuple[object, ...]]:
        """What lies below the top frame of the anchor, as far as equal cards do not matter. It is the same only if play did not return below: to
        come back to the same place of a rule it would have gone round a loop, and there is a label, or one card fewer to go through."""
        return [(*f[:2], *(what_is_held(self.functions[f[0]].locals[k].type.role, x) for k, x in enumerate(f[2:])))
                for f in state.frames[:len(self.out.states[anchor].frames) - 1]]

    def copy(self, anchor: int, k: int) -> int:
        """The copy of a state above an anchor."""
        if (anchor, k) not in self.copies:
            self.copies[anchor, k] = self.graph.add_state()
            self.todo.append((anchor, k))
        return self.copies[anchor, k]
