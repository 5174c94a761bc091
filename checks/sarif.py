"""The form that code scanners exchange results in (SARIF 2.1.0): what is around every list of results."""
from __future__ import annotations

from typing import Any


def sarif_log(version: str, rules: list[dict[str, Any]], results: list[dict[str, Any]]) -> dict[str, Any]:
    """One run of this tool: its rules, and what it found by them."""
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "rulewright", "version": version, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
