"""The options of a choice as LLVM code. Each choice has a function of its own that lists them; it serves the arrival at
a label and the departure from it."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.engine.interpreter import MOST_OPTIONS
from ...model.engine.policies import Wish
from ...model.engine.state import CHANCE, OPEN
from ...model.ir import nodes as ir
from ...model.ir.types import Bool, OptionType, RecordType, Role, Type, UnionType, blank
from .ends import ESCAPE
from .memory import (
    DEPTH,
    EPOCH,
    MOST_OFFERED,
    OPTIONS,
    OWNER,
)
from .numbers import Val, const
from .procedures import Procedure
from .text import Ref


class OptionsWriter(Procedure):
    """Writes the function that lists the options of a choice; its locals are the frame's, and what it does to them
    is forgotten."""

    def emit_asker(self, i: ir.Choose | ir.ChooseSome, pc: int) -> None:
        b = self.b
        self.frame = self.find_frame(b.op(f"add i64 {self.word_at(DEPTH)}, -1"))
        for k, local in enumerate(self.fn.locals):
            of = self.m.frames[self.number].cells[k].of
            self.locals.append((b.variable(of), of))
            b.store(of, str(blank(local.type)), self.locals[k][0])
        for x in self.site(pc).live:
            where, of = self.cell(x)
            b.store(of, b.load(of, where), self.locals[x][0])
        owner = i.owner
        if isinstance(owner, ir.ByPlayer):
            who = self.guard(self.value(owner.player), -(1 << 31), 1 << 31)
            who_ref = self.settle(who).ref
        else:
            who_ref = str(CHANCE if isinstance(owner, ir.ByChance) else OPEN)
        self.set_word(OWNER, who_ref)
        self.set_word(OPTIONS, 0)
        if isinstance(i, ir.Choose):
            width = len(i.locals)
            distinct = tell_apart(i.offers)
            if not distinct:
                self.set_word(EPOCH, b.op(f"add i64 {self.word_at(EPOCH)}, 1"))
            for o in i.offers:
                self.spread(o, 0, [self.domains[x] for x in i.locals], distinct)
        else:
            width = 1
            self.subsets(i)
        self.cut_to_policy(who_ref, i.type, width)
        b.ret(f"i64 {self.word_at(OPTIONS)}")
        b.at(self.fail)
        b.finish("i64 -1")

    def spread(self, o: ir.Offer, k: int, domains: Sequence[tuple[int, int]], distinct: bool) -> None:
        if k < len(o.binders):
            binder = o.binders[k]
            self.each(
                binder.var,
                self.value(binder.domain),
                binder.offset,
                lambda head, done: self.spread(o, k + 1, domains, distinct),
            )
            return
        skip = self.b.fresh("skip")
        self.only_if(o.test, skip)
        values = [self.guard(self.value(v), *d) for v, d in zip(o.values, domains, strict=True)]
        self.add(values, distinct)
        self.b.at(skip)

    def option(self, k: Ref) -> Ref:
        """Where option k lies."""
        b = self.b
        return b.element("%c", k, self.m.option_bytes, self.m.options_at)

    def weight(self, k: Ref) -> Ref:
        b = self.b
        return b.offset("%c", b.op(f"add i64 {b.op(f'shl i64 {k}, 3')}, {self.m.weights_at}"))

    def add(self, values: Sequence[Val], distinct: bool) -> None:
        """One more option, or one more of an option that is there."""
        b, m = self.b, self.m
        n = self.word_at(OPTIONS)
        self.stop_unless(b.op(f"icmp slt i64 {n}, {MOST_OFFERED}"), ESCAPE)
        place = self.option(n)
        for k, v in enumerate(values):
            self.store_word(v, b.offset(place, k * m.word))
        done = b.fresh("done")
        if not distinct:
            self.find_equal(n, place, len(values), done)
        b.store("i64", "1", self.weight(n))
        self.set_word(OPTIONS, b.op(f"add i64 {n}, 1"))
        b.at(done)

    def find_equal(self, n: Ref, place: Ref, width: int, done: str) -> None:
        """An option that is there already is counted once more; else it gets a bucket."""
        b, m = self.b, self.m
        word = "i64" if m.word == 8 else self.s.wide
        mine = [b.load(word, b.offset(place, k * m.word)) for k in range(width)]
        h: Ref = "0"
        for x in mine:
            part = x
            if word != "i64":
                high = b.op(f"lshr {word} {x}, 61")
                part = b.op(f"trunc {word} {b.op(f'xor {word} {x}, {high}')} to i64")
            h = b.op(f"mul i64 {b.op(f'xor i64 {h}, {part}')}, -7046029254386353131")
            h = b.op(f"xor i64 {h}, {b.op(f'lshr i64 {h}, 29')}")
        bucket = b.variable("i64")
        mask = 2 * MOST_OFFERED - 1
        b.store("i64", b.op(f"and i64 {h}, {mask}"), bucket)
        stamp = b.op(f"shl i64 {self.word_at(EPOCH)}, 16")
        head, again, free = b.fresh("head"), b.fresh("again"), b.fresh("free")
        b.at(head)
        at = b.load("i64", bucket)
        note = b.offset("%c", b.op(f"add i64 {b.op(f'shl i64 {at}, 3')}, {m.buckets_at}"))
        old = b.load("i64", note)
        b.go_on_if(b.op(f"icmp eq i64 {b.op(f'and i64 {old}, -65536')}, {stamp}"), free)
        other = b.op(f"and i64 {old}, 65535")
        there = self.option(other)
        for k, x in enumerate(mine):
            b.go_on_if(b.op(f"icmp eq {word} {x}, {b.load(word, b.offset(there, k * m.word))}"), again)
        w = self.weight(other)
        b.store("i64", b.op(f"add i64 {b.load('i64', w)}, 1"), w)
        b.jump(done)
        b.at(again)
        b.store("i64", b.op(f"and i64 {b.op(f'add i64 {at}, 1')}, {mask}"), bucket)
        b.jump(head)
        b.at(free)
        b.store("i64", b.op(f"or i64 {stamp}, {n}"), note)

    def cut_to_policy(self, who: Ref, of: Type, width: int) -> None:
        """A player with a policy has only the options that meet the first wish that any of them meets."""
        b = self.b
        done = b.fresh("done")
        for player, wishes in sorted(self.s.policies.items()):
            looked = [
                (patterns, w.act == "pass")
                for w in wishes
                if (patterns := patterns_of(w, of, self.s.card_ids)) is not None
            ]
            if not looked:
                continue
            mine = b.op(f"icmp eq i64 {who}, {player}")
            with b.when(b.op(f"and i1 {mine}, {b.op(f'icmp sgt i64 {self.word_at(OPTIONS)}, 1')}")):
                for patterns, every in looked:
                    self.keep_matching(patterns, every, width, done)
                b.jump(done)
        b.at(done)

    def keep_matching(self, patterns: Patterns, every: bool, width: int, done: str) -> None:
        """If options match, keep these (or the first of them), and go on at `done`."""
        b, m = self.b, self.m
        kept, over = b.variable("i64", "0"), b.fresh("over")
        with b.counting("0", self.word_at(OPTIONS)) as k:
            fits: Ref = "true"
            for group in patterns:
                some: Ref = "false"
                for column, values in group:
                    v = self.load_word(b.offset(self.option(k), column * m.word), -(1 << 62), 1 << 62)
                    for value in values:
                        some = b.op(f"or i1 {some}, {self.compare('eq', v, const(value))}")
                fits = b.op(f"and i1 {fits}, {some}")
            with b.when(fits):
                to = b.load("i64", kept)
                there, here = self.option(to), self.option(k)
                word = "i64" if m.word == 8 else self.s.wide
                for x in range(width):
                    b.store(word, b.load(word, b.offset(here, x * m.word)), b.offset(there, x * m.word))
                b.store("i64", b.load("i64", self.weight(k)), self.weight(to))
                b.store("i64", b.op(f"add i64 {to}, 1"), kept)
                if not every:
                    b.jump(over)
        b.at(over)
        left = b.load("i64", kept)
        with b.when(b.op(f"icmp sgt i64 {left}, 0")):
            self.set_word(OPTIONS, left)
            b.jump(done)

    def subsets(self, c: ir.ChooseSome) -> None:
        """All subsets of the sizes allowed, by size, then by members."""
        b, m = self.b, self.m
        among, most, least = self.mask(self.value(c.among)), self.value(c.most), self.value(c.least)
        places = b.variable(f"[{m.wide} x i64]")
        count = b.variable("i64", "0")

        def at(k: Ref) -> Ref:
            return b.op(f"getelementptr [{m.wide} x i64], ptr {places}, i64 0, i64 {k}")

        def note(k: Ref) -> None:
            n = b.load("i64", count)
            b.store("i64", k, at(n))
            b.store("i64", b.op(f"add i64 {n}, 1"), count)
        self.members(among, note)
        n = Val(b.load("i64", count), False, 0, m.wide)
        hi = self.settle(self.binary("max", const(0), self.binary("min", most, n, ir.NOWHERE), ir.NOWHERE))
        lo = self.settle(self.binary("max", const(0), self.binary("min", least, hi, ir.NOWHERE), ir.NOWHERE))
        ways = b.op(f"call i64 @ways(i64 {n.ref}, i64 {lo.ref}, i64 {hi.ref})")
        sizes = b.op(f"or i64 {b.op(f'shl i64 {hi.ref}, 16')}, {lo.ref}")
        self.stop_unless(b.op(f"icmp sle i64 {ways}, {MOST_OPTIONS}"), self.ends.options(), n, sizes)
        picked = b.variable(f"[{m.wide} x i64]")

        def pick(k: Ref) -> Ref:
            return b.op(f"getelementptr [{m.wide} x i64], ptr {picked}, i64 0, i64 {k}")
        with b.counting(lo.ref, b.op(f"add i64 {hi.ref}, 1")) as size:
            with b.counting("0", size) as k:
                b.store("i64", k, pick(k))
            again, stop, place = b.fresh("again"), b.fresh("stop"), b.variable("i64")
            b.at(again)
            mask = b.variable(self.s.wide, "0")
            with b.counting("0", size) as k:
                member = b.load("i64", at(b.load("i64", pick(k))))
                one = b.op(f"shl {self.s.wide} 1, {b.op(f'zext i64 {member} to {self.s.wide}')}")
                b.store(self.s.wide, b.op(f"or {self.s.wide} {b.load(self.s.wide, mask)}, {one}"), mask)
            self.add([self.settle(Val(b.load(self.s.wide, mask), True, 0, among.hi))], True)
            b.store("i64", b.op(f"add i64 {size}, -1"), place)
            head, more = b.fresh("head"), b.fresh("more")
            b.at(head)
            k = b.load("i64", place)
            b.leave_if(b.op(f"icmp slt i64 {k}, 0"), stop)
            limit = b.op(f"add i64 {b.op(f'sub i64 {n.ref}, {size}')}, {k}")
            b.go_on_if(b.op(f"icmp eq i64 {b.load('i64', pick(k))}, {limit}"), more)
            b.store("i64", b.op(f"add i64 {k}, -1"), place)
            b.jump(head)
            b.at(more)
            b.store("i64", b.op(f"add i64 {b.load('i64', pick(k))}, 1"), pick(k))
            with b.counting(b.op(f"add i64 {k}, 1"), size) as j:
                before = b.load("i64", pick(b.op(f"add i64 {j}, -1")))
                b.store("i64", b.op(f"add i64 {before}, 1"), pick(j))
            b.jump(again)
            b.at(stop)


def tell_apart(offers: Sequence[ir.Offer]) -> bool:
    """Is it plain that no option is offered twice: all that varies within an offer is part of the option, and two
    offers always differ in some constant?"""
    for o in offers:
        if any(ir.Local(x.var) not in o.values for x in o.binders):
            return False
    return all(
        any(
            isinstance(x, ir.Const) and isinstance(y, ir.Const) and x.value != y.value
            for x, y in zip(a.values, b.values, strict=True)
        )
        for k, a in enumerate(offers)
        for b in offers[:k]
    )


Patterns = list[list[tuple[int, list[int]]]]
"""An option matches if in every group some column has one of its values."""


def patterns_of(wish: Wish, of: Type, ids: Sequence[str]) -> Patterns | None:
    """Which options of a type meet a wish; None: none can."""
    match wish.act:
        case "first":
            return []
        case "yes":
            return [[(0, [1])]] if isinstance(of, Bool) else None
        case "pass":
            return declining(of)
        case _:
            return speaking_of(wish, of, ids)


def declining(of: Type) -> Patterns | None:
    """Which options do nothing."""
    match of:
        case Bool():
            return [[(0, [0])]]
        case UnionType(variants=variants):
            return [[(0, tags)]] if (tags := [k for k, v in enumerate(variants) if v.does_nothing]) else None
        case RecordType(does_nothing=nothing):
            return [] if nothing else None
        case OptionType(none=none):
            return [[(0, [none])]]
        case _:
            return None


def speaking_of(wish: Wish, of: Type, ids: Sequence[str]) -> Patterns | None:
    """Which options are the record's, of the card."""
    out: Patterns = []
    first, record = 0, of
    if isinstance(of, UnionType):
        tags = [k for k, v in enumerate(of.variants) if v.name == wish.act]
        if not tags:
            return None
        out.append([(0, tags)])
        _, first, record = of.offset(wish.act)
    if not isinstance(record, RecordType) or record.name != wish.act:
        return None
    if wish.card is not None:
        named = [k for k, name in enumerate(ids) if name == wish.card]
        out.append([(first + k, named) for k, t in enumerate(record.flat()) if t.role in (Role.CARD, Role.OBJECT)])
    return out
