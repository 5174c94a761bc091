"""States of which only something is known: one value for each slot and local, and under which condition one is there.

Ways that meet are merged: the values become choices, by the condition that parted the ways.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...model.ir.flow import liveness
from ...model.ir.program import Function
from ...model.ir.types import SetType
from . import numbers as n
from . import truths as t
from .numbers import Val
from .truths import Truth


class Path:
    """A chain of conditions under which execution is where it is."""

    __slots__ = ("_added", "_handed_on", "_term", "condition", "depth", "parent")

    def __init__(self, parent: Path | None, condition: Truth) -> None:
        self.parent, self.condition = parent, condition
        self.depth: int = 0 if parent is None else parent.depth + 1
        self._term: Truth | None = None
        self._added: dict[int, int] = {} if parent is None else parent._hand_on()
        self._handed_on = False
        if not isinstance(condition, bool):
            self._added.setdefault(t.address(condition), self.depth)

    def _hand_on(self) -> dict[int, int]:
        """At which depth each condition was added, for a path that goes on from this one: the first has the same table, in which what
        is deeper than a path is not its own."""
        if self._handed_on:
            return {term: depth for term, depth in self._added.items() if depth <= self.depth}
        self._handed_on = True
        return self._added

    def plus(self, condition: Truth) -> Path:
        if condition is True:
            return self
        known = None if isinstance(condition, bool) else self.known(condition)
        if known is True:
            return self
        return Path(self, condition if known is None else False)

    @property
    def term(self) -> Truth:
        if self._term is None:
            self._term = self.condition if self.parent is None else t.both(self.parent.term, self.condition)
        return self._term

    @property
    def impossible(self) -> bool:
        return self.condition is False

    def known(self, condition: Truth) -> bool | None:
        """Does the condition hold here, to the eye?"""
        if isinstance(condition, bool):
            return condition
        if self._added.get(t.address(condition), self.depth + 1) <= self.depth:
            return True
        negated = t.no(condition)
        assert not isinstance(negated, bool)
        return False if self._added.get(t.address(negated), self.depth + 1) <= self.depth else None

    def since(self, other: Path) -> list[Truth]:
        """The conditions that were added since another path, which this one goes on from."""
        out: list[Truth] = []
        at = self
        while at is not other:
            out.append(at.condition)
            assert at.parent is not None
            at = at.parent
        out.reverse()
        return out


def fork_of(a: Path, b: Path) -> Path:
    """Where two paths parted."""
    while a.depth > b.depth:
        assert a.parent is not None
        a = a.parent
    while b.depth > a.depth:
        assert b.parent is not None
        b = b.parent
    while a is not b:
        assert a.parent is not None and b.parent is not None
        a, b = a.parent, b.parent
    return a


@dataclass
class Write:
    """A write that waits for the end of its batch, if `when` holds. `place` is what must not be given two values."""

    when: Truth
    place: Val | None
    how: str
    value: tuple[Val, ...]
    happen: Callable[[Sym], None]
    clauses: tuple[str, ...] = ()


@dataclass
class Happening:
    """An event that waits for the end of its batch, if `when` holds."""

    when: Truth
    function: str
    args: list[Val]


@dataclass
class Frame:
    """A function in progress; `key` orders places in its code so that loops come before what follows them."""

    fn: Function
    pc: int
    locals: list[Val]
    key: float = 0


@dataclass
class Halt:
    """An end of play, under a condition: which (as in `engine.state.End`), and the slots then."""

    when: Truth
    kind: str
    who: Val = -1
    detail: str = ""
    slot: int = -1
    slots: Sequence[Val] = ()


@dataclass
class Sym:
    """A state while it is worked on. `frames` are procedures, `running` the steps inside the topmost."""

    slots: list[Val]
    path: Path = field(default_factory=lambda: Path(None, True))
    frames: list[Frame] = field(default_factory=list[Frame])
    running: list[Frame] = field(default_factory=list[Frame])
    batch: list[Write] | None = None
    inner: int = 0
    events: list[Happening] = field(default_factory=list[Happening])
    happening: list[list[Happening]] = field(default_factory=list["list[Happening]"])
    result: Val = 0
    memo: dict[object, object] = field(default_factory=dict[object, object])
    """What defines gave in these slots."""
    shared: bool = False
    """Others have the same list of slots: it is copied before it is written to."""

    def fork(self, condition: Truth = True) -> Sym:
        """A copy that goes on under a condition."""
        return Sym(
            self.share(),
            self.path.plus(condition),
            [copied(f) for f in self.frames],
            [copied(f) for f in self.running],
            None if self.batch is None else self.batch.copy(),
            self.inner,
            [Happening(e.when, e.function, e.args.copy()) for e in self.events],
            [[Happening(e.when, e.function, e.args.copy()) for e in es] for es in self.happening],
            self.result,
            self.memo,
            True,
        )

    def share(self) -> list[Val]:
        """The slots, for somebody else to keep."""
        self.shared = True
        return self.slots

    @property
    def dead(self) -> bool:
        """Nobody can come here."""
        return self.path.impossible

    def set(self, slot: int, value: Val) -> None:
        if self.slots[slot] is not value:
            if self.shared:
                self.slots, self.shared = self.slots.copy(), False
            self.slots[slot] = value
            self.memo = {}


def copied(f: Frame) -> Frame:
    return Frame(f.fn, f.pc, f.locals.copy(), f.key)


class Merger:
    """Merges states that are at the same place. `masks`: which slots hold sets."""

    def __init__(self, masks: Sequence[bool]) -> None:
        self.masks = masks
        self.known: dict[str, tuple[list[frozenset[int]], list[bool]]] = {}

    def merge(self, a: Sym, b: Sym) -> Sym:
        """Either of two states that exclude each other."""
        if a.dead:
            return b
        if b.dead:
            return a
        root = fork_of(a.path, b.path)
        left, right = a.path.since(root), b.path.since(root)
        if left and right and t.opposite(left[0], right[0]):
            test = left[0]
            again = t.both(t.either(t.no(test), t.every(left[1:])), t.either(test, t.every(right[1:])))
        else:
            test = t.every(left)
            again = t.either(test, t.every(right))
        memo = a.memo if a.memo is b.memo else {}
        slots = a.share() if a.slots is b.slots else self.rows(test, a.slots, b.slots)
        out = Sym(slots, root.plus(again), memo=memo, shared=a.slots is b.slots)
        out.frames = [self.frame(test, x, y) for x, y in zip(a.frames, b.frames, strict=True)]
        out.running = [self.frame(test, x, y) for x, y in zip(a.running, b.running, strict=True)]
        assert a.inner == b.inner and (a.batch is None) == (b.batch is None)
        out.inner = a.inner
        if a.batch is not None and b.batch is not None:
            out.batch = self.writes(test, a.batch, b.batch)
        out.events = self.events(test, a.events, b.events)
        out.happening = [self.events(test, x, y) for x, y in zip(a.happening, b.happening, strict=True)]
        out.result = n.choose(test, a.result, b.result)
        return out

    def rows(self, test: Truth, a: list[Val], b: list[Val]) -> list[Val]:
        return [x if x is y else n.choose(test, x, y, m) for x, y, m in zip(a, b, self.masks, strict=True)]

    def frame(self, test: Truth, a: Frame, b: Frame) -> Frame:
        """Locals that nobody will read hold anything."""
        if a.fn.name not in self.known:
            self.known[a.fn.name] = liveness(a.fn), [isinstance(x.type, SetType) for x in a.fn.locals]
        live, masks = self.known[a.fn.name]
        here = live[a.pc]
        merged = [
            x if x is y else n.choose(test, x, y, masks[k]) if k in here else 0
            for k, (x, y) in enumerate(zip(a.locals, b.locals, strict=True))]
        return Frame(a.fn, a.pc, merged, a.key)

    def writes(self, test: Truth, a: list[Write], b: list[Write]) -> list[Write]:
        k = 0
        while k < min(len(a), len(b)) and a[k] is b[k]:
            k += 1
        mine = [Write(t.both(test, w.when), w.place, w.how, w.value, w.happen, w.clauses) for w in a[k:]]
        others = [Write(t.both(t.no(test), w.when), w.place, w.how, w.value, w.happen, w.clauses) for w in b[k:]]
        return [*a[:k], *mine, *others]

    def events(self, test: Truth, a: list[Happening], b: list[Happening]) -> list[Happening]:
        """Those that both have come first in both; their arguments may differ (an object may have gone)."""
        k = 0
        while (k < min(len(a), len(b)) and a[k].function == b[k].function and t.same(a[k].when, b[k].when)
               and (len(a) == len(b) or all(map(n.same, a[k].args, b[k].args)))):
            k += 1
        joined = [Happening(x.when, x.function, [n.choose(test, v, w) for v, w in zip(x.args, y.args, strict=True)])
                  for x, y in zip(a[:k], b[:k], strict=True)]
        mine = [Happening(t.both(test, e.when), e.function, e.args) for e in a[k:]]
        others = [Happening(t.both(t.no(test), e.when), e.function, e.args) for e in b[k:]]
        return [*joined, *mine, *others]
