"""Cards and sets of cards, where only a few cards are told apart: `representatives.py` says why, and runs rules with them.

A set of cards is one truth for each card that is followed, and one more: has it any other? What an operation makes of the others, and of
how many there are, is a value of which nothing is known, introduced with what is known of it (`sides`).
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from ...model.ir.program import Program
from ...model.ir.types import Type
from . import numbers as n
from . import truths as t
from .numbers import Beyond, Val
from .sorts import CARDS, sort_of
from .states import Sym
from .symbolic import variable as plain_variable
from .transitions import Transitions
from .truths import Truth


def in_mask(v: Val, mask: int) -> Truth:
    """Is the number in a known set? By the rows of numbers in it, which are few where a set is an owner's cards."""
    if isinstance(v, int):
        return v >= 0 and bool(mask >> v & 1)
    rows: list[Truth] = []
    k = 0
    while mask >> k:
        if not mask >> k & 1:
            k += 1
            continue
        first = k
        while mask >> k & 1:
            k += 1
        rows.append(n.between(v, first, k - 1))
    return t.some(rows)


def of_card(card: Val, row: Sequence[int]) -> Val:
    """What a card has of a row."""
    where: dict[int, int] = {}
    for c, v in enumerate(row):
        where[v] = where.get(v, 0) | 1 << c
    ranked = sorted(where.items(), key=lambda x: -x[1].bit_count())
    return n.select([(in_mask(card, those), v) for v, those in ranked[1:]], ranked[0][0])


class CardSets(Transitions):
    """What is known of cards and sets of cards while `few` are followed."""

    def __init__(self, program: Program, few: int) -> None:
        super().__init__(program)
        self.few, self.count = few, program.layout.card_count
        if self.count <= few + 1:
            raise Beyond(
                f"カード{self.count}枚の世界: {few}枚をほかから分けて追うには少なすぎる",
                f"a world of {self.count} cards: too few to follow {few} among others",
            )
        self.cards: list[Val] = [n.variable(f"card{k}", 0, self.count - 1) for k in range(few)]
        self.about_cards = [
            *(n.in_bounds(c) for c in self.cards),
            *(n.less(a, b) for a, b in zip(self.cards, self.cards[1:], strict=False)),
        ]
        """What is known of the cards that are followed: the order is that of their numbers."""
        self.sides: list[Truth] = []
        self.seen: list[Truth] | None = None
        """While an invariant is looked at: that each card that is come to is followed (or is none)."""
        self.asked_of: Sequence[int] | None = None
        """Which of the cards that are followed an invariant is asked of, if not of all."""
        self.blocks = {slot: b for b in self.layout.per_card for slot in range(b, b + self.count)}
        self.live_slots = [k for k in range(len(self.layout.slots)) if self.is_live(k)]
        self.object_slots = [k for k in self.object_slots if self.is_live(k)]
        self.is_cards = [sort_of(s.type) == CARDS for s in self.layout.slots]

    def is_live(self, slot: int) -> bool:
        """Is the slot kept: one that is no card's, or (in the first places of a block) that of a card that is followed?"""
        block = self.blocks.get(slot)
        return block is None or slot - block < self.few

    # ------------------------------------------------------------ values of which nothing is known
    def given(self, of: Type, name: str = "") -> Val:
        """A value of the type of which nothing is known."""
        self.fresh += 1
        return self.variable(name or f"any{self.fresh}", of)

    def variable(self, name: str, of: Type) -> Val:
        if sort_of(of) == CARDS:
            return n.mask_variable(name, self.few + 1)
        v = plain_variable(name, of)
        self.sides.append(n.in_bounds(v))
        return v

    def unknown(self, lo: int, hi: int) -> Val:
        v = super().unknown(lo, hi)
        self.sides.append(n.in_bounds(v))
        return v

    def perhaps(self) -> Truth:
        """True or false."""
        self.fresh += 1
        return n.holds(n.mask_variable(f"any{self.fresh}", 1))

    def another(self) -> Val:
        """A card that is not followed."""
        v = self.unknown(0, self.count - 1)
        self.sides += [t.no(n.equal(v, c)) for c in self.cards]
        return v

    def come_to(self, card: Val) -> None:
        """Something is asked of a card."""
        if self.seen is not None:
            here = t.every(self.conditions)
            it = self.is_card(card)
            self.seen.append(t.either(t.no(here), n.less(card, 0), t.some(it[k] for k in self.those_asked_of())))

    def those_asked_of(self) -> Sequence[int]:
        return range(self.few) if self.asked_of is None else self.asked_of

    @contextmanager
    def looking_away(self) -> Iterator[None]:
        """What is inside a loop counts for any card."""
        seen, self.seen = self.seen, None
        try:
            yield
        finally:
            self.seen = seen

    def is_card(self, v: Val) -> list[Truth]:
        """Which of the cards that are followed it is."""
        return [n.equal(v, c) for c in self.cards]

    # ------------------------------------------------------------ sets of cards
    def members(self, mask: Val) -> tuple[Truth, ...]:
        """Whether each card that is followed is in the set, and whether another is."""
        return n.bits(mask, self.few + 1)[:self.few + 1]

    def known_set(self, mask: int) -> Val:
        if mask < 0:
            raise Beyond("負の集合", "a set that is negative")
        mine = [in_mask(c, mask) for c in self.cards]
        size = mask.bit_count()
        other = size > self.few or (size > 0 and t.some(
            t.no(t.some(self.is_card(k))) for k in range(mask.bit_length()) if mask >> k & 1))
        return n.bits_of((*mine, other))

    def cards_in(self, zone: Val, s: Sym) -> Val:
        """The set of the cards in a zone."""
        first = self.layout.location
        here = [n.equal(s.slots[first + k], zone) for k in range(self.few)]
        others = self.kept(s, ("", "cards in", n.identity(zone)), zone, lambda: n.truth(self.perhaps()))
        return n.bits_of((*here, n.holds(others)))

    def kept(self, s: Sym, question: tuple[object, ...], about: object, make: Callable[[], Val]) -> Val:
        """What was answered to the same question in the same slots, or a new answer."""
        found = cast("tuple[Val, object] | None", s.memo.get(question))
        if found is None:
            found = make(), about
            s.memo[question] = found
        return found[0]

    def size(self, mask: Val) -> Val:
        *mine, other = self.members(mask)
        return n.add(n.count(mine), n.choose(other, self.unknown(1, self.count - self.few), 0))

    def taken_out(self, mask: Val) -> Val:
        """A member of a set; anything if it is empty."""
        *mine, other = self.members(mask)
        if not any(b is not False for b in (*mine, other)):
            return 0
        v = self.unknown(0, self.count - 1)
        it = self.is_card(v)
        within = [t.either(t.no(x), b) for x, b in zip(it, mine, strict=True)]
        self.sides.append(t.either(t.no(t.some((*mine, other))), t.every((*within, t.either(t.some(it), other)))))
        return v

    def only(self, mask: Val) -> Val:
        """The only member, or -1."""
        *mine, other = self.members(mask)
        v = self.unknown(-1, self.count - 1)
        it = self.is_card(v)
        for k, x in enumerate(it):
            alone = t.both(mine[k], t.no(t.some(b for j, b in enumerate(mine) if j != k)), t.no(other))
            self.sides += [t.either(t.no(x), alone), t.either(t.no(alone), x)]
        nobody = t.no(t.some(mine))
        self.sides.append(t.either(t.some(it), n.less(v, 0), t.both(nobody, other)))
        return v

    def is_member(self, card: Val, mask: Val) -> Truth:
        *mine, other = self.members(mask)
        self.come_to(card)
        it = self.is_card(card)
        another: Truth = False
        if other is not False:
            another = t.both(n.at_most(0, card), t.no(t.some(it)), other, self.perhaps())
        return t.some((*(t.both(x, b) for x, b in zip(it, mine, strict=True)), another))

    def alone(self, card: Val) -> Val:
        """The set of one card."""
        it = self.is_card(card)
        return n.bits_of((*it, t.both(n.at_most(0, card), t.no(t.some(it)))))

    def of_two(self, op: str, a: Val, b: Val) -> Val:
        *mine, x = self.members(a)
        *theirs, y = self.members(b)
        pairs = list(zip(mine, theirs, strict=True))
        match op:
            case "union":
                return n.bits_of((*(t.either(p, q) for p, q in pairs), t.either(x, y)))
            case "meet":
                other = t.both(x, y)
                return n.bits_of(
                    (*(t.both(p, q) for p, q in pairs), other is not False and t.both(other, self.perhaps()))
                )
            case "without":
                other = x if y is False or x is False else t.both(x, t.either(t.no(y), self.perhaps()))
                return n.bits_of((*(t.both(p, t.no(q)) for p, q in pairs), other))
            case "differ":
                other = t.either(x, y) if x is False or y is False else t.both(t.either(x, y), self.perhaps())
                return n.bits_of((*(t.no(t.equal(p, q)) for p, q in pairs), other))
            case "eq" | "ne":
                rest = t.both(t.equal(x, y), t.either(t.no(x), x is not False and y is not False and self.perhaps()))
                same = t.both(*(t.equal(p, q) for p, q in pairs), rest)
                return n.truth(same if op == "eq" else t.no(same))
            case _:
                raise Beyond(f"カードの集合についての `{op}`", f"`{op}` of sets of cards")
