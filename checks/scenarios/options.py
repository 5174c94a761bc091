"""What a user can ask of a check."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..native.choice import Engine
from .saved_plays import SavedPlay


@dataclass(frozen=True)
class CheckOptions:
    """How a scenario is to be checked. `readings` replaces those the scenario pins; a limit of `None` is the
    scenario's own. `store` is where the caller will store the cases; `check` itself writes nothing there. `engine`:
    compiled code where it pays, or always the interpreter. `checkpoint`: a folder where searches are kept while they run;
    `resume` goes on with what is there. `threads`: of compiled code, None for
    all processors. `fingerprints`: it keeps hashes of positions only. `disk`: a folder in which positions lie instead of in memory. `stop` says whether the work has to end (`ending.py`); `keep` is
    given what was found so far, whenever there is more."""

    readings: Mapping[str, str] = field(default_factory=dict[str, str])
    symmetry: bool = True
    max_states: int | None = None
    max_seconds: float | None = None
    max_memory_mib: int | None = None
    store: Path | None = None
    engine: Engine = "native"
    checkpoint: Path | None = None
    resume: bool = False
    checkpoint_seconds: float | None = None
    threads: int | None = None
    fingerprints: bool = False
    disk: Path | None = None
    stop: Callable[[], bool] | None = field(default=None, compare=False)
    keep: Callable[[Any], None] | None = field(default=None, compare=False)
    defaults_only: bool = False
    """The defaults (with `readings`), not the reading sets that the scenario pins."""
    exercised: bool = False
    """Say which clauses the plays never came to."""
    show: int = 1
    """Plays that are told of each finding."""
    hunt: bool = False
    """Where a limit cuts the search off, plays by lot look beyond it."""
    certify: bool = False
    """Make certificates of all that is told, and have them checked."""
    remembered: bool = True
    """Findings are kept for `explain`."""
    kept: bool = False
    """What was found before under the same conditions need not be looked for again."""
    after: SavedPlay | None = None
    """The saved play whose last position is looked at, and what can follow it."""
    settle: int | None = 0
    """Check the settlements of what is found too, where a run has no more positions than this; None: everywhere."""
    cluster: str | None = None
    """The address of a Ray cluster whose machines do the work."""
