"""`rulewright coverage`, `where` and `register`: from what was asked for to what is said."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from ...model.engine.library import book_places, forget_books, spec_folder
from ...spec.diagnostics import BadInput, Diagnostic, Position, nearest
from ...spec.text import Text
from ...spec.writing import held, write_whole
from ..console.terminal import ProgressLine, Terminal
from ..findings.as_json import SCHEMA
from ..findings.layout import layout
from ..lint.model import Draft
from . import known, words
from .accept import accept
from .asked import answers_of
from .books import BookFiles, cited_in_cases, open_book
from .changed import wording_only
from .changes import UpdateReport, update_json, update_page
from .compare import Comparison, compare
from .executed import STATES, run_scenarios
from .hashes import FILE, hashes_of, pieces_like, read_hashes, register_draft, with_unchecked, written
from .output import CoverageReport, WhereReport, coverage_json, coverage_page, shown_file, where_json, where_page
from .quotes import Quotes, read_draft, read_quotes
from .skeleton import make_skeleton
from .status import statuses


def coverage(
    terminal: Terminal, target: str, everything: bool, executed: bool, states: int | None, draft: Path | None,
    as_json: bool,
) -> bool:
    """Say how much of a book is modelled. Gives whether anything is left to be done. Raises BadInput."""
    book = open_book(target)
    said = read_quotes(draft, book.name, book.folder) if draft is not None else None
    report = CoverageReport(
        book, statuses(book, wording_only(book)), answers_of(book, draft), states=states or STATES, quotes=said
    )
    if executed:
        with closing(ProgressLine(terminal)) as line:
            report.executed = run_scenarios(book.name, report.states, lambda name, number, count: line(
                terminal.phrase(words.RUNNING, name=name, number=number, count=count)))
        known.remember(book, report.executed.scenarios)
    if as_json:
        terminal.json(coverage_json(report))
    else:
        terminal.show(layout(coverage_page(report, terminal.lang, everything), terminal.width, terminal.fit))
    return report.found


def quotes(draft: Path | None, book: str) -> Quotes | None:
    """The clauses of a draft of a book, where one is given. Raises BadInput."""
    return None if draft is None else read_quotes(draft, book)


def where(terminal: Terminal, target: str, clause: str, cases: Path, draft: Path | None, as_json: bool) -> None:
    """Say everything that is known of a clause. Raises BadInput."""
    book = open_book(target)
    if clause not in book.by_id:
        raise unknown_clause(book, clause)
    said = read_quotes(draft, book.name, book.folder) if draft is not None else None
    status = next(s for s in statuses(book, wording_only(book)) if s.id == clause)
    report = WhereReport(book, status, cited_in_cases(cases / book.name).get(clause, []), known.executing(book, clause),
                         said)
    if as_json:
        terminal.json(where_json(report))
    else:
        terminal.show(layout(where_page(report, terminal.lang), terminal.width, terminal.fit))


# ---------------------------------------------------------------- register
def register_new(
    terminal: Terminal, draft: Path, folder: Path, force: bool, with_text: bool, encoding: str | None, as_json: bool
) -> None:
    """Make the skeleton of a new book. Raises BadInput."""
    text = read_draft(draft, encoding)
    made = make_skeleton(text, folder, force, with_text)
    if as_json:
        terminal.json({"schema": SCHEMA, "kind": "registered", "book": made.book, "draft": str(draft),
                       "files": [str(f) for f in made.files], "clauses": made.clauses, "terms": made.terms,
                       "references": made.references, "unplaced": [line.number for line in text.unplaced]})
        return
    terminal.say(words.MADE, folder=folder, clauses=made.clauses, references=made.references, terms=made.terms)
    for note in text.notes:
        terminal.say(note)
    if text.unplaced:
        terminal.say(words.MADE_WITHOUT, count=len(text.unplaced), draft=draft)
    terminal.say(words.MADE_WITH_TEXT if with_text else words.MADE_NOTE)
    found = book_places().get(made.book)
    here = found is not None and found.folder.resolve() == folder.resolve()
    terminal.say(words.MADE_NEXT, folder=folder, target=made.book if here else folder)


def register_update(
    terminal: Terminal, draft: Path, target: str, shipped: Path, accepting: bool, everything: bool,
    encoding: str | None, as_json: bool,
) -> bool:
    """Say what a new draft changes; with `accepting` make it the registered one. `shipped`: the cases of the shipped books. Gives whether
    there is anything that is not in the register. Raises BadInput."""
    with held(open_book(target).folder) if accepting else nullcontext():
        forget_books()  # another command may have changed it until now
        book = open_book(target)
        cases = [
            Path("counterexamples").resolve(),
            *([shipped] if book.folder.parent.resolve() == spec_folder().resolve() else []),
        ]
        return _update(terminal, draft, book, list(dict.fromkeys(cases)), accepting, everything, encoding, as_json)


def _update(
    terminal: Terminal, draft: Path, book: BookFiles, cases: Sequence[Path], accepting: bool, everything: bool,
    encoding: str | None, as_json: bool,
) -> bool:
    text = read_draft(draft, encoding)
    file = book.folder / FILE
    if not file.exists():
        return _first(terminal, draft, text, book, accepting, as_json)
    before = read_hashes(file)
    pieces = pieces_like(text, before)
    found = compare(before.hashes, hashes_of(text, pieces))
    refuse_other_book(draft, found, book)
    report = UpdateReport(book, str(draft), found, unplaced=before.unplaced)
    if found.gone or found.changed:
        cited = [cited_in_cases(folder / book.name) for folder in cases]
        report.cases = {
            c: [x for one in cited for x in one.get(c, ())]
            for c in {h.id for h in found.gone} | {p.old.id for p in found.changed}
        }
    if accepting:
        report.written = accept(book, before, found, pieces, [case.path for case in report.stale_cases])
        forget_books()
    if as_json:
        terminal.json(update_json(report))
    else:
        for note in text.notes:
            terminal.say(note)
        terminal.show(layout(update_page(report, terminal.lang, everything), terminal.width, terminal.fit))
    return found.anything and not accepting


def _first(terminal: Terminal, path: Path, draft: Draft, book: BookFiles, accepting: bool, as_json: bool) -> bool:
    """The first draft of a book whose register was written by hand: nothing to compare it with."""
    made, _ = register_draft(book.name, draft, [c.id.value for c in book.clauses.clauses])
    if len(made.unplaced) > len(made.hashes):
        raise other_book(path, book, len(made.hashes), len(book.clauses.clauses))
    file = book.folder / FILE
    if accepting:
        write_whole(file, written(made))
    if as_json:
        terminal.json({"schema": SCHEMA, "kind": "first-draft", "book": book.name, "draft": str(path),
                       "clauses": len(made.hashes), "merged": list(made.merged), "unplaced": list(made.unplaced),
                       "written": [str(file)] if accepting else None})
        return not accepting
    if accepting:
        terminal.say(words.FIRST_DONE, book=book.title, draft=path, count=len(made.hashes), file=shown_file(file))
    else:
        terminal.say(words.FIRST, book=book.title, draft=path, count=len(made.hashes))
        terminal.say(words.NEXT_ACCEPT, draft=path, book=book.name)
    if made.unplaced:
        terminal.say(f"{terminal.phrase(words.UNPLACED)}: {terminal.phrase(words.COMMA).join(made.unplaced)}")
    return not accepting


def register_checked(terminal: Terminal, target: str, clauses: Sequence[str], as_json: bool) -> None:
    """Note that somebody has looked at the rules of reworded clauses. Raises BadInput."""
    with held(open_book(target).folder):
        forget_books()
        _note_checked(open_book(target), clauses)
    if as_json:
        terminal.json({"schema": SCHEMA, "kind": "checked", "book": target, "clauses": list(clauses)})
    else:
        terminal.say(words.CHECKED, clauses=terminal.phrase(words.COMMA).join(clauses))


def _note_checked(book: BookFiles, clauses: Sequence[str]) -> None:
    file = book.folder / FILE
    for clause in clauses:
        if clause not in book.by_id:
            raise unknown_clause(book, clause)
    if not file.exists():
        raise BadInput([Diagnostic(None, "no-hashes", Text(
            ja=f"{book.name} には、まだどの草案も登録されていません", en=f"no draft of {book.name} is registered yet"))])
    write_whole(file, written(with_unchecked(read_hashes(file), dict.fromkeys(clauses, ""))))


def refuse_other_book(path: Path, found: Comparison, book: BookFiles) -> None:
    """Complain of a draft in which hardly a clause of the book is left: it is probably another book's."""
    kept = sum(not p.replaced for p in found.pairs)
    if kept * 5 < len(found.pairs) + len(found.gone):
        raise other_book(path, book, kept, len(found.pairs) + len(found.gone))


def other_book(path: Path, book: BookFiles, kept: int, count: int) -> BadInput:
    """The draft is not one of this book."""
    return BadInput([Diagnostic(Position(str(path), 1, 1), "other-book", Text(
        ja=f"{book.title.ja} の草案には見えません（登録された条文 {count}件のうち、同じか似た言葉で見つかったのは {kept}件）",
        en=f"this does not look like a draft of {book.title.en} (of {count} registered clauses {kept} are in it in the same or like words)",
    ), Text(ja="--book の本と、ファイルを確かめてください。書き直した草案なら register -o で新しい本にします",
            en="check --book and the file; of a book written anew make a new one with register -o"), book.name)])


def unknown_clause(book: BookFiles, clause: str) -> BadInput:
    """There is no such clause; which one was probably meant."""
    near = nearest(clause, sorted(book.by_id))
    return BadInput([Diagnostic(None, "unknown-clause", Text(
        ja=f"この本に条 {clause} はありません", en=f"the book has no clause {clause}",
    ), Text(ja=f"{near} ではありませんか", en=f"did you mean {near}?") if near else None, clause)])
