"""A folder of one's own for each test, commands run in it, and a small book without a mistake."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.model.engine.library import forget_books

from ..register.conftest import Run, rulewright
from ..scaffold.conftest import own_folder
from ..scaffold.drafts import NUMBERED

__all__ = ["Run", "own_folder", "rulewright"]


@pytest.fixture
def mygame(rulewright: Run) -> Path:
    """A new book, in `mygame`."""
    Path("draft.md").write_text(NUMBERED, encoding="utf-8")
    code, _, err = rulewright("new", "mygame", "--from", "draft.md", "--yes")
    assert code == 0, err
    forget_books()
    return Path("mygame")
