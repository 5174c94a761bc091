"""Everything that can be read, in one place: `read_clauses`, `read_terms`, `read_readings`, `read_cards`,
`read_scenario`, and what they give. All raise `BadInput` with everything that is wrong with a file."""
from __future__ import annotations

from .book import (
    Alternative,
    Clause,
    ClauseKind,
    Clauses,
    Numbers,
    Reading,
    Readings,
    Status,
    Term,
    Terms,
    read_clauses,
    read_readings,
    read_terms,
)
from .cards import Ability, Card, Counted, Raw, counted, parse_counted, read_cards
from .scenario import DeckOrder, Expectation, ExpectedFinding, Limits, Scenario, read_scenario, scenario_partly

__all__ = [
    "Ability", "Alternative", "Card", "Clause", "ClauseKind", "Clauses", "Counted", "DeckOrder",
    "Expectation", "ExpectedFinding", "Limits", "Numbers", "Raw", "Reading", "Readings", "Scenario", "Status",
    "Term", "Terms", "counted", "parse_counted", "read_cards", "read_clauses", "read_readings",
    "read_scenario", "read_terms", "scenario_partly",
]
