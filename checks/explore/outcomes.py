"""What the ways on from a choice lead to, and whether it is a choice of what comes first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

import numpy as np

from ...model.engine.state import Option, Point, State
from ...model.engine.vocabulary import join
from ...model.ir import nodes as ir
from ...model.ir.program import SETTLE, Container, entries
from ...spec.text import Text
from ..findings.record import Outcome, Stake
from . import way_kernels
from .explorer import Exploration
from .forcing import Witness
from .owned_graph import FRONTIER
from .subject import Subject


def outcomes_of(
    subject: Subject, out: Exploration, k: int, results: Sequence[frozenset[object]]
) -> tuple[Outcome, ...]:
    """For each option of state k, what one of its results is and the results of the others are not, if it has such a
    result: what has changed, or where nothing that is told has, what still waits. Nothing where no difference can be told."""
    d = subject.describer
    at = subject.engine.point(out.states[k])
    assert at is not None
    shared = frozenset[object]().union(*results[:1]).intersection(*results[1:])
    told: list[tuple[Text, ...]] = []
    waits: list[tuple[Text, ...]] = []
    for result in results:
        own = sorted(x for x in result - shared if isinstance(x, int) and x >= 0)
        state = out.states[own[0]] if own else None
        waits.append(() if state is None else still_waiting(subject, state))
        if state is not None:
            end = () if state.end is None else (d.ending(state.end),)
            told.append((*d.changes(out.states[k], state, plainly=True), *end, *chooses_next(subject, state)))
        else:
            told.append((ENDLESS,) if "loop" in result - shared else ())
    texts = d.taken_apart(out.states[k], at)
    for said in (told, waits):
        common = set(said[0]).intersection(*said[1:]) if said else set[Text]()
        if set().union(*said) - common:
            return tuple(
                Outcome(option, tuple(x for x in then if x not in common))
                for option, then in zip(texts, said, strict=True)
            )
    return ()


def still_waiting(subject: Subject, state: State) -> tuple[Text, ...]:
    """What waits in a state, entry by entry."""
    d = subject.describer
    return tuple(
        Text(ja=f"まだ待っている: {x.ja}", en=f"still waiting: {x.en}")
        for f, node in d.layout.fields.items()
        if isinstance(node, Container) and not d.words.hides(f) and not node.info.is_pool and state.slots
        for entry in entries(node.info, state.slots)
        for x in (d.entry(f"{f} listed", node.info.type, entry) or d.bundle(node.info.type, entry),)
    )


MOST_TOLD = 3
"""Results that are told one by one of what can be brought about."""


def forced_outcomes(
    subject: Subject,
    state: State,
    at: Point,
    options: Sequence[Option],
    found: Witness,
    state_of: Callable[[Hashable], State | None],
) -> tuple[Outcome, ...]:
    """For each option, how surely something can be brought about that is not so sure with every other one. `state_of`: the state that
    a result is, if it is one."""
    d = subject.describer
    players = [d.player(p, state) for p in found.who]
    who = Text(ja="と".join(x.ja for x in players), en=" and ".join(x.en for x in players))
    results = {x: state_of(x) for x in found.results}
    changes = {x: () if then is None else d.changes(state, then, plainly=True) for x, then in results.items()}
    ends = {
        x: ENDLESS if then is None else None if then.end is None else d.ending(then.end) for x, then in results.items()
    }
    lasting = [set(changes[x]) for x, then in results.items() if then is not None]
    always = set[Text]().union(*lasting[:1]).intersection(*lasting[1:])
    told: list[Text] = []
    for x in found.what:
        end = ends[x] if len(set(ends.values())) > 1 else None
        own = tuple(change for change in changes[x] if change not in always)
        if found.wins:
            told.append(end or NOT_OVER)
        else:
            told.append(join((*own, *((end,) if end else ()))) if own or end else UNCHANGED)
    alternatives = sorted(dict.fromkeys(told), key=lambda x: x.en)
    if len(alternatives) <= MOST_TOLD:
        what = join(alternatives, "、または、", "; or ")
    else:
        what = Text(ja=f"{len(found.what)}通りの結果のどれか（{alternatives[0].ja}など）",
                    en=f"one of {len(found.what)} results ({alternatives[0].en}, for one)")
    texts = d.taken_apart(state, at)
    return tuple(Outcome(texts[at.options.index(o)], (surely(who if players else None, what, *chances),))
                 for o, chances in zip(options, found.chances, strict=True))


def surely(who: Text | None, what: Text, low: Fraction | int, high: Fraction | int) -> Text:
    """How surely something happens, or can be brought about by somebody whatever others do."""
    chance = f"{low}" if low == high else f"{float(low):.3g}–{float(high):.3g}"
    if who is None:
        return Text(ja=f"{what.ja}: 確率{chance}", en=f"{what.en}: probability {chance}")
    if low == high == 1:
        return Text(ja=f"{who.ja}は必ず実現できる: {what.ja}", en=f"{who.en} can make sure of this: {what.en}")
    if low == high == 0:
        return Text(ja=f"{who.ja}には実現できるとは限らない: {what.ja}", en=f"{who.en} can be kept from this: {what.en}")
    return Text(ja=f"{who.ja}は確率{chance}で実現できる: {what.ja}", en=f"{who.en} can bring this about with probability {chance}: {what.en}")


UNCHANGED = Text(ja="ほかに変化なし", en="nothing else is different")
NOT_OVER = Text(ja="決着しない", en="nobody has won yet")


def chooses_next(subject: Subject, state: State) -> tuple[Text, ...]:
    """Who chooses next in a state, if it is a player who does."""
    at = subject.engine.point(state)
    if at is None or at.owner < 0 or len(at.options) < 2:
        return ()
    who = subject.describer.player(at.owner, state)
    return (Text(ja=f"次に選ぶのは{who.ja}", en=f"next to choose is {who.en}"),)


ENDLESS = Text(ja="終わらないことがある", en="it may go on for ever")


def ordering_at(subject: Subject, function: int, pc: int) -> ir.Choose | None:
    """The choice of what waits, or applies at once, that comes first, if that is what is chosen at this place."""
    fn = subject.engine.numbered[function].fn
    instr = fn.code[pc]
    if not isinstance(instr, ir.Choose):
        return None
    waiting = any(c.type == instr.type for c in subject.program.layout.containers.values() if not c.is_pool)
    return instr if waiting or fn.name == SETTLE else None


def stake_among(subject: Subject, out: Exploration, ways: Sequence[int]) -> Stake:
    """What depends on which way is taken: the winner, if one way can still lead to an end that another cannot. What lies behind positions that were
    not looked at may be the same; behind those to which a limit on turns leads nothing was asked for."""
    places, edges = out.surveyed(subject.engine).places, out.graph.edges
    unknown = np.zeros(len(out.states), np.bool_)
    if out.cut not in ("", "turns"):
        unknown = out.graph.owner == FRONTIER
    ends: list[tuple[frozenset[tuple[str, int]], bool]] = []
    for to in ways:
        met, seen = np.zeros(len(places.ends), np.bool_), np.zeros(len(out.states), np.bool_)
        if to >= 0:
            way_kernels.ends_ahead(to, edges.first, edges.target, places.code, seen, met)
        ends.append((frozenset(places.ends[k][:2] for k in np.flatnonzero(met).tolist()), bool((seen & unknown).any())))
    parted = any(mine - others for mine, _ in ends for others, more in ends if not more)
    return Stake.WINNER if parted else Stake.RESULT
