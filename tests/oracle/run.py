"""Worlds by lot: are the checks right about them?  `python -m tests.oracle.run --worlds 20000 --seed 1 --jobs 2`

Each world has a seed of its own: the number of the first, and on from there; `--draw` says what sort of books are drawn (`kinds.py`). Every false claim is told with its seed and the book's text,
made smaller as long as the same kind of claim stays false. At the end: how many worlds, false claims by kind, what was there to be told
(so that no kind of claim is compared where there was nothing to claim), and how many of the truly endless growing loops are told.
"""
from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import Pool
from types import FrameType

from rulewright.spec.diagnostics import BadInput

from .answers import ANSWERS, told_of_readings
from .audits import AUDITING, told_of_choices
from .books import Book, Part
from .compare import Compared, Untrue, compare
from .contradictions import CONTRADICTING, told_of_every_position
from .ending import ENDING, told_to_end
from .judge import TooLarge
from .keeping import KEEPING, told_to_be_kept
from .kinds import KINDS, drawn
from .pairs import PAIRING, told_of_pairs
from .questions import asked

ASKED = {"verdicts": told_of_every_position, "norms": told_of_every_position, "abilities": told_of_pairs}
"""What is asked of every position, where it is not about clauses that never apply and rounds."""
SECONDS = 20
"""A world that takes longer is left out, and counted."""
NATIVE = 400
"""One world in so many is searched in compiled code."""
SHRINKING = 30.0
"""Seconds for making one book smaller."""


@dataclass
class Outcome:
    """What came of one seed."""

    seed: int
    why_not: str = ""
    compared: Compared = field(default_factory=Compared)
    features: frozenset[str] = frozenset()


class TooLong(Exception):
    """The world took more than its time."""


def late(signum: int, frame: FrameType | None) -> None:
    raise TooLong


def looked_at(seed: int, seconds: int = SECONDS, native: bool | None = None, questions: int = 0, kind: str = "counters") -> Outcome:
    """One world, drawn, judged and compared; searched by the interpreter, or by compiled code where its seed says so. Of each so many
    worlds one is also asked about in every position. Where there are cards, also what is proved to end is compared."""
    book = drawn(seed, kind)
    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        compared = Compared()
        if book.cards:
            with suppress(TooLarge):
                add(compared, told_to_end(book, random.Random(seed)))
                add(compared, told_to_be_kept(book))
        if "reading(" in book.text or "reading_number(" in book.text:
            add(compared, told_of_readings(book))
            return Outcome(seed, "", compared, book.features)
        try:
            whole = compare(book, native=is_native(seed) if native is None else native)
        except TooLarge:
            if not compared.there:
                raise
        else:
            compared = Compared(whole.false + compared.false, whole.there | compared.there, whole.growing)
        if questions and seed % questions == 0:
            add(compared, ASKED.get(kind, asked)(book, random.Random(seed)))
            add(compared, told_of_choices(book))
        return Outcome(seed, "", compared, book.features)
    except TooLarge:
        return Outcome(seed, "larger than the judge takes")
    except TooLong:
        return Outcome(seed, f"longer than {seconds} s")
    except BadInput as e:
        return Outcome(seed, f"refused: {e}")
    except Exception as e:
        return Outcome(seed, "", Compared([Untrue("it fails", f"{type(e).__name__}: {e}")]), book.features)
    finally:
        signal.alarm(0)


def add(compared: Compared, asked: tuple[list[Untrue], dict[str, int]]) -> None:
    """What was asked besides."""
    compared.false += asked[0]
    compared.there.update(f"every position: {what}" for what, n in asked[1].items() if n)


def is_native(seed: int) -> bool:
    """Is the world of this seed searched in compiled code?"""
    return seed % NATIVE == NATIVE - 1


# ---------------------------------------------------------------- smaller
def smaller(parts: tuple[Part, ...]) -> Iterator[tuple[Part, ...]]:
    """The same statements without one, or with what stood under one in its place."""
    for k, p in enumerate(parts):
        yield parts[:k] + parts[k + 1:]
        if p.body and not p.line.startswith(("match", "case")):
            yield (*parts[:k], *p.body, *parts[k + 1:])
        if p.otherwise:
            yield (*parts[:k], replace(p, otherwise=()), *parts[k + 1:])
        for body in smaller(p.body):
            if body:
                yield (*parts[:k], replace(p, body=body), *parts[k + 1:])
        for body in smaller(p.otherwise):
            yield (*parts[:k], replace(p, otherwise=body), *parts[k + 1:])


def false_of(book: Book, kind: str) -> list[Untrue]:
    """What is said falsely of a book, where a claim of this kind is."""
    if kind in ANSWERS:
        return told_of_readings(book)[0]
    if kind in CONTRADICTING:
        return told_of_every_position(book, random.Random(0))[0]
    if kind in AUDITING:
        return told_of_choices(book)[0]
    if kind in PAIRING:
        return told_of_pairs(book, random.Random(0))[0]
    if kind in KEEPING:
        return told_to_be_kept(book)[0]
    return told_to_end(book, random.Random(0))[0] if kind in ENDING else compare(book).false


def shrunk(book: Book, kind: str, seconds: float = SHRINKING) -> Book:
    """The book made smaller as long as a claim of this kind is false."""
    until = time.monotonic() + seconds

    def candidates() -> Iterator[Book]:
        for k, rule in enumerate(book.rules):
            if rule.name != "main":
                yield replace(book, rules=book.rules[:k] + book.rules[k + 1:])
            for body in smaller(rule.body):
                if body:
                    yield replace(book, rules=(*book.rules[:k], replace(rule, body=body), *book.rules[k + 1:]))
        if book.position:
            yield replace(book, position={})

    while True:
        for one in candidates():
            if time.monotonic() > until:
                return book
            try:
                if any(f.kind == kind for f in false_of(one, kind)):
                    book = one
                    break
            except (BadInput, TooLarge):
                continue
            except Exception:
                if kind == "it fails":
                    book = one
                    break
        else:
            return book


# ---------------------------------------------------------------- all of them
@dataclass
class Summary:
    """What came of all worlds."""

    worlds: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])
    false: dict[str, list[int]] = field(default_factory=dict[str, "list[int]"])
    there: Counter[str] = field(default_factory=Counter[str])
    growing: Counter[str] = field(default_factory=Counter[str])
    features: Counter[str] = field(default_factory=Counter[str])

    def add(self, o: Outcome) -> None:
        if o.why_not:
            self.left_out[o.why_not.split("\n")[0]] += 1
            return
        self.worlds += 1
        for kind in {f.kind for f in o.compared.false}:
            self.false.setdefault(kind, []).append(o.seed)
        self.there.update(o.compared.there)
        self.growing.update(o.compared.growing)
        self.features.update(o.features)

    def text(self, seconds: float) -> str:
        """For people."""
        def table(title: str, of: Counter[str]) -> Iterable[str]:
            yield title
            yield from (f"  {n:7}  {what}" for what, n in sorted(of.items()))
        false = {s for seeds in self.false.values() for s in seeds}
        lines = [
            *table("worlds in which there is, or is told", self.there), *table("worlds drawn with", self.features), *table("left out", self.left_out),
            f"false claims: {sum(map(len, self.false.values()))} in {len(false)} of {self.worlds} worlds",
            *(f"  {len(seeds):7}  {kind}: seeds {' '.join(map(str, seeds[:12]))}{' …' if len(seeds) > 12 else ''}" for kind, seeds in sorted(self.false.items())),
            f"truly endless growing loops: {self.growing['endless']} told as endless, {self.growing['not shown']} as not shown, {self.growing['missed']} missed",
            f"{seconds:.0f} s, {(self.worlds + self.left_out.total()) / max(seconds, 0.01):.1f} worlds a second"]
        return "\n".join(lines)


def main() -> int:
    """The command."""
    command = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("--worlds", type=int, default=1_000)
    command.add_argument("--seed", type=int, default=1, help="of the first world")
    command.add_argument("--jobs", type=int, default=1)
    command.add_argument("--show", type=int, default=1, help="books shown of each kind of false claim")
    command.add_argument("--questions", type=int, default=0, help="of each so many worlds, ask about every position of one, and audit it (0: none)")
    command.add_argument("--draw", choices=KINDS, default="counters", help="what sort of books")
    command.add_argument("--one", type=int, help="only the world of this seed, told in full")
    given = command.parse_args()
    if given.one is not None:
        print(drawn(given.one, given.draw).told)
        o = looked_at(given.one, 600, questions=given.questions and 1, kind=given.draw)
        print(o.why_not or "\n".join(sorted(o.compared.there)))
        print("\n".join(f"FALSE {f.kind}: {f.said}" for f in o.compared.false), o.compared.growing)
        return bool(o.compared.false)
    begun, out = time.monotonic(), Summary()
    seeds = range(given.seed, given.seed + given.worlds)
    with Pool(given.jobs) as pool:
        for o in pool.imap_unordered(partial(looked_at, questions=given.questions, kind=given.draw), seeds, 8):
            out.add(o)
            if out.worlds % 1_000 == 0 and sys.stderr.isatty():
                print(f"{out.worlds} worlds, false claims in {sum(map(len, out.false.values()))}", file=sys.stderr)
    took = time.monotonic() - begun
    for kind, found in sorted(out.false.items()):
        for seed in sorted(found)[: given.show]:
            book = shrunk(drawn(seed, given.draw), kind)
            said = next((f.said for f in false_of(book, kind) if f.kind == kind), "") if kind != "it fails" else ""
            print(f"---- {kind}: seed {seed}: {said}\n{book.told}\n")
    print(out.text(took))
    return bool(out.false)


if __name__ == "__main__":
    sys.exit(main())
