"""What interrupts play: choices, chance, calls of procedures and of scripts."""

from __future__ import annotations

import ast
from dataclasses import replace

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import TRUE, binary, unary
from ..ir.places import Container
from .code import MOST_NUMBERS, CodeLowering
from .values import Meaning, OpenDecider, Place, Val, Variable


class DecidingLowering(CodeLowering):
    """Translates what is awaited."""

    # ------------------------------------------------------------ awaiting
    def awaited(self, node: ast.Await, call: ast.expr, result: str | None) -> Variable | None:
        self.demand(
            self.kind == "procedure",
            node,
            "await-in-step",
            f"a {self.kind} cannot be interrupted",
            f"{self.kind} の途中で割り込みは起こりません",
            ("make it a @procedure (`async def`)", "@procedure（`async def`）にしてください"),
        )
        self.demand(
            not self.in_batch,
            node,
            "await-in-batch",
            "nobody can be asked while things happen at once",
            "同時に行う処理の途中で選ばせることはできません",
            ("ask before the block", "ブロックの前に選ばせてください"),
        )
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise self.refuse(
                node,
                "await-what",
                "only a choice or a procedure is awaited",
                "await できるのは選択か手順だけです",
                ("drop the `await`", "`await` を取ってください"),
            )
        name = call.func.id
        match name:
            case "choose" | "chance":
                return self.choose(call, name, result)
            case "choose_some":
                return self.choose_some(call, result)
            case "choose_number":
                return self.choose_number(call, result)
            case "may":
                (who,) = self.one(call)
                x = self.result_variable(result or "answer", t.BOOL)
                k = self.new_local("option", t.BOOL)
                offer = ir.Offer((ir.Binder(k, ir.Const(3)),), TRUE, (ir.Local(k),), at=self.mark(call))
                self.put(ir.Choose(self.decider(who), (offer,), x.locals, t.BOOL, at=self.mark(node)))
                return x
            case "run_text" | "run_cost":
                self.run_script(node, call, name)
                return None
        if name not in self.d.rules:
            raise self.d.unknown(call.func, name, self.at)
        decl = self.d.rules[name]
        self.demand(
            decl.ir_kind == "procedure",
            node,
            "needless-await",
            f"`{name}` is a {decl.kind} and cannot be interrupted",
            f"`{name}` は {decl.kind} で、割り込みは起こりません",
            ("drop the `await`", "`await` を取ってください"),
        )
        call, decl = self.use(call, name)
        args = self.arguments(call, decl)
        self.scope.need(decl.name)
        self.demand(
            decl.result.width <= 1,
            node,
            "record-result",
            f"the procedure `{name}` gives a record",
            f"手順 `{name}` は Record を返しています",
            ("keep it in the state, or give one of its fields", "状態に置くか、項目一つを返してください"),
        )
        x = None if isinstance(decl.result, t.NothingType) else self.result_variable(result, decl.result)
        self.put(
            ir.Invoke(
                decl.name, tuple(p for v in args for p in v.parts), None if x is None else x.locals[0], at=self.mark(node)
            )
        )
        return x

    def decider(self, node: ast.expr) -> ir.Owner:
        m = self.meaning(node)
        if isinstance(m, OpenDecider):
            return ir.ByNobody(m.clause, at=self.mark(node))
        return ir.ByPlayer(self.coerce(self.load(m, node), self.d.player, node).expr, at=self.mark(node))

    def choose(self, call: ast.Call, name: str, result: str | None) -> Variable:
        if call.keywords or len(call.args) != (1 if name == "chance" else 2):
            hint = ("write `await chance(options)`", "`await chance(選択肢)` と書いてください")
            if name == "choose":
                hint = (
                    'write `await choose(who, options)`; if the rules do not say who: `OPEN("clause")`',
                    '`await choose(決める人, 選択肢)` と書いてください。決める人が書かれていなければ `OPEN("条番号")` です',
                )
            raise self.refuse(
                call,
                "choose-form",
                "who decides, and between what?" if name == "choose" else "chance is between options",
                "誰が、何の中から選びますか" if name == "choose" else "chance には選択肢だけを渡します",
                hint,
            )
        owner = ir.ByChance(at=self.mark(call)) if name == "chance" else self.decider(call.args[0])
        among = call.args[-1]
        offers = self.as_offers(self.offered(among), among)
        if isinstance(offers.type, t.NothingType):
            raise self.refuse(
                call.args[-1],
                "no-options",
                "there is nothing to choose from",
                "選択肢がありません",
                (
                    'where the rules leave a player without any option, write gap("clause")',
                    '規則上選べるものがないなら gap("条番号") と書いてください',
                ),
            )
        x = self.result_variable(result or "choice", offers.type)
        fitted = tuple(
            replace(o, values=self.fit(Val(offers.type, o.values), call.args[-1]).parts) for o in offers.offers
        )
        self.put(ir.Choose(owner, fitted, x.locals, offers.type, at=self.mark(call)))
        return x

    def offered(self, among: ast.expr) -> Meaning:
        """Between what one chooses: of a multiset, its entries."""
        if not isinstance(among, ast.SetComp | ast.GeneratorExp):
            m = self.meaning(among)
            if not isinstance(m, Place) or not isinstance(m.node, Container):
                return m
            each = ast.comprehension(ast.Name("entry", ast.Store()), among, [], 0)
            among = ast.fix_missing_locations(ast.copy_location(ast.SetComp(ast.Name("entry", ast.Load()), [each]), among))
        return self.comprehension(among, None, offered=True)

    def choose_some(self, call: ast.Call, result: str | None) -> Variable:
        args = call.args
        by_name = {k.arg: k.value for k in call.keywords}
        least, most = (args[k] if k < len(args) else by_name.pop(n, None) for k, n in ((2, "at_least"), (3, "at_most")))
        if not 2 <= len(args) <= 4 or least is None or by_name:
            raise self.refuse(
                call,
                "choose-form",
                "who decides, between what, and how many?",
                "誰が、何の中から、いくつ選びますか",
                (
                    "write `await choose_some(who, options, at_least=…)`, and `at_most=…` where not any number will do",
                    "`await choose_some(決める人, 選択肢, at_least=…)` と書いてください（上限があるなら `at_most=…` も）",
                ),
            )
        v = self.as_set(self.value(args[1]), args[1])
        of = v.type if isinstance(v.type, t.SetType) else t.SetType(t.Int(0, 0))
        x = self.declare_variable(result or "chosen", of)
        self.put(
            ir.ChooseSome(
                self.decider(args[0]),
                v.expr,
                self.number(least).expr,
                ir.Const(of.span) if most is None else self.number(most).expr,
                x.locals[0],
                of,
                at=self.mark(call),
            )
        )
        return x

    def choose_number(self, call: ast.Call, result: str | None) -> Variable:
        by_name = {k.arg: k.value for k in call.keywords}
        args = list(call.args) + [
            by_name.pop(n) for n in ("at_least", "at_most")[max(0, len(call.args) - 1) :] if n in by_name
        ]
        if len(args) != 3 or by_name:
            raise self.refuse(
                call,
                "choose-form",
                "who decides, from which number to which?",
                "誰が、いくつからいくつまでの数を選びますか",
                (
                    "write `await choose_number(who, at_least, at_most)`",
                    "`await choose_number(決める人, 下限, 上限)` と書いてください",
                ),
            )
        a, b = self.number(args[1]), self.number(args[2])
        assert isinstance(a.type, t.Int) and isinstance(b.type, t.Int)
        least, most = max(a.type.lo, -MOST_NUMBERS), min(b.type.hi, MOST_NUMBERS)
        if a.type == t.ANY_INT:
            least = max(least, min(0, most))
        lo, hi = (
            self.fit(Val(t.Int(least, max(least, most)), (v.expr,)), n).expr for v, n in ((a, args[1]), (b, args[2]))
        )
        of = t.Int(least, max(least, most))
        x = self.result_variable(result or "number", of)
        k = self.new_local("option", of)
        width = binary("add", binary("sub", hi, lo), ir.Const(1))
        domain = binary("shift", unary("below", width, self.mark(call)), binary("sub", lo, ir.Const(least)), self.mark(call))
        offer = ir.Offer((ir.Binder(k, domain, least),), TRUE, (ir.Local(k),), at=self.mark(call))
        self.put(ir.Choose(self.decider(args[0]), (offer,), x.locals, of, at=self.mark(call)))
        return x

    def run_script(self, node: ast.Await, call: ast.Call, name: str) -> None:
        from .values import StateRef

        args = [a for a in call.args if not isinstance(self.state_or_none(a), StateRef)]
        if len(args) != (4 if name == "run_text" else 3):
            raise self.refuse(
                node,
                "argument-count",
                f"`{name}` takes {4 if name == 'run_text' else 3} arguments besides the state",
                f"`{name}` の引数は、状態のほかに {4 if name == 'run_text' else 3} 個です",
                (
                    "write `await run_text(g, ability, this, you, cause)` or `await run_cost(g, ability, this, you)`",
                    "`await run_text(g, ability, this, you, cause)` か `await run_cost(g, ability, this, you)` と書いてください",
                ),
            )
        a = self.scalar(args[0], self.d.ability)
        this = self.scalar(args[1], t.OptionType(self.d.card.as_object))
        you = self.scalar(args[2], self.d.player)
        cause = self.value(args[3], self.d.cause).parts if name == "run_text" else ()
        key = "text" if name == "run_text" else "cost"
        if self.scope.abilities.having(key):
            self.put(ir.Invoke(self.scope.ask("switch", key, f"run {key}"), (a, this, you, *cause), at=self.mark(node)))
