"""Under which readings the largest game is asked about: those given, else the defaults, whatever its scenario says."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.model.engine.library import forget_books

FILES = {
    "clauses.yaml": """book: mine
edition: "1"
clauses:
  - {id: "1.1", kind: procedure, ja: 捨てる。, en: Discarding.}
""",
    "readings.yaml": """book: mine
readings:
  - {id: where, clauses: ["1.1"], question: {ja: どこへ。, en: To where?}, alternatives: [
      {id: away, gist: {ja: 捨て場。, en: The discard pile.}}, {id: back, gist: {ja: 手札。, en: The hand.}}],
     default: back, why: {ja: 例。, en: An example.}, affects: {ja: 終わるか。, en: Does it end?}, status: modelled}
""",
    "cards.yaml": "cards:\n  - {id: A, name: {ja: あ, en: A}}\n",
    "scenarios/game.yaml": """book: mine
id: game
title: {ja: 対戦, en: a game}
position: {first: {hand: [A x3]}, second: {hand: [A x3]}}
readings: {where: away}
""",
    "rules/game.py": '''from rulewright.model.lang import *

class Printed(Definition):
    of: bool = False

class Game(State):
    hand: Per[Player, Bag]
    away: Bag

@entry("setup")
@procedure(scope=Scope.PHASE)
async def discard(g: Game) -> None:
    """Cards go away."""
    while g.hand[FIRST]:
        c = await choose(FIRST, g.hand[FIRST])
        match reading("where"):
            case "away":
                put(c, g.away)  #: 1.1
            case "back":
                put(c, g.hand[FIRST])  #: 1.1
''',
}


@pytest.mark.parametrize(("given", "proved"), [([], False), (["-r", "where=away"], True), (["-r", "where=back"], False)])
def test_what_the_scenario_sets_is_not_taken_for_a_default(given: list[str], proved: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in FILES.items():
        file = tmp_path / "mine" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    forget_books()
    main(["check", "mine", "--only", "ends", "--books", str(tmp_path), "--lang", "en", *given])
    assert ("Phase discard: proved to end" in " ".join(capsys.readouterr().out.split())) == proved
