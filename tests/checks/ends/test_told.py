"""What is told of phases: those with the same loops in the way together, each loop with its place once for them."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.model.engine.library import forget_books

from .test_readings import FILES

RULES = '''from rulewright.model.lang import *

class Printed(Definition):
    of: bool = False

class Game(State):
    hand: Per[Player, Bag]
    away: Bag

@procedure
async def to_and_fro(g: Game) -> None:
    """Cards are taken and put back."""
    while g.hand[FIRST]:
        c = await choose(FIRST, g.hand[FIRST])
        put(c, g.hand[FIRST])  #: 1.1

@procedure(scope=Scope.PHASE)
async def morning(g: Game) -> None:
    """It may go on for ever."""
    await to_and_fro(g)

@procedure(scope=Scope.PHASE)
async def noon(g: Game) -> None:
    """Cards go away."""
    while g.hand[FIRST]:
        c = await choose(FIRST, g.hand[FIRST])
        put(c, g.away)  #: 1.1

@procedure(scope=Scope.PHASE)
async def evening(g: Game) -> None:
    """It may go on for ever, too."""
    await to_and_fro(g)

@procedure(scope=Scope.PHASE)
async def night(g: Game) -> None:
    """Before that there is a loop of its own."""
    while g.hand[SECOND]:
        c = await choose(SECOND, g.hand[SECOND])
        put(c, g.hand[SECOND])  #: 1.1
    await to_and_fro(g)

@entry("setup")
@procedure
async def day(g: Game) -> None:
    """A day."""
    await morning(g)
    await noon(g)
    await evening(g)
    await night(g)
'''


def ends_of(folder: Path, capsys: pytest.CaptureFixture[str], rules: str, lang: str) -> list[str]:
    """What is told of a book with these rules, word by word; nothing is wrong with it."""
    for name, text in (FILES | {"rules/game.py": rules}).items():
        file = folder / "mine" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("readings: {where: away}\n", ""), encoding="utf-8")
    forget_books()
    main(["check", "mine", "--only", "ends", "--books", str(folder), "--lang", lang])
    told = capsys.readouterr()
    assert not told.err
    return told.out.split()


def test_phases_with_the_same_loops_in_the_way_are_told_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = " ".join(ends_of(tmp_path, capsys, RULES, "en"))
    assert "Phase noon: proved to end (loops: 1)." in said
    assert "Not proved: phase morning, phase evening; what stands in the way: the loop of to and fro (to_and_fro:13) [1.1]." in said
    assert "Not proved: phase night; what stands in the way: the loop of night (night:" in said


SITUATION = '''
@situation
async def full(g: Game, p: Player) -> None:
    """Cards go back to where they were."""
    when(len(g.away) > 2)
    c = await choose(p, g.away)
    put(c, g.hand[p])
'''


def test_what_no_rule_of_the_book_is_has_a_name_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "".join(ends_of(tmp_path, capsys, RULES + SITUATION, "ja"))
    assert "「条件が成り立つと行われること（situation）」の繰り返し" in said and "settlesituations" not in said


def test_many_things_are_told_a_line_each_and_of_a_name_only_what_it_always_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = tmp_path / "mine" / "words.yaml"
    words.parent.mkdir()
    words.write_text('title: {ja: 私, en: mine}\nwords:\n  night: {ja: "{p}の夜", en: "the night of {p}"}\n', encoding="utf-8")
    said = ends_of(tmp_path, capsys, RULES, "en")
    assert "- Not proved: phase the night of …;" in " ".join(said)
