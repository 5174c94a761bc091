"""Decisions about findings, and findings that are known.

`decisions.yaml` is kept by people and read by every run. An entry belongs to a finding's id, so it survives reruns, and
stays when the finding is gone. A baseline is a list of ids: what is in it was there before.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from ...spec.adding import with_entry
from ...spec.diagnostics import BadInput, Collector, Diagnostic, Position
from ...spec.document import ListNode, Node
from ...spec.reading import file_json, file_text
from ...spec.scalars import date, refuse, text, text_node
from ...spec.schema import Fields, choice, list_of, map_of, read_file, read_text, record
from ...spec.text import Text
from ...spec.writing import held, write_whole
from ..findings import baseline
from ..findings.cut_off import is_cut
from ..findings.identity import PARTS, SEPARATOR, about, prefix
from ..findings.record import CheckResult, Decided, Decision, Finding

FILE = "decisions.yaml"
FINDING_ID = re.compile(r"[A-Z]{2,4}(-\S+)?-[0-9A-Z]{4}")
STATUS = choice(
    Decided, 保留=Decided.OPEN, 仕様=Decided.INTENDED, 修正済み=Decided.FIXED, 裁定=Decided.RULED, 却下=Decided.REJECTED)


# ---------------------------------------------------------------- decisions
def _decision(m: Fields) -> Decision:
    day = m.optional("date", date, "日付")
    return Decision(
        m.required("status", STATUS, "決定"),
        m.optional("reason", text, "理由"),
        m.optional("person", text, "担当"),
        None if day is None else day.isoformat(),
        m.optional("edition", text, "版"),
        m.optional("about", text, "対象"),
    )


def _finding_id(node: Node, report: Collector) -> str:
    found = text_node(node, report)
    if not FINDING_ID.fullmatch(found.text):
        refuse(found, report, "not-a-finding", Text(
            ja=f"「{found.text}」は指摘の番号ではありません", en=f"`{found.text}` is not the id of a finding",
        ), Text(ja="HANA-7.5.3-JVXC のように書いてください", en="write it like `HANA-7.5.3-JVXC`"))
    return found.text


def _latest(node: Node, report: Collector) -> Decision:
    """A decision, or a list of them, the last of which counts."""
    one = record(_decision)
    return list_of(one, least=1)(node, report)[-1] if isinstance(node, ListNode) else one(node, report)


def _decisions(m: Fields) -> Mapping[str, Decision]:
    found = m.required("decisions", map_of(_latest, key=_finding_id), "決定")
    return {name: one.value for name, one in (found or {}).items()}


def read_decisions(path: Path) -> Mapping[str, Decision]:
    """What was decided, by finding. Raises BadInput."""
    return read_file(path, record(_decisions))


def write_decision(path: Path, finding: str, decision: Decision) -> None:
    """Put a decision into the file, behind the earlier ones about the same finding; all that is in it stays as it is. Raises
    BadInput."""
    told = {f.name: str(said) for f in fields(decision) if (said := getattr(decision, f.name)) is not None}
    told["status"] = decision.status.value
    with held(path):
        before = read_decisions(path) if path.exists() else {}  # what is wrong with it is said, not overwritten
        content = file_text(path) if path.exists() else "decisions:\n"
        after = with_entry(content, ("decisions", "決定"), finding, told)
        if read_text(after, str(path), record(_decisions)) != {**before, finding: decision}:
            raise AssertionError(f"{path}: the decision is not read as it was written")
        write_whole(path, after)


def with_decisions(findings: Iterable[Finding], decisions: Mapping[str, Decision], known: frozenset[str]) -> tuple[Finding, ...]:
    """The findings with what was decided about them, and whether they were known."""
    return tuple(replace(f, decision=decisions.get(f.id), known=f.id in known) for f in findings)


def results_with_decisions(
    results: Sequence[CheckResult], decisions: Mapping[str, Decision], known: frozenset[str]
) -> list[CheckResult]:
    """The same for all findings of results; decisions about what has another id by now go along (`carried`)."""
    now = {**decisions, **{new: decisions[old] for new, old in carried(results, decisions).items()}}
    return [replace(r, findings=with_decisions(r.findings, now, known)) for r in results]


def carried(results: Iterable[CheckResult], decisions: Mapping[str, Decision]) -> dict[str, str]:
    """Findings about which nothing was decided under their id, though under another one something was about the very same: the same class and
    clauses, the same who can stop it, in the same scenario, and nothing else is so. Id → the id it was decided under."""
    found = {f.id: about(f) for r in results for f in r.findings}
    lost: dict[str, list[str]] = {}
    for name, decision in decisions.items():
        if name not in found and decision.about is not None:
            lost.setdefault(decision.about, []).append(name)
    undecided: dict[str, list[str]] = {}
    for name, what in found.items():
        if name not in decisions:
            undecided.setdefault(what, []).append(name)
    return {undecided[what][0]: names[0] for what, names in lost.items() if len(names) == 1 and len(undecided.get(what, ())) == 1}


@dataclass(frozen=True)
class Unmatched:
    """A decision about what was not found, though the scenario it was found in was checked as far as its bounds go; and what was found about the
    same clause, the most alike first."""

    id: str
    decision: Decision
    like: tuple[str, ...]


def unmatched(results: Sequence[CheckResult], decisions: Mapping[str, Decision]) -> list[Unmatched]:
    """The decisions that fit nothing in results that were not cut off, of the scenario and book that they are about."""
    moved = set(carried(results, decisions).values())
    found = {f.id: about(f).split(SEPARATOR) for r in results for f in r.findings}
    books = {f"{prefix(r.book)}-" for r in results}
    whole = {r.scenario for r in results} - {r.scenario for r in results if is_cut(r)}
    out: list[Unmatched] = []
    for name, decision in decisions.items():
        what = (decision.about or "").split(SEPARATOR)
        if name in found or name in moved or len(what) != PARTS or what[-1] not in whole or not name.startswith(tuple(books)):
            continue
        like = [other for other, its in found.items() if its[1].split(", ")[0] == what[1].split(", ")[0]]
        out.append(Unmatched(name, decision, tuple(sorted(like, key=lambda o: sum(x != y for x, y in zip(found[o], what, strict=True))))))
    return out


# ---------------------------------------------------------------- baselines
def read_baseline(path: Path) -> frozenset[str]:
    """The ids that a baseline knows. Raises BadInput."""
    if not path.exists():
        raise _trouble(path, Text("ベースラインのファイルがありません", "there is no such baseline"))
    return frozenset(row["id"] for row in baseline_rows(path))


def baseline_rows(path: Path) -> list[baseline.Row]:
    """What a baseline knows. Raises BadInput."""
    try:
        data = file_json(path)
        if data["kind"] == "baseline":
            return [{**one, "id": str(one["id"])} for one in data["findings"]]
    except (KeyError, TypeError):
        pass
    raise _trouble(path, Text("check のベースラインのファイルではありません", "not a baseline of `check`"))


def checked_in(path: Path) -> Mapping[str, str]:
    """Of which scenarios, as of which rules and data (`fingerprint`), a baseline was made. Raises BadInput."""
    checked = file_json(path).get("checked", {})
    return {str(name): str(said) for name, said in checked.items()} if isinstance(checked, dict) else {}


def _trouble(path: Path, problem: Text) -> BadInput:
    hint = Text("--update-baseline を付けると作れます", "--update-baseline makes one")
    return BadInput([Diagnostic(Position(str(path), 1, 1), "baseline", problem, hint, str(path))])


def update_baseline(path: Path, results: Sequence[CheckResult], found: Iterable[Finding], asked: str, checked: Mapping[str, str]) -> int:
    """Note these findings of these results as known; what was known of anything that they did not look at to the end stays. `asked`: the
    questions, where only those were asked; `checked`: of what scenarios, as of which rules and data. Gives how many are known now. Raises BadInput."""
    places: dict[str, set[str]] = {}
    for result in results:
        for finding in result.findings:
            places.setdefault(finding.id, set()).add(_looked_at(result, asked))
    done = {_looked_at(result, asked) for result in results} - {_looked_at(result, asked) for result in results if is_cut(result)}
    seen: dict[str, baseline.Row] = {f.id: {"id": f.id, "title": {"ja": f.title.ja, "en": f.title.en}, "in": sorted(places[f.id])} for f in found}
    return baseline.update(path, baseline_rows, seen, lambda row, place: place in done, {
        "kind": "baseline", "checked": dict(sorted({**(checked_in(path) if path.exists() else {}), **checked}.items()))})


def _looked_at(result: CheckResult, asked: str) -> str:
    """What a result is about: a scenario, under readings; or questions about a book."""
    readings = ", ".join(f"{name}={choice}" for name, choice in sorted(result.readings.items()))
    return f"{result.book}/{result.scenario}" + (f" ({readings})" if readings else "") + (f" --only {asked}" if asked else "")
