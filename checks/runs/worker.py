"""A process that does one piece of work after the other, and what it is told and tells."""
from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ..limits.ending import Ending, Part, in_one_piece, memory_mib
from ..limits.frames import with_room_for_frames
from ..limits.interrupt import leave_to_parent

HEAVY = 0.5
"""Of the memory that a process may take, how much makes it give way to a new one before the next scenario."""

R = TypeVar("R")


@dataclass
class Desk:
    """What work is told and what it tells, in the process that does it."""

    stop: Ending
    send: Callable[[tuple[str, Any]], None]
    found: Any = None

    def progress(self, now: object) -> None:
        """How far it has come."""
        self.send(("progress", now))

    def note(self, said: Text) -> None:
        """What the user should know."""
        self.send(("said", said))

    def keep(self, found: object) -> None:
        """What was found so far: it counts, whatever happens."""
        self.found = found
        self.send(("found", found))


Work = Callable[[Desk], R]


# ---------------------------------------------------------------- the process that starts others
class Worker:
    """A process of this machine that does one piece of work after the other. `served`: what it runs, given these arguments."""

    again = 0
    """How often a piece of work is done again if the process is lost that was at it."""

    def __init__(
        self,
        context: Any,
        works: Sequence[Work[Any]] | bytes,
        until: float | None,
        memory: float | None,
        served: Callable[..., None] | None = None,
    ) -> None:
        self.pipe, theirs = context.Pipe()
        told, self.stop = context.Pipe(duplex=False)  # not in shared memory: that would need room in a folder
        self.process = context.Process(target=served or serve, args=(theirs, works, told, until, memory), daemon=True)
        self.process.start()
        theirs.close()
        told.close()
        self.at: int | None = None
        self.heavy = False

    def give(self, number: int) -> None:
        self.at = number
        with suppress(OSError):  # it is gone: the next look shows it
            self.pipe.send(number)

    def ask_to_end(self) -> None:
        """The user wants no more."""
        with suppress(OSError):  # it is gone
            self.stop.send(True)

    @property
    def exit_code(self) -> int | None:
        return self.process.exitcode

    def end(self) -> None:
        """Whatever it is at."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        self.stop.close()


# ---------------------------------------------------------------- the process that is started
@with_room_for_frames
def serve(pipe: Any, works: Sequence[Work[Any]], told: Connection, until: float | None, memory: float | None) -> None:
    """Do what is asked for until there is nobody who asks, or this one is `told` to stop; ctrl-C is for the one that started it."""
    leave_to_parent()
    asked = threading.Event()
    threading.Thread(target=lambda: told.poll(None) and asked.set(), daemon=True).start()

    def send(what: tuple[str, Any]) -> None:
        with in_one_piece():  # half of it would be taken for the beginning of what is sent next
            pipe.send(what)
    with suppress(EOFError, OSError):
        while True:
            number = pipe.recv()
            ending = Ending(until, memory, asked.is_set)
            send(came_of(works[number], Desk(ending, send)))


def came_of(work: Work[Any], desk: Desk) -> tuple[str, Any]:
    """What comes of a piece of work, as it is sent."""
    cut = ""
    try:
        with desk.stop.watched(), Part() as part:
            desk.found = work(desk)
        cut = part.why
    except Exception as error:
        if not isinstance(error, BadInput):
            error = RuntimeError(f"{type(error).__name__}: {error}")
            error.add_note(traceback.format_exc())
        return "wrong", error
    most = desk.stop.memory_mib
    return "done", (desk.found, cut, bool(desk.stop.reason) or (most is not None and memory_mib() > HEAVY * most))
