"""From what a draft calls something to a name that rules can have: letters, digits and `_`."""

from __future__ import annotations

import keyword
import re
import unicodedata

from ...model import lang
from .vocabulary import PARTS, ROMAJI

LONGEST = 32
_TAKEN = frozenset(
    {*keyword.kwlist, *keyword.softkwlist, *dir(lang), "turn", "turns", "game", "turn_player", "turn_number"}
)
"""What means something already."""
_BY_LENGTH = sorted(PARTS, key=len, reverse=True)
_PART, _LONG_PART = (re.compile("|".join(re.escape(p) for p in _BY_LENGTH if len(p) >= least)) for least in (1, 2))
_SMALL = str.maketrans("ャュョ", "ヤユヨ")


class Names:
    """Names that are given, each once."""

    def __init__(self) -> None:
        self.given: set[str] = set()
        self.numbers: dict[str, int] = {}

    def free(self, name: str) -> bool:
        """Does nothing have this name yet?"""
        return name not in _TAKEN and name not in self.given

    def give(self, wanted: str, otherwise: str, sort: str = "") -> str:
        """The name that is wanted, if it is one and still free (with its sort behind it, or a number, if not); else the other one,
        numbered."""
        base = wanted if re.fullmatch(r"[a-z][a-z0-9_]*", wanted) else ""
        for name in (base, f"{base}_{sort}" if base and sort else ""):
            if name and self.free(name):
                self.given.add(name)
                return name
        stem = base or otherwise
        number = self.numbers.get(stem, 2 if base else 1)
        while not self.free(name := f"{stem}_{number}"):
            number += 1
        self.numbers[stem] = number
        self.given.add(name)
        return name


def name_of(said: str) -> str:
    """A name made of what is said; nothing where there is no telling how it is read."""
    text = unicodedata.normalize("NFKC", said).strip()
    if text.isascii():
        return _joined(re.findall(r"[A-Za-z0-9]+", text))
    found: list[str] = []
    left = re.sub(r"[\s/&☆★【】「」『』〈〉《》<>()’'\"]+", "", text)
    while left:
        if part := _PART.match(left):
            found.append(PARTS[part[0]])
            left = left[part.end() :]
            continue
        match = re.match(r"[ァ-ヴー]+|[A-Za-z0-9]+", left)
        if match is None:
            return ""
        run = match[0]
        part = _LONG_PART.search(run, 1)
        inside = part.start() if part else len(run)
        found.append(in_letters(run[:inside]) if not run[0].isascii() else run[:inside])
        left = left[inside:]
    return _joined(found)


def singular(said: str) -> str:
    """A word of English in small letters and without the `s` of more than one; others as they are."""
    return re.sub(r"(?<=[a-z]{2}[^s])s$", "", said.lower()) if said.isascii() else said


def in_letters(katakana: str) -> str:
    """Katakana in letters, as it is read."""
    out = ""
    double = False
    for character in katakana:
        if character == "ー":
            continue
        if character == "ッ":
            double = True
            continue
        if character in "ャュョ":
            sound = ROMAJI[character.translate(_SMALL)]
            out = (out[:-1] if out.endswith("i") else out) + (
                sound[1:] if out.endswith(("shi", "chi", "ji")) else sound
            )
            continue
        sound = ROMAJI.get(character, "")
        if character in "ァィゥェォ" and out:
            out = out[:-1]
        out += (sound[:1] if double else "") + sound
        double = False
    return out


def _joined(words: list[str]) -> str:
    name = "_".join(w.lower() for w in words if w)
    name = name if len(name) <= LONGEST else name[:LONGEST].rpartition("_")[0]
    return name if name[:1].isalpha() else ""
