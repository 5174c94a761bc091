"""What is not modelled yet is told apart from what is wrong."""
from __future__ import annotations

from pathlib import Path

from .conftest import Run


def test_where_only_the_encoding_is_missing_the_page_leads_to_the_clauses_and_not_to_a_decision(rulewright: Run, mygame: Path) -> None:
    out = rulewright("check", "mygame")[1]
    assert "rulewright coverage mygame" in out and "rulewright decide" not in out
    out = rulewright("coverage", "mygame")[1]
    assert "The rules have no marks of clauses" in out and "no model" not in out
    rules = mygame / "rules" / "ch03_game_preparation.py"
    rules.write_text(rules.read_text(encoding="utf-8").replace('not_modelled("3.1")', "g.turn_number = 1  #: 3.1"), encoding="utf-8")
    assert "The rules have no marks" not in rulewright("coverage", "mygame")[1]
