"""A scenario whose positions are divided among the machines of a cluster: how many there are, how play ends, which conditions hold.

What needs the whole graph at once (loops, orders, choices that nobody owns) is not looked at, and the result says so.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from ...model.engine.state import Arrival, State
from ...model.engine.table import open_table
from ...spec.diagnostics import BadInput, Diagnostic
from ...spec.readers import Expectation, read_scenario
from ...spec.text import Text
from ..explore.explorer import SEVERAL, Exploration, Limits, owner_of
from ..explore.other_findings import end_findings, invariant_findings
from ..explore.owned_graph import CHANCE, Scope
from ..explore.subject import Subject
from ..findings.cut_off import CUTS, DIVIDED, cut_by, cuts_of, nothing_found
from ..findings.identity import each_once
from ..findings.record import Bounds, CheckResult, Examined
from ..findings.severity import graded
from ..limits.ending import SHARE, Part, time_left
from ..native.memory import Unsupported
from ..scenarios.checking import endings
from ..scenarios.expectation import differences, expectation_for, not_compared
from ..scenarios.options import CheckOptions
from ..scenarios.subjects import limits_of, subject_of
from .on_ray import AGAIN
from .session import Progress, means_of, plain_readings, sets_of

UNEXAMINED = (
    Examined(Text(ja="終わらない繰り返しを探した局面", en="positions searched for endless loops"), 0, "loops"),
    Examined(Text(ja="決める人のいない選択", en="choices that nobody owns"), 0, "open"),
    Examined(Text(ja="順番を選ぶ場面", en="places where an order is chosen"), 0, "order"),
)
UNASKED = (
    Examined(Text(ja="守られるはずの条件を確かめた回数", en="conditions that must always hold, looked at"), 0, "invariants"),
    Examined(Text(ja="勝敗などの判定に至った局面", en="positions in which a result was pronounced"), 0, "results"),
)
NO_TURNS = Text(ja="ターン数の上限があると、分担しては調べられません", en="where there is a limit on turns, a search cannot be divided")
NO_START = Text(ja="最初の選択の前に値の上限を超えるため、分担しては調べられません",
                en="a value exceeds its limit before the first choice, so there is no search to divide")
NOT_COMPILED = Text(ja="機械語に翻訳できないため（{why}）、分担しては調べられません", en="this cannot be compiled ({why}), so its search cannot be divided")
TOO_LARGE = Text(ja="機械語で扱えない大きさの数が現れたため、分担しては調べられません",
                 en="a number turned up that compiled code does not handle, so the search cannot be divided")
OTHERS = Text(ja="クラスターのマシンにあるルール・カード・Rulewright の版が、ここにあるものと違います",
              en="the machines of the cluster have other rules, cards or another version of Rulewright than this one")
NOT_COMPARED = Text(ja="この状況の expect のうち {count} 件の指摘は、分担した調べでは探さないので、比べていません",
                    en="findings that the scenario expects and a divided search does not look for, so that they were not compared: {count}")
WITHOUT = Text(ja="--parts なしで調べてください", en="check it without --parts")
THE_SAME = Text(ja="すべてのマシンに同じものを、同じ場所に置いてください", en="put the same into the same place on every machine")
TAKEN_UP = Text(ja="クラスターのプロセスが一つ失われたため、最後に保存した途中経過（{moves:,} 手まで）から続けます。",
                en="A process of the cluster was lost; the search goes on from its last checkpoint ({moves:,} moves).")
LOST = Text(ja="クラスターのプロセスが一つ失われたため、この調べの結果は何も使いません。", en="A process of the cluster was lost, so nothing of this search counts.")


def refusal(code: str, said: Text, hint: Text, path: Path, **values: object) -> BadInput:
    return BadInput(
        [Diagnostic(None, code, Text(ja=said.ja.format(**values), en=said.en.format(**values)), hint, str(path))]
    )


def check_divided(
    path: Path, options: CheckOptions, parts: int, cluster: str,
    progress: Callable[[Progress], None] = lambda now: None, note: Callable[[Text], None] = lambda said: None,
) -> list[CheckResult]:
    """A result for each reading set of the scenario, searched by so many workers of the cluster. `max_memory_mib` is that of a worker.
    Raises BadInput."""
    from .actors import connected

    scenario = read_scenario(path)
    limits = replace(
        limits_of(scenario, options.max_states, options.max_seconds, options.max_memory_mib), stop=options.stop
    )
    if limits.turns is not None:
        raise refusal("not-divided", NO_TURNS, WITHOUT, path)
    ray, results = connected(cluster, parts), list[CheckResult]()
    for readings in map(plain_readings, sets_of(scenario, options)):
        subject = subject_of(open_table(scenario, readings), options.symmetry)
        if any(s.state.end is not None and s.state.end.kind == "bound" for s in subject.starts):
            raise refusal("not-divided", NO_START, WITHOUT, path)
        results.append(
            compared(
                divided(ray, path, subject, options, parts, limits, progress, note), expectation_for(scenario, readings)
            )
        )
    return results


ENDED = ("seconds", "user", "memory", "disk", "lost")
"""What ends a search wherever it is just then: what is expected of it is not compared."""


def compared(result: CheckResult, want: Expectation | None) -> CheckResult:
    """With what differs from what the scenario expects, and how much of that was not looked for."""
    if want is None or {*ENDED} & {*cuts_of(result)}:
        return result
    left = len(not_compared(result, want))
    said = [Text(ja=NOT_COMPARED.ja.format(count=left), en=NOT_COMPARED.en.format(count=left))] if left else []
    return replace(
        result, unexpected=differences(result, want), bounds=replace(result.bounds, notes=(*result.bounds.notes, *said))
    )


def divided(
    ray: object, path: Path, subject: Subject, options: CheckOptions, parts: int, limits: Limits,
    progress: Callable[[Progress], None], note: Callable[[Text], None],
) -> CheckResult:
    """The same under one reading set."""
    from ..native.checkpoint import Checkpoint
    from ..native.divided import Explored, Kept, Lost, Outcome, first_states, search, way_to
    from ..native.engine import BeyondNative
    from ..native.search import Search
    from .actors import CROWDED, Actors, native_of

    so_far: list[Explored] = []

    def tell(now: Explored) -> None:
        so_far[:] = [now]
        progress(Progress(now.states, sum(r.waiting + r.next for r in now.reports), now.rounds, now.seconds,
                          now.states / max(now.seconds, 0.001), max(r.memory_mib for r in now.reports)))

    def once() -> tuple[Outcome, Exploration]:
        """With actors of its own: all begin anew, or go on from the same checkpoint. Raises Lost, and what is raised there."""
        with closing(Actors(ray, parts, CROWDED if lost else 1)) as team:
            if any(of != mine for of in team.begin(path, subject.readings, options.symmetry, native.compiled.code)):
                raise refusal("other-rules", OTHERS, THE_SAME, path)
            left = time_left(options.stop)  # what was found has to be asked for
            within = replace(limits, seconds=min(until - time.monotonic(), math.inf if left is None else SHARE * left))
            found = search(team, within, len(starts) > 1, tell, kept)
            met = [*found.ended.values(), *found.failing.values()]
            ways = [[native.unpacked(key) for key in way_to(team, share, at.first)] for share, at in met]
            return found, along(subject, starts, ways, native.representative)
    found, kept, lost = None, None, 0
    try:
        with Part() as part:
            native = native_of(subject)
            starts = first_states(native, subject)
            mine = Search(native, Limits(None), graph=False).identity(starts)
            until = time.monotonic() + (math.inf if limits.seconds is None else limits.seconds)
            if (plan := means_of(options, subject).checkpoints) is not None:
                kept = Kept(Checkpoint(plan, mine | {"limits": f"depth {limits.depth}", "parts": str(parts)}), note)
                kept.whole.open()
            while found is None:
                before = kept.last.number if kept is not None else 0
                try:
                    found = once()
                except Lost:
                    lost = 1 if kept is not None and kept.last.number > before else lost + 1
                    if kept is None or lost > AGAIN:
                        raise
                    note(
                        Text(
                            ja=TAKEN_UP.ja.format(moves=kept.last.transitions),
                            en=TAKEN_UP.en.format(moves=kept.last.transitions),
                        )
                    )
    except Lost:
        note(LOST)
        return nothing_found(subject.book, subject.scenario, subject.title, subject.readings, "lost")
    except BeyondNative:
        raise refusal("not-divided", TOO_LARGE, WITHOUT, path) from None
    except Unsupported as e:
        raise refusal("not-divided", NOT_COMPILED, WITHOUT, path, why=e.why) from None
    finally:
        if kept is not None:
            kept.whole.close()
    if found is None:  # the numbers are all that is known
        nothing = nothing_found(subject.book, subject.scenario, subject.title, subject.readings, part.why)
        return nothing if not so_far else replace(nothing, examined=(*UNEXAMINED, *UNASKED), bounds=Bounds(
            False, so_far[0].states, so_far[0].transitions, so_far[0].rounds, (CUTS[part.why], DIVIDED)))
    found, out = found
    beyond = (Text(ja=f"値の上限を超える手順が {found.left} あり、その先は見ていません",
                 en=f"{found.left} steps exceed the limit of a value and were not followed"),) if found.left else ()
    outcomes = Counter[str]()
    for end, (_, at) in found.ended.items():
        outcomes[end.kind] += at.states
    bounds = Bounds(found.complete, found.states, found.transitions, len(found.depths) - 1,
                    (*((CUTS[found.cut],) if found.cut else ()), *beyond, DIVIDED), assumptions=subject.given)
    if outcomes["not modelled"]:
        bounds = cut_by(bounds, CUTS["not modelled"])
    broken, _ = invariant_findings(subject, out, bounds)
    judged = sum(outcomes[kind] for kind in ("win", "draw", "conflict", "gap"))
    return CheckResult(
        subject.book,
        subject.scenario,
        subject.title,
        dict(subject.readings),
        bounds,
        tuple(graded(f, subject.origin) for f in each_once([*end_findings(subject, out, bounds), *broken])),
        (
            *UNEXAMINED,
            *(
                replace(of, count=n)
                for of, n in zip(UNASKED, (found.looked * len(subject.program.invariants), judged), strict=True)
            ),
        ),
        dict(sorted(outcomes.items())),
        subject.symmetry is not None,
        policies=subject.policies,
        endings=endings(subject, out),
        seconds=found.seconds,
    )


def along(
    subject: Subject,
    starts: Sequence[Arrival],
    ways: Sequence[Sequence[State]],
    representative: Callable[[State], State],
) -> Exploration:
    """An exploration of only the states along some shortest plays, nearest first, with the steps between them."""
    states = [SEVERAL] if len(starts) > 1 else [starts[0].state]
    states += dict.fromkeys(
        way[depth]
        for depth in range(max(map(len, ways), default=0))
        for way in ways
        if depth < len(way) and way[depth] != states[0]
    )
    number, out = {state: k for k, state in enumerate(states)}, Exploration(states)
    graph = out.graph
    for state in states:
        graph.add_state(CHANCE if state is SEVERAL else owner_of(subject.engine.point(state)))
    for k, start in enumerate(starts) if states[0] is SEVERAL else ():
        if start.state in number:
            graph.add_edge(0, number[start.state], (k,), int(Scope.GAME))
    for state, after in dict.fromkeys(step for way in ways for step in pairwise(way)):
        at = subject.engine.point(state)
        arrivals = [] if at is None else [(option, subject.engine.apply(state, option)) for option in at.options]
        option, arrival = next((o, a) for o, a in arrivals if representative(a.state) == after)
        graph.add_edge(number[state], number[after], option, arrival.crossing)
    return out
