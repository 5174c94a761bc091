"""The one type for anything that is shown to people."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Lang = Literal["ja", "en"]
"""The languages that are spoken."""


@dataclass(frozen=True)
class Text:
    """The same thing said in Japanese and in English."""

    ja: str
    en: str

    @classmethod
    def same(cls, text: str) -> Text:
        """A text that is the same in both languages: a name, an id, something the user wrote."""
        return cls(text, text)

    def in_(self, lang: Lang) -> str:
        """The text in one language."""
        return self.ja if lang == "ja" else self.en
