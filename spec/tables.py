"""Cards in a table: CSV (UTF-8 or cp932, what a spreadsheet writes), TSV, or .xlsx. The first row names the columns, as the
keys of a card in `cards.yaml`; every other row is a card.

A place in a CSV file is its line and column; in a spreadsheet it is the sheet and the cell (`cards.xlsx!札!C4`), and the line and
column within the cell.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, starmap
from pathlib import Path

from .broken import MOST_ALIKE, invisible
from .cards import Card, card_list
from .diagnostics import INVISIBLE, BadInput, Collector, Diagnostic, Position, look, shown
from .document import Entry, ListNode, MapNode, Node, TextNode
from .reading import SPLIT, file_bytes
from .text import Text
from .workbook import ODDITIES, read_workbook

TABLES = (".csv", ".tsv", ".xlsx", ".xlsm")
LARGEST = 16 * 1024 * 1024
MOST_ROWS = 20_000
MOST_CELLS = 400_000
ONE_TEXT = ("id", "カード番号", "name", "カード名", "text", "テキスト")
"""Columns whose cells are one text; in others, `、`, `,` or a line break stands between several words."""
ENGLISH = ("name_en", "英語名")
NEEDED = (("id", "カード番号"), ("name", "カード名"))
"""Columns that every card has to have something in."""
SEPARATORS = (";", "\t", "|")
"""What stands between cells in files that are no CSV."""
SEVERAL = re.compile(r"[、,，\n]")


@dataclass(frozen=True)
class CellNode(TextNode):
    """The text of a cell; `spots` is where each character of it (and its end) stands in the file."""

    spots: tuple[tuple[int, int], ...] = ()

    def place(self, line: int, column: int) -> tuple[int, int]:
        starts = [0, *(m.end() for m in re.finditer("\n", self.text))]
        at = starts[min(max(line, 1), len(starts)) - 1] + max(column, 1) - 1
        return self.spots[min(at, len(self.spots) - 1)]

    def piece(self, start: int, end: int) -> CellNode:
        """A part of the cell."""
        file = self.position.file
        return CellNode(
            self.text[start:end], Position(file, *self.spots[start]), self.style, None, self.spots[start : end + 1]
        )

    def stripped(self) -> CellNode:
        """Without spaces around it."""
        start = len(self.text) - len(self.text.lstrip())
        return self.piece(start, max(start, len(self.text.rstrip())))


Row = Sequence[CellNode]


# ---------------------------------------------------------------- cards
def read_card_table(path: Path | str) -> tuple[Card, ...]:
    """The cards of a table. Raises BadInput with everything that is wrong with it."""
    report = Collector()
    cards = card_table(Path(path), report)
    report.raise_if_any()
    return cards


def card_table(path: Path, report: Collector, root: Path | None = None) -> tuple[Card, ...]:
    """The same, as far as they can be read; what is wrong is reported. With a `root`, the file has to lie in that folder."""
    try:
        tables = [*sheets(path, read(path, root))]
    except BadInput as e:
        report.add_all(e.diagnostics)
        return ()
    hidden = [
        *islice(
            (
                invisible(found[0], Position(cell.position.file, *cell.spots[found.start()]))
                for rows in tables
                for row in rows
                for cell in row
                for found in INVISIBLE.finditer(cell.text)
            ),
            MOST_ALIKE,
        )
    ]
    report.add_all(hidden)
    if hidden:
        return ()
    nodes: list[Node] = []
    known = len(report.diagnostics)
    for rows in tables:
        nodes += cards_of(rows, report)
    if not nodes and len(report.diagnostics) == known:
        report.add(Diagnostic(Position(str(path), 1, 1), "no-cards", Text(
            ja="カードが一枚も書かれていません", en="there is not a single card in this table",
        ), Text(ja="1行目に「カード番号」「カード名」などの見出し、2行目から1行に1枚を書きます",
                en="the first row names the columns (`id`, `name`, …), and every other row is a card")))
        return ()
    return card_list(ListNode(tuple(nodes), Position(str(path), 1, 1)), report)


def cards_of(rows: Sequence[Row], report: Collector) -> Iterator[MapNode]:
    """The rows of one sheet as the maps that they would be in YAML."""
    filled = [row for row in rows if any(cell.text.strip() for cell in row)]
    if not filled:
        return
    heads = [cell.stripped() for cell in filled[0]]
    first: dict[str, CellNode] = {}
    for head in heads:
        if head.text and first.setdefault(look(head.text), head) is not head:
            report.add(Diagnostic(head.position, "column-twice", Text(
                ja=f"見出し「{shown(head.text)}」が二つあります", en=f"there are two columns `{shown(head.text)}`",
            ), Text(ja="どちらかを消すか、まとめてください", en="delete one of them, or put them together"), head.text))
    lacking = [names for names in NEEDED if filled[1:] and not {h.text for h in heads} & {*names}]
    report.add_all(no_heading(heads, lacking))
    for row in filled[1:] if not lacking else ():
        yield card_row(heads, [cell.stripped() for cell in row], report)


def no_heading(heads: Sequence[CellNode], lacking: Sequence[Sequence[str]]) -> Iterator[Diagnostic]:
    """What is to be told of a first row without headings that every card needs, instead of each row below it."""
    at = next((h for h in heads if h.text), heads[0])
    sign = next((c for c in SEPARATORS if c in at.text), "") if sum(bool(h.text) for h in heads) == 1 else ""
    if lacking and sign:
        yield Diagnostic(at.position, "separator", Text(
            ja=f"「{shown(at.text)}」が一つの見出しになっています", en=f"`{shown(at.text)}` is read as one heading",
        ), Text(ja=f"「{shown(sign)}」ではなく「,」で区切って保存してください（CSV）", en=f"save it with `,` between the cells, not `{shown(sign)}` (CSV)"), at.text)
        return
    for key, alias in lacking:
        yield Diagnostic(at.position, "no-heading", Text(
            ja=f"見出し「{alias}」（{key}）がありません", en=f"there is no column `{key}` (`{alias}`)",
        ), Text(ja=f"1行目の見出しは: {'、'.join(shown(h.text) for h in heads if h.text)}", en=f"the first row has: {', '.join(shown(h.text) for h in heads if h.text)}"), key)


def card_row(heads: Sequence[CellNode], cells: Sequence[CellNode], report: Collector) -> MapNode:
    """One row."""
    entries: list[Entry] = []
    english = next((c for h, c in zip(heads, cells, strict=False) if h.text in ENGLISH and c.text), None)
    for k, cell in enumerate(cells):
        if not cell.text:
            continue
        if k >= len(heads) or not heads[k].text:
            report.add(Diagnostic(cell.position, "no-heading", Text(
                ja=f"「{shown(cell.text)}」の列に見出しがありません", en=f"the column of `{shown(cell.text)}` has no heading",
            ), Text(ja="1行目に項目の名前を書いてください", en="write the name of the key in the first row"), cell.text))
        elif heads[k].text not in ENGLISH and all(e.key.text != heads[k].text for e in entries):
            entries.append(Entry(heads[k], value_of(heads[k].text, cell, english)))
    at = next((c.position for c in cells if c.text), cells[0].position)
    return MapNode(tuple(entries), at)


def value_of(head: str, cell: CellNode, english: CellNode | None) -> Node:
    """What a cell holds: a text, a name in two languages, or several words."""
    if head in ("name", "カード名") and english is not None:
        ja, en = (TextNode(key, cell.position) for key in ("ja", "en"))
        return MapNode((Entry(ja, cell), Entry(en, english)), cell.position)
    if head in ONE_TEXT or not SEVERAL.search(cell.text):
        return cell
    ends = [*(m.start() for m in SEVERAL.finditer(cell.text)), len(cell.text)]
    starts = [0, *(e + 1 for e in ends[:-1])]
    pieces = [cell.piece(s, e).stripped() for s, e in zip(starts, ends, strict=True)]
    return ListNode(tuple(p for p in pieces if p.text), cell.position, True)


# ---------------------------------------------------------------- files
def refused(
    file: str, code: str, ja: str, en: str, hint: Text | None = None, line: int = 1, column: int = 1
) -> BadInput:
    """One thing that is wrong with a table as a whole."""
    return BadInput([Diagnostic(Position(file, line, column), code, Text(ja=ja, en=en), hint)])


def read(path: Path, root: Path | None = None) -> bytes:
    """The content of a table of cards, in the folder `root` where one is given. Raises BadInput."""
    if path.suffix.lower() not in TABLES:
        raise refused(
            str(path),
            "unknown-format",
            "カードの表として読めるのは .csv .tsv .xlsx です",
            "a table of cards is .csv, .tsv or .xlsx",
        )
    return file_bytes(path, LARGEST, root)


def sheets(path: Path, data: bytes) -> Iterator[Sequence[Row]]:
    """The rows of each sheet; a CSV file is one."""
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        yield from spreadsheet(str(path), data)
    else:
        yield separated(str(path), decoded(str(path), data), "\t" if path.suffix.lower() == ".tsv" else ",")


# ---------------------------------------------------------------- CSV
def decoded(file: str, data: bytes) -> str:
    """UTF-8, else cp932. Raises BadInput."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise refused(file, "encoding", "UTF-16 です", "this is UTF-16",
                      Text(ja="「CSV UTF-8」の形式で保存してください", en="save it as `CSV UTF-8`"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as utf8:
        try:
            return data.decode("cp932")
        except UnicodeDecodeError:
            line = data.count(b"\n", 0, utf8.start) + 1
            raise refused(file, "encoding", "UTF-8 でも Shift_JIS（cp932）でもありません", "this is neither UTF-8 nor cp932",
                          Text(ja="「CSV UTF-8」の形式で保存してください", en="save it as `CSV UTF-8`"), line) from None


def separated(file: str, text: str, separator: str) -> list[Row]:
    """Rows of cells, quoted or not, each with its place. Raises BadInput."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    spots = spots_of(text)
    rows: list[Row] = []
    row: list[CellNode] = []
    at = cells = 0
    while at <= len(text):
        chars: list[int] = []
        begin = at
        if text.startswith('"', at):
            at, chars = quoted(file, text, at, spots, separator)
        else:
            while at < len(text) and text[at] not in (separator, "\n"):
                chars.append(at)
                at += 1
        cells += 1
        limited(file, len(rows), cells)
        row.append(
            CellNode(
                "".join(text[k] for k in chars),
                Position(file, *spots[chars[0] if chars else begin]),
                spots=(*(spots[k] for k in chars), spots[at]),
            )
        )
        if at >= len(text) or text[at] == "\n":
            rows.append(row)
            row = []
            if at >= len(text) - 1:  # a line break at the end begins no row
                break
        at += 1
    return rows


def limited(file: str, rows: int, cells: int) -> None:
    """Raises BadInput if there are too many."""
    if rows > MOST_ROWS:
        raise refused(
            file,
            "too-large",
            f"行が多すぎます（上限 {MOST_ROWS} 行）",
            f"there are too many rows (at most {MOST_ROWS})",
            SPLIT,
        )
    if cells > MOST_CELLS:
        raise refused(
            file,
            "too-large",
            f"セルが多すぎます（上限 {MOST_CELLS} 個）",
            f"there are too many cells (at most {MOST_CELLS})",
            SPLIT,
        )


def quoted(file: str, text: str, at: int, spots: Sequence[tuple[int, int]], separator: str) -> tuple[int, list[int]]:
    """A cell in quotation marks: where it ends, and which characters it consists of."""
    begin, chars = at, list[int]()
    at += 1
    while at < len(text):
        if text[at] == '"':
            if not text.startswith('"', at + 1):
                break
            at += 1
        chars.append(at)
        at += 1
    else:
        raise refused(file, "unclosed-quote", "引用符が閉じられていません", "this quotation mark is never closed", Text(
            ja='文の中の「"」は「""」と書きます', en='within a text, write `""` for a `"`'), *spots[begin])
    at += 1
    if at < len(text) and text[at] not in (separator, "\n"):
        raise refused(file, "after-the-quote", "閉じる引用符の後に文字があります", "something stands behind the closing quotation mark", Text(
            ja='文の中の「"」は「""」と書きます', en='within a text, write `""` for a `"`'), *spots[at])
    return at, chars


def spots_of(text: str) -> list[tuple[int, int]]:
    """Line and column of each character, and of the end."""
    lines = text.split("\n")
    return [(n, k) for n, line in enumerate(lines, 1) for k in range(1, len(line) + 2)]


# ---------------------------------------------------------------- spreadsheets
def spreadsheet(file: str, data: bytes) -> Iterator[Sequence[Row]]:
    """The sheets of a workbook. Raises BadInput."""
    found = read_workbook(file, data)
    odd = [oddity(f"{file}!{sheet.title}", where, what) for sheet in found for where, what in sheet.odd[:MOST_ALIKE]]
    if odd:
        raise BadInput(odd[:MOST_ALIKE])
    widths = [max(map(max, sheet.rows.values()), default=0) for sheet in found]
    limited(
        file,
        sum(len(sheet.rows) for sheet in found),
        sum(len(sheet.rows) * last for sheet, last in zip(found, widths, strict=True)),
    )
    for sheet, last in zip(found, widths, strict=True):
        yield [
            [in_cell(f"{file}!{sheet.title}!{column_name(k)}{n}", cells.get(k, "")) for k in range(1, last + 1)]
            for n, cells in sheet.rows.items()
        ]


def oddity(sheet: str, where: str, what: str) -> Diagnostic:
    """Something that a person would not see in the table as it is read, or the other way round."""
    message, hint = ODDITIES[what]
    return Diagnostic(Position(f"{sheet}!{where}" if where else sheet, 1, 1), what, message, hint)


def column_name(number: int) -> str:
    """A to Z, AA, …"""
    upper, letter = divmod(number - 1, 26)
    return (column_name(upper) if upper else "") + chr(65 + letter)


def in_cell(file: str, text: str) -> CellNode:
    return CellNode(text, Position(file, 1, 1), spots=tuple(starmap(spot, spots_of(text))))


@cache
def spot(line: int, column: int) -> tuple[int, int]:
    """A place in a cell: there are few different ones, and as many as there are characters."""
    return line, column
