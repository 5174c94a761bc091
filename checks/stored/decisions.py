"""Decisions about findings, and findings that are known.

`decisions.yaml` is kept by people and read by every run. An entry belongs to a finding's id, so it survives reruns, and
stays when the finding is gone. A baseline is a list of ids: what is in it was there before.
"""
from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from ...model.engine.library import book_names, load_book
from ...spec.adding import with_entry
from ...spec.diagnostics import BadInput, Collector, Diagnostic, Position
from ...spec.document import ListNode, Node
from ...spec.reading import file_json, file_text
from ...spec.scalars import date, refuse, text, text_node
from ...spec.schema import Fields, choice, list_of, map_of, read_file, read_text, record
from ...spec.text import Text
from ...spec.writing import held, write_whole
from ..findings import baseline
from ..findings.cut_off import is_cut, is_divided
from ..findings.identity import about, one_defect, parts_of, prefix
from ..findings.record import CheckResult, Decided, Decision, Finding
from ..findings.words import ANYWHERE

FILE = "decisions.yaml"
FINDING_ID = re.compile(r"[^\sa-z]+(-\S+)?-[0-9A-Z]{4}")
"""As `finding_id` makes them: of a book with a name in any script."""
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


def with_decisions(
    findings: Iterable[Finding], decisions: Mapping[str, Decision], known: frozenset[str]
) -> tuple[Finding, ...]:
    """The findings with what was decided about them, and whether they were known."""
    return tuple(replace(f, decision=decisions.get(f.id), known=f.id in known) for f in findings)


def results_with_decisions(
    results: Sequence[CheckResult], decisions: Mapping[str, Decision], known: Abouts
) -> list[CheckResult]:
    """The same for all findings of results; what was decided or known about what has another id by now goes along (`carried`)."""
    found = found_in(results)
    now = {**decisions, **{new: decisions[old] for new, old in carried(found, abouts(decisions)).items()}}
    ids = frozenset({*known, *carried(found, known)})
    results = [replace(r, findings=with_decisions(r.findings, now, ids)) for r in results]
    same = same_as(defects_in(f for r in results for f in r.findings), abouts(decisions), known)
    return [replace(r, findings=tuple(replace(f, same_as=same.get(f.id, ())) for f in r.findings)) for r in results]


# ---------------------------------------------------------------- other ids than before
Abouts = Mapping[str, Collection[str]]
"""What findings are about (`identity.about`), in each scenario in which they were found, by id; nothing where that was not noted."""


def abouts(decisions: Mapping[str, Decision]) -> Abouts:
    """What decisions are about."""
    return {name: () if one.about is None else (one.about,) for name, one in decisions.items()}


def found_in(results: Iterable[CheckResult]) -> dict[str, set[str]]:
    """What the findings of results are about."""
    return all_about(f for r in results for f in r.findings)


def defects_in(findings: Iterable[Finding]) -> dict[str, set[str]]:
    """The same of those findings that are defects."""
    return all_about(f for f in findings if f.is_defect)


def all_about(findings: Iterable[Finding]) -> dict[str, set[str]]:
    """What findings are about."""
    out: dict[str, set[str]] = {}
    for finding in findings:
        out.setdefault(finding.id, set()).add(about(finding))
    return out


def carried(found: Abouts, known: Abouts) -> dict[str, str]:
    """Findings of which nothing was known under their id, though under another one something was of the very same: the same class and clauses,
    the same who can stop it, in the same scenarios, and nothing else is so. Id → the id under which it was known."""
    lost = {name: what for name, what in known.items() if name not in found}
    unknown = {name: what for name, what in found.items() if name not in known}
    out: dict[str, str] = {}
    for old, what in lost.items():
        new = the_most_alike(what, unknown)
        if new is not None and the_most_alike(unknown[new], lost) == old:
            out[new] = old
    return out


def the_most_alike(what: Collection[str], among: Abouts) -> str | None:
    """The one of these that is about the same in more scenarios than each other one."""
    alike = sorted(
        ((len({*what} & {*its}), name) for name, its in among.items() if not {*its}.isdisjoint(what)), reverse=True
    )
    return None if not alike or (len(alike) > 1 and alike[0][0] == alike[1][0]) else alike[0][1]


def same_as(found: Abouts, *others: Abouts) -> dict[str, tuple[str, ...]]:
    """Of what was found, the other ids that the same defect has there, or in what was decided or known."""
    ids: dict[Hashable, set[str]] = {}
    for name, said in ((name, said) for some in (found, *others) for name, what in some.items() for said in what):
        if (one := one_defect(said)) is not None:
            ids.setdefault((name.partition("-")[0], one), set()).add(name)
    return {
        name: tuple(
            sorted(
                {
                    other
                    for said in what
                    for other in ids.get((name.partition("-")[0], one_defect(said)), ())
                    if other != name
                }
            )
        )
        for name, what in found.items()
    }


@dataclass(frozen=True)
class Unmatched:
    """What fits nothing that was found, though it was looked for as far as the bounds go; and what was found about the same clause, the most
    alike first."""

    id: str
    like: tuple[str, ...]


def unmatched(results: Sequence[CheckResult], decisions: Mapping[str, Decision]) -> list[Unmatched]:
    """The decisions that fit nothing in the scenario that they are about; if that is not noted or there is no such scenario any more, nothing in
    their book. Nothing that was cut off or divided counts."""
    whole = {(r.book, r.scenario) for r in results} - {
        (r.book, r.scenario) for r in results if is_cut(r) or is_divided([r])
    }
    found, out = found_in(results), list[Unmatched]()
    for name, what in still_lost(found, abouts(decisions)).items():
        for book in {book for book, _ in whole if name.startswith(f"{prefix(book)}-")}:
            done = {scenario for of, scenario in whole if of == book}
            scenario = parts_of(what[0])[-1] if what else ""
            if scenario in done or (
                scenario != ANYWHERE and book in book_names() and len(done) == len(load_book(book).scenarios)
            ):
                out.append(Unmatched(name, like(found, name, what)))
    return out


def not_found_any_more(results: Sequence[CheckResult], rows: Sequence[baseline.Row], asked: str) -> list[Unmatched]:
    """What a baseline knows and is not found in any of the places where it had been seen, though all of them were looked at to the end."""
    done, found = looked_at_to_the_end(results, asked), found_in(results)
    seen = {row["id"]: baseline.places_of(row) for row in rows}
    return [Unmatched(name, like(found, name, what)) for name, what in still_lost(found, known_abouts(rows)).items()
            if seen[name] and done.issuperset(seen[name])]


def still_lost(found: Abouts, known: Abouts) -> dict[str, tuple[str, ...]]:
    """What was known and is neither found nor taken to be something that is."""
    there = {*found, *carried(found, known).values()}
    return {name: tuple(what) for name, what in known.items() if name not in there}


def like(found: Abouts, name: str, what: Sequence[str]) -> tuple[str, ...]:
    """What was found about the same clause, the most alike first."""
    clause = name.partition("-")[2].rpartition("-")[0]
    told = parts_of(what[0] if what else "")
    near: dict[str, int] = {}
    for other, its in found.items():
        for one in map(parts_of, its):
            if one[1].split(", ")[0] == clause:
                near[other] = max(near.get(other, 0), sum(x == y for x, y in zip(one, told, strict=True)))
    return tuple(sorted(near, key=lambda other: (-near[other], other)))


# ---------------------------------------------------------------- baselines
NO_BASELINE = Text("check のベースラインのファイルではありません", "not a baseline of `check`")


def baseline_rows(path: Path) -> list[baseline.Row]:
    """What a baseline knows. Raises BadInput."""
    if not path.exists():
        raise _trouble(path, Text("ベースラインのファイルがありません", "there is no such baseline"))
    try:
        data = file_json(path)
        if data["kind"] == "baseline":
            return baseline.rows_of(data)
    except (KeyError, TypeError):
        pass
    raise _trouble(path, NO_BASELINE)


def known_abouts(rows: Sequence[baseline.Row]) -> Abouts:
    """What the findings of a baseline are about."""
    return {row["id"]: tuple(row.get("about", ())) for row in rows}


def checked_in(path: Path) -> Mapping[str, str]:
    """Of which scenarios, as of which rules and data (`fingerprint`), a baseline was made. Raises BadInput."""
    try:
        return {str(name): str(said) for name, said in file_json(path).get("checked", {}).items()}
    except AttributeError:
        raise _trouble(path, NO_BASELINE) from None


def _trouble(path: Path, problem: Text) -> BadInput:
    hint = Text("--update-baseline を付けると作れます", "--update-baseline makes one")
    return BadInput([Diagnostic(Position(str(path), 1, 1), "baseline", problem, hint, str(path))])


def update_baseline(
    path: Path, results: Sequence[CheckResult], found: Iterable[Finding], asked: str, checked: Mapping[str, str]
) -> int:
    """Note these findings of these results as known; what was known of anything that they did not look at to the end stays. `asked`: the
    questions, where only those were asked; `checked`: of what scenarios, as of which rules and data. Gives how many are known now. Raises BadInput."""
    places: dict[str, set[str]] = {}
    for result in results:
        for finding in result.findings:
            places.setdefault(finding.id, set()).add(_looked_at(result, asked))
    done, what = looked_at_to_the_end(results, asked), found_in(results)
    seen: dict[str, baseline.Row] = {
        f.id: {
            "id": f.id,
            "title": {"ja": f.title.ja, "en": f.title.en},
            "about": sorted(what[f.id]),
            "in": sorted(places[f.id]),
        }
        for f in found
    }
    return baseline.update(
        path,
        baseline_rows,
        seen,
        lambda row, place: place in done,
        {
            "kind": "baseline",
            "checked": dict(sorted({**(checked_in(path) if path.exists() else {}), **checked}.items())),
        },
    )


def looked_at_to_the_end(results: Sequence[CheckResult], asked: str) -> set[str]:
    """What these results are about, but for those that were cut off."""
    return {_looked_at(result, asked) for result in results} - {
        _looked_at(result, asked) for result in results if is_cut(result)
    }


def _looked_at(result: CheckResult, asked: str) -> str:
    """What a result is about: a scenario, under readings; or questions about a book."""
    readings = ", ".join(f"{name}={choice}" for name, choice in sorted(result.readings.items()))
    return (
        f"{result.book}/{result.scenario}"
        + (f" ({readings})" if readings else "")
        + (f" --only {asked}" if asked else "")
    )
