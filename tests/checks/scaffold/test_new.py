"""`rulewright new`: from a draft to a folder that `check` answers."""
from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.register.books import open_book
from rulewright.checks.register.card_tables import CardTable, card_table
from rulewright.checks.scaffold import command
from rulewright.checks.validate.mistakes import look_through
from rulewright.model.engine.library import book_places, load_book
from rulewright.spec import writing
from rulewright.spec.readers import read_clauses

from ..json_schema import output_schema
from ..schema import violations
from .conftest import Run
from .drafts import CARDED, CARDED_JA, FLAT, HEADED, IN_ONE_SENTENCE, IN_ONE_SENTENCE_JA, NUMBERED, ODD

HALF_WIDE = "# ルール\n\n## 場（ゲームスペース）／共有\n\n- カードを1枚引く。\n"
DRAFTS = {"numbered": NUMBERED, "headed": HEADED, "flat": FLAT, "one-word": HEADED.replace(" phase", ""), "odd": ODD, "wide": HALF_WIDE, "sentence": IN_ONE_SENTENCE, "sentence-ja": IN_ONE_SENTENCE_JA}


def made(rulewright: Run, text: str, *options: str) -> Any:
    Path("draft.md").write_text(text, encoding="utf-8")
    code, out, err = rulewright("new", "mygame", "--from", "draft.md", "--yes", "--json", *options)
    assert (code, err) == (0, ""), err
    told = json.loads(out)
    assert [*violations(told, output_schema())] == []
    return told


def test_what_sort_of_clause_it_is_is_guessed_from_its_words(rulewright: Run) -> None:
    said = {"No player can have more than nine coins.": "prohibition", "Players draw a card.": "procedure", "The game is a draw.": "verdict"}
    made(rulewright, "# Coins\n\n" + "".join(f"1.{k}. {text}\n\n" for k, text in enumerate(said, 1)))
    kinds = {c.id.value: c.kind.value for c in read_clauses(Path("mygame/clauses.yaml")).clauses}
    assert [kinds[f"1.{k}"] for k, _ in enumerate(said, 1)] == [*said.values()]


@pytest.mark.parametrize("name", DRAFTS)
def test_no_file_of_a_new_book_has_a_mistake_in_it_and_each_clause_stands_in_a_chapter(rulewright: Run, name: str) -> None:
    told = made(rulewright, DRAFTS[name])
    assert all(Path(file).is_file() for file in told["files"])
    files = look_through("mygame", book_places()["mygame"])
    assert not files.mistakes.diagnostics, files.mistakes.diagnostics
    comments = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path("mygame/rules").glob("ch*.py")))
    for clause in read_clauses("mygame/clauses.yaml").clauses:
        assert clause.id.value in comments or clause.gist.ja.rstrip("…")[:8] in comments, clause.id.value


def test_check_answers_at_once_and_names_the_clauses_that_are_not_modelled(rulewright: Run) -> None:
    made(rulewright, NUMBERED)
    code, out, _ = rulewright("check", "mygame")
    assert code == 1
    assert "Not in the model yet: 2" in out and "(3.1). [from-setup]" in out and "(4.1.1). [first-turn]" in out
    assert "What is wrong with the book: 0" in out, "that is no mistake of the book"


def test_zones_numbers_and_parts_of_a_turn_are_found_with_their_clauses(rulewright: Run) -> None:
    told = made(rulewright, NUMBERED)
    zones = {z["name"]: z for z in told["zones"]}
    assert [z["ja"] for z in told["zones"]] == ["山札", "手札", "灯台", "宝物エリア"]
    assert zones["deck"]["ordered"] and not zones["hand"]["ordered"] and zones["zone_1"]["shared"] and not zones["zone_2"]["shared"]
    assert [(n["ja"], n["start"], n["most"], n["clause"]) for n in told["numbers"]] == [("ライフ", 20, 40, "1.2")]
    assert [(p["name"], p["clause"]) for p in told["parts"]] == [("draw_phase", "4.1"), ("battle_phase", "4.2"), ("end_phase", "4.3")]
    assert [p["name"] for p in told["parts"][1]["parts"]] == ["attack_step", "end_step"]
    state = Path("mygame/rules/state.py").read_text(encoding="utf-8")
    assert "    life: Per[Player, Annotated[int, Range(0, 40)]] = each(20)  # guess: ライフ (1.2)\n" in state
    assert "    zone_1: Bag  # guess: 灯台 (2.3)\n" in state


def test_a_draft_with_headings_alone_is_read_as_well(rulewright: Run) -> None:
    told = made(rulewright, HEADED)
    assert [z["en"] for z in told["zones"]] == ["deck", "shell pile", "reef", "hand"]
    assert [z["shared"] for z in told["zones"]] == [False, False, True, False]
    assert [(n["en"], n["start"]) for n in told["numbers"]] == [("energy", 12)]
    assert [p["name"] for p in told["parts"]] == ["rise_phase", "ebb_phase"]
    assert "await preparation(g)" in Path("mygame/rules/flow.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(("text", "parts"), [
    (IN_ONE_SENTENCE, [("rise phase", "2.2"), ("draw phase", "2.1"), ("main phase", "2.1"), ("ebb phase", "2.1")]),
    (IN_ONE_SENTENCE_JA, [("潮フェイズ", "2.1"), ("引きフェイズ", "2.1"), ("終了フェイズ", "2.1")]),
    (IN_ONE_SENTENCE.replace("consists of: rise, draw, main, ebb", "has a limit of three cards, two attacks and one trade"), []),
    (IN_ONE_SENTENCE_JA.replace("潮・引き・終了の3つのフェイズからなる", "手札が多い、または山札がないときフェイズを飛ばす"), []),
])
def test_phases_that_one_sentence_enumerates_are_the_parts_of_a_turn(rulewright: Run, text: str, parts: list[tuple[str, str]]) -> None:
    assert [(p["ja"], p["clause"]) for p in made(rulewright, text)["parts"]] == parts
    assert rulewright("check", "mygame")[0] == 1


@pytest.mark.parametrize(("heading", "said"), [
    ("老いフェイズ", "老いフェイズ"), ("お手入れフェイズ", "お手入れフェイズ"), ("まとめステップ（任意）", "まとめステップ"), ("攻撃を行うフェイズ", None), ("老いた者", None)])
def test_a_phase_whose_name_has_hiragana_is_a_part_of_the_turn(rulewright: Run, heading: str, said: str | None) -> None:
    told = made(rulewright, NUMBERED.replace("4.2. バトルフェイズ", f"4.2. {heading}"))
    assert [p["ja"] for p in told["parts"]] == ["ドローフェイズ", *([said] if said else []), "エンドフェイズ"]


def test_what_is_not_recognised_is_said_to_be_missing_and_not_made_up(rulewright: Run) -> None:
    told = made(rulewright, FLAT)
    assert told["parts"] == [] and told["numbers"] == []
    flow = Path("mygame/rules/flow.py").read_text(encoding="utf-8")
    assert "await preparation" not in flow and "No course of a turn was found in the draft" in flow


def test_a_gist_is_the_drafts_own_sentence_cut_short_in_its_language_only(rulewright: Run) -> None:
    made(rulewright, NUMBERED + "5. 長い条文\n5.1. " + "とても" * 40 + "。\n")
    text = Path("mygame/clauses.yaml").read_text(encoding="utf-8")
    rows = text[text.index("clauses:"):]
    assert "    ja: カードを1枚引きます。\n" in rows and "    en:" not in rows
    gist = next(c.gist for c in read_clauses("mygame/clauses.yaml").clauses if c.id.value == "5.1")
    assert gist.ja == gist.en and gist.ja.endswith("…") and len(gist.ja) == 60


def test_nothing_of_the_draft_becomes_code(rulewright: Run) -> None:
    made(rulewright, ODD)
    for path in Path("mygame/rules").glob("*.py"):
        calls = {n.func.id for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        assert calls <= {"entry", "procedure", "game", "turns", "turn", "preparation", "begin_turns", "change_turn", "not_modelled", "Range"} | {
            n for n in calls if n.startswith(("section_", "turn_"))}
    assert "9.9" not in open_book("mygame").places, "`#:` in the draft's text is no mark"


@pytest.mark.slow
def test_the_test_of_a_new_book_passes_and_notices_a_mistake(rulewright: Run, own_folder: Path) -> None:
    made(rulewright, NUMBERED)
    assert pytest_of(own_folder) == 0
    words = Path("mygame/words.yaml")
    words.write_text(words.read_text(encoding="utf-8").replace("words:", "wrods:"), encoding="utf-8")
    assert pytest_of(own_folder) == 1


def pytest_of(folder: Path) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / "mygame")], cwd=folder,
                          capture_output=True, check=False).returncode


# ---------------------------------------------------------------- titles, tables of cards, lists of zones
def test_the_title_of_a_numbered_draft_stands_in_front_and_a_table_of_cards_below_a_bare_heading_is_no_clause(rulewright: Run) -> None:
    made(rulewright, CARDED)
    assert [c.id.value for c in read_clauses("mygame/clauses.yaml").clauses] == ["前文", "1", "1.1", "1.2", "2", "2.1", "2.2", "2.3", "3", "3.1"]


def test_a_heading_beside_the_others_or_with_words_below_it_stays_a_clause(rulewright: Run) -> None:
    text = CARDED.replace("# Salt Road: rules, draft 2\n", "## Foreword\n\nThe desert is wide.\n").replace("## Appendix: cards\n", "## Appendix: cards\n\nAll are used.\n")
    made(rulewright, text)
    found = [c.id.value for c in read_clauses("mygame/clauses.yaml").clauses]
    assert "Foreword" in found and any("Appendix" in one for one in found)


def test_the_cards_of_a_table_are_taken_and_what_is_not_understood_is_said(rulewright: Run) -> None:
    Path("draft.md").write_text(CARDED, encoding="utf-8")
    code, out, _ = rulewright("new", "mygame", "--from", "draft.md", "--yes")
    assert code == 0 and "Cards from the table: 2, their texts not modelled yet: 1. Columns and lines not taken: Note, S3 | Broken" in out
    cards = Path("mygame/cards.yaml").read_text(encoding="utf-8")
    assert cards.partition("cards:\n")[2] == (
        "  - id: S1\n    name: Camel\n    kind: BEAST\n    toll: 2\n    sun: 14\n    abilities:\n"
        '      - name: "When this leaves, lose 1 thirst."\n        text: not_modelled()\n'
        "  - id: S2\n    name: Tent\n    kind: SHELTER\n    toll: 0\n")
    state = Path("mygame/rules/state.py").read_text(encoding="utf-8")
    assert "    kind: CardKind\n" in state and "    sun: Annotated[int, Range(0, 14)] = 0" in state
    assert not look_through("mygame", book_places()["mygame"]).mistakes.diagnostics
    assert rulewright("check", "mygame")[0] == 1, "clauses that are not modelled, and nothing else"


def test_a_table_of_something_else_is_no_table_of_cards() -> None:
    assert card_table("Seats\n| Round | Players |\n|---|---|\n| 1 | 2 |") is None
    assert card_table("Cards\n| Name | Text |\n|---|---|\n| Camel | a \\| b |") == CardTable(("Name", "Text"), (("Camel", "a | b"),), ())


@pytest.mark.parametrize(("said", "start"), [
    ("Each player has a score, which begins at 0. A player with a score of 3 wins the game.", 0),
    ("A player with a score of 3 wins. Each player begins with a score of 2.", 2),
    ("Each player has a score, which begins at 4. It is kept on paper.", 4),
    ("各プレイヤーは得点を持ちます。得点が3のプレイヤーは勝利します。", 0),
    ("各プレイヤーは得点を持ち、得点は2です。得点が3のプレイヤーは勝利します。", 2),
])
def test_a_number_does_not_begin_with_the_value_that_wins(rulewright: Run, said: str, start: int) -> None:
    english = said.isascii()
    setup, turn, gets = ("Setup", "Turn", "The turn player gets 1 score.") if english else ("ゲームの準備", "ターン", "ターンプレイヤーは得点を1得ます。")
    told = made(rulewright, f"1. {setup}\n1.1. {said}\n2. {turn}\n2.1. {gets}\n")
    assert [(n["name"], n["start"]) for n in told["numbers"]] == [("score", start)]


def test_a_list_with_two_known_zones_names_zones_and_what_is_so_much_is_a_number(rulewright: Run) -> None:
    told = made(rulewright, CARDED)
    assert [z["en"] for z in told["zones"]] == ["deck", "hand", "trail", "dune pile", "wells"]
    assert {n["en"]: n["printed"] for n in told["numbers"]} == {"thirst": False, "toll": True, "sun": True}


@pytest.mark.parametrize(("text", "zones"), [
    ("1.1 盾は、カードを裏向きに置く領域です。\n1.2 舞台とは、ユニットを出す場所のことである。\n1.3 手札からカードを1枚、盾に置く。\n",
     [("shield", "盾"), ("stage", "舞台"), ("hand", "手札")]),
    ("1.1 The vault is a zone where treasures lie.\n1.2 The night market is the place where cards are bought.\n1.3 Move a card from your hand to the vault.\n",
     [("vault", "vault"), ("night_market", "night market"), ("hand", "hand")]),
    ("1.1 盾は、カードの種類です。\n1.2 手札からカードを1枚、盾として出す。\n", [("hand", "手札")]),
])
def test_what_a_sentence_says_is_a_place_of_cards_is_a_zone(rulewright: Run, text: str, zones: list[tuple[str, str]]) -> None:
    told = made(rulewright, f"# x\n\n{text}")
    assert [(zone["name"], zone["ja"]) for zone in told["zones"]] == zones


def test_a_title_below_zones_that_is_said_to_be_a_number_is_none_in_japanese_too(rulewright: Run) -> None:
    told = made(rulewright, CARDED_JA)
    assert [z["ja"] for z in told["zones"]] == ["山札", "手札", "隊列", "砂丘"]
    assert [(n["ja"], n["start"]) for n in told["numbers"]] == [("渇き", 4)]


# ---------------------------------------------------------------- what is there stays
def test_what_is_there_is_not_written_over(rulewright: Run) -> None:
    made(rulewright, NUMBERED)
    before = {path: path.read_bytes() for path in Path("mygame").rglob("*") if path.is_file()}
    code, out, err = rulewright("new", "mygame", "--from", "draft.md", "--yes")
    assert (code, out) == (2, "") and "there are files in mygame already; they were not overwritten" in err
    assert before == {path: path.read_bytes() for path in Path("mygame").rglob("*") if path.is_file()}


def test_a_name_that_another_book_has_is_refused(rulewright: Run) -> None:
    Path("draft.md").write_text(NUMBERED, encoding="utf-8")
    code, _, err = rulewright("new", "shinso", "--from", "draft.md", "--yes")
    assert code == 2 and "there is a book `shinso` already" in err and not Path("shinso").exists()


@pytest.mark.parametrize(("text", "code"), [("", "nothing-recognised"), ("just words without any structure at all", "nothing-recognised")])
def test_a_draft_without_clauses_is_refused_in_a_sentence(rulewright: Run, text: str, code: str) -> None:
    Path("draft.md").write_text(text, encoding="utf-8")
    got, out, err = rulewright("new", "mygame", "--from", "draft.md", "--yes")
    assert (got, out) == (2, "") and err.count("\n") >= 1 and not Path("mygame").exists(), (code, err)


def test_where_writing_fails_nothing_is_left(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real, written = writing.written_beside, []

    def fails(place: Path, *rest: Any, **more: Any) -> Path:
        written.append(place)
        if len(written) == 7:
            raise OSError(28, "")
        return real(place, *rest, **more)

    monkeypatch.setattr(writing, "written_beside", fails)
    Path("draft.md").write_text(NUMBERED, encoding="utf-8")
    code, _, err = rulewright("new", "mygame", "--from", "draft.md", "--yes")
    assert code == 2 and "the disk is full" in err and not Path("mygame").exists()


def test_what_a_killed_command_left_is_no_book_that_is_in_the_way(rulewright: Run) -> None:
    Path("mygame/rules").mkdir(parents=True)
    Path("mygame/rules/.state.py.1-abcd.new").write_text("half", encoding="utf-8")
    made(rulewright, NUMBERED)
    assert load_book("mygame").scenarios


# ---------------------------------------------------------------- the questionnaire
def test_without_yes_each_guess_is_asked_about_and_changed_as_answered(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ["", "n", "o", "", "treasure", "", "流し場*", "", "0..30", "25", "", "", "n", ""]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{a}\n" for a in answers)))
    Path("draft.md").write_text(NUMBERED, encoding="utf-8")
    code, out, err = rulewright("new", "mygame", "--from", "draft.md")
    assert (code, err) == (0, ""), err
    assert "1/4 山札 → deck (each player's, in order), clause 2.1: \n" in out
    state, flow = (Path(f"mygame/rules/{name}.py").read_text(encoding="utf-8") for name in ("state", "flow"))
    assert "hand:" not in state and "    zone_1: Pile" in state and "    treasure: Per[Player, Bag]" in state and "Per[Player, Pile]  # guess: 流し場" in state
    assert "Range(0, 30)]] = each(25)" in state
    assert "draw_phase" in flow and "battle_phase" not in flow and "end_phase" in flow
    assert not look_through("mygame", book_places()["mygame"]).mistakes.diagnostics


def test_an_answer_that_is_not_understood_is_asked_again(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("Ｙ?\nhand\n" + 12 * "\n"))
    Path("draft.md").write_text(NUMBERED, encoding="utf-8")
    code, out, _ = rulewright("new", "mygame", "--from", "draft.md")
    assert code == 0 and "`Ｙ?` was not understood." in out and "hand is taken already." in out


@pytest.mark.parametrize("answers", ["", "\n", "\nn\n\n\n"])
def test_where_the_input_ends_before_the_questions_nothing_is_written(rulewright: Run, monkeypatch: pytest.MonkeyPatch, answers: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    Path("draft.md").write_text(NUMBERED, encoding="utf-8")
    code, _, err = rulewright("new", "mygame", "--from", "draft.md")
    assert code == 2 and "the input ended before the questions did, so nothing was written" in err and "--yes" in err and not Path("mygame").exists()


def test_stopped_in_the_middle_of_the_questions_it_writes_nothing(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "asked", stops)
    Path("draft.md").write_text(NUMBERED, encoding="utf-8")
    code, _, _ = rulewright("new", "mygame", "--from", "draft.md")
    assert code == 130 and not Path("mygame").exists()


MARKET_JA = """# 市

## 1. 概要

1.1. 各プレイヤーは手札を持ちます。山札は共有の領域です。

## 2. 巡の流れ

2.1. 巡は、補充、入札、勝負の順に進みます。

2.2. 補充

2.2.1. 山札から札を引き、手札に加えます。

2.3. 入札

2.3.1. 各プレイヤーは数を選びます。

2.4. 勝負

2.4.1. 親は手札を1枚選び、場に出します。これを台札と呼びます。

2.4.2. もう一方のプレイヤーは札を場に出します。
"""
MARKET_EN = """# Market

## 1. Overview

1.1. Each player has a hand. The deck is shared by both players.

## 2. The round

2.1. A round goes through refill, bidding and contest, in this order.

2.2. Refill

2.2.1. Each player draws a card from the deck.

2.3. Bidding

2.3.1. Each player chooses a number.

2.4. Contest

2.4.1. The dealer plays a card from hand. It is called the lead.

2.4.2. The other player plays a card.
"""


@pytest.mark.parametrize(("text", "told_as"), [(MARKET_JA, ["補充", "入札", "勝負"]), (MARKET_EN, ["Refill", "Bidding", "Contest"])])
def test_parts_that_follow_in_an_order_are_found_where_clauses_are_called_so(rulewright: Run, text: str, told_as: list[str]) -> None:
    """Whatever it is that has these parts: a round, say."""
    assert [(p["ja"], p["clause"]) for p in made(rulewright, text)["parts"]] == [*zip(told_as, ("2.2", "2.3", "2.4"), strict=True)]
    assert rulewright("validate", "mygame")[0] == 0


@pytest.mark.parametrize("text", [MARKET_JA.replace("補充、入札、勝負の順", "赤、青、白の順"), MARKET_EN.replace("refill, bidding and contest", "red, blue and white")])
def test_what_follows_in_an_order_and_is_no_clause_is_no_part_of_a_turn(rulewright: Run, text: str) -> None:
    assert made(rulewright, text)["parts"] == []


@pytest.mark.parametrize("text", [MARKET_JA, MARKET_EN])
def test_a_clause_that_does_something_and_names_it_is_not_taken_for_a_definition_alone(rulewright: Run, text: str) -> None:
    made(rulewright, text)
    rules = "".join(path.read_text(encoding="utf-8") for path in Path("mygame/rules").glob("*.py"))
    assert 'not_modelled("2.4.1")' in rules and 'not_modelled("2.4.2")' not in rules
    bare = text.replace("親は手札を1枚選び、場に出します。", "").replace("The dealer plays a card from hand. It", "The first card")
    Path("bare.md").write_text(bare, encoding="utf-8")
    assert rulewright("new", "other", "--from", "bare.md", "--yes")[0] == 0
    rules = "".join(path.read_text(encoding="utf-8") for path in Path("other/rules").glob("*.py"))
    assert 'not_modelled("2.4.2")' in rules and 'not_modelled("2.4.1")' not in rules


@pytest.mark.parametrize("text", [MARKET_JA, MARKET_EN])
def test_the_cards_of_situations_lie_in_the_deck_that_all_share(rulewright: Run, text: str) -> None:
    made(rulewright, text)
    said = Path("mygame/scenarios/first-turn.yaml").read_text(encoding="utf-8")
    assert "position:\n  deck: [PLAIN x10]\n" in said and "x10]}" not in said
    assert rulewright("check", "mygame")[0] == 1
