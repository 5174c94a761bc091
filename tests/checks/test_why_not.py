"""Why something is not offered: the first condition that fails, where it stands, and its clause."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.runs import session
from rulewright.checks.scenarios import playing
from rulewright.checks.scenarios.why_not import Reason

from .json_schema import output_schema
from .schema import violations


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def reasons(target: str, card: str, *chosen: int) -> dict[str, Reason]:
    (path,) = session.resolve(target)
    return {one.what.en: one for one in playing.why_not_offered(path, card, chosen, {}).reasons}


def test_a_card_that_is_not_in_hand_says_so() -> None:
    found = reasons("hanayome/swap", "C-SWAPPER")["play … into lane …"]
    assert reasons("hanayome/swap", "席替えの四葉") == reasons("hanayome/swap", "Yotsuba who changes seats") == reasons("hanayome/swap", "C-SWAPPER")
    assert found.fails is not None and found.fails.en == "“Yotsuba who changes seats” is not in the first player's hand"


def test_the_condition_is_told_from_the_inside_of_the_rules_with_its_clause() -> None:
    """`actions` asks `may_play_character`, which asks what the card is: that fails, and 8.2.1 says so."""
    found = reasons("hanayome/swap", "V-STROLL")
    assert found["play the event …"].offered
    character = found["play … into lane …"]
    assert not character.offered and character.fails is None
    assert "8.2.1" in character.clauses
    assert "Kind.CHARACTER" in character.condition and character.file.endswith("main_phase.py")


def test_what_is_offered_is_what_can_be_chosen() -> None:
    for target in ("hanayome/swap", "hanayome/two-events-in-a-row", "hanayome/event-and-episode", "hanayome/demand-and-prohibition", "ts_fight/two-nurses", "ts_fight/facing-mirrors",
                   "harem_master/charm-at-the-castle", "shinso/equipping-others"):
        (path,) = session.resolve(target)
        game = playing.open_game(path, 0, {})
        offered = " ".join(option.en for option in game.options())
        for card in game.subject.describer.world.definitions:  # pyright: ignore[reportAttributeAccessIssue]
            try:
                found = playing.why_not_offered(path, card.id, (), {}).reasons
            except session.BadInput:
                continue
            if found:
                assert any(one.offered for one in found) == (f"“{card.name.en}”" in offered), (target, card.id)


def test_a_condition_in_front_of_a_later_choice_is_told_not_that_nothing_is_left_to_choose() -> None:
    """A power is no kin: slots are not looked for any more."""
    assert "Kind.KIN" in reasons("shinso/first-turn", "BLANK")["summon … into slot …"].condition


def test_a_rule_that_says_no_outright_is_told_with_its_own_clause() -> None:
    """`if …: return False  #: 8.3.1` inside `may_play_episode`; and what no card of the situation fulfils is compiled to a plain no."""
    episode = reasons("hanayome/swap", "V-STROLL")["play … as an episode on …"]
    assert episode.clauses == ("8.3.1",) and episode.condition.startswith("if not may_be_episode(card)")
    assert reasons("hanayome/whose-hero", "N-TERM")["play … into lane …"].clauses == ("8.2.1", "8.2.2", "8.1.3")


def test_a_set_that_is_named_is_looked_into() -> None:
    """`usable(g, me, how)` are cards of the hand that are `proper`: what is not proper says why, and what lies elsewhere where it should be."""
    far = reasons("sakura/improper-uses", "A-CUT")["use …"]
    assert "in_reach" in far.condition and far.fails is None and far.clauses == ("9-2",)
    there = reasons("sakura/both-damages", "A-THROUGH")["react with …"]
    assert there.fails is not None and there.fails.en == "“Cut in Two” is not in the second player's hand"
    none = reasons("shinso/last-rim-card-converted", "BLANK")["declare … (for …)"]
    assert none.fails is not None and none.fails.en == "“a power that does nothing” is not among these"


def test_what_holds_for_all_options_alike_has_its_place() -> None:
    """In turn 1 only helpers can be brought in: `set() if g.turn_number == 1 else …`."""
    found = reasons("ts_fight/first-turn", "CLASSMATE")
    assert all(one.offered or (one.condition and one.clauses) for one in found.values())
    assert "g.turn_number == 1" in found["put … on …"].condition


def test_what_is_done_with_no_card_is_not_told_of_one() -> None:
    """A new hand is drawn with whatever lies in the hand, and a card elsewhere does not keep anybody from it."""
    assert reasons("shinso/hand-drawn-anew", "K-OGRE") == {}


def test_of_several_copies_the_one_is_told_of_that_comes_farthest(tmp_path: Path) -> None:
    """Of the same card one lies in the deck and one in the hand: that it is not in the hand would be wrong."""
    for hand, said in (("C-STUDY, C-KITCHEN", "there is nothing to choose"), ("C-KITCHEN", "“Itsuki in the study room” is not in the first player's hand")):
        (tmp_path / "copies.yaml").write_text(f"""
book: hanayome
id: copies
title: two copies
begin: main-phase
position:
  first: {{deck: [C-STUDY x2], hand: [{hand}]}}
  second: {{deck: [BLANK]}}
""", encoding="utf-8")
        found = reasons(str(tmp_path / "copies.yaml"), "C-STUDY")
        episode = found["play … as an episode on …"]
        assert episode.fails is not None and episode.fails.en == said
        assert all(one.offered or one.line for one in found.values())


def test_who_is_asked_is_said_and_by_which_luck_it_came_there(capsys: pytest.CaptureFixture[str]) -> None:
    """What `play` shows without a seed is another game: an answer about cards that were drawn is none about that."""
    main(["why-not", "sakura/full-game", "A-CUT", "-c", "2", "-c", "4", "--lang", "en"])
    said = " ".join(capsys.readouterr().out.split())
    assert "Who is asked: the first player" in said and "Chance fell as in `rulewright play sakura/full-game --seed 0`" in said
    main(["why-not", "hanayome/swap", "V-STROLL", "--lang", "ja"])
    said = capsys.readouterr().out
    assert "選ぶ人: ターンプレイヤー（先攻）" in said and "偶然" not in said


@pytest.mark.parametrize(("arguments", "complaint"), [
    (("hanayome/swap", "C-SWAPER"), "did you mean `C-SWAPPER`?"),
    (("hanayome/swap", "C-SWAPPER", "-c", "9"), "there is no option 9 (1 to 2)"),
    (("hanayome/swap", "V-STROLL", "-c", "1"), "nobody chooses what to do here"),
])
def test_what_cannot_be_told_is_refused(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["why-not", *arguments, "--lang", "en"]) == 2
    assert complaint in capsys.readouterr().err


def test_the_command_says_it_in_both_languages_and_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why-not", "hanayome/swap", "V-STROLL", "--lang", "ja"]) == 0
    said = capsys.readouterr().out
    assert "イベント…をプレイする  できる" in said and "できない。最初に満たさない条件:" in said and "8.2.1 " in said
    main(["why-not", "hanayome/swap", "V-STROLL", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert [*violations(data, output_schema())] == [] and len(data["reasons"]) == 4


KINDS = '''\
from rulewright.model.lang import *


class Kind(Enum):
    SHIP = 1
    PLOY = 2


class Printed(Definition):
    kind: Kind
    cost: Annotated[int, Range(0, 9)] = 0


class Use(Record):
    card: Card


class Pass(Inaction):
    pass


class Game(State):
    hand: Per[Player, Bag]
    wind: Annotated[int, Range(0, 9)]


@define
def usable(g: Game, p: Player) -> Set[Card]:
    return {c for c in g.hand[p] if Printed(c).kind == Kind.PLOY and Printed(c).cost <= g.wind}  #: 1


@entry("setup")
@procedure
async def main(g: Game) -> None:
    await choose(FIRST, {Pass()} | {Use(c) for c in usable(g, FIRST)})  #: 1
'''


def test_of_a_card_that_is_in_hand_but_of_another_kind_it_is_not_said_that_it_is_elsewhere(tmp_path: Path) -> None:
    book = tmp_path / "kinds"
    (book / "rules").mkdir(parents=True)
    (book / "scenarios").mkdir()
    (book / "rules/turn.py").write_text(KINDS, encoding="utf-8")
    for name, text in (
        ("clauses", 'book: kinds\nedition: "0"\nclauses:\n  - {id: "1", kind: procedure, en: Ploys are used.}\n'),
        ("readings", "book: kinds\nreadings: []\n"),
        ("cards", "cards:\n  - {id: A, name: a ship, kind: ship}\n  - {id: B, name: a ploy, kind: ploy}\n"),
        ("scenarios/one", "book: kinds\nid: one\ntitle: one\nposition:\n  first: {hand: [A, B]}\n"),
    ):
        (book / f"{name}.yaml").write_text(text, encoding="utf-8")
    (ploy,), (ship,) = (reasons("kinds/one", card).values() for card in "BA")
    assert ploy.offered and not ship.offered
    assert ship.fails is not None and ship.fails.en.startswith("what is printed on “a ship”") and ship.clauses == ("1",)
