"""Findings other than loops: ends that the rules do not explain, choices that nobody owns, orders, invariants."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...model.engine.state import OPEN, End, Option, State
from ...model.ir import nodes as ir
from ...model.ir.program import Layout, Program
from ...model.ir.types import domain
from ...spec.text import Text
from ..findings.record import Bounds, Examined, Finding, FindingClass, Outcome, Play, PlayStep, Stake
from . import way_kernels
from .ended import (
    JUDGED,
    SILENT,
    Ended,
    asked_in,
    cores,
    ended_by,
    is_word,
    slots_read,
    speakers,
    told_end,
)
from .explorer import Exploration, play_to
from .more_plays import more_plays, real_way, target_of
from .order_games import shown_same, stake_at
from .outcomes import ordering_at, outcomes_of
from .subject import Subject
from .survey import NOWHERE, Places

MOST_ENDS = 1_000
"""Ends that are compared at most to tell several plays of a finding."""
SOME = 1 << 18
"""States whose slots are looked at together."""


def build(
    subject: Subject,
    cls: FindingClass,
    title: Text,
    summary: Text,
    clauses: tuple[str, ...],
    path: Sequence[tuple[int, Option]],
    out: Exploration,
    bounds: Bounds,
    question: Text | None = None,
    hint: bool = False,
    end: Text | None = None,
    extra: Sequence[tuple[State, Option]] = (),
    outcomes: tuple[Outcome, ...] = (),
    stake: Stake | None = None,
    shown: Text | None = None,
    found_at: Callable[[], Sequence[int]] | None = None,
) -> Finding:
    """A finding with the play along `path`, replayed without symmetry. Its id comes from `title`, though another one may
    be `shown`. `found_at`: all states in which it is found, if that is not only the one to which the path leads."""
    start, way = real_way(subject, path)
    steps, _ = subject.tell_all((*way[:-1], *extra), opening=start)
    play = Play(tuple(steps), (), end)
    found = subject.finding(cls, title, summary, clauses, play, bounds, start)
    behind = subject.readings_behind(clauses, len(clauses) if cls is FindingClass.CONFLICT else 1)
    moment = (
        subject.describer.position(way[-1][0], brief=True, begun=subject.positions[start])
        if way and way[-1][0].slots
        else None
    )
    more = ()
    if subject.show > 1 and not hint:
        more = more_plays(subject, out, play, found_at() if found_at is not None else [target_of(out, path)], extra)
    figures = subject.figures.looked_at(way[:-1][-since_choice(steps):])
    return replace(
        found,
        moment=moment,
        figures=figures,
        title=shown or title,
        readings=behind,
        hint=hint,
        question=question,
        outcomes=outcomes,
        stake=stake,
        more=more,
    )


def since_choice(steps: Sequence[PlayStep]) -> int:
    """How many steps there are from the last choice of a player in the last turn on; at least one."""
    turn = steps[-1].turn if steps else None
    for count, step in enumerate(reversed(steps), 1):
        if step.turn != turn:
            return max(1, count - 1)
        if step.decider is not None:
            return count
    return max(1, len(steps))


# ---------------------------------------------------------------- ends
def end_findings(subject: Subject, out: Exploration, bounds: Bounds) -> list[Finding]:
    """Ends at a gap, a conflict, a clause that is missing, or a fault: the shortest play to each."""
    found: dict[tuple[str, ...], Finding] = {}
    seen: set[tuple[str, ...]] = set()
    for end, first, _ in out.surveyed(subject.engine).places.ended:
        if end.kind not in SILENT or (end.kind, end.detail) in seen:
            continue
        seen.add((end.kind, end.detail))
        for k in otherwise_ended(subject, out, end) if end.detail.startswith(JUDGED) else [first]:
            path = play_to(out, k)
            ended = ended_by(subject, path, end)
            for core in cores(subject, ended):
                key = end.kind, end.detail, *(core or speakers(subject, ended))
                if key in found:
                    continue
                said = told_end(subject, ended, among=core)
                one = build(
                    subject,
                    said.cls,
                    said.title,
                    said.summary,
                    said.clauses,
                    path,
                    out,
                    bounds,
                    said.question,
                    end=said.told,
                    stake=said.stake,
                    shown=said.shown,
                    found_at=partial(ended_like, subject, out, end, said.title),
                )
                found[key] = replace(one, clause_verdicts=said.verdicts)
    return list(found.values())


def otherwise_ended(subject: Subject, out: Exploration, end: End) -> list[int]:
    """Of the states in which play ends because verdicts on a question disagree, the first in which these speak that do, and disagree."""
    survey, verdicts = out.surveyed(subject.engine), asked_in(subject, end)
    same = [-1 - number for number, other in enumerate(survey.places.ends) if other[:3] == end[:3]]
    states = np.flatnonzero(np.isin(survey.places.code, same))
    slots = sorted(frozenset[int]().union(*(slots_read(subject.program, v.function) for v in verdicts)))
    alike: dict[tuple[int, ...], int] = {}
    for begin in range(0, len(states), SOME):
        some = states[begin:begin + SOME]
        for k, row in zip(some.tolist(), survey.columns(some, slots).tolist(), strict=True):
            alike.setdefault(tuple(row), k)
    if not all(is_word(v.subject) for v in verdicts):  # what they were asked about is known of a play only
        return list(alike.values())
    first: dict[Hashable, int] = {}
    for k in alike.values():
        there = Ended(out.states[k], end)
        first.setdefault((speakers(subject, there), *cores(subject, there)), k)
    return list(first.values())


def ended_like(subject: Subject, out: Exploration, end: End, title: Text) -> list[int]:
    """The states in which play ends in the same way, and the same is told of it."""
    places = out.surveyed(subject.engine).places
    same = [-1 - number for number, other in enumerate(places.ends) if other[:3] == end[:3]]
    alike: list[int] = []
    for k in np.flatnonzero(np.isin(places.code, same)).tolist()[:MOST_ENDS]:
        ended = ended_by(subject, play_to(out, k), end)
        if any(told_end(subject, ended, among=core).title == title for core in cores(subject, ended)):
            alike.append(k)
    return alike


# ---------------------------------------------------------------- choices nobody owns
SAME_FOLLOWS = Text(ja="どれを選んでも、その後は同じです。", en="Whichever is taken, the same follows.")
OTHER_FOLLOWS = Text(ja="どれを選ぶかで、次の局面が変わります。", en="The next position depends on which is taken.")


def open_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """Choices that the rules give to nobody and whose options lead to different states; a hint where it is shown that the same game
    follows all the same. Orders are looked at as such (`order_findings`)."""
    found: dict[str, Finding] = {}
    asked = np.flatnonzero(out.graph.owner == OPEN)
    places = out.surveyed(subject.engine).places
    parted = parting(
        subject,
        out,
        np.intersect1d(asked, places.standing([ordering_at(subject, *place) is None for place in places.at])),
    )
    same = leads_to_the_same(subject, out, parted)

    def alike(clause: str, among: np.ndarray) -> list[int]:
        """Those of these states in which the clause gives a choice to nobody."""
        points = ((k, subject.engine.point(out.states[k])) for k in among.tolist())
        return [k for k, point in points if point is not None and point.clause == clause]

    firsts = [
        (Stake.WORDING if no_matter else stake_at(subject, out, k), k, some, no_matter)
        for some, no_matter in ((parted[~same], False), (parted[same], True))
        for k in first_of_places(places, some)
    ]
    for stake, k, among, no_matter in sorted(firsts, key=lambda one: one[0].place):
        at = subject.engine.point(out.states[k])
        assert at is not None
        if at.clause in found:
            continue
        targets = out.graph.targets(k)
        d = subject.describer
        title = Text(ja=f"{at.clause} で、誰が決めるのか定められていない", en=f"{at.clause} does not say who decides")
        told = d.taken_apart(out.states[k], at)
        options = "／".join(x.ja for x in told), " / ".join(x.en for x in told)
        then = SAME_FOLLOWS if no_matter else OTHER_FOLLOWS
        summary = Text(ja=f"選べるもの: {options[0]}。{then.ja}", en=f"The options: {options[1]}. {then.en}")
        question = Text(
            ja=f"{at.clause} では決まらないこの選択を、どう定めますか（誰が行うか、またはどれになるか）。",
            en=f"What should settle this choice, which {at.clause} leaves open: who makes it, or which it is?")
        shown = d.words.words.get(f"title of open {at.clause}")
        ways = [frozenset[object]({to}) for to in targets]
        found[at.clause] = build(
            subject,
            FindingClass.OPEN,
            title,
            summary,
            (at.clause,),
            play_to(out, k),
            out,
            bounds,
            question,
            outcomes=() if no_matter else outcomes_of(subject, out, k, ways),
            hint=no_matter,
            stake=stake,
            shown=shown,
            found_at=partial(alike, at.clause, among),
        )
    return list(found.values()), Examined(Text(ja="決める人のいない選択", en="choices that nobody owns"), len(asked), "open")


def first_of_places(places: Places, asked: np.ndarray) -> list[int]:
    """Of each place where a choice is made: the first of these states."""
    return sorted(asked[np.unique(places.code[asked], return_index=True)[1]].tolist())


def leads_to_the_same(subject: Subject, out: Exploration, asked: np.ndarray) -> np.ndarray:
    """Of each of these states: is it shown that the same game follows, whatever is taken? Compared when the rule that asks has returned; if that
    does not show it, when the loop has in which it asks. Not where positions stand for others that differ in a counter."""
    if subject.saturated is not None:
        return np.zeros(len(asked), np.bool_)
    places = out.surveyed(subject.engine).places
    same = shown_same(subject, out, asked, places.depth[asked] - 1)
    left = np.flatnonzero(~same)
    same[left] = shown_same(subject, out, asked[left], places.join[asked[left]])
    return same


def parting(subject: Subject, out: Exploration, asked: np.ndarray) -> np.ndarray:
    """Those of these states in which it matters what is taken at once; if only for counters whose values are not told apart, too."""
    matters = np.zeros(len(asked), np.bool_)
    way_kernels.parts_ways(asked, out.graph.edges.first, out.graph.edges.target, matters)
    for n in np.flatnonzero(~matters).tolist() if subject.saturated is not None else ():
        state = out.states[asked[n]]
        at = subject.engine.point(state)
        if at is not None:
            after = (subject.engine.apply(state, option).state for option in at.options)
            matters[n] = len({s if subject.symmetry is None else subject.symmetry.canonical(s)[0] for s in after}) > 1
    return asked[matters]


# ---------------------------------------------------------------- invariants
def settled(program: Program, places: Places) -> np.ndarray:
    """The states in which conditions are looked at: all but the one before play, and those in which a reading is
    chosen, which may be in the middle of what nothing can interrupt."""
    code = [fn.code for fn in program.functions.values()]
    consults = places.standing([isinstance(code[f][pc], ir.Consult) for f, pc in places.at])
    there = places.code != NOWHERE
    there[consults] = False
    return np.flatnonzero(there)


def broken(
    subject: Subject, name: str, path: Sequence[tuple[int, Option]], out: Exploration, bounds: Bounds
) -> Finding:
    """An invariant that does not hold."""
    return build(
        subject, FindingClass.INVARIANT, *words_of_broken(subject, name), clauses_of(subject, name), path, out, bounds
    )


def clauses_of(subject: Subject, name: str) -> tuple[str, ...]:
    """The clauses that an invariant carries."""
    return tuple(dict.fromkeys(c for i in subject.program.functions[name].code for c in i.at.clauses))


def words_of_broken(subject: Subject, name: str) -> tuple[Text, Text]:
    """Title and summary of an invariant that does not hold after a play."""
    word = subject.describer.words.of(name)
    return (
        Text(ja=f"不変条件「{word.ja}」が破れる", en=f"the invariant “{word.en}” is broken"),
        Text(ja="この手順の後、成り立つはずの条件が成り立ちません。", en="After this play a condition that must always hold does not."))


def untold(
    subject: Subject, name: str, end: End, path: Sequence[tuple[int, Option]], out: Exploration, bounds: Bounds
) -> Finding:
    """An invariant of which it cannot be told whether it holds: its own rule fails."""
    return build(subject, FindingClass.DEFECT, *words_of_untold(subject, name, end), (), path, out, bounds)


def words_of_untold(subject: Subject, name: str, end: End) -> tuple[Text, Text]:
    """Title and summary of an invariant whose own rule fails after a play."""
    word, why = subject.describer.words.of(name), subject.describer.ending(end)
    return (
        Text(ja=f"不変条件「{word.ja}」を調べられない", en=f"whether the invariant “{word.en}” holds cannot be told"),
        Text(
            ja=f"この手順の後、条件を調べる規則そのものが値を出せません: {why.ja}",
            en=f"After this play the rule that states the condition gives no value: {why.en}"))


def invariant_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """States in which an invariant does not hold."""
    found: list[Finding] = []
    states = settled(subject.program, out.surveyed(subject.engine).places)
    for k, name, said in out.surveyed(subject.engine).failing(subject.program.invariants, states):
        path = play_to(out, k)
        if isinstance(said, End):
            found.append(untold(subject, name, said, path, out, bounds))
        else:
            found.append(broken(subject, name, path, out, bounds))
    count = len(states) * len(subject.program.invariants)
    return found, Examined(
        Text(ja="守られるはずの条件を確かめた回数", en="conditions that must always hold, looked at"), count, "invariants"
    )


# ---------------------------------------------------------------- numbers that leave their ranges
WIDE = 1 << 15
"""A number that nobody has given a range has more values than this."""


def is_capped(layout: Layout, slot: int) -> bool:
    """Has somebody given the number of this slot a range? Not how much fits into a container, nor 16 bits, which are sizes of the model."""
    lo, hi = domain(layout.slots[slot].type)
    return slot not in layout.in_containers and hi - lo < WIDE


@dataclass(frozen=True)
class Left:
    """A number that leaves its range, in words: the id is made of `title`."""

    title: Text
    shown: Text
    summary: Text
    question: Text


def words_of_left(subject: Subject, end: End) -> Left:
    """What is told of a number that leaves its range after a play, which ended so."""
    of, value = subject.program.layout.slots[end.slot], end.detail.rpartition(" = ")[2]
    word, (lo, hi) = subject.describer.words.of(of.group), domain(of.type)
    whose = next((said for said, slot, _ in subject.describer.shown.get(of.group, ()) if slot == end.slot), word)
    ja, en = ("下回る", "falls below") if int(value) < lo else ("上回る", "rises above")
    return Left(
        Text(ja=f"「{word.ja}」が範囲（{lo}〜{hi}）を超える", en=f"the {word.en} leaves its range ({lo} to {hi})"),
        Text(ja=f"「{word.ja}」が範囲（{lo}〜{hi}）を{ja}", en=f"the {word.en} {en} its range ({lo} to {hi})"),
        Text(ja=f"この手順の次に、{whose.ja}は {value} になり、範囲（{lo}〜{hi}）を{ja[:-1]}ります。",
             en=f"After this play a number becomes {value} and {en} its range ({lo} to {hi}): {whose.en}."),
        Text(ja=f"「{word.ja}」がこの範囲を出そうなとき、どうすると定めますか。範囲が狭いだけなら、規則の範囲を広げます。",
             en=f"What should happen where the {word.en} would leave this range? If the range is merely too narrow, widen it in the rules."),
    )


def with_last_clauses(found: Finding) -> Finding:
    """Of a number that leaves its range no rule says that it must not: the clauses of the last step are worth reading."""
    last = tuple(c for c in (found.play.stem[-1].clauses if found.play.stem else ()) if c not in found.clauses)
    return replace(found, related=last[-3:])


def range_findings(subject: Subject, out: Exploration, bounds: Bounds) -> list[Finding]:
    """Numbers that leave the ranges they are given, each with the shortest play to that; not what is on cards (a bonus, say, has the model's room)."""
    layout, found = subject.program.layout, dict[str, Finding]()
    for (_, slot), which in out.bound_edges.kinds().items():
        if (
            slot >= 0
            and slot not in layout.of_cards
            and is_capped(layout, slot)
            and layout.slots[slot].group not in found
        ):
            edge = out.bound_edges[which[0]]
            path = [*play_to(out, edge.source), (edge.source, edge.option)]
            left = words_of_left(subject, edge.end)  # pyright: ignore[reportArgumentType]
            found[layout.slots[slot].group] = with_last_clauses(build(
                subject, FindingClass.INVARIANT, left.title, left.summary, (), path, out, bounds, left.question,
                shown=left.shown))
    return list(found.values())
