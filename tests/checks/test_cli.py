"""The commands as a user meets them: what is printed, in which language, and the exit code."""
from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.cli import commands, main
from rulewright.checks.console import help_words
from rulewright.checks.console.terminal import ProgressLine, Terminal, language, never_fail, plain_form
from rulewright.checks.findings.as_json import finding_from_json, result_from_json
from rulewright.checks.findings.names import NO_NAMES
from rulewright.checks.findings.record import CheckResult, Finding
from rulewright.checks.limits.ending import Ending
from rulewright.checks.readings.branching import Branches
from rulewright.checks.runs import names, session, together, verifying
from rulewright.checks.runs.session import CheckOptions, Progress
from rulewright.checks.runs.together import Desk, Outcome, Work
from rulewright.checks.runs.verifying import VerifyReport
from rulewright.checks.scenarios import mistakes as file_mistakes
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import SETTLED, Asked, Sets
from rulewright.checks.stored.comparing import Difference
from rulewright.checks.stored.finding_store import ReplayReport
from rulewright.spec.diagnostics import BadInput, Diagnostic
from rulewright.spec.text import Text

from .samples import NOTHING_FOUND, ORDER, PASS_ONLY, RESULT

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "RULEWRIGHT_DEBUG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")


@pytest.fixture
def rulewright(capsys: pytest.CaptureFixture[str]) -> Run:
    """`rulewright("check", "x")`: exit code, what was printed, what was complained of."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[CheckOptions]]:
    """`checked(result, …)`: from now on checking gives these; returns the options of every call."""

    def answer(*results: CheckResult) -> list[CheckOptions]:
        calls: list[CheckOptions] = []

        def check(
            path: Path, options: CheckOptions, progress: Callable[[Progress], None] | None, note: Callable[[Text], None],
        ) -> list[CheckResult]:
            calls.append(options)
            if progress is not None:
                progress(Progress(10, 2, 3, 0.1, 100.0))
            return list(results)

        monkeypatch.setattr(session, "resolve", lambda target: [Path(f"{target}.yaml")])
        monkeypatch.setattr(session, "check", check)
        monkeypatch.setattr(file_mistakes, "refuse_files", lambda paths: None)
        monkeypatch.setattr(names, "names", lambda: NO_NAMES)
        return calls

    return answer


# ---------------------------------------------------------------- check
def test_a_finding_gives_exit_code_1_and_is_told_in_full(rulewright: Run, checked: Any) -> None:
    checked(RESULT)
    code, out, err = rulewright("check", "hanayome/pass-only")
    assert code == 1
    assert PASS_ONLY.title.en in out
    assert "Who can stop it" in out
    assert "Checked: 1. Found: 1. Hints: 1." in out
    assert err == ""


def test_nothing_found_gives_exit_code_0_and_does_not_say_ok(rulewright: Run, checked: Any) -> None:
    checked(NOTHING_FOUND)
    code, out, _ = rulewright("check", "hanayome/pass-only", "--lang", "ja")
    assert code == 0
    assert "調べた範囲では見つからない" in out
    assert "OK" not in out


def test_hints_alone_are_no_findings(rulewright: Run, checked: Any) -> None:
    checked(replace(RESULT, findings=(replace(PASS_ONLY, hint=True),)))
    code, out, _ = rulewright("check", "hanayome/pass-only")
    assert code == 0
    assert "Not found within these bounds." in out
    assert "Hints (not necessarily mistakes)" in out


def test_several_situations_are_told_briefly_with_the_way_to_read_more(rulewright: Run, checked: Any) -> None:
    checked(RESULT)
    code, out, _ = rulewright("check", "one", "two")
    assert code == 1
    assert "Who can stop it" not in out and "Checked: 2." not in out
    assert f"rulewright explain {PASS_ONLY.id}" in out
    assert rulewright("check", "one", "two", "--scenarios")[1].startswith(out)
    assert "Checked: 2. Found: 1." in rulewright("check", "one", "two", "--scenarios")[1]


def in_this_process(works: Sequence[Work[Any]], processes: int, until: float | None, memory: int | None, *more: object, **how: object) -> list[Outcome[Any]]:
    """What `done_together` gives, without other processes: a test can see what is called."""
    desk = Desk(Ending(until, memory), lambda said: None)
    return [Outcome(work(desk), begun=True, done=True) for work in works]


def test_options_reach_the_check(rulewright: Run, checked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = checked(NOTHING_FOUND)
    monkeypatch.setattr(together, "done_together", in_this_process)
    before = time.monotonic()
    rulewright("check", "x", "--reading", "hand-limit=7", "--no-symmetry", "--max-states", "1000", "--max-seconds",
               "2.5", "--max-memory", "512")
    assert calls == [CheckOptions(
        {"hand-limit": "7"}, False, 1000, 2.5, 512, None, exercised=True, kept=True, settle=SETTLED, remembered=False)]
    assert isinstance(calls[0].stop, Ending) and before + 2 < (calls[0].stop.until or 0) < time.monotonic() + 2.5


def test_results_for_programs_can_be_read_back(rulewright: Run, checked: Any) -> None:
    checked(RESULT)
    code, out, _ = rulewright("check", "x", "--json")
    data = json.loads(out)
    assert code == 1
    assert (data["schema"], data["kind"]) == (1, "check")
    assert [result_from_json(one) for one in data["results"]] == [RESULT]


def test_found_cases_are_stored_where_asked(
    rulewright: Run, checked: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checked(RESULT)
    asked: list[Asked] = []

    def store(finding: Finding, folder: Path, of: Asked) -> Path:
        asked.append(of)
        return folder / f"{finding.id}.yaml"
    monkeypatch.setattr(finding_store, "store_case", store)
    monkeypatch.setattr(session, "check_all_readings", lambda *_: Branches((RESULT,), (), 0))
    _, out, _ = rulewright("check", "x", "--store", str(tmp_path))
    assert f"Stored: {tmp_path / PASS_ONLY.id}.yaml" in out
    rulewright("check", "x", "--store", str(tmp_path), "--readings", "all", "--no-symmetry", "--max-states", "7")
    rulewright("check", "x", "--store", str(tmp_path), "--reading", "hand-limit=none", "--try", "all")
    rulewright("check", "x", "--store", str(tmp_path), "--reading", "default", "--fingerprints")
    assert asked == [Asked(), Asked(sets=Sets.ALL, symmetry=False, max_states=7), Asked({"hand-limit": "none"}, settle=None),
                     Asked(sets=Sets.DEFAULTS, fingerprints=True)]


# ---------------------------------------------------------------- demo, explain
def test_the_demo_introduces_itself_tells_a_finding_and_what_to_type_next(rulewright: Run, checked: Any) -> None:
    other = replace(NOTHING_FOUND, readings={"hand-limit": "none"})
    checked(RESULT, other)
    code, out, _ = rulewright("demo", "--lang", "ja")
    assert code == 0
    assert out.index("両者が何もしない") < out.index(PASS_ONLY.title.ja) < out.index("次にできること")
    assert "解釈ごとの結果" in out
    assert "hand-limit＝none" in out
    assert "rulewright where hanayome 7.5.3" in out


def test_a_finding_is_explained_in_both_languages_and_for_programs(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding_store, "find", lambda finding_id: ORDER)
    assert ORDER.title.ja in rulewright("--lang", "ja", "explain", "4D47")[1]
    assert ORDER.title.en in rulewright("explain", "4D47")[1]
    assert finding_from_json(json.loads(rulewright("explain", "4D47", "--json")[1])) == ORDER


# ---------------------------------------------------------------- replay and verify
@pytest.mark.parametrize("agrees", [True, False])
def test_a_replay_shows_its_steps_and_whether_it_agrees(
    agrees: bool, rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = None if agrees else Text("3手順目の選択がない", "step 3 offers no such choice")
    steps = PASS_ONLY.play.stem + PASS_ONLY.play.cycle
    monkeypatch.setattr(finding_store, "replay", lambda path: ReplayReport(path, PASS_ONLY.book, Text(f"{PASS_ONLY.id}  {PASS_ONLY.title.ja}", f"{PASS_ONLY.id}  {PASS_ONLY.title.en}"), PASS_ONLY, steps, agrees, why))
    code, out, _ = rulewright("replay", "case.yaml")
    assert code == (0 if agrees else 1)
    assert "   3. the first player: does nothing  [7.4.1]\n" in out
    assert "What repeats" in out
    assert ("Every step happened again" in out) == agrees
    assert ("step 3 offers no such choice" in out) != agrees
    assert json.loads(rulewright("replay", "case.yaml", "--json")[1])["reproduced"] is agrees


def test_one_case_that_does_not_reproduce_is_a_finding(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    good = VerifyReport(Path("a.yaml"), "HANA-7.5.3-H7Q2", ())
    wrong = [Difference(f"play.stem[{k}].turn", Text(f"{k}番目", f"turn {k}"), k + 1, ("7.1",)) for k in range(7)]
    bad = VerifyReport(Path("b.yaml"), "HANA-9.1-K2R8", tuple(wrong))
    monkeypatch.setattr(verifying, "verify", lambda path, jobs: [good, bad])
    code, out, _ = rulewright("verify", "cases")
    assert code == 1
    shown = "".join(f"    - turn {k}\n" for k in range(5))
    assert f"not reproduced  HANA-9.1-K2R8  b.yaml\n{shown}    - 2 more\n" in out
    assert "1 of 2 cases reproduced." in out
    (_, told) = json.loads(rulewright("verify", "cases", "--json")[1])["cases"]
    assert told["differences"][6] == {"field": "play.stem[6].turn", "said": {"ja": "6番目", "en": "turn 6"}, "step": 7, "clauses": ["7.1"]}
    assert told["why"] == {"ja": "0番目; 1番目; 2番目（ほかに4か所）", "en": "turn 0; turn 1; turn 2 (and 4 more)"}
    monkeypatch.setattr(verifying, "verify", lambda path, jobs: [good])
    assert rulewright("verify", "cases", "--json")[0] == 0


def test_verifying_nothing_is_not_a_success(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "verify", lambda path, jobs: [])
    code, _, err = rulewright("verify", "cases")
    assert code == 2
    assert "No stored cases: cases" in err


# ---------------------------------------------------------------- complaints
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chekc", "x"], "There is no command 'chekc'."),
        (["check"], "TARGET... is missing."),
        (["check", "x", "--max-state", "3"], "There is no option '--max-state'."),
        (["check", "x", "--max-states", "many"], "--max-states needs a positive whole number."),
        (["check", "x", "--reading", "hand-limit"], "'hand-limit' is not of the form reading=alternative"),
        (["check", "x", "--lang", "fr"], "--lang needs one of: ja | en"),
        (["demo", "now"], "There are too many arguments: now"),
    ],
)
def test_a_wrong_command_line_gives_exit_code_2_and_a_sentence(
    arguments: list[str], message: str, rulewright: Run
) -> None:
    code, out, err = rulewright(*arguments)
    assert code == 2
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_complaints_come_in_the_language_asked_for_wherever_it_stands(rulewright: Run) -> None:
    assert "「--max-state」というオプションはありません。" in rulewright("check", "--max-state", "1", "--lang=ja")[2]
    assert "「chekc」というコマンドはありません。" in rulewright("--lang", "ja", "chekc")[2]


def test_a_folder_for_a_file_and_a_file_for_a_folder_are_told_in_japanese_too(rulewright: Run, tmp_path: Path) -> None:
    code, _, said = rulewright("new", "x", "--from", str(tmp_path), "--lang", "ja")
    assert code == 2 and said.startswith("--from にはファイルが要りますが、これはフォルダーです。\n")
    (tmp_path / "file").touch()
    code, _, said = rulewright("export", "x", "--to", "dot", "-o", str(tmp_path / "file"), "--lang", "ja")
    assert code == 2 and said.startswith("--output にはフォルダーが要りますが、これはファイルです。\n")


def test_what_was_probably_meant_is_named(rulewright: Run) -> None:
    assert "hint: did you mean `check`?" in rulewright("chekc", "x")[2]
    assert "ヒント: もしかして「--max-states」ですか" in rulewright("check", "x", "--max-state", "3", "--lang", "ja")[2]


def test_everything_that_is_wrong_is_said_at_once(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(target: str) -> list[Path]:
        first, second = Text("一つ目", "no such book"), Text("二つ目", "two")
        raise BadInput([Diagnostic(None, "x", first), Diagnostic(None, "y", second)])

    monkeypatch.setattr(session, "resolve", refuse)
    assert rulewright("check", "x") == (2, "", "no such book\ntwo\nMistakes in the input: 2.\n")


def test_all_options_that_do_not_go_together_are_told_at_once(rulewright: Run) -> None:
    options = "--resume", "--parts", "2", "--threads", "2", "--second-opinion", "--update-baseline"
    code, printed, told = rulewright("check", "hanayome/swap", *options)
    assert (code, printed) == (2, "")
    for option in ("--resume", "--parts alone", "does not go with --threads", "--only", "--baseline FILE"):
        assert option in told
    assert told.splitlines()[-1] == "Mistakes in the input: 5."


def test_a_mistake_of_ours_gives_exit_code_3_and_no_traceback_unless_asked(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(target: str) -> list[Path]:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(session, "resolve", fail)
    code, _, err = rulewright("check", "x")
    assert code == 3
    assert "ZeroDivisionError: division by zero" in err
    assert err.count("\n") == 1
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    assert "Traceback" in rulewright("check", "x")[2]


def test_a_missing_file_is_wrong_input(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding_store, "replay", lambda path: path.read_text())
    code, _, err = rulewright("replay", "no-such-case.yaml")
    assert code == 2
    assert "no-such-case.yaml" in err


# ---------------------------------------------------------------- help
@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("name", sorted(commands.commands))
def test_every_command_explains_itself(name: str, lang: str, rulewright: Run) -> None:
    code, out, _ = rulewright(name, "--help", "--lang", lang)
    said = help_words.COMMANDS[name]
    assert code == 0
    assert (said.ja if lang == "ja" else said.en) in out


def test_without_arguments_the_commands_and_exit_codes_are_listed(rulewright: Run) -> None:
    code, out, _ = rulewright()
    assert code == 0
    assert all(name in out for name in commands.commands)
    assert "Exit codes: 0 nothing found" in out


# ---------------------------------------------------------------- terminals
@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LC_ALL": "ja_JP.UTF-8", "LANG": "en_US.UTF-8"}, "ja"),
        ({"LC_MESSAGES": "ja_JP", "LANG": "en_US.UTF-8"}, "ja"),
        ({"LC_ALL": "", "LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_locale(environment: Mapping[str, str], expected: str) -> None:
    assert language(None, environment) == expected
    assert language("ja", environment) == "ja"
    assert language("en", environment) == "en"


def test_characters_that_the_console_lacks_have_a_plain_form() -> None:
    assert [plain_form(character, "ascii") for character in "a→─…（７"] == ["a", "->", "-", "...", "(", "7"]
    assert plain_form("漢", "ascii") == "\\u6f22"
    assert plain_form("漢", "cp932") == "漢"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp932"])
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_no_console_is_too_poor_for_a_finding(
    encoding: str, lang: str, monkeypatch: pytest.MonkeyPatch, checked: Any
) -> None:
    checked(RESULT)
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["check", "x", "--lang", lang]) == 1
    assert main(["check", "x", "--json"]) == 1
    stream.seek(0)
    assert "7.5.3" in stream.read()


def test_json_stays_exact_on_a_poor_console(monkeypatch: pytest.MonkeyPatch, checked: Any) -> None:
    checked(RESULT)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    main(["check", "x", "--json"])
    stream.seek(0)
    assert result_from_json(json.loads(stream.read())["results"][0]) == RESULT


def test_a_stray_character_does_not_end_the_program() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    never_fail(stream)
    stream.write("手札 5→7")
    stream.seek(0)
    assert stream.read() == "\\u624b\\u672d 5->7"


def test_there_is_no_colour_and_no_progress_where_nobody_looks(
    rulewright: Run, checked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    checked(RESULT)
    _, out, err = rulewright("check", "x")
    assert "\x1b" not in out
    assert err == ""


class Window(io.StringIO):
    """A stream at which somebody looks."""

    def isatty(self) -> bool:
        return True


def test_there_is_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch, checked: Any) -> None:
    checked(RESULT)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    window = Window()
    monkeypatch.setattr(sys, "stdout", window)
    main(["check", "x"])
    assert "\x1b[1;36mWho can stop it" in window.getvalue()


def test_progress_is_told_on_a_terminal_after_two_seconds_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    window = Window()
    monkeypatch.setattr(sys, "stderr", window)
    line = ProgressLine(Terminal("en"))
    for now[0] in (100.0, 101.9, 102.1, 102.15, 102.4):
        line(f"at {now[0]}")
    line.close()
    assert window.getvalue() == "\r\x1b[Kat 102.1\r\x1b[Kat 102.4\r\x1b[K"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes differ")
@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_a_reader_that_has_seen_enough_gets_no_complaint(argument: str) -> None:
    command = [sys.executable, "-m", "rulewright.checks", argument]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == 141
    assert done.stderr == b""


def test_of_a_question_about_a_whole_book_that_is_asked_of_a_situation_its_book_is_named(rulewright: Run) -> None:
    code, _, err = rulewright("check", "hanayome/swap", "--only", "norms")
    assert code == 2 and err.endswith("hint: possible here: hanayome\n")


def test_output_that_does_not_fit_is_no_mistake_of_the_program() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no device that is full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "rulewright.checks", "lint", "--explain", "slip", "--lang", "en"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "Cannot write the output: there is no room left.\n")


def test_an_option_without_its_value_names_the_help_of_its_command(rulewright: Run) -> None:
    code, _, told = rulewright("lint", "--explain")
    assert code == 2 and told.splitlines()[-1].endswith("rulewright lint --help")
