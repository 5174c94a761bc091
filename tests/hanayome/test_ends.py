"""What each situation of hanayome leads to."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.model.engine.library import load_book

from ..ends import leads_to_the_same_ends

SITUATIONS = [p for p in load_book("hanayome").scenarios if not p.stem.startswith("full-game")]


@pytest.mark.slow
@pytest.mark.parametrize("path", SITUATIONS, ids=lambda p: p.stem)
def test_a_situation_leads_to_these_ends(path: Path, section: Callable[[str, str, str], None]) -> None:
    leads_to_the_same_ends(path, section)
