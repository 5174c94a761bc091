"""What an editor is told of a draft: where numbers stand, what they mean, how a clause gets another number."""
from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from rulewright.checks.lint.outline import outline
from rulewright.checks.lint.places import NotRenamed, Places, under
from rulewright.checks.lint.reading import from_text
from rulewright.spec.diagnostics import split_lines

DRAFT = """# 札の遊び

1. 札
1.1. 種類
1.1.1. 札には表と裏があります。
1.1.2. 𠮷の札は2.1に従います。
1.2. 置き場
1.2.1. 札は山に置きます。2.10を参照してください。
2. 進行
2.1. 準備
2.1.1. 札を切ります（1.1.1）。
2.1.2. 7枚引きます。2.1.1の後に行います。
2.2. 終わり
2.2.1. 山がなくなると終わります。２．１を参照してください。
2.10. 補足
2.10.1. 2.1と2.10.1は別の条文です。
"""


def places(text: str = DRAFT) -> Places:
    return Places(outline("draft.md", from_text("draft.md", text).lines), split_lines(text))


def clause(at: Places, name: str) -> Any:
    return next(c for c in at.draft.numbered if c.name == name)


def renamed(text: str, name: str, to: str) -> str:
    at = places(text)
    lines = split_lines(text)
    for c in sorted(at.renamed(clause(at, name), to), key=lambda c: (c.line, -c.column)):
        line = lines[c.line - 1]
        assert line[c.column - 1 :].startswith(c.old)
        lines[c.line - 1] = line[: c.column - 1] + c.new + line[c.column - 1 + len(c.old) :]
    return "\n".join(lines)


# ---------------------------------------------------------------- places
def test_a_clause_knows_who_refers_to_it() -> None:
    at = places()
    assert [(m.line, m.written, m.heads) for m in at.of(clause(at, "2.1"))] == [
        (6, "2.1", False), (10, "2.1.", True), (14, "２．１", False), (16, "2.1", False)]
    assert at.told(clause(at, "2.1")).en == "**2.1** 準備\n\nReferred to in 1.1.2, 2.2.1, 2.10.1"
    assert at.told(clause(at, "1.2")).en.endswith("No reference to it was recognised.")


def test_what_a_clause_says_is_no_mark_and_steers_nothing_where_it_is_shown() -> None:
    at = places("1. 札\n1.1. |x| \x1b]0;z\u202e_a_\n")
    said = at.told(clause(at, "1.1")).en.split("\n")[0]
    assert said == r"**1.1** \|x\| \\x1b\]0;z\\u202e\_a\_", said
    with pytest.raises(NotRenamed) as e:
        at.renamed(clause(at, "1.1"), "1.\u202e")
    assert "\u202e" not in e.value.said.ja + e.value.said.en



@pytest.mark.parametrize(("line", "column", "means"), [
    (6, 12, "2.1"), (6, 15, "2.1"), (6, 11, None), (8, 20, "2.10"), (1, 3, None), (11, 15, "1.1.1"), (11, 14, None), (99, 1, None)])
def test_a_number_is_known_where_it_stands(line: int, column: int, means: str | None) -> None:
    one = places().at(line, column)
    assert (one and one.meant.name) == means


# ---------------------------------------------------------------- another number
def test_a_clause_and_all_below_it_get_another_number_everywhere() -> None:
    before, after = DRAFT.splitlines(), renamed(DRAFT, "2.1", "2.5").splitlines()
    assert [(a, b) for a, b in zip(before, after, strict=True) if a != b] == [
        ("1.1.2. 𠮷の札は2.1に従います。", "1.1.2. 𠮷の札は2.5に従います。"),
        ("2.1. 準備", "2.5. 準備"),
        ("2.1.1. 札を切ります（1.1.1）。", "2.5.1. 札を切ります（1.1.1）。"),
        ("2.1.2. 7枚引きます。2.1.1の後に行います。", "2.5.2. 7枚引きます。2.5.1の後に行います。"),
        ("2.2.1. 山がなくなると終わります。２．１を参照してください。", "2.2.1. 山がなくなると終わります。2.5を参照してください。"),
        ("2.10.1. 2.1と2.10.1は別の条文です。", "2.10.1. 2.5と2.10.1は別の条文です。")]


def test_a_number_there_and_back_is_the_draft_again() -> None:
    plain = DRAFT.replace("２．１", "2.1")
    assert renamed(renamed(plain, "1", "7"), "7", "1") == plain.removesuffix("\n") + "\n"


@pytest.mark.parametrize(("name", "to", "why"), [
    ("2.1", "2.2", "there is a clause 2.2 already"), ("2.1", "二", "not a number of the form"), ("2.1", "", "not a number of the form"),
    ("2.1", "2.1/../x", "not a number of the form"), ("2.1.1", "2.1.2", "already")])
def test_a_number_that_cannot_be_given_is_refused(name: str, to: str, why: str) -> None:
    at = places()
    with pytest.raises(NotRenamed, match=why):
        at.renamed(clause(at, name), to)


def test_a_table_of_contents_goes_along() -> None:
    text = "目次\n1. 札\n1.1. 種類\n2. 進行\n2.1. 準備\n\n" + DRAFT.partition("\n\n")[2]
    at = places(text)
    assert at.draft.contents is not None
    assert "2.5. 準備" in renamed(text, "2.1", "2.5").splitlines()[:5]


@pytest.mark.parametrize(("name", "top", "is_under"), [("3.2.1", "3.2", True), ("3.2a", "3.2", True), ("3.21", "3.2", False), ("13.2", "3.2", False), ("3-2-1", "3-2", True)])
def test_what_is_below_a_number(name: str, top: str, is_under: bool) -> None:
    assert under(name, top) is is_under


# ---------------------------------------------------------------- the server
class Editor(LanguageClient):
    """An editor that remembers what it is told."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.told: dict[int | None, list[lsp.Diagnostic]] = {}
        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda said: self.told.update({said.version: list(said.diagnostics)}))

    async def diagnostics(self, version: int) -> list[lsp.Diagnostic]:
        for _ in range(1200):
            if version in self.told:
                return self.told[version]
            await asyncio.sleep(0.05)
        raise TimeoutError


def edit(tmp_path: Path, work: Callable[[Editor, str], Any]) -> None:
    """Do this with a draft that is open in an editor."""
    file = tmp_path / "草案.md"
    file.write_text(DRAFT, encoding="utf-8")

    async def go() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "rulewright.checks", "language-server", "--ignore", "number-skipped", "--lang", "en")
        await editor.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities(), root_uri=tmp_path.as_uri()))
        editor.initialized(lsp.InitializedParams())
        editor.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(file.as_uri(), "markdown", 1, DRAFT)))
        await work(editor, file.as_uri())
        await editor.shutdown_async(None)
        editor.exit(None)
        server: Any = editor._server  # pyright: ignore[reportPrivateUsage]
        assert await asyncio.wait_for(server.wait(), 30) == 0
        await editor.stop()
    asyncio.run(go())


def test_findings_follow_the_draft_as_it_is_written(tmp_path: Path) -> None:
    async def work(editor: Editor, uri: str) -> None:
        assert await editor.diagnostics(1) == []
        for version, text in ((2, DRAFT.replace("2.10を", "2.9を")), (3, "")):
            editor.text_document_did_change(lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version, uri), [lsp.TextDocumentContentChangeWholeDocument(text)]))
            (one,) = await editor.diagnostics(version)
            if version == 2:
                assert (one.code, one.severity, one.range.start.line, one.range.start.character) == ("reference-missing", lsp.DiagnosticSeverity.Warning, 7, 16)
                assert one.message.startswith("there is no clause 2.9")
            else:
                assert (one.code, one.severity) == ("nothing-recognised", lsp.DiagnosticSeverity.Information)
    edit(tmp_path, work)


def test_an_editor_is_told_what_a_number_means_and_changes_it_everywhere(tmp_path: Path) -> None:
    async def work(editor: Editor, uri: str) -> None:
        here = lsp.TextDocumentIdentifier(uri)
        at = lsp.Position(5, 13)  # behind 𠮷, which counts twice in an editor
        hover = await editor.text_document_hover_async(lsp.HoverParams(here, at))
        assert hover is not None and isinstance(hover.contents, lsp.MarkupContent) and hover.contents.value.startswith("**2.1** 準備")
        found = await editor.text_document_definition_async(lsp.DefinitionParams(here, at))
        assert isinstance(found, lsp.Location) and found.range.start == lsp.Position(9, 0)
        uses = await editor.text_document_references_async(lsp.ReferenceParams(lsp.ReferenceContext(False), here, at))
        assert [(u.range.start.line, u.range.start.character) for u in uses or ()] == [(5, 12), (13, 20), (15, 8)]
        edits = await editor.text_document_rename_async(lsp.RenameParams(here, at, "2.5"))
        assert edits is not None and edits.changes is not None and len(edits.changes[uri]) == 7
        with pytest.raises(JsonRpcException, match=r"there is a clause 2\.2 already"):
            await editor.text_document_rename_async(lsp.RenameParams(here, at, "2.2"))
        symbols = await editor.text_document_document_symbol_async(lsp.DocumentSymbolParams(here))
        assert [s.name for s in symbols or ()][1:] == ["1. 札", "2. 進行"]
        assert await editor.text_document_hover_async(lsp.HoverParams(here, lsp.Position(0, 2))) is None
    edit(tmp_path, work)
