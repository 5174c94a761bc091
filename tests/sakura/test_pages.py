"""What people read: the pages of findings, the order in which effects are resolved, and a whole duel."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from rulewright.checks.explore.explorer import Limits, explore, play_to
from rulewright.checks.findings.record import WhoCanStop
from rulewright.checks.runs import session
from rulewright.checks.runs.names import names
from rulewright.checks.scenarios import playing
from rulewright.checks.scenarios.subjects import open_table, subject_of
from rulewright.model.engine.library import load_book
from rulewright.spec.readers import read_scenario

from ..render import as_text, render_finding

SCENARIOS = {p.stem: p for p in load_book("sakura").scenarios}
HERE = Path(__file__).parent
PAGES = [
    ("mutual-nesting", {}), ("both-at-zero", {"both-at-zero": "not-said"}), ("swapped-twice", {}), ("improper-use", {"improper-use": "tried"}),
    ("lasting-state", {"lasting-state": "again"}),
]


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize(("name", "readings"), PAGES, ids=[n for n, _ in PAGES])
def test_the_page_of_a_finding_reads_as_agreed(
    name: str, readings: dict[str, str], lang: Literal["ja", "en"], frozen: Callable[[str, str], None],
) -> None:
    (result,) = session.check(SCENARIOS[name], session.CheckOptions(readings=readings))
    (finding,) = [f for f in result.findings if not f.hint]
    frozen(f"{name}.{lang}.txt", as_text(render_finding(finding, lang, names=names())))


# ---------------------------------------------------------------- nested resolution
def clauses_on_the_way(name: str, end: str) -> list[str]:
    """The clauses carried out on the shortest play to an end of this kind, in their order."""
    subject = subject_of(open_table(read_scenario(SCENARIOS[name]), {}), symmetry=False)
    out = explore(subject.engine, subject.starts, Limits())
    ends = [k for k, s in enumerate(out.states) if s.end is not None and s.end.kind == end]
    longest = max(ends, key=lambda k: out.depth[k])
    steps, _ = subject.tell_all([(out.states[k], o) for k, o in play_to(out, longest)])
    return [c for step in steps for c in step.clauses]


def test_the_innermost_is_resolved_first() -> None:
    """The action (9-2-2) makes an attack (10-5), which is reacted to (9-4.i), which a state-caused effect undoes (5-5-5):
    only then is the range looked at (9-4.iii), and last the action is put away (9-2-2.iv)."""
    said = clauses_on_the_way("nested-resolution", "win")
    action = said.index("9-2-2.iii")
    attack = said.index("10-5.1", action)
    reaction = said.index("9-4.i", attack)
    situation = said.index("5-5-5", reaction)
    hit = said.index("9-4.iii", situation)
    assert "9-4.iii" not in said[:situation], "the range is looked at when all that is inside has been resolved"
    assert action < attack < reaction < situation < hit


def test_without_the_enhancement_the_reaction_makes_the_attack_miss_and_the_action_goes_on() -> None:
    said = clauses_on_the_way("nested-resolution-control", "over")
    assert "9-4.v" not in said
    assert "9-2-2.iv" in said[said.index("9-4.viii"):]


def test_only_the_turn_player_can_stop_trying_an_improper_use() -> None:
    (result,) = session.check(SCENARIOS["improper-use"], session.CheckOptions(readings={"improper-use": "tried"}))
    (loop,) = [f for f in result.findings if not f.hint]
    assert loop.keepers is WhoCanStop.ONE
    assert loop.stopper is not None and loop.stopper.en.startswith("the turn player")


def test_mutual_nesting_is_found_because_the_stack_grows_and_nothing_else_does() -> None:
    (result,) = session.check(SCENARIOS["mutual-nesting"], session.CheckOptions())
    (loop,) = [f for f in result.findings if not f.hint]
    assert loop.growing and loop.keepers is WhoCanStop.NOBODY
    assert "nest ever deeper" in loop.title.en


# ---------------------------------------------------------------- small models with known counts
def test_a_duel_of_eight_crystals_has_as_many_positions_as_a_search_written_by_hand_finds() -> None:
    subject = subject_of(open_table(read_scenario(HERE / "scenarios" / "crystals-8.yaml"), {}), symmetry=False)
    out = explore(subject.engine, subject.starts, Limits())
    ends = sum(s.end is not None for s in out.states)
    assert (len(out.states), len(out.graph.source), ends) == (7_248, 12_104, 1_171)


def test_a_position_with_one_crystal_too_few_breaks_the_invariant() -> None:
    (result,) = session.check(HERE / "scenarios" / "crystals-miscounted.yaml", session.CheckOptions())
    assert [f.cls.value for f in result.findings] == ["invariant"]


# ---------------------------------------------------------------- a whole duel
def play(path: Path, choose: Callable[[str, list[str]], int]) -> tuple[list[str], str]:
    """A duel in which `choose(who, options)` makes every choice: what was announced and chosen, and the outcome."""
    game = playing.open_game(path, 3, {})
    lines: list[str] = []
    while (outcome := game.outcome()) is None:
        lines += [t.en for t in game.announced()]
        who = game.who()
        assert who is not None
        options = [o.en for o in game.options()]
        taken = choose(who.en, options)
        lines.append(f"{who.en}: {options[taken]}")
        game.apply(taken)
    return [*lines, *(t.en for t in game.announced())], outcome.en


def bold(who: str, options: list[str]) -> int:
    """Use what can be used, react if possible, advance, and rebuild the deck."""
    for wish in ("use “", "react with", "take standard", "advance", "focus", "don", "yes", "exchanges cards", "rebuilds"):
        hit = next((k for k, o in enumerate(options) if o.startswith(wish)), None)
        if hit is not None:
            return hit
    return 0


def test_a_duel_is_played_from_the_preparation_to_its_end(frozen: Callable[[str, str], None]) -> None:
    lines, outcome = play(SCENARIOS["full-game"], bold)
    assert "wins" in outcome
    frozen("a-duel.txt", "\n".join([*lines, outcome]) + "\n")
