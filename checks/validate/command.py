"""`rulewright validate BOOK`: everything that is wrong anywhere in a book."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...model.engine.library import book_places, forget_books
from ...spec import BOOKS
from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ..console.terminal import Terminal
from ..findings.as_json import SCHEMA
from ..register.books import open_book, place_of
from ..register.compare import compare
from ..register.hashes import hashes_of, pieces_like
from ..register.quotes import read_draft
from . import words
from .mistakes import Files, first_line, look_through
from .unused import Level, Remark, remark, remarks, some


def validate(terminal: Terminal, target: str, draft: Path | None, as_json: bool) -> Level | None:
    """Say everything. Gives the worst that was found: an error, a warning, or nothing (notes do not count). Raises BadInput where there
    is no such book."""
    name, place = place_of(target)
    if book_places().get(name) != place:  # a folder that is found under its path alone: from here on under its name too
        os.environ[BOOKS] = os.pathsep.join([str(place.folder.resolve().parent), os.environ.get(BOOKS, "")])
        place = book_places()[name]
    forget_books()
    files = look_through(name, place)
    found = [Remark(Level.ERROR, d) for d in files.mistakes.diagnostics] + remarks(files)
    if draft is not None and files.registered is not None:
        found += newer_draft(files, draft)
    if as_json:
        terminal.json(validated_json(files, found))
    else:
        show(terminal, files, found)
    return next((level for level in (Level.ERROR, Level.WARNING) if any(r.level is level for r in found)), None)


def newer_draft(files: Files, draft: Path) -> list[Remark]:
    """What the draft has otherwise than the registered one. Raises BadInput."""
    assert files.registered is not None
    open_book(files.name)
    text = read_draft(draft, None)
    found = compare(files.registered.hashes, hashes_of(text, pieces_like(text, files.registered)))
    changed = [p.new.id for p in found.pairs if p.reworded] + [h.id for h in (*found.new, *found.gone)]
    if not changed:
        return []
    said, command = some(changed), f"rulewright register --update {shlex.quote(str(draft))} --book {files.name}"
    return [remark("newer-draft", first_line(draft), Text(
        ja=f"登録した草案と {len(changed)} 条が違います: {said.ja}", en=f"clauses that are not as they were registered: {len(changed)} ({said.en})",
    ), Text(ja=f"違いを見るには: {command}", en=f"to see how: {command}"), names=changed)]


def counts_of(found: Sequence[Remark]) -> dict[Level, int]:
    """How many of each level."""
    return {level: sum(r.level is level for r in found) for level in Level}


def show(terminal: Terminal, files: Files, found: Sequence[Remark]) -> None:
    """All of it, what matters most first."""
    say = terminal.phrase
    counts = counts_of(found)
    for level, count in counts.items():
        if count:
            terminal.say(words.HEADING, what=words.LEVEL[level], count=count)
            terminal.say(BadInput(r.about for r in found if r.level is level).render(terminal.lang) + "\n")
    if counts[Level.ERROR]:
        terminal.say(words.NOT_LOOKED if files.together or files.place.rules is None else words.NOT_TOGETHER)
    if files.place.rules is None:
        terminal.say(words.NO_RULES)
    told = say(words.COMMA).join(
        say(words.COUNTED, what=words.LEVEL[level], count=count) for level, count in counts.items()
    )
    terminal.say(words.SUMMARY, book=files.name, files=files.read, counts=told)


def validated_json(files: Files, found: Sequence[Remark]) -> dict[str, Any]:
    """The same for programs."""
    counts = counts_of(found)
    return {
        "schema": SCHEMA,
        "kind": "validated",
        "book": files.name,
        "files": files.read,
        "errors": counts[Level.ERROR],
        "warnings": counts[Level.WARNING],
        "notes": counts[Level.NOTE],
        "remarks": [
            {
                "level": r.level.value,
                "code": r.about.code,
                "message": {"ja": r.about.message.ja, "en": r.about.message.en},
                "hint": None if r.about.hint is None else {"ja": r.about.hint.ja, "en": r.about.hint.en},
                "file": None if r.about.position is None else r.about.position.file,
                "line": None if r.about.position is None else r.about.position.line,
                "column": None if r.about.position is None else r.about.position.column,
                "value": r.about.value,
                "names": list(r.names),
            }
            for r in found
        ],
    }
