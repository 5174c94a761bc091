"""What random plays break, and whether a proof is tried then."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rulewright.checks.explore import random_plays
from rulewright.checks.explore.subject import Subject
from rulewright.checks.smt.queries import keeping
from rulewright.checks.subjects import subject_of
from rulewright.model.engine.library import Book, load_book
from rulewright.model.engine.table import open_table
from rulewright.spec.readers import read_scenario


class ProofTried(Exception):
    """The proof would begin."""


@pytest.mark.slow
def test_what_breaks_by_another_reading_alone_leaves_the_proof_to_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two PL characters of ts_fight need that one of both sexes is read to be outside the TS state, as a scenario sets it."""
    def proof(*_: object, **__: object) -> None:
        raise ProofTried
    book = load_book("ts_fight")
    broken = next(s for s in book.scenarios if s.stem == "exchanged-in-turn")

    def scenarios(_: Book, readings: dict[str, str]) -> Iterator[Subject]:
        for own in (True, False):
            s = read_scenario(broken)
            yield subject_of(open_table(s if own else replace(s, readings={}), readings), False)
    monkeypatch.setattr(keeping, "to_be_played", scenarios)
    monkeypatch.setattr(keeping, "answers_about", proof)
    monkeypatch.setattr(keeping, "IN_PLAY", 12.0)
    monkeypatch.setattr(random_plays, "AFTER", 1.0)
    with pytest.raises(ProofTried):
        keeping.keep("ts_fight")
    result = keeping.keep("ts_fight", {"both-sexes-ts": "not-ts"})
    assert [f.clauses for f in result.findings] == [("第1章4(3)", "第10章4.1")]
