"""A play in the Informal Trace Format (ITF) of Apalache: a JSON file that its viewer for VS Code and other readers open.

Each field of the book's state is a variable. `step` says what led to a state: who chose what, by which clauses.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...model.engine.describe import Describer
from ...model.engine.state import State
from ...model.engine.table import open_table
from ...model.ir import types as t
from ...model.ir.program import Container, Zones
from ...spec.readers import read_scenario
from ...spec.text import Lang, Text
from ..explore.subject import Subject
from ..findings.record import Play, PlayStep
from ..scenarios.saved_plays import SavedPlay, way_of
from ..scenarios.subjects import subject_of
from ..stored.cases import Case
from ..stored.replaying import find_option, subject_for

DESCRIPTION = "https://apalache-mc.org/docs/adr/015adr-trace.html"
Value = Any
"""A value of ITF."""


def case_as_itf(case: Case, lang: Lang) -> dict[str, Value]:
    """The play of a case, replayed in the reference engine. Raises ValueError where it does not replay."""
    finding = case.finding
    return play_as_itf(subject_for(case), finding.play, f"{finding.id} {finding.title.in_(lang)}", lang)


def record_as_itf(record: SavedPlay, lang: Lang) -> dict[str, Value]:
    """A saved play, which is all that a client needs to play it after: who chose what, and what everything then is. Raises BadInput."""
    subject = subject_of(open_table(read_scenario(record.scenario), record.log.readings), symmetry=False)
    told, _ = subject.tell_all(way_of(record, subject)[0], opening=record.log.start)
    return play_as_itf(subject, Play(tuple(told)), subject.title.in_(lang), lang, [record.log.start])


def play_as_itf(subject: Subject, play: Play, description: str, lang: Lang, starts: Sequence[int] = ()) -> dict[str, Value]:
    """A play from the first of these positions (else of all there are) from which it goes. Raises ValueError where there is none."""
    for start in starts or range(len(subject.starts)):
        told = states_along(subject, start, play.stem, play.cycle)
        if told is not None:
            break
    else:
        raise ValueError("the play does not replay")
    states, loop = told
    write = StateWriter(subject.describer, lang)
    data: dict[str, Value] = {
        "#meta": {
            "format": "ITF", "format-description": DESCRIPTION, "description": description,
            "source": f"{subject.book}/{subject.scenario}", "readings": dict(sorted(subject.readings.items())),
        },
        "params": [],
        "vars": ["step", "end", *write.variables],
        "states": [{"#meta": {"index": n}, **write.state(state, step)} for n, (state, step) in enumerate(states)],
    }
    return data if loop is None else {**data, "loop": loop}


def states_along(
    subject: Subject, start: int, stem: Sequence[PlayStep], cycle: Sequence[PlayStep]
) -> tuple[list[tuple[State, PlayStep | None]], int | None] | None:
    """The states of a play, each with the step that led to it, and the number of the one that the last leads back to;
    none if the play does not go so."""
    opening = subject.opening(start)
    first = State(tuple(subject.positions[start]), ())
    states: list[tuple[State, PlayStep | None]] = []
    if opening is not None and stem:
        states.append((first, None))
        stem = stem[1:]
    state = subject.starts[start].state
    states.append((state, opening))
    head = len(states) - 1 + len(stem)
    for stored in (*stem, *cycle):
        option = find_option(subject, state, stored) if state.end is None else None
        if option is None:
            return None
        step, arrival = subject.tell(state, option)
        state = arrival.state
        states.append((state, step))
    if not cycle:
        return states, None
    if states[-1][0] != states[head][0]:
        return states, None  # it grows: no state comes back
    states.pop()
    return states, head


class StateWriter:
    """Writes states of one program as values of ITF."""

    def __init__(self, describer: Describer, lang: Lang) -> None:
        self.describer = describer
        self.lang: Lang = lang
        self.layout = describer.layout
        self.variables = [f for f in self.layout.fields if f not in describer.words.hidden]

    def state(self, state: State, step: PlayStep | None) -> dict[str, Value]:
        """Every variable with its value."""
        end = "" if state.end is None else self.said(self.describer.ending(state.end))
        return {"step": self.step(step), "end": end, **{f: self.field(f, state) for f in self.variables}}

    def said(self, text: Text | None) -> str:
        """A text in the language asked for."""
        return "" if text is None else text.in_(self.lang)

    def step(self, step: PlayStep | None) -> Value:
        """What led to a state, as a record."""
        if step is None:
            return {"decider": "", "chosen": "", "turn": "", "clauses": [], "changes": []}
        return {"decider": self.said(step.decider), "chosen": self.said(step.chosen), "turn": self.said(step.turn),
                "clauses": list(step.clauses), "changes": [self.said(change) for change in step.changes]}

    def field(self, name: str, state: State) -> Value:
        """A field: a map from place to value, or the value itself where there is only one."""
        node = self.layout.fields[name]
        entries: list[list[Value]] = []
        if isinstance(node, Container):
            count = state.slots[node.info.head]
            return {"entries": integer(count)}
        for z, info in enumerate(self.layout.zones):
            if info.field == name:
                entries.append([self.said(self.describer.zone(z)), self.cards(z, state)])
        if not entries:
            for label, slot, of in self.describer.scalars(name, node):
                entries.append([self.said(label), self.value(of, state.slots[slot])])
        labels: dict[str, int] = {}
        for entry in entries:  # places of equal cards have the same name
            n = labels[entry[0]] = labels.get(entry[0], 0) + 1
            entry[0] = entry[0] if n == 1 else f"{entry[0]} #{n}"
        if len(entries) == 1 and not isinstance(node, Zones):
            return entries[0][1]
        return {"#map": entries}

    def cards(self, zone: int, state: State) -> Value:
        """The cards of a zone by their ids and copies, from bottom to top where it has an order."""
        first = self.layout.location
        cards = [c for c in range(self.layout.card_count) if state.slots[first + c] == zone]
        if self.layout.zones[zone].ordered:
            cards.sort(key=lambda c: state.slots[self.layout.rank + c])
        return [self.card(c) for c in cards]

    def card(self, card: int) -> str:
        """A card by its id; copies are numbered."""
        cards = self.describer.world.cards
        name = cards[card].definition.id
        same = [c for c in range(len(cards)) if cards[c].definition.id == name]
        return name if len(same) == 1 else f"{name}#{same.index(card) + 1}"

    def value(self, of: t.Type, value: int) -> Value:
        """A scalar: numbers and truth values as such, all else by its name."""
        match of:
            case t.OptionType(inner=inner, none=none) if value != none:
                return self.value(inner, value)
            case t.Bool():
                return bool(value)
            case t.CardType() | t.ObjType() if 0 <= value < self.layout.card_count:
                return self.card(value)
            case t.Int():
                return integer(value)
            case _:
                return self.said(self.describer.value(of, value))


def integer(value: int) -> Mapping[str, str]:
    """A whole number, as ITF wants it."""
    return {"#bigint": str(value)}
