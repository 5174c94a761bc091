"""The abilities of a world's cards: their scripts as read, and what those capture of the events that they listen to."""

from __future__ import annotations

import ast

from ...spec.diagnostics import Collector, Diagnostic, nearest
from ...spec.text import Text
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE
from .declarations import Declarations
from .source import Refused, Reporter, Source
from .values import EventRef, Val
from .world import AbilityDef, World, script_source


class Abilities:
    """The abilities of the cards of one world."""

    def __init__(self, d: Declarations, world: World, collector: Collector) -> None:
        self.d = d
        self.world = world
        self.collector = collector
        self.all = world.abilities
        self.captured: dict[str, list[tuple[str, t.Type]]] = {}
        self.sources: dict[tuple[str, str], Source] = {}

    # ------------------------------------------------------------ reading them
    def read(self) -> None:
        """Parse all scripts, and see what their texts read of the events they listen to."""
        d = self.d
        for a in self.all:
            for key, script in a.scripts.items():
                source = script_source(script, key not in ("text", "cost"), self.collector)
                if source is not None:
                    self.sources[a.id, key] = source
            if a.when is not None and a.when.text not in d.events:
                near = nearest(a.when.text, sorted(d.events))
                self.collector.add(
                    Diagnostic(
                        a.when.at,
                        "unknown-event",
                        Text(ja=f"`{a.when.text}` という事象はありません", en=f"there is no event `{a.when.text}`"),
                        Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?")
                        if near
                        else Text(
                            ja="あるのは: " + ", ".join(sorted(d.events)), en="known: " + ", ".join(sorted(d.events))
                        ),
                        a.when.text,
                    )
                )
        self.capture()

    def capture(self) -> None:
        d = self.d
        n = len(self.world.cards)
        need = [0, 0, 0]
        for a in self.all:
            names: list[str] = []
            source = self.sources.get((a.id, "text"))
            if a.when is not None and a.when.text in d.events and source is not None:
                for x in ast.walk(source.tree):
                    if (
                        isinstance(x, ast.Attribute)
                        and isinstance(x.value, ast.Name)
                        and x.value.id == "event"
                        and x.attr not in names
                    ):
                        names.append(x.attr)
                try:
                    fields = dict(d.record(a.when.text).fields)
                except Refused:
                    fields = {}
                self.captured[a.id] = [
                    (x, fields[x]) for x in names if x in fields and self.can_be_kept(fields[x], x, source)
                ]
                columns = [column_of(of) for _, of in self.captured[a.id]]
                for k in range(3):
                    need[k] = max(need[k], columns.count(k))
        d.cause = t.CauseType(need[0], need[1], need[2], n)

    def can_be_kept(self, of: t.Type, name: str, source: Source) -> bool:
        """Can a waiting trigger remember a value of this type? Sets and bundles are too large."""
        if of.width == 1 and not isinstance(of, t.SetType):
            return True
        node = next(x for x in ast.walk(source.tree) if isinstance(x, ast.Attribute) and x.attr == name)
        Reporter(source, self.collector).refuse(
            node,
            "not-kept",
            f"a waiting trigger cannot remember `event.{name}`: {of} is several values",
            f"待機中の能力は `event.{name}` を覚えておけません（{of} は複数の値です）",
            (
                "look at it in `if:`, or give the event fields of one value each",
                "`if:` の中で調べるか、事象の項目を一つずつの値に分けてください",
            ),
        )
        return False

    # ------------------------------------------------------------ what is asked of them
    def having(self, key: str) -> list[AbilityDef]:
        """Abilities that have such a script."""
        key = {"condition": "if", "state_holds": "while"}.get(key, key)
        return [a for a in self.all if key in a.scripts and not (key == "if" and a.when is not None)]

    def listened(self, event: str) -> list[AbilityDef]:
        """Abilities that listen to the event."""
        return [a for a in self.all if a.when is not None and a.when.text == event]

    def number(self, a: AbilityDef) -> int:
        return self.all.index(a)

    def holders(self, a: AbilityDef) -> int:
        """The mask of the cards that have the ability, or may come to have it."""
        return sum(1 << k for k, c in enumerate(self.world.cards) if a.given or a in c.definition.abilities)

    def cause_of(self, a: AbilityDef, fields: dict[str, Val]) -> tuple[ir.Expr, ...]:
        """The columns of the cause that the ability captures."""
        columns: list[list[ir.Expr]] = [[], [], []]
        for f, of in self.captured.get(a.id, []):
            columns[column_of(of)].append(fields[f].expr)
        c = self.d.cause
        for k, (n, empty) in enumerate(((c.objects, -1), (c.cards, -1), (c.numbers, 0))):
            columns[k] += [ir.Const(empty)] * (n - len(columns[k]))
        return (*columns[0], *columns[1], *columns[2])

    def event_in_text(self, a: AbilityDef, cause: tuple[ir.Expr, ...]) -> EventRef:
        c = self.d.cause
        at = [0, c.objects, c.objects + c.cards]
        out: list[tuple[str, Val]] = []
        for f, of in self.captured.get(a.id, []):
            k = column_of(of)
            out.append((f, Val(of, (cause[at[k]],))))
            at[k] += 1
        fields = self.d.fields.get(a.when.text, []) if a.when is not None else []
        return EventRef(tuple(out), tuple(f.name for f in fields))

    def reporter(self, a: AbilityDef, key: str) -> Reporter:
        source = self.sources.get((a.id, key))
        if source is None:
            raise Refused
        return Reporter(source, self.collector)


ABOUT_A_CARD = ("applies_to", "how_much")
"""The questions that are asked about another card as well."""


def question_result(which: str) -> tuple[t.Type, ir.Expr]:
    """The type of the answer, and what it is where an ability has no such script."""
    if which == "how_much":
        return t.ANY_INT, ir.Const(0)
    return t.BOOL, FALSE if which in ("state_holds", "applies_to") else TRUE


def column_of(of: t.Type) -> int:
    """Which column of a cause holds a value: objects, cards, numbers."""
    return {t.Role.OBJECT: 0, t.Role.CARD: 1}.get(of.role, 2)
