"""What later scenarios need, made ready by another process while the first ones are checked.

The two share the work by sorts: rules are translated once for scenarios that are alike in how many cards and abilities there are, and what
was translated is not passed on between processes. Whoever first comes to a scenario of a sort takes all of that sort; whoever has
nothing left of its own takes from the other's, the last ones first. What was made is left in the user's cache, where it is
found when its turn comes; a scenario that the other process is at is waited for, with something to do meanwhile. Nothing
depends on it: what the other process did not get to, or could not do, is done in the ordinary way, and mistakes are told then.
There is none on one processor, where the cache cannot be written, and on systems where a running process cannot be doubled.
"""
from __future__ import annotations

import gc
import mmap
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from ..model.engine import compiled
from ..spec.kept import can_keep
from .native.team import cores

FEWEST = 4
"""So many scenarios are worth another process."""
OPEN, BEGUN, DONE = range(3)
"""How far a scenario is."""
FIRST, OTHER = 1, 2
"""The processes; 0 is neither."""
SORTS = 1_000
"""Sorts that are told apart at most; some may be taken for one, which does no harm."""
MOMENT = 0.002
"""Seconds between two looks at whether the other process is done."""


class Shares:
    """Who makes ready what, in memory that both processes see. Where both write at once something is done twice, no more."""

    def __init__(self, paths: Sequence[Path], make_ready: Callable[[Path], object], sort_of: Callable[[Path], Hashable]) -> None:
        self.paths, self.make_ready, self.sort_of = paths, make_ready, sort_of
        self.states = mmap.mmap(-1, len(paths))
        self.owners = mmap.mmap(-1, len(paths))
        self.takers = mmap.mmap(-1, SORTS)
        """Who took the scenarios of a sort."""
        self.ended = mmap.mmap(-1, 1)

    def owner(self, k: int, me: int) -> int:
        """Whose a scenario is: that of the process that was the first to come to its sort."""
        if not self.owners[k]:
            sort = 0
            with suppress(Exception):  # told when its turn comes
                sort = hash(self.sort_of(self.paths[k])) % SORTS
            self.takers[sort] = self.owners[k] = self.takers[sort] or me
        return self.owners[k]

    def next(self, me: int) -> int | None:
        """The next scenario that a process makes ready; None if all are begun."""
        left = [k for k, state in enumerate(self.states[:]) if state == OPEN]
        return next((k for k in left if self.owner(k, me) == me), left[-1] if left else None)

    def make(self, k: int) -> None:
        self.states[k] = BEGUN
        with suppress(Exception):  # told when its turn comes
            self.make_ready(self.paths[k])
        self.states[k] = DONE

    def turn(self, k: int, other_lives: Callable[[], bool]) -> None:
        """Scenario `k` is needed now. Whatever else is to be done is done while the other process is at it."""
        while (self.states[k] == BEGUN or (self.states[k] == OPEN and self.owner(k, FIRST) == OTHER)) and other_lives():
            mine = self.next(FIRST)
            if mine is not None and mine != k:
                self.make(mine)
            elif self.states[k] == OPEN:
                break
            else:
                time.sleep(MOMENT)
        if self.states[k] == OPEN:
            self.states[k] = BEGUN


@contextmanager
def ahead(
    paths: Sequence[Path], make_ready: Callable[[Path], object], sort_of: Callable[[Path], Hashable],
) -> Iterator[Callable[[int], None]]:
    """What it gives is to be told the number of the scenario whose turn it is. The first one is made ready at once: if that
    was done before, so were probably all."""
    reached: Callable[[int], None] = _nobody
    shares, child = None, 0
    if len(paths) >= FEWEST and possible():
        before = compiled.count()
        with suppress(Exception):  # told when its turn comes
            make_ready(paths[0])
        if compiled.count() > before:
            shares = Shares(paths, make_ready, sort_of)
            shares.owner(0, FIRST)
            shares.states[0] = DONE
            child = _begin(shares)
            if child:
                reached = partial(_turn, shares, child)
    try:
        yield reached
    finally:
        if shares is not None and child:
            shares.ended[0] = 1  # it ends when it is done with the scenario that it is at
            with suppress(OSError):
                os.waitpid(child, 0)


def possible() -> bool:
    """Can another process be begun, and be of use?"""
    return sys.platform == "linux" and cores() > 1 and threading.active_count() == 1 and can_keep("programs")


def _nobody(turn: int) -> None:
    """There is no other process."""


def _turn(shares: Shares, child: int, turn: int) -> None:
    shares.turn(turn, lambda: _lives(child))


def _lives(child: int) -> bool:
    """Is the other process there, and not at its end?"""
    try:
        return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except OSError:
        return False


def _begin(shares: Shares) -> int:
    """Begin the other process; its number, or 0 where that cannot be done."""
    parent = os.getpid()
    try:
        child = os.fork()
    except OSError:
        return 0
    if child:
        return child
    try:
        gc.disable()  # it ends soon
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        while not shares.ended[0] and os.getppid() == parent and (k := shares.next(OTHER)) is not None:
            shares.make(k)
    finally:
        os._exit(0)  # nothing of the other process is to be written or undone


__all__ = ["ahead", "possible"]
