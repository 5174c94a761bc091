"""The pages on scenarios: every example is read, opened and, where it is whole, checked. Both languages have the same ones."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.checks.findings.record import CheckResult
from rulewright.checks.runs import session
from rulewright.model.engine.table import Table, open_table
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.readers import read_scenario

from .blocks import DOCS, Block, blocks_of

PAGES = [DOCS / "scenarios.ja.md", DOCS / "scenarios.md"]
BLOCKS = blocks_of(PAGES[0])
WHOLE = [b for b in BLOCKS if "gives" in b.marks]
PARTS = [b for b in BLOCKS if "part" in b.marks]
REFUSED = [b for b in BLOCKS if "refused" in b.marks]
REST = """\
book: hanayome
id: example
title: example
begin: main-phase
position:
  first: {deck: [BLANK x2], hand: [V-CHEER]}
  second: {deck: [BLANK x2]}
"""


def line_of(block: Block) -> str:
    return f"line {block.line}"


def written(block: Block, folder: Path) -> Path:
    """The block as a file; a part is filled up with keys that it does not have."""
    keys = re.findall(r"^(\w+):", block.text, re.M)
    rest = REST if "gives" not in block.marks else ""
    for key in keys:
        rest = re.sub(rf"^{key}:.*\n(?: .*\n)*", "", rest, flags=re.M)
    file = folder / "scenario.yaml"
    file.write_text(block.text + rest, encoding="utf-8")
    return file


def opened(block: Block, folder: Path) -> Table:
    return open_table(read_scenario(written(block, folder)))


def in_words(result: CheckResult) -> str:
    """The classes of what was found, and who can stop it."""
    found = [f for f in result.findings if f.is_defect]
    words = [f"{f.cls.value} ({f.keepers.name.lower()})" if f.keepers else f.cls.value for f in found]
    return ", ".join(sorted(words)) or "nothing"


@pytest.mark.parametrize("block", WHOLE, ids=line_of)
def test_a_whole_example_finds_what_the_page_says(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = written(block, tmp_path)
    results = session.check(path, session.CheckOptions())
    assert "; ".join(map(in_words, results)) == block.marks["gives"]
    expect = read_scenario(path).expect
    assert len(expect) in (0, len(results))
    for result, want in zip(results, expect, strict=False):
        assert want.findings is not None
        assert len(want.findings) == len([f for f in result.findings if f.is_defect])
        assert want.states is None or want.states.value == result.bounds.states
        assert want.outcomes is None or {k: v.value for k, v in want.outcomes.items()} == result.outcomes
        assert want.complete is None or want.complete.value == result.bounds.complete


@pytest.mark.parametrize("block", PARTS, ids=line_of)
def test_a_part_fits_into_a_scenario(block: Block, tmp_path: Path) -> None:
    try:
        table = opened(block, tmp_path)
    except BadInput as e:
        pytest.fail(str(e))
    assert table.starts


@pytest.mark.parametrize("block", REFUSED, ids=line_of)
def test_a_mistake_is_refused_for_the_reason_given(block: Block, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        opened(block, tmp_path)
    assert [d.code for d in refused.value.diagnostics] == block.marks["refused"].split(), str(refused.value)


def test_every_block_is_looked_at() -> None:
    assert all(b.language == "yaml" for b in BLOCKS)
    assert len(BLOCKS) == len(WHOLE) + len(PARTS) + len(REFUSED)


def test_both_pages_have_the_same_examples() -> None:
    first, second = ([(b.language, b.marks, b.text) for b in blocks_of(page)] for page in PAGES)
    assert first == second


SPEC = DOCS.parent / "spec"


@pytest.mark.parametrize(("file", "function"), [
    ("scenario.py", "_scenario"), ("scenario.py", "_limits"), ("scenario.py", "_expectation"),
    ("scenario.py", "_finding"), ("cards.py", "_card"), ("cards.py", "_ability"),
])
def test_every_key_is_explained(file: str, function: str) -> None:
    """The keys that a reader asks for, in its source, all stand on the page."""
    source = (SPEC / file).read_text(encoding="utf-8")
    body = source[source.index(f"def {function}("):].split("\n\n\n")[0]
    keys = re.findall(r'm\.(?:required|optional)\("(\w+)"', body)
    assert keys
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert [k for k in keys if not re.search(rf"`{k}`|\b{k}:", text)] == [], page.name
