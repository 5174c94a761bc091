"""Drafts that are cut, mixed and scrambled: no traceback, no hang, and every finding stands where it says."""

from __future__ import annotations

import os
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.checks.lint.baseline import fixed
from rulewright.checks.lint.model import Known
from rulewright.checks.lint.reading import decode, from_text
from rulewright.checks.lint.service import Options, chosen_rules, lint_source
from rulewright.spec.diagnostics import BadInput, split_lines

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
"""How many documents; ten thousand were run when the linter was written."""
OPTIONS = Options(hints=True, dictionary=False)
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
    began = time.monotonic()
    try:
        report = lint_source(from_text("draft.md", text), OPTIONS, chosen_rules(OPTIONS), Known())
    except BadInput as error:
        assert error.diagnostics[0].code == "nothing-recognised"
        return
    assert time.monotonic() - began < SLOW
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
