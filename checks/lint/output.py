"""A report in the forms in which it can be had: for a terminal, as JSON, as SARIF 2.1.0, as GitHub annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ...spec.diagnostics import width as cells
from ...spec.text import Lang, Text
from ..console.terminal import Terminal
from ..findings.annotations import annotation
from ..findings.as_json import plain
from ..findings.layout import Heading, Para, Verbatim, layout, wrap
from ..findings.sarif import sarif_log
from . import words
from .explained import Explained
from .findings import Found, Rule, Severity
from .linting import BY_ID, Report
from .model import Style

SCREEN = 30
"""Lines of the first screen."""
ORDER = [Severity.ERROR, Severity.WARNING, Severity.HINT]


# ---------------------------------------------------------------- terminal
def show(terminal: Terminal, reports: Sequence[Report], full: bool) -> None:
    """What was recognised and what was found, grouped by rule; at most a screenful unless asked for everything."""
    room = max(6, (SCREEN - 1) // max(len(reports), 1))
    cut = False
    for report in reports:
        lines, shortened = _lines(terminal, report, None if full else room)
        cut = cut or shortened
        for line in lines:
            terminal.say(line)
    if cut:
        terminal.say(words.FULL)
    elif not all(report.guesses for report in reports):
        terminal.say(words.GUESSES)


def _lines(terminal: Terminal, report: Report, room: int | None) -> tuple[list[str], bool]:
    lines = recognised(terminal, report)
    summary = terminal.phrase(
        words.TOTAL,
        file=report.source.file,
        errors=_count(report, Severity.ERROR),
        warnings=_count(report, Severity.WARNING),
        hints=terminal.phrase(words.HINTS, count=_count(report, Severity.HINT)) if report.guesses else "",
        hidden=terminal.phrase(words.HIDDEN, count=report.hidden) if report.hidden else "",
    )
    if not report.found:
        return [*lines, terminal.phrase(words.NOTHING, count=len(report.rules)), summary], False
    groups = grouped(report.found)
    if room is None:
        for rule, found in groups:
            lines.append(_group(terminal, rule, found))
            for one in found:
                lines += _entry(terminal, report, one, full=True)
        return [*lines, summary], False
    rest = room - len(lines) - 1
    heads = min(len(groups), max(rest // 2, 1))
    spare = rest - 2 * heads - (1 if heads < len(groups) else 0)
    shown = 0
    for rule, found in groups[:heads]:
        take = 1
        if len(found) > 1 and spare > 0:
            extra = min(len(found) - 1, spare)
            take, spare = 1 + extra, spare - extra
        lines.append(_group(terminal, rule, found))
        lines += [line for one in found[:take] for line in _entry(terminal, report, one, full=False)]
        shown += take
    if heads < len(groups):
        lines.append(terminal.phrase(words.MORE, count=len(report.found) - shown))
    return [*lines, summary], shown < len(report.found)


def recognised(terminal: Terminal, report: Report) -> list[str]:
    """Which numbers were recognised, what could not be placed, how words were found."""
    draft = report.draft
    worded = {c.style: c.label.written for c in reversed(draft.clauses) if c.label is not None and c.label.worded}
    styles = [
        terminal.phrase(words.HEADINGS, count=count)
        if style is Style.HEADING
        else terminal.phrase(words.STYLE_COUNT, style=worded.get(style, words.STYLE[style]), count=count)
        for style, count in sorted(draft.styles.items(), key=lambda item: -item[1])
    ]
    between = terminal.phrase(words.BETWEEN)
    lines = [terminal.phrase(words.RECOGNISED, styles=between.join(styles))]
    if len(draft.books) > 1:
        lines.append(
            terminal.phrase(
                words.BOOKS, count=len(draft.books), titles=between.join(b.title or "?" for b in draft.books)
            )
        )
    if draft.contents:
        lines.append(
            terminal.phrase(
                words.CONTENTS,
                where=draft.located.through(draft.contents.first, draft.contents.last),
                count=len(draft.contents.entries),
            )
        )
    if draft.unplaced:
        lines.append(
            terminal.phrase(
                words.UNPLACED,
                count=len(draft.unplaced),
                lines=between.join(draft.located.name(line.number) for line in draft.unplaced[:5]),
            )
        )
    lines += [terminal.phrase(note) for note in report.source.notes]
    lines.append(terminal.phrase(words.ANALYSER[report.analyser]))
    return [part for line in lines for part in wrap(line, terminal.width)]


def grouped(found: Sequence[Found]) -> list[tuple[str, list[Found]]]:
    """Findings by level and rule: errors first, then in the order of the rules."""
    groups: dict[tuple[Severity, str], list[Found]] = {}
    for one in found:
        groups.setdefault((one.severity, one.rule), []).append(one)
    order = list(BY_ID)
    return [
        (rule, groups[level, rule])
        for level, rule in sorted(groups, key=lambda g: (ORDER.index(g[0]), order.index(g[1])))
    ]


def _group(terminal: Terminal, rule: str, found: Sequence[Found]) -> str:
    said = terminal.phrase(
        words.GROUP,
        severity=terminal.phrase(words.SEVERITY[found[0].severity]),
        rule=rule,
        title=terminal.phrase(BY_ID[rule].title),
        count=len(found),
    )
    return _fit(said, terminal.width)


def _entry(terminal: Terminal, report: Report, one: Found, full: bool) -> list[str]:
    where = f"  {place(report, one)}  {one.clause}  "
    if full:
        cited = [f"      {terminal.phrase(words.CITED, text=one.cited)}"] if one.cited else []
        return [where + said(one, terminal.lang), *cited]
    tail = _suggested(one, terminal.lang)
    room = terminal.width - cells(where) - cells(tail)
    if room < 24:
        # No room for what to write instead: it is in the full report.
        return [_fit(where + said(one, terminal.lang), terminal.width)]
    return [where + _fit(one.message.in_(terminal.lang), room) + tail]


def said(one: Found, lang: Lang) -> str:
    """The message and the suggestion."""
    return one.message.in_(lang) + _suggested(one, lang)


def _suggested(one: Found, lang: Lang) -> str:
    return f" → {one.suggestion.in_(lang)}" if one.suggestion else ""


def place(report: Report, one: Found) -> str:
    """Where: line and column of a text, else the place in the document."""
    return report.source.places.get(one.line, f"{one.line}:{one.column}")


def _count(report: Report, severity: Severity) -> int:
    return sum(one.severity is severity for one in report.found)


def _fit(text: str, size: int) -> str:
    if cells(text) <= size:
        return text
    kept = ""
    room = size - 2
    for character in text:
        room -= cells(character)
        if room < 0:
            break
        kept += character
    return kept + "…"


# ---------------------------------------------------------------- for programs
def as_json(reports: Sequence[Report]) -> list[dict[str, Any]]:
    """Reports as plain data."""
    return [
        {
            "file": report.source.file,
            "encoding": report.source.encoding,
            "recognised": {style.value: count for style, count in report.draft.styles.items()},
            "books": [book.title for book in report.draft.books],
            "unplaced": [line.number for line in report.draft.unplaced],
            "words": report.analyser,
            "notes": [_plain(note) for note in report.source.notes],
            "hidden": report.hidden,
            "findings": [
                {
                    "id": one.fingerprint,
                    "rule": one.rule,
                    "severity": one.severity.value,
                    "line": one.line,
                    "column": one.column,
                    "place": place(report, one),
                    "clause": one.clause,
                    "message": _plain(one.message),
                    "text": one.shown,
                    "suggestion": _plain(one.suggestion),
                    "cited": one.cited,
                    "fix": None
                    if one.fix is None
                    else {"line": one.fix.line, "column": one.fix.column, "old": one.fix.old, "new": one.fix.new},
                }
                for one in report.found
            ],
        }
        for report in reports
    ]


def _plain(text: Text | None) -> dict[str, str] | None:
    return None if text is None else {"ja": text.ja, "en": text.en}


_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}


def as_sarif(reports: Sequence[Report], lang: Lang, version: str) -> dict[str, Any]:
    """SARIF 2.1.0."""
    rules = list(BY_ID.values())
    index = {rule.id: number for number, rule in enumerate(rules)}
    return sarif_log(
        version,
        [
            {
                "id": rule.id,
                "shortDescription": {"text": rule.title.in_(lang)},
                "defaultConfiguration": {"level": _LEVEL[rule.severity]},
            }
            for rule in rules
        ],
        [_result(report, one, index, lang) for report in reports for one in report.found],
    )


def _result(report: Report, one: Found, index: dict[str, int], lang: Lang) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": one.line, "startColumn": one.column}
    if one.shown and "\n" not in one.shown and not one.shown.endswith("…"):
        region["endColumn"] = one.column + len(one.shown)
    uri = quote(report.source.file.replace("\\", "/"))
    result: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": index[one.rule],
        "level": _LEVEL[one.severity],
        "message": {"text": said(one, lang)},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": uri}, "region": region},
                "logicalLocations": [{"fullyQualifiedName": one.clause or "?"}],
            }
        ],
        "partialFingerprints": {"rulewright/v1": one.fingerprint},
    }
    if one.fix is not None:
        deleted = {
            "startLine": one.fix.line,
            "startColumn": one.fix.column,
            "endColumn": one.fix.column + len(one.fix.old),
        }
        result["fixes"] = [
            {
                "description": {"text": said(one, lang)},
                "artifactChanges": [
                    {
                        "artifactLocation": {"uri": uri},
                        "replacements": [{"deletedRegion": deleted, "insertedContent": {"text": one.fix.new}}],
                    }
                ],
            }
        ]
    return result


_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}


def as_github(reports: Sequence[Report], lang: Lang) -> list[str]:
    """Workflow commands that GitHub shows beside the lines."""
    return [
        annotation(
            _COMMAND[one.severity],
            said(one, lang),
            file=report.source.file,
            line=one.line,
            col=one.column,
            title=one.rule,
        )
        for report in reports
        for one in report.found
    ]


# ---------------------------------------------------------------- a rule
def show_rule(terminal: Terminal, rule: Rule, explained: Explained) -> None:
    """What it finds, why, an example, how to silence it."""
    say = terminal.phrase
    terminal.show(layout([
        Heading(f"{rule.id}: {say(rule.title)} ({say(words.SEVERITY[rule.severity])})"),
        Para(say(explained.finds)), Para(say(explained.why)),
        Heading(say(words.TOLD_OF)), Verbatim(explained.example(explained.wrong).rstrip()),
        Heading(say(words.NOT_TOLD_OF)), Verbatim(explained.example(explained.right).rstrip()),
        Heading(say(words.SILENCED)), Para(say(words.HOW_SILENCED, rule=rule.id)),
    ], terminal.width, terminal.fit))


def rule_as_json(rule: Rule, explained: Explained) -> dict[str, Any]:
    """The same for programs."""
    return {
        "id": rule.id,
        "level": rule.severity.value,
        "title": plain(rule.title),
        "finds": plain(explained.finds),
        "why": plain(explained.why),
        "wrong": explained.example(explained.wrong),
        "right": explained.example(explained.right),
    }
