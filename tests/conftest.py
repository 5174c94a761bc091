"""Shared by all tests: frozen output, renewed with `pytest --update-frozen`; a part of the tests, drawn by lot."""
from __future__ import annotations

import gc
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from . import tables

gc.set_threshold(50_000, 20, 20)  # as the command does: compiling makes a great many small things, few in circles


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-frozen", action="store_true", help="write the frozen files anew instead of comparing")
    parser.addoption("--lot", metavar="SHARE:SEED", help="of the tests only so large a share, drawn by lot: 0.4:20261123")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if (lot := config.getoption("--lot")) is None:
        return
    share, _, seed = lot.partition(":")
    kept = [item for item in items if random.Random(f"{seed} {item.nodeid}").random() < float(share)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


@pytest.fixture
def frozen(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`frozen(name, text)`: the text must be that of the file `frozen/name` beside the test."""

    def compare(name: str, text: str) -> None:
        path = Path(request.path).parent / "frozen" / name
        if request.config.getoption("--update-frozen"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no frozen file {name}: make it with pytest --update-frozen, and read it"
        assert text == path.read_text(encoding="utf-8"), f"{name} differs: look, then pytest --update-frozen"

    return compare


@pytest.fixture
def section(request: pytest.FixtureRequest) -> Callable[[str, str, str], None]:
    """`section(file, name, text)`: the text must be that of the section of this name in `frozen/file` beside the test."""

    def compare(file: str, name: str, text: str) -> None:
        path = Path(request.path).parent / "frozen" / file
        if request.config.getoption("--update-frozen"):
            tables.put(path, name, text)
        known = tables.sections(path)
        assert name in known, f"nothing is frozen of {name} in {path}: make it with pytest --update-frozen, and read it"
        assert text == known[name], f"{name} in {path} differs: look, then pytest --update-frozen"

    return compare
