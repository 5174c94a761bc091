"""Loops that never come back to the same state because something grows: a counter, or the stack of nested effects.

That they are endless is shown by the finite graph in which they lie (`saturate`, `nesting`); here they are told by real plays.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...model.engine.extrapolation import Saturated
from ...model.engine.state import Option, State
from ...spec.text import Text
from .subject import Subject, Walk

COUNTED = Text(ja="途中で数えている値", en="a number counted on the way")
"""What grows where no part of the position does."""
NESTED = Text(ja="効果の入れ子が深くなり続ける", en="effects nest ever deeper")
Way = list[tuple[State, Option]]
Places = tuple[tuple[tuple[int, ...], ...], ...]
"""Of each step, where play stands in the rules: the function and the instruction of each frame."""


@dataclass(frozen=True)
class Growth:
    """A round that returns to the same state except that `slots` are larger or smaller (by `step` each) or the stack is deeper (by `frames`)."""

    slots: tuple[int, ...]
    step: tuple[int, ...]
    frames: int

    def words(self, subject: Subject) -> Text:
        """What grows, in the book's words."""
        if self.frames and not self.slots:
            return NESTED
        fields = dict.fromkeys(field_of(subject, k) for k in self.slots)
        names = [subject.describer.words.of(f) for f in fields] or [COUNTED]
        several = len(names) > 1
        signs = {x > 0 for x in self.step} or {True}
        ja, en = ("が変わり続ける", "keep changing" if several else "keeps changing") if len(signs) > 1 else (
            ("が増え続ける", "keep growing" if several else "keeps growing") if True in signs
            else ("が減り続ける", "keep falling" if several else "keeps falling"))
        said = Text(ja="と".join(n.ja for n in names) + ja, en=" and ".join(n.en for n in names) + " " + en)
        return (
            said
            if not self.frames
            else Text(ja=f"{NESTED.ja.removesuffix('る')}、{said.ja}", en=f"{NESTED.en}, and {said.en}")
        )


def field_of(subject: Subject, slot: int) -> str:
    """The field that a slot belongs to."""
    for m in subject.program.layout.containers.values():
        if any(c <= slot < c + m.capacity for c in m.columns):
            return m.name
    return subject.program.layout.slots[slot].name.split("[")[0].split(".")[-1]


def growing_lasso(
    subject: Subject,
    start: int,
    stem: Sequence[Option],
    cycle: Sequence[Option],
    into: Sequence[State],
    kept: frozenset[State],
) -> tuple[Way, Way, Growth] | None:
    """A real play along a lasso of representatives (`into`: the one that each step leads to) that does not close: what comes before the first
    place from which the round grows until it goes round in representatives on the cycle (elsewhere the same choices may make a smaller
    loop), always through states that are `kept`; the round; and how it grows. None where it does not grow in rounds."""
    walk = Walk(subject, subject.starts[start].state)
    way = walk.along(stem, into)
    loop = into[len(stem):]
    real = real_round(walk, cycle, loop)
    n = len(real)
    rounds = [
        real[:m] for m in range(1, n) if n % m == 0 and real[:m] * (n // m) == real
    ]  # what repeats may be shorter, where calls nest
    for once in (*rounds, real):
        for k in range(len(way)):
            for turn in range(len(once)):
                around = [*once[turn:], *once[:turn]]
                if (grown := grows(subject, way[k][0], around, frozenset(loop), kept)) is not None:
                    return way[:k], grown.way, grown.growth
    turn = once_round(subject, way[-1][0], real)  # not by as much in each round
    return None if turn is None else (way[:-1], turn.way, turn.growth)


def real_round(walk: Walk, cycle: Sequence[Option], into: Sequence[State]) -> list[Option]:
    """The options of real play from where it has come, around a cycle of representatives as often as it takes until no cards have changed places, or
    as far as it goes. (Each round moves them by the same permutation.)"""
    head, sigma, real = walk.real, walk.sigma, list[Option]()
    while True:
        way = walk.along(cycle, into)[:-1]
        real += [option for _, option in way]
        if len(way) < len(cycle) or walk.sigma == sigma or comes_back(walk.subject, head, walk.real):
            return real


def grows(
    subject: Subject, state: State, cycle: Sequence[Option], loop: frozenset[State], kept: frozenset[State]
) -> Turn | None:
    """The round that leads from the state to one that differs only by growth, and always by the same steps, through states that are `kept`, until
    it goes round in the loop; None if it does not."""
    first: Turn | None = None
    at = state
    for _ in range(
        2 + max((c.limit for c in subject.saturated.counters), default=0) if subject.saturated is not None else 2
    ):
        turn = once_round(subject, at, cycle)
        if turn is None or (first is not None and not turn.like(first)):
            return None
        states = [looks_of(subject, s) for s, _ in turn.way]
        if not kept.issuperset(states):
            return None
        if goes_round(subject, at, turn.after, loop) and (turn.growth.frames or loop.issuperset(states)):
            return first or turn
        first, at = first or turn, turn.after
    return None


def comes_back(subject: Subject, one: State, other: State) -> bool:
    """Are two real states told apart by no more than large values and, where the stack of one is deeper, the frames below the top one?"""
    one, other = (s if subject.saturated is None else subject.saturated.representative(s) for s in (one, other))
    if len(one.frames) == len(other.frames):
        return one == other
    return (one.slots, one.frames[-1:]) == (other.slots, other.frames[-1:])


def goes_round(subject: Subject, before: State, after: State, loop: frozenset[State]) -> bool:
    """Is a state after a round in the loop, and not told apart from the one before it? Where the stack is deeper: from its top frame on."""
    if not comes_back(subject, before, after):
        return False
    if len(before.frames) == len(after.frames):
        return looks_of(subject, after) in loop
    other = after if subject.saturated is None else subject.saturated.representative(after)
    top = other.frames[-1]
    return any(
        s.frames[-1][:2] == top[:2] and (subject.symmetry is not None or (s.slots, s.frames[-1]) == (other.slots, top))
        for s in loop
        if s.frames
    )


def looks_of(subject: Subject, state: State) -> State:
    """What stands for a real state among those that were explored."""
    if subject.saturated is not None:
        state = subject.saturated.representative(state)
    return state if subject.symmetry is None else subject.symmetry.canonical(state)[0]


class Turn(NamedTuple):
    """One round of real play: how the state grows; the places of the rules where options are taken (from the frame on that the round begins in);
    the steps, and where they lead."""

    growth: Growth
    places: Places
    way: Way
    after: State

    def like(self, other: Turn) -> bool:
        """Does it grow by the same, at the same places?"""
        return (self.growth, self.places) == (other.growth, other.places)


def once_round(subject: Subject, state: State, cycle: Sequence[Option]) -> Turn | None:
    """A round from a real state by these options; None if one is not offered, play ends or it does not grow."""
    way, after = stepped(subject, state, cycle) or ([], state)
    growth = difference(state, after) if way and after.end is None else None
    if growth is None:
        return None
    return Turn(
        growth, tuple([tuple([frame[:2] for frame in s.frames[len(state.frames) - 1 :]]) for s, _ in way]), way, after
    )


def difference(a: State, b: State) -> Growth | None:
    """How b is a after growing; None if they are equal or differ otherwise than in numbers. Frames are alike if they stand at the same places;
    what their locals hold may differ."""
    slots = tuple(k for k, (x, y) in enumerate(zip(a.slots, b.slots, strict=True)) if x != y)
    step = tuple(b.slots[k] - a.slots[k] for k in slots)
    deeper = len(b.frames) - len(a.frames)
    places = [f[:2] for f in b.frames]
    if deeper < 0 or [f[:2] for f in a.frames] != places[:len(a.frames) - 1] + places[-1:]:
        return None
    if deeper == 0 and not slots and a.frames == b.frames:
        return None
    return Growth(slots, step, deeper)


# ---------------------------------------------------------------- the same loop at smaller values
class Cells(NamedTuple):
    """Where counters that saturate are held: slots, and in the frames of each function."""

    slots: frozenset[int]
    locals: Mapping[int, frozenset[int]]


def cells_of(engine: Saturated | None) -> Cells:
    """All counters that saturate."""
    if engine is None:
        return Cells(frozenset(), {})
    return Cells(frozenset(k for slots in engine.slots for k in slots),
                 {fn: frozenset(k + 2 for _, k in held) for fn, held in engine.locals.items() if held})


def apart(state: State, cells: Cells) -> State:
    """The state with the counters blanked."""
    frames = tuple(
        tuple(0 if k in cells.locals[f[0]] else v for k, v in enumerate(f)) if f[0] in cells.locals else f
        for f in state.frames
    )
    return State(tuple(0 if k in cells.slots else v for k, v in enumerate(state.slots)), frames, state.end)


def covered(states: Iterable[State], looks: Sequence[frozenset[State]], cells: Cells) -> bool:
    """Is the loop through these states one of those that grow, seen at smaller values? `looks`: their states, with the counters blanked."""
    left = looks
    for state in states if left else ():
        mine = apart(state, cells)
        left = [look for look in left if mine in look]
        if not left:
            return False
    return bool(left)


def first_time_round(
    subject: Subject, cells: Cells, before: Way, around: Way, kept: frozenset[State]
) -> tuple[Way, Way]:
    """A round that comes back to the same state, begun at the first place on the way to it from which it does so: the counters
    that can grow besides may be smaller there, but all is in `kept`. The first time it may still begin otherwise (what calls it is at another round of its own)."""
    looks = {standing(state, cells): k for k, (state, _) in reversed([*enumerate(around)])}
    for k, (begin, _) in enumerate(before):
        turn = looks.get(standing(begin, cells))
        if turn is None:
            continue
        same = [*around[turn:], *around[:turn]]
        options = [option for _, option in same]
        once = stepped(subject, begin, options)
        again = stepped(subject, once[1], options) if once is not None else None
        if (
            once is not None
            and again is not None
            and again[1] == once[1]
            and asked(subject, again[0]) == asked(subject, same)
            and all(looks_of(subject, s) in kept for s, _ in once[0])
        ):
            return ([*before[:k], *once[0]], again[0]) if once[1] != begin else (before[:k], once[0])
    return before, around


def asked(subject: Subject, way: Way) -> list[tuple[int, tuple[Option, ...]]]:
    """Who is asked what on the way."""
    return [(at.owner, tuple(at.options)) for state, _ in way if (at := subject.engine.point(state)) is not None]


def standing(state: State, cells: Cells) -> tuple[object, ...]:
    """Where play stands in the rules, and the state with the counters blanked."""
    return apart(state, cells).slots, tuple(frame[:2] for frame in state.frames)


def stepped(subject: Subject, state: State, options: Sequence[Option]) -> tuple[Way, State] | None:
    """The steps of a play along these options, and where they lead; None where one is not offered."""
    steps: Way = []
    for option in options:
        at = subject.engine.point(state)
        if at is None or option not in at.options:
            return None
        steps.append((state, option))
        state = subject.engine.apply(state, option).state
    return steps, state
