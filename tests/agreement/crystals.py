"""Duels of crystals of any size: situations without cards, with thousands to millions of positions."""
from __future__ import annotations

from pathlib import Path

TEXT = """\
book: sakura
id: crystals-{crystals}
title: {{ja: 結晶{crystals}個だけの決闘, en: a duel of {crystals} crystals}}
begin: crystals
position:
  turn_player: first
  turn_number: 3
  crystals: {crystals}
  distance: {distance}
  dust: {dust}
  first: {{life: {life}, aura: {aura}}}
  second: {{life: {life}, aura: {aura}}}
capacities: {{attacks: 1, given: 1, arisen: 1}}
bounds: {{states: 20000000, depth: 1000000}}
"""


def duel(folder: Path, crystals: int = 10, distance: int = 4, dust: int = 2, life: int = 1, aura: int = 1) -> Path:
    """The file of a duel: some thousand positions as it is, 377,018 with 14, 4, 2, 2, 2."""
    path = folder / f"crystals-{crystals}.yaml"
    path.write_text(TEXT.format(crystals=crystals, distance=distance, dust=dust, life=life, aura=aura), encoding="utf-8")
    return path
