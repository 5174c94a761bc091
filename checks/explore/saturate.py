"""Play beyond the ranges of counters: judged in a finite graph, where every rule is shown to treat large values alike.

Where a counter left its range, the space is explored again with counters that never end and whose large values are not told apart
(`model.engine.extrapolation`). In each state that stands for several it is shown that these go on alike; where a rule tells some apart, they are
told apart from then on, and it is explored again. What cannot be shown so is cut off, like everything that was not looked at.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...model.engine.extrapolation import (
    FIRST_LIMIT,
    Counters,
    Field,
    NotAlike,
    Saturated,
    Unlimited,
    field_of,
    is_counter,
)
from ...model.engine.state import End, State
from ...model.ir.types import ANY_INT
from ...spec.text import Text
from .explorer import (
    SEVERAL,
    BoundAtStart,
    BoundEdge,
    Exploration,
    Limits,
    Listed,
    Progress,
    explore,
    left_at_start,
)
from .nesting import anchored, nested
from .owned_graph import BOUND, FRONTIER, OwnedGraph
from .subject import Subject

MOST_STATES = 30_000
"""States of a graph in which counters saturate, at most."""
MOST_LIMIT = 1_000
"""Values of a counter that are told apart, at most."""
WORK = 150_000
"""States of all the graphs that are made one after the other, at most."""
MOST_FRAMES = 400
"""Frames of the stack that are tried where calls nest until a counter ends it, at most."""
FINITE_FACTOR, FINITE_MORE = 4, 400
"""If all values are told apart, so many times as many states as within the ranges are looked at, and so many more."""
DEEP = 10_000
"""Frames of the stack where play is told beyond the bound of the model."""
TOGETHER = 20
"""So many states in which values are not alike are looked at before it is explored again."""


@dataclass
class Saturation:
    """The space with counters that saturate. `subject`: its engine plays on with counters that have no end. `out`: what is shown to be
    exact; the last `copies` of its states stand for deeper calls. `whole`: all of it, as if it were. `doubts`: the states that stand for others
    which may go on otherwise, and why."""

    subject: Subject
    out: Exploration
    whole: Exploration
    counters: tuple[Counters, ...]
    doubts: dict[int, str] = field(default_factory=dict[int, str])
    copies: int = 0

    @cached_property
    def stand_for_more(self) -> bool:
        """Are there states that stand for others, at larger counters?"""
        engine = self.subject.saturated
        return engine is not None and any(s.frames and engine.stands_for_more(s) for s in self.whole.states)

    def further(self, k: int) -> bool:
        """Does the state stand for others, at larger counters or deeper calls?"""
        engine = self.subject.saturated
        return k >= len(self.out.states) - self.copies or (
            engine is not None and engine.stands_for_more(self.out.states[k])
        )


def saturated(
    subject: Subject, out: Exploration, limits: Limits, progress: Callable[[Progress], None] | None = None,
) -> Saturation | None:
    """The space beyond the ranges of counters. None where nothing more is known of it by that."""
    if not len(out.bound_edges) and not subject.rising:
        return None
    counters = (*subject.rising, *further(subject, out, subject.rising))
    flat, whole, engine, doubts = out, out, None, dict[int, str]()
    if counters:
        made = Made(subject, limits, progress)
        found = None if out.cut else made.finite(counters, len(out.states))  # there are no fewer with more values
        if found is not None:
            engine, whole = found
        else:
            engine, whole, doubts = made.exact(counters)
        if doubts:  # at least as far as the ranges go
            engine, whole, doubts = made.as_far_as_ranges(engine.counters)
        flat = without(whole, doubts, engine)
    if len(whole.states) == 1 and whole.states[0] is SEVERAL:  # some other bound is left at once
        return None
    exact = nested(subject, flat)
    if exact is out:
        return None
    fields = frozenset(f for c in engine.counters for f in c.fields) if engine is not None else frozenset[Field]()
    endless = Unlimited(subject.program, subject.engine.policies, subject.engine.card_ids, fields, DEEP)
    mine = replace(subject, engine=endless, compiled=None, saturated=engine, starts=subject.begun(endless))
    return Saturation(
        mine, exact, whole, engine.counters if engine is not None else (), doubts, len(exact.states) - len(flat.states)
    )


@dataclass
class Made:
    """Graphs in which counters saturate, made one after the other. `left`: states that may still be looked at in all of them."""

    subject: Subject
    limits: Limits
    progress: Callable[[Progress], None] | None
    left: int = WORK

    def finite(self, counters: Sequence[Counters], before: int) -> tuple[Saturated, Exploration] | None:
        """The graph in which all values are told apart, if it is not much larger than the one within the ranges."""
        depth = self.subject.program.stack_depth
        while True:
            engine, whole = self.explored(
                [replace(c, limit=MOST_LIMIT) for c in counters], depth, FINITE_FACTOR * before + FINITE_MORE
            )
            more = further(self.subject, whole, counters)
            if whole.cut or not more:
                break
            counters = (*counters, *more)
        rest = any(engine.stands_for_more(s) for s in whole.states if s.frames)
        return None if whole.cut or rest or len(whole.bound_edges) else (engine, whole)

    def exact(self, counters: Sequence[Counters]) -> tuple[Saturated, Exploration, dict[int, str]]:
        """The graph in which values are alike that are not told apart, as far as that can be shown."""
        depth = self.subject.program.stack_depth
        while True:
            engine, whole = self.explored(counters, depth)
            more = further(self.subject, whole, counters)
            if more:
                counters = (*counters, *more)
                continue
            doubts, instead = doubtful(engine, whole)
            if instead is None and not doubts and depth < MOST_FRAMES and open_calls(self.subject, whole):
                depth = min(4 * depth, MOST_FRAMES)
            elif instead is None or self.left <= 0:
                return engine, whole, doubts
            else:
                counters = instead

    def as_far_as_ranges(self, counters: Sequence[Counters]) -> tuple[Saturated, Exploration, dict[int, str]]:
        """The graph in which all values within the ranges are told apart."""
        engine, whole = self.explored(
            [replace(c, limit=max(c.limit, min(MOST_LIMIT, most(self.subject, c)))) for c in counters], None
        )
        return engine, whole, doubtful(engine, whole)[0]

    def explored(
        self, counters: Sequence[Counters], depth: int | None, states: int = MOST_STATES
    ) -> tuple[Saturated, Exploration]:
        engine = Saturated(
            self.subject.program, self.subject.engine.policies, self.subject.engine.card_ids, counters, depth
        )
        within = replace(self.limits, states=min(self.limits.states or MOST_STATES, MOST_STATES, states))
        try:
            whole = explore(engine, self.subject.begun(engine), within, self.subject.symmetry, self.progress)
        except BoundAtStart as e:
            whole = left_at_start(e.end)
        self.left -= len(whole.states)
        return engine, whole


def open_calls(subject: Subject, out: Exploration) -> bool:
    """Are there calls that did not fit onto the stack, and nothing that stands for what follows?"""
    found = anchored(subject, out).at
    return any(
        name == "stack" and any((b.source, b.option) not in found for b in map(out.bound_edges.__getitem__, which))
        for (name, _), which in out.bound_edges.kinds().items()
    )


def most(subject: Subject, c: Counters) -> int:
    """The greatest value within the ranges of counters."""
    functions = subject.program.functions
    ends = [
        c.sign * x
        for f in c.fields
        for of in (
            [functions[f[0]].locals[f[1]].type]
            if isinstance(f, tuple)
            else [
                s.type
                for k, s in enumerate(subject.program.layout.slots)
                if is_counter(s.type) and field_of(subject.program, k) == f
            ]
        )
        for x in (of.lo, of.hi)
        if of != ANY_INT
    ]
    return max(ends, default=c.limit)


def further(subject: Subject, out: Exploration, counters: Sequence[Counters]) -> tuple[Counters, ...]:
    """Counters besides these that left their ranges, or rise as calls nest ever deeper."""
    held = {f for c in counters for f in c.fields}
    slots = subject.program.layout.slots
    found: dict[Field, Counters] = {}
    for (name, slot), which in sorted(out.bound_edges.kinds().items()):
        if slot < 0 and name == "stack":
            for field_ in anchored(subject, out).rising - held if not counters else ():
                found.setdefault(field_, Counters(frozenset({field_}), FIRST_LIMIT))
            continue
        named: list[Field] = (
            [
                (fn, k)
                for fn, of in subject.program.functions.items()
                for k, x in enumerate(of.locals)
                if x.name == name and is_counter(x.type)
            ]
            if slot < 0
            else [field_of(subject.program, slot)]
        )
        said = out.bound_edges[which[0]].end.detail.rpartition(" = ")[2]
        if not said.lstrip("-").isdigit() or (slot >= 0 and not is_counter(slots[slot].type)):
            continue
        sign = 1 if int(said) > 0 else -1
        for one in named:
            if one in held or one in found:
                continue
            first = max(
                (
                    sign * x[k]
                    for x in subject.positions
                    for k, s in enumerate(slots)
                    if is_counter(s.type) and field_of(subject.program, k) == one
                ),
                default=0,
            )
            found[one] = Counters(frozenset({one}), max(0, first) + FIRST_LIMIT, sign=sign)
    return tuple(found.values())


def doubtful(engine: Saturated, out: Exploration) -> tuple[dict[int, str], Sequence[Counters] | None]:
    """The states that stand for others which may go on otherwise, and why; or the counters with which that may be better."""
    doubts: dict[int, str] = {}
    instead: Sequence[Counters] | None = None
    better = 0
    for k, state in enumerate(out.states):
        if state is SEVERAL or out.graph.owner[k] == FRONTIER:
            continue
        try:
            engine.alike(state)
        except NotAlike as e:
            doubts[k] = e.because
            if e.instead is not None and max(c.limit for c in e.instead) <= MOST_LIMIT:
                instead = e.instead if instead is None else joined(instead, e.instead, engine.counters)
                better += 1
                if better >= TOGETHER or len(e.instead) != len(engine.counters):
                    break
    return doubts, instead


def joined(one: Sequence[Counters], other: Sequence[Counters], before: Sequence[Counters]) -> Sequence[Counters]:
    """Both changes, where they can be made together; else the first."""
    if len(one) != len(before) or len(other) != len(before):
        return one
    return [
        replace(a, limit=max(a.limit, b.limit), period=max(a.period, b.period))
        if a.fields == b.fields and a.joined == b.joined
        else a
        for a, b in zip(one, other, strict=True)
    ]


def without(out: Exploration, doubts: dict[int, str], engine: Saturated) -> Exploration:
    """The space as far as it is exact: what follows on doubtful states is not known."""
    if not doubts:
        return out
    graph, bounds = OwnedGraph(), Listed()
    number: dict[int, int] = {}
    todo: list[int] = []

    def seen(k: int) -> int:
        if k not in number:
            number[k] = graph.add_state()
            todo.append(k)
        return number[k]
    seen(0)
    transitions = 0
    for k in todo:
        owner = int(out.graph.owner[k])
        if owner == FRONTIER:
            continue
        graph.expand(number[k], owner)
        for e in out.graph.out_edges(k):
            to, label, crossing = int(out.graph.target[e]), out.graph.label[e], int(out.graph.crossing[e])
            transitions += 1
            doubted = k if k in doubts else to if to in doubts and out.states[to].end is not None else None
            if doubted is not None:
                name = doubted_name(engine, out.states[doubted])
                bounds.append(
                    BoundEdge(number[k], label,  # pyright: ignore[reportArgumentType]
                              out.states[k]._replace(end=End("bound", detail=name)), crossing))
                to = BOUND
            elif to == BOUND:
                bounds.extend(
                    replace(b, source=number[k]) for b in out.bound_edges if b.source == k and b.option == label
                )
            graph.add_edge(number[k], seen(to) if to != BOUND else BOUND, label, crossing)
    order = [0] * len(number)
    for k, n in number.items():
        order[n] = k
    return Exploration(
        [out.states[k] for k in order],
        graph,
        [out.depth[k] for k in order],
        [out.turns[k] for k in order],
        bounds,
        out.cut,
        out.seconds,
        transitions,
    )


def doubted_name(engine: Saturated, state: State) -> str:
    """The slot of a counter in which a doubtful state stands for several."""
    for slots, c in zip(engine.slots, engine.counters, strict=True):
        for k in slots:
            if c.sign * state.slots[k] >= c.limit:
                return engine.layout.slots[k].name
    return "stack" if not any(engine.slots) else next(engine.layout.slots[s[0]].name for s in engine.slots if s)


def said_of(saturation: Saturation) -> list[Text]:
    """What was not told apart, in words; and of what that could not be shown."""
    subject = saturation.subject
    out: list[Text] = []
    if saturation.copies:
        out.append(Text(ja="効果の入れ子が上限より深くなっても、同じように進むことを示しました", en="effects that nest deeper than the limit were shown to go on alike"))
    for c in saturation.counters if saturation.stand_for_more else ():
        names = [
            subject.describer.words.of(f.partition("[")[0].rpartition(".")[2])
            for f in sorted(f for f in c.fields if isinstance(f, str))
        ]
        if not names:
            continue
        ja, en = "と".join(n.ja for n in names), " and ".join(n.en for n in names)
        most, are = c.sign * c.limit, "are" if len(names) > 1 else "is"
        ja, en = f"{ja}が{most}{'以上' if c.sign > 0 else '以下'}の局面", f"positions in which {en} {are} {most} or {'more' if c.sign > 0 else 'less'}"
        out.append(
            Text(ja=f"{ja}では、値が違っても先が同じかどうかを示せなかったものがあり、その先は見ていません", en=f"of some {en} it could not be shown that they go on alike, and what follows was not looked at")
            if saturation.doubts else
            Text(ja=f"{ja}は、先がどれも同じように進むことを示したうえで、一つに数えました", en=f"{en} were shown to go on alike, and count as one"))
    return out
