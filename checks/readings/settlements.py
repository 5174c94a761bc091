"""How the book's readings would settle a finding, and what is known of that from the reading sets that were checked."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...model.engine.library import load_book
from ...spec.book import Numbers, Reading, Status
from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ..findings.cut_off import is_stopped
from ..findings.identity import Defect, defect
from ..findings.record import CheckResult, Finding, FindingClass, Settlement, concluded, seat_of

MOST_ANSWERS = 8
"""Suggested numbers that are offered of a reading whose answers are numbers."""
ENDED = (FindingClass.LOOP, FindingClass.CONFLICT, FindingClass.GAP)
"""Findings after which, once they are settled, it is worth telling how play ends."""


@dataclass(frozen=True)
class Effect:
    """What an answer does to a finding (`Settlement.effect`, `new`, `then`, `same`)."""

    effect: str
    new: int = 0
    then: Text | None = None
    same: bool = False


BY_FIRST = Text(ja="この答えで新しく生まれる選択では、先頭のものを選ぶ場合だけを確かめた",
                en="of choices that come with this answer, only the first option was tried")


def sentences(one: Text, other: Text) -> Text:
    """One, and the other aside."""
    return Text(ja=f"{one.ja}（{other.ja}）", en=f"{one.en} ({other.en})")


UNCHECKED = Effect("not checked")


def with_settlements(results: Sequence[CheckResult]) -> list[CheckResult]:
    """The results of one scenario under several reading sets, each finding with the readings that bear on it."""
    return [replace(r, findings=tuple(settled(f, r, results) for f in r.findings)) for r in results]


def settled(finding: Finding, result: CheckResult, results: Sequence[CheckResult]) -> Finding:
    """The finding with every other answer of the readings about what makes it happen."""
    if not finding.is_defect or finding.cls is FindingClass.DEFECT:
        return finding
    now, part = answers(result), parting(result, results)
    apart = Effect("elsewhere")
    options = [(r, a, gist) for r in bearing_on(finding) for a, gist in answers_of(r) if a != now.get(r.id.value)]
    return replace(finding, settlements=tuple(
        settlement(r.id.value, a, r.question, gist, *(
            (apart, {}) if f"{r.id.value}={a}" in finding.elsewhere
            else effect_anywhere(finding, result, r.id.value, a, results, part)))
        for r, a, gist in options))


def parting(result: CheckResult, results: Sequence[CheckResult]) -> frozenset[str]:
    """The readings of other sets of answers under which something else is found: it may take several of them together."""
    return frozenset(
        name
        for other in results
        if real(other).keys() != real(result).keys()
        for name in {**other.readings, **result.readings}
        if answers(other).get(name) != answers(result).get(name)
    )


def settlement(
    reading: str, answer: str, question: Text, gist: Text, does: Effect, under: Mapping[str, str]
) -> Settlement:
    """An answer with what it does."""
    return Settlement(reading, answer, question, gist, does.effect, does.new, under, does.then, does.same)


def bearing_on(finding: Finding) -> Iterable[Reading]:
    """The modelled readings about a finding: those that it hangs on. Where that is not known: those that it names, and those
    about its decisive clause (of a conflict: any of its clauses)."""
    decisive = set(finding.clauses if finding.cls is FindingClass.CONFLICT else finding.clauses[:1])
    for reading in readings_of(finding.book).values():
        about = not finding.consulted and any(c.value in decisive for c in reading.clauses)
        if reading.status is Status.MODELLED and (about or reading.id.value in finding.readings):
            yield reading


def answers_of(reading: Reading) -> list[tuple[str, Text]]:
    """The answers of a reading with their gists; of numbers, those that are suggested."""
    if isinstance(reading.answers, Numbers):
        return [(str(n.value), Text.same(str(n.value))) for n in reading.answers.suggested[:MOST_ANSWERS]]
    return [(a.id.value, a.gist) for a in reading.answers]


def answers(result: CheckResult) -> dict[str, str]:
    """All readings that a result holds under: those given, and the defaults of the others."""
    return {**{name: r.default.value for name, r in readings_of(result.book).items()}, **result.readings}


def readings_of(book: str) -> Mapping[str, Reading]:
    """The readings of a book; none where there is no such book."""
    try:
        return load_book(book).readings
    except BadInput:
        return {}


def effect(
    finding: Finding, result: CheckResult, under: Mapping[str, str], results: Sequence[CheckResult],
    part: frozenset[str] = frozenset(),
) -> Effect:
    """What became of the finding under these readings, if they were checked. `part`: readings that make a difference together
    with others."""
    other = next((r for r in results if answers(r) == under), None)
    if other is None or not (other.bounds.complete or defect(finding) in real(other)):
        return UNCHECKED
    more = len(real(other).keys() - real(result).keys())
    new = 0 if is_stopped(result) else more
    still = real(other).get(defect(finding))
    if still is None:
        then = settled_play(finding, other)
        effect = "remains" if finding.cls is FindingClass.LOOP and loops_like(finding, other) else "resolved"
        if other.policies != result.policies:
            then = BY_FIRST if then is None else sentences(then, BY_FIRST)
        return Effect(effect, new, then)
    said, before = concluded(still), concluded(finding)
    alone = all(answers(result).get(name) == under.get(name) for name in part)
    seats = {seat_of(f.stopper) for f in other.findings if defect(f) == defect(finding)}
    same = said == before and still.title == finding.title and seat_of(finding.stopper) in seats
    return Effect("remains", new, said, alone and more == 0 and same)


def loops_like(finding: Finding, after: CheckResult) -> list[Finding]:
    """Loops in the same part of play that the same players can stop: what becomes of a loop that goes on in another form."""
    return [f for f in real(after).values()
            if f.cls is FindingClass.LOOP and (f.scope, f.keepers) == (finding.scope, finding.keepers)]


def settled_play(finding: Finding, after: CheckResult) -> Text | None:
    """What happens in play where the finding is settled: what else is found of the same play, or how play ends."""
    same = loops_like(finding, after)
    if finding.play.cycle and same:
        end = concluded(same[0])
        assert end is not None
        return Text(ja=f"{same[0].title.ja}が、{end.ja}", en=f"{same[0].title.en}, but {end.en}")
    if finding.cls not in ENDED or not after.endings:
        return None
    ja, en = "か、".join(e.ja for e in after.endings), " or ".join(e.en for e in after.endings)
    if not finding.play.cycle:
        return Text(ja=ja, en=en)
    if (
        finding.scope is None or finding.level == "game" or any(f.cls is FindingClass.LOOP for f in after.findings)
    ):  # of whatever kind
        return Text(ja=f"終わりまで進む手順では、{ja}", en=f"where play comes to an end: {en}")
    place = finding.scope
    return Text(ja=f"{place.ja}は、いつまでも続くことがない（終わりまで進む手順では、{ja}）",
                en=f"{place.en} does not go on for ever (where play comes to an end: {en})")


def effect_anywhere(
    finding: Finding, result: CheckResult, reading: str, answer: str, results: Sequence[CheckResult],
    part: frozenset[str] = frozenset(),
) -> tuple[Effect, Mapping[str, str]]:
    """The effect of an answer; where it was not checked with the other answers of the finding, what it was with others under
    which the same is found, and which those are."""
    own = answers(result)
    for at in (result, *results):
        if defect(finding) not in real(at):
            continue
        does = effect(finding, at, {**answers(at), reading: answer}, results, part)
        if does is not UNCHECKED and (at is result or answers(at).get(reading) == own.get(reading)):
            return does, {name: a for name, a in answers(at).items() if own.get(name) != a}
    return UNCHECKED, {}


def real(result: CheckResult) -> dict[Defect, Finding]:
    """The defects in a result, each with the first finding of it."""
    found: dict[Defect, Finding] = {}
    for finding in result.findings:
        if finding.is_defect:
            found.setdefault(defect(finding), finding)
    return found
