"""Stored plays stepped through in the reference engine: does everything happen as it is told, and does the play show what it is to show?"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...model.engine.state import OPEN, Option, State
from ...model.engine.table import open_table
from ...spec.diagnostics import BadInput
from ...spec.readers import read_scenario
from ...spec.text import Text
from ..explore.ended import SILENT, cores, last_watched, told_end
from ..explore.growth import difference
from ..explore.other_findings import clauses_of, words_of_left
from ..explore.outcomes import ordering_at
from ..explore.round_findings import order_shows
from ..explore.subject import Subject
from ..findings.record import Finding, FindingClass, PlayStep
from ..scenarios.saved_plays import SavedPlay, along, choices
from ..scenarios.subjects import subject_of
from .cases import Case
from .comparing import Difference, Place, differing, of_step, parts, together
from .comparing import told as in_both

BEFORE_ANY = Text(ja="最初の選択の前に起こることが、手順にありません", en="what happens before the first choice is missing from the play")
Taken = tuple[State, Option]
"""A position, and what is taken in it."""


@dataclass(frozen=True)
class Replayed:
    """How a case went: the steps as they happen now, and where that is not what is stored."""

    steps: tuple[PlayStep, ...]
    differences: tuple[Difference, ...]
    whole: bool = True
    """Could it be gone on with to the end?"""

    @property
    def why(self) -> Text | None:
        """Why it does not reproduce, if it does not."""
        return together(self.differences) if self.differences else None


def subject_for(case: Case) -> Subject:
    """The case's scenario under its readings, without symmetry. Raises BadInput."""
    return subject_of(open_table(read_scenario(case.scenario_file), case.finding.readings), symmetry=False)


def replay(case: Case) -> Replayed:
    """Step through the case; everything must go as stored, and the play show what the finding says. Where the orders of the decks
    are enumerated, that has to be so from one of them; else what comes nearest is told. Raises BadInput."""
    scenario, finding = read_scenario(case.scenario_file), case.finding
    elsewhere = [
        d
        for d in (
            of_finding(finding, "book", finding.book, scenario.book.value),
            of_finding(finding, "scenario", finding.scenario, scenario.id.value),
        )
        if d is not None
    ]
    try:
        subject = subject_for(case)
    except BadInput as e:
        first = e.diagnostics[0]
        refused = Text(ja=f"前提の解釈では始められません: {first.message.ja}", en=f"play cannot begin under these readings: {first.message.en}")
        return Replayed((), (*elsewhere, Difference("readings", refused, None, finding.clauses[:1])), False)
    nearest: Replayed | None = None
    for start in range(len(subject.starts)):
        done = Player(subject, finding, start).replayed()
        if nearest is None or order(done) < order(nearest):
            nearest = done
        if not done.differences:
            break
    assert nearest is not None
    return Replayed(nearest.steps, (*elsewhere, *nearest.differences), nearest.whole)


def replay_record(record: SavedPlay) -> tuple[Text, tuple[PlayStep, ...], Text | None]:
    """Step through a saved play: what its scenario is called, the steps as far as they can be taken now, and in what they are not as they
    were saved. Raises BadInput."""
    subject = subject_of(open_table(read_scenario(record.scenario), record.log.readings), symmetry=False)
    way, _, why = along(subject, record.log, record.path)
    now = choices(subject, record.log)
    differ = next((k for k, (a, b) in enumerate(zip(record.steps, now, strict=False)) if a != b), None)
    if differ is not None:
        why = in_both(Text(ja=f"{differ + 1}番目の選択", en=f"choice {differ + 1}"), record.steps[differ], now[differ])
    return subject.title, tuple(subject.tell_all(way, opening=record.log.start)[0]), why


def order(done: Replayed) -> tuple[bool, int, int]:
    """How near a replay came, the nearest first."""
    return not done.whole, -len(done.steps), len(done.differences)


def of_finding(finding: Finding, name: str, stored: object, now: object) -> Difference | None:
    """That a field of the finding is not so; None if it is."""
    return None if stored == now else differing(finding, finding, (name,), stored, now)


@dataclass
class Player:
    """A stored play and the position that it is begun from."""

    subject: Subject
    finding: Finding
    start: int

    def replayed(self) -> Replayed:
        """The play gone through. What it does not show is told before the steps that differ."""
        subject, play = self.subject, self.finding.play
        opened = 0 if subject.opening(self.start) is None else 1
        way, state, lost = self.along(subject.starts[self.start].state, play.stem[opened:], opened)
        told, turn = subject.tell_all(way, opening=self.start)
        found = self.compared(("play", "stem"), play.stem, told, 0)
        if not play.stem and opened:
            found.append(self.wrong("play.stem", BEFORE_ANY, told[0]))
        if lost is None and play.cycle:
            head = state
            around, state, lost = self.along(head, play.cycle, len(play.stem))
            again, _ = subject.tell_all(around, turn)
            found += self.compared(("play", "cycle"), play.cycle, again, len(play.stem))
            told += again
            if lost is None:
                found = [*self.closing(head, around, state), *found]
        found = [lost, *found] if lost is not None else [*self.shown(way, state, told[-1] if told else None), *found]
        return Replayed(tuple(told), tuple(found), lost is None)

    def along(
        self, state: State, stored: Sequence[PlayStep], before: int
    ) -> tuple[list[Taken], State, Difference | None]:
        """Take the stored options one by one; where one is not there any more, say so. Steps count on from `before`."""
        way: list[Taken] = []
        for k, step in enumerate(stored, before + 1):
            if subject_ended(self.subject, state):
                said = Text(ja=f"{k}手順目の前に、ゲームが終わっています", en=f"play has ended before step {k}")
                return way, state, Difference("play", said, k, step.clauses[-1:])
            option = find_option(self.subject, state, step)
            if option is None:
                chosen = step.chosen or Text(ja="進行", en="to go on")
                said = Text(ja=f"{k}手順目の選択（{chosen.ja}）は、もうできません", en=f"step {k} ({chosen.en}) is no longer possible")
                return way, state, Difference("play", said, k, step.clauses[-1:])
            way.append((state, option))
            state = self.subject.engine.apply(state, option).state
        return way, state, None

    def compared(
        self, place: Place, stored: Sequence[PlayStep], told: Sequence[PlayStep], before: int
    ) -> list[Difference]:
        """What is stored of steps and not so."""
        return [of_step(before + k + 1, b, path, x, y) for k, (a, b) in enumerate(zip(stored, told, strict=False))
                for path, x, y in parts(a, b, (*place, k))]

    def wrong(self, field: str, said: Text, step: PlayStep | None = None) -> Difference:
        """Something that is not as the finding says."""
        return Difference(field, said, None, self.finding.clauses[:1] if step is None else step.clauses[-1:])

    # ------------------------------------------------------------ what the play shows
    def closing(self, head: State, around: Sequence[Taken], state: State) -> Iterator[Difference]:
        """Does what repeats come back to where it began (or to more of something, if that is what is said), in as many parts as are
        stored that go through the same places of the rules?"""
        more = state.end is None and state != head and difference(head, state) is not None
        if state != head and not (more and self.finding.growing):
            yield self.wrong("play.cycle", Text(
                ja="繰り返し部分の後、状態が元へ戻りません", en="after the repeated part the position is not as before"))
        elif more is not self.finding.growing:
            yield self.wrong("growing", Text(
                ja="繰り返し部分の後、状態は完全に元へ戻り、増えるものはありません",
                en="after the repeated part the position is exactly as before, and nothing has grown"))
        rounds = self.finding.play.rounds
        places = [tuple(frame[:2] for frame in s.frames) for s, _ in around]
        if rounds < 1 or len(places) % rounds or places != places[:len(places) // rounds] * rounds:
            yield self.wrong("play.rounds", Text(
                ja=f"繰り返し部分は、同じ{rounds}回に分かれません", en=f"what repeats does not consist of {rounds} equal rounds"))

    def shown(self, way: Sequence[Taken], state: State, last: PlayStep | None) -> Iterator[Difference]:
        """Does the play show what a finding of this class says?"""
        finding, subject = self.finding, self.subject
        match finding.cls:
            case FindingClass.LOOP | FindingClass.CONFLICT if finding.play.cycle:
                if finding.play.end is not None:
                    yield self.wrong("play.end", Text(ja="終わらない手順に、結末はありません", en="a play that never ends has no end"))
                return
            case FindingClass.LOOP:
                yield self.wrong(
                    "play.cycle",
                    Text(
                        ja="終わらない循環なのに、繰り返し部分がありません",
                        en="a loop, and nothing repeats in the play",
                    ),
                )
                return
            case _ if finding.play.cycle:
                yield self.wrong("play.cycle", Text(
                    ja=f"{finding.cls.value} の手順には、繰り返し部分はありません", en=f"in the play of a finding of class “{finding.cls.value}” nothing repeats"))
                return
            case FindingClass.GAP | FindingClass.CONFLICT | FindingClass.DEFECT if state.end is not None:
                yield from self.ended(way[-1] if way else None, state, last)
                return
            case FindingClass.GAP | FindingClass.CONFLICT:
                fits = False
            case FindingClass.OPEN:
                at = subject.engine.point(state)
                fits = at is not None and at.owner == OPEN and len(at.options) > 1 and (at.clause,) == finding.clauses
            case FindingClass.ORDER:
                at = subject.engine.point(state)
                fits = (
                    at is not None and len(at.options) > 1 and ordering_at(subject, *state.frames[-1][:2]) is not None
                )
            case FindingClass.INVARIANT if state.end is not None and state.end.slot >= 0:
                fits = words_of_left(subject, state.end).shown == finding.title
            case FindingClass.INVARIANT:
                fits = any(subject.engine.evaluate(name, state) == 0 for name in subject.program.invariants
                           if clauses_of(subject, name) == finding.clauses)
            case FindingClass.DEFECT:
                fits = any(
                    not isinstance(subject.engine.evaluate(name, state), int) for name in subject.program.invariants
                ) or order_shows(subject, self.start, way)
            case FindingClass.READINGS | FindingClass.DEAD:
                fits = False
            case _:
                return
        if not fits:
            names = "、".join(finding.clauses)
            yield self.wrong("cls", Text(
                ja=f"手順の終わりの局面に、{finding.cls.value} はありません（{names}）",
                en=f"where the play comes to there is nothing of class “{finding.cls.value}” ({', '.join(finding.clauses)})"), last)
        if finding.play.end is not None:
            yield self.wrong("play.end", Text(ja="手順は終わりまで進みません", en="the play does not come to an end"), last)

    def ended(self, taken: Taken | None, state: State, last: PlayStep | None) -> Iterator[Difference]:
        """Does play end as the finding says, by the clauses that it names?"""
        finding, subject = self.finding, self.subject
        assert state.end is not None
        if state.end.kind not in SILENT or SILENT[state.end.kind][0] is not finding.cls:
            ending = subject.describer.ending(state.end)
            yield self.wrong("play.end", Text(
                ja=f"手順は {finding.cls.value} で終わりません。結末: {ending.ja}",
                en=f"the play does not end in a finding of class “{finding.cls.value}”; it ends so: {ending.en}"), last)
            return
        ended = last_watched(subject, state, state.end, taken, self.start)
        ways = [told_end(subject, ended, among=core) for core in cores(subject, ended)]
        nearest = min(ways, key=lambda one: (one.clauses != finding.clauses, one.told != finding.play.end))
        if nearest.clauses != finding.clauses:
            yield differing(finding, finding, ("clauses",), finding.clauses, nearest.clauses)
        if nearest.told != finding.play.end:
            yield differing(finding, finding, ("play", "end"), finding.play.end, nearest.told)


def subject_ended(subject: Subject, state: State) -> bool:
    """Has play ended?"""
    return subject.engine.point(state) is None


def find_option(subject: Subject, state: State, step: PlayStep) -> Option | None:
    """The stored option: by its number, if it is still called the same; else by its name, in one language at least. Where no
    choice is stored, by its number."""
    at = subject.engine.point(state)
    assert at is not None
    d, stored = subject.describer, step.chosen
    of_number = at.options[step.option] if 0 <= step.option < len(at.options) else None
    if stored is None:
        return at.options[0] if len(at.options) == 1 else of_number
    if of_number is not None and d.taken(state, at, of_number) == stored:
        return of_number
    called = {o: d.taken(state, at, o) for o in at.options}
    return next((o for o, name in called.items() if name == stored), None) or next(
        (o for o, name in called.items() if name.ja == stored.ja or name.en == stored.en), None)
