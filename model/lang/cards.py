"""The scripts of cards, as functions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ...spec.diagnostics import Diagnostic, nearest
from ...spec.text import Text
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE, binary, pick
from ..ir.program import Function, LocalInfo
from .marks import check_marks_of
from .paths import reaches_end
from .source import Refused, Reporter, Source, attach_clauses
from .values import EventRef, StateRef, Val, Variable
from .world import AbilityDef, script_source

if TYPE_CHECKING:
    from .compile import Compiler


class Scripts:
    """The scripts of the scenario's cards, and the functions made of them."""

    def __init__(self, compiler: Compiler) -> None:
        self.c = compiler
        self.abilities = compiler.world.abilities
        self.events: set[str] = set()
        self.questions: set[str] = set()
        self.switches: set[str] = set()
        self.captured: dict[str, list[tuple[str, t.Type]]] = {}
        self.sources: dict[tuple[str, str], Source] = {}

    # ------------------------------------------------------------ reading them
    def read(self) -> None:
        """Parse all scripts, and see what their texts read of the events they listen to."""
        d = self.c.d
        for a in self.abilities:
            for key, script in a.scripts.items():
                source = script_source(script, key not in ("text", "cost"), self.c.collector)
                if source is not None:
                    self.sources[a.id, key] = source
            if a.when is not None and a.when.text not in d.events:
                near = nearest(a.when.text, sorted(d.events))
                self.c.collector.add(
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
        d = self.c.d
        n = len(self.c.world.cards)
        need = [0, 0, 0]
        for a in self.abilities:
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
        Reporter(source, self.c.collector).refuse(
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
        return [a for a in self.abilities if key in a.scripts and not (key == "if" and a.when is not None)]

    def listened(self, event: str) -> list[AbilityDef]:
        """Abilities that listen to the event."""
        return [a for a in self.abilities if a.when is not None and a.when.text == event]

    def number(self, a: AbilityDef) -> int:
        return self.abilities.index(a)

    def holders(self, a: AbilityDef) -> int:
        """The mask of the cards that have the ability, or may come to have it."""
        return sum(1 << k for k, c in enumerate(self.c.world.cards) if a.given or a in c.definition.abilities)

    def need_event(self, event: str, at: Reporter, node: ast.AST) -> str:
        if self.c.policy is None:
            raise at.refuse(
                node,
                "no-trigger-policy",
                "cards listen to this event, and no rule says what it means that an ability has triggered",
                "この事象に誘発する能力がありますが、誘発したときの規則がありません",
                (
                    "write `@trigger_policy def met(g, ability: Ability, card: Card, cause: Cause)`",
                    "`@trigger_policy def met(g, ability: Ability, card: Card, cause: Cause)` を書いてください",
                ),
            )
        name = f"emit {event}"
        if event not in self.events:
            self.events.add(event)
            self.c.pending.append(lambda: self.make_event(event, name))
        return name

    def need_question(self, which: str) -> None:
        if which not in self.questions:
            self.questions.add(which)
            self.c.pending.append(lambda: self.make_question(which))

    def need_switch(self, key: str) -> str:
        if key not in self.switches:
            self.switches.add(key)
            self.c.pending.append(lambda: self.make_switch(key))
        return f"run {key}"

    # ------------------------------------------------------------ functions made of them
    def make_event(self, event: str, name: str) -> None:
        """A step that hands each listening ability whose guard holds to the trigger policy."""
        d = self.c.d
        of = d.record(event)
        policy = self.c.policy
        assert policy is not None
        self.c.need(policy.name)
        low = self.c.lowering(policy.reporter, name, "step", t.NOTHING)
        fields = tuple(Variable(ft, tuple(low.new_local(f, s) for s in ft.flat())) for f, ft in of.fields)
        arity = len(low.locals)
        for a in self.listened(event):
            rest = low.new_local("rest", t.SetType(d.card))
            card = low.new_local("card", d.card)
            low.put(ir.Assign(rest, ir.Const(self.holders(a))))
            head = low.put(ir.Next(rest, card, 0, -1))
            guard: ir.Expr = TRUE
            if "if" in a.scripts:
                guard = self.guard(a, of, ir.Local(card), tuple(ir.Local(x) for v in fields for x in v.locals))
            b = low.put(ir.Branch(guard, head)) if guard != TRUE else None
            cause = self.cause_of(a, {f: low.of_variable(v) for (f, _), v in zip(of.fields, fields, strict=True)})
            low.put(ir.Do(policy.name, (ir.Const(self.number(a)), ir.Local(card), *cause)))
            low.put(ir.Jump(head))
            low.point(head, low.here())
            if b is not None:
                low.point(b, head)
        low.put(ir.Return())
        self.c.add_function(name, "step", low, arity, t.NOTHING)

    def cause_of(self, a: AbilityDef, fields: dict[str, Val]) -> tuple[ir.Expr, ...]:
        """The columns of the cause that the ability captures."""
        columns: list[list[ir.Expr]] = [[], [], []]
        for f, of in self.captured.get(a.id, []):
            columns[column_of(of)].append(fields[f].expr)
        c = self.c.d.cause
        for k, (n, empty) in enumerate(((c.objects, -1), (c.cards, -1), (c.numbers, 0))):
            columns[k] += [ir.Const(empty)] * (n - len(columns[k]))
        return (*columns[0], *columns[1], *columns[2])

    def event_in_text(self, a: AbilityDef, cause: tuple[ir.Expr, ...]) -> EventRef:
        c = self.c.d.cause
        at = [0, c.objects, c.objects + c.cards]
        out: list[tuple[str, Val]] = []
        for f, of in self.captured.get(a.id, []):
            k = column_of(of)
            out.append((f, Val(of, (cause[at[k]],))))
            at[k] += 1
        fields = self.c.d.fields.get(a.when.text, []) if a.when is not None else []
        return EventRef(tuple(out), tuple(f.name for f in fields))

    def reporter(self, a: AbilityDef, key: str) -> Reporter:
        source = self.sources.get((a.id, key))
        if source is None:
            raise Refused
        return Reporter(source, self.c.collector)

    def guard(self, a: AbilityDef, of: t.RecordType, card: ir.Expr, fields: tuple[ir.Expr, ...]) -> ir.Expr:
        """Call of the define made of an event ability's `if:`."""
        name = f"if {a.id}"
        d = self.c.d
        try:
            low = self.c.lowering(self.reporter(a, "if"), name, "define", t.BOOL)
        except Refused:
            return FALSE
        this = low.new_local("this", d.card)
        parts = {f: Val(ft, tuple(ir.Local(low.new_local(f, s)) for s in ft.flat())) for f, ft in of.fields}
        arity = len(low.locals)
        low.names = {"g": StateRef(), "this": Val(d.card, (ir.Local(this),)), "event": EventRef(tuple(parts.items()))}
        if (you := self.c.master_of(ir.Local(this))) is not None:
            low.names["you"] = you
        node = low.at.source.tree.body[0]
        assert isinstance(node, ast.Expr)
        try:
            e = low.test(node.value)
        except Refused:
            return FALSE
        if isinstance(e, ir.Const):
            return e
        low.put(ir.Return(e, at=low.mark(node)))
        self.c.add_function(name, "define", low, arity, t.BOOL)
        return ir.Call(name, (card, *fields))

    def make_question(self, which: str) -> None:
        """`condition`, `state_holds`, `payable`, …: one define that tells the abilities apart."""
        key = {"condition": "if", "state_holds": "while"}.get(which, which)
        d = self.c.d
        result, answer = question_result(which)
        about = which in ABOUT_A_CARD
        args = tuple(ir.Local(k) for k in range(1, 3 + about))
        for a in reversed(self.having(which)):
            name = f"{key} {a.id}"
            try:
                low = self.c.lowering(self.reporter(a, key), name, "define", result)
            except Refused:
                continue
            this, you = low.new_local("this", d.card), low.new_local("you", d.player)
            low.names = {
                "g": StateRef(),
                "this": Val(d.card, (ir.Local(this),)),
                "you": Val(d.player, (ir.Local(you),)),
            }
            if about:
                low.names["card"] = Val(d.card, (ir.Local(low.new_local("card", d.card)),))
            node = low.at.source.tree.body[0]
            assert isinstance(node, ast.Expr)
            try:
                said = low.test(node.value) if result == t.BOOL else low.scalar(node.value, result)
                low.put(ir.Return(said, at=low.mark(node)))
            except Refused:
                continue
            self.c.add_function(name, "define", low, len(args), result)
            answer = pick(binary("eq", ir.Local(0), ir.Const(self.number(a))), ir.Call(name, args), answer)
        self.c.functions[which] = Function(
            which,
            "define",
            1 + len(args),
            [
                LocalInfo("ability", d.ability),
                LocalInfo("card", d.card),
                LocalInfo("you", d.player),
                *([LocalInfo("about", d.card)] if about else []),
            ],
            [ir.Return(answer)],
            result,
        )

    def make_switch(self, key: str) -> None:
        """`run text`, `run cost`: one procedure that goes on in the right script."""
        d = self.c.d
        obj = t.OptionType(d.card.as_object)
        columns = d.cause.flat() if key == "text" else ()
        code: list[ir.Instr] = []
        args = tuple(ir.Local(k) for k in range(1, 3 + len(columns)))
        for a in self.having(key):
            name = f"{key} {a.id}"
            try:
                self.make_text(a, key, name, columns)
            except Refused:
                continue
            if name not in self.c.functions:
                continue
            code.append(ir.Branch(binary("eq", ir.Local(0), ir.Const(self.number(a))), len(code) + 3))
            code.append(ir.Invoke(name, args))
            code.append(ir.Return())
        code.append(ir.Return())
        self.c.functions[f"run {key}"] = Function(
            f"run {key}",
            "procedure",
            3 + len(columns),
            [
                LocalInfo("ability", d.ability),
                LocalInfo("this", obj),
                LocalInfo("you", d.player),
                *(LocalInfo("cause", s) for s in columns),
            ],
            code,
        )

    def make_text(self, a: AbilityDef, key: str, name: str, columns: tuple[t.Type, ...]) -> None:
        d = self.c.d
        at = self.reporter(a, key)
        body = at.source.tree.body
        shell = ast.AsyncFunctionDef(
            "text",
            ast.arguments([], [], None, [], [], None, []),
            body,
            [],
            lineno=0,
            col_offset=0,
            end_lineno=10**6,
            end_col_offset=0,
        )
        clauses = attach_clauses(at.source, shell) if body else {}
        check_marks_of(self.c, at.source)
        low = self.c.lowering(at, name, "procedure", t.NOTHING, clauses)
        obj = t.OptionType(d.card.as_object)
        this, you = low.new_local("this", obj), low.new_local("you", d.player)
        cause = tuple(ir.Local(low.new_local("cause", s)) for s in columns)
        arity = len(low.locals)
        low.names = {"g": StateRef(), "this": Val(obj, (ir.Local(this),)), "you": Val(d.player, (ir.Local(you),))}
        if key == "text" and a.when is not None:
            low.names["event"] = self.event_in_text(a, cause)
        low.find_single_assignments(shell)
        low.block(body)
        if reaches_end(low):
            low.put(ir.Return())
        if not low.failed:
            self.c.add_function(name, "procedure", low, arity, t.NOTHING)


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
