"""Is a key that was misspelt taken in silence? `python -m tests.fuzz.keys --seed 1 --seconds 60`

In a file as people wrote it one key gets a letter more. Its reader has to refuse it, unless keys are free there: names that the author gives,
or that only the rest of the book can judge. Those places are listed, each with who judges them.
"""
from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.model.engine.table import open_table
from rulewright.spec.diagnostics import BadInput, Collector
from rulewright.spec.document import ListNode, MapNode, Node, TextNode, compose_text
from rulewright.spec.readers import read_scenario

from .files import READERS
from .texts import KINDS, ROOT

KEPT = ("scenario", "clauses", "readings", "terms", "words", "cards", "phrases", "case")
FREE: Mapping[str, str] = {
    "scenario expect/[]/readings": "readings: `check` opens the scenario under each of these sets, and refuses what is no reading",
    "scenario expect/[]/findings/[]/says": "clauses: compared with what is found, and told as different",
    "scenario expect/[]/outcomes": "kinds of ends: refused by `check` (`check_expected`)",
    "case finding/readings": "readings: replaying opens the scenario under them",
    "case asked/readings": "readings: `verify` checks the scenario under them, and refuses what is no reading",
    "words words": "words of the rules: names of rules, events, fields",
    "cards cards/[]": "attributes: the book's class of cards has to have them when cards are loaded",
    "cards cards/[]/abilities/[]": "attributes of abilities: the same",
    "phrases columns": "names of columns in tables of cards: the author's",
    "phrases columns/*/values": "what stands in such a column: the author's; anything else in a table is refused when it is read",
    "phrases kinds/*/[]/card": "attributes: the same, when a card is read with the phrase",
    "phrases kinds/*/[]/facts": "attributes of abilities: the same, when a card is read with the phrase",
    "phrases kinds/*/[]/also/[]/facts": "the same",
}
"""Where a reader takes keys that it does not know, and who judges them."""


def keys(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], TextNode]]:
    """All keys, with the keys above them."""
    match node:
        case MapNode(entries=entries):
            for entry in entries:
                yield path, entry.key
                yield from keys(entry.value, (*path, entry.key.text))
        case ListNode(items=items):
            for item in items:
                yield from keys(item, (*path, "[]"))
        case _:
            return


def place(kind: str, path: tuple[str, ...]) -> str:
    """A place as it is listed: the names of kinds of phrases are the author's."""
    return f"{kind} {'/'.join('*' if kind == 'phrases' and k == 1 else one for k, one in enumerate(path))}"


def misspelt(kind: str, file: Path, lot: random.Random, folder: Path) -> tuple[str, str, bool] | None:
    """One key of the file misspelt: where, which, and whether it was taken."""
    text = file.read_text(encoding="utf-8")
    root = compose_text(text, str(file), Collector())
    assert root is not None
    path, key = lot.choice([*keys(root)])
    lines = text.split("\n")
    line, column = lines[key.position.line - 1], key.position.column - 1
    if not line[column:].startswith(key.text):  # in quotes
        return None
    lines[key.position.line - 1] = f"{line[:column]}{key.text}q{line[column + len(key.text):]}"
    other = folder / file.name
    other.write_text("\n".join(lines), encoding="utf-8")
    try:
        READERS[kind](other, 1)
        if kind == "scenario":
            open_table(read_scenario(other))
    except BadInput:
        return place(kind, path), key.text, False
    return place(kind, path), key.text, True


def run(seed: int, seconds: float) -> list[str]:
    """What was taken though nobody judges it."""
    return tried(seed, time.monotonic() + seconds)[0]


def tried(seed: int, until: float) -> tuple[list[str], Counter[str]]:
    """The same, and how often keys were refused, or taken where they are free."""
    lot = random.Random(f"keys{seed}")
    problems: list[str] = []
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            kind = lot.choice(KEPT)
            files = sorted(ROOT.glob(KINDS[kind][0]))
            done = misspelt(kind, lot.choice(files), lot, Path(folder))
            if done is None:
                continue
            where, key, taken = done
            counts[where if taken else "refused"] += 1
            if taken and where not in FREE:
                problems.append(f"{where}: {key}")
    return problems, counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    problems, counts = tried(given.seed, time.monotonic() + given.seconds)
    print(*problems, *(f"{count:6} {where}: {FREE.get(where, '')}" for where, count in counts.most_common()), sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
