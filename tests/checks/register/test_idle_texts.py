"""A text that waits for what its card can never meet is told beside what the plays never came to; one that may be met is not."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.register.exercised import idle_texts
from rulewright.model.engine.library import load_book
from rulewright.model.engine.table import open_table
from rulewright.spec.readers import read_scenario


def told(folder: Path, condition: str) -> list[str]:
    shipped = load_book("shinso").folder / "scenarios" / "rim-card-taken-first.yaml"
    text = shipped.read_text(encoding="utf-8")
    assert text.count("        if: event.card == this\n") == 1
    (folder / "case.yaml").write_text(text.replace("        if: event.card == this\n", f"        if: {condition}\n"), encoding="utf-8")
    return [t.en for t in idle_texts(open_table(read_scenario(folder / "case.yaml"), {}))]


@pytest.mark.parametrize("condition", ["event.card == this and is_kin(this)", "event.card == this"])
def test_a_condition_that_the_card_meets_is_not_told(condition: str, tmp_path: Path) -> None:
    assert told(tmp_path, condition) == []


def test_a_condition_that_the_printed_card_cannot_meet_is_told(tmp_path: Path) -> None:
    (one,) = told(tmp_path, "event.card == this and is_shard(this)")
    assert one.startswith("the ability of “thief at the gate” (it waits for Attacking, and its condition `event.card == this and is_shard(this)` is false")
