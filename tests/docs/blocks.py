"""The code blocks of a page, and the comments in front of them that say what is to be done with them."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

DOCS = Path(__file__).parent.parent.parent / "docs"
COMMENT = re.compile(r"<!-- ([a-z]+)(?:: (.*?))? -->")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its lines, the number of the first one in the page, and its comments."""

    language: str
    lines: tuple[str, ...]
    line: int
    marks: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def blocks_of(page: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    out: list[Block] = []
    marks: dict[str, str] = {}
    inside: list[str] | None = None
    language, first = "", 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if inside is not None:
            if line == "```":
                out.append(Block(language, tuple(inside), first, marks))
                marks, inside = {}, None
            else:
                inside.append(line)
        elif line.startswith("```"):
            language, first, inside = line.removeprefix("```"), number + 1, []
        elif found := COMMENT.fullmatch(line):
            marks[found[1]] = found[2] or ""
        elif line.strip():
            assert not marks, f"{page.name}:{number}: a comment belongs directly in front of a block"
    assert inside is None and not marks, f"{page.name}: something is left open"
    return out


def in_place(blocks: list[Block]) -> str:
    """The blocks as one text, each on the lines that it has in the page, so that messages point there."""
    lines: list[str] = []
    for b in blocks:
        lines += [""] * (b.line - 1 - len(lines)) + list(b.lines)
    return "\n".join(lines) + "\n"


def shown_in(shown: str, real: str) -> str | None:
    """Is every line of a shortened output (`…` stands for what was left out) in the real one, in order? The first
    that is not, else None."""
    left = [" ".join(x.split()) for x in real.splitlines()]
    for line in shown.splitlines():
        want = " ".join(line.split())
        if want in ("", "…"):
            continue
        if want not in left:
            return line
        left = left[left.index(want) + 1:]
    return None
