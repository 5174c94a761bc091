"""Does every procedure keep a condition that always holds, whatever calls it and whatever it calls (assume/guarantee)?

Each procedure is asked by itself, in the slice of the program that bears on the condition (`slices.py`): that the condition holds
wherever play may stand, at every call and where it is left, if it held when it was called. A call may do anything that is not
excluded by what is shown of the procedure called (`contracts.py`): what authors state of it (`@ensures`), what it is given and what it gives
(`candidates.py`), and what it leaves as it was (`frame_conditions.py`). Shown are only the statements that an answer rests on (`demand.py`), so a
proof with few of them is quick however many there could be.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import z3

from ...model.ir import nodes as ir
from ...model.ir.program import Program
from ...model.ir.types import Role
from ...spec.groups import grouped
from ...spec.text import Text
from . import numbers as n
from . import truths as t
from .callers import Callers, unset
from .candidates import spoken_of
from .conditions import Conditions
from .contracts import Called, Sliced, Stretch
from .demand import PATIENT, Demand, Part, as_part
from .numbers import Beyond, Val
from .results import Counterexample, Kept
from .segments import Begin
from .slices import Slice, never_lost
from .solving import FIRST, SECONDS, Reply, ask, collect, query, worked_on
from .standing import Only, Standing
from .statements import Fact, Goal, Key, Statement
from .symbolic import evaluated
from .truths import Truth
from .universal import needed

QUICK = 4.0
"""How long a solver may think about statements: what is not answered by then is not used."""
MOST = 8
"""Cards that are followed at most, where what they refer to is, too."""
CALLERS = 2
"""How many callers are looked at, one above the other, for what they give."""
FAILING = 12
"""Pieces that fail at most, for one card more to be followed."""
ALONE, ENTRIES, TOGETHER = range(3)
"""What the slice holds: what the condition reads; what each entry of a multiset is, too; the book's other conditions that read nothing else, and what
cards refer to."""


@dataclass
class Piece:
    """A piece of a procedure: what is known of it whatever is assumed, how each condition may be broken, and what may be assumed."""

    of: Stretch
    plain: list[Truth]
    broken: dict[str, Truth]
    assumed: dict[Statement, Truth] | None = None
    part: Part | None = None


def referring(part: Slice) -> list[int]:
    """The blocks that are kept in which a card is told for each card: what it lies on, say."""
    return [
        b for b in part.layout.per_card if b in part.kept and part.layout.slots[b].type.role in (Role.CARD, Role.OBJECT)
    ]


class Prover:
    """Proves one condition, or what is stated of a procedure. `program`: with its cards marked; `owners`: of each card; `first`: the slots play
    begins with; `more`: cards that are followed besides those that break it."""

    def __init__(
        self, program: Program, condition: str, owners: Sequence[int], first: Sequence[int], seconds: float = SECONDS,
        stop: Callable[[], bool] | None = None, extent: int = ALONE, more: int = 0,
    ) -> None:
        self.given = program, condition, owners, first, seconds, stop, extent
        self.condition, self.patience, self.stop = condition, seconds, stop
        self.seconds = seconds if extent == TOGETHER else min(QUICK, seconds)
        self.slice = part = Slice(
            program, condition, extent == TOGETHER, spoken_of(program) if extent == ENTRIES else ()
        )
        self.lasting_first = bool(part.besides)
        self.breakers = {
            x: 1 if part.sums else needed(program, x) for x in (*part.conditions, *([condition] if part.stated else []))
        }
        self.referring = referring(part) if extent == TOGETHER and not part.sums else []
        few = max(self.breakers.values()) * (1 + len(self.referring)) + more
        if extent == TOGETHER and few > MOST + more:
            raise Beyond(f"カード{few}枚を追わなければならない", f"{few} cards would have to be followed")
        self.symbolic = Sliced(part, few)
        self.machine = self.symbolic.contracts
        self.conditions = Conditions(self.symbolic, never_lost(program, first))
        self.machine.difference = self.conditions.difference if part.sums else None
        self.program, self.layout = self.symbolic.program, self.symbolic.layout
        self.first = [*first, *(sum(first[x.block:x.block + self.layout.card_count]) for x in part.sums)]
        self.standing = Standing(self.symbolic, self.conditions, owners)
        self.pieces: dict[Begin, Piece] = {}
        self.brings: dict[Begin, frozenset[Key]] = {}
        self.demand = Demand(self)
        self.callers = Callers(self.symbolic)
        self.entered: set[str] = {self.program.entry}
        """Procedures that are entered at the beginning of play, while the condition does not hold yet."""
        self.out = Kept(condition, few=few)

    def sides(self) -> list[Truth]:
        m = self.machine
        found, m.sides = m.sides, []
        return found

    # ------------------------------------------------------------ pieces
    def next_ones(self, of: Stretch) -> Iterator[Begin]:
        """Where pieces begin that a piece leads to: procedures that it calls, heads of loops; behind calls that were entered."""
        for name, pc, callee in dict.fromkeys(of.inside):
            self.entered.add(callee)
            if self.entered & self.slice.throwing:
                raise Beyond("条件がまだ成り立たない間の中断", "a signal while the condition does not hold yet")
            yield Begin(name, pc + 1, "call", pc)
        for c in of.calls:
            if self.slice.matters(c.function):
                yield Begin(c.function, 0, "call")
        for s in of.heads:
            f = s.frames[-1]
            yield Begin(f.fn.name, f.pc, "round" if isinstance(f.fn.code[f.pc], ir.Next) else "label")

    def assumed(self, of: Stretch) -> Iterator[tuple[Key, str, Truth]]:
        """What may be assumed of a piece."""
        name, slots = of.begin.function, of.state.slots
        locals_ = of.state.frames[0][2]
        everywhere: Key = ("", 0, "state")
        if not self.at_first(of.begin):
            yield from self.standing.said(everywhere, (), slots)
        if name not in self.entered:
            yield from self.standing.said((name, 0, "given"), locals_, slots)
            if of.begin.kind == "call":
                yield from self.standing.said((name, 0, "in"), locals_, slots)
        if of.begin.kind != "call":
            yield from self.standing.said((name, of.begin.pc, "at"), locals_, slots)
        if of.begin.kind != "call" and name not in self.entered:
            yield from self.standing.related((name, of.begin.pc, "since"), locals_, of.entry, slots)
            yield from self.standing.said(everywhere, (), of.entry)
            stays = unset(self.program.functions[name]) if name else frozenset[int]()
            key: Key = (name, 0, "in")
            for text, x in self.standing.told(key).items():
                if isinstance(x, Fact) and x.about <= stays:
                    yield key, text, x.holds(locals_, of.entry)
        for c in of.calls:
            unless = t.no(t.both(c.when, c.back))
            for key, text, holds in self.after(c):
                yield key, text, t.either(unless, holds)
        for name, x in of.changed:
            for text, said in self.standing.of_each_entry(name):
                yield everywhere, text, t.either(t.no(x.when), said.holds((), x.slots))

    def at_first(self, begin: Begin) -> bool:
        """Does play begin here?"""
        return begin.function == self.program.entry and begin.kind == "call" and begin.site < 0

    def after(self, c: Called) -> Iterator[tuple[Key, str, Truth]]:
        """What is known when a call has come back."""
        if c.function in self.slice.writing:
            yield from self.standing.said(("", 0, "state"), (), c.after)
            yield from self.standing.related((c.function, 0, "keeps"), c.args, c.before, c.after)
        if self.slice.matters(c.function):
            for key, text, holds in self.standing.said((c.function, 0, "left"), [*c.args, c.result], c.after):
                yield key, text, t.either(t.no(c.normally), holds)

    def brought(self, of: Stretch, only: Only = None) -> Iterator[tuple[Key, str, Truth, Truth]]:
        """What a piece has to bring about (of these statements): when, and that it holds."""
        name = of.begin.function
        fn = self.program.functions[name]
        params = of.state.frames[0][2][:fn.arity]
        everywhere: Key = ("", 0, "state")
        for x in of.added:
            yield from ((everywhere, text, x.when, said.of_one(x.values))
                        for text, said in self.standing.of_each_entry(x.multiset)
                        if only is None or (everywhere, text) in only)
        for c in of.calls:
            if not self.slice.matters(c.function):
                continue
            theirs = [*c.args, *self.machine.codes[c.function].fresh[len(c.args):]]
            pairs = [*self.standing.said((c.function, 0, "given"), theirs, c.before, only),
                     *self.standing.said((c.function, 0, "in"), theirs, c.before, only),
                     *self.standing.said(everywhere, (), c.before, only)]
            yield from ((key, text, c.when, holds) for key, text, holds in pairs)
        for s in of.heads:
            f = s.frames[-1]
            pairs = [*self.standing.said((f.fn.name, f.pc, "at"), f.locals, s.slots, only),
                     *self.standing.said(everywhere, (), s.slots, only)]
            if f.fn.name not in self.entered:
                pairs += self.standing.related((f.fn.name, f.pc, "since"), params, of.entry, s.slots, only)
            yield from ((k, text, s.path.term, holds) for k, text, holds in pairs)
        for x in of.left:
            pairs = list(self.standing.said(everywhere, (), x.slots, only))
            if name not in self.entered:
                pairs += self.standing.related((name, 0, "keeps"), params, of.entry, x.slots, only)
            if not x.signal and name not in self.entered:
                pairs += self.standing.said((name, 0, "left"), [*params, x.result], x.slots, only)
            yield from ((k, text, x.when, holds) for k, text, holds in pairs)

    def looked_at(self, begin: Begin) -> tuple[Stretch, list[Truth], dict[str, Truth]]:
        """Run the piece: what is known of it whatever is assumed, and how each condition may be broken. Raises Beyond."""
        at_first = self.at_first(begin)
        of = self.symbolic.stretch(begin, self.first if at_first else None, self.conditions.not_yet)
        plain: list[Truth] = [*self.machine.about_cards]
        states: list[Sequence[Val]] = [] if at_first else [of.state.slots]
        if begin.function not in self.entered:
            plain.append(self.callers.admit(begin.function, of.state.frames[0][2], CALLERS))
        if begin.kind != "call" and begin.function not in self.entered:
            states.append(of.entry)
        for slots in states:
            plain += [*self.conditions.all_hold(slots), *self.conditions.contained(slots)]
        for c in of.calls:
            if c.function in self.slice.writing:
                unless = t.no(t.both(c.when, c.back))
                plain += [t.either(unless, x)
                          for x in (*self.conditions.all_hold(c.after), *self.conditions.contained(c.after))]
        seen = {id(slots) for slots in states} | {id(c.after) for c in of.calls}
        every = len(of.calls)
        places = [*((c.when, c.before, k) for k, c in enumerate(of.calls)),
                  *((x.when, x.slots, x.calls) for x in of.stands), *((s.path.term, s.slots, every) for s in of.heads),
                  *((x.when, x.slots, every) for x in of.left)]
        bad = {x: t.some(self.wanted(x, of, places, seen)) for x in self.conditions.standing}
        return of, [*plain, *self.sides()], bad

    def by_statement(self, of: Stretch) -> dict[Statement, Truth]:
        """What may be assumed of a piece."""
        assumed: dict[Statement, Truth] = {}
        for key, text, holds in self.assumed(of):
            assumed[key, text] = t.both(holds, assumed.get((key, text), True))
        return assumed

    def to_show(self, of: Stretch, only: set[Statement] | None = None) -> list[Goal]:
        """What a piece has to show, of these statements or of all."""
        ways = grouped(((key, text), t.both(when, t.no(holds))) for key, text, when, holds in self.brought(of, only))
        return [Goal(key, text, t.some(found)) for (key, text), found in ways.items()]

    def wanted(
        self, name: str, of: Stretch, places: Sequence[tuple[Truth, Sequence[Val], int]], seen: set[int],
    ) -> Iterator[Truth]:
        """How the condition may be broken where it has to hold. Of a place: when play is there, the slots, and how many calls come before."""
        yield from of.wanted
        for when, slots, calls in places:
            if id(slots) not in seen:
                yield t.both(when, self.broken_among(name, of, slots, calls) if self.referring
                             else t.no(self.conditions.holds(name, slots)))

    def broken_among(self, name: str, of: Stretch, slots: Sequence[Val], calls: int) -> Truth:
        """Is the condition broken by as many of the cards that are followed as it takes, while the cards that these referred to are followed, too?

        They referred to them after the last call, or else where the piece began. Play that breaks the condition has such cards and such
        references, and any cards may be followed; so if this cannot be, the condition is kept."""
        m = self.machine
        known: list[Truth] = []
        for k in range(m.few):
            ways: list[Truth] = []
            for block in self.referring:
                card = of.state.slots[block + k]
                for c in of.calls[:calls]:
                    if c.function in self.slice.writing:
                        card = n.choose(t.both(c.when, c.back), c.after[block + k], card)
                ways.append(t.either(n.less(card, 0), *m.is_card(card)))
            known.append(t.every(ways))
        return t.some(
            t.both(*(known[k] for k in those), self.conditions.breaking.by_these(name, list(slots), those))
            for those in combinations(range(m.few), self.breakers[name]))

    # ------------------------------------------------------------ what is asked of pieces
    def interrupted(self, begin: Begin) -> None:
        """Raises Beyond where time is over."""
        self.out.where = begin
        if self.stop is not None and self.stop():
            raise Beyond("中断された", "interrupted")

    def explore(self) -> None:
        """Make all the pieces that play may come to. Raises Beyond."""
        todo = deque([Begin(self.program.entry, 0, "call")])
        while todo:
            begin = todo.popleft()
            self.interrupted(begin)
            if begin in self.pieces:
                continue
            self.pieces[begin] = found = Piece(*self.looked_at(begin))
            self.brings[begin] = self.places_of(found.of)
            todo += dict.fromkeys(self.next_ones(found.of))
        for begin in self.pieces:
            if begin.function in self.entered and begin.kind == "call" and begin.site < 0 and not self.at_first(begin):
                raise Beyond(f"{begin.function} が途中で再び呼ばれる", f"{begin.function} is called again")

    def places_of(self, of: Stretch) -> frozenset[Key]:
        """The places of the statements that a piece has to bring about."""
        name = of.begin.function
        called = [(c.function, 0, how) for c in of.calls for how in ("given", "in")]
        heads = [(f.fn.name, f.pc, how) for f in (s.frames[-1] for s in of.heads) for how in ("at", "since")]
        return frozenset([("", 0, "state"), (name, 0, "keeps"), (name, 0, "left"), *called, *heads])

    def assuming(self, piece: Piece) -> dict[Statement, Truth]:
        """What may be assumed of a piece."""
        if piece.assumed is None:
            piece.assumed = self.by_statement(piece.of)
            piece.plain += self.sides()
        return piece.assumed

    def part(self, begin: Begin) -> Part:
        """The piece, as solvers are told of it."""
        piece = self.pieces[begin]
        if piece.part is None:
            piece.part = as_part(piece.plain, self.assuming(piece))
        return piece.part

    def goals(self, begin: Begin, only: set[Statement]) -> Iterator[Goal]:
        """What a piece has to show of these statements."""
        part, piece = self.part(begin), self.pieces[begin]
        goals = self.to_show(piece.of, only)
        sides = self.sides()
        piece.plain += sides
        part.known += t.conjuncts(sides)
        yield from goals

    # ------------------------------------------------------------ one card more
    @cached_property
    def wider(self) -> Prover | None:
        """The same with one card more that is followed; None where there are too few."""
        try:
            out = Prover(*self.given, more=1)
        except Beyond:
            return None
        out.conditions.standing, out.entered = self.conditions.standing, self.entered
        return out

    def closer(self, begin: Begin, condition: str) -> Iterator[tuple[Part, Goal]]:
        """A piece, where one of the cards that it is about is followed, too: two cards break a cap, but `lay(card, zone_of(on))` lays one of them
        where a third lies. Play that breaks the condition gives `on` a value, and any card may be followed; so if no such way breaks
        it, for one of the cards that the piece begins with or that calls give it, none does. What is picked within a step is not taken: it may stand
        for cards that are not followed."""
        if self.slice.sums or self.referring or self.wider is None or len(self.demand.failed) >= FAILING:
            return
        wider = self.wider
        if begin not in wider.pieces:
            wider.pieces[begin] = Piece(*wider.looked_at(begin))
        piece = wider.pieces[begin]
        assumed = {
            what: holds for what, holds in wider.assuming(piece).items() if self.standing.statement(what) is not None
        }
        for card in about(self.program, piece.of):
            followed = t.some((t.no(n.between(card, 0, wider.machine.count - 1)), *wider.machine.is_card(card)))
            yield as_part([*piece.plain, followed], assumed), Goal(None, condition, piece.broken[condition])

    # ------------------------------------------------------------ asking
    def keeps_it(self, begin: Begin, name: str, core: frozenset[Statement] | None = None) -> bool:
        """Does a piece keep a condition, by what these statements say? (None: can it be seen at once without any?)"""
        piece = self.pieces[begin]
        holds = [x for what, x in self.assuming(piece).items() if what in core] if core else []
        question = query(f"{begin.function} at {begin.pc}: {name}", [*piece.plain, *holds, piece.broken[name]])
        if self.slice.sums:
            try:
                reply = ask(question, self.patience, FIRST / 8)
            except AssertionError:  # a value that a caller cannot give, cut to its bits
                reply = Reply("unknown", self.patience, Text(ja="整数とビット列の答えが違う", en="integers and bit vectors differ"))
        else:
            reply = worked_on(z3.SimpleSolver(), question.conditions, self.seconds)
            if reply.verdict == "unknown" and core is not None:
                reply = worked_on(z3.SolverFor("QF_BV"), question.conditions, 2 * PATIENT * self.seconds)
        if reply.verdict == "unsat" and not self.slice.sums:  # `ask` does so itself
            collect(question)
        return reply.verdict == "unsat" or (core is not None and any(
            worked_on(z3.SolverFor("QF_BV"),
                      [*part.known, *(b for what, b in part.given.items() if what in core), t.term(goal.broken)],
                      2 * PATIENT * self.seconds).verdict == "unsat"
            for part, goal in self.closer(begin, name)))

    def counterexample(self, begin: Begin, broken: Truth) -> Counterexample | None:
        """A state in which a piece does not show something, whatever stands."""
        piece, m = self.pieces[begin], self.machine
        holds = [x for what, x in self.assuming(piece).items() if self.standing.statement(what) is not None]
        model = worked_on(z3.SimpleSolver(), t.conjuncts([*piece.plain, *holds, broken]), self.patience).model
        if model is None:
            return None
        slots = piece.of.state.slots
        blocks = [
            b for b in self.layout.per_card if b in self.slice.kept and b != self.layout.rank and not m.is_cards[b]
        ]
        return Counterexample(
            begin,
            tuple(evaluated(model, c) for c in m.cards),
            {b: tuple(evaluated(model, slots[b + k]) for k in range(m.few)) for b in blocks},
            {k: evaluated(model, slots[k]) for k in m.live_slots
             if k not in m.blocks and k < len(self.slice.layout.slots)},
            tuple(evaluated(model, v) for v in piece.of.state.frames[0][2]),
        )

    def prove(self) -> Kept:
        """The proof, or what it fails on. A condition that is not kept is not assumed for the others either."""
        out = self.out
        try:
            while True:
                failed = self.tried()
                out.failed |= failed
                if not failed or self.condition in failed:
                    break
                self.conditions.standing = [x for x in self.conditions.standing if x not in failed]
                self.again()
            out.proved = ([] if self.condition in out.failed
                          else [self.condition, *(x for x in self.conditions.standing if x != self.condition)])
            out.stuck = [x for x in self.pieces if out.proved and self.is_stuck(x)]
            out.certain = bool(out.proved) and self.is_certain()
            out.where = None
        except Beyond as e:
            out.reason = e.why
        out.pieces = len(self.pieces)
        out.needed = sorted(self.demand.needed)
        return out

    def is_stuck(self, begin: Begin) -> bool:
        """Is there no way on from here that exceeds no bound, though play may come here? Then a proof says nothing of it. Raises Beyond."""
        self.interrupted(begin)
        piece = self.pieces[begin]
        plain = [*piece.plain, *(x for what, x in self.assuming(piece).items() if what in self.demand.needed)]
        ways = t.some([*(s.path.term for s in piece.of.heads), *(x.when for x in piece.of.left), *piece.of.ends])
        return all(worked_on(z3.SimpleSolver(), t.conjuncts(x), QUICK).verdict == said
                   for x, said in (([*plain, ways], "unsat"), (plain, "sat")))

    def is_certain(self) -> bool:
        """Could no state of this world break it, whatever the rules?"""
        if self.slice.stated is not None or self.slice.sums:
            return False
        slots = self.symbolic.fresh_state().slots
        broken = [*self.machine.about_cards, *self.conditions.contained(slots),
                  t.no(self.conditions.holds(self.condition, slots)), *self.sides()]
        return worked_on(z3.SimpleSolver(), t.conjuncts(broken), QUICK).verdict == "unsat"

    def again(self) -> None:
        """Forget what was asked: a condition less is assumed."""
        self.pieces, self.brings, self.demand = {}, {}, Demand(self)
        self.standing.at.clear()
        self.conditions.answers.clear()
        vars(self).pop("wider", None)

    def target(self) -> list[Statement]:
        """What is stated of a procedure, if that is to be proved. Raises Beyond."""
        if (stated := self.slice.stated) is None:
            return []
        target: Statement = (stated.rule, 0, "in" if stated.kind == "expects" else "left"), stated.function
        if not any(b.function == stated.rule for b in self.pieces):
            raise Beyond(f"ここには `{stated.rule}` を呼ぶものがない", f"nothing here calls `{stated.rule}`")
        if self.standing.statement(target) is None:
            raise Beyond(
                "変わる引数についての条件か、式一つで書かれていない条件",
                "it is about a parameter that changes, or takes more than one expression",
            )
        return [target]

    def tried(self) -> dict[str, list[Begin]]:
        """Show all conditions that stand, each assumed for the others; the pieces that may break one, if any. Raises Beyond."""
        failed: dict[str, list[Begin]] = {}
        self.explore()
        for begin, piece in self.pieces.items():
            self.interrupted(begin)
            for name in self.conditions.standing:
                if piece.broken[name] is False or self.keeps_it(begin, name):
                    continue
                if self.slice.sums:
                    failed.setdefault(name, []).append(begin)
                else:
                    self.demand.want(begin, Goal(None, name, piece.broken[name]))
        target = self.target()
        self.demand.need(target)
        self.demand.settle()
        self.demand.complete()
        for what in target:
            if self.standing.statement(what) is None:
                begin, goal = self.demand.dropped[what]
                failed[what[1]] = [begin]
                self.out.state = self.out.state or self.counterexample(begin, goal.broken)
        for begin, goals in self.demand.conditions.items():
            for name in goals:
                core = self.demand.shown[begin].get(name)
                if core is None or not self.keeps_it(begin, name, core):
                    failed.setdefault(name, []).append(begin)
        if self.out.state is None and self.condition in failed and self.slice.stated is None:
            begin = failed[self.condition][0]
            self.out.state = self.counterexample(begin, self.pieces[begin].broken[self.condition])
        return failed


def about(program: Program, of: Stretch) -> Iterator[Val]:
    """The cards that a piece is about: those it begins with, and those that calls give it."""
    one = (Role.CARD, Role.OBJECT)
    found = [v for x, v in zip(program.functions[of.begin.function].locals, of.state.frames[0][2], strict=True)
             if x.type.role in one]
    found += [c.result for c in of.calls if program.functions[c.function].result.role in one]
    yield from (v for v in found if not isinstance(v, int))
