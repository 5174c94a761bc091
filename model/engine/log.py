"""What was played, as data: every option taken, those of chance and of nobody included."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .interpreter import Interpreter
from .state import Option, State


class LogDoesNotFit(Exception):
    """An option of the log is not there: the rules, the scenario or the readings are not those it was made with."""

    def __init__(self, step: int, option: Option) -> None:
        self.step, self.option = step, option
        super().__init__(f"step {step}: {option} is not offered")


@dataclass(frozen=True)
class PlayLog:
    """A play of a scenario under readings, from one of its first positions. Immutable: `then` gives a new log."""

    book: str
    scenario: str
    readings: Mapping[str, str] = field(default_factory=dict[str, str])
    start: int = 0
    taken: tuple[Option, ...] = ()

    def then(self, option: Option) -> PlayLog:
        """The log with one more option taken."""
        return replace(self, taken=(*self.taken, option))

    def states(self, engine: Interpreter, first: State) -> list[State]:
        """Every state of the play, the first included. Raises LogDoesNotFit."""
        out = [first]
        for k, option in enumerate(self.taken, 1):
            if option not in engine.options(out[-1]):
                raise LogDoesNotFit(k, option)
            out.append(engine.apply(out[-1], option).state)
        return out

    def as_data(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {"book": self.book, "scenario": self.scenario, "readings": dict(self.readings), "start": self.start,
                "taken": [list(o) for o in self.taken]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> PlayLog:
        """The log that `as_data` gave. Raises KeyError, TypeError or ValueError for anything else."""
        return cls(
            str(data["book"]),
            str(data["scenario"]),
            {str(k): str(v) for k, v in dict(data["readings"]).items()},
            int(data["start"]),
            tuple(tuple(int(x) for x in o) for o in data["taken"]),
        )
