"""What the parameters of a procedure can be, by those who call it: `take(deck[p], hand[p])` is never given the one
player's deck and the other's hand.

Only arguments that do not depend on the state say something (the state may have changed since the call), and only
parameters that the procedure never sets.
"""
from __future__ import annotations

from collections.abc import Sequence

from ...model.ir import nodes as ir
from ...model.ir.flow import may_set, walk
from ...model.ir.program import Function, Program
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


def unset(fn: Function) -> frozenset[int]:
    """The parameters that stay as they were given: they are never set, and no objects, which may die."""
    changed = frozenset[int]().union(*map(may_set, fn.code))
    return frozenset(k for k in range(fn.arity) if k not in changed and fn.locals[k].type.role is not Role.OBJECT)


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
        kept = sorted(unset(self.program.functions[name]))
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
            ways.append(
                t.every(
                    (
                        *equal,
                        *bounds,
                        t.no(t.some(h.when for h in machine.halts)),
                        self.admit(caller, theirs, levels - 1),
                    )
                )
            )
        return t.some(ways)
