"""What the good programs of the language do when they are played."""
from __future__ import annotations

import pytest

from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.policies import Wish
from rulewright.model.engine.state import CHANCE, OPEN
from rulewright.model.lang.world import CardDef
from rulewright.spec.diagnostics import Position
from rulewright.spec.text import Text

from ..lang.programs import HEAD, compiled, explored, good_program, outcomes, read, world_of

ENTRY = {"scopes": "turns"}


def ways(name: str, *slots: str) -> set[tuple[object, ...]]:
    """How play of a good program can end: kind, who or why, and the values of some slots."""
    return set(outcomes(explored(good_program(name, keep_unread=True, entry=ENTRY.get(name, "main"))), *slots))


def test_defines_compute() -> None:
    program = good_program("defines")
    engine = Interpreter(program)
    state = engine.start().state
    at = {s.name: k for k, s in enumerate(program.layout.slots)}

    def asked(name: str, *args: int, **slots: int) -> int:
        values = list(state.slots)
        for k, v in slots.items():
            values[at[k.replace("_", "[") + "]"]] = v
        return engine.evaluate(name, state._replace(slots=tuple(values)), args)

    assert [asked("numbers", n) for n in (0, 4)] == [(-1) // 2 + (-1) % 2 + 0 + 0 + 5, 7 // 2 + 7 % 2 + 4 + 3 + 5]
    assert [asked("between", 1, n, 3) for n in range(5)] == [0, 1, 1, 0, 0]
    assert asked("weakest", power_0=3, power_1=-2, power_2=1) == -2
    assert asked("strongest_above", 1, power_0=3, power_1=-2, power_2=1) == 3
    assert asked("strongest_above", 4, power_0=3, power_1=-2, power_2=1) == 4  # nothing is above: the default
    assert asked("total", power_0=1, power_1=1, power_2=1, life_0=3, life_1=4) == 3 * (1 + 4)
    assert [asked("leader", life_0=n) for n in (9, 10, 11)] == [1, -1, 0]
    assert [asked("some", power_0=n) for n in (0, 1)] == [0, 1]
    assert asked("some", power_0=1, power_1=1, power_2=1) == 0
    assert (asked("worth", 0), asked("worth", 1)) == (20, -10)
    assert [asked("counted", power_0=a, power_1=b, life_0=11) for a, b in ((0, 0), (1, 0), (1, 1))] == [0, 1, 12]


@pytest.mark.parametrize(("name", "slots", "expected"), [
    ("steps", ("life[0]", "life[1]", "turn", "rounds"), {("over", "", 4, 10, 1, 2)}),
    ("procedures", ("turn", "left", "done"), {
        ("win", 0, 0, 0, 0), *(("over", "", turn, left, 1) for turn in (0, 1) for left in (0, 1, 2))}),
    ("sets", ("lanes", "suits", "who", "n"), {("win", 1, 0b1010, 0b111, 0b10, 7)}),
    ("fields", ("worth[0]", "ready[0]", "mark.suit", "mark.count", "pair.right.count[1]", "leader[3]", "notes[3]"),
     {("over", "", 1, 0, 0, 3, 3, 0, 1)}),
    ("sums", ("total", "weak"), {("over", "", -4, 1)}),
    ("multisets", ("total", "waiting"), {("over", "", 4, 0), ("over", "", 5, 0)}),
    ("at_once", ("life[0]", "life[1]", "marks", "log"), {("over", "", 1, 3, 3, 11), ("conflict", "1.1", 1, 3, 3, 11)}),
    ("abandoned", ("life", "steps", "flag"), {("over", "", 0, 6, 0), ("over", "", 1, 5, 0), ("over", "", 2, 3, 0)}),
    ("restored", ("turn", "n", "flags[0]", "flags[1]"), {("over", "", 0, n, 0, 1) for n in (2, 6, 7, 8)}),
    ("wholes", ("life[0]", "life[3]", "marks.count[1]", "best.count", "seen"), {("over", "", 4, 7, 2, 0, 30 + 26 - n) for n in (15, 9)}),
    ("situations", ("life[0]", "life[1]", "lowest"), {("over", "", 1, 4, 1)}),
    ("triggers", ("mana", "told", "waiting"), {("over", "", 0, 4, 0), ("over", "", 1, 0, 0)}),
    ("renewal", ("alive", "target", "notes"), {("draw", "", 2, -1, 2), ("over", "", 13, 0, 2)}),
    ("calls", ("n", "turn"), {("over", "", n, 0) for n in range(1, 7)}),
    ("readings", ("n", "hand"), {("over", "", 1, 9), ("over", "", 1 + 1 + 3, 7)}),
    ("definitions", ("n",), {("over", "", -2 + (-4 - 4) + 5 + 4)}),
])
def test_play_ends_as_the_rules_say(name: str, slots: tuple[str, ...], expected: set[tuple[object, ...]]) -> None:
    assert ways(name, *slots) == expected


def test_signals_are_caught_like_exceptions() -> None:
    """A signal raised in an `except` is not caught by the same `try`; what nothing catches is a fault."""
    assert ways("signals", "n") == {
        ("over", "", 4), ("over", "", 3), ("fault", "nothing catches PhaseEnds (signals.py:46)", 9)}


def test_using_none_is_a_fault_of_the_encoding() -> None:
    assert ways("options", "chosen", "wish", "who") == {
        ("fault", "a value was used that is none (options.py:45)", 0, 4, -1)}


def test_freeing_a_free_place_is_a_fault_of_the_encoding() -> None:
    assert ways("pools", "total", "attacks") == {
        ("fault", "a place in attacks was freed that is not in use (pools.py:47)", 16, 2)}


REFERRED = HEAD + """
class Attack(Record):
    power: Annotated[int, Range(0, 9)]
    answers: Option[Ref[Attack]] = None


class Shot(Record):
    at: Ref[Attack]


class OnCard(Record):
    target: Option[Ref[Attack]] = None


class Game(State):
    attacks: Pool[Attack]
    current: Per[Player, Option[Ref[Attack]]]
    card: Per[Card, OnCard]
    shots: Multiset[Shot]
    n: Annotated[int, Range(0, 9)]


@procedure
async def main(g: Game) -> None:
    a = g.attacks.new(Attack(1))
    b = g.attacks.new(Attack(2, a))
    g.current[SECOND] = a
    g.current[FIRST] = b
    for c in CARDS:
        g.card[c].target = a if owner(c) == FIRST else b
    {before}
    g.attacks.free(a)
    d = g.attacks.new(Attack(3))
    if d == a and g.current[SECOND] is None and g.current[FIRST] == b and g.attacks[b].answers is None:
        g.n = sum(1 for c in CARDS if g.card[c].target is None) + 5 * sum(1 for c in CARDS if g.card[c].target == b)
"""


@pytest.mark.parametrize(("before", "end"), [
    ("pass", ("over", "", 6)),
    ("g.shots.add(Shot(b))", ("over", "", 6)),
    ("g.shots.add(Shot(a))", ("fault", "an entry of attacks is freed while shots refers to it", 0)),
])
def test_what_referred_to_an_entry_that_is_freed_never_means_the_next_one(before: str, end: tuple[object, ...]) -> None:
    """Optional references become none, also on cards and in the pool itself; an entry that must refer to it is a mistake."""
    cards = world_of([CardDef("A", Text.same("A"), Position("cards", 1, 1))])
    assert set(outcomes(explored(compiled(REFERRED.replace("{before}", before), cards)), "n")) == {end}


def test_a_value_outside_its_range_is_never_wrapped_or_clipped() -> None:
    """Whatever is done with it: stored, used as an index, put into a set, passed on, given back, kept in an entry."""
    assert ways("bounds", "n") == {
        ("bound", "n = 4", 2), ("bound", "n = -1", 2),
        ("bound", "4 is outside 1..3 (bounds.py:33)", 2), ("bound", "4 is outside 1..3 (bounds.py:35)", 2),
        ("bound", "4 is outside 1..3 (bounds.py:37)", 2), ("bound", "4 is outside 0..3 (bounds.py:22)", 2),
        ("bound", "4 is outside 0..3 (bounds.py:41)", 2), ("bound", "kept.0[0] = 4", 2), ("over", "", 3)}


def test_verdicts_are_ranked_and_unranked_ones_conflict() -> None:
    expected: set[tuple[object, ...]] = set()
    for n in range(16):
        lives, cards = [not n & 1, not n & 2], [not n & 4, not n & 8]
        end: tuple[object, ...] = ("gap", "1.3")
        for p in (0, 1):
            said: set[str] = set()
            if not lives[p]:
                said.add("loss")
            if not cards[1 - p] and lives[p]:  # a loss by life outranks a win by cards
                said.add("win")
            if not cards[p]:
                said.add("loss")
            if said:
                end = ("conflict", "verdict:result") if len(said) > 1 else ("win", p if said == {"win"} else 1 - p)
                break
        expected.add(end)
    assert ways("verdicts") == expected


def test_what_is_forbidden_is_not_done_and_norms_are_ranked() -> None:
    """(drawn by each, 10 × what holds for the first player + what holds for the second; 1 may, 2 must not, 4 must)"""
    assert ways("norms", "drawn[0]", "drawn[1]", "tested") == {
        ("over", "", 1, 5, 54), ("over", "", 2, 5, 10), ("over", "", 0, 0, 22), ("over", "", 0, 0, 24),
        ("over", "", 0, 0, 20)}


def test_unknown_order_is_chance_and_known_order_is_not() -> None:
    g = explored(good_program("zones", keep_unread=True))
    at = g.engine.point(g.states[0])
    assert at is not None and at.owner == CHANCE and at.options == ((0,), (1,)) and at.weights == (1, 1)
    assert set(outcomes(g, "seen", "number")) == {("over", "", 0, 1)}
    assert g.size == (3, 2)  # the second card is then known: it is nobody's choice


def test_every_kind_of_question() -> None:
    g = explored(good_program("choices", keep_unread=True))
    asked = [at for s in g.states if (at := g.engine.point(s)) is not None]
    assert {at.owner for at in asked} == {0, 1, CHANCE, OPEN}
    assert {at.clause for at in asked if at.owner == OPEN} == {"1.1"}
    numbers = next(at for at in asked if at.options == ((0,), (1,), (2,)))
    assert numbers.owner == 0
    weighted = {at.weights for at in asked if at.owner == CHANCE and at.options == ((0,), (1,))}
    assert (1, 2) in weighted  # of three lanes one is not greater than 1
    assert ("gap", "", 0, 0, 0) in outcomes(g, "turn", "n", "coin")  # nothing left to draw


def test_pass_is_one_of_the_options_and_equal_options_are_one() -> None:
    g = explored(good_program("records"))
    at = g.engine.point(g.states[1])
    assert at is not None
    assert len(at.options) == 1 + 1 + 2  # Pass, Paint(BLUE), and both colours twice
    passing = explored(good_program("records"), policies={0: (Wish("pass"),)})
    assert passing.size == (2, 1)  # the head of the loop, and the end: by policy only `Pass` is taken


BATCH = HEAD + """
class Hit(Event):
    who: Player


class Attack(Record):
    power: Annotated[int, Range(0, 9)]


class Game(State):
    n: Annotated[int, Range(0, 9)] = 3
    m: Annotated[int, Range(0, 9)] = 5
    who: Set[Player]
    turn: Player
    waiting: Multiset[Attack]
    attacks: Pool[Attack]


@procedure
async def main(g: Game) -> None:
    a = g.attacks.new(Attack(1))
    with simultaneously():
{body}
    if g.n == g.m:
        finish(FIRST)
"""


@pytest.mark.parametrize(("body", "end", "n", "m"), [
    ("g.n = g.m; g.m = g.n", "over", 5, 3),
    ("g.n += 1; g.n += 1; g.n -= 3", "over", 2, 5),
    ("g.n += 2; g.n = 5", "conflict", 3, 5),
    ("g.n = 5; g.n = 5", "win", 5, 5),
    ("g.n = 5; g.n = 4", "conflict", 3, 5),
    ("g.who |= {FIRST}; g.who |= {SECOND}", "over", 3, 5),
    ("g.who |= {FIRST}; g.who -= {SECOND}", "conflict", 3, 5),
    ("g.n += 9; g.n -= 9", "bound", 3, 5),
    ("g.waiting.add(Attack(1)); g.n = len(g.waiting); g.waiting.add(Attack(1)); g.m += len(g.waiting)", "over", 0, 5),
    ("g.attacks.free(a); g.n = len(g.attacks)", "over", 1, 5),
])
def test_writes_of_a_batch(body: str, end: str, n: int, m: int) -> None:
    """Reads see the state before; increases add up; two different new values, or an increase and a value, conflict."""
    lines = "\n".join("        " + x for x in body.split("; "))
    program = compiled(BATCH.replace("{body}", lines), keep_unread=True)
    (state,) = explored(program).states
    assert state.end is not None
    assert (state.end.kind, *read(program, state, "n", "m")) == (end, n, m)


def test_waiting_events_of_a_batch_forget_objects_that_are_renewed() -> None:
    """An event of a batch happens after its writes: a card that has become a new object is not in it any more."""
    program = good_program("triggers")
    assert any(i.at.file == "triggers.py" for i in program.functions["move"].code)
    text = good_text("triggers").replace(
        "    put(card, to)\n    renew(card)\n    emit(Moved(card, src, to))",
        "    old: Option[Obj] = card\n    with simultaneously():\n        put(card, to)\n        renew(card)\n"
        "        emit(Moved(old, src, to))")
    g = explored(good_program("triggers", text=text, keep_unread=True))
    assert set(outcomes(g, "mana", "told")) == {("over", "", 1, 0), ("bound", "told = 10", 0, 5)}  # twice 5, not twice 1


def good_text(name: str) -> str:
    from ..lang.programs import GOOD
    return (GOOD / f"{name}.py").read_text(encoding="utf-8")


def test_what_counts_more_is_what_a_clause_ranks_higher() -> None:
    """Where permissions outrank prohibitions, what is permitted is not forbidden, and is done."""
    text = good_text("norms").replace('outranks("forbids", "permits")', 'outranks("permits", "forbids")')
    found = set(outcomes(explored(good_program("norms", text=text, keep_unread=True)), "drawn[0]", "tested"))
    assert found == {
        ("over", "", 1, 54), ("over", "", 2, 10), ("over", "", 3, 12)}  # the first player may always draw


def test_a_forbidden_action_gives_what_a_field_begins_with() -> None:
    text = HEAD + """
outranks("forbids", "permits")


class Game(State):
    n: Annotated[int, Range(0, 9)]


@action
def take(g: Game, m: Annotated[int, Range(2, 4)]) -> Annotated[int, Range(2, 4)]:
    g.n += m
    return m


@forbids(take)
def never(g: Game, m: Annotated[int, Range(2, 4)]) -> bool:
    return True


@procedure
async def main(g: Game) -> None:
    got = take(g, 3)
    g.n += got
"""
    assert set(outcomes(explored(compiled(text, keep_unread=True)), "n")) == {("over", "", 2)}


def test_entries_that_are_renewed_stay_in_order() -> None:
    """Whichever card becomes a new object, equal entries are one state."""
    cards = world_of([CardDef(x, Text.same(x), Position("cards", 1, 1)) for x in "AB"])
    program = good_program("reordered", world=cards, keep_unread=True)
    g = explored(program)
    assert len(g.states) == 1 + 4 + 6
    for s in g.states:
        entries = read(program, s, *(f"notes.0[{k}]" for k in range(4)))
        assert list(entries) == sorted(entries)
