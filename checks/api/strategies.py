"""Strategies of Hypothesis for tests of a client, or of rules: plays of a scenario, scenarios of a book. Needs `hypothesis`."""
from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from .books import Book, Scenario
from .plays import Play


def plays(scenario: Scenario, most: int = 50) -> st.SearchStrategy[Play]:
    """Plays of so many choices at most, from the scenario's beginnings on; what fails is made shorter, and its choices earlier ones."""

    @st.composite
    def one(draw: Callable[[st.SearchStrategy[int]], int]) -> Play:
        play = scenario.play(draw(st.integers(0, scenario.beginnings - 1)))
        for _ in range(draw(st.integers(0, most))):
            if not play.options:
                break
            play = play.take(draw(st.integers(0, len(play.options) - 1)))
        return play
    return one()


def scenarios(book: Book) -> st.SearchStrategy[Scenario]:
    """The scenarios of a book, under the default readings."""
    return st.sampled_from(book.scenarios).map(book.scenario)
