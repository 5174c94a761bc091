"""What asking about every position of a book brings: the same for all questions, whatever they are about."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ....model.engine.library import Book, load_book
from ....spec.diagnostics import Collector
from ....spec.text import Text
from ...findings.identity import each_once
from ...findings.record import Assumption, Bounds, CheckResult, Examined, Finding, NotAsked
from ...findings.words import ANYWHERE, ANYWHERE_TITLE
from ...limits.ending import Part, reason, why
from ..solving import Query, second_opinion
from .asking import SECONDS
from .reaching import reached

NOT_SMALLEST = Text(
    ja="これより小さい局面があるかは、時間内に分かりませんでした", en="Whether there is a smaller position was not known in time")


@dataclass
class Report:
    """Findings so far, questions without an answer (which, and why), and places of which nothing is said. `second`: cvc5 is asked, too.
    Raises BadInput where the book has no such readings."""

    book: str
    readings: Mapping[str, str]
    seconds: float = SECONDS
    stop: Callable[[], bool] | None = None
    second: bool = False
    findings: list[Finding] = field(default_factory=list[Finding])
    unknown: list[tuple[Text, Text]] = field(default_factory=list[tuple[Text, Text]])
    not_asked: list[NotAsked] = field(default_factory=list[NotAsked])
    agreed: int = 0
    """Questions that cvc5 answers alike."""
    begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        check_readings(self.loaded, self.readings)

    @cached_property
    def loaded(self) -> Book:
        return load_book(self.book)

    @property
    def is_over(self) -> bool:
        """Does the work have to end?"""
        return bool(reason(self.stop))

    def leave(self, name: str, why: Text) -> None:
        """A question has no answer."""
        self.unknown.append((Text.same(name), why))

    def end(self, part: Part, name: str) -> None:
        """A part of the work is over: what was cut off is not decided."""
        if part or self.is_over:
            self.leave(name, why(self.stop))

    def compare(self, question: Query, none: bool) -> None:
        """Ask cvc5 what z3 has answered (`none`: there is no such position). A disagreement is a defect of ours."""
        other = second_opinion(question, self.seconds)
        agrees = other.verdict == ("unsat" if none else "sat")
        self.agreed += agrees
        if not agrees:
            says = " ".join((other.verdict, *([other.reason.en] if other.reason is not None else [])))
            self.leave(question.name, Text(ja=f"z3 と cvc5 の答えが違う: cvc5 は {says}", en=f"z3 and cvc5 do not agree: cvc5 says {says}"))

    def bounds(self, assumptions: Sequence[Assumption], notes: Sequence[Text] | None = None) -> Bounds:
        """Which positions were asked about, and what not."""
        left = tuple(dict.fromkeys(self.not_asked))
        told = tuple(undecided(self.unknown) if notes is None else notes)
        return Bounds(not self.unknown and not left, 0, 0, 0, told, assumptions=tuple(assumptions), not_asked=left)

    def result(self, bounds: Bounds, examined: Sequence[Examined], states: int | None = None) -> CheckResult:
        """All of it. `states`: plays from preparation are looked for in so many positions of each scenario."""
        findings = each_once(self.findings)
        if states is not None:
            with Part():
                findings = reached(self.book, findings, states, self.seconds, self.stop)
        more = (
            (Examined(Text(ja="cvc5 も同じ答えを出した問い", en="questions that cvc5 answers alike"), self.agreed, ""),)
            if self.second
            else ()
        )
        return CheckResult(
            self.book,
            ANYWHERE,
            ANYWHERE_TITLE,
            dict(self.readings),
            bounds,
            tuple(findings),
            (*examined, *more),
            {},
            False,
            seconds=time.monotonic() - self.begun,
        )


def undecided(questions: Sequence[tuple[Text, Text]]) -> Iterator[Text]:
    """Questions without an answer, and why."""
    yield from (Text(ja=f"判定できず: {what.ja}（{why.ja}）", en=f"not decided: {what.en} ({why.en})") for what, why in questions)


def check_readings(book: Book, readings: Mapping[str, str]) -> None:
    """Are these readings of the book, with answers that it allows? Raises BadInput."""
    report = Collector()
    book.rulebook.check_answers(readings, report)
    report.raise_if_any()
