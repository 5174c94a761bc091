"""Pages that lead through something, command by command: the tutorial, and what a book consists of. Files are written and changed, and
commands are run, where they stand; the output is what the page shows."""
from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.validate.mistakes import look_through
from rulewright.model.engine.library import book_places, forget_books

from .blocks import DOCS, Block, blocks_of, shown_in


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("COLUMNS", "RULEWRIGHT_BOOKS"):
        monkeypatch.delenv(name, raising=False)
    forget_books()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("page", "lang"), [("tutorial.md", "en"), ("tutorial.ja.md", "ja")])
def test_the_tutorial_goes_as_it_says(page: str, lang: str, own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk(blocks_of(DOCS / page), lang, own_folder, capsys)


@pytest.mark.parametrize(("page", "lang"), [("a-book.md", "en"), ("a-book.ja.md", "ja")])
def test_a_book_consists_of_the_files_that_the_page_lists(page: str, lang: str, own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk(blocks_of(DOCS / page), lang, own_folder, capsys)
    text = (DOCS / page).read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-zA-Z][\w./]*)` \| ", text, re.M)
    made = {str(p.relative_to(own_folder / "mygame")) for p in (own_folder / "mygame").rglob("*") if p.is_file()}
    later = {"phrases.yaml", "audit.yaml"}
    for name in {*listed} - later:
        assert any(m == name or (name.endswith("/") and m.startswith(name)) for m in made), f"{name} is listed, and not made"
    assert {name for name in made if "/" not in name} <= set(listed), "files that are not listed"


@pytest.mark.slow
def test_a_shipped_book_copied_as_the_page_says_is_a_book_of_ones_own(own_folder: Path) -> None:
    root = DOCS.parent
    shutil.copytree(root / "spec" / "ts_fight", "mine")
    shutil.copytree(root / "model" / "games" / "ts_fight", "mine/rules")
    for path in Path("mine").rglob("*.yaml"):
        path.write_text(path.read_text(encoding="utf-8").replace("book: ts_fight", "book: mine"), encoding="utf-8")
    files = look_through("mine", book_places()["mine"])
    assert not files.mistakes.diagnostics and len(files.scenarios) > 10 and len(files.sources) > 5


@pytest.mark.slow
@pytest.mark.parametrize(("page", "head", "lang"), [("README.md", "For a judge", "en"), ("README.ja.md", "ジャッジの方へ", "ja")])
def test_a_judge_comes_to_a_report_as_the_page_says(page: str, head: str, lang: str, own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = (DOCS.parent / page).read_text(encoding="utf-8").split(f"\n## {head}", 1)[1].split("\n## ", 1)[0]
    table, situation, commands = re.findall(r"^```\w*\n(.*?)^```", part, re.M | re.S)
    Path("two.csv").write_text(table, encoding="utf-8")
    Path("two.yaml").write_text(situation, encoding="utf-8")
    check, explain, combos = [line.partition("#")[0].split()[1:] for line in commands.splitlines()]
    assert main([*check, "--lang", lang]) == 1
    assert f"-{explain[1]}" in capsys.readouterr().out
    assert main([*explain, "--lang", lang]) == 0
    assert {"en": "6. How often it was named", "ja": "6. 宣言した回数"}[lang] in capsys.readouterr().out
    assert main([*combos, "--lang", lang]) == 1


def test_both_languages_take_the_same_way() -> None:
    for page in ("tutorial", "a-book"):
        ways = [[(b.language, "edit" in b.marks) for b in blocks_of(DOCS / f"{page}{lang}.md")] for lang in ("", ".ja")]
        assert ways[0] == ways[1]


def walk(blocks: list[Block], lang: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Do what the blocks say, one after the other."""
    for block in blocks:
        if "file" in block.marks:
            path = folder / block.marks["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif "edit" in block.marks:
            edit(folder / block.marks["edit"], block)
        elif block.language == "console":
            command, *shown = block.lines
            assert command.startswith("$ rulewright ")
            code = main([*words_of(command)[2:], "--lang", lang])
            said = capsys.readouterr()
            assert code in (0, 1), f"line {block.line}: {said.err}"
            missing = shown_in("\n".join(shown), said.out)
            assert missing is None, f"line {block.line}: `{missing}` is not in\n{said.out}"
        forget_books()


def words_of(command: str) -> list[str]:
    """The words of a command line; what stands in quotation marks is one."""
    return [(a or b) for a, b in re.findall(r'"([^"]*)"|(\S+)', command)]


def edit(path: Path, block: Block) -> None:
    """Change a file as the lines with `-` and `+` say; the others have to stand there as they are."""
    old = "".join(f"{line[1:]}\n" for line in block.lines if not line.startswith("+"))
    new = "".join(f"{line[1:]}\n" for line in block.lines if not line.startswith("-"))
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"line {block.line}: {path.name} does not have\n{old}\n{text}"
    path.write_text(text.replace(old, new), encoding="utf-8")
