"""Equal cards change places: permutations of states, and one representative for states that differ by one.

A permutation is a sequence: card `c` becomes card `perm[c]`. It acts on everything that names a card alike:
on the slots that lie side by side for each card, on values that are cards or sets of cards (in slots,
containers, frames and options), and on the slot that an exceeded bound names. Multisets are put back into
order.

`canonical` applies some permutation within the classes, so states with one representative always differ by
such a permutation only. That they have the same future is a matter of the program: its rules must not tell
the cards of a class apart. The rule language has no word that would; where a number of a card gets into the
code or the state unseen, `alike` finds it, and these cards are kept apart. What is not found is a loop in a
step that goes through cards in the order of their numbers and whose result depends on that order: the front
end refuses it, but for what steps change that are called there, and what situations note at once between its
rounds. `rounds` tries that in play.

How the representative is found: the cards of a class are sorted by their own plain slots, then by a number made of
every place that names them (`sign`); where something names several cards of the classes, `bonds` orders them.
Compiled code finds the same one (`checks/native/canonical.py`).
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter

from ...model.engine.state import End, Option, State
from ...model.ir.flow import members
from ...model.ir.program import Program
from ...model.ir.types import Role, Type
from .alike import alike, interchangeable
from .bonds import MASK, SEED, Bonds, Tie, mixed
from .card_places import CARD, CardPlaces

__all__ = ["Perm", "Symmetry", "interchangeable"]

Perm = tuple[int, ...]


class Symmetry:
    """The permutations of cards within classes.

    `classes` are those that hold: the given ones, without the cards that the program tells apart. `limits`
    says why cards were kept apart.
    """

    def __init__(self, program: Program, classes: Sequence[Sequence[int]]) -> None:
        self.program = program
        n = self._count = program.layout.card_count
        every = [c for k in classes for c in k]
        if len(set(every)) != len(every) or any(not 0 <= c < n for c in every):
            given = [list(k) for k in classes]
            raise ValueError(f"classes hold distinct cards from 0 to {n - 1}, not {given}")
        known = alike(program)
        self.limits = known.limits if every else ()
        self.classes = known.narrow(classes)
        self.identity: Perm = tuple(range(n))
        self.moved = sum(1 << c for cards in self.classes for c in cards)
        """The cards that may change places."""
        self._kept = known.places

    @cached_property
    def places(self) -> CardPlaces:
        """What the program's slots and locals say of cards; looked at when a state is."""
        return CardPlaces(self.program, self._kept)

    # ------------------------------------------------------------ permuting
    def permute(self, state: State, perm: Sequence[int]) -> State:
        """The state in which card `perm[c]` has the part that card `c` has here."""
        slots, frames, end = state
        n = self._count
        inverse = [0] * n
        moved = 0
        for a, b in enumerate(perm):
            inverse[b] = a
            if a != b:
                moved |= 1 << a
        if not moved:
            return state
        image = (*perm, -1)  # image[-1] == -1: no card stays no card
        pick = itemgetter(*inverse)
        out = list(slots)
        for b in self.places.blocks:
            out[b:b + n] = pick(slots[b:b + n])
        for b in self.places.card_blocks:
            out[b:b + n] = [image[v] for v in out[b:b + n]]
        for b in self.places.set_blocks:
            out[b:b + n] = [_image_of(m, moved, perm) if m & moved else m for m in out[b:b + n]]
        for k in self.places.cards:
            if slots[k] >= 0:
                out[k] = perm[slots[k]]
        for k in self.places.sets:
            if slots[k] & moved:
                out[k] = _image_of(slots[k], moved, perm)
        roles = self.places.roles
        for m in self.places.multisets:
            size = slots[m.head]
            if size:
                new = [slots[c:c + size] if roles[c] is Role.PLAIN else
                       [_image_of(v, moved, perm) for v in slots[c:c + size]] if roles[c] is Role.CARDS else
                       [image[v] for v in slots[c:c + size]] for c in m.columns]
                entries = sorted(zip(*new, strict=True))
                for c, column in zip(m.columns, zip(*entries, strict=True), strict=True):
                    out[c:c + size] = column
        last = len(frames) - 1
        return State(
            tuple(out),
            tuple([self._permute_frame(f, k == last, perm, image, moved) for k, f in enumerate(frames)]),
            self._permute_end(end, perm) if end is not None else None)

    def _permute_frame(
        self, frame: tuple[int, ...], top: bool, perm: Sequence[int], image: Sequence[int], moved: int,
    ) -> tuple[int, ...]:
        cards, sets = self.places.locals[frame[0]]
        places = self.places.kept_places(frame, top) if frame[0] in self.places.kept else ()
        if not cards and not sets and not places:
            return frame
        out = list(frame)
        for x in cards:
            out[x] = image[frame[x]]
        for x in sets:
            if frame[x] & moved:
                out[x] = _image_of(frame[x], moved, perm)
        for x, base in places:
            block, card = self.places.card_at[base + frame[x]]
            out[x] = block + perm[card] - base
        return tuple(out)

    def _permute_end(self, end: End, perm: Sequence[int]) -> End:
        """The bound that was exceeded, at the slot of the other card."""
        if end.slot not in self.places.card_at:
            return end
        block, card = self.places.card_at[end.slot]
        there = block + perm[card]
        names = self.program.layout.slots
        return end._replace(slot=there, detail=end.detail.replace(names[end.slot].name, names[there].name, 1))

    def permute_option(self, of: Type | None, option: Option, perm: Sequence[int]) -> Option:
        """The same option in the permuted state; `of` is the type of the point."""
        if of is None:
            return option
        image = (*perm, -1)
        return tuple([
            v if t.role is Role.PLAIN else _image_of(v, -1, perm) if t.role is Role.CARDS else image[v]
            for t, v in zip(of.flat(), option, strict=True)])

    # ------------------------------------------------------------ the representative
    def canonical(self, state: State) -> tuple[State, Perm]:
        """The representative of the state, and a permutation within the classes that leads to it."""
        if not self.classes:
            return state, self.identity
        signs = Signs(self, state)
        sign, keys = signs.sign, signs.keys
        for c in sign:
            keys[c] = (*keys[c], sign[c] & MASK)
        # a card that nothing names has no sign: as if it were 0, because shorter comes first
        orders = [sorted(cards, key=keys.__getitem__) for cards in self.classes]
        if signs.ties:
            colour = Bonds(self.colours(orders, keys), self.classes, signs.ties).order()
            orders = [sorted(cards, key=colour.__getitem__) for cards in self.classes]
        perm = self.leading_to(orders)
        return (state, perm) if perm is self.identity else (self.permute(state, perm), perm)

    def colours(self, orders: Sequence[Sequence[int]], keys: Sequence[tuple[int, ...]]) -> list[int]:
        """Of each card how many come before those of its class with an equal key; -1 for cards that stay."""
        colour = [-1] * self._count
        first = 0
        for order in orders:
            for k, c in enumerate(order):
                colour[c] = colour[order[k - 1]] if k and keys[c] == keys[order[k - 1]] else first + k
            first += len(order)
        return colour

    def leading_to(self, orders: Sequence[Sequence[int]]) -> Perm:
        """The permutation that puts the cards of each class into that order."""
        perm: list[int] | None = None
        for cards, order in zip(self.classes, orders, strict=True):
            if order != cards:
                perm = list(self.identity) if perm is None else perm
                for new, c in zip(cards, order, strict=True):
                    perm[c] = new
        return self.identity if perm is None else tuple(perm)


def _image_of(mask: int, moved: int, perm: Sequence[int]) -> int:
    """The set of the images."""
    out = mask & ~moved
    mask &= moved
    while mask:
        low = mask & -mask
        out |= 1 << perm[low.bit_length() - 1]
        mask ^= low
    return out


# ---------------------------------------------------------------- what a state says of its cards
PARTS, FRAMES, ENDS = (mixed(SEED, -k) for k in (1, 2, 3))
"""What numbers of parts in a tie, of places in frames and of the end of play begin with."""


def part_number(k: int) -> int:
    """The part that a card plays in something."""
    return mixed(PARTS, k)


def slot_number(k: int) -> int:
    """What a slot says of the card that it names."""
    return mixed(SEED, k)


def local_number(x: int, block: int) -> int:
    """A local that names a card (or, counted from a block, a slot of it); the depth of its frame is mixed in."""
    return mixed(mixed(FRAMES, x), block)


class Signs:
    """What is said of each card alone (`keys`: its own plain slots; `sign`: the sum of what each place says that names
    it), and of several at once (`ties`)."""

    def __init__(self, symmetry: Symmetry, state: State) -> None:
        slots, n, p = state.slots, symmetry.program.layout.card_count, symmetry.places
        self.moved = symmetry.moved
        self.still = ((1 << n) - 1) & ~self.moved
        self.limbs = range(0, n, 64)
        self.keys: list[tuple[int, ...]] = list(zip(*[slots[b:b + n] for b in p.plain_blocks], strict=True))
        self.sign: dict[int, int] = {}
        self.ties: list[Tie] = []
        for k in p.cards:
            if slots[k] >= 0:
                self.say(slots[k], slot_number(k))
        for k in p.sets:
            if slots[k]:
                self.say_of_all(slots[k], slot_number(k))
        for b in p.card_blocks:
            values = slots[b:b + n]
            if max(values) >= 0:
                for c, v in enumerate(values):
                    if v >= 0:
                        self.tie(slot_number(b), ((0, c), (1, v)))
        for b in p.set_blocks:
            for c, m in enumerate(slots[b:b + n]):
                if m:
                    self.tie(self.stayers(slot_number(b), m), ((0, c), *((1, v) for v in members(m & self.moved))))
        for m in p.multisets:
            for k in range(slots[m.head]):
                self.entry(m.head, [slots[c + k] for c in m.columns], [p.roles[c] for c in m.columns])
        last = len(state.frames) - 1
        for depth, frame in enumerate(state.frames):
            cards, sets = p.locals[frame[0]]
            for x in cards:
                if frame[x] >= 0:
                    self.say(frame[x], mixed(local_number(x, -1), depth))
            for x in sets:
                if frame[x]:
                    self.say_of_all(frame[x], mixed(local_number(x, -1), depth))
            for x, base in p.kept_places(frame, depth == last):
                block, card = p.card_at[base + frame[x]]
                self.say(card, mixed(local_number(x, block), depth))
        if state.end is not None and state.end.slot in p.card_at:
            block, card = p.card_at[state.end.slot]
            self.say(card, mixed(ENDS, block))

    def say(self, card: int, number: int) -> None:
        if self.moved >> card & 1:
            self.sign[card] = self.sign.get(card, 0) + number

    def say_of_all(self, cards: int, number: int) -> None:
        for c in members(cards & self.moved):
            self.sign[c] = self.sign.get(c, 0) + number

    def stayers(self, label: int, cards: int) -> int:
        """The label, and which of the cards that never change places are in a set."""
        cards &= self.still
        for k in self.limbs:
            label = mixed(label, cards >> k)
        return label

    def entry(self, head: int, values: Sequence[int], roles: Sequence[Role]) -> None:
        """An entry of a multiset."""
        label, named = slot_number(head), list[tuple[int, int]]()
        for k, (v, r) in enumerate(zip(values, roles, strict=True)):
            if r is Role.CARDS:
                label = self.stayers(label, v)
                named += [(k, c) for c in members(v & self.moved)]
            elif r in CARD and v >= 0 and self.moved >> v & 1:
                label = mixed(label, -2)
                named.append((k, v))
            else:
                label = mixed(label, v)
        if named:
            self.tie(label, named)

    def tie(self, label: int, named: Sequence[tuple[int, int]]) -> None:
        """Something that names these cards, each with the part it plays."""
        parts: dict[int, int] = {}
        for part, c in named:
            if self.moved >> c & 1:
                parts[c] = (parts.get(c, 0) + part_number(part)) & MASK
            else:
                label = mixed(mixed(label, part_number(part)), c)
        if len(parts) > 1:
            self.ties.append((label, tuple(sorted(parts.items()))))
        else:
            for c, part in parts.items():
                self.say(c, mixed(label, part))
