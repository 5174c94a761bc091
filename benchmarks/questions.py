"""The standard questions about every position of the five books: z3's answers, their times, and (with cvc5) a second one.

    python benchmarks/questions.py [--second-opinion]
"""
from __future__ import annotations

import sys
import time

from rulewright.checks.smt.queries.every import standard
from rulewright.model.engine.library import book_names


def main(second: bool) -> int:
    begun, wrong, count = time.monotonic(), 0, 0
    for book in book_names():
        for name, said, seconds, other in standard(book, second):
            count += 1
            differs = {said, other} == {"found", "none"}
            wrong += differs or said.startswith("unknown") or other == "unknown"
            print(f"{book:13} {seconds:6.2f} s  {said:8} {other:8} {name}{'  DISAGREE' if differs else ''}", flush=True)
    print(f"{count} questions, {wrong} unknown or disagreed on, {time.monotonic() - begun:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main("--second-opinion" in sys.argv[1:]))
