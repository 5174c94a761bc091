"""Players are asked in turn (for the tests of the language)."""
from rulewright.model.lang import *

from .turns import *


class Answers(State):
    passed: Annotated[int, Range(0, 9)]


class Unused(State):
    """No book has this part."""

    deepest: Annotated[int, Range(0, 9)]


@step
def sink(g: Unused) -> None:
    g.deepest += 1


@invariant
def not_too_deep(g: Unused) -> bool:
    return g.deepest < 9


@procedure
async def alternate(g: Turns, first: Player, offer: Procedure[[Player], bool]) -> None:
    """Beginning with `first` the players are asked in turn, until both in a row do nothing."""
    passes = 0
    who = first
    while passes < 2:
        acted = await offer(g, who)
        passes = 0 if acted else passes + 1
        who = other(who)


@procedure
async def one_by_one(g: Answers, entries: Define[[Player], Set[T]], by: Decider, handle: Step[[T], None]) -> None:
    """The entries of both players are handled, one after the other."""
    while any(has_entries(g, p, entries) for p in PLAYERS):
        entry = await choose(by, {e for p in PLAYERS for e in entries(g, p)})
        handle(g, entry)
        g.passed += 1


@define
def has_entries(g: Answers, p: Player, entries: Define[[Player], Set[T]]) -> bool:
    return len(entries(g, p)) > 0


@step
def for_each(g: Answers, cards: Set[Card], do: Step[[Card], None]) -> None:
    """The same for each card."""
    for c in cards:
        do(g, c)


@procedure
async def ask_about(g: Answers, thing: T, ask: Procedure[[T], bool]) -> bool:
    """Somebody is asked about it."""
    first = thing
    yes = await ask(g, first)
    if yes:
        g.passed += 1
    return yes


@define
def are_same(a: T, b: T) -> bool:
    return a == b
