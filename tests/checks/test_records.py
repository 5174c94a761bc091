"""Records as JSON and back, and ids that stay the same."""
from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rulewright.checks.findings.as_json import (
    NotARecord,
    finding_as_json,
    finding_from_json,
    result_as_json,
    result_from_json,
)
from rulewright.checks.findings.identity import ALPHABET, finding_id, prefix
from rulewright.checks.findings.record import Certainty, Finding, FindingClass, WhoCanStop
from rulewright.spec.text import Text

from .samples import CHOSEN_LOOP, ORDER, PASS_ONLY, RESULT


@pytest.mark.parametrize("finding", [PASS_ONLY, ORDER, CHOSEN_LOOP], ids=lambda finding: finding.id)
def test_a_finding_survives_json(finding: Finding) -> None:
    assert finding_from_json(json.loads(json.dumps(finding_as_json(finding)))) == finding


def test_a_result_survives_json() -> None:
    assert result_from_json(json.loads(json.dumps(result_as_json(RESULT)))) == RESULT


def test_the_version_of_the_form_comes_first_and_readings_are_sorted() -> None:
    data = finding_as_json(replace(PASS_ONLY, readings={"b": "1", "a": "2"}))
    assert list(data)[:4] == ["schema", "kind", "id", "cls"]
    assert list(data["readings"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 99}, "schema: only form 1 can be read"),
        ({"kind": "result"}, "kind: this should be a finding"),
        ({"tilte": "x"}, "tilte: unknown key"),
        ({"certainty": "sure"}, "certainty: 'sure' is none of: " + ", ".join(c.value for c in Certainty)),
        ({"copies": "two"}, "copies: a whole number is needed, this is 'two'"),
        ({"hint": 1}, "hint: true or false is needed, this is 1"),
        ({"clauses": "7.5.3"}, "clauses: a list is needed, this is '7.5.3'"),
        ({"title": {"ja": "題"}}, "title: missing: en"),
        ({"bounds": []}, "bounds: a mapping is needed, this is []"),
    ],
)
def test_data_that_is_no_record_is_refused_with_its_place(change: dict[str, object], message: str) -> None:
    with pytest.raises(NotARecord) as refused:
        finding_from_json(finding_as_json(PASS_ONLY) | change)
    assert str(refused.value) == message


TITLE = Text("題", "title")


def test_an_id_names_the_book_and_the_decisive_clause() -> None:
    made = finding_id("hanayome", FindingClass.LOOP, ("7.5.3", "4.8"), WhoCanStop.NOBODY, TITLE)
    assert made.startswith("HANA-7.5.3-")
    assert len(made) == len("HANA-7.5.3-H7Q2")
    assert set(made[-4:]) <= set(ALPHABET)
    assert not set("01ILOB") & set(ALPHABET)


def test_an_id_is_the_same_for_ever() -> None:
    made = finding_id("hanayome", FindingClass.LOOP, ("7.5.3", "4.8"), WhoCanStop.NOBODY, TITLE)
    assert made == "HANA-7.5.3-6H7Y"


def test_different_defects_of_a_clause_have_different_ids() -> None:
    base = finding_id("hanayome", FindingClass.LOOP, ("7.5.3",), WhoCanStop.NOBODY, TITLE)
    assert base != finding_id("hanayome", FindingClass.GAP, ("7.5.3",), WhoCanStop.NOBODY, TITLE)
    assert base != finding_id("hanayome", FindingClass.LOOP, ("7.5.3", "4.8"), WhoCanStop.NOBODY, TITLE)
    assert base != finding_id("hanayome", FindingClass.LOOP, ("7.5.3",), WhoCanStop.ONE, TITLE)
    assert base != finding_id("hanayome", FindingClass.LOOP, ("7.5.3",), None, TITLE)
    assert base != finding_id("hanayome", FindingClass.LOOP, ("7.5.3",), WhoCanStop.NOBODY, Text("別", "title"))


def test_books_are_told_apart_by_their_prefix() -> None:
    books = ["hanayome", "harem_master", "sakura", "ts_fight", "shinso"]
    assert [prefix(book) for book in books] == ["HANA", "HM", "SAKU", "TF", "SHIN"]
