"""A claim about every position carries what it rests on: worlds, ranges, scenarios, and places of which nothing is said."""
from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.findings.record import Assumption, Bounds, Finding, FindingClass, Given, NotAsked, Unasked
from rulewright.checks.smt.queries import conflicts_and_gaps, norms
from rulewright.checks.smt.queries.dead import all_clauses as dead
from rulewright.checks.smt.queries.dead.all_clauses import Place
from rulewright.model.engine.library import forget_books
from rulewright.spec import BOOKS
from rulewright.spec.text import Text

ROOT = Path(__file__).parents[3]
DRAFT = """\
1. 灯り
1.1. 手札か場のカードを選びます。
1.2. 別のカードを選びます。
1.3. 手札のカードを選びます。
2. 油
2.1. 灯りを消します。
2.2. 灯りをともします。
2.3. 灯りを数えます。
"""
RULES = '''\
from rulewright.model.lang import *


class Game(State):
    oil: Annotated[int, Range(0, 20)]
    wind: Annotated[int, Range(0, 3)]
    lit: bool
    hand: Per[Player, Bag]
    table: Bag
    turn_player: Player
{fields}

@entry("setup")
@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn."""
    trim(g)
{turn}


@step
def trim(g: Game) -> None:
    """The wick is trimmed."""
    if {first}:
        g.lit = False  #: 2.1
    elif {second}:
        g.lit = True  #: 2.2


{more}
'''
CHOOSING = """
    c = await choose(g.turn_player, g.hand[g.turn_player] | g.table)  #: 1.1
    d = await choose(g.turn_player, {among})  #: 1.2
    if {when}:
        d = await choose(g.turn_player, g.hand[g.turn_player])  #: 1.3
    put(d, g.table)
"""
CARDS = "cards:\n  - {id: L-1, name: {ja: ランタン, en: a lantern}}\n  - {id: L-2, name: {ja: 松明, en: a torch}}\n"
SCENARIO = """\
book: lanterns
id: {id}
title: {{ja: 灯り, en: lamps}}
position:
  turn_player: first
  {position}
"""


@pytest.fixture
def lanterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a book with two cards."""
    monkeypatch.chdir(tmp_path)
    Path("draft.md").write_text(DRAFT, encoding="utf-8")
    assert main(["register", "draft.md", "-o", "spec/lanterns"]) == 0
    folder = Path("spec/lanterns")
    (folder / "cards.yaml").write_text(CARDS, encoding="utf-8")
    yield folder
    forget_books()


def write(
    folder: Path, first: str = "g.oil > 5", second: str = "g.oil > 2", turn: str = "", fields: str = "", more: str = "",
    scenarios: dict[str, str] | None = None,
) -> None:
    """The rules of the book, and its scenarios by their positions."""
    (folder / "rules").mkdir(exist_ok=True)
    text = RULES.format(first=first, second=second, turn=turn, fields=fields, more=more)
    (folder / "rules/turn.py").write_text(text, encoding="utf-8")
    (folder / "scenarios").mkdir(exist_ok=True)
    for name, position in (scenarios or {}).items():
        (folder / f"scenarios/{name}.yaml").write_text(SCENARIO.format(id=name, position=position), encoding="utf-8")
    forget_books()


def told(findings: tuple[Finding, ...]) -> dict[tuple[str, ...], str]:
    """The clauses that are told as dead, and under which title."""
    return {f.clauses: f.title.en for f in findings if f.cls is FindingClass.DEAD}


def named(left: tuple[NotAsked, ...]) -> set[tuple[str, Unasked]]:
    """The places of which nothing is said, by their clauses, and why."""
    return {(" ".join(x.clauses), x.reason) for x in left}


# ---------------------------------------------------------------- clauses without a use
def test_a_clause_that_contradicts_itself_never_applies_and_nothing_is_assumed(lanterns: Path) -> None:
    write(lanterns, second="g.oil > 7")
    (found,) = dead.ask("lanterns").findings
    assert told((found,)) == {("2.2",): "2.2 (trim) never applies"}
    assert found.bounds.assumptions == ()


def test_what_rests_on_the_range_of_a_number_says_so_in_its_title(lanterns: Path) -> None:
    write(lanterns, first="g.wind > 3", second="g.oil > 2")
    (found,) = dead.ask("lanterns").findings
    assert told((found,)) == {("2.1",): "with wind from 0 to 3, 2.1 (trim) never applies"}
    assert found.bounds.assumptions == (Assumption(Given.NUMBERS, ("0", "3"), (Text.same("wind"),)),)
    write(lanterns, first="g.wind > 2", second="g.oil > 2")
    assert told(dead.ask("lanterns").findings) == {}


def test_a_number_of_no_stated_range_may_be_any(lanterns: Path) -> None:
    """It has sixteen bits in the model, and none in the book."""
    far = """
@define
def far(g: Game, n: int) -> bool:
    if {when}:
        return True  #: 2.3
    return False
"""
    write(lanterns, first="far(g, g.oil) or g.oil > 5", more=far.format(when="n > 32766 and n != 32767"))
    result = dead.ask("lanterns")
    assert told(result.findings) == {} and named(result.bounds.not_asked) == {("2.3", Unasked.WIDE)}
    write(lanterns, first="far(g, g.oil) or g.oil > 5", more=far.format(when="n > 400 and n < 300"))
    assert told(dead.ask("lanterns").findings) == {("2.3",): "2.3 (far) never applies"}


LIMIT = """book: lanterns
readings:
  - {id: limit, clauses: ["2.1"], question: {ja: 油の上限は。, en: How much oil?}, number: {from: 1, to: 20}, default: "20",
     why: {ja: 例。, en: An example.}, affects: {ja: 油。, en: Oil.}, status: modelled}
"""


def test_what_rests_on_the_answer_to_a_reading_that_is_a_number_says_so(lanterns: Path) -> None:
    """With another answer the clause applies; a reading that no rule asks for is not named."""
    (lanterns / "readings.yaml").write_text(LIMIT, encoding="utf-8")
    write(lanterns, first='g.oil > reading_number("limit")', second="g.oil > 2")
    (found,) = dead.ask("lanterns").findings
    assert told((found,)) == {("2.1",): "with the reading “How much oil? → 20” and oil from 0 to 20, 2.1 (trim) never applies"}
    assert Assumption(Given.READINGS, ("limit", "20"), (Text(ja="油の上限は。", en="How much oil?"),)) in found.bounds.assumptions
    write(lanterns, first='len(g.table) < reading_number("limit") - 20', second="g.oil > 2")
    (found,) = dead.ask("lanterns").findings
    assert "whatever the cards and the position, with the reading “how much oil? → 20”" in found.summary.en.lower()
    assert told(dead.ask("lanterns", {"limit": "20"}).findings) == {("2.1",): "2.1 (trim) never applies"}  # given, and told as such
    write(lanterns, second="g.oil > 7")
    assert told(dead.ask("lanterns").findings) == {("2.2",): "2.2 (trim) never applies"}


def test_a_game_may_have_fewer_cards_than_the_world_that_is_asked_about(lanterns: Path) -> None:
    write(lanterns, first="len(g.table) == 3 and all(c in g.table for c in CARDS)")
    assert told(dead.ask("lanterns").findings) == {}
    write(lanterns, first="len(g.table) == 3 and not any(c in g.table for c in CARDS)")
    assert set(told(dead.ask("lanterns").findings)) == {("2.1",)}


def test_what_is_shown_in_some_worlds_only_is_told_of_these(lanterns: Path) -> None:
    """No card lies in two places; that is looked up in worlds of twelve cards."""
    write(lanterns, first="any(c in g.table and c in g.hand[g.turn_player] for c in CARDS)", second="g.oil > 2")
    result = dead.ask("lanterns")
    (found,) = result.findings
    assert told((found,)) == {("2.1",): "no use of 2.1 (trim) was found in worlds of up to 12 cards"}
    assert "カード12枚までの世界では" in found.title.ja
    assert {a.kind for a in found.bounds.assumptions} >= {Given.CARDS, Given.READINGS}
    assert next(a.values for a in found.bounds.assumptions if a.kind is Given.CARDS) == ("12", "1")


@pytest.mark.parametrize("first", ["len(g.table) > 12", "len(g.table) + len(g.hand[g.turn_player]) > 12", "sum(1 for c in g.table) > 20"])
def test_what_needs_more_cards_than_a_world_has_is_not_told_and_named(lanterns: Path, first: str) -> None:
    write(lanterns, first=first)
    result = dead.ask("lanterns")
    assert told(result.findings) == {} and not result.bounds.complete
    assert named(result.bounds.not_asked) == {("2.1", Unasked.MORE_CARDS)}


def test_what_twelve_cards_come_to_is_neither_told_nor_named(lanterns: Path) -> None:
    write(lanterns, first="len(g.table) > 11")
    result = dead.ask("lanterns")
    assert told(result.findings) == {} and result.bounds.complete and result.bounds.not_asked == ()


@pytest.mark.parametrize(("condition", "reason"), [("len(g.waiting) > 3", {("2.1", Unasked.MORE_CARDS)}), ("len(g.waiting) > 2", set())])
def test_what_needs_more_entries_than_there_is_room_for(lanterns: Path, condition: str, reason: set[tuple[str, Unasked]]) -> None:
    write(lanterns, first=condition, fields="    waiting: Multiset[Spark]\n", more="", turn="    g.waiting.add(Spark(g.turn_player))")
    rules = lanterns / "rules/turn.py"
    text = rules.read_text(encoding="utf-8").replace("class Game(State):", "class Spark(Record):\n    who: Player\n\n\nclass Game(State):")
    rules.write_text(text, encoding="utf-8")
    forget_books()
    result = dead.ask("lanterns")
    assert told(result.findings) == {} and named(result.bounds.not_asked) == reason


def test_a_field_that_only_a_scenario_sets_may_have_any_value(lanterns: Path) -> None:
    """No rule writes the wind, which is none at first."""
    write(lanterns, first="g.wind > 1 and len(g.table) > 0")
    result = dead.ask("lanterns")
    assert told(result.findings) == {} and result.bounds.complete
    write(lanterns, first="g.wind > 3 and len(g.table) > 0")
    assert len(told(dead.ask("lanterns").findings)) == 1


def test_what_a_scenario_carries_out_is_not_told_whatever_was_shown(lanterns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A world of one card is too small, and this is said. Without that scenario it is told of such worlds."""
    both = "any(c in g.table for c in CARDS) and any(c in g.hand[FIRST] for c in CARDS)"
    monkeypatch.setattr(dead, "worlds", lambda _: iter([[("L-1", 0)]]))
    write(lanterns, first=both, scenarios={"dark": "table: [L-1]"})
    result = dead.ask("lanterns")
    assert told(result.findings) == {("2.1",): "no use of 2.1 (trim) was found in worlds of up to 1 card"}
    assert "none of 1 scenarios" in result.bounds.notes[0].en
    write(lanterns, first=both, scenarios={"lamp": "table: [L-1]\n  first: {hand: [L-1]}"})
    result = dead.ask("lanterns")
    assert told(result.findings) == {} and not result.bounds.complete
    (left,) = result.bounds.not_asked
    assert (left.clauses, left.reason, left.values) == (("2.1",), Unasked.CARRIED_OUT, ("lamp",))


# ---------------------------------------------------------------- ranges of numbers
POURED = """
    while g.oil < 40:
        pour(g)
        {then}
"""
POURS = '''
@step
def pour(g: Game) -> None:
    """A drop of oil, and what it does."""
    g.oil = {oil}
{also}
'''
MORE = "g.oil + 1"
ONLY_FAR = "if g.oil % 7 == 2 and g.oil % 4 == 3:\n            g.lit = True  #: 2.3"
"""Of 0 to 40, this is so of 23 only."""
SILENT = '''
@situation
async def silent(g: Game) -> None:
    """What so much oil does, nobody wrote down."""
    when(g.oil == 23)
    gap("2.3")
'''
TWICE = """    with simultaneously():
        g.wind = 1  #: 2.1
        if g.oil == 23:
            g.wind = 2  #: 2.2
"""
OIL = Assumption(Given.NUMBERS, ("0", "20"), (Text.same("oil"),))
QUALIFIED = [(MORE, "20", (OIL,)), ("g.oil * 2", "20", (OIL,)), ("min(g.oil + 1, 20)", "20", ()), (MORE, "60", None)]
"""What happens to the oil, how much of it there can be, and the ranges that are taken as given; None: then it comes about."""


def poured(folder: Path, oil: str, most: str, then: str = "pass", also: str = "", more: str = "", scenarios: dict[str, str] | None = None) -> None:
    write(folder, turn=POURED.format(then=then), more=POURS.format(oil=oil, also=also) + more, scenarios=scenarios)
    rules = folder / "rules/turn.py"
    rules.write_text(rules.read_text(encoding="utf-8").replace("Range(0, 20)", f"Range(0, {most})"), encoding="utf-8")
    forget_books()


def numbers(bounds: Bounds) -> tuple[Assumption, ...]:
    return tuple(a for a in bounds.assumptions if a.kind is Given.NUMBERS)


@pytest.mark.parametrize(("oil", "most", "given"), QUALIFIED)
def test_what_is_not_come_to_within_a_range_that_play_may_leave_is_told_with_it(
    lanterns: Path, oil: str, most: str, given: tuple[Assumption, ...] | None,
) -> None:
    poured(lanterns, oil, most, then=ONLY_FAR)
    result = dead.ask("lanterns")
    assert [f.clauses for f in result.findings] == ([] if given is None else [("2.3",)])
    for found in result.findings:
        assert numbers(found.bounds) == given == numbers(result.bounds)
        assert found.title.en == ("with oil from 0 to 20, " if given else "") + "no use of 2.3 (turn) was found in worlds of up to 12 cards"
        assert ("with oil from 0 to 20, in no position" in found.summary.en) is bool(given)


@pytest.mark.parametrize(("more_than", "carried_out"), [(20, True), (23, False)])
def test_what_a_scenario_carries_out_only_beyond_a_range_is_not_told(lanterns: Path, more_than: int, carried_out: bool) -> None:
    """With 23 drops; of 0 to 40, with no others."""
    then = ONLY_FAR.replace("g.oil % 4 == 3", f"g.oil % 4 == 3 and g.oil > {more_than}")
    poured(lanterns, MORE, "20", then=then, scenarios={"lamp": "oil: 3"})
    result = dead.ask("lanterns")
    assert [*told(result.findings)] == ([] if carried_out else [("2.3",)])
    assert (("2.3", Unasked.CARRIED_OUT) in named(result.bounds.not_asked)) is carried_out


@pytest.mark.parametrize(("oil", "most", "given"), QUALIFIED)
@pytest.mark.parametrize(("question", "also", "more"), [("gaps", "", SILENT), ("conflicts", TWICE, "")])
def test_that_nothing_was_found_rests_on_the_range_that_a_condition_was_folded_by(
    lanterns: Path, question: str, also: str, more: str, oil: str, most: str, given: tuple[Assumption, ...] | None,
) -> None:
    """No position has so much oil, so that nothing is left to ask."""
    poured(lanterns, oil, most, also=also, more=more)
    result = conflicts_and_gaps.ask("lanterns", [question])
    assert len(result.findings) == (given is None)
    assert given is None or numbers(result.bounds) == given


def test_a_claim_that_rests_on_a_range_is_not_told_of_every_position(lanterns: Path) -> None:
    poured(lanterns, MORE, "20", then="if g.oil > 22:\n            g.lit = True  #: 2.3")
    (found,) = dead.ask("lanterns").findings
    assert found.title.en == "with oil from 0 to 20, 2.3 (turn) never applies" and numbers(found.bounds) == (OIL,)
    assert "the position" not in found.summary.en and "in these ranges its conditions exclude each other" in found.summary.en
    poured(lanterns, MORE, "20", then="if g.oil > 22 and g.oil < 22:\n            g.lit = True  #: 2.3")
    assert {f.title.en for f in dead.ask("lanterns").findings} >= {"with oil from 0 to 20, 2.3 (turn) never applies"}


def test_whatever_takes_a_value_may_leave_its_range(lanterns: Path) -> None:
    """What waits, what a rule is told and gives, and a number of no stated range."""
    write(lanterns, turn="    n = 0\n    while g.lit:\n        n = n + 1\n    trim(g)\n    told(g, g.wind + given(g) + n)\n", fields="    sparks: Multiset[Spark]\n",
          more='''
Few = Annotated[int, Range(0, 4)]

@define
def given(g: Game) -> Annotated[int, Range(0, 5)]:
    return g.oil + g.wind


@step
def told(g: Game, few: Few) -> None:
    """A spark, and a little wind."""
    g.sparks.add(Spark(few * 2))
    g.wind = max(0, g.wind - 1)
''')
    rules = lanterns / "rules/turn.py"
    text = rules.read_text(encoding="utf-8").replace("class Game(State):", "class Spark(Record):\n    heat: Annotated[int, Range(1, 7)]\n\n\nclass Game(State):")
    rules.write_text(text, encoding="utf-8")
    forget_books()
    asker = next(conflicts_and_gaps.prepared("lanterns", ["gaps"])).asker
    assert {(a.values, tuple(x.en for x in a.what)) for a in asker.assumptions() if a.kind is Given.NUMBERS} == {
        (("-32768", "32767"), ("a number of no stated range",)), (("0", "4"), ("few (told)",)),
        (("0", "5"), ("a number worked out in given",)), (("1", "7"), ("sparks",))}


# ---------------------------------------------------------------- 308.1 of harem_master
END = "    emit(TurnEnded())  #: 308 #: 308.1\n"


def dead_at_the_end_of_the_turn(monkeypatch: pytest.MonkeyPatch) -> tuple[dead.Dead, set[Place]]:
    """What is said of the end of the turn, and its places; no other rule of the book is looked at."""
    whole = dead.reaching_with

    def only_the_end(asker: dead.Asker, settled: dead.Set[Place] = frozenset()) -> dead.Reaching:
        others = {p for f in asker.program.functions.values() if f.rule != "end_of_turn" for p in dead.marked_in(f)}
        return whole(asker, others | settled)
    monkeypatch.setattr(dead, "reaching_with", only_the_end)
    monkeypatch.setattr(dead, "says", lambda *_: None)
    monkeypatch.setattr(dead, "hold_together", lambda *_: None)
    out = dead.Dead("harem_master", {}, 20.0)
    dead.look_for(out)
    return out, {p for p in out.places if "308.1" in p.clauses}


def test_308_1_of_harem_master_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    out, places = dead_at_the_end_of_the_turn(monkeypatch)
    assert places and not out.dead and not out.not_asked and not out.unknown


@pytest.mark.parametrize(("condition", "reason"), [
    ("len(g.castle[FIRST]) + len(g.castle[SECOND]) > 12", {Unasked.CARRIED_OUT}),
    ("len(g.waiting) + len(g.due) > 6", {Unasked.MORE_CARDS}),
    ("len(g.castle[FIRST]) < 0", set()),
])
def test_308_1_under_a_condition(
    condition: str, reason: set[Unasked], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thirteen cards lie in the castles in the first turn of shipped scenarios. What is below none never applies."""
    folder = tmp_path / "harem_master"
    shutil.copytree(ROOT / "spec/harem_master", folder)
    shutil.copytree(ROOT / "model/games/harem_master", folder / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    turn = folder / "rules/turn.py"
    text = turn.read_text(encoding="utf-8")
    assert text.count(END) == 1
    turn.write_text(text.replace(END, f"    if {condition}:\n    {END}"), encoding="utf-8")
    monkeypatch.setenv(BOOKS, str(tmp_path))
    forget_books()
    try:
        out, places = dead_at_the_end_of_the_turn(monkeypatch)
        assert {x.reason for x in out.not_asked if "308.1" in x.clauses} == reason
        assert bool(places & out.dead.keys()) is not bool(reason)
        assert all(rests_on == () for rests_on in out.dead.values())
    finally:
        forget_books()


# ---------------------------------------------------------------- what was not asked
HELD = "{x for x in g.table if x == c} | {x for x in g.hand[g.turn_player] if len(g.hand[g.turn_player]) + len(g.table) < 2}"
"""Where there was one card only to choose before, there is one now; of another nothing is known but that it is one."""


@pytest.mark.parametrize(("among", "when", "gaps", "left"), [
    (HELD, "len(g.table) > 12", {("1.1",)}, {("1.2", Unasked.HELD), ("1.3", Unasked.MORE_CARDS)}),
    (HELD, "len(g.table) > 11", {("1.1",), ("1.3",)}, {("1.2", Unasked.HELD)}),
    ("{x for x in g.table if x != c}", "len(g.table) < 0", {("1.1",), ("1.2",)}, set()),
    ("g.table", "len(g.table) > 12", {("1.1",), ("1.2",)}, {("1.3", Unasked.MORE_CARDS)}),
    ("{x for x in CARDS if x == c}", "len(g.table) < 0", {("1.1",)}, set()),
])
def test_a_choice_that_was_not_asked_is_named(
    lanterns: Path, among: str, when: str, gaps: set[tuple[str, ...]], left: set[tuple[str, Unasked]],
) -> None:
    write(lanterns, turn=CHOOSING.format(among=among, when=when))
    result = conflicts_and_gaps.ask("lanterns", ["gaps"])
    assert {f.clauses for f in result.findings} == gaps
    assert named(result.bounds.not_asked) == left
    assert result.bounds.complete is not bool(left)
    assert all(x.rule == "turn" and x.where.startswith("spec/lanterns/rules/turn.py:") for x in result.bounds.not_asked)


LEAVING = """
    c = await choose(g.turn_player, g.hand[g.turn_player] | g.table)  #: 1.1
    try:
        await leave(g)
    except Over:
        d = await choose(g.turn_player, {among})  #: 1.2
        put(d, g.table)
    d = await choose(g.turn_player, g.hand[g.turn_player] | g.table)  #: 1.3
    d = await choose(g.turn_player, g.hand[g.turn_player] | g.table)  #: 1.2
"""
OVER = '''
class Over(Signal):
    """The turn is over."""


@procedure
async def leave(g: Game) -> None:
    """It ends here."""
    raise Over
'''


@pytest.mark.parametrize(("among", "gaps", "left"), [
    (HELD, {("1.1",)}, {("1.2", Unasked.HELD), ("1.2", Unasked.SHARED)}), ("g.hand[g.turn_player]", {("1.1",), ("1.2",)}, set[tuple[str, Unasked]]())])
def test_what_is_held_where_a_signal_is_caught_is_not_known(
    lanterns: Path, among: str, gaps: set[tuple[str, ...]], left: set[tuple[str, Unasked]],
) -> None:
    write(lanterns, turn=LEAVING.format(among=among), more=OVER)
    result = conflicts_and_gaps.ask("lanterns", ["gaps"])
    assert {f.clauses for f in result.findings} == gaps
    assert named(result.bounds.not_asked) == left


def test_what_was_not_asked_is_in_the_page_and_in_the_data(lanterns: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(lanterns, turn=CHOOSING.format(among=HELD, when="len(g.table) > 12"))
    assert main(["check", "lanterns", "--only", "gaps", "--json"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert not result["bounds"]["complete"]
    assert [(x["clauses"], x["reason"]) for x in result["bounds"]["not_asked"]] == [(["1.2"], "held"), (["1.3"], "more cards")]
    assert [a["kind"] for a in result["bounds"]["assumptions"]] == ["cards", "readings"]
    main(["check", "lanterns", "--only", "gaps", "--lang", "en"])
    page = capsys.readouterr().out
    assert page.index("Taken as given: There are up to 12 cards") < page.index("Not asked: 2") < page.index("\nFound\n")
    assert "1.3 (turn)" in page and "with more than 12 cards" in page
    main(["check", "lanterns", "--only", "gaps", "--lang", "ja"])
    page = capsys.readouterr().out
    assert page.index("前提: カードは12枚まで") < page.index("調べていない所: 2か所") < page.index("見つかったこと")
    assert "カードが12枚より多いか" in page


@pytest.mark.parametrize(("more", "left"), [(12, {Unasked.MORE_CARDS}), (11, set[Unasked]())])
def test_norms_that_meet_only_where_there_are_more_cards(lanterns: Path, more: int, left: set[Unasked]) -> None:
    write(lanterns, turn="    light(g)", more=f'''
@action
def light(g: Game) -> None:
    """The lantern is lit."""
    g.lit = True  #: 1.1


@requires(light)
def many(g: Game) -> bool:
    return len(g.table) > {more}  #: 1.2


@forbids(light)
def windy(g: Game) -> bool:
    return g.wind > 0  #: 1.3
''')
    result = norms.ask("lanterns")
    assert {x.reason for x in result.bounds.not_asked} == left and result.bounds.complete is not bool(left)
    assert len(result.findings) == 1 - len(left)


def test_bounds_cannot_be_complete_where_something_was_not_asked() -> None:
    left = NotAsked("turn", Text.same("turn"), "", ("1.2",), Unasked.HELD)
    with pytest.raises(ValueError, match="not complete"):
        Bounds(True, 0, 0, 0, not_asked=(left,))
    assert not Bounds(False, 0, 0, 0, not_asked=(left,)).complete
