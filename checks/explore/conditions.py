"""What would have to be met for a repetition to end: the conditions of a test in it, one by one, and those that fail."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...model.engine.state import Option, State
from ...model.engine.values import Halt
from ...model.ir import nodes as ir
from ...spec.text import Text
from ..findings.record import Condition
from .subject import Subject
from .watching import Tested

DEEPEST = 12
"""Rules within rules that are looked into at most."""
COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
NOUGHT = {ir.Const(0), ir.Const(1)}
"""Comparisons with these say whether there is any, which the book's word says already."""
OPPOSITE = {"lt": ">=", "le": ">", "gt": "<=", "ge": "<"}


def conditions_of(subject: Subject, cycle: Sequence[tuple[State, Option]]) -> tuple[Condition, ...]:
    """The conditions of the first test in the cycle that consists of several and fails, and for each of which the book has a
    word (`hands_within_limit`; `turn_end_to_come not` where it must not hold). Nothing where there is none."""
    engine = subject.watched
    for state, option in cycle:
        engine.forget()
        engine.apply(state, option)
        for test in engine.tested:
            told = [*told_conditions(subject, test)]
            if len(told) == len(test.test.parts) and not all(c.met for c in told):
                return tuple(told)
    return ()


def told_conditions(subject: Subject, at: Tested) -> Iterator[Condition]:
    """The conditions of a test, as far as the book has words for them."""
    words, look = subject.describer.words.words, Look(subject, at.slots)
    code = at.function.code
    clauses = code[at.place].at.clauses or (code[at.place + 1].at.clauses if at.place + 1 < len(code) else ())
    for part in at.test.parts:
        negated = isinstance(part, ir.Unary) and part.op == "not"
        inner = part.a if isinstance(part, ir.Unary) and part.op == "not" else part
        word = words.get(f"{inner.function}{' not' if negated else ''}") if isinstance(inner, ir.Call) else None
        value = look.value(part, at.locals)
        if word is not None and value is not None:
            because = None if value else look.numbers(part, at.locals)
            key = f"{inner.function}{' not' if negated else ''} failing" if isinstance(inner, ir.Call) else ""
            yield Condition(clauses, word, bool(value), because, failing(words.get(key), because))


def failing(word: Text | None, because: str | None) -> Text | None:
    """The book's sentence for a condition that fails, with the numbers that stand in the way (`{left}`, `{right}`)."""
    if word is None or because is None:
        return None
    left, _, right = because.split(" ")
    return Text(ja=word.ja.format(left=left, right=right), en=word.en.format(left=left, right=right))


@dataclass
class Look:
    """Looks at conditions with the slots as they were."""

    subject: Subject
    slots: list[int]

    def value(self, e: ir.Expr, f: list[int]) -> int | None:
        """The value of an expression; none where it has none."""
        engine = self.subject.engine
        engine.effects.reset()
        try:
            return engine.effects.value(e)(list(self.slots), list(f))
        except Halt:
            return None

    def numbers(self, e: ir.Expr, f: list[int], depth: int = 0) -> str | None:
        """The comparison of numbers that decides what the expression is, as it stands: `9 > 7`."""
        holds = bool(self.value(e, f))
        match e:
            case ir.Binary(op=op, a=a, b=b) if op in COMPARED and not {a, b} & NOUGHT:
                x, y = self.value(a, f), self.value(b, f)
                return None if x is None or y is None else f"{x} {(COMPARED if holds else OPPOSITE)[op]} {y}"
            case ir.Unary(op="not", a=a):
                return self.numbers(a, f, depth)
            case ir.All(parts=parts) | ir.Any(parts=parts):
                deciding = (
                    parts
                    if holds is isinstance(e, ir.All)
                    else [p for p in parts if bool(self.value(p, f)) is holds][:1]
                )
                return next((said for p in reversed(deciding) if (said := self.numbers(p, f, depth)) is not None), None)
            case ir.If(test=test, a=a, b=b):
                return self.numbers(a if self.value(test, f) else b, f, depth)
            case ir.Call(function=name, args=args) if depth < DEEPEST:
                given = [self.value(a, f) for a in args]
                return None if None in given else self.called(name, [x for x in given if x is not None], depth + 1)
            case _:
                return None

    def called(self, name: str, args: list[int], depth: int) -> str | None:
        """What decides the result of a define: what it returns, or the last test on the way to that."""
        fn = self.subject.program.functions[name]
        f = [*args, *([0] * (len(fn.locals) - len(args)))]
        pc, last = 0, None
        while True:
            match fn.code[pc]:
                case ir.Assign(local=local, value=e):
                    value = self.value(e, f)
                    if value is None:
                        return None
                    f[local], pc = value, pc + 1
                case ir.Branch(test=test, otherwise=otherwise):
                    last = test, list(f)
                    pc = pc + 1 if self.value(test, f) else otherwise
                case ir.Jump(target=target) if target > pc:
                    pc = target
                case ir.Return(value=e) if e is not None:
                    said = None if isinstance(e, ir.Const) else self.numbers(e, f, depth)
                    return said if said is not None or last is None else self.numbers(*last, depth)
                case _:
                    return None

