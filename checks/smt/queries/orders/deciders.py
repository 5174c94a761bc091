"""Two orders lead to the same results. Is it the same game, too: do the same decide the same, knowing the same?

Three ways to show that, each a question of its own that z3 has to refute:

1. *One player decides everything*, in both orders. Who decides alone can bring about whatever can be reached.
2. *Each ability is decided alike*: whatever is taken, the same choices come up for each ability in both orders, of the same one, between the same options
   (of chance: with the same weights), and decided alike they lead to the same; and where both have something to decide, it is the same player's, or
   chance's, all of it, or what is decided for one of the two changes nothing. Then it is no use to know what was decided before.
3. *Decided in turn*: what is decided first, second … is the same in both orders, whichever ability it is for.

Nobody knows who decides what the rules give to nobody, so two such choices are never taken to be the same one's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product, zip_longest

import z3

from .....model.engine.state import CHANCE
from ... import numbers as n
from ... import truths as t
from ...numbers import Val
from ...transitions import Question
from ...truths import Truth
from ..substituting import Substitution, substituted
from .terms import FIRST, SECOND, Order, Pairs

ONE_PLAYERS, ALIKE, IN_TURN, EITHER = (
    "decided by one player",
    "decided alike",
    "decided in turn",
    "decided alike or in turn",
)
"""The ways to show that it is the same game. The last one is enough: in each position one of the others. It takes z3 longer."""


@dataclass(frozen=True)
class Decision:
    """Something to decide: when it comes up with several options, and the question then."""

    when: Truth
    asked: Question


@dataclass
class Deciders:
    """Who decides what in both orders of two abilities that wait."""

    pairs: Pairs
    one: int
    other: int

    @cached_property
    def orders(self) -> tuple[Order, Order]:
        return self.pairs.orders(self.one, self.other)

    @cached_property
    def decisions(self) -> tuple[dict[str, Decision], dict[str, Decision]]:
        """What is decided in each order, by the names of `Order.choices`. Raises Beyond."""
        a, b = (self.one, FIRST), (self.other, SECOND)
        return self.decided(self.orders[0], a, b), self.decided(self.orders[1], b, a)

    def decided(self, order: Order, first: tuple[int, str], then: tuple[int, str]) -> dict[str, Decision]:
        one, two = self.pairs.round(*first), self.pairs.round(*then, last=True)
        asked = dict(one.asked)
        if one.row.slots and two.asked:
            asked |= zip(two.asked, after(self.pairs.between(one, two)[1], list(two.asked.values())), strict=True)
        return {
            name: Decision(several, asked[name])
            for name, (_, several, *_) in order.choices.items()
            if several is not False
        }

    @property
    def is_nobodys(self) -> bool:
        """Is there never anything to decide?"""
        return not any(self.decisions)

    def ways(self) -> Iterator[tuple[str, list[Truth]]]:
        """For each way what must not be possible (the later ones are asked of positions that the first does not settle). Raises Beyond."""
        several = self.not_one_players()
        yield ONE_PLAYERS, [*self.begun(), several]
        alike = [
            *self.begun(),
            several,
            t.some(o.somewhere for o in self.orders),
            t.either(self.unlike_by_ability(), self.matters()),
        ]
        yield ALIKE, alike
        in_turn = t.some(self.unlike_in_turn(k) for k in range(2))
        yield IN_TURN, [*self.begun(), several, in_turn]
        yield EITHER, [*alike, in_turn]

    def knowing_more(self) -> list[Truth]:
        """Where it is likely that more can be brought about in one order: who decides last knows what was decided before."""
        return [*self.begun(), self.matters()]

    def begun(self) -> list[Truth]:
        """Both can be taken, and neither order leads beyond what is looked at."""
        return [*self.pairs.both_wait(self.one, self.other), *(t.no(o.bad) for o in self.orders)]

    # ------------------------------------------------------------ one player decides everything
    @cached_property
    def somehow(self) -> tuple[dict[str, Decision], dict[str, Decision]]:
        """The same decisions in some play from the same position, whatever is taken in the play that is asked about otherwise."""
        one, two = (self.elsewhere(order, made) for order, made in zip(self.orders, self.decisions, strict=True))
        return one, two

    def elsewhere(self, order: Order, decisions: Mapping[str, Decision]) -> dict[str, Decision]:
        change = self.pairs.taking(order, self.others(order, list(order.options), "somehow"))
        owners, whens = substituted(
            change, [d.asked.owner for d in decisions.values()], [d.when for d in decisions.values()]
        )
        return {
            name: Decision(when, replace(d.asked, owner=owner))
            for (name, d), when, owner in zip(decisions.items(), whens, owners, strict=True)
        }

    def not_one_players(self) -> Truth:
        """Two things are decided by two, or one by nobody or chance. (What comes up first in an order does so whatever is taken, so it is
        enough to look at what comes up when the same is taken in both.)"""
        found = [d for decisions in self.somehow for d in decisions.values()]
        return t.some(
            (
                *(t.both(d.when, t.no(n.at_most(0, d.asked.owner))) for d in found),
                *(
                    t.both(x.when, y.when, t.no(n.equal(x.asked.owner, y.asked.owner)))
                    for k, x in enumerate(found)
                    for y in found[:k]
                ),
            )
        )

    # ------------------------------------------------------------ each ability is decided alike
    def unlike_by_ability(self) -> Truth:
        """Something comes up in one order and not in the other, or is not the same there."""
        mine, theirs = self.decisions
        return t.some((*(unlike(mine.get(name), theirs.get(name)) for name in mine | theirs), self.not_alike()))

    def not_alike(self) -> Truth:
        """Decided alike, ability by ability, the orders do not lead to the same."""
        mine, theirs = self.orders
        return t.no(t.both(mine.somewhere, theirs.somewhere, self.pairs.alike(mine, theirs, True)))

    def mixed(self) -> Truth:
        """Both abilities have something to decide, and it is not one player's, or chance's, all of it."""
        made = self.somehow[0].items()
        return t.some(
            t.both(
                x.when,
                y.when,
                t.either(t.no(n.equal(x.asked.owner, y.asked.owner)), t.no(n.at_most(CHANCE, x.asked.owner))),
            )
            for (one, x), (other, y) in product(made, made)
            if is_of(one, FIRST) and is_of(other, SECOND)
        )

    def matters(self) -> Truth:
        """Both have something to decide, not one player or chance all of it, and what is decided matters for either. (Where both matter in some play,
        they do so in one and the same.)"""
        return t.both(self.mixed(), self.changes_something(FIRST), self.changes_something(SECOND))

    def changes_something(self, who: str) -> Truth:
        """If something else is taken for one of the two and the same for the other one, it leads to something else, or beyond what is looked at."""
        order = self.orders[0]
        own = [name for name in order.options if is_of(name, who)]
        other = self.pairs.decided_as(order, self.others(order, own, "else"))
        return t.both(
            order.somewhere, t.either(other.bad, t.both(other.somewhere, t.no(self.pairs.alike(order, other, True))))
        )

    def others(self, order: Order, names: Sequence[str], called: str) -> list[list[Val]]:
        """What is taken in an order, something else for the decisions of these names."""
        return [[again(v, called) for v in taken] if name in names else taken for name, taken in order.options.items()]

    # ------------------------------------------------------------ decided in turn
    def unlike_in_turn(self, k: int) -> Truth:
        """In some play of order k, and the other one with the same taken at first, then, and so on, something else comes up, or it leads elsewhere."""
        mine, theirs = self.orders[k], self.orders[1 - k]
        taken = self.others(mine, list(mine.options), "in turn")
        here, there = self.pairs.decided_as(mine, taken), self.pairs.decided_as(theirs, taken)
        made = self.then(here, self.decisions[k], self.pairs.taking(mine, taken))
        same = self.then(there, self.decisions[1 - k], self.pairs.taking(theirs, taken))
        parts = [unlike(made.get(x or ""), same.get(y or "")) for x, y in zip_longest(mine.choices, theirs.choices)]
        return t.both(here.somewhere, t.no(here.bad), t.no(there.bad), t.some((
            *parts, t.no(t.both(there.somewhere, self.pairs.alike(here, there, True))))))

    def then(self, order: Order, decisions: Mapping[str, Decision], change: Substitution) -> dict[str, Decision]:
        """What is decided, where other options are taken."""
        asked = after(change, [d.asked for d in decisions.values()])
        return {name: Decision(order.choices[name][1], q) for name, q in zip(decisions, asked, strict=True)}


def unlike(one: Decision | None, other: Decision | None) -> Truth:
    """Only one of two things is to be decided, or not by the same one between the same options."""
    if one is None or other is None:
        return False if one is other else (one or other).when  # pyright: ignore[reportOptionalMemberAccess]
    return t.both(t.either(one.when, other.when), t.no(t.both(one.when, other.when, is_same(one.asked, other.asked))))


def is_same(one: Question, other: Question) -> Truth:
    """The same one decides between the same options, offered one by one in the same way (so chance has the same weights)."""
    if one.is_subset != other.is_subset or [len(v) for _, v in one.offers] != [len(v) for _, v in other.offers]:
        return False
    parts: list[Truth] = [n.equal(one.owner, other.owner)]
    if one.is_subset:
        parts += (
            n.equal(x, y) for x, y in ((one.among, other.among), (one.least, other.least), (one.most, other.most))
        )
    for (there, values), (here, same) in zip(one.offers, other.offers, strict=True):
        parts += t.equal(there, here), t.either(t.no(there), t.every(map(n.equal, values, same)))
    return t.every(parts)


def is_of(name: str, who: str) -> bool:
    """Is it decided for this one of the two?"""
    return name.startswith(f"{who} ")


def again(v: Val, called: str) -> Val:
    """Another variable like this one."""
    if isinstance(v, n.Num):
        return n.variable(f"{v.term} {called}", v.lo, v.hi)
    return (
        v if isinstance(v, int) else n.bits_of([b if isinstance(b, bool) else z3.Bool(f"{b} {called}") for b in v.bits])
    )


def after(change: Substitution, asked: Sequence[Question]) -> list[Question]:
    """The same questions in a state that something came of."""
    values = [
        v for q in asked for v in (q.owner, q.among, q.least, q.most, *(x for _, option in q.offers for x in option))
    ]
    found, there = substituted(change, values, [x for q in asked for x, _ in q.offers])
    new, truths = iter(found), iter(there)

    def again(q: Question) -> Question:
        owner, among, least, most = (next(new) for _ in range(4))
        offers = tuple((next(truths), tuple(next(new) for _ in option)) for _, option in q.offers)
        return Question(owner, q.type, offers, among, least, most, q.is_subset, q.clause, q.reading)
    return [again(q) for q in asked]
