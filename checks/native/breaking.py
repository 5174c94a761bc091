"""Random plays in compiled code that try to break what must always hold: games from the preparation; other scenarios the interpreter plays."""

from __future__ import annotations

import time

from ...model.engine.state import Arrival, State
from ..explore.random_plays import Broken, Played, Playing, Way
from ..explore.subject import Subject
from .engine import BeyondNative, Native
from .memory import Unsupported
from .playing import MOST_CONDITIONS
from .playouts import Lot, Player

SEGMENTS = 1, 4, 16, 64, 256
"""Steps that are played at a time, drawn by lot: records are looked at in between."""
Segment = tuple[Player, Lot, int]


class CompiledPlaying(Playing):
    """Plays of one scenario. What they come to is told as the interpreter tells it."""

    def __init__(self, subject: Subject, out: Played) -> None:
        super().__init__(subject, out)
        self.native: Native | None = None
        self.compiles = True

    def play(self, until: float, most_steps: int, only: str | None) -> Broken | None:
        program = self.subject.program
        if self.native is None and self.compiles and self.is_a_game and len(program.invariants) <= MOST_CONDITIONS:
            try:
                self.native = Native(program, self.subject.engine.policies, card_ids=self.subject.engine.card_ids)
            except Unsupported:
                self.compiles = False
        if self.native is None:
            return super().play(until, most_steps, only)
        start, state, way = self.beginning(most_steps)
        looked_at = sum(1 << program.invariants.index(x) for x in self.asked(only))
        liking = self.luck.getrandbits(63) if self.luck.random() < 0.5 else 0
        segments: list[Segment] = []
        steps = len(way)
        try:
            while steps < most_steps and state.end is None and time.process_time() < until:
                player, lot = Player(self.native, Arrival(state, 0)), Lot(self.luck.getrandbits(63), liking)
                play = player.play(
                    lot.seed, min(self.luck.choice(SEGMENTS), most_steps - steps), lot.liking, conditions=looked_at
                )
                segments.append((player, lot, play.steps))
                steps += play.steps
                self.out.states += play.steps
                if play.ended == "broken":
                    return self.broken(start, way, segments, only)
                if play.ended != "steps":
                    what = self.left_its_range(play.end, only)
                    if not what or play.end is None:
                        return None
                    whole, last = played_again(way, segments)
                    return Broken(self.subject, what, start, whole, last, play.end, play.end.slot)
                state = self.native.arrival(1).state
                if self.settled(state):
                    self.records.look_at(start, lambda: played_again(way, segments)[0], state)
        except BeyondNative:
            pass
        return None

    def broken(self, start: int, way: Way, segments: list[Segment], only: str | None) -> Broken:
        """What is broken at the end of a play; the interpreter says so, too."""
        whole, last = played_again(way, segments)
        for name in self.asked(only):
            said = self.subject.engine.evaluate(name, last)
            if said != 1:
                return Broken(self.subject, name, start, whole, last, said)
        raise AssertionError("compiled code and the interpreter differ about a condition")


def played_again(way: Way, segments: list[Segment]) -> tuple[Way, State]:
    """A play again, with its positions, and the last of them."""
    whole = list(way)
    last = segments[0][0].start
    for player, lot, steps in segments:
        more, last = player.way(lot, steps)
        whole += more
    return whole, last
