"""Compiling and playing small programs of the rule language: shared by the tests."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rulewright.model.engine.interpreter import Code, Interpreter
from rulewright.model.engine.library import card_def
from rulewright.model.engine.state import End, Option, State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Function, Program
from rulewright.model.lang.compile import Rulebook, compile_book
from rulewright.model.lang.world import with_kernel
from rulewright.model.lang.source import Source, read_source
from rulewright.model.lang.world import CardCopy, CardDef, ReadingDef, World
from rulewright.spec.diagnostics import BadInput, Collector, Diagnostic
from rulewright.spec.readers import read_cards

HEAD = "from rulewright.model.lang import *\n"

READINGS = {
    "hand-limit": ReadingDef("hand-limit", ("seven", "eight", "none"), "seven"),
    "first-draw": ReadingDef("first-draw", (), "1", (0, 3), ("1",)),
}
KERNEL = Path(__file__).parent / "kernel"
"""Modules made for these tests, in place of the kernel."""
CLAUSES = frozenset({"1.1", "1.2", "1.3", "9.4.3", "10.1.1"})


def compiled(
    text: str | Path, world: World | None = None, entry: str = "main", readings: Mapping[str, ReadingDef] = READINGS,
    clauses: frozenset[str] | None = None, name: str | None = None, keep_unread: bool = False,
    kernel: Path = KERNEL,
) -> Program:
    """The program of one module, given as text or as a file. Raises BadInput with everything that is wrong."""
    if isinstance(text, Path):
        name, text = name or text.name, text.read_text(encoding="utf-8")
    report = Collector()
    source = read_source(name or "rules.py", text, report)
    report.raise_if_any()
    assert isinstance(source, Source)
    modules = with_kernel([source], report, kernel)
    report.raise_if_any()
    return compile_book(Rulebook("toy", modules, readings, clauses), world or World(), entry, keep_unread)


GOOD = Path(__file__).parent / "good"


def good_program(name: str, text: str | None = None, **how: object) -> Program:
    """A program of `good/` (or a changed text of it), with a copy of each of its cards for each player."""
    cards = GOOD / f"{name}.yaml"
    if cards.exists() and "world" not in how:
        how["world"] = world_of(cards_of(cards))
    return compiled(text or GOOD / f"{name}.py", name=f"{name}.py", **how)  # pyright: ignore[reportArgumentType]


def refused(text: str | Path, **how: object) -> tuple[Diagnostic, ...]:
    """What is wrong with a module; it must be something."""
    try:
        compiled(text, **how)  # pyright: ignore[reportArgumentType]
    except BadInput as e:
        return e.diagnostics
    raise AssertionError("nothing is wrong with it")


def world_of(cards: Iterable[CardDef], copies: int = 1, **how: object) -> World:
    """A world in which each player owns so many copies of each card."""
    both = [CardCopy(c, owner) for owner in (0, 1) for c in cards for _ in range(copies)]
    return World(tuple(both), **how)  # pyright: ignore[reportArgumentType]


def cards_of(path: Path) -> tuple[CardDef, ...]:
    """The cards of a YAML file."""
    return tuple(map(card_def, read_cards(path)))


def check_frozen(path: Path, text: str, update: bool) -> None:
    """The text must be that of the file; `--update-frozen` writes it anew."""
    if update:
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"no frozen file {path.name}: make it with pytest --update-frozen, and read it"
    assert text == path.read_text(encoding="utf-8"), f"{path.name} differs: look, then pytest --update-frozen"


# ---------------------------------------------------------------- playing
@dataclass
class Graph:
    """All states that can be reached: their numbers, what leads where, and how play ends."""

    engine: Interpreter
    states: list[State] = field(default_factory=list[State])
    edges: list[tuple[int, Option, int]] = field(default_factory=list[tuple[int, Option, int]])

    @property
    def ends(self) -> list[End]:
        """How play can end, each way once, sorted."""
        return sorted({s.end for s in self.states if s.end is not None})

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of states and of transitions."""
        return len(self.states), len(self.edges)

    def cycle_states(self) -> set[int]:
        """States from which play can come back to the same state."""
        to: dict[int, set[int]] = {k: set() for k in range(len(self.states))}
        for a, _, b in self.edges:
            to[a].add(b)
        out: set[int] = set()
        for k in to:
            seen: set[int] = set()
            todo = list(to[k])
            while todo:
                x = todo.pop()
                if x not in seen:
                    seen.add(x)
                    todo += to[x]
            if k in seen:
                out.add(k)
        return out


class _NothingDead(Code):
    """A function whose locals all count as needed."""

    @cached_property
    def dead(self) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        none: list[tuple[int, ...]] = [()] * len(self.fn.code)
        return none, none


class KeepsDead(Interpreter):
    """The reference engine, but that it does not reset dead locals."""

    def code_of(self, number: int, fn: Function) -> Code:
        return _NothingDead(number, fn, self)


def explored(program: Program, limit: int = 20_000, engine_of: type[Interpreter] = Interpreter, **how: object) -> Graph:
    """Everything that can be reached, breadth first."""
    engine = engine_of(program, **how)  # pyright: ignore[reportArgumentType]
    g = Graph(engine, [engine.start().state])
    number = {g.states[0]: 0}
    for k, state in enumerate(g.states):
        at = engine.point(state)
        for option in at.options if at is not None else ():
            after = engine.apply(state, option).state
            if after not in number:
                number[after] = len(g.states)
                g.states.append(after)
                assert len(g.states) <= limit, "too many states"
            g.edges.append((k, option, number[after]))
    return g


def read(program: Program, state: State, *names: str) -> tuple[int, ...]:
    """Slots by name (`life[0]`, `mark.count`)."""
    at = {s.name: k for k, s in enumerate(program.layout.slots)}
    return tuple(state.slots[at[n]] for n in names)


def outcomes(g: Graph, *names: str) -> dict[tuple[object, ...], int]:
    """How play can end: (kind, who or detail, values of the slots) → in how many states."""
    out: dict[tuple[object, ...], int] = {}
    for s in g.states:
        if s.end is not None:
            said = s.end.who if s.end.kind == "win" else s.end.detail
            key = (s.end.kind, said, *read(g.engine.program, s, *names))
            out[key] = out.get(key, 0) + 1
    return out


def labels(program: Program) -> dict[str, list[str]]:
    """For each procedure, where transitions end: `loop`, `choice` and `call f`, in the order of the code."""
    out: dict[str, list[str]] = {}
    for f in program.functions.values():
        for i in f.code:
            match i:
                case ir.Label():
                    what = "loop"
                case ir.Choose() | ir.ChooseSome() | ir.Consult():
                    what = "choice"
                case ir.Invoke(function=g, stop=True):
                    what = f"call {g}"
                case _:
                    continue
            out.setdefault(f.name, []).append(what)
    return out
