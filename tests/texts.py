"""The texts of the five rule books. They are no part of the project: whoever has them names their folder in
`RULEWRIGHT_TEXTS`, and tests then compare them with what is registered. Elsewhere these tests say that they were skipped."""
from __future__ import annotations

import os
from pathlib import Path

TEXTS = Path(os.environ.get("RULEWRIGHT_TEXTS") or "rule-book-texts")
ABSENT = "the texts of the rule books are not here (RULEWRIGHT_TEXTS names their folder)"
