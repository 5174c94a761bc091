"""Threads that do the same thing to different parts, again and again."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue

from ..limits.ending import in_one_piece

Job = tuple[Callable[[int, int], None], Iterator[int], int]


def cores() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class Team:
    """So many threads, the caller's being one. What they do must release the GIL, or nothing is gained."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.todo: list[SimpleQueue[Job | None]] = []
        self.done: SimpleQueue[BaseException | None] = SimpleQueue()
        for me in range(1, size):
            queue: SimpleQueue[Job | None] = SimpleQueue()
            self.todo.append(queue)
            threading.Thread(target=self._work, args=(me, queue), daemon=True).start()

    def _work(self, me: int, queue: SimpleQueue[Job | None]) -> None:
        while (job := queue.get()) is not None:
            self.done.put(self._take(me, job))

    def _take(self, me: int, job: Job) -> BaseException | None:
        function, parts, most = job
        try:
            while (part := next(parts)) < most:
                function(part, me)
        except BaseException as e:
            return e
        return None

    def each(self, function: Callable[[int, int], None], parts: int) -> None:
        """`function(part, thread)` for each part; whoever is free takes the next."""
        job = (function, itertools.count(), parts)
        with in_one_piece():  # what others still did would be taken for the next job's
            for queue in self.todo:
                queue.put(job)
            troubles = [self._take(0, job), *(self.done.get() for _ in self.todo)]
        for trouble in troubles:
            if trouble is not None:
                raise trouble

    def close(self) -> None:
        for queue in self.todo:
            queue.put(None)
        self.todo = []
