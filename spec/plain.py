"""The bytes of ordinary files: what `reading` and what shows a line of a file are built on."""
from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

LARGEST = 64 * 1024 * 1024
"""Bytes of a file, where its reader says nothing else."""
PIECE = 2**20
"""Bytes asked for at a time of a file that does not say how large it is."""


class NotOrdinary(OSError):
    """Not a file that can be read from its beginning to its end."""


class TooLarge(OSError):
    """A file larger than its reader takes."""


def plain_bytes(path: Path, most: int = LARGEST) -> bytes:
    """What an ordinary file holds. Raises OSError."""
    # opening a device may do something, opening a pipe may wait for ever: so it is looked at first, and again once it is open
    ordinary(path.stat())
    number = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    )
    with os.fdopen(number, "rb") as file:
        ordinary(about := os.fstat(file.fileno()))
        size = min(about.st_size, most)
        data = file.read(size + 1)
        while size < len(data) <= most and (more := file.read(PIECE)):  # it grows, or does not say how large it is
            data += more
    if len(data) > most:
        raise TooLarge(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def ordinary(about: os.stat_result) -> None:
    """Raises OSError for what is no ordinary file."""
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(about.st_mode):
        raise NotOrdinary(errno.EINVAL, os.strerror(errno.EINVAL))
