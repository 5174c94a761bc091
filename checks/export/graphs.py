"""The graph of a scenario's positions, or the part of it in which a loop runs, as DOT or GraphML.

A graph of many positions is folded: first each run of positions in which nobody chooses becomes one, then positions of the
same decider at the same place of the same rule do. A folded graph says so, and goes round wherever the whole one does.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import networkx as nx

from ...model.engine.state import State
from ...spec.diagnostics import visible
from ...spec.text import Lang, Text
from ..explore.explorer import Exploration
from ..explore.owned_graph import FRONTIER, NOBODY
from ..explore.subject import Subject

NOBODY_CHOOSES = Text("―", "-")
FOLDED = {
    "": Text("{shown}局面", "{shown} positions"),
    "runs": Text("{total}局面を、選択のない続きをまとめて {shown} に", "{total} positions, runs without a choice drawn together to {shown}"),
    "rules": Text("{total}局面を、同じ規則の同じ箇所ごとにまとめて {shown} に", "{total} positions, drawn together by rule to {shown}"),
}
UNSEEN_OF = Text("（{unseen}局面は、その先のすべてを見てはいない）", " (of {unseen}, not all that follows was looked at)")
UNSEEN = Text("（その先のすべては見ていない）", "(not all that follows was looked at)")


@dataclass
class Node:
    """A position, or several drawn as one: how many, of how many a limit or bound left unseen what follows, who chooses there, how play ended,
    and what stands in it."""

    count: int = 0
    unseen: int = 0
    decider: str = ""
    place: str = ""
    end: str = ""
    first: bool = False
    position: str = ""


@dataclass
class Graph:
    """What is drawn: nodes by number, edges with the words of what was chosen, and how it was folded."""

    title: str
    lang: Lang
    nodes: dict[int, Node] = field(default_factory=dict[int, Node])
    edges: dict[tuple[int, int], list[str]] = field(default_factory=dict[tuple[int, int], list[str]])
    fold: str = ""


def graph_of(subject: Subject, out: Exploration, lang: Lang, most: int, only: Sequence[State] = ()) -> Graph:
    """The graph of an exploration, of at most about `most` nodes; `only` limits it to the part that one can go round in
    with these states."""
    kept = component(out, only) if only else list(range(len(out.states)))
    inside = set(kept)
    draw = Drawing(subject, out, lang)
    fold: Mapping[int, int] = {k: k for k in kept}
    how = ""
    if len(kept) > most:
        fold, how = runs(out, kept), "runs"
    if len(set(fold.values())) > most:
        fold, how = by_rule(out, kept), "rules"
    shown = len(set(fold.values()))
    graph = Graph(f"{subject.book}/{subject.scenario}: "
                  f"{FOLDED[how].in_(lang).format(total=f'{len(kept):,}', shown=f'{shown:,}')}", lang, fold=how)
    left = {b.source for b in out.bound_edges}
    for k in kept:
        node = graph.nodes.setdefault(fold[k], Node())
        node.unseen += k in left or int(out.graph.owner[k]) == FRONTIER
        draw.into(node, k, alone=not how)
        for e in out.graph.out_edges(k):
            to = int(out.graph.target[e])
            if to in inside and (how == "rules" or fold[to] == to):  # else a step within a run
                words = graph.edges.setdefault((fold[k], fold[to]), [])
                said = draw.edge(k, e)
                if said and said not in words:
                    words.append(said)
    if unseen := sum(node.unseen for node in graph.nodes.values()):
        graph.title += UNSEEN_OF.in_(lang).format(unseen=f"{unseen:,}")
    return graph


def component(out: Exploration, states: Sequence[State]) -> list[int]:
    """The positions that one can come to from these and come back from."""
    number = {state: k for k, state in enumerate(out.states)}
    wanted = {number[state] for state in states if state in number}
    whole: nx.DiGraph[int] = nx.DiGraph()
    for k in range(len(out.states)):
        whole.add_edges_from((k, int(out.graph.target[e])) for e in out.graph.out_edges(k) if out.graph.target[e] >= 0)
    parts = [part for part in nx.strongly_connected_components(whole) if part & wanted]
    return sorted(set[int]().union(*parts))


def runs(out: Exploration, kept: Sequence[int]) -> dict[int, int]:
    """Each position with the first of the run in which nobody chooses that it lies in; ends and choices stand alone."""
    after = {k: [int(out.graph.target[e]) for e in out.graph.out_edges(k)] for k in kept}
    forced = {k for k in kept if int(out.graph.owner[k]) == NOBODY and len(after[k]) == 1}
    before = Counter(to for targets in after.values() for to in targets)
    single = {
        after[k][0]: k
        for k in sorted(forced)
        if after[k][0] in forced and before[after[k][0]] == 1 and after[k][0] != kept[0]
    }
    fold: dict[int, int] = {}
    for k in kept:
        first, way = k, {k}
        while first not in fold and single.get(first, first) not in way:  # nobody may choose all the way round
            first = single[first]
            way.add(first)
        fold.update(dict.fromkeys(way, fold.get(first, first)))
    return fold


def by_rule(out: Exploration, kept: Sequence[int]) -> dict[int, int]:
    """Each position with the first one of the same decider at the same place of the same rule (or that ended in the same way)."""
    first: dict[object, int] = {}
    fold: dict[int, int] = {}
    for k in kept:
        state = out.states[k]
        place = state.end if state.end is not None else tuple(state.frames[-1][:2]) if state.frames else None
        fold[k] = first.setdefault((place, int(out.graph.owner[k])), k)
    return fold


class Drawing:
    """Words for positions and edges."""

    def __init__(self, subject: Subject, out: Exploration, lang: Lang) -> None:
        self.subject, self.out = subject, out
        self.lang: Lang = lang

    def into(self, node: Node, k: int, alone: bool) -> None:
        """Add position k to a node."""
        d = self.subject.describer
        state = self.out.states[k]
        node.count += 1
        node.first = node.first or k == 0
        if node.count > 1 or not state.slots:
            return
        if state.end is not None:
            node.end = d.ending(state.end).in_(self.lang)
        else:
            at = self.subject.engine.point(state)
            who = None if at is None else d.decider(at, state)
            node.decider = (who or NOBODY_CHOOSES).in_(self.lang)
            functions = list(self.subject.program.functions.values())
            node.place = d.words.of(functions[state.frames[-1][0]].rule).in_(self.lang)
        if alone:
            node.position = d.position(state).in_(self.lang)

    def edge(self, k: int, edge: int) -> str:
        """What is chosen on an edge; nothing where nobody chooses."""
        at = self.subject.engine.point(self.out.states[k]) if self.out.states[k].slots else None
        label = self.out.graph.label[edge]
        if at is None or not isinstance(label, tuple) or len(at.options) < 2:
            return ""
        return self.subject.describer.option(at, label).in_(self.lang)


# ---------------------------------------------------------------- formats
MOST_WORDS = 3
"""Words of edges drawn as one, at most; more are counted."""


def label_of(node: Node, lang: Lang) -> str:
    """What is written in a node."""
    lines = [
        node.end or node.decider,
        node.place,
        f"×{node.count}" if node.count > 1 else "",
        UNSEEN.in_(lang) if node.unseen else "",
    ]
    return "\n".join(line for line in lines if line)


def words_of(words: Sequence[str]) -> str:
    """What is written on an edge."""
    more = f"\n… +{len(words) - MOST_WORDS}" if len(words) > MOST_WORDS else ""
    return "\n".join(words[:MOST_WORDS]) + more


def as_dot(graph: Graph) -> str:
    """For Graphviz."""
    lines = ["digraph rulewright {", f"  label={quoted(graph.title)}; labelloc=t; node [shape=box]; rankdir=LR;"]
    for k, node in graph.nodes.items():
        shape = ", shape=doubleoctagon" if node.end else ", style=bold" if node.first else ""
        tip = f", tooltip={quoted(node.position)}" if node.position else ""
        lines.append(f"  n{k} [label={quoted(label_of(node, graph.lang))}{shape}{tip}];")
    lines += [f"  n{a} -> n{b} [label={quoted(words_of(words))}];" for (a, b), words in graph.edges.items()]
    return "\n".join([*lines, "}"]) + "\n"


def quoted(text: str) -> str:
    """A string of DOT."""
    return '"' + visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def as_graphml(graph: Graph) -> str:
    """For yEd, Gephi and libraries."""
    out: nx.DiGraph[str] = nx.DiGraph(title=visible(graph.title), fold=graph.fold)
    for k, node in graph.nodes.items():
        out.add_node(
            f"n{k}",
            label=visible(label_of(node, graph.lang)),
            count=node.count,
            unseen=node.unseen,
            decider=visible(node.decider),
            rule=visible(node.place),
            end=visible(node.end),
            first=node.first,
            position=visible(node.position),
        )
    for (a, b), words in graph.edges.items():
        out.add_edge(f"n{a}", f"n{b}", label=visible(words_of(words)))
    return "\n".join(nx.generate_graphml(out)) + "\n"
