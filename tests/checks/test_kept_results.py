"""What was found before is given again as long as nothing that it depends on is different, and only then."""
from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import openpyxl
import pytest

from rulewright.checks.runs import session
from rulewright.checks.scenarios import kept_results
from rulewright.checks.scenarios.options import CheckOptions
from rulewright.model.engine import library
from rulewright.spec.own_folder import cache_folder

KEPT = CheckOptions(kept=True, defaults_only=True)
BOOK = "harem_master"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a book in a folder of the user's own, and an empty cache."""
    place = library.book_places()[BOOK]
    assert place.rules is not None
    folder = tmp_path / "spec" / BOOK
    copytree(place.folder, folder)
    copytree(place.rules, folder / "rules")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("RULEWRIGHT_BOOKS", str(tmp_path / "spec"))
    library.forget_books()
    yield folder
    library.forget_books()


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The scenarios that were really looked at."""
    seen: list[Path] = []
    find = session.found

    def found(path: Path, *more: object) -> list[session.CheckResult]:
        seen.append(path)
        return find(path, *more)  # pyright: ignore[reportArgumentType]
    monkeypatch.setattr(session, "found", found)
    return seen


def test_the_second_time_nothing_is_looked_for(own: Path, searches: list[Path]) -> None:
    path = own / "scenarios/mulligan.yaml"
    first = session.check(path, KEPT)
    assert session.check(path, KEPT) == first
    assert searches == [path]
    assert session.check(path, replace(KEPT, kept=False)) and len(searches) == 2


def appended(name: str) -> Callable[[Path], None]:
    def change(own: Path) -> None:
        with (own / name).open("a", encoding="utf-8") as file:
            file.write("# edited\n")
    return change


@pytest.mark.parametrize("change", [
    appended("scenarios/mulligan.yaml"), appended("words.yaml"), appended("cards.yaml"), appended("readings.yaml"), appended("clauses.yaml"),
    lambda own: appended(f"rules/{next((own / 'rules').glob('*.py')).name}")(own),
    lambda own: (own / "more.yaml").write_text("a: 1\n", encoding="utf-8"),
], ids=["scenario", "words", "cards", "readings", "clauses", "rules", "another file"])
def test_whatever_is_edited_it_is_looked_for_again(own: Path, searches: list[Path], change: Callable[[Path], None]) -> None:
    path = own / "scenarios/mulligan.yaml"
    session.check(path, KEPT)
    change(own)
    library.forget_books()
    session.check(path, KEPT)
    assert len(searches) == 2


@pytest.mark.parametrize("name", ["questions.yaml", "decisions.yaml"])
def test_an_answer_or_a_decision_changes_nothing_of_what_was_found(own: Path, searches: list[Path], name: str) -> None:
    path = own / "scenarios/mulligan.yaml"
    first = session.check(path, KEPT)
    appended(name)(own)
    library.forget_books()
    assert session.check(path, KEPT) == first and len(searches) == 1


def csv_table(file: Path, kind: str) -> None:
    file.write_text(f"id,name,kind\nM-X,え,{kind}\n", encoding="utf-8")


def spreadsheet(file: Path, kind: str) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["id", "name", "kind"])
    sheet.append(["M-X", "え", kind])
    book.save(file)


@pytest.mark.parametrize("of_control", [False, True], ids=["its own", "of its control"])
@pytest.mark.parametrize(("name", "write"), [("more.csv", csv_table), ("more.xlsx", spreadsheet)], ids=["csv", "xlsx"])
def test_a_table_of_cards_beside_the_scenario_counts_too(own: Path, name: str, write: Callable[[Path, str], None], of_control: bool) -> None:
    path, control = own / "scenarios/mulligan.yaml", own / "scenarios/other.yaml"
    text = path.read_text(encoding="utf-8")
    control.write_text(f"{text}card_files: [{name}]\n".replace("id: mulligan", "id: other"), encoding="utf-8")
    path.write_text(f"{text}control: other\n" if of_control else f"{text}card_files: [{name}]\n", encoding="utf-8")
    write(control.with_name(name), "event")
    before = kept_results.basis(path, KEPT)
    assert before == kept_results.basis(path, KEPT)
    write(control.with_name(name), "character")
    assert kept_results.basis(path, KEPT) != before


def test_a_control_counts_too(own: Path, searches: list[Path]) -> None:
    path, control = own / "scenarios/mulligan.yaml", own / "scenarios/other.yaml"
    text = path.read_text(encoding="utf-8")
    control.write_text(text.replace("id: mulligan", "id: other"), encoding="utf-8")
    path.write_text(f"{text}control: other\n", encoding="utf-8")
    session.check(path, KEPT)
    appended("scenarios/other.yaml")(own)
    session.check(path, KEPT)
    assert len(searches) == 2


@pytest.mark.parametrize("name", ["scenarios/mulligan.yaml", "words.yaml"])
def test_what_is_edited_while_it_is_looked_at_and_put_back_is_looked_for_again(own: Path, searches: list[Path], name: str) -> None:
    path, text = own / "scenarios/mulligan.yaml", (own / name).read_text(encoding="utf-8")
    session.check(path, replace(KEPT, stop=lambda: appended(name)(own)))
    (own / name).write_text(text, encoding="utf-8")
    session.check(path, KEPT)
    session.check(path, KEPT)
    assert len(searches) == 2


@pytest.mark.parametrize("other", [
    {"symmetry": False}, {"max_states": 7}, {"readings": {"first-turn": "x"}}, {"engine": "interpreter"}, {"show": 2}, {"settle": None},
    {"exercised": True}, {"fingerprints": True}, {"defaults_only": False}, {"max_seconds": 900.0},
], ids=str)
def test_options_that_may_change_a_result_are_part_of_what_it_is_kept_under(other: dict[str, object]) -> None:
    path = session.resolve(f"{BOOK}/mulligan")[0]
    assert kept_results.basis(path, KEPT) != kept_results.basis(path, replace(KEPT, **other))  # pyright: ignore[reportArgumentType]


def test_every_option_is_part_of_it_or_known_not_to_matter() -> None:
    assert set(kept_results.NO_MATTER) <= set(CheckOptions.__dataclass_fields__)
    assert kept_results.basis(session.resolve(f"{BOOK}/mulligan")[0], KEPT) == kept_results.basis(
        session.resolve(f"{BOOK}/mulligan")[0], replace(KEPT, threads=3, store=Path("x"), remembered=False))


@pytest.mark.parametrize("options", [
    replace(KEPT, max_seconds=1e-6), replace(KEPT, stop=lambda: True), replace(KEPT, max_memory_mib=100_000), replace(KEPT, certify=True),
], ids=["cut by time", "stopped by the user", "a limit on memory", "with evidence"])
def test_what_may_have_been_cut_is_not_kept(own: Path, options: CheckOptions) -> None:
    session.check(own / "scenarios/mulligan.yaml", options)
    assert not list(cache_folder("results").glob("*")) if cache_folder("results").exists() else True


def test_what_is_damaged_is_looked_for_again(own: Path, searches: list[Path]) -> None:
    path = own / "scenarios/mulligan.yaml"
    first = session.check(path, KEPT)
    for entry in cache_folder("results").iterdir():
        data = bytearray(entry.read_bytes())
        data[-1] ^= 1
        entry.write_bytes(data)
        os.utime(entry)
    assert [r.outcomes for r in session.check(path, KEPT)] == [r.outcomes for r in first]
    assert len(searches) == 2
