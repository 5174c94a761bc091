"""PDF: the lines of every page, without running heads and page numbers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ....spec.text import Text
from ....spec.watchdog import Kind, Refused, read_apart
from ....spec.workbook import needs
from .notes import apart_from_notes

KIND = Kind("pdf", Text.same("PDF"))
FEW = 6
"""Pages and lines that are named of those that were not read."""
EDGE = 2
"""Lines at the top and at the bottom of a page among which running heads are looked for."""


NO_TEXT, LEFT_OUT = 0, 1
NOTES = {
    NO_TEXT: Text(ja="文字のないページ（画像だけのようです。読んでいません）: {what}", en="Pages without text (only pictures, it seems; they were not read): {what}"),
    LEFT_OUT: Text(ja="柱・ページ番号として除いた行: {what}", en="Lines left out as running heads and page numbers: {what}"),
}
"""What is told of what was not read."""


def read_pdf(file: str, data: bytes) -> tuple[Sequence[tuple[str, int, str]], list[Text]]:
    """Place, heading level (none) and text of every line; what was not read. Raises BadInput."""
    return apart_from_notes(read_apart(page_lines, KIND, file, data), NOTES)


def page_lines(data: bytes) -> Iterator[tuple[str, int, str]]:
    """The same, in the other process. Raises Refused, and what pdfium raises."""
    try:
        import pypdfium2  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise needs("pypdfium2", "pdf") from None
    pages: list[list[str]] = []
    drawn: list[str] = []
    for page in pypdfium2.PdfDocument(data):
        said = plain(page_text(page))
        pages.append(said.split("\n"))
        if not said.strip() and next(iter(page.get_objects(max_depth=1)), None) is not None:
            drawn.append(f"p.{len(pages)}")
        page.close()
    if not any(line.strip() for lines in pages for line in lines):
        raise Refused("no-text", Text(
            ja="この PDF には文字がありません（画像だけのようです）", en="this PDF has no text (only pictures, it seems)"))
    pages = [[printed_once(line) for line in lines] for lines in pages]
    scattered = sum(len(_SCATTERED.findall(line)) for lines in pages for line in lines) >= OFTEN
    gone: list[str] = []
    for number, (lines, out) in enumerate(zip(pages, running_heads(pages), strict=True), 1):
        for index, line in enumerate(lines):
            if index in out:
                gone.append(line.strip())
            else:
                yield f"p.{number}", 0, _SCATTERED.sub("", line) if scattered else line
    if drawn:
        yield "", NO_TEXT, shortened(drawn)
    if gone:
        alike = {re.sub(r"\d+", "#", line): line for line in reversed(gone)}
        yield "", LEFT_OUT, f"{len(gone)} ({shortened([*reversed(alike.values())])})"


def shortened(said: Sequence[str]) -> str:
    """The first few."""
    return " / ".join(said[:FEW]) + (" / …" if len(said) > FEW else "")


def page_text(page: Any) -> str:
    """What stands on a page, line by line: a hyphen at the end of a line, which pdfium takes for one that only the end of the line made, stands there."""
    text = page.get_textpage()
    said = text.get_text_range()
    text.close()
    return said.replace("\r\n", "\n").replace(_HYPHENATED, "-\n")


_HYPHENATED = "\ufffe"
_SCATTERED = re.compile(r"(?<=[ァ-ヴー])[ ](?=[ァ-ヴー])|(?<=[ぁ-ん])[ ](?=[ぁ-ん])")
"""Blanks inside words, as some programs put their letters on a page."""
OFTEN = 8
_TEX = {0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi", 0x1F: "ffl"}
"""Ligatures by their places in the fonts of TeX, which do not always say what they are."""
_FORM = re.compile("[\u2e80-\u2fdf\ufb00-\ufb06]")
"""Radicals and ligatures."""


def printed_once(line: str) -> str:
    """Letters that are printed several times in one place to look bold stand there once; radicals and ligatures, which some
    programs write for letters, are letters."""
    line = "".join(unicodedata.normalize("NFKC", c) if _FORM.match(c) else c for c in line)
    words = re.split(r"(\s+)", line)
    for times in range(6, 1, -1):
        said = [word for word in words if word.strip() and not re.fullmatch(r"[.…・‥]+", word)]
        if (
            said
            and sum(map(len, said)) >= (4 if times > 2 else 6) * times
            and all(_is_repeated(word, times) for word in said)
        ):
            return "".join(word[: len(word) // times] if word.strip() else word for word in words)
    return line


def _is_repeated(word: str, times: int) -> bool:
    size, rest = divmod(len(word), times)
    return not rest and word == word[:size] * times


def plain(text: str) -> str:
    """Halves of characters, which fonts may name, are none, nor are characters that steer a printer."""
    text = text.translate(_TEX)
    text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def running_heads(pages: Sequence[Sequence[str]]) -> list[set[int]]:
    """The lines of each page that stand at the edge of half of them (at least three) or of three in a row, and those with numbers of
    pages. Words that come with the number of their page, and on no other page, are titles: a chapter may begin on each page."""
    counts: Counter[str] = Counter()
    for lines in pages:
        counts.update({_shape(lines[index]) for index in _edges(lines)})
    running = {shape for shape, count in counts.items() if count >= max(3, len(pages) / 2)}
    edges = [{_shape(lines[index]) for index in _edges(lines)} for lines in pages]
    for one, two, three in zip(edges, edges[1:], edges[2:], strict=False):
        # The title of a chapter, on its pages.
        running |= {shape for shape in one & two & three if len(shape) >= 8}
    numbered = [
        {i: n - page for i in _edges(lines) if (n := _at_its_edge(lines[i])) is not None}
        for page, lines in enumerate(pages, 1)
    ]
    offsets = Counter(offset for lines in numbered for offset in {*lines.values()})
    heads = Counter((offset, _shape(pages[page][i])) for page, at in enumerate(numbered) for i, offset in at.items())
    again = {offset for (offset, _), count in heads.items() if count > 1}
    counted = {offset for offset, count in offsets.items() if count >= max(4, len(pages) / 2) and offset in again}
    out: list[set[int]] = []
    for number, lines in enumerate(pages, 1):
        gone = {i for i in _edges(lines) if _shape(lines[i]) in running or _page_number(lines[i], number, len(pages))}
        gone |= {i for i, offset in numbered[number - 1].items() if offset in counted}
        out.append(gone)
    return out


def _at_its_edge(line: str) -> int | None:
    """The number that a line with words ends with, or begins with: of the page, where it counts with the pages."""
    match = re.fullmatch(r"(?:.*?[^\d.,:/–\-\s]\s+(\d{1,3})|(\d{1,3})\s+[^\d\s.,].*)", line.strip()) if len(line) <= 80 else None
    return int(match[1] or match[2]) if match else None


def _edges(lines: Sequence[str]) -> set[int]:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return {*filled[:EDGE], *filled[-EDGE:]}


def _shape(line: str) -> str:
    """A line without a number of the page at its beginning or end."""
    return re.sub(r"^\d{1,4}[\s\u3000|]+|[\s\u3000|/–—-]+\d{1,4}[ –—-]*$", "", line.strip())


def _page_number(line: str, page: int, pages: int) -> bool:
    match = re.fullmatch(
        r"[-–— ]*(?:p\.?|Page )?[ ]?(\d{1,4})(?:[ ]?/[ ]?\d{1,4})?[-–— ]*", line.strip(), re.IGNORECASE
    )
    return match is not None and abs(int(match[1]) - page) <= max(4, pages // 10)
