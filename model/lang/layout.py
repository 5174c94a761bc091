"""The state class as a flat vector: which slots each field flattens to, and how a place in it is indexed."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from math import prod

from ..ir import types as t
from ..ir.program import (
    Container,
    ContainerInfo,
    Fields,
    Keyed,
    Layout,
    Leaf,
    PlaceNode,
    Slot,
    ZoneInfo,
    Zones,
    order_keys,
    size,
)
from .declarations import Declarations, FieldDecl
from .source import Refused, Reporter


@dataclass
class LayoutBuilder:
    """Flattens the state class."""

    d: Declarations
    slots: list[Slot] = field(default_factory=list[Slot])
    zones: list[ZoneInfo] = field(default_factory=list[ZoneInfo])
    containers: dict[str, ContainerInfo] = field(default_factory=dict[str, ContainerInfo])
    per_card: list[int] = field(default_factory=list[int])
    nodes: dict[str, PlaceNode] = field(default_factory=dict[str, PlaceNode])

    def count_zones(self) -> int:
        """How many zones the state has (needed before any type that mentions zones is made)."""
        total = 0
        for f in self.d.fields.get(self.d.state_class, []):
            note, n = f.note, 1
            with suppress(Refused):
                while (
                    isinstance(note, ast.Subscript)
                    and ast.unparse(note.value) == "Per"
                    and isinstance(note.slice, ast.Tuple)
                ):
                    n *= size(self.d.type_of(note.slice.elts[0], f.reporter))
                    note = note.slice.elts[1]
                if isinstance(note, ast.Name) and note.id in ("Bag", "Pile"):
                    total += n
        return total

    def build(self) -> Layout:
        """The layout."""
        n = len(self.d.world.cards)
        zone = t.ZoneType("Zone", self.d.zone_count)
        location = self.block("location", t.OptionType(zone), -1, "zones", n, "@")
        rank = self.block("rank", t.Int(0, max(0, n - 1)), 0, "zones", n, "#")
        self.per_card += [location, rank]
        for f in self.d.fields.get(self.d.state_class, []):
            with suppress(Refused):
                self.nodes[f.name] = self.field(f.note, (), f, f.name, f.default)
        given = {
            z: self.block(f"given order of {info.name}", t.BOOL, 1, "given", 1)
            for z, info in enumerate(self.zones)
            if info.field in self.d.world.given_piles
        }
        return Layout(
            tuple(self.slots),
            location,
            rank,
            n,
            tuple(self.zones),
            self.containers,
            tuple(self.per_card),
            given,
            self.nodes,
        )

    def block(self, name: str, of: t.Type, initial: int, group: str, count: int, prefix: str = "") -> int:
        base = len(self.slots)
        self.slots += (
            Slot(f"{prefix}{name}[{k}]" if count > 1 or prefix else name, of, initial, group) for k in range(count)
        )
        return base

    def field(
        self,
        note: ast.expr,
        keys: tuple[t.Type, ...],
        f: FieldDecl,
        name: str,
        default: ast.expr | None,
    ) -> PlaceNode:
        d, at = self.d, f.reporter
        match note:
            case ast.Name(id="Bag" | "Pile" as kind):
                self.no_default(
                    f,
                    default,
                    f"a {kind} begins empty: a scenario fills it",
                    f"{kind} は最初は空で、シナリオが中身を決めます",
                )
                base = len(self.zones)
                order = order_keys(keys)
                for numbers in product(*(range(size(keys[k])) for k in order)):
                    combo = [n for _, n in sorted(zip(order, numbers, strict=True))]
                    player = next((c for k, c in zip(keys, combo, strict=True) if isinstance(k, t.PlayerType)), None)
                    number = next(
                        (c + k.lo for k, c in zip(keys, combo, strict=True) if not isinstance(k, t.PlayerType)), 0
                    )
                    label = name + "".join(f"[{c + k.lo}]" for k, c in zip(keys, combo, strict=True))
                    self.zones.append(ZoneInfo(label, f.name, kind == "Pile", player, number))
                return Zones(base, keys, kind == "Pile")
            case ast.Subscript(value=ast.Name(id="Per"), slice=ast.Tuple(elts=[k, v])):
                key = d.type_of(k, at)
                at.demand(
                    isinstance(key, t.Finite | t.Int) and not isinstance(key, t.ZoneType) and size(key) <= 4096, k,
                    "not-a-key", f"`{ast.unparse(k)}` has no list of values to index by",
                    f"`{ast.unparse(k)}` は添字にできる有限の型ではありません",
                    ("index by Player, Card, an enumeration or a short range", "Player, Card, 列挙, 短い範囲のどれかを使ってください"))
                if isinstance(default, ast.Call) and ast.unparse(default.func) == "each" and len(default.args) == 1:
                    default = default.args[0]
                return Keyed(key, self.field(v, (*keys, key), f, name, default))
            case ast.Subscript(value=ast.Name(id="Per")):
                raise at.refuse(
                    note, "per-form", "Per has a key and a value", "Per には添字の型と値の型を書きます",
                    ("write `Per[Player, bool]`, for instance", "`Per[Player, bool]` のように書いてください"))
            case ast.Subscript(value=ast.Name(id="Multiset" | "Pool" as kind), slice=inner):
                at.demand(
                    not keys, note, "nested-container", f"a {kind} stands directly in the state",
                    f"{kind} は状態に直接置きます（Per の中には置けません）", ("add the key to its entries", "要素の側に区別する項目を加えてください"))
                self.no_default(f, default, f"a {kind} begins empty", f"{kind} は最初は空です")
                return self.container(kind == "Pool", d.type_of(inner, at), f)
            case _:
                return self.value(d.kept(d.type_of(note, at), f, f.name), keys, f, name, default, f.name, note)

    def no_default(self, f: FieldDecl, default: ast.expr | None, en: str, ja: str) -> None:
        f.reporter.demand(
            default is None, default or f.note, "bad-default", en, ja, ("drop the default", "初期値を取ってください")
        )

    def parts(self, of: t.RecordType, default: ast.expr | None, at: Reporter) -> dict[str, ast.expr]:
        """The default of each field that `R(1, b=2)` gives."""
        if default is None:
            return {}
        if not (isinstance(default, ast.Call) and isinstance(default.func, ast.Name) and default.func.id == of.name):
            raise at.refuse(
                default, "bad-default", f"this is not a constant of type {of}", f"{of} 型の定数ではありません",
                (f"write `{of}(…)`", f"`{of}(…)` と書いてください"))
        names = [n for n, _ in of.fields]
        out = dict(zip(names, default.args, strict=False))
        out |= {k.arg: k.value for k in default.keywords if k.arg is not None}
        extra = next((n for n in out if n not in names), None)
        if extra is not None or len(default.args) > len(names):
            raise self.d.no_field(default, of.name, of.name, extra or "…", names, at)
        return out

    def value(
        self,
        of: t.Type,
        keys: tuple[t.Type, ...],
        f: FieldDecl,
        name: str,
        default: ast.expr | None,
        group: str,
        note: ast.expr,
    ) -> Fields | Leaf:
        """A value in the state: of a record, a place for each field."""
        at = f.reporter
        if isinstance(of, t.RecordType):
            given = self.parts(of, default, at)
            fields = zip(self.d.fields[of.name], of.fields, strict=True)
            return Fields(of, tuple(
                (g.name, self.value(part, keys, g, f"{name}.{g.name}", given.get(g.name, g.default), group, g.note))
                for g, (_, part) in fields), keys)
        unsaid = 0 if isinstance(of, t.CardType) else t.blank(of)  # a card is always one
        initial = unsaid if default is None else constant_value(self.d, of, default, at)
        at.demand(
            of.width == 1, note, "not-a-field-type", f"a field of the state cannot be {of}", f"状態の項目を {of} にはできません",
            ("use a record, or a Multiset of records", "Record か、Record の Multiset を使ってください"))
        n = prod((size(k) for k in keys), start=1)
        base = self.block(name, of, initial, group, n)
        cards = [k for k in keys if k.role is t.Role.CARD]
        at.demand(
            len(cards) <= 1,
            note, "two-card-keys", "a field can be indexed by one card only", "カードの添字は一つだけです"
        )
        if cards and n:
            self.per_card += [base + k for k in range(0, n, size(cards[0]))]
        return Leaf(base, of, keys)

    def container(self, is_pool: bool, of: t.Type, f: FieldDecl) -> Container:
        kind, name = ("Pool" if is_pool else "Multiset"), f.name
        f.reporter.demand(
            isinstance(of, t.RecordType | t.UnionType), f.note, "entries-are-records",
            f"the entries of a {kind} are records, and {of} is none", f"{kind} の要素は Record です（{of} は Record ではありません）",
            (f"make a Record with one field of type {of}", f"{of} 型の項目を一つ持つ Record にしてください"))
        capacity = self.d.capacity(name)
        head = self.block(name, t.SetType(t.Int(0, capacity - 1)) if is_pool else t.Int(0, capacity), 0, name, 1)
        columns = tuple(
            self.block(f"{name}.{k}", s, t.blank(s), name, capacity) for k, s in enumerate(map(column, of.flat()))
        )
        info = ContainerInfo(name, head, columns, capacity, of, is_pool)
        self.containers[name] = info
        return Container(info)


def column(of: t.Type) -> t.Type:
    """The type of a column of a container: an entry that is not there refers to no card."""
    return t.OptionType(of) if isinstance(of, t.CardType) else of


def constant_value(d: Declarations, of: t.Type, node: ast.expr, at: Reporter) -> int:
    """The code of a constant written in a class body. Raises Refused."""
    inner = t.some(of)
    match node:
        case ast.Constant(value=None) if isinstance(of, t.OptionType):
            return of.none
        case ast.Constant(value=bool() as b) if isinstance(inner, t.Bool):
            return int(b)
        case ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub()) | ast.Name() if isinstance(
            inner, t.Int
        ) and not isinstance(getattr(node, "value", 0), bool):
            n = d.constant_int(node, at)
            at.demand(
                inner.lo <= n <= inner.hi, node, "out-of-range", f"{n} is outside {inner}", f"{n} は範囲 {inner} の外です",
                ("widen the range, or write another number", "範囲を広げるか、別の数にしてください"))
            return n
        case ast.Attribute(value=ast.Name(id=name), attr=member) if (
            isinstance(inner, t.EnumType) and inner.name == name
        ):
            if member in inner.members:
                return inner.members.index(member)
            raise d.no_member(node, inner, member, at)
        case ast.Name(id="FIRST" | "SECOND" as who) if isinstance(inner, t.PlayerType):
            return int(who == "SECOND")
        case ast.Name(id="PLAYERS") if isinstance(of, t.SetType) and isinstance(of.inner, t.PlayerType):
            return 3
        case ast.Call(func=ast.Name(id="set" | "Set"), args=[]) if isinstance(of, t.SetType):
            return 0
        case ast.Set(elts=elts) if isinstance(of, t.SetType):
            return sum(1 << k for k in {constant_value(d, of.inner, e, at) - of.inner.lo for e in elts})
        case ast.Call(func=ast.Name(id="each"), args=[_]):
            raise at.refuse(
                node, "bad-default", "`each(…)` is for `Per[…, …]` fields", "`each(…)` は `Per[…, …]` の項目に使います",
                ("drop the `each`", "`each` を取ってください"))
        case _:
            raise at.refuse(
                node, "bad-default", f"this is not a constant of type {of}", f"{of} 型の定数ではありません", example_of(of))


def example_of(of: t.Type) -> tuple[str, str] | None:
    """How a constant of the type looks (en, ja)."""
    inner = t.some(of)
    match inner:
        case t.Bool():
            say = "True"
        case t.Int():
            say = str(inner.lo)
        case t.EnumType(members=(first, *_), name=name):
            say = f"{name}.{first}"
        case t.PlayerType():
            say = "FIRST"
        case t.SetType():
            say = "set()"
        case _ if isinstance(of, t.OptionType):
            say = "None"
        case _:
            return None
    return f"write `{say}`, for instance", f"`{say}` のように書いてください"
