"""Frames while a transition runs, and what is done at each site where one can rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from .common import Common
from .memory import DEPTH, Site
from .numbers import Shared, Val
from .text import Ref


def is_wide(shared: Shared, of: str) -> bool:
    return of == shared.wide and of != "i64"


@contextmanager
def each_frame(x: Common, count: Ref = "") -> Iterator[tuple[Ref, Ref]]:
    """For each frame from the bottom up: how many are below it, and where it lies."""
    b, m = x.b, x.m
    with b.counting("0", count or x.word_at(DEPTH)) as d:
        yield d, b.element("%c", d, m.frame_bytes, m.frame_at)


def at_sites(x: Common, site: Ref, sites: Sequence[Site], do: Callable[[Site], None]) -> None:
    """Do at each of these sites what belongs there; at others nothing."""
    x.b.cases(site, {s.number: lambda s=s: do(s) for s in sites})


def local_of(x: Common, frame: Ref, s: Site, k: int) -> tuple[Ref, str, Val]:
    """A local in a frame: where it lies, its type, its value."""
    c = x.m.frames[s.function].cells[k]
    address = x.b.offset(frame, c.offset)
    return address, c.of, Val(x.b.load(c.of, address), is_wide(x.s, c.of), c.lo, c.hi)
