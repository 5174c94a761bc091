"""Passes over a program: what is fixed in a scenario is worked out, situations are settled, readings are chosen where they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..ir import nodes as ir
from ..ir.build import TRUE, binary, both, negate
from ..ir.flow import (
    closure,
    functions_used,
    mask_of,
    members,
    nodes_of,
    returns_only,
    rewrite,
    spread,
    successors,
    union,
    walk,
)
from ..ir.footprints import OBJECTS, TOUCH, Footprints, Touched, touched
from ..ir.program import DUE, SETTLE, Function, Program
from ..ir.tidy import put_instead
from ..ir.types import Role
from .linking import Fixed, leave_out, worked_out


# ---------------------------------------------------------------- what is the same in every state
@dataclass
class Static:
    """Evaluates expressions that depend on nothing but one local and constant tables."""

    program: Program

    def code(self, function: str) -> Sequence[ir.Instr]:
        fn = self.program.functions.get(function)
        return () if fn is None else fn.code

    def value(self, e: ir.Expr, env: dict[int, int]) -> int | None:
        """The value, or None if it depends on the state or on other locals."""
        match e:
            case ir.Const(value=v):
                return v
            case ir.Local(index=x):
                return env.get(x)
            case ir.Table(table=t, index=index):
                k = self.value(index, env)
                return None if k is None or not 0 <= k < len(self.program.tables[t]) else self.program.tables[t][k]
            case ir.Binary(op=op, a=a, b=b):
                x, y = self.value(a, env), self.value(b, env)
                if x is None or y is None:
                    return None
                folded = binary(op, ir.Const(x), ir.Const(y))
                return folded.value if isinstance(folded, ir.Const) else None
            case ir.Unary(op="not", a=a):
                x = self.value(a, env)
                return None if x is None else int(not x)
            case ir.All(parts=parts):
                return self.gather(parts, env, 0)
            case ir.Any(parts=parts):
                return self.gather(parts, env, 1)
            case ir.If(test=test, a=a, b=b):
                c = self.value(test, env)
                return None if c is None else self.value(a if c else b, env)
            case ir.Present(a=a, none=none):
                x = self.value(a, env)
                return None if x == none else x
            case ir.Call(function=f, args=args):
                code = self.code(f)
                if not code or not isinstance(code[0], ir.Return) or code[0].value is None:
                    return None
                given = [self.value(a, env) for a in args]
                if any(g is None for g in given):
                    return None
                return self.value(code[0].value, {k: g for k, g in enumerate(given) if g is not None})
            case ir.Fold(kind="any" | "sum" | "set" | "union", domain=domain):
                mask = self.value(domain, env)
                return None if mask is None else self.fold(e, mask, env)
            case _:
                return None

    def fold(self, e: ir.Fold, mask: int, env: dict[int, int]) -> int | None:
        out = 0
        for k in members(mask):
            inner = {**env, e.var: k + e.offset}
            holds = self.value(e.test, inner)
            found = self.value(e.body, inner) if holds else 0
            if holds is None or found is None:
                return None
            match e.kind:
                case "any" if found:
                    return 1
                case "sum":
                    out += found
                case "set" if holds:
                    out |= 1 << found
                case "union":
                    out |= found
        return out

    def gather(self, parts: tuple[ir.Expr, ...], env: dict[int, int], decisive: int) -> int | None:
        out: int | None = 1 - decisive
        for p in parts:
            v = self.value(p, env)
            if v is not None and bool(v) == bool(decisive):
                return decisive
            if v is None:
                out = None
        return out


def hoist_static_tests(program: Program) -> None:
    """In `{c for c in zone if printed(c) … and state(c) …}` what is printed becomes a constant mask once."""
    static, fixed = Static(program), Fixed({}, {}, [frozenset(values) for values in program.tables])
    for fn in program.functions.values():
        code = with_masks(fn, static, fixed)
        if code is not fn.code:
            fn.code = [
                i if i is old else rewrite(i, lambda n: worked_out(n, fixed))
                for i, old in zip(code, fn.code, strict=True)
            ]
            leave_out(fn)


def with_masks(fn: Function, static: Static, fixed: Fixed) -> Sequence[ir.Instr]:
    """The code of a function, in which what is printed is a mask; the very same if nothing is."""

    def narrow(var: int, domain: ir.Expr, test: ir.Expr, offset: int, span: int) -> tuple[ir.Expr, ir.Expr]:
        if span == 0:
            return domain, test
        parts = test.parts if isinstance(test, ir.All) else (test,)
        left: list[ir.Expr] = []
        for p in parts:
            mask = 0
            for k in range(span):
                v = static.value(p, {var: k + offset})
                if v is None:
                    left.append(p)
                    break
                mask |= (1 << k) if v else 0
            else:
                domain = binary("meet", domain, ir.Const(mask), p.at)
        return domain, both(left)

    def change(n: ir.Node) -> ir.Node:
        if isinstance(n, ir.Fold) and n.kind == "any" and n.body != TRUE:
            n = replace(n, test=both((n.test, n.body)), body=TRUE)
        match n:
            case ir.Fold(var=var, domain=domain, test=test, offset=offset):
                d, rest = (domain, test) if test == TRUE else narrow(var, domain, test, offset, span_of(fn, var))
                return worked_out(n if d is domain else replace(n, domain=d, test=rest), fixed)
            case ir.Offer(binders=(b,), test=test, values=values) if test != TRUE:
                d, rest = narrow(b.var, b.domain, test, b.offset, span_of(fn, b.var))
                return replace(n, binders=(replace(b, domain=d),), test=rest, values=values)
            case ir.Call(function=name, args=()) if not any(i.at.clauses for i in static.code(name)):
                v = static.value(n, {})
                return n if v is None else ir.Const(v)
            case _:
                return n

    code = tuple(rewrite(i, change) if any(may_hoist(n) for n in walk(i)) else i for i in fn.code)
    return fn.code if all(a is b for a, b in zip(code, fn.code, strict=True)) else code


def may_hoist(n: ir.Node) -> bool:
    """May something printed be tested here for many cards at once, or for nothing in particular?"""
    return isinstance(n, ir.Fold | ir.Offer) or (isinstance(n, ir.Call) and not n.args)


def span_of(fn: Function, var: int) -> int:
    """How many values a bound local can take (0 if that is too many to go through)."""
    of = fn.locals[var].type
    n = of.hi - of.lo + 1
    return n if n <= 512 else 0


# ---------------------------------------------------------------- inserting instructions
def insert_settling(program: Program, steps: Sequence[str], guards: Sequence[str], prints: Footprints) -> None:
    """After each effect in a procedure that writes what a situation reads, the situation is looked at. The situations
    that bring memory up to date come first, in the order in which they are written; what they write counts too. At the
    end of a situation that is carried out, nobody needs to look: `settle`, which called it, does so next. `prints`: what may be written and
    read whatever the answers to readings are, so that play looks at the same places under all of them."""
    steps, guards = (
        [x for x in some if done_by(program, [ir.Call(x, ())]).read] for some in (steps, guards)
    )  # what reads nothing never comes to hold
    if not steps and not guards:
        return
    asked = union(prints.all_read[g] for g in guards)
    carried_out = {g.removeprefix("when ") for g in guards}
    looked_at = asked | union(prints.all_read[s] for s in steps)
    for fn in list(program.functions.values()):
        if fn.kind != "procedure" or fn.name == SETTLE or not looked_at & prints.all_written[fn.name]:
            continue
        instead = [[i] for i in fn.code]
        waits, pending = in_batches(fn), 0
        for k, i in enumerate(fn.code):
            if isinstance(i, ir.Invoke | ir.Choose | ir.ChooseSome | ir.Consult):
                continue
            writes = prints.written_by(touched(walk(i)))
            if k in waits:
                pending |= writes
                continue
            if isinstance(i, ir.BatchEnd):
                writes, pending = pending, 0
            if not writes & looked_at:
                continue
            for s in steps:
                if writes & prints.all_read[s]:
                    instead[k].append(ir.Do(s, (), at=i.at))
                    writes |= prints.all_written[s]
            if writes & asked and not (fn.name in carried_out and returns_only(fn, k + 1, None)):
                instead[k] += [ir.Branch(ir.Call(DUE, (), at=i.at), k + 1, at=i.at), ir.Invoke(SETTLE, (), at=i.at)]
        put_instead(fn, instead)


# ---------------------------------------------------------------- loops over entries
def shifting_loops(program: Program) -> Iterator[tuple[ir.Mark, str]]:
    """Instructions in loops over the entries of a multiset (or pool) that change which entries there are, with the
    name of the container: the loop would go on with other entries. In a batch such changes wait, and do no harm."""
    layout = program.layout
    renewed = {
        c.name
        for c in layout.containers.values()
        if not c.is_pool and any(layout.slots[x].type.role is Role.OBJECT for x in c.columns)
    }
    """The multisets that hold objects: their entries are others when a card is renewed."""
    for fn in program.functions.values():
        for k, variable, name in loops_over_entries(fn, program):
            waits = in_batches(fn)
            for at in loop_body(fn, k):
                i = fn.code[at]
                if at in waits or (isinstance(i, ir.Free) and i.place == ir.Local(variable)):
                    continue
                done = done_by(program, walk(i))
                if name in done.written or (OBJECTS in done.written and name in renewed):
                    yield i.at, name


def done_by(program: Program, nodes: Sequence[ir.Node]) -> Touched:
    """What code touches, by itself or by what it calls."""
    called = functions_used(program, touched(nodes).called)
    return touched([*nodes, *(n for f in called for n in nodes_of(program.functions[f], *TOUCH))])


def loops_over_entries(fn: Function, program: Program) -> Iterator[tuple[int, int, str]]:
    """Where a function goes through the entries of a container, with which local, and the name of the container."""
    heads = {c.head: c.name for c in program.layout.containers.values()}
    over: dict[int, str] = {}
    for k, i in enumerate(fn.code):
        match i:
            case ir.Assign(
                local=x, value=ir.Unary(op="below", a=ir.Load(base=b, index=None)) | ir.Load(base=b, index=None)
            ) if b in heads:
                over[x] = heads[b]
            case ir.Next(rest=x, var=variable) if x in over:
                yield k, variable, over[x]


def loop_body(fn: Function, head: int) -> list[int]:
    """Places from which control comes back to the `Next` at `head`, begun behind it."""
    def after(k: int) -> tuple[int, ...]:
        return (k + 1,) if k == head else successors(fn.code[k], k)
    return [k for k in sorted(closure([head], after)) if k != head and head in closure([k], after)]


def in_batches(fn: Function) -> set[int]:
    """Places inside `simultaneously`."""
    out: set[int] = set()
    inside = False
    for k, i in enumerate(fn.code):
        inside = (inside or isinstance(i, ir.BatchBegin)) and not isinstance(i, ir.BatchEnd)
        if inside:
            out.add(k)
    return out


def set_aside(program: Program) -> None:
    """What is stated to go down has no meaning in play: it is kept apart, and reads nothing that play would keep for it."""
    of = {c.function for c in program.decreases}
    if of:
        program.aside = {name: program.functions[name] for name in functions_used(program, of)}
        used = functions_used(program, program.functions.keys() - of)
        program.functions = {k: f for k, f in program.functions.items() if k in used}


def remove_unreachable(program: Program) -> None:
    """Drop functions that nothing reachable from the entry, a verdict, a norm, a contract, an invariant or a situation uses, nor what
    says which positions are ordinary."""
    asked = [x.function for x in (*program.verdicts, *program.norms, *program.contracts)]
    keep = functions_used(
        program, [program.entry, *program.invariants, *asked, program.known_as.get("ordinary position", "")]
    )
    program.functions = {k: f for k, f in program.functions.items() if k in keep}


def insert_consults(program: Program) -> None:
    """Before an instruction of a procedure that may ask for a reading that is branched over, it is chosen."""
    slots = {s: r for r, s in program.reading_slots.items()}
    if not slots:
        return
    asks = spread(
        {f.name: mask_of(n.base for n in nodes_of(f, ir.Load) if n.base in slots) for f in program.functions.values()},
        {f.name: [n.function for n in nodes_of(f, ir.Call, ir.Do)] for f in program.functions.values()})
    """By functions, the slots of readings (as bits) that they may ask for, or what they call without being interrupted."""

    def of_instr(i: ir.Node) -> list[int]:
        out: list[int] = []
        for n in walk(i):
            match n:
                case ir.Load(base=b) if b in slots:
                    out.append(b)
                case ir.Call(function=f) | ir.Do(function=f):
                    out += members(asks[f])
        return list(dict.fromkeys(out))

    open_up_steps(program, lambda name: bool(asks[name]))
    for fn in program.functions.values():
        if fn.kind != "procedure":
            continue
        split_tests(fn, lambda e: bool(of_instr(e)))
        before: list[list[ir.Instr]] = [[] for _ in fn.code]
        begin: int | None = None
        for k, i in enumerate(fn.code):
            if isinstance(i, ir.BatchBegin):
                begin = k
            place = before[k if begin is None else begin]
            new = [ir.Consult(slots[s], s, at=i.at) for s in of_instr(i)]
            place += [c for c in new if c not in place]
            if isinstance(i, ir.BatchEnd):
                begin = None
        put_instead(fn, [[*some, i] for some, i in zip(before, fn.code, strict=True)])


def open_up_steps(program: Program, asks: Callable[[str], bool]) -> None:
    """A step that may ask for a reading is carried out as if it were a procedure where a procedure calls it, so that the
    reading is chosen when it is asked for, and not if it is not. What happens at once, and events, stay as they are."""
    todo = [fn for fn in program.functions.values() if fn.kind == "procedure"]
    while todo:
        fn = todo.pop()
        waits, code = in_batches(fn), list(fn.code)
        for k, i in enumerate(fn.code):
            if not isinstance(i, ir.Do) or i.event or k in waits or not asks(i.function):
                continue
            name = f"{i.function}[asking]"
            if name not in program.functions:
                step = program.functions[i.function]
                new = replace(step, name=name, kind="procedure")
                program.functions[name] = new
                todo.append(new)
            code[k] = ir.Invoke(name, i.args, i.local, at=i.at)
        fn.code = tuple(code)


def split_tests(fn: Function, asks: Callable[[ir.Expr], bool]) -> None:
    """`a and b`, `a or b` become two tests where b asks for a reading, so that it is chosen only if b is looked at."""
    again = True
    while again:
        instead: list[list[ir.Instr]] = []
        for k, i in enumerate(fn.code):
            match i:
                case ir.Branch(test=ir.All(parts=parts), otherwise=to) if any(map(asks, parts[1:])):
                    instead.append([ir.Branch(p, to, at=i.at) for p in parts])
                case ir.Branch(test=ir.Any(parts=parts)) if any(map(asks, parts[1:])):
                    first = (ir.Branch(negate(p), k + 1, at=i.at) for p in parts[:-1])
                    instead.append([*first, replace(i, test=parts[-1])])
                case _:
                    instead.append([i])
        again = len(instead) < sum(map(len, instead))
        put_instead(fn, instead)
