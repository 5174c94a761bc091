"""`info`: how large a book's model is."""
from __future__ import annotations

import json

import pytest

from rulewright.checks.cli import main
from rulewright.checks.scenarios.sizes import bits, sizes


def test_a_book_is_measured() -> None:
    hanayome = sizes("hanayome")
    assert hanayome.clauses > hanayome.cited > 200
    assert hanayome.readings >= hanayome.modelled_readings >= 15
    by_name = {s.scenario: s for s in hanayome.states}
    assert by_name["full-game"].cards == 120
    assert [s.numbers for s in hanayome.states] == sorted((s.numbers for s in hanayome.states), reverse=True)
    assert all(s.bits > 0 and 0 < s.labels < s.numbers for s in hanayome.states)


@pytest.mark.parametrize(("values", "needed"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (256, 8), (257, 9)])
def test_bits(values: int, needed: int) -> None:
    assert bits(values) == needed


def test_info_prints_the_largest_scenarios_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "hanayome", "--lang", "ja"]) == 0
    short = capsys.readouterr().out
    assert "full-game" in short and "swap-control" not in short and "--full" in short
    assert main(["info", "hanayome", "--full", "--lang", "en"]) == 0
    assert "swap-control" in capsys.readouterr().out
    assert main(["info", "hanayome", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sizes"]["book"] == "hanayome"


def test_a_book_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "hanayame", "--lang", "en"]) == 2
    assert "hanayome" in capsys.readouterr().err
