"""When two games are the same, and what can be forced in them, against plain definitions on small games drawn by lot."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations
from random import Random

import numpy as np
import pytest

from rulewright.checks.explore import arrays, game_kernels, owned_graph
from rulewright.checks.explore.forcing import Verdict, compared
from rulewright.checks.explore.game_kernels import FRESH, game_classes
from rulewright.checks.explore.games import FOREVER, Classes, Game, classes_of
from rulewright.checks.explore.owned_graph import CHANCE, NOBODY, OPEN

PLAYERS = ((0,), (1,), (0, 1))
LEAVES = "abcd"


def drawn(lot: Random, loops: bool, owners: Sequence[int] = (0, 1, CHANCE)) -> tuple[Game, list[int]]:
    """A game and two of its places. Leaves are its first places; without loops each place leads to earlier ones."""
    game = Game()
    for what in LEAVES[:lot.randint(1, 4)]:
        game.add_leaf(what)
    leaves, count = len(game.owner), lot.randint(2, 7)
    for k in range(count):
        v = game.add(NOBODY)
        ahead = range(leaves + count) if loops else range(leaves + k)
        game.ways[v] = [lot.choice(ahead) for _ in range(lot.choice((1, 1, 2, 2, 3)))]
        if len(game.ways[v]) > 1:
            game.owner[v] = lot.choice(owners)
            if game.owner[v] == CHANCE:
                game.weights[v] = [lot.randint(1, 3) for _ in game.ways[v]]
    return game, [len(game.owner) - 1, len(game.owner) - 2]


def sets_of(things: Sequence[str]) -> Iterator[frozenset[str]]:
    return map(frozenset, chain.from_iterable(combinations(things, n) for n in range(len(things) + 1)))


def valued(game: Game, v: int, players: Sequence[int], wanted: frozenset[str]) -> Fraction:
    """How likely these players can make it, by recursion. Without loops only."""
    if v in game.leaf:
        return Fraction(int(game.leaf[v] in wanted))
    values = [valued(game, w, players, wanted) for w in game.ways[v]]
    if game.owner[v] == CHANCE:
        weights = game.weights[v]
        return sum((x * w for x, w in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)
    return (max if game.owner[v] in players else min)(values)


def forced(game: Game, players: Sequence[int], wanted: frozenset[str]) -> set[int]:
    """Where these players can force what is wanted, by growing sets of places (attractors). Without chance."""
    endless = FOREVER in wanted
    side = set(players) if not endless else {0, 1} - set(players)
    goal = {v for v, what in game.leaf.items() if (what in wanted) != endless}
    while True:
        more = {v for v in range(len(game.owner)) if v not in goal and v not in game.leaf and (
            any(w in goal for w in game.ways[v]) if game.owner[v] in side else all(w in goal for w in game.ways[v]))}
        if not more:
            return goal if not endless else set(range(len(game.owner))) - goal
        goal |= more


def check(game: Game, roots: list[int], loops: bool) -> Verdict:
    """What is said of two places, against the plain definitions."""
    classes = classes_of(game)
    assert all(c >= 0 for c in classes.of)
    said = compared(classes, [classes.of[v] for v in roots], lambda what: ("win", 0) if what == "a" else None)
    things = [*LEAVES, FOREVER] if loops else [*LEAVES]

    def value(v: int, players: Sequence[int], wanted: frozenset[str]) -> Fraction:
        return Fraction(int(v in forced(game, players, wanted))) if loops else valued(game, v, players, wanted)
    for a, b in combinations(range(len(game.owner)), 2):
        if classes.of[a] == classes.of[b]:
            for wanted in sets_of(things):
                assert all(value(a, players, wanted) == value(b, players, wanted) for players in PLAYERS)
    if said.verdict is Verdict.FORCED:
        assert said.witness is not None
        wanted = frozenset(str(x) for x in said.witness.what)
        assert [low for low, _ in said.witness.chances] == [value(v, said.witness.who, wanted) for v in roots]
        assert len(set(said.witness.chances)) == 2
    elif said.verdict is Verdict.COURSE and said.exhaustive:
        for wanted in sets_of(things):
            assert all(value(roots[0], players, wanted) == value(roots[1], players, wanted) for players in PLAYERS)
    return said.verdict


@pytest.mark.parametrize(("loops", "owners"), [(False, (0, 1, CHANCE)), (False, (0, 1)), (True, (0, 1)), (False, (CHANCE,))])
def test_what_is_said_of_games_drawn_by_lot_is_true(loops: bool, owners: Sequence[int]) -> None:
    lot, seen = Random(f"{loops} {owners}"), dict[Verdict, int]()
    for _ in range(400):
        verdict = check(*drawn(lot, loops, owners), loops)
        seen[verdict] = seen.get(verdict, 0) + 1
    assert seen[Verdict.SAME] > 30 and seen[Verdict.FORCED] > 30


def disguised(game: Game, lot: Random, parts: bool) -> Game:
    """The same game, drawn otherwise: places twice, forced steps in between, choices in two `parts`, weights in larger numbers."""
    out = Game()
    twins = [[out.add_leaf(game.leaf[v]) if v in game.leaf else out.add(game.owner[v]) for _ in range(2)] for v in range(len(game.owner))]
    for v, (ways, owner) in enumerate(zip(game.ways, game.owner, strict=True)):
        for twin in twins[v] if ways else ():
            to = [lot.choice(twins[w]) for w in ways]
            weights = list(game.weights.get(v, [1] * len(ways)))
            for k in range(len(to)):
                if lot.random() < 0.3:
                    step = out.add(NOBODY)
                    out.ways[step] = [to[k]]
                    to[k] = step
            if parts and len(to) > 1 and lot.random() < 0.5:
                part = out.add(owner)
                out.ways[part], out.weights[part] = to[1:], weights[1:]
                to, weights = [to[0], part], [weights[0], sum(weights[1:])]
            if lot.random() < 0.3:
                to.append(to[0])
                weights = [w * 2 for w in weights] + [weights[0]]
                weights[0] //= 2
            out.ways[twin] = to
            if owner == CHANCE:
                out.weights[twin] = [w * 3 for w in weights]
    return out


def joined(one: Game, two: Game) -> tuple[Game, int]:
    """Both games side by side; where the second begins."""
    begin, out = len(one.owner), Game(list(one.owner), list(one.ways), dict(one.weights), dict(one.leaf))
    for v, owner in enumerate(two.owner):
        out.owner.append(owner)
        out.ways.append([begin + w for w in two.ways[v]])
        if v in two.weights:
            out.weights[begin + v] = two.weights[v]
        if v in two.leaf:
            out.leaf[begin + v] = two.leaf[v]
    return out, begin


@pytest.mark.parametrize("loops", [False, True])
def test_the_same_game_drawn_otherwise_is_the_same(loops: bool) -> None:
    """Where something goes round, only games in which each choice matters: a choice that does not, within a loop, may be seen."""
    lot, tried = Random(int(loops)), 0
    while tried < 300:
        game, _ = drawn(lot, loops)
        of = classes_of(game).of
        if loops and any(len(ways) > 1 and len({of[w] for w in ways}) == 1 for ways in game.ways):
            continue
        tried += 1
        both, begin = joined(game, disguised(game, lot, parts=not loops))
        of = classes_of(both).of
        assert all(of[v] == of[begin + 2 * v] == of[begin + 2 * v + 1] for v in range(begin)), "places are added in pairs"


def told(game: Game, *roots: int) -> Verdict:
    classes: Classes = classes_of(game)
    return compared(classes, [classes.of[v] for v in roots], lambda _: None).verdict


def test_chance_that_is_thrown_again_until_it_shows_something_is_thrown_once() -> None:
    game = Game()
    a, b = game.add_leaf("a"), game.add_leaf("b")
    once, again, loaded = game.add(CHANCE), game.add(CHANCE), game.add(CHANCE)
    game.ways[once], game.ways[again], game.ways[loaded] = [a, b], [a, again, b], [a, loaded, b]
    game.weights = {once: [1, 1], again: [2, 5, 2], loaded: [2, 5, 1]}
    assert told(game, once, again) is Verdict.SAME
    assert told(game, once, loaded) is Verdict.FORCED


def test_who_may_go_round_for_ever_is_not_who_must_stop() -> None:
    game = Game()
    a = game.add_leaf("a")
    stops, may, longer, other = (game.add(owner) for owner in (NOBODY, 0, 0, 1))
    between = game.add(NOBODY)
    game.ways[stops], game.ways[may], game.ways[longer], game.ways[other] = [a], [a, may], [a, between], [other, a]
    game.ways[between] = [longer]
    assert told(game, may, longer) is Verdict.SAME
    assert told(game, may, stops) is told(game, may, other) is Verdict.FORCED


def test_games_in_which_the_same_can_be_forced_may_differ_in_course() -> None:
    """The first player may put an end to it before or after the second player has chosen."""
    game = Game()
    a, b, c = (game.add_leaf(what) for what in LEAVES[:3])
    early, late, chooses, ends_a, ends_b = (game.add(owner) for owner in (0, 1, 1, 0, 0))
    game.ways[early], game.ways[chooses] = [c, chooses], [a, b]
    game.ways[late], game.ways[ends_a], game.ways[ends_b] = [ends_a, ends_b], [c, a], [c, b]
    classes = classes_of(game)
    said = compared(classes, [classes.of[early], classes.of[late]], lambda _: None)
    assert said.verdict is Verdict.COURSE and said.exhaustive


def test_with_many_results_the_least_sets_that_can_be_forced_are_compared() -> None:
    """Who chooses last knows what the other has chosen, and can answer it."""
    game = Game()
    leaf = {(x, y): game.add_leaf(f"{x}{y}") for x in range(4) for y in range(4)}
    first, second, first_too = game.add(0), game.add(1), game.add(0)
    for x in range(4):
        game.add(1)
        game.ways[-1] = [leaf[x, y] for y in range(4)]
    game.ways[first] = range(second + 2, second + 6)
    for y in range(4):
        game.add(0)
        game.ways[-1] = [leaf[x, y] for x in range(4)]
    game.ways[second] = range(second + 6, second + 10)
    game.ways[first_too] = [*reversed(game.ways[first])]
    classes = classes_of(game)
    said = compared(classes, [classes.of[first], classes.of[second]], lambda _: None)
    assert said.verdict is Verdict.FORCED and said.witness is not None and len(said.witness.what) == 4
    assert told(game, first, first_too) is Verdict.SAME


def test_what_is_not_known_is_judged_both_ways() -> None:
    game = Game()
    a, b = game.add_leaf("a"), game.add_leaf("b")
    beyond, more = game.add_leaf("beyond", unknown=True), game.add_leaf("more", unknown=True)
    may, else_, mine, other = (game.add(owner) for owner in (0, 0, 0, 1))
    game.ways[may], game.ways[else_], game.ways[mine], game.ways[other] = [a, beyond], [a, more], [a, b], [a, b]
    assert told(game, may, may) is Verdict.SAME
    assert told(game, may, else_) is Verdict.UNKNOWN, "it may be the same that follows"
    assert told(game, may, mine) is Verdict.UNKNOWN
    assert told(game, may, other) is Verdict.FORCED, "one player can come to a in any case, and there not"


def test_a_choice_that_nobody_owns_is_judged_both_ways() -> None:
    game = Game()
    a, b = game.add_leaf("a"), game.add_leaf("b")
    open_, mine, chance, alike = (game.add(owner) for owner in (OPEN, 0, CHANCE, OPEN))
    for v in (open_, mine, chance, alike):
        game.ways[v] = [a, b]
    assert told(game, open_, alike) is Verdict.SAME
    assert told(game, open_, mine) is Verdict.COURSE and told(game, mine, chance) is Verdict.FORCED


# ---------------------------------------------------------------- in arrays
def in_arrays(game: Game) -> tuple[np.ndarray, ...]:
    """Owner, is it a leaf, depth, where ways begin, where they lead, where weights begin, and the weights."""
    n = len(game.owner)
    first = np.cumsum([0, *map(len, game.ways)])
    target = np.array([w for ways in game.ways for w in ways], np.int32)
    weights = np.array([x for v, ways in enumerate(game.ways) for x in game.weights.get(v, [1] * len(ways))], np.int64)
    leaf = np.array([v in game.leaf for v in range(n)], np.bool_)
    weighed = np.where(np.array(game.owner) == CHANCE, first[:-1], -1)
    return np.array(game.owner, np.int8), leaf, np.ones(n, np.int16), first, target, weighed, weights


@pytest.mark.parametrize("compiled", [False, True])
def test_the_kernel_finds_the_same_classes_where_nothing_goes_round(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "FEW", -1 if compiled else 1 << 60)
    lot, classless = Random(5), 0
    for k in range(600):
        loops = k % 3 == 0
        game, _ = drawn(lot, loops, (0, 1, CHANCE, OPEN))
        begun = game.add(0)
        game.ways[begun] = list(range(begun))
        owner, leaf, depth, first, target, weighed, weights = in_arrays(game)
        n = len(owner)
        cls, wanting = np.full(n, FRESH, np.int32), np.zeros(n, np.bool_)
        asked = np.array([begun], np.int64)
        assert game_classes(asked, 0, owner, leaf, depth, first, target, weighed, weights, wanting, cls, 256, 1 << 40) == 1
        assert not wanting.any()
        expected = classes_of(game).of
        for a, b in combinations(range(begun), 2):
            if cls[a] >= 0 and cls[b] >= 0:
                assert (cls[a] == cls[b]) == (expected[a] == expected[b])
        classless += int((cls[:begun] < 0).sum())
        assert loops or bool((cls[:begun] >= 0).all())
        if (weighed >= 0).any() and not loops:  # without weights nothing is said
            cls[:] = FRESH
            game_classes(asked, 0, owner, leaf, depth, first, target, np.full(n, -1), weights, wanting, cls, 256, 1 << 40)
            assert all(owner[v] == CHANCE for v in np.flatnonzero(wanting)) and (wanting.any() or bool((cls[:begun] >= 0).all()))
    assert classless > 50


def test_the_kernel_knows_chance_as_the_graph_does() -> None:
    assert game_kernels._CHANCE == owned_graph.CHANCE  # pyright: ignore[reportPrivateUsage]
