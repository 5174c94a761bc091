"""Which engine explores: compiled code where it pays, the interpreter everywhere else. The results are the same.

The interpreter begins, because most scenarios are done before anything could be compiled. What it has not finished
after `PATIENCE` is compiled and searched from the beginning; what is larger than `SMALL`, once more with optimised code.
The interpreter also takes over where compiled code cannot go on, and says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ...model.engine.interpreter import Interpreter
from ...spec.text import Text
from ..explore.explorer import Exploration, Limits, Progress
from ..explore.explorer import explore as interpret
from ..explore.owned_graph import FRONTIER
from ..explore.rounds import AMONG, Rounds
from ..explore.subject import Subject
from ..explore.symmetry import interchangeable
from .memory import Unsupported

if TYPE_CHECKING:
    from .checkpoint import Plan

Engine = Literal["native", "interpreter"]


@dataclass(frozen=True)
class Means:
    """By which means compiled code searches; none of them changes what is found, unless `fingerprints` miss a state, and
    then the result says how probable that is. `checkpoints`: where the search is kept on disk. `threads`: None for all
    processors. `folder`: in files there lies what is found, instead of in memory."""

    checkpoints: Plan | None = None
    threads: int | None = None
    fingerprints: bool = False
    folder: Path | None = None


USUAL = Means()
PATIENCE = 0.5
"""Seconds that the interpreter has before anything is compiled; compiling without optimising takes as long."""
SMALL = 100_000
"""States that are searched with code that is not optimised: that takes as long as optimising."""

UNSUPPORTED = Text(
    ja="機械語に翻訳できないため（{why}）、参照エンジンで調べます。遅くなるだけで、結果は同じです。",
    en="This cannot be compiled ({why}), so the reference engine looks. It is slower; the result is the same.")
GAVE_UP = Text(
    ja="機械語で扱えない大きさの数が現れたため、参照エンジンで調べ直します。遅くなるだけで、結果は同じです。",
    en="A number turned up that compiled code does not handle, so the reference engine looks again. It is slower; the "
    "result is the same.")

NO_CHECKPOINTS = Text(
    ja="参照エンジンで調べるため、途中経過は保存されません。", en="The reference engine looks, so no checkpoints are written.")
IN_MEMORY = Text(
    ja="参照エンジンで調べるため、局面はメモリに置きます。", en="The reference engine looks, so positions are kept in memory.")


def explore(
    subject: Subject, limits: Limits, progress: Callable[[Progress], None] | None = None, engine: Engine = "native",
    tell: Callable[[Text], None] | None = None, patience: float | None = None, means: Means = USUAL,
) -> Exploration:
    """Explore the subject. `tell` is told why the interpreter takes over where compiled code was to be used."""
    trying = trying_rounds(subject)
    out = explored(subject, limits, progress, engine, tell, patience, means, trying)
    if trying is not None and trying.moves < min(AMONG, out.transitions):
        owner = out.graph.owner
        trying.go_on(s for k, s in enumerate(out.states) if owner[k] != FRONTIER and s.frames)
    out.rounds = trying
    return out


def trying_rounds(subject: Subject) -> Rounds | None:
    """The engine that tries loops the other way round while it plays; none where equal cards are to be told apart (they would seem to make
    a difference), nor where the engine has work of its own."""
    told_apart = subject.symmetry is None and interchangeable(subject.describer.world.cards)
    if type(subject.engine) is not Interpreter or told_apart:
        return None
    rounds = Rounds(subject.engine, subject.symmetry)
    rounds.begin(subject.positions)
    return rounds


def explored(
    subject: Subject, limits: Limits, progress: Callable[[Progress], None] | None, engine: Engine,
    tell: Callable[[Text], None] | None, patience: float | None, means: Means, trying: Rounds | None,
) -> Exploration:
    """The same, with the engine that tries loops, if there is one, where the interpreter explores."""
    def slowly(within: Limits) -> Exploration:
        if trying is not None and trying.moves:
            trying.begin(subject.positions)
        return interpret(trying or subject.engine, subject.starts, within, subject.symmetry, progress)
    plan = means.checkpoints
    if engine == "interpreter":
        for given, said in ((plan, NO_CHECKPOINTS), (means.folder, IN_MEMORY)):
            if given is not None and tell is not None:
                tell(said)
        return slowly(limits)
    begun = time.monotonic()

    def left() -> Limits:
        return (
            limits
            if limits.seconds is None
            else replace(limits, seconds=max(0.1, limits.seconds - (time.monotonic() - begun)))
        )

    patience = PATIENCE if patience is None else patience
    if patience and not (plan is not None and plan.exists):
        first = slowly(replace(limits, seconds=patience if limits.seconds is None else min(patience, limits.seconds)))
        resumable = plan is not None and first.cut == "states"  # with a larger limit it is to go on from what is kept
        if (first.cut != "seconds" and not resumable) or (limits.seconds is not None and limits.seconds <= patience):
            return first
    try:
        if means == Means(threads=means.threads):  # else it is said where a large search is kept, or how
            small = compiled(
                subject,
                replace(left(), states=min(SMALL, limits.states or SMALL)),
                progress,
                means,
                tell,
                optimised=False,
            )
            if small.cut != "states" or (limits.states is not None and limits.states <= SMALL):
                return small
        return compiled(subject, left(), progress, means, tell, optimised=True)
    except Unsupported as e:
        why = Text(ja=UNSUPPORTED.ja.format(why=e.why), en=UNSUPPORTED.en.format(why=e.why))
    except BeyondCompiled:
        why = GAVE_UP
    if tell is not None:
        tell(why)
    return slowly(left())


class BeyondCompiled(Exception):
    """Compiled code gave up."""


def compiled(
    subject: Subject,
    limits: Limits,
    progress: Callable[[Progress], None] | None,
    means: Means,
    tell: Callable[[Text], None] | None,
    optimised: bool,
) -> Exploration:
    """Explore on compiled code. Raises Unsupported, BeyondCompiled, BadInput."""
    try:
        from .build import OPTIMISED, UNOPTIMISED
        from .engine import BeyondNative, Native
        from .explorer import explore as search
        from .team import cores
    except (ImportError, OSError, RuntimeError) as e:  # numba or llvmlite do not exist for this machine, or do not load
        raise Unsupported(str(e)) from None
    try:
        native = Native(subject.program, subject.engine.policies, card_ids=subject.engine.card_ids,
                        level=OPTIMISED if optimised else UNOPTIMISED, symmetry=subject.symmetry)
        return search(
            native,
            subject.engine,
            subject.starts,
            limits,
            progress,
            means.checkpoints,
            tell,
            means.threads or cores(),
            means.fingerprints,
            means.folder,
        )
    except BeyondNative:
        raise BeyondCompiled from None
