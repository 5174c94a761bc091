"""`rulewright combos`: the sets found, shown."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

from ...model.engine.vocabulary import filled
from ...spec.text import Text
from ..commands.output import RULE, show_finding
from ..console.shell import complaint
from ..console.terminal import ProgressLine, Terminal
from ..findings.as_json import SCHEMA, plain
from ..findings.layout import Block, Field, Heading, Para, Title, layout
from ..findings.names import Names
from ..findings.steps import stem_table
from ..findings.words import CUT_WHY, CYCLE, LIST, POSITION, STEM, STOPS
from ..limits.interrupt import Interrupt
from ..runs.names import names
from . import words
from .candidates import Label
from .carrying import ROUNDS, STOCK
from .searching import Combo, Search, Searched

SMALLEST, LARGEST = 2, 4


def sizes_of(value: str) -> tuple[int, ...]:
    """`2..4` as (2, 3, 4). Raises BadInput."""
    match = re.fullmatch(r"\s*([2-4])\s*(?:(?:\.\.|-|–|~|〜)\s*([2-4]))?\s*", value)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
    if first > last:
        raise complaint("size", words.SIZE, value, value=value)
    return tuple(range(first, last + 1))


Asked = Callable[[Callable[[Searched], None], Callable[[], bool]], tuple[Search, Searched]]
"""A search: given who is told how far it has come, and what says when to stop."""


def run(terminal: Terminal, asked: Asked, full: bool, as_json: bool) -> tuple[bool, bool]:
    """Search and show: was anything found, and was it interrupted? Raises BadInput."""
    interrupt, line = Interrupt(), ProgressLine(terminal)

    def told(now: Searched) -> None:
        done = now.tried + now.kept + now.skipped
        line(terminal.phrase(words.PROGRESS, done=done, all=now.candidates, found=len(now.combos), seconds=now.seconds))
    with interrupt, closing(line):
        line(terminal.phrase(words.PREPARING))
        done, found = asked(told, interrupt)
    if as_json:
        terminal.json(as_data(done, found))
    else:
        show(terminal, done, found, full, names())
    return bool(found.combos), interrupt()


def as_data(done: Search, found: Searched) -> dict[str, Any]:
    """For programs."""
    return {
        "schema": SCHEMA,
        "kind": "combos",
        "book": found.book,
        "pool": found.pool,
        "sizes": list(found.sizes),
        "candidates": found.candidates,
        "tried": found.tried,
        "kept": found.kept,
        "skipped": found.skipped,
        "left": found.left,
        "plays": found.plays,
        "unshown": found.unshown,
        "unplayed": found.unplayed,
        "cut": found.cut or None,
        "why_not": None if found.why_not is None else plain(found.why_not),
        "combos": [
            {
                "cards": list(c.cards),
                "starters": list(c.starters),
                "findings": [plain(f) for f in c.findings],
                "course": plain(c.course),
                "stops": plain(c.stops),
            }
            for c in found.combos
        ],
        "lacking": None
        if found.lacking is None
        else [
            {
                "cards": [done.pool.cards[k].id for k in cards],
                **{
                    key: {"kind": label[0], "what": plain(called(done, label))}
                    for key, label in (("needs", needs), ("gives", gives))
                },
            }
            for cards, needs, gives in found.lacking
        ],
    }


def called(done: Search, label: Label) -> Text:
    """What a card gives or needs, by its name in the book."""
    kind, which, _ = label
    if kind == "lets":
        name = done.pool.cards[done.graph.of_ability[int(which)]].name
        return Text(ja=f"「{name.ja}」", en=f"“{name.en}”")
    field, player = (
        done.graph.zones[which]
        if isinstance(which, int)
        else (which.partition("[")[0], {"0": 0, "1": 1}.get(which.partition("[")[2][:1]))
    )
    name = done.pool.book.vocabulary.of(field.rpartition(".")[2])
    return name if player is None else filled(words.WHOSE[player], {"what": name})


def show(terminal: Terminal, done: Search, found: Searched, full: bool, names: Names) -> None:
    """On the terminal: each set in a few lines, or in full; then what was looked at."""
    say = terminal.phrase
    sizes = "..".join(str(s) for s in sorted({min(found.sizes), max(found.sizes)}))
    blocks: list[Block] = [Title(say(words.TITLE, book=found.book, pool=found.pool, sizes=sizes))]
    for head, some in (
        (words.FOUND, [c for c in found.combos if len(c.cards) > 1]),
        (words.ALONE, [c for c in found.combos if len(c.cards) == 1]),
    ):
        if some or head is words.FOUND:
            blocks.append(Heading(say(head, count=len(some))))
        for combo in some:
            blocks += combo_lines(terminal, done, combo)
    if found.lacking is not None:
        blocks.append(Heading(say(words.LACKING, count=len(found.lacking))))
    for cards, need, give in found.lacking or ():
        said = say(
            words.LACKS_ONE,
            needs=say(words.NEEDS[need[0]], what=called(done, need)),
            gives=say(words.GIVES[give[0]], what=called(done, give)),
        )
        blocks += [
            Field(say(words.CARDS), names_of(done, [done.pool.cards[k].id for k in cards], say)),
            Field(say(words.LACKS), said),
            Para(""),
        ]
    blocks.append(Heading(say(words.LOOKED)))
    blocks += [Para(say(text)) for text in said_of(done, found, say)]
    for combo, course in ((c, c.course) for c in found.combos if full and c.course is not None and not c.findings):
        blocks += [
            Title(names_of(done, combo.cards, say)),
            Heading(say(POSITION)),
            Para(say(course.position)),
            Heading(say(STEM)),
            stem_table(course.play.stem, say),
            Heading(say(CYCLE)),
            stem_table(course.play.cycle, say),
        ]
    terminal.show(layout(blocks, terminal.width, terminal.fit))
    for finding in (f for c in found.combos for f in c.findings) if full else ():
        terminal.say("\n" + RULE * terminal.width + "\n")
        show_finding(terminal, finding, names)


def names_of(done: Search, ids: Sequence[str], say: Any) -> str:
    """Cards by name and number."""
    cards = [done.pool.cards[done.pool.numbers[x]] for x in ids]
    return say(
        Text(
            ja="、".join(f"「{c.name.ja}」（{c.id}）" for c in cards),
            en=", ".join(f"“{c.name.en}” ({c.id})" for c in cards),
        )
    )


def combo_lines(terminal: Terminal, done: Search, combo: Combo) -> list[Block]:
    """A set, and what it does."""
    say = terminal.phrase
    out: list[Block] = [Field(say(words.CARDS), names_of(done, combo.cards, say))]
    kinds = [
        say(words.LOOP, title=say(f.title), keepers=say(STOPS[f.keepers]))
        for f in combo.findings
        if f.keepers is not None
    ] or [say(words.DRAINS)]
    out += [Field(say(words.KIND), kind) for kind in dict.fromkeys(kinds)]
    if (course := combo.course) is not None:
        how = "end" if course.end else "emptied" if course.emptied else "on" if course.rounds == ROUNDS else "not"
        piles = say(LIST).join(say(name) for name in course.emptied)
        out.append(
            Field(
                say(words.CARRIED),
                say(
                    words.COURSE[how],
                    stock=STOCK,
                    rounds=course.rounds,
                    end=course.end,
                    clause=course.clause,
                    piles=piles,
                ),
            )
        )
    if combo.starters:
        out.append(Field(say(words.BEGUN), say(words.BEGUN_BY, cards=names_of(done, combo.starters, say))))
    if (stops := combo.stops) is not None:
        cards = [say(words.STOPPER, card=names_of(done, [x], say), place=place) for x, place in stops.cards.items()]
        tried = say(words.TRIED_STOPS, count=len(cards), tried=stops.tried, unknown=stops.unknown, left=stops.left)
        out += [Field(say(words.STOPPED_BY), one) for one in (*cards, tried)]
    return [*out, Para("")]


def said_of(done: Search, found: Searched, say: Any) -> list[str]:
    """How far was looked, in sentences."""
    if found.why_not is not None:
        return [say(found.why_not)]
    if not found.candidates:
        return [say(words.STOPPED, why=say(CUT_WHY[found.cut])) if found.cut else say(words.NOTHING)]
    out = [
        say(
            words.TRIED,
            candidates=found.candidates,
            done=found.tried + found.kept - found.unplayed,
            plays=found.plays,
            kept=found.kept,
            skipped=found.skipped,
        )
    ]
    if found.cut:
        out.append(
            say(
                words.LEFT_SO_FAR if found.cut == "seconds" and not found.tried else words.LEFT,
                left=found.left,
                why=say(CUT_WHY[found.cut]),
            )
        )
    if found.unshown:
        out.append(say(words.UNSHOWN, count=found.unshown))
    if found.unplayed:
        out.append(say(words.UNPLAYED, count=found.unplayed))
    return [*out, say(words.CLAIM)]
