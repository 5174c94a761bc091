"""Before a book is checked: what is wrong in its files, once for each state they are in. What looks through them is loaded only then."""
from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ...model.engine.library import BookPlace, book_places
from ...spec.kept import made
from ...spec.reading import OF_A_BOOK, plain_bytes
from ..console.late import late
from ..scenarios.kept_results import code_of_checks

if TYPE_CHECKING:
    from . import mistakes
else:
    mistakes = late("validate.mistakes")


def refuse_mistakes(name: str) -> None:
    """Complain of everything that is wrong in the book's files, at once; not again while they stay as they are. What only compiling shows
    is told by whoever compiles. Raises BadInput."""
    place = book_places()[name]

    def clean() -> bool:
        found = mistakes.look_through(name, place, compiled=False).mistakes
        found.raise_if_any()
        return True

    made("validated", f"{code_of_checks()}\n{name}\n{sum_of_files(place)}", clean)


def sum_of_files(place: BookPlace) -> str:
    """A hash of everything that the book is made of."""
    h = hashlib.sha256()
    for path in files_of(place):
        with suppress(OSError):  # told by whoever reads it
            h.update(f"{path} {hashlib.sha256(plain_bytes(path)).hexdigest()}\n".encode())
    return h.hexdigest()


def files_of(place: BookPlace) -> Sequence[Path]:
    """The files that a book is made of."""
    def there() -> Iterator[Path]:
        for folder in (place.folder, place.folder / "scenarios", *([place.rules] if place.rules is not None else [])):
            if folder.is_dir():
                yield from (p for p in folder.iterdir() if p.suffix in OF_A_BOOK and p.is_file())
    return sorted(set(there()))
