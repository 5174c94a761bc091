"""Tables of cards in a draft, in Markdown. They are data of a book, and no clauses of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_ID = re.compile(r"(?:カード)?番号|(?:カード)?(?:ID|No\.?|number)", re.IGNORECASE)
_NAME = re.compile(r"(?:カード)?名(?:前|称)?|(?:card )?name|title", re.IGNORECASE)
_TEXT = re.compile(r"(?:カード)?(?:文章|効果|能力|テキスト)|(?:rules? )?text|effects?|abilit(?:y|ies)", re.IGNORECASE)
_RULE = re.compile(r"[|:\-\s]+")
_NOTHING = re.compile(r"[-–—―ー]?|[(（](?:なし|none)[)）]|なし|none", re.IGNORECASE)


@dataclass(frozen=True)
class CardTable:
    """A table whose heading has a column for a card's name and one for its id or its text. `rows`: cells, as many in each as there are
    headings; empty where the draft says that there is nothing. `odd`: lines that have another number of cells, as written."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    odd: tuple[str, ...]

    @property
    def id(self) -> int | None:
        """The column of ids."""
        return _column(self.headings, _ID)

    @property
    def name(self) -> int:
        """The column of names."""
        found = _column(self.headings, _NAME)
        assert found is not None
        return found

    @property
    def text(self) -> int | None:
        """The column of texts."""
        return _column(self.headings, _TEXT)

    @property
    def numeric(self) -> list[int]:
        """The columns in which there are numbers alone."""
        return [
            k
            for k in range(len(self.headings))
            if k not in (self.id, self.name, self.text)
            and (found := self.cells(k))
            and all(re.fullmatch(r"[0-9]{1,4}", cell) for cell in found)
        ]

    def cells(self, column: int) -> list[str]:
        """What stands in a column, without what is empty."""
        return [row[column] for row in self.rows if row[column]]


def _column(headings: Sequence[str], form: re.Pattern[str]) -> int | None:
    return next((k for k, heading in enumerate(headings) if form.fullmatch(heading)), None)


def card_table(text: str) -> CardTable | None:
    """The table of cards in a clause's text, if there is one."""
    lines = [_cells(line) for line in text.split("\n") if line.lstrip().startswith("|") and not _RULE.fullmatch(line)]
    if len(lines) < 2:
        return None
    headings = lines[0]
    if _column(headings, _NAME) is None or (_column(headings, _ID) is None and _column(headings, _TEXT) is None):
        return None
    rows = tuple(
        tuple("" if _NOTHING.fullmatch(cell) else cell for cell in row)
        for row in lines[1:]
        if len(row) == len(headings)
    )
    return CardTable(headings, rows, tuple(" | ".join(row) for row in lines[1:] if len(row) != len(headings)))


def is_only_cards(text: str) -> bool:
    """Is there nothing below the title but a table of cards?"""
    return card_table(text) is not None and all(
        line.lstrip().startswith("|") for line in text.split("\n")[1:] if line.strip()
    )


def _cells(line: str) -> tuple[str, ...]:
    return tuple(
        cell.replace("\\|", "|").strip()
        for cell in re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    )
