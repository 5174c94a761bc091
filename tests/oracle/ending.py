"""What is proved to end, beside plays: no play goes round for ever in a loop that is told to end, none in rules told not to nest for ever,
and in each round what is told to go down does so.

Play is gone through from positions that a scenario may give, each number at any value of its range, until all that follows is known. A loop goes
round for ever where play comes back to its head and to the same state, and the rule that it is in has not been left meanwhile.
"""
from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

import networkx as nx

from rulewright.checks.ends.proving import Found, places, proved_of
from rulewright.checks.ends.quantities import Quantity
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State
from rulewright.model.ir.program import Program
from rulewright.model.ir.types import OptionType

from .books import Book, placed
from .compare import Untrue
from .judge import TooLarge

POSITIONS = 8
DEEPEST = 300
MOST = 12_000
WORK = 40_000_000
"""How much work the proof of one loop may take: a quarter of a user's."""
STAYS, RISES = "a loop told to end does not", "a round told to go down does not"
LOOPS, NESTS = "all is told to end, and play does not", "rules told not to nest for ever do"
ENDING = (STAYS, RISES, LOOPS, NESTS)
"""The kinds of false claims of what ends."""


@dataclass
class Plays:
    """The states that are come to, and where from each play goes on to."""

    program: Program
    states: list[State] = field(default_factory=list[State])
    to: list[list[int]] = field(default_factory=list["list[int]"])
    begun: dict[tuple[int, int], set[str]] = field(default_factory=dict[tuple[int, int], "set[str]"])
    """Which rules are called on the way from one to the next."""


def indent(line: str) -> int:
    """How far in a line begins."""
    return len(line) - len(line.lstrip())


def among(plays: Plays, members: Collection[int]) -> nx.DiGraph:
    """The play between these states."""
    out = nx.DiGraph()
    out.add_nodes_from(members)
    out.add_edges_from((k, to) for k in members for to in plays.to[k] if to in members)
    return out


def cycles(graph: nx.DiGraph) -> Iterator[set[int]]:
    """The sets of states in which play can go round for ever."""
    for c in nx.strongly_connected_components(graph):
        if len(c) > 1 or any(graph.has_edge(k, k) for k in c):
            yield c


def played(book: Book, luck: random.Random, positions: int = POSITIONS) -> Plays:
    """All plays from its own position, and from others by lot, within the ranges that the book declares. Raises TooLarge."""
    program = book.program(book.world(caps=book.caps, capacities=book.capacities, stack_depth=DEEPEST))
    engine, out = Interpreter(program), Plays(program)
    number = dict[State, int]()

    def seen(state: State) -> int:
        if state not in number:
            if len(out.states) >= MOST:
                raise TooLarge
            number[state] = len(out.states)
            out.states.append(state)
            out.to.append([])
        return number[state]
    for n in range(positions):
        seen(engine.start(placed(book, program, luck) if n else book.slots(program)).state)
    for k, state in enumerate(out.states):  # grows meanwhile
        at = engine.point(state)
        if at is not None:
            for option in at.options:
                calls: list[tuple[str, tuple[int, ...]]] = []
                out.to[k].append(to := seen(engine.apply(state, option, calls=calls).state))
                out.begun.setdefault((k, to), set()).update(name for name, _ in calls)
    return out


def amount(q: Quantity, program: Program, state: State, depth: int) -> int:
    """A quantity in a state, worked out from what it is called: independent of the terms that the proof reads it by."""
    layout, slots = program.layout, state.slots
    what, cards = q.what[0], range(layout.card_count)
    match q.kind:
        case "zone":
            return sum(slots[layout.location + c] == what for c in cards)
        case "entries":
            m = layout.containers[str(what)]
            return slots[m.head].bit_count() if m.is_pool else slots[m.head]
        case "local mark" | "local number" | "local set":
            assert isinstance(what, int)
            value = state.frames[depth][2 + what]
            return value.bit_count() if q.kind == "local set" else value
        case _:
            assert isinstance(what, int)
            of = layout.slots[what].type
            if q.kind == "none":
                assert isinstance(of, OptionType)
                return int(slots[what] == of.none)
            return slots[what].bit_count() if q.kind == "set" else slots[what]


class Endings:
    """What is told to end in a book, beside all its plays."""

    def __init__(self, plays: Plays, found: list[Found], text: str) -> None:
        self.plays, self.found, self.text = plays, found, text.splitlines()
        self.engine = Interpreter(replace(plays.program, functions={**plays.program.functions, **plays.program.aside}))
        self.number = {name: k for k, name in enumerate(plays.program.functions)}
        self.groups = {self.number[x] for f in found if not f.place.loop for x in f.place.rules}

    def at(self, f: Found) -> list[int]:
        """The states in which play stands at the head of a loop."""
        head = self.number[f.place.rules[0]], f.place.pc
        return [k for k, s in enumerate(self.plays.states) if s.frames and s.frames[-1][:2] == head]

    def false(self) -> Iterator[Untrue]:
        """All that is told and not so."""
        for f in self.found:
            if f.proved and f.place.loop and self.number[f.place.rules[0]] not in self.groups:
                yield from self.loop(f)
        yield from self.all_that_loops()

    def loop(self, f: Found) -> Iterator[Untrue]:
        """A loop that is told to end: is play that stays in it, with the rule open that it is in, over some time?"""
        heads, lines = self.at(f), self.lines(f)
        where = f"{f.place.rules[0]}, line {f.place.line}"
        mark = self.plays.program.functions[f.place.rules[0]].code
        for depth in {len(self.plays.states[k].frames) for k in heads}:
            graph = among(self.plays, {k for k, s in enumerate(self.plays.states) if len(s.frames) >= depth and s.frames[depth - 1][0] == self.number[f.place.rules[0]]
                                       and (not lines or mark[s.frames[depth - 1][1]].at.line in (0, *lines))})
            graph.remove_edges_from([e for e in graph.edges if f.place.rules[0] in self.plays.begun[e]])  # it was left, and begun once more
            mine = {k for k in heads if len(self.plays.states[k].frames) == depth}
            if any(c & mine for c in cycles(graph)):
                yield Untrue(STAYS, where)
                return
            for k in mine if self.in_book(f) and not self.around(f) else ():
                before = self.levels(f, k)
                for to in self.next_heads(k, mine, graph):
                    if not self.levels(f, to) < before:
                        yield Untrue(RISES, where)
                        return

    def levels(self, f: Found, k: int) -> list[int]:
        """What is told to go down, in one state."""
        state = self.plays.states[k]
        return [sign * (self.stated(q, state) if q.kind == "stated" else amount(q, self.plays.program, state, len(state.frames) - 1)) for sign, q in f.levels]

    def stated(self, q: Quantity, state: State) -> int:
        """A number that the book says goes down."""
        name = str(q.what[0])
        value = self.engine.evaluate(name, state, state.frames[-1][2:2 + self.engine.program.functions[name].arity])
        assert isinstance(value, int), value
        return value

    def lines(self, f: Found) -> range:
        """The lines of a loop in the book: those under its head that stand further in. None of one that no book has (in which situations are looked at)."""
        if not self.in_book(f):
            return range(0)
        last = f.place.line
        while last < len(self.text) and indent(self.text[last]) > indent(self.text[f.place.line - 1]):
            last += 1
        return range(f.place.line, last + 1)

    def in_book(self, f: Found) -> bool:
        """Is the loop one that stands in the book?"""
        return f.place.file == "book.py" and self.text[f.place.line - 1].lstrip().startswith("while ")

    def around(self, f: Found) -> bool:
        """Does a loop lie in one over the members of a set? Then play may leave it and come back to it before it stands anywhere else."""
        at = indent(self.text[f.place.line - 1])
        for line in reversed(self.text[:f.place.line - 1]):
            if line.strip() and indent(line) < at:
                at = indent(line)
                if line.lstrip().startswith("for "):
                    return True
        return False

    def next_heads(self, k: int, mine: Collection[int], graph: nx.DiGraph) -> Iterator[int]:
        """The heads at which play stands one round later."""
        seen, todo = {k}, [k]
        while todo:
            for to in graph.successors(todo.pop()):
                if to in mine:
                    yield to
                elif to not in seen:
                    seen.add(to)
                    todo.append(to)

    def all_that_loops(self) -> Iterator[Untrue]:
        """Does play go on for ever, or nest ever deeper, without coming to anything of which it is not told that it ends?"""
        open_heads = {k for f in self.found if not f.proved and f.place.loop for k in self.at(f)}
        open_rules = {self.number[x] for f in self.found if not f.proved and not f.place.loop for x in f.place.rules}
        left = {k for k, s in enumerate(self.plays.states) if k not in open_heads and not any(x[0] in open_rules for x in s.frames)}
        if any(True for _ in cycles(among(self.plays, left))):
            yield Untrue(LOOPS, "")
        for k in left:
            for to in self.plays.to[k]:
                end = self.plays.states[to].end
                if end is not None and end.kind == "bound" and end.detail == "stack":
                    yield Untrue(NESTS, end.detail)
                    return


def told_to_end(book: Book, luck: random.Random) -> tuple[list[Untrue], dict[str, int]]:
    """What is told to end and does not; and how much was told. Raises TooLarge."""
    plays = played(book, luck)
    program = book.program(book.world(caps=book.caps, capacities=book.capacities))
    found = [proved_of(program, p, WORK) for p in places(program)]
    endless = any(True for _ in cycles(among(plays, range(len(plays.states)))))
    return list(Endings(plays, found, book.text).false()), {
        "told: a loop that ends": sum(f.proved and f.place.loop for f in found),
        "told: a loop not proved to end": sum(not f.proved and f.place.loop for f in found),
        "told: rules that do not nest for ever": sum(f.proved and not f.place.loop for f in found),
        "told: rules not proved not to nest for ever": sum(not f.proved and not f.place.loop for f in found),
        "true: some play goes on for ever": endless,
        "true: some play goes on for ever, and not all is told to end": endless and not all(f.proved for f in found),
        "told: a loop ends by what is stated": sum(f.proved and any(q.kind == "stated" for _, q in f.levels) for f in found),
        "told: what is stated does not hold": sum(bool(f.doubts) for f in found),
        "told: all loops end": bool(found) and all(f.proved for f in found)}
