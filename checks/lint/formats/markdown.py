"""Markdown: which lines are items of numbered lists, code, headings with a line under them; and the text without links,
tags and escapes, every letter with its place.

Blocks are found by a CommonMark parser. It gives no places inside a line, so what stands within one is found here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..model import Line, ListItem
from ..numbering import candidates, read_marks

SUFFIXES = (".md", ".markdown", ".mkd")
_TAGS = "a|abbr|b|big|br|center|cite|code|dd|del|details|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|ins|kbd|li|mark|nav|ol|p|pre|s"
_TAGS += "|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul"
_INLINE = re.compile(
    r"(?P<image>!\[[^\[\]\n]{0,300}\]\([^()\n]{0,600}\))"
    r"|\[(?P<text>[^\[\]\n]{1,600})\]\((?P<to>[^()\s]{0,600}(?:\([^()\s]{0,100}\)[^()\s]{0,100})?)(?:\s\"[^\"\n]{0,200}\")?\)"
    rf"|(?P<tag></?(?:{_TAGS})(?=[\s/>])[^<>\n]{{0,600}}>)"
    r"|(?P<escape>\\)(?=[!-/:-@\[-`{-~])|(?P<end>\\$)|(?P<id>[ \t]*\{#[^{}\n]{1,200}\}[ \t]*$)"
)


_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")


def marked(texts: Sequence[str]) -> list[Line]:
    """The lines of a Markdown document. Front matter and code are told apart from the text."""
    lines = [_plain(number, text) for number, text in enumerate(texts, 1)]
    for index in range(_front_matter(texts)):
        lines[index] = Line(index + 1, "")
    tokens = _blocks("\n".join(texts))
    for token in tokens:
        begin, end = token.map or (0, 0)
        underlined = token.type == "heading_open" and token.markup in ("=", "-") and end - begin == 2
        if token.type == "fence" and texts[end - 1].strip().startswith(token.markup) and end > begin + 1:
            lines[begin:end] = [replace(line, verbatim=True) for line in lines[begin:end]]
        elif underlined and len(texts[begin]) <= 80:
            lines[begin] = replace(lines[begin], heading=1 if token.markup == "=" else 2)
            lines[begin + 1] = Line(begin + 2, "")
    for index, item in _items(tokens, texts):
        lines[index] = replace(lines[index], item=item)
    return lines


def _front_matter(texts: Sequence[str]) -> int:
    """How many lines the head of a page takes that some generators want: `---`, keys, `---`."""
    first = next((text for text in texts if text.strip()), "")
    if not (first.rstrip() == "---" or re.match(r"[A-Za-z_]{2,30}:\s", first)):
        return 0
    begin = texts.index(first) + (first.rstrip() == "---")
    for index in range(begin, min(begin + 60, len(texts))):
        if texts[index].rstrip() == "---":
            return index + 1
        if texts[index].strip() and not re.match(r"[\w\- ]{1,40}:|\s+\S|-\s|#", texts[index]):
            return 0
    return 0


def _blocks(text: str) -> list[Token]:
    parser = MarkdownIt("commonmark")
    tokens: list[Token] = []
    parser.block.parse(text, parser, {}, tokens)
    return tokens


def _items(tokens: Sequence[Token], texts: Sequence[str]) -> Iterator[tuple[int, ListItem]]:
    """The lines that begin an item of a numbered list. Where every item has the same number, the reader counts them; not
    where a number of another kind stands at the margin between them: then the list is one for the parser only."""
    open_: list[tuple[int, list[tuple[int, str]], int]] = []
    numbered: list[int] = []
    count = 0
    for token in tokens:
        if token.type == "ordered_list_open":
            count += 1
            numbered.append(count)
            open_.append((count, [], int(token.attrs.get("start", 1))))
        elif token.type == "list_item_open" and token.info and open_:
            open_[-1][1].append(((token.map or (0, 0))[0], token.info))
        elif token.type == "ordered_list_close":
            _, items, start = open_.pop()
            lists = tuple(numbered)
            numbered.pop()
            counted = len(items) > 1 and len({info for _, info in items}) == 1
            between = range(items[0][0] + 1, items[-1][0]) if counted else ()
            begins = {index for index, _ in items}
            counted = counted and not any(_begins_clause(texts[k]) and k not in begins for k in between)
            for k, (index, _) in enumerate(items):
                yield index, ListItem(lists, start + k if counted else None)


def _begins_clause(text: str) -> bool:
    return bool(text[:1].strip()) and any(candidates(read_marks(0, text)))


def _plain(number: int, text: str) -> Line:
    """A line without the marks inside it; with `cuts` where something was left out."""
    if not any(c in text for c in "[<\\{"):
        return read_marks(number, text)
    parts: list[tuple[str, int]] = []
    at = 0
    only_link = False
    for match in _INLINE.finditer(text):
        parts.append((text[at : match.start()], at))
        if match["text"] is not None:
            at = match.start("text")
            for escape in _ESCAPE.finditer(match["text"]):
                parts.append((text[at : match.start("text") + escape.start()], at))
                at = match.start("text") + escape.end()
            parts.append((text[at : match.end("text")], at))
            only_link = match["to"].startswith("#")
        elif match["image"]:
            parts.append(("\ufffc", match.start()))
        elif match["tag"] and text[:at].endswith(">") and at == match.start() and not match["tag"].startswith("</"):
            parts.append((" ", at))  # `</span><span>`: one of two texts is shown
        if match["tag"] and match["tag"][1:3] in ("td", "th"):
            parts.append(("| ", match.start()))  # the cell of a table is no clause
        at = match.end()
    if not parts:
        return read_marks(number, text)
    parts.append((text[at:], at))
    cuts: list[tuple[int, int, int]] = []
    said = ""
    for part, column in parts:
        if part:
            cuts.append((len(said), number, column + 1))
            said += part
    bare = re.sub(r"[\s*\-+_\\|>]|^\d{1,3}[.)]", "", _INLINE.sub("", text))
    linked = only_link and not re.sub(r"\d{1,3}\.", "", bare)
    return replace(read_marks(number, said), cuts=tuple(cuts), linked=linked)
