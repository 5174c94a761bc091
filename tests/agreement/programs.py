"""Random rule programs, made of IR nodes: whatever the verifier accepts, sensible enough to be played for a while.

Each is made from a seed alone. Values mostly stay within their domains, so that play goes on; now and then they do
not, because a bound exceeded and a fault of the encoding have to be the same everywhere, too.

 worlds       cards, zones, slots, containers, tables
 expressions  expressions of a kind
 statements   statements, functions
 states       states with other values than those that can be reached
"""
from __future__ import annotations

import random

from rulewright.model.ir.flow import mark_calls
from rulewright.model.ir.program import Function, Program
from rulewright.model.ir.types import CauseType
from rulewright.model.ir.verify import verify

from .statements import Writer
from .states import random_state
from .worlds import KINDS, World


class Head:
    """What callers know of a function."""

    def __init__(self, name: str, params: list[str], result: str | None) -> None:
        self.name, self.params, self.result_kind = name, params, result or ""


class Maker:
    """Makes a program."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self.world = World(self.luck)
        self.defines: list[Head] = []
        self.steps: list[Head] = []
        self.procedures: list[Head] = []

    def program(self) -> Program:
        luck = self.luck
        functions: dict[str, Function] = {}
        for kind, heads, count in (("define", self.defines, luck.randint(1, 4)), ("step", self.steps, luck.randint(1, 4))):
            for k in range(count):
                params = [luck.choice(KINDS) for _ in range(luck.randint(0, 3))]
                result = luck.choice(KINDS) if kind == "define" or luck.random() < 0.5 else None
                w = Writer(self, f"{kind}{k}", kind, params, result)
                w.block(luck.randint(0 if kind == "define" else 1, 4), 2)
                functions[w.name] = w.finish()
                heads.append(Head(w.name, params, result))
        names = [Head("main", [], None)]
        for k in range(luck.randint(1, 4)):
            names.append(Head(f"part{k}", [luck.choice(KINDS) for _ in range(luck.randint(0, 2))], luck.choice((None, luck.choice(KINDS)))))
        self.procedures = names
        for h in names:
            w = Writer(self, h.name, "procedure", h.params, h.result_kind or None)
            if h.name == "main":
                w.go_round()
            else:
                w.block(luck.randint(1, 5), 2)
            functions[h.name] = w.finish()
        program = Program(
            "random", self.world.layout(), functions, self.world.tables, "main", CauseType(0, 0, 0, self.world.cards),
            {"reading": ("a", "b", "c")[: luck.randint(1, 3)]}, {"reading": self.world.reading}, frozenset(("reading",)),
            stack_depth=luck.randint(2, 6))
        mark_calls(program)
        verify(program)
        return program


def random_program(seed: int) -> Program:
    """The program of a seed."""
    return Maker(seed).program()


__all__ = ["Maker", "random_program", "random_state"]
