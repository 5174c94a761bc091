"""The state class as a flat vector: which slots each field flattens to, and how a place in it is indexed."""
from __future__ import annotations

import ast
from itertools import product
from math import prod

from ..ir import types as t
from ..ir.places import Container, Fields, Keyed, Leaf, PlaceNode, Zones, linear, order_keys, size
from ..ir.program import ContainerInfo, Layout, Slot, ZoneInfo
from .declare import Declarations, FieldDecl
from .source import Refused, Reporter


class LayoutBuilder:
    """Flattens the state class."""

    def __init__(self, d: Declarations) -> None:
        self.d = d
        self.slots: list[Slot] = []
        self.zones: list[ZoneInfo] = []
        self.containers: dict[str, ContainerInfo] = {}
        self.per_card: list[int] = []
        self.nodes: dict[str, PlaceNode] = {}

    def count_zones(self) -> int:
        """How many zones the state has (needed before any type that mentions zones is made)."""
        total = 0
        for f in self.d.fields.get(self.d.state_class, []):
            note, n = f.note, 1
            while isinstance(note, ast.Subscript) and ast.unparse(note.value) == "Per" and isinstance(note.slice, ast.Tuple):
                try:
                    n *= size(self.d.type_of(note.slice.elts[0], f.reporter))
                except Refused:
                    break
                note = note.slice.elts[1]
            if isinstance(note, ast.Name) and note.id in ("Bag", "Pile"):
                total += n
        return total

    def build(self, defaults: dict[str, int]) -> Layout:
        """The layout. `defaults` receives nothing; defaults are read from the declarations."""
        n = len(self.d.world.cards)
        zone = t.ZoneType("Zone", self.d.zone_count)
        location = self.block("location", t.OptionType(zone), -1, "zones", n, "@")
        rank = self.block("rank", t.Int(0, max(0, n - 1)), 0, "zones", n, "#")
        self.per_card += [location, rank]
        for f in self.d.fields.get(self.d.state_class, []):
            try:
                self.nodes[f.name] = self.field(f.note, (), f, f.name, f.reporter)
            except Refused:
                continue
        return Layout(tuple(self.slots), location, rank, n, tuple(self.zones), self.containers, tuple(self.per_card),
                      self.nodes)

    def block(self, name: str, of: t.Type, initial: int, group: str, count: int, prefix: str = "") -> int:
        base = len(self.slots)
        for k in range(count):
            self.slots.append(Slot(f"{prefix}{name}[{k}]" if count > 1 or prefix else name, of, initial, group))
        return base

    def field(
        self, note: ast.expr, keys: tuple[t.Type, ...], f: FieldDecl, name: str, at: Reporter, default: ast.expr | None = None,
    ) -> PlaceNode:
        d = self.d
        match note:
            case ast.Name(id="Bag" | "Pile" as kind):
                base = len(self.zones)
                for combo in product(*(range(size(k)) for k in keys)):
                    player = next((c for k, c in zip(keys, combo, strict=True) if isinstance(k, t.PlayerType)), None)
                    number = next((c + k.lo for k, c in zip(keys, combo, strict=True) if not isinstance(k, t.PlayerType)), 0)
                    label = name + "".join(f"[{c + k.lo}]" for k, c in zip(keys, combo, strict=True))
                    self.zones.append(ZoneInfo(label, f.name, kind == "Pile", player, number))
                return Zones(base, keys, kind == "Pile")
            case ast.Subscript(value=ast.Name(id="Per"), slice=ast.Tuple(elts=[k, v])):
                key = d.type_of(k, at)
                if not isinstance(key, t.Finite | t.Int) or size(key) > 4096:
                    raise at.refuse(k, "not-a-key", f"`{ast.unparse(k)}` has no list of values to index by",
                                    f"`{ast.unparse(k)}` は添字にできる有限の型ではありません",
                                    ("index by Player, Card, an enumeration or a short range",
                                     "Player, Card, 列挙, 短い範囲のどれかを使ってください"))
                return Keyed(key, self.field(v, (*keys, key), f, name, at, default))
            case ast.Subscript(value=ast.Name(id="Multiset" | "Pool" as kind), slice=inner):
                if keys:
                    raise at.refuse(note, "nested-container", f"a {kind} stands directly in the state",
                                    f"{kind} は状態に直接置きます（Per の中には置けません）",
                                    ("add the key to its entries", "要素の側に区別する項目を加えてください"))
                return self.container(kind == "Pool", d.type_of(inner, at), f.name)
            case _:
                of = d.type_of(note, at)
        default = f.default if default is None else default
        if isinstance(of, t.RecordType):
            nodes: list[tuple[str, PlaceNode]] = []
            for inner_field in d.fields[of.name]:
                part = dict(of.fields)[inner_field.name]
                nodes.append((inner_field.name, self.leaf_or_fields(part, keys, inner_field, f"{name}.{inner_field.name}", f.name)))
            return Fields(of, tuple(nodes), keys)
        if isinstance(of, t.Int) and f.name in d.world.caps:
            of = t.Int(of.least, d.world.caps[f.name])
        return self.leaf(of, keys, self.initial(of, f, default), name, f.name, note, at)

    def leaf_or_fields(self, of: t.Type, keys: tuple[t.Type, ...], f: FieldDecl, name: str, group: str) -> PlaceNode:
        if isinstance(of, t.RecordType):
            return Fields(of, tuple(
                (g.name, self.leaf_or_fields(dict(of.fields)[g.name], keys, g, f"{name}.{g.name}", group))
                for g in self.d.fields[of.name]), keys)
        return self.leaf(of, keys, self.initial(of, f, f.default), name, group, f.note, f.reporter)

    def leaf(
        self, of: t.Type, keys: tuple[t.Type, ...], initial: int, name: str, group: str, note: ast.expr, at: Reporter,
    ) -> Leaf:
        if isinstance(of, t.ObjType):
            raise at.refuse(note, "obj-can-die", "an Obj can die: it is always optional",
                            "Obj は失われることがあるので、必ず Option[Obj] と書きます",
                            ("write Option[Obj]", "Option[Obj] と書いてください"))
        if of.width != 1:
            raise at.refuse(note, "not-a-field-type", f"a field of the state cannot be {of}", f"状態の項目を {of} にはできません",
                            ("use a record, or a Multiset of records", "Record か、Record の Multiset を使ってください"))
        keys_in_order = [keys[k] for k in order_keys(keys)]
        n = prod((size(k) for k in keys), start=1)
        base = self.block(name, of, initial, group, n)
        cards = [k for k in keys_in_order if k.role is t.Role.CARD]
        if len(cards) > 1:
            raise at.refuse(note, "two-card-keys", "a field can be indexed by one card only", "カードの添字は一つだけです")
        if cards:
            per = size(cards[0])
            self.per_card += [base + k for k in range(0, n, per)] if per else []
        return Leaf(base, of, keys)

    def container(self, is_pool: bool, of: t.Type, name: str) -> Container:
        capacity = self.d.capacity(name)
        head = self.block(name, t.SetType(t.Int(0, capacity - 1)) if is_pool else t.Int(0, capacity), 0, name, 1)
        columns = tuple(
            self.block(f"{name}.{k}", s, blank_of(s), name, capacity) for k, s in enumerate(of.flat()))
        info = ContainerInfo(name, head, columns, capacity, of, is_pool)
        self.containers[name] = info
        return Container(info)

    def initial(self, of: t.Type, f: FieldDecl, default: ast.expr | None) -> int:
        """The coded default of a scalar field."""
        if default is None:
            return blank_of(of)
        return constant_value(self.d, of, default, f.reporter)


def blank_of(of: t.Type) -> int:
    """What a scalar holds when nothing was said: none, zero, false, the first member."""
    if isinstance(of, t.OptionType):
        return of.none
    return of.lo if of.lo > 0 or of.hi < 0 else 0


def constant_value(d: Declarations, of: t.Type, node: ast.expr, at: Reporter) -> int:
    """The code of a constant written in a class body. Raises Refused."""
    inner = of.inner if isinstance(of, t.OptionType) else of
    match node:
        case ast.Constant(value=None) if isinstance(of, t.OptionType):
            return of.none
        case ast.Constant(value=bool() as b) if isinstance(inner, t.Bool):
            return int(b)
        case ast.Constant(value=int() as n) if isinstance(inner, t.Int):
            if not of.lo <= n <= of.hi:
                raise at.refuse(node, "out-of-range", f"{n} is outside {of}", f"{n} は範囲 {of} の外です")
            return n
        case ast.UnaryOp(op=ast.USub()) | ast.Name() if isinstance(inner, t.Int):
            return d.constant_int(node, at)
        case ast.Attribute(value=ast.Name(id=name), attr=member) if isinstance(inner, t.EnumType) and inner.name == name:
            if member in inner.members:
                return inner.members.index(member)
            raise d.unknown(node, member, at, inner.members)
        case ast.Name(id="FIRST" | "SECOND" as who) if isinstance(inner, t.PlayerType):
            return int(who == "SECOND")
        case ast.Call(func=ast.Name(id="set" | "Set"), args=[]) if isinstance(of, t.SetType):
            return 0
        case _:
            raise at.refuse(node, "bad-default", f"this is not a constant of type {of}", f"{of} 型の定数ではありません")
