"""What is compiled: a rule book as it is read (its own modules, and those of the kernel that they import), and what a scenario brings to
it (cards, capacities, readings)."""

from __future__ import annotations

import hashlib
import os
import re
import textwrap
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from ...spec.diagnostics import Collector, Diagnostic, Position, did_you_mean, nearest, split_lines
from ...spec.reading import file_text
from ...spec.text import Text
from ..ir.types import Bool, EnumType, Int, PlayerType, Type
from .source import Reporter, Source, imported, meant, read_module, read_source


@dataclass(frozen=True)
class Word:
    """A piece of text somebody wrote, and where."""

    text: str
    at: Position


def digest(x: object) -> str:
    """A hash of a value."""
    return hashlib.sha256(as_text(x).encode()).hexdigest()


def as_text(x: object) -> str:
    """A value as text, the same in every run: the members of sets in order."""
    match x:
        case frozenset():
            return f"{{{','.join(sorted(map(as_text, x)))}}}"
        case tuple():
            return f"({','.join(map(as_text, x))})"
        case _:
            return repr(x)


YES = ("true", "yes", "はい")
NO = ("false", "no", "いいえ")
SIDES = {"first": 0, "先攻": 0, "second": 1, "後攻": 1}


def scalar(of: Type, word: str) -> int | None:
    """The number that stands for a value as people write it; None if it is none of the type."""
    match of:
        case Bool() if word.lower() in (*YES, *NO):
            return int(word.lower() in YES)
        case Int() if re.fullmatch(r"\s*[+-]?\d+(_\d+)*\s*", word) and of.lo <= int(word) <= of.hi:
            return int(word)
        case EnumType(members=members):
            spelt = (word, word.upper(), word.upper().replace("-", "_").replace(" ", "_"))
            return next((members.index(x) for x in spelt if x in members), None)
        case PlayerType():
            return SIDES.get(word)
        case _:
            return None


@dataclass(frozen=True)
class Script:
    """Rule text on a card: statements, or one expression. `place` maps its lines and columns to where they were written."""

    text: str
    place: Callable[[int, int], Position]

    @property
    def file(self) -> str:
        """Where it begins."""
        return self.place(1, 1).file


def script_source(script: Script, expression: bool, report: Collector) -> Source | None:
    """A script of a card, read; None if it is no rule text, which is reported."""
    if expression:
        return read_source(script.file, script.text, report, script.place, True)
    text = textwrap.dedent(script.text)
    removed = next(
        (len(a) - len(b) for a, b in zip(split_lines(script.text), split_lines(text), strict=False) if b.strip()), 0
    )
    return read_source(script.file, text, report, lambda line, column: script.place(line, column + removed))


@dataclass(frozen=True)
class AbilityDef:
    """One ability of a card: `facts` fill the book's definition of abilities; `when` names the event it listens to;
    `scripts` holds `if`, `while`, `payable`, `applies_to`, `how_much` (expressions), `text` and `cost` (statements)."""

    id: str
    at: Position
    facts: Mapping[str, Word | tuple[Word, ...]] = field(default_factory=dict[str, "Word | tuple[Word, ...]"])
    when: Word | None = None
    scripts: Mapping[str, Script] = field(default_factory=dict[str, Script])
    name: Text | None = None

    @property
    def all_of_it(self) -> Hashable:
        """What it says, with where that stands."""
        scripts = tuple((k, s.text, s.place(1, 1)) for k, s in sorted(self.scripts.items()))
        return self.id, self.at, tuple(sorted(self.facts.items())), self.when, scripts, self.name

    @property
    def given(self) -> bool:
        """Does the book's fact `given` say that any card may come to have it? Then it listens for all of them, and the
        trigger policy sees who has it."""
        said = self.facts.get("given")
        return isinstance(said, Word) and said.text.lower() in YES


@dataclass(frozen=True)
class CardDef:
    """A card as printed."""

    id: str
    name: Text
    at: Position
    attributes: Mapping[str, Word | tuple[Word, ...]] = field(default_factory=dict[str, "Word | tuple[Word, ...]"])
    abilities: tuple[AbilityDef, ...] = ()
    sample: bool = False
    """Made up to try something, no card of the game."""

    def word(self, attribute: str, symbols: bool) -> Word | tuple[Word, ...] | None:
        """What is written of an attribute. A set of whatever words the cards use (`symbols`) that is called `names` has the card's name unless it is written."""
        own = Word(self.name.ja, self.at) if symbols and attribute == "names" else None
        return self.attributes.get(attribute, own)

    @cached_property
    def digest(self) -> str:
        """A hash of its texts, with where they stand."""
        return digest(
            (
                self.id,
                self.name,
                self.at,
                tuple(sorted(self.attributes.items())),
                tuple(a.all_of_it for a in self.abilities),
            )
        )


@dataclass(frozen=True)
class CardCopy:
    """A physical card: which definition, and whose."""

    definition: CardDef
    owner: int


@dataclass(frozen=True)
class World:
    """Everything that is finite because a scenario says so.

    `readings` are fixed (id → alternative, or number as text); those in `branching` are branched over instead.
    The first shuffle of each pile in `given_piles` leaves it as the scenario gives it.
    `caps` widens the domain of a state field (`{"OnCard.bonus": 40}`), to confirm growing loops.
    `partly`: not every card need be there, and those that lie nowhere are none of `CARDS`.
    """

    cards: tuple[CardCopy, ...] = ()
    capacities: Mapping[str, int] = field(default_factory=dict[str, int])
    caps: Mapping[str, int] = field(default_factory=dict[str, int])
    given_piles: frozenset[str] = frozenset()
    readings: Mapping[str, str] = field(default_factory=dict[str, str])
    branching: frozenset[str] = frozenset()
    stack_depth: int = 24
    partly: bool = False

    @property
    def definitions(self) -> tuple[CardDef, ...]:
        """The distinct definitions, in order of first use."""
        return tuple({c.definition.id: c.definition for c in self.cards}.values())

    @property
    def abilities(self) -> tuple[AbilityDef, ...]:
        """All ability texts of the cards."""
        return tuple(a for d in self.definitions for a in d.abilities)


@dataclass(frozen=True)
class ReadingDef:
    """A reading: its alternatives (or a range of numbers) and its default."""

    id: str
    alternatives: tuple[str, ...]
    default: str
    numbers: tuple[int, int] | None = None
    suggested: tuple[str, ...] = ()

    def allows(self, answer: str) -> bool:
        """Is this one of the answers?"""
        if self.numbers is None:
            return answer in self.alternatives
        return (
            bool(re.fullmatch(r"-?(0|[1-9]\d{0,17})", answer, re.ASCII))
            and self.numbers[0] <= int(answer) <= self.numbers[1]
        )

    def number(self, answer: str) -> int:
        """An answer as a number: itself, or that of the alternative; the first there is where it is none."""
        if self.numbers is not None:
            return int(answer) if self.allows(answer) else self.numbers[0]
        return self.alternatives.index(answer) if answer in self.alternatives else 0

    def refused(self, answer: str, at: Position | None) -> Diagnostic:
        """That this is no answer."""
        said = Text(ja=f"解釈 `{self.id}` に選択肢 `{answer}` はありません", en=f"the reading `{self.id}` has no alternative `{answer}`")
        hint = Text(ja=f"あるのは: {'、'.join(self.alternatives)}", en=f"known: {', '.join(self.alternatives)}")
        if self.numbers is not None:
            said = Text(ja=f"「{answer}」は解釈 `{self.id}` の答えにありません", en=f"`{answer}` is not an answer of the reading `{self.id}`")
            hint = Text(ja=f"{self.numbers[0]} から {self.numbers[1]} の数です", en=f"a number from {self.numbers[0]} to {self.numbers[1]}")
        elif near := nearest(answer, self.alternatives):
            hint = Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?")
        return Diagnostic(at, "no-such-alternative", said, hint, answer)


NEAREST = 5
"""How many readings are named where none is meant."""
KERNEL = Path(__file__).parent.parent / "kernel"
NOWHERE: Mapping[str, Position] = {}


@dataclass(frozen=True)
class Rulebook:
    """The rules of a book as read from its modules: parsed once, compiled for each world.

    `clauses` are the ids the book has; None means that marks are not checked (toy games).
    """

    name: str
    sources: tuple[Source, ...]
    readings: Mapping[str, ReadingDef]
    clauses: frozenset[str] | None = None

    def check_answers(
        self, readings: Mapping[str, str], report: Collector, where: Mapping[str, Position] = NOWHERE
    ) -> None:
        """The readings that are answered exist, and allow these answers; `where`: where those stand."""
        for name, answer in sorted(readings.items()):
            r = self.readings.get(name)
            if r is None:
                report.add(self.unknown_reading(name, where.get(name)))
            elif not r.allows(answer):
                report.add(r.refused(answer, where.get(name)))

    def unknown_reading(self, name: str, at: Position | None = None) -> Diagnostic:
        """That there is no such reading."""
        near = get_close_matches(name, self.readings, NEAREST, 0)
        some = Text(ja=f"この本の解釈は {len(self.readings)}（readings.yaml）。綴りが近いもの: {'、'.join(near)}",
                    en=f"this book has {len(self.readings)} (readings.yaml); nearest by spelling: {', '.join(near)}")
        none = Text(ja="この本に解釈はありません（readings.yaml）", en="this book has none (readings.yaml)")
        return Diagnostic(
            at,
            "unknown-reading",
            Text(ja=f"解釈 `{name}` はありません", en=f"there is no reading `{name}`"),
            did_you_mean(name, self.readings) or (some if near else none),
            name,
        )

    @cached_property
    def digest(self) -> str:
        """A hash of its rules as they are written, its readings and clauses."""
        texts = tuple((s.file, s.text, s.kernel) for s in self.sources)
        return digest((self.name, texts, tuple(sorted(self.readings.items())), self.clauses))


def with_kernel(own: Sequence[Source], report: Collector, kernel: Path = KERNEL) -> tuple[Source, ...]:
    """The kernel modules that a book's own modules import, directly or not, and then its own."""
    found: dict[str, Source] = {}
    todo = list(own)
    while todo:
        source = todo.pop()
        for name in source.imports:
            if name in found:
                continue
            file = kernel / f"{name}.py"
            if not os.path.lexists(file):
                node = next(n for n, x in imported(source) if x == name)
                known = sorted(p.stem for p in kernel.glob("*.py") if p.stem != "__init__")
                Reporter(source, report).refuse(
                    node,
                    "no-such-kernel-module",
                    f"the kernel has no module `{name}`",
                    f"kernel に `{name}` というモジュールはありません",
                    meant(name, known, (f"it has {', '.join(known)}", f"あるのは {'、'.join(known)} です")),
                )
                continue
            read = read_module(f"model/kernel/{name}.py", file_text(file), report, kernel=True)
            if read is not None:
                found[name] = read
                todo.append(read)
    return (*(found[name] for name in sorted(found)), *own)
