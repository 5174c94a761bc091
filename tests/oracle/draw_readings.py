"""Books by lot in which a question about how to read them decides what happens: alternatives and numbers, some asked for only late, by some other
answer, or never."""
from __future__ import annotations

from collections.abc import Mapping

from .books import Part
from .draw import one
from .draw_nested import Nested

ALTERNATIVES: Mapping[str, tuple[str, ...]] = {"way": ("a", "b"), "else": ("a", "b", "c"), "most": ("0", "1", "2", "3")}
"""The readings; the last is a number. Of each the first answer but one is the default."""
NUMBER = "most"


def default(reading: str) -> str:
    """Its default."""
    return ALTERNATIVES[reading][1]


class Readings(Nested):
    """Draws one book with readings."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.counters = self.counters[:1]

    def condition(self, deep: int = 1) -> str:
        kind = self.weighted((("else", 65), ("reading", 25), ("number", 10)))
        if kind == "number":
            self.has("a number that is read in several ways")
            return f"{self.counter()} {self.luck.choice(('<', '==', '>='))} reading_number(\"{NUMBER}\")"
        if kind == "reading":
            self.has("a reading")
            r = self.luck.choice(("way", "else"))
            test = f"reading(\"{r}\") {self.luck.choice(('==', '!='))} \"{self.luck.choice(ALTERNATIVES[r])}\""
            return test if not deep or self.chance(0.4) else f"({super().condition(0)} {self.luck.choice(('and', 'or'))} {test})"
        return super().condition(deep)

    def statement(self, deep: int) -> list[Part]:
        if self.chance(0.2):
            r = self.luck.choice(("way", "else"))
            self.has("a reading")
            return [one(f"if reading(\"{r}\") == \"{self.luck.choice(ALTERNATIVES[r])}\":", *self.statement(max(0, deep - 1)),
                        otherwise=tuple(super().statement(0)) if self.chance(0.4) else ())]
        return super().statement(deep)

    def stated(self) -> None:
        """No conditions: a reading that they ask for is another matter."""

    def cards(self) -> tuple[tuple[int, int], ...]:
        return ()
