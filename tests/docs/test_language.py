"""The page on the rule language: every example is compiled, run or refused as the page says."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.record import Certainty, Finding
from rulewright.checks.scenarios.checking import check_subject
from rulewright.model import lang
from rulewright.model.engine import library
from rulewright.model.engine.describe import Describer
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.vocabulary import Vocabulary
from rulewright.model.ir.program import Program
from rulewright.model.lang.compile import Rulebook, compile_book
from rulewright.model.lang.source import Source, read_source
from rulewright.model.lang.world import CardCopy, World, with_kernel
from rulewright.spec.diagnostics import BadInput, Collector
from rulewright.spec.readers import read_cards, read_readings
from rulewright.spec.text import Text

from .blocks import DOCS, Block, blocks_of, in_place, shown_in

PAGE = DOCS / "language.md"
BLOCKS = blocks_of(PAGE)
LINES = PAGE.read_text(encoding="utf-8").splitlines()
ROW = re.compile(r"\| `(?P<wrong>.+)` \| (?P<code>[a-z-]+) \| `(?P<right>.+)` \|")


@dataclass
class Module:
    """Blocks that make up one module: its rules, its cards and its readings."""

    blocks: list[Block] = field(default_factory=list[Block])
    cards: Block | None = None
    readings: Block | None = None
    gives: str | None = None

    def __str__(self) -> str:
        return f"line {self.blocks[0].line}"

    def compiled(self, folder: Path, *more: Block, rule: str = "") -> Program:
        """Its program (with further blocks, with a further rule), with a copy of each card for each player. Raises
        BadInput."""
        text = in_place([*self.blocks, *more]) + rule
        report = Collector()
        source = read_source("docs/language.md", text, report)
        report.raise_if_any()
        assert isinstance(source, Source)
        entry = "main" if "async def main(" in text else "nothing"
        sources = [source]
        if entry == "nothing":
            nothing = read_source("nothing.py", "@procedure\nasync def nothing(g: Game) -> None:\n    pass\n", report)
            assert isinstance(nothing, Source)
            sources.append(nothing)
        readings = {}
        if self.readings is not None:
            file = folder / "readings.yaml"
            file.write_text(self.readings.text, encoding="utf-8")
            readings = {r.id.value: library.reading_def(r) for r in read_readings(file).readings}
        modules = with_kernel(sources, report)
        report.raise_if_any()
        return compile_book(Rulebook("example", modules, readings), self.world(folder), entry)

    def world(self, folder: Path) -> World:
        if self.cards is None:
            return World()
        file = folder / "cards.yaml"
        file.write_text(self.cards.text, encoding="utf-8")
        cards = [library.card_def(c) for c in read_cards(file)]
        return World(tuple(CardCopy(c, owner) for owner in (0, 1) for c in cards))

    def checked(self, folder: Path) -> str:
        """What a check says, in the words of a `gives:` comment."""
        program = self.compiled(folder)
        engine = Interpreter(program)
        describer = Describer(program, self.world(folder), Vocabulary())
        subject = Subject(
            "example", "example", Text.same("example"), program, engine, describer,
            [[s.initial for s in program.layout.slots]], [engine.start()], {}, Certainty.FROM_POSITION)
        result = check_subject(subject, Limits())
        found = ", ".join(sorted({finding_in_words(f) for f in result.findings if not f.hint})) or "nothing"
        return f"{result.bounds.states} states; ends: {', '.join(sorted(result.outcomes)) or 'none'}; found: {found}"


def finding_in_words(f: Finding) -> str:
    words = [f.cls.value, *f.clauses[:1]]
    return " ".join(words) + (f" ({f.keepers.name.lower()})" if f.keepers is not None else "")


Behind = list[tuple[Module, Block]]
"""Blocks, each with the module that it stands behind."""


def read_modules() -> tuple[list[Module], Behind, Behind]:
    """The modules of the page, the blocks that are to be refused, and what to write instead."""
    modules: list[Module] = []
    refused: Behind = []
    instead: Behind = []
    for b in BLOCKS:
        if b.language == "yaml" and "cards" in b.marks:
            modules[-1].cards = b
        elif b.language == "yaml" and "readings" in b.marks:
            modules[-1].readings = b
        elif b.language == "python" and "refused" in b.marks:
            refused.append((modules[-1], b))
        elif b.language == "python" and "instead" in b.marks:
            instead.append((modules[-1], b))
        elif b.language == "python" and "file" not in b.marks:
            if "continues" not in b.marks:
                modules.append(Module())
            modules[-1].blocks.append(b)
        if "gives" in b.marks:
            modules[-1].gives = b.marks["gives"]
    return modules, refused, instead


MODULES, REFUSED, INSTEAD = read_modules()
GAME = max(MODULES, key=lambda m: len(m.blocks))
"""The game that most of the page is about."""


def test_of_a_cause_that_nothing_is_read_of_nothing_is_told(tmp_path: Path) -> None:
    """Where a book has no word for what waits, its parts are listed."""
    module = next(m for m in MODULES if m.cards is not None and "id: HARE" in m.cards.text)
    program = module.compiled(tmp_path)
    said, engine = Describer(program, module.world(tmp_path), Vocabulary()), Interpreter(program)
    state, _ = engine.start()
    while (point := engine.point(state)) is not None and len(point.options) == 1:
        state, _ = engine.apply(state, point.options[0])
    assert point is not None
    assert {said.option(point, option).en for option in point.options} == {
        "Waiting (the ability of “Fox”, “Fox”, the first player)", "Waiting (the ability of “Hare”, “Hare”, the first player)"}


# ---------------------------------------------------------------- the first section: a book of its own
@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for books, in place of the shipped ones."""
    monkeypatch.setattr(library, "RULES", tmp_path / "model" / "games")
    monkeypatch.setattr(library, "spec_folder", lambda: tmp_path / "spec")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    caches = (library.load_book, library.shape_of)
    for c in caches:
        c.cache_clear()
    yield tmp_path
    for c in caches:
        c.cache_clear()


def test_the_first_sections_show_what_the_commands_say(books: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files are written as they come, commands are run where they stand."""
    said = 0
    for b in BLOCKS:
        if "file" in b.marks:
            file = books / b.marks["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(b.text, encoding="utf-8")
            if file.suffix == ".py":
                (file.parent / "__init__.py").touch()
            library.load_book.cache_clear()
        elif b.language == "console":
            if "without" in b.marks:
                leave_out(books, b.marks["without"])
            command, *shown = b.lines
            assert command.startswith("$ rulewright ")
            main([*command.split()[2:], "--lang", "en"])
            really = capsys.readouterr().out
            missing = shown_in("\n".join(shown), really)
            assert missing is None, f"line {b.line}: `{missing}` is not in\n{really}"
            said += 1
    assert said >= 2


def leave_out(books: Path, line: str) -> None:
    """Take a line out of the rules."""
    for file in (books / "model").rglob("*.py"):
        lines = file.read_text(encoding="utf-8").splitlines()
        file.write_text("\n".join(x for x in lines if x.strip() != line) + "\n", encoding="utf-8")
    library.load_book.cache_clear()


# ---------------------------------------------------------------- the other sections
@pytest.mark.parametrize("module", MODULES, ids=str)
def test_every_example_compiles_and_gives_what_is_said(module: Module, tmp_path: Path) -> None:
    try:
        module.compiled(tmp_path)
    except BadInput as e:
        pytest.fail(str(e))
    if module.gives is not None:
        assert module.checked(tmp_path) == module.gives


@pytest.mark.parametrize(("module", "block"), REFUSED, ids=lambda x: f"line {x.line}" if isinstance(x, Block) else "")
def test_what_is_refused_is_refused_for_the_reason_given(module: Module, block: Block, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        module.compiled(tmp_path, block)
    assert [d.code for d in refused.value.diagnostics] == [block.marks["refused"]], str(refused.value)


@pytest.mark.parametrize(("module", "block"), INSTEAD, ids=lambda x: f"line {x.line}" if isinstance(x, Block) else "")
def test_what_to_write_instead_compiles(module: Module, block: Block, tmp_path: Path) -> None:
    module.compiled(tmp_path, block)


LOOKS = re.compile(r"\| `(?P<code>[^`]+)` \| (?P<what>.*) \|")
SHOWN = [m for m in map(LOOKS.fullmatch, LINES) if m and not ROW.fullmatch(m[0])]


@pytest.mark.parametrize("row", SHOWN, ids=lambda m: m["code"])
def test_every_row_of_the_other_tables_compiles(row: re.Match[str], tmp_path: Path) -> None:
    code = row["code"]
    if not re.match(r"\w+ = |await |(gap|conflict|not_modelled)\(", code):
        code = f"value = {code}"
    try:
        GAME.compiled(tmp_path, rule=in_a_procedure(code))
    except BadInput as e:
        pytest.fail(str(e))


ROWS = [m for m in map(ROW.fullmatch, LINES) if m]


def in_a_procedure(code: str) -> str:
    return f"\n@procedure\nasync def example(g: Game, p: Player, c: Card, a: Ability) -> None:\n    {code}\n"


@pytest.mark.parametrize("row", ROWS, ids=lambda m: m["wrong"])
def test_every_row_of_the_table_is_refused_and_its_remedy_is_not(row: re.Match[str], tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        GAME.compiled(tmp_path, rule=in_a_procedure(row["wrong"]))
    assert {d.code for d in refused.value.diagnostics} == {row["code"]}, str(refused.value)
    GAME.compiled(tmp_path, rule=in_a_procedure(row["right"]))


def test_every_word_of_the_language_is_taught() -> None:
    code = "\n".join([*(b.text for b in BLOCKS if b.language == "python"), *(m["code"] for m in SHOWN)])
    used = set(re.findall(r"[A-Za-z_]+", code))
    assert [w for w in lang.__all__ if w not in used] == []


def test_both_pages_have_the_same_examples_and_sections() -> None:
    def shown(page: Path) -> tuple[list[tuple[str, dict[str, str], str]], list[str], int]:
        lines = page.read_text(encoding="utf-8").splitlines()
        rows = [x if ROW.fullmatch(x) else x.split("` | ")[0] for x in lines if x.startswith("| `")]
        return [(b.language, b.marks, b.text) for b in blocks_of(page)], rows, sum(x.startswith("## ") for x in lines)

    assert shown(PAGE) == shown(DOCS / "language.ja.md")


def test_nothing_on_the_page_was_overlooked() -> None:
    """So that a changed notation does not make the tests pass by finding nothing."""
    assert len(ROWS) >= 10 and len(SHOWN) >= 10 and len(REFUSED) >= 3
    assert all(m.gives for m in MODULES)
