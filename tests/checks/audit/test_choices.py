"""What is taken for a silent choice, and the nearest that a clause fixes."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.audit import trying
from rulewright.checks.audit.asking import choices_of
from rulewright.checks.audit.record import Basis, Kind, Tried
from rulewright.checks.audit.trying import Trials, visited
from rulewright.model.engine.library import load_book

from .book import duel

STEPS = '''@step
def gain(g: Game, p: Player) -> None:
    """A point."""
    g.points[p] += 1


@step
def lose(g: Game, p: Player) -> None:
    """No points are left."""
    g.points[p] = 0
'''

SIDES = """

class Side(Enum):
    LEFT = 1
    RIGHT = 2
"""
CASES: tuple[tuple[str, str, Kind, Basis | None], ...] = (
    # who decides: nobody is named by a mark, another person is, the same is
    ("c = await choose(g.turn_player, g.hand[FIRST])\nput(c, g.gone[FIRST])  #: 1.1", "", Kind.DECIDER, Basis.UNMARKED),
    ("c = await choose(g.turn_player, g.hand[FIRST])  #: 1.2\nput(c, g.gone[FIRST])  #: 1.1", "", Kind.DECIDER, Basis.NOT_SAID),
    ("c = await choose(other(g.turn_player), g.hand[FIRST])  #: 1.1\nput(c, g.gone[FIRST])  #: 1.1", "", Kind.DECIDER, Basis.AGAINST),
    ("c = await choose(g.turn_player, g.hand[FIRST])  #: 1.1\nput(c, g.gone[FIRST])  #: 1.1", "", Kind.DECIDER, None),
    ('c = await choose(OPEN("1.1"), g.hand[FIRST])\nput(c, g.gone[FIRST])  #: 1.1', "", Kind.DECIDER, None),
    # two effects: steps of a list, the other way round, of clauses apart, one of them unmarked, both
    ("lose(g, FIRST)  #: 1.1\ngain(g, FIRST)  #: 1.2", STEPS, Kind.ORDER, None),
    ("lose(g, FIRST)  #: 1.2\ngain(g, FIRST)  #: 1.1", STEPS, Kind.ORDER, Basis.AGAINST),
    ("lose(g, FIRST)  #: 1.2\ngain(g, FIRST)  #: 2.1", STEPS, Kind.ORDER, Basis.APART),
    ("lose(g, FIRST)\ngain(g, FIRST)  #: 1.2", STEPS, Kind.ORDER, Basis.APART),
    ("lose(g, FIRST)\ngain(g, FIRST)", STEPS, Kind.ORDER, Basis.UNMARKED),
    # who comes first where the players are gone through as they are seated
    ("for p in PLAYERS:\n    gain(g, p)  #: 2.2", STEPS, Kind.ORDER, Basis.NOT_SAID),
    ("for p in PLAYERS:\n    n = g.points[p]", "", Kind.ORDER, None),
    ("for side in Side:\n    gain(g, FIRST if side == Side.LEFT else SECOND)  #: 2.2", STEPS + SIDES, Kind.ORDER, Basis.NOT_SAID),
    # done without asking
    ("g.points[FIRST] += 1  #: 1.2", "", Kind.DUTY, None),
    ("g.points[FIRST] += 1", "", Kind.DUTY, Basis.UNMARKED),
    ("for c in g.deck[FIRST]:\n    put(c, g.hand[FIRST])  #: 1.3", "", Kind.DUTY, Basis.AGAINST),
    # otherwise
    ("if g.points[FIRST] == 5:\n    gain(g, FIRST)  #: 1.2\nelse:\n    g.points[FIRST] = 1", STEPS, Kind.FALLBACK, Basis.UNMARKED),
    ("if g.points[FIRST] == 5:\n    gain(g, FIRST)  #: 1.2\nelse:\n    g.points[FIRST] = 1  #: 2.1", STEPS, Kind.FALLBACK, None),
    # each
    ("for c in g.hand[FIRST]:\n    put(c, g.hand[SECOND])  #: 1.3", "", Kind.EACH, Basis.NOT_SAID),
    ("for c in g.hand[FIRST]:\n    put(c, g.hand[SECOND])  #: 2.2", "", Kind.EACH, None),
    # numbers
    ("g.points[FIRST] -= 3  #: 2.1", "", Kind.CONSTANT, Basis.NOT_SAID),
    ("g.points[FIRST] -= 3  #: 2.3", "", Kind.CONSTANT, None),
)


@pytest.mark.parametrize(("turn", "rules", "kind", "basis"), CASES)
def test_a_choice_is_told_where_no_mark_fixes_it_and_not_where_one_does(
    turn: str, rules: str, kind: Kind, basis: Basis | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = duel(tmp_path, monkeypatch, rules, turn)
    told = [c for c in choices_of(book).choices if c.kind is kind and c.rule == "turn"]
    assert [c.basis for c in told] == ([] if basis is None else [basis])


def test_a_phase_with_which_a_scenario_can_begin_is_looked_at_and_what_only_begins_a_scenario_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    duel(tmp_path, monkeypatch, STEPS, "lose(g, FIRST)\ngain(g, FIRST)")
    path = tmp_path / "duel/rules/turn.py"
    rules = path.read_text(encoding="utf-8").replace("@procedure\nasync def turn", '@entry("phase")\n@procedure\nasync def turn')
    told = []
    for play in ("await turn(g)\n", "await turn(g)\n    c = await choose(SECOND, g.hand[FIRST])\n    put(c, g.gone[FIRST])\n"):
        path.write_text(rules.replace("    await turn(g)\n", f"    {play}"), encoding="utf-8")
        load_book.cache_clear()
        told.append({c.rule for c in choices_of(load_book("duel")).choices if c.kind in (Kind.ORDER, Kind.DECIDER)})
    assert told == [{"turn"}, {"turn", "play"}]


def outcome_of(turn: str, rules: str, kind: Kind, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Tried:
    book = duel(folder, monkeypatch, rules, turn)
    trials = Trials(book, {p.stem: visited(p) for p in book.scenarios})
    one = next(c for c in choices_of(book).choices if c.kind is kind and c.rule == "turn")
    found = trials.outcome(one)
    assert (found.shown is not None) == (found.tried is Tried.PARTED)
    return found.tried


def test_an_order_that_matters_is_shown_by_a_play_and_one_that_does_not_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome_of("lose(g, FIRST)\ngain(g, FIRST)", STEPS, Kind.ORDER, tmp_path / "a", monkeypatch) is Tried.PARTED
    assert outcome_of("lose(g, FIRST)\ngain(g, SECOND)", STEPS, Kind.ORDER, tmp_path / "b", monkeypatch) is Tried.ALIKE


OVER = """
@situation
async def is_over(g: Game, p: Player) -> None:
    when(g.points[p] == %s)
    finish(p)
"""


@pytest.mark.parametrize("turn", ["for p in PLAYERS:\n    gain(g, p)", "for side in Side:\n    gain(g, FIRST if side == Side.LEFT else SECOND)"])
@pytest.mark.parametrize(("points", "tried"), [(6, Tried.PARTED), (9, Tried.ALIKE)])
def test_what_comes_first_matters_where_the_game_may_end_between_two(
    points: int, tried: Tried, turn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert outcome_of(turn, STEPS + SIDES + OVER % points, Kind.ORDER, tmp_path, monkeypatch) is tried


def test_what_no_scenario_comes_to_is_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = "if g.points[FIRST] == 7:\n    lose(g, FIRST)\n    gain(g, FIRST)"
    assert outcome_of(turn, STEPS, Kind.ORDER, tmp_path, monkeypatch) is Tried.NOT_REACHED


def test_a_scenario_comes_to_what_is_known_before_play_not_to_be_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left of the place in the program; were it written otherwise, play would differ."""
    assert outcome_of("if not CARDS:\n    lose(g, FIRST)", STEPS, Kind.CONDITION, tmp_path / "a", monkeypatch) is Tried.PARTED
    assert outcome_of("if g.points[FIRST] == 7:\n    if not CARDS:\n        lose(g, FIRST)", STEPS, Kind.DUTY, tmp_path / "b", monkeypatch) is not Tried.PARTED


def test_what_no_rule_reads_any_more_is_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is only raised and not read is not written, either."""
    turn = "g.points[FIRST] += 1  #: 1.2\nc = await choose(g.turn_player, g.hand[FIRST])  #: 1.1\nif g.points[FIRST] > {}:\n    put(c, g.gone[FIRST])  #: 1.1"
    assert outcome_of(turn.format(0), STEPS, Kind.CONDITION, tmp_path / "a", monkeypatch) is Tried.ALIKE
    assert outcome_of(turn.format(6), STEPS, Kind.CONDITION, tmp_path / "b", monkeypatch) is Tried.PARTED


@pytest.mark.parametrize(("by", "limited"), [(4, False), (5, True)])
def test_play_is_compared_as_far_as_the_ranges_of_numbers(by: int, limited: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """5 + 5 is no number of points here: of what follows nothing is known, and it is no other end of play."""
    book = duel(tmp_path, monkeypatch, STEPS, f"g.points[FIRST] += {by}\ng.points[FIRST] -= {by}\nc = await choose(g.turn_player, g.hand[FIRST])\nput(c, g.gone[FIRST])")
    begins = tmp_path / "duel/rules/turn.py"
    begins.write_text(begins.read_text(encoding="utf-8").replace("    await turn(g)\n", "    c = await choose(SECOND, g.hand[FIRST])\n    await turn(g)\n"), encoding="utf-8")
    load_book.cache_clear()
    book = load_book("duel")
    one = next(c for c in choices_of(book).choices if c.kind is Kind.ORDER and c.code.startswith("g.points[FIRST] +="))
    out = Trials(book, {p.stem: visited(p) for p in book.scenarios}).outcome(one)
    assert (out.tried, out.limited) == (Tried.ALIKE, limited)


def test_places_are_counted_by_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one kind only its own are counted as fixed; of all kinds, the sum."""
    book = duel(tmp_path, monkeypatch, STEPS, "lose(g, FIRST)  #: 1.1\ngain(g, FIRST)  #: 1.2\ng.points[FIRST] -= 3  #: 2.3")
    of = {kind: choices_of(book, (kind,)) for kind in Kind}
    assert (of[Kind.CONSTANT].fixed, of[Kind.CONSTANT].choices, of[Kind.EACH].fixed) == (1, (), 0)
    assert sum(one.fixed for one in of.values()) == choices_of(book).fixed > 1


def test_the_same_is_said_only_of_what_was_compared_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where the comparison fails, nor where time runs out in the middle of it; the limit on positions is told."""
    book = duel(tmp_path, monkeypatch, STEPS, "lose(g, FIRST)\ngain(g, SECOND)\nc = await choose(g.turn_player, g.hand[FIRST])\nput(c, g.gone[FIRST])")
    one = next(c for c in choices_of(book).choices if c.kind is Kind.ORDER and c.code == "lose(g, FIRST)")
    visits = {p.stem: visited(p) for p in book.scenarios}
    whole, few = (Trials(book, visits, states=n).outcome(one) for n in (1_000, 1))
    assert [(x.tried, x.scenarios, x.limited) for x in (whole, few)] == [(Tried.ALIKE, 1, False), (Tried.ALIKE, 1, True)]
    asked = iter((False, False, True))
    stopped = Trials(book, visits, lambda: next(asked, True)).outcome(one)
    assert (stopped.tried, stopped.scenarios) == (Tried.CUT, 0)

    def fails(*_: object, **__: object) -> None:
        raise KeyError

    monkeypatch.setattr(trying, "part", fails)
    failed = Trials(book, visits).outcome(one)
    assert (failed.tried, failed.scenarios) == (Tried.REFUSED, 0)


def test_an_id_stays_when_lines_move_and_changes_with_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = "lose(g, FIRST)\ngain(g, FIRST)"
    first, moved, other = (duel(tmp_path / str(k), monkeypatch, rules, t)
                           for k, (rules, t) in enumerate(((STEPS, turn), (STEPS + "\n\n\n", turn), (STEPS, "lose(g, SECOND)\ngain(g, FIRST)"))))
    ids = [{c.id for c in choices_of(b).choices if c.kind is Kind.ORDER} for b in (first, moved, other)]
    assert ids[0] == ids[1] and ids[0].isdisjoint(ids[2])
