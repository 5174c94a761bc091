"""The findings of the last check, and cases that are stored: to explain and to replay."""
from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from operator import itemgetter
from pathlib import Path

from ...spec.diagnostics import BadInput, Diagnostic, nearest
from ...spec.own_folder import cache_folder, is_own
from ...spec.reading import plain_bytes
from ...spec.text import Text
from ...spec.writing import held, write_whole
from ..findings import words
from ..findings.as_json import finding_as_json, finding_from_json
from ..findings.record import CheckResult, Finding, PlayStep
from ..scenarios.kept_results import contents
from ..scenarios.saved_plays import saved_play
from ..scenarios.subjects import is_shipped, scenario_paths
from . import cases, replaying


@dataclass(frozen=True)
class ReplayReport:
    """A stored case or a saved play, stepped through in the reference engine: the steps as they happen now; `why` says in what they differ
    from what was stored. `finding`: that of a case; None of a saved play."""

    path: Path
    book: str
    title: Text
    finding: Finding | None
    steps: tuple[PlayStep, ...]
    reproduced: bool
    why: Text | None = None

    @property
    def stem(self) -> int:
        """How many steps there are before those that repeat."""
        return len(self.steps if self.finding is None else self.finding.play.stem)


def cache_file() -> Path:
    """Where the findings of the last check are kept, for `explain`."""
    return cache_folder("last-check.jsonl")


def own_text(file: Path) -> str:
    """What stands there; nothing if that is no file, or another user's."""
    return plain_bytes(file).decode() if file.exists() and is_own(file) else ""


FILE, MADE_OF = "scenario_file", "made_of"
"""What is kept with a finding: where it comes from."""
MOST_KEPT = 500
"""Findings that are kept where the file has become too long."""
MOST_BYTES = 8_000_000
"""A file that is longer than this is cut."""


def remember(path: Path, results: Sequence[CheckResult]) -> None:
    """Keep the findings of a scenario for `explain` and `store`."""
    remember_all([(path, results)], itemgetter(0))


def remember_all(
    several: Iterable[tuple[Path, Sequence[CheckResult]]], told: Callable[[Sequence[Finding]], Finding]
) -> None:
    """The same of several scenarios, one finding on a line; a cache that cannot be written is done without. `told`: of findings with one
    id, which the page of this check tells."""
    found: dict[str, list[Finding]] = {}
    for path, results in several:
        for finding in (f for r in results for f in r.findings):
            found.setdefault(finding.id, []).append(finding)
            checked[finding.id, finding.scenario] = str(path)
    made = cache(made_of)
    new: list[str] = []
    for one in map(told, found.values()):
        path = Path(checked[one.id, one.scenario]).absolute()
        new.append(
            json.dumps({**finding_as_json(one), FILE: str(path), MADE_OF: made(path)}, ensure_ascii=False) + "\n"
        )
    if not new:
        return
    with suppress(BadInput, OSError, ValueError), held(file := cache_file()):
        lines = own_text(file).splitlines(keepends=True)
        mine = dict.fromkeys(new)
        lines = [*(line for line in dict.fromkeys(lines) if line not in mine and id_in(line) not in found), *mine]
        if sum(map(len, lines)) > MOST_BYTES:
            lines = lines[-MOST_KEPT:]
        write_whole(file, "".join(lines), lasting=False, own=True)


def id_in(line: str) -> str:
    """The id of a finding that is kept; nothing where the line cannot be read."""
    try:
        return str(json.loads(line)["id"])
    except (ValueError, KeyError, TypeError):
        return ""


def made_of(path: Path) -> str:
    """A hash of what stands in the files of a scenario and of its book; nothing where they cannot be read."""
    try:
        return hashlib.sha256(contents(path).encode()).hexdigest()
    except (BadInput, OSError):
        return ""


def edited_since(finding: Finding) -> Text | None:
    """That files of the finding's scenario, or of its book, are others than when it was kept, or that they cannot be read any more; nothing where
    that is not known."""
    kept, source = _kept().get(finding.id, (None, {}))
    if kept != finding or not source.get(MADE_OF):
        return None
    now = made_of(Path(source[FILE]))
    return None if now == source[MADE_OF] else words.EDITED_SINCE if now else words.UNREAD_SINCE


def remembered() -> dict[str, Finding]:
    """The findings that were kept; of each the latest."""
    return {name: finding for name, (finding, _) in _kept().items()}


def _kept() -> dict[str, tuple[Finding, dict[str, str]]]:
    """The findings that were kept, with their sources."""
    found: dict[str, tuple[Finding, dict[str, str]]] = {}
    try:
        lines = own_text(cache_file()).splitlines()
    except (OSError, ValueError):
        return found
    for line in lines:
        try:
            record = json.loads(line)
            source = {key: record.pop(key) for key in (FILE, MADE_OF) if key in record}
            finding = finding_from_json(record)
        except (BadInput, ValueError, KeyError, TypeError, AttributeError):
            continue  # of another version, or cut short
        found[finding.id] = finding, source
    return found


checked: dict[tuple[str, str], str] = {}
"""The scenario file of each finding of this run, by its id and the scenario's."""


def place_of(finding: Finding) -> str:
    """The scenario file of a finding of this run, as it is seen from here if it lies below."""
    path = Path(
        checked.get((finding.id, finding.scenario)) or scenario_paths(f"{finding.book}/{finding.scenario}")[0]
    ).resolve()
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()


def store_case(finding: Finding, folder: Path, asked: cases.Asked = cases.USUAL) -> Path:
    """Write a finding as a case that replays, and say where. Of several plays, the one that is shown. `asked`: of what check."""
    finding = replace(finding, more=())
    path = checked.get((finding.id, finding.scenario), "")
    shipped = f"{finding.book}/{finding.scenario}"
    return cases.store(finding, shipped if not path or is_shipped(Path(path), finding.book) else path, folder, asked)


def stored_cases() -> Path:
    """The folder of the cases that are shipped."""
    return Path(str(files("rulewright.counterexamples")))


def case_files(path: Path) -> list[Path]:
    """The case files of a folder, or the one file. Raises BadInput if there is no such path."""
    if path.is_dir():
        return sorted(path.rglob("*.yaml"))
    if not path.exists():
        raise BadInput(
            [
                Diagnostic(
                    None,
                    "no-such-file",
                    Text(ja=f"{path} というファイルやフォルダーはありません", en=f"there is no file or folder {path}"),
                    None,
                    str(path),
                )
            ]
        )
    return [path]


def replay(path: Path) -> ReplayReport:
    """Step through a stored case, or a saved play, in the reference engine. Raises BadInput."""
    if (record := saved_play(path)) is not None:
        title, steps, why = replaying.replay_record(record)
        return ReplayReport(path, record.log.book, title, None, steps, why is None, why)
    case = cases.read_case(path)
    done = replaying.replay(case)
    title = Text(ja=f"{case.finding.id}  {case.finding.title.ja}", en=f"{case.finding.id}  {case.finding.title.en}")
    return ReplayReport(path, case.finding.book, title, case.finding, done.steps, not done.differences, done.why)


def find(finding_id: str) -> Finding:
    """The finding with this id (or its last four characters), from the stored cases or from what was checked last."""
    asked = finding_id.upper()
    last = asked.rsplit("-", 1)[-1]
    found: dict[str, Finding] = {}
    files = case_files(stored_cases())
    for file in files:
        if file.stem.endswith(f"-{last}"):  # a case is named after its finding; reading all would take long
            try:
                case = cases.read_case(file)
            except BadInput:
                continue
            found[case.finding.id] = case.finding
    found |= remembered()
    known = [*found, *(file.stem.rsplit("-", 1)[-1] for file in files)]
    hits = [f for k, f in found.items() if k == asked or k.rsplit("-", 1)[-1] == asked]
    if hits:
        return hits[-1]
    near = nearest(asked, known)
    raise BadInput(
        [
            Diagnostic(
                None,
                "unknown-finding",
                Text(ja=f"{finding_id} という指摘は見当たりません", en=f"there is no finding {finding_id}"),
                Text(
                    ja=f"{near} ではありませんか" if near else "先に `rulewright check` を実行してください",
                    en=f"did you mean {near}?" if near else "run `rulewright check` first",
                ),
                finding_id,
            )
        ]
    )
