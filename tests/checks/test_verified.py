"""`verify` compares everything that is stored: whatever else is stored is told, with its field, and nothing else is."""
from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from ruamel.yaml import YAML

from rulewright.checks.cli import main
from rulewright.checks.findings.record import Decision, Finding, FindingClass
from rulewright.checks.runs import verifying
from rulewright.checks.scenarios.checking import CUTS
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import Case, data_of, read_case
from rulewright.checks.stored.comparing import EXCUSED, WORDS, differences
from rulewright.checks.stored.replaying import replay
from rulewright.model.engine.library import load_book
from rulewright.spec.document import read_document
from rulewright.spec.text import Text

from ..mutation import edits, stored_plays

CASES = {path.stem: path for path in finding_store.case_files(finding_store.stored_cases())}
SMALL = sorted(p for p in CASES.values() if p.stat().st_size < 7_500 and p.parent.name in ("sakura", "shinso", "ts_fight"))
"""Cases that are verified in a second or two."""
DRAWN = 60
"""Edits in the fast tests; `python -m tests.mutation.edits` draws a hundred of each kind."""
WORDING = Text(ja="山札が尽きる", en="the deck runs out")


def case_like(name: str, change: Callable[[Finding], Finding] = lambda f: f) -> Case:
    """A stored case with another finding."""
    case = read_case(next(p for stem, p in CASES.items() if stem.endswith(name)))
    return replace(case, finding=change(case.finding))


def told_by_replay(name: str, change: Callable[[Finding], Finding]) -> list[str]:
    """What stepping through a changed case tells of it, whatever checking finds."""
    return [d.said.en for d in replay(case_like(name, change)).differences]


def with_play(**changes: Any) -> Callable[[Finding], Finding]:
    """The finding with another play."""
    return lambda f: replace(f, play=replace(f.play, **changes))


# ---------------------------------------------------------------- edits by lot
def test_whatever_is_edited_is_told_with_its_field() -> None:
    lot = random.Random(29)
    kinds = [k for k in edits.kinds() if any(case in SMALL for case, _ in edits.by_kind()[k])]
    drawn = [edit for k in lot.sample(kinds, DRAWN) for edit in edits.edits(k, 1, 29, SMALL)]
    assert len({edit.case for edit in drawn}) > 8
    untold = [(one.edit.case.stem, one.edit.done, one.said) for one in edits.all_judged(drawn, 1) if not (one.said and one.field)]
    assert untold == []


def test_comments_another_layout_and_what_people_add_are_not_told() -> None:
    lot = random.Random(29)
    drawn = [edits.neutral(lot.choice(SMALL), lot) for _ in range(30)]
    assert {edit.done for edit in drawn} >= {"comments", "JSON", "flow", "order", *EXCUSED}
    assert [(one.edit.case.stem, one.edit.done, one.said) for one in edits.all_judged(drawn, 1) if one.said] == []


@pytest.mark.slow
def test_edits_of_every_kind_of_field_in_all_stored_cases_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "set while it runs")
    assert edits.main(["--each", "2", "--neutral", "60", "--seed", "7", "--jobs", "2"]) == 0


@pytest.mark.slow
def test_stored_plays_that_a_missing_rule_changes_are_told() -> None:
    assert stored_plays.main(["sakura", "--each", "8", "--seed", "3", "--jobs", "2"]) == 0


def records_in(of: Any, seen: set[type]) -> set[type]:
    """The records that a record of this type may hold, itself included."""
    if is_dataclass(of) and of is not Text and of not in seen:
        seen.add(of)
        for hint in (get_type_hints(of)[f.name] for f in fields(of) if f.metadata.get("told", True)):
            records_in(hint, seen)
    for inside in get_args(of):
        records_in(inside, seen)
    return seen


def test_every_field_has_a_word_and_those_that_are_excused_are_fields() -> None:
    names = {f.name for record in records_in(Finding, set()) - {Decision} for f in fields(record) if f.metadata.get("told", True)}
    assert {"title", "option", "states", "effect", "clause", "pinned"} <= names
    assert names - WORDS.keys() == EXCUSED.keys()
    assert {f.name for f in fields(Finding)} >= EXCUSED.keys()


def test_a_case_is_read_as_yaml_says() -> None:
    for path in CASES.values():
        assert data_of(read_document(path)) == YAML(typ="safe").load(path.read_text(encoding="utf-8"))


# ---------------------------------------------------------------- what the play shows, whatever checking finds
@pytest.mark.parametrize("name", [p.stem for p in SMALL])
def test_a_play_as_it_is_stored_shows_what_the_finding_says(name: str) -> None:
    done = replay(case_like(name))
    assert done.differences == ()
    play = case_like(name).finding.play
    assert done.steps == (*play.stem, *play.cycle)


@pytest.mark.parametrize(("name", "change", "said"), [
    ("two-replacements-9QTF", lambda f: replace(f, play=replace(f.play, stem=f.play.stem[:-1])), "there is nothing of class “gap”"),
    ("two-replacements-9QTF", lambda f: replace(f, cls=FindingClass.CONFLICT), "does not end in a finding of class “conflict”"),
    ("two-replacements-9QTF", lambda f: replace(f, cls=FindingClass.LOOP), "a loop, and nothing repeats in the play"),
    ("two-replacements-9QTF", lambda f: replace(f, clauses=("5-7.ii",)), "clauses"),
    ("two-replacements-9QTF", with_play(end=WORDING), "the deck runs out"),
    ("two-replacements-9QTF", with_play(end=None), "play, end: “nothing” is stored"),
    ("two-replacements-9QTF", lambda f: replace(f, play=replace(f.play, cycle=f.play.stem[-1:])), "play has ended before step 5"),
    ("bride-and-empty-deck-5CH4", lambda f: replace(f, cls=FindingClass.GAP), "does not end in a finding of class “gap”"),
    ("bride-and-empty-deck-5CH4", lambda f: replace(f, clauses=f.clauses[::-1]), "clauses: in another order"),
    ("improper-uses-CG5P", with_play(cycle=()), "a loop, and nothing repeats in the play"),
    ("improper-uses-CG5P", lambda f: replace(f, play=replace(f.play, cycle=f.play.cycle[:1])), "the position is not as before"),
    ("improper-uses-CG5P", lambda f: replace(f, growing=True), "nothing has grown"),
    ("improper-uses-CG5P", with_play(end=WORDING), "a play that never ends has no end"),
    ("improper-uses-CG5P", with_play(rounds=2), "does not consist of 2 equal rounds"),
    ("improper-uses-CG5P", with_play(rounds=0), "does not consist of 0 equal rounds"),
    ("improper-uses-CG5P", lambda f: replace(f, cls=FindingClass.GAP), "class “gap” nothing repeats"),
    ("mutual-nesting-MNGV", lambda f: replace(f, growing=False), "the position is not as before"),
    ("two-nurses-TQKD", with_play(rounds=1), ""),
    ("two-nurses-TQKD", with_play(rounds=5), "does not consist of 5 equal rounds"),
    ("all-life-cards-both-WXD4", lambda f: replace(f, cls=FindingClass.ORDER), "nothing of class “order”"),
    ("all-life-cards-both-WXD4", lambda f: replace(f, clauses=("ゲームの準備.1",)), "nothing of class “open choice”"),
    ("all-life-cards-both-WXD4", with_play(stem=()), "what happens before the first choice is missing from the play"),
    ("ends-of-the-turn-CMMV", lambda f: replace(f, play=replace(f.play, stem=f.play.stem[:-1])), "nothing of class “order”"),
    ("ends-of-the-turn-CMMV", lambda f: replace(f, cls=FindingClass.INVARIANT), "nothing of class “invariant”"),
    ("exchanged-in-turn-3N8Q", lambda f: replace(f, play=replace(f.play, stem=f.play.stem[:-1])), "nothing of class “invariant”"),
    ("exchanged-in-turn-3N8Q", lambda f: replace(f, cls=FindingClass.READINGS), "nothing of class “readings”"),
    ("both-at-zero-3CGK", lambda f: replace(f, book="shinso"), "book: “shinso” is stored, now “sakura”"),
    ("both-at-zero-3CGK", lambda f: replace(f, scenario="halved"), "scenario: “halved” is stored, now “both-at-zero”"),
    ("both-at-zero-3CGK", lambda f: replace(f, readings={"both-at-zero": "nobody"}), "play cannot begin under these readings"),
])
def test_a_play_that_does_not_show_what_the_finding_says_is_told_by_the_replay(
    name: str, change: Callable[[Finding], Finding], said: str,
) -> None:
    found = told_by_replay(name, change)
    assert any(said in one for one in found) if said else found == [], found


STEP = {
    "option": lambda s: replace(s, option=s.option + 1), "decider": lambda s: replace(s, decider=Text(ja="誰か", en="somebody")),
    "alternatives": lambda s: replace(s, alternatives=s.alternatives[1:]), "clauses": lambda s: replace(s, clauses=s.clauses[:-1]),
    "changes": lambda s: replace(s, changes=(*s.changes, WORDING)), "turn": lambda s: replace(s, turn=None),
    "working": lambda s: replace(s, working=()), "chosen": lambda s: replace(s, chosen=replace(s.chosen, ja=s.chosen.ja + "。")),
}


@pytest.mark.parametrize("field", STEP)
def test_what_is_stored_of_a_step_is_told_with_its_number_and_its_clause(field: str) -> None:
    def change(f: Finding) -> Finding:
        stem = [STEP[field](s) if k == 2 else s for k, s in enumerate(f.play.stem)]
        return replace(f, play=replace(f.play, stem=tuple(stem)))
    case = case_like("both-at-zero-3CGK")
    step = case.finding.play.stem[2]
    (told,) = replay(case_like("both-at-zero-3CGK", change)).differences
    assert told.field.startswith(f"play.stem[2].{field}")
    assert (told.step, told.clauses) == (3, (step.working or step.clauses[-1:])[:3])
    assert told.said.en.startswith(f"step 3 ({', '.join(told.clauses)}): {WORDS[field].en}")
    assert told.said.ja.startswith(f"3手順目（{'、'.join(told.clauses)}）の{WORDS[field].ja}")


# ---------------------------------------------------------------- in words
def test_what_is_stored_and_what_is_so_are_both_shown_from_where_they_part() -> None:
    one = case_like("both-at-zero-3CGK").finding
    long = "x" * 100
    (told,) = differences(replace(one, title=Text(ja=one.title.ja, en=long + "a" + long)), replace(one, title=Text(ja=one.title.ja, en=long + "b")))
    assert told.said.en == f"title (English): “…{'x' * 15}a{'x' * 44}…” is stored, now “…{'x' * 15}b”"
    assert told.said.ja.startswith("題（英語）: 保存では「…x")
    (told,) = differences(replace(one, related=("1-1", "1-2")), replace(one, related=("1-2", "1-3", "1-4")))
    assert told.said.en == "related clauses: only stored: “1-1”; only now: “1-3”, “1-4”"
    (told,) = differences(replace(one, readings={}), one)
    assert told.said.en == "readings, both-at-zero: “nothing” is stored, now “not-said”"
    (told,) = differences(replace(one, control=None), one)
    assert (told.field, told.said.en) == ("control", "control: “nothing” is stored, now “both-at-zero-control”")
    assert differences(one, one) == []


# ---------------------------------------------------------------- files
def stored_again(name: str, folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A stored case, changed as data."""
    path = next(p for stem, p in CASES.items() if stem.endswith(name))
    data = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    change(data)
    out = io.StringIO()
    YAML().dump(data, out)
    (folder / path.name).write_text(out.getvalue(), encoding="utf-8")
    return folder / path.name


def said_of(path: Path) -> list[str]:
    (report,) = verifying.verify(path)
    return [d.said.en for d in report.differences]


def test_a_title_that_is_told_otherwise_now_is_named_though_the_id_is_another_one(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["finding"]["id"] = "SAKU-5-7.i-ZZZZ"
        data["finding"]["title"]["ja"] = "別の題"
    found = said_of(stored_again("two-replacements-9QTF", tmp_path, change))
    assert found[0] == "there is no finding SAKU-5-7.i-ZZZZ any more; the nearest is SAKU-5-7.i-9QTF"
    assert [one.partition(":")[0] for one in found[1:]] == ["id", "title (Japanese)"]


def test_what_nobody_reads_in_a_case_is_told(tmp_path: Path) -> None:
    (said,) = said_of(stored_again("two-replacements-9QTF", tmp_path, lambda data: data.update(note="all is well")))
    assert "this is not a stored case (note: unknown key)" in said


@pytest.mark.parametrize(("scenario", "asked"), [
    ("sakura/improper-uses", ("--no-symmetry", "--max-states", "20")), ("sakura/improper-uses", ("--reading", "improper-use=tried")),
    ("sakura/improper-uses", ("--readings", "all")), ("sakura/improper-uses", ("--reading", "improper-use=tried", "--try", "all")),
    ("shinso/ring-on-and-off", ("--readings", "default")), ("shinso/ring-on-and-off", ("--fingerprints",)),
])
def test_a_case_is_verified_by_the_check_that_found_it(
    scenario: str, asked: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check", scenario, "--store", "cases", *asked]) == 1
    files = sorted(Path("cases").rglob("*.yaml"))
    assert files
    assert [r.why for r in verifying.verify(Path("cases"))] == [None] * len(files)
    for file in files if "--max-states" in asked else ():
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("  max_states: 20\n", ""), encoding="utf-8")
        assert any("positions: “20” is stored, now “34”" in one for one in said_of(file))


def test_two_scenarios_with_the_same_finding_are_each_verified_with_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (load_book("sakura").folder / "scenarios" / "improper-uses.yaml").read_text(encoding="utf-8")
    for name in ("first", "second"):
        Path(f"{name}.yaml").write_text(text.replace("id: improper-uses\n", f"id: {name}\n"), encoding="utf-8")
    main(["check", "first.yaml", "second.yaml", "--store", "cases"])
    reports = verifying.verify(Path("cases"))
    assert reports
    assert [(r.why, read_case(r.path).scenario_file.stem) for r in reports] == [(None, "first")] * len(reports)


def test_how_far_a_search_came_that_the_clock_cut_is_not_compared(tmp_path: Path) -> None:
    def cut(states: int) -> Callable[[dict[str, Any]], None]:
        def change(data: dict[str, Any]) -> None:
            note = CUTS["seconds"]
            data["finding"]["bounds"] |= {"states": states, "depth": 99, "complete": False, "notes": [{"ja": note.ja, "en": note.en}]}
            data["asked"] = {"settle": 0}
            for settlement in data["finding"]["settlements"]:
                settlement |= {"effect": "not checked", "then": None, "same": False, "new": 0}
        return change
    found = said_of(stored_again("improper-uses-GE45", tmp_path, cut(30)))
    assert [one for one in found if "how far was looked" in one] == []
    found = said_of(stored_again("improper-uses-GE45", tmp_path, cut(1000)))
    assert {one.partition(":")[0] for one in found} >= {"how far was looked, positions", "how far was looked, whether nothing was cut off"}
