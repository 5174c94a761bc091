"""Baselines: findings that are known, so that only new ones are shown; and safe fixes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...spec.diagnostics import split_lines
from ...spec.reading import file_bytes, file_json
from ...spec.writing import held, write_whole
from ..findings import baseline
from .findings import Found
from .linting import Report
from .trouble import trouble


def read_baseline(path: Path) -> frozenset[str]:
    """The findings that a baseline file knows. Raises BadInput."""
    return frozenset(row["id"] for row in _rows(path))


def _rows(path: Path) -> list[baseline.Row]:
    try:
        return baseline.rows_of(file_json(path))
    except (KeyError, TypeError):
        raise trouble(str(path), "baseline", "ベースラインのファイルではありません", "not a baseline file") from None


def update_baseline(path: Path, reports: Sequence[Report]) -> int:
    """Note what was found as known; the words of the draft are not stored. What was known of other drafts, and by rules that were not asked, stays.
    Gives how many are known now. Raises BadInput."""
    folder = path.resolve().parent
    seen: dict[str, dict[str, Any]] = {}
    asked: dict[str, set[str]] = {}
    for report in reports:
        draft = Path(os.path.relpath(Path(report.source.file).resolve(), folder)).as_posix()
        asked[draft] = {rule.id for rule in report.rules}
        for one in report.found:
            row = seen.setdefault(
                one.fingerprint, {"id": one.fingerprint, "rule": one.rule, "clause": one.clause, "in": []}
            )
            row["in"].append(draft)
    return baseline.update(path, _rows, seen, lambda row, place: row.get("rule") in asked.get(place, ()), {})


def fixed(text: str, found: Sequence[Found]) -> tuple[str, int]:
    """The text with safe fixes made, and how many: from the end backwards, each only where the line still says what it
    said, and none that overlaps another."""
    ends = _line_ends(text)
    lines = split_lines(text)
    count = 0
    taken: dict[int, int] = {}
    fixes = sorted({one.fix for one in found if one.fix is not None}, key=lambda f: (f.line, f.column), reverse=True)
    for fix in fixes:
        if not 0 < fix.line <= len(lines):
            continue
        line, begin = lines[fix.line - 1], fix.column - 1
        end = begin + len(fix.old)
        if line[begin:end] != fix.old or end > taken.get(fix.line, len(line) + 1):
            continue
        lines[fix.line - 1] = line[:begin] + fix.new + line[end:]
        taken[fix.line] = begin
        count += 1
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=False)), count


def _line_ends(text: str) -> list[str]:
    ends: list[str] = []
    index = 0
    while index < len(text):
        if text[index] == "\r":
            pair = text[index + 1 : index + 2] == "\n"
            ends.append("\r\n" if pair else "\r")
            index += 1 + pair
        else:
            if text[index] == "\n":
                ends.append("\n")
            index += 1
    return ends


def apply_fixes(path: Path, report: Report) -> int:
    """Make the safe fixes in the file, in its own encoding and with its own line ends. Gives their number."""
    source = report.source
    if source.text is None or source.encoding is None:
        raise trouble(
            str(path), "fix", "--fix はテキストと Markdown にだけ使えます", "--fix works on text and Markdown only"
        )
    text, count = fixed(source.text, report.found)
    if count:
        codec = {"shift_jis": "cp932"}.get(source.encoding, source.encoding)
        with held(path):
            raw = file_bytes(path)
            mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
            if raw != mark + source.text.encode(codec):
                raise trouble(str(path), "fix", "調べている間に書き換えられました。もう一度実行してください",
                              "the file was changed while it was looked at: run this again")
            write_whole(path, mark + text.encode(codec))
    return count
