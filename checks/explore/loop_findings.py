"""From loops of the graph to findings: real lassos, who can stop them, in words (`loop_clauses`: what the book's own clause says)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...model.engine.describe import LUCK
from ...model.engine.state import Option, State
from ...model.engine.vocabulary import join
from ...spec.text import Text
from ..findings.identity import each_once, finding_id
from ..findings.record import (
    Bounds,
    ClauseVerdict,
    Condition,
    Finding,
    FindingClass,
    Play,
    PlayStep,
    WhoCanStop,
    said_together,
)
from . import loops as graph_loops
from .arrays import Numbers
from .conditions import conditions_of
from .end_components import Doubt
from .explorer import Exploration
from .growth import Cells, apart, cells_of, covered, first_time_round, growing_lasso
from .loop_clauses import acted_out, apply_loop_clause, loop_facts, stake_of
from .loops import Loop, Regions
from .more_plays import Collected, collected, paths_to, target_of
from .owned_graph import Scope
from .subject import Subject

COUNTS = {2: "two", 3: "three"}
MOST_BACK = 4
"""Of more numbers that change and change back, the rest are counted."""
MOST_ALIKE = 200
"""Loops of one form of which plays are made at most."""
FEW_CARDS = 4
"""More cards than this are not named in a summary."""
FEW_CHOICES = 2
"""More choices than this are only counted in a summary."""
PREPARATION = Text(ja="準備", en="the preparation")
"""The part of a game before its first turn."""


Signature = tuple[frozenset[tuple[int, int]], frozenset[str]]
"""By what loops are alike: the labels that play comes to, and the groups of slots that change."""
Told = Callable[[Subject, Exploration, Numbers], bool]
"""Was the loop of these states told of?"""


class NotReal(AssertionError):
    """A loop among representatives of states was not found again among real ones: no finding may be made of it."""


def loop_findings(
    subject: Subject,
    out: Exploration,
    bounds: Bounds,
    told: Told = lambda subject, out, states: False,
    further: Callable[[int], bool] = lambda state: False,
    unshown: list[Loop] | None = None,
) -> list[Finding]:
    """All distinct loops that were explored, as findings; not those that were `told` of already. `further`: the states that stand
    for others, at larger counters or deeper calls; a loop that grows there is not told again at smaller values. `unshown`: given those
    of which no real play was found."""
    every = graph_loops.find_loops(out.graph, told=partial(told, subject, out))
    rank = list(WhoCanStop)
    counters = cells_of(subject.saturated)
    looks: list[tuple[Loop, frozenset[State]]] = []
    grown: list[Finding] = []
    regions = Regions(out.graph)

    def shown(make: Callable[[], Finding], loop: Loop) -> list[Finding]:
        try:
            return [make()]
        except NotReal:
            if unshown is not None:
                unshown.append(loop)
            return []

    def told_of(loop: Loop) -> bool:
        return covered(
            (out.states[k] for k in loop.states), [look for x, look in looks if says_more(x, loop, regions)], counters
        )

    for loop in sorted((x for x in every if any(map(further, x.states))), key=lambda x: rank.index(x.verdict)):
        if not told_of(loop):
            grown += shown(partial(growing_or_settled_finding, subject, out, loop, bounds, counters, regions), loop)
            looks.append((loop, frozenset(apart(out.states[k], counters) for k in loop.states)))
    loops = [x for x in every if not any(map(further, x.states)) and not told_of(x)]
    grouped = graph_loops.group(loops, lambda loop: signature(subject, out, loop.states))
    found = [(f, loop) for loop in grouped for f in shown(partial(loop_finding, subject, out, loop, bounds), loop)]
    if subject.show > 1:
        found = [(replace(f, more=more_lassos(subject, out, f, loop, loops)), loop) for f, loop in found]
    findings = each_once([*grown, *(f for f, _ in found)])
    return [*findings, *disagreements(findings)]


def says_more(one: Loop, other: Loop, regions: Regions) -> bool:
    """Do the same players keep the first loop going; or do fewer, and can these keep play going from all of the other?"""
    return one.possible == other.possible or (
        all(any({*few} <= {*all_of} for few in one.possible) for all_of in other.possible)
        and all(regions.of(few, other.scope)[other.states.array].all() for few in one.possible))


def more_lassos(
    subject: Subject, out: Exploration, finding: Finding, shown: Loop, loops: Sequence[Loop],
) -> tuple[Play, ...]:
    """Other plays that show a loop: loops of the same form, the shortest first; then other ways to the loops."""
    if finding.hint:
        return ()
    room = collected(subject, finding.play)
    same = signature(subject, out, shown.states)
    alike = [x for x in loops if (x.verdict, x.keepers, x.possible) == (shown.verdict, shown.keepers, shown.possible)
             and signature(subject, out, x.states) == same]
    alike.sort(key=lambda loop: (len(loop.stem) + len(loop.cycle), len(loop.cycle)))
    for loop in alike[:MOST_ALIKE]:
        if not room.full:
            add_lasso(subject, room, options_along(out, loop.stem), options_along(out, loop.cycle))
    around = {loop.cycle[0].state: options_along(out, loop.cycle) for loop in reversed(alike[:MOST_ALIKE])}
    for path in paths_to(out, list(around)):
        if room.full:
            break
        add_lasso(subject, room, [option for _, option in path], around[target_of(out, path)])
    return tuple(room.plays)


def add_lasso(subject: Subject, room: Collected, stem: Sequence[Option], cycle: Sequence[Option]) -> None:
    """Add the play along a stem and around a cycle, if it closes."""
    start = 0
    if len(subject.starts) > 1 and stem:
        start, stem = stem[0][0], stem[1:]
    lasso = subject.unroll(stem, cycle, start)
    if lasso is not None:
        before, turn = subject.tell_all(lasso[0], opening=start)
        around, _ = subject.tell_all(lasso[1], turn)
        room.add(Play(tuple(before), tuple(around), rounds=len(lasso[1]) // len(cycle)))


def disagreements(findings: Sequence[Finding]) -> list[Finding]:
    """Where the book's clauses about endless loops say different things of one loop, and nothing ranks them: a
    conflict of its own, shown by the same play."""
    out: list[Finding] = []
    for f in findings:
        said = [v for v in f.clause_verdicts if v.answer == "applies"]
        if len({v.effect for v in said}) < 2:
            continue
        clauses = tuple(v.clause for v in said)
        names = Text(ja=" と ".join(clauses), en=" and ".join(clauses))
        what = Text(
            ja="".join(f"\n・{v.clause} に従うなら: {v.effect.ja}。" for v in said if v.effect is not None),
            en="".join(f"\n- By {v.clause}: {v.effect.en}." for v in said if v.effect is not None),
        )
        title = Text(
            ja=f"終わらない循環に {names.ja} がともに当てはまる", en=f"{names.en} both apply to an endless loop"
        )
        out.append(
            replace(
                f,
                id=finding_id(f.book, FindingClass.CONFLICT, clauses, None, title),
                cls=FindingClass.CONFLICT,
                title=title,
                summary=Text(
                    ja=f"「前提の解釈」のもとでは、この循環に{len(said)}つの条文が当てはまり、その後に起こることが違います。{what.ja}\n"
                    "優先を定める条文はありません。繰り返しの手順は、循環についての条文をまだ当てはめないものとして示します。",
                    en=f"Under the readings assumed, {COUNTS.get(len(said), len(said))} clauses apply to this loop, and what follows from them differs.{what.en}\n"
                    "No clause says which takes precedence. The repetition is told as play goes before any of them is applied.",
                ),
                clauses=clauses,
                related=f.clauses,
                growing=f.growing,
                question=Text(ja=f"{names.ja} のどちらを優先しますか。", en=f"Which of {names.en} takes precedence?"),
            )
        )
    return out


def signature(subject: Subject, out: Exploration, states: Numbers) -> Signature:
    """Equal loops have the same labels and change the same slots."""
    survey, slots = out.surveyed(subject.engine), subject.program.layout.slots
    return frozenset(survey.places.met(states.array)), frozenset(slots[k].group for k in survey.changing(states.array))


def options_along(out: Exploration, steps: Sequence[graph_loops.Step]) -> list[Option]:
    """The options taken along a walk of the graph."""
    found: list[Option] = []
    for s in steps:
        label = out.graph.label[s.edge]
        assert isinstance(label, tuple)
        found.append(label)
    return found


def lasso_along(subject: Subject, out: Exploration, loop: Loop) -> tuple[int, list[Option], list[Option], list[State]]:
    """The lasso of representatives by which a loop is shown: which of the starts it begins from, the options before its round and of it, and the
    representative that each of these leads to."""
    stem, cycle = options_along(out, loop.stem), options_along(out, loop.cycle)
    into = [out.states[int(out.graph.target[s.edge])] for s in (*loop.stem, *loop.cycle)]
    if len(subject.starts) > 1 and stem:
        return stem[0][0], stem[1:], cycle, into[1:]
    return 0, stem, cycle, into


def loop_finding(subject: Subject, out: Exploration, loop: Loop, bounds: Bounds) -> Finding:
    """One loop as a finding. Its lasso is replayed without symmetry."""
    start, stem, cycle, _ = lasso_along(subject, out, loop)
    lasso = subject.unroll(stem, cycle, start)
    if lasso is None:
        raise NotReal("a lasso of representatives does not close")
    return finding_of(subject, lasso[0], lasso[1], loop, bounds, start=start, rounds=len(lasso[1]) // len(cycle))


def growing_or_settled_finding(
    subject: Subject, out: Exploration, loop: Loop, bounds: Bounds, counters: Cells, regions: Regions
) -> Finding:
    """One loop through states that stand for others, as a finding: it grows, or closes at counters that have come to stand still."""
    start, stem, cycle, into = lasso_along(subject, out, loop)
    kept = frozenset(out.states[k] for k in np.flatnonzero(regions.alike(loop)).tolist())
    if (closed := subject.unroll(stem, cycle, start, into)) is not None:
        return finding_of(subject, *first_time_round(subject, counters, *closed, kept), loop, bounds, start)
    grown = growing_lasso(subject, start, stem, cycle, into, kept)
    if grown is None:
        raise NotReal("a loop of representatives is none of real states")
    before, around, growth = grown
    return finding_of(subject, before, around, loop, bounds, start, growth.words(subject))


def finding_of(
    subject: Subject,
    stem: Sequence[tuple[State, Option]],
    cycle: Sequence[tuple[State, Option]],
    loop: Loop,
    bounds: Bounds,
    start: int = 0,
    growing: Text | None = None,
    rounds: int = 1,
) -> Finding:
    """The finding for a real lasso. `growing` says what grows, for a loop that never comes back to the same state; `rounds` of
    how many parts the cycle consists that are the same up to equal cards."""
    d = subject.describer
    before, turn = subject.tell_all(stem, opening=start)
    around, _ = subject.tell_all(cycle, turn)
    back: dict[int, Text] = {}
    if not any(step.changes for step in around):  # else the steps tell what it is about
        back = {slot: said for step in cycle for slot, said in subject.turned_back(*step).items()}
    keepers = loop.verdict
    head = cycle[0][0]
    inside = scope_function(subject, [s for s, _ in cycle])
    place = (
        PREPARATION if all(d.before_turns(s) for s, _ in cycle) else d.words.of(subject.program.functions[inside].rule)
    )
    level = {1: "step", 2: "phase", 3: "turn"}.get(subject.program.functions[inside].scope, "game")
    clauses = subject.decisive_clauses(cycle)
    stopper = who_can_stop(subject, loop, head)
    title = title_of(keepers, place, growing)
    turning = acted_out(subject, cycle)
    facts = loop_facts(subject, cycle, loop, growing is not None, turning)
    book_says = apply_loop_clause(subject, head, facts, turning)
    readings = subject.readings_behind(clauses)
    silent = bool(book_says) and all(v.answer == "does not apply" for v in book_says)
    said = [v for v in book_says if v.answer == "applies" and v.effect is not None]
    conditions = conditions_of(subject, cycle) if loop.verdict is WhoCanStop.NOBODY else ()
    where = Text(ja=f"{place.ja}で", en=f"In {place.en}")
    if loop.scope is Scope.GAME and d.turn_slot is not None:
        where = Text(ja="ターンをまたいで", en="From turn to turn")
    summary = summary_of(
        around, where, growing, silent if book_says else None, said, bool(subject.policies), conditions,
        [*back.values()],
    )
    play = Play(tuple(before), tuple(around), rounds=rounds)
    return replace(
        subject.finding(FindingClass.LOOP, title, summary, clauses, play, bounds, start, keepers),
        readings=readings,
        moment=d.position(head, brief=True, begun=subject.positions[start], also=back),
        stopper=stopper,
        scope=place,
        level=level,
        growing=growing is not None,
        copies=loop.count,
        hint=loop.verdict is WhoCanStop.EITHER,
        clause_verdicts=book_says,
        stake=stake_of(book_says),
        figures=subject.figures.looked_at(cycle),
        assumptions=subject.assumptions,
        question=question_of(keepers, place, clauses, said),
        unknown_because=why_unknown(subject, loop),
        goes_on=still_going(subject, loop, head, place),
        conditions=conditions,
        facts=facts,
    )


# ---------------------------------------------------------------- words
def scope_function(subject: Subject, states: Sequence[State]) -> str:
    """The innermost procedure, with a scope of its own if there is one, that stays open all around the cycle."""
    names = list(subject.program.functions)
    common = min((len(s.frames) for s in states if s.frames), default=0)
    best = subject.program.entry
    for k in range(common):
        here = {s.frames[k][0] for s in states}
        if len(here) > 1:
            break
        name = names[here.pop()]
        if subject.program.functions[name].scope:
            best = name
    return best


def title_of(keepers: WhoCanStop, place: Text, growing: Text | None) -> Text:
    """What happens at the table."""
    place = Text(ja=place.ja, en=place.en[:1].upper() + place.en[1:])
    if growing is not None and keepers is not WhoCanStop.NOBODY:
        may = Text(ja="終わらなくなるかもしれず", en="may never end") if keepers is WhoCanStop.UNKNOWN else Text(
            ja="終わりなく続けられ", en="can be kept going for ever")
        return Text(ja=f"{place.ja}{'が' if keepers is WhoCanStop.UNKNOWN else 'を'}{may.ja}、{growing.ja}", en=f"{place.en} {may.en}: {growing.en}")
    if growing is not None:
        match keepers:
            case WhoCanStop.NOBODY:
                return Text(ja=f"{place.ja}が終わらず、{growing.ja}", en=f"{place.en} never ends: {growing.en}")
            case WhoCanStop.UNKNOWN:
                return Text(ja=f"{place.ja}が終わらないかもしれず、{growing.ja}", en=f"{place.en} may never end: {growing.en}")
            case _:
                return Text(ja=f"{place.ja}を終わりなく続けられ、{growing.ja}", en=f"{place.en} can be kept going for ever: {growing.en}")
    match keepers:
        case WhoCanStop.NOBODY:
            return Text(ja=f"{place.ja}が終わらなくなる", en=f"{place.en} never ends")
        case WhoCanStop.UNKNOWN:
            return Text(ja=f"{place.ja}が終わらなくなるかもしれない", en=f"{place.en} may never end")
        case _:
            return Text(ja=f"{place.ja}を終わりなく続けられる", en=f"{place.en} can be kept going for ever")


SHUFFLED = Text(ja="シャッフルしたものの並びを除き、", en=" but for the order of what was shuffled")


def summary_of(
    around: Sequence[PlayStep],
    where: Text,
    growing: Text | None,
    silent: bool | None,
    said: Sequence[ClauseVerdict],
    scripted: bool,
    conditions: Sequence[Condition] = (),
    back: Sequence[Text] = (),
) -> Text:
    """What happens, what keeps it going, and what the book says of it. `silent`: no clause about loops applies; None: there is none. `back`:
    numbers that change on the way and change back, where the steps tell of nothing."""
    n, but = len(around), SHUFFLED if any(step.shuffled for step in around) else Text.same("")
    if growing is not None:
        same = Text(
            ja=f"{where.ja}、{n}手順ごとに{growing.ja.removesuffix('る')}ます。{but.ja}ほかは元どおりなので、同じ手順が続きます。",
            en=f"{where.en}, with every {f'{n} steps' if n > 1 else 'step'} {growing.en}; all else is as before{but.en}, so the same steps follow again.",
        )
    else:
        same = Text(
            ja=f"{where.ja}、{but.ja}局面が完全に元へ戻り、同じことが繰り返されます。",
            en=f"{where.en}, the position comes back exactly as it was{but.en}, and the same happens again.",
        )
    parts = [same, who_chooses(around, scripted)]
    if back:
        names, more = join(back[:MOST_BACK]), len(back) - MOST_BACK
        parts.insert(1, Text(ja=f"途中で{names.ja}{f'、ほか{more}つの値' if more > 0 else ''}が変わりますが、元に戻ります。",
                             en=f"These change on the way, and change back: {names.en}{f', {more} more' if more > 0 else ''}."))
    at = len(parts) - 1
    failing = [c for c in conditions if not c.met]
    rest = [c for c in failing if c.failing is None]
    if failing:
        parts[at:at] = [*(why_not_ended([c]) for c in failing if c.failing), *([why_not_ended(rest)] if rest else [])]
    if (cards := cards_in(around)) is not None:
        parts.append(Text(ja=f"関わるカード: {cards.ja}。", en=f"Cards involved: {cards.en}."))
    if silent is None:
        parts.append(Text(
            ja="循環をどう終わらせるかを定めた条文は、この本にありません。", en="The book has no clause that says how an endless loop ends."))
    elif silent:
        parts.append(Text(
            ja="循環についての条文はどれも当てはまらず、どう終わらせるかが定められていません。",
            en="No clause about endless loops applies, so nothing says how it ends."))
    if (follows := said_together(said)) is not None:
        parts.append(Text(ja=f"文面どおりなら: {follows.ja}。", en=f"As written: {follows.en}."))
    return Text(ja="".join(p.ja for p in parts), en=" ".join(p.en for p in parts))


def why_not_ended(conditions: Sequence[Condition]) -> Text:
    """Conditions that would have to be met for the repetition to end, and are not: one with the book's sentence for that, or all of
    those for which it has none."""
    clause, said = " ".join(conditions[0].clauses), conditions[0].failing
    if said is not None:
        return Text(ja=f"{said.ja}（{clause}）。", en=f"{said.en} ({clause}).")
    ja = "、".join(f"「{c.says.ja}」" + (f"（{c.because}）" if c.because else "") for c in conditions)
    en = "; ".join(c.says.en + (f" ({c.because})" if c.because else "") for c in conditions)
    return Text(ja=f"{clause} の終了条件のうち、{ja}が満たされません。",
                en=f"Of the conditions of {clause} for its end, not met: {en}.")


def cards_in(around: Sequence[PlayStep]) -> Text | None:
    """The cards of which the changes in a repetition tell; None if there are none, or too many to name."""
    ja = dict.fromkeys(name for s in around for c in s.changes for name in re.findall("「[^「」]+」", c.ja))
    en = dict.fromkeys(name for s in around for c in s.changes for name in re.findall("“[^“”]+”", c.en))
    if not 0 < len(en) <= FEW_CARDS or len(ja) != len(en):
        return None
    return Text(ja="、".join(ja), en=", ".join(en))


def who_chooses(around: Sequence[PlayStep], scripted: bool) -> Text:
    """Who chooses what in the repetition, or that nobody does."""
    chosen = dict.fromkeys((s.decider, s.chosen) for s in around
                           if s.decider not in (None, LUCK) and s.chosen is not None)
    if not chosen:
        if scripted:
            return Text(ja="その間、誰かが選択をする場面はありません。", en="Nobody is asked to choose anything meanwhile.")
        return Text(ja="その間、誰にも選択の余地はありません。", en="Nobody has a choice meanwhile.")
    if len(chosen) > FEW_CHOICES:
        n = sum(s.decider is not None for s in around)
        return Text(ja=f"その間に選択は{n}回あります。", en=f"There are {n} choices meanwhile.")
    ja = "、".join(f"{who.ja}: {what.ja}" for who, what in chosen if who and what)
    en = "; ".join(f"{who.en}: {what.en}" for who, what in chosen if who and what)
    return Text(ja=f"その間に選ばれるもの……{ja}。", en=f"What is chosen meanwhile: {en}.")


def who_can_stop(subject: Subject, loop: Loop, state: State) -> Text | None:
    """The players who can stop the loop, in words; None where nobody can or it is not known."""
    d = subject.describer
    match loop.verdict:
        case WhoCanStop.ONE:
            return d.player(loop.keepers[0][0], state)
        case WhoCanStop.TOGETHER:
            return Text(ja="両プレイヤーが揃ったときだけ", en="both players, only together")
        case WhoCanStop.EITHER:
            return Text(ja="どちらのプレイヤーも", en="either player")
        case _:
            return None


def still_going(subject: Subject, loop: Loop, state: State, place: Text) -> Text | None:
    """Who besides the one player who can leave the loop can keep play going from somewhere in it; None if nobody."""
    if not loop.besides:
        return None
    who = subject.describer.player(loop.besides[0][0], state)
    if loop.besides_unsure:
        return Text(ja=f"{who.ja}も別のやり方で{place.ja}を続けさせることができるかどうかは、分かりません。",
                    en=f"Whether {who.en}, too, can keep {place.en} going in another way is not known.")
    return Text(
        ja=f"ただし{who.ja}も、途中から別のやり方で{place.ja}を続けさせることができるので、この循環をやめるだけで{place.ja}が終わるとは限りません。",
        en=f"But {who.en}, too, can keep {place.en} going in another way, from some point of it, so to leave this repetition need not end it.")


def question_of(keepers: WhoCanStop, place: Text, clauses: Sequence[str], said: Sequence[ClauseVerdict]) -> Text:
    """The one thing the authors have to answer."""
    if len(said) == 1 and said[0].effect is not None:
        v, first = said[0], clauses[0] if clauses else ""
        assert v.effect is not None
        return Text(
            ja=f"{v.clause}（{v.effect.ja}）のとおりでよいですか。よくなければ、繰り返しのもとになる {first} を改めますか。",
            en=f"Is what {v.clause} says ({v.effect.en}) what you want? If not: should {first}, from which it repeats, change?",
        )
    if len(said) > 1:
        which = ("どちら", "both") if len(said) == 2 else ("どれ", "all")
        return Text(
            ja=f"{'、'.join(v.clause for v in said)} がともに当てはまります。{which[0]}に従いますか。",
            en=f"{', '.join(v.clause for v in said)} {which[1]} apply: which of them is to be followed?",
        )
    if keepers in (WhoCanStop.NOBODY, WhoCanStop.UNKNOWN):
        return Text(
            ja=f"この循環を、どの条文で終わらせますか（{place.ja}の終了条件を改めるか、引き分けと定めるか）。",
            en=f"Which clause should end this loop: change when {place.en} ends, or declare a draw?",
        )
    return Text(
        ja="この循環を続けることを許しますか。許さないなら、どの行動を何回までとしますか。",
        en="May a player go on with this loop? If not, which action is limited, and to how many times?",
    )


def why_unknown(subject: Subject, loop: Loop) -> Text | None:
    if loop.verdict is not WhoCanStop.UNKNOWN or not loop.causes:
        return None
    kinds = [DOUBTS[d] for d in sorted({c.doubt for c in loop.causes}, key=lambda d: d.value)]
    n = len(loop.causes)
    return Text(
        ja=f"決め手となる未確定の箇所が {n} か所あります（{'、'.join(x.ja for x in kinds)}）",
        en=f"{n} undecided places matter ({', '.join(x.en for x in kinds)})",
    )


DOUBTS = {
    Doubt.OPEN_CHOICE: Text("誰が決めるかを規則が言っていない", "the rules do not say who decides"),
    Doubt.BOUND_EXCEEDED: Text("数や件数などの上限を超えて先へ続く", "play goes on beyond a limit of numbers or entries"),
    Doubt.UNEXPLORED: Text("先を調べていない", "what follows was not looked at"),
    Doubt.READING: Text("解釈によって先が変わる", "play goes on under a reading of the rules"),
}
