"""Arrays that grow where they are.

On Linux an arena reserves addresses, not memory: pages come into being when they are first written, so an array grows
without being copied, and what it has room for but does not use costs nothing. Large ones ask for huge pages, which is
what keeps a table of gigabytes fast. Elsewhere, or where addresses are rationed, arrays are made larger by numpy.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys

import numpy as np
from numpy.typing import DTypeLike

RESERVE_AT_MOST = 1 << 36
HUGE = 1 << 23
"""Arenas of so many bytes ask for huge pages."""
GROWTH = 1.5
NORESERVE, ADVISE_HUGE, ADVISE_GONE = 0x4000, 14, 4
PAGE = 4096


def reservable() -> int:
    """Bytes of addresses to reserve for an arena: as much as the machine has memory; 0: arenas are not to be used."""
    if sys.platform != "linux":
        return 0
    return min(RESERVE_AT_MOST, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


class Arena:
    """One array that grows. Take `array` anew after each `grow`; what is new in it is zero."""

    def __init__(self, dtype: DTypeLike, size: int, exact: bool = False) -> None:
        self.dtype = np.dtype(dtype)
        self.map: mmap.mmap | None = None
        wanted = size * self.dtype.itemsize if exact else reservable()
        if sys.platform == "linux" and wanted >= size * self.dtype.itemsize and wanted:
            try:
                self.map = mmap.mmap(-1, wanted, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE)
            except (OSError, ValueError, OverflowError):
                self.map = None
        self.huge = False
        self.array = self._view(size) if self.map is not None else np.zeros(size, self.dtype)

    def _view(self, size: int) -> np.ndarray:
        assert self.map is not None
        if not self.huge and size * self.dtype.itemsize >= HUGE:
            self.huge = True
            with contextlib.suppress(OSError):  # a kernel without them
                self.map.madvise(ADVISE_HUGE)
        return np.frombuffer(self.map, self.dtype, size)

    def grow(self, least: int) -> np.ndarray:
        """Room for at least so many."""
        if self.array.size >= least:
            return self.array
        size = max(least, int(self.array.size * GROWTH))
        if self.map is not None and size * self.dtype.itemsize > len(self.map):
            size = max(least, len(self.map) // self.dtype.itemsize)
        if self.map is not None and size * self.dtype.itemsize <= len(self.map):
            self.array = self._view(size)
        else:
            larger = np.zeros(size, self.dtype)
            larger[: self.array.size] = self.array
            self.array, self.map = larger, None
        return self.array

    def forget(self, first: int, last: int) -> None:
        """Give the memory of [first, last) back, as far as whole pages go; it reads as zero from now on."""
        if self.map is None:
            return
        low, high = -(-first * self.dtype.itemsize // PAGE) * PAGE, last * self.dtype.itemsize // PAGE * PAGE
        if high > low:
            self.map.madvise(ADVISE_GONE, low, high - low)
