"""Which abilities can come to wait: those that something lets wait, in the world of their cards."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .....model.ir import nodes as ir
from .....model.ir.flow import walk
from .....model.ir.program import ContainerInfo, Function, Program
from .....model.ir.types import AbilityType
from .....spec.groups import grouped
from ... import truths as t
from ...numbers import Val
from ...states import Frame, Path, Sym
from ...symbolic import SymbolicState, local_variables
from ...transitions import Places
from ...truths import Truth
from .resolving import Resolver, Resolving, Round, ability_column, has_ability, inner


class Noting(Resolving):
    """Notes what is put among what waits: under which condition, and which ability it is."""

    def __init__(self, program: Program, resolver: Resolver, possible: Callable[[Truth], bool]) -> None:
        super().__init__(program, resolver, possible)
        self.noted: list[tuple[Truth, Val]] = []

    def _insert(self, s: Sym, m: ContainerInfo, values: Sequence[ir.Expr], v: Callable[[ir.Expr], Val]) -> None:
        if m is self.multiset and not s.dead:
            self.noted.append((t.every((s.path.term, *self.conditions)), v(values[ability_column(m.type)])))
        super()._insert(s, m, values, v)

    def at_head(self, s: Sym) -> bool:
        return False

    def come_to_head(self, state: SymbolicState) -> None:
        """Carry out what comes before the head of the loop. Raises Beyond."""
        fn = self.program.functions[self.resolver.loop]
        args = local_variables(fn.name, fn.locals[:fn.arity])
        self.halts, self.left = [], []
        self.run(Sym(list(state.slots), Path(None, True), [self.frame(fn.name, args)]), None, False)
        self.left = None

    def carry_out(self, fn: Function, state: SymbolicState) -> None:
        """Carry a rule out, told anything. Raises Beyond."""
        args = local_variables(fn.name, fn.locals[:fn.arity])
        self.halts, self.left, self.prefix, self.fresh = [], [], f"{fn.name} ", 0
        s = Sym(list(state.slots), Path(None, True))
        if fn.kind == "procedure":
            s.frames = [self.frame(fn.name, args)]
            pending: dict[Places, Sym] = {}
            for arrived in self.run(s, None, False):
                self.meet(arrived, pending)
            self.play(pending, Round())
        else:
            s.frames = [Frame(fn, 0, [])]
            self.perform(s, fn.name, args)
        self.left = None


def fills_itself(program: Program, resolver: Resolver) -> bool:
    """Is it a step at the beginning of the resolver that lets things wait?"""
    filling = {fn.name for fn in program.functions.values() if any(
        isinstance(i, ir.Insert) and i.multiset == resolver.multiset for i in fn.code)}
    begin = program.functions[resolver.loop].code[:resolver.head]
    return any(isinstance(i, ir.Do) and i.function in filling for i in begin)


def roots(program: Program, resolver: Resolver) -> list[Function]:
    """The rules that let something wait and are not told what."""
    m = program.layout.containers[resolver.multiset]
    callers = grouped(
        (name, fn) for fn in program.functions.values()
        for name in {x.function for i in fn.code for x in walk(i) if isinstance(x, ir.Do | ir.Invoke)})
    todo = [fn for fn in program.functions.values() if puts_in(fn, m.name)]
    out: dict[str, Function] = {}
    seen: set[str] = set()
    while todo:
        fn = todo.pop()
        if fn.name in seen:
            continue
        seen.add(fn.name)
        if is_told(fn):
            todo += callers.get(fn.name, [])
        else:
            out[fn.name] = fn
    return list(out.values())


def puts_in(fn: Function, m: str) -> bool:
    """Does the rule let something new wait, not only what waits already?"""
    return any(isinstance(i, ir.Insert) and i.multiset == m for i in fn.code) and not any(
        isinstance(i, ir.Remove) and i.multiset == m for i in fn.code)


def is_told(fn: Function) -> bool:
    return any(isinstance(inner(x.type), AbilityType) for x in fn.locals[:fn.arity])


def able_to_wait(
    program: Program, resolver: Resolver, state: SymbolicState, possible: Callable[[Truth], bool],
    seen: frozenset[str] = frozenset(),
) -> Iterator[int]:
    """The abilities that can come to wait at a resolver. Raises Beyond."""
    machine = Noting(program, resolver, possible)
    if fills_itself(program, resolver):
        machine.come_to_head(state)
    else:
        for fn in roots(program, resolver):
            machine.carry_out(fn, state)
    yield from {v for when, v in machine.noted if isinstance(v, int) and v >= 0 and possible(when)}
    if not all(isinstance(v, int) for _, v in machine.noted):
        for m in program.layout.containers.values():
            if m.name not in seen | {resolver.multiset} and not m.is_pool and has_ability(m.type):
                other = Resolver(m.name, resolver.chooser, resolver.pc, resolver.loop, resolver.head)
                yield from able_to_wait(program, other, state, possible, seen | {resolver.multiset})
