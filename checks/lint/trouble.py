"""What is wrong with a draft, or with what is needed to read it."""

from __future__ import annotations

from ...spec.diagnostics import BadInput, Diagnostic, Position
from ...spec.text import Text


def trouble(
    file: str, code: str, ja: str, en: str, hint: Text | None = None, line: int = 1, column: int = 1
) -> BadInput:
    """One thing that is wrong with a draft."""
    return BadInput([Diagnostic(Position(file, line, column), code, Text(ja=ja, en=en), hint)])


def needs(file: str, extra: str, package: str) -> BadInput:
    """The format needs an extra that is not installed."""
    return trouble(
        file,
        "needs-extra",
        f"この形式を読むには {package} が要ります",
        f"{package} is needed to read this format",
        Text.same(f"pip install 'rulewright[{extra}]'"),
    )


def not_installed(name: str, package: str, extra: str) -> BadInput:
    """A command needs an extra that is not installed."""
    return BadInput(
        [
            Diagnostic(
                None,
                "needs-extra",
                Text(ja=f"{name} には {package} が要ります", en=f"{name} needs {package}"),
                Text.same(f"pip install 'rulewright[{extra}]'"),
            )
        ]
    )
