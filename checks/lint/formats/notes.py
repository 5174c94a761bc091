"""What the reader of a format tells beside the lines that it reads, in rows without a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ....spec.text import Text

R = TypeVar("R", bound=tuple[Any, ...])


def apart_from_notes(rows: Sequence[R], notes: Mapping[int, Text]) -> tuple[list[R], list[Text]]:
    """The rows with a place; and of those without one the notes whose numbers and contents (`what`) they hold."""
    told = [(notes[row[1]], row[2]) for row in rows if not row[0]]
    return [row for row in rows if row[0]], [
        Text(ja=note.ja.format(what=what), en=note.en.format(what=what)) for note, what in told
    ]
