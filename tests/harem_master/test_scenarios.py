"""Every shipped scenario of harem_master: exactly what it pins, and the numbers that the scenarios are about."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest

from rulewright.checks.explore.explorer import Limits, explore, play_to
from rulewright.checks.findings.record import Finding, WhoCanStop
from rulewright.checks.runs import session
from rulewright.checks.runs.names import names
from rulewright.checks.scenarios import playing
from rulewright.checks.scenarios.subjects import open_table, subject_of
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import CHANCE, State
from rulewright.model.engine.table import Table
from rulewright.spec.readers import read_scenario

from ..pinned import controls_are_silent, finds_what_it_pins
from ..render import as_text, render_finding

SCENARIOS = {p.stem: p for p in load_book("harem_master").scenarios}
PLAYED = [name for name in SCENARIOS if name != "full-game"]
TOOK_LAST, STILL_STANDS = {"felled-by": "took-last-card"}, {"felled-by": "still-standing"}


def table_of(name: str, readings: dict[str, str] | None = None) -> Table:
    return open_table(read_scenario(SCENARIOS[name]), readings or {})


def findings(name: str, readings: dict[str, str]) -> list[Finding]:
    (result,) = session.check(SCENARIOS[name], session.CheckOptions(readings=readings))
    return [f for f in result.findings if not f.hint]


def value(table: Table, state: State, field: str) -> tuple[int, int]:
    """What a field holds of the first and of the second player."""
    at = {s.name: k for k, s in enumerate(table.program.layout.slots)}
    names = [n for n in at if n.split("[")[0] == field]
    assert len(names) == 2, names
    a, b = (state.slots[at[n]] for n in names)
    return a, b


def castles(table: Table, state: State) -> tuple[int, int]:
    """How many cards the castles have."""
    layout = table.program.layout
    zones = [k for k, z in enumerate(layout.zones) if z.field == "castle"]
    where = state.slots[layout.location : layout.location + layout.card_count]
    a, b = (where.count(z) for z in zones)
    return a, b


def last_state(table: Table) -> tuple[State, str]:
    """The only end of a scripted game, and in which turn it comes."""
    subject = subject_of(table, symmetry=False)
    out = explore(subject.engine, subject.starts, Limits())
    (end,) = out.ends()
    steps, _ = subject.tell_all([(out.states[k], o) for k, o in play_to(out, end)])
    turn = steps[-1].turn
    assert turn is not None
    return out.states[end], turn.en


# ---------------------------------------------------------------- all of them
@pytest.mark.parametrize("name", PLAYED)
def test_a_scenario_finds_exactly_what_it_pins(name: str, section: Callable[[str, str, str], None]) -> None:
    finds_what_it_pins(SCENARIOS[name], section)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_cards_that_are_told_apart_come_to_the_same(name: str, section: Callable[[str, str, str], None]) -> None:
    finds_what_it_pins(SCENARIOS[name], section, symmetry=False)


def test_controls_find_nothing() -> None:
    assert controls_are_silent(list(SCENARIOS.values())) >= 8


def test_every_modelled_reading_has_a_scenario_in_which_its_answers_differ() -> None:
    modelled = {r.id.value for r in load_book("harem_master").readings.values() if r.status.name == "MODELLED"}
    parted: set[str] = set()
    for name in PLAYED:
        for want in read_scenario(SCENARIOS[name]).expect[1:]:
            if ways_to_end(name, {r: v.value for r, v in want.readings.items()}) != ways_to_end(name, {}):
                parted |= set(want.readings)
    assert len(modelled) >= 8
    assert parted == modelled


def ways_to_end(name: str, readings: dict[str, str]) -> tuple[int, Counter[object]]:
    """How many positions there are, and how many end in which way."""
    table = table_of(name, readings)
    out = explore(table.engine, table.starts, Limits())
    return len(out.states), Counter(out.states[k].end for k in out.ends())


# ---------------------------------------------------------------- a castle falls by its own refill
@pytest.mark.parametrize(("game", "turn", "scores", "golden"), [
    ("pass-only-girl-girl", "turn 29 (the first player)", (1, 1), (1, 6)),
    ("pass-only-girl-boy", "turn 29 (the first player)", (1, 1), (1, 6)),
    ("pass-only-boy-girl", "turn 30 (the second player)", (1, 1), (6, 1)),
    ("pass-only-boy-boy", "turn 44 (the second player)", (1, 1), (6, 1)),
    ("one-more-girl", "turn 23 (the first player)", (2, 1), (2, 6)),
])
def test_a_castle_falls_in_this_turn_with_these_scores(
    game: str, turn: str, scores: tuple[int, int], golden: tuple[int, int],
) -> None:
    table = table_of(game, TOOK_LAST)
    state, when = last_state(table)
    assert when == turn
    assert value(table, state, "score") == scores
    assert value(table, state, "score_as_in_103") == golden
    assert state.end is not None and state.end.kind == "conflict"


def test_with_one_more_girl_the_castles_hold_0_and_11_cards_at_the_end() -> None:
    table = table_of("one-more-girl", TOOK_LAST)
    assert castles(table, last_state(table)[0]) == (0, 11)


@pytest.mark.parametrize("game", [n for n in PLAYED if n.startswith("pass-only")])
def test_whoever_still_stands_wins_where_that_is_what_felling_means(game: str) -> None:
    table = table_of(game, STILL_STANDS)
    state, _ = last_state(table)
    assert state.end is not None and state.end.kind == "win"
    assert castles(table, state)[state.end.who] > 0
    assert value(table, state, "score") == value(table, state, "score_as_in_103")


def test_an_attack_that_takes_the_last_card_scores_the_same_by_both_clauses() -> None:
    table = table_of("felled-by-attack", TOOK_LAST)
    state, turn = last_state(table)
    assert turn == "turn 15 (the first player)"
    assert castles(table, state)[1] == 0
    assert value(table, state, "score") == value(table, state, "score_as_in_103") == (6, 1)
    assert state.end is not None and state.end[:2] == ("win", 0)


# ---------------------------------------------------------------- who can stop it
@pytest.mark.parametrize("name", ["free-ability-of-the-other", "mood-swings"])
def test_only_the_non_active_player_can_stop_using_a_free_ability(name: str) -> None:
    (loop,) = findings(name, STILL_STANDS)
    assert loop.keepers is WhoCanStop.ONE
    assert loop.stopper is not None and loop.stopper.en.startswith("the non-active player")
    assert loop.clause_verdicts == (), "the book has no clause on endless loops"


# ---------------------------------------------------------------- luck
def test_random_numbers_are_drawn_with_exact_chances() -> None:
    """Cards of 1, 2 and 5 against 3, 3 and 5, characters of equal strength: of nine pairs two win, one draws, six lose."""
    table = table_of("fight-by-luck")
    chances: dict[str, Fraction] = {}

    def walk(state: State, chance: Fraction) -> None:
        at = table.engine.point(state)
        if at is None:
            assert state.end is not None
            chances[state.end.kind + str(state.end.who)] = chances.get(state.end.kind + str(state.end.who), 0) + chance
            return
        assert at.owner == CHANCE or len(at.options) == 1
        total = sum(at.weights)
        for option, weight in zip(at.options, at.weights, strict=True):
            walk(table.engine.apply(state, option).state, chance * Fraction(weight, total))

    walk(table.starts[0].state, Fraction(1))
    assert chances == {"win0": Fraction(2, 9), "win1": Fraction(6, 9), "conflict-1": Fraction(1, 9)}


# ---------------------------------------------------------------- as people read it
PAGES = [
    ("pass-only-girl-girl", TOOK_LAST), ("one-more-girl", TOOK_LAST), ("both-castles-fall", TOOK_LAST),
    ("fifth-girl-as-the-castle-falls", TOOK_LAST), ("free-ability-of-the-other", STILL_STANDS), ("mood-swings", STILL_STANDS),
]


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize(("name", "readings"), PAGES, ids=[n for n, _ in PAGES])
def test_the_page_of_a_finding_reads_as_agreed(
    name: str, readings: dict[str, str], lang: Literal["ja", "en"], frozen: Callable[[str, str], None],
) -> None:
    pages = [as_text(render_finding(finding, lang, names=names())) for finding in findings(name, readings)]
    frozen(f"{name}.{lang}.txt", f"{'=' * 100}\n".join(pages))


# ---------------------------------------------------------------- a whole game
def play(path: Path, choose: Callable[[int, str, list[str]], int]) -> tuple[list[str], str]:
    """A game in which `choose(turn, who, options)` makes every choice: what was chosen and announced, and the outcome."""
    game = playing.open_game(path, 0, {})
    turn, lines = 0, []
    while (outcome := game.outcome()) is None:
        said = [t.en for t in game.announced()]
        lines += said
        turn += sum(1 for x in said if x.startswith("-- turn"))
        who = game.who()
        assert who is not None
        options = [o.en for o in game.options()]
        taken = choose(turn, who.en, options)
        lines.append(f"{who.en}: {options[taken]}")
        game.apply(taken)
    return [*lines, *(t.en for t in game.announced())], outcome.en


def eager(turn: int, who: str, options: list[str]) -> int:
    """Use and attack with whatever can be; intercept every other turn; respond to nothing."""
    order = ["use “", "attack with", *(["intercept"] if turn % 2 == 0 else [])]
    for wish in order:
        hit = next((k for k, o in enumerate(options) if o.startswith(wish)), None)
        if hit is not None:
            return hit
    return next((k for k, o in enumerate(options) if o == "do nothing" or o.startswith(("no", "takes no"))), 0)


def test_a_game_is_played_from_the_preparation_to_its_end(frozen: Callable[[str, str], None]) -> None:
    path = Path(__file__).parent / "scenarios" / "school-days.yaml"
    lines, outcome = play(path, eager)
    frozen("school-days.txt", "\n".join([*lines, outcome]) + "\n")


# ---------------------------------------------------------------- stored cases
CASES = sorted((Path(session.__file__).parents[2] / "counterexamples" / "harem_master").glob("*.yaml"))


def test_the_cases_that_the_book_is_about_are_stored() -> None:
    assert len(CASES) >= 9
