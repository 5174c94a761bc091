"""A rule book as it is read, before it is compiled for anything."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .source import Source
from .world import ReadingDef


@dataclass(frozen=True)
class Rulebook:
    """The rules of a book as read from its modules: parsed once, compiled for each world.

    `clauses` are the ids the book has; None means that marks are not checked (toy games).
    """

    name: str
    sources: tuple[Source, ...]
    readings: Mapping[str, ReadingDef]
    clauses: frozenset[str] | None = None
