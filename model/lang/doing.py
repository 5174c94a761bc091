"""What is done to the state: steps called, words that act, verdicts collected; and what becomes of references to an entry of a pool that is freed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partialmethod

from ...spec.diagnostics import nearest
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import binary, both, either
from ..ir.program import ContainerInfo, Fields, Keyed, Leaf, PlaceNode, Zones
from .code import SILENCE, CodeLowering
from .scope import check_clause
from .source import Refused
from .values import AWAITED, Place, Val, Variable, container


class DoingLowering(CodeLowering):
    """Translates calls that stand alone."""

    def perform(self, e: ast.expr, result: str | None) -> Variable | None:
        """Carry out a call that stands alone; its result, if it has one and is wanted, as a fresh variable."""
        if isinstance(e, ast.Await):
            return self.awaited(e, e.value, result)
        if not isinstance(e, ast.Call):
            raise self.no_effect(e)
        match e.func:
            case ast.Name(id=name) if name in self.d.rules:
                decl = self.d.rules[name]
                if decl.ir_kind != "step":
                    self.demand(
                        decl.ir_kind != "define", e, "no-effect",
                        f"`{name}` changes nothing, so calling it alone does nothing",
                        f"`{name}` は何も変えないので、単独で呼んでも意味がありません", ("use its value", "値を使ってください"))
                    self.rule_call(e, name)
                self.effect_allowed(e, f"`{name}`")
                return self.carry_out(e, name, result, ir.Do, e)
            case ast.Name(id="judge"):
                return self.judge(e)
            case ast.Name(id=name) if (do := getattr(self, f"do_{name}", None)) is not None:
                if name not in SILENCE:
                    self.effect_allowed(e, f"`{name}`")
                return do(e)
            case ast.Name(id=name) if name in AWAITED:
                raise self.not_here(e, name)
            case ast.Attribute(value=of, attr=verb):
                return self.container_call(e, of, verb, result)
            case ast.Name(id="when"):
                raise self.refuse(
                    e, "when-place", "`when(…)` is the first statement of an async situation",
                    "`when(…)` は async の situation の最初の文です",
                    ("move it to the top of the situation", "situation の先頭に移してください"))
            case ast.Name(id="print"):
                raise self.refuse(
                    e, "no-print", "rules show nothing", "規則は何も表示しません",
                    ("look at a play with `rulewright replay`", "`rulewright replay` で見てください"))
            case _:
                raise self.no_effect(e)

    def done_or_value(self, node: ast.expr, expect: t.Type | None, name: str) -> Val:
        """The value of what stands behind `=`, `return` or `match`: something may have to be done for it first."""
        if not self.is_done(node):
            return self.value(node, expect)
        x = self.perform(node, name)
        if x is None:
            call = node.value if isinstance(node, ast.Await) else node
            name = ast.unparse(call.func if isinstance(call, ast.Call) else call)
            raise self.refuse(
                node, "no-value", f"`{name}` gives no value", f"`{name}` は値を返しません",
                (f"write the type of its value behind `->` of `{name}`, or drop the assignment",
                 f"`{name}` の `->` の後に値の型を書くか、代入をやめてください"))
        return x

    def no_effect(self, e: ast.expr) -> Refused:
        """Report an expression that stands alone; what is wrong inside it comes first."""
        self.meaning(e)
        return self.refuse(
            e, "no-effect", "this does nothing", "この式は何もしません", ("assign it, or drop it", "代入するか、取り除いてください"))

    def container_call(self, e: ast.Call, of: ast.expr, verb: str, result: str | None) -> Variable | None:
        info = container(self.meaning(of))
        if info is None:
            raise self.refuse(
                e, "cannot-call", f"`{ast.unparse(e.func)}` cannot be called", f"`{ast.unparse(e.func)}` は呼び出せません",
                ("records and zones have no methods: use put(card, zone)",
                 "領域や Record にメソッドはありません。put(カード, 領域) を使ってください"))
        self.effect_allowed(e, f"`{ast.unparse(e.func)}`")
        match verb, info.is_pool:
            case "clear", False:
                self.put(ir.Clear(info.name, at=self.mark(e)))
            case "add" | "remove", False:
                v = self.value(self.one(e), info.type)
                self.put((ir.Insert if verb == "add" else ir.Remove)(info.name, v.parts, at=self.mark(e)))
            case "new", True:
                v = self.value(self.one(e), info.type)
                self.demand(
                    not self.in_batch, e, "new-in-batch",
                    "inside `simultaneously` nothing happens yet, so there is no new entry to refer to",
                    "`simultaneously` の途中ではまだ何も起こらないので、新しい要素を指せません", ("make it before the block", "ブロックの前に作ってください"))
                x = self.declare_variable(result or "ignored", info.ref)
                self.put(ir.New(info.name, v.parts, x.locals[0], at=self.mark(e)))
                return x
            case "free", True:
                freed = self.argument(e, info.ref)
                forget = forgetting(type(self)(self.scope, self.at, f"forget {info.name}", "step", t.NOTHING), info, e)
                if forget is not None:
                    kept = self.new_local("freed", info.ref)
                    self.put(ir.Assign(kept, freed, at=self.mark(e)))
                    freed = ir.Local(kept)
                    self.put(ir.Do(forget, (freed,), at=self.mark(e)))
                self.put(ir.Free(info.name, freed, at=self.mark(e)))
            case _:
                words = "new, free" if info.is_pool else "add, remove, clear"
                raise self.refuse(
                    e, "no-such-verb", f"`{info.name}` has no `{verb}`", f"`{info.name}` に `{verb}` はありません",
                    (f"it has {words}", f"あるのは {words} です"))
        return None

    def do_put(self, e: ast.Call) -> None:
        match e:
            case ast.Call(args=[card, to], keywords=[]):
                top = True
            case ast.Call(
                args=[card, to], keywords=[ast.keyword(arg="at", value=ast.Name(id="TOP" | "BOTTOM" as end))]
            ):
                top = end == "TOP"
            case _:
                raise self.refuse(
                    e, "put-form", "`put` takes a card and a zone, and on a pile the end",
                    "`put` にはカードと領域（山なら上か下か）を渡します",
                    ("write `put(card, zone)` or `put(card, pile, at=BOTTOM)`",
                     "`put(カード, 領域)` か `put(カード, 山, at=BOTTOM)` と書いてください"))
        zone = self.meaning(to)
        if isinstance(zone, Place) and isinstance(zone.node, Zones) and not zone.node.ordered and not top:
            raise self.refuse(
                e, "no-order", f"`{ast.unparse(to)}` is a Bag: it has no bottom",
                f"`{ast.unparse(to)}` は Bag なので上下がありません", ("make it a Pile", "Pile にしてください"))
        z = self.coerce(self.load(zone, to), self.d.zone(), to).expr
        self.put(ir.Put(self.scalar(card, self.d.card), z, top, at=self.mark(e)))

    def do_shuffle(self, e: ast.Call) -> None:
        self.put(ir.Shuffle(self.pile(self.one(e)), at=self.mark(e)))

    def do_renew(self, e: ast.Call) -> None:
        self.put(ir.Renew(self.argument(e, self.d.card), at=self.mark(e)))

    def do_emit(self, e: ast.Call) -> None:
        a = self.one(e)
        v = self.value(a)
        if not isinstance(v.type, t.RecordType) or self.d.bases[v.type.name] != "Event":
            raise self.refuse(
                a, "not-an-event", "only an Event is emitted", "emit できるのは Event だけです",
                ("derive the class from Event", "クラスの基底を Event にしてください"))
        if self.scope.abilities.listened(v.type.name):
            self.demand(
                self.scope.policy is not None, e, "no-trigger-policy",
                "cards listen to this event, and no rule says what it means that an ability has triggered",
                "この事象に誘発する能力がありますが、誘発したときの規則がありません",
                ("write `@trigger_policy def met(g, ability: Ability, card: Card, cause: Cause)`",
                 "`@trigger_policy def met(g, ability: Ability, card: Card, cause: Cause)` を書いてください"))
            self.put(
                ir.Do(self.scope.ask("event", v.type.name, f"emit {v.type.name}"), v.parts, event=True, at=self.mark(e))
            )

    def do_finish(self, e: ast.Call) -> None:
        self.demand(
            len(e.args) + len(e.keywords) == 1, e, "argument-count", "`finish` takes the winner, or None",
            "`finish` には勝者か None を渡します",
            ("write `finish(winner)`, or `finish(None)` for a draw", "`finish(勝者)`、引き分けなら `finish(None)` と書いてください"))
        a = e.args[0] if e.args else e.keywords[0].value
        self.put(ir.End("win", self.scalar(a, t.OptionType(self.d.player)), " ".join(self.clauses), at=self.mark(e)))

    def silent(self, e: ast.Call, kind: ir.EndKind) -> None:
        if self.at.source.kernel and not e.args:  # about the clause that the kernel is used for
            self.put(ir.End(kind, None, " ".join(self.clauses), at=self.mark(e)))
            return
        clause = self.text(
            e,
            "clause-text",
            "name the clause, as text",
            "条番号を文字列で書きます",
            (f'write `{ast.unparse(e.func)}("9.4.3")`', f'`{ast.unparse(e.func)}("9.4.3")` のように書いてください'),
        )
        check_clause(self.scope, clause, e.args[0], self.at)
        self.put(ir.End(kind, None, clause, at=self.mark(e)))

    do_gap = partialmethod(silent, kind="gap")
    do_conflict = partialmethod(silent, kind="conflict")
    do_not_modelled = partialmethod(silent, kind="not modelled")

    def judge(self, e: ast.Call) -> Variable:
        """All verdicts on a question; what none outranks counts; two different ones are a conflict."""
        self.demand(
            self.kind != "define", e, "judge-in-define",
            "`judge` can end play in a conflict, and a define changes nothing",
            "`judge` は衝突で終わることがあるので、@define では使えません",
            ("make it a @step, or call the verdict itself", "@step にするか、@verdict を直接呼んでください"))
        match e.args:
            case [ast.Constant(value=str() as question), _, subject, note]:
                verdicts = self.scope.rules_of("verdict", question)
            case _:
                raise self.refuse(
                    e, "judge-form", "judge is told the question, the state, the subject and the type of the answer",
                    "judge には、問い・状態・対象・答えの型を渡します",
                    ('write `judge("question", g, subject, Type)`; of the game as a whole the subject is an `Enum` of one member, `Asked.GAME` say',
                     '`judge("問い", g, 対象, 型)` と書いてください。ゲーム全体についての問いなら、対象は一つだけの `Enum` です（`Asked.GAME` など）'))
        if not verdicts:
            known = dict.fromkeys(r.subject for r in self.d.rules.values() if r.kind == "verdict")
            near = nearest(question, known)
            raise self.refuse(
                e.args[0],
                "no-verdicts",
                f"no verdict pronounces on “{question}”",
                f"「{question}」について述べる @verdict がありません",
                (f'did you mean "{near}"?', f'"{near}" ではありませんか')
                if near is not None
                else (f'write a `@verdict("{question}")`', f'`@verdict("{question}")` を書いてください'),
            )
        answer = t.OptionType(self.d.type_of(note, self.at))
        given: dict[str, Variable] = {}
        for v in verdicts:
            self.demand(
                len(v.params) == 1, e, "verdict-subject", f"the verdict `{v.name}` takes the state and one subject",
                f"@verdict `{v.name}` の引数は状態と対象一つです")
            arg = self.value(subject, v.params[0][1])
            self.scope.need(v.name)
            x = self.declare_variable(v.name, answer)
            said = self.coerce(Val(v.result, (ir.Call(v.name, arg.parts, at=self.mark(e)),)), answer, e)
            self.put(ir.Assign(x.locals[0], said.expr, at=self.mark(e)))
            given[v.name] = x
        out = self.declare_variable("verdict", answer)
        self.put(ir.Assign(out.locals[0], ir.Const(answer.none), at=self.mark(e)))
        for name, x in given.items():
            counts = both(
                [
                    binary("ne", x.expr, ir.Const(answer.none)),
                    *(
                        binary("eq", given[a].expr, ir.Const(answer.none))
                        for a, b in self.d.rankings
                        if b == name and a in given
                    ),
                ]
            )
            differs = both([binary("ne", out.expr, ir.Const(answer.none)), binary("ne", out.expr, x.expr)])
            with self.where(counts, self.mark(e)):
                with self.where(differs, self.mark(e)):
                    self.put(ir.End("conflict", None, f"verdict:{question}", at=self.mark(e)))
                self.put(ir.Assign(out.locals[0], x.expr, at=self.mark(e)))
        return out


def forgetting(low: CodeLowering, pool: ContainerInfo, node: ast.AST) -> str | None:
    """The step that is done before an entry of the pool is freed, written with `low`, which is fresh; None if nothing in the state
    can refer to it."""
    c = low.scope
    if low.name in c.functions:
        return low.name
    leaves = [leaf for field in c.nodes.values() for leaf in leaves_of(field) if refers(leaf.type, pool)]
    others = [x for x in c.layout.containers.values() if any(refers(of, pool) for of in x.type.flat())]
    if not leaves and not others:
        return None
    freed = ir.Local(low.new_local("freed", pool.ref))
    for x in others:
        keep_or_fault(low, x, pool, freed, node)
    for leaf in leaves:
        blank(low, leaf.base, leaf.count, leaf.type, freed, node)
    for x in others:
        for column, of in zip(x.columns, x.type.flat(), strict=True):
            if x.is_pool and refers(of, pool) and isinstance(of, t.OptionType):
                blank(low, column, x.capacity, of, freed, node)
    low.put(ir.Return(at=low.mark(node)))
    low.add(1)
    return low.name


def refers(of: t.Type, pool: ContainerInfo) -> bool:
    """Can a value of the type refer to an entry of the pool? A bare reference of the state always does, to something."""
    inner = t.some(of)
    return isinstance(inner, t.RefType) and inner.pool == pool.name


def leaves_of(node: PlaceNode) -> Iterator[Leaf]:
    """The optional scalars of a field, its containers aside."""
    match node:
        case Leaf(type=t.OptionType()):
            yield node
        case Fields(nodes=nodes):
            for _, inner in nodes:
                yield from leaves_of(inner)
        case Keyed(of=inner):
            yield from leaves_of(inner)


def blank(low: CodeLowering, base: int, count: int, of: t.Type, freed: ir.Expr, node: ast.AST) -> None:
    """Every place of the row that refers to the entry becomes none."""
    assert isinstance(of, t.OptionType)
    at = low.mark(node)
    if count == 1:
        with low.where(binary("eq", ir.Load(base, at=at), freed), at):
            low.put(ir.Store(base, None, 1, ir.Const(of.none), at=at))
        return
    number = t.Int(0, count - 1)
    rest, k = low.new_local("rest", t.SetType(number)), low.new_local("place", number)
    low.put(ir.Assign(rest, ir.Const((1 << count) - 1), at=at))
    with low.for_members(rest, k, at) as head:
        low.put(ir.Branch(binary("eq", ir.Load(base, ir.Local(k), count, at=at), freed), head, at=at))
        low.put(ir.Store(base, ir.Local(k), count, ir.Const(of.none), at=at))


def keep_or_fault(low: CodeLowering, x: ContainerInfo, pool: ContainerInfo, freed: ir.Expr, node: ast.AST) -> None:
    """An entry in use whose reference cannot become none (or whose place would change with it) must not refer to it."""
    at = low.mark(node)
    tests: list[ir.Expr] = []
    for column, of in zip(x.columns, x.type.flat(), strict=True):
        if not refers(of, pool) or (x.is_pool and isinstance(of, t.OptionType)):
            continue
        k = low.new_local("entry", t.Int(0, x.capacity - 1))
        used = [binary("eq", ir.Load(column, ir.Local(k), x.capacity, at=at), freed)]
        if x.name == pool.name:
            used.append(binary("ne", ir.Local(k), freed))
        everyone = ir.Load(x.head, at=at) if x.is_pool else ir.Unary("below", ir.Load(x.head, at=at), at=at)
        tests.append(ir.Fold("any", k, everyone, ir.Const(1), both(used), at=at))
    if tests:
        with low.where(either(tests), at):
            low.put(ir.End("fault", None, f"an entry of {pool.name} is freed while {x.name} refers to it", at=at))
