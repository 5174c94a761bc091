"""Two editions of one book: what was changed is told, and nothing else. Each case is the smallest pair that a real one was reduced to."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.register.books import open_book
from rulewright.checks.register.command import refuse_other_book
from rulewright.checks.register.compare import Reference, compare, is_above
from rulewright.checks.register.hashes import (
    hashes_of,
    pieces_like,
    read_hashes,
    register_draft,
    written,
)
from rulewright.checks.register.pieces import cut, printed, usual_cut
from rulewright.checks.register.skeleton import skeleton_files
from rulewright.spec.diagnostics import BadInput

from .helpers import draft_of
from .test_drafts import compared, registered, told

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


@pytest.mark.parametrize("tail", ["\nThe Board of the Harbour\n", "Last amended on 8 October 2019\n", "以上\n", "平成20年4月1日 制定\n令和2年4月1日 一部改正\n"])
def test_a_tail_without_a_number_is_no_part_of_the_last_clause(tail: str) -> None:
    assert ids(NUMBERED + tail) == [*ids(NUMBERED), "後文"]
    assert told(compared(NUMBERED + tail, NUMBERED + tail.replace("8 October", "9 October").replace("令和2", "令和3"))) in ({}, {"後文": "後文 reworded"})


@pytest.mark.parametrize("last", ["The deck is shuffled.\n", "平成20年4月1日から施行する。\n"])
def test_a_sentence_right_below_the_last_clause_is_part_of_it(last: str) -> None:
    assert ids(NUMBERED + last) == ids(NUMBERED)
    assert ids("## 第1条 休日\n\n1. 日曜日\n2. 祝日\n\n## 第2条 休暇\n\n1. 届け出る。\n2. 十日。\n\n## 第3条 他\n\n会が決める。\n")[-1] == "第3条"
    assert ids(f"{NUMBERED}\nThe winner is told to all.\n") == ids(NUMBERED)


def test_a_letter_behind_h_is_a_letter() -> None:
    letters = "1. Play\n1.1. Cards:\n" + "".join(f"({c}) card {c} is drawn.\n" for c in "abcdefghij") + "1.2. Others:\n(i) one\n(ii) two\n(iii) three\n(iv) four\n(v) five\n"
    assert [name for name in ids(letters) if "(" in name][7:] == ["1.1(h)", "1.1(i)", "1.1(j)", "1.2(i)", "1.2(ii)", "1.2(iii)", "1.2(iv)", "1.2(v)"]
    below = letters.replace("(i) card i is drawn.\n(j) card j is drawn.", "(i) once\n(ii) twice")
    assert ids(below)[9:12] == ["1.1(h)", "1.1(h)(i)", "1.1(h)(ii)"]
    found = compared(letters, letters.replace("(j) card j is drawn.\n", ""))
    assert [h.id for h in found.gone] == ["1.1(j)"] and not found.changed and not found.new


def test_full_width_blanks_in_front_begin_no_other_list() -> None:
    text = "## 第1条 休日\n\n1. 日曜日\n2. 祝日\n　　3. 土曜日\n　　4. 盆\n\n## 第2条 休暇\n\n1. 届け出る。\n2. 十日。\n\n## 第3条 他\n\n会が決める。\n"
    assert ids(text)[:5] == ["第1条", "第1条.1", "第1条.2", "第1条.3", "第1条.4"]
    assert not compared(text, text.replace("　　3", "3").replace("　　4", "4")).anything
    nested = text.replace("2. 祝日\n　　3. 土曜日\n　　4. 盆", "    1. 朝\n    2. 昼\n2. 祝日")
    assert ids(nested)[1:5] == ["第1条.1", "第1条.1.1", "第1条.1.2", "第1条.2"]


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
CLUB = ("第1条（名称）　本会は、港の会と称する。\n第2条（目的）　本会は、歌うことを目的とする。\n第3条（会費）　会費は千円とする。\n第4条（役員）　代表を一人置き、選挙で選ぶ。\n"
        "第5条（会議）　会議は年に二度開く。\n第6条（会計）　帳簿は代表の家に置く。\n")


def test_a_short_clause_that_grew_is_reworded() -> None:
    grown = CLUB.replace("会費は千円とする。", "会費は千円とする。ただし学生は五百円とし、四月の末日までに会計へ納める。納めない者には書面で知らせる。")
    assert told(compared(CLUB, grown)) == {"第3条": "第3条 reworded"}
    pushed = grown
    for k in range(6, 1, -1):
        pushed = pushed.replace(f"第{k}条", f"第{k + 1}条")
    found = compared(CLUB, pushed.replace("第3条", "第2条（所在地）　本会の住所は、代表の家とする。\n第3条"))
    assert [h.id for h in found.new] == ["第2条"] and not found.gone
    assert told(found) == {f"第{k}条": f"第{k + 1}条{' reworded' if k == 3 else ''}" for k in range(2, 7)}


def test_words_decide_where_a_list_got_another_item() -> None:
    items = ("a card of the hand that costs at most two counters is put down", "two counters are taken from the supply and kept", "the deck is shuffled by the other player",
             "a player looks at the top three cards of the deck", "a turn is passed without doing anything")
    book = "1. Play\n1.1. In a turn one of these may be done:\n{}\n1.2. A turn is over when it was done.\n2. End\n2.1. The game ends with the deck.\n"
    listed = [book.format("\n".join(f"({'abcdef'[k]}) {one}." for k, one in enumerate(some))) for some in (
        items, (*items[:2], "the hand of the other player is looked at", items[2].replace("shuffled", "shuffled and cut"), *items[3:]))]
    found = compared(*listed)
    assert [h.id for h in found.new] == ["1.1(c)"] and not found.gone
    assert told(found) == {"1.1(c)": "1.1(d) reworded", "1.1(d)": "1.1(e)", "1.1(e)": "1.1(f)"}


def test_the_same_words_at_several_places_stay_where_they_are() -> None:
    parts = [f"# Committee {name}\n1. It meets in {month}.\n2. It reports to the board.\n\n" for name, month in (("Red", "May"), ("Green", "June"), ("Blue", "July"), ("Gold", "March"))]
    found = compared("".join(parts), "".join([parts[0], "# Committee Grey\n1. It meets in August.\n2. It reports to the board.\n\n", *parts[1:]]))
    assert not found.gone and not found.changed and [h.id for h in found.new] == ["CommitteeGrey", "CommitteeGrey.1", "CommitteeGrey.2"]


def test_a_branch_of_an_article_is_no_part_of_it() -> None:
    hashes = registered(CLUB.replace("第4条", "第3条の2　会費は返さない。\n第4条")).hashes
    at = next(k for k, h in enumerate(hashes) if h.id == "第3条")
    assert hashes[at + 1].id == "第3条の2" and not is_above(hashes, at)


def test_links_and_marks_of_templates_are_no_words() -> None:
    before = "1. Play\n1.1. See [the list](https://example.org/a) and {{ site.fee }}.\n1.2. A player plays.{: .note}\n2. End\n2.1. The game ends.\n"
    after = before.replace("org/a", "org/b").replace("site.fee", "page.fee").replace("{: .note}", "{#plays}")
    assert not compared(before, after).anything
    assert told(compared(before, before.replace("the list", "a list"))) == {"1.1": "1.1 reworded"}


def test_references_that_follow_a_renumbering_are_told() -> None:
    before = "第1条　名は港会とする。\n第2条　会費は千円とする。\n第3条　第2条の会費は返さない。\n第4条　帳簿は家に置く。\n"
    after = before.replace("第4条", "第5条").replace("第3条　第2条", "第4条　第3条").replace("第2条", "第3条").replace("第3条　会費", "第2条　会員は五十人までとする。\n第3条　会費")
    found = compared(before, after)
    assert [(p.new.id, [(r.meant, r.says) for r in p.followed]) for p in found.pairs if p.followed] == [("第4条", [("第2条", "第3条")])]
    assert not any(p.reworded or p.references for p in found.pairs) and not any(p.followed for p in compared(before, before).pairs)


def test_a_reference_to_another_document_is_one_in_every_edition() -> None:
    before = "Bylaw 1 Play\n1.1. As Bylaw 3 Chapter 10 says, a card is drawn.\n1.2. A card is played.\nBylaw 2 End\n2.1. The game ends.\n"
    found = compared(before, before.replace("Bylaw 1 Play", "1. Play").replace("Bylaw 2 End", "2. End"))
    assert not any(p.reworded for p in found.pairs if p.old.id == "1.1")


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
    draft = draft_of(f"Bylaws\n{NUMBERED}")
    files, made = skeleton_files(draft, cut(draft, usual_cut(draft)), tmp_path / "bylaws", None)
    assert made.clauses == 6 and '"前文"' in files[tmp_path / "bylaws" / "clauses.yaml"]


# ---------------------------------------------------------------- what is no change, and what is one
SELF = ("ARTICLE I Name\nSection 1. The club is the Harbour.\nSection 2. As Section 1 above says, it sings.\nARTICLE II Funds\n"
        "Section 1. Whoever is liable under this Section 16 pays.\nSection 2. Article III, Section 4 of the Harbour Constitution is kept.\nSection 3. Funds are kept in a bank.\n")


@pytest.mark.parametrize("text", [SELF, NUMBERED, CAPTIONED, CLUB])
def test_a_book_compared_with_itself_as_it_is_read_back_tells_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "h").write_text(written(registered(text)), encoding="utf-8")
    old, draft = read_hashes(tmp_path / "h"), draft_of(text)
    assert old.hashes == registered(text).hashes
    assert not compare(old.hashes, hashes_of(draft, pieces_like(draft, old))).anything


def test_a_reference_broken_by_the_end_of_a_line_is_one() -> None:
    lines = SELF.replace("As Section 1 above", "As Section\n1 above")
    assert not compared(SELF, lines).anything
    assert [p.old.id for p in compared(SELF, lines.replace("Section\n1 above", "Section\n3 above")).changed] == ["I.2"]


def test_an_article_whose_text_got_a_number_of_its_own_is_not_new() -> None:
    before = "# 会則\n\n## 第1条（名称）\n\n本会は、港の会と称する。\n\n## 第2条（会費）\n\n会費は千円とする。\n\n## 第3条（役員）\n\n### 第1項\n\n代表を一人置く。\n\n### 第2項\n\n代表は選挙で選ぶ。\n"
    found = compared(before, before.replace("本会は、", "### 第1項\n\n本会は、").replace("称する。", "称する。\n\n### 第2項\n\n略称は港とする。"))
    assert told(found) == {"第1条": "第1条第1項 reworded"} and [h.id for h in found.added] == ["第1条第2項"] and "第1条" in {h.id for h in found.new}
    assert [h.id for h in compared(before, before.replace("## 第3条", "## 第2条の2（寄付）\n\n寄付は断らない。\n\n## 第3条")).added] == ["第2条の2"]


def test_a_paragraph_is_known_by_the_number_in_its_heading() -> None:
    before = "# 会則\n\n## 第一条（名称）\n\n### 一項\n\n港会と称する。\n\n### 二項\n\n削除\n\n### 三項（略称）\n\n略称は港とする。\n\n## 第二条（会費）\n\n### 一項\n\n会費を納める。\n\n### 二項\n\n一項の額は年に千円とする。\n"
    assert ids(before)[1:] == ["第一条", "第一条一項", "第一条二項", "第一条三項", "第二条", "第二条一項", "第二条二項"]
    found = compared(before, before.replace("### 二項\n\n削除\n\n", "").replace("三項（", "二項（"))
    assert told(found) == {"第一条三項": "第一条二項"} and [h.id for h in found.gone] == ["第一条二項"]
    assert "第一条三項" not in ids(before.replace("### 三項（略称）", "### 三項目の略称"))


def test_a_clause_with_a_sentence_more_is_the_same_clause_wherever_it_stands() -> None:
    grown = "会費は千円とする。ただし、学生と、遠くに住んでいて年に一度も歌いに来られない会員は、代表に届け出れば、その年の分を五百円とすることができる。"
    after = CLUB.replace("第3条（会費）　会費は千円とする。\n", "").replace("第4条", "第3条").replace("第5条", "第4条").replace("第6条", "第5条") + f"第6条（会費）　{grown}\n"
    (pair,) = [p for p in compared(CLUB, after).pairs if p.old.id == "第3条"]
    assert pair.new.id == "第6条" and pair.moved and not pair.replaced


def test_two_clauses_that_are_nearly_the_same_stay_where_they_are() -> None:
    said = "The motion to change the {} of the club must be ratified by a class {} vote of all the members that are there."
    book = "1. Bylaws\n1.1. {}\n1.2. A member may move it.\n2. Policy\n2.1. The board decides.\n2.2. {}\n"
    found = compared(book.format(said.format("ways", "C"), said.format("ways", "B")), book.format(said.format("ways", "B"), said.format("ways", "A")))
    assert told(found) == {"1.1": "1.1 reworded", "2.2": "2.2 reworded"}
    found = compared(book.format(said.format("ways", "C"), said.format("ways", "B")), book.format(said.format("ways", "B"), said.format("ways", "C")))
    assert {p.old.id: p.new.id for p in found.changed} == {"1.1": "2.2", "2.2": "1.1"} and not any(p.reworded for p in found.pairs)


def test_a_number_without_words_goes_with_what_is_below_it() -> None:
    before = "# 会則\n\n## 第1条（名称）\n\n港会と称する。\n\n## 第2条（会議）\n\n### 第1項\n\n会議は公開とする。\n\n### 第2項\n\n(1) 欠席は届け出る。\n(2) 委任は書面とする。\n\n## 第3条（会費）\n\n会費は千円とする。\n"
    after = before.replace("## 第1条（名称）\n\n港会と称する。\n\n", "").replace("第2条", "第1条").replace("第3条", "第2条")
    found = compared(before, after)
    assert [h.id for h in found.gone] == ["第1条"] and not found.new and found.numbers["第2条第2項"] == "第1条第2項"


def test_a_number_in_other_figures_is_the_same_number() -> None:
    assert Reference("第二十九条", "第29条", "").stale and not Reference("第二十九条", "第28条", "").stale
