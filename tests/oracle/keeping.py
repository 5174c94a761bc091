"""What is proved to hold always, or of procedures, beside all plays: no state that play comes to breaks it, and no call.

What is stated of a procedure is written into the book: a mark is set where it is called, or comes back, and the statement does not hold.
"""
from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from rulewright.checks.smt.each import prove_each
from rulewright.model.engine.interpreter import Interpreter

from .books import Book, Part, Rule
from .compare import Untrue
from .ending import Plays, played

BROKEN, NEVER, CALLED = "a condition proved to hold is broken", "a condition said to be broken by no state is broken", "a statement proved of a procedure does not hold"
KEEPING = (BROKEN, NEVER, CALLED)
SECONDS, EACH = 30.0, 2.0
"""For all proofs of a book, and for one question."""


def watched(book: Book) -> Book:
    """The book with a mark for each statement about a procedure: set where it does not hold."""
    stated = {r.name: r.kind for r in book.rules if r.kind.startswith(("expects(", "ensures("))}

    def rules() -> Iterator[Rule]:
        for r in book.rules:
            given = ", ".join(["g", *(x.partition(":")[0] for x in r.params.split(", ") if x)])
            mine = {kind: [Part(f"if not {s.name}({given if s.params else 'g'}):", (Part(f"g.no_{s.name} = True"),)) for s in book.rules if s.kind == f"{kind}({r.name})"]
                    for kind in ("expects", "ensures")}
            if r.name in stated:
                yield replace(r, kind="define")
            elif mine["ensures"]:
                yield replace(r, name=f"within_{r.name}", scope="")
                yield replace(r, body=(*mine["expects"], Part(f"await within_{r.name}({given})"), *mine["ensures"]))
            else:
                yield replace(r, body=(*mine["expects"], *r.body))
    return replace(book, head=book.head.rstrip() + "\n" + "".join(f"    no_{s}: bool\n" for s in stated), rules=tuple(rules()))


def not_holding(book: Book) -> set[str]:
    """The statements that do not hold in some play."""
    stated = [r.name for r in book.rules if r.kind.startswith(("expects(", "ensures("))]
    if not stated:
        return set()
    plays: Plays = played(watched(book), random.Random(0), 1)
    number = {x.name: k for k, x in enumerate(plays.program.layout.slots)}
    return {s for s in stated if any(x.slots and x.slots[number[f"no_{s}"]] for x in plays.states)}


def told_to_be_kept(book: Book) -> tuple[list[Untrue], dict[str, int]]:
    """What is proved of the conditions of a book and does not hold; and how much is proved. Raises TooLarge."""
    plays = played(book, random.Random(0), 1)
    program = plays.program
    if not program.invariants and not program.contracts:
        return [], {}
    engine, states = Interpreter(program), [s for s in plays.states if s.end is None or s.end.kind not in ("bound", "fault")]
    found = prove_each(program, [whose for _, whose in book.cards], book.slots(program), SECONDS, EACH)
    broken = {name for name in program.invariants if any(engine.evaluate(name, s) == 0 for s in states)}
    every = {name for kept in found.values() for name in kept.proved}
    proved, contracts = every & {*program.invariants}, {c.function for c in program.contracts}
    failing = not_holding(book) & contracts
    false = [Untrue(BROKEN, name) for name in sorted(proved & broken)]
    false += [Untrue(NEVER, name) for name in sorted(broken) if found[name].certain]
    false += [Untrue(CALLED, name) for name in sorted(every & failing)]
    return false, {
        "told: a statement proved": len(every & contracts), "told: a statement not proved": len(contracts - every), "true: a statement that does not hold": len(failing),
        "told: a condition proved": len(proved), "told: a condition not proved": len({*program.invariants} - proved),
        "true: a condition broken": len(broken), "true: a condition that holds, and is proved": len(proved - broken),
        "told: a defect of the check": sum(kept.reason is not None and "a defect" in kept.reason.en for kept in found.values())}
