"""Positions as people write them: what is named twice, in whatever words and spellings, is told with both places."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.model.engine.table import open_table
from rulewright.spec.diagnostics import BadInput, Diagnostic
from rulewright.spec.readers import read_scenario

HEAD = "book: hanayome\nid: x\ntitle: x\nbegin: main-phase\nposition:\n"
TURN, OTHER = "  turn_player: first\n", "  second: {deck: [BLANK x2]}\n"


def only_mistake(path: Path, text: str) -> Diagnostic:
    """What is told of a situation with this text, which cannot be opened."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as raised:
        open_table(read_scenario(path))
    (told,) = raised.value.diagnostics
    return told


@pytest.mark.parametrize(("position", "place", "again", "first"), [
    (f"{TURN}  first: {{hand: [V-STROLL x5], 手札: [V-STROLL x5]}}\n{OTHER}", "7:32", "手札", "hand"),
    (f"{TURN}  first: {{hand: [V-STROLL]}}\n  先攻: {{deck: [BLANK]}}\n{OTHER}", "8:3", "先攻", "first"),
    (f"{TURN}  first: {{turn_player: second}}\n{OTHER}", "7:11", "turn_player", "turn_player"),
    (f"{TURN}  first:\n    lane: {{1: [C-SWAPPER], 01: [C-LIBRARY]}}\n{OTHER}", "8:28", "01", "1"),
])
def test_what_is_named_twice_is_refused(tmp_path: Path, position: str, place: str, again: str, first: str) -> None:
    told = only_mistake(path := tmp_path / "x.yaml", HEAD + position)
    assert told.code == "named-twice" and str(told.position) == f"{path}:{place}"
    assert told.message.en.startswith(f"`{again}` is what `{first}` in line ")


@pytest.mark.parametrize(("position", "place", "first"), [
    (f"{TURN}  turn_player\u3000: second\n  first: {{deck: [BLANK]}}\n{OTHER}", "7:3", "turn_player"),
    (f"{TURN}  first:\n    lane: {{1: [C-SWAPPER], １: [C-LIBRARY]}}\n{OTHER}", "8:28", "1"),
])
def test_names_that_look_the_same_are_the_same(tmp_path: Path, position: str, place: str, first: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(HEAD + position, encoding="utf-8")
    with pytest.raises(BadInput) as raised:
        read_scenario(path)
    (told,) = raised.value.diagnostics
    assert told.code == "duplicate-key" and str(told.position) == f"{path}:{place}" and f"as `{first}`" in told.message.en


def test_the_two_players_may_have_the_same(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"{HEAD}{TURN}  first: {{hand: [V-STROLL], lane: {{1: [C-SWAPPER], 2: [C-LIBRARY]}}}}\n"
                    "  second: {hand: [V-STROLL], lane: {1: [C-SWAPPER]}}\n", encoding="utf-8")
    open_table(read_scenario(path))


def test_values_may_be_written_by_the_words_of_the_book_like_fields(tmp_path: Path) -> None:
    """The page shows `使用済`; so that may be written."""
    def slots(value: str) -> object:
        path = tmp_path / "x.yaml"
        path.write_text("book: sakura\nid: x\ntitle: x\nbegin: turn\ndeck_order: lazy\nposition:\n"
                        f"  first: {{trumps: [T-BELL]}}\n  card: {{T-BELL: {{use: {value}}}}}\n", encoding="utf-8")
        return open_table(read_scenario(path)).starts

    assert slots("使用済") == slots("used") != slots("unused")
    with pytest.raises(BadInput, match="`使用ずみ`"):
        slots("使用ずみ")


def test_brackets_of_full_width_are_told(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    for written, told in (("［V-STROLL, V-CHEER］", {"no-colon"}), ("［V-STROLL］", {"not-a-card-number"}), ("[V-STROLLS]", set[str]())):
        path.write_text(f"{HEAD}{TURN}  first: {{hand: {written}}}\n{OTHER}", encoding="utf-8")
        with pytest.raises(BadInput) as raised:
            open_table(read_scenario(path))
        assert {d.code for d in raised.value.diagnostics if d.hint is not None and "半角の [ ]" in d.hint.ja} == told


def test_what_both_share_and_is_written_for_each_is_refused_as_that_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"{HEAD}{TURN}  first: {{effect_resolution: [V-STROLL]}}\n  second: {{effect_resolution: [V-STROLL]}}\n", encoding="utf-8")
    with pytest.raises(BadInput) as raised:
        open_table(read_scenario(path))
    assert [d.code for d in raised.value.diagnostics] == ["not-a-players", "not-a-players"]


def test_a_player_has_one_policy(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"{HEAD}{TURN}{OTHER}policy: {{first: pass, 先攻: yes}}\n", encoding="utf-8")
    with pytest.raises(BadInput, match="`先攻` is a player whose policy is written above already"):
        open_table(read_scenario(path))


POSITION = f"{TURN}  first: {{hand: [V-STROLL x2], deck: [BLANK]}}\n{OTHER}"


@pytest.mark.parametrize(("copy", "taken"), [("V-STROLL", True), ("V-STROLL#2", True), ("V-STROLL # 1", True), ("V-STROLL#3", False), ("V-STROLL#0", False),
                                             ("V-STROLL#x", False), ("V-STROLL#2q", False), ("V-STROLL#²", False), ("V-STROLL#", False)])
def test_a_copy_is_named_by_its_number(tmp_path: Path, copy: str, taken: bool) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f'{HEAD}{POSITION}  card: {{"{copy}": {{since: 1}}}}\n', encoding="utf-8")
    if taken:
        open_table(read_scenario(path))
        return
    with pytest.raises(BadInput) as raised:
        open_table(read_scenario(path))
    assert [d.value for d in raised.value.diagnostics] == [copy]


def test_a_copy_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"{HEAD}{POSITION}  card: {{V-STROLL: {{since: 1}}, V-STROLL#01: {{since: 2}}}}\n", encoding="utf-8")
    with pytest.raises(BadInput, match="V-STROLL#01"):
        open_table(read_scenario(path))


def test_of_an_unknown_name_the_fields_of_a_position_are_told_and_nothing_else_that_has_a_word(tmp_path: Path) -> None:
    told = only_mistake(tmp_path / "x.yaml", f"{HEAD}{TURN}  first: {{きのこ: [BLANK]}}\n{OTHER}")
    assert told.code == "no-such-field" and told.hint is not None
    assert "手札" in told.hint.ja and "メインフェイズ" not in told.hint.ja


@pytest.mark.parametrize(("written", "meant"), [
    ("V-STROLL、C-SWAPPER", "V-STROLL, C-SWAPPER"), ("V-STROLL　ｘ２、C-SWAPPER、", "V-STROLL x2, C-SWAPPER"), ("V-STROLL，C-SWAPPER", "V-STROLL, C-SWAPPER"),
    ("V-STROLL, C-SWAPPER", None)])
def test_cards_that_a_comma_of_full_width_joins_are_offered_one_by_one(tmp_path: Path, written: str, meant: str | None) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"{HEAD}{TURN}  first: {{hand: [{written}]}}\n{OTHER}", encoding="utf-8")
    if meant is None:
        open_table(read_scenario(path))
        return
    with pytest.raises(BadInput) as raised:
        open_table(read_scenario(path))
    (told,) = raised.value.diagnostics
    assert told.code == "joined-cards" and told.hint is not None and f"write `{meant}`" == told.hint.en


@pytest.mark.parametrize(("written", "hint"), [
    ("V-STROLL#2", "copies are not numbered where they lie: write `V-STROLL`, or `V-STROLL x2` for two"),
    ("V-NOWHERE#2", "add it under `cards:`")])
def test_for_a_numbered_copy_in_a_zone_it_is_said_how_copies_are_written(tmp_path: Path, written: str, hint: str) -> None:
    told = only_mistake(tmp_path / "x.yaml", f"{HEAD}{TURN}  first: {{hand: [{written}]}}\n{OTHER}")
    assert told.code == "unknown-card" and told.hint is not None and told.hint.en == hint


@pytest.mark.parametrize(("side", "meant"), [("後功", "後攻"), ("frist", "first"), ("手礼", "手札")])
def test_for_a_player_who_is_misspelt_the_player_is_offered(tmp_path: Path, side: str, meant: str) -> None:
    told = only_mistake(tmp_path / "x.yaml", f"{HEAD}{TURN}  {side}: {{hand: [V-STROLL]}}\n{OTHER.replace('second', 'first' if side == '後功' else 'second')}")
    assert told.code == "no-such-field" and told.hint is not None and f"`{meant}`" in told.hint.ja


def test_an_unknown_key_in_japanese_is_answered_with_the_japanese_keys(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"はじめ: turn\n{HEAD}{TURN}{OTHER}", encoding="utf-8")
    with pytest.raises(BadInput) as raised:
        read_scenario(path)
    (told,) = raised.value.diagnostics
    assert told.code == "unknown-key" and told.hint is not None and "開始、" in told.hint.ja and "begin" not in told.hint.ja
