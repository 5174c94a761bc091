"""Equal cards change places: permutations of states, and one representative for states that differ by one.

A permutation is a sequence: card `c` becomes card `perm[c]`. It acts on everything that names a card alike:
on the slots that lie side by side for each card, on values that are cards or sets of cards (in slots,
containers, frames and options), and on the slot that an exceeded bound names. Multisets are put back into
order.

`canonical` applies some permutation within the classes, so states with one representative always differ by
such a permutation only. That they have the same future is a matter of the program: its rules must not tell
the cards of a class apart. The rule language has no word that would; where a number of a card gets into the
code or the state unseen, `_Audit` finds it, and these cards are kept apart. What is not found is a loop in a
step that goes through cards in the order of their numbers and whose result depends on that order: the front
end is to refuse it. `commutes` puts any state to the test.

How the representative is found: the cards of a class are sorted by what is said of each (its own slots, and
every place that names it). Cards that are named together (a card on a card, an entry of two cards) are told
apart by colour refinement; then, of cards of one colour, one is taken out, and the colours are refined again.
If what binds the cards has no ring in it, it does not matter which. Else all are tried and the least state is
taken, if there are few enough (`TRIES`); beyond that the lowest number is taken out, and then states that
differ by a permutation may keep different representatives.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import factorial, prod
from operator import itemgetter

from ...model.engine.interpreter import Interpreter
from ...model.engine.state import End, Option, State
from ...model.ir import nodes as ir
from ...model.ir.flow import live_across_calls, liveness, walk
from ...model.ir.places import Keyed, Zones
from ...model.ir.program import Function, Program
from ...model.ir.types import Role, Type
from ...model.lang.world import CardCopy

__all__ = ["Perm", "Symmetry", "interchangeable"]

Perm = tuple[int, ...]
CARD = (Role.CARD, Role.OBJECT)
TRIES = 720
"""At most so many ways of ordering cards that colours do not tell apart are looked at."""


def interchangeable(cards: Sequence[CardCopy]) -> list[list[int]]:
    """The classes of cards with the same definition and owner that have at least two members."""
    groups: dict[tuple[str, int], list[int]] = {}
    for k, c in enumerate(cards):
        groups.setdefault((c.definition.id, c.owner), []).append(k)
    return [g for g in groups.values() if len(g) > 1]


class Symmetry:
    """The permutations of cards within classes.

    `classes` are those that hold: the given ones, without the cards that the program tells apart. `limits`
    says why cards were kept apart.
    """

    def __init__(self, program: Program, classes: Sequence[Sequence[int]]) -> None:
        self.program = program
        layout = program.layout
        n = self._count = layout.card_count
        every = [c for k in classes for c in k]
        if len(set(every)) != len(every) or any(not 0 <= c < n for c in every):
            given = [list(k) for k in classes]
            raise ValueError(f"classes hold distinct cards from 0 to {n - 1}, not {given}")
        audit = _Audit(program)
        self.limits = tuple(audit.limits) if every else ()
        self.classes = audit.narrow(classes)
        self.identity: Perm = tuple(range(n))
        self._class_of = {c: k for k, cards in enumerate(self.classes) for c in cards}
        self._moved = sum(1 << c for c in self._class_of)
        self._lay_out(audit.places)

    def _lay_out(self, places: Mapping[tuple[str, int], int]) -> None:
        """Sort the slots by what they say of cards."""
        layout, n = self.program.layout, self._count
        roles = [s.type.role for s in layout.slots]
        self._blocks = layout.per_card
        self._plain_blocks = [b for b in layout.per_card if roles[b] is Role.PLAIN]
        self._card_blocks = [b for b in layout.per_card if roles[b] in CARD]
        self._set_blocks = [b for b in layout.per_card if roles[b] is Role.CARDS]
        self._card_at = {b + c: (b, c) for b in layout.per_card for c in range(n)}
        self._multisets = [
            (m.head, m.columns, tuple(roles[c] for c in m.columns)) for m in layout.containers.values()
            if not m.is_pool and any(roles[c] is not Role.PLAIN for c in m.columns)]
        within = {c + k for m in layout.containers.values() if not m.is_pool
                  for c in m.columns for k in range(m.capacity)}
        single = [k for k in range(len(roles)) if k not in within and k not in self._card_at]
        self._cards = [k for k in single if roles[k] in CARD]
        self._sets = [k for k in single if roles[k] is Role.CARDS]
        self._locals: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self._places: dict[int, list[tuple[frozenset[int], frozenset[int]]]] = {}
        self._place_base = dict[tuple[int, int], int]()
        for number, fn in enumerate(self.program.functions.values()):
            role = [x.type.role for x in fn.locals]
            self._locals.append((tuple(k + 2 for k, r in enumerate(role) if r in CARD),
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
                new = [slots[c:c + size] if r is Role.PLAIN else
                       [_image_of(m, moved, perm) for m in slots[c:c + size]] if r is Role.CARDS else
                       [image[v] for v in slots[c:c + size]] for c, r in zip(columns, roles, strict=True)]
                entries = sorted(zip(*new, strict=True))
                for c, column in zip(columns, zip(*entries, strict=True), strict=True):
                    out[c:c + size] = column
        last = len(frames) - 1
        return State(
            tuple(out),
            tuple([self._permute_frame(f, k == last, perm, image, moved) for k, f in enumerate(frames)]),
            self._permute_end(end, perm) if end is not None else None)

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
        """Locals that hold a place among slots of cards: where in the frame, and the slot they count from."""
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
        """The same option in the permuted state; `of` is the type of the point."""
        if of is None:
            return option
        image = (*perm, -1)
        return tuple([
            v if t.role is Role.PLAIN else _image_of(v, -1, perm) if t.role is Role.CARDS else image[v]
            for t, v in zip(of.flat(), option, strict=True)])

    def commutes(self, engine: Interpreter, state: State, perm: Sequence[int]) -> bool:
        """Do the same things happen, permuted, in the permuted state? If not, the rules tell cards apart."""
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
        none: list[Mark] = []
        for cards in self.classes:
            if marks or colour:
                order = sorted(cards, key=lambda c: (keys[c], marks.get(c, none), colour.get(c, -1)))
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


# ---------------------------------------------------------------- what a state says of its cards
Mark = tuple[object, ...]
"""A place that names a card. Marks that begin alike are made alike, so that they can be sorted."""
Tie = tuple[tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]]
"""Something that names several cards of the classes: what it is, and each card with its parts in it."""


class _Signs:
    """What is said of each card alone (`keys`: its own plain slots; `marks`), and of several at once
    (`ties`).

    A mark or tie begins with the slot it is about, or with -1 for frames, -2 for the end of play.
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
        self.ties: list[Tie] = [((*label, n), parts) for (label, parts), n in Counter(signs.ties).items()]
        tied = sorted({c for _, parts in self.ties for c, _ in parts})
        self.colour = self.refine(_ranked({
            c: (symmetry._class_of[c], signs.keys[c], signs.marks.get(c, [])) for c in tied}))

    def result(self) -> tuple[State, Perm]:
        """The representative, and the permutation."""
        cells = self.open_cells(self.colour)
        if not cells:
            return self.leaf(self.colour)
        if self.has_ring(self.colour) and prod(factorial(len(x)) for x in cells) <= TRIES:
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
        """The least state that can be reached, and those that were. A card that leads to a state reached
        before can take the place of the card that led there: it need not be tried further."""
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
        """Cards of one colour among which it may matter which is which: they are bound to others that are not
        alone in their colour either."""
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
        """Is there a ring of cards and ties (cards that are alone in their colour aside)? Without one, all
        cards of a colour can take each other's place."""
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
Key = tuple[str, int]
"""A local (function, number), the result of a function (function, -1), or a slot ("", number)."""


class _Audit:
    """Which cards a program tells apart.

    Constant sets and tables split classes; a card that the code names by its number stays alone. If the
    number of a card is kept where nobody expects one, no classes are left; the places of fields that
    `restored` keeps are expected (`places`: the local, and the slot it counts from).
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.limits: list[str] = []
        self.blind = False
        self.alone: set[int] = set()
        self.splits: dict[tuple[int, ...], None] = {}
        self.places: dict[Key, int] = {}
        self.hidden: dict[Key, Role] = {}
        """What is declared as a plain number, and holds a card or a set of cards."""
        functions = list(program.functions.values())
        before = -1
        while before != (before := len(self.hidden)):
            for f in functions:
                for i in f.code:
                    for of, key, e in self.passed_on(f, i):
                        role = e if isinstance(e, Role) else self.role(f, e)
                        if of.role is Role.PLAIN and role is not Role.PLAIN:
                            self.hidden.setdefault(key, role)
        for f in functions:
            for i in f.code:
                for of, _, e in self.passed_on(f, i):
                    if not isinstance(e, Role):
                        self.name(f, _constants(e), of.role)
                for n in walk(i):
                    self.inspect(f, n)
        self.check_state()
        for f in functions:
            if f.kind == "procedure":
                self.check_frames(f)

    def narrow(self, classes: Sequence[Sequence[int]]) -> list[list[int]]:
        """The classes within which nothing is told apart."""
        out: list[list[int]] = []
        for cards in classes:
            groups: dict[tuple[int, ...], list[int]] = {}
            for c in sorted(cards):
                groups.setdefault((c if c in self.alone else -1, *(x[c] for x in self.splits)), []).append(c)
            out += [g for g in groups.values() if len(g) > 1 and not self.blind]
        return out

    def give_up(self, why: str) -> None:
        """No two cards can be said to be alike."""
        self.blind = True
        self.limits.append(why)

    def name(self, f: Function, values: Iterable[int], role: Role) -> None:
        """The code names a card (which is like no other), or a set of cards (whose members are not like
        others)."""
        n = self.program.layout.card_count
        for v in values:
            if role is Role.CARDS:
                self.splits[tuple(v >> c & 1 for c in range(n))] = None
            elif role is not Role.PLAIN and 0 <= v < n and v not in self.alone:
                self.alone.add(v)
                self.limits.append(f"{f.name} names card {v}")

    # ------------------------------------------------------------ where numbers of cards go
    def role(self, f: Function, e: ir.Expr) -> Role:
        """Is the value a card, or a set of cards? Objects count as cards."""
        match e:
            case ir.Local(index=x):
                return self.known(f.locals[x].type, (f.name, x))
            case ir.Load(base=b):
                return self.known(self.program.layout.slots[b].type, ("", b))
            case ir.Call(function=g):
                return self.known(self.program.functions[g].result, (g, -1))
            case ir.ZoneCards() | ir.PileTop():
                return Role.CARDS
            case ir.PileFind():
                return Role.CARD
            case ir.Unary(op="single", a=a) | ir.Fold(kind="set", body=a):
                return Role.CARDS if self.role(f, a) is Role.CARD else Role.PLAIN
            case ir.Unary(op="only" | "lowest", a=a):
                return Role.CARD if self.role(f, a) is Role.CARDS else Role.PLAIN
            case ir.If(a=a, b=b) | ir.Binary(
                    op="add" | "sub" | "mul" | "union" | "meet" | "without" | "differ", a=a, b=b):
                r = self.role(f, a)
                return r if r is not Role.PLAIN else self.role(f, b)
            case ir.Present(a=a) | ir.Within(a=a) | ir.Fold(kind="union", body=a):
                return self.role(f, a)
            case _:
                return Role.PLAIN

    def known(self, of: Type, key: Key) -> Role:
        return Role.CARD if of.role is Role.OBJECT else self.hidden.get(key, of.role)

    def passed_on(self, f: Function, i: ir.Instr) -> Iterator[tuple[Type, Key, ir.Expr | Role]]:
        """What the instruction sets: its declared type, which it is, and the value (or no more than its
        role)."""
        layout, functions = self.program.layout, self.program.functions

        def local(x: int, e: ir.Expr | Role, to: Function = f) -> tuple[Type, Key, ir.Expr | Role]:
            return to.locals[x].type, (to.name, x), e

        for n in walk(i):
            match n:
                case ir.Call() | ir.Do() | ir.Invoke():
                    for x, a in enumerate(n.args):
                        yield local(x, a, functions[n.function])
                case ir.Fold(var=v, domain=d) | ir.Binder(var=v, domain=d):
                    yield local(v, Role.CARD if self.role(f, d) is Role.CARDS else Role.PLAIN)
                case ir.PileFind(var=v):
                    yield local(v, Role.CARD)
                case _:
                    pass
        match i:
            case ir.Do(function=g, local=int() as x) | ir.Invoke(function=g, local=int() as x):
                yield local(x, self.known(functions[g].result, (g, -1)))
            case ir.Assign(local=x, value=e) | ir.ChooseSome(local=x, among=e):
                yield local(x, e)
            case ir.Choose(locals=xs, offers=offers):
                for o in offers:
                    yield from (local(x, e) for x, e in zip(xs, o.values, strict=True))
            case ir.Next(rest=r, var=v):
                yield local(v, Role.CARD if self.role(f, ir.Local(r)) is Role.CARDS else Role.PLAIN)
            case ir.Return(value=ir.Expr() as e):
                yield f.result, (f.name, -1), e
            case ir.Store(base=b, value=e):
                yield layout.slots[b].type, ("", b), e
            case ir.Insert(multiset=m, values=values) | ir.New(pool=m, values=values):
                for c, e in zip(layout.containers[m].columns, values, strict=True):
                    yield layout.slots[c].type, ("", c), e
            case _:
                pass

    # ------------------------------------------------------------ what follows from it
    def inspect(self, f: Function, n: ir.Node) -> None:
        """Find the single cards and the sets of cards that a node speaks of."""
        match n:
            case ir.Load(base=b, index=k) | ir.Store(base=b, index=k) if k is None or isinstance(k, ir.Const):
                slot, layout = b if k is None else b + k.value, self.program.layout
                there = [slot - x for x in layout.per_card if x <= slot < x + layout.card_count]
                self.name(f, there, Role.CARD)
            case ir.Table(table=t, index=index) if self.role(f, index) is not Role.PLAIN:
                self.splits[self.program.tables[t]] = None
            case ir.Binary(op="member", a=a, b=b) if self.role(f, a) is not Role.PLAIN:
                self.name(f, _constants(b), Role.CARDS)
            case ir.Binary(op="eq" | "ne" | "union" | "meet" | "without" | "differ", a=a, b=b):
                for one, other in ((a, b), (b, a)):
                    self.name(f, _constants(one), self.role(f, other))
            case ir.Fold(var=v, domain=d) | ir.Binder(var=v, domain=d):
                if f.locals[v].type.role is not Role.PLAIN:
                    self.name(f, _constants(d), Role.CARDS)
            case ir.Put(card=c) | ir.Renew(card=c):
                self.name(f, _constants(c), Role.CARD)
            case _:
                pass

    def check_state(self) -> None:
        """What is kept in the state."""
        layout = self.program.layout
        for name, node in layout.fields.items():
            while isinstance(node, Keyed):
                node = node.of
            if isinstance(node, Zones) and any(k.role is Role.CARD for k in node.keys):
                self.give_up(f"each card has its own zone {name}")
        for group in dict.fromkeys(layout.slots[x].group for name, x in self.hidden if not name):
            self.give_up(f"{group} keeps cards as plain numbers")

    def check_frames(self, f: Function) -> None:
        """What is kept in a frame."""
        live = liveness(f)
        across = live_across_calls(f, live)
        kept: set[int] = set()
        for k, i in enumerate(f.code):
            if isinstance(i, ir.Label | ir.Choose | ir.ChooseSome | ir.Consult | ir.Invoke):
                kept |= live[k]
            if isinstance(i, ir.Invoke):
                kept |= across[k]
        nodes = [n for i in f.code for n in walk(i)]
        for x in sorted(kept):
            if (f.name, x) in self.hidden:
                here = ir.Local(x)
                bases = [n.base for n in nodes if isinstance(n, ir.Store | ir.Load) and n.index == here]
                base = bases[0] if len(set(bases)) == 1 and len(bases) == nodes.count(here) else -1
                if base in self.program.layout.per_card and self.hidden[f.name, x] is Role.CARD:
                    self.places[f.name, x] = base
                else:
                    self.give_up(f"{f.name} keeps a card as the plain number `{f.locals[x].name}`")


def _constants(e: ir.Expr) -> Iterator[int]:
    """The constants that may be the value."""
    match e:
        case ir.Const(value=v):
            yield v
        case ir.If(a=a, b=b):
            yield from _constants(a)
            yield from _constants(b)
        case ir.Present(a=a) | ir.Within(a=a):
            yield from _constants(a)
        case _:
            pass
