"""Word documents, spreadsheets and PDF files, made from lines of text: as small as the formats allow."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


# ---------------------------------------------------------------- Word
def word_file(body: str, numbering: str = "", styles: str = "") -> bytes:
    """A Word document with this body, these lists and styles (all of them XML)."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        if numbering:
            archive.writestr("word/numbering.xml", f"<w:numbering {W}>{numbering}</w:numbering>")
        if styles:
            archive.writestr("word/styles.xml", f"<w:styles {W}>{styles}</w:styles>")
    return content.getvalue()


def run(text: str, gone: bool = False) -> str:
    """A run of text; of deleted text, if gone."""
    tag = "delText" if gone else "t"
    return f'<w:r><w:{tag} xml:space="preserve">{escape(text)}</w:{tag}></w:r>'


def inserted(text: str) -> str:
    """Text that was put in while changes were tracked."""
    return f'<w:ins w:id="1" w:author="a">{run(text)}</w:ins>'


def deleted(text: str) -> str:
    """Text that was taken out while changes were tracked."""
    return f'<w:del w:id="2" w:author="a">{run(text, gone=True)}</w:del>'


def paragraph(content: str, properties: str = "") -> str:
    """A paragraph of runs."""
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{content}</w:p>"


# ---------------------------------------------------------------- spreadsheets
def sheet_file(sheets: Iterable[tuple[str, Sequence[Sequence[object]]]]) -> bytes:
    """A spreadsheet with these sheets of rows."""
    from openpyxl import Workbook  # pyright: ignore[reportMissingModuleSource]

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


# ---------------------------------------------------------------- PDF
PER_PAGE = 40


def pdf_file(lines: Sequence[str]) -> bytes:
    """A PDF with these lines, forty to a page: one font without outlines, whose characters are named by a table."""
    letters = {c: number for number, c in enumerate(sorted({c for line in lines for c in line}), 1)}
    pages = [lines[begin : begin + PER_PAGE] for begin in range(0, len(lines), PER_PAGE)] or [[]]
    numbers = [6 + 2 * page for page in range(len(pages))]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{n} 0 R' for n in numbers)}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /DW 1000 "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        _stream(_table(letters)),
    ]
    for number, page in zip(numbers, pages, strict=True):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(_stream("\n".join(_shown(line, row, letters) for row, line in enumerate(page))))
    return _assembled(objects)


PICTURE = "[picture]"
"""A line that is drawn and has no letters."""


def _shown(line: str, row: int, letters: dict[str, int]) -> str:
    if line == PICTURE:
        return f"40 {700 - 18 * row} 200 100 re f"
    codes = "".join(f"{letters[c]:04X}" for c in line)
    return f"BT /F1 10 Tf 40 {800 - 18 * row} Td <{codes}> Tj ET"


def _table(letters: dict[str, int]) -> str:
    rows = [f"<{number:04X}> <{c.encode('utf-16-be').hex().upper()}>" for c, number in letters.items()]
    blocks = [rows[begin : begin + 100] for begin in range(0, len(rows), 100)]
    named = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
        f"1 begincodespacerange <0000> <FFFF> endcodespacerange\n{named}\nendcmap end end"
    )


def _stream(text: str) -> bytes:
    data = text.encode("ascii")
    return f"<< /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _assembled(objects: Sequence[bytes]) -> bytes:
    content = b"%PDF-1.4\n"
    places: list[int] = []
    for number, one in enumerate(objects, 1):
        places.append(len(content))
        content += f"{number} 0 obj\n".encode() + one + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\n"
    return content + (tail + f"startxref\n{len(content)}\n%%EOF\n").encode()
