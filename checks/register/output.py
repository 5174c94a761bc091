"""Coverage of a book, and where a clause is: for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...spec.groups import grouped
from ...spec.readers import ClauseKind, Numbers, Reading
from ...spec.text import Lang
from ..findings.as_json import SCHEMA, plain
from ..findings.layout import Block, Field, Heading, Para, Table, Title
from ..findings.page import speaker
from ..findings.steps import Say
from . import words
from .asked import BookAnswers, answers_json, answers_page
from .books import BookFiles, CaseCite, Place
from .executed import STATES, Executed
from .quotes import Quotes
from .status import ClauseStatus, Status, by_chapter

SHORT = 12
"""Rows of a list, unless all of them are asked for."""


@dataclass
class CoverageReport:
    """Everything that `coverage` has to say."""

    book: BookFiles
    statuses: Sequence[ClauseStatus]
    asked: BookAnswers
    executed: Executed | None = None
    states: int = STATES
    quotes: Quotes | None = None

    @property
    def not_modelled(self) -> list[ClauseStatus]:
        """Clauses that do something in play and have no rule."""
        return [s for s in self.statuses if s.status is Status.NOT_MODELLED]

    @property
    def wording(self) -> list[ClauseStatus]:
        """Clauses whose wording changed while their rules did not."""
        return [s for s in self.statuses if s.wording]

    @property
    def unexecuted(self) -> list[tuple[str, Place]]:
        """Places that have something to execute, and that no scenario executes."""
        e = self.executed
        if e is None:
            return []
        return [(s.id, p) for s in self.statuses for p in s.places if e.has_code(p, s.id) and not e.executes(p, s.id)]

    @property
    def found(self) -> bool:
        """Is there anything to be done?"""
        unfinished = any(s.clause.guessed or s.to_write for s in self.statuses)
        return bool(self.not_modelled or self.wording or self.unexecuted or unfinished or self.asked.unanswered)


# ---------------------------------------------------------------- coverage
def coverage_page(report: CoverageReport, lang: Lang, everything: bool) -> list[Block]:
    """How much of the book is modelled, by chapter; what is not."""
    say = speaker(lang)
    book = report.book
    edition = words.UNDATED if book.clauses.edition == "undated" else book.clauses.edition
    blocks: list[Block] = [Title(say(words.COVERAGE, book=book.title, edition=edition, count=len(report.statuses)))]
    if not any(book.places.values()):
        blocks.append(Para(say(words.NO_RULES if book.rules is None else words.NO_MARKS)))
    blocks += [Heading(say(words.OF_THESE)), *_counted(report, say)]
    header = (say(words.CHAPTER), *(say(words.STATUS[s]) for s in Status), say(words.TOTAL))
    rows = [(_named(c.id, say(c.title)), *(str(c.counts.get(s, 0) or "") for s in Status), str(c.total))
            for c in by_chapter(report.statuses, book)]
    blocks += [Heading(say(words.BY_CHAPTER)), Table(header, tuple(rows)), *_left(report, say, everything),
               *answers_page(report.asked, book.name, say, None if everything else SHORT)]
    parts = [s for s in report.statuses if s.left_out and s.status is Status.MODELLED]
    if parts:
        blocks += [Heading(say(words.LEFT_OUT)),
                   *(Field(f"  {s.id}", say(words.COMMA).join(s.left_out)) for s in parts)]
    guessed = sum(s.clause.guessed for s in report.statuses)
    to_write = sum(s.to_write for s in report.statuses)
    notes = [say(text, count=n) for text, n in ((words.GUESSED, guessed), (words.TO_WRITE, to_write)) if n]
    if notes:
        blocks.append(Para("\n".join(notes)))
    if report.wording:
        first = report.wording[0].id
        blocks += [Heading(say(words.WORDING)), Para(say(words.WORDING_NOTE, first=first, book=book.name)),
                   *_rows(report, report.wording, say)]
    return [*blocks, *_executed(report, say, everything)]


def _counted(report: CoverageReport, say: Say) -> list[Block]:
    counts = Counter(s.status for s in report.statuses)
    kinds = Counter(s.clause.kind for s in report.statuses if s.status is Status.WITHOUT_EFFECT)
    rows: list[tuple[str, ...]] = []
    for status in Status:
        text = say(words.EXPLAINED[status])
        if status is Status.WITHOUT_EFFECT and kinds:
            parts = [f"{say(words.KIND[k])} {kinds[k]}" for k in ClauseKind if kinds[k]]
            text += f" ({', '.join(parts)})"
        rows.append((say(words.STATUS[status]), str(counts[status]), text))
    return [Field(f"  {name} {number}", text) for name, number, text in rows]


def _named(number: str, title: str) -> str:
    return number if title in ("", number) else f"{number} {title}"


def _left(report: CoverageReport, say: Say, everything: bool) -> list[Block]:
    left = report.not_modelled
    blocks: list[Block] = [Heading(say(words.NOT_MODELLED))]
    if not left:
        return [*blocks, Para(say(words.NONE_LEFT))]
    shown = left if everything else left[:SHORT]
    blocks += _rows(report, shown, say)
    if len(shown) < len(left):
        blocks.append(Para(say(words.MORE, count=len(left) - len(shown), book=report.book.name)))
    return blocks


def _rows(report: CoverageReport, some: Sequence[ClauseStatus], say: Say) -> list[Block]:
    """Clauses with their gists, or with the words of the draft."""
    return [Field(f"  {s.id}", report.quotes.said(s.id, say) if report.quotes else say(s.clause.gist)) for s in some]


def _executed(report: CoverageReport, say: Say, everything: bool) -> list[Block]:
    e = report.executed
    if e is None:
        return []
    blocks: list[Block] = [Heading(say(words.EXECUTED))]
    if not e.runs:
        return [*blocks, Para(say(words.NO_SCENARIOS))]
    places = [(s.id, p) for s in report.statuses for p in s.places]
    silent = sum(not e.has_code(p, c) for c, p in places)
    left = report.unexecuted
    blocks.append(Para(say(words.EXECUTED_RUNS, runs=e.runs, states=report.states, marked=len(places),
                           executed=len(places) - silent - len(left), silent=silent, left=len(left))))
    if e.cut:
        blocks.append(Para(say(words.EXECUTED_CUT, names=say(words.COMMA).join(e.cut))))
    never = grouped((clause, place) for clause, place in left)
    listed = [s for s in report.statuses if s.places and (everything or s.id in never)]
    shown = listed if everything else listed[:SHORT]
    if shown:
        blocks.append(Heading(say(words.BY_CLAUSE if everything else words.UNEXECUTED)))
    for s in shown:
        done = sum(e.executes(p, s.id) for p in s.places)
        said = [
            say(words.OF_PLACES, done=done, count=sum(e.has_code(p, s.id) or e.executes(p, s.id) for p in s.places))
        ]
        if s.id in never:
            said.append(say(words.NOT_EXECUTED, places=say(words.COMMA).join(
                f"{p.file}:{p.line} {p.rule}" for p in never[s.id])))
        blocks.append(Field(f"  {s.id}", say(words.SENTENCE).join(said)))
    if len(shown) < len(listed):
        blocks.append(Para(say(words.MORE_ROWS, count=len(listed) - len(shown))))
    return blocks


def coverage_json(report: CoverageReport) -> dict[str, Any]:
    """The same for programs: every clause."""
    book, e = report.book, report.executed
    counts = Counter(s.status for s in report.statuses)
    data: dict[str, Any] = {
        "schema": SCHEMA, "kind": "coverage", "book": book.name, "edition": book.clauses.edition,
        "counts": {s.value: counts[s] for s in Status},
        "chapters": [{"id": c.id, "title": plain(c.title), "counts": {s.value: c.counts.get(s, 0) for s in Status}}
                     for c in by_chapter(report.statuses, book)],
        "clauses": [_clause_json(s, e) for s in report.statuses],
        "questions": answers_json(report.asked),
        "executed": None if e is None else {"runs": e.runs, "states": report.states, "cut": e.cut},
    }
    return data | (report.quotes.as_json(s.id for s in report.statuses) if report.quotes else {})


def _clause_json(s: ClauseStatus, e: Executed | None) -> dict[str, Any]:
    return {
        "id": s.id, "kind": s.clause.kind.value, "guessed": s.clause.guessed, "status": s.status.value,
        "gist": None if s.to_write else plain(s.clause.gist), "wording_only": s.wording,
        "left_out": list(s.left_out),
        "places": [place_json(p) | ({} if e is None else {
            "executed": e.executes(p, s.id), "executable": e.has_code(p, s.id)}) for p in s.places],
        "readings": [r.id.value for r in s.readings], "terms": [t.id.value for t in s.terms],
        "scenarios": None if e is None else e.scenarios.get(s.id, []),
    }


def place_json(place: Place) -> dict[str, Any]:
    """A marked place."""
    return {"file": place.file, "line": place.line, "function": place.rule, "source": place.source, "says": place.says}


# ---------------------------------------------------------------- where
@dataclass
class WhereReport:
    """Everything that is known of a clause."""

    book: BookFiles
    status: ClauseStatus
    cases: Sequence[CaseCite] = ()
    scenarios: Sequence[str] | None = None
    quotes: Quotes | None = None


def where_page(report: WhereReport, lang: Lang) -> list[Block]:
    """A clause: what it is about, what carries it out, what is open about it, what else cites it."""
    say = speaker(lang)
    s, book = report.status, report.book
    clause = s.clause
    status = say(words.STATUS[s.status])
    blocks: list[Block] = [Title(f"{s.id}  {say(clause.gist)}"),
                           Field(say(words.STATUS_LINE), f"{status}: {say(words.EXPLAINED[s.status])}"),
                           Field(say(words.KIND_LINE), say(words.KIND[clause.kind]) + (
                               say(words.GUESS_MARK) if clause.guessed else ""))]
    if s.left_out:
        blocks.append(Para(say(words.LEFT_OUT_LINE, places=say(words.COMMA).join(s.left_out))))
    if s.wording:
        blocks.append(Para(say(words.WORDING_LINE)))
    if report.quotes is not None:
        blocks += report.quotes.about([s.id], say)
    blocks.append(Heading(say(words.RULES)))
    blocks += _places(s.places) or [Para(say(words.NO_CODE, clause=s.id))]
    if named := book.named.get(s.id):
        blocks += [Heading(say(words.NAMED)), *_places(named)]
    if s.readings:
        blocks += [Heading(say(words.READINGS)), *(Para(_reading(r, say)) for r in s.readings)]
    if s.terms:
        blocks += [Heading(say(words.TERMS)), Para(say(words.COMMA).join(say(t.name) for t in s.terms))]
    for heading, ids in (
        (words.REFERS, [r.value for r in clause.refs]),
        (words.REFERRED, book.referring.get(s.id, [])),
    ):
        if ids:
            rows = [f"{i}  {say(book.by_id[i].gist)}" if i in book.by_id else i for i in dict.fromkeys(ids)]
            blocks += [Heading(say(heading)), Para("\n".join(rows))]
    if clause.dangling:
        blocks += [Heading(say(words.DANGLING)), Para(say(words.COMMA).join(r.value for r in clause.dangling))]
    if s.places:
        known = report.scenarios
        text = say(words.SCENARIOS_UNKNOWN, book=book.name) if known is None else (
            say(words.COMMA).join(known) or say(words.SCENARIOS_NONE))
        blocks += [Heading(say(words.SCENARIOS)), Para(text)]
    if report.cases:
        rows = [f"{c.finding}{say(words.DECISIVE) if c.decisive else ''}  {shown_file(c.path)}" for c in report.cases]
        blocks += [Heading(say(words.CASES)), Para("\n".join(rows))]
    return blocks


def _places(places: Sequence[Place]) -> list[Block]:
    """Places under the rule they stand in, with what its docstring says."""
    blocks: list[Block] = []
    groups = grouped(((place.file, place.rule), place) for place in places)
    for (file, rule), group in groups.items():
        says = " ".join(group[0].says.split())
        lines = [f"{file}:{p.line}  {p.source.partition('#:')[0].strip()}" for p in group]
        blocks.append(Para("\n".join([f"{rule}: {says}" if says else rule, *(f"  {line}" for line in lines)])))
    return blocks


def _reading(reading: Reading, say: Say) -> str:
    default = reading.default.value
    if not isinstance(reading.answers, Numbers):
        gist = next((a.gist for a in reading.answers if a.id.value == default), None)
        default = say(gist) if gist is not None else default
    planned = say(words.PLANNED) if reading.status.value == "planned" else ""
    return say(words.READING, id=reading.id.value, question=reading.question, default=default, planned=planned)


def shown_file(path: Path) -> str:
    """A file as it is shown: from here, where it is below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(Path(*path.parts[-3:]))


def where_json(report: WhereReport) -> dict[str, Any]:
    """The same for programs."""
    s = report.status
    clause = s.clause
    data: dict[str, Any] = {
        "schema": SCHEMA, "kind": "where", "book": report.book.name, "clause": s.id, "status": s.status.value,
        "clause_kind": clause.kind.value, "guessed": clause.guessed, "gist": None if s.to_write else plain(clause.gist),
        "wording_only": s.wording, "left_out": list(s.left_out), "places": [place_json(p) for p in s.places],
        "named": [place_json(p) for p in report.book.named.get(s.id, ())],
        "readings": [{"id": r.id.value, "question": plain(r.question), "default": r.default.value,
                      "status": r.status.value} for r in s.readings],
        "terms": [{"id": t.id.value, "name": plain(t.name)} for t in s.terms],
        "refers_to": [r.value for r in clause.refs], "dangling": [r.value for r in clause.dangling],
        "referred_by": report.book.referring.get(s.id, []),
        "scenarios": None if report.scenarios is None else list(report.scenarios),
        "cases": [{"path": str(c.path), "finding": c.finding, "decisive": c.decisive} for c in report.cases],
    }
    return data | (report.quotes.as_json([s.id]) if report.quotes else {})
