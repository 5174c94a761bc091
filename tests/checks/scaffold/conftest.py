"""A folder of one's own for each test, and commands run in it."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.model.engine.library import forget_books

from ..register.conftest import Run, rulewright

__all__ = ["Run", "rulewright"]


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
