"""Stored cases: a finding with the play that makes it happen, replayed in the reference engine."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from ..model.engine.state import Option, State
from ..model.engine.table import open_table
from ..spec.diagnostics import BadInput, Diagnostic, Position
from ..spec.document import read_document
from ..spec.readers import read_scenario
from ..spec.text import Text
from .checking import check_subject
from .explore.growth import difference
from .explore.subject import Subject
from .findings.as_json import NotARecord, finding_as_json, finding_from_json
from .findings.record import Finding, PlayStep
from .subjects import limits_of, scenario_paths, subject_of

FORM = 1


@dataclass(frozen=True)
class Case:
    """A stored case: the finding, and the scenario it belongs to: a shipped one, or a path from the case's folder."""

    path: Path
    scenario: str
    finding: Finding

    @property
    def scenario_file(self) -> Path:
        """The file of the scenario."""
        beside = self.path.parent / self.scenario
        return beside if beside.suffix in (".yaml", ".yml") else scenario_paths(self.scenario)[0]


@dataclass(frozen=True)
class Replayed:
    """How a case went: the steps as they happen now; `why` tells where they part from what was stored, if they do."""

    steps: tuple[PlayStep, ...]
    why: Text | None


# ---------------------------------------------------------------- writing and reading
def store(finding: Finding, scenario: str, folder: Path) -> Path:
    """Write a case as `<book>/NNN-scenario-XXXX.yaml`; a case of the same finding is written over. `scenario` is a
    shipped one or a path; a path is written as it is seen from the case's folder."""
    where = folder / finding.book
    where.mkdir(parents=True, exist_ok=True)
    if Path(scenario).suffix in (".yaml", ".yml"):
        scenario = Path(os.path.relpath(scenario, where)).as_posix()
    last = finding.id.rsplit("-", 1)[-1]
    existing = sorted(where.glob(f"*-{finding.scenario}-{last}.yaml"))
    numbers = [int(m[1]) for p in where.glob("*.yaml") if (m := re.match(r"(\d{3})-", p.name))]
    path = existing[0] if existing else where / f"{max(numbers, default=0) + 1:03}-{finding.scenario}-{last}.yaml"
    yaml = YAML()
    yaml.width = 110
    out = io.StringIO()
    yaml.dump({"form": FORM, "scenario": scenario, "finding": finding_as_json(finding)}, out)
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def read_case(path: Path) -> Case:
    """Read a stored case. Raises BadInput for anything that is wrong with the file."""
    read_document(path)  # says where it is broken
    data: Any = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    try:
        if not isinstance(data, dict) or data.get("form") != FORM:
            raise NotARecord("form", f"form {FORM} is needed")
        scenario = data.get("scenario")
        if not isinstance(scenario, str):
            raise NotARecord("scenario", "the scenario is missing")
        return Case(path, scenario, finding_from_json(data.get("finding")))
    except NotARecord as e:
        raise BadInput(
            [
                Diagnostic(
                    Position(str(path), 1, 1),
                    "not-a-case",
                    Text(ja=f"保存された事例として読めません（{e}）", en=f"this is not a stored case ({e})"),
                    Text(
                        ja="`rulewright check … --store` で書き出したファイルを指定してください",
                        en="give a file written by `rulewright check … --store`",
                    ),
                )
            ]
        ) from None


# ---------------------------------------------------------------- replaying
def subject_for(case: Case) -> Subject:
    """The case's scenario under its readings, without symmetry."""
    return subject_of(open_table(read_scenario(case.scenario_file), case.finding.readings), symmetry=False)


def replay(case: Case) -> Replayed:
    """Step through the case; it must go as stored, and a loop must close. Where the orders of the decks are enumerated,
    that has to be so from one of them; else what comes nearest is told."""
    subject = subject_for(case)
    nearest = Replayed((), None)
    for start in range(len(subject.starts)):
        done = replay_from(subject, case, start)
        if done.why is None:
            return done
        if nearest.why is None or len(done.steps) > len(nearest.steps):
            nearest = done
    return nearest


def replay_from(subject: Subject, case: Case, start: int) -> Replayed:
    """Step through the case from one of the first positions."""
    play = case.finding.play
    first: list[PlayStep] = []
    stem = list(play.stem)
    opening = subject.opening(start)
    if opening is not None and stem:
        first.append(opening)
        stem = stem[1:]
    state = subject.starts[start].state
    steps, state, why = along(subject, state, stem, len(first))
    if why is not None or not play.cycle:
        return Replayed((*first, *steps), why)
    head = state
    around, state, why = along(subject, head, play.cycle, len(first) + len(steps))
    if (
        why is None
        and state != head
        and not (case.finding.growing and state.end is None and difference(head, state) is not None)
    ):
        why = Text(
            ja="繰り返し部分の後、状態が元へ戻りません", en="after the repeated part the position is not as before"
        )
    return Replayed((*first, *steps, *around), why)


def along(
    subject: Subject, state: State, stored: Sequence[PlayStep], before: int
) -> tuple[list[PlayStep], State, Text | None]:
    """Take the stored options one by one; where one is not there any more, say so. Steps count on from `before`."""
    steps: list[PlayStep] = []
    for k, step in enumerate(stored, before + 1):
        at = subject.engine.point(state)
        if at is None:
            return (
                steps,
                state,
                Text(ja=f"{k}手順目の前に、ゲームが終わっています", en=f"play has ended before step {k}"),
            )
        option = find_option(subject, state, step)
        if option is None:
            chosen = step.chosen or Text(ja="進行", en="to go on")
            return (
                steps,
                state,
                Text(
                    ja=f"{k}手順目の選択（{chosen.ja}）は、もうできません",
                    en=f"step {k} ({chosen.en}) is no longer possible",
                ),
            )
        told, arrival = subject.tell(state, option)
        steps.append(told)
        state = arrival.state
    return steps, state, None


def find_option(subject: Subject, state: State, step: PlayStep) -> Option | None:
    """The stored option: by its number, if it is still called the same; else by its name."""
    at = subject.engine.point(state)
    assert at is not None
    d = subject.describer
    if step.chosen is None:
        return at.options[0] if len(at.options) == 1 else None
    if step.option < len(at.options) and d.taken(state, at, at.options[step.option]) == step.chosen:
        return at.options[step.option]
    return next((o for o in at.options if d.taken(state, at, o) == step.chosen), None)


def judge_again(case: Case) -> Text | None:
    """Check the case's scenario anew: is the finding still found? None if it is, else why not."""
    scenario = read_scenario(case.scenario_file)
    table = open_table(scenario, case.finding.readings)
    result = check_subject(subject_of(table, symmetry=True), limits_of(scenario, None, None, None))
    if any(f.id == case.finding.id for f in result.findings):
        return None
    return Text(
        ja="手順は再生できますが、検査ではもう指摘になりません", en="the play replays, but checking no longer finds it"
    )


def verify(path: Path) -> tuple[str, Text | None]:
    """The finding's id, and why its case does not reproduce (None if it does)."""
    try:
        case = read_case(path)
        why = replay(case).why or judge_again(case)
    except BadInput as e:
        first = e.diagnostics[0]
        return path.stem, Text(
            ja=f"読めません: {first.render('ja').splitlines()[0]}",
            en=f"cannot be read: {first.render('en').splitlines()[0]}",
        )
    return case.finding.id, why


__all__ = ["Case", "Replayed", "judge_again", "read_case", "replay", "store", "verify"]
