"""What an expression of the rule language stands for while it is translated; how types and words are called in messages."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import types as t
from ..ir.nodes import Expr, Local, Offer
from ..ir.program import Container, ContainerInfo, PlaceNode


@dataclass(frozen=True)
class Val:
    """A value: its type, and one IR expression for each scalar it flattens to."""

    type: t.Type
    parts: tuple[Expr, ...]

    @property
    def expr(self) -> Expr:
        """The one scalar."""
        assert len(self.parts) == 1, self
        return self.parts[0]


@dataclass(frozen=True)
class Variable(Val):
    """A local of the rule that may be assigned: each of its parts is an IR local."""

    @property
    def locals(self) -> tuple[int, ...]:
        """The IR locals."""
        return tuple(p.index for p in self.parts if isinstance(p, Local))


@dataclass(frozen=True)
class Place:
    """A place in the state: where it stands in the layout, and the keys that select it so far."""

    node: PlaceNode
    keys: tuple[tuple[t.Type, Expr], ...]
    name: str


def container(m: object) -> ContainerInfo | None:
    """The multiset or pool that a place is."""
    return m.node.info if isinstance(m, Place) and isinstance(m.node, Container) else None


@dataclass(frozen=True)
class Offers:
    """A set of records (or of anything, as a comprehension): what `choose` is given."""

    type: t.Type
    offers: tuple[Offer, ...]


@dataclass(frozen=True)
class StateRef:
    """The state; `part` is what a rule sees of it, all if empty."""

    part: str = ""


@dataclass(frozen=True)
class OpenDecider:
    """`OPEN("clause")`."""

    clause: str


@dataclass(frozen=True)
class EventRef:
    """`event` in a script: its fields; `known` lists those that the event has."""

    fields: tuple[tuple[str, Val], ...]
    known: tuple[str, ...] = ()


Meaning = Val | Place | Offers | StateRef | OpenDecider | EventRef
"""What a name or expression can stand for."""


AWAITED = ("choose", "choose_some", "choose_number", "may", "chance", "run_text", "run_cost")
"""Words that interrupt play."""

USAGE = {
    "other": "other(player)",
    "owner": "owner(card)",
    "zone_of": "zone_of(card)",
    "zone_player": "zone_player(zone)",
    "zone_number": "zone_number(zone)",
    "on_top": "on_top(pile)",
    "last": "last(c for c in pile if …)",
    "first": "first(c for c in pile if …)",
    "the": "the(set)",
    "up_to": "up_to(number)",
    "put": "put(card, zone)",
    "shuffle": "shuffle(pile)",
    "renew": "renew(card)",
    "emit": "emit(Event(…))",
    "finish": "finish(winner)",
    "gap": 'gap("9.4.3")',
    "conflict": 'conflict("9.4.3")',
    "not_modelled": 'not_modelled("9.4.3")',
    "reading": 'reading("id") == "…"',
    "reading_number": 'reading_number("id")',
    "OPEN": 'OPEN("9.4.3")',
    "len": "len(set)",
    "abs": "abs(number)",
    "may": "await may(player)",
    "judge": 'judge("question", g, subject, Type)',
    "set": "set()",
    "condition": "condition(g, ability, card, you)",
    "state_holds": "state_holds(g, ability, card, you)",
    "payable": "payable(g, ability, card, you)",
    "applies_to": "applies_to(g, ability, this, you, card)",
    "how_much": "how_much(g, ability, this, you, card)",
}


def said(of: t.Type, ja: bool = False) -> str:
    """A type as it is called in a message."""
    match of:
        case t.Bool():
            return "真偽" if ja else "true or false"
        case t.Int():
            if ja:
                return "数" if of == t.ANY_INT else f"数 {of.lo}" if of.lo == of.hi else f"{of} の数"
            return "a number" if of == t.ANY_INT else f"the number {of.lo}" if of.lo == of.hi else f"a number in {of}"
        case t.NothingType():
            return "「なし」(None)" if ja else "nothing (None)"
        case t.EmptySetType():
            return "空集合" if ja else "the empty set"
        case t.SetType(inner=inner):
            return f"Set[{inner}]" if ja else f"a Set[{inner}]"
        case t.OptionType(inner=inner):
            return f"Option[{inner}]" if ja else f"an Option[{inner}]"
        case t.ReadingType(name=name):
            return f"解釈 {name}" if ja else f"the reading {name}"
        case _:
            return str(of) if ja else an(str(of))


def an(word: str) -> str:
    return f"an {word}" if word[:1] in "AEIOUaeiou" else f"a {word}"
