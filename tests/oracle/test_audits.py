"""Nothing false is said of silent choices in books by lot, and what is said falsely is noticed."""
from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright.checks.audit.record import Tried

from . import audits
from .audits import PLAYED, SAME, UNREACHED, told_of_choices
from .kinds import drawn


@pytest.mark.parametrize(("seed", "kind"), [(28, "verdicts"), (206, "counters"), (327, "counters"), (7, "orders")])
def test_nothing_false_is_said_of_choices(seed: int, kind: str) -> None:
    false, counts = told_of_choices(drawn(seed, kind))
    assert not false and any(counts.values())


@pytest.mark.parametrize(("truly", "told", "kind"), [(Tried.PARTED, Tried.ALIKE, SAME), (Tried.PARTED, Tried.NOT_REACHED, UNREACHED), (Tried.ALIKE, Tried.PARTED, PLAYED)])
def test_what_is_said_falsely_is_noticed(truly: Tried, told: Tried, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = audits.Trials.outcome

    def other(trials: audits.Trials, choice: audits.Choice) -> object:
        out = real(trials, choice)
        return replace(out, tried=told) if out.tried is truly else out
    monkeypatch.setattr(audits.Trials, "outcome", other)
    assert {f.kind for f in told_of_choices(drawn(28, "verdicts"))[0]} == {kind}
