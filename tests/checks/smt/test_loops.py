"""Lassos and growing loops are found in all positions at once, without exploring; and not where the nearest thing is missing."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.record import Bounds, Certainty, Finding, WhoCanStop
from rulewright.checks.smt.queries.loops.all_worlds import pairs_left
from rulewright.checks.smt.queries.loops.growing import GrowingQuestion
from rulewright.checks.smt.queries.loops.lassos import LassoAnswer, LassoQuestion, played, solved
from rulewright.checks.smt.queries.loops.pools import Pool, asker_of
from rulewright.checks.smt.queries.loops.rounds import heads, rounds
from rulewright.checks.smt.queries.loops.telling import findings_at
from rulewright.checks.smt.solving import ask
from rulewright.checks.stored.cases import read_case
from rulewright.checks.stored.finding_store import stored_cases
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import forget_books, load_book

from .small_books import own_book

LONG = 120.0
"""Seconds for a question, so that a busy machine does not matter."""


def question(
    cards: tuple[str, ...], head: str, labels: int, of: type[LassoQuestion] = LassoQuestion, readings: Mapping[str, str] | None = None,
) -> LassoQuestion:
    """The question about hanayome with these cards, at a head."""
    asker = asker_of("hanayome", Pool(cards), readings or {}, LONG)
    (at,) = (h for h in heads(asker.program) if h[0].partition("[")[0] == head)
    return of(asker, rounds(asker, at, labels), True)


def findings(q: LassoQuestion, reply: LassoAnswer, growing: bool = False) -> list[Finding]:
    assert reply.lasso is not None, reply.unknown
    return findings_at(q.asker, reply.lasso, Bounds(True, 0, 0, 0), growing)


def about(finding: Finding) -> str:
    """Book and clause of a finding's id. In which phase a loop lies, of which the rest of the id speaks, depends on the position, and that is z3's choice."""
    return finding.id.rpartition("-")[0]


def stored(scenario: str) -> set[str]:
    """What the findings of hanayome are about that are stored, of a scenario."""
    files = (stored_cases() / "hanayome").glob("*.yaml")
    return {about(read_case(file).finding) for file in files if scenario in file.stem}


SWAP = ("C-SWAPPER", "C-LIBRARY")
MAIN = ("V-RECALL-MAIN", "V-RECALL-MAIN")
APPROACH = ("V-RECALL-APPROACH", "V-RECALL-APPROACH")


@pytest.mark.parametrize(("cards", "head", "labels", "scenario", "keepers"), [
    (SWAP, "check_timing", 2, "swap-chosen", WhoCanStop.NOBODY),
    (MAIN, "main_phase", 3, "recycling-events-in-main-phase", WhoCanStop.ONE),
    (APPROACH, "alternate", 7, "recycling-events-in-event-step", WhoCanStop.ONE),
])
def test_a_lasso_is_the_same_finding_as_by_play(
    cards: tuple[str, ...], head: str, labels: int, scenario: str, keepers: WhoCanStop,
) -> None:
    """As the cases that are stored, found by exploring the scenario."""
    q = question(cards, head, labels)
    reply = solved(q)
    found = findings(q, reply)
    assert about(found[0]) in stored(scenario) and {*map(about, found)} <= stored("")
    for f in found:
        assert f.keepers is keepers and f.certainty is Certainty.CONSTRUCTIBLE and f.play.cycle and f.position is not None
        assert f.invented_cards
    assert reply.lasso is not None
    way = played(Interpreter(q.asker.program), reply.lasso.begin, reply.lasso.options)
    assert way is not None and way[-1] == way[0] and any(s.slots != way[0].slots for s in way)


@pytest.mark.parametrize(("cards", "head", "labels"), [
    (("C-SWAPPER", "BLANK"), "check_timing", 2),
    (("C-GREETER", "C-LIBRARY"), "check_timing", 2),
    (("V-RECALL-MAIN", "BLANK"), "main_phase", 3),
])
def test_no_lasso_where_there_is_nobody_to_swap_with_or_nothing_to_fetch(cards: tuple[str, ...], head: str, labels: int) -> None:
    reply = solved(question(cards, head, labels))
    assert reply.lasso is None and reply.unknown is None


def test_how_many_pairs_of_different_cards_were_not_asked_about_is_said() -> None:
    book = load_book("hanayome")
    assert "(pairs: 1)" in next(pairs_left(book, ["C-SWAPPER", "V-RECALL-MAIN"])).en
    assert not [*pairs_left(book, ["C-SWAPPER", "BLANK"])], "a card without a text is in a world of each card"


def test_a_growing_loop_is_proved_for_every_number_of_rounds() -> None:
    """The same finding as of hanayome/empty-hand-bonus, where it is repeated up to the limit of the counter."""
    q = question(("C-LONELY", "C-LIBRARY"), "check_timing", 1, GrowingQuestion)
    reply = solved(q)
    (found,) = findings(q, reply, growing=True)
    assert about(found) in stored("empty-hand-bonus-") and found.growing and found.keepers is WhoCanStop.NOBODY


def test_no_growing_loop_where_the_state_has_to_arise_anew() -> None:
    q = question(("C-LONELY", "C-LIBRARY"), "check_timing", 1, GrowingQuestion, {"state-trigger-when": "arises-anew"})
    reply = solved(q)
    assert reply.lasso is None and reply.unknown is None


def test_the_question_can_be_asked_elsewhere() -> None:
    """As SMT-LIB 2 it has the same answer."""
    q = question(SWAP, "check_timing", 2)
    text = q.query("lassos: swap").text()
    assert text.startswith("; lassos: swap\n(set-logic QF_BV)") and text.rstrip().endswith("(check-sat)")
    assert ask(question(("C-SWAPPER", "BLANK"), "check_timing", 2).query("none"), LONG).verdict == "unsat"


@pytest.mark.parametrize("decks", [True, False])
def test_the_cards_that_lie_in_the_decks_are_told_where_there_are_decks(decks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """They are of the worlds' cards, and what takes three cards in one hand is not looked at."""
    monkeypatch.chdir(tmp_path)
    draft = "# Lamps\n\n## 1. Setup\n\n1.1. Each player has a hand{}.\n\n## 2. The turn\n\n2.1. Draw phase\n\n2.1.1. The turn player draws a card.\n"
    Path("draft.md").write_text(draft.format(" and a deck" if decks else ""), encoding="utf-8")
    assert main(["new", "lamps", "--from", "draft.md", "--yes"]) == 0
    forget_books()
    capsys.readouterr()
    assert main(["check", "lamps", "--only", "lassos", "--lang", "en"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    forget_books()
    assert "As at first: " in said and ("one card in each deck (it lies there)" in said) is decks and f"up to {3 if decks else 1} card" in said


LOOPS_IN_SMALL_GAMES = """from rulewright.model.lang import *

class Game(State):
    hand: Bag
    away: Bag
    lit: bool

@entry("setup")
@procedure
async def main(g: Game) -> None:
    while {while_}:
        light = await may(FIRST)  #: 1.1
        g.lit = light  #: 1.1
    finish(FIRST)
"""


@pytest.mark.parametrize(("while_", "goes_round"), [
    ("True", True), ("len(CARDS) == 1", True), ("len(g.hand) == 1 and len(g.away) == 0 and all(c in g.hand for c in CARDS)", True),
    ("any(c not in g.hand and c not in g.away for c in CARDS)", False), ("len(CARDS) > len(g.hand) + len(g.away)", False),
])
def test_cards_that_are_not_in_the_game_are_none_of_those_that_a_loop_asks_about(
    while_: str, goes_round: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    own_book(tmp_path, monkeypatch, LOOPS_IN_SMALL_GAMES.format(while_=while_))
    asker = asker_of("mine", Pool(("PLAIN", "PLAIN")), {})
    reply = solved(LassoQuestion(asker, rounds(asker, next(heads(asker.program)), 4), True))
    assert (reply.lasso is not None, reply.unknown) == (goes_round, None)
