"""What is written for other tools: questions for solvers, plays, graphs, models for SPIN."""
from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from ...model.engine.state import State
from ...model.engine.table import open_table
from ...spec.diagnostics import BadInput, Diagnostic
from ...spec.readers import read_scenario
from ...spec.text import Lang, Text
from ...spec.writing import file_name, in_folder, write_whole
from ..explore.explorer import BoundAtStart, explore
from ..export.c_expressions import CannotExport
from ..export.graphs import as_dot, as_graphml, graph_of
from ..export.itf import case_as_itf, record_as_itf, states_along
from ..export.promela import promela_model, write_promela
from ..findings.record import Finding
from ..scenarios.options import CheckOptions
from ..scenarios.saved_plays import saved_play
from ..scenarios.subjects import limits_of, subject_of
from ..stored.cases import Case, read_case
from .asking import book_and_cards
from .session import check, the_finding

GRAPH_FORMS: Mapping[str, Callable[..., str]] = {"dot": as_dot, "graphml": as_graphml}


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


def export_model(path: Path, readings: Mapping[str, str], folder: Path, ways: int, frame_bytes: int) -> list[Path]:
    """Write a scenario as a model for SPIN, and say which files. Raises BadInput."""
    table = open_table(read_scenario(path), readings)
    name = file_name(table.scenario.id.value.replace("-", "_"))
    try:
        model = promela_model(table.engine, table.positions, name, ways, frame_bytes)
    except CannotExport as e:
        raise BadInput([
            Diagnostic(
                table.scenario.position, "cannot-export",
                Text(ja=f"このシナリオは Promela に書き出せません: {e}", en=f"this scenario cannot be exported: {e}"),
            )
        ]) from None
    return write_promela(model, name, folder)


def export_plays(path: Path, readings: Mapping[str, str], folder: Path, lang: Lang) -> list[Path]:
    """Write a saved play, the play of a case, or those of all findings of a scenario, in ITF: each as `<id>-<scenario>.itf.json`, since several
    scenarios may show one defect. Raises BadInput, also where a play does not replay."""
    if (record := saved_play(path)) is not None:
        return [write_itf(folder, record.path.stem, record_as_itf(record, lang))]
    written: list[Path] = []
    for case in cases_of(path, readings):
        try:
            data = case_as_itf(case, lang)
        except ValueError:
            problem = Text(ja=f"{case.finding.id} の手順は再生できません", en=f"the play of {case.finding.id} does not replay")
            raise BadInput([Diagnostic(None, "no-replay", problem, None, str(case.path))]) from None
        written.append(write_itf(folder, f"{case.finding.id}-{case.finding.scenario}", data))
    return written


def cases_of(path: Path, readings: Mapping[str, str]) -> list[Case]:
    """The case of a case file; of a scenario, one for each of its findings."""
    try:
        return [read_case(path)]
    except BadInput as error:
        if error.diagnostics[0].code != "not-a-case":
            raise
    found: dict[str, Finding] = {}
    for result in check(path, CheckOptions(readings)):
        for finding in result.findings:
            found.setdefault(finding.id, finding)
    return [Case(path, str(path.resolve()), finding) for finding in found.values()]


def write_itf(folder: Path, name: str, data: Mapping[str, object]) -> Path:
    """A trace, written as a file."""
    return write(in_folder(folder, f"{name}.itf.json"), json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def export_graph(
    path: Path, readings: Mapping[str, str], form: str, folder: Path, lang: Lang, most: int, finding_id: str | None
) -> Path:
    """Write the graph of a scenario, or the part of it in which the loop of a finding runs, as `<scenario>.dot` or `.graphml`. Raises BadInput."""
    loop = None if finding_id is None else the_finding(path, finding_id, CheckOptions(readings))
    scenario = read_scenario(path)
    subject = subject_of(open_table(scenario, {**readings, **(loop.readings if loop else {})}), symmetry=False)
    try:
        out = explore(subject.engine, subject.starts, limits_of(scenario, None, None, None))
    except BoundAtStart as error:
        problem = Text(ja=f"最初の選択の前に範囲の外へ出ます（{error.end.detail}）", en=f"play leaves a bound before the first choice ({error.end.detail})")
        raise BadInput([Diagnostic(scenario.position, "bound", problem)]) from None
    only: list[State] = []
    if loop is not None:
        for start in range(len(subject.starts)):
            told = states_along(subject, start, loop.play.stem, loop.play.cycle)
            if told is not None and told[1] is not None:
                only = [state for state, _ in told[0][told[1]:]]
        if not only:
            problem = Text(ja=f"{loop.id} には繰り返す局面がありません", en=f"{loop.id} has no positions that repeat")
            raise BadInput([Diagnostic(scenario.position, "no-loop", problem, None, loop.id)])
    name = scenario.id.value if loop is None else loop.id
    return write(in_folder(folder, f"{name}.{form}"), GRAPH_FORMS[form](graph_of(subject, out, lang, most, only)))


def write(path: Path, text: str) -> Path:
    """Write a file, and say where. Raises BadInput."""
    write_whole(path, text)
    return path
