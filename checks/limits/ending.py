"""When work has to end: time that is over, memory that is full, a user who wants no more.

`Ending` tells it to whatever asks (`stop()`). What does not ask in time is cut off: a thread that watches interrupts z3, and has
`CutOff` raised wherever the work is just then, as long as that is within a `Part`. Whoever began the part goes on with what was
found before. What cannot be cut off either (a compiler, a library that has run out of memory) is ended with its process by the one
that started it (`together.py`), and a compiler for which memory does not suffice by the thread that watches.
"""
from __future__ import annotations

import _thread
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from ...spec.reading import plain_bytes
from ...spec.text import Text

BETWEEN = 0.05
"""Seconds between two looks."""
PATIENCE = 0.35
"""Seconds that what asks has for ending by itself; then it is cut off, and so again and again. Where memory is full, what is done in one
piece and not done after twice as long is ended with its process, and z3 is not waited for."""
MEMORY_FULL = 77
"""The exit code of a process that was ended because its memory was full."""
SHARE = 0.7
"""Of the time that is left, how much a search may take: what was found has to be judged."""
ROOM = 0.95
"""Of the memory that there may be, and of the addresses that the system allows (`ulimit -v`), how much may be in use: ending takes some too."""
LOOKING = 20
"""Measuring memory takes at most one part in so many of the time."""
SIGNAL = getattr(signal, "SIGUSR1", signal.SIGTERM)

WHY = {
    "seconds": Text(ja="時間の上限に達しました", en="the time limit was reached"),
    "memory": Text(ja="メモリの上限に達しました", en="the memory limit was reached"),
    "user": Text(ja="利用者が中断しました", en="interrupted"),
}
"""Why work had to end."""
NO_TIME = Text(ja="時間が残っていない", en="no time was left")


class CutOff(BaseException):
    """The work ends here, whatever it was at."""


@contextmanager
def noticed(
    kind: type[BaseException], swallowed: Callable[[], None], ending: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """What is raised where Python lets nothing out (as an object is taken away) is not shown, but `swallowed` is told. When all is `ending`,
    nothing else is shown either: objects that were just being made are taken away half made."""
    before = sys.unraisablehook

    def hook(told: sys.UnraisableHookArgs) -> None:
        if told.exc_type is kind:
            swallowed()
        elif not ending():
            before(told)
    sys.unraisablehook = hook
    try:
        yield
    finally:
        if not ending():
            sys.unraisablehook = before


class Ending:
    """When the work of this process has to end: at a time (of `time.monotonic`), at so many MiB of memory, when somebody `asks` for it.
    `reason` says why it has: "seconds", "memory", "user"."""

    def __init__(
        self, until: float | None = None, memory_mib: float | None = None, asks: Callable[[], bool] = lambda: False,
    ) -> None:
        self.until, self.memory_mib, self.asks = until, memory_mib, asks
        self.reason = ""
        self.reached = 0.0
        """Since when it has to end."""
        self.since = 0.0
        """The same, or when it was cut off last."""
        self.asked = False
        """Is it to be cut off just now?"""
        self.put_off = False
        """Was it not, because of something that is done in one piece?"""

    def __call__(self) -> bool:
        if not self.reason:
            if self.asks():
                self.end("user")
            elif self.until is not None and time.monotonic() >= self.until:
                self.end("seconds")
        return bool(self.reason)

    def end(self, reason: str) -> None:
        self.reason, self.reached = reason, time.monotonic()
        self.since = self.reached

    @property
    def left(self) -> float | None:
        """Seconds that are left; None: as many as it takes."""
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Meanwhile the work is cut off when it has to end. For the main thread of a process that does nothing else."""
        global current
        before, current = signal.signal(SIGNAL, self.cut), self
        done = threading.Event()
        watcher = threading.Thread(target=self.watch, args=(done,), daemon=True)
        watcher.start()
        try:
            with noticed(CutOff, self.again):
                yield
        finally:
            done.set()
            watcher.join()
            current = None
            signal.signal(SIGNAL, before)

    def cut(self, *_: object) -> None:
        self.put_off, self.asked, self.since = bool(uncut), False, time.monotonic()
        if parts and not uncut and not loading():
            raise CutOff(self.reason)

    def again(self) -> None:
        """Whatever was raised came to nothing."""
        self.since = 0.0

    def watch(self, done: threading.Event) -> None:
        while not done.wait(BETWEEN):
            if not self() and self.is_full():
                self.end("memory")
            if not self.reason:
                continue
            now = time.monotonic()
            at_once = self.reason == "memory" and self.since == self.reached and solving()
            if not self.asked and (at_once or now - self.since > PATIENCE):
                self.asked = True
                _thread.interrupt_main(SIGNAL)
            if self.reason == "memory" and uncut and now - self.reached > 2 * PATIENCE:
                os._exit(MEMORY_FULL)
            if self.asked and parts:  # the answer to an interrupted question is never used: `CutOff` is raised first
                interrupt_solver()

    def is_full(self) -> bool:
        """Is as much memory in use as there may be?"""
        allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
        try:
            if allowed != resource.RLIM_INFINITY and addresses() > ROOM * allowed:
                return True
            return self.memory_mib is not None and memory_mib() > ROOM * self.memory_mib
        except MemoryError:
            return True


parts = 0
"""How many parts are under way, one within the other."""
uncut = 0
"""How much is under way that is not cut off."""
current: Ending | None = None
"""Of the work under way."""


@contextmanager
def in_one_piece() -> Iterator[None]:
    """What is done meanwhile is cut off only when it is done: for libraries that call Python from where nothing can be raised, and go on
    without what that would have given them. It has to be short."""
    global uncut
    uncut += 1
    try:
        yield
    finally:
        uncut -= 1
    if current is not None and current.put_off and threading.current_thread() is threading.main_thread():
        current.cut()


def loading() -> bool:
    """Is a module being loaded just now? Cut off in its middle, it would be there half made, or be made twice."""
    frame = sys._getframe()
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


class Part:
    """A part of the work that may be cut off at any moment: nothing of it may be half done afterwards but what it lists. True if it was
    cut off, `why` says by what."""

    def __init__(self) -> None:
        self.why = ""

    def __bool__(self) -> bool:
        return bool(self.why)

    def __enter__(self) -> Part:
        global parts
        parts += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> bool:
        global parts
        parts -= 1
        self.why = cut_by(value)
        if self.why and current is not None and not current.reason:  # there is no memory for what comes after it either
            current.end(self.why)
        return bool(self)


def cut_by(error: BaseException | None) -> str:
    """By what work was cut off that ended like this; nothing if it was not."""
    if isinstance(error, CutOff):
        return str(error) or "user"
    if isinstance(error, MemoryError):
        return "memory"
    if error is not None and type(error).__name__ == "Z3Exception":  # z3 need not be loaded
        if "memory" in str(error):
            return "memory"
        return current.reason if current is not None else ""
    return ""


def reason(stop: Callable[[], bool] | None) -> str:
    """Why what is asked with says that the work has to end; nothing if it does not."""
    if stop is None or not stop():
        return ""
    return stop.reason if isinstance(stop, Ending) else "user"


def why(stop: Callable[[], bool] | None) -> Text:
    """The same in words, for what is not decided."""
    return WHY[reason(stop) or "user"]


def time_left(stop: Callable[[], bool] | None) -> float | None:
    """Seconds that are left; None: as many as it takes."""
    return stop.left if isinstance(stop, Ending) else None


def solving() -> bool:
    """Is the main thread within z3 just now? It asks nobody, and may take much more memory in a moment."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    return frame is not None and frame.f_globals.get("__name__") == "z3.z3core"


def interrupt_solver() -> None:
    """A question that z3 is at just now is not answered."""
    z3 = sys.modules.get("z3.z3")
    context = getattr(z3, "_main_ctx", None)  # `main_ctx()` would make one
    if z3 is not None and context is not None:
        with suppress(z3.Z3Exception):  # that of another thread, which raises it too
            context.interrupt()


# ---------------------------------------------------------------- memory
counted = ("Pss:",)
"""What counts of what the system says of memory."""
measured = 0.0, 0.0, 0.0
"""When memory was measured, how long that took, and how much it was."""


def leave_out_files() -> None:
    """From now on what is in memory of files does not count: the system may drop it."""
    global counted
    counted = ("Pss_Anon:", "Pss_Shmem:")


def memory_mib() -> float:
    """MiB that this process takes, its share of what it has in common with others; where that is not to be had, the most it has taken.
    Measured now and then."""
    global measured
    now = time.monotonic()
    when, took, mib = measured
    if now - when > max(BETWEEN, LOOKING * took):
        mib = measured_mib()
        measured = now, time.monotonic() - now, mib
    return mib


def measured_mib() -> float:
    with suppress(OSError, ValueError):
        said = [line.split() for line in plain_bytes(Path("/proc/self/smaps_rollup")).decode().splitlines()]
        if parts := [int(line[1]) for line in said if line[0] in counted]:
            return sum(parts) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 1024)


def addresses() -> int:
    """Bytes of addresses in use; 0 where that is not to be had."""
    try:
        return int(plain_bytes(Path("/proc/self/statm")).split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 0
