"""Formats and encodings, and what is said of files that cannot be read."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from rulewright.checks.lint.reading import decode, read
from rulewright.checks.lint.service import Options, lint
from rulewright.spec.diagnostics import BadInput

TEXT = "1. 概要\n1.1. このゲームは二人で遊びます。\n1.2. 手札は七枚です。カードを引きます。\n"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "iso2022_jp", "utf-16"])
def test_the_encoding_is_found_out(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(TEXT.encode(encoding))
    assert [line.text for line in read(path).lines] == TEXT.split("\n")


def test_a_byte_that_cannot_be_read_is_named_with_its_place() -> None:
    with pytest.raises(BadInput) as caught:
        decode("draft.txt", TEXT.encode() + b"\n\x80\xff\xfe", None)
    (one,) = caught.value.diagnostics
    assert one.position is not None and (one.position.line, one.position.column) == (5, 1)
    with pytest.raises(BadInput):
        decode("draft.txt", TEXT.encode("euc_jp"), "utf-8")


def test_a_draft_in_which_nothing_is_recognised_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("こんにちは。\n今日は良い天気です。\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        lint(path, Options())
    assert caught.value.diagnostics[0].code == "nothing-recognised"


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02", b"PK\x03\x04broken", b"%PDF-1.7 broken", b"\xd0\xcf\x11\xe0"]
)
@pytest.mark.parametrize("name", ["draft.txt", "draft.docx", "draft.xlsx", "draft.pdf"])
def test_a_broken_file_is_refused_with_its_name(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        lint(path, Options())
    assert all(one.position is not None and one.position.file == str(path) for one in caught.value.diagnostics)


def word_file(path: Path, body: str, numbering: str = "", styles: str = "") -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        if numbering:
            archive.writestr("word/numbering.xml", f"<w:numbering {W}>{numbering}</w:numbering>")
        if styles:
            archive.writestr("word/styles.xml", f"<w:styles {W}>{styles}</w:styles>")


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def test_tracked_changes_of_a_word_document(tmp_path: Path) -> None:
    path = tmp_path / "draft.docx"
    word_file(
        path,
        f"<w:p>{run('1.1. ')}"
        "<w:del><w:r><w:delText>旧</w:delText></w:r></w:del>"
        f"<w:ins>{run('新')}</w:ins>{run('しい文')}</w:p>",
    )
    assert [read(path, changes=changes).lines[0].text for changes in ("accepted", "original")] == [
        "1.1. 新しい文",
        "1.1. 旧しい文",
    ]


def test_both_versions_of_a_word_document_are_linted(tmp_path: Path) -> None:
    path = tmp_path / "draft.docx"
    changed = f"<w:del><w:r><w:delText>9.9.9</w:delText></w:r></w:del><w:ins>{run('1.1.1')}</w:ins>"
    word_file(
        path,
        f"<w:p>{run('1. 甲')}</w:p><w:p>{run('1.1. 乙')}</w:p><w:p>{run('1.1.1. 丙です。')}</w:p>"
        f"<w:p>{run('1.1.2. ')}{changed}{run(' に従います。')}</w:p>",
    )
    assert lint(path, Options()).found == []
    (before,) = lint(path, Options(changes="both")).found
    assert before.rule == "reference-missing" and "before the changes" in before.message.en


def test_automatic_numbers_of_a_word_document(tmp_path: Path) -> None:
    path = tmp_path / "draft.docx"
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/></w:lvl>'
        for i, text in enumerate(("%1.", "%1.%2."))
    )
    numbering = f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
    numbering += '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'

    def paragraph(level: int, text: str) -> str:
        return f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr></w:pPr>{run(text)}</w:p>'

    word_file(
        path,
        paragraph(0, "概要")
        + paragraph(1, "人数")
        + paragraph(1, "勝敗")
        + paragraph(0, "手順")
        + paragraph(1, "順番"),
        numbering,
    )
    assert [line.text for line in read(path).lines] == ["1. 概要", "1.1. 人数", "1.2. 勝敗", "2. 手順", "2.1. 順番"]
    assert [clause.name for clause in lint(path, Options()).draft.numbered] == ["1", "1.1", "1.2", "2", "2.1"]


def test_rows_of_a_spreadsheet(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (("1.", "概要"), ("1.1.", "二人で遊びます。"), ("1.3.", "七枚です。")):
        book.active.append(row)
    path = tmp_path / "draft.xlsx"
    book.save(path)
    report = lint(path, Options())
    assert [(one.rule, report.source.places[one.line]) for one in report.found] == [("number-skipped", "Sheet!3")]


def test_pages_of_a_pdf_without_text_are_refused(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    content = io.BytesIO()
    writer.write(content)
    path = tmp_path / "draft.pdf"
    path.write_bytes(content.getvalue())
    with pytest.raises(BadInput) as caught:
        lint(path, Options())
    assert caught.value.diagnostics[0].code == "no-text"
