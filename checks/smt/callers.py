"""What the parameters of a procedure can be, by those who call it: `take(deck[p], hand[p])` is never given the one
player's deck and the other's hand.

Only arguments that do not depend on the state say something (the state may have changed since the call), and only
parameters that the procedure never sets.
"""
from __future__ import annotations

from collections.abc import Sequence

from ...model.ir import nodes as ir
from ...model.ir.flow import assigned, walk
from ...model.ir.program import Program
from ...model.ir.types import Role
from . import numbers as n
from . import truths as t
from .numbers import Val
from .states import Sym
from .symbolic import Symbolic, local_variables
from .truths import Truth

Site = tuple[str, ir.Invoke]
LEVELS = 3
"""How many callers are looked at, one above the other."""


class Callers:
    """The calls of each procedure of a program."""

    def __init__(self, symbolic: Symbolic) -> None:
        self.symbolic = symbolic
        self.program: Program = symbolic.program
        self.sites: dict[str, list[Site]] = {}
        self.stateless: dict[str, bool] = {}
        self.fresh = 0
        for f in self.program.functions.values():
            for i in f.code:
                if isinstance(i, ir.Invoke):
                    self.sites.setdefault(i.function, []).append((f.name, i))

    def kept(self, name: str) -> list[int]:
        """The parameters that stay as they were given (an object may die meanwhile)."""
        fn = self.program.functions[name]
        given = set(range(fn.arity))
        for i in fn.code:
            given -= assigned(i)
            if isinstance(i, ir.Next):
                given -= {i.rest, i.var}
        return [k for k in sorted(given) if fn.locals[k].type.role is not Role.OBJECT]

    def call(self, name: str, pc: int) -> ir.Invoke:
        """The call at a place."""
        call = self.program.functions[name].code[pc]
        assert isinstance(call, ir.Invoke)
        return call

    def arguments(self, name: str, call: ir.Invoke, locals_: Sequence[Val]) -> dict[int, Val]:
        """The arguments of a call that has come back, as far as the caller's locals still say (an object may have
        died, and its result has taken the place of another value)."""
        machine, mine = self.symbolic.machine, self.program.functions[name].locals
        s = Sym([0] * len(self.symbolic.layout.slots))

        def gone(e: ir.Expr) -> bool:
            return any(
                isinstance(x, ir.Local) and (x.index == call.local or mine[x.index].type.role is Role.OBJECT) for x in walk(e))
        return {
            k: machine.value(e, s, list(locals_)) for k, e in enumerate(call.args)
            if self.says_something(e) and not gone(e)}

    def says_something(self, e: ir.Expr) -> bool:
        """Does the expression depend on nothing but locals and what is printed?"""
        return all(self._plain(x) for x in walk(e))

    def _plain(self, e: ir.Node) -> bool:
        match e:
            case ir.Load() | ir.ZoneCards() | ir.PileTop() | ir.PileFind():
                return False
            case ir.Call(function=name):
                if name not in self.stateless:
                    self.stateless[name] = False
                    code = self.program.functions[name].code
                    self.stateless[name] = all(self._plain(x) for i in code for x in walk(i))
                return self.stateless[name]
            case _:
                return True

    def admit(self, name: str, locals_: Sequence[Val], levels: int = LEVELS) -> Truth:
        """Can a procedure have these locals, as far as its callers say?"""
        kept = self.kept(name)
        sites = self.sites.get(name, [])
        if not levels or not kept or not sites:
            return True
        ways: list[Truth] = []
        for caller, call in sites:
            self.fresh += 1
            fn = self.program.functions[caller]
            theirs = local_variables(f"caller{self.fresh}", fn.locals, of_type=self.symbolic.variable)
            machine = self.symbolic.machine
            machine.halts = []
            s = Sym([0] * len(self.symbolic.layout.slots))
            equal = [
                n.equal(locals_[k], machine.value(call.args[k], s, list(theirs)))
                for k in kept if self.says_something(call.args[k])]
            if not equal:
                return True
            bounds = [n.in_bounds(v) for v in theirs]
            ways.append(t.every((*equal, *bounds, t.no(t.some(h.when for h in machine.halts)), self.admit(caller, theirs, levels - 1))))
        return t.some(ways)
