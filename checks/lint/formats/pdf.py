"""PDF: the lines of every page, without running heads and page numbers."""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Sequence

from ..trouble import needs, trouble

EDGE = 2
"""Lines at the top and at the bottom of a page among which running heads are looked for."""


def page_lines(file: str, data: bytes) -> Sequence[tuple[str, int, str]]:
    """Place, heading level (none) and text of every line."""
    try:
        from pypdf import PdfReader  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise needs(file, "pdf", "pypdf") from None
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        pages = [(page.extract_text() or "").split("\n") for page in PdfReader(io.BytesIO(data)).pages]
    except Exception as error:
        raise trouble(
            file, "broken-pdf", f"PDF として読めません（{error}）", f"cannot be read as PDF ({error})"
        ) from None
    if not any(line.strip() for lines in pages for line in lines):
        raise trouble(
            file,
            "no-text",
            "この PDF には文字がありません（画像だけのようです）",
            "this PDF has no text (only pictures, it seems)",
        )
    return [(f"p.{number}", 0, line) for number, lines in enumerate(without_running_heads(pages), 1) for line in lines]


def without_running_heads(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pages without what stands at the edge of half of them (at least three), and without numbers of pages."""
    counts: Counter[str] = Counter()
    for lines in pages:
        counts.update({_shape(lines[index]) for index in _edges(lines)})
    running = {shape for shape, count in counts.items() if count >= max(3, len(pages) / 2)}
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
