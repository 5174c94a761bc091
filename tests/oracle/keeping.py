"""What is proved to hold always, beside all plays: no state that play comes to breaks it."""
from __future__ import annotations

import random

from rulewright.checks.smt.each import prove_each
from rulewright.model.engine.interpreter import Interpreter

from .books import Book
from .compare import Untrue
from .ending import played

BROKEN, NEVER = "a condition proved to hold is broken", "a condition said to be broken by no state is broken"
KEEPING = (BROKEN, NEVER)
SECONDS, EACH = 30.0, 2.0
"""For all proofs of a book, and for one question."""


def told_to_be_kept(book: Book) -> tuple[list[Untrue], dict[str, int]]:
    """What is proved of the conditions of a book and does not hold; and how much is proved. Raises TooLarge."""
    plays = played(book, random.Random(0), 1)
    program = plays.program
    if not program.invariants:
        return [], {}
    engine, states = Interpreter(program), [s for s in plays.states if s.end is None or s.end.kind not in ("bound", "fault")]
    found = prove_each(program, [whose for _, whose in book.cards], book.slots(program), SECONDS, EACH)
    broken = {name for name in program.invariants if any(engine.evaluate(name, s) == 0 for s in states)}
    proved = {name for kept in found.values() for name in kept.proved}
    false = [Untrue(BROKEN, name) for name in sorted(proved & broken)]
    false += [Untrue(NEVER, name) for name in sorted(broken) if found[name].certain]
    return false, {
        "told: a condition proved": len(proved), "told: a condition not proved": len({*program.invariants} - proved),
        "true: a condition broken": len(broken), "true: a condition that holds, and is proved": len(proved - broken),
        "told: a defect of the check": sum(kept.reason is not None and "a defect" in kept.reason.en for kept in found.values())}
