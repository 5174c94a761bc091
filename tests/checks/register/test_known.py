"""Which scenarios execute a clause is known as long as nothing has changed that decides it."""
from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.register import known
from rulewright.checks.register.books import BookFiles, open_book


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookFiles:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shipped = open_book("ts_fight")
    assert shipped.rules is not None
    shutil.copytree(shipped.folder, tmp_path / "data")
    shutil.copytree(shipped.rules, tmp_path / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "data" / "more.csv").write_text("id\n", encoding="utf-8")
    mine = replace(shipped, folder=tmp_path / "data", rules=tmp_path / "rules")
    known.remember(mine, {"1.1": ["one", "two"]})
    return mine


def test_what_was_executed_is_known(book: BookFiles) -> None:
    assert known.executing(book, "1.1") == ["one", "two"]
    assert known.executing(book, "9.9") == []


@pytest.mark.parametrize("file", ["data/cards.yaml", "data/more.csv", "data/scenarios/recovery.yaml", "rules/state.py"])
def test_a_change_of_any_file_of_the_book_makes_it_unknown(book: BookFiles, file: str, tmp_path: Path) -> None:
    with (tmp_path / file).open("a", encoding="utf-8") as out:
        out.write("\n")
    assert known.executing(book, "1.1") is None


def test_a_card_table_that_is_added_makes_it_unknown(book: BookFiles) -> None:
    (book.folder / "added.csv").write_text("id\n", encoding="utf-8")
    assert known.executing(book, "1.1") is None


@pytest.mark.parametrize("part", ["code_hash", "code_of_checks"])
def test_a_change_of_kernel_engine_or_checks_makes_it_unknown(book: BookFiles, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, part, lambda: "another")
    assert known.executing(book, "1.1") is None


def test_a_card_table_elsewhere_counts_too(book: BookFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "elsewhere.csv"
    table.write_text("id\n", encoding="utf-8")
    plain = known.read_scenario
    read: Callable[[Path], object] = lambda path: replace(plain(path), tables=(table,))  # noqa: E731
    monkeypatch.setattr(known, "read_scenario", read)
    known.remember(book, {"1.1": ["one"]})
    assert known.executing(book, "1.1") == ["one"]
    table.write_text("id\nA\n", encoding="utf-8")
    assert known.executing(book, "1.1") is None
    table.unlink()
    assert known.executing(book, "1.1") is None
