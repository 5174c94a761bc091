"""What the linter says about a draft: one result model behind every form of output."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from ...spec.text import Text
from .model import Clause, Draft


class Severity(Enum):
    """How sure a finding is: two independent signs for it in the document, one, or a guess (see `evidence`)."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


AGAINST = -9
"""In place of signs for a finding: something speaks against it. It is a guess, told where guesses are asked for."""


@dataclass(frozen=True)
class Fix:
    """A safe change: on this line, from this column (from 1), what stands there and what to write instead."""

    line: int
    column: int
    old: str
    new: str


@dataclass(frozen=True)
class Found:
    """One finding. `shown` is the text in question, as the draft has it; `cited` is text from elsewhere in the draft
    that shows why; `clause` is where, as a person would say it."""

    rule: str
    severity: Severity
    line: int
    column: int
    clause: str
    message: Text
    shown: str = ""
    suggestion: Text | None = None
    cited: str | None = None
    fix: Fix | None = None
    signs: int = 0
    """How many independent signs there are for it in this document; `AGAINST`: there are some against it."""

    @property
    def fingerprint(self) -> str:
        """The same for the same finding, wherever its line has moved to."""
        said = re.sub(r"lines? \d+(?:, \d+)*", "line", self.message.en)
        words = re.sub(r"\s+", "", f"{self.rule}|{self.clause}|{self.shown}|{said}")
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    @property
    def rank(self) -> tuple[int, int, str]:
        """By place."""
        return self.line, self.column, self.rule


@dataclass(frozen=True)
class Rule:
    """A rule: a stable id, how sure its findings can be at most, what it looks for, and the function that looks."""

    id: str
    severity: Severity
    title: Text
    check: Callable[[Draft, Rule], Iterable[Found]]
    looks_at: Callable[[Draft], int] | None = None
    """How many places of a draft it looks at: where it would speak of more than a few per cent of them, the draft
    probably is not understood, or it is meant so. None: it knows what it says whatever the number."""
    signs: int = 0
    """How many independent signs all that it finds has for it. None, if it was right less than nine times of ten on
    documents that nobody had looked at (benchmarks/lint_judged)."""
    of_clauses: bool = False
    """Must it be known where clauses begin?"""
    doubted: bool = False
    """Does it need one sign more than others, since it was right less than nine times of ten on documents that nobody had looked at?"""

    def at(
        self,
        clause: Clause,
        offset: int,
        message: Text,
        shown: str = "",
        *,
        suggestion: Text | None = None,
        cited: str | None = None,
        replace: str | None = None,
        signs: int = 0,
    ) -> Found:
        """A finding at an offset of a clause's text. `replace` is what `shown` may safely be replaced by; `signs` are those
        that this finding has besides what all of the rule have."""
        line, column = clause.passage.at(offset) if clause.passage.starts else (clause.line, clause.column)
        fix = Fix(line, column, shown, replace) if replace is not None and shown else None
        return Found(
            self.id,
            self.severity,
            line,
            column,
            clause.name[:40],
            message,
            shown,
            suggestion,
            cited,
            fix,
            self.signs + signs,
        )

    def on(self, clause: Clause, message: Text, shown: str = "", *, cited: str | None = None, signs: int = 0) -> Found:
        """A finding about a clause as a whole, at its label."""
        return Found(
            self.id,
            self.severity,
            clause.line,
            clause.column,
            clause.name[:40],
            message,
            shown,
            cited=cited,
            signs=self.signs + signs,
        )


def times(count: int) -> str:
    """`once`, `3 times`."""
    return "once" if count == 1 else f"{count} times"


def plain(text: str) -> str:
    """A text without the marks of formulas: `$ {\\bf v} $` is `v`."""
    return re.sub(r"\$\s*(?:\{?\\[a-z]+\s*)?([^{}$\\]{1,20})\}?\s*\$", r"\1", text)


def excerpt(text: str, size: int = 40) -> str:
    """The beginning of a text, in one line."""
    line = re.sub(r"\s+", " ", plain(text)).strip()
    return line if len(line) <= size else line[:size] + "…"
