"""Rulewright from Python: books, scenarios, plays, positions, findings (docs/python.md).

What is exported here stays as it is; everything else may change. Nothing here asks a terminal or keeps a file, but for `Play.save`.
Mistakes in files raise `BadInput`, whose `diagnostics` have file, line, column and what to write instead.
"""
from __future__ import annotations

from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ..findings.record import CheckResult, Finding
from .books import Book, Scenario, books, open_book, open_scenario
from .plays import NoSuchOption, Option, Play, Step
from .positions import Card, Entry, Position, Side

__all__ = [
    "BadInput",
    "Book",
    "Card",
    "CheckResult",
    "Entry",
    "Finding",
    "NoSuchOption",
    "Option",
    "Play",
    "Position",
    "Scenario",
    "Side",
    "Step",
    "Text",
    "books",
    "open_book",
    "open_scenario",
]
