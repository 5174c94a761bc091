"""What is said of each rule is what it does: every example is tried, and the catalogue in the docs is made of it."""
from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.lint import words
from rulewright.checks.lint.explained import EXPLAINED
from rulewright.checks.lint.linting import BY_ID, Options, chosen_rules, lint_source
from rulewright.checks.lint.reading import from_text

Run = Callable[..., tuple[int, str, str]]
DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        said = capsys.readouterr()
        return code, said.out, said.err
    return run


def found(text: str, *select: str) -> set[str]:
    options = Options(select=select)
    return {one.rule for one in lint_source(from_text("draft.md", text), options, chosen_rules(options)).found}


def test_every_rule_is_explained() -> None:
    assert EXPLAINED.keys() == BY_ID.keys()


@pytest.mark.parametrize("name", EXPLAINED)
def test_an_example_is_found_and_what_is_right_is_not(name: str) -> None:
    one = EXPLAINED[name]
    assert found(one.example(one.wrong), name) == {name}
    assert found(one.example(one.wrong)) <= {name}
    assert found(one.example(one.right), name) == found(one.example(one.right)) == set()


def catalogue() -> str:
    """All rules as a table in Markdown."""
    def cell(text: str) -> str:
        return text.replace("|", "\\|")
    rows = [f"| `{rule.id}` | {rule.severity.value} | {cell(EXPLAINED[rule.id].finds.en)} | {cell(EXPLAINED[rule.id].such_as)} |" for rule in BY_ID.values()]
    return "\n".join(["| rule | at most | finds | for example |", "|---|---|---|---|", *rows])


def test_the_catalogue_in_the_docs_is_made_of_it() -> None:
    text = (DOCS / "lint.md").read_text(encoding="utf-8")
    (written,) = re.findall(r"<!-- rules -->\n(.*?)\n<!-- /rules -->", text, re.DOTALL)
    assert written == catalogue()


def test_the_japanese_page_has_the_same_rules_and_sections_and_commands() -> None:
    english, japanese = ((DOCS / name).read_text(encoding="utf-8") for name in ("lint.md", "lint.ja.md"))
    rows = [tuple(cell.strip() for cell in line.split(" | ")[:3]) for line in japanese.splitlines() if line.startswith("| `")]
    assert rows == [(f"| `{rule.id}`", words.SEVERITY[rule.severity].ja, EXPLAINED[rule.id].finds.ja) for rule in BY_ID.values()]
    for what in (r"(?m)^##? ", r"(?m)^(?:- |    |```)", r"`((?:--|rulewright)[^`]*)`", r"\|", r"\*\*"):
        assert len(re.findall(what, english)) == len(re.findall(what, japanese)), what
    assert set(re.findall(r"`(--[a-z|-]+)", english)) == set(re.findall(r"`(--[a-z|-]+)", japanese))


def test_a_rule_is_explained_in_both_languages(run: Run) -> None:
    code, out, _ = run("lint", "--explain", "word-twice", "--lang", "ja")
    assert code == 0 and "英語の短い語" in out and "the the deck" in out and "rulewright: ignore word-twice" in out
    code, out, _ = run("lint", "--explain", "series", "--lang", "en")
    assert code == 0 and [name for name in BY_ID if f"{name}:" in out] == [name for name in BY_ID if name.startswith("series-")]
    code, _, err = run("lint", "--explain", "series-gab", "--lang", "en")
    assert code == 2 and "series-gap" in err


def test_without_a_draft_it_is_said_what_is_missing(run: Run) -> None:
    code, _, err = run("lint", "--lang", "en")
    assert code == 2 and "rulewright lint draft.md" in err
