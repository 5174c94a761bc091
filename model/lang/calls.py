"""Calls of rules, and records that are built.

A rule is given to another by its name, and known when the book is read. So the rule that takes it is a pattern: it is
translated once for each combination of rules that it is given, with their names in place of its parameters. A rule of
the kernel is also made for each clause it is used for, which stands at the call.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ..ir import nodes as ir
from ..ir import types as t
from ..ir.program import Zones
from . import __all__ as VOCABULARY
from .declarations import FieldDecl
from .heads import no_such_part
from .sets import SetLowering
from .signatures import RuleDecl, RuleSort, arguments, in_place_of
from .source import Refused, attach_clauses
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
        "write `for _ in up_to(3)` for three times, or go through a named range: `LANES = Range(1, 5)`, `for n in LANES`",
        "3回なら `for _ in up_to(3)` と書くか、範囲に名前を付けて（`LANES = Range(1, 5)`）`for n in LANES` と書いてください",
    ),
    "print": ("look at a play with `rulewright replay`", "`rulewright replay` で見てください"),
    "next": ("let somebody choose: `await choose(who, cards)`", "`await choose(決める人, カード)` で選ばせてください"),
    "random": ("write `await chance(options)`", "`await chance(選択肢)` と書いてください"),
    "isinstance": ("tell records apart with `match … : case …`", "`match … : case …` で Record を見分けてください"),
    "frozenset": ("write `{…}` or `set()`", "`{…}` か `set()` と書いてください"),
    **dict.fromkeys((
        "dict", "tuple", "enumerate", "zip", "map", "filter", "int", "bool", "str", "float", "round",
        "input", "open", "iter", "reversed", "type", "getattr", "setattr", "hasattr", "super", "id",
        "hash", "divmod", "pow", "eval", "exec", "callable", "vars")),
}


Given = Mapping[str, ast.expr]
"""What stands in place of parameters: the name of a rule, or `OPEN("clause")`."""
Cited = Mapping[str, tuple[str, ...]]
"""The clauses for which a rule that is passed is called: a mark on the line on which it is passed."""
Types = Mapping[str, t.Type]
"""The types of parameters that take values of any type."""
NO_TYPES: Types = {}


class CallLowering(SetLowering):
    """Finds out which rule a call means; translates calls of defines, and the construction of records."""

    marked: Mapping[int, tuple[str, ...]] = MappingProxyType({})
    """Clauses by what they are marked at (its `id`)."""

    def marks(self, node: ast.AST) -> tuple[str, ...] | None:
        """The clauses that are marked at a statement."""
        return getattr(node, "cited", None) or self.marked.get(id(node))

    def made(
        self, rule: RuleDecl, given: Given, clauses: tuple[str, ...], cited: Cited, types: Types = NO_TYPES
    ) -> RuleDecl:
        """The rule with what it was given in place of its parameters; one that is for its caller does it for these clauses."""
        inherited = clauses if rule.for_caller else ()
        if not given and not inherited and not types:
            return rule
        new = made_for(rule, given, inherited, cited, types)
        return self.d.rules.setdefault(new.name, new)

    def use(self, node: ast.Call, name: str) -> tuple[ast.Call, RuleDecl]:
        """The rule that a call of the rule `name` means, and the call without the rules that it passes."""
        decl = self.d.rules[name]
        if decl.part and not self.d.has_part(decl.part):
            raise no_such_part(self.d, node, self.at, f"`{name}`", decl.part)
        self.clauses = getattr(node.func, "cited", ()) or self.clauses
        if not decl.is_pattern and not decl.deciders:
            return node, self.made(decl, {}, self.clauses, {})
        given = taken_out(node, decl)
        types = self.types_given(node, decl)
        bound: dict[str, t.Type] = {} if not types else {"T": next(iter(types.values()))}
        for p in decl.passed:
            if p not in given:
                example = f"{decl.base}({', '.join([*(['g'] if decl.state else []), *decl.order])})"
                raise self.refuse(
                    node, "argument-missing", f"`{decl.base}` also needs the rule `{p}`: {decl.passed[p]}",
                    f"`{decl.base}` に渡す規則 `{p}`（{decl.passed[p]}）が足りません", (f"write `{example}`", f"`{example}` と書いてください"))
            self.check_given(given[p], decl, p, bound)
        for p in decl.deciders & given.keys():
            self.meaning(given[p])  # its clause is checked where it is written
        cited = {p: self.marks(a) or getattr(a, "cited", ()) for p, a in given.items()}
        return without(node, given), self.made(decl, given, self.clauses, cited, types)

    def types_given(self, node: ast.Call, decl: RuleDecl) -> Types:
        """The types of what is given for parameters that take any, which is the same for all of them; a missing one is
        reported with the arguments."""
        out: dict[str, t.Type] = {}
        for p, arg in arguments(node, decl):
            if p not in decl.any_type:
                continue
            of = self.value(arg).type
            out[p] = t.ANY_INT if isinstance(of, t.Int) else of
            first, one = next(iter(out.items()))
            self.demand(
                out[p] == one, arg, "types-of-pattern",
                f"`{first}` and `{p}` of `{decl.base}` are of one type: {said(one)}",
                f"`{decl.base}` の `{first}` と `{p}` は同じ型（{said(one, True)}）にします",
                ("give values of one type", "同じ型の値を渡してください"))
        return out

    def rule_called(self, node: ast.Call) -> tuple[ast.Call, RuleDecl] | None:
        """The same for a call that somebody else checks, in a rule that may stand elsewhere: nothing is reported."""
        if not isinstance(node.func, ast.Name) or node.func.id not in self.d.rules:
            return None
        decl = self.d.rules[node.func.id]
        if not decl.is_pattern and not decl.deciders:
            return node, decl
        given = taken_out(node, decl)
        if not all(isinstance(x := given.get(p), ast.Name) and x.id in self.d.rules for p in decl.passed):
            return None
        return without(node, given), self.made(decl, given, (), {})

    def check_given(self, arg: ast.expr, decl: RuleDecl, p: str, bound: dict[str, t.Type]) -> None:
        """Refuse what is passed as `p` if it is no rule of the sort asked for."""
        sort = decl.passed[p]
        if not isinstance(arg, ast.Name) or arg.id not in self.d.rules or arg.id in self.names:
            if isinstance(arg, ast.Name) and not any(arg.id in x for x in (self.names, self.d.where, VOCABULARY)):
                raise self.d.unknown(arg, arg.id, self.at, self.names)
            if isinstance(arg, ast.Name) and arg.id in self.d.where and self.d.what_is(arg.id) is None:
                raise Refused
            name = arg.func.id if isinstance(arg, ast.Call) and isinstance(arg.func, ast.Name) else ""
            raise self.refuse(
                arg, "rule-expected", f"`{decl.base}` is given a rule as `{p}`: {sort}",
                f"`{decl.base}` の `{p}` には規則（{sort}）を渡します",
                (f"write its name, without calling it: `{p}={name}`", f"呼び出さずに名前を書いてください: `{p}={name}`")
                if name in self.d.rules
                else (f"make it a rule of its own, and write its name: `{p}=…`", f"一つの規則にして、その名前を書いてください: `{p}=…`"))
        rule = self.d.rules[arg.id]
        if not fits(sort, rule, bound):
            want, ja = wanted(arg.id, sort, rule, bound, self.d.state_class)
            raise self.refuse(
                arg, "rule-of-another-sort", f"`{arg.id}` is no {sort}, which `{decl.base}` needs as `{p}`",
                f"`{arg.id}` は、`{decl.base}` の `{p}` に要る {sort} ではありません",
                (f"it should be `{want}`", f"`{want}` の形にしてください") if not ja else (want, ja))

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

    def rule_call(self, node: ast.Call, rule: str) -> Meaning:
        decl, name = self.d.rules[rule], in_place_of(node.func) or rule
        self.demand(
            decl.ir_kind != "procedure", node, "forgotten-await",
            f"`{name}` is a procedure: play can be interrupted in it", f"`{name}` は手順です（割り込みが入りえます）",
            (f"write `await {name}(…)` on a line of its own, or `x = await {name}(…)`",
             f"`await {name}(…)` を単独の行に、または `x = await {name}(…)` と書いてください"))
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
        state = self.state_or_none(given[0]) if given else None
        if decl.state is not None:
            if state is None:
                raise self.refuse(
                    node,
                    "state-missing",
                    f"`{name}` looks at the state: pass it first",
                    f"`{name}` は状態を見るので、最初の引数に渡します",
                    (f"write `{name}(g, …)`", f"`{name}(g, …)` と書いてください"),
                )
            here = given.pop(0)
            if not in_place_of(node.func) and state.part and decl.part not in self.d.parts[state.part]:
                raise self.refuse(
                    node,
                    "state-part",
                    f"`{decl.base}` works on `{decl.part}`, which is no part of `{state.part}`",
                    f"`{decl.base}` は `{decl.part}` を使いますが、`{state.part}` の部分ではありません",
                    (
                        f"write `{ast.unparse(here)}: {decl.part}` above",
                        f"上で `{ast.unparse(here)}: {decl.part}` としてください",
                    ),
                )
        by_name = {k.arg: k.value for k in node.keywords}

        def hint() -> tuple[str, str]:
            want = ", ".join([*(["g"] if decl.state is not None else []), *self.d.rules[decl.base].order])
            return f"write `{name}({want})`", f"`{name}({want})` と書いてください"
        self.demand(
            decl.state is not None or state is None, node, "state-unwanted",
            f"`{name}` does not look at the state", f"`{name}` は状態を見ません", hint())
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

    def state_or_none(self, node: ast.expr) -> StateRef | None:
        m = self.names.get(node.id) if isinstance(node, ast.Name) else None
        return m if isinstance(m, StateRef) else None

    def expand(self, node: ast.Call, decl: RuleDecl, args: list[Val]) -> Meaning:
        """Put the one returned expression of a define in place of the call (for records and sets of records)."""
        name = decl.base
        if name in self.expanding:
            chain = " → ".join([*self.expanding[self.expanding.index(name) :], name])
            raise self.refuse(
                node, "recursion", f"`{name}` uses itself ({chain}), and might never come to an end",
                f"`{name}` が自分自身を使っています（{chain}）。終わらないおそれがあります",
                ("join sets with `|`, or go through one with `{… for … in …}`",
                 "集合は `|` で合わせるか、`{… for … in …}` で作ってください"))
        returned, value = self.only_return(decl)
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
            return self.as_declared(decl, self.meaning(value), value)
        finally:
            self.names, self.at, self.clauses, self.broken = outer
            self.expanding.pop()

    def only_return(self, decl: RuleDecl) -> tuple[ast.Return, ast.expr]:
        """The one `return` that is the body of a define that gives records, and what it gives."""
        body = [s for s in decl.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        match body:
            case [ast.Return(value=ast.expr() as value) as only]:
                return only, value
        raise decl.reporter.refuse(
            decl.node, "record-result", f"`{decl.name}` gives records, so its body is one `return`",
            f"`{decl.name}` は Record を返すので、本体は `return` 一つにします",
            ("use `{…} | {…}`, `… if … else …`, or split it into defines with one return each",
             "`{…} | {…}` や `… if … else …` を使うか、`return` 一つの @define に分けてください"))

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
                (f"write `{name}({want})`, or give `{f}` a default in the class",
                 f"`{name}({want})` と書くか、クラスで `{f}` に既定値を付けてください"))
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


# ---------------------------------------------------------------- rules made for what they are given
def taken_out(node: ast.Call, decl: RuleDecl) -> dict[str, ast.expr]:
    """What a call gives for the parameters that are rules, and for deciders that nobody is."""
    out: dict[str, ast.expr] = {}
    for p, arg in arguments(node, decl):
        nobody = isinstance(arg, ast.Call) and isinstance(arg.func, ast.Name) and arg.func.id == "OPEN"
        if p in decl.passed or (p in decl.deciders and nobody):
            out[p] = arg
    return out


def without(node: ast.Call, given: Given) -> ast.Call:
    """The call without these arguments."""
    args = [a for a in node.args if not any(a is x for x in given.values())]
    return ast.copy_location(ast.Call(node.func, args, [k for k in node.keywords if k.arg not in given]), node)


def fits(sort: RuleSort, rule: RuleDecl, bound: dict[str, t.Type]) -> bool:
    """Is the rule of the sort? `bound`: what type variables stand for, so far."""
    if rule.ir_kind != sort.kind or rule.is_pattern or rule.state is None or len(rule.params) != len(sort.params):
        return False
    if not all(agree(want, of, bound) for want, (_, of) in zip(sort.params, rule.params, strict=True)):
        return False
    if not sort.gives_set:
        return not rule.gives_set and agree(sort.result, rule.result, bound)
    if isinstance(sort.result, str) and isinstance(rule.result, t.SetType):
        return agree(sort.result, rule.result.inner, bound)
    return rule.gives_set and agree(sort.result, rule.result, bound)


def agree(want: t.Type | str, of: t.Type, bound: dict[str, t.Type]) -> bool:
    """Is it the type that is asked for? Numbers agree whatever their ranges are: that is looked at in play."""
    if isinstance(want, str):
        want = bound.setdefault(want, of)
    return want == of or (isinstance(want, t.Int) and isinstance(of, t.Int))


def wanted(name: str, sort: RuleSort, rule: RuleDecl, bound: Mapping[str, t.Type], state: str) -> tuple[str, str]:
    """How the rule should be declared; or, with the Japanese, what to do instead."""
    if rule.is_pattern:
        return "pass a rule that needs no rules itself", "それ自身が規則を必要としない規則を渡してください"

    def shown(x: t.Type | str) -> str:
        x = bound.get(x, x) if isinstance(x, str) else x
        return "None" if isinstance(x, t.NothingType) else "int" if x == t.ANY_INT else str(x)

    names = [p for p, _ in rule.params] if len(rule.params) == len(sort.params) else []
    takes = [f"{names[k] if names else f'x{k + 1}'}: {shown(x)}" for k, x in enumerate(sort.params)]
    result = f"Set[{shown(sort.result)}]" if sort.gives_set else shown(sort.result)
    head = "async def" if sort.kind == "procedure" else "def"
    return f"@{sort.kind} {head} {name}({', '.join([f'g: {state}', *takes])}) -> {result}", ""


def made_for(decl: RuleDecl, given: Given, clauses: tuple[str, ...], cited: Cited, types: Types) -> RuleDecl:
    """The rule with these rules in place of its parameters, for these clauses and types."""
    shown = [*(" ".join((ast.unparse(a), *cited.get(p, ()))) for p, a in given.items()), *map(str, types.values())]
    name = f"{decl.base}[{', '.join([*shown, *([' '.join(clauses)] if clauses else [])])}]"
    params = [(p, types.get(p, of)) for p, of in decl.params if p not in given]
    if not given:
        return replace(decl, name=name, inherited=clauses, params=params, any_type=frozenset[str]())
    copies, key = decl.reporter.source.copies, (decl.node, name, tuple(given))
    node = copies.get(key)
    if node is None:
        node = copies[key] = PutInPlace(given, cited).visit(copy.deepcopy(decl.node))
    return replace(
        decl,
        name=name,
        node=node,
        params=params,
        clauses=attach_clauses(decl.reporter.source, node),
        passed={},
        any_type=frozenset(),
        deciders=frozenset(),
        order=tuple(p for p in decl.order if p not in given),
        inherited=clauses,
    )


class PutInPlace(ast.NodeTransformer):
    """Puts what is given in place of the names of parameters. Positions stay those of the pattern."""

    def __init__(self, given: Given, cited: Cited) -> None:
        self.given = given
        self.cited = cited

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.given:
            return node
        new = copy.deepcopy(self.given[node.id])
        for n in ast.walk(new):
            if "lineno" in n._attributes:
                ast.copy_location(n, node)
        new.in_place_of = node.id  # pyright: ignore[reportAttributeAccessIssue]
        new.cited = self.cited.get(node.id, ())  # pyright: ignore[reportAttributeAccessIssue]
        return new
