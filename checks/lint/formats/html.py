"""HTML: a line for every block of text; headings with their level, items of numbered lists with their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from ....spec.text import Text
from ....spec.watchdog import Kind, read_apart
from ..numbering import written

KIND = Kind("html", Text.same("HTML"))
SUFFIXES = (".html", ".htm", ".xhtml")
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "br",
        "caption",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
    ]
)
_UNSEEN = frozenset(
    [
        "script",
        "style",
        "template",
        "noscript",
        "head",
        "nav",
        "svg",
        "math",
        "select",
        "button",
        "textarea",
        "rt",
        "rp",
    ]
)
"""What is no text of the page; and how a word is read, above it (`rt`)."""
_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_ALONE = frozenset(
    ["br", "hr", "img", "input", "meta", "link", "col", "area", "base", "embed", "source", "track", "wbr"]
)


def read_html(file: str, text: str) -> Sequence[tuple[str, int, str, Sequence[int]]]:
    """Place (the line in the file), heading level and text of every block; of the item of a numbered list, the lists it is in.
    Raises BadInput."""
    return read_apart(blocks, KIND, file, text.encode("utf-8"))


def blocks(data: bytes) -> Iterator[tuple[str, int, str, Sequence[int]]]:
    """The same, in the other process."""
    page = _Page()
    page.feed(data.decode("utf-8"))
    page.close()
    page.end_block()
    yield from page.rows


class _Page(HTMLParser):
    """Blocks of a page. What is not seen (scripts, navigation) is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[tuple[str, int, str, Sequence[int]]] = []
        self.text: list[str] = []
        self.line = 1
        self.heading = 0
        self.unseen: list[str] = []
        self.lists: list[int | None] = []
        """The lists that are open: the number of the next item, none where items have marks."""
        self.forms: list[str] = []
        """How their numbers are written."""
        self.numbered: list[int] = []
        """Their names."""
        self.kept = False
        """Is a line what stands in a line of the file: in `pre`?"""
        self.begun = 0
        self.mark = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN and tag not in _ALONE:
            self.unseen.append(tag)
        given = dict(attrs)
        if tag == "img" and given.get("alt"):
            self.handle_data(given["alt"] or "")  # an icon is what it stands for
        if self.unseen or tag not in _BLOCKS:
            return
        self.end_block()
        self.kept |= tag == "pre"
        if tag in ("ol", "ul"):
            start = given.get("start") or "1"
            self.forms.append(_FORMS.get(given.get("type") or "1", "decimal"))
            self.lists.append(int(start) if tag == "ol" and start.isdecimal() and len(start) < 5 else None)
            self.begun += 1
            self.numbered.append(self.begun)
        elif tag == "li":
            given_number = given.get("value") or ""
            if self.lists and self.lists[-1] is not None and given_number.isdecimal() and len(given_number) < 5:
                self.lists[-1] = int(given_number)
            self.mark = self._item()
        elif len(tag) == 2 and tag[1].isdigit():
            self.heading = int(tag[1])
        elif tag == "p" and self.rows and not self.mark:
            self.rows.append((str(self.getpos()[0]), 0, "", ()))

    def _item(self) -> str:
        number = self.lists[-1] if self.lists else None
        if number is None:
            return "  - "
        self.lists[-1] = number + 1
        return f"  {written(number, self.forms[-1])}. "

    def handle_endtag(self, tag: str) -> None:
        if tag in self.unseen:
            del self.unseen[self.unseen.index(tag) :]
            return
        if self.unseen or tag not in _BLOCKS:
            return
        self.end_block()
        self.kept &= tag != "pre"
        self.heading = 0
        if tag in ("ol", "ul") and self.lists:
            self.lists.pop()
            self.forms.pop()
            self.numbered.pop()

    def handle_data(self, data: str) -> None:
        if self.unseen:
            return
        for k, said in enumerate(data.split("\n") if self.kept else [data]):
            if k and not self.end_block():
                self.rows.append((str(self.line), 0, "", ()))
            if not any(part.strip() for part in self.text):
                blank = len(said) - len(said.lstrip())
                self.line = self.getpos()[0] + k + said[:blank].count("\n")
            self.text.append(said)

    def end_block(self) -> bool:
        """What was said since the last block began is a line. Was anything?"""
        said = " ".join("".join(self.text).split())
        self.text = []
        if said:
            within = tuple(self.numbered) if self.mark.strip(" -") else ()
            inside = "    " if self.lists and not self.mark and not self.heading else ""
            self.rows.append((str(self.line), self.heading, self.mark + inside + said, within))
            self.mark = ""
        return bool(said)
