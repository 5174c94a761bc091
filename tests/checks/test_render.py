"""What a finding looks like on a terminal: frozen pages, and the promises they rest on."""
from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.checks.console import help_words
from rulewright.checks.findings import words
from rulewright.checks.findings.layout import Items, Table, cells, layout, wrap
from rulewright.checks.findings.page import speaker
from rulewright.checks.findings.record import FindingClass, Outcome, Play, PlayStep, WhoCanStop
from rulewright.checks.findings.steps import AHEAD, BEHIND, LONG, merged, stem_table
from rulewright.spec.text import Text

from ..render import as_text, render_finding, render_result
from .samples import CHOSEN_LOOP, FIRST, NOTHING_FOUND, ORDER, PASS_ONLY, RESULT, SECOND, hand, passes, quiet

Lang = Literal["ja", "en"]
LANGUAGES: tuple[Lang, ...] = ("ja", "en")
FINDINGS = {"pass-only": PASS_ONLY, "order": ORDER, "chosen-loop": CHOSEN_LOOP}
RESULTS = {"result": RESULT, "nothing-found": NOTHING_FOUND}

GISTS = {
    "7.5.1": Text("このターンの終わりに誘発する能力", "abilities that trigger at the end of the turn"),
    "7.5.2": Text("チェックタイミング", "check timing"),
    "7.5.3": Text("終了の条件を確かめ、満たさなければ繰り返す", "end the turn if the conditions hold, else repeat"),
}
ALTERNATIVES = {
    "hand-limit": Text("上限は7枚", "the limit is seven"),
    "hand-limit-whose": Text("数えるのはターンプレイヤーの手札", "the turn player's hand counts"),
}


class BookWords:
    """What a rule book calls its parts."""

    def book(self, book: str, /) -> Text | None:
        return Text("総合ルール 1.07", "comprehensive rules 1.07")

    def clause(self, book: str, clause: str, /) -> Text | None:
        return GISTS.get(clause)

    def reading(self, book: str, reading: str, alternative: str, /) -> Text | None:
        return ALTERNATIVES.get(reading)

    def default(self, book: str, reading: str, /) -> str | None:
        return None

    def chapters(self, book: str, /) -> Mapping[str, str]:
        return {}

    def questions(self, book: str, /) -> Sequence[str]:
        return ()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", FINDINGS)
def test_the_page_of_a_finding_reads_as_agreed(name: str, lang: Lang, frozen: Callable[[str, str], None]) -> None:
    frozen(f"{name}.{lang}.txt", as_text(render_finding(FINDINGS[name], lang, names=BookWords())))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", RESULTS)
def test_the_overview_of_a_run_reads_as_agreed(name: str, lang: Lang, frozen: Callable[[str, str], None]) -> None:
    frozen(f"{name}.{lang}.txt", as_text(render_result(RESULTS[name], lang, names=BookWords())))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [40, 57, 80, 110])
def test_no_line_is_wider_than_the_terminal(width: int, lang: Lang) -> None:
    for finding in FINDINGS.values():
        for line in as_text(render_finding(finding, lang, width, BookWords())).splitlines():
            assert cells(line) <= width, line
    for result in RESULTS.values():
        for line in as_text(render_result(result, lang, width, BookWords())).splitlines():
            assert cells(line) <= width, line


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_found_is_never_called_all_right(lang: Lang) -> None:
    page = as_text(render_result(NOTHING_FOUND, lang))
    assert {"ja": "調べた範囲では見つからない", "en": "Not found within these bounds"}[lang] in page
    assert not re.search(r"\bOK\b|問題なし|no problem|異常なし", page)


def test_a_check_that_had_no_chance_says_so() -> None:
    assert "0（調べていない: 該当する場面がなかった）" in as_text(render_result(RESULT, "ja"))


def test_who_can_stop_a_loop_is_said_of_each_kind_of_keepers() -> None:
    says = {
        keepers: as_text(render_finding(replace(PASS_ONLY, keepers=keepers, stopper=None), "ja")) for keepers in WhoCanStop
    }
    assert "誰にも止められません。" in says[WhoCanStop.NOBODY]
    assert "片方のプレイヤーだけが止められます。" in says[WhoCanStop.ONE]
    assert "両者がともにやめたときだけ" in says[WhoCanStop.TOGETHER]
    assert "どちらのプレイヤーも" in says[WhoCanStop.EITHER]
    assert "判定できず" in says[WhoCanStop.UNKNOWN]


def test_who_can_stop_a_loop_is_said_once() -> None:
    finding = replace(PASS_ONLY, keepers=WhoCanStop.TOGETHER, stopper=Text("両プレイヤーが揃ったときだけ", "both players, only together"))
    assert "only together" not in as_text(render_finding(finding, "en"))


@pytest.mark.parametrize(("clauses", "related", "said"), [
    (("1.1", "2.2"), (), " / 1.1 (see also 2.2)"), ((), ("2.2",), " / see also 2.2"), ((), (), "")])
def test_a_finding_that_no_clause_decides_is_told_with_those_that_are_related(clauses: tuple[str, ...], related: tuple[str, ...], said: str) -> None:
    page = as_text(render_finding(replace(PASS_ONLY, clauses=clauses, related=related), "en"))
    assert next(line for line in page.splitlines() if line.startswith("Clauses: ")) == f"Clauses: {PASS_ONLY.book}{said}"


def test_a_growing_loop_is_not_said_to_come_back_to_the_same_position() -> None:
    page = as_text(render_finding(replace(PASS_ONLY, growing=True), "ja"))
    assert "元どおり" not in page
    assert "変わるのは、増減する値か入れ子の深さだけ" in page
    said = as_text(render_finding(replace(PASS_ONLY, growing=True), "en"))  # a number that falls, or effects that nest, are no larger numbers
    assert "only what grows, falls or nests has changed" in said and "larger" not in said.split("What repeats")[1].splitlines()[0]


def test_of_choices_that_a_script_makes_it_is_not_said_that_nobody_has_them() -> None:
    said = as_text(render_finding(PASS_ONLY, "en")).split("What repeats")[1].splitlines()[0]
    assert PASS_ONLY.policies and "nobody is asked to choose" in said and "has a choice" not in said


def test_a_mistake_of_ours_is_not_blamed_on_the_rule_book() -> None:
    page = as_text(render_finding(replace(PASS_ONLY, cls=FindingClass.DEFECT), "ja"))
    assert "モデルの側の不足か誤り（ルールの問題ではない）" in page


# ---------------------------------------------------------------- plays
def test_steps_without_a_choice_are_drawn_together_with_their_count_and_clauses() -> None:
    steps = [quiet("1.1"), quiet("1.2", changes=(hand(FIRST, 5, 6),)), quiet("1.1", changes=(hand(FIRST, 6, 7),))]
    table = stem_table(steps, speaker("ja"))
    assert table.header == ("手順", "出来事", "条文")
    assert table.rows == (("1〜3", "先攻の手札 5→7", "1.1 1.2"),)


def test_a_long_play_is_shortened_and_the_number_of_steps_left_out_is_told() -> None:
    steps = [replace(passes(FIRST, "7.4"), chosen=Text(f"{i}枚目", f"card {i}")) for i in range(90)]
    rows = stem_table(steps, speaker("en")).rows
    assert len(rows) == AHEAD + 1 + BEHIND < LONG
    (note,) = [row for row in rows if len(row) == 1]
    assert note[0].startswith(f"... {90 - AHEAD - BEHIND} steps left out")
    assert rows[0][0] == "1"
    assert rows[-1][0] == "90"


def test_of_a_long_play_each_turn_is_one_row_but_the_last_one() -> None:
    def turn(n: int) -> list[PlayStep]:
        name = Text(f"{n}ターン目", f"turn {n}")
        drawn = replace(quiet("7.1", changes=(hand(FIRST, n * n, n * n + n),)), turn=name)
        return [drawn, replace(quiet("7.2"), turn=name)] * 2

    rows = stem_table([step for n in range(1, 31) for step in turn(n)], speaker("en")).rows
    assert [row[0] for row in rows[:AHEAD]] == [f"turn {n}" for n in range(1, AHEAD + 1)]
    assert [row[0] for row in rows[-7:]] == ["turn 28", "turn 29", "turn 30", "117", "118", "119", "120"]


def test_turns_that_do_the_same_again_and_again_are_one_row() -> None:
    def turn(n: int) -> PlayStep:
        who, drawn = (FIRST, 2) if n % 2 else (SECOND, 3)
        before = (n // 2) * drawn
        return replace(quiet("7.1", changes=(hand(who, before, before + drawn),)), turn=Text(f"{n}ターン目", f"turn {n}"))

    last = replace(quiet("7.2", changes=(hand(FIRST, 100, 0),)), turn=Text("13ターン目", "turn 13"))
    (again, end) = stem_table([*map(turn, range(1, 13)), last], speaker("ja")).rows
    assert again[0] == "1ターン目〜12ターン目"
    assert again[1].startswith("同じことが6回続く") and "0→12（1回に+2）" in again[1] and "3→21（1回に+3）" in again[1]
    assert end[0] == "13ターン目"


def test_a_long_play_of_equal_choices_is_told_in_one_line() -> None:
    steps = [passes(FIRST if i % 2 else SECOND, "7.4") for i in range(90)]
    assert stem_table(steps, speaker("ja")).rows == (("1〜90", "各自", "何もしない（続けて90手順）", "7.4"),)


def test_changes_are_drawn_together_only_where_they_continue_each_other() -> None:
    assert merged(["手札 5→6", "手札 6→7"]) == ["手札 5→7"]
    assert merged(["手札 5→6", "手札 6→5"]) == []
    assert merged(["手札 5→6", "デッキ 9→8", "シャッフルした"]) == ["手札 5→6", "デッキ 9→8", "シャッフルした"]
    assert merged(["手札 5→6", "手札 8→9"]) == ["手札 5→6", "手札 8→9"]


def test_the_alternatives_of_a_choice_in_a_loop_are_shown() -> None:
    page = as_text(render_finding(CHOSEN_LOOP, "ja"))
    assert "先攻: 手札のカードを使う（ほかの選択: 何もしない、登場させる）" in page


def test_a_play_that_ends_tells_how() -> None:
    finding = replace(ORDER, play=Play(ORDER.play.stem, (), Text("引き分け", "a draw")))
    assert "結末: 引き分け" in as_text(render_finding(finding, "ja"))


# ---------------------------------------------------------------- lines
@given(st.text(alphabet=string.ascii_letters + " 、。「」（）あ漢ー→", max_size=120), st.integers(4, 40))
def test_wrapping_loses_no_character_and_keeps_the_width(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(cells(line) <= width for line in lines)


def test_no_line_begins_with_a_closing_mark() -> None:
    text = "引き分けになります。「花嫁」（自分のもの）を数え、続けます。"
    for width in range(10, 40):
        assert all(line[0] not in "。、」）" and line[-1] not in "「（" for line in wrap(text, width))


def test_columns_line_up_when_characters_are_wide() -> None:
    table = Table(("条文", "理由"), (("13.1.1.1 宣言", "不明"), ("7.5", "当てはまる")))
    lines = [line.plain for line in layout([table, Items(("一", "二"))], 60)]
    column = {cells(line[: line.index(word)]) for line, word in zip(
        (lines[0], lines[2], lines[3]), ("理由", "不明", "当てはまる"), strict=True)}
    assert len(column) == 1


# ---------------------------------------------------------------- words
def all_texts(value: Any) -> Iterator[Text]:
    """Every text in a value."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from all_texts(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from all_texts(item)


PHRASES = [text for name, value in (*vars(words).items(), *vars(help_words).items())
           if name.isupper() for text in all_texts(value)]


def blanks(said: str) -> set[str]:
    """Names of the blanks in a phrase."""
    return {name for _, name, _, _ in string.Formatter().parse(said) if name is not None}


def test_both_languages_of_a_phrase_have_the_same_blanks() -> None:
    assert PHRASES
    assert [phrase for phrase in PHRASES if blanks(phrase.ja) != blanks(phrase.en)] == []


def test_no_phrase_uses_words_of_the_inside() -> None:
    inside = r"\b(label|lasso|state vector|frontier|transition|canonical|symmetry)s?\b|ラッソ|状態ベクトル|遷移|ラベル"
    said = [re.sub(r"\{[^}]*\}", "", f"{phrase.ja} {phrase.en}") for phrase in PHRASES]
    assert [one for one in said if re.search(inside, one, re.IGNORECASE)] == []


def test_every_phrase_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in Path(words.__file__).parents[1].rglob("*.py"))
    used = set(re.findall(r"\bwords\.(\w+)", code))
    assert [name for name, value in vars(words).items() if name.isupper() and list(all_texts(value)) and name not in used] == []


def test_no_phrase_takes_the_name_of_another() -> None:
    text = Path(words.__file__).read_text(encoding="utf-8")
    names = re.findall(r"^([A-Z_]+)\b[^=\n]*=", text, re.MULTILINE)
    assert [name for name in set(names) if names.count(name) > 1] == []


def test_what_the_ways_on_lead_to_stands_side_by_side() -> None:
    outcomes = (Outcome(Text("花を先に", "the flower first"), (Text("手札 1→2", "hand 1 → 2"),)), Outcome(Text("鳥を先に", "the bird first"), ()))
    page = as_text(render_finding(replace(ORDER, outcomes=outcomes), "ja"))
    assert "結果の違い" in page
    assert re.search(r"花を先に +手札 1→2\n", page) and re.search(r"鳥を先に +（ほかと違う変化なし）\n", page)
