"""What a book declares: types, state, events, functions. Names of all modules form one namespace."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from ...spec.diagnostics import Collector, nearest
from ..ir import types as t
from . import __all__ as VOCABULARY
from .source import Refused, Reporter, Source, attach_clauses
from .world import Word, World

KINDS = ("define", "value", "step", "action", "procedure", "situation", "trigger_policy", "verdict", "permits",
         "forbids", "requires", "invariant")
PURE = ("define", "value", "verdict", "permits", "forbids", "requires", "invariant")


@dataclass
class RuleDecl:
    """A rule as declared: its kind, parameters (the state handle aside) and result type."""

    name: str
    kind: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    reporter: Reporter
    params: list[tuple[str, t.Type]]
    state: str | None
    """Name of the parameter that is the state; None for rules that do not look at it."""
    result: t.Type
    result_note: ast.expr | None
    clauses: Mapping[int, tuple[str, ...]]
    scope: int = 0
    entry: str = ""
    subject: str = ""
    """The action a norm is about, or the question of a verdict."""

    gives_set: bool = False
    """The result is a set of records: options for somebody."""

    @property
    def expanded(self) -> bool:
        """A define that gives records is put in place of each call."""
        return self.ir_kind == "define" and (
            isinstance(self.result, t.RecordType | t.UnionType | t.CauseType) or self.result.width != 1)

    @property
    def is_async(self) -> bool:
        return isinstance(self.node, ast.AsyncFunctionDef)

    @property
    def ir_kind(self) -> str:
        """define, step or procedure."""
        if self.kind in PURE:
            return "define"
        return "procedure" if self.is_async else "step"


@dataclass
class FieldDecl:
    """A field of a state, record, event or definition."""

    name: str
    note: ast.expr
    default: ast.expr | None
    reporter: Reporter


@dataclass
class Declarations:
    """Everything a book declares, resolved for one world."""

    world: World
    collector: Collector
    types: dict[str, t.Type] = field(default_factory=dict[str, t.Type])
    ranges: dict[str, t.Int] = field(default_factory=dict[str, t.Int])
    constants: dict[str, tuple[ast.expr, Reporter]] = field(default_factory=dict[str, tuple[ast.expr, Reporter]])
    aliases: dict[str, tuple[ast.expr, Reporter]] = field(default_factory=dict[str, tuple[ast.expr, Reporter]])
    fields: dict[str, list[FieldDecl]] = field(default_factory=dict[str, list[FieldDecl]])
    events: set[str] = field(default_factory=set[str])
    definitions: dict[str, bool] = field(default_factory=dict[str, bool])
    """Definition class → is it of abilities (else of cards)."""
    symbols: set[str] = field(default_factory=set[str])
    signals: dict[str, None] = field(default_factory=dict[str, None])
    state_class: str = ""
    rules: dict[str, RuleDecl] = field(default_factory=dict[str, RuleDecl])
    where: dict[str, tuple[Reporter, ast.AST]] = field(default_factory=dict[str, tuple[Reporter, ast.AST]])
    rankings: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """(stronger, weaker): names of verdicts, or kinds of norms."""
    cause: t.CauseType = field(default_factory=lambda: t.CauseType(0, 0, 0, 0))
    following: list[str] = field(default_factory=list[str])
    """Names that are being looked up, to notice when one leads back to itself."""

    # ------------------------------------------------------------ types by name
    @property
    def card(self) -> t.CardType:
        return t.CardType("Card", len(self.world.cards))

    @property
    def player(self) -> t.PlayerType:
        return t.PlayerType("Player", 2)

    @property
    def ability(self) -> t.AbilityType:
        return t.AbilityType("Ability", len(self.world.abilities))

    def zone(self) -> t.ZoneType:
        return t.ZoneType("Zone", self.zone_count)

    zone_count: int = 0

    @property
    def piles(self) -> set[str]:
        """Fields of the state that are piles."""
        out: set[str] = set()
        for f in self.fields.get(self.state_class, []):
            note = f.note
            while isinstance(note, ast.Subscript) and isinstance(note.slice, ast.Tuple) and note.slice.elts:
                note = note.slice.elts[-1]
            if isinstance(note, ast.Name) and note.id == "Pile":
                out.add(f.name)
        return out

    def builtin(self, name: str) -> t.Type | None:
        match name:
            case "bool":
                return t.BOOL
            case "int":
                return t.ANY_INT
            case "Player":
                return self.player
            case "Card":
                return self.card
            case "Obj":
                return t.ObjType("Obj", len(self.world.cards))
            case "Ability":
                return self.ability
            case "Zone" | "Bag" | "Pile":
                return self.zone()
            case "Cause":
                return self.cause
            case "None":
                return t.NOTHING
            case _:
                return None

    def type_of(self, note: ast.expr, at: Reporter) -> t.Type:
        """The type an annotation means. Raises Refused."""
        match note:
            case ast.Constant(value=None):
                return t.NOTHING
            case ast.Constant(value=str() as text):
                try:
                    inner = ast.parse(text, mode="eval").body
                except (SyntaxError, ValueError):
                    raise self.no_type(note, at) from None
                for n in ast.walk(inner):
                    ast.copy_location(n, note)
                return self.type_of(inner, at)
            case ast.Name(id=name):
                return self.named_type(note, name, at)
            case ast.BinOp(op=ast.BitOr(), left=a, right=b):
                x, y = self.type_of(a, at), self.type_of(b, at)
                if isinstance(x, t.NothingType) or isinstance(y, t.NothingType):
                    return self.option(y if isinstance(x, t.NothingType) else x, note, at)
                records = [*self.variants(x), *self.variants(y)]
                if not self.variants(x) or not self.variants(y):
                    wrong = x if not self.variants(x) else y
                    raise at.refuse(note, "union-of-values", f"only records are joined with `|`, and {wrong} is none",
                                    f"`|` で並べられるのは Record だけです（{wrong} は Record ではありません）",
                                    ("make a Record for each alternative", "それぞれを Record にしてください"))
                return self.union_type(records)
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[ast.Name(id="int"), r])):
                return self.range_of(r, at)
            case ast.Subscript(value=ast.Name(id="Option" | "Optional"), slice=inner):
                return self.option(self.type_of(inner, at), note, at)
            case ast.Subscript(value=ast.Name(id="Set" | "set"), slice=inner):
                return self.set_of(self.type_of(inner, at), note, at)
            case ast.Subscript(value=ast.Name(id="Ref"), slice=ast.Name(id=name)):
                pool = next((f for f in self.fields.get(self.state_class, []) if self.is_pool_of(f, name)), None)
                if pool is None:
                    raise at.refuse(note, "no-such-pool", f"no Pool[{name}] stands in the state",
                                    f"状態に Pool[{name}] がありません",
                                    (f"add a field `…: Pool[{name}]` to the state",
                                     f"状態に `…: Pool[{name}]` という項目を加えてください"))
                return t.RefType(f"Ref[{name}]", self.capacity(pool.name), pool.name)
            case ast.Subscript(value=ast.Name(id="Per" | "Multiset" | "Pool" as container)):
                raise at.refuse(note, "container-type", f"a {container} is a field of the state, not a value",
                                f"{container} は状態の項目で、値ではありません",
                                ("pass the key instead, and look the entry up in the state",
                                 "代わりに添字を渡し、状態から読んでください"))
            case _:
                raise self.no_type(note, at)

    def named_type(self, note: ast.expr, name: str, at: Reporter) -> t.Type:
        """The type with this name."""
        if (b := self.builtin(name)) is not None:
            return b
        if name in self.types:
            return self.types[name]
        if name in self.aliases:
            if name in self.following:
                raise at.refuse(note, "endless-type", f"`{name}` is defined by itself", f"`{name}` が自分自身で定義されています")
            self.following.append(name)
            try:
                return self.type_of(*self.aliases[name])
            finally:
                self.following.pop()
        if name in self.ranges:
            raise at.refuse(note, "range-as-type", f"`{name}` is a range, not a type", f"`{name}` は範囲で、型ではありません",
                            (f"write `Annotated[int, {name}]`", f"`Annotated[int, {name}]` と書いてください"))
        if name == self.state_class and name:
            raise at.refuse(note, "state-as-value", "the state is not a value", "状態そのものは値ではありません",
                            ("make it the first parameter", "最初の引数にしてください"))
        if name in self.definitions:
            raise at.refuse(note, "definition-as-value", "what is printed on a card is not a value",
                            "印刷された情報そのものは値ではありません",
                            (f"pass the card, and read `{name}.of(card)`", f"カードを渡し、`{name}.of(カード)` で読んでください"))
        if name in self.fields:
            return self.record(name, note, at)
        if name in ("Per", "Multiset", "Pool", "Set", "Option", "Ref"):
            raise at.refuse(note, "type-without-argument", f"{name} of what?", f"何の {name} か書かれていません",
                            (f"write `{name}[…]`", f"`{name}[…]` と書いてください"))
        if name in ("str", "float", "list", "dict", "tuple", "object"):
            raise self.no_type(note, at)
        if name in ("Decider", "OPEN"):
            raise at.refuse(note, "decider-type", "who decides is named where the choice is: a Player, or OPEN(…) there",
                            "決める人は選ぶ所で名指します（Player か、その場の OPEN(…)）",
                            ("take a Player", "Player を受け取ってください"))
        if name in VOCABULARY or name in self.signals:
            raise self.no_type(note, at)
        raise self.unknown(note, name, at)

    def no_type(self, note: ast.expr, at: Reporter) -> Refused:
        return at.refuse(note, "unknown-type", f"`{ast.unparse(note)}` is not a type of the rule language",
                         f"`{ast.unparse(note)}` は規則言語の型ではありません",
                         ("use bool, Annotated[int, Range(lo, hi)], Player, Card, Option[Obj], Set[…], Zone, "
                          "an enumeration or a record",
                          "bool, Annotated[int, Range(下限, 上限)], Player, Card, Option[Obj], Set[…], Zone, "
                          "列挙, Record のどれかを使ってください"))

    def option(self, of: t.Type, note: ast.expr, at: Reporter) -> t.Type:
        """`Option[of]`."""
        if isinstance(of, t.OptionType):
            return of
        if of.width != 1 or isinstance(of, t.SetType):
            raise at.refuse(note, "option-of-bundle", f"Option[{of}] is not possible: a {of} is several values",
                            f"Option[{of}] とは書けません（{of} は複数の値の組です）",
                            ("keep a bool field beside it, or an Option of one of its fields",
                             "真偽の項目を添えるか、その中の一つの値を Option にしてください"))
        return t.OptionType(of)

    def set_of(self, of: t.Type, note: ast.expr, at: Reporter) -> t.Type:
        """`Set[of]`."""
        if isinstance(of, t.RecordType | t.UnionType | t.CauseType):
            raise at.refuse(note, "set-of-records", "a set of records can only be offered to somebody",
                            "Record の集合は、選択肢としてだけ使えます",
                            ("keep records in a field `Multiset[…]` of the state",
                             "Record を持っておくには、状態の項目 `Multiset[…]` を使ってください"))
        if isinstance(of, t.OptionType | t.SetType | t.NothingType | t.ZoneType):
            raise at.refuse(note, "set-of-that", f"there are no sets of {of}", f"{of} の集合はありません")
        if isinstance(of, t.Int) and of.hi - of.lo >= 1024:
            raise at.refuse(note, "set-too-wide", f"a set of numbers in {of} is too large",
                            f"{of} の数の集合は大きすぎます",
                            ("write the range: `Set[Annotated[int, Range(1, 5)]]`",
                             "範囲を書いてください: `Set[Annotated[int, Range(1, 5)]]`"))
        return t.SetType(of)

    def is_pool_of(self, f: FieldDecl, name: str) -> bool:
        return ast.unparse(f.note) == f"Pool[{name}]"

    def capacity(self, name: str) -> int:
        """How many entries a multiset or pool of the state can hold."""
        return self.world.capacities.get(name, 8)

    def variants(self, of: t.Type) -> list[t.RecordType]:
        match of:
            case t.RecordType():
                return [of]
            case t.UnionType(variants=v):
                return list(v)
            case _:
                return []

    def union_type(self, variants: Iterable[t.RecordType]) -> t.Type:
        """The union of records, each once, in order of first mention; one alone is itself."""
        distinct = tuple({v.name: v for v in variants}.values())
        return distinct[0] if len(distinct) == 1 else t.UnionType(distinct)

    def record(self, name: str, note: ast.expr | None = None, at: Reporter | None = None) -> t.RecordType:
        """The record type of this name."""
        if name not in self.types:
            if name in self.following:
                assert note is not None and at is not None
                raise at.refuse(note, "endless-type", f"a {name} cannot contain a {name}", f"{name} の中に {name} は入れられません",
                                (f"keep them in a field `Pool[{name}]` of the state, and refer to one as `Ref[{name}]`",
                                 f"状態の項目 `Pool[{name}]` に置き、`Ref[{name}]` で指してください"))
            self.following.append(name)
            try:
                fields = tuple((f.name, self.field_type(name, f)) for f in self.fields[name])
            finally:
                self.following.pop()
            self.types[name] = t.RecordType(name, fields)
        found = self.types[name]
        assert isinstance(found, t.RecordType)
        return found

    def field_type(self, record: str, f: FieldDecl) -> t.Type:
        """The type of a field of a record."""
        if isinstance(f.note, ast.Name) and f.note.id in ("Bag", "Pile"):
            raise f.reporter.refuse(f.note, "zone-in-record", "zones stand directly in the state",
                                    "領域は状態に直接置きます（Record の中には置けません）",
                                    ("write `Zone` to say which zone is meant", "どの領域かを持たせるなら `Zone` と書いてください"))
        of = self.type_of(f.note, f.reporter)
        self.check_field(of, f)
        if isinstance(of, t.Int) and f"{record}.{f.name}" in self.world.caps:
            of = t.Int(of.least, self.world.caps[f"{record}.{f.name}"])
        return of

    def check_field(self, of: t.Type, f: FieldDecl) -> None:
        """Refuse what cannot be a field."""
        if isinstance(of, t.ObjType):
            raise f.reporter.refuse(f.note, "obj-can-die", "an Obj can die: it is always optional",
                                    "Obj は失われることがあるので、必ず Option[Obj] と書きます",
                                    ("write Option[Obj]", "Option[Obj] と書いてください"))
        if of in (t.ANY_INT, t.OptionType(t.ANY_INT)):
            raise f.reporter.refuse(f.note, "int-without-range", "a number that is kept needs a range",
                                    "保持する数には範囲が必要です",
                                    ("write `Annotated[int, Range(0, 9)]`, with the bounds that play can reach",
                                     "`Annotated[int, Range(0, 9)]` のように、取りうる範囲を書いてください"))
        if isinstance(of, t.NothingType):
            raise self.no_type(f.note, f.reporter)

    def range_of(self, note: ast.expr, at: Reporter) -> t.Int:
        """The range `Range(lo, hi)`, or a name for one."""
        match note:
            case ast.Name(id=name) if name in self.ranges:
                return self.ranges[name]
            case ast.Call(func=ast.Name(id="Range"), args=[a, b], keywords=[]):
                lo, hi = self.constant_int(a, at), self.constant_int(b, at)
                if lo > hi:
                    raise at.refuse(note, "empty-range", f"the range {lo}..{hi} is empty", f"範囲 {lo}..{hi} は空です",
                                    (f"write Range({hi}, {lo})", f"Range({hi}, {lo}) と書いてください"))
                return t.Int(lo, hi)
            case _:
                raise at.refuse(note, "not-a-range", "a range is written Range(lo, hi), with numbers",
                                "範囲は Range(下限, 上限) と数で書きます",
                                ("write `Range(0, 9)`, for instance", "`Range(0, 9)` のように書いてください"))

    def constant_int(self, node: ast.expr, at: Reporter) -> int:
        match node:
            case ast.Constant(value=int() as n) if not isinstance(n, bool):
                if abs(n) > t.ANY_INT.hi:
                    raise at.refuse(node, "number-too-large", f"numbers go from {t.ANY_INT.lo} to {t.ANY_INT.hi}",
                                    f"数は {t.ANY_INT.lo} から {t.ANY_INT.hi} までです")
                return n
            case ast.UnaryOp(op=ast.USub(), operand=o):
                return -self.constant_int(o, at)
            case ast.Name(id=name) if name in self.constants and name not in self.following:
                self.following.append(name)
                try:
                    return self.constant_int(*self.constants[name])
                finally:
                    self.following.pop()
            case ast.Name(id=name) if name in self.aliases and isinstance(self.aliases[name][0], ast.Name) and (
                    name not in self.following):
                self.following.append(name)
                try:
                    return self.constant_int(*self.aliases[name])
                finally:
                    self.following.pop()
            case _:
                raise at.refuse(node, "not-constant", "a constant whole number is needed here", "ここには定数の整数が必要です",
                                ("write the number, or the name of one: `LIMIT = 7`",
                                 "数そのものか、`LIMIT = 7` のように付けた名前を書いてください"))

    def unknown(self, node: ast.AST, name: str, at: Reporter, also: Iterable[str] = ()) -> Refused:
        """Report an unknown name, with the nearest known one; a name that was refused already is passed over."""
        if name in self.where:
            what = self.what_is(name)
            if what is None:
                return Refused()
            return at.refuse(node, "wrong-kind", f"`{name}` is {what[0]}, and cannot stand here", f"`{name}` は{what[1]}なので、ここには書けません",
                             None if not what[2] else (f"write `{what[2]}`", f"`{what[2]}` と書いてください"))
        known = [*VOCABULARY, *self.types, *self.fields, *self.rules, *self.aliases, *self.ranges, *self.constants, *also]
        near = nearest(name, known)
        hint = None if near is None else (f"did you mean `{near}`?", f"`{near}` ではありませんか")
        return at.refuse(node, "unknown-name", f"`{name}` is not known here", f"`{name}` という名前はありません", hint)

    def what_is(self, name: str) -> tuple[str, str, str] | None:
        """What was declared under a name (en, ja, how it is used); None if it was refused."""
        node = self.where[name][1]
        if name in self.definitions:
            return "a list of what is printed", "印刷された情報の一覧", f"{name}.of(card).…"
        if name in self.signals:
            return "a signal", "Signal ", f"raise {name}"
        if isinstance(node, ast.ClassDef) and (name in self.fields or name in self.types):
            return "a class", "クラス", f"{name}(…)" if name != self.state_class and name in self.fields else ""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (name in self.rules or not self.rules):
            return "a rule", "規則", f"{name}(…)"
        if name in self.constants:
            return "a number", "数", ""
        if name in self.ranges:
            return "a range", "範囲", f"Annotated[int, {name}]"
        if name in self.aliases:
            return "a name for a type", "型の名前", ""
        return None

    def no_field(self, node: ast.AST, of: str, ja: str, name: str, known: list[str], at: Reporter) -> Refused:
        """Report a field that is not there; `of` and `ja` name what should have it."""
        near = nearest(name, known)
        hint = (f"did you mean `{near}`?", f"`{near}` ではありませんか") if near is not None else (
            (f"it has {', '.join(known)}", f"あるのは {'、'.join(known)} です") if known else ("it has no fields", "項目はありません"))
        return at.refuse(node, "no-such-field", f"{of} has no field `{name}`", f"{ja}{' ' if ja.isascii() else ''}に項目 `{name}` はありません", hint)

    def no_member(self, node: ast.AST, of: t.EnumType, name: str, at: Reporter) -> Refused:
        """Report a member that is not in an enumeration."""
        near = nearest(name, of.members)
        hint = (f"did you mean `{of.name}.{near}`?", f"`{of.name}.{near}` ではありませんか") if near is not None else (
            f"it has {', '.join(of.members)}", f"あるのは {'、'.join(of.members)} です")
        return at.refuse(node, "no-such-member", f"{of.name} has no member `{name}`", f"{of.name} に `{name}` はありません", hint)


# ---------------------------------------------------------------- reading the modules
def declare(
    sources: list[Source], world: World, collector: Collector, prepare: Callable[[Declarations], None],
) -> Declarations:
    """Collect the declarations of all modules; everything wrong is reported. `prepare` is called once the types are
    known, before any rule is looked at."""
    d = Declarations(world, collector)
    enums: list[tuple[ast.ClassDef, Reporter, bool]] = []
    functions: list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, Reporter]] = []
    ranges: list[tuple[str, ast.expr, Reporter]] = []
    rankings: list[tuple[str, str, ast.expr, Reporter]] = []
    for source in sources:
        at = Reporter(source, collector)
        for node in source.tree.body:
            try:
                match node:
                    case ast.Expr(value=ast.Call(func=ast.Name(id="outranks"), args=[
                            ast.Constant(value=str() as a), ast.Constant(value=str() as b)], keywords=[]) as call):
                        rankings.append((a, b, call, at))
                    case ast.ClassDef():
                        declare_class(d, node, at, enums)
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="Range")) as value):
                        once(d, name, node, at)
                        ranges.append((name, value, at))
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        once(d, name, node, at)
                        declare_name(d, name, value, at)
                    case ast.FunctionDef() | ast.AsyncFunctionDef():
                        once(d, node.name, node, at)
                        functions.append((node, at))
                    case _:
                        stands_at_the_top(node, at)
            except Refused:
                continue
    for name, value, at in ranges:
        with suppress(Refused):
            d.ranges[name] = d.range_of(value, at)
    for node, at, is_symbols in enums:
        declare_enum(d, node, at, is_symbols)
    collect_symbols(d)
    prepare(d)
    for node, at in functions:
        try:
            d.rules[node.name] = declare_rule(d, node, at)
        except Refused:
            continue
        except RecursionError:
            at.refuse(node, "too-deep", "this is nested too deeply", "入れ子が深すぎます", ("split it", "分けてください"))
    check_rules(d)
    check_rankings(d, rankings)
    return d


def stands_at_the_top(node: ast.stmt, at: Reporter) -> None:
    """Refuse what cannot stand at the top of a module, outside every rule."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for n in names:
                if n.asname is not None:
                    raise at.refuse(node, "renamed-import", f"`{n.name}` has one name in all modules of a book",
                                    f"`{n.name}` の名前は、一冊の全モジュールで一つです",
                                    ("drop the `as`", "`as` を取ってください"))
        case ast.Expr(value=ast.Constant()):
            pass
        case ast.Expr(value=ast.Call(func=ast.Name(id="outranks"))):
            raise at.refuse(node, "outranks-form", "outranks takes the names of two rules, as text",
                            "outranks には規則の名前を二つ、文字列で渡します",
                            ('write `outranks("stronger", "weaker")`', '`outranks("優先する方", "劣る方")` と書いてください'))
        case ast.AnnAssign(target=ast.Name(id=name)):
            raise at.refuse(node, "constant-with-type", "a constant has no type of its own", "定数に型は書きません",
                            (f"write `{name} = …`", f"`{name} = …` と書いてください"))
        case _:
            raise at.refuse(
                node, "not-a-declaration", "only classes, constants and rules stand at the top of a module",
                "モジュールの一番外側に書けるのは、クラス・定数・規則だけです",
                ("move it into a rule (@define, @step, @procedure)",
                 "規則（@define, @step, @procedure）の中へ移してください"))


def once(d: Declarations, name: str, node: ast.AST, at: Reporter) -> None:
    if name in d.where:
        other = d.where[name][0].source.position(d.where[name][1])
        raise at.refuse(node, "declared-twice", f"`{name}` is declared twice (also at {other.file}:{other.line})",
                        f"`{name}` が二度定義されています（{other.file}:{other.line} にも）",
                        ("all modules of a book share one namespace: choose another name",
                         "一冊の全モジュールで名前は一つです。別の名前にしてください"))
    if name in VOCABULARY and not name.startswith("_"):
        raise at.refuse(node, "vocabulary-name", f"`{name}` is a word of the rule language", f"`{name}` は規則言語の語です",
                        ("choose another name", "別の名前にしてください"))
    d.where[name] = (at, node)


def declare_name(d: Declarations, name: str, value: ast.expr, at: Reporter) -> None:
    match value:
        case ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub()):
            d.constants[name] = (value, at)
        case ast.Subscript() | ast.BinOp(op=ast.BitOr()) | ast.Name():
            d.aliases[name] = (value, at)
        case _:
            raise at.refuse(value, "not-a-constant", "only whole numbers, ranges and types can be named here",
                            "ここで名前を付けられるのは、整数・範囲・型だけです",
                            ("make it a @define", "@define にしてください"))


def declare_class(
    d: Declarations, node: ast.ClassDef, at: Reporter, enums: list[tuple[ast.ClassDef, Reporter, bool]],
) -> None:
    once(d, node.name, node, at)
    base = node.bases[0].id if len(node.bases) == 1 and isinstance(node.bases[0], ast.Name) else ""
    if node.decorator_list or node.keywords:
        at.refuse(node, "class-decorated", "classes have no decorators and no options", "クラスにデコレータや引数は付けません",
                  ("drop it", "取り除いてください"))
    match base:
        case "Enum" | "Symbols":
            enums.append((node, at, base == "Symbols"))
            return
        case "Signal":
            d.signals[node.name] = None
            return
        case "State" | "Record" | "Event" | "Definition":
            pass
        case _:
            hint = ("derive it from State, Record, Event, Definition, Enum, Symbols or Signal",
                    "State, Record, Event, Definition, Enum, Symbols, Signal のどれかを基底にしてください")
            if base in d.fields:
                hint = ("classes do not inherit from each other: repeat the fields, or keep a field of that type",
                        "クラスは継承できません。項目を書き並べるか、その型の項目を持たせてください")
            raise at.refuse(node, "unknown-base", f"`{node.name}` has no base the language knows",
                            f"`{node.name}` の基底クラスが規則言語のものではありません", hint)
    fields: list[FieldDecl] = []
    for s in node.body:
        match s:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=note, value=default):
                if base == "Definition" and name == "of":
                    d.definitions[node.name] = True
                    continue
                if any(f.name == name for f in fields):
                    at.refuse(s, "field-twice", f"the field `{name}` is declared twice", f"項目 `{name}` が二度定義されています",
                              ("choose another name", "別の名前にしてください"))
                    continue
                fields.append(FieldDecl(name, note, default, at))
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Assign(targets=[ast.Name(id=name)]):
                at.refuse(s, "field-without-type", f"the field `{name}` has no type", f"項目 `{name}` に型がありません",
                          (f"write `{name}: Annotated[int, Range(0, 9)] = …`", f"`{name}: 型 = 初期値` と書いてください"))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                at.refuse(s, "method", "records have no methods", "Record にメソッドは書けません",
                          ("write a @define beside the class", "クラスの外に @define を書いてください"))
            case _:
                at.refuse(s, "not-a-field", "only fields stand in this class", "このクラスには項目だけが書けます",
                          ("write `name: type`, or `name: type = default`", "`名前: 型` か `名前: 型 = 初期値` と書いてください"))
    match base:
        case "State":
            if d.state_class:
                first = d.where[d.state_class]
                there = first[0].source.position(first[1])
                raise at.refuse(node, "second-state", f"the book already has a state, `{d.state_class}` ({there.file}:{there.line})",
                                f"状態はすでに `{d.state_class}` があります（{there.file}:{there.line}）",
                                ("put all fields into one class", "項目を一つのクラスにまとめてください"))
            d.state_class = node.name
        case "Event":
            d.events.add(node.name)
        case "Definition":
            d.definitions.setdefault(node.name, False)
        case _:
            pass
    d.fields[node.name] = fields


def declare_enum(d: Declarations, node: ast.ClassDef, at: Reporter, is_symbols: bool) -> None:
    members: list[str] = []
    for s in node.body:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)]):
                new = [name]
            case ast.Assign(targets=[ast.Tuple(elts=elts)]) if all(isinstance(e, ast.Name) for e in elts):
                new = [e.id for e in elts if isinstance(e, ast.Name)]
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case _:
                at.refuse(s, "not-a-member", "only members stand in an enumeration", "列挙には構成要素だけが書けます",
                          ("write `NAME = 1`", "`NAME = 1` のように書いてください"))
                continue
        for name in new:
            if name in members:
                at.refuse(s, "member-twice", f"the member `{name}` is listed twice", f"構成要素 `{name}` が二度書かれています")
            else:
                members.append(name)
    if not members and not is_symbols:
        at.refuse(node, "empty-enum", f"the enumeration `{node.name}` has no members", f"列挙 `{node.name}` に構成要素がありません",
                  ("write `NAME = 1` for each", "`NAME = 1` のように書き並べてください"))
    if is_symbols:
        d.symbols.add(node.name)
    d.types[node.name] = t.EnumType(node.name, len(members), tuple(members))


def collect_symbols(d: Declarations) -> None:
    """Fill enumerations that take any words with the words the cards use."""
    for cls, of_abilities in d.definitions.items():
        for f in d.fields[cls]:
            name = ast.unparse(f.note).removeprefix("Set[").removeprefix("Option[").removesuffix("]")
            if name not in d.symbols:
                continue
            known = d.types[name]
            assert isinstance(known, t.EnumType)
            words = list(known.members)
            for facts in facts_of(d, of_abilities):
                for w in as_words(facts.get(f.name)):
                    if w.text not in words:
                        words.append(w.text)
            d.types[name] = t.EnumType(name, len(words), tuple(words))


def facts_of(d: Declarations, of_abilities: bool) -> list[Mapping[str, Word | tuple[Word, ...]]]:
    """What is written about each ability, or each card definition."""
    if of_abilities:
        return [a.facts for a in d.world.abilities]
    return [c.attributes for c in d.world.definitions]


def as_words(v: Word | tuple[Word, ...] | None) -> tuple[Word, ...]:
    return () if v is None else v if isinstance(v, tuple) else (v,)


def declare_rule(d: Declarations, node: ast.FunctionDef | ast.AsyncFunctionDef, at: Reporter) -> RuleDecl:
    """The head of a rule: its kind, parameters and result."""
    kind, scope, entry, subject = "", 0, "", ""
    for deco in node.decorator_list:
        call = deco if isinstance(deco, ast.Call) else None
        name_node = call.func if call is not None else deco
        name = name_node.id if isinstance(name_node, ast.Name) else ""
        if name == "entry":
            if call is None or len(call.args) != 1 or not isinstance(call.args[0], ast.Constant):
                raise at.refuse(deco, "entry-form", "an entry has a name, as text", "entry には名前を文字列で書きます",
                                ('write `@entry("game")`', '`@entry("game")` のように書いてください'))
            entry = str(call.args[0].value)
        elif name == "settled_by":
            if call is None or len(call.args) != 1 or not isinstance(call.args[0], ast.Name):
                raise at.refuse(deco, "settled-by", "name the define that says who decides", "決める人を返す @define の名前を書きます",
                                ("write `@settled_by(turn_player)`, say", "`@settled_by(turn_player)` のように書いてください"))
            subject = call.args[0].id
        elif name in KINDS:
            if kind and kind != name:
                raise at.refuse(deco, "two-kinds", f"a rule is of one kind: {kind} or {name}",
                                f"規則の種類は一つです（{kind} か {name}）",
                                ("split it into two rules", "二つの規則に分けてください"))
            kind = name
            if call is not None:
                scope, subject = decorator_arguments(call, name, at)
            elif name in SUBJECTS:
                raise at.refuse(deco, "kind-without-subject", f"`@{name}` of what?", f"何についての `@{name}` か書かれていません",
                                (f"write `@{name}({SUBJECTS[name]})`", f"`@{name}({SUBJECTS[name]})` のように書いてください"))
        else:
            near = nearest(name, [*KINDS, "entry", "settled_by"]) if name else None
            raise at.refuse(deco, "unknown-decorator", f"`@{ast.unparse(deco)}` is not a kind of rule",
                            f"`@{ast.unparse(deco)}` という規則の種類はありません",
                            ("use one of @" + ", @".join(KINDS), "使えるのは @" + ", @".join(KINDS) + " です")
                            if near is None else (f"did you mean `@{near}`?", f"`@{near}` ではありませんか"))
    kind = kind or ("procedure" if entry else "")
    if not kind:
        raise at.refuse(node, "no-kind", f"`{node.name}` does not say what kind of rule it is",
                        f"`{node.name}` に規則の種類がありません",
                        ("put @define, @step, @action or @procedure above it",
                         "上に @define, @step, @action, @procedure のどれかを付けてください"))
    if entry and kind != "procedure":
        raise at.refuse(node, "entry-kind", f"play begins with a procedure, and `{node.name}` is a {kind}",
                        f"始まりになれるのは手順だけです（`{node.name}` は {kind} です）",
                        ("make it a @procedure (`async def`)", "@procedure（`async def`）にしてください"))
    is_async = isinstance(node, ast.AsyncFunctionDef)
    if kind == "procedure" and not is_async:
        raise at.refuse(node, "procedure-not-async", f"the procedure `{node.name}` is not `async def`",
                        f"手順 `{node.name}` が `async def` ではありません",
                        (f"write `async def {node.name}`, or make it a @step if nothing can interrupt it",
                         f"`async def {node.name}` と書くか、割り込めないなら @step にしてください"))
    if kind in (*PURE, "step", "trigger_policy") and is_async:
        raise at.refuse(node, "async-not-allowed", f"a {kind} cannot be interrupted, so it is not `async`",
                        f"{kind} は中断されないので `async` にはできません",
                        ("write `def`, or make it a @procedure", "`def` にするか、@procedure にしてください"))
    state, params = parameters(d, node, at)
    result: t.Type = t.NOTHING
    gives_set = False
    if node.returns is not None:
        result, gives_set = lenient_result(d, node.returns, at)
    return RuleDecl(node.name, kind, node, at, params, state, result, node.returns, attach_clauses(at.source, node),
                    scope, entry, subject, gives_set)


def decorator_arguments(call: ast.Call, kind: str, at: Reporter) -> tuple[int, str]:
    """Scope and subject in `@procedure(scope=…)`, `@forbids(act)`, `@verdict("question")`."""
    match kind, call.args, call.keywords:
        case "procedure", [], [ast.keyword(arg="scope", value=ast.Attribute(value=ast.Name(id="Scope"), attr=name))] if (
                name in SCOPES):
            return SCOPES[name], ""
        case "procedure", _, _:
            raise at.refuse(call, "scope-form", "a procedure can say which part of play it is, and nothing else",
                            "手順に書けるのは、ゲームのどの部分かだけです",
                            ("write `@procedure(scope=Scope.TURN)`; the scopes are TURN, PHASE and STEP",
                             "`@procedure(scope=Scope.TURN)` のように書いてください（TURN, PHASE, STEP）"))
        case "verdict", [ast.Constant(value=str() as question)], []:
            return 0, question
        case ("permits" | "forbids" | "requires"), [ast.Name(id=act)], []:
            return 0, act
        case _ if kind in SUBJECTS:
            raise at.refuse(call, "kind-without-subject", f"`@{kind}` of what?", f"何についての `@{kind}` か書かれていません",
                            (f"write `@{kind}({SUBJECTS[kind]})`", f"`@{kind}({SUBJECTS[kind]})` のように書いてください"))
        case _:
            raise at.refuse(call, "decorator-arguments", f"`@{kind}` takes nothing", f"`@{kind}` に引数はありません",
                            (f"write `@{kind}`", f"`@{kind}` と書いてください"))


def parameters(
    d: Declarations, node: ast.FunctionDef | ast.AsyncFunctionDef, at: Reporter,
) -> tuple[str | None, list[tuple[str, t.Type]]]:
    """Name of the state parameter, and the other parameters with their types."""
    a = node.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs:
        raise at.refuse(node, "parameter-form", "rules have plain parameters only", "規則の引数は普通の形だけです",
                        ("name every parameter", "引数を一つずつ書いてください"))
    if a.defaults:
        raise at.refuse(a.defaults[0], "parameter-default", "parameters have no defaults", "引数に既定値は書けません",
                        ("give the argument wherever the rule is used", "使う所で毎回渡してください"))
    state: str | None = None
    params: list[tuple[str, t.Type]] = []
    broken = False
    for k, p in enumerate(a.args):
        if p.annotation is None:
            want = f"{p.arg}: {d.state_class}" if k == 0 and p.arg in ("g", "game", "state") else f"{p.arg}: Player"
            broken = True
            at.refuse(p, "parameter-without-type", f"the parameter `{p.arg}` has no type",
                            f"引数 `{p.arg}` に型がありません", (f"write `{want}`, for instance", f"`{want}` のように書いてください"))
            continue
        if isinstance(p.annotation, ast.Name) and p.annotation.id == d.state_class and d.state_class:
            if k != 0:
                raise at.refuse(p, "state-first", "the state is the first parameter", "状態は最初の引数にします",
                                (f"write `def {node.name}({p.arg}: {d.state_class}, …)`",
                                 f"`def {node.name}({p.arg}: {d.state_class}, …)` と書いてください"))
            state = p.arg
            continue
        try:
            of = d.type_of(p.annotation, at)
        except Refused:
            broken = True
            continue
        if isinstance(of, t.NothingType):
            raise d.no_type(p.annotation, at)
        if isinstance(of, t.ObjType):
            raise at.refuse(p.annotation, "obj-can-die", "an Obj can die: it is always optional",
                            "Obj は失われることがあるので、必ず Option[Obj] と書きます",
                            ("write Option[Obj], or Card for the physical card",
                             "Option[Obj] と書いてください。物理的なカードなら Card です"))
        params.append((p.arg, of))
    if broken:
        raise Refused
    return state, params


SUBJECTS = {"verdict": '"question"', "permits": "action", "forbids": "action", "requires": "action"}
SCOPES = {"STEP": 1, "PHASE": 2, "TURN": 3}


def lenient_result(d: Declarations, note: ast.expr, at: Reporter) -> tuple[t.Type, bool]:
    """The result type, and whether it is a set of these records (it is expanded where it is used)."""
    match note:
        case ast.Subscript(value=ast.Name(id="Set" | "set"), slice=inner):
            of = d.type_of(inner, at)
            if isinstance(of, t.RecordType | t.UnionType):
                return of, True
            return d.set_of(of, note, at), False
        case ast.Name(id=name) if name in d.aliases and name not in d.following:
            d.following.append(name)
            try:
                return lenient_result(d, *d.aliases[name])
            finally:
                d.following.pop()
        case _:
            return d.type_of(note, at), False


# ---------------------------------------------------------------- what rules must look like, by kind
def check_rules(d: Declarations) -> None:
    """Report rules whose parameters or result do not fit their kind, and take them out."""
    for r in list(d.rules.values()):
        try:
            check_shape(d, r)
        except Refused:
            del d.rules[r.name]
    policies = [r for r in d.rules.values() if r.kind == "trigger_policy"]
    for r in policies[1:]:
        r.reporter.refuse(r.node, "second-policy", f"the book already has a trigger policy, `{policies[0].name}`",
                          f"誘発したときの規則はすでに `{policies[0].name}` があります", ("join them", "一つにまとめてください"))


def check_shape(d: Declarations, r: RuleDecl) -> None:
    """Refuse a rule whose parameters or result do not fit its kind."""
    refuse, node = r.reporter.refuse, r.node
    note = r.result_note or node
    bundle = isinstance(r.result, t.RecordType | t.UnionType | t.CauseType)
    if r.kind in ("define", "value", "verdict") and isinstance(r.result, t.NothingType):
        raise refuse(node, "define-without-result", f"`{r.name}` is a {r.kind}, and gives nothing",
                     f"`{r.name}` は {r.kind} なのに、値の型がありません",
                     ("write the type of its value behind `->`, or make it a @step",
                      "値の型を `->` の後に書くか、@step にしてください"))
    if bundle and r.ir_kind != "define":
        raise refuse(note, "record-result", f"`{r.name}` gives a record, and only a define can do that",
                     f"`{r.name}` は Record を返していますが、それができるのは @define だけです",
                     ("keep it in the state, or give one of its fields", "状態に置くか、項目一つを返してください"))
    if isinstance(r.result, t.ObjType):
        raise refuse(note, "obj-can-die", "an Obj can die: it is always optional",
                     "Obj は失われることがあるので、必ず Option[Obj] と書きます", ("write Option[Obj]", "Option[Obj] と書いてください"))
    match r.kind:
        case "permits" | "forbids" | "requires":
            act = d.rules.get(r.subject)
            if r.subject not in d.where:
                raise d.unknown(node.decorator_list[0], r.subject, r.reporter)
            if act is not None and act.kind != "action":
                raise refuse(node, "norm-subject", f"`{r.subject}` is a {act.kind}, not an action",
                             f"`{r.subject}` は {act.kind} で、@action ではありません",
                             (f"make `{r.subject}` an @action", f"`{r.subject}` を @action にしてください"))
            if act is not None and [x for _, x in r.params] != [x for _, x in act.params]:
                want = ", ".join(f"{n}: {x}" for n, x in act.params)
                raise refuse(node, "norm-parameters", f"`{r.name}` must have the parameters of `{act.name}`",
                             f"`{r.name}` の引数は `{act.name}` と同じにします",
                             (f"write `def {r.name}(g, {want})`", f"`def {r.name}(g, {want})` と書いてください"))
            must_give_bool(r)
        case "invariant":
            must_give_bool(r)
            if r.params:
                raise refuse(node, "invariant-parameters", "an invariant looks at the state, and takes nothing else",
                             "invariant の引数は状態だけです", ("use `all(… for … in …)`", "`all(… for … in …)` を使ってください"))
        case "verdict":
            if len(r.params) > 1:
                raise refuse(node, "verdict-form", f"the verdict `{r.name}` takes the state and one subject",
                             f"@verdict `{r.name}` の引数は状態と対象一つです",
                             ("write `def name(g: Game, subject: Card) -> Option[…]`",
                              "`def 名前(g: Game, 対象: Card) -> Option[…]` のように書いてください"))
        case "trigger_policy":
            kinds = [type(x) for _, x in r.params]
            if kinds != [t.AbilityType, t.CardType, t.CauseType] or not isinstance(r.result, t.NothingType):
                raise refuse(node, "policy-form", "the trigger policy is told the ability, the card and the cause",
                             "trigger_policy の引数は、能力・カード・cause です",
                             (f"write `def {r.name}(g: {d.state_class}, ability: Ability, card: Card, cause: Cause) -> None`",
                              f"`def {r.name}(g: {d.state_class}, ability: Ability, card: Card, cause: Cause) -> None` と書いてください"))
        case "situation":
            if not isinstance(r.result, t.NothingType):
                raise refuse(note, "situation-result", "nobody takes the result of a situation", "situation の値を受け取る所はありません",
                             ("drop the type behind `->`", "`->` の後の型を取ってください"))
            if r.params and not r.is_async:
                raise refuse(node, "situation-parameters", "a situation that is no `async def` looks at the state alone",
                             "`async` でない situation の引数は状態だけです",
                             ("go through the cards inside it", "中でカードを順に調べてください"))
            for p, of in r.params:
                if of.width != 1 or of.hi - of.lo >= 1024 or isinstance(of, t.SetType):
                    raise refuse(node, "situation-parameters", f"a situation cannot be looked at for every `{p}`: {of}",
                                 f"situation をすべての `{p}`（{of}）について調べることはできません",
                                 ("use Player, Card, an enumeration or a short range", "Player, Card, 列挙, 短い範囲を使ってください"))
            check_decider(d, r)
        case "procedure" if r.entry and r.params:
            raise refuse(node, "entry-parameters", "play begins with nothing but the state", "始まりの手順の引数は状態だけです",
                         ("read it from the state", "状態から読んでください"))
        case _:
            pass


def must_give_bool(r: RuleDecl) -> None:
    if not isinstance(r.result, t.Bool):
        raise r.reporter.refuse(r.result_note or r.node, "norm-result", f"`{r.name}` holds or does not hold: it gives a bool",
                                f"`{r.name}` は成り立つか否かなので、真偽を返します", ("write `-> bool`", "`-> bool` と書いてください"))


def check_decider(d: Declarations, r: RuleDecl) -> None:
    """`@settled_by(…)` names a define of the state that gives a player."""
    if not r.subject:
        return
    by = d.rules.get(r.subject)
    if by is None and r.subject not in d.where:
        raise d.unknown(r.node.decorator_list[0], r.subject, r.reporter)
    if by is not None and (by.ir_kind != "define" or by.params or not isinstance(by.result, t.PlayerType)):
        raise r.reporter.refuse(r.node, "settled-by", f"`{r.subject}` is not a define that names the decider",
                                f"`{r.subject}` は決める人を返す @define ではありません",
                                (f"write `@define def {r.subject}(g: {d.state_class}) -> Player`",
                                 f"`@define def {r.subject}(g: {d.state_class}) -> Player` としてください"))


def check_rankings(d: Declarations, rankings: list[tuple[str, str, ast.expr, Reporter]]) -> None:
    """`outranks` names two verdicts, or two kinds of norms; nothing outranks what outranks it."""
    norms = ("permits", "forbids", "requires")
    verdicts = [r.name for r in d.rules.values() if r.kind == "verdict"]
    for a, b, node, at in rankings:
        wrong = next((x for x in (a, b) if x not in norms and x not in verdicts and x not in d.where), None)
        if wrong is not None:
            near = nearest(wrong, [*norms, *verdicts])
            at.refuse(node, "unknown-rank", f"there is no verdict `{wrong}`", f"`{wrong}` という @verdict はありません",
                      (f"did you mean `{near}`?", f"`{near}` ではありませんか") if near else
                      ('name two verdicts, or "forbids" and "permits"', '@verdict を二つ、または "forbids" と "permits" を書いてください'))
        elif a == b or (b, a) in d.rankings:
            at.refuse(node, "rank-cycle", f"`{a}` and `{b}` would outrank each other", f"`{a}` と `{b}` が互いに優先しています",
                      ("keep one of the two", "どちらか一方にしてください"))
        else:
            d.rankings.append((a, b))
