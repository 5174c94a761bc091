"""What the plays of a scenario never came to: clauses whose rules could be carried out and were not. A check says nothing
about them."""
from __future__ import annotations

from ..model.engine.table import Table
from ..model.ir.flow import functions_used
from ..model.ir.program import Program
from ..spec.book import Clauses
from .explore.explorer import Limits, explore
from .explore.subject import Subject
from .findings.record import Exercised
from .register.executed import Recorder

MOST = 5_000
"""Ways on from positions that are gone once more at most, to note what is carried out."""


def exercised(table: Table, subject: Subject, limits: Limits, transitions: int) -> Exercised | None:
    """Which clauses the plays carried out, and which they never came to; None where there are too many plays to tell."""
    if transitions > MOST or not subject.starts:
        return None
    engine = Recorder(table.engine)
    for position in subject.positions:
        engine.start(list(position))
    explore(engine, subject.starts, limits, subject.symmetry)
    done = {c for mark in engine.seen.values() for c in mark.clauses}
    within = functions_used(subject.program, [subject.program.entry, *carried_out(subject.program)])
    could = {c for name in within for i in subject.program.functions[name].code for c in i.at.clauses}
    return Exercised(len(done & could), in_order(could - done, table.book.clauses))


def carried_out(program: Program) -> list[str]:
    """The rules that are carried out, whoever calls them: not what is only asked of a loop afterwards."""
    return [name for name, fn in program.functions.items() if fn.kind == "procedure"]


def in_order(clauses: set[str], book: Clauses) -> tuple[str, ...]:
    """Clauses in the order of the book."""
    return tuple(c.id.value for c in book.clauses if c.id.value in clauses)
