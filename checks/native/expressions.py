"""Expressions as LLVM code: one arm per node of `model/ir/nodes.py`, in its order, like `engine/values.py`.

A number is an i64 where its bounds are known to fit, else one wide integer. Bounds are computed on the way; what they
do not show is tested when it happens, and then compiled code gives up (`escape`) rather than be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...model.engine.policies import Policies
from ...model.engine.state import End
from ...model.ir import nodes as ir
from ...model.ir.program import Function
from ...model.ir.ranges import all_ones, hull
from .ends import ESCAPE, Ends
from .memory import END, END_VALUE, END_WHO, TABLES, Memory, fits
from .text import Body, Module, Ref

Bounds = tuple[int, int]


@dataclass(frozen=True)
class Val:
    """A number while it is computed: operand, is it wide, its bounds; `bit`: the same as an i1, where it is a truth."""

    ref: Ref
    wide: bool
    lo: int
    hi: int
    bit: Ref = ""


def const(n: int) -> Val:
    return Val(str(n), not fits(n, n), n, n, "" if n not in (0, 1) else ("true" if n else "false"))


class Shared:
    """What all functions of a program have in common while it is compiled."""

    def __init__(
        self, memory: Memory, policies: Policies, saturating: frozenset[int], card_ids: Sequence[str],
    ) -> None:
        self.memory = memory
        self.program = memory.program
        self.layout = memory.program.layout
        self.module = Module()
        self.ends = Ends()
        self.policies, self.saturating, self.card_ids = policies, saturating, card_ids
        self.wide = f"i{memory.wide}"

    def type_of(self, bounds: Bounds) -> str:
        return "i64" if fits(*bounds) else self.wide

    def symbol(self, name: str) -> str:
        """The name of the compiled function."""
        return f"f{self.memory.number[name]}"

    def result_type(self, name: str) -> str:
        return self.type_of(self.memory.results[self.memory.number[name]])

    def emit_halts(self) -> None:
        """How play stops: the number of the end is left in the context."""
        for name, of in (("halt", ""), ("halt_value", "i64"), ("halt_wide", self.wide)):
            value = f", {of} %value" if of else ""
            b = Body(self.module, name, "internal void", f"ptr %c, i64 %end, i64 %who{value}", "cold noinline")
            b.store("i64", "%end", b.offset("%c", END))
            b.store("i64", "%who", b.offset("%c", END_WHO))
            if of:
                wide = "%value" if of == "i256" else b.op(f"sext {of} %value to i256")
                b.store("i256", wide, b.offset("%c", END_VALUE))
            b.ret("void")
            b.finish()


class Expressions:
    """Writes the code of expressions of one function into its body. `fail`: the block for play that has stopped."""

    def __init__(self, shared: Shared, fn: Function, body: Body) -> None:
        self.s, self.fn, self.b = shared, fn, body
        self.m, self.layout, self.ends = shared.memory, shared.layout, shared.ends
        self.domains = self.m.local_domains[self.m.number[fn.name]]
        self.locals: list[tuple[Ref, str]] = []
        """Where each local lies, and its type."""
        self.fail = "stopped"

    # ------------------------------------------------------------ numbers
    def of(self, v: Val) -> str:
        return self.s.wide if v.wide else "i64"

    def widen(self, v: Val) -> Val:
        """The same as a wide integer."""
        if v.wide:
            return v
        ref = str(v.lo) if v.lo == v.hi else self.b.op(f"sext i64 {v.ref} to {self.s.wide}")
        return Val(ref, True, v.lo, v.hi)

    def settle(self, v: Val) -> Val:
        """As an i64, if the bounds allow it."""
        if not v.wide or not fits(v.lo, v.hi):
            return v
        return Val(str(v.lo) if v.lo == v.hi else self.b.op(f"trunc {self.s.wide} {v.ref} to i64"), False, v.lo, v.hi)

    def narrow(self, v: Val) -> Val:
        """As an i64; what does not fit is beyond compiled code."""
        if not v.wide:
            return v
        if not fits(v.lo, v.hi):
            v = self.guard(v, max(v.lo, -(1 << 63)), min(v.hi, (1 << 63) - 1))
        return self.settle(v)

    def pair(self, a: Val, b: Val) -> tuple[Val, Val]:
        """Both of one type."""
        return (self.widen(a), self.widen(b)) if a.wide or b.wide else (a, b)

    def as_type(self, v: Val, of: str) -> Ref:
        """The operand at type i64 or wide; its bounds must fit."""
        if of == "i64":
            assert fits(v.lo, v.hi), v
            return self.settle(v).ref
        return self.widen(v).ref

    def truth(self, v: Val) -> Ref:
        """Not 0."""
        if v.bit:
            return v.bit
        if v.lo == v.hi:
            return "true" if v.lo else "false"
        return self.b.op(f"icmp ne {self.of(v)} {v.ref}, 0")

    def bit(self, ref: Ref) -> Val:
        """A truth as a number."""
        if ref in ("true", "false"):
            return const(int(ref == "true"))
        return Val(self.b.op(f"zext i1 {ref} to i64"), False, 0, 1, ref)

    def compare(self, how: str, a: Val, b: Val) -> Ref:
        x, y = self.pair(a, b)
        return self.b.op(f"icmp {how} {self.of(x)} {x.ref}, {y.ref}")

    # ------------------------------------------------------------ stopping
    def stop_unless(self, test: Ref, end: int, value: Val | None = None, who: Ref = "-1") -> None:
        """Play ends there unless the test holds."""
        if test == "true":
            return
        on, no = self.b.fresh("on"), self.b.fresh("no")
        self.b.branch(test, on, no)
        self.b.at(no)
        self.stop(end, value, who)
        self.b.at(on)

    def stop(self, end: int, value: Val | None = None, who: Ref = "-1") -> None:
        """Play ends."""
        if value is None:
            self.b.do(f"call void @halt(ptr %c, i64 {end}, i64 {who})")
        else:
            name = "halt_wide" if value.wide else "halt_value"
            self.b.do(f"call void @{name}(ptr %c, i64 {end}, i64 {who}, {self.of(value)} {value.ref})")
        self.b.jump(self.fail)

    def guard(self, v: Val, lo: int, hi: int) -> Val:
        """The value, now known to lie between the bounds; else it is beyond compiled code."""
        if lo <= v.lo and v.hi <= hi:
            return v
        if v.lo > hi or v.hi < lo:  # it never does
            self.stop_unless("false", ESCAPE)
            return const(lo)
        self.stop_unless(self.between(v, lo, hi), ESCAPE)
        return Val(v.ref, v.wide, max(v.lo, lo), min(v.hi, hi), v.bit)

    def between(self, v: Val, lo: int, hi: int) -> Ref:
        """Does it lie between the bounds? Bounds beyond its own are not looked at."""
        of = self.of(v)
        tests = [self.b.op(f"icmp sge {of} {v.ref}, {lo}")] if v.lo < lo else []
        if v.hi > hi:
            tests.append(self.b.op(f"icmp sle {of} {v.ref}, {hi}"))
        return "true" if not tests else tests[0] if len(tests) == 1 else self.b.op(f"and i1 {tests[0]}, {tests[1]}")

    def fault(self, test: Ref, why: str, at: ir.Mark) -> None:
        """A fault of the encoding unless the test holds."""
        self.stop_unless(test, self.ends.fixed(End("fault", detail=f"{why} ({at.file}:{at.line})" if at.line else why)))

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

    def choice(self, test: Ref, yes: Callable[[], Val], no: Callable[[], Val]) -> Val:
        """One of two values, only that one computed."""
        if test in ("true", "false"):
            return yes() if test == "true" else no()
        b = self.b
        one, two, on = b.fresh("yes"), b.fresh("no"), b.fresh("on")
        b.branch(test, one, two)
        b.at(one)
        x = yes()
        after_x, b.here = b.here, ""
        mark = len(b.lines)
        b.at(two)
        y = no()
        after_y, b.here = b.here, ""
        lo, hi = hull((x.lo, x.hi), (y.lo, y.hi))
        of = self.s.type_of((lo, hi))
        place = b.variable(of)
        tail = b.lines[mark:]
        del b.lines[mark:]
        b.here = after_x
        if after_x:
            b.store(of, self.as_type(x, of), place)
            b.jump(on)
        b.lines += tail
        b.here = after_y
        if after_y:
            b.store(of, self.as_type(y, of), place)
            b.jump(on)
        b.at(on)
        return Val(b.load(of, place), of != "i64", lo, hi)

    def junction(self, parts: Sequence[ir.Expr], deciding: str) -> Val:
        """All (the first false decides) or any (the first true)."""
        b = self.b
        if not parts:
            return const(int(deciding == "false"))
        place, done = b.variable("i1"), b.fresh("done")
        b.store("i1", deciding, place)
        for p in parts:
            test = self.truth(self.value(p))
            go = b.fresh("go")
            b.branch(test, *((go, done) if deciding == "false" else (done, go)))
            b.at(go)
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

    # ------------------------------------------------------------ operators
    def mask(self, v: Val) -> Val:
        """A set: never negative."""
        return self.guard(v, 0, max(v.hi, 0))

    def count_zeros(self, v: Val) -> Ref:
        """The least member of a set that is not empty, as an i64."""
        of = self.of(v)
        self.s.module.declare(f"{of} @llvm.cttz.{of}({of}, i1)")
        r = self.b.op(f"call {of} @llvm.cttz.{of}({of} {v.ref}, i1 true)")
        return r if of == "i64" else self.b.op(f"trunc {of} {r} to i64")

    def unary(self, op: str, a: Val, at: ir.Mark) -> Val:
        b = self.b
        match op:
            case "not":
                return self.bit(b.op(f"xor i1 {self.truth(a)}, true")) if a.lo != a.hi else const(int(not a.lo))
            case "neg":
                return self.arithmetic("sub", const(0), a, (-a.hi, -a.lo))
            case "abs":
                if a.lo >= 0:
                    return a
                n = self.unary("neg", a, at)
                return self.binary("max", a, n, at)
            case "size":
                x = self.mask(a)
                of = self.of(x)
                self.s.module.declare(f"{of} @llvm.ctpop.{of}({of})")
                r = b.op(f"call {of} @llvm.ctpop.{of}({of} {x.ref})")
                return Val(r if of == "i64" else b.op(f"trunc {of} {r} to i64"), False, 0, max(0, x.hi).bit_length())
            case "lowest":
                x = self.mask(a)
                self.fault(self.truth(x), "a member of the empty set was asked for", at)
                return Val(self.count_zeros(x), False, 0, max(0, x.hi.bit_length() - 1))
            case "only":
                x = self.mask(a)
                less = self.wrapping("add", x, const(-1))
                one = b.op(f"icmp eq {self.of(x)} {b.op(f'and {self.of(x)} {x.ref}, {less}')}, 0")
                both = b.op(f"and i1 {one}, {self.truth(x)}")
                return self.choice(both, lambda: Val(self.count_zeros(x), False, 0, max(0, x.hi.bit_length() - 1)), lambda: const(-1))
            case "single":
                self.fault(self.between(a, 0, a.hi), "a set was given a member that is none", at)
                return self.power(Val(a.ref, a.wide, max(0, a.lo), max(0, a.hi)))
            case "below":
                def some() -> Val:
                    p = self.power(Val(a.ref, a.wide, max(0, a.lo), max(0, a.hi)))
                    return Val(self.wrapping("add", p, const(-1)), p.wide, 0, p.hi)
                return self.choice("true" if a.lo > 0 else self.compare("sgt", a, const(0)), some, lambda: const(0))
            case _:
                raise AssertionError(op)

    def power(self, k: Val) -> Val:
        """1 << k, for k that is not negative."""
        k = self.guard(self.narrow(k), 0, self.m.wide - 2)
        hi = all_ones(1 << k.hi)
        if fits(0, hi):
            return Val(self.b.op(f"shl i64 1, {k.ref}"), False, 0, hi)
        return Val(self.b.op(f"shl {self.s.wide} 1, {self.widen(k).ref}"), True, 0, hi)

    def wrapping(self, op: str, a: Val, b: Val) -> Ref:
        """Without looking at bounds, at the type of both."""
        x, y = self.pair(a, b)
        return self.b.op(f"{op} {self.of(x)} {x.ref}, {y.ref}")

    def arithmetic(self, op: str, a: Val, b: Val, bounds: Bounds) -> Val:
        """Addition, subtraction, multiplication."""
        lo, hi = bounds
        limit = 1 << (self.m.wide - 1)
        if fits(lo, hi) and not a.wide and not b.wide:
            return Val(self.b.op(f"{op} nsw i64 {a.ref}, {b.ref}"), False, lo, hi)
        if -limit <= lo and hi < limit:
            x, y = self.widen(a), self.widen(b)
            return self.settle(Val(self.b.op(f"{op} {self.s.wide} {x.ref}, {y.ref}"), True, lo, hi))
        if op == "mul":
            x, y = self.narrow(a), self.narrow(b)
            ends = [m * n for m in (x.lo, x.hi) for n in (y.lo, y.hi)]
            return self.arithmetic(op, x, y, (min(ends), max(ends)))
        x, y = self.widen(a), self.widen(b)
        of, name = self.s.wide, f"llvm.s{op}.with.overflow.{self.s.wide}"
        self.s.module.declare(f"{{{of}, i1}} @{name}({of}, {of})")
        both = self.b.op(f"call {{{of}, i1}} @{name}({of} {x.ref}, {of} {y.ref})")
        over = self.b.op(f"extractvalue {{{of}, i1}} {both}, 1")
        self.stop_unless(self.b.op(f"xor i1 {over}, true"), ESCAPE)
        return Val(self.b.op(f"extractvalue {{{of}, i1}} {both}, 0"), True, max(lo, -limit), min(hi, limit - 1))

    def binary(self, op: str, a: Val, b: Val, at: ir.Mark) -> Val:
        out = self.b
        compared = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
        match op:
            case "add":
                return self.arithmetic("add", a, b, (a.lo + b.lo, a.hi + b.hi))
            case "sub":
                return self.arithmetic("sub", a, b, (a.lo - b.hi, a.hi - b.lo))
            case "mul":
                ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
                return self.arithmetic("mul", a, b, (min(ends), max(ends)))
            case "min" | "max":
                pick = min if op == "min" else max
                x, y = self.pair(a, b)
                test = out.op(f"icmp {'slt' if op == 'min' else 'sgt'} {self.of(x)} {x.ref}, {y.ref}")
                r = out.op(f"select i1 {test}, {self.of(x)} {x.ref}, {self.of(x)} {y.ref}")
                return self.settle(Val(r, x.wide, pick(a.lo, b.lo), pick(a.hi, b.hi)))
            case "union" | "differ":
                x, y = self.pair(a, b)
                r = out.op(f"{'or' if op == 'union' else 'xor'} {self.of(x)} {x.ref}, {y.ref}")
                return Val(r, x.wide, *bitwise(a, b))
            case "meet":
                x, y = self.pair(a, b)
                r = out.op(f"and {self.of(x)} {x.ref}, {y.ref}")
                if a.lo >= 0 and b.lo >= 0:
                    return self.settle(Val(r, x.wide, 0, min(a.hi, b.hi)))
                return Val(r, x.wide, *bitwise(a, b))
            case "without":
                x, y = self.pair(a, b)
                r = out.op(f"and {self.of(x)} {x.ref}, {out.op(f'xor {self.of(y)} {y.ref}, -1')}")
                if a.lo >= 0:
                    return self.settle(Val(r, x.wide, 0, a.hi))
                return Val(r, x.wide, *bitwise(a, b))
            case "member":
                return self.member(a, b)
            case "shift":
                return self.shift(a, b)
            case _:
                if a.lo == a.hi and b.lo == b.hi:
                    return const(int({"eq": a.lo == b.lo, "ne": a.lo != b.lo, "lt": a.lo < b.lo, "le": a.lo <= b.lo,
                                      "gt": a.lo > b.lo, "ge": a.lo >= b.lo}[op]))
                return self.bit(self.compare(compared[op], a, b))

    def divide(self, op: str, a: Val, b: Val) -> Val:
        """Rounds down; b is not 0."""
        out = self.b
        lo, hi = max(abs(a.lo), abs(a.hi)), max(abs(b.lo), abs(b.hi))
        x, y = self.narrow(a), self.narrow(b)
        x = self.guard(x, -(1 << 62), 1 << 62)
        q, r = out.op(f"sdiv i64 {x.ref}, {y.ref}"), out.op(f"srem i64 {x.ref}, {y.ref}")
        apart = out.op(f"icmp slt i64 {out.op(f'xor i64 {r}, {y.ref}')}, 0")
        down = out.op(f"and i1 {apart}, {out.op(f'icmp ne i64 {r}, 0')}")
        if op == "div":
            bounds = (0 if a.lo >= 0 and b.lo >= 0 else -lo, lo)
            return self.held(Val(out.op(f"sub i64 {q}, {out.op(f'zext i1 {down} to i64')}"), False, *bounds))
        add = out.op(f"select i1 {down}, i64 {y.ref}, i64 0")
        bounds = (0 if b.lo >= 0 else -hi, max(0, hi - 1))
        return self.held(Val(out.op(f"add i64 {r}, {add}"), False, *bounds))

    def held(self, v: Val) -> Val:
        """Bounds of an i64 are those of an i64 at most."""
        return Val(v.ref, v.wide, max(v.lo, -(1 << 63)), min(v.hi, (1 << 63) - 1), v.bit)

    def member(self, a: Val, b: Val) -> Val:
        """Bit a of b; beyond the type the sign goes on."""
        out = self.b
        if b.lo == b.hi and b.lo == 0:
            return const(0)
        width = self.m.wide if b.wide else 64
        k = self.settle(a)
        if k.wide or k.lo < 0 or k.hi >= width:
            inside = self.binary("max", self.binary("min", a, const(width - 1), ir.NOWHERE), const(0), ir.NOWHERE)
            k = self.settle(inside)
        shifted = out.op(f"ashr {self.of(b)} {b.ref}, {self.widen(k).ref if b.wide else k.ref}")
        got = out.op(f"trunc {self.of(b)} {shifted} to i1")
        if a.lo < 0:
            got = out.op(f"and i1 {got}, {self.compare('sge', a, const(0))}")
        return self.bit(got)

    def shift(self, a: Val, b: Val) -> Val:
        if b.lo == b.hi:
            return self.shift_up(a, b) if b.lo >= 0 else self.shift_down(a, const(-b.lo))
        if b.lo >= 0:
            return self.shift_up(a, b)

        def down() -> Val:
            return self.shift_down(a, self.arithmetic("sub", const(0), b, (max(0, -b.hi), max(0, -b.lo))))
        return self.choice(self.compare("sge", b, const(0)), lambda: self.shift_up(a, Val(b.ref, b.wide, 0, max(0, b.hi))), down)

    def shift_up(self, a: Val, b: Val) -> Val:
        most = self.m.wide - 1
        k = self.guard(self.narrow(b), 0, most)
        lo, hi = (a.lo << k.hi if a.lo < 0 else 0), (a.hi << k.hi if a.hi >= 0 else 0)
        if fits(lo, hi) and not a.wide and k.hi < 64:
            return Val(self.b.op(f"shl i64 {a.ref}, {k.ref}"), False, lo, hi)
        x, by = self.widen(a), self.widen(k).ref
        r = self.b.op(f"shl {self.s.wide} {x.ref}, {by}")
        limit = 1 << most
        if not (-limit <= lo and hi < limit):
            back = self.b.op(f"ashr {self.s.wide} {r}, {by}")
            self.stop_unless(self.b.op(f"icmp eq {self.s.wide} {back}, {x.ref}"), ESCAPE)
        return self.settle(Val(r, True, max(lo, -limit), min(hi, limit - 1)))

    def shift_down(self, a: Val, k: Val) -> Val:
        width = self.m.wide if a.wide else 64
        by = self.settle(self.binary("min", k, const(width - 1), ir.NOWHERE))
        r = self.b.op(f"ashr {self.of(a)} {a.ref}, {self.widen(by).ref if a.wide else by.ref}")
        least = k.lo
        lo = min(a.lo >> least, a.lo >> k.hi) if a.lo < 0 else 0
        return self.settle(Val(r, a.wide, lo, max(a.hi >> least, -1 if a.hi < 0 else 0)))

    # ------------------------------------------------------------ folds
    def each(self, var: int, domain: Val, offset: int, do: Callable[[str, str], None]) -> None:
        """For each member of a set, ascending, with the local set: `do(go on, leave)`, which may jump to either."""
        b = self.b
        domain = self.mask(domain)
        of = self.of(domain)
        rest = b.variable(of)
        b.store(of, domain.ref, rest)
        head, inside, done = b.fresh("head"), b.fresh("in"), b.fresh("done")
        b.at(head)
        m = Val(b.load(of, rest), domain.wide, 0, domain.hi)
        b.branch(self.truth(m), inside, done)
        b.at(inside)
        less = self.wrapping("add", m, const(-1))
        b.store(of, b.op(f"and {of} {m.ref}, {less}"), rest)
        k = self.count_zeros(m)
        top = max(0, domain.hi.bit_length() - 1)
        self.put(var, Val(b.op(f"add i64 {k}, {offset}") if offset else k, False, offset, top + offset))
        do(head, done)
        b.jump(head)
        b.at(done)

    def fold(self, e: ir.Fold) -> Val:
        b = self.b
        domain = self.value(e.domain)
        n = max(0, domain.hi).bit_length()
        if e.kind in ("any", "all"):
            place = b.variable("i1")
            b.store("i1", "false" if e.kind == "any" else "true", place)

            def look(head: str, done: str) -> None:
                self.only_if(e.test, head)
                t = self.truth(self.value(e.body))
                found = b.fresh("found")
                b.branch(t, *((found, head) if e.kind == "any" else (head, found)))
                b.at(found)
                b.store("i1", "true" if e.kind == "any" else "false", place)
                b.jump(done)
            self.each(e.var, domain, e.offset, look)
            return self.bit(b.load("i1", place))
        return self.gathered(e, domain, n)

    def only_if(self, test: ir.Expr, otherwise: str) -> None:
        """Go on only if the test holds."""
        go = self.b.fresh("go")
        self.b.branch(self.truth(self.value(test)), go, otherwise)
        self.b.at(go)

    def gathered(self, e: ir.Fold, domain: Val, n: int) -> Val:
        """`sum`, `set`, `union`, `min`, `max`: every body is computed before anything is said of them."""
        b = self.b
        lo, hi = self.bounds_of(e.body)
        narrow = (fits(n * lo, n * hi) if e.kind == "sum" else fits(0, all_ones(1 << max(0, min(hi, 300)))) if e.kind == "set"
                  else fits(lo, all_ones(hi)))
        wide = "i64" if narrow else self.s.wide
        place, found, odd = b.variable(wide), b.variable("i1"), b.variable("i1")
        b.store(wide, "0", place)
        b.store("i1", "false", found)
        b.store("i1", "false", odd)
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
        ok, on = self.b.op(f"extractvalue {{{of}, i1}} {both}, 1"), self.b.fresh("on")
        self.b.branch(ok, on, self.fail)
        self.b.at(on)
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
        b, of = self.b, self.of(mask)
        rest = b.variable(of)
        b.store(of, mask.ref, rest)
        head, inside, done = b.fresh("head"), b.fresh("in"), b.fresh("done")
        b.at(head)
        m = Val(b.load(of, rest), mask.wide, 0, mask.hi)
        b.branch(self.truth(m) if mask.hi else "false", inside, done)
        b.at(inside)
        b.store(of, b.op(f"and {of} {m.ref}, {self.wrapping('add', m, const(-1))}"), rest)
        do(self.count_zeros(m))
        b.jump(head)
        b.at(done)

    def extreme_rank(self, there: Val) -> Val:
        """Of these cards, those of the highest rank."""
        b = self.b
        best, of = b.variable("i64"), self.of(there)
        out = b.variable(of)
        b.store("i64", "-1", best)
        b.store(of, "0", out)

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
        found, best, tie = b.variable("i64"), b.variable("i64"), b.variable("i1")
        b.store("i64", "-1", found)
        b.store("i64", "0", best)
        b.store("i1", "false", tie)

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


def bitwise(a: Val, b: Val) -> Bounds:
    """Bounds of any operation on bits."""
    bits = max(x.bit_length() for x in (a.lo, a.hi, b.lo, b.hi))
    return (0 if a.lo >= 0 and b.lo >= 0 else -(1 << bits)), (1 << bits) - 1
