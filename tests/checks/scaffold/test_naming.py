"""From what a draft calls something to a name in the rules."""
from __future__ import annotations

import pytest

from rulewright.checks.scaffold.naming import Names, in_letters, name_of


@pytest.mark.parametrize(("said", "name"), [
    ("ドローフェイズ", "draw_phase"), ("キャラクターレーン", "character_lane"), ("Draw Phase", "draw_phase"), ("シフトエリア", "shift_area"), ("ルールチェック", "rules_check"),
    ("協力者ゾーン", ""), ("灯台", ""), ("!?", ""), ("ハーレム", "haremu"), ("3 lanes", ""),
])
def test_a_name_is_made_of_words_that_are_known_and_of_katakana_and_else_there_is_none(said: str, name: str) -> None:
    assert name_of(said) == name


@pytest.mark.parametrize(("katakana", "letters"), [("キャンセル", "kyanseru"), ("シャッフル", "shaffuru"), ("ファイト", "faito"), ("チェック", "chekku")])
def test_katakana_is_read_as_it_sounds(katakana: str, letters: str) -> None:
    assert in_letters(katakana) == letters


def test_a_name_is_given_once_and_never_one_that_means_something_already() -> None:
    names = Names()
    assert [names.give("deck", "zone"), names.give("deck", "zone", "zone"), names.give("deck", "zone")] == ["deck", "deck_zone", "deck_2"]
    assert names.give("put", "zone") == "put_2" and names.give("class", "zone") == "class_2" and names.give("turn", "zone") == "turn_2"
    assert [names.give("", "zone"), names.give("山", "zone")] == ["zone_1", "zone_2"]
