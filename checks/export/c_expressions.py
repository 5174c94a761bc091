"""Expressions of the IR as C expressions (GNU C: statement expressions), one arm per node of `model/ir/nodes.py`."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.ir import nodes as ir
from ...model.ir.program import Program

WORD, WIDE = 62, 126
"""Members of a set that fit into the two integer types that C code can use."""


class CannotExport(Exception):
    """The program has something that the exported form does not hold; the message says what."""


MOST_DETAILS = 1 << 16
"""Texts of ends at most: a packed state names them in so many bits."""


class Details:
    """Texts that tell ends of play apart, by number. 0 is no text."""

    def __init__(self) -> None:
        self.texts: list[str] = [""]

    def number(self, text: str) -> int:
        """The number of a text."""
        if text not in self.texts:
            if len(self.texts) == MOST_DETAILS:
                raise CannotExport(f"play can end in more than {MOST_DETAILS} ways")
            self.texts.append(text)
        return self.texts.index(text)


def fault_text(why: str, at: ir.Mark) -> str:
    """What a fault says, as the interpreter says it."""
    return f"{why} ({at.file}:{at.line})" if at.line else why


class CExpressions:
    """Writes expressions. `f` is the array of locals, `g` that of the state's slots; both hold integers of type `V`."""

    def __init__(self, program: Program, names: dict[str, str], wide: bool) -> None:
        self.program = program
        self.layout = program.layout
        self.names = names
        self.wide = wide
        self.details = Details()
        self.fresh_names = 0

    def name(self, stem: str) -> str:
        """A C name that is not in use."""
        self.fresh_names += 1
        return f"{stem}{self.fresh_names}"

    def number(self, value: int) -> str:
        """A constant."""
        if -(1 << 31) <= value < 1 << 31:
            return f"({value})" if value < 0 else str(value)
        if -(1 << 62) <= value < 1 << 62:
            return f"({value}LL)"
        if not self.wide or value < 0:
            raise CannotExport(f"the number {value} is too large")
        return f"(((V){value >> 62}LL << 62) | (V){value & ((1 << 62) - 1)}LL)"

    def fault(self, why: str, at: ir.Mark) -> str:
        """The expression that ends play with a fault."""
        return f"halt(FAULT, -1, {self.details.number(fault_text(why, at))})"

    def value(self, e: ir.Expr) -> str:
        """The C expression that computes an expression, in brackets."""
        v = self.value
        match e:
            case ir.Const(value=c):
                return self.number(c)
            case ir.Local(index=x):
                return f"f[{x}]"
            case ir.Load(base=base, index=None):
                return f"g[{base}]"
            case ir.Load(base=base, index=ir.Expr() as index, count=count):
                return f"g[{base} + within({v(index)}, 0, {count - 1})]"
            case ir.Table(table=t, index=index):
                k, size = self.name("k"), len(self.program.tables[t])
                bad = self.fault("a card was asked for that is none", e.at)
                return f"({{ V {k} = {v(index)}; if ({k} < 0 || {k} >= {size}) {bad}; T{t}[{k}]; }})"
            case ir.Unary(op=op, a=a):
                return self.unary(op, v(a), e.at)
            case ir.Binary(op="div" | "mod" as op, a=a, b=b):
                x, n = self.name("x"), self.name("n")
                bad = self.fault("division by zero", e.at)
                return f"({{ V {n} = {v(b)}; if (!{n}) {bad}; V {x} = {v(a)}; floor_{op}({x}, {n}); }})"
            case (
                ir.Binary(op=op, a=ir.Const() | ir.Local() as a, b=b)
                | ir.Binary(op=op, a=a, b=ir.Const() | ir.Local() as b)
            ):
                return self.binary(op, v(a), v(b))
            case ir.Binary(op=op, a=a, b=b):  # C leaves open which operand it evaluates first
                x, y = self.name("x"), self.name("y")
                return f"({{ V {x} = {v(a)}, {y} = {v(b)}; {self.binary(op, x, y)}; }})"
            case ir.All(parts=parts):
                return "(" + (" && ".join(v(p) for p in parts) or "1") + ")"
            case ir.Any(parts=parts):
                return "(" + (" || ".join(v(p) for p in parts) or "0") + ")"
            case ir.If(test=test, a=a, b=b):
                return f"({v(test)} ? {v(a)} : {v(b)})"
            case ir.Present(a=a, none=none):
                x = self.name("x")
                bad = self.fault("a value was used that is none", e.at)
                return f"({{ V {x} = {v(a)}; if ({x} == {self.number(none)}) {bad}; {x}; }})"
            case ir.Within(a=a, lo=lo, hi=hi):
                return f"within({v(a)}, {self.number(lo)}, {self.number(hi)})"
            case ir.Fold():
                return self.fold(e)
            case ir.Call(function=name, args=args):
                return f"{self.names[name]}({self.arguments(args)})"
            case ir.ZoneCards(zone=zone):
                return f"zone_cards({v(zone)})"
            case ir.PileTop(zone=zone):
                return f"pile_top({v(zone)})"
            case ir.PileFind(zone=zone, var=var, test=test, top=top):
                return self.pile_find(v(zone), var, v(test), top, e.at)
            case _:
                raise CannotExport(f"{type(e).__name__} is not known here")

    def arguments(self, args: Sequence[ir.Expr]) -> str:
        """Arguments. C leaves their order of evaluation open, which faults can tell; GCC and Clang go through a list of
        initializers in its order."""
        return f"(V[]){{{', '.join(map(self.value, args)) or '0'}}}"

    def unary(self, op: str, a: str, at: ir.Mark) -> str:
        x = self.name("x")
        match op:
            case "not":
                return f"(!{a})"
            case "neg":
                return f"(-{a})"
            case "abs":
                return f"({{ V {x} = {a}; {x} < 0 ? -{x} : {x}; }})"
            case "lowest":
                bad = self.fault("a member of the empty set was asked for", at)
                return f"({{ V {x} = {a}; if (!{x}) {bad}; lowest({x}); }})"
            case "single":
                bad = self.fault("a set was given a member that is none", at)
                return f"({{ V {x} = {a}; if ({x} < 0) {bad}; (V)1 << {x}; }})"
            case _:
                return f"{op}({a})"

    def binary(self, op: str, a: str, b: str) -> str:
        signs = {"add": "+", "sub": "-", "mul": "*", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">",
                 "ge": ">=", "union": "|", "meet": "&", "differ": "^"}
        if op in signs:
            return f"({a} {signs[op]} {b})"
        if op == "without":
            return f"({a} & ~{b})"
        return f"{op}_of({a}, {b})"

    def over(self, domain: str, offset: int, var: int, inner: Callable[[], str]) -> str:
        """A loop over the members of a set, ascending."""
        m = self.name("m")
        shift = f" + {offset}" if offset > 0 else f" - {-offset}" if offset < 0 else ""
        return (f"for (V {m} = {domain}; {m}; {m} &= {m} - 1) "
                f"{{ f[{var}] = lowest({m}){shift}; {inner()} }}")

    def fold(self, e: ir.Fold) -> str:
        v, r = self.value, self.name("r")
        test, body = v(e.test), v(e.body)

        def loop(inner: str) -> str:
            return self.over(v(e.domain), e.offset, e.var, lambda: f"if ({test}) {{ {inner} }}")

        match e.kind:
            case "any":
                return f"({{ V {r} = 0; {loop(f'if ({body}) {{ {r} = 1; break; }}')} {r}; }})"
            case "all":
                return f"({{ V {r} = 1; {loop(f'if (!{body}) {{ {r} = 0; break; }}')} {r}; }})"
            case "sum":
                return f"({{ V {r} = 0; {loop(f'{r} += {body};')} {r}; }})"
            case "union":
                return f"({{ V {r} = 0; {loop(f'{r} |= {body};')} {r}; }})"
            case "set":
                x, bad = self.name("x"), self.name("bad")
                gather = loop(f"V {x} = {body}; if ({x} < 0) {bad} = 1; else {r} |= (V)1 << {x};")
                fault = self.fault("a set was given a member that is none", e.at)
                return f"({{ V {r} = 0; int {bad} = 0; {gather} if ({bad}) {fault}; {r}; }})"
            case "min" | "max":
                x, some = self.name("x"), self.name("some")
                sign = "<" if e.kind == "min" else ">"
                gather = loop(f"V {x} = {body}; if (!{some} || {x} {sign} {r}) {r} = {x}; {some} = 1;")
                nothing = (f"{r} = {v(e.default)}" if e.default is not None
                           else self.fault(f"the {e.kind} of nothing was asked for", e.at))
                return f"({{ V {r} = 0; int {some} = 0; {gather} if (!{some}) {nothing}; {r}; }})"

    def pile_find(self, zone: str, var: int, test: str, top: bool, at: ir.Mark) -> str:
        z, c, best, tied, found = (self.name(x) for x in ("z", "c", "best", "tied", "found"))
        sign = "" if top else "-"
        first, rank, count = self.layout.location, self.layout.rank, self.layout.card_count
        bad = self.fault("the order of these cards is unknown", at)
        return (f"({{ V {z} = {zone}, {best} = 0; int {tied} = 0, {found} = -1; "
                f"for (int {c} = 0; {c} < {count}; {c}++) if (g[{first} + {c}] == {z}) {{ f[{var}] = {c}; "
                f"if ({test}) {{ V r = {sign}g[{rank} + {c}]; "
                f"if ({found} < 0 || r > {best}) {{ {best} = r; {found} = {c}; {tied} = 0; }} "
                f"else if (r == {best}) {tied} = 1; }} }} "
                f"if ({found} >= 0 && {tied}) {bad}; (V){found}; }})")
