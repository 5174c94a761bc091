"""What a settlement does: every reading set of a scenario checked as it is and with other answers, side by side."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from .findings.record import CheckResult, Finding
from .settlements import answers, effect, real

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


def trials(sets: Sequence[Mapping[str, str]], tried: Mapping[str, str], run: Run) -> list[Trial]:
    """A trial for each reading set in which the answers make a difference; sets that become the same are tried once."""
    done: dict[str, Trial] = {}
    for readings in sets:
        before = run(readings)
        if answers(before).items() >= tried.items():
            continue
        after = {**readings, **tried}
        rest = {name: answer for name, answer in sorted(answers(before).items()) if name not in tried}
        done.setdefault(repr(rest), Trial(tried, before, run(after)))
    return list(done.values())


def all_tried(results: Sequence[CheckResult], run: Run) -> list[CheckResult]:
    """The results with every settlement of their findings checked that was not."""
    known = {repr(sorted(answers(r).items())): r for r in results}
    out: list[CheckResult] = []
    for result in results:
        findings: list[Finding] = []
        for finding in result.findings:
            filled = []
            for s in finding.settlements:
                if s.effect == "not checked" or s.under:
                    under = {**answers(result), s.reading: s.answer}
                    key = repr(sorted(under.items()))
                    if key not in known:
                        known[key] = run({**result.readings, s.reading: s.answer})
                    said, new = effect(finding, result, under, [known[key]])
                    s = replace(s, effect="cut off" if said == "not checked" else said, new=new, under={})
                filled.append(s)
            findings.append(replace(finding, settlements=tuple(filled)))
        out.append(replace(result, findings=tuple(findings)))
    return out
