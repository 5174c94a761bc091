"""Stored cases: a finding with the play that makes it happen, and what `check` was asked."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import cast

from ruamel.yaml import YAML

from ...spec.diagnostics import BadInput, Diagnostic, Position
from ...spec.document import ListNode, MapNode, Node, Style, TextNode, read_document
from ...spec.text import Text
from ...spec.writing import file_name, held, in_folder, write_whole
from ..findings.as_json import UNKNOWN_KEY, NotARecord, finding_as_json, finding_from_json, plain, record
from ..findings.record import Finding
from ..scenarios.subjects import scenario_beside

FORM = 1
SETTLED = 5_000
"""Of one scenario, settlements are checked at once where a run has no more positions than this."""
MOST_DIGITS = 4_000
"""Digits of a number; Python reads no more."""
KEYS = ("form", "scenario", "asked", "finding")
"""What is in a case."""


class Sets(Enum):
    """Under which sets of answers to the readings a scenario is checked."""

    PINNED = "pinned"
    """Those that it pins, or the one given."""
    DEFAULTS = "default"
    ALL = "all"


@dataclass(frozen=True)
class Asked:
    """What `check` was asked where it found what is stored, as far as that decides what it finds and tells; of a single scenario
    where nothing else is said. Limits on time and memory are not among it: how far a search comes by them is no property of the rules."""

    readings: Mapping[str, str] = field(default_factory=dict[str, str])
    sets: Sets = Sets.PINNED
    symmetry: bool = True
    max_states: int | None = None
    fingerprints: bool = False
    settle: int | None = SETTLED


USUAL = Asked()


@dataclass(frozen=True)
class Case:
    """A stored case: the finding, the scenario it belongs to (a shipped one, or a path from the case's folder), and what `check` was
    asked."""

    path: Path
    scenario: str
    finding: Finding
    asked: Asked = USUAL

    @property
    def scenario_file(self) -> Path:
        """The file of the scenario."""
        return scenario_beside(self.path.parent, self.scenario)


# ---------------------------------------------------------------- writing and reading
def store(finding: Finding, scenario: str, folder: Path, asked: Asked = USUAL) -> Path:
    """Write a case as `<book>/NNN-scenario-XXXX.yaml`; a case of the same finding is written over. `scenario` is a
    shipped one or a path; a path is written as it is seen from the case's folder. Of what was asked, what is not usual is written."""
    where = in_folder(folder, finding.book)
    if Path(scenario).suffix in (".yaml", ".yml"):
        scenario = Path(os.path.relpath(scenario, where)).as_posix()
    yaml = YAML()
    yaml.width = 110
    out = io.StringIO()
    usual = cast(dict[str, object], plain(USUAL))
    unusual = {name: said for name, said in cast(dict[str, object], plain(asked)).items() if said != usual[name]}
    yaml.dump(
        {
            "form": FORM,
            "scenario": scenario,
            **({"asked": unusual} if unusual else {}),
            "finding": finding_as_json(finding),
        },
        out,
    )
    name = f"{finding.scenario}-{finding.id.rsplit('-', 1)[-1]}.yaml"
    with held(where):
        numbered = {p.name: m for p in where.glob("*.yaml") if (m := re.match(r"(\d{3,})-(.*)", p.name))}
        known = sorted(file for file, m in numbered.items() if m[2] == file_name(name))
        path = in_folder(where, known[0] if known else f"{max((int(m[1]) for m in numbered.values()), default=0) + 1:03}-{file_name(name)}")
        write_whole(path, out.getvalue())
    return path


def read_case(path: Path) -> Case:
    """Read a stored case. Raises BadInput for anything that is wrong with the file."""
    document = read_document(path)
    read = data_of(document)
    try:
        if not isinstance(read, dict) or type(read.get("form")) is not int or read["form"] != FORM:
            raise NotARecord("form", Text(f"{FORM} でなければなりません", f"form {FORM} is needed"))
        data = cast(dict[str, object], read)
        scenario = data.get("scenario")
        if not isinstance(scenario, str):
            raise NotARecord("scenario", Text("状況がありません", "the scenario is missing"))
        for key in data:
            if key not in KEYS:
                raise NotARecord(key, UNKNOWN_KEY)
        try:
            finding = finding_from_json(data.get("finding"))
        except NotARecord as e:
            raise e.within("finding") from None
        try:
            return Case(path, scenario, finding, record(Asked, data.get("asked", {})))
        except NotARecord as e:
            raise e.within("asked") from None
    except NotARecord as e:
        raise BadInput(
            [
                Diagnostic(
                    position_of(document, e.place),
                    "not-a-case",
                    Text(ja=f"保存された事例として読めません（{e.said.ja}）", en=f"this is not a stored case ({e.said.en})"),
                    Text(
                        ja="`rulewright check … --store` で書き出したファイルを指定してください",
                        en="give a file written by `rulewright check … --store`",
                    ),
                )
            ]
        ) from None


def position_of(node: Node, place: str) -> Position:
    """Where in a document a place of its data is (`finding.play.stem[3].option`), as far as there is such a place."""
    at = node.position
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", place):
        if (
            isinstance(node, MapNode)
            and (entry := next((e for e in node.entries if e.key.text == name), None)) is not None
        ):
            at, node = entry.key.position, entry.value
        elif isinstance(node, ListNode) and index and int(index) < len(node.items):
            node = node.items[int(index)]
            at = node.position
        else:
            break
    return at


NONE, TRUE, FALSE = ("", "~", "null", "Null", "NULL"), ("true", "True", "TRUE"), ("false", "False", "FALSE")
WHOLE, BROKEN = re.compile(r"[-+]?[0-9]+"), re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def data_of(node: Node) -> object:
    """The data of a document by YAML's core schema: what is written without quotation marks may be a number, yes or no, or nothing."""
    match node:
        case MapNode():
            return {entry.key.text: data_of(entry.value) for entry in node.entries}
        case ListNode():
            return [data_of(item) for item in node.items]
        case TextNode(text=text) if node.style is not Style.PLAIN:
            return text
        case TextNode(text=text):
            if text in NONE:
                return None
            if text in TRUE or text in FALSE:
                return text in TRUE
            if WHOLE.fullmatch(text) and len(text) <= MOST_DIGITS:
                return int(text)
            return float(text) if BROKEN.fullmatch(text) else text
