"""What the questions about conflicts and gaps leave open: the places of which nothing is said, and why.

A place is asked about where rules are carried out from outside (`stops.py`) and wherever a piece of a procedure comes to it
(`underway.py`). That it cannot be come to is said only if both show it; and where more cards, of which a world has only some, would do,
nothing is said either.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from ....model.engine.vocabulary import Vocabulary
from ....model.ir.flow import functions_used
from ....model.ir.program import Program
from ....spec.text import Text
from ...findings.record import NotAsked, Unasked
from .stops import roots
from .underway import Silence

Key = tuple[str, ...]
QUESTION = {"gap": "gaps", "conflict": "conflicts"}


@dataclass
class Places:
    """The places of a program at which rules may stop. `beside`: rules that play comes to without one that is asked about by itself."""

    program: Program
    places: Sequence[Silence] = ()
    beside: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, program: Program, places: Sequence[Silence]) -> Places:
        return cls(program, places, functions_used(program, [program.entry], roots(program)))

    def keys(self) -> set[Key]:
        """What play may come to at all."""
        return {x.key for x in self.places}

    def open_keys(self) -> set[Key]:
        """What procedures under way may come to without a rule that is asked about by itself."""
        return {x.key for x in self.places if x.function in self.beside}

    def at(self, key: Key) -> list[Silence]:
        """The places of a key; of a conflict of which only the clauses are known: of conflicts with one of them."""
        exact = [x for x in self.places if x.key == key[:2] and x.function in self.beside]
        return exact or [x for x in self.places if x.key == key[:2]]


def not_asked(
    called: Vocabulary, there: Places, key: Key, fallback: str, more: tuple[int, int] | None = None
) -> Iterator[NotAsked]:
    """The places of a key, with the reason: what they depend on, or (`more`) that more than so many cards and entries would do.
    `fallback`: the rule that is named where no place has the key."""
    question = QUESTION.get(key[0], key[0])
    values = () if more is None else tuple(map(str, more))
    found = there.at(key)
    for x in found:
        reason = Unasked.MORE_CARDS if more is not None else x.doubt or Unasked.SHARED
        rule = there.program.functions[x.function].rule
        what = () if more is not None else tuple(map(Text.same, x.held))
        yield NotAsked(rule, called.of(rule), where(x), clauses_of(key, x), reason, question, what, values)
    if not found:
        rule = fallback.partition("[")[0]
        reason = Unasked.MORE_CARDS if more is not None else Unasked.TOLD
        yield NotAsked(
            rule,
            called.of(rule),
            "",
            tuple(key[1].split()) if not key[1].startswith("verdict:") else (),
            reason,
            question,
            (),
            values,
        )


def clauses_of(key: Key, x: Silence) -> tuple[str, ...]:
    """The clauses of a place: its own, or those that the key names."""
    return x.at.clauses or (() if ":" in key[1] else tuple(key[1].split()))


def where(x: Silence) -> str:
    """The place in the rules' files, the same on every machine."""
    return located(x.at.file, x.at.line) if x.at.line else ""


def located(file: str, line: int) -> str:
    """File and line; of a path from the root only what names the book and the file."""
    path = PurePath(file)
    return f"{PurePath(*path.parts[-3:]).as_posix() if path.is_absolute() else path.as_posix()}:{line}"
