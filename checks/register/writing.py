"""Writing several files so that either all of them are written or none is."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path


def write_all(files: Mapping[Path, str]) -> None:
    """Write the files beside their places first, then put all in place; if that fails, put back what was there."""
    fresh: dict[Path, Path] = {}
    before: dict[Path, bytes | None] = {}
    done: list[Path] = []
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            before[path] = path.read_bytes() if path.exists() else None
            fresh[path] = path.with_name(f".{path.name}.{os.getpid()}.new")
            fresh[path].write_bytes(text.encode("utf-8", "surrogateescape"))
        for path, temporary in fresh.items():
            temporary.replace(path)
            done.append(path)
    except BaseException:
        for path in done:
            old = before[path]
            with contextlib.suppress(OSError):
                if old is None:
                    path.unlink()
                else:
                    path.write_bytes(old)
        raise
    finally:
        for temporary in fresh.values():
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
