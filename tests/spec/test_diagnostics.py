"""How mistakes are shown."""
from __future__ import annotations

from rulewright.spec.diagnostics import underline, width


def test_of_a_long_line_only_what_is_shown_is_looked_at() -> None:
    class Counted(str):
        read = 0

        def __getitem__(self, part: object) -> str:
            found = super().__getitem__(part)  # type: ignore[index]
            Counted.read += len(found)
            return found

    line = Counted("字" * 100_000)
    shown, caret = underline(line, 50_000, "字")
    assert shown.startswith("…字") and shown.endswith("字…") and caret.strip() == "^^" and width(shown) <= 102
    assert Counted.read < 5_000
    assert underline("x" * 900, 1) == ("x" * 100 + "…", "^") and underline("x" * 900, 900)[0] == "…" + "x" * 51
