"""The printed form of a program: stable, one line an instruction, made to be compared."""
from __future__ import annotations

from . import nodes as ir
from .program import Function, Program

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%", "eq": "==", "ne": "!=", "lt": "<", "le": "<=",
         "gt": ">", "ge": ">=", "union": "|", "meet": "&", "without": "\\", "differ": "^", "member": "in", "shift": "<<"}
STORES = {"set": ":=", "add": "+=", "union": "|=", "without": "\\="}


def print_program(program: Program) -> str:
    """All functions, by name, with slots and locals by name."""
    parts = [f"program {program.book} from {program.entry}"]
    parts += ["  ".join(("slots", *(s.name for s in program.layout.slots)))]
    parts += [print_function(program, f) for _, f in sorted(program.functions.items())]
    return "\n\n".join(parts) + "\n"


def print_function(program: Program, fn: Function) -> str:
    """One function."""
    params = ", ".join(f"{x.name}: {x.type}" for x in fn.locals[: fn.arity])
    lines = [f"{fn.kind} {fn.name}({params}) -> {fn.result}" + (f" scope {fn.scope}" if fn.scope else "")]
    p = Printer(program, fn)
    for k, i in enumerate(fn.code):
        clause = "  #: " + " ".join(i.at.clauses) if i.at.clauses else ""
        lines.append(f"  {k:3} {p.instr(i)}{clause}")
    for h in fn.handlers:
        lines.append(f"      {h.first}..{h.last - 1} on {h.signal} -> {h.target}")
    return "\n".join(lines)


class Printer:
    """Names slots and locals while printing."""

    def __init__(self, program: Program, fn: Function) -> None:
        self.program, self.fn = program, fn

    def local(self, x: int) -> str:
        return f"{self.fn.locals[x].name}.{x}"

    def expr(self, e: ir.Expr) -> str:
        x = self.expr
        match e:
            case ir.Const(value=v):
                return str(v) if v < 1 << 20 else hex(v)
            case ir.Local(index=k):
                return self.local(k)
            case ir.Load(base=b, index=None):
                return f"@{self.program.layout.slots[b].name}"
            case ir.Load(base=b, index=index, count=n):
                assert index is not None
                return f"@{self.program.layout.slots[b].name}+[{x(index)} of {n}]"
            case ir.Table(table=t, index=index):
                return f"table{t}[{x(index)}]"
            case ir.Unary(op=op, a=a):
                return f"{op}({x(a)})"
            case ir.Binary(op="min" | "max" as op, a=a, b=b):
                return f"{op}({x(a)}, {x(b)})"
            case ir.Binary(op=op, a=a, b=b):
                return f"({x(a)} {SIGNS[op]} {x(b)})"
            case ir.All(parts=parts):
                return "(" + " and ".join(map(x, parts)) + ")"
            case ir.Any(parts=parts):
                return "(" + " or ".join(map(x, parts)) + ")"
            case ir.If(test=test, a=a, b=b):
                return f"({x(test)} ? {x(a)} : {x(b)})"
            case ir.Present(a=a, none=none):
                return f"present({x(a)}, not {none})"
            case ir.Within(a=a, lo=lo, hi=hi):
                return f"within({x(a)}, {lo}..{hi})"
            case ir.Fold(kind=kind, var=var, domain=domain, test=test, body=body, offset=offset, default=default):
                off = f"+{offset}" if offset else ""
                end = "" if default is None else f" else {x(default)}"
                return f"{kind}({x(body)} for {self.local(var)} in {x(domain)}{off} if {x(test)}{end})"
            case ir.Call(function=f, args=args):
                return f"{f}({', '.join(map(x, args))})"
            case ir.ZoneCards(zone=zone):
                return f"cards({x(zone)})"
            case ir.PileTop(zone=zone):
                return f"top({x(zone)})"
            case ir.PileFind(zone=zone, var=var, test=test, top=top):
                return f"{'last' if top else 'first'}({self.local(var)} in {x(zone)} if {x(test)})"
            case _:
                raise AssertionError(e)

    def owner(self, o: ir.Owner) -> str:
        match o:
            case ir.ByPlayer(player=p):
                return f"player {self.expr(p)}"
            case ir.ByChance():
                return "chance"
            case ir.ByNobody(clause=c):
                return f"nobody by {c}"

    def offer(self, o: ir.Offer) -> str:
        values = ", ".join(map(self.expr, o.values))
        spread = "".join(f" for {self.local(b.var)} in {self.expr(b.domain)}" + (f"+{b.offset}" if b.offset else "") for b in o.binders)
        return f"[{values}{spread} if {self.expr(o.test)}]"

    def instr(self, i: ir.Instr) -> str:
        x = self.expr
        match i:
            case ir.Assign(local=k, value=v):
                return f"{self.local(k)} := {x(v)}"
            case ir.Store(base=b, index=index, value=v, op=op):
                at = "" if index is None else f"+[{x(index)}]"
                return f"@{self.program.layout.slots[b].name}{at} {STORES[op]} {x(v)}"
            case ir.Put(card=c, zone=z, top=top):
                return f"put {x(c)} {'on' if top else 'under'} {x(z)}"
            case ir.Shuffle(zone=z):
                return f"shuffle {x(z)}"
            case ir.Renew(card=c):
                return f"renew {x(c)}"
            case ir.Insert(multiset=m, values=v):
                return f"insert {m}({', '.join(map(x, v))})"
            case ir.Remove(multiset=m, values=v):
                return f"remove {m}({', '.join(map(x, v))})"
            case ir.Clear(multiset=m):
                return f"clear {m}"
            case ir.New(pool=p, values=v, local=k):
                return f"{self.local(k)} := new {p}({', '.join(map(x, v))})"
            case ir.Free(pool=p, place=e):
                return f"free {p}[{x(e)}]"
            case ir.Branch(test=t, otherwise=to):
                return f"unless {x(t)} go {to}"
            case ir.Jump(target=to):
                return f"go {to}"
            case ir.Next(rest=r, var=v, done=to):
                return f"{self.local(v)} := next of {self.local(r)}, none: go {to}"
            case ir.Label():
                return "label"
            case ir.Choose(owner=o, offers=offers, locals=ks):
                return f"{', '.join(map(self.local, ks))} := choose by {self.owner(o)} from {' '.join(map(self.offer, offers))}"
            case ir.ChooseSome(owner=o, among=a, least=lo, most=hi, local=k):
                return f"{self.local(k)} := choose by {self.owner(o)} {x(lo)}..{x(hi)} of {x(a)}"
            case ir.Consult(reading=r):
                return f"consult {r}"
            case ir.Do(function=f, args=args, local=k, event=event):
                return f"{'' if k is None else self.local(k) + ' := '}{'event' if event else 'do'} {f}({', '.join(map(x, args))})"
            case ir.Invoke(function=f, args=args, local=k, stop=stop, tail=tail):
                how = ("label, " if stop else "") + ("tail call" if tail else "call")
                return f"{'' if k is None else self.local(k) + ' := '}{how} {f}({', '.join(map(x, args))})"
            case ir.Return(value=None):
                return "return"
            case ir.Return(value=v):
                assert v is not None
                return f"return {x(v)}"
            case ir.Throw(signal=s):
                return f"throw {s}"
            case ir.BatchBegin():
                return "at once:"
            case ir.BatchEnd():
                return "all at once"
            case ir.End(kind=kind, winner=w, detail=d):
                return f"end {kind}{'' if w is None else ' ' + x(w)} {d}".rstrip()
            case _:
                raise AssertionError(i)
