"""Pairs of abilities that wait, asked about in every position, beside both orders carried out in positions drawn by lot.

Of two that are told to lead to the same, in both orders the same must be come to and brought about by the same players.
"""
from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from rulewright.checks.smt.queries.orders.all_pairs import Orders, orders_of
from rulewright.checks.smt.queries.orders.pair import PairAnswer
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State
from rulewright.model.ir.program import DUE
from rulewright.model.ir.types import AbilityType, OptionType

from .books import Book, Part, placed
from .compare import Untrue
from .judge import Looks, TooLarge, World, explored
from .orders import Follows
from .questions import NAME, as_a_users

POSITIONS, MOST = 60, 400
SAME, REACHED = "two abilities told to lead to the same in both orders do not", "two abilities told to reach the same in both orders do not"
PAIRING = (SAME, REACHED)


def begun(book: Book, luck: random.Random) -> tuple[World, tuple[str, str]] | None:
    """A position by lot in which two abilities wait, and what follows; None where it leads too far."""
    powers = [p for p, texts in book.texts.items() if any("when" in t for t in texts)]
    two = [luck.choice(powers) for _ in range(2)]
    cards = tuple((p, luck.choice((0, 1))) for p in (*two, *(p for p, _ in book.cards if p not in book.texts)))
    b = replace(book, cards=cards, rules=(*book.rules[:-1], replace(book.rules[-1], body=(Part(f"await resolve(g, {luck.choice(('FIRST', 'SECOND'))})"),))))
    program = b.program(b.world(capacities=b.capacities, stack_depth=60))
    slots, m = placed(b, program, luck), program.layout.containers["w"]
    ability = m.type.flat()[0]
    assert isinstance(ability, AbilityType)
    entries, number = list[tuple[int, ...]](), [d.id for d in b.world().definitions]
    for card, power in enumerate(two):
        before = sum(len(book.texts.get(int(x.removeprefix("POWER-")), ())) for x in number[:number.index(f"POWER-{power}")])
        which = next(k for k, t in enumerate(book.texts[power]) if "when" in t)
        this = m.type.flat()[1]
        assert isinstance(this, OptionType)
        entries.append((before + which, card if luck.random() < 0.85 else this.none, *(x.lo for x in m.type.flat()[2:])))
    if entries[0] == entries[1]:
        return None
    slots[m.head] = 2
    for n, entry in enumerate(sorted(entries)):
        for c, v in zip(m.columns, entry, strict=True):
            slots[c + n] = v
    engine = Interpreter(program)
    if DUE in program.functions and engine.evaluate(DUE, State(tuple(slots), ())) != 0:
        return None  # it would have happened before
    try:
        return explored(engine, slots, Looks(engine, (), 60), 10**6, MOST, 0), (f"POWER-{two[0]}", f"POWER-{two[1]}")
    except TooLarge:
        return None


def told_of_pairs(book: Book, luck: random.Random, seconds: float = 2.0) -> tuple[list[Untrue], dict[str, int]]:
    """What is told of pairs of abilities and not so; and how much is told."""
    with as_a_users(book):
        out = Orders(NAME, {}, seconds)
        orders_of(out)
    said: dict[frozenset[str], PairAnswer] = {frozenset((a.pair.one.card.id, a.pair.other.card.id)): a for a in out.answers}
    counts = Counter(f"told: two abilities, {a.said}" for a in out.answers)
    false = dict[str, Untrue]()
    for _ in range(POSITIONS):
        here = begun(book, luck)
        if here is None:
            continue
        world, two = here
        k = next((k for k in range(len(world.states)) if len(world.graph.edges[k]) > 1), None)
        answer = said.get(frozenset(two))
        at = world.engine.point(world.states[k]) if k is not None else None
        if k is None or answer is None or at is None or at.type != world.engine.program.layout.containers["w"].type:
            continue
        f = Follows(world, k, ends_alone=True)
        if not f.known or len(f.options) != 2:
            continue
        how = "differ" if f.differ else "brought about otherwise" if f.parted else "same"
        counts[f"compared: a pair told as {answer.said}, truly {how}"] += 1
        if answer.said in ("disjoint", "commute") and how != "same":
            false.setdefault(SAME, Untrue(SAME, f"{sorted(two)} {answer.said}: {how} in {world.states[k]}"))
        if answer.said == "reached" and how == "differ":
            false.setdefault(REACHED, Untrue(REACHED, f"{sorted(two)}: {world.states[k]}"))
    return list(false.values()), dict(counts)
