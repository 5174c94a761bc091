"""A place that nothing comes to, as a finding: the title says what the claim rests on."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from .....model.engine.library import Book
from .....spec.text import Text
from ....findings.claims import given, ranges, worlds
from ....findings.identity import finding_id
from ....findings.record import (
    Assumption,
    Bounds,
    Certainty,
    Finding,
    FindingClass,
    Given,
    Origin,
    Play,
    PlayStep,
    Stake,
)
from ....findings.severity import graded
from ..telling import ANYWHERE
from ..unasked import located
from .basis import Place

MOST_RANGES = 3
"""Numbers whose ranges a sentence names; of more, only that there are some."""
WHY = {
    True: Text(ja="問われてもいつも何も返さない（None）", en="it gives None whenever it is asked"),
    False: Text(ja="条件どうしが両立しない", en="its conditions exclude each other"),
}
WHAT = {True: Text(ja="が何かを述べる", en="says anything"), False: Text(ja="へ達する", en="is come to")}


def dead_finding(
    book: Book, place: Place, bounds: Bounds, rests_on: tuple[Assumption, ...] | None, readings: Mapping[str, str],
) -> Finding:
    """The finding. `rests_on`: nothing, or ranges of numbers and readings that are numbers, where no world and no condition is needed; None: the
    worlds that were looked at."""
    rule, clauses = book.vocabulary.rule(place.rule), " ".join(place.clauses)
    name = Text(ja=clauses or rule.ja, en=clauses or rule.en)
    subject = Text(ja=f"{name.ja}（{rule.ja}）", en=f"{name.en} ({rule.en})")
    step = PlayStep(0, None, None, (), place.clauses, ())
    defect = f"{subject.ja}が働く局面がない {place.rule}" + (
        " says" if place.says else ""
    )  # whatever it rests on, the same defect
    return graded(
        Finding(
            id=finding_id(book.name, FindingClass.DEAD, place.clauses, None, Text.same(defect)),
            cls=FindingClass.DEAD,
            book=book.name,
            scenario=ANYWHERE,
            title=title_of(subject, bounds, rests_on),
            summary=summary_of(name, place, bounds, rests_on),
            clauses=place.clauses,
            certainty=Certainty.TEXTUAL,
            play=Play((step,)),
            bounds=bounds,
            readings=dict(readings),
            stake=Stake.WORDING,
            question=Text(
                ja=f"{name.ja} はどのような場合のための定めですか。条件を改めますか、なくしますか。",
                en=f"What is {name.en} for? Should its condition change, or the clause go?",
            ),
        ),
        Origin.CARDS,
    )


def title_of(subject: Text, bounds: Bounds, rests_on: tuple[Assumption, ...] | None) -> Text:
    """That it never applies, where that is shown; else where no use of it was found."""
    if rests_on is None:
        where, within = (
            worlds(bounds.assumptions) or Text(ja="調べた世界", en="the worlds looked at"),
            within_ranges(bounds.assumptions),
        )
        return Text(ja=f"{where.ja}では、{within.ja}{subject.ja}が働く局面が見つからない", en=f"{within.en}no use of {subject.en} was found in {where.en}")
    within = within_ranges(bounds.assumptions)
    return Text(ja=f"{within.ja}{subject.ja}が働く局面がない", en=f"{within.en}{subject.en} never applies")


def within_ranges(assumptions: Sequence[Assumption]) -> Text:
    """Which ranges of numbers, and which answers that are numbers, a claim rests on, to begin it with."""
    numbers, fixed = ranges(assumptions), [given(a) for a in assumptions if a.kind is Given.READINGS and a.what]
    if sum(len(a.what) for a in assumptions if a.kind is Given.NUMBERS) > MOST_RANGES:
        numbers = Text(ja="数が前提の範囲", en="numbers in the ranges taken as given")
    if numbers is None and not fixed:
        return Text.same("")
    ja = "".join(f"解釈「{x.ja}」で、" for x in fixed) + (f"{numbers.ja}のうちは、" if numbers else "")
    en = " and ".join([*(f"the reading “{x.en}”" for x in fixed), *([numbers.en] if numbers else [])])
    return Text(ja=ja, en=f"with {en}, ")


def summary_of(name: Text, place: Place, bounds: Bounds, rests_on: tuple[Assumption, ...] | None) -> Text:
    """What was shown, and of which positions."""
    within = within_ranges(bounds.assumptions)
    what, why, where = WHAT[place.says], WHY[place.says], located(place.file, place.line) if place.line else place.rule
    if rests_on is None:
        return Text(
            ja=f"調べた世界の、守られるべき条件を満たす局面では、{within.ja}{name.ja} のこの部分（{where}）{what.ja}ことはありません。ほかの局面や世界のことは分かりません。",
            en=f"In the worlds looked at, {within.en}in no position that satisfies the conditions that must always hold, this part of {name.en} ({where}) {what.en}. "
               "Nothing is known of other positions and worlds.")
    if ranges(rests_on) is not None:
        return Text(
            ja=f"どのカードでも、{within.ja}{name.ja} のこの部分（{where}）{what.ja}ことはありません。この範囲では、{why.ja}ためです。"
               "範囲の外のことは分かりません。",
            en=f"Whatever the cards, {within.en}this part of {name.en} ({where}) never {'says anything' if place.says else 'comes up'}: in these ranges "
               f"{why.en}. Nothing is known of numbers outside them.")
    return Text(
        ja=f"カードや局面がどうであっても、{within.ja}{name.ja} のこの部分（{where}）{what.ja}ことはありません。{why.ja}ためです。",
        en=f"Whatever the cards and the position, {within.en}this part of {name.en} ({where}) never {'says anything' if place.says else 'comes up'}: {why.en}.")
