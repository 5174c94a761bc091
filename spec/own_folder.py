"""The folder in which Rulewright keeps what is its own: what was made before, locks, journals."""
from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def cache_folder(kind: str) -> Path:
    """Where things of a kind are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "rulewright" / kind


def can_keep(kind: str) -> bool:
    """Can anything be kept there?"""
    folder = cache_folder(kind)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def working_folder(kind: str) -> Path:
    """The same for what cannot be done without: where nothing can be kept, among what is temporary."""
    user = os.getuid() if hasattr(os, "getuid") else ""
    return cache_folder(kind) if can_keep(kind) else Path(tempfile.gettempdir()) / f"rulewright-{user}" / kind


def is_own(path: Path) -> bool:
    """Is it an ordinary file that nobody but this user (or the machine's owner) can have written?"""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode) or not hasattr(os, "getuid"):
        return stat.S_ISREG(about.st_mode)
    return about.st_uid in (os.getuid(), 0) and not about.st_mode & stat.S_IWOTH
