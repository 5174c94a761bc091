"""Do the rules keep the book's invariants? Proved by induction for the decks of a real game, or told what a proof fails on.

The game is the book's largest scenario that begins with the preparation. What locals are is looked for among few of its cards
first, which is quick, and proved of all.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ....model.engine.interpreter import Interpreter, Traced
from ....model.engine.library import Book, load_book
from ....model.engine.table import cards_in, open_table
from ....model.ir.program import Program
from ....model.lang.compile import compile_book
from ....model.lang.world import World
from ....spec.readers import Scenario, read_scenario
from ....spec.text import Text
from ...findings.identity import told_apart
from ...findings.record import Bounds, CheckResult, Examined, Finding, FindingClass, Play, PlayStep
from ..breaches import Breach, carried_on
from ..facts import Candidates
from ..induction import Induction, Key, Prover
from ..symbolic import Symbolic
from .position import Position
from .reaching import begins_with_setup
from .telling import ANYWHERE, TITLE, drawn, subject_of

FEW = 6
"""Cards among which facts are looked for first, of each player."""
SECONDS = 30.0
"""How long one question may take, unless told otherwise."""


@dataclass(frozen=True)
class Decks:
    """A game that begins with the preparation: its cards, its program, and the slots play begins with. `name`: of the
    scenario."""

    name: str
    world: World
    program: Program
    first: tuple[int, ...]

    @property
    def owners(self) -> list[int]:
        return [c.owner for c in self.world.cards]


def largest_game(book: Book, readings: Mapping[str, str]) -> Decks:
    """The game with most cards, and of these the one with most different ones. Raises BadInput."""
    def size(s: Scenario) -> tuple[int, int]:
        cards = cards_in(s)
        return len(cards), len({c.definition.id for c in cards})

    games = [s for s in map(read_scenario, book.scenarios) if begins_with_setup(s)]
    best = open_table(max(games, key=size), readings)
    return Decks(best.scenario.id.value, best.world, best.program, tuple(best.positions[0]))


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
    return Decks(decks.name, world, program, tuple(first))


def known_facts(few: Induction, small: Program, large: Program) -> dict[Key, list[str]]:
    """The facts of a smaller world, of procedures that have the same code here."""
    same = {
        name for name, fn in small.functions.items()
        if name in large.functions and [type(i) for i in fn.code] == [type(i) for i in large.functions[name].code]}
    return {key: of for key, of in few.facts.items() if key[0] in same}


def proved(
    book: Book, decks: Decks, seconds: float = SECONDS, stop: Callable[[], bool] | None = None, overflows: bool = True,
) -> Induction:
    """The proof about a game."""
    few = with_few(book, decks)
    if len(few.world.cards) == len(decks.world.cards):
        return Prover(Symbolic(decks.program), decks.owners, seconds, decks.first, None, stop).prove(overflows)
    prover = Prover(Symbolic(few.program), few.owners, seconds, few.first, None, stop)
    prover.settle()
    known = known_facts(prover.found(), few.program, decks.program)
    return Prover(Symbolic(decks.program), decks.owners, seconds, decks.first, known, stop).prove(overflows)


def keep(
    book: str, readings: Mapping[str, str] | None = None, seconds: float = SECONDS, stop: Callable[[], bool] | None = None,
    decks: Decks | None = None,
) -> CheckResult:
    """Prove the invariants of a book, or tell what a proof fails on. Raises BadInput."""
    begun = time.monotonic()
    b = load_book(book)
    decks = decks or largest_game(b, readings or {})
    out = proved(b, decks, seconds, stop)
    bounds = bounds_of(b, decks, out)
    told = {x.invariant: x for x in reversed(out.breaches) if x.checked}
    findings = told_apart([finding_of(b, decks, x, bounds) for x in told.values()])
    return CheckResult(
        book, ANYWHERE, TITLE, dict(readings or {}), bounds, tuple(findings), examined(out), {}, False,
        seconds=time.monotonic() - begun)


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


def bounds_of(book: Book, decks: Decks, out: Induction) -> Bounds:
    """What was proved, of which worlds, and what not."""
    words = book.vocabulary
    names = [words.of(x) for x in out.proved]
    open_ones = [words.of(x) for x in decks.program.invariants if x not in out.proved]
    sizes = [(words.of(m.name), m.capacity) for m in decks.program.layout.containers.values()]
    notes = [Text(
        ja=f"状況 {decks.name} のカード{len(decks.world.cards)}枚で準備から始まるすべての対戦について、帰納法で調べました（山の順番は問いません）。"
           f"入れ物の大きさ: {'、'.join(f'{w.ja} {size}' for w, size in sizes) or 'なし'}。"
           f"手続きの重なり: {decks.program.stack_depth}段まで。これを超える手順は含みません",
        en=f"Proved by induction was of every play that begins with the preparation, with the {len(decks.world.cards)} cards of "
           f"{decks.name} (whatever the order of piles). Capacities: "
           f"{', '.join(f'{w.en} {size}' for w, size in sizes) or 'none'}; procedures nest {decks.program.stack_depth} deep. "
           "Play beyond these is not part of it")]
    notes += [Text(ja=f"証明済み: {w.ja}", en=f"proved: {w.en}") for w in names]
    notes += [Text(ja=f"証明できず: {w.ja}", en=f"not proved: {w.en}") for w in open_ones]
    notes += [Text(ja=f"条件として使わなかったもの（証明できず）: {x}", en=f"not proved, and not used: {x}") for x in out.references]
    for slot, where in out.overflows.items():
        rules = ", ".join(dict.fromkeys(b.function.partition("[")[0] for b in where))
        notes.append(Text(ja=f"範囲を超えることがありうる: {words.of(slot).ja}（{rules}）",
                          en=f"may exceed a bound: {words.of(slot).en} (in {rules})"))
    for begin in out.stuck:
        rule = begin.function.partition("[")[0]
        notes.append(Text(ja=f"先へ進めない部分: {rule}（{begin.pc}）", en=f"never goes on: {rule} (at {begin.pc})"))
    for begin, what, why in out.unknown:
        notes.append(Text(ja=f"判定できず: {begin.function} {what}（{why}）", en=f"not decided: {begin.function} {what} ({why})"))
    return Bounds(not open_ones and not out.unknown, 0, 0, 0, tuple(notes))


def examined(out: Induction) -> tuple[Examined, ...]:
    """How much was asked."""
    return (
        Examined(Text(ja="証明した条件", en="conditions proved"), len(out.proved)),
        Examined(Text(ja="手続きの部分", en="pieces of procedures"), out.pieces),
        Examined(Text(ja="うち、範囲を超えずに先へ進む例のあるもの", en="of these, with a way on that exceeds no bound"),
                 out.pieces - len(out.stuck)),
        Examined(Text(ja="併せて証明した、手続きの持つ値についての事実", en="facts about what procedures hold, proved with them"),
                 sum(map(len, out.facts.values()))),
    )
