"""Which readings a finding hangs on: those that its play asks for where it happens, and the book's clauses about it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...model.engine.effects import Effects
from ...model.engine.interpreter import Interpreter
from ...model.engine.library import load_book
from ...model.engine.state import State
from ...model.engine.table import Table, open_table
from ...model.engine.values import Value
from ...model.ir import nodes as ir
from ...model.ir.types import RecordType
from ...spec.readers import Numbers, Reading, Scenario
from ...spec.schema import Located
from ...spec.text import Text
from ..explore.loop_clauses import LOOP_QUESTION
from ..explore.subject import Subject
from ..findings.page import idle_readings
from ..findings.record import CheckResult, Finding, FindingClass, Play, PlayStep

NO_OTHER: Mapping[str, str] = {}


class _Noting(Effects):
    """Notes which readings are looked at."""

    def __init__(self, like: Effects, names: Mapping[int, str], seen: set[str]) -> None:
        self.names = names
        self.seen = seen
        super().__init__(like.program, like.call, like.sweep, like.result)

    def value(self, e: ir.Expr) -> Value:
        plain = super().value(e)
        if not (isinstance(e, ir.Load) and e.base in self.names):
            return plain
        name, seen = self.names[e.base], self.seen

        def noting(g: list[int], f: list[int]) -> int:
            seen.add(name)
            return plain(g, f)
        return noting


class Consulted(Interpreter):
    """The reference engine on a program in which readings are looked up as it plays, with the answers in place: `seen` are
    those that were looked at."""

    def __init__(self, table: Table) -> None:
        self.seen: set[str] = set()
        super().__init__(table.program, table.scripts, card_ids=table.engine.card_ids)
        self.effects = _Noting(
            self.effects, {slot: name for name, slot in table.program.reading_slots.items()}, self.seen
        )


@dataclass
class Asking:
    """A scenario in which it can be seen which readings a play asks for."""

    subject: Subject
    known: Mapping[str, Reading]
    table: Table
    engine: Consulted

    def behind(self, finding: Finding) -> dict[str, str] | None:
        """The readings that are asked for where the finding happens, with the answers in force: in what repeats, or in the last
        step of the play. A number is worked into the rules, so that nobody sees it asked for: it counts as asked for where
        another reading about one of its clauses is. None where the play cannot be followed."""
        asked = self.asked(finding)
        if asked is None:
            return None
        about = {c.value for r in asked for c in self.known[r].clauses}
        numbers = {name for name, r in self.known.items() if isinstance(r.answers, Numbers)
                   and name in self.table.program.consulted and about & {c.value for c in r.clauses}}
        return {r: self.answer(r) for r in sorted(asked | numbers)}

    def answer(self, reading: str) -> str:
        """The answer in force."""
        return self.table.readings.get(reading, self.known[reading].default.value)

    def asked(self, finding: Finding) -> set[str] | None:
        """What the play asks for, from the first of the positions from which it can be followed."""
        for start in range(len(self.table.positions)):
            found = self.along(start, finding)
            if found is not None:
                return found
        return None

    def way_to(
        self, start: int, finding: Finding, other: Mapping[str, str] = NO_OTHER, before: int | None = None,
    ) -> tuple[State | None, Sequence[PlayStep]]:
        """The state in which what is found begins, in the play from this position, and the steps from there on; no state where
        the play cannot be followed. `other`: answers that are not those in force; `before`: with so many steps of the play only."""
        program, play = self.table.program, finding.play
        slots = list(self.table.positions[start])
        for name, slot in program.reading_slots.items():
            slots[slot] = program.readings[name].index(other.get(name, self.answer(name)))
        state: State | None = self.engine.start(slots).state
        opened = int(bool(play.stem) and self.subject.opening(start) is not None)
        way = play.stem[opened:]
        leading, there = (way, play.cycle) if play.cycle else (way[:-1], way[-1:])
        for step in leading if before is None else leading[:max(0, before - opened)]:
            state = self.after(state, step)
        return state, there

    def elsewhere(self, finding: Finding) -> tuple[str, ...]:
        """The answers (`reading=answer`) under which the play never comes to where the finding happens: what they change lies
        before it, or has nothing to do with it."""
        out: list[str] = []
        for name in self.table.program.reading_slots:
            if name not in finding.readings:
                continue
            for answer in self.table.program.readings[name]:
                ways = (self.way_to(start, finding, {name: answer}) for start in range(len(self.table.positions)))
                if (
                    answer != self.answer(name)
                    and all(state is None or (there and state.end is not None) for state, there in ways)
                    and not self.parts_in_first_round(finding, name, answer)
                ):
                    out.append(f"{name}={answer}")
        return tuple(out)

    def parts_in_first_round(self, finding: Finding, name: str, answer: str) -> bool:
        """Does play with another answer part where what repeats happens for the first time, before it is come to as the same again?
        Then the answer bears on what repeats."""
        program, play = self.table.program, finding.play
        slot = program.reading_slots[name]
        before = len(play.stem) - first_round(play)
        for start in range(len(self.table.positions)):
            mine, other = (
                self.way_to(start, finding, with_answer, before)[0] for with_answer in (NO_OTHER, {name: answer})
            )
            if mine is not None:
                return other is not None and mine.frames == other.frames and all(
                    a == b for k, (a, b) in enumerate(zip(mine.slots, other.slots, strict=True)) if k != slot)
        return False

    def along(self, start: int, finding: Finding) -> set[str] | None:
        """What is asked for where the finding happens, in the play from this position; by a loop also what the clauses about
        loops ask for."""
        program = self.table.program
        self.engine.seen.clear()
        state, there = self.way_to(start, finding)
        if state is None:
            return None
        if there:  # else it ends before anybody has chosen
            self.engine.seen.clear()
        head = state
        for step in there:
            if (state := self.after(state, step)) is None:
                return None
        for v in program.verdicts if finding.facts and head is not None else ():
            if v.question == LOOP_QUESTION and isinstance(v.subject, RecordType):
                self.engine.evaluate(v.function, head, [finding.facts.get(name, 0) for name, _ in v.subject.fields])
        return set(self.engine.seen)

    def after(self, state: State | None, step: PlayStep) -> State | None:
        """The state after a step; none where it cannot be taken. Under another answer an option may have another number."""
        at = None if state is None else self.engine.point(state)
        if state is None or at is None:
            return None
        options = [o for k, o in enumerate(at.options) if k == step.option or step.chosen is not None]
        if step.chosen is not None:
            taken = self.table.describer.taken
            options = sorted(
                (o for o in options if taken(state, at, o) == step.chosen),
                key=lambda o: at.options.index(o) != step.option,
            )
        return self.engine.apply(state, options[0]).state if options else None


def first_round(play: Play) -> int:
    """How many steps at the end of the stem are those that are then repeated, done for the first time."""
    count = 0
    while count < len(play.stem) and play.cycle:
        mine, again = play.stem[-1 - count], play.cycle[-1 - count % len(play.cycle)]
        if (mine.decider, mine.chosen, mine.clauses) != (again.decider, again.chosen, again.clauses):
            break
        count += 1
    return count


def asking(scenario: Scenario, readings: Mapping[str, Located[str] | str], subject: Subject) -> Asking:
    """The scenario under these readings, made so that it can be seen what play asks for."""
    known = {name: r for name, r in load_book(scenario.book.value).readings.items() if name in subject.defaults}
    numbers = frozenset(name for name, r in known.items() if isinstance(r.answers, Numbers))
    table = open_table(scenario, readings, frozenset(known) - numbers)
    return Asking(subject, known, table, Consulted(table))


def hangs_on_readings(finding: Finding) -> bool:
    """Can it hang on readings: is it a defect of the book?"""
    return finding.is_defect and finding.cls is not FindingClass.DEFECT


def with_readings(
    result: CheckResult, scenario: Scenario, readings: Mapping[str, Located[str] | str], subject: Subject,
) -> CheckResult:
    """The result, each finding with the readings that it hangs on."""
    if not any(map(hangs_on_readings, result.findings)):
        return result
    made = asking(scenario, readings, subject)
    findings: list[Finding] = []
    for f in result.findings:
        behind = made.behind(f) if hangs_on_readings(f) else None
        if behind is not None:
            f = replace(f, readings={**behind, **result.readings}, consulted=True)
            f = replace(f, elsewhere=made.elsewhere(f))
        findings.append(f)
    return replace(result, findings=tuple(findings))


def told_causes(results: Sequence[CheckResult]) -> list[CheckResult]:
    """The results, each finding saying what no clause states by the readings that it hangs on."""
    return [replace(r, findings=tuple(with_causes(f) if f.consulted else f for f in r.findings)) for r in results]


def with_causes(finding: Finding) -> Finding:
    """The finding, saying what no clause states by the readings that it hangs on; not by those that turned out to make no
    difference to it."""
    known, idle = load_book(finding.book).readings, idle_readings(finding)
    missing = [said for name, answer in finding.readings.items() if name in known and name not in idle
               and (said := unwritten(known[name], answer)) is not None]
    if not missing or finding.question is None:
        return finding
    ja, en = "も、".join(x.ja for x in missing), ", or ".join(x.en for x in missing)
    why = Text(ja=f"{ja}{'も' if len(missing) > 1 else 'は'}、どの条文にも書かれていません。", en=f"No clause states {en}.")
    ask = Text(ja="書かれていないことを、どう定めますか: " + "／".join(x.ja for x in missing) + "。",
               en="What should the rules say of what no clause states: " + "; ".join(x.en for x in missing) + "?")
    q, s = finding.question, finding.summary
    return replace(
        finding, unwritten=tuple(missing),
        summary=Text(ja=f"{s.ja}\n{why.ja}", en=f"{s.en}\n{why.en}"),
        question=Text(ja=f"1. {ask.ja}\n2. 定めないなら、{q.ja}", en=f"1. {ask.en}\n2. If it is left so: {q.en[:1].lower()}{q.en[1:]}"))


def unwritten(reading: Reading, answer: str) -> Text | None:
    """What no clause states by this answer."""
    if isinstance(reading.answers, Numbers):
        return None
    return next((a.unwritten for a in reading.answers if a.id.value == answer), None)
