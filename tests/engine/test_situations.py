"""Situations: when they are looked at, who orders them, and what interrupts what."""
from __future__ import annotations

from rulewright.model.engine.state import OPEN

from ..lang.programs import HEAD, compiled, explored, labels, outcomes

STATE = HEAD + """
class Game(State):
    turn: Player
    a: Annotated[int, Range(0, 9)] = 1
    b: Annotated[int, Range(0, 9)] = 1
    seen: Annotated[int, Range(0, 9)]
"""


def test_nothing_is_asked_and_no_label_stands_where_no_situation_holds() -> None:
    text = STATE + """

@situation
async def nothing_left(g: Game) -> None:
    when(g.a == 0)
    g.seen = 9


@procedure
async def main(g: Game) -> None:
    g.a += 1
    g.a += 1
    if g.seen > 0:
        finish(FIRST)
"""
    g = explored(compiled(text))
    assert g.size == (1, 0)


def test_rules_may_be_named_as_the_machinery_is() -> None:
    text = STATE + """

@situation
async def nothing_left(g: Game) -> None:
    when(g.a == 0 and not due(g))
    finish(SECOND)


@define
def due(g: Game) -> bool:
    return g.seen > 0


@step
def settle(g: Game) -> None:
    g.a -= 1


@procedure
async def main(g: Game) -> None:
    settle(g)
    g.b += 1
"""
    assert set(outcomes(explored(compiled(text)))) == {("win", 1)}


def test_only_effects_on_what_it_reads_make_a_situation_be_looked_at() -> None:
    text = STATE + """

@situation
def count(g: Game) -> None:
    if g.a > 1:
        g.seen = min(9, g.seen + 1)


@procedure
async def main(g: Game) -> None:
    g.b = 3
    g.a = 2
    g.b = 4
    g.a = 3
    if g.b == g.seen:
        finish(FIRST)
"""
    assert set(outcomes(explored(compiled(text)), "seen")) == {("over", "", 2)}


def test_what_a_situation_remembers_can_bring_about_another_one() -> None:
    text = STATE + """

@situation
def remember(g: Game) -> None:
    if g.a == 0 and g.b == 1:
        g.b = 2


@situation
def reckon(g: Game) -> None:
    g.seen = g.b


@situation
async def remembered(g: Game) -> None:
    when(g.b == 2)
    if g.seen == 2:
        finish(FIRST)
    g.b = 3


@procedure
async def main(g: Game) -> None:
    g.a = 0
    finish(SECOND)
"""
    assert set(outcomes(explored(compiled(text)))) == {("win", 0)}


def test_a_situation_sees_the_state_after_everything_that_happens_at_once() -> None:
    text = STATE + """

@situation
async def equal(g: Game) -> None:
    when(g.a == g.b)
    finish(FIRST)


@procedure
async def main(g: Game) -> None:
    g.a = 2
    with simultaneously():
        g.a = 1
        g.b = 2
    finish(SECOND)
"""
    assert set(outcomes(explored(compiled(text)))) == {("win", 1)}  # one after the other both would have been 1


def test_nobody_orders_situations_unless_a_rule_does() -> None:
    rules = """

@define
def turn_player(g: Game) -> Player:
    return g.turn


@situation{by}
async def low_a(g: Game) -> None:
    when(g.a == 0)
    g.a = 5
    g.seen = g.seen * 2


@situation{by}
async def low_b(g: Game) -> None:
    when(g.b == 0)
    g.b = 5
    g.seen += 1


@procedure
async def main(g: Game) -> None:
    g.seen = 1
    with simultaneously():
        g.a = 0
        g.b = 0
    if g.seen > 9:
        finish(FIRST)
"""
    for by, owner in (("", OPEN), ("\n@settled_by(turn_player)", 0)):
        g = explored(compiled(STATE + rules.replace("{by}", by)))
        asked = [at for s in g.states if (at := g.engine.point(s)) is not None and len(at.options) > 1]
        assert [at.owner for at in asked] == [owner]
        assert set(outcomes(g, "seen")) == {("over", "", 3), ("over", "", 4)}  # 1·2+1, and (1+1)·2


def test_a_situation_interrupts_a_situation() -> None:
    """What a situation does may bring about another one, which is carried out before the first goes on."""
    text = STATE + """

@situation
async def first_falls(g: Game) -> None:
    when(g.a == 0)
    g.a = 1
    g.b = 0
    g.seen = g.seen * 2


@situation
async def then_the_other(g: Game) -> None:
    when(g.b == 0)
    g.b = 2
    g.seen += 3


@procedure
async def main(g: Game) -> None:
    g.a = 0
    if g.seen > 8:
        finish(FIRST)
"""
    program = compiled(text)
    assert set(outcomes(explored(program), "a", "b", "seen")) == {("over", "", 1, 2, 6)}
    assert labels(program)["first_falls"] == ["call settle situations", "call settle situations"]


def test_a_signal_survives_a_question_asked_while_it_unwinds() -> None:
    """Putting a place back may bring about a situation in which somebody is asked; the signal goes on afterwards."""
    text = STATE + """

class Stop(Signal):
    pass


class Other(Signal):
    pass


@situation
async def back_to_one(g: Game) -> None:
    when(g.a == 1 and g.seen == 1)
    g.seen = 2
    again = await may(SECOND)
    if again:
        g.b = 7


@procedure
async def inner(g: Game) -> None:
    with restored(g.a):
        g.a = 5
        g.seen = 1
        which = await may(FIRST)
        if which:
            raise Stop
        raise Other


@procedure
async def main(g: Game) -> None:
    try:
        await inner(g)
    except Stop:
        g.turn = SECOND
    except Other:
        g.turn = FIRST
    if g.b == 8:
        finish(g.turn)
"""
    assert set(outcomes(explored(compiled(text)), "turn", "a", "b")) == {
        ("over", "", turn, 1, b) for turn in (0, 1) for b in (1, 7)}
