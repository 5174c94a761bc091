"""`rulewright new FOLDER --from DRAFT`: the folder of a new book, from what was asked for to what is said."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...model.engine.library import book_places, forget_books
from ...spec.diagnostics import BadInput, Diagnostic, Position
from ...spec.text import Text
from ...spec.writing import BESIDE, held, write_together
from ..console.terminal import Terminal
from ..findings.as_json import SCHEMA
from ..register.pieces import cut, usual_cut
from ..register.quotes import read_draft
from . import words
from .asking import asked
from .cards import told as told_cards
from .files import NewBook, as_number, as_part, as_zone, book_files
from .guesses import Guesses, guesses_of
from .naming import Names


def new(terminal: Terminal, folder: Path, source: Path, yes: bool, encoding: str | None, as_json: bool) -> None:
    """Make the folder. `yes`: take the guesses as they are. Raises BadInput; then nothing was written."""
    refuse_taken(folder)
    draft = read_draft(source, encoding)
    pieces = cut(draft, usual_cut(draft))
    if not pieces:
        raise trouble("no-clauses", words.NO_CLAUSES, words.NO_CLAUSES_HINT, Position(str(source), 1, 1), file=source)
    names = Names()
    guesses = guesses_of(draft, pieces, names)
    if not yes and not as_json:
        guesses = asked(terminal, guesses, names)
    book = book_files(draft, str(source), folder, guesses, names, terminal.phrase)
    with held(folder):
        refuse_taken(folder)
        try:
            write_together(book.files)
        except BaseException:
            drop_empty(folder)
            raise
    forget_books()
    if as_json:
        terminal.json(new_json(book, source, guesses))
    else:
        show(terminal, book, guesses, draft.notes)


def refuse_taken(folder: Path) -> None:
    """Nothing that is there is overwritten, and no book gets a name that another has. Raises BadInput."""
    book = folder.resolve().name
    if folder.is_dir() and any(p.is_file() and not p.name.endswith(BESIDE) for p in folder.rglob("*")):
        raise trouble("exists", words.EXISTS, words.EXISTS_HINT, None, folder=folder, book=book)
    found = book_places().get(book)
    if found is not None and found.folder.resolve() != folder.resolve():
        raise trouble("book-taken", words.SHADOWED, words.SHADOWED_HINT, None, folder=found.folder, book=book)


def drop_empty(folder: Path) -> None:
    """Take away the folders that were made, if nothing came to lie in them."""
    for path in sorted((p for p in (folder, *folder.rglob("*")) if p.is_dir()), reverse=True):
        with suppress(OSError):
            path.rmdir()


def trouble(code: str, said: Text, hint: Text, at: Position | None, **values: object) -> BadInput:
    """Why there is no new book."""
    filled = [Text(ja=t.ja.format(**values), en=t.en.format(**values)) for t in (said, hint)]
    return BadInput([Diagnostic(at, code, filled[0], filled[1], str(next(iter(values.values()))))])


def show(terminal: Terminal, book: NewBook, guesses: Guesses, notes: Sequence[Text]) -> None:
    """What was made, how its draft was read, what was guessed, what to do next."""
    made, comma = book.skeleton, terminal.phrase(words.COMMA)

    def told(found: list[tuple[Text, str]], between: str = comma) -> str:
        return between.join(
            terminal.phrase(words.SHOWN, said=said.ja, clause=clause) for said, clause in found
        ) or terminal.phrase(words.NONE)

    terminal.say(
        words.MADE, folder=made.folder, clauses=made.clauses, chapters=len(book.chapters), files=len(book.files)
    )
    for note in notes:
        terminal.say(note)
    terminal.say(words.ZONES, some=told([(z.said, z.clause) for z in guesses.zones]))
    terminal.say(words.NUMBERS, some=told([(n.said, n.clause) for n in guesses.numbers]))
    if book.cards is not None:
        terminal.say(told_cards(book.cards))
    terminal.say(
        words.PARTS, some=told([(p.said, p.node.piece.id) for p in guesses.parts], terminal.phrase(words.ARROW))
    )
    found = book_places().get(made.book)
    here = found is not None and found.folder.resolve() == made.folder.resolve()
    terminal.say(
        words.NEXT,
        folder=made.folder,
        command=f"rulewright check {made.book}" + ("" if here else f" --books {made.folder.parent}"),
    )


def new_json(book: NewBook, source: Path, guesses: Guesses) -> dict[str, Any]:
    """The same for programs."""
    made = book.skeleton
    return {
        "schema": SCHEMA,
        "kind": "new",
        "book": made.book,
        "draft": str(source),
        "files": [str(f) for f in book.files],
        "clauses": made.clauses,
        "terms": made.terms,
        "references": made.references,
        "chapters": [{"module": c.module, "title": c.title} for c in book.chapters],
        "zones": [as_zone(z) for z in guesses.zones],
        "numbers": [as_number(n) for n in guesses.numbers],
        "parts": [as_part(p) for p in guesses.parts],
    }
