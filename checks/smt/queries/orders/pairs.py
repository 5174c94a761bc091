"""The pairs of abilities of a card pool that can wait together, and what is asked of one: does it matter which comes first?"""
from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

import z3

from .....model.engine.library import Book
from .....model.ir.program import Layout, Program
from .....model.lang.world import CardDef
from .....spec.text import Text
from ....findings.record import Bounds
from ... import numbers as n
from ... import truths as t
from ...numbers import Beyond
from ...solving import Query, check_within, query, within
from ...symbolic import evaluated
from ...truths import Truth
from ...worlds import FreeWorld, free_world
from ..asking import SECONDS, Answered
from ..position import AnotherForm
from ..report import NOT_SMALLEST
from ..telling import Disagreement
from .deciders import EITHER, Deciders
from .drawn import Drawn, Positions, without_the_others
from .footprints import Accesses
from .pair import Kind, Pair, PairAnswer, both_said
from .replaying import moved_to_few_cards, replayed
from .resolving import NotResolvedHere, Resolver, TooMany, is_told_elsewhere, place, resolver_at, resolvers
from .telling import TooMuch, order_finding
from .terms import Pairs, Response
from .waiting import able_to_wait

BESIDE = 2
"""Cards without abilities of their own that may be there beside those of the two."""
GROUP = 4
"""Cards of a pool for which one world is compiled, together with as many others."""
PILED = 6
"""Cards without abilities that may be there where positions are drawn by lot."""
DRAWING = 1.0
"""Seconds of the processor for the positions that are drawn for one pair, at most; and for making one of them smaller."""
SOME = 3
"""Questions that are too large at a place, before positions are drawn there first."""
ATTEMPTS = 12
"""Positions that are looked at where z3 says that the orders differ and the interpreter, with all choices, that they do not. Each
teaches how the other order is decided to lead to the same (`Pairs.responses`)."""
MOST_TOLD = 4
"""Positions drawn by lot that are carried out again without the cards that do not exist, for one pair; and those in which z3 cannot show that
the same can be brought about that are looked at by the interpreter."""
TOGETHER = 6
"""Cards of which is asked at a time which of their abilities can come to wait."""

NOT_DRAWN = Text(ja="両方を先に処理できる局面がくじで引けなかった", en="no position was drawn in which both can be taken")
NO_DIFFERENCE = Text(
    ja="くじで引いた局面では違いが出なかった", en="no difference in positions that were drawn by lot"
)
SAME_WITHOUT = Text(
    ja="ないカードを除くと、どちらの順番でも同じ", en="without the cards that do not exist both orders lead to the same"
)
ONLY_EQUALS = Text(
    ja="違うのは同じカードの入れ替わりだけ", en="what differs cannot be seen: equal cards have changed places"
)
GOES_ROUND = Text(
    ja="どちらかの順番では、同じ所を何度も繰り返すことがあり、その先は比べていない",
    en="one of the orders may go round so often that not all of it is compared",
)
LEADS_BEYOND = Text(ja="どちらの順番も、調べる範囲の先へ続く", en="both orders lead beyond what is looked at")
BY_WHOM = Text(
    ja="実現できる人が同じだとは示せなかった", en="it was not shown that the same players can bring them about"
)
ELSEWISE = Text(
    ja="見つかった局面では、ほかの選択をすればどちらの順番でも同じ", en="decided otherwise, both orders lead to the same in the position that was found"
)


@dataclass
class PoolOrders:
    """The pairs of a card pool, ready to be asked about."""

    book: Book
    cards: Sequence[CardDef]
    readings: Mapping[str, str]
    seconds: float = SECONDS
    worlds: dict[tuple[tuple[str, ...], bool], FreeWorld] = field(
        default_factory=dict[tuple[tuple[str, ...], bool], FreeWorld]
    )
    """The last ones only: all pairs of a world's cards are asked about before the next is made (`by_world`)."""
    asked: dict[tuple[str, str, bool], Pairs] = field(default_factory=dict[tuple[str, str, bool], Pairs])
    """Who asks about the cards of the last pair."""
    refused: list[tuple[str, Text]] = field(default_factory=list[tuple[str, Text]])
    too_many: set[tuple[tuple[str, str, str], str]] = field(default_factory=set["tuple[tuple[str, str, str], str]"])
    """Abilities that lead to too many places, once this was found: they are not tried again with every other one."""
    alone: set[Pair] = field(default_factory=set[Pair])
    """Pairs that need a world of their own: what waits has another form with more cards."""
    drawing: float = DRAWING
    hard: set[tuple[str, str, str]] = field(default_factory=set["tuple[str, str, str]"])
    """Places where questions were too large: there positions are drawn first."""
    too_large: dict[tuple[str, str, str], int] = field(default_factory=dict["tuple[str, str, str]", int])
    """How many were, by place."""
    left_out: dict[str, None] = field(default_factory=dict[str, None])
    """What waits and is told elsewhere than where it waits: that is not asked about."""

    # ------------------------------------------------------------ what can wait
    @cached_property
    def plain(self) -> list[tuple[str, int]]:
        """Cards without abilities, as far as there are any."""
        few = [c for c in (*self.cards, *self.book.cards.values()) if not c.abilities][:1]
        return [(c.id, k % 2) for k in range(PILED) for c in few]

    def world(self, cards: Sequence[tuple[str, int]]) -> FreeWorld:
        known = {c.id: c for c in self.cards}
        return free_world(self.book.name, cards, readings=self.readings, defined=known, partly=True)

    @cached_property
    def kinds(self) -> list[Kind]:
        """The abilities that can wait, by the place where they are resolved, in the order of the cards."""
        with_text = [c for c in self.cards if any("text" in a.scripts for a in c.abilities)]
        out: list[Kind] = []
        for k in range(0, len(with_text), TOGETHER):
            some = with_text[k:k + TOGETHER]
            more = with_text[:1] if len(some) == 1 else []
            free = self.world([*((c.id, 0) for c in (*some, *more)), *self.plain[:1]])
            by_id = {a.id: c for c in some for a in c.abilities}
            for r in resolvers(free.program):
                if is_told_elsewhere(free.program, free.program.layout.containers[r.multiset].type):
                    self.left_out[r.multiset] = None
                    continue
                try:
                    for number in self.waiting(free, r):
                        ability = free.world.abilities[number]
                        if ability.id in by_id and "text" in ability.scripts:
                            out.append(Kind(place(r), by_id[ability.id], ability.id))
                except Beyond as e:
                    self.refused.append((f"order {r.loop}", e.why))
        position = {a.id: k for k, a in enumerate(a for c in self.cards for a in c.abilities)}
        return sorted({(k.where, k.ability): k for k in out}.values(), key=lambda k: (k.where, position[k.ability]))

    def waiting(self, free: FreeWorld, r: Resolver) -> list[int]:
        """The abilities of a world that can come to wait."""
        symbolic = free.symbolic
        state = symbolic.fresh_state()
        solver = z3.SimpleSolver()
        solver.add(*(t.term(h.condition) for h in symbolic.invariants(state, books=False, nowhere=True)))

        def possible(condition: Truth) -> bool:
            if isinstance(condition, bool):
                return condition
            solver.push()
            solver.add(condition)
            found = check_within(solver, 1000)
            solver.pop()
            return found != z3.unsat
        return sorted(set(able_to_wait(symbolic.program, r, state, possible)))

    @cached_property
    def pairs(self) -> list[Pair]:
        """All pairs, each once: the question is the same for both orders of naming them."""
        return [Pair(a, b) for k, a in enumerate(self.kinds) for b in self.kinds[k:] if a.where == b.where]

    @cached_property
    def accesses(self) -> dict[tuple[str, str, str], Accesses]:
        """What each ability touches, by the place where it is resolved."""
        return {place(r): Accesses(self.whole, r) for r in resolvers(self.whole)}

    @cached_property
    def whole(self) -> Program:
        """The book with all of the cards."""
        return self.world([(c.id, k % 2) for k, c in enumerate(self.cards)]).program

    def is_disjoint(self, pair: Pair) -> bool:
        """Do footprints show that the order does not matter?"""
        return self.accesses[pair.one.where].settles(pair.one.ability, pair.other.ability)

    def is_settled(self, pair: Pair) -> bool:
        """Do they also show that nobody can bring about more in one order than in the other?"""
        return self.is_disjoint(pair) and self.accesses[pair.one.where].is_decided_apart(
            pair.one.ability, pair.other.ability
        )

    # ------------------------------------------------------------ worlds
    @cached_property
    def groups(self) -> dict[str, int]:
        """Cards that can wait, by the group they belong to: a world has the cards of two groups."""
        return {card: k // GROUP for k, card in enumerate(dict.fromkeys(k.card.id for k in self.kinds))}

    def group(self, pair: Pair) -> tuple[int, int]:
        one, other = sorted(self.groups[k.card.id] for k in (pair.one, pair.other))
        return one, other

    def by_world(self) -> list[Pair]:
        """All pairs; those that are asked about in one world, one after the other."""
        return sorted(self.pairs, key=self.group)

    def world_of(self, pair: Pair) -> FreeWorld:
        """The world with the pair's cards: compiled once for many pairs. With more cards than those of a pair some do not exist, which
        not every rule takes well, and what waits can have another form: then the pair has a world of its own."""
        groups, both = self.group(pair), {pair.one.card.id, pair.other.card.id}
        alone = pair in self.alone
        cards = tuple(c for c, group in self.groups.items() if (c in both if alone else group in groups))
        if (cards, alone) not in self.worlds:
            if len(self.worlds) > 1:
                self.worlds.clear()
                self.asked.clear()
            beside = self.plain[:BESIDE] if alone else self.plain
            self.worlds[cards, alone] = self.world([(c, owner) for c in cards for owner in (0, 1)] + beside)
        return self.worlds[cards, alone]

    def present(self, free: FreeWorld, pair: Pair, beside: int) -> list[int]:
        """The cards of the world that are there: the pair's, and so many without abilities."""
        mine, plain = {pair.one.card.id, pair.other.card.id}, {c for c, _ in self.plain}
        cards = [c.definition.id for c in free.world.cards]
        return [
            k for k, c in enumerate(cards) if c in mine or (c in plain and sum(x in plain for x in cards[:k]) < beside)
        ]

    # ------------------------------------------------------------ one pair
    def asker(self, pair: Pair) -> tuple[Pairs, int, int]:
        """Who asks about a pair, and the numbers of the two abilities."""
        a, b = pair.one.card, pair.other.card
        free = self.world_of(pair)
        key = (a.id, b.id, pair in self.alone)
        if key not in self.asked or place(self.asked[key].resolver) != pair.one.where:
            r = resolver_at(free.program, pair.one.where)
            others = set(range(len(free.world.cards))) - set(self.present(free, pair, BESIDE))
            self.asked = {key: Pairs(free, self.seconds, absent(free.program.layout, sorted(others)), resolver=r)}
        pairs = self.asked[key]
        ids = [x.id for x in free.world.abilities]
        one, other = ids.index(pair.one.ability), ids.index(pair.other.ability)
        pairs.too_many |= {k for k in (one, other) if (pair.one.where, ids[k]) in self.too_many}
        return pairs, one, other

    def conditions(self, pair: Pair, ranks: bool = True) -> tuple[Pairs, list[Truth]]:
        """The question whether the order matters. Raises Beyond."""
        pairs, a, b = self.asker(pair)
        return pairs, pairs.differ(a, b, ranks)

    def query(self, pair: Pair, which: str = "") -> Query:
        """The question for any solver: do the orders lead to different results, or can it not be shown in one of the ways of `Deciders` that the same
        game follows? Raises Beyond."""
        pairs, conditions = self.conditions(pair)
        if which:
            _, one, other = self.asker(pair)
            conditions = dict(Deciders(pairs, one, other).ways())[which]
        return query(" ".join((pair.name, which)).rstrip(), [*pairs.assumed, *conditions])

    def queries(self) -> Iterator[Query]:
        """All questions that footprints do not answer and that the translation takes, for any solver."""
        for pair in self.pairs:
            if self.is_settled(pair):
                continue
            try:
                yield self.query(pair)
                if not Deciders(*self.asker(pair)).is_nobodys:
                    yield self.query(pair, EITHER)
            except Beyond:
                continue

    def answer(self, pair: Pair, smallest: bool = True, patient: bool = True) -> PairAnswer:
        """Ask about a pair; a difference is carried out by the interpreter before it is one. Where questions are too large,
        positions are drawn first, and unless `patient` nothing else is done there."""
        if self.is_settled(pair):
            return PairAnswer(pair, "disjoint")
        try:
            said = self.found_or_asked(pair, smallest, patient)
        except NotResolvedHere as e:
            return PairAnswer(pair, "unknown", e.why)
        except AnotherForm as e:
            if pair in self.alone:
                return PairAnswer(pair, "unknown", e.why)
            self.alone.add(pair)
            return self.answer(pair, smallest, patient)
        if said.said == "unknown" and not said.left_for_later and self.is_disjoint(pair):
            return PairAnswer(pair, "reached", said.why)
        return said

    def found_or_asked(self, pair: Pair, smallest: bool, patient: bool) -> PairAnswer:
        drawn: PairAnswer | None = None
        if pair.one.where in self.hard:
            drawn = self.drawn(pair, smallest)
            if drawn.said != "unknown" or not patient:
                drawn.left_for_later = drawn.said == "unknown"
                return drawn
        asked = self.asked_of_all(pair, smallest)
        if asked.said == "unknown" and drawn is None:
            drawn = self.drawn(pair, smallest)
        return asked if asked.said != "unknown" or drawn is None else replace(
            drawn, why=both_said(asked.why, drawn.why) if drawn.said == "unknown" else None)

    def asked_of_all(self, pair: Pair, smallest: bool) -> PairAnswer:
        """Ask z3 about every position."""
        try:
            return self.answered(pair, smallest)
        except (AnotherForm, NotResolvedHere):
            raise
        except Beyond as e:
            pairs, one, other = self.asker(pair)
            known = ((one, pair.one.ability), (other, pair.other.ability))
            self.too_many |= {(pair.one.where, ability) for k, ability in known if k in pairs.too_many}
            if isinstance(e, TooMany):
                self.was_too_large(pair)
            return PairAnswer(pair, "unknown", e.why)

    def drawn(self, pair: Pair, smallest: bool) -> PairAnswer:
        """Look at positions drawn by lot, each carried out by the interpreter."""
        free = self.world_of(pair)
        resolver = resolver_at(free.program, pair.one.where)
        positions, lot = Positions(free, resolver), Random(pair.name)
        ids = [x.id for x in free.world.abilities]
        two = ids.index(pair.one.ability), ids.index(pair.other.ability)
        until = time.process_time() + self.drawing
        hints: list[Drawn] = []
        left = MOST_TOLD
        for found in positions.drawn(two, self.present(free, pair, PILED), lot, until):
            if left and found.both.differ(positions.ranks):
                said, left = self.told(pair, positions, found, False, smallest), left - 1
                if said.said != "unknown":
                    return said
            elif found.both.differ():
                hints.append(found)
        for found in hints[:MOST_TOLD]:
            said = self.told(pair, positions, found, True, smallest)
            if said.said != "unknown":
                return said
        if not positions.looked_at:
            return PairAnswer(pair, "unknown", NOT_DRAWN)
        return PairAnswer(pair, "unknown", NO_DIFFERENCE,
                          looked_at=positions.looked_at)

    def told(self, pair: Pair, positions: Positions, found: Drawn, ranks: bool, smallest: bool) -> PairAnswer:
        """A position in which the orders differ, without what it does not need."""
        if smallest:
            found = positions.smaller(found, ranks, time.process_time() + DRAWING)
        slots = without_the_others(found, positions.layout)
        try:
            subject, both = moved_to_few_cards(positions.free, positions.resolver, slots, found.two, found.locals)
        except (Disagreement, TooMuch) as e:
            return PairAnswer(pair, "unknown", e.why)
        if not both.differ():
            return PairAnswer(pair, "unknown", SAME_WITHOUT)
        finding = order_finding(subject, both, self.bounds(False))
        if len({o.then for o in finding.outcomes}) == 1:
            return PairAnswer(pair, "unknown", ONLY_EQUALS)
        return PairAnswer(pair, "hint" if ranks else "differ", finding=finding)

    def answered(self, pair: Pair, smallest: bool) -> PairAnswer:
        pairs, a, b = self.asker(pair)
        done = pairs.possible(*pairs.both_done(a, b))
        if done.model is None:
            together = done if done.unknown else pairs.possible(*pairs.both_wait(a, b))
            if together.unknown:
                return self.undecided(pair)
            if pair not in self.alone:  # a rule may not take cards well that do not exist
                self.alone.add(pair)
                return self.answered(pair, smallest)
            if together.model is None:
                return PairAnswer(pair, "apart", evidence={"": "unsat"})
            return PairAnswer(pair, "unknown", LEADS_BEYOND)
        taught_something = False
        for ranks in (False, True):
            responses: list[Response] = []
            others: list[Truth] = []
            for attempt in range(ATTEMPTS):
                conditions = [*pairs.differ(a, b, ranks, attempt > 0, responses), *others]
                found = pairs.possible(*conditions)
                if found.unknown:
                    return self.undecided(pair)
                if found.model is None:
                    break
                less = pairs.smallest(*conditions) if smallest else found
                shown, model = (found, found.model) if less.model is None else (less, less.model)
                said = self.confirmed(pair, pairs, shown)
                if said.said != "unknown" or attempt == ATTEMPTS - 1:
                    return said if attempt else replace(said, evidence={"": "sat"})
                taught_something = True
                taught = pairs.responses(a, b, ranks, model)
                responses += taught
                if not taught:
                    others.append(t.no(t.every(n.equal(v, evaluated(model, v)) for v in pairs.state.slots)))
        further = pairs.possible(*pairs.goes_round(a, b))
        if further.model is not None or further.unknown:
            return PairAnswer(pair, "unknown", GOES_ROUND)
        try:
            return self.by_whom(pair, smallest, {} if taught_something else {"": "unsat"})
        except AnotherForm:
            raise
        except Beyond as e:
            return PairAnswer(pair, "reached", e.why)

    def by_whom(self, pair: Pair, smallest: bool, evidence: Mapping[str, str]) -> PairAnswer:
        """The orders lead to the same results. Is it the same game, too? If that cannot be shown, a position in which it is not is a
        difference like any other, once the interpreter has compared what can be brought about in it."""
        pairs, a, b = self.asker(pair)
        deciders = Deciders(pairs, a, b)
        if deciders.is_nobodys:
            return PairAnswer(pair, "commute", evidence=evidence)
        why, doubtful = BY_WHOM, deciders.begun()
        for which, conditions in deciders.ways():
            found = pairs.possible(*conditions)
            if found.unknown:
                late = within(self.seconds)
                why = Text(ja=f"{late.ja}（誰が実現できるか）", en=f"{late.en} to who can bring them about")
            elif found.model is None:
                return PairAnswer(pair, "commute", evidence={**evidence, which: "unsat"} if evidence else {})
            else:
                doubtful = conditions
        for conditions in (deciders.knowing_more(), doubtful):
            said = self.confirmed_somewhere(pair, pairs, conditions, smallest)
            if said is not None:
                return replace(said, evidence=evidence)
        drawn = self.drawn(pair, smallest)
        return drawn if drawn.said != "unknown" else PairAnswer(pair, "reached", why)

    def confirmed_somewhere(
        self, pair: Pair, pairs: Pairs, conditions: Sequence[Truth], smallest: bool
    ) -> PairAnswer | None:
        """A position of this kind in which the interpreter finds that different things can be brought about; some are looked at."""
        others: list[Truth] = []
        for _ in range(MOST_TOLD):
            found = pairs.possible(*conditions, *others)
            if found.model is None:
                return None
            less = pairs.smallest(*conditions, *others) if smallest else found
            said = self.confirmed(pair, pairs, found if less.model is None else less)
            if said.said != "unknown":
                return said
            model = found.model if less.model is None else less.model
            others.append(t.no(t.every(n.equal(v, evaluated(model, v)) for v in pairs.state.slots)))
        return None

    def undecided(self, pair: Pair) -> PairAnswer:
        """z3 has no answer."""
        self.was_too_large(pair)
        return PairAnswer(pair, "unknown", within(self.seconds))

    def was_too_large(self, pair: Pair) -> None:
        """A question was; after some of them positions are drawn first at this place."""
        self.too_large[pair.one.where] = self.too_large.get(pair.one.where, 0) + 1
        if self.too_large[pair.one.where] >= SOME:
            self.hard.add(pair.one.where)

    def confirmed(self, pair: Pair, pairs: Pairs, found: Answered) -> PairAnswer:
        """Both orders carried out in the position that was found, and compared as games."""
        try:
            subject, both = replayed(pairs, found)
        except (Disagreement, TooMuch) as e:
            return PairAnswer(pair, "unknown", e.why)
        if not both.differ():
            return PairAnswer(pair, "unknown", ELSEWISE)
        finding = order_finding(subject, both, self.bounds(found.smallest))
        layout = subject.program.layout
        ranks = range(layout.rank, layout.rank + layout.card_count)
        return PairAnswer(pair, "differ" if both.differ(ranks) else "hint", finding=finding)

    def bounds(self, smallest: bool) -> Bounds:
        """Which positions were asked about."""
        return Bounds(True, 0, 0, 0, (ASKED,) if smallest else (ASKED, NOT_SMALLEST))


ASKED = Text(
    ja=f"順番については、2つだけが待機し、ほかに何も進行していないすべての局面について調べました（そのカードが各プレイヤーに1枚ずつと、ほか{BESIDE}枚まで。処理の中で同じ処理がまた起こる場合と、自動で起こることの中で別のことが自動で起こる場合は除く）。"
       "この問いが大きすぎる組は、くじで引いた局面で両方の順番を進めてみただけで、違いが出なければ「判定できず」です。全員がすべてを見ているものとしました",
    en=f"As for orders, asked was every position in which only two wait and nothing else is under way (each "
       f"player may have a copy of their cards, and there may be {BESIDE} others); what brings itself about again, and what happens by "
       "itself while something else does, is left out. Where that question is too large, both orders were played in positions drawn by "
       "lot instead; a pair that shows no difference there is not decided. Everybody is taken to see everything")


def absent(layout: Layout, cards: Sequence[int]) -> dict[int, int]:
    """What is known of cards that do not exist."""
    out = {first + c: layout.slots[first + c].initial for first in layout.per_card for c in cards}
    return out | {layout.location + c: -1 for c in cards}
