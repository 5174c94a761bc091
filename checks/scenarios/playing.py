"""A game under way, for people: choices by number, chance by seed, everything in the book's words."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...model.engine.library import load_book
from ...model.engine.log import PlayLog
from ...model.engine.state import CHANCE, NOBODY, Arrival, State
from ...model.engine.table import open_table
from ...spec.diagnostics import BadInput, Diagnostic, did_you_mean
from ...spec.readers import read_scenario
from ...spec.text import Text
from ..explore.subject import Subject
from ..findings.record import PlayStep
from .mistakes import told_at_once
from .saved_plays import choices, save_play
from .subjects import subject_of
from .why_not import NotAsked, Reason, why_not

SHOWN_CLAUSES = 2
"""Clauses that are told beside an option: those by which something changes first."""
AS_BEFORE = Text(ja="同じ状態が繰り返されています。ここから先は、選択なしに同じことが続きます。",
                 en="The same position has come back: from here on the same happens for ever.")
MOST_RETURNS = 1_000
"""How often luck may lead back to where play was, before it stops."""
BY_LUCK = Text(ja=f"偶然によって、同じ状態に{MOST_RETURNS:,}回戻りました。ここでやめます。",
               en=f"By luck play has come back to the same positions {MOST_RETURNS:,} times. It stops here.")
MOST_LOOKED_AT = 60
"""Of more options than this it is not looked at what each does."""


class TableGame:
    """A play of a subject. Chance and what nobody chooses happen by themselves between two choices."""

    def __init__(self, subject: Subject, seed: int) -> None:
        self.subject = subject
        self.book = subject.book
        self.luck = random.Random(seed)
        self.said: list[Text] = []
        start = self.luck.randrange(len(subject.starts))
        self.by_luck = len(subject.starts) > 1
        opening = subject.opening(start)
        if opening is not None:
            self.said += opening.changes
        self.history: list[tuple[State, Any, PlayLog, int]] = []
        self.state = subject.starts[start].state
        self.turn = subject.turn_at(self.state)
        self.clauses: tuple[str, ...] = ()
        self.tell_turn(self.state)
        self.played = PlayLog(subject.book, subject.scenario, dict(subject.readings), start)
        self.go_on()

    def go_on(self) -> None:
        """Up to the next choice of a person, or the end. Play that comes back to a position goes on so for ever only if luck decided
        nothing on the way."""
        seen: dict[State, int] = {}
        luck = back = 0
        while True:
            at = self.subject.engine.point(self.state)
            if at is None or at.owner not in (CHANCE, NOBODY):
                return
            if at.owner == NOBODY and (before := seen.get(self.state)) is not None:
                back += 1
                if before == luck or back > MOST_RETURNS:
                    self.said.append(AS_BEFORE if before == luck else BY_LUCK)
                    self.looping = True
                    return
            seen[self.state] = luck
            luck += at.owner == CHANCE
            self.by_luck |= at.owner == CHANCE
            option = self.luck.choices(at.options, at.weights)[0]
            told, arrival = self.subject.tell(self.state, option)
            self.played = self.played.then(option)
            if at.owner == CHANCE and told.chosen is not None:
                self.said.append(Text(ja=f"偶然: {told.chosen.ja}", en=f"chance: {told.chosen.en}"))
            self.passed(told, arrival)

    looping = False

    def tell_turn(self, state: State) -> None:
        """Say whose turn it now is."""
        words = self.subject.turn_words(self.turn, state)
        if words is not None:
            self.said.append(Text(ja=f"── {words.ja}", en=f"-- {words.en}"))

    def passed(self, told: PlayStep, arrival: Arrival) -> None:
        """What a step did: its changes, and the turn that began in it."""
        self.said += told.changes
        if arrival.crossing >= 3 and self.subject.in_turn(arrival.state):
            self.turn += 1
            self.tell_turn(arrival.state)
        self.clauses = told.clauses
        self.state = arrival.state

    def who(self) -> Text | None:
        """Who has to choose; `None` at the end."""
        at = self.subject.engine.point(self.state)
        return None if at is None or self.looping else self.subject.describer.decider(at, self.state)

    def asked(self) -> Text | None:
        """By what that is decided: the ability of a card, or a clause with its gist; `None` if neither is known."""
        book = load_book(self.subject.book)
        clauses, ability = self.subject.describer.asked_by(self.state)
        if ability is not None:
            return ability
        said = ((clause, book.gists.get(clause)) for clause in clauses)
        return next((Text(ja=f"{c} {gist.ja}", en=f"{c} {gist.en}") for c, gist in said if gist is not None), None)

    def options(self) -> list[Text]:
        """What can be chosen, in the order of `apply`."""
        at = self.subject.engine.point(self.state)
        return [] if at is None or self.looping else self.subject.describer.taken_apart(self.state, at)

    def clauses_of(self) -> list[tuple[str, ...]]:
        """The first clauses that are carried out with each option; nothing where that is not known."""
        at = self.subject.engine.point(self.state)
        if at is None or self.looping or len(at.options) > MOST_LOOKED_AT:
            return []
        told = (self.subject.tell(self.state, option)[0] for option in at.options)
        return [(step.working or step.clauses)[:SHOWN_CLAUSES] for step in told]

    def why_not(self, card: str) -> list[Reason] | None:
        """Why what can be done with a card (its number or its name) is not among the options; `None` if there is no such card."""
        found = number_of(self.subject, card)
        if found is None:
            return None
        try:
            return why_not(self.subject, self.state, found)
        except NotAsked:
            return []

    def apply(self, option: int, /) -> None:
        """Choose option `option`, counted from 0."""
        at = self.subject.engine.point(self.state)
        assert at is not None
        self.history.append((self.state, self.luck.getstate(), self.played, self.turn))
        told, arrival = self.subject.tell(self.state, at.options[option])
        self.played = self.played.then(at.options[option])
        self.said = []
        self.passed(told, arrival)
        self.go_on()

    def announced(self) -> list[Text]:
        """What happened since the last choice: luck, changes, in order. Asked once after each `apply`."""
        said, self.said = self.said, []
        return said

    def undo(self) -> bool:
        """Take the last choice back; false at the beginning."""
        if not self.history:
            return False
        self.state, luck, self.played, self.turn = self.history.pop()
        self.luck.setstate(luck)
        self.said = []
        self.looping = False
        return True

    def outcome(self) -> Text | None:
        """How the game ended; `None` while it goes on."""
        if self.looping:
            return Text(ja="終わりのない循環", en="an endless loop")
        if self.state.end is None:
            return None
        end, last = self.subject.describer.ending(self.state.end), " ".join(self.clauses[-4:])
        return Text(ja=f"{end.ja}（{last}）", en=f"{end.en} ({last})") if last else end

    @property
    def decided(self) -> bool:
        """Is the game won or drawn?"""
        return self.state.end is not None and self.state.end.kind in ("win", "draw")

    def position(self) -> Text:
        """The position, drawn in lines."""
        return self.subject.describer.position(self.state)

    def log(self) -> list[Text]:
        """Every choice so far, in words."""
        return choices(self.subject, self.played)

    def save(self, path: Path, /) -> None:
        """Write the record of the play (`scenarios/saved_plays.py`). Raises BadInput."""
        save_play(path, self.subject, self.played)


@told_at_once
def open_game(path: Path, seed: int, readings: Mapping[str, str]) -> TableGame:
    """Begin a game of a scenario."""
    return TableGame(subject_of(open_table(read_scenario(path), readings), symmetry=False), seed)


def number_of(subject: Subject, card: str) -> str | None:
    """The number of the card that somebody means, by its number or its name; none if there is no such card."""
    known = subject.describer.world.definitions
    return next((d.id for d in known if card.strip("「」“”") in (d.id, d.name.ja, d.name.en)), None)


SEED = 0
"""By what chance decides where nobody says it."""


@dataclass(frozen=True)
class WhyNot:
    """Who is asked (`asked`), and why a card is not among what that player can do. `by_luck`: chance had a part in how it came there."""

    asked: Text | None
    by_luck: bool
    reasons: list[Reason]


@told_at_once
def why_not_offered(path: Path, card: str, chosen: Sequence[int], readings: Mapping[str, str]) -> WhyNot:
    """Why a card is not among what the player who is asked can do; `chosen` are the numbers of what was chosen before
    that. Raises BadInput."""
    game = open_game(path, SEED, readings)
    for number in chosen:
        if not 1 <= number <= len(game.options()):
            problem = Text(ja=f"{number} という選択肢はありません（1 から {len(game.options())}）",
                           en=f"there is no option {number} (1 to {len(game.options())})")
            raise BadInput([Diagnostic(None, "no-option", problem, None, str(number))])
        game.apply(number - 1)
    found = number_of(game.subject, card)
    if found is None:
        known = [d.id for d in game.subject.describer.world.definitions]
        problem = Text(ja=f"この状況に {card} というカードはありません", en=f"there is no card {card} in this situation")
        raise BadInput([Diagnostic(None, "unknown-card", problem, did_you_mean(card, known), card)])
    try:
        return WhyNot(game.who(), game.by_luck, why_not(game.subject, game.state, found))
    except NotAsked:
        problem = Text(ja="ここでは、何をするかを選ぶ人がいません", en="nobody chooses what to do here")
        raise BadInput([Diagnostic(None, "not-asked", problem, None, str(path))]) from None
