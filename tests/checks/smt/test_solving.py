"""Questions in SMT-LIB 2: z3 reads them back as the same, and cvc5, where it is installed, says the same."""
from __future__ import annotations

import pytest
import z3

from rulewright.checks.smt import numbers as n
from rulewright.checks.smt import truths as t
from rulewright.checks.smt.solving import Query, ask, has_cvc5, query, second_opinion, within, worked_on
from rulewright.checks.smt.symbolic import SymbolicState
from rulewright.checks.smt.worlds import free_world
from rulewright.model.engine.interpreter import Interpreter


def both_win(cards: int) -> tuple[Query, SymbolicState]:
    """harem_master: one player has five cards in the harem, another five on the scaffold."""
    symbolic = free_world("harem_master", cards).symbolic
    state = symbolic.fresh_state()
    one, other = symbolic.evaluate("five_in_the_harem", state, (0,)), symbolic.evaluate("five_on_the_scaffold", state, (0,))
    none = symbolic.program.functions["five_in_the_harem"].result.lo
    pronounce = [t.both(x.fine, t.no(n.equal(x.value, none))) for x in (one, other)]
    differ = t.no(n.equal(one.value, other.value))
    return query("two winners", [*(h.condition for h in symbolic.invariants(state)), *pronounce, differ]), state


@pytest.mark.parametrize(("cards", "verdict"), [(9, "unsat"), (10, "sat")])
def test_the_smallest_number_of_cards_is_found(cards: int, verdict: str) -> None:
    assert ask(both_win(cards)[0]).verdict == verdict


def test_what_is_found_is_what_the_interpreter_says() -> None:
    question, state = both_win(12)
    reply = ask(question)
    assert reply.model is not None
    world = free_world("harem_master", 12)
    there = world.symbolic.concrete(reply.model, state)
    engine = Interpreter(world.program)
    winners = {engine.evaluate(f, there, (0,)) for f in ("five_in_the_harem", "five_on_the_scaffold")}
    assert winners == {0, 1}
    assert all(engine.evaluate(f, there) == 1 for f in world.program.invariants)


@pytest.mark.parametrize("cards", [9, 10])
def test_the_text_asks_the_same(cards: int) -> None:
    question = both_win(cards)[0]
    text = question.text()
    assert text.startswith("; two winners\n(set-logic QF_BV)\n") and text.rstrip().endswith("(check-sat)")
    again = z3.Solver()
    again.from_string(text)
    assert str(again.check()) == ask(question).verdict


@pytest.mark.skipif(not has_cvc5(), reason="the extra cvc5 is not installed")
@pytest.mark.parametrize("cards", [9, 10])
def test_cvc5_says_the_same(cards: int) -> None:
    question = both_win(cards)[0]
    first, second = ask(question), second_opinion(question)
    assert second.verdict == first.verdict


def test_no_answer_is_an_answer_with_a_reason() -> None:
    x, y = (z3.ZeroExt(32, z3.BitVec(name, 32)) for name in "xy")
    reply = ask(Query("a prime has no factors", (x * y == (1 << 62) - 57, z3.ULT(1, x), z3.ULT(x, y), z3.ULE(y, (1 << 32) - 1))), 0.2)
    assert reply.verdict == "unknown" and reply.reason == within(0.2)


def test_sums_are_asked_in_integers_and_the_model_holds_in_bit_vectors() -> None:
    """In bit vectors alone neither is answered in the time that they have first."""
    parts = [z3.BitVec(f"x{k}", 8) for k in range(40)]
    each = [z3.And(x >= 0, x <= 5) for x in parts]
    total = z3.SignExt(8, parts[0])
    for x in parts[1:]:
        total = total + z3.SignExt(8, x)
    for wanted in (99, 201):
        reply = ask(Query("a sum", (*each, total == wanted)), 20, first=0.001)
        assert reply.verdict == ("sat" if wanted == 99 else "unsat")
        if reply.model is not None:
            assert z3.is_true(reply.model.eval(total == wanted, model_completion=True))


def test_a_proof_thinks_as_long_as_its_work_takes_however_busy_the_machine_is() -> None:
    """Seven pigeons in six holes: with too little work it is not known, and the clock does not matter."""
    holes = [z3.BitVec(f"hole{k}", 8) for k in range(7)]
    crowded = [z3.Distinct(*holes), *(z3.ULT(x, 6) for x in holes)]
    assert worked_on(z3.SimpleSolver(), crowded, 0.0001).verdict == "unknown"
    assert worked_on(z3.SimpleSolver(), crowded, 20).verdict == "unsat"
