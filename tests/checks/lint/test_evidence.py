"""The level of a finding follows from the signs for it in its document; what is said of much of a document is told once."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rulewright.checks.lint.counting import one_slip
from rulewright.checks.lint.findings import Severity
from rulewright.checks.lint.linting import RULES, Options, Report, chosen_rules, lint_source
from rulewright.checks.lint.model import Known
from rulewright.checks.lint.reading import from_text

JUDGED = Path(__file__).parents[3] / "benchmarks" / "lint_judged" / "judged.csv"


def report(text: str, **chosen: tuple[str, ...] | bool) -> Report:
    options = Options(**chosen)  # type: ignore[arg-type]
    return lint_source(from_text("book.txt", text), options, chosen_rules(options), Known())


def levels(text: str) -> list[tuple[str, Severity]]:
    return [(one.rule, one.severity) for one in report(text).found]


def book(sections: int = 4, clauses: int = 5) -> str:
    """So many sections with so many clauses: `1. Part`, `1.1. Draw 1.` …"""
    return "".join(f"{n}. Part {n}\n" + "".join(f"{n}.{k}. Draw {k} of {n} cards.\n" for k in range(1, clauses + 1)) for n in range(1, sections + 1))


@pytest.mark.parametrize(
    ("numbers", "at", "slip"),
    [
        ([1, 2, 3, 3, 5, 6], 3, True),
        ([1, 2, 4, 5], 2, True),
        ([3, 5, 4, 6], 2, True),
        ([1, 2, 3, 4, 5], 2, False),  # nothing is wrong there
        ([1, 1, 1, 1], 2, False),  # it is counted otherwise
        ([1, 2, 3, 3, 4, 5], 3, False),  # which of the two is wrong?
        ([1, 2, 3, 3], 3, False),  # nothing behind it says that it goes on
    ],
)
def test_a_slip_is_one_number_among_others_that_count_on(numbers: list[int], at: int, slip: bool) -> None:
    assert one_slip(numbers, at) is slip


def test_two_signs_make_an_error_and_one_a_warning() -> None:
    assert levels(book().replace("2.4. Draw", "2.3. Draw")) == [("number-repeated", Severity.ERROR), ("number-skipped", Severity.WARNING)]
    # Of a number that is there twice, and no other is gone, only the numbering of the whole speaks.
    assert levels(book().replace("2.3. Draw", "2.3. Rest.\n2.3. Draw")) == [("number-repeated", Severity.WARNING)]


def test_in_a_list_of_which_nothing_else_is_known_a_number_twice_is_a_hint() -> None:
    found = report("# Play\n1. Draw.\n1. Rest.\n")
    assert [(one.rule, one.severity) for one in found.found] == [("number-repeated", Severity.HINT)] and found.serious == []


def test_no_number_is_missing_where_a_line_begins_with_it() -> None:
    gone = book().replace("2.3. Draw 3 of 2 cards.\n", "")
    assert levels(gone) == [("number-skipped", Severity.WARNING)]
    assert levels(book().replace("2.3. Draw 3 of 2 cards.", "— 2.3: Draw three.")) == [("number-skipped", Severity.HINT)]


def test_a_line_between_numbers_that_count_on_is_no_clause_twice() -> None:
    assert [level for _, level in levels(book().replace("4.3. Draw", "1.2. as said above.\n4.3. Draw"))].count(Severity.ERROR) == 0


def test_a_reference_to_another_document_is_no_error_of_this_one() -> None:
    cited = book() + "4.6. See section {} of {}.\n" + "".join(f"4.{k}. See section 2.{k - 6}.\n" for k in range(7, 12))
    assert levels(cited.format("2.9", "these rules")) == [("reference-missing", Severity.ERROR)]
    assert levels(cited.format("2.9", "the Patent Policy")) == []


def test_what_is_said_of_much_of_a_document_is_told_once_unless_it_is_asked_for() -> None:
    strange = "".join(f"{n}. Part\n{n}.1. Draw.\n{n}.1. Rest.\n{n}.1. Sleep.\n" for n in range(1, 9))
    told = report(strange)
    assert [one for one in told.found if one.rule == "number-repeated"] == []
    assert any(note.en.startswith("hint number-repeated") and "16 places" in note.en for note in told.source.notes)
    assert len(report(strange, select=("number-repeated",)).found) == 16


def test_a_rule_that_was_wrong_on_unseen_documents_needs_a_sign_besides_its_own() -> None:
    with JUDGED.open(encoding="utf-8", newline="") as file:
        late = [row for row in csv.DictReader(file) if row["stage"].startswith(("fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"))]
    for rule in RULES:
        own = [row["verdict"] == "right" for row in late if row["rule"] == rule.id]
        assert rule.signs == 0 or 10 * sum(own) >= 9 * len(own), rule.id


def spoken_of(word: str, last: str) -> str:
    parts = (f"{n}. 手順{n}\n{n}.1. {word}を{n}回使う。{word}は順に使う。\n" for n in range(1, 6))
    return "".join(parts) + f"6. 役割\n6.1. {last}は一つとする。\n"


def test_who_does_it_is_no_misspelling_of_what_is_done() -> None:
    assert levels(spoken_of("レビュー", "レビュアー")) == []
    assert [rule for rule, _ in levels(spoken_of("レビュー", "レビュヤー"))] == ["word-misspelt"]


def test_a_name_whose_parts_are_names_may_stand_for_both() -> None:
    assert levels(spoken_of("ムーンストーン", "ムーン・ストーン")) == [("term-spelling", Severity.WARNING)]
    both = spoken_of("ムーンストーン", "ムーン・ストーン") + "6.2. ムーンとストーンを引く。\n"
    assert ("term-spelling", Severity.WARNING) not in levels(both)


def rules_told(text: str) -> set[str]:
    return {rule for rule, level in levels(text) if level is not Severity.HINT}


@pytest.mark.parametrize("said", ["the *University Act* Section 35.1", "Bylaw 5, “Elections,” section 9.9", "the Building Code, 1998, s. 35.1"])
def test_a_number_of_an_act_or_within_a_part_is_no_clause_that_is_missing(said: str) -> None:
    assert rules_told(book().replace("3.3. Draw 3 of 3 cards.", f"3.3. As in {said}, draw.")) == set()


def test_a_clause_of_this_book_that_is_missing_is_told() -> None:
    assert rules_told(book().replace("3.3. Draw 3 of 3 cards.", "3.3. As in section 9.9, draw.")) == {"reference-missing"}


def articles(second: str) -> str:
    return "".join(f"第{n}条\n{f'{n}枚引く。' if n != 3 else second}\n\n" for n in range(1, 7))


def test_a_line_that_begins_with_what_is_meant_of_an_article_is_no_article() -> None:
    assert levels(articles("第1条記載の枚数でも、引かない。")) == []
    assert "number-repeated" in rules_told(articles("本文\n第3条\n引かない。"))


def test_a_reference_that_was_never_filled_in_is_told() -> None:
    assert rules_told(book().replace("3.3. Draw 3 of 3 cards.", "3.3. As outlined in Bylaw ??, draw.")) == {"placeholder"}
    assert rules_told(book().replace("3.3. Draw 3 of 3 cards.", "3.3. Which step? Draw.")) == set()
