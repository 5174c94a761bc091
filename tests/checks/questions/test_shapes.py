"""The checklist: what sentences of a shape may leave open, beside the nearest that say it; and how it is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.lint.reading import from_text
from rulewright.checks.questions.asking import ask
from rulewright.checks.questions.catalogue import FAMILIES
from rulewright.checks.questions.families.shapes import SHAPES


def listed(*clauses: str) -> set[str]:
    """The families that ask of a draft's clauses, for known phrases or for their shape."""
    text = "1. 進行\n" + "".join(f"1.{n}. {one}\n" for n, one in enumerate(clauses, 1))
    return {one.family.id for one in ask(from_text("draft.md", text), FAMILIES).all}


@pytest.mark.parametrize(("family", "open_", "settled"), [
    ("may-how-often", "歩兵は、隣の歩兵と場所を取りかえてよい。", "手番の初めに、歩兵は隣の歩兵と場所を取りかえてよい。"),
    ("may-how-often", "A miller may grind a sack of the neighbour.", "A miller may grind a sack of the neighbour before rolling."),
    ("fewer-there", "左の人は、かごの りんごを 3こ、さらに うつす。", "左の人は、かごの りんごを 3こ、さらに うつす。たりなければ、あるだけ うつす。"),
    ("fewer-there", "The miller tips three sacks into the river.", "The miller tips three sacks into the river, or as many as there are."),
    ("none-there", "The oldest boat on the lake sinks.", "The oldest boat on the lake sinks. With the lake empty nothing happens."),
    ("tie", "いちばん高い塔が倒れる。", "いちばん高い塔が倒れる。同じ高さなら、どれも倒れる。"),
    ("no-otherwise", "船長が賭けに勝てば、宝箱を開ける。", "船長が賭けに勝てば、宝箱を開ける。そうでなければ、宝箱を海に沈める。"),
    ("without-end", "船頭は岸を一つ進み、これを繰り返す。", "船頭は岸を一つ進み、岩に当たるまで、これを繰り返す。"),
    ("below-zero", "嵐のとき、帆の力は2弱くなる。", "嵐のとき、帆の力は2弱くなる。0より小さくはならない。"),
    ("cost-in-part", "The ferry requires two coins together with a lantern.", "The ferry requires two coins together with a lantern, and without both it stays."),
    ("seen-by-whom", "The pilot slips a chart from hand under the mast.", "The pilot slips a chart from hand, shown to all, under the mast."),
    ("order-at-once", "船長はみな、樽をひとつ取る。それぞれの樽を引く。", "船長は、手番から時計回りの順に、それぞれの樽を引く。"),
    ("both-win", "A captain with nine pearls has won.", "A captain with nine pearls has won; two or more at once is a draw."),
    ("limit-then-what", "一人の船は5隻まで。", "一人の船は5隻まで。超える分は、持ち主が沈める。"),
    ("impossible", "The pilot shall advance one rock.", "The pilot shall advance one rock, unless it is taken."),
    ("counted-when", "The tide rises by the number of boats plus the moon.", "The tide rises by the number of boats plus the moon, counted once."),
    ("who-chooses", "灯台のうち一つを選び、火を消す。", "船長は、灯台のうち一つを選び、火を消す。"),
    ("who-is-meant", "持ち主が相手に船を渡すと、自分の樽が一つ減る。", "持ち主が相手に船を渡すと、持ち主の樽が一つ減る。"),
    ("rounding", "The catch is split evenly.", "The catch is split evenly; what is left over sinks."),
    ("loop-cases", "If the cards turn round and round without end, the hand is over.", "If the cards turn once, the hand is over."),
    ("immediately-or-check", "沈んだ船長は、直ちに席を立つ。", "沈んだ船長は、手番の終わりに席を立つ。"),
])
def test_a_shape_raises_its_question_and_the_nearest_that_says_it_does_not(family: str, open_: str, settled: str) -> None:
    assert family in listed(open_)
    assert family not in listed(settled)


@pytest.mark.parametrize(("family", "open_", "settled"), [
    ("may-and-must-not", ("嵐の夜に錨を下ろしてはならない。", "人魚の歌を聞いた船長は、嵐の夜に錨を下ろすことができる。"),
     ("嵐の夜に錨を下ろしてはならない。", "人魚の歌を聞いた船長は、嵐の夜に帆をたたむことができる。")),
    ("when-and-after", ("When the lantern leaves the harbour, its keeper rests.", "The lantern having left the harbour, its keeper sings."),
     ("When the lantern reaches the harbour, its keeper rests.", "The sailors having landed, nobody sings.")),
    ("used-wider", ("港にいる二隻を「仲間」という。", "沖の仲間は、灯をともす。"), ("港にいる二隻を「仲間」という。", "沖の船は、灯をともす。")),
])
def test_two_sentences_beside_each_other_raise_it_where_they_share_what_they_are_about(
    family: str, open_: tuple[str, ...], settled: tuple[str, ...]
) -> None:
    assert family in listed(*open_)
    assert family not in listed(*settled)


@pytest.mark.parametrize(("clause", "said"), [
    ("沈んだ船長は、直ちに席を立つ。", "それとも、処理が終わるまで待ちますか。"),
    ("すなわち、沈んだ船は浮かばない。", "前に述べたことの言い換えですか。"),
])
def test_a_question_that_may_name_another_clause_is_whole_without_one(clause: str, said: str) -> None:
    """The sentence that is asked where two clauses meet has a hole where there is one clause only."""
    questions = ask(from_text("draft.md", f"1. 進行\n1.1. {clause}\n"), FAMILIES).all
    assert any(said in one.words.ja for one in questions)
    assert not any("  " in one.words.ja or "」:  " in one.words.ja for one in questions)


def test_families_that_go_by_the_shape_of_one_sentence_ask_without_another() -> None:
    paired = {one.id: one.alone for one in FAMILIES if "{other}" in one.asks.ja}
    assert all(paired[one.family] is not None for one in SHAPES if one.family in paired)


def test_shapes_are_of_families_that_there_are() -> None:
    assert {one.family for one in SHAPES} <= {one.id for one in FAMILIES}


def test_the_checklist_is_counted_listed_where_it_is_asked_for_and_answered_like_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("draft.md").write_text("1. 港\n1.1. 歩兵は、隣の歩兵と場所を取りかえてよい。\n", encoding="utf-8")

    def run(*more: str) -> tuple[int, str]:
        code = main(["questions", "draft.md", "--lang", "en", *more])
        return code, capsys.readouterr().out

    code, out = run()
    assert code == 0 and "open questions 0" in out and "questions draft.md --checklist" in " ".join(out.split())
    assert json.loads(run("--all", "--json")[1])["questions"] == [], "what is not sure is another thing"
    code, out = run("--checklist", "--json")
    found = json.loads(out)
    assert code == 1 and [(one["family"], one["by_shape"]) for one in found["questions"]] == [("may-how-often", True)]
    assert found["checklist"] == 0 and json.loads(run("--json")[1])["checklist"] == 1
    assert run("--answer", "may-how-often@1.1", "--because", "they always may")[0] == 0
    assert run("--checklist")[0] == 0 and json.loads(run("--json")[1])["stale"] == []


def test_a_family_that_goes_by_shape_alone_is_looked_for_in_the_checklist_or_where_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text("# 湖\n\n1.1. The oldest boat on the lake sinks.\n", encoding="utf-8")

    def told(*options: str) -> tuple[set[str], set[str]]:
        main(["questions", str(draft), "--json", *options])
        found = json.loads(capsys.readouterr().out)
        return {*found["families"]}, {one["family"] for one in found["questions"]}

    usual, listed, named = told(), told("--checklist"), told("--only", "none-there")
    assert listed[0] - usual[0] == {"none-there"} and usual[1] == set()
    assert "none-there" in listed[1] and named == ({"none-there"}, {"none-there"})


@pytest.mark.parametrize(("family", "open_", "settled"), [
    ("no-otherwise", "船頭は樽の蓋を表にする。魚なら、塩に漬ける。", "船頭は樽の蓋を表にする。魚なら、塩に漬ける。魚でないなら、海に戻す。"),
    ("no-otherwise", "The pilot looks into a barrel. If it is wine, the crew drinks it.", "The pilot looks into a barrel. If it is wine, the crew drinks it. If not, it is shut."),
    ("who-is-meant", "When a lantern goes out, the player gives away a rope.", "When a player's lantern goes out, the player gives away a rope."),
    ("who-chooses", "嵐の夜には、港の船を一つ沖へ移します。", "嵐の夜には、船長が選んで港の船を一つ沖へ移します。"),
    ("limit-then-what", "A mast bears two flags.", "A mast bears two flags. Before a third is raised, one is lowered."),
])
def test_the_parts_of_a_clause_settle_what_one_of_them_leaves_open(family: str, open_: str, settled: str) -> None:
    assert family in listed(open_)
    assert family not in listed(settled)


@pytest.mark.parametrize(("family", "open_", "settled"), [
    ("after-move", "A card that changes zones sheds its counters.", "A card that changes zones is a new object to which no effect applies."),
    ("order-at-once", "複数の効果が同時に起きたら、手番の人のものを先にする。", "複数の効果が同時に起きたら、手番の人のものを先にし、同じ人のものはその人が順を決める。"),
    ("both-win", "Whoever has nine pearls wins. If both lose at the same time, it is a draw. A captain who would win and lose at once loses.",
     "Whoever has nine pearls wins; if both win at the same time, it is shared. If both lose at the same time, it is a draw. A captain who would win and lose at once loses."),
])
def test_what_no_clause_says_of_a_topic_is_asked_once_for_the_draft(family: str, open_: str, settled: str) -> None:
    assert family in listed(open_)
    assert family not in listed(settled)


def test_what_settles_the_text_of_cards_does_not_settle_the_rules_of_the_game() -> None:
    pair = ("嵐の夜に錨を下ろしてはならない。", "船長は、嵐の夜に錨を下ろすことができる。")
    assert "may-and-must-not" in listed(*pair, "カードの効果どうしでは、許可より禁止を優先する。")
    assert "may-and-must-not" not in listed(*pair, "許可より禁止を優先する。")


@pytest.mark.parametrize("before", ["A captain with nine pearls wins.\n\n", "A game of ships and lanterns.\n\n"])
def test_what_stands_before_the_first_number_has_no_name_and_what_wins_there_is_read(before: str) -> None:
    text = f"{before}1. End\n1.1. A captain with no ship loses. If both lose at the same time, it is a draw.\n"
    asked = {one.family.id for one in ask(from_text("draft.md", text), FAMILIES).all}
    assert ("win-and-lose" in asked) == ("wins" in before)
