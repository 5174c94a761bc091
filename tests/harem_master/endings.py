"""How a game of harem_master ended, for tests/playouts.py."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..playouts import Ended

CASTLE, HAREM, SCAFFOLD = "a castle has fallen", "five in a harem", "five on a scaffold"


def how_it_ended(end: Ended) -> str | None:
    """What in the last position explains the end, once for each player of whom it is true, joined by "; "; loops and
    bounds as in every book."""
    if end.done.ended in ("loop", "bound", "steps"):
        return None
    return "; ".join(
        name
        for p in (0, 1)
        for name, holds in (
            (CASTLE, end.cards("castle", p) == 0),
            (HAREM, end.cards("harem", p) >= 5),
            (SCAFFOLD, end.cards("scaffold", p) >= 5),
        )
        if holds
    )
