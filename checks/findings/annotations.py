"""Lines that GitHub shows beside a file's. Nothing that a text says can end one, or begin another."""
from __future__ import annotations

from ...spec.diagnostics import one_line, visible


def annotation(level: str, message: str, **properties: object) -> str:
    """A workflow command: `error`, `warning` or `notice`, with its properties."""
    said = ",".join(f"{name}={_escaped(one_line(str(value))).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items())
    return f"::{level} {said}::{_escaped(visible(message))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
