"""What books can be drawn by lot: each from its kind and a seed alone."""
from __future__ import annotations

from collections.abc import Mapping

from .books import Book
from .draw import Draw
from .draw_abilities import Abilities
from .draw_cards import Cards
from .draw_contracts import Contracts
from .draw_nested import Nested
from .draw_norms import Norms
from .draw_orders import Orders
from .draw_pools import Pools
from .draw_readings import Readings
from .draw_rules import Rules
from .draw_texts import Texts
from .draw_verdicts import Verdicts

KINDS: Mapping[str, type[Draw]] = {"counters": Draw, "nested": Nested, "cards": Cards, "rules": Rules, "texts": Texts, "readings": Readings,
                                    "orders": Orders, "verdicts": Verdicts, "norms": Norms, "abilities": Abilities, "contracts": Contracts, "pools": Pools}


def drawn(seed: int, kind: str = "counters") -> Book:
    """The book of a seed."""
    return KINDS[kind](seed).book()
