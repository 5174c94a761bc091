"""The same work on many things: by processes of this machine, or by the machines of a Ray cluster, which have this check-out in the same place."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from rulewright.checks.native.cluster import connected
from rulewright.checks.runs.on_ray import AGAIN, edition

from .runs import key_of

R = TypeVar("R")
shared: Any = None
"""What all the work of this process needs."""


def share(what: Any) -> None:
    global shared
    shared = what


def here(work: Callable[..., R], on: Sequence[Any]) -> R:
    return work(shared, *on)


def there(work: Callable[..., R], given: Any, on: Sequence[Any], code: str) -> R:
    """On a machine of the cluster. Raises RuntimeError where it has other code."""
    if code != same_code():
        raise RuntimeError(f"a machine of the cluster has other rules or another Rulewright in {Path(__file__).parents[2]}")
    return work(given, *on)


@cache
def same_code() -> str:
    """A hash of all that decides what comes of the work."""
    return edition() + key_of(sorted(Path(__file__).parent.glob("*.py")))


def spread(work: Callable[..., R], given: Any, each: Sequence[Sequence[Any]], jobs: int, cluster: str | None) -> Iterator[R]:
    """What comes of `work(given, *on)` for each `on`, in their order, as soon as it is there. On a cluster as many pieces are done at a
    time as it has processors, and what a lost machine was at is done again."""
    if cluster is None:
        with ProcessPoolExecutor(jobs, initializer=share, initargs=(given,)) as pool:
            yield from pool.map(partial(here, work), each)
    else:
        ray = connected(cluster)
        sent, remote = ray.put(given), ray.remote(num_cpus=1, max_retries=AGAIN)(there)
        yield from map(ray.get, [remote.remote(work, sent, on, same_code()) for on in each])
