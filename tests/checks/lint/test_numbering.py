"""Which numbers are recognised at the beginning of a line, and what is made of them."""

from __future__ import annotations

import pytest

from rulewright.checks.lint.model import Draft, Style
from rulewright.checks.lint.numbering import candidates, read_marks, whole
from rulewright.checks.lint.outline import outline


def draft(text: str) -> Draft:
    return outline("draft.md", [read_marks(number, line) for number, line in enumerate(text.split("\n"), 1)])


def names(text: str) -> list[str]:
    return [clause.name for clause in draft(text).clauses if clause.label]


@pytest.mark.parametrize(
    ("line", "style", "parts", "rest"),
    [
        ("10.5.3.1. 実行します。", Style.DOTTED, (10, 5, 3, 1), "実行します。"),
        ("- 1.1.1. これは", Style.DOTTED, (1, 1, 1), "これは"),
        ("１０．５．３ 全角の数字", Style.DOTTED, (10, 5, 3), "全角の数字"),
        ("3.1.5.b 条件", Style.DOTTED, (3, 1, 5, 2), "条件"),
        ("1-1a 文書", Style.DASHED, (1, 1, 1), "文書"),
        ("4.0:領域", Style.DOTTED, (4, 0), "領域"),
        ("215.4b 行動費", Style.DOTTED, (215, 4, 2), "行動費"),
        ("#### 9-2-1 使用", Style.DASHED, (9, 2, 1), "使用"),
        ("#### 20-5回帰", Style.DASHED, (20, 5), "回帰"),
        ("# **§9** 効果", Style.SECTION, (9,), "効果"),
        ("第3章 進行", Style.CHAPTER, (3,), "進行"),
        ("第十二章 進行", Style.CHAPTER, (12,), "進行"),
        ("(2)山札", Style.PAREN, (2,), "山札"),
        ("（２）山札", Style.PAREN, (2,), "山札"),
        ("③ 花嫁", Style.CIRCLED, (3,), "花嫁"),
        ("iii: 解決する", Style.ROMAN, (3,), "解決する"),
        ("ii-A: 支払う", Style.ROMAN, (2, 1), "支払う"),
        ("A. 標準", Style.LETTER, (1,), "標準"),
        ("- 5-1) 選ぶ", Style.PAREN, (5, 1), "選ぶ"),
        ("附則 1 一覧", Style.APPENDIX, (1,), "一覧"),
    ],
)
def test_a_number_is_recognised(line: str, style: Style, parts: tuple[int, ...], rest: str) -> None:
    read = read_marks(1, line)
    label = candidates(read)[0]
    assert (label.style, label.parts, read.body[label.end :]) == (style, parts, rest)


@pytest.mark.parametrize(
    "line",
    ["5.6.3.2 に戻ります。", "2018/06/09 制定", "7枚のカード", "3.5倍にします", "「1.2.」", "9-4のiにおける手順"],
)
def test_a_number_that_is_cited_or_counts_something_is_no_label(line: str) -> None:
    assert not candidates(read_marks(1, line))


def test_numbers_in_chinese_figures() -> None:
    assert [whole(n) for n in ("三", "十", "十二", "二十", "二十三", "７")] == [3, 10, 12, 20, 23, 7]


def test_single_numbers_are_sections_where_their_clauses_follow_and_items_elsewhere() -> None:
    assert names("1. 概要\n1.1. 人数\n二人です。\n2. 手順\n2.1. 順番\n次の順です。\n1. 引く\n2. 置く\n") == [
        "1",
        "1.1",
        "2",
        "2.1",
        "2.1 1.",
        "2.1 2.",
    ]


def test_clauses_of_three_figures() -> None:
    assert names(
        "1.ゲーム\n100 原則\n100.1 二人です。\n101 勝敗\n101.1 勝ちです。\n"
        "101.1a 例外です。\n2.カード\n200 原則\n200.1 紙です。"
    ) == ["1", "100", "100.1", "101", "101.1", "101.1a", "2", "200", "200.1"]


def test_numbers_begin_again_in_every_chapter_and_in_every_book() -> None:
    assert names("第1章 場\n1.手札\n持ちます。\n1.1.枚数\n七枚です。\n第2章 番\n1.流れ\n進みます。\n") == [
        "第1章",
        "第1章 1",
        "第1章 1.1",
        "第2章",
        "第2章 1",
    ]
    two = draft("# 基本\n# §1 甲\n## 1-1 一\n文。\n# §2 乙\n# §3 丙\n# 追加\n# §1 丁\n## 1-1 二\n文。\n# §2 戊\n")
    assert [book.title for book in two.books] == ["基本", "追加"]


def test_the_table_of_contents_is_set_aside() -> None:
    found = draft("目次\n1. 概要\t1\n2. 手順\t3\n\n1. 概要\n1.1. 人数\n二人。\n2. 手順\n2.1. 順番\n順に。\n")
    assert found.contents is not None and len(found.contents.entries) == 2
    assert [clause.name for clause in found.clauses if clause.label] == ["1", "1.1", "2", "2.1"]


def test_a_sentence_broken_by_the_width_of_the_page_is_one_sentence_with_true_places() -> None:
    first = "1.1. とても長い文なので、ページの幅に収まらずに途中で折り返されて次の行に続いてい"
    found = draft(f"1. 概要\n{first}\nる文です。\n1.2. 次\n")
    clause = found.clauses[1]
    assert "続いている文です。" in clause.text
    assert clause.passage.at(clause.text.index("る文です")) == (3, 1)


def test_an_automatic_reading_of_headings_in_markdown() -> None:
    found = draft("# 規則\n## 準備\n山札を切る。\n1. 引く\n2. 置く\n\n続きの文。\n## 進行\n順に行う。\n")
    assert [clause.title for clause in found.clauses if clause.heading] == ["規則", "準備", "進行"]
    assert "続きの文。" in next(clause for clause in found.clauses if clause.title == "準備").text


def test_clauses_of_three_figures_with_a_stop_and_references_in_english() -> None:
    found = names("1. Game\n100. General\n100.1. Two play.\n100.1a Or more.\n101. Winning\n101.1. See rule 100.1a.\n")
    assert found == ["1", "100", "100.1", "100.1a", "101", "101.1"]


def test_a_number_on_a_line_of_its_own_has_its_text_below() -> None:
    clauses = draft("## 1-1. Players\n### 1-1-1\nTwo play.\n### 1-1-2\nSee 1-1-1.\n").clauses
    assert [(clause.name, clause.text) for clause in clauses[1:]] == [("1-1-1", "Two play."), ("1-1-2", "See 1-1-1.")]


def test_a_word_in_kana_that_begins_like_a_particle_is_a_word_and_a_particle_is_none() -> None:
    assert names("4.6 客を迎える。\n4.7 もてなす客を選ぶ。\n4.8 のれんを下ろす。\n4.9 とちゅうで帰る人。") == ["4.6", "4.7", "4.8", "4.9"]
    assert names("4.6 客を選ぶときは、\n4.7 のとおりに行い、\n4.8 とともに終える。") == ["4.6"]
