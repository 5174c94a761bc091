"""Which questions are told without being asked for: what of a draft makes one sure, and what takes that away."""

from __future__ import annotations

import pytest

from rulewright.checks.lint.reading import from_text
from rulewright.checks.questions.asking import ask
from rulewright.checks.questions.catalogue import FAMILIES

HALF = "手札の半分を捨てます。"
ANSWERED = ("both-win", "both-lose", "win-and-lose", "tie", "deck-empty", "gone-player", "no-loop-clause", "order-at-once", "first-player")
"""Families, the nearest that does not raise whose question is a clause that answers it for the whole draft."""


def told(text: str) -> dict[str, bool]:
    """The families that ask of a draft, and whether that is sure."""
    return {one.family.id: one.sure for one in ask(from_text("draft.md", text), FAMILIES).questions}


def test_what_every_book_has_to_say_is_sure_where_the_draft_is_silent_however_it_is_written() -> None:
    prose = "# The end\n\nThe game ends after five rounds. The player with the most points wins.\n"
    assert told(prose) == {"tie": True}
    assert told(prose + "\n# Trials\n\nBoth roll a die; a tie is rolled again.\n") == {"tie": False}, "nearly answered, elsewhere"
    assert told("# 終わり\n\n五回の後、最も得点の高い人が勝者です。\n")["tie"]
    assert told("# Turn\n\nDraw a card from the deck, then play one.\n")["deck-empty"]
    assert "deck-empty" not in told("# Turn\n\nDraw a card from the deck, then play one. Shuffle the discard pile into it at the end of a round.\n")


def test_a_phrase_in_prose_is_not_sure_in_a_clause_of_a_draft_that_begins_it_is() -> None:
    assert told(f"# 番\n\n{HALF}\n") == {"rounding": False}
    assert told(f"1. 番\n1.1. {HALF}\n") == {"rounding": True}
    assert told(f"第1条 {HALF}\n第2条 番は交互に来ます。\n") == {"rounding": True}
    assert told(f"1. 番\n1.1. {HALF}札を並べます。番を終えます。\n") == {"rounding": False}, "a clause that tells more than its rule"


def test_what_is_said_elsewhere_silences_what_every_book_has_to_say_not_what_a_clause_leaves_open() -> None:
    clauses = "1. 番\n1.1. {}\n2. 試し\n2.1. {}\n"
    assert told(clauses.format("応じる札はいつでも使うことができます。", "試しの処理の途中では札を引きません。")) == {"any-time": True}
    assert told("# 番\n\n応じる札はいつでも使うことができます。\n") == {"any-time": False}
    assert told(clauses.format("応じる札はいつでも使うことができますが、処理の途中では使えません。", "試しを行います。")) == {}
    assert told(clauses.format("最も得点の高い人が勝ちます。", "同じ目が出たら、同じ場合はやり直します。")) == {"tie": False}


@pytest.mark.parametrize(("clauses", "families", "sure"), [(8, 8, True), (9, 9, False)])
def test_a_draft_that_answers_much_was_gone_through_already(clauses: int, families: int, sure: bool) -> None:
    answers = [one.examples[0].quiet for one in FAMILIES if one.id in ANSWERED][:clauses]
    draft = f"1. 番\n1.1. {HALF}\n" + "".join(f"1.{n}. {text}\n" for n, text in enumerate(answers, 2))
    asked = ask(from_text("draft.md", draft), FAMILIES)
    assert sum(one.where is None for one in asked.settled) == families
    assert [one.sure for one in asked.questions if one.family.id == "rounding"] == [sure]


def test_an_answer_to_what_is_never_told_by_itself_does_not_count() -> None:
    answers = [one.examples[0].quiet for one in FAMILIES if one.id in ANSWERED][:8]
    draft = f"1. 番\n1.1. {HALF}\n" + "".join(f"1.{n}. {text}\n" for n, text in enumerate(answers, 2))
    answered = "1.10. 相手の番に割り込んで使用できる札は、交互に割り込みます。\n"
    assert "in-response" in told(draft + answered.replace("、交互に割り込みます", "です"))
    assert told(draft)["rounding"] and told(draft + answered)["rounding"]
    assert "in-response" not in told(draft + answered)


def test_what_is_seldom_worth_it_is_never_sure_and_a_table_is_not_asked_about() -> None:
    assert told("1. 札\n1.1. 相手の札を見てはいけません。\n") == {"no-penalty": False}
    assert told("# Cards\n\n| half of your hand | discard half of your hand |\n") == {}


@pytest.mark.parametrize(("text", "asked"), [
    ("最も価値のある札であり勝利条件です。", None),  # part of a longer noun
    ("最も早く手札をなくした人が勝者です。", None),  # of players who take turns one is first
    ("最も強いカードで比べます。", None),
    ("最高得点の人が勝ちます。", "tie"),
    ("得点の多い者の勝ちです。", "tie"),
    ("タイルの最も多いプレイヤーが勝ちます。", "tie"),  # タイ is no tie where it is part of a word
    ("カードを1枚ドローします。", "deck-empty"),
    ("札が引けるまで山札から引き続けます。", "deck-empty"),
    ("捨て札の山から札を1枚取ります。", None),
    ("デッキは40枚ちょうどです。番の始めに山札から札を1枚引きます。", "deck-empty"),  # 40枚 is not 0枚
    ("山札が0枚なら負けます。番の始めに山札から札を1枚引きます。", None),
    ("Take 40 cards for your deck. Draw a card from your deck.", "deck-empty"),
    ("With 0 cards in the deck you lose. Draw a card from your deck.", None),
    ("山札の上を見て、引き換えに得点を得ます。", None),
    ("山札から札を1枚引きます。山札に札が 0 枚なら引きません。", None),
    ("山札から札を1枚引きます。山札に札が無く、引く人がいれば負けです。", None),
    ("山札から札を1枚引きます。山札がなく\nなったら終わりです。", None),  # a word that goes on in the next line
])
def test_japanese_words_are_read_as_the_words_they_are(text: str, asked: str | None) -> None:
    sure = [name for name, one in told(f"# 山札\n\n{text}\n").items() if one]
    assert sure == ([] if asked is None else [asked])


def test_the_long_form_of_may_is_read_too() -> None:
    assert told("1. 札\n1.1. プレイヤーはいつでも手札の札を使用することができます。\n")["any-time"]
    assert "any-time" not in told("1. 札\n1.1. プレイヤーはいつでも投了することができます。\n")
    assert "any-time" not in told("1. 札\n1.1. プレイヤーは番の始めに手札の札を使用することができます。\n")


@pytest.mark.parametrize(("family", "raises", "quiet"), [
    ("both-win", "手札がなくなったプレイヤーが勝利となります。", "手札がなくなっても勝利とならず、番を続けます。"),
    ("both-lose", "手札がなくなったプレイヤーは敗北します。", "降参したプレイヤーは敗北します。"),
    ("both-lose", "A player without cards in hand loses the game.", "A player whose cards are few can concede and loses the game."),
    ("first-player", "先攻プレイヤーになった者は最初の番に引きません。", "最近海に行ったプレイヤーが最初のプレイヤーになります。"),
    ("target-gone", "効果の対象を選び、処理します。", "効果の対象を選び、処理します。処理できない部分は無視します。"),
    ("attached", "A tool card is attached to a unit.", "A tool card is attached to a unit. A tool attached to nothing is put away."),
    ("order-at-once", "Both effects happen at the same time.", "Both effects happen at the same time, but the attacker's come first."),
    ("deck-empty", "Draw a card from the deck.", "Draw a card from the deck. If there is none, take a mark instead of drawing."),
    ("shuffle-after", "山札から札を1枚探します。", "山札から札を探した後は、山札を切ります。"),
])
def test_what_the_draft_says_of_it_is_read(family: str, raises: str, quiet: str) -> None:
    assert family in told(f"1. カード\n1.1. {raises}\n")
    assert family not in told(f"1. カード\n1.1. {quiet}\n")


@pytest.mark.parametrize(("text", "family", "sure"), [
    ("# Setup\n\nThe first player is determined, and takes the marker.\n", "first-player", True),
    ("# Setup\n\nThe first player is determined by lot, and takes the marker.\n", "first-player", None),
    ("# Setup\n\nThe first player marker lies on the table.\n", "first-player", None),
    ("# 準備\n\nスタートプレイヤーを決め、札を配ります。\n", "first-player", True),
    ("# 準備\n\nじゃんけんでスタートプレイヤーを決め、札を配ります。\n", "first-player", None),
    ("# Draw\n\nIf no cards are left in the deck, shuffle the discard pile into a new deck.\n", "pile-empty-too", True),
    ("# Draw\n\nIf no cards are left in the deck, shuffle the discard pile into a new deck. If both are empty, nothing is drawn.\n", "pile-empty-too", None),
    ("# End\n\nAt the end of each round the points are counted. The first player to reach 50 points wins.\n", "tie", True),
    ("# End\n\nA trick is a point. The first player to reach 50 points wins.\n", "tie", None),
    ("# Score\n\n| Result | Points |\n|---|---|\n| made in the last of all rounds | 2 |\n\nHighest total after the last round wins.\n", "tie", True),
    ("# Score\n\n| Result | Points |\n|---|---|\n| Highest total after the last round wins | 2 |\n", "tie", None),
    ("The end\n\nAfter five rounds the player with the most points wins the game.\n\nThe turn\n\nA player plays a card and takes its points.\n", "tie", True),
])
def test_what_a_game_has_to_say_is_told_of_any_layout(text: str, family: str, sure: bool | None) -> None:
    assert told(text).get(family) is sure


def test_a_numbered_clause_in_a_book_that_is_mostly_prose_is_not_sure() -> None:
    prose = "".join(f"1.{n}. 札を並べます。札を見ます。札を戻します。\n" for n in range(2, 6))
    assert told(f"1. 番\n1.1. {HALF}\n{prose}")["rounding"] is False
    assert told(f"1. 番\n1.1. {HALF}\n" + prose.replace("札を見ます。札を戻します。", ""))["rounding"]
