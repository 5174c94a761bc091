"""What a user gets wrong, through the commands themselves: where it is, what to write instead, exit code 2, nothing
written, never a traceback; and whatever a damaged file holds, no more than that."""
from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.checks.cli import main
from rulewright.checks.stored import finding_store
from rulewright.model.engine.table import open_table
from rulewright.spec.readers import read_scenario

TINY = ("--max-states", "5")

SCENARIO = """\
book: hanayome
id: mine
title: {ja: 自作, en: mine}
begin: main-phase
cards:
  - id: X-1
    name: {ja: 手を振る一花, en: Ichika waves}
    kind: character
    names: [手を振る一花]
    persons: [一花]
    power: 2
    abilities:
      - id: wave
        name: {ja: 【自動】登場した時、1枚引く, en: "Auto: when it enters, draw a card"}
        kind: auto
        when: Entered
        if: event.card == this
        text: |
          await draw(g, you)
position:
  turn_player: first
  first:
    hand: [V-STROLL, X-1]
    lane: {1: [C-LIBRARY]}
    deck: [BLANK x3]
  second:
    deck: [BLANK x3]
readings: {hand-limit: none}
bounds: {states: 300, depth: 40}
"""


@dataclass(frozen=True)
class Mistake:
    """The scenario with one thing replaced, and in the result where the complaint must point: at `at`, or, where that is
    empty, at its first character. `without_hint`: the sentence says it all."""

    old: str
    new: str
    at: str = ""
    without_hint: bool = False

    @property
    def text(self) -> str:
        assert SCENARIO.count(self.old) >= 1, self.old
        return SCENARIO.replace(self.old, self.new, 1)

    @property
    def place(self) -> tuple[int, int]:
        """Line and column."""
        before = self.text[: self.text.index(self.at or self.new)]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


MISTAKES = {
    "a key that there is not": Mistake("begin: main-phase", "checks: [loops]\nbegin: main-phase", "checks"),
    "a control that there is not": Mistake("begin: main-phase", "control: swap-contrl\nbegin: main-phase", "swap-contrl"),
    "broken script, a word": Mistake("await draw(g, you)", "await drow(g, you)", "drow"),
    "broken script, a bracket": Mistake("await draw(g, you)", "await draw(g, you", "(g, you", True),
    "broken script, no await": Mistake("await draw(g, you)", "draw(g, you)", "draw(g, you)\n"),
    "broken script, not in the language": Mistake("await draw(g, you)", "import os", "import os"),
    "broken condition, a field": Mistake("event.card == this", "event.crad == this"),
    "broken condition, cut off": Mistake("event.card == this", "event.card ==", "\n        text", True),
    "broken script of a card that lies nowhere": Mistake(
        "await draw(g, you)\nposition:\n  turn_player: first\n  first:\n    hand: [V-STROLL, X-1]",
        "await drow(g, you)\nposition:\n  turn_player: first\n  first:\n    hand: [V-STROLL]", "drow"),
    "unknown event": Mistake("when: Entered", "when: Enterd", "Enterd"),
    "unknown kind of ability": Mistake("kind: auto", "kind: atuo", "atuo"),
    "unknown kind of card": Mistake("kind: character", "kind: charcter", "charcter"),
    "a person that the book does not have": Mistake("persons: [一花]", "persons: [Ichiko]", "Ichiko"),
    "a name with a full-width space behind": Mistake(
        "position:\n", '  - {id: X-2, name: y, kind: event, names: [AB, "AB　"]}\nposition:\n', '"AB　"'),
    "a name that looks like another": Mistake(
        "position:\n", "  - {id: X-2, name: y, kind: event, names: [ＡＢ]}\n  - {id: X-3, name: z, kind: event, names: [AB]}\nposition:\n", "AB]}"),
    "a card number that looks like another": Mistake("position:\n", "  - {id: X-1\u00ad, name: y, kind: event}\nposition:\n", "X-1\u00ad"),
    "an ability that does nothing": Mistake("    abilities:\n", "    abilities:\n      - {id: idle, if: you == FIRST}\n", "{id: idle"),
    "an end that there is not": Mistake("bounds:", "expect: [{outcomes: {wins: 0}}]\nbounds:", "wins"),
    "a clause that there is not": Mistake("bounds:", "expect: [{findings: [{class: loop, clauses: [7.5.33]}]}]\nbounds:", "{class"),
    "expected twice": Mistake("bounds:", "expect: [{states: 1},\n  {states: 2}]\nbounds:", "{states: 2"),
    "attribute out of range": Mistake("power: 2", "power: 200", "200", True),
    "unknown card": Mistake("V-STROLL", "V-STROL"),
    "unknown card, nothing near": Mistake("C-LIBRARY", "ZZZ"),
    "card number unquoted": Mistake("V-STROLL", "4.10"),
    "no copies": Mistake("BLANK x3", "BLANK x0", "0]"),
    "too many copies": Mistake("BLANK x3", "BLANK x1000", "1000"),
    "copies that are no number": Mistake("BLANK x3", "BLANK xthree", "three", True),
    "unknown field": Mistake("    hand: [V", "    hnad: [V", "hnad"),
    "unknown field at the top": Mistake("  turn_player: first", "  trun_player: first", "trun"),
    "zone of a player at the top": Mistake("  turn_player: first", "  turn_player: first\n  hand: [BLANK]", "hand: [B"),
    "zone of nobody below a player": Mistake("    deck: [B", "    hero_lane: {1: [H-1]}\n    deck: [B", "hero_lane"),
    "hero lane 7": Mistake("  turn_player: first", "  turn_player: first\n  hero_lane: {7: [H-1]}", "7: ["),
    "lane 7": Mistake("{1: [C", "{7: [C", "7: ["),
    "which lane?": Mistake("lane: {1: [C-LIBRARY]}", "lane: [C-LIBRARY]", "[C-LIBRARY]"),
    "unknown player": Mistake("turn_player: first", "turn_player: third", "third"),
    "value out of range": Mistake("  turn_player: first", "  turn_player: first\n  episodes_played: 3", "3\n  first"),
    "a card that lies nowhere": Mistake(
        "  turn_player: first", "  turn_player: first\n  card: {C-LIBARY: {as_episode: yes}}", "C-LIBARY"),
    "the third of two copies": Mistake("  turn_player: first", "  turn_player: first\n  card: {BLANK#9: {as_episode: yes}}", "BLANK#9"),
    "unknown entry": Mistake("begin: main-phase", "begin: main-phsae", "main-phsae"),
    "unknown book": Mistake("book: hanayome", "book: hanayomi", "hanayomi"),
    "unknown reading": Mistake("hand-limit: none", "hand-limt: none", "hand-limt"),
    "unknown alternative": Mistake("hand-limit: none", "hand-limit: nome", "nome"),
    "number as an answer": Mistake("hand-limit: none", "hand-limit-number: 4.10", "4.10"),
    "policy of nobody": Mistake("bounds:", "policy: {third: pass}\nbounds:", "pass}"),
    "unknown policy": Mistake("bounds:", "policy: {first: psas}\nbounds:", "psas"),
    "unknown container": Mistake("bounds:", "capacities: {waitng: 3}\nbounds:", "waitng"),
    "more than fits": Mistake("bounds:", "capacities: {waiting: 99999999}\nbounds:", "99999999"),
    "unknown number": Mistake("bounds:", "caps: {OnCard.until_turn_ends: 60}\nbounds:", "OnCard"),
    "unknown bound": Mistake("{states: 300", "{stakc: 3, states: 300", "stakc"),
    "unknown bound like another": Mistake("{states: 300", "{state: 300", "state: 300"),
    "no nesting at all": Mistake("{states: 300", "{stack: 0, states: 300", "0,"),
    "unknown key": Mistake("title:", "titel:", "titel"),
    "text for a mapping": Mistake("bounds: {states: 300, depth: 40}", "bounds: none", "none\n", True),
    "full-width colon": Mistake("id: mine", "id： mine", "： mine"),
    "full-width space": Mistake("  turn_player", "　turn_player", "　turn_player"),
    "tab": Mistake("  turn_player", "\tturn_player", "\tturn_player"),
    "key twice": Mistake("bounds:", "begin: turn\nbounds:", "begin: turn"),
    "not closed": Mistake("hand: [V-STROLL, X-1]", "hand: [V-STROLL, X-1", "[V-STROLL, X-1"),
}


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, cache_of_tests: Path, untried: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "RULEWRIGHT_DEBUG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))
    monkeypatch.chdir(tmp_path)


@dataclass(frozen=True)
class Complaint:
    """A complaint as printed."""

    file: str
    line: int
    column: int
    message: str
    hint: str


HEAD = re.compile(r"^(?P<file>\S+\.yaml):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$")
HINT = re.compile(r"^    (?:hint|ヒント): (?P<hint>.+)$")


def complaints(printed: str) -> Iterator[Complaint]:
    """The complaints that have a place."""
    lines = printed.splitlines()
    for number, line in enumerate(lines):
        if found := HEAD.match(line):
            hint = HINT.match(lines[number + 1]) if number + 1 < len(lines) else None
            yield Complaint(found["file"], int(found["line"]), int(found["column"]), found["message"],
                            hint["hint"] if hint else "")


Refused = Callable[..., str]


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Refused:
    """`refused("check", "x.yaml")`: what is complained of, after making sure that nothing else happened."""

    def run(*arguments: str) -> str:
        before = listing(tmp_path)
        assert main(arguments) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert "Traceback" not in said.err
        assert listing(tmp_path) == before, "nothing is written"
        return said.err

    return run


def listing(folder: Path) -> set[tuple[Path, int]]:
    """Everything in a folder, with the time of its last change."""
    here = set(folder.iterdir())
    return {(p, p.stat().st_mtime_ns) for p in here | {q for p in here for q in p.rglob("*")}}


# ---------------------------------------------------------------- a scenario with a mistake
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_mistake_is_shown_where_it_is_with_what_to_write(
    lang: str, refused: Refused, frozen: Callable[[str, str], None],
) -> None:
    said: list[str] = []
    for name, mistake in MISTAKES.items():
        Path("mine.yaml").write_text(mistake.text, encoding="utf-8")
        err = refused("check", "mine.yaml", "--lang", lang, "--store", "cases")
        first, *others = complaints(err)
        assert (first.file, first.line, first.column) == ("mine.yaml", *mistake.place), name
        in_japanese = re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", first.message)
        assert (in_japanese is not None) == (lang == "ja"), name
        assert mistake.without_hint or first.hint, f"{name}: says what to write"
        assert all((o.line, o.column) == mistake.place for o in others), f"{name}: one mistake, one place"
        said.append(f"== {name}\n{err}")
    frozen(f"bad-input.{lang}.txt", "\n".join(said))


def test_a_card_number_that_looks_like_one_of_the_book_is_refused(refused: Refused) -> None:
    Path("mine.yaml").write_text(SCENARIO.replace("position:\n", "  - {id: BLANK\u00ad, name: y, kind: event}\nposition:\n"), encoding="utf-8")
    (complaint,) = complaints(refused("check", "mine.yaml"))
    assert complaint.message.startswith("the card BLANK\\xad is in ") and complaint.message.endswith("cards.yaml too")


def test_without_a_mistake_the_scenario_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_text(SCENARIO, encoding="utf-8")
    assert main(["check", "mine.yaml", *TINY]) in (0, 1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["check", "play"])
def test_everything_that_is_wrong_with_a_scenario_is_said_at_once(command: str, refused: Refused) -> None:
    wrong = SCENARIO
    for old, new in (("begin: main-phase", "begin: main-phsae"), ("await draw", "await drow"), ("V-STROLL", "V-STROL"),
                     ("deck: [BLANK x3]\n  second", "dekc: [BLANK x3]\n  second"), ("hand-limit", "hand-limt"),
                     ("bounds: {", "bounds: {stakc: 9, ")):
        wrong = wrong.replace(old, new, 1)
    Path("mine.yaml").write_text(wrong, encoding="utf-8")
    err = refused(command, "mine.yaml")
    said = [complaint.hint for complaint in complaints(err)]
    assert said == [f"did you mean `{right}`?" for right in
                    ("main-phase", "draw", "V-STROLL", "deck", "hand-limit", "stack")], "in the order of the lines"
    assert err.endswith("Mistakes in the input: 6.\n")


def test_everything_that_is_wrong_with_a_file_is_said_at_once(refused: Refused) -> None:
    wrong = SCENARIO.replace("title:", "titel:").replace("BLANK x3", "BLANK x0").replace("depth: 40", "depth: many")
    Path("mine.yaml").write_text(wrong, encoding="utf-8")
    assert {complaint.line for complaint in complaints(refused("check", "mine.yaml"))} >= {3, 29}


@pytest.mark.parametrize("command", ["check", "play"])
def test_a_field_that_cannot_be_read_hides_no_other_mistake_and_makes_none(command: str, refused: Refused) -> None:
    wrong = SCENARIO
    for old, new in (("depth: 40", "depth: -4"), ("begin: main-phase", "control: nothing\nbegin: main-phsae"), ("hand-limit", "hand-limt"), ("V-STROLL", "V-STROL")):
        wrong = wrong.replace(old, new, 1)
    Path("mine.yaml").write_text(wrong, encoding="utf-8")
    assert [complaint.line for complaint in complaints(refused(command, "mine.yaml"))] == [4, 5, 24, 29, 30]
    Path("mine.yaml").write_text(wrong.replace("id: X-1", "id: [X-1]", 1), encoding="utf-8")  # X-1 lies in a hand
    assert [complaint.line for complaint in complaints(refused(command, "mine.yaml"))] == [4, 5, 7, 29, 30]


def test_a_card_that_is_in_a_table_twice_hides_no_other_mistake(refused: Refused) -> None:
    rows = ["id,name,種類,名称,人物名,花嫁力", "A-1,x,キャラ,x,一花,2", "A-1,y,きゃら,y,二乃,2", "A-2,z,キャラ,z,三玖,2"]
    Path("mine.csv").write_text("\n".join(rows), encoding="utf-8")
    Path("mine.yaml").write_text(SCENARIO.replace("position:", "card_files: [mine.csv]\nposition:", 1), encoding="utf-8")
    for command in (("check", "mine.yaml"), ("combos", "hanayome", "--cards", "mine.csv")):
        assert re.findall(r"^mine\S+(?=: )", refused(*command), re.M) == ["mine.csv:3:1", "mine.csv:3:7"]


@pytest.mark.parametrize("given", [("hand-limt=none", "hand-limit"), ("hand-limit=nome", "none")])
def test_a_wrong_reading_on_the_command_line(given: tuple[str, str], refused: Refused) -> None:
    Path("mine.yaml").write_text(SCENARIO, encoding="utf-8")
    for command in ("check", "play"):
        assert f"did you mean `{given[1]}`?" in refused(command, "mine.yaml", "--reading", given[0])


# ---------------------------------------------------------------- files that are none
CUT = {
    "in a name": SCENARIO[: SCENARIO.index("一花, en")] + "「",
    "in a quotation": SCENARIO[: SCENARIO.index("it enters")],
    "in a list": SCENARIO[: SCENARIO.index(", X-1]")],
    "in a mapping": SCENARIO[: SCENARIO.index("none}")] + "none",
    "in a script": SCENARIO[: SCENARIO.index("draw(g, you)")],
}


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("where", CUT)
def test_a_file_that_is_cut_off(where: str, lang: str, refused: Refused) -> None:
    Path("mine.yaml").write_text(CUT[where], encoding="utf-8")
    (complaint, *_) = complaints(refused("check", "mine.yaml", "--lang", lang))
    assert 1 <= complaint.line <= CUT[where].count("\n") + 1


BYTES = {
    "Shift_JIS": (SCENARIO.encode("cp932"), "Shift_JIS"),
    "UTF-16": (SCENARIO.encode("utf-16"), "UTF-16"),
    "a stray byte": (SCENARIO.encode().replace(b"mine}", b"mi\xffne}"), "0xff"),
    "cut off within a character": (SCENARIO.encode()[: SCENARIO.encode().index("作".encode()) + 1], "middle of a character"),
    "control characters": (SCENARIO.replace("mine}", "mi\0ne}").encode(), "U+0000"),
    "nothing": (b"", "empty"),
}


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("name", BYTES)
@pytest.mark.parametrize("command", ["check", "play", "replay"])
def test_bytes_that_are_no_text(command: str, name: str, lang: str, refused: Refused) -> None:
    content, says = BYTES[name]
    Path("mine.yaml").write_bytes(content)
    (complaint,) = complaints(refused(command, "mine.yaml", "--lang", lang))
    assert lang == "ja" or says in complaint.message
    assert complaint.hint or name == "nothing"
    assert complaint.line <= 3


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("command", ["check", "play", "replay"])
def test_a_folder_for_a_file(command: str, lang: str, refused: Refused) -> None:
    Path("mine.yaml").mkdir()
    (complaint,) = complaints(refused(command, "mine.yaml", "--lang", lang))
    assert ("フォルダー" if lang == "ja" else "folder") in complaint.message


@pytest.mark.parametrize("command", ["check", "play", "replay"])
def test_a_file_that_is_not_there(command: str, refused: Refused) -> None:
    Path("mine.yaml").write_text(SCENARIO, encoding="utf-8")
    (complaint,) = complaints(refused(command, "mien.yaml"))
    assert complaint.hint == "did you mean `mine.yaml`?"


def test_a_scenario_is_no_stored_case(refused: Refused) -> None:
    Path("mine.yaml").write_text(SCENARIO, encoding="utf-8")
    (complaint,) = complaints(refused("replay", "mine.yaml"))
    assert "check … --store" in complaint.hint


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("arguments", [("check", "hanayomi"), ("where", "hanayomi", "4.1"), ("play", "hanayome/pass-onl")])
def test_an_unknown_book_or_scenario(arguments: Sequence[str], lang: str, refused: Refused) -> None:
    assert "hanayome" in refused(*arguments, "--lang", lang)


# ---------------------------------------------------------------- numbers that are names
def test_a_clause_is_never_rounded(capsys: pytest.CaptureFixture[str], refused: Refused) -> None:
    said: dict[str, str] = {}
    for clause in ("4.1", "4.10", "4.1.4", "4.10.2"):
        assert main(["where", "hanayome", clause]) == 0
        said[clause] = capsys.readouterr().out
    assert "brides" in said["4.10.2"]
    assert "moving.py" in said["4.1.4"]
    assert "4.10" in said["4.10"]
    assert "did you mean 4.1" in refused("where", "hanayome", "4.100")


def test_card_numbers_and_expected_clauses_written_without_quotes_stay_text(capsys: pytest.CaptureFixture[str]) -> None:
    text = SCENARIO.replace("cards:\n", "cards:\n" + "".join(
        f"  - {{id: {n}, name: {{ja: 札{n}, en: card {n}}}, kind: event, names: [札{n}]}}\n" for n in ("4.1", "4.10", "1e3")))
    text = text.replace("hand: [V-STROLL, X-1]", "hand: [4.10 x2, 4.1, 1e3]")
    text += "expect:\n  - readings: {}\n    findings: [{class: conflict, clauses: [4.10, 4.1, 13.1.1.2]}]\n"
    Path("mine.yaml").write_text(text, encoding="utf-8")
    scenario = read_scenario("mine.yaml")
    expected = scenario.expect[0].findings
    assert expected is not None
    assert expected[0].clauses == ("4.10", "4.1", "13.1.1.2")
    ids = [c.definition.id for c in open_table(scenario).world.cards]
    assert [i for i in ids if i[0] in "41"] == ["4.10", "4.10", "4.1", "1e3"]
    assert main(["check", "mine.yaml", *TINY]) in (0, 1)
    assert capsys.readouterr().err == ""


# ---------------------------------------------------------------- more than can be gone through
def test_a_choice_with_too_many_options_is_a_stated_bound(capsys: pytest.CaptureFixture[str]) -> None:
    text = SCENARIO.replace("begin: main-phase", "begin: end-phase").replace("hand: [V-STROLL, X-1]", "hand: [BLANK x40]")
    Path("mine.yaml").write_text(text.replace("hand-limit: none", "hand-limit-reduction: discard"), encoding="utf-8")
    assert main(["check", "mine.yaml", *TINY]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "how many options one choice has" in said
    assert "were not followed" in said


def test_every_order_of_a_deck(capsys: pytest.CaptureFixture[str]) -> None:
    text = SCENARIO.replace("bounds:", "deck_order: all\nbounds:").replace("deck: [BLANK x3]", "deck: [BLANK, V-CHEER]", 1)
    Path("mine.yaml").write_text(text, encoding="utf-8")
    assert main(["check", "mine.yaml", "--no-hunt"]) in (0, 1)
    assert capsys.readouterr().err == ""


def test_too_many_orders_of_a_deck(refused: Refused) -> None:
    deck = "BLANK, V-CHEER, V-STROLL, V-TEASE, V-ERRAND, V-BORROW, V-JUGGLE, V-RECALL"
    text = SCENARIO.replace("bounds:", "deck_order: all\nbounds:").replace("deck: [BLANK x3]", f"deck: [{deck}]", 1)
    Path("mine.yaml").write_text(text, encoding="utf-8")
    (complaint,) = complaints(refused("check", "mine.yaml"))
    assert "deck_order: lazy" in complaint.hint


# ---------------------------------------------------------------- the program itself
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_program_as_it_is_started(lang: str, tmp_path: Path) -> None:
    Path("mine.yaml").write_text(MISTAKES["hero lane 7"].text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "rulewright.checks", "check", "mine.yaml", "--lang", lang, "--store", "cases"],
        capture_output=True, encoding="utf-8", check=False, env={**os.environ, "PYTHONUTF8": "1"})
    (complaint,) = complaints(done.stderr)
    assert (done.returncode, done.stdout) == (2, "")
    assert (complaint.line, complaint.column) == MISTAKES["hero lane 7"].place
    assert {path.name for path in tmp_path.iterdir()} == {"mine.yaml"}


# ---------------------------------------------------------------- damaged files
SMALL = SCENARIO.replace("bounds: {states: 300, depth: 40}", "bounds: {states: 5, depth: 3}")
TOKENS = re.findall(r"[\w.-]+|[^\w\s]", SMALL)
ODD = st.one_of(st.text(max_size=6), st.sampled_from(
    ["：", "　", "\t", "\0", "\ufeff", "- ", ": ", "{", "}", "[", "]", "|", "&a", "*a", "!!int", "<<: ", "---", "...", "'", '"',
     "\\", "4.10", "1e400", "-1", "99999999999999999999", "x0", "null", "~", "yes", "\u2028", "\U0001f338"]))


@st.composite
def damaged(draw: st.DrawFn, text: str) -> bytes:
    """A file in which a few things have gone wrong."""
    data = text.encode()
    for _ in range(draw(st.integers(1, 4))):
        lines = data.split(b"\n")
        a, b = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["flip", "drop", "twice", "swap", "cut", "odd", "word", "indent"])):
            case "flip" if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1:]
            case "drop":
                data = b"\n".join(lines[:a] + lines[a + 1:])
            case "twice":
                data = b"\n".join([*lines[:a], lines[a], *lines[a:]])
            case "swap":
                lines[a], lines[b] = lines[b], lines[a]
                data = b"\n".join(lines)
            case "cut":
                data = data[:at]
            case "odd":
                data = data[:at] + draw(ODD).encode("utf-8", "surrogatepass") + data[at:]
            case "word":
                old, new = (draw(st.sampled_from(TOKENS)).encode() for _ in range(2))
                data = data.replace(old, new, draw(st.integers(1, 2)))
            case "indent":
                lines[a] = b"  " + lines[a] if draw(st.booleans()) else lines[a].removeprefix(b"  ")
                data = b"\n".join(lines)
            case _:
                pass
    return data


def outcome(*arguments: str) -> tuple[int, str, str]:
    """Exit code and what was printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


PATIENT = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@PATIENT
@given(damaged(SMALL), st.sampled_from(["ja", "en"]))
def test_whatever_a_scenario_file_holds_there_is_no_traceback(data: bytes, lang: str) -> None:
    Path("damaged.yaml").write_bytes(data)
    code, out, err = outcome("check", "damaged.yaml", "--lang", lang, *TINY)
    assert code in (0, 1, 2), err
    assert "Traceback" not in out + err
    if code == 2:
        assert out == ""
        first = next(complaints(err), None)
        assert first is not None, f"says where: {err}"
        assert first.line <= data.count(b"\n") + data.count(b"\r") + 1
    else:
        assert err == ""


CASE = next(path for path in sorted(finding_store.stored_cases().rglob("*.yaml")) if path.stem[4:].startswith("swap"))
CASE_TEXT = CASE.read_text(encoding="utf-8")


@settings(PATIENT, max_examples=30)
@given(damaged(CASE_TEXT))
def test_whatever_a_stored_case_holds_there_is_no_traceback(data: bytes) -> None:
    Path("damaged.yaml").write_bytes(data)
    code, out, err = outcome("replay", "damaged.yaml")
    assert code in (0, 1, 2), err
    assert "Traceback" not in out + err
    assert (code == 2) == (out == "")


def test_the_line_of_a_file_that_is_saved_otherwise_is_shown_as_its_writer_sees_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for encoding in ("cp932", "utf-16"):
        path = tmp_path / "x.yaml"
        path.write_bytes("book: hanayome\ntitle: 夜の市\n".encode(encoding))
        assert main(["check", str(path), "--lang", "ja"]) == 2
        err = capsys.readouterr().err
        assert "\ufffd" not in err and ("title: 夜の市" in err or encoding == "utf-16"), err


def test_instead_of_a_missing_file_none_of_another_kind_is_offered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert main(["lint", str(tmp_path / "rules.md"), "--lang", "en"]) == 2
    assert "hint" not in capsys.readouterr().err
    (tmp_path / "draft-of-may.md").write_text("x", encoding="utf-8")
    assert main(["lint", str(tmp_path / "rules.md"), "--lang", "en"]) == 2
    err = capsys.readouterr().err
    assert "draft-of-may.md" in err and "notes.txt" not in err
    assert main(["lint", str(tmp_path / "note.txt"), "--lang", "en"]) == 2
    assert "did you mean `notes.txt`?" in capsys.readouterr().err
