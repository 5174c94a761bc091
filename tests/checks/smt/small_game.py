"""Small games with cards, for what is proved of them: rules as text, and how many cards of which sort each player has."""
from __future__ import annotations

from collections.abc import Mapping

from rulewright.checks.smt.prover import ALONE, Prover
from rulewright.checks.smt.results import Kept
from rulewright.checks.smt.sorts import marked
from rulewright.model.ir.program import Program
from rulewright.model.lang.compile import Rulebook, compile_book
from rulewright.model.lang.source import Source, read_source
from rulewright.model.lang.world import CardCopy, CardDef, Word, World, with_kernel
from rulewright.spec.diagnostics import Collector, Position
from rulewright.spec.text import Text

HEAD = "from rulewright.model.lang import *\n"
NOWHERE = Position("cards", 1, 1)
COPIES = 4


def game(rules: str, sorts: Mapping[str, Mapping[str, str]], copies: int = COPIES) -> tuple[Program, list[int]]:
    """The program of a game in which each player has so many cards of each sort (name, and what is printed), with the cards' owners."""
    report = Collector()
    source = read_source("rules.py", HEAD + rules, report)
    report.raise_if_any()
    assert isinstance(source, Source)
    definitions = [CardDef(name, Text(ja=name, en=name), NOWHERE, {k: Word(v, NOWHERE) for k, v in printed.items()})
                   for name, printed in sorts.items()]
    cards = tuple(CardCopy(d, who) for who in (0, 1) for d in definitions for _ in range(copies))
    modules = with_kernel([source], report)
    report.raise_if_any()
    return compile_book(Rulebook("small", modules, {}), World(cards), "main"), [c.owner for c in cards]


def proved(rules: str, sorts: Mapping[str, Mapping[str, str]], condition: str, extent: int = ALONE) -> Kept:
    """What is found of a condition when all cards lie in the first zone."""
    return prover(rules, sorts, condition, extent).prove()


def prover(rules: str, sorts: Mapping[str, Mapping[str, str]], condition: str, extent: int = ALONE) -> Prover:
    """A prover of a condition when all cards lie in the first zone."""
    program, owners = game(rules, sorts)
    return Prover(marked(program), condition, owners, beginning(program), 5, extent=extent)


def beginning(program: Program) -> list[int]:
    """The slots play begins with when all cards lie in the first zone."""
    first = [s.initial for s in program.layout.slots]
    first[program.layout.location:program.layout.location + program.layout.card_count] = [0] * program.layout.card_count
    return first

