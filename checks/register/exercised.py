"""What the plays of a scenario never came to: clauses whose rules could be carried out and were not. A check says nothing
about them."""
from __future__ import annotations

from ...model.engine.state import State
from ...model.engine.table import Table
from ...model.ir.flow import functions_used
from ...model.ir.footprints import Footprints
from ...model.ir.nodes import All, Call, Local, Mark, Return
from ...model.ir.program import Program
from ...model.lang.world import AbilityDef
from ...spec.book import Clauses
from ...spec.text import Text
from ..explore.explorer import SEVERAL, Exploration
from ..explore.owned_graph import FRONTIER
from ..explore.subject import Subject
from ..findings import words
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
    return Exercised(len(done & could), in_order(could - done, table.book.clauses), idle_texts(table))


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


def idle_texts(table: Table) -> tuple[Text, ...]:
    """The texts of cards that wait for an event which no rule that play can come to raises, or under a condition that is false by what is printed."""
    out: list[Text] = []
    for number, ability in enumerate(table.world.abilities):
        if ability.when is None:
            continue
        event, raised = ability.when.text, table.program.functions.get(f"emit {ability.when.text}")
        of, condition = table.describer.ability(number), ability.scripts.get("if")
        if raised is None:
            out.append(filled(words.NOT_RAISED, of, event=event))
        elif condition is not None and not ability.given and is_false_as_printed(table, ability):
            out.append(filled(words.NEVER_TRUE, of, event=event, condition=" ".join(condition.text.split())))
    return tuple(out)


def is_false_as_printed(table: Table, ability: AbilityDef) -> bool:
    """Is a part of the condition, which asks nothing but what is printed on the card that has the text, false of each card that has it?"""
    asked = table.program.functions.get(f"if {ability.id}")
    holders = [c for c, copy in enumerate(table.world.cards) if ability in copy.definition.abilities]
    if asked is None or len(asked.code) != 1 or not isinstance(asked.code[0], Return) or not holders:
        return False
    whole = asked.code[0].value
    footprints, anything = Footprints(table.program), State(tuple(table.positions[0]), ())
    return any(
        isinstance(part, Call) and part.args == (Local(0),) and not footprints.of_function(part.function)[0]
        and not any(table.engine.evaluate(part.function, anything, [c]) for c in holders)
        for part in (whole.parts if isinstance(whole, All) else (whole,)))


def filled(said: Text, of: Text, **values: str) -> Text:
    return Text(ja=said.ja.format(of=of.ja, **values), en=said.en.format(of=of.en, **values))
