"""Two waiting abilities in one position, carried out in both orders by the interpreter; and what that shows, told."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from .....model.engine.state import Option, Point, State
from .....spec.text import Text
from ....explore.forcing import Compared, Verdict, compared
from ....explore.games import FOREVER, Game, classes_of
from ....explore.order_findings import goes_round, told_order
from ....explore.outcomes import ENDLESS, forced_outcomes
from ....explore.subject import Subject
from ....explore.symmetry import Symmetry, interchangeable
from ....findings.record import Bounds, Finding, FindingClass, Outcome, Play, Stake
from ....findings.severity import graded
from ...numbers import Refused
from ..telling import Disagreement, drawn
from .resolving import DECIDED, Resolver

MOST_STATES = 4_000
"""Positions that an order may lead through on average; with more the answer is unknown."""
BEYOND = "bound"


class TooMuch(Refused):
    """Carrying both orders out leads through too many positions."""


@dataclass(frozen=True)
class Both:
    """What both orders lead to: the place where the order is chosen, how play came there, the two options, and what follows each, as a game
    (`follows`, which begins at `roots`; a leaf is the state in which it ends, or BEYOND)."""

    resolver: Resolver
    way: tuple[tuple[State, Option], ...]
    state: State
    at: Point
    options: tuple[Option, Option]
    follows: Game
    roots: tuple[int, int]
    equal_cards: Callable[[], Symmetry]
    """Which cards are equal: that they have changed places is no difference for who can bring something about."""

    @cached_property
    def results(self) -> tuple[frozenset[Hashable], frozenset[Hashable]]:
        """What each order can lead to: states, that it never ends, or that it leads beyond a bound."""
        one, two = (results(self.follows, root) for root in self.roots)
        return one, two

    @property
    def is_within(self) -> bool:
        """Does neither lead beyond a bound?"""
        return BEYOND not in self.results[0] | self.results[1]

    def differ(self, ranks: Sequence[int] = ()) -> bool:
        """Can other results be reached, but for these slots, or brought about by other players or with other chances? An order that leads
        beyond a bound is compared with none."""
        if not self.is_within:
            return False
        return self.reach_others(ranks) or self.as_games(ranks).verdict is Verdict.FORCED

    def reach_others(self, ranks: Sequence[int] = ()) -> bool:
        """Can other results be reached?"""
        one, two = (frozenset(seen(r, ranks) for r in results) for results in self.results)
        return one != two

    def as_games(self, ranks: Sequence[int] = ()) -> Compared:
        """The two orders compared as games, where the same results can be reached."""
        if len(self.results[0]) == 1 or is_one_players(self.follows):
            return Compared(Verdict.SAME)
        classes = classes_of(
            replace(self.follows, leaf={v: self.as_leaf(what, ranks) for v, what in self.follows.leaf.items()})
        )
        return compared(classes, [classes.of[v] for v in self.roots], kind_of_result)

    def as_leaf(self, result: Hashable, ranks: Sequence[int] = ()) -> Hashable:
        """A result as it is compared in games."""
        return seen(self.equal_cards().canonical(result)[0] if isinstance(result, State) else result, ranks)


def seen(result: Hashable, without: Sequence[int]) -> Hashable:
    """A result without what is not compared: of play that has ended, how."""
    if not isinstance(result, State):
        return result
    if result.end is not None and result.end.kind != "over":
        return result.end[:2] if result.end.kind in DECIDED else result.end[:3]
    left = set(without)
    return tuple(v for k, v in enumerate(result.slots) if k not in left)


def kind_of_result(result: Hashable) -> Hashable:
    """Of a result as it is compared, how play has ended; None where it goes on."""
    return result[:2] if isinstance(result, tuple) and result and isinstance(result[0], str) else None


def is_one_players(game: Game) -> bool:
    """Is it one player who decides everything? Then what can be reached can be brought about."""
    deciders = {owner for owner, ways in zip(game.owner, game.ways, strict=True) if len(ways) > 1}
    return not deciders or (len(deciders) == 1 and min(deciders) >= 0)


def carried_out(
    subject: Subject, resolver: Resolver, locals_: Sequence[int], two: Sequence[Option], most: int = MOST_STATES,
    equal_cards: Callable[[], Symmetry] | None = None,
) -> Both:
    """Carry both orders out. Raises Disagreement where the two cannot be chosen between, and TooMuch."""
    engine = subject.engine
    equal_cards = equal_cards or cache(lambda: symmetry_of(subject))
    number = list(subject.program.functions).index(resolver.loop)
    state = State(tuple(subject.positions[0]), ((number, resolver.head, *locals_),))
    way: list[tuple[State, Option]] = []
    for _ in range(most):
        at = engine.point(state)
        if at is None:
            break
        if state.frames[-1][:2] == (list(subject.program.functions).index(resolver.chooser), resolver.pc):
            if not all(tuple(o) in at.options for o in two):
                break
            one, other = (tuple(o) for o in two)
            follows, roots = what_follows(subject, [engine.apply(state, o).state for o in (one, other)], most)
            return Both(resolver, tuple(way), state, at, (one, other), follows, (roots[0], roots[1]), equal_cards)
        if len(at.options) != 1:
            break
        way.append((state, at.options[0]))
        state = engine.apply(state, at.options[0]).state
    raise Disagreement(f"{two[0]} と {two[1]} の間を選ぶ人がいない", f"nobody chooses between {two[0]} and {two[1]}")


def symmetry_of(subject: Subject) -> Symmetry:
    """Which cards of the subject are equal."""
    return Symmetry(subject.program, interchangeable(subject.describer.world.cards))


def what_follows(subject: Subject, begun: Sequence[State], most: int) -> tuple[Game, list[int]]:
    """What can follow in some states, until all that waits is done; and the places of these states. Raises TooMuch."""
    game, numbers = Game(), dict[State, int]()
    todo: list[tuple[State, Point]] = []

    def place(s: State) -> int:
        if s not in numbers:
            at = subject.engine.point(s)
            if at is not None:
                numbers[s] = game.add(at.owner)
                todo.append((s, at))
            else:
                out = s.end is not None and s.end.kind == "bound"
                numbers[s] = game.add_leaf(BEYOND if out else s, unknown=out)
            if len(numbers) > 2 * most:
                raise TooMuch(f"そこから出る局面が{most:,}を超える", f"more than {most:,} positions come of it")
        return numbers[s]

    roots = [place(s) for s in begun]
    while todo:
        s, at = todo.pop()
        game.ways[numbers[s]] = [place(subject.engine.apply(s, o).state) for o in at.options]
        game.weights[numbers[s]] = at.weights
    return game, roots


def results(game: Game, root: int) -> frozenset[Hashable]:
    """The leaves that can be come to, and whether play can go round for ever."""
    inside: dict[int, Sequence[int]] = {}
    out: set[Hashable] = set()
    todo = [root]
    while todo:
        v = todo.pop()
        if v in game.leaf:
            out.add(game.leaf[v])
        elif v not in inside:
            inside[v] = game.ways[v]
            todo += game.ways[v]
    return frozenset(out | {FOREVER} if goes_round(inside) else out)


# ---------------------------------------------------------------- telling
def order_finding(subject: Subject, both: Both, bounds: Bounds) -> Finding:
    """The finding that the order of the two matters."""
    instr = both.resolver.choice(subject.program)
    said = None if both.reach_others() else both.as_games()
    told = told_order(subject, instr, both.at, both.state, both.options, said)
    steps = tuple(subject.tell(state, option)[0] for state, option in both.way)
    found = subject.finding(FindingClass.ORDER, told.title, told.summary, told.clauses, Play(steps), bounds)
    layout = subject.program.layout
    ranks = range(layout.rank, layout.rank + layout.card_count)
    if said is None or said.witness is None:
        outcomes, staked = side_by_side(subject, both), stake(both)
    else:
        state_of = {both.as_leaf(r): r for results in both.results for r in results if isinstance(r, State)}
        outcomes = forced_outcomes(subject, both.state, both.at, both.options, said.witness, state_of.get)
        staked = Stake.WINNER if said.witness.wins else Stake.RESULT
    return graded(replace(
        found, hint=told.question is None or not both.differ(ranks), question=told.question, outcomes=outcomes,
        stake=staked, position=drawn(subject), invented_cards=False), subject.origin)


def with_others(summary: Text, others: Sequence[Text]) -> Text:
    """The summary, with the other pairs of which the same is true."""
    if not others:
        return summary
    return Text(
        ja=f"{summary.ja}同じことは次の組でも確かめられました: {'、'.join(x.ja for x in others)}。",
        en=f"{summary.en} The same was shown for these pairs: {'; '.join(x.en for x in others)}.")


def side_by_side(subject: Subject, both: Both) -> tuple[Outcome, ...]:
    """For each order, what one of its results is and the results of the other are not."""
    d = subject.describer
    shared = {seen(r, ()) for r in both.results[0]} & {seen(r, ()) for r in both.results[1]}
    told: list[tuple[Text, ...]] = []
    for found in both.results:
        own = sorted(
            (r for r in found if isinstance(r, State) and seen(r, ()) not in shared),
            key=lambda s: (str(s.end), s.slots),
        )
        if own:
            end = own[0].end
            ended = () if end is None or end.kind == "over" else (d.ending(end),)
            told.append((*d.changes(both.state, own[0]), *ended))
        else:
            told.append((ENDLESS,) if FOREVER in found else ())
    common = set(told[0]) & set(told[1])
    words = d.taken_apart(both.state, both.at)
    return tuple(
        Outcome(words[both.at.options.index(option)], tuple(x for x in then if x not in common))
        for option, then in zip(both.options, told, strict=True))


def stake(both: Both) -> Stake:
    ends = [
        frozenset(
            r.end[:2] if isinstance(r, State) and r.end is not None else r
            for r in found
            if not isinstance(r, State) or (r.end is not None and r.end.kind != "over")
        )
        for found in both.results
    ]
    return Stake.WINNER if ends[0] != ends[1] else Stake.RESULT


def pair_words(one: Text, other: Text) -> Text:
    """Two abilities."""
    return Text(ja=f"{one.ja} と {other.ja}", en=f"{one.en} and {other.en}")
