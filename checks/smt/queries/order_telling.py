"""Two waiting abilities in one position, carried out in both orders by the interpreter; and what that shows, told."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....model.engine.state import Option, Point, State
from ....spec.text import Text
from ...explore.order_findings import goes_round, told_order
from ...explore.outcomes import ENDLESS
from ...explore.subject import Subject
from ...findings.record import Bounds, Finding, FindingClass, Outcome, Play, Stake
from ...findings.severity import graded
from .resolving import DECIDED, Resolver
from .telling import Disagreement, drawn

MOST_STATES = 4_000
"""Positions that both orders may lead through; with more the answer is unknown."""
BEYOND = "bound"
ENDLESSLY = "loop"


class TooMuch(Exception):
    """Carrying both orders out leads through too many positions."""


@dataclass(frozen=True)
class Both:
    """What both orders lead to: the place where the order is chosen, how play came there, the two options, and the
    results of each (states; or that it never ends, or leads beyond a bound)."""

    resolver: Resolver
    way: tuple[tuple[State, Option], ...]
    state: State
    at: Point
    options: tuple[Option, Option]
    results: tuple[frozenset[State | str], frozenset[State | str]]

    def differ(self, ranks: Sequence[int] = ()) -> bool:
        """Do they, but for these slots? An order that leads beyond a bound is compared with none."""
        one, two = (frozenset(seen(r, ranks) for r in results) for results in self.results)
        return BEYOND not in one | two and one != two


def seen(result: State | str, without: Sequence[int]) -> object:
    """A result without what is not compared: of play that has ended, how."""
    if isinstance(result, str):
        return result
    if result.end is not None and result.end.kind != "over":
        return result.end[:2] if result.end.kind in DECIDED else result.end[:3]
    left = set(without)
    return tuple(v for k, v in enumerate(result.slots) if k not in left)


def carried_out(
    subject: Subject, resolver: Resolver, locals_: Sequence[int], two: Sequence[Option], most: int = MOST_STATES,
) -> Both:
    """Carry both orders out. Raises Disagreement where the two cannot be chosen between, and TooMuch."""
    engine = subject.engine
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
            return Both(resolver, tuple(way), state, at, (one, other), (
                results(subject, state, one, most), results(subject, state, other, most)))
        if len(at.options) != 1:
            break
        way.append((state, at.options[0]))
        state = engine.apply(state, at.options[0]).state
    raise Disagreement(f"nobody chooses between {two[0]} and {two[1]}")


def results(subject: Subject, state: State, option: Option, most: int = MOST_STATES) -> frozenset[State | str]:
    """What taking the option can lead to, when all that waits is done."""
    begun = subject.engine.apply(state, option).state
    out: set[State | str] = set()
    numbers = {begun: 0}
    graph: dict[int, list[int]] = {}
    todo = [begun]
    while todo:
        s = todo.pop()
        at = subject.engine.point(s)
        if at is None:
            out.add(BEYOND if s.end is not None and s.end.kind == "bound" else s)
            continue
        targets = [subject.engine.apply(s, o).state for o in at.options]
        todo += (x for x in targets if x not in numbers)
        graph[numbers[s]] = [numbers.setdefault(x, len(numbers)) for x in targets]
        if len(numbers) > most:
            raise TooMuch(f"more than {most:,} positions come of it")
    if goes_round(graph):
        out.add(ENDLESSLY)
    return frozenset(out)


# ---------------------------------------------------------------- telling
def order_finding(subject: Subject, both: Both, bounds: Bounds) -> Finding:
    """The finding that the order of the two matters."""
    instr = both.resolver.choice(subject.program)
    said = told_order(subject, instr, both.at, both.state, both.options)
    steps = tuple(subject.tell(state, option)[0] for state, option in both.way)
    found = subject.finding(FindingClass.ORDER, said.title, said.summary, said.clauses, Play(steps), bounds)
    layout = subject.program.layout
    ranks = range(layout.rank, layout.rank + layout.card_count)
    return graded(replace(
        found, hint=said.question is None or not both.differ(ranks), question=said.question, outcomes=side_by_side(subject, both),
        stake=stake(both), position=drawn(subject), invented_cards=False), subject.origin)


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
        own = sorted((r for r in found if isinstance(r, State) and seen(r, ()) not in shared), key=lambda s: (str(s.end), s.slots))
        if own:
            end = own[0].end
            ended = () if end is None or end.kind == "over" else (d.ending(end),)
            told.append((*d.changes(both.state, own[0]), *ended))
        else:
            told.append((ENDLESS,) if ENDLESSLY in found else ())
    common = set(told[0]) & set(told[1])
    words = d.taken_apart(both.state, both.at)
    return tuple(
        Outcome(words[both.at.options.index(option)], tuple(x for x in then if x not in common))
        for option, then in zip(both.options, told, strict=True))


def stake(both: Both) -> Stake:
    ends = [frozenset(r.end[:2] if isinstance(r, State) and r.end is not None else r for r in found if isinstance(r, str) or (
        r.end is not None and r.end.kind != "over")) for found in both.results]
    return Stake.WINNER if ends[0] != ends[1] else Stake.RESULT


def pair_words(one: Text, other: Text) -> Text:
    """Two abilities."""
    return Text(ja=f"{one.ja} と {other.ja}", en=f"{one.en} and {other.en}")
