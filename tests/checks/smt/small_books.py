"""Small books of their own, for questions about every position."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.model.engine.library import forget_books


def own_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str, cards: str = "") -> None:
    """The book `mine` with these rules, one clause, these cards (as in `cards.yaml`), and one without a text."""
    files = {
        "clauses.yaml": 'book: mine\nedition: "1"\nclauses:\n  - {id: "1.1", kind: procedure, ja: 解決する。, en: Resolving.}\n',
        "readings.yaml": "book: mine\nreadings: []\n", "rules/game.py": rules,
        "cards.yaml": f"cards:\n{cards}  - {{id: PLAIN, name: {{ja: 無地, en: Plain}}, abilities: []}}\n",
    }
    for name, text in files.items():
        file = tmp_path / "mine" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_BOOKS", str(tmp_path))
    forget_books()
