"""What can be claimed of single plays, and what shows it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...model.engine.state import CHANCE, OPEN, End, State
from ...model.ir import nodes as ir
from .keeping import BEYOND, closure, keepers_of
from .positions import MOST, Positions, chooses_order
from .world import World, along, need, taken

Worlds = Sequence[World]


def play(worlds: Worlds, table: Positions, claim: Any) -> list[str]:
    """A play leads to an end, or to a position in which something is so."""
    world = worlds[0]
    state = along(world, world.start(claim["start"]), claim["steps"])[-1].state
    at = world.engine.point(state)
    if claim["end"] is not None:
        need(state.end is not None and list(state.end[:3]) == claim["end"], "play does not end so")
        return ["play", "end"]
    if claim["rule"] is not None:
        need(claim["rule"] in world.engine.program.invariants, "there is no such condition")
        need(at is None or at.reading == "", "something may be half done here")
        said = world.engine.evaluate(claim["rule"], state)
        need(
            (list(said[:3]) if isinstance(said, End) else said) == claim["value"] and said != 1,
            "the condition holds, or fails otherwise",
        )
        return ["play", "broken"]
    need(
        at is not None and (at.owner, at.clause) == (OPEN, claim["clause"]),
        "this choice is not left to nobody by that clause",
    )
    one, other = (taken(world, state, [OPEN, o]).state for o in claim["options"])
    need(one != other, "what is chosen makes no difference")
    return ["play", "open"]


def loop(worlds: Worlds, table: Positions, claim: Any) -> list[str]:
    """A play comes back to the same state, or to one with a `growth`; and who can keep it going (`keepers`: the sets of players that can, each
    alone; null where that is not claimed). `closed`: for each of them positions that play does not leave while they choose as said."""
    world, growth = worlds[0], claim["growth"]
    head = along(world, world.start(claim["start"]), claim["stem"])[-1].state
    around = along(world, head, claim["cycle"])
    need(
        len(around) > 1 and (growth is not None or around[-1].state == head),
        "play does not come back to the same state",
    )
    need(growth is None or grown(head, around[-1].state) == growth, "other numbers change, or otherwise")
    shown = ["closes" if growth is None else "round"]
    scope = 1 + max(a.crossing for a in around[1:])
    need(scope == claim["scope"], "it runs in another part of play")
    if claim["keepers"] is None:
        need(claim["closed"] == [], "players are named, and nothing is claimed of them")
        return shown
    before, ring = circuit(table, claim)
    if growth is not None:  # along the whole ring twice, in the same positions: what is done to numbers is linear, so it goes on
        for _ in range((len(before) - 1 + 2 * len(ring)) // len(claim["cycle"])):
            after = along(world, head, claim["cycle"])[-1].state
            need(grown(head, after) == growth, "it does not always grow so")
            head = after
        shown.append("for ever")
    keepers = [frozenset[int](k) for k in claim["keepers"]]
    need(
        len(set(keepers)) == len(keepers) > 0 and [sorted(k) for k in keepers] == claim["keepers"],
        "who keeps it going is not said",
    )
    need([c["keepers"] for c in claim["closed"]] == claim["keepers"], "the closed sets are not those of the keepers")
    for who, said in zip(keepers, claim["closed"], strict=True):
        closed(table, who, [*before, *ring], scope, said)
    shown.append("keeps")
    if len(table.states) <= MOST:
        certain, perhaps = keepers_of(table.graph(), world.players, ring, scope)
        need(certain <= {*keepers} <= perhaps, "others can keep it going, or these cannot")
        shown += ["exactly"] if certain == perhaps else []
    return shown


def grown(before: State, after: State) -> list[Any]:
    """By how much slots are larger or smaller, and how many calls there are more, above the same ones and below the same top."""
    n, places = len(before.frames), [f[:2] for f in after.frames]
    need(
        after.end is None and [f[:2] for f in before.frames] == places[: n - 1] + places[-1:] and before != after,
        "other calls are open, or nothing grows",
    )
    return [
        [[k, y - x] for k, (x, y) in enumerate(zip(before.slots, after.slots, strict=True)) if x != y],
        len(places) - n,
    ]


def circuit(table: Positions, claim: Any) -> tuple[list[int], list[int]]:
    """The positions from the end of the stem on, round after round, until one comes back: up to it, and from there on until it does."""
    way = [walked(table, table.place(table.starts[claim["start"]]), claim["stem"])[-1]]
    seen: dict[int, int] = {}
    while way[-1] not in seen:
        seen[way[-1]] = len(way)
        way += walked(table, way[-1], claim["cycle"])[1:]
    return way[:seen[way[-1]]], way[seen[way[-1]]:]


def walked(table: Positions, k: int, steps: Any) -> list[int]:
    """Where the steps of a play lead in the table."""
    out = [k]
    for _, option in steps:
        need(out[-1] != BEYOND, "the play leaves the table")
        row = table.row(out[-1])
        out.append(row.targets[row.options.index(tuple(option))])
    return out


def closed(table: Positions, keepers: frozenset[int], cycle: Sequence[int], scope: int, said: Any) -> None:
    """These positions are all that play can come to from the cycle while the keepers choose as said, whatever others and chance do."""
    states, strategy = set(said["states"]), {k: tuple(option) for k, option in said["strategy"]}
    need(len(states) == len(said["states"]) and len(strategy) == len(said["strategy"]), "a position is named twice")

    def after(k: int) -> list[int]:
        row = table.row(k)
        ways = list(zip(row.targets, row.crossings, strict=True))
        if row.owner in keepers:
            ways = [ways[row.options.index(strategy.pop(k))]]
        need(
            bool(ways) and all(crossing < scope and w in states for w, crossing in ways),
            "play can end, or leave the closed set",
        )
        return [w for w, _ in ways]
    need(closure(cycle, after).keys() == states and not strategy, "the closed set holds what play does not come to")


def order(worlds: Worlds, table: Positions, claim: Any) -> list[str]:
    """After one of two things first, play can come to a result at the resolver's return to which it never comes after the other."""
    world = worlds[0]
    state = along(world, world.start(claim["start"]), claim["steps"])[-1].state
    need(chooses_order(world, state), "no order is chosen here")
    who, depth = claim["by"], join_of(world, state)
    way = along(world, taken(world, state, [who, claim["first"]]).state, claim["way"])
    result = way[-1].state
    need(returned(result, depth) and not any(returned(a.state, depth) for a in way[:-1]), "this is no result")
    need(result.end is None or result.end.kind != "bound", "a bound is no result")
    asked: list[State] = []

    def after(at: State) -> list[State]:
        asked.append(at)
        need(at != result, "the other order leads to it as well")
        need(at.end is None or at.end.kind != "bound", "the other order leaves a bound")
        need(len(asked) <= MOST, "the other order leads to too many positions")
        return (
            [] if returned(at, depth) else [world.engine.apply(at, option).state for option in world.engine.options(at)]
        )

    closure([taken(world, state, [who, claim["other"]]).state], after)
    return ["order"]


def join_of(world: World, state: State) -> int:
    """How many calls are open when the innermost loop under way has returned."""
    codes = [world.engine.numbered[number].fn.code[:place + 1] for number, place, *_ in state.frames]
    return next(
        (depth for depth in reversed(range(len(codes))) if any(isinstance(i, ir.Label) for i in codes[depth])),
        len(codes) - 1,
    )


def returned(state: State, depth: int) -> bool:
    """Has what takes them in order returned?"""
    return state.end is not None or len(state.frames) <= depth


def parting(worlds: Worlds, table: Positions, claim: Any) -> list[str]:
    """The same choices under two readings lead to what differs. (Of an option that the other reading does not offer, another stands for it.)"""
    need(len(worlds) == 2 and len(claim["steps"]) == len(claim["theirs"]), "there is no other reading, or more is chosen under one of them")
    ways = [
        along(w, w.start(claim["start"]), steps)
        for w, steps in zip(worlds, (claim["steps"], claim["theirs"]), strict=True)
    ]
    need(
        all(
            mine == theirs or tuple(mine) not in worlds[1].engine.options(at.state)
            for (_, mine), (_, theirs), at in zip(claim["steps"], claim["theirs"], ways[1][:-1], strict=True)
        ),
        "something else is chosen under the other reading",
    )
    (one, a), (other, b) = ((way[-1].state, w.engine.point(way[-1].state)) for w, way in zip(worlds, ways, strict=True))
    need(
        {
            "end": (one.end is None) != (other.end is None)
            or (one.end or End("over"))[:2] != (other.end or End("over"))[:2],
            "slots": one.slots != other.slots,
            "owner": a is not None and b is not None and a.owner != b.owner,
            "options": a is not None and b is not None and a.options != b.options,
            "odds": a is not None and b is not None and (a.owner, a.options) == (CHANCE, b.options)
            and any(x * sum(b.weights) != y * sum(a.weights) for x, y in zip(a.weights, b.weights, strict=True)),
        }[claim["differs"]],
        "they do not differ so",
    )
    return ["parting"]
