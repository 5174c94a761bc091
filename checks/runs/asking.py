"""Questions about every position of books, asked without exploring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...model.engine.library import load_book
from ...model.engine.table import open_table
from ...spec.readers import read_scenario
from ...spec.text import Text
from ..findings import words
from ..findings.record import CheckResult
from ..scenarios.options import CheckOptions
from ..stored.finding_store import remember
from .session import books, resolve

EACH = 0.25
"""Of the time that there is for all questions, how much one may take."""


def ask(targets: Sequence[str], questions: Sequence[str], options: CheckOptions, second: bool = False,
        note: Callable[[Text], None] | None = None) -> list[CheckResult]:
    """Ask about every position of these books, without exploring; of a scenario: about its cards. `second`: a second solver
    too; `note` is told how far a long proof is. With a limit on positions, plays that come to what is found are looked for. Raises BadInput."""
    from ..ends.telling import ask as ends_of
    from ..smt import solving
    from ..smt.queries.asking import SECONDS
    from ..smt.queries.every import ask as ask_book
    from ..smt.queries.every import within
    from ..smt.queries.keeping import keep

    results: list[CheckResult] = []
    seconds = SECONDS if options.max_seconds is None else EACH * options.max_seconds
    if options.max_memory_mib is not None:
        solving.take_at_most(options.max_memory_mib)
    for target in targets:
        solving.collected = [] if options.certify else None
        book, cards = book_and_cards(target)
        before = len(results)
        if others := [q for q in questions if q not in (words.INVARIANTS, words.ENDS)]:
            results.append(
                ask_book(book, others, options.readings, cards, seconds=seconds, stop=options.stop,
                         states=options.max_states, second=second, keep=options.keep)
            )
        if words.INVARIANTS in questions:
            results.append(
                within(options.stop, book, options.readings,
                       lambda book=book: keep(book, options.readings, seconds, options.stop, note=note))
            )
            if options.keep is not None:
                options.keep(list(results))
        if words.ENDS in questions:
            results.append(
                within(options.stop, book, options.readings,
                       lambda book=book: ends_of(book, options.readings, options.stop, note))
            )
            if options.keep is not None:
                options.keep(list(results))
        if options.certify and solving.collected is not None:
            from ..evidence.told import certified_questions

            texts, solving.collected = solving.collected, None
            results[-1] = replace(results[-1], certificates=certified_questions(results[before:], texts))
        if options.remembered:
            remember(load_book(book).folder / "clauses.yaml", results[before:])
    return results


def book_and_cards(target: str) -> tuple[str, tuple[str, ...] | None]:
    """A book, and of a scenario the cards with a text that it has. Raises BadInput."""
    if target in books():
        return target, None
    found = [open_table(read_scenario(path), {}) for path in resolve(target)]
    cards = dict.fromkeys(c.definition.id for t in found for c in t.world.cards if c.definition.abilities)
    return found[0].book.name, tuple(cards)
