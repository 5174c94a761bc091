"""Calls of rules, and records that are built."""

from __future__ import annotations

import ast
from dataclasses import replace

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.program import Zones
from . import __all__ as VOCABULARY
from .kinds import FieldDecl, RuleDecl, in_place_of
from .patterns import PatternLowering
from .source import Refused
from .values import AWAITED, USAGE, Meaning, Offers, Place, StateRef, Val, said

PYTHON: dict[str, tuple[str, str] | None] = {
    "sorted": (
        "sets have no order: let somebody choose one at a time",
        "集合に順番はありません。一つずつ選ばせてください",
    ),
    "list": (
        "sets have no order: let somebody choose one at a time",
        "集合に順番はありません。一つずつ選ばせてください",
    ),
    "range": (
        "go through a named Range: `LANES = Range(1, 5)`, `for n in LANES`",
        "`LANES = Range(1, 5)` のような範囲に名前を付け、`for n in LANES` と書いてください",
    ),
    "print": ("look at a play with `rulewright replay`", "`rulewright replay` で見てください"),
    "next": ("let somebody choose: `await choose(who, cards)`", "`await choose(決める人, カード)` で選ばせてください"),
    "random": ("write `await chance(options)`", "`await chance(選択肢)` と書いてください"),
    "isinstance": ("tell records apart with `match … : case …`", "`match … : case …` で Record を見分けてください"),
    "frozenset": ("write `{…}` or `set()`", "`{…}` か `set()` と書いてください"),
    **dict.fromkeys(
        (
            "dict",
            "tuple",
            "enumerate",
            "zip",
            "map",
            "filter",
            "int",
            "bool",
            "str",
            "float",
            "round",
            "input",
            "open",
            "iter",
            "reversed",
            "type",
            "getattr",
            "setattr",
            "hasattr",
            "super",
            "id",
            "hash",
            "divmod",
            "pow",
            "eval",
            "exec",
            "callable",
            "vars",
        )
    ),
}


class CallLowering(PatternLowering):
    """Translates calls of defines, and the construction of records."""

    def pile(self, node: ast.expr) -> ir.Expr:
        """A zone with an order."""
        m = self.meaning(node)
        if isinstance(m, Place) and isinstance(m.node, Zones) and not m.node.ordered:
            raise self.refuse(
                node, "no-order", f"`{ast.unparse(node)}` is a Bag: its cards have no order",
                f"`{ast.unparse(node)}` は Bag なので順番がありません", ("make it a Pile", "Pile にしてください"))
        return self.coerce(self.load(m, node), self.d.zone(), node).expr

    # ------------------------------------------------------------ calls
    def call(self, node: ast.Call) -> Meaning:
        match node.func:
            case ast.Name(id=name) if name in self.d.rules:
                return self.rule_call(node, name)
            case ast.Name(id=name) if name in self.d.fields and name not in self.d.parts:
                return self.construct(node, name)
            case ast.Name(id=name):
                word = getattr(self, f"word_{name}", None)
                if word is not None:
                    return word(node)
                if name in VOCABULARY:
                    raise self.not_here(node, name)
                if name in PYTHON:
                    raise self.refuse(
                        node, "python-function", f"Python's `{name}` is not part of the rule language",
                        f"Python の `{name}` は規則言語にありません",
                        PYTHON[name] or ("make a @define that says it", "@define を作ってください"))
                self.demand(
                    name not in self.names and name not in self.d.types, node, "cannot-call",
                    f"`{name}` cannot be called", f"`{name}` は呼び出せません", ("drop the brackets", "括弧を取ってください"))
                raise self.d.unknown(node.func, name, self.at, self.names)
            case _:
                raise self.refuse(
                    node, "cannot-call", f"`{ast.unparse(node.func)}` cannot be called here",
                    f"`{ast.unparse(node.func)}` はここでは呼び出せません",
                    ("there are no methods; effects stand on a line of their own", "メソッドはありません。動作は単独の行に書いてください"))

    def not_here(self, node: ast.AST, name: str) -> Refused:
        if name in AWAITED:
            return self.refuse(
                node, "forgotten-await", f"`{name}` interrupts play, so it is awaited",
                f"`{name}` は割り込みが入る場所なので `await` が要ります",
                (f"write `answer = await {name}(…)`", f"`answer = await {name}(…)` と書いてください"))
        usage = USAGE.get(name, f"{name}(…)")
        return self.refuse(
            node, "effect-in-expression", f"`{name}` does something, so it stands as a statement of its own",
            f"`{name}` は動作なので、単独の文として書きます", (f"write `{usage}` on a line of its own", f"`{usage}` を単独の行に書いてください"))

    def rule_call(self, node: ast.Call, name: str) -> Meaning:
        decl, rule = self.d.rules[name], name
        name = in_place_of(node.func) or name
        self.demand(
            decl.ir_kind != "procedure", node, "forgotten-await",
            f"`{name}` is a procedure: play can be interrupted in it", f"`{name}` は手順です（割り込みが入りえます）",
            (f"write `await {name}(…)` on a line of its own, or `x = await {name}(…)`", f"`await {name}(…)` を単独の行に、または `x = await {name}(…)` と書いてください"))
        self.demand(
            decl.ir_kind != "step", node, "step-in-expression",
            f"`{name}` changes the state, so it stands on a line of its own", f"`{name}` は状態を変えるので、単独の行に書きます",
            (f"write `x = {name}(…)` first, then use `x`", f"先に `x = {name}(…)` と書き、次に `x` を使ってください"))
        outer = self.clauses
        try:
            node, decl = self.use(node, rule)
            args = self.arguments(node, decl)
            if decl.expanded:
                return self.expand(node, decl, args)
            self.scope.need(decl.name)
            return Val(decl.result, (ir.Call(decl.name, tuple(p for v in args for p in v.parts), at=self.mark(node)),))
        finally:
            self.clauses = outer

    def arguments(self, node: ast.Call, decl: RuleDecl) -> list[Val]:
        """The arguments of a rule, the state aside, coerced to its parameters."""
        name = in_place_of(node.func) or decl.base
        given = list(node.args)
        if decl.state is not None:
            self.demand(
                given and isinstance(self.state_or_none(given[0]), StateRef), node, "state-missing",
                f"`{name}` looks at the state: pass it first", f"`{name}` は状態を見るので、最初の引数に渡します",
                (f"write `{name}(g, …)`", f"`{name}(g, …)` と書いてください"))
            self.check_part(node, decl, given[0])
            given = given[1:]
        by_name = {k.arg: k.value for k in node.keywords}

        def hint() -> tuple[str, str]:
            want = ", ".join([*(["g"] if decl.state is not None else []), *self.d.rules[decl.base].order])
            return f"write `{name}({want})`", f"`{name}({want})` と書いてください"
        if decl.state is None and given and isinstance(self.state_or_none(given[0]), StateRef):
            raise self.refuse(
                node, "state-unwanted", f"`{name}` does not look at the state", f"`{name}` は状態を見ません", hint()
            )
        out: list[Val] = []
        for k, (p, of) in enumerate(decl.params):
            if k < len(given) or p in by_name:
                arg = given[k] if k < len(given) else by_name.pop(p)
                if p in decl.piles:
                    self.pile(arg)
                out.append(self.fit(self.value(arg, of), arg))
            else:
                raise self.refuse(
                    node, "argument-missing",
                    f"`{name}` also needs `{p}`" + ("" if isinstance(of, t.NothingType) else f": {said(of)}"),
                    f"`{name}` に引数 `{p}`" + ("" if isinstance(of, t.NothingType) else f"（{said(of, True)}）") + "が足りません",
                    hint())
        if len(given) > len(decl.params) or by_name:
            raise self.refuse(
                node, "argument-extra", f"`{name}` takes {len(self.d.rules[decl.base].order)} argument(s)",
                f"`{name}` の引数は {len(self.d.rules[decl.base].order)} 個です", hint())
        return out

    def check_part(self, node: ast.Call, decl: RuleDecl, state: ast.expr) -> None:
        """Refuse a call with a part of the state that does not have what the rule works on."""
        here = self.state_or_none(state)
        assert isinstance(here, StateRef)
        self.demand(
            in_place_of(node.func) or not here.part or decl.part in self.d.parts[here.part], node, "state-part",
            f"`{decl.base}` works on `{decl.part}`, which is no part of `{here.part}`",
            f"`{decl.base}` は `{decl.part}` を使いますが、`{here.part}` の部分ではありません",
            (f"write `{ast.unparse(state)}: {decl.part}` above", f"上で `{ast.unparse(state)}: {decl.part}` としてください"))

    def state_or_none(self, node: ast.expr) -> Meaning | None:
        return self.names.get(node.id) if isinstance(node, ast.Name) else None

    def expand(self, node: ast.Call, decl: RuleDecl, args: list[Val]) -> Meaning:
        """Put the one returned expression of a define in place of the call (for records and sets of records)."""
        name = decl.base
        if name in self.expanding:
            chain = " → ".join([*self.expanding[self.expanding.index(name) :], name])
            raise self.refuse(
                node, "recursion", f"`{name}` uses itself ({chain}), and might never come to an end",
                f"`{name}` が自分自身を使っています（{chain}）。終わらないおそれがあります",
                ("join sets with `|`, or go through one with `{… for … in …}`", "集合は `|` で合わせるか、`{… for … in …}` で作ってください"))
        returned = self.only_return(decl)
        outer = self.names, self.at, self.clauses, self.broken
        self.expanding.append(name)
        try:
            self.names = {p: v for (p, _), v in zip(decl.params, args, strict=True)}
            self.broken = set()
            if decl.state is not None:
                self.names[decl.state] = StateRef(decl.part)
            self.at = decl.reporter
            outside = self.clauses if decl.for_caller else decl.clauses.get(id(decl.node), ())
            self.clauses = decl.clauses.get(id(returned), outside)
            assert isinstance(returned, ast.Return) and returned.value is not None
            return self.as_declared(decl, self.meaning(returned.value), returned.value)
        finally:
            self.names, self.at, self.clauses, self.broken = outer
            self.expanding.pop()

    def only_return(self, decl: RuleDecl) -> ast.Return:
        """The one `return` that is the body of a define that gives records."""
        body = [s for s in decl.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
            return body[0]
        raise decl.reporter.refuse(
            decl.node, "record-result", f"`{decl.name}` gives records, so its body is one `return`",
            f"`{decl.name}` は Record を返すので、本体は `return` 一つにします",
            ("use `{…} | {…}`, `… if … else …`, or split it into defines with one return each", "`{…} | {…}` や `… if … else …` を使うか、`return` 一つの @define に分けてください"))

    def as_declared(self, decl: RuleDecl, m: Meaning, node: ast.expr) -> Meaning:
        """What such a define gives, as its declared type."""
        if decl.gives_set:
            offers = self.as_offers(m, node)
            return Offers(
                decl.result,
                tuple(
                    replace(o, values=self.coerce(Val(offers.type, o.values), decl.result, node).parts)
                    for o in offers.offers
                ),
            )
        self.demand(
            not isinstance(m, Offers), node, "record-result",
            f"`{decl.name}` gives one {decl.result}, and this is a set of them",
            f"`{decl.name}` は {decl.result} を一つ返しますが、これは集合です",
            (f"write `-> Set[{decl.result}]`", f"`-> Set[{decl.result}]` と書いてください"))
        return self.coerce(self.load(m, node), decl.result, node)

    def construct(self, node: ast.Call, name: str) -> Val:
        """`R(a, b=c)`."""
        of = self.d.record(name)
        fields = {f.name: f for f in self.d.fields[name]}
        self.demand(
            name not in self.d.definitions, node, "definition-as-value", "read one attribute of what is printed",
            "印刷された情報は、項目を一つずつ読みます", (f"write `{name}(card).name_of_attribute`", f"`{name}(カード).項目` と書いてください"))
        by_name = {k.arg: k.value for k in node.keywords}
        parts: list[ir.Expr] = []
        self.demand(
            len(node.args) <= len(fields), node, "argument-extra", f"{name} has {len(fields)} field(s)",
            f"{name} の項目は {len(fields)} 個です",
            (f"write `{name}({', '.join(fields)})`", f"`{name}({', '.join(fields)})` と書いてください"))
        given = dict(zip(fields, node.args, strict=False))
        extra = [f for f in by_name if f in given or f not in fields]
        given |= by_name
        missing: list[tuple[str, t.Type]] = []
        for f, ft in of.fields:
            if f in given:
                parts += self.value(given[f], ft).parts
            elif fields[f].default is not None:
                parts += self.default(fields[f], ft)
            else:
                missing.append((f, ft))
        if extra:
            raise self.d.no_field(node, name, name, extra[0] or "**", list(fields), self.at)
        if missing:
            f, ft = missing[0]
            want = ", ".join(x.name for x in fields.values())
            raise self.refuse(
                node, "argument-missing", f"{name} also needs `{f}`: {said(ft)}",
                f"{name} に `{f}`（{said(ft, True)}）が足りません",
                (f"write `{name}({want})`, or give `{f}` a default in the class", f"`{name}({want})` と書くか、クラスで `{f}` に既定値を付けてください"))
        return Val(of, tuple(parts))

    def default(self, f: FieldDecl, of: t.Type) -> tuple[ir.Expr, ...]:
        """The default of a field, as it is written in the class."""
        assert f.default is not None
        outer = self.at
        self.at = f.reporter
        try:
            return self.value(f.default, of).parts
        finally:
            self.at = outer

    # ------------------------------------------------------------ words
    def one(self, node: ast.Call) -> ast.expr:
        """What a word is given that takes one thing."""
        if len(node.args) != 1 or node.keywords:
            name = ast.unparse(node.func)
            usage = USAGE.get(name)
            raise self.refuse(
                node, "argument-count", f"`{name}` takes 1 argument(s)", f"`{name}` の引数は 1 個です",
                None if usage is None else (f"write `{usage}`", f"`{usage}` と書いてください"))
        return node.args[0]

    def argument(self, node: ast.Call, of: t.Type) -> ir.Expr:
        """The same, as a scalar of the type."""
        return self.scalar(self.one(node), of)
