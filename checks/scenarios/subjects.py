"""From scenario files to subjects: each scenario under each reading set it is to be checked with."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ...model.engine.library import book_names, book_places, half_a_book, load_book, scenarios_in
from ...model.engine.state import State
from ...model.engine.table import Table, open_table
from ...spec.diagnostics import BadInput, Diagnostic, Position, nearest, shown
from ...spec.readers import Scenario, read_scenario
from ...spec.schema import Located
from ...spec.text import Text
from ..explore.explorer import Limits
from ..explore.subject import Subject, equal_cards
from ..explore.symmetry import Symmetry
from ..findings import words
from ..findings.record import Assumption, Certainty, Given, Origin

"""The rule of a book that says of a player whether that player's deck may be played with."""
DEFAULT_STATES = 200_000
"""States explored at most where neither the scenario nor the caller says otherwise."""


YAML = (".yaml", ".yml")


def scenario_paths(target: str) -> list[Path]:
    """The scenario files a book's name, `book/scenario` or a path means. Raises BadInput."""
    if target in book_names():
        return load_book(target).scenarios
    path = Path(target)
    if (path / "clauses.yaml").is_file() and any((path / "rules").glob("*.py")):
        raise by_name(path)
    if path.is_dir() and (half := half_a_book(path.name)) is not None:
        raise BadInput([half])
    return [path if path.suffix in YAML or path.exists() else shipped(target)]


def shipped(target: str) -> Path:
    """The scenario file that `book/scenario` means, by the name of its file or its id. Raises BadInput."""
    books = book_names()
    book, _, name = target.partition("/")
    if book in books and name:
        known = {p.stem: p for p in load_book(book).scenarios}
        if name in known:
            return known[name]
        for path in known.values():
            with suppress(BadInput):
                if read_scenario(path).id.value == name:
                    return path
        raise unknown(target, [f"{book}/{stem}" for stem in known])
    raise unknown(
        target,
        [*books, *(f"{name}/{p.stem}" for name, place in book_places().items() for p in scenarios_in(place.folder))],
    )


def scenario_beside(folder: Path, name: str) -> Path:
    """The scenario that a file in this folder names: a shipped one, or the path of a YAML file from there; whoever wrote it does not choose
    what else is read, and shown where it is wrong. Raises BadInput."""
    beside = folder / name
    return beside if beside.suffix in YAML else shipped(name)


def is_shipped(scenario: Path, book: str) -> bool:
    """Is it one of the book's own scenarios?"""
    return book in book_names() and scenario.resolve().is_relative_to(load_book(book).folder.resolve())


def by_name(folder: Path) -> BadInput:
    """Complain of a book that is called by its folder."""
    options = f"{shlex.quote(folder.resolve().name)} --books {shlex.quote(os.path.relpath(folder.resolve().parent))}"
    said = Text(ja="本はフォルダーではなく名前で指定します", en="a book is called by its name, not by its folder")
    hint = Text(ja=f"`{options}` と書いてください", en=f"write `{options}`")
    return BadInput([Diagnostic(Position(shown(str(folder)), 1, 1), "book-by-folder", said, hint, str(folder))])


def unknown(target: str, known: list[str]) -> BadInput:
    near = nearest(target, known)
    return BadInput(
        [
            half_a_book(target.split("/")[0]) or Diagnostic(
                None,
                "unknown-target",
                Text(
                    ja=f"`{target}` という本・シナリオ・ファイルはありません",
                    en=f"there is no book, scenario or file `{target}`",
                ),
                Text(
                    ja=f"`{near}` ではありませんか" if near else "本の名前か、YAML ファイルを指定してください",
                    en=f"did you mean `{near}`?" if near else "name a book, book/scenario, or a YAML file",
                ),
                target,
            )
        ]
    )


def reading_sets(scenario: Scenario, given: Mapping[str, str]) -> list[dict[str, Located[str] | str]]:
    """The reading sets to check: the one asked for, or those the scenario pins, or its own."""
    if given or not scenario.expect:
        return [dict(given)]
    distinct: dict[tuple[tuple[str, str], ...], dict[str, Located[str] | str]] = {}
    for e in scenario.expect:
        distinct.setdefault(tuple(sorted((k, v.value) for k, v in e.readings.items())), dict(e.readings))
    return list(distinct.values())


def subject_of(table: Table, symmetry: bool) -> Subject:
    """The table as a subject of checks."""
    classes = equal_cards(table.engine, table.world.cards)
    begin = table.scenario.begin
    from_setup = (begin is None or begin.value == "setup") and nothing_is_given(table) and decks_are_legal(table)
    return Subject(
        book=table.book.name,
        scenario=table.scenario.id.value,
        file=table.scenario.position.file,
        title=table.scenario.title,
        program=table.program,
        engine=table.engine,
        describer=table.describer,
        positions=table.positions,
        starts=table.starts,
        readings=table.readings,
        certainty=Certainty.FROM_SETUP if from_setup else Certainty.FROM_POSITION,
        invented_cards=any(c.definition.abilities and c.definition.sample for c in table.world.cards),
        origin=origin_of(table, from_setup),
        policies=table.policies,
        symmetry=Symmetry(table.program, classes) if symmetry and classes else None,
        assumptions=(*(table.book.vocabulary.assumptions or (words.NOT_BY_WORD,)), words.ALL_IS_SEEN),
        defaults={
            r: (d.clauses[0].value, d.default.value)
            for r, d in table.book.readings.items()
            if r in table.program.consulted
        },
        given=decks_of(table),
    )


def decks_of(table: Table) -> tuple[Assumption, ...]:
    """How the decks lie, where there is one in which it matters."""
    layout, slots = table.program.layout, table.positions[0]
    piles: dict[int, set[str]] = {}
    for c, copy in enumerate(table.world.cards):
        zone = slots[layout.location + c]
        if zone >= 0 and layout.zones[zone].field in table.book.shuffled_piles:
            piles.setdefault(zone, set()).add(copy.definition.id)
    several = any(len(kinds) > 1 for kinds in piles.values())
    return (Assumption(Given.DECKS, (table.scenario.deck_order.value,)),) if several else ()


def nothing_is_given(table: Table) -> bool:
    """Does every field have the value that a game begins with, but where cards lie?"""
    layout = table.program.layout
    placed = {first + c for first in (layout.location, layout.rank) for c in range(layout.card_count)} | set(
        layout.given.values()
    )
    return all(
        slots[k] == s.initial for slots in table.positions for k, s in enumerate(layout.slots) if k not in placed
    )


def decks_are_legal(table: Table) -> bool:
    """May a game be played with these decks, as far as the book says? What happens with others is no play from the
    preparation on, but from a position that is given."""
    legal = table.program.known_as.get("legal deck")
    if legal not in table.program.functions:
        return True
    decks = State(tuple(table.positions[0]), ())
    return all(table.engine.evaluate(legal, decks, [p]) == 1 for p in (0, 1))


def origin_of(table: Table, from_setup: bool) -> Origin:
    """What it takes to come to what the table shows: the texts of its cards, and where they come from."""
    texts = [c.definition for c in table.world.cards if c.definition.abilities]
    if any(d.sample for d in texts):
        return Origin.INVENTED
    return Origin.CARDS if texts or not from_setup else Origin.ORDINARY


def limits_of(scenario: Scenario, states: int | None, seconds: float | None, memory_mib: int | None) -> Limits:
    """The caller's limits, else the scenario's, else the usual ones."""
    b = scenario.bounds
    return Limits(
        states or b.states or DEFAULT_STATES, b.depth, b.turns, seconds or b.seconds, memory_mib or b.memory_mib
    )


__all__ = [
    "Scenario",
    "Subject",
    "Table",
    "limits_of",
    "open_table",
    "read_scenario",
    "reading_sets",
    "scenario_paths",
    "subject_of",
]
