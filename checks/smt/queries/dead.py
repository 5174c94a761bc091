"""Clauses that never apply: marked statements, verdicts and norms that no position satisfying the conditions comes to.

A define or a step is carried out from every position, with every argument; of a procedure, each stretch without an effect, with
every value of its locals, since anything may have happened before. What stands under a condition that no number meets (`never.py`)
is told wherever it stands. So what is told is dead whatever play does; a statement
that only its callers never come to is not told. What is dead in one world may need other cards: it is told only if it is
dead in every world that the book's cards are put into.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

import z3

from ....model.engine.library import Book, load_book
from ....model.ir import nodes as ir
from ....model.ir.flow import liveness, reachable, walk
from ....model.ir.program import Function
from ....model.ir.types import CardType, OptionType, blank
from ....spec.text import Text
from ...findings.identity import finding_id, told_apart
from ...findings.record import (
    Bounds,
    Certainty,
    CheckResult,
    Examined,
    Finding,
    FindingClass,
    Origin,
    Play,
    PlayStep,
    Stake,
)
from ...findings.severity import graded
from .. import numbers as n
from .. import truths as t
from ..numbers import Beyond, Val
from ..solving import Query, query
from ..states import Frame, Path, Sym
from ..symbolic import variable
from ..truths import Truth
from ..worlds import free_world, most_different
from .asking import SECONDS, Asker
from .never import parts_by_position, under_what_no_number_meets
from .service import checked
from .telling import ANYWHERE, TITLE

CARDS = 12
"""Cards of a world."""
ALTOGETHER = 300.0
"""Seconds for all worlds, unless told otherwise. What is left then may be come to with other cards, and this is said."""
OVER = f"{ALTOGETHER:g} s were over before all cards had been looked at"
NAMED = 6
"""Places that are named of those for which no time was left."""
MOST_WAYS = 400
"""Ways through a stretch of a procedure, at most."""


@dataclass(frozen=True)
class Place:
    """A marked statement, or that a verdict or norm says something (`says`): of which rule, where, and its clauses."""

    rule: str
    file: str
    line: int
    clauses: tuple[str, ...]
    says: bool = False

    @property
    def name(self) -> str:
        return f"dead: {self.rule} {' '.join(self.clauses)} ({self.file}:{self.line})"


@dataclass
class Reaching:
    """A world, and how each marked place can be come to in it; what the translation does not take."""

    asker: Asker
    ways: dict[Place, list[Truth]] = field(default_factory=dict[Place, "list[Truth]"])
    refused: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, place: Place, way: Truth) -> None:
        self.ways.setdefault(place, []).append(way)

    def query(self, place: Place) -> Query:
        return query(place.name, [*self.asker.assumed, t.some(self.ways[place])])


def reaching(
    book: Book, cards: Sequence[tuple[str, int]], readings: Mapping[str, str], seconds: float = SECONDS,
    left_out: Set[str] = frozenset(),
) -> Reaching:
    """How the marked places of a book are come to, with these cards; some rules left out. Readings that are not given may
    be any."""
    open_ones = [name for name, r in book.readings.items() if isinstance(r.answers, tuple) and name not in readings]
    out = Reaching(Asker(free_world(book.name, cards, readings=readings, branching=open_ones), seconds))
    for fn in out.asker.program.functions.values():
        if fn.rule in left_out or not has_arguments(out, fn):
            continue
        try:
            (stretches if fn.kind == "procedure" else carried_out)(out, fn)
        except Beyond as e:
            out.refused[fn.name] = str(e)
        else:
            for k in reachable(fn.code, fn.handlers) if goes_by_numbers(fn) else ():
                if k < len(fn.code) and fn.code[k].at.clauses:
                    out.ways.setdefault(place_of(fn, fn.code[k]), [])  # nothing comes to it, as was seen at once
    for fn in out.asker.program.functions.values():
        for pc in under_what_no_number_meets(out.asker.program, fn) if fn.rule not in left_out else ():
            if fn.code[pc].at.clauses:
                out.ways.setdefault(place_of(fn, fn.code[pc]), [])
    asked = [(v.function, v.clauses) for v in (*out.asker.program.verdicts, *out.asker.program.norms)]
    for name, clauses in asked:
        if name not in left_out:
            says(out, out.asker.program.functions[name], clauses)
    for fn in out.asker.program.functions.values():
        if fn.rule not in left_out and has_arguments(out, fn) and len(parts := parts_by_position(out.asker.program, fn)) > 1:
            hold_together(out, fn, parts)
    return out


def has_arguments(out: Reaching, fn: Function) -> bool:
    """Can it be given what it takes? Not a card, in a book that has no cards yet."""
    cards = out.asker.program.layout.card_count
    return cards > 0 or not any(isinstance(x.type, CardType) for x in fn.locals[:fn.arity])


def arguments(out: Reaching, fn: Function) -> tuple[list[Val], Truth]:
    """Any arguments, and what holds of them."""
    args = [variable(f"{fn.name}.{x.name}", x.type) for x in fn.locals[:fn.arity]]
    return args, t.every([known(out, x.type, v) for x, v in zip(fn.locals, args, strict=False)])


def known(out: Reaching, of: object, v: Val) -> Truth:
    return t.both(n.in_bounds(v), out.asker.refers(of, v))  # pyright: ignore[reportArgumentType]


def carried_out(out: Reaching, fn: Function) -> None:
    """A define or a step, from every position and with every argument."""
    args, given = arguments(out, fn)
    machine = out.asker.symbolic.machine

    def watch(s: Sym, inside: Function, i: ir.Instr) -> None:
        if inside is fn and i.at.clauses:
            out.note(place_of(fn, i), t.both(given, s.path.term))
    machine.halts, machine.watch = [], watch
    try:
        machine.perform(Sym(list(out.asker.state.slots), Path(None, True)), fn.name, args)
    finally:
        machine.watch = None


def stretches(out: Reaching, fn: Function) -> None:
    """A procedure, from each place after an effect on."""
    never = under_what_no_number_meets(out.asker.program, fn)
    inside = sorted(k for k in reachable(fn.code, fn.handlers) if k < len(fn.code) and k not in never)
    starts = {0, *(k + 1 for k in inside if not goes_on(fn.code[k])), *(h.target for h in fn.handlers)}
    live = liveness(fn)
    for start in sorted(starts & set(inside)):
        locals_ = [
            variable(f"{fn.name}.{start}.{x.name}", x.type) if k in live[start] else blank(x.type) for k, x in enumerate(fn.locals)]
        given = t.every([known(out, x.type, v) for x, v in zip(fn.locals, locals_, strict=True)])
        stretch(out, fn, start, locals_, given)


def goes_on(i: ir.Instr) -> bool:
    """Does it change nothing but locals?"""
    return isinstance(i, ir.Jump | ir.Branch | ir.Assign)


def goes_by_numbers(fn: Function) -> bool:
    """Does a define or a step look at numbers only, not at cards? What no number of a type meets is met with no cards either; where cards are
    looked at, it may be these few that do not have it."""
    looking = ir.Call | ir.Fold | ir.Table | ir.ZoneCards | ir.PileTop | ir.PileFind
    return fn.kind != "procedure" and not any(isinstance(e, looking) for i in fn.code for e in walk(i))


def stretch(out: Reaching, fn: Function, start: int, locals_: list[Val], given: Truth) -> None:
    """All ways from a place to the next effects."""
    machine = out.asker.symbolic.machine
    machine.halts = []
    todo = [(start, Sym(list(out.asker.state.slots), Path(None, True), [Frame(fn, start, locals_)]))]
    for _ in range(MOST_WAYS):
        if not todo:
            return
        pc, s = todo.pop()
        seen: set[int] = set()
        while not s.dead and pc not in seen:
            seen.add(pc)
            i, frame = fn.code[pc], s.frames[-1]
            if i.at.clauses:
                out.note(place_of(fn, i), t.both(given, s.path.term))
            match i:
                case ir.Jump(target=to):
                    pc = to
                case ir.Branch(test=test, otherwise=to):
                    ways = list(machine.branched(s, n.holds(machine.value(test, s, frame.locals)), pc + 1, to))
                    todo += [(there, goes) for goes, there in ways]
                    break
                case ir.Assign():
                    s = machine.effect(i, s, frame)
                    pc += 1
                case _:
                    break
    if todo:
        raise Beyond(f"more than {MOST_WAYS} ways through a stretch of {fn.name}")


def says(out: Reaching, fn: Function, clauses: tuple[str, ...]) -> None:
    """Does a verdict or a norm ever say anything?"""
    args, given = arguments(out, fn)
    try:
        answer = out.asker.symbolic.evaluate(fn.name, out.asker.state, args)
    except Beyond as e:
        out.refused[fn.name] = str(e)
        return
    none = fn.result.none if isinstance(fn.result, OptionType) else 0
    when = t.both(given, answer.fine, t.no(n.equal(answer.value, none)))
    out.note(Place(fn.rule, fn.at.file, fn.at.line, clauses, True), when)


def hold_together(out: Reaching, fn: Function, parts: tuple[ir.Expr, ...]) -> None:
    """Can these conditions of a define hold together?"""
    args, given = arguments(out, fn)
    machine = out.asker.symbolic.machine
    machine.halts = []
    locals_: list[Val] = [*args, *(0 for _ in fn.locals[fn.arity:])]
    try:
        holds = n.holds(machine.value(ir.All(parts), Sym(list(out.asker.state.slots), Path(None, True)), locals_))
    except Beyond as e:
        out.refused[fn.name] = str(e)
        return
    when = t.both(given, holds, t.no(t.some(h.when for h in machine.halts)))
    out.note(Place(fn.rule, fn.at.file, fn.at.line, fn.code[0].at.clauses, True), when)


def place_of(fn: Function, i: ir.Instr) -> Place:
    return Place(fn.rule, i.at.file, i.at.line, i.at.clauses)


# ---------------------------------------------------------------- asking
@dataclass
class Dead:
    """What came of it: the marked places, those that nothing comes to, and those of which it is not known."""

    places: set[Place] = field(default_factory=set[Place])
    dead: list[Place] = field(default_factory=list[Place])
    unknown: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    worlds: int = 0


def looked_for(book: Book, readings: Mapping[str, str], seconds: float, stop: Callable[[], bool] | None = None) -> tuple[Dead, Reaching]:
    """Look for the places that nothing comes to, in one world after the other."""
    out, left = Dead(), dict[Place, str]()
    reached: set[Place] = set()
    first: Reaching | None = None
    until = time.monotonic() + ALTOGETHER
    for cards in worlds(book):
        if first is not None and time.monotonic() > until:
            left = {place: why or OVER for place, why in left.items()}
            break
        done = {p.rule for p in out.places} - {p.rule for p in left}
        here = reaching(book, cards, readings, seconds, done)
        first, out.worlds = first or here, out.worlds + 1
        out.places |= here.ways.keys()
        for place in sorted(here.ways.keys() - reached, key=lambda p: p.name):
            if (interrupted := stop is not None and stop()) or time.monotonic() > until:
                left[place] = "interrupted" if interrupted else OVER
                continue
            why = comes_to(here, place)
            if why is None:
                reached.add(place)
                left.pop(place, None)
            else:
                left[place] = left.get(place) or why
        for name, why in here.refused.items():
            out.unknown.append((name, why))
    out.dead = [p for p, why in left.items() if not why]
    out.unknown = [*dict.fromkeys(out.unknown), *in_short(left)]
    assert first is not None
    return out, first


def in_short(left: Mapping[Place, str]) -> Iterator[tuple[str, str]]:
    """The places of which it is not known, and why: of those that no time was left for, how many."""
    late = [p for p, why in left.items() if why == OVER]
    yield from ((p.name, why) for p, why in left.items() if why and why != OVER)
    if late:
        more = f" and {len(late) - NAMED} more" if len(late) > NAMED else ""
        yield ", ".join(p.name for p in late[:NAMED]) + more, OVER


def worlds(book: Book) -> Iterator[list[tuple[str, int]]]:
    """The cards of each world: those that differ most first, then the others."""
    first = most_different(list(book.cards.values()), CARDS)
    yield [(c.definition.id, c.owner) for c in first]
    left = [c for c in book.cards if c not in {x.definition.id for x in first}]
    for k in range(0, len(left), CARDS):
        yield [(c, j % 2) for j, c in enumerate(left[k:k + CARDS])]


def comes_to(here: Reaching, place: Place) -> str | None:
    """None if play can come there; else why that is not known, or "" if it cannot."""
    ways = here.ways[place]
    if any(w is True for w in ways):
        return None
    solver = here.asker.solver
    solver.set("timeout", max(1, int(here.asker.seconds * 1000)))
    with here.asker.given([t.some(ways)]):
        said = solver.check()
    if said == z3.sat:
        return None
    return "" if said == z3.unsat else solver.reason_unknown()


def ask(
    book: str, readings: Mapping[str, str] | None = None, seconds: float = SECONDS, stop: Callable[[], bool] | None = None,
) -> CheckResult:
    """Look for clauses of a book that never apply. Raises BadInput."""
    begun, b = time.monotonic(), load_book(book)
    checked(b, readings or {})
    out, first = looked_for(b, readings or {}, seconds, stop)
    bounds = bounds_of(out)
    found = told_apart([told(first, p, bounds, readings or {}) for p in out.dead])
    looked = (
        Examined(Text(ja="条番号のある文と、判定・規範", en="statements marked with clauses, verdicts and norms"), len(out.places)),
        Examined(Text(ja="カードの組み合わせ（世界）", en="worlds of cards"), out.worlds))
    return CheckResult(
        book, ANYWHERE, TITLE, dict(readings or {}), bounds, tuple(found), looked, {}, False, seconds=time.monotonic() - begun)


def told(here: Reaching, place: Place, bounds: Bounds, readings: Mapping[str, str]) -> Finding:
    """A place that nothing comes to, as a finding."""
    rule = here.asker.free.describer.words.of(place.rule)
    clauses = " ".join(place.clauses)
    name = Text(ja=clauses or rule.ja, en=clauses or rule.en)
    where = f"{place.file}:{place.line}" if place.line else place.rule
    title = Text(ja=f"{name.ja}（{rule.ja}）が働く局面がない", en=f"{name.en} ({rule.en}) never applies")
    what = Text(ja="何かを述べる", en="says anything") if place.says else Text(ja="そこへ達する", en="is come to")
    summary = Text(ja=f"守られるべき条件を満たすどの局面でも、{name.ja} のこの部分（{where}）が{what.ja}ことはありません。",
                   en=f"In no position that satisfies the conditions that must always hold, this part of {name.en} ({where}) {what.en}.")
    step = PlayStep(0, None, None, (), place.clauses, ())
    shown = f"{title.ja} {place.rule}" + (" says" if place.says else "")
    return graded(Finding(
        id=finding_id(here.asker.free.book.name, FindingClass.DEAD, place.clauses, None, Text(ja=shown, en=shown)),
        cls=FindingClass.DEAD, book=here.asker.free.book.name, scenario=ANYWHERE, title=title, summary=summary,
        clauses=place.clauses, certainty=Certainty.TEXTUAL, play=Play((step,)), bounds=bounds, readings=dict(readings),
        stake=Stake.WORDING, question=Text(
            ja=f"{name.ja} はどのような場合のための定めですか。条件を改めますか、なくしますか。",
            en=f"What is {name.en} for? Should its condition change, or the clause go?")), Origin.CARDS)


def bounds_of(out: Dead) -> Bounds:
    """Which positions were asked about."""
    said = Text(
        ja=f"カード{CARDS}枚ずつの世界 {out.worlds} 個で、守られるべき条件を満たすすべての局面について調べました。そのどれでも働かない定めを挙げています",
        en=f"Asked was every position of {out.worlds} worlds of {CARDS} cards that satisfies the conditions that must always hold; "
           "told is what applies in none of them")
    left = [Text(ja=f"判定できず: {what}（{why}）", en=f"not decided: {what} ({why})") for what, why in out.unknown]
    return Bounds(not out.unknown, 0, 0, 0, (said, *left))


__all__ = ["ask", "looked_for", "reaching"]
