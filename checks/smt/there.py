"""Worlds of which not every card need be there: a set that the rules name (all cards, or those on which something is printed) has those of its cards that
are. A card that lies nowhere does not exist."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...model.ir import nodes as ir
from ...model.ir.flow import rewrite
from ...model.ir.program import Program
from . import numbers as n
from . import truths as t
from .numbers import Val
from .sorts import CardsConst, CardsTable, marked
from .states import Sym
from .transitions import Transitions
from .truths import Truth


class There(Transitions):
    """Runs rules whose cards are marked."""

    def value(self, e: ir.Expr, s: Sym, f: list[Val]) -> Val:
        v = super().value(e, s, f)
        if not isinstance(e, CardsConst | CardsTable):
            return v
        named = n.bits(v, self.layout.card_count)
        return n.bits_of([b is not False and t.both(b, self.is_there(s, c)) for c, b in enumerate(named)])

    def lying_in(self, s: Sym, zone: Val) -> list[Truth]:
        if zone != -1:
            return super().lying_in(s, zone)
        return [t.no(self.is_there(s, c)) for c in range(self.layout.card_count)]

    def is_there(self, s: Sym, card: int) -> Truth:
        """Does the card lie somewhere?"""
        return n.at_most(0, self.location(s, card))


def with_cards(program: Program, slots: Sequence[int]) -> Program:
    """The program with only those cards in the sets that its rules name that are there in a position, at the same places in its code."""
    layout = program.layout
    there = sum(1 << c for c in range(layout.card_count) if slots[layout.location + c] >= 0)

    def change(x: ir.Node) -> ir.Node:
        match x:
            case CardsConst(value=v):
                return ir.Const(v & there, at=x.at)
            case CardsTable(table=number, index=index):
                return ir.Binary("meet", ir.Table(number, index, at=x.at), ir.Const(there), at=x.at)
            case _:
                return x
    functions = marked(program).functions.items()
    return replace(
        program, functions={name: replace(fn, code=[rewrite(i, change) for i in fn.code]) for name, fn in functions})
