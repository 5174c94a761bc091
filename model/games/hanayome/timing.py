"""10.5: check timings. A play timing (10.5.4) is written where it is given, after a check timing."""
from ...lang import *
from .rule_processing import *
from .state import *
from .triggers import *


class Moment(Enum):  #: 10.1.1.2.1
    """Points of a turn that a text may name, at which chapters 7 and 9 raise nothing."""

    TURN_BEGINS = 1  #: 7.1.2
    START_PHASE_ENDS = 2  #: 7.2.4
    MAIN_PHASE_ENDS = 3  #: 7.3.3
    DECLARATION_STEP_ENDS = 4  #: 9.2.4
    EVENT_STEP_ENDS = 5  #: 9.3.5
    JUDGE_STEP_ENDS = 6  #: 9.4.4
    APPROACH_PHASE_ENDS = 7  #: 9.4.4
    END_PHASE_BEGINS = 8  #: 7.5.1


class Reached(Event):  #: 10.1.1.2.1
    """Play has come to such a point."""

    moment: Moment


@procedure
async def check_timing(g: Game) -> Set[Happening]:
    """Rule processing, then waiting abilities one by one, until nothing is left. Says what happened."""
    happened: Set[Happening] = set()
    while True:
        if reading("state-trigger-mid-effect") == "settled-only":
            note_states(g)  #: 10.7.6.1
        if rule_processing_due(g):
            await process_rules(g)  #: 10.5.3.1 #: 10.5.1.1
            happened |= {Happening.RULES}
        elif waits(g, None):
            what = await play_waiting(g, None, g.turn_player)  #: 10.5.3.2
            happened |= {what}
        elif waits(g, g.turn_player):
            what = await play_waiting(g, g.turn_player, g.turn_player)  #: 10.5.3.3
            happened |= {what}
        elif waits(g, other(g.turn_player)):
            what = await play_waiting(g, other(g.turn_player), other(g.turn_player))  #: 10.5.3.4
            happened |= {what}
        else:
            g.tried = set()
            return happened  #: 10.5.3.5


@procedure
async def reach(g: Game, moment: Moment) -> None:
    """Play comes to a point at which nothing is raised as the chapters are written."""
    if reading("unlisted-trigger-times") != "never":
        emit(Reached(moment))  #: 10.1.1.2.1
    if reading("unlisted-trigger-times") == "own-check":
        await check_timing(g)  #: 10.1.1.2.1
