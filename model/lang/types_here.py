"""The types of one world in place of those of another: cards, abilities and enumerations have as many members as a scenario lists."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ..ir import types as t
from ..ir.nodes import Choose, ChooseSome, Instr
from ..ir.program import FunctionKind, Handler, LocalInfo
from .declarations import Declarations

Shape = tuple[type[t.Counted], str]
"""A type whatever its members are: its class and its name."""
FunctionTranslated = tuple[
    str, FunctionKind, int, tuple[LocalInfo, ...], tuple[Instr, ...], t.Type, tuple[Handler, ...], int,
]
"""The fields of a function."""
T = TypeVar("T", bound=t.Type)


class TypesHere:
    """The types of a world. `number`: equal ones get the same, in whatever worlds."""

    def __init__(self, d: Declarations, number: Callable[[Hashable], int]) -> None:
        self.d = d
        self.number = number
        self.known: dict[Shape, tuple[t.Counted, int]] = {}
        self.moved: dict[int, tuple[t.Type, t.Type]] = {}
        self.shapeless: dict[int, tuple[t.Type, Hashable]] = {}
        """Types by where they are, kept so that nothing else comes to lie there."""

    def counted(self, shape: Shape) -> tuple[t.Counted, int]:
        """The type of this shape here, and its number. KeyError if there is none."""
        found = self.known.get(shape)
        if found is None:
            of, name = shape
            here: t.Type
            if of is t.CardType:
                here = self.d.card
            elif of is t.ObjType:
                here = self.d.card.as_object
            elif of is t.AbilityType:
                here = self.d.ability
            else:
                here = self.d.types[name]
            if not isinstance(here, of) or here.name != name:
                raise KeyError(shape)
            found = self.known[shape] = here, self.number(here)
        return found

    def numbers(self, shapes: Sequence[Shape]) -> tuple[int, ...]:
        """The numbers of the types of these shapes."""
        return tuple([self.counted(shape)[1] for shape in shapes])

    # ------------------------------------------------------------ from another world
    def type(self, of: T) -> T:
        """The type that is here in place of one that was there."""
        known = self.moved.get(id(of))
        if known is None:
            here = self.make(of)
            known = self.moved[id(of)] = of, of if here == of else here
        return known[1]  # pyright: ignore[reportReturnType]

    def make(self, of: t.Type) -> t.Type:
        match of:
            case t.Counted():
                return self.counted((type(of), of.name))[0]
            case t.OptionType(inner=x) | t.SetType(inner=x):
                return type(of)(self.type(x))
            case t.RecordType(name=name, fields=parts):
                return t.RecordType(name, tuple((f, self.type(x)) for f, x in parts))
            case t.UnionType(variants=variants):
                return type(of)(tuple(self.type(x) for x in variants))
            case t.CauseType():
                return replace(of, card_count=self.d.cause.card_count)
            case _:
                return of

    def function(self, f: FunctionTranslated) -> FunctionTranslated:
        """A function with the types that are here."""
        name, kind, arity, of_locals, code, result, handlers, scope = f
        here = tuple(x if (of := self.type(x.type)) is x.type else LocalInfo(x.name, of) for x in of_locals)
        now = tuple(replace(i, type=self.type(i.type)) if isinstance(i, Choose | ChooseSome) else i for i in code)
        return (
            name, kind, arity, of_locals if here == of_locals else here, code if now == code else now, self.type(result), handlers, scope)

    # ------------------------------------------------------------ without
    def without_numbers(self, x: Any) -> Hashable:
        """An answer in which types say nothing of how many members they have."""
        if isinstance(x, t.Type):
            known = self.shapeless.get(id(x))
            if known is None:
                known = self.shapeless[id(x)] = x, self.shape(x)
            return known[1]
        if isinstance(x, tuple):
            return tuple([self.without_numbers(y) for y in x])  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        if is_dataclass(x) and not isinstance(x, type):
            return type(x), *(self.without_numbers(getattr(x, f.name)) for f in fields(x) if f.compare)
        return x

    def shape(self, of: t.Type) -> Hashable:
        match of:
            case t.Counted():
                return type(of), of.name
            case t.OptionType(inner=x) | t.SetType(inner=x):
                return type(of), self.without_numbers(x)
            case t.RecordType(name=name, fields=parts):
                return t.RecordType, name, self.without_numbers(parts)
            case t.UnionType(variants=variants):
                return type(of), self.without_numbers(variants)
            case t.CauseType(objects=objects, cards=cards, numbers=numbers):
                return t.CauseType, objects, cards, numbers
            case _:
                return of


def counted_in(f: FunctionTranslated) -> Iterator[Shape]:
    """The shapes of the types in a function that have as many members as a scenario lists."""
    _, _, _, of_locals, code, result, _, _ = f
    yield from shapes_in(result)
    for x in of_locals:
        yield from shapes_in(x.type)
    for i in code:
        if isinstance(i, Choose | ChooseSome):
            yield from shapes_in(i.type)


def shapes_in(of: t.Type) -> Iterator[Shape]:
    match of:
        case t.Counted():
            yield type(of), of.name
        case t.OptionType(inner=x) | t.SetType(inner=x):
            yield from shapes_in(x)
        case t.RecordType(fields=parts):
            for _, x in parts:
                yield from shapes_in(x)
        case t.UnionType(variants=variants):
            for x in variants:
                yield from shapes_in(x)
        case t.CauseType():
            yield t.ObjType, "Obj"
            yield t.CardType, "Card"
        case _:
            pass


__all__ = ["FunctionTranslated", "Shape", "TypesHere", "counted_in"]
