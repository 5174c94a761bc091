"""What is asked of every position of a book, beside what is true: clauses that never apply, rounds that repeat for ever.

The book is written into a folder of its own, as a user's; then z3 is asked through the same functions as by the commands. The truth
is looked for from positions that a scenario may give, each field at any value of its range; rounds are gone through with no range.
"""
from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.checks.smt.queries.asking import Asker
from rulewright.checks.smt.queries.dead import all_clauses as dead
from rulewright.checks.smt.queries.loops import all_worlds as loops
from rulewright.checks.smt.queries.loops.lassos import Lasso
from rulewright.model.engine import library
from rulewright.model.engine.interpreter import Interpreter, Traced
from rulewright.model.engine.state import State
from rulewright.model.ir import types as t
from rulewright.model.ir.program import Program

from .books import Book, placed
from .compare import Untrue
from .draw import CLAUSES

NAME = "oracle"
POSITIONS = 24
"""Positions drawn, of which each is played from until so many places are known."""
STEPS = 400
ROUNDS = 300
"""How often a round is gone through that is said to repeat for ever."""


@contextmanager
def as_a_users(book: Book) -> Iterator[Path]:
    """The book in a folder, as users have theirs."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "spec" / NAME
        (place / "rules").mkdir(parents=True)
        (place / "rules" / "__init__.py").touch()
        (place / "rules" / "book.py").write_text(book.text, encoding="utf-8")
        clauses = "\n".join(f'  - {{id: "{c}", kind: procedure, ja: 例。, en: "{c}."}}' for c in CLAUSES)
        (place / "clauses.yaml").write_text(f'book: {NAME}\nedition: "0.1"\nclauses:\n{clauses}\n', encoding="utf-8")
        if book.cards:
            cards = "\n".join(f"  - id: POWER-{power}\n    name: {{ja: {power}の札, en: power {power}}}\n    power: {power}{abilities(book, power)}" for power in sorted({p for p, _ in book.cards}))
            (place / "cards.yaml").write_text(f"cards:\n{cards}\n", encoding="utf-8")
        (place / "readings.yaml").write_text(f"book: {NAME}\nreadings: []\n", encoding="utf-8")
        before = {k: os.environ.get(k) for k in ("RULEWRIGHT_BOOKS", "XDG_CACHE_HOME")}
        os.environ.update(RULEWRIGHT_BOOKS=str(Path(folder) / "spec"), XDG_CACHE_HOME=str(Path(folder) / "cache"))
        library.forget_books()
        try:
            yield place
        finally:
            for k, v in before.items():
                os.environ.pop(k) if v is None else os.environ.__setitem__(k, v)
            library.forget_books()


def abilities(book: Book, power: int) -> str:
    """What is printed on the cards of a power, as people write it."""
    if "abilities:" not in book.head:
        return ""
    each = ("\n      - " + "\n        ".join(f"{part}: {said}" if part == "when" else f"{part}: |\n          " + said.replace("\n", "\n          ") for part, said in x.items())
            for x in book.texts.get(power, ()))
    return "\n    abilities:" + ("".join(each) if book.texts.get(power) else " []")


def asked(book: Book, luck: random.Random, seconds: float = 1.0) -> tuple[list[Untrue], dict[str, int]]:
    """Ask everything of the book; what is claimed and not true, and how much was claimed."""
    found: list[Untrue] = []
    told: list[tuple[Asker, Lasso, bool]] = []
    real = loops.findings_at

    def noted(asker: Asker, lasso: Lasso, bounds: object, growing: bool = False) -> object:
        findings = real(asker, lasso, bounds, growing)  # type: ignore[arg-type]
        if findings:
            told.append((asker, lasso, growing))
        return findings
    loops.findings_at = noted  # type: ignore[assignment]
    try:
        with as_a_users(book):
            never = dead.ask(NAME, seconds=seconds)
            rounds = loops.ask(NAME, seconds=seconds)
    finally:
        loops.findings_at = real
    places = reached(book, luck)
    for f in never.findings:
        line = int(f.summary.en.partition("book.py:")[2].partition(")")[0])
        if line in places:
            found.append(Untrue("a clause told never to apply does", f"{f.title.en}: {book.text.splitlines()[line - 1].strip()}"))
    for asker, lasso, growing in told:
        why = stops(asker.program, lasso, growing)
        if why:
            found.append(Untrue("a round told to repeat for ever does not", f"{lasso.head[0]}: {why}"))
    return found, {"dead clauses told": len(never.findings), "rounds told to repeat": len(told), "rounds asked about": sum(e.count for e in rounds.examined[1:2])}


def reached(book: Book, luck: random.Random) -> set[int]:
    """Lines that are carried out from some position that a scenario may give; play goes on by lot. Numbers keep the ranges that the
    book declares: these are its own, no scenario's."""
    program = book.program(book.world(stack_depth=100))
    engine, lines = Interpreter(program), set[int]()
    for n in range(POSITIONS):
        trace = list[Traced]()
        state = engine.start(placed(book, program, luck) if n else book.slots(program), trace).state
        for _ in range(STEPS):
            if any(engine.evaluate(name, state) != 1 for name in program.invariants):
                break  # positions that break a condition are not asked about
            lines |= {m.at.line for m in trace if m.at.file.endswith("book.py")}
            trace.clear()
            at = engine.point(state)
            if at is None or not at.options:
                break
            state = engine.apply(state, luck.choice(at.options), trace).state
    return lines


def stops(program: Program, lasso: Lasso, growing: bool) -> str:
    """Why a round does not repeat with the limits of its numbers lifted; empty if it does."""
    layout = program.layout
    inside = layout.in_containers
    slots = tuple(replace(s, type=t.Int(s.type.lo, 10**9)) if isinstance(s.type, t.Int) and k not in inside else s for k, s in enumerate(layout.slots))
    functions = {name: replace(fn, locals=tuple(replace(x, type=t.Int(x.type.lo, 10**9)) if isinstance(x.type, t.Int) else x for x in fn.locals))
                 for name, fn in program.functions.items()}
    engine = Interpreter(replace(program, layout=replace(layout, slots=slots), functions=functions))
    state: State = lasso.begin
    for k in range(ROUNDS):
        begin = state
        for option in lasso.options:
            at = engine.point(state)
            if at is None:
                return f"it ends in round {k + 1}: {state.end}"
            if option not in at.options:
                return f"in round {k + 1} an option is not there"
            state = engine.apply(state, option).state
        if not growing and state.slots != begin.slots:
            return "it does not come back to the same state"
    return ""
