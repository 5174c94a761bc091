"""Equal cards change places: permutations of states, and one representative for all states that differ by one.

A permutation is a sequence: card `c` becomes card `perm[c]`. It acts on everything that names a card alike: on the
slots that lie side by side for each card, on values that are cards or sets of cards (in slots, containers, frames and
options), and on the slot that an exceeded bound names. Multisets are put back into order.

`canonical` gives some permutation of the state within the classes, so two states with one representative are always
equal up to such a permutation. That they have the same future is a matter of the program: the rules must not tell the
cards of a class apart. What can be seen in the code is looked at once, by `_Audit`, and cards that it tells apart are
kept apart. What it cannot see is a loop in a step through cards, in the order of their numbers, whose order matters;
`commutes` asks that of single states.

How the representative is found: the cards of a class are sorted by what is said of each (its own slots, and every
place that names it). Where something names several cards of the classes at once (a card beside a card, an entry of two
cards), they are told apart by colour refinement; of cards of one colour one is taken out, and the rest refined again.
If what binds the cards has no ring in it, it does not matter which. Else all are tried and the least state is taken,
provided that there are few enough (`_TRIES`); beyond that the lowest number is taken out, and equal states may stay
apart.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import factorial, prod
from operator import itemgetter

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import End, Option, State
from ...model.ir import nodes as ir
from ...model.ir.flow import children, live_across_calls, liveness, walk
from ...model.ir.places import Keyed, PlaceNode, Zones
from ...model.ir.program import Function, Program
from ...model.ir.types import RecordType, Role, Type, UnionType
from ...model.lang.compile import SituationType
from ...model.lang.world import CardCopy

__all__ = ["Perm", "Symmetry", "interchangeable"]

Perm = tuple[int, ...]
Condition = tuple[int, int]
"""A scalar means something only where the tag at this place has this value."""
_CARD = (Role.CARD, Role.OBJECT)
_TRIES = 720
"""At most so many ways of ordering cards that colours do not tell apart are looked at."""


def interchangeable(cards: Sequence[CardCopy]) -> list[list[int]]:
    """The classes of cards with the same definition and owner that have at least two members."""
    groups: dict[tuple[str, int], list[int]] = {}
    for k, c in enumerate(cards):
        groups.setdefault((c.definition.id, c.owner), []).append(k)
    return [g for g in groups.values() if len(g) > 1]


class Symmetry:
    """The permutations of cards within classes.

    `classes` are those that hold: the ones given, without the cards that the program tells apart. `limits` says in
    words why cards were kept apart.
    """

    def __init__(self, program: Program, classes: Sequence[Sequence[int]]) -> None:
        self.program = program
        layout = program.layout
        n = self._count = layout.card_count
        every = [c for k in classes for c in k]
        if len(set(every)) != len(every) or any(not 0 <= c < n for c in every):
            raise ValueError(f"classes are distinct cards from 0 to {n - 1}, these are {[list(k) for k in classes]}")
        audit = _Audit(program)
        self.limits = tuple(audit.limits)
        self.classes = audit.narrow(classes)
        self.identity: Perm = tuple(range(n))
        self._class_of = {c: k for k, cards in enumerate(self.classes) for c in cards}
        self._moved = sum(1 << c for c in self._class_of)
        self._types: dict[Type, tuple[tuple[Role, tuple[Condition, ...]], ...]] = {}
        self._lay_out(audit.places)

    def _lay_out(self, places: Mapping[tuple[str, int], int]) -> None:
        """Sort the slots by what they say of cards."""
        layout, n = self.program.layout, self._count
        roles = [s.type.role for s in layout.slots]
        self._blocks = layout.per_card
        self._plain_blocks = [b for b in layout.per_card if roles[b] is Role.PLAIN]
        self._card_blocks = [b for b in layout.per_card if roles[b] in _CARD]
        self._set_blocks = [b for b in layout.per_card if roles[b] is Role.CARDS]
        self._card_at = {b + c: (b, c) for b in layout.per_card for c in range(n)}
        self._multisets = [
            (m.head, m.columns, tuple(roles[c] for c in m.columns)) for m in layout.containers.values()
            if not m.is_pool and any(roles[c] is not Role.PLAIN for c in m.columns)]
        within = {c + k for m in layout.containers.values() if not m.is_pool
                  for c in m.columns for k in range(m.capacity)}
        single = [k for k in range(len(roles)) if k not in within and k not in self._card_at]
        self._cards = [k for k in single if roles[k] in _CARD]
        self._sets = [k for k in single if roles[k] is Role.CARDS]
        self._locals: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self._places: dict[int, list[tuple[frozenset[int], frozenset[int]]]] = {}
        self._place_base = dict[tuple[int, int], int]()
        for number, fn in enumerate(self.program.functions.values()):
            role = [x.type.role for x in fn.locals]
            self._locals.append((tuple(k + 2 for k, r in enumerate(role) if r in _CARD),
                                 tuple(k + 2 for k, r in enumerate(role) if r is Role.CARDS)))
            mine = {x: base for (name, x), base in places.items() if name == fn.name}
            if mine:
                live = liveness(fn)
                self._places[number] = [(a & mine.keys(), b & mine.keys())
                                        for a, b in zip(live, live_across_calls(fn, live), strict=True)]
                self._place_base.update({(number, x): base for x, base in mine.items()})

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
        for b in self._blocks:
            out[b:b + n] = pick(slots[b:b + n])
        for b in self._card_blocks:
            out[b:b + n] = [image[v] for v in out[b:b + n]]
        for b in self._set_blocks:
            out[b:b + n] = [_image_of(m, moved, perm) if m & moved else m for m in out[b:b + n]]
        for k in self._cards:
            if slots[k] >= 0:
                out[k] = perm[slots[k]]
        for k in self._sets:
            if slots[k] & moved:
                out[k] = _image_of(slots[k], moved, perm)
        for head, columns, roles in self._multisets:
            size = slots[head]
            if size:
                new = sorted(zip(*(
                    slots[c:c + size] if r is Role.PLAIN else
                    [_image_of(m, moved, perm) for m in slots[c:c + size]] if r is Role.CARDS else
                    [image[v] for v in slots[c:c + size]] for c, r in zip(columns, roles, strict=True)), strict=True))
                for c, column in zip(columns, zip(*new, strict=True), strict=True):
                    out[c:c + size] = column
        last = len(frames) - 1
        return State(
            tuple(out), tuple(self._permute_frame(f, k == last, perm, image, moved) for k, f in enumerate(frames)),
            self._permute_end(end, perm) if end is not None and end.slot >= 0 else end)

    def _permute_frame(
        self, frame: tuple[int, ...], top: bool, perm: Sequence[int], image: Sequence[int], moved: int,
    ) -> tuple[int, ...]:
        cards, sets = self._locals[frame[0]]
        places = self._live_places(frame, top) if frame[0] in self._places else ()
        if not cards and not sets and not places:
            return frame
        out = list(frame)
        for x in cards:
            out[x] = image[frame[x]]
        for x in sets:
            if frame[x] & moved:
                out[x] = _image_of(frame[x], moved, perm)
        for x, base in places:
            block, card = self._card_at[base + frame[x]]
            out[x] = block + perm[card] - base
        return tuple(out)

    def _live_places(self, frame: tuple[int, ...], top: bool) -> Iterator[tuple[int, int]]:
        """Locals of the frame that hold a place among slots indexed by card, and the first of those slots."""
        for x in self._places[frame[0]][frame[1]][0 if top else 1]:
            yield x + 2, self._place_base[frame[0], x]

    def _permute_end(self, end: End, perm: Sequence[int]) -> End:
        """The bound that was exceeded, at the slot of the other card."""
        if end.slot not in self._card_at:
            return end
        block, card = self._card_at[end.slot]
        there = block + perm[card]
        names = self.program.layout.slots
        return end._replace(slot=there, detail=end.detail.replace(names[end.slot].name, names[there].name, 1))

    def permute_option(self, of: Type | None, option: Option, perm: Sequence[int]) -> Option:
        """The same option in the permuted state; `of` is the type of the point (none: nothing that names cards)."""
        if of is None:
            return option
        out = list(option)
        for k, (role, conditions) in enumerate(self._scalars(of, option)):
            if role is not Role.PLAIN and all(option[at] == value for at, value in conditions):
                if role is Role.CARDS:
                    out[k] = _image_of(option[k], -1, perm)
                elif option[k] >= 0:
                    out[k] = perm[option[k]]
        return tuple(out)

    def _scalars(self, of: Type, option: Option) -> Sequence[tuple[Role, tuple[Condition, ...]]]:
        if isinstance(of, SituationType):
            fn = self.program.functions[of.names[option[0]]]
            roles = [Role.PLAIN, *(x.type.role for x in fn.locals[:fn.arity])]
            return [(r, ()) for r in roles]
        if of not in self._types:
            self._types[of] = tuple(_scalars_of(of))
        return self._types[of]

    def commutes(self, engine: Interpreter, state: State, perm: Sequence[int]) -> bool:
        """Do the same things happen, permuted, in the permuted state? False shows that the rules tell cards apart."""
        twin = self.permute(state, perm)
        here, there = engine.point(state), engine.point(twin)
        if here is None or there is None:
            return here is there
        mine = {self.permute_option(here.type, o, perm): (w, o)
                for o, w in zip(here.options, here.weights, strict=True)}
        if here.owner != there.owner or {o: w for o, (w, _) in mine.items()} != dict(
                zip(there.options, there.weights, strict=True)):
            return False
        for image, (_, option) in mine.items():
            a, b = engine.apply(state, option), engine.apply(twin, image)
            if a.crossing != b.crossing or self.permute(a.state, perm) != b.state:
                return False
        return True

    # ------------------------------------------------------------ the representative
    def canonical(self, state: State) -> tuple[State, Perm]:
        """The representative of the state, and a permutation within the classes that leads to it."""
        if not self.classes:
            return state, self.identity
        signs = _Signs(self, state)
        if signs.ties:
            return _Search(self, state, signs).result()
        perm = self._sorted(signs.keys, signs.marks, {})
        return (state, perm) if perm is self.identity else (self.permute(state, perm), perm)

    def _sorted(
        self, keys: Sequence[tuple[int, ...]], marks: Mapping[int, list[Mark]], colour: Mapping[int, int],
    ) -> Perm:
        """The permutation that sorts each class by key, marks and colour; equal ones stay in order."""
        perm: list[int] | None = None
        for cards in self.classes:
            if marks or colour:
                order = sorted(cards, key=lambda c: (keys[c], marks.get(c, ()), colour.get(c, -1)))
            else:
                order = sorted(cards, key=keys.__getitem__)
            if order != cards:
                if perm is None:
                    perm = list(self.identity)
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


def _scalars_of(
    of: Type, at: int = 0, under: tuple[Condition, ...] = (),
) -> Iterator[tuple[Role, tuple[Condition, ...]]]:
    """For each scalar of a type its role, and on which tags it depends whether it means anything."""
    match of:
        case UnionType(variants=variants):
            yield Role.PLAIN, under
            tag, at = at, at + 1
            for k, v in enumerate(variants):
                yield from _scalars_of(v, at, (*under, (tag, k)))
                at += v.width
        case RecordType(fields=fields):
            for _, t in fields:
                yield from _scalars_of(t, at, under)
                at += t.width
        case _:
            for t in of.flat():
                yield t.role, under


# ---------------------------------------------------------------- what a state says of its cards
Mark = tuple[object, ...]
"""A place that names a card. Marks that begin alike are made alike, so that they can be sorted."""
Tie = tuple[tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]]
"""Something that names several cards of the classes: what it is, and each card with its parts in it."""


class _Signs:
    """What is said of each card alone (`keys`: its own plain slots; `marks`), and of several together (`ties`).

    A mark or tie begins with the slot it is about; -1 stands for frames and -2 for the end of play.
    """

    def __init__(self, symmetry: Symmetry, state: State) -> None:
        s, slots, n = symmetry, state.slots, symmetry._count
        self.moved = s._moved
        self.keys = list(zip(*[slots[b:b + n] for b in s._plain_blocks], strict=True))
        self.marks: dict[int, list[Mark]] = {}
        self.ties: list[Tie] = []
        for k in s._cards:
            if slots[k] >= 0:
                self.mark(slots[k], (k,))
        for k in s._sets:
            if slots[k]:
                self.mark_all(slots[k], (k,))
        for b in s._card_blocks:
            values = slots[b:b + n]
            if max(values) >= 0:
                for c, v in enumerate(values):
                    if v >= 0:
                        self.tie([b], [(0, c), (1, v)])
        for b in s._set_blocks:
            for c, m in enumerate(slots[b:b + n]):
                if m:
                    self.tie([b, m & ~self.moved], [(0, c), *((1, v) for v in _members(m & self.moved))])
        for head, columns, roles in s._multisets:
            for k in range(slots[head]):
                self.entry(head, [slots[c + k] for c in columns], roles)
        last = len(state.frames) - 1
        for depth, frame in enumerate(state.frames):
            cards, sets = s._locals[frame[0]]
            for x in cards:
                if frame[x] >= 0:
                    self.mark(frame[x], (-1, depth, x, 0))
            for x in sets:
                if frame[x]:
                    self.mark_all(frame[x], (-1, depth, x, 0))
            if frame[0] in s._places:
                for x, base in s._live_places(frame, depth == last):
                    block, card = s._card_at[base + frame[x]]
                    self.mark(card, (-1, depth, x, block))
        if state.end is not None and state.end.slot in s._card_at:
            block, card = s._card_at[state.end.slot]
            self.mark(card, (-2, block))
        for m in self.marks.values():
            m.sort()

    def mark(self, card: int, mark: Mark) -> None:
        if self.moved >> card & 1:
            self.marks.setdefault(card, []).append(mark)

    def mark_all(self, cards: int, mark: Mark) -> None:
        for c in _members(cards & self.moved):
            self.marks.setdefault(c, []).append(mark)

    def entry(self, head: int, values: list[int], roles: Sequence[Role]) -> None:
        """An entry of a multiset."""
        label, named = [head], list[tuple[int, int]]()
        for k, (v, r) in enumerate(zip(values, roles, strict=True)):
            if r is Role.CARDS:
                named += [(k, c) for c in _members(v & self.moved)]
                v &= ~self.moved
            elif r is not Role.PLAIN and v >= 0:
                named.append((k, v))
                v = -2
            label.append(v)
        if named:
            self.tie(label, named)

    def tie(self, label: list[int], named: Sequence[tuple[int, int]]) -> None:
        """Something that names these cards, each with the part it plays."""
        parts: dict[int, tuple[int, ...]] = {}
        for part, c in named:
            if self.moved >> c & 1:
                parts[c] = (*parts.get(c, ()), part)
            else:
                label += (part, c)
        if len(parts) > 1:
            self.ties.append((tuple(label), tuple(sorted(parts.items()))))
        else:
            for c, part in parts.items():
                self.mark(c, (label[0], tuple(label), part))


def _members(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# ---------------------------------------------------------------- cards that are bound to each other
Colours = dict[int, int]


class _Search:
    """The representative of a state in which something names several cards of the classes."""

    def __init__(self, symmetry: Symmetry, state: State, signs: _Signs) -> None:
        self.symmetry, self.state, self.signs = symmetry, state, signs
        self.ties = signs.ties
        tied = sorted({c for _, parts in self.ties for c, _ in parts})
        self.colour = self.refine(_ranked({
            c: (symmetry._class_of[c], signs.keys[c], signs.marks.get(c, [])) for c in tied}))

    def result(self) -> tuple[State, Perm]:
        """The representative, and the permutation."""
        cells = self.open_cells(self.colour)
        if not cells:
            return self.leaf(self.colour)
        if self.has_ring(self.colour) and prod(factorial(len(x)) for x in cells) <= _TRIES:
            return self.least(self.colour)[0]
        return self.leaf(self.first(self.colour))

    def leaf(self, colour: Colours) -> tuple[State, Perm]:
        perm = self.symmetry._sorted(self.signs.keys, self.signs.marks, colour)
        return self.symmetry.permute(self.state, perm), perm

    def first(self, colour: Colours) -> Colours:
        """Of cards that are not told apart, the lowest is taken out, until all are."""
        while cells := self.open_cells(colour):
            colour = self.take_out(colour, cells[0][0])
        return colour

    def least(self, colour: Colours) -> tuple[tuple[State, Perm], set[State]]:
        """The least state that can be reached, and those that were. A card that leads to a state reached already
        could as well have been the one that led there before."""
        cells = self.open_cells(colour)
        if not cells:
            found = self.leaf(colour)
            return found, {found[0]}
        best: tuple[State, Perm] | None = None
        reached: set[State] = set()
        for c in cells[0]:
            next_colour = self.take_out(colour, c)
            if reached and self.leaf(self.first(next_colour))[0] in reached:
                continue
            found, more = self.least(next_colour)
            reached |= more
            if best is None or found[0] < best[0]:
                best = found
        assert best is not None
        return best, reached

    def take_out(self, colour: Colours, card: int) -> Colours:
        """The card comes before the others of its colour."""
        return self.refine(_ranked({c: (k, c != card and k == colour[card]) for c, k in colour.items()}))

    def refine(self, colour: Colours) -> Colours:
        """Tell cards apart by the colours of those they are bound to, until nothing new is told apart."""
        count = len(set(colour.values()))
        while count < len(colour):
            seen: dict[int, list[tuple[tuple[int, ...], object]]] = {c: [] for c in colour}
            for label, parts in self.ties:
                shape = (label, sorted((part, colour[c]) for c, part in parts))
                for c, part in parts:
                    seen[c].append((part, shape))
            for x in seen.values():
                x.sort()  # pyright: ignore[reportCallIssue]
            finer = _ranked({c: (k, seen[c]) for c, k in colour.items()})
            new = len(set(finer.values()))
            if new == count:
                break
            colour, count = finer, new
        return colour

    def open_cells(self, colour: Colours) -> list[list[int]]:
        """Cards of one colour among which it may matter which is which: bound to others that are not alone in their
        colour either."""
        cells: dict[int, list[int]] = {}
        for c, k in colour.items():
            cells.setdefault(k, []).append(c)
        if len(cells) == len(colour):
            return []
        loose = {c for x in cells.values() if len(x) > 1 for c in x}
        bound = {c for _, parts in self.ties
                 if sum(c in loose for c, _ in parts) > 1 for c, _ in parts if c in loose}
        return [sorted(cells[k]) for k in sorted(cells) if any(c in bound for c in cells[k])]

    def has_ring(self, colour: Colours) -> bool:
        """Is there a ring of cards and ties, cards that are alone in their colour aside? Without one, all cards of a
        colour can take each other's place."""
        count: dict[int, int] = {}
        for k in colour.values():
            count[k] = count.get(k, 0) + 1
        root: dict[int, int] = {}

        def find(x: int) -> int:
            while root.setdefault(x, x) != x:
                x = root[x]
            return x

        for k, (_, parts) in enumerate(self.ties):
            for c, _ in parts:
                if count[colour[c]] > 1:
                    a, b = find(-1 - k), find(c)
                    if a == b:
                        return True
                    root[a] = b
        return False


def _ranked(keys: Mapping[int, tuple[object, ...]]) -> Colours:
    """Numbers in the order of the keys; equal keys have equal numbers."""
    out: Colours = {}
    before: object = None
    rank = -1
    for c in sorted(keys, key=keys.__getitem__):  # pyright: ignore[reportCallIssue, reportArgumentType]
        if keys[c] != before:
            rank, before = rank + 1, keys[c]
        out[c] = rank
    return out


# ---------------------------------------------------------------- what the program says of its cards
class _Audit:
    """Which cards the code of a program tells apart, whatever is the same on them.

    Constant sets and tables split classes. A card that the code names by its number stays alone; so does card 0 where
    the fields of a variant that does not apply, which hold 0, can outlive a transition. A number that comes from a
    card and is kept where nobody expects a card ends all symmetry, save a place that `restored` keeps (`places`).
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.limits: list[str] = []
        self.alone: dict[int, str] = {}
        self.splits: list[tuple[int, ...]] = []
        self.places: dict[tuple[str, int], int] = {}
        self.blind = False
        self.hidden: dict[tuple[str, int], Role] = {}
        """Plain locals (function, number), results (function, -1) and slots ("", number) that hold cards, or sets."""
        self.fillers: dict[tuple[str, int], set[int]] = {}
        self.tags: dict[tuple[str, int], frozenset[int]] = {}
        """Of locals that are set to fields of a variant: the locals that hold the tags."""
        functions = list(program.functions.values())
        self.live = {f.name: liveness(f) for f in functions if f.kind == "procedure"}
        self.across = {f.name: live_across_calls(f, self.live[f.name]) for f in functions if f.kind == "procedure"}
        before = -1
        while before != (before := len(self.hidden) + sum(len(x) for x in self.fillers.values())):
            for f in functions:
                for k, i in enumerate(f.code):
                    self.follow(f, k, i)
        self.check_zones(program.layout.fields.values())
        self.check_containers()
        for f in functions:
            self.find_places(f)
            for i in f.code:
                self.inspect(f, i)
            if f.kind == "procedure":
                self.check_kept(f)
        for (name, x), _ in sorted(self.hidden.items()):
            if not name:
                self.give_up(f"{program.layout.slots[x].group} keeps cards as plain numbers")

    def narrow(self, classes: Sequence[Sequence[int]]) -> list[list[int]]:
        """The classes within which nothing is told apart."""
        if self.blind:
            return []
        out: list[list[int]] = []
        for cards in classes:
            groups: dict[tuple[int, ...], list[int]] = {}
            for c in sorted(cards):
                groups.setdefault((c if c in self.alone else -1, *(x[c] for x in self.splits)), []).append(c)
            out += [g for g in groups.values() if len(g) > 1]
        return out

    def give_up(self, why: str) -> None:
        self.blind = True
        if why not in self.limits:
            self.limits.append(why)

    def leave_alone(self, cards: Iterable[int], why: str) -> None:
        for c in cards:
            if 0 <= c < self.program.layout.card_count and c not in self.alone:
                self.alone[c] = why
                self.limits.append(f"card {c} is kept apart: {why}")

    def split(self, masks: Iterable[int]) -> None:
        n = self.program.layout.card_count
        self.splits += [tuple(m >> c & 1 for c in range(n)) for m in masks]

    # ------------------------------------------------------------ where cards go
    def role(self, f: Function, e: ir.Expr | None) -> Role:
        """Does the value name a card, or a set of cards?"""
        slots = self.program.layout.slots
        match e:
            case ir.Local(index=x):
                return self.of(f.locals[x].type.role, (f.name, x))
            case ir.Load(base=b):
                return self.of(slots[b].type.role, ("", b))
            case ir.Call(function=g):
                return self.of(self.program.functions[g].result.role, (g, -1))
            case ir.ZoneCards() | ir.PileTop():
                return Role.CARDS
            case ir.PileFind():
                return Role.CARD
            case ir.Unary(op=op, a=a):
                r = self.role(f, a)
                turned = {"single": Role.CARDS, "below": Role.CARDS, "only": Role.CARD, "lowest": Role.CARD,
                          "neg": r, "abs": r}
                return turned.get(op, Role.PLAIN) if r is not Role.PLAIN else r
            case ir.Binary(op="eq" | "ne" | "lt" | "le" | "gt" | "ge" | "member"):
                return Role.PLAIN
            case ir.Binary(a=a, b=b) | ir.If(a=a, b=b):
                r = self.role(f, a)
                return r if r is not Role.PLAIN else self.role(f, b)
            case ir.Present(a=a) | ir.Within(a=a):
                return self.role(f, a)
            case ir.Fold(kind="sum" | "min" | "max" | "union", body=body):
                return self.role(f, body)
            case ir.Fold(kind="set", body=body):
                return Role.CARDS if self.role(f, body) is not Role.PLAIN else Role.PLAIN
            case _:
                return Role.PLAIN

    def of(self, declared: Role, key: tuple[str, int]) -> Role:
        if declared is Role.PLAIN:
            return self.hidden.get(key, declared)
        return Role.CARD if declared is Role.OBJECT else declared

    def follow(self, f: Function, k: int, i: ir.Instr) -> None:
        """What one instruction passes on."""
        functions, layout = self.program.functions, self.program.layout
        for n in walk(i):
            match n:
                case ir.Call(function=g, args=args) | ir.Do(function=g, args=args) | ir.Invoke(function=g, args=args):
                    for x, a in enumerate(args):
                        if f.name != "settle" or not isinstance(n, ir.Invoke):
                            self.into_local(functions[g], x, f, k, a)
                case ir.Fold(var=v, domain=d) | ir.Binder(var=v, domain=d):
                    self.one_of(f, v, self.role(f, d))
                case ir.PileFind(var=v):
                    self.one_of(f, v, Role.CARDS)
                case _:
                    pass
        match i:
            case ir.Assign(local=x, value=e):
                self.into_local(f, x, f, k, e)
            case ir.Do(function=g, local=x) | ir.Invoke(function=g, local=x) if x is not None:
                self.into((f.name, x), f.locals[x].type.role, self.of(functions[g].result.role, (g, -1)))
            case ir.Return(value=e):
                self.into((f.name, -1), f.result.role, self.role(f, e))
            case ir.Store(base=b, value=e):
                self.into(("", b), layout.slots[b].type.role, self.role(f, e))
            case ir.Insert(multiset=m, values=values) | ir.New(pool=m, values=values):
                for c, e in zip(layout.containers[m].columns, values, strict=True):
                    self.into(("", c), layout.slots[c].type.role, self.role(f, e))
            case ir.ChooseSome(among=e, local=x):
                self.into_local(f, x, f, k, e)
            case ir.Next(rest=r, var=v):
                self.one_of(f, v, self.role(f, ir.Local(r)))
            case ir.Choose(type=of, locals=targets) if not isinstance(of, SituationType):
                self.chosen(f, k, i, list(_scalars_of(of)), targets)
            case _:
                pass

    def chosen(
        self, f: Function, k: int, i: ir.Choose, scalars: Sequence[tuple[Role, tuple[Condition, ...]]],
        targets: Sequence[int],
    ) -> None:
        for x, (_, conditions) in zip(targets, scalars, strict=True):
            if conditions:
                self.tags[f.name, x] = frozenset(targets[at] for at, _ in conditions)
        for o in i.offers:
            for x, e, (role, conditions) in zip(targets, o.values, scalars, strict=True):
                meant = all(v in _constants(o.values[at]) or not _constants(o.values[at]) for at, v in conditions)
                if meant and role in _CARD:
                    self.leave_alone(_constants(e), f"an option of {f.name} names it")
                self.into_local(f, x, f, k, e)

    def into_local(self, to: Function, x: int, f: Function, k: int, e: ir.Expr) -> None:
        role = to.locals[x].type.role
        self.into((to.name, x), role, self.role(f, e))
        if role in _CARD:
            found = {v for v in _constants(e) if v >= 0}
            for n in _alternatives(e):
                if isinstance(n, ir.Local) and (f.name, n.index) in self.fillers:
                    tags = self.tags.get((f.name, n.index))
                    if tags is None or f.name not in self.live or tags & self.live[f.name][k]:
                        found |= self.fillers[f.name, n.index]
            if found:
                self.fillers.setdefault((to.name, x), set()).update(found)

    def one_of(self, f: Function, x: int, domain: Role) -> None:
        if domain is Role.CARDS:
            self.into((f.name, x), f.locals[x].type.role, Role.CARD)

    def into(self, key: tuple[str, int], declared: Role, given: Role) -> None:
        if declared is Role.PLAIN and given is not Role.PLAIN:
            self.hidden.setdefault(key, given)

    # ------------------------------------------------------------ what follows
    def check_zones(self, fields: Iterable[PlaceNode]) -> None:
        for node in fields:
            while isinstance(node, Keyed):
                node = node.of
            if isinstance(node, Zones) and any(k.role is Role.CARD for k in node.keys):
                self.give_up("cards have zones of their own")

    def check_containers(self) -> None:
        for m in self.program.layout.containers.values():
            if any(r in _CARD and conditions for r, conditions in _scalars_of(m.type)):
                self.leave_alone([0], f"{m.name} holds variants, and fields that do not apply name it")

    def find_places(self, f: Function) -> None:
        """Plain locals that hold nothing but a place among slots indexed by card."""
        for (name, x), role in self.hidden.items():
            if name == f.name and x >= 0 and role is Role.CARD and f.kind == "procedure":
                bases = {b for i in f.code for n in walk(i) if isinstance(n, ir.Store | ir.Load)
                         for b in [n.base] if n.index == ir.Local(x)}
                reads = sum(n == ir.Local(x) for i in f.code for n in walk(i))
                stores = sum(isinstance(n, ir.Store | ir.Load) and n.index == ir.Local(x) for i in f.code for n in walk(i))
                if len(bases) == 1 and reads == stores and bases <= set(self.program.layout.per_card):
                    self.places[f.name, x] = bases.pop()

    def check_kept(self, f: Function) -> None:
        """Locals that outlive a transition."""
        live, across = self.live[f.name], self.across[f.name]
        for k, i in enumerate(f.code):
            kept: list[frozenset[int]] = []
            if isinstance(i, ir.Label | ir.Choose | ir.ChooseSome | ir.Consult | ir.Invoke):
                kept.append(live[k])
            if isinstance(i, ir.Invoke | ir.Do | ir.Renew):
                kept.append(across[k])
            for x in frozenset[int]().union(*kept):
                key = (f.name, x)
                if key in self.hidden and key not in self.places:
                    self.give_up(f"{f.name} keeps a card as the plain number `{f.locals[x].name}`")
                if key in self.fillers and any(x in a and self.tags.get(key, a) & a for a in kept):
                    self.leave_alone(self.fillers[key], f"`{f.locals[x].name}` of {f.name} may be a field that does not apply")

    def inspect(self, f: Function, i: ir.Instr) -> None:
        """What the instruction says of single cards."""
        layout, functions = self.program.layout, self.program.functions
        block = {b + c: c for b in layout.per_card for c in range(layout.card_count)}
        for n in walk(i):
            match n:
                case ir.Load(base=b, index=index, count=count) | ir.Store(base=b, index=index, count=count):
                    if index is None or isinstance(index, ir.Const):
                        at = b + (index.value if index is not None else 0)
                        self.leave_alone([block[at]] if at in block else [], f"{f.name} looks at its slots alone")
                case ir.Table(table=t, index=index) if self.role(f, index) is not Role.PLAIN:
                    self.splits.append(self.program.tables[t])
                case ir.Binary(op="union" | "meet" | "without" | "differ" | "eq" | "ne" as op, a=a, b=b):
                    ra, rb = self.role(f, a), self.role(f, b)
                    if Role.CARDS in (ra, rb):
                        self.split([*_constants(a), *_constants(b)])
                    elif ra is not rb and not isinstance(a, ir.Const) and not isinstance(b, ir.Const):
                        self.give_up(f"{f.name} compares cards with something else")
                case ir.Binary(op="member", a=a, b=b) if self.role(f, a) is not Role.PLAIN:
                    self.split(_constants(b))
                case ir.Fold(var=v, domain=d, kind=kind, body=body):
                    if f.locals[v].type.role in _CARD:
                        self.split(_constants(d))
                    if kind in ("sum", "min", "max") and self.role(f, body) is not Role.PLAIN:
                        self.give_up(f"{f.name} takes the {kind} of cards")
                case ir.Binder(var=v, domain=d) if f.locals[v].type.role in _CARD:
                    self.split(_constants(d))
                case ir.Unary(op="lowest" | "below" | "neg" | "abs" as op, a=a) if self.role(f, a) is not Role.PLAIN:
                    self.give_up(f"{f.name} takes the {op} of cards")
                case ir.Put(card=c) | ir.Renew(card=c):
                    self.leave_alone(_constants(c), f"{f.name} names it")
                case ir.Call(function=g, args=args) | ir.Do(function=g, args=args) | ir.Invoke(function=g, args=args):
                    for x, a in zip(functions[g].locals, args, strict=False):
                        self.split(_constants(a) if x.type.role is Role.CARDS else [])
                case _:
                    pass
            if isinstance(n, ir.Put | ir.Shuffle | ir.ZoneCards | ir.PileTop | ir.PileFind) and (
                    self.role(f, n.zone) is not Role.PLAIN):
                self.give_up(f"{f.name} counts zones by card")
        targets: list[tuple[Role, ir.Expr]] = []
        match i:
            case ir.Store(base=b, value=e):
                targets = [(layout.slots[b].type.role, e)]
            case ir.Insert(multiset=m, values=values) | ir.New(pool=m, values=values):
                targets = [(layout.slots[c].type.role, e) for c, e in zip(layout.containers[m].columns, values, strict=True)]
            case ir.Return(value=ir.Expr() as e):
                targets = [(f.result.role, e)]
            case ir.Assign(local=x, value=e) | ir.ChooseSome(local=x, among=e):
                targets = [(f.locals[x].type.role, e)] if f.locals[x].type.role is Role.CARDS else []
            case ir.Choose(locals=xs, offers=offers):
                targets = [(Role.CARDS, e) for o in offers for x, e in zip(xs, o.values, strict=True)
                           if f.locals[x].type.role is Role.CARDS]
            case _:
                pass
        for role, e in targets:
            if role is Role.CARDS:
                self.split(_constants(e))
            elif role in _CARD:
                self.leave_alone(_constants(e), f"{f.name} names it")
        self.inspect_numbers(f, i, isinstance(i, ir.Assign) and (f.name, i.local) in self.places)

    def inspect_numbers(self, f: Function, node: ir.Node, place: bool) -> None:
        """Nobody reckons with cards, except where a slot is looked up (`place`)."""
        reckons = isinstance(node, ir.Binary) and node.op in (
            "add", "sub", "mul", "div", "mod", "min", "max", "lt", "le", "gt", "ge", "shift")
        if reckons and not place and any(self.role(f, x) is not Role.PLAIN for x in (node.a, node.b)):
            self.give_up(f"{f.name} reckons with cards")
        for n in children(node):
            lookup = isinstance(node, ir.Load | ir.Store) and n is node.index
            self.inspect_numbers(f, n, lookup or (place and (reckons or isinstance(node, ir.Assign))))


def _alternatives(e: ir.Expr) -> Iterator[ir.Expr]:
    """The expressions one of which gives the value."""
    match e:
        case ir.If(a=a, b=b):
            yield from _alternatives(a)
            yield from _alternatives(b)
        case ir.Present(a=a) | ir.Within(a=a):
            yield from _alternatives(a)
        case _:
            yield e


def _constants(e: ir.Expr) -> list[int]:
    """The constants that may be the value."""
    return [n.value for n in _alternatives(e) if isinstance(n, ir.Const)]
