"""Does a finding take a made-up card without a text? It does if it rests on what only that card has printed on it: with every
other such card of its kind in its place it is gone. A text is of itself what a card is made up for."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ...model.engine.library import load_book
from ...model.engine.table import Table
from ...model.lang.world import NO, YES, CardDef
from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ..findings.identity import Defect, defect
from ..findings.record import CheckResult, Finding, FindingClass, Origin
from ..findings.severity import graded

MOST_STATES = 5_000
"""Of a run with more positions it is not asked."""
MOST_OTHERS = 6
"""So many cards are put in the place of one at most."""


def with_made_up(result: CheckResult, table: Table, run: Callable[[Mapping[str, CardDef]], CheckResult]) -> CheckResult:
    """The result, where findings of a given position that rest on a made-up card say so. `run` checks the scenario with other cards
    in the place of some."""
    asked = {
        defect(f)
        for f in result.findings
        if f.origin is Origin.CARDS and f.is_defect and f.cls is not FindingClass.DEFECT
    }
    if not asked or result.bounds.states > MOST_STATES or not result.bounds.complete:
        return result
    resting: dict[Defect, list[Text]] = {}
    for card in plain_cards(table):
        gone, tried = set(asked), False
        for other in others(card, table):
            if not gone:
                break
            try:
                there = run({card.id: other})
            except BadInput:  # such a card cannot lie there
                continue
            gone = gone - {defect(f) for f in there.findings} if there.bounds.complete else set[Defect]()
            tried = True
        for found in gone if tried else ():
            resting.setdefault(found, []).append(table.describer.card_text(card))
    return replace(
        result,
        findings=tuple(
            made_up(f, resting[defect(f)]) if defect(f) in resting and f.origin is Origin.CARDS else f
            for f in result.findings
        ),
    )


def made_up(finding: Finding, cards: Sequence[Text]) -> Finding:
    """The finding, resting on these made-up cards."""
    return graded(replace(finding, invented_cards=True, cards=(*finding.cards, *cards)), Origin.INVENTED)


def plain_cards(table: Table) -> list[CardDef]:
    """The made-up cards in play without a text, each once."""
    return list(
        {
            c.definition.id: c.definition
            for c in table.world.cards
            if c.definition.sample and not c.definition.abilities
        }.values()
    )


def others(card: CardDef, table: Table) -> list[CardDef]:
    """Other cards of its kind without a text, as what is printed on this one: those with different figures, each set of figures
    once, those that differ in the fewest first."""
    cards = load_book(table.book.name).cards
    sorts = sorts_of(cards)
    own, found = figures(card), dict[tuple[tuple[str, str], ...], CardDef]()
    for other in cards.values():
        if sort_of(other, sorts) == sort_of(card, sorts) and not other.abilities and figures(other) != own:
            found.setdefault(figures(other), replace(card, attributes=other.attributes))
    nearest = sorted(found, key=lambda printed: len({key for key, _ in {*printed} ^ {*own}}))
    return [found[printed] for printed in nearest[:MOST_OTHERS]]


def sorts_of(cards: Mapping[str, CardDef]) -> frozenset[str]:
    """What is printed on cards of a book in one word that is no number, yes or no: of what kind they are."""
    return frozenset(key for c in cards.values() for key, value in figures(c)
                     if not value.lstrip("+-").isdigit() and value not in (*YES, *NO))


def sort_of(card: CardDef, sorts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Of what kind it is."""
    return tuple(figure for figure in figures(card) if figure[0] in sorts)


def figures(card: CardDef) -> tuple[tuple[str, str], ...]:
    """What is printed on a card in one word or number each; not what it is called."""
    return tuple(sorted((key, value.text) for key, value in card.attributes.items() if not isinstance(value, tuple)))
