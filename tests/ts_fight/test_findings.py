"""How the most important findings read, and what the readings of the book lead to."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from rulewright.checks.findings.record import CheckResult, Finding, FindingClass, WhoCanStop
from rulewright.checks.runs import session
from rulewright.checks.runs.names import names
from rulewright.model.engine.library import load_book
from rulewright.spec.readers import Numbers, read_scenario

from ..render import as_text, render_finding

BOOK = load_book("ts_fight")
SCENARIOS = {p.stem: p for p in BOOK.scenarios}
LARGE = {"full-game", "pass-only"}
INTERNAL = "what play remembers"
"""A difference that nobody at the table sees."""


@cache
def results(name: str) -> tuple[CheckResult, ...]:
    return tuple(session.check(SCENARIOS[name], session.CheckOptions()))


def found(result: CheckResult) -> list[Finding]:
    return [f for f in result.findings if f.is_defect]


# ---------------------------------------------------------------- what the readings lead to
def alternatives() -> Iterator[tuple[str, str]]:
    """Every alternative of a modelled reading that is not its default."""
    for name, reading in BOOK.readings.items():
        if reading.status.value == "modelled" and not isinstance(reading.answers, Numbers):
            yield from ((name, a.id.value) for a in reading.answers if a.id.value != reading.default.value)


def pinning(reading: str, alternative: str) -> Iterator[tuple[CheckResult, CheckResult]]:
    """The scenarios that pin a result under the alternative, with the result under the default that they pin first."""
    for name, path in SCENARIOS.items():
        expect = read_scenario(path).expect
        for k, want in enumerate(expect):
            if name not in LARGE and {r: v.value for r, v in want.readings.items()} == {reading: alternative}:
                yield results(name)[0], results(name)[k]


def differ(default: CheckResult, other: CheckResult) -> bool:
    """Do they find or end in different things, or does play part where somebody can see it?"""
    if [f.id for f in found(default)] != [f.id for f in found(other)] or default.outcomes != other.outcomes:
        return True
    parted = [f for f in other.findings if f.cls is FindingClass.READINGS]
    return any(INTERNAL not in f.summary.en for f in parted)


def test_there_are_more_than_eight_modelled_readings() -> None:
    assert len({r for r, _ in alternatives()}) >= 8


@pytest.mark.parametrize(("reading", "alternative"), list(alternatives()), ids="=".join)
def test_an_alternative_of_a_reading_leads_to_something_else(reading: str, alternative: str) -> None:
    assert any(differ(a, b) for a, b in pinning(reading, alternative))


# ---------------------------------------------------------------- how findings read
TOLD = {
    "order": ("payer-tired-and-refreshed", 0),
    "passing": ("everything-empty", 0),
    "free-ability": ("ability-without-cost", 0),
    "both-at-nothing": ("both-at-the-brink", 1),
    "no-pl-character": ("ts-character-leaves", 0),
}


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("name", TOLD)
def test_a_finding_reads_as_agreed(name: str, lang: str, frozen: Callable[[str, str], None]) -> None:
    scenario, number = TOLD[name]
    (finding,) = found(results(scenario)[number])
    frozen(f"{name}.{lang}.txt", as_text(render_finding(finding, lang, names=names())))  # pyright: ignore


# ---------------------------------------------------------------- what is found
def test_however_an_exchange_is_undone_two_pl_characters_may_come_of_it() -> None:
    """Where a PL character of both sexes is outside the TS state it may be exchanged again, or covered, while it is exchanged."""
    for name, breaking in (("exchanged-in-turn", 0), ("exchanged-twice", 1)):
        for k, result in enumerate(results(name)[:2]):
            broken = [f for f in found(result) if "第1章4(3)" in f.clauses and "第10章4.1" in f.clauses]
            assert (len(broken) == 1) == (k == breaking), (name, k)
            assert all(f.cls is FindingClass.INVARIANT and f.moment is not None for f in broken)
        assert not found(results(name)[2]), "by the default reading it cannot be exchanged again"


def test_turns_change_for_ever_and_nobody_can_end_it() -> None:
    (loop,) = found(results("everything-empty")[0])
    assert loop.keepers is WhoCanStop.NOBODY
    assert loop.level == "game"
    assert not loop.growing
    assert loop.clause_verdicts == (), "the book has no clause on endless loops"
    assert {s.turn.en for s in loop.play.cycle if s.turn is not None} == {
        "turn 1 (the first player)", "turn 2 (the second player)"} or len(loop.play.cycle) > 1


def test_who_is_to_order_the_interrupts_is_asked() -> None:
    (order,) = found(results("payer-tired-and-refreshed")[0])
    assert order.question is not None
    assert "割込を処理する順" in order.question.ja
    assert "待機側" in str(order.play) and "行動側" in str(order.play), "players are called as the book calls them"


def test_only_the_acting_side_can_stop_what_costs_nothing() -> None:
    for name in ("ability-without-cost", "two-nurses"):
        (loop,) = found(results(name)[0])
        assert loop.keepers is WhoCanStop.ONE
        assert loop.stopper is not None and loop.stopper.en.startswith("the acting side (the first player)")
