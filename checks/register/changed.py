"""Which clauses were reworded while the rules that cite them stayed as they were."""

from __future__ import annotations

import hashlib
import re

from .books import BookFiles
from .hashes import FILE, SIZE, read_hashes

_NAMED = re.compile(r"\b(OPEN|gap|conflict|not_modelled)\((?:\"[^\"]*\"|'[^']*')\)")
"""A clause named in a rule: its number may change, and the rule is the same."""


def rules_hash(book: BookFiles, clause: str) -> str:
    """The hash of the statements that carry a clause out, wherever they stand."""
    text = "\n".join(_NAMED.sub(r"\1()", " ".join(p.statement.split())) for p in book.places.get(clause, ()))
    return hashlib.sha256(text.encode()).hexdigest()[:SIZE]


def wording_only(book: BookFiles) -> frozenset[str]:
    """Clauses whose wording was changed in the register, and whose rules are still those of then."""
    file = book.folder / FILE
    if not file.exists():
        return frozenset()
    return frozenset(h.id for h in read_hashes(file).hashes
                     if h.unchecked and h.id in book.by_id and rules_hash(book, h.id) == h.unchecked)
