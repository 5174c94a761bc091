"""Loops over cards that are tried the other way round: an order that shows, and nobody decides, is told."""
from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright.checks.explore.explorer import Limits
from rulewright.checks.explore.rounds import Rounds
from rulewright.checks.explore.subject import Subject
from rulewright.checks.explore.symmetry import Symmetry, interchangeable
from rulewright.checks.findings.record import Certainty, CheckResult, FindingClass
from rulewright.checks.native import choice
from rulewright.checks.native.choice import Engine
from rulewright.checks.scenarios.checking import check_subject
from rulewright.model.engine.describe import Describer
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.vocabulary import Vocabulary
from rulewright.model.lang.world import CardCopy, World
from rulewright.spec.text import Text

from .equal_cards import cards, compiled

SHARED = """
class Game(State):
    left: Annotated[int, Range(0, 9)] = 3
    given: Annotated[int, Range(0, 9)] = 0
    got: Per[Card, Annotated[int, Range(0, 9)]]

@step
def share(g: Game, card: Card) -> None:
    part = {part}
    g.got[card] = part
    g.left -= part
    g.given += part

@procedure
async def main(g: Game) -> None:
    if await may(FIRST):
        for c in CARDS:
            share(g, c)
        strong = {{c for c in CARDS if g.got[c] > 1}}
        if strong:
            strongest = await choose(SECOND, strong)
            finish(owner(strongest))
"""
FIRST_TAKES_MORE, EACH_TAKES_ONE = "max(0, g.left - 1)", "1"


def checked(text: str, copies: Sequence[CardCopy], symmetric: bool = True, engine: Engine = "native") -> CheckResult:
    world = World(tuple(copies), {})
    program = compiled(text, world)
    engine = Interpreter(program)
    symmetry = Symmetry(program, interchangeable(copies)) if symmetric else None
    name = Text(ja="例", en="example")
    return check_subject(Subject(
        book="toys", scenario="example", title=name, program=program, engine=engine,
        describer=Describer(program, world, Vocabulary()), positions=[[s.initial for s in program.layout.slots]],
        starts=[engine.start()], readings={}, certainty=Certainty.FROM_POSITION, symmetry=symmetry), Limits(), engine=engine)


def tried(result: CheckResult) -> int:
    return next(x.count for x in result.examined if "the other way round" in x.what.en)


def test_an_order_that_shows_through_a_step_is_told_with_the_play() -> None:
    result = checked(SHARED.format(part=FIRST_TAKES_MORE), cards("aB"))
    told, = result.findings
    assert told.cls is FindingClass.DEFECT and not told.hint
    assert told.title.en == "in what order `main` goes through cards changes what follows, and nobody decides it"
    assert "game.py:" in told.summary.en
    assert len(told.play.stem) == 1
    assert [o.first.en for o in told.outcomes] == ["as it is written", "the other way round"]
    assert all(o.then for o in told.outcomes)


@pytest.mark.parametrize("copies", ["ab", "aa", "aab"])
def test_where_each_gets_the_same_nothing_is_told(copies: str) -> None:
    result = checked(SHARED.format(part=EACH_TAKES_ONE), cards(copies))
    assert result.findings == ()
    assert tried(result) == 1


def test_equal_cards_in_each_others_places_are_no_other_position() -> None:
    """Which of two equal cards gets more is all that differs."""
    result = checked(SHARED.format(part=FIRST_TAKES_MORE), cards("aa"))
    assert result.findings == ()
    assert tried(result) == 1


def test_where_equal_cards_are_told_apart_nothing_is_tried() -> None:
    assert tried(checked(SHARED.format(part=FIRST_TAKES_MORE), cards("aa"), symmetric=False)) == 0
    assert tried(checked(SHARED.format(part=FIRST_TAKES_MORE), cards("aB"), symmetric=False)) == 1


def test_an_order_that_shows_on_the_way_only_is_not_told() -> None:
    """The cards lie in another order while somebody chooses, and then in the one that was chosen."""
    text = """
class Game(State):
    deck: Pile
    hand: Bag

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand)

@procedure
async def lay(g: Game, to: Zone) -> None:
    with simultaneously():
        for c in g.hand:
            put(c, to)

@procedure
async def main(g: Game) -> None:
    begin(g)
    if await may(FIRST):
        await lay(g, g.deck)
        left = {c for c in g.deck}
        while left:
            c = await choose(FIRST, left)
            put(c, g.deck)
            left -= {c}
        if await may(SECOND):
            finish(FIRST)
"""
    result = checked(text, cards("ab"))
    assert result.findings == ()
    assert tried(result) > 0


def test_equal_cards_of_which_one_is_marked_are_two_positions() -> None:
    """Taken as one, the marked card comes in one place only: the search loses an end, and says that an order shows."""
    text = SHARED.format(part=FIRST_TAKES_MORE).replace("""    if await may(FIRST):
""", """    g.marked = await choose(FIRST, CARDS)
    if await may(FIRST):
""").replace("    left:", "    marked: Option[Card] = None\n    left:").replace("finish(owner(strongest))", "finish(FIRST if strongest == g.marked else SECOND)")
    result = checked(text, cards("aa"))
    assert [x.cls for x in result.findings] == [FindingClass.DEFECT]
    apart = checked(text, cards("aa"), symmetric=False)
    assert len(apart.endings) > len(result.endings)


SECOND_LOOP = """        for c in CARDS:
            share(g, c)
        for c in CARDS:
            g.seen[c] = 1
"""


@pytest.mark.parametrize(("part", "replays"), [(EACH_TAKES_ONE, 1), (FIRST_TAKES_MORE, 3)])
def test_loops_of_one_move_are_turned_together_and_alone_only_where_that_leads_elsewhere(
    part: str, replays: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SHARED.format(part=part).replace("        for c in CARDS:\n            share(g, c)\n", SECOND_LOOP).replace(
        "    got:", "    seen: Per[Card, Annotated[int, Range(0, 9)]]\n    got:")
    turned: list[int] = []
    with_turned = Rounds.with_turned
    monkeypatch.setattr(
        Rounds, "with_turned", lambda self, loops, do: turned.append(len(loops)) or with_turned(self, loops, do))
    result = checked(text, cards("aB"))
    assert turned[:replays] == [2, 1, 1][:replays]
    assert len(result.findings) == (replays > 1)
    assert tried(result) == 2


def test_what_comes_before_the_first_choice_is_tried_too() -> None:
    text = SHARED.format(part=FIRST_TAKES_MORE).replace("    if await may(FIRST):\n        for c in CARDS:\n            share(g, c)\n", "    for c in CARDS:\n        share(g, c)\n    if await may(FIRST):\n")
    told, = checked(text, cards("aB")).findings
    assert told.cls is FindingClass.DEFECT
    assert [x.chosen for x in told.play.stem] == [None]
    assert all(o.then for o in told.outcomes)
    assert checked(text, cards("aa")).findings == ()


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_what_is_tried_does_not_depend_on_the_engine(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "PATIENCE", 0.0)  # compiled code makes all the moves
    told, = checked(SHARED.format(part=FIRST_TAKES_MORE), cards("aB"), engine=engine).findings
    assert told.cls is FindingClass.DEFECT
