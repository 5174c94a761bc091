"""What the rule books call things, for whoever writes pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ...spec.text import Text


class Names(Protocol):
    """What the rule books call things; `None` where they have no words for it."""

    def book(self, book: str, /) -> Text | None:
        """The rule book with its edition."""
        ...

    def clause(self, book: str, clause: str, /) -> Text | None:
        """What the clause is about, in a few words."""
        ...

    def reading(self, book: str, reading: str, alternative: str, /) -> Text | None:
        """What is taken for granted when this alternative is chosen."""
        ...

    def default(self, book: str, reading: str, /) -> str | None:
        """The alternative that is taken where none is given."""
        ...

    def chapters(self, book: str, /) -> Mapping[str, str]:
        """The chapter of each clause, in the book's order."""
        ...

    def questions(self, book: str, /) -> Sequence[str]:
        """The clause that each open question of the book is about."""
        ...


class NoNames:
    """Nothing has a name: ids are shown."""

    def book(self, book: str, /) -> Text | None:
        return None

    def clause(self, book: str, clause: str, /) -> Text | None:
        return None

    def reading(self, book: str, reading: str, alternative: str, /) -> Text | None:
        return None

    def default(self, book: str, reading: str, /) -> str | None:
        return None

    def chapters(self, book: str, /) -> Mapping[str, str]:
        return {}

    def questions(self, book: str, /) -> Sequence[str]:
        return ()


NO_NAMES = NoNames()
