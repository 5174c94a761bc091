"""`rulewright validate`: what is wrong anywhere in a book, all at once."""
from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.validate import mistakes
from rulewright.checks.validate.mistakes import look_through
from rulewright.checks.validate.unused import remarks
from rulewright.model.engine.library import book_places, forget_books, load_book
from rulewright.spec import cards

from .conftest import Run

CARD = """
  - id: MOTH
    name: 蛾
    abilities:
      - text: g.score[you] += 1
"""


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def add(path: Path, more: str) -> None:
    path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + more, encoding="utf-8")


def told(rulewright: Run, *more: str) -> tuple[int, dict[str, list[Any]]]:
    """Exit code, and the remarks by code."""
    code, out, err = rulewright("validate", "mygame", "--json", *more)
    assert err == ""
    found: dict[str, list[Any]] = {}
    for one in json.loads(out)["remarks"]:
        found.setdefault(one["code"], []).append(one)
    return code, found


def test_a_new_book_has_no_mistake_and_no_warning(rulewright: Run, mygame: Path) -> None:
    code, found = told(rulewright)
    assert code == 0 and set(found) <= {"no-translation"}
    assert all(one["level"] == "note" for one in found.get("no-translation", ())), "one language is enough"


def test_the_mistakes_of_all_files_are_told_at_once(rulewright: Run, mygame: Path) -> None:
    change(mygame / "clauses.yaml", "kind: heading", "kind: heding")
    change(mygame / "words.yaml", "title:", "titel:")
    change(mygame / "cards.yaml", "id: PLAIN", "nr: PLAIN")
    change(mygame / "scenarios" / "first-turn.yaml", "\nbegin:", "\nbegni:")
    change(mygame / "scenarios" / "from-setup.yaml", "position:", "positoin:")
    change(mygame / "rules" / "flow.py", "while True:", "while True")
    add(mygame / "questions.yaml", "more: 1\n")
    add(mygame / "audit.yaml", "anwsers: {}\n")
    code, out, err = rulewright("validate", "mygame")
    assert (code, err) == (2, "")
    for file in ("clauses.yaml", "words.yaml", "cards.yaml", "first-turn.yaml", "from-setup.yaml", "flow.py", "questions.yaml", "audit.yaml"):
        assert f"{file}:" in out, f"{file} is told\n{out}"
    assert "did you mean `begin`?" in out and "not examined: the rules together with the cards, names and values in situations" in out


def test_mistakes_in_cards_and_words_do_not_hide_those_in_rules(rulewright: Run, mygame: Path) -> None:
    change(mygame / "words.yaml", "title:", "titel:")
    change(mygame / "cards.yaml", "id: PLAIN", "nr: PLAIN")
    change(mygame / "rules" / "flow.py", "begin_turns(g, FIRST)", "begin_turns(g, FRIST)")
    code, found = told(rulewright)
    assert code == 2 and "unknown-name" in found, found.keys()
    change(mygame / "rules" / "flow.py", "begin_turns(g, FRIST)", "begin_turns(g, FIRST)")
    code, found = told(rulewright)
    assert code == 2 and not any(".py" in str(one) for of in found.values() for one in of)


def test_a_mistake_in_one_situation_does_not_hide_what_is_wrong_in_another(rulewright: Run, mygame: Path) -> None:
    change(mygame / "scenarios" / "from-setup.yaml", "position:", "positoin:")
    change(mygame / "scenarios" / "first-turn.yaml", "PLAIN x10", "PLANE x10")
    change(mygame / "rules" / "flow.py", "begin_turns(g, FIRST)", "begin_turns(g, FRIST)")
    code, found = told(rulewright)
    assert code == 2 and {"unknown-key", "unknown-card", "unknown-name"} <= set(found), found.keys()
    assert "not examined: whether cards, words and readings are used" in rulewright("validate", "mygame")[1]


def test_of_phrases_that_cannot_be_read_it_is_not_said_that_there_are_none(rulewright: Run, mygame: Path) -> None:
    (mygame / "phrases.yaml").write_text("line: line\nkinds:\n  line: [draw a card}\n", encoding="utf-8")
    (mygame / "cards.yaml").write_text("cards:\n  - {id: PLAIN, name: a plain card, text: draw a card}\n", encoding="utf-8")
    code, found = told(rulewright)
    mistakes = [one for some in found.values() for one in some if one["level"] not in ("note", "warning")]
    assert code == 2 and {Path(one["file"]).name for one in mistakes} == {"phrases.yaml"}, mistakes


@pytest.mark.parametrize("samples", ["no", "yes"])
def test_cards_in_a_table_beside_the_others_are_cards_of_the_book_like_them(mygame: Path, samples: str) -> None:
    add(mygame / "cards.yaml", f"samples: {samples}\n")
    (mygame / "cards-2.csv").write_text("id,name\nMOTH,a moth\n", encoding="utf-8")
    assert {card.id: card.sample for card in load_book("mygame").cards.values()} == dict.fromkeys(("PLAIN", "MOTH"), samples == "yes")


def test_a_book_that_is_broken_does_not_hide_that_another_name_means_nothing(rulewright: Run, mygame: Path) -> None:
    change(mygame / "readings.yaml", "readings:", "raedings:")
    code, _, err = rulewright("check", "mygames")
    assert code == 2 and "there is no book, scenario or file `mygames`" in err and "did you mean `mygame`?" in err, err


@pytest.mark.parametrize(("target", "books"), [("./mygame", "."), ("mygame/", ""), (".", "..")])
def test_a_book_that_is_called_by_its_folder_is_told_how_it_is_called(
    rulewright: Run, mygame: Path, monkeypatch: pytest.MonkeyPatch, target: str, books: str,
) -> None:
    if target == ".":
        monkeypatch.chdir(mygame)
    code, _, err = rulewright("check", target)
    assert code == 2 and f"write `mygame --books {books or '.'}`" in err, err
    monkeypatch.setenv("RULEWRIGHT_BOOKS", books)
    assert rulewright("check", "mygame", "--lang", "ja")[0] == 1


@pytest.mark.parametrize(("below", "book", "hint"), [
    ("scenarios", "mygame", "add `--books ../..`"), (".", "mygame", "add `--books ..`"), ("scenarios", "mygaem", "known: "),
])
def test_a_situation_in_the_folder_of_a_book_that_is_not_found_says_how_it_is_found(
    rulewright: Run, mygame: Path, monkeypatch: pytest.MonkeyPatch, below: str, book: str, hint: str,
) -> None:
    change(mygame / "scenarios" / "first-turn.yaml", "book: mygame", f"book: {book}")
    monkeypatch.chdir(mygame / below)
    forget_books()
    target = "first-turn.yaml" if below == "scenarios" else "scenarios/first-turn.yaml"
    code, _, err = rulewright("check", target)
    assert code == 2 and f"there is no book `{book}`" in err and hint in err, err


@pytest.mark.parametrize(("lacks", "where", "commands"), [
    ("clauses.yaml", "mygame/clauses.yaml:1:1: there is no such file", ("check mygame", "check mygame/first-turn", "combos mygame", "coverage mygame")),
    ("rules/*", "mygame/rules:1:1: there are no rules", ("check mygame", "check mygame/first-turn", "combos mygame")),
])
def test_of_a_folder_that_lacks_what_every_book_has_it_is_told_what(rulewright: Run, mygame: Path, lacks: str, where: str, commands: tuple[str, ...]) -> None:
    for path in mygame.glob(lacks):
        path.unlink()
    forget_books()
    for command in commands:
        code, _, err = rulewright(*command.split())
        assert code == 2 and where in err, err


def test_of_a_book_without_rules_that_has_situations_that_alone_is_told(rulewright: Run, mygame: Path) -> None:
    """Not that each of its words means nothing; a register alone needs no rules."""
    for path in mygame.glob("rules/*"):
        path.unlink()
    forget_books()
    code, found = told(rulewright)
    assert code == 2 and found["half-a-book"][0]["message"]["ja"] == "そこに規則のファイル（.py）がありません" and "unused-word" not in found
    for path in mygame.glob("scenarios/*"):
        path.unlink()
    assert not {"half-a-book", "unused-word"} & {*told(rulewright)[1]}


def test_the_files_of_a_book_may_begin_with_a_byte_order_mark(rulewright: Run, mygame: Path) -> None:
    before = told(rulewright)
    for path in [*mygame.glob("*.yaml"), *mygame.glob("*/*"), mygame / "clauses.hashes"]:
        if path.is_file():
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert told(rulewright) == before


def test_cards_may_say_of_which_book_they_are_as_every_other_file_does(rulewright: Run, mygame: Path) -> None:
    path = mygame / "cards.yaml"
    path.write_text("book: mygame\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert told(rulewright)[0] == 0
    path.write_text(path.read_text(encoding="utf-8").replace("book:", "bok:"), encoding="utf-8")
    code, found = told(rulewright)
    assert code == 2 and found["unknown-key"][0]["value"] == "bok"


@pytest.mark.parametrize(("written", "hint"), [
    ("PLAINx10", "`PLAIN x10` と書いてください"),
    ("PLAIN#2", "置く所では番号を付けず、`PLAIN`（2枚なら `PLAIN x2`）と書いてください"),
    ("PLAN", "`PLAIN` ではありませんか"),
])
def test_how_many_of_a_card_is_meant_is_told_where_it_is_written_otherwise(rulewright: Run, mygame: Path, written: str, hint: str) -> None:
    change(mygame / "scenarios/first-turn.yaml", "PLAIN x10", written)
    assert told(rulewright)[1]["unknown-card"][0]["hint"]["ja"] == hint


def test_a_heading_that_no_card_has_is_told_once_with_what_may_be_written(rulewright: Run, mygame: Path) -> None:
    (mygame / "cards-2.csv").write_text("id,name,ちから\nMOTH,a moth,1\nFLY,a fly,2\nWASP,a wasp,2\n", encoding="utf-8")
    code, found = told(rulewright)
    (one,) = found["unknown-attribute"]
    assert code == 2 and one["message"]["en"].endswith("`ちから` (2 more places)") and one["hint"]["en"].startswith("possible: abilities"), one


def test_a_card_that_is_called_by_its_name_is_offered_by_its_number(rulewright: Run, mygame: Path) -> None:
    (mygame / "cards-2.csv").write_text("id,name\nMOTH,蛾\n", encoding="utf-8")
    change(mygame / "scenarios/first-turn.yaml", "PLAIN x10", "蛾 x10")
    _, found = told(rulewright)
    assert "`MOTH`" in found["unknown-card"][0]["hint"]["ja"]


RULES = [
    ("rules/state.py", "Per[Player, Pile]", "Per[Player, Pyle]", "unknown-name"),
    ("rules/ch03_game_preparation.py", 'not_modelled("3.1")', 'not_modelled("3.1")  #: 9.9', "unknown-clause"),
    ("scenarios/first-turn.yaml", "\nbegin: turn", "\nbegin: trun", "no-such-entry"),
    ("scenarios/first-turn.yaml", "PLAIN x10", "PLANE x10", "unknown-card"),
    ("scenarios/first-turn.yaml", "deck:", "dekc:", "no-such-field"),
    ("scenarios/first-turn.yaml", "position:\n", "position:\n  turn_number: 9\n", "bad-value"),
    ("scenarios/first-turn.yaml", "book: mygame", "book: yourgame", "other-book"),
    ("scenarios/first-turn.yaml", "\nbegin: turn", "\nbegin: turn\ncards: [{id: X, name: X, nothing: 1}]", "unknown-attribute"),
    ("questions.yaml", "answers: {}", "answers:\n  both-win@1.2: {rule: no_such_rule}", "no-such-rule"),
    ("cards.yaml", "name:", "nothing: 1, name:", "unknown-attribute"),
]


@pytest.mark.parametrize(("file", "old", "new", "code"), RULES, ids=[f"{f.split('/')[-1]}-{c}" for f, _, _, c in RULES])
def test_what_only_shows_between_files_is_told_with_its_place(rulewright: Run, mygame: Path, file: str, old: str, new: str, code: str) -> None:
    change(mygame / file, old, new)
    exit_code, found = told(rulewright)
    errors = [one for some in found.values() for one in some if one["level"] == "error"]
    assert exit_code == 2 and errors and all(Path(one["file"]).name == Path(file).name and one["line"] for one in errors), errors
    assert code in found, found.keys()


IDLE: list[tuple[str, Callable[[Path], None], str]] = [
    ("unused-card", lambda b: add(b / "cards.yaml", CARD.replace("score", "life")), "MOTH"),
    ("unused-word", lambda b: change(b / "words.yaml", "words:\n", "words:\n  lives: ライフ\n"), "lives"),
    ("unused-word", lambda b: change(b / "words.yaml", "hidden: [turn_number]", "hidden: [turn_nubmer]"), "turn_nubmer"),
    ("unused-word", lambda b: change(b / "words.yaml", "hidden: [turn_number]", "hidden: [State.turn_nubmer]"), "turn_nubmer"),
    ("unused-word", lambda b: change(b / "words.yaml", "life: {ja: ライフ", 'life: {ja: "ライフ{lief}"'), "lief"),
    ("unused-word", lambda b: change(b / "words.yaml", "words:\n", "words:\n  title of gap 9.9: 題\n"), "9.9"),
    ("idle-import", lambda b: change(b / "rules" / "state.py", "from rulewright.model.lang", "from rulewright.model.kernel.decks import *\nfrom rulewright.model.lang"), "decks"),
    ("outside-import", lambda b: change(b / "rules" / "flow.py", "from .state", "from typing import Any\nimport os.path\nfrom .state"), "os.path"),
    ("no-such-module", lambda b: change(b / "rules" / "flow.py", "from .state", "from .stat"), "stat"),
    ("unread-file", lambda b: add(b / "reading.yaml", "readings: []\n"), "reading.yaml"),
    ("unread-file", lambda b: add(b / "scenarios" / "mine.yml", "book: mygame\n"), "mine.yml"),
    ("unread-file", lambda b: add(b / "card-list.csv", "id,name\nA,a\n"), "card-list.csv"),
    ("unasked-reading", lambda b: change(b / "readings.yaml", "readings: []", "readings:\n  - {id: tie, clauses: ['1.1'], question: 同点は, alternatives: "
                                         "[{id: a, gist: 甲}, {id: b, gist: 乙}], default: a, why: 例, affects: 例, status: modelled}"), "tie"),
    ("old-gist", lambda b: change(b / "clauses.yaml", "    kind: heading\n", "    kind: heading\n    reworded: yes\n"), "older"),
    ("no-translation", lambda b: change(b / "words.yaml", "words:\n", "words:\n  life_of: {ja: ライフ}\n"), "English"),
    ("no-word", lambda b: change(b / "words.yaml", "  life: {ja: ライフ, en: life}\n", ""), "life"),
    ("no-word", lambda b: add(b / "rules" / "state.py", "    weather: Weather\n\n\nclass Weather(Enum):\n    FAIR = 0\n"), "Weather.FAIR"),
]


OFFERED = """

class Sail(Record):
    card: Card


class Course(Record):
    lengths: int


@define
def fits(c: Course) -> bool:
    return c.lengths > 0


@define
def actions(g: Game, p: Player) -> Set[Sail]:
    return {Sail(c) for c in g.hand[p] if fits(Course(2))}


@procedure
async def act(g: Game, p: Player) -> None:
    doing = await choose(p, actions(g, p))
    put(doing.card, g.hand[p])
"""
ENTRIES = """    waiting: Multiset[Wave]


class Wave(Record):
    height: bool


@procedure
async def ride(g: Game, p: Player) -> None:
    wave = await choose(p, {w for w in g.waiting if w.height})
    g.waiting.remove(wave)
"""
DUE = """

@situation
async def is_out(g: Game%s) -> None:
    when(g.life[%s] == 0)
    finish(None)
"""


@pytest.mark.parametrize(("added", "told_of"), [
    (OFFERED, ["Sail"]), (ENTRIES, ["Wave", "waiting"]), (DUE % (", p: Player", "p"), ["is_out"]), (DUE % ("", "FIRST"), []),
    (DUE % ("", "FIRST") + DUE.replace("is_out", "is_over") % ("", "SECOND"), ["is_out", "is_over"]),
], ids=["offered", "entries", "of-each-player", "alone", "two"])
def test_what_is_offered_by_a_rule_that_gives_the_options_or_at_once_has_a_word(rulewright: Run, mygame: Path, added: str, told_of: list[str]) -> None:
    add(mygame / "rules" / "state.py", added)
    found = told(rulewright)[1]
    assert sorted(name for one in found.get("no-word", []) for name in one["names"]) == told_of


TOLD = """

class Asked(Enum):
    GAME = 1


@{mark}
async def pass_on(g: Game, p: Player) -> None:
    pass


@{rule}
def at_night(g: Game, p: Player) -> {gives}:
    return {value}
"""


@pytest.mark.parametrize(("said", "told_of"), [
    ({"mark": "action", "rule": "forbids(pass_on)", "gives": "bool", "value": "False"}, ["pass_on"]),
    ({"mark": "procedure(scope=Scope.PHASE)", "rule": "define", "gives": "bool", "value": "False"}, ["pass_on"]),
    ({"mark": "procedure", "rule": 'verdict("night")', "gives": "Option[Asked]", "value": "Asked.GAME if p == FIRST else None"}, ["Asked.GAME"]),
    ({"mark": "procedure", "rule": "define", "gives": "bool", "value": "False"}, []),
], ids=["forbidden", "part of play", "answer", "nothing"])
def test_what_findings_call_by_name_has_a_word(rulewright: Run, mygame: Path, said: dict[str, str], told_of: list[str]) -> None:
    """A loop is told by the part of play that never ends, a contradiction by the action, or by what clauses say and of what."""
    add(mygame / "rules" / "state.py", TOLD.format(**said))
    found = told(rulewright)[1]
    assert sorted(name for one in found.get("no-word", []) for name in one["names"]) == told_of


@pytest.mark.parametrize(("code", "spoil", "says"), IDLE, ids=[f"{c}-{s}" for c, _, s in IDLE])
def test_what_nobody_uses_is_a_warning(rulewright: Run, mygame: Path, code: str, spoil: Callable[[Path], None], says: str) -> None:
    before = told(rulewright)[1]
    assert not any(one["level"] == "warning" for some in before.values() for one in some)
    spoil(mygame)
    exit_code, found = told(rulewright)
    assert exit_code == 1, found
    assert any(says in f"{one['message']['en']} {one['value']} {one['file']} {one['names']}" for one in found[code] if one["level"] == "warning")


def test_for_a_word_of_nothing_no_word_of_the_rule_language_is_offered(rulewright: Run, mygame: Path) -> None:
    change(mygame / "words.yaml", "words:\n", "words:\n  pier_1: 桟橋\n  turn_phase_9: 干潮\n  zone_9: 盾\n")
    found = told(rulewright)[1]["unused-word"]
    assert [one["value"] for one in found] == ["pier_1", "turn_phase_9", "zone_9"]
    assert not any(one["hint"] and ("zone_of" in one["hint"]["en"] or "None" in one["hint"]["en"]) for one in found)


def test_a_card_that_a_rule_or_a_situation_names_is_used(rulewright: Run, mygame: Path) -> None:
    add(mygame / "cards.yaml", CARD.replace("score", "life"))
    change(mygame / "scenarios" / "first-turn.yaml", "PLAIN x10", "PLAIN x10, MOTH x2")
    code, found = told(rulewright)
    assert code == 0 and "unused-card" not in found


def test_a_name_that_is_kept_from_pages_or_lies_in_a_container_needs_no_word(rulewright: Run, mygame: Path) -> None:
    change(mygame / "words.yaml", "hidden: [turn_number]", "hidden: [turn_number, tide, waiting]")
    add(mygame / "rules" / "state.py", "    tide: bool\n    waiting: Multiset[Wave]\n\n\nclass Wave(Record):\n    height: bool\n")
    assert told(rulewright)[0] == 0
    change(mygame / "words.yaml", "tide, waiting]", "State.tide, waiting]")
    assert told(rulewright)[0] == 0


MUTE = """

@verdict("winner")
def nobody_wins(g: Game, p: Player) -> Option[{kind}]:
    {body}
"""


@pytest.mark.parametrize(("kind", "body", "told_of"), [
    ("Player", "return None", ["nobody_wins"]),
    ("Player", "if g.life[p] == 0:\n        return None\n    return None", ["nobody_wins"]),
    ("Player", "if g.life[p] == 0:\n        return p\n    return None", []),
    ("Player", "return p if g.life[p] == 0 else None", []),
    ("bool", "return False", []),
])
def test_a_verdict_that_says_nothing_each_time_is_a_warning(rulewright: Run, mygame: Path, kind: str, body: str, told_of: list[str]) -> None:
    add(mygame / "rules" / "state.py", MUTE.format(kind=kind, body=body))
    found = told(rulewright)[1].get("mute-verdict", [])
    assert [(one["value"], one["level"]) for one in found] == [(name, "warning") for name in told_of]


@pytest.mark.parametrize(("zone", "rule", "levels"), [
    ("Bag", "put(c, g.hand[owner(c)])", ["note"]), ("Per[Lane, Pile]", "put(c, g.hand[owner(c)])", ["note"]),
    ("Bag", "put(c, g.hand[FIRST])", []), ("Per[Player, Bag]", "put(c, g.hand[owner(c)])", [])])
def test_cards_in_a_zone_of_both_are_told_of_where_rules_ask_whose_they_are(
    rulewright: Run, mygame: Path, zone: str, rule: str, levels: list[str],
) -> None:
    add(mygame / "rules" / "state.py", f"    row: {zone}\n\n\nLane = Annotated[int, Range(1, 2)]\n\n\n@step\ndef take(g: Game, c: Card) -> None:\n    {rule}\n")
    change(mygame / "words.yaml", "words:\n", "words:\n  row: {ja: 列, en: row}\n")
    lying = {"Bag": "  列: [PLAIN]\n", "Per[Lane, Pile]": "  row: {1: [PLAIN]}\n", "Per[Player, Bag]": ""}[zone]
    change(mygame / "scenarios" / "first-turn.yaml", "position:\n", f"position:\n{lying}")
    code, found = told(rulewright)
    assert code == 0, found
    assert [(one["level"], one["names"]) for one in found.get("cards-of-nobody", [])] == [(level, ["row"]) for level in levels]


NORMS = """
@action
def draw(g: Game, p: Player) -> None:
    g.life[p] += 1


@forbids(draw)
def no_draw(g: Game, p: Player) -> bool:
    return g.life[p] > 9


@{other}(draw)
def some_draw(g: Game, p: Player) -> bool:
    return g.life[p] > 8
"""


@pytest.mark.parametrize(("other", "rank", "levels"), [
    ("permits", "", ["note"]), ("requires", 'outranks("permits", "forbids")\n', ["note"]), ("permits", 'outranks("permits", "forbids")\n', []), ("forbids", "", [])])
def test_a_prohibition_beside_a_permission_or_a_duty_is_told_where_nothing_ranks_them(
    rulewright: Run, mygame: Path, other: str, rank: str, levels: list[str],
) -> None:
    add(mygame / "rules" / "state.py", NORMS.replace("{other}", other) + rank)
    change(mygame / "words.yaml", "words:\n", "words:\n  draw: {ja: 引く, en: draw}\n")
    code, found = told(rulewright)
    assert code == 0 and [one["level"] for one in found.get("unranked-norms", [])] == levels, found


def test_a_book_in_one_language_with_a_few_words_in_another_is_in_one_language(rulewright: Run, mygame: Path) -> None:
    change(mygame / "terms.yaml", "ja:", "en:")
    code, found = told(rulewright)
    assert code == 0 and {one["level"] for one in found["no-translation"]} == {"note"}


def test_a_module_that_cannot_be_read_is_there_all_the_same(rulewright: Run, mygame: Path) -> None:
    change(mygame / "rules" / "state.py", "class Game(", "class Game((")
    code, found = told(rulewright)
    assert code == 2 and "no-such-module" not in found, found


def test_the_mistakes_of_several_situations_are_told_at_once(rulewright: Run, mygame: Path) -> None:
    for name, old, new in (("a.yaml", "PLAIN x10", "PLANE x10"), ("b.yaml", "position:", "positoin:")):
        Path(name).write_text((mygame / "scenarios" / "first-turn.yaml").read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    code, _, err = rulewright("check", "a.yaml", "b.yaml")
    assert code == 2 and "a.yaml:" in err and "b.yaml:" in err, err


def test_a_newer_draft_is_told_clause_by_clause(rulewright: Run, mygame: Path) -> None:
    assert told(rulewright, "--draft", "draft.md")[0] == 0
    change(Path("draft.md"), "7枚まで捨てます", "6枚まで捨てます")
    code, found = told(rulewright, "--draft", "draft.md")
    assert code == 1 and found["newer-draft"][0]["names"] == ["4.3.1"]


def test_a_reworded_clause_that_is_accepted_leaves_an_old_gist_until_somebody_takes_the_mark_out(rulewright: Run, mygame: Path) -> None:
    change(Path("draft.md"), "7枚まで捨てます", "6枚まで捨てます")
    assert rulewright("register", "--update", "draft.md", "--book", "mygame", "--accept")[0] == 0
    code, found = told(rulewright)
    assert code == 1 and [one["value"] for one in found["old-gist"]] == ["4.3.1"]
    change(mygame / "clauses.yaml", "    reworded: yes\n", "")
    assert told(rulewright)[0] == 0


def test_of_a_rule_that_is_wrong_it_is_not_said_that_play_cannot_begin_there(rulewright: Run, mygame: Path) -> None:
    change(mygame / "rules" / "ch04_turn_course.py", "async def draw_phase", "def draw_phase")
    code, found = told(rulewright)
    assert code == 2 and "no-such-entry" not in found and all(one["line"] for some in found.values() for one in some if one["level"] == "error")


def test_what_follows_a_clause_without_a_rule_is_told_as_not_looked_at(rulewright: Run, mygame: Path) -> None:
    code, out, _ = rulewright("check", f"{mygame}/scenarios/first-turn.yaml", "--json")
    (bounds,) = (result["bounds"] for result in json.loads(out)["results"])
    assert code == 1 and [note["en"] for note in bounds["notes"]] == [
        "play stopped at a clause that is not encoded yet; what follows was not looked at"]
    assert not bounds["complete"], "not every position that can arise was looked at"


def test_check_begins_with_the_mistakes_of_all_files(rulewright: Run, mygame: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rulewright("check", "mygame")[0] == 1
    looked: list[str] = []
    real = mistakes.look_through
    monkeypatch.setattr(mistakes, "look_through", lambda *a, **k: (looked.append(a[0]), real(*a, **k))[1])
    rulewright("check", "mygame")
    assert looked == [], "nothing has changed"
    change(mygame / "scenarios" / "first-turn.yaml", "\nbegin:", "\nbegni:")
    change(mygame / "words.yaml", "title:", "titel:")
    code, out, err = rulewright("check", "mygame")
    assert code == 2 and out == "" and "first-turn.yaml:" in err and "words.yaml:" in err and looked == ["mygame"]


def test_a_folder_is_a_book_wherever_it_lies(rulewright: Run, mygame: Path) -> None:
    Path("far/away").mkdir(parents=True)
    mygame.rename("far/away/mygame")
    change(Path("far/away/mygame/rules/flow.py"), "begin_turns(g, FIRST)", "begin_turns(g, FRIST)")
    code, out, err = rulewright("validate", "far/away/mygame")
    assert (code, err) == (2, "") and "did you mean `FIRST`?" in out
    assert rulewright("validate", "mygame")[0] == 2 and "there is no book `mygame`" in rulewright("validate", "mygame")[2], "only for that command"


def test_an_unknown_book_is_refused_as_everywhere(rulewright: Run, mygame: Path) -> None:
    code, out, err = rulewright("validate", "mygmae")
    assert (code, out) == (2, "") and "did you mean `mygame`?" in err


@pytest.mark.slow
@pytest.mark.parametrize("book", ["hanayome", "harem_master", "sakura", "shinso", "ts_fight"])
def test_the_shipped_books_have_no_mistake_no_idle_word_and_both_languages(book: str) -> None:
    files = look_through(book, book_places()[book])
    assert not files.mistakes.diagnostics
    # Of the first some are there for type checkers; cards are there for pools, too; that norms cannot clash is among the standard questions to z3.
    # The hero lane of hanayome is shared; no rule asks whose a hero is.
    left = {"idle-import", "unused-card", "unranked-norms", "cards-of-nobody"}
    assert [r.about.message.en for r in remarks(files) if r.about.code not in left] == []


def test_a_field_may_be_called_side_and_none_as_a_player_is_in_positions(rulewright: Run, mygame: Path) -> None:
    state, scenario = mygame / "rules" / "state.py", mygame / "scenarios" / "first-turn.yaml"
    add(state, "    side: Per[Player, Annotated[int, Range(0, 2)]]\n")
    change(mygame / "words.yaml", "words:\n", "words:\n  side: {ja: 側, en: side}\n")
    change(scenario, "  second: {", "  second: {side: 1, ")
    assert told(rulewright)[0] == 0
    change(state, "    side: Per", "    second: Per")
    code, out, _ = rulewright("validate", "mygame")
    assert code == 2 and "state.py:" in out and "the name `second` is taken: in the position of a scenario it is the second player" in out


@pytest.mark.parametrize(("written", "hint"), [("wen: Met", "did you mean `when`?"), ("zzzz: 1", "possible: applies_to")])
def test_what_an_ability_cannot_have_is_told_of_abilities_with_what_they_can(rulewright: Run, mygame: Path, written: str, hint: str) -> None:
    change(mygame / "cards.yaml", "name:", f"abilities: [{{{written}, text: pass}}], name:")
    (one,) = told(rulewright)[1]["unknown-attribute"]
    assert one["message"]["en"].startswith("abilities of this game") and "能力にありません" in one["message"]["ja"]
    assert one["hint"]["en"].startswith(hint)


def test_every_key_of_cards_and_abilities_is_offered() -> None:
    for read, offered in ((cards._ability, cards.OF_ABILITIES), (cards._card, cards.OF_CARDS)):  # pyright: ignore[reportPrivateUsage]
        assert sorted(offered) == sorted(re.findall(r'm\.(?:required|optional)\("(\w+)"', inspect.getsource(read)))
