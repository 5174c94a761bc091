"""What was judged of books from elsewhere is data that says what it must, and the last figures do not fall."""

from __future__ import annotations

import csv
from pathlib import Path

from rulewright.checks.lint.linting import BY_ID

JUDGED = Path(__file__).parents[3] / "benchmarks" / "lint_judged" / "judged.csv"


def rows() -> list[dict[str, str]]:
    with JUDGED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_line_names_a_book_a_place_a_rule_and_a_reason() -> None:
    for row in rows():
        assert all(row[key] for key in ("stage", "repository", "path", "commit", "place", "why")), row
        assert row["rule"] in BY_ID and row["severity"] in ("error", "warning") and row["verdict"] in ("right", "wrong")
        assert len(row["why"]) <= 80  # words of ours, no sentence of a book


def test_nine_in_ten_are_right_in_the_state_that_was_judged_last() -> None:
    now = [row for row in rows() if row["stage"].startswith("now")]
    books = {(row["repository"], row["path"]) for row in now}
    assert len(books) >= 12 and 10 * sum(row["verdict"] == "right" for row in now) >= 9 * len(now)
