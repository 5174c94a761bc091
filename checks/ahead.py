"""All scenarios made ready by two processes: while the first ones are checked, another process makes later ones ready.

Scenarios with as many cards have most translated rules in common, so one process begins with those of few cards, the other with those
of many. The other process leaves what it makes in the user's cache, where it is found when its turn comes. Where a scenario's turn
comes before it is ready, this process goes on from its own end until it is: then nearly nothing is translated by both. Nothing
depends on the other process: what it did not get to, or could not do, is done in the ordinary way, and mistakes are told then. There
is none on one processor, where the cache cannot be written, and on systems where a running process cannot be doubled.
"""
from __future__ import annotations

import gc
import mmap
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..model.engine import compiled
from ..spec.kept import can_keep
from .native.team import cores

FEWEST = 4
"""So many scenarios are worth another process."""


WAIT = 0.002
"""Seconds between two looks at whether the other process is done with a scenario."""
UNTOUCHED, BEGUN, READY = 0, 1, 2


@contextmanager
def ahead(
    paths: Sequence[Path], make_ready: Callable[[Path], object], stop: Callable[[], bool] = lambda: False,
) -> Iterator[Callable[[int], None]]:
    """What it gives is to be told the number of the scenario whose turn it is. The first one is made ready at once: if that
    was done before, so were probably all. `stop` says whether the user wants no more."""
    both: Both | None = None
    if len(paths) >= FEWEST and possible():
        before = compiled.count()
        with suppress(Exception):  # told when its turn comes
            make_ready(paths[0])
        if compiled.count() > before:
            both = Both(paths, make_ready, stop)
            both.begin()
    try:
        yield _nobody if both is None else both.turn_of
    finally:
        if both is not None:
            both.end()


POSITION = re.compile(r"^position:.*\n((?:[ \t].*\n|\n)*)", re.MULTILINE)
LIST = re.compile(r"\[([^\[\]]*)\]")
LISTED = re.compile(r"[^\s,][^,]*?(?: x(\d{1,3}))?\s*(?:,|$)")


def listed(path: Path) -> int:
    """How many cards the position of a scenario lists: names in brackets, `NAME x3` three times. Its text is only looked at, since
    reading it takes as long as making it ready when all rules are known; if that is wrong, more rules are translated twice."""
    with suppress(OSError):
        position = POSITION.search(path.read_text(encoding="utf-8", errors="replace"))
        if position is not None:
            return sum(int(m[1] or 1) for x in LIST.findall(position[1]) for m in LISTED.finditer(x))
    return 0


@dataclass
class Both:
    """This process and the other one, and how far each scenario has come."""

    paths: Sequence[Path]
    make_ready: Callable[[Path], object]
    stop: Callable[[], bool]
    child: int = 0

    def __post_init__(self) -> None:
        by_size = sorted((str(p.parent), listed(p), k) for k, p in enumerate(self.paths) if k)
        self.order = [k for _, _, k in by_size]
        """Of all but the first, those with few cards first."""
        self.come = mmap.mmap(-1, len(self.paths) + 1)
        """Of each scenario whether it was begun, and is ready; at last, whether the other process is to end."""
        self.come[0] = READY

    def begin(self) -> None:
        """Begin the other process, if that can be done."""
        parent = os.getpid()
        try:
            self.child = os.fork()
        except OSError:
            return
        if self.child:
            return
        try:
            gc.disable()  # it ends soon
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            for k in reversed(self.order):
                if self.come[-1] or os.getppid() != parent:
                    break
                if self.come[k] == UNTOUCHED:
                    self.make(k)
        finally:
            os._exit(0)  # nothing of the other process is to be written or undone

    def make(self, k: int) -> None:
        self.come[k] = BEGUN
        with suppress(Exception):  # told when its turn comes
            self.make_ready(self.paths[k])
        self.come[k] = READY

    def turn_of(self, number: int) -> None:
        """Comes back when the scenario is ready, or nobody but the caller will make it ready."""
        for k in self.order:
            if self.come[number] == READY or not self.lives() or self.stop():
                break
            if self.come[k] == UNTOUCHED:
                if k == number:
                    self.come[k] = BEGUN
                    return
                self.make(k)
        while self.come[number] == BEGUN and self.lives() and not self.stop():
            time.sleep(WAIT)
        self.come[number] = READY

    def lives(self) -> bool:
        """Has the other process not ended? It does when all scenarios are begun."""
        if self.child:
            with suppress(OSError):
                if os.waitpid(self.child, os.WNOHANG)[0]:
                    self.child = 0
        return self.child != 0

    def end(self) -> None:
        """The other process ends when it is done with the scenario that it is at."""
        self.come[-1] = 1
        if self.child:
            with suppress(OSError):
                os.waitpid(self.child, 0)


def possible() -> bool:
    """Can another process be begun, and be of use?"""
    return sys.platform == "linux" and cores() > 1 and threading.active_count() == 1 and can_keep("programs")


def _nobody(number: int) -> None:
    """There is no other process."""


__all__ = ["ahead", "possible"]
