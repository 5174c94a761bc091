"""Findings and results as text for a terminal."""
from __future__ import annotations

from rich.text import Text as Line

from rulewright.checks.console.terminal import WIDTH
from rulewright.checks.findings.layout import Block, Fit, layout
from rulewright.checks.findings.names import NO_NAMES, Names
from rulewright.checks.findings.overview import closing_page, opening_page, unused_blocks
from rulewright.checks.findings.page import finding_page, speaker
from rulewright.checks.findings.record import CheckResult, Finding
from rulewright.spec.text import Lang


def result_page(result: CheckResult, lang: Lang, names: Names = NO_NAMES) -> list[Block]:
    """What one run looked at, how far, and what it found, with all the clauses that never came up."""
    return [*opening_page([result], lang, names), *closing_page([result], lang, names), *unused_blocks([result], speaker(lang), True)]


def render_finding(
    finding: Finding, lang: Lang, width: int = WIDTH, names: Names = NO_NAMES, fit: Fit = str
) -> list[Line]:
    """The whole page of a finding, line by line, with styles that a console may leave out."""
    return layout(finding_page(finding, lang, names), width, fit)


def render_result(
    result: CheckResult, lang: Lang, width: int = WIDTH, names: Names = NO_NAMES, fit: Fit = str
) -> list[Line]:
    """What a run looked at and what it found, findings in one line each."""
    return layout(result_page(result, lang, names), width, fit)


def as_text(lines: list[Line]) -> str:
    """The lines without their styles."""
    return "".join(line.plain.rstrip() + "\n" for line in lines)
