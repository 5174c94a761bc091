"""Numbers in LLVM code: operands with their bounds, operators, and stopping where they are not what they must be.

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
from ...model.ir.ranges import all_ones, bits_beside_sign, hull
from ...model.ir.ranges import binary as binary_range
from .ends import ESCAPE, Ends
from .memory import END, END_VALUE, END_WHO, Memory, fits
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
        self, memory: Memory, policies: Policies, card_ids: Sequence[str],
    ) -> None:
        self.memory = memory
        self.program = memory.program
        self.layout = memory.program.layout
        self.module = Module()
        self.ends = Ends()
        self.policies, self.card_ids = policies, card_ids
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
            b.finish("void")


class Numbers:
    """Writes code that computes into the body of one function. `fail`: the block for play that has stopped."""

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
            v = self.guard(v, -(1 << 63), (1 << 63) - 1)
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
        on = self.b.fresh("on")
        self.b.leave_if(test, on)
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
                less = self.one_less(x)
                one = b.op(f"icmp eq {self.of(x)} {b.op(f'and {self.of(x)} {x.ref}, {less}')}, 0")
                both = b.op(f"and i1 {one}, {self.truth(x)}")
                return self.choice(
                    both, lambda: Val(self.count_zeros(x), False, 0, max(0, x.hi.bit_length() - 1)), lambda: const(-1)
                )
            case "single":
                self.fault(self.between(a, 0, a.hi), "a set was given a member that is none", at)
                return self.power(Val(a.ref, a.wide, max(0, a.lo), max(0, a.hi)))
            case "below":
                def some() -> Val:
                    p = self.power(Val(a.ref, a.wide, max(0, a.lo), max(0, a.hi)))
                    return Val(self.one_less(p), p.wide, 0, p.hi)
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

    def one_less(self, v: Val) -> Ref:
        """Without looking at bounds."""
        return self.b.op(f"add {self.of(v)} {v.ref}, -1")

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
        bounds = binary_range(op, (a.lo, a.hi), (b.lo, b.hi))
        x, y = self.narrow(a), self.narrow(b)
        x = self.guard(x, -(1 << 62), 1 << 62)
        q, r = out.op(f"sdiv i64 {x.ref}, {y.ref}"), out.op(f"srem i64 {x.ref}, {y.ref}")
        apart = out.op(f"icmp slt i64 {out.op(f'xor i64 {r}, {y.ref}')}, 0")
        down = out.op(f"and i1 {apart}, {out.op(f'icmp ne i64 {r}, 0')}")
        if op == "div":
            return self.held(Val(out.op(f"sub i64 {q}, {out.op(f'zext i1 {down} to i64')}"), False, *bounds))
        add = out.op(f"select i1 {down}, i64 {y.ref}, i64 0")
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

        return self.choice(
            self.compare("sge", b, const(0)), lambda: self.shift_up(a, Val(b.ref, b.wide, 0, max(0, b.hi))), down
        )

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


def bitwise(a: Val, b: Val) -> Bounds:
    """Bounds of any operation on bits."""
    bits = max(bits_beside_sign(x) for x in (a.lo, a.hi, b.lo, b.hi))
    return (0 if a.lo >= 0 and b.lo >= 0 else -(1 << bits)), (1 << bits) - 1
