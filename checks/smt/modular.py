"""Does every procedure keep a condition that always holds, whatever calls it and whatever it calls?

Each procedure is asked by itself, in the slice of the program that bears on the condition (`slices.py`): that the condition holds
wherever play may stand, at every call and where it is left, if it held when it was called. A call may do anything that is not
excluded by what is proved of the procedure called (`contracts.py`): statements about what it is given and what it gives
(`facts.py`), and about what it leaves as it was (`relations.py`). All of these are tried, and those that fail are dropped, until
every procedure brings about what is left.
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import z3

from ...model.ir import nodes as ir
from ...model.ir.flow import assigned, walk
from ...model.ir.program import Program
from ...model.ir.types import Role
from . import numbers as n
from . import truths as t
from .callers import Callers
from .closer import FAILING, about, is_followed
from .contracts import Called, Sliced, Stretch
from .entries import EachEntry
from .facts import Fact
from .goals import Goal, Key, Statement, not_brought_about
from .invariants import kept_by_itself, of_pool, of_references
from .local_facts import Local
from .numbers import Beyond, Val
from .relations import Relation, fields, lies, relations
from .segments import Begin
from .slices import Slice, in_one, never_lost
from .solving import FIRST, SECONDS, Query, Reply, ask, query
from .solving import asked as in_bits
from .sorts import CardLoad, CardsFold
from .states import Sym
from .truths import Truth
from .universal import Broken, needed

QUICK = 4.0
"""How long a solver may think about facts: what is not answered by then is not used."""
Only = Container[tuple[Key, str]] | None
"""The statements that are asked for, if not all."""
MOST = 8
"""Cards that are followed at most, where what they refer to is, too."""
CALLERS = 2
"""How many callers are looked at, one above the other, for what they give."""


@dataclass
class Kept:
    """What was found of a condition. `proved`: it, and others with it; `failed`: the pieces that may break each; `reason`: why it could not be asked; `pieces`: how
    many were asked; `procedures`: how many procedures write what it reads."""

    name: str
    proved: list[str] = field(default_factory=list[str])
    failed: dict[str, list[Begin]] = field(default_factory=dict[str, list[Begin]])
    reason: str = ""
    where: Begin | None = None
    pieces: int = 0
    procedures: int = 0
    few: int = 0
    seconds: float = 0.0
    facts: int = 0
    bounds: dict[str, list[Begin]] = field(default_factory=dict[str, list[Begin]])
    questions: list[tuple[Query, Reply]] = field(default_factory=list[tuple[Query, Reply]], repr=False)


@dataclass
class Asked:
    """A piece with its goals; what may be assumed of it stands under literals."""

    of: Stretch
    solver: z3.Solver
    given: dict[tuple[Key, str], z3.BoolRef]
    goals: list[Goal]
    plain: list[Truth]
    assumed: dict[tuple[Key, str], Truth]
    broken: dict[str, Truth]
    """How each condition may be broken."""
    used: set[tuple[Key, str]] = field(default_factory=set["tuple[Key, str]"])
    """What its goals follow from: as long as this stands, it need not be asked again."""


def referring(part: Slice) -> list[int]:
    """The blocks that are kept in which a card is told for each card: what it lies on, say."""
    return [b for b in part.layout.per_card if b in part.kept and part.layout.slots[b].type.role in (Role.CARD, Role.OBJECT)]


class Modular:
    """Proves one condition. `program`: with its cards marked; `owners`: of each card; `first`: the slots play begins with; `closed`: what the cards that
    break it refer to is followed, too."""

    def __init__(
        self, program: Program, condition: str, owners: Sequence[int], first: Sequence[int], seconds: float = SECONDS,
        stop: Callable[[], bool] | None = None, level: int = 1, narrower: Modular | None = None, besides: Container[str] = (),
        closed: bool = False,
    ) -> None:
        self.level, self.narrower = level, narrower
        self.given = program, owners, first
        self.condition, self.seconds, self.stop = condition, seconds, stop
        self.part = Slice(program, condition, level > 1, besides)
        self.few = 1 if self.part.sums else max(needed(program, x) for x in self.part.conditions) + (narrower is not None)
        self.referring = referring(self.part) if closed else []
        self.breakers: dict[str, int] = {}
        if closed:
            if self.part.sums:
                raise Beyond("something is added up")
            self.breakers = {x: needed(program, x) for x in self.part.conditions}
            self.few = max(self.breakers.values()) * (1 + len(self.referring))
            if self.few > MOST:
                raise Beyond(f"{self.few} cards would have to be followed")
        self.standing = list(self.part.conditions)
        self.symbolic = Sliced(self.part, self.few)
        self.machine = self.symbolic.contracts
        self.machine.difference = self.difference if self.part.sums else None
        self.program, self.layout = self.symbolic.program, self.symbolic.layout
        self.asked_about()
        self.located = never_lost(program, first)
        self.first = [*first, *(sum(first[x.block:x.block + self.layout.card_count]) for x in self.part.sums)]
        self.breaking = Broken(self.symbolic)
        self.answers: dict[tuple[str, int], tuple[Sequence[Val], Truth]] = {}
        self.candidates = Local(self.symbolic, owners)
        self.stays: dict[str, frozenset[int]] = {}
        self.facts: dict[Key, dict[str, Fact | Relation]] = {}
        self.asked: dict[Begin, Asked] = {}
        self.callers = Callers(self.symbolic)
        self.entered: set[str] = {self.program.entry}
        """Procedures that are entered at the beginning of play, while the condition does not hold yet."""
        if narrower is not None:
            self.standing, self.entered = narrower.standing, narrower.entered
        self.out = Kept(condition, few=self.few)

    def asked_about(self) -> None:
        """Is the condition one that cards which are followed, or a sum, break? Raises Beyond."""
        for name in self.part.conditions:
            fn = self.program.functions[name]
            one = in_one(fn)
            if one is None or (not self.part.sums and len(fn.code) > 1):
                raise Beyond("the condition is more than one expression")
            if self.part.sums and any(isinstance(e, CardsFold | CardLoad | ir.Call | ir.ZoneCards) for e in walk(one)):
                raise Beyond("a sum in a condition that asks more of cards")

    # ------------------------------------------------------------ what is said of states
    def holds(self, name: str, slots: Sequence[Val]) -> Truth:
        """Does a condition hold, as far as the cards that are followed can tell? (The slots are nobody's to change.)"""
        known = self.answers.get((name, id(slots)))
        if known is None:
            known = self.answers[name, id(slots)] = slots, t.no(self.breaking.by_these(name, list(slots)))
        return known[1]

    def not_yet(self, slots: Sequence[Val]) -> bool:
        """Does some condition not hold in slots that are known?"""
        return any(self.breaking.by_these(x, list(slots)) is True for x in self.standing)

    def all_hold(self, slots: Sequence[Val]) -> list[Truth]:
        return [self.holds(x, slots) for x in self.standing]

    def difference(self, slots: Sequence[Val]) -> Val:
        """Of a condition that two numbers are equal, by how much they differ. Raises Beyond."""
        fn = self.program.functions[self.condition]
        body = in_one(fn)
        if not isinstance(body, ir.Binary) or body.op != "eq":
            raise Beyond("something is added up in a condition that is no equation")
        s = Sym(list(slots), shared=True)
        a, b = (self.machine.value(e, s, [0] * len(fn.locals)) for e in (body.a, body.b))
        return n.subtract(a, b)

    def contained(self, slots: Sequence[Val]) -> list[Truth]:
        """What containers keep by themselves, and that every card lies somewhere."""
        out: list[Truth] = []
        if self.part.locations and self.located:
            out += [n.at_most(0, slots[self.layout.location + k]) for k in range(self.few)]
        for c in self.layout.containers.values():
            out += [h.condition for h in kept_by_itself(self.layout, slots, c)]
        return [x for x in out if x is not True]

    def references(self, slots: Sequence[Val]) -> list[tuple[str, Truth]]:
        """What rules have to keep of references and entries."""
        pools = [h for c in self.layout.containers.values() if c.is_pool for h in of_pool(self.layout, slots, c)]
        found = [*pools, *of_references(self.layout, slots, set(self.machine.live_slots))]
        return [(h.what, h.condition) for h in found if h.condition is not True]

    def sides(self) -> list[Truth]:
        m = self.machine
        found, m.sides = m.sides, []
        return found

    # ------------------------------------------------------------ facts
    def unset(self, name: str) -> frozenset[int]:
        """The parameters that stay as they were given: they are never set, and no objects, which may die."""
        if name not in self.stays:
            fn = self.program.functions[name]
            changed = frozenset[int]().union(*(assigned(i) for i in fn.code), *(
                (i.rest, i.var) for i in fn.code if isinstance(i, ir.Next)))
            objects = {k for k in range(fn.arity) if fn.locals[k].type.role is Role.OBJECT}
            self.stays[name] = frozenset(range(fn.arity)) - changed - objects
        return self.stays[name]

    def outside(self) -> Iterator[Fact]:
        """What is said of a card that lies in a zone of a name is as at first there."""
        if not self.part.locations or not self.level:
            return
        for block in self.layout.per_card:
            if block not in self.part.kept or block in (self.layout.location, self.layout.rank):
                continue
            row = [x.initial for x in self.layout.slots[block:block + self.layout.card_count]]
            if len(set(row)) > 1 or self.machine.is_cards[block]:
                continue
            for field_, zones in fields(self.machine):
                yield Fact(f"{self.layout.slots[block].name} is as at first in {field_}", lambda _, g, b=block, v=row[0], zones=zones: t.every(
                    t.either(t.no(lies(self.machine, g, k, zones)), n.equal(g[b + k], v)) for k in range(self.few)), True)

    def told(self, key: Key) -> dict[str, Fact | Relation]:
        """The statements that stand at a place, so far."""
        if key not in self.facts:
            name, pc, how = key
            stays = self.unset(name) if name else frozenset[int]()
            found: list[Fact | Relation]
            match how:
                case "given":
                    found = [x for x in self.candidates.of(name, 0, True) if x.about <= stays]
                case "in" | "at":
                    found = [x for x in self.candidates.of(name, pc, False) if not (x.lasting and x.about <= stays)]
                case "left":
                    found = [x for x in self.candidates.of_result(name) if x.about - {self.program.functions[name].arity} <= stays]
                case "keeps" | "since":
                    found = list(relations(self.machine, self.program.functions[name], stays))
                case "state":
                    found = [*(Fact(x, lambda _, g, x=x: dict(self.references(g)).get(x, True), True)
                               for x, _ in self.references(self.symbolic.fresh_state().slots)), *self.outside(), *self.candidates.of_entries()]
                case _:
                    raise AssertionError(how)
            self.facts[key] = {x.text: x for x in found} if self.level or key[2] == "state" else {}
            if self.narrower is not None:  # what was shown of any cards
                self.facts[key] = {k: x for k, x in self.facts[key].items() if k in self.narrower.facts.get(key, ())}
        return self.facts[key]

    def said(self, key: Key, locals_: Sequence[Val], slots: Sequence[Val], only: Only = None) -> Iterator[tuple[Key, str, Truth]]:
        for text, x in self.told(key).items():
            if only is None or (key, text) in only:
                assert isinstance(x, Fact)
                yield key, text, x.holds(locals_, slots)

    def related(
        self, key: Key, args: Sequence[Val], before: Sequence[Val], after: Sequence[Val], only: Only = None,
    ) -> Iterator[tuple[Key, str, Truth]]:
        for text, x in self.told(key).items():
            if only is None or (key, text) in only:
                assert isinstance(x, Relation)
                yield key, text, x.holds(args, before, after)

    # ------------------------------------------------------------ pieces
    def next_ones(self, of: Stretch) -> Iterator[Begin]:
        """Where pieces begin that a piece leads to: procedures that it calls, heads of loops; behind calls that were entered."""
        for name, pc in dict.fromkeys(of.inside):
            self.entered.add(self.callers.call(name, pc).function)
            if self.entered & self.part.throwing:
                raise Beyond("a signal while the condition does not hold yet")
            yield Begin(name, pc + 1, "call", pc)
        for c in of.calls:
            if self.part.matters(c.function):
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
            yield from self.said(everywhere, (), slots)
        if name not in self.entered:
            yield from self.said((name, 0, "given"), locals_, slots)
            if of.begin.kind == "call":
                yield from self.said((name, 0, "in"), locals_, slots)
        if of.begin.kind != "call":
            yield from self.said((name, of.begin.pc, "at"), locals_, slots)
        if of.begin.kind != "call" and name not in self.entered:
            yield from self.related((name, of.begin.pc, "since"), locals_, of.entry, slots)
            yield from self.said(everywhere, (), of.entry)
            stays = self.unset(name) if name else frozenset[int]()
            key: Key = (name, 0, "in")
            for text, x in self.told(key).items():
                if isinstance(x, Fact) and x.about <= stays and not text.endswith("is empty"):
                    yield key, text, x.holds(locals_, of.entry)
        for c in of.calls:
            unless = t.no(t.both(c.when, c.back))
            for key, text, holds in self.after(c):
                yield key, text, t.either(unless, holds)
        for name, x in of.changed:
            for text, said in self.of_each_entry(name):
                yield everywhere, text, t.either(t.no(x.when), said.holds((), x.slots))

    def of_each_entry(self, name: str) -> Iterator[tuple[str, EachEntry]]:
        """What is said of each entry of a multiset that is kept besides."""
        yield from ((text, x) for text, x in self.told(("", 0, "state")).items() if isinstance(x, EachEntry) and x.multiset == name)

    def at_first(self, begin: Begin) -> bool:
        """Does play begin here?"""
        return begin.function == self.program.entry and begin.kind == "call" and begin.site < 0

    def after(self, c: Called) -> Iterator[tuple[Key, str, Truth]]:
        """What is known when a call has come back."""
        if c.function in self.part.writing:
            yield from self.said(("", 0, "state"), (), c.after)
            yield from self.related((c.function, 0, "keeps"), c.args, c.before, c.after)
        if self.part.matters(c.function):
            yield from self.said((c.function, 0, "left"), [*c.args, c.result], c.after)

    def brought(self, of: Stretch, only: Only = None) -> Iterator[tuple[Key, str, Truth, Truth]]:
        """What a piece has to bring about (of these statements): when, and that it holds."""
        name = of.begin.function
        fn = self.program.functions[name]
        params = of.state.frames[0][2][:fn.arity]
        everywhere: Key = ("", 0, "state")
        for x in of.added:
            yield from ((everywhere, text, x.when, said.of_one(x.values)) for text, said in self.of_each_entry(x.multiset)
                        if only is None or (everywhere, text) in only)
        for c in of.calls:
            if not self.part.matters(c.function):
                continue
            theirs = [*c.args, *self.machine.codes[c.function].fresh[len(c.args):]]
            pairs = [*self.said((c.function, 0, "given"), theirs, c.before, only), *self.said((c.function, 0, "in"), theirs, c.before, only),
                     *self.said(everywhere, (), c.before, only)]
            yield from ((key, text, c.when, holds) for key, text, holds in pairs)
        for s in of.heads:
            f = s.frames[-1]
            pairs = [*self.said((f.fn.name, f.pc, "at"), f.locals, s.slots, only), *self.said(everywhere, (), s.slots, only)]
            if f.fn.name not in self.entered:
                pairs += self.related((f.fn.name, f.pc, "since"), params, of.entry, s.slots, only)
            yield from ((k, text, s.path.term, holds) for k, text, holds in pairs)
        for x in of.left:
            pairs = list(self.said(everywhere, (), x.slots, only))
            if name not in self.entered:
                pairs += self.related((name, 0, "keeps"), params, of.entry, x.slots, only)
            if not x.signal and name not in self.entered:
                pairs += self.said((name, 0, "left"), [*params, x.result], x.slots, only)
            yield from ((k, text, x.when, holds) for k, text, holds in pairs)

    def looked_at(self, begin: Begin) -> tuple[Stretch, list[Truth], dict[str, Truth]]:
        """Run the piece: what is known of it whatever is assumed, and how each condition may be broken. Raises Beyond."""
        at_first = self.at_first(begin)
        of = self.symbolic.stretch(begin, self.first if at_first else None, self.not_yet)
        plain: list[Truth] = [*self.machine.about_cards]
        states: list[Sequence[Val]] = [] if at_first else [of.state.slots]
        if begin.function not in self.entered:
            plain.append(self.callers.admit(begin.function, of.state.frames[0][2], CALLERS))
        if begin.kind != "call" and begin.function not in self.entered:
            states.append(of.entry)
        for slots in states:
            plain += [*self.all_hold(slots), *self.contained(slots)]
        for c in of.calls:
            if c.function in self.part.writing:
                unless = t.no(t.both(c.when, c.back))
                plain += [t.either(unless, x) for x in (*self.all_hold(c.after), *self.contained(c.after))]
        seen = {id(slots) for slots in states} | {id(c.after) for c in of.calls}
        every = len(of.calls)
        places = [*((c.when, c.before, k) for k, c in enumerate(of.calls)), *((x.when, x.slots, x.calls) for x in of.stands),
                  *((s.path.term, s.slots, every) for s in of.heads), *((x.when, x.slots, every) for x in of.left)]
        bad = {x: t.some(self.wanted(x, of, places, seen)) for x in self.standing}
        return of, [*plain, *self.sides()], bad

    def by_statement(self, of: Stretch) -> dict[Statement, Truth]:
        """What may be assumed of a piece."""
        assumed: dict[Statement, Truth] = {}
        for key, text, holds in self.assumed(of):
            assumed[key, text] = t.both(holds, assumed.get((key, text), True))
        return assumed

    def to_show(self, of: Stretch, only: set[Statement] | None = None) -> list[Goal]:
        """What a piece has to show, of these statements or of all."""
        ways: dict[Statement, list[Truth]] = {}
        for key, text, when, holds in self.brought(of, only):
            ways.setdefault((key, text), []).append(t.both(when, t.no(holds)))
        return [Goal(key, text, t.some(found)) for (key, text), found in ways.items()]

    def prepared(self, begin: Begin) -> Asked:
        """Run the piece, and tell a solver of it. Raises Beyond."""
        of, plain, bad = self.looked_at(begin)
        assumed, goals = self.by_statement(of), [goal for goal in self.to_show(of) if goal.broken is not False]
        plain += self.sides()
        solver = z3.SimpleSolver()
        solver.add(*t.conjuncts(plain))
        given: dict[tuple[Key, str], z3.BoolRef] = {}
        for k, (what, holds) in enumerate(assumed.items()):
            if holds is not True:
                literal = given[what] = z3.Bool(f"assumed {k}")
                solver.add(z3.Or(z3.Not(literal), t.term(holds)))
        return Asked(of, solver, given, goals, plain, assumed, bad)

    def wanted(
        self, name: str, of: Stretch, places: Sequence[tuple[Truth, Sequence[Val], int]], seen: set[int],
    ) -> Iterator[Truth]:
        """How the condition may be broken where it has to hold. Of a place: when play is there, the slots, and how many calls come before."""
        yield from of.wanted
        for when, slots, calls in places:
            if id(slots) not in seen:
                yield t.both(when, self.broken_among(name, of, slots, calls) if self.breakers else t.no(self.holds(name, slots)))

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
                    if c.function in self.part.writing:
                        card = n.choose(t.both(c.when, c.back), c.after[block + k], card)
                ways.append(t.either(n.less(card, 0), *m.is_card(card)))
            known.append(t.every(ways))
        return t.some(
            t.both(*(known[k] for k in those), self.breaking.by_these(name, list(slots), those))
            for those in combinations(range(m.few), self.breakers[name]))

    def stands(self, key: Key | None, text: str) -> bool:
        """Is it assumed still?"""
        return key is not None and text in self.told(key)

    # ------------------------------------------------------------ asking
    def failing(self, asked: Asked) -> list[Goal]:
        """The statements that the piece does not bring about; they are dropped."""
        goals = [g for g in asked.goals if self.stands(g.key, g.text)]
        literals = {b.decl().name(): (b, what) for what, b in asked.given.items() if self.stands(*what)}
        used: list[z3.BoolRef] = []
        out = not_brought_about(
            asked.solver, goals, [b for b, _ in literals.values()], min(QUICK, self.seconds), min(QUICK / 8, self.seconds), used)
        asked.used = {literals[b.decl().name()][1] for b in used}
        for g in out:
            assert g.key is not None
            self.told(g.key).pop(g.text, None)
        return out

    def settle(self) -> None:
        """Drop statements until every piece brings about what is left. Raises Beyond."""
        todo = deque([Begin(self.program.entry, 0, "call")])
        waiting = set(todo)
        while todo:
            begin = todo.popleft()
            waiting.discard(begin)
            self.out.where = begin
            if self.stop is not None and self.stop():
                raise Beyond("interrupted")
            if begin not in self.asked:
                self.asked[begin] = self.prepared(begin)
                for other in dict.fromkeys(self.next_ones(self.asked[begin].of)):
                    if other.kind == "call" and other.site < 0 and other.function in self.entered:
                        raise Beyond(f"{other.function} is called again")
                    if other not in self.asked and other not in waiting:
                        waiting.add(other)
                        todo.append(other)
            gone = {(g.key, g.text) for g in self.failing(self.asked[begin])}
            for other, asked in self.asked.items():
                if other not in waiting and gone & asked.used:
                    waiting.add(other)
                    todo.append(other)

    def prove(self) -> Kept:
        """The proof, or what it fails on. A condition that is not kept is not assumed for the others either."""
        begun, out = time.process_time(), self.out
        try:
            while self.standing:
                self.settle()
                failed = [x for x in self.standing if self.fails(x)]
                if not failed:
                    break
                self.standing = [x for x in self.standing if x not in failed]
                if self.condition in failed:
                    break
                self.again()
            out.proved = [] if self.condition in out.failed else list(self.standing)
            out.where = None
        except Beyond as e:
            out.reason = str(e)
        out.pieces, out.procedures = len(self.asked), len({b.function for b in self.asked})
        out.facts = sum(map(len, self.facts.values()))
        out.seconds = time.process_time() - begun
        return out

    def again(self) -> None:
        """Forget what was asked: a condition less is assumed."""
        self.facts, self.asked, self.answers = {}, {}, {}

    def fails(self, name: str) -> bool:
        """Is there a piece that may not keep the condition? Raises Beyond."""
        for begin, asked in self.asked.items():
            if self.stop is not None and self.stop():
                self.out.where = begin
                raise Beyond("interrupted")
            if asked.broken[name] is not False and self.put(begin, name, asked).verdict != "unsat":
                self.out.failed.setdefault(name, []).append(begin)
        self.look_closer(name)
        return name in self.out.failed

    def look_closer(self, name: str) -> None:
        """Ask what fails once more, with one card more that is followed (`closer.py`)."""
        failed = self.out.failed.get(name, [])
        if self.part.sums or not self.level or not 0 < len(failed) <= FAILING:
            return
        try:
            wider = Modular(*self.given[:1], self.condition, *self.given[1:], self.seconds, self.stop, self.level, self)
        except Beyond:  # too few cards
            return
        left = [x for x in failed if not wider.keeps(x, name)]
        self.out.questions += wider.out.questions
        self.out.failed = {**{k: v for k, v in self.out.failed.items() if k != name}, **({name: left} if left else {})}

    def keeps(self, begin: Begin, name: str) -> bool:
        """Does a piece keep the condition, where one of the cards that it is about is followed?"""
        if self.stop is not None and self.stop():
            return False
        try:
            asked = self.prepared(begin)
        except Beyond:
            return False
        return asked.broken[name] is False or any(
            self.put(begin, name, asked, is_followed(self.machine, v)).verdict == "unsat" for v in about(self.program, asked.of))

    def put(self, begin: Begin, name: str, asked: Asked, besides: Truth = True) -> Reply:
        holds = [x for (key, text), x in asked.assumed.items() if self.stands(key, text)]
        question = query(f"{begin.function} at {begin.pc}: {name}", [*asked.plain, *holds, besides, asked.broken[name]])
        if self.part.sums:
            try:
                reply = ask(question, self.seconds, FIRST / 8)
            except AssertionError:  # a value that a caller cannot give, cut to its bits
                reply = Reply("unknown", self.seconds, "integers and bit vectors differ")
        else:
            reply = in_bits(z3.SimpleSolver(), question.conditions, self.seconds)
        self.out.questions.append((question, reply))
        return reply
