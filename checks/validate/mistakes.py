"""Everything that makes a file of a book unusable, all files at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from ...model.engine.library import (
    BookPlace,
    book_cards,
    book_phrases,
    half_a_book,
    load_book,
    read_words,
    reading_def,
    rule_text,
    scenarios_in,
    shown_path,
)
from ...model.engine.table import own_cards, own_mistakes, scenario_mistakes
from ...model.engine.vocabulary import Vocabulary
from ...model.lang.source import Source, read_module
from ...model.lang.world import CardDef, Rulebook, with_kernel
from ...spec.diagnostics import BadInput, Collector, Diagnostic, Position, did_you_mean
from ...spec.phrases import Phrases
from ...spec.readers import (
    Clauses,
    Reading,
    Scenario,
    read_clauses,
    read_readings,
    read_scenario,
    read_terms,
    scenario_partly,
)
from ...spec.reading import stay_inside
from ...spec.text import Text
from ..questions.answers import read_answers
from ..register.asked import answers_of
from ..register.books import check_rulebook, check_rules, entries, open_book
from ..register.hashes import FILE as HASHES
from ..register.hashes import Registered, read_hashes
from ..scenarios.mistakes import refuse_twins

T = TypeVar("T")
DATA = (
    "clauses.yaml",
    "readings.yaml",
    "terms.yaml",
    "words.yaml",
    "phrases.yaml",
    "cards.yaml",
    "questions.yaml",
    "audit.yaml",
)
"""The YAML files that a book can have in its folder."""


@dataclass
class Files:
    """A book's files, as far as they could be read. `mistakes`: why the others could not, and what is wrong between them."""

    name: str
    place: BookPlace
    mistakes: Collector = field(default_factory=Collector)
    clauses: Clauses | None = None
    readings: tuple[Reading, ...] = ()
    words: Vocabulary | None = None
    phrases: Phrases | None = None
    cards: Mapping[str, CardDef] = field(default_factory=dict[str, CardDef])
    registered: Registered | None = None
    sources: list[Source] = field(default_factory=list[Source])
    kernel: list[Source] = field(default_factory=list[Source])
    scenarios: dict[Path, Scenario] = field(default_factory=dict[Path, Scenario])
    read: int = 0
    """How many files were read."""
    together: bool = False
    """Was it looked at what can only be seen of all files: the rules with every card, and what the scenarios name?"""


def look_through(name: str, place: BookPlace, compiled: bool = True) -> Files:
    """Read everything of a book. What is wrong is in `mistakes`; nothing is raised. `compiled`: the rules too, with every card."""
    return _Reading(Files(name, place), compiled).all()


class _Reading:
    def __init__(self, files: Files, compiled: bool) -> None:
        self.files = files
        self.report = files.mistakes
        self.compiled = compiled
        self.partly: list[tuple[Scenario, set[str]]] = []
        """Situations in which something could not be read, and under which keys."""

    def _try(self, read: Callable[[], T], counts: bool = True) -> T | None:
        """What is read; nothing where it is wrong, which is noted."""
        self.files.read += counts
        try:
            return read()
        except BadInput as error:
            self.report.add_all(error.diagnostics)
        return None

    def all(self) -> Files:
        files, folder = self.files, self.files.place.folder
        self._try(lambda: stay_inside(folder), False)
        files.clauses = self._try(lambda: read_clauses(folder / "clauses.yaml"))
        known = files.clauses.ids if files.clauses is not None else None
        if found := self._try(lambda: read_readings(folder / "readings.yaml", known)):
            files.readings = found.readings
        named = known is not None and found is not None
        if (folder / "terms.yaml").exists():
            self._try(lambda: read_terms(folder / "terms.yaml", known))
        if (folder / "words.yaml").exists():
            files.words = self._try(lambda: read_words(folder / "words.yaml"))
        for path in (folder / name for name in ("questions.yaml", "audit.yaml")):
            if path.exists():
                self._try(partial(read_answers, path))
        if (folder / HASHES).exists():
            files.registered = self._try(lambda: read_hashes(folder / HASHES))
        files.phrases = self._try(lambda: book_phrases(folder / "phrases.yaml"), (folder / "phrases.yaml").exists())
        files.cards = self._try(lambda: book_cards(folder, files.phrases)) or {}
        parsed = self._rules()
        for path in scenarios_in(folder):
            self._scenario(path)
        self._try(lambda: refuse_twins([*files.scenarios]), False)
        if files.place.rules is not None:
            self._together(alone=named and parsed)
        elif files.scenarios and (lacking := half_a_book(files.name)) is not None:  # a register alone needs no rules
            self.report.add(lacking)
        return files

    def _rules(self) -> bool:
        """Read the modules of rules. Gives whether nothing is wrong with what they are as texts."""
        rules = self.files.place.rules
        if rules is None:
            return False
        before = len(self.report.diagnostics)
        self._try(lambda: stay_inside(rules), False)
        for path in sorted(rules.glob("*.py")):
            self.files.read += 1
            source = read_module(shown_path(path), rule_text(path, self.report), self.report)
            if source is not None:
                self.files.sources.append(source)
        own = {id(source) for source in self.files.sources}
        self.files.kernel = [s for s in with_kernel(self.files.sources, self.report) if id(s) not in own]
        return before == len(self.report.diagnostics)

    def _scenario(self, path: Path) -> None:
        scenario = self._try(lambda: read_scenario(path))
        if scenario is None:
            self.partly += [found] if (found := scenario_partly(path, Collector())) is not None else []
            return
        self.files.scenarios[path] = scenario
        if scenario.book.value != self.files.name:
            self.report.add(
                Diagnostic(
                    scenario.book.position,
                    "other-book",
                    Text(
                        ja=f"この状況は「{scenario.book.value}」のものですが、「{self.files.name}」のフォルダーにあります",
                        en=f"this situation is one of `{scenario.book.value}`, and lies in the folder of `{self.files.name}`",
                    ),
                    Text(ja=f"「book: {self.files.name}」と書いてください", en=f"write `book: {self.files.name}`"),
                    scenario.book.value,
                )
            )

    def _together(self, alone: bool) -> None:
        """What can only be seen of all files: the rules with every card, and what the scenarios name. Mistakes in files that the book is
        not loaded from, the scenarios among them, do not keep the others from being told; where those in others do, the rules can perhaps be
        looked at `alone`."""
        if self._try(lambda: load_book(self.files.name), False) is None:
            if self.compiled and alone:
                self._try(self._rules_alone, False)
            return
        self.files.together = True
        if self.compiled:
            self._try(lambda: check_rules(self.files.name), False)
            for cards in batches(self.files.scenarios.values()):
                self._try(partial(check_rules, self.files.name, cards), False)
            if not self.report.diagnostics:
                self._try(lambda: answers_of(open_book(self.files.name)), False)
        self._try(self._scenarios_together, False)

    def _rules_alone(self) -> None:
        """What is wrong with the rules, with the cards that could be read."""
        files = self.files
        readings = {r.id.value: reading_def(r) for r in files.readings}
        known = None if files.clauses is None else files.clauses.ids
        book = Rulebook(files.name, (*files.kernel, *files.sources), readings, known)
        check_rulebook(book, [*files.cards.values()])

    def _scenarios_together(self) -> None:
        """What the scenarios name."""
        known = [entry for source in self.files.sources for entry in entries(source)]
        for scenario, wrong in self.partly:
            if scenario.book.value == self.files.name:
                self.report.add_all(own_mistakes(scenario_mistakes(scenario, ranges=False), wrong))
        for scenario in (s for s in self.files.scenarios.values() if s.book.value == self.files.name):
            self.report.add_all(scenario_mistakes(scenario, ranges=self.compiled))
            if scenario.begin is not None and scenario.begin.value not in known:
                self.report.add(Diagnostic(scenario.begin.position, "no-such-entry", Text(
                    ja=f"`{scenario.begin.value}` という始まりはありません", en=f"there is no entry `{scenario.begin.value}`",
                ), did_you_mean(scenario.begin.value, known), scenario.begin.value))


def batches(scenarios: Iterable[Scenario]) -> list[list[CardDef]]:
    """The situations' own cards in as few lists as will do, none with two cards of one number; what is wrong with them is told elsewhere."""
    found: list[dict[str, CardDef]] = []
    for scenario in scenarios:
        with suppress(BadInput):
            own = {card.id: card for card in own_cards(scenario)}
            fitting = next((b for b in found if not b.keys() & own.keys()), None)
            if own and fitting is None:
                found.append(own)
            elif fitting is not None:
                fitting.update(own)
    return [[*batch.values()] for batch in found]


def first_line(path: Path) -> Position:
    """The beginning of a file."""
    return Position(str(path), 1, 1)

