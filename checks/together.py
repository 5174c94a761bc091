"""Several scenarios checked at a time, each in a process of its own: what is found is what one process finds."""
from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from ctypes import c_bool
from dataclasses import replace
from pathlib import Path

from ..spec.diagnostics import BadInput, Diagnostic
from ..spec.text import Text
from . import session
from .findings.record import CheckResult
from .native.team import cores
from .options import CheckOptions

Done = tuple[list[CheckResult], list[Text]]
"""What was found in a scenario, and what the user should know of how."""
BETWEEN = 0.2
"""Seconds between two looks whether the user wants no more."""
START = "fork" if sys.platform == "linux" else "spawn"
LOST = Text(ja="調べている途中でプロセスが強制終了されました（メモリ不足かもしれません）",
            en="a process was killed while it was checking (there may not be enough memory)")
FEWER = Text(ja="--threads 1 で一つずつ調べるか、--max-memory で上限を付けてください",
             en="check one at a time with --threads 1, or set a limit with --max-memory")


def processes_for(scenarios: int, options: CheckOptions) -> int:
    """How many processes check so many scenarios: as many as there may be threads. A search that is kept in a folder keeps them for
    itself."""
    return 1 if options.checkpoint is not None or not scenarios else min(scenarios, options.threads or cores())


def check_together(
    paths: Sequence[Path], options: CheckOptions, processes: int, told: Callable[[int], None], stopped: Callable[[], bool],
) -> dict[Path, Done]:
    """Check each of these scenarios with one thread; those that were checked when the user stopped it, in the order of `paths`. `told` is
    told how many are. A limit on memory is shared out. Raises BadInput about the first that cannot be checked."""
    context = multiprocessing.get_context(START)
    stop = context.RawValue(c_bool)  # no lock: a process that is killed would keep it for ever
    memory = None if options.max_memory_mib is None else max(1, options.max_memory_mib // processes)
    each = replace(options, threads=1, stop=None, remembered=False, max_memory_mib=memory)
    with ProcessPoolExecutor(processes, context, begin, (stop,)) as pool:
        try:
            asked = [pool.submit(check_one, path, each) for path in paths]
            wanted = left = asked
            while left:
                wait(left, BETWEEN, FIRST_COMPLETED)
                told(sum(one.done() for one in wanted))
                if stopped():
                    stop.value = True
                    wanted = [one for one in wanted if not one.cancel()]
                # one process would not have come to what is after something wrong
                wrong = next((k for k, one in enumerate(wanted) if one.done() and one.exception() is not None), len(wanted))
                left = [one for one in wanted[:wrong] if not one.done()]
            return {path: one.result() for path, one in zip(paths, asked, strict=True) if one in wanted}
        except BrokenProcessPool:
            raise BadInput([Diagnostic(None, "process-lost", LOST, FEWER, None)]) from None
        finally:
            stop.value = True
            pool.shutdown(wait=False, cancel_futures=True)


stopping: c_bool
"""In a process that checks: does the user want no more?"""


def begin(stop: c_bool) -> None:
    """A process begins: ctrl-C is for the one that started it, and when that is gone, it ends too."""
    global stopping
    stopping = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def check_one(path: Path, options: CheckOptions) -> Done:
    """One scenario, in a process that checks."""
    said: list[Text] = []
    return session.check(path, replace(options, stop=lambda: stopping.value), None, said.append), said
