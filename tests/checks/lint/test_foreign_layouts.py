"""Layouts that rule books from elsewhere have: what is found in them stands where it stands, and what only looks like a
mistake is left alone. All texts are invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.lint.findings import Found, Severity
from rulewright.checks.lint.formats.pdf import printed_once
from rulewright.checks.lint.linting import Options, Report, chosen_rules, lint, lint_source
from rulewright.checks.lint.model import Known
from rulewright.checks.lint.outline import outline
from rulewright.checks.lint.reading import from_text
from rulewright.checks.lint.rules import letters

needs_english = pytest.mark.skipif(letters._english() is None, reason="needs the extra en")  # pyright: ignore[reportPrivateUsage]


def report(text: str, file: str = "book.md", select: tuple[str, ...] = ()) -> Report:
    options = Options(select=select)
    return lint_source(from_text(file, text), options, chosen_rules(options), Known())


def found(text: str, file: str = "book.md") -> list[Found]:
    return report(text, file).found


def told(text: str, file: str = "book.md") -> list[tuple[str, int]]:
    return [(one.rule, one.line) for one in found(text, file)]


def serious(text: str, file: str = "book.md") -> list[tuple[str, int]]:
    return [(one.rule, one.line) for one in report(text, file).serious]


# ---------------------------------------------------------------- Markdown
def test_a_list_that_markdown_numbers_has_no_number_twice() -> None:
    assert told("# Play\n\n1. Draw.\n1. Move.\n   1. One step.\n   1. Two steps.\n1. Rest.\n") == []


def test_a_number_twice_in_a_list_that_the_writer_numbers_is_told() -> None:
    assert told("# Play\n\n1. Draw.\n2. Move.\n2. Rest.\n3. Sleep.\n") == [("number-repeated", 5)]


def test_lists_of_two_levels_are_two_lists() -> None:
    assert told("# Play\n\n1. Draw:\n   1. one card,\n   2. two cards.\n2. Move.\n") == []


def test_links_and_tags_are_no_text_and_columns_stay() -> None:
    text = "# 1. Play\n\n1.1. Draw <b>one</b> [card](#a-1.7) (see [rule 1.9](#x)).\n\n1.2. Rest.\n\n1.3. See rule 1.2.\n"
    (one,) = found(text)
    assert (one.rule, one.line) == ("reference-missing", 3)
    assert text.splitlines()[2][one.column - 1 :].startswith("1.9")


def test_code_and_front_matter_are_no_rules() -> None:
    assert told("---\ntitle: (a book\n---\n\n# 1. Play\n\n1.1. Draw.\n\n```\n1.1. f(\n```\n\n1.2. Rest.\n") == []


# ---------------------------------------------------------------- wrapped lines
WRAPPED = """1. Supplies

1.1. Every player begins the voyage with a lantern and four barrels of water
from the quay, and puts the lantern on the deck where all others can see the
flame of it.
1.2. A barrel is emptied when the wind turns, or when the helmsman of a ship
says so. The number of barrels that a ship may carry at most is given by the
table of rule {ref} and by nothing else in this whole book of rules.
1.3. The table is read from the left. A ship without a mast counts as a ship
of one mast for it, and a raft counts as nothing at all, so that nobody sails
on a raft from here to the other harbour.
1.4. When a lantern goes out, whoever carries it lights it again at the start
of the next watch, and until then the ship {word} be seen by nobody who has
no lantern of its own.

2. Sailing

2.1. In a watch every ship moves once. The helmsman says where, and whoever
holds the map may object to it once in a voyage, as long as the map is dry.
2.2. Ships that meet exchange one barrel, unless both captains do not wish to
do so, which they say at once and in a voice that all can hear very clearly.
"""


def test_a_wrapped_line_that_begins_with_a_number_is_no_clause() -> None:
    text = WRAPPED.replace("{ref}", "1.3").replace("{word}", "can")
    assert told(text, "book.txt") == []
    parted = text.replace("given by the\ntable of rule 1.3 and", "given by rule\n1.3 and by the table and")
    assert parted != text and told(parted, "book.txt") == []


def test_a_finding_in_a_wrapped_clause_stands_on_its_own_line() -> None:
    text = WRAPPED.replace("{ref}", "1.7").replace("{word}", "can")
    (one,) = found(text, "book.txt")
    assert (one.rule, one.line) == ("reference-missing", 8)
    assert text.splitlines()[7][one.column - 1 :].startswith("1.7")


def test_words_that_are_parted_by_a_line_are_twice_in_a_row_all_the_same() -> None:
    text = WRAPPED.replace("{ref}", "1.3").replace("{word}", "can")
    text = text.replace("four barrels of water\nfrom the quay", "four barrels from the\nthe quay")
    assert [one.rule for one in found(text, "book.txt")] == ["word-twice"]


def test_short_lines_are_not_joined() -> None:
    draft = outline("book.txt", from_text("book.txt", "1. 場\n1.1. 港\n船を置きます\n1.2. 沖\n船を出します\n" * 5).lines)
    assert {clause.title for clause in draft.numbered} == {"場", "港", "沖"}


# ---------------------------------------------------------------- parts of a document
LINKED = """# The Book

- [Play](#play)
- [Drawing cards](#drawing-cards)
- [Ending](#ending)
- [Winning the game](#winning)

# Play

## Drawing cards

Draw one.

## Ending

Rest.

## {title}

Have most.
"""


def test_a_table_of_links_is_the_contents_and_is_compared() -> None:
    assert told(LINKED.replace("{title}", "Winning the game")) == []
    assert told(LINKED.replace("{title}", "Wining the game")) == [("contents-differ", 6)]


def test_a_printed_table_of_contents_is_no_first_book() -> None:
    rules = "\n".join(f"{n} Part {n}\n{n}.1 Rule\nDraw a card.\n{n}.2 Other\nRest now." for n in range(1, 5))
    listed = "\n".join(f"{n} Part {n} ........ {n}\n{n}.1 Rule ........ {n}\n{n}.2 Other ........ {n}" for n in range(1, 5))
    done = report(f"{listed}\n{rules}\n", "book.txt")
    assert done.found == [] and len(done.draft.books) == 1 and done.draft.contents is not None


def test_a_glossary_is_no_part_of_the_last_rule() -> None:
    text = "1. Play\n1.1. Draw.\n1.2. Rest.\n\nGlossary\n\nBarrel\n1. For water.\n2. For wine.\n\nLantern\nSee rule {ref}.\n"
    assert told(text.replace("{ref}", "1.2"), "book.txt") == []
    assert told(text.replace("{ref}", "1.7"), "book.txt") == [("reference-missing", 12)]
    assert report(text, "book.txt").draft.numbered[-1].text == "Rest."


def test_versions_in_a_change_log_are_no_clauses() -> None:
    text = "1. 場\n1.1. 港を置きます。\n2. 札\n2.1. 札を引きます。\n3. 改訂履歴\n1.0.1 2026/1/1 3.9 を直した)\n1.0.2 2026/2/1 表を直した\n"
    assert told(text, "book.txt") == []
    assert ("bracket-unclosed", 6) in told(text.replace("3. 改訂履歴", "3. 直し方"), "book.txt")


def test_what_the_change_log_renamed_is_told_where_it_still_stands() -> None:
    text = "# 1. 場\n1.1. 港に船を置きます。\n1.2. {name}から出ます。\n# 2. 更新履歴\n- 「船着き場」を「港」に変更\n"
    assert told(text.replace("{name}", "港")) == []
    assert told(text.replace("{name}", "船着き場")) == [("term-old", 3)]


def test_an_appendix_that_names_rules_has_no_number_twice() -> None:
    rules = "\n".join(f"{n}. Part\n\n{n}.1. Draw.\n\n{n}.2. Rest.\n" for n in range(1, 6))
    text = f"{rules}\nAppendix A: What costs a card\n\n2.2. Resting late\n1.1. Drawing twice\n4.1. Drawing none\n1.2. Not resting\n"
    assert serious(text, "book.txt") == []


# ---------------------------------------------------------------- numbers
def test_letters_that_the_book_never_counts_with_are_not_missing() -> None:
    letters_ = "abcdefghijkmnp"
    text = "100. Play\n\n" + "\n".join(f"{n}.1{one} Do {one}." for n in (100, 101) for one in letters_)
    text = text.replace("101.1a", "101. Rest\n\n101.1a")
    assert told(text, "book.txt") == []
    assert told(text.replace("101.1g Do g.\n", ""), "book.txt") == [("number-skipped", 25)]


def test_figures_and_letters_by_turns_are_numbers_and_can_be_cited() -> None:
    text = "# Article 1\n- 1a) Draw.\n    - 1a1) Draw two (see Regulation {ref}).\n- 1b) Rest.\n    - 1b1) Sleep.\n    - 1b2) Wake.\n"
    assert told(text.replace("{ref}", "1b2")) == []
    assert told(text.replace("{ref}", "1b7")) == [("reference-missing", 3)]


def test_what_is_so_common_is_told_once() -> None:
    clauses = "\n".join(f"1.{n}. Draw {n}) cards, then rest." for n in range(1, 30))
    done = report(f"1. Play\n{clauses.replace(') cards', ' (cards')}\n", "book.txt")
    assert done.found == [] and len(done.source.notes) == 1
    assert "bracket-unclosed" in done.source.notes[0].en and "29" in done.source.notes[0].en
    assert len(report(f"1. Play\n{clauses.replace(') cards', ' (cards')}\n", "book.txt", ("bracket-unclosed",)).found) == 29


def test_a_number_in_a_circle_is_no_figure() -> None:
    assert told("1. 札\n1.1. カード2①を置きます。カード2①です。\n1.2. カード21を置きます。カード21です。\n", "b.txt") == []


# ---------------------------------------------------------------- references in English
def test_a_title_beside_a_number_is_compared() -> None:
    text = "1. Play\n1.1. Drawing\nDraw.\n1.2. Resting\nRest. See rule {ref}, “Drawing.”\n"
    assert told(text.replace("{ref}", "1.1"), "b.txt") == []
    ((rule, line),) = told(text.replace("{ref}", "1.2"), "b.txt")
    assert (rule, line) == ("reference-heading", 5)


@pytest.mark.parametrize(("cited", "meant"), [("704", None), ("740", "704")])
def test_plain_numbers_are_looked_up(cited: str, meant: str | None) -> None:
    rules = "\n".join(f"{n}. Part\n{n}.1. Do.\n{n}.2. Rest." for n in (701, 702, 703, 704, 705))
    all_ = found(f"{rules}\n705.3. See rule {cited}.\n", "b.txt")
    assert [one.rule for one in all_] == (["reference-missing"] if meant else [])
    assert all(one.suggestion is not None and f"mean {meant} " in one.suggestion.en + " " for one in all_)


def test_an_item_is_cited_with_its_clause() -> None:
    text = "1. Play\n1.1. Drawing\nA. Draw one.\nB. Draw two.\n1.2. Resting\nRest, see rule 1.1{letter}.\n"
    assert told(text.replace("{letter}", "b"), "b.txt") == []
    assert told(text.replace("{letter}", "d"), "b.txt") == [("reference-missing", 6)]


# ---------------------------------------------------------------- marks and words
@pytest.mark.parametrize(
    "said",
    ["the players’ cards and the ’Dane", "“Draw,” “Rest,” and “Sleep.”", "a 33” ring", "it.\nex) nine points", "b) of them"],
)
def test_marks_that_need_no_partner(said: str) -> None:
    assert told(f"1. Play\n1.1. “Draw” one.\n1.2. Take {said}\n1.3. “Rest” two.\n", "b.txt") == []


def test_a_quotation_that_ends_with_the_wrong_mark_is_told() -> None:
    rest = "\n".join(f"1.{n}. “Rest” {n}." for n in range(3, 14))
    assert told(f"1. Play\n1.1. Say “draw“ or “rest” once.\n1.2. “Draw”.\n{rest}\n", "b.txt") == [("bracket-unclosed", 2)]


@needs_english
def test_a_letter_left_out_of_a_word_is_told_and_another_word_is_not() -> None:
    text = "1. Play\n" + "\n".join(f"1.{n}. The helmsman is eligible to steer through the channel." for n in range(1, 5))
    assert told(f"{text}\n1.5. Nobody else is eligible, though asked.\n", "b.txt") == []
    assert told(f"{text}\n1.5. Nobody else is eligble, though asked.\n", "b.txt") == [("word-misspelt", 6)]


def test_names_and_words_that_only_look_alike_are_two() -> None:
    text = "1. Play\n" + "\n".join(f"1.{n}. The player rests with the cleric." for n in range(1, 9))
    assert told(f"{text}\n1.9. They parley in a circle. “Best of X” and “Best of Y” are two.\n", "b.txt") == []


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("札には赤、青、緑の3色があります。", []),
        ("札には赤、青、緑の4色があります。", ["count-differs"]),
        ("3種類（帆船、商船、軍船）の船があります。", []),
        ("4種類（帆船、商船、軍船）の船があります。", ["count-differs"]),
        ("3種類（帆船、商船など）の船があります。", []),
        ("この本では、赤、青の2色だけを使います。", []),
        ("There are three colors: red, blue, and green.", []),
        ("There are four colors: red, blue, and green.", ["count-differs"]),
        ("Choose two of these: a card that is red, a card you own, and a coin.", []),
        ("手札が 0 以下の場合、山札を引きます。", []),
        ("手札を引き、次の手順に進みます。", []),
        ("See rule X.X for this.", ["placeholder"]),
        ("TODO ここに書く。", ["placeholder"]),
        ("The the card is drawn.", ["word-twice"]),
        ("Those whose turn it is is up to you.", []),
    ],
)
def test_sentences_that_contradict_themselves_or_are_not_ready(said: str, rules: list[str]) -> None:
    text = f"1. Play\n1.1. 引きます。\n1.2. {said}\n1.3. 置きます。\n"
    assert [one.rule for one in found(text, "b.txt")] == rules


def test_a_list_of_another_length_than_announced_in_english() -> None:
    text = "# Turn\n\nA turn has the following {n} steps:\n\n- Draw.\n- Move.\n- Rest.\n\n# End\n\nDone.\n"
    assert told(text.replace("{n}", "three")) == []
    assert told(text.replace("{n}", "four")) == [("list-missing", 3)]


def test_a_sentence_right_after_itself_is_told_and_farther_apart_is_not() -> None:
    one = "The player on the left draws one more card."
    assert told(f"1. Play\n1.1. {one} {one} Then rest.\n1.2. Go.\n", "b.txt") == [("text-repeated", 2)]
    assert told(f"1. Play\n1.1. {one} Then rest. {one}\n1.2. Go.\n", "b.txt") == []


# ---------------------------------------------------------------- HTML, PDF
def test_a_page_of_html_is_read_by_blocks(tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    path.write_text(
        "<!doctype html><html><head><title>x (</title><style>a{(}</style></head><body>\n<nav>1.1 (</nav>\n"
        "<h2>1. Play</h2>\n<p>1.1. Draw <b>one</b>.</p>\n<p>1.2. Rest, see rule 1.8.</p><ol><li>a</li><li>b</li></ol></body></html>",
        encoding="utf-8",
    )
    done = lint(path, Options())
    (one,) = done.found
    assert one.rule == "reference-missing" and done.source.places[one.line] == "5"
    assert [clause.label.parts for clause in done.draft.clauses if clause.is_item and clause.label] == [(1,), (2,)]


def test_letters_printed_twice_to_look_bold_stand_once() -> None:
    assert printed_once("1.1.1.1. 通信通信通信通信") == "1. 通信"
    assert printed_once("1.1. 通信") == "1.1. 通信"
    assert printed_once("ドキドキ ワクワク") == "ドキドキ ワクワク"
    assert printed_once("⾛⾏") == "走行"


# ---------------------------------------------------------------- what only looks like a mistake
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Look if IF is empty, and write it down.", []),
        ("Look if if is empty, and write it down.", ["word-twice"]),
        ("If if is empty, write it down.", ["word-twice"]),
        ("Good luck to all of you! ;)", []),
        ("Good luck to all of you! :-(", []),
        ("Good luck (to all of you! :)", []),
        ("Good luck to all of you); have fun.", ["bracket-unclosed"]),
    ],
)
def test_an_abbreviation_is_another_word_and_an_emoticon_is_no_bracket(text: str, rules: list[str]) -> None:
    assert [one.rule for one in found(f"# Play\n\n{text}\n")] == rules


def test_letters_that_a_pdf_writes_as_one_sign_are_letters() -> None:
    assert printed_once("a speci\ufb01c o\ufb03cial") == "a specific official"


SAME = "出目が同じ場合は勝ち負けを決めずに次の手番へ進みます。"


def test_parallel_cases_may_end_alike_and_a_case_copied_whole_is_told() -> None:
    both = f"# 比べ方\n\n二人が振ります。\n\n- 両方とも成功なら小さい方の勝ちです。{SAME}\n- 両方とも失敗なら大きい方の勝ちです。{SAME}\n"
    assert serious(both) == []
    assert [one.rule for one in found(both.replace("失敗なら大きい", "成功なら小さい"))] == ["text-repeated"] * 2
    assert [one.rule for one in found(f"# 比べ方\n\n二人が振ります。\n\n- {SAME}\n- {SAME}\n")] == ["text-repeated"]


# ---------------------------------------------------------------- lists in lists without indentation
NESTED = """2.1 Play
1. Draw a card.
a. From the top.
i. Face down.
1. Nobody looks at it.
2. It stays there.
ii. Face up.
1. Everybody looks at it.
b. From the bottom.
i. Face down.
ii. Face up.
2. Put a card back.
a. On the top.
i. Face down.
3. Rest.
2.2 End
1. Count the cards.
2. Count the coins.
"""


def test_lists_in_lists_are_read_by_their_numbers_where_indentation_is_lost() -> None:
    assert told(NESTED, "book.txt") == []


def test_a_number_left_out_within_them_is_told_as_no_error() -> None:
    faults = found(NESTED.replace("3. Rest.", "4. Rest."), "book.txt")
    assert [(one.rule, one.line, one.severity) for one in faults] == [("number-skipped", 15, Severity.HINT)]
    faults = found(NESTED.replace("2. Count", "1. Count"), "book.txt")
    assert [(one.rule, one.line, one.severity) for one in faults] == [("number-repeated", 18, Severity.HINT)]


def test_an_i_among_letters_is_a_letter() -> None:
    letters = "".join(f"{c}. Say {c}.\n" for c in "abcdefgh")
    text = f"2.1 Play\n1. Speak.\n{letters}i. Say i.\ni. Loudly.\nii. Slowly.\nj. Say j.\ni. Once.\n2. Rest.\n2.2 End\n1. Count.\n2. Go.\n"
    assert serious(text, "book.txt") == []


def test_a_range_in_a_table_is_no_clause() -> None:
    table = "1.1 Play\nRoll the dice, and look here.\n476-500 inclusive\nA ball is thrown.\n501-600 inclusive\nA ball is hit.\n1.2 End\nCount the runs.\n"
    assert [c.name for c in outline("book.txt", from_text("book.txt", table).lines).clauses] == ["1.1", "1.2"]
    counted = table.replace("476-500 inclusive", "3-1 Inclusive").replace("501-600 inclusive", "3-2 Inclusive")
    assert [c.name for c in outline("book.txt", from_text("book.txt", counted).lines).clauses] == ["1.1", "3-1", "3-2", "1.2"]


def test_a_list_of_markdown_between_the_items_of_another_does_not_end_it() -> None:
    text = "# Play\n\nA. Throw.\n\ni. It counts if:\n\n1. it hits\n\n2. it rolls\n\nii. It rests.\n\nB. Catch.\n"
    assert told(text) == []
    assert told(text.replace("ii. It", "iii. It")) == [("number-skipped", 11)]


# ---------------------------------------------------------------- statutes
STATUTE = """## 第1章 総則
### 第1条 (名称)
この会は、船の会です。
### 第2条 (目的)
船を{ref}。
### 第3条 (会員)
会員は船を持ちます。
## {last}
### 第1条 (施行)
四月から施行します。
"""


def test_articles_begin_anew_in_supplementary_provisions_and_not_elsewhere() -> None:
    text = STATUTE.replace("{ref}", "出します")
    assert told(text.replace("{last}", "附則")) == []
    assert told(text.replace("{last}", "附則").replace("## ", "").replace("#", ""), "book.txt") == []
    assert told(text.replace("## {last}\n", "")) == [("number-repeated", 8)]


@pytest.mark.parametrize(
    ("ref", "rules"),
    [
        ("出します（第３条を除く）", []),
        ("出します（第8条を除く）", ["reference-missing"]),
        ("出します（労働基準法（昭和22年法律第49号）第89条を除く）", []),
        ("出します（著作権法第27条及び第28条を除く）", []),
        ("出します（本規約第8条を除く）", ["reference-missing"]),
    ],
)
def test_articles_of_another_law_are_not_looked_up(ref: str, rules: list[str]) -> None:
    assert [one.rule for one in found(STATUTE.replace("{ref}", ref).replace("{last}", "附則"))] == rules


def test_a_branch_number_follows_its_article() -> None:
    text = "### 第1条 港\n船を置きます。\n### 第2条 沖\n船を出します。\n### 第{n} 島\n船を見ます。\n### 第3条 湾\n船を呼びます。\n"
    assert told(text.replace("{n}", "2条の2")) == []
    assert told(text.replace("{n}", "2条の3")) == [("number-skipped", 5)]


def test_articles_that_a_line_names_together_are_left_out() -> None:
    text = "第1条 船を置きます。\n第2条 船を出します。\n{gone}第6条 船を見ます（第4条を除く）。\n第7条 船を呼びます。\n"
    assert told(text.replace("{gone}", "第3条から第5条まで　削除\n"), "b.txt") == []
    assert {rule for rule, _ in told(text.replace("{gone}", ""), "b.txt")} == {"number-skipped", "reference-missing"}


def test_a_paragraph_that_begins_with_an_article_and_its_title_cites_it() -> None:
    text = "## 第1条（港）\n船を置きます。\n## 第2条（沖）\n{text}\n"
    assert told(text.replace("{text}", "第1条（港）、第2条（沖）の規定は、島でも使います。")) == []
    assert told(text.replace("{text}", "船を出します。\n第1条（港） 島でも使います。")) == [("number-repeated", 5)]


def test_other_wordings_to_choose_from_are_no_slip() -> None:
    one = "### 第{n}条 {t}\n船を{v}。\n"
    every = [("1", "港", "置く"), ("2", "沖", "出す"), ("1", "港", "洗う"), ("2", "沖", "拭く"), ("1", "港", "売る")]
    text = "## 第1章 総則\n" + "".join(one.format(n=n, t=t, v=v) for n, t, v in every)
    assert told(text) == []
    assert ("number-repeated", 6) in told(text.replace("第1条 港\n船を洗う", "第2条 島\n船を洗う").replace("### 第2条 沖\n船を拭く。\n### 第1条 港\n船を売る。\n", ""))


# ---------------------------------------------------------------- lists
def test_a_list_under_numbered_headings_is_a_list() -> None:
    text = "## 第1章 港\n### 第1条 船\n次の通り。\n\n1. 帆船を置く場所と時間\n2. 商船を置く場所と時間（夜を含む。）\n3. 軍船\n### 第2条 網\n置きます。\n"
    assert told(text) == []
    assert told(text.replace("3. 軍船", "4. 軍船")) == [("number-skipped", 7)]


def test_lists_that_are_only_indented_a_little_are_lists_in_lists() -> None:
    text = "# Play\n\n1. Draw.\n2. Move:\n  1. one step,\n  2. two steps,\n  3. none.\n3. Rest.\n"
    assert told(text) == []
    assert told(text.replace("3. Rest", "2. Rest")) == [("number-repeated", 8)]


def test_one_on_every_item_is_counted_by_the_reader_however_it_is_indented() -> None:
    text = "# Play\n\n1. Draw.\n1. Move:\n  1. one step,\n    1. on foot,\n    1. by ship,\n    1. by air.\n1. Rest.\n"
    assert serious(text) == []
    assert told("# Play\n\nDraw:\n1. a card,\n2. a coin,\n2. a key.\n") == [("number-repeated", 6)]


def test_lists_of_html_in_lists_are_lists_in_lists(tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    page = "<html><body><h1>Play</h1><ol><li><p>Draw.</p><p>At once.</p><ol><li>One.</li><li>Two.</li></ol></li><li>Move.</li><li>Rest.</li></ol>{more}</body></html>"
    path.write_text(page.replace("{more}", ""), encoding="utf-8")
    assert lint(path, Options()).serious == []
    path.write_text(page.replace("{more}", "<p>1. Go.</p><p>3. Stop.</p>"), encoding="utf-8")
    assert [one.rule for one in lint(path, Options()).found] == ["number-skipped"]


def test_a_list_of_one_style_in_itself_without_indentation() -> None:
    assert told("2.1 Play\n1. Draw\n1. one\n2. two\n2. Move\n3. Rest\n2.2 End\nStop.\n", "b.txt") == []
    assert told("2.1 Play\n1. Draw\n2. Move\n2. Turn\n3. Rest\n2.2 End\nStop.\n", "b.txt") == [("number-repeated", 4)]


def test_bullets_within_a_bullet_are_counted_alone() -> None:
    text = "# 陣\n\n- 三隻まで\n- 置く場所は次の{n}つです\n  - 前\n  - 中\n  - 後\n- 一隻ずつ\n"
    assert told(text.replace("{n}", "3")) == []
    assert told(text.replace("{n}", "2")) == [("list-missing", 4)]


# ---------------------------------------------------------------- numbers that are none
def test_numbers_of_a_table_are_no_clauses() -> None:
    text = "1 Play\n1.1 Draw\nTake one.\n1.2 Rest\nRest now.\n2 End\n2.1 Count\n{rows}Count all.\n2.2 Stop\nStop now.\n3 More\n3.1 Again\nPlay on.\n"
    assert told(text.replace("{rows}", "Cards Points\n4 Coins\n1 Ammo\n3 2.5\n1.0\n0.7 × Least\n"), "b.txt") == []
    assert told(text.replace("3 More\n3.1", "4 More\n4.1").replace("{rows}", ""), "b.txt") == [("number-skipped", 11)]


def test_a_number_that_a_sentence_ends_with_begins_no_clause() -> None:
    text = "1.1 Play\n1. Draw a card and lower the wind by\n5. Whoever draws rests.\n2. Move.\n1.2 End\nStop, as RCW 64.38.035 says.\n"
    assert told(text, "b.txt") == []
    assert told(text.replace("RCW 64.38", "rule 64.38"), "b.txt") == [("reference-missing", 6)]


def test_one_wrong_number_is_told_once() -> None:
    text = "".join(f"第{n}条 船を{n}隻置きます。\n" for n in range(1, 12))
    faults = told(text.replace("第4条 ", "第9条 "), "b.txt")
    assert sorted(faults) == [("number-repeated", 9), ("number-skipped", 4)]


# ---------------------------------------------------------------- words
@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("It may be chosen once per five levels (1st, 5th, and 10th level).", []),
        ("第2条1項ハ）に示します。", []),
        ("It counts if they a.) rest and b.) pay.", []),
        ("Section X.1. See X.2. X.3 and X.4 too. Section X.5, Section X.6, Section X.7.", []),
        ("次の1つまたは2つ以上を行います。", []),
    ],
)
def test_what_is_written_so(said: str, rules: list[str]) -> None:
    assert [one.rule for one in found(f"1. Play\n1.1. 引きます。\n1.2. {said}\n1.3. 置きます。\n", "b.txt")] == rules


@needs_english
def test_a_draft_in_another_language_has_no_english_slips() -> None:
    text = "# Regras\n\n" + "\n\n".join(f"Quando o jogador descansar, ele perde cartas depois de usar moedas {n}." for n in range(4))
    assert told(f"{text}\n\nQuano descansar, ele perde.\n") == []


def test_a_heading_without_its_first_letter_is_told_and_its_references_are_not() -> None:
    text = "## 第1条 港\n船を置きます。\n## {n}条 沖\n船を出します。\n## 第3条 島\n第2条の船を見ます。\n"
    assert told(text.replace("{n}", "第2")) == []
    assert told(text.replace("{n}", "2")) == [("number-skipped", 5)]


def test_a_number_whose_text_stands_on_the_next_line_is_a_clause() -> None:
    text = "".join(f"{n}. 節{n}\n\n{n}.1.\n船を{n}隻置きます。\n\n{n}.2. 沖へ出します。\n\n" for n in range(101, 106))
    assert told(text, "book.txt") == []
    assert told(text.replace("103.1.\n船を103隻置きます。\n\n", ""), "book.txt") == [("number-skipped", 17)]


SECTIONS = "# Harbour\n\n## 1. Setup\n\nEach captain takes a boat.\n\n### Lanterns\n\nLanterns are lit.\n\n## 2. Play\n\nBoats move in this order:\n\n1. Row.\n2. Land.\n\nThen the tide turns.\n"


def test_a_heading_with_a_number_stands_where_its_level_puts_it_though_no_number_has_a_point() -> None:
    source = from_text("book.md", SECTIONS)
    clauses = {one.title: one for one in outline(source.file, source.lines).clauses}
    play = clauses["Play"]
    assert play.parent is clauses["Harbour"] and clauses["Lanterns"].parent is clauses["Setup"]
    assert "Each captain" in clauses["Setup"].text and play.text.endswith("Then the tide turns.")
    assert [one.parent for one in (clauses["Row."], clauses["Land."])] == [play, play], "an item of a list is in its section"
    assert "tide" not in clauses["Land."].text


def test_titles_without_a_mark_are_headings_where_nothing_else_is() -> None:
    text = "Setup\n\nEach player takes five cards and looks at them.\n\nThe turn\n\nA player plays one card, and the next player follows.\n"
    assert [one.title for one in outline("book.txt", from_text("book.txt", text).lines).clauses if one.heading] == ["Setup", "The turn"]
    assert not any(one.heading == 1 and one.title == "Setup" for one in outline("book.txt", from_text("book.txt", "# Rules\n\n" + text).lines).clauses)
