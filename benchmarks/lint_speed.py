"""How long the linter takes, import included, on invented drafts: 500 and 10,000 clauses, with and without the
dictionary. `python benchmarks/lint_speed.py`; beside the seconds stands the ratio to a bare start of the interpreter
with click and rich, which carries over to other machines."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NOUNS = ["手札", "山札", "戦場", "支度場", "見張り", "商人", "旅人", "灯火", "帆船", "宝箱", "地図", "羅針盤"]
VERBS = ["置きます", "引きます", "公開します", "移動します", "支払います", "選びます"]
LIMITS = {(500, False): 1.0, (500, True): 2.0, (10_000, False): 20.0, (10_000, True): 20.0}
"""Seconds allowed, by number of clauses and dictionary."""


def draft(clauses: int, seed: int = 1) -> str:
    """A draft of so many clauses in three levels, with references."""
    rng = random.Random(seed)
    lines: list[str] = []
    chapter = 0
    while len(lines) < clauses:
        chapter += 1
        lines.append(f"{chapter}. 第{chapter}の決まり")
        for section in range(1, 9):
            lines.append(f"{chapter}.{section}. {rng.choice(NOUNS)}{section}の扱い")
            for clause in range(1, 7):
                one, other, third = (rng.choice(NOUNS) for _ in range(3))
                lines.append(
                    f"{chapter}.{section}.{clause}. プレイヤーは{one}から{other}を{rng.randint(1, 9)}枚"
                    f"{rng.choice(VERBS)}。{third}がない場合、{chapter}.{section}.{max(1, clause - 1)} に従います。"
                )
    return "\n".join(lines[:clauses]) + "\n"


def seconds(*arguments: str) -> float:
    """The best of three runs."""
    times: list[float] = []
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=False, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> int:
    """Measure, print a table, and say whether every limit is kept."""
    bare = seconds("-c", "import click, rich.console, rich.text")
    print(f"bare start: {bare:.2f} s")
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        for (clauses, dictionary), limit in LIMITS.items():
            path = Path(folder) / f"{clauses}.md"
            path.write_text(draft(clauses), encoding="utf-8")
            options = [] if dictionary else ["--no-dictionary"]
            took = seconds("-m", "rulewright.checks", "lint", *options, str(path))
            kept = kept and took < limit
            words = "dictionary" if dictionary else "script runs"
            print(f"{clauses:>6} clauses, {words:<11}: {took:5.2f} s (limit {limit:g} s), {took / bare:5.1f} x bare")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
