"""A book between two edits: which of its files are others, and which scenarios hold what was edited.

A scenario's program has only those rules and texts of cards that its world can come to, so a scenario whose program has none of the edited lines
does not execute them."""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

from ...model.engine.library import book_places, load_book, shown_path
from ...model.engine.table import open_table
from ...spec.diagnostics import BadInput
from ...spec.groups import grouped
from ...spec.readers import read_scenario
from ...spec.reading import OF_A_BOOK, plain_bytes
from ..findings.record import CheckResult
from ..readings.trials import Trial
from ..scenarios.kept_results import fingerprint, is_kept
from ..scenarios.options import CheckOptions
from ..scenarios.subjects import reading_sets

Stamps = Mapping[Path, tuple[int, int]]
"""When each file was written, and how large it is."""
Lines = frozenset[tuple[str, int]]
"""Lines of files, counted from 1, as rules name them."""


@dataclass(frozen=True)
class Edited:
    """Files that are others now, and the lines that were edited, as they were counted before."""

    files: tuple[Path, ...]
    lines: Lines


def stamps(book: str) -> Stamps:
    """Of all files of a book."""
    place = book_places()[book]
    files = {*place.folder.rglob("*"), *(place.rules.glob("*.py") if place.rules else ())}
    out: dict[Path, tuple[int, int]] = {}
    for path in files:
        if path.suffix in OF_A_BOOK and path.is_file():
            said = path.stat()
            out[path] = said.st_mtime_ns, said.st_size
    return out


def texts(files: Stamps) -> dict[Path, str]:
    """What stands in them."""
    return {path: plain_bytes(path).decode(errors="replace") for path in files if path.exists()}


def card_lines(book: str) -> dict[str, list[int]]:
    """On which lines of which files the cards of a book begin. Raises BadInput."""
    out = grouped((card.at.file, card.at.line) for card in load_book(book).cards.values())
    return {file: sorted(lines) for file, lines in out.items()}


def edited(before: Mapping[Path, str], now: Mapping[Path, str], cards: Mapping[str, Sequence[int]]) -> Edited:
    """What is different; where lines were put in, the two around them count, and of a card the line on which it begins (`cards`)."""
    lines: set[tuple[str, int]] = set()
    files = sorted(path for path in {**before, **now} if before.get(path) != now.get(path))
    for path in files:
        old, new = before.get(path, "").splitlines(), now.get(path, "").splitlines()
        for tag, first, last, _, _ in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal":
                touched = range(first, last) if last > first else (first - 1, first)
                lines |= {(name, k + 1) for k in touched for name in (str(path), shown_path(path))}
    begun = {
        (file, starts[k - 1])
        for file, line in lines
        if (starts := cards.get(file)) and (k := bisect_right(starts, line))
    }
    return Edited(tuple(files), frozenset(lines | begun))


def lines_of(path: Path) -> Lines:
    """The lines of rules and texts of cards in the programs of a scenario, and those where its cards stand. Raises BadInput."""
    scenario = read_scenario(path)
    out: set[tuple[str, int]] = set()
    for readings in reading_sets(scenario, {}):
        table = open_table(scenario, readings)
        for function in table.program.functions.values():
            out |= {(at.file, at.line) for at in (function.at, *(one.at for one in function.code))}
        out |= {(card.definition.at.file, card.definition.at.line) for card in table.world.cards}
    return frozenset(out)


def first_those_touched(paths: Sequence[Path], held: Mapping[Path, Lines], by: Edited) -> tuple[list[Path], list[Path]]:
    """The scenarios that are edited themselves or hold what was edited, and the others; of which it is not known, between them."""
    touched = [path for path in paths if path in by.files or held.get(path, frozenset()) & by.lines]
    return touched, sorted((path for path in paths if path not in touched), key=lambda path: path in held)


def since(paths: Sequence[Path], options: CheckOptions, known: Mapping[str, str] | None) -> list[Path]:
    """The scenarios that were not checked by the same rules, data and options: of which no result is kept, or, with what a baseline knows
    (`known`), which it was not made of. Raises BadInput for one that cannot be read."""
    if known is None:
        return [path for path in paths if not is_kept(path, options)]
    return list(resting_on_others(paths, options, known))


def resting_on_others(paths: Sequence[Path], options: CheckOptions, known: Mapping[str, str]) -> dict[Path, str]:
    """The scenarios whose results rest on something else than is known of them, and on what. Raises BadInput."""
    return {path: now for path in paths if known.get(name_of(path)) != (now := fingerprint(path, options))}


def rest_on(paths: Sequence[Path], options: CheckOptions) -> dict[str, str]:
    """What the results of these scenarios rest on, by their names; not of one that cannot be read by now."""
    out: dict[str, str] = {}
    for path in paths:
        with suppress(BadInput):
            out[name_of(path)] = fingerprint(path, options)
    return out


def name_of(path: Path) -> str:
    """What a baseline calls a scenario. Raises BadInput."""
    scenario = read_scenario(path)
    return f"{scenario.book.value}/{scenario.id.value}"


def compared(before: Sequence[CheckResult], after: Sequence[CheckResult]) -> list[Trial]:
    """What became of the results of a scenario, reading set by reading set."""
    known = {repr(sorted(one.readings.items())): one for one in before}
    return [Trial({}, known.get(repr(sorted(one.readings.items())), replace(one, findings=())), one) for one in after]

