"""Whatever of a position can be shown has a name in the book's words, in both languages, or is kept from the page on purpose."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths
from rulewright.model.engine.library import read_words

BOOKS = ["hanayome", "harem_master", "sakura", "shinso", "ts_fight"]
SPEC = Path(__file__).parent.parent.parent / "spec"
MODEL = SPEC.parent / "model"


def fields(book: str) -> set[str]:
    """Of each number in a state of the book's full game the field: of a record's the innermost."""
    scenario = read_scenario(scenario_paths(f"{book}/full-game")[0])
    slots = open_table(scenario, reading_sets(scenario, {})[0]).program.layout.slots
    named = {re.sub(r"\[[^]]*\]", "", slot.name) for slot in slots}
    return {re.sub(r"(\.\d+)*$", "", name).split(".")[-1] for name in named if name[0] not in "#@"}


@pytest.mark.parametrize("book", BOOKS)
def test_every_field_has_a_word_or_is_not_shown(book: str) -> None:
    said = read_words(SPEC / book / "words.yaml")
    assert sorted(fields(book) - set(said.words) - set(said.hidden)) == []


@pytest.mark.parametrize("book", BOOKS)
def test_every_word_of_a_choice_is_of_a_rule_or_an_answer_that_there_is(book: str) -> None:
    """`choose pays yes` speaks of `pays = await may(...)`: were the answer not given a name, the page would say a bare yes."""
    written = [*(MODEL / "games" / book).glob("*.py"), *(MODEL / "kernel").glob("*.py"), *(SPEC / book).rglob("*.yaml")]
    rules = "\n".join(path.read_text("utf-8") for path in written)
    asked = set(re.findall(r"(\w+)(?:: [^=\n]+)? = await ", rules)) | set(re.findall(r"def (\w+)\(", rules))
    named = {word.split()[1] for word in read_words(SPEC / book / "words.yaml").words if word.startswith("choose ")}
    assert sorted(named - asked) == []
