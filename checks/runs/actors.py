"""The shares of a divided search as actors of Ray, on the machines of a cluster. Ray is imported when it is first used."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...model.engine.table import open_table
from ...spec import BOOKS
from ...spec.diagnostics import BadInput, Diagnostic
from ...spec.readers import read_scenario
from ...spec.text import Text
from ..explore.subject import Subject
from ..native import build, cluster
from ..native.divided import Lost, Report, Share
from ..native.engine import Native
from ..scenarios.subjects import subject_of


def native_of(subject: Subject) -> Native:
    """The subject's program, compiled. Raises Unsupported."""
    return Native(subject.program, subject.engine.policies, card_ids=subject.engine.card_ids, symmetry=subject.symmetry)


CROWDED = 0.01
"""The part of a processor that an actor asks for where a worker was lost: there may be fewer machines than there were parts."""


class Worker:
    """One share, in a process of its own. The scenario is read where it is."""

    def begin(
        self,
        path: str,
        books: str,
        readings: Mapping[str, str],
        symmetry: bool,
        me: int,
        shares: int,
        code: Mapping[str, bytes],
    ) -> dict[str, str]:
        """Make the share ready; what is searched, part by part (`Search.identity`). Raises BadInput, Unsupported, BeyondNative."""
        build.sent.update(code)
        if books:
            os.environ[BOOKS] = books
        subject = subject_of(open_table(read_scenario(Path(path)), readings), symmetry)
        native = native_of(subject)
        self.share = Share(native, subject, me, shares)
        return self.share.identity

    def expand(self) -> Any:
        buffers = self.share.expand()
        return buffers if len(buffers) > 1 else buffers[0]

    def take(self, *buffers: np.ndarray) -> Report:
        return self.share.take(buffers)

    def ask(self, method: str, *given: Any) -> Any:
        return getattr(self.share, method)(*given)


class Actors:
    """The team of so many actors, each with a processor or a part of one. What they send each other goes from one to the other."""

    def __init__(self, ray: Any, shares: int, processors: float = 1) -> None:
        self.ray = ray
        kind = ray.remote(num_cpus=processors, max_restarts=0, scheduling_strategy="SPREAD")(Worker)
        self.workers = [kind.remote() for _ in range(shares)]

    def got(self, what: Any) -> Any:
        """What comes of calls. Raises Lost, or what was raised there."""
        try:
            return self.ray.get(what)
        except self.ray.exceptions.RayError as e:
            cause = getattr(e, "cause", None)  # of what a worker raised
            if isinstance(cause, Exception) and not isinstance(cause, self.ray.exceptions.RayError):
                raise cause from None
            raise Lost from e

    def begin(
        self, path: Path, readings: Mapping[str, str], symmetry: bool, code: Mapping[str, bytes]
    ) -> list[dict[str, str]]:
        """What each of them searches. `code`: object code made here, for those of whose machine the key is the same."""
        once = self.ray.put(code)
        return self.got(
            [
                w.begin.remote(
                    str(path), os.environ.get(BOOKS, ""), dict(readings), symmetry, me, len(self.workers), once
                )
                for me, w in enumerate(self.workers)
            ]
        )

    def each(self, method: str, *given: Any) -> list[Any]:
        return self.got([w.ask.remote(method, *given) for w in self.workers])

    def ask(self, share: int, method: str, *given: Any) -> Any:
        return self.got(self.workers[share].ask.remote(method, *given))

    def exchange(self) -> list[Report]:
        many = len(self.workers)
        buffers = [w.expand.options(num_returns=many).remote() for w in self.workers]
        return self.got(
            [w.take.remote(*([of[me] for of in buffers] if many > 1 else buffers)) for me, w in enumerate(self.workers)]
        )

    def close(self) -> None:
        for worker in self.workers:
            self.ray.kill(worker)


def connected(address: str, parts: int) -> Any:
    """Ray, connected to a cluster that has a processor for each part. Raises BadInput."""
    ray, there = cluster.connected(address), cluster.processors(address)
    if there < parts:
        problem = Text(ja=TOO_FEW.ja.format(there=there, parts=parts), en=TOO_FEW.en.format(there=there, parts=parts))
        raise BadInput([Diagnostic(None, "small-cluster", problem, FEWER, str(parts))])
    return ray


TOO_FEW = Text(ja="クラスターのコアは {there} 個なので、{parts} 個の部分に分けて調べられません",
               en="the cluster has {there} processors, too few for {parts} parts")
FEWER = Text(ja="--parts を減らすか、マシンを加えてください", en="give a smaller --parts, or add machines")
