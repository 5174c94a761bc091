"""What is frozen of many situations of a book, in one file: a section for each, `== its name` and then what it comes to."""
from __future__ import annotations

import fcntl
from pathlib import Path


def sections(path: Path) -> dict[str, str]:
    """The text of each section, by its name."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    parts = (part.partition("\n") for part in f"\n{text}".split("\n== ")[1:])
    return {name: body if body.endswith("\n") else f"{body}\n" for name, _, body in parts}


def put(path: Path, name: str, text: str) -> None:
    """Write a section anew; others may be written at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known = sections(path) | {name: text}
        file.seek(0)
        file.truncate()
        file.write("".join(f"== {of}\n{said}" for of, said in sorted(known.items())))
