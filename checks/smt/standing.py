"""The statements of a slice that stand, by the place they are about: candidates, and what authors state; what fails is dropped."""
from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from . import numbers as n
from . import truths as t
from .callers import unset
from .candidates import Candidates
from .conditions import Conditions
from .contracts import Sliced
from .counted_zones import fields, lies
from .frame_conditions import frame_conditions
from .numbers import Val
from .statements import EachEntry, Fact, FrameCondition, Key, Statement
from .truths import Truth
from .universal import body_of, needed

Only = Container[Statement] | None
"""The statements that are asked for, if not all."""


class Standing:
    """The statements of a slice. `owners`: of each card."""

    def __init__(self, symbolic: Sliced, conditions: Conditions, owners: Sequence[int]) -> None:
        self.symbolic, self.slice, self.machine, self.conditions = (
            symbolic,
            symbolic.part,
            symbolic.contracts,
            conditions,
        )
        self.program, self.layout = symbolic.program, symbolic.program.layout
        self.candidates = Candidates(symbolic, owners)
        self.contracts = [
            c
            for c in self.slice.contracts
            if needed(self.slice.whole, c.function) <= self.machine.few
            and body_of(self.program, c.function) is not None
        ]
        self.at: dict[Key, dict[str, Fact | FrameCondition]] = {}

    def outside(self) -> Iterator[Fact]:
        """What is said of a card that lies in a zone of a name is as at first there."""
        if not self.slice.locations:
            return
        for block in self.layout.per_card:
            if block not in self.slice.kept or block in (self.layout.location, self.layout.rank):
                continue
            row = [x.initial for x in self.layout.slots[block:block + self.layout.card_count]]
            if len(set(row)) > 1 or self.machine.is_cards[block]:
                continue
            for field_, zones in fields(self.machine):
                yield Fact(
                    f"{self.layout.slots[block].name} is as at first in {field_}",
                    lambda _, g, b=block, v=row[0], zones=zones: t.every(
                        t.either(t.no(lies(self.machine, g, k, zones)), n.equal(g[b + k], v))
                        for k in range(self.machine.few)
                    ),
                    True,
                )

    def contracts_at(self, key: Key) -> Iterator[Fact]:
        """What authors state of a procedure; and what they state of the state alone, which may well be true elsewhere, too."""
        name, _, how = key
        for c in self.contracts:
            arity = self.program.functions[c.function].arity
            its_own = c.rule == name and how == {"expects": "in", "ensures": "left"}[c.kind]
            if its_own or not arity:
                about = {
                    x.index for i in self.program.functions[c.function].code for x in walk(i) if isinstance(x, ir.Local)
                } & set(range(arity))

                def holds(f: Sequence[Val], g: Sequence[Val], of: str = c.function, arity: int = arity) -> Truth:
                    return (
                        t.no(self.conditions.breaking.by_these(of, list(g), None, f[:arity]))
                        if arity
                        else self.conditions.holds(of, g)
                    )

                yield Fact(c.function, holds, False, frozenset(about))

    def told(self, key: Key) -> dict[str, Fact | FrameCondition]:
        """The statements that stand at a place, so far."""
        if key not in self.at:
            name, pc, how = key
            stays = unset(self.program.functions[name]) if name else frozenset[int]()
            found: list[Fact | FrameCondition]
            match how:
                case "given":
                    found = [x for x in self.candidates.of(name, 0, True) if x.about <= stays]
                case "in" | "at":
                    found = [
                        *(x for x in self.candidates.of(name, pc, False) if not (x.lasting and x.about <= stays)),
                        *self.contracts_at(key),
                    ]
                case "left":
                    found = [x for x in (*self.candidates.of_result(name), *self.contracts_at(key))
                             if x.about - {self.program.functions[name].arity} <= stays]
                case "keeps" | "since":
                    found = list(frame_conditions(self.machine, self.program.functions[name], stays))
                case "state":
                    found = [
                        *(
                            Fact(x, lambda _, g, x=x: dict(self.conditions.references(g)).get(x, True), True)
                            for x, _ in self.conditions.references(self.symbolic.fresh_state().slots)
                        ),
                        *self.outside(),
                        *self.candidates.of_entries(),
                    ]
                case _:
                    raise AssertionError(how)
            self.at[key] = {x.text: x for x in found}
        return self.at[key]

    def statement(self, what: Statement) -> Fact | FrameCondition | None:
        """The statement; None if it has been dropped."""
        return self.told(what[0]).get(what[1])

    def drop(self, what: Statement) -> None:
        self.told(what[0]).pop(what[1], None)

    def said(
        self, key: Key, locals_: Sequence[Val], slots: Sequence[Val], only: Only = None
    ) -> Iterator[tuple[Key, str, Truth]]:
        for text, x in self.told(key).items():
            if only is None or (key, text) in only:
                assert isinstance(x, Fact)
                yield key, text, x.holds(locals_, slots)

    def related(
        self, key: Key, args: Sequence[Val], before: Sequence[Val], after: Sequence[Val], only: Only = None,
    ) -> Iterator[tuple[Key, str, Truth]]:
        for text, x in self.told(key).items():
            if only is None or (key, text) in only:
                assert isinstance(x, FrameCondition)
                yield key, text, x.holds(args, before, after)

    def of_each_entry(self, name: str) -> Iterator[tuple[str, EachEntry]]:
        """What is said of each entry of a multiset that is kept besides."""
        yield from (
            (text, x)
            for text, x in self.told(("", 0, "state")).items()
            if isinstance(x, EachEntry) and x.multiset == name
        )
