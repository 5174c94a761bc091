"""Do the rules keep the book's invariants? First random plays of its scenarios try to break them; then they are proved by
induction for the decks of a real game, or it is told what a proof fails on.

What a play breaks is told with the play, and then nothing is proved: mend it first; unless that play needs an answer to an open question that
the game of the proof does not have. The game of a proof is the book's largest
scenario that begins with the preparation. Each condition is proved by itself, procedure by procedure, in what of the rules bears on
it (`modular.py`), and all together, piece by piece (`many.py`), which also tells what may exceed its range: a proof is about all cards.
Where neither does, the question is asked of few cards, all of them known: there a proof says little, but what it fails
on is a state that the interpreter carries on from.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ....model.engine.interpreter import Interpreter, Traced
from ....model.engine.library import Book, load_book
from ....model.engine.table import cards_in, open_table
from ....model.ir.program import Program
from ....model.lang.compile import compile_book
from ....model.lang.world import World
from ....spec.diagnostics import BadInput, Diagnostic
from ....spec.readers import Scenario, read_scenario
from ....spec.text import Text
from ...explore.random_plays import Broken as BrokenInPlay
from ...explore.random_plays import Played, tried
from ...explore.random_plays import finding_of as finding_in_play
from ...explore.subject import Subject
from ...findings.cut_off import CUTS
from ...findings.identity import told_apart
from ...findings.record import Assumption, Bounds, CheckResult, Examined, Finding, FindingClass, Given, Play, PlayStep
from ...limits.ending import Part
from ...scenarios.subjects import subject_of as subject_of_table
from ..breaches import Breach, carried_on
from ..each import prove_each
from ..facts import Candidates
from ..induction import Induction, Prover
from ..leaving import ranges_taken_as_given
from ..many import MOST, Many
from ..modular import Kept
from ..numbers import Beyond
from ..slices import never_lost
from ..symbolic import Symbolic
from .position import Position
from .reaching import begins_with_setup
from .service import world_of
from .telling import ANYWHERE, TITLE, drawn, subject_of

FEW = 6
"""Cards among which facts are looked for first, of each player."""
IN_SLICES = 300.0
"""How long the proofs of each condition by itself may take, in seconds of the processor."""
AMONG_ALL = 120.0
"""How long a proof of all conditions together may take."""
AMONG_FEW = 120.0
"""How long is looked for a state among few cards, in which an invariant breaks that is not proved of all."""
IN_PLAY = 90.0
"""How long random plays try to break something, in seconds of the processor."""
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
    """The game with most cards, and of these the one with most different ones. Raises BadInput."""
    def size(s: Scenario) -> tuple[int, int]:
        cards = cards_in(s)
        return len(cards), len({c.definition.id for c in cards})

    games = [s for s in map(read_scenario, book.scenarios) if begins_with_setup(s)]
    if not games:
        world_of(book, readings, 0)  # raises where the book has no preparation
        raise BadInput([Diagnostic(None, "no-game", Text(
            ja="準備から始まる状況がないので、証明の対象となるゲームがありません", en="no scenario begins with the preparation, so there is no game of which anything could be proved"))])
    best = open_table(max(games, key=size), readings)
    return Decks(best.scenario.id.value, best.world, best.program, tuple(best.positions[0]), best.readings)


def with_few(book: Book, decks: Decks, few: int = FEW) -> Decks:
    """The same game with few cards: of each player's different ones, those of as many sorts as can be."""
    kinds = Candidates(decks.program, decks.owners)
    rows = [sorted(x.members) for x in kinds.classes]
    kept: list[int] = []
    for k in range(max(map(len, rows), default=0)):
        for row in rows:
            if k < len(row) and sum(decks.owners[c] == decks.owners[row[k]] for c in kept) < few and not any(
                    decks.world.cards[c] == decks.world.cards[row[k]] for c in kept):
                kept.append(row[k])
    kept.sort()
    world = replace(decks.world, cards=tuple(decks.world.cards[c] for c in kept))
    program = compile_book(book.rulebook, world, decks.program.entry)
    first = [s.initial for s in program.layout.slots]
    for k, c in enumerate(kept):
        first[program.layout.location + k] = decks.first[decks.program.layout.location + c]
    return Decks(decks.name, world, program, tuple(first), decks.readings)


@dataclass(frozen=True)
class Answers:
    """What was found of a game. `out`: the proof about all of its cards; `followed`: how many of them it followed, 0 if
    all; `few`: the game with few cards in which a proof fails, with what it fails on; `proved_of_few`: what is proved there;
    `why`: why an invariant is not decided; `conserved`: every card stays in exactly one zone."""

    out: Induction
    followed: int
    conserved: bool
    few: Decks | None = None
    breaches: tuple[Breach, ...] = ()
    proved_of_few: tuple[str, ...] = ()
    why: Mapping[str, Text] = field(default_factory=dict[str, Text])
    by_itself: Mapping[str, Kept] = field(default_factory=dict[str, Kept])
    """What was found of each condition by itself."""


def answers_about(
    book: Book, decks: Decks, seconds: float = SECONDS, stop: Callable[[], bool] | None = None,
    note: Callable[[Text], None] | None = None, overflows: bool = True,
) -> Answers:
    """Prove what can be proved of all cards; of what is left, look among few for a state in which it breaks."""
    tell = note or (lambda _: None)

    def at(done: int, left: int) -> None:
        tell(Text(ja=f"不変条件の証明: {done}部分を処理、残り{left}", en=f"proving invariants: {done} pieces done, {left} to go"))
    share = min(1.0, seconds / SECONDS)
    by_itself = in_slices(decks, seconds, share, stop, tell)
    alone = {x for kept in by_itself.values() for x in kept.proved}
    begun = time.monotonic()

    def late() -> bool:
        return (stop is not None and stop()) or time.monotonic() - begun > AMONG_ALL * share
    try:
        prover = Many(decks.program, decks.owners, seconds, decks.first, late, at)
        prover.symbolic.machine.until = begun + AMONG_ALL * share
    except Beyond:  # a handful of cards: all of them are followed
        plain = Prover(Symbolic(decks.program), decks.owners, seconds, decks.first, None, stop)
        out = plain.prove(overflows)
        return Answers(out, 0, True, decks, tuple(x for x in out.breaches if x.checked))
    out = prover.prove(overflows)
    out.proved = [x for x in decks.program.invariants if x in out.proved or x in alone]
    conserved = prover.conserved or never_lost(decks.program, decks.first)
    why = {name: Text(ja="カード全部の合計なので、何枚かを追うだけでは示せません", en="it adds up over all cards, which following some does not show")
           if over else Text(ja=f"破れるには{many}枚要ります（{MOST}枚まで追います）", en=f"it takes {many} cards to break it ({MOST} are followed)")
           for name, (over, many) in prover.refused.items()}
    if out.unknown_pieces:
        begin, _, reason = next(x for x in out.unknown if x[1] == "")
        rule = begin.function.partition("[")[0]
        why = {name: Text(ja=f"規則 `{rule}` の途中（{begin.pc}）を調べきれませんでした: {reason}",
                          en=f"the rule `{rule}` (at {begin.pc}) could not be gone through: {reason}")
               for name in decks.program.invariants} | why
    for name, begin in prover.failures:
        rule = begin.function.partition("[")[0]
        why.setdefault(name, Text(
            ja=f"規則 `{rule}` の途中（{begin.pc}）で、ほかのカードについて分かっていることが足りません",
            en=f"in the rule `{rule}` (at {begin.pc}) too little is known of the other cards"))
    why |= {name: told for name, kept in by_itself.items() if (told := why_not(name, kept)) is not None}
    too_many = {name for name, (over, many) in prover.refused.items() if not over and many > FEW}  # more than there will be
    if all(name in out.proved or name in too_many for name in decks.program.invariants) or (stop is not None and stop()):
        return Answers(out, prover.few, conserved, why=why, by_itself=by_itself)
    few = with_few(book, decks)
    until = time.monotonic() + AMONG_FEW * share

    def enough() -> bool:
        return (stop is not None and stop()) or time.monotonic() > until
    again = Prover(Symbolic(few.program), few.owners, seconds, few.first, None, enough)
    again.symbolic.machine.until, again.gives_up = until, True
    found = again.prove(False)
    wanted = {x for x in decks.program.invariants if x not in out.proved and x not in too_many}
    breaches = tuple(x for x in found.breaches if x.checked and x.invariant in wanted)
    return Answers(
        out, prover.few, conserved, few, breaches, tuple(x for x in found.proved if x in wanted and not found.unknown), why, by_itself)


def in_slices(
    decks: Decks, seconds: float, share: float, stop: Callable[[], bool] | None, tell: Callable[[Text], None],
) -> dict[str, Kept]:
    """Each condition by itself."""
    return prove_each(decks.program, decks.owners, decks.first, IN_SLICES * share, seconds, stop, lambda name: tell(
        Text(ja=f"不変条件の証明: {name}", en=f"proving invariants: {name}")))


def why_not(name: str, kept: Kept) -> Text | None:
    """The rules that may break a condition, or why it could not be asked by itself."""
    if kept.failed.get(name):
        rules = list(dict.fromkeys(f"`{b.function.partition('[')[0]}`" for b in kept.failed[name]))
        several = len(rules) > NAMED
        return Text(
            ja=f"これらの規則が保つことを示せません: {'、'.join(rules[:NAMED])}{f' ほか{len(rules) - NAMED}' if several else ''}",
            en=f"of these rules it could not be shown that they keep it: {', '.join(rules[:NAMED])}"
               f"{f' and {len(rules) - NAMED} more' if several else ''}")
    if kept.reason and kept.where is not None:
        rule = kept.where.function.partition("[")[0]
        return Text(ja=f"規則 `{rule}` の途中（{kept.where.pc}）を調べきれませんでした: {kept.reason}",
                    en=f"the rule `{rule}` (at {kept.where.pc}) could not be gone through: {kept.reason}")
    return None


def keep(
    book: str, readings: Mapping[str, str] | None = None, seconds: float = SECONDS, stop: Callable[[], bool] | None = None,
    decks: Decks | None = None, note: Callable[[Text], None] | None = None,
) -> CheckResult:
    """Break the invariants of a book in play, prove them, or tell what a proof fails on. Raises BadInput."""
    begun = time.monotonic()
    b = load_book(book)
    if note is not None:
        note(Text(ja="無作為の対戦で破れないか調べています", en="random plays try to break them"))
    decks = decks or largest_game(b, readings or {})
    played = tried(to_be_played(b, readings or {}), IN_PLAY, stop)
    elsewhere: list[BrokenInPlay] = []
    if played.found and not any(same_readings(x.subject, decks) for x in played.found.values()):
        elsewhere = list(played.found.values())  # by another reading: it says nothing of the game of the proof
        again = tried((x for x in to_be_played(b, readings or {}) if same_readings(x, decks)), IN_PLAY - played.seconds, stop)
        again.plays, again.states = played.plays + again.plays, played.states + again.states
        again.scenarios = max(played.scenarios, again.scenarios)
        played = again
    if played.found:
        bounds = bounds_of_plays(played)
        findings = told_apart([finding_in_play(x, bounds) for x in (*played.found.values(), *elsewhere)])
        return CheckResult(
            book, ANYWHERE, TITLE, dict(readings or {}), bounds, tuple(findings), examined_in_play(played), {}, False,
            seconds=time.monotonic() - begun)
    answers: Answers | None = None
    with Part() as part:
        answers = answers_about(b, decks, seconds, stop, note)
    if answers is None:
        bounds = Bounds(False, played.states, 0, 0, (CUTS[part.why], NOT_PROVED))
        findings = told_apart([finding_in_play(x, bounds) for x in elsewhere])
        return CheckResult(
            book, ANYWHERE, TITLE, dict(readings or {}), bounds, tuple(findings), examined_in_play(played), {}, False,
            seconds=time.monotonic() - begun)
    out, bounds = answers.out, bounds_of(b, decks, answers)
    told = {x.invariant: x for x in reversed(answers.breaches)}
    findings = told_apart([
        *(finding_in_play(x, bounds) for x in elsewhere), *(finding_of(b, answers.few or decks, x, bounds) for x in told.values())])
    return CheckResult(
        book, ANYWHERE, TITLE, dict(readings or {}), bounds, tuple(findings), (*examined_in_play(played), *examined(out)), {}, False,
        seconds=time.monotonic() - begun)


def to_be_played(book: Book, readings: Mapping[str, str]) -> Iterator[Subject]:
    """The book's scenarios, those that begin with the preparation first, without scripted choices."""
    for s in sorted(map(read_scenario, book.scenarios), key=lambda s: not begins_with_setup(s)):
        table = open_table(replace(s, policy={}), readings)
        yield subject_of_table(table, False)


def same_readings(subject: Subject, decks: Decks) -> bool:
    """Does all that is asked for there have the same answers in the game of the proof?"""
    return all(subject.readings.get(r, default) == decks.readings.get(r, default) for r, (_, default) in subject.defaults.items())


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


def finding_of(book: Book, decks: Decks, found: Breach, bounds: Bounds) -> Finding:
    """The state that a proof fails on, and what is carried out in it."""
    subject = subject_of(book, Position(decks.world, decks.program, list(found.state.slots)))
    word = subject.describer.words.of(found.invariant)
    trace: list[Traced] = []
    after = carried_on(Interpreter(decks.program), found.begin, found.state, found.option, trace)
    clauses = tuple(dict.fromkeys(c for m in trace for c in m.at.clauses))
    step = PlayStep(0, None, None, (), clauses, subject.describer.changes(found.state, after))
    rule = decks.program.functions[found.begin.function].rule
    told = subject.finding(
        FindingClass.INVARIANT,
        Text(ja=f"「{word.ja}」の証明は、この局面で行き詰まる", en=f"a proof that {word.en} fails in this position"),
        Text(ja=f"条件をすべて満たすこの局面から規則 `{rule}` を続けると、この条件が成り立たなくなります。この局面に至る手順があるかは未確認です。",
             en=f"Going on with the rule `{rule}` in this position, which satisfies every condition, breaks this one. Whether play "
                "comes to such a position is not known."),
        clauses, Play((step,), (), word), bounds)
    return replace(told, position=drawn(subject), cards=(), invented_cards=False, hint=True)


def bounds_of(book: Book, decks: Decks, answers: Answers) -> Bounds:
    """What was proved, of which worlds, and what not."""
    words, out = book.vocabulary, answers.out
    names = [words.of(x) for x in out.proved]
    open_ones = [x for x in decks.program.invariants if x not in out.proved and x not in out.certain]
    broken = {x.invariant for x in answers.breaches}
    notes = [Text(
        ja="証明は帰納法によるもので、この前提のもとのすべての手順について成り立ちます（山の順番は問いません）。前提を超える手順は含みません",
        en="Proofs are by induction, of every play under what is taken as given (whatever the order of piles). Play beyond that is not part of it")]
    if answers.followed:
        notes.append(Text(
            ja=f"どのカードでもよい{answers.followed}枚を追い、残りのカードには何が起こってもよいとして調べました。証明は全部のカードについて成り立ちます",
            en=f"{answers.followed} of the cards {'was' if answers.followed == 1 else 'were'} followed, whichever, and of the others "
               "anything was taken to be possible: a proof holds of all cards"))
    if answers.conserved:
        notes.append(Text(ja=f"証明済み: どのカードも常にちょうど一つの領域にあり、全部で{len(decks.world.cards)}枚のまま",
                          en=f"proved: every card is in exactly one zone at all times, so that there stay {len(decks.world.cards)}"))
    else:
        notes.append(Text(ja="証明できず: どのカードも常にちょうど一つの領域にある", en="not proved: every card is in exactly one zone at all times"))
    notes += [Text(ja=f"証明済み: {w.ja}", en=f"proved: {w.en}") for w in names]
    notes += [Text(ja=f"この世界のどの局面でも成り立つ（規則によらない）: {words.of(x).ja}",
                   en=f"holds in every position of this world, whatever the rules: {words.of(x).en}") for x in out.certain]
    for name in open_ones:
        w = words.of(name)
        if name in broken:
            notes.append(Text(ja=f"証明できず（局面を下に示す）: {w.ja}", en=f"not proved (position below): {w.en}"))
            continue
        why = answers.why.get(name, Text(ja="理由は下の「判定できず」に", en="see what is not decided below"))
        few = "" if name not in answers.proved_of_few or answers.few is None else f"{len(answers.few.world.cards)}"
        notes.append(Text(
            ja=f"判定できず: {w.ja}（{why.ja}{f'。{few}枚の世界では証明済み' if few else ''}）",
            en=f"unknown: {w.en} ({why.en}{f'; proved in a world of {few} cards' if few else ''})"))
    if out.references:
        several = ", ".join(out.references[:3]) + (" …" if len(out.references) > 3 else "")
        notes.append(Text(ja=f"条件として使わなかったもの（証明できず）{len(out.references)}件: {several}",
                          en=f"{len(out.references)} statements about references not proved, and not used: {several}"))
    for slot, where in out.overflows.items():
        rules = ", ".join(dict.fromkeys(b.function.partition("[")[0] for b in where))
        notes.append(Text(ja=f"範囲を超えることがありうる: {words.of(slot).ja}（{rules}）",
                          en=f"may exceed a bound: {words.of(slot).en} (in {rules})"))
    for begin in out.stuck:
        rule = begin.function.partition("[")[0]
        notes.append(Text(ja=f"先へ進めない部分: {rule}（{begin.pc}）", en=f"never goes on: {rule} (at {begin.pc})"))
    for begin, what, why in out.unknown:
        notes.append(Text(ja=f"判定できず: {begin.function} {what}（{why}）", en=f"not decided: {begin.function} {what} ({why})"))
    return Bounds(not open_ones and not out.unknown, 0, 0, 0, tuple(notes), assumptions=tuple(assumed(book, decks)))


def assumed(book: Book, decks: Decks) -> Iterator[Assumption]:
    """What the proofs rest on."""
    called, layout = book.vocabulary.of, decks.program.layout
    yield Assumption(Given.GAME, (decks.name, str(len(decks.world.cards))))
    for most in dict.fromkeys(m.capacity for m in layout.containers.values()):
        yield Assumption(Given.ENTRIES, (str(most),), tuple(called(m.name) for m in layout.containers.values() if m.capacity == most))
    yield from ranges_taken_as_given([decks.program], called)
    yield Assumption(Given.NESTING, (str(decks.program.stack_depth),))
    yield Assumption(Given.READINGS, ("default",))


def examined(out: Induction) -> tuple[Examined, ...]:
    """How much was asked."""
    return (
        Examined(Text(ja="証明した条件", en="conditions proved"), len(out.proved), ""),
        Examined(Text(ja="手続きの部分", en="pieces of procedures"), out.pieces, ""),
        Examined(Text(ja="うち、範囲を超えずに先へ進む例のあるもの", en="of these, with a way on that exceeds no bound"),
                 out.pieces - len(out.stuck), ""),
        Examined(Text(ja="併せて証明した、手続きの持つ値についての事実", en="facts about what procedures hold, proved with them"),
                 sum(map(len, out.facts.values())), ""),
    )
