"""Two editions of one book: what was changed is told, and nothing else. Each case is the smallest pair that a real one was reduced to."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.register.books import open_book
from rulewright.checks.register.command import refuse_other_book
from rulewright.checks.register.compare import compare
from rulewright.checks.register.hashes import hashes_of, pieces_like, register_draft
from rulewright.checks.register.pieces import cut, printed, usual_cut
from rulewright.checks.register.skeleton import skeleton_files
from rulewright.spec.diagnostics import BadInput

from .helpers import draft_of
from .test_drafts import compared, told

NUMBERED = "1. Play\n1.1. A player draws a card.\n1.2. A player plays a card.\n2. End\n2.1. The game ends with the deck.\n"


def ids(text: str) -> list[str]:
    draft = draft_of(text)
    return [p.id for p in cut(draft, usual_cut(draft))]


# ---------------------------------------------------------------- text outside of all clauses
def test_words_in_front_of_the_first_clause_are_compared() -> None:
    before = f"Bylaws\nThe members may change these rules at any time.\n\n{NUMBERED}"
    assert told(compared(before, before.replace("The members", "Only the board"))) == {"前文": "前文 reworded"}
    found = compared(before, NUMBERED)
    assert [h.id for h in found.gone] == ["前文"] and not found.new and not found.changed
    assert not compared(before, before).anything


def test_the_title_of_the_draft_is_compared() -> None:
    before = "# Rules of the Harbour\n\n## 1 Play\n\n1.1 A card is drawn.\n\n1.2 A card is played.\n\n## 2 End\n\n2.1 The deck is gone.\n"
    assert told(compared(before, before.replace("Harbour", "Bay"))) == {"前文": "前文 reworded"}


def test_a_line_behind_the_last_clause_is_no_part_of_it() -> None:
    before = f"{NUMBERED}\n---\nMade on the 8th of October 2019.\n"
    assert told(compared(before, before.replace("8th", "9th"))) == {"後文": "後文 reworded"}
    assert ids(before.replace("---\n", "")) == ids(NUMBERED)  # without a line across it may be a part of the clause


def test_a_register_made_by_hand_need_not_have_what_stands_outside() -> None:
    old, _ = register_draft("x", draft_of(f"A title\n{NUMBERED}"), ids(NUMBERED))
    new = draft_of(f"Another title\n{NUMBERED}")
    assert not compare(old.hashes, hashes_of(new, pieces_like(new, old))).anything


# ---------------------------------------------------------------- numbers and names
def test_a_place_among_paragraphs_and_bullets_is_no_number() -> None:
    before = "# Play\nA card is drawn.\n\nA card is played.\n\n* A hand has five cards.\n* A deck has forty.\n\n# End\nThe deck is gone.\n"
    after = before.replace("A card is played.", "A turn is begun by the younger.\n\nA card is played.").replace("* A deck", "* A table has two sides.\n* A deck")
    found = compared(before, after)
    assert told(found) == {} and {h.id for h in found.new} == {"Play第2段落", "Play・2"}
    assert found.numbers == {"Play第2段落": "Play第3段落", "Play・2": "Play・3"}  # what cites them goes along all the same


def test_a_clause_of_the_new_edition_gets_no_number_that_only_the_old_one_had_there() -> None:
    """The list of an article comes to stand below a section: the items are IV.1.1 to IV.1.3 now, though the register knows IV.1 and IV.3."""
    before = "ARTICLE IV Officers\n1. Officers are elected.\n2. A term is two years long.\n3. Officers may resign.\n\nARTICLE V Meetings\n1. Meetings are open.\n"
    after = before.replace("1. Officers", "Section 1. Elections\n1. Officers")
    assert [p.id for p in pieces_like(draft_of(after), register_draft("x", draft_of(before), ids(before))[0])] == ids(after)


def test_a_name_that_the_register_gave_stays() -> None:
    """Written by hand, the register calls the second section's item by the article."""
    text = "第1条 役員\n第1項 役員は選挙で選ぶ。\n(1) 会長 1名\n第2条 会議\n第1項 会議は公開とする。\n"
    usual = ids(text)
    hand = [name.replace("第1条第1項(1)", "第1条(1)") for name in usual]
    assert hand != usual
    old, _ = register_draft("x", draft_of(text), hand)
    assert old.ids == hand and old.given == ("第1条(1)",)
    new = draft_of(text.replace("1名", "2名"))
    assert [p.id for p in pieces_like(new, old)] == hand


def test_an_edition_whose_headings_are_all_written_otherwise_is_one_of_the_book(tmp_path: Path) -> None:
    names = ("適用", "会員", "会費", "役員", "会議", "会計")
    said = ("この規程は、会の全員に適用する。", "会員は、会の目的に賛成する者とする。", "会費は、年に千円とし、四月に払う。", "役員は、選挙で二年ごとに選ぶ。",
            "会議は、年に二度、公開で開く。", "会計は、毎年三月に締め、報告する。")
    before, after = ("".join(f"## 第{k}条{form.format(name)}\n{words}\n\n" for k, (name, words) in enumerate(zip(names, said, strict=True), 1))
                     for form in ("（{}）", "　{}"))
    found = compared(before, after)
    assert all(p.reworded for p in found.pairs)
    refuse_other_book(tmp_path / "new.md", found, open_book("hanayome"))
    with pytest.raises(BadInput):
        refuse_other_book(tmp_path / "new.md", compared(before, NUMBERED), open_book("hanayome"))


def test_a_heading_in_other_words_renumbers_nothing_below_it() -> None:
    before = "# Playing of cards\n1. Draw one.\n2. Play one.\n\n# End of the game\n1. Count them.\n"
    assert told(compared(before, before.replace("Playing of cards", "Playing of a card"))) == {"Playingofcards": "Playingofacard reworded"}


def test_what_is_a_number_of_the_book() -> None:
    assert [*map(printed, ("第25条の2", "第十五条~2", "8.2の2.1", "10-5「風神」の2", "戦闘・2", "戦闘第2段落", "追加9-4", "IV.2(a)", "附則.2"))] == [
        "第25条の2", "第十五条", "8.2.1", "", "", "", "追加9-4", "IV.2(a)", ".2"]
    assert ids("第1条 名\n会の名である。\n第2条 一\nこれは一。\n第2条 二\nこれは二。\n第2条の2 三\nこれは三。\n第3条 四\nこれは四。\n")[1:4] == ["第2条", "第2条~2", "第2条の2"]


def test_a_new_draft_is_named_by_its_own_numbers() -> None:
    before = "# 規則\n\n### 第1条 休日\n\n1. 休日は、次のとおりとする。\n    1. 日曜日\n    2. 祝日\n2. 休日は、前の月に知らせる。\n\n### 第2条 休暇\n\n1. 休暇は、届け出て取る。\n2. 年に十日とする。\n"
    after = before.replace("第2条", "第3条").replace("第1条", "第2条").replace("### 第2条", "### 第1条 記録\n\n勤務の始めと終わりを記録する。\n\n### 第2条", 1)
    found = compared(before.replace("規則", "規則\n\n### 第0条 名\n\n名である。\n"), after.replace("規則", "規則\n\n### 第0条 名\n\n名である。\n"))
    assert found.numbers == {name: name.replace("第2条", "第3条") if name.startswith("第2条") else name.replace("第1条", "第2条")
                             for name in ("第1条", "第1条.1", "第1条.1.1", "第1条.1.2", "第1条.2", "第2条", "第2条.1", "第2条.2")}


def test_paragraphs_of_an_article_are_counted_in_it() -> None:
    before = "# 会則\n\n## 第1条（名称）\n\n### 第1項\n\n港会と称する。\n\n### 第2項\n\n略称は港とする。\n\n## 第2条（会費）\n\n### 第1項\n\n会費を納める。\n\n### 第2項\n\n年に千円とする。\n"
    assert ids(before)[1:] == ["第1条", "第1条第1項", "第1条第2項", "第2条", "第2条第1項", "第2条第2項"]
    found = compared(before, before.replace("### 第2項\n\n略称は港とする。\n\n", ""))
    assert [h.id for h in found.gone] == ["第1条第2項"] and not found.changed and not found.new


# ---------------------------------------------------------------- what a line belongs to
CAPTIONED = "会の規約\n（目的）\n第一条　この会は、歌うことを目的とする。\n（事務所）\n第二条　この会は、代表の家に置く。\n（役員）\n第三条　代表を一人置く。\n（会計）\n第四条　会費は千円とする。\n付則\nこの規約は、四月一日より施行する。\n"


def test_a_title_above_an_article_belongs_to_it() -> None:
    assert told(compared(CAPTIONED, CAPTIONED.replace("（事務所）", "（事務局）"))) == {"第二条": "第二条 reworded"}
    few = CAPTIONED.replace("（目的）\n", "").replace("（役員）\n", "").replace("（会計）\n", "")  # one such line may be the end of what stands above it
    assert told(compared(few, few.replace("（事務所）", "（事務局）"))) == {"第一条": "第一条 reworded"}


def test_supplementary_provisions_are_no_part_of_the_last_article() -> None:
    found = compared(CAPTIONED, CAPTIONED + "この規約は、五月一日より改める。\n")
    assert told(found) == {"第四条「付則」": "第四条「付則」 reworded"}


# ---------------------------------------------------------------- what is alike
def test_a_heading_is_not_a_sentence_with_its_words() -> None:
    before = ("## 1 Amendments\n\n1.1 These rules may be amended by a special resolution.\n\n1.2 A declaration by the chair that the special resolution has been"
              " carried is proof of that fact.\n\n1.3 Only those members entitled by the Constitution to vote may vote on a special resolution.\n\n## 2 Funds\n\n2.1 The"
              " funds are kept in a bank account.\n")
    after = ("## 1 Amendments\n\n1.1 These rules may be amended by a special resolution.\n\n## 2 Special Resolution\n\n2.1 A declaration by the chair of the meeting"
             " that the special resolution has been carried is proof of that fact.\n\n## 3 Funds\n\n3.1 The funds are kept in a bank account.\n")
    found = compared(before, after)
    assert [h.id for h in found.gone] == ["1.3"] and [h.id for h in found.new] == ["2"]
    assert told(found) == {"1.2": "2.1 reworded", "2": "3", "2.1": "3.1"}


def test_the_number_alone_does_not_carry_a_clause_past_the_others() -> None:
    before = "第1条　歌を歌う。\n第2条　代表を一人置く。\n第3条　会費は年に千円とする。\n第4条　欠席は前の日に届ける。\n第5条　帳簿は家に置く。\n"
    after = "第1条　代表を一人置く。\n第2条　会費は年に千円とする。\n第3条　欠席は前の日に届ける。\n第4条　新しく入る者を推薦で選ぶこと。\n第5条　帳簿は家に置く。\n"
    found = compared(before, after)
    assert [h.id for h in found.gone] == ["第1条"] and [h.id for h in found.new] == ["第4条"] and not any(p.moved for p in found.pairs)
    assert told(compared(before, before.replace("会費は年に千円とする", "猫を飼わない"))) == {"第3条": "第3条 reworded"}


def test_an_article_of_a_law_is_none_of_the_book() -> None:
    before = "第1条　名は港会とする。\n第2条　労働基準法第1条に従う。\n第3条　第1条の名を使う。\n第4条　帳簿は家に置く。\n"
    after = "第1条　犬は連れて来ない。\n" + before.replace("労働基準法第1条", "労働基準法第1章").replace("第4条", "第5条").replace("第3条", "第4条").replace(
        "第2条", "第3条").replace("第1条", "第2条").replace("第1章", "第1条")
    found = compared(before, after)
    assert [h.id for h in found.new] == ["第1条"] and not any(p.references or p.reworded for p in found.pairs)
    stale = compared(before, after.replace("第2条の名", "第1条の名"))
    assert [(p.new.id, [r.stale for r in p.references]) for p in stale.pairs if p.references] == [("第4条", [True])]


def test_the_first_lines_of_a_new_book_are_in_its_register(tmp_path: Path) -> None:
    files, made = skeleton_files(draft_of(f"Bylaws\n{NUMBERED}"), tmp_path / "bylaws", None)
    assert made.clauses == 6 and '"前文"' in files[tmp_path / "bylaws" / "clauses.yaml"]
