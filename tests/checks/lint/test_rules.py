"""What a rule finds, and what it must leave alone: short invented drafts, the finding, and the same draft put right."""

from __future__ import annotations

import pytest

from rulewright.checks.lint.findings import Found
from rulewright.checks.lint.linting import MOST, Options, chosen_rules, lint_source
from rulewright.checks.lint.model import Known
from rulewright.checks.lint.reading import from_text
from rulewright.checks.lint.terms import sudachi


def found_in(
    text: str, dictionary: bool = False, known: Known | None = None, select: tuple[str, ...] = ()
) -> list[Found]:
    options = Options(dictionary=dictionary, select=select)
    return lint_source(from_text("draft.md", text), options, chosen_rules(options), known or Known()).found


KINDS = """第1章 カードの種類
1.店員カード
1.1.店員カードは客を迎えます。
2.料理カード
2.1.料理カードは客に出します。
3.道具カード
3.1.道具カードは店に置きます。
第2章 進行
1.流れ
1.1.1枚の{name}を使います。次に{name}を置きます。カードはこれだけです。
"""
ZONES = """1. 場
1.1. 主デッキ置き場
- 1.1.1. 主デッキ置き場は公開領域です。
1.2. 副デッキ置き場
- 1.2.1. 副デッキ置き場は公開領域です。
2. 進行
2.1. 引き方
- 2.1.1. {name}からカードを引きます。
"""
COPIED = """第1章 カード
1.店員カード
1.1.店員カードは客を迎えます。特技欄にはその店員の特技が書かれます。
2.料理カード
2.1.料理カードは客に出します。特技欄にはその{name}の特技が書かれます。
"""
PARTS = """1. カード
- ① 名前
- ② 評価
- ③ {name}
1.1. 名前
- 1.1.1. 上端に書かれています。
1.2. 評価
- 1.2.1. 左下に書かれています。
1.3. 付属情報
- 1.3.1. 下端に書かれています。
"""
TURNS = """第1章 進行
1.流れ
(1)準備
 札を配ります。
(2)先手の番を行う
 先手が動きます。
(3)後手の番を行う
 後手が動きます。
 勝敗が決まるまで、{name}を繰り返します。
"""
STEPS = """# §1 手順
## 1-1 開始
ここでは、{name}の手順を順に行う。
i: 引く。
ii: 置く。
iii: 起こす。
iv: 終える。
## 1-2 費用の支払い
iv: その後、「開始」において定義された手順の{step}の代わりに札を捨てる。
## 1-3 追加
1-1 における{step}までを行う。
"""
SERIES = """# §1 一覧
## 1-1 札
札は「AB-01-ann-O-1」「AB-01-ann-O-2」「AB-01-ann-O-3」「{name}」です。
## 1-2 箱
箱には「AB-01-ann-O-4」と「AB-01-ann-O-5」があります。箱の札は「AB-01-ann-O-5」です。
"""
LIST = """1. 風
1.1. 吹き方
- 1.1.1. 風は、次の手順で決まります。
{name}- 1.1.2. 帆を張った船は、風の影響を受けません。
- 1.1.3. 錨を下ろした船は、動きません。
"""
PLAYERS = """1. 番
1.1. 順番
- 1.1.1. 先手から始めます。先手は2枚引きます。後手は3枚引きます。
- 1.1.2. {name}は引き直せます。
"""
SPELT = """1. 札
1.1. 札の型
- 1.1.1. MoonForm を使う。
- 1.1.2. MoonForm を置く。
- 1.1.3. MoonForm を戻す。
- 1.1.4. {name} を捨てる。
"""
BRACKETS = """1. 場
1.1. 場所
- 1.1.1. <星空>と<星空>と<観測所>があります。
- 1.1.2. 札は<星空>か<観測所>か<星空>に戻ります。
- 1.1.3. {name}に置きます。
"""
LIMIT = """1. 値
1.1. 手札の上限
- 1.1.1. 手札の上限は2である。
1.2. 捨て方
- 1.2.1. {name}より多い札は捨てる。
"""
HIRAGANA = """1. 値
1.1. 状態
- 1.1.1. 眠っている状態{name}そうでないかの、どちらかである。
"""
DASHED = """1. 値
1.1. 強さ
- 1.1.1. 強さは0以上の整数または「-」である。
1.2. 速さ
- 1.2.1. 速さは0以上の整数{name}である。
"""
NEIGHBOURS = """第1章 その他
1.札の記述の優先
 札の記述がこの規則と違うことがあります。
 その場合、この規則よりも札の記述を優先します。
2.同時の選択
 双方が同時に選ぶときは、番の側が先に選びます。
 {name}
第2章 終わり
1.勝ち
 山がなくなったら終わります。
"""
ITEMS = """1. 番
1.1. 手順
次のことを行います。
{name}
"""
NAMED = """1. 札
1.1. 使い方
- 1.1.1. 札を横にすることを「疲労」と呼びます。{name}した札は使えません。
"""
TITLED = """1. 場
1.1. 港{name}
- 1.1.1. 船を置きます。
1.2. 霧エリア
- 1.2.1. 札を置きます。
1.3. 島
- 1.3.1. 島の船は、港エリア（1.{n}）に戻します。
"""
CASES = [
    ("term-undefined", KINDS, "装飾カード", "道具カード"),
    ("term-undefined", KINDS, "演出カード", "カード"),
    ("term-two-names", ZONES, "デッキ置き場", "副デッキ置き場"),
    ("subject-other", COPIED, "店員", "料理"),
    ("list-differs", PARTS, "付属事項", "付属情報"),
    ("reference-shifted", TURNS, "(1)と(2)", "(2)と(3)"),
    ("series-gap", SERIES, "AB-01-ann-O-5", "AB-01-ann-O-4"),
    ("series-gap", SERIES, "AB-01-ann-O-04", "AB-01-ann-O-4"),
    ("list-missing", LIST, "", " - 1.1.1.1. 札を1枚めくります。\n - 1.1.1.2. その数を強さとします。\n"),
    ("term-two-names", PLAYERS, "先攻", "先手"),
    ("term-spelling", SPELT, "MoonFrom", "MoonForm"),
    ("term-spelling", BRACKETS, "〈星空〉", "<星空>"),
    ("term-spelling", LIMIT, "手札上限", "手札の上限"),
    ("slip", HIRAGANA, "が", "か"),
    ("slip", HIRAGANA, "值がO以上か、", "値が0以上か、"),
    ("slip", DASHED, "または「一」", "または「-」"),
    ("slip", DASHED, "か「ー」", "か「一つ」"),
    (
        "text-repeated",
        NEIGHBOURS,
        "その場合、この規則よりも札の記述を優先します。",
        "その場合、番の側でない者は後に選びます。",
    ),
    ("number-order", ITEMS, "2) 置く。\n1) 引く。\n3) 終える。", "1) 引く。\n2) 置く。\n3) 終える。"),
    ("number-order", ITEMS, "1) 引く。\n3) 終える。\n2) 置く。", "1) 引く。\n2) 置く。\n3) 終える。"),
]


@pytest.mark.parametrize(("rule", "draft", "wrong", "right"), CASES)
def test_it_is_found_and_not_once_it_is_put_right(rule: str, draft: str, wrong: str, right: str) -> None:
    assert {one.rule for one in found_in(draft.replace("{name}", wrong))} == {rule}
    assert found_in(draft.replace("{name}", right)) == []


@pytest.mark.parametrize(
    ("name", "step", "count"),
    [("i、ii、iii、iv", "iii", 0), ("i、ii、ii、iv", "iii", 1), ("i、ii、iii、iv", "vi", 2)],
)
def test_steps_that_are_counted_up_or_named_with_their_clause(name: str, step: str, count: int) -> None:
    text = STEPS.replace("{name}", name).replace("{step}", step)
    assert [one.rule for one in found_in(text)] == ["reference-step"] * count


def test_the_step_that_is_meant_is_named() -> None:
    (one,) = found_in(STEPS.replace("{name}", "i、ii、ii、iv").replace("{step}", "iii"))
    assert one.suggestion is not None and "iii" in one.suggestion.en
    (shifted,) = found_in(TURNS.replace("{name}", "(1)と(2)"))
    assert shifted.suggestion is not None and "(2) and (3)" in shifted.suggestion.en


@pytest.mark.skipif(sudachi() is None, reason="the extra ja is not installed")
def test_wrong_conversions_need_the_dictionary() -> None:
    text = (
        "1. 番\n1.1. 進み方\n- 1.1.1. 順番を進行します。順番を進行する側が先です。\n"
        "- 1.1.2. 順番を信仰している側が動きます。\n1.2. 使用手順\n- 1.2.1. 札を使います。\n"
        "1.3. 道具\n- 1.3.1. 札の仕様手順と同じです。\n"
    )
    assert [(one.rule, one.shown) for one in found_in(text, dictionary=True)] == [
        ("term-homophone", "信仰"),
        ("term-homophone", "仕様手順"),
    ]
    assert found_in(text) == []


def test_words_that_only_sound_alike_are_left_alone() -> None:
    text = (
        "1. 値\n1.1. 効果\n- 1.1.1. 札の効果を使います。札の効果を消します。札の効果です。\n- 1.1.2. 高価な札です。\n"
    )
    assert found_in(text, dictionary=True) == []


def test_two_names_are_left_alone_where_the_draft_says_they_are_one() -> None:
    text = PLAYERS.replace("{name}", "先攻")
    assert found_in(text.replace("先手から始めます", "先手（先攻とも呼ぶ）から始めます")) == []
    assert found_in(text.replace("先手から始めます", "先手(先攻)から始めます")) == []


def test_a_word_in_full_where_the_name_has_it_short() -> None:
    text = "1. 札\n1.1. 使い方\n- 1.1.1. 主キャラを置く。主キャラと主キャラを引く。\n- 1.1.2. {name}を戻す。\n"
    (one,) = found_in(text.replace("{name}", "主キャラクター"))
    assert (one.rule, one.shown) == ("term-spelling", "主キャラクター")
    case = "1. 札\n1.1. 使い方\n- 1.1.1. 主デッキを置く。主デッキと主デッキと主デッキを引く。\n- 1.1.2. 主デッキケースを戻す。デッキケースとデッキケースを置く。\n"
    assert found_in(case) == []


def test_a_reference_to_the_neighbour_of_what_is_named() -> None:
    draft = TITLED.replace("{name}", "エリア")
    assert found_in(draft.replace("{n}", "1")) == []
    (one,) = found_in(draft.replace("{n}", "2"))
    assert one.rule == "reference-heading" and one.suggestion is not None and "1.1" in one.suggestion.en


def test_a_section_without_a_line_of_its_own() -> None:
    sections = [f"1.{n}. 場所{n}\n- 1.{n}.1. 札{n}を置きます。\n- 1.{n}.2. 札{n}を引きます。\n" for n in range(1, 6)]
    assert found_in("1. 場\n" + "".join(sections)) == []
    headless = sections[3].partition("\n")[2]
    (one,) = found_in("1. 場\n" + "".join([*sections[:3], headless, sections[4]]))
    assert (one.rule, one.clause) == ("number-skipped", "1.4.1") and "1.4" in one.message.en
    bare = [f"- 1.{n}.1. 札{n}を置きます。\n- 1.{n}.2. 札{n}を引きます。\n" for n in range(1, 6)]
    assert found_in("1. 場\n" + "".join(bare)) == []


BOOKS = """# 基本規則
# §1 港
## 1-1 船
船は{ref}に従う。
## 1-2 帆
帆を張る。
# §2 霧
## 2-1 霧の強さ
霧は深い。
# §3 島
## 3-1 島の数
島は3つある。
# 追加規則
# §1 灯台
## 1-1 灯
灯をともす。
# §2 嵐
## 2-1 嵐の強さ
{own}に従う。
## 2-2 嵐の終わり
嵐は終わる。
"""


@pytest.mark.parametrize(
    ("ref", "own", "missing"),
    [
        ("1-2", "1-1", []),  # of its own book
        ("追加規則 2-2", "基本規則 3-1", []),  # of the book that is named
        ("1-2", "3-1", []),  # of the only book that has it
        ("基本規則 2-2", "1-1", ["2-2"]),  # not of the book that is named
        ("1-2", "追加規則の1-2", ["1-2"]),
        ("7-7-7", "1-1", ["7-7-7"]),
    ],
)
def test_references_in_a_document_of_several_books(ref: str, own: str, missing: list[str]) -> None:
    found = found_in(BOOKS.replace("{ref}", ref).replace("{own}", own))
    assert [(one.rule, one.shown) for one in found] == [("reference-missing", name) for name in missing]


def test_what_the_writer_accepts_is_not_said_again() -> None:
    text = KINDS.replace("{name}", "装飾カード")
    assert found_in(text, known=Known(accepted=frozenset({"装飾カード"}))) == []
    both = Known(synonyms=(frozenset({"先攻", "先手"}),))
    assert found_in(PLAYERS.replace("{name}", "先攻"), known=both) == []


def test_quotation_marks_without_a_partner() -> None:
    lines = "".join(f"- 1.1.{n}. ‘札{n}’と書かれます。\n" for n in range(1, 12))
    broken = lines + "- 1.1.12. ‘札と書かれます。\n"
    assert found_in("1. 札\n1.1. 名前\n" + lines) == []
    assert [one.clause for one in found_in("1. 札\n1.1. 名前\n" + broken)] == ["1.1.12"]
    assert found_in("1. Cards\n1.1. Names\n- 1.1.1. A player's card.\n- 1.1.2. Two players’ cards.\n") == []


def test_a_dash_is_missed_only_where_the_draft_has_one() -> None:
    text = DASHED.replace("{name}", "または「一」").replace("「-」", "「なし」")
    assert found_in(text) == []


def test_a_sentence_that_fits_both_sections_may_stand_in_both() -> None:
    same = "その場合、この規則よりも札の記述を優先します。"
    text = NEIGHBOURS.replace(
        "双方が同時に選ぶときは、番の側が先に選びます。", "札の効果がこの規則の順番に反する記述を持つことがあります。"
    )
    assert found_in(text.replace("{name}", same)) == []


@pytest.mark.parametrize(
    ("introduced", "severity"),
    [("札を横にすることを", "HINT"), ("横の札を、以下", "WARNING"), ("本書では横の札を", "WARNING")],
)
def test_a_name_that_is_not_used_may_be_for_the_cards(introduced: str, severity: str) -> None:
    text = NAMED.replace("札を横にすることを", introduced).replace("{name}", "横に")
    (one,) = found_in(text, select=("term-unused",))
    assert one.severity.name == severity and ("カード" in one.message.ja) is (severity == "HINT")
    assert len(found_in(text)) == (severity == "WARNING")
    assert (
        found_in(NAMED.replace("札を横にすることを", introduced).replace("{name}", "疲労"), select=("term-unused",))
        == []
    )


QUOTED = """1. 札
1.1. 特技
- 1.1.1. 跳躍は '札を1枚引く'を意味します。
- 1.1.2. 潜水は '札を1枚戻す'または'札を1枚捨てる' と書かれます。
- 1.1.3. 飛行は '札を2枚引く' ことです。
- 1.1.4. 疾走は '札を2枚戻す' ことです。
- 1.1.5. 睡眠は{name}
"""


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("'札を3枚引く'を意味します。", []),
        ("' **常時** (札)' のかわりに' **常時** [札] (札)' と書かれます。", []),
        ("、札を3枚引く'を意味します。", ["札"]),
        (" **常時** 札は起きない'と'札は寝ない'を意味します。", ["*"]),
        ("'札を3枚引くことです。", ["'"]),
        ("札が寝る'または'札が起きる'または札が立つ'と書かれます。", ["札", "札"]),
    ],
)
def test_straight_quotation_marks_are_missed_where_they_belong(text: str, places: list[str]) -> None:
    draft = QUOTED.replace("{name}", text)
    found = found_in(draft)
    assert [(one.rule, draft.splitlines()[one.line - 1][one.column - 1]) for one in found] == [
        ("bracket-unclosed", place) for place in places
    ]


@pytest.mark.parametrize(("said", "places"), [
    ("(「札」)", []), ("(「札)", ["「"]), ("((「札)", ["(", "「"]), ("(札」)", ["」"]), ("([「札)」", ["[", "「", "」"]), ("【札」", ["【"]),
])
def test_a_bracket_is_paired_with_the_last_of_its_kind_that_is_open(said: str, places: list[str]) -> None:
    draft = f"1.1 {said}を引く。\n1.2 札を捨てる。\n"
    found = found_in(draft, select=("bracket-unclosed",))
    assert sorted(draft.splitlines()[0][one.column - 1] for one in found) == sorted(places)


COUNTED = """目次
第1章 主キャラの札
第2章 主キャラの場
第3章 主キャラの終わり
第1章 主キャラの札
1.使い方
 主キャラを置きます。側の主キャラを引きます。別の主キャラを戻します。
第2章 主キャラの場
1.置き方
 主キャラクターを戻します。
第3章 主キャラの終わり
1.終わり方
 主キャラクターと主キャラゾーンを捨てます。
"""


def test_what_is_counted_is_what_stands_there() -> None:
    (one,) = [found for found in found_in(COUNTED) if found.rule == "term-spelling"]
    assert "「主キャラクター」（2 回、ほかに 13 行目）" in one.message.ja
    assert "「主キャラ」（9 回" in one.message.ja  # three in the contents, three in headings; not in 主キャラゾーン
    two = PLAYERS.replace("{name}", "後攻の側と先攻の側")
    (both,) = found_in(two)
    for said in ("「先攻」（1 回）", "「後攻」（1 回）", "「先手」（2 回）", "「後手」（1 回）"):
        assert said in both.message.ja


def test_a_finding_is_known_though_the_line_it_names_has_moved() -> None:
    (one,) = [found for found in found_in(COUNTED) if found.rule == "term-spelling"]
    moved = COUNTED.replace("第2章 主キャラの場\n1.", "第2章 主キャラの場\n\n\n1.")
    (other,) = [found for found in found_in(moved) if found.rule == "term-spelling"]
    assert one.line != other.line and one.message != other.message and one.fingerprint == other.fingerprint


def test_a_copied_phrase_is_shown_with_its_twin() -> None:
    (one,) = found_in(COPIED.replace("{name}", "店員"))
    assert (
        "（3 行目）" in one.message.ja
        and one.suggestion is not None
        and one.suggestion.ja == "「その料理」のことですか"
    )


def test_a_list_that_has_a_heading_cut_short_is_a_guess() -> None:
    text = PARTS.replace("{name}", "付属")
    assert found_in(text) == []
    (one,) = found_in(text, select=("list-differs",))
    assert (one.shown, one.severity.name) == ("付属", "HINT")
    assert found_in(text.replace("② 評価", "② 値"), select=("list-differs",)) == []


def test_a_range_with_three_ends() -> None:
    text = "1. 札\n1.1. 一覧\n- 1.1.1. 「AB-01-ann-1」から「AB-01-ann-3」{name}を使います。\n"
    assert found_in(text.replace("{name}", "")) == []
    assert found_in(text.replace("{name}", "、「AB-01-ann-5」から「AB-01-ann-7」")) == []
    (one,) = found_in(text.replace("{name}", "から「AB-01-ann-3」"))
    assert one.rule == "series-range" and one.shown == "AB-01-ann-3" and "2 回" in one.message.ja


def test_a_step_is_named_with_its_book_and_formulas_are_read() -> None:
    text = BOOKS.replace("{ref}", "1-2").replace(
        "{own}", "ここでは、2-1霧の強さ $ {\\bf v} $ を見て、「船出」において定義された手順のiii"
    )
    text = text.replace("1-1 船\n船は1-2に従う。", "1-1 船出\n1-2に従う。\ni: 引く。\nii: 置く。")
    found = {one.rule: one.message.ja for one in found_in(text)}
    assert "基本規則 1-1「船出」" in found["reference-step"]
    assert all("bf" not in said for said in found.values())


@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\x1b", "\ufeff"])
def test_a_character_that_nobody_can_see_is_told(hidden: str) -> None:
    (one,) = found_in(f"# 遊び\n1. 札\n1.1. 山{hidden}札から引きます。\n", select=("character",))
    assert (one.rule, one.line, one.column) == ("character-invisible", 3, 7) and f"U+{ord(hidden):04X}" in one.message.ja
    assert one.fix is not None and (one.fix.old, one.fix.new) == (hidden, "")


@pytest.mark.parametrize("shown", ["　", " ", "\u00a0", "\t", "が", "か\u3099", "👨\u200d👩"])
def test_blanks_and_joined_characters_are_none(shown: str) -> None:
    assert not found_in(f"# 遊び\n1. 札\n1.1. 山{shown}札から引きます。\n", select=("character",))


@pytest.mark.parametrize(("said", "wrong"), [
    ("相手のカードを残響ゾーンに置きます。", {"残響ゾーン"}), ("相手のカードを残響ゾーンへ2枚移します。", {"残響ゾーン"}),
    ("相手のカードを残響ゾーンに置きます。残響ゾーンは札が見えない場所です。", set[str]()), ("相手のカードを控室に置きます。", set[str]()),
    ("残響ゾーンの効果は続きます。", set[str]()), ("山札の上のカードを両方のゾーンに置きます。", set[str]()), ("相手のカードを残響ゾーンに置きます。残響ゾーンに札がある間、残響ゾーンを見られます。", set[str]())])
def test_a_place_that_something_is_put_into_once_is_introduced_somewhere(said: str, wrong: set[str]) -> None:
    text = f"1. 用語\n1.1. 山札はカードを裏向きに置く場所です。\n1.2. 手札は山札から引いたカードを持つ場所です。\n1.3. 控室は使い終えたカードを置く場所です。\n2. 進行\n2.1. カードを1枚引きます。\n2.2. {said}\n"
    assert {one.shown for one in found_in(text, select=("term-undefined",)) if one.rule == "term-undefined"} == wrong


@pytest.mark.parametrize(("many", "said"), [(MOST - 1, False), (MOST + 1, True)])
def test_a_rule_that_finds_thousands_is_looked_for_no_further_and_that_is_said(many: int, said: bool) -> None:
    report = lint_source(from_text("draft.txt", f"1.1 A card {'(' * many}\n"), Options(select=["bracket"]), chosen_rules(Options(select=["bracket"])))
    assert len(report.found) == min(many, MOST)
    assert any("no further than 5,000 places" in note.en for note in report.source.notes) is said


@pytest.mark.parametrize(("said", "wrong"), [("6つの", set[str]()), ("どの", {"潮フェイズ"})])
def test_phases_that_a_sentence_enumerates_are_defined_by_it(said: str, wrong: set[str]) -> None:
    text = f"4. 進行\n4.1. 1つのターンは、帰港・潮・引き・展開・会戦・終了の{said}フェイズを順に行う。\n4.2. 帰港フェイズ\n- 4.2.1. 札を手札に加える。\n" \
           "4.3. 展開フェイズ\n- 4.3.1. 札を使う。\n4.4. 会戦フェイズ\n- 4.4.1. 攻撃する。\n4.5. この後の潮フェイズには、潮位を動かす。\n"
    assert {one.shown for one in found_in(text, select=("term-undefined",)) if one.rule == "term-undefined"} == wrong


@pytest.mark.parametrize(("said", "wrong"), [
    ("捨て札は公開する。\n1.2. 捨て札を引く。捨札を戻す。", ["捨札"]),
    ("灯油置き場に置く。\n1.2. 灯油置場から払う。\n1.3. 灯油置き場は公開する。", ["置場"]),
    ("捨て札は公開する。\n1.2. 捨て札を戻す。", []),
    ("断片置き場に戻す。\n1.2. 配置場所を選ぶ。設置場に戻す。", []),  # parts of other words
    ("生き物を見て本を選ぶ。\n1.2. 見本の生物を出て場に置く。出場する。", []),  # other words, and verbs
    ("札を引き、手札に加える。\n1.2. 引手は次の人である。", []),
])
def test_a_name_of_a_verb_and_a_noun_with_and_without_okurigana(said: str, wrong: list[str]) -> None:
    assert [one.shown for one in found_in(f"1. 札\n1.1. {said}\n", select=("term-spelling",))] == wrong


@pytest.mark.parametrize(("said", "meant"), [
    ("戦いの後、状態の点検を行う（9.4.3を参照）。", "2"),
    ("戦いの後、点検を行う（9.4.3を参照）。", None),  # part of the heading only
    ("状態の点検は後で行う。戦いが終わる（9.4.3を参照）。", None),  # another sentence
])
def test_a_reference_in_a_bracket_behind_a_heading_means_its_clause(said: str, meant: str | None) -> None:
    draft = f"# 1. 戦い\n1.1. {said}\n1.2. 戦いは一度に限る。\n# 2. 状態の点検\n2.1. 灯りを数える。\n2.2. 札を数える。\n"
    (found,) = found_in(draft, select=("reference-missing",))
    assert (found.suggestion is not None and "「2」" in found.suggestion.ja) == (meant == "2")
