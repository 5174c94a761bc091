"""PDF: the lines of every page, without running heads and page numbers."""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from ....spec.text import Text
from ....spec.watchdog import Kind, Refused, read_apart
from ....spec.workbook import needs

KIND = Kind("pdf", Text.same("PDF"))
EDGE = 2
"""Lines at the top and at the bottom of a page among which running heads are looked for."""


def read_pdf(file: str, data: bytes) -> Sequence[tuple[str, int, str]]:
    """Place, heading level (none) and text of every line. Raises BadInput."""
    return read_apart(page_lines, KIND, file, data)


def page_lines(data: bytes) -> Iterator[tuple[str, int, str]]:
    """The same, in the other process. Raises Refused, and what pypdf raises."""
    try:
        from pypdf import PdfReader  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise needs("pypdf", "pdf") from None
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    pages = [plain(page.extract_text() or "").split("\n") for page in PdfReader(io.BytesIO(data)).pages]
    if not any(line.strip() for lines in pages for line in lines):
        raise Refused("no-text", Text(
            ja="この PDF には文字がありません（画像だけのようです）", en="this PDF has no text (only pictures, it seems)"))
    pages = [[printed_once(line) for line in lines] for lines in pages]
    scattered = sum(len(_SCATTERED.findall(line)) for lines in pages for line in lines) >= OFTEN
    for number, lines in enumerate(without_running_heads(pages), 1):
        for line in lines:
            yield f"p.{number}", 0, _SCATTERED.sub("", line) if scattered else line


_SCATTERED = re.compile(r"(?<=[ァ-ヴー])[ ](?=[ァ-ヴー])|(?<=[ぁ-ん])[ ](?=[ぁ-ん])")
"""Blanks inside words, as some programs put their letters on a page."""
OFTEN = 8
_FORM = re.compile("[\u2e80-\u2fdf\ufb00-\ufb06]")
"""Radicals and ligatures."""


def printed_once(line: str) -> str:
    """Letters that are printed several times in one place to look bold stand there once; radicals and ligatures, which some
    programs write for letters, are letters."""
    line = "".join(unicodedata.normalize("NFKC", c) if _FORM.match(c) else c for c in line)
    words = re.split(r"(\s+)", line)
    for times in range(6, 1, -1):
        said = [word for word in words if word.strip() and not re.fullmatch(r"[.…・‥]+", word)]
        if said and sum(map(len, said)) >= (4 if times > 2 else 6) * times and all(_is_repeated(word, times) for word in said):
            return "".join(word[: len(word) // times] if word.strip() else word for word in words)
    return line


def _is_repeated(word: str, times: int) -> bool:
    size, rest = divmod(len(word), times)
    return not rest and word == word[:size] * times


def plain(text: str) -> str:
    """Halves of characters, which fonts may name, are none."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_running_heads(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pages without what stands at the edge of half of them (at least three) or of three in a row, and without numbers of
    pages."""
    counts: Counter[str] = Counter()
    for lines in pages:
        counts.update({_shape(lines[index]) for index in _edges(lines)})
    running = {shape for shape, count in counts.items() if count >= max(3, len(pages) / 2)}
    edges = [{_shape(lines[index]) for index in _edges(lines)} for lines in pages]
    for one, two, three in zip(edges, edges[1:], edges[2:], strict=False):
        # The title of a chapter, on its pages.
        running |= {shape for shape in one & two & three if len(shape) >= 8}
    kept: list[list[str]] = []
    for number, lines in enumerate(pages, 1):
        gone = {i for i in _edges(lines) if _shape(lines[i]) in running or _page_number(lines[i], number, len(pages))}
        kept.append([line for index, line in enumerate(lines) if index not in gone])
    return kept


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
