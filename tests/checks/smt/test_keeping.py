"""What random plays break, and whether a proof is tried then."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore import random_plays
from rulewright.checks.explore.subject import Subject
from rulewright.checks.scenarios.subjects import subject_of
from rulewright.checks.smt.queries import keeping
from rulewright.model.engine.library import Book, forget_books, load_book
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


RULES = '''\
from rulewright.model.lang import *


class Game(State):
    oil: Annotated[int, Range(0, 20)]
    turn_player: Player


@invariant
def there_is_some(g: Game) -> bool:
    return g.oil >= 0


@entry("{entry}")
@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn."""
    g.oil = 1  #: 1.1
'''


@pytest.mark.parametrize(("entry", "said"), [("dusk", "a game cannot begin with `setup`"), ("setup", "no scenario begins with the preparation")])
def test_without_a_game_from_the_preparation_nothing_is_proved_and_this_is_said(
    entry: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("draft.md").write_text("1. 灯り\n1.1. 油を足します。\n", encoding="utf-8")
    assert main(["register", "draft.md", "-o", "spec/lanterns"]) == 0
    Path("spec/lanterns/rules").mkdir(exist_ok=True)
    Path("spec/lanterns/rules/turn.py").write_text(RULES.format(entry=entry), encoding="utf-8")
    forget_books()
    try:
        assert main(["check", "lanterns", "--only", "invariants", "--lang", "en"]) == 2
        assert said in capsys.readouterr().err
    finally:
        forget_books()
