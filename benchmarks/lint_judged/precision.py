"""How often the linter was right about books from public repositories: `python benchmarks/lint_judged/precision.py`.

`judged.csv` has a line for every finding that was judged: when, in which book (repository, path, commit), where, by which rule,
at which level, right or wrong, and why; nothing of the books themselves. A finding is right if an editor of that book would
change something because of it. Of each book all findings were judged, or forty by lot."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

JUDGED = Path(__file__).with_name("judged.csv")
Row = dict[str, str]


def rows() -> list[Row]:
    """What was judged."""
    with JUDGED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def precision(judged: list[Row], levels: tuple[str, ...] = ("error", "warning")) -> tuple[int, int]:
    """How many were right, and how many there were."""
    chosen = [row for row in judged if row["severity"] in levels]
    return sum(row["verdict"] == "right" for row in chosen), len(chosen)


def main() -> int:
    """A line for every stage, and below it one for every book and for the causes of what was wrong."""
    judged = rows()
    for stage in dict.fromkeys(row["stage"] for row in judged):
        here = [row for row in judged if row["stage"] == stage]
        print(f"{stage}: errors {_share(*precision(here, ('error',)))}, errors and warnings {_share(*precision(here))}")
        for book in dict.fromkeys((row["repository"], row["path"]) for row in here):
            own = [row for row in here if (row["repository"], row["path"]) == book]
            print(f"    {book[0]} {book[1]}: errors {_share(*precision(own, ('error',)))}, both {_share(*precision(own))}")
        for (rule, why), count in Counter((r["rule"], r["why"]) for r in here if r["verdict"] == "wrong").most_common():
            print(f"    wrong {count} x {rule}: {why}")
    return 0


def _share(right: int, of: int) -> str:
    return f"{right} of {of}" + (f" ({100 * right // of} %)" if of else "")


if __name__ == "__main__":
    sys.exit(main())
