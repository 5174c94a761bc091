"""What later scenarios need, made ready by another process while the first ones are checked.

It begins with the last one and leaves what it makes in the user's cache, where it is found when its turn comes; where the two
meet, it ends. Nothing depends on it: what it did not get to, or could not do, is done in the ordinary way, and mistakes are told
then. There is none on one processor, where the cache cannot be written, and on systems where a running process cannot be doubled.
"""
from __future__ import annotations

import gc
import mmap
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ..model.engine import compiled
from ..spec.kept import can_keep
from .native.team import cores

FEWEST = 4
"""So many scenarios are worth another process."""


@contextmanager
def ahead(paths: Sequence[Path], make_ready: Callable[[Path], object]) -> Iterator[Callable[[int], None]]:
    """What it gives is to be told the number of the scenario whose turn it is. The first one is made ready at once: if that
    was done before, so were probably all."""
    reached: Callable[[int], None] = _nobody
    child = 0
    if len(paths) >= FEWEST and possible():
        before = compiled.count()
        with suppress(Exception):  # told when its turn comes
            make_ready(paths[0])
        if compiled.count() > before:
            turn = mmap.mmap(-1, 8)
            child = _begin(paths, make_ready, turn)
            reached = _teller(turn)
    try:
        yield reached
    finally:
        if child:
            reached(len(paths))  # it ends when it is done with the scenario that it is at
            with suppress(OSError):
                os.waitpid(child, 0)


def possible() -> bool:
    """Can another process be begun, and be of use?"""
    return sys.platform == "linux" and cores() > 1 and threading.active_count() == 1 and can_keep("programs")


def _nobody(turn: int) -> None:
    """There is no other process."""


def _teller(turn: mmap.mmap) -> Callable[[int], None]:
    def tell(number: int) -> None:
        turn[:8] = number.to_bytes(8, "little")
    return tell


def _begin(paths: Sequence[Path], make_ready: Callable[[Path], object], turn: mmap.mmap) -> int:
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
        for k in range(len(paths) - 1, 0, -1):
            if int.from_bytes(turn[:8], "little") >= k or os.getppid() != parent:
                break
            with suppress(Exception):
                make_ready(paths[k])
    finally:
        os._exit(0)  # nothing of the other process is to be written or undone


__all__ = ["ahead", "possible"]
