"""What a settlement does: every reading set of a scenario checked as it is and with other answers, side by side."""
from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..findings.record import CheckResult, Finding
from .settlements import UNCHECKED, Effect, answers, effect, parting, real, settlement

Run = Callable[[Mapping[str, str]], CheckResult]
"""Checks a scenario under readings."""


@dataclass(frozen=True)
class Trial:
    """One reading set without and with the answers that are tried."""

    tried: Mapping[str, str]
    before: CheckResult
    after: CheckResult

    @property
    def resolved(self) -> tuple[Finding, ...]:
        """Found before, not found any more."""
        return tuple(f for d, f in real(self.before).items() if d not in real(self.after))

    @property
    def remaining(self) -> tuple[Finding, ...]:
        """Found before and after."""
        return tuple(f for d, f in real(self.before).items() if d in real(self.after))

    @property
    def new(self) -> tuple[Finding, ...]:
        """Found only with the answers that are tried."""
        return tuple(f for d, f in real(self.after).items() if d not in real(self.before))

    @property
    def certain(self) -> bool:
        """Was nothing cut off afterwards? Else what is not found any more may still be there."""
        return self.after.bounds.complete


def trials(
    sets: Sequence[Mapping[str, str]], tried: Mapping[str, str], run: Run, stop: Callable[[], bool] | None = None,
    keep: Callable[[list[Trial]], None] | None = None,
) -> list[Trial]:
    """A trial for each reading set in which the answers make a difference; sets that become the same are tried once. `keep` is given
    those that are done, whenever there is one more."""
    done: dict[str, Trial] = {}
    for readings in sets:
        if stop is not None and stop():
            break
        before = run(readings)
        if answers(before).items() >= tried.items():
            continue
        after = {**readings, **tried}
        rest = {name: answer for name, answer in sorted(answers(before).items()) if name not in tried}
        done.setdefault(repr(rest), Trial(tried, before, run(after)))
        if keep is not None:
            keep(list(done.values()))
    return list(done.values())


def all_tried(
    results: Sequence[CheckResult], run: Run, most: int | None = None, only: Collection[str] | None = None,
) -> list[CheckResult]:
    """The results with every settlement of their findings checked that was not. `most`: not of results with more positions, and of
    a finding only under the first readings under which it is found; `only`: of the findings with these ids."""
    known = {repr(sorted(answers(r).items())): r for r in results}
    out: list[CheckResult] = []
    told = set[str]()
    for result in results:
        if most is not None and (result.bounds.states > most or not result.bounds.complete):
            out.append(result)
            continue
        findings: list[Finding] = []
        part = parting(result, results)
        for finding in result.findings:
            if (most is not None and finding.id in told) or (only is not None and finding.id not in only):
                findings.append(finding)
                continue
            told.add(finding.id)
            filled = []
            for s in finding.settlements:
                if s.effect == "not checked" or s.under:
                    under = {**answers(result), s.reading: s.answer}
                    key = repr(sorted(under.items()))
                    if key not in known:
                        known[key] = run({**result.readings, s.reading: s.answer})
                    does = effect(finding, result, under, [known[key]], part)
                    s = settlement(s.reading, s.answer, s.question, s.gist,
                                   Effect("cut off") if does is UNCHECKED else does, {})
                filled.append(s)
            findings.append(replace(finding, settlements=tuple(filled)))
        out.append(replace(result, findings=tuple(findings)))
    return out
