"""Spreadsheets: the texts of their cells, and what somebody who looks at them sees otherwise than a reader does: what is hidden,
merged, or has not been worked out."""
from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, iterparse

from .text import Text
from .watchdog import Kind, Refused, Row, read_apart

KIND = Kind("xlsx", Text(ja="表計算の文書", en="a spreadsheet"))
MOST_COLUMNS = 500
LAST_ROW, LONGEST_CELL = 1_048_576, 32_767
"""What a spreadsheet can have: rows, characters in a cell."""
SHEET, ROW, ODD = "sheet", "row", "odd"


@dataclass
class Sheet:
    """A sheet: the cells that say something, by row and column; and its oddities."""

    title: str
    rows: dict[int, Mapping[int, str]] = field(default_factory=dict)
    odd: list[tuple[str, str]] = field(default_factory=list)
    """Where (`C4`, `A1:B2`, `7`, nothing: all of it) and what, one of `ODDITIES`."""


ODDITIES: Mapping[str, tuple[Text, Text]] = {
    "uncomputed": (
        Text(ja="この式には計算結果が保存されていません", en="this formula has no stored value"),
        Text(ja="表計算ソフトで開いて保存し直すか、値を書いてください", en="open it in a spreadsheet program and save it again, or write the value"),
    ),
    "merged": (
        Text(ja="セルが結合されています。読めるのは左上のセルだけです", en="these cells are merged: only the first of them says anything"),
        Text(ja="結合を解除し、それぞれのセルに書いてください", en="take them apart, and write into each of them"),
    ),
    "hidden-row": (
        Text(ja="非表示の行に何か書かれています", en="something is written in a hidden row"),
        Text(ja="行を表示するか、消してください", en="show the row, or delete it"),
    ),
    "hidden-column": (
        Text(ja="非表示の列に何か書かれています", en="something is written in a hidden column"),
        Text(ja="列を表示するか、消してください", en="show the column, or delete it"),
    ),
    "hidden-sheet": (
        Text(ja="非表示のシートに何か書かれています", en="something is written in a hidden sheet"),
        Text(ja="シートを表示するか、消してください", en="show the sheet, or delete it"),
    ),
}
"""What is told of each, and what to do."""


def read_workbook(file: str, data: bytes) -> list[Sheet]:
    """The sheets of a workbook, in order. Raises BadInput."""
    found: list[Sheet] = []
    for what, *row in read_apart(parts, KIND, file, data):
        if what == SHEET:
            found.append(Sheet(row[0]))
        elif what == ROW:
            found[-1].rows[row[0]] = dict(row[1])
        else:
            found[-1].odd.append((row[0], row[1]))
    return found


def needs(package: str, extra: str) -> Refused:
    """The format needs an extra that is not installed."""
    return Refused("needs-extra", Text(ja=f"この形式を読むには {package} が要ります", en=f"{package} is needed to read this format"),
                   Text.same(f"pip install 'rulewright[{extra}]'"))


# ---------------------------------------------------------------- in the other process
def parts(data: bytes) -> Iterator[Row]:
    """Sheets, each followed by its rows and oddities. Raises Refused, and what openpyxl raises."""
    try:
        from openpyxl import load_workbook  # pyright: ignore[reportMissingModuleSource, reportMissingImports]
        from openpyxl.utils import get_column_letter  # pyright: ignore[reportMissingModuleSource, reportMissingImports]
    except ImportError:
        raise needs("openpyxl", "xlsx") from None
    book: Any = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    for sheet in book.worksheets:
        with book._archive.open(sheet._worksheet_path) as source:  # openpyxl has another way to it for small sheets only
            looks = Looks(source)
        sheet.reset_dimensions()  # what the file says of its size need not be so
        yield [SHEET, sheet.title]
        filled = set[int]()
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
            cells = [(k, text) for k, value in enumerate(row, 1) if (text := text_of(value)).strip()]
            if not cells:
                continue
            if cells[-1][0] > MOST_COLUMNS:
                raise Refused("too-large", Text(
                    ja=f"シート「{sheet.title}」の列が多すぎます（上限 {MOST_COLUMNS} 列）",
                    en=f"the sheet `{sheet.title}` has too many columns (at most {MOST_COLUMNS})"))
            long = next((k for k, text in cells if len(text) > LONGEST_CELL), None)
            if long is not None:
                raise Refused("too-large", Text(
                    ja=f"{sheet.title}!{get_column_letter(long)}{number} の文字が多すぎます（上限 {LONGEST_CELL} 文字）",
                    en=f"there is too much text in {sheet.title}!{get_column_letter(long)}{number} (at most {LONGEST_CELL} characters)"))
            filled.update(k for k, _ in cells)
            yield [ROW, number, cells]
            if number in looks.hidden_rows:
                yield [ODD, str(number), "hidden-row"]
        if filled and sheet.sheet_state != "visible":
            yield [ODD, "", "hidden-sheet"]
        for k in sorted(filled):
            if any(low <= k <= high for low, high in looks.hidden_columns):
                yield [ODD, get_column_letter(k), "hidden-column"]
        yield from ([ODD, place, "merged"] for place in looks.merged)
        yield from ([ODD, place, "uncomputed"] for place in looks.uncomputed)


class Looks:
    """What the XML of a sheet says besides values. Raises Refused."""

    def __init__(self, source: Any) -> None:
        self.number = 0
        self.hidden_rows = set[int]()
        self.hidden_columns: list[tuple[int, int]] = []
        self.merged: list[str] = []
        self.uncomputed: list[str] = []
        for _, element in iterparse(source):
            match element.tag.rpartition("}")[2]:
                case "row":
                    self.row(element)
                    element.clear()  # there may be a million of them
                case "c" if is_uncomputed(element):
                    self.uncomputed.append(element.get("r", ""))
                case "col" if is_set(element):
                    self.hidden_columns.append((int(element.get("min", 0)), int(element.get("max", 0))))
                case "mergeCell" if ":" in (ref := element.get("ref", "")):
                    self.merged.append(ref)
                case _:
                    pass

    def row(self, element: Element) -> None:
        self.number = int(element.get("r") or self.number + 1)
        if self.number > LAST_ROW:
            raise Refused("too-large", Text(
                ja=f"行 {self.number} は表計算の文書にはありません", en=f"no spreadsheet has a row {self.number}"))
        if is_set(element):
            self.hidden_rows.add(self.number)


def is_uncomputed(cell: Element) -> bool:
    """Has it a formula and no value? (The value of a formula may be an empty text.)"""
    parts = {part.tag.rpartition("}")[2]: part.text for part in cell}
    return "f" in parts and not parts.get("v") and not ("v" in parts and cell.get("t") == "str")


def is_set(element: Element) -> bool:
    return element.get("hidden") in ("1", "true")


def text_of(value: object) -> str:
    """A cell's value as text: a whole number that is kept as 3.0 is 3."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "" if value is None else str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return re.sub("\r\n?|_x000D_\n?", "\n", text)
