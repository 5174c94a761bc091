"""Names of clauses that last.

A clause is named by its number. If it gets another number (`rulewright register --update --accept`), it keeps the number under which it was
first registered as its lasting name, and what is said of it elsewhere (ids of findings, decisions) goes by that. It stands in
`clauses.hashes`, in the sixth column, where it is another one than the number."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from .reading import file_text

FILE = "clauses.hashes"
LARGEST = 8 * 1024 * 1024
HEADS = ("book", "cut", "merged", "unplaced", "retired", "given")
COLUMN = 5


def lasting_names(folder: Path) -> Mapping[str, str]:
    """The lasting name of each clause of a book that has another number now, by that number. Raises BadInput."""
    path = folder / FILE
    rows = (
        (line.split("\t") for line in file_text(path, LARGEST).splitlines() if not line.startswith("#"))
        if path.exists()
        else ()
    )
    return {row[0]: row[COLUMN] for row in rows if len(row) == COLUMN + 1 and row[0] not in HEADS}


def by_lasting_names(text: str, names: Mapping[str, str]) -> str:
    """A text in which these clauses are named, with their lasting names."""
    return numbers_in(names).sub(lambda found: names[found[0]], text) if names else text


def numbers_in(names: Iterable[str]) -> re.Pattern[str]:
    """The numbers of these clauses, where they stand in a text; not as parts of longer ones. Words in hiragana may stand beside them (5.3と5.4は)."""
    named = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![^\Wぁ-ん]|[.-])(?:{named})(?!の[\d一二三四五六七八九十]|[^\Wぁ-ん条項節章]|-|\.\d)")
