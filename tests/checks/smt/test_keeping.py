"""What random plays break, and whether a proof is tried then."""
from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore import random_plays
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.record import Given
from rulewright.checks.limits.ending import Ending
from rulewright.checks.scenarios.subjects import subject_of
from rulewright.checks.smt.queries import keeping
from rulewright.model.engine.library import Book, forget_books, load_book
from rulewright.model.engine.table import open_table
from rulewright.model.ir import nodes as ir
from rulewright.spec.readers import read_scenario

from ...toys.harness import toy


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


@pytest.mark.slow
def test_every_condition_of_harem_master_is_proved_and_what_it_rests_on_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "IN_PLAY", 1.0)
    result = keeping.keep("harem_master")
    said = [note.en for note in result.bounds.notes]
    assert result.bounds.complete and not result.findings and not any(x.startswith(("unknown: ", "refused: ")) for x in said)
    assert {x for x in said if x.startswith("proved: ")} >= {
        "proved: every card is in exactly one zone at all times, so that there stay 102", "proved: only characters lie in the field",
        "proved: that `keep_to_limits` ensures `six_are_left`", "proved: that `prepare` expects `nobody_is_in_play`"}
    rests_on = {a.kind: a for a in result.bounds.assumptions}
    assert rests_on[Given.GAME].values == ("full-game", "102") and rests_on[Given.NESTING].values == ("120",)


def test_plays_end_while_there_is_time_for_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    stop = Ending(until=160.0)
    plays_end = keeping.while_there_is(1 / 3, stop)
    assert plays_end is not None and not plays_end()
    now[0] = 121.0
    assert plays_end() and not stop()
    assert keeping.while_there_is(1 / 3, None) is None
    asked = Ending(asks=lambda: True)
    without_limit = keeping.while_there_is(1 / 3, asked)
    assert without_limit is asked and without_limit()


def test_an_interrupted_proof_says_nothing() -> None:
    calls = iter([False] * 3)
    answers = keeping.answers_about(keeping.largest_game(load_book("harem_master"), {}), 20, lambda: next(calls, True))
    assert not answers.proved and all(kept.reason for kept in answers.found.values())


def test_what_was_not_decided_in_time_is_unknown_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "IN_PLAY", 0.0)
    monkeypatch.setattr(keeping, "IN_PROOFS", 0.0)
    result = keeping.keep("harem_master")
    said = [note.en for note in result.bounds.notes]
    assert any(note.ja.endswith("（調べられませんでした: 時間が残っていない）") for note in result.bounds.notes)
    assert not result.bounds.complete and not result.findings
    assert [x for x in said if x.startswith("proved: ")] == [
        "proved: every card is in exactly one zone at all times, so that there stay 102"]  # which takes no solver
    assert "unknown: only characters lie in the field (it could not be asked: no time was left)" in said


def test_what_a_proof_fails_on_is_told_with_clauses_and_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever enters comes to one hand: the rule, its clause, and a state in which it brings another's card there."""
    monkeypatch.setattr(keeping, "IN_PLAY", 0.0)
    decks = keeping.largest_game(load_book("harem_master"), {})
    hand, enter = next(k for k, z in enumerate(decks.program.layout.zones) if z.field == "hand"), decks.program.functions["enter"]
    program = replace(decks.program, invariants=("own_cards_only",), contracts=(), functions={**decks.program.functions, "enter": replace(
        enter, code=[replace(i, zone=ir.Const(hand)) if isinstance(i, ir.Put) else i for i in enter.code])})
    result = keeping.keep("harem_master", decks=replace(decks, program=program))
    told = next(note.en for note in result.bounds.notes if note.en.startswith("unknown: "))
    assert "`use_character` (306.1)" in told and "for one, where `use_character` begins with" in told


def test_what_a_play_breaks_is_told_and_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy loses something in its rules: the play is shown, and the result says that no proof was tried."""
    monkeypatch.setattr(keeping, "to_be_played", lambda *_: iter([toy("leaking", entry="dropping")]))
    monkeypatch.setattr(keeping, "IN_PLAY", 0.5)
    result = keeping.keep("harem_master")
    assert [f.title.en for f in result.findings] == ["the invariant “nothing is lost” is broken"]
    assert not result.findings[0].hint and not result.bounds.complete
    assert "No proof was tried, since something is broken in play" in [note.en for note in result.bounds.notes]


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
