"""The rule books as data, and what reads it: positioned diagnostics, YAML documents, schemas, readers."""
from __future__ import annotations

BOOKS = "RULEWRIGHT_BOOKS"
"""The environment variable that names folders with books of the user's own."""
