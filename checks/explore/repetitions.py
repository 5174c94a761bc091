"""Repetitions of which it is not shown that they are endless: a round that is the same many times, but for counters, and may then end."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...model.engine.state import Option, State
from ...spec.text import Text
from ..findings.identity import finding_id
from ..findings.record import Bounds, Finding, FindingClass, Play
from . import loops as graph_loops
from .growth import Turn, once_round, real_round
from .loop_findings import finding_of, lasso_along, signature
from .saturate import Saturation
from .subject import Walk

LEAST_ROUNDS = 8
"""Fewer rounds than this are not told."""
MOST_ROUNDS = 200
"""So many rounds are carried out at most."""


def repetitions(beyond: Saturation, bounds: Bounds) -> list[Finding]:
    """The loops that there would be if large values were all alike, as far as that is not shown and the rounds are seen to repeat."""
    if not beyond.doubts:
        return []
    subject, out = beyond.subject, beyond.whole
    loops = [x for x in graph_loops.find_loops(out.graph) if any(k in beyond.doubts for k in x.states)]
    found: list[Finding] = []
    for loop in graph_loops.group(loops, lambda x: signature(subject, out, x.states)):
        start, stem, cycle, into = lasso_along(subject, out, loop)
        walk = Walk(subject, subject.starts[start].state)
        way = walk.along(stem, into)
        cycle = real_round(walk, cycle, into[len(stem):])
        for k, (state, _) in enumerate(way):
            times, turn = repeated(beyond, state, cycle)
            if turn is not None and times >= LEAST_ROUNDS:
                growing = turn.growth.words(subject)
                found.append(told(finding_of(subject, way[:k], turn.way, loop, bounds, start, growing), times, growing))
                break
    return found


def repeated(beyond: Saturation, state: State, cycle: Sequence[Option]) -> tuple[int, Turn | None]:
    """How often the round is carried out by the same steps, so that only counters differ, always by the same; and the first of these rounds."""
    first: Turn | None = None
    for times in range(MOST_ROUNDS):
        turn = once_round(beyond.subject, state, cycle)
        if turn is None or (first is not None and not turn.like(first)):
            return times, first
        first, state = first or turn, turn.after
    return MOST_ROUNDS, first


def told(loop: Finding, times: int, growing: Text) -> Finding:
    """A loop, told as what it is known to be. How often it was carried out is no part of what it is."""
    assert loop.scope is not None
    place = loop.scope
    title = Text(ja=f"{place.ja}で同じ手順が何度も続き、{growing.ja}（終わらないかどうかは示されていない）",
                 en=f"In {place.en} the same steps repeat many times and {growing.en} (whether that ends is not shown)")
    summary = Text(
        ja=f"同じ手順が少なくとも{times}回続き、そのたびに{growing.ja.removesuffix('る')}ます。大きな値で規則が違う働きをしないことは示せなかったので、その先は分かりません。",
        en=f"The same steps repeat at least {times} times, and each time {growing.en}. It could not be shown that the rules treat larger values alike, "
        "so what comes then is not known.")
    end = Text(ja=f"ここまでと同じ手順が、少なくとも{times}回続く", en=f"the same steps follow at least {times} times")
    return replace(
        loop,
        id=finding_id(loop.book, FindingClass.REPEATS, loop.clauses, None, title),
        cls=FindingClass.REPEATS,
        title=title,
        summary=summary,
        play=Play((*loop.play.stem, *loop.play.cycle), (), end),
        hint=True,
        growing=False,
        keepers=None,
        stopper=None,
        clause_verdicts=(),
        stake=None,
        conditions=(),
        question=None,
        unknown_because=None,
        facts={},
    )
