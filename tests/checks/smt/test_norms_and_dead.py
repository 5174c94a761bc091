"""Norms that contradict each other, and clauses that never apply, in a small book made up for the purpose."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.record import CheckResult, FindingClass, Given
from rulewright.checks.smt.queries import conflicts_and_gaps, norms
from rulewright.checks.smt.queries.dead import all_clauses as dead
from rulewright.checks.smt.queries.loops import all_worlds as loops
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import forget_books, load_book
from rulewright.model.engine.state import State
from rulewright.model.lang.compile import compile_book
from rulewright.model.lang.world import World

RULES = '''\
from rulewright.model.lang import *

{ranking}


class Game(State):
    oil: Annotated[int, Range(0, 20)]
    lit: bool
    hand: Per[Player, Annotated[int, Range(0, 5)]]
    turn_player: Player


@entry("setup")
@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn: the lantern is filled and lit."""
    g.hand[g.turn_player] = 3
    light(g, g.turn_player)
    while {goes_on}:
        g.oil += 1  #: 2.1
    trim(g)


@action
def light(g: Game, p: Player) -> None:
    """The lantern is lit."""
    g.lit = True  #: 1.1


@requires(light)
def filled(g: Game, p: Player) -> bool:
    return g.oil > 0 and {when} #: 1.2


@forbids(light)
def windy(g: Game, p: Player) -> bool:
    return g.hand[p] == 0  #: 1.3


@step
def trim(g: Game) -> None:
    """The wick is trimmed."""
    if g.oil > 5:
        g.lit = False  #: 2.2
    elif g.oil > {second}:
        g.lit = True  #: 2.3
'''


@pytest.fixture
def lanterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the book; `write` puts its rules there."""
    monkeypatch.chdir(tmp_path)
    draft = "1. 灯り\n1.1. 灯りをともします。\n1.2. 油があればともさなければなりません。\n1.3. 手札がなければともせません。\n" \
            "2. 油\n2.1. 油を足します。\n2.2. 油が多ければ消します。\n2.3. 油があればともします。\n"
    Path("draft.md").write_text(draft, encoding="utf-8")
    assert main(["register", "draft.md", "-o", "spec/lanterns"]) == 0
    yield Path("spec/lanterns")
    forget_books()


def write(folder: Path, ranking: str = "", goes_on: str = "g.lit", when: str = "True ", second: str = "2") -> None:
    (folder / "rules").mkdir(exist_ok=True)
    text = RULES.format(ranking=ranking, goes_on=goes_on, when=when, second=second)
    (folder / "rules/turn.py").write_text(text, encoding="utf-8")
    forget_books()


def told(result: CheckResult) -> set[tuple[FindingClass, tuple[str, ...]]]:
    assert result.bounds.complete, result.bounds.notes
    return {(f.cls, f.clauses) for f in result.findings}


def test_an_action_that_is_demanded_and_forbidden(lanterns: Path) -> None:
    write(lanterns)
    result = norms.ask("lanterns")
    assert told(result) == {(FindingClass.CONFLICT, ("1.2", "1.3"))}
    (found,) = result.findings
    assert found.position is not None and "oil: 1" in found.position.en
    assert "must be taken and must not be taken" in found.title.en and "しなければならないのに" in found.title.ja


@pytest.mark.parametrize("change", [
    {"ranking": 'outranks("forbids", "requires")'},
    {"ranking": 'outranks("requires", "forbids")'},
    {"when": "g.hand[p] > 0 "},
])
def test_silent_where_a_clause_ranks_or_both_never_hold(lanterns: Path, change: dict[str, str]) -> None:
    write(lanterns, **change)
    assert told(norms.ask("lanterns")) == set()


@pytest.mark.parametrize("counts", [True, False])
def test_what_a_scenario_may_widen_a_range_to_is_left_out_and_that_is_said(lanterns: Path, counts: bool) -> None:
    """No rule takes a hand out of its range, but `caps` of a scenario may: with 7 cards in the other hand these norms do contradict each other."""
    write(lanterns, when="g.hand[other(p)] > 5 ")
    if not counts:  # nothing is kept that has a range
        rules = (lanterns / "rules/turn.py").read_text(encoding="utf-8")
        for a, b in (("Annotated[int, Range(0, 20)]", "bool"), ("Annotated[int, Range(0, 5)]", "bool"), ("= 3", "= True"), ("g.oil += 1", "g.oil = True"), ("g.oil > 0 and g.hand[other(p)] > 5", "g.oil and not g.oil"),
                     ("g.hand[p] == 0", "not g.hand[p]"), ("g.oil > 5", "g.oil"), ("g.oil > 2", "g.lit")):
            rules = rules.replace(a, b)
        (lanterns / "rules/turn.py").write_text(rules, encoding="utf-8")
        forget_books()
    result = norms.ask("lanterns")
    assert told(result) == set() and result.examined[-1].count == 1
    assert (Given.CAPS in {a.kind for a in result.bounds.assumptions}) is counts
    if counts:
        book = load_book("lanterns").rulebook
        program = compile_book(book, World(caps={"hand": 7}), "setup")
        names = [s.name for s in program.layout.slots]
        slots = [s.initial for s in program.layout.slots]
        slots[names.index("oil")], slots[names.index("hand[1]")] = 1, 7
        assert [Interpreter(program).evaluate(n, State(tuple(slots), ()), (0,)) for n in ("filled", "windy")] == [1, 1]


@pytest.mark.parametrize(("ordinary", "shown"), [("g.oil > 3", "oil: 4"), ("g.oil == 0", "oil: 1")])
def test_what_is_found_is_shown_in_an_ordinary_position_if_it_is_found_in_one(lanterns: Path, ordinary: str, shown: str) -> None:
    write(lanterns, ranking=f'@known_as("ordinary position")\n@define\ndef usual(g: Game) -> bool:\n    return {ordinary}')
    (found,) = norms.ask("lanterns").findings
    assert found.position is not None and shown in found.position.en


PRINTED = '''

class Printed(Definition):
    bright: bool = False
    big: Annotated[int, Range(0, 20)] = 0


@action
def show(g: Game, c: Card) -> None:
    """A card is shown."""
    g.lit = True  #: 1.1


@requires(show)
def bright(g: Game, c: Card) -> bool:
    return Printed(c).bright  #: 1.2


@forbids(show)
def dark(g: Game, c: Card) -> bool:
    return not g.lit  #: 1.3
'''


@pytest.mark.parametrize("bright", [None, 0, 9])
def test_norms_that_meet_by_what_is_printed_on_one_card_of_many(lanterns: Path, bright: int | None) -> None:
    """More kinds of cards than one world has: those that are not among the plainest are asked about, too."""
    write(lanterns, ranking=PRINTED, when="g.hand[p] > 0 ")
    rows = [f"  - {{id: C-{k}, name: card {k}, big: {k}, bright: {'yes' if k == bright else 'no'}}}\n" for k in range(10)]
    (lanterns / "cards.yaml").write_text("cards:\n" + "".join(rows), encoding="utf-8")
    forget_books()
    result = norms.ask("lanterns")
    assert told(result) == (set() if bright is None else {(FindingClass.CONFLICT, ("1.2", "1.3"))})
    assert [e.count for e in result.examined] == [2, 0, 2 if bright is None else 1]
    assert all(f"“card {bright}”" in f.summary.en for f in result.findings)


SHOWN = '''

@action
def show(g: Game, c: Card, k: Annotated[int, Range(1, 2)]) -> None:
    """A card is shown."""
    g.lit = True  #: 1.1


@permits(show)
def some(g: Game, c: Card, k: Annotated[int, Range(1, 2)]) -> bool:
    return k > {least}  #: 1.2


@forbids(show)
def dark(g: Game, c: Card, k: Annotated[int, Range(1, 2)]) -> bool:
    return not g.lit  #: 1.3
'''


@pytest.mark.parametrize("least", [1, 2])
def test_norms_are_asked_about_a_card_that_there_is_and_a_number_in_its_range(lanterns: Path, least: int) -> None:
    write(lanterns, ranking=SHOWN.format(least=least), when="g.hand[p] > 0 ")
    (lanterns / "cards.yaml").write_text("cards:\n  - {id: C, name: a lamp}\n", encoding="utf-8")
    forget_books()
    result = norms.ask("lanterns")
    assert [f.summary.en[:58] for f in result.findings] == (["In this position “show” (“a lamp”, 2) may be taken by 1.2 "] if least == 1 else [])


VERDICTS = '''

class Asked(Record):
    who: Player
    oil: Annotated[int, Range(0, 20)]


@verdict("burns")
def with_oil(g: Game, asked: Asked) -> Option[bool]:
    return True if asked.oil > {enough} else None  #: 2.1


@verdict("burns")
def not_when_lit(g: Game, asked: Asked) -> Option[bool]:
    return False if g.lit else None  #: 2.2


@step
def look(g: Game) -> None:
    said = judge("burns", g, Asked(g.turn_player, g.oil), bool)
    g.lit = said == True
'''


@pytest.mark.parametrize(("enough", "expected"), [("15", {(FindingClass.CONFLICT, ("2.1", "2.2"))}), ("20", set[object]())])
def test_verdicts_on_a_bundle_of_values_that_disagree(lanterns: Path, enough: str, expected: set[object]) -> None:
    write(lanterns)
    rules = lanterns / "rules/turn.py"
    text = rules.read_text(encoding="utf-8").replace("    trim(g)\n", "    trim(g)\n    look(g)\n") + VERDICTS.format(enough=enough)
    rules.write_text(text, encoding="utf-8")
    forget_books()
    result = conflicts_and_gaps.ask("lanterns", ["conflicts"])
    assert told(result) == expected
    for found in result.findings:
        assert found.title.en == "2.1 and 2.2 disagree (2.1: yes; 2.2: no)" and "16" in found.summary.en


def test_a_clause_that_nothing_comes_to(lanterns: Path) -> None:
    write(lanterns, second="7")
    assert told(dead.ask("lanterns")) == {(FindingClass.DEAD, ("2.3",))}
    write(lanterns)
    assert told(dead.ask("lanterns")) == set()


def test_what_stands_under_a_condition_that_no_number_meets_is_dead(lanterns: Path) -> None:
    write(lanterns, second="19 and g.oil < 0")
    assert told(dead.ask("lanterns")) == {(FindingClass.DEAD, ("2.3",))}


def test_what_stands_behind_a_for_is_come_to_and_looked_at(lanterns: Path) -> None:
    """It was named as used by nothing, whatever it was; under a condition that nothing meets it is dead."""
    for condition, dead_ones in (("g.oil >= 0", set[object]()), ("g.hand[FIRST] > 3 and g.hand[FIRST] < 2", {(FindingClass.DEAD, ("2.1",))})):
        write(lanterns)
        rules = lanterns / "rules/turn.py"
        text = rules.read_text(encoding="utf-8").replace(
            "    g.hand[g.turn_player] = 3\n", f"    for p in PLAYERS:\n        g.hand[p] = 3\n    if {condition}:\n        g.oil = 3  #: 2.1\n")
        rules.write_text(text.replace("    while g.lit:\n        g.oil += 1  #: 2.1\n", ""), encoding="utf-8")
        forget_books()
        result = dead.ask("lanterns")
        assert told(result) == dead_ones and not result.bounds.not_asked


def test_where_time_is_over_before_all_cards_were_there_nothing_is_dead(lanterns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dead, "ALTOGETHER", 0.0)
    write(lanterns, second="7")
    result = dead.ask("lanterns")
    assert not result.findings and not result.bounds.complete
    assert "s were over before the last card had been looked at" in result.bounds.notes[-1].en


def test_a_norm_that_never_says_anything(lanterns: Path) -> None:
    write(lanterns, when="g.oil > 20 ")
    assert told(dead.ask("lanterns")) == {(FindingClass.DEAD, ("1.2",))}


def test_a_loop_that_grows_for_ever(lanterns: Path) -> None:
    write(lanterns)
    result = loops.ask("lanterns", ["growing"])
    assert [(f.cls, f.growing) for f in result.findings] == [(FindingClass.LOOP, True)]


def test_no_loop_where_what_grows_ends_it(lanterns: Path) -> None:
    """It grows for a while, so that many repetitions alone would have proved nothing."""
    write(lanterns, goes_on="g.lit and g.oil < 15")
    result = loops.ask("lanterns", ["growing"])
    assert not result.findings and "with a larger value it may be otherwise" in result.bounds.notes[-1].en


def test_the_command_line(lanterns: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(lanterns)
    assert main(["check", "lanterns", "--only", "norms,dead", "--lang", "ja"]) == 1
    shown = capsys.readouterr().out
    assert "条文の衝突" in shown and "1.2 と 1.3 のどちらを優先しますか" in shown
    write(lanterns, ranking='outranks("forbids", "requires")')
    assert main(["check", "lanterns", "--only", "norms,dead", "--json"]) == 0


@pytest.mark.parametrize("goes_on", ["len(g.lamps) < 0 and g.lit", "not (g.lit or counted(g) + 1 > 0)"])
def test_in_a_procedure_too_what_stands_under_such_a_condition_is_dead(lanterns: Path, goes_on: str) -> None:
    """Nobody has fewer cards than none, whatever the cards."""
    write(lanterns, goes_on=goes_on)
    rules = lanterns / "rules/turn.py"
    text = rules.read_text(encoding="utf-8").replace("    lit: bool\n", "    lit: bool\n    lamps: Bag\n")
    text += "\n\n@define\ndef counted(g: Game) -> int:\n    if g.lit:\n        return len(g.lamps)\n    return len(g.lamps) + g.oil\n"
    rules.write_text(text, encoding="utf-8")
    assert told(dead.ask("lanterns")) == {(FindingClass.DEAD, ("2.1",))}


@pytest.mark.parametrize(("goes_on", "left"), [("len(g.lamps) > 40 and g.lit", [("2.1",)]), ("len(g.lamps) == 0", []), ("g.oil > 19", [])])
def test_what_needs_many_cards_is_not_dead(lanterns: Path, goes_on: str, left: list[tuple[str, ...]]) -> None:
    write(lanterns, goes_on=goes_on)
    rules = lanterns / "rules/turn.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("    lit: bool\n", "    lit: bool\n    lamps: Bag\n"), encoding="utf-8")
    result = dead.ask("lanterns")
    assert not result.findings and [x.clauses for x in result.bounds.not_asked] == left


@pytest.mark.parametrize(("also", "dead_ones"), [("and", {(FindingClass.DEAD, ("2.2",))}), ("or", set())])
def test_conditions_that_never_hold_together(lanterns: Path, also: str, dead_ones: set[tuple[FindingClass, tuple[str, ...]]]) -> None:
    """Nobody has more than three cards in hand and fewer than two."""
    write(lanterns)
    rules = lanterns / "rules/turn.py"
    text = rules.read_text(encoding="utf-8").replace(
        "async def turn(g: Game) -> None:\n", "async def turn(g: Game) -> None:\n    g.lit = any(calm(g, p) for p in PLAYERS)\n")
    text += f"""

@define
def calm(g: Game, p: Player) -> bool:
    return (g.hand[p] > 3 {also} g.hand[p] < 2) and g.oil > 3  #: 2.2
"""
    rules.write_text(text, encoding="utf-8")
    assert told(dead.ask("lanterns")) == dead_ones


def test_what_is_about_cards_is_not_dead_where_the_book_has_none_yet(lanterns: Path) -> None:
    write(lanterns)
    rules = lanterns / "rules/turn.py"
    text = rules.read_text(encoding="utf-8").replace(
        "    lit: bool\n", "    lit: bool\n    row: Bag\n    other: Bag\n").replace(
        "async def turn(g: Game) -> None:\n", "async def turn(g: Game) -> None:\n    g.lit = any(lies(g, c) for c in CARDS)\n")
    text += """

@define
def lies(g: Game, c: Card) -> bool:
    return zone_of(c) == g.row and g.oil > 3  #: 2.2
"""
    rules.write_text(text, encoding="utf-8")
    assert told(dead.ask("lanterns")) == set()


WIND = '''

class Wind(Record):
    strong: bool
    cold: bool
    """Its parts are locals of one name."""


@define
def calm(g: Game, wind: Wind) -> bool:
    if wind.strong:
        return False  #: 2.2
    if wind.{part}:
        return g.oil > 3  #: 2.3
    return True


@action
def shield(g: Game, wind: Wind) -> None:
    g.lit = calm(g, wind)


@requires(shield)
def strong(g: Game, wind: Wind) -> bool:
    return wind.strong  #: 1.2


@forbids(shield)
def not_cold(g: Game, wind: Wind) -> bool:
    return not wind.{part}  #: 1.3
'''


@pytest.mark.parametrize(("part", "clash", "dead_ones"), [
    ("cold", {(FindingClass.CONFLICT, ("1.2", "1.3"))}, set()), ("strong", set(), {(FindingClass.DEAD, ("2.3",))})])
def test_the_parts_of_a_record_are_asked_about_each_for_itself(lanterns: Path, part: str, clash: set[object], dead_ones: set[object]) -> None:
    write(lanterns, when="g.hand[p] > 0 ")
    rules = lanterns / "rules/turn.py"
    text = rules.read_text(encoding="utf-8").replace("    trim(g)\n", "    trim(g)\n    shield(g, Wind(g.lit, g.oil > 2))\n") + WIND.format(part=part)
    rules.write_text(text, encoding="utf-8")
    forget_books()
    assert told(norms.ask("lanterns")) == clash
    assert told(dead.ask("lanterns")) == dead_ones
