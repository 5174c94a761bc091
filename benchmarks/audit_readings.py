"""Is a reading asked for again where it is taken away? Readings drawn by lot, each settled in silence in a copy of its book.

    python benchmarks/audit_readings.py [--count 20] [--seed N] [--books NAME …] [--draft BOOK=FILE …] [--play | --text]

The answer that is the default is put into the rules (`if reading("x") == "y"` and its like are worked out, marks stay where they are), as an encoder would have written them who did not
notice the question. Then it is listed what `audit` tells of the rules that asked for it and does not tell of the book as it is (`--play`: only what changes play in
a shipped scenario), and, where the text of the book is given, what `questions --all` asks of the clauses of the reading (`--text`: only this, also of readings that are not built in).
Whether one of these asks the same thing is for a reader to judge; counted here is for how many readings there is anything at all.
"""
from __future__ import annotations

import argparse
import ast
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.checks.audit.asking import choices_in
from rulewright.checks.audit.places import Rule, with_lines, with_module
from rulewright.checks.audit.record import Tried
from rulewright.checks.audit.trying import Trials, visited
from rulewright.checks.questions.asking import ask_file
from rulewright.checks.questions.catalogue import FAMILIES
from rulewright.checks.register.asked import of_book
from rulewright.model.engine.library import Book, load_book
from rulewright.model.lang.source import Source
from rulewright.spec.diagnostics import BadInput

BOOKS = ("hanayome", "harem_master", "sakura", "shinso", "ts_fight")
FOLDS = 60
"""Steps in which a module is worked out at most."""


def settled(book: Book, name: str) -> tuple[Book, set[str]]:
    """The book with the default of a reading put into its rules, and the rules that asked for it."""
    default, rules = book.readings[name].default.value, set[str]()
    for source in book.rulebook.sources:
        now = source
        for rule in source.tree.body:
            if isinstance(rule, Rule) and any(asks(n, name) for n in ast.walk(rule)):
                rules.add(rule.name)
        for _ in range(FOLDS):
            new = folded(now, name, default)
            if new is None:
                break
            now = new
        if now is not source:
            book = with_module(book, source, now)
    others = {k: r for k, r in book.readings.items() if k != name}
    return replace(book, readings=others), rules


def asks(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("reading", "reading_number") \
        and isinstance(node.args[0], ast.Constant) and node.args[0].value == name


def folded(source: Source, name: str, default: str) -> Source | None:
    """One step: the innermost place that can be worked out."""
    tree = source.tree
    for node in ast.walk(tree):
        text: str | None = None
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=str() as value)]) if asks(left, name):
                text = str((value == default) == isinstance(op, ast.Eq))
            case ast.Compare(left=left, ops=[op], comparators=[ast.Tuple(elts=values) | ast.Set(elts=values)]) if asks(left, name):
                text = str((default in [v.value for v in values if isinstance(v, ast.Constant)]) == isinstance(op, ast.In))
            case ast.Call() if asks(node, name) and isinstance(node.func, ast.Name) and node.func.id == "reading_number":
                text = default
            case ast.UnaryOp(op=ast.Not(), operand=ast.Constant(value=bool() as value)):
                text = str(not value)
            case ast.BoolOp(op=op, values=values) if any(is_bool(v) for v in values):
                decisive = isinstance(op, ast.Or)
                left = [v for v in values if not is_bool(v)]
                if any(isinstance(v, ast.Constant) and v.value is decisive for v in values if is_bool(v)) or not left:
                    text = str(decisive if any(isinstance(v, ast.Constant) and v.value is decisive for v in values if is_bool(v)) else not decisive)
                else:
                    text = (" or " if decisive else " and ").join(segment(source, v) for v in left)
                    text = f"({text})" if len(left) > 1 else text
            case ast.IfExp(test=ast.Constant(value=bool() as value), body=a, orelse=b):
                text = segment(source, a if value else b)
            case _:
                pass
        if text is not None and isinstance(node, ast.expr):
            return respelt(source, node, text)
    for node in ast.walk(tree):
        match node:
            case ast.If(test=ast.Constant(value=bool() as value), body=body, orelse=orelse) if not source.lines[node.lineno - 1].lstrip().startswith("elif"):
                return instead_of(source, node, body if value else orelse)
            case ast.Match(subject=subject, cases=cases) if asks(subject, name):
                for case in cases:
                    pattern = case.pattern
                    values = [p.value for p in (pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]) if isinstance(p, ast.MatchValue)]
                    if not values or any(isinstance(v, ast.Constant) and v.value == default for v in values):
                        return instead_of(source, node, case.body)
            case _:
                pass
    return None


def is_bool(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def segment(source: Source, node: ast.AST) -> str:
    return ast.get_source_segment(source.text, node) or ""


def respelt(source: Source, node: ast.expr, text: str) -> Source | None:
    lines, last = source.text.splitlines(), node.end_lineno or node.lineno
    before = lines[node.lineno - 1].encode()[: node.col_offset].decode()
    after = lines[last - 1].encode()[node.end_col_offset or 0 :].decode()
    return with_lines(source, node.lineno, last, (before + text + after).splitlines())


def instead_of(source: Source, node: ast.stmt, body: Sequence[ast.stmt]) -> Source | None:
    """The statement replaced by one of its blocks."""
    last = node.end_lineno or node.lineno
    if not body:
        return with_lines(source, node.lineno, last, [" " * node.col_offset + "pass"])
    lines = source.text.splitlines()[body[0].lineno - 1 : body[-1].end_lineno]
    extra = body[0].col_offset - node.col_offset
    return with_lines(source, node.lineno, last, [line[extra:] for line in lines])


def told_of(book: Book, copy: Book, rules: set[str], play: bool) -> list[str]:
    """What audit tells of these rules that it did not tell before."""
    before = {c.id for c in choices_in(book, rules)[0]}
    new = [c for c in choices_in(copy, rules)[0] if c.id not in before]
    if play and new:
        seen = {p.stem: visited(p) for p in book.scenarios}
        files = {c.file for c in new}
        there = {name: v for name, v in seen.items() if any(f in files for f, _ in v.lines)}
        trials = Trials(copy, there)
        new = [c for c in new if trials.outcome(c).tried is Tried.PARTED]
    return [f"{c.kind.value} {c.basis.name} {c.file.rpartition('/')[2]}:{c.line} {' '.join(c.code.split())[:90]} | {' '.join(c.instead.split())[:50]}" for c in new]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--books", nargs="*", default=BOOKS)
    parser.add_argument("--draft", action="append", default=[], metavar="BOOK=FILE")
    parser.add_argument("--play", action="store_true")
    parser.add_argument("--text", action="store_true")
    given = parser.parse_args(arguments)
    drafts = dict(one.split("=", 1) for one in given.draft)
    asked = {name: ask_file(Path(file), FAMILIES, naming=of_book(name).naming).questions for name, file in drafts.items()}
    every = [(name, r) for name in given.books for r, reading in sorted(load_book(name).readings.items()) if given.text or reading.status.value == "modelled"]
    drawn = random.Random(given.seed).sample(every, min(given.count, len(every)))
    by_audit = by_questions = by_either = 0
    for name, r in drawn:
        book, reading = load_book(name), load_book(name).readings[r]
        copy, rules = settled(book, r) if not given.text else (book, set[str]())
        try:
            told = told_of(book, copy, rules, given.play) if rules else []
        except BadInput as e:
            told = []
            print("refused:", e.diagnostics[0].message.en)
        clauses = {c.value for c in reading.clauses}
        put = [f"{q.id}: {q.words.en}" for q in asked.get(name, ()) if clauses & set(q.clauses)]
        by_audit += bool(told)
        by_questions += bool(put)
        by_either += bool(told or put)
        print(f"{name} {r} [{' '.join(sorted(clauses))}] {reading.question.en} (in {', '.join(sorted(rules)) or 'no rule'})",
              *(f"audit: {one}" for one in told), *(f"questions: {one}" for one in put), sep="\n    ", flush=True)
    print(f"of {len(drawn)} readings, audit tells of something where it was: {by_audit}; questions asks something of its clauses: {by_questions}; either: {by_either}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
