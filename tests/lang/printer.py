"""The printed form of a program: stable, one line an instruction, made to be compared."""
from __future__ import annotations

from dataclasses import fields

from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Function, Program

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%", "eq": "==", "ne": "!=", "lt": "<", "le": "<=",
         "gt": ">", "ge": ">=", "union": "|", "meet": "&", "without": "\\", "differ": "^", "member": "in", "shift": "<<"}
LOCALS = ("local", "locals", "var", "rest")
"""Fields of nodes that hold numbers of locals."""
SLOTS = ("base", "slot")


def print_program(program: Program) -> str:
    """All functions, by name, with slots and locals by name."""
    slots = "  ".join(("slots", *(s.name for s in program.layout.slots)))
    functions = (print_function(program, f) for _, f in sorted(program.functions.items()))
    return "\n\n".join((f"program {program.book} from {program.entry}", slots, *functions)) + "\n"


def print_function(program: Program, fn: Function) -> str:
    """One function."""
    params = ", ".join(f"{x.name}: {x.type}" for x in fn.locals[: fn.arity])
    lines = [f"{fn.kind} {fn.name}({params}) -> {fn.result}" + (f" scope {fn.scope}" if fn.scope else "")]
    for k, i in enumerate(fn.code):
        clause = "  #: " + " ".join(i.at.clauses) if i.at.clauses else ""
        lines.append(f"  {k:3} {shown(program, fn, i)}{clause}")
    for h in fn.handlers:
        lines.append(f"      {h.first}..{h.last - 1} on {h.signal} -> {h.target}")
    return "\n".join(lines)


def shown(program: Program, fn: Function, x: object, field: str = "") -> str:
    """A node of a function, or what stands in a field of one. What a field holds if nothing is said is not shown."""
    def inside(y: object, field: str = "") -> str:
        return shown(program, fn, y, field)
    match x:
        case tuple():
            return f"[{', '.join(inside(y, field) for y in x)}]"
        case int() if field in LOCALS:
            return f"{fn.locals[x].name}.{x}"
        case int() if field in SLOTS:
            return f"@{program.layout.slots[x].name}"
        case ir.Const(value=v):
            return str(v) if v < 1 << 20 else hex(v)
        case ir.Local(index=v):
            return inside(v, "local")
        case ir.Load(base=b, index=None):
            return inside(b, "base")
        case ir.Binary(op=op, a=a, b=b) if op in SIGNS:
            return f"({inside(a)} {SIGNS[op]} {inside(b)})"
        case ir.All(parts=parts) | ir.Any(parts=parts):
            return f"({(' and ' if isinstance(x, ir.All) else ' or ').join(map(inside, parts))})"
        case ir.Node():
            given = {f.name: v for f in fields(x) if f.name != "at" and (v := getattr(x, f.name)) not in (None, f.default)}
            return f"{type(x).__name__}({', '.join(f'{name}={inside(v, name)}' for name, v in given.items())})"
        case _:
            return str(x)
