"""Texts from others: nothing that they say becomes code, a path, a command of a terminal or of a workflow."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.console.terminal import Terminal
from rulewright.checks.findings.annotations import annotation
from rulewright.checks.findings.formats import markdown
from rulewright.checks.findings.layout import Heading, Para, Table, Title, Verbatim
from rulewright.spec.diagnostics import INVISIBLE

from .test_cases import SEATS

Run = Callable[..., tuple[int, str, str]]
STEERS = ["\x1b[2J", "\x1b]0;title\x07", "\x1b]52;c;eA==\x07", "\x9b2J", "\x07", "\x08\x08", "\r", "\x7f", "\u202e", "\u2066", "\u200b", "\u2028", "\ufeff"]
"""What steers a terminal, turns the direction of writing, or cannot be seen."""
IDS = ["X*/#error", "X*/int/*", "X??/", "X\\", "X//", "X%0A::error::x", "X`]<b>|x", "=cmd|x!A0"]
"""Card numbers that can be written, and that close what is not theirs."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache_of_tests: Path, untried: None) -> Run:
    """Runs a command in a folder of its own."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))

    def do(*arguments: str) -> tuple[int, str, str]:
        code = main([*arguments, "--lang", "en"])
        said = capsys.readouterr()
        assert code != 3, said.err
        return code, said.out, said.err

    return do


def clean(said: str) -> None:
    """Nothing raw, nothing that a workflow takes for a command."""
    assert INVISIBLE.search(said) is None and "\r" not in said
    assert re.search(r"(?m)^\s*::|##\[", said) is None, said


def scenario(card: str, title: str = "t") -> Path:
    path = Path("seats.yaml")
    named = SEATS.replace("X-SWAPPER]", f"{json.dumps(card)}]").replace("id: X-SWAPPER", f"id: {json.dumps(card)}")
    path.write_text(named.replace("title: {ja: 席を替わり続ける二人, en: two who keep changing seats}", f"title: {json.dumps(title)}"), encoding="utf-8")
    return path


# ---------------------------------------------------------------- code
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
def test_no_id_of_a_card_ends_a_comment_of_exported_code(run: Run) -> None:
    codes: set[tuple[str, str]] = set()
    for card in IDS:
        assert run("export", str(scenario(card)), "--to", "promela")[0] == 0
        codes.add((Path("seats.c").read_text("ascii"), Path("seats.pml").read_text("ascii")))
        assert any(card in name for name in json.loads(Path("seats.names.json").read_text("utf-8"))["functions"].values())
    assert len(codes) == 1
    subprocess.run(["gcc", "-w", "-trigraphs", "-c", "seats.c"], check=True)


# ---------------------------------------------------------------- paths
def test_no_id_in_a_case_leads_out_of_the_folder(run: Run, tmp_path: Path) -> None:
    assert run("check", str(scenario("X-A")), "--store", "kept")[0] == 1
    (case,) = Path("kept").rglob("*.yaml")
    text = case.read_text("utf-8")
    before = sorted(tmp_path.rglob("*"))
    case.write_text(re.sub(r"(?m)^  id: .*", "  id: ../../../x", text), encoding="utf-8")
    assert run("export", str(case), "--to", "itf", "-o", "out/deep")[0] == 0
    made = [p for p in sorted(tmp_path.rglob("*")) if p not in before and p.is_file()]
    assert [p.parent for p in made] == [Path("out/deep").resolve()]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
@pytest.mark.parametrize(("name", "complaint"), [
    ("link.csv", "has to be a file in"), ("../../outside.csv", "has to be a file in"), ("/etc/passwd.csv", "has to be a file in"),
    ("pipe.csv", "this is not an ordinary file"), ("folder.csv", "this is a folder"), ("zero.csv", "has to be a file in")])
def test_a_table_of_cards_is_an_ordinary_file_of_the_book(run: Run, tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "outside.csv").write_text("secret,secret\n", encoding="utf-8")
    Path("link.csv").symlink_to(tmp_path / "outside.csv")
    Path("zero.csv").symlink_to("/dev/zero")
    os.mkfifo("pipe.csv")
    Path("folder.csv").mkdir()
    path = scenario("X-A")
    path.write_text(f"{path.read_text('utf-8')}card_files: [{name}]\n", encoding="utf-8")
    code, _, said = run("check", str(path))
    assert code == 2 and complaint in said and "secret" not in said and "seats.yaml:" in said


def test_a_link_inside_the_folder_is_followed(run: Run) -> None:
    Path("cards.csv").write_text("id,name,kind\nT-1,x,event\n", encoding="utf-8")
    Path("link.csv").symlink_to("cards.csv")
    path = scenario("X-A")
    path.write_text(f"{path.read_text('utf-8')}card_files: [link.csv]\n", encoding="utf-8")
    assert run("check", str(path))[0] == 1


# ---------------------------------------------------------------- what is shown
@pytest.mark.parametrize("steers", STEERS)
def test_what_steers_a_terminal_is_refused_in_every_format_and_shown_as_a_number(run: Run, steers: str) -> None:
    titled = scenario("X-A", title="a" + steers + "b").read_text("utf-8")
    Path("cards.csv").write_bytes(f'id,name,kind\nT-1,"a{steers}b",event\n'.encode())
    path = scenario("X-A")
    for text in (titled, path.read_text("utf-8") + "card_files: [cards.csv]\n"):
        path.write_text(text, encoding="utf-8")
        code, out, said = run("check", str(path))
        assert code == 2 or steers == "\r"
        clean(out + said)
    code, out, said = run("decide", "PHJX", "open", "--reason", f"a{steers}b")
    assert code == (2 if steers != "\r" else 0), said
    clean(out + said)
    Path(f"a{steers}b.yaml").write_text("x: [", encoding="utf-8")
    code, out, said = run("check", f"a{steers}b.yaml")
    assert code == 2
    clean(out + said)
    Path("draft.md").write_text(f"1.1 A{steers}B も9.9に従う。\n1.1 x{steers}\n", encoding="utf-8")
    for form in ("terminal", "sarif", "json"):
        _, out, said = run("lint", "draft.md", "--full", "--hints", "--format", form)
        clean(out + said)


def test_a_title_has_one_line_and_its_place_is_told(run: Run) -> None:
    code, _, said = run("check", str(scenario("X-A", title="a\n::error::b")))
    assert code == 2 and "seats.yaml:3:8: this has to be on one line" in said
    clean(said)


def test_a_file_name_makes_no_line_of_its_own(run: Run) -> None:
    name = "a\n::error::b.yaml"
    Path(name).write_text("x: [", encoding="utf-8")
    for arguments in (("check", name), ("lint", name), ("replay", name), ("check", f"{name}.csv"), ("--books", name, "info", name)):
        _, out, said = run(*arguments)
        clean(out + said)


@pytest.mark.parametrize("form", ["terminal", "json", "sarif", "markdown", "github"])
def test_ids_that_close_what_is_not_theirs_are_shown_as_they_are(run: Run, form: str) -> None:
    for card in IDS[:1] + IDS[5:]:
        code, out, said = run("check", str(scenario(card, title="::error::x ##[error]y")), "--format", form)
        assert code == 1
        if form == "github":
            assert all(re.match(r"::(error|warning|notice) file=[^:,]*,line=\d+,title=[^:,]*::", line) for line in out.splitlines())
        else:
            clean(out + said)
        if form in ("json", "sarif"):
            json.loads(out)


def test_json_for_programs_says_the_text_and_is_safe_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(STEERS) + "日本語"
    Terminal("en").json({"text": text})
    out = capsys.readouterr().out
    assert INVISIBLE.search(out) is None and "日本語" in out
    assert json.loads(out)["text"] == text


def test_markdown_is_not_left_by_what_a_text_says() -> None:
    hostile = "a\n# b\n```\n<script>&lt;|x\x1b[2J"
    blocks = [Title(hostile), Heading(hostile), Para(hostile), Table(("h",), ((hostile,),)), Verbatim(hostile)]
    page, fenced, end = "".join(markdown(blocks)).partition("````\n")
    assert len(re.findall(r"(?m)^#", page)) == 2 and "<script" not in page.replace(r"\<script", "")
    assert end.count("````") == 1 and end.endswith("\n````\n\n")
    assert INVISIBLE.search(page + fenced + end) is None


def test_an_annotation_is_one_line() -> None:
    assert annotation("error", "a\n::error::b\x1b[2J%", file="x,y:\nz.md", line=1) == (
        "::error file=x%2Cy%3A\\nz.md,line=1::a%0A::error::b\\x1b[2J%25")
