"""Books and scenarios, and what a check of a scenario finds."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...model.engine import library
from ...model.engine.table import open_table
from ...spec.diagnostics import BadInput, Diagnostic, did_you_mean
from ...spec.readers import Numbers, Reading, read_scenario
from ...spec.text import Text
from ..findings.record import CheckResult
from ..runs import session
from ..scenarios.options import CheckOptions
from ..scenarios.saved_plays import read_play, way_of
from ..scenarios.subjects import scenario_paths, subject_of
from .plays import Play


def books() -> list[str]:
    """The names of all books that there are: the shipped ones, and those of the user's folders (`RULEWRIGHT_BOOKS`)."""
    return library.book_names()


def open_book(name: str) -> Book:
    """A book by its name. Raises BadInput with everything that is wrong with its files."""
    known = books()
    if name not in known:
        raise BadInput(
            [
                Diagnostic(
                    None,
                    "unknown-book",
                    Text(ja=f"「{name}」という本はありません", en=f"there is no book {name!r}"),
                    did_you_mean(name, known),
                    name,
                )
            ]
        )
    return Book(library.load_book(name))


def open_scenario(target: str | Path, readings: Mapping[str, str] | None = None) -> Scenario:
    """A scenario by `book/scenario` or by its file. Raises BadInput."""
    paths = scenario_paths(str(target))
    if len(paths) != 1:
        raise BadInput(
            [
                Diagnostic(
                    None,
                    "not-one-scenario",
                    Text(ja=f"`{target}` は一つの状況ではありません", en=f"`{target}` is not one scenario"),
                    Text(ja="本/状況 の形で書いてください", en="write book/scenario"),
                    str(target),
                )
            ]
        )
    return Scenario(paths[0], readings or {})


class Book:
    """A rule book: its clauses, readings, cards, and the scenarios that were written for it."""

    def __init__(self, book: library.Book) -> None:
        self._book = book

    @property
    def name(self) -> str:
        """By which it is asked for."""
        return self._book.name

    @property
    def title(self) -> Text:
        """What it is called."""
        return self._book.vocabulary.title

    @property
    def clauses(self) -> Mapping[str, Text]:
        """The gist of each clause."""
        return self._book.gists

    @property
    def readings(self) -> Mapping[str, tuple[str, ...]]:
        """What can be read in several ways, with the answers; the default first."""
        return {
            name: (r.default.value, *(a for a in answers_of(r) if a != r.default.value))
            for name, r in self._book.readings.items()
        }

    @property
    def cards(self) -> Mapping[str, Text]:
        """The cards by their numbers, with their names."""
        return {number: card.name for number, card in self._book.cards.items()}

    @property
    def scenarios(self) -> list[str]:
        """The names of its scenarios."""
        return [path.stem for path in self._book.scenarios]

    def scenario(self, name: str, readings: Mapping[str, str] | None = None) -> Scenario:
        """One of its scenarios. Raises BadInput."""
        return open_scenario(f"{self.name}/{name}", readings)

    def __repr__(self) -> str:
        return f"<Book {self.name}: {len(self.clauses)} clauses, {len(self.cards)} cards, {len(self.scenarios)} scenarios>"


class Scenario:
    """A situation under answers to readings (the defaults unless told). Raises BadInput where it cannot be made ready."""

    def __init__(self, path: Path, readings: Mapping[str, str]) -> None:
        self.path = path
        self.readings = dict(readings)
        self._subject = subject_of(open_table(read_scenario(path), self.readings), symmetry=False)

    @property
    def title(self) -> Text:
        """What it is called."""
        return self._subject.title

    @property
    def beginnings(self) -> int:
        """How many positions play may begin with (more than one where all orders of a deck are gone through)."""
        return len(self._subject.starts)

    def play(self, beginning: int = 0) -> Play:
        """A play that has just begun."""
        return Play(self._subject, beginning)

    def load(self, path: str | Path) -> Play:
        """A play that `Play.save`, or `rulewright play --save`, wrote. Raises BadInput where it is none, or does not fit the rules as they are."""
        record = read_play(Path(path))
        way, last = way_of(record, self._subject)
        taken = tuple(self._subject.engine.options(state).index(option) for state, option in way)
        return Play(self._subject, record.log.start, tuple(state for state, _ in way), taken, last)

    def check(self, max_states: int | None = None, max_seconds: float | None = None) -> CheckResult:
        """All checks of this scenario under these readings: findings with their plays, and what was examined within which bounds. A limit that
        is not above zero is a ValueError."""
        for name, limit in (("max_states", max_states), ("max_seconds", max_seconds)):
            if limit is not None and not limit > 0:
                raise ValueError(f"{name} needs a positive number, not {limit}")
        options = CheckOptions(
            self.readings, max_states=max_states, max_seconds=max_seconds, defaults_only=True, remembered=False
        )
        return session.check(self.path, options)[0]

    def __repr__(self) -> str:
        return f"<Scenario {self._subject.book}/{self._subject.scenario}: {self.title.en}>"


def answers_of(reading: Reading) -> list[str]:
    """The answers to a reading; of one that is a number, those worth trying."""
    if isinstance(reading.answers, Numbers):
        return [str(n.value) for n in reading.answers.suggested]
    return [a.id.value for a in reading.answers]
