"""Equal cards may change places: what a permutation does to a state, and the representatives of states."""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks.explore.explorer import Limits, explore
from rulewright.checks.explore.symmetry import Symmetry, interchangeable
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import Arrival, End, State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Function, LocalInfo, Program
from rulewright.model.ir.types import ANY_INT, Role, Type, blank, domain
from rulewright.model.lang.compile import Rulebook, compile_book
from rulewright.model.lang.source import read_source
from rulewright.model.lang.world import AbilityDef, CardCopy, CardDef, Script, Word, World
from rulewright.spec.diagnostics import Collector, Position
from rulewright.spec.text import Text

HEAD = "from rulewright.model.lang import *\n"
NOWHERE = Position("cards.yaml", 1, 1)

# ---------------------------------------------------------------- small games
HANDS = """
class Game(State):
    turn: Player
    deck: Per[Player, Pile]
    hand: Per[Player, Bag]
    trash: Bag
    tapped: Per[Card, bool]
    shown: Set[Card]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand[owner(c)])

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        card = await choose(g.turn, g.hand[g.turn])
        bottom = await may(g.turn)
        if bottom:
            put(card, g.deck[g.turn], at=BOTTOM)
        else:
            put(card, g.deck[g.turn])
        g.tapped[card] = not g.tapped[card]
        if len(g.hand[g.turn]) == 0:
            shuffle(g.deck[g.turn])
            while len(g.deck[g.turn]) > 0:
                drawn = await chance(on_top(g.deck[g.turn]))
                g.shown = g.shown ^ {drawn}
                put(drawn, g.hand[g.turn])
            g.turn = other(g.turn)
"""

HOSTS = """
class Game(State):
    turn: Player
    table: Bag
    trash: Bag
    host: Per[Card, Option[Obj]]
    chosen: Option[Card]
    touched: Per[Card, Set[Card]]
    known: Per[Player, Per[Card, bool]]

class Attach(Record):
    card: Card
    to: Card
class Leave(Record):
    card: Card
class Pass(Record):
    pass

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@step
def leave(g: Game, card: Card) -> None:
    put(card, g.trash)
    g.host[card] = None
    g.known[FIRST][card] = not g.known[FIRST][card]
    g.touched[card] = set()
    renew(card)

@procedure
async def attach(g: Game, card: Card, to: Card) -> None:
    sure = await may(owner(card))
    if sure:
        g.host[card] = to
        g.touched[to] = g.touched[to] ^ {card}
        g.chosen = to

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        match await choose(g.turn, {Pass()} | {Leave(c) for c in g.table} | {
                Attach(a, b) for a in g.table for b in g.table if a != b and g.host[a] is None}):
            case Pass():
                g.turn = other(g.turn)
                g.chosen = None
            case Attach(card, to):
                await attach(g, card, to)
            case Leave(card):
                leave(g, card)
"""

WAITING = """
class Waiting(Record):
    source: Option[Obj]
    target: Card
    times: Annotated[int, Range(0, 2)]

class Game(State):
    turn: Player
    table: Bag
    trash: Bag
    waiting: Multiset[Waiting]
    damage: Per[Card, Annotated[int, Range(0, 2)]]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@procedure
async def resolve(g: Game, source: Option[Obj], target: Card) -> None:
    harm = await may(owner(target))
    if harm and source is not None:
        put(target, g.trash)
        renew(target)
    else:
        g.damage[target] = 1 - g.damage[target]

@procedure
async def main(g: Game) -> None:
    begin(g)
    while len(g.table) > 0:
        a = await choose(g.turn, g.table)
        b = await choose(other(g.turn), g.table)
        if len(g.waiting) < 2:
            g.waiting.add(Waiting(a, b, 1))
        again = await may(g.turn)
        if not again:
            while len(g.waiting) > 0:
                w = await choose(OPEN("1"), {x for x in g.waiting})
                g.waiting.remove(w)
                await resolve(g, w.source, w.target)
"""

SETS = """
class Game(State):
    deck: Pile
    hand: Bag
    marked: Set[Card]
    best: Option[Card]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand)

@procedure
async def ask(g: Game, cards: Set[Card], keep: Card) -> None:
    some = await choose_some(FIRST, cards, at_least=0, at_most=2)
    one = await choose(SECOND, cards)
    g.marked = some ^ {one}
    g.best = last(c for c in g.deck if c in cards)
    if one != keep:
        put(keep, g.deck)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        cards = await choose_some(FIRST, g.hand, at_least=2, at_most=3)
        if len(cards) < 2:
            finish(FIRST)
        keep = await choose(SECOND, cards)
        await ask(g, cards, keep)
        if keep in g.hand:
            put(keep, g.deck, at=BOTTOM)
"""

ATTACKS = """
class Attack(Record):
    attacker: Option[Obj]
    target: Option[Card]
    strength: Annotated[int, Range(0, 3)]

class Game(State):
    table: Bag
    trash: Bag
    attacks: Pool[Attack]
    first: Option[Ref[Attack]]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while len(g.table) > 1:
        a = await choose(FIRST, g.table)
        t = await choose(SECOND, g.table - {a})
        if len(g.attacks) < 2:
            r = g.attacks.new(Attack(a, t, 1))
            more = await may(FIRST)
            if more:
                g.attacks[r].strength += 1
            g.first = r
        else:
            r = await choose(SECOND, {x for x in g.attacks})
            dead = g.attacks[r].target
            g.attacks.free(r)
            g.first = None
            if dead is not None and zone_of(dead) == g.table:
                put(dead, g.trash)
                renew(dead)
"""

POWERS = """
class Game(State):
    table: Bag
    power: Per[Card, Annotated[int, Range(0, 2)]]
    guarded: Per[Player, Per[Card, bool]]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        card = await choose(FIRST, g.table)
        p = owner(card)
        with restored(g.power[card], g.guarded[p][card]):
            g.power[card] += 1
            g.guarded[p][card] = True
            also = await choose(SECOND, g.table)
            g.power[also] += 1
            g.guarded[p][also] = not g.guarded[p][also]
            stop = await may(FIRST)
            if stop:
                g.power[also] = 0
"""

SITUATIONS = """
class Game(State):
    turn: Player
    table: Bag
    trash: Bag
    hurt: Per[Card, bool]
    lost: Per[Player, bool]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@define
def who(g: Game) -> Player:
    return g.turn

@situation
@settled_by(who)
async def dies(g: Game, card: Card) -> None:
    when(g.hurt[card] and card in g.table)
    saved = await may(owner(card))
    g.hurt[card] = False
    if not saved:
        put(card, g.trash)
        g.lost[owner(card)] = True

@situation
@settled_by(who)
async def revives(g: Game, p: Player) -> None:
    when(g.lost[p] and len(g.trash) > 1)
    back = await choose(p, g.trash)
    g.lost[p] = False
    put(back, g.table)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        some = await choose_some(g.turn, g.table, at_least=1, at_most=2)
        with simultaneously():
            for c in some:
                g.hurt[c] = True
        g.turn = other(g.turn)
"""

ABILITIES = """
class Hit(Event):
    card: Card
    by: Option[Obj]

class Waiting(Record):
    ability: Ability
    source: Option[Obj]
    cause: Cause

class Game(State):
    table: Bag
    waiting: Multiset[Waiting]
    marks: Per[Card, bool]

@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    if len(g.waiting) < 3:
        g.waiting.add(Waiting(ability, card, cause))

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        card = await choose(FIRST, g.table)
        by = await choose(SECOND, g.table)
        emit(Hit(card, by))
        while len(g.waiting) > 0:
            w = await choose(OPEN("2"), {x for x in g.waiting})
            g.waiting.remove(w)
            await run_text(g, w.ability, w.source, FIRST, w.cause)
"""

SWITCHES = """
class Game(State):
    tapped: Per[Card, bool]

@procedure
async def main(g: Game) -> None:
    while True:
        card = await choose(FIRST, CARDS)
        g.tapped[card] = not g.tapped[card]
"""

ACTIONS = """
class Pass(Record):
    pass
class Mark(Record):
    card: Card
class Swap(Record):
    one: Card
    two: Card
Action = Pass | Mark | Swap

class Game(State):
    left: Bag
    right: Bag
    marks: Per[Card, bool]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.left)

@procedure
async def perform(g: Game, act: Action) -> None:
    sure = await may(SECOND)
    if sure:
        match act:
            case Pass():
                pass
            case Mark(card):
                g.marks[card] = not g.marks[card]
            case Swap(one, two):
                put(one, g.right)
                put(two, g.left)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        act = await choose(FIRST, {Pass()} | {Mark(c) for c in g.left} | {
            Swap(a, b) for a in g.left for b in CARDS})
        await perform(g, act)
"""


def card(name: str, owner: int = 0, abilities: tuple[AbilityDef, ...] = ()) -> CardCopy:
    return CardCopy(CardDef(name, Text(ja=name, en=name), NOWHERE, {}, abilities), owner)


def cards(spec: str) -> tuple[CardCopy, ...]:
    """`aaB`: two copies of `a` of the first player, one of `b` of the second."""
    return tuple(card(c.lower(), int(c.isupper())) for c in spec)


ECHO = AbilityDef("echo", NOWHERE, {}, Word("Hit", NOWHERE), {
    "if": Script("event.card != this", "cards.yaml"),
    "text": Script("yes = await may(you)\nif yes:\n    g.marks[event.card] = not g.marks[event.card]\n"
                   "if this is not None:\n    g.marks[this] = True\n", "cards.yaml")})
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


@pytest.fixture(params=list(EXAMPLES))
def example(request: pytest.FixtureRequest) -> Example:
    return EXAMPLES[request.param].ready()


@pytest.fixture(params=list(WHOLE))
def whole(request: pytest.FixtureRequest) -> Example:
    return WHOLE[request.param].ready()


# ---------------------------------------------------------------- the rules do not tell equal cards apart
def test_a_permutation_commutes_with_what_happens_next(example: Example) -> None:
    rnd = Random(1)
    symmetry, engine = example.symmetry, example.engine
    assert symmetry.classes
    for state in example.states():
        perm = random_perm(symmetry, rnd)
        twin = symmetry.permute(state, perm)
        here, there = engine.point(state), engine.point(twin)
        assert (here is None) == (there is None)
        if here is None or there is None:
            continue
        images = [symmetry.permute_option(here.type, o, perm) for o in here.options]
        assert here.owner == there.owner
        assert dict(zip(images, here.weights, strict=True)) == dict(
            zip(there.options, there.weights, strict=True))
        assert {symmetry.permute(engine.apply(state, o).state, perm) for o in here.options} == {
            engine.apply(twin, o).state for o in there.options}
        for o, image in zip(here.options, images, strict=True):
            assert symmetry.permute(engine.apply(state, o).state, perm) == engine.apply(twin, image).state
        assert symmetry.commutes(engine, state, perm)


def test_permutations_compose(example: Example) -> None:
    rnd = Random(2)
    symmetry = example.symmetry
    for state in example.states():
        p, q = random_perm(symmetry, rnd), random_perm(symmetry, rnd)
        both = tuple(q[p[c]] for c in range(len(p)))
        assert symmetry.permute(symmetry.permute(state, p), q) == symmetry.permute(state, both)
        assert symmetry.permute(state, symmetry.identity) == state


# ---------------------------------------------------------------- representatives
def test_the_representative_is_a_permutation_of_the_state(example: Example) -> None:
    allowed = set(example.perms)
    for state in example.states():
        representative, perm = example.symmetry.canonical(state)
        assert tuple(perm) in allowed
        assert representative == example.symmetry.permute(state, perm)


def test_the_representative_represents_itself(example: Example) -> None:
    for state in example.states():
        representative, _ = example.symmetry.canonical(state)
        assert example.symmetry.canonical(representative)[0] == representative


def test_equal_states_have_one_representative(example: Example) -> None:
    symmetry = example.symmetry
    rnd = Random(3)
    for state in example.states():
        representative, _ = symmetry.canonical(state)
        for perm in rnd.sample(example.perms, min(4, len(example.perms))):
            assert symmetry.canonical(symmetry.permute(state, perm))[0] == representative


def test_representatives_count_the_orbits_of_all_states(whole: Example) -> None:
    symmetry = whole.symmetry
    states = reach(whole.engine, whole.start, whole.most)
    assert len(states) < whole.most
    orbits = {min(symmetry.permute(s, p) for p in whole.perms) for s in states}
    quotient = reach(whole.engine, whole.start, whole.most, lambda s: symmetry.canonical(s)[0])
    assert len(quotient) == len(orbits) < len(states)
    assert set(quotient) == {symmetry.canonical(s)[0] for s in states}
    assert {min(symmetry.permute(s, p) for p in whole.perms) for s in quotient} == orbits


def test_what_is_on_equal_cards_counts_not_on_which() -> None:
    """Three cards, each tapped or not, at the head of the loop and at the choice."""
    game = Example(SWITCHES, cards("aaa")).ready()
    assert len(explore(game.engine, game.start, Limits()).states) == 8 + 8
    assert len(explore(game.engine, game.start, Limits(), game.symmetry).states) == 4 + 4


def test_the_explorer_finds_the_representatives(whole: Example) -> None:
    explored = explore(whole.engine, whole.start, Limits(states=whole.most), whole.symmetry)
    quotient = reach(whole.engine, whole.start, whole.most, lambda s: whole.symmetry.canonical(s)[0])
    assert set(explored.states) == {s for s in quotient if s.end is None or s.end.kind != "bound"}


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


@settings(max_examples=400, deadline=None)
@given(name=st.sampled_from(list(RANDOM)), rnd=st.randoms(use_true_random=False))
def test_random_states_have_one_representative_for_each_orbit(name: str, rnd: Random) -> None:
    example = RANDOM[name].ready()
    symmetry = example.symmetry
    state = random_state(example.program, rnd)
    representative, perm = symmetry.canonical(state)
    assert representative == symmetry.permute(state, perm)
    assert symmetry.canonical(representative)[0] == representative
    there = random_perm(symmetry, rnd)
    twin = symmetry.permute(state, there)
    assert symmetry.canonical(twin)[0] == representative
    back = tuple(sorted(range(len(there)), key=there.__getitem__))
    assert symmetry.permute(twin, back) == state


# ---------------------------------------------------------------- cards bound to each other
def with_hosts(example: Example, hosts: Sequence[int]) -> State:
    """A state in which card c lies on card `hosts[c]`."""
    slots = list(example.start.state.slots)
    base = next(k for k, s in enumerate(example.program.layout.slots) if s.name == "host[0]")
    slots[base:base + len(hosts)] = hosts
    return State(tuple(slots), example.start.state.frames)


@pytest.mark.parametrize(("spec", "hosts"), [
    pytest.param("aaaaaa", [1, -1, 3, -1, -1, -1], id="two pairs"),
    pytest.param("aaaaaa", [1, 2, -1, 4, 5, -1], id="two chains"),
    pytest.param("aaaaaa", [1, 0, 3, 4, 2, -1], id="rings of two and three"),
    pytest.param("aaaaaa", [3, 3, 3, -1, -1, 5], id="three on one, one on itself"),
    pytest.param("aaaaaa", [1, 2, 0, 4, 5, 3], id="two rings of three"),
    pytest.param("aaabc", [3, 4, -1, -1, -1], id="on different others"),
    pytest.param("aaabc", [-1, -1, -1, 0, 1], id="under different others"),
    pytest.param("aaabbb", [3, 4, -1, -1, -1, 2], id="between two classes"),
])
def test_all_arrangements_of_the_same_bonds_are_one(spec: str, hosts: list[int]) -> None:
    example = Example(HOSTS, cards(spec)).ready()
    symmetry, state = example.symmetry, with_hosts(example, hosts)
    assert len({symmetry.canonical(symmetry.permute(state, p))[0] for p in example.perms}) == 1


def test_bonds_that_differ_stay_apart() -> None:
    example = Example(HOSTS, cards("aaaaaa")).ready()
    six, threes = with_hosts(example, [1, 2, 3, 4, 5, 0]), with_hosts(example, [1, 2, 0, 4, 5, 3])
    assert example.symmetry.canonical(six)[0] != example.symmetry.canonical(threes)[0]


def test_large_rings_may_stay_apart_but_are_never_confused() -> None:
    """Rings of three and of six: nine cards that colours do not tell apart, too many to try all."""
    example = Example(HOSTS, cards("aaaaaaaaa")).ready()
    symmetry, rnd = example.symmetry, Random(4)
    state = with_hosts(example, [1, 2, 0, 4, 5, 6, 7, 8, 3])
    found: set[State] = set()
    for _ in range(50):
        twin = symmetry.permute(state, random_perm(symmetry, rnd))
        representative, perm = symmetry.canonical(twin)
        assert representative == symmetry.permute(twin, perm)
        assert symmetry.canonical(representative)[0] == representative
        found.add(representative)
    assert len(found) == 2  # the ring of three has the low numbers, or the ring of six
    slots = example.program.layout.slots
    base = next(k for k, s in enumerate(slots) if s.name == "host[0]")
    for r in found:
        hosts = r.slots[base:base + 9]
        assert sorted(ring(hosts, c) for c in range(9)) == [3] * 3 + [6] * 6


def ring(hosts: Sequence[int], card: int) -> int:
    """How many steps it takes to come back to the card."""
    at, n = hosts[card], 1
    while at != card:
        at, n = hosts[at], n + 1
    return n


# ---------------------------------------------------------------- which cards are alike
def test_copies_of_one_owner_are_interchangeable() -> None:
    assert interchangeable(cards("aabAaBbcC")) == [[0, 1, 4], [2, 6]]
    assert interchangeable(cards("abAB")) == []


def test_without_equal_cards_a_state_is_its_own_representative() -> None:
    example = Example(HANDS, cards("abAB")).ready()
    state = example.start.state
    assert example.symmetry.classes == []
    representative, perm = example.symmetry.canonical(state)
    assert representative is state
    assert perm == (0, 1, 2, 3)


@pytest.mark.parametrize("classes", [[[0, 1], [1, 2]], [[0, 3]], [[-1, 0]]])
def test_classes_must_be_distinct_cards(classes: list[list[int]]) -> None:
    example = Example(SWITCHES, cards("aaa")).ready()
    with pytest.raises(ValueError) as refused:
        Symmetry(example.program, classes)
    assert str(refused.value) == f"classes hold distinct cards from 0 to 2, not {classes}"


def test_cards_whose_print_the_rules_read_are_told_apart() -> None:
    """Whoever calls all cards alike is not believed: `owner` tells them apart."""
    example = Example(HANDS, cards("aaBB")).ready()
    assert Symmetry(example.program, [[0, 1, 2, 3]]).classes == [[0, 1], [2, 3]]


def test_cards_of_different_owners_do_not_commute() -> None:
    example = Example(WAITING, cards("aaBB")).ready()
    states = example.states()
    assert all(example.symmetry.commutes(example.engine, s, (1, 0, 3, 2)) for s in states)
    assert not all(example.symmetry.commutes(example.engine, s, (2, 1, 0, 3)) for s in states)


def changed(example: Example, function: Function, **parts: Any) -> Program:
    """The program with parts of one function replaced."""
    new = replace(function, **parts)
    return replace(example.program, functions={**example.program.functions, function.name: new})


def test_a_card_that_the_code_names_stays_alone() -> None:
    example = Example(SWITCHES, cards("aaaa")).ready()
    main = example.program.functions["main"]
    chosen = next(k for k, x in enumerate(main.locals) if x.type.role is Role.CARD)
    program = changed(example, main, code=[ir.Assign(chosen, ir.Const(2)), *main.code])
    symmetry = Symmetry(program, [[0, 1, 2, 3]])
    assert symmetry.classes == [[0, 1, 3]]
    assert symmetry.limits == ("main names card 2",)


def test_a_set_that_the_code_names_is_told_apart() -> None:
    example = Example(SETS, cards("aaaaa")).ready()
    ask = example.program.functions["ask"]
    given = next(k for k, x in enumerate(ask.locals) if x.type.role is Role.CARDS)
    program = changed(example, ask, code=[ir.Assign(given, ir.Const(0b10110)), *ask.code])
    assert Symmetry(program, [[0, 1, 2, 3, 4]]).classes == [[0, 3], [1, 2, 4]]


def test_cards_kept_as_plain_numbers_end_the_symmetry() -> None:
    example = Example(SETS, cards("aaa")).ready()
    ask = example.program.functions["ask"]
    plain = [LocalInfo(x.name, ANY_INT) if x.name == "keep" else x for x in ask.locals]
    symmetry = Symmetry(changed(example, ask, locals=plain), [[0, 1, 2]])
    assert symmetry.classes == []
    assert symmetry.limits == ("ask keeps a card as the plain number `keep`",)


def test_zones_of_cards_end_the_symmetry() -> None:
    under = """
class Game(State):
    table: Bag
    under: Per[Card, Bag]

@procedure
async def main(g: Game) -> None:
    while True:
        one = await choose(FIRST, CARDS)
        two = await choose(FIRST, CARDS)
        put(one, g.under[two])
"""
    example = Example(under, cards("aaa")).ready()
    assert example.symmetry.classes == []
    assert example.symmetry.limits == ("each card has its own zone under",)


# ---------------------------------------------------------------- single matters
def test_the_bound_that_was_exceeded_is_that_of_the_other_card() -> None:
    example = EXAMPLES["restored fields"].ready()
    slots = example.program.layout.slots
    ends = [s for s in example.states() if s.end is not None and s.end.kind == "bound"]
    assert ends
    for state in ends:
        assert state.end is not None
        twin = example.symmetry.permute(state, (1, 0, 3, 2))
        other = {0: 1, 1: 0, 2: 3, 3: 2}
        card = int(slots[state.end.slot].name.removeprefix("power[").removesuffix("]"))
        assert twin.end is not None
        assert slots[twin.end.slot].name == f"power[{other[card]}]"
        assert twin.end.detail == f"power[{other[card]}] = 3"


def test_a_field_restored_in_progress_belongs_to_the_other_card() -> None:
    example = EXAMPLES["restored fields"].ready()
    engine, symmetry = example.engine, example.symmetry
    state = decide(engine, example.start.state, (0,))  # card 0 is strong for now
    twin = symmetry.permute(state, (1, 0, 2, 3))
    power = next(k for k, s in enumerate(example.program.layout.slots) if s.name == "power[0]")
    assert state.slots[power:power + 4] == (1, 0, 0, 0)
    assert twin.slots[power:power + 4] == (0, 1, 0, 0)
    for s, mine in ((state, 0), (twin, 1)):
        after = decide(engine, decide(engine, s, (2,)), (0,))
        assert after.slots[power:power + 4] == (0, 0, 1, 0), mine


def test_options_name_the_other_card() -> None:
    example = EXAMPLES["cards on cards"].ready()
    at = example.engine.point(at_choice(example.engine, example.start.state))
    assert at is not None
    perm = (1, 2, 0, 3)
    images = {o: example.symmetry.permute_option(at.type, o, perm) for o in at.options}
    assert set(images.values()) == set(at.options)
    unmoved = {o for o, to in images.items() if o == to}
    assert unmoved == {o for o in at.options if not names(at.type, o) & {0, 1, 2}}
    assert example.symmetry.permute_option(None, (1,), perm) == (1,)


def at_choice(engine: Interpreter, state: State) -> State:
    """The next state in which something is chosen."""
    while (at := engine.point(state)) is not None and len(at.options) == 1:
        state = engine.apply(state, at.options[0]).state
    return state


def decide(engine: Interpreter, state: State, option: tuple[int, ...]) -> State:
    """The next choice but one, after taking the option."""
    return at_choice(engine, engine.apply(at_choice(engine, state), option).state)


def names(of: Type | None, option: Sequence[int]) -> set[int]:
    """The cards that an option names."""
    assert of is not None
    return {v for t, v in zip(of.flat(), option, strict=True) if t.role is not Role.PLAIN and v >= 0}
