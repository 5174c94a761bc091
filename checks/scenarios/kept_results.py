"""What was found in a scenario before, kept under the hash of everything that it depends on."""
from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from functools import cache
from pathlib import Path

from ...model.engine.library import book_names, hash_of_files, load_book
from ...spec.diagnostics import BadInput
from ...spec.kept import hash_of, is_made, made
from ...spec.readers import read_scenario
from ...spec.reading import file_bytes
from ...spec.text import Text
from ..findings.record import CheckResult
from ..limits.ending import time_left
from .expectation import control_file
from .options import CheckOptions
from .subjects import limits_of

Note = Callable[[Text], None] | None
NO_MATTER = ("store", "stop", "keep", "threads", "remembered", "kept", "checkpoint_seconds", "cluster")
"""Options that change nothing of what is found."""
PART = 0.2
"""Of the time that there was, what was found in less cannot have been cut: no part of it has less."""


def kept_or_found(
    path: Path, options: CheckOptions, note: Note, find: Callable[[Note], list[CheckResult]]
) -> list[CheckResult]:
    """What `find` gives, or gave before of the same rules, data, scenario and options. What a limit on time or memory may have cut is
    not kept, nor what has evidence, a checkpoint or a disk that may have been full."""
    limits = limits_of(scenario := read_scenario(path), None, options.max_seconds, options.max_memory_mib)
    usual = (
        options.kept
        and not options.certify
        and options.checkpoint is None
        and options.disk is None
        and limits.memory_mib is None
    )
    if not usual or scenario.book.value not in book_names():
        return find(note)
    begun, said, what = time.monotonic(), list[Text](), basis(path, options)

    allowed = limits.seconds if (left := time_left(options.stop)) is None else left

    def whole(_: object) -> bool:
        """Was nothing cut, and nothing edited while it was looked at?"""
        stopped = options.stop is not None and options.stop()
        in_time = allowed is None or time.monotonic() - begun < PART * allowed / max(1, len(scenario.expect))
        book = load_book(scenario.book.value)
        with suppress(BadInput, OSError):  # edited so that it cannot be read any more
            return not stopped and in_time and basis(path, options) == what and hash_of_files(book.folder) == book.data
        return False

    results, told = made("results", what, lambda: (find(said.append), said), whole)
    if note is not None:
        for text in told:
            note(text)
    return results


def is_kept(path: Path, options: CheckOptions) -> bool:
    """Is there a result that `kept_or_found` would give? Raises BadInput."""
    return is_made("results", basis(path, options))


def fingerprint(path: Path, options: CheckOptions) -> str:
    """All that the results of a scenario depend on, as a hash that is the same in another checkout. Raises BadInput."""
    return hashlib.sha256(basis(path, options).replace(str(Path.cwd()), "").encode()).hexdigest()


def basis(path: Path, options: CheckOptions) -> str:
    """All that the results of a scenario depend on, as text."""
    return "\n".join([
        code_of_checks(), contents(path),
        *(f"{f.name} {sorted(x.items()) if isinstance(x := getattr(options, f.name), dict) else x}"
          for f in fields(options) if f.name not in NO_MATTER),
    ])


def contents(path: Path) -> str:
    """What stands in the files of a scenario and of its book, as hashes. Raises BadInput."""
    book = load_book(read_scenario(path).book.value)
    return "\n".join([
        book.rulebook.digest, book.data, str(book.folder),
        *(f"{file} {hashlib.sha256(file_bytes(file)).hexdigest()}" for file in sorted(files_of(path)))])


def files_of(path: Path) -> set[Path]:
    """The files that a scenario is made of, besides its book's. Raises BadInput."""
    scenario = read_scenario(path)
    control = control_file(scenario, path)
    return {path, *scenario.tables, *(() if control is None else (control, *read_scenario(control).tables))}


@cache
def code_of_checks() -> str:
    """A hash of what looks for findings: the checks, and which editions of libraries there are (`made` itself looks after the rest of
    Rulewright)."""
    here = Path(__file__).parent.parent
    return hash_of(
        repr(sorted({p.name for folder in sys.path for p in Path(folder).glob("*.dist-info")})),
        ((str(path.relative_to(here)), path) for path in sorted(here.rglob("*.py"))))
