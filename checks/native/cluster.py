"""The machines of a Ray cluster. Nothing here loads Ray before `connected` is called; where it is not installed, that says so."""
from __future__ import annotations

import importlib.util
import logging
import math
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...spec.diagnostics import BadInput, Diagnostic, shown
from ...spec.text import Text
from .team import cores

AUTO = "auto"
"""The address that stands for the cluster of `RAY_ADDRESS`, or for one that is started on this machine."""
LOST = 30.0
"""Seconds without an answer after which a cluster is taken for lost."""
PATIENCE, LONGEST = 5.0, 20.0
"""Seconds that whoever listens at an address has for answering, and Ray for connecting."""
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_AUTO_CONNECT": "0",
}
"""Ray tells nobody what it is used for, makes no environments of what lies here, and connects to nothing by itself: a worker that ends
after the connection did would bring it back."""
NO_RAY = Text("Ray がありません", "Ray is not installed")
HOW_RAY = Text("`pip install 'rulewright[cluster]'` で入れてください", "`pip install 'rulewright[cluster]'` installs it")
NO_ADDRESS = Text("--cluster に {value} は書けません", "--cluster takes no {value}")
HOW_ADDRESS = Text("`auto`、`host:port`（例: 192.168.1.10:6379）、`ray://host:port` のどれかを書いてください",
                   "write `auto`, `host:port` (say 192.168.1.10:6379) or `ray://host:port`")
NOT_REACHED = Text("Ray のクラスター {value} につながりません（{why}）", "the Ray cluster {value} cannot be reached ({why})")
HOW_REACHED = Text(
    "`ray start --head` を実行したマシンがそのアドレスで動いているか、クラスターがトークンを使うなら RAY_AUTH_MODE=token とそのトークンがここにもあるかを確かめてください（docs/cluster.ja.md）",
    "see whether the machine on which `ray start --head` was run answers at that address and, if the cluster uses a token, RAY_AUTH_MODE=token and that token are set here too (docs/cluster.md)")


def connected(address: str) -> Any:
    """Ray itself, connected to the cluster at `address`: `auto`, `host:port` (from a machine of the cluster) or `ray://host:port` (from
    any). Asked again, it stays connected to what it is connected to. Raises BadInput where there is no Ray, no such address, or
    nobody who answers there within some seconds."""
    if importlib.util.find_spec("ray") is None:
        raise refused("no-ray", NO_RAY, HOW_RAY)
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    import ray  # pyright: ignore[reportMissingImports]

    if ray.is_initialized():
        return ray if seen.at < math.inf else watched(ray)
    vars(sys.modules["ray._private.worker"])["print_to_stdstream"] = lambda *told, **how: None  # it prints what became of machines among our results
    where = os.environ.get("RAY_ADDRESS", "") if address == AUTO else address
    more: dict[str, Any] = (
        {"address": where} if where else {"address": "local", "num_cpus": cores(), "include_dashboard": False}
    )
    try:
        if where:
            reach(where)
        start = partial(ray.init, **more, log_to_driver=False, logging_level=logging.CRITICAL)
        with silent():
            in_time(start, LONGEST) if where else start()  # a cluster of its own ends with the thread that started it
    except (OSError, RuntimeError, ValueError) as error:  # what Ray raises where it finds no cluster
        raise refused(
            "no-cluster",
            NOT_REACHED,
            HOW_REACHED,
            shown(where or AUTO),
            (str(error) or type(error).__name__).splitlines()[0],
        ) from None
    return watched(ray)


def processors(address: str) -> int:
    """How many pieces of work the cluster can do at a time, just now. Raises BadInput as `connected` does."""
    connected(address)
    return max(1, seen.processors)


def is_lost() -> bool:
    """Has nobody answered for so long that the cluster is taken for lost? Ray itself would wait longer, and then end this process."""
    return time.monotonic() - seen.at > LOST


@dataclass
class Seen:
    """What was seen of the cluster last, and when."""

    processors: int = 0
    at: float = math.inf


seen = Seen()


def watched(ray: Any) -> Any:
    """Looks at it now, and again each second, in a thread of its own: Ray may wait long for an answer."""
    def look() -> None:
        seen.processors = int(ray.cluster_resources().get("CPU", 1))
        seen.at = time.monotonic()

    def watch() -> None:
        while ray.is_initialized():
            with suppress(ray.exceptions.RayError, OSError, RuntimeError):  # it does not answer
                look()
            time.sleep(1)
    look()
    threading.Thread(target=watch, daemon=True).start()
    return ray


def reach(address: str) -> None:
    """Does somebody listen there? Raises BadInput, OSError."""
    match = re.fullmatch(r"(?:ray://)?\[?([\w.:-]+?)\]?:(\d{1,5})", address)
    if match is None or not 0 < int(match[2]) < 1 << 16:
        raise refused("cluster-address", NO_ADDRESS, HOW_ADDRESS, shown(address))
    socket.create_connection((match[1], int(match[2])), PATIENCE).close()


def in_time(what: Callable[[], object], seconds: float) -> None:
    """Do it, if it takes no longer; what takes longer goes on for nobody. Raises what it raises, or TimeoutError (an OSError)."""
    came: Future[None] = Future()

    def run() -> None:
        try:
            what()
            came.set_result(None)
        except Exception as error:
            came.set_exception(error)
    threading.Thread(target=run, daemon=True).start()
    came.result(seconds)


@contextmanager
def silent() -> Iterator[None]:
    """What libraries write on the way, past Python, is not shown."""
    there = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(there, 2)
        os.close(nowhere)
        os.close(there)


def refused(code: str, message: Text, hint: Text, value: str = "", why: str = "") -> BadInput:
    """Why it cannot be used."""
    return BadInput(
        [
            Diagnostic(
                None,
                code,
                Text(ja=message.ja.format(value=value, why=why), en=message.en.format(value=value, why=why)),
                hint,
            )
        ]
    )
