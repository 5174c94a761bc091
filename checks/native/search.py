"""A search under way: the arrays that the core works on, how they grow, and how they are kept on disk."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ...model.engine.state import Arrival
from ..explore.explorer import Limits
from ..explore.owned_graph import CHANCE, Scope
from . import core, layout, state_table, tree
from .arena import Arena
from .checkpoint import Checkpoint
from .engine import BeyondNative, Native
from .fingerprints import Remade
from .layout import (
    COUNT,
    CUT_STATES,
    EDGES,
    FIXED,
    GAVE_UP,
    HASHES_FIRST,
    HEAD_WORDS,
    LIMIT_DEPTH,
    LIMIT_STATES,
    LIMIT_TURNS,
    MORE_TIME,
    NEED_ROOM,
    NEED_SPACE,
    NEXT,
    NODES,
    PACKED,
    PRINTS,
    RUN_WORDS,
    TAG_BITS,
    TRANSITIONS,
    WORDS,
    Batch,
    Known,
)
from .memory import DECIDER
from .team import Team

BUDGET = 200_000
"""Transitions between two looks at the clock."""


ROOM, ALONE = 1 << 16, 1 << 15
"""Words of records of a block; of a batch in one thread."""
BLOCKS = 4
"""Blocks of a batch for each thread: whoever is done first takes another."""
LONG = 8
"""Words of a key from which on it is packed as a tree."""
SCATTERED = ("keys", "offsets", "nodes")
"""Arrays that are looked up here and there."""
WORTH = 512
"""States of a block, at least, that are worth waking other threads for."""


class Search:
    """With `graph`, edges, owners, depths and turns are kept; without, the state each was first found from. With
    `fingerprints`, states are told apart by their hashes, and the keys of those that were looked at are given up. With a
    `folder`, all but tables and hashes lies in files there; a key is read only where hashes agree."""

    def __init__(
        self, native: Native, limits: Limits, graph: bool = True, states: int = 4096, threads: int = 1,
        fingerprints: bool = False, packed: bool | None = None, folder: Path | None = None,
    ) -> None:
        self.native, self.limits, self.graph, self.threads, self.folder = native, limits, graph, threads, folder
        self.team: Team | None = None
        can_pack = (not fingerprints and not native.shape.fixed and native.shape.least_words >= tree.ROOT_WORDS
                    and native.shape.most_words < tree.MOST_WORDS)  # roots are put where keys were
        self.packed = packed if packed is None and can_pack else bool(packed and can_pack)
        """Are keys packed as trees? None: the first state will show whether that pays."""
        fixed = native.shape.fixed
        self.run = np.zeros(RUN_WORDS, np.int64)
        self.run[FIXED], self.run[PRINTS] = (
            fixed,
            layout.ONLY_HASHES if fingerprints else HASHES_FIRST if folder is not None else 0,
        )
        self.set_limits(limits)
        self.tracks = graph or limits.depth is not None or limits.turns is not None
        self.arenas: dict[str, Arena] = {}
        many, edges = states if self.tracks else 1, states if graph else 1
        for name, dtype, size in (
            ("keys", np.uint64, 8 + states * (fixed or 8)),
            ("offsets", np.uint32, 1 if fixed else states + 2),
            ("prints", np.uint64, states if self.run[PRINTS] else 1),
            ("parent", np.uint32, states if fingerprints or not graph else 1),
            ("ended", np.uint8, many),
            ("depth", np.int32, many),
            ("turns", np.int32, many),
            ("owner", np.int8, edges),
            ("first_edge", np.int64, edges + 1),
            ("target", np.int32, 4 * edges),
            ("crossing", np.int8, 4 * edges),
            ("nodes", np.uint64, 1),
        ):
            in_file = folder is not None and (size > 1 or name == "nodes") and name != "prints"
            self.arenas[name] = Arena(dtype, size, folder=folder if in_file else None, scattered=name in SCATTERED)
        self.table = np.zeros(0, np.uint32)
        self.node_table = np.zeros(1, np.uint32)
        self.table_fits = False
        self.known: Known | None = None
        self.contexts = [(native.context, None), *native.contexts(threads - 1)]
        self.deciders = [
            np.ctypeslib.as_array((ctypes.c_int64 * 1).from_address(at + DECIDER)) for at, _ in self.contexts
        ]
        self.team = Team(threads) if threads > 1 else None
        self.blocks = BLOCKS * threads if threads > 1 else 1
        self.batch = self.new_batch(max(ROOM, 1024 * (native.shape.most_words + HEAD_WORDS)))
        self.remade = Remade(native, self.array) if fingerprints else None
        self.forgotten = 0
        """So many states have no key any more."""
        self.share = 64
        """States of a block that likely find room."""

    def close(self) -> None:
        """End the threads."""
        if self.team is not None:
            self.team.close()
            self.team = None

    def __del__(self) -> None:
        self.close()

    def set_limits(self, limits: Limits) -> None:
        for word, limit in ((LIMIT_STATES, limits.states), (LIMIT_DEPTH, limits.depth), (LIMIT_TURNS, limits.turns)):
            self.run[word] = -1 if limit is None else limit

    def array(self, name: str) -> np.ndarray:
        return self.arenas[name].array

    def new_batch(self, room: int) -> Batch:
        """A batch with so many words of records for each block."""
        n, slots, states = self.blocks, room // HEAD_WORDS, room // HEAD_WORDS
        return Batch(
            np.zeros(n * room, np.uint64), np.zeros(n * slots, np.uint64), np.zeros(n * slots, np.uint32),
            np.zeros(n * slots, np.uint32), np.zeros(n * slots, np.uint32), np.zeros(n * states, np.int32),
            np.zeros(n * states, np.int8), np.zeros((n, layout.BLOCK_WORDS), np.int64),
            np.zeros((self.threads, n, 2), np.int64), np.array([room, slots, states, self.threads]))

    def arrays(self) -> Known:
        """What the core works on; taken anew when something has grown."""
        if self.known is None:
            tables = {"table": self.table, "node_table": self.node_table}
            self.known = Known(
                **tables, **{name: self.arenas[name].array for name in Known._fields if name not in tables}
            )
        return self.known

    @property
    def count(self) -> int:
        return int(self.run[COUNT])

    @property
    def transitions(self) -> int:
        return int(self.run[TRANSITIONS])

    @property
    def frontier(self) -> int:
        """States not yet looked at."""
        return int(self.run[COUNT] - self.run[NEXT])

    @property
    def key_bytes(self) -> int:
        """Bytes of all keys, with the nodes of trees."""
        return 8 * int(self.run[WORDS]) + 16 * int(self.run[NODES])

    # ------------------------------------------------------------ states
    def words_of(self, arrival: Arrival) -> np.ndarray:
        """The key of a state from outside."""
        state = arrival.state
        if state.end is not None:
            return np.array(self.native.packed_end(state), np.uint64)
        self.native.enter(state)
        return np.array(self.native.packed(1), np.uint64)

    def add(self, arrival: Arrival) -> int:
        """Enter a first state; its number."""
        words = self.words_of(arrival)
        self.choose_store(words)
        if self.packed:
            self.make_node_space(words.size)
        k = int(core.add(self.run, self.arrays(), words))
        if self.remade is not None:
            self.remade.first[k] = [int(x) for x in words]
        self.table_fits = False
        if self.tracks:
            self.array("ended")[k] = arrival.state.end is not None
        return k

    def choose_store(self, words: np.ndarray) -> None:
        """Before anything is known: long keys, as that of the first state is, are packed as trees."""
        if self.packed is None:
            self.packed = words.size >= LONG
        if self.packed and not self.run[PACKED]:
            self.run[PACKED], self.run[FIXED] = 1, tree.ROOT_WORDS
            self.make_space(1, words.size)

    def begin(self, starts: Sequence[Arrival]) -> None:
        """Enter the first state; of several, chance picks one: state 0 has no key and leads to each of them."""
        if len(starts) == 1:
            self.add(starts[0])
            return
        self.choose_store(self.words_of(starts[0]))
        self.make_space(len(starts) + 2, (len(starts) + 2) * self.native.shape.most_words)
        self.run[COUNT], self.run[NEXT] = 1, 1
        self.run[WORDS] = self.run[FIXED]
        self.array("owner")[0] = CHANCE
        for k, start in enumerate(starts):
            self.array("target")[k] = self.add(start)
            self.array("crossing")[k] = int(Scope.GAME)
        self.run[EDGES] = len(starts)
        self.array("first_edge")[1] = len(starts)

    def key(self, k: int) -> list[int]:
        """The words of a state."""
        if self.remade is not None:
            return self.remade.key(k)
        fixed, keys, offsets = int(self.run[FIXED]), self.array("keys"), self.array("offsets")
        if self.packed:
            plain, indices = np.empty(tree.MOST_WORDS + 2, np.uint64), np.empty(2 * tree.MOST_WORDS + 8, np.uint32)
            n = tree.unpack(self.array("nodes"), keys, k * fixed, plain, indices)
            return [int(x) for x in plain[:n]]
        first, last = (k * fixed, (k + 1) * fixed) if fixed else (int(offsets[k]), int(offsets[k + 1]))
        return [int(x) for x in keys[first:last]]

    def keys_of(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """The keys of some states as they are compiled for, and where each begins; None if `keys` has them so."""
        if self.remade is None and not self.packed:
            return None
        offsets = np.zeros(len(states) + 1, np.uint32)
        if self.packed:
            nodes, keys = self.array("nodes"), self.array("keys")
            tree.lay_out(nodes, keys, states, offsets, np.zeros(0, np.uint64))
            flat = np.zeros(int(offsets[-1]) + 8, np.uint64)
            tree.lay_out(nodes, keys, states, offsets, flat)
            return flat, offsets
        each = [self.key(k) for k in states.tolist()]
        np.cumsum([len(key) for key in each], out=offsets[1:])
        return np.array([word for key in each for word in key] + [0] * 8, np.uint64), offsets

    # ------------------------------------------------------------ going on
    def go(self, budget: int = BUDGET) -> int:
        """Go on for a while: DONE, MORE_TIME, CUT_STATES. Raises BeyondNative."""
        why = self.go_on(budget)
        if self.remade is not None:
            self.forget()
        return why

    def forget(self) -> None:
        """Give up the keys of states that have been looked at, some megabytes at a time."""
        seen, fixed, offsets = int(self.run[NEXT]), int(self.run[FIXED]), self.array("offsets")
        first, last = ((k * fixed if fixed else int(offsets[k])) for k in (self.forgotten, seen))
        if last - first >= 1 << 20:
            self.arenas["keys"].forget(0, last)
            if not fixed:
                self.arenas["offsets"].forget(0, seen)
            self.forgotten = seen

    def go_on(self, budget: int) -> int:
        self.make_table()
        before = self.transitions
        while True:
            left = budget - (self.transitions - before)
            if left < 0:
                return MORE_TIME
            if self.team is not None and self.frontier >= self.threads * WORTH:
                why = self.go_together(self.team, left)
            else:
                (context, _), most = self.contexts[0], min(left, 4 * WORTH) if self.team is not None else left
                why = int(core.search(
                    self.run, self.arrays(), self.batch, context, self.native.compiled.address["successors"],
                    self.deciders[0], ALONE, most))
            if not self.provided(why) and why != MORE_TIME:
                return why

    def provided(self, why: int) -> bool:
        """Give the core what it came back for; False if it came back for nothing. Raises BeyondNative."""
        room = int(self.batch.sizes[0]) * self.blocks
        if why == NEED_SPACE:
            self.make_space(room // HEAD_WORDS, room)
        elif why == NEED_ROOM:
            self.batch = self.new_batch(2 * room // self.blocks)
        elif why == GAVE_UP:
            raise BeyondNative
        return why in (NEED_SPACE, NEED_ROOM)

    def go_together(self, team: Team, budget: int) -> int:
        """Go on with all threads, batch by batch; says why it came back. The steps are those of `core.search`."""
        successors = self.native.compiled.address["successors"]
        run, batch, before = self.run, self.batch, self.transitions
        words, states_at_most = int(batch.sizes[0]), int(batch.sizes[2])
        while self.frontier >= self.threads * WORTH:
            if self.transitions - before > budget:
                break
            if 0 <= run[LIMIT_STATES] <= run[COUNT]:
                return CUT_STATES
            known = self.arrays()
            if not core.has_space(run, known, self.blocks * words // HEAD_WORDS, self.blocks * words):
                return NEED_SPACE
            first, share = int(run[NEXT]), min(self.share, states_at_most, -(-self.frontier // self.blocks))
            last = self.count

            def expand(b: int, me: int) -> None:
                begin = min(first + b * share, last)  # noqa: B023
                core.expand(run, known, batch, b, begin, min(begin + share, last), words,  # noqa: B023
                            self.contexts[me][0], successors, self.deciders[me])
            team.each(expand, self.blocks)
            states, why = core.settle(run, batch, self.blocks)
            if states == 0:
                return int(why)
            self.adapt(share, int(why))
            full: list[int] = []

            def look_up(shard: int, me: int) -> None:
                if not state_table.look_up(run, known, batch, self.blocks, shard):  # noqa: B023
                    full.append(shard)  # noqa: B023
            team.each(look_up, self.threads)
            if full:
                self.table_fits = False
                self.resize_table(2 * self.table.size)
                continue
            if self.packed:
                core.pack_new(run, known, batch, self.blocks)
            core.share_out(run, batch, self.blocks)
            team.each(lambda b, me: core.number(run, known, batch, b), self.blocks)  # noqa: B023
            if self.graph:
                team.each(lambda b, me: core.patch(run, known, batch, b), self.blocks)  # noqa: B023
            core.finish(run, known, batch, self.blocks)
        return MORE_TIME

    def adapt(self, share: int, why: int) -> None:
        """How many states a block is given next: those that fill three quarters of it."""
        batch = self.batch
        states = int(batch.blocks[:, layout.STATES].sum())
        used = int(batch.blocks[:, layout.KEY_WORDS].sum() + HEAD_WORDS * batch.blocks[:, layout.SLOTS].sum())
        if why == NEED_ROOM:
            self.share = max(1, share * 2 // 3)
        elif used and states:
            self.share = max(1, min(2 * self.share, int(0.75 * states / used * batch.sizes[0])))

    def make_space(self, slots: int, words: int) -> None:
        """Make room for so many more states, and so many words of keys."""
        n, fixed = self.count + slots, int(self.run[FIXED])
        if n >= 1 << 31:  # targets of edges are of 32 bits, with a sign
            raise BeyondNative
        grown = {"keys": n * fixed + 8 if fixed else int(self.run[WORDS]) + words + 8}
        if self.packed:
            self.make_node_space(words)
        if not fixed:
            grown["offsets"] = n + 2
            if grown["keys"] >= 1 << 32:
                raise BeyondNative
        if self.array("parent").size > 1:
            grown["parent"] = n
        if self.run[PRINTS]:
            grown["prints"] = n
        if self.tracks:
            grown |= {"ended": n, "depth": n, "turns": n}
        if self.graph:
            edges = int(self.run[EDGES]) + slots
            grown |= {"owner": n, "first_edge": n + 1, "target": edges, "crossing": edges}
        for name, least in grown.items():
            self.arenas[name].grow(least)
        self.known = None
        if 4 * n > 3 * self.table.size or not self.table_fits:
            self.resize_table(max(int(self.table.size * 1.5), 2 * n))

    def make_node_space(self, words: int) -> None:
        """Room for the nodes of so many words of keys, whatever they are."""
        count = int(self.run[NODES])
        if tree.has_node_space(count, self.array("nodes"), self.node_table, words):
            return
        self.known = None
        self.arenas["nodes"].grow(2 * (count + words) + 8)
        size = max(int(self.node_table.size * 1.5), 2 * (count + words))
        self.node_table = np.zeros(0, np.uint32)
        self.node_table = Arena(np.uint32, size, exact=True).array
        tree.fill_nodes(count, self.array("nodes"), self.node_table)

    def make_table(self) -> None:
        """A table for all states, if what there is does not fit."""
        if not self.table_fits:
            self.resize_table(max(self.table.size, 2 * self.count, 4096 * self.threads))

    def resize_table(self, size: int) -> None:
        """Another table, with all states in it."""
        while True:
            if size >= 1 << 32:
                raise BeyondNative
            self.known, self.table = None, np.zeros(0, np.uint32)
            self.table = Arena(np.uint32, size, exact=True).array
            slots = self.blocks * int(self.batch.sizes[1])
            self.run[TAG_BITS] = 32 - int(size + slots + 1).bit_length()
            known, full = self.arrays(), list[int]()

            def fill(shard: int, me: int) -> None:
                if not state_table.rebuild(self.run, known, shard, self.threads):  # noqa: B023
                    full.append(shard)  # noqa: B023
            if self.team is not None:
                self.team.each(fill, self.threads)
            else:
                fill(0, 0)
            if not full:
                self.table_fits = True
                return
            size *= 2

    # ------------------------------------------------------------ on disk
    def identity(self, starts: Sequence[Arrival]) -> dict[str, str]:
        """What this search is, part by part: searches that agree in all go the same way."""
        first = hashlib.sha256()
        self.choose_store(self.words_of(starts[0]))
        for start in starts:
            first.update(self.words_of(start).tobytes() + b"|")
        return {
            "version": version("rulewright"),
            "rules": self.native.compiled.source,
            "cards": hashlib.sha256(self.native.memory.table_data()).hexdigest(),
            "beginning": first.hexdigest(),
            "limits": f"depth {self.limits.depth}, turns {self.limits.turns}",
            "store": ("fingerprints" if self.remade is not None else "trees" if self.packed else "exact")
            + (", graph" if self.graph else ", parents"),
        }

    def lengths(self) -> dict[str, int]:
        """How much of each array counts."""
        n, edges, seen = self.count, int(self.run[EDGES]), int(self.run[NEXT])
        out = {"keys": int(self.run[WORDS])}
        if not self.run[FIXED]:
            out["offsets"] = n + 1
        if self.array("parent").size > 1:
            out["parent"] = n
        if self.remade is not None:
            out["prints"] = n
        if self.packed:
            out["nodes"] = 2 * int(self.run[NODES])
        if self.tracks:
            out |= {"ended": n, "depth": n, "turns": n}
        if self.graph:
            out |= {"owner": seen, "first_edge": seen + 1, "target": edges, "crossing": edges}
        return out

    def saved(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What a checkpoint has to keep."""
        arrays = {name: self.arenas[name].array[:n] for name, n in self.lengths().items()}
        facts: dict[str, Any] = {"run": [int(x) for x in self.run], "states limit": self.limits.states}
        if self.remade is not None:
            facts["first"] = self.remade.first
        return arrays, facts

    def restore(self, checkpoint: Checkpoint) -> dict[str, Any]:
        """Go on from a checkpoint, under the present limits; what it says of the search besides. Raises BadInput."""
        def place(name: str, size: int) -> np.ndarray:
            arena = self.arenas[name]
            n = size // arena.dtype.itemsize
            return arena.grow(n + 8)[:n].view(np.uint8)
        facts = checkpoint.read(place)
        prints, self.run[:] = self.run[PRINTS], facts["run"]
        self.run[PRINTS] = prints  # what is not kept of them is made anew
        self.set_limits(self.limits)
        if prints:
            self.arenas["prints"].grow(self.count + 8)
        if self.remade is not None:
            self.remade.first = {int(k): [int(x) for x in words] for k, words in facts["first"].items()}
        self.known, self.table_fits = None, False
        if self.packed:
            self.node_table = np.zeros(2, np.uint32)
            self.make_node_space(self.native.shape.most_words)
        return facts
