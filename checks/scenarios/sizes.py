"""How large a rule book's model is: what is modelled, and how large a state is in each shipped scenario."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log2

from ...model.engine.library import load_book
from ...model.engine.table import open_table
from ...model.ir import nodes as ir
from ...model.ir.program import Function, Program
from ...spec.readers import read_scenario


@dataclass(frozen=True)
class StateSize:
    """One scenario. `numbers` and `bits` are those of the state (each number in as many bits as its domain needs), the
    stack aside; `frame` the most numbers that one frame keeps at a label; `labels` the places where play can stop."""

    scenario: str
    cards: int
    numbers: int
    bits: int
    frame: int
    labels: int


@dataclass(frozen=True)
class BookSizes:
    """What a book's model consists of. `rules` counts them by kind (define, step, procedure, verdict …)."""

    book: str
    modules: int
    lines: int
    rules: dict[str, int]
    clauses: int
    cited: int
    readings: int
    modelled_readings: int
    cards: int
    states: tuple[StateSize, ...]


def sizes(name: str, seen: Callable[[str], None] | None = None) -> BookSizes:
    """Measure a book; `seen` is told each scenario before it is opened. Raises BadInput."""
    book = load_book(name)
    states: list[StateSize] = []
    for path in book.scenarios:
        if seen is not None:
            seen(path.stem)
        table = open_table(read_scenario(path), {})
        states.append(state_size(path.stem, table.program))
    cited = {c for source in book.rulebook.sources for ids in source.clauses.values() for c in ids}
    return BookSizes(
        name,
        len(book.rulebook.sources),
        sum(1 for s in book.rulebook.sources for line in s.text.splitlines() if line.strip()),
        dict(Counter(kind for s in book.rulebook.sources for kind in kinds(s.text))),
        len(book.rulebook.clauses or ()),
        len(cited),
        len(book.readings),
        sum(r.status.value == "modelled" for r in book.readings.values()),
        len(book.cards),
        tuple(sorted(states, key=lambda s: (-s.numbers, s.scenario))),
    )


def kinds(text: str) -> list[str]:
    """The kinds of the rules in a module: the decorators that stand above them."""
    lines = text.splitlines()
    return [
        line.removeprefix("@").partition("(")[0]
        for line, following in pairwise(lines)
        if line.startswith("@") and not line.startswith(("@settled_by", "@entry", "@known_as"))
        and following.startswith(("def ", "async def ", "@"))
    ]


def state_size(scenario: str, program: Program) -> StateSize:
    """The size of the scenario's states, and the number of labels of its program."""
    procedures = [f for f in program.functions.values() if f.kind == "procedure"]
    return StateSize(
        scenario,
        program.layout.card_count,
        len(program.layout.slots),
        sum(bits(s.type.hi - s.type.lo + 1) for s in program.layout.slots),
        max((len(f.locals) for f in procedures), default=0),
        sum(labels(f) for f in procedures),
    )


def bits(values: int) -> int:
    """How many bits tell so many values apart."""
    return ceil(log2(values)) if values > 1 else 0


def labels(function: Function) -> int:
    """The places of a procedure where a transition can end."""
    return sum(
        isinstance(i, ir.Choose | ir.ChooseSome | ir.Consult | ir.Label) or (isinstance(i, ir.Invoke) and i.stop)
        for i in function.code
    )
