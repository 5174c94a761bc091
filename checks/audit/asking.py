"""All places of a book's rules where the encoding may decide in silence."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from ...model.engine.library import Book
from . import settled, swaps
from .gists import Gists
from .record import Choice, Kind
from .rules import Page, Written
from .swaps import Found

LOOKING: dict[Kind, Callable[[Page, Gists], Found]] = {
    Kind.DECIDER: settled.deciders,
    Kind.DEFAULT_PLAYER: settled.players,
    Kind.ORDER: swaps.orders,
    Kind.FALLBACK: settled.fallbacks,
    Kind.DUTY: swaps.duties,
    Kind.EACH: swaps.every,
    Kind.DONE: swaps.done,
    Kind.WHEN: swaps.times,
    Kind.CONDITION: settled.conditions,
    Kind.CONSTANT: settled.constants,
}
"""What finds the places of each kind."""


@dataclass(frozen=True)
class Asked:
    """The choices of a book, and how many places a clause or a reading was found to fix."""

    choices: tuple[Choice, ...]
    fixed: int


def choices_of(book: Book, kinds: Sequence[Kind] = tuple(Kind)) -> Asked:
    """Look at every rule of the book's own modules, for places of these kinds."""
    return Asked(*choices_in(book, kinds=kinds))


def choices_in(
    book: Book, rules: Collection[str] | None = None, kinds: Sequence[Kind] = tuple(Kind)
) -> tuple[tuple[Choice, ...], int]:
    """The same, or of some rules only: the choices, and how many places are fixed."""
    written, gists = Written(book.rulebook.sources), Gists(book)
    found: list[Choice] = []
    fixed, same = 0, Counter[str]()
    for source, rule in written.own:
        if rules is not None and rule.name not in rules:
            continue
        page = Page(written, source, rule)
        for kind in kinds:
            for one in LOOKING[kind](page, gists):
                if one is None:
                    fixed += 1
                    continue
                found.append(replace(one, number=same[one.id]))
                same[one.id] += 1
    return tuple(found), fixed
