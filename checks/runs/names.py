"""What the shipped books call things."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model.engine.library import book_names, load_book
from ...spec.readers import Numbers
from ...spec.text import Text
from ..findings.names import Names
from ..register.status import chapters_of


class BookNames:
    """What the shipped books call things."""

    def __init__(self) -> None:
        self.known = book_names()  # asked for each name again, this would take longer than all else that a page needs

    def book(self, book: str, /) -> Text | None:
        if book not in self.known:
            return None
        b = load_book(book)
        if b.clauses.edition == "undated":
            return Text(ja=f"{b.vocabulary.title.ja}（日付のない版）", en=f"{b.vocabulary.title.en} (an undated edition)")
        return Text(
            ja=f"{b.vocabulary.title.ja} {b.clauses.edition}", en=f"{b.vocabulary.title.en} {b.clauses.edition}"
        )

    def clause(self, book: str, clause: str, /) -> Text | None:
        return load_book(book).gists.get(clause) if book in self.known else None

    def reading(self, book: str, reading: str, alternative: str, /) -> Text | None:
        r = load_book(book).readings.get(reading) if book in self.known else None
        if r is None:
            return None
        if isinstance(r.answers, Numbers):
            return Text(ja=f"{r.question.ja} → {alternative}", en=f"{r.question.en} → {alternative}")
        gist = next((a.gist for a in r.answers if a.id.value == alternative), None)
        return None if gist is None else Text(ja=f"{r.question.ja} → {gist.ja}", en=f"{r.question.en} → {gist.en}")

    def default(self, book: str, reading: str, /) -> str | None:
        r = load_book(book).readings.get(reading) if book in self.known else None
        return None if r is None else r.default.value

    def chapters(self, book: str, /) -> Mapping[str, str]:
        return chapters_of(load_book(book).clauses.clauses) if book in self.known else {}

    def questions(self, book: str, /) -> Sequence[str]:
        return [r.clauses[0].value for r in load_book(book).readings.values()] if book in self.known else ()


def names() -> Names:
    """What the rule books call things."""
    return BookNames()
