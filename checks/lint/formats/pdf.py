"""PDF: the lines of every page."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence

from ..reading import needs, trouble


def page_lines(file: str, data: bytes) -> Sequence[tuple[str, int, str]]:
    """Place, heading level (none) and text of every line."""
    try:
        from pypdf import PdfReader  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise needs(file, "pdf", "pypdf") from None
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(data))
        found = [
            (f"p.{number}", 0, line)
            for number, page in enumerate(reader.pages, 1)
            for line in (page.extract_text() or "").split("\n")
        ]
    except Exception as error:
        raise trouble(
            file, "broken-pdf", f"PDF として読めません（{error}）", f"cannot be read as PDF ({error})"
        ) from None
    if not any(text.strip() for _, _, text in found):
        raise trouble(
            file,
            "no-text",
            "この PDF には文字がありません（画像だけのようです）",
            "this PDF has no text (only pictures, it seems)",
        )
    return found
