"""The reference engine, telling more of what it does: by which clauses something changes, and which tests it comes to."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from ...model.engine.interpreter import Code, Interpreter, Traced
from ...model.engine.policies import scripted
from ...model.engine.state import Option, Point
from ...model.engine.values import Effect, Locals, Slots, declines
from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from ...model.ir.program import Function, entries
from ...model.ir.types import RecordType, Type, UnionType


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


@dataclass(frozen=True)
class Prevented:
    """An action that was not done, with what it was to be done to, and the clauses of the prohibitions that hold."""

    action: Function
    arguments: tuple[int, ...]
    clauses: tuple[str, ...]


class Watched(Interpreter):
    """The reference engine, noting what is written and tested, and what is put into multisets; of what two numbers a slot was made
    as their sum (`sums`); in which zones the order of several cards was made anew (`shuffled`, with the clauses); which actions were `prevented`; what verdicts on each
    question were `asked` about last; what players chose by policy where they could have chosen something else (`scripted`); and the choice
    that offered nothing (`empty`)."""

    def __init__(self, like: Interpreter) -> None:
        self.wrote: list[Wrote] = []
        self.tested: list[Tested] = []
        self.inserted: list[tuple[str, tuple[int, ...]]] = []
        self.prevented: list[Prevented] = []
        self.sums: dict[int, tuple[int, int]] = {}
        self.asked: dict[str, tuple[int, ...]] = {}
        self.questions = {v.function: v.question for v in like.program.verdicts}
        self.shuffled: list[tuple[int, tuple[str, ...]]] = []
        self.scripted: list[tuple[int, Type, Option]] = []
        self.empty: Point | None = None
        self.scripts = like.policies
        super().__init__(like.program, {}, card_ids=like.card_ids)

    def code_of(self, number: int, fn: Function) -> Code:
        return _WatchedCode(number, fn, self)

    def call(self, name: str, g: Slots, args: list[int]) -> int:
        value = super().call(name, g, args)
        if name in self.questions:
            self.asked[self.questions[name]] = tuple(args)
        return value

    def _asked(self, code: Code, pc: int, g: Slots, f: Locals) -> Point:
        asked = super()._asked(code, pc, g, f)
        self.empty = None if asked.options else asked
        if asked.owner not in self.scripts or len(asked.options) < 2 or asked.type is None:
            return asked
        left = scripted(self.scripts[asked.owner], asked.type, asked.options, self.card_ids)
        if len(left) == 1 and isinstance(asked.type, RecordType | UnionType) and not declines(asked.type, left[0]):
            self.scripted.append((asked.owner, asked.type, left[0]))
        weights = dict(zip(asked.options, asked.weights, strict=True))
        return replace(asked, options=left, weights=tuple(weights[o] for o in left))

    def forget(self) -> None:
        """Begin anew."""
        self.wrote, self.tested, self.inserted, self.prevented, self.sums, self.asked, self.scripted = (
            [],
            [],
            [],
            [],
            {},
            {},
            [],
        )
        self.shuffled, self.empty = [], None

    def called_by(self) -> tuple[str, ...]:
        """The clauses of the calls under way: where the innermost part of play (a phase, a step of one) stands, and the last."""
        calls = self.frames[:-1]
        parts = [k for k, frame in enumerate(calls) if frame.code.fn.scope]
        chosen = dict.fromkeys((*parts[-1:], *([len(calls) - 1] if calls else ())))
        return tuple(c for k in chosen for c in calls[k].code.fn.code[calls[k].pc].at.clauses)

    def prohibitions(self, fn: Function, test: ir.Expr) -> list[tuple[ir.Call, tuple[str, ...]]]:
        """The prohibitions by which an action is not done, with their clauses, where this is the test that asks for them."""
        clauses = {n.function: n.clauses for n in self.program.norms if n.kind == "forbids" and n.act == fn.rule}
        return (
            [(n, clauses[n.function]) for n in walk(test) if isinstance(n, ir.Call) and n.function in clauses]
            if clauses
            else []
        )

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
            if prohibitions := engine.prohibitions(fn, test):
                return self._guarding(does, prohibitions)
            if fn.kind != "procedure" or not isinstance(test, ir.All):
                return does

            def testing(g: Slots, f: Locals) -> int:
                engine.tested.append(Tested(fn, place, test, list(g), list(f)))
                return does(g, f)
            return testing
        if fn.kind == "define" or isinstance(i, ir.Assign | ir.Next | ir.Jump):  # nothing is written
            return does

        zone = engine.effects.value(i.zone) if isinstance(i, ir.Shuffle) else None
        first, cards = engine.program.layout.location, engine.program.layout.card_count
        sides = None
        if isinstance(i, ir.Store) and i.op == "set" and isinstance(i.value, ir.Binary) and i.value.op == "add":
            sides = engine.effects.value(i.value.a), engine.effects.value(i.value.b)

        def writing(g: Slots, f: Locals) -> int:
            before, at = list(g), len(engine.wrote)
            if zone is not None and g[first:first + cards].count(z := zone(g, f)) > 1:
                engine.shuffled.append((z, i.at.clauses or engine.called_by()))
            parts = None if sides is None else (sides[0](g, f), sides[1](g, f))
            to = does(g, f)
            if g != before:
                if isinstance(i, ir.Insert):
                    info = engine.program.layout.containers[i.multiset]
                    new = Counter(entries(info, g)) - Counter(entries(info, before))
                    engine.inserted += [(i.multiset, entry) for entry in new.elements()]
                changed = frozenset(k for k, x in enumerate(g) if x != before[k])
                if parts is not None:
                    engine.sums.update(dict.fromkeys(changed, parts))
                engine.wrote.insert(at, Wrote((*engine.called_by(), *i.at.clauses), changed))
            return to
        return writing

    def _guarding(self, does: Effect, prohibitions: Sequence[tuple[ir.Call, tuple[str, ...]]]) -> Effect:
        """The test by which an action that is forbidden is not done: the prohibitions count among what is carried out."""
        engine, fn = self.engine, self.fn
        holds = [(engine.effects.value(call), clauses) for call, clauses in prohibitions]

        def guarding(g: Slots, f: Locals) -> int:
            to = does(g, f)
            if isinstance(fn.code[to], ir.Return) and (forbid := [clauses for value, clauses in holds if value(g, f)]):
                clauses = tuple(dict.fromkeys(chain(*forbid)))
                engine.prevented.append(Prevented(fn, tuple(f[:fn.arity]), clauses))
                if engine.trace is not None:
                    engine.trace.append(Traced(ir.Mark("", 0, 0, clauses), len(engine.frames)))
            return to
        return guarding
