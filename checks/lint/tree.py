"""Puts clauses under each other, and text into them."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from .model import ITEMS, Book, Clause, Label, Line, ListItem, Style

UNNUMBERED = 90.0
"""The level of a heading without a number: below all that have one."""
UNITS = {"部": -2.0, "編": -2.0, "章": 0.0, "節": 0.4, "項": 0.8}
ENDED = tuple("。．.」』)）:：！？!?】>》…")


@dataclass
class Row:
    """A line of the draft, and the number that it begins with, as long as that may be one of a clause."""

    line: Line
    label: Label | None
    glossary: bool = False
    caption: Line | None = None
    """The line above that is its title."""


@dataclass
class Traits:
    """What the whole draft shows about its numbering."""

    chapters: bool
    families: Counter[int]
    """How often each first part of `n.m` occurs."""
    dashed: frozenset[tuple[int, ...]]
    """The groups of dashed numbers that are counted through: `476-500` in a table is a range."""
    plain: bool
    numbered: int
    mixed: int = 0
    lettered: frozenset[int] = frozenset()
    """The plain numbers that have a clause `a`: `30m` is none of 30."""
    large: bool = False
    """Does nearly every clause whose number has no point behind it begin with a capital letter?"""
    anew: bool = False
    """Do numbers such as `1.1` begin again behind words with numbers?"""
    units: dict[str, float] = field(default_factory=dict[str, float])
    """The level of each word that numbers are counted with: what comes first is around the others, `10.2` around a `Section 1` that comes later."""


def level_of(label: Label, units: dict[str, float]) -> float:
    """How deep a chapter stands."""
    return units.get(label.unit, UNITS.get(label.unit, 0.6)) + (0.1 if len(label.parts) > 1 else 0.0)


class Builder:
    """Puts clauses under each other, and text into them."""

    def __init__(self, traits: Traits) -> None:
        self.traits = traits
        self.clauses: list[Clause] = []
        self.books: list[Book] = [Book(0, "")]
        self.stack: list[tuple[float, Clause]] = []
        self.items: list[Clause] = []
        self.current: Clause | None = None
        self.free_headings = traits.numbered < 4
        self.tops: list[int] = []
        self.titles: list[str] = []
        self.above = 0
        """The highest heading without a number since the last number of the top."""
        self.previous: Line | None = None
        self.lists: dict[int, ListItem] = {}
        """Of items, by identity: where Markdown has them."""
        self.indents: dict[int, int] = {}
        """Of the same, how far in they stand."""

    def take(self, row: Row) -> None:
        """One line of the draft."""
        line, label = row.line, row.label
        if row.glossary and not line.heading and label is None:
            self._entry(line)
        elif (label is None and not line.heading) or self._says_again(line, label):
            self._text(line)
        else:
            self._clause(line, label, row.caption)
        self.previous = line

    def _says_again(self, line: Line, label: Label | None) -> bool:
        """Is it the heading above it once more, number and title?"""
        above = self.current
        return (
            above is not None
            and label is not None
            and bool(above.heading)
            and not line.heading
            and above.label is not None
            and (above.label.style, above.label.parts) == (label.style, label.parts)
            and above.title.strip() == line.body[label.end :].strip()
            and len(above.blocks) == 1
        )

    def _entry(self, line: Line) -> None:
        """A line of a glossary: a paragraph of it is an entry, and no part of the last rule."""
        if self.current is None or not self.stack or self.stack[-1][1].label is not None or self._is_apart(line):
            self.items = []
            clause = self.current = Clause(None, *line.at(line.start), "")
            clause.book = self.books[-1].number
            self.books[-1].clauses.append(clause)
            self.clauses.append(clause)
            self.stack = [*(one for one in self.stack if one[1].label is not None), (UNNUMBERED, clause)]
        self._text(line)

    def _clause(self, line: Line, label: Label | None, caption: Line | None = None) -> None:
        end = label.end if label else 0
        raw = line.body[end:]
        said = raw.rstrip().removesuffix("**").rstrip()
        title = caption.text.strip() if caption else said
        clause = Clause(label, *line.at(line.start), title, line.heading)
        if caption:
            begin = caption.text.index(title)
            clause.passage.take(caption, begin, begin + len(title))
            clause.blocks.append(0)
        clause.blocks.append(clause.passage.size + bool(caption))
        clause.passage.take(line, line.start + end, line.start + end + len(said), "\n")
        if label is not None and label.style not in ITEMS:
            self._top(label, line)
            self._nest(clause, self._level(label))
        elif label is None:
            self.titles.append(title)
            self.above = min(self.above, line.heading) if self.above else line.heading
            if not self.free_headings:
                while self.stack and self.stack[-1][1].label is None:
                    self.stack.pop()
            self._nest(clause, float(line.heading) if self.free_headings else UNNUMBERED)
        elif self.free_headings and line.heading:
            self._nest(clause, float(line.heading))  # `## 1. Setup`, where no number has a point within it
        else:
            self._item(clause, label, line)
        clause.book = self.books[-1].number
        around = (c for c in (clause, *clause.ancestors()) if c.style in (Style.CHAPTER, Style.APPENDIX))
        clause.chapter = next(
            (c for c in around if c is clause or self.traits.anew or not (c.label and c.label.worded)), None
        )
        self.books[-1].clauses.append(clause)
        self.clauses.append(clause)
        self.current = clause

    def _nest(self, clause: Clause, level: float) -> None:
        """Under the last clause of a higher level."""
        while self.stack and self.stack[-1][0] >= level:
            self.stack.pop()
        self._under(clause, self.stack[-1][1] if self.stack else None)
        self.stack.append((level, clause))
        self.items = []

    def _item(self, clause: Clause, label: Label, line: Line) -> None:
        own = line.item
        clause.shown = own is not None or line.indent > 0
        clause.depth = len(own.lists) if own is not None else 0
        if own is not None:
            # Markdown says which list it is in.
            while self.items and not self._inside(line, own, self.items[-1]):
                self.items.pop()
            self.lists[id(clause)] = own
            self.indents[id(clause)] = line.indent
            self._under(clause, self.items[-1] if self.items else (self.stack[-1][1] if self.stack else None))
            self.items.append(clause)
            return
        wide = [
            i
            for i, item in enumerate(self.items)
            if line.text.startswith("\u3000")
            and item.style is label.style
            and item.label
            and item.label.parts == (label.parts[0] - 1,)
        ]
        depth = wide[-1] if wide else next(
            (
                i
                for i, item in enumerate(self.items)
                if item.style is label.style and item.label and len(item.label.parts) >= len(label.parts)
                # In Markdown, at a deeper indentation it is a list of its own.
                and not (self.lists and item.column <= line.indent)
            ),
            None,
        )
        if depth is not None:
            clause.depth = 0 if line.heading else self.items[depth].depth
            del self.items[depth:]
        parent = self.items[-1] if self.items else (self.stack[-1][1] if self.stack else None)
        self._under(clause, parent)
        self.items.append(clause)

    def _inside(self, line: Line, own: ListItem, above: Clause) -> bool:
        """Is an item inside this one: in a list of it, or in the same list but farther in, which is meant so?"""
        outer = self.lists.get(id(above))
        if outer is None:
            return bool(above.heading) or above.column <= line.indent + 1
        return _around(outer, own) or (
            outer.lists == own.lists and own.number is None and line.indent >= self.indents[id(above)] + 2
        )

    @staticmethod
    def _under(clause: Clause, parent: Clause | None) -> None:
        clause.parent = parent
        if parent is not None:
            parent.children.append(clause)

    def _level(self, label: Label) -> float:
        match label.style:
            case Style.CHAPTER:
                return level_of(label, self.traits.units)
            case Style.SECTION | Style.APPENDIX:
                return 1.0
            case Style.PLAIN:
                return 2.0
            case Style.DOTTED if self.traits.plain and len(label.parts) == 1:
                return 1.5
            case _:
                return 1.0 + len(label.parts)

    def _top(self, label: Label, line: Line) -> None:
        """Begin another book where the numbers of the top begin again: after a few, or under another heading."""
        top = (
            label.style is Style.SECTION
            or (label.style is Style.CHAPTER and (label.unit in "章部編" or self.traits.units.get(label.unit) == 0.0))
            or (label.style is Style.DOTTED and len(label.parts) == 1 and not self.traits.chapters)
        )
        if not top:
            return
        number = label.parts[0]
        parted = 0 < self.above < line.heading
        self.above = 0
        if self.tops and number == self.tops[0] and self.tops[-1] >= number + (0 if parted else 2):
            self.books.append(Book(len(self.books), ""))
            self.tops, self.stack, self.items = [], [], []
        if not self.tops:
            self.books[-1].title = self.titles[-1] if self.titles else ""
            self.titles = []
        self.tops.append(number)

    def _text(self, line: Line) -> None:
        if self.current is None:
            self.current = Clause(None, line.number, 1, "")
            self.books[-1].clauses.append(self.current)
            self.clauses.append(self.current)
        clause = self.current
        listed = clause.is_item and not clause.heading
        if self.free_headings and listed and not line.bullet and not line.indent and self._is_apart(line):
            # A paragraph after a list in Markdown is not part of its last item.
            clause = next((c for c in clause.ancestors() if not c.is_item or c.heading), clause)
            self.current, self.items = clause, []
        text = line.body.rstrip()
        if not text or text.startswith("```") or line.verbatim:
            return
        glue = self._runs_on_with(line, text) if self._runs_on(line) else "\n"
        passage = clause.passage
        if clause.bullets is not None and line.bullet:
            clause.bullets.append(passage.size + len(glue))
        clause.blocks.append(passage.size + len(glue if passage.size else ""))
        passage.take(line, line.start, line.start + len(text), glue)

    def _is_apart(self, line: Line) -> bool:
        return self.previous is not None and self.previous.last < line.number - 1

    def _runs_on_with(self, line: Line, text: str) -> str:
        """What stands between the end of the line before and this one: a blank, between words of English."""
        before = self.previous.text.rstrip() if self.previous is not None else ""
        parted = before.endswith("-") and text[:1].islower()
        return " " if before[-1:].isascii() and text[:1].isascii() and not parted else ""

    def _runs_on(self, line: Line) -> bool:
        """Is the line the rest of a sentence that was broken by the width of the page?"""
        before = self.previous
        return (
            before is not None
            and before.last >= line.number - 2
            and not line.bullet
            and not line.text.startswith("|")  # the row of a table
            and not before.text.startswith("|")
            and line.start == 0
            and not before.heading
            and len(before.body) >= 30
            and not before.body.rstrip().endswith(ENDED)
        )


def _around(outer: ListItem | None, inner: ListItem) -> bool:
    """Is the list of the second inside an item of the first's?"""
    return outer is None or (len(outer.lists) < len(inner.lists) and inner.lists[: len(outer.lists)] == outer.lists)
