"""Which scenarios execute which clause, kept in the user's cache by `coverage --executed` for `where`.

It counts only as long as nothing in the book's files has changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from .books import BookFiles


def cache_file(book: str) -> Path:
    """Where it is kept."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "rulewright" / f"executed-{book}.json"


def fingerprint(book: BookFiles) -> str:
    """A hash of everything that decides what is executed: rules, cards, readings, scenarios."""
    files = [*(sorted(book.rules.glob("*.py")) if book.rules else ()), *sorted(book.folder.rglob("*.yaml"))]
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()


def remember(book: BookFiles, scenarios: Mapping[str, Sequence[str]]) -> None:
    """Keep it; a cache that cannot be written is done without."""
    try:
        file = cache_file(book.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(f".{os.getpid()}.tmp")
        fresh.write_text(json.dumps({"of": fingerprint(book), "scenarios": dict(scenarios)}, ensure_ascii=False),
                         encoding="utf-8")
        fresh.replace(file)
    except OSError:
        return


def executing(book: BookFiles, clause: str) -> list[str] | None:
    """The scenarios that execute a clause; `None` where that is not known (any more)."""
    try:
        data: Any = json.loads(cache_file(book.name).read_text(encoding="utf-8"))
        if not isinstance(data, dict) or cast(dict[str, Any], data).get("of") != fingerprint(book):
            return None
        found: Any = cast(dict[str, Any], data)["scenarios"].get(clause, [])
        return [str(s) for s in found]
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return None
