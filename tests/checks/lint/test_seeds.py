"""Five real rule books, where they are beside the project: what must be found in them, and how much is found at all.

Their sentences are not repeated here: a finding is known by its rule and clause."""

from __future__ import annotations

from functools import cache

import pytest

from rulewright.checks.lint.findings import Severity
from rulewright.checks.lint.linting import Options, Report, lint

from ...texts import ABSENT, TEXTS

MUST = [
    ("000", "reference-missing", "10.7.4.1.3"),
    ("000", "clause-empty", "4.5.3.1"),
    ("000", "limit-undefined", "7.5.3"),
    ("000", "subject-other", "4.5.4"),
    ("000", "negation-broken", "1.2.3.1"),
    ("001", "number-skipped", "202"),
    ("002", "series-prefix", "『第四章』"),
    ("002", "series-range", "『終章』"),
    ("002", "series-range", "『完全態』"),
    ("002", "series-range", "『自我』"),
    ("002", "reference-heading", "22-9-1"),
    ("003", "reference-missing", "第5章 5.7"),
    ("003", "number-repeated", "第1章 3.3 (4)"),
    ("003", "term-undefined", "第3章 4.1"),
    ("003", "contents-differ", "第4章 6"),
    ("004", "term-spelling", "カードの色"),
    ("000", "term-two-names", "1.2.1.2"),
    ("000", "list-differs", "2 ⑨"),
    ("001", "term-undefined", "214.2e"),
    ("002", "reference-step", "8-1-3"),
    ("002", "reference-step", "22-10"),
    ("002", "term-spelling", "8-3-2"),
    ("002", "term-undefined", "9-2"),
    ("002", "series-gap", "18-1"),
    ("003", "term-undefined", "第1章 5"),
    ("003", "reference-shifted", "第2章 2 (8)"),
    ("003", "list-differs", "第2章 3 (4)"),
    ("003", "subject-other", "第9章 1.2"),
    ("004", "term-two-names", "カードの種類"),
    ("000", "bracket-unclosed", "10.1.1.2.1"),
    ("000", "bracket-unclosed", "12.8.2"),
    ("002", "slip", "6-2-1-9"),
    ("002", "slip", "6-2-1-10"),
    ("003", "text-repeated", "第11章 2"),
]
AT_MOST = {"000": 21, "001": 6, "002": 32, "003": 34, "004": 6}
"""Errors and warnings that were judged one by one. One more is to be judged before it is let in."""


@cache
def report(book: str) -> Report:
    paths = sorted(TEXTS.glob(f"{book}_*.txt")) if TEXTS.is_dir() else []
    if not paths:
        pytest.skip(ABSENT)
    return lint(paths[0], Options())


@pytest.mark.parametrize(("book", "rule", "clause"), MUST)
def test_what_must_be_found_is_found(book: str, rule: str, clause: str) -> None:
    assert any(one.rule == rule and one.clause.startswith(clause) for one in report(book).found)


def test_a_dangling_reference_comes_with_the_likeliest_meant_clause() -> None:
    (dangling,) = [one for one in report("000").found if one.rule == "reference-missing"]
    assert dangling.suggestion is not None and "10.7.4.1.2" in dangling.suggestion.en
    (step,) = [one for one in report("003").found if one.rule == "reference-missing"]
    assert step.shown == "3.6" and step.fix is not None and step.fix.new == "5.6"


@pytest.mark.parametrize("book", AT_MOST)
def test_no_more_is_reported_than_was_judged(book: str) -> None:
    serious = [one for one in report(book).found if one.severity is not Severity.HINT]
    assert len(serious) <= AT_MOST[book], [(one.rule, one.line, one.message.en) for one in serious]


def test_the_numbering_of_every_book_is_recognised() -> None:
    counts = {book: len(report(book).draft.numbered) for book in AT_MOST if book != "004"}
    assert all(count > 80 for count in counts.values()), counts
    assert [book.title for book in report("002").draft.books] == ["コアルール", "追加ルール"]
