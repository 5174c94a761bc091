"""`rulewright combos`: the sets found, shown."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...spec.text import Text
from ..commands.output import RULE, show_finding
from ..console.shell import complaint
from ..console.terminal import ProgressLine, Terminal
from ..findings.as_json import SCHEMA, plain
from ..findings.layout import Block, Field, Heading, Para, Title, layout
from ..findings.page import Names
from ..findings.words import CUT_WHY, STOPS
from ..limits.interrupt import Interrupt
from ..runs.names import names
from . import words
from .searching import Combo, Search, Searched, search

SMALLEST, LARGEST = 2, 4


def sizes_of(value: str) -> tuple[int, ...]:
    """`2..4` as (2, 3, 4). Raises BadInput."""
    match = re.fullmatch(r"\s*([2-4])\s*(?:(?:\.\.|-|–|~|〜)\s*([2-4]))?\s*", value)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
    if first > last:
        raise complaint("size", words.SIZE, value, value=value)
    return tuple(range(first, last + 1))


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line."""

    book: str
    pool: Path | None
    sizes: tuple[int, ...]
    readings: Mapping[str, str]
    until: float | None = None
    """When it has to end (a time of `time.monotonic`)."""
    seed: int = 0
    threads: int | None = None
    memory: int | None = None
    cluster: str | None = None


def run(terminal: Terminal, asked: Request, full: bool, as_json: bool) -> tuple[bool, bool]:
    """Search and show: was anything found, and was it interrupted? Raises BadInput."""
    interrupt, line = Interrupt(), ProgressLine(terminal)

    def told(now: Searched) -> None:
        done = now.tried + now.kept + now.skipped
        line(terminal.phrase(words.PROGRESS, done=done, all=now.candidates, found=len(now.combos), seconds=now.seconds))
    with interrupt:
        line(terminal.phrase(words.PREPARING))
        try:
            done, found = search(
                asked.book, asked.pool, asked.sizes, asked.readings, asked.seed, asked.threads, asked.until, told, interrupt, asked.memory, asked.cluster)
        finally:
            line.close()
    if as_json:
        terminal.json(as_data(found))
    else:
        show(terminal, done, found, full, names())
    return bool(found.combos), interrupt()


def as_data(found: Searched) -> dict[str, Any]:
    """For programs."""
    return {
        "schema": SCHEMA, "kind": "combos", "book": found.book, "pool": found.pool, "sizes": list(found.sizes), "candidates": found.candidates,
        "tried": found.tried, "kept": found.kept, "skipped": found.skipped, "left": found.left, "plays": found.plays, "unshown": found.unshown,
        "unplayed": found.unplayed,
        "cut": found.cut or None, "why_not": None if found.why_not is None else plain(found.why_not), "combos": [
            {"cards": list(c.cards), "starters": list(c.starters), "findings": [plain(f) for f in c.findings]} for c in found.combos]}


def show(terminal: Terminal, done: Search, found: Searched, full: bool, names: Names) -> None:
    """On the terminal: each set in a few lines, or in full; then what was looked at."""
    say = terminal.phrase
    sizes = "..".join(str(s) for s in sorted({min(found.sizes), max(found.sizes)}))
    blocks: list[Block] = [Title(say(words.TITLE, book=found.book, pool=found.pool, sizes=sizes))]
    for head, some in ((words.FOUND, [c for c in found.combos if len(c.cards) > 1]), (words.ALONE, [c for c in found.combos if len(c.cards) == 1])):
        if some or head is words.FOUND:
            blocks.append(Heading(say(head, count=len(some))))
        for combo in some:
            blocks += combo_lines(terminal, done, combo)
    blocks.append(Heading(say(words.LOOKED)))
    blocks += [Para(say(text)) for text in said_of(done, found, say)]
    terminal.show(layout(blocks, terminal.width, terminal.fit))
    for finding in (f for c in found.combos for f in c.findings) if full else ():
        terminal.say("\n" + RULE * terminal.width + "\n")
        show_finding(terminal, finding, names)


def combo_lines(terminal: Terminal, done: Search, combo: Combo) -> list[Block]:
    """A set, and what it does."""
    say = terminal.phrase

    def called(ids: Sequence[str]) -> str:
        cards = [done.cards[done.numbers[x]] for x in ids]
        return say(Text(ja="、".join(f"「{c.name.ja}」（{c.id}）" for c in cards), en=", ".join(f"“{c.name.en}” ({c.id})" for c in cards)))
    out: list[Block] = [Field(say(words.CARDS), called(combo.cards))]
    kinds = [say(words.LOOP, title=say(f.title), keepers=say(STOPS[f.keepers])) for f in combo.findings if f.keepers is not None]
    out += [Field(say(words.KIND), kind) for kind in dict.fromkeys(kinds)]
    if combo.starters:
        out.append(Field(say(words.BEGUN), say(words.BEGUN_BY, cards=called(combo.starters))))
    return [*out, Para("")]


def said_of(done: Search, found: Searched, say: Any) -> list[str]:
    """How far was looked, in sentences."""
    if found.why_not is not None:
        return [say(found.why_not)]
    if not found.candidates:
        return [say(words.STOPPED, why=say(CUT_WHY[found.cut])) if found.cut else say(words.NOTHING)]
    out = [say(words.TRIED, candidates=found.candidates, done=found.tried + found.kept, plays=found.plays, kept=found.kept, skipped=found.skipped)]
    if found.cut:
        out.append(say(words.LEFT, left=found.left, why=say(CUT_WHY[found.cut])))
    if found.unshown:
        out.append(say(words.UNSHOWN, count=found.unshown))
    if found.unplayed:
        out.append(say(words.UNPLAYED, count=found.unplayed))
    return [*out, say(words.CLAIM)]
