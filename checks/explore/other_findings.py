"""Findings other than loops: ends that the rules do not explain, choices that nobody owns, orders, invariants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...model.engine.state import OPEN, READING, End, Option, State
from ...model.ir import nodes as ir
from ...model.ir import types as t
from ...spec.text import Text
from ..findings.identity import finding_id
from ..findings.record import Bounds, Examined, Finding, FindingClass, Outcome, Play, Stake
from .explorer import Exploration, play_to
from .subject import Subject

SILENT = {
    "gap": (FindingClass.GAP, Text(ja="何が起こるか、規則が定めていない", en="the rules do not say what happens")),
    "not modelled": (
        FindingClass.DEFECT,
        Text(ja="まだ取り込んでいない条に達した", en="a clause was reached that is not encoded yet"),
    ),
    "fault": (FindingClass.DEFECT, Text(ja="ルールの取り込みに不備がある", en="the encoding has a defect")),
    "conflict": (
        FindingClass.CONFLICT,
        Text(ja="二つの条文が食い違い、優先の定めがない", en="two clauses disagree, and nothing ranks them"),
    ),
}


def build(
    subject: Subject,
    cls: FindingClass,
    title: Text,
    summary: Text,
    clauses: tuple[str, ...],
    path: Sequence[tuple[int, Option]],
    out: Exploration,
    bounds: Bounds,
    question: Text | None = None,
    hint: bool = False,
    end: Text | None = None,
    extra: Sequence[tuple[State, Option]] = (),
    outcomes: tuple[Outcome, ...] = (),
    stake: Stake | None = None,
) -> Finding:
    """A finding with the play along `path`, replayed without symmetry."""
    start, way = real_way(subject, path)
    steps, _ = subject.tell_all((*way[:-1], *extra), opening=start)
    return Finding(
        id=finding_id(subject.book, cls, clauses, None, title),
        cls=cls,
        book=subject.book,
        scenario=subject.scenario,
        title=title,
        summary=summary,
        clauses=clauses,
        certainty=subject.certainty,
        play=Play(tuple(steps), (), end),
        bounds=bounds,
        readings=dict(subject.readings),
        policies=subject.policies,
        invented_cards=subject.invented_cards,
        hint=hint,
        question=question,
        position=subject.position_text(start),
        cards=subject.card_texts(),
        outcomes=outcomes,
        stake=stake,
    )


def real_way(subject: Subject, path: Sequence[tuple[int, Option]]) -> tuple[int, list[tuple[State, Option]]]:
    """Which start a path of the exploration begins with, and the real play along it."""
    options = [o for _, o in path]
    start = 0
    if len(subject.starts) > 1 and options:
        start, options = options[0][0], options[1:]
    return start, subject.follow(subject.starts[start].state, options)


# ---------------------------------------------------------------- ends
def end_findings(subject: Subject, out: Exploration, bounds: Bounds) -> list[Finding]:
    """Ends at a gap, a conflict, a clause that is missing, or a fault: the shortest play to each."""
    found: dict[tuple[object, ...], Finding] = {}
    for k in out.ends():
        end = out.states[k].end
        assert end is not None
        if end.kind not in SILENT:
            continue
        cls, what = SILENT[end.kind]
        key = (end.kind, end.detail)
        if key in found:
            continue
        path = play_to(out, k)
        clauses, detail = explained(subject, out.states[k], end)
        if not clauses and (way := real_way(subject, path)[1])[:-1]:
            clauses = subject.tell(*way[-2])[0].clauses[-1:]
        title = Text(ja=f"{detail.ja}{what.ja}", en=f"{detail.en}{what.en}")
        title = subject.describer.words.words.get(f"{end.kind} {end.detail}", title)
        summary = Text(ja=f"この手順で、{what.ja}所に達します。", en=f"This play comes to a place where {what.en}.")
        question = Text(ja="ここで何が起こると定めますか。", en="What should happen here?")
        told = subject.describer.ending(end)
        if end.detail.startswith("verdict:"):
            told = Text(
                ja=f"{' と '.join(clauses)} が食い違い、決まらない",
                en=f"{' and '.join(clauses)} disagree, so it is not decided",
            )
            summary = Text(
                ja=f"{detail.ja}どちらが優先するかを定める条文はありません。",
                en=f"{detail.en}No clause says which counts.",
            )
            question = Text(
                ja=f"{' と '.join(clauses)} のどちらを優先しますか。", en=f"Which of {' and '.join(clauses)} counts?"
            )
        stake = Stake.WINNER if decides_the_game(subject, end) else Stake.RESULT
        found[key] = build(subject, cls, title, summary, clauses, path, out, bounds, question, end=told, stake=stake)
    return list(found.values())


def decides_the_game(subject: Subject, end: End) -> bool:
    """Does play stop where the game could be won or drawn: can a rule that stops like this also end the game, itself or
    by a step it does?"""
    functions = subject.program.functions

    def inside(name: str, seen: set[str]) -> Iterator[ir.End]:
        seen.add(name)
        for i in functions[name].code:
            if isinstance(i, ir.End):
                yield i
            elif isinstance(i, ir.Do) and i.function not in seen:
                yield from inside(i.function, seen)

    stops = [n for n, fn in functions.items()
             if any(isinstance(i, ir.End) and i.kind == end.kind and i.detail == end.detail for i in fn.code)]
    return any(i.kind in ("win", "draw") for name in stops for i in inside(name, set()))


def stake_among(out: Exploration, ways: Sequence[Sequence[int]]) -> Stake:
    """What depends on which way is taken: the winner, if the ends that each way can still lead to are not the same."""
    ends: set[frozenset[tuple[str, int]]] = set()
    for targets in ways:
        seen: set[int] = set()
        todo = list(targets)
        while todo:
            k = todo.pop()
            if k >= 0 and k not in seen:
                seen.add(k)
                todo += (out.graph.target[e] for e in out.graph.out_edges(k))
        ends.add(frozenset(end[:2] for k in seen if (end := out.states[k].end) is not None))
    return Stake.WINNER if len(ends) > 1 else Stake.RESULT


def explained(subject: Subject, state: State, end: End) -> tuple[tuple[str, ...], Text]:
    """The clauses behind an end, and a few words about it."""
    if end.kind == "fault":
        why = end.detail.split(" (")[0]
        return (), Text(ja=f"{why}: ", en=f"{why}: ")
    if not end.detail.startswith("verdict:"):
        return tuple(end.detail.split()), Text(ja="", en="")
    question = end.detail.removeprefix("verdict:")
    clauses: list[str] = []
    sides: list[Text] = []
    d = subject.describer
    for v in subject.program.verdicts:
        if v.question != question:
            continue
        for x in range(v.subject.lo, v.subject.hi + 1) if v.subject.width == 1 else ():
            said = subject.engine.evaluate(v.function, state, [x])
            if isinstance(said, End):
                why = d.ending(said)
                sides.append(Text(ja=f"{d.value(v.subject, x).ja}: {why.ja}", en=f"{d.value(v.subject, x).en}: {why.en}"))
            elif not (isinstance(v.answer, t.OptionType) and said == v.answer.none):
                clauses += v.clauses
                sides.append(
                    Text(
                        ja=f"{d.value(v.subject, x).ja}: {d.value(v.answer, said).ja}（{' '.join(v.clauses)}）",
                        en=f"{d.value(v.subject, x).en}: {d.value(v.answer, said).en} ({' '.join(v.clauses)})",
                    )
                )
    return tuple(dict.fromkeys(clauses)), Text(
        ja="、".join(s.ja for s in sides) + "。", en="; ".join(s.en for s in sides) + ". "
    )


# ---------------------------------------------------------------- choices nobody owns
def open_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """Choices that the rules give to nobody and whose options lead to different states; orders are looked at as such
    (`order_findings`)."""
    found: dict[str, Finding] = {}
    looked = 0
    for k, owner in enumerate(out.graph.owner):
        if owner != OPEN:
            continue
        looked += 1
        at = subject.engine.point(out.states[k])
        assert at is not None
        if ordering(subject, out.states[k]) is not None:
            continue
        targets = out.graph.targets(k)
        if at.clause in found or len(set(targets)) < 2:
            continue
        d = subject.describer
        title = Text(ja=f"{at.clause} で、誰が決めるのか定められていない", en=f"{at.clause} does not say who decides")
        options = "／".join(d.option(at, o).ja for o in at.options), " / ".join(d.option(at, o).en for o in at.options)
        summary = Text(
            ja=f"選べるもの: {options[0]}。どれを選ぶかで、その後が変わります。",
            en=f"The options: {options[1]}. What follows depends on which is taken.",
        )
        question = Text(ja=f"{at.clause} の選択は、誰が行いますか。", en=f"Who makes the choice in {at.clause}?")
        ways = [frozenset[object]({to}) for to in targets]
        found[at.clause] = build(
            subject, FindingClass.OPEN, title, summary, (at.clause,), play_to(out, k), out, bounds, question,
            outcomes=outcomes_of(subject, out, k, ways),
            stake=stake_among(out, [[out.graph.target[e]] for e in out.graph.out_edges(k)]),
        )
    return list(found.values()), Examined(Text(ja="決める人のいない選択", en="choices that nobody owns"), looked)


# ---------------------------------------------------------------- orders
def order_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """Where several things wait: does it matter which is taken first?

    For each first option the states at the resolver's return (with ends, loops and what is unexplored) are compared;
    all equal: nothing to report. Orders that somebody decides are hints; one that the rules give to nobody is not.
    """
    found: dict[tuple[object, ...], Finding] = {}
    looked = 0
    for k, state in enumerate(out.states):
        instr = ordering(subject, state)
        if instr is None:
            continue
        looked += 1
        top = state.frames[-1]
        key = (top[0], top[1], order_key(subject, state))
        if key in found:
            continue
        depth = join_depth(subject, state)
        results = [frozenset(returns(out, to, depth)) for to in out.graph.targets(k)]
        if differ(results):
            at = subject.engine.point(state)
            assert at is not None
            d = subject.describer
            who = d.decider(at, state) or Text(ja="", en="")
            nobody = isinstance(instr.owner, ir.ByNobody)
            clauses = tuple(dict.fromkeys((at.clause, *instr.at.clauses))) if nobody and at.clause else instr.at.clauses
            order = order_words(subject, instr)
            question = Text(ja=f"{order.ja}は、誰が決めますか。", en=f"Who decides {order.en}?") if nobody else None
            title = Text(
                ja=f"{order.ja}で結果が変わる（決める人: {who.ja}）",
                en=f"{order.en} matters (decided by {who.en})",
            )
            first = [d.option(at, o) for o in at.options]
            summary = Text(
                ja="先に処理するもの: "
                + "／".join(x.ja for x in first)
                + "。どれから始めるかで、処理が終わった時の状態が違います。",
                en="What can come first: " + " / ".join(x.en for x in first) + ". The state afterwards depends on it.",
            )
            found[key] = build(
                subject,
                FindingClass.ORDER,
                title,
                summary,
                clauses,
                play_to(out, k),
                out,
                bounds,
                question,
                hint=not nobody,
                outcomes=outcomes_of(subject, out, k, results),
                stake=stake_among(out, [[out.graph.target[e]] for e in out.graph.out_edges(k)]),
            )
    distinct = {f.id: f for f in found.values()}
    return list(distinct.values()), Examined(
        Text(ja="処理の順番を選ぶ場面", en="places where an order is chosen"), looked
    )


UNKNOWN = frozenset({"bound", "unexplored"})
"""What stands for a result that was not looked at."""


def differ(results: Sequence[frozenset[object]]) -> bool:
    """Do some of the results differ for certain: does one have what another, all of which is known, has not?"""
    return any(
        (a - UNKNOWN) - b for b in set(results) if not b & UNKNOWN for a in set(results)
    )


def outcomes_of(
    subject: Subject, out: Exploration, k: int, results: Sequence[frozenset[object]]
) -> tuple[Outcome, ...]:
    """For each option of state k, what one of its results is and the results of the others are not, if it has such a
    result."""
    d = subject.describer
    at = subject.engine.point(out.states[k])
    assert at is not None
    shared = frozenset[object]().union(*results[:1]).intersection(*results[1:])
    told: list[tuple[Text, ...]] = []
    for result in results:
        own = sorted(x for x in result - shared if isinstance(x, int) and x >= 0)
        if own:
            state = out.states[own[0]]
            end = () if state.end is None else (d.ending(state.end),)
            told.append((*d.changes(out.states[k], state), *end))
        else:
            told.append((ENDLESS,) if "loop" in result - shared else ())
    common = set(told[0]).intersection(*told[1:]) if told else set[Text]()
    return tuple(
        Outcome(d.option(at, option), tuple(x for x in then if x not in common))
        for option, then in zip(at.options, told, strict=True)
    )


ENDLESS = Text(ja="終わらない", en="it never ends")


def order_words(subject: Subject, instr: ir.Choose) -> Text:
    """What the order is called: by the book's word for `order of …` (what holds what waits), if it has one."""
    words = subject.describer.words.words
    for c in subject.program.layout.containers.values():
        if c.type == instr.type and not c.is_pool and f"order of {c.name}" in words:
            return words[f"order of {c.name}"]
    return Text(ja="待機中の能力を処理する順", en="the order in which waiting abilities are played")


def ordering(subject: Subject, state: State) -> ir.Choose | None:
    """The choice of what waits that comes first, if the state is at one."""
    if state.end is not None or not state.frames:
        return None
    number, pc = state.frames[-1][:2]
    instr = subject.engine.numbered[number].fn.code[pc]
    if not isinstance(instr, ir.Choose):
        return None
    waiting = any(c.type == instr.type for c in subject.program.layout.containers.values() if not c.is_pool)
    return instr if waiting or hasattr(instr.type, "names") else None


def order_key(subject: Subject, state: State) -> tuple[int, ...]:
    """What waits: orders of the same things are one finding."""
    out: list[int] = []
    for c in subject.program.layout.containers.values():
        if not c.is_pool:
            out += [state.slots[x + k] for x in c.columns[:1] for k in range(state.slots[c.head])]
    return tuple(out)


def join_depth(subject: Subject, state: State) -> int:
    """How many frames are left when the resolver has returned: those below the frame that goes round and round."""
    for k in range(len(state.frames) - 1, -1, -1):
        number, pc = state.frames[k][:2]
        code = subject.engine.numbered[number].fn.code[: pc + 1]
        if any(isinstance(i, ir.Label) for i in code):
            return k
    return len(state.frames) - 1


def returns(out: Exploration, start: int, depth: int) -> Iterable[object]:
    """States first reached with at most `depth` frames, ends, what is not known beyond, and whether play can go round
    for ever before."""
    seen: set[int] = set()
    inside: dict[int, list[int]] = {}
    todo = [start]
    while todo:
        k = todo.pop()
        if k < 0:
            yield "bound"
            continue
        if k in seen:
            continue
        seen.add(k)
        state = out.states[k]
        if state.end is not None or len(state.frames) <= depth:
            yield k
            continue
        targets = inside[k] = out.graph.targets(k)
        if not targets:
            yield "unexplored"
        todo += targets
    if goes_round(inside):
        yield "loop"


def goes_round(graph: Mapping[int, Sequence[int]]) -> bool:
    """Is there a cycle?"""
    left = dict.fromkeys(graph, 0)
    for targets in graph.values():
        for k in targets:
            if k in left:
                left[k] += 1
    todo = [k for k, n in left.items() if not n]
    gone = 0
    while todo:
        gone += 1
        for k in graph[todo.pop()]:
            if k in left:
                left[k] -= 1
                if not left[k]:
                    todo.append(k)
    return gone < len(graph)


# ---------------------------------------------------------------- invariants
def is_mid_step(subject: Subject, state: State) -> bool:
    """Is a reading chosen here, which may be in the middle of what nothing can interrupt?"""
    at = subject.engine.point(state) if subject.program.reading_slots else None
    return at is not None and at.owner == READING


def broken(subject: Subject, name: str, path: Sequence[tuple[int, Option]], out: Exploration, bounds: Bounds) -> Finding:
    """An invariant that does not hold."""
    word = subject.describer.words.of(name)
    title = Text(ja=f"不変条件「{word.ja}」が破れる", en=f"the invariant “{word.en}” is broken")
    summary = Text(
        ja="この手順の後、成り立つはずの条件が成り立ちません。",
        en="After this play a condition that must always hold does not.",
    )
    return build(subject, FindingClass.INVARIANT, title, summary, (), path, out, bounds)


def untold(
    subject: Subject, name: str, end: End, path: Sequence[tuple[int, Option]], out: Exploration, bounds: Bounds
) -> Finding:
    """An invariant of which it cannot be told whether it holds: its own rule fails."""
    word, why = subject.describer.words.of(name), subject.describer.ending(end)
    title = Text(ja=f"不変条件「{word.ja}」を調べられない", en=f"whether the invariant “{word.en}” holds cannot be told")
    summary = Text(
        ja=f"この手順の後、条件を調べる規則そのものが値を出せません: {why.ja}",
        en=f"After this play the rule that states the condition gives no value: {why.en}",
    )
    return build(subject, FindingClass.DEFECT, title, summary, (), path, out, bounds)


def invariant_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """States in which an invariant does not hold."""
    found: list[Finding] = []
    left = dict.fromkeys(subject.program.invariants)
    positions = [(k, state) for k, state in enumerate(out.states) if state.slots and not is_mid_step(subject, state)]
    for k, state in positions:
        for name in list(left):
            said = subject.engine.evaluate(name, state)
            if said == 0 or isinstance(said, End):
                del left[name]
                path = play_to(out, k)
                if isinstance(said, End):
                    found.append(untold(subject, name, said, path, out, bounds))
                else:
                    found.append(broken(subject, name, path, out, bounds))
    count = len(positions) * len(subject.program.invariants)
    return found, Examined(
        Text(ja="守られるはずの条件を確かめた回数", en="conditions that must always hold, looked at"), count
    )
