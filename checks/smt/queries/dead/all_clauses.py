"""Clauses for which no use is found: marked statements, verdicts and norms that no position satisfying the conditions comes to.

A define or a step is carried out from every position, with every argument; of a procedure, each stretch without an effect, with
every value of its locals, since anything may have happened before. What stands under a condition that no number meets (`never.py`)
is told wherever it stands. So what is told is dead whatever play does; a statement
that only its callers never come to is not told. What is dead in one world may need other cards: it is told only if it is
dead in every world that the book's cards are put into, if more cards would not do, and if no scenario of the book carries it out. That
something *never* applies is said only where it rests on none of these worlds (`basis.py`).
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from .....model.engine.library import Book
from .....model.ir import nodes as ir
from .....model.ir.flow import liveness, reachable, successors, walk
from .....model.ir.program import Function
from .....model.ir.types import ANY_INT, CardType
from .....spec.text import Text
from ....findings.record import Assumption, CheckResult, Examined, Given, NotAsked, Unasked
from ....limits.ending import WHY, Part, why
from ... import numbers as n
from ... import truths as t
from ...numbers import Beyond, Val
from ...states import Frame, Path, Sym
from ...symbolic import local_variables
from ...truths import Truth
from ...worlds import MOST_ENTRIES, most_different, open_world, worlds_of_all_cards
from ..asking import SECONDS, Asker, assumed_by_each
from ..report import Report, undecided
from ..unasked import located
from .basis import (
    PLAYS,
    POSITIONS,
    WIDE,
    Place,
    basis,
    carried_out_by,
    marked_in,
    place_of,
    says_something,
    ways_to,
)
from .never import parts_by_position, under_what_no_number_meets
from .telling import dead_finding

CARDS = 12
"""Cards of a world."""
ALTOGETHER = 300.0
"""Seconds for all worlds, unless told otherwise. What is left then may be come to with other cards, and this is said."""
OVER = Text(
    ja=f"カードを見終える前に{ALTOGETHER:g}秒の上限に達した", en=f"{ALTOGETHER:g} s were over before the last card had been looked at"
)
NAMED = 6
"""Places that are named of those for which no time was left."""
MOST_WAYS = 400
"""Ways through a stretch of a procedure, at most."""


@dataclass
class Reaching:
    """A world, and how each marked place can be come to in it; all marked places of its rules; what the translation does not take.
    `settled`: places that nothing more is asked of."""

    asker: Asker
    settled: Set[Place] = frozenset()
    ways: dict[Place, list[Truth]] = field(default_factory=dict[Place, "list[Truth]"])
    marked: set[Place] = field(default_factory=set[Place])
    refused: dict[str, Text] = field(default_factory=dict[str, Text])

    def note(self, place: Place, way: Truth) -> None:
        if place not in self.settled:
            self.ways.setdefault(place, []).append(way)


def reaching_with(asker: Asker, settled: Set[Place] = frozenset()) -> Reaching:
    """How the marked places are come to in a world, but for those that are settled."""
    out = Reaching(asker, settled)
    program = asker.program
    for fn in program.functions.values():
        there = marked_in(fn)
        if there <= settled or not has_arguments(out, fn):
            continue
        try:
            (stretches if fn.kind == "procedure" else carried_out)(out, fn)
        except Beyond as e:
            out.refused[fn.name] = e.why
            continue
        out.marked |= there
        for place in there - settled if goes_by_numbers(fn) else ():
            out.ways.setdefault(place, [])  # nothing comes to it, as was seen at once
        for pc in under_what_no_number_meets(program, fn):
            if fn.code[pc].at.clauses and place_of(fn, fn.code[pc]) not in settled:
                out.ways.setdefault(place_of(fn, fn.code[pc]), [])
    for name, clauses in [(v.function, v.clauses) for v in (*program.verdicts, *program.norms)]:
        says(out, program.functions[name], clauses)
    for fn in program.functions.values():
        if has_arguments(out, fn) and len(parts := parts_by_position(program, fn)) > 1:
            hold_together(out, fn, parts)
    return out


def has_arguments(out: Reaching, fn: Function) -> bool:
    """Can it be given what it takes? Not a card, in a book that has no cards yet."""
    cards = out.asker.program.layout.card_count
    return cards > 0 or not any(isinstance(x.type, CardType) for x in fn.locals[:fn.arity])


def arguments(out: Reaching, fn: Function) -> tuple[list[Val], Truth]:
    """Any arguments, and what holds of them."""
    args = local_variables(fn.name, fn.locals[:fn.arity])
    return args, t.every([known(out, x.type, v) for x, v in zip(fn.locals, args, strict=False)])


def known(out: Reaching, of: object, v: Val) -> Truth:
    return t.both(n.in_bounds(v), out.asker.refers(of, v))  # pyright: ignore[reportArgumentType]


def carried_out(out: Reaching, fn: Function) -> None:
    """A define or a step, from every position and with every argument."""
    args, given = arguments(out, fn)
    for place, ways in ways_to(out.asker.symbolic, out.asker.state, fn, args).items():
        for way in ways:
            out.note(place, t.both(given, way))


def stretches(out: Reaching, fn: Function) -> None:
    """A procedure, from each place after an effect on."""
    never = under_what_no_number_meets(out.asker.program, fn)
    inside = sorted(k for k in reachable(fn.code, fn.handlers) if k < len(fn.code) and k not in never)
    starts = {
        0,
        *(to for k in inside if not goes_on(fn.code[k]) for to in successors(fn.code[k], k)),
        *(h.target for h in fn.handlers),
    }
    live = liveness(fn)
    for start in sorted(starts & set(inside)):
        locals_ = local_variables(f"{fn.name}.{start}", fn.locals, live[start])
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
        raise Beyond(
            f"{fn.name} の一区間を通る道が{MOST_WAYS}通りを超える", f"more than {MOST_WAYS} ways through a stretch of {fn.name}"
        )


def says(out: Reaching, fn: Function, clauses: tuple[str, ...]) -> None:
    """Does a verdict or a norm ever say anything?"""
    place = Place(fn.rule, fn.at.file, fn.at.line, clauses, True)
    if place in out.settled:
        return
    args, given = arguments(out, fn)
    try:
        out.note(place, t.both(given, says_something(out.asker.symbolic, out.asker.state, fn, args)))
    except Beyond as e:
        out.refused[fn.name] = e.why


def hold_together(out: Reaching, fn: Function, parts: tuple[ir.Expr, ...]) -> None:
    """Can these conditions of a define hold together?"""
    place = Place(fn.rule, fn.at.file, fn.at.line, fn.code[0].at.clauses, True)
    if place in out.settled:
        return
    args, given = arguments(out, fn)
    machine = out.asker.symbolic.machine
    machine.halts = []
    locals_: list[Val] = [*args, *(0 for _ in fn.locals[fn.arity:])]
    try:
        holds = n.holds(machine.value(ir.All(parts), Sym(list(out.asker.state.slots), Path(None, True)), locals_))
    except Beyond as e:
        out.refused[fn.name] = e.why
        return
    out.note(place, t.both(given, holds, t.no(t.some(h.when for h in machine.halts))))


# ---------------------------------------------------------------- asking
@dataclass
class Dead(Report):
    """What came of it: the marked places; those that nothing comes to, with what this rests on beside the worlds (None: on these). `askers`: of each
    world; `ran`: the scenarios that were looked at."""

    places: set[Place] = field(default_factory=set[Place])
    dead: dict[Place, tuple[Assumption, ...] | None] = field(
        default_factory=dict[Place, "tuple[Assumption, ...] | None"]
    )
    askers: list[Asker] = field(default_factory=list[Asker])
    ran: int = 0


def look_for(out: Dead) -> None:
    """Look for the places that nothing comes to, in one world after the other."""
    left, reached, last = dict[Place, Text | None](), set[Place](), dict[Place, Reaching]()
    until = time.monotonic() + ALTOGETHER
    with Part() as part:
        for cards in worlds(out.loaded):
            if out.askers and time.monotonic() > until:
                left = {place: said or OVER for place, said in left.items()}
                break
            if out.is_over:
                break
            here = reaching_with(Asker(open_world(out.loaded, cards, out.readings), out.seconds), reached)
            out.askers.append(here.asker)
            out.places |= here.ways.keys() | here.marked
            last |= dict.fromkeys([*here.ways, *here.marked], here)
            for place in sorted(here.ways.keys() - reached, key=lambda p: p.name):
                if time.monotonic() > until or out.is_over:
                    left[place] = OVER
                    continue
                can, why_not = comes_to(here, place)
                if can:
                    reached.add(place)
                    left.pop(place, None)
                else:
                    left[place] = left.get(place) or why_not
            out.unknown += ((Text.same(name), why_not) for name, why_not in here.refused.items())
    if not part and not out.is_over:
        with part:
            dead = [p for p, said in left.items() if said is None]
            judged(out, last, dead, sorted(out.places - reached - left.keys(), key=lambda p: p.name))
    if part or out.is_over:  # it is not known what other worlds and the scenarios come to
        left = {place: why(out.stop) for place in out.places - reached - out.dead.keys()}
    out.unknown = [*dict.fromkeys(out.unknown), *in_short(left)]
    out.end(part, "dead")


def judged(out: Dead, worlds: Mapping[Place, Reaching], dead: Sequence[Place], unmet: Sequence[Place]) -> None:
    """What it rests on that nothing comes to places, each in the last of its worlds. Those that more cards might come to, or a scenario does, are named
    instead, and so are those that were `unmet`: what is looked at did not come there, and no scenario does."""
    called = out.loaded.vocabulary.of
    looked = [*dead, *unmet]
    done, out.ran = carried_out_by(out.loaded, looked, out.readings, out.stop) if looked else ({}, 0)
    for place in looked:
        if out.is_over:
            return
        here = worlds[place]
        at, sizes = (
            located(place.file, place.line) if place.line else "",
            (str(here.asker.layout.card_count), str(MOST_ENTRIES)),
        )
        rests_on = basis(here.asker.program, place, called, here.asker.seconds) if place in dead else None
        if place in done:
            kind, values = (Unasked.CARRIED_OUT, (done[place],)) if place in dead else (None, ())
        elif rests_on is WIDE:
            kind, values = Unasked.WIDE, (str(ANY_INT.lo), str(ANY_INT.hi))
        elif rests_on is None and with_more_cards(here, place):
            kind, values = Unasked.MORE_CARDS, sizes
        else:
            kind, values = (Unasked.UNUSED if place in unmet else None), ()
            if kind is None and not out.is_over:
                out.dead[place] = rests_on
        if kind is not None:
            rule = out.loaded.vocabulary.rule(place.rule)
            out.not_asked.append(NotAsked(place.rule, rule, at, place.clauses, kind, "dead", (), values))


def with_more_cards(here: Reaching, place: Place) -> bool:
    """Might it be come to in this world if there were more cards wherever cards are counted?"""
    others = {p for fn in here.asker.program.functions.values() for p in marked_in(fn)} - {place}
    loose = reaching_with(Asker(replace(here.asker.free, loose=True), here.asker.seconds), others)
    if any(name.partition("[")[0] == place.rule for name in loose.refused):
        return True
    return place in loose.ways and comes_to(loose, place) != (False, None)


def in_short(left: Mapping[Place, Text | None]) -> Iterator[tuple[Text, Text]]:
    """The places of which it is not known, and why: of those that no time was left for, how many."""
    together = (OVER, *WHY.values())
    yield from ((Text.same(p.name), said) for p, said in left.items() if said is not None and said not in together)
    for over in together:
        late = sorted(p.name for p, said in left.items() if said == over)
        names, more = ", ".join(late[:NAMED]), len(late) - NAMED
        if late:
            yield Text(ja=names + f" ほか{more}か所" if more > 0 else names, en=names + f" and {more} more" if more > 0 else names), over


def worlds(book: Book) -> Iterator[list[tuple[str, int]]]:
    """The cards of each world: those that differ most first, then the others."""
    first = most_different(list(book.cards.values()), CARDS)
    return worlds_of_all_cards(book, [(c.definition.id, c.owner) for c in first], CARDS)


def comes_to(here: Reaching, place: Place) -> tuple[bool, Text | None]:
    """Can play come there? Where that is not known: why."""
    ways = here.ways[place]
    if any(w is True for w in ways):
        return True, None
    with here.asker.given([t.some(ways)]):
        said = here.asker.in_bits(time.monotonic() + here.asker.seconds)
    return said.model is not None, said.unknown


def ask(
    book: str,
    readings: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    stop: Callable[[], bool] | None = None,
) -> CheckResult:
    """Look for clauses of a book for which there is no use. Raises BadInput."""
    out = Dead(book, readings or {}, seconds, stop)
    look_for(out)
    ran = [Text(
        ja=f"用意された状況{out.ran}件でも、挙げた定めは行われませんでした（それぞれ、数が範囲の中にある、近い局面{POSITIONS}までと、無作為の対戦{PLAYS}回で）",
        en=f"none of {out.ran} scenarios of the book was seen to carry out what is told (in each the nearest {POSITIONS} positions, and {PLAYS} random "
           "plays, as far as numbers stay within their ranges)")] if out.ran and out.dead else []
    bounds = out.bounds(tuple(assumed_by_each(out.askers)), [*ran, *undecided(out.unknown)])
    fixed = [a for a in bounds.assumptions if a.kind is Given.READINGS and a.what]  # readings that are numbers: the rules were asked with these
    out.findings = [
        dead_finding(
            out.loaded,
            p,
            replace(
                bounds,
                assumptions=bounds.assumptions if rests_on is None else (*rests_on, *fixed),
                not_asked=(),
                complete=True,
            ),
            rests_on,
            out.readings,
        )
        for p, rests_on in out.dead.items()
    ]
    return out.result(bounds, (
        Examined(Text(ja="条番号のある文と、判定・規範", en="statements marked with clauses, verdicts and norms"), len(out.places), "dead"),
        Examined(Text(ja="カードの組み合わせ（世界）", en="worlds of cards"), len(out.askers), "")))
