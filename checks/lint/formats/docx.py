"""Word documents: paragraphs with their automatic numbers; tracked changes accepted, or undone."""

from __future__ import annotations

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ....spec.text import Text
from ....spec.watchdog import AGAIN, AS_TEXT, Kind, Refused, read_apart
from ..numbering import written
from .notes import apart_from_notes

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
KIND = Kind("docx", Text(ja="Word 文書", en="a Word document"))
LARGEST = 64 * 1024 * 1024
"""Bytes of a part of a document."""
LEVELS, LONGEST_PATTERN = 9, 255
"""What Word allows: levels of a list, characters of the form of a number."""
UNREAD_NOTES = 0
NOTES = {UNREAD_NOTES: Text(ja="脚注・文末注は読んでいません: {what}", en="Footnotes and endnotes were not read: {what}")}
"""What is told of what was not read."""


def read_word(file: str, data: bytes, changes: str) -> tuple[Sequence[tuple[str, int, str, Sequence[int]]], list[Text]]:
    """Place, heading level and text of every paragraph; of one with an automatic number, the lists it is in. And what was not read.
    Raises BadInput."""
    return apart_from_notes(read_apart(paragraphs, KIND, file, data, changes), NOTES)


def paragraphs(data: bytes, changes: str) -> Iterator[tuple[str, int, str, Sequence[int]]]:
    """The same, in the other process. Raises Refused, and what damage leads to."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        body = _part(archive, "word/document.xml")
        numbering = _part(archive, "word/numbering.xml", optional=True)
        styles = _part(archive, "word/styles.xml", optional=True)
    assert body is not None
    counter = _Numbers(numbering, styles)
    before, number = "", 0
    for number, paragraph in enumerate(_paragraphs(body), 1):
        text = before + "".join(_texts(paragraph, changes))
        before = ""
        if _ends_nowhere(paragraph, changes):
            # Its end was taken out (or not yet put in): it runs on in the next one, and has no number of its own.
            before = text
            continue
        label = counter.label(paragraph)
        heading = counter.heading(paragraph)
        yield (
            f"¶{number}",
            heading,
            f"{label} {text}" if label else text,
            counter.within if label and not heading else (),
        )
    if before:
        yield f"¶{number}", 0, before, ()
    if notes := sum(1 for kind in ("footnote", "endnote") for _ in body.iter(f"{W}{kind}Reference")):
        yield "", UNREAD_NOTES, str(notes), ()


def _paragraphs(element: Element) -> Iterator[Element]:
    """Paragraphs in the order of the text. What older programs are to show instead (`Fallback`) says the same again."""
    for child in element:
        if child.tag == f"{W}p":
            yield child
        if not child.tag.endswith("}Fallback"):
            yield from _paragraphs(child)


def _ends_nowhere(paragraph: Element, changes: str) -> bool:
    return paragraph.find(f"{W}pPr/{W}rPr/{W}{'ins' if changes == 'original' else 'del'}") is not None


def _part(archive: zipfile.ZipFile, name: str, optional: bool = False) -> Element | None:
    if optional and name not in archive.namelist():
        return None
    if archive.getinfo(name).file_size > LARGEST:
        raise Refused(
            "too-large",
            Text(ja=f"{name} が大きすぎます（上限 64 MiB）", en=f"{name} is too large (at most 64 MiB)"),
            AS_TEXT,
        )
    with archive.open(name) as content:
        return ElementTree.parse(content, ElementTree.XMLParser(target=_Plain())).getroot()


class _Plain(ElementTree.TreeBuilder):
    """Word writes no document types; what one declares can be put together into texts of any length."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Raises Refused."""
        raise Refused("broken-docx", Text(
            ja="Word 文書として読めません（DOCTYPE があります）", en="cannot be read as a Word document (it has a DOCTYPE)"), AGAIN)


def _texts(element: Element, changes: str) -> Iterator[str]:
    """Text of a paragraph: deletions or insertions left out; nested paragraphs (text boxes) come on their own."""
    gone = ("ins", "moveTo") if changes == "original" else ("del", "moveFrom")
    for child in element:
        tag = child.tag.removeprefix(W)
        if tag in gone or tag in ("p", "rt") or tag.endswith("}Fallback"):
            # `rt` is how a word is read, above it.
            continue
        if tag == "t" or (tag == "delText" and changes == "original"):
            yield child.text or ""
        elif tag == "tab":
            yield "\t"
        elif tag in ("br", "cr"):
            yield " "
        elif tag == "noBreakHyphen":
            yield "-"
        elif tag != "pPr":
            yield from _texts(child, changes)


class _Numbers:
    """Automatic numbers: counted as Word does, level by level."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self.levels: dict[str, dict[int, tuple[str, str, int]]] = {}
        self.lists: dict[str, str] = {}
        self.linked: dict[str, str] = {}
        """Lists that are as a style of lists says."""
        self.of_style: dict[str, str] = {}
        """The list that a style of lists is."""
        self.counts: dict[str, dict[int, int]] = defaultdict(dict)
        self.anew: dict[tuple[str, int], int] = {}
        """Of lists and levels that do not go on with the numbers of another list: what they begin with, once."""
        self.again: dict[tuple[str, int], int] = {}
        """Of lists and levels: only levels above this one let them begin again. Articles may go on through chapters."""
        self.within: tuple[int, ...] = ()
        """The lists that the last numbered paragraph is in."""
        self._begun = 0
        self.based_on: dict[str, str] = {}
        """Styles, and what they have from another."""
        self.style_numbers: dict[str, tuple[str, int]] = {}
        self.style_headings: dict[str, int] = {}
        if numbering is not None:
            self._read_numbering(numbering)
        if styles is not None:
            self._read_styles(styles)

    def _read_numbering(self, numbering: Element) -> None:
        for abstract in numbering.findall(f"{W}abstractNum"):
            levels: dict[int, tuple[str, str, int]] = {}
            name = abstract.get(f"{W}abstractNumId") or ""
            for level in abstract.findall(f"{W}lvl"):
                number, pattern = _int(level.get(f"{W}ilvl")), _value(level, "lvlText", "")
                if not 0 <= number < LEVELS or len(pattern) > LONGEST_PATTERN:
                    continue
                levels[number] = (
                    _value(level, "numFmt", "decimal"),
                    pattern,
                    _int(_value(level, "start", "1"), 1),
                )
                self.again[name, number] = _int(_value(level, "lvlRestart", ""), number)
            self.levels[name] = levels
            if style := _value(abstract, "numStyleLink", ""):
                self.linked[name] = style
            if style := _value(abstract, "styleLink", ""):
                self.of_style[style] = name
        for one in numbering.findall(f"{W}num"):
            name = one.get(f"{W}numId") or ""
            self.lists[name] = _value(one, "abstractNumId", "")
            for level in one.findall(f"{W}lvlOverride"):
                if level.find(f"{W}startOverride") is not None:
                    self.anew[name, _int(level.get(f"{W}ilvl"))] = _int(_value(level, "startOverride", "1"), 1)

    def _read_styles(self, styles: Element) -> None:
        for style in styles.findall(f"{W}style"):
            name = style.get(f"{W}styleId") or ""
            self.based_on[name] = _value(style, "basedOn", "")
            numbers = style.find(f"{W}pPr/{W}numPr")
            if numbers is not None:
                self.style_numbers[name] = (_value(numbers, "numId", ""), _int(_value(numbers, "ilvl", "0")))
            outline = style.find(f"{W}pPr/{W}outlineLvl")
            if outline is not None:
                self.style_headings[name] = min(_int(outline.get(f"{W}val")) + 1, 6)
            elif _value(style, "name", "").lower().startswith("heading "):
                self.style_headings[name] = min(_int(_value(style, "name", "")[8:], 1), 6)

    def heading(self, paragraph: Element) -> int:
        """The level of a heading, or 0."""
        return next(
            (self.style_headings[style] for style in self._styles(paragraph) if style in self.style_headings), 0
        )

    def _styles(self, paragraph: Element) -> Iterator[str]:
        """The style of a paragraph, and those that it is based on."""
        style, seen = _style(paragraph), set[str]()
        while style and style not in seen:
            yield style
            seen.add(style)
            style = self.based_on.get(style, "")

    def label(self, paragraph: Element) -> str:
        """The automatic number of a paragraph, counted on."""
        numbers = paragraph.find(f"{W}pPr/{W}numPr")
        if numbers is not None:
            list_id, level = _value(numbers, "numId", ""), _int(_value(numbers, "ilvl", "0"))
        else:
            list_id, level = next(
                (self.style_numbers[style] for style in self._styles(paragraph) if style in self.style_numbers), ("", 0)
            )
        abstract = self.lists.get(list_id)
        abstract = self.of_style.get(self.linked.get(abstract or "", ""), abstract)
        if abstract is None or level not in self.levels.get(abstract, {}):
            return ""
        levels, counts = self.levels[abstract], self.counts[abstract]
        kind, pattern, start = levels[level]
        anew = (list_id, level) in self.anew or level not in counts
        counts[level] = self.anew.pop((list_id, level), counts[level] + 1 if level in counts else start)
        self._begun += 1
        above = (*self.within[:level], *(self._begun,) * (level - len(self.within)))
        self.within = (*above, self._begun if anew or len(self.within) <= level else self.within[level])
        for deeper in [d for d in counts if d > level and level < self.again[abstract, d]]:
            del counts[deeper]
        if kind in ("bullet", "none"):
            return "・" if kind == "bullet" else ""
        for upper in range(level + 1):
            form, _, first = levels.get(upper, ("decimal", "", 1))
            pattern = pattern.replace(f"%{upper + 1}", written(counts.get(upper, first), form))
        return pattern.strip()


def _style(paragraph: Element) -> str:
    style = paragraph.find(f"{W}pPr/{W}pStyle")
    return (style.get(f"{W}val") or "") if style is not None else ""


def _value(element: Element, tag: str, default: str) -> str:
    found = element.find(f"{W}{tag}")
    return default if found is None else found.get(f"{W}val") or default


def _int(value: str | None, default: int = 0) -> int:
    return int(value) if value and re.fullmatch(r"-?\d{1,10}", value) else default
