"""Loops over cards whose order shows in play, though nobody decides it: told as a fault of the encoding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import Option, State
from ...model.lang.passes import loop_body
from ...spec.text import Text
from ..findings.record import Bounds, Examined, Finding, FindingClass, Outcome
from .explorer import Exploration, play_to
from .more_plays import real_way
from .other_findings import build
from .rounds import Loop, Rounds, Shown
from .subject import Subject


def round_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """Of each loop that leads elsewhere the other way round: the first move after which it is shown that play can go on otherwise."""
    rounds, found = out.rounds, dict[Loop, Finding]()
    tried = 0
    if rounds is not None:
        tried = sum(rounds.tried.values())
        for shown in rounds.shown:
            if shown.loop not in found and rounds.goes_on_otherwise(shown.after, shown.turned):
                found[shown.loop] = round_finding(subject, out, bounds, rounds, shown)
    return list(found.values()), Examined(
        Text(ja="カードを逆の順番でも処理してみた手順", en="moves tried with cards gone through the other way round, too"), tried, "")


def round_finding(subject: Subject, out: Exploration, bounds: Bounds, rounds: Rounds, shown: Shown) -> Finding:
    """The finding that the order shows in which a loop goes through cards."""
    name, place = shown.loop
    rule = subject.program.functions[name]
    head = rule.code[place].at
    clauses = dict.fromkeys(c for k in (place, *loop_body(rule, place)) for c in rule.code[k].at.clauses)
    path = [(0, (shown.start,))] if len(subject.starts) > 1 else []
    if shown.before is not None:
        k = next(k for k in range(len(out.states)) if out.states[k] == shown.before)
        path = [*play_to(out, k), (k, shown.option)]
    return build(
        subject,
        FindingClass.DEFECT,
        Text(ja=f"`{name}` でカードを処理する順番によってその後が変わるが、順番を決める人がいない",
             en=f"in what order `{name}` goes through cards changes what follows, and nobody decides it"),
        Text(
            ja=f"{head.file}:{head.line} の繰り返しは、書かれたとおりではカードの番号順に処理します。逆の順番で処理すると、その後の選択か結末が違います。"
               "誰かに一つずつ選ばせるか、`with simultaneously():` で同時にするか、その順番を規則で定めてください。",
            en=f"The loop at {head.file}:{head.line} goes through cards by their numbers. The other way round, later choices or the end of play "
               "are different. Let somebody choose one at a time, write `with simultaneously():`, or lay the order down."),
        tuple(clauses),
        path,
        out,
        bounds,
        outcomes=in_each_order(subject, path, rounds, shown),
    )


def order_shows(subject: Subject, start: int, way: Sequence[tuple[State, Option]]) -> bool:
    """Is it shown of the last move of a play (or of what comes before the first) that play can go on otherwise if one of its loops goes the other
    way round?"""
    rounds = Rounds(subject.engine, subject.symmetry)
    if way:
        rounds.apply(*way[-1])
    else:
        rounds.begin([subject.positions[start]])
    return any(rounds.goes_on_otherwise(x.after, x.turned) for x in rounds.shown)


def in_each_order(
    subject: Subject, path: Sequence[tuple[int, Option]], rounds: Rounds, shown: Shown,
) -> tuple[Outcome, ...]:
    """What the move brings about in each order; nothing where no difference can be told."""
    start, way = real_way(subject, path)
    after = way[-1][0]
    slots = subject.positions[start]
    before, do = State(tuple(slots), ()), partial(Interpreter.start, rounds, slots)
    if shown.before is not None:
        before, option = way[-2]
        do = partial(Interpreter.apply, rounds, before, option)
    first, other = (
        subject.describer.changes(before, then, plainly=True) for then in (after, rounds.with_turned([shown.loop], do)))
    if first == other:
        return ()
    return (
        Outcome(Text(ja="書かれた順番", en="as it is written"), tuple(x for x in first if x not in other)),
        Outcome(Text(ja="逆の順番", en="the other way round"), tuple(x for x in other if x not in first)),
    )
