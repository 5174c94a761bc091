"""How play ends where rules disagree, are silent, or are not encoded: told by what the verdicts said, and what they were asked about."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from ...model.engine.state import CHANCE, End, Option, Point, State
from ...model.engine.vocabulary import join
from ...model.ir import nodes as ir
from ...model.ir import types as t
from ...model.ir.flow import functions_used, walk
from ...model.ir.program import Program, VerdictInfo
from ...spec.groups import grouped
from ...spec.text import Text
from ..findings.record import ClauseVerdict, FindingClass, Stake
from .more_plays import real_way
from .subject import Subject

JUDGED = "verdict:"
"""So begins what an end says at which verdicts disagree; what follows is the question."""
MOST_VALUES = 6
"""More values than this are not told of a verdict."""
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


@dataclass(frozen=True)
class Ended:
    """A play that ended: where, how, the last clause carried out; what verdicts on each question had been asked about then, and the two parts
    of slots that were made as a sum; the choice that offered nothing, where it ended at one."""

    state: State
    end: End
    last: tuple[str, ...] = ()
    asked: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    sums: Mapping[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    empty: Point | None = None


def ended_by(subject: Subject, path: Sequence[tuple[int, Option]], end: End) -> Ended:
    """The real play along a path of the exploration that ends so, with its last step watched."""
    start, way = real_way(subject, path)
    steps = [*(subject.before[start] if subject.before else ()), *way[:-1]]
    return last_watched(subject, way[-1][0], end, steps[-1] if steps else None, start)


def last_watched(subject: Subject, state: State, end: End, step: tuple[State, Option] | None, start: int = 0) -> Ended:
    """A play that ended in the state by this step (or before anything could be chosen), which is watched."""
    told = subject.opening(start) if step is None else subject.watched_step(*step)[0]
    watched = subject.watched
    return Ended(state, end, told.clauses[-1:] if told is not None else (), watched.asked, watched.sums, watched.empty)


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
NONE_TO_CHOOSE = Text(ja="選ぶものがないときのことを、規則が定めていない", en="the rules do not say what happens where there is nothing to choose")
NONE_TO_DRAW = Text(ja="候補がないときのことを、規則が定めていない", en="the rules do not say what happens where luck has nothing to choose from")
CHOOSES_NONE = Text(
    ja="{clauses} で{who}が選びますが、選べるものが一つもありません。そのときどうするかを定めた条文はなく、その先は調べていません。",
    en="In {clauses}, {who} is to choose, and there is nothing to choose from. No clause says what happens then, and nothing beyond was looked at.")
DRAWS_NONE = Text(
    ja="{clauses} で偶然が決めますが、候補が一つもありません。そのときどうするかを定めた条文はなく、その先は調べていません。",
    en="In {clauses}, luck is to decide, and there is nothing to choose from. No clause says what happens then, and nothing beyond was looked at.")
FAULTS = tuple((re.compile(said), ja) for said, ja in (
    ("division by zero", "0で割る"),
    ("a card that is none cannot be moved", "None のカードを動かす"),
    ("a card was asked for that is none", "None のカードを見る"),
    ("a member of the empty set was asked for", "空の集合から一つを取り出す"),
    ("a set was given a member that is none", "集合に None を入れる"),
    ("a value was used that is none", "None の値を使う"),
    ("the order of these cards is unknown", "順番の分からないカードの順番を見る"),
    (r"a place in (.+) was freed that is not in use", r"\1 の使われていない所を free する"),
    (r"nothing catches (.+)", r"\1 を受け取る except がない"),
    (r"the (\S+) of nothing was asked for", r"何もないものの \1 を求める"),
))
"""What a rule may do that has no meaning, as the engines say it, in Japanese."""
SOMEBODY = Text(ja="誰か", en="somebody")


def of_fault(detail: str) -> tuple[Text, str]:
    """What a rule does that has no meaning, and where in the rules."""
    what, _, place = detail.partition(" (")
    ja = next((made for said, to in FAULTS if (match := said.fullmatch(what)) and (made := match.expand(to))), what)
    return Text(ja=ja, en=what), place.removesuffix(")")


def told_end(subject: Subject, ended: Ended, comes: Text = PLAY_COMES, among: Sequence[str] = ()) -> ToldEnd:
    """An end in words. `comes`: how it is come to; `among`: the verdicts it is about, if not all that were pronounced."""
    end = ended.end
    cls, what = SILENT[end.kind]
    said = pronounced(subject, ended, among) if end.detail.startswith(JUDGED) else []
    named, detail = explained(end, said)
    clauses = named or ended.last
    title = Text(ja=f"{detail.ja}{what.ja}", en=f"{detail.en}{what.en}")
    named_so = subject.describer.words.words.get(f"{end.kind} {end.detail}")
    title = named_so or title
    shown, empty = subject.describer.words.words.get(f"title of {end.kind} {end.detail}"), ended.empty
    if end.kind == "gap" and clauses and empty is not None:
        comes = DRAWS_NONE if empty.owner == CHANCE else CHOOSES_NONE
        shown = shown or named_so or (NONE_TO_DRAW if empty.owner == CHANCE else NONE_TO_CHOOSE)
    elif comes is PLAY_COMES and end.kind == "gap" and clauses:
        comes = NO_WAY_ON
    who = SOMEBODY if empty is None or empty.owner < 0 else subject.describer.player(empty.owner, ended.state)
    summary = Text(
        ja=comes.ja.format(what=what.ja, clauses="・".join(clauses), who=who.ja),
        en=comes.en.format(what=what.en, clauses=" and ".join(clauses), who=who.en),
    )
    question = Text(ja="ここで何が起こると定めますか。", en="What should happen here?")
    if len(clauses) == 1:
        question = Text(ja=f"{clauses[0]} のこの場合に、何が起こると定めますか。",
                        en=f"What should happen in this case of {clauses[0]}?")
    told = subject.describer.ending(end)
    verdicts = ()
    if end.detail.startswith(JUDGED):
        summary = contradiction(said)
        shown = named_so or disagreement(said, clauses)
        verdicts = tuple(x.told() for x in with_values(subject, ended, said))
        told = Text(ja=f"{' '.join(clauses)} で二つの答えが出て、決まらない", en=f"two answers by {' '.join(clauses)}, so it is not decided")
        if len(clauses) > 1:
            told = Text(ja=f"{' と '.join(clauses)} が食い違い、決まらない", en=f"{' and '.join(clauses)} disagree, so it is not decided")
            question = Text(ja=f"{' と '.join(clauses)} のどちらを優先しますか。", en=f"Which of {' and '.join(clauses)} takes precedence?")
    if end.kind == "fault":
        does, place = of_fault(end.detail)
        said_at = Text(ja=f"{does.ja}（{place}）", en=f"{does.en} ({place})") if place else does
        shown = told = Text(ja=f"規則の書き誤り: {said_at.ja}", en=f"a mistake in a rule: {said_at.en}")
        summary = Text(ja=f"この手順の先で、規則が意味のないことをします: {said_at.ja}。規則を直してください。",
                       en=f"Further along this play a rule does what has no meaning: {said_at.en}. Mend the rule.")
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
    """What the verdicts on the question that play ended at say: all of them, or these; not what another one outranks. About what they were
    asked, and each of the words of the rules that a rule asks them about by its name (both players, say)."""
    d, question = subject.describer, ended.end.detail.removeprefix(JUDGED)
    found: list[Pronounced] = []
    by_name = named_subjects(subject.program, question)
    for v in asked_in(subject, ended.end):
        if among and v.function not in among:
            continue
        names, asked = is_word(v.subject), ended.asked.get(question)
        for about in (
            (
                x
                for x in product(*(range(x.lo, x.hi + 1) for x in v.subject.flat()))
                if asked is None or x == tuple(asked) or x in by_name
            )
            if names
            else ()
            if asked is None
            else (tuple(asked),)
        ):
            said = subject.engine.evaluate(v.function, ended.state, about)
            if isinstance(said, End):
                found.append(
                    Pronounced(
                        v.function, (), v.outranks, d.bundle(v.subject, about), d.ending(said), None, names, True
                    )
                )
            elif not (isinstance(v.answer, t.OptionType) and said == v.answer.none):
                found.append(
                    Pronounced(
                        v.function,
                        v.clauses,
                        v.outranks,
                        d.bundle(v.subject, about),
                        d.value(v.answer, said),
                        said,
                        names,
                        is_word(v.answer),
                    )
                )
    return [x for x in found if not any(x.about == y.about and x.verdict in y.outranks for y in found)]


def named_subjects(program: Program, question: str) -> frozenset[tuple[int, ...]]:
    """What some rule asks the verdicts on a question about by its name, and not by what the state or a variable holds."""
    verdicts = {v.function for v in program.verdicts if v.question == question}
    return frozenset(
        tuple(arg.value for arg in node.args if isinstance(arg, ir.Const))
        for function in program.functions.values()
        for instr in function.code
        for node in walk(instr)
        if isinstance(node, ir.Call)
        and node.function in verdicts
        and all(isinstance(arg, ir.Const) for arg in node.args)
    )


def with_values(subject: Subject, ended: Ended, said: Sequence[Pronounced]) -> list[Pronounced]:
    """The verdicts, each with the values of the fields that are told of, that it goes by and not all of them do."""
    read = [slots_read(subject.program, x.verdict) for x in said]
    common = frozenset[int].intersection(*read) if read else frozenset[int]()
    d, out = subject.describer, list[Pronounced]()
    for one, slots in zip(said, read, strict=True):
        fields = [
            (name, d.value(of, ended.state.slots[k]), ended.sums.get(k))
            for told in d.shown.values()
            for name, k, of in told
            if k in slots - common
        ]
        values = tuple(
            Text(ja=f"{name.ja} {v.ja}", en=f"{name.en} = {v.en}") if parts is None else
            Text(ja=f"{name.ja} {parts[0]}＋{parts[1]}＝{v.ja}", en=f"{name.en} = {parts[0]} + {parts[1]} = {v.en}")
            for name, v, parts in fields)
        out.append(replace(one, values=values if len(values) <= MOST_VALUES else ()))
    return out


def slots_read(program: Program, function: str) -> frozenset[int]:
    """The slots that a function may load, itself or by what it calls."""
    loads = (
        node
        for name in functions_used(program, [function])
        for instr in program.functions[name].code
        for node in walk(instr)
        if isinstance(node, ir.Load)
    )
    return frozenset(slot for load in loads for slot in range(load.base, load.base + load.count))


def asked_in(subject: Subject, end: End) -> list[VerdictInfo]:
    """The verdicts on the question that play ended at."""
    return [v for v in subject.program.verdicts if v.question == end.detail.removeprefix(JUDGED)]


def speakers(subject: Subject, ended: Ended) -> tuple[str, ...]:
    """The verdicts that speak there, each once; none where play did not end at a question."""
    if not ended.end.detail.startswith(JUDGED):
        return ()
    return tuple(dict.fromkeys(x.verdict for x in pronounced(subject, ended)))


def cores(subject: Subject, ended: Ended) -> list[tuple[str, ...]]:
    """The smallest sets of verdicts that disagree, in their order: pairs. One empty set, for all of them, where it is no more
    than two that speak."""
    if not ended.end.detail.startswith(JUDGED):
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
    alike = grouped(
        (tuple((" ".join(x.clauses), x.says) for x in said if x.about == what), what)
        for what in dict.fromkeys(x.about for x in said))
    ja = "。".join(
        "と".join(x.ja for x in about)
        + "について、"
        + "、".join(f"{c} では{says.ja}" if c else says.ja for c, says in answers)
        for answers, about in alike.items()
    )
    en = ". ".join(
        "About "
        + " and ".join(x.en for x in about)
        + ": "
        + "; ".join(f"by {c}, {says.en}" if c else says.en for c, says in answers)
        for answers, about in alike.items()
    )
    if len({x.clauses for x in said if x.code is not None}) == 1:
        return Text(ja=f"{ja}です。どの答えが優先するかを定める条文はありません。", en=f"{en}. No clause says which answer counts.")
    return Text(
        ja=f"{ja}です。同じ局面に両方の条文が当てはまり、どちらが優先するかを定める条文はありません。",
        en=f"{en}. Both clauses apply to the same position, and no clause says which counts.")


def disagreement(said: Sequence[Pronounced], clauses: Sequence[str]) -> Text | None:
    """A title for clauses that disagree: which, about what, and what each says. None unless two answers differ."""
    about = list(dict.fromkeys(x.about for x in said if x.code is not None and x.names))
    answers = {(" ".join(x.clauses), x.says): None for x in said if x.code is not None}
    by_clause = {clause for clause, _ in answers}
    if len({says for _, says in answers}) < 2 or 1 < len(by_clause) < len(answers) or not clauses:
        return None
    if len(by_clause) == 1:
        (clause,) = by_clause
        return Text(ja=f"{clause} で違う答えが出る（" + "／".join(a.ja for _, a in answers) + "）",
                    en=f"different answers by {clause} ({'; '.join(a.en for _, a in answers)})")
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
    return any(ends_the_game(i) for name in stops for i in inside(name, set())) or any(
        ends_the_game(i) and silent.intersection(i.at.clauses) for fn in functions.values() for i in fn.code
    )


def ends_the_game(i: ir.Instr) -> bool:
    """Is the game won or drawn by this instruction?"""
    return isinstance(i, ir.End) and i.kind in ("win", "draw")


def explained(end: End, said: Sequence[Pronounced]) -> tuple[tuple[str, ...], Text]:
    """The clauses behind an end, and a few words about it, which verdicts may have `said`."""
    if end.kind == "fault":
        why = end.detail.split(" (")[0]
        return (), Text(ja=f"{why}: ", en=f"{why}: ")
    if not end.detail.startswith(JUDGED):
        return tuple(end.detail.split()), Text(ja="", en="")
    ja, en = "、".join(x.lasting.ja for x in said), "; ".join(x.lasting.en for x in said)
    return tuple(dict.fromkeys(c for x in said for c in x.clauses)), Text(ja=f"{ja}。", en=f"{en}. ")
