"""Texts that are eased: what goes round until a pile is gone or a number ends the game comes back to the same position with them."""
from __future__ import annotations

from dataclasses import replace

from ...model.ir import nodes as ir
from ...model.ir import types as t
from ...model.ir.program import Function, Program
from .abstract_values import NO, Done, Frame
from .meanings import Meanings


def eased(program: Program, kept: frozenset[str]) -> Program:
    """The program without what texts do to numbers (but those `kept`, which costs take) and take from piles: what goes round until a pile is gone or a
    number ends the game comes back to the same position in it."""
    meanings, layout = Meanings(program), program.layout
    piles = sum(1 << k for k, z in enumerate(layout.zones) if z.ordered)

    def is_idle(fn: Function, i: ir.Instr) -> bool:
        match i:
            case ir.Store(op="add", base=base, count=count):
                return base not in layout.per_card and not any(
                    s.name in kept for s in layout.slots[base : base + max(1, count)]
                )
            case ir.Do(function=f, args=args, local=None) | ir.Invoke(function=f, args=args, local=None):
                called = program.functions[f]
                if any(
                    x.type.role is not t.Role.PLAIN for x in called.locals[: called.arity]
                ):  # that is about cards that are known
                    return False
                env = Frame(
                    fn,
                    [NO if isinstance(x.type, t.PlayerType) else meanings.unknown(x.type) for x in fn.locals],
                    {},
                    Done(),
                )
                done = meanings.run(f, [meanings.value(a, env) for a in args])[1]
                return any(came and not came & ~piles for _, came, _ in done.moves)
            case _:
                return False

    functions = {
        name: replace(fn, code=[ir.Jump(at=i.at, target=k + 1) if is_idle(fn, i) else i for k, i in enumerate(fn.code)])
        if name.startswith("text ")
        else fn
        for name, fn in program.functions.items()
    }
    return program if functions == program.functions else replace(program, functions=functions)
