"""What a position refers to exists: a card, and what only cards bring along (their words, their abilities)."""
from __future__ import annotations

from functools import cache

import pytest

from rulewright.checks.smt import masks
from rulewright.checks.smt import numbers as n
from rulewright.checks.smt import truths as t
from rulewright.checks.smt.queries.asking import Asker
from rulewright.checks.smt.worlds import free_world
from rulewright.model.ir.types import AbilityType, EnumType, OptionType, SetType, Type


@cache
def asker(book: str) -> Asker:
    return Asker(free_world(book, 6))


def inner(of: Type) -> Type:
    return of.inner if isinstance(of, OptionType | SetType) else of


def abilities_that_wait(a: Asker) -> list[tuple[int, int]]:
    """Containers' first entries: the slot of their size, and the slot of the ability that waits."""
    return [
        (m.head, c) for m in a.layout.containers.values() if not m.is_pool
        for c in m.columns if m.capacity and isinstance(inner(a.layout.slots[c].type), AbilityType)]


@pytest.mark.parametrize("exists", [True, False])
def test_an_ability_waits_only_where_a_card_has_it(exists: bool) -> None:
    a = asker("ts_fight")
    head, slot = abilities_that_wait(a)[0]
    for ability, cards in enumerate(a.havers):
        waits = t.both(n.less(0, a.state.slots[head]), n.equal(a.state.slots[slot], ability))
        there = t.some(a.there[c] for c in cards)
        answer = a.possible(waits, there if exists else t.no(there))
        assert not answer.unknown and (answer.model is not None) is exists


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("field", ["events_named", "card.persons_were"])
def test_a_word_is_one_of_a_card_that_exists(field: str, exists: bool) -> None:
    """hanayome: names of cards that were played, and persons that a card has had."""
    a = asker("hanayome")
    slot = next(k for k, s in enumerate(a.layout.slots) if s.name.startswith(field))
    words = inner(a.layout.slots[slot].type)
    assert isinstance(words, EnumType)
    for k in range(words.listed, len(words.members)):
        there = t.some(a.there[c] for c in a.words[words.members[k]])
        answer = a.possible(masks.member(k, a.state.slots[slot]), there if exists else t.no(there))
        assert not answer.unknown and (answer.model is not None) is exists
