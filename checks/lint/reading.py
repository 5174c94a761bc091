"""Reading a draft: its format and its encoding, down to lines with places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...spec.diagnostics import BadInput, split_lines
from ...spec.reading import SPLIT, file_bytes
from ...spec.text import Text
from ...spec.watchdog import MOST_ROWS, MOST_TEXT
from .formats import html, markdown
from .model import Line, ListItem
from .numbering import read_marks
from .trouble import trouble


@dataclass
class Source:
    """A draft as it was read. `text` is the decoded text of a text file; `places` names lines that are no lines of a
    text file (`p.3`, `Sheet1!5`)."""

    file: str
    lines: list[Line]
    encoding: str | None = None
    text: str | None = None
    places: dict[int, str] = field(default_factory=dict)
    notes: list[Text] = field(default_factory=list)
    """What the writer should know of how it was read."""


def read(path: Path, encoding: str | None = None, changes: str = "accepted") -> Source:
    """Read a draft of any format. Raises BadInput."""
    file = str(path)
    data = file_bytes(path)
    suffix = path.suffix.lower()
    if suffix in (".docx", ".docm"):
        from .formats import docx

        paragraphs, notes = docx.read_word(file, data, changes)
        return replace(_from_blocks(file, paragraphs), notes=notes)
    if suffix in (".xlsx", ".xlsm"):
        from .formats import xlsx

        found, notes = xlsx.rows(file, data)
        return replace(_from_rows(file, found), notes=notes)
    if suffix == ".pdf" or data.startswith(b"%PDF-"):
        from .formats import pdf

        found, notes = pdf.read_pdf(file, data)
        return replace(_from_rows(file, found), notes=notes)
    if data.startswith(b"PK\x03\x04") or data.startswith(b"\xd0\xcf\x11\xe0"):
        raise trouble(
            file,
            "unknown-format",
            "この形式は読めません",
            "this format cannot be read",
            Text(
                ja="テキスト、Markdown、HTML、.docx、.xlsx、PDF で保存してください",
                en="save it as text, Markdown, HTML, .docx, .xlsx or PDF",
            ),
        )
    text, used = decode(file, data, encoding)
    if len(text) > MOST_TEXT or len(split_lines(text)) > MOST_ROWS:
        raise trouble(
            file,
            "too-large",
            f"大きすぎます（上限 {MOST_ROWS} 行、{MOST_TEXT} 文字）",
            f"this is too large (at most {MOST_ROWS} lines, {MOST_TEXT} characters)",
            SPLIT,
        )
    if suffix in html.SUFFIXES or re.match(r"\s*<(?:!doctype html|html)\b", text[:200], re.IGNORECASE):
        return _from_blocks(file, html.read_html(file, text))
    return from_text(file, text, used)


def from_text(file: str, text: str, encoding: str = "utf-8") -> Source:
    """A draft that is text already."""
    lines = _without_comments(split_lines(text))
    if file.lower().endswith(markdown.SUFFIXES):
        return Source(file, markdown.marked(lines), encoding, text)
    return Source(file, [read_marks(number, line) for number, line in enumerate(lines, 1)], encoding, text)


def _from_blocks(file: str, blocks: Sequence[tuple[str, int, str, Sequence[int]]]) -> Source:
    """From the same, and the lists that an item is in."""
    source = _from_rows(file, [(place, heading, said) for place, heading, said, _ in blocks])
    items = [ListItem(tuple(lists)) if lists else None for *_, lists in blocks]
    return replace(source, lines=[replace(line, item=item) for line, item in zip(source.lines, items, strict=True)])


def _from_rows(file: str, rows: Sequence[tuple[str, int, str]]) -> Source:
    """From (place, heading level, text)."""
    lines = [read_marks(number, text.replace("\n", " "), heading) for number, (_, heading, text) in enumerate(rows, 1)]
    return Source(file, lines, places={number: place for number, (place, _, _) in enumerate(rows, 1)})


_COMMENT = re.compile(r"<!--.*?(?:-->|$)")


def _without_comments(lines: Sequence[str]) -> list[str]:
    """Lines with HTML comments blanked out, columns kept."""
    blanked: list[str] = []
    inside = False
    for line in lines:
        if inside:
            end = line.find("-->")
            inside = end < 0
            line = " " * len(line) if end < 0 else " " * (end + 3) + line[end + 3 :]
        if "<!--" in line:
            begin = line.rfind("<!--")
            inside = "-->" not in line[begin:]
            line = _COMMENT.sub(lambda m: " " * len(m[0]), line)
        blanked.append(line)
    return blanked


# ---------------------------------------------------------------- encodings
def decode(file: str, data: bytes, encoding: str | None = None) -> tuple[str, str]:
    """The text, and the encoding it is in: the one asked for, else the one that fits."""
    if encoding is not None:
        try:
            return data.decode(_CODEC.get(encoding, encoding)).removeprefix("\ufeff"), encoding
        except UnicodeDecodeError as error:
            raise _undecodable(file, data, error, encoding) from None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), "utf-16"
        except UnicodeDecodeError as error:
            raise _undecodable(file, data, error, "utf-16") from None
    if b"\x1b$" in data and (text := _try(data, "iso2022_jp")) is not None:
        return text, "iso-2022-jp"
    try:
        return data.decode("utf-8").removeprefix("\ufeff"), "utf-8"
    except UnicodeDecodeError as error:
        first = error
    fits = [
        (_strangeness(text), name, text)
        for name in ("shift_jis", "euc-jp")
        if (text := _try(data, _CODEC[name])) is not None
    ]
    if not fits or min(fits)[0] > 0.3:
        raise _undecodable(file, data, first, "utf-8")
    _, name, text = min(fits)
    return text, name


_CODEC = {
    "utf-8": "utf-8-sig",
    "shift_jis": "cp932",
    "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "utf-16": "utf-16",
}


def _try(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _strangeness(text: str) -> float:
    """The share of characters that Japanese rules do not consist of: half-width katakana, rare kanji next to control
    characters."""
    sample = text[:20000]
    wide = [c for c in sample if ord(c) > 127]
    if not wide:
        return 1.0
    usual = sum(
        "ぁ" <= c <= "ヿ" or c in "、。「」『』（）・〜～０１２３４５６７８９" or "Ａ" <= c <= "ｚ" for c in wide
    )
    kanji = sum("一" <= c <= "龠" for c in wide)
    odd = sum("｡" <= c <= "ﾟ" or ord(c) < 160 or "\ue000" <= c <= "\uf8ff" for c in wide)
    return (odd + max(0, kanji - 3 * usual)) / len(wide)


def _undecodable(file: str, data: bytes, error: UnicodeDecodeError, encoding: str) -> BadInput:
    before = data[: error.start]
    line = before.count(b"\n") + 1
    column = len(before.rpartition(b"\n")[2].decode(_CODEC.get(encoding, encoding), errors="replace")) + 1
    byte = data[error.start : error.start + 1].hex()
    return trouble(
        file,
        "encoding",
        f"{encoding} として読めないバイト 0x{byte} があります",
        f"byte 0x{byte} is not {encoding}",
        Text(
            ja="UTF-8 で保存するか、--encoding で文字コードを指定してください",
            en="save the file as UTF-8, or name its encoding with --encoding",
        ),
        line,
        column,
    )
