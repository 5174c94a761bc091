"""All ways round a loop: from its head, through all that it calls, back to it.

Loops within are places of their own (`Place`): nothing is known of what their rounds write where one begins, and the rest is as it was
when play first came there. Where play comes to one of them from several places, nothing is known.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import networkx as nx
import z3

from ...model.ir import nodes as ir
from ...model.ir.flow import call_graph, closure, may_set, predecessors
from ...model.ir.program import Function, Program
from ..smt import truths as t
from ..smt.representatives import FewOfMany
from ..smt.sorts import CardsNext, marked
from ..smt.states import Sym
from ..smt.symbolic import Symbolic
from ..smt.transitions import Places
from ..smt.truths import Truth
from .counting import Budget, Counting, TooMuch, with_sizes

TEXTS = ("text ", "cost ")
"""How the functions are called that carry out what cards say."""


@dataclass(eq=False)
class Node:
    """Frames (function and place in its code) at which a way begins and ends, and the state there. `source`: the way on which play came there
    first, if more is known than where play stands."""

    number: int
    places: Places
    state: Sym
    source: Edge | None = None

    def above(self) -> list[Edge]:
        """The ways on which play came here from where nothing was known."""
        return [] if self.source is None else [*self.source.origin.above(), self.source]


@dataclass(eq=False)
class Edge:
    """A way from one place to another: under which condition (all since nothing was known), and the state at its end. `facts` and `done`: how much
    was known, and carried out, by then."""

    origin: Node
    to: Node
    when: Truth
    state: Sym
    facts: int
    done: int


class Ways(FewOfMany):
    """The ways of one loop, or of one group of rules that call each other. `entered`: all rules that are called are carried out, but those that
    call themselves; else only those that write nothing to the state."""

    def __init__(self, program: Program, budget: Budget, group: Iterable[str] = (), entered: bool = True) -> None:
        whole, recursive = with_sizes(marked(program)), frozenset(x for group in groups(program) for x in group)
        self.counting = Counting(whole, budget, recursive, frozenset(group))
        if not entered:
            touched = self.counting.footprints.of_function
            self.counting.closed = recursive | {
                name for name, fn in program.functions.items() if fn.kind != "define" and touched(name)[1]
            }
        Symbolic.__init__(self, whole, self.counting)
        self.counting.keeps_parameters = bool(program.decreases)
        self.nodes: dict[Places, Node] = {}
        self.edges: list[Edge] = []

    def fresh(self, places: Places) -> Sym:
        """A state at a place of which nothing is known."""
        s = self._begin(self.fresh_state(places=places, parameters=True), True)
        s.slots[self.counting.taken_slot] = 0
        self.counting.fitting_sizes(s)
        return s

    def node(self, places: Places, state: Sym) -> Node:
        self.nodes[places] = Node(len(self.nodes), places, state)
        return self.nodes[places]

    def round_of(self, function: str, pc: int) -> Node:
        """All ways from the head of a loop back to it."""
        head = self.node(((function, pc),), self.fresh(((function, pc),)))
        self.counting.region = loop_region(self.program.functions[function], pc)
        self.follow(head)
        return head

    def calls_of(self, group: Iterable[str]) -> list[Node]:
        """All ways from where a rule of a group begins to where one of the group is called."""
        heads = [self.node(((name, 0),), self.fresh(((name, 0),))) for name in sorted(group)]
        for head in heads:
            self.follow(head)
        return heads

    def follow(self, first: Node) -> None:
        """The ways from a place, and from all places within that they come to."""
        todo = [first]
        while todo:
            node = todo.pop()
            for e in [e for e in self.edges if e.origin is node]:
                self.edges.remove(e)
            for places, s in self.from_(node):
                new = places not in self.nodes
                to = self.nodes.get(places) or self.node(places, s)
                edge = Edge(node, to, s.path.term, s, len(self.counting.sides), len(self.counting.done))
                self.edges.append(edge)
                if new or (to.source is not None and to.source.origin is node):
                    to.state, to.source = self.loosened(s), edge
                    todo.append(to)
                elif to.source is not None and to is not node and all(e.origin is not to for e in node.above()):
                    to.state, to.source = self.fresh(places), None
                    todo.append(to)

    def from_(self, node: Node) -> list[tuple[Places, Sym]]:
        """Where play comes to from a place."""
        m = self.counting
        m.calls = []
        is_loop = isinstance(self.program.functions[node.places[-1][0]].code[node.places[-1][1]], ir.Label | ir.Next)
        found = m.run(node.state.fork(), None, is_loop)
        out = [(tuple((f.fn.name, f.pc) for f in s.frames), s) for s in found]
        for places, _ in out:
            fn, pc = self.program.functions[places[-1][0]], places[-1][1]
            if not isinstance(fn.code[pc], ir.Label | ir.Next):
                name = type(fn.code[pc]).__name__
                raise TooMuch(f"{name} の先は追わない", f"{name} is not followed")
        return [*out, *((((name, 0),), s) for name, s in m.calls)]

    def carried_out(self, edge: Edge, model: z3.ModelRef) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The clauses and texts that are carried out on a way, by its values."""
        done = [
            d for d in self.counting.done[: edge.done] if z3.is_true(model.eval(t.term(d.when), model_completion=True))
        ]
        return (
            tuple(dict.fromkeys(c for d in done for c in d.mark.clauses)),
            tuple(dict.fromkeys(d.function for d in done if d.function.startswith(TEXTS))),
        )

    def loosened(self, s: Sym) -> Sym:
        """A state at the head of a loop of which nothing is known that its rounds may change, nor those of loops around it that are carried out
        round by round: after these play comes to the same head."""
        out, m = s.fork(), self.counting
        rounds = [
            (
                f,
                [
                    f.fn.code[k]
                    for k in sorted(
                        rounds_around(f.fn, f.pc) | (loop_region(f.fn, f.pc) if f is out.frames[-1] else frozenset())
                    )
                ],
            )
            for f in out.frames
        ]
        m.forget(out, m.written(i for _, code in rounds for i in code))
        out.set(m.taken_slot, m.given(m.layout.slots[m.taken_slot].type))
        for frame, code in rounds:
            for x in sorted({x for i in code for x in may_set(i)}):
                frame.locals[x] = m.given(frame.fn.locals[x].type)
        return out


def groups(program: Program) -> Iterator[frozenset[str]]:
    """The rules that call each other, or themselves."""
    calls = call_graph(program)
    yield from (
        frozenset(c)
        for c in nx.strongly_connected_components(calls)
        if len(c) > 1 or any(calls.has_edge(x, x) for x in c)
    )


def loop_region(fn: Function, head: int) -> frozenset[int]:
    """The places from which play comes back to the head, the head included."""
    before = predecessors(fn)

    def back(pc: int) -> list[int]:
        return [x for x in before.get(pc, ()) if pc != head or x >= head]

    return frozenset(closure([head], back))


def rounds_around(fn: Function, pc: int) -> frozenset[int]:
    """The places of all loops over a set's members that a place is in."""
    heads = (k for k, i in enumerate(fn.code) if isinstance(i, ir.Next) and not isinstance(i, CardsNext) and k != pc)
    return frozenset(x for region in (loop_region(fn, k) for k in heads) if pc in region for x in region)
