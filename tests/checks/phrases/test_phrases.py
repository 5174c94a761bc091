"""`rulewright phrases`: what is registered, and how a text is read."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks import api
from rulewright.checks.cli import main
from rulewright.checks.phrases.lookup import nearest, read_one, read_text, shown
from rulewright.model.engine.library import forget_books, load_book
from rulewright.spec.findings import FindingClass
from rulewright.spec.phrases import Number, Phrases
from rulewright.spec.wording import plain_words

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def rulewright(capsys: pytest.CaptureFixture[str]) -> Run:
    """`rulewright("phrases", "x")`: exit code, what was printed, what was complained of."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        return code, *capsys.readouterr()
    return run


@pytest.fixture(scope="module")
def phrases() -> Phrases:
    found = load_book("hanayome").phrases
    assert found is not None
    return found


def test_the_example_of_a_line_is_read_as_that_line(phrases: Phrases) -> None:
    lines = phrases.kinds[phrases.line]
    assert isinstance(lines, tuple)
    for p in lines:
        text = shown(p, phrases).example
        line = read_one(text, phrases)
        assert not line.mistakes or "[" in text or "「" in p.skeleton, (text, line.mistakes)


def test_a_text_is_taken_apart_into_pieces_each_with_its_phrase(phrases: Phrases) -> None:
    line = read_one("【自動】このキャラが登場した時、2枚引く。", phrases)
    assert [(p.depth, p.text, p.phrase.phrase) for p in line.pieces[1:]] == [
        (1, "【自動】", "【自動】"), (1, "このキャラが登場した時、", "{自分}が登場した時、"), (2, "このキャラ", "このキャラ"),
        (1, "2枚引く。", "{効果}。"), (2, "2枚引く", "{N:数}枚引く")]


@pytest.mark.parametrize(("text", "column", "said"), [
    ("【自動】このキャラが登場した時、2枚引く", 21, "。"),
    ("【自動】このキャラが登場した時、二枚引く。", 17, "2"),
    ("【自動】このキャラが登場した時、99枚引く。", 17, "20"),
    ("【自動】このキャラが登場した時、2枚ひく。", 19, "枚引く")])
def test_what_is_missing_or_wrong_is_named_where_it_is(phrases: Phrases, text: str, column: int, said: str) -> None:
    (mistake,) = read_one(text, phrases).mistakes
    assert mistake.position is not None and mistake.position.column == column
    assert said in (mistake.hint or mistake.message).ja


def test_near_phrases_are_those_near_what_is_wrong(phrases: Phrases) -> None:
    near = nearest(read_text("【自動】このキャラが登場した時、2枚ひく。", phrases), phrases)
    assert near[0].phrase == "{N:数}枚引く" and "{自分}が登場した時、" not in [s.phrase for s in near]
    assert nearest(read_text("【自動】このキャラが登場した時、2枚引く。", phrases), phrases) == []


def test_every_kind_is_listed_numbers_with_their_range(rulewright: Run, phrases: Phrases) -> None:
    code, out, _ = rulewright("phrases", "hanayome", "--lang", "ja")
    assert code == 0
    for name, kind in phrases.kinds.items():
        assert f"\n{name}\n" in f"\n{out}"
        if isinstance(kind, Number):
            assert f"{kind.low} から {kind.high} までの数" in out
        assert all(word in out for word in plain_words(kind) if len(word) < 8)


def test_a_right_text_is_0_a_wrong_one_1_and_what_there_is_not_2(rulewright: Run) -> None:
    assert rulewright("phrases", "hanayome", "【自動】このキャラが登場した時、2枚引く。")[0] == 0
    code, out, _ = rulewright("phrases", "hanayome", "【自動】このキャラが登場した時、2枚引く", "--lang", "en")
    assert code == 1 and "go on with `。`" in out
    for wrong in (("sakura",), ("hanayome", "--kind", "効"), ("hanayome", " "), ("nobook",)):
        assert rulewright("phrases", *wrong)[0] == 2


# ---------------------------------------------------------------- names of cards in tables
@pytest.mark.parametrize(("keyword", "binds"), [("【同名ターン1回】", True), ("", False)])
def test_a_card_of_a_table_has_its_own_name_in_the_rules(tmp_path: Path, keyword: str, binds: bool) -> None:
    """The keyword binds two cards that are called the same; without it they bring each other back for ever."""
    table = [["カード番号", "カード名", "種類", "テキスト"], *(
        [f"T-{k}", "読み返すノート", "イベント", f"【メイン】{keyword}あなたの控え室のイベントカード1枚を選び、手札に加える。"] for k in (1, 2))]
    (tmp_path / "cards.csv").write_text("\n".join(",".join(row) for row in table) + "\n", encoding="utf-8")
    path = tmp_path / "notes.yaml"
    path.write_text(
        "book: hanayome\nid: notes\ntitle: x\nbegin: main-phase\ncard_files: [cards.csv]\n"
        "position: {first: {hand: [T-1], waiting_room: [T-2], deck: [BLANK]}, second: {deck: [BLANK]}}\n", encoding="utf-8")
    found = {finding.cls for finding in api.open_scenario(path).check().findings}
    assert (FindingClass.LOOP in found) is not binds


@pytest.mark.parametrize(("names", "found"), [("", True), ("names: []", False), ("names: [別の名前]", False)])
def test_a_text_finds_a_card_by_the_name_it_has(tmp_path: Path, names: str, found: bool) -> None:
    path = tmp_path / "by-name.yaml"
    path.write_text(
        "book: hanayome\nid: by-name\ntitle: x\nbegin: main-phase\ncards:\n"
        f"  - {{id: T-1, name: 鍵, kind: episode, {names}}}\n"
        "  - {id: T-2, name: 探す, kind: event, テキスト: 【メイン】あなたの控え室の《鍵》1枚を選び、手札に加える。}\n"
        "position: {first: {hand: [T-2], waiting_room: [T-1], deck: [BLANK]}, second: {deck: [BLANK]}}\n", encoding="utf-8")
    play = api.open_scenario(path).play().go_on()
    after = play.take(next(option for option in play.options if "探す" in option.words.ja)).go_on()
    assert ("T-1" in [card.id for card in after.position.first.hand]) is found


def test_a_lane_that_a_phrase_lets_one_choose_is_called_a_lane(tmp_path: Path) -> None:
    path = tmp_path / "lanes.yaml"
    path.write_text(
        "book: hanayome\nid: lanes\ntitle: x\nbegin: main-phase\ncards:\n"
        "  - {id: T-1, name: 帰る一花, kind: character}\n"
        "  - {id: T-2, name: 呼ぶ, kind: event, テキスト: 【メイン】あなたの控え室のキャラカード1枚を選び、キャラのいないあなたのレーンに登場させる。}\n"
        "position: {first: {hand: [T-2], waiting_room: [T-1], deck: [BLANK]}, second: {deck: [BLANK]}}\n", encoding="utf-8")
    play = api.open_scenario(path).play().go_on()
    play = play.take(next(option for option in play.options if "呼ぶ" in option.words.ja)).go_on()
    assert [option.words.ja for option in play.options] == [f"「呼ぶ」により、レーン{n}を選ぶ" for n in range(1, 6)]


@pytest.mark.parametrize("text", ["あなたの他のキャラ1人を控え室に置く。", "【自動】このキャラが登場した時、あなたの他のキャラ1人を控え室に置く。"])
def test_a_phrase_that_stands_where_another_kind_is_wanted_is_told_as_that(text: str, phrases: Phrases) -> None:
    (mistake,) = read_one(text, phrases).mistakes
    assert mistake.code == "phrase-elsewhere" and mistake.hint is not None and "代償" in mistake.hint.ja and "[{代:代償}]" in mistake.hint.ja
    (mistake,) = read_one("【自動】このキャラが登場した時、あなたの他のキャラ1人を控え室へ置く。", phrases).mistakes
    assert mistake.code == "unknown-phrase", "no phrase of any kind"
    assert not read_one("【起動】[あなたの他のキャラ1人を控え室に置く]2枚引く。", phrases).mistakes


@pytest.mark.parametrize(("phrase", "code"), [("引く", 0), ("{引く", 2)])
def test_phrases_are_looked_up_while_the_text_of_a_card_is_wrong_and_not_while_they_are(
    phrase: str, code: int, rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = tmp_path / "mini"
    (book / "rules").mkdir(parents=True)
    for name, content in {
        "clauses.yaml": 'book: mini\nedition: "1"\nclauses:\n  - {id: "1", kind: procedure, ja: 引く}\n',
        "readings.yaml": "book: mini\nreadings: []\n",
        "cards.yaml": "cards:\n  - {id: A, name: 甲, text: 引かない}\n",
        "phrases.yaml": f'book: mini\nline: 行\nkinds:\n  行:\n    - {{phrase: "{phrase}", en: draw, text: pass}}\n',
        "rules/state.py": "from rulewright.model.lang import *\n\n\nclass Game(State):\n    over: bool\n",
    }.items():
        (book / name).write_text(content, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_BOOKS", str(tmp_path))
    forget_books()
    assert rulewright("validate", "mini")[0] == 2
    assert rulewright("phrases", "mini")[0] == code
    assert rulewright("phrases", "mini", "引かない")[0] == (code or 1)
