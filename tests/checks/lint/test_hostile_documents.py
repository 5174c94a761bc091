"""Documents that are damaged, or made to do harm: a sentence and exit code 2, whatever they hold."""
from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.lint.formats.docx import LEVELS
from rulewright.checks.lint.reading import read
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.watchdog import MOST_ROWS

from .documents import paragraph, run, word_file

NUMBERED = "<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr>"


def packed(whole: bytes) -> bytes:
    """The same, compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return out.getvalue()


def numbered(level: int, pattern: str, start: str = "1") -> bytes:
    numbering = (
        f'<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="{level}"><w:start w:val="{start}"/><w:numFmt w:val="decimal"/>'
        f'<w:lvlText w:val="{pattern}"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>')
    return packed(word_file(paragraph(run("1.1 x"), NUMBERED.format(level=level)), numbering))


def entity() -> bytes:
    declared = "<!DOCTYPE x [" + '<!ENTITY a "ha">' + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in ("ab", "bc", "cd")) + "]>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", f"<!--{' ' * 9000}-->{declared}<x>&d;</x>".encode("utf-16"))
    return out.getvalue()


def flipped(whole: bytes, at: int) -> bytes:
    return bytes([*whole[:at], whole[at] ^ 1, *whole[at + 1 :]])


GOOD = packed(word_file(paragraph(run("1. 甲")) + paragraph(run("1.1. 乙です。"))))


@pytest.mark.parametrize(("content", "said"), [
    (packed(word_file("<w:p/>" * (MOST_ROWS + 1))), "this is too large"), (packed(word_file("<w:p>" * 50_000 + "</w:p>" * 50_000)), "this is nested too deeply"),
    (packed(word_file(paragraph(run(" " * 11_000_000)))), "this is too large"), (entity(), "it has a DOCTYPE"), (GOOD[:-9], "it seems to be damaged"),
    (b"PK\x03\x04", "it seems to be damaged"), (b"", "it seems to be damaged")], ids=["rows", "nested", "text", "entities", "cut off", "no archive", "nothing"])
def test_a_hostile_document_is_refused_in_a_sentence(content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(content)
    assert main(["lint", str(path), "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"{path}:1:1: ") and said in told and "Traceback" not in told and "inside" not in told and "PK" not in told


@pytest.mark.parametrize("content", [
    numbered(999_999_999, "%1"), numbered(LEVELS, "%1"), numbered(0, "%1" * 50_000), numbered(-1, "%1")], ids=["level", "tenth", "pattern", "negative"])
def test_numbers_that_word_does_not_have_are_left_out(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(content)
    assert [line.text for line in read(path).lines] == ["1.1 x"]


def test_numbers_that_word_has_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(numbered(LEVELS - 1, "%9)", "7"))
    assert [line.text for line in read(path).lines] == ["7) 1.1 x"]


def test_whichever_byte_is_another_a_document_is_read_or_told_as_damaged(tmp_path: Path) -> None:
    path, ends = tmp_path / "a.docx", set[str]()
    for at in range(0, len(GOOD), 17):
        path.write_bytes(flipped(GOOD, at))
        try:
            read(path)
            ends.add("read")
        except BadInput as error:
            ends.update(d.code for d in error.diagnostics)
    assert ends == {"read", "broken-docx"}
