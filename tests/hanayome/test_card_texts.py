"""The cards of hanayome that are written in the book's own phrases: how many there are, and that they leave no keyword and no
specific action out."""
from __future__ import annotations

import re

import pytest

from rulewright.checks.register.books import check_rules
from rulewright.model.engine.library import load_book
from rulewright.spec.cards import Card
from rulewright.spec.diagnostics import split_lines
from rulewright.spec.normal import normal
from rulewright.spec.phrases import Phrase, Phrases
from rulewright.spec.readers import read_cards
from rulewright.spec.wording import Chart, Match

BOOK = load_book("hanayome")
CARDS = read_cards(BOOK.folder / "cards.yaml")
IN_PHRASES = [c for c in CARDS if c.texts and not c.abilities]

KEYWORDS = [
    "【メイン】", "【アプローチ】", "【ターン1回】", "【同名ターン1回】", "【{誰:人物}only】", "【成長】{誰:人物+}", "【使用条件】{誰:人物+}：", "【専用】{誰:人物+}",
    "【変装】{誰:人物+}",
]
"""12.3 to 12.10."""
VERBS = {
    "5.2": ["表にする", "裏にする"], "5.3": ["控え室に置く"], "5.4": ["取り除く"], "5.5": ["デッキをシャッフルする"],
    "5.6": ["{N:数}枚引く", "{N:数}枚まで引く"],
    "5.7": ["デッキを上から{N:数}枚見て、1枚まで選び手札に加え、残りを好きな順番でデッキの下に置く", "デッキを上から{N:数}枚まで見て、好きな順番でデッキの上に置く"],
    "5.8": ["あなたのキャラ2人を選び、入れ替える", "このキャラと入れ替える"], "5.9": ["{空:空き}あなたのレーンに登場させる"],
    "5.10": ["あなたのキャラ1人にセットする"],
}
EFFECTS = [
    "{範囲}は花嫁力{X:差}", "{範囲}の花嫁力を{N:数}にする", "{範囲}の花嫁力を2倍にする", "{範囲}は必要花嫁力{X:差}", "{範囲}は能力を失う", "{範囲}の能力は無効になる",
    "{範囲}は{人:人物}としても扱う", "{範囲}は人物名{人:人物}を失う", "{範囲}は『{与:一行}』を得る",
]
"""10.9."""
REPLACEMENTS = ["{事象}、かわりに{代:効果}。", "{事象}、かわりに{選:選択}てよい。そうしたら、{代:効果}。"]
"""10.10."""


def phrases_of(m: Match) -> list[Phrase]:
    return [*([m.phrase] if m.phrase is not None else []), *(p for _, c in m.children for p in phrases_of(c))]


def used_by(card: Card, of: Phrases) -> set[str]:
    out: set[str] = set()
    for node in card.texts:
        for line in split_lines(node.text):
            for m in Chart(normal(line, of.notes).text, of).whole():
                out |= {p.written for p in phrases_of(m)}
    return out


def test_there_are_enough_of_them() -> None:
    assert len(CARDS) >= 60
    assert len(IN_PHRASES) >= 40


def test_together_they_use_every_keyword_verb_and_continuous_effect() -> None:
    assert BOOK.phrases is not None
    used = {w for c in IN_PHRASES for w in used_by(c, BOOK.phrases)}
    wanted = {*KEYWORDS, *(v for verbs in VERBS.values() for v in verbs), *EFFECTS, *REPLACEMENTS}
    assert sorted(wanted - used) == []
    assert sorted(wanted - {p.written for p in BOOK.phrases.all()}) == []


def test_all_cards_of_the_book_are_rule_text() -> None:
    check_rules("hanayome")


@pytest.mark.parametrize("card", IN_PHRASES, ids=lambda c: c.id.value)
def test_a_card_is_told_in_both_languages(card: Card) -> None:
    for ability in BOOK.cards[card.id.value].abilities:
        assert ability.name is not None
        assert ability.name.ja.startswith("【") or ability.facts.keys() & {"given"} or "delayed" in repr(ability.facts)
        english = re.sub('".*?"', "", ability.name.en)  # a card's name is quoted as it is
        assert not any("\u3040" <= c <= "\u9fff" for c in english), english
