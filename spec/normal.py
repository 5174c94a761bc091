"""Card text in one form: full-width and half-width forms, variants of signs and of spaces count as equal."""
from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_SAME = str.maketrans({
    "−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "〜": "~", "∼": "~",
    ",": "、", "‘": "'", "’": "'", "“": '"', "”": '"', "：": ":", "﹕": ":",
})
"""Beside what Unicode calls compatible (full-width digits and letters, half-width kana)."""
NUMERAL = {c: n for n, c in enumerate("〇一二三四五六七八九十")} | {"零": 0, "両": 2}
"""Numerals that are no digits: card texts write digits."""
DAKUTEN = "ﾞﾟ\u3099\u309a"


@dataclass(frozen=True)
class Normal:
    """A text in its normal form, and for each character of it (and its end) the place in the original."""

    text: str
    places: tuple[int, ...]


def normal(text: str, notes: str = "") -> Normal:
    """The normal form. Spaces are dropped, save one between two words in Latin letters; what stands in the two brackets
    `notes` is dropped with them."""
    out: list[str] = []
    places: list[int] = []
    inside, space = False, -1
    at = 0
    while at < len(text):
        step = 2 if text[at + 1 : at + 2] and text[at + 1] in DAKUTEN else 1
        form = "".join(unicodedata.normalize("NFKC", text[at : at + step]).translate(_SAME).split())
        if notes and form == notes[0]:
            inside = True
        elif inside:
            inside = form != notes[1]
        elif not form:
            space = at if space < 0 else space
        else:
            if space >= 0 and out and _latin(out[-1]) and _latin(form[0]):
                out.append(" ")
                places.append(space)
            space = -1
            out.extend(form)
            places.extend([at] * len(form))
        at += step
    return Normal("".join(_stops(out)), (*places, len(text.rstrip())))


def _latin(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in "'\"")


def _stops(characters: list[str]) -> list[str]:
    """A full stop that is no decimal point is `。`, unless the text around it is in Latin letters."""
    out = list(characters)
    for k, c in enumerate(characters):
        before = characters[k - 1] if k else ""
        if c == "." and before and not before.isascii():
            out[k] = "。"
    return out
