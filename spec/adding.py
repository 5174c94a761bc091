"""An entry added to the text of a YAML file that people keep: everything that is in it stays as it was written, comments, order
and line ends too.

The entries are maps of texts, or lists of such maps. What is said anew of an entry that is there goes behind what was said
before. So text is only ever put in; nothing is taken out or laid out anew."""
from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

PLAIN = re.compile(r"[^\W_](?:[\w .()/+-]*[\w)])?")
"""Text that YAML takes as it is, wherever it stands."""


def with_entry(text: str, sections: Sequence[str], name: str, said: Mapping[str, str]) -> str:
    """The text of a file with an entry of this name in the first of the sections that it has."""
    mark, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    end = "\r\n" if "\r\n" in text else "\n"
    root: Any = YAML(pure=True).compose(text)  # pyright: ignore[reportUnknownMemberType]
    section = next(value for key, value in root.value if key.value in sections)
    if isinstance(section, ScalarNode):  # nothing below the heading yet
        put = {text.rindex(end) if text.endswith(end) else len(text): end + end.join(block(name, said, 2))}
    else:
        entry = next((value for key, value in section.value if key.value == name), None)
        put = in_section(text, section, name, said, end) if entry is None else in_entry(text, entry, said, end)
    for at in sorted(put, reverse=True):
        text = text[:at] + put[at] + text[at:]
    return mark + text


def in_section(text: str, section: Any, name: str, said: Mapping[str, str], end: str) -> dict[int, str]:
    """What is put in, and where, for an entry that is new."""
    if section.flow_style:
        if last(section) is None:
            return {section.start_mark.index + 1: f"{name}: {flow(said)}"}
        return {behind(text, last(section)): f", {name}: {flow(said)}"}
    return {end_of_line(text, behind(text, section)): end + end.join(block(name, said, section.start_mark.column))}


def in_entry(text: str, entry: Any, said: Mapping[str, str], end: str) -> dict[int, str]:
    """What is put in, and where, for what is said anew of an entry."""
    begin, column = entry.start_mark.index, entry.start_mark.column
    if entry.flow_style:
        if isinstance(entry, SequenceNode):
            return {behind(text, last(entry)): f", {flow(said)}"}
        return {begin: "[", behind(text, entry): f", {flow(said)}]"}
    put = {end_of_line(text, behind(text, entry)): end + end.join(item(said, column))}
    if isinstance(entry, MappingNode):  # it becomes the first of a list
        lines = [m.end() for m in re.finditer("\n", text[begin:behind(text, entry)])]
        put |= {begin + at: "  " for at in lines if text[begin + at] not in "\r\n"} | {begin: "- "}
    return put


# ---------------------------------------------------------------- places
def behind(text: str, node: Any) -> int:
    """The place behind the last thing that is written of a node; a bracket that closes it is part of it."""
    if isinstance(node, ScalarNode):
        return len(text[: node.end_mark.index].rstrip())
    return node.end_mark.index if node.flow_style else behind(text, last(node))


def last(node: Any) -> Any:
    """The last thing in a node; none if there is nothing in it."""
    children = node.value
    return None if not children else children[-1][1] if isinstance(node, MappingNode) else children[-1]


def end_of_line(text: str, at: int) -> int:
    """Behind the last character of the line, before its line end."""
    found = re.compile(r"\r?\n|\Z").search(text, at)
    return found.start() if found else len(text)


# ---------------------------------------------------------------- what is put in
def block(name: str, said: Mapping[str, str], column: int) -> list[str]:
    """An entry, line by line."""
    return [f"{' ' * column}{name}:", *(f"{' ' * (column + 2)}{key}: {scalar(value)}" for key, value in said.items())]


def item(said: Mapping[str, str], column: int) -> list[str]:
    """An item of a list, line by line."""
    return [f"{' ' * column}{'  ' if n else '- '}{key}: {scalar(value)}" for n, (key, value) in enumerate(said.items())]


def flow(said: Mapping[str, str]) -> str:
    """The same in a line."""
    return "{" + ", ".join(f"{key}: {scalar(value)}" for key, value in said.items()) + "}"


def scalar(text: str) -> str:
    """A text as YAML takes it."""
    return text if PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
