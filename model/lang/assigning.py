"""Assignment to locals and to places of the state."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..ir import types as t
from ..ir.build import unary
from ..ir.places import Container, Fields, Keyed, Leaf, Zones
from .code import as_load
from .doing import DoingLowering
from .usage import said
from .values import Meaning, Place, Val, Variable


class AssignLowering(DoingLowering):
    """Translates assignments."""

    def find_single_assignments(self, node: ast.AST) -> None:
        """See which locals are assigned in several places."""
        self.many |= self.at.source.set_in_several_places(node)

    def assign(self, s: ast.stmt, target: ast.expr, value: ast.expr, declared: t.Type | None) -> None:
        match target:
            case ast.Name(id=name):
                self.assign_local(s, name, value, declared)
            case ast.Attribute() | ast.Subscript():
                self.effect_allowed(s, "this", "状態への代入")
                m = self.meaning(target)
                expect = m.node.type if isinstance(m, Place) and isinstance(m.node, Leaf | Fields) else None
                self.assign_place(s, m, self.done_or_value(value, expect, "result"), target)
            case _:
                raise self.refuse(
                    target,
                    "assign-where",
                    "assign to a local or to a field of the state",
                    "代入先は変数か状態の項目です",
                )

    def assign_several(self, s: ast.stmt, targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> None:
        """`a, b = x, y`: all values are worked out before anything is assigned."""
        kept: list[str] = []
        for k, v in enumerate(values):
            name = f"part {k} of line {s.lineno}"
            self.names.pop(name, None)
            self.assign_local(s, name, v, None)
            kept.append(name)
        for target, name in zip(targets, kept, strict=True):
            self.assign(s, target, ast.copy_location(ast.Name(name, ast.Load()), s), None)

    def assign_local(self, s: ast.stmt, name: str, value: ast.expr, declared: t.Type | None) -> None:
        known = self.names.get(name)
        if known is not None and not isinstance(known, Variable):
            raise self.refuse(
                s,
                "assign-fixed",
                f"`{name}` cannot be assigned here",
                f"`{name}` には代入できません",
                ("use another name", "別の名前にしてください"),
            )
        if self.is_constant(name):
            raise self.refuse(
                s,
                "assign-fixed",
                f"`{name}` is a constant",
                f"`{name}` は定数です",
                ("use another name", "別の名前にしてください"),
            )
        want = declared or (known.type if known is not None else None)
        if isinstance(value, ast.Await) or self.is_step_call(value):
            x = self.perform(value, name)
            if x is None:
                raise self.no_value(value)
            v = self.of_variable(x)
            if want is None:
                self.names[name] = x
                return
        else:
            v = self.value(value, want)
        if declared is not None and known is not None and declared != known.type:
            raise self.refuse(
                s,
                "two-types",
                f"`{name}` is {said(known.type)} already",
                f"`{name}` はすでに「{said(known.type, True)}」です",
                ("use another name", "別の名前にしてください"),
            )
        if want is None:
            want = self.local_type(v.type, value)
            if isinstance(want, t.Int) and name in self.many:
                want = t.ANY_INT
        if known is None:
            known = self.declare_variable(name, want)
            self.names[name] = known
            self.broken.discard(name)
        assert isinstance(known, Variable)
        self.store_variable(known, self.coerce(v, known.type, value), s)

    def assign_place(self, s: ast.stmt, m: Meaning, v: Val, target: ast.expr) -> None:
        match m:
            case Place(node=Leaf(type=of)) | Val(type=of):
                self.store(s, m, self.coerce(v, of, target), target, "set")
            case Place(node=Fields(type=of, nodes=nodes)):
                v = self.coerce(v, of, target)
                for (f, n), (_, part, values) in zip(nodes, of.parts(v.parts), strict=True):
                    self.assign_place(s, Place(n, m.keys, f), Val(part, tuple(values)), target)
            case Place(node=Zones()):
                raise self.refuse(
                    target,
                    "assign-zone",
                    "cards are moved, zones are not assigned",
                    "領域には代入できません",
                    ("write `put(card, zone)`", "`put(カード, 領域)` と書いてください"),
                )
            case Place(node=Container()):
                raise self.refuse(
                    target,
                    "assign-container",
                    f"`{ast.unparse(target)}` is not assigned as a whole",
                    f"`{ast.unparse(target)}` には代入できません",
                    ("use add(…), remove(…), clear()", "add(…), remove(…), clear() を使ってください"),
                )
            case Place(node=Keyed()):
                raise self.refuse(
                    target,
                    "missing-key",
                    f"`{ast.unparse(target)}` needs a key",
                    f"`{ast.unparse(target)}` に添字が要ります",
                    (f"write `{ast.unparse(target)}[…] = …`", f"`{ast.unparse(target)}[…] = …` と書いてください"),
                )
            case _:
                raise self.assign_where(target)

    def change(self, s: ast.stmt, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        """`place += value`. What happens to places of the state is an increase (a union …), not a new value: inside
        `simultaneously` several of them add up."""
        if any(isinstance(n, ast.Await) for n in ast.walk(value)):
            raise self.refuse_await(
                value,
                ("write `n = await …` first", "先に `n = await …` と書いてください"),
            )
        if not isinstance(target, ast.Name):
            self.effect_allowed(s, "this", "状態への代入")
            m = self.meaning(target)
            of = (
                m.node.type
                if isinstance(m, Place) and isinstance(m.node, Leaf)
                else m.type
                if isinstance(m, Val)
                else None
            )
            if isinstance(of, t.Int) and isinstance(op, ast.Add | ast.Sub):
                v = self.number(value)
                e = v.expr if isinstance(op, ast.Add) else unary("neg", v.expr, self.mark(value))
                self.store(s, m, Val(of, (e,)), target, "add")
                return
            if isinstance(of, t.SetType) and isinstance(op, ast.BitOr | ast.Sub):
                v = self.as_set(self.value(value, of if isinstance(value, ast.Set | ast.SetComp) else None), value)
                self.store(s, m, self.coerce(v, of, value), target, "union" if isinstance(op, ast.BitOr) else "without")
                return
        read = ast.copy_location(ast.BinOp(as_load(target), op, value), s)
        self.assign(s, target, read, None)
