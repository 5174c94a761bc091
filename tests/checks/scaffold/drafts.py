"""Invented drafts, in the forms that drafts have."""
from __future__ import annotations

NUMBERED = """\
1. 概要
1.1. 2人で遊びます。
1.2. ライフは、初期値20の整数です。ライフが0になったプレイヤーは敗北します。
2. 領域
2.1. 山札
2.1.1. カードを裏向きに重ねて置く領域です。
2.2. 手札
2.2.1. 引いたカードを持つ領域です。
2.3. 灯台
2.3.1. 両プレイヤーに共通の領域です。灯台にはカードを表向きに置きます。
2.4. 宝物エリア
2.4.1. 宝物エリアには、得たカードを置きます。
3. ゲームの準備
3.1. プレイヤーはそれぞれ5枚引きます。
4. ターンの流れ
4.1. ドローフェイズ
4.1.1. カードを1枚引きます。
4.2. バトルフェイズ
4.2.1. 次のステップを順に行います。
4.2.2. 攻撃ステップ
4.2.2.1. 攻撃するカードを選びます。
4.2.3. 終了ステップ
4.2.3.1. 戦闘を終えます。
4.3. エンドフェイズ
4.3.1. 手札を7枚まで捨てます。
"""
HEADED = """\
# The game of tides

## Zones

* Deck: your cards, face down.
* Shell pile: cards that were played.
* Reef: cards between both players, shared by both.

## Setup

Each player starts with 12 energy and draws three cards from the deck.

## Turn order

### Rise phase

Gain 1 energy.

### Ebb phase

Put a card from your hand onto the shell pile. Pay 2 energy.
"""
FLAT = "1. Players take turns.\n2. On a turn a card is drawn from the deck.\n3. Whoever has no card in hand wins.\n4. A card may be played at any time.\n"
ODD = '# "Quotes" \\ and """more"""\n\n## A: first {x}\n\nA card #: 9.9 may be played. It\'s `code`.\n\n## B\n\n* - item: value\n* Draw a card.\n'
CARDED = """\
# Salt Road: rules, draft 2

## 1. Basics

- 1.1 Each player has a thirst of 4. Each player starts with three grains.
- 1.2 The water level is common. It begins at 2.

## 2. Zones

- 2.1 Each player has a deck (hidden), a hand, a trail and a dune pile.
- 2.2 There are two wells, North and South.
- 2.3 A trail is open.

## 3. Turns

- 3.1 A card is drawn. The player loses 1 thirst.

## Appendix: cards

| Id | Name | Kind | Toll | Sun | Note | Text |
|---|---|---|---|---|---|---|
| S1 | Camel | Beast | 2 | 14 | - | When this leaves, lose 1 thirst. |
| S2 | Tent | Shelter | 0 | - | old | (none) |
| S3 | Broken |
"""
CARDED_JA = """\
# 『塩の道』ルール 草案

## 1. 総則
- 1.1 渇きは4から始まる。

## 2. 領域
- 2.1 各プレイヤーは、山札・手札・隊列・砂丘を1つずつ持つ。
- 2.2 渇きは0以上9以下である。

### 2.3 渇き
- 2.3.1 渇きに上限はない。
"""
IN_ONE_SENTENCE = """\
1. Setup
1.1. Each player draws five cards from the deck.
2. Turns
2.1. A turn consists of: rise, draw, main, ebb.
2.2. Rise
2.2.1. The turn player gains 1 energy.
2.3. The turn player draws a card.
"""
IN_ONE_SENTENCE_JA = """\
1. 準備
1.1. 各プレイヤーは山札から5枚引きます。
2. ゲーム
2.1. ターンは、潮・引き・終了の3つのフェイズからなる。
2.2. カードを1枚引きます。
"""
