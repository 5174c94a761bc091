"""Positions and what follows each: a table of them, looked at again by the interpreter."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...model.engine.state import NOBODY, OPEN, READING, End, Option, Point, State
from ...model.ir import nodes as ir
from ...model.ir import program
from .further import Further, above
from .keeping import ANYWHERE, BEYOND, Graph, closure, component, safe
from .world import SILENT, World, need, state_of

MOST = 20_000
"""Positions that are all looked at again; of more, so many are drawn by lot."""
SEED = 29


class Row(NamedTuple):
    """What can follow a position: who decides (and the clause, where the rules do not say), options, where each leads (BEYOND: out of
    the table, or out of a bound), and what it crosses on the way."""

    owner: int
    clause: str
    options: Sequence[Option]
    targets: Sequence[int]
    crossings: Sequence[int]


class Positions:
    """The table of a certificate. Nothing is expanded but what somebody asks for, so that states that play never comes to do no harm."""

    def __init__(self, world: World, data: Any, further: Further | None = None) -> None:
        self.world = world
        self.engine = further or world.engine
        """What follows a position. `further`: where it may stand for more than itself."""
        self.starts = [self.engine.start(p).state for p in world.positions]
        base = data["base"]
        need(len(base) == len(world.engine.layout.slots), "states have another number of slots")
        self.states = [state_of(one, base) for one in data["list"]]
        self.number = {state: k for k, state in enumerate(self.states)}
        need(len(self.number) == len(self.states), "a position stands in the table twice")
        self.rows: dict[int, Row] = {}
        self.outside: dict[State, None] = {}
        """States that steps led to and that are not in the table."""
        self.bounds = 0
        """Steps that left a bound."""

    def row(self, k: int) -> Row:
        """What can follow a position of the table; the interpreter says."""
        if k not in self.rows:
            at = self.engine.point(self.states[k]) or Point(NOBODY, (), ())
            came = [self.engine.apply(self.states[k], o) for o in at.options]
            self.rows[k] = Row(
                at.owner, at.clause, at.options, [self.place(a.state) for a in came], [a.crossing for a in came]
            )
        return self.rows[k]

    def place(self, state: State) -> int:
        """Where in the table a state stands."""
        k = self.number.get(state, BEYOND)
        if state.end is not None and state.end.kind == "bound":
            self.bounds += 1
            return BEYOND
        if k == BEYOND:
            self.outside[state] = None
        return k

    def graph(self) -> Graph:
        """The rows, for judging loops. What follows where a reading is chosen is not known: no loop goes through it."""
        rows = [self.row(k) for k in range(len(self.states))]
        asked = {k for k, row in enumerate(rows) if row.owner == READING}
        return Graph(
            [r.owner for r in rows],
            [
                []
                if k in asked
                else [(BEYOND if w in asked else w, x) for w, x in zip(r.targets, r.crossings, strict=True)]
                for k, r in enumerate(rows)
            ],
        )


def chooses_order(world: World, state: State) -> bool:
    """Is it chosen in the state what comes first of what waits?"""
    if not state.frames:
        return False
    fn = world.engine.numbered[state.frames[-1][0]].fn
    return isinstance(instr := fn.code[state.frames[-1][1]], ir.Choose) and (
        fn.name == program.SETTLE
        or any(c.type == instr.type for c in world.engine.layout.containers.values() if not c.is_pool)
    )


def looked_at(worlds: object, table: Positions, claim: Any) -> list[str]:
    """A table of all positions that play comes to (`complete`), or of those that were looked at. Every position is reached from the
    beginning by rows of the table, and every step leads into it; counts, ends and what is told of no position are compared."""
    if len(table.states) > MOST:
        return drawn(table, claim)
    need(all(s in table.number for s in table.starts), "play begins outside the table")
    depth = closure(map(table.place, table.starts), lambda k: [w for w in table.row(k).targets if w != BEYOND])
    need(len(depth) == len(table.states), "a position of the table is never come to")
    complete = not table.outside and not table.bounds
    need(
        claim["complete"] is complete,
        "steps lead out of the table" if claim["complete"] else "every position was looked at",
    )
    rows = [table.row(k) for k in range(len(table.states))]
    need(claim["states"] == len(table.states) + len(table.outside) + (len(table.starts) > 1)
         and claim["transitions"] == sum(len(r.targets) for r in rows), "there are more or fewer positions or steps")
    need(claim["bounds"] == table.bounds, "more or fewer steps leave a bound")
    if complete:
        need(
            claim["depth"] == max(depth.values()) + (len(table.starts) > 1),
            "the farthest position is nearer or farther",
        )
    ends = Counter(s.end[:3] for s in table.states if s.end is not None)
    need(sorted([*e, n] for e, n in ends.items()) == sorted(claim["ends"]), "play ends otherwise")
    if not complete:
        need(not any(claim[k] for k in ("silent", "open", "broken", "loops")), "of a search that was cut off more is claimed than can be")
        return ["counts", "ends"]
    need(
        {(kind, detail) for kind, detail in claim["silent"]} == {e[::2] for e in ends if e[0] in SILENT},
        "ends that no rule explains are not those told",
    )
    certain, perhaps = (open_clauses(table, rows, p) for p in (False, True))
    need(certain <= {*claim["open"]} <= perhaps, "choices that nobody owns are not those told")
    need(sorted(claim["broken"]) == failing(table, rows), "conditions that do not hold are not those told")
    return [
        "complete",
        "counts",
        "ends",
        "silent",
        *(["open"] if {*claim["open"]} == perhaps else []),
        "broken",
        *endless(table, claim["loops"]),
    ]


def drawn(table: Positions, claim: Any) -> list[str]:
    """Too many positions to look at each again: some are drawn, and what follows these lies in the table."""
    need(claim["complete"] is True, "of a search that was cut off so large a table shows nothing")
    need(all(s in table.number for s in table.starts), "play begins outside the table")
    need(claim["states"] == len(table.states) + (len(table.starts) > 1), "there are more or fewer positions")
    for k in random.Random(SEED).sample(range(len(table.states)), MOST):
        need(BEYOND not in table.row(k).targets, "steps lead out of the table")
    return ["drawn"]


def open_clauses(table: Positions, rows: Sequence[Row], perhaps: bool) -> set[str]:
    """The clauses that leave a choice to nobody, where it matters at once what is taken; orders aside. `perhaps`: or where it may, in large numbers."""
    return {
        r.clause
        for k, r in enumerate(rows)
        if r.owner == OPEN
        and not chooses_order(table.world, table.states[k])
        and (
            len(set(r.targets)) > 1
            or (
                perhaps
                and isinstance(table.engine, Further)
                and table.engine.engine.stands_for_more(above(table.states[k]))
            )
        )
    }


def failing(table: Positions, rows: Sequence[Row]) -> list[str]:
    """The conditions that ought always to hold and do not, or cannot be told, in some position."""
    def fails(name: str, state: State) -> bool:
        said = table.engine.evaluate(name, state)
        return said == 0 or isinstance(said, End)
    settled = [s for s, row in zip(table.states, rows, strict=True) if row.owner != READING]  # where a reading is chosen something may be half done
    return sorted(name for name in table.world.engine.program.invariants if any(fails(name, s) for s in settled))


def endless(table: Positions, heads: Sequence[int]) -> list[str]:
    """Outside the regions around these positions the players cannot keep play going for ever, not even all together."""
    graph = table.graph()
    everyone, left = frozenset((*table.world.players, OPEN)), set(range(len(table.states)))
    for head in heads:
        region = component(graph, everyone, [head], ANYWHERE, False)
        need(region is not None and head in left, "a region in which play can go on for ever is none, or named twice")
        left -= region or frozenset()
    need(not safe(graph, everyone, left), "play can go on for ever elsewhere too")
    return ["regions" if heads else "no loops"]
