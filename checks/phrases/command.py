"""`rulewright phrases BOOK [TEXT]`."""
from __future__ import annotations

from typing import Any

from ...model.engine.library import book_phrases, book_places, load_book
from ...spec.diagnostics import HINT, underline
from ...spec.phrases import Anything, Number, Phrases
from ..console.shell import complaint
from ..console.terminal import Terminal
from ..findings.as_json import SCHEMA, plain
from ..findings.layout import Block, Facts, Heading, Para, Table, Verbatim, layout
from . import words
from .lookup import Line, Shown, nearest, read_text, shown


def run(terminal: Terminal, book: str, text: str | None, kind: str | None, as_json: bool) -> bool:
    """Show the phrases of a book, or how a text is read by them. Gives whether something is wrong with the text. Raises BadInput."""
    place = book_places().get(book)  # its cards are not read: a text that is wrong is what phrases are looked up for
    phrases = load_book(book).phrases if place is None else book_phrases(place.folder / "phrases.yaml")
    if phrases is None:
        raise complaint("book", words.NO_PHRASES, book)
    if kind is not None and kind not in phrases.kinds:
        raise complaint("kind", words.NO_KIND, kind, phrases.kinds)
    if text is not None and not text.strip():
        raise complaint("text", words.NO_TEXT, text)
    lines = [] if text is None else read_text(text, phrases)
    wrong = any(line.mistakes for line in lines)
    like = nearest(lines, phrases)
    if as_json:
        terminal.json(phrases_as_json(book, phrases, kind, lines, like))
    else:
        blocks = of_book(terminal, book, phrases, kind) if text is None else of_text(terminal, lines, like)
        terminal.show(layout(blocks, terminal.width, terminal.fit))
    return wrong


def of_book(terminal: Terminal, book: str, phrases: Phrases, only: str | None) -> list[Block]:
    """All phrases, by kind."""
    say = terminal.phrase
    blocks: list[Block] = (
        []
        if only
        else [
            Facts(
                say(
                    words.TOTAL,
                    book=book,
                    count=sum(1 for _ in phrases.all()),
                    kinds=len(phrases.kinds),
                    line=phrases.line,
                )
            )
        ]
    )
    for name, kind in phrases.kinds.items():
        if only not in (None, name):
            continue
        blocks.append(Heading(name))
        match kind:
            case Number(low=low, high=high):
                blocks.append(Para(say(words.NUMBERS, low=low, high=high)))
            case Anything():
                blocks.append(Para(say(words.ANYTHING)))
            case _:
                rows = [shown(p, phrases) for p in kind]
                blocks.append(
                    Table(
                        tuple(map(say, words.COLUMNS)),
                        tuple((s.phrase, s.example if s.example != s.phrase else "", s.english) for s in rows),
                    )
                )
    return [*blocks, Verbatim(say(words.NEXT, book=book))]


def of_text(terminal: Terminal, lines: list[Line], like: list[Shown]) -> list[Block]:
    """How each line is read, or what is wrong with it; the phrases nearest to what is wrong."""
    say, blocks = terminal.phrase, list[Block]()
    for line in lines:
        if not line.mistakes:
            rows = tuple(("　" * p.depth + p.text, p.phrase.phrase, p.phrase.english) for p in line.pieces)
            blocks += [Heading(line.text, say(words.READ)), Table(tuple(map(say, words.PIECES)), rows)]
            continue
        blocks.append(Heading(line.text))
        for d in line.mistakes:
            at = d.position.column if d.position is not None else 1
            said = say(d.message) + ("" if d.hint is None else f"\n{say(HINT)}{say(d.hint)}")
            blocks += [Verbatim("\n".join(underline(line.text, at, d.value))), Para(said)]
    if like:
        rows = tuple((s.phrase, s.example, s.english) for s in like)
        blocks += [Heading(say(words.NEAREST)), Table(tuple(map(say, words.COLUMNS)), rows)]
    return blocks


# ---------------------------------------------------------------- for programs
def phrases_as_json(
    book: str, phrases: Phrases, only: str | None, lines: list[Line], like: list[Shown]
) -> dict[str, Any]:
    """The kinds with their phrases, and how a text was read."""
    kinds: list[dict[str, Any]] = []
    for name, kind in phrases.kinds.items():
        if only in (None, name):
            number = {"from": kind.low, "to": kind.high} if isinstance(kind, Number) else None
            kinds.append(
                {
                    "kind": name,
                    "number": number,
                    "phrases": [plain(shown(p, phrases)) for p in kind] if isinstance(kind, tuple) else [],
                }
            )
    return {
        "schema": SCHEMA,
        "kind": "phrases",
        "book": book,
        "line": phrases.line,
        "kinds": kinds,
        "text": [
            {
                "text": line.text,
                "pieces": [plain(p) for p in line.pieces],
                "mistakes": [
                    {
                        "code": d.code,
                        "column": 1 if d.position is None else d.position.column,
                        "message": plain(d.message),
                        "hint": plain(d.hint),
                        "value": d.value,
                    }
                    for d in line.mistakes
                ],
            }
            for line in lines
        ],
        "nearest": [plain(s) for s in like],
    }
