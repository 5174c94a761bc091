"""Findings in the forms of other tools: SARIF 2.1.0, annotations of GitHub, Markdown. The terminal and JSON have theirs
in `layout` and `as_json`; all are made from the same record."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import quote

from ...spec.diagnostics import visible
from ...spec.text import Lang
from . import words
from .annotations import annotation
from .layout import Block, Facts, Field, Heading, Items, Para, Table, Title, Verbatim
from .names import NO_NAMES, Names
from .overview import caveats, closing_page, once, opening_page
from .page import finding_page, speaker
from .record import CheckResult, Finding, FindingClass, Play, PlayStep, Severity
from .sarif import sarif_log
from .steps import clause_list

Place = Callable[[Finding], tuple[str, int]]
"""File and line that a finding is shown at: the writer's own clause where there is a draft, else the scenario."""

LEVEL = {Severity.S: "error", Severity.A: "error", Severity.B: "warning", Severity.C: "note", None: "warning"}


def level(finding: Finding) -> str:
    """The level of a finding as SARIF names it."""
    return "note" if finding.hint else LEVEL[finding.severity]


# ---------------------------------------------------------------- SARIF
def as_sarif(results: Sequence[CheckResult], lang: Lang, version: str, place: Place) -> dict[str, Any]:
    """SARIF 2.1.0: every finding once, with its play as a code flow."""
    say = speaker(lang)
    rules = list(FindingClass)
    return sarif_log(
        version,
        [{"id": rule_id(cls), "shortDescription": {"text": say(words.CLASS[cls])}} for cls in rules],
        [_sarif_result(f, lang, place(f), rules.index(f.cls)) for f in once(results)],
        [("warning" if heading is words.UNEXPECTED else "note", text) for heading, text in caveats(results, say)],
    )


def rule_id(cls: FindingClass) -> str:
    """What a class is called as a rule of SARIF."""
    return cls.value.replace(" ", "-")


def message(finding: Finding, lang: Lang) -> str:
    """What happens, and the question it puts."""
    say = speaker(lang)
    parts = [say(finding.title), say(finding.summary), *([say(finding.question)] if finding.question else [])]
    return "\n".join(parts)


def _sarif_result(finding: Finding, lang: Lang, place: tuple[str, int], rule: int) -> dict[str, Any]:
    file, line = place
    result: dict[str, Any] = {
        "ruleId": rule_id(finding.cls),
        "ruleIndex": rule,
        "level": level(finding),
        "message": {"text": message(finding, lang)},
        "locations": [{
            "physicalLocation": {"artifactLocation": {"uri": uri(file)}, "region": {"startLine": line}},
            "logicalLocations": [{"name": c, "fullyQualifiedName": f"{finding.book} {c}"} for c in finding.clauses],
        }],
        "partialFingerprints": {"rulewright/v1": finding.id},
        "properties": {
            "id": finding.id, "severity": finding.severity.value if finding.severity else None,
            "certainty": finding.certainty.value, "readings": dict(sorted(finding.readings.items())),
        },
    }
    if not finding.clauses:
        del result["locations"][0]["logicalLocations"]
    if finding.play.stem or finding.play.cycle:
        result["codeFlows"] = [{"threadFlows": [{"locations": list(_flow(finding.book, play, lang))}]}
                               for play in (finding.play, *finding.more)]
    if finding.known or finding.decision is not None:
        result["suppressions"] = [_suppression(finding)] if not finding.counts else []
    return result


def _flow(book: str, play: Play, lang: Lang) -> Iterable[dict[str, Any]]:
    for n, (step, repeated) in enumerate(steps(play), 1):
        location: dict[str, Any] = {"message": {"text": step_text(step, lang)}}
        if step.clauses:
            location["logicalLocations"] = [{"name": c, "fullyQualifiedName": f"{book} {c}"} for c in step.clauses]
        yield {"location": location, "executionOrder": n, "importance": "essential" if repeated else "important"}


def steps(play: Play) -> Iterable[tuple[PlayStep, bool]]:
    """The steps of a play, each with whether it is in the part that repeats."""
    yield from ((step, False) for step in play.stem)
    yield from ((step, True) for step in play.cycle)


def step_text(step: PlayStep, lang: Lang) -> str:
    """A step in a line: who chose what, and what changed."""
    say = speaker(lang)
    chosen = say(step.chosen) if step.chosen else say(words.QUIET)
    lead = say(words.CHOSEN_BY, who=step.decider, chosen=chosen) if step.decider else chosen
    changes = say(words.LIST).join(say(change) for change in step.changes)
    return " ".join(
        part for part in (lead, changes, f"[{clause_list(step.clauses, say)}]" if step.clauses else "") if part
    )


def _suppression(finding: Finding) -> dict[str, Any]:
    suppression = {"kind": "external", "status": "accepted"}
    if finding.decision is not None and finding.decision.reason:
        suppression["justification"] = finding.decision.reason
    return suppression


def uri(file: str) -> str:
    """A file as SARIF refers to it."""
    return quote(file.replace("\\", "/"))


# ---------------------------------------------------------------- GitHub
COMMAND = {"error": "error", "warning": "warning", "note": "notice"}


def as_github(results: Sequence[CheckResult], lang: Lang, place: Place) -> list[str]:
    """Workflow commands that GitHub shows beside the lines; those that are known or decided are left out. What was not looked at, or is not as
    expected, is said before them."""
    say = speaker(lang)
    lines = [
        annotation(COMMAND["error" if heading is words.UNEXPECTED else "note"], text, title=say(heading))
        for heading, text in caveats(results, say)
    ]
    for finding in once(results):
        if finding.counts or finding.hint:
            file, line = place(finding)
            lines.append(
                annotation(COMMAND[level(finding)], message(finding, lang), file=file, line=line, title=finding.id)
            )
    return lines


# ---------------------------------------------------------------- Markdown
def as_markdown(results: Sequence[CheckResult], lang: Lang, names: Names = NO_NAMES, ranged: bool = True) -> str:
    """Every finding as a page that a meeting can go through. `ranged`: before those of a scenario what was found, hints too, after them how far was
    looked and for what."""
    shown: set[str] = set()
    pages: list[list[Block]] = []
    for _, several in groupby(results, lambda one: (one.book, one.scenario)):
        alike = list(several)
        told = [f for f in once(alike, names) if not f.hint and f.id not in shown]
        shown.update(f.id for f in told)
        pages += [
            *([opening_page(alike, lang, names)] if ranged else []),
            *(finding_page(f, lang, names) for f in told),
            *([closing_page(alike, lang, names)] if ranged else []),
        ]
    return "\n---\n\n".join("".join(markdown(page)) for page in pages)


def markdown(blocks: Iterable[Block]) -> Iterable[str]:
    """Blocks as paragraphs of Markdown."""
    for block in blocks:
        match block:
            case Title(text):
                yield f"# {in_markdown(text)}\n\n"
            case Facts(text):
                yield f"**{in_markdown(text)}**\n\n"
            case Field(name, text):
                yield f"**{in_markdown(name)}**: {_lines(text)}\n\n"
            case Heading(text, aside):
                yield f"## {in_markdown(text)}{'  ' + in_markdown(aside) if aside else ''}\n\n"
            case Para(text):
                yield f"{_lines(text)}\n\n"
            case Table(header, rows):
                yield _md_row(header) + "|" + "---|" * len(header) + "\n"
                for row in rows:
                    yield _md_row((*row, *([""] * (len(header) - len(row)))))
                yield "\n"
            case Items(items):
                yield "".join(f"{n}. {_lines(item, '   ')}\n" for n, item in enumerate(items, 1)) + "\n"
            case Verbatim(text):
                yield f"{_fenced(text)}\n\n"


def _md_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join("<br>".join(in_markdown(line) for line in cell.split("\n")) for cell in cells) + " |\n"


def _lines(text: str, indent: str = "") -> str:
    return f"  \n{indent}".join(in_markdown(line) for line in text.split("\n"))


def in_markdown(text: str) -> str:
    """A text on one line, with what Markdown would take for marks kept as it is."""
    text = visible(text).replace("\n", " ")
    for mark in "\\`*_<>|[]#~$":
        text = text.replace(mark, f"\\{mark}")
    return text.replace("&", "&amp;")


def _fenced(text: str) -> str:
    """Lines between fences that none of them can close."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{visible(text)}\n{fence}"
