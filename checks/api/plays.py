"""Plays: who decides, between what, what each choice did. A play is a value: a choice gives a new one."""
from __future__ import annotations

import html
import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...model.engine.log import PlayLog
from ...model.engine.state import CHANCE, DECIDERS, SEATS, Decider, Point, State
from ...spec.text import Text
from ..explore.subject import Subject
from ..scenarios.saved_plays import save_play
from .positions import Position


class NoSuchOption(ValueError):
    """What was chosen is not among the options."""


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen: its number among the options, what it means in the words of the book, and how many equal ones it stands
    for (of chance: its weight)."""

    number: int
    words: Text
    weight: int


@dataclass(frozen=True)
class Step:
    """What a choice did: who chose what (None where nobody chose), the clauses that were carried out, in order, and what changed."""

    decider: Text | None
    chosen: Text | None
    clauses: tuple[str, ...]
    changes: tuple[Text, ...]


class Play:
    """A play of a scenario, up to where something is decided or play has ended."""

    def __init__(
        self,
        subject: Subject,
        start: int = 0,
        before: tuple[State, ...] = (),
        taken: tuple[int, ...] = (),
        state: State | None = None,
    ) -> None:
        self._subject, self._start, self._before, self._taken = subject, start, before, taken
        self._state = subject.starts[start].state if state is None else state

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Play)
            and self._subject is other._subject
            and (self._start, self._taken) == (other._start, other._taken)
        )

    def __hash__(self) -> int:
        return hash((self._start, self._taken))

    # ------------------------------------------------------------ where play is
    @cached_property
    def _point(self) -> Point | None:
        return self._subject.engine.point(self._state)

    @property
    def position(self) -> Position:
        """What lies where and counts how much."""
        return Position(self._subject.describer, self._state)

    @property
    def decider(self) -> Decider | None:
        """Who decides next; None where play has ended."""
        return None if self._point is None else DECIDERS[self._point.owner]

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """What can be chosen; none where play has ended."""
        at = self._point
        if at is None:
            return ()
        words = self._subject.describer.taken_apart(self._state, at)
        return tuple(Option(k, said, weight) for k, (said, weight) in enumerate(zip(words, at.weights, strict=True)))

    @property
    def end(self) -> Text | None:
        """How play ended, in words; None while it goes on."""
        return None if self._state.end is None else self._subject.describer.ending(self._state.end)

    @property
    def winner(self) -> str | None:
        """Who won: `first` or `second`; None where nobody has."""
        end = self._state.end
        return SEATS[end.who] if end is not None and end.kind == "win" else None

    @property
    def length(self) -> int:
        """How many choices there were, those of chance and of nobody included."""
        return len(self._taken)

    # ------------------------------------------------------------ going on
    def take(self, option: Option | int) -> Play:
        """The play after a choice, given as an option or its number. Raises NoSuchOption."""
        number = option.number if isinstance(option, Option) else option
        at = self._point
        if (
            at is None
            or not 0 <= number < len(at.options)
            or (isinstance(option, Option) and self.options[number] != option)
        ):
            raise NoSuchOption(f"option {number} of {0 if at is None else len(at.options)} (counted from 0)")
        after = self._subject.engine.apply(self._state, at.options[number]).state
        return Play(self._subject, self._start, (*self._before, self._state), (*self._taken, number), after)

    def go_on(self) -> Play:
        """The play up to where something is really decided: as long as nobody decides. Stops where the same position comes back."""
        play, seen = self, set[State]()
        while play.decider == "nobody" and play._state not in seen:
            seen.add(play._state)
            play = play.take(0)
        return play

    def by_lot(self, seed: int, most: int = 1000) -> Play:
        """The play after so many choices by lot at most, chance by its weights and players evenly."""
        luck, play = random.Random(seed), self
        for _ in range(most):
            at = play._point
            if at is None:
                break
            weights = at.weights if at.owner == CHANCE else [1] * len(at.options)
            play = play.take(luck.choices(range(len(at.options)), weights)[0])
        return play

    def back(self, choices: int = 1) -> Play:
        """The play without its last choices."""
        kept = max(0, len(self._taken) - choices)
        return (
            self
            if kept == len(self._taken)
            else Play(self._subject, self._start, self._before[:kept], self._taken[:kept], self._before[kept])
        )

    # ------------------------------------------------------------ what happened
    @property
    def steps(self) -> tuple[Step, ...]:
        """What each choice did."""
        out: list[Step] = []
        for state, number in zip(self._before, self._taken, strict=True):
            at = self._subject.engine.point(state)
            assert at is not None
            told, _ = self._subject.tell(state, at.options[number])
            out.append(Step(told.decider, told.chosen, told.clauses, told.changes))
        return tuple(out)

    @property
    def clauses(self) -> frozenset[str]:
        """All clauses that were carried out."""
        return frozenset(clause for step in self.steps for clause in step.clauses)

    @property
    def _log(self) -> PlayLog:
        points = (self._subject.engine.point(state) for state in self._before)
        options = tuple(at.options[n] for at, n in zip(points, self._taken, strict=True) if at is not None)
        return PlayLog(self._subject.book, self._subject.scenario, dict(self._subject.readings), self._start, options)

    def save(self, path: str | Path) -> None:
        """Write the play as `rulewright play --save` does; `Scenario.load` reads it. Raises BadInput."""
        save_play(Path(path), self._subject, self._log)

    # ------------------------------------------------------------ shown
    def __repr__(self) -> str:
        state = f"ended: {self.end.en}" if self.end is not None else f"{self.decider} chooses among {len(self.options)}"
        return f"<Play of {self._subject.book}/{self._subject.scenario}, {self.length} choices, {state}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<li value='{o.number}'>{html.escape(o.words.en)}</li>" for o in self.options)
        said = html.escape(self.end.en if self.end is not None else f"{self.decider} chooses:")
        return f"<pre>{html.escape(str(self.position))}</pre><p>{said}</p><ol>{rows}</ol>"
