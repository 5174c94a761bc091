"""All checks of one scenario under one reading set: explore, then look for each class of finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...model.engine.state import End
from ...model.engine.vocabulary import of_bound
from ...spec.text import Text
from ..explore.ended import SILENT
from ..explore.explorer import BoundAtStart, Exploration, Limits, Progress, left_at_start
from ..explore.loop_findings import Told, loop_findings
from ..explore.loops import Loop
from ..explore.order_findings import order_findings
from ..explore.other_findings import end_findings, invariant_findings, open_findings, range_findings
from ..explore.repetitions import repetitions
from ..explore.round_findings import round_findings
from ..explore.saturate import Saturation, said_of, saturated
from ..explore.subject import Subject
from ..findings.claims import UNTOLD
from ..findings.cut_off import CUTS, cut_by, cut_short, not_all_told, nothing_found
from ..findings.identity import each_once
from ..findings.record import Bounds, CheckResult, Examined, Finding
from ..findings.severity import graded
from ..limits.ending import Part
from ..native.choice import USUAL, Engine, Means, explore

Seen = Callable[[Subject, Exploration], None]
"""Is given what was judged: play as it was explored, or as it goes on beyond bounds."""


def check_subject(
    subject: Subject,
    limits: Limits,
    progress: Callable[[Progress], None] | None = None,
    engine: Engine = "native",
    tell: Callable[[Text], None] | None = None,
    means: Means = USUAL,
    seen: Seen | None = None,
) -> CheckResult:
    """Explore the subject and report everything found, with how far was looked. `tell` is told what a user should
    know of how it was done; `seen` is given what was judged."""
    out, at_start = Exploration(), None
    with Part() as part:
        out, at_start = explored(subject, limits, progress, engine, tell, means)
    if part:  # in the midst of a position: what was found of the graph cannot be trusted
        return nothing_found(subject.book, subject.scenario, subject.title, subject.readings, part.why)
    return check_explored(subject, limits, out, at_start, progress, seen)


def check_explored(
    subject: Subject,
    limits: Limits,
    out: Exploration,
    at_start: End | None = None,
    progress: Callable[[Progress], None] | None = None,
    seen: Seen | None = None,
    told: Told = lambda subject, out, states: False,
) -> CheckResult:
    """Everything found in what was explored, and in what lies beyond the ranges of counters and the depth of the stack; but for loops that
    were `told` of already."""
    called = subject.describer.words.of
    findings: list[Finding] = []
    at_ends: list[Finding] | None = None
    examined: list[Examined] = []
    unshown: list[Loop] = []
    within = subject, out if at_start is None else left_at_start(at_start)
    beyond: Saturation | None = None
    with Part() as part:
        beyond = saturated(*within, limits, progress)
    if beyond is not None and (out.cut or not beyond.out.cut):
        subject, out, at_start = beyond.subject, beyond.out, None
    if seen is not None:
        seen(subject, out)
    mine = beyond if beyond is not None and beyond.out is out else None
    if not part:
        with part:  # kept with what was explored: only here a limit on time can cut it off
            _ = out.surveyed(subject.engine).places
    ends = Counter[str]()
    silent = set[tuple[str, str]]()
    for end, _, count in out.surveyed(subject.engine).places.ended:
        ends[end.kind] += count
        if end.kind in SILENT:
            silent.add((end.kind, end.detail))
    bounds = bounds_of(
        out, at_start, called, () if beyond is None else said_of(beyond), 0 if mine is None else mine.copies
    )
    if ends["not modelled"]:
        bounds = cut_by(bounds, CUTS["not modelled"])
    if not part:
        with part:  # first, though it stands behind loops: it is known, and they may take all the time that is left
            at_ends = end_findings(subject, out, bounds)

    def loops() -> None:
        found = loop_findings(
            subject, out, bounds, told, further=lambda k: False if mine is None else mine.further(k), unshown=unshown
        )
        findings.extend(found)
        examined.append(
            Examined(
                Text(ja="終わらない繰り返しを探した局面", en="positions searched for endless loops"),
                bounds.states,
                "loops",
            )
        )
        if judged := sum(f.copies for f in found):
            examined.append(
                Examined(
                    Text(ja="そのうち、繰り返しとして判定したもの", en="repetitions found among them, and judged"),
                    judged,
                    "",
                )
            )

    def others(check: Callable[[Subject, Exploration, Bounds], tuple[list[Finding], Examined]]) -> None:
        found, looked = check(subject, out, bounds)
        findings.extend(found)
        examined.append(looked)
        if mine is not None and mine.stand_for_more:  # where what follows differs in large counters only
            findings.extend(check(*within, bounds)[0])
    for step in (
        loops,
        lambda: findings.extend(repetitions(beyond, bounds) if beyond is not None else ()),
        lambda: findings.extend(
            () if any(f.growing for f in findings) else range_findings(*within, bounds)
        ),  # what grows for ever leaves any range
    ):
        if not part:
            with part:
                step()
    findings.extend(at_ends or ())
    for check in (open_findings, order_findings, invariant_findings):
        if not part:
            with part:
                others(check)
    if not part:
        with part:  # tried in the search itself, and not in what goes on beyond ranges
            found, looked = round_findings(*within, bounds)
            findings.extend(found)
            examined.append(looked)
    if at_ends is None and silent:
        examined.append(Examined(UNTOLD, len(silent), ""))
    judged = sum(ends[kind] for kind in ("win", "draw", "conflict", "gap"))
    examined.append(
        Examined(
            Text(ja="勝敗などの判定に至った局面", en="positions in which a result was pronounced"), judged, "results"
        )
    )
    findings = [graded(f, subject.origin) for f in each_once(findings)]
    result = CheckResult(
        subject.book,
        subject.scenario,
        subject.title,
        dict(subject.readings),
        replace(bounds, assumptions=subject.given),
        tuple(findings),
        tuple(examined),
        dict(sorted(ends.items())),
        subject.symmetry is not None,
        policies=subject.policies,
        endings=endings(subject, out),
        seconds=out.seconds,
    )
    if unshown:
        result = not_all_told(result, "unshown")
    return cut_short(result, part.why) if part else result


UNDECIDED = Text(ja="条文が食い違い、決まらない", en="clauses disagree, so it is not decided")
MOST_ENDINGS = 4
"""More ways for play to end than this are not told one by one."""


def endings(subject: Subject, out: Exploration) -> tuple[Text, ...]:
    """How play ended, in words, each once; nothing where there are too many ways."""
    ends = {(end.kind, end.who, end.detail): end for end, *_ in out.surveyed(subject.engine).places.ended}
    said = tuple(
        dict.fromkeys(
            UNDECIDED if end.detail.startswith("verdict:") else subject.describer.ending(end)
            for _, end in sorted(ends.items(), key=str)
        )
    )
    return said if len(said) <= MOST_ENDINGS else ()


def explored(
    subject: Subject, limits: Limits, progress: Callable[[Progress], None] | None, engine: Engine,
    tell: Callable[[Text], None] | None, means: Means = USUAL,
) -> tuple[Exploration, End | None]:
    """The exploration; if play leaves a bound before anything could be chosen, an empty one and why."""
    try:
        return explore(subject, limits, progress, engine, tell, means=means), None
    except BoundAtStart as e:
        return Exploration(), e.end


def field_of(slot: str) -> str:
    """The name of a slot's field: `until_turn_end` of `card.until_turn_end[0]`."""
    return slot.rpartition(".")[2].partition("[")[0]


def bounds_of(
    out: Exploration,
    at_start: End | None = None,
    called: Callable[[str], Text] | None = None,
    before: Sequence[Text] = (),
    copies: int = 0,
) -> Bounds:
    """How far was looked, in plain words; `called`: what the book calls its fields; `before`: what is said first: what counts as one;
    `copies`: states that stand for deeper calls only."""
    notes: list[Text] = []
    if at_start is not None:
        notes.append(
            Text(
                ja=f"最初の選択の前に範囲の外へ出ました（{at_start.detail}）",
                en=f"play left a bound before the first choice ({at_start.detail})",
            )
        )
    if out.cut:
        notes.append(CUTS[out.cut])
    if len(out.bound_edges):
        kinds = sorted({name for name, _ in out.bound_edges.kinds()})
        words = {
            "stack": ("効果の入れ子の深さ", "how deep effects nest"),
            "options": ("一度の選択の選択肢の数", "how many options one choice has"),
        }
        said = [Text(*words[k]) if k in words else Text.same(k) if called is None else
                of_bound(k, called) if " " in k else called(field_of(k)) for k in kinds]
        ja, en = "、".join(dict.fromkeys(x.ja for x in said)), ", ".join(dict.fromkeys(x.en for x in said))
        notes.append(
            Text(
                ja=f"値の上限を超える手順が {len(out.bound_edges)} あり、その先は見ていません（{ja}）",
                en=f"{len(out.bound_edges)} steps exceed the limit of a value and were not followed ({en})",
            )
        )
    return Bounds(
        at_start is None and out.complete,
        len(out.states) - copies,
        out.transitions,
        int(np.max(out.depth, initial=0)),
        (*before, *notes),
        out.omission,
    )
