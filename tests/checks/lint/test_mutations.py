"""Drafts that are cut, mixed and scrambled: no traceback, no hang, and every finding stands where it says."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.checks.lint.baseline import fixed
from rulewright.checks.lint.linting import Options, chosen_rules, lint, lint_source
from rulewright.checks.lint.model import Known
from rulewright.checks.lint.output import as_github, as_json, as_sarif
from rulewright.checks.lint.reading import decode, from_text
from rulewright.spec.diagnostics import BadInput, split_lines

from .documents import deleted, inserted, paragraph, pdf_file, run, sheet_file, word_file

DRAFTS = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "drafts").iterdir())]
SCRAPS = [
    "",
    "。",
    "「",
    "」",
    "(",
    ")",
    "1.",
    "1.1.",
    "9-9-9",
    "§",
    "§3",
    "第99章",
    "第一条",
    "(2)",
    "①",
    "iii:",
    "- ",
    "#",
    "# ",
    "**",
    "目次\n",
    "\n",
    "\t1",
    "以下の5種",
    "とは",
    "NA-01-x-O-N-1",
    "から",
    "・",
    "く間合>",
    "こともなく、こともあります。",
    "\u3000",
    "\x00",
    "\ud7ff",
    "😀",
    "１．２",
    "1.1.1.1.1.1.1.1.1",
    "99999999999999999999",
    "<!--",
    "-->",
    "rulewright: ignore",
    "a" * 300,
    "第百千章",
]
EXAMPLES = int(os.environ.get("RULEWRIGHT_MUTATIONS", "400"))
"""How many documents; of other formats than text, an eighth each. Ten thousand were run when the linter was written."""
OPTIONS = Options(hints=True, dictionary=False)
REFUSED = {"nothing-recognised", "encoding", "unknown-format", "broken-docx", "broken-xlsx", "broken-pdf", "no-text", "uncomputed"}
SLOW = 5.0


@st.composite
def mutated(draw: st.DrawFn) -> str:
    lines = split_lines(draw(st.sampled_from(DRAFTS)))
    for _ in range(draw(st.integers(1, 8))):
        index = draw(st.integers(0, max(len(lines) - 1, 0)))
        match draw(st.integers(0, 7)):
            case 0:
                del lines[index : index + draw(st.integers(1, 20))]
            case 1:
                lines[index:index] = lines[: draw(st.integers(0, 20))]
            case 2:
                other = split_lines(draw(st.sampled_from(DRAFTS)))
                begin = draw(st.integers(0, len(other) - 1))
                lines[index:index] = other[begin : begin + draw(st.integers(1, 15))]
            case 3 if lines:
                at = draw(st.integers(0, len(lines[index])))
                lines[index] = lines[index][:at] + draw(st.sampled_from(SCRAPS)) + lines[index][at:]
            case 4 if lines:
                at = draw(st.integers(0, len(lines[index])))
                lines[index] = lines[index][:at]
            case 5 if lines:
                lines[index] = draw(st.text(max_size=40).filter(lambda text: "\n" not in text and "\r" not in text))
            case 6:
                lines[index:index] = [draw(st.sampled_from(SCRAPS)) for _ in range(3)]
            case _:
                lines = lines[index:] + lines[:index]
        lines = lines or [""]
    return "\n".join(lines)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(mutated())
def test_a_scrambled_draft_is_linted_or_refused(text: str) -> None:
    began = time.process_time()
    try:
        report = lint_source(from_text("draft.md", text), OPTIONS, chosen_rules(OPTIONS), Known())
    except BadInput as error:
        assert error.diagnostics[0].code == "nothing-recognised"
        return
    assert time.process_time() - began < SLOW
    lines = split_lines(text)
    for one in report.found:
        assert 1 <= one.line <= len(lines)
        assert 1 <= one.column <= len(lines[one.line - 1]) + 1
        if one.fix is not None:
            assert lines[one.fix.line - 1][one.fix.column - 1 :].startswith(one.fix.old)
    fixed(text, report.found)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        decode("draft.txt", data)
    except BadInput as error:
        assert error.diagnostics[0].position is not None


# ---------------------------------------------------------------- as files
def hurt(data: bytes, draw: st.DrawFn) -> bytes:
    """Some bytes changed, taken out, put in; or none."""
    content = bytearray(data)
    for _ in range(draw(st.integers(0, 6))):
        # A zip has the time in it: what is drawn must not depend on its size.
        at = draw(st.integers(0, 999_999)) % max(len(content), 1)
        match draw(st.integers(0, 3)):
            case 0 if content:
                content[at] = draw(st.integers(0, 255))
            case 1:
                del content[at : at + draw(st.integers(1, 40))]
            case 2:
                content[at:at] = draw(st.binary(max_size=8))
            case _:
                content[at:at] = content[: draw(st.integers(0, 60))]
    return bytes(content)


def written(text: str) -> str:
    """Without what XML and PDF cannot hold."""
    return "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")


@st.composite
def in_another_encoding(draw: st.DrawFn) -> bytes:
    codec = draw(st.sampled_from(["cp932", "euc_jp", "iso2022_jp", "utf-16", "utf-8-sig"]))
    return hurt(draw(mutated()).encode(codec, errors="replace"), draw)


@st.composite
def in_word(draw: st.DrawFn) -> bytes:
    body = ""
    for line in draw(mutated()).split("\n")[:80]:
        kind = draw(st.sampled_from([run, run, run, inserted, deleted]))
        mark = draw(st.sampled_from(["", "", "", "<w:rPr><w:del/></w:rPr>", "<w:rPr><w:ins/></w:rPr>"]))
        body += paragraph(kind(written(line)), mark)
    if draw(st.integers(0, 3)) == 0:
        body = hurt(body.encode(), draw).decode(errors="replace")
    content = word_file(body)
    return hurt(content, draw) if draw(st.integers(0, 3)) == 0 else content


@st.composite
def in_a_spreadsheet(draw: st.DrawFn) -> bytes:
    rows = [written(line).split(" ", 2) for line in draw(mutated()).split("\n")[:60]]
    numbers = [[draw(st.one_of(st.integers(), st.floats(), st.booleans(), st.none()))] for _ in range(3)]
    content = sheet_file([("一", rows), ("二", numbers)])
    return hurt(content, draw) if draw(st.integers(0, 2)) == 0 else content


@st.composite
def in_pdf(draw: st.DrawFn) -> bytes:
    lines = [written(line)[:60] for line in draw(mutated()).split("\n")[:90]]
    content = pdf_file(["".join(c for c in line if ord(c) < 65536) for line in lines])
    return hurt(content, draw) if draw(st.integers(0, 1)) == 0 else content


@pytest.mark.parametrize(
    ("suffix", "files"),
    [(".txt", in_another_encoding()), (".docx", in_word()), (".xlsx", in_a_spreadsheet()), (".pdf", in_pdf())],
    ids=["encodings", "word", "spreadsheets", "pdf"],
)
def test_a_scrambled_file_is_linted_or_refused(tmp_path: Path, suffix: str, files: st.SearchStrategy[bytes]) -> None:
    path = tmp_path / f"draft{suffix}"

    @settings(max_examples=max(EXAMPLES // 8, 5), deadline=None, suppress_health_check=list(HealthCheck))
    @given(files, st.sampled_from(["accepted", "original", "both"]))
    def one(content: bytes, changes: str) -> None:
        path.write_bytes(content)
        began = time.process_time()
        try:
            report = lint(path, Options(hints=True, dictionary=False, changes=changes))
            for form in (as_json([report]), as_sarif([report], "ja", "0"), as_github([report], "en")):
                json.dumps(form)
        except BadInput as error:
            assert {diagnostic.code for diagnostic in error.diagnostics} <= REFUSED
        assert time.process_time() - began < SLOW

    one()
