"""Files of findings that are known (baselines): each with where it was seen.

A run says what it looked at to the end: there, what it did not see any more is forgotten. What it did not look at stays known, so that several runs
(of other scenarios, other drafts, at once) keep one file together, and a run that a limit cut off forgets nothing.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ...spec.writing import held, write_whole
from .as_json import SCHEMA

Row = Mapping[str, Any]
"""A finding that is known: its `id`, what people may want to read beside it, and (`in`) where it was seen; a file of before this was noted has no `in`."""


def update(
    path: Path,
    read: Callable[[Path], Sequence[Row]],
    seen: Mapping[str, Row],
    looked_at: Callable[[Row, str], bool],
    head: Mapping[str, object],
) -> int:
    """Put what was seen (by id, each row with its `in`) together with what the file knows. `looked_at`: was this finding looked for in this
    place, to the end? Gives how many are known now. Raises BadInput."""
    with held(path):
        before = {row["id"]: row for row in (read(path) if path.exists() else ())}
        rows: list[Row] = []
        for name in sorted({*before, *seen}):
            old = before.get(name, {})
            kept = [place for place in places_of(old) if not looked_at(old, place)]
            places = sorted({*kept, *places_of(seen.get(name, {}))})
            if places:
                rows.append({**(seen.get(name) or old), "in": places})
        write_whole(path, json.dumps({"schema": SCHEMA, **head, "findings": rows}, ensure_ascii=False, indent=1) + "\n")
    return len(rows)


def rows_of(data: Any) -> list[Row]:
    """The findings of a file that was read. Raises KeyError or TypeError where they are not of that form."""
    rows: list[Row] = [{**one, "id": str(one["id"])} for one in data["findings"]]
    if data.get("schema", SCHEMA) != SCHEMA:
        raise KeyError("schema")
    for row in rows:
        for texts in (row.get("in", []), row.get("about", [])):
            if not isinstance(texts, list) or not all(isinstance(one, str) for one in cast("list[object]", texts)):
                raise TypeError
    return rows


def places_of(row: Row) -> Collection[str]:
    """Where a finding was seen; nowhere where that is not noted."""
    return row.get("in", ())
