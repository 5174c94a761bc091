"""LLVM code as text: a module, and the body of one function. Knows nothing of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

Ref = str
"""An LLVM operand: a register (`%v7`), a constant, or a global."""


ROOM = "@rulewright_room = global i64 0, align 256"
"""Room for the addresses of functions from outside: whoever loads the code reserves as much for every part as it is aligned
to, and puts the addresses there without having counted them."""
SHORT = 60
"""Lines of a function, at most, that is put where it is called when code is optimised."""


class Module:
    """Declarations, constants and functions, in the order they were made."""

    def __init__(self) -> None:
        self.declared: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        self.functions: list[str] = []

    def declare(self, signature: str) -> None:
        """A function from outside: `i64 @llvm.cttz.i64(i64, i1)`."""
        self.declared.setdefault(signature, f"declare {signature}")

    def array(self, of: str, values: Iterable[object]) -> Ref:
        """A constant array; equal ones are one."""
        items = [f"{of} {v}" for v in values] or [f"{of} zeroinitializer" if of == "ptr" else f"{of} 0"]
        body = f"[{len(items)} x {of}] [{', '.join(items)}]"
        if body not in self.constants:
            self.constants[body] = f"@k{len(self.constants)}"
        return self.constants[body]

    def text(self) -> str:
        """The module."""
        constants = [f"{name} = internal unnamed_addr constant {body}" for body, name in self.constants.items()]
        return "\n".join([*self.declared.values(), ROOM, *constants, *self.functions]) + "\n"


class Body:
    """One function, block by block. Variables live in memory of the function; the optimiser makes registers of them."""

    def __init__(self, module: Module, name: str, result: str, params: str, attributes: str = "") -> None:
        self.module = module
        self.head, self.attributes = f"define {result} @{name}({params})", attributes
        self.result = result
        self.variables: list[str] = []
        self.lines: list[str] = []
        self.count = 0
        self.here = "entry"
        """The block that is being written; empty after a jump."""

    # ------------------------------------------------------------ lines
    def fresh(self, stem: str = "v") -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def op(self, text: str) -> Ref:
        """An instruction with a result."""
        name = "%" + self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        """An instruction without."""
        self.lines.append(f"  {text}")

    def variable(self, of: str, value: Ref | None = None) -> Ref:
        """A variable of the function, which has this value from here on."""
        name = "%" + self.fresh("m")
        self.variables.append(f"  {name} = alloca {of}")
        if value is not None:
            self.store(of, value, name)
        return name

    # ------------------------------------------------------------ blocks
    def at(self, block: str) -> None:
        """Go on with this block; control comes to it from the one before, unless that has ended."""
        if self.here:
            self.jump(block)
        self.lines.append(f"{block}:")
        self.here = block

    def jump(self, block: str) -> None:
        if self.here:
            self.do(f"br label %{block}")
            self.here = ""

    def branch(self, test: Ref, yes: str, no: str) -> None:
        """Go on at one of two blocks."""
        if test in ("true", "false"):
            self.jump(yes if test == "true" else no)
        elif self.here:
            self.do(f"br i1 {test}, label %{yes}, label %{no}")
            self.here = ""

    def ret(self, text: str) -> None:
        if self.here:
            self.do(f"ret {text}")
            self.here = ""

    def switch(self, value: Ref, blocks: Mapping[int, str], otherwise: str) -> None:
        """Go on at the block of the number, if it has one."""
        self.do(f"switch i64 {value}, label %{otherwise} [{' '.join(f'i64 {k}, label %{to}' for k, to in blocks.items())}]")
        self.here = ""

    def go_on_if(self, test: Ref, otherwise: str) -> None:
        """Go on here only if the test holds, else at another block."""
        yes = self.fresh("go")
        self.branch(test, yes, otherwise)
        self.at(yes)

    def leave_if(self, test: Ref, to: str) -> None:
        """Go on at another block if the test holds, else here."""
        no = self.fresh("on")
        self.branch(test, to, no)
        self.at(no)

    @contextmanager
    def when(self, test: Ref) -> Iterator[None]:
        """What is written inside happens only if the test holds."""
        after = self.fresh("on")
        self.go_on_if(test, after)
        yield
        self.at(after)

    def either(self, test: Ref, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """One of two things happens."""
        other, after = self.fresh("no"), self.fresh("on")
        self.go_on_if(test, other)
        yes()
        self.jump(after)
        self.at(other)
        no()
        self.at(after)

    def cases(self, value: Ref, of: Mapping[int, Callable[[], None]]) -> None:
        """What belongs to the number happens, if anything does."""
        blocks, after = {k: self.fresh("case") for k in of}, self.fresh("on")
        self.switch(value, blocks, after)
        for k, happen in of.items():
            self.at(blocks[k])
            happen()
            self.jump(after)
        self.at(after)

    @contextmanager
    def counting(self, first: Ref, last: Ref) -> Iterator[Ref]:
        """What is written inside happens for each i64 from `first` up to `last` (exclusive)."""
        k = self.variable("i64", first)
        head, after = self.fresh("head"), self.fresh("on")
        self.at(head)
        i = self.load("i64", k)
        self.go_on_if(self.op(f"icmp slt i64 {i}, {last}"), after)
        yield i
        if self.here:
            self.store("i64", self.op(f"add i64 {i}, 1"), k)
            self.jump(head)
        self.at(after)

    # ------------------------------------------------------------ memory
    def offset(self, base: Ref, by: Ref | int) -> Ref:
        """An address so many bytes on."""
        return base if by == 0 else self.op(f"getelementptr i8, ptr {base}, i64 {by}")

    def element(self, base: Ref, k: Ref, size: int, first: int) -> Ref:
        """The address of element k of a row that begins so many bytes on, each of a size."""
        return self.offset(base, self.op(f"add i64 {self.op(f'mul i64 {k}, {size}')}, {first}"))

    def load(self, of: str, at: Ref) -> Ref:
        return self.op(f"load {of}, ptr {at}{alignment(of)}")

    def store(self, of: str, value: Ref, at: Ref) -> None:
        self.do(f"store {of} {value}, ptr {at}{alignment(of)}")

    def copy(self, to: Ref, source: Ref, size: Ref | int) -> None:
        """Copy bytes between places that do not overlap."""
        self.module.declare("void @llvm.memcpy.p0.p0.i64(ptr noalias, ptr noalias, i64, i1)")
        self.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)")

    def finish(self, result: str = "") -> None:
        """The function is complete; where control comes to here, it gives this."""
        if self.here:
            self.do(f"ret {result}" if result else "unreachable")
        inside = [*self.variables, *self.lines]
        attributes = self.attributes or ("alwaysinline" if len(inside) <= SHORT else "")
        lines = [f"{self.head} {attributes} {{", "entry:", *inside, "}"]
        self.module.functions.append("\n".join(lines))


def alignment(of: str) -> str:
    """Numbers wider than a word lie at any word."""
    return "" if of in ("i1", "i8", "i16", "i32", "i64", "ptr") or of.startswith("<") else ", align 8"
