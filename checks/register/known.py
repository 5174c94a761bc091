"""Which scenarios execute which clause, kept by `coverage --executed` for `where`, under all that decides it: the book's files, added card
tables, the rules that books share, and Rulewright itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...spec.kept import code_hash, keep, read_kept
from ...spec.own_folder import cache_folder
from ...spec.readers import read_scenario
from ...spec.reading import plain_bytes
from ..scenarios.kept_results import code_of_checks
from .books import BookFiles

KIND = "executed"


def key(book: BookFiles) -> str:
    """A hash of all that decides what is executed, but for card tables that lie elsewhere."""
    rules = book.rules.rglob("*.py") if book.rules else ()
    data = (path for path in book.folder.rglob("*") if path.suffix not in (".py", ".pyc") and path.is_file())
    return hashlib.sha256(f"{code_hash()}\n{code_of_checks()}\n{book.name}\n{sums_of([*rules, *data])}".encode()).hexdigest()


def sums_of(files: Iterable[Path]) -> dict[str, str]:
    """Hashes of files; of one that is not there, nothing."""
    return {
        str(file): hashlib.sha256(plain_bytes(file)).hexdigest() if file.is_file() else ""
        for file in sorted(set(files))
    }


def remember(book: BookFiles, scenarios: Mapping[str, Sequence[str]]) -> None:
    """Keep it."""
    tables = sums_of(
        table for path in sorted((book.folder / "scenarios").glob("*.yaml")) for table in read_scenario(path).tables
    )
    told = {"tables": tables, "scenarios": dict(scenarios)}
    keep(cache_folder(KIND), key(book), json.dumps(told, ensure_ascii=False).encode())


def executing(book: BookFiles, clause: str) -> list[str] | None:
    """The scenarios that execute a clause; `None` where that is not known (any more)."""
    content = read_kept(cache_folder(KIND), key(book))
    if content is None:
        return None
    told: dict[str, Any] = json.loads(content)  # as it was written: `read_kept` sees to that
    if sums_of(map(Path, told["tables"])) != told["tables"]:
        return None
    return [str(s) for s in told["scenarios"].get(clause, ())]
