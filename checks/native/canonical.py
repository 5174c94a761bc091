"""The representative of a state in compiled code: what `Symmetry.canonical` does in `checks/explore/symmetry.py`.

 signs          what is said of each card, and the ties
 compare_cards  which of two cards of a class comes first
 arrange        each class in order; where cards are bound to each other, `bonds` orders them
 permute        slots and frames, the cards having changed places
 canonical      all of it, where play stands

All of it works where the state lies, before it is packed; most states are in order already and are left alone.
"""

from __future__ import annotations

from collections.abc import Callable

from ...model.ir.program import ContainerInfo
from ...model.ir.types import Role
from ..explore.bonds import FACTOR, mixed
from ..explore.card_places import CARD
from ..explore.symmetry import FRAMES, Symmetry, local_number, part_number, slot_number
from .common import Common
from .effects import Batches
from .memory import Site
from .numbers import Shared, Val
from .sites import at_sites, each_frame, local_of
from .text import Body, Ref
from .workspace import SYMBOL, Workspace

ROWS = "ptr noalias %c, ptr noalias %g"


def emit_canonical(shared: Shared, batches: Batches, symmetry: Symmetry) -> None:
    """Write `canonical(c, g, live)` and what it needs. `live`: at a label, else play has ended."""
    w = Canonical(shared, batches, symmetry)
    w.emit_mixed()
    w.emit_add_part()
    w.emit_signs()
    w.emit_compare()
    w.emit_arrange()
    w.emit_image()
    w.emit_permute()
    b = Body(shared.module, "canonical", "i64", f"{ROWS}, i64 %live", "noinline")
    ties = b.op("call i64 @signs(ptr %c, ptr %g, i64 %live)")
    changed = b.op(f"call i64 @arrange(ptr %c, ptr %g, i64 {ties})")
    with b.when(b.op(f"icmp ne i64 {changed}, 0")):
        b.do(f"call void @permute(ptr %c, ptr %g, i64 %live, i64 {changed})")
    b.finish(f"i64 {changed}")


class Canonical:
    """Writes these functions. `sign`, `image` and `changed` (the cards that change places) are words of the context, one
    for each card; `work` is what `bonds` is given."""

    def __init__(self, shared: Shared, batches: Batches, symmetry: Symmetry) -> None:
        self.shared, self.batches = shared, batches
        self.m, self.places, self.moved = shared.memory, symmetry.places, symmetry.moved
        n = self.n = shared.layout.card_count
        self.still = ((1 << n) - 1) & ~self.moved
        member = [c for cards in symmetry.classes for c in cards]
        bound = [sum(len(x) for x in symmetry.classes[:k]) for k in range(len(symmetry.classes) + 1)]
        array = shared.module.array
        self.member, self.bound = array("i64", member), array("i64", bound)
        self.is_moved = array("i8", [self.moved >> c & 1 for c in range(n)])
        self.all_cards = array("i64", range(n))
        p = self.places
        ties = n * (len(p.card_blocks) + len(p.set_blocks)) + sum(m.capacity for m in p.multisets)
        parts = n * (2 * len(p.card_blocks) + (n + 1) * len(p.set_blocks)) + sum(
            m.capacity * sum(n if p.roles[c] is Role.CARDS else p.roles[c] in CARD for c in m.columns)
            for m in p.multisets
        )
        self.work = Workspace(n, len(member), len(symmetry.classes), ties, parts)
        self.sign_at, self.image_at, self.changed_at = (self.m.more(8 * n) for _ in range(3))
        self.moving_at = self.m.more(n * self.m.wide // 8)
        self.work_at = self.m.more(8 * self.work.words)
        self.set_type = "i64" if n < 63 else shared.wide

    def body(self, name: str, result: str, params: str, attributes: str = "noinline") -> tuple[Body, Common]:
        b = Body(self.shared.module, name, f"internal {result}", params, attributes)
        return b, Common(self.shared, b, self.batches)

    # ------------------------------------------------------------ words of the context
    def word(self, b: Body, first: int, k: Ref) -> Ref:
        """Where word k of a region lies."""
        return b.element("%c", k, 8, first)

    def work_word(self, b: Body, first: int, k: Ref) -> Ref:
        """Where a word of the workspace lies: number k from `first` on."""
        return self.word(b, self.work_at + 8 * first, k)

    def entry(self, b: Body, array: Ref, of: str, k: Ref) -> Ref:
        """Entry k of a constant array."""
        return b.load(of, b.op(f"getelementptr {of}, ptr {array}, i64 {k}"))

    def add(self, b: Body, address: Ref, number: Ref) -> None:
        """Add to a word."""
        b.store("i64", b.op(f"add i64 {b.load('i64', address)}, {number}"), address)

    # ------------------------------------------------------------ what is said of the cards
    def emit_mixed(self) -> None:
        """`mixed` of `checks/explore/bonds.py`."""
        b, _ = self.body("mixed", "i64", "i64 %h, i64 %v", "alwaysinline")
        product = b.op(f"mul i64 {b.op('xor i64 %h, %v')}, {FACTOR}")
        high = b.op(f"lshr i64 {product}, 32")
        b.finish(f"i64 {b.op(f'xor i64 {product}, {high}')}")

    def mixed(self, b: Body, h: Ref | int, v: Ref | int) -> Ref:
        return b.op(f"call i64 @mixed(i64 {h}, i64 {v})")

    def emit_add_part(self) -> None:
        """`add_part(c, first, top, part, card)`: the card has a part in the tie whose parts lie from first to top; the
        new top."""
        b, _ = self.body("add_part", "i64", "ptr noalias %c, i64 %first, i64 %top, i64 %part, i64 %card")
        with b.counting("%first", "%top") as k:
            known = b.op(f"icmp eq i64 {b.load('i64', self.work_word(b, self.work.card, k))}, %card")
            with b.when(known):
                self.add(b, self.work_word(b, self.work.part, k), "%part")
                b.ret("i64 %top")
        b.store("i64", "%card", self.work_word(b, self.work.card, "%top"))
        b.store("i64", "%part", self.work_word(b, self.work.part, "%top"))
        b.finish(f"i64 {b.op('add i64 %top, 1')}")

    def emit_signs(self) -> None:
        """`signs(c, g, live)`: how many ties there are."""
        b, x = self.body("signs", "i64", f"{ROWS}, i64 %live")
        b.module.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
        b.do(f"call void @llvm.memset.p0.i64(ptr {b.offset('%c', self.sign_at)}, i8 0, i64 {8 * self.n}, i1 false)")
        SignWriter(self, b, x).write()
        b.finish()

    # ------------------------------------------------------------ the order of the cards
    def emit_compare(self) -> None:
        """`compare_cards(c, g, a, b)`: -1, 0 or 1, as a comes before b, nothing tells them apart, or a after b."""
        b, x = self.body("compare_cards", "i64", f"{ROWS}, i64 %a, i64 %b")

        def compare(how: str, of: str, one: Ref, two: Ref) -> None:
            with b.when(b.op(f"icmp ne {of} {one}, {two}")):
                before = b.op(f"icmp {how} {of} {one}, {two}")
                b.ret(f"i64 {b.op(f'select i1 {before}, i64 -1, i64 1')}")
        for k in self.places.plain_blocks:
            of = self.m.cells[k].of
            compare("slt", of, b.load(of, x.column(k, "%a")), b.load(of, x.column(k, "%b")))
        compare("ult", "i64", *(b.load("i64", self.word(b, self.sign_at, k)) for k in ("%a", "%b")))
        b.finish("i64 0")

    def compared(self, b: Body, how: str, one: Ref, two: Ref) -> Ref:
        return b.op(f"icmp {how} i64 {b.op(f'call i64 @compare_cards(ptr %c, ptr %g, i64 {one}, i64 {two})')}, 0")

    def order_word(self, b: Body, k: Ref) -> Ref:
        return self.work_word(b, self.work.order, k)

    def emit_arrange(self) -> None:
        """`arrange(c, g, ties)`: how many cards change places; `image` and `changed` say which."""
        b, _ = self.body("arrange", "i64", f"{ROWS}, i64 %ties")
        member_bytes = 8 * self.work.members
        b.copy(b.offset("%c", self.work_at + 8 * self.work.order), self.member, member_bytes)
        with b.counting("0", str(self.work.classes)) as q:
            first = self.entry(b, self.bound, "i64", q)
            last = self.entry(b, self.bound, "i64", b.op(f"add i64 {q}, 1"))
            with b.counting(b.op(f"add i64 {first}, 1"), last) as i:
                self.sink(b, first, i)
        if self.places.binds:
            with b.when(b.op("icmp ne i64 %ties, 0")):
                self.bind(b)
        count = b.variable("i64", "0")
        with b.counting("0", str(self.work.members)) as i:
            card, place = b.load("i64", self.order_word(b, i)), self.entry(b, self.member, "i64", i)
            with b.when(b.op(f"icmp ne i64 {card}, {place}")):
                k = b.load("i64", count)
                b.store("i64", card, self.word(b, self.changed_at, k))
                b.store("i64", b.op(f"add i64 {k}, 1"), count)
        changed = b.load("i64", count)
        with b.when(b.op(f"icmp ne i64 {changed}, 0")):
            b.copy(b.offset("%c", self.image_at), self.all_cards, 8 * self.n)
            with b.counting("0", str(self.work.members)) as i:
                place = self.entry(b, self.member, "i64", i)
                b.store("i64", place, self.word(b, self.image_at, b.load("i64", self.order_word(b, i))))
        b.finish(f"i64 {changed}")

    def sink(self, b: Body, first: Ref, i: Ref) -> None:
        """Put the card at i to its place among those of its class before it, which are in order."""
        card = b.load("i64", self.order_word(b, i))
        place = b.variable("i64", i)
        head, done = b.fresh("head"), b.fresh("done")
        b.at(head)
        j = b.load("i64", place)
        b.go_on_if(b.op(f"icmp sgt i64 {j}, {first}"), done)
        before = b.op(f"add i64 {j}, -1")
        other = b.load("i64", self.order_word(b, before))
        b.go_on_if(self.compared(b, "slt", card, other), done)
        b.store("i64", other, self.order_word(b, j))
        b.store("i64", before, place)
        b.jump(head)
        b.at(done)
        b.store("i64", card, self.order_word(b, b.load("i64", place)))

    def bind(self, b: Body) -> None:
        """Fill the workspace, and let the ties order the cards."""
        w = self.work
        for k, v in enumerate((w.cards, w.members, w.classes, "%ties", w.ties, w.parts)):
            b.store("i64", str(v), self.work_word(b, 0, str(k)))
        b.copy(b.offset("%c", self.work_at + 8 * w.member), self.member, 8 * w.members)
        b.copy(b.offset("%c", self.work_at + 8 * w.bound), self.bound, 8 * (w.classes + 1))
        b.copy(b.offset("%c", self.work_at + 8 * w.colour), self.all_cards, 8 * w.cards)
        with b.counting("0", str(w.classes)) as q:
            first = self.entry(b, self.bound, "i64", q)
            last = self.entry(b, self.bound, "i64", b.op(f"add i64 {q}, 1"))
            colour = b.variable("i64", first)
            with b.counting(first, last) as i:
                card = b.load("i64", self.order_word(b, i))
                with b.when(b.op(f"icmp sgt i64 {i}, {first}")):
                    before = b.load("i64", self.order_word(b, b.op(f"add i64 {i}, -1")))
                    with b.when(self.compared(b, "ne", before, card)):
                        b.store("i64", i, colour)
                b.store("i64", b.load("i64", colour), self.work_word(b, w.colour, card))
        b.module.declare(f"i64 @{SYMBOL}(ptr)")
        b.op(f"call i64 @{SYMBOL}(ptr {b.offset('%c', self.work_at)})")

    # ------------------------------------------------------------ changing places
    def emit_image(self) -> None:
        """`image_of(c, cards, changed)`: the set of the images."""
        of = self.set_type
        b, _ = self.body("image_of", of, f"ptr noalias %c, {of} %cards, i64 %changed")
        out, rest = b.variable(of, "0"), b.variable(of, "%cards")
        with b.counting("0", "%changed") as k:
            card = b.load("i64", self.word(b, self.changed_at, k))
            there = b.load("i64", self.word(b, self.image_at, card))
            bit, new = (b.op(f"shl {of} 1, {self.as_set(b, c)}") for c in (card, there))
            with b.when(b.op(f"icmp ne {of} {b.op(f'and {of} %cards, {bit}')}, 0")):
                b.store(of, b.op(f"xor {of} {b.load(of, rest)}, {bit}"), rest)
                b.store(of, b.op(f"or {of} {b.load(of, out)}, {new}"), out)
        left, new = b.load(of, rest), b.load(of, out)
        b.finish(f"{of} {b.op(f'or {of} {left}, {new}')}")

    def as_set(self, b: Body, number: Ref) -> Ref:
        return number if self.set_type == "i64" else b.op(f"zext i64 {number} to {self.set_type}")

    def image(self, x: Common, v: Val) -> Val:
        """The card that takes the place of this one; no card stays no card."""
        def there() -> Val:
            return Val(x.b.load("i64", self.word(x.b, self.image_at, v.ref)), False, v.lo, v.hi)
        return x.choice(x.b.op(f"icmp sge i64 {v.ref}, 0"), there, lambda: v)

    def image_set(self, x: Common, v: Val) -> Val:
        ref = x.as_type(v, self.set_type)
        out = x.b.op(f"call {self.set_type} @image_of(ptr %c, {self.set_type} {ref}, i64 %changed)")
        return x.settle(Val(out, self.set_type != "i64", v.lo, v.hi))

    def mapped(self, x: Common, role: Role, v: Val) -> Val:
        """What a value becomes."""
        return v if role is Role.PLAIN else self.image_set(x, v) if role is Role.CARDS else self.image(x, v)

    def emit_permute(self) -> None:
        """`permute(c, g, live, changed)`: so many cards change places."""
        p, roles, m = self.places, self.places.roles, self.m
        types = {k: self.emit_move(k) for k in sorted({m.cells[k].of for k in p.blocks})}
        b, x = self.body("permute", "void", f"{ROWS}, i64 %live, i64 %changed")
        for k in p.blocks:
            b.do(f"call void @{types[m.cells[k].of]}(ptr %c, ptr {x.slot_address(k, None)}, i64 %changed)")

        def change(k: int, address: Ref) -> None:
            x.set_slot(k, address, self.mapped(x, roles[k], x.read(k, address, m.domains[k])))
        for k in (*p.card_blocks, *p.set_blocks):
            with b.counting("0", str(self.n)) as c:
                change(k, x.column(k, c))
        for k in (*p.cards, *p.sets):
            change(k, x.slot_address(k, None))
        for info in p.multisets:
            with b.counting("0", x.size_of_multiset(info)) as i:
                for k in info.columns:
                    if roles[k] is not Role.PLAIN:
                        change(k, x.column(k, i))
            x.sort(info)
        sites = [s for s in m.sites if self.speaking(s)]
        if sites:
            with b.when(b.op("icmp ne i64 %live, 0")), each_frame(x) as (_, frame):
                at_sites(x, b.load("i64", b.offset(frame, 8)), sites, lambda s: self.permute_frame(x, frame, s))
        b.finish("void")

    def emit_move(self, of: str) -> str:
        """Write a function that moves the entries of a block of this type; its name."""
        name = f"move_{of}"
        b, _ = self.body(name, "void", "ptr noalias %c, ptr noalias %block, i64 %changed")
        kept = b.offset("%c", self.moving_at)
        with b.counting("0", "%changed") as k:
            card = b.load("i64", self.word(b, self.changed_at, k))
            there = b.op(f"getelementptr {of}, ptr {kept}, i64 {k}")
            b.store(of, b.load(of, b.op(f"getelementptr {of}, ptr %block, i64 {card}")), there)
        with b.counting("0", "%changed") as k:
            card = b.load("i64", self.word(b, self.changed_at, k))
            there = b.load("i64", self.word(b, self.image_at, card))
            v = b.load(of, b.op(f"getelementptr {of}, ptr {kept}, i64 {k}"))
            b.store(of, v, b.op(f"getelementptr {of}, ptr %block, i64 {there}"))
        b.finish("void")
        return name

    # ------------------------------------------------------------ frames
    def speaking(self, s: Site) -> list[tuple[int, Role | int]]:
        """The locals of a site that speak of cards: their role, or the slot that a place is counted from."""
        fn = self.m.functions[s.function]
        kept = self.places.kept.get(s.function)
        places = kept[s.pc][0 if s.top else 1] if kept else frozenset[int]()
        out: list[tuple[int, Role | int]] = [
            (k, fn.locals[k].type.role) for k in s.live if fn.locals[k].type.role is not Role.PLAIN
        ]
        return out + [(k, self.places.base[s.function, k]) for k in sorted(places) if k in s.live]

    def permute_frame(self, x: Common, frame: Ref, s: Site) -> None:
        b = x.b
        for k, what in self.speaking(s):
            address, of, v = local_of(x, frame, s, k)
            if isinstance(what, Role):
                new = self.mapped(x, what, v)
            else:  # a place in blocks that lie one behind the other: the same block, the other card
                card = b.op(f"srem i64 {v.ref}, {self.n}")
                there = b.load("i64", self.word(b, self.image_at, card))
                new = Val(b.op(f"add i64 {b.op(f'sub i64 {v.ref}, {card}')}, {there}"), False, v.lo, v.hi)
            b.store(of, x.as_type(new, of), address)


class SignWriter:
    """The body of `signs`. A tie is gathered from `first` to `top`, and stays there if it names several cards."""

    def __init__(self, w: Canonical, b: Body, x: Common) -> None:
        self.w, self.b, self.x = w, b, x
        self.label, self.top, self.first, self.ties = (
            b.variable("i64"),
            b.variable("i64"),
            b.variable("i64", "0"),
            b.variable("i64", "0"),
        )

    def write(self) -> None:
        w, b, x, p, m = self.w, self.b, self.x, self.w.places, self.w.m
        for k in p.cards:
            self.say(self.slot(k, x.slot_address(k, None)), slot_number(k))
        for k in p.sets:
            self.say_of_all(self.slot(k, x.slot_address(k, None)), slot_number(k))
        for k in p.card_blocks:
            with b.counting("0", str(w.n)) as c:
                v = self.slot(k, x.column(k, c))
                with b.when(b.op(f"icmp sge i64 {v.ref}, 0")):
                    self.open(slot_number(k))
                    self.name(0, c)
                    self.name(1, v.ref)
                    self.close()
        for k in p.set_blocks:
            with b.counting("0", str(w.n)) as c:
                v = self.slot(k, x.column(k, c))
                with b.when(x.truth(v)):
                    self.open(slot_number(k))
                    self.stayers(v)
                    self.name(0, c)
                    self.members(v, lambda member: self.take_part(1, member))
                    self.close()
        for info in p.multisets:
            with b.counting("0", x.size_of_multiset(info)) as k:
                self.entry(info, k)
        sites = [s for s in m.sites if w.speaking(s)]
        if sites:
            with b.when(b.op("icmp ne i64 %live, 0")), each_frame(x) as (depth, frame):
                at_sites(x, b.load("i64", b.offset(frame, 8)), sites, lambda s: self.frame(depth, frame, s))
        ties = b.load("i64", self.ties)
        b.store("i64", b.load("i64", self.first), w.work_word(b, w.work.first, ties))
        b.ret(f"i64 {ties}")

    def slot(self, k: int, address: Ref) -> Val:
        return self.x.read(k, address, self.w.m.domains[k])

    def frame(self, depth: Ref, frame: Ref, s: Site) -> None:
        b, w = self.b, self.w
        for k, what in w.speaking(s):
            _, _, v = local_of(self.x, frame, s, k)
            if not isinstance(what, Role):
                card = b.op(f"srem i64 {v.ref}, {w.n}")
                block = b.op(f"add i64 {b.op(f'sub i64 {v.ref}, {card}')}, {what}")
                self.add_sign(card, w.mixed(b, w.mixed(b, mixed(FRAMES, k + 2), block), depth))
            elif what is Role.CARDS:
                self.say_of_all(v, w.mixed(b, local_number(k + 2, -1), depth))
            else:
                self.say(v, w.mixed(b, local_number(k + 2, -1), depth))

    # ------------------------------------------------------------ one card
    def add_sign(self, card: Ref, number: Ref | int) -> None:
        self.w.add(self.b, self.w.word(self.b, self.w.sign_at, card), str(number))

    def say(self, v: Val, number: Ref | int) -> None:
        with self.b.when(self.b.op(f"icmp sge i64 {v.ref}, 0")):
            self.add_sign(v.ref, number)

    def say_of_all(self, v: Val, number: Ref | int) -> None:
        self.members(v, lambda member: self.add_sign(member, number))

    def members(self, v: Val, do: Callable[[Ref], None]) -> None:
        """For each member that may change places."""
        x = self.x
        of = x.of(v)
        x.members(Val(self.b.op(f"and {of} {v.ref}, {self.w.moved}"), v.wide, 0, v.hi), do)

    # ------------------------------------------------------------ several at once
    def open(self, label: int) -> None:
        self.b.store("i64", str(label), self.label)
        self.b.store("i64", self.b.load("i64", self.first), self.top)

    def mix(self, number: Ref | int) -> None:
        """Mix a number into the label."""
        self.b.store("i64", self.w.mixed(self.b, self.b.load("i64", self.label), number), self.label)

    def stayers(self, v: Val) -> None:
        b, of = self.b, self.x.of(v)
        still = b.op(f"and {of} {v.ref}, {self.w.still}")
        for k in range(0, self.w.n, 64):
            if not v.wide:
                self.mix(still if k == 0 else "0")
            else:
                self.mix(b.op(f"trunc {of} {b.op(f'lshr {of} {still}, {k}')} to i64"))

    def take_part(self, part: int, card: Ref) -> None:
        b = self.b
        first, top = b.load("i64", self.first), b.load("i64", self.top)
        more = b.op(f"call i64 @add_part(ptr %c, i64 {first}, i64 {top}, i64 {part_number(part)}, i64 {card})")
        b.store("i64", more, self.top)

    def by_card(self, card: Ref, moved: Callable[[], None], still: Callable[[], None]) -> None:
        """What is done with a card that may change places, and with another."""
        self.b.either(self.b.op(f"icmp ne i8 {self.w.entry(self.b, self.w.is_moved, 'i8', card)}, 0"), moved, still)

    def name(self, part: int, card: Ref) -> None:
        def still() -> None:
            self.mix(part_number(part))
            self.mix(card)
        self.by_card(card, lambda: self.take_part(part, card), still)

    def entry(self, info: ContainerInfo, k: Ref) -> None:
        """An entry of a multiset."""
        b, roles = self.b, self.w.places.roles
        self.open(slot_number(info.head))
        for part, column in enumerate(info.columns):
            v = self.slot(column, self.x.column(column, k))
            if roles[column] is Role.CARDS:
                self.stayers(v)
                self.members(v, lambda member, part=part: self.take_part(part, member))
            elif roles[column] in CARD:
                self.entry_card(part, v)
            else:
                self.mix(v.ref if not v.wide else b.op(f"trunc {self.x.of(v)} {v.ref} to i64"))
        self.close()

    def entry_card(self, part: int, v: Val) -> None:
        def moved() -> None:
            self.mix(-2)
            self.take_part(part, v.ref)

        def still() -> None:
            self.mix(v.ref)
        self.b.either(self.b.op(f"icmp sge i64 {v.ref}, 0"), lambda: self.by_card(v.ref, moved, still), still)

    def close(self) -> None:
        """One card: its sign. Several: a tie."""
        w, b = self.w, self.b
        first, top, label = (b.load("i64", v) for v in (self.first, self.top, self.label))
        count = b.op(f"sub i64 {top}, {first}")
        with b.when(b.op(f"icmp eq i64 {count}, 1")):
            part, card = (b.load("i64", w.work_word(b, at, first)) for at in (w.work.part, w.work.card))
            self.add_sign(card, w.mixed(b, label, part))
        with b.when(b.op(f"icmp ugt i64 {count}, 1")):
            t = b.load("i64", self.ties)
            b.store("i64", label, w.work_word(b, w.work.label, t))
            b.store("i64", first, w.work_word(b, w.work.first, t))
            b.store("i64", top, self.first)
            b.store("i64", b.op(f"add i64 {t}, 1"), self.ties)
