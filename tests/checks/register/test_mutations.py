"""Drafts, registers and hash files with mistakes in them: exit code 2 with a place, or a report; never a traceback, never
half a file."""
from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rulewright.checks.cli import main
from rulewright.model.engine.library import forget_books

from .helpers import DRAFT, READINGS, RULES, write

PIECES = st.sampled_from([
    "", " ", "　", "\n", "\n\n", "\t", "1.", "1.1.", "2.1", "第1章", "§9", "9-2-1", "(1)", "①", "iii:", "- ", "# ", "・", "「", "」",
    "\"", "'", ":", "#: 2.1", "{", "}", "[", "]", "-", "\x00", "\ufeff", "\u200b", "\ud7ff", "２．１．", "ああ", "a", "0",
    "clauses:", "  - id: \"2.1\"\n    kind: duty\n    ja: a\n    en: b\n", "2.1\t" + "0" * 16 + "\t" + "0" * 64 + "\t-\n", "&a", "*a", "|", ">",
])
Change = tuple[float, float, str]
CHANGES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.2), PIECES), min_size=1, max_size=6)
RELAXED = settings(max_examples=int(os.environ.get("REGISTER_EXAMPLES", "60")), deadline=None,
                   suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def changed(text: str, changes: list[Change]) -> str:
    for at, much, piece in changes:
        begin = int(at * len(text))
        text = text[:begin] + piece + text[begin + int(at and much * 40):]
    return text


@pytest.fixture(scope="module")
def template() -> Iterator[Path]:
    """A book of one's own as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        with contextlib.chdir(root):
            write("draft.md", DRAFT)
            assert quiet("register", "draft.md", "-o", "spec/lamps")[0] == 0
            write("spec/lamps/rules/turn.py", RULES)
            write("spec/lamps/readings.yaml", READINGS)
        yield root


def quiet(*arguments: str) -> tuple[int, str]:
    """Exit code and complaints of a command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*arguments, "--lang", "en"])
    forget_books()
    return code, err.getvalue()


@contextlib.contextmanager
def copied(template: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "w"
        shutil.copytree(template, root)
        with contextlib.chdir(root):
            yield root


def fine(code: int, err: str, file: str | None = None) -> None:
    assert code in (0, 1, 2), err
    assert "Traceback" not in err
    assert (code == 2) == bool(err.strip()), err
    if code == 2 and file is not None and "still cited" not in err:
        assert re.search(rf"{re.escape(file)}:\d+:\d+", err) or "clauses.yaml" in err or "unknown" in err or "no clause" in err, err


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@RELAXED
@given(CHANGES)
@example([(0.5, 0.0, "\x00")])
@example([(0.10466774807303553, 0.1, ""), (0.25, 0.0, "\x00")])
def test_a_mutated_draft_through_every_command(template: Path, changes: list[Change]) -> None:
    with copied(template):
        write("next.md", changed(DRAFT, changes))
        fine(*quiet("register", "next.md", "-o", "spec/new"), "next.md")
        if Path("spec/new").exists():
            code, err = quiet("coverage", "new")
            assert code in (0, 1), f"a skeleton that was made can be read: {err}"
            assert quiet("register", "--update", "next.md", "--book", "new")[0] == 0
        fine(*quiet("register", "--update", "next.md", "--book", "lamps"), "next.md")
        fine(*quiet("where", "lamps", "2.1", "--draft", "next.md"), "next.md")
        before = contents(Path("spec/lamps"))
        code, err = quiet("register", "--update", "next.md", "--book", "lamps", "--accept")
        fine(code, err, "next.md")
        if code == 2:
            assert contents(Path("spec/lamps")) == before, "nothing is half-written"
        else:
            assert quiet("register", "--update", "next.md", "--book", "lamps") == (0, "")
            assert quiet("coverage", "lamps")[0] in (0, 1)
        assert not list(Path("spec").rglob(".*")), "no temporary file is left"


@RELAXED
@given(st.sampled_from(["clauses.yaml", "clauses.hashes", "terms.yaml", "readings.yaml", "rules/turn.py"]), CHANGES)
def test_a_mutated_file_of_the_book_through_every_command(template: Path, file: str, changes: list[Change]) -> None:
    with copied(template):
        path = Path("spec/lamps") / file
        path.write_bytes(changed(path.read_text(encoding="utf-8"), changes).encode("utf-8", "surrogatepass"))
        write("next.md", DRAFT.replace("2.3. ", "2.4. ").replace("2.4. 「", "2.5. 「"))
        before = contents(Path("spec/lamps"))
        for arguments in (("coverage", "lamps"), ("where", "lamps", "2.1"), ("where", "lamps", "2.1", "--draft", "draft.md"),
                          ("register", "--update", "next.md", "--book", "lamps")):
            fine(*quiet(*arguments), Path(file).name)
        assert contents(Path("spec/lamps")) == before, "looking changes nothing"
        code, err = quiet("register", "--update", "next.md", "--book", "lamps", "--accept")
        fine(code, err, Path(file).name)
        if code == 2:
            assert contents(Path("spec/lamps")) == before, "nothing is half-written"
