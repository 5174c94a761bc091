"""Documents made to do harm, or damaged: .docx, .xlsx and .pdf by lot, from a seed."""
from __future__ import annotations

import io
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence

from ..checks.lint.documents import W, paragraph, pdf_file, run, sheet_file, word_file

Make = Callable[[random.Random], bytes]
LINES = [f"{chapter}.{k}. 第{k}の条文です。{chapter}.1 を参照します。" for chapter in range(1, 5) for k in range(1, 12)]
S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DATE = (2026, 1, 1, 0, 0, 0)
"""Of whatever is in an archive: the same seed makes the same file at any time."""


def much(lot: random.Random, most: int) -> int:
    """A number as likely small as large."""
    return int(most ** lot.random())


# ---------------------------------------------------------------- what befalls any file
def damaged(whole: bytes, lot: random.Random) -> bytes:
    """A few bytes are others, are missing, or stand there twice; or the end is missing."""
    data = bytearray(whole)
    for _ in range(lot.choice([1, 1, 1, 2, 5, 50])):
        at = lot.randrange(len(data))
        match lot.randrange(5):
            case 0:
                data[at] ^= 1 << lot.randrange(8)
            case 1:
                data[at] = lot.randrange(256)
            case 2:
                del data[at : at + much(lot, 300)]
            case 3:
                data[at:at] = data[at : at + much(lot, 300)]
            case _:
                if lot.random() < 0.3:
                    del data[at:]
        if not data:
            return b""
    return bytes(data)


def packed(parts: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), content, method)
    return out.getvalue()


def unpacked(whole: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def damaged_inside(whole: bytes, lot: random.Random) -> bytes:
    """The archive is sound; what it holds is not."""
    parts = unpacked(whole)
    name = lot.choice([*parts])
    parts[name] = damaged(parts[name], lot)
    if lot.random() < 0.1:
        del parts[name]
    return packed(parts)


def lying(whole: bytes, lot: random.Random) -> bytes:
    """The archive's own account of its parts is wrong."""
    data = bytearray(whole)
    mark, field, size = lot.choice([
        (b"PK\x01\x02", 24, 4), (b"PK\x01\x02", 20, 4), (b"PK\x01\x02", 10, 2), (b"PK\x01\x02", 8, 2), (b"PK\x01\x02", 42, 4),
        (b"PK\x03\x04", 18, 4), (b"PK\x03\x04", 8, 2), (b"PK\x03\x04", 26, 2), (b"PK\x05\x06", 16, 4), (b"PK\x05\x06", 10, 2)])
    places = [k for k in range(len(data)) if data.startswith(mark, k)]
    at = lot.choice(places) + field
    data[at : at + size] = lot.choice([b"\xff" * size, b"\0" * size, lot.randbytes(size)])
    return bytes(data)


def entities(root: str, lot: random.Random) -> tuple[str, str]:
    """Texts declared by texts: what stands before the root, and what uses it."""
    if lot.random() < 0.5:
        steps = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "ha"}">' for k in range(much(lot, 30)))
        last = steps.count("<!ENTITY") - 1
    else:
        steps, last = f'<!ENTITY e0 "{"x" * much(lot, 1_000_000)}">', 0
    return f"<!--{' ' * much(lot, 10_000)}--><!DOCTYPE {root} [{steps}]>", f"&e{last};" * much(lot, 10_000)


# ---------------------------------------------------------------- Word
def good_word(lot: random.Random) -> bytes:
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/></w:lvl>'
        for i, text in enumerate(("%1.", "%1.%2.")))
    numbering = f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    body = "".join(paragraph(run(line), f'<w:numPr><w:ilvl w:val="{k % 2}"/><w:numId w:val="1"/></w:numPr>') for k, line in enumerate(LINES))
    return packed(unpacked(word_file(body, numbering, '<w:style w:styleId="a"><w:name w:val="heading 1"/></w:style>')))


def word_nested(lot: random.Random) -> bytes:
    tag = lot.choice(["w:p", "w:r", "w:tbl", "x"])
    many = much(lot, 2_000_000)
    return packed({"word/document.xml": f"<w:document {W}><w:body>{f'<{tag}>' * many}{run('1. 甲')}{f'</{tag}>' * many}</w:body></w:document>"})


def word_repeated(lot: random.Random) -> bytes:
    one = lot.choice(["<w:p/>", paragraph(run("1.1 x")), "<w:p><w:r/></w:p>", "<w:r/>", "<w:p><w:r><w:t>x</w:t><w:tab/></w:r></w:p>", paragraph(""),
                      '<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>'])
    return packed(unpacked(word_file(one * much(lot, 3_000_000))))


def word_blown(lot: random.Random) -> bytes:
    return packed(unpacked(word_file(paragraph(run(lot.choice(["1", " ", "字", "1."]) * much(lot, 150_000_000))))))


def word_entities(lot: random.Random) -> bytes:
    head, body = entities("w:document", lot)
    text = f"{head}<w:document {W}><w:body><w:p><w:r><w:t>{body}</w:t></w:r></w:p></w:body></w:document>"
    return packed({"word/document.xml": text if lot.random() < 0.7 else text.encode("utf-16")})


def number(lot: random.Random) -> str:
    return lot.choice(["0", "-1", "999999999", "9" * 400, "9" * much(lot, 4000), "1e9", "x", "", "９", str(much(lot, 10**9))])


def word_numbered(lot: random.Random) -> bytes:
    levels = "".join(
        f'<w:lvl w:ilvl="{lot.choice([number(lot), str(k)])}"><w:start w:val="{number(lot)}"/><w:numFmt w:val="{lot.choice(["decimal", "upperRoman", "bullet", "x"])}"/>'
        f'<w:lvlText w:val="{lot.choice(["%1.", "%1" * much(lot, 100_000), "%1%2%3%4%5%6%7%8%9", "x" * much(lot, 1_000_000)])}"/></w:lvl>'
        for k in range(much(lot, 2000)))
    numbering = f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    one = "".join(paragraph(run("x"), f'<w:numPr><w:ilvl w:val="{lot.choice(["0", "1", number(lot)])}"/><w:numId w:val="1"/></w:numPr>') for _ in range(9))
    return packed(unpacked(word_file(one * much(lot, 3000), numbering)))


def word_of_parts(lot: random.Random) -> bytes:
    return packed({f"word/{k}": "" for k in range(much(lot, 30_000))} | {"word/document.xml": f"<w:document {W}/>"})


# ---------------------------------------------------------------- spreadsheets
def good_sheet(lot: random.Random) -> bytes:
    cards = [["カード番号", "カード名", "種類", "花嫁力"], *([f"T-{k}", f"名前{k}", "キャラ", k] for k in range(1, 30))]
    parts = unpacked(sheet_file([("札", cards), ("条文", [[line] for line in LINES])][: lot.choice([1, 2])]))
    return packed(parts | {"docProps/core.xml": re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"2026-01-01T00:00:00Z", parts["docProps/core.xml"])})


def sheet(rows: str, shared: str = "", before: str = "", after: str = "", sheets: int = 1, state: str = "") -> bytes:
    """A workbook of this XML."""
    rel = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    listed = range(1, sheets + 1)
    return packed({
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        + "".join(f'<Override PartName="/xl/worksheets/sheet{k}.xml" ContentType="{kind}.worksheet+xml"/>' for k in listed)
        + f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}.sharedStrings+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{rel}"><Relationship Id="rId1" Type="{R}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {S} xmlns:r="{R}"><sheets>'
        + "".join(f'<sheet name="s{k}" sheetId="{k}" {state} r:id="rId{k}"/>' for k in listed) + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{rel}">'
        + "".join(f'<Relationship Id="rId{k}" Type="{R}/worksheet" Target="worksheets/sheet{k}.xml"/>' for k in listed)
        + f'<Relationship Id="rIdS" Type="{R}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        "xl/sharedStrings.xml": f"<sst {S}>{shared}</sst>",
        **{f"xl/worksheets/sheet{k}.xml": f"<worksheet {S}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>" for k in listed},
    })


HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>カード番号</t></is></c><c r="B1" t="inlineStr"><is><t>カード名</t></is></c></row>'


def sheet_far(lot: random.Random) -> bytes:
    row = lot.choice(["1048576", "1048577", "99999999999", "-5", "0", "x", "9" * 5000, str(much(lot, 10**7))])
    column = lot.choice(["A", "XFD", "ZZZ", "ZZZZZZZZ", "", "a", "字"])
    many = much(lot, 2000)
    return sheet(HEAD + f'<row r="{row}"><c r="{column}{row}"><v>1</v></c></row>' * many, sheets=much(lot, 50))


def sheet_shared(lot: random.Random) -> bytes:
    one = f"<si><t>{lot.choice('x字 ') * much(lot, 30_000_000)}</t></si>"
    cells = "".join(f'<row r="{k}"><c r="A{k}" t="s"><v>{lot.choice([0, 0, 0, 7, -1])}</v></c></row>' for k in range(2, 2 + much(lot, 3000)))
    return sheet(HEAD + cells, one * much(lot, 100_000_000 // len(one)))


def sheet_repeated(lot: random.Random) -> bytes:
    many = much(lot, 1_000_000)
    one = lot.choice(['<row><c t="inlineStr"><is><t>x</t></is></c></row>', "<row/>", '<row r="2"/>', "<row>" + "<c><v>1</v></c>" * 300 + "</row>"])
    return sheet(HEAD + one * (many // (1 + one.count("<c>"))), sheets=much(lot, 5))


def sheet_wide(lot: random.Random) -> bytes:
    return sheet("<row>" + "<c><v>1</v></c>" * much(lot, 1_000_000) + "</row>")


def sheet_merged(lot: random.Random) -> bytes:
    refs = ["A1:XFD1048576", "A1:B2", "XFD1:A1", "A0:A0", ":", "A1:" + "Z" * 50, "1:1"]
    merged = "".join(f'<mergeCell ref="{lot.choice(refs)}"/>' for _ in range(much(lot, 20_000)))
    columns = "".join(f'<col min="{number(lot)}" max="{number(lot)}" hidden="1"/>' for _ in range(much(lot, 2000)))
    return sheet(HEAD + '<row r="2" hidden="1"><c r="A2"><f>1+1</f></c></row>', before=f"<cols>{columns}</cols>",
                 after=f"<mergeCells>{merged}</mergeCells>", state=lot.choice(["", 'state="hidden"', 'state="veryHidden"', 'state="x"']))


def sheet_values(lot: random.Random) -> bytes:
    kinds = ["n", "s", "str", "inlineStr", "b", "e", "d", "x", ""]
    values = ["1", "1e999", "-1", "nan", "9" * much(lot, 100_000), "", "x", "2024-01-01", "1.0", "TRUE", "&#65533;", "_x000D_", "_xFFFF_"]
    cells = "".join(f'<row r="{k}"><c r="A{k}" t="{lot.choice(kinds)}" s="{lot.choice("0129")}">{lot.choice(["", "<f>A1</f>"])}<v>{lot.choice(values)}</v></c></row>'
                    for k in range(2, 60))
    return sheet(HEAD + cells, "<si><t>x</t></si>")


def sheet_entities(lot: random.Random) -> bytes:
    head, body = entities("worksheet", lot)
    parts = unpacked(sheet(HEAD))
    name = lot.choice(["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml"])
    text = parts[name].decode()
    return packed(parts | {name: head + text.replace("<t>", f"<t>{body}", 1).replace("<sheets>", f"<sheets>{body}")})


def sheet_nested(lot: random.Random) -> bytes:
    many = much(lot, 1_000_000)
    tag = lot.choice(["row", "c", "x", "is"])
    return sheet(f"<{tag}>" * many + f"</{tag}>" * many)


# ---------------------------------------------------------------- PDF
def good_pdf(lot: random.Random) -> bytes:
    return pdf_file(LINES[: lot.choice([3, 30])])


def pdf_of(objects: Sequence[bytes], root: str = "1 0 R", more: str = "") -> bytes:
    """A PDF of these objects, numbered from 1."""
    content = b"%PDF-1.7\n"
    places: list[int] = []
    for k, one in enumerate(objects, 1):
        places.append(len(content))
        content += f"{k} 0 obj\n".encode() + one + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    return content + f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root {root} {more} >>\nstartxref\n{len(content)}\n%%EOF\n".encode()


def stream(data: bytes, said: str = "") -> bytes:
    return f"<< /Length {len(data)} {said} >>\nstream\n".encode() + data + b"\nendstream"


def pdf_page(contents: bytes, resources: str = "<< /Font << /F1 5 0 R >> >>", more: Sequence[bytes] = (), kids: str = "3 0 R", count: str = "1") -> bytes:
    return pdf_of([
        b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources {resources} >>".encode(),
        contents, b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", *more])


def pdf_blown(lot: random.Random) -> bytes:
    said = lot.choice([b"BT /F1 10 Tf (1.1 x) Tj ET\n", b"(", b"[", b"<<", b"q ", b"x", b" ", b"1 0 0 1 0 0 cm ", b"BI ID EI ", b"T* (a) '\n", b"%\n"])
    data = said * (much(lot, 200_000_000) // len(said))
    packs = lot.choice([1, 1, 2])
    for _ in range(packs):
        data = zlib.compress(data, 6)
    return pdf_page(stream(data, "/Filter [" + "/FlateDecode " * packs + "]"))


def pdf_filters(lot: random.Random) -> bytes:
    names = ["/FlateDecode", "/LZWDecode", "/ASCII85Decode", "/ASCIIHexDecode", "/RunLengthDecode", "/DCTDecode", "/JBIG2Decode", "/Crypt", "/X"]
    chain = " ".join(lot.choice(names) for _ in range(much(lot, 200)))
    data = lot.choice([b"\x81x" * much(lot, 300_000), lot.randbytes(much(lot, 100_000)), b"z" * much(lot, 1_000_000), zlib.compress(b"x" * 1000), b"\x80\x0b\x60\x50" * 5])
    parms = lot.choice(["", "/DecodeParms << /Predictor 15 /Columns 999999999 /Colors 9999 >>", "/DecodeParms << /Predictor 2 /Columns 0 >>"])
    return pdf_page(stream(data, f"/Filter [{chain}] {parms}"))


def pdf_nested(lot: random.Random) -> bytes:
    many = much(lot, 500_000)
    one = lot.choice([("[", "]"), ("<< /A ", " >>"), ("(", ")")])
    inside = (one[0] * many + one[1] * many).encode()
    if lot.random() < 0.5:
        return pdf_page(stream(inside))
    return pdf_page(stream(b"BT (x) Tj ET"), f"<< /X {inside.decode()} /Font << /F1 5 0 R >> >>")


def pdf_loops(lot: random.Random) -> bytes:
    match lot.randrange(6):
        case 0:
            return pdf_page(stream(b""), kids="2 0 R " * much(lot, 1000))
        case 1:
            return pdf_page(stream(b"BT /F1 9 Tf (1.1 x) Tj ET"), kids="3 0 R " * much(lot, 300_000), count=number(lot) or "1")
        case 2:  # a form that shows itself, and others twice
            many = much(lot, 40)
            forms = [stream(f"/X{k + 1} Do /X{k + 1} Do".encode(), f"/Type /XObject /Subtype /Form /Resources << /XObject << /X{k + 1} {7 + k if k < many - 1 else 6} 0 R >> >>")
                     for k in range(many)]
            return pdf_page(stream(b"/X0 Do"), "<< /XObject << /X0 6 0 R >> >>", forms)
        case 3:  # pages below pages
            depth = much(lot, 20_000)
            pages = [f"<< /Type /Pages /Kids [{k + 2} 0 R] /Count 1 /Parent {k} 0 R >>".encode() for k in range(2, depth)]
            return pdf_of([b"<< /Type /Catalog /Pages 2 0 R >>", *pages, b"<< /Type /Page >>"])
        case 4:
            whole = good_pdf(lot)
            at = whole.rindex(b"startxref") + 10
            return whole.replace(b"/Root 1 0 R", f"/Root 1 0 R /Prev {at if lot.random() < 0.1 else whole.rindex(b'xref', 0, at - 12)}".encode())
        case _:
            return pdf_of([b"<< /Type /Catalog /Pages 2 0 R >>", b"2 0 R", b"4 0 R", b"3 0 R"], more=f"/Size {number(lot) or 1} /Encrypt 3 0 R /Prev {number(lot) or 1}")


def pdf_fonts(lot: random.Random) -> bytes:
    high = lot.choice(["<FFFF>", "<FFFFFF>", "<FFFFFFFF>", "<" + "F" * 40 + ">", "<0000>"])
    one = f"1 beginbfrange\n<0000> {high} {lot.choice(['<0041>', '[<0041>]', '<D800>', '<' + '0041' * much(lot, 10_000) + '>'])}\nendbfrange\n"
    table = f"begincmap\n1 begincodespacerange <00> {high} endcodespacerange\n{one * much(lot, 3000)}endcmap".encode()
    widths = "[" + "0 9999999 500 " * much(lot, 1000) + "]"
    font = (b"<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /DescendantFonts [ << /Type /Font /Subtype /CIDFontType2 /W "
            + widths.encode() + b" >> ] /ToUnicode 7 0 R >>")
    return pdf_page(stream(b"BT /F1 9 Tf <00410042> Tj ET"), "<< /Font << /F1 6 0 R >> >>", [font, stream(zlib.compress(table), "/Filter /FlateDecode")])


def pdf_objects(lot: random.Random) -> bytes:
    """Objects within a stream."""
    many = much(lot, 300_000)
    data = ("".join(f"{k} 0 " for k in range(10, 10 + many)) + "<< >> " * much(lot, 100_000)).encode()
    return pdf_page(stream(b"BT (x) Tj ET"), "9 0 R", [stream(zlib.compress(data), f"/Type /ObjStm /N {number(lot) or 1} /First {number(lot) or 1} /Filter /FlateDecode")])


def pdf_lines(lot: random.Random) -> bytes:
    shown = b"BT /F1 9 Tf " + b"1 0 0 1 0 %d Tm (1.1 x) Tj " % lot.randrange(900) * much(lot, 100_000) + b"ET"
    return pdf_page(stream(shown))


def of_nothing(lot: random.Random) -> bytes:
    return lot.choice([b"", b"%PDF-", b"PK\x03\x04", lot.randbytes(much(lot, 100_000)), b"\0" * much(lot, 10_000_000), b"PK\x05\x06" + b"\0" * 18])


def hurt(good: Make, way: Callable[[bytes, random.Random], bytes]) -> Make:
    def make(lot: random.Random) -> bytes:
        return way(good(lot), lot)
    make.__name__ = f"{good.__name__}, {way.__name__}"
    return make


MAKERS: dict[str, tuple[Make, ...]] = {
    ".docx": (hurt(good_word, damaged), hurt(good_word, damaged), hurt(good_word, damaged_inside), hurt(good_word, lying), word_nested, word_repeated,
              word_blown, word_entities, word_numbered, word_of_parts, of_nothing),
    ".xlsx": (hurt(good_sheet, damaged), hurt(good_sheet, damaged), hurt(good_sheet, damaged_inside), hurt(good_sheet, lying), sheet_far, sheet_shared,
              sheet_repeated, sheet_wide, sheet_merged, sheet_values, sheet_entities, sheet_nested, of_nothing),
    ".pdf": (hurt(good_pdf, damaged), hurt(good_pdf, damaged), hurt(good_pdf, damaged), pdf_blown, pdf_filters, pdf_nested, pdf_loops, pdf_fonts, pdf_objects,
             pdf_lines, of_nothing),
}
"""By what a name ends with: what makes such a document."""


def hostile(kind: str, seed: int) -> tuple[str, bytes]:
    """How it was made, and the document."""
    lot = random.Random(f"{kind}{seed}")
    make = MAKERS[kind][seed % len(MAKERS[kind])]
    return getattr(make, "__name__", "?"), make(lot)

