"""The next edition of a book: renumbered, reworded, a rule renamed, words added. What was decided, what is known and what is stored goes along, or is told."""
from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.register.accept import accept as take_over
from rulewright.checks.register.books import open_book
from rulewright.checks.register.compare import compare
from rulewright.checks.register.hashes import digest, hashes_of, read_hashes
from rulewright.checks.register.pieces import cut, usual_cut
from rulewright.checks.stored.finding_store import stored_cases
from rulewright.model.engine.library import book_places, forget_books
from rulewright.spec.reading import file_text

from .conftest import Run
from .helpers import draft_of, write
from .test_lasting import SHIFTED, accept

WORDS = """\
title: {ja: ランプ, en: Lamps}
words:
  turn: {ja: ターン, en: the turn}
  title of open 2.2: {ja: "2.2 の札を誰が選ぶか", en: who chooses by 2.2}
"""
SCENARIO = """\
book: lamps
id: two-cards
title: {ja: 二枚, en: two cards}
begin: turn
cards:
  - {id: A, name: {ja: 札, en: card}}
  - {id: B, name: {ja: 紙, en: paper}}
position:
  first: {deck: [A, B]}
"""
KNOWN = ("--baseline", "known.json")


def rewrite(path: Path, *pairs: tuple[str, str]) -> None:
    """Replace words in a file."""
    text = file_text(path)
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def decided(rulewright: Run, lamps: Path) -> str:
    """A book with a finding that is decided, known and stored. Gives its id."""
    write("spec/lamps/words.yaml", WORDS)
    write("spec/lamps/scenarios/two-cards.yaml", SCENARIO)
    rewrite(lamps / "rules/turn.py", ("> 0:", "> 1:"))  # it matters which card stays
    code, _, err = rulewright("check", "lamps", "--store", "counterexamples", *KNOWN, "--update-baseline")
    assert code == 0, err
    (case,) = Path("counterexamples/lamps").glob("*.yaml")
    name = case.stem[-4:]
    assert rulewright("decide", name, "intended")[0] == 0 and rulewright("verify", "counterexamples")[0] == 0
    return f"LAMP-2.2-{name}"


def test_what_was_decided_known_and_stored_applies_to_the_next_edition(rulewright: Run, lamps: Path, decided: str) -> None:
    accept(rulewright, SHIFTED.replace("手札の札を1枚まで使えます。", "手札の札を1枚まで使うことができます。"))
    (case,) = Path("counterexamples/lamps").glob("*.yaml")
    assert "2.2" not in file_text(case).replace(decided, "") and "2.3 の札" in file_text(lamps / "words.yaml")
    rewrite(lamps / "clauses.yaml", ("edition:", "# gists in other words\nedition:"))
    rewrite(lamps / "rules/turn.py", ("draw(g", "take(g"))
    rewrite(lamps / "words.yaml", ("words:\n", "words:\n  turn_player: {ja: 手番の人, en: the turn player}\n"))
    assert rulewright("verify", "counterexamples")[:2] == (0, f"reproduced  {decided}  {case}\n1 of 1 cases reproduced.\n")
    assert rulewright("check", "lamps", *KNOWN)[::2] == (0, "")
    Path("known.json").unlink()
    assert decided in (said := rulewright("check", "lamps"))[1] and said[::2] == (0, "")
    Path("decisions.yaml").unlink()
    assert rulewright("check", "lamps")[0] == 1  # it was there all the time
    assert decided in rulewright("explain", decided)[1]


PHRASES = """\
book: lamps
line: line
kinds:
  line:
    - phrase: 先へ進む。
      text: |
        pass  #: 2.2
"""


def test_phrases_cite_the_clauses_by_their_new_numbers_and_none_that_is_gone(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/phrases.yaml", PHRASES)
    accept(rulewright, SHIFTED)
    assert file_text(lamps / "phrases.yaml") == PHRASES.replace("2.2", "2.3")
    assert "phrases.yaml:7" in rulewright("where", "lamps", "2.3")[1]
    write("next.md", SHIFTED.partition("2.3. ")[0])
    code, _, err = rulewright("register", "--update", "next.md", "--book", "lamps", "--accept")
    assert code == 2 and "phrases.yaml:7" in err


def test_of_several_clauses_at_one_place_each_gets_its_new_number(rulewright: Run, lamps: Path) -> None:
    for several in ("2.2, 1.1", "2.2 1.1", "1.1 2.2"):
        write("spec/lamps/phrases.yaml", PHRASES.replace("2.2", several))
        assert "phrases.yaml:7" in rulewright("where", "lamps", "2.2")[1]
    accept(rulewright, SHIFTED)
    assert "#: 1.1 2.3\n" in file_text(lamps / "phrases.yaml")


def test_a_situation_is_found_by_its_id_whatever_its_file_is_called(rulewright: Run, lamps: Path, decided: str) -> None:
    Path("spec/lamps/scenarios/two-cards.yaml").rename("spec/lamps/scenarios/pair.yaml")
    forget_books()
    assert rulewright("verify", "counterexamples")[0] == 0
    for name in ("two-cards", "pair"):
        assert decided in rulewright("check", f"lamps/{name}")[1]
    assert rulewright("check", "lamps/cards")[0] == 2


def test_in_other_words_it_goes_along_and_the_case_is_told(rulewright: Run, lamps: Path) -> None:
    write("spec/lamps/words.yaml", WORDS)
    write("spec/lamps/scenarios/two-cards.yaml", SCENARIO.replace("[A, B]", "[A]"))
    rewrite(lamps / "rules/turn.py", ("g.hand[owner(card)])", "g.deck[owner(card)])"))  # the turn does not end
    rulewright("check", "lamps", "--store", "counterexamples", *KNOWN, "--update-baseline")
    (case,) = Path("counterexamples/lamps").glob("*.yaml")
    rulewright("decide", case.stem[-4:], "intended")
    rewrite(lamps / "words.yaml", ("turn: {ja: ターン", "turn: {ja: 手番"))
    code, _, err = rulewright("check", "lamps", *KNOWN)
    assert code == 0 and re.search(r"What was decided about (\S+) is taken to be about", err)[1] in err.partition("Of what known.json knows")[2]  # pyright: ignore
    Path("decisions.yaml").unlink()
    assert rulewright("check", "lamps", *KNOWN)[0] == 0
    code, out, _ = rulewright("verify", "counterexamples")
    assert code == 1 and "there is no finding LAMP-" in out and "any more; the nearest is LAMP-" in out


def test_what_the_next_edition_does_not_have_any_more_is_told(rulewright: Run, lamps: Path, decided: str) -> None:
    rewrite(lamps / "rules/turn.py", ('OPEN("2.2")', "g.turn_player"))
    code, _, err = rulewright("check", "lamps", *KNOWN)
    assert code == 0 and f"{decided} (decided: intended" in err and f"{decided}, known from known.json, was not found" in err
    assert rulewright("verify", "counterexamples")[0] == 1


# ---------------------------------------------------------------- a whole book
ADDED = "7.2. 夜明け\n7.2.1. 夜明けには何もしません。\n10.5.3.2. 待機状態の能力を数えます。\n"
REWORDED = ("7.5.3", "10.5.3.3", "9.3.5", "13.1.1.1", "9.3.2", "8.4.1", "13.1.1.2", "9.4.3", "11.2.1", "10.9.1")
RENAMED = ("end_phase", "closing_phase"), ("play_waiting", "play_one_that_waits"), ("one_check_timing", "single_check_timing")


def shifted(clause: str) -> str:
    """The number of a clause in the next edition: a section was put in behind 7.1, and a step behind 10.5.3.1."""
    return re.sub(r"^(7\.|10\.5\.3\.)([2-5])(?=\.|$)", lambda m: f"{m[1]}{int(m[2]) + 1}", clause)


@pytest.mark.slow
def test_all_stored_cases_of_hanayome_hold_in_its_next_edition(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    place = book_places()["hanayome"]
    shutil.copytree(place.folder, folder := Path("books/hanayome"))
    assert place.rules is not None
    shutil.copytree(place.rules, folder / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(stored_cases() / "hanayome", "counterexamples/hanayome")
    monkeypatch.setenv("RULEWRIGHT_BOOKS", str(Path("books").resolve()))
    forget_books()
    before, new = read_hashes(folder / "clauses.hashes"), draft_of(ADDED)
    pieces = cut(new, usual_cut(new))
    hashes = [replace(h, id=shifted(h.id), refs=tuple(map(shifted, h.refs)), words=digest(h.id) if h.id in REWORDED else h.words) for h in before.hashes]
    for added, behind in zip(hashes_of(new, pieces), ("7.1.2", "7.2", "10.5.3.1"), strict=True):
        hashes.insert(1 + [h.id for h in hashes].index(behind), added)
    found = compare(before.hashes, hashes)
    assert (len(found.numbers), len(found.new), sum(p.reworded for p in found.pairs), found.gone) == (19, 3, 10, ())
    cases = sorted(Path("counterexamples/hanayome").glob("*.yaml"))
    written = take_over(open_book("hanayome"), before, found, pieces, cases)
    forget_books()
    assert len({*cases} & {*written}) == 24
    assert rulewright("verify", "counterexamples")[0] == 0
    for path in (*(folder / "rules").glob("*.py"), folder / "words.yaml"):
        text = path.read_text(encoding="utf-8")
        for old, other in RENAMED:
            text = re.sub(rf"(?<![\w.]){old}(?!\w)", other, text)
        path.write_text(text, encoding="utf-8")
    gists = (folder / "clauses.yaml").read_text(encoding="utf-8").split("  - id: ")
    (folder / "clauses.yaml").write_text("  - id: ".join(
        row.replace("    ja: ", "    ja: 言い直すと、", 1) if row.startswith(tuple(f'"{shifted(c)}"' for c in REWORDED)) else row for row in gists), encoding="utf-8")
    forget_books()
    code, out, _ = rulewright("verify", "counterexamples", "--json")
    told = {one["finding"]: {d["field"] for d in one["differences"]} for one in json.loads(out)["cases"]}
    assert all(re.fullmatch(r"clause_verdicts\[\d+\]\.says", field) for fields in told.values() for field in fields) and code == (1 if any(told.values()) else 0)
