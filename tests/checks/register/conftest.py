"""A folder of one's own for each test, and commands run in it."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.model.engine.library import forget_books

from .helpers import DRAFT, READINGS, RULES, write

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in English, with a cache that is not the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    for name in ("LC_ALL", "LC_MESSAGES", "COLUMNS", "RULEWRIGHT_BOOKS"):
        monkeypatch.delenv(name, raising=False)
    forget_books()
    return tmp_path


@pytest.fixture
def rulewright(capsys: pytest.CaptureFixture[str]) -> Run:
    """`rulewright("coverage", "x")`: exit code, what was printed, what was complained of."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        said = capsys.readouterr()
        assert "Traceback" not in said.err and code != 3, said.err
        forget_books()
        return code, said.out, said.err

    return run


@pytest.fixture
def lamps(rulewright: Run) -> Path:
    """A small book of one's own with rules, a reading and a registered draft, in `spec/lamps`."""
    write("draft.md", DRAFT)
    code, _, err = rulewright("register", "draft.md", "-o", "spec/lamps")
    assert (code, err) == (0, "")
    write("spec/lamps/rules/turn.py", RULES)
    write("spec/lamps/readings.yaml", READINGS)
    forget_books()
    return Path("spec/lamps")
