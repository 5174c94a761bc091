"""What was made before and is needed again: kept in the user's cache folder under the hash of everything it was made of.

An entry says which key it is for, and the sum of its content. What is damaged, was made for something else, or belongs to
another user is not read, but made anew and replaced. Values are read back without running anything: only the plain
classes of Rulewright and of Python may be in them. A cache that cannot be read or written is done without.
"""
from __future__ import annotations

import copyreg
import gc
import hashlib
import io
import os
import pickle
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from functools import cache
from operator import methodcaller
from pathlib import Path
from typing import Any

from .diagnostics import BadInput
from .own_folder import cache_folder, is_own
from .reading import plain_bytes
from .writing import clear_away, write_whole

MAGIC = b"rulewright kept 1\n"
LARGEST_KEPT = 1 << 30
MOST = 2048
"""Entries of a kind that are kept; the oldest beyond that are thrown away now and then."""
PLAIN = {"builtins": {"set", "frozenset", "complex", "range", "slice"}, "pathlib": {"PosixPath", "WindowsPath", "Path"}}
"""Of Python, what may be in a value besides numbers, texts, lists and maps."""
UNREADABLE = (
    pickle.UnpicklingError,
    zlib.error,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    TypeError,
    ValueError,
)
"""What is raised where a value was not written by this Rulewright."""
OURS = ("rulewright.model.", "rulewright.spec.", "rulewright.checks.findings.")


# ---------------------------------------------------------------- content
def read_kept(folder: Path, key: str, suffix: str = "") -> bytes | None:
    """What is kept under the key; None if nothing is, or it is not what it says."""
    path = folder / f"{key}{suffix}"
    try:
        if not is_own(path):
            return None
        data = plain_bytes(path, LARGEST_KEPT)
    except OSError:
        return None
    head = len(seal(key, b""))
    content = data[head:]
    if data[:head] != seal(key, content):
        return None
    with suppress(OSError):  # else it is not marked as used just now, and goes a little earlier
        os.utime(path)
    return content


def seal(key: str, content: bytes) -> bytes:
    """What an entry begins with."""
    return MAGIC + hashlib.sha256(key.encode() + content).hexdigest().encode() + b"\n"


def keep(folder: Path, key: str, content: bytes, suffix: str = "", most: int = MOST) -> None:
    """Write an entry whole or not at all."""
    try:
        write_whole(folder / f"{key}{suffix}", seal(key, content) + content, lasting=False, own=True)
        if key[0] == "0":  # one in sixteen looks whether there are too many
            clear_away(folder, "")
            old = sorted((p for p in folder.iterdir() if p.is_file()), key=lambda p: p.stat().st_mtime)
            for p in old[:-most]:
                p.unlink(missing_ok=True)
    except (BadInput, OSError):
        return


# ---------------------------------------------------------------- values
class Plainly(pickle.Unpickler):
    """Reads values of our own classes and of Python's plain ones, and refuses everything else."""

    def find_class(self, module: str, name: str, /) -> Any:
        if name in PLAIN.get(module, ()):
            return super().find_class(module, name)
        if module.startswith(OURS) and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name}")


class Reducers(dict[type, Callable[[Any], Any]]):
    """How values of a class are written, found out when the first one is."""

    def __missing__(self, of: type) -> Callable[[Any], Any]:
        """Members of enumerations by their value: some editions of Python would call `getattr` when they are read."""
        if issubclass(of, type):
            raise KeyError(of)  # classes are written by name
        found = by_value if issubclass(of, Enum) else copyreg.dispatch_table.get(of) or plainly
        self[of] = found
        return found


def by_value(x: Enum) -> Any:
    return type(x), (x.value,)


plainly = methodcaller("__reduce_ex__", 5)


class Writing(pickle.Pickler):
    """Writes what `Plainly` reads."""

    dispatch_table = Reducers()


def written(value: Any) -> bytes:
    """The value as bytes. Raises what pickle raises."""
    out = io.BytesIO()
    Writing(out, 5).dump(value)
    return out.getvalue()


def read(content: bytes) -> Any:
    """The value that `written` made bytes of. Raises what pickle raises."""
    collecting = gc.isenabled()
    try:
        gc.disable()  # it would look again and again at what is only just being read
        return Plainly(io.BytesIO(content)).load()
    finally:
        if collecting:
            gc.enable()


def made(kind: str, what: str, make: Callable[[], Any], worth: Callable[[Any], bool] = lambda value: True) -> Any:
    """The value that `make` gives, or gave before for the same `what` with the same Rulewright. Only what is `worth` it is
    kept, compressed."""
    folder, key = cache_folder(kind), key_of(what)
    content = read_kept(folder, key)
    if content is not None:
        try:
            return read(zlib.decompress(content))
        except UNREADABLE:
            pass  # not what this Rulewright wrote: made anew
    value = make()
    if worth(value):
        with suppress(pickle.PicklingError, AttributeError, TypeError, RecursionError):  # else it cannot be kept
            keep(folder, key, zlib.compress(written(value), 1))
    return value


def is_made(kind: str, what: str) -> bool:
    """Is there a value that `made` would give?"""
    return read_kept(cache_folder(kind), key_of(what)) is not None


def key_of(what: str) -> str:
    """Under which a value is kept."""
    return hashlib.sha256(f"{code_hash()}\n{what}".encode()).hexdigest()


@cache
def code_hash() -> str:
    """Everything of Rulewright that could make a value another one, and which Python runs it."""
    here = Path(__file__).parent
    return hash_of(sys.version, (
        (path.name, path) for folder in (here, here.parent / "model") for path in sorted(folder.rglob("*.py"))
        if "games" not in path.relative_to(folder).parts))


def hash_of(what: str, files: Iterable[tuple[str, Path]]) -> str:
    """A hash of this, and of files, each under a name."""
    h = hashlib.sha256(what.encode())
    for name, path in files:
        h.update(name.encode() + b"\0" + plain_bytes(path) + b"\0")
    return h.hexdigest()
