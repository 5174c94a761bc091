"""Do z3 and cvc5 agree about the questions that proofs rest on, and about those that are exported?

`python -m tests.checks.certify.solvers ts_fight --only gaps,invariants --sample 50 --seed 3` has these proofs made of a book (all books and all
questions where none are named), draws so many of the questions to which z3 found nothing, and as many of those that `export --to smt2`
writes, and asks both solvers from the text alone. Exit code 1 where one finds something and the other nothing.
"""
from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import z3

from rulewright.checks.certify import asking
from rulewright.checks.findings import words
from rulewright.checks.runs import session
from rulewright.checks.smt import solving
from rulewright.checks.smt.queries import every
from rulewright.checks.smt.queries.asking import SECONDS
from rulewright.checks.smt.queries.keeping import keep

GRACE = 3.0
"""Seconds beyond its time after which a solver is taken not to answer."""


def proofs(book: str, only: Sequence[str], seconds: float) -> Iterator[tuple[str, list[str]]]:
    """Of each sort of question about a book: the texts of those to which there is nothing."""
    for question in only:
        solving.collected = texts = list[str]()
        try:
            if question == words.INVARIANTS:
                keep(book, {}, seconds)
            else:
                every.ask(book, [question], seconds=seconds)
        finally:
            solving.collected = None
        yield question, texts


def z3_says(text: str, seconds: float) -> str:
    """z3's answer."""
    solver = z3.Solver()
    solver.set("timeout", int(seconds * 1000))
    solver.from_string(text)
    return str(solver.check())


def cvc5_says(text: str, seconds: float) -> str:
    """cvc5's answer, as the checker of certificates asks it."""
    asking.SECONDS = seconds
    return asking.cvc5_says(text)


def in_time(says: Callable[[str, float], str], text: str, seconds: float) -> str:
    """What a solver says, in a process of its own: neither always keeps to its time."""
    fork = get_context("fork")
    heard, mouth = fork.Pipe(False)
    asked = fork.Process(target=lambda: mouth.send(says(text, seconds)))
    asked.start()
    mouth.close()
    try:
        said = heard.recv() if heard.poll(seconds + GRACE) else ""
    finally:
        asked.kill()
        asked.join()
    return said if said in ("sat", "unsat") else "unknown"


def both(text: str, seconds: float) -> tuple[str, str]:
    """What z3 and cvc5 say."""
    return in_time(z3_says, text, seconds), in_time(cvc5_says, text, seconds)


def counted(said: Sequence[tuple[str, str]]) -> dict[str, int]:
    """How often they agree, which does not answer, and how often they contradict each other."""
    words = {("sat", "sat"): "agree: something", ("unsat", "unsat"): "agree: nothing", ("sat", "unsat"): "DISAGREE", ("unsat", "sat"): "DISAGREE"}
    return dict(Counter(words.get(pair, f"z3 {pair[0]}, cvc5 {pair[1]}") for pair in said))


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask both about what is drawn of each book."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="*", metavar="BOOK")
    parser.add_argument("--only", default=",".join(words.QUESTIONS))
    parser.add_argument("--sample", type=int, default=50, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each question and solver")
    parser.add_argument("--proofs", type=float, default=SECONDS, help="for each question of a proof")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    rng, wrong = random.Random(given.seed), False
    with ProcessPoolExecutor(given.jobs) as pool:
        for book in given.books or session.books():
            exported = [("exported", [question.text() for question in every.queries(book, None, {})])]
            for name, texts in (*exported, *proofs(book, given.only.split(",") if given.only else (), given.proofs)):
                begun = time.monotonic()
                drawn = rng.sample(texts, min(given.sample, len(texts)))
                said = counted(list(pool.map(partial(both, seconds=given.seconds), drawn)))
                wrong |= "DISAGREE" in said
                print(f"{book} {name}: {len(drawn)} of {len(texts)} drawn ({sum(map(len, texts)) / 1e6:.1f} MB in all), "
                      f"{time.monotonic() - begun:.0f} s: {said}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
