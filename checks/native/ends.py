"""Why play stops, by number: what compiled code says in a number, and the interpreter in words."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from ...model.engine.state import End

Said = Callable[[int, int], End]
"""Makes the end of what was left with it: a small number (the winner, a slot), and the value that did not fit."""

ESCAPE = 0
"""Not an end: the value is beyond what compiled code handles, and the interpreter has to look."""


class Ends:
    """Every way in which a program can stop, numbered; equal ones have one number."""

    def __init__(self) -> None:
        self.said: list[Said] = [lambda who, value: End("fault", detail="beyond compiled code")]
        self.bounds: list[bool] = [False]
        self.numbers: dict[object, int] = {}

    def _number(self, key: object, said: Said, bound: bool) -> int:
        if key not in self.numbers:
            self.numbers[key] = len(self.said)
            self.said.append(said)
            self.bounds.append(bound)
        return self.numbers[key]

    def fixed(self, end: End) -> int:
        """An end that is always the same."""
        return self._number(end, lambda who, value: end, end.kind == "bound")

    def won(self, detail: str) -> int:
        """A win by the player that is left with it."""
        return self._number(("win", detail), lambda who, value: End("win", who, detail), False)

    def bound(self, before: str, after: str = "", slot: int = -1) -> int:
        """A bound that was exceeded: what is said before and after the value."""
        return self._number(
            ("bound", before, after, slot),
            lambda who, value: End("bound", detail=f"{before}{value}{after}", slot=slot),
            True,
        )

    def slot(self, names: tuple[str, ...]) -> int:
        """The bound of a slot, which is left with it."""
        return self._number(
            "slot", lambda who, value: End("bound", detail=f"{names[who]} = {value}", slot=who), True)

    def options(self) -> int:
        """Too many options: of so many, with at least and at most so many (as who = most * 65536 + least)."""
        def said(who: int, value: int) -> End:
            least, most = who & 0xFFFF, who >> 16
            return End("bound", detail=f"options = {sum(comb(value, n) for n in range(least, most + 1))}")
        return self._number("options", said, True)
