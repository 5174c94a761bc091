"""How a game of shinso ended, for tests/playouts.py."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..playouts import Ended


def how_it_ended(end: Ended) -> str | None:
    """What in the last position explains a win or a conflict; other ends as in every book."""
    match end.done.ended:
        case "win":
            loser = 1 - end.done.winner
            if not end.cards("life_deck", loser):
                return "life deck"
            if end.value(f"end_phases[{loser}]") == 2:
                return "burned out"
            return "fatal attack" if not end.cards("rim", loser) else ""
        case "conflict":
            return "both life decks" if not any(end.cards("life_deck", p) for p in (0, 1)) else ""
        case _:
            return None
