"""What a book declares, resolved for one world: fields as they are declared, types, and how annotations are understood."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from ...spec.diagnostics import Collector, nearest
from ..ir import types as t
from . import __all__ as VOCABULARY
from .signatures import RuleDecl
from .source import Refused, Reporter, meant
from .world import World


@dataclass
class FieldDecl:
    """A field of a state, record, event or definition."""

    name: str
    note: ast.expr
    default: ast.expr | None
    reporter: Reporter

    @cached_property
    def text(self) -> str:
        """Its type, as written."""
        return ast.unparse(self.note)


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
    bases: dict[str, str] = field(default_factory=dict[str, str])
    """Class → its base, a word of the language."""
    definitions: dict[str, bool] = field(default_factory=dict[str, bool])
    """Definition class → is it of abilities (else of cards)."""
    state_class: str = ""
    """The class that is the whole state."""
    parts: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """State class → the state classes whose fields it has, itself included."""
    rules: dict[str, RuleDecl] = field(default_factory=dict[str, RuleDecl])
    where: dict[str, tuple[Reporter, ast.AST]] = field(default_factory=dict[str, tuple[Reporter, ast.AST]])
    rankings: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """(stronger, weaker): names of verdicts, or kinds of norms."""
    cause: t.CauseType = field(default_factory=lambda: t.CauseType(0, 0, 0, 0))
    following: list[str] = field(default_factory=list[str])
    """Names that are being looked up, to notice when one leads back to itself."""

    @contextmanager
    def followed(self, name: str) -> Iterator[None]:
        """What the name stands for is looked up within."""
        self.following.append(name)
        try:
            yield
        finally:
            self.following.pop()

    def derived(self, base: str) -> list[str]:
        """The classes with this base, in the order of the book."""
        return [name for name, own in self.bases.items() if own == base]

    def has_part(self, part: str) -> bool:
        """Has the book's state this part?"""
        return part in self.parts.get(self.state_class, frozenset())

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
                    raise at.refuse(
                        note, "union-of-values", f"only records are joined with `|`, and {wrong} is none",
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
                pool = next((f for f in self.fields.get(self.state_class, []) if f.text == f"Pool[{name}]"), None)
                if pool is None:
                    raise at.refuse(
                        note, "no-such-pool", f"no Pool[{name}] stands in the state", f"状態に Pool[{name}] がありません",
                        (f"add a field `…: Pool[{name}]` to the state", f"状態に `…: Pool[{name}]` という項目を加えてください"))
                return t.RefType(f"Ref[{name}]", self.capacity(pool.name), pool.name)
            case ast.Subscript(value=ast.Name(id="Per" | "Multiset" | "Pool" as container)):
                raise at.refuse(
                    note, "container-type", f"a {container} is a field of the state, not a value",
                    f"{container} は状態の項目で、値ではありません",
                    ("pass the key instead, and look the entry up in the state", "代わりに添字を渡し、状態から読んでください"))
            case _:
                raise self.no_type(note, at)

    def named_type(self, note: ast.expr, name: str, at: Reporter) -> t.Type:
        """The type with this name."""
        built_in = {"bool": t.BOOL, "int": t.ANY_INT, "None": t.NOTHING, "Cause": self.cause, "Player": self.player,
                    "Card": self.card, "Obj": self.card.as_object, "Ability": self.ability,
                    "Zone": self.zone(), "Bag": self.zone(), "Pile": self.zone()}
        if name in built_in:
            return built_in[name]
        if name in self.types:
            return self.types[name]
        if name in self.aliases:
            at.demand(name not in self.following,
                      note, "endless-type", f"`{name}` is defined by itself", f"`{name}` が自分自身で定義されています")
            with self.followed(name):
                return self.type_of(*self.aliases[name])
        at.demand(
            name not in self.ranges, note, "range-as-type", f"`{name}` is a range, not a type",
            f"`{name}` は範囲で、型ではありません", (f"write `Annotated[int, {name}]`", f"`Annotated[int, {name}]` と書いてください"))
        at.demand(
            name not in self.parts, note, "state-as-value", "the state is not a value", "状態そのものは値ではありません",
            ("make it the first parameter", "最初の引数にしてください"))
        at.demand(
            name not in self.definitions, note, "definition-as-value", "what is printed on a card is not a value",
            "印刷された情報そのものは値ではありません", (f"pass the card, and read `{name}(card)`", f"カードを渡し、`{name}(カード)` で読んでください"))
        if name in self.fields:
            return self.record(name, note, at)
        at.demand(
            name not in ("Per", "Multiset", "Pool", "Set", "Option", "Ref"), note, "type-without-argument",
            f"{name} of what?", f"何の {name} か書かれていません", (f"write `{name}[…]`", f"`{name}[…]` と書いてください"))
        if name in ("str", "float", "list", "dict", "tuple", "object"):
            raise self.no_type(note, at)
        at.demand(
            name not in ("Decider", "OPEN"), note, "decider-type",
            "who decides is named where the choice is: a Player, or OPEN(…) there",
            "決める人は選ぶ所で名指します（Player か、その場の OPEN(…)）", ("take a Player", "Player を受け取ってください"))
        if name in VOCABULARY or self.bases.get(name) == "Signal":
            raise self.no_type(note, at)
        raise self.unknown(note, name, at)

    def no_type(self, note: ast.expr, at: Reporter) -> Refused:
        return at.refuse(
            note,
            "unknown-type",
            f"`{ast.unparse(note)}` is not a type of the rule language",
            f"`{ast.unparse(note)}` は規則言語の型ではありません",
            ("use bool, Annotated[int, Range(lo, hi)], Player, Card, Option[Obj], Set[…], Zone, "
             "an enumeration or a record",
             "bool, Annotated[int, Range(下限, 上限)], Player, Card, Option[Obj], Set[…], Zone, "
             "列挙, Record のどれかを使ってください"),
        )

    def option(self, of: t.Type, note: ast.expr, at: Reporter) -> t.Type:
        """`Option[of]`."""
        if isinstance(of, t.OptionType):
            return of
        at.demand(
            of.width == 1 and not isinstance(of, t.SetType), note, "option-of-bundle",
            f"Option[{of}] is not possible: a {of} is several values", f"Option[{of}] とは書けません（{of} は複数の値の組です）",
            ("keep a bool field beside it, or an Option of one of its fields", "真偽の項目を添えるか、その中の一つの値を Option にしてください"))
        return t.OptionType(of)

    def set_of(self, of: t.Type, note: ast.expr, at: Reporter) -> t.Type:
        """`Set[of]`."""
        at.demand(
            not isinstance(of, t.RecordType | t.UnionType | t.CauseType), note, "set-of-records",
            "a set of records can only be offered to somebody", "Record の集合は、選択肢としてだけ使えます",
            ("keep records in a field `Multiset[…]` of the state", "Record を持っておくには、状態の項目 `Multiset[…]` を使ってください"))
        at.demand(
            not isinstance(of, t.OptionType | t.SetType | t.NothingType | t.ZoneType), note, "set-of-that",
            f"there are no sets of {of}", f"{of} の集合はありません")
        at.demand(
            not isinstance(of, t.Int) or of.hi - of.lo < 1024, note, "set-too-wide",
            f"a set of numbers in {of} is too large", f"{of} の数の集合は大きすぎます",
            ("write the range: `Set[Annotated[int, Range(1, 5)]]`", "範囲を書いてください: `Set[Annotated[int, Range(1, 5)]]`"))
        return t.SetType(of)

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
                raise at.refuse(
                    note, "endless-type", f"a {name} cannot contain a {name}", f"{name} の中に {name} は入れられません",
                    (f"keep them in a field `Pool[{name}]` of the state, and refer to one as `Ref[{name}]`",
                     f"状態の項目 `Pool[{name}]` に置き、`Ref[{name}]` で指してください"))
            with self.followed(name):
                fields = tuple((f.name, self.field_type(name, f)) for f in self.fields[name])
            self.types[name] = t.RecordType(name, fields, self.bases[name] == "Inaction")
        found = self.types[name]
        assert isinstance(found, t.RecordType)
        return found

    def field_type(self, record: str, f: FieldDecl) -> t.Type:
        """The type of a field of a record."""
        f.reporter.demand(
            not isinstance(f.note, ast.Name) or f.note.id not in ("Bag", "Pile"), f.note, "zone-in-record",
            "zones stand directly in the state", "領域は状態に直接置きます（Record の中には置けません）",
            ("write `Zone` to say which zone is meant", "どの領域かを持たせるなら `Zone` と書いてください"))
        return self.kept(self.type_of(f.note, f.reporter), f, f"{record}.{f.name}")

    def kept(self, of: t.Type, f: FieldDecl, name: str) -> t.Type:
        """The type of what a field keeps, as far as its cap (by this name) if the world has one. Refuses what cannot be a field."""
        f.reporter.demand(
            not isinstance(of, t.ObjType), f.note, "obj-can-die", "an Obj can die: it is always optional",
            "Obj は失われることがあるので、必ず Option[Obj] と書きます", ("write Option[Obj]", "Option[Obj] と書いてください"))
        f.reporter.demand(
            of not in (t.ANY_INT, t.OptionType(t.ANY_INT)), f.note, "int-without-range",
            "a number that is kept needs a range", "保持する数には範囲が必要です",
            ("write `Annotated[int, Range(0, 9)]`, with the bounds that play can reach",
             "`Annotated[int, Range(0, 9)]` のように、取りうる範囲を書いてください"))
        if isinstance(of, t.NothingType):
            raise self.no_type(f.note, f.reporter)
        return t.Int(of.least, self.world.caps[name]) if isinstance(of, t.Int) and name in self.world.caps else of

    def range_of(self, note: ast.expr, at: Reporter) -> t.Int:
        """The range `Range(lo, hi)`, or a name for one."""
        match note:
            case ast.Name(id=name) if name in self.ranges:
                return self.ranges[name]
            case ast.Call(func=ast.Name(id="Range"), args=[a, b], keywords=[]):
                lo, hi = self.constant_int(a, at), self.constant_int(b, at)
                at.demand(
                    lo <= hi, note, "empty-range", f"the range {lo}..{hi} is empty", f"範囲 {lo}..{hi} は空です",
                    (f"write Range({hi}, {lo})", f"Range({hi}, {lo}) と書いてください"))
                return t.Int(lo, hi)
            case _:
                raise at.refuse(
                    note, "not-a-range", "a range is written Range(lo, hi), with numbers", "範囲は Range(下限, 上限) と数で書きます",
                    ("write `Range(0, 9)`, for instance", "`Range(0, 9)` のように書いてください"))

    def constant_int(self, node: ast.expr, at: Reporter) -> int:
        match node:
            case ast.Constant(value=int() as n) if not isinstance(n, bool):
                at.demand(
                    abs(n) <= t.ANY_INT.hi, node, "number-too-large",
                    f"numbers go from {t.ANY_INT.lo} to {t.ANY_INT.hi}", f"数は {t.ANY_INT.lo} から {t.ANY_INT.hi} までです")
                return n
            case ast.UnaryOp(op=ast.USub(), operand=o):
                return -self.constant_int(o, at)
            case ast.Name(id=name) if name not in self.following and (
                (known := self.constants.get(name) or self.aliases.get(name))
                and not isinstance(known[0], ast.Subscript | ast.BinOp)
            ):
                with self.followed(name):
                    return self.constant_int(*known)
            case _:
                raise at.refuse(
                    node, "not-constant", "a constant whole number is needed here", "ここには定数の整数が必要です",
                    ("write the number, or the name of one: `LIMIT = 7`", "数そのものか、`LIMIT = 7` のように付けた名前を書いてください"))

    def unknown(self, node: ast.AST, name: str, at: Reporter, also: Iterable[str] = ()) -> Refused:
        """Report an unknown name, with the nearest known one; a name that was refused already is passed over."""
        if name in self.where:
            what = self.what_is(name)
            if what is None:
                return Refused()
            return at.refuse(
                node, "wrong-kind", f"`{name}` is {what[0]}, and cannot stand here",
                f"`{name}` は{what[1]}なので、ここには書けません",
                None if not what[2] else (f"write `{what[2]}`", f"`{what[2]}` と書いてください"))
        known = [*VOCABULARY, *self.types, *self.fields, *self.rules, *self.aliases, *self.ranges, *self.constants,
                 *also]
        hint = ((f"write `g.{name}`", f"`g.{name}` と書いてください")
                if any(one.name == name for one in self.fields.get(self.state_class, ())) else meant(name, known))
        return at.refuse(node, "unknown-name", f"`{name}` is not known here", f"`{name}` という名前はありません", hint)

    def what_is(self, name: str) -> tuple[str, str, str] | None:
        """What was declared under a name (en, ja, how it is used); None if it was refused."""
        node = self.where[name][1]
        if name in self.definitions:
            return "a list of what is printed", "印刷された情報の一覧", f"{name}(card).…"
        if self.bases.get(name) == "Signal":
            return "a signal", "Signal ", f"raise {name}"
        if isinstance(node, ast.ClassDef) and (name in self.fields or name in self.types):
            return "a class", "クラス", f"{name}(…)" if name not in self.parts and name in self.fields else ""
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
        has = ((f"it has {', '.join(known)}", f"あるのは {'、'.join(known)} です") if known
               else ("it has no fields", "項目はありません"))
        return at.refuse(
            node, "no-such-field", f"{of} has no field `{name}`",
            f"{ja}{' ' if ja.isascii() else ''}に項目 `{name}` はありません", meant(name, known, has))

    def no_member(self, node: ast.AST, of: t.EnumType, name: str, at: Reporter) -> Refused:
        """Report a member that is not in an enumeration."""
        near = nearest(name, of.members)
        hint = (
            (f"did you mean `{of.name}.{near}`?", f"`{of.name}.{near}` ではありませんか")
            if near is not None
            else (f"no card here has it: a text that names what other cards have says so in a field of its card, `speaks_of: Set[{of.name}]`, say (phrases: `card:`)",
                  f"ここのどのカードにもありません。ほかのカードのものを言う文は、カードの項目にも書きます（例: 規則に `speaks_of: Set[{of.name}]`。定型文では `card:`）")
            if self.bases.get(of.name) == "Symbols"
            else (f"it has {', '.join(of.members)}", f"あるのは {'、'.join(of.members)} です")
        )
        return at.refuse(
            node, "no-such-member", f"{of.name} has no member `{name}`", f"{of.name} に `{name}` はありません", hint
        )
