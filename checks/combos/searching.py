"""The search for sets of a pool's cards that loop together: candidates in order, tried many in one world; what goes round, looked at alone.

What was tried is kept under a hash of what the cards of the set say, of the book and of how it was tried: of a pool of which one card is changed,
only the sets with that card are tried again, and a search that was stopped goes on where it was.
"""
from __future__ import annotations

import hashlib
import pickle
import time
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from ...model.engine.library import hash_of_files, load_book
from ...model.ir.flow import members
from ...model.lang.world import CardCopy
from ...spec.kept import UNREADABLE, code_hash, keep, read, read_kept, written
from ...spec.own_folder import cache_folder
from ...spec.text import Text
from ..explore.owned_graph import Scope
from ..native.cluster import processors
from ..native.memory import Unsupported
from ..native.team import cores
from ..runs.together import Outcome, done_together, processes_within
from ..runs.worker import Desk, Work
from ..scenarios.kept_results import code_of_checks
from . import words
from .candidates import STARTERS, Graph, Set
from .carrying import Course, Stops, carried, known_of, lasso, stopping
from .pool import Pool, pool_of
from .positions import Laid, Parked, Setup, Template, exactly
from .results import Combo, Searched, Suspect, Tried, Try, shares
from .trying import Candidate, shown, smallest, tried
from .worlds import bits_of, joined, world_of

PARTS, PART = 2, 1_500
"""Pieces of work for each process between two looks at what was found, and candidates in each, at most."""
LOOKING, LAST = 0.3, 10.0
"""The part of the time that is left which is kept for looking at what goes round, at each look; but not of the last seconds."""
AHEAD = 5_000
"""Candidates by which the cards of a world are chosen: the first so many."""

STOPPERS, SHARE = 40, 0.2
"""Cards that are tried against each set, at most; and the part of the time that is kept for that."""

R = TypeVar("R")


@dataclass
class Search:
    """A search in one pool."""

    pool: Pool
    sizes: tuple[int, ...]
    seed: int = 0
    processes: int = 1
    memory: int | None = None
    """MiB in all processes; in each on a cluster."""
    cluster: str | None = None
    """The address of a Ray cluster that it is done on."""
    also: Collection[str] = ()
    """What is asked besides: sets that go round until a deck is empty or the game over (`ends`), what stops loops (`stopped-by`), sets that lack one card
    (`one-card-away`)."""
    parked: Sequence[Parked | None] = field(init=False)
    """Where cards lie that are not to be there, in each template."""
    room: int = field(init=False)
    """How many cards one world holds."""
    graph: Graph = field(init=False)
    """What gives what."""
    in_vain: set[frozenset[str]] = field(default_factory=set[frozenset[str]], init=False)
    """Cards by whose texts play went round, of which no loop was shown."""

    @property
    def begins(self) -> list[tuple[Template, Parked, frozenset[str] | None]]:
        """Where positions begin; as the game is, and with texts that are eased."""
        ways = (None, frozenset(self.graph.paid)) if "ends" in self.also else (None,)
        return [(t, seat, kept) for kept in ways for t, seat in zip(self.pool.templates, self.parked, strict=True)
                if seat is not None]

    def prepare(self, until: float | None, stopped: Callable[[], bool]) -> str | Text:
        """Find out what is needed of the pool before anything is tried; what cut it off (nothing: ""), or why nothing can be tried."""
        pool = self.pool
        works: list[Work[Any]] = [partial(pool.seats, max(self.sizes) + STARTERS), partial(pool.texts, False),
                                  partial(pool.texts, True), pool.taken]
        done = self.done(works, self.processes, until, stopped)
        if isinstance(why_not := done[0].found, Text):
            return why_not
        if cut := next((one.cut or "lost" for one in done if one.cut or not one.done), ""):
            return cut
        found: list[Any] = [one.found for one in done]
        (self.parked, self.room), texts, surely, taken = found
        self.graph = pool.graph(texts, surely, taken)
        return ""

    @cached_property
    def rules(self) -> str:
        """A hash of everything but the cards."""
        said = [code_hash(), code_of_checks(), self.pool.book.rulebook.digest, self.pool.book.data,
                hash_of_files(self.pool.book.folder / "scenarios")]
        return hashlib.sha256(
            "\n".join(
                [*said, str(sorted(self.pool.readings.items())), str(self.seed), *({"ends"} & {*self.also})]
            ).encode()
        ).hexdigest()

    def key(self, cards: Set) -> str:
        """A hash of what some cards say, and those that may begin it."""
        said = [*self.graph.paid, *(self.pool.contents[k] for k in cards), "",
                *(self.pool.contents[k] for k in self.graph.starters(cards))]
        return hashlib.sha256("\n".join(said).encode()).hexdigest()[:24]

    def key_of(self, combo: Combo) -> str:
        """A hash of what all cards say that a loop was shown with."""
        there = {*combo.cards, *combo.starters, *(x for x, _ in combo.at[1])}
        said = ["a loop", *combo.cards,
                *(self.pool.contents[k] for k in self.set_of(there & self.pool.numbers.keys()))]
        return hashlib.sha256("\n".join(said).encode()).hexdigest()[:24]

    def candidate(self, cards: Set, there: Collection[int] | None = None) -> Candidate:
        """These cards, with those that may begin it (if a world is made, of the cards that are `there`)."""
        starters = tuple(k for k in self.graph.starters(cards) if there is None or k in there)
        return Candidate(tuple(self.pool.cards[k] for k in cards), tuple(self.pool.cards[k] for k in starters),
                         self.graph.hints(cards), self.graph.fodder(cards), self.graph.paid, self.key(cards))

    # ------------------------------------------------------------ the course of it
    def run(self, until: float | None, told: Callable[[Searched], None], stopped: Callable[[], bool]) -> Searched:
        """Search until all candidates are tried, or a time (of `time.monotonic`)."""
        begun = time.monotonic()
        out = Searched(self.pool.book.name, len(self.pool.cards), self.sizes)
        if not self.pool.templates:
            out.why_not = words.NO_POSITIONS
            return out
        ready = self.prepare(until, stopped)
        if isinstance(ready, Text):
            out.why_not = ready
        elif ready:
            out.cut = ready
        else:
            kept = SHARE * (until - begun) if until is not None and "stopped-by" in self.also else 0.0
            self.go_through(out, until and until - kept, told, stopped)
            if "stopped-by" in self.also:
                # what takes least time first
                loops = sorted(out.combos, key=lambda c: (any(f.growing for f in c.findings), len(c.at[3])))
                stops = dict(zip(
                    (c.cards for c in loops),
                    self.done([partial(self.against, c) for c in loops], self.processes, until, stopped), strict=True))
                out.combos = [replace(c, stops=stops[c.cards].found or self.untried(c)) for c in out.combos]
            if "one-card-away" in self.also:
                out.lacking = self.graph.lacking(self.sizes)
        out.seconds = time.monotonic() - begun
        return out

    def done(
        self, works: Sequence[Work[R]], processes: int, until: float | None, stopped: Callable[[], bool]
    ) -> list[Outcome[R]]:
        """Work on it, done."""
        return done_together(works, processes, until, self.memory, lambda now: None, stopped, cluster=self.cluster)

    def go_through(
        self, out: Searched, until: float | None, told: Callable[[Searched], None], stopped: Callable[[], bool]
    ) -> None:
        """All candidates, the likeliest first."""
        order = self.graph.ordered([s for s in self.sizes if s > 1])
        known = self.known()
        out.candidates = len(order)
        for key, combo in ((key, combo) for key, before in known.items() for combo in before.combos):
            if (len(combo.cards) <= max(self.sizes) and {*combo.cards, *combo.starters} <= self.pool.numbers.keys()
                and key == self.key_of(combo)):
                out.add([combo])
        left: list[Set] = []
        for cards in order:
            before = known.get(self.key(cards)) if known else None
            if before is None:
                left.append(cards)
            else:
                out.kept += 1
                out.plays += before.plays
                out.unshown += before.suspected
                out.unplayed += not before.plays
        while left and not out.cut:
            told(out)
            left = self.go_round(out, left, known, until, stopped, lambda: told(out))
            out.left = len(left)
            self.keep(known)

    def set_of(self, names: Collection[str]) -> Set:
        return tuple(sorted(self.pool.numbers[x] for x in names))

    def bits_of(self, names: Collection[str]) -> int:
        return bits_of([self.pool.numbers[x] for x in names])

    def without_many(self, out: Searched, left: Sequence[Set]) -> list[Set]:
        """Those without a card that loops with many others."""
        many = {self.pool.numbers[x] for x in out.with_many()}
        return [cards for cards in left if many.isdisjoint(cards)]

    def go_round(self, out: Searched, left: list[Set], known: dict[str, Tried], until: float | None,
                 stopped: Callable[[], bool], told: Callable[[], None]) -> list[Set]:
        """Try the next candidates, some worlds of them for each process: first those like what loops, and last those with cards that loop with many others.
        Those that are left then."""
        shown = {self.graph.alike(self.set_of(c.cards)) for c in out.combos}
        first = sorted(self.without_many(out, left), key=lambda cards: self.graph.alike(cards) not in shown)
        loops = [self.bits_of(c.cards) for c in out.combos]
        ahead = {cards: bits_of(cards) for cards in first or left}
        dropped = {cards for cards, bits in ahead.items() if any(bits & x == x for x in loops)}
        out.skipped += len(dropped)
        parts = self.next_parts([cards for cards in ahead if cards not in dropped])
        now = time.monotonic()
        trying = None if until is None else until - LOOKING * (until - now) if until - now > LAST else until
        found, in_vain = {frozenset(c.cards) for c in out.combos}, {*self.in_vain}
        works = [partial(self.try_all, there, sets, found, in_vain) for there, sets in parts]
        outcomes = self.done(works, self.processes, trying, stopped)
        suspected, done = list[Suspect](), dropped
        for outcome in outcomes:
            out.cut = out.cut or ("" if outcome.cut == "seconds" and trying != until else outcome.cut)
            for one in outcome.found or ():
                for cards, share in zip(one.sets, shares(one.plays, len(one.sets)), strict=True):
                    known[self.key(cards)] = Tried(share, one.unshown)
                    done.add(cards)
                    out.tried += 1
                    out.plays += share
                    out.unplayed += not one.plays
                    out.unshown += one.unshown
                tried_at_once = self.candidate(one.cards, one.starters)
                suspected += [Suspect(tried_at_once, names, self.holding(one.sets, names)) for names in one.loops]
        done -= self.confirm(out, suspected, known, until, stopped, told, bool(first))
        return [cards for cards in left if cards not in done]

    def next_parts(self, ahead: Sequence[Set]) -> list[tuple[Set, list[Set]]]:
        """What the processes try next: candidates, and the cards of the world which holds them, with those that may begin them."""
        parts = list[tuple[Set, list[Set]]]()
        left = {cards: bits_of(cards + self.graph.starters(cards)) for cards in ahead}
        while left and len(parts) < PARTS * self.processes:
            there = world_of([tuple(members(bits)) for bits in islice(left.values(), AHEAD)], self.room)
            world = bits_of(there)
            sets = [cards for cards, bits in left.items() if not bits & ~world]
            parts += [(tuple(sorted(there)), sets[k:k + PART]) for k in range(0, len(sets), PART)]
            left = {cards: bits for cards, bits in left.items() if bits & ~world}
        return parts[:PARTS * self.processes]

    def holding(self, sets: Sequence[Set], names: frozenset[str]) -> list[Set]:
        """Those of the sets that hold all of these cards."""
        return [cards for cards in sets if names <= {self.pool.cards[k].id for k in cards}]

    def confirm(self, out: Searched, suspected: list[Suspect], known: dict[str, Tried], until: float | None,
                stopped: Callable[[], bool], told: Callable[[], None], wait: bool) -> set[Set]:
        """What went round, looked at alone: the smallest first, and nothing twice. Those that have to be tried again: among them, if those that loop with many
        others are to `wait`, what has one of them."""
        left = sorted(suspected, key=lambda x: (len(x.acting), x.candidate.ids))
        undone: list[Suspect] = []
        while left and not out.cut:
            now: list[Suspect] = []
            rest: list[Suspect] = []
            many = out.with_many() if wait else ()
            for one in left:
                if out.covers([*one.acting]):
                    continue
                if one.acting in self.in_vain:
                    self.suspect(out, one, known)
                elif not one.acting.isdisjoint(many):
                    undone.append(one)
                elif len(now) < self.processes and not any(one.acting >= other.acting for other in now):
                    now.append(one)
                else:
                    rest.append(one)
            left = rest
            outcomes = self.done(
                [partial(self.look, one.candidate, one.acting) for one in now], self.processes, until, stopped
            )
            for one, outcome in zip(now, outcomes, strict=True):
                if not outcome.done or outcome.cut:
                    out.cut = out.cut or outcome.cut or "lost"
                    undone.append(one)
                    continue
                for combo in outcome.found or ():
                    known[self.key_of(combo)] = Tried(combos=(combo,))
                out.add(outcome.found or ())
                if not out.covers([*one.acting]):
                    self.in_vain.add(one.acting)
                    self.suspect(out, one, known)
            told()
        again = {cards for one in (*undone, *left) for cards in one.sets}
        for before in (known.pop(self.key(cards)) for cards in again):
            out.tried -= 1
            out.plays -= before.plays
            out.unplayed -= not before.plays
            out.unshown -= before.suspected
        return again

    def suspect(self, out: Searched, one: Suspect, known: Mapping[str, Tried]) -> None:
        """Note that play went round, and no loop was shown."""
        for cards in one.sets:
            out.unshown += not known[self.key(cards)].suspected
            known[self.key(cards)].suspected = True

    # ------------------------------------------------------------ in processes of their own
    def try_all(self, there: Set, sets: Sequence[Set], found: Collection[frozenset[str]],
                in_vain: Collection[frozenset[str]], desk: Desk) -> list[Try]:
        """Try these sets in a world of the cards that are `there`: several at once, but none that hold one together of which a loop was `found`, or went round
        `in_vain`. Sets with cards that go round here wait for that to be looked at."""
        setups, seen, looked, out = list[Setup](), {*found}, Counter[frozenset[str]](), list[Try]()
        for t, parked, kept in self.begins:
            with suppress(Unsupported):
                setup = self.pool.setup(t, [self.pool.cards[k] for k in there], parked, kept)
                _ = setup.native
                setups.append(setup)
        left, waiting = {cards: bits_of(cards) for cards in sets}, list[int]()
        avoided = [self.bits_of(x) for x in (*found, *in_vain)]
        while left and not desk.stop():
            cards = next(iter(left))
            if any(left[cards] & x == x for x in waiting):
                del left[cards]
                continue
            mine, together = joined(cards, left, avoided)
            one = self.candidate(tuple(members(mine)), there)
            done = [tried(setup, one.apart_from(seen), self.seed, in_vain=looked) for setup in setups]
            loops = list(dict.fromkeys(acting for trial in done for acting in trial.loops_of))
            new = [self.bits_of(x) for x in loops if x not in seen and x not in in_vain]
            avoided, waiting = avoided + new, waiting + new
            seen.update(loop for loop in loops if loop not in in_vain)
            ended = [self.holding(together, names) for names in loops if names <= {*one.ids}]
            if ended:  # a loop ends a try: the other sets are left for another one
                left.update((cards, bits_of(cards)) for cards in together if not any(cards in some for some in ended))
                together = [cards for cards in together if cards not in left]
            starters = tuple(self.pool.numbers[x.id] for x in one.starters)
            plays = sum(trial.out.plays for trial in done)
            unshown = not loops and any(trial.unshown for trial in done)
            out.append(Try(tuple(members(mine)), starters, together, plays, loops, unshown))
            if len(out) % 10 == 0:
                desk.keep(list(out))
        return out

    def look(self, one: Candidate, acting: frozenset[str], desk: Desk) -> list[Combo]:
        """As few of the cards as will do, and the loops that they make in a world of their own."""
        few = self.candidate(tuple(sorted(self.pool.numbers[x] for x in acting)))
        for now in [few, *([one] if one.key != few.key else [])]:
            for t, parked, kept in self.begins:
                own = self.pool.setup(t, now.all, parked, kept)
                found = smallest(own, now, acting, self.seed)
                loop = (
                    shown(own, found, self.seed) if found is not None and len(found.cards) <= max(self.sizes) else None
                )
                if found is None or loop is None:
                    continue
                trial, findings = loop
                (laid,) = trial.laid
                course = carried(trial.setup, trial.subject, laid, findings[0])
                if kept is None or (course is not None and course.rounds > 1 and (course.end or course.emptied)):
                    copies = tuple((c.definition.id, c.owner) for c in trial.setup.table.world.cards[:len(laid.cards)])
                    at = (self.pool.templates.index(t), copies, (laid.cards, laid.numbers),
                          known_of(trial.subject, lasso(trial.subject, findings[0])[0]))
                    begun = {x for x, _ in copies}
                    return [
                        Combo(tuple(sorted(found.ids, key=self.pool.numbers.__getitem__)),
                              tuple(c.id for c in found.starters if c.id in begun), findings if kept is None else (),
                              course, at)
                    ]
        return []

    def against(self, combo: Combo, desk: Desk) -> Stops | None:
        """Which cards of the pool stop a loop: first those whose texts take away most of what its texts need."""
        if not combo.findings:
            return None
        template, lie, laid, way = combo.at
        t, order = self.pool.templates[template], self.graph.against([self.pool.numbers[x] for x in combo.cards])
        copies = [CardCopy(self.pool.of_id.get(x) or t.cards[x], owner) for x, owner in lie]
        cards, parked = [self.pool.cards[k] for k in order[:STOPPERS]], self.parked[template]
        setup = exactly(self.pool.book, t, [*copies, *(CardCopy(c, p) for c in cards for p in (0, 1))], self.pool.of_id,
                        self.pool.readings, parked or (None, None))
        return stopping(setup, Laid(*laid), way, Scope[(combo.findings[0].level or "game").upper()], cards,
                        len(order) - len(cards), desk)

    def untried(self, combo: Combo) -> Stops | None:
        """Nothing was tried against a loop."""
        return (
            Stops(left=len(self.graph.against([self.pool.numbers[x] for x in combo.cards]))) if combo.findings else None
        )

    # ------------------------------------------------------------ what is kept
    def known(self) -> dict[str, Tried]:
        """What was tried before under these rules, by the key of the candidate."""
        data = read_kept(cache_folder("combos"), self.rules)
        if data is None:
            return {}
        try:
            return {k: Tried(plays, suspected,
                             tuple(Combo(cards, starters, findings, course and Course(*course), at)
                                   for cards, starters, findings, course, at in combos))
                    for k, (plays, combos, suspected) in read(zlib.decompress(data)).items()}
        except UNREADABLE:
            return {}

    def keep(self, known: Mapping[str, Tried]) -> None:
        plain = {
            k: (t.plays,
                tuple((c.cards, c.starters, c.findings, c.course and tuple(vars(c.course).values()), c.at)
                      for c in t.combos),
                t.suspected)
            for k, t in known.items()
        }
        with suppress(pickle.PicklingError, TypeError, RecursionError):
            keep(cache_folder("combos"), self.rules, zlib.compress(written(plain), 1))


def search(name: str, path: Path | None, sizes: tuple[int, ...], readings: Mapping[str, str], seed: int,
           threads: int | None, until: float | None, told: Callable[[Searched], None], stopped: Callable[[], bool],
           memory: int | None = None, cluster: str | None = None,
           also: Collection[str] = ()) -> tuple[Search, Searched]:
    """Search a pool for sets of cards that loop together. Raises BadInput."""
    book = load_book(name)
    if cluster is None:
        processes = processes_within(threads or cores(), memory)
    else:
        most = processors(cluster)
        processes = min(threads or most, most)
    search = Search(Pool(book, pool_of(book, path), readings), sizes, seed, processes, memory, cluster, also)
    return search, search.run(until, told, stopped)
