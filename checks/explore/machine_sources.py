"""What machine code is made of, and whether it is there: known without loading numba."""
from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ...spec.kept import hash_of, is_made

FOLDERS = ("explore", "native")
"""Where functions stand that numba compiles."""
READY = "ready"


def is_ready() -> bool:
    """Was what every search needs compiled here before?"""
    return is_made(READY, sources())


@cache
def sources() -> str:
    """A hash of all that machine code is made of, but for the function and the machine."""
    return hash_of(
        repr((sys.version, *(f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")))),
        ((path.name, path) for folder in FOLDERS
         for path in sorted((Path(__file__).parent.parent / folder).glob("*.py"))))
