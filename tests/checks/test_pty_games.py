"""Whole games played by hand on a terminal: what is asked of whom, which numbers can be typed, how it ends."""
from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.runs import session
from rulewright.model.engine.log import PlayLog
from rulewright.model.engine.table import open_table
from rulewright.spec.readers import read_scenario

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

GAME = "hanayome/full-game"
SEED = 3
LONGEST = 400
"""Choices after which a game is given up."""

Pick = Callable[[Sequence[str]], int]


@dataclass(frozen=True)
class Said:
    """What the program says in one language."""

    lang: str
    prompt: str
    luck: str
    to_choose: str
    approach: str
    character: str
    nothing: tuple[str, ...]
    over: str
    winners: tuple[str, str]
    brides: str
    empty: str
    saved: str
    stopped: str


SAID = {s.lang: s for s in (
    Said("ja", "番号> ", f"偶然は種 {SEED} で決めます", r"(?:(?:非?ターンプレイヤー)（)?(先攻|後攻)）?が選びます。",
         "アプローチする", r"「.*」をレーン\dにプレイする", ("何もしない", "いいえ"), "ゲーム終了: ", ("先攻の勝利", "後攻の勝利"),
         "の花嫁エリア 3枚", "のメインデッキ", "保存しました: ", "やめました。"),
    Said("en", "number> ", f"Chance follows seed {SEED}", r"(?:the (?:non-)?turn player \()?the (first|second) player\)? to choose\.",
         "approach ", r"play “.*” into lane \d", ("do nothing", "no"), "The game is over: ",
         ("the first player wins", "the second player wins"), "'s bride area (3)", "'s main deck", "Saved: ", "Stopped."),
)}


def eager(said: Said) -> Pick:
    """Approaches whenever possible, else plays characters, else does nothing."""

    def pick(options: Sequence[str]) -> int:
        for wanted in (lambda o: said.approach in o, lambda o: re.fullmatch(said.character, o), lambda o: o in said.nothing):
            hits = [k for k, o in enumerate(options, 1) if wanted(o)]
            if hits:
                return hits[0]
        return 1
    return pick


def idle(said: Said) -> Pick:
    """Does nothing whenever possible."""
    return lambda options: next((k for k, o in enumerate(options, 1) if o in said.nothing), 1)


@dataclass
class Screen:
    """What stands on the terminal when a number is asked for: what happened, who is to choose, between what; or the
    sentence at the end."""

    text: str
    who: str = ""
    options: list[str] = field(default_factory=list[str])
    ending: str = ""


class Player:
    """A person at a terminal."""

    def __init__(self, said: Said, save: Path, game: str = GAME) -> None:
        import pexpect

        self.said = said
        self.child: Any = pexpect.spawn(
            sys.executable, ["-m", "rulewright.checks", "play", game, "--seed", str(SEED), "--lang", said.lang, "--save", str(save)],
            encoding="utf-8", timeout=60, dimensions=(60, 200))
        self.child.delaybeforesend = None

    def look(self) -> Screen:
        """Read up to the next question."""
        self.child.expect_exact(self.said.prompt)
        text = str(self.child.before).replace("\r", "")
        assert "\x1b" not in text, "nothing but text is printed"
        if self.said.over in text:
            return Screen(text, ending=text.split(self.said.over)[1].split("\n")[0])
        asked = re.search(rf"^{self.said.to_choose}\n", text, re.MULTILINE)
        if asked is None:
            return Screen(text)
        lines = [line for line in text[asked.end():].splitlines() if not re.fullmatch(r" +[［\[].*[\]］]", line)]  # by what
        numbered = [re.fullmatch(r" +(\d+)\. (.+)", line) for line in lines]
        assert len(lines) > 1, "a choice has two options at least"
        assert [m and int(m[1]) for m in numbered] == list(range(1, len(lines) + 1)), lines
        return Screen(text, asked[1], [m[2] for m in numbered if m])

    def type(self, answer: str | int) -> Screen:
        """Answer, and read on."""
        self.child.sendline(str(answer))
        return self.look()

    def leave(self) -> str:
        """Quit; what is said at last."""
        import pexpect

        self.child.sendline("q")
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus == 0
        return str(self.child.before).replace("\r", "")


def play_to_the_end(player: Player, pick: Pick, undo_at: int) -> tuple[Screen, list[str]]:
    """Answer every question; at one of them choose, look, take it back, choose again. The last screen, and who chose."""
    screen = player.look()
    assert player.said.luck in screen.text
    choosers: list[str] = []
    while not screen.ending:
        assert len(choosers) < LONGEST, "the game ends"
        number = pick(screen.options)
        after = player.type(number)
        if len(choosers) == undo_at:
            again = player.type("u")
            assert (again.who, again.options) == (screen.who, screen.options), "the choice is there again"
            assert player.type("?").options == [], "a question about the program changes nothing"
            repeated = player.type(number)
            assert repeated.text == after.text, "luck was taken back with the choice"
        choosers.append(screen.who)
        screen = after
    return screen, choosers


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_whole_game_to_three_brides(lang: str, tmp_path: Path) -> None:
    said = SAID[lang]
    player = Player(said, tmp_path / "played.json")
    end, choosers = play_to_the_end(player, eager(said), undo_at=9)
    assert end.ending.startswith(said.winners)
    assert set(choosers) == ({"先攻", "後攻"} if lang == "ja" else {"first", "second"}), "both players were asked"
    position = player.type("p").text
    bride_lines = [line for line in position.splitlines() if said.brides in line]
    winner = ("先攻", "後攻") if lang == "ja" else ("the first player", "the second player")
    assert any(line.startswith(winner[[end.ending.startswith(w) for w in said.winners].index(True)]) for line in bride_lines), "the winner has three brides"
    before_the_end = player.type("u")
    assert before_the_end.options, "the last choice can be taken back after the end"
    again = player.type(eager(said)(before_the_end.options))
    assert again.ending == end.ending
    log = player.type("l").text
    numbered = [line for line in log.splitlines() if re.match(r" +\d+\. ", line)]
    assert len(numbered) == len(choosers), "the log has a line for each choice"
    last_words = player.leave()
    assert said.stopped in last_words
    assert said.saved in last_words
    replayed(tmp_path / "played.json", end.ending, len(choosers), lang)


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_whole_game_to_an_empty_deck(lang: str, tmp_path: Path) -> None:
    said = SAID[lang]
    player = Player(said, tmp_path / "played.json")
    end, choosers = play_to_the_end(player, idle(said), undo_at=20)
    assert end.ending.startswith(said.winners[0]), "the second player draws first, and so runs out first"
    position = player.type("p").text
    assert not any(line.startswith(("後攻" + said.empty, "the second player" + said.empty)) for line in position.splitlines())
    assert any(line.startswith(("先攻" + said.empty, "the first player" + said.empty)) for line in position.splitlines())
    player.leave()
    replayed(tmp_path / "played.json", end.ending, len(choosers), lang)


@pytest.mark.slow
def test_a_whole_game_with_decks_of_fifty_cards_in_phrases(tmp_path: Path) -> None:
    said = SAID["ja"]
    player = Player(said, tmp_path / "played.json", "hanayome/full-game-in-phrases")
    end, choosers = play_to_the_end(player, eager(said), undo_at=12)
    assert end.ending.startswith(said.winners)
    assert set(choosers) == {"先攻", "後攻"}
    player.leave()
    replayed(tmp_path / "played.json", end.ending, len(choosers), "ja")


def replayed(path: Path, ending: str, choices: int, lang: str) -> None:
    """The saved log leads to the same end in the reference engine."""
    data = json.loads(path.read_text(encoding="utf-8"))
    assert (data["kind"], len(data["steps"])) == ("log", choices)
    log = PlayLog.from_data(data)
    (scenario,) = session.resolve(f"{log.book}/{log.scenario}")
    table = open_table(read_scenario(scenario), log.readings)
    last = log.states(table.engine, table.starts[log.start].state)[-1]
    assert last.end is not None
    outcome = table.describer.ending(last.end)
    assert ending.startswith(outcome.ja if lang == "ja" else outcome.en)


def test_only_the_numbers_that_are_shown_can_be_typed(tmp_path: Path) -> None:
    player = Player(SAID["en"], tmp_path / "played.json")
    first = player.look()
    for wrong in ("0", str(len(first.options) + 1), "yes", "１００"):
        assert f"Type a number from 1 to {len(first.options)}" in player.type(wrong).text
    assert "there is nothing to undo" in player.type("u").text
    player.leave()
    assert json.loads((tmp_path / "played.json").read_text(encoding="utf-8"))["steps"] == []
