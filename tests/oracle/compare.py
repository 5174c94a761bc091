"""What the checks say of a world beside what is true of it: every kind of claim.

A claim is *false* where what is told does not hold: a play that cannot be played, a loop that ends or that others can stop than is
said, or "nothing was cut off" where something was. What is told as unknown or not shown claims nothing.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from rulewright.checks.explore.explorer import Limits
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.record import CheckResult, Finding, FindingClass, PlayStep, WhoCanStop
from rulewright.checks.native.choice import explore as search
from rulewright.checks.scenarios.checking import CUTS, check_explored, check_subject, explored
from rulewright.model.engine.state import OPEN, State

from .books import Book
from .judge import (
    BEYOND,
    Edge,
    Judged,
    Loop,
    TooLarge,
    World,
    alike,
    grows,
    horizon_of,
    keeps_going,
    world,
)
from .orders import Orders, Told, noted
from .verdicts import disagreeing

MOST = 2_500
"""States of a world, at most, up to the horizon."""
LIMITS, FURTHER = Limits(states=4_000), Limits(states=100_000)
"""How far the checks look at first; and in compiled code, where that was not enough: numbers of no stated range have 16 bits."""
IN_FINDINGS = {"gap": FindingClass.GAP, "conflict": FindingClass.CONFLICT, "not modelled": FindingClass.DEFECT, "fault": FindingClass.DEFECT}
Sets = frozenset[frozenset[int]]
TOLD: dict[WhoCanStop, Sets] = {
    WhoCanStop.NOBODY: frozenset({frozenset[int]()}), WhoCanStop.TOGETHER: frozenset({frozenset({0}), frozenset({1})}),
    WhoCanStop.EITHER: frozenset({frozenset({0, 1})})}
PAST_THE_HORIZON = "told: a loop that is first met past the judge's horizon"
WORDS = {frozenset[int](): "nobody is needed", frozenset({0}): "the first", frozenset({1}): "the second", frozenset({0, 1}): "both"}


@dataclass(frozen=True)
class Untrue:
    """One false claim: of which kind, and what is told and true."""

    kind: str
    said: str


@dataclass
class Compared:
    """One world compared: false claims; what there was to be told and what was told (each once); and of the truly endless growing
    loops, how many are told as endless, as not shown, or missed."""

    false: list[Untrue] = field(default_factory=list[Untrue])
    there: set[str] = field(default_factory=set[str])
    growing: dict[str, int] = field(default_factory=dict[str, int])


def compare(book: Book, native: bool = False, most: int = MOST, further: int = 1) -> Compared:
    """Check the book as a user would, judge it, compare. `further`: how many times as far as usual the judge looks; where that is not
    enough to fold the world, it looks once more, twice as far. Raises TooLarge."""
    true = judged(book, further, most)
    if true.folded is None:
        with suppress(TooLarge):
            true = judged(book, 2 * further, most)
    subject = book.subject()
    with noted() as told:
        result = checked(subject, native)
    if CUTS["states"] in result.bounds.notes:
        with noted() as told:
            result = checked(subject, True, FURTHER)
    out = Comparison(subject, result, true, book.counters, told).whole()
    if PAST_THE_HORIZON in out.there:
        with suppress(TooLarge):
            return Comparison(subject, result, judged(book, 4 * further, 4 * most), book.counters, told).whole()
    return out


def judged(book: Book, further: int = 1, most: int = MOST) -> World:
    """The true world. Raises TooLarge."""
    horizon = further * horizon_of(book.greatest, len(book.counters))
    engine, slots = book.lifted(horizon)
    return world(engine, slots, book.counters, book.greatest, horizon, most)


def checked(subject: Subject, native: bool, limits: Limits = LIMITS) -> CheckResult:
    """All checks; `native`: in compiled code from the first state on."""
    if not native:
        return check_subject(subject, limits, engine="interpreter")
    out, at_start = explored(subject, LIMITS, None, "interpreter", None)
    if at_start is None:
        out = search(subject, limits, patience=0)
    return check_explored(subject, limits, out, at_start)


class Comparison:
    """The result of the checks, and the truth."""

    def __init__(self, subject: Subject, result: CheckResult, true: World, counters: Collection[str], told: Sequence[Told] | None = None) -> None:
        self.told = told
        self.subject, self.result, self.true, self.counters = subject, result, true, counters
        self.out = Compared()
        self.judged = Judged(true.folded.graph) if true.folded is not None else None
        self.of = true.folded.of if true.folded is not None else list(range(len(true.graph)))

    def false(self, kind: str, said: str) -> None:
        self.out.false.append(Untrue(kind, said))

    def whole(self) -> Compared:
        """All kinds of claims."""
        self.describe()
        for f in self.result.findings:
            if f.cls is FindingClass.LOOP:
                self.loop(f)
            elif f.cls in IN_FINDINGS.values() and f.play.end is not None and not f.play.cycle:
                self.end(f)
        self.ends()
        self.all_loops()
        self.open_choices()
        self.orders()
        self.conditions()
        return self.out

    def describe(self) -> None:
        """What there is, and what is told."""
        there = self.out.there
        there.add("told: nothing was cut off" if self.result.bounds.complete else "told: cut off")
        there.add("true: finite" if not self.true.leaves else "true: grows, folded" if self.judged else "true: grows, not folded")
        there.update(f"true end: {e.kind}" for e in self.true.graph.end if e is not None)
        there.update(f"told: {'growing ' if f.growing else ''}{f.cls.value}{f', {f.keepers.value}' if f.keepers else ''}" for f in self.result.findings)

    # ------------------------------------------------------------ loops that are told
    def loop(self, f: Finding) -> None:
        """Can it be played so, for ever, and are those who can stop it the ones told?"""
        said = f"{'growing ' if f.growing else ''}loop, {f.keepers.value if f.keepers else ''} ({f.stopper.en if f.stopper else '-'}), {f.title.en}"
        way = self.played(f)
        if way is None:
            return self.false("a play that cannot be played", said)
        if way[-1] not in self.true.number:
            self.out.there.add(PAST_THE_HORIZON)
            return None
        walk = self.around(way[-1], f.play.cycle, f.growing, self.of)
        if isinstance(walk, str):
            return self.false("a loop that is none", f"{said}: {walk}")
        told = keepers_told(self.subject, f)
        if told is None:
            return None
        head, graph, scope = self.true.number[way[-1]], self.true.graph, self.scope_of(way[-1], f.play.cycle)
        for k in told:
            if head not in keeps_going(graph, {*k, OPEN}, scope):
                return self.false("who can stop it", f"{said}: {WORDS[k]}: not enough to keep it going")
        if f.keepers is WhoCanStop.ONE and not says_who_else(f):
            others = [k for k in (frozenset({0}), frozenset({1})) if k not in told]
            if any(head in keeps_going(graph, k, scope) for k in others) and head not in keeps_going(graph, frozenset(), scope):
                self.false("the other can go on, which is not said", said)
        right = self.judged.keepers(walk) if self.judged is not None and walk else None
        if right is not None and right != told and not self.says_no_less(told, right, walk) and not self.seen_from_above(way[-1], f, told) and not (
                f.keepers is WhoCanStop.ONE and says_who_else(f) and self.each_goes_on(walk, scope)):
            self.false("who can stop it", f"{said}: truly kept going by {words(right)}, not {words(told)}")

    def each_goes_on(self, walk: Sequence[Edge], scope: int) -> bool:
        """Can each player alone keep play going from some point of the loop?"""
        assert self.judged is not None
        return all(any(k in going for k, _ in walk) for going in (keeps_going(self.judged.graph, {p, OPEN}, scope) for p in (0, 1)))

    def seen_from_above(self, head: State, f: Finding, told: Sets) -> bool:
        """Is it so of the loop that this one is at all heights, where heights from lower on are alike?"""
        if not self.true.leaves:
            return False
        slots = self.subject.program.layout.slots
        caps = [s.type.hi for s in slots if s.name in self.counters]
        for folded in self.true.coarser(caps):
            walk = self.around(head, f.play.cycle, f.growing, folded.of)
            if not isinstance(walk, str) and walk and Judged(folded.graph).keepers(walk) in (None, told):
                return True
        return False

    def played(self, f: Finding) -> list[State] | None:
        """The states along the play of a finding; None where an option is not there."""
        stem = list(f.play.stem)
        if stem and (self.subject.opening() is not None or self.subject.starts[0].state.end is not None):
            stem = stem[1:]  # what is done before anything is chosen; where a number leaves its range in that, it is a step
        out = [self.true.states[0]]
        for s in stem:
            at = self.true.engine.point(out[-1])
            if at is None or s.option >= len(at.options):
                return None
            out.append(self.true.engine.apply(out[-1], at.options[s.option]).state)
        return out

    def around(self, head: State, cycle: Sequence[PlayStep], growing: bool, of: Sequence[int]) -> list[Edge] | str:
        """The closed walk of classes that is come to where the cycle is gone round and round, or why there is none. An empty one: it goes on
        past the horizon."""
        state, begun, steps = head, dict[int, int](), list[Edge]()
        while (k := self.true.number.get(state)) is not None:
            if of[k] in begun:
                return steps[begun[of[k]]:]
            begun[of[k]] = len(steps)
            for s in cycle:
                k = self.true.number.get(state)
                if k is None:
                    break
                at = self.true.engine.point(state)
                if at is None:
                    return f"it ends in round {len(begun)}: {state.end}"
                if s.option >= len(at.options):
                    return f"in round {len(begun)} an option is not there"
                steps.append((of[k], s.option))
                state = self.true.engine.apply(state, at.options[s.option]).state
            if not growing and state != head:
                return "it does not come back to the same state"
            if growing and state == head:
                return "nothing grows: the same state comes back"
        return [] if state.end is None or state.end.kind == "bound" else f"it ends in round {len(begun)}: {state.end}"

    def scope_of(self, head: State, cycle: Sequence[PlayStep]) -> int:
        """The narrowest scope that contains one round of a loop: what is told of it is told of play inside that."""
        k, widest = self.true.number[head], 0
        for s in cycle:
            k, crossing = self.true.graph.edges[k][s.option] if k != BEYOND else (BEYOND, 0)
            widest = max(widest, crossing)
        return 1 + widest

    # ------------------------------------------------------------ ends
    def end(self, f: Finding) -> None:
        """An end that the rules do not explain: does this play come to it?"""
        way = self.played(f)
        if way is None or (end := way[-1].end) is None or IN_FINDINGS.get(end.kind) is not f.cls:
            return self.false("an end that is none", f"{f.cls.value} {' '.join(f.clauses)}")
        if end.detail.startswith("verdict:") and not any(core <= {*f.clauses} for core in disagreeing(self.true.engine, way[-1], end.detail.removeprefix("verdict:"))):
            self.false("an end that is none", f"{f.cls.value} {' '.join(f.clauses)}: these do not disagree")
        return None

    def ends(self) -> None:
        """Ways to end that are told are there; if nothing was cut off, all that are there are told."""
        true = {e for e in self.true.graph.end if e is not None}
        conflicts = [{*f.clauses} for f in self.result.findings if f.cls is FindingClass.CONFLICT]
        for state in self.true.states:
            if state.end is not None and state.end.detail.startswith("verdict:") and self.result.bounds.complete:
                self.out.there.add("compared: verdicts that disagree")
                if not any(core <= told for core in disagreeing(self.true.engine, state, state.end.detail.removeprefix("verdict:")) for told in conflicts):
                    self.false("complete, but a conflict is missing", state.end.detail)
        for kind, count in self.result.outcomes.items():
            if count and kind not in {e.kind for e in true}:
                self.false("an end that is none", f"{kind}: {count}")
        for e in sorted(true, key=str) if self.result.bounds.complete else ():
            told = self.result.outcomes.get(e.kind, 0) > 0
            if e.detail.startswith("verdict:"):
                continue
            if e.kind in ("gap", "conflict", "not modelled"):
                told = told and any(f.cls is IN_FINDINGS[e.kind] and {*e.detail.split()} <= {*f.clauses} for f in self.result.findings)
            elif self.result.endings:
                told = told and self.subject.describer.ending(e) in self.result.endings
            if not told:
                self.false(f"complete, but {'an end' if e.kind in ('win', 'draw', 'over') else f'a {e.kind}'} is missing", str(e))

    # ------------------------------------------------------------ loops that should be told
    def all_loops(self) -> None:
        """Of each sort of loop that is there: is it told, is it left open, or is nothing said to have been cut off?"""
        if self.judged is None:
            return
        loops = [f for f in self.result.findings if f.cls is FindingClass.LOOP]
        told = [keepers_told(self.subject, f) for f in loops]
        left_open = not self.result.bounds.complete or None in told
        sorts: dict[Sets, list[Loop]] = {}
        for loop in self.judged.loops:
            sorts.setdefault(loop.keepers, []).append(loop)
        for keepers, those in sorts.items():
            growing = self.true.leaves and all(grows(self.true.graph, self.of, loop) for loop in those)
            what = f"{'growing ' if growing else ''}loop, {words(keepers)}"
            self.out.there.add(f"true: {what}")
            is_told = keepers in told or all(any(k is not None and self.holds_in(k, keepers, loop.states, loop.scope) for k in told) for loop in those)
            how = "endless" if is_told else "not shown" if left_open else "missed"
            if growing:
                self.out.growing[how] = self.out.growing.get(how, 0) + 1
            if how == "missed":
                self.false("complete, but a loop is missing", what)

    def holds_in(self, told: Sets, keepers: Sets, states: Collection[int], scope: int) -> bool:
        """Is what is told of some loop true of play from these classes too, and no less than what there is to say of it? (Play that nobody can
        end goes on, whichever of its loops it is in.)"""
        assert self.judged is not None
        return all(any(s <= k for s in told) for k in keepers) and all(keeps_going(self.judged.graph, s, scope).issuperset(states) for s in told)

    def says_no_less(self, told: Sets, right: Sets, walk: Sequence[Edge]) -> bool:
        """The same of a loop that is told."""
        assert self.judged is not None
        return self.holds_in(told, right, {k for k, _ in walk}, 1 + max(self.judged.graph.edges[k][n][1] for k, n in walk))

    # ------------------------------------------------------------ conditions
    def conditions(self) -> None:
        """Conditions that must always hold: those that are told to be broken are, and if nothing was cut off, all that are broken are told."""
        told = {name: f for f in self.result.findings if f.cls is FindingClass.INVARIANT for name in self.subject.program.invariants
                if f"“{self.subject.describer.words.of(name).en}”" in f.title.en}
        for name in self.subject.program.invariants:
            broken = any(self.true.engine.evaluate(name, s) == 0 for s in self.true.states)
            self.out.there.add(f"true: a condition {'is broken' if broken else 'holds'}")
            if name in told:
                way = self.played(told[name])
                if way is None or self.true.engine.evaluate(name, way[-1]) != 0:
                    self.false("a condition told to be broken holds", name)
            elif broken and self.result.bounds.complete:
                self.false("complete, but a broken condition is missing", name)

    # ------------------------------------------------------------ choices
    def is_order(self, k: int) -> bool:
        """Is it chosen here which of several waiting things comes first, or (in no rule of the book) which of several situations?"""
        state, program = self.true.states[k], self.true.engine.program
        at = self.true.engine.point(state)
        return at is not None and len(at.options) > 1 and (not [*program.functions.values()][state.frames[-1][0]].at.file or any(
            at.type == m.type for m in program.layout.containers.values()))

    def open_choices(self) -> None:
        """Choices that the rules give to nobody, and in which it matters what is taken: where nothing was cut off, each is told."""
        told = {f.clauses[0] for f in self.result.findings if f.cls is FindingClass.OPEN}
        graph = self.judged.graph if self.judged is not None else None
        same = alike(graph) if graph is not None and self.subject.symmetry is not None else range(len(self.true.states))
        for k, state in enumerate(self.true.states):
            if self.true.graph.owner[k] != OPEN or self.is_order(k):
                continue
            at = self.true.engine.point(state)
            assert at is not None
            self.out.there.add("true: open choice")
            if graph is not None and self.result.bounds.complete and len({same[to] for to, _ in graph.edges[self.of[k]]}) > 1 and at.clause not in told:
                told.add(at.clause)
                self.false("complete, but an open choice is missing", at.clause)

    def orders(self) -> None:
        """Orders: what is told of each is so, and of those of which nothing is told nothing is to be told."""
        places = [k for k in range(len(self.true.states)) if self.is_order(k)]
        told = [Told(f, None) for f in self.result.findings if f.cls is FindingClass.ORDER] if self.told is None else self.told
        graph = self.judged.graph if self.judged is not None else None
        orders = Orders(self.true, told, self.played, graph, self.of, self.subject.program.layout, self.subject.symmetry is not None)
        if places:
            self.out.there.add("true: order")
        for kind, said in orders.told_falsely():
            self.false(kind, said)
        if orders.ends is not None:
            ways = {k: [self.of[to] for to, _ in self.true.graph.edges[k]] for k in places if all(to != BEYOND for to, _ in self.true.graph.edges[k])}
            if any(map(orders.ends.decides, ways.values())):
                self.out.there.add("true: order that decides what players can bring about")
        looked = next((e for e in self.result.examined if e.question == "order"), None)
        if self.result.bounds.complete and (looked is None or "(of" not in looked.what.en):
            for kind, said in orders.untold(places):
                self.false(kind, said)
        for f in self.result.findings:
            if f.cls is FindingClass.OPEN:
                self.open_choice(f, orders)
        self.out.there |= orders.there

    def open_choice(self, f: Finding, orders: Orders) -> None:
        """A choice that nobody owns: does what follows differ where it is told to, and what depends on it?"""
        way = self.played(f)
        if way is None or (k := self.true.number.get(way[-1])) is None or self.true.graph.owner[k] != OPEN:
            return self.false("an open choice that is none", f.title.en)
        ways = [to for to, _ in self.true.graph.edges[k]]
        if BEYOND in ways:
            return None
        if f.hint and orders.ends is not None and orders.ends.decides([self.of[to] for to in ways]):
            self.false("open choice told to make no difference", f.title.en)
        if not f.hint and len(set(ways)) == 1:
            self.false("open choice told to make a difference", f.title.en)
        for kind in () if f.hint else orders.stakes(f, ways):
            self.false(kind, f.title.en)
        return None


def says_who_else(f: Finding) -> bool:
    """Does a loop that one player can stop say that the other can then still keep play going?"""
    return f.goes_on is not None


def words(keepers: Sets) -> str:
    """Who keeps a loop going, each alone."""
    return " or ".join(sorted(WORDS[k] for k in keepers)) or "nobody surely"


def keepers_told(subject: Subject, f: Finding) -> Sets | None:
    """Who keeps it going, as a finding says; None where it says that this is not known."""
    if f.keepers is WhoCanStop.ONE:
        assert f.stopper is not None
        return frozenset({frozenset(k for k, seat in enumerate(subject.describer.words.seats) if seat.en in f.stopper.en)})
    return None if f.keepers is None else TOLD.get(f.keepers)
