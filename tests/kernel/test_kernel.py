"""What the mechanisms of the kernel do, in a small game."""
from __future__ import annotations

from pathlib import Path

from rulewright.model.engine.interpreter import Traced
from rulewright.model.lang.world import KERNEL, CardCopy, CardDef, World
from rulewright.spec.diagnostics import Position
from rulewright.spec.text import Text

from ..lang.programs import CLAUSES, Graph, compiled, explored, outcomes, read

HERE = Path(__file__).parent


def played(entry: str, own: int = 3) -> Graph:
    """Everything that can happen from an entry, with so many different cards for each player."""
    cards = [CardDef(f"C{k}", Text.same(f"C{k}"), Position("cards", 1, 1)) for k in range(own)]
    world = World(tuple(CardCopy(c, owner) for owner in (0, 1) for c in cards))
    return explored(compiled(HERE / "game.py", world, entry, clauses=CLAUSES, kernel=KERNEL, keep_unread=True))


def values(entry: str, *names: str) -> dict[tuple[object, ...], int]:
    """How play can end, with slots at the end."""
    return outcomes(played(entry), *names)


def test_taking_more_than_there_are_takes_all() -> None:
    """Whichever card luck says is on top, all three are drawn in the end, one move each."""
    g = played("take")
    assert outcomes(g, "moves", "@location[0]", "@location[1]", "@location[2]") == {("draw", "", 3, 2, 2, 2): 1}
    assert len({s for s in g.states if s.end is None}) == 4


def test_cards_go_under_a_pile_in_the_order_that_the_player_chooses() -> None:
    """The first of two chosen lies above the second, and is the one on top: each of three can be it, whatever else is
    chosen; and 3! orders of the other player's hand are told apart."""
    ends = played("return")
    on_top = {tuple(read for read in range(3) if s.slots[ends.engine.program.layout.location + read] == 4)
              for s in ends.states if s.end is not None}
    assert on_top == {(0,), (1,), (2,)}
    assert sum(outcomes(ends).values()) == 6 * 6


def test_a_rebuilt_pile_has_an_order_that_nobody_knows() -> None:
    assert values("rebuild", "moves") == {("draw", "", 3): 3}


def test_a_window_closes_when_both_pass_in_a_row_and_the_one_named_is_asked_first() -> None:
    g = played("window")
    asked = next(at.owner for s in g.states if (at := g.engine.point(s)) is not None and len(at.options) == 2)
    assert asked == 1
    assert set(values("window", "acted[0]", "acted[1]")) == {("draw", "", a, b) for a in range(3) for b in range(3)}


def test_a_window_can_be_told_what_it_is_for() -> None:
    assert set(values("answer", "acted[0]", "acted[1]")) == {("win", 1, a, b) for a in range(3) for b in range(3)}


def test_windows_nest() -> None:
    """An answer opens a window of its own, in which the player who is answered acts first; the mark of the call is told."""
    g = played("nested")
    assert max(len(s.frames) for s in g.states) == 8
    assert set(outcomes(g, "acted[0]", "acted[1]", "deep")) == {("draw", "", a, b, 0) for a in range(3) for b in range(3)}


def test_acting_until_not_acting_any_more() -> None:
    assert values("keep", "acted[0]", "acted[1]") == {("draw", "", n, 0): 1 for n in range(3)}


def test_what_waits_for_the_first_comes_first_and_what_arises_meanwhile_waits_too() -> None:
    """Two of the second player's come first, one of which makes another wait for the first player; it is looked at
    before each, and before the end."""
    assert values("waiting", "due[0]", "due[1]", "checks") == {("win", 1, 0, 0, 5): 1}


def test_later_turns_are_not_told_apart() -> None:
    g = played("turns")
    assert [read(g.engine.program, s, "turn_player", "turn_number") for s in g.states] == [(1, 1), (0, 2), (1, 3), (0, 3)]
    assert len(g.cycle_states()) == 2


def test_what_is_pronounced_on_both_players_decides_the_game() -> None:
    """Nothing, WINS or LOSES for each: who wins is clear unless both have the same, about which the book is silent."""
    won = values("ending", "wins[0]", "loses[0]", "wins[1]", "loses[1]")
    said = {(k[2] - k[3], k[4] - k[5]): k[:2] for k in won if isinstance(k[2], int) and isinstance(k[4], int)}  # pyright: ignore
    assert said == {
        (0, 0): ("over", ""), (1, 0): ("win", 0), (0, -1): ("win", 0), (1, -1): ("win", 0),
        (0, 1): ("win", 1), (-1, 0): ("win", 1), (-1, 1): ("win", 1), (1, 1): ("gap", "10.1.1"), (-1, -1): ("gap", "10.1.1"),
    }


def test_what_the_kernel_does_is_told_with_the_clause_of_the_call() -> None:
    g = played("window")
    traced: list[Traced] = []
    at = g.engine.point(g.states[0])
    assert at is not None
    g.engine.apply(g.states[0], at.options[0], traced)
    assert {c for x in traced for c in x.at.clauses} == {"1.1"}
    assert any(x.at.file == "model/kernel/windows.py" for x in traced)
