"""The registered phrases with examples; a text taken apart into them, with what is wrong, and the phrases nearest to it."""
from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...spec.diagnostics import Collector, Diagnostic, Position
from ...spec.nodes import TextNode
from ...spec.normal import Normal
from ...spec.phrases import Phrase, Phrases
from ...spec.wording import Match, example, read_line

MOST_NEAREST = 5
LIKE = 0.55
"""How alike a piece of a text has to be to an example of a phrase that is named."""


@dataclass(frozen=True)
class Shown:
    """A phrase as registered (in `line` of phrases.yaml), a text that it fits, and its translation ("" for none)."""

    kind: str
    phrase: str
    example: str
    english: str
    line: int


@dataclass(frozen=True)
class GivenText(TextNode):
    """A text that stands in no file: places in it are its own."""

    def place(self, line: int, column: int) -> tuple[int, int]:
        return line, column


@dataclass(frozen=True)
class Piece:
    """A piece of a text that was read as a phrase; `depth`: how many phrases are around it."""

    text: str
    phrase: Shown
    depth: int


@dataclass(frozen=True)
class Line:
    """A line of a text: the phrases that it consists of, the outermost first; or what is wrong with it."""

    text: str
    pieces: tuple[Piece, ...]
    mistakes: tuple[Diagnostic, ...]


def shown(p: Phrase, phrases: Phrases) -> Shown:
    """A phrase with an example."""
    return Shown(p.kind, p.written, example(p, phrases), "" if p.english is None else p.english.text, p.position.line)


def read_text(text: str, phrases: Phrases) -> list[Line]:
    """Each line of a card's text, read by the phrases. Places of mistakes are of line 1, for each line."""
    return [read_one(line, phrases) for line in text.splitlines() if line.strip()]


def read_one(line: str, phrases: Phrases) -> Line:
    """The same of one line."""
    report = Collector()
    found = read_line(GivenText(line, Position("", 1, 1)), 1, line, phrases, report)
    return Line(line, () if found is None else tuple(pieces(*found, line, phrases)), report.diagnostics)


def pieces(match: Match, form: Normal, line: str, phrases: Phrases, depth: int = 0) -> Iterator[Piece]:
    """The phrases that a text was read as."""
    if match.phrase is not None:
        places = [*form.places, len(line)]
        yield Piece(line[places[match.start]:places[match.end]], shown(match.phrase, phrases), depth)
    for _, inner in match.children:
        yield from pieces(inner, form, line, phrases, depth + (match.phrase is not None))


def stretch(text: str, mistake: Diagnostic) -> str:
    """What stands around a mistake, up to the marks on both sides."""
    at = 0 if mistake.position is None else mistake.position.column - 1
    ends = [0, *(m.end() for m in SEPARATORS.finditer(text)), len(text) + 1]
    first = max(e for e in ends if e <= at)
    return SEPARATORS.sub("", text[first:min(e for e in ends if e > first)])


SEPARATORS = re.compile(r"[、。，．,.\[\]［］【】\n]+")
DIGITS = re.compile(r"\d+")


def nearest(lines: list[Line], phrases: Phrases) -> list[Shown]:
    """The phrases of which an example is most like what stands between marks where something is wrong, the most alike first."""
    said = {DIGITS.sub("0", stretch(line.text, d)) for line in lines for d in line.mistakes}
    ranked: list[tuple[float, int, Shown]] = []
    for p in {p.written: p for p in phrases.all()}.values():
        if len(p.skeleton) < 2:
            continue
        one = shown(p, phrases)
        like = DIGITS.sub("0", SEPARATORS.sub("", one.example))
        alike = max((difflib.SequenceMatcher(None, piece, like, autojunk=False).ratio() for piece in said), default=0.0)
        if alike >= LIKE:
            ranked.append((-alike, one.line, one))
    return [one for *_, one in sorted(ranked, key=lambda r: r[:2])[:MOST_NEAREST]]
