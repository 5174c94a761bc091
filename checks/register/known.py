"""Which scenarios execute which clause, kept in the user's cache by `coverage --executed` for `where`.

It counts only as long as nothing in the book's files has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from ...spec.diagnostics import BadInput
from ...spec.own_folder import cache_folder
from ...spec.reading import plain_bytes
from ...spec.writing import file_name, write_whole
from .books import BookFiles


def cache_file(book: str) -> Path:
    """Where it is kept."""
    return cache_folder(file_name(f"executed-{book}.json"))


def fingerprint(book: BookFiles) -> str:
    """A hash of everything that decides what is executed: rules, cards, readings, scenarios."""
    files = [*(sorted(book.rules.glob("*.py")) if book.rules else ()), *sorted(book.folder.rglob("*.yaml"))]
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0" + plain_bytes(file) + b"\0")
    return total.hexdigest()


def remember(book: BookFiles, scenarios: Mapping[str, Sequence[str]]) -> None:
    """Keep it; a cache that cannot be written is done without."""
    with suppress(BadInput, OSError):
        told = {"of": fingerprint(book), "scenarios": dict(scenarios)}
        write_whole(cache_file(book.name), json.dumps(told, ensure_ascii=False), lasting=False, own=True)


def executing(book: BookFiles, clause: str) -> list[str] | None:
    """The scenarios that execute a clause; `None` where that is not known (any more)."""
    try:
        data: Any = json.loads(plain_bytes(cache_file(book.name)))
        if not isinstance(data, dict) or cast(dict[str, Any], data).get("of") != fingerprint(book):
            return None
        found: Any = cast(dict[str, Any], data)["scenarios"].get(clause, [])
        return [str(s) for s in found]
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return None
