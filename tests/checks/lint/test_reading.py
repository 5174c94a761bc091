"""Encodings, and what is said of files that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.lint.linting import Options, lint
from rulewright.checks.lint.reading import decode, read
from rulewright.spec.diagnostics import BadInput

TEXT = "1. 概要\n1.1. このゲームは二人で遊びます。\n1.2. 手札は七枚です。カードを引きます。\n"


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
