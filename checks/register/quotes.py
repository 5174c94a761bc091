"""The user's own draft beside the clause ids of a report (`--draft`): read at run time, kept nowhere.

Quotes are added where a report is put into words. Nothing that is stored (cases, the cache of the last check, hashes)
ever passes through here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...model.engine.library import book_places
from ...spec.readers import read_clauses
from ..findings.layout import Block, Field, Heading
from ..findings.steps import Say
from ..lint.linting import refuse_unrecognised
from ..lint.model import Draft
from ..lint.outline import outline
from ..lint.reading import read
from . import words
from .hashes import FILE, Registered, hashes_of, pieces_like, read_hashes, register_draft
from .pieces import Piece


@dataclass(frozen=True)
class Quote:
    """A clause of the draft: its line, its words; whether they are those that were registered (None: not known)."""

    line: int
    text: str
    registered: bool | None


@dataclass
class Quotes:
    """The clauses of one draft, for reports about a book."""

    file: str
    book: str
    quotes: Mapping[str, Quote] = field(default_factory=dict[str, Quote])

    def about(self, clauses: Iterable[str], say: Say) -> list[Block]:
        """The clauses as the draft has them, each once; nothing where there are none."""
        wanted = list(dict.fromkeys(clauses))
        if not wanted:
            return []
        return [Heading(say(words.QUOTED, file=self.file)), *(self.block(c, say) for c in wanted)]

    def block(self, clause: str, say: Say, indent: int = 2) -> Block:
        """One clause as the draft has it."""
        return Field(" " * indent + clause, self.said(clause, say))

    def said(self, clause: str, say: Say) -> str:
        """The words of a clause, or that the draft has none."""
        quote = self.quotes.get(clause)
        if quote is None:
            return say(words.NOT_IN_DRAFT)
        text = quote.text or say(words.NO_WORDS)
        return text + (say(words.OTHER_WORDS) if quote.registered is False else "")

    def as_json(self, clauses: Iterable[str]) -> dict[str, Any]:
        """The same for programs: `null` for a clause that the draft does not have."""
        return {"draft": self.file, "quotes": {c: self._plain(c) for c in dict.fromkeys(clauses)}}

    def _plain(self, clause: str) -> dict[str, Any] | None:
        quote = self.quotes.get(clause)
        return None if quote is None else {"line": quote.line, "text": quote.text, "as_registered": quote.registered}


def read_draft(path: Path, encoding: str | None = None) -> Draft:
    """A draft with its clauses. Raises BadInput where it cannot be read, or where nothing is recognised in it."""
    source = read(path, encoding)
    draft = outline(source.file, source.lines, source.places)
    refuse_unrecognised(draft)
    draft.notes = source.notes
    return draft


def read_quotes(path: Path, book: str, folder: Path | None = None) -> Quotes:
    """The clauses of a draft by the ids that the book's register has for them. Raises BadInput."""
    draft = read_draft(path)
    if folder is None:
        place = book_places().get(book)
        folder = None if place is None else place.folder
    if folder is None:
        return Quotes(str(path), book)
    registered, pieces = _cut(draft, folder)
    before = {h.id: h.words for h in registered.hashes} if registered is not None else {}
    now = {h.id: h.words for h in hashes_of(draft, pieces)} if before else {}
    return Quotes(str(path), book, {
        p.id: Quote(p.line, p.text, before[p.id] == now[p.id] if p.id in before else None) for p in pieces})


def pieces_of(draft: Draft, folder: Path) -> list[Piece]:
    """A draft cut into the clauses of the book that lies in a folder. Raises BadInput."""
    return _cut(draft, folder)[1]


def _cut(draft: Draft, folder: Path) -> tuple[Registered | None, list[Piece]]:
    """The pieces of a draft, and what was registered, if anything was."""
    stored = folder / FILE
    if stored.exists():
        registered = read_hashes(stored)
        return registered, pieces_like(draft, registered)
    return None, register_draft(
        folder.name, draft, [c.id.value for c in read_clauses(folder / "clauses.yaml").clauses]
    )[1]
