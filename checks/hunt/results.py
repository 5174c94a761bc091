"""What hunts found, as results: of several hunts together, and beside a search that a limit cut off. Compiled code need not be there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...spec.text import Text
from ..findings.claims import UNTOLD
from ..findings.record import CheckResult, Examined, Finding

AROUND = 3_000
"""Positions looked at around a remarkable place, at most."""
USUAL_WORK = 2_000_000
"""Choices (and positions, as so many choices) of a hunt where a search was cut off, at most."""
FOR_EACH = 2_000
"""So many for each position that was searched: where a scenario has few searched, because each takes long, plays take long too."""

Key = tuple[object, ...]
"""What is the same is the same key."""


def work_beyond(result: CheckResult) -> int:
    """How much is hunted beyond a search that a limit cut off."""
    return min(USUAL_WORK, FOR_EACH * result.bounds.states)


def with_hunted(result: CheckResult, hunt: CheckResult) -> CheckResult:
    """A result that a limit cut off, and what a hunt found beyond it. Which clauses came up in its games is not known."""
    known = {finding.id for finding in result.findings}
    kinds = {kind_of(finding) for finding in result.findings}
    more = tuple(f for f in hunt.findings if f.id not in known and kind_of(f) not in kinds)
    bounds = replace(result.bounds, notes=tuple(dict.fromkeys((*result.bounds.notes, *hunt.bounds.notes))))
    return replace(
        result,
        bounds=bounds,
        findings=(*result.findings, *more),
        examined=(*result.examined, *hunt.examined),
        exercised=None,
        seconds=result.seconds + hunt.seconds,
    )


def kind_of(finding: Finding) -> Key:
    """What a finding is, wherever a loop begins and whoever can stop it."""
    return finding.cls, frozenset(finding.clauses)


def each_once(findings: Iterable[Finding]) -> list[Finding]:
    """The findings without those that are the same, whichever cards they are made with: the first of these."""
    out: dict[Key, Finding] = {}
    for finding in findings:
        out.setdefault((*kind_of(finding), finding.keepers, finding.stopper), finding)
    return list(out.values())


def gathered(results: Sequence[CheckResult], seed: int) -> CheckResult:
    """What several hunts of one subject with one seed found together. Of what is the same the shortest play is told."""
    hunts = [result for result in results if result.examined]
    if not hunts:
        return results[0]
    counts = summed(hunts)
    cuts = [note for r in results for note in (r.bounds.notes[1:] if r.examined else r.bounds.notes)]
    bounds = replace(
        hunts[0].bounds,
        states=sum(r.bounds.states for r in hunts),
        transitions=sum(r.bounds.transitions for r in hunts),
        depth=max(r.bounds.depth for r in hunts),
        notes=tuple(dict.fromkeys((said_of(counts, seed, len(hunts)), *cuts))),
    )
    found = each_once(sorted((f for r in hunts for f in r.findings), key=lambda f: len(f.play.stem) if f.play else 0))
    return replace(
        hunts[0],
        bounds=bounds,
        findings=tuple(replace(f, bounds=bounds) for f in found),
        examined=counts,
        outcomes=dict(sorted(sum((Counter(r.outcomes) for r in hunts), Counter[str]()).items())),
        seconds=max(r.seconds for r in hunts),
    )


PLAYS = Text(ja="くじで進めた対戦", en="games played by lot")
DECISIONS = Text(ja="そこでの選択", en="choices in them")
REMARKABLE_PLAYS = Text(
    ja="そのうち目を引いたもの（局面が戻る、終わらない、範囲を出る、条文が定めない）",
    en="of these, remarkable ones (a position comes back, no end, a range is left, the rules do not say)")
LOOKED = Text(ja="そこから続く局面を調べた箇所", en="places from which on was looked")
UNJUDGED = Text(ja="判定できなかった箇所", en="places that could not be judged")


def summed(results: Iterable[CheckResult]) -> tuple[Examined, ...]:
    """What all of them examined."""
    out: dict[Text, Examined] = {}
    for row in (row for result in results for row in result.examined):
        out[row.what] = replace(row, count=row.count + (out[row.what].count if row.what in out else 0))
    return tuple(out.values())


def said_of(counts: Iterable[Examined], seed: int, hunts: int = 1) -> Text:
    """How far was looked."""
    many = Counter({row.what: row.count for row in counts})
    if not many[PLAYS]:
        return Text(ja="誰かが選ぶ前にゲームが止まるか、時間がなく、一度も対戦を進められなかったので、何も調べていません。どう止まるかは rulewright check で分かります", en="no game could be played, so nothing was looked at (play stops before anybody chooses, or there was no time; rulewright check tells how it stops)")
    more = [Text(ja=f"。ほかに {many[UNTOLD]} 件見つけましたが、手順を示す時間がありませんでした",
                 en=f"; {many[UNTOLD]} more were found, but there was no time to tell their plays")] if many[UNTOLD] else []
    more += (
        [Text(ja=f"。{many[UNJUDGED]} か所は判定できませんでした", en=f"; {many[UNJUDGED]} places could not be judged")]
        if many[UNJUDGED]
        else []
    )
    lots = (
        Text(ja=f"種 {seed}、{hunts} プロセス", en=f"seed {seed}, {hunts} processes")
        if hunts > 1
        else Text(ja=f"種 {seed}", en=f"seed {seed}")
    )
    return Text(
        ja=f"対戦を {many[PLAYS]:,} 回くじで進め（選択 {many[DECISIONS]:,} 回、{lots.ja}）、{many[LOOKED]:,} か所では、そこから続く局面を {AROUND:,} までたどりました。"
           f"ほかの局面は見ていません{''.join(text.ja for text in more)}",
        en=f"{many[PLAYS]:,} games were played by lot ({many[DECISIONS]:,} choices, {lots.en}); from {many[LOOKED]:,} places on, up to {AROUND:,} positions each"
           f" were looked at; nothing is said of other positions{''.join(text.en for text in more)}")
