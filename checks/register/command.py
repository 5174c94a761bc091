"""`rulewright coverage`, `where` and `register`: from what was asked for to what is said."""

from __future__ import annotations

from pathlib import Path

from ...spec.diagnostics import BadInput, Diagnostic, nearest
from ...spec.text import Text
from ..findings.layout import layout
from ..terminal import ProgressLine, Terminal
from . import known, words
from .books import BookFiles, cited_in_cases, open_book
from .changed import wording_only
from .executed import STATES, run_scenarios
from .output import CoverageReport, WhereReport, coverage_json, coverage_page, where_json, where_page
from .quotes import read_quotes
from .status import statuses


def coverage(
    terminal: Terminal, target: str, everything: bool, executed: bool, states: int | None, draft: Path | None,
    as_json: bool,
) -> bool:
    """Say how much of a book is modelled. Gives whether anything is left to be done. Raises BadInput."""
    book = open_book(target)
    quotes = read_quotes(draft, book.name, book.folder) if draft is not None else None
    report = CoverageReport(book, statuses(book, wording_only(book)), states=states or STATES, quotes=quotes)
    if executed:
        line = ProgressLine(terminal)
        try:
            report.executed = run_scenarios(book.name, report.states, lambda name, number, count: line(
                terminal.phrase(words.RUNNING, name=name, number=number, count=count)))
        finally:
            line.close()
        known.remember(book, report.executed.scenarios)
    if as_json:
        terminal.json(coverage_json(report))
    else:
        terminal.show(layout(coverage_page(report, terminal.lang, everything), terminal.width, terminal.fit))
    return report.found


def where(terminal: Terminal, target: str, clause: str, cases: Path, draft: Path | None, as_json: bool) -> None:
    """Say everything that is known of a clause. Raises BadInput."""
    book = open_book(target)
    if clause not in book.by_id:
        raise unknown_clause(book, clause)
    quotes = read_quotes(draft, book.name, book.folder) if draft is not None else None
    status = next(s for s in statuses(book, wording_only(book)) if s.id == clause)
    report = WhereReport(book, status, cited_in_cases(cases / book.name).get(clause, []), known.executing(book, clause),
                         quotes)
    if as_json:
        terminal.json(where_json(report))
    else:
        terminal.show(layout(where_page(report, terminal.lang), terminal.width, terminal.fit))


def unknown_clause(book: BookFiles, clause: str) -> BadInput:
    """There is no such clause; which one was probably meant."""
    near = nearest(clause, sorted(book.by_id))
    return BadInput([Diagnostic(None, "unknown-clause", Text(
        ja=f"この本に条 {clause} はありません", en=f"the book has no clause {clause}",
    ), Text(ja=f"{near} ではありませんか", en=f"did you mean {near}?") if near else None, clause)])
