"""What each entry of a multiset is: a statement about every state, shown where an entry is added.

What waits was printed on the card that it is of, since it was when it began to wait; who carries it out is told no more than the entry. Such a multiset is
kept besides what a condition reads (`slices.py`), but which entries it has is not followed: after each write it holds anything of which the statement is
true. That is all that a statement about one entry can tell: what is in it was in it before, or was added, and of what is added the
statement is asked.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...model.ir.program import ContainerInfo, Program
from ...model.ir.types import AbilityType, CardType, OptionType, Role
from . import truths as t
from .facts import Fact
from .invariants import entry, is_in_use, types_of
from .numbers import Val
from .truths import Truth


@dataclass(frozen=True)
class EachEntry(Fact):
    """Of each entry of a multiset that is in use. `of_one`: of one entry; it says nothing of the rest of the state."""

    multiset: str = ""
    of_one: Callable[[Sequence[Val]], Truth] = lambda _: True


def columns(m: ContainerInfo) -> tuple[list[int], list[int]]:
    """The columns of abilities and those of cards. (Of objects nothing is said: they may die while the entry stays.)"""
    inner = [of.inner if isinstance(of, OptionType) else of for of in types_of(m)]
    return ([k for k, of in enumerate(inner) if isinstance(of, AbilityType)],
            [k for k, of in enumerate(inner) if isinstance(of, CardType) and of.role is Role.CARD])


def spoken_of(program: Program) -> list[str]:
    """The multisets of whose entries something can be said."""
    return [name for name, m in program.layout.containers.items()
            if not m.is_pool and columns(m)[1] and not any(of.role is Role.OBJECT for of in types_of(m))]


def of_entries(
    m: ContainerInfo, name: str, printed: Callable[[Val, Val], Truth] | None, sorts: Iterable[tuple[str, Callable[[Val], Truth]]],
) -> Iterator[EachEntry]:
    """The candidates for a multiset. `printed`: is the ability, if any, printed on the card; `sorts`: is the card none of a sort: as
    far as cards are followed (of another card both are true)."""
    def said(text: str, one: Callable[[Sequence[Val]], Truth]) -> EachEntry:
        def each(_: Sequence[Val], g: Sequence[Val]) -> Truth:
            return t.every(t.either(t.no(is_in_use(m, g, k)), one(entry(m, g, k))) for k in range(m.capacity))
        return EachEntry(text, each, True, multiset=name, of_one=one)
    abilities, cards = columns(m)
    for c in cards:
        if printed is not None:
            for a in abilities:
                yield said(f"column {a} of each entry of {name} is printed on column {c}", lambda v, a=a, c=c, it=printed: it(v[a], v[c]))
        for sort, none_of in sorts:
            yield said(f"column {c} of each entry of {name} is none of {sort}", lambda v, c=c, none_of=none_of: none_of(v[c]))
