"""What is written for other tools: questions for solvers, plays, graphs, models for SPIN."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...spec.text import Lang
from ...spec.writing import in_folder, write_whole
from ..export.models import export as export_model
from ..export.plays import cases_of, write_graph, write_plays, write_record
from ..scenarios.options import CheckOptions
from ..scenarios.saved_plays import saved_play
from .asking import book_and_cards
from .session import check, the_finding


def export_questions(target: str, readings: Mapping[str, str], folder: Path) -> list[Path]:
    """Write what is asked about every position of a book for other solvers (SMT-LIB 2); of a scenario: what is asked about
    loops and orders with its cards. Raises BadInput."""
    from ..smt.queries.every import queries

    book, cards = book_and_cards(target)
    name = book if cards is None else f"{book}-{Path(target).stem}"
    written: list[Path] = []
    for number, query in enumerate(queries(book, cards, readings), 1):
        written.append(in_folder(folder, f"{name}-{number:02}.smt2"))
        write_whole(written[-1], query.text())
    return written


def export_plays(path: Path, readings: Mapping[str, str], folder: Path, lang: Lang) -> list[Path]:
    """Write a saved play, the play of a case, or those of all findings of a scenario, in ITF. Raises BadInput."""
    if (record := saved_play(path)) is not None:
        return [write_record(record, folder, lang)]
    return write_plays(cases_of(path, lambda scenario: check(scenario, CheckOptions(readings))), folder, lang)


def export_graph(
    path: Path, readings: Mapping[str, str], form: str, folder: Path, lang: Lang, most: int, finding_id: str | None
) -> Path:
    """Write the graph of a scenario, or the part of it in which the loop of a finding runs. Raises BadInput."""
    finding = None if finding_id is None else the_finding(path, finding_id, CheckOptions(readings))
    return write_graph(path, readings, form, folder, lang, most, finding)


__all__ = ["export_graph", "export_model", "export_plays", "export_questions"]
