"""A rule book as it is read, before it is compiled for anything: its own modules, and those of the kernel that they import."""
from __future__ import annotations

import ast
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...spec.diagnostics import Collector, Diagnostic, Position, nearest
from ...spec.reading import file_text
from ...spec.text import Text
from .source import Refused, Reporter, Source, imported, meant, read_module
from .world import ReadingDef, digest

KERNEL = Path(__file__).parent.parent / "kernel"
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


def with_kernel(own: Sequence[Source], report: Collector, kernel: Path = KERNEL) -> tuple[Source, ...]:
    """The kernel modules that a book's own modules import, directly or not, and then its own."""
    found: dict[str, Source] = {}
    todo = list(own)
    while todo:
        source = todo.pop()
        for name in source.imports:
            if name in found:
                continue
            file = kernel / f"{name}.py"
            if not os.path.lexists(file):
                node = next(n for n, x in imported(source) if x == name)
                refuse_unknown(Reporter(source, report), node, name, kernel)
                continue
            read = read_module(f"model/kernel/{name}.py", file_text(file), report, kernel=True)
            if read is not None:
                found[name] = read
                todo.append(read)
    return (*(found[name] for name in sorted(found)), *own)


def refuse_unknown(at: Reporter, node: ast.AST, name: str, kernel: Path) -> Refused:
    known = sorted(p.stem for p in kernel.glob("*.py") if p.stem != "__init__")
    return at.refuse(
        node,
        "no-such-kernel-module",
        f"the kernel has no module `{name}`",
        f"kernel に `{name}` というモジュールはありません",
        meant(name, known, (f"it has {', '.join(known)}", f"あるのは {'、'.join(known)} です")),
    )
