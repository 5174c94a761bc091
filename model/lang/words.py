"""The words of the language that give a value: one method a word."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partialmethod

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, binary, both, either, negate, unary
from .calls import CallLowering
from .facts import ABOUT_A_CARD, question_result
from .scope import check_clause
from .source import meant
from .values import USAGE, Offers, OpenDecider, Val, container

MOST_TIMES = 60
"""How far `up_to` counts."""


class WordLowering(CallLowering):
    """Translates the built-in words."""

    def word_other(self, node: ast.Call) -> Val:
        return Val(self.d.player, (binary("sub", ir.Const(1), self.argument(node, self.d.player), self.mark(node)),))

    def word_owner(self, node: ast.Call) -> Val:
        card = self.argument(node, self.d.card)
        return Val(self.d.player, (ir.Table(self.scope.facts.owners, card, at=self.mark(node)),))

    def word_zone_of(self, node: ast.Call) -> Val:
        card = self.argument(node, self.d.card)
        first, count = self.scope.layout.location, self.scope.layout.card_count
        return Val(self.d.zone(), (ir.Load(first, card, count, at=self.mark(node)),))

    def word_zone_player(self, node: ast.Call) -> Val:
        zone = self.argument(node, self.d.zone())
        table = self.scope.constant_table(tuple(-1 if x.player is None else x.player for x in self.scope.layout.zones))
        return Val(t.OptionType(self.d.player), (ir.Table(table, zone, at=self.mark(node)),))

    def word_zone_number(self, node: ast.Call) -> Val:
        zone = self.argument(node, self.d.zone())
        numbers = tuple(x.number for x in self.scope.layout.zones)
        table = self.scope.constant_table(numbers)
        return Val(t.Int(0, max(numbers, default=0)), (ir.Table(table, zone, at=self.mark(node)),))

    def word_on_top(self, node: ast.Call) -> Val:
        return Val(t.SetType(self.d.card), (ir.PileTop(self.pile(self.one(node)), at=self.mark(node)),))

    def find(self, node: ast.Call, top: bool) -> Val:
        g = self.one(node)
        match g:
            case ast.GeneratorExp(
                elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=each), iter=pile, ifs=ifs)]
            ) if name == each:
                zone = self.pile(pile)
            case _:
                raise self.refuse(
                    node, "find-form", "write it as `last(c for c in pile if …)`", "`last(c for c in 山 if …)` の形で書きます")
        var = self.new_local(name, self.d.card)
        with self.inner_names():
            self.names[name] = Val(self.d.card, (ir.Local(var),))
            test = both([self.test(i) for i in ifs])
        return Val(t.OptionType(self.d.card), (ir.PileFind(zone, var, test, top, at=self.mark(node)),))

    word_last = partialmethod(find, top=True)
    word_first = partialmethod(find, top=False)

    def word_the(self, node: ast.Call) -> Val:
        s = self.one(node)
        v = self.as_set(self.value(s), s)
        inner = v.type.inner if isinstance(v.type, t.SetType) else t.Int(0, 0)
        e: ir.Expr = ir.Unary("only", v.expr, at=self.mark(node))
        return Val(t.OptionType(inner), (binary("add", e, ir.Const(inner.lo)),))

    def word_set(self, node: ast.Call) -> Val:
        if node.args:
            s = self.one(node)
            return self.as_set(self.value(s), s)
        return Val(t.EmptySetType(), (FALSE,))

    word_Set = word_set

    def word_len(self, node: ast.Call) -> Val:
        s = self.one(node)
        m = self.meaning(s)
        if (info := container(m)) is not None:
            head = ir.Load(info.head)
            return Val(t.Int(0, info.capacity), (ir.Unary("size", head) if info.is_pool else head,))
        self.demand(
            not isinstance(m, Offers), node, "set-of-records", "a set of records can only be offered to somebody",
            "Record の集合は、選択肢としてだけ使えます", ("use any(… for …) or sum(1 for …)", "any(… for …) か sum(1 for …) を使ってください"))
        v = self.as_set(self.load(m, s), s)
        size = unary("size", v.expr, self.mark(node))
        return Val(
            t.Int(0, size.value if isinstance(size, ir.Const) else v.type.span if isinstance(v.type, t.SetType) else 0),
            (size,))

    def word_up_to(self, node: ast.Call) -> Val:
        a = self.one(node)
        v = self.number(a)
        most = max(1, min(v.type.hi, MOST_TIMES))
        count = self.coerce(v, t.Int(t.ANY_INT.lo, most), a)
        return Val(t.SetType(t.Int(1, most)), (unary("below", self.fit(count, a).expr, self.mark(node)),))

    def word_abs(self, node: ast.Call) -> Val:
        v = self.number(self.one(node))
        return Val(t.Int(0, max(abs(v.type.lo), abs(v.type.hi))), (ir.Unary("abs", v.expr, at=self.mark(node)),))

    word_any = partialmethod(CallLowering.quantified, kind="any")
    word_all = partialmethod(CallLowering.quantified, kind="all")

    def word_sum(self, node: ast.Call) -> Val:
        g = self.gathered(node, "sum")
        with self.bound(g.generators) as (binders, tests):
            e = self.fold("sum", binders, tests, self.number(g.elt).expr, node)
        return Val(t.Int(*self.ranges.of(e)), (e,))

    word_min = partialmethod(CallLowering.extreme, op="min")
    word_max = partialmethod(CallLowering.extreme, op="max")

    def word_reading(self, node: ast.Call) -> Val:
        name, of, e = self.reading_value(node)
        self.demand(
            not isinstance(of, t.Int), node, "numeric-reading", f"the reading `{name}` is a number",
            f"解釈 `{name}` は数です", (f'write reading_number("{name}")', f'reading_number("{name}") と書いてください'))
        return Val(of, (e,))

    def word_reading_number(self, node: ast.Call) -> Val:
        name, of, e = self.reading_value(node)
        self.demand(
            isinstance(of, t.Int), node, "not-numeric", f"the reading `{name}` is no number", f"解釈 `{name}` は数ではありません",
            (f'write reading("{name}") == "…"', f'reading("{name}") == "…" と書いてください'))
        return Val(of, (e,))

    def reading_value(self, node: ast.Call) -> tuple[str, t.Type, ir.Expr]:
        """Name, type and answer of a reading, which is put in when the program is linked. From now on it is consulted."""
        name = self.text(node, "reading-name", "a reading is named by its id, as text", "解釈は id を文字列で書きます")
        scope = self.scope
        r = scope.book.readings.get(name)
        if r is None:
            raise self.refuse(
                node, "unknown-reading", f"there is no reading `{name}`", f"解釈 `{name}` は readings.yaml にありません",
                meant(name, scope.book.readings, ("register it in readings.yaml", "readings.yaml に登録してください")))
        scope.consulted.add(name)
        of = t.ReadingType(name, len(r.alternatives), r.alternatives) if r.numbers is None else t.Int(*r.numbers)
        return name, of, ir.Answer(name, of.lo, of.hi, at=self.at.mark(node))  # by no clause of its own

    def text(self, node: ast.Call, code: str, en: str, ja: str, hint: tuple[str, str] | None = None) -> str:
        """The text that a word is given, and nothing else."""
        a = self.one(node)
        if isinstance(a, ast.Constant) and isinstance(a.value, str):
            return a.value
        raise self.refuse(node, code, en, ja, hint)

    def word_OPEN(self, node: ast.Call) -> OpenDecider:
        clause = self.text(
            node,
            "open-clause",
            "OPEN names the silent clause, as text",
            "OPEN には条番号を文字列で書きます",
            ('write OPEN("9.4.3")', 'OPEN("9.4.3") のように書いてください'),
        )
        check_clause(self.scope, clause, node.args[0], self.at)
        return OpenDecider(clause)

    def ability_question(self, node: ast.Call, function: str) -> Val:
        args = [a for a in node.args if self.state_or_none(a) is None]
        types = (self.d.ability, self.d.card, self.d.player, *([self.d.card] if function in ABOUT_A_CARD else []))
        self.demand(
            len(args) == len(types), node, "argument-count", f"write `{USAGE[function]}`", f"`{USAGE[function]}` と書きます")
        given = tuple(self.scalar(a, of) for a, of in zip(args, types, strict=True))
        result, unsaid = question_result(function)
        if not self.scope.abilities.having(function):
            return Val(result, (unsaid,))
        self.scope.ask("question", function)
        return Val(result, (ir.Call(function, given, at=self.mark(node)),))

    word_condition = partialmethod(ability_question, function="condition")
    word_state_holds = partialmethod(ability_question, function="state_holds")
    word_payable = partialmethod(ability_question, function="payable")
    word_applies_to = partialmethod(ability_question, function="applies_to")
    word_how_much = partialmethod(ability_question, function="how_much")

    def asked(self, node: ast.Call, kind: str) -> tuple[ir.Expr, ir.Expr]:
        """Does some norm of the kind hold for the action named, and is the action prohibited?"""
        act = node.args[0] if node.args else None
        if not isinstance(act, ast.Name) or act.id not in self.d.rules or self.d.rules[act.id].kind != "action":
            raise self.refuse(
                node, "norm-subject", "name the action first", "最初に @action の名前を書きます",
                ("write `permitted(draw, g, player)`, say", "`permitted(draw, g, player)` のように書いてください"))
        call = ast.copy_location(ast.Call(act, node.args[1:], node.keywords), node)
        args = self.arguments(call, self.d.rules[act.id])
        return self.norms(kind, act.id, args, node), self.prohibited(act.id, args, node)

    def norms(self, kind: str, act: str, args: Sequence[Val], node: ast.AST) -> ir.Expr:
        """Some norm of this kind about the action holds for the arguments."""
        out: list[ir.Expr] = []
        for r in self.scope.rules_of(kind, act):
            self.scope.need(r.name)
            out.append(ir.Call(r.name, tuple(p for v in args for p in v.parts), at=self.mark(node)))
        return either(out, self.mark(node))

    def prohibited(self, act: str, args: Sequence[Val], node: ast.AST) -> ir.Expr:
        """Some `@forbids` holds, and nothing that a clause ranks above prohibitions."""
        no = self.norms("forbids", act, args, node)
        above = [k for k in ("permits", "requires") if (k, "forbids") in self.d.rankings]
        return both([no, *(negate(self.norms(k, act, args, node)) for k in above)], self.mark(node))

    def word_forbidden(self, node: ast.Call) -> Val:
        return Val(t.BOOL, (self.asked(node, "forbids")[1],))

    def not_forbidden(self, node: ast.Call, kind: str) -> Val:
        """Some norm of the kind holds, and the action is not prohibited. A clause must say what counts where a prohibition meets a
        permission or a duty."""
        holds, no = self.asked(node, kind)
        if no != FALSE and ("forbids", kind) not in self.d.rankings and (kind, "forbids") not in self.d.rankings:
            en, ja = {"permits": ("permitted", "許可"), "requires": ("demanded", "義務")}[kind]
            raise self.refuse(
                node,
                "unranked-norms",
                f"nothing says whether a prohibition counts more than what is {en}",
                f"禁止と{ja}のどちらが優先するか、定められていません",
                (
                    f'where a clause ranks them, write outranks("forbids", "{kind}"), or the reverse, at the top of a module, with that clause. Where none does, '
                    "the book contradicts itself: ask forbidden(…) here instead, and `rulewright check BOOK --only norms` tells the contradiction as a finding",
                    f'定める条文があれば、モジュールの一番外側に outranks("forbids", "{kind}")（または逆）とその条番号を書いてください。なければ本の矛盾です: '
                    "ここでは代わりに forbidden(…) で問えば、`rulewright check 本 --only norms` がその矛盾を指摘します",
                ),
            )
        return Val(t.BOOL, (both([holds, negate(no)]),))

    word_permitted = partialmethod(not_forbidden, kind="permits")
    word_required = partialmethod(not_forbidden, kind="requires")
