"""`rulewright export`: a scenario for another tool."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...spec.diagnostics import BadInput, Diagnostic
from ...spec.readers import read_scenario
from ...spec.text import Text
from ...spec.writing import file_name
from ..scenarios.subjects import open_table
from .c_expressions import CannotExport
from .promela import promela_model, write_promela


def export(path: Path, readings: Mapping[str, str], folder: Path, ways: int, frame_bytes: int) -> list[Path]:
    """Write a scenario as a model for SPIN, and say which files. Raises BadInput."""
    table = open_table(read_scenario(path), readings)
    name = file_name(table.scenario.id.value.replace("-", "_"))
    try:
        model = promela_model(table.engine, table.positions, name, ways, frame_bytes)
    except CannotExport as e:
        raise BadInput([
            Diagnostic(
                table.scenario.position, "cannot-export",
                Text(ja=f"このシナリオは Promela に書き出せません: {e}", en=f"this scenario cannot be exported: {e}"),
            )
        ]) from None
    return write_promela(model, name, folder)
