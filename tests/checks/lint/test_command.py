"""`rulewright lint` as a user meets it: what is printed, the exit code, baselines, comments, fixes, and other forms."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.lint.baseline import fixed
from rulewright.checks.lint.findings import Fix, Found, Severity
from rulewright.checks.lint.linting import BY_ID, RULES
from rulewright.checks.lint.output import SCREEN
from rulewright.spec.text import Text

CLEAN = "1. 概要\n1.1. 人数\n1.1.1. 二人で遊びます。\n1.1.2. 1.1.1 に従います。\n"
FAULTY = "1. 概要\n1.1. 人数\n1.1.1. 二人で遊びます。\n1.1.2. 9.9.9 に従います。\n1.1.4. カードをを引きます。\n1.1.5.\n"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lint(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LANG", "en_US.UTF-8")

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        code = main(["lint", "--no-dictionary", *map(str, arguments)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def draft(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "draft.md"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def rules_of(out: str) -> set[str]:
    return {rule for rule in BY_ID if rule in out}


def test_a_clean_draft_gives_0_and_says_what_was_recognised(lint: Run, draft: Callable[[str], Path]) -> None:
    code, out, err = lint(draft(CLEAN))
    assert (code, err) == (0, "")
    assert "by form: 4.1 (4)" in out and "Nothing found" in out


def test_findings_give_1_and_are_grouped_by_rule(lint: Run, draft: Callable[[str], Path]) -> None:
    code, out, _ = lint(draft(FAULTY))
    assert code == 1
    assert rules_of(out) == {"reference-missing", "number-skipped", "clause-empty", "slip"}
    assert "  4:8  1.1.2  there is no clause 9.9.9" in out


def test_japanese_is_spoken_where_asked_for(lint: Run, draft: Callable[[str], Path]) -> None:
    assert "「9.9.9」という条文はありません" in lint(draft(FAULTY), "--lang", "ja")[1]


def test_what_cannot_be_read_gives_2_with_its_place(lint: Run, draft: Callable[[str], Path], tmp_path: Path) -> None:
    code, _, err = lint(draft("ただの手紙です。\n"))
    assert code == 2 and "draft.md:1:1: no clause numbers and no headings" in err
    code, _, err = lint(tmp_path / "none.md")
    assert code == 2 and "there is no such file" in err
    assert "nothing is told of the others" not in err


def test_all_files_that_cannot_be_used_are_named_at_once_and_it_is_said_that_nothing_is_told_of_the_others(
    lint: Run, draft: Callable[[str], Path], tmp_path: Path,
) -> None:
    code, out, err = lint(draft(FAULTY), tmp_path / "a.md", tmp_path / "b.md")
    assert code == 2 and not out
    assert "a.md:1:1: there is no such file" in err and "b.md:1:1: there is no such file" in err
    assert "nothing is told of the others (1)" in err


def test_an_unknown_rule_is_refused_with_the_nearest(lint: Run, draft: Callable[[str], Path]) -> None:
    code, _, err = lint(draft(CLEAN), "--select", "reference-mising")
    assert code == 2 and "reference-missing" in err


def test_rules_are_selected_and_ignored_by_id_or_family(lint: Run, draft: Callable[[str], Path]) -> None:
    path = draft(FAULTY)
    assert rules_of(lint(path, "--select", "reference,clause-empty")[1]) == {"reference-missing", "clause-empty"}
    assert rules_of(lint(path, "--ignore", "slip", "--ignore", "number")[1]) == {"reference-missing", "clause-empty"}


def test_the_first_screen_is_not_longer_than_a_screen(lint: Run, draft: Callable[[str], Path]) -> None:
    many = "1. 概要\n" + "".join(
        f"1.{n}. 人数{n}\n1.{n}.1. 9.9.{n} に従い、カードをを「引きます。\n1.{n}.3.\n" for n in range(1, 60)
    )
    _, out, _ = lint(draft(many))
    assert len(out.splitlines()) <= SCREEN
    assert "--full" in out
    assert len(lint(draft(many), "--full")[1].splitlines()) > 100


def test_a_baseline_hides_what_is_known_even_when_lines_move(
    lint: Run, draft: Callable[[str], Path], tmp_path: Path
) -> None:
    known = tmp_path / "known.json"
    assert lint(draft(FAULTY), "--baseline", known, "--update-baseline")[0] == 0
    assert "従います" not in known.read_text(encoding="utf-8")
    assert lint(draft("まえがき\n" + FAULTY), "--baseline", known)[0] == 0
    code, out, _ = lint(draft(FAULTY + "1.1.6. 8.8.8 を参照します。\n"), "--baseline", known)
    assert code == 1 and "8.8.8" in out and "9.9.9" not in out
    known.write_text("{", encoding="utf-8")
    assert lint(draft(FAULTY), "--baseline", known)[0] == 2
    assert lint(draft(FAULTY), "--update-baseline")[0] == 2


def test_what_is_known_of_another_draft_or_by_another_rule_stays_known(lint: Run, draft: Callable[[str], Path], tmp_path: Path) -> None:
    known, other = tmp_path / "known.json", tmp_path / "other.md"
    other.write_text("1. 章\n1.1. カードをを引く。\n", encoding="utf-8")

    def rows(path: Path, *more: str) -> list[tuple[str, list[str]]]:
        lint(path, *more, "--baseline", known, "--update-baseline")
        return sorted((row["rule"], row["in"]) for row in json.loads(known.read_text(encoding="utf-8"))["findings"])
    first = rows(draft(FAULTY))
    both = rows(other)
    assert len(both) > len(first) > 0 and all(row in both for row in first)
    assert rows(draft(FAULTY), "--select", "term-unused") == both
    other.write_text("1. 章\n1.1. カードを引く。\n", encoding="utf-8")
    assert rows(other) == first


def test_comments_in_the_draft_silence_a_line_or_the_file(lint: Run, draft: Callable[[str], Path]) -> None:
    quiet = FAULTY.replace("1.1.2.", "<!-- rulewright: ignore reference-missing -->\n1.1.2.")
    assert "reference-missing" not in lint(draft(quiet))[1]
    other = FAULTY.replace("1.1.2.", "<!-- rulewright: ignore slip -->\n1.1.2.")
    assert "reference-missing" in lint(draft(other))[1]
    assert lint(draft("<!-- rulewright: ignore-file -->\n" + FAULTY))[0] == 0


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", "\n"), ("cp932", "\r\n"), ("utf-8-sig", "\r\n")])
def test_fixes_keep_everything_else_as_it_was(lint: Run, tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(FAULTY.replace("\n", end).encode(encoding))
    code, _, err = lint(path, "--fix")
    assert code == 1 and "1 places fixed" in err
    assert path.read_bytes() == FAULTY.replace("をを", "を").replace("\n", end).encode(encoding)


def test_a_fix_is_made_only_where_the_line_still_says_so() -> None:
    def with_fix(*fix: int | str) -> Found:
        line, column, old, new = fix
        assert isinstance(line, int) and isinstance(column, int) and isinstance(old, str) and isinstance(new, str)
        return Found("slip", Severity.WARNING, line, column, "", Text.same(""), fix=Fix(line, column, old, new))

    text, count = fixed(
        "ab\r\ncd\ref",
        [
            with_fix(1, 1, "ab", "x"),
            with_fix(2, 1, "zz", "y"),
            with_fix(3, 2, "f", "g"),
            with_fix(1, 2, "b", "q"),
            with_fix(9, 1, "a", "b"),
        ],
    )
    assert (text, count) == ("aq\r\ncd\reg", 2)


def test_json_has_everything_in_both_languages(lint: Run, draft: Callable[[str], Path]) -> None:
    _, out, _ = lint(draft(FAULTY), "--json")
    (file,) = json.loads(out)["files"]
    first = file["findings"][0]
    assert first["rule"] == "reference-missing" and set(first["message"]) == {"ja", "en"}
    assert file["recognised"] == {"dotted": 6}


def test_sarif_names_rule_place_and_fix(lint: Run, draft: Callable[[str], Path]) -> None:
    _, out, _ = lint(draft(FAULTY), "--format", "sarif")
    log = json.loads(out)
    (run,) = log["runs"]
    assert log["version"] == "2.1.0" and len(run["tool"]["driver"]["rules"]) == len(RULES)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] >= 1
    assert any("fixes" in result for result in run["results"])


def test_annotations_for_github(lint: Run, draft: Callable[[str], Path]) -> None:
    lines = lint(draft(FAULTY), "--format", "github")[1].splitlines()
    assert lines[0].startswith("::warning file=") and "line=4,col=8,title=reference-missing::" in lines[0]


def test_the_terms_of_the_writer_are_honoured(lint: Run, draft: Callable[[str], Path], tmp_path: Path) -> None:
    text = "1. 場\n1.1. コフィン・エリア\n1.1.1. コフィン・エリアに置きます。\n1.1.2. コフィンエリアは公開です。\n"
    assert "term-spelling" in lint(draft(text))[1]
    terms = tmp_path / "terms.yaml"
    terms.write_text("synonyms:\n  コフィン・エリア: [コフィンエリア]\n", encoding="utf-8")
    assert lint(draft(text))[0] == 0
    terms.write_text("無視: [コフィンエリア]\n", encoding="utf-8")
    assert lint(draft(text), "--terms", terms)[0] == 0
    terms.write_text("synonims: {}\n", encoding="utf-8")
    code, _, err = lint(draft(text))
    assert code == 2 and "terms.yaml:1:1" in err


def test_a_draft_in_the_folder_of_its_book_is_linted(lint: Run, draft: Callable[[str], Path], tmp_path: Path) -> None:
    """Both files are called `terms.yaml`: the book's says nothing of wording."""
    text = "1. 場\n1.1. コフィン・エリア\n1.1.1. コフィン・エリアに置きます。\n1.1.2. コフィンエリアは公開です。\n"
    (tmp_path / "terms.yaml").write_text('book: mine\nterms:\n  - {id: area, ja: コフィン・エリア, clause: "1.1"}\n', encoding="utf-8")
    code, out, err = lint(draft(text))
    assert code == 1 and "term-spelling" in out and not err


def test_several_drafts_are_linted_at_once(lint: Run, draft: Callable[[str], Path], tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text(CLEAN, encoding="utf-8")
    code, out, _ = lint(draft(FAULTY), other)
    assert code == 1 and "draft.md: errors" in out and "other.md: errors 0" in out


def test_every_rule_has_a_title_in_both_languages_and_an_id_of_its_own() -> None:
    assert len(BY_ID) == len(RULES)
    assert all(rule.title.ja and rule.title.en for rule in RULES)
    page = Path(__file__).parents[3] / "docs" / "lint.md"
    assert [rule.id for rule in RULES if f"`{rule.id}`" not in page.read_text(encoding="utf-8")] == []


def test_the_linter_needs_neither_the_model_nor_the_dictionary_to_start() -> None:
    from rulewright.checks.lint import terms

    assert "sudachipy" not in vars(terms)
    assert sys.modules["rulewright.checks.lint.linting"]
