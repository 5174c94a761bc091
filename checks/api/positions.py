"""Positions with the names that the rules of a book give to what is in them."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model.engine.describe import Describer
from ...model.engine.state import SEATS, State
from ...model.ir import types as t
from ...model.ir.flow import members
from ...model.ir.program import Container, Fields, Keyed, Leaf, PlaceNode, Zones, entries, place_number, size
from ...spec.text import Text


@dataclass(frozen=True)
class Card:
    """One physical card: the number of what is printed on it, which of the equal ones it is (from 1), and its name."""

    id: str
    copy: int
    name: Text

    def __str__(self) -> str:
        return f"{self.id}#{self.copy}"


@dataclass(frozen=True)
class Entry:
    """A record, or what waits in a container: its kind, and its values by name (`entry["card"]`)."""

    kind: str
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __hash__(self) -> int:
        return hash((self.kind, tuple(self.values.items())))


class Position:
    """What lies where and counts how much in one state of play.

    Every field of the book's state is an attribute: `position.turn_player`. What there is once for each player, lane or card is asked for by
    that: `position.hand["first"]`, `position.lane["second"][0]`; `position.first.hand` is the same as `position.hand["first"]`.
    Zones are tuples of cards, from bottom to top where they have an order (of cards of which nobody knows how they lie, any one). `dir(position)` lists the names.
    """

    def __init__(self, describer: Describer, state: State) -> None:
        self._describer, self._state = describer, state

    def __getattr__(self, name: str) -> Any:
        if name in SEATS:
            return Side(self, SEATS.index(name))
        return self._value(self._describer.layout.fields[self._known(name)], ())

    def __dir__(self) -> list[str]:
        return [*SEATS, *self._describer.layout.fields]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self._state == other._state
            and self._describer.program is other._describer.program
        )

    def __hash__(self) -> int:
        return hash(self._state)

    def __str__(self) -> str:
        return self._describer.position(self._state).en

    @property
    def words(self) -> Text:
        """The position in the words of the book, drawn in lines."""
        return self._describer.position(self._state)

    def _known(self, name: str) -> str:
        if name not in self._describer.layout.fields:
            raise AttributeError(f"the state of this book has no field {name!r}; it has {', '.join(self._describer.layout.fields)}")
        return name

    # ------------------------------------------------------------ values
    def _value(self, node: PlaceNode, at: tuple[int, ...]) -> Any:
        match node:
            case Keyed():
                return Keys(self, node, at)
            case Fields():
                return Entry(node.type.name, {name: self._value(inner, at) for name, inner in node.nodes})
            case Leaf():
                return self._scalar(node.type, self._state.slots[node.base + place_number(node.keys, at)])
            case Zones():
                return self._zone(node.base + place_number(node.keys, at))
            case Container():
                of = node.info.type
                return (
                    tuple(self._record(of, entry) for entry in entries(node.info, self._state.slots))
                    if not node.info.is_pool
                    else tuple(
                        self._record(of, [self._state.slots[c + k] for c in node.info.columns])
                        for k in members(self._state.slots[node.info.head])
                    )
                )

    def _zone(self, zone: int) -> tuple[Card, ...]:
        layout, slots = self._describer.layout, self._state.slots
        inside = [c for c in range(layout.card_count) if slots[layout.location + c] == zone]
        if layout.zones[zone].ordered:
            inside.sort(key=lambda c: slots[layout.rank + c])
        return tuple(map(self._card, inside))

    def _card(self, number: int) -> Card:
        cards = self._describer.world.cards
        definition = cards[number].definition
        return Card(definition.id, 1 + sum(c.definition.id == definition.id for c in cards[:number]), definition.name)

    def _record(self, of: t.Type, flat: Sequence[int]) -> Any:
        match of:
            case t.UnionType(variants=variants):
                _, at, record = of.offset(variants[flat[0]].name)
                return self._record(record, flat[at:at + record.width])
            case t.RecordType(name=name, fields=fields):
                values, at = dict[str, Any](), 0
                for field, inner in fields:
                    values[field] = self._record(inner, flat[at:at + inner.width])
                    at += inner.width
                return Entry(name, values)
            case _ if of.width == 1:
                return self._scalar(of, flat[0])
            case _:
                return tuple(self._scalar(inner, value) for inner, value in zip(of.flat(), flat, strict=True))

    def _scalar(self, of: t.Type, value: int) -> Any:
        match of:
            case t.OptionType(inner=inner, none=none):
                return None if value == none else self._scalar(inner, value)
            case t.Bool():
                return bool(value)
            case t.CardType() | t.ObjType():
                return self._card(value) if 0 <= value < self._describer.layout.card_count else None
            case t.PlayerType():
                return SEATS[value]
            case t.EnumType(members=names):
                return names[value]
            case t.SetType(inner=inner):
                return frozenset(self._scalar(inner, k + inner.lo) for k in members(value))
            case t.Int():
                return value
            case _:
                return self._describer.value(of, value)


class Keys:
    """What there is once for each value of a type: asked for by it (`hand["first"]`), or gone through as (value, what there is)."""

    def __init__(self, position: Position, node: Keyed, at: tuple[int, ...]) -> None:
        self._position, self._node, self._at = position, node, at

    @property
    def _names(self) -> dict[Any, int]:
        key = self._node.key
        return {self._position._scalar(key, key.lo + k): k for k in range(size(key))}  # pyright: ignore[reportPrivateUsage]

    def __getitem__(self, name: Any) -> Any:
        names = self._names
        if name not in names:
            raise KeyError(f"{name!r} is not among {', '.join(map(str, names))}")
        return self._position._value(self._node.of, (*self._at, names[name]))  # pyright: ignore[reportPrivateUsage]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._names)

    def __len__(self) -> int:
        return size(self._node.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keys) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __repr__(self) -> str:
        return f"<{', '.join(f'{name}: {there!r}' for name, there in self.items())}>"

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Each value with what there is for it."""
        return ((name, self[name]) for name in self)


class Side:
    """What one player has: the fields that there are once for each player."""

    def __init__(self, position: Position, player: int) -> None:
        self._position, self._player = position, player

    def __getattr__(self, name: str) -> Any:
        node = self._position._describer.layout.fields[self._position._known(name)]  # pyright: ignore[reportPrivateUsage]
        if not isinstance(node, Keyed) or not isinstance(node.key, t.PlayerType):
            raise AttributeError(f"there is one {name!r} for both players")
        return self._position._value(node.of, (self._player,))  # pyright: ignore[reportPrivateUsage]

    def __dir__(self) -> list[str]:
        fields = self._position._describer.layout.fields.items()  # pyright: ignore[reportPrivateUsage]
        return [name for name, node in fields if isinstance(node, Keyed) and isinstance(node.key, t.PlayerType)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Side) and all(getattr(self, name) == getattr(other, name, None) for name in dir(self))

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in dir(self)))

    def __repr__(self) -> str:
        return f"<{', '.join(f'{name}: {getattr(self, name)!r}' for name in dir(self))}>"
