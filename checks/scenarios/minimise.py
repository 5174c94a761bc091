"""A scenario without what a finding does not need: cards, values, abilities and own cards taken out one after another.

What is left is checked anew, so the play is the shortest of the smaller scenario. Taking one thing more out of it makes
the finding go away (as far as single things are concerned: no search for the smallest of all).
"""
from __future__ import annotations

import copy
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML

from ...model.engine.library import load_book
from ...model.engine.state import Option, State
from ...model.engine.table import open_table
from ...spec.cards import parse_counted
from ...spec.diagnostics import BadInput, Collector, Position
from ...spec.document import TextNode
from ...spec.readers import Scenario, read_scenario
from ...spec.reading import file_text
from ...spec.scenario import SCENARIO
from ...spec.schema import read_text
from ...spec.text import Text
from ..explore.subject import Subject
from ..findings.identity import defect
from ..findings.record import Finding, Play, PlayStep
from .checking import check_subject
from .subjects import limits_of, subject_of

KEPT_AS_THEY_ARE = frozenset({"turn_player"})
"""Fields of a position that are never taken out: they say whose turn it is."""
SKIPPED = 3
"""So many stored decisions may have become forced in a row."""
Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Atom:
    """One thing that can be taken out of a scenario: the copy number `copy` of the card at a place, or what stands there."""

    place: Place
    copy: int | None = None


@dataclass(frozen=True)
class Minimised:
    """A smaller scenario with the same finding: as text, how many things it had before and has now, the finding as it is
    found there, and how many steps its play had before."""

    text: str
    before: int
    after: int
    finding: Finding
    steps_before: int
    tried: int

    @property
    def steps(self) -> int:
        """How many steps its play has now."""
        return length(self.finding.play)


class Minimiser:
    """Tries what a finding still follows from."""

    def __init__(self, path: Path, finding: Finding, played: Sequence[Text]) -> None:
        self.played = played
        self.path, self.finding, self.readings = path, finding, dict(finding.readings)
        self.yaml = YAML()
        self.yaml.width = 110
        scenario = read_scenario(path)
        self.data: Any = self.yaml.load(file_text(path))
        for key in ("expect", "期待", "control", "対照"):
            self.data.pop(key, None)
        self.cards = {*load_book(scenario.book.value).cards, *(c.id.value for c in scenario.cards)}
        self.atoms = list(self._atoms())
        self.tried = 0

    # ------------------------------------------------------------ what can be taken out
    def _atoms(self) -> Iterator[Atom]:
        for key in ("position", "局面"):
            if key in self.data:
                yield from self._within(self.data[key], (key,))
        for key in ("cards", "札"):
            for n, card in enumerate(self.data.get(key) or ()):
                for name in ("abilities", "能力"):
                    yield from (Atom((key, n, name, k)) for k in range(len(card.get(name) or ())))

    def _within(self, node: Any, place: Place) -> Iterator[Atom]:
        if isinstance(node, Mapping):
            for key, inner in cast(Mapping[Any, Any], node).items():
                if str(key) not in KEPT_AS_THEY_ARE:
                    yield from self._within(inner, (*place, key))
            return
        entries: list[Any] = node if isinstance(node, list) else [node]
        counts = [self._copies(entry) for entry in entries]
        if None in counts:
            yield Atom(place)
            return
        for n, count in enumerate(counts):
            at = (*place, n) if isinstance(node, list) else place
            yield from (Atom(at, k) for k in range(count or 0))

    def _copies(self, entry: Any) -> int | None:
        """How many copies an entry of a list of cards stands for; none if it is no card."""
        found = parse_counted(TextNode(str(entry), Position("", 1, 1)), Collector())
        return found.count if found is not None and found.card.value in self.cards else None

    def text(self, kept: Sequence[Atom]) -> str:
        """The scenario with these things only."""
        data = copy.deepcopy(self.data)
        gone = [a for a in self.atoms if a not in set(kept)]
        copies: dict[Place, int] = {}
        for a in gone:
            if a.copy is not None:
                copies[a.place] = copies.get(a.place, 0) + 1
        empty = [a.place for a in gone if a.copy is None]
        for place, taken in copies.items():
            entry = at(data, place)
            left = (self._copies(entry) or 0) - taken
            if left:
                name = parse_counted(TextNode(str(entry), Position("", 1, 1)), Collector())
                assert name is not None
                put(data, place, name.card.value if left == 1 else f"{name.card.value} x{left}")
            else:
                empty.append(place)
        for place in sorted(
            empty, key=lambda p: [(isinstance(x, int), str(x) if isinstance(x, str) else x) for x in p], reverse=True
        ):
            take(data, place)
        for key in ("position", "局面"):
            if key in data:
                tidy(data[key])
        self._drop_own_cards(data)
        if self.readings:
            data["readings"] = dict(sorted(self.readings.items()))
        out = io.StringIO()
        self.yaml.dump(data, out)
        return out.getvalue()

    def _drop_own_cards(self, data: Any) -> None:
        """Cards of the scenario that lie nowhere any more."""
        said = str(data.get("position", data.get("局面", "")))
        for key in ("cards", "札"):
            if key in data:
                data[key][:] = [c for c in data[key] if str(c.get("id", c.get("カード番号"))) in said]
                if not data[key]:
                    del data[key]

    # ------------------------------------------------------------ does the finding still follow?
    def subject(self, kept: Sequence[Atom]) -> tuple[Scenario, Subject] | None:
        """The smaller scenario, ready; none if it cannot be played."""
        self.tried += 1
        try:
            scenario = read_text(self.text(kept), str(self.path), SCENARIO)
            return scenario, subject_of(open_table(scenario, self.readings), symmetry=False)
        except BadInput:
            return None

    def replays(self, kept: Sequence[Atom]) -> bool:
        """Does the play still go as it did, up to where it ends or round and round?"""
        found = self.subject(kept)
        if found is None:
            return False
        return any(follows(found[1], self.finding.play, k) for k in range(len(found[1].starts)))

    def found(self, kept: Sequence[Atom]) -> Finding | None:
        """The finding, if checking the smaller scenario finds it."""
        opened = self.subject(kept)
        if opened is None:
            return None
        limits = limits_of(opened[0], None, None, None)
        subject = opened[1] if not self.played else after_decisions(opened[1], self.played)
        if subject is None:
            return None
        result = check_subject(subject, limits)
        return next((f for f in result.findings if defect(f) == defect(self.finding)), None)

    def minimise(self) -> Minimised | None:
        """The smaller scenario; none if checking does not find the finding in the whole one."""
        whole = list(self.atoms)
        quick = not self.finding.growing and (bool(self.finding.play.cycle) or self.finding.play.end is not None)
        kept = smallest(whole, self.replays) if quick and self.replays(whole) else whole
        last = self.found(kept)
        if last is None:
            kept, last = whole, self.found(whole)
            if last is None:
                return None
        kept = smallest(kept, lambda some: self.found(some) is not None)
        last = self.found(kept) or last
        return Minimised(self.text(kept), len(whole), len(kept), last, length(self.finding.play), self.tried)


def smallest(things: Sequence[Atom], good: Callable[[Sequence[Atom]], bool]) -> list[Atom]:
    """Fewer of the things that are still good: pieces are taken out, half of all first, then ever smaller ones, until no
    single one can go (delta debugging)."""
    kept = list(things)
    size = max(1, len(kept) // 2)
    while True:
        k, taken = 0, False
        while k < len(kept):
            rest = kept[:k] + kept[k + size:]
            if good(rest):
                kept, taken = rest, True
            else:
                k += size
        if size == 1 and not taken:
            return kept
        size = max(1, size // 2)


def length(play: Play) -> int:
    """How many steps a play has."""
    return len(play.stem) + len(play.cycle)


# ---------------------------------------------------------------- following a play
def follows(subject: Subject, play: Play, start: int) -> bool:
    """Do the stored decisions, by name, lead to the same end, or to a position that comes back? What is not decided any
    more is passed over; what nobody has decided so far may not be decided now."""
    before, around = decisions(play.stem), decisions(play.cycle)
    state = subject.starts[start].state
    most = 4 * length(play) + 64
    for _ in range(most):
        taken = next_option(subject, state, before)
        if taken is None:
            break
        state = subject.engine.apply(state, taken).state
    if not play.cycle:
        return state.end is not None and play.end == subject.describer.ending(state.end)
    seen: set[tuple[State, int]] = set()
    left: list[Text] = []
    for _ in range(most):
        if before or state.end is not None:
            return False
        if not left:
            left = list(around)
        if (state, len(left)) in seen:
            return True
        seen.add((state, len(left)))
        taken = next_option(subject, state, left)
        if taken is None:
            return False
        state = subject.engine.apply(state, taken).state
    return False


def after_decisions(subject: Subject, chosen: Sequence[Text]) -> Subject | None:
    """The subject, looked at from where these decisions, by name, lead to; None if they cannot all be taken."""
    for start in range(len(subject.starts)):
        left, way, state = list(chosen), list[tuple[State, Option]](), subject.starts[start].state
        while left and len(way) < 4 * len(chosen) + 64 and (option := next_option(subject, state, left)) is not None:
            way.append((state, option))
            state = subject.engine.apply(state, option).state
        if not left:
            return subject.seen_from([way], [state], start)
    return None


def decisions(steps: Sequence[PlayStep]) -> list[Text]:
    """What was chosen, in order."""
    return [step.chosen for step in steps if step.decider is not None and step.chosen is not None]


def next_option(subject: Subject, state: State, left: list[Text]) -> Option | None:
    """The option that the decisions left name, which are used up; the only one where nothing is decided; else none."""
    point = subject.engine.point(state)
    if point is None:
        return None
    names = {subject.describer.option(point, o): o for o in reversed(point.options)}
    for k, wanted in enumerate(left[: 1 + SKIPPED]):
        if wanted in names:
            del left[: k + 1]
            return names[wanted]
    return point.options[0] if len(point.options) == 1 and point.owner < 0 else None


# ---------------------------------------------------------------- places in a document
def at(data: Any, place: Place) -> Any:
    """What stands at a place."""
    for key in place:
        data = data[key]
    return data


def put(data: Any, place: Place, value: Any) -> None:
    """Write something at a place."""
    at(data, place[:-1])[place[-1]] = value


def take(data: Any, place: Place) -> None:
    """Take away what stands at a place."""
    del at(data, place[:-1])[place[-1]]


def tidy(node: Any) -> None:
    """Empty maps and lists go, inner ones first."""
    for key in list(cast(Mapping[Any, Any], node)):
        if isinstance(node[key], Mapping):
            tidy(node[key])
        if isinstance(node[key], Mapping | list) and not node[key]:
            del node[key]


def minimised(path: Path, finding: Finding, played: Sequence[Text] = ()) -> Minimised | None:
    """The scenario of a finding without what it does not need; none if checking it does not find the finding. `played`: what was chosen
    before the position from which it is looked for."""
    return Minimiser(path, finding, played).minimise()
