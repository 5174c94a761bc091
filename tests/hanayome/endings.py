"""How a game of hanayome ended, for tests/playouts.py."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..playouts import Ended


def how_it_ended(end: Ended) -> str | None:
    """What in the last state explains a win or draw: "three brides", "empty deck" or both. Others as in every book."""
    winner = end.done.winner
    if end.done.ended not in ("win", "draw"):
        return None
    won = [p for p in (0, 1) if end.cards("brides", p) >= 3]
    lost = [p for p in (0, 1) if end.cards("deck", p) == 0]
    whys = {"three brides": won, "empty deck": [1 - p for p in lost]}
    return " and ".join(why for why, for_whom in whys.items() if winner in for_whom or (winner < 0 and for_whom))
