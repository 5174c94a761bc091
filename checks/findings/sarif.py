"""The form that code scanners exchange results in (SARIF 2.1.0): what is around every list of results."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def sarif_log(
    version: str, rules: list[dict[str, Any]], results: list[dict[str, Any]], notes: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """One run of this tool: its rules, what it found by them, and what else has to be known, each with its level."""
    told = [{"level": level, "message": {"text": note}} for level, note in notes]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "rulewright", "version": version, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                **(
                    {"invocations": [{"executionSuccessful": True, "toolExecutionNotifications": told}]} if told else {}
                ),
                "results": results,
            }
        ],
    }
