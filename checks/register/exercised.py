"""What the plays of a scenario never came to: clauses whose rules could be carried out and were not. A check says nothing
about them."""
from __future__ import annotations

from ...model.engine.table import Table
from ...model.ir.flow import functions_used
from ...model.ir.nodes import Mark
from ...model.ir.program import Program
from ...spec.book import Clauses
from ..explore.explorer import SEVERAL, Exploration
from ..explore.owned_graph import FRONTIER
from ..explore.subject import Subject
from ..findings.record import Exercised
from .executed import recording

MOST = 5_000
"""Ways on from positions that are gone once more at most, to note what is carried out."""


def exercised(table: Table, subject: Subject, out: Exploration) -> Exercised | None:
    """Which clauses the plays carried out, and which they never came to; None where there are too many plays to tell. Of what was judged: play
    beyond the ranges of counters and the depth of the stack is part of it."""
    if out.transitions > MOST or not subject.starts:
        return None
    done = clauses_carried_out(subject, out)
    within = functions_used(subject.program, [subject.program.entry, *carried_out(subject.program)])
    could = {c for name in within for i in subject.program.functions[name].code for c in i.at.clauses}
    return Exercised(len(done & could), in_order(could - done, table.book.clauses))


def clauses_carried_out(subject: Subject, out: Exploration) -> set[str]:
    """The clauses that some step within an exploration carries out."""
    return {c for mark in marks_carried_out(subject, out) for c in mark.clauses}


def marks_carried_out(subject: Subject, out: Exploration) -> list[Mark]:
    """The places that some step within an exploration carries out."""
    engine = recording(subject.saturated or subject.engine)
    for position in subject.positions:
        engine.start(list(position))
    for k, state in enumerate(out.states):
        at = engine.point(state) if state is not SEVERAL and out.graph.owner[k] != FRONTIER else None
        for option in at.options if at is not None else ():
            engine.apply(state, option)
    return [*engine.seen.values()]


def carried_out(program: Program) -> list[str]:
    """The rules that are carried out, whoever calls them: not what is only asked of a loop afterwards."""
    return [name for name, fn in program.functions.items() if fn.kind == "procedure"]


def in_order(clauses: set[str], book: Clauses) -> tuple[str, ...]:
    """Clauses in the order of the book."""
    return tuple(c.id.value for c in book.clauses if c.id.value in clauses)
