"""A YAML file as nodes that know where they stand.

Every scalar is kept as the text that was written: `4.10` is "4.10", `yes` is "yes"; what it means is for the
schema to say. Anchors, aliases, merge keys, tags and several documents in one file are refused. Everything
that is wrong goes to a `Collector`; nothing is raised for anything that a file can hold. """
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from ruamel.yaml import __version__ as ruamel_version
from ruamel.yaml import events
from ruamel.yaml.error import YAMLError

from .broken import MOST_ALIKE, Slip, invisible, not_utf8, slips, syntax_error, wide_brackets
from .diagnostics import INVISIBLE, BadInput, Collector, Diagnostic, Position, look, shown, split_lines
from .events import events_of
from .kept import made
from .nodes import Entry, ListNode, MapNode, Node, Origin, Style, TextNode
from .reading import SPLIT, file_bytes
from .text import Text

MAX_BYTES = 2 * 1024 * 1024
MAX_VALUES = 100_000
MAX_DEPTH = 64
PARSER = ruamel_version
"""What kept documents depend on besides their text."""
WORTH_KEEPING = 400
"""Characters of a file that takes longer to read than to look up what was read before."""


# ---------------------------------------------------------------- files
def read_document(path: Path | str) -> Node:
    """The root node of a file. Raises `BadInput` if anything is wrong with it."""
    report = Collector()
    node = compose(path, report)
    report.raise_if_any()
    assert node is not None
    return node


def compose(path: Path | str, report: Collector) -> Node | None:
    """The root node of a file; `None` if there is none. What is wrong is reported, even if there is a
    node."""
    data = content_of(Path(path), report)
    return None if data is None else compose_text(data, str(path), report)


def compose_text(data: bytes | str, file: str, report: Collector, keep: bool = True) -> Node | None:
    """The root node of the content of a file; kept for the next time, unless what is made of it is."""
    if len(data) > MAX_BYTES:
        report.add(Diagnostic(Position(file, 1, 1), "too-large", Text(
            ja=f"ファイルが大きすぎます（上限 {MAX_BYTES // 1024 // 1024} MiB）",
            en=f"the file is too large (at most {MAX_BYTES // 1024 // 1024} MiB)",
        ), SPLIT))
        return None
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8")
        except UnicodeDecodeError as error:
            report.add(not_utf8(data, file, error))
            return None
    lines = split_lines(data.removeprefix("\ufeff"))
    hidden = [*islice(_invisible(file, lines), MOST_ALIKE)]
    report.add_all(hidden)
    if hidden:
        return None
    found: list[Diagnostic] = []

    def read() -> Node | None:
        own = Collector()
        node = _Composer(file, lines, own).document()
        found.extend(own.diagnostics)
        return node
    if not keep or len(data) < WORTH_KEEPING:
        node = read()
    else:
        node = made("documents", f"{PARSER}\n{file}\n{data}", read, lambda _: not found)
    report.add_all(found)
    return node


def _invisible(file: str, lines: Sequence[str]) -> Iterator[Diagnostic]:
    for number, line in enumerate(lines, 1):
        for found in INVISIBLE.finditer(line):
            yield invisible(found[0], Position(file, number, found.start() + 1))


def content_of(path: Path, report: Collector) -> bytes | None:
    """What a file contains; that it cannot be read is reported."""
    try:
        return file_bytes(path, MAX_BYTES)
    except BadInput as error:
        report.add_all(error.diagnostics)
    return None


# ---------------------------------------------------------------- from parser events to nodes
class _Stop(Exception):
    """Nothing more can be read; the reason has been reported."""


_PARSER_FAILURES = (
    YAMLError, ValueError, OverflowError, AssertionError, AttributeError, LookupError, TypeError,
)
"""What the parser raises for broken files: its own errors, and what it stumbles over on the way (an escape
for a character that does not exist, say)."""

_STYLES = {None: Style.PLAIN, "": Style.PLAIN} | {style.value: style for style in Style}


class _Composer:
    """Builds nodes from the events of one file."""

    def __init__(self, file: str, lines: list[str], report: Collector) -> None:
        self.file = file
        self.lines = lines
        self.report = report
        self.reached = Position(file, 1, 1)
        self.values = 0
        self.events = events_of("\n".join(lines))

    def document(self) -> Node | None:
        """The only document of the file."""
        try:
            event = self.next()
            while isinstance(event, events.StreamStartEvent):
                event = self.next()
            if not isinstance(event, events.DocumentStartEvent):
                self.empty()
            if event.version or event.tags:
                at = next((n for n, line in enumerate(self.lines, 1) if line.startswith("%")), 1)
                self.add(Position(self.file, at, 1), "directive", Text(
                    ja="「%」で始まる指示は使えません", en="directives (`%…`) cannot be used here",
                ), Text(ja="この行を消してください", en="delete this line"), self.lines[at - 1])
            root = self.node(self.next(), 1)
            self.next()
            event = self.next()
            if isinstance(event, events.DocumentStartEvent):
                self.add(self.reached, "several-documents", Text(
                    ja="一つのファイルに複数の文書は書けません", en="a file can hold only one document",
                ), Text(ja="「---」の行を消すか、ファイルを分けてください",
                        en="delete the line `---`, or split the file"), "---")
            elif isinstance(root, TextNode) and root.missing:
                self.empty()
            return root
        except _Stop:
            return None

    def empty(self) -> NoReturn:
        self.add(Position(self.file, 1, 1), "empty-file", Text(
            ja="ファイルに何も書かれていません", en="the file is empty",
        ))
        raise _Stop

    def next(self) -> Any:
        """The parser's next event; its failures are reported."""
        try:
            event = next(self.events)
        except _PARSER_FAILURES as error:
            self.report.add_all(syntax_error(error, self.file, self.lines, self.reached))
            raise _Stop from None
        self.reached = self.position(event)
        return event

    def position(self, event: Any) -> Position:
        return Position(self.file, event.start_mark.line + 1, event.start_mark.column + 1)

    def add(
        self, position: Position, code: str, message: Text,
        hint: Text | None = None, value: str | None = None,
    ) -> None:
        self.report.add(Diagnostic(position, code, message, hint, value))

    def node(self, event: Any, depth: int) -> Node:
        """The node that begins with this event."""
        position = self.position(event)
        if depth > MAX_DEPTH:
            self.add(position, "too-deep", Text(
                ja=f"入れ子が深すぎます（上限 {MAX_DEPTH}）",
                en=f"this is nested too deeply (at most {MAX_DEPTH})",
            ))
            raise _Stop
        self.values += 1
        if self.values > MAX_VALUES:
            self.add(position, "too-large", Text(
                ja=f"ファイルが大きすぎます（上限 値 {MAX_VALUES} 個）",
                en=f"the file is too large (at most {MAX_VALUES} values)",
            ), SPLIT)
            raise _Stop
        if isinstance(event, events.AliasEvent):
            self.refuse(position, "alias", "エイリアス", "aliases")
            return TextNode("", position, Style.REFUSED)
        if event.anchor is not None:
            self.refuse(position, "anchor", "アンカー", "anchors")
        if event.ctag is not None:
            self.refuse(position, "tag", "タグ", "tags")
        if isinstance(event, events.SequenceStartEvent):
            return self.sequence(position, bool(event.flow_style), depth)
        if isinstance(event, events.MappingStartEvent):
            return self.mapping(position, bool(event.flow_style), depth)
        return self.scalar(event, position)

    def refuse(self, position: Position, code: str, ja: str, en: str) -> None:
        """Part of YAML, but not of our files."""
        value = re.split(r"[\s:,]", self.lines[position.line - 1][position.column - 1 :])[0]
        self.add(position, code, Text(
            ja=f"YAML の{ja}（{shown(value)}）は使えません",
            en=f"YAML's {en} (`{shown(value)}`) cannot be used here",
        ), Text(
            ja='内容をそのまま書いてください。文の一部なら、文全体を "…" で囲んでください',
            en='write the content itself; if this is part of a text, put the text in "…"',
        ), value)

    def scalar(self, event: Any, position: Position) -> TextNode:
        begin = (event.start_mark.line, event.start_mark.column)
        end = (event.end_mark.line, event.end_mark.column)
        if INVISIBLE.search(event.value):
            self.report.add(invisible(INVISIBLE.findall(event.value)[0], position))
            return TextNode("", position, Style.REFUSED)
        return TextNode(event.value, position, _STYLES[event.style], Origin(self.lines, begin, end))

    def sequence(self, position: Position, flow: bool, depth: int) -> ListNode:
        items: list[Node] = []
        while not isinstance(event := self.next(), events.SequenceEndEvent):
            items.append(self.node(event, depth + 1))
        return ListNode(tuple(items), position, flow)

    def mapping(self, position: Position, flow: bool, depth: int) -> MapNode:
        entries: list[Entry] = []
        seen: dict[str, TextNode] = {}
        complete = True
        while not isinstance(event := self.next(), events.MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(self.next(), depth + 1)
            if not self.usable(key, seen) or (flow and entries and self.lacks_colon(key, value)):
                complete = False
            elif isinstance(key, TextNode):
                seen[look(key.text)] = key
                entries.append(Entry(key, self.after(key, value)))
        return MapNode(tuple(entries), position, flow, complete)

    def lacks_colon(self, key: Node, value: Node) -> bool:
        """Is this no key and value, but mostly the rest of a text with a comma in it? That is reported."""
        if not (isinstance(key, TextNode) and isinstance(value, TextNode) and value.missing and key.origin is not None):
            return False
        row, column = key.origin.end
        if re.match(r"\s*:", self.lines[row][column:]) is not None:
            return False
        self.add(key.position, "no-colon", Text(
            ja=f"「{shown(key.text)}」のあとに「:」と値がありません", en=f"there is no `:` and no value behind `{shown(key.text)}`",
        ), wide_brackets(key.text) or Text(ja='「,」を含む文なら、文全体を "…" で囲んでください', en='if it belongs to a text with a `,` in it, put the whole text in "…"'), key.text)
        return True

    def after(self, key: TextNode, value: Node) -> Node:
        """The value; if it is missing, it stands behind the colon, not where the parser noticed."""
        if not (isinstance(value, TextNode) and value.missing and key.origin is not None):
            return value
        row, column = key.origin.end
        colon = re.compile(r"\s*:").match(self.lines[row], column)
        at = (row, colon.end() if colon else column)
        position = Position(self.file, at[0] + 1, at[1] + 1)
        return TextNode("", position, value.style, Origin(self.lines, at, at))

    def usable(self, key: Node, seen: dict[str, TextNode]) -> bool:
        """Can this be a key here? If not, why is reported."""
        if not isinstance(key, TextNode):
            self.add(key.position, "key-not-text", Text(
                ja="項目名にリストや組は使えません", en="a key cannot be a list or a map",
            ), Text(
                ja='「[」や「{」で始まる文なら "…" で囲んでください', en='if it is a text, put it in "…"',
            ))
            return False
        if key.refused:
            return False
        if key.text == "<<" and key.style is Style.PLAIN:
            self.refuse(key.position, "merge-key", "マージキー", "merge keys")
            return False
        slip = self.slip_before(key)
        if slip is not None:
            self.report.add(slip.at(self.file))
            return False
        if not key.text.strip():
            self.add(key.position, "empty-key", Text(
                ja="「:」の前に項目名がありません", en="there is no key before the `:`",
            ))
            return False
        first = seen.get(look(key.text))
        if first is not None:
            other = (
                ""
                if unicodedata.normalize("NFC", first.text) == unicodedata.normalize("NFC", key.text)
                else shown(first.text)
            )
            self.add(key.position, "duplicate-key", Text(
                ja=f"項目「{shown(key.text)}」が二度書かれています（一度目は {first.position.line} 行目{other and f'の「{other}」'}）",
                en=f"the key `{shown(key.text)}` is written twice (first in line {first.position.line}{other and f', as `{other}`'})",
            ), Text(ja="どちらかを消してください", en="delete one of them"), key.text)
        return first is None

    def slip_before(self, key: TextNode) -> Slip | None:
        """A full-width space or dash that has become part of a key."""
        found = re.match(r"[-－]?\u3000|－ ", key.text)
        if key.style is not Style.PLAIN or found is None:
            return None
        line = key.position.line
        return next(slips([self.lines[line - 1]], line), None)
