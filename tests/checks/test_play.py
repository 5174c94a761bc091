"""Playing by hand, through a pipe and on a terminal."""
from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.runs import session
from rulewright.checks.scenarios import playing
from rulewright.checks.scenarios.why_not import Reason
from rulewright.spec.text import Text
from rulewright.spec.writing import write_whole

PLAYERS = (Text("先攻", "the first player"), Text("後攻", "the second player"))
TAKE = {1: Text("1個取る", "take one"), 2: Text("2個取る", "take two")}


class Stones:
    """Five stones; who takes the last one wins."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    @property
    def left(self) -> int:
        return 5 - sum(self.taken)

    def asked(self) -> Text | None:
        return None

    def who(self) -> Text | None:
        return PLAYERS[len(self.taken) % 2]

    def options(self) -> list[Text]:
        return [TAKE[number] for number in TAKE if number <= self.left]

    book = "stones"

    def clauses_of(self) -> list[tuple[str, ...]]:
        return []

    def why_not(self, card: str) -> list[Reason] | None:
        return None

    def apply(self, option: int) -> None:
        self.taken.append(option + 1)

    def announced(self) -> list[Text]:
        return [Text(f"残り{self.left}個", f"{self.left} left")]

    def undo(self) -> bool:
        return bool(self.taken and self.taken.pop())

    def outcome(self) -> Text | None:
        winner = PLAYERS[(len(self.taken) - 1) % 2]
        return None if self.left else Text(f"{winner.ja}の勝ち", f"{winner.en} wins")

    @property
    def decided(self) -> bool:
        return not self.left

    def position(self) -> Text:
        return Text("石 " + "o" * self.left, "stones " + "o" * self.left)

    def log(self) -> list[Text]:
        return [TAKE[number] for number in self.taken]

    def save(self, path: Path) -> None:
        write_whole(path, json.dumps(self.taken))


@pytest.fixture
def stones(monkeypatch: pytest.MonkeyPatch) -> Stones:
    game = Stones()
    monkeypatch.setattr(session, "resolve", lambda target: [Path("stones.yaml")])
    monkeypatch.setattr(playing, "open_game", lambda path, seed, readings: game)
    return game


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_game_is_played_to_its_end(
    stones: Stones, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "2", "2", "1", "1", "1")
    assert main(["play", "stones", "--seed", "7", "--lang", "ja"]) == 0
    out = capsys.readouterr().out
    assert "偶然は種 7 で決めます" in out
    assert "先攻が選びます。\n  1. 1個取る\n  2. 2個取る\n番号> 2\n  * 残り3個\n" in out
    assert out.endswith("ゲーム終了: 先攻の勝ち\n")


def test_a_choice_can_be_taken_back_and_looked_at(
    stones: Stones, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "u", "l", "2", "l", "p", "u", "p", "?", "q")
    assert main(["play", "stones", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "there is nothing to undo" in out
    assert "Nothing has been chosen yet." in out
    assert "    1. take two\n" in out
    assert "stones ooo\n" in out
    assert out.rstrip().endswith("Stopped.")
    assert stones.taken == []


@pytest.mark.parametrize("wrong", ["0", "3", "-1", "two", "", "１００"])
def test_a_wrong_answer_is_answered_with_what_can_be_typed(
    wrong: str, stones: Stones, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, wrong, "q")
    assert main(["play", "stones", "--lang", "en"]) == 0
    assert "Type a number from 1 to 2" in capsys.readouterr().out
    assert stones.taken == []


def test_full_width_digits_are_numbers_too(stones: Stones, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, "２")
    main(["play", "stones", "--lang", "ja"])
    assert stones.taken == [2]


def test_the_play_is_saved_even_when_the_input_ends(
    stones: Stones, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    type_in(monkeypatch, "1")
    main(["play", "stones", "--save", str(tmp_path / "played.yaml")])
    assert json.loads((tmp_path / "played.yaml").read_text()) == [1]


def test_a_file_that_cannot_be_written_does_not_lose_the_game(
    stones: Stones, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    type_in(monkeypatch, "s", str(tmp_path), "1", "q")
    assert main(["play", "stones", "--lang", "en"]) == 0
    assert "cannot write to" in capsys.readouterr().out
    assert stones.taken == [1]


def test_one_situation_has_to_be_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(session, "resolve", lambda target: [Path("pass-only.yaml"), Path("mirror.yaml")])
    assert main(["play", "hanayome", "--lang", "en"]) == 2
    assert "hanayome/pass-only, hanayome/mirror" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_the_last_choice_can_still_be_taken_back(tmp_path: Path) -> None:
    import pexpect

    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nfrom pathlib import Path\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_play import Stones\nfrom rulewright.checks.runs import session\nfrom rulewright.checks.scenarios import playing\nfrom rulewright.checks.cli import main\n"
        "session.resolve = lambda target: [Path('stones.yaml')]\n"
        "playing.open_game = lambda path, seed, readings: Stones()\n"
        "sys.exit(main(['play', 'stones', '--lang', 'en']))\n",
        encoding="utf-8",
    )
    child = pexpect.spawn(sys.executable, [str(program)], encoding="utf-8", timeout=30)
    for answer in ("2", "2", "1"):
        child.expect_exact("number> ")
        child.sendline(answer)
    child.expect_exact("the first player wins")
    child.sendline("u")
    child.expect_exact("the first player to choose.")
    child.sendline("q")
    child.expect_exact("Stopped.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_options_are_told_with_their_clauses_and_w_says_why_something_is_not_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "w", "席を移る", "w no such card", "1", "w　席替えの四葉", "q")
    assert main(["play", "hanayome/swap", "--lang", "ja"]) == 0
    said = capsys.readouterr().out
    assert "イベント「席を移る」をプレイする  ［8.4.1 10.6.2.3］" in said
    assert "できない。最初に満たさない条件:" in said and "この状況に、そのカードはありません。" in said


def test_a_situation_that_is_played_to_its_end_is_no_game_that_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "quiet.yaml").write_text(
        "book: hanayome\nid: quiet\ntitle: quiet\nbegin: check-timing\nposition:\n  first: {deck: [BLANK]}\n  second: {deck: [BLANK]}\n", encoding="utf-8")
    type_in(monkeypatch)
    assert main(["play", str(tmp_path / "quiet.yaml"), "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "Play stops here: play reaches the end of what was examined" in out and "The game is over" not in out
