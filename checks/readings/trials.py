"""What a settlement does: every reading set of a scenario checked as it is and with other answers, side by side."""
from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..findings.record import CheckResult, Finding, judged
from .settlements import UNCHECKED, Effect, answers, effect, parting, real, settlement

Run = Callable[[Mapping[str, str]], CheckResult]
"""Checks a scenario under readings."""


@dataclass(frozen=True)
class Trial:
    """One reading set without and with what is tried: answers to readings, or a change of the rules (then `tried` is empty)."""

    tried: Mapping[str, str]
    before: CheckResult
    after: CheckResult

    @property
    def resolved(self) -> tuple[Finding, ...]:
        """Found before, not found any more, and nothing was cut off."""
        return self.not_found if self.certain else ()

    @property
    def cut_off(self) -> tuple[Finding, ...]:
        """Found only before or only now, where the other search was cut off: it may be there too."""
        return (*(() if self.certain else self.not_found), *(() if self.before.bounds.complete else self.only_now))

    @property
    def not_found(self) -> tuple[Finding, ...]:
        """Found before, not found now."""
        return tuple(f for d, f in real(self.before).items() if d not in real(self.after))

    @property
    def remaining(self) -> tuple[Finding, ...]:
        """Found before and after."""
        return tuple(f for d, f in real(self.before).items() if d in real(self.after))

    @property
    def changed(self) -> tuple[Finding, ...]:
        """Of those that remain, which come about otherwise, or are as grave or as sure as they were not before; as they are now."""
        before = real(self.before)
        return tuple(f for d, f in real(self.after).items() if d in before and told(f) != told(before[d]))

    @property
    def new(self) -> tuple[Finding, ...]:
        """Found only with the answers that are tried, and nothing was cut off before."""
        return self.only_now if self.before.bounds.complete else ()

    @property
    def only_now(self) -> tuple[Finding, ...]:
        """Not found before, found now."""
        return tuple(f for d, f in real(self.after).items() if d not in real(self.before))

    @property
    def certain(self) -> bool:
        """Was nothing cut off afterwards? Else what is not found any more may still be there."""
        return self.after.bounds.complete


def told(finding: Finding) -> tuple[object, ...]:
    """What has to be the same for a finding to be unchanged: its clauses, what it takes and weighs, what the rules make of it, and the
    choices of its play."""
    chosen = [step.chosen for step in (*finding.play.stem, *finding.play.cycle) if step.chosen is not None]
    return finding.clauses, judged(finding), chosen


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
