"""Findings other than loops: ends that the rules do not explain, choices that nobody owns, orders, invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, product

import numpy as np

from ...model.engine.describe import join
from ...model.engine.state import OPEN, End, Option, State
from ...model.ir import nodes as ir
from ...model.ir import types as t
from ...model.ir.flow import walk
from ...model.ir.program import Program
from ...spec.text import Text
from ..findings.record import Bounds, ClauseVerdict, Examined, Finding, FindingClass, Outcome, Play, PlayStep, Stake
from . import way_kernels
from .explorer import Exploration, play_to
from .more_plays import more_plays, real_way, target_of
from .outcomes import ordering_at, outcomes_of, stake_among
from .subject import Subject
from .survey import NOWHERE

MOST_VALUES = 6
"""More values than this are not told of a verdict."""
MOST_ENDS = 1_000
"""Ends that are compared at most to tell several plays of a finding."""
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
    shown: Text | None = None,
    found_at: Callable[[], Sequence[int]] | None = None,
) -> Finding:
    """A finding with the play along `path`, replayed without symmetry. Its id comes from `title`, though another one may
    be `shown`. `found_at`: all states in which it is found, if that is not only the one to which the path leads."""
    start, way = real_way(subject, path)
    steps, _ = subject.tell_all((*way[:-1], *extra), opening=start)
    play = Play(tuple(steps), (), end)
    found = subject.finding(cls, title, summary, clauses, play, bounds, start)
    behind = subject.readings_behind(clauses, len(clauses) if cls is FindingClass.CONFLICT else 1)
    moment = subject.describer.position(way[-1][0], brief=True, begun=subject.positions[start]) if way and way[-1][0].slots else None
    more = ()
    if subject.show > 1 and not hint:
        more = more_plays(subject, out, play, found_at() if found_at is not None else [target_of(out, path)], extra)
    figures = subject.figures.looked_at(way[:-1][-since_choice(steps):])
    return replace(found, moment=moment, figures=figures, title=shown or title, readings=behind, hint=hint, question=question,
                   outcomes=outcomes, stake=stake, more=more)


def since_choice(steps: Sequence[PlayStep]) -> int:
    """How many steps there are from the last choice of a player in the last turn on; at least one."""
    turn = steps[-1].turn if steps else None
    for count, step in enumerate(reversed(steps), 1):
        if step.turn != turn:
            return max(1, count - 1)
        if step.decider is not None:
            return count
    return max(1, len(steps))


# ---------------------------------------------------------------- ends
def end_findings(subject: Subject, out: Exploration, bounds: Bounds) -> list[Finding]:
    """Ends at a gap, a conflict, a clause that is missing, or a fault: the shortest play to each."""
    found: dict[tuple[str, ...], Finding] = {}
    seen: set[tuple[str, ...]] = set()
    for end, k, _ in out.surveyed(subject.engine).places.ended:
        if end.kind not in SILENT:
            continue
        key = (end.kind, end.detail)
        if key in seen:
            continue
        seen.add(key)
        path = play_to(out, k)
        ended = ended_by(subject, path, end)
        tellings = [told_end(subject, ended, among=core) for core in cores(subject, ended)]
        for core, said in tellings:
            one = build(subject, said.cls, said.title, said.summary, said.clauses, path, out, bounds, said.question,
                        end=said.told, stake=said.stake, shown=said.shown, found_at=partial(ended_like, subject, out, end, said.title))
            found[*key, *core] = replace(one, clause_verdicts=said.verdicts)
    return list(found.values())


def ended_like(subject: Subject, out: Exploration, end: End, title: Text) -> list[int]:
    """The states in which play ends in the same way, and the same is told of it."""
    places = out.surveyed(subject.engine).places
    same = [-1 - number for number, other in enumerate(places.ends) if other[:3] == end[:3]]
    alike: list[int] = []
    for k in np.flatnonzero(np.isin(places.code, same)).tolist()[:MOST_ENDS]:
        ended = ended_by(subject, play_to(out, k), end)
        if any(told_end(subject, ended, among=core).title == title for core in cores(subject, ended)):
            alike.append(k)
    return alike


@dataclass(frozen=True)
class Ended:
    """A play that ended: where, how, the last clause carried out; what verdicts on each question had been asked about then, and the two parts
    of slots that were made as a sum."""

    state: State
    end: End
    last: tuple[str, ...] = ()
    asked: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    sums: Mapping[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])


def ended_by(subject: Subject, path: Sequence[tuple[int, Option]], end: End) -> Ended:
    """The real play along a path of the exploration that ends so, with its last step watched."""
    start, way = real_way(subject, path)
    steps = [*(subject.before[start] if subject.before else ()), *way[:-1]]
    return last_watched(subject, way[-1][0], end, steps[-1] if steps else None, start)


def last_watched(subject: Subject, state: State, end: End, step: tuple[State, Option] | None, start: int = 0) -> Ended:
    """A play that ended in the state by this step (or before anything could be chosen), which is watched."""
    told = subject.opening(start) if step is None else subject.watched_step(*step)[0]
    watched = subject.watched
    return Ended(state, end, told.clauses[-1:] if told is not None else (), watched.asked, watched.sums)


@dataclass(frozen=True)
class ToldEnd:
    """What a finding says of an end that the rules do not explain; `told` is the end itself."""

    cls: FindingClass
    title: Text
    summary: Text
    clauses: tuple[str, ...]
    question: Text
    told: Text
    stake: Stake
    shown: Text | None = None
    verdicts: tuple[ClauseVerdict, ...] = ()


PLAY_COMES = Text(ja="この手順の先に、{what}所があります。", en="This play comes to a place where {what}.")
NO_WAY_ON = Text(
    ja="この手順で {clauses} に達します。そこから先へどう進むかを定めた条文はなく、その先は調べていません。",
    en="This play comes to {clauses}. No clause says how play goes on from there, and nothing beyond was looked at.")
"""The same where the clause that is silent is known."""


def told_end(subject: Subject, ended: Ended, comes: Text = PLAY_COMES, among: Sequence[str] = ()) -> ToldEnd:
    """An end in words. `comes`: how it is come to; `among`: the verdicts it is about, if not all that were pronounced."""
    end = ended.end
    cls, what = SILENT[end.kind]
    named, detail = explained(subject, ended, among)
    clauses = named or ended.last
    title = Text(ja=f"{detail.ja}{what.ja}", en=f"{detail.en}{what.en}")
    title = subject.describer.words.words.get(f"{end.kind} {end.detail}", title)
    if comes is PLAY_COMES and end.kind == "gap" and clauses:
        comes = NO_WAY_ON
    summary = Text(ja=comes.ja.format(what=what.ja, clauses="・".join(clauses)), en=comes.en.format(what=what.en, clauses=" and ".join(clauses)))
    question = Text(ja="ここで何が起こると定めますか。", en="What should happen here?")
    if len(clauses) == 1:
        question = Text(ja=f"{clauses[0]} のこの場合に、何が起こると定めますか。",
                        en=f"What should happen in this case of {clauses[0]}?")
    told = subject.describer.ending(end)
    shown, verdicts = subject.describer.words.words.get(f"title of {end.kind} {end.detail}"), ()
    if end.detail.startswith("verdict:"):
        said = pronounced(subject, ended, among)
        summary = contradiction(said)
        shown = subject.describer.words.words.get(f"{end.kind} {end.detail}") or disagreement(said, clauses)
        verdicts = tuple(x.told() for x in with_values(subject, ended, said))
        told = Text(ja=f"{' '.join(clauses)} で二つの答えが出て、決まらない", en=f"two answers by {' '.join(clauses)}, so it is not decided")
        if len(clauses) > 1:
            told = Text(ja=f"{' と '.join(clauses)} が食い違い、決まらない", en=f"{' and '.join(clauses)} disagree, so it is not decided")
            question = Text(ja=f"{' と '.join(clauses)} のどちらを優先しますか。", en=f"Which of {' and '.join(clauses)} takes precedence?")
    stake = Stake.WINNER if decides_the_game(subject, end) else Stake.RESULT
    return ToldEnd(cls, title, summary, clauses, question, told, stake, shown, verdicts)


@dataclass(frozen=True)
class Pronounced:
    """What a verdict says about something: `code` is the answer, none where its own rule stops. Of what it is about and of what it says it is known
    whether it is a word of the rules (`names`, `answers`), the same in every position, or a card, a number or a bundle of such."""

    verdict: str
    clauses: tuple[str, ...]
    outranks: frozenset[str]
    about: Text
    says: Text
    code: int | None
    names: bool
    answers: bool
    values: tuple[Text, ...] = ()
    """The fields it went by, where they are not those of the others."""

    @property
    def lasting(self) -> Text:
        """What of it tells one defect from another: no card and no number."""
        words = [x for x, lasts in ((self.about, self.names), (self.says, self.answers)) if lasts]
        cited = " ".join(self.clauses) if self.code is not None else ""
        ja, en = ": ".join(x.ja for x in words), ": ".join(x.en for x in words)
        return Text(ja=ja + f"（{cited}）", en=f"{en} ({cited})".lstrip()) if cited else Text(ja=ja, en=en)

    def told(self) -> ClauseVerdict:
        """The same for a page."""
        effect = Text(ja=f"{self.about.ja}: {self.says.ja}", en=f"{self.about.en}: {self.says.en}")
        if self.values:
            read = join(self.values)
            effect = Text(ja=f"{effect.ja}（{read.ja}）", en=f"{effect.en} ({read.en})")
        return ClauseVerdict(" ".join(self.clauses), self.says, "applies", self.about, effect)


def is_word(of: t.Type) -> bool:
    """Are its values words of the rules: players, yes and no, what a book lists?"""
    of = of.inner if isinstance(of, t.OptionType) else of
    return isinstance(of, t.PlayerType | t.Bool) or (isinstance(of, t.EnumType) and of.listed == of.count)


def pronounced(subject: Subject, ended: Ended, among: Sequence[str] = ()) -> list[Pronounced]:
    """What the verdicts on the question that play ended at say: all of them, or these; not what another one outranks. About each of the
    words of the rules that they can be asked about; of cards, numbers and bundles about what they were asked."""
    d, question = subject.describer, ended.end.detail.removeprefix("verdict:")
    found: list[Pronounced] = []
    for v in subject.program.verdicts:
        if v.question != question or (among and v.function not in among):
            continue
        names, asked = is_word(v.subject), ended.asked.get(question)
        for about in product(*(range(x.lo, x.hi + 1) for x in v.subject.flat())) if names else () if asked is None else (tuple(asked),):
            said = subject.engine.evaluate(v.function, ended.state, about)
            if isinstance(said, End):
                found.append(Pronounced(v.function, (), v.outranks, d.bundle(v.subject, about), d.ending(said), None, names, True))
            elif not (isinstance(v.answer, t.OptionType) and said == v.answer.none):
                found.append(Pronounced(v.function, v.clauses, v.outranks, d.bundle(v.subject, about), d.value(v.answer, said), said, names, is_word(v.answer)))
    return [x for x in found if not any(x.about == y.about and x.verdict in y.outranks for y in found)]


def with_values(subject: Subject, ended: Ended, said: Sequence[Pronounced]) -> list[Pronounced]:
    """The verdicts, each with the values of the fields that are told of, that it goes by and not all of them do."""
    read = [slots_read(subject.program, x.verdict) for x in said]
    common = frozenset[int].intersection(*read) if read else frozenset[int]()
    d, out = subject.describer, list[Pronounced]()
    for one, slots in zip(said, read, strict=True):
        fields = [(name, d.value(of, ended.state.slots[k]), ended.sums.get(k)) for told in d.shown.values() for name, k, of in told if k in slots - common]
        values = tuple(
            Text(ja=f"{name.ja} {v.ja}", en=f"{name.en} = {v.en}") if parts is None else
            Text(ja=f"{name.ja} {parts[0]}＋{parts[1]}＝{v.ja}", en=f"{name.en} = {parts[0]} + {parts[1]} = {v.en}")
            for name, v, parts in fields)
        out.append(replace(one, values=values if len(values) <= MOST_VALUES else ()))
    return out


def slots_read(program: Program, function: str) -> frozenset[int]:
    """The slots that a function may load, itself or by what it calls."""
    todo, seen, slots = [function], set[str](), set[int]()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in (node for instr in program.functions[name].code for node in walk(instr)):
            if isinstance(node, ir.Load):
                slots.update(range(node.base, node.base + node.count))
            elif isinstance(node, ir.Call):
                todo.append(node.function)
    return frozenset(slots)


def cores(subject: Subject, ended: Ended) -> list[tuple[str, ...]]:
    """The smallest sets of verdicts that disagree, in their order: pairs. One empty set, for all of them, where it is no more
    than two that speak."""
    if not ended.end.detail.startswith("verdict:"):
        return [()]
    said = pronounced(subject, ended)
    if len({x.verdict for x in said}) <= 2:
        return [()]
    pairs = dict.fromkeys(
        (a.verdict, b.verdict) for a, b in combinations(said, 2)
        if a.verdict != b.verdict and a.about == b.about and a.code != b.code)
    return list(pairs) or [()]


def contradiction(said: Sequence[Pronounced]) -> Text:
    """What clauses that disagree say, in a sentence or two."""
    alike: dict[tuple[tuple[str, Text], ...], list[Text]] = {}
    for what in dict.fromkeys(x.about for x in said):
        alike.setdefault(tuple((" ".join(x.clauses), x.says) for x in said if x.about == what), []).append(what)
    ja = "。".join("と".join(x.ja for x in about) + "について、" + "、".join(f"{c} では{says.ja}" if c else says.ja for c, says in answers)
                  for answers, about in alike.items())
    en = ". ".join("About " + " and ".join(x.en for x in about) + ": " + "; ".join(f"by {c}, {says.en}" if c else says.en for c, says in answers)
                   for answers, about in alike.items())
    return Text(
        ja=f"{ja}です。同じ局面に両方の条文が当てはまり、どちらが優先するかを定める条文はありません。",
        en=f"{en}. Both clauses apply to the same position, and no clause says which counts.")


def disagreement(said: Sequence[Pronounced], clauses: Sequence[str]) -> Text | None:
    """A title for clauses that disagree: which, about what, and what each says. None unless two answers differ."""
    about = list(dict.fromkeys(x.about for x in said if x.code is not None and x.names))
    answers = {(" ".join(x.clauses), x.says): None for x in said if x.code is not None}
    if len({says for _, says in answers}) < 2 or len(answers) != len({clause for clause, _ in answers}):
        return None
    ja, en = f"{' と '.join(clauses)} ", f"{' and '.join(clauses)} disagree"
    if about:
        ja, en = f"{ja}で、{'と'.join(x.ja for x in about)}について", f"{en} about {' and '.join(x.en for x in about)}"
    else:
        ja += "が"
    ja += "食い違う"
    if all(x.answers for x in said):
        ja, en = ja + "（" + "／".join(f"{c} では{a.ja}" for c, a in answers) + "）", f"{en} ({'; '.join(f'{c}: {a.en}' for c, a in answers)})"
    return Text(ja=ja, en=en)


def decides_the_game(subject: Subject, end: End) -> bool:
    """Does play stop where the game could be won or drawn? It does if a rule that stops like this can also end the game, itself
    or by a step it does, or if the clause that is silent here is one by which rules end the game, wherever they stand."""
    functions = subject.program.functions

    def inside(name: str, seen: set[str]) -> Iterator[ir.Instr]:
        seen.add(name)
        for i in functions[name].code:
            yield i
            if isinstance(i, ir.Do) and i.function not in seen:
                yield from inside(i.function, seen)

    stops = [n for n, fn in functions.items()
             if any(isinstance(i, ir.End) and i.kind == end.kind and i.detail == end.detail for i in fn.code)]
    silent = {*end.detail.split()} if end.kind == "gap" else set[str]()
    return (any(ends_the_game(i) for name in stops for i in inside(name, set()))
            or any(ends_the_game(i) and silent.intersection(i.at.clauses) for fn in functions.values() for i in fn.code))


def ends_the_game(i: ir.Instr) -> bool:
    """Is the game won or drawn by this instruction?"""
    return isinstance(i, ir.End) and i.kind in ("win", "draw")


def explained(subject: Subject, ended: Ended, among: Sequence[str] = ()) -> tuple[tuple[str, ...], Text]:
    """The clauses behind an end, and a few words about it; of verdicts all, or these."""
    end = ended.end
    if end.kind == "fault":
        why = end.detail.split(" (")[0]
        return (), Text(ja=f"{why}: ", en=f"{why}: ")
    if not end.detail.startswith("verdict:"):
        return tuple(end.detail.split()), Text(ja="", en="")
    said = pronounced(subject, ended, among)
    ja, en = "、".join(x.lasting.ja for x in said), "; ".join(x.lasting.en for x in said)
    return tuple(dict.fromkeys(c for x in said for c in x.clauses)), Text(ja=f"{ja}。", en=f"{en}. ")


# ---------------------------------------------------------------- choices nobody owns
def open_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """Choices that the rules give to nobody and whose options lead to different states; orders are looked at as such
    (`order_findings`)."""
    found: dict[str, Finding] = {}
    asked = np.flatnonzero(out.graph.owner == OPEN)

    def alike(clause: str) -> list[int]:
        """All states with a choice that the clause gives to nobody, and in which it matters."""
        points = ((k, subject.engine.point(out.states[k])) for k in parting(subject, out, asked).tolist())
        return [k for k, point in points if point is not None and point.clause == clause]

    for k in parting_first(subject, out, asked):
        at = subject.engine.point(out.states[k])
        assert at is not None
        if at.clause in found:
            continue
        targets = out.graph.targets(k)
        d = subject.describer
        title = Text(ja=f"{at.clause} で、誰が決めるのか定められていない", en=f"{at.clause} does not say who decides")
        told = d.taken_apart(out.states[k], at)
        options = "／".join(x.ja for x in told), " / ".join(x.en for x in told)
        summary = Text(
            ja=f"選べるもの: {options[0]}。どれを選ぶかで、その後が変わります。",
            en=f"The options: {options[1]}. What follows depends on which is taken.",
        )
        question = Text(
            ja=f"{at.clause} では決まらないこの選択を、どう定めますか（誰が行うか、またはどれになるか）。",
            en=f"What should settle this choice, which {at.clause} leaves open: who makes it, or which it is?")
        shown = d.words.words.get(f"title of open {at.clause}")
        ways = [frozenset[object]({to}) for to in targets]
        found[at.clause] = build(
            subject, FindingClass.OPEN, title, summary, (at.clause,), play_to(out, k), out, bounds, question,
            outcomes=outcomes_of(subject, out, k, ways),
            stake=stake_among(subject, out, targets), shown=shown, found_at=partial(alike, at.clause),
        )
    return list(found.values()), Examined(Text(ja="決める人のいない選択", en="choices that nobody owns"), len(asked), "open")


def parting_first(subject: Subject, out: Exploration, asked: np.ndarray) -> list[int]:
    """Of each place where a choice is made that is no order: the first of these states in which it matters what is
    taken at once."""
    places, asked = out.surveyed(subject.engine).places, parting(subject, out, asked)
    codes, firsts = np.unique(places.code[asked], return_index=True)
    orders = [ordering_at(subject, *place) is not None for place in places.at]
    return sorted(int(asked[k]) for c, k in zip(codes.tolist(), firsts.tolist(), strict=True) if not orders[c])


def parting(subject: Subject, out: Exploration, asked: np.ndarray) -> np.ndarray:
    """Those of these states in which it matters what is taken at once; if only for counters whose values are not told apart, too."""
    matters = np.zeros(len(asked), np.bool_)
    way_kernels.parts_ways(asked, out.graph.edges.first, out.graph.edges.target, matters)
    for n in np.flatnonzero(~matters).tolist() if subject.saturated is not None else ():
        state = out.states[asked[n]]
        at = subject.engine.point(state)
        if at is not None:
            after = (subject.engine.apply(state, option).state for option in at.options)
            matters[n] = len({s if subject.symmetry is None else subject.symmetry.canonical(s)[0] for s in after}) > 1
    return asked[matters]


# ---------------------------------------------------------------- invariants
def at_settle_points(subject: Subject, out: Exploration) -> np.ndarray:
    """The states in which conditions are looked at: all but the one before play, and those in which a reading is
    chosen, which may be in the middle of what nothing can interrupt."""
    places = out.surveyed(subject.engine).places
    code = [fn.code for fn in subject.program.functions.values()]
    consults = places.standing([isinstance(code[f][pc], ir.Consult) for f, pc in places.at])
    settled = places.code != NOWHERE
    settled[consults] = False
    return np.flatnonzero(settled)


def broken(subject: Subject, name: str, path: Sequence[tuple[int, Option]], out: Exploration, bounds: Bounds) -> Finding:
    """An invariant that does not hold."""
    return build(subject, FindingClass.INVARIANT, *words_of_broken(subject, name), clauses_of(subject, name), path, out, bounds)


def clauses_of(subject: Subject, name: str) -> tuple[str, ...]:
    """The clauses that an invariant carries."""
    return tuple(dict.fromkeys(c for i in subject.program.functions[name].code for c in i.at.clauses))


def words_of_broken(subject: Subject, name: str) -> tuple[Text, Text]:
    """Title and summary of an invariant that does not hold after a play."""
    word = subject.describer.words.of(name)
    return (
        Text(ja=f"不変条件「{word.ja}」が破れる", en=f"the invariant “{word.en}” is broken"),
        Text(ja="この手順の後、成り立つはずの条件が成り立ちません。", en="After this play a condition that must always hold does not."))


def untold(
    subject: Subject, name: str, end: End, path: Sequence[tuple[int, Option]], out: Exploration, bounds: Bounds
) -> Finding:
    """An invariant of which it cannot be told whether it holds: its own rule fails."""
    return build(subject, FindingClass.DEFECT, *words_of_untold(subject, name, end), (), path, out, bounds)


def words_of_untold(subject: Subject, name: str, end: End) -> tuple[Text, Text]:
    """Title and summary of an invariant whose own rule fails after a play."""
    word, why = subject.describer.words.of(name), subject.describer.ending(end)
    return (
        Text(ja=f"不変条件「{word.ja}」を調べられない", en=f"whether the invariant “{word.en}” holds cannot be told"),
        Text(
            ja=f"この手順の後、条件を調べる規則そのものが値を出せません: {why.ja}",
            en=f"After this play the rule that states the condition gives no value: {why.en}"))


def invariant_findings(subject: Subject, out: Exploration, bounds: Bounds) -> tuple[list[Finding], Examined]:
    """States in which an invariant does not hold."""
    found: list[Finding] = []
    states = at_settle_points(subject, out)
    for k, name, said in out.surveyed(subject.engine).failing(subject.program.invariants, states):
        path = play_to(out, k)
        if isinstance(said, End):
            found.append(untold(subject, name, said, path, out, bounds))
        else:
            found.append(broken(subject, name, path, out, bounds))
    count = len(states) * len(subject.program.invariants)
    return found, Examined(
        Text(ja="守られるはずの条件を確かめた回数", en="conditions that must always hold, looked at"), count, "invariants"
    )
