"""Small games with equal cards, their states, and states made at random: for what is said of permutations."""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import permutations, product
from random import Random

from rulewright.checks.explore.alike import interchangeable
from rulewright.checks.explore.symmetry import Symmetry
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import Arrival, End, State
from rulewright.model.ir.program import Program
from rulewright.model.ir.types import Type, blank, domain
from rulewright.model.lang.compile import Rulebook, compile_book
from rulewright.model.lang.source import read_source
from rulewright.model.lang.world import AbilityDef, CardCopy, CardDef, Script, Word, World
from rulewright.spec.diagnostics import Collector, Position
from rulewright.spec.text import Text

from .games_of_equal_cards import ABILITIES, ACTIONS, ATTACKS, HANDS, HOSTS, POWERS, SETS, SITUATIONS, WAITING

HEAD = "from rulewright.model.lang import *\n"
NOWHERE = Position("cards.yaml", 1, 1)


def card(name: str, owner: int = 0, abilities: tuple[AbilityDef, ...] = ()) -> CardCopy:
    return CardCopy(CardDef(name, Text(ja=name, en=name), NOWHERE, {}, abilities), owner)


def cards(spec: str) -> tuple[CardCopy, ...]:
    """`aaB`: two copies of `a` of the first player, one of `b` of the second."""
    return tuple(card(c.lower(), int(c.isupper())) for c in spec)


ECHO = AbilityDef("echo", NOWHERE, {}, Word("Hit", NOWHERE), {
    "if": Script("event.card != this", partial(Position, "cards.yaml")),
    "text": Script("yes = await may(you)\nif yes:\n    g.marks[event.card] = not g.marks[event.card]\n"
                   "if this is not None:\n    g.marks[this] = True\n", partial(Position, "cards.yaml"))})
ECHOES = tuple(CardCopy(CardDef("e", Text(ja="e", en="e"), NOWHERE, {}, (ECHO,)), k // 3) for k in range(4))


def compiled(text: str, world: World) -> Program:
    collector = Collector()
    source = read_source("game.py", HEAD + text, collector)
    assert source is not None
    return compile_book(Rulebook("game", (source,), {}), world, "main")


class Example:
    """A game, its cards and its reachable states (the first few)."""

    def __init__(self, text: str, copies: Sequence[CardCopy], most: int = 400) -> None:
        self.copies = copies
        self.most = most
        self.world = World(tuple(copies), {"waiting": 3, "attacks": 2})
        self.text = text

    def ready(self) -> Example:
        if not hasattr(self, "program"):
            self.program = compiled(self.text, self.world)
            self.engine = Interpreter(self.program)
            self.start = self.engine.start()
            self.symmetry = Symmetry(self.program, interchangeable(self.copies))
        return self

    @property
    def perms(self) -> list[tuple[int, ...]]:
        """All permutations within the classes."""
        return list(permutations_within(self.symmetry.classes, len(self.copies)))

    def states(self) -> list[State]:
        """Reachable states, the nearest first."""
        return list(reach(self.engine, self.start, self.most))


def permutations_within(classes: Sequence[Sequence[int]], n: int) -> Iterator[tuple[int, ...]]:
    for orders in product(*(permutations(k) for k in classes)):
        perm = list(range(n))
        for k, order in zip(classes, orders, strict=True):
            for a, b in zip(k, order, strict=True):
                perm[a] = b
        yield tuple(perm)


def reach(
    engine: Interpreter, start: Arrival, most: int, same: Callable[[State], State] = lambda s: s,
) -> dict[State, None]:
    """States in the order in which they are found, as `same` shows them."""
    first = same(start.state)
    found = {first: None}
    todo = deque([first])
    while todo and len(found) < most:
        state = todo.popleft()
        at = engine.point(state)
        for o in at.options if at is not None else ():
            to = same(engine.apply(state, o).state)
            if to not in found:
                found[to] = None
                todo.append(to)
    return found


def random_perm(symmetry: Symmetry, rnd: Random) -> tuple[int, ...]:
    perm = list(symmetry.identity)
    for k in symmetry.classes:
        for a, b in zip(k, rnd.sample(list(k), len(k)), strict=True):
            perm[a] = b
    return tuple(perm)


EXAMPLES = {
    "zones and piles": Example(HANDS, cards("aaabBB")),
    "cards on cards": Example(HOSTS, cards("aaab")),
    "entries of two cards": Example(WAITING, cards("aaaB")),
    "sets of cards": Example(SETS, cards("aaaab")),
    "pools": Example(ATTACKS, cards("aaab")),
    "restored fields": Example(POWERS, cards("aaBB")),
    "situations": Example(SITUATIONS, cards("aaaBB")),
    "triggers": Example(ABILITIES, ECHOES),
    "actions kept": Example(ACTIONS, cards("aaaa")),
}
WHOLE = {
    "zones and piles": Example(HANDS, cards("aaB"), 10**5),
    "cards on cards": Example(HOSTS, cards("aaa"), 10**5),
    "entries of two cards": Example(WAITING, cards("aaB"), 10**5),
    "sets of cards": Example(SETS, cards("aaab"), 10**5),
    "pools": Example(ATTACKS, cards("aaab"), 10**5),
    "restored fields": Example(POWERS, cards("aaB"), 10**5),
    "situations": Example(SITUATIONS, cards("aaBB"), 10**5),
    "triggers": Example(ABILITIES, ECHOES[:3], 10**5),
    "actions kept": Example(ACTIONS, cards("aaaa"), 10**5),
}


# ---------------------------------------------------------------- any state whatever
RANDOM = {
    "zones and piles": Example(HANDS, cards("aaaaBBB")),
    "cards on cards": Example(HOSTS, cards("aaaaab")),
    "cards on other cards": Example(HOSTS, cards("aaabc")),
    "entries of two cards": Example(WAITING, cards("aaaBB")),
    "sets of cards": Example(SETS, cards("aaaab")),
    "pools": Example(ATTACKS, cards("aaaab")),
}


def random_value(of: Type, rnd: Random, share: float) -> int:
    """Any value, or (the rest of the share) what stands where nothing is."""
    lo, hi = domain(of)
    return rnd.randint(lo, hi) if rnd.random() < share else blank(of)


def random_state(program: Program, rnd: Random) -> State:
    """A state with anything anywhere (much or little of it), multisets in order."""
    layout = program.layout
    share = rnd.choice((0.05, 0.2, 0.7))
    slots = [random_value(s.type, rnd, share) for s in layout.slots]
    for m in layout.containers.values():
        if not m.is_pool:
            size = rnd.randint(0, m.capacity)
            empty = tuple(blank(layout.slots[c].type) for c in m.columns)
            entries = sorted(tuple(slots[c + k] for c in m.columns) for k in range(size))
            slots[m.head] = size
            for k, e in enumerate(entries + [empty] * (m.capacity - size)):
                for c, v in zip(m.columns, e, strict=True):
                    slots[c + k] = v
    end = None
    if rnd.random() < 0.3:
        slot = rnd.choice(layout.per_card) + rnd.randrange(layout.card_count)
        end = End("bound", detail=f"{layout.slots[slot].name} = 9", slot=slot)
    procedures = [(k, f) for k, f in enumerate(program.functions.values()) if f.kind == "procedure"]
    frames: list[tuple[int, ...]] = []
    for _ in range(rnd.randint(0, 2)):
        k, f = rnd.choice(procedures)
        frames.append((k, rnd.randrange(len(f.code)), *(random_value(x.type, rnd, share) for x in f.locals)))
    return State(tuple(slots), tuple(frames), end)


def with_hosts(example: Example, hosts: Sequence[int]) -> State:
    """A state in which card c lies on card `hosts[c]`."""
    slots = list(example.start.state.slots)
    base = next(k for k, s in enumerate(example.program.layout.slots) if s.name == "host[0]")
    slots[base:base + len(hosts)] = hosts
    return State(tuple(slots), example.start.state.frames)
