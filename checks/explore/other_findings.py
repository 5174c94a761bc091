"""Findings other than loops: ends that the rules do not explain, choices that nobody owns, orders, invariants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...model.engine.state import OPEN, End, Option, State
from ...model.ir import nodes as ir
from ...model.ir import types as t
from ...spec.text import Text
from ..findings.record import Bounds, Examined, Finding, FindingClass, Outcome, Play, Stake
from . import way_kernels
from .explorer import Exploration, play_to
from .outcomes import ordering_at, outcomes_of, stake_among
from .subject import Subject
from .survey import NOWHERE

SILENT = {
    "gap": (FindingClass.GAP, Text(ja="何が起こるか、規則が定めていない", en="the rules do not say what happens")),
    "not modelled": (
        FindingClass.DEFECT,
        Text(ja="まだ取り込んでいない条に達した", en="a clause was reached that is not encoded yet"),
    ),
    "fault": (FindingClass.DEFECT, Text(ja="ルールの取り込みに不備がある", en="the encoding has a defect")),
    "conflict": (
        FindingClass.CONFLICT,
        Text(ja="二つの条文が食い違い、優先の定めがない", en="two clauses disagree, and nothing ranks them"),
    ),
}


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
) -> Finding:
    """A finding with the play along `path`, replayed without symmetry. Its id comes from `title`, though another one may
    be `shown`."""
    start, way = real_way(subject, path)
    steps, _ = subject.tell_all((*way[:-1], *extra), opening=start)
    found = subject.finding(cls, title, summary, clauses, Play(tuple(steps), (), end), bounds, start)
    behind = subject.readings_behind(clauses, len(clauses) if cls is FindingClass.CONFLICT else 1)
    moment = subject.describer.position(way[-1][0], brief=True) if way and way[-1][0].slots else None
    return replace(found, moment=moment, title=shown or title, readings=behind, hint=hint, question=question, outcomes=outcomes, stake=stake)


def real_way(subject: Subject, path: Sequence[tuple[int, Option]]) -> tuple[int, list[tuple[State, Option]]]:
    """Which start a path of the exploration begins with, and the real play along it."""
    options = [o for _, o in path]
    start = 0
    if len(subject.starts) > 1 and options:
        start, options = options[0][0], options[1:]
    return start, subject.follow(subject.starts[start].state, options)


# ---------------------------------------------------------------- ends
def end_findings(subject: Subject, out: Exploration, bounds: Bounds) -> list[Finding]:
    """Ends at a gap, a conflict, a clause that is missing, or a fault: the shortest play to each."""
    found: dict[tuple[object, ...], Finding] = {}
    for end, k, _ in out.surveyed(subject.engine).places.ended:
        if end.kind not in SILENT:
            continue
        key = (end.kind, end.detail)
        if key in found:
            continue
        path = play_to(out, k)
        clauses: tuple[str, ...] = ()
        if not explained(subject, out.states[k], end)[0] and (way := real_way(subject, path)[1])[:-1]:
            clauses = subject.tell(*way[-2])[0].clauses[-1:]
        said = told_end(subject, out.states[k], end, clauses)
        found[key] = build(subject, said.cls, said.title, said.summary, said.clauses, path, out, bounds, said.question,
                           end=said.told, stake=said.stake, shown=said.shown)
    return list(found.values())


@dataclass(frozen=True)
class ToldEnd:
    """What a finding says of an end that the rules do not explain; `told` is the end itself."""

    cls: FindingClass
    title: Text
    summary: Text
    clauses: tuple[str, ...]
    question: Text
    told: Text
    stake: Stake
    shown: Text | None = None


PLAY_COMES = Text(ja="この手順で、{what}所に達します。", en="This play comes to a place where {what}.")


def told_end(
    subject: Subject, state: State, end: End, clauses: tuple[str, ...] = (), comes: Text = PLAY_COMES,
) -> ToldEnd:
    """An end in words. `clauses`: those of the play, where the end names none; `comes`: how it is come to."""
    cls, what = SILENT[end.kind]
    named, detail = explained(subject, state, end)
    clauses = named or clauses
    title = Text(ja=f"{detail.ja}{what.ja}", en=f"{detail.en}{what.en}")
    title = subject.describer.words.words.get(f"{end.kind} {end.detail}", title)
    summary = Text(ja=comes.ja.format(what=what.ja), en=comes.en.format(what=what.en))
    question = Text(ja="ここで何が起こると定めますか。", en="What should happen here?")
    told = subject.describer.ending(end)
    shown = None
    if end.detail.startswith("verdict:"):
        told = Text(
            ja=f"{' と '.join(clauses)} が食い違い、決まらない",
            en=f"{' and '.join(clauses)} disagree, so it is not decided",
        )
        summary = Text(
            ja=f"同じ局面に二つの条文がともに当てはまり、言うことが違います。{detail.ja}どちらが優先するかを定める条文はありません。",
            en=f"Two clauses apply to the same position and say different things. {detail.en}No clause says which counts.",
        )
        shown = subject.describer.words.words.get(f"{end.kind} {end.detail}") or disagreement(
            subject, state, end.detail.removeprefix("verdict:"), clauses)
        question = Text(
            ja=f"{' と '.join(clauses)} のどちらを優先しますか。", en=f"Which of {' and '.join(clauses)} counts?"
        )
    stake = Stake.WINNER if decides_the_game(subject, end) else Stake.RESULT
    return ToldEnd(cls, title, summary, clauses, question, told, stake, shown)


def disagreement(subject: Subject, state: State, question: str, clauses: Sequence[str]) -> Text | None:
    """A title for clauses that disagree: which, about what, and what each says. None unless two answers differ."""
    d = subject.describer
    answers: dict[str, Text] = {}
    about: dict[Text, None] = {}
    for v in subject.program.verdicts:
        for x in range(v.subject.lo, v.subject.hi + 1) if v.question == question and v.subject.width == 1 else ():
            said = subject.engine.evaluate(v.function, state, [x])
            if isinstance(said, End) or (isinstance(v.answer, t.OptionType) and said == v.answer.none):
                continue
            about[d.value(v.subject, x)] = None
            answers[" ".join(v.clauses)] = d.value(v.answer, said)
    if len(set(answers.values())) < 2 or len(about) != 1:
        return None
    (what,) = about
    return Text(
        ja=f"{' と '.join(clauses)} で、{what.ja}が食い違う（" + "／".join(f"{c} では{a.ja}" for c, a in answers.items()) + "）",
        en=f"{' and '.join(clauses)} disagree about {what.en} (" + "; ".join(f"{c}: {a.en}" for c, a in answers.items()) + ")",
    )


def decides_the_game(subject: Subject, end: End) -> bool:
    """Does play stop where the game could be won or drawn: can a rule that stops like this also end the game, itself or
    by a step it does?"""
    functions = subject.program.functions

    def inside(name: str, seen: set[str]) -> Iterator[ir.End]:
        seen.add(name)
        for i in functions[name].code:
            if isinstance(i, ir.End):
                yield i
            elif isinstance(i, ir.Do) and i.function not in seen:
                yield from inside(i.function, seen)

    stops = [n for n, fn in functions.items()
             if any(isinstance(i, ir.End) and i.kind == end.kind and i.detail == end.detail for i in fn.code)]
    return any(i.kind in ("win", "draw") for name in stops for i in inside(name, set()))


def explained(subject: Subject, state: State, end: End) -> tuple[tuple[str, ...], Text]:
    """The clauses behind an end, and a few words about it."""
    if end.kind == "fault":
        why = end.detail.split(" (")[0]
        return (), Text(ja=f"{why}: ", en=f"{why}: ")
    if not end.detail.startswith("verdict:"):
        return tuple(end.detail.split()), Text(ja="", en="")
    question = end.detail.removeprefix("verdict:")
    clauses: list[str] = []
    sides: list[Text] = []
    d = subject.describer
    for v in subject.program.verdicts:
        if v.question != question:
            continue
        for x in range(v.subject.lo, v.subject.hi + 1) if v.subject.width == 1 else ():
            said = subject.engine.evaluate(v.function, state, [x])
            if isinstance(said, End):
                why = d.ending(said)
                sides.append(Text(ja=f"{d.value(v.subject, x).ja}: {why.ja}", en=f"{d.value(v.subject, x).en}: {why.en}"))
            elif not (isinstance(v.answer, t.OptionType) and said == v.answer.none):
                clauses += v.clauses
                sides.append(
                    Text(
                        ja=f"{d.value(v.subject, x).ja}: {d.value(v.answer, said).ja}（{' '.join(v.clauses)}）",
                        en=f"{d.value(v.subject, x).en}: {d.value(v.answer, said).en} ({' '.join(v.clauses)})",
                    )
                )
    return tuple(dict.fromkeys(clauses)), Text(
        ja="、".join(s.ja for s in sides) + "。", en="; ".join(s.en for s in sides) + ". "
    )


# ---------------------------------------------------------------- choices nobody owns
def open_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """Choices that the rules give to nobody and whose options lead to different states; orders are looked at as such
    (`order_findings`)."""
    found: dict[str, Finding] = {}
    asked = np.flatnonzero(out.graph.owner == OPEN)
    for k in parting_first(subject, out, asked):
        at = subject.engine.point(out.states[k])
        assert at is not None
        if at.clause in found:
            continue
        targets = out.graph.targets(k)
        d = subject.describer
        title = Text(ja=f"{at.clause} で、誰が決めるのか定められていない", en=f"{at.clause} does not say who decides")
        options = "／".join(d.option(at, o).ja for o in at.options), " / ".join(d.option(at, o).en for o in at.options)
        summary = Text(
            ja=f"選べるもの: {options[0]}。どれを選ぶかで、その後が変わります。",
            en=f"The options: {options[1]}. What follows depends on which is taken.",
        )
        question = Text(ja=f"{at.clause} の選択は、誰が行いますか。", en=f"Who makes the choice in {at.clause}?")
        ways = [frozenset[object]({to}) for to in targets]
        found[at.clause] = build(
            subject, FindingClass.OPEN, title, summary, (at.clause,), play_to(out, k), out, bounds, question,
            outcomes=outcomes_of(subject, out, k, ways),
            stake=stake_among(subject, out, targets),
        )
    return list(found.values()), Examined(Text(ja="決める人のいない選択", en="choices that nobody owns"), len(asked))


def parting_first(subject: Subject, out: Exploration, asked: np.ndarray) -> list[int]:
    """Of each place where a choice is made that is no order: the first of these states in which it matters what is
    taken at once."""
    places, edges = out.surveyed(subject.engine).places, out.graph.edges
    matters = np.zeros(len(asked), np.bool_)
    way_kernels.parts_ways(asked, edges.first, edges.target, matters)
    asked = asked[matters]
    codes, firsts = np.unique(places.code[asked], return_index=True)
    orders = [ordering_at(subject, *place) is not None for place in places.at]
    return sorted(int(asked[k]) for c, k in zip(codes.tolist(), firsts.tolist(), strict=True) if not orders[c])


# ---------------------------------------------------------------- invariants
def at_settle_points(subject: Subject, out: Exploration) -> np.ndarray:
    """The states in which conditions are looked at: all but the one before play, and those in which a reading is
    chosen, which may be in the middle of what nothing can interrupt."""
    places = out.surveyed(subject.engine).places
    code = [fn.code for fn in subject.program.functions.values()]
    consults = places.standing([isinstance(code[f][pc], ir.Consult) for f, pc in places.at])
    settled = places.code != NOWHERE
    settled[consults] = False
    return np.flatnonzero(settled)


def broken(subject: Subject, name: str, path: Sequence[tuple[int, Option]], out: Exploration, bounds: Bounds) -> Finding:
    """An invariant that does not hold."""
    word = subject.describer.words.of(name)
    title = Text(ja=f"不変条件「{word.ja}」が破れる", en=f"the invariant “{word.en}” is broken")
    summary = Text(
        ja="この手順の後、成り立つはずの条件が成り立ちません。",
        en="After this play a condition that must always hold does not.",
    )
    return build(subject, FindingClass.INVARIANT, title, summary, (), path, out, bounds)


def untold(
    subject: Subject, name: str, end: End, path: Sequence[tuple[int, Option]], out: Exploration, bounds: Bounds
) -> Finding:
    """An invariant of which it cannot be told whether it holds: its own rule fails."""
    word, why = subject.describer.words.of(name), subject.describer.ending(end)
    title = Text(ja=f"不変条件「{word.ja}」を調べられない", en=f"whether the invariant “{word.en}” holds cannot be told")
    summary = Text(
        ja=f"この手順の後、条件を調べる規則そのものが値を出せません: {why.ja}",
        en=f"After this play the rule that states the condition gives no value: {why.en}",
    )
    return build(subject, FindingClass.DEFECT, title, summary, (), path, out, bounds)


def invariant_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """States in which an invariant does not hold."""
    found: list[Finding] = []
    states = at_settle_points(subject, out)
    for k, name, said in out.surveyed(subject.engine).failing(subject.program.invariants, states):
        path = play_to(out, k)
        if isinstance(said, End):
            found.append(untold(subject, name, said, path, out, bounds))
        else:
            found.append(broken(subject, name, path, out, bounds))
    count = len(states) * len(subject.program.invariants)
    return found, Examined(
        Text(ja="守られるはずの条件を確かめた回数", en="conditions that must always hold, looked at"), count
    )
