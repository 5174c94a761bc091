"""Invented books and drafts for the tests of the register."""
from __future__ import annotations

from pathlib import Path

from rulewright.checks.lint.model import Draft
from rulewright.checks.lint.outline import outline
from rulewright.checks.lint.reading import from_text

DRAFT = """\
1. 総則
1.1. 両プレイヤーは20枚の山札を用意します。
1.2. 先攻は、公平な方法で決めます。
2. ターン
2.1. ターンの初めに、山札から1枚を引きます。
2.2. 2.1の処理の後、手札の札を1枚まで使えます。
2.3. 手札が7枚を超えている場合、超えた分を捨て札に置きます。2.2は行えません。
2.4. 「捨て札」とは、使い終えた札を置く場所です。
3. 終了
3.1. 山札が無くなったプレイヤーは敗北します。
"""
RULES = '''\
from rulewright.model.lang import *


class Game(State):
    deck: Per[Player, Bag]
    hand: Per[Player, Bag]  #: 2.1
    turn_player: Player


@entry("turn")
@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn: a card is drawn."""
    while len(g.deck[g.turn_player]) > 0:  #: 3.1
        card = await choose(OPEN("2.2"), g.deck[g.turn_player])  #: 2.2
        draw(g, card)  #: 2.1


@step
def draw(g: Game, card: Card) -> None:
    """The card goes to its owner's hand."""
    put(card, g.hand[owner(card)])  #: 2.1, 1.1
'''
READINGS = """\
book: lamps
readings:
  - id: too-many
    clauses: ["2.3"]
    question: {ja: 何枚捨てるか。, en: How many are discarded?}
    alternatives:
      - id: all
        gist: {ja: 全部, en: all}
      - id: rest
        gist: {ja: 超えた分, en: what is too much}
    default: rest
    why: {ja: 文のとおり, en: as it says}
    affects: {ja: 手札, en: the hand}
    status: modelled
"""
SCENARIO = """\
book: lamps
id: two-cards
title: {ja: 二枚, en: two cards}
begin: turn
cards:
  - {id: A, name: {ja: 札, en: card}, kind: event, names: [札]}
position:
  first: {deck: [A x2]}
"""


def draft_of(text: str) -> Draft:
    """The draft as the linter sees it."""
    source = from_text("draft.md", text)
    return outline(source.file, source.lines)


def write(path: str, text: str) -> Path:
    """Write a file below the current folder."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file
