"""A game between two decks of 60, played by a script from the preparation to its end."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.checks.scenarios import playing
from rulewright.model.engine.library import load_book
from rulewright.spec.text import Text

FULL_GAME = load_book("ts_fight").folder / "scenarios" / "full-game.yaml"
WISHES = (
    "attack", "change “an ordinary boy”", "change “the", "change “a ", "put ", "bring in", "use the happening “a sudden shower",
    "use the happening “a spring storm", "use the happening “the warning bell", "use the happening “a catching yawn", "use □■",
    "do nothing",
)
"""What the script does, if it can: the first of these."""


def wish(options: Sequence[Text]) -> int:
    """The number of the option that the script takes: what it wishes for most, else the first."""
    for start in WISHES:
        for k, option in enumerate(options):
            if option.en.startswith(start):
                return k
    return 0


def test_a_scripted_game_is_played_from_the_preparation_to_its_end(frozen: Callable[[str, str], None]) -> None:
    game = playing.open_game(FULL_GAME, 3, {})
    told: list[str] = []
    while game.outcome() is None:
        options = game.options()
        choice = wish(options)
        who = game.who()
        told.append(f"{who.ja if who else ''}: {options[choice].ja}")
        game.apply(choice)
        told += [f"  {t.ja}" for t in game.announced()]
    outcome = game.outcome()
    assert outcome is not None and "第1章2" in outcome.ja
    assert any("TSキャラで攻撃する" in line for line in told)
    assert any("TSさせる" in line for line in told)
    frozen("full-game.ja.txt", "\n".join([*told, outcome.ja, ""]))
