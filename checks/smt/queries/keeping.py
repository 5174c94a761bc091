"""Do the rules keep the book's invariants? First random plays of its scenarios try to break them; then they are proved for the decks of a
real game, or it is told what a proof fails on.

What a play breaks is told with the play, and then nothing is proved: mend it first; unless that play needs an answer to an open question that
the game of the proof does not have. The game of a proof is the book's largest scenario that begins with the preparation. Each condition is
proved by itself, procedure by procedure, in what of the rules bears on it (`prover.py`): a proof is about all cards.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ....model.engine.describe import Describer
from ....model.engine.library import Book
from ....model.engine.table import cards_in, open_table
from ....model.engine.vocabulary import Vocabulary
from ....model.ir.program import Program
from ....model.ir.types import Role
from ....model.lang.world import World
from ....spec.diagnostics import BadInput, Diagnostic
from ....spec.readers import Scenario, read_scenario
from ....spec.text import Text
from ...explore.random_plays import Broken as BrokenInPlay
from ...explore.random_plays import Played, tried
from ...explore.random_plays import finding_of as finding_in_play
from ...explore.subject import Subject
from ...findings.cut_off import CUTS
from ...findings.record import Assumption, Bounds, CheckResult, Examined, Given
from ...limits.ending import NO_TIME, Part, time_left
from ...native.breaking import CompiledPlaying
from ...scenarios.subjects import subject_of as subject_of_table
from ..each import prove_each
from ..leaving import ranges_taken_as_given
from ..results import Counterexample, Kept
from ..segments import Begin
from ..slices import never_lost
from ..worlds import open_world
from .reaching import begins_with_setup
from .report import Report

IN_PROOFS = 600.0
"""How long the proofs of all conditions may take, in seconds of the processor."""
IN_PLAY = 90.0
"""How long random plays try to break something, in seconds of the processor."""
SHARE_OF_PLAY = 1 / 3
"""Of the time that a command has left, how much is for these plays: the rest is for proofs."""
NAMED = 8
"""Rules that are named as what a proof fails on."""
SECONDS = 20.0
"""How long one question may take, unless told otherwise; where it may take less, so may the proofs, in proportion."""


@dataclass(frozen=True)
class Decks:
    """A game that begins with the preparation: its cards, its program, and the slots play begins with. `name`: of the
    scenario; `readings`: those given, all others have their defaults."""

    name: str
    world: World
    program: Program
    first: tuple[int, ...]
    readings: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def owners(self) -> list[int]:
        return [c.owner for c in self.world.cards]


def largest_game(book: Book, readings: Mapping[str, str]) -> Decks:
    """The game with most cards, and of these the one with most different ones, under the readings given; all others have their defaults, whatever its
    scenario says. Raises BadInput."""
    def size(s: Scenario) -> tuple[int, int]:
        cards = cards_in(s)
        return len(cards), len({c.definition.id for c in cards})

    games = [s for s in map(read_scenario, book.scenarios) if begins_with_setup(s)]
    if not games:
        open_world(book, (), readings)  # raises where the book has no preparation
        raise BadInput([Diagnostic(None, "no-game", Text(
            ja="準備から始まる状況がないので、証明の対象となるゲームがありません", en="no scenario begins with the preparation, so there is no game of which anything could be proved"))])
    best = open_table(replace(max(games, key=size), readings={}), readings)
    return Decks(best.scenario.id.value, best.world, best.program, tuple(best.positions[0]), best.readings)


@dataclass(frozen=True)
class Answers:
    """What was found of a game: of each condition; and whether every card stays in exactly one zone (`conserved`)."""

    found: Mapping[str, Kept]
    conserved: bool

    @property
    def proved(self) -> list[str]:
        return [name for name, kept in self.found.items() if name in kept.proved]


def answers_about(
    decks: Decks,
    seconds: float = SECONDS,
    stop: Callable[[], bool] | None = None,
    note: Callable[[Text], None] | None = None,
) -> Answers:
    """Prove what can be proved of all cards."""
    def tell(name: str) -> None:
        if note is not None:
            note(Text(ja=f"不変条件の証明: {name}", en=f"proving invariants: {name}"))

    found = prove_each(
        decks.program, decks.owners, decks.first, IN_PROOFS * min(1.0, seconds / SECONDS), seconds, stop, tell
    )
    return Answers(found, never_lost(decks.program, decks.first))


def why_not(name: str, kept: Kept, decks: Decks, words: Describer) -> Text:
    """The rules that may break a condition, each with the clause that it comes to, and a state in which one does; or why it could not be asked."""
    def at(b: Begin) -> str:
        code = decks.program.functions[b.function].code
        clause = next((c for i in (*code[b.pc:], *code[:b.pc]) for c in i.at.clauses), "")
        return f"`{b.function.partition('[')[0]}`{f' ({clause})' if clause else ''}"
    if kept.failed.get(name):
        rules = list(dict.fromkeys(map(at, kept.failed[name])))
        several, state = len(rules) > NAMED, in_words(kept.state, decks, words)
        return Text(
            ja=f"これらの規則が保つことを示せません: {'、'.join(rules[:NAMED])}{f' ほか{len(rules) - NAMED}' if several else ''}{state.ja}",
            en=f"of these rules it could not be shown that they keep it: {', '.join(rules[:NAMED])}"
               f"{f' and {len(rules) - NAMED} more' if several else ''}{state.en}")
    why = kept.reason or NO_TIME
    if kept.where is not None:
        return Text(ja=f"規則 {at(kept.where)} の途中（{kept.where.pc}）を調べきれませんでした: {why.ja}",
                    en=f"the rule {at(kept.where)} (at {kept.where.pc}) could not be gone through: {why.en}")
    return Text(ja=f"調べられませんでした: {why.ja}", en=f"it could not be asked: {why.en}")


def in_words(state: Counterexample | None, decks: Decks, words: Describer) -> Text:
    """A state that a proof fails on, as far as it is followed."""
    if state is None:
        return Text(ja="", en="")
    layout, fn = decks.program.layout, decks.program.functions[state.begin.function]
    told = [Text(ja=x.name, en=x.name) for x in fn.locals]
    said = [
        (told[k], words.value(x.type, state.locals[k]))
        for k, x in enumerate(fn.locals)
        if x.type.role is not Role.CARDS and k < fn.arity
    ]
    for k, c in enumerate(state.cards):
        said += [(words.card(c), words.value(layout.slots[b].type, of[k])) for b, of in sorted(state.of_cards.items())]
    said += [
        (words.words.of(layout.slots[k].name), words.value(layout.slots[k].type, v))
        for k, v in sorted(state.slots.items())
    ]
    return Text(
        ja=f"。例えば `{fn.rule}` が次のように始まるとき: " + "、".join(f"{a.ja}={b.ja}" for a, b in said),
        en=f"; for one, where `{fn.rule}` begins with " + ", ".join(f"{a.en} = {b.en}" for a, b in said))


def while_there_is(share: float, stop: Callable[[], bool] | None) -> Callable[[], bool] | None:
    """`stop`, and sooner: when this share of the time that is left has gone by. Without a limit of time, `stop` itself."""
    left = time_left(stop)
    if left is None or stop is None:
        return stop
    end = time.monotonic() + share * left
    return lambda: stop() or time.monotonic() > end


def keep(
    book: str,
    readings: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    stop: Callable[[], bool] | None = None,
    decks: Decks | None = None,
    note: Callable[[Text], None] | None = None,
) -> CheckResult:
    """Break the invariants of a book in play, prove them, or tell what a proof fails on. Raises BadInput."""
    out = Report(book, readings or {}, seconds, stop)
    b, given = out.loaded, out.readings
    if note is not None:
        note(Text(ja="無作為の対戦で破れないか調べています", en="random plays try to break them"))
    decks = decks or largest_game(b, given)
    in_play = while_there_is(SHARE_OF_PLAY, stop)
    played = tried(to_be_played(b, given), IN_PLAY, in_play, CompiledPlaying)
    elsewhere: list[BrokenInPlay] = []
    if played.found and not any(same_readings(x.subject, decks) for x in played.found.values()):
        elsewhere = list(played.found.values())  # by another reading: it says nothing of the game of the proof
        again = tried(
            (x for x in to_be_played(b, given) if same_readings(x, decks)),
            IN_PLAY - played.seconds,
            in_play,
            CompiledPlaying,
        )
        again.plays, again.states = played.plays + again.plays, played.states + again.states
        again.scenarios = max(played.scenarios, again.scenarios)
        played = again
    answers: Answers | None = None
    if played.found:
        bounds = bounds_of_plays(played)
    else:
        with Part() as part:
            answers = answers_about(decks, seconds, stop, note)
        bounds = (
            Bounds(False, played.states, 0, 0, (CUTS[part.why], NOT_PROVED))
            if answers is None
            else bounds_of(b, decks, answers)
        )
    out.findings = [finding_in_play(x, bounds) for x in (*played.found.values(), *elsewhere)]
    return out.result(bounds, (*examined_in_play(played), *(() if answers is None else examined(answers))))


def to_be_played(book: Book, readings: Mapping[str, str]) -> Iterator[Subject]:
    """The book's scenarios, those that begin with the preparation first, without scripted choices."""
    for s in sorted(map(read_scenario, book.scenarios), key=lambda s: not begins_with_setup(s)):
        table = open_table(replace(s, policy={}), readings)
        yield subject_of_table(table, False)


def same_readings(subject: Subject, decks: Decks) -> bool:
    """Does all that is asked for there have the same answers in the game of the proof?"""
    return all(
        subject.readings.get(r, default) == decks.readings.get(r, default)
        for r, (_, default) in subject.defaults.items()
    )


NOT_PROVED = Text(ja="証明を試みる途中だったので、何も証明されていません", en="nothing is proved: the proof was under way")


def bounds_of_plays(played: Played) -> Bounds:
    """How much was played, and that nothing was proved."""
    return Bounds(False, played.states, 0, 0, (
        Text(ja=f"状況{played.scenarios}件から無作為に{played.plays:,}回対戦し、局面{played.states:,}で条件を確かめました",
             en=f"Random plays: {played.plays:,}, of {played.scenarios} scenarios; the conditions were looked at in {played.states:,} positions"),
        Text(ja="実際の対戦で破れるものがあるので、証明は試みていません",
             en="No proof was tried, since something is broken in play")))


def examined_in_play(played: Played) -> tuple[Examined, ...]:
    """How much was played."""
    return (
        Examined(Text(ja="無作為の対戦", en="random plays"), played.plays, ""),
        Examined(Text(ja="その中で条件を確かめた局面", en="positions in them in which conditions were looked at"), played.states, "invariants"))


def bounds_of(book: Book, decks: Decks, answers: Answers) -> Bounds:
    """What was proved, of which worlds, and what not."""
    words, followed = book.vocabulary, max((x.few for x in answers.found.values()), default=0)
    notes = [Text(
        ja="証明は手続きごとの保証と仮定によるもので、この前提のもとのすべての手順について成り立ちます（山の順番は問いません）。前提を超える手順は含みません",
        en="Proofs assume and guarantee procedure by procedure: of every play under what is taken as given (whatever the order of piles). Play beyond "
           "that is not part of it")]
    if followed:
        notes.append(Text(
            ja=f"どのカードでもよい最大{followed}枚を追い、残りのカードには何が起こってもよいとして調べました。証明は全部のカードについて成り立ちます",
            en=f"{followed} of the cards at most {'was' if followed == 1 else 'were'} followed, whichever, and of the others "
               "anything was taken to be possible: a proof holds of all cards"))
    if answers.conserved:
        notes.append(Text(ja=f"証明済み: どのカードも常にちょうど一つの領域にあり、全部で{len(decks.world.cards)}枚のまま",
                          en=f"proved: every card is in exactly one zone at all times, so that there stay {len(decks.world.cards)}"))
    else:
        notes.append(Text(ja="証明できず: どのカードも常にちょうど一つの領域にある", en="not proved: every card is in exactly one zone at all times"))
    for name in answers.proved:
        w = told_as(name, decks, words)
        notes.append(Text(ja=f"この世界のどの局面でも成り立つ（規則によらない）: {w.ja}", en=f"holds in every position of this world, whatever the rules: {w.en}")
                     if answers.found[name].certain else Text(ja=f"証明済み: {w.ja}", en=f"proved: {w.en}"))
    stated = {c.function: c for c in decks.program.contracts}
    describer = Describer(decks.program, decks.world, words)
    for name in (x for x in answers.found if x not in answers.proved):
        w, why = told_as(name, decks, words), why_not(name, answers.found[name], decks, describer)
        refused = name in stated and answers.found[name].state is not None
        notes.append(Text(ja=f"{'認められません' if refused else '判定できず'}: {w.ja}（{why.ja}）", en=f"{'refused' if refused else 'unknown'}: {w.en} ({why.en})"))
    for begin in dict.fromkeys(x for kept in answers.found.values() for x in kept.stuck):
        rule = begin.function.partition("[")[0]
        notes.append(Text(ja=f"先へ進めない部分: {rule}（{begin.pc}）", en=f"never goes on: {rule} (at {begin.pc})"))
    complete = len(answers.proved) == len(answers.found)
    return Bounds(complete, 0, 0, 0, tuple(notes), assumptions=tuple(assumed(book, decks)))


def told_as(name: str, decks: Decks, words: Vocabulary) -> Text:
    """A condition, or what is stated of a procedure."""
    w, of = words.of(name), next((c for c in decks.program.contracts if c.function == name), None)
    if of is None:
        return w
    ja, en = ("呼ばれるとき", "expects") if of.kind == "expects" else ("終わったとき", "ensures")
    return Text(ja=f"`{of.rule}` が{ja}の `{name}`", en=f"that `{of.rule}` {en} `{name}`")


def assumed(book: Book, decks: Decks) -> Iterator[Assumption]:
    """What the proofs rest on."""
    called, layout = book.vocabulary.of, decks.program.layout
    yield Assumption(Given.GAME, (decks.name, str(len(decks.world.cards))))
    for most in dict.fromkeys(m.capacity for m in layout.containers.values()):
        yield Assumption(
            Given.ENTRIES, (str(most),), tuple(called(m.name) for m in layout.containers.values() if m.capacity == most)
        )
    yield from ranges_taken_as_given([decks.program], called)
    yield Assumption(Given.NESTING, (str(decks.program.stack_depth),))
    yield Assumption(Given.READINGS, ("default",))


def examined(answers: Answers) -> tuple[Examined, ...]:
    """How much was asked."""
    pieces, stuck = (sum(n(x) for x in answers.found.values()) for n in (lambda x: x.pieces, lambda x: len(x.stuck)))
    return (
        Examined(Text(ja="証明した条件", en="conditions proved"), len(answers.proved), ""),
        Examined(
            Text(
                ja="条件ごとに調べた、手続きの部分", en="pieces of procedures, of each condition those that bear on it"
            ),
            pieces,
            "",
        ),
        Examined(
            Text(ja="うち、範囲を超えずに先へ進む例のあるもの", en="of these, with a way on that exceeds no bound"),
            pieces - stuck,
            "",
        ),
        Examined(
            Text(
                ja="併せて証明した、手続きの持つ値についての事実",
                en="facts about what procedures hold, proved with them",
            ),
            sum(len(x.needed) for x in answers.found.values()),
            "",
        ),
    )
