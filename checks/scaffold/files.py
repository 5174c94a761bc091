"""All files of a new book, as texts: what `rulewright new` writes."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from ...spec.text import Text
from ..lint.model import Draft
from ..register.pieces import OUTSIDE, Piece
from ..register.rows import scalar
from ..register.skeleton import Skeleton, skeleton_files
from . import texts
from .cards import Cards, cards_file, cards_of
from .guesses import Guesses, Number, Part, Zone
from .modules import Chapter, ChapterModule, chapters_of, game_module, state_module
from .naming import Names, singular
from .tree import short

GIST_JA, GIST_EN = 60, 110
"""Characters of a clause that are its gist, in Japanese and in English."""
NO_WORDS = Text(ja="（番号だけで文がない）", en="(a number without words)")
CARDS = 10
"""Plain cards in each deck of the first situations."""


@dataclass(frozen=True)
class NewBook:
    """A book that is to be written: its files, what they were made of."""

    files: dict[Path, str]
    skeleton: Skeleton
    chapters: tuple[Chapter, ...]
    cards: Cards | None = None


def book_files(draft: Draft, source: str, folder: Path, guesses: Guesses, names: Names, say: texts.Say) -> NewBook:
    """The files of the book. Raises BadInput where the folder cannot be one. `names`: those that were given already."""
    most = GIST_JA if guesses.lang == "ja" else GIST_EN

    def gist(piece: Piece) -> Text:
        said = short(piece.text, most)
        return Text.same(said) if said else NO_WORDS

    files, skeleton = skeleton_files(draft, guesses.pieces, folder, gist)
    chapters = tuple(chapters_of([n for n in guesses.roots if n.piece.sort != OUTSIDE] or guesses.roots))
    rules = folder / "rules"
    cards = (
        cards_of(guesses.cards, {singular(n.said.ja): n.name for n in guesses.numbers if n.printed}, guesses.sorts)
        if guesses.cards
        else None
    )
    files |= {
        rules / "state.py": state_module(guesses, say),
        rules / "flow.py": game_module(guesses, chapters, say),
        **{rules / f"{c.module}.py": ChapterModule(c, guesses, names, say).text() for c in chapters},
        folder / "words.yaml": words_file(skeleton.book, guesses, say),
        folder / "cards.yaml": cards_file(cards, say),
        folder / "questions.yaml": say(texts.QUESTIONS_ABOUT).format(
            draft=shlex.quote(source), file=shlex.quote(str(folder / "questions.yaml"))) + "answers: {}\n",
        folder / "scenarios" / "first-turn.yaml": scenario(
            "first-turn", "turn", texts.FIRST_TITLE, texts.FIRST_ABOUT, skeleton.book, guesses, cards, say),
        folder / "scenarios" / "from-setup.yaml": scenario(
            "from-setup", "setup", texts.SETUP_TITLE, texts.SETUP_ABOUT, skeleton.book, guesses, cards, say),
        folder / "README.md": readme(source, folder, skeleton, chapters, guesses, say),
        folder / "tests" / f"test_{safe(skeleton.book)}.py": test_file(skeleton.book, say),
    }
    return NewBook(files, skeleton, chapters, cards)


def safe(book: str) -> str:
    """The book's name as part of a module's."""
    return "".join(c if c.isalnum() else "_" for c in book)


def words_file(book: str, guesses: Guesses, say: texts.Say) -> str:
    """What the names in the rules are called."""
    named = [
        ("turn_player", Text("ターンプレイヤー", "turn player")),
        ("turn_number", Text("ターン数", "turn number")),
        *((z.name, z.said) for z in guesses.zones),
        *((f"Printed.{n.name}" if n.printed else n.name, n.said) for n in guesses.numbers),
    ]
    sorts = [
        row for s in guesses.sorts for row in
        ((f"Printed.{s.name}", s.said), *((f"{s.type}.{member}", word) for word, member in s.members.items()))]
    parts = [
        ("game", Text("ゲーム", "the game")),
        ("turns", Text("ゲーム", "the game")),
        ("turn", Text("ターン", "the turn")),
        *([("preparation", Text("準備", "the preparation"))] if guesses.preparation is not None else []),
        *([("whole_turn", Text("ターン", "the turn"))] if guesses.turn is not None else []),
        *((p.name, in_a_sentence(p.said)) for part in guesses.parts for p in with_inner(part)),
    ]
    counted = [z.name for z in guesses.zones if z.ordered]
    return "".join([
        say(texts.WORDS_ABOUT), f"title: {scalar(book)}\nwords:\n", say(texts.WORDS_STATE),
        *(f"  {name}: {texts.in_yaml(said)}\n" for name, said in named),
        *(f"  {name}: {scalar(said)}\n" for name, said in sorts),
        say(texts.WORDS_PARTS),
        *(f"  {name}: {texts.in_yaml(said)}\n" for name, said in parts),
        "hidden: [turn_number]\n", f"counted: [{', '.join(counted)}]\n" if counted else "",
    ])


def in_a_sentence(said: Text) -> Text:
    """What a part of a turn is called in the middle of a sentence."""
    if not said.en.isascii():
        return said
    english = said.en if said.en.lower().startswith("the ") else f"the {said.en.lower()}"
    return Text.same(english) if said.ja == said.en else Text(said.ja, english)


def with_inner(part: Part) -> list[Part]:
    """A part of a turn with its own parts."""
    return [part, *(p for inner in part.parts for p in with_inner(inner))]


def scenario(
    name: str, begin: str, title: Text, about: Text, book: str, guesses: Guesses, cards: Cards | None, say: texts.Say
) -> str:
    """A situation with decks of the first cards, or of plain ones."""
    zones: list[Zone] = [z for z in guesses.zones if not z.shared]
    one_deck = any(z.name == "deck" and z.shared for z in guesses.zones)
    deck = None if one_deck else (
        next((z.name for z in zones if z.name == "deck"), None)
        or next((z.name for z in zones if z.ordered), None)
        or (zones[0].name if zones else "deck" if not guesses.zones else None)
    )
    hand = next((z.name for z in zones if z.name == "hand"), None) or ("hand" if not guesses.zones else None)
    entries = [p.name.replace("_", "-") for part in guesses.parts for p in with_inner(part)]
    head = say(texts.SCENARIO_ABOUT).format(entries=", ".join(entries)) if entries and begin == "turn" else ""
    filled = ", ".join(cards.ids[:CARDS]) if cards is not None else f"PLAIN x{CARDS}"
    one = cards.ids[0] if cards is not None else "PLAIN"
    lying = ([f"{deck}: [{filled}]"] if deck else []) + (
        [f"{hand}: [{one} x3]"] if hand and hand != deck and begin == "turn" else []
    )
    position = [*([f"  deck: [{filled}]\n"] if one_deck else []),
                *(f"  {seat}: {{{', '.join(lying)}}}\n" for seat in ("first", "second") if lying)]
    position = ["position:\n", *position] if position else []
    return "".join([head, f"book: {book}\nid: {name}\ntitle: {texts.in_yaml(title)}\nabout: {texts.in_yaml(about)}\nbegin: {begin}\n", *position])


def readme(
    source: str, folder: Path, skeleton: Skeleton, chapters: tuple[Chapter, ...], guesses: Guesses, say: texts.Say
) -> str:
    """What the folder is, and what to do next."""
    rows = "\n".join(f"- `rules/{c.module}.py`: {cell(c.title)}" for c in chapters)
    example = next((p.id for root in guesses.roots for p in root.doing), guesses.roots[0].piece.id)
    return say(texts.README).format(
        book=skeleton.book,
        draft=source,
        typed=shlex.quote(source),
        folder=folder.name,
        target=skeleton.book,
        clauses=skeleton.clauses,
        chapters=rows,
        example=example,
        parent_note=say(texts.BOOKS_NOTE),
    )


def cell(text: str) -> str:
    """What Markdown shows as it is."""
    return "".join("\\" + c if c in "\\`*_[]<>|#" else c for c in text)


def test_file(book: str, say: texts.Say) -> str:
    """A test for pytest that runs the commands."""
    return f'''"""{say(texts.TEST_DOC).format(book=book)}"""
import json
import subprocess
import sys
from pathlib import Path

BOOK = Path(__file__).resolve().parents[1]


def rulewright(command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "rulewright.checks", command, BOOK.name, "--books", str(BOOK.parent), "--json"],
        capture_output=True, encoding="utf-8")


def test_no_file_has_a_mistake_in_it() -> None:
    """{say(texts.TEST_FILES)}"""
    done = rulewright("validate")
    assert done.returncode in (0, 1), done.stdout + done.stderr


def test_every_situation_gives_what_it_expects() -> None:
    """{say(texts.TEST_EXPECT)}"""
    done = rulewright("check")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    unexpected = [text for result in json.loads(done.stdout)["results"] for text in result["unexpected"]]
    assert not unexpected
'''


def as_number(number: Number) -> dict[str, object]:
    """A number, for programs."""
    return {
        "name": number.name,
        "ja": number.said.ja,
        "en": number.said.en,
        "clause": number.clause,
        "printed": number.printed,
        "shared": number.shared,
        "start": number.start,
        "most": number.most,
    }


def as_zone(zone: Zone) -> dict[str, object]:
    """A zone, for programs."""
    return {
        "name": zone.name,
        "ja": zone.said.ja,
        "en": zone.said.en,
        "clause": zone.clause,
        "ordered": zone.ordered,
        "shared": zone.shared,
    }


def as_part(part: Part) -> dict[str, object]:
    """A part of a turn, for programs."""
    return {
        "name": part.name,
        "ja": part.said.ja,
        "en": part.said.en,
        "clause": part.node.piece.id,
        "parts": [as_part(p) for p in part.parts],
    }
