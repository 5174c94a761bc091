"""`watch` and `check --changed`: what was edited is checked again, and nothing is called gone that a search did not come to."""
from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import Queue

import pytest

from rulewright.checks.api import open_scenario
from rulewright.checks.cli import main
from rulewright.checks.commands import watch
from rulewright.checks.console.terminal import Terminal
from rulewright.checks.limits.interrupt import Interrupt
from rulewright.checks.runs import edited, together
from rulewright.model.engine.library import forget_books

DRAFT = "# 石取り\n\n## 1. 準備\n\n1.1. 各プレイヤーは手札を5枚引きます。\n\n## 2. ターン\n\n2.1. 山札から1枚引きます。\n"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.md").write_text(DRAFT, encoding="utf-8")
    assert main(["new", "mygame", "--from", "draft.md", "--yes"]) == 0
    forget_books()
    return tmp_path / "mygame"


def test_only_what_was_edited_is_checked_again(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "mygame", "--lang", "en"])
    scenario = next((book / "scenarios").glob("*.yaml"))
    count = len(list((book / "scenarios").glob("*.yaml")))
    capsys.readouterr()
    assert main(["check", "mygame", "--changed", "--lang", "en"]) == 0
    assert "Only the 0 scenarios" in (said := capsys.readouterr().err) and f"; {count} are left out" in said
    main(["check", "mygame", "--baseline", "known.json", "--update-baseline"])
    assert len(json.loads(Path("known.json").read_text(encoding="utf-8"))["checked"]) == count
    scenario.write_text(scenario.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    capsys.readouterr()
    main(["check", "mygame", "--changed", "--baseline", "known.json", "--lang", "en"])
    assert "Only the 1 scenarios" in (said := capsys.readouterr().err) and f"; {count - 1} are left out" in said


def test_a_saved_file_is_checked_again_also_where_it_is_as_it_once_was(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = watch.Watch(Terminal("en"), "mygame", Interrupt())
    now.begin()
    assert "Watching mygame" in capsys.readouterr().out and not now.saved()
    scenario = next((book / "scenarios").glob("*.yaml"))
    scenario.write_text(scenario.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert now.saved()
    now.again()
    said = capsys.readouterr().out
    assert f"{scenario.name}: 1 scenarios are checked again, first the 1 that hold" in said and "1 checked again: as before" in said


def test_what_was_saved_before_it_was_checked_once_holds_nothing_new(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace_in(book / "rules/ch01_preparation.py", 'not_modelled("1.1")', 'gap("1.1")')
    now = watch.Watch(Terminal("en"), "mygame", Interrupt())
    scenario = book / "scenarios/from-setup.yaml"
    scenario.write_text(scenario.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    now.begin()
    assert "Watching mygame: 0 scenarios, 0 findings." in (said := capsys.readouterr().out) and "Saved again; 2 were not checked yet." in said
    now.again()
    said = " ".join(capsys.readouterr().out.split())
    assert len(re.findall(r"1 checked for the first time\. Findings in them: 1 \(MYGA-1\.1-\w{4}\)\.", said)) == 2 and "new" not in said


def test_a_finding_is_not_new_in_a_renamed_file_and_is_told_with_one_that_is_taken_away(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace_in(book / "rules/ch01_preparation.py", 'not_modelled("1.1")', 'gap("1.1")')
    now = watch.Watch(Terminal("en"), "mygame", Interrupt())
    now.begin()
    scenario, other = book / "scenarios/from-setup.yaml", book / "scenarios/other.yaml"
    text = scenario.read_text(encoding="utf-8")

    def said(edit: Callable[[], object]) -> str:
        edit()
        capsys.readouterr()
        now.again()
        return capsys.readouterr().out
    assert "1 checked again: as before" in (told := said(lambda: scenario.rename(other))) and "no longer there" not in told and "new" not in told
    told = said(other.unlink)
    assert re.search(r"mygame/from-setup is no longer there\. Findings that were found in it: 1 \(MYGA-1\.1-\w{4}\)", " ".join(told.split()))
    assert re.search(r"new +MYGA-1\.1-", said(lambda: scenario.write_text(text, encoding="utf-8")))
    replace_in(scenario, "from-setup", "from-the-setup")
    told = said(lambda: None)  # another situation, to whoever reads decisions and baselines
    assert "mygame/from-setup is no longer there" in told and re.search(r"new +MYGA-1\.1-", told)
    assert said(lambda: scenario.touch()) == "The files are as they were when they were last checked.\n"


def test_two_files_with_one_id_are_refused_of_a_whole_book_and_two_ids_are_not(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = book / "scenarios/from-setup.yaml"
    twin = scenario.read_text(encoding="utf-8")
    for text, refused in ((twin, True), (twin.replace("id: from-setup", "id: other"), False)):
        (book / "scenarios/copy.yaml").write_text(text, encoding="utf-8")
        for command in ("validate", "check"):
            capsys.readouterr()
            assert (main([command, "mygame", "--lang", "en"]) == 2) is refused
            forget_books()
            assert ("has a situation with the id from-setup too" in "".join(capsys.readouterr())) is refused


def test_an_edit_is_seen_by_a_watch_that_runs(book: Path) -> None:
    command = [sys.executable, "-u", "-m", "rulewright.checks", "watch", "mygame", "--lang", "en"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8") as process:
        lines: Queue[str] = Queue()
        assert process.stdout is not None
        threading.Thread(target=lambda out: [lines.put(line) for line in out], args=[process.stdout], daemon=True).start()
        try:
            said_until(lines, "Watching mygame")
            replace_in(book / "rules/ch01_preparation.py", 'not_modelled("1.1")', 'gap("1.1")')
            said = said_until(lines, "The rules do not say what happens")
            assert "ch01_preparation.py: 2 scenarios are checked again" in said and "What became of it" in said
            assert re.search(r"gone +MYGA-1\.1-\w{4} +from-setup\n.*\n +new +MYGA-1\.1-\w{4} +from-setup\n", said) and "unchanged" not in said
            replace_in(book / "rules/ch01_preparation.py", 'gap("1.1")', 'gap("1.7")')
            assert "ch01_preparation.py:" in said_until(lines, "1.7")
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130


def said_until(lines: Queue[str], word: str) -> str:
    """What a process says until a line has this; it has a minute for that."""
    said, until = "", time.monotonic() + 60
    while word not in said:
        said += lines.get(timeout=max(0.1, until - time.monotonic()))
    return said


def replace_in(path: Path, old: str, new: str) -> None:
    """Save a file of the book with other words."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_of_a_finding_it_is_told_that_its_book_was_edited_since(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = book / "rules/ch01_preparation.py"
    replace_in(rules, 'not_modelled("1.1")', 'gap("1.1")')
    main(["check", "mygame", "--lang", "en"])
    (name,) = set(re.findall(r"rulewright explain (MYGA-1\.1-\w{4})", capsys.readouterr().out))

    def said() -> str:
        forget_books()
        assert main(["explain", name, "--lang", "en"]) == 0
        return capsys.readouterr().err
    assert "were edited after" not in said()
    (book.parent / "notes.txt").write_text("no part of the book", encoding="utf-8")
    assert "were edited after" not in said()
    replace_in(rules, 'gap("1.1")', 'pass')
    assert "mygame/from-setup) were edited after this was found" in " ".join(said().split())
    replace_in(rules, 'pass', 'gap("1.1")')
    assert "were edited after" not in said()
    book.rename(book.parent / "elsewhere")
    moved = " ".join(said().split())
    assert "mygame/from-setup) cannot be read from here" in moved and "edited after this was found is not known" in moved


PATCH = '''from rulewright.model.lang import *


@procedure
async def preparation(g: Game) -> None:
    """1 準備"""
    said(g)  #: 1.1


@step
def said(g: Game) -> None:
    """New: the rules do not say."""
    gap("1.1")
'''


def tried(capsys: pytest.CaptureFixture[str], file: str, text: str) -> tuple[int, str, str]:
    """What `check mygame --try FILE` says."""
    Path(file).write_text(text, encoding="utf-8")
    capsys.readouterr()
    code = main(["check", "mygame", "--try", file, "--lang", "en", *(["--json"] if file == "patch.py" else [])])
    said = capsys.readouterr()
    forget_books()
    return code, said.out, said.err


def test_a_rule_is_tried_before_it_is_in_the_book(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in book.rglob("*.*")}
    code, said, err = tried(capsys, "patch.py", PATCH)
    assert (code, err) == (1, "")
    trials = {one["before"]["scenario"]: one for one in json.loads(said)["trials"]}
    assert (len(trials["from-setup"]["resolved"]), len(trials["from-setup"]["new"]), trials["first-turn"]["new"]) == (1, 1, [])
    assert {path: path.read_bytes() for path in book.rglob("*.*")} == before
    rules = (book / "rules/ch01_preparation.py").read_text(encoding="utf-8")
    _, said, _ = tried(capsys, "patch.py", rules)  # as it is in the book
    assert not any(one["resolved"] or one["new"] or one["changed"] or not one["remaining"] for one in json.loads(said)["trials"])
    _, said, _ = tried(capsys, "words.yaml", (book / "words.yaml").read_text(encoding="utf-8"))
    assert "gone 0, cut off 0, new 0, changed 0, unchanged 1" in said


@pytest.mark.parametrize(("file", "text", "complaint"), [
    ("x.py", PATCH.replace("said(g)  #", "sayd(g)  #"), "x.py:7:5: `sayd` is not known here"),
    ("x.py", PATCH.replace('gap("1.1")', 'gap("1.7")'), "x.py:13:"),
    ("x.py", PATCH.replace("preparation", "preparations").replace("said", "says"), "x.py:1:1: no rule of this file is one of the book\n    hint: did you mean `preparation`?"),
    ("x.py", PATCH + "if True:\n    pass\n", "x.py:14:1: only rules and values with a name can stand here"),
    ("x.py", PATCH + ")", "x.py:14:1: "),
    ("word.yaml", "", "mygame has no file word.yaml\n    hint: did you mean `words.yaml`?"),
    ("gone.py", "", "gone.py")])
def test_what_is_wrong_with_what_is_tried_is_told_of_its_own_lines(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: str, text: str, complaint: str,
) -> None:
    if file != "x.py":  # told before anything is searched
        monkeypatch.delattr(together, "done_together")
    if file == "gone.py":
        assert main(["check", "mygame", "--try", file, "--lang", "en"]) == 2
        return
    code, _, err = tried(capsys, file, text)
    assert code == 2 and complaint in err


def test_lines_around_what_was_put_in_count_and_of_a_card_where_it_begins() -> None:
    path = Path("cards.yaml")
    by = edited.edited({path: "a\nb\nc\nd\n"}, {path: "a\nb\nx\nc\nd\n"}, {"cards.yaml": [1, 4]})
    assert by.lines == {("cards.yaml", 2), ("cards.yaml", 3), ("cards.yaml", 1)} and by.files == (path,)
    assert not edited.edited({path: "a\n"}, {path: "a\n"}, {}).lines


def test_scenarios_that_hold_what_was_edited_come_first_and_unknown_ones_before_others() -> None:
    a, b, c = Path("a"), Path("b"), Path("c")
    by = edited.Edited((), frozenset({("rules.py", 3)}))
    held = {a: frozenset({("rules.py", 4)}), b: frozenset({("rules.py", 3)})}
    assert edited.first_those_touched([a, b, c], held, by) == ([b], [c, a])


@pytest.mark.parametrize("complete", [True, False])
def test_gone_is_not_said_of_a_search_that_was_cut_off(complete: bool) -> None:
    before = open_scenario("harem_master/both-castles-fall").check()
    after = replace(before, findings=(), bounds=replace(before.bounds, complete=complete))
    (trial,) = edited.compared([before], [after])
    assert (bool(trial.resolved), bool(trial.cut_off)) == (complete, not complete)
    (same,) = edited.compared([before], [before])
    assert not (same.resolved or same.cut_off or same.new or same.changed) and same.remaining
