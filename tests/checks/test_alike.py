"""Which cards a program cannot tell apart."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rulewright.checks.explore.alike import interchangeable
from rulewright.checks.explore.symmetry import Symmetry
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Function, LocalInfo, Program
from rulewright.model.ir.types import ANY_INT, Role

from ..symmetric import commutes
from .equal_cards import Example, cards
from .games_of_equal_cards import HANDS, SETS, SWITCHES, WAITING


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
    assert all(commutes(example.symmetry, example.engine, s, (1, 0, 3, 2)) for s in states)
    assert not all(commutes(example.symmetry, example.engine, s, (2, 1, 0, 3)) for s in states)


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


BY_ITSELF = """
class Game(State):
    hand: Bag
    away: Bag
    tired: Per[Card, bool]
    done: bool


@situation
async def lone(g: Game) -> None:
    when(len(g.hand) == 1 and any(g.tired[c] for c in g.hand) and not g.done)
    g.done = True


@entry("main")
@procedure
async def main(g: Game) -> None:
    x = await choose(FIRST, CARDS)
    g.tired[x] = True
    await may(FIRST)
    {loop}
    finish(FIRST if g.done else SECOND)
"""


@pytest.mark.parametrize(("loop", "classes"), [
    ("for c in g.hand:\n        put(c, g.away)", []), ("with simultaneously():\n        for c in g.hand:\n            put(c, g.away)", [[0, 1, 2]])], ids=["one by one", "at once"])
def test_what_happens_by_itself_between_the_rounds_of_a_loop_over_cards_tells_them_apart(loop: str, classes: list[list[int]]) -> None:
    assert Example(BY_ITSELF.format(loop=loop), cards("aaa")).ready().symmetry.classes == classes
