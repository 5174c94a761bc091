"""Which figures printed on cards a play looks at: a reader has to know them to follow it, though the cards have no text."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from weakref import proxy

from ...model.engine.describe import Describer
from ...model.engine.effects import Effects
from ...model.engine.interpreter import Code, Interpreter
from ...model.engine.state import Option, Point, State
from ...model.engine.values import Locals, Slots, Value
from ...model.ir import nodes as ir
from ...model.lang.world import YES, CardDef
from ...spec.text import Text

MOST_CARDS = 4
"""Of more cards than this without a text no figures are told."""


class _Noting(Effects):
    """Notes which entries of these tables are looked up."""

    def __init__(self, like: Effects, tables: Iterable[int], note: Callable[[int], None]) -> None:
        self.tables, self.note = frozenset(tables), note
        super().__init__(like.program, like.call, like.sweep, like.result)

    def value(self, e: ir.Expr) -> Value:
        plain = super().value(e)
        if not (isinstance(e, ir.Table) and e.table in self.tables):
            return plain
        index, note = super().value(e.index), self.note

        def noting(g: Slots, f: Locals) -> int:
            note(index(g, f))
            return plain(g, f)
        return noting


class Looking(Interpreter):
    """The reference engine, noting of which cards a figure is looked at; not where it is worked out what can be chosen next."""

    def __init__(self, like: Interpreter, tables: Iterable[int]) -> None:
        self.seen: set[int] = set()
        self.asking = False
        super().__init__(like.program, like.policies, card_ids=like.card_ids)
        engine = proxy(self)
        self.effects = _Noting(self.effects, tables, lambda card: engine.note(card))

    def note(self, card: int) -> None:
        """A figure of the card is looked at."""
        if not self.asking:
            self.seen.add(card)

    def _asked(self, code: Code, pc: int, g: Slots, f: Locals) -> Point:
        before, self.asking = self.asking, True
        try:
            return super()._asked(code, pc, g, f)
        finally:
            self.asking = before


class Figures:
    """What is printed in numbers on the cards of a scenario, and when play looks at it."""

    def __init__(self, describer: Describer, interpreter: Interpreter) -> None:
        self.describer, self.interpreter = describer, interpreter

    @cached_property
    def columns(self) -> Mapping[str, Mapping[int, int]]:
        """For each attribute of which the book tells: its value on every card that has it, as in a program's tables."""
        d, found = self.describer, dict[str, dict[int, int]]()
        for c, card in enumerate(d.world.cards):
            for key, value in card.definition.attributes.items():
                if f"Printed.{key}" not in d.words.words:
                    continue
                if isinstance(value, tuple):
                    if value and all(x.text.isdigit() for x in value):
                        found.setdefault(key, {})[c] = sum(1 << int(x.text) for x in value)
                elif value.text.lstrip("+-").isdigit():
                    found.setdefault(key, {})[c] = int(value.text)
                elif value.text in YES:
                    found.setdefault(key, {})[c] = 1
        return found

    @cached_property
    def engine(self) -> Looking:
        """The engine that notes what is looked at: the tables that hold such a column."""
        program = self.interpreter.program
        size = program.layout.card_count
        tables = [k for k, table in enumerate(program.tables) if len(table) == size
                  and any(all(table[c] == x for c, x in column.items()) for column in self.columns.values())]
        return Looking(self.interpreter, tables)

    def looked_at(self, steps: Iterable[tuple[State, Option]]) -> tuple[Text, ...]:
        """The cards without a text of which these steps look at a figure, or which a player chooses in them (what is the same on all cards
        is looked up nowhere), with their figures; none where they are many."""
        engine, d = self.engine, self.describer
        engine.seen.clear()
        chosen = ""
        for state, option in steps:
            at = engine.point(state)
            if at is not None and at.owner >= 0 and d.decider(at, state) is not None:
                chosen += d.taken(state, at, option).ja
            engine.apply(state, option)
        cards: dict[str, CardDef] = {}
        for c, one in enumerate(d.world.cards):
            card = one.definition
            if (c in engine.seen or f"「{card.name.ja}」" in chosen) and not any(
                a.name is not None for a in card.abilities
            ):
                cards.setdefault(card.id, card)
        told = [
            said
            for card in cards.values()
            if (said := d.card_text(card)) != Text(ja=f"「{card.name.ja}」", en=f"“{card.name.en}”")
        ]
        return tuple(told) if len(told) <= MOST_CARDS else ()
