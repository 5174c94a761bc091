"""A rule book as it is read, before it is compiled for anything."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from .source import Source
from .world import ReadingDef, digest


@dataclass(frozen=True)
class Rulebook:
    """The rules of a book as read from its modules: parsed once, compiled for each world.

    `clauses` are the ids the book has; None means that marks are not checked (toy games).
    """

    name: str
    sources: tuple[Source, ...]
    readings: Mapping[str, ReadingDef]
    clauses: frozenset[str] | None = None

    @cached_property
    def digest(self) -> str:
        """A hash of its rules as they are written, its readings and clauses."""
        texts = tuple((s.file, s.text, s.kernel) for s in self.sources)
        return digest((self.name, texts, tuple(sorted(self.readings.items())), self.clauses))
