"""The rule books: rules, clauses, readings, words and cards, read once.

Besides the shipped ones there are those of the user's own folders: the folders named in `RULEWRIGHT_BOOKS` (that is
what `--books` sets), `spec/` where the command is given, and the place itself. A book there is a folder with `clauses.yaml`; its
rules are in `rules/` in it, or in `model/games/<book>/` beside `spec/`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from ...spec import BOOKS
from ...spec.diagnostics import BadInput, Collector, Diagnostic, Position, look, nearest, shown
from ...spec.document import Node, TextNode
from ...spec.filling import as_known
from ...spec.kept import made
from ...spec.lasting import lasting_names as names_in
from ...spec.phrases import STATEMENTS, Phrases, read_phrases
from ...spec.readers import (
    Ability,
    Card,
    Clauses,
    Numbers,
    Raw,
    Reading,
    read_cards,
    read_clauses,
    read_readings,
)
from ...spec.reading import MIB, decoded, file_bytes, plain_bytes, stay_inside
from ...spec.schema import Located, bilingual, list_of, map_of, read_file, record, refuse, text, title
from ...spec.tables import TABLES, card_table
from ...spec.text import Text
from ..ir.program import Layout
from ..lang.source import Source, read_module
from ..lang.world import AbilityDef, CardDef, ReadingDef, Rulebook, Script, Word, script_source, with_kernel
from .compiled import kept_layout
from .spellings import Spellings, piles_shuffled_in, spellings
from .vocabulary import Vocabulary

RULES = Path(__file__).parent.parent / "games"
LARGEST_RULES = 2 * MIB
"""Bytes of a rule module."""


def spec_folder() -> Path:
    """Where the books' data lie (beside this package when installed from a checkout or a wheel)."""
    return Path(__file__).parents[2] / "spec"


@dataclass(frozen=True)
class Book:
    """A rule book, ready to be compiled for scenarios."""

    name: str
    rulebook: Rulebook
    clauses: Clauses
    readings: Mapping[str, Reading]
    vocabulary: Vocabulary
    cards: Mapping[str, CardDef]
    folder: Path
    phrases: Phrases | None
    """The phrases of its card texts, if it has any."""
    data: str
    """A hash of the files in its folder, as they were before it was read."""
    spelt: Spellings

    @property
    def scenarios(self) -> list[Path]:
        """The shipped scenarios, in the order of their names."""
        return scenarios_in(self.folder)

    @cached_property
    def shuffled_piles(self) -> frozenset[str]:
        """The piles that some rule shuffles."""
        return made("shuffles", self.rulebook.digest, lambda: piles_shuffled_in(s.tree for s in self.rulebook.sources))

    @cached_property
    def gists(self) -> Mapping[str, Text]:
        """The gist of every clause."""
        return {c.id.value: c.gist for c in self.clauses.clauses}


def scenarios_in(folder: Path) -> list[Path]:
    """The scenarios in a book's folder, in the order of their names; for a book that cannot be loaded, too."""
    return sorted((folder / "scenarios").glob("*.yaml"))


@dataclass(frozen=True)
class BookPlace:
    """Where a book lies: its data, and its rules if it has any."""

    folder: Path
    rules: Path | None


def folders_of_books() -> list[Path]:
    """Where books lie: the named folders, then the shipped ones, then `spec/` here, then here."""
    named = [Path(p) for p in os.environ.get(BOOKS, "").split(os.pathsep) if p]
    return [folder for folder in (*named, spec_folder(), Path("spec"), Path()) if folder.is_dir()]


def book_places() -> dict[str, BookPlace]:
    """Every book that can be found, by name. The first of a name counts."""
    shipped = spec_folder()
    places: dict[str, BookPlace] = {}
    for folder in folders_of_books():
        for book in sorted(folder.iterdir()):
            if (book / "clauses.yaml").is_file():
                rules = rules_folder(book, RULES if folder == shipped else folder.parent / "model" / "games")
                places.setdefault(book.name, BookPlace(book, rules))
    return places


def rules_folder(book: Path, games: Path) -> Path | None:
    """The folder of a book's rules: `rules/` in its own folder, else the one of its name among the games."""
    return next((folder for folder in (book / "rules", games / book.name) if any(folder.glob("*.py"))), None)


def half_a_book(name: str) -> Diagnostic | None:
    """Of a folder of this name that is no book, since one of the two things is missing that every book has: which."""
    place = book_places().get(name)
    rules = [folder / name for folder in folders_of_books() if any((folder / name / "rules").glob("*.py"))]
    lacks = place.folder / "rules" if place is not None else rules[0] / "clauses.yaml" if rules else None
    if lacks is None or (place is not None and place.rules is not None):
        return None
    return Diagnostic(
        Position(shown_path(lacks), 1, 1), "half-a-book",
        Text(ja="そこに規則のファイル（.py）がありません", en="there are no rules (.py files) in it") if place is not None else
        Text(ja="このファイルがありません", en="there is no such file"),
        Text(ja="本のフォルダーには clauses.yaml（条文の一覧）と rules/（規則）が要ります。始め方: rulewright new --help",
             en="the folder of a book has clauses.yaml (a list of clauses) and rules/; to begin one: rulewright new --help"))


def book_names() -> list[str]:
    """The books that have rules."""
    return sorted(name for name, place in book_places().items() if place.rules is not None)


@cache
def load_book(name: str) -> Book:
    """Read a book. Raises BadInput for an unknown one, or for errors in its files."""
    place = book_places().get(name)
    if place is None or place.rules is None:
        known = book_names()
        near = nearest(name, known)
        raise BadInput([half_a_book(name) or Diagnostic(None, "unknown-book", Text(
            ja=f"`{name}` という本はありません", en=f"there is no book `{name}`",
        ), Text(
            ja=f"`{near}` ではありませんか" if near else "あるのは: " + "、".join(known),
            en=f"did you mean `{near}`?" if near else "known: " + ", ".join(known),
        ), name)])
    folder = place.folder
    stay_inside(folder)
    stay_inside(place.rules)
    data = hash_of_files(folder)  # before they are read: what is edited meanwhile is then not taken for what was read
    clauses = read_clauses(folder / "clauses.yaml")
    readings = {r.id.value: r for r in read_readings(folder / "readings.yaml", clauses.ids).readings}
    report = Collector()
    sources = [read_module(shown_path(p), rule_text(p, report), report) for p in sorted(place.rules.glob("*.py"))]
    report.raise_if_any()
    modules = with_kernel([s for s in sources if isinstance(s, Source)], report)
    report.raise_if_any()
    vocabulary = read_words(folder / "words.yaml")
    rulebook = Rulebook(
        name,
        modules,
        {k: reading_def(r) for k, r in readings.items()},
        clauses.ids,
    )
    phrases = book_phrases(folder / "phrases.yaml")
    cards = book_cards(folder, phrases)
    spelt = spellings(modules, phrases, cards.values(), report)
    report.raise_if_any()
    return Book(
        name,
        rulebook,
        clauses,
        readings,
        vocabulary,
        cards,
        folder,
        phrases,
        data,
        spelt,
    )


SAID_OF_A_BOOK = frozenset({"audit.yaml", "decisions.yaml", "questions.yaml"})
"""Files of a book in which people answer what was asked about it: they change nothing of play."""


def hash_of_files(folder: Path) -> str:
    """A hash of the names and contents of the files directly in a folder that play may depend on."""
    h = hashlib.sha256()
    for path in sorted(p for p in folder.iterdir() if p.is_file() and p.name not in SAID_OF_A_BOOK):
        with suppress(OSError):  # no reader takes it either
            h.update(f"{path.name} {hashlib.sha256(plain_bytes(path)).hexdigest()}\n".encode())
    return h.hexdigest()


def forget_books() -> None:
    """Read every book anew when it is next asked for."""
    for known in (load_book, shape_of, lasting_names):
        known.cache_clear()


@cache
def lasting_names(name: str) -> Mapping[str, str]:
    """The lasting names of a book's clauses that have other numbers now; none of a book that there is not."""
    place = book_places().get(name)
    return {} if place is None else names_in(place.folder)


@cache
def shape_of(name: str) -> Layout:
    """The layout of a book's state without any card: which fields there are."""
    return kept_layout(load_book(name).rulebook)


def rule_text(path: Path, report: Collector) -> str:
    """The text of a rule module; what cannot be read is reported."""
    try:
        return decoded(file_bytes(path, LARGEST_RULES), shown_path(path)).removeprefix("\ufeff")
    except BadInput as error:
        report.add_all(error.diagnostics)
    return ""


def shown_path(path: Path) -> str:
    """A rule module's path as shown to people: of a shipped one, from the package on."""
    return str(Path("model", "games", path.relative_to(RULES)) if path.is_relative_to(RULES) else path)


# ---------------------------------------------------------------- words.yaml
def read_words(path: Path) -> Vocabulary:
    """Read `words.yaml`; a book without one is called by the names of its rules."""
    if not path.exists():
        return Vocabulary(title=Text.same(path.parent.name))
    return read_file(
        path,
        record(
            lambda m: Vocabulary(
                title=m.required("title", title, "題"),
                words=m.required("words", values_of, "語"),
                hidden=frozenset(m.optional("hidden", list_of(text), "非表示") or ()),
                counted=frozenset(m.optional("counted", list_of(text), "枚数のみ") or ()),
                results=frozenset(m.optional("results", list_of(text), "条文の計算結果") or ()),
                seats=m.optional("seats", pair, "先後", default=Vocabulary.seats),
                roles=m.optional("roles", pair, "役割", default=Vocabulary.roles),
                assumptions=m.optional("assumptions", list_of(bilingual), "前提", default=()),
            )
        ),
    )


def values_of(node: Node, report: Collector) -> dict[str, Text]:
    """Names and what they are called."""
    return {k: v.value for k, v in map_of(title)(node, report).items()}


def pair(node: Node, report: Collector) -> tuple[Text, Text]:
    """Two texts in a list."""
    both = list_of(title)(node, report)
    if len(both) != 2:
        refuse(
            node,
            report,
            "two-texts",
            Text(ja="二つの語をリストで書きます", en="two texts belong here, in a list"),
            Text(
                ja="`[{ja: …, en: …}, {ja: …, en: …}]` と書いてください",
                en="write `[{ja: …, en: …}, {ja: …, en: …}]`",
            ),
        )
    return both[0], both[1]


def reading_def(r: Reading) -> ReadingDef:
    """A reading as the compiler needs it."""
    if isinstance(r.answers, Numbers):
        return ReadingDef(
            r.id.value,
            (),
            r.default.value,
            (r.answers.low, r.answers.high),
            tuple(str(s.value) for s in r.answers.suggested),
        )
    return ReadingDef(r.id.value, tuple(a.id.value for a in r.answers), r.default.value)


# ---------------------------------------------------------------- phrases and cards
def book_phrases(path: Path) -> Phrases | None:
    """The book's phrases, if it has any; their rule text is looked at as far as it can be without a card. Raises BadInput."""
    if not path.exists():
        return None
    phrases, report = read_phrases(path), Collector()
    for p in phrases.all():
        for scripts in (p.scripts, *(a.scripts for a in p.also)):
            for key, node in scripts.items():
                if key != "when":
                    check_script(node, key in STATEMENTS, report)
        if p.gives is not None:
            check_script(p.gives, False, report)
    report.raise_if_any()
    return phrases


def check_script(node: TextNode, statements: bool, report: Collector) -> None:
    """Is it rule text, whatever stands in the slots?"""
    plain = TextNode(node.text.replace("$", "_"), node.position, node.style, node.origin)
    script_source(script(plain), not statements, report)


def book_cards(folder: Path, phrases: Phrases | None) -> dict[str, CardDef]:
    """The book's cards: of `cards.yaml`, and of tables beside it (`cards.csv`, `cards-2.xlsx`). Raises BadInput."""
    tables = sorted(p for p in folder.glob("cards*") if p.suffix.lower() in TABLES)
    files = [p for p in (folder / "cards.yaml", folder / "phrases.yaml", *tables) if p.exists()]
    try:
        written = "\n".join(f"{p}\n{plain_bytes(p)!r}" for p in files)
    except OSError:  # told by whoever reads it
        return {c.id.value: card_def(c) for c in known_cards(folder, tables, phrases)}
    read: list[Card] = made("cards", written, lambda: known_cards(folder, tables, phrases))
    return {c.id.value: card_def(c) for c in read}


def known_cards(folder: Path, tables: Sequence[Path], phrases: Phrases | None) -> list[Card]:
    """Those cards, with what the book's phrases say of them (if these could be read). Raises BadInput."""
    report = Collector()
    unread = phrases is None and (folder / "phrases.yaml").exists()
    path = folder / "cards.yaml"
    read: list[Card] = []
    try:
        read += read_cards(path) if path.exists() else ()
    except BadInput as error:
        report.add_all(error.diagnostics)
    sample = any(c.sample for c in read)  # `samples: yes` is said of all cards of the book
    for table in tables:
        read += (replace(c, sample=sample) for c in card_table(table, report, folder))
    cards: dict[str, Card] = {}
    placed: dict[str, Position] = {}
    for c in read:
        if (first := placed.setdefault(look(c.id.value), c.position)) is not c.position and not same_file(
            first, c.position
        ):
            report.add(Diagnostic(c.id.position, "card-twice", Text(
                ja=f"カード {shown(c.id.value)} は {first} にもあります", en=f"the card {shown(c.id.value)} is in {first} too",
            ), Text(ja="別の番号にしてください", en="choose another number"), c.id.value))
        cards[c.id.value] = c if unread else as_known(c, phrases, report)
    report.raise_if_any()
    return list(cards.values())


def same_file(a: Position, b: Position) -> bool:
    """Do they lie in one file, be it on two sheets of it? Whoever read it tells of what is in it twice."""
    return a.file.partition("!")[0] == b.file.partition("!")[0]


def card_def(card: Card) -> CardDef:
    """A card as the compiler needs it. """
    abilities = tuple(
        ability_def(a, f"{card.id.value}/{a.id.value if a.id else k + 1}") for k, a in enumerate(card.abilities)
    )
    return CardDef(
        card.id.value,
        card.name,
        card.position,
        {k: word(v) for k, v in card.attributes.items()},
        abilities,
        card.sample,
    )


def ability_def(a: Ability, id: str) -> AbilityDef:
    facts = {k: word(v) for k, v in a.facts.items()}
    if a.kind is not None:
        facts["kind"] = Word(a.kind.text, a.kind.position)
    scripts = {
        k: script(n)
        for k, n in (
            ("if", a.if_), ("while", a.while_), ("payable", a.payable), ("applies_to", a.applies_to),
            ("how_much", a.how_much), ("text", a.text), ("cost", a.cost),
        )
        if n is not None
    }
    when = None if a.when is None else Word(a.when.text.strip(), a.when.position)
    return AbilityDef(id, a.position, facts, when, scripts, a.name)


def word(v: Located[Raw]) -> Word | tuple[Word, ...]:
    raw = v.value
    return Word(raw.text, raw.position) if isinstance(raw, TextNode) else tuple(Word(x.text, x.position) for x in raw)


def script(node: TextNode) -> Script:
    return Script(node.text, node.position_in)
