"""What an expression of a rule gives in a state of which only something is known: an arm for each node of `ir/nodes.py`.

What is not followed (sums over cards, the order of piles, who is the least of several) is an unknown, and so is whatever would be a
fault: play ends there, and more than can happen does no harm here.
"""
from __future__ import annotations

from collections.abc import Sequence

import z3

from ...model.ir import nodes as ir
from ...model.ir.program import Function
from ...model.ir.types import Bool, SetType, Type, domain
from .states import Space, Sym
from .terms import (
    DOMAINS,
    Budget,
    Num,
    SetOf,
    Truth,
    Value,
    add,
    at_most,
    both,
    bounds,
    choose,
    either,
    equal,
    every,
    implies,
    less,
    mask,
    no,
    num,
    set_of,
    some,
    subtract,
    term,
    times,
    truth,
    union,
)

SPREAD = 6
"""Members of a set that is known up to which a fold is worked out one by one."""
DEEP = 30
STEP = 50_000
"""What an instruction or a call of a define costs, in units of z3: about as much of its time."""


class Expressions(Space):
    """Works expressions out. Locals are a list of values, which may be changed meanwhile for the variables of folds."""

    depth = 0
    budget: Budget

    def value(self, e: ir.Expr, s: Sym, f: list[Value]) -> Value:
        match e:
            case ir.Const(value=v):
                return v
            case ir.Local(index=x):
                return f[x]
            case ir.Load():
                return self.load(e, s.frozen or s, f)
            case ir.Table(table=t, index=index):
                return self.table(t, num(self.value(index, s, f)))
            case ir.Unary(op="size" | "lowest" | "only" as op, a=a):
                return self.unary(op, self.set(a, s, f))
            case ir.Unary(op=op, a=a):
                return self.unary(op, self.value(a, s, f))
            case ir.Binary(op="union" | "meet" | "without" | "differ" as op, a=a, b=b):
                return self.binary(op, self.set(a, s, f), self.set(b, s, f))
            case ir.Binary(op="member", a=a, b=b):
                return self.set(b, s, f).member(num(self.value(a, s, f)))
            case ir.Binary(op="shift", a=a, b=b):
                return self.binary("shift", self.set(a, s, f), self.value(b, s, f))
            case ir.Binary(op=op, a=a, b=b):
                return self.binary(op, self.value(a, s, f), self.value(b, s, f))
            case ir.All(parts=parts):
                return self.gathered(parts, s, f, False)
            case ir.Any(parts=parts):
                return self.gathered(parts, s, f, True)
            case ir.If(test=test, a=a, b=b):
                when = truth(self.value(test, s, f))
                if isinstance(when, bool):
                    return self.value(a if when else b, s, f)
                return choose(when, self.value(a, s, f), self.value(b, s, f))
            case ir.Present(a=a) | ir.Within(a=a):
                return self.value(a, s, f)
            case ir.Fold():
                return self.fold(e, s, f)
            case ir.Call(function=name, args=args):
                return self.call(name, self.given(name, args, s, f), s)
            case ir.ZoneCards(zone=zone):
                return self.in_zone(s.frozen or s, num(self.value(zone, s, f)))
            case ir.PileTop(zone=zone):
                there = self.in_zone(s.frozen or s, num(self.value(zone, s, f)))
                return self.new.set("top", self.cards, there, there.empty)
            case ir.PileFind(zone=zone, var=var, test=test):
                there = self.in_zone(s.frozen or s, num(self.value(zone, s, f)))
                v = self.new.number("found", -1, self.cards - 1)
                before, f[var] = f[var], v
                self.new.fact(either(equal(v, -1), both(there.member(v), truth(self.value(test, s, f)))))
                f[var] = before
                return v
            case _:
                raise AssertionError(e)

    def set(self, e: ir.Expr, s: Sym, f: list[Value]) -> SetOf:
        """The value of an expression that gives a set."""
        match e:
            case ir.Table(table=t, index=index):
                return self.table_of_sets(t, num(self.value(index, s, f)))
            case ir.If(test=test, a=a, b=b):
                when = truth(self.value(test, s, f))
                if isinstance(when, bool):
                    return self.set(a if when else b, s, f)
                return set_of(choose(when, self.set(a, s, f), self.set(b, s, f)))
            case ir.Present(a=a) | ir.Within(a=a):
                return self.set(a, s, f)
            case _:
                v = self.value(e, s, f)
                return set_of(v) if isinstance(v, int | SetOf) else self.new.set("set", 64)

    def of_type(self, e: ir.Expr, of: Type, s: Sym, f: list[Value]) -> Value:
        """The value of an expression that is put where this type is expected."""
        return self.set(e, s, f) if isinstance(of, SetType) else self.value(e, s, f)

    def given(self, name: str, args: Sequence[ir.Expr], s: Sym, f: list[Value]) -> list[Value]:
        """The arguments of a call."""
        return [self.of_type(a, x.type, s, f) for a, x in zip(args, self.program.functions[name].locals, strict=False)]

    def gathered(self, parts: tuple[ir.Expr, ...], s: Sym, f: list[Value], any_: bool) -> Truth:
        out: list[Truth] = []
        for p in parts:
            t = truth(self.value(p, s, f))
            if isinstance(t, bool) and t == any_:
                return any_
            out.append(t)
        return some(out) if any_ else every(out)

    # ------------------------------------------------------------ state
    def load(self, e: ir.Load, s: Sym, f: list[Value]) -> Value:
        index: Num = 0 if e.index is None else num(self.value(e.index, s, f))
        if e.base in self.head_of and e.count == 1:
            m = self.head_of[e.base]
            if not m.is_pool:
                return s.entries[m.name].size
            return self.new.set(f"places of {m.name}", m.capacity, None, equal(s.entries[m.name].size, 0))
        found = self.column_of.get(e.base)
        if found is not None and not found[0].is_pool:
            return self.column(s, found[0], found[1], add(index, e.base - found[0].columns[found[1]]))
        block = self.block_of.get(e.base)
        if block is not None:
            of = self.layout.slots[block].type
            if isinstance(of, SetType):
                return self.unknown(of, "said")
            v = self.of_card(s, block, add(index, e.base - block))
            return v != 0 if isinstance(of, Bool) else v  # pyright: ignore[reportReturnType]
        if isinstance(index, int):
            return s.slots[e.base + index] if 0 <= index < e.count else self.unknown(self.layout.slots[e.base].type, "outside")
        lo, hi = bounds(index)
        first, last = max(0, lo or 0), min(e.count - 1, e.count - 1 if hi is None else hi)
        out = s.slots[e.base + last]
        for k in range(last - 1, first - 1, -1):
            out = choose(equal(index, k), s.slots[e.base + k], out)
        return out

    def table(self, t: int, k: Num) -> Value:
        row = self.program.tables[t]
        if isinstance(k, int):
            return row[k] if 0 <= k < len(row) else 0
        if len(set(row)) == 1:
            return row[0]
        name = f"table{t}"
        lo, hi = min(row), max(row)
        DOMAINS[name] = lo, hi
        v: z3.ArithRef = z3.Function(name, z3.IntSort(), z3.IntSort())(term(k))  # pyright: ignore[reportAssignmentType]
        self.new.within(v, lo, hi)
        return v

    def table_of_sets(self, t: int, k: Num) -> SetOf:
        """An entry of a table of sets."""
        row = self.program.tables[t]
        if isinstance(k, int) or len(set(row)) == 1:
            return mask(row[k] if isinstance(k, int) and 0 <= k < len(row) else row[0] if row and not isinstance(k, int) else 0)
        name = f"set table{t}"
        g = z3.Function(name, z3.IntSort(), z3.IntSort(), z3.BoolSort())
        none: z3.BoolRef = z3.Function(f"{name} empty", z3.IntSort(), z3.BoolSort())(term(k))  # pyright: ignore[reportAssignmentType]

        def member(x: Num) -> Truth:
            there: z3.BoolRef = g(term(k), term(x))  # pyright: ignore[reportAssignmentType]
            self.new.fact(implies(there, no(none)))
            return there
        return SetOf(member, none)

    # ------------------------------------------------------------ operators
    def unary(self, op: ir.UnaryOp, a: Value) -> Value:
        match op:
            case "not":
                return no(truth(a))
            case "neg":
                return subtract(0, a)
            case "abs":
                v = num(a)
                return choose(at_most(0, v), v, subtract(0, v))
            case "size":
                x = set_of(a)
                return x.the_size if x.has_size else self.sized(x)
            case "lowest":
                x = set_of(a)
                if x.known:
                    return (x.known & -x.known).bit_length() - 1
                v = self.new.number("lowest", 0)
                self.new.fact(implies(no(x.empty), x.member(v)))
                return v
            case "only":
                x = set_of(a)
                if x.known is not None:
                    return x.known.bit_length() - 1 if x.known.bit_count() == 1 else -1
                v = self.new.number("only", -1)
                self.new.fact(either(equal(v, -1), x.member(v)))
                return v
            case "single":
                v = num(a)
                if isinstance(v, int):
                    return mask(1 << max(0, v))
                return SetOf(lambda t: equal(t, v), False, 1, only=v)
            case "below":
                v = num(a)
                if isinstance(v, int):
                    return mask((1 << max(0, v)) - 1)
                return SetOf(lambda t: both(at_most(0, t), less(t, v)), at_most(v, 0), choose(at_most(v, 0), 0, v))  # pyright: ignore[reportArgumentType]

    def binary(self, op: ir.BinaryOp, a: Value, b: Value) -> Value:
        match op:
            case "add":
                return add(a, b)
            case "sub":
                return subtract(a, b)
            case "mul":
                x, y = num(a), num(b)
                return times(x, y) if isinstance(x, int) or isinstance(y, int) else self.new.number("product")
            case "div" | "mod":
                x, y = num(a), num(b)
                if isinstance(x, int) and isinstance(y, int) and y:
                    return x // y if op == "div" else x % y
                if isinstance(y, int) and y > 0 and not isinstance(x, int):
                    return x / y if op == "div" else x % y  # pyright: ignore[reportReturnType]
                return self.new.number(op)
            case "eq" | "ne":
                same = self.same(a, b)
                return same if op == "eq" else no(same)
            case "lt":
                return less(a, b)
            case "le":
                return at_most(a, b)
            case "gt":
                return less(b, a)
            case "ge":
                return at_most(b, a)
            case "min":
                return choose(at_most(a, b), a, b)
            case "max":
                return choose(at_most(a, b), b, a)
            case "union":
                return self.joined(set_of(a), set_of(b))
            case "member":
                return set_of(b).member(num(a))
            case "meet" | "without" | "differ":
                return self.cut(op, set_of(a), set_of(b))
            case "shift":
                x, by = set_of(a), num(b)
                if x.known is not None and isinstance(by, int):
                    return mask(x.known << by if by >= 0 else x.known >> -by)
                return SetOf(lambda t: x.member(subtract(t, by)), x.empty if bounds(by)[0] == 0 else self.new.truth("shifted"))

    def joined(self, a: SetOf, b: SetOf) -> SetOf:
        """What is in either. Of one member more it is known whether it was there."""
        out = union(a, b)
        if out.known is None and b.only is not None:
            one = b.only
            out.sized = lambda: add(a.the_size if a.has_size else self.sized(a), num(choose(a.member(one), 0, 1)))
        return out

    def sized(self, x: SetOf) -> Num:
        """The size of a set of which it is not known, the same from now on."""
        x.size = self.new.size(x.empty)
        return x.size

    def same(self, a: Value, b: Value) -> Truth:
        if not isinstance(a, SetOf) and not isinstance(b, SetOf):
            return equal(a, b)
        x, y = set_of(a), set_of(b)
        if x.known is not None and y.known is not None:
            return x.known == y.known
        if y.known == 0:
            return x.empty
        if x.known == 0:
            return y.empty
        out = self.new.truth("same set")
        self.new.fact(implies(out, equal_truth(x.empty, y.empty)))
        return out

    def cut(self, op: str, a: SetOf, b: SetOf) -> SetOf:
        if a.known is not None and b.known is not None:
            return mask({"meet": a.known & b.known, "without": a.known & ~b.known, "differ": a.known ^ b.known}[op])
        if op == "without" and b.known == 0:
            return a
        none = self.new.truth("none left")
        if op == "meet":
            self.new.fact(implies(either(a.empty, b.empty), none))
        elif op == "without":
            self.new.fact(implies(a.empty, none))
            self.new.fact(implies(both(b.empty, none), a.empty))

        def member(t: Num) -> Truth:
            x, y = a.member(t), b.member(t)
            there = both(x, y) if op == "meet" else both(x, no(y)) if op == "without" else either(both(x, no(y)), both(y, no(x)))
            self.new.fact(implies(there, no(none)))
            return there

        def size() -> Num:
            mine = a.the_size if a.has_size else self.sized(a)
            if op == "without" and b.only is not None:
                left = subtract(mine, num(choose(a.member(b.only), 1, 0)))
                self.new.fact(both(implies(none, equal(left, 0)), implies(no(none), less(0, left))))
                return left
            return self.new.size(none, None, None if op == "differ" else a)
        return SetOf(member, none, sized=size)

    # ------------------------------------------------------------ folds
    def fold(self, e: ir.Fold, s: Sym, f: list[Value]) -> Value:
        over = self.set(e.domain, s, f)
        if over.known is not None and over.known.bit_count() <= SPREAD:
            return self.one_by_one(e, over.known, s, f)
        before = f[e.var]
        try:
            if e.kind in ("any", "all"):
                out = self.new.truth(e.kind)
                found = self.witness(e, over, s, f)
                body = truth(self.value(e.body, s, f))
                self.new.fact(implies(out if e.kind == "any" else no(out), both(found, body if e.kind == "any" else no(body))))
                return out
            if e.kind in ("set", "union"):
                return self.gather(e, over, s, list(f))
            if e.kind == "sum":
                lo, hi = self.of_body(e)
                return self.new.number("sum", None if lo is None or lo < 0 else 0, None if hi is None or hi > 0 else 0)
            out = self.new.number(e.kind)
            found = self.witness(e, over, s, f)
            own = both(found, equal(out, self.value(e.body, s, f)))
            f[e.var] = before
            none = True if e.default is None else equal(out, self.value(e.default, s, f))
            self.new.fact(either(own, none if e.default is not None else True))
            return out
        finally:
            f[e.var] = before

    def of_body(self, e: ir.Fold) -> tuple[int | None, int | None]:
        match e.body:
            case ir.Const(value=v):
                return v, v
            case ir.Table(table=t):
                return min(self.program.tables[t], default=0), max(self.program.tables[t], default=0)
            case ir.Load(base=b):
                return domain(self.layout.slots[b].type)
            case _:
                return None, None

    def witness(self, e: ir.Fold, over: SetOf, s: Sym, f: list[Value]) -> Truth:
        """Some member for which the test holds: it is in the variable of the fold."""
        k = self.new.number("one", 0)
        f[e.var] = add(k, e.offset)
        return both(over.member(k), truth(self.value(e.test, s, f)))

    def gather(self, e: ir.Fold, over: SetOf, s: Sym, f: list[Value]) -> SetOf:
        none = self.new.truth("nothing")
        self.new.fact(implies(over.empty, none))
        own = e.kind == "set" and isinstance(e.body, ir.Local) and e.body.index == e.var

        def member(t: Num) -> Truth:
            g = list(f)
            if own:
                g[e.var] = t
                there = both(over.member(subtract(t, e.offset)), truth(self.value(e.test, s, g)))
            else:
                out = self.new.truth("in it")
                found = self.witness(e, over, s, g)
                inside = self.set(e.body, s, g).member(t) if e.kind == "union" else equal(self.value(e.body, s, g), t)
                self.new.fact(implies(out, both(found, inside)))
                there = out
            self.new.fact(implies(there, no(none)))
            return there
        return SetOf(member, none)

    def one_by_one(self, e: ir.Fold, members: int, s: Sym, f: list[Value]) -> Value:
        before = f[e.var]
        found: list[tuple[Truth, Value]] = []
        for k in range(members.bit_length()):
            if members >> k & 1:
                f[e.var] = k + e.offset
                there = truth(self.value(e.test, s, f))
                if there is not False:
                    found.append((there, self.set(e.body, s, f) if e.kind == "union" else self.value(e.body, s, f)))
        f[e.var] = before
        match e.kind:
            case "any":
                return some([both(t, truth(v)) for t, v in found])
            case "all":
                return every([implies(t, truth(v)) for t, v in found])
            case "sum":
                out: Value = 0
                for t, v in found:
                    out = add(out, choose(t, num(v), 0))
                return out
            case "set" | "union":
                gathered = mask(0)
                for t, v in found:
                    one = set_of(self.unary("single", v)) if e.kind == "set" else set_of(v)
                    gathered = union(gathered, set_of(choose(t, one, mask(0))))
                return gathered
            case "min" | "max":
                best: Value = self.new.number(e.kind) if e.default is None else self.value(e.default, s, f)
                some_: Truth = False
                for t, v in found:
                    better = at_most(v, best) if e.kind == "min" else at_most(best, v)
                    best = choose(both(t, either(no(some_), better)), v, best)
                    some_ = either(some_, t)
                return best

    # ------------------------------------------------------------ defines
    def call(self, name: str, args: list[Value], s: Sym) -> Value:
        fn = self.program.functions[name]
        if self.depth > DEEP:
            return self.unknown(fn.result, name)
        self.budget.spend(STEP)
        self.depth += 1
        try:
            return self.result(fn, args, s)
        finally:
            self.depth -= 1

    def result(self, fn: Function, args: list[Value], s: Sym) -> Value:
        """The value of a define: every way through its code, from its end."""
        f: list[Value] = [*args, *(0 for _ in fn.locals[len(args):])]
        out = self.from_(fn, 0, f, s, [40])
        return self.unknown(fn.result, fn.name) if out is None else out

    def from_(self, fn: Function, pc: int, f: list[Value], s: Sym, left: list[int]) -> Value | None:
        """What the code gives from a place on; None where that is too much."""
        while True:
            i = fn.code[pc]
            match i:
                case ir.Return(value=v):
                    return 0 if v is None else self.of_type(v, fn.result, s, f)
                case ir.Assign(local=x, value=v):
                    f[x] = self.of_type(v, fn.locals[x].type, s, f)
                    pc += 1
                case ir.Jump(target=to):
                    if to <= pc:
                        return None
                    pc = to
                case ir.Branch(test=test, otherwise=to):
                    when = truth(self.value(test, s, f))
                    if isinstance(when, bool):
                        pc = pc + 1 if when else to
                        continue
                    left[0] -= 1
                    if left[0] < 0 or to <= pc:
                        return None
                    a = self.from_(fn, pc + 1, list(f), s, left)
                    b = self.from_(fn, to, f, s, left)
                    return None if a is None or b is None else choose(when, a, b)
                case ir.Next(rest=rest, var=var, offset=offset, done=done):
                    members = f[rest]
                    if not isinstance(members, int) and not (isinstance(members, SetOf) and members.known is not None):
                        return None
                    known = members if isinstance(members, int) else members.known
                    assert known is not None
                    if known.bit_count() > SPREAD:
                        return None
                    if known:
                        f[rest], f[var], pc = known & known - 1, (known & -known).bit_length() - 1 + offset, pc + 1
                    else:
                        pc = done
                case _:
                    return None


def equal_truth(a: Truth, b: Truth) -> Truth:
    return either(both(a, b), both(no(a), no(b)))


__all__ = ["STEP", "Expressions", "equal_truth"]
