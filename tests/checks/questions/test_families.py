"""What each family asks about and what it leaves alone: every example is tried, and the catalogue in the docs is made of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.checks.lint.reading import from_text
from rulewright.checks.questions.asking import Asked, ask
from rulewright.checks.questions.catalogue import BY_ID, FAMILIES, table
from rulewright.checks.questions.record import Example

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLES = [pytest.param(one.id, example, id=f"{one.id}-{n}") for one in FAMILIES for n, example in enumerate(one.examples)]


def asked(text: str, *families: str) -> Asked:
    return ask(from_text("draft.md", text), [BY_ID[name] for name in families] or FAMILIES)


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_example_raises_its_question_once_and_the_nearest_does_not(name: str, example: Example) -> None:
    raised, quiet = (asked(example.of(part), name) for part in (example.raises, example.quiet))
    by_shape = BY_ID[name].only_by_shape
    (question,) = raised.checklist if by_shape else raised.questions
    assert question.places[0].phrase in " ".join(example.of(example.raises).split())
    assert (quiet.checklist if by_shape else quiet.questions) == ()


def test_every_family_has_an_example_in_each_language_and_says_all_in_both() -> None:
    kana = re.compile(r"[ぁ-ん一-龠]")
    for one in FAMILIES:
        assert {bool(kana.search(example.raises)) for example in one.examples} == {True, False}, one.id
        for text in (one.title, one.asks, one.matters, one.usual):
            assert text.en and not kana.search(text.en), one.id
            assert kana.search(text.ja), one.id


def test_a_family_asks_and_says_nothing_of_the_draft_but_where() -> None:
    for one in FAMILIES:
        assert "?" in one.asks.en, one.id
        assert re.search("か[。、（]", one.asks.ja) and "no clause" not in one.asks.en.lower() and "どの条文" not in one.asks.ja, one.id


@pytest.mark.parametrize(("name", "lang"), [("open-questions.md", "en"), ("open-questions.ja.md", "ja")])
def test_the_catalogue_in_the_docs_is_made_of_the_families(name: str, lang: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    (written,) = re.findall(r"<!-- families -->\n(.*?)\n<!-- /families -->", text, re.DOTALL)
    assert written == table("en" if lang == "en" else "ja")


def test_a_loop_clause_may_be_one_by_its_heading() -> None:
    rules = "1. 能力\n1.1. 能力は誘発する。\n2. {}\n2.1. 一人だけが止められる場合、その者が回数を宣言する。\n2.2. どのプレイヤーも止められる場合、手番の者が先に止める。\n"
    (question,) = asked(rules.format("永久循環"), "loop-cases").questions
    assert question.clauses == ("2.1",)
    assert asked(rules.format("中断"), "loop-cases").questions == ()
    assert asked(rules.format("永久循環") + "2.3. どのプレイヤーも止められない場合、引き分けとする。\n", "loop-cases").questions == ()


@pytest.mark.parametrize("left_out", ["先攻から順に、", "一度だけ、", "好きな枚数を", "山札に戻してシャッフルし、"])
def test_how_the_first_hand_is_drawn_anew_is_asked_where_a_part_is_left_out(left_out: str) -> None:
    told = "先攻から順に、一度だけ、手札から好きな枚数を山札に戻してシャッフルし、引き直せます。"
    assert asked(f"1. 準備\n1.1. {told}\n", "drawn-anew").questions == ()
    (question,) = asked(f"1. 準備\n1.1. {told.replace(left_out, '')}\n", "drawn-anew").questions
    assert question.clauses == ("1.1",) and not question.sure


def test_a_hand_that_goes_back_is_drawn_anew_only_in_the_preparation() -> None:
    clause = "1.1. 手札のカードを山札に戻すことができます。\n"
    assert len(asked("1. 準備\n" + clause, "drawn-anew").questions) == 1
    assert asked("1. 番\n" + clause, "drawn-anew").questions == ()


def test_a_general_clause_silences_a_family_everywhere_and_is_named() -> None:
    clauses = "1. 効果\n1.1. 相手は手札を2枚捨てます。\n1.2. 相手は場の札を3枚選びます。\n"
    (question,) = asked(clauses, "fewer-there").questions
    assert question.clauses == ("1.1", "1.2")
    found = asked(clauses + "2. 総則\n2.1. 数が足りない場合は、可能な限り多く行います。\n", "fewer-there")
    assert found.questions == ()
    assert [(one.by, one.places, one.where) for one in found.settled] == [("2.1", 2, None)]


def test_a_neighbour_answers_only_for_its_section() -> None:
    book = "1. 桟橋\n1.1. 桟橋の船の上限は7枚です。\n{}2. 港\n2.1. 港に置ける船は最大5枚です。\n2.2. 船は動きます。\n"
    assert len(asked(book.format(""), "limit-then-what").questions) == 2
    found = asked(book.format("1.2. 超えて置くことはできません。\n"), "limit-then-what")
    assert [one.clauses for one in found.questions] == [("2.1",)]
    assert [(one.where, one.by) for one in found.settled] == [("1.1", "1.2")]


def test_the_gravest_questions_come_first_and_a_phrase_is_shown_where_it_stands() -> None:
    found = asked("1. 番\n1.1. 手札の半分を捨てます。\n1.2. 番の始めに、山札から1枚引きます。\n")
    assert [one.family.id for one in found.questions] == ["deck-empty", "rounding"]
    place = found.questions[0].places[0]
    assert (place.clause, place.line, place.column, place.phrase) == ("1.2", 3, 12, "山札から1枚引きます")


@pytest.mark.parametrize(("clause", "family", "raised"), [
    ("待機している能力が二つ以上ある場合、順番に解決します。", "order-at-once", True),
    ("待機している能力が二つ以上ある場合、ターンプレイヤーの選ぶ順番に解決します。", "order-at-once", False),
    ("If two or more abilities are waiting, the abilities are resolved in order.", "order-at-once", True),
    ("If two or more abilities are waiting, the abilities are resolved in the order that the turn player chooses.", "order-at-once", False),
    ("二人が同時に条件を満たした場合、9.3に従います。", "order-at-once", False),
    ("山札は各プレイヤーが持ち、カードを裏向きに重ねて置きます。", "attached", False),
    ("道具は場のカードに重ねて置きます。", "attached", True),
])
def test_an_order_that_nobody_gives_is_asked_about_and_a_pile_carries_nothing(clause: str, family: str, raised: bool) -> None:
    assert bool(asked(f"1. ゲーム\n1.1. {clause}\n1.2. プレイヤーはカードを使います。Players use cards.\n", family).questions) is raised


def test_examples_and_headings_are_not_asked_about() -> None:
    assert asked("1. 手札の半分を捨てる\n1.1. 例：手札の半分を捨てます。\n").questions == ()


def test_a_question_keeps_its_id_when_other_clauses_change() -> None:
    book = "1. 番\n{}1.2. 手札の半分を捨てます。\n"
    (one,) = asked(book.format("1.1. 札を引きます。\n"), "rounding").questions
    (two,) = asked("\n\n" + book.format("1.1. 札を二枚引いて、そのあと見せます。\n    続きです。\n"), "rounding").questions
    assert one.id == two.id and one.places[0].line != two.places[0].line
    (other,) = asked("1. 番\n1.1. 札。\n1.2. 山札の半分を捨てます。\n", "rounding").questions
    assert other.id.startswith("rounding@1.2-") and other.id != one.id


@pytest.mark.parametrize(("one", "several"), [
    ("点が同じなら、親のプレイヤーがゲームに勝利します。", "点が5になったら、親でないプレイヤーがゲームに勝利します。"),
    ("点が同じなら、銀をより多く持つプレイヤーがゲームに勝利します。", "銀を5枚より多く持つプレイヤーがゲームに勝利します。"),
    ("With equal points, the turn player wins the game.", "A player with five points wins the game."),
    ("With equal points, a player with more silver than the other wins the game.", "A player with more than five silver wins the game."),
])
def test_of_a_winner_of_whom_there_is_only_one_it_is_not_asked_what_if_two_are(one: str, several: str) -> None:
    def asks(clause: str) -> bool:
        return bool(asked(f"1. 勝敗\n1.1. {clause}\n", "both-win").questions)

    assert not asks(one) and asks(several)


@pytest.mark.parametrize(("open_", "settled"), [
    (("同点の場合、後攻が勝利します。", "同点の場合は、引き分けです。"), ("同点の場合、後攻が勝利します。", "同点の場合は、山札を数えます。")),
    (("When the deck is empty, the first player wins.", "When the deck is empty, the game is a draw."),
     ("When the deck is empty, the first player wins.", "When the hand is empty, the game is a draw.")),
    (("得点が同じときは、親が勝ちます。", "得点が同じときは、子が勝ちます。"), ("得点が同じときは、親が勝ちます。", "得点が同じときは、親が勝ちます。")),
    (("得点が同じときは、親が勝ちます。", "得点が同じときは、子が勝ちます。"), ("得点が同じときは、銀の多い人が勝ちます。", "得点が同じときは、銀も同じならさらに銅の多い人が勝ちます。")),
])
def test_one_case_with_two_results_is_asked_about_and_not_one_that_goes_on(open_: tuple[str, ...], settled: tuple[str, ...]) -> None:
    def asks(clauses: tuple[str, ...]) -> list[str]:
        text = "1. 勝敗\n" + "".join(f"1.{n}. {one}\n" for n, one in enumerate(clauses, 1))
        return [one.clauses[-1] for one in asked(text, "two-results").questions]

    assert asks(open_) == ["1.1"] and asks(settled) == []


def test_a_case_of_both_players_that_is_a_draw_answers_what_if_both_lose() -> None:
    rules = "1. 終わり\n1.1. 灯りが0個のプレイヤーは、ゲームに敗北します。\n1.2. {}\n"
    for said in ("両方のプレイヤーの灯りが0個の場合、ゲームは引き分けになります。", "双方の灯りが0個なら、引き分けです。"):
        assert asked(rules.format(said), "both-lose").questions == ()
    for said in ("両方のプレイヤーの合意がある場合、引き分けになります。", "両方のプレイヤーの灯りを数えます。"):
        assert len(asked(rules.format(said), "both-lose").questions) == 1
