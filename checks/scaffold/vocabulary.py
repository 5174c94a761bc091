"""Words that rule books have for zones, numbers and parts of play, and what they are called in rules and in English.

It is a list of the field's words, not of any one book's. What it does not know is put together from its parts, or numbered
(`naming.py`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Zone:
    """A zone that many books have: how rules name it, its English name, whether its cards lie in an order."""

    name: str
    english: str
    ordered: bool = False


@dataclass(frozen=True)
class Counter:
    """A number that many books have: how rules name it, its English name, and whether it is printed on cards."""

    name: str
    english: str
    printed: bool = False


_DECK, _HAND = Zone("deck", "deck", True), Zone("hand", "hand")
_DISCARD, _GRAVE = Zone("discard_pile", "discard pile", True), Zone("graveyard", "graveyard", True)
_EXILE, _FIELD = Zone("exile", "exile"), Zone("battlefield", "battlefield")

ZONES: Mapping[str, Zone] = {
    "山札": _DECK, "デッキ": _DECK, "デッキ置き場": _DECK, "メインデッキ": _DECK, "手札": _HAND,
    "捨て札": _DISCARD, "捨札": _DISCARD, "捨て札置き場": _DISCARD, "トラッシュ": Zone("trash", "trash", True), "墓地": _GRAVE,
    "控え室": Zone("waiting_room", "waiting room", True), "除外": _EXILE, "除外ゾーン": _EXILE, "除外領域": _EXILE, "場": _FIELD,
    "フィールド": _FIELD, "バトルゾーン": Zone("battle_zone", "battle zone"), "戦場": _FIELD, "リザーブ": Zone("reserve", "reserve"),
    "サイドボード": Zone("sideboard", "sideboard"), "切札": Zone("trump_cards", "trump cards"), "伏せ札": Zone("face_down", "face-down cards"),
    "deck": _DECK, "draw pile": _DECK, "draw deck": _DECK, "main deck": _DECK, "library": _DECK, "stock": _DECK, "hand": _HAND,
    "discard pile": _DISCARD, "discards": _DISCARD, "graveyard": _GRAVE, "trash": Zone("trash", "trash", True), "exile": _EXILE,
    "battlefield": _FIELD, "play area": Zone("play_area", "play area"), "tableau": Zone("tableau", "tableau"),
    "reserve": Zone("reserve", "reserve"), "field": _FIELD, "board": Zone("board_zone", "board"), "sideboard": Zone("sideboard", "sideboard"),
}
"""By the word of the book, in Japanese or English."""

COUNTERS: Mapping[str, Counter] = {
    "ライフ": Counter("life", "life"), "体力": Counter("health", "health"), "HP": Counter("hit_points", "hit points"),
    "精神力": Counter("spirit", "spirit"), "行動権": Counter("action_points", "action points"),
    "行動力": Counter("action_points", "action points"), "アクションポイント": Counter("action_points", "action points"),
    "マナ": Counter("mana", "mana"), "魔力": Counter("mana", "magic"), "得点": Counter("score", "score"), "勝利点": Counter("victory_points", "victory points"),
    "ポイント": Counter("points", "points"), "集中力": Counter("focus", "focus"), "気力": Counter("spirit", "spirit"),
    "エネルギー": Counter("energy", "energy"), "コイン": Counter("coins", "coins"), "ゴールド": Counter("gold", "gold"), "資金": Counter("funds", "funds"),
    "コスト": Counter("cost", "cost", True), "パワー": Counter("power", "power", True), "戦闘力": Counter("combat_power", "combat power", True),
    "攻撃力": Counter("attack", "attack", True), "防御力": Counter("defence", "defence", True), "守備力": Counter("defence", "defence", True),
    "レベル": Counter("level", "level", True), "ランク": Counter("rank", "rank", True),
    "life": Counter("life", "life"), "life points": Counter("life", "life points"), "health": Counter("health", "health"),
    "hit points": Counter("hit_points", "hit points"), "hp": Counter("hit_points", "hit points"), "score": Counter("score", "score"),
    "points": Counter("points", "points"), "victory points": Counter("victory_points", "victory points"), "mana": Counter("mana", "mana"),
    "energy": Counter("energy", "energy"), "gold": Counter("gold", "gold"), "coins": Counter("coins", "coins"), "money": Counter("money", "money"),
    "action points": Counter("action_points", "action points"), "actions": Counter("actions", "actions"), "lives": Counter("lives", "lives"),
    "tokens": Counter("tokens", "tokens"), "chips": Counter("chips", "chips"), "cost": Counter("cost", "cost", True),
    "power": Counter("power", "power", True), "attack": Counter("attack", "attack", True), "defense": Counter("defence", "defense", True),
    "defence": Counter("defence", "defence", True), "strength": Counter("strength", "strength", True),
    "toughness": Counter("toughness", "toughness", True), "level": Counter("level", "level", True),
}

PARTS: Mapping[str, str] = {
    "フェイズ": "phase", "フェーズ": "phase", "ステップ": "step", "ターン": "turn", "ゲーム": "game", "カード": "card", "プレイヤー": "player",
    "エリア": "area", "ゾーン": "zone", "置き場": "place", "置場": "place", "レーン": "lane", "枠": "slot", "スロット": "slot", "デッキ": "deck",
    "領域": "zone", "札": "cards", "ドロー": "draw", "メイン": "main", "エンド": "end", "終了": "end", "スタート": "start", "開始": "start",
    "バトル": "battle", "アタック": "attack", "攻撃": "attack", "戦闘": "combat", "防御": "defence", "アンタップ": "untap", "スタンド": "stand",
    "アクティブ": "active", "リフレッシュ": "refresh", "リカバリー": "recovery", "回復": "recovery", "準備": "preparation", "チャージ": "charge",
    "マナ": "mana", "リソース": "resource", "アクション": "action", "行動": "action", "確認": "check", "宣言": "declaration", "指定": "targeting",
    "解決": "resolution", "確定": "confirmation", "ダメージ": "damage", "ブロック": "block", "シフト": "shift", "プレイ": "play", "イベント": "event",
    "アプローチ": "approach", "イニシャル": "initial", "クリンナップ": "cleanup", "クリーンナップ": "cleanup", "リジェネレイト": "regeneration",
    "キャラクター": "character", "キャラ": "character", "主人公": "hero", "モンスター": "monster", "クリーチャー": "creature", "ユニット": "unit",
    "シールド": "shield", "ライフ": "life", "コスト": "cost", "使用": "use", "配置": "placement", "登場": "entry", "召喚": "summoning", "装備": "equipment",
    "除外": "exile", "領地": "domain", "権能": "power", "補充": "refill", "手札": "hand", "山札": "deck", "墓地": "graveyard", "公開": "reveal",
    "選択": "selection", "判定": "verdict", "勝敗": "winning", "勝利": "winning", "条件": "conditions", "効果": "effect", "能力": "ability",
    "キーワード": "keyword", "用語": "terms", "概要": "overview", "進行": "course", "特殊": "special", "一般": "general", "通常": "normal",
    "ルール": "rules", "処理": "processing", "情報": "information", "付与": "enhancement", "切": "trump", "追加": "extra", "超次元": "hyperspatial",
    "コア": "core", "プレイング": "playing", "サポート": "support", "フィールド": "field", "その他": "other", "大原則": "principles", "原則": "principles",
    "種類": "kinds", "色": "colours", "流れ": "course", "主": "main", "の": "", "・": "", "と": "and", "時": "timing", "本文": "text",
}
"""What longer names are made of, and what these are called in the names of rules."""

ROMAJI: Mapping[str, str] = dict(zip(
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲンガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポヴァィゥェォ",
    ["a", "i", "u", "e", "o", "ka", "ki", "ku", "ke", "ko", "sa", "shi", "su", "se", "so", "ta", "chi", "tsu", "te", "to", "na", "ni", "nu", "ne", "no", "ha", "hi", "fu", "he", "ho", "ma", "mi", "mu", "me", "mo", "ya", "yu", "yo", "ra", "ri", "ru", "re", "ro", "wa", "o", "n", "ga", "gi", "gu", "ge", "go", "za", "ji", "zu", "ze", "zo", "da", "ji", "zu", "de", "do", "ba", "bi", "bu", "be", "bo", "pa", "pi", "pu", "pe", "po", "vu", "a", "i", "u", "e", "o"], strict=True))
"""Katakana in letters; small ya, yu, yo, small tsu and long vowels are dealt with by `naming`."""

PHASE_JA = re.compile(r"(?P<name>[一-龠々ァ-ヴーA-Za-z&・]{1,16}?(?P<sort>フェイズ|フェーズ|ステップ))")
PHASE_EN = re.compile(r"(?P<name>(?:[A-Za-z'’/&-]+ ){1,3}(?P<sort>phase|step))", re.IGNORECASE)
NUMBERED_EN = re.compile(r"(?P<sort>phase|step) \d+\s*[:.–—-]\s*(?P<name>[A-Za-z][\w '’/&-]{1,30})", re.IGNORECASE)
TURN = re.compile(r"ターンの?(?:流れ|進行|手順|詳細|構造|進め方)|ゲームの(?:進行|流れ)|手番|turn (?:structure|order|sequence|flow|overview)|"
                  r"(?:your|a|each|player) turn|sequence of play|game ?play|game sequence|playing the game|order of play", re.IGNORECASE)
LISTED = re.compile(r"(?:ターン|手番)(?:は|には)、?(?P<ja>[^。\n]+?(?:フェイズ|フェーズ|ステップ))(?:から|で|に|が|の順)|"
                    r"\bturns? (?:consists? of|(?:is|are) (?:made up of|divided into|split into)|ha(?:s|ve))(?: the following)?(?: [a-z0-9]+)?(?: (?:phases|steps))?(?: in order)?: ?"
                    r"(?P<en>[^.\n]+)|\bturns? (?:consists? of|(?:is|are) (?:made up of|divided into|split into)|ha(?:s|ve)) (?P<en2>[^.:\n]+? (?:phase|step)s?\b)", re.IGNORECASE)
"""A sentence that says of which parts a turn consists."""
PREPARATION = re.compile(r"準備|セットアップ|始め方|開始前|ゲームの開始|ゲーム開始|set[ -]?up|prepar|(?:starting|beginning|start of|before) (?:the|a) game|"
                         r"before (?:playing|play)|getting started", re.IGNORECASE)
PLACES = re.compile(r"領域|ゾーン|エリア|場の|置き場|カードの配置|盤面|\bzones?\b|\bareas?\b|play ?mat|locations?\b|game board|containers?", re.IGNORECASE)
DEFINING = re.compile(r"目次|はじめに|初めに|概要|用語|カードの(?:種類|色|情報|構成|見方|記載)|種類と記載|プレイヤーに関する情報|前書き|更新|索引|"
                      r"contents|introduction|overview|glossary|terms|terminolog|components|card types|card anatomy|reading your cards|"
                      r"objective|credits|definitions|change ?log|about", re.IGNORECASE)
"""Titles of chapters that say what things are, and do nothing in play by themselves."""
