"""How mistakes are shown."""
from __future__ import annotations

from rulewright.spec.diagnostics import MOST_TOLD, Collector, Diagnostic, Position, underline, width
from rulewright.spec.text import Text


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


def test_of_very_many_mistakes_the_first_are_told_and_that_there_are_more() -> None:
    def gathered(many: int) -> Collector:
        report = Collector()
        for k in [*range(many), *range(many)]:
            report.add(Diagnostic(Position("a", k + 1, 1), "x", Text.same(f"x{k}")))
        return report

    assert len(gathered(MOST_TOLD).diagnostics) == MOST_TOLD
    first, *others = gathered(MOST_TOLD + 7).diagnostics
    assert first.message.en == f"there are more mistakes than these {MOST_TOLD}" and len(others) == MOST_TOLD
