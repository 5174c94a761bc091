"""A rule book as it is read, before it is compiled for anything."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ...spec.diagnostics import Collector, Diagnostic, Position, nearest
from ...spec.text import Text
from .source import Source
from .world import ReadingDef, digest

NOWHERE: Mapping[str, Position] = {}


@dataclass(frozen=True)
class Rulebook:
    """The rules of a book as read from its modules: parsed once, compiled for each world.

    `clauses` are the ids the book has; None means that marks are not checked (toy games).
    """

    name: str
    sources: tuple[Source, ...]
    readings: Mapping[str, ReadingDef]
    clauses: frozenset[str] | None = None

    def check_answers(self, readings: Mapping[str, str], report: Collector, where: Mapping[str, Position] = NOWHERE) -> None:
        """The readings that are answered exist, and allow these answers; `where`: where those stand."""
        for name, answer in sorted(readings.items()):
            r = self.readings.get(name)
            if r is None:
                report.add(self.unknown_reading(name, where.get(name)))
            elif not r.allows(answer):
                report.add(r.refused(answer, where.get(name)))

    def unknown_reading(self, name: str, at: Position | None = None) -> Diagnostic:
        """That there is no such reading."""
        near = nearest(name, self.readings)
        return Diagnostic(
            at,
            "unknown-reading",
            Text(ja=f"解釈 `{name}` はありません", en=f"there is no reading `{name}`"),
            None if near is None else Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?"),
            name,
        )

    @cached_property
    def digest(self) -> str:
        """A hash of its rules as they are written, its readings and clauses."""
        texts = tuple((s.file, s.text, s.kernel) for s in self.sources)
        return digest((self.name, texts, tuple(sorted(self.readings.items())), self.clauses))
