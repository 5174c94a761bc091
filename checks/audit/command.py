"""`rulewright audit`: the silent choices of a book's rules, shown."""
from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...model.engine.library import load_book
from ..console.shell import complaint
from ..console.terminal import ProgressLine, Terminal
from ..findings.as_json import SCHEMA, plain
from ..findings.formats import markdown
from ..findings.layout import Facts, Para, layout
from ..findings.page import speaker
from ..limits.interrupt import Interrupt
from ..native.team import cores
from ..questions.answers import read_answers
from ..runs.together import Desk, done_together
from ..runs.together import Outcome as Done
from . import words
from .asking import choices_of
from .page import audit_page
from .record import Audit, Choice, Kind, Outcome, Tried
from .trying import SCENARIOS, STATES, Trials, Visited, outcomes, visited

FILE = "audit.yaml"
"""The file in a book's folder that keeps answers."""
PIECE = 6
"""Choices that a process looks at before it tells how far it is."""


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line."""

    book: str
    kinds: tuple[Kind, ...] = tuple(Kind)
    answers: Path | None = None
    seconds: float | None = None
    threads: int | None = None


def kinds_of(names: Sequence[str]) -> tuple[Kind, ...]:
    """The kinds that are named; all if none is. Raises BadInput."""
    known = {k.value: k for k in Kind}
    for name in names:
        if name not in known:
            raise complaint("kind", words.NO_KIND, name, known)
    return tuple(known[n] for n in names) or tuple(Kind)


def run(terminal: Terminal, asked: Request, everything: bool, form: str) -> tuple[bool, bool]:
    """Look and show: was anything found, and was it interrupted? Raises BadInput."""
    interrupt, line = Interrupt(), ProgressLine(terminal)
    with interrupt, closing(line):
        found = audit(asked, lambda text, **values: line(terminal.phrase(text, **values)), interrupt)
    if form == "json":
        terminal.json(as_data(found))
    else:
        blocks = [*audit_page(found, speaker(terminal.lang), everything)]
        if found.of(Tried.PARTED):
            blocks += [Facts(""), Para(terminal.phrase(words.NEXT, file=FILE))]
        if form == "markdown":
            terminal.say("\n".join(markdown(blocks)))
        else:
            terminal.show(layout(blocks, terminal.width, terminal.fit))
    if found.unmatched:
        terminal.tell(words.UNMATCHED, ids=", ".join(found.unmatched))
    return bool(found.of(Tried.PARTED)), interrupt()


Tell = Callable[..., None]


def audit(asked: Request, tell: Tell, stopped: Callable[[], bool]) -> Audit:
    """The silent choices of a book, tried by all processors. Raises BadInput."""
    book = load_book(asked.book)
    path = asked.answers or book.folder / FILE
    answers = read_answers(path) if asked.answers is not None or path.exists() else {}
    until = None if asked.seconds is None else time.monotonic() + asked.seconds
    processes = asked.threads or cores()
    found = choices_of(book, asked.kinds)
    choices = [c for c in found.choices if c.id not in answers]
    cut, visits = "", dict[str, Visited]()
    if choices:
        paths = book.scenarios
        noted: list[Done[Visited]] = done_together(
            [partial(visit, p) for p in paths],
            min(processes, len(paths)),
            until,
            told=lambda n: tell(words.PREPARING, done=n, all=len(paths)),
            stopped=stopped,
        )
        visits = {one.found.scenario: one.found for one in noted if one.found is not None}
        cut = next((one.cut for one in noted if one.cut), "")
    pieces = [choices[k : k + PIECE] for k in range(0, len(choices), PIECE)]
    total = Counts()
    done: list[Done[list[Outcome]]] = (
        []
        if cut
        else done_together(
            [partial(try_some, asked.book, visits, piece) for piece in pieces],
            min(processes, max(1, len(pieces))),
            until,
            told=lambda now: tell(words.PROGRESS, done=min(len(choices), total.seen(now) * PIECE), all=len(choices)),
            stopped=stopped,
        )
    )
    came = {o.choice.id: o for one in done for o in one.found or ()}
    cut = cut or next((one.cut for one in done if one.cut), "")
    results = tuple(came.get(c.id) or Outcome(c, Tried.CUT) for c in choices)
    return Audit(
        asked.book,
        len(found.choices) + found.fixed,
        results,
        found.fixed,
        len(visits),
        STATES,
        SCENARIOS,
        cut,
        tuple(c.id for c in found.choices if c.id in answers),
        tuple(sorted({*answers} - {c.id for c in found.choices})) if {*asked.kinds} == {*Kind} else (),
    )


class Counts:
    """How many pieces are done, as far as it is told."""

    def __init__(self) -> None:
        self.done = 0

    def seen(self, now: object) -> int:
        if isinstance(now, int):
            self.done = now
        return self.done


def visit(path: Path, desk: Desk) -> Visited:
    """What a scenario comes to."""
    return visited(path)


def try_some(name: str, visits: dict[str, Visited], choices: Sequence[Choice], desk: Desk) -> list[Outcome]:
    """What comes of some choices."""
    return outcomes(Trials(load_book(name), visits, desk.stop), choices, desk.keep)


def as_data(found: Audit) -> dict[str, Any]:
    """For programs."""
    def one(o: Outcome) -> dict[str, Any]:
        c, shown = o.choice, o.shown
        return {
            "id": c.id,
            "sort": c.kind.value,
            "basis": c.basis.name.lower().replace("_", "-"),
            "file": c.file,
            "line": c.line,
            "last": c.last,
            "rule": c.rule,
            "code": c.code,
            "instead": c.instead,
            "clauses": list(c.clauses),
            "quiet": c.quiet,
            "tried": o.tried.value,
            "scenarios": o.scenarios,
            "limited": o.limited,
            "shown": None
            if shown is None
            else {
                "scenario": shown.scenario,
                "stake": shown.stake.name.lower(),
                "differs": plain(shown.differs),
                "position": None if shown.position is None else plain(shown.position),
                "steps": [plain(s) for s in shown.steps],
            },
        }

    return {
        "schema": SCHEMA,
        "kind": "audit",
        "book": found.book,
        "places": found.places,
        "fixed": found.fixed,
        "scenarios": found.scenarios,
        "states": found.states,
        "most_scenarios": found.most_scenarios,
        "cut": found.cut or None,
        "answered": list(found.answered),
        "choices": [one(o) for o in found.outcomes],
    }
