"""Are silent choices found that are put into the books? Twenty, drawn by lot: deciders changed, orders swapped, defaults added.

    python benchmarks/audit_planted.py [--count 20] [--seed N] [--books NAME …]

Each is put into the rules of a book as they are, its clause marks staying with their lines: somebody else decides; two neighbouring effects come in
the other order; where the rules stop because nothing says what happens, nothing happens, or a rule is left at once under a condition that another
rule of its module has. Only what changes play in a shipped scenario counts. It is *found* if `audit` tells of a choice there which it does not tell of in the book as it is,
with a play that parts. What `audit` does for the whole book is done here for the rule that was changed.
"""
from __future__ import annotations

import argparse
import ast
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulewright.checks.audit.asking import choices_in
from rulewright.checks.audit.edits import exchanged, respelt
from rulewright.checks.audit.places import with_lines, with_module
from rulewright.checks.audit.record import Basis, Choice, Edit, Kind, Tried
from rulewright.checks.audit.rules import CHOICES, Page, Written, names_called
from rulewright.checks.audit.swaps import can_change_places
from rulewright.checks.audit.trying import Trials, Visited, visited
from rulewright.model.engine.library import Book, load_book
from rulewright.spec.diagnostics import BadInput

BOOKS = ("hanayome", "harem_master", "sakura", "shinso", "ts_fight")
SORTS = ("decider", "order", "default")


@dataclass(frozen=True)
class Plant:
    """A silent choice to be put into a rule."""

    sort: str
    file: str
    rule: str
    edit: Edit
    said: str


# ---------------------------------------------------------------- what can be planted
def deciders(page: Page) -> Iterator[Plant]:
    for node in ast.walk(page.rule):
        match node:
            case ast.Call(func=ast.Name(id=word), args=[who, *_]) if word in CHOICES and "reading" not in names_called(who):
                if who.lineno != who.end_lineno:
                    continue
                text = page.text(who)
                instead = "g.turn_player" if "OPEN" in text else text[6:-1] if text.startswith("other(") else f"other({text})"
                yield plant(page, "decider", respelt(page, who, instead), f"{text} -> {instead}")
            case _:
                pass


def orders(page: Page) -> Iterator[Plant]:
    for block in page.blocks():
        for a, b in pairwise(block):
            if page.effect(a) and page.effect(b) and can_change_places(page, a, b):
                yield plant(page, "order", exchanged(page, a, b), f"{page.text(a).splitlines()[0]} <-> {page.text(b).splitlines()[0]}")


def defaults(page: Page) -> Iterator[Plant]:
    for node in ast.walk(page.rule):
        match node:
            case ast.If(test=test, body=[ast.Expr(value=ast.Call(func=ast.Name(id="gap")))], orelse=[]) if "reading" in names_called(test):
                yield plant(page, "default", respelt(page, node, "pass"), f"{page.text(node).splitlines()[0]} -> nothing happens")
            case ast.Expr(value=ast.Call(func=ast.Name(id="gap"))):
                yield plant(page, "default", respelt(page, node, "pass"), f"{page.text(node)} -> nothing happens")
            case ast.BoolOp(op=ast.Or(), values=[*_, ast.Call(func=ast.Name(id="OPEN")) as last]):
                yield plant(page, "default", respelt(page, last, "g.turn_player"), f"{page.text(node)} -> the turn player")
            case _:
                pass
    if page.written.kind(page.rule.name) in ("step", "procedure", "action") and (page.rule.returns is None or ast.unparse(page.rule.returns) == "None"):
        first = next((block[0] for block in page.blocks() if block), page.rule)
        if not isinstance(first, ast.Expr | ast.Assign | ast.AugAssign) or first.lineno != first.end_lineno:
            return
        for other in page.source.tree.body:
            for node in ast.walk(other):
                if isinstance(node, ast.If) and not any(isinstance(n, ast.Await) for n in ast.walk(node.test)) and node.test.lineno == node.test.end_lineno:
                    names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)} - page.written.rules.keys()
                    if "reading" not in names and names & {"g"} and names <= page.parameters | {"g", "len", "PLAYERS", "FIRST", "SECOND"}:
                        test, line = ast.unparse(node.test), page.lines[first.lineno - 1]
                        yield plant(page, "default", Edit(first.lineno - 1, first.lineno, (f"{' ' * first.col_offset}if {test}: return", line)), f"if {test}: return")


def plant(page: Page, sort: str, edit: Edit, said: str) -> Plant:
    return Plant(sort, page.source.file, page.rule.name, edit, said)


PLANTS = {"decider": deciders, "order": orders, "default": defaults}


# ---------------------------------------------------------------- planting
def planted(book: Book, p: Plant) -> Book | None:
    source = next(s for s in book.rulebook.sources if s.file == p.file)
    made = with_lines(source, p.edit.first, p.edit.last, p.edit.lines)
    return None if made is None else with_module(book, source, made)


def changes_play(book: Book, p: Plant, visits: dict[str, Visited]) -> str | None:
    """The scenario in which play differs from the book as it is; None if it does in none that was looked at, or the rules are refused."""
    choice = Choice(Kind.ORDER, Basis.UNMARKED, p.file, p.rule, p.edit.first, p.edit.last, p.said, "", (), (p.edit,))
    found = Trials(book, visits).outcome(choice)
    return found.shown.scenario if found.tried is Tried.PARTED and found.shown is not None else None


def judge(book: Book, p: Plant, copy: Book, visits: dict[str, Visited]) -> list[Choice]:
    """What audit tells of the rule that it does not tell of it in the book as it is."""
    before = {c.id for c in choices_in(book, {p.rule})[0]}
    new = [c for c in choices_in(copy, {p.rule})[0] if c.id not in before and c.line <= p.edit.last and c.last >= p.edit.first]
    there = [v.scenario for v in sorted(visits.values(), key=lambda v: v.states) if any(f == p.file and p.edit.first <= n <= p.edit.last + 1 for f, n in v.lines)]
    seen = {v.scenario: v for name in there[:12] for v in [visited(next(x for x in book.scenarios if x.stem == name), copy)]}
    trials = Trials(copy, seen)
    return [c for c in new if trials.outcome(c).tried is Tried.PARTED]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if fewer than 17 of 20 are found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--books", nargs="*", default=BOOKS)
    given = parser.parse_args(arguments)
    lot = random.Random(given.seed)
    everywhere: dict[str, list[tuple[str, Plant]]] = {sort: [] for sort in SORTS}
    for name in given.books:
        written = Written(load_book(name).rulebook.sources)
        for source, rule in written.own:
            page = Page(written, source, rule)
            for sort in SORTS:
                by_rule = list(PLANTS[sort](page))
                everywhere[sort] += [(name, p) for p in (lot.sample(by_rule, min(len(by_rule), 3)))]
    visits: dict[str, dict[str, Visited]] = {}
    found = tried = 0
    for k in range(given.count):
        sort = SORTS[k % len(SORTS)]
        while everywhere[sort]:
            name, p = everywhere[sort].pop(lot.randrange(len(everywhere[sort])))
            book = load_book(name)
            if name not in visits:
                visits[name] = {path.stem: visited(path) for path in book.scenarios}
            copy = planted(book, p)
            try:
                where = None if copy is None else changes_play(book, p, visits[name])
                if where is None or copy is None:
                    continue
                begun = time.monotonic()
                told = judge(book, p, copy, visits[name])
            except BadInput:
                continue
            tried += 1
            found += bool(told)
            print(f"{'found' if told else 'NOT FOUND'}: {name} {sort} {p.file.rpartition('/')[2]}:{p.edit.first} {p.rule}: {p.said} "
                  f"(play differs in {where}; {time.monotonic() - begun:.0f} s)", *(f"{c.id} {c.basis.name}" for c in told[:3]), sep="\n    ", flush=True)
            break
    print(f"{found} of {tried} found (seed {given.seed})")
    return 0 if found * 20 >= tried * 17 else 1


if __name__ == "__main__":
    sys.exit(main())
