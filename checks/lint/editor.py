"""A language server for drafts: findings as one writes, what a clause number means, where it is used, and renumbering.

What is said is in the language asked for; lines and columns of the protocol count from 0, those of the linter from 1. Editors
without support for the protocol need none of this; `rulewright lint` says the same.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec

from ...spec.diagnostics import BadInput, one_line, split_lines
from ...spec.text import Lang, Text
from .findings import Found, Severity
from .linting import Options, chosen_rules, known_beside, lint_source
from .model import Clause
from .outline import outline
from .places import Mention, NotRenamed, Places
from .reading import from_text

PAUSE = 0.4
"""Seconds without a further change after which a draft is looked through."""
SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}
T = TypeVar("T")


class Opened:
    """A draft as it stands in the editor."""

    def __init__(self, uri: str, source: str, codec: PositionCodec, options: Options) -> None:
        self.uri, self.codec, self.options = uri, codec, options
        self.file = to_fs_path(uri) or uri
        self.lines = split_lines(source)
        self.source = from_text(self.file, source)
        self._places: Places | None = None

    @property
    def places(self) -> Places:
        """Where its clauses are."""
        if self._places is None:
            self._places = Places(outline(self.file, self.source.lines), self.lines)
        return self._places

    def range(self, line: int, column: int, size: int) -> lsp.Range:
        """A range of the protocol: from a place (from 1), so many characters."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        begin = min(max(0, column - 1), len(text))
        ends = (begin, min(begin + size, len(text)))
        return lsp.Range(*(self.codec.position_to_client_units(self.lines, lsp.Position(line - 1, at)) for at in ends))

    def mention(self, position: lsp.Position) -> Mention | None:
        """The number of a clause at a position of the protocol."""
        at = self.codec.position_from_client_units(self.lines, lsp.Position(position.line, position.character))
        return self.places.at(at.line + 1, at.character + 1)

    def place(self, one: Mention) -> lsp.Location:
        """Where it stands, for the protocol."""
        return lsp.Location(self.uri, self.range(one.line, one.column, len(one.written)))

    def head(self, clause: Clause) -> lsp.Location:
        """Where a clause begins."""
        written = clause.label.written if clause.label is not None else clause.title
        return lsp.Location(self.uri, self.range(clause.line, clause.column, len(written)))

    # ------------------------------------------------------------ what is answered
    def diagnostics(self, lang: Lang) -> list[lsp.Diagnostic]:
        """What the linter finds; where nothing is recognised, that that is so."""
        try:
            found = lint_source(
                self.source, self.options, chosen_rules(self.options), known_beside(Path(self.file), self.options)
            ).found
        except BadInput as error:
            return [
                lsp.Diagnostic(
                    self.range(at.line if at else 1, at.column if at else 1, 1),
                    one_line(d.message.in_(lang)),
                    severity=lsp.DiagnosticSeverity.Information,
                    source="rulewright",
                    code=d.code,
                )
                for d in error.diagnostics
                for at in [d.position]
            ]
        return [self._diagnostic(one, lang) for one in found]

    def _diagnostic(self, one: Found, lang: Lang) -> lsp.Diagnostic:
        said = [one.message.in_(lang), *([] if one.suggestion is None else [one.suggestion.in_(lang)])]
        return lsp.Diagnostic(
            self.range(one.line, one.column, len(one.shown) or 1),
            one_line(" ".join(said)),
            severity=SEVERITIES[one.severity],
            code=one.rule,
            source="rulewright",
            data=None if one.fix is None else one.fix.new,
        )

    def hover(self, position: lsp.Position, lang: Lang) -> lsp.Hover | None:
        """What the clause is, and who refers to it."""
        one = self.mention(position)
        if one is None:
            return None
        return lsp.Hover(
            lsp.MarkupContent(lsp.MarkupKind.Markdown, self.places.told(one.meant).in_(lang)), self.place(one).range
        )

    def definition(self, position: lsp.Position) -> lsp.Location | None:
        """Where the clause is."""
        one = self.mention(position)
        return None if one is None else self.head(one.meant)

    def uses(self, position: lsp.Position, itself: bool) -> list[lsp.Location]:
        """Where it is referred to."""
        one = self.mention(position)
        return [] if one is None else [self.place(o) for o in self.places.of(one.meant) if itself or not o.heads]

    def renamed(self, position: lsp.Position, to: str, lang: Lang) -> lsp.WorkspaceEdit | None:
        """The changes for another number. Raises what the editor shows as a message."""
        one = self.mention(position)
        if one is None:
            return None
        try:
            changes = self.places.renamed(one.meant, to)
        except NotRenamed as error:
            raise JsonRpcInvalidParams(error.said.in_(lang)) from None
        return lsp.WorkspaceEdit(
            {self.uri: [lsp.TextEdit(self.range(c.line, c.column, len(c.old)), c.new) for c in changes]}
        )

    def outline(self) -> list[lsp.DocumentSymbol]:
        """Its clauses, one below the other."""
        def symbol(clause: Clause) -> lsp.DocumentSymbol:
            at = self.head(clause).range
            name = one_line(f"{clause.label.written} {clause.title}" if clause.label is not None else clause.title)[
                :80
            ].strip()
            return lsp.DocumentSymbol(
                name or "-",
                lsp.SymbolKind.Module if clause.heading else lsp.SymbolKind.Key,
                at,
                at,
                children=[*map(symbol, clause.children)],
            )

        return [symbol(clause) for clause in self.places.draft.clauses if clause.parent is None]

    def fixes(self, given: Sequence[lsp.Diagnostic], lang: Lang) -> list[lsp.CodeAction]:
        """The safe changes of these findings."""
        title = Text(ja="「{}」に直す", en="write {}").in_(lang)
        return [
            lsp.CodeAction(title.format(d.data), kind=lsp.CodeActionKind.QuickFix, diagnostics=[d],
                           edit=lsp.WorkspaceEdit({self.uri: [lsp.TextEdit(d.range, d.data)]}))
            for d in given if d.source == "rulewright" and isinstance(d.data, str)]


def server(lang: Lang, version: str, options: Options) -> LanguageServer:
    """The server; `start_io` begins."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it would write what is answered to the editor into its log, too
    made = LanguageServer("rulewright", version, lsp.TextDocumentSyncKind.Full)
    waiting: dict[str, asyncio.Task[None]] = {}
    kept: dict[str, tuple[int | None, Opened]] = {}

    def opened(uri: str) -> Opened:
        document = made.workspace.get_text_document(uri)
        version, known = kept.get(uri, (None, None))
        if known is None or version is None or version != document.version:
            known = Opened(uri, document.source, made.workspace.position_codec, options)
            kept[uri] = document.version, known
        return known

    async def look_through(uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        draft = opened(uri)
        found = await asyncio.to_thread(draft.diagnostics, lang)
        if kept.get(uri, (None, None))[1] is draft:  # else it was changed meanwhile, and is looked through again
            made.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, kept[uri][0]))

    def changed(uri: str, pause: float) -> None:
        if uri in waiting:
            waiting[uri].cancel()
        waiting[uri] = asyncio.ensure_future(look_through(uri, pause))

    def feature(name: str, answer: Callable[[Any], T], options: Any = None) -> None:
        made.feature(name, options)(answer)
    feature(lsp.TEXT_DOCUMENT_DID_OPEN, lambda asked: changed(asked.text_document.uri, 0.0))
    feature(lsp.TEXT_DOCUMENT_DID_CHANGE, lambda asked: changed(asked.text_document.uri, PAUSE))
    feature(lsp.TEXT_DOCUMENT_DID_CLOSE, partial(closed, made, waiting, kept))
    feature(lsp.TEXT_DOCUMENT_HOVER, lambda asked: opened(asked.text_document.uri).hover(asked.position, lang))
    feature(lsp.TEXT_DOCUMENT_DEFINITION, lambda asked: opened(asked.text_document.uri).definition(asked.position))
    feature(
        lsp.TEXT_DOCUMENT_REFERENCES,
        lambda asked: opened(asked.text_document.uri).uses(asked.position, asked.context.include_declaration),
    )
    feature(
        lsp.TEXT_DOCUMENT_RENAME,
        lambda asked: opened(asked.text_document.uri).renamed(asked.position, asked.new_name, lang),
    )
    feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda asked: opened(asked.text_document.uri).outline())
    feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lambda asked: opened(asked.text_document.uri).fixes(asked.context.diagnostics, lang),
    )
    return made


def closed(
    made: LanguageServer,
    waiting: dict[str, asyncio.Task[None]],
    kept: dict[str, tuple[int | None, Opened]],
    asked: lsp.DidCloseTextDocumentParams,
) -> None:
    """A draft is closed: nothing is said of it any more."""
    uri = asked.text_document.uri
    if (task := waiting.pop(uri, None)) is not None:
        task.cancel()
    kept.pop(uri, None)
    made.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
