"""Ctrl-C: the first one ends a command within two seconds, with what was found; the second at once."""
from __future__ import annotations

import _thread
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any

from .ending import interrupt_solver, noticed

CODE = 130
"""The exit code of a program that is stopped by ctrl-C."""
PATIENCE = 1.5
"""Seconds after which a command has to have ended."""
BETWEEN = 0.05


class Interrupt:
    """While it is entered, ctrl-C is noted instead of raised, and calling it says whether there was one; the second is raised. Whoever
    enters it sees to it that the command ends."""

    entered: Interrupt | None = None

    def __init__(self) -> None:
        self.asked = False
        self.before: Any = None

    def __call__(self) -> bool:
        return self.asked

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            Interrupt.entered = self
            self.before = signal.signal(signal.SIGINT, self.note)
        return self

    def note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
            Interrupt.entered = None


seen = threading.Event()
"""There was a ctrl-C that nobody noted."""
swallowed = threading.Event()
"""What it raised came to nothing."""


def was_interrupted(error: BaseException | None) -> bool:
    """Was it ctrl-C that ended in this error? What is loaded, or asked of z3, just then ends in errors of its own."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None or seen.is_set()


def raise_it(number: int, frame: FrameType | None) -> None:
    """Note ctrl-C before it is raised: what is raised while a module is loaded may be taken for something else."""
    seen.set()
    raise KeyboardInterrupt


@contextmanager
def answered() -> Iterator[None]:
    """Meanwhile ctrl-C is answered though a library is at work that asks nobody: z3 is interrupted, and what does not end is ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seen.clear()
    swallowed.clear()
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    usual = signal.signal(signal.SIGINT, raise_it)
    watcher = threading.Thread(target=watch, args=(ours,), daemon=True)
    watcher.start()
    try:
        with noticed(KeyboardInterrupt, swallowed.set, seen.is_set):
            yield
    finally:
        signal.signal(signal.SIGINT, usual)
        signal.set_wakeup_fd(before)
        theirs.close()
        watcher.join()
        ours.close()


def watch(signals: socket.socket) -> None:
    """Wait for ctrl-C until nobody can tell of it any more."""
    with suppress(OSError):
        while came := signals.recv(64):
            if signal.SIGINT in came and Interrupt.entered is None:
                break
        else:
            return
        signals.settimeout(BETWEEN)
        for _ in range(int(PATIENCE / BETWEEN)):
            interrupt_solver()
            if swallowed.is_set():
                swallowed.clear()
                _thread.interrupt_main()
            try:
                came = signals.recv(64)
            except TimeoutError:
                continue
            if not came:
                return
            if signal.SIGINT in came:
                break
        sys.stderr.flush()
        os._exit(CODE)


def leave_to_parent() -> None:
    """In a process that was started by another: ctrl-C is for that one, and when it is gone, this one ends too."""
    import multiprocessing  # takes a while to load, and few commands start a process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.set_wakeup_fd(-1)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()
