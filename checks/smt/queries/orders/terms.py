"""Does it matter which of two waiting abilities comes first? Asked of every position, without a scenario.

Both orders are put together of two rounds (`resolving`): the second one is the terms of a round, with what the first one
leads to in the place of their variables. What is decided meanwhile is decided alike in both orders, ability by ability:
then equal results are equal sets of results. Where they differ, the interpreter says whether the sets do
(`telling`). What the two bring about waits until both are done.
"""
from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import z3

from .....model.ir.program import ContainerInfo
from ... import numbers as n
from ... import truths as t
from ...invariants import Held
from ...numbers import Val
from ...solving import check_within
from ...symbolic import evaluated, variable
from ...truths import Truth
from ..asking import Answered, Asker
from ..stops import each_situation, is_due
from ..substituting import Substitution, substituted
from .resolving import MUCH_MEANWHILE, Resolver, Resolving, Round, Row, TooMany, ability_column, cards_of, locals_of

GLANCE = 60
"""Milliseconds for a first look at whether something can be."""
AT_ONCE = 0.5
"""Seconds for z3's plain core, before a question is turned into bits at once."""
FIRST, SECOND = "one", "other"
"""The two that wait."""


@dataclass
class Order:
    """What comes of one order: `back`: both are done, in `row`, and `added` waits; `ends`: play ends, and who wins;
    `elsewhere`: the second cannot be taken next; `bad`: left out; `cut`: left out because it goes round too often."""

    back: Truth
    row: Row
    added: list[Val]
    ends: dict[tuple[str, str], tuple[Truth, Val]]
    elsewhere: Truth
    bad: Truth
    choices: dict[str, tuple[Truth, ...]]
    options: dict[str, list[Val]]
    cut: Truth = False

    @property
    def somewhere(self) -> Truth:
        """What was decided can be decided in this order."""
        return t.some((self.back, self.elsewhere, *(when for when, _ in self.ends.values())))

    def not_in(self, other: Order, alike: Truth) -> Truth:
        """This order leads to something that the other one, decided alike, does not lead to. What is nobody's choice here
        is taken there too, where it is one of several; what is nobody's choice there is alike."""
        same: list[Truth] = []
        refused: list[Truth] = []
        for name, (used, several, _, only) in self.choices.items():
            if name in other.choices:
                _, choice, wrong, _ = other.choices[name]
                same.append(t.either(t.no(used), several, t.no(choice), only))
                refused.append(t.both(used, wrong))
        return t.both(self.somewhere, *same, t.either(t.both(other.somewhere, t.no(alike)), *refused))

    def not_matched(self, other: Order, alike: Truth) -> Truth:
        """The other order, decided with what is taken here, does not lead to the same."""
        forced = [t.either(t.no(used), several, only) for used, several, _, only in self.choices.values()]
        return t.both(*forced, t.no(t.both(other.somewhere, alike)))


@dataclass(frozen=True)
class Response:
    """What is taken, decision by decision, in the order that is not `to` (0: the first of the two orders, 1: the second), to come to
    what that one led to."""

    to: int
    taken: tuple[tuple[int, ...], ...]


@dataclass
class Pairs(Asker):
    """Asks about two things that wait at a resolver, in a world with their cards."""

    resolver: Resolver = field(kw_only=True)

    def __post_init__(self) -> None:
        self.ranks: set[int] = set()
        super().__post_init__()
        self.machine = Resolving(self.program, self.resolver, self.is_possible)
        self.locals = locals_of(self.program, self.resolver)
        layout = self.layout
        self.ranks = set(range(layout.rank, layout.rank + layout.card_count))
        self.others = [k for k in range(len(layout.slots)) if k not in self.own]
        self.rounds: dict[tuple[int, str, bool], Round] = {}
        self.too_many: set[int] = set()
        """Abilities that lead to too many places."""

    def is_possible(self, condition: Truth) -> bool:
        """Can it be, as far as is known at once? What cannot be is not followed."""
        self.solver.push()
        self.solver.add(t.term(condition))
        found = check_within(self.solver, GLANCE)
        self.solver.pop()
        return found != z3.unsat

    def at_first(self, until: float) -> Answered:
        """As any question, but turned into bits at once before the plainest states are looked at: what two orders lead to is compared
        slot by slot, and that neither differs is shown sooner so."""
        answer = self.in_bits(min(until, time.monotonic() + AT_ONCE))
        if answer.unknown:
            answer = self.in_bits_at_once(time.monotonic() + (until - time.monotonic()) / 2)
        return super().at_first(until) if answer.unknown else answer

    # ------------------------------------------------------------ the two that wait
    @cached_property
    def multiset(self) -> ContainerInfo:
        return self.free.program.layout.containers[self.resolver.multiset]

    @cached_property
    def own(self) -> set[int]:
        """The slots of what waits."""
        return set(self.multiset.slots)

    @cached_property
    def entries(self) -> dict[str, list[Val]]:
        """The two things that wait."""
        types = [self.free.program.layout.slots[c].type for c in self.multiset.columns]
        return {who: [variable(f"{who}.{k}", of) for k, of in enumerate(types)] for who in (FIRST, SECOND)}

    def known_slots(self) -> dict[int, Val]:
        """Nothing else waits, and nothing is under way."""
        m, layout = self.multiset, self.free.program.layout
        nothing_else = {
            k: layout.slots[k].initial for other in layout.containers.values() if other is not m for k in other.slots
        }
        known: dict[int, Val] = {**super().known_slots(), **nothing_else, m.head: 2}
        for j, c in enumerate(m.columns):
            rows = [entry[j] for entry in self.entries.values()]
            known |= {c + k: rows[k] if k < 2 else layout.slots[c].initial for k in range(m.capacity)}
        return known

    def is_asked_of(self, held: Held) -> bool:
        return held.group != self.multiset.name or not held.what.endswith("is in order")

    def is_about(self, who: str, ability: int) -> Iterator[Truth]:
        """It is this ability, of a card that has it printed."""
        entry, of = self.entries[who], self.multiset.type
        yield n.equal(entry[ability_column(of)], ability)
        holders = [c for c in range(self.layout.card_count) if ability in self.printed(c)]
        yield t.some(self.there[c] for c in holders)
        about = list(cards_of(of, entry))
        for v, optional in about:
            yield t.some([n.equal(v, -1) if optional else False, *(n.equal(v, c) for c in holders)])
        for v, optional in about[1:]:
            yield t.either(n.equal(v, -1) if optional else False, n.equal(v, about[0][0]))

    def printed(self, card: int) -> range:
        """The numbers of the abilities that the card has."""
        definitions = self.free.world.definitions
        place = [d.id for d in definitions].index(self.free.world.cards[card].definition.id)
        begin = sum(len(d.abilities) for d in definitions[:place])
        return range(begin, begin + len(definitions[place].abilities))

    @cached_property
    def settled(self) -> list[Truth]:
        """Nothing is due that happens by itself, but what the resolver itself resolves: else it would have happened before."""
        return [t.no(is_due(self.symbolic, self.state, name, args))
                for name, args in each_situation(self.program) if name != self.resolver.chooser]

    # ------------------------------------------------------------ rounds and orders
    def round(self, ability: int, who: str, last: bool = False) -> Round:
        """The ability is taken first (or after the other: nothing else waits then). Raises Beyond."""
        if ability in self.too_many:
            raise TooMany(*MUCH_MEANWHILE)
        if (ability, who, last) not in self.rounds:
            entry = list(self.entries[who])
            entry[ability_column(self.multiset.type)] = ability
            other = None if last else self.entries[SECOND if who == FIRST else FIRST]
            try:
                self.rounds[ability, who, last] = self.machine.round(
                    self.state.slots, self.locals, entry, other, f"{who} {ability} "
                )
            except TooMany:
                self.too_many.add(ability)
                raise
        return self.rounds[ability, who, last]

    def order(self, first: tuple[int, str], then: tuple[int, str]) -> Order:
        """One after the other. Raises Beyond."""
        one, two = self.round(*first), self.round(*then, last=True)
        if not one.row.slots:
            return Order(False, one.row, [], one.ends, one.left, one.bad, one.choices, one.options, one.cut)
        ends = list(two.ends.items())
        row, change = self.between(one, two)
        made = [x for four in two.choices.values() for x in four]
        told, after, who = self.changed(
            change, two.row, row,
            [two.start, two.back, two.left, two.bad, two.cut, *made, *(when for _, (when, _) in ends)],
            [who for _, (_, who) in ends])
        start, back, left, bad, cut, *rest = told
        start, back, left, bad, cut = (t.both(one.back, x) for x in (start, back, left, bad, cut))
        made, ended = rest[:len(made)], [t.both(one.back, x) for x in rest[len(made):]]
        choices = dict(one.choices)
        for k, name in enumerate(two.choices):
            used, several, wrong, only = made[4 * k:4 * k + 4]
            choices[name] = t.both(one.back, used), t.both(one.back, several), t.both(one.back, wrong), only
        size, entries = after.slots[self.multiset.head], self.waiting(after)
        added = [one.row.slots[self.multiset.head], *(x for e in self.waiting(one.row)[1:] for x in e),
                 n.add(size, 1), *(x for e in entries[:-1] for x in e)]  # as if the other still waited before them
        out = Order(
            back,
            after,
            added,
            dict(one.ends),
            t.some([one.left, left, t.both(one.back, t.no(start))]),
            t.either(one.bad, bad),
            choices,
            one.options | two.options,
            t.either(one.cut, cut),
        )
        for (key, _), when, wins in zip(ends, ended, who, strict=True):
            before_, other = out.ends.get(key, (False, wins))
            out.ends[key] = t.either(before_, when), n.choose(when, wins, other)
        return out

    def between(self, one: Round, two: Round) -> tuple[Row, Substitution]:
        """The state in which the second of two rounds begins, after what is done before anything is taken; and what that makes of a state of
        which nothing is known."""
        row, waits = one.row, self.waiting(one.row)
        if two.before is not False:
            before, checked, _ = self.changed(self.change(row, waits[0]), two.checked, row, [two.before])
            slots = [
                n.choose(before[0], x, y, m)
                for x, y, m in zip(checked.slots, row.slots, self.machine.is_mask, strict=True)
            ]
            row = Row(slots, [n.choose(before[0], x, y) for x, y in zip(checked.locals, row.locals, strict=True)])
        return row, self.change(row, waits[0])

    def taking(self, order: Order, taken: Sequence[Sequence[Val]]) -> Substitution:
        """These options are taken: the first one the first time, whichever ability it is for."""
        return Substitution(
            [
                (v, x)
                for mine, theirs in zip(order.options.values(), taken, strict=False)
                for v, x in zip(mine, theirs, strict=False)
                if not isinstance(v, int)
                and (isinstance(x, int) or (n.lo_of(v), n.hi_of(v)) == (n.lo_of(x), n.hi_of(x)))
            ]
        )

    def decided_as(self, order: Order, taken: Sequence[Sequence[Val]]) -> Order:
        """The order, with these options taken."""
        change = self.taking(order, taken)
        ends = list(order.ends.items())
        made = [x for four in order.choices.values() for x in four]
        truths = [order.back, order.elsewhere, order.bad, *made, *(when for _, (when, _) in ends)]
        values = [*order.row.slots, *order.row.locals, *order.added, *(who for _, (_, who) in ends)]
        values, (back, elsewhere, bad, *rest) = substituted(change, values, truths)
        slots, locals_ = len(order.row.slots), len(order.row.slots) + len(order.row.locals)
        added = locals_ + len(order.added)
        return Order(
            back,
            Row(values[:slots], values[slots:locals_]),
            values[locals_:added],
            {key: (when, who) for (key, _), when, who in zip(ends, rest[len(made) :], values[added:], strict=True)},
            elsewhere,
            bad,
            {name: tuple(rest[4 * k : 4 * k + 4]) for k, name in enumerate(order.choices)},
            order.options,
        )

    def waiting(self, row: Row) -> list[list[Val]]:
        m = self.multiset
        return [[row.slots[c + k] for c in m.columns] for k in range(m.capacity)] if row.slots else []

    def change(self, row: Row, entry: Sequence[Val]) -> Substitution:
        """The state becomes this, and both that wait become this entry."""
        return Substitution([
            *((self.state.slots[k], row.slots[k]) for k in self.others),
            *zip(self.locals, row.locals, strict=True),
            *((v, x) for waits in self.entries.values() for v, x in zip(waits, entry, strict=True)),
        ])

    def changed(
        self, change: Substitution, then: Row, before: Row, truths: Sequence[Truth], values: Sequence[Val] = (),
    ) -> tuple[list[Truth], Row, list[Val]]:
        """What came of any state, come of this one; the truths and values of it."""
        if not then.slots:
            new, said = substituted(change, values, truths)
            return said, Row(list(before.slots), list(before.locals)), new
        moved = [k for k, v in enumerate(then.slots) if k in self.own or not n.same(v, self.state.slots[k])]
        found, said = substituted(change, [*(then.slots[k] for k in moved), *then.locals, *values], truths)
        slots = list(before.slots)
        for k, v in zip(moved, found, strict=False):
            slots[k] = v
        rest = found[len(moved):]
        return said, Row(slots, rest[:len(then.locals)]), rest[len(then.locals):]

    # ------------------------------------------------------------ questions
    def both_wait(self, a: int, b: int) -> list[Truth]:
        """Both can be taken."""
        differ = t.no(t.every(n.equal(x, y) for x, y in zip(*self.entries.values(), strict=True)))
        return [
            *self.settled, *map(n.in_bounds, self.locals), *self.is_about(FIRST, a), *self.is_about(SECOND, b), differ,
            self.round(a, FIRST).start, self.round(b, SECOND).start]

    def goes_round(self, a: int, b: int) -> list[Truth]:
        """Both can be taken, and one of the orders goes round too often to be looked at. Raises Beyond."""
        return [*self.both_wait(a, b), t.some(o.cut for o in self.orders(a, b))]

    def both_done(self, a: int, b: int) -> list[Truth]:
        """Both can be taken, and neither order leads beyond what is looked at: else nothing could ever be found. Raises
        Beyond."""
        orders = self.orders(a, b)
        return [*self.both_wait(a, b), *(t.no(o.bad) for o in orders), *(o.somewhere for o in orders)]

    def differ(
        self, a: int, b: int, ranks: bool, in_turn: bool = False, responses: Sequence[Response] = ()
    ) -> list[Truth]:
        """The two orders lead to different results (`ranks`: or only to other orders of ordered zones), where neither
        leads beyond what is looked at; decided alike, ability by ability, and (`in_turn`) time by time too, and also where
        the other order is decided as in one of the `responses`. Raises Beyond."""
        orders = self.orders(a, b)
        unlike: list[Truth] = []
        for k, (mine, theirs) in enumerate((orders, orders[::-1])):
            way = [mine.not_in(theirs, self.alike(mine, theirs, ranks))]
            if in_turn:
                again = self.decided_as(theirs, list(mine.options.values()))
                way.append(mine.not_matched(again, self.alike(mine, again, ranks)))
            for response in responses:
                if response.to == k:
                    again = self.decided_as(theirs, response.taken)
                    way.append(t.no(t.both(again.somewhere, self.alike(mine, again, ranks))))
            unlike.append(t.every(way))
        return [*self.both_wait(a, b), *(t.no(o.bad) for o in orders), t.some(unlike)]

    def responses(self, a: int, b: int, ranks: bool, model: z3.ModelRef) -> list[Response]:
        """Where the orders, decided as the model says, lead to different results: how the other order has to be decided to
        lead to the same after all, if it can. (So a quantifier over decisions is put together of those that matter:
        counterexample-guided, Janota and others 2016.) Raises Beyond."""
        orders = self.orders(a, b)
        here = [
            n.equal(v, evaluated(model, v))
            for v in (*self.state.slots, *self.locals, *(x for e in self.entries.values() for x in e))
        ]
        out: list[Response] = []
        for k, (mine, theirs) in enumerate((orders, orders[::-1])):
            taken = [[evaluated(model, v) for v in option] for option in mine.options.values()]
            fixed = self.decided_as(mine, taken)
            somewhere = z3.is_true(model.eval(t.term(mine.somewhere), model_completion=True))
            found = self.possible(*here, theirs.somewhere, self.alike(fixed, theirs, ranks)) if somewhere else None
            if found is not None and found.model is not None:
                out.append(
                    Response(
                        k, tuple(tuple(evaluated(found.model, v) for v in option) for option in theirs.options.values())
                    )
                )
        return out

    def orders(self, a: int, b: int) -> tuple[Order, Order]:
        """Both orders of two abilities. Raises Beyond."""
        return self.order((a, FIRST), (b, SECOND)), self.order((b, SECOND), (a, FIRST))

    def alike(self, one: Order, two: Order, ranks: bool) -> Truth:
        """Do both orders lead to the same?"""
        alike = [t.both(one.back, two.back, self.equal(one, two, ranks))]
        for key in one.ends.keys() & two.ends.keys():
            (x, wins), (y, other) = one.ends[key], two.ends[key]
            alike.append(t.both(x, y, n.equal(wins, other)))
        return t.some(alike)

    def equal(self, one: Order, two: Order, ranks: bool) -> Truth:
        """Are the states equal, and what waits?"""
        if not one.row.slots or not two.row.slots:
            return False
        k = len(one.added) // 2
        added = zip(one.added, [*two.added[k:], *two.added[:k]], strict=True)
        slots = [j for j in self.others if ranks or j not in self.ranks]
        return t.every((
            *(n.equal(x, y) for x, y in added), *(n.equal(one.row.slots[j], two.row.slots[j]) for j in slots),
            *(n.equal(x, y) for x, y in zip(one.row.locals, two.row.locals, strict=True))))
