"""The clauses of a draft, each in the clause that it is a part of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ...spec.diagnostics import INVISIBLE, UNSEEN
from ...spec.readers import ClauseKind
from ..register.pieces import Piece
from ..register.rows import guessed_kind

TITLE = 40
"""Characters of a title at most."""
_TITLE_ENDS = re.compile(r"[。．：:]|\. | [-–—] ")
_MARKS = re.compile(r"\*\*|__|`")
_NOT_SEEN = re.compile(f"{INVISIBLE.pattern}|{UNSEEN.pattern}")
IDLE = frozenset({ClauseKind.HEADING, ClauseKind.DEFINITION, ClauseKind.NONE})


@dataclass
class Node:
    """A clause with the clauses in it."""

    piece: Piece
    inside: list[Node] = field(default_factory=list["Node"])

    @cached_property
    def title(self) -> str:
        """What it is called, or how it begins."""
        first = plain(next((line for line in self.piece.text.split("\n") if line.strip()), ""))
        return first if self.piece.heading else _TITLE_ENDS.split(first, maxsplit=1)[0].strip()

    @property
    def all(self) -> Iterator[Node]:
        """It and all in it, in order."""
        yield self
        for node in self.inside:
            yield from node.all

    @property
    def doing(self) -> list[Piece]:
        """The clauses in it that do something in play, as far as their words show."""
        return [n.piece for n in self.all if n._does]

    @cached_property
    def _does(self) -> bool:
        return guessed_kind(self.piece) not in IDLE


def tree(pieces: Sequence[Piece]) -> list[Node]:
    """The clauses, each in the clause that it is a part of."""
    nodes: dict[str, Node] = {}
    roots: list[Node] = []
    for piece in pieces:
        node = nodes[piece.id] = Node(piece)
        above = nodes.get(piece.within)
        (above.inside if above is not None and above is not node else roots).append(node)
    return roots


def plain(text: str) -> str:
    """The text on one line, without the marks of Markdown and what cannot be seen."""
    return " ".join(_MARKS.sub("", _NOT_SEEN.sub("", text)).split())


def by_depth(roots: Sequence[Node]) -> Iterator[Node]:
    level = [*roots]
    while level:
        yield from level
        level = [n for node in level for n in node.inside]


def is_title(node: Node) -> bool:
    return node.piece.heading and len(node.title) <= TITLE


def short(text: str, most: int) -> str:
    """A text cut short: its beginning, on one line."""
    said = plain(text)
    return said if len(said) <= most else said[: most - 1].rstrip() + "…"
