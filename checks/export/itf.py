"""A play in the Informal Trace Format (ITF) of Apalache: a JSON file that its viewer for VS Code and other readers open.

Each field of the book's state is a variable, but for those that its words hide. `step` says what led to a state: who chose what, by which clauses.
docs/findings.md has the form.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...model.engine.describe import Describer
from ...model.engine.state import DECIDERS, SEATS, End, State
from ...model.engine.table import open_table
from ...model.ir import types as t
from ...model.ir.flow import members
from ...model.ir.program import Container, Fields, Keyed, Leaf, PlaceNode, Zones, entries, place_number, size
from ...model.lang.world import World
from ...spec.groups import grouped
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
EMPTY: Mapping[str, str] = {}


def case_as_itf(case: Case, lang: Lang) -> dict[str, Value]:
    """The play of a case, replayed in the reference engine. Raises ValueError where it does not replay."""
    finding = case.finding
    about = {"finding": finding.id, "certainty": finding.certainty.value}
    return play_as_itf(subject_for(case), finding.play, f"{finding.id} {finding.title.in_(lang)}", lang, about=about)


def record_as_itf(record: SavedPlay, lang: Lang) -> dict[str, Value]:
    """A saved play, which is all that a client needs to play it after: who chose what, and what everything then is. Raises BadInput."""
    subject = subject_of(open_table(read_scenario(record.scenario), record.log.readings), symmetry=False)
    told, _ = subject.tell_all(way_of(record, subject)[0], opening=record.log.start)
    return play_as_itf(subject, Play(tuple(told)), subject.title.in_(lang), lang, [record.log.start])


def play_as_itf(
    subject: Subject,
    play: Play,
    description: str,
    lang: Lang,
    starts: Sequence[int] = (),
    about: Mapping[str, str] = EMPTY,
) -> dict[str, Value]:
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
            "format": "ITF",
            "format-description": DESCRIPTION,
            "description": description,
            "source": f"{subject.book}/{subject.scenario}",
            **about,
            "readings": dict(sorted(subject.readings.items())),
        },
        "params": [],
        "vars": ["step", "end", *write.variables],
        "states": [
            {"#meta": {"index": n}, **write.state(state, step, by)}
            for n, ((state, step), by) in enumerate(zip(states, deciders(subject, states), strict=True))
        ],
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


def deciders(subject: Subject, states: Sequence[tuple[State, PlayStep | None]]) -> list[str]:
    """Who decided the step to each of the states; of what happens before the first choice, nobody."""
    by = [""]
    for before, _ in states[:-1]:
        at = subject.engine.point(before) if before.frames else None
        by.append("nobody" if at is None else DECIDERS[at.owner])
    return by


class StateWriter:
    """Writes states of one program as values of ITF, by the names that the rules give: the same in every language."""

    def __init__(self, describer: Describer, lang: Lang) -> None:
        self.describer = describer
        self.lang: Lang = lang
        self.layout = describer.layout
        self.cards = card_names(describer.world)
        self.variables = [f for f in self.layout.fields if not describer.words.hides(f)]

    def state(self, state: State, step: PlayStep | None, by: str) -> dict[str, Value]:
        """Every variable with its value; `by` says who decided the step to it."""
        return {
            "step": self.step(step, by),
            "end": self.end(state.end),
            **{f: self.place(self.layout.fields[f], state.slots) for f in self.variables},
        }

    def said(self, text: Text | None) -> str:
        """A text in the language asked for."""
        return "" if text is None else text.in_(self.lang)

    def step(self, step: PlayStep | None, by: str) -> Value:
        """What led to a state, as a record: who decided it, and in words who that is, what was chosen, what else there was."""
        if step is None:
            return {"by": "", "decider": "", "chosen": "", "others": [], "clauses": [], "changes": []}
        return {
            "by": by,
            "decider": self.said(step.decider),
            "chosen": self.said(step.chosen),
            "others": [self.said(other) for other in step.alternatives],
            "clauses": list(step.clauses),
            "changes": [self.said(change) for change in step.changes],
        }

    def end(self, end: End | None) -> Value:
        """How play ended, as a record; all empty while it goes on."""
        if end is None:
            return {"kind": "", "winner": "", "detail": "", "words": ""}
        return {
            "kind": end.kind,
            "winner": SEATS[end.who] if end.kind == "win" else "",
            "detail": end.detail,
            "words": self.said(self.describer.ending(end)),
        }

    # ------------------------------------------------------------ fields
    def place(self, node: PlaceNode, slots: Sequence[int], at: tuple[int, ...] = ()) -> Value:
        """A field, or what there is of it for these keys."""
        match node:
            case Keyed(key=key, of=inner):
                return {
                    "#map": [
                        [self.value(key, key.lo + k), self.place(inner, slots, (*at, k))] for k in range(size(key))
                    ]
                }
            case Fields(nodes=nodes):
                return {
                    name: self.place(inner, slots, at)
                    for name, inner in nodes
                    if name not in self.describer.words.hidden
                }
            case Leaf(base=base, keys=keys, type=of):
                return self.value(of, slots[base + place_number(keys, at)])
            case Zones(base=base, keys=keys):
                return self.zone(base + place_number(keys, at), slots)
            case Container(info=info) if info.is_pool:
                return {
                    "#map": [
                        [integer(k + 1), self.flat(info.type, [slots[c + k] for c in info.columns])]
                        for k in members(slots[info.head])
                    ]
                }
            case Container(info=info):
                return [self.flat(info.type, entry) for entry in entries(info, slots)]

    def zone(self, zone: int, slots: Sequence[int]) -> Value:
        """The cards of a zone: as a set where it has no order, else from bottom to top, with a set in place of cards of which nobody knows how they lie."""
        inside = [c for c in range(self.layout.card_count) if slots[self.layout.location + c] == zone]
        if not self.layout.zones[zone].ordered:
            return {"#set": [self.cards[c] for c in inside]}
        alike = grouped(
            (slots[self.layout.rank + c], self.cards[c])
            for c in sorted(inside, key=lambda c: slots[self.layout.rank + c]))
        return [names[0] if len(names) == 1 else {"#set": names} for names in alike.values()]

    # ------------------------------------------------------------ values
    def flat(self, of: t.Type, parts: Sequence[int]) -> Value:
        """A value of any type, flattened. Of a union it says which record it is, as Apalache does."""
        match of:
            case t.UnionType(variants=variants):
                _, at, record = of.offset(variants[parts[0]].name)
                return {"tag": variants[parts[0]].name, "value": self.flat(record, parts[at:at + record.width])}
            case t.RecordType():
                return {name: self.flat(inner, part) for name, inner, part in of.parts(parts)}
            case _ if of.width == 1:
                return self.value(of, parts[0])
            case _:
                return [self.value(inner, value) for inner, value in zip(of.flat(), parts, strict=True)]

    def value(self, of: t.Type, value: int) -> Value:
        """A scalar: numbers and truth values as such, all else by its name; empty where there is none."""
        match of:
            case t.OptionType(inner=inner, none=none):
                return "" if value == none else self.value(inner, value)
            case t.Bool():
                return bool(value)
            case t.CardType() | t.ObjType():
                return self.cards[value] if 0 <= value < self.layout.card_count else ""
            case t.PlayerType():
                return SEATS[value]
            case t.EnumType(members=names):
                return names[value]
            case t.AbilityType():
                return self.describer.world.abilities[value].id
            case t.ZoneType():
                return self.layout.zones[value].name if 0 <= value < len(self.layout.zones) else ""
            case t.SetType(inner=inner):
                return {"#set": [self.value(inner, k + inner.lo) for k in members(value)]}
            case t.RefType():
                return integer(value + 1)
            case t.Int():
                return integer(value)
            case _:
                return self.said(self.describer.value(of, value))


def card_names(world: World) -> list[str]:
    """Each card by its id; where there are several of one, they are numbered."""
    ids = [card.definition.id for card in world.cards]
    many, met, names = Counter(ids), Counter[str](), list[str]()
    for name in ids:
        met[name] += 1
        names.append(name if many[name] == 1 else f"{name}#{met[name]}")
    return names


def integer(value: int) -> Mapping[str, str]:
    """A whole number, as ITF wants it."""
    return {"#bigint": str(value)}
