"""Expressions as LLVM code: one arm per node of `model/ir/nodes.py`, in its order, like `engine/values.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.ir import nodes as ir
from ...model.ir.ranges import all_ones
from .memory import TABLES, fits
from .numbers import Bounds, Numbers, Val, const
from .text import Ref


class Expressions(Numbers):
    """Writes the code of expressions."""

    # ------------------------------------------------------------ locals
    def get(self, x: int) -> Val:
        where, of = self.locals[x]
        lo, hi = self.domains[x]
        return Val(self.b.load(of, where), of != "i64", lo, hi)

    def put(self, x: int, v: Val) -> None:
        """Set a local; a value outside its domain is beyond compiled code."""
        where, of = self.locals[x]
        v = self.guard(v, *self.domains[x])
        self.b.store(of, self.as_type(v, of), where)

    # ------------------------------------------------------------ expressions
    def value(self, e: ir.Expr) -> Val:
        """The code that computes an expression."""
        v = self.value
        match e:
            case ir.Const(value=c):
                if not -(1 << (self.m.wide - 1)) <= c < 1 << (self.m.wide - 1):
                    self.guard(const(0), 1, 1)
                    return const(0)
                return const(c)
            case ir.Local(index=x):
                return self.get(x)
            case ir.Load(base=base, index=index, count=count):
                return self.load(base, None if index is None else v(index), count)
            case ir.Table(table=t, index=index):
                return self.table(t, v(index), e.at)
            case ir.Unary(op=op, a=a):
                return self.unary(op, v(a), e.at)
            case ir.Binary(op="div" | "mod" as op, a=a, b=b):
                y = v(b)  # before the dividend, as in the interpreter: which fault comes first can be seen
                if y.lo <= 0 <= y.hi:
                    self.fault(self.compare("ne", y, const(0)), "division by zero", e.at)
                return self.divide(op, v(a), y)
            case ir.Binary(op=op, a=a, b=b):
                x = v(a)
                return self.binary(op, x, v(b), e.at)
            case ir.All(parts=parts):
                return self.junction(parts, "false")
            case ir.Any(parts=parts):
                return self.junction(parts, "true")
            case ir.If(test=test, a=a, b=b):
                return self.choice(self.truth(v(test)), lambda: v(a), lambda: v(b))
            case ir.Present(a=a, none=none):
                x = v(a)
                if x.lo <= none <= x.hi:
                    self.fault(self.compare("ne", x, const(none)), "a value was used that is none", e.at)
                return Val(x.ref, x.wide, x.lo + 1 if x.lo == none and x.lo < x.hi else x.lo, x.hi)
            case ir.Within(a=a, lo=lo, hi=hi):
                x = v(a)
                where = f" ({e.at.file}:{e.at.line})" if e.at.line else ""
                self.stop_unless(self.between(x, lo, hi), self.ends.bound("", f" is outside {lo}..{hi}{where}"), x)
                if lo > x.hi or hi < x.lo:
                    return Val(x.ref, x.wide, x.lo, x.hi)  # never reached
                return self.settle(Val(x.ref, x.wide, max(x.lo, lo), min(x.hi, hi)))
            case ir.Fold():
                return self.fold(e)
            case ir.Call(function=name, args=args):
                return self.call(name, [v(a) for a in args])
            case ir.ZoneCards(zone=zone):
                return self.zone_cards(v(zone))
            case ir.PileTop(zone=zone):
                z = v(zone)
                return self.extreme_rank(self.zone_cards(z))
            case ir.PileFind(zone=zone, var=var, test=test, top=top):
                return self.pile_find(v(zone), var, test, top, e.at)
            case _:
                raise AssertionError(e)

    def junction(self, parts: Sequence[ir.Expr], deciding: str) -> Val:
        """All (the first false decides) or any (the first true)."""
        b = self.b
        if not parts:
            return const(int(deciding == "false"))
        place, done = b.variable("i1", deciding), b.fresh("done")
        for p in parts:
            test = self.truth(self.value(p))
            (b.go_on_if if deciding == "false" else b.leave_if)(test, done)
        b.store("i1", "false" if deciding == "true" else "true", place)
        b.at(done)
        return self.bit(b.load("i1", place))

    # ------------------------------------------------------------ slots and tables
    def slot_address(self, base: int, index: Val | None) -> Ref:
        """Where a slot lies; the index is inside."""
        cell = self.m.cells[base]
        if index is None:
            return self.b.offset("%g", cell.offset)
        size = self.m.size_of(cell.of)
        i = self.narrow(index)
        at = self.b.op(f"mul i64 {i.ref}, {size}") if size > 1 else i.ref
        return self.b.offset("%g", self.b.op(f"add i64 {at}, {cell.offset}"))

    def slot_bounds(self, base: int, count: int) -> Bounds:
        lows, highs = zip(*self.m.domains[base:base + count], strict=True)
        return min(lows), max(highs)

    def read(self, base: int, address: Ref, bounds: Bounds) -> Val:
        """The slot at an address, as a number."""
        of = self.m.cells[base].of
        raw = self.b.load(of, address)
        if of in ("i64", self.s.wide):
            return self.settle(Val(raw, of != "i64", *bounds))
        return Val(self.b.op(f"sext {of} {raw} to i64"), False, *bounds)

    def set_slot(self, base: int, address: Ref, v: Val) -> None:
        """Write a slot; the value is known to fit."""
        of = self.m.cells[base].of
        if of in ("i64", self.s.wide):
            self.b.store(of, self.as_type(v, of), address)
        elif v.lo == v.hi:
            self.b.store(of, str(v.lo), address)
        else:
            self.b.store(of, self.b.op(f"trunc {self.of(v)} {v.ref} to {of}"), address)

    def within_count(self, index: Val, base: int, count: int) -> Val:
        """The index, which must be one of the block."""
        end = self.ends.bound("no place ", f" in {self.layout.slots[base].group}")
        self.stop_unless(self.between(index, 0, count - 1) if count else "false", end, index)
        return Val(index.ref, index.wide, max(0, min(index.lo, count - 1)), min(max(index.hi, 0), count - 1))

    def load(self, base: int, index: Val | None, count: int) -> Val:
        if index is None:
            return self.read(base, self.slot_address(base, None), self.m.domains[base])
        index = self.within_count(index, base, count)
        if not count:
            return const(0)
        return self.read(base, self.slot_address(base, index), self.slot_bounds(base, count))

    def table(self, t: int, index: Val, at: ir.Mark) -> Val:
        n = len(self.s.program.tables[t])
        self.fault(self.between(index, 0, n - 1) if n else "false", "a card was asked for that is none", at)
        offset, size, lo, hi = self.m.tables[t]
        i = self.narrow(Val(index.ref, index.wide, max(0, index.lo), max(0, min(index.hi, n - 1))))
        b = self.b
        where = b.offset(b.load("ptr", b.offset("%c", TABLES)), b.op(f"add i64 {b.op(f'mul i64 {i.ref}, {size}')}, {offset}"))
        return Val(b.load("i64" if size == 8 else self.s.wide, where), size > 8, lo, hi)

    # ------------------------------------------------------------ folds
    def each(self, var: int, domain: Val, offset: int, do: Callable[[str, str], None]) -> None:
        """For each member of a set, ascending, with the local set: `do(go on, leave)`, which may jump to either."""
        domain = self.mask(domain)
        top = max(0, domain.hi.bit_length() - 1)

        def one(k: Ref, head: str, done: str) -> None:
            self.put(var, Val(self.b.op(f"add i64 {k}, {offset}") if offset else k, False, offset, top + offset))
            do(head, done)
        self.go_through(domain, one)

    def go_through(self, mask: Val, do: Callable[[Ref, str, str], None]) -> None:
        """For each member of a set, ascending: `do(its number, go on, leave)`, which may jump to either."""
        b, of = self.b, self.of(mask)
        rest = b.variable(of, mask.ref)
        head, done = b.fresh("head"), b.fresh("done")
        b.at(head)
        m = Val(b.load(of, rest), mask.wide, 0, mask.hi)
        b.go_on_if(self.truth(m) if mask.hi else "false", done)
        b.store(of, b.op(f"and {of} {m.ref}, {self.one_less(m)}"), rest)
        do(self.count_zeros(m), head, done)
        b.jump(head)
        b.at(done)

    def fold(self, e: ir.Fold) -> Val:
        b = self.b
        domain = self.value(e.domain)
        n = max(0, domain.hi).bit_length()
        if e.kind in ("any", "all"):
            place = b.variable("i1", "false" if e.kind == "any" else "true")

            def look(head: str, done: str) -> None:
                self.only_if(e.test, head)
                t = self.truth(self.value(e.body))
                (b.go_on_if if e.kind == "any" else b.leave_if)(t, head)
                b.store("i1", "true" if e.kind == "any" else "false", place)
                b.jump(done)
            self.each(e.var, domain, e.offset, look)
            return self.bit(b.load("i1", place))
        return self.gathered(e, domain, n)

    def only_if(self, test: ir.Expr, otherwise: str) -> None:
        """Go on only if the test holds."""
        self.b.go_on_if(self.truth(self.value(test)), otherwise)

    def gathered(self, e: ir.Fold, domain: Val, n: int) -> Val:
        """`sum`, `set`, `union`, `min`, `max`: every body is computed before anything is said of them."""
        b = self.b
        lo, hi = self.bounds_of(e.body)
        narrow = (
            fits(n * lo, n * hi)
            if e.kind == "sum"
            else fits(0, all_ones(1 << max(0, min(hi, 300))))
            if e.kind == "set"
            else fits(lo, all_ones(hi))
        )
        wide = "i64" if narrow else self.s.wide
        place, found, odd = b.variable(wide, "0"), b.variable("i1", "false"), b.variable("i1", "false")
        seen: list[Bounds] = []

        def gather(head: str, done: str) -> None:
            self.only_if(e.test, head)
            v = self.value(e.body)
            if e.kind == "set":
                if v.lo < 0:
                    b.store("i1", b.op(f"or i1 {b.load('i1', odd)}, {self.compare('slt', v, const(0))}"), odd)
                    v = self.binary("max", v, const(0), e.at)
                v = self.power(v)
            elif e.kind == "union":
                v = self.mask(v)
            seen.append((v.lo, v.hi))
            x, old = v if narrow else self.widen(v), b.load(wide, place)
            match e.kind:
                case "sum" if not narrow:
                    limit = (1 << (self.m.wide - 1)) // max(1, n)
                    x = self.guard(x, -limit + 1, limit - 1)
                    new = b.op(f"add {wide} {old}, {x.ref}")
                case "sum":
                    new = b.op(f"add {wide} {old}, {x.ref}")
                case "set" | "union":
                    new = b.op(f"or {wide} {old}, {x.ref}")
                case _:
                    better = b.op(f"icmp {'slt' if e.kind == 'min' else 'sgt'} {wide} {x.ref}, {old}")
                    first = b.op(f"xor i1 {b.load('i1', found)}, true")
                    new = b.op(f"select i1 {b.op(f'or i1 {first}, {better}')}, {wide} {x.ref}, {wide} {old}")
            b.store(wide, new, place)
            b.store("i1", "true", found)
        self.each(e.var, domain, e.offset, gather)
        lo, hi = seen[0]
        if e.kind == "set":
            self.fault(b.op(f"xor i1 {b.load('i1', odd)}, true"), "a set was given a member that is none", e.at)
        limit = 1 << (self.m.wide - 1)
        match e.kind:
            case "sum":
                bounds = (max(min(0, n * lo), -limit), min(max(0, n * hi), limit - 1))
            case "set" | "union":
                bounds = (0, min(all_ones(hi), limit - 1))
            case _:
                bounds = (lo, hi)
        def got() -> Val:
            return self.settle(Val(b.load(wide, place), not narrow, *bounds))
        if e.kind not in ("min", "max"):
            return got()
        if e.default is None:
            self.fault(b.load("i1", found), f"the {e.kind} of nothing was asked for", e.at)
            return got()
        default = e.default
        return self.choice(b.load("i1", found), got, lambda: self.value(default))

    def bounds_of(self, e: ir.Expr) -> Bounds:
        """The bounds of an expression: its code is written, and thrown away."""
        b = self.b
        lines, variables, here = len(b.lines), len(b.variables), b.here
        v = self.value(e)
        del b.lines[lines:], b.variables[variables:]
        b.here = here
        return v.lo, v.hi

    # ------------------------------------------------------------ calls
    def call(self, name: str, args: Sequence[Val]) -> Val:
        """Call a define or a step: its result, or play has stopped."""
        to = self.m.number[name]
        given: list[str] = []
        for v, (lo, hi) in zip(args, self.m.local_domains[to], strict=False):
            of = self.s.type_of((lo, hi))
            given.append(f"{of} {self.as_type(self.guard(v, lo, hi), of)}")
        of = self.s.result_type(name)
        both = self.b.op(f"call {{{of}, i1}} @{self.s.symbol(name)}({', '.join(['ptr %c', 'ptr %g', *given])})")
        self.b.go_on_if(self.b.op(f"extractvalue {{{of}, i1}} {both}, 1"), self.fail)
        return Val(self.b.op(f"extractvalue {{{of}, i1}} {both}, 0"), of != "i64", *self.m.results[to])

    # ------------------------------------------------------------ zones
    def zone_cards(self, zone: Val) -> Val:
        """The cards in a zone: all places are compared at once."""
        b, n, first = self.b, self.layout.card_count, self.layout.location
        if not n:
            return const(0)
        cell = self.m.cells[first]
        size, bits = self.m.size_of(cell.of), int(cell.of[1:])
        z = self.narrow(zone)
        fit = self.between(z, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        small = z.ref if bits == 64 else b.op(f"trunc i64 {z.ref} to {cell.of}")
        out: Ref = ""
        wide = n > 63
        for start in range(0, n, 64):
            lanes = next(k for k in (8, 16, 32, 64) if k >= min(64, n - start))
            vector = f"<{lanes} x {cell.of}>"
            one = b.op(f"insertelement {vector} poison, {cell.of} {small}, i32 0")
            every = b.op(f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer")
            there = b.op(f"load {vector}, ptr {b.offset('%g', cell.offset + start * size)}, align {size}")
            same = b.op(f"icmp eq {vector} {there}, {every}")
            got = b.op(f"bitcast <{lanes} x i1> {same} to i{lanes}")
            left = min(lanes, n - start)
            if left < lanes:
                got = b.op(f"and i{lanes} {got}, {(1 << left) - 1}")
            if lanes < 64:
                got = b.op(f"zext i{lanes} {got} to i64")
            if wide:
                got = b.op(f"zext i64 {got} to {self.s.wide}")
                if start:
                    got = b.op(f"shl {self.s.wide} {got}, {start}")
            out = b.op(f"or {self.s.wide} {out}, {got}") if out else got
        if fit != "true":
            out = b.op(f"select i1 {fit}, {self.s.wide if wide else 'i64'} {out}, {self.s.wide if wide else 'i64'} 0")
        return Val(out, wide, 0, (1 << n) - 1)

    def rank_of(self, card: Ref) -> Ref:
        """The rank of a card, as an i64."""
        rank = self.layout.rank
        address = self.slot_address(rank, Val(card, False, 0, self.layout.card_count - 1))
        return self.read(rank, address, (-(1 << 31), 1 << 31)).ref

    def members(self, mask: Val, do: Callable[[Ref], None]) -> None:
        """For each member of a set, ascending: its number."""
        self.go_through(mask, lambda k, _, __: do(k))

    def extreme_rank(self, there: Val) -> Val:
        """Of these cards, those of the highest rank."""
        b = self.b
        best, of = b.variable("i64", "-1"), self.of(there)
        out = b.variable(of, "0")

        def look(c: Ref) -> None:
            r, old = self.rank_of(c), b.load("i64", best)
            self_mask = b.op(f"shl {of} 1, {c if of == 'i64' else b.op(f'zext i64 {c} to {of}')}")
            above, same = b.op(f"icmp sgt i64 {r}, {old}"), b.op(f"icmp eq i64 {r}, {old}")
            now = b.load(of, out)
            joined = b.op(f"select i1 {same}, {of} {b.op(f'or {of} {now}, {self_mask}')}, {of} {now}")
            b.store(of, b.op(f"select i1 {above}, {of} {self_mask}, {of} {joined}"), out)
            b.store("i64", b.op(f"select i1 {above}, i64 {r}, i64 {old}"), best)
        self.members(there, look)
        return Val(b.load(of, out), there.wide, 0, there.hi)

    def pile_find(self, zone: Val, var: int, test: ir.Expr, top: bool, at: ir.Mark) -> Val:
        b = self.b
        found, best, tie = b.variable("i64", "-1"), b.variable("i64", "0"), b.variable("i1", "false")

        def look(c: Ref) -> None:
            self.put(var, Val(c, False, 0, max(0, self.layout.card_count - 1)))
            after = b.fresh("after")
            self.only_if(test, after)
            r, old = self.rank_of(c), b.load("i64", best)
            none = b.op(f"icmp eq i64 {b.load('i64', found)}, -1")
            beyond = b.op(f"icmp {'sgt' if top else 'slt'} i64 {r}, {old}")
            better = b.op(f"or i1 {none}, {beyond}")
            same = b.op(f"and i1 {b.op(f'xor i1 {none}, true')}, {b.op(f'icmp eq i64 {r}, {old}')}")
            tied = b.op(f"or i1 {same}, {b.load('i1', tie)}")
            b.store("i1", b.op(f"select i1 {better}, i1 false, i1 {tied}"), tie)
            b.store("i64", b.op(f"select i1 {better}, i64 {c}, i64 {b.load('i64', found)}"), found)
            b.store("i64", b.op(f"select i1 {better}, i64 {r}, i64 {old}"), best)
            b.at(after)
        self.members(self.zone_cards(zone), look)
        self.fault(b.op(f"xor i1 {b.load('i1', tie)}, true"), "the order of these cards is unknown", at)
        return Val(b.load("i64", found), False, -1, max(0, self.layout.card_count - 1))
