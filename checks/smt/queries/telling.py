"""An answer of z3 as a finding: replayed in the interpreter first, then told like every other finding."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....model.engine.describe import Describer
from ....model.engine.interpreter import Interpreter, Traced
from ....model.engine.library import Book
from ....model.engine.state import End, Point, State
from ....model.ir.program import Container, Program, Zones
from ....spec.text import Text
from ...explore.ended import Ended, ToldEnd, told_end
from ...explore.subject import Subject
from ...findings.record import Bounds, Certainty, Finding, FindingClass, Origin, Play, PlayStep, Stake
from ...findings.severity import graded
from ...findings.words import ANYWHERE, ANYWHERE_TITLE
from ..numbers import Refused
from ..segments import Begin
from .position import Position
from .stops import ASKING, SETTLE, condition_of, each_situation

COMES = Text(ja="この局面から続けると、{what}所に達します。", en="Going on from this position comes to a place where {what}.")


class Disagreement(Refused):
    """The interpreter does not do what the terms say: a defect of ours."""


@dataclass(frozen=True)
class Happened:
    """What the interpreter makes of a position: how it ends, the state then, the clauses carried out, and what verdicts were asked about."""

    end: End
    state: State
    clauses: tuple[str, ...]
    together: tuple[tuple[str, End], ...] = ()
    """Endings that arise together: the rule and the end of each."""
    empty: Point | None = None
    """The choice that offers nothing, where it ends at one."""
    asked: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    within: Text | None = None
    """In the middle of what the position is, and what is chosen there; who chooses may be held by the procedure, and so is not known."""


def subject_of(book: Book, position: Position) -> Subject:
    """The position as a subject of checks."""
    readings = {
        name: answer for name, answer in position.world.readings.items()
        if name in position.program.consulted and book.readings[name].default.value != answer}
    return Subject(
        book=book.name,
        scenario=ANYWHERE,
        title=ANYWHERE_TITLE,
        program=position.program,
        engine=Interpreter(position.program),
        describer=Describer(position.program, position.world, book.vocabulary),
        positions=[position.slots],
        starts=(),
        readings=readings,
        certainty=Certainty.CONSTRUCTIBLE,
        origin=Origin.CARDS,
        invented_cards=any(c.definition.abilities for c in position.world.cards),
    )


def replayed(subject: Subject, rule: str, args: Sequence[int], key: tuple[str, ...]) -> Happened:
    """Carry the rule out in the position. Raises Disagreement if it does not end as `key` says."""
    slots = subject.positions[0]
    if rule == SETTLE:
        return endings(subject.program, subject.engine, slots)
    trace: list[Traced] = []
    subject.watched.forget()
    arrival = subject.watched.carry_out(rule.removesuffix(ASKING), slots, args, trace)
    end = arrival.state.end
    if end is None or (end.kind, end.detail) != key[:2]:
        raise Disagreement(f"{rule} の終わりは {end} で、{key} でない", f"{rule} ends as {end}, not as {key}")
    return Happened(
        end, arrival.state, tuple(dict.fromkeys(c for m in trace for c in m.at.clauses)), asked=subject.watched.asked,
        empty=subject.watched.empty,
    )


def replayed_under_way(
    subject: Subject, begin: Begin, state: State, option: tuple[int, ...], key: tuple[str, ...],
) -> Happened:
    """Go on in the position. Raises Disagreement if play does not end as `key` says."""
    trace: list[Traced] = []
    subject.watched.forget()
    after = carried_on(subject.watched, begin, state, option, trace)
    if after.end is None or (after.end.kind, after.end.detail) != key[:2]:
        raise Disagreement(
            f"{begin.function} の終わりは {after.end} で、{key} でない", f"{begin.function} ends as {after.end}, not as {key}"
        )
    d, fn = subject.describer, subject.program.functions[begin.function]
    rule, at = d.words.rule(fn.rule), subject.engine.point(state) if begin.kind == "label" else None
    chosen = d.taken(state, at, option) if at is not None and at.type is not None else None
    return Happened(
        after.end,
        after,
        tuple(dict.fromkeys(c for m in trace for c in m.at.clauses)),
        asked=subject.watched.asked,
        empty=subject.watched.empty,
        within=Text(ja=f"「{rule.ja}」の途中" + (f"で、選ばれるもの: {chosen.ja}" if chosen is not None else ""),
                    en=f"in the middle of “{rule.en}”" + (f", where this is chosen: {chosen.en}" if chosen is not None else "")),
    )


def endings(program: Program, engine: Interpreter, slots: Sequence[int]) -> Happened:
    """The endings that arise together in the position."""
    state = State(tuple(slots), ())
    found: list[tuple[str, End]] = []
    clauses: list[str] = []
    for name, args in each_situation(program):
        condition = condition_of(program, name)
        if condition is None or engine.evaluate(condition, state, args) == 1:
            trace: list[Traced] = []
            end = engine.carry_out(name, slots, args, trace).state.end
            if end is not None and end.kind in ("win", "draw"):
                found.append((name, end))
                said = () if condition is None else program.functions[condition].code
                clauses += [c for m in trace for c in m.at.clauses] or [c for i in said for c in i.at.clauses]
    if len({end[:2] for _, end in found}) < 2:
        raise Disagreement(f"同時に起こる決着は {found}", f"the endings that arise together are {found}")
    return Happened(End("conflict"), state, tuple(dict.fromkeys(clauses)), tuple(found))


def finding_of(subject: Subject, happened: Happened, bounds: Bounds) -> Finding:
    """The finding, with the position and what is carried out in it."""
    said = together(subject, happened) if happened.together else told_end(
        subject,
        Ended(happened.state, happened.end, happened.clauses[-1:], happened.asked, empty=happened.empty),
        COMES,
    )
    before = State(tuple(subject.positions[0]), ())
    changes = subject.describer.changes(before, happened.state)
    step = PlayStep(0, None, None, (), happened.clauses, changes)
    found = subject.finding(said.cls, said.title, said.summary, said.clauses, Play((step,), (), said.told), bounds)
    return graded(replace(
        found, title=said.shown or said.title, question=said.question, stake=said.stake,
        position=drawn(subject, happened.within), cards=(), invented_cards=False), subject.origin)


def drawn(subject: Subject, within: Text | None = None) -> Text:
    """The position, with what is never shown in play where it is not as at first; `within` what it is, if it is in the middle of something."""
    d = subject.describer
    slots = subject.positions[0]
    lines = [d.position(State(tuple(slots), ()))]
    for name, node in d.layout.fields.items():
        if d.words.hides(name) and not isinstance(node, Zones | Container):
            for label, slot, of in d.scalars(name, node):
                if slots[slot] != d.layout.slots[slot].initial:
                    said = d.value(of, slots[slot])
                    lines.append(Text(ja=f"{label.ja}: {said.ja}", en=f"{label.en}: {said.en}"))
    lines = [line for line in lines if line.en] or [NOTHING_LIES]
    if within is not None:
        lines = [within, *lines]
    return Text(ja="\n".join(x.ja for x in lines), en="\n".join(x.en for x in lines))


NOTHING_LIES = Text(ja="カードはどこにもなく、値は初めのまま", en="no card anywhere, and every value as at first")


def together(subject: Subject, happened: Happened) -> ToldEnd:
    """Endings that arise together, in words."""
    ends = list(dict.fromkeys(subject.describer.ending(e) for _, e in happened.together))
    ja, en = " と ".join(e.ja for e in ends), " and ".join(e.en for e in ends)
    clauses = happened.clauses
    return ToldEnd(
        FindingClass.CONFLICT,
        Text(ja=f"{ja}が同時に成り立ち、どちらが先かを定める条文がない",
             en=f"{en} at the same time, and no clause says which comes first"),
        Text(ja=f"この局面では、{ja}が同時に成り立ちます。どちらを先に当てはめるか、誰がそれを決めるかを定める条文はありません。",
             en=f"In this position {en} hold at the same time. No clause says which is applied first, or who decides that."),
        clauses,
        Text(ja="同時に成り立つとき、どう決着しますか。", en="How is it decided when both hold at once?"),
        Text(ja=f"{' と '.join(clauses)} から、{ja}", en=f"by {' and '.join(clauses)}: {en}"),
        Stake.WINNER,
    )


def carried_on(
    engine: Interpreter, begin: Begin, state: State, option: tuple[int, ...], trace: list[Traced] | None = None,
) -> State:
    """What the interpreter comes to from the beginning of a piece, as if nobody had called its procedure."""
    return engine.apply(state, option if begin.kind == "label" else None, trace).state
