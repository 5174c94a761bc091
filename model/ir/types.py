"""Types of the IR. Every scalar is an integer between `lo` and `hi`; bundles flatten to several scalars."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TypeVar

V = TypeVar("V")


class Role(Enum):
    """What a scalar refers to: decides how a permutation of cards and `renew` act on it."""

    PLAIN = "plain"
    CARD = "card"
    """A physical card, or none."""
    OBJECT = "object"
    """A card as the object it now is, or none: swept by `renew`."""
    CARDS = "cards"
    """A set of cards, as a bit mask."""


@dataclass(frozen=True)
class Type:
    """Base of all types. `width` is the number of scalars a value flattens to."""

    @property
    def width(self) -> int:
        return len(self.flat())

    @property
    def lo(self) -> int:
        return 0

    @property
    def hi(self) -> int:
        return 0

    @property
    def role(self) -> Role:
        return Role.PLAIN

    def flat(self) -> tuple[Type, ...]:
        """The scalar types a value of this type flattens to."""
        return (self,)


@dataclass(frozen=True)
class Int(Type):
    """An integer from `least` to `most`."""

    least: int
    most: int

    @property
    def lo(self) -> int:
        return self.least

    @property
    def hi(self) -> int:
        return self.most

    def __str__(self) -> str:
        return f"{self.least}..{self.most}"


ANY_INT = Int(-(1 << 15), (1 << 15) - 1)
"""An integer whose range nobody stated."""


@dataclass(frozen=True)
class Bool(Type):
    """False (0) or true (1)."""

    @property
    def hi(self) -> int:
        return 1

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True)
class Finite(Type):
    """One of `count` things, numbered from 0: the base of players, cards, enumerations, abilities, zones."""

    name: str
    count: int

    @property
    def hi(self) -> int:
        return max(0, self.count - 1)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class PlayerType(Finite):
    """One of the players."""


@dataclass(frozen=True)
class ZoneType(Finite):
    """A place for cards, as a value."""


@dataclass(frozen=True)
class RefType(Finite):
    """A place in a pool."""

    pool: str = ""


@dataclass(frozen=True)
class ReadingType(Finite):
    """The alternative of a reading."""

    alternatives: tuple[str, ...] = ()


# ---------------------------------------------------------------- as many as a scenario has
@dataclass(frozen=True)
class EnumType(Finite):
    """An enumeration: the members that the book lists, then words of the scenario's cards."""

    members: tuple[str, ...] = ()
    listed: int = 0

    @property
    def of_book(self) -> tuple[str, ...]:
        """The members that the book lists: the same in every scenario."""
        return self.members[: self.listed]


@dataclass(frozen=True)
class AbilityType(Finite):
    """One of the ability texts of the scenario."""


@dataclass(frozen=True)
class CardType(Finite):
    """A physical card."""

    @property
    def role(self) -> Role:
        return Role.CARD

    @property
    def as_object(self) -> ObjType:
        """The card as the object it now is."""
        return ObjType("Obj", self.count)


@dataclass(frozen=True)
class ObjType(Finite):
    """A card as the object it now is; stands only inside `Option`."""

    @property
    def role(self) -> Role:
        return Role.OBJECT


def same_members(a: Type, b: Type) -> bool:
    """Are the values of one those of the other in every world? An object is a card."""
    cards = CardType | ObjType
    return a == b or (isinstance(a, cards) and isinstance(b, cards))


@dataclass(frozen=True)
class OptionType(Type):
    """A value of `inner`, or none, which is coded one below the least value of `inner`."""

    inner: Type

    @property
    def lo(self) -> int:
        return self.inner.lo - 1

    @property
    def hi(self) -> int:
        return self.inner.hi

    @property
    def none(self) -> int:
        return self.inner.lo - 1

    @property
    def role(self) -> Role:
        return self.inner.role

    def __str__(self) -> str:
        return f"Option[{self.inner}]"


@dataclass(frozen=True)
class SetType(Type):
    """A set of scalars of `inner`: bit i stands for the value `inner.lo + i`."""

    inner: Type

    @property
    def span(self) -> int:
        return 0 if isinstance(self.inner, Finite) and self.inner.count == 0 else self.inner.hi - self.inner.lo + 1

    @property
    def hi(self) -> int:
        return (1 << self.span) - 1

    @property
    def role(self) -> Role:
        return Role.CARDS if self.inner.role in (Role.CARD, Role.OBJECT) else Role.PLAIN

    def __str__(self) -> str:
        return f"Set[{self.inner}]"


@dataclass(frozen=True)
class NothingType(Type):
    """No value: the result of a rule that returns nothing, and the type of `None`."""

    def flat(self) -> tuple[Type, ...]:
        return ()

    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True)
class EmptySetType(Type):
    """The type of `set()`, which fits any set."""

    def __str__(self) -> str:
        return "the empty set"


@dataclass(frozen=True)
class RecordType(Type):
    """A bundle of named fields."""

    name: str
    fields: tuple[tuple[str, Type], ...]
    does_nothing: bool = False
    """As an option: a player who chooses it does nothing."""

    @cached_property
    def _flat(self) -> tuple[Type, ...]:
        return tuple(s for _, t in self.fields for s in t.flat())

    def flat(self) -> tuple[Type, ...]:
        return self._flat

    def parts(self, values: Sequence[V]) -> Iterator[tuple[str, Type, Sequence[V]]]:
        """Its fields, each with its type and with what it has of the flattened values."""
        at = 0
        for name, of in self.fields:
            yield name, of, values[at : at + of.width]
            at += of.width

    def offset(self, field: str) -> tuple[int, Type]:
        """Where the field's scalars begin, and its type. KeyError if there is no such field."""
        at = 0
        for name, t in self.fields:
            if name == field:
                return at, t
            at += t.width
        raise KeyError(field)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class UnionType(Type):
    """One of several records: a tag, then the fields of every variant (zero where they do not apply)."""

    variants: tuple[RecordType, ...]

    def flat(self) -> tuple[Type, ...]:
        return (Int(0, len(self.variants) - 1), *(s for v in self.variants for s in v.flat()))

    def offset(self, name: str) -> tuple[int, int, RecordType]:
        """Tag, offset of the first scalar, and record of a variant. KeyError if it is not one."""
        at = 1
        for tag, v in enumerate(self.variants):
            if v.name == name:
                return tag, at, v
            at += v.width
        raise KeyError(name)

    def __str__(self) -> str:
        return " | ".join(v.name for v in self.variants)


@dataclass(frozen=True)
class CauseType(Type):
    """What triggers capture: columns for objects, for cards and for plain numbers, as many as the scenario needs."""

    objects: int
    cards: int
    numbers: int
    card_count: int

    def flat(self) -> tuple[Type, ...]:
        return (
            *(OptionType(ObjType("Obj", self.card_count)) for _ in range(self.objects)),
            *(OptionType(CardType("Card", self.card_count)) for _ in range(self.cards)),
            *(ANY_INT for _ in range(self.numbers)),
        )

    def __str__(self) -> str:
        return "Cause"


NOTHING = NothingType()
BOOL = Bool()


def some(of: Type) -> Type:
    """What a value is that is not none."""
    return of.inner if isinstance(of, OptionType) else of


def blank(of: Type) -> int:
    """What a scalar holds that is not in use: it refers to no card."""
    if of.role in (Role.CARD, Role.OBJECT):
        return -1
    if isinstance(of, Finite):
        return 0
    return of.lo if of.lo > 0 or of.hi < 0 or isinstance(of, OptionType) else 0


def domain(of: Type) -> tuple[int, int]:
    """The least and greatest value a slot or local of the type may hold, not in use included."""
    return (-1 if of.role in (Role.CARD, Role.OBJECT) else of.lo), of.hi
