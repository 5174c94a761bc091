"""Orders: does it matter which of several waiting things is taken first?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...model.engine.state import Option, Point, State
from ...model.ir import nodes as ir
from ...spec.text import Text
from ..findings.record import Bounds, Examined, Finding, FindingClass
from .explorer import Exploration, play_to
from .other_findings import build
from .outcomes import ordering_at, outcomes_of, stake_among
from .subject import Subject
from .way_kernels import first_differing

ORDER_WORK = 1_000_000_000
"""States looked at to compare orders. Where that is not enough, how many were compared is said."""
SOME = 1 << 18
"""Places whose waiting things are looked at together."""


def order_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """Where several things wait: does it matter which is taken first?

    For each first option the states at the resolver's return (with ends, loops and what is unexplored) are compared;
    all equal: nothing to report. Orders that somebody decides are hints; one that the rules give to nobody is not.
    Places where the same things wait are one finding.
    """
    places, edges = out.surveyed(subject.engine).places, out.graph.edges
    asked = places.standing([ordering_at(subject, *place) is not None for place in places.at])
    group = waiting_alike(subject, out, asked)
    found = np.full(int(group.max(initial=-1)) + 1, -1, np.int64)
    compared = 0
    if asked.size:
        seen = np.zeros(len(out.states), np.int32)
        compared = int(first_differing(asked, group, found, places.join, places.code < 0, places.depth, edges.first,
                                       edges.target, seen, ORDER_WORK))
    findings = (order_finding(subject, out, bounds, k) for k in sorted(k for k in found.tolist() if k >= 0))
    distinct = {f.id: f for f in findings}
    what = Text(ja="処理の順番を選ぶ場面", en="places where an order is chosen")
    if compared < len(asked):
        what = Text(ja=f"{what.ja}（全{len(asked)}か所のうち。残りは手間がかかりすぎるため比べていません）",
                    en=f"{what.en} (of {len(asked)}; to compare the others takes too long)")
    return list(distinct.values()), Examined(what, compared)


def waiting_alike(subject: Subject, out: Exploration, asked: np.ndarray) -> np.ndarray:
    """The group of each place: in one group the same choice is made, and the same things wait."""
    survey = out.surveyed(subject.engine)
    waiting = [c for c in subject.program.layout.containers.values() if not c.is_pool and c.columns]
    slots = [x for c in waiting for x in (c.head, *range(c.columns[0], c.columns[0] + c.capacity))]
    numbers: dict[tuple[object, ...], int] = {}
    group = np.empty(len(asked), np.int64)
    for begin in range(0, len(asked), SOME):
        some = asked[begin:begin + SOME]
        rows = np.column_stack([survey.places.code[some], survey.columns(some, slots)])
        for k, row in enumerate(rows.tolist()):
            key: list[object] = [survey.places.at[row[0]]]
            x = 1
            for c in waiting:
                key += row[x + 1:x + 1 + row[x]]
                x += 1 + c.capacity
            group[begin + k] = numbers.setdefault(tuple(key), len(numbers))
    return group


def order_finding(subject: Subject, out: Exploration, bounds: Bounds, k: int) -> Finding:
    """The finding that it matters what comes first in state k."""
    state = out.states[k]
    instr = ordering_at(subject, state.frames[-1][0], state.frames[-1][1])
    assert instr is not None
    join = int(out.surveyed(subject.engine).places.join[k])
    results = [frozenset(returns(subject, out, to, join)) for to in out.graph.targets(k)]
    at = subject.engine.point(state)
    assert at is not None
    said = told_order(subject, instr, at, state, at.options)
    return build(
        subject,
        FindingClass.ORDER,
        said.title,
        said.summary,
        said.clauses,
        play_to(out, k),
        out,
        bounds,
        said.question,
        hint=said.question is None,
        outcomes=outcomes_of(subject, out, k, results),
        stake=stake_among(subject, out, out.graph.targets(k)),
    )


@dataclass(frozen=True)
class ToldOrder:
    """What a finding says of an order that matters; a question only where nobody is named who decides it."""

    title: Text
    summary: Text
    clauses: tuple[str, ...]
    question: Text | None


def told_order(subject: Subject, instr: ir.Choose, at: Point, state: State, options: Sequence[Option]) -> ToldOrder:
    """The order in words: what is chosen at this place, and which of the options can come first."""
    d = subject.describer
    who = d.decider(at, state) or Text(ja="", en="")
    nobody = isinstance(instr.owner, ir.ByNobody)
    clauses = tuple(dict.fromkeys((at.clause, *instr.at.clauses))) if nobody and at.clause else instr.at.clauses
    order = order_words(subject, instr)
    question = Text(ja=f"{order.ja}は、誰が決めますか。", en=f"Who decides {order.en}?") if nobody else None
    title = Text(
        ja=f"{order.ja}で結果が変わる（決める人: {who.ja}）",
        en=f"{order.en} matters (who decides: {who.en})",
    )
    texts = d.taken_apart(state, at)
    first = [texts[at.options.index(o)] for o in options]
    summary = Text(
        ja="先に処理するもの: "
        + "／".join(x.ja for x in first)
        + "。どれから始めるかで、処理が終わった時の状態が違います。",
        en="What can come first: " + " / ".join(x.en for x in first) + ". What the position is afterwards depends on it.",
    )
    return ToldOrder(title, summary, clauses, question)


def returns(subject: Subject, out: Exploration, start: int, depth: int) -> Iterable[object]:
    """States first reached with at most `depth` frames, ends, what is not known beyond, and whether play can go round
    for ever before."""
    places = out.surveyed(subject.engine).places
    seen: set[int] = set()
    inside: dict[int, list[int]] = {}
    todo = [start]
    while todo:
        k = todo.pop()
        if k < 0:
            yield "bound"
            continue
        if k in seen:
            continue
        seen.add(k)
        if places.code[k] < 0 or places.depth[k] <= depth:
            yield k
            continue
        targets = inside[k] = out.graph.targets(k)
        if not targets:
            yield "unexplored"
        todo += targets
    if goes_round(inside):
        yield "loop"


def order_words(subject: Subject, instr: ir.Choose) -> Text:
    """What the order is called: by the book's word for `order of …` (what holds what waits), if it has one."""
    words = subject.describer.words.words
    for c in subject.program.layout.containers.values():
        if c.type == instr.type and not c.is_pool and f"order of {c.name}" in words:
            return words[f"order of {c.name}"]
    return Text(ja="待機中の能力を処理する順", en="the order in which waiting abilities are played")


def goes_round(graph: Mapping[int, Sequence[int]]) -> bool:
    """Is there a cycle?"""
    left = dict.fromkeys(graph, 0)
    for targets in graph.values():
        for k in targets:
            if k in left:
                left[k] += 1
    todo = [k for k, n in left.items() if not n]
    gone = 0
    while todo:
        gone += 1
        for k in graph[todo.pop()]:
            if k in left:
                left[k] -= 1
                if not left[k]:
                    todo.append(k)
    return gone < len(graph)
