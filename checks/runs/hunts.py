"""Hunts where compiled code can be made, and why not where it cannot."""
from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ...model.engine.table import open_table
from ...spec.diagnostics import BadInput
from ...spec.kept import made
from ...spec.readers import read_scenario
from ...spec.text import Text
from ..explore.machine_sources import READY, sources
from ..explore.subject import Subject
from ..findings import words
from ..findings.record import Bounds, CheckResult
from ..scenarios.options import CheckOptions
from ..scenarios.subjects import subject_of


def make_ready(path: Path, options: CheckOptions) -> bool:
    """Compile what every hunt needs, tried on this scenario, so that it is kept; what is wrong with that is told by the hunt."""
    def compiled() -> bool:
        from ..hunt.hunting import make_ready
        from ..native.memory import Unsupported

        with suppress(Unsupported):
            make_ready(subject_of(open_table(read_scenario(path), options.readings), options.symmetry))
        return True
    with suppress(BadInput, ImportError, OSError, RuntimeError):
        return made(READY, sources(), compiled)
    return False


def hunted_or_why_not(
    subject: Subject,
    seconds: float | None,
    seed: int,
    stop: Callable[[], bool] | None,
    progress: Callable[[Text], None],
    note: Callable[[Text], None],
    work: int | None = None,
    part: int = 0,
    keep: Callable[[CheckResult], None] = lambda so_far: None,
) -> CheckResult:
    """What was hunted; nothing, and why, where no compiled code can be made."""
    try:
        from ..hunt.hunting import hunted
        from ..native.memory import Unsupported
    except (ImportError, OSError, RuntimeError) as e:  # numba or llvmlite do not exist for this machine, or do not load
        why = str(e)
    else:
        try:
            return hunted(subject, seconds, seed, stop, progress, work, part, keep)
        except Unsupported as e:
            why = e.why
    note(Text(ja=words.NOT_HUNTED.ja.format(why=why), en=words.NOT_HUNTED.en.format(why=why)))
    return CheckResult(
        subject.book, subject.scenario, subject.title, dict(subject.readings), Bounds(False, 0, 0, 0), (), (), {}, False
    )
