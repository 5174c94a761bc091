"""Spreadsheets: every row is a line, its cells joined; a sheet begins with its name as a heading."""

from __future__ import annotations

from collections.abc import Sequence

from ....spec.broken import MOST_ALIKE
from ....spec.diagnostics import BadInput
from ....spec.tables import oddity
from ....spec.text import Text
from ....spec.workbook import Sheet, read_workbook

Rows = Sequence[tuple[str, int, str]]
HIDDEN = Text(
    ja="非表示の行・列・シートも読みました: {places}", en="Hidden rows, columns and sheets were read too: {places}"
)


def rows(file: str, data: bytes) -> tuple[Rows, list[Text]]:
    """Place, heading level and text of every row; what is read and not seen. Raises BadInput."""
    sheets = read_workbook(file, data)
    missing = [(sheet, where) for sheet in sheets for where, what in sheet.odd if what == "uncomputed"]
    if missing:
        raise BadInput(oddity(f"{file}!{sheet.title}", where, "uncomputed") for sheet, where in missing[:MOST_ALIKE])
    found: list[tuple[str, int, str]] = []
    for sheet in sheets:
        if len(sheets) > 1:
            found.append((f"{sheet.title}!1", 1, sheet.title))
        before = 0
        for number, cells in sheet.rows.items():
            if number > before + 1:
                found.append((f"{sheet.title}!{before + 1}", 0, ""))  # empty rows
            found.append((f"{sheet.title}!{number}", 0, " ".join(cells.values())))
            before = number
    return found, notes(sheets)


def notes(sheets: Sequence[Sheet]) -> list[Text]:
    """What is told of what cannot be seen in the sheets."""
    hidden = [
        f"{sheet.title}!{where}".rstrip("!")
        for sheet in sheets
        for where, what in sheet.odd
        if what.startswith("hidden")
    ]
    places = ", ".join(hidden[:MOST_ALIKE]) + (" …" if len(hidden) > MOST_ALIKE else "")
    return [Text(HIDDEN.ja.format(places=places), HIDDEN.en.format(places=places))] if hidden else []
