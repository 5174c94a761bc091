"""Arrays that grow where they are.

On Linux an arena reserves addresses, not memory: pages come into being when they are first written, so an array grows
without being copied, and what it has room for but does not use costs nothing. Large ones ask for huge pages, which is
what keeps a table of gigabytes fast. Elsewhere, or where addresses are rationed, arrays are made larger by numpy.

An array that is to lie on disk is a nameless file, mapped as it grows: the system keeps in memory what it has room for, and
writes the rest away. Its blocks are allocated before anything is written to them, so a full disk is BadInput, not the end of
the process. Nothing is left of it, however the process ends.

Reserved addresses lie far below those that the system would choose, so that arenas do not come to lie between the parts of
other things. A place is free again when its arena is gone.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import sys
import weakref
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike

from ...spec.diagnostics import BadInput
from ...spec.writing import nameless, told_as_bad_input
from ..explore.owned_graph import Zeros

RESERVE_AT_MOST = 1 << 36
HUGE = 1 << 23
"""Arenas of so many bytes ask for huge pages."""
GROWTH = 1.5
STEP = 1 << 28
"""Bytes by which a file is made longer, at most: that is not taken from others before it is needed."""
FAR, PLACES = 0x1000_0000_0000, 512
READ_WRITE, SHARED, PRIVATE, ANONYMOUS, NORESERVE = 3, 0x01, 0x02, 0x20, 0x4000
ADVISE_HUGE, ADVISE_GONE, ADVISE_REMOVE, ADVISE_RANDOM = 14, 4, 9, 1
PAGE = 4096
LARGE = 1 << 20
"""Numbers of an array of an analysis that is worth a file."""
in_use: set[int] = set()
"""Places taken by arenas that are still there."""


def reservable() -> int:
    """Bytes of addresses to reserve for an arena: as much as the machine has memory; 0: arenas are not to be used."""
    if sys.platform != "linux":
        return 0
    return min(RESERVE_AT_MOST, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def take_place() -> int:
    """A place that no other arena has. Raises OSError if there is none."""
    if len(in_use) == PLACES:
        gc.collect()  # what is in a circle has not given its places back
    place = next((place for place in range(PLACES) if place not in in_use), None)
    if place is None:
        raise OSError("so many arenas at once")
    in_use.add(place)
    return place


class Reserved:
    """Addresses, of memory or of a file, given back when neither this nor an array over it is needed any more."""

    def __init__(self, size: int, folder: Path | None = None) -> None:
        self.size = -(-size // PAGE) * PAGE
        self.system = ctypes.CDLL(None, use_errno=True)
        self.system.mmap.restype = ctypes.c_void_p
        self.system.mmap.argtypes = [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_long,
        ]
        for f in (self.system.munmap, self.system.madvise):
            f.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int][: 2 + (f is self.system.madvise)]
        self.file, place, kind = -1, take_place(), PRIVATE | ANONYMOUS | NORESERVE
        try:
            if folder is not None:
                self.file, kind = nameless(folder), SHARED
            at = self.system.mmap(FAR + place * RESERVE_AT_MOST, self.size, READ_WRITE, kind, self.file, 0)
            if at is None or at == ctypes.c_void_p(-1).value:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        except BaseException:
            let_go(place, self.file)
            raise
        self.at = int(at)
        self.bytes = (ctypes.c_uint8 * self.size).from_address(self.at)
        weakref.finalize(self.bytes, give_back, self.system, self.at, self.size, place, self.file)

    def advise(self, what: int, first: int = 0, size: int = 0) -> None:
        """Tell the system how it is used; a kernel that does not know of that does without."""
        self.system.madvise(self.at + first, size or self.size, what)


def zeros_in(folder: Path) -> Zeros:
    """What makes arrays of zeros: large ones in files in the folder, as long as there is room; else in memory."""
    def zeros(size: int, dtype: DTypeLike) -> np.ndarray:
        if size >= LARGE:
            with suppress(BadInput):
                return Arena(dtype, size, exact=True, folder=folder).array
        return np.zeros(size, dtype)
    return zeros


def give_back(system: ctypes.CDLL, at: int, size: int, place: int, file: int) -> None:
    system.munmap(at, size)
    let_go(place, file)


def let_go(place: int, file: int) -> None:
    in_use.discard(place)
    if file >= 0:
        os.close(file)


class Arena:
    """One array that grows. Take `array` anew after each `grow`; what is new in it is zero. `folder`: its file lies there,
    nowhere else: BadInput where there is no room. `scattered`: it is read here and there."""

    def __init__(
        self, dtype: DTypeLike, size: int, exact: bool = False, folder: Path | None = None, scattered: bool = False,
    ) -> None:
        self.dtype = np.dtype(dtype)
        self.reserved: Reserved | None = None
        self.huge = False
        self.folder = folder
        needed = size * self.dtype.itemsize
        most = reservable()
        if folder is not None:
            with told_as_bad_input(folder):
                self.reserved = Reserved(needed if exact else RESERVE_AT_MOST, folder)
                os.posix_fallocate(self.reserved.file, 0, needed)
            if scattered:
                self.reserved.advise(ADVISE_RANDOM)
        elif most >= needed > 0:
            try:
                self.reserved = Reserved(needed if exact else most)
            except OSError:
                self.reserved = None
        self.array = self._view(size, self.reserved) if self.reserved is not None else np.zeros(size, self.dtype)

    def _view(self, size: int, reserved: Reserved) -> np.ndarray:
        if not self.huge and self.folder is None and size * self.dtype.itemsize >= HUGE:
            self.huge = True
            reserved.advise(ADVISE_HUGE)
        return np.frombuffer(reserved.bytes, self.dtype, size)  # pyright: ignore[reportArgumentType, reportCallIssue]

    def grow(self, least: int) -> np.ndarray:
        """Room for at least so many."""
        if self.array.size >= least:
            return self.array
        size = max(least, int(self.array.size * GROWTH))
        reserved = self.reserved
        if self.folder is not None and reserved is not None:
            size = max(least, min(size, self.array.size + STEP // self.dtype.itemsize))
            before, more = self.array.nbytes, (size - self.array.size) * self.dtype.itemsize
            with told_as_bad_input(self.folder):
                if before + more > reserved.size:
                    raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
                os.posix_fallocate(reserved.file, before, more)
            self.array = self._view(size, reserved)
        elif reserved is not None and reserved.size // self.dtype.itemsize >= least:
            self.array = self._view(min(size, reserved.size // self.dtype.itemsize), reserved)
        else:
            larger = np.zeros(size, self.dtype)
            larger[: self.array.size] = self.array
            self.array, self.reserved = larger, None
        return self.array

    def forget(self, first: int, last: int) -> None:
        """Give the memory of [first, last) back, as far as whole pages go; it reads as zero from now on."""
        if self.reserved is None:
            return
        low, high = -(-first * self.dtype.itemsize // PAGE) * PAGE, last * self.dtype.itemsize // PAGE * PAGE
        if high > low:
            self.reserved.advise(ADVISE_GONE if self.folder is None else ADVISE_REMOVE, low, high - low)
