"""Which cards of a pool could loop together: what the text of one gives that of another needs, and circles of that.

An edge says that one card's texts may let another's ability wait, move that very card, put cards where the other takes them from, raise a number that
the other lowers, undo what the other sets, or write what the other looks at. It is worth the more, the less likely it is by chance in this pool (in bits).
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from math import inf, log2
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...model.ir import types as t
from ...model.ir.flow import members
from ...model.ir.program import Program
from ...model.lang.world import AbilityDef, CardDef
from .abstract_values import NO, Done, May
from .circles import CIRCLES, best, links_of
from .meanings import Meanings
from .positions import ANYWHERE

QUESTIONS = ("if", "while", "payable", "applies_to", "how_much")
MOST = 50_000
"""Candidates of one size, at most: the likeliest ones."""
WAITS, MOVES, PAYS, USES, COUNTS, SETS, LOOKS = 1.0, 1.0, 0.7, 0.4, 1.0, 1.0, 0.4
"""What the kinds of edges are worth beside each other."""
STARTERS = 3
"""Cards that may begin what others do, and lie there in every second position."""
MOST_LACKING, STEPS = 10, 16
"""Sets that lack one card which are told, and cards that are followed from each of a chain, at most."""
SWAPPED = {ord("0"): "1", ord("1"): "0"}
"""A number of one player as that of the other."""
Set = tuple[int, ...]
Edge = tuple[int, int]
Label = tuple[str, str | int, int]
"""What a card gives or needs: it `lets` an ability wait (its number), puts cards into a `zone` (its number), `counts` a number up, or `sets` back what
says of a card what costs set (and of which card)."""
Zone = tuple[str, int | None]
"""Its field and player."""
Lacking = tuple[Set, Label, Label]
"""Cards that each give the next one something; what the card would need, of what the last one gives, that closes the circle, and what it would give the first."""


@dataclass
class Gist:
    """What the texts of one card do: `costs` to use them, `texts` once they are used; and what is looked at first."""

    costs: Done = field(default_factory=Done)
    texts: Done = field(default_factory=Done)
    asks: Done = field(default_factory=Done)

    @property
    def both(self) -> tuple[Done, Done]:
        return self.costs, self.texts


def gists_of(program: Program, cards: Sequence[CardDef], lying: Mapping[str, int], surely: bool = False) -> list[Gist]:
    """What the texts of these cards do. The cards of the program's world begin with these; `lying`: which cards may lie where; `surely`: as of `Meanings`."""
    meanings, out = Meanings(program, lying, surely), list[Gist]()
    for k, card in enumerate(cards):
        g = Gist()
        for a in card.abilities:
            for key, into in (("cost", g.costs), ("text", g.texts), *((q, g.asks) for q in QUESTIONS)):
                if (fn := program.functions.get(f"{key} {a.id}")) is not None:
                    own = [x.type for x in fn.locals[:fn.arity]]
                    args = [May(1 << k), *([NO] if len(own) > 1 and isinstance(own[1], t.PlayerType) else [])]
                    into.add(meanings.run(fn.name, [*args, *(meanings.unknown(x) for x in own[len(args):])])[1])
        out.append(g)
    return out


def sum_of(several: Sequence[Gist]) -> Gist:
    """What they do together."""
    out = Gist()
    for mine, theirs in (
        (mine, theirs)
        for g in several
        for mine, theirs in ((out.costs, g.costs), (out.texts, g.texts), (out.asks, g.asks))
    ):
        mine.add(theirs)
    return out


def texts_of(
    programs: Sequence[Program], cards: Sequence[CardDef], lying: Mapping[str, int], surely: bool
) -> list[Gist]:
    """What the texts of these cards do in programs whose worlds begin with them."""
    return [
        sum_of(several)
        for several in zip(*(gists_of(program, cards, lying, surely) for program in programs), strict=True)
    ]


def taken_of(programs: Sequence[Program], kinds: Sequence[str], lying: Mapping[str, int]) -> dict[str, Done]:
    """What follows by the rules if a player takes a card of a kind; the cards of the programs' worlds begin with those of these kinds."""
    out = {kind: Done() for kind in kinds}
    for meanings in (Meanings(program, lying) for program in programs):
        for kind, some in of_each_kind(kinds).items():
            out[kind].add(meanings.taken(some))
    return out


def of_each_kind(kinds: Sequence[str]) -> dict[str, int]:
    """The cards (a bit each) of each kind."""
    return {kind: sum(1 << k for k, mine in enumerate(kinds) if mine == kind) for kind in dict.fromkeys(kinds)}


def used_in(
    zones: Sequence[Zone], kinds: Sequence[str], taken: Mapping[str, Done], usual: Mapping[str, Collection[str]]
) -> list[int]:
    """For each card the zones (a bit each) in which cards of its kind mostly lie (`usual`: fields), or from which the rules let players take one."""
    out, every = dict[str, int](), (1 << len(zones)) - 1
    for kind, some in of_each_kind(kinds).items():
        out[kind] = sum(1 << z for z, (name, _) in enumerate(zones) if name in usual.get(kind, (name,)))
        for mask, came, _ in taken[kind].moves:
            out[kind] |= came if mask == some and came != every else 0
    return [out[kind] for kind in kinds]


def said_of(a: AbilityDef) -> object:
    """What an ability says of when it may be used, wherever it is written."""
    facts = ((k, [w.text for w in (v if isinstance(v, tuple) else (v,))]) for k, v in a.facts.items())
    return a.when and a.when.text, [*a.scripts], sorted(facts)


@dataclass
class Graph:
    """A pool's cards, what their texts do, and how much each gives each other one. `zones`: the book's, by field and player."""

    cards: Sequence[CardDef]
    gists: Sequence[Gist]
    surely: Sequence[Gist]
    """The same, where of what is done to some cards only those count to which it surely is."""
    zones: Sequence[Zone]
    used: Sequence[int]
    """For each card, the zones (a bit each) in which cards of its kind mostly are in scenarios, or from which the rules let players take one: there it can be used."""
    played: Sequence[Done]
    """For each card, what follows by the rules if a player takes one of its kind."""
    plain: Sequence[str] = ()
    """Cards without texts that lie about, too: behind those of the pool in the program's world."""

    @cached_property
    def of_ability(self) -> list[int]:
        """The card of each ability."""
        return [j for j, c in enumerate(self.cards) for _ in c.abilities]

    @cached_property
    def abilities_of(self) -> list[list[int]]:
        """The abilities of each card."""
        out: list[list[int]] = [[] for _ in self.cards]
        for x, k in enumerate(self.of_ability):
            out[k].append(x)
        return out

    # ------------------------------------------------------------ edges
    def edges(self, gists: Sequence[Gist]) -> Iterator[tuple[float, Collection[Edge]]]:
        """The edges of each kind, and what the kind is worth."""
        every, n = (1 << len(self.zones)) - 1, len(self.cards)
        yield (
            WAITS,
            {
                (a, self.of_ability[x])
                for a, g in enumerate(gists)
                for d in g.both
                for x in d.lets
                if x < len(self.of_ability)
            },
        )
        yield (
            SETS,
            {(self.of_ability[x], b) for b, g in enumerate(gists) for x in g.costs.lets if x < len(self.of_ability)},
        )  # it may undo that, or replace it
        moved = {
            (a, mask & (1 << n) - 1, came, to)
            for a, g in enumerate(gists)
            for d in g.both
            for mask, came, to in d.moves
        }
        yield MOVES, {(a, b) for a, mask, _, to in moved for b in members(mask) if to < 0 or self.used[b] >> to & 1}
        yield USES, {(a, b) for a, mask, _, _ in moved if mask.bit_count() <= n // 2 + 1 for b in members(mask)}
        by_itself = {(b, to) for b, mask, _, to in moved if mask == 1 << b and to >= 0}
        yield (
            MOVES,
            {
                (a, b)
                for b, z in by_itself
                for a, mask, came, to in moved
                if came != every and came >> z & 1 and mask >> b & 1 and to != z
            },
        )

        def between(gives: Collection[int], takes: Collection[int]) -> set[Edge]:
            return {(a, b) for a in gives for b in takes}
        for z in range(len(self.zones)):
            gives = {a for a, g in enumerate(gists) for d in g.both for _, _, to in d.moves if to == z}
            for worth, takes in ((PAYS, [g.costs for g in gists]), (USES, [g.texts for g in gists])):
                yield (
                    worth,
                    between(
                        gives,
                        [
                            b
                            for b, d in enumerate(takes)
                            if any(came >> z & 1 and came != every for _, came, _ in d.moves)
                        ],
                    ),
                )
        for name in sorted({x for g in gists for x in g.texts.up}):
            yield COUNTS, between([a for a, g in enumerate(gists) if name in g.texts.up],
                                  [b for b, g in enumerate(gists) if name in g.costs.down | g.texts.down])
        for name in sorted({x for g in gists for d in g.both for x, _, _ in d.sets}):
            undone = [(a, v, whose) for a, g in enumerate(gists) for x, v, whose in g.texts.sets if x == name]
            paid = [(b, v) for b, g in enumerate(gists) for x, v, whose in g.costs.sets if x == name]
            again = {(a, b) for a, u, whose in undone for b, v in paid if u != v and whose >> b & 1}
            yield SETS, again
            on_others = {
                (b, v, whose)
                for b, g in enumerate(gists)
                for x, v, whose in g.costs.sets
                if x == name and whose.bit_count() > 1
            }
            some = {(a, u) for a, u, whose in undone if whose.bit_count() > 1}
            yield (
                SETS,
                {(a, b) for a, u in some for b, v, _ in on_others if u != v},
            )  # on the same cards, of whichever kind
            yield USES, {(b, a) for a, u in some for b, v, _ in on_others if u != v}
            yield (
                USES,
                {
                    (a, b)
                    for a, u, whose in undone
                    for b, v, others in undone
                    if a != b and u != v and whose > 0 and others > 0 and whose & others
                },
            )
        for name in sorted({x for g in gists for x in g.asks.reads}):
            zone = int(name[5:]) if name.startswith("zone ") else None
            yield LOOKS, between([a for a, g in enumerate(gists) for d in g.both if name in d.writes or any(
                zone is not None and (to == zone or (came >> zone & 1 and came != every)) for _, came, to in d.moves)],
                [b for b, g in enumerate(gists) if name in g.asks.reads])

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        n = len(self.cards)
        out = np.zeros((n, n))
        by_rules = {
            (a, self.of_ability[x]) for a, d in enumerate(self.played) for x in d.lets if x < len(self.of_ability)
        }
        for worth, pairs in ((WAITS, by_rules), *self.edges(self.gists), *self.edges(self.surely)):
            if pairs:
                a, b = np.array(sorted(pairs)).T
                rare = np.log2(n / np.bincount(a, minlength=n)[a]) + np.log2(n / np.bincount(b, minlength=n)[b])
                np.maximum.at(out, (a, b), worth * rare / 2 + 0.01)
        return out

    # ------------------------------------------------------------ what is given and needed
    @cached_property
    def paid_with(self) -> dict[tuple[str, int], int]:
        """What costs of a card set on that card."""
        return {(name, k): v for k, g in enumerate(self.gists) for name, v, whose in g.costs.sets if whose == 1 << k}

    @cached_property
    def given(self) -> list[set[Label]]:
        """What the texts of each card give."""
        paid = self.paid_with
        return [
            {
                *(("lets", x, 0) for d in g.both for x in d.lets),
                *(("zone", to, 0) for d in g.both for _, _, to in d.moves if to >= 0),
                *(("counts", name, 0) for name in g.texts.up),
                *(
                    ("sets", name, k)
                    for name, u, whose in g.texts.sets
                    for k in range(len(self.cards))
                    if whose > 0 and whose >> k & 1 and paid.get((name, k), u) != u
                ),
            }
            for g in self.gists
        ]

    @cached_property
    def needed(self) -> list[list[set[Label]]]:
        """What has to be given to each card so that it can be used again: of each of these some."""
        every, out = (1 << len(self.zones)) - 1, list[list[set[Label]]]()
        for k, g in enumerate(self.gists):
            lets: set[Label] = {
                ("lets", x, 0)
                for x, ability in zip(self.abilities_of[k], self.cards[k].abilities, strict=True)
                if ability.when is not None
            }
            zones: set[Label] = {("zone", z, 0) for _, came, _ in g.costs.moves if came != every for z in members(came)}
            sets: set[Label] = {("sets", name, j) for name, j in self.paid_with if j == k}
            numbers: list[set[Label]] = [{("counts", name, 0)} for name in sorted(g.costs.down)]
            out.append([x for x in (lets, zones, sets, *numbers) if x])
        return out

    # ------------------------------------------------------------ circles
    @cached_property
    def like(self) -> list[int]:
        """For each card one, by lot, of those that give the same, need the same and may be used alike: what one of them makes with others, the others hardly fail to."""
        w, every = self.weights, np.arange(len(self.cards))
        said = [[said_of(a) for a in c.abilities] for c in self.cards]

        def alike(a: int, b: int) -> bool:
            other = np.where(every == a, b, np.where(every == b, a, every))
            if said[a] != said[b] or w[a, b] > w[a, a]:  # what they give each other, one alone does not give itself
                return False
            return np.array_equal(w[a, other], w[b]) and np.array_equal(w[other, a], w[:, b])
        out = dict[int, int]()
        for k in sorted(every.tolist(), key=lambda k: crc32(self.cards[k].id.encode())):
            out[k] = next((j for j in dict.fromkeys(out.values()) if alike(k, j)), k)
        return [out[k] for k in every.tolist()]

    def alike(self, cards: Set) -> Set:
        """Cards like some cards, one for each."""
        return tuple(sorted(self.like[k] for k in cards))

    def circles(self, size: int, among: Sequence[int]) -> Iterator[Set]:
        """Sets of so many of these cards that each give the next one something, the likeliest first."""
        weights = self.weights[np.ix_(among, among)]
        if size == 1:
            alone = np.diag(weights)
            cards = np.argsort(-alone, kind="stable")[:int((alone > 0).sum()), None]
        else:
            _, cards = best(CIRCLES[size](links_of(weights)), len(among), MOST)
        return (tuple(among[k] for k in s) for s in cards)

    def ordered(self, sizes: Sequence[int]) -> list[Set]:
        """Candidates of these sizes, the likeliest of each size in turn, first those of cards that are not alike; with each card alone, since what it does alone is no combo."""
        return list(
            dict.fromkeys(
                s
                for among in (sorted({*self.like}), range(len(self.cards)))
                for row in zip_longest(*(self.circles(size, among) for size in (1, *sizes)))
                for s in row
                if s is not None
            )
        )

    @cached_property
    def letting(self) -> list[list[int]]:
        """For each ability the cards that somebody can use when they like and that let it wait; first those that let little else wait."""
        out: list[list[int]] = [[] for _ in self.of_ability]
        able = [
            k
            for k, c in enumerate(self.cards)
            if len(c.abilities) == 1 and c.abilities[0].when is None and "while" not in c.abilities[0].scripts
        ]
        lets = {k: self.gists[k].costs.lets | self.gists[k].texts.lets for k in able}
        for k in sorted(
            able, key=lambda k: (not self.gists[k].costs.lets, len(lets[k]), k)
        ):  # what is paid can be paid again
            for x in lets[k]:
                if x < len(out):
                    out[x].append(k)
        return out

    def starters(self, cards: Set) -> Set:
        """Cards that may begin what these do."""
        first = [self.letting[x][:STARTERS + len(cards)] for k in cards for x in self.abilities_of[k]]
        return tuple(dict.fromkeys(k for row in zip_longest(*first) for k in row if k is not None and k not in cards))[
            :STARTERS
        ]

    def fodder(self, cards: Set) -> dict[tuple[str, int | None], list[str]]:
        """Plain cards that the texts of some cards could use, by where they would take them from; what costs would change lies wherever it does (`ANYWHERE`)."""
        every, n = (1 << len(self.zones)) - 1, len(self.cards)
        out: dict[tuple[str, int | None], set[str]] = {}
        for mask, came, _ in (x for a in cards for d in self.gists[a].both for x in d.moves):
            for z in members(came) if came != every else ():
                out.setdefault(self.zones[z], set()).update(
                    self.plain[j] for j in members(mask >> n) if j < len(self.plain)
                )
        for whose in (whose for a in cards for _, _, whose in self.gists[a].costs.sets if whose > 0):
            out.setdefault(ANYWHERE, set()).update(self.plain[j] for j in members(whose >> n) if j < len(self.plain))
        return {where: sorted(some) for where, some in sorted(out.items(), key=str) if some}

    @cached_property
    def paid(self) -> tuple[str, ...]:
        """Numbers that costs lower."""
        return tuple(sorted({name for g in self.gists for name in g.costs.down}))

    def hints(self, cards: Set) -> dict[str, list[tuple[str, int | None]]]:
        """Where the texts of some cards would take each of them from, if they would not take most others from there, too."""
        every, half, out = (
            (1 << len(self.zones)) - 1,
            (len(self.cards) + len(self.plain)) // 2,
            dict[str, list[tuple[str, int | None]]](),
        )
        for b in cards:
            came = {z for a in cards for d in self.gists[a].both for mask, came, _ in d.moves
                    if mask >> b & 1 and 0 < came != every and mask.bit_count() <= half for z in members(came)}
            out[self.cards[b].id] = sorted({self.zones[z] for z in came}, key=str)
        return out

    def against(self, cards: Collection[int]) -> list[int]:
        """All other cards with texts, as an opponent would have them: first those that may move most of these cards, or change most of what these look at
        and what they pay; then those that do little else."""
        mine = sum(1 << k for k in cards)
        needs = {
            x.translate(SWAPPED)
            for k in cards
            for g in [self.gists[k]]
            for x in (*g.asks.reads, *g.texts.reads, *g.costs.down, *(name for name, _, _ in g.costs.sets))
        }

        def worth(k: int) -> tuple[int, int, int]:
            hits = max(((mask & mine).bit_count() for d in self.gists[k].both for mask, _, _ in d.moves), default=0)
            changed = {x for d in self.gists[k].both for x in d.writes}
            return -hits - len(changed & needs), len(changed), k
        return sorted((k for k, c in enumerate(self.cards) if c.abilities and k not in cards), key=worth)

    # ------------------------------------------------------------ sets that lack one card
    def lacking(self, sizes: Sequence[int]) -> list[Lacking]:
        """Sets that one more card might close, of these sizes without it (but three at most): chains in which each card gives the next one something that it needs to be used again,
        that hold no circle, and of which the last gives the first nothing, nor any card that the last one gives something. The least likely by chance first,
        and each card in one of them."""
        n, given = len(self.cards), self.given
        needed = [set[Label]().union(*needs) for needs in self.needed]
        givers, takers = (Counter(label[:2] for labels in many for label in labels) for many in (given, needed))
        links = [
            {
                k: max(log2(n / givers[x[:2]]) + log2(n / takers[x[:2]]) for x in both)
                for k in range(n)
                if k != j and (both := given[j] & needed[k])
            }
            for j in range(n)
        ]

        def chains(path: Set, size: int, worth: float) -> Iterator[tuple[float, Set]]:
            if len(path) == size:
                yield worth, path
            for k, bits in (
                sorted(links[path[-1]].items(), key=lambda x: (-x[1], x[0]))[:STEPS] if len(path) < size else ()
            ):
                if k not in path and not any(j in links[k] for j in path):
                    yield from chains((*path, k), size, min(worth, bits))
        ranked: list[tuple[float, Set, Label]] = []
        for worth, path in (
            chain for size in {min(size, 3) for size in sizes} for k in range(n) for chain in chains((k,), size, inf)
        ):
            between = (path[-1], *links[path[-1]])
            missing = needed[path[0]].difference(*(given[x] for x in between))
            if missing and given[path[-1]] and not any(path[0] in links[x] for x in between):
                need = min(missing, key=lambda x: (takers[x[:2]], str(x)))
                ranked.append((min(worth, 2 * log2(n / takers[need[:2]])), path, need))
        out: list[Lacking] = []
        for _, path, need in sorted(ranked, key=lambda x: (-x[0], len(x[1]), x[1])):
            if len(out) < MOST_LACKING and not any({*one} & {*path} for one, _, _ in out):
                out.append(
                    (
                        path,
                        min(given[path[-1]], key=lambda x: (not takers[x[:2]], x[0] == "sets", takers[x[:2]], str(x))),
                        need,
                    )
                )
        return out
