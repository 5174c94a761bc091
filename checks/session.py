"""What the command line can ask for: one function for each thing a user does.

Nothing here prints. What a user got wrong is raised as `BadInput`, with everything that is wrong at once.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Protocol

from ..spec.diagnostics import BadInput, Diagnostic
from ..spec.text import Text
from .findings.page import NO_NAMES, Names
from .findings.record import CheckResult, Finding, PlayStep


@dataclass(frozen=True)
class Progress:
    """How far a search has come: positions known, of these not yet looked at, steps from the beginning, seconds,
    positions a second."""

    states: int
    frontier: int
    depth: int
    seconds: float
    rate: float


@dataclass(frozen=True)
class CheckOptions:
    """How a scenario is to be checked. `readings` replaces those the scenario pins; a limit of `None` is the
    scenario's own. `store` is where the caller will store the cases; `check` itself writes nothing there."""

    readings: Mapping[str, str] = field(default_factory=dict[str, str])
    symmetry: bool = True
    max_states: int | None = None
    max_seconds: float | None = None
    max_memory_mib: int | None = None
    store: Path | None = None


@dataclass(frozen=True)
class ReplayReport:
    """A stored case, stepped through in the reference engine: the steps as they happen now; `why` says where they
    part from what was stored."""

    path: Path
    finding: Finding
    steps: tuple[PlayStep, ...]
    reproduced: bool
    why: Text | None = None


@dataclass(frozen=True)
class VerifyReport:
    """Does a stored case still reproduce? If not, `why`."""

    path: Path
    reproduced: bool
    why: Text | None
    finding: str


@dataclass(frozen=True)
class CodePlace:
    """A line of a rule module that carries out a clause."""

    file: Path
    line: int
    function: str
    source: str


class Game(Protocol):
    """A game under way. Chance and forced choices are resolved on the way from one choice to the next; what
    happened then is in `announced`."""

    def who(self) -> Text | None:
        """Who has to choose; `None` at the end."""
        ...

    def options(self) -> list[Text]:
        """What can be chosen, in the order of `apply`."""
        ...

    def apply(self, option: int, /) -> None:
        """Choose option `option`, counted from 0."""
        ...

    def announced(self) -> list[Text]:
        """What happened since the last choice: luck, changes, in order. Asked once after each `apply`."""
        ...

    def undo(self) -> bool:
        """Take the last choice back; false at the beginning."""
        ...

    def outcome(self) -> Text | None:
        """How the game ended; `None` while it goes on."""
        ...

    def position(self) -> Text:
        """The position, drawn in lines."""
        ...

    def log(self) -> dict[str, Any]:
        """Seed, readings and every choice so far, as plain data; `steps` has a line of text for each."""
        ...

    def save(self, path: Path, /) -> None:
        """Write the log so that `replay` reads it."""
        ...


def books() -> list[str]:
    """The rule books that are shipped."""
    return []


def scenarios_of(book: str) -> list[Path]:
    """The scenarios shipped for a book, in order."""
    _not_yet("scenarios_of")


def resolve(target: str) -> list[Path]:
    """The scenarios meant by a book's name, by `book/scenario`, or by the path of a YAML file."""
    _not_yet("resolve")


def names() -> Names:
    """What the rule books call things."""
    return NO_NAMES


def check(
    path: Path, options: CheckOptions, progress: Callable[[Progress], None] | None = None
) -> list[CheckResult]:
    """Check one scenario: a result for each reading set it pins, or for the one asked for."""
    _not_yet("check")


def store_case(finding: Finding, folder: Path) -> Path:
    """Write a finding as a case that replays, and say where."""
    _not_yet("store_case")


def stored_cases() -> Path:
    """The folder of the cases that are shipped."""
    from importlib.resources import files

    return Path(str(files("rulewright.counterexamples")))


def replay(path: Path) -> ReplayReport:
    """Step through a stored case in the reference engine."""
    _not_yet("replay")


def verify(path: Path, jobs: int = 1) -> Sequence[VerifyReport]:
    """Replay every case of a folder, or the one of a file."""
    _not_yet("verify")


def explain(finding_id: str) -> Finding:
    """The finding with this id (or its last four characters), from the stored cases or from what was checked last."""
    _not_yet("explain")


def where(book: str, clause: str) -> list[CodePlace]:
    """The code that carries out a clause."""
    _not_yet("where")


def open_game(path: Path, seed: int, readings: Mapping[str, str]) -> Game:
    """Begin a game of a scenario."""
    _not_yet("open_game")


def _not_yet(what: str) -> NoReturn:
    raise BadInput([Diagnostic(None, "not-available", Text(
        ja=f"この版では、まだ使えません（{what}）。", en=f"This is not available in this version yet ({what})."))])
