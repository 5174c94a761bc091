"""Spreadsheets: every row is a line, its cells joined; a sheet begins with its name as a heading."""

from __future__ import annotations

import io
from collections.abc import Sequence

from ..trouble import needs, trouble


def rows(file: str, data: bytes) -> Sequence[tuple[str, int, str]]:
    """Place, heading level and text of every row."""
    try:
        from openpyxl import load_workbook  # pyright: ignore[reportMissingModuleSource, reportMissingImports]
    except ImportError:
        raise needs(file, "xlsx", "openpyxl") from None
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        found: list[tuple[str, int, str]] = []
        for sheet in book.worksheets:
            if len(book.worksheets) > 1:
                found.append((f"{sheet.title}!1", 1, sheet.title))
            for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
                cells = [_cell(value) for value in row if value is not None and str(value).strip()]
                found.append((f"{sheet.title}!{number}", 0, " ".join(cells)))
        return found
    except Exception as error:
        raise trouble(
            file,
            "broken-xlsx",
            f"表計算の文書として読めません（{error}）",
            f"cannot be read as a spreadsheet ({error})",
        ) from None


def _cell(value: object) -> str:
    """A whole number that the spreadsheet keeps as 3.0 is 3."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
