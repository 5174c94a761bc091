"""`rulewright lint`: several drafts, one report."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...spec.diagnostics import BadInput, Collector
from ...spec.text import Lang
from ...spec.writing import try_out
from ..console.terminal import Terminal
from ..findings.as_json import SCHEMA
from . import output, words
from .baseline import apply_fixes, read_baseline, update_baseline
from .linting import BY_ID, Options, Report, chosen_rules, lint
from .trouble import not_installed


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line."""

    files: tuple[Path, ...]
    options: Options
    form: str = "terminal"
    full: bool = False
    fix: bool = False
    baseline: Path | None = None
    update_baseline: bool = False


def run(terminal: Terminal, request: Request, version: str) -> bool:
    """Lint, and say what was found. Gives whether there was anything but hints. Raises BadInput."""
    options = request.options
    if request.update_baseline and request.baseline is not None:
        try_out(request.baseline)
    if request.baseline is not None and (not request.update_baseline or request.baseline.exists()):
        known = read_baseline(request.baseline)  # what is no baseline is refused before anything is written
        options = options if request.update_baseline else replace(options, baseline=known)
    reports = _lint_all(terminal, request.files, options)
    if request.fix:
        for report in list(reports):
            path = Path(report.source.file)
            terminal.tell(words.FIXED, path=path, count=apply_fixes(path, report))
        reports = _lint_all(terminal, request.files, options)
    if request.update_baseline and request.baseline is not None:
        count = update_baseline(request.baseline, reports)
        terminal.tell(words.BASELINE, path=request.baseline, count=count)
        return False
    _show(terminal, reports, request, version)
    return any(report.serious for report in reports)


def _lint_all(terminal: Terminal, files: Sequence[Path], options: Options) -> list[Report]:
    """Every file; what is wrong with any of them is said at once, and nothing of the others."""
    reports: list[Report] = []
    bad = Collector()
    for file in files:
        try:
            reports.append(lint(file, options))
        except BadInput as error:
            bad.add_all(error.diagnostics)
    if bad.count and reports:
        terminal.tell(words.OTHERS_UNTOLD, count=len(reports))
    bad.raise_if_any()
    return reports


def _show(terminal: Terminal, reports: Sequence[Report], request: Request, version: str) -> None:
    match request.form:
        case "json":
            terminal.json({"schema": SCHEMA, "kind": "lint", "files": output.as_json(reports)})
        case "sarif":
            terminal.json(output.as_sarif(reports, terminal.lang, version))
        case "github":
            terminal.annotate(output.as_github(reports, terminal.lang))
        case _:
            output.show(terminal, reports, request.full)


def explain(terminal: Terminal, name: str, as_json: bool) -> None:
    """Say what a rule finds, why it is there, and how to silence it, with an example. Raises BadInput for one that there is not."""
    from .explained import EXPLAINED

    chosen_rules(Options(select=(name,)))  # refuses what is no rule
    named = [rule for rule in BY_ID.values() if rule.id == name or rule.id.startswith(f"{name}-")]
    if as_json:
        terminal.json(
            {
                "schema": SCHEMA,
                "kind": "lint-rules",
                "rules": [output.rule_as_json(rule, EXPLAINED[rule.id]) for rule in named],
            }
        )
        return
    for rule in named:
        output.show_rule(terminal, rule, EXPLAINED[rule.id])


def serve(lang: Lang, version: str, options: Options) -> None:
    """Answer an editor on standard input and output, until it ends. Raises BadInput where what is needed is not installed."""
    try:
        from . import editor
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise not_installed("language-server", "pygls", "editor") from None
    with (
        os.fdopen(os.dup(sys.stdin.fileno()), "rb") as asked,
        os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answered,
    ):  # it closes both
        editor.server(lang, version, options).start_io(asked, answered)
