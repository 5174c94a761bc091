"""`rulewright export --to itf|dot|graphml`: plays and graphs, written as files."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from ...model.engine.state import State
from ...model.engine.table import open_table
from ...spec.diagnostics import BadInput, Diagnostic
from ...spec.readers import read_scenario
from ...spec.text import Lang, Text
from ...spec.writing import in_folder, write_whole
from ..explore.explorer import BoundAtStart, explore
from ..findings.record import CheckResult, Finding
from ..scenarios.saved_plays import SavedPlay
from ..scenarios.subjects import limits_of, subject_of
from ..stored.cases import Case, read_case
from .graphs import as_dot, as_graphml, graph_of
from .itf import case_as_itf, record_as_itf, states_along

GRAPH_FORMS: Mapping[str, Callable[..., str]] = {"dot": as_dot, "graphml": as_graphml}


def cases_of(path: Path, check: Callable[[Path], Iterable[CheckResult]]) -> list[Case]:
    """The case of a case file; of a scenario, one for each of its findings."""
    try:
        return [read_case(path)]
    except BadInput as error:
        if error.diagnostics[0].code != "not-a-case":
            raise
    found: dict[str, Finding] = {}
    for result in check(path):
        for finding in result.findings:
            found.setdefault(finding.id, finding)
    return [Case(path, str(path.resolve()), finding) for finding in found.values()]


def write_plays(cases: Sequence[Case], folder: Path, lang: Lang) -> list[Path]:
    """Each play as `<id>-<scenario>.itf.json`, since several scenarios may show one defect. Raises BadInput where one does not replay."""
    written: list[Path] = []
    for case in cases:
        try:
            data = case_as_itf(case, lang)
        except ValueError:
            problem = Text(ja=f"{case.finding.id} の手順は再生できません", en=f"the play of {case.finding.id} does not replay")
            raise BadInput([Diagnostic(None, "no-replay", problem, None, str(case.path))]) from None
        written.append(write_itf(folder, f"{case.finding.id}-{case.finding.scenario}", data))
    return written


def write_record(record: SavedPlay, folder: Path, lang: Lang) -> Path:
    """A saved play as `<name of its file>.itf.json`. Raises BadInput."""
    return write_itf(folder, record.path.stem, record_as_itf(record, lang))


def write_itf(folder: Path, name: str, data: Mapping[str, object]) -> Path:
    """A trace, written as a file."""
    return write(in_folder(folder, f"{name}.itf.json"), json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def write_graph(
    path: Path, readings: Mapping[str, str], form: str, folder: Path, lang: Lang, most: int, loop: Finding | None = None
) -> Path:
    """The graph of a scenario, or of the part in which a loop runs, as `<scenario>.dot` or `.graphml`. Raises BadInput."""
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
