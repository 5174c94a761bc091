"""A small book of rules for the oracle: its text, made ready for the checks with its caps, and for the judge without them.

Both are compiled by the real front end from the same text; only `caps`, capacities and the depth of the stack differ.
"""
from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from rulewright.checks.explore.subject import Subject
from rulewright.checks.explore.symmetry import Symmetry, interchangeable
from rulewright.checks.findings.record import Certainty
from rulewright.model.engine.describe import Describer
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.vocabulary import Vocabulary
from rulewright.model.ir.program import Program
from rulewright.model.ir.types import Int
from rulewright.model.lang.compile import Rulebook, compile_book
from rulewright.model.lang.source import Source, read_source
from rulewright.model.lang.world import AbilityDef, CardCopy, CardDef, ReadingDef, Script, Word, World, with_kernel
from rulewright.spec.diagnostics import Collector, Position
from rulewright.spec.text import Text

IMPORT = "from rulewright.model.lang import *\n"
NOWHERE = Position("cards", 1, 1)


def printed(power: int, texts: Sequence[Mapping[str, str]]) -> CardDef:
    """A card of this power, with abilities; two of one power are copies of one card."""
    abilities = tuple(
        AbilityDef(f"POWER-{power}.{k}", NOWHERE, {}, Word(x["when"], NOWHERE) if "when" in x else None,
                   {part: Script(said, partial(Position, "cards")) for part, said in x.items() if part != "when"}) for k, x in enumerate(texts, 1))
    return CardDef(f"POWER-{power}", Text.same(f"power {power}"), NOWHERE, {"power": Word(str(power), NOWHERE)}, abilities)


@dataclass(frozen=True)
class Part:
    """One statement: a line, and what stands under it. `otherwise`: the same under an `else`."""

    line: str
    body: tuple[Part, ...] = ()
    otherwise: tuple[Part, ...] = ()

    def lines(self, indent: int) -> Iterator[str]:
        yield "    " * indent + self.line
        for p in self.body:
            yield from p.lines(indent + 1)
        if self.otherwise:
            yield "    " * indent + ("except Stop:" if self.line == "try:" else "else:")
            for p in self.otherwise:
                yield from p.lines(indent + 1)


@dataclass(frozen=True)
class Rule:
    """A rule: what stands between its brackets behind the state, its scope ("" for none), its statements, what it is and what it gives."""

    name: str
    params: str
    scope: str
    body: tuple[Part, ...]
    kind: str = "procedure"
    gives: str = "None"

    @property
    def text(self) -> str:
        scope = f"(scope=Scope.{self.scope})" if self.scope else ""
        entry = '@entry("setup")\n' if self.name == "main" else ""
        waits = "async " if self.kind == "procedure" or self.body[0].line.startswith("when(") else ""
        params = f"g: Game, {self.params}" if self.params else "g: Game"
        head = f"{entry}@{self.kind}{scope}\n{waits}def {self.name}({params}) -> {self.gives}:"
        return "\n".join((head, *(x for p in self.body for x in p.lines(1)))) + "\n"


@dataclass(frozen=True)
class Book:
    """Classes in front of the rules (`head`), counters (fields that can grow, with their caps where a scenario gives some),
    capacities of multisets, slots that the position sets, and cards (what is printed on them, and whose; the abilities of those of a power). `features`: what was drawn
    into it."""

    head: str
    rules: tuple[Rule, ...]
    counters: tuple[str, ...] = ()
    caps: Mapping[str, int] = field(default_factory=dict[str, int])
    capacities: Mapping[str, int] = field(default_factory=dict[str, int])
    position: Mapping[str, int] = field(default_factory=dict[str, int])
    cards: tuple[tuple[int, int], ...] = ()
    texts: Mapping[int, tuple[Mapping[str, str], ...]] = field(default_factory=dict[int, "tuple[Mapping[str, str], ...]"])
    features: frozenset[str] = frozenset()

    @cached_property
    def text(self) -> str:
        """The module of rules."""
        return "\n".join((IMPORT, self.head, *("\n" + r.text for r in self.rules)))

    @property
    def told(self) -> str:
        """All of it, for people: the text, and what a scenario gives."""
        given = [f"# {name}: {of}" for name, of in (
            ("caps", self.caps), ("capacities", self.capacities), ("position", self.position), ("cards (power, whose)", self.cards), ("texts", self.texts)) if of]
        return "\n".join((self.text, *given))

    @property
    def greatest(self) -> int:
        """The greatest number that stands anywhere in it, declared ranges apart."""
        said = re.sub(r"Range\([^)]*\)|#:.*|\(\"[^\"]*\"\)", "", self.text)
        numbers = [int(x) for x in re.findall(r"(?<![\w.])\d+", said)]
        return max([*numbers, *self.caps.values(), *self.position.values(), *self.ranges, 1])

    @property
    def ranges(self) -> list[int]:
        """The ends of the ranges of counters without a cap."""
        return [int(hi) for name, hi in re.findall(r"(\w+): (?:Per\[\w+, )?Annotated\[int, Range\(-?\d+, (\d+)\)\]", self.head)
                if name in self.counters and name not in self.caps]

    # ------------------------------------------------------------ compiled
    def program(self, world: World, readings: Mapping[str, ReadingDef] = {}) -> Program:
        """Compiled by the front end. Raises BadInput."""
        report = Collector()
        source = read_source("book.py", self.text, report)
        report.raise_if_any()
        assert isinstance(source, Source)
        modules = with_kernel([source], report)
        report.raise_if_any()
        return compile_book(Rulebook("oracle", modules, readings), world, "main")

    def world(self, **given: Any) -> World:
        """What a scenario brings, beside what is `given`."""
        return World(tuple(CardCopy(printed(power, self.texts.get(power, ())), whose) for power, whose in self.cards), **given)

    def slots(self, program: Program) -> list[int]:
        """What play begins with: all cards lie in the first zone."""
        numbers = {s.name: k for k, s in enumerate(program.layout.slots)}
        slots = [s.initial for s in program.layout.slots]
        where = program.layout.location
        slots[where:where + len(self.cards)] = [0] * len(self.cards)
        for name, value in self.position.items():
            slots[numbers[name]] = value
        return slots

    def subject(self) -> Subject:
        """As a user's scenario: under its caps."""
        world = self.world(caps=self.caps, capacities=self.capacities)
        program = self.program(world)
        engine, slots = Interpreter(program), self.slots(program)
        return Subject(
            book="oracle", scenario="world", title=Text.same("world"), program=program, engine=engine,
            describer=Describer(program, world, Vocabulary()), positions=[slots], starts=[engine.start(slots)], readings={},
            certainty=Certainty.FROM_POSITION, symmetry=Symmetry(program, classes) if (classes := interchangeable(world.cards)) else None)

    def lifted(self, most: int, readings: Mapping[str, ReadingDef] = {}, answers: Mapping[str, str] = {}) -> tuple[Interpreter, list[int]]:
        """The reference interpreter with nothing in the way up to `most`: counters (below zero, too), multisets, the stack; and what play begins with."""
        world = self.world(caps=dict.fromkeys(self.counters, 4 * most + 100), capacities=dict.fromkeys(self.capacities, most + 8), stack_depth=most + 8, readings=answers)
        program = self.program(world, readings)
        slots = tuple(replace(s, type=Int(-most, s.type.hi)) if s.name.split("[")[0] in self.counters and isinstance(s.type, Int) else s
                      for s in program.layout.slots)
        functions = {name: replace(fn, locals=tuple(replace(x, type=Int(min(x.type.lo, -most), x.type.hi)) if isinstance(x.type, Int) else x for x in fn.locals))
                     for name, fn in program.functions.items()}
        return Interpreter(replace(program, layout=replace(program.layout, slots=slots), functions=functions)), self.slots(program)


def placed(book: Book, program: Program, luck: random.Random) -> list[int]:
    """A position that a scenario may give: each number at any value of its range, each card anywhere (of a pile nobody knows the order)."""
    layout, out = program.layout, book.slots(program)
    for k, x in enumerate(layout.slots):
        if k not in layout.in_containers | layout.placing:
            out[k] = luck.randint(x.type.lo, x.type.hi)
    for c in range(layout.card_count):
        out[layout.location + c] = luck.randrange(len(layout.zones))
    return out
