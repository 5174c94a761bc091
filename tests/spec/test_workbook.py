"""What a spreadsheet hides, merges or leaves uncomputed is told; a card table of such cells is refused."""
from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.lint.reading import read
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.tables import MOST_ROWS, read_card_table

openpyxl = pytest.importorskip("openpyxl", reason="needs the extra xlsx")
Change = Callable[[Any], object]


def saved(path: Path, change: Change) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "札"
    for row in (["id", "name", "kind", "power"], ["A-1", "甲", "character", 1], ["A-2", "乙", "event", 2]):
        sheet.append(row)
    change(sheet)
    out = io.BytesIO()
    book.save(out)
    path.write_bytes(out.getvalue())
    return path


def hide_row(sheet: Any) -> None:
    sheet.row_dimensions[3].hidden = True


def hide_columns(sheet: Any) -> None:
    sheet.column_dimensions.group("C", "D", hidden=True)


def hide_sheet(sheet: Any) -> None:
    sheet.parent.create_sheet("他")
    sheet.sheet_state = "hidden"


ODD: list[tuple[Change, str, str]] = [
    (lambda s: s.__setitem__("D3", "=D2+1"), "札!D3", "uncomputed"), (lambda s: s.merge_cells("C2:C3"), "札!C2:C3", "merged"),
    (hide_row, "札!3", "hidden-row"), (hide_columns, "札!C", "hidden-column"), (hide_sheet, "札", "hidden-sheet")]


@pytest.mark.parametrize(("change", "place", "what"), ODD)
def test_what_somebody_sees_otherwise_is_refused_in_a_card_table(tmp_path: Path, change: Change, place: str, what: str) -> None:
    path = saved(tmp_path / "cards.xlsx", change)
    with pytest.raises(BadInput) as e:
        read_card_table(path)
    assert (str(e.value.diagnostics[0].position), e.value.diagnostics[0].code) == (f"{path}!{place}:1:1", what)


def shrink(sheet: Any) -> None:
    sheet.row_dimensions[9].hidden = True
    sheet.column_dimensions["G"].hidden = True
    sheet.parent.create_sheet("空").sheet_state = "hidden"


@pytest.mark.parametrize("change", [lambda s: None, shrink, lambda s: s.row_dimensions.group(2, 3, hidden=False)])
def test_what_is_hidden_and_empty_is_no_matter(tmp_path: Path, change: Change) -> None:
    assert [c.id.value for c in read_card_table(saved(tmp_path / "cards.xlsx", change))] == ["A-1", "A-2"]


def test_a_draft_in_hidden_rows_is_read_and_told(tmp_path: Path) -> None:
    source = read(saved(tmp_path / "a.xlsx", hide_row))
    assert [line.text for line in source.lines][-1] == "A-2 乙 event 2"
    assert [note.en for note in source.notes] == ["Hidden rows, columns and sheets were read too: 札!3"]
    assert read(saved(tmp_path / "b.xlsx", lambda s: s.merge_cells("C2:C3"))).notes == []


def test_a_formula_without_a_value_is_refused_in_a_draft_and_one_with_an_empty_value_is_not(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="this formula has no stored value"):
        read(saved(tmp_path / "a.xlsx", lambda s: s.__setitem__("D3", "=D2+1")))

    path = saved(tmp_path / "b.xlsx", lambda s: s.__setitem__("D3", "=D2+1"))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    assert b"<f>D2+1</f><v" in parts[sheet]
    for stored, text in ((b'<c r="D3" t="str"><f>D2+1</f><v></v></c>', "A-2 乙 event"), (b'<c r="D3"><f>D2+1</f><v>7</v></c>', "A-2 乙 event 7")):

        changed = re.sub(rb'<c r="D3"[^>]*><f>.*?</c>', stored, parts[sheet])
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in (parts | {sheet: changed}).items():
                archive.writestr(name, content)
        assert read(path).lines[-1].text == text


def test_rows_beyond_the_limit_are_not_left_out_in_silence(tmp_path: Path) -> None:
    def many(rows: int) -> Change:
        return lambda s: [s.append([f"B-{k}", "x"]) for k in range(rows - 3)]

    assert len(read_card_table(saved(tmp_path / "a.xlsx", many(300)))) == 299
    with pytest.raises(BadInput, match=f"there are too many rows .at most {MOST_ROWS}."):
        read_card_table(saved(tmp_path / "b.xlsx", many(MOST_ROWS + 1)))


def test_a_row_far_away_is_read_and_the_rows_between_are_not(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", lambda s: (s.__setitem__("A900000", "A-3"), s.__setitem__("B900000", "丙")))
    assert [str(c.id.position) for c in read_card_table(path)][-1] == f"{path}!札!A900000:1:1"
    assert len(read(path).lines) == 5
