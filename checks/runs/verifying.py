"""`rulewright verify`: everything that is stored in cases, compared with a replay and with what their scenarios give when they are
checked anew."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ..findings.cut_off import AFTERWARDS, CUTS
from ..findings.record import Bounds, CheckResult, Finding
from ..limits.frames import with_room_for_frames
from ..limits.interrupt import leave_to_parent
from ..stored.cases import Asked, Case, Sets, read_case
from ..stored.comparing import Difference, count, differences, together
from ..stored.finding_store import case_files
from ..stored.replaying import replay
from .session import CheckOptions, check_again

BY_CLOCK = frozenset((*(CUTS[why] for why in ("seconds", "user", "memory", "disk", "lost")), *AFTERWARDS.values()))
BY_ANY = frozenset((*CUTS.values(), *AFTERWARDS.values()))
SETTLED_LATER = ("settlements", "unwritten", "summary", "question")
"""What of a finding depends on whether its settlements were checked."""


@dataclass(frozen=True)
class VerifyReport:
    """A stored case, its finding, and all that is stored in it and is not so; nothing: it reproduces."""

    path: Path
    finding: str
    differences: tuple[Difference, ...]

    @property
    def reproduced(self) -> bool:
        """Is everything as it is stored?"""
        return not self.differences

    @property
    def why(self) -> Text | None:
        """The first few differences, if there are any."""
        return together(self.differences) if self.differences else None


def verify(path: Path, jobs: int = 1) -> Sequence[VerifyReport]:
    """Replay every case of a folder, or the one of a file, and check its scenario anew. Raises BadInput if there is no such path."""
    files = case_files(path)
    done: dict[Path, VerifyReport] = {}
    groups: dict[tuple[Path, str], list[Case]] = defaultdict(list)
    for file in files:
        try:
            case = read_case(file)
            groups[case.scenario_file.resolve(), repr(asked_again(case))].append(case)
        except BadInput as e:
            done[file] = VerifyReport(file, file.stem, (unreadable(e),))
    in_turn = sorted(
        groups.values(), key=lambda some: -sum(case.path.stat().st_size for case in some)
    )  # long plays take long
    if jobs > 1 and len(in_turn) > 1:
        with ProcessPoolExecutor(jobs, initializer=leave_to_parent) as pool:
            for reports in pool.map(verified, in_turn):
                done |= {report.path: report for report in reports}
    else:
        done |= {report.path: report for some in in_turn for report in verified(some)}
    return [done[file] for file in files]


@with_room_for_frames
def verified(cases: Sequence[Case]) -> list[VerifyReport]:
    """Cases of one scenario, found by one check."""
    try:
        anew = found_anew(cases)
    except BadInput as e:
        return [VerifyReport(case.path, case.finding.id, (unreadable(e),)) for case in cases]
    return [VerifyReport(case.path, case.finding.id, tuple(judged(case, anew))) for case in cases]


def unreadable(e: BadInput) -> Difference:
    """That a file cannot be read."""
    ja, en = (e.diagnostics[0].render(lang).splitlines()[0] for lang in ("ja", "en"))
    return Difference("", Text(ja=f"読めません: {ja}", en=f"cannot be read: {en}"))


# ---------------------------------------------------------------- the same check again
def asked_again(case: Case) -> Asked:
    """What to ask of the scenario. A search that was cut by the clock is made to come as far as it did."""
    bounds = case.finding.bounds
    return replace(case.asked, max_states=bounds.states) if BY_CLOCK.intersection(bounds.notes) else case.asked


def found_anew(cases: Sequence[Case]) -> list[Finding]:
    """What is found in the scenario of these cases, told as where they were stored. Raises BadInput."""
    asked = asked_again(cases[0])
    options = CheckOptions(asked.readings, asked.symmetry, asked.max_states, fingerprints=asked.fingerprints,
                           defaults_only=asked.sets is Sets.DEFAULTS, settle=asked.settle)

    def wanted(results: Sequence[CheckResult]) -> Collection[str]:
        found = [f for r in results for f in r.findings]
        near = (nearest(case.finding, found, SETTLED_LATER) for case in cases)
        return {f.id for f in near if f is not None}
    return [f for r in check_again(cases[0].scenario_file, options, asked.sets is Sets.ALL, wanted) for f in r.findings]


def nearest(stored: Finding, found: Iterable[Finding], aside: Collection[str] = ()) -> Finding | None:
    """The finding that a stored one most likely is, among those of the same id, else of the same class, else all: that from which it
    differs least."""
    known = list(found)
    for among in ([f for f in known if f.id == stored.id], [f for f in known if f.cls is stored.cls and f.is_defect],
                  [f for f in known if f.is_defect]):
        if among:
            return min(among, key=lambda f: count(comparable(stored, f), f, aside))
    return None


GONE = Text(ja="手順は再生できますが、検査ではもう指摘になりません", en="the play replays, but checking no longer finds it")
NOTHING = Text(ja="検査ではもう何も指摘されません", en="checking finds nothing any more")


def judged(case: Case, anew: Sequence[Finding]) -> list[Difference]:
    """All that is stored in a case and is not so, each once."""
    stored = case.finding
    done = replay(case)
    found = list(done.differences)
    now = nearest(stored, anew)
    if now is None:
        found.append(Difference("id", NOTHING if found else GONE, None, stored.clauses[:1]))
        return found
    if now.id != stored.id:
        found.append(Difference("id", Text(
            ja=f"{stored.id} という指摘はもうありません。いちばん近いのは {now.id} です",
            en=f"there is no finding {stored.id} any more; the nearest is {now.id}"), None, now.clauses[:1]))
    return found + [d for d in differences(comparable(stored, now), now) if d not in found]


def comparable(stored: Finding, now: Finding) -> Finding:
    """What is stored, without what no later run can give again: how far a search came that was cut by time, by the user or by memory,
    where it is cut off now too."""
    if BY_CLOCK.intersection(stored.bounds.notes) and BY_ANY.intersection(now.bounds.notes):
        notes = (*(n for n in now.bounds.notes if n in BY_ANY), *(n for n in stored.bounds.notes if n not in BY_ANY))
        b = now.bounds
        return replace(
            stored,
            bounds=Bounds(stored.bounds.complete, b.states, b.transitions, b.depth, notes, stored.bounds.omission),
        )
    return stored
