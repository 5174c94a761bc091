"""What a file may say, as shapes over its nodes.

A *shape* reads a node into a value, or reports what is wrong and raises `Unreadable`. Shapes are put
together so that a reader looks like the description of its format::

    def a_term(m: Fields) -> Term:
        return Term(
            id=m.required("id", located(identifier), "番号"),
            name=in_both_languages(m),
            clause=m.optional("clause", clause_id, "条文"),
        )

    TERMS = list_of(record(a_term))

All fields are read before the record is given up, so that every mistake of a file is reported. A field that
could not be read holds no value meanwhile: such a function does nothing with the values but pass them on.
"""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast, overload

from .broken import key_slip
from .diagnostics import Collector, Diagnostic, Position, did_you_mean, look, nearest, shown
from .document import PARSER, ListNode, MapNode, Node, TextNode, compose_text, content_of
from .kept import made
from .scalars import (
    Shape,
    Unreadable,
    boolean,
    card_number,
    choice,
    clause_id,
    date,
    identifier,
    integer,
    line,
    name_of,
    other_kind,
    refuse,
    statements,
    text,
    text_node,
)
from .text import Text

__all__ = [
    "Fields",
    "Located",
    "Shape",
    "Unreadable",
    "bilingual",
    "boolean",
    "card_number",
    "choice",
    "clause_id",
    "date",
    "identifier",
    "in_both_languages",
    "integer",
    "items_of",
    "list_of",
    "located",
    "map_of",
    "name_of",
    "raw",
    "raw_map",
    "read_as",
    "read_file",
    "read_partly",
    "read_text",
    "record",
    "refuse",
    "statements",
    "text",
    "text_node",
    "title",
    "words",
]

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Located(Generic[T]):
    """A value and where it stands. For values of a map, `key` is where its key stands."""

    value: T
    position: Position
    key: Position | None = None


# ---------------------------------------------------------------- from a file
def read_file(
    path: Path | str,
    shape: Shape[T],
    kept_as: str = "",
    depends: object = "",
    worth: Callable[[T], bool] = lambda said: True,
) -> T:
    """What a file says. Raises `BadInput` with everything that is wrong with it.

    `kept_as`: keep it for the next time under this kind, where it is `worth` that; `depends`: what it depends on besides the
    file, as its text.
    """
    path, report = Path(path), Collector()
    data = content_of(path, report)
    report.raise_if_any()
    assert data is not None

    def read() -> T:
        return _finished(compose_text(data, str(path), report, keep=not kept_as), shape, report)
    if not kept_as:
        return read()
    return made(kept_as, f"{PARSER}\n{path}\n{depends}\n{data!r}", read, worth)


def read_text(content: str | bytes, file: str, shape: Shape[T]) -> T:
    """The same for content at hand; `file` is the name used in messages."""
    report = Collector()
    return _finished(compose_text(content, file, report), shape, report)


def read_as(shape: Shape[T], node: Node, report: Collector) -> T | None:
    """A node's value; `None` if it does not have the shape, which is then reported."""
    try:
        return shape(node, report)
    except Unreadable:
        return None


def _finished(node: Node | None, shape: Shape[T], report: Collector) -> T:
    value = None if node is None else read_as(shape, node, report)
    report.raise_if_any()
    return cast(T, value)


# ---------------------------------------------------------------- nodes as they are
def raw(node: Node, report: Collector) -> Node:
    """Anything, for later: what only the model can judge."""
    if isinstance(node, TextNode) and (node.refused or node.missing):
        text_node(node, report)
    return node


def raw_map(node: Node, report: Collector) -> MapNode:
    """A map, for later."""
    if not isinstance(node, MapNode):
        other_kind(node, report, MapNode)
    return node


def words(node: Node, report: Collector) -> TextNode | tuple[TextNode, ...]:
    """A text, or a list of texts, for later."""
    return list_of(text_node)(node, report) if isinstance(node, ListNode) else text_node(node, report)


def located(shape: Shape[T]) -> Shape[Located[T]]:
    """The same with its position."""
    return lambda node, report: Located(shape(node, report), node.position)


# ---------------------------------------------------------------- lists and maps
def list_of(
    shape: Shape[T], *, least: int = 0, unique: Callable[[T], Located[str]] | None = None,
) -> Shape[tuple[T, ...]]:
    """A list, each item of the same shape; `unique` gives the text that no two items may share."""

    def read(node: Node, report: Collector) -> tuple[T, ...]:
        if not isinstance(node, ListNode):
            other_kind(node, report, ListNode)
        if len(node.items) < least:
            refuse(node, report, "too-few", Text(
                ja=f"{least} 個以上必要です", en=f"at least {least} needed here",
            ))
        out, failed = items_of(node.items, shape, report, unique)
        if failed:
            raise Unreadable
        return tuple(out)

    return read


def items_of(
    nodes: Sequence[Node], shape: Shape[T], report: Collector, unique: Callable[[T], Located[str]] | None = None,
) -> tuple[list[T], bool]:
    """The items that can be read, those that share a name with another included; and whether anything is wrong, which is reported."""
    out: list[T] = []
    seen: dict[str, Located[str]] = {}
    failed = False
    for node in nodes:
        try:
            out.append(shape(node, report))
        except Unreadable:
            failed = True
            continue
        if unique is not None:
            failed |= not _first(unique(out[-1]), seen, report)
    return out, failed


def _first(name: Located[str], seen: dict[str, Located[str]], report: Collector) -> bool:
    before = seen.setdefault(look(name.value), name)
    if before is name:
        return True
    line, other = before.position.line, shown(before.value)
    report.add(Diagnostic(name.position, "used-twice", Text(
        ja=f"「{shown(name.value)}」は {line} 行目でも使われています", en=f"`{shown(name.value)}` is used in line {line} as well",
    ) if before.value == name.value else Text(
        ja=f"「{shown(name.value)}」は {line} 行目の「{other}」と同じに見えます", en=f"`{shown(name.value)}` looks like `{other}` in line {line}",
    ), Text(ja="別の名前にしてください", en="give one of them another name"), name.value))
    return False


def map_of(shape: Shape[T], *, key: Shape[Any] | None = None) -> Shape[dict[str, Located[T]]]:
    """A map with keys that are free (but of the shape `key`), in the order written."""

    def read(node: Node, report: Collector) -> dict[str, Located[T]]:
        fields = Fields(raw_map(node, report), report)
        out = fields.rest(shape, key=key)
        fields.finish()
        return out

    return read


def record(read_fields: Callable[[Fields], T]) -> Shape[T]:
    """A map with the keys that a function asks for, and no others."""

    def read(node: Node, report: Collector) -> T:
        fields = Fields(raw_map(node, report), report)
        value = read_fields(fields)
        fields.finish()
        return value

    return read


def read_partly(path: Path, read_fields: Callable[[Fields], T], report: Collector) -> tuple[T, set[str]] | None:
    """A file of one record although something in it is wrong, which is reported: what could not be read holds no value, or its default; and the
    keys in which something is wrong. None where nothing can be made of it."""
    data = content_of(path, report)
    node = None if data is None else compose_text(data, str(path), report)
    if not isinstance(node, MapNode):
        return None
    fields = Fields(node, report)
    try:
        value = read_fields(fields)
    except Unreadable:
        return None
    with suppress(Unreadable):
        fields.finish()
    return value, fields.wrong


KEYS = Text(ja="書ける項目", en="possible keys")


class Fields:
    """The fields of a map while a record is made of them. A key may be written in any of its names."""

    def __init__(self, node: MapNode, report: Collector) -> None:
        self.position = node.position
        self._node = node
        self._report = report
        self._entries = {unicodedata.normalize("NFC", e.key.text): e for e in node.entries}
        self._known: list[str] = []
        self._used: set[str] = set()
        self._failed = not node.complete
        self._lacking: list[tuple[Sequence[str], Diagnostic]] = []
        self.wrong: set[str] = set()
        """Keys in whose values something is wrong."""

    def no(self, key: str, code: str, message: Text, hint: Text) -> None:
        """Where this key is written, it is a record of another kind: that is reported, and nothing else of it."""
        if key in self._entries:
            self._add(self._entries[key].key, code, message, hint)
            raise Unreadable

    def required(self, key: str, shape: Shape[T], *aliases: str) -> T:
        """The value of a key that must be there."""
        if not self._written(key, aliases):
            ja = "か".join(f"「{name}: …」" for name in (key, *aliases))
            self._missing((key, *aliases), Text(
                ja=f"項目「{key}」がありません", en=f"the key `{key}` is missing",
            ), Text(ja=f"{ja}と書いてください", en=f"write `{key}: …`"))
            return cast(T, None)
        return cast(T, self._read(key, shape, aliases))

    @overload
    def optional(self, key: str, shape: Shape[T], *aliases: str) -> T | None: ...
    @overload
    def optional(self, key: str, shape: Shape[T], *aliases: str, default: U) -> T | U: ...
    def optional(self, key: str, shape: Shape[Any], *aliases: str, default: Any = None) -> Any:
        """The value of a key, or the default if the key is not written (or what is written cannot be read: that is reported)."""
        return self._read(key, shape, aliases, default) if self._written(key, aliases) else default

    def has(self, *names: str) -> bool:
        """Is a key written, in any of these names?"""
        return any(name in self._entries for name in names)

    def one_of(self, *keys: tuple[str, Shape[T], str]) -> T:
        """The value of the one key that is written, of several that exclude each other: key, shape,
        alias."""
        found = [(key, shape, alias) for key, shape, alias in keys if self._written(key, (alias,))]
        names = [key for key, _, _ in keys]
        ja, en = "」「".join(names), "`, `".join(names)
        if not found:
            self._missing([name for key, _, alias in keys for name in (key, alias)], Text(
                ja=f"項目「{ja}」のどれかが必要です", en=f"one of the keys `{en}` is needed",
            ))
            return cast(T, None)
        for key, _, alias in found[1:]:
            entry = self._entries[key if key in self._entries else alias]
            self._add(entry.key, "one-of", Text(
                ja=f"項目「{ja}」は、どれか一つだけ書けます",
                en=f"only one of the keys `{en}` can be written",
            ))
        return cast(T, self._read(found[0][0], found[0][1], (found[0][2],)))

    def rest(self, shape: Shape[T], *, key: Shape[Any] | None = None) -> dict[str, Located[T]]:
        """All fields not asked for so far: ask for them last."""
        out: dict[str, Located[T]] = {}
        for name, entry in self._entries.items():
            if name in self._used:
                continue
            self._used.add(name)
            try:
                if key is not None:
                    key(entry.key, self._report)
                value = shape(entry.value, self._report)
                out[name] = Located(value, entry.value.position, entry.key.position)
            except Unreadable:
                self._failed = True
        return out

    def finish(self) -> None:
        """Report the keys that nobody asked for, and those that are missing unless they are merely misspelt;
        give the record up if anything is wrong."""
        meant: set[str | None] = set()
        for name, entry in self._entries.items():
            if name in self._used:
                continue
            slip = key_slip(name, entry.key.position.line, entry.key.position.column)
            if slip is not None:
                self._failed = True
                self._report.add(slip.at(entry.key.position.file))
                meant.add(nearest(re.split("[:：]", name)[0], self._known))
                continue
            self._add(entry.key, "unknown-key", Text(
                ja=f"「{shown(name)}」という項目はありません", en=f"there is no key `{shown(name)}` here",
            ), did_you_mean(name, self._known, label=KEYS) or did_you_mean(
                name, [k for k in self._known if k.isascii() == name.isascii()] or self._known, label=KEYS))
            meant.add(nearest(name, self._known))
        self._report.add_all(
            diagnostic for names, diagnostic in self._lacking if self._node.complete and meant.isdisjoint(names))
        if self._failed:
            raise Unreadable

    def _written(self, key: str, aliases: Sequence[str]) -> bool:
        """Is the key there, in any of its names? If in two of them, that is reported."""
        names = (key, *aliases)
        self._known += [name for name in names if name not in self._known]
        there = [name for name in self._entries if name in names]
        self._used.update(there)
        for other in there[1:]:
            self._add(self._entries[other].key, "duplicate-key", Text(
                ja=f"「{there[0]}」と「{other}」は同じ項目です",
                en=f"`{there[0]}` and `{other}` are the same key",
            ), Text(ja="どちらかを消してください", en="delete one of them"))
        return bool(there)

    def _read(self, key: str, shape: Shape[T], aliases: Sequence[str], otherwise: T | None = None) -> T | None:
        name = next(name for name in self._entries if name == key or name in aliases)
        before = self._report.count
        try:
            return shape(self._entries[name].value, self._report)
        except Unreadable:
            self._failed = True
            return otherwise
        finally:
            if self._report.count > before:
                self.wrong.add(key)

    def _missing(self, names: Sequence[str], message: Text, hint: Text | None = None) -> None:
        self._failed = True
        self._lacking.append((names, Diagnostic(self.position, "missing-key", message, hint, names[0])))

    def _add(self, node: TextNode, code: str, message: Text, hint: Text | None = None) -> None:
        self._failed = True
        self._report.add(Diagnostic(node.position, code, message, hint, node.text))


def bilingual(node: Node, report: Collector, one: Shape[str] = text) -> Text:
    """A text in both languages, `{ja: …, en: …}`, or one text for both (as in `{ja: …}`)."""
    if isinstance(node, MapNode):
        return record(lambda m: in_both_languages(m, one))(node, report)
    return Text.same(one(node, report))


def title(node: Node, report: Collector) -> Text:
    """The same on one line: a name, a title."""
    return bilingual(node, report, line)


def in_both_languages(m: Fields, one: Shape[str] = text) -> Text:
    """The two fields of a bilingual text. Where only one is written, it stands for both."""
    if not m.has("ja", "日本語", "en", "英語"):
        return Text.same(m.required("ja", one, "日本語"))
    ja, en = m.optional("ja", one, "日本語"), m.optional("en", one, "英語")
    return Text(ja=ja or en or "", en=en or ja or "")
