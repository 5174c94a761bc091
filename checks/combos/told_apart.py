"""Which cards a test cannot tell apart: what is worked out for one of them holds for all."""
from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from ...model.ir import nodes as ir
from ...model.ir.flow import calls_in, closure, nodes_of, walk
from ...model.ir.program import Program

Marks = tuple[frozenset[int], frozenset[int]]
"""What code looks at of a card: tables of what is printed (their numbers), and constants, each a card or a set of cards."""


class ToldApart:
    """The cards of one program, told apart by what code looks at."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.of_test: dict[int, Marks] = {}
        self.of_marks: dict[Marks, list[int]] = {}

    def alike(self, cards: int, test: ir.Expr, others: Collection[int]) -> list[int]:
        """Some cards (a bit each) in parts that a test cannot tell apart, where `others` are the sets of cards that it is worked out with."""
        marks = self.of_test.get(id(test))
        if marks is None:
            called = {n.function for n in walk(test) if isinstance(n, ir.Call)}
            marks = self.of_test[id(test)] = self.marks_of(walk(test), closure(called, self.calls.__getitem__))
        if marks not in self.of_marks:
            self.of_marks[marks] = self.parts_by(marks)
        return parted([part for all_of in self.of_marks[marks] if (part := all_of & cards)], others)

    @cached_property
    def calls(self) -> dict[str, list[str]]:
        """The functions that each calls."""
        return {name: [i.function for i in calls_in(fn)] for name, fn in self.program.functions.items()}

    def marks_of(self, nodes: Collection[ir.Node], functions: Collection[str]) -> Marks:
        """What nodes and functions look at."""
        there = [*nodes, *(n for f in functions for n in nodes_of(self.program.functions[f], ir.Table, ir.Const))]
        return frozenset(n.table for n in there if isinstance(n, ir.Table)), frozenset(
            n.value for n in there if isinstance(n, ir.Const) and n.value > 0
        )

    def parts_by(self, marks: Marks) -> list[int]:
        """All cards in parts."""
        tables, constants = marks
        many, rows = self.program.layout.card_count, dict[tuple[int, ...], int]()
        columns = [table for n in sorted(tables) if len(table := self.program.tables[n]) >= many]
        for k in range(many):
            row = tuple(table[k] for table in columns)
            rows[row] = rows.get(row, 0) | 1 << k
        return parted([*rows.values()], {x for c in constants for x in (c, 1 << c if c < many else 0)})


def parted(parts: list[int], sets: Collection[int]) -> list[int]:
    """The same, each cut into what lies in a set and what does not."""
    for cut in sets:
        parts = [x for part in parts for x in (part & cut, part & ~cut) if x]
    return parts
