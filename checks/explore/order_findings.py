"""Orders: does it matter which of several waiting things is taken first?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from operator import itemgetter

import numpy as np

from ...model.engine.state import Option, Point, State
from ...model.ir import nodes as ir
from ...spec.text import Text
from ..findings.identity import each_once
from ..findings.record import Bounds, Examined, Finding, FindingClass, Stake
from .explorer import Exploration, play_to
from .forcing import Compared
from .order_games import compare_games, stake_at
from .other_findings import build
from .outcomes import forced_outcomes, ordering_at, outcomes_of
from .subject import Subject
from .way_kernels import first_differing

ORDER_WORK = 1_000_000_000
"""States looked at to compare orders. Where that is not enough, how many were compared is said."""
SOME = 1 << 18
"""Places whose waiting things are looked at together."""


def order_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """Where several things wait: does it matter which is taken first?

    What follows each first option, up to the resolver's return, is compared: first the results (states at the return, ends, loops and
    what is unexplored); where they are the same and somebody decides on the way, what follows as a game (`games`): the same game, nothing
    to report. If not, whether somebody can bring about in one order what cannot be brought about in the other, or not with that
    chance (`forcing`): then the order matters as much as if results were others. If nothing of the kind is found, that the
    course is another is a hint, which says what was compared. Orders that somebody decides are hints in any case; one that the rules give to
    nobody is not. Places where the same things wait are one finding.
    """
    places, edges = out.surveyed(subject.engine).places, out.graph.edges
    asked = places.standing([ordering_at(subject, *place) is not None for place in places.at])
    group = waiting_alike(subject, out, asked)
    found = np.full(int(group.max(initial=-1)) + 1, -1, np.int64)
    open_ = np.zeros(len(asked), np.bool_)
    compared = 0
    if asked.size:
        seen = np.zeros(len(out.states), np.int32)
        compared = int(
            first_differing(
                asked,
                group,
                found,
                open_,
                out.graph.owner,
                places.join,
                places.code < 0,
                places.depth,
                edges.first,
                edges.target,
                seen,
                ORDER_WORK,
            )
        )
    left = np.flatnonzero(open_ & (found[group] < 0))
    games = compare_games(subject, out, asked[left].tolist(), group[left].tolist())
    matters = [(k, None) for k in found.tolist() if k >= 0] + list(games.forced.values())
    course = [x for group, x in games.courses.items() if group not in games.forced]
    places_told = sorted(matters, key=lambda x: (x[1] is None, x[0])) + sorted(course, key=itemgetter(0))
    findings = [order_finding(subject, out, bounds, k, said) for k, said in places_told]
    gravest_first = sorted(findings, key=lambda f: (f.stake or Stake.WORDING).place)
    return each_once(gravest_first), Examined(
        in_words(len(asked), len(asked) - compared + games.left, games.unknown),
        compared - games.left - games.unknown,
        "order",
    )


def in_words(asked: int, left: int, unknown: int) -> Text:
    """What was compared, and how many places were not, and why."""
    what = Text(ja="処理の順番を選ぶ場面", en="places where an order is chosen")
    why: list[Text] = []
    if left:
        why.append(Text(ja="残りは手間がかかりすぎるため比べていません", en="to compare the others takes too long"))
    if unknown:
        why.append(Text(ja=f"{unknown}か所は、調べた範囲の先へ続くため分かりません", en=f"in {unknown} play goes on beyond what was looked at"))
    if not why:
        return what
    ja, en = "。".join(x.ja for x in why), "; ".join(x.en for x in why)
    return Text(ja=f"{what.ja}（全{asked}か所のうち。{ja}）", en=f"{what.en} (of {asked}; {en})")


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


def order_finding(subject: Subject, out: Exploration, bounds: Bounds, k: int, said: Compared | None = None) -> Finding:
    """The finding that it matters what comes first in state k: results are others, or (`said`) the games are."""
    state = out.states[k]
    instr = ordering_at(subject, state.frames[-1][0], state.frames[-1][1])
    assert instr is not None
    at = subject.engine.point(state)
    assert at is not None
    told = told_order(subject, instr, at, state, at.options, said)
    stake = Stake.WORDING if said is not None and said.witness is None else stake_at(subject, out, k)
    if said is None:
        join = int(out.surveyed(subject.engine).places.join[k])
        outcomes = outcomes_of(
            subject, out, k, [frozenset(returns(subject, out, to, join)) for to in out.graph.targets(k)]
        )
    elif said.witness is None:
        outcomes = ()
    else:
        stake = Stake.WINNER if said.witness.wins else stake
        outcomes = forced_outcomes(
            subject, state, at, at.options, said.witness, lambda x: out.states[x] if isinstance(x, int) else None
        )
    return build(
        subject,
        FindingClass.ORDER,
        told.title,
        told.summary,
        told.clauses,
        play_to(out, k),
        out,
        bounds,
        told.question,
        hint=told.question is None,
        outcomes=outcomes,
        stake=stake,
    )


@dataclass(frozen=True)
class ToldOrder:
    """What a finding says of an order that matters; a question only where nobody is named who decides it."""

    title: Text
    summary: Text
    clauses: tuple[str, ...]
    question: Text | None


def told_order(
    subject: Subject,
    instr: ir.Choose,
    at: Point,
    state: State,
    options: Sequence[Option],
    said: Compared | None = None,
) -> ToldOrder:
    """The order in words: what is chosen at this place, which of the options can come first, and (`said`: results are the same) what comes
    of comparing games."""
    d = subject.describer
    who = d.decider(at, state) or Text(ja="", en="")
    nobody = isinstance(instr.owner, ir.ByNobody)
    clauses = tuple(dict.fromkeys((*(at.clause.split() if nobody else ()), *instr.at.clauses))) or tuple(
        dict.fromkeys(c for offer in instr.offers for c in offer.at.clauses))
    if not waiting_in(subject, instr):  # of what applies at once, and of nothing else that could
        kinds = {ir.Const(o[0]) for o in options}
        clauses = (
            tuple(dict.fromkeys(c for offer in instr.offers if offer.values[0] in kinds for c in offer.at.clauses))
            or clauses
        )
    order = order_words(subject, instr)
    question = Text(ja=f"{order.ja}は、誰が決めますか。", en=f"Who decides {order.en}?") if nobody else None
    texts = d.taken_apart(state, at)
    first = [texts[at.options.index(o)] for o in options]
    what = Text(ja="先に処理するもの: " + "／".join(x.ja for x in first) + "。",
                en="What can come first: " + " / ".join(x.en for x in first) + ".")
    if said is not None and said.witness is None:
        title = Text(ja=f"{order.ja}で進み方だけが変わりうる（決める人: {who.ja}）",
                     en=f"only the course of play can depend on {order.en} (who decides: {who.en})")
        then = only_course(said)
        question = None
    else:
        title = Text(ja=f"{order.ja}で結果が変わる（決める人: {who.ja}）", en=f"{order.en} matters (who decides: {who.en})")
        then = Text(ja="どれから始めるかで、処理が終わった時の状態が違います。", en="What the position is afterwards depends on it.")
        if said is not None:
            then = Text(ja="行き着きうる状態は同じですが、どれから始めるかで、誰が何を実現できるかが違います（全員がすべてを見ているものとします）。",
                        en="The same results can be reached, but who can bring them about depends on it (everybody is taken to see everything).")
    return ToldOrder(title, Text(ja=what.ja + then.ja, en=f"{what.en} {then.en}"), clauses, question)


def only_course(said: Compared) -> Text:
    """That games are not shown to be the same though nothing that was compared is different, and what was compared."""
    ja = "行き着きうる状態は同じですが、どれから始めるかで、誰が何を知って決めるかが違います。"
    en = "The same results can be reached, but who decides what, knowing what, depends on it."
    if said.loops:
        ja = "行き着きうる状態は同じですが、どれから始めても誰が何を知って決めるかが同じだとは示せませんでした。"
        en = "The same results can be reached, but it was not shown that the same is decided by the same players, knowing the same."
    if said.exhaustive:
        return Text(ja=f"{ja}各プレイヤーと全員について、どの結果の集まりを、どれだけ確かに実現できるかは、すべて同じです。",
                    en=f"{en} For each player and for all together, every set of results can be brought about as surely either way.")
    return Text(
        ja=f"{ja}各プレイヤーと全員について、結果の集まり{said.sets:,}通り（勝敗、一つ一つの結果など）をどれだけ確かに実現できるかを比べ、違いは示されませんでした。ほかの集まりは比べていません。",
        en=f"{en} For each player and for all together it was compared how surely {said.sets:,} sets of results (who wins, single results "
           "and others) can be brought about, and no difference was shown; other sets were not compared.")


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


def waiting_in(subject: Subject, instr: ir.Choose) -> list[str]:
    """What holds the things that are chosen between, if they wait."""
    return [c.name for c in subject.program.layout.containers.values() if c.type == instr.type and not c.is_pool]


def order_words(subject: Subject, instr: ir.Choose) -> Text:
    """What the order is called: by the book's word for `order of …` (what holds what waits), if it has one."""
    words = subject.describer.words.words
    held = waiting_in(subject, instr)
    if not held:
        return Text(ja="同時に当てはまる規則を処理する順", en="the order in which rules that apply at once are carried out")
    waiting = Text(ja="待機中の能力を処理する順", en="the order in which waiting abilities are played")
    return next((words[f"order of {name}"] for name in held if f"order of {name}" in words), waiting)


def goes_round(graph: Mapping[int, Sequence[int]]) -> bool:
    """Is there a cycle?"""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False
