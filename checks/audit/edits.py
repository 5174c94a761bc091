"""How a rule is written otherwise, so that no line moves."""
from __future__ import annotations

import ast

from .record import Edit
from .rules import Page


def respelt(page: Page, node: ast.expr | ast.stmt, instead: str) -> Edit:
    """The rule with something else in the place of a node."""
    first, last = node.lineno, node.end_lineno or node.lineno
    before = page.lines[first - 1].encode()[: node.col_offset].decode()
    after = page.lines[last - 1].encode()[node.end_col_offset or 0 :].decode()
    return Edit(first, last, (before + instead + after,))


def exchanged(page: Page, a: ast.stmt, b: ast.stmt) -> Edit:
    """The rule with two statements in each other's place; what stands between them stays."""
    first, second = page.lines[a.lineno - 1 : a.end_lineno], page.lines[b.lineno - 1 : b.end_lineno]
    between = page.lines[a.end_lineno or a.lineno : b.lineno - 1]
    return Edit(a.lineno, b.end_lineno or b.lineno, (*second, *between, *first))


def is_whole_lines(page: Page, s: ast.stmt) -> bool:
    """Does the statement stand alone on its lines?"""
    return page.lines[s.lineno - 1][: s.col_offset].strip() == ""
