"""What the ways on from a choice lead to, and whether it is a choice of what comes first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...model.engine.state import State
from ...model.ir import nodes as ir
from ...spec.text import Text
from ..findings.record import Outcome, Stake
from . import way_kernels
from .explorer import Exploration
from .subject import Subject


def outcomes_of(
    subject: Subject, out: Exploration, k: int, results: Sequence[frozenset[object]]
) -> tuple[Outcome, ...]:
    """For each option of state k, what one of its results is and the results of the others are not, if it has such a
    result."""
    d = subject.describer
    at = subject.engine.point(out.states[k])
    assert at is not None
    shared = frozenset[object]().union(*results[:1]).intersection(*results[1:])
    told: list[tuple[Text, ...]] = []
    for result in results:
        own = sorted(x for x in result - shared if isinstance(x, int) and x >= 0)
        if own:
            state = out.states[own[0]]
            end = () if state.end is None else (d.ending(state.end),)
            told.append((*d.changes(out.states[k], state, plainly=True), *end, *chooses_next(subject, state)))
        else:
            told.append((ENDLESS,) if "loop" in result - shared else ())
    common = set(told[0]).intersection(*told[1:]) if told else set[Text]()
    return tuple(
        Outcome(option, tuple(x for x in then if x not in common))
        for option, then in zip(d.taken_apart(out.states[k], at), told, strict=True)
    )


def chooses_next(subject: Subject, state: State) -> tuple[Text, ...]:
    """Who chooses next in a state, if it is a player who does."""
    at = subject.engine.point(state)
    if at is None or at.owner < 0 or len(at.options) < 2:
        return ()
    who = subject.describer.player(at.owner, state)
    return (Text(ja=f"次に選ぶのは{who.ja}", en=f"next to choose is {who.en}"),)


ENDLESS = Text(ja="終わらない", en="it never ends")


def ordering_at(subject: Subject, function: int, pc: int) -> ir.Choose | None:
    """The choice of what waits that comes first, if that is what is chosen at this place."""
    instr = subject.engine.numbered[function].fn.code[pc]
    if not isinstance(instr, ir.Choose):
        return None
    waiting = any(c.type == instr.type for c in subject.program.layout.containers.values() if not c.is_pool)
    return instr if waiting or hasattr(instr.type, "names") else None


def stake_among(subject: Subject, out: Exploration, ways: Sequence[int]) -> Stake:
    """What depends on which way is taken: the winner, if the ends that each way can still lead to are not the same."""
    places, edges = out.surveyed(subject.engine).places, out.graph.edges
    ends: set[frozenset[tuple[str, int]]] = set()
    for to in ways:
        met = np.zeros(len(places.ends), np.bool_)
        if to >= 0:
            way_kernels.ends_ahead(to, edges.first, edges.target, places.code, np.zeros(len(out.states), np.bool_), met)
        ends.add(frozenset(places.ends[k][:2] for k in np.flatnonzero(met).tolist()))
    return Stake.WINNER if len(ends) > 1 else Stake.RESULT
