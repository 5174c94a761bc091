"""The reference engine, telling more of what it does: by which clauses something changes, and which tests it comes to."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ...model.engine.interpreter import Code, Interpreter
from ...model.engine.values import Effect, Locals, Slots
from ...model.ir import nodes as ir
from ...model.ir.places import entries
from ...model.ir.program import Function


@dataclass(frozen=True)
class Wrote:
    """An instruction that changed slots, with the clauses it carries out."""

    clauses: tuple[str, ...]
    slots: frozenset[int]


@dataclass(frozen=True)
class Tested:
    """A test in a procedure that consists of several conditions, with what it was looked at with."""

    function: Function
    place: int
    test: ir.All
    slots: Slots
    locals: Locals


class Watched(Interpreter):
    """The reference engine, noting what is written and tested, and what is put into multisets."""

    def __init__(self, like: Interpreter) -> None:
        self.wrote: list[Wrote] = []
        self.tested: list[Tested] = []
        self.inserted: list[tuple[str, tuple[int, ...]]] = []
        super().__init__(like.program, like.policies, like.saturating, card_ids=like.card_ids)

    def code_of(self, number: int, fn: Function) -> Code:
        return _WatchedCode(number, fn, self)

    def forget(self) -> None:
        """Begin anew."""
        self.wrote, self.tested, self.inserted = [], [], []

    def called_by(self) -> tuple[str, ...]:
        """The clauses of the calls under way: where the innermost part of play (a phase, a step of one) stands, and the last."""
        calls = self.frames[:-1]
        parts = [k for k, frame in enumerate(calls) if frame.code.fn.scope]
        chosen = dict.fromkeys((*parts[-1:], *([len(calls) - 1] if calls else ())))
        return tuple(c for k in chosen for c in calls[k].code.fn.code[calls[k].pc].at.clauses)

    def working(self, slots: Iterable[int]) -> tuple[str, ...]:
        """The clauses by which any of these slots was written since."""
        asked = frozenset(slots)
        return tuple(dict.fromkeys(c for one in self.wrote if one.slots & asked for c in one.clauses))


class _WatchedCode(Code):
    """A function whose instructions are noted."""

    engine: Watched

    @cached_property
    def effects(self) -> list[Effect | None]:
        code = self.fn.code
        plain = [self.engine.effects.effect(self.fn, i, k) for k, i in enumerate(code)]
        return [None if e is None else self._noting(k, i, e) for k, (i, e) in enumerate(zip(code, plain, strict=True))]

    def _noting(self, place: int, i: ir.Instr, does: Effect) -> Effect:
        engine, fn = self.engine, self.fn
        if isinstance(i, ir.Branch):
            test = i.test
            if fn.kind != "procedure" or not isinstance(test, ir.All):
                return does

            def testing(g: Slots, f: Locals) -> int:
                engine.tested.append(Tested(fn, place, test, list(g), list(f)))
                return does(g, f)
            return testing
        if fn.kind == "define":
            return does

        def writing(g: Slots, f: Locals) -> int:
            before, at = list(g), len(engine.wrote)
            to = does(g, f)
            if g != before:
                if isinstance(i, ir.Insert):
                    info = engine.program.layout.containers[i.multiset]
                    new = Counter(entries(info, g)) - Counter(entries(info, before))
                    engine.inserted += [(i.multiset, entry) for entry in new.elements()]
                changed = frozenset(k for k, x in enumerate(g) if x != before[k])
                engine.wrote.insert(at, Wrote((*engine.called_by(), *i.at.clauses), changed))
            return to
        return writing
