"""What the book does not decide: the smallest play on which two readings part, and what that changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

import numpy as np

from ...model.engine.state import CHANCE, Option, Point, State
from ...spec.book import Reading
from ...spec.text import Text
from ..findings.identity import defect
from ..findings.record import CheckResult, Finding, FindingClass, Play, PlayStep, Stake
from ..findings.severity import graded
from .explorer import Exploration, Limits
from .subject import Subject
from .survey import NOWHERE

MOST_PAIRS = 200_000
"""Pairs of positions compared at most, however many positions may be explored: this is done one by one."""


class Differs(Enum):
    """What differs."""

    END = "end"
    DECIDER = "decider"
    OPTIONS = "options"
    ODDS = "odds"
    POSITION = "position"


@dataclass(frozen=True)
class Parting:
    """The options up to where the two subjects differ, and what differs there; the number of the position they begin with."""

    options: tuple[Option, ...]
    what: Text
    kind: Differs
    start: int = 0


def part(
    a: Subject, b: Subject, limits: Limits, cut: Callable[[int], None] | None = None, visibly: bool = False,
    unfollowed: Callable[[], None] | None = None,
) -> Parting | None:
    """Walk both subjects side by side, breadth first, with the same choices (aligned by who decides and what the
    option is called); None if they do not differ within the limits. `cut` is told after how many pairs it was given up.
    `visibly`: what nobody is told of may differ meanwhile. `unfollowed` is told of pairs after which plays may still part: those of which one is
    beyond a range of the model, too."""
    most = MOST_PAIRS if limits.states is None else min(limits.states, MOST_PAIRS)
    compared = kept_by_both(a, b, visibly)
    todo: deque[tuple[State, State, int, tuple[Option, ...]]] = deque(
        (s.state, t.state, k, ()) for k, (s, t) in enumerate(zip(a.starts, b.starts, strict=True)))
    seen, left_out = {(s, t) for s, t, *_ in todo}, False
    while todo:
        if limits.stop is not None and limits.stop():
            left_out = True
            break
        s, t, start, way = todo.popleft()
        if any(x.end is not None and x.end.kind == "bound" for x in (s, t)):  # a limit of the model ends no play
            if unfollowed is not None:
                unfollowed()
            continue
        differs = difference(a, b, s, t, compared)
        if differs is not None:
            return Parting(way, differs[1], differs[0], start)
        at, bt = a.engine.point(s), b.engine.point(t)
        if at is None or bt is None:
            continue
        same = at.options == bt.options
        named = {} if same else {b.describer.option(bt, o).en: o for o in bt.options}
        for o in at.options:
            other = o if same or o in bt.options else named.get(a.describer.option(at, o).en)
            if other is None:
                continue
            pair = a.engine.apply(s, o).state, b.engine.apply(t, other).state
            if pair in seen:
                continue
            if len(seen) >= most:
                left_out = True
                continue
            seen.add(pair)
            todo.append((*pair, start, (*way, o)))
    if cut is not None and left_out:
        cut(len(seen))
    if unfollowed is not None and left_out:
        unfollowed()
    return None


def kept_by_both(a: Subject, b: Subject, visibly: bool) -> list[int]:
    """The slots that both keep: of a number that no rule reads, nothing is written. `visibly`: of these, those that people are told of."""
    slots, unread = a.program.layout.slots, a.program.unread.keys() | b.program.unread.keys()
    told = a.describer.told_slots if visibly else range(len(slots))
    return [k for k in sorted(told) if slots[k].name.split("[")[0] not in unread]


def difference(a: Subject, b: Subject, s: State, t: State, compared: Sequence[int]) -> tuple[Differs, Text] | None:
    """How two aligned states differ, if they do: in these slots, or in what can be done."""
    if (s.end is None) != (t.end is None) or (s.end is not None and t.end is not None and s.end[:2] != t.end[:2]):
        x = a.describer.ending(s.end) if s.end is not None else Text(ja="続く", en="play goes on")
        y = b.describer.ending(t.end) if t.end is not None else Text(ja="続く", en="play goes on")
        return Differs.END, Text(ja=f"一方では{x.ja}、他方では{y.ja}", en=f"in one {x.en}, in the other {y.en}")
    if s.slots != t.slots and s.slots and t.slots and any(s.slots[k] != t.slots[k] for k in compared):
        other = dict(enumerate(s.slots)) | {k: t.slots[k] for k in compared}
        changes = a.describer.changes(State(s.slots, ()), State(tuple(other.values()), ()))
        said = changes[0] if changes else Text(ja="内部の記録", en="what play remembers")
        return Differs.POSITION, Text(ja=f"局面が違う（{said.ja}）", en=f"the position differs ({said.en})")
    at, bt = a.engine.point(s), b.engine.point(t)
    if at is None or bt is None:
        return None
    if at.owner != bt.owner:
        return Differs.DECIDER, Text(ja="決める人が違う", en="somebody else decides")
    ours, others = (odds(a, at), odds(b, bt)) if at.owner == CHANCE and at.weights != bt.weights else ({}, {})
    if ours != others and ours.keys() == others.keys():
        return Differs.ODDS, Text(ja="同じことが起こる確率が違う", en="luck brings the same with other probabilities")
    if at.options == bt.options:
        return None
    mine = {a.describer.option(at, o).en: a.describer.option(at, o) for o in at.options}
    theirs = {b.describer.option(bt, o).en: b.describer.option(bt, o) for o in bt.options}
    if mine.keys() != theirs.keys():
        only = next(v for k, v in {**mine, **theirs}.items() if (k in mine) != (k in theirs))
        return Differs.OPTIONS, Text(ja=f"選べるものが違う（{only.ja}）", en=f"the options differ ({only.en})")
    return None


def odds(subject: Subject, at: Point) -> dict[str, Fraction]:
    """How probable each thing is that luck may bring, by what it is called."""
    out: dict[str, Fraction] = {}
    for o, weight in zip(at.options, at.weights, strict=True):
        name = subject.describer.option(at, o).en
        out[name] = out.get(name, Fraction(0)) + Fraction(weight, sum(at.weights))
    return out


JUDGED = ("win", "draw", "conflict")
"""Ends of play that say who wins, or that this is not decided."""


def left_by(subject: Subject, out: Exploration) -> frozenset[tuple[str, int, int]] | None:
    """What play comes to: of each position from which no step was followed the end (none: empty), whose it is, and a number made of all that
    players are told of. None where the search was broken off, and has not come to anything."""
    if out.cut not in ("", "turns", "depth"):
        return None
    survey = out.surveyed(subject.engine)
    places = survey.places
    last = np.flatnonzero((np.diff(out.graph.edges.first) == 0) & (places.code != NOWHERE))
    ends = [("", -1) if code >= 0 else places.ends[-1 - code][:2] for code in places.code[last].tolist()]
    rows = survey.columns(last, sorted(subject.describer.told_slots)).tolist()  # as text, for -1 and -2 have one hash
    return frozenset((kind, who, hash(str(row))) for (kind, who), row in zip(ends, rows, strict=True))


def stake_of(kind: Differs, a: CheckResult, b: CheckResult) -> Stake:
    """What depends on the answer. Who wins: play can end otherwise, or what decides the game (an endless loop) is found under one of
    them only. What is on the table: play comes to other positions. Where it comes to the same, but somebody else decides, or luck otherwise,
    as much as there is to decide. Else the order only."""
    grave = [{defect(f) for f in r.findings if f.is_defect and f.stake is Stake.WINNER} for r in (a, b)]
    if a.left is None or b.left is None:
        return Stake.WINNER if kind is Differs.END or grave[0] != grave[1] else Stake.RESULT
    ends = [{(end, who) for end, who, _ in left if end in JUDGED} for left in (a.left, b.left)]
    decides = kind in (Differs.DECIDER, Differs.ODDS)
    if grave[0] != grave[1] or ends[0] != ends[1] or (decides and len(ends[0]) > 1):
        return Stake.WINNER
    return Stake.RESULT if a.left != b.left or (decides and len(a.left) > 1) else Stake.ORDER


def steps_to(subject: Subject, found: Parting) -> tuple[PlayStep, ...]:
    """The play up to where they part."""
    way: list[tuple[State, Option]] = []
    state = subject.starts[found.start].state
    for option in found.options:
        way.append((state, option))
        state = subject.engine.apply(state, option).state
    return tuple(subject.tell_all(way, opening=found.start)[0])


def parting_finding(
    a: tuple[Subject, CheckResult],
    b: tuple[Subject, CheckResult],
    limits: Limits,
    reading: Reading,
    answers: tuple[Text, Text],
    cut: Callable[[int], None] | None = None,
    unfollowed: Callable[[], None] | None = None,
) -> Finding | None:
    """The finding that the book does not decide the question of a reading: with two answers play parts."""
    subject, other = a[0], b[0]

    def given_up(pairs: int) -> None:
        if cut is not None and (
            pairs != limits.states or (limits.stop is not None and limits.stop())
        ):  # the limit on positions is told of these
            cut(pairs)
    found = part(subject, other, limits, given_up, unfollowed=unfollowed)
    if found is None:
        return None
    x, y = answers
    named = Text(ja=f"解釈によって進行が変わる: {reading.question.ja}", en=reading.question.en)  # makes the id, as it always did
    summary = Text(ja=f"この手順の先で、{found.what.ja}。", en=f"After this play, {found.what.en}.")
    ask = Text(ja=f"どちらを意図していますか。 1. {x.ja}　2. {y.ja}", en=f"Which is meant? 1. {x.en} 2. {y.en}")
    told = subject.finding(
        FindingClass.READINGS,
        named,
        summary,
        tuple(c.value for c in reading.clauses),
        Play(steps_to(subject, found)),
        b[1].bounds,
        found.start,
    )
    stake = stake_of(found.kind, a[1], b[1])
    return graded(replace(told, title=reading.question, question=ask, stake=stake), subject.origin)
