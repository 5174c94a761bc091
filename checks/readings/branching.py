"""Which readings play comes to ask for, and the sets of answers that are worth checking.

All combinations of answers are far too many (thousands for a game in which nobody does anything). So each answer is
looked at alone, with the defaults of all others; and where it makes play ask for what it did not ask for before, the
answers to that are looked at too, together with it.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum

from ...model.engine.interpreter import Interpreter
from ...model.engine.library import load_book
from ...model.engine.state import READING, Point, State
from ...model.engine.table import Table, open_table
from ...model.ir import nodes as ir
from ...model.ir.flow import functions_used, walk
from ...model.ir.program import Program
from ...spec.readers import Numbers, Reading, Scenario
from ...spec.text import Text
from ..explore.explorer import BoundAtStart, Limits, explore
from ..explore.loop_clauses import ABOUT_LOOPS
from ..explore.parting import parting_finding
from ..explore.subject import Subject
from ..findings.record import CheckResult, Finding, FindingClass, judged
from ..scenarios.subjects import subject_of
from .settlements import answers, answers_of, real

MOST_SETS = 100
"""Sets of answers that are checked at most."""
LOOK_FOR_QUESTIONS = 5_000
LOOK_FOR_PARTINGS = 5_000
"""Positions that are looked at for what play asks for, and pairs of positions for where two answers part."""

Check = Callable[[Mapping[str, str]], tuple[Subject, CheckResult]]
"""Checks the scenario under a set of answers."""


class Effect(Enum):
    """What the answers to a reading do, within the bounds."""

    FINDINGS = "other findings"
    PLAY = "other play"
    NOTHING = "no difference"
    PARTLY = "no difference where compared"
    UNASKED = "never asked for"
    UNTRIED = "not tried"


@dataclass(frozen=True)
class ReadingReport:
    """A reading, the answers that were looked at besides the one it is compared with, and what they do: `finding` is the
    smallest play on which two answers part, `findings` what is found under one of them only, or judged otherwise."""

    reading: str
    question: Text
    clauses: tuple[str, ...]
    answers: tuple[str, ...]
    effect: Effect
    finding: str | None = None
    findings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Branches:
    """A result for each set of answers, the defaults first; what each reading does; how many sets were left out."""

    results: tuple[CheckResult, ...]
    readings: tuple[ReadingReport, ...]
    left_out: int


@dataclass(frozen=True)
class Departure:
    """A set of answers, which departs from its parent's by the answer to one reading."""

    readings: Mapping[str, str]
    parent: int | None = None
    reading: str = ""


class Answering(Interpreter):
    """Gives the answers it is told to, and notes what it is asked."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.program, table.scripts, card_ids=table.engine.card_ids)
        self.answers: Mapping[str, int] = {}
        self.asked: set[str] = set()

    def point(self, state: State) -> Point | None:
        at = super().point(state)
        if at is None or at.owner != READING:
            return at
        self.asked.add(at.reading)
        return replace(at, options=((self.answers[at.reading],),), weights=(1,))


class Questions:
    """What play asks for in a scenario, under any set of answers."""

    def __init__(self, scenario: Scenario, fixed: Mapping[str, str], limits: Limits, symmetry: bool) -> None:
        known = load_book(scenario.book.value).readings
        asked_by_rules = open_table(scenario, fixed).program.consulted
        self.readings: Mapping[str, Reading] = {
            r: known[r] for r in sorted(asked_by_rules) if r in known and r not in fixed
        }
        self.numbers = frozenset(r for r, d in self.readings.items() if isinstance(d.answers, Numbers))
        self.scenario, self.fixed, self.symmetry = scenario, fixed, symmetry
        self.tables: dict[tuple[tuple[str, str], ...], Table] = {}
        self.limits = replace(limits, states=min(limits.states or LOOK_FOR_QUESTIONS, LOOK_FOR_QUESTIONS))
        self.looked_at: int | None = None
        """In how many positions was looked for what play asks for, last time; None: in all that there are."""

    def table(self, given: Mapping[str, str]) -> Table:
        """The scenario with the numbers of a set of answers, which are worked into the rules, and all else left open."""
        numbers = tuple((r, given[r]) for r in sorted(self.numbers) if r in given)
        if numbers not in self.tables:
            self.tables[numbers] = open_table(
                self.scenario, {**self.fixed, **dict(numbers)}, frozenset(self.readings) - self.numbers
            )
        return self.tables[numbers]

    def answer(self, reading: str, given: Mapping[str, str]) -> str:
        """The answer under a set of answers: the default, where it has none."""
        return given.get(reading, self.readings[reading].default.value)

    def asked(self, given: Mapping[str, str], of_loops: bool) -> set[str]:
        """The readings that play asks for under these answers, what is looked at beside play (the conditions that must hold, which decks are
        legal), and (`of_loops`) what the clauses on endless loops look at. A number is worked into the rules, so that nobody sees it asked for: it counts as asked for where another
        reading about one of its clauses is, or where there is none about them."""
        table = self.table(given)
        subject, program, engine = subject_of(table, self.symmetry), table.program, Answering(table)
        engine.answers = {r: x.index(self.answer(r, given)) for r, x in program.readings.items()}
        self.looked_at = 0
        with suppress(BoundAtStart):
            out = explore(engine, subject.starts, self.limits, subject.symmetry)
            self.looked_at = None if out.complete else len(out.states)
        asked = engine.asked
        beside = [v.function for v in program.verdicts if of_loops and v.question in ABOUT_LOOPS]
        beside += [*program.invariants, program.known_as.get("legal deck", "")]
        about = self.clauses_of(asked)
        others = self.clauses_of(self.readings.keys() - self.numbers)
        numbers = {r for r in self.numbers if (mine := self.clauses_of({r})) & about or not mine & others}
        return asked | numbers | loaded_by(program, beside)

    def clauses_of(self, some: Iterable[str]) -> set[str]:
        """What readings are about."""
        return {c.value for r in some for c in self.readings[r].clauses}


def loaded_by(program: Program, functions: list[str]) -> set[str]:
    """The open readings that these functions, or those they call, look at."""
    slots = {s: r for r, s in program.reading_slots.items()}
    return {
        slots[n.base]
        for name in functions_used(program, functions)
        for i in program.functions[name].code
        for n in walk(i)
        if isinstance(n, ir.Load) and n.base in slots
    }


def branches(
    scenario: Scenario,
    given: Mapping[str, str],
    limits: Limits,
    symmetry: bool,
    check: Check,
    keep: Callable[[Branches], None] | None = None,
) -> Branches:
    """Check the scenario under every set of answers that is worth it. `keep` is given what was found so far, whenever there is more.
    Raises BadInput."""
    fixed = {**{name: answer.value for name, answer in scenario.readings.items()}, **given}
    questions = Questions(scenario, fixed, limits, symmetry)
    sets = [Departure(dict(given))]
    done: list[tuple[Subject, CheckResult]] = []
    known: list[set[str]] = []
    reports: dict[str, list[Compared]] = {}
    left_out = 0
    in_part, ever = False, set[str]()
    todo = deque([0])

    def so_far(more: int) -> Branches:
        unseen = ever | questions.numbers  # nobody sees a number asked for
        told = [report(r, d, reports.get(r, []), in_part or r in unseen) for r, d in questions.readings.items()]
        return Branches(tuple(r for _, r in done), tuple(told), left_out + more)
    while todo:
        k = todo.popleft()
        here = sets[k]
        if done and limits.stop is not None and limits.stop():
            left_out += len(todo) + 1
            break
        subject, result = check(here.readings)
        loops = any(f.cls is FindingClass.LOOP and not f.hint for f in result.findings)
        asked = questions.asked(here.readings, loops)
        in_part = in_part or (questions.looked_at is not None and questions.looked_at < result.bounds.states)
        before = set[str]()
        if here.parent is not None:
            before = known[here.parent] | {here.reading}
            about, answer = questions.readings[here.reading], questions.answer(here.reading, here.readings)
            one = compared(about, answer, done[here.parent], (subject, result), limits)
            reports.setdefault(here.reading, []).append(one)
            result = one.result
        known.append(before | asked)
        ever |= asked
        done.append((subject, result))
        for r in sorted(asked - before):
            for answer, _ in answers_of(questions.readings[r]):
                if answer == questions.answer(r, here.readings):
                    continue
                if len(sets) >= MOST_SETS:
                    left_out += 1
                    continue
                sets.append(Departure({**here.readings, r: answer}, k, r))
                todo.append(len(sets) - 1)
        if keep is not None:
            keep(so_far(len(todo)))
    return so_far(0)


def parted(
    a: tuple[Subject, CheckResult],
    b: tuple[Subject, CheckResult],
    limits: Limits,
    cut: Callable[[int], None] | None = None,
) -> Finding | None:
    """Where two reading sets that differ in one reading lead to different play."""
    one, other = a[0].readings, b[0].readings
    differ = [r for r in {**one, **other} if one.get(r) != other.get(r)]
    if len(differ) != 1:
        return None
    return parted_by(load_book(a[0].book).readings[differ[0]], a, b, limits, cut)


def parted_by(
    reading: Reading,
    a: tuple[Subject, CheckResult],
    b: tuple[Subject, CheckResult],
    limits: Limits,
    cut: Callable[[int], None] | None = None,
    unfollowed: Callable[[], None] | None = None,
) -> Finding | None:
    """Where two answers to a reading lead to different play."""
    gists = dict(answers_of(reading))
    x, y = (
        gists.get(answer, Text.same(answer))
        for answer in (answers(result).get(reading.id.value, "") for _, result in (a, b))
    )
    return parting_finding(a, b, limits, reading, (x, y), cut, unfollowed)


@dataclass(frozen=True)
class Compared:
    """What another answer to a reading does: the result, with the finding that the two part, if they do; what is found under one of the two
    only, or what the rules make something else of. `whole`: all plays were compared, if no two part."""

    answer: str
    result: CheckResult
    parting: Finding | None
    others: tuple[str, ...]
    whole: bool


def compared(
    reading: Reading,
    answer: str,
    parent: tuple[Subject, CheckResult],
    child: tuple[Subject, CheckResult],
    limits: Limits,
) -> Compared:
    """What an answer does beside that of its parent."""
    before, after = parent[1], child[1]
    left: list[bool] = []
    few = replace(limits, states=LOOK_FOR_PARTINGS)
    found = parted_by(reading, parent, child, few, unfollowed=lambda: left.append(True))
    if found is not None:
        after = replace(after, findings=(*after.findings, found))
    one, other = real(before), real(after)
    otherwise = {d for d in one.keys() & other.keys() if judged(one[d]) != judged(other[d])}
    others = tuple(sorted({(one | other)[d].id for d in (one.keys() ^ other.keys()) | otherwise}))
    return Compared(answer, after, found, others, not left)


def report(
    reading: str,
    about: Reading,
    tried: Sequence[Compared],
    may_be_asked: bool,
) -> ReadingReport:
    """What all answers to a reading did together. `may_be_asked`: where none was tried, that does not mean that play does not ask for it."""
    clauses = tuple(c.value for c in about.clauses)
    answers = tuple(dict.fromkeys(one.answer for one in tried))
    plays = sorted((one.parting for one in tried if one.parting is not None), key=lambda f: len(f.play.stem))
    other = tuple(dict.fromkeys(x for one in tried for x in one.others))
    if not tried:
        effect = Effect.UNTRIED if may_be_asked else Effect.UNASKED
    elif other:
        effect = Effect.FINDINGS
    else:
        effect = Effect.PLAY if plays else Effect.NOTHING if all(one.whole for one in tried) else Effect.PARTLY
    return ReadingReport(reading, about.question, clauses, answers, effect, plays[0].id if plays else None, other)
