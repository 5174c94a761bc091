"""Rulewright from Python: plays, positions, findings, and the page about it."""
from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks import api
from rulewright.checks.api.strategies import plays, scenarios

from ...docs.blocks import DOCS, blocks_of

EXCHANGE = api.open_scenario("sakura/exchange")
BATTLE = api.open_scenario("shinso/answer-to-a-fatal-attack")


def test_the_page_is_run_as_it_stands() -> None:
    text = "\n".join(b.text for b in blocks_of(DOCS / "python.md") if b.language == "pycon")
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(doctest.DocTestParser().get_doctest(text, {}, "python.md", "python.md", 0))
    assert found.failed == 0 and found.attempted > 25


def test_the_page_has_the_same_examples_in_japanese() -> None:
    assert [b.text for b in blocks_of(DOCS / "python.md")] == [b.text for b in blocks_of(DOCS / "python.ja.md")]


@settings(max_examples=25, deadline=None)
@given(plays(BATTLE, most=40), st.integers(0, 50))
def test_each_card_lies_in_one_place_and_a_play_can_be_taken_back(play: api.Play, choices: int) -> None:
    p = play.position
    zones = [z for name in dir(p.first) for z in (getattr(p.first, name), getattr(p.second, name)) if isinstance(z, tuple)]
    lying = [card for zone in zones for card in zone if isinstance(card, api.Card)]
    assert lying and len(set(lying)) == len(lying)
    before = play.back(choices)
    assert before.length == max(0, play.length - choices)
    assert play.steps[:before.length] == before.steps


@settings(max_examples=3, deadline=None)
@given(scenarios(api.open_book("shinso")))
def test_every_scenario_of_a_book_can_be_drawn(scenario: api.Scenario) -> None:
    play = scenario.play()
    assert scenario.title.ja and play.position.words.en
    assert (play.decider is None) == (play.end is not None), "play that has ended at once is nobody's"


def test_what_is_no_option_is_refused_and_one_of_another_play_too() -> None:
    play = EXCHANGE.play().go_on()
    for wrong in (2, -1, api.Option(0, api.Text.same("something else"), 1)):
        with pytest.raises(api.NoSuchOption, match="counted from 0"):
            play.take(wrong)
    assert play.take(play.options[1]).length == play.length + 1


def test_a_saved_play_is_the_same_when_it_is_loaded(tmp_path: Path) -> None:
    play = BATTLE.play().by_lot(5, 30)
    play.save(tmp_path / "game.json")
    again = BATTLE.load(tmp_path / "game.json")
    assert again.position == play.position and again != play.back() and again.steps == play.steps and again.end == play.end


@pytest.mark.parametrize("content", ["[]", "{}", '{"book": 1}', "no json", '{"book": "sakura", "scenario": "x", "readings": {}, "start": 99, "taken": []}'])
def test_what_is_no_record_is_refused_with_its_place(tmp_path: Path, content: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(api.BadInput, match=r"game\.json:1:1"):
        EXCHANGE.load(file)


def test_a_record_that_does_not_fit_says_which_step(tmp_path: Path) -> None:
    play = EXCHANGE.play().go_on().take(0)
    play.save(tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    data["taken"][-1] = [99]
    (tmp_path / "game.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(api.BadInput, match=f"step {play.length} cannot be chosen"):
        EXCHANGE.load(tmp_path / "game.json")


def test_names_that_there_are_not_are_told_with_those_that_there_are() -> None:
    position = EXCHANGE.play().position
    with pytest.raises(AttributeError, match=r"no field 'hands'; it has .*hand"):
        position.hands  # noqa: B018
    with pytest.raises(AttributeError, match="one 'distance' for both players"):
        position.first.distance  # noqa: B018
    with pytest.raises(KeyError, match="'third' is not among first, second"):
        position.hand["third"]


def test_what_there_is_for_each_is_compared_and_shown_by_what_it_is() -> None:
    play = api.open_book("hanayome").scenario("swap").play().go_on()
    here, again, later = play.position, play.take(0).back().position, play.take(1).position
    assert (here.lane, here.first, here.hand) == (again.lane, again.first, again.hand)
    assert len({here.lane, again.lane}) == len({here.first, again.first}) == 1
    assert here.first != later.first and here.hand != later.hand and here.first != here.second and here.hand != here.first
    assert repr(here.lane).startswith("<first: <1: (") and "hand: " in repr(here.first)


def test_a_limit_that_is_none_is_refused() -> None:
    scenario = api.open_book("hanayome").scenario("swap")
    for limits in ({"max_states": 0}, {"max_states": -1}, {"max_seconds": 0}, {"max_seconds": float("nan")}):
        with pytest.raises(ValueError, match="needs a positive number"):
            scenario.check(**limits)
    assert not scenario.check(max_states=1).bounds.complete


def test_books_and_scenarios_that_there_are_not_are_refused() -> None:
    for wrong in (lambda: api.open_book("sakuro"), lambda: api.open_scenario("sakura"), lambda: api.open_scenario("sakura/exchang")):
        with pytest.raises(api.BadInput):
            wrong()


def test_a_notebook_shows_a_play_and_nothing_of_a_text_becomes_markup() -> None:
    play = EXCHANGE.play().go_on()
    shown = play._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "exchanges no card of the hand" in shown and "second chooses" in shown and "<script" not in shown
