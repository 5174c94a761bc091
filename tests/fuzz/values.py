"""Is a value of a wrong kind taken in silence? `python -m tests.fuzz.values --seed 1 --seconds 60`

In a file as people wrote it one value becomes one of another kind: a list or a mapping a word, a word a list or a mapping, a number
a word, a list or a number with a point. Its reader has to refuse it, unless any such value is right there; those places are listed.
"""
from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from rulewright.model.engine.table import open_table
from rulewright.spec.diagnostics import BadInput, Collector
from rulewright.spec.document import ListNode, MapNode, Node, compose_text
from rulewright.spec.readers import read_scenario

from .files import READERS
from .keys import KEPT, place
from .texts import KINDS, ROOT

WORD = "qq"
RIGHT: Mapping[str, str] = {
    "scenario policy/": "a list of options, or one option without a list",
    "scenario position/": "a list of cards, or one card without a list",
    "scenario cards/[]/": "attributes: a list of one is the one, and one without a list is a list of one",
    "cards cards/[]/": "attributes: the book's class of cards has to have them, and judges them when cards are loaded",
    "phrases kinds/": "what a phrase gives is judged when a card is read with it; a kind without anything else is its phrase",
    "phrases columns/": "one name of a column, or one for each language",
    "clauses clauses/[]/id: number to": "the number of a clause is a name",
    "terms terms/[]/clause: number to": "the number of a clause is a name; that there is such a clause is seen when the book is read",
    "case finding/bounds/omission: number to fraction": "a share",
}
"""Where a value of another kind is right, by how the place begins, and why."""
Way = tuple[str | int, ...]


def plain(node: Node) -> Any:
    """Its words, lists and mappings."""
    match node:
        case MapNode(entries=entries):
            return {entry.key.text: plain(entry.value) for entry in entries}
        case ListNode(items=items):
            return [plain(item) for item in items]
        case _:
            return node.text


def content(kind: str, file: Path) -> Any:
    """What is in a file, as its reader sees it: numbers are numbers in stored cases only."""
    text = file.read_text(encoding="utf-8")
    if kind == "case":
        return YAML(typ="safe").load(text)
    node = compose_text(text, str(file), Collector())
    assert node is not None
    return plain(node)


def values(root: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """All values below a root, each with the keys and numbers that lead to it."""
    for key, value in root.items() if isinstance(root, dict) else enumerate(root) if isinstance(root, list) else ():
        yield (*way, key), value
        yield from values(value, (*way, key))


def others(value: Any, typed: bool) -> Iterator[tuple[str, Any]]:
    """Values of other kinds, each with what was changed into what. `typed`: what is written as a word is no number."""
    match value:
        case {"ja": _, "en": _, **rest} if not rest:  # one text for both is right
            yield "text to list", [value]
        case dict() | list():
            kind = "mapping" if isinstance(value, dict) else "list"
            yield f"{kind} to word", WORD
            if value:
                yield (f"{kind} to list", [value]) if isinstance(value, dict) else (f"{kind} to mapping", {WORD: value[0]})
        case None:  # a word is right where there need be none
            yield "nothing to list", [WORD]
        case int():
            yield from (("number to word", WORD), ("number to fraction", 1.5), ("number to list", [value]))
        case str() if not typed and value.lstrip("+-").isdecimal():
            yield from (("number to word", WORD), ("number to fraction", f"{value}.5"), ("number to list", [value]))
        case _:
            yield from (("word to list", [value]), ("word to mapping", {WORD: value}))


def exchanged(kind: str, file: Path, lot: random.Random, folder: Path) -> tuple[str, bool]:
    """One value of the file exchanged: where and for what, and whether it was taken."""
    root = content(kind, file)
    way, value = lot.choice([*values(root)])
    change, other = lot.choice([*others(value, kind == "case")])
    at = root
    for key in way[:-1]:
        at = at[key]
    at[way[-1]] = other
    written = folder / file.name
    written.write_text(json.dumps(root, ensure_ascii=False, indent=1), encoding="utf-8")
    where = f"{place(kind, tuple('[]' if isinstance(key, int) else key for key in way))}: {change}"
    try:
        READERS[kind](written, 1)
        if kind == "scenario":
            open_table(read_scenario(written))
    except BadInput:
        return where, False
    except Exception as error:
        return f"{where}: {error!r}", True
    return where, True


def is_right(where: str) -> bool:
    """Is a value of that kind right there?"""
    return any(map(where.startswith, RIGHT))


def run(seed: int, seconds: float) -> list[str]:
    """What was taken though it is listed nowhere."""
    return tried(seed, time.monotonic() + seconds)[0]


def tried(seed: int, until: float) -> tuple[list[str], Counter[str]]:
    """The same, and how often values were refused, or taken where that is right."""
    lot = random.Random(f"values{seed}")
    problems: list[str] = []
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            kind = lot.choice(KEPT)
            where, taken = exchanged(kind, lot.choice(sorted(ROOT.glob(KINDS[kind][0]))), lot, Path(folder))
            counts[where if taken else "refused"] += 1
            if taken and not is_right(where):
                problems.append(where)
    return problems, counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    problems, counts = tried(given.seed, time.monotonic() + given.seconds)
    print(*(f"{count:6} {'' if is_right(where) or where == 'refused' else '* '}{where}" for where, count in counts.most_common()), sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
