"""Ctrl-C as a limit: the first one ends the search under way, and what was found is reported; the second stops all."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interrupt:
    """While it is entered, ctrl-C is noted instead of raised; calling it says whether there was one."""

    def __init__(self) -> None:
        self.asked = False
        self.before: object = None

    def __call__(self) -> bool:
        return self.asked

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self.before = signal.signal(signal.SIGINT, self.note)
        return self

    def note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)  # pyright: ignore[reportArgumentType]
