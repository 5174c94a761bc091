"""The form that code scanners exchange results in (SARIF 2.1.0): what is around every list of results."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def sarif_log(version: str, rules: list[dict[str, Any]], results: list[dict[str, Any]], notes: Sequence[str] = ()) -> dict[str, Any]:
    """One run of this tool: its rules, what it found by them, and what else has to be known."""
    told = [{"level": "note", "message": {"text": note}} for note in notes]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "rulewright", "version": version, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                **({"invocations": [{"executionSuccessful": True, "toolExecutionNotifications": told}]} if told else {}),
                "results": results,
            }
        ],
    }
