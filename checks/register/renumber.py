"""New clause numbers wherever the old ones stand: in the book's YAML files and what they say (`ja`, `en`), in its rules, in the scripts of its
cards, in its stored cases.

Only numbers are replaced, at the places where the files name a clause; everything else stays as it was written."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...model.lang.source import CLAUSE_MARK
from ...spec.document import read_document
from ...spec.lasting import numbers_in
from ...spec.nodes import ListNode, MapNode, Node, TextNode
from ...spec.nodes import Style as Written
from ..questions.answers import ID, clause_of
from ..questions.record import in_id
from .books import NAMING

KEYS = frozenset({"clause", "clauses", "refs", "dangling", "related", "working"})
WORDS = re.compile(r"(?:title of )?(?:gap|conflict|open|not modelled) (\S+)")
"""Keys of `words.yaml` that name a clause."""


@dataclass(frozen=True)
class Edit:
    """Replace what stands on a line (from 0) between two columns (from 0)."""

    line: int
    begin: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made."""
    lines = text.split("\n")
    for edit in sorted(set(edits), key=lambda e: (e.line, -e.begin)):
        line = lines[edit.line]
        lines[edit.line] = line[: edit.begin] + edit.text + line[edit.end :]
    return "\n".join(lines)


def in_rules(text: str, numbers: Mapping[str, str]) -> Iterator[Edit]:
    """Edits in a module of rules: marks, and clauses named as text."""
    before: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            line, column = token.start[0] - 1, token.start[1]
            if token.type == tokenize.COMMENT and token.string.startswith("#:"):
                yield from _in_mark(token.string, line, column, numbers)
            if (
                token.type == tokenize.STRING
                and len(before) == 2
                and before[0].string in NAMING
                and before[1].string == "("
            ):
                named = token.string[1:-1]
                if named in numbers:
                    yield Edit(line, column + 1, column + 1 + len(named), numbers[named])
            before = [*before[-1:], token]
    except (tokenize.TokenError, IndentationError):
        return


def _in_mark(comment: str, line: int, column: int, numbers: Mapping[str, str]) -> Iterator[Edit]:
    for found in CLAUSE_MARK.finditer(comment):
        for named in re.finditer(r"[^\s,]+", found[1]):
            if named[0] in numbers:
                begin = column + found.start(1) + named.start()
                yield Edit(line, begin, begin + len(named[0]), numbers[named[0]])


def in_yaml(path: Path, numbers: Mapping[str, str], said: bool = True) -> list[Edit]:
    """Edits in a YAML file of the book, if `said` also in its words. Raises BadInput where it cannot be read."""
    return [*_in_node(read_document(path), numbers, in_words(numbers) if said else None)]


def in_words(numbers: Iterable[str]) -> re.Pattern[str] | None:
    """These numbers where they stand in words; not those of digits alone, which can be anything."""
    named = [name for name in numbers if not name.isdigit()]
    return numbers_in(named) if named else None


def _in_node(node: Node, numbers: Mapping[str, str], said: re.Pattern[str] | None) -> Iterator[Edit]:
    match node:
        case MapNode(entries=entries):
            for entry in entries:
                if entry.key.text in KEYS:
                    inside = entry.value.items if isinstance(entry.value, ListNode) else (entry.value,)
                    for one in inside:
                        if isinstance(one, TextNode):
                            yield from replaced(one, numbers) if one.text in numbers else in_text(one, numbers, said)
                elif isinstance(entry.value, TextNode):
                    yield from (
                        in_text(entry.value, numbers, said)
                        if entry.key.text in ("ja", "en")
                        else _in_script(entry.value, numbers)
                    )
                else:
                    if entry.key.text == "says" and isinstance(entry.value, MapNode):
                        for inner in entry.value.entries:
                            yield from replaced(inner.key, numbers)
                    if (found := WORDS.fullmatch(entry.key.text)) and found[1] in numbers:
                        yield from replaced(
                            entry.key, {entry.key.text: entry.key.text[: found.start(1)] + numbers[found[1]]}
                        )
                    yield from _in_node(entry.value, numbers, said)
        case ListNode(items=items):
            for item in items:
                yield from _in_node(item, numbers, said)
        case _:
            return


def in_answers(path: Path, numbers: Mapping[str, str]) -> list[Edit]:
    """Edits in a file of answers: the clauses in the ids of questions, and those that answer them. Raises BadInput."""
    root = read_document(path)
    listed = next((entry.value for entry in root.entries), None) if isinstance(root, MapNode) else None
    by_id = {in_id(old): in_id(new) for old, new in numbers.items()}
    edits: list[Edit] = []
    for entry in listed.entries if isinstance(listed, MapNode) else ():
        match = ID.fullmatch(entry.key.text)
        old = clause_of(match["where"], {one: one for one in by_id}) if match is not None else None
        if match is not None and old is not None:
            where = by_id[old] + match["where"][len(old) :]
            edits += replaced(entry.key, {entry.key.text: f"{match['family']}@{where}"})
        for one in entry.value.items if isinstance(entry.value, ListNode) else (entry.value,):
            for inner in one.entries if isinstance(one, MapNode) else ():
                if inner.key.text in ("by", "条文") and isinstance(inner.value, TextNode):
                    edits += replaced(inner.value, numbers)
    return edits


def replaced(node: TextNode, numbers: Mapping[str, str]) -> Iterator[Edit]:
    """The edit of a scalar that is a number of a clause, quoted as it was."""
    if node.text not in numbers or node.origin is None:
        return
    (line, begin), (last, end) = node.origin.begin, node.origin.end
    if line == last:
        quote = node.style.value if node.style in (Written.SINGLE, Written.DOUBLE) else ""
        yield Edit(line, begin, end, f"{quote}{numbers[node.text]}{quote}")


def in_text(node: TextNode, numbers: Mapping[str, str], said: re.Pattern[str] | None) -> Iterator[Edit]:
    """The edits of numbers that stand in words."""
    if said is None or node.origin is None:
        return
    (first, begin), (last, end) = node.origin.begin, node.origin.end
    for line in range(first, last + 1):
        row = node.origin.lines[line] if line < len(node.origin.lines) else ""
        for found in said.finditer(row, begin if line == first else 0, end if line == last else len(row)):
            yield Edit(line, found.start(), found.end(), numbers[found[0]])


def _in_script(node: TextNode, numbers: Mapping[str, str]) -> Iterator[Edit]:
    if "#:" not in node.text and "(" not in node.text:
        return
    for edit in in_rules(node.text, numbers):
        line, column = node.place(edit.line + 1, edit.begin + 1)
        yield Edit(line - 1, column - 1, column - 1 + edit.end - edit.begin, edit.text)
