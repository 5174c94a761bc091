"""A small book of the user's own, in which each rule can be written as a test wants it."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.commands.shared import set_books
from rulewright.model.engine.library import Book, load_book

CLAUSES = """book: duel
edition: "1"
clauses:
  - {id: "1", kind: heading, ja: 進行, en: the course of play}
  - {id: "1.1", kind: procedure, ja: ターンプレイヤーが手札を一枚選んで捨てる。, en: The turn player chooses a card and discards it.}
  - {id: "1.2", kind: procedure, ja: 1点を得る。, en: A point is gained.}
  - {id: "1.3", kind: permission, ja: 山札から一枚引いてもよい。, en: A card may be drawn.}
  - {id: "2", kind: heading, ja: 点, en: points}
  - {id: "2.1", kind: definition, ja: 点は減ることがある。, en: Points may be lost.}
  - {id: "2.2", kind: duty, ja: 手札をすべて捨てる。, en: The whole hand is discarded.}
  - {id: "2.3", kind: definition, ja: 3点を失う。, en: Three points are lost.}
"""
SCENARIO = """book: duel
id: one-turn
title: {ja: 一つのターン, en: one turn}
begin: turn
position:
  first: {hand: [A, B], deck: [C], points: 5}
  second: {points: 5}
"""
CARDS = """cards:
  - {id: A, name: {ja: 甲, en: A}}
  - {id: B, name: {ja: 乙, en: B}}
  - {id: C, name: {ja: 丙, en: C}}
"""
STATE = '''"""Rules for a test."""
from ...lang import *

class Printed(Definition):
    """Nothing is printed."""

class Game(State):
    turn_player: Player
    hand: Per[Player, Bag]
    deck: Per[Player, Pile]
    gone: Per[Player, Pile]
    points: Per[Player, Annotated[int, Range(0, 9)]]

'''


def duel(folder: Path, monkeypatch: pytest.MonkeyPatch, rules: str, turn: str) -> Book:
    """The book with these rules, of which `turn` is the body of the one that is played."""
    book = folder / "duel"
    (book / "rules").mkdir(parents=True)
    (book / "scenarios").mkdir()
    body = "".join(f"    {line}\n" for line in turn.strip("\n").splitlines())
    text = f'{STATE}{rules}\n@entry("turn")\n@procedure(scope=Scope.TURN)\nasync def play(g: Game) -> None:\n    """Play."""\n    await turn(g)\n\n\n' \
           f'@procedure\nasync def turn(g: Game) -> None:\n    """A turn."""\n{body}'
    (book / "rules" / "turn.py").write_text(text, encoding="utf-8")
    for name, content in (("clauses.yaml", CLAUSES), ("readings.yaml", "book: duel\nreadings: []\n"), ("cards.yaml", CARDS),
                          ("scenarios/one-turn.yaml", SCENARIO)):
        (book / name).write_text(content, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_BOOKS", str(folder))
    set_books(str(folder))
    load_book.cache_clear()
    return load_book("duel")
